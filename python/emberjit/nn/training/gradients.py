"""Cells that give derivatives of a network or function."""

from __future__ import annotations

from typing import Any

from emberjit.nn.cell import Cell
from emberjit.transforms.derivatives import jvp
from emberjit.transforms.gradient import value_and_grad


class ForwardValueAndGrad(Cell):
    """The results of a network, and its gradients.

    Args:
        network: a Cell or function.
        weights: Parameters, by which is differentiated with get_by_list.
        get_all: whether it is differentiated by all arguments; else, without get_by_list, by the first.
        get_by_list: whether it is differentiated by weights.
        sens_param: whether the last argument is the cotangent of the results.

    Inputs:
        inputs: the network's arguments, and with sens_param the cotangent of its results.

    Returns:
        A pair of the results and the gradients: a Tensor by the first argument, a tuple by all or by weights, or with
        get_all and get_by_list a pair of both tuples.

    Examples:
        >>> def product(x, y):
        ...     return (x * y).sum()
        >>> value, gradients = nn.ForwardValueAndGrad(product, get_all=True)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        >>> print(value, *gradients)
        11.0 [3. 4.] [1. 2.]
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
    """The results of a function, and their tangents: its Jacobian times those of its arguments (forward mode).

    Args:
        fn: a Cell or function.

    Inputs:
        args: the function's arguments, then their tangents: a Tensor for one argument, else a tuple.

    Returns:
        A pair of the results and their tangents.

    Examples:
        >>> value, tangent = nn.Jvp(lambda x: x ** 2)(Tensor([1.0, 3.0]), Tensor([1.0, 0.5]))
        >>> print(value, tangent)
        [1. 9.] [2. 3.]
    """

    def construct(self, *args: Any) -> Any:
        return jvp(self.fn, args[:-1] if len(args) > 2 else args[0], args[-1])


class Vjp(_OfFunction):
    """The results of a function, and the gradients by its arguments: cotangents of the results times its Jacobian (reverse
    mode).

    Args:
        fn: a Cell or function.

    Inputs:
        args: the function's arguments, then the cotangents of its results: a Tensor for one result, else a tuple.

    Returns:
        A pair of the results and the gradients: a Tensor for one argument, else a tuple.

    Examples:
        >>> value, gradient = nn.Vjp(lambda x: x ** 2)(Tensor([1.0, 3.0]), Tensor([1.0, 0.5]))
        >>> print(value, gradient)
        [1. 9.] [2. 3.]
    """

    def construct(self, *args: Any) -> Any:
        count = len(args) - 1
        return value_and_grad(self.fn, 0 if count == 1 else tuple(range(count)), sens_param=True)(*args)
