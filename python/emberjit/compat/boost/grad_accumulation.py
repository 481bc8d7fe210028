"""Gradients of several steps, averaged, for one update."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import ops
from emberjit.capture.session.session import interpreted
from emberjit.checks import check_int
from emberjit.nn.cell import Cell
from emberjit.nn.optim import Optimizer

gradient_accumulation_op = ops.MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = ops.MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def _accumulated(steps: int, total: core.Tensor, grad: core.Tensor) -> Any:
    """total, a Parameter, after grad / steps was added."""
    return ops.assign_add(total, grad / steps)


@gradient_clear_op.register("Tensor")
def _cleared(total: core.Tensor) -> Any:
    """total, a Parameter, after it was set to 0."""
    return ops.assign(total, ops.zeros_like(total))


def _update_at_last(last: Any, optimizer: Any, totals: Any) -> None:
    if last:
        optimizer(totals)
        ops.HyperMap()(gradient_clear_op, totals)


class GradientAccumulation(Cell):
    """Calls an optimizer once in several steps, with the mean of their gradients: called with (loss, gradients), it returns
    the loss.

    Args:
        max_accumulation_step: how many steps.
        optimizer: has the Parameters.

    Raises:
        TypeError: optimizer is no Optimizer, or max_accumulation_step no int.
        ValueError: max_accumulation_step is not positive.
    """

    def __init__(self, max_accumulation_step: int, optimizer: Any):
        super().__init__()
        name = type(self).__name__
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"For '{name}', 'optimizer' must be an Optimizer, but got {type(optimizer).__name__}.")
        self._max_accumulation_step = check_int(name, "max_accumulation_step", max_accumulation_step, 1)
        self.optimizer, self.weights, self.hyper_map = optimizer, optimizer.parameters, ops.HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = core.Parameter(core.Tensor(0, core.int32), name="accumulation_step")

    def construct(self, loss: Any, grads: Any) -> Any:
        """The loss, after the gradients were added, and in the last of the steps given to the optimizer."""
        steps = self._max_accumulation_step
        loss = ops.depend(loss, self.hyper_map(ops.partial(gradient_accumulation_op, steps), self._grad_accumulation, grads))
        last = ops.assign_add(self._accumulation_step, 1) >= steps
        interpreted(_update_at_last, last, self.optimizer, self._grad_accumulation)
        ops.assign(self._accumulation_step, self._accumulation_step % steps)
        return loss
