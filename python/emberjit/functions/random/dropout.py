"""Dropout: random elements, or whole channels, become 0. ops.dropout takes a seed, that of mint writes in place if asked
to."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_rank, check_within
from emberjit.functions.random.uniform_and_normal import seed_of
from emberjit.publish.kinds import FLOATS, Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
dropout: ops.dropout
""",
)


@publish("ops.Dropout(keep_prob, Seed0, Seed1)(x)", in_python=True)
def dropout_with_mask(x: Tensor, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> Any:
    """(x with elements dropped and the others scaled, 1 where one was kept).

    Args:
        x: a Tensor of floating point.
        keep_prob: the probability that an element is kept, within (0, 1].
        Seed0, Seed1: of the numbers, unless both are 0.

    Raises:
        ValueError: keep_prob outside (0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> result, mask = ops.Dropout(keep_prob=0.5)(ops.ones((2, 4)))
        >>> print(result)
        [[0. 2. 0. 0.]
         [0. 0. 2. 2.]]
        >>> print(mask.shape)
        (2, 4)
    """
    return _ops.dropout_with_mask(x, keep_prob, seed_of(Seed0, Seed1))


_SIGNED = (core.int8, core.int16, core.int32, core.int64)


_BITS = (1, 2, 4, 8, 16, 32, 64, 128)


def _dropped(function: str, input: Tensor, kept: Any, p: float, training: bool, inplace: bool) -> Any:
    """input with those elements zero, and the others scaled, for which the dropout of ones of a shape says so."""
    check_floating(function, input=input)
    check_within(function, "p", p, 0, 1)
    if not training or p == 0:
        return input
    shape = tuple(input.shape)[:kept] if kept else tuple(input.shape)
    if p == 1:
        result = _ops.zeros_like(input)
    elif kept:
        ones = _ops.ones((*shape, *[1] * (input.ndim - kept)), input.dtype)
        result = input * _ops.dropout(ones, p)
    else:
        result = _ops.dropout(input, p)
    return _ops.assign(input, result) if inplace else result


@publish("mint.nn.functional.dropout", in_python=True)
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zeroes elements with probability p while training, and scales the others by 1 / (1 - p) (Srivastava et al., 2014).

    Args:
        p: the probability that an element becomes 0.
        training: whether to drop; else input is returned.
        inplace: whether the result is written into input.

    Raises:
        TypeError: input is not of floating point.
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> print(mint.nn.functional.dropout(ops.ones((2, 4)), p=0.5))
        [[2. 0. 2. 2.]
         [2. 2. 0. 0.]]
    """
    return _dropped("dropout", input, 0, p, training, inplace)


def _publish_channel_dropout(axes: int, ranks: tuple[int, ...], spellings: str) -> Any:
    name = f"dropout{axes}d"

    def dropped(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        check_rank(name, "input", input, *ranks)
        return _dropped(name, input, 1 if input.ndim == axes + 1 == 2 else 2, p, training, inplace)

    dropped.__name__ = name
    dropped.__doc__ = f"""Zeroes whole channels with probability p while training, and scales the others by 1 / (1 - p).

    Source: J. Tompson et al., "Efficient object localization using convolutional networks" (2015).

    Args:
        input: of shape (N, C, ...).
        p: the probability that a channel becomes 0.
        training: whether to drop; else input is returned.
        inplace: whether the result is written into input.

    Raises:
        TypeError: input is not of floating point.
        ValueError: another number of axes, or p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> result = ops.{name}(ops.ones((1, 4, {", ".join("1" * (axes - 1) + "2")})), p=0.5)
        >>> print(result.reshape(4, 2))
        [[2. 2.]
         [0. 0.]
         [2. 2.]
         [2. 2.]]
    """
    return publish(spellings, in_python=True)(dropped)


channel_dropouts = (
    _publish_channel_dropout(1, (2, 3), "ops.dropout1d(input, p, training)"),
    _publish_channel_dropout(2, (3, 4), "ops.dropout2d(input, p, training) mint.nn.functional.dropout2d"),
    _publish_channel_dropout(3, (4, 5), "ops.dropout3d(input, p, training)"),
)


def _publish_channel_mask(axes: int) -> None:
    name = f"Dropout{axes}D"

    def dropped(x: Tensor, keep_prob: float = 0.5) -> Any:
        check_rank(name, "x", x, axes + 2)
        if x.dtype not in (*FLOATS, *_SIGNED):
            raise TypeError(f"For '{name}', 'x' must be of signed integers or of floating point, but got {x.dtype}.")
        check_within(name, "keep_prob", keep_prob, 0, 1)
        kept = _ops.rand((*x.shape[:2], *[1] * axes), core.float32) < keep_prob
        scaled = _ops.cast(x / keep_prob, x.dtype) if keep_prob else x
        result = _ops.masked_fill(scaled, _ops.logical_not(kept), 0)
        return result, _ops.broadcast_to(kept, x.shape)

    dropped.__name__ = f"dropout{axes}d_with_mask"
    dropped.__doc__ = f"""(x with whole channels zero and the others scaled by 1 / keep_prob, whether elements are kept).

    Quotients of integers are truncated.

    Args:
        x: of shape (N, C, ...).
        keep_prob: the probability that a channel is kept.

    Raises:
        TypeError: x is of bools or of unsigned integers.
        ValueError: another number of axes, or keep_prob is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> result, kept = ops.{name}(keep_prob=0.5)(ops.ones((1, 4, {", ".join("1" * (axes - 1) + "2")})))
        >>> print(result.reshape(4, 2))
        [[0. 0.]
         [2. 2.]
         [0. 0.]
         [0. 0.]]
    """
    publish(f"ops.{name}(keep_prob)(x)", in_python=True)(dropped)


_publish_channel_mask(2)


_publish_channel_mask(3)


@publish("ops.DropoutGenMask(Seed0, Seed1)(shape, keep_prob)", in_python=True)
def dropout_mask(shape: Ints, keep_prob: Any, Seed0: int = 0, Seed1: int = 0) -> Any:
    """A bit for each element of a shape, 1 with probability keep_prob: uint8, the lowest bit first, in whole 16 bytes.

    Args:
        shape: the shape, an int or a tuple of ints.
        keep_prob: the probability, a number or a Tensor of one.
        Seed0, Seed1: of the numbers, unless both are 0.

    Raises:
        ValueError: keep_prob is outside [0, 1].

    Examples:
        >>> mask = ops.DropoutGenMask(Seed0=1)((2, 4), 0.5)
        >>> print(mask.shape, mask.dtype)
        (16,) UInt8
    """
    keep = float(keep_prob)
    check_within("DropoutGenMask", "keep_prob", keep, 0, 1)
    count = -(-math.prod(shape if isinstance(shape, (tuple, list)) else (shape,)) // 128) * 16
    bits = _ops.cast(_ops.rand((count, 8), core.float32, seed_of(Seed0, Seed1)) < keep, core.int32)
    return _ops.cast(_ops.sum(bits * core.Tensor(_BITS, core.int32), 1), core.uint8)


@publish("ops.DropoutDoMask()(input_x, mask, keep_prob)", in_python=True)
def dropout_by_mask(input_x: Tensor, mask: Tensor, keep_prob: Any) -> Any:
    """input_x / keep_prob where the bit of a mask of DropoutGenMask is 1, else 0.

    Args:
        mask: of DropoutGenMask, with a bit for each element of input_x.
        keep_prob: the probability with which elements are kept, a number or a Tensor of one.

    Raises:
        TypeError: input_x is not of floating point.
        ValueError: the mask has too few bits, or keep_prob is outside (0, 1].

    Examples:
        >>> mask = Tensor([0b00001011], ms.uint8)
        >>> print(ops.DropoutDoMask()(Tensor([1.0, 2.0, 3.0, 4.0]), mask, 0.5))
        [2. 4. 0. 8.]
    """
    check_floating("DropoutDoMask", input_x=input_x)
    keep = float(keep_prob)
    check_within("DropoutDoMask", "keep_prob", keep, most=1, above=0)
    if mask.size * 8 < input_x.size:
        raise ValueError(f"For 'DropoutDoMask', 'mask' has {mask.size * 8} bits, but the input {input_x.size} elements.")
    bytes_ = _ops.expand_dims(_ops.cast(_ops.reshape(mask, (-1,)), core.int32), 1)
    bits = _ops.not_equal(_ops.bitwise_and(bytes_, core.Tensor(_BITS, core.int32)), 0)
    kept = _ops.reshape(_ops.reshape(bits, (-1,))[: input_x.size], input_x.shape)
    return _ops.select(kept, input_x / keep, 0)
