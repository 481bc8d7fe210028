"""TimeDistributed: a layer applied to each step of time."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.functions.shapes.transposition import movedim
from emberjit.nn.cell import Cell
from emberjit.primitives.primitive import Primitive

_ops = core.ops


class TimeDistributed(Cell):
    """A layer applied to each step of time.

    Args:
        layer: a Cell or Primitive.
        time_axis: the axis of steps.
        reshape_with_axis: an axis that time_axis is merged with, for one call of the layer; None: one call for each step.

    Inputs:
        inputs: a Tensor, of which a step without time_axis is what the layer takes.

    Returns:
        The layer's results, stacked along time_axis.

    Raises:
        TypeError: layer is neither, or an axis no int.
        ValueError: when called: an axis is out of range, or both are the same.

    Examples:
        >>> layer = nn.TimeDistributed(nn.Dense(3, 2), time_axis=1, reshape_with_axis=0)
        >>> print(layer(Tensor(np.ones((4, 5, 3)), ms.float32)).shape)
        (4, 5, 2)
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None):
        super().__init__()
        self.layer = check_instance("TimeDistributed", "layer", layer, (Cell, Primitive))
        self.time_axis = check_instance("TimeDistributed", "time_axis", time_axis, int)
        if reshape_with_axis is not None:
            check_instance("TimeDistributed", "reshape_with_axis", reshape_with_axis, int)
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Any) -> Any:
        axes = (self.time_axis,) if self.reshape_with_axis is None else (self.time_axis, self.reshape_with_axis)
        rank = inputs.ndim
        if any(not -rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) < len(axes):
            raise ValueError(
                f"For 'TimeDistributed', the axes {axes} must be different ones of an input of shape {tuple(inputs.shape)}."
            )
        if self.reshape_with_axis is None:
            steps = range(inputs.shape[self.time_axis])
            return _ops.stack([self.layer(_ops.select_at(inputs, i, self.time_axis)) for i in steps], self.time_axis)
        return self._as_one(inputs, *(axis % rank for axis in axes))

    def _as_one(self, inputs: Any, time: int, other: int) -> Any:
        """One call of the layer for all steps: the axis of time is merged with the other axis."""
        place = other - (time < other)
        moved = movedim(inputs, time, place)
        shape = moved.shape
        joined = _ops.reshape(moved, (*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :]))
        result = self.layer(joined)
        split = _ops.reshape(result, (*result.shape[:place], *shape[place : place + 2], *result.shape[place + 1 :]))
        return movedim(split, place, min(time, split.ndim - 1))
