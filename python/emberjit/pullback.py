"""How everything is differentiated: a function is run once, then cotangents of its results are pulled back to its
arguments, as often as wanted. Outside captures a tape keeps what that needs; inside, the function becomes a graph that
returns it, and each pull calls the graph of the gradient.
"""

from __future__ import annotations

import _thread
import functools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit import hooks
from emberjit.capture import outside, state, tree

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
    frozen = [not outside.attribute(parameter, "requires_grad") for parameter in parameters]
    if any(frozen):
        made.pull = functools.partial(_pull_trained, made.pull, parameters, frozen)
    return made


def _pull_trained(
    pull: Pull, parameters: Sequence[Any], frozen: Sequence[bool], cotangents: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    by_position, by_weight = pull(cotangents)
    zeros = core.op_table["zeros_like"]
    return by_position, [zeros(p) if cold else g for p, g, cold in zip(parameters, by_weight, frozen)]


def tensors(value: Any) -> list[Any]:
    """The Tensors within a value."""
    return [leaf for leaf in tree.leaves(value) if isinstance(leaf, core.Tensor)]


def with_tensors(value: Any, replacements: Sequence[Any]) -> Any:
    """The value with others in place of its Tensors."""
    following = iter(replacements)
    return tree.rebuild(value, lambda leaf: next(following) if isinstance(leaf, core.Tensor) else leaf)


class _Depth(_thread._local):
    def __init__(self) -> None:
        self.captured = 0


_depth = _Depth()


def differentiating() -> bool:
    """Whether what runs now may be differentiated."""
    return bool(core.recording()) or (_depth.captured > 0 and core.current_capture() is not None)


def _outputs(value: Any, has_aux: bool) -> list[Any]:
    if not has_aux:
        return tensors(value)
    if not isinstance(value, tuple) or len(value) < 2:
        raise ValueError("When 'has_aux' is True, origin 'fn' requires more than one outputs.")
    return tensors(value[0])


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
            hooks.carry(parameter, parameter)
        sources += parameters
        variables = [core.variable(source) for source in sources]
        value = fn(*inputs, **kwargs)
        outputs = _outputs(value, has_aux)
        results = [core.variable(output) for output in outputs]

    def pull(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        found = tape.gradients(results, list(cotangents), variables)
        zeros = core.op_table["zeros_like"]
        flat = [zeros(source) if gradient is None else gradient for gradient, source in zip(found, sources)]
        return _gradients(flat, args, wanted)

    return Linearised(value, outputs, pull)


def _watch(tape: Any, leaf: Any) -> Any:
    watched = tape.watch(leaf)
    hooks.carry(leaf, watched)
    return watched


def _captured(
    fn: Callable[..., Any], args: Any, kwargs: Any, wanted: Positions, parameters: list[Any], has_aux: bool
) -> Linearised:
    starts, count = [], 0
    for arg in args:
        starts.append(count)
        count += len(tensors(arg))
    sources = [starts[i] + k for i in wanted for k in range(len(tensors(args[i])))]
    _depth.captured += 1
    try:
        graph = SubGraph(named(fn), functools.partial(follow, fn), (*args,), kwargs, has_aux)
    finally:
        _depth.captured -= 1
    capture = core.current_capture()
    computed, pullback = capture.linearise(graph.inner, graph.operands, sources, parameters, len(graph.outputs))

    def pull(cotangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        flat = core.current_capture().pull(pullback, list(cotangents))
        by_position, by_weight = _gradients(flat, args, wanted)
        return by_position, [hooks.run(parameter, g) for parameter, g in zip(parameters, by_weight)]

    return Linearised(graph.value(computed), computed[: len(graph.outputs)], pull)


class SubGraph:
    """A function as a graph of its own within the current capture, over the Tensors among its arguments."""

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        has_aux: bool = False,
        axes: Sequence[int | None] = (),
    ):
        """`run` follows the user's functions itself. `axes`: those of the Tensors that it does not see."""
        capture = core.current_capture()
        self.operands = tensors((args, kwargs))
        self.results: list[Any] = []
        params = capture.begin_graph(name, self.operands, axes)
        try:
            inputs, keywords = with_tensors((args, kwargs), params)
            value = run(*inputs, **keywords)
            self.outputs = _outputs(value, has_aux)
            self.spec = tree.result_spec(value, self.results, apart=bool(axes))
            others = [r for r in self.results if not any(r is output for output in self.outputs)]
            self.ordered = self.outputs + others
            self.inner = capture.end_graph(self.ordered)
        except BaseException:
            capture.abandon_graph()
            raise

    def value(self, computed: Sequence[Any]) -> Any:
        """What the function returned, from the results of a call of the graph."""
        by_result = {id(result): computed[i] for i, result in enumerate(self.ordered)}
        return tree.from_spec(self.spec, [by_result[id(result)] for result in self.results])


def named(fn: Callable[..., Any]) -> str:
    """The name of a function or other callable in graphs."""
    return str(getattr(fn, "__name__", type(fn).__name__))


def follow(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function in the current capture as that captures."""
    return state.call(fn, *args, **kwargs) if state.active() else fn(*args, **kwargs)
