"""Of MindSpore's ways to train in less time, the accumulation of gradients."""

from __future__ import annotations

from typing import Any

from emberjit import _checkparam as check
from emberjit import ops
from emberjit._emberjit import Parameter, Tensor, int32
from emberjit.capture.session.engine import interpret
from emberjit.nn.cell import Cell
from emberjit.nn.optim import Optimizer

__all__ = ["GradientAccumulation"]

gradient_accumulation_op = ops.MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = ops.MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def _accumulate(count: int, total: Tensor, gradient: Tensor) -> Any:
    return ops.assign_add(total, gradient / count)


@gradient_clear_op.register("Tensor")
def _clear(total: Tensor) -> Any:
    return ops.assign(total, ops.zeros_like(total))


class GradientAccumulation(Cell):
    """Gives an optimizer the mean of the gradients of several steps. Called with (loss, gradients) it returns the loss.

    Args:
        max_accumulation_step: how many steps.
        optimizer: an Optimizer of the Parameters.

    Raises:
        TypeError: max_accumulation_step is no int, or optimizer no Optimizer.
        ValueError: max_accumulation_step is not positive.
    """

    def __init__(self, max_accumulation_step: int, optimizer: Optimizer):
        super().__init__()
        name = "GradientAccumulation"
        self._max_accumulation_step = check.check_positive_int(max_accumulation_step, "max_accumulation_step", name)
        self.optimizer = check.check_value_type("optimizer", optimizer, [Optimizer], name)
        self.weights = optimizer.parameters
        self.hyper_map = ops.HyperMap()
        self._grad_accumulation = self.weights.clone("grad_accumulation", "zeros")
        self._accumulation_step = Parameter(Tensor(0, int32), "accumulation_step")

    def construct(self, loss: Tensor, grads: tuple[Tensor, ...]) -> Tensor:
        interpret(GradientAccumulation._step, self, grads)
        return loss

    def _step(self, gradients: tuple[Tensor, ...]) -> None:
        self.hyper_map(
            ops.partial(gradient_accumulation_op, self._max_accumulation_step), self._grad_accumulation, gradients
        )
        ops.assign_add(self._accumulation_step, 1)
        if self._accumulation_step >= self._max_accumulation_step:
            self.optimizer(self._grad_accumulation)
            self.hyper_map(gradient_clear_op, self._grad_accumulation)
            ops.assign(self._accumulation_step, 0)
