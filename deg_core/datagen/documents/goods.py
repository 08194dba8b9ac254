"""Things that are bought and sold, by kind of shop, with a price range in units of the currency."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.lexicon import words

_COLOURS = words("black white blue red green grey oak walnut steel brass matt clear natural navy")
_SIZES = {
    "groceries": ("250 g", "500 g", "1 kg", "0.5 l", "family pack", "organic"),
    "office": ("A4", "A5", "large", "pack of 6", "60 x 40 cm"),
    "workshop": ("12 mm", "2 m", "pack of 6", "heavy duty", "60 x 40 cm"),
    "clothes": ("S", "M", "L", "XL", "size 42", "kids"),
    "electronics": ("2 m", "compact", "64 GB", "second edition"),
}


def _things(text: str) -> tuple[str, ...]:
    """Things divided by bars; line breaks count as blanks."""
    return tuple(" ".join(part.split()) for part in text.split("|"))


_GOODS: dict[str, tuple[float, float, tuple[str, ...]]] = {
    "groceries": (
        0.8,
        14,
        _things("""
        wholemeal bread | oat milk | eggs free range | basmati rice | tomatoes | goat cheese | olive oil |
        ground coffee | green tea | dark chocolate | yoghurt plain | apples Braeburn | chickpeas tin | pasta
        penne | honey | sea salt | oranges | lentils red | cucumber | butter | rye crackers | sparkling
        water | hummus | spinach frozen | strawberry jam
    """),
    ),
    "cafe": (
        2.2,
        19,
        _things("""
        flat white | espresso | cappuccino | chai latte | cheese toastie | soup of the day | almond
        croissant | lemonade | carrot cake | avocado bagel | iced tea | veggie burger | fries | house red
        0.2 l | pad thai | margherita | tiramisu | ginger beer | oat porridge | falafel wrap
    """),
    ),
    "office": (
        3,
        480,
        _things("""
        copy paper | toner cartridge | desk lamp | office chair | whiteboard markers | lever arch file |
        label printer | monitor arm | USB-C dock | keyboard | headset | filing cabinet | envelopes C5 |
        laser pointer | desk pad | shredder | extension lead | webcam
    """),
    ),
    "workshop": (
        2,
        320,
        _things("""
        wood screws | cordless drill | masking tape | spirit level | sanding discs | work gloves | wall
        plugs | paint roller | primer | silicone sealant | saw blade | hinges | LED strip | cable ties |
        junction box | socket set | step ladder | safety goggles | floor varnish | hex key set
    """),
    ),
    "services": (
        60,
        2400,
        _things("""
        site survey | boiler service | logo design | translation of manual | annual maintenance | window
        cleaning | staff training day | data migration | tax consultation | event photography | call-out
        charge | labour | hosting plan | copy editing | roof inspection | software licence | security audit
        | piano tuning | garden clearance | travel expenses | project management | van hire
    """),
    ),
    "clothes": (
        9,
        240,
        _things("""
        linen shirt | wool socks | rain jacket | denim jeans | running shoes | scarf | leather belt | hoodie
        | swim shorts | winter coat | canvas tote | beanie | ankle boots | pyjamas | cardigan | sun hat
    """),
    ),
    "electronics": (
        8,
        890,
        _things("""
        noise-cancelling headphones | phone case | power bank | tablet | smart plug | e-reader | router |
        HDMI cable | mechanical keyboard | action camera | bluetooth speaker | memory card | laptop sleeve |
        air purifier | kettle | hand blender | desk fan | bike light
    """),
    ),
}
KINDS = tuple(_GOODS)
_VARIANTS = ("type", "model", "variant", "no.", "series")


def draw_goods(rng: random.Random, kind: str, count: int) -> list[tuple[str, Decimal]]:
    """``count`` different goods of a kind with unit prices, some with a colour, size or model.

    More than the kind has come as further variants of the same things.
    """
    low, high, things = _GOODS[kind]
    drawn: list[tuple[str, Decimal]] = []
    for at, thing in enumerate(_draw_things(rng, things, count)):
        if at >= len(things):
            thing = f"{thing}, {rng.choice(_VARIANTS)} {at // len(things) + 1}"
        text = thing
        roll = rng.random()
        if roll < 0.12 and kind not in ("services", "groceries", "cafe"):
            text = f"{thing}, {rng.choice(_COLOURS)}"
        elif roll < 0.2 and kind not in ("services", "cafe"):
            text = f"{thing} {rng.choice(_SIZES[kind])}"
        elif roll < 0.28 and kind in ("office", "workshop", "electronics"):
            text = (
                f"{thing} {rng.choice('ABEKLMNRSTX')}{rng.randrange(2, 99)}{rng.choice(('', '0', '00', ' Pro', '-B'))}"
            )
        if rng.random() < 0.5:
            text = text[0].upper() + text[1:]
        drawn.append((text, draw_price(rng, low, high)))
    return drawn


def _draw_things(rng: random.Random, things: Sequence[str], count: int) -> list[str]:
    """``count`` things, each once before any comes again."""
    drawn: list[str] = []
    while len(drawn) < count:
        drawn += rng.sample(things, min(len(things), count - len(drawn)))
    return drawn
