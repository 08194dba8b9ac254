"""deg's own heads, registered as any plugin's. Importing this loads no head."""

from __future__ import annotations

from deg_core.plugins.hookspecs import RegisterPath, hookimpl


@hookimpl
def deg_register_heads(register: RegisterPath) -> None:
    register("choice", "deg_heads.choice:ChoiceHead")
    register("score", "deg_heads.score:ScoreHead")
    register("noul", "deg_heads.noul:NoulHead")
    register("extract", "deg_heads.extract:ExtractHead")
    register("extract-linked", "deg_heads.linked:LinkedExtractHead")
    register("count", "deg_heads.count:CountHead")
    register("anchor", "deg_heads.anchor:AnchorHead")
    register("readout-choice", "deg_heads.readout.decide:ChoiceReadout")
    register("readout-score", "deg_heads.readout.decide:ScoreReadout")
    register("readout-noul", "deg_heads.readout.decide:NoulReadout")
    register("readout-extract", "deg_heads.readout.extract:ExtractReadout")
    register("readout-count", "deg_heads.readout.count:CountReadout")


@hookimpl
def deg_register_array_decoders(register: RegisterPath) -> None:
    register("threshold", "deg_heads.array_decoders:Threshold")
    register("count_peaks", "deg_heads.array_decoders:CountPeaks")
    register("hybrid", "deg_heads.array_decoders:Hybrid")
