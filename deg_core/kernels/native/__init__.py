"""Kernels in C for the processor at hand, used wherever they are there; the torch forms stay the reference.

They are built with the package where there is a C compiler; without them everything runs as it did, only slower. What
they give a row depends on that row alone, as with every kernel here, and differs from the torch forms by rounding.

``DEG_NATIVE`` in the environment chooses: ``0`` none of this; ``plain``, ``avx2``, ``avx512``, ``vnni`` or ``amx`` at
most these instructions; unset or ``1`` the best that the processor has.
"""

from deg_core.kernels.native.library import LEVELS, at_most, available, level

__all__ = ["LEVELS", "at_most", "available", "level"]
