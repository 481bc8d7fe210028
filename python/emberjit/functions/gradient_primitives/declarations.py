"""Gradients that have names of their own, as MindSpore's primitives XGrad: each is the vjp of what another declaration
computes, in whatever order its operands come. `publish_gradients` declares them from what they are gradients of."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import ints_of
from emberjit.publish import signature
from emberjit.publish.registry import declarations, publish
from emberjit.transforms.derivatives import jvp, vjp

_ops = core.ops

_DOC = """The gradient of {forward} by {by}.

Args:
    grad: the gradient by its result, of the result's shape.
    {operands}
    output: the result, which is not read.

Raises:
    ValueError: grad has another shape.
"""
_OPERANDS = {
    "input": "the operands and attributes of {forward}, at which the gradient is taken.",
    "shape": "the shape of the operand, of which {forward} is a linear function, and its other operands and attributes.",
}


def _first(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The function's result, or the first of several."""

    def result(*arguments: Any) -> Any:
        outputs = forward(*arguments)
        return outputs[0] if isinstance(outputs, tuple) else outputs

    return result


def pulled(name: str, forward: Callable[..., Any], grad: core.Tensor, *operands: Any) -> tuple[Any, ...]:
    """The gradients of forward by operands, from that by its result; of several results the first is meant. Where
    forward moves booleans, they count as numbers.

    Raises:
        ValueError: grad does not have the result's shape, but for axes of size 1.
    """
    if grad.dtype == core.bool_:
        numbers = (_ops.cast(one, core.int32) for one in (grad, *operands))
        return tuple(_ops.cast(one, core.bool_) for one in pulled(name, forward, *numbers))
    value, pull = vjp(_first(forward), *operands)
    shape = tuple(value.shape)
    if [n for n in grad.shape if n != 1] != [n for n in shape if n != 1]:
        raise ValueError(
            f"For '{name}', the gradient must have the shape of the result {shape}, but its shape is {tuple(grad.shape)}."
        )
    gradients: tuple[Any, ...] = pull(grad if tuple(grad.shape) == shape else _ops.reshape(grad, shape))
    return gradients


def along(forward: Callable[..., Any], operand: core.Tensor, direction: core.Tensor) -> Any:
    """How the result of forward changes as its operand does along a direction; of several results the first is meant.

    Raises:
        ValueError: the direction does not have the operand's shape.
    """
    return jvp(_first(forward), operand, direction)[1]


def at_shape(name: str, forward: Callable[..., Any], grad: core.Tensor, shape: Any) -> Any:
    """The gradient of a linear function by its operand, of which only the shape matters: ints, or a Tensor of them.

    Raises:
        TypeError: shape is something else.
        ValueError: grad does not have the result's shape.
    """
    sizes = ints_of(name, "shape", shape)
    return pulled(name, forward, grad, _ops.zeros(sizes, grad.dtype))[0]


def dress(function: Any, name: str, documentation: str, definition: Sequence[signature.Parameter]) -> Any:
    """A function that takes its arguments by position as a composition of a name, with parameters."""
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    defaults = [empty if p.default is signature.REQUIRED else p.default for p in definition]
    function.__name__, function.__doc__, function.definition = name, documentation, tuple(definition)
    function.__signature__ = inspect.Signature(
        [inspect.Parameter(p.name, kind, default=default) for p, default in zip(definition, defaults)]
    )
    return function


GRAD = signature.Parameter("grad", "tensor")
UNREAD = signature.Parameter("output", "object", True, None)


def _label(forward: Any) -> str:
    """What an op, or a composition, is called: in ops, if it is there."""
    if not hasattr(forward, "__name__"):
        return str(forward.name)
    scopes = sorted(declarations, key=lambda scope: scope != "ops")
    every = itertools.chain.from_iterable(declarations[scope].values() for scope in scopes)
    public = (one.name for entries in every for one in entries if one.target is forward)
    return next(public, str(forward.__name__))


def gradient_of(
    forward: Any,
    function: str,
    by: Sequence[str] = (),
    linear: bool = False,
    derived: dict[str, Callable[[Any], Any]] | None = None,
) -> Any:
    """A composition: grad, forward's parameters, output (which is not read) -> forward's gradients by some of them.

    Args:
        forward: an op of the table, or a composition.
        called: what errors call it.
        by: names of parameters; by default the first one.
        linear: whether that is given by its shape, as the gradient does not depend on it.
        derived: functions that compute parameters from grad, by the names of these; the others are arguments.
    """
    definition = signature.definition_of(forward)
    names = [p.name for p in definition]
    operands = tuple(by) or (names[0],)
    at = [names.index(operand) for operand in operands]
    known = derived or {}

    def problem(grad: Any, *arguments: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The function of operands alone, and these."""
        rest = iter(arguments)
        values = [known[one](grad) if one in known else next(rest) for one in names]
        if linear:
            values[at[0]] = _ops.zeros(ints_of(function, operands[0], values[at[0]]), grad.dtype)

        def computed(*variables: Any) -> Any:
            for i, value in zip(at, variables):
                values[i] = value
            return forward(*values)

        return computed, tuple(values[i] for i in at)

    def gradient(grad: Any, *arguments: Any) -> Any:
        computed, variables = problem(grad, *arguments)
        gradients = pulled(function, computed, grad, *variables)
        return gradients if len(at) > 1 else gradients[0]

    takes = [p._replace(kind="object") if linear and p.name in operands else p for p in definition if p.name not in known]
    label, own = _label(forward), getattr(forward, "__name__", None) or forward.name
    first = _OPERANDS["shape" if linear else "input"].format(forward=label)
    text = _DOC.format(forward=label, by=", ".join(operands), operands=f"{operands[0]}, ...: {first}")
    name = f"{own}_gradient_by_{'_'.join(by)}" if by else f"{own}_gradient"
    composition = dress(gradient, name, text, (GRAD, *takes, UNREAD))
    composition.problem = problem
    return composition


def tangent_of(forward: Any) -> Any:
    """A composition: grad, forward's parameters, output (which is not read) -> how forward's result changes as its first
    operand does along grad: the gradient of its gradient by the cotangent."""
    definition = signature.definition_of(forward)

    def problem(operand: Any, *arguments: Any) -> tuple[Callable[..., Any], Any]:
        return lambda x: forward(x, *arguments[: len(definition) - 1]), operand

    def tangent(grad: Any, *arguments: Any) -> Any:
        return along(*problem(*arguments), grad)

    text = f"""How the result of {_label(forward)} changes as its operand does along a direction.

    Args:
        grad: the direction, of the operand's shape.
        {definition[0].name}, ...: the operand and attributes.
        output: the result, which is not read.

    Raises:
        ValueError: grad has another shape.
    """
    composition = dress(tangent, f"{forward.__name__}_tangent", text, (GRAD, *definition, UNREAD))
    composition.problem = problem
    return composition


def _publish(module: str, composition: Any, spellings: str, samples: str, reference: str) -> None:
    composition.__module__ = module
    operands = ", ".join(p.name for p in composition.definition if p is not UNREAD)
    text = f"{reference}({composition.__name__!r}, {operands})" if samples else ""
    publish(spellings, numpy=text, samples=samples)(composition)


def publish_gradients(module: str, rows: Sequence[tuple[Any, ...]], **how: Any) -> None:
    """Publishes gradients, from a module, a row each: what of, spellings, samples of the tests, or none and an example.
    Their references are differences. `how` is that of gradient_of."""
    for forward, spellings, samples, *example in rows:
        function = spellings.partition("(")[0].rpartition(".")[2]
        composition = gradient_of(forward, function, **how)
        composition.__doc__ += "".join(example)
        _publish(module, composition, spellings, samples, "differences.slopes")


def publish_tangents(module: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """The same of tangents."""
    for forward, spellings, samples in rows:
        _publish(module, tangent_of(forward), spellings, samples, "differences.moves")
