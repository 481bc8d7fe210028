"""Polynomials, sequences of coefficients from the highest degree on."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_steps, check_within
from emberjit.functions.creation.arrays import asarray
from emberjit.functions.shapes.reshaping import at_least
from emberjit.functions.signal.convolution import sequence_of, whole_convolution
from emberjit.publish.kinds import Number
from emberjit.publish.registry import publish

_ops = core.ops


def _summed(function: str, a1: Number, a2: Number) -> Any:
    """Coefficients of two polynomials of the same degree."""
    a, b = sequence_of(function, a1), sequence_of(function, a2)
    size = max(a.shape[0], b.shape[0])
    return tuple(_ops.pad(x, (size - x.shape[0], 0)) for x in (a, b))


@publish(
    "numpy.polyadd", numpy="np.polyadd(a1, a2)", samples="f32(3), f32(2); [1, 2], [9, 5, 4]; i32(2), f32(2)", in_python=True
)
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of polynomials, by their coefficients from the highest degree on.

    Args:
        a1, a2: coefficients, Tensors of one axis or data for one.

    Raises:
        ValueError: either has another number of axes than one, or no elements.
    """
    return _ops.add(*_summed("polyadd", a1, a2))


@publish(
    "numpy.polysub", numpy="np.polysub(a1, a2)", samples="f32(3), f32(2); [1, 2], [9, 5, 4]; i32(2), f32(2)", in_python=True
)
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of polynomials, by their coefficients from the highest degree on.

    Args:
        a1, a2: coefficients, Tensors of one axis or data for one.

    Raises:
        ValueError: either has another number of axes than one, or no elements.
    """
    return _ops.sub(*_summed("polysub", a1, a2))


@publish(
    "numpy.polymul", numpy="np.convolve(a1, a2)", samples="f32(3), f32(2); [1, 2], [9, 5, 4]; 3, f32(2)", in_python=True
)
def polymul(a1: Any, a2: Any) -> Any:
    """The product of polynomials, by their coefficients from the highest degree on.

    Args:
        a1, a2: coefficients, Tensors of one axis or data for one.

    Raises:
        ValueError: either has another number of axes than one, or no elements.
    """
    return whole_convolution(sequence_of("polymul", a1), sequence_of("polymul", a2))


@publish(
    "numpy.polyval",
    numpy="np.polyval(p, x)",
    samples="f32(3), f32(2, 3); [3, 0, 1], 5; i32(1), i32(4); f32(2), 1.5",
    in_python=True,
)
def polyval(p: Any, x: Any) -> Any:
    """A polynomial's values at x, by Horner's rule.

    Args:
        p: its coefficients from the highest degree on.
        x: a Tensor, or data.

    Raises:
        ValueError: p has another number of axes than one, or no elements.
    """
    coefficients, at = sequence_of("polyval", p), asarray(x)
    total = _ops.zeros_like(at)
    for i in range(coefficients.shape[0]):
        total = total * at + coefficients[i]
    return total


@publish("numpy.polyder", numpy="np.polyder(p, m)", samples="f32(4); f32(4), 2; [1, 2, 3], 0; [1, 2], 3", in_python=True)
def polyder(p: Any, m: int = 1) -> Any:
    """The derivative of a polynomial, by its coefficients from the highest degree on.

    Args:
        p: coefficients, a Tensor of one axis or data for one.
        m: how often it is derived.

    Raises:
        ValueError: p has another number of axes than one, or no elements; or m is negative.
    """
    coefficients = sequence_of("polyder", p)
    for _ in range(min(check_within("polyder", "m", m, 0), coefficients.shape[0])):
        degrees = core.Tensor([*range(coefficients.shape[0] - 1, 0, -1)], core.int64)
        coefficients = coefficients[:-1] * _ops.cast(degrees, coefficients.dtype)
    return coefficients


@publish(
    "numpy.polyint",
    numpy="np.polyint(p, m, k)",
    samples="f32(3); f32(3), 2; f32(2), 2, [3, 5]; [1, 1, 1]; f32(2), 2, 6; f32(2), 1, 4.5; f32(2), 0",
    in_python=True,
)
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The integral of a polynomial, by its coefficients from the highest degree on; of ints in float32.

    Args:
        p: coefficients, a Tensor of one axis or data for one.
        m: how often it is integrated.
        k: the constants of integration, a number for all or one for each; None for 0.

    Raises:
        ValueError: p has another number of axes than one, or no elements; m is negative, or there are not m constants.
    """
    coefficients = sequence_of("polyint", p)
    constants = at_least(1, asarray(0.0 if k is None else k))
    if constants.ndim != 1 or constants.shape[0] not in (1, check_within("polyint", "m", m, 0)):
        raise ValueError(f"For 'polyint', 'k' must be a number, or {m} of them, but got {k}.")
    check_steps("polyint", "m", m)
    for i in range(m):
        degrees = core.Tensor([*range(coefficients.shape[0], 0, -1)], core.float64)
        raised = _ops.div(coefficients, _ops.cast(degrees, coefficients.dtype))
        constant = constants[min(i, constants.shape[0] - 1) :][:1]
        coefficients = _ops.concat([raised, _ops.cast(constant, raised.dtype)], 0)
    return coefficients
