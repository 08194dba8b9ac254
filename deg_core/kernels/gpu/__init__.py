"""Triton kernels for GPUs, an op a folder: ``reference.py`` says in plain torch what it gives, ``triton.py`` gives it.

Matrix libraries choose tiles and splits by the number of rows, and reductions are shaped by what is reduced beside
them, so a row's bits would change with its neighbours (SPEC 12.2). Here a row's result is a function of that row:
blocks are chosen by the dtype and the weight's shape alone, sums run in one order, nothing is tuned at run time, and
lengths are read by the kernel, so that no number of rows compiles another kernel. Addresses are 64 bits wide. Pure
elementwise ops need none of this and run as torch has them.

Nothing here is imported before a model goes to a GPU. Without one the kernels run in Triton's interpreter
(``TRITON_INTERPRET=1``), which is how they are tested.
"""

from __future__ import annotations

from importlib.util import find_spec


def available() -> bool:
    """Whether Triton is installed."""
    return find_spec("triton") is not None
