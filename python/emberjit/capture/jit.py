"""The jit transform: options, capture on a miss, and what a jitted function answers about itself."""

from __future__ import annotations

import contextlib
import functools
import os
import types
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit import context, explain
from emberjit.capture import outside, recursion, special, state, tree
from emberjit.capture.options import check_options, take_old_options

EAGER_MISSES = 15  # between two captures, when all places for graphs are taken

# Set by save_graphs: called with (function name, pass, IR text) after capture and after each pass.
graph_dump: Callable[[str, str, str], None] | None = None

# Called with (function name, reason) when a function turns out not to enter a graph as a whole.
on_break: Callable[[str, str], None] | None = None


def jit(
    function: Callable[..., Any] | None = None,
    *,
    capture_mode: str = "ast",
    jit_level: str = "O0",
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    **options: Any,
) -> Any:
    """Makes a function that captures its Python into a graph once and runs the graph from then on.

    Args:
        function: what to capture: a function, a static or class method, a Cell, or a class of Cells, whose construct becomes
            jitted; without it, jit answers a decorator.
        capture_mode: "ast" interprets the source, "bytecode" CPython 3.11's bytecode (other versions: the source), so that
            conditions on Tensors enter the graph; "trace" records one run.
        jit_level: "O0" keeps eager's bits.
        dynamic: 0 or 1; shapes are symbolic either way.
        fullgraph: whether what cannot enter the graph is an error; if not, it runs in Python, and `explain()["breaks"]` says
            what and why.
        backend: "", "ms_backend" and "GE" all mean the one backend.
        options: accepted for MindSpore's sake: mode ("PSJit", "PIJit"), jit_config (a JitConfig), options of backends.

    Raises:
        ValueError: an option has a value that does not exist.
        TypeError: an option has the wrong type.
    """
    capture_mode, jit_level, fullgraph = take_old_options(options, capture_mode, jit_level, fullgraph)
    check_options(capture_mode, jit_level, dynamic, fullgraph, backend)
    if function is None:
        return functools.partial(jit, capture_mode=capture_mode, jit_level=jit_level, fullgraph=fullgraph)
    if isinstance(function, (staticmethod, classmethod)):
        plain = jit(function.__func__, capture_mode=capture_mode, jit_level=jit_level, fullgraph=fullgraph)
        return type(function)(plain)
    if not callable(function):
        raise TypeError(f"For 'jit', the argument 'function' must be callable, but got {function!r}.")
    if os.environ.get("MS_JIT") == "0":
        return function
    state.load(capture_mode)
    if isinstance(function, type) and special.is_cell(function):
        cell: Any = function
        cell.construct = compiled(cell.construct, capture_mode, fullgraph)
        return cell
    return compiled(function, capture_mode, fullgraph)


def compiled(function: Callable[..., Any], capture_mode: str = "ast", fullgraph: bool = False, eager: bool = True) -> Any:
    """The core.Jit object that captures `function` on each miss.

    When as many graphs as it keeps have been captured, most misses run eagerly, if the function can: values that
    graphs depend on and that keep changing cost eager's time then, and not a capture each. What cannot enter a graph
    is an error with `fullgraph`, or if the function has no eager meaning; else it runs in Python (resume.py), as all does
    that a debugger follows. It also runs op by op where its graph lacks a gradient that an open tape may ask for.
    """
    follow = state.call if capture_mode != "trace" else _direct
    engine = "bytecode" if capture_mode == "bytecode" and state.EXECUTABLE else "ast"
    captures = passed = 0
    broken: Any = None

    def miss(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            return missed(args, kwargs)
        except BaseException as error:
            from emberjit.capture import executor

            executor.show_user_code(error)
            raise

    def missed(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        nonlocal captures, passed, broken
        if broken is not None:
            return broken(args, kwargs)
        if eager and captures >= core.MOST_GRAPHS and passed < EAGER_MISSES:
            passed += 1
            return function(*args, **kwargs)
        captures, passed = captures + 1, 0
        try:
            finish = followed(jitted, function, follow, args, kwargs, engine)
        except core.CaptureError as error:
            if fullgraph or not eager:
                raise
            note(str(error))
            broken = _plain(function) if isinstance(error, state.ForPython) else _breaking(function, note)
            jitted.callees = getattr(broken, "callees", ())
        except Exception as error:
            if fullgraph or not eager or isinstance(error, state.GraphError):
                raise
            raised: Any = error
        else:
            return finish().run(args, kwargs)
        if broken is not None:
            return broken(args, kwargs)
        try:
            result = function(*args, **kwargs)
        except type(raised):
            raise  # the user's error, with the user's frames
        except Exception:
            if raised.graph_raises:
                raise  # an earlier one
            raise raised from None
        note(f"{type(raised).__name__}: {raised}")
        return result

    def note(reason: str) -> None:
        if reason not in jitted.breaks:
            jitted.breaks.append(reason)
            if on_break is not None:
                on_break(jitted.__name__, reason)

    def inner(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if core.current_capture() is None:
            return function(*args, **kwargs)
        return follow(function, *args, **kwargs)

    jitted = core.Jit(miss, inner, function, eager and not fullgraph)
    functools.update_wrapper(jitted, function, updated=())
    jitted.breaks = [] if capture_mode in (engine, "trace") else ["bytecode capture knows CPython 3.11 only: ast"]
    jitted.explain = functools.partial(explain.explain, jitted)
    jitted.save = functools.partial(explain.save_module, jitted)
    return jitted


def _direct(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _breaking(function: Callable[..., Any], note: Callable[[str], None]) -> Callable[[Any, Any], Any]:
    """What runs a function of which not all enters a graph."""
    from emberjit.capture import resume

    return resume.driver(function, note) or _plain(function)


def _plain(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    return lambda args, kwargs: function(*args, **kwargs)


def followed(
    jitted: Any,
    function: Any,
    follow: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    engine: str = "ast",
) -> Callable[[], Any]:
    """Captures one call of `function`. The answer makes code of it, adds that to what `jitted` knows and answers it."""
    recursive: dict[Any, str | None] = {}
    while True:
        reads = state.Reads(engine)
        reads.recursive = recursive
        try:
            return _followed(jitted, function, follow, args, kwargs, reads)
        except recursion.Found:
            continue


def _followed(
    jitted: Any, function: Any, follow: Callable[..., Any], args: Any, kwargs: Any, reads: state.Reads
) -> Callable[[], Any]:
    name = getattr(function, "__qualname__", type(function).__name__).replace("<locals>.", "")
    capture = core.Capture(name)
    with capture, state.interpreting(reads), _located(function, capture):
        leaves: list[Any] = []  # of the arguments, as captured
        inputs = [_inputs(capture, reads, arg, name, leaves) for arg, name in zip(args, _names(function, args))]
        keywords = {name: _inputs(capture, reads, arg, name, leaves) for name, arg in kwargs.items()}
        outside.take(function)
        try:
            value = follow(function, *inputs, **keywords)
        except BaseException as error:
            from emberjit.capture import errors

            if not errors.is_thrown(error):
                raise
            errors.record(error)
            value = None
        if capture.refused:
            raise core.CaptureError("something that cannot be captured into a graph was caught as an exception.")
        outside.check_unchanged(reads)
        outside.check_result(reads, value)
        results: list[Any] = []
        given = {id(leaf): number for number, leaf in enumerate(leaves) if isinstance(leaf, core.Tensor)}
        spec = tree.result_spec(value, results, given=given)
        written = capture.written_inputs()
        writes = [(leaf, len(results) + i) for i, (leaf, _) in enumerate(written)]
        results.extend(tensor for _, tensor in written)
        core.check_writes(capture, args, kwargs, writes)
    dump = None if graph_dump is None else functools.partial(graph_dump, name)
    guards = list(reads.guards.values())
    if capture.depends_on_matmul_precision():
        guards.append(context.precision_guard())
    core.set_load_elimination(context.load_elimination())
    return lambda: core.add_entry(jitted, capture, args, kwargs, results, spec, guards, writes, reads.errors, dump)


@contextlib.contextmanager
def _located(function: Any, capture: Any) -> Iterator[None]:
    """Names the function where an error does not say more; notes of others whether the graph may raise one before."""
    try:
        yield
    except core.CaptureError as error:
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        if isinstance(code, types.CodeType):
            state.locate(error, code.co_filename, code.co_firstlineno)
        raise
    except Exception as error:
        error.graph_raises = capture.raising() > 0  # type: ignore[attr-defined]
        raise


def _names(function: Callable[..., Any], args: tuple[Any, ...]) -> list[str]:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if not isinstance(code, types.CodeType):
        return [f"x{i}" for i in range(len(args))]
    names = list(code.co_varnames[: code.co_argcount])
    if isinstance(function, types.MethodType):
        names = names[1:]
    return names[: len(args)] + [f"x{i}" for i in range(len(names), len(args))]


def _inputs(capture: Any, reads: state.Reads, argument: Any, name: str, leaves: list[Any]) -> Any:
    value = tree.rebuild(argument, lambda leaf: _input(capture, leaf, name, leaves))
    for container in tree.containers(value):
        reads.known[id(container)] = container
        reads.copies.append((container, core.content(container)))
    return value


def _input(capture: Any, leaf: Any, name: str, leaves: list[Any]) -> Any:
    number = type(leaf) in (bool, float) or (type(leaf) is int and -(1 << 63) <= leaf < 1 << 63)
    if not number and not isinstance(leaf, core.Tensor):
        return outside.take(leaf)
    leaves.append(capture.add_input(leaf, name))
    return leaves[-1]
