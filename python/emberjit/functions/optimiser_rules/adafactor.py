"""Steps of Adafactor: N. Shazeer and M. Stern, "Adafactor: Adaptive learning rates with sublinear memory cost" (2018)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.optimiser_rules.moments import write
from emberjit.publish.registry import publish

_ops = core.ops


def _root_of_mean(x: core.Tensor) -> Any:
    return _ops.sqrt(_ops.mean(_ops.square(x)))


def _update(gradient: Any, squares: Any, row: Any, column: Any, whole: Any, beta2: Any) -> tuple[Any, list[Any]]:
    """The gradient by the root of its mean square; and what is written: (Parameter, value) of means of rows and columns, or
    of one axis of all."""
    if gradient.ndim < 2:
        mean = beta2 * whole + (1 - beta2) * squares
        return gradient / _ops.sqrt(mean), [(whole, mean)]
    rows = beta2 * row + (1 - beta2) * _ops.mean(squares, -1)
    columns = beta2 * column + (1 - beta2) * _ops.mean(squares, -2)
    by_row = _ops.expand_dims(_ops.rsqrt(rows / _ops.mean(rows, -1, True)), rows.ndim)
    by_column = _ops.expand_dims(_ops.rsqrt(columns), columns.ndim - 1)
    return gradient * by_row * by_column, [(row, rows), (column, columns)]


def _declare(name: str, further: str) -> Callable[..., Any]:
    def step(
        epsilon: Any,
        clip_threshold: Any,
        beta1: Any,
        beta2: Any,
        weight_decay: Any,
        learning_rate: Any,
        gradient: Any,
        param: Any,
        exp_avg: Any,
        exp_avg_sq_row: Any,
        exp_avg_sq_col: Any,
        exp_avg_sq: Any,
        global_norm: Any = 1.0,
        enable_scale_parameter: bool = False,
        enable_first_moment: bool = False,
        enable_weight_decay: bool = False,
    ) -> Any:
        g = gradient / global_norm
        rate = learning_rate
        if enable_scale_parameter:
            rate = rate * _ops.maximum(_root_of_mean(param), epsilon[1])
        squares = _ops.square(g) + epsilon[0]
        change, written = _update(g, squares, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq, beta2)
        change = change / _ops.maximum(_root_of_mean(change) / clip_threshold, 1.0) * rate
        if enable_first_moment:
            change = beta1 * exp_avg + (1 - beta1) * change
            written.append((exp_avg, change))
        kept = param * (1 - weight_decay * rate) if enable_weight_decay else param
        write(*written)
        return write((param, kept - change))

    step.__name__ = "adafactor_of_norm" if further else "adafactor"
    norm = ", 1.0" if further else ""
    step.__doc__ = f"""A step of Adafactor: writes param, and the means that it uses; returns what param holds then.

    Args:
        epsilon: (what is added to squares of gradients, the least scale of param), two floats or a Tensor of them.
        clip_threshold: above it the root mean square of the change is scaled down to it.
        beta1, beta2: the part of itself that exp_avg, and that means of squares keep.
        weight_decay: the part of param that a step of rate 1 takes away, with enable_weight_decay.
        learning_rate: the rate.
        exp_avg: the mean of changes, with enable_first_moment.
        exp_avg_sq_row, exp_avg_sq_col: means of squares along the last axis, and along the last but one.
        exp_avg_sq: means of squares, of a param with one axis.
        global_norm: gradients are divided by it.
        gradient: the gradient.
        param: what is trained, a Parameter or Tensor.
        enable_scale_parameter: whether the rate is multiplied by the root mean square of param.
        enable_first_moment: whether exp_avg is the change, and written.
        enable_weight_decay: whether weight_decay counts.

    Examples:
        >>> param, row, column, zero = (Parameter(x) for x in (ops.ones((2, 3)), ops.zeros(2), ops.zeros(3), ops.zeros(1)))
        >>> step = ops.{name}()
        >>> gradient = Tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])
        >>> _ = step((1e-30, 1e-3), 1.0, 0.9, 0.75, 0.0, 0.1, gradient, param, zero, row, column, zero{norm})
        >>> print(param.asnumpy())
        [[0.9 0.9 0.9]
         [0.9 0.9 0.9]]
    """
    operands = f"""epsilon, clip_threshold, beta1, beta2, weight_decay, learning_rate, gradient, param, exp_avg,
    exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq{further}"""
    attributes = "enable_scale_parameter, enable_first_moment, enable_weight_decay"
    publish(f"ops.{name}({attributes})({operands})", in_python=True)(step)
    return step


adafactor = _declare("FusedAdaFactor", "")
_declare("FusedAdaFactorWithGlobalNorm", ", global_norm")
