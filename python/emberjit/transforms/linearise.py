"""Linearisation, by which everything is differentiated: a function is run once, then cotangents of its results are pulled
back to its arguments, as often as wanted. An argument has a number among those by position, or the name of its keyword.
Outside captures a tape saves what that needs; inside, the function becomes a graph that returns it, and each pull calls
the graph of the gradient. A Tensor counts by the argument that it is given as, a Parameter as itself: its gradient is by
all that the function reads of it, and what is written to it is kept.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import SubGraph, differentiable, named
from emberjit.capture.guards.record import guard_attribute
from emberjit.capture.session.differentiation import differentiated
from emberjit.capture.session.session import current_session, follow
from emberjit.transforms import tensor_hooks
from emberjit.values import tree
from emberjit.values.tree import tensors, with_tensors

Positions = tuple[int, ...]
Key = int | str  # of an argument
Pull = Callable[[Sequence[Any]], tuple[list[Any], list[Any]]]
FlatPull = Callable[[Sequence[Any]], list[Any]]  # by Tensors among the wanted arguments, then by Parameters


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
    selected = [key for key in keys if tensors(_argument(args, kwargs, key))]
    arguments = [_argument(args, kwargs, key) for key in selected]
    session = current_session()
    if session is not None:
        session.need_variables([*tensors(arguments), *parameters])
    own = {id(leaf): leaf for leaf in tensors(arguments) if isinstance(leaf, core.Parameter)}
    variables = [*({id(parameter): parameter for parameter in parameters} | own).values()]
    run = _eager if core.current_capture() is None else _captured
    value, outputs, pull = run(fn, args, kwargs, selected, variables, has_aux)
    frozen = [not guard_attribute(parameter, "requires_grad") for parameter in parameters]

    def pull_each(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        flat = pull(cotangents)
        following = iter(flat)
        by_variable = dict(zip(map(id, variables), flat[len(flat) - len(variables) :]))
        used: set[int] = set()

        def by(leaf: Any) -> Any:
            """A gradient, of which each use is a Tensor of its own."""
            if not isinstance(leaf, core.Tensor):
                return None
            if id(leaf) not in by_variable:
                return next(following)
            gradient = by_variable[id(leaf)]
            if id(leaf) in used:
                return gradient.copy()
            used.add(id(leaf))
            return gradient

        zeros = core.ops.zeros_like
        by_position = [tree.rebuild(argument, by) for argument in arguments]
        return by_position, [zeros(p) if cold else by(p) for p, cold in zip(parameters, frozen)]

    return Linearised(value, outputs, pull_each)


def _argument(args: Sequence[Any], kwargs: dict[str, Any], key: Key) -> Any:
    return kwargs[key] if isinstance(key, str) else args[key]


def _eager(
    fn: Callable[..., Any], args: Any, kwargs: dict[str, Any], selected: list[Key], parameters: list[Any], has_aux: bool
) -> tuple[Any, list[Any], FlatPull]:
    tape = core.Tape()
    with tape:
        inputs, keywords, sources = list(args), dict(kwargs), []
        for key in selected:
            argument = _argument(args, kwargs, key)
            watched = [leaf if isinstance(leaf, core.Parameter) else _watch(tape, leaf) for leaf in tensors(argument)]
            (keywords if isinstance(key, str) else inputs)[key] = with_tensors(argument, watched)  # type: ignore[index]
            sources += [leaf for leaf in watched if not isinstance(leaf, core.Parameter)]
        for parameter in parameters:
            tape.watch_parameter(parameter)
            tensor_hooks.attach(parameter, parameter)
        sources += parameters
        variables = [core.variable(source) for source in sources]
        value = fn(*inputs, **keywords)
        outputs = differentiable(value, has_aux)
        results = [core.variable(output) for output in outputs]

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        gradients = tape.gradients(results, list(cotangents), variables)
        zeros = core.ops.zeros_like
        return [zeros(source) if gradient is None else gradient for gradient, source in zip(gradients, sources)]

    return value, outputs, pull


def _watch(tape: Any, leaf: Any) -> Any:
    watched = tape.watch(leaf)
    tensor_hooks.attach(leaf, watched)
    return watched


def _captured(
    fn: Callable[..., Any], args: Any, kwargs: Any, selected: list[Key], parameters: list[Any], has_aux: bool
) -> tuple[Any, list[Any], FlatPull]:
    leaves: list[Any] = []
    numbers: dict[Key, range] = {}
    for key, argument in (*enumerate(args), *kwargs.items()):
        first = len(leaves)
        leaves += tensors(argument)
        numbers[key] = range(first, len(leaves))
    sources = [number for key in selected for number in numbers[key] if not isinstance(leaves[number], core.Parameter)]
    with differentiated():
        graph = SubGraph(named(fn), functools.partial(follow, fn), (*args,), kwargs, has_aux, copied=sources)
    capture = core.current_capture()
    computed, vjp = capture.linearise(graph.inner, graph.operands, sources, parameters, len(graph.outputs))
    graph.write_back(computed)

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        flat = core.current_capture().pull(vjp, list(cotangents))
        by = [*(leaves[number] for number in sources), *parameters]
        return [tensor_hooks.hooked_gradient(source, g) for source, g in zip(by, flat)]

    return graph.value(computed), computed[: len(graph.outputs)], pull
