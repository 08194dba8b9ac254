"""Which part of the data a document belongs to: a pure function of its group, so that splits never move."""

from __future__ import annotations

import hashlib

from deg_core.records.record import Split

_SCALE = 2**64


def split_of(group: str, *, val: float = 0.05, test: float = 0.05) -> Split:
    """The split of a document group (document, dialogue, article; never a row).

    The group is hashed to a number in [0, 1): below ``test`` is test, the next ``val`` is val, the rest train. So a
    larger ``test`` only ever moves groups out of val, and the result depends on nothing else.

    Raises:
        ValueError: a share is negative, or the two together exceed 1.
    """
    if val < 0 or test < 0 or val + test > 1:
        raise ValueError(f"val and test are shares of the whole: got val={val}, test={test}")
    point = int.from_bytes(hashlib.sha256(group.encode("utf-8")).digest()[:8], "big") / _SCALE
    if point < test:
        return "test"
    return "val" if point < test + val else "train"
