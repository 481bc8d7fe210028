"""The registry of public names. A module of emberjit.functions declares what it defines when it is imported, and is imported
when one of its names is first used; index.py, written by tools/stubs.py, says which module that is.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from emberjit import _emberjit as core
from emberjit.publish import signature
from emberjit.publish.index import NAMES

_F = TypeVar("_F", bound=Callable[..., Any])


class Declaration(NamedTuple):
    """A spelling of a definition."""

    scope: str  # "ops", "Tensor", "mint.nn.functional"
    name: str
    lists: list[str]  # texts of its parameters
    target: Any  # an op of the table, or a function
    in_python: bool  # whether no graph is made of it
    numpy: str
    samples: str
    module: str  # of emberjit.functions, that declares it


declarations: dict[str, dict[str, list[Declaration]]] = {}  # by scope and name


def _declare(spellings: str, target: Any, module: str, in_python: bool = False, numpy: str = "", samples: str = "") -> None:
    for word in signature.words(spellings):
        path, lists = signature.split(word)
        scope, _, name = path.rpartition(".")
        declaration = Declaration(
            scope, name, lists, target, in_python, numpy, samples, module.removeprefix("emberjit.functions.")
        )
        declarations.setdefault(scope, {}).setdefault(name, []).append(declaration)


def publish(spellings: str, *, numpy: str = "", samples: str = "", in_python: bool = False) -> Callable[[_F], _F]:
    """Publishes a composition: a function over ops, whose annotations say the kinds of its parameters.

    Args:
        spellings: its names with their parameters (signature.py).
        numpy: the reference of the tests, an expression over the parameters.
        samples: arguments of calls for the tests, separated by semicolons: "f32(2, 3), 1; i64(4)".
        in_python: whether it runs op by op always: its results are views or no Tensors, or it acts.
    """

    def decorate(definition: _F) -> _F:
        _declare(spellings, definition, definition.__module__, in_python, numpy, samples)
        return definition

    return decorate


def publish_ops(module: str, text: str, *, as_graphs: bool = False) -> None:
    """Publishes ops of the table, from a module: a line begins with an op's name and a colon, its spellings follow.

    Args:
        as_graphs: whether they are composed of other ops, and run as graphs as compositions in Python do.
    """
    name, spellings = "", ""
    for line in [*text.splitlines(), "end:"]:
        head, colon, rest = line.partition(": ")
        if line[:1].isspace() or not line:
            spellings += line + "\n"
            continue
        if name:
            _declare(spellings, core.op_table[name], module, in_python=not as_graphs)
        name, spellings = head.rstrip(":"), rest if colon else ""


_compile: Callable[..., Any] | None = None


def provide(compile: Callable[..., Any]) -> None:
    """Says what makes a graph of a composition: compile(composition), which is called as the composition is."""
    global _compile
    _compile = compile


def _compile_op(op: Any) -> Any:
    return _compile and _compile(lambda *operands: op(*operands))


def graph_of(declared: Declaration) -> Any:
    """What makes a graph of the composition that is declared; None for what runs as it is."""
    if declared.in_python:
        return None
    return _compile if isinstance(declared.target, types.FunctionType) else _compile_op


def overloads(spellings: list[Declaration]) -> list[tuple[signature.Spelled, tuple[Any, ...]]]:
    """What the declarations of one name say."""
    out = []
    for declaration in spellings:
        definition = signature.definition_of(declaration.target)
        spelled = signature.spell(declaration.name, declaration.lists[0] if declaration.lists else None, definition)
        if declaration.scope == "Tensor":
            spelled = signature.as_method(spelled, definition)
        out.append((spelled, signature.overload(spelled, declaration.target, definition, graph_of(declaration))))
    return out


def declared(scope: str, name: str) -> list[Declaration]:
    """The declarations of a name; none if it does not exist."""
    module = NAMES.get(scope, {}).get(name)
    if module is not None:
        importlib.import_module(f"emberjit.functions.{module}")
    return declarations.get(scope, {}).get(name, [])


def details(path: str, spellings: list[tuple[signature.Spelled, Any]]) -> Any:
    """What Python tells of a function, whose declarations are spelled so; what makes it loads when somebody asks."""
    from emberjit.publish import describe

    return describe.details(path, spellings)


def _details(function: Any) -> Any:
    scope, name = _scope_of(function), function.__name__
    spellings = declared(scope, name)
    return details(f"{scope}.{name}", [(spelled, one.target) for one, (spelled, _) in zip(spellings, overloads(spellings))])


def _scope_of(function: Any) -> str:
    scope, _, _ = f"{function.__module__}.{function.__qualname__}"[len("emberjit.") :].rpartition(".")
    return scope


def _load(function: Any) -> None:
    function.define([row for _, row in overloads(declared(_scope_of(function), function.__name__))])


def function(scope: str, name: str) -> Any:
    """The public function of a name that is declared."""
    if scope == "Tensor":
        return core.Function(name, f"Tensor.{name}", "emberjit", _load, _details, True)
    return core.Function(name, name, f"emberjit.{scope}", _load, _details)


def find(scope: str, name: str, class_of: Callable[[Declaration], type] | None = None) -> Any:
    """What a name stands for, or None if it is not declared.

    Args:
        class_of: in scopes of classes makes those, whose names begin with a capital.
    """
    if name not in NAMES.get(scope, ()):
        return None
    if class_of is not None and name[0].isupper():
        return class_of(declared(scope, name)[0])
    return function(scope, name)
