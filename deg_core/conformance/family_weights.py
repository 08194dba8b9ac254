"""Sizes: of weights, of what layers give, of the states they keep; and which projections there really are."""

from __future__ import annotations

import torch

from deg_core.conformance.family_case import FamilyCase, parts
from deg_core.conformance.plain import plain_hidden
from deg_core.conformance.report import CheckFailed
from deg_core.conformance.traced import TracedWeights
from deg_core.protocols.capabilities import Geometry
from deg_core.protocols.state import KV, Recurrent
from deg_core.runtime.body import Body, advance

KINDS = ("attention", "state")


def weights(case: FamilyCase) -> None:
    """The weights that ``read_weights`` (or the tiny model) gives: an embedding and the declared projections, of the
    declared sizes; a pass over five tokens gives finite hidden states [5, D]."""
    _check_geometry(case.geometry)
    d, v = case.geometry.hidden_size, case.geometry.vocab_size
    wanted = {"embed": (v, d)} | {name: (each.rows, each.columns) for name, each in case.projections.items()}
    if "lm_head" in case.weights:
        wanted["lm_head"] = (v, d)
    problems = [
        f"{name} is missing"
        if name not in case.weights
        else f"{name} is {tuple(case.weights[name].shape)}, not {shape}"
        for name, shape in wanted.items()
        if name not in case.weights or tuple(case.weights[name].shape) != shape
    ]
    problems += [f"{name} is not finite" for name, weight in case.weights.items() if not weight.isfinite().all()]
    if problems:
        raise CheckFailed("weights of the sizes in projections() and geometry()", "; ".join(problems[:5]))
    with torch.no_grad():
        (hidden,) = plain_hidden(case.plain_body(), [case.ids(5)])
    if tuple(hidden.shape) != (5, d) or not hidden.isfinite().all():
        what = "not finite" if hidden.shape == (5, d) else f"of shape {tuple(hidden.shape)}"
        raise CheckFailed(f"finite hidden states [5, {d}] of five tokens", f"they are {what}")


def _check_geometry(geometry: Geometry) -> None:
    problems = []
    for name in ("hidden_size", "vocab_size", "query_heads", "kv_heads", "head_dim", "max_positions"):
        if getattr(geometry, name) < 1:
            problems.append(f"{name} is {getattr(geometry, name)}")
    if not geometry.layers or not set(geometry.layers) <= set(KINDS):
        problems.append(f"layers is {geometry.layers!r}, not some of {KINDS}")
    if geometry.kv_heads > 0 and geometry.query_heads % geometry.kv_heads:
        problems.append(f"query_heads {geometry.query_heads} is no multiple of kv_heads {geometry.kv_heads}")
    if problems:
        raise CheckFailed("a geometry() of sizes that can be", "; ".join(problems))


def sizes(case: FamilyCase) -> None:
    """What two rows of different lengths keep: K/V [G, T, K] in each attention layer, and in all state layers together
    ``state_floats_per_row`` numbers, however long the row is. Packed training only without state layers."""
    geometry = case.geometry
    lengths = (3, 19)
    with torch.no_grad():
        hidden, states = advance(case.body("fp32"), torch.tensor(case.ids(sum(lengths))), lengths, [None, None])
    if hidden.shape != (sum(lengths), geometry.hidden_size):
        raise CheckFailed(f"hidden states [{sum(lengths)}, {geometry.hidden_size}]", f"{list(hidden.shape)}")
    for row, length in enumerate(lengths):
        floats = 0
        for layer, kind in enumerate(geometry.layers):
            state = states[layer][row]
            if kind == "attention":
                wanted = (geometry.kv_heads, length, geometry.head_dim)
                if not isinstance(state, KV) or {tuple(part.shape) for part in parts(state)} != {wanted}:
                    found = ", ".join(str(list(part.shape)) for part in parts(state))
                    raise CheckFailed(f"keys and values {list(wanted)} of {length} tokens", f"layer {layer}: {found}")
            elif not isinstance(state, Recurrent):
                raise CheckFailed("a Recurrent state of a state layer", f"layer {layer}: {type(state).__name__}")
            else:
                floats += sum(part.numel() for part in parts(state))
        if floats != geometry.state_floats_per_row:
            raise CheckFailed(
                f"state_floats_per_row = {geometry.state_floats_per_row}, the numbers that state layers keep of a row",
                f"a row of {length} tokens keeps {floats}",
            )
    if case.family.capabilities.packed_training and "state" in geometry.layers:
        raise CheckFailed(
            "packed_training = False with state layers, whose state no mask can hide", "packed_training = True"
        )


def projections(case: FamilyCase) -> None:
    """A projection that is declared but never asked for would carry a useless adapter; one that is asked for but not
    declared could not be quantised, nor carry one; and each belongs to a layer that exists."""
    traced = TracedWeights(case.weights)
    with torch.no_grad():
        plain_hidden(Body(case.family, case.config, traced, case.geometry), [case.ids(5)])
    declared = set(case.projections)
    problems = [
        f"{what}: {', '.join(sorted(names)[:5])}"
        for what, names in (
            ("declared but never asked for", declared - traced.asked),
            ("asked for but not declared", traced.asked - declared),
            ("read as a vector though declared as a projection", traced.read & declared),
        )
        if names
    ]
    count = len(case.geometry.layers)
    problems += [
        f"{name} belongs to layer {each.layer} of {count}"
        for name, each in case.projections.items()
        if not 0 <= each.layer < count
    ]
    if problems:
        raise CheckFailed("linear() asked for exactly the names in projections()", "; ".join(problems))
