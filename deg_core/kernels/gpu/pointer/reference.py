"""What the products of the pointer heads give, in float64. Shapes: N rows, D columns, M keys' width."""

from __future__ import annotations

from torch import Tensor


def row_dots(rows_ND: Tensor, vector_D: Tensor) -> Tensor:
    """The product [N] of every row with one vector, fp32."""
    return (rows_ND.double() @ vector_D.double()).float()


def project_keys(context_ND: Tensor, weight_MD: Tensor) -> Tensor:
    """Keys [N, M] of context rows, fp32."""
    return (context_ND.double() @ weight_MD.double().t()).float()
