"""Products with weights that are quantised in groups along k: a group of a column has a scale, and may have an offset, and
the weight is (q + offset) * scale. Activations stay floats."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_rank
from emberjit.primitives.primitive import Primitive, prim_attr_register

_ops = core.ops


def weight_quant_batch_matmul(
    x: Any,
    weight: Any,
    antiquant_scale: Any,
    antiquant_offset: Any = None,
    quant_scale: Any = None,
    quant_offset: Any = None,
    bias: Any = None,
    transpose_x: bool = False,
    transpose_weight: bool = False,
    antiquant_group_size: int = 0,
) -> Any:
    """x @ ((weight + antiquant_offset) * antiquant_scale) + bias, of which the weight stays quantised in memory: each of its
    bytes is read once. Made for few rows, as in decoding.

    The order of sums is that of the table's op `weight_quant_matmul`, the same for any number of threads.

    Args:
        x: (..., k), or (..., k, m) where transposed; of floating point.
        weight: int8, (k, n), or (n, k) where transposed. Where its last axis is half as long, a byte holds two signed
            numbers of four bits, the one in its low half first.
        antiquant_scale: x's dtype. Of groups (k / antiquant_group_size, n), or (n, k / antiquant_group_size) where weight
            is transposed; without groups (n,), (1, n) or (n, 1), or one number, (1,), for all of an 8-bit weight.
        antiquant_offset: as antiquant_scale, or None.
        quant_scale, quant_offset: None.
        bias: x's dtype, (n,) or (1, n), or None.
        transpose_x: whether the last axes of x are exchanged.
        transpose_weight: whether weight is (n, k).
        antiquant_group_size: consecutive k of a group, which divide k; 0 is all.

    Returns:
        a Tensor of x's dtype, (..., n), or (..., m, n) where x is of (..., k, m).

    Raises:
        TypeError: another dtype.
        ValueError: sizes do not fit, or the result is to be quantised.

    Examples:
        >>> x, weight = Tensor([[1.0, 2.0]]), Tensor([[10, -20], [30, 40]], ms.int8)
        >>> print(ops.weight_quant_batch_matmul(x, weight, Tensor([0.1, 0.5])))
        [[ 7. 30.]]
    """
    name = "weight_quant_batch_matmul"
    if quant_scale is not None or quant_offset is not None:
        raise ValueError(f"For '{name}', 'quant_scale' and 'quant_offset' must be None: quantise the result yourself.")
    check_rank(name, "weight", weight, 2)
    x = _ops.swapaxes(x, -1, -2) if transpose_x else x
    k = x.shape[-1]
    group = antiquant_group_size or k
    if group < 0 or (group and k % group):
        raise ValueError(f"For '{name}', 'antiquant_group_size' must divide k, which is {k}, but is {antiquant_group_size}.")
    groups = k // group if group else 1
    scale = _by_group(name, "antiquant_scale", antiquant_scale, weight, groups, transpose_weight)
    offset = antiquant_offset
    if offset is not None:
        offset = _by_group(name, "antiquant_offset", offset, weight, groups, transpose_weight)
    bits = 4 if 2 * weight.shape[1] == (k if transpose_weight else scale.shape[1]) else 8
    product = _ops.weight_quant_matmul(x, weight, scale, offset, transpose_weight, bits)
    return product if bias is None else _ops.add(product, bias)


def _by_group(name: str, what: str, part: core.Tensor, weight: core.Tensor, groups: Any, transposed: bool) -> Any:
    """A scale or an offset as (groups, n)."""
    if part.ndim == 2:
        part = _ops.swapaxes(part, 0, 1) if transposed else part
    elif part.ndim == 1 and groups == 1:
        n = weight.shape[0] if transposed else weight.shape[1]
        part = _ops.broadcast_to(part, (1, n)) if part.shape[0] == 1 else part.reshape((1, -1))
    if part.ndim != 2 or part.shape[0] != groups:
        raise ValueError(f"For '{name}', '{what}' must be of {groups} groups, but its shape is {tuple(part.shape)}.")
    return part


class WeightQuantBatchMatmul(Primitive):
    """weight_quant_batch_matmul() as a primitive.

    Args:
        transpose_x: as there.
        transpose_weight: as there.
        antiquant_group_size: as there.

    Inputs:
        x, weight, antiquant_scale, antiquant_offset, quant_scale, quant_offset, bias: those of weight_quant_batch_matmul().

    Examples:
        >>> x, weight = Tensor([[1.0, 2.0]]), Tensor([[10, -20], [30, 40]], ms.int8)
        >>> print(ops.WeightQuantBatchMatmul()(x, weight, Tensor([0.1, 0.5])))
        [[ 7. 30.]]
    """

    @prim_attr_register
    def __init__(self, transpose_x: bool = False, transpose_weight: bool = False, antiquant_group_size: int = 0):
        self.form = transpose_x, transpose_weight, antiquant_group_size

    def __call__(
        self,
        x: Any,
        weight: Any,
        antiquant_scale: Any,
        antiquant_offset: Any = None,
        quant_scale: Any = None,
        quant_offset: Any = None,
        bias: Any = None,
    ) -> Any:
        return weight_quant_batch_matmul(
            x, weight, antiquant_scale, antiquant_offset, quant_scale, quant_offset, bias, *self.form
        )


def quantise_weight(
    weight: core.Tensor, group_size: int = 64, bits: int = 8, symmetric: bool = True
) -> tuple[Any, Any, Any]:
    """A weight (k, n) as weight_quant_batch_matmul takes it, by rounding to nearest in groups of consecutive k.

    Args:
        weight: of floating point.
        group_size: from 32 to 128, a divisor of k.
        bits: 8, or 4, of an even n.
        symmetric: whether zero stays zero, and there is no offset. The largest magnitude of a group then is 127 (or 7);
            else its least number is -128 (or -8) and its largest 127 (or 7).

    Returns:
        The weight, int8 (k, n), or (k, n / 2) of 4 bits; scales (k / group_size, n) in weight's dtype; and offsets alike, or
        None.

    Raises:
        TypeError: weight is not of floating point.
        ValueError: another number of bits or size of groups, or sizes do not fit.

    Examples:
        >>> weight = ops.ones((64, 2)) * Tensor([1.27, 2.54])
        >>> q, scale, offset = ops.quantise_weight(weight, group_size=64)
        >>> print(q[0], scale, offset)
        [127 127] [[0.01 0.02]] None
    """
    name = "quantise_weight"
    check_floating(name, weight=weight)
    check_choice(name, "bits", bits, 4, 8)
    is_fit = weight.ndim == 2 and 32 <= group_size <= 128 and weight.shape[0] % group_size == 0
    if not is_fit or (bits == 4 and weight.shape[1] % 2):
        raise ValueError(
            f"For '{name}', 'weight' must be (k, n), of k in groups of 'group_size' from 32 to 128, and of an even n for 4"
            f" bits, but its shape is {tuple(weight.shape)}, 'group_size' {group_size} and 'bits' {bits}."
        )
    most = 2 ** (bits - 1) - 1
    k, n = weight.shape
    wide = _ops.cast(weight, core.float32).reshape((k // group_size, group_size, n))
    high, low = _ops.amax(wide, 1, True), _ops.amin(wide, 1, True)
    span = _ops.maximum(high, -low) / most if symmetric else (high - low) / (2 * most + 1)
    scale = _ops.cast(_ops.select(span > 0, span, 1.0), weight.dtype)
    used = _ops.cast(scale, core.float32)
    offset = None if symmetric else _ops.cast(low / used + (most + 1), weight.dtype)
    exact = wide / used if offset is None else wide / used - _ops.cast(offset, core.float32)
    q = _ops.cast(_ops.clip(_ops.round(exact), -most - 1, most), core.int8).reshape((k, n))
    if bits == 4:
        q = _ops.bitwise_or(_ops.bitwise_and(q[:, ::2], 15), _ops.left_shift(q[:, 1::2], 4))
    return q, scale.reshape((-1, n)), None if offset is None else offset.reshape((-1, n))
