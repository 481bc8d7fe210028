"""Softmax and its relatives: exponentials over their sum along an axis."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_rank, check_within
from emberjit.publish.kinds import DType, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
softmax: ops.softmax ops.Softmax(axis)(input) nn.Softmax(axis)(input)
    Tensor.softmax(axis = ...) mint.softmax(input, axis as dim = ...)
log_softmax: ops.log_softmax ops.LogSoftmax(axis)(logits) nn.LogSoftmax(axis)(logits)
    mint.special.log_softmax(logits as input, axis as dim = ...)
""",
)


@publish(
    """ops.softmax(input, axis, *, dtype) Tensor.softmax(axis = ..., dtype)
    mint.softmax(input, axis as dim = ..., *, dtype)""",
    numpy="(lambda e: e / e.sum(axis, keepdims=True))(np.exp(input - input.max(axis, keepdims=True)))",
    samples="f32(2, 5), 0; f16(3, 4), -1, float32; i32(2, 3), 1, float32",
)
def converted_softmax(input: Tensor, axis: int = -1, dtype: DType | None = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element.

    Args:
        input: a Tensor of floating point, or with dtype any.
        dtype: to which input is converted first.
    """
    return _ops.softmax(input if dtype is None else _ops.cast(input, dtype), axis)


@publish(
    """ops.log_softmax(logits, axis, *, dtype)
    mint.special.log_softmax(logits as input, axis as dim = ..., *, dtype)""",
    numpy="(lambda x: x - np.log(np.exp(x).sum(axis, keepdims=True)))(logits - logits.max(axis, keepdims=True))",
    samples="f32(2, 5), 0; f16(3, 4), -1, float32; i32(2, 3), 1, float32",
)
def converted_log_softmax(logits: Tensor, axis: int = -1, dtype: DType | None = None) -> Any:
    """The logarithm of softmax, without computing it first.

    Args:
        logits: a Tensor of floating point, or with dtype any.
        dtype: to which logits is converted first.
    """
    return _ops.log_softmax(logits if dtype is None else _ops.cast(logits, dtype), axis)


def _implied_axis(input: Tensor, dim: int | None) -> int:
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


@publish(
    "mint.nn.functional.softmax mint.nn.Softmax(dim)(input)",
    numpy="(lambda e: e / e.sum(int(input.ndim not in (0, 1, 3)) if dim is None else dim, keepdims=True))(np.exp(input))",
    samples="f32(2, 5); f32(2, 3, 4), -1; f32(4); f32(2, 3, 4); f16(3, 4), -1, float32; i32(2, 3), None, float32",
)
def softmax_along(input: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    """exp(input) over its sum along an axis: without one along the first of 0, 1 or 3 axes, else along the second.

    Args:
        input: a Tensor of floating point, or with dtype any.
        dtype: to which input is converted first.
    """
    return converted_softmax(input, _implied_axis(input, dim), dtype)


@publish(
    """ops.LogSoftmaxExt()(input, dim, dtype) nn.LogSoftmaxExt(dim)(input) mint.nn.LogSoftmax(dim)(input)
    mint.nn.functional.log_softmax(input, dim, *, dtype)""",
    numpy="input - np.log(np.exp(input).sum(int(input.ndim not in (0, 1, 3)) if dim is None else dim, keepdims=True))",
    samples="f32(2, 5); f32(2, 3, 4), -1; f32(4); f32(2, 3, 4); f16(2, 3), 0, float32",
)
def log_softmax_along(input: Tensor, dim: int | None = None, dtype: DType | None = None) -> Any:
    """The logarithm of softmax along an axis: without one along the first of 0, 1 or 3 axes, else along the second."""
    return converted_log_softmax(input, _implied_axis(input, dim), dtype)


@publish(
    "ops.softmin(x, axis, *, dtype) nn.Softmin(axis)(x)",
    numpy="(lambda e: e / e.sum(axis, keepdims=True))(np.exp(-x))",
    samples="f32(2, 5); f32(2, 3, 4), 0; f16(2, 3), 1, float32",
)
def softmin(x: Tensor, axis: int = -1, dtype: DType | None = None) -> Any:
    """exp(-x) over its sum along an axis.

    Args:
        x: a Tensor of floating point, or with dtype any.
        dtype: to which x is converted first.
    """
    return converted_softmax(_ops.neg(x), axis, dtype)


@publish(
    "nn.Softmax2d()(x)", numpy="(lambda e: e / e.sum(-3, keepdims=True))(np.exp(x))", samples="f32(2, 3, 4, 5); f32(3, 2, 2)"
)
def softmax_of_channels(x: Tensor) -> Any:
    """Softmax over the channels of images (N, C, H, W) or (C, H, W).

    Raises:
        ValueError: x has another number of axes.
    """
    check_rank("Softmax2d", "x", x, 3, 4)
    return _ops.softmax(x, -3)


@publish("ops.gumbel_softmax", in_python=True)
def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Any:
    """softmax of (logits + g) / tau, where g are random numbers of Gumbel's distribution (Jang et al., 2017).

    Args:
        tau: the temperature.
        hard: whether the result is the one-hot vector of the largest, through which the gradient of softmax flows.

    Raises:
        TypeError: logits are not of floating point.
        ValueError: tau is not positive, or dim is out of range.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.gumbel_softmax(Tensor([[1.0, 2.0, 3.0]]), hard=True))
        [[0. 0. 1.]]
    """
    check_floating("gumbel_softmax", logits=logits)
    check_within("gumbel_softmax", "tau", tau, above=0)
    uniform = _ops.rand(logits.shape, core.float32)
    gumbel = _ops.neg(_ops.log(_ops.neg(_ops.log(uniform))))
    soft = _ops.softmax((logits + _ops.cast(gumbel, logits.dtype)) / tau, dim)
    if not hard:
        return soft
    largest = _ops.argmax(soft, dim)
    one_hot = _ops.one_hot(largest, soft.shape[dim], None, None, dim if dim >= 0 else dim + soft.ndim)
    return _ops.cast(one_hot, soft.dtype) + (soft - _ops.stop_gradient(soft))
