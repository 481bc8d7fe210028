"""Python's builtins as captured code calls them, where a Tensor needs a node instead of a Python value, or a guard."""

from __future__ import annotations

import builtins
import functools
import io
import math
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.calls.spread import is_iterable
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.code.lookup import in_class
from emberjit.capture.code.signature import Args, Kwargs
from emberjit.capture.guards.attributes import get_attribute, has_attribute, plain_attribute, read_attribute
from emberjit.capture.guards.record import guard_attribute, guard_fields, read_elements
from emberjit.capture.session.errors import NoCall
from emberjit.capture.session.session import ALL, call_library, current_session, follow
from emberjit.capture.state import effect_rules
from emberjit.capture.state.deferred_strings import DeferredString, defer, settled, shown
from emberjit.capture.state.namespace import Opaque, observe_opaque
from emberjit.capture.state.text_patterns import REPR, escaped, number_tensor, pattern_of
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
            return capture.to_number(core.ops.cast(value, core.float64))
        if isinstance(value, core.Tensor):
            read_elements(value)
        if kind != "bool" and isinstance(value, core.Number) and value.known and len(args) == 1 and not base:
            return core.number_as(kind, value)
        return call_library(plain, args, base)

    return convert


def is_single(value: Any) -> bool:
    """Whether a value is a Tensor of the graph with one element, of which Python has a number."""
    captured = isinstance(value, core.Tensor) and core.is_captured(value)
    return captured and value.dtype not in (core.complex64, core.complex128) and bool(value.size == 1)


def item(tensor: core.Tensor) -> Any:
    """tensor.item(), as a number of the graph."""
    if tensor.dtype == core.bool_:
        return _number("bool", bool)(tensor)
    return _number("float", float)(tensor) if tensor.is_floating_point() else _number("int", int)(tensor)


def _print(*values: Any, sep: str | None = None, end: str | None = None, **rest: Any) -> None:
    """Prints from the graph, in each call: Tensors and numbers as they are then, all else as the text that it is now."""
    _check_output()
    rest.pop("flush", None)
    if rest:
        raise core.CaptureError(f"print({', '.join(rest)}=...) cannot be captured into a graph: print to standard output.")
    for name, text in (("sep", sep), ("end", end)):
        if not isinstance(text, (str, DeferredString, type(None))):
            raise TypeError(f"{name} must be None or a string, not {core.type_name(text)}")
    said = [part for value in values for part in (" " if sep is None else sep, value)][1:]
    operands: list[Any] = []
    pattern = "".join(_pattern(shown(part), operands) for part in (*said, "\n" if end is None else end))
    if pattern:
        core.ops.print_(tuple(operands), pattern)


def _pattern(value: Any, operands: list[Any]) -> str:
    """What is printed of a value, as print_ writes it; adds the operands of that."""
    of_runs = (DeferredString, core.Tensor, core.Number)
    if not any(isinstance(leaf, of_runs) for leaf in tree.leaves(value)):
        return escaped(follow(str, value))

    def hole(leaf: Any, form: str) -> str:
        operands.append(number_tensor(leaf) if form.startswith(":") else leaf)
        return "{}" if form == REPR else f"{{{form}}}"

    try:
        text = value if isinstance(value, of_runs) else defer(str, value)
        return pattern_of(text, lambda leaf: isinstance(leaf, of_runs[1:]), hole, pins=True)
    except (TypeError, ValueError):
        raise core.CaptureError(
            "print of numbers formatted from elements cannot be captured into a graph: print the Tensors."
        ) from None


def _check_output() -> None:
    """Graphs print to the process's output, not to a text that Python collects."""
    guard_attribute(sys, "stdout")
    if not issubclass(type(sys.stdout), io.TextIOWrapper):
        raise core.CaptureError("print to a redirected standard output cannot be captured into a graph.")


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
    is_parameter = session is not None and id(value) in session.parameters
    cls = core.Parameter if is_parameter else getattr(type(value), "stands_for", None)
    check, what = (isinstance, value) if cls is None else (issubclass, cls)
    plain = not core.can_change(type(what)) and all(map(_is_fixed, kinds if type(kinds) is tuple else (kinds,)))
    result = check(what, kinds) if plain else bool(call_library(check, (what, kinds), {}))
    chosen = isinstance(value, core.Tensor) and core.is_captured(value) and not is_parameter and core.is_chosen(value)
    if not result and chosen and issubclass(core.Parameter, kinds):
        raise core.CaptureError("whether a Tensor is a Parameter is asked, which may be otherwise in each call.")
    return result


def _frame_reader(function: Callable[..., Any], of_object: Any = None) -> Any:
    def call(*args: Any) -> Any:
        if args and of_object is not None:
            return of_object(*args)
        raise core.CaptureError(f"{function.__name__}() cannot be captured into a graph: name the variables.")

    return call


def _getattr(owner: Any, name: Any, *default: Any) -> Any:
    name = settled(name)
    return get_attribute(owner, name, *default) if default else read_attribute(owner, name)


def _setattr(owner: Any, name: Any, value: Any, /) -> None:
    effect_rules.set_attribute(_call_library, owner, name, value)


def _delattr(owner: Any, name: Any, /) -> None:
    effect_rules.set_attribute(_call_library, owner, name)


def _call_library(function: Callable[..., Any], *args: Any) -> Any:
    return call_library(function, args, {})


def _dir(owner: Any) -> Any:
    session = current_session()
    if session is not None and isinstance(owner, types.ModuleType):
        session.guard_content(vars(owner))
    elif session is not None:
        guard_fields(session, owner)
        if isinstance(owner, type):
            session.guard_type(owner, ALL)
    return call_library(dir, (owner,), {})


def _vars(owner: Any) -> Any:
    fields = get_attribute(owner, "__dict__", None)
    if fields is None:
        raise TypeError("vars() argument must have __dict__ attribute")
    return fields


def _len(value: Any) -> Any:
    if isinstance(value, core.Tensor) and core.is_captured(value) and value.ndim > 0:
        return value.shape[0]
    return call_library(len, (value,), {})


def _extreme(function: Callable[..., Any], least: bool) -> Any:
    def call(*args: Any, **options: Any) -> Any:
        values = list(args[0]) if len(args) == 1 and type(args[0]) in (tuple, list) else list(args)
        ints = [value for value in values if getattr(value, "__class__", None) is int]
        if not options and len(ints) == len(values) > 1 and core.are_symbolic(values):
            return functools.reduce(lambda a, b: a if a is b else _of_two(a, b, least), values)
        return call_library(function, args, options)

    return call


def _of_two(a: Any, b: Any, least: bool) -> Any:
    if core.are_symbolic([a, b]):
        return core.least_or_greatest(a, b, least)
    return min(a, b) if least else max(a, b)


def of_numbers(function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
    """What a function of Python's that only computes gives of numbers that come with a call; None if that is another
    function, or of something else."""
    if kwargs or not args or getattr(function, "__module__", None) != "math":
        return None
    if function is math.prod and len(args) == 1 and type(args[0]) in (tuple, list) and core.are_symbolic(list(args[0])):
        return functools.reduce(operator.mul, args[0])
    return core.compute_number(function, list(args)) if core.are_symbolic(list(args)) else None


def join(separator: str, items: Any) -> Any:
    """separator.join(items)."""
    values = follow(list, items) if is_iterable(items) else items
    if type(values) is list and all(isinstance(value, (str, DeferredString)) for value in values):
        return defer(str.join, separator, values)
    return call_library(separator.join, (values,), {})


REPLACEMENTS: dict[Any, Any] = {
    builtins.len: _len,
    builtins.min: _extreme(min, True),
    builtins.max: _extreme(max, False),
    **{function: _frame_reader(function) for function in (locals, globals, eval, exec)},
    builtins.vars: _frame_reader(vars, _vars),
    builtins.dir: _frame_reader(dir, _dir),
    builtins.getattr: _getattr,
    object.__getattribute__: plain_attribute,
    type.__getattribute__: plain_attribute,
    builtins.hasattr: lambda owner, name: has_attribute(owner, settled(name)),
    builtins.isinstance: _isinstance,
    builtins.setattr: _setattr,
    builtins.delattr: _delattr,
    builtins.type: _type,
    builtins.bool: _number("bool", bool),
    builtins.int: _number("int", int),
    builtins.float: _number("float", float),
    builtins.print: _print,
    **{function: functools.partial(defer, function) for function in (builtins.str, builtins.repr, builtins.format)},
}
