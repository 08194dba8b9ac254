"""Lists of judgements: ratings by aspect, results of contests."""

from __future__ import annotations

from deg_core.datagen.documents import names
from deg_core.datagen.documents.amounts import draw_price
from deg_core.datagen.documents.declare import ask, choice, declare
from deg_core.datagen.documents.facts import Sheet
from deg_core.datagen.documents.lists.invention import decided, shared
from deg_core.datagen.documents.lists.model import ListKind, bars, rows

_TONE = {
    "good": ("positive|good|liked", "", ()),
    "bad": ("negative|bad|disliked", "", ()),
    "mixed": ("mixed|neutral|so so", "", ()),
}

_TONE_WORDS = {
    "good": ("very good", "a joy", "excellent"),
    "bad": ("disappointing", "far too weak", "awful"),
    "mixed": ("could be better", "all right", "neither good nor bad"),
}

_ASPECTS = bars("""
    battery | sound | price | delivery | packaging | colour | manual | weight | buttons | fit | service | screen |
    smell | seams | app | noise | handle | stability
""")


def _rating(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    tone = rng.choice(tuple(_TONE))
    name = _ASPECTS[(5 * at + 2) % len(_ASPECTS)]
    sheet.text(f"{p}/name", name if at < len(_ASPECTS) else f"{name} {at}")
    decided(sheet, f"{p}/tone", tone, _TONE_WORDS[tone])
    if shared(sheet, "points", 0.7):
        low, high = {"good": (8, 10), "mixed": (5, 7), "bad": (1, 4)}[tone]
        sheet.number(f"{p}/points", rng.randint(low, high), after=rng.choice(("", "/10", " points")))


RATINGS = ListKind(
    name="ratings",
    homes=("review", "product_listing"),
    alone=frozenset(("product_listing",)),
    declared=declare(
        ask("name", "string", "aspect|criterion|what|feature", "what is judged", labels="Aspect|Criterion"),
        ask("points", "integer", "points|score|rating", "points given", labels="Points|Score"),
        choice("tone", "opinion|verdict|sentiment", "what is thought of it", _TONE),
    ),
    invent=_rating,
    lead=("name",),
    names=bars("ratings | scores | single ratings | ratings by aspect | detailed ratings | verdicts"),
    nouns=bars("one entry for each aspect that is judged | single ratings | what is said about each feature"),
    one=bars("one aspect | a single rating"),
    lines=rows("""
        {name}: {points}<|, {tone}>
        {name} {points}
        {name}<: | - >{tone}
        {name} ({points}) {tone}
        {name}
    """),
    held_lines=rows("""
        {points} for {name}
        {tone} >> {name}
        {name} = {points}
        {name}
    """),
    sentences=rows("""
        the {name} <gets|earns> {points}<|: {tone}>.
        the {name} is {tone}<| ({points})>.
        {points} for the {name}.
        I looked at the {name}.
    """),
    held_sentences=rows("""
        as for the {name}, {tone}.
        I give {points} to the {name}.
        then the {name}.
    """),
    headings=rows("""
        <Ratings|Point by point|In detail|Scores>
    """),
    none=rows("""
        There are no single ratings.
        <No aspects were rated.|Ratings: none.>
    """),
    plain={"name": ("aspects|rated features|criteria",), "points": ("points|scores",)},
    rest=rows("""
        Tested for {small} days
        Reviewed by {person}
    """),
)

_MOVE = {"up": ("up|rose|better", "", ()), "same": ("unchanged|same", "", ()), "down": ("down|fell|worse", "", ())}

_MOVE_WORDS = {
    "up": ("up from last year", "climbed"),
    "same": ("as last year", "unchanged"),
    "down": ("lost ground", "down from last year"),
}


def _result(sheet: Sheet, p: str, at: int) -> None:
    rng = sheet.rng
    sheet.text(
        f"{p}/name",
        rng.choice((names.person(rng), f"FC {names.place_name(rng)}", names.place_name(rng), names.shop(rng))),
    )
    sheet.number(f"{p}/points", rng.randrange(1, 999))
    if shared(sheet, "town", 0.4):
        sheet.text(f"{p}/town", names.place_name(rng))
    if shared(sheet, "prize", 0.4):
        sheet.money(f"{p}/prize", draw_price(rng, 20, 9000))
    if shared(sheet, "move", 0.5):
        move = rng.choice(tuple(_MOVE))
        decided(sheet, f"{p}/move", move, _MOVE_WORDS[move])


RESULTS = ListKind(
    name="results",
    homes=("news", "event"),
    declared=declare(
        ask("name", "string", "name|winner|participant|team", "who or what is ranked", labels="Name|Team"),
        ask("points", "integer", "points|score|votes", "points reached", labels="Points|Votes|Score"),
        ask("town", "string", "town|home|from", "where they come from", labels="From|Town"),
        ask("prize", "number", "prize|prize money|award", "prize money", labels="Prize"),
        choice("move", "trend|movement|change", "compared with last year", _MOVE),
    ),
    invent=_result,
    lead=("name",),
    names=bars("results | ranking | standings | scores | winners | table"),
    nouns=bars("one entry for each place | the ranking from top to bottom | all results"),
    one=bars("one result | a row of the ranking"),
    lines=rows("""
        {name} {points}<|, {prize}>
        {name} ({town}) {points} points
        {points} {name}
        {name}, {points}, {move}
        {name} - {prize}
        {name}
    """),
    held_lines=rows("""
        {points} = {name}
        {name} of {town} :: {points}
        {prize} >> {name}
        {name} [{move}]
        {name}
    """),
    sentences=rows("""
        {name}<| from {town}> <scored|got> {points} points<|, {move}>.
        {name} takes home {prize}.
        {name}, {move}.
        {name} comes from {town}.
        {name} was there too.
    """),
    held_sentences=rows("""
        {points} went to {name}.
        {prize} is for {name}.
        we saw {name} of {town}.
        we saw {name}, {move}.
        we saw {name}.
    """),
    headings=rows("""
        <Results|Ranking|Standings|Final table>
    """),
    none=rows("""
        There are no results yet.
        <The ranking is empty.|Results: none.>
    """),
    plain={"name": ("names|participants|teams",), "points": ("points|scores|votes",)},
    rest=rows("""
        Spectators: {small}
        Jury: {person}
    """),
)

SCORE_LISTS = (
    RATINGS,
    RESULTS,
)
