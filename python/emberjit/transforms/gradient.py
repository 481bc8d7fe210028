"""grad, value_and_grad and GradOperation, eager and inside captured functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.transforms.linearise import Key, Linearised, Positions, linearise
from emberjit.values import tree
from emberjit.values.memo import memoized
from emberjit.values.tree import tensors


def grad(
    fn: Callable[..., Any],
    grad_position: int | Positions | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """The function that computes the gradient of fn's results.

    Args:
        fn: a function or Cell. A result that is no scalar is summed, several are added up.
        grad_position: which arguments to differentiate by: an int, a tuple of ints, or None. The position of an argument
            that is passed by its name is that in fn's signature.
        weights: Parameters to differentiate by: one, or a tuple or list.
        has_aux: only the first result is differentiated; the others are passed on.
        return_ids: gives (position, gradient) and (name, gradient) in place of each gradient.
        sens_param: the function takes one more argument, the last or `sens`: the cotangents of the results.

    Returns:
        A function of fn's arguments. It returns the gradient by grad_position (a tuple for several), the gradients by
        weights, or a tuple of both; with has_aux (these, a tuple of the auxiliary results). Arguments without Tensors
        have no gradient; that of a Parameter without requires_grad is zero.

    Raises:
        TypeError, ValueError, RuntimeError, IndexError: as MindSpore's for unusable arguments.

    Examples:
        >>> def f(x, y):
        ...     return (x * y).sum()
        >>> print(ms.grad(f)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [3. 4.]
        >>> by_x, by_y = ms.grad(f, (0, 1))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
        >>> print(by_y)
        [1. 2.]
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids, sens_param)
    return memoized(both, "grad", lambda: _without_value(fn, both, has_aux))  # type: ignore[no-any-return]


def _without_value(fn: Callable[..., Any], both: Callable[..., Any], has_aux: bool) -> Callable[..., Any]:
    @functools.wraps(fn, updated=())
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, gradients = both(*args, **kwargs)
        return (gradients, value[1:]) if has_aux else gradients

    return gradient


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | Positions | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """The function that computes fn's results and their gradient.

    Args:
        fn: a function or Cell. A result that is no scalar is summed, several are added up.
        grad_position: which arguments to differentiate by: an int, a tuple of ints, or None.
        weights: Parameters to differentiate by: one, or a tuple or list.
        has_aux: only the first result is differentiated; the others are passed on.
        return_ids: gives (position, gradient) and (name, gradient) in place of each gradient.
        sens_param: the function takes one more argument, the last or `sens`: the cotangents of the results.

    Returns:
        A function of fn's arguments, which returns (fn's results, gradients), of which the gradients are as grad() has them.

    Raises:
        TypeError, ValueError, RuntimeError, IndexError: as MindSpore's for unusable arguments.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> step = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, net.trainable_params())
        >>> loss, gradients = step(Tensor([[1.0, 2.0]]))
        >>> print(loss, gradients[0])
        9.0 [[ 6. 12.]]
    """
    _check_function(fn)
    if grad_position is None and weights is None:
        raise ValueError("`grad_position` and `weight` can not be None at the same time.")
    positions = None if grad_position is None else check_positions(grad_position)
    _check_flag("_Grad", "has_aux", has_aux)
    _check_flag("_Grad", "return_ids", return_ids)
    parameters = check_parameters(weights)
    single = isinstance(weights, core.Tensor)
    key = (positions, None if parameters is None else (*map(id, parameters),), single, has_aux, return_ids, sens_param)
    return memoized(  # type: ignore[no-any-return]
        fn,
        ("value_and_grad", key),
        lambda: _with_gradients(fn, positions, parameters, single, has_aux, return_ids, sens_param),
    )


def _with_gradients(
    fn: Callable[..., Any],
    positions: Positions | None,
    parameters: list[Any] | None,
    single: bool,
    has_aux: bool,
    return_ids: bool,
    sens_param: bool,
) -> Callable[..., Any]:
    @functools.wraps(fn, updated=())
    def run(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        if sens_param:
            args, kwargs, sens = _take_sens(args, kwargs)
        selected = _selected(fn, args, kwargs, positions or ())
        linearised = linearise(fn, args, kwargs, list(selected.values()), parameters or [], has_aux)
        by_position, by_weight = linearised.pull(
            _cotangents(linearised, sens, has_aux) if sens_param else ones(linearised.outputs)
        )
        if return_ids:
            by_position = list(zip(selected, by_position))
            by_weight = [(parameter.name, g) for parameter, g in zip(parameters or [], by_weight)]
        first = by_position[0] if len(by_position) == 1 else tuple(by_position)
        second = by_weight[0] if single else tuple(by_weight)
        if positions is None:
            return linearised.value, second
        return linearised.value, first if parameters is None else (first, second)

    return run


def get_grad(gradients: Any, identifier: Any) -> Any:
    """One of the gradients that grad or value_and_grad gave with return_ids=True.

    Args:
        gradients: what the function of grad or value_and_grad returned.
        identifier: the position of an argument, or a Parameter.

    Raises:
        RuntimeError: there is none.

    Examples:
        >>> gradients = ms.grad(lambda x, y: x * y, (0, 1), return_ids=True)(Tensor([2.0]), Tensor([3.0]))
        >>> print(ms.get_grad(gradients, 1))
        [2.]
    """
    key = identifier.name if isinstance(identifier, core.Parameter) else identifier
    for name, gradient in _named(gradients):
        if type(name) is type(key) and name == key:
            return gradient
    raise RuntimeError(f"Can not find the gradient for position or Parameter {identifier}")


class GradOperation:
    """Makes gradient functions, as grad does.

    Args:
        get_all: by all arguments that are Tensors, as a tuple; otherwise by the first.
        get_by_list: by Parameters, as a tuple, or by one. With get_all too, the result is (by arguments, by Parameters).
        sens_param: the function takes one more argument, the last or `sens`: the cotangents of the results.

    Raises:
        TypeError: an argument is no bool.

    Examples:
        >>> gradients = ops.GradOperation(get_all=True)(lambda x, y: x * y)(Tensor([2.0]), Tensor([3.0]))
        >>> print(gradients[0], gradients[1])
        [3.] [2.]
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            _check_flag("GradOperation", name, value)
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __repr__(self) -> str:
        from emberjit.printing.values import described

        return described(self)

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        """The gradient function of fn; without weights, get_by_list takes all trainable Parameters that fn names."""
        _check_function(fn)
        parameters = (check_parameters(weights) or _trainable_parameters(fn)) if self.get_by_list else []
        single = isinstance(weights, core.Tensor)

        @functools.wraps(fn, updated=())
        def gradient(*args: Any, **kwargs: Any) -> Any:
            if self.sens_param:
                args, kwargs, sens = _take_sens(args, kwargs)
            positions = None if self.get_all else (0,) if (args or kwargs) and not self.get_by_list else ()
            linearised = linearise(fn, args, kwargs, list(_selected(fn, args, kwargs, positions).values()), parameters)
            pulled = linearised.pull(_cotangents(linearised, sens) if self.sens_param else ones(linearised.outputs))
            by_position, by_weight = (tuple(gradients) for gradients in pulled)
            if self.get_by_list:
                of_weights = by_weight[0] if single else by_weight
                return (by_position, of_weights) if self.get_all else of_weights
            return by_position if self.get_all or len(by_position) != 1 else by_position[0]

        return gradient


def check_positions(grad_position: Any) -> Positions:
    """grad_position as a tuple.

    Raises:
        TypeError, ValueError: it is none of ints that are not negative and differ.
        RuntimeError: it is empty.
    """
    if not isinstance(grad_position, (int, tuple)):
        raise TypeError("For 'F.grad', the 'grad_position' must be int or tuple.")
    if grad_position == ():
        raise RuntimeError("grad_position should not be empty when grad by position!")
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not all(isinstance(position, int) for position in positions):
        raise TypeError("For 'F.grad', the element in 'grad_position' must be int.")
    if len(set(positions)) != len(positions):
        raise ValueError("There are duplicate positions in `grad_position`, please check it")
    if any(position < 0 for position in positions):
        if isinstance(grad_position, int):
            raise ValueError("grad_position must be >= 0.")
        raise ValueError("The element in grad_position must be >= 0.")
    return tuple(int(position) for position in positions)


def _selected(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], positions: Positions | None
) -> dict[int, Key]:
    """The arguments at these positions that have Tensors, or all that are Tensors, by position.

    Raises:
        IndexError: there is no such argument.
    """
    keys = _keys(fn, len(args), kwargs)
    for position in positions or ():
        if position >= len(keys):
            raise core.IndexRangeError(f"Position index {position} is exceed input size.")
    values: dict[Any, Any] = {None: None, **dict(enumerate(args)), **kwargs}
    if positions is None:
        return {i: key for i, key in enumerate(keys) if key is not None and isinstance(values[key], core.Tensor)}
    return {i: key for i in positions if (key := keys[i]) is not None and tensors(values[key])}


def _keys(fn: Callable[..., Any], count: int, kwargs: dict[str, Any]) -> list[Key | None]:
    """The arguments of a call, of which `count` are by position, in the order of fn's signature; None for a default."""
    if not kwargs:
        return list(range(count))
    import inspect

    try:
        parameters = inspect.signature(getattr(fn, "construct", fn)).parameters.values()
    except (TypeError, ValueError):  # a builtin, or what is no function
        return [*range(count), *kwargs]
    ordered = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][count:]
    ordered += [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    last = max((i for i, name in enumerate(ordered) if name in kwargs), default=-1)
    by_name = [name if name in kwargs else None for name in ordered[: last + 1]]
    return [*range(count), *by_name, *(name for name in kwargs if name not in ordered)]


def ones(outputs: Sequence[Any]) -> list[Any]:
    """The cotangents that add up all elements."""
    return [core.ops.ones_like(output) for output in outputs]


def check_cotangents(outputs: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    """Cotangents of outputs.

    Raises:
        ValueError: their number or shapes differ.
        TypeError: one is no Tensor.
    """
    if len(outputs) != len(cotangents):
        raise ValueError(f"The number of sens should be {len(outputs)}, but got {len(cotangents)}.")
    for output, cotangent in zip(outputs, cotangents):
        if not isinstance(cotangent, core.Tensor):
            raise TypeError(f"The sens should be a Tensor, but got {tree.described(cotangent)}.")
        if tuple(output.shape) != tuple(cotangent.shape):
            raise ValueError(f"The shape of sens should be {tuple(output.shape)}, but got {tuple(cotangent.shape)}.")
    cast = core.ops.cast
    return [c if c.dtype == output.dtype else cast(c, output.dtype) for output, c in zip(outputs, cotangents)]


def _cotangents(linearised: Linearised, sens: Any, has_aux: bool = False) -> list[Any]:
    """The cotangents of the Tensors among the results, of which `sens` has the structure or the Tensors alone."""
    cotangents, results = tree.leaves(sens), tree.leaves(linearised.value[0] if has_aux else linearised.value)
    if len(cotangents) == len(results):
        cotangents = [one for one, result in zip(cotangents, results) if isinstance(result, core.Tensor)]
    return check_cotangents(linearised.outputs, cotangents)


def _take_sens(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    if "sens" in kwargs:
        return args, {name: value for name, value in kwargs.items() if name != "sens"}, kwargs["sens"]
    if not args:
        raise TypeError("The gradient function is missing its last argument: the sens of the results.")
    return args[:-1], kwargs, args[-1]


def _check_flag(owner: str, name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"For '{owner}', the '{name}' should be bool, but got {type(value).__name__}")


def _check_function(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(f"The fn should be callable, but got {type(fn).__name__}")


def check_parameters(weights: Any) -> list[Any] | None:
    if weights is None:
        return None
    items = [weights] if isinstance(weights, core.Tensor) else list(weights)
    for item in items:
        if not isinstance(item, core.Parameter):
            raise TypeError(f"For 'grad', every item of 'weights' must be a Parameter, but got {type(item)}.")
    return items


def _trainable_parameters(fn: Callable[..., Any]) -> list[Any]:
    """The trainable Parameters of a Cell, or of what a function names."""
    owner = getattr(fn, "__self__", fn)
    if hasattr(owner, "trainable_params"):
        return list(owner.trainable_params())
    import inspect

    named = inspect.getclosurevars(inspect.unwrap(fn))
    parameters: dict[int, Any] = {}
    for value in (*named.nonlocals.values(), *named.globals.values()):
        of_cell = value.trainable_params() if hasattr(value, "trainable_params") else ()
        for parameter in (*of_cell, *tensors(value)):
            if isinstance(parameter, core.Parameter) and parameter.requires_grad:
                parameters[id(parameter)] = parameter
    return list(parameters.values())


def _named(gradients: Any) -> Iterator[tuple[Any, Any]]:
    if not isinstance(gradients, tuple):
        return
    if len(gradients) == 2 and isinstance(gradients[0], (int, str)):
        yield gradients
        return
    for item in gradients:
        yield from _named(item)
