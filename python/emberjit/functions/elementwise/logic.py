"""Logic of each element, and its bits."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
logical_and: ops.logical_and ops.LogicalAnd Tensor.logical_and mint.logical_and
    numpy.logical_and(input as x1, other as x2, result as dtype)
logical_or: ops.logical_or ops.LogicalOr Tensor.logical_or mint.logical_or
    numpy.logical_or(input as x1, other as x2, result as dtype)
logical_xor: ops.logical_xor ops.LogicalXor Tensor.logical_xor mint.logical_xor
    numpy.logical_xor(input as x1, other as x2, result as dtype)
logical_not: ops.logical_not ops.LogicalNot Tensor.logical_not mint.logical_not
    numpy.logical_not(input as a, result as dtype)
bitwise_and: ops.bitwise_and ops.BitwiseAnd Tensor.bitwise_and mint.bitwise_and
    numpy.bitwise_and(input as x1, other as x2, result as dtype)
bitwise_or: ops.bitwise_or ops.BitwiseOr Tensor.bitwise_or mint.bitwise_or
    numpy.bitwise_or(input as x1, other as x2, result as dtype)
bitwise_xor: ops.bitwise_xor ops.BitwiseXor Tensor.bitwise_xor mint.bitwise_xor
    numpy.bitwise_xor(input as x1, other as x2, result as dtype)
invert: ops.invert ops.Invert ops.bitwise_not(x as input) Tensor.invert Tensor.bitwise_not mint.bitwise_not(x as input)
    numpy.invert(x, result as dtype) numpy.bitwise_not(x, result as dtype)
left_shift: ops.bitwise_left_shift ops.LeftShift Tensor.bitwise_left_shift
right_shift: ops.bitwise_right_shift ops.RightShift Tensor.bitwise_right_shift
population_count: ops.population_count ops.PopulationCount
""",
)


@publish(
    "ops.CompareAndBitpack()(x, threshold)",
    numpy="np.packbits(x > threshold, axis=-1)",
    samples="f32(2, 16), f32(); i32(8), i32(); i32(3, 0), i32()",
)
def compared_bits(x: Tensor, threshold: Tensor) -> Any:
    """Whether elements are greater than a threshold, eight of the last axis in one uint8, the first in its highest bit.

    Args:
        threshold: a Tensor without axes; without effect on bools, which are packed as they are.

    Raises:
        ValueError: the size of the last axis is no multiple of 8, or threshold has axes.
    """
    if threshold.ndim != 0 or x.ndim == 0 or x.shape[-1] % 8:
        raise ValueError(
            "For 'CompareAndBitpack', the size of the last axis of 'x' must be a multiple of 8, and 'threshold' must have "
            f"no axes, but their shapes are {tuple(x.shape)} and {tuple(threshold.shape)}."
        )
    above = x if x.dtype == core.bool_ else _ops.greater(x, threshold)
    bits = _ops.reshape(_ops.cast(above, core.int32), (*x.shape[:-1], x.shape[-1] // 8, 8))
    return _ops.cast(_ops.sum(bits * core.Tensor([128, 64, 32, 16, 8, 4, 2, 1], core.int32), -1), core.uint8)
