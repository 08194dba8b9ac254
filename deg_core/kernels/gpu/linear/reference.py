"""What the matrix product gives, in float64.

Shapes: N rows, K columns, M outputs.
"""

from __future__ import annotations

import torch
from torch import Tensor


def bi_linear(
    x_NK: Tensor, weight_MK: Tensor, onto_NM: Tensor | None = None, dtype: torch.dtype | None = None
) -> Tensor:
    """``onto + x @ weight.T`` in ``dtype``, which is ``onto``'s or else x's."""
    out = x_NK.double() @ weight_MK.to(x_NK.dtype).double().t()
    if onto_NM is not None:
        out = onto_NM.double() + out
    return out.to(dtype or (x_NK if onto_NM is None else onto_NM).dtype)
