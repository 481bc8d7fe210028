"""grad and value_and_grad, eager and inside captured functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import state, tree

Positions = tuple[int, ...]


def grad(
    fn: Callable[..., Any],
    grad_position: int | Positions | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """The function that computes the gradient of fn's first result.

    Args:
        fn: a function or Cell. Its first result is differentiated; a result that is no scalar is summed.
        grad_position: which positional arguments to differentiate by: an int, a tuple of ints, or None.
        weights: Parameters to differentiate by: one, or a tuple or list.
        has_aux: fn returns further results that are passed on undifferentiated.
        return_ids: not available.

    Returns:
        A function of fn's arguments. It returns the gradient by grad_position (a tuple for a tuple), the gradients by
        weights, or a tuple of both; with has_aux a tuple of that and the auxiliary results.

    Raises:
        TypeError, ValueError: as MindSpore's for unusable arguments.
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids)

    @functools.wraps(fn, updated=())
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, gradients = both(*args, **kwargs)
        return (gradients, *value[1:]) if has_aux else gradients

    return gradient


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | Positions | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """Like grad, but the function returns (fn's results, gradients)."""
    if not callable(fn):
        raise TypeError(f"For 'value_and_grad', the argument 'fn' must be a function or Cell, but got {fn!r}.")
    positions = _positions(grad_position)
    parameters = _parameters(weights)
    if positions is None and parameters is None:
        raise ValueError("For 'value_and_grad', 'grad_position' and 'weights' can not be None at the same time.")
    if return_ids:
        raise NotImplementedError("For 'value_and_grad', 'return_ids' is not available (yet).")

    def run(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        wanted = positions or ()
        for position in wanted:
            if position >= len(args):
                raise ValueError(f"For 'grad', position {position} is outside the {len(args)} positional arguments.")
        compute = _eager if core.current_capture() is None else _captured
        value, gradients = compute(fn, args, kwargs, wanted, parameters or [], has_aux)
        by_position, by_weight = gradients[: len(wanted)], gradients[len(wanted) :]
        return value, _arrange(by_position, by_weight, grad_position, weights)

    return run


def _positions(grad_position: Any) -> Positions | None:
    if grad_position is None:
        return None
    items = grad_position if isinstance(grad_position, (tuple, list)) else (grad_position,)
    for item in items:
        if not isinstance(item, int) or isinstance(item, bool) or item < 0:
            raise TypeError(f"For 'grad', 'grad_position' must be an int or a tuple of ints, but got {grad_position!r}.")
    return tuple(items)


def _parameters(weights: Any) -> list[Any] | None:
    if weights is None:
        return None
    items = [weights] if isinstance(weights, core.Tensor) else list(weights)
    for item in items:
        if not isinstance(item, core.Parameter):
            raise TypeError(f"For 'grad', every item of 'weights' must be a Parameter, but got {type(item)}.")
    return items


def _arrange(by_position: Sequence[Any], by_weight: Sequence[Any], grad_position: Any, weights: Any) -> Any:
    first = tuple(by_position) if isinstance(grad_position, (tuple, list)) else (by_position[0] if by_position else None)
    second = by_weight[0] if isinstance(weights, core.Tensor) else tuple(by_weight)
    if grad_position is None:
        return second
    return first if weights is None else (first, second)


def _outputs(value: Any, has_aux: bool) -> list[Any]:
    if not has_aux:
        return [leaf for leaf in tree.leaves(value) if isinstance(leaf, core.Tensor)]
    if not isinstance(value, tuple) or len(value) < 2:
        raise ValueError("For 'grad' with has_aux=True, 'fn' must return more than one result.")
    return [value[0]]


def _eager(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: Positions, parameters: list[Any], has_aux: bool
) -> tuple[Any, list[Any]]:
    tape = core.Tape()
    with tape:
        inputs = [tape.watch(arg) if i in wanted else arg for i, arg in enumerate(args)]
        watched = [inputs[i] for i in wanted]
        for parameter in parameters:
            tape.watch_parameter(parameter)
        value = fn(*inputs, **kwargs)
        gradients = tape.gradients(_outputs(value, has_aux), watched + parameters)
    return value, list(gradients)


def _captured(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: Positions, parameters: list[Any], has_aux: bool
) -> tuple[Any, list[Any]]:
    capture = core.current_capture()
    leaves = [leaf for arg in args for leaf in tree.leaves(arg) if isinstance(leaf, core.Tensor)]
    starts, count = [], 0
    for arg in args:
        starts.append(count)
        count += sum(isinstance(leaf, core.Tensor) for leaf in tree.leaves(arg))
    params = iter(capture.begin_graph(getattr(fn, "__name__", type(fn).__name__), leaves))
    results: list[Any] = []
    try:
        inputs = [tree.rebuild(a, lambda leaf: next(params) if isinstance(leaf, core.Tensor) else leaf) for a in args]
        follow = state.call if state.active() else (lambda f, *a, **k: f(*a, **k))
        value = follow(fn, *inputs, **kwargs)
        outputs = _outputs(value, has_aux)
        spec = tree.result_spec(value, results)
        ordered = outputs + [r for r in results if not any(r is o for o in outputs)]
        inner = capture.end_graph(ordered)
    except BaseException:
        capture.abandon_graph()
        raise
    gradient = capture.gradient(inner, [starts[i] for i in wanted], parameters, False, len(outputs))
    computed = capture.call(gradient, leaves, [])
    by_result = {id(result): computed[i] for i, result in enumerate(ordered)}
    return tree.from_spec(spec, [by_result[id(r)] for r in results]), list(computed[len(ordered) :])
