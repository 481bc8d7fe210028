"""Python's builtins as captured code calls them, where a Tensor needs a node instead of a Python value, or a guard."""

from __future__ import annotations

import builtins
import functools
import io
import sys
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import in_class
from emberjit.capture.guards.attributes import get_attribute, has_attribute, plain_attribute, read_attribute
from emberjit.capture.guards.record import guard_attribute, guard_fields, read_elements
from emberjit.capture.guards.targets import check_target
from emberjit.capture.session.engine import engine
from emberjit.capture.session.errors import NoCall
from emberjit.capture.session.session import ALL, current_session
from emberjit.capture.state.deferred_strings import DeferredString, defer, pattern_of, shown
from emberjit.capture.state.namespace import Opaque, observe_opaque
from emberjit.values import tree
from emberjit.values.cells import CellMarker, is_jit_class


def _number(kind: str, plain: Any) -> Any:
    def convert(*args: Any, **base: Any) -> Any:
        value = args[0] if args else None
        if isinstance(value, core.Tensor) and core.is_captured(value):
            capture = core.current_capture()
            if kind == "bool":
                return capture.truth(value)
            if kind == "int":
                return capture.to_int(value)
            if value.dtype in (core.complex64, core.complex128):
                raise TypeError("float() argument must be a string or a real number, not 'complex'")
            return capture.to_number(core.op_table["cast"](value, core.float64))
        if isinstance(value, core.Tensor):
            read_elements(value)
        return engine().call_library(plain, args, base)

    return convert


def _print(*values: Any, sep: str | None = None, end: str | None = None, **rest: Any) -> None:
    """Prints from the graph, in each call: Tensors as they are then, all else as the text that it is now."""
    _check_output()
    rest.pop("flush", None)
    if rest:
        raise core.CaptureError(f"print({', '.join(rest)}=...) cannot be captured into a graph: print to standard output.")
    tensors: list[Any] = []
    parts: list[str] = []
    for value in map(shown, values):
        if type(value) is DeferredString:
            parts.append(_pattern(value, tensors))
        elif tree.is_open(value):
            tensors.append(value)
            parts.append("{s}")
        elif any(core.is_captured(leaf) and not isinstance(leaf, core.Number) for leaf in tree.leaves(value)):
            raise core.CaptureError("print of a container of Tensors cannot be captured into a graph: print its items.")
        else:
            parts.append(_escaped(engine().call(str, value.value if isinstance(value, core.Number) else value)))
    pattern = _escaped(" " if sep is None else sep).join(parts) + _escaped("\n" if end is None else end)
    if pattern:
        core.op_table["print_"](tuple(tensors), pattern)


def _pattern(value: DeferredString, tensors: list[Any]) -> str:
    """A deferred string as print_ writes it; adds its Tensors."""
    leaves: list[Any] = []

    def number(leaf: Any) -> int | None:
        if isinstance(leaf, core.Tensor):
            leaves.append(leaf)
        return len(leaves) - 1 if isinstance(leaf, core.Tensor) else None

    def hole(number: int, repr: bool) -> str:
        tensors.append(leaves[number])
        return "{}" if repr else "{s}"

    try:
        return pattern_of(value, number, hole)
    except (TypeError, ValueError):
        raise core.CaptureError(
            "print of numbers formatted from elements cannot be captured into a graph: print the Tensors."
        ) from None


def _check_output() -> None:
    """Graphs print to the process's output, not to a text that Python collects."""
    guard_attribute(sys, "stdout")
    if not issubclass(type(sys.stdout), io.TextIOWrapper):
        raise core.CaptureError("print to a redirected standard output cannot be captured into a graph.")


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def check_callable(function: Any) -> None:
    """Refuses to call instances of a jit_class without __call__."""
    if not callable(function) and is_jit_class(type(function)):
        raise NoCall(f"MsClassObject: '{type(function).__name__}' has no __call__ function, please check the code.")


def check_finalizer(cls: type) -> None:
    """Refuses to make instances of which Python tells the user when they end."""
    if isinstance(in_class(cls, "__del__"), types.FunctionType):
        raise core.CaptureError(
            f"an instance of {cls.__name__} is made, whose __del__ a graph would not call: make it outside the captured "
            "function."
        )


def check_stateless(cls: type) -> None:
    """Refuses to make what each call would make anew: Parameters, and Cells of the library, or derived from them, that may
    have any."""
    library = next(base for base in cls.__mro__ if not written_by_user(base.__module__))
    if not getattr(library, "_stateless", False) and CellMarker not in library.__bases__:
        raise core.CaptureError(
            f"a {cls.__name__} is made, whose Parameters a graph would make only once: make it outside the function."
        )


def _type(value: Any, *rest: Any) -> Any:
    if rest:
        raise core.CaptureError("a class is made, which cannot be captured into a graph: define it outside.")
    if type(value) is Opaque:
        observe_opaque()
    session = current_session()
    if isinstance(value, core.Tensor) and session is not None:
        return session.class_of(value)
    return value.__class__ if isinstance(value, core.Number) else getattr(type(value), "stands_for", type(value))


def _is_fixed(kind: Any) -> bool:
    """Whether a value is a class that nobody can change, nor how it answers isinstance()."""
    return issubclass(type(kind), type) and not core.can_change(kind) and not core.can_change(type(kind))


def _isinstance(value: Any, kinds: Any) -> bool:
    """isinstance(), where a graph serves Parameters as it does other Tensors, and functions that captured code makes are
    none of Python's."""
    session = current_session()
    given = session is not None and id(value) in session.parameters
    cls = core.Parameter if given else getattr(type(value), "stands_for", None)
    check, what = (isinstance, value) if cls is None else (issubclass, cls)
    plain = not core.can_change(type(what)) and all(map(_is_fixed, kinds if type(kinds) is tuple else (kinds,)))
    found = check(what, kinds) if plain else bool(engine().call_library(check, (what, kinds), {}))
    chosen = isinstance(value, core.Tensor) and core.is_captured(value) and not given and core.is_chosen(value)
    if not found and chosen and issubclass(core.Parameter, kinds):
        raise core.CaptureError("whether a Tensor is a Parameter is asked, which may be otherwise in each call.")
    return found


def _frame_reader(function: Any, of_object: Any = None) -> Any:
    def call(*args: Any) -> Any:
        if args and of_object is not None:
            return of_object(*args)
        raise core.CaptureError(f"{function.__name__}() cannot be captured into a graph: name the variables.")

    return call


def _getattr(owner: Any, name: str, *default: Any) -> Any:
    return get_attribute(owner, name, *default) if default else read_attribute(owner, name)


def _change(function: Any, owner: Any, name: str, *value: Any) -> None:
    engine().call_library(function, (check_target(owner, name), name, *value), {})


def _dir(owner: Any) -> Any:
    session = current_session()
    if session is not None and isinstance(owner, types.ModuleType):
        session.guard_content(vars(owner))
    elif session is not None:
        guard_fields(session, owner)
        if isinstance(owner, type):
            session.guard_type(owner, ALL)
    return engine().call_library(dir, (owner,), {})


def _vars(owner: Any) -> Any:
    found = get_attribute(owner, "__dict__", None)
    if found is None:
        raise TypeError("vars() argument must have __dict__ attribute")
    return found


REPLACEMENTS: dict[Any, Any] = {
    **{function: _frame_reader(function) for function in (locals, globals, eval, exec)},
    builtins.vars: _frame_reader(vars, _vars),
    builtins.dir: _frame_reader(dir, _dir),
    builtins.getattr: _getattr,
    object.__getattribute__: plain_attribute,
    type.__getattribute__: plain_attribute,
    builtins.hasattr: has_attribute,
    builtins.isinstance: _isinstance,
    **{function: functools.partial(_change, function) for function in (builtins.setattr, builtins.delattr)},
    builtins.type: _type,
    builtins.bool: _number("bool", bool),
    builtins.int: _number("int", int),
    builtins.float: _number("float", float),
    builtins.print: _print,
    **{function: functools.partial(defer, function) for function in (builtins.str, builtins.repr, builtins.format)},
}
