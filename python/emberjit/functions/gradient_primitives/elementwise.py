"""Gradients of elementwise functions, and of softmax: from operands, and from results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_same_shape
from emberjit.functions.activations import activations
from emberjit.functions.elementwise import special
from emberjit.functions.gradient_primitives.declarations import publish_gradients, pulled
from emberjit.publish.kinds import COMPLEXES, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis

_ops = core.ops

publish_gradients(
    __name__,
    (
        (_ops.acos, "ops.ACosGrad()(input as x, grad as dout)", "f32(2, 3), f32(2, 3) / 3"),
        (_ops.asin, "ops.AsinGrad()(input as x, grad as dout)", "f32(2, 3), f32(2, 3) / 3"),
        (_ops.atan, "ops.AtanGrad()(input as x, grad as dout)", "f32(2, 3), f32(2, 3)"),
        (_ops.abs, "ops.AbsGrad()(input as x, grad as dout)", "f32(2, 3), f32(2, 3)"),
        (_ops.relu, "ops.ReluGrad()(grad as y_backprop, input as x)", "f32(2, 3), f32(2, 3)"),
        (_ops.relu6, "ops.ReLU6Grad()(grad as y_backprop, x)", "f32(2, 5), f32(2, 5) * 5"),
        (_ops.silu, "ops.SiLUGrad()(grad as dout, input as x)", "f32(2, 3), f32(2, 3)"),
        (_ops.hardsigmoid, "ops.HSigmoidGrad()(grad as grads, input as input_x)", "f32(2, 5), f32(2, 5) * 3"),
        (_ops.hardswish, "ops.HSwishGrad()(grad as y_grad, input as x)", "f32(2, 5), f32(2, 5) * 3"),
        (_ops.gelu_tanh, "ops.GeLUGrad()(grad as dy, input as x, output as y)", "f32(2, 3), f32(2, 3)"),
        (activations.softplus, "ops.SoftplusGrad()(grad as gradients, x as features)", "f32(2, 3), f32(2, 3)"),
        (activations.fast_gelu, "ops.FastGeLUGrad()(grad as dy, x)", "f32(2, 3), f32(2, 3)"),
        (activations.glu, "ops.GluGrad(axis = ...)(grad as grads, x)", "f32(2, 2), f32(2, 4), 1"),
        (
            activations.hardshrink,
            "ops.HShrinkGrad(lambd)(grad as gradients, input as features)",
            "f32(2, 3), f32(2, 3), 0.75",
        ),
        (
            activations.softshrink,
            "ops.SoftShrinkGrad(lambd)(grad as input_grad, input as input_x)",
            "f32(2, 3), f32(2, 3), 0.75",
        ),
        (special.logit, "ops.LogitGrad(eps = -1.0)(grad, input)", "f32(2, 3), (f32(2, 3) + 2) / 4, 0.1"),
        (special.mvlgamma, "ops.MvlgammaGrad(p)(grad as y_grad, input as x)", "f32(2, 3), f32(2, 3) + 4, 2"),
    ),
)
publish_gradients(
    __name__,
    ((activations.prelu, "ops.PReLUGrad()(grad as dy, input as x, weight)", "f32(2, 3), f32(2, 3), f32(3)"),),
    by=("input", "weight"),
)

_FROM_RESULT = """The gradient of {forward} by its operand, from its result.

Args:
    y: the result.
    dy: the gradient by it, of the same shape.

Raises:
    ValueError: the shapes differ.
"""
_SELU, _SELU_BELOW = 1.0507009873554805, 1.7580993408473766


def _below(y: Tensor, at_zero: float) -> Any:
    return _ops.minimum(y, 0) + at_zero


def _publish_from_result(forward: str, spelling: str, slope: Callable[[Any], Any], reference: str, samples: str) -> None:
    name = f"{forward}_gradient_from_result"

    def gradient(y: Tensor, dy: Tensor) -> Any:
        check_same_shape(spelling.partition("(")[0], **{"the result": y, "its gradient": dy})
        factor = slope(y)
        return dy * (_ops.conj(factor) if factor.dtype in COMPLEXES else factor)

    gradient.__name__ = name
    gradient.__doc__ = _FROM_RESULT.format(forward=forward)
    publish(f"ops.{spelling}", numpy=f"dy * np.conj({reference})", samples=samples)(gradient)


for _row in (
    ("tanh", "TanhGrad", lambda y: 1 - y * y, "1 - y * y", "f32(2, 3), f32(2, 3); c64(3), c64(3)"),
    ("sigmoid", "SigmoidGrad", lambda y: y * (1 - y), "y * (1 - y)", "f32(2, 3), f32(2, 3); c64(3), c64(3)"),
    ("reciprocal", "ReciprocalGrad", lambda y: -(y * y), "-y * y", "f32(2, 3), f32(2, 3); c64(3), c64(3)"),
    # The names of their operands are those of MindSpore, in which what comes first is the result as well.
    ("sqrt", "SqrtGrad()(y as dy, dy as y)", lambda y: 0.5 / y, "0.5 / y", "f32(2, 3) + 3, f32(2, 3)"),
    ("rsqrt", "RsqrtGrad()(y as y_backprop, dy as x)", lambda y: y * y * y * -0.5, "y**3 * -0.5", "f32(2, 3), f32(2, 3)"),
    ("acosh", "AcoshGrad()(y as out, dy as dout)", lambda y: 1 / _ops.sinh(y), "1 / np.sinh(y)", "f32(3) + 3, f32(3)"),
    ("asinh", "AsinhGrad()(y as out, dy as dout)", lambda y: 1 / _ops.cosh(y), "1 / np.cosh(y)", "f32(3), f32(3)"),
    ("elu", "EluGrad()(dy as dout, y as out)", lambda y: _below(y, 1), "np.minimum(y, 0) + 1", "f32(2, 3), f32(2, 3)"),
    (
        *("selu", "SeluGrad()(dy as gradient, y as result)"),
        lambda y: _ops.select(_ops.greater(y, 0), _SELU, y + _SELU_BELOW),
        *("np.where(y > 0, 1.0507009873554805, y + 1.7580993408473766)", "f32(2, 3), f32(2, 3)"),
    ),
):
    _publish_from_result(*_row)


@publish(
    "ops.InvGrad()(y as x, dy as grad)", numpy="-dy * y * y", samples="f32(2, 3), f32(2, 3); i32(4), i32(4); c64(3), c64(3)"
)
def inv_gradient(y: Tensor, dy: Tensor) -> Any:
    """The gradient of 1 / x by x, from its result: -dy * y * y, of numbers of any kind, complex ones not conjugated.

    Args:
        y: the result.
        dy: the gradient by it, of the same shape.

    Raises:
        ValueError: the shapes differ.
    """
    check_same_shape("InvGrad", x=y, grad=dy)
    return _ops.neg(dy * y * y)


@publish(
    "ops.EluGradExt()(dout, x_or_out, alpha, is_result)",
    numpy="dout * np.where(x_or_out > 0, 1, x_or_out + alpha if is_result else alpha * np.exp(x_or_out))",
    samples="f32(2, 3), f32(2, 3); f32(2, 3), f32(2, 3), 0.5, True",
)
def elu_gradient_either_way(dout: Tensor, x_or_out: Tensor, alpha: float = 1.0, is_result: bool = False) -> Any:
    """The gradient of elu by its operand.

    Args:
        dout: the gradient by the result.
        x_or_out: the operand, or the result, of the same shape.
        is_result: which of them.

    Raises:
        ValueError: the shapes differ.
    """
    check_same_shape("EluGradExt", dout=dout, x_or_out=x_or_out)
    if not is_result:
        return pulled("EluGradExt", lambda x: activations.elu(x, alpha), dout, x_or_out)[0]
    return dout * _ops.select(_ops.greater(x_or_out, 0), 1, x_or_out + alpha)


@publish(
    "ops.SoftmaxGrad()(y, dy) ops.SoftmaxBackward()(dy as dout, y as out, dim)",
    numpy="y * (dy - (dy * y).sum(dim, keepdims=True))",
    samples="f32(2, 3), f32(2, 3); f32(2, 3), f32(2, 3), 0",
)
def softmax_gradient(y: Tensor, dy: Tensor, dim: int = -1) -> Any:
    """The gradient of softmax along an axis by its operand, from its result.

    Args:
        y: the result.
        dy: the gradient by it, of the same shape.

    Raises:
        ValueError: the shapes differ, or dim is out of range.
    """
    check_same_shape("SoftmaxGrad", y=y, dy=dy)
    return y * (dy - _ops.reduce_sum(dy * y, checked_axis("SoftmaxGrad", y, dim), True))


@publish(
    "ops.LogSoftmaxGrad(axis)(y as logits, dy as grad)",
    numpy="dy - np.exp(y) * dy.sum(axis, keepdims=True)",
    samples="f32(2, 3), f32(2, 3); f32(2, 3), f32(2, 3), 0",
)
def log_softmax_gradient(y: Tensor, dy: Tensor, axis: int = -1) -> Any:
    """The gradient of log_softmax by its operand, from its result.

    Args:
        y: the result.
        dy: the gradient by it, of the same shape.

    Raises:
        ValueError: the shapes differ, or axis is out of range.
    """
    check_same_shape("LogSoftmaxGrad", logits=y, grad=dy)
    return dy - _ops.exp(y) * _ops.reduce_sum(dy, checked_axis("LogSoftmaxGrad", y, axis), True)


@publish(
    "ops.IgammaGradA",
    numpy="differences.quotient(lambda one: ops.igamma(one, Tensor(x)), a)",
    samples="f32(3) + 3, f32(3) + 3",
)
def igamma_gradient(a: Tensor, x: Tensor) -> Any:
    """How igamma(a, x) changes with a, elementwise with broadcasting; it has no gradient by a itself."""
    wide = _ops.broadcast_to(a, _ops.add(a, x).shape)
    return pulled("IgammaGradA", lambda one: _ops.igamma(one, x), _ops.ones_like(wide), wide)[0]


def _publish_of_larger(kind: str) -> None:
    larger = kind == "maximum"

    def gradient(x: Tensor, y: Tensor, grads: Tensor, grad_x: bool = True, grad_y: bool = True) -> Any:
        return pulled(f"{kind.capitalize()}Grad", core.op_table[kind], grads, x, y)

    def second(x: Tensor, y: Tensor, dx: Tensor, dy: Tensor, grad_x: bool = True, grad_y: bool = True) -> Any:
        mask = (_ops.greater_equal if larger else _ops.less_equal)(x, y)
        return _ops.zeros_like(x), _ops.zeros_like(y), _ops.select(mask, dx, dy)

    gradient.__name__, second.__name__ = f"{kind}_gradient", f"{kind}_second_gradient"
    gradient.__doc__ = f"""The gradients of {kind} by both operands.

    Args:
        grads: the gradient by the result.
        grad_x, grad_y: both are returned, whether they are wanted or not.

    Raises:
        ValueError: grads does not have the result's shape.
    """
    second.__doc__ = f"""The gradients of {kind.capitalize()}Grad by x, y and grads.

    Args:
        x, y: the operands of {kind}.
        dx, dy: the gradients by both results.
        grad_x, grad_y: as of {kind.capitalize()}Grad.
    """
    x, y = ("x", "y") if larger else ("x as x1", "y as x2")
    tie = ">" if larger else "<"
    publish(
        f"ops.{kind.capitalize()}Grad(grad_x, grad_y)({x}, {y}, grads)",
        numpy=f"(grads * (x {tie} y), grads * (y {tie} x))",
        samples="f32(2, 3), f32(2, 3), f32(2, 3)",
    )(gradient)
    operands = "x, y, dx, dy" if larger else "x as x1, y as x2, dx as grad_y1, dy as grad_y2"
    attributes = "grad_x, grad_y" if larger else ""
    publish(
        f"ops.{kind.capitalize()}GradGrad({attributes})({operands})",
        numpy=f"(x * 0, y * 0, np.where(x {tie}= y, dx, dy))",
        samples="f32(2, 3), f32(2, 3), f32(2, 3), f32(2, 3)",
    )(second)


_publish_of_larger("maximum")
_publish_of_larger("minimum")
