"""What jitted functions tell about themselves."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

from emberjit import _emberjit as core

if TYPE_CHECKING:
    from emberjit.capture.jit.report import Report


def _jitted(function: Any) -> Any:
    return getattr(function, "__func__", function)


def explain(function: Any) -> Report:
    """What is known of a jitted function.

    Args:
        function: the jitted function, or a method that is one.

    Returns:
        A dict that prints as a short report, and folds in a notebook; to_dict() is the same as a plain dict, for JSON.
        {"entries": [...]}: one item a captured graph, with the structure of its arguments, how many numbers are pinned
        and guards checked, the effects that follow a run of it (changes of objects from outside, in words), its bytecode as
        text, and its specialisations: shapes, calls, times in microseconds, tier,
        bytes of code, deopts by reason, and as text what binding to the shapes decided (layouts, aliases, what is done in
        place or within another's kernel, the memory plan); how many specialisations the cap has evicted; and the packed
        copies that are kept of its Parameters and constants, with their bytes and how often they were used. If a gradient
        is taken of the calls, its graphs count among those of the item. {"breaks": [...]}: why not all of the function
        enters a graph, each with file and line; empty if all does. {"segments": [...]}: of a function with breaks, one item
        a part that graphs were made of, in the order of the code: the file and line where it begins, and entries likewise.
        {"misses": [...]}: one item a guard
        that failed where no other graph served the call: its text, what it held and met last, how often, the user's line.
        {"calls": {...}}: how many were by graph, in parts (graphs between breaks), and in Python;
        {"calls_in_python": [...]}: why the last, where no break made them: guards that kept failing, or both ways' times.
        {"cache": [...]}: what the compile cache did for the function ("stored: FILE", "hit: FILE", "stale: WHAT"), the
        latest last.
        {"callees": [...]}: one item a function that Python has called at a break with Tensors, with its name, how many of
        its frames were offered (few, of one that is faster in Python), and entries, breaks and segments likewise.

    Raises:
        TypeError: not a jitted function.

    Examples:
        >>> double = ms.jit(lambda x: x * 2)
        >>> y = double(Tensor([1.0, 2.0]))
        >>> report = ms.explain(double)
        >>> print(len(report["entries"]), report["breaks"])
        1 []
    """
    from emberjit.capture.jit.report import Report, title_of

    jitted = _jitted(function)
    if not isinstance(jitted, core.Jit):
        raise TypeError(f"For 'explain', the argument 'function' must be a jitted function, but got {function!r}.")
    callees = [
        {"name": callee.__name__, "frames": callee.frames, **_graphs(callee.graph, callee, [*callee.drivers.values()])}
        for callee in getattr(jitted, "callees", ())
    ]
    drivers = [] if jitted.driver is None else [jitted.driver]
    items = {**_graphs(jitted, jitted, drivers), "callees": callees, "cache": list(getattr(jitted, "cache", ()))}
    return Report(items, title_of(jitted))


def _graphs(graph: Any, owner: Any, drivers: list[Any]) -> dict[str, Any]:
    segments = [
        {"line": place, "entries": entries}
        for driver in drivers
        for place, segment in driver.segments()
        if (entries := core.explain(segment))
    ]
    misses = [dataclasses.asdict(miss) for miss in getattr(graph, "misses", {}).values()]
    return {
        "entries": core.explain(graph),
        "breaks": list(getattr(owner, "breaks", ())),
        "segments": segments,
        "misses": misses,
        "calls": {
            "by_graph": graph.hits,
            "in_parts": sum(driver.calls for driver in drivers),
            "in_python": graph.python_calls,
        },
        "calls_in_python": _reasons(graph, misses, drivers),
    }


def _reasons(graph: Any, misses: list[dict[str, Any]], drivers: list[Any]) -> list[str]:
    """Why calls run in Python without a break: the guards that keep failing, or the times of both ways."""
    if graph.python_calls == 0:
        return []
    faster = [reason for driver in drivers if (reason := driver.why_python()) is not None]
    return faster + [f"{miss['guard']}: held {miss['held']}, met {miss['met']}, {miss['times']} times" for miss in misses]


def text_of(jitted: Any) -> str:
    """The line that a jitted function prints as (jit.cpp)."""
    from emberjit.capture.jit.report import state_of
    from emberjit.printing.cells import with_cells
    from emberjit.printing.values import outside_captures

    outside_captures(jitted)
    report = explain(jitted)
    return with_cells(f"<jit {report.title}: {' '.join(state_of(report).split())}>")


def html_of(jitted: Any) -> str:
    """The report that a jitted function shows in a notebook."""
    return explain(jitted)._repr_html_()


def save_module(function: Any, path: str | bytes | os.PathLike[Any]) -> list[str]:
    """Writes a jitted function, as last captured, with its Parameters to a module file for vmtool, whole or not at all. What
    it writes of these, as a step of training does, is state of the module: each call of it goes on from the one before.
    Numbers and Tensors from outside that differ from call to call are parameters of the module, behind the arguments.
    Of a function with breaks each graph between them is a module of its own, PATH-1, PATH-2, ..., in the order of the code.

    Args:
        function: the jitted function, or a method that is one.
        path: the file's.

    Returns:
        list[str]: the files.

    Raises:
        TypeError: not a jitted function.
        ValueError: it has not been called yet.
        OSError: the file cannot be written.

    Examples:
        >>> double = ms.jit(lambda x: x * 2)
        >>> y = double(Tensor([1.0, 2.0]))
        >>> ms.save_module(double, "double.mod")
        ['double.mod']
    """
    jitted = _jitted(function)
    segments = [] if jitted.driver is None else [graph for _, graph in jitted.driver.segments() if core.explain(graph)]
    if not segments or core.explain(jitted):
        core.write_file(os.fsencode(path), [core.encoded(jitted)])
        return [os.fsdecode(path)]
    paths = [f"{os.fsdecode(path)}-{number}" for number in range(1, len(segments) + 1)]
    for part, segment in zip(paths, segments):
        core.write_file(os.fsencode(part), [core.encoded(segment)])
    return paths
