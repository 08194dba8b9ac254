"""The best way to pair rows with columns: the assignment problem."""

from __future__ import annotations

from collections.abc import Sequence


def best_assignment(weights: Sequence[Sequence[int]]) -> list[int | None]:
    """For each row the column it is paired with, so that the sum of the pairs' weights is greatest; every row or every
    column is used, whichever are fewer. ``weights`` [rows][columns] are integers; rows that get none are None.

    The Hungarian method with shortest augmenting paths and potentials (Kuhn 1955; Jonker and Volgenant 1987),
    O(rows^2 columns).
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if rows > columns:
        turned = best_assignment([[row[column] for row in weights] for column in range(columns)])
        chosen: list[int | None] = [None] * rows
        for column, row in enumerate(turned):
            assert row is not None
            chosen[row] = column
        return chosen
    row_price, column_price = [0] * (rows + 1), [0] * (columns + 1)
    holder = [0] * (columns + 1)  # the row, from 1, that holds each column, from 1; 0 for none
    for row in range(1, rows + 1):
        _augment(row, weights, row_price, column_price, holder)
    found: list[int | None] = [None] * rows
    for column in range(1, columns + 1):
        if holder[column]:
            found[holder[column] - 1] = column - 1
    return found


def _augment(
    row: int,
    weights: Sequence[Sequence[int]],
    row_price: list[int],
    column_price: list[int],
    holder: list[int],
) -> None:
    """Give ``row`` a column along the cheapest path over those that are held, and mend the prices."""
    columns = len(column_price) - 1
    slack: list[int | None] = [None] * (columns + 1)
    before = [0] * (columns + 1)
    used = [False] * (columns + 1)
    holder[0] = row
    column = 0
    while holder[column]:
        used[column] = True
        current = holder[column]
        least: int | None = None
        following = 0
        for other in range(1, columns + 1):
            if used[other]:
                continue
            cost = -weights[current - 1][other - 1] - row_price[current] - column_price[other]
            known = slack[other]
            if known is None or cost < known:
                slack[other], before[other] = cost, column
                known = cost
            if least is None or known < least:
                least, following = known, other
        assert least is not None
        for other in range(columns + 1):
            known = slack[other]
            if used[other]:
                row_price[holder[other]] += least
                column_price[other] -= least
            elif known is not None:
                slack[other] = known - least
        column = following
    while column:
        holder[column] = holder[before[column]]
        column = before[column]
