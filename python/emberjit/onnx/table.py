"""What emberjit makes of ONNX's ops (github.com/onnx/onnx, docs/Operators.md): by the name of an op, a function whose
signature is the op's. Inputs are positional parameters, of which those that may be absent have defaults; attributes are
keyword parameters by their names:

    @op("Gather")
    def gather(x: Tensor, at: Tensor, *, axis: int = 0) -> Any: ...

What a parameter is given goes by its annotation: `Row` numbers, `Number` one number (both known when the graph is captured,
or read from a Tensor, which ends it), `Value` the value as it is (values.py), anything else a Tensor. A parameter `opset` is
given the version of the op set, `outputs` how many results are wanted. Several results are a tuple.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from emberjit._emberjit import Tensor
from emberjit.onnx import messages, tensors, values

Input = Tensor | None  # one that may be absent
Ints = Sequence[int] | None  # of an attribute that may be absent
Row = Any
Number = Any
Value = Any
DEFAULT = ""  # the domain of ONNX's own op set
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
    context: set[str]  # those of opset and outputs that it takes


RULES: dict[tuple[str, str], Rule] = {}
PARTS: dict[tuple[str, str], Callable[[messages.Node], list[messages.Node]]] = {}  # what a node is divided into
_MOVES: set[str] = set()


def op(
    *names: str, domain: str = DEFAULT, moves: bool = False, attributes_of: Callable[..., Any] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a function under the names of the ops that it is for.

    Args:
        names: of the ops.
        domain: of their op set.
        moves: whether results are elements of the first input as they are, so that it may be of any type.
        attributes_of: a function whose attributes the op has; None: it has those of its own function.
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update(dict.fromkeys(((domain, name) for name in names), _rule(function, attributes_of or function)))
        if moves:
            _MOVES.update(names)
        return function

    return enter


def _rule(function: Callable[..., Any], attributes_of: Callable[..., Any]) -> Rule:
    parameters = inspect.signature(function).parameters.values()
    inputs = [parameter for parameter in parameters if parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD)]
    options = inspect.signature(attributes_of).parameters.values()
    named = {option.name: option.default for option in options if option.kind is option.KEYWORD_ONLY}
    return Rule(
        function,
        [str(parameter.annotation) for parameter in inputs],
        any(parameter.kind is parameter.VAR_POSITIONAL for parameter in inputs),
        sum(parameter.kind is not parameter.VAR_POSITIONAL and parameter.default is parameter.empty for parameter in inputs),
        {name: default for name, default in named.items() if name not in _OF_THE_MODEL},
        {name for name in named if name in _OF_THE_MODEL},
    )


def attribute(message: messages.Attribute, files: tensors.Files) -> Any:
    """An attribute's value: a number, str, tuple of them, Tensor, graph; None for a type.

    Raises:
        ValueError: it has none.
    """
    kind = message.type or next((kind for kind, name in _FIELDS.items() if getattr(message, name)), 0)
    match kind:
        case 1 | 2 | 5:
            return getattr(message, _FIELDS[kind])
        case 3:
            return message.s.decode()
        case 4 if message.t is not None:
            return tensors.value(message.t, files)
        case 6:
            return tuple(np.frombuffer(b"".join(message.floats), "<f4").tolist())
        case 7:
            return tuple(message.ints)
        case 8:
            return tuple(text.decode() for text in message.strings)
        case 11 if message.sparse_tensor is not None:
            return tensors.sparse(message.sparse_tensor, files)
        case 13 | 14:
            return None
    raise ValueError(f"the attribute '{message.name}' has no value of the type {kind} that emberjit knows")


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


def called(rule: Rule, name: str, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    """What a rule makes of a node's inputs.

    Raises:
        TypeError: a type of fewer than eight bits, or of eight with a point, which the op is not for.
    """
    kinds = rule.inputs
    if rule.repeats:
        kinds = kinds[:-1] + kinds[-1:] * (len(inputs) - len(kinds) + 1)
    narrow = inputs[0].type if inputs and isinstance(inputs[0], values.Narrow) and name in _MOVES else None
    operands: list[Any] = []
    for kind, value in zip(kinds, inputs):
        if value is None:
            operands.append(None)
            continue
        if narrow is not None and isinstance(value, values.Narrow):
            value = value.values
        if isinstance(value, values.Narrow) and kind != "Value":
            raise TypeError(f"there is no rule for the type {values.NARROW[value.type]}")
        operands.append(_converted(kind, value))
    result = rule.function(*operands, **attributes)
    if narrow is None:
        return result
    return tuple(values.Narrow(x, narrow) for x in result) if isinstance(result, tuple) else values.Narrow(result, narrow)
