"""The texts of declarations. A spelling is a name with its parameters, in terms of those of the definition:

    mint.sum(input, axis as dim, keepdims as keepdim = False, *, dtype)

Without a list of parameters it has the definition's. Of a parameter,

    input                       is called as in the definition, and has its kind and its default
    axis as dim                 is the definition's `axis`
    dim|axis                    may also be called `axis`
    dim: int? = None            is of another kind than the definition's, or has another default; `?`: or None
    size = ...                  has no default
    *size                       takes all positional arguments that are left, or one tuple
    *                           those that follow are given by keyword only
    value := 0                  is no parameter: the definition's `value` is 0
    result as dtype             converts the result, if it is given and not None

A name that ends with an underscore writes the definition's result into its first argument, if a Tensor, and returns that.
A method's object is the parameter called `self`, or else the definition's first. A Primitive or Cell has two lists:
ops.ReduceSum(keep_dims)(x, axis).
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from emberjit import _emberjit as core

REQUIRED: Any = ...
ANY_WAY, BY_KEYWORD, VARIADIC = range(3)  # how an argument is passed
OPERANDS = ("tensor", "tensors", "number", "ref")
_KINDS = {
    **{"Tensor": "tensor", "Tensors": "tensors", "Number": "number", "Ints": "ints", "DType": "dtype", "Any": "object"},
    **{name: name for name in ("int", "float", "bool", "str")},
}
_ITEM = re.compile(
    r"(?P<star>\*)?(?:(?P<source>\w+) as )?(?P<names>\w+(?:\|\w+)*)(?:\s*:\s*(?P<kind>\w+)(?P<optional>\?)?)?"
    r"(?:\s*(?P<sign>:?=)\s*(?P<value>.+))?$",
    re.DOTALL,
)


class Parameter(NamedTuple):
    """A parameter of a definition or of a spelling."""

    name: str
    kind: str
    optional: bool = False
    default: Any = REQUIRED
    source: str = ""  # the definition's name for it
    aliases: tuple[str, ...] = ()
    passed: int = ANY_WAY


_RESULT = Parameter("result", "dtype", True, None)


class Spelled(NamedTuple):
    """A public name with its parameters; the definition's parameters that have other values than their defaults."""

    name: str
    parameters: tuple[Parameter, ...]
    constants: dict[str, Any]


def is_in_place(spelled: Spelled) -> bool:
    """Whether the function writes its result into its first argument, a Tensor."""
    if not spelled.name.endswith("_"):
        return False
    first = spelled.parameters[0]
    return first.name == "self" or first.kind in OPERANDS


def words(text: str) -> Iterator[str]:
    """The spellings of a text: what stands between blanks, those in parentheses excepted."""
    depth, word = 0, ""
    for char in text + " ":
        depth += (char in "([{") - (char in ")]}")
        if char.isspace() and depth == 0:
            if word:
                yield word
            word = ""
        else:
            word += char


def _items(text: str) -> Iterator[str]:
    depth, item = 0, ""
    for char in text + ",":
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            if item.strip():
                yield " ".join(item.split())
            item = ""
        else:
            item += char


def split(word: str) -> tuple[str, list[str]]:
    """The name of a spelling and its lists of parameters."""
    name, lists, depth, current = "", [], 0, ""
    for char in word:
        depth += char == "("
        if depth == 0:
            name += char
        elif not (char == "(" and depth == 1) and not (char == ")" and depth == 1):
            current += char
        depth -= char == ")"
        if char == ")" and depth == 0:
            lists.append(current)
            current = ""
    return name, lists


def of_op(op: Any) -> tuple[Parameter, ...]:
    """The parameters of an op of the table."""
    return tuple(
        Parameter(name, kind, optional, default if has_default else REQUIRED)
        for name, kind, optional, has_default, default in op.params
    )


def of_function(function: types.FunctionType) -> tuple[Parameter, ...]:
    """The parameters of a composition, by its annotations."""
    code, defaults = function.__code__, function.__defaults__ or ()
    if code.co_kwonlyargcount or code.co_flags & 0x0C:
        raise TypeError(f"{function.__name__}: a composition has positional parameters only; spellings say more")
    names = code.co_varnames[: code.co_argcount]
    required = len(names) - len(defaults)
    out = []
    for i, name in enumerate(names):
        kind, _, none = function.__annotations__[name].partition(" | ")
        out.append(Parameter(name, _KINDS[kind], none == "None", REQUIRED if i < required else defaults[i - required]))
    return tuple(out)


def definition_of(target: Any) -> tuple[Parameter, ...]:
    """The parameters of what a declaration publishes; a function that is made may say its own."""
    own: tuple[Parameter, ...] | None = getattr(target, "definition", None)
    if own is not None:
        return own
    return of_function(target) if isinstance(target, types.FunctionType) else of_op(target)


def _value(text: str) -> Any:
    import ast

    constant = getattr(core, text, None)
    return constant if isinstance(constant, core.dtype) else ast.literal_eval(text)


def spell(name: str, text: str | None, definition: tuple[Parameter, ...]) -> Spelled:
    """A spelling by its list of parameters, None for the definition's own.

    Raises:
        ValueError: it is not well formed, or names what the definition does not have.
    """
    if text is None:
        return Spelled(name, tuple(p._replace(source=p.name) for p in definition), {})
    known = {p.name: p for p in definition}
    parameters: list[Parameter] = []
    constants: dict[str, Any] = {}
    passed = ANY_WAY
    for item in _items(text):
        if item == "*":
            passed = BY_KEYWORD
            continue
        match = _ITEM.match(item)
        if match is None:
            raise ValueError(f"{name}: '{item}' is no parameter")
        own_name, *aliases = match["names"].split("|")
        source = match["source"] or own_name
        base = _RESULT if source == _RESULT.name else known.get(source)
        if base is None:
            raise ValueError(f"{name}: the definition has no parameter '{source}'")
        if match["sign"] == ":=":
            constants[source] = _value(match["value"])
            continue
        if match["kind"] and match["kind"] not in (*_KINDS.values(), "ref"):
            raise ValueError(f"{name}: there is no kind '{match['kind']}'")
        default = base.default if match["value"] is None else _value(match["value"])
        kind, optional = (match["kind"], match["optional"] is not None) if match["kind"] else (base.kind, base.optional)
        way = VARIADIC if match["star"] else passed
        parameters.append(Parameter(own_name, kind, optional or default is None, default, source, tuple(aliases), way))
        if match["star"]:
            passed = BY_KEYWORD
    return Spelled(name, tuple(parameters), constants)


def as_method(spelled: Spelled, definition: tuple[Parameter, ...]) -> Spelled:
    """With the object as the first parameter."""
    own = next((p for p in spelled.parameters if p.name == "self"), None)
    if own is None:
        first = definition[0]
        own = Parameter("self", first.kind, source=first.name)
    others = tuple(p for p in spelled.parameters if p is not own and p.source != own.source)
    own = own._replace(kind="object", default=REQUIRED, passed=ANY_WAY)
    return spelled._replace(parameters=(own, *others))


def overload(spelled: Spelled, target: Any, definition: tuple[Parameter, ...], compile: Any) -> tuple[Any, ...]:
    """What core.Function takes for a spelling.

    Raises:
        ValueError: a parameter of the definition that has no default is given by nothing.
    """
    positions = {p.source: i for i, p in enumerate(spelled.parameters)}
    sources: list[tuple[Any, ...]] = []
    for p in definition:
        at = positions.get(p.name, -1)
        default = spelled.parameters[at].default if at >= 0 else spelled.constants.get(p.name, p.default)
        if default is REQUIRED and at < 0:
            raise ValueError(f"{spelled.name}: nothing gives '{p.name}'")
        sources.append((at,) if default is REQUIRED else (at, default))
    if is_in_place(spelled):
        parameters = (spelled.parameters[0]._replace(kind="ref"), *spelled.parameters[1:])
    else:
        parameters = spelled.parameters
    rows = tuple((p.name, p.aliases, p.kind, p.optional, p.default is REQUIRED, p.passed) for p in parameters)
    return rows, tuple(sources), target, compile, positions.get(_RESULT.name, -1), is_in_place(spelled)
