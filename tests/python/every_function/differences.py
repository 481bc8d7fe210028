"""References of gradients: differences of what they are gradients of."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit import Tensor
from emberjit.publish import registry

STEP = 1e-5


def wide(value: Any) -> Any:
    """What stands for an argument of a composition, floats with double precision."""
    if isinstance(value, np.ndarray):
        return Tensor(value.astype(np.float64) if value.dtype.kind == "f" else value)
    return value


def _problem(name: str) -> Callable[..., Any]:
    declared = itertools.chain.from_iterable(names.values() for names in registry.declarations.values())
    found = (one.target for all_ in declared for one in all_)
    return next(target.problem for target in found if getattr(target, "__name__", "") == name)


def _numbers(value: Any) -> Any:
    return (value[0] if isinstance(value, tuple) else value).asnumpy()


def slopes(name: str, grad: Any, *values: Any) -> list[Any]:
    """What a gradient is by each operand: the slopes of the sum of the result times grad."""
    function, operands = _problem(name)(wide(grad), *map(wide, values))
    found = []
    for i, operand in enumerate(operands):

        def total(x: Any, i: int = i) -> Any:
            return (_numbers(function(*operands[:i], Tensor(x), *operands[i + 1 :])) * grad).sum()

        at = operand.asnumpy()
        slope = np.zeros(at.shape)
        for index in np.ndindex(*at.shape):
            step = np.zeros(at.shape)
            step[index] = STEP
            slope[index] = (total(at + step) - total(at - step)) / (2 * STEP)
        found.append(slope)
    return found


def moves(name: str, grad: Any, *values: Any) -> Any:
    """How a result changes as its operand does along grad."""
    function, operand = _problem(name)(*map(wide, values))
    at = operand.asnumpy()
    return (_numbers(function(Tensor(at + grad * STEP))) - _numbers(function(Tensor(at - grad * STEP)))) / (2 * STEP)


def quotient(function: Callable[[Any], Any], x: Any) -> Any:
    """How each element of a result changes with the same element of x."""
    at = x.astype(np.float64)
    return (_numbers(function(Tensor(at + STEP))) - _numbers(function(Tensor(at - STEP)))) / (2 * STEP)
