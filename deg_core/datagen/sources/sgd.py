"""Schema-Guided Dialogue: what the user wants so far, from the dialogue up to a user turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deg_core.datagen.draft import Draft, Span, occurrences
from deg_core.datagen.intents import Intent, ask_intent, ask_yes_no
from deg_core.datagen.raw import Tally, read_json
from deg_core.datagen.wording import Slot
from deg_core.records.record import Record

SOURCE = "sgd"
SPEAKERS = (
    ("User: ", "Assistant: "), ("Customer: ", "Agent: "), ("user: ", "system: "), ("Caller: ", "Operator: "),
    ("[user] ", "[bot] "), ("Guest - ", "Desk - "), ("A: ", "B: "), ("USER> ", "BOT> "), ("- ", "- "),
    ("Me: ", "Them: "),
)  # fmt: skip
SYNONYMS = {
    "city": ("town", "city name"),
    "date": ("day", "on date"),
    "time": ("at time", "hour"),
    "cuisine": ("food type", "kind of food"),
    "restaurant_name": ("restaurant", "place to eat"),
    "party_size": ("people", "number of guests"),
    "price_range": ("price level", "budget"),
    "leaving_date": ("departure date", "travel date"),
    "leaving_time": ("departure time",),
    "departure_date": ("leaving on", "outbound date"),
    "return_date": ("coming back on", "date of return"),
    "from_location": ("origin", "departure city"),
    "to_location": ("destination", "arrival city"),
    "origin_city": ("from city", "departure city"),
    "destination_city": ("to city", "arrival city"),
    "hotel_name": ("hotel", "name of hotel"),
    "check_in_date": ("arrival date", "check in"),
    "check_out_date": ("check out", "last day of stay"),
    "number_of_days": ("nights", "length of stay"),
    "movie_name": ("film", "movie"),
    "song_name": ("song", "track"),
    "artist": ("band or singer", "performer"),
    "appointment_date": ("visit date", "day of appointment"),
    "appointment_time": ("visit time", "hour of appointment"),
    "pickup_location": ("pick up place", "collection point"),
    "pickup_date": ("collection date", "start date"),
    "dropoff_date": ("return date", "end date"),
    "event_name": ("event", "name of event"),
    "location": ("place", "where"),
}
NUMERIC = {"number_of_days", "number_of_rooms", "number_of_adults", "number_of_seats", "party_size"}


@dataclass(frozen=True, slots=True)
class _Turn:
    speaker: str
    text: str
    frames: Mapping[str, Mapping[str, Any]]


def load(path: str | Path, *, tally: Tally | None = None) -> Iterator[Record]:
    """Records of the set in folder ``path``: up to three user turns of each dialogue, with all said before them."""
    tally = Tally() if tally is None else tally
    folder = Path(path) / "train"
    services = {service["service_name"]: service for service in read_json(folder / "schema.json")}
    names = sorted({file.name.removesuffix(".gz") for file in folder.glob("dialogues_*.json*")})
    for name in names:
        for dialogue in read_json(folder / name):
            yield from _records(dialogue, services, tally)


def _records(dialogue: Mapping[str, Any], services: Mapping[str, Any], tally: Tally) -> Iterator[Record]:
    turns = [
        _Turn(turn["speaker"], turn["utterance"], {frame["service"]: frame for frame in turn["frames"]})
        for turn in dialogue["turns"]
    ]
    places = [index for index, turn in enumerate(turns) if turn.speaker == "USER"]
    key = dialogue["dialogue_id"]
    rng = Draft(SOURCE, key, key, "", "").rng
    last = [places[-1]] if rng.random() < 0.6 else []
    cuts = sorted({*last, *rng.sample(places, min(len(places), 3 - len(last)))})
    for cut in cuts:
        states = [
            frame
            for frame in turns[cut].frames.values()
            if frame.get("state", {}).get("active_intent", "NONE") != "NONE" and frame["service"] in services
        ]
        if not states:
            tally["no active intent"] += 1
            continue
        frame = states[-1]
        service = services[frame["service"]]
        domain = re.sub(r"_\d+$", "", service["service_name"])
        draft = Draft(SOURCE, f"{key}/{cut:02d}", key, f"{_split_camel(domain)} dialogue", "", "conversation")
        spans = _write(draft, turns[: cut + 1], service["service_name"], tally)
        _ask(draft, frame["state"], service, services, spans)
        record = draft.record()
        if record is not None:
            yield record


def _write(draft: Draft, turns: list[_Turn], service: str, tally: Tally) -> dict[str, list[Span]]:
    """Set the context and return the annotated spans of each slot of ``service``, in text order."""
    user, system = draft.rng.choice(SPEAKERS)
    gap = draft.rng.choice(("\n", "\n", "\n", "\n\n"))
    spans: dict[str, list[Span]] = {}
    text = ""
    for turn in turns:
        text += (gap if text else "") + (user if turn.speaker == "USER" else system)
        for mark in turn.frames.get(service, {}).get("slots", ()):
            start, end = mark.get("start", 0), mark.get("exclusive_end", 0)
            if not 0 <= start < end <= len(turn.text):
                tally["bad span"] += 1
                continue
            spans.setdefault(mark["slot"], []).append((len(text) + start, len(text) + end))
        text += turn.text
    draft.context = text
    return spans


def _ask(
    draft: Draft,
    state: Mapping[str, Any],
    service: Mapping[str, Any],
    services: Mapping[str, Any],
    spans: Mapping[str, list[Span]],
) -> None:
    rng = draft.rng
    pool = _intents(service, services)
    gold = _split_camel(state["active_intent"])
    if gold in pool and rng.random() < 0.5:
        ask_intent(draft, pool, gold, high=10)
    if gold in pool and rng.random() < 0.2:
        ask_yes_no(draft, pool, gold)
    values: Mapping[str, list[str]] = state["slot_values"]
    for entry in service["slots"]:
        said = values.get(entry["name"])
        if said is None and rng.random() > (0.35 if values else 0.25):
            continue
        item = _slot(entry)
        if entry["is_categorical"]:
            _ask_categorical(draft, item, entry["possible_values"], said)
        elif said is None:
            # A value that only the system offered is not yet the user's; asking for it would be a matter of taste.
            if entry["name"] not in spans:
                draft.extract(item, None)
        elif place := _place(draft.context, said, spans.get(entry["name"], [])):
            draft.extract(item, place[0], alternatives=place[1:])
    if not draft.fields and gold in pool:
        ask_intent(draft, pool, gold, high=8)


def _ask_categorical(draft: Draft, item: Slot, options: list[str], said: list[str] | None) -> None:
    rng = draft.rng
    value = said[0] if said else None
    if value is not None and value not in options and value != "dontcare":
        return
    if {option.lower() for option in options} == {"true", "false"}:
        if value != "dontcare":
            draft.decide(item, None if value is None else value.lower() == "true", nullable=None)
        return
    if value is not None and value.isdigit() and all(option.isdigit() for option in options) and rng.random() < 0.4:
        numbers = sorted(int(option) for option in options)
        if numbers == list(range(numbers[0], numbers[-1] + 1)) and 2 <= len(numbers) <= 11:
            draft.rate(item, int(value), low=numbers[0], high=numbers[-1])
            return
    drawn: list[tuple[Any, str | None]] = [(option, None) for option in options]
    if value == "dontcare" or rng.random() < 0.15:
        name = rng.choice(("any", "dontcare", "no preference"))
        drawn.append((name, rng.choice((None, "the user does not mind"))))
        value = name if value == "dontcare" else value
    if value is None or rng.random() < 0.4:
        drawn.append((None, None))
    draft.choose(item, drawn, value, shuffle=rng.random() < 0.5)


def _place(text: str, said: list[str], marked: list[Span]) -> list[Span]:
    """Where the value stands: the last annotated mention first, then others with the same words."""
    wanted = {value.lower() for value in said}
    hits = [span for span in marked if text[slice(*span)].lower() in wanted]
    if not hits:
        for value in said:
            found = occurrences(text, value)
            if found:
                return [found[-1], *found[:-1]]
        return []
    return [hits[-1], *hits[:-1]]


def _slot(entry: Mapping[str, Any]) -> Slot:
    name = entry["name"]
    words = name.replace("_", " ")
    kind = "integer" if name in NUMERIC else "text"
    names = (words, *SYNONYMS.get(name, ()))
    text = entry["description"].strip().rstrip(".")
    return Slot(names, (text, text, f"{words} the user asks for", f"{words} agreed so far"), kind)


def _intents(service: Mapping[str, Any], services: Mapping[str, Any]) -> dict[str, Intent]:
    """The intents of ``service`` and of services of other domains, keyed by their words."""
    domain = service["service_name"].rpartition("_")[0]
    out: dict[str, Intent] = {}
    for other in services.values():
        if other is service or other["service_name"].rpartition("_")[0] != domain:
            for entry in other["intents"]:
                text = entry["description"].strip().rstrip(".")
                words = _split_camel(entry["name"])
                group = "own" if other is service else ""
                if words not in out or other is service:
                    out[words] = Intent(words, f"the user wants to {text[:1].lower()}{text[1:]}", group)
    return out


def _split_camel(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
