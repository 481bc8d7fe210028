"""Cells that give derivatives of a network or function."""

from __future__ import annotations

from typing import Any

from emberjit.nn.cell import Cell
from emberjit.transforms.derivatives import jvp
from emberjit.transforms.gradient import value_and_grad


class ForwardValueAndGrad(Cell):
    """(results, gradients) of a network.

    Args:
        network: a Cell or function.
        weights: Parameters, by which is differentiated with get_by_list.
        get_all: whether it is differentiated by all arguments; else, without get_by_list, by the first.
        get_by_list: whether it is differentiated by weights.
        sens_param: whether the last argument is the cotangent of the results.
    """

    def __init__(
        self, network: Any, weights: Any = None, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False
    ):
        super().__init__(auto_prefix=False)
        self.network, self.weights = network, weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def construct(self, *inputs: Any) -> Any:
        count = len(inputs) - self.sens_param
        positions: Any = tuple(range(count)) if self.get_all else None if self.get_by_list else 0
        weights = self.weights if self.get_by_list else None
        value, gradients = value_and_grad(self.network, positions, weights, sens_param=self.sens_param)(*inputs)
        if not self.get_all or count > 1:
            return value, gradients
        return value, ((gradients[0],), gradients[1]) if self.get_by_list else (gradients,)


class _OfFunction(Cell):
    def __init__(self, fn: Any):
        super().__init__()
        self.fn = fn


class Jvp(_OfFunction):
    """(results, their tangents) of a function, called with its arguments and the tangents of these.

    Args:
        fn: a Cell or function.
    """

    def construct(self, *args: Any) -> Any:
        return jvp(self.fn, args[:-1] if len(args) > 2 else args[0], args[-1])


class Vjp(_OfFunction):
    """(results, gradients by the arguments) of a function, called with its arguments and the cotangents of the results.

    Args:
        fn: a Cell or function.
    """

    def construct(self, *args: Any) -> Any:
        count = len(args) - 1
        return value_and_grad(self.fn, 0 if count == 1 else tuple(range(count)), sens_param=True)(*args)
