"""Heads that break one promise each. Sound in everything else: deg's own with one change."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from deg_core.protocols.head import ForkHidden, HeadInit, Target
from deg_heads.anchor import AnchorHead
from deg_heads.choice import ChoiceHead
from deg_heads.extract import ExtractHead
from deg_heads.noul import NoulHead
from tests.plugins.fakes.broken import broken

head = partial(broken, "head")


@head("forks")
class PeeksAtTheBatch(ChoiceHead):
    """Looks at the tensor that its hidden states are slices of: how many others there are."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        whole = fork.answer_D._base
        others = len(whole) if whole is not None and whole.dim() == 2 else 1
        return super().forward(fork, prepared) * (1 + others / 100)


@head("forks", "threads", "training-form")
class RemembersForks(ChoiceHead):
    """Follows the mean of the forks that it has seen."""

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.seen = torch.zeros(init.hidden_size)

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        self.seen = 0.9 * self.seen + 0.1 * fork.answer_D.detach().float()
        return super().forward(ForkHidden(fork.answer_D - self.seen, fork.outcomes_OD), prepared)


@head("threads")
class CountsThreads(NoulHead):
    """Stands for arithmetic that is cut by the number of threads."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        return super().forward(fork, prepared) + torch.get_num_threads() * 1e-6


@head("shapes")
class TwoShortLogits(ExtractHead):
    """Has no outcome for "not there"."""

    def forward(self, fork: ForkHidden, prepared: Any) -> Tensor:
        return super().forward(fork, prepared)[:, :-1]


@head("shapes")
class LowPrecision(ChoiceHead):
    """Answers in the precision of what it is given."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        return super().forward(fork, prepared).to(fork.answer_D.dtype)


@head("shapes")
class NeedsContext(AnchorHead):
    """Divides by the number of context tokens."""

    def prepare(self, context_PD: Tensor) -> tuple[Tensor, Tensor]:
        keys, unary = super().prepare(context_PD)
        return keys, unary - unary.max()


@head("start")
class OwnDice(ChoiceHead):
    """Starts from torch's global random numbers."""

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        nn.init.normal_(self.pointer.u, std=0.1)


@head("prepare", "forks", "threads", "reload")
class NormalisesInPlace(AnchorHead):
    """Centres the context where it lies."""

    def prepare(self, context_PD: Tensor) -> tuple[Tensor, Tensor]:
        context_PD.sub_(context_PD.mean())
        return super().prepare(context_PD)


@head("region")
class AllOfTheText(AnchorHead):
    """Marks items wherever they are."""

    def forward(self, fork: ForkHidden, prepared: tuple[Tensor, Tensor]) -> Tensor:
        return super().forward(ForkHidden(fork.answer_D, fork.outcomes_OD), prepared)


@head("region", "gradients")
class ItemsOnly(ExtractHead):
    """Cannot point outside its item."""

    def forward(self, fork: ForkHidden, prepared: Any) -> Tensor:
        logits = super().forward(fork, prepared).clone()
        if fork.region is not None:
            start, stop = fork.region
            logits[:, :start], logits[:, stop:-1] = -torch.inf, -torch.inf
        return logits


@head("loss")
class WrongSign(NoulHead):
    """Learns the opposite."""

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        return -super().loss(logits, target)


@head("loss", "gradients")
class OneLossPerOutcome(ChoiceHead):
    """Forgets to add up."""

    def loss(self, logits: Tensor, target: Target) -> Tensor:
        return -(target.probs * torch.log_softmax(logits, dim=0))


@head("gradients")
class FrozenBias(NoulHead):
    """Detaches one parameter."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        return super().forward(fork, prepared) - torch.stack([self.b, torch.zeros_like(self.b)]) + self.b.detach()


@head("gradients")
class TeachesNobody(ChoiceHead):
    """Passes no gradient on to the adapters."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        return super().forward(ForkHidden(fork.answer_D.detach(), fork.outcomes_OD), prepared)


@head("training-form")
class OtherInTraining(ChoiceHead):
    """Is bolder while it trains."""

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        return super().forward(fork, prepared) * (1.1 if torch.is_grad_enabled() else 1.0)


@head("forks", "reload")
class KeepsASecret(ChoiceHead):
    """Has a weight that is not saved."""

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        self.secret = torch.randn(init.hidden_size, generator=init.generator)

    def forward(self, fork: ForkHidden, prepared: None) -> Tensor:
        return super().forward(ForkHidden(fork.answer_D + self.secret, fork.outcomes_OD), prepared)


@head("optional")
class StartsSomewhere(ExtractHead):
    """Has an optional tensor that does not start at zero."""

    def __init__(self, init: HeadInit) -> None:
        super().__init__(init)
        nn.init.ones_(self.bias[0])


@head("optional")
class OptionalNothing(ChoiceHead):
    """Names an optional tensor that it does not have."""

    optional = frozenset({"bias"})


@head("interface")
class AnswersWhatNobodyAsks(ChoiceHead):
    modes = frozenset({"decide.maybe"})  # type: ignore[arg-type]


@head("interface")
class NoLoss(ChoiceHead):
    loss = None  # type: ignore[assignment]


@head("protocol-version")
class NewerMinor(ChoiceHead):
    protocol_version = (1, 99)
