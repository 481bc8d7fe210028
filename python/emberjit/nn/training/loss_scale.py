"""A step of training whose loss is scaled, so that gradients of float16 are neither zeros nor infinities, and Cells that
change the scale."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import ops
from emberjit.capture.session.session import interpreted
from emberjit.checks import check_instance, check_int
from emberjit.nn.cell import Cell
from emberjit.nn.training.steps import TrainOneStepCell
from emberjit.transforms.gradient import value_and_grad
from emberjit.values.tree import rebuild, tensors

_ops = core.ops


class DynamicLossScaleUpdateCell(Cell):
    """Divides the scale of a loss by scale_factor after a step with overflow, down to 1, and multiplies it after
    scale_window steps without.

    Args:
        loss_scale_value: the first scale, a positive number.
        scale_factor: the factor by which it grows and shrinks.
        scale_window: the number of steps without overflow after which it grows, a positive int.

    Inputs:
        loss_scale: the scale, a Parameter, which is changed in place.
        overflow: whether the step's gradients overflow, a Tensor of bool.

    Returns:
        overflow.

    Raises:
        TypeError: scale_window is no int.
        ValueError: scale_window is not positive.

    Examples:
        >>> manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=1024, scale_factor=2, scale_window=1000)
        >>> scale = Parameter(Tensor(manager.get_loss_scale(), ms.float32), name="scale")
        >>> print(manager(scale, Tensor(True)), scale.asnumpy())
        True 512.0
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int):
        super().__init__()
        check_int("DynamicLossScaleUpdateCell", "scale_window", scale_window, 1)
        self.loss_scale_value = loss_scale_value
        self.scale_factor, self.scale_window = core.Tensor(scale_factor, core.float32), core.Tensor(scale_window, core.int32)
        self.cur_iter = core.Parameter(core.Tensor(1, core.int32), "current_iterator_step")
        self.last_overflow_iter = core.Parameter(core.Tensor(0, core.int32), "last_overflow_iterator_step")

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Any, overflow: Any) -> Any:
        grows = _ops.greater_equal(self.cur_iter - self.last_overflow_iter, self.scale_window)
        smaller = _ops.maximum(loss_scale * (1 / self.scale_factor), 1.0)
        larger = _ops.select(grows, loss_scale * self.scale_factor, loss_scale)
        last = _ops.select(_ops.logical_or(overflow, grows), self.cur_iter, self.last_overflow_iter)
        _ops.assign(loss_scale, _ops.select(overflow, smaller, larger))
        _ops.assign(self.last_overflow_iter, last)
        _ops.assign(self.cur_iter, self.cur_iter + 1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Leaves the scale of a loss as it is.

    Args:
        loss_scale_value: the scale, a positive number.

    Inputs:
        _: the scale.
        overflow: whether the step's gradients overflow, a Tensor of bool.

    Returns:
        overflow.

    Examples:
        >>> manager = nn.FixedLossScaleUpdateCell(loss_scale_value=1024)
        >>> print(manager.get_loss_scale())
        1024
    """

    def __init__(self, loss_scale_value: float):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value

    def construct(self, _: Any, overflow: Any) -> Any:
        return overflow


def _step_unless(overflow: Any, optimizer: Any, gradients: Any) -> None:
    if not overflow:
        optimizer(gradients)


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """A step of training by the gradients of a scaled loss, so that those of float16 do not vanish; if gradients overflow,
    it changes nothing (Micikevicius et al., 2018).

    Args:
        network: a Cell that gives the loss.
        optimizer: an Optimizer of the Parameters.
        scale_sense: a Cell that updates the scale, or a Tensor, a scale that stays until set_sense_scale.

    Inputs:
        inputs: what the network takes.

    Returns:
        A tuple of the loss, whether gradients overflow, and the scale, Tensors.

    Raises:
        TypeError: network or optimizer is no Cell, or scale_sense neither.
        ValueError: the Tensor has another shape than () and (1,).

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, weight_init="zeros"), nn.MSELoss())
        >>> manager = nn.FixedLossScaleUpdateCell(1024)
        >>> step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), manager)
        >>> loss, overflow, scale = step(Tensor([[1.0, 2.0]]), Tensor([[3.0]]))
        >>> print(overflow, scale)
        False 1024.0
    """

    def __init__(self, network: Any, optimizer: Any, scale_sense: Any):
        super().__init__(network, optimizer)
        self.loss_scaling_manager = scale_sense if isinstance(scale_sense, Cell) else None
        if isinstance(scale_sense, Cell):
            scale: Any = core.Tensor(scale_sense.get_loss_scale(), core.float32)
        elif isinstance(scale_sense, core.Tensor):
            scale = scale_sense
        else:
            raise TypeError(
                f"For 'TrainOneStepWithLossScaleCell', 'scale_sense' must be a Cell or Tensor, but got {scale_sense!r}."
            )
        if tuple(scale.shape) not in ((), (1,)):
            raise ValueError(
                "For 'TrainOneStepWithLossScaleCell', the shape of 'scale_sense' must be (1,) or (), but got "
                f"{tuple(scale.shape)}."
            )
        self.scale_sense = core.Parameter(scale, name="scale_sense")
        self.hyper_map, self.is_distributed = ops.HyperMap(), False

    def construct(self, *inputs: Any) -> Any:
        scale = _ops.identity(self.scale_sense)  # which process_loss_scale may change
        (_, loss), gradients = value_and_grad(self._scaled_by(scale), None, self.weights, has_aux=True)(*inputs)
        gradients = rebuild(gradients, lambda one: one * _ops.cast(1 / scale, one.dtype))
        gradients = self.grad_reducer(gradients)
        overflow = self.get_overflow_status(None, gradients)
        self.step_unless(self.process_loss_scale(overflow), gradients)
        return loss, overflow, scale

    def _scaled_by(self, scale: core.Tensor) -> Any:
        def scaled(*inputs: Any) -> Any:
            loss = self.network(*inputs)
            return loss * _ops.cast(scale, loss.dtype), loss

        return scaled

    def step_unless(self, overflow: Any, gradients: Any) -> None:
        """Calls the optimizer unless there is overflow."""
        interpreted(_step_unless, overflow, self.optimizer, gradients)

    def set_sense_scale(self, sens: Any) -> None:
        """Sets the scale.

        Raises:
            TypeError: sens is no Tensor.
        """
        check_instance("TrainOneStepWithLossScaleCell", "sens", sens, core.Tensor)
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, _pre_cond: Any, compute_input: Any) -> Any:
        """(a status, compute_input): the status is not needed, as gradients are looked at."""
        return _ops.zeros((8,), core.int32), compute_input

    def get_overflow_status(self, _status: Any, compute_output: Any) -> Any:
        """Whether an element of Tensors is not finite.

        Args:
            compute_output: a Tensor, or a tuple or list of them.
        """
        overflow = core.Tensor(False)
        for one in tensors(compute_output):
            overflow = _ops.logical_or(overflow, _ops.logical_not(_ops.all(_ops.isfinite(one))))
        return overflow

    def process_loss_scale(self, overflow: Any) -> Any:
        """Changes the scale after a step, by the Cell that does, and gives overflow."""
        manager = self.loss_scaling_manager
        return overflow if manager is None else manager(self._params["scale_sense"], overflow)
