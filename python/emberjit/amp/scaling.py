"""Scales of losses, by which gradients of float16 are neither zeros nor infinities: what decides on them, and scaling."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import nn
from emberjit.checks import check_int, check_number, check_within
from emberjit.language.decorators import jit_class
from emberjit.printing.values import described
from emberjit.values.tree import rebuild, tensors

_ops = core.ops
_MOST_BAD_STEPS = 1000


class LossScaleManager:
    """The base of what decides on the scale of a loss in Model and amp.build_train_network: a subclass gives the scale, and
    a Cell that updates it in a step, or None.

    Examples:
        >>> manager = ms.amp.DynamicLossScaleManager(init_loss_scale=1024)
        >>> isinstance(manager, ms.amp.LossScaleManager), manager.get_loss_scale()
        (True, 1024)
    """

    __repr__ = described

    def get_loss_scale(self) -> Any:
        """The scale."""

    def update_loss_scale(self, overflow: Any) -> None:
        """Takes whether gradients have overflown."""

    def get_update_cell(self) -> Any:
        """A Cell, as TrainOneStepWithLossScaleCell takes it; None: the step scales by a number."""


class FixedLossScaleManager(LossScaleManager):
    """A scale of losses that stays.

    Args:
        loss_scale: what the loss is multiplied by, and gradients are divided by, at least 1.
        drop_overflow_update: whether steps whose gradients are not finite change nothing; if not, the optimizer has to be
            given the scale as its loss_scale, too.

    Raises:
        ValueError: loss_scale is below 1.

    Examples:
        >>> manager = ms.amp.FixedLossScaleManager(1024.0, drop_overflow_update=False)
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=manager.get_loss_scale())
        >>> model = train.Model(net, nn.MSELoss(), optimizer, loss_scale_manager=manager)
        >>> print(manager.get_loss_scale(), manager.get_update_cell())
        1024.0 None
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True):
        if loss_scale < 1:
            raise ValueError(f"For 'FixedLossScaleManager', 'loss_scale' must be at least 1, but got {loss_scale}.")
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self) -> float:
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether steps with overflow change nothing."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: Any) -> None:
        """Nothing."""

    def get_update_cell(self) -> Any:
        """An nn.FixedLossScaleUpdateCell, or None if steps with overflow are not dropped."""
        return nn.FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale of losses that falls with each step whose gradients are not finite, and grows after scale_window steps without
    (Micikevicius et al., 2018).

    Args:
        init_loss_scale: the first scale, at least 1.
        scale_factor: by what the scale is multiplied and divided, positive.
        scale_window: after how many steps it grows.

    Raises:
        TypeError: scale_window is no int.
        ValueError: an argument is out of range.

    Examples:
        >>> manager = ms.amp.DynamicLossScaleManager(init_loss_scale=16, scale_factor=2, scale_window=2)
        >>> for overflow in (True, False, False):
        ...     manager.update_loss_scale(overflow)
        ...     print(manager.get_loss_scale())
        8.0
        8.0
        16.0
    """

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: int = 2, scale_window: int = 2000):
        name = "DynamicLossScaleManager"
        if init_loss_scale < 1:
            raise ValueError(f"For '{name}', 'init_loss_scale' must be at least 1, but got {init_loss_scale}.")
        check_within(name, "scale_factor", scale_factor, above=0)
        self.loss_scale = init_loss_scale
        self.scale_factor = scale_factor
        self.scale_window = check_int(name, "scale_window", scale_window, 1)
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step = 0

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale

    def get_drop_overflow_update(self) -> bool:
        """True: steps with overflow change nothing."""
        return True

    def update_loss_scale(self, overflow: Any) -> None:
        """Changes the scale after a step.

        Raises:
            RuntimeError: more than 1,000 steps in a row have overflown.
        """
        if overflow:
            self.loss_scale = max(self.loss_scale / self.scale_factor, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.scale_factor
            self.bad_step = 0
        if self.bad_step > _MOST_BAD_STEPS:
            raise RuntimeError(f"For 'DynamicLossScaleManager', the last {self.bad_step} steps have overflown.")
        self.cur_iter += 1

    def state_dict(self) -> dict[str, Any]:
        """What load_state_dict takes: the scale, and the counts of steps that decide on it."""
        return {name: getattr(self, name) for name in ("loss_scale", "cur_iter", "last_overflow_iter", "bad_step")}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on as another manager that was made with the same arguments."""
        self.__dict__.update(state)

    def get_update_cell(self) -> Any:
        """An nn.DynamicLossScaleUpdateCell."""
        return nn.DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)


def init_status() -> Any:
    """What all_finite takes as status, which has no meaning on a CPU.

    Returns:
        A float32 Tensor of zeros of shape (8,).

    Examples:
        >>> print(ms.amp.init_status())
        [0. 0. 0. 0. 0. 0. 0. 0.]
    """
    return _ops.zeros((8,), core.float32)


def all_finite(inputs: Any, status: Any = None) -> Any:
    """Whether all elements of Tensors are finite, neither infinite nor NaN.

    Args:
        inputs: a tuple or list of Tensors, as gradients are.
        status: what init_status() gives; has no effect.

    Returns:
        A bool Tensor without axes.

    Examples:
        >>> gradients = Tensor([1.0, 2.0]), Tensor([float("inf")])
        >>> print(ms.amp.all_finite(gradients), ms.amp.all_finite(gradients[:1]))
        False True
    """
    result = core.Tensor(True)
    for leaf in tensors(inputs):
        result = _ops.logical_and(result, _ops.all(_ops.isfinite(leaf)))
    return result


def _mapped(function: Callable[[Any], Any], inputs: Any) -> Any:
    return rebuild(inputs, lambda leaf: function(leaf) if isinstance(leaf, core.Tensor) else leaf)


@jit_class
class LossScaler(ABC):
    """The base of what scales losses and unscales gradients in a training step of one's own: a subclass defines scale,
    unscale and adjust. It may be used in jitted functions.

    Examples:
        >>> class Doubled(ms.amp.LossScaler):
        ...     def scale(self, inputs):
        ...         return inputs * 2
        ...     def unscale(self, inputs):
        ...         return inputs / 2
        ...     def adjust(self, grads_finite):
        ...         return False
        >>> print(Doubled().scale(Tensor([1.0, 2.0])))
        [2. 4.]
    """

    __repr__ = described

    @abstractmethod
    def scale(self, inputs: Any) -> Any:
        """A Tensor, or several in a tuple, times the scale."""

    @abstractmethod
    def unscale(self, inputs: Any) -> Any:
        """A Tensor, or several in a tuple, by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Any) -> Any:
        """Changes the scale after a step.

        Args:
            grads_finite: whether all gradients were finite, a bool Tensor.
        """


class StaticLossScaler(LossScaler):
    """A scale of losses that stays.

    Args:
        scale_value: the scale, a number, at least 1.

    Raises:
        TypeError: it is no number.
        ValueError: it is below 1.

    Examples:
        >>> scaler = ms.amp.StaticLossScaler(scale_value=1024)
        >>> print(scaler.scale(Tensor(0.5)))
        512.0
        >>> print(scaler.unscale(Tensor([512.0, 1024.0])))
        [0.5 1. ]
    """

    def __init__(self, scale_value: float):
        name = type(self).__name__
        check_number(name, "scale_value", scale_value)
        if scale_value < 1:
            raise ValueError(f"For '{name}', 'scale_value' must be at least 1, but got {scale_value}.")
        self.scale_value = core.Parameter(core.Tensor(scale_value, core.float32), "scale_value", requires_grad=False)

    def scale(self, inputs: Any) -> Any:
        """A Tensor, or several in a tuple, times the scale."""
        return _mapped(lambda leaf: leaf * _ops.cast(self.scale_value, leaf.dtype), inputs)

    def unscale(self, inputs: Any) -> Any:
        """A Tensor, or several in a tuple, by the scale."""
        inverse = 1.0 / self.scale_value
        return _mapped(lambda leaf: leaf * _ops.cast(inverse, leaf.dtype), inputs)

    def adjust(self, grads_finite: Any) -> bool:
        """False: the scale stays."""
        return False


class DynamicLossScaler(StaticLossScaler):
    """A scale of losses that is divided by scale_factor after a step with gradients that are not finite, down to 1, and
    multiplied after scale_window steps without.

    Args:
        scale_value: the first scale, a number, at least 1.
        scale_factor: by what the scale is multiplied and divided, a positive int.
        scale_window: after how many steps with finite gradients it grows, a positive int.

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is not positive, or scale_value below 1.

    Examples:
        >>> scaler = ms.amp.DynamicLossScaler(scale_value=1024, scale_factor=2, scale_window=50)
        >>> gradients = scaler.unscale((Tensor([512.0]), Tensor([float("inf")])))
        >>> scaler.adjust(ms.amp.all_finite(gradients))
        True
        >>> print(scaler.scale_value.value())
        512.0
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int):
        super().__init__(scale_value)
        name = type(self).__name__
        self.scale_factor = check_int(name, "scale_factor", scale_factor, 1)
        self.scale_window = check_int(name, "scale_window", scale_window, 1)
        self.counter = core.Parameter(core.Tensor(0, core.int32), "counter", requires_grad=False)

    def adjust(self, grads_finite: Any) -> bool:
        """Changes the scale after a step, and gives True.

        Args:
            grads_finite: whether all gradients were finite, a bool Tensor.
        """
        larger, smaller = self.scale_value * self.scale_factor, self.scale_value / self.scale_factor
        grows = _ops.logical_and(self.counter == self.scale_window - 1, _ops.isfinite(larger))
        kept = _ops.select(grows, larger, self.scale_value)
        count = (self.counter + 1) % self.scale_window
        new = _ops.select(grads_finite, kept, _ops.maximum(smaller, 1.0))
        _ops.assign(self.counter, _ops.select(grads_finite, count, 0))
        _ops.assign(self.scale_value, new)
        return True
