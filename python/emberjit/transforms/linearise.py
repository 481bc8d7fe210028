"""Linearisation, by which everything is differentiated: a function is run once, then cotangents of its results are pulled
back to its arguments, as often as wanted. Outside captures a tape saves what that needs; inside, the function becomes a
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
    positions: Positions,
    parameters: Sequence[Any] = (),
    has_aux: bool = False,
) -> Linearised:
    """Runs fn.

    Args:
        positions: the arguments to differentiate by. Those without Tensors count as constants and are left out.
        has_aux: only the first result is differentiable.

    Raises:
        ValueError: there is no such argument, or no further result.
    """
    for position in positions:
        if position >= len(args):
            raise ValueError(f"Position index {position} is exceed input size.")
    wanted = tuple(i for i in positions if any(True for _ in tensors(args[i])))
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


def _gradients(flat: Sequence[Any], args: Sequence[Any], wanted: Positions) -> tuple[list[Any], list[Any]]:
    following = iter(flat)
    by_position = [
        tree.rebuild(args[i], lambda leaf: next(following) if isinstance(leaf, core.Tensor) else None) for i in wanted
    ]
    return by_position, list(following)


def _eager(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: Positions, parameters: list[Any], has_aux: bool
) -> Linearised:
    tape = core.Tape()
    with tape:
        inputs, sources = list(args), []
        for i in wanted:
            watched = [_watch(tape, leaf) for leaf in tensors(args[i])]
            inputs[i] = with_tensors(args[i], watched)
            sources += watched
        for parameter in parameters:
            tape.watch_parameter(parameter)
            tensor_hooks.attach(parameter, parameter)
        sources += parameters
        variables = [core.variable(source) for source in sources]
        value = fn(*inputs, **kwargs)
        outputs = differentiable(value, has_aux)
        results = [core.variable(output) for output in outputs]

    def pull(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        found = tape.gradients(results, list(cotangents), variables)
        zeros = core.op_table["zeros_like"]
        flat = [zeros(source) if gradient is None else gradient for gradient, source in zip(found, sources)]
        return _gradients(flat, args, wanted)

    return Linearised(value, outputs, pull)


def _watch(tape: Any, leaf: Any) -> Any:
    watched = tape.watch(leaf)
    tensor_hooks.attach(leaf, watched)
    return watched


def _captured(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: Positions, parameters: list[Any], has_aux: bool
) -> Linearised:
    starts, count = [], 0
    for arg in args:
        starts.append(count)
        count += len(tensors(arg))
    sources = [starts[i] + k for i in wanted for k in range(len(tensors(args[i])))]
    with differentiated():
        graph = SubGraph(named(fn), functools.partial(follow, fn), (*args,), kwargs, has_aux, copied=sources)
    capture = core.current_capture()
    computed, vjp = capture.linearise(graph.inner, graph.operands, sources, parameters, len(graph.outputs))
    graph.write_back(computed)

    def pull(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        flat = core.current_capture().pull(vjp, list(cotangents))
        by_position, by_weight = _gradients(flat, args, wanted)
        return by_position, [tensor_hooks.hooked_gradient(parameter, g) for parameter, g in zip(parameters, by_weight)]

    return Linearised(graph.value(computed), computed[: len(graph.outputs)], pull)
