"""Which schemas deg accepts, and by which rules it refuses the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from deg_core.contract.compiler import schema_problems
from deg_core.contract.problems import Found
from deg_core.contract.rules import RULES
from deg_core.evaluate.benchmarks.schemas import NamedSchema


@dataclass(frozen=True, slots=True)
class Refused:
    """A schema with every problem that was found."""

    schema: NamedSchema
    problems: list[Found]


@dataclass(frozen=True, slots=True)
class Reach:
    """``accepted`` and ``total`` schemas by group; ``refused`` holds the others."""

    total: dict[str, int]
    accepted: dict[str, int]
    refused: list[Refused]

    def by_rule(self) -> list[tuple[str, int, int]]:
        """Rule, schemas that it refuses, and schemas that it alone refuses; most first."""
        rules = [{problem.rule for problem in refused.problems} for refused in self.refused]
        broken = Counter(rule for found in rules for rule in found)
        alone = Counter(next(iter(found)) for found in rules if len(found) == 1)
        return [(rule, count, alone[rule]) for rule, count in sorted(broken.items(), key=lambda x: (-x[1], x[0]))]


def reach(schemas: Iterable[NamedSchema]) -> Reach:
    """Try every schema."""
    total: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    refused = []
    for schema in schemas:
        problems = schema_problems(schema.document)
        total[schema.group] += 1
        accepted[schema.group] += not problems
        if problems:
            refused.append(Refused(schema, problems))
    return Reach(dict(total), dict(accepted), refused)


def page(found: Reach, *, examples: int = 30, seed: int = 0) -> str:
    """Markdown tables of shares and rules, and a random but seeded choice of refusals with a message of each."""
    lines = ["| collection | schemas | accepted | share |", "|---|---|---|---|"]
    lines += [_share(group, found.accepted[group], total) for group, total in found.total.items()]
    lines.append(_share("all", sum(found.accepted.values()), sum(found.total.values())))
    lines += ["", "| rule | what it asks | schemas refused | by it alone |", "|---|---|---|---|"]
    lines += [f"| `{rule}` | {RULES[rule].title} | {count} | {alone} |" for rule, count, alone in found.by_rule()]
    chance = random.Random(seed)
    chosen = chance.sample(found.refused, k=min(examples, len(found.refused)))
    if chosen:
        lines += ["", f"{len(chosen)} refused schemas, drawn with seed {seed}, each with one of its problems:", ""]
    for refused in sorted(chosen, key=lambda refused: (refused.schema.group, refused.schema.name)):
        problem = chance.choice(refused.problems)
        where = "/".join(map(str, problem.loc)) or "(root)"
        count = len(refused.problems)
        lines.append(
            f"- {refused.schema.group}, `{refused.schema.name}` ({count} problem{'s' * (count > 1)}): "
            f"`{where}`: {' '.join(problem.msg.split())}"
        )
    return "\n".join(lines) + "\n"


def _share(group: str, accepted: int, total: int) -> str:
    return f"| {group} | {total} | {accepted} | {100 * accepted / total if total else 0:.0f} % |"
