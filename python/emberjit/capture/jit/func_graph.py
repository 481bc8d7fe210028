"""Graphs of functions apart from Python: what export writes to files, and what load reads and GraphCell runs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.dispatch import capturing
from emberjit.capture.jit.transform import DIRECT, compiled
from emberjit.capture.session.session import follow
from emberjit.capture.state.results import from_spec
from emberjit.values import tree

_CONSTANTS = (bool, int, float, str, type(None))


class FuncGraph:
    """A captured graph and all that it needs.

    Args:
        module: the graph.
        outside: of its parameters behind the arguments the names, and what they are: Parameters and Tensors.
        results: the structure of what it returns: a number, of a result of the graph, or a list: "tuple" or "list" and
            structures, "dict" and pairs of a key and a structure, "const" and a value, "given" and an argument's number,
            "keep" and a structure, "again" and the number of one that is kept.
    """

    def __init__(self, module: Any, outside: dict[str, Any], results: Any):
        self.module, self.outside, self.results = module, outside, results

    def count(self) -> int:
        """How many arguments it takes."""
        return len(self.module.params) - len(self.outside)


def capture(function: Callable[..., Any], arguments: tuple[Any, ...]) -> FuncGraph:
    """The graph of a call. Its arguments are the Tensors among `arguments`, from left to right; all else is fixed.

    Raises:
        CaptureError: something cannot enter the graph, or needs Python when it runs.
    """

    def run(function: Callable[..., Any], *tensors: Any) -> Any:
        return follow(function, *tree.with_tensors(arguments, tensors))

    strict, tensors = compiled(function, fullgraph=True), tuple(tree.tensors(arguments))
    graph: FuncGraph = capturing.capture_call(strict, function, run, tensors, {}, finish=_finished, strict=True)
    return graph


def _finished(
    jitted: core.Jit,
    capture: core.Capture,
    args: Args,
    kwargs: Kwargs,
    *,
    results: Any,
    tree: Any,
    writes: Any,
    errors: Any,
    effects: Any,
    **others: Any,
) -> FuncGraph:
    if writes:
        raise core.CaptureError("the function assigns elements of an argument, which the graph alone cannot.")
    if effects:
        raise core.CaptureError("the function changes what is outside of it, which needs Python.")
    if errors:
        raise core.CaptureError("the function raises an error where elements say so, which needs Python.")
    structure = _structure(tree, results)
    module, hidden = capture.finish(results)
    names = module.params[len(module.params) - len(hidden) :]
    unique: dict[str, Any] = {}
    for name, value in zip(names, hidden):
        free = itertools.chain([name], map(f"{name}.{{}}".format, itertools.count(1)))
        unique[next(text for text in free if text not in unique)] = value
    return FuncGraph(module, unique, structure)


def _structure(spec: Any, results: list[Any]) -> Any:
    """The structure of a tree (state/results.py); Tensors from outside, as which the graph alone returns what they hold, are
    added to the results."""
    if isinstance(spec, int):
        return spec
    kind, content = spec
    if kind in ("tuple", "list"):
        return [kind, [_structure(item, results) for item in content]]
    if kind == "dict" and all(isinstance(key, _CONSTANTS) for key in content):
        return [kind, [[key, _structure(item, results)] for key, item in content.items()]]
    if kind == "keep":
        return [kind, _structure(content, results)]
    if kind in ("given", "again") or (kind == "const" and isinstance(content, _CONSTANTS)):
        return [kind, content]
    if kind == "const" and isinstance(content, core.Tensor):
        results.append(content)
        return len(results) - 1
    raise core.CaptureError(
        "the function returns objects of Python's; a graph returns Tensors, numbers, strs, None, tuples, lists, dicts."
    )


def runner(graph: FuncGraph, outside: dict[str, Any]) -> Any:
    """What runs a graph: a jitted function of its arguments, Tensors.

    Args:
        outside: Parameters and Tensors in place of the graph's.
    """

    def run(*arguments: Any) -> Any:
        operands = [*arguments, *outside.values()]
        results = core.current_capture().call_module(graph.module, operands)
        return from_spec(graph.results, results, arguments)

    return compiled(run, DIRECT, eager=False)


def check_results(graph: FuncGraph) -> None:
    """Raises ValueError if the structure of the results is none, or names what there is not."""
    try:
        from_spec(graph.results, [None] * graph.module.results, (None,) * graph.count())
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the structure of its results is malformed ({type(error).__name__}: {error})") from None
