"""Linearisation, by which everything is differentiated: a function is run once, then cotangents of its results are pulled
back to its arguments, as often as wanted. An argument has a number among those by position, or the name of its keyword.
Outside captures a tape saves what that needs; inside, the function becomes a
graph that returns it, and each pull calls the graph of the gradient.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import SubGraph, differentiable, named
from emberjit.capture.guards.record import guard_attribute
from emberjit.capture.session.differentiation import differentiated
from emberjit.capture.session.engine import follow
from emberjit.transforms import tensor_hooks
from emberjit.values import tree
from emberjit.values.tree import tensors, with_tensors

Positions = tuple[int, ...]
Key = int | str  # of an argument
Pull = Callable[[Sequence[Any]], tuple[list[Any], list[Any]]]


class Linearised:
    """What a function returned, its differentiable Tensors, and `pull`: from their cotangents to the gradients by each
    position (in the argument's structure) and by each Parameter."""

    def __init__(self, value: Any, outputs: list[Any], pull: Pull):
        self.value, self.outputs, self.pull = value, outputs, pull


def linearise(
    fn: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    keys: Sequence[Key],
    parameters: Sequence[Any] = (),
    has_aux: bool = False,
) -> Linearised:
    """Runs fn.

    Args:
        keys: the arguments to differentiate by. Those without Tensors count as constants and are left out.
        has_aux: only the first result is differentiable.

    Raises:
        ValueError: there is no further result.
    """
    wanted = [key for key in keys if tensors(_argument(args, kwargs, key))]
    run = _eager if core.current_capture() is None else _captured
    made = run(fn, args, kwargs, wanted, list(parameters), has_aux)
    frozen = [not guard_attribute(parameter, "requires_grad") for parameter in parameters]
    if any(frozen):
        made.pull = functools.partial(_pull_trained, made.pull, parameters, frozen)
    return made


def _pull_trained(
    pull: Pull, parameters: Sequence[Any], frozen: Sequence[bool], cotangents: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    by_position, by_weight = pull(cotangents)
    zeros = core.op_table["zeros_like"]
    return by_position, [zeros(p) if cold else g for p, g, cold in zip(parameters, by_weight, frozen)]


def _argument(args: Sequence[Any], kwargs: dict[str, Any], key: Key) -> Any:
    return kwargs[key] if isinstance(key, str) else args[key]


def _gradients(flat: Sequence[Any], wanted: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Gradients by `wanted`, which are arguments, and by Parameters."""
    following = iter(flat)
    by_position = [
        tree.rebuild(arg, lambda leaf: next(following) if isinstance(leaf, core.Tensor) else None) for arg in wanted
    ]
    return by_position, list(following)


def _eager(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: list[Key], parameters: list[Any], has_aux: bool
) -> Linearised:
    arguments = [_argument(args, kwargs, key) for key in wanted]
    tape = core.Tape()
    with tape:
        inputs, keywords, sources = list(args), dict(kwargs), []
        for key, argument in zip(wanted, arguments):
            watched = [_watch(tape, leaf) for leaf in tensors(argument)]
            (keywords if isinstance(key, str) else inputs)[key] = with_tensors(argument, watched)  # type: ignore[index]
            sources += watched
        for parameter in parameters:
            tape.watch_parameter(parameter)
            tensor_hooks.attach(parameter, parameter)
        sources += parameters
        variables = [core.variable(source) for source in sources]
        value = fn(*inputs, **keywords)
        outputs = differentiable(value, has_aux)
        results = [core.variable(output) for output in outputs]

    def pull(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        found = tape.gradients(results, list(cotangents), variables)
        zeros = core.op_table["zeros_like"]
        flat = [zeros(source) if gradient is None else gradient for gradient, source in zip(found, sources)]
        return _gradients(flat, arguments)

    return Linearised(value, outputs, pull)


def _watch(tape: Any, leaf: Any) -> Any:
    watched = tape.watch(leaf)
    tensor_hooks.attach(leaf, watched)
    return watched


def _captured(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: list[Key], parameters: list[Any], has_aux: bool
) -> Linearised:
    arguments = [_argument(args, kwargs, key) for key in wanted]
    numbers: dict[Key, range] = {}
    count = 0
    for key, argument in (*enumerate(args), *kwargs.items()):
        numbers[key] = range(count, count + len(tensors(argument)))
        count = numbers[key].stop
    sources = [number for key in wanted for number in numbers[key]]
    with differentiated():
        graph = SubGraph(named(fn), functools.partial(follow, fn), (*args,), kwargs, has_aux, copied=sources)
    capture = core.current_capture()
    computed, vjp = capture.linearise(graph.inner, graph.operands, sources, parameters, len(graph.outputs))
    graph.write_back(computed)

    def pull(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        flat = core.current_capture().pull(vjp, list(cotangents))
        hooked = [tensor_hooks.hooked_gradient(source, g) for source, g in zip([*tensors(arguments), *parameters], flat)]
        return _gradients(hooked, arguments)

    return Linearised(graph.value(computed), computed[: len(graph.outputs)], pull)
