"""What all readout heads share: settings that travel with a checkpoint, and the refusal to be trained."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Final

import torch
from torch import Tensor, nn

from deg_core.protocols.head import ForkHidden, HeadInit, Query, Target
from deg_core.protocols.language import Asking, Language, Question
from deg_core.rendering.readout import READOUT_VERSION

_TEMPLATE: Final = "template"


class ReadoutHead(nn.Module, ABC):
    """A language head (``deg_core.protocols.language``). Its state are a few numbers: ``template``, the version of the
    question's text that it was calibrated with, and the settings of its kind."""

    protocol_version = (1, 2)
    kind: ClassVar[str] = ""
    modes: ClassVar[frozenset[Query]] = frozenset()
    optional: ClassVar[frozenset[str]] = frozenset()
    width: ClassVar[int] = 1
    template: Tensor
    language: Language

    def __init__(self, init: HeadInit) -> None:
        super().__init__()
        self.register_buffer(_TEMPLATE, torch.tensor(float(READOUT_VERSION)))
        self._register_load_state_dict_pre_hook(_check_template)

    def bind(self, language: Language) -> None:
        self.language = language

    def prepare(self, context_PD: Tensor) -> None:
        return None

    @abstractmethod
    def ask(self, question: Question) -> Asking:
        """See ``LanguageHead``."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        raise TypeError(f"{self.kind} answers with the language model, not from hidden states; use ask()")

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        raise TypeError(f"{self.kind} has nothing to train; use deg calibrate")


def _check_template(tensors: dict[str, Tensor], prefix: str, *_: object) -> None:
    """Refuse settings that were fitted to another text. Raises RuntimeError, as tensors that do not fit do."""
    found = tensors.get(prefix + _TEMPLATE)
    if found is not None and float(found) != READOUT_VERSION:
        raise RuntimeError(
            f"it was calibrated with version {float(found):g} of the question's text, this deg asks version "
            f"{READOUT_VERSION}: calibrate the backbone anew"
        )
