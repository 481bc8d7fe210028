"""What emberjit makes of ONNX's ops (github.com/onnx/onnx, docs/Operators.md): by the name of an op, a function whose
signature is the op's. Inputs are positional parameters, of which those that may be absent have defaults; attributes are
keyword parameters by their names:

    @op("Gather")
    def gather(x: Any, at: Any, *, axis: int = 0) -> Any: ...

What a parameter is given goes by its annotation: `Row` numbers, `Number` one number (both known when the graph is captured,
or read from a Tensor, which ends it), `Value` the value as it is (values.py), anything else a Tensor. A parameter `opset` is
given the version of the op set, `outputs` how many results are wanted. Several results are a tuple.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from emberjit.onnx import messages, tensors, values

Row = Any
Number = Any
Value = Any
DEFAULT, ML = "", "ai.onnx.ml"
_OF_THE_MODEL = ("opset", "outputs")
NEEDED = inspect.Parameter.empty


@dataclasses.dataclass
class Rule:
    """A function for an op, and what its signature says."""

    function: Callable[..., Any]
    inputs: list[str]  # annotations; the last one is for all that follow if `repeats`
    repeats: bool
    least: int  # inputs that are needed
    attributes: dict[str, Any]  # defaults
    given: set[str]  # of opset, outputs


RULES: dict[tuple[str, str], Rule] = {}
PARTS: dict[tuple[str, str], Callable[[messages.Node], list[messages.Node]]] = {}  # what a node is divided into
_MOVES: set[str] = set()


def op(*names: str, domain: str = DEFAULT, moves: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a function under the names of the ops that it is for.

    Args:
        names: of the ops.
        domain: of their op set.
        moves: whether results are elements of the first input as they are, so that it may be of any type.
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update(dict.fromkeys(((domain, name) for name in names), _rule(function)))
        if moves:
            _MOVES.update(names)
        return function

    return enter


def _rule(function: Callable[..., Any]) -> Rule:
    parameters = inspect.signature(function).parameters.values()
    inputs = [each for each in parameters if each.kind is not each.KEYWORD_ONLY and each.kind is not each.VAR_KEYWORD]
    named = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}
    return Rule(
        function,
        [str(each.annotation) for each in inputs],
        any(each.kind is each.VAR_POSITIONAL for each in inputs),
        sum(each.kind is not each.VAR_POSITIONAL and each.default is each.empty for each in inputs),
        {name: default for name, default in named.items() if name not in _OF_THE_MODEL},
        {name for name in named if name in _OF_THE_MODEL},
    )


def _numbers(parts: Iterable[Any]) -> tuple[float, ...]:
    return tuple(np.frombuffer(b"".join(parts), "<f4").tolist())


def _strings(found: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(each.decode() for each in found)


def attribute(found: messages.Attribute, files: tensors.Files) -> Any:
    """An attribute's value: a number, str, tuple of them, Tensor, graph; None for a type.

    Raises:
        ValueError: it has none.
    """
    kind = found.type or next((kind for kind, name in _FIELDS.items() if getattr(found, name)), 0)
    match kind:
        case 1 | 2 | 5:
            return getattr(found, _FIELDS[kind])
        case 3:
            return found.s.decode()
        case 4 if found.t is not None:
            return tensors.value(found.t, files)
        case 6:
            return _numbers(found.floats)
        case 7:
            return tuple(found.ints)
        case 8:
            return _strings(found.strings)
        case 11 if found.sparse_tensor is not None:
            return tensors.sparse(found.sparse_tensor, files)
        case 13 | 14:
            return None
    raise ValueError(f"the attribute '{found.name}' has no value of the type {kind} that emberjit knows")


_FIELDS = {1: "f", 2: "i", 3: "s", 4: "t", 5: "g", 6: "floats", 7: "ints", 8: "strings", 11: "sparse_tensor"}


def _converted(kind: str, value: Any) -> Any:
    match kind:
        case "Row":
            return values.row(value)
        case "Number":
            return values.number(value)
        case "Value":
            return value
    return values.tensor(value)


def called(rule: Rule, name: str, given: list[Any], attributes: dict[str, Any]) -> Any:
    """What a rule makes of a node's inputs.

    Raises:
        TypeError: a type of fewer than eight bits, or of eight with a point, which the op is not for.
    """
    kinds = rule.inputs
    if rule.repeats:
        kinds = kinds[:-1] + kinds[-1:] * (len(given) - len(kinds) + 1)
    narrow = given[0].type if given and isinstance(given[0], values.Narrow) and name in _MOVES else None
    operands: list[Any] = []
    for kind, value in zip(kinds, given):
        if value is None:
            operands.append(None)
            continue
        if narrow is not None and isinstance(value, values.Narrow):
            value = value.values
        if isinstance(value, values.Narrow) and kind != "Value":
            raise TypeError(f"there is no rule for the type {values.NARROW[value.type]}")
        operands.append(_converted(kind, value))
    made = rule.function(*operands, **attributes)
    if narrow is None:
        return made
    return tuple(values.Narrow(x, narrow) for x in made) if isinstance(made, tuple) else values.Narrow(made, narrow)
