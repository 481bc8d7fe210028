"""Calls with a gradient of their own: the bprop of Cells, the backward of _Function."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import SubGraph, graph_of
from emberjit.capture.session.session import follow
from emberjit.transforms.precision_rules import without_rules
from emberjit.values.tree import tensors, with_tensors


def call_with_bprop(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """cell.construct, whose gradient is cell.bprop(*args, out, dout): a tuple or list of one gradient for each argument,
    which is summed where its shape is one that the argument broadcasts to.

    Raises:
        RuntimeError: bprop returns too few gradients.
        TypeError, ValueError: a gradient is no Tensor, or has another shape than its argument.
    """
    import inspect

    bound = inspect.signature(cell.construct).bind(*args, **kwargs)
    bound.apply_defaults()
    args, kwargs = bound.args, bound.kwargs
    if core.current_capture() is not None:
        return _captured_bprop(cell, args, kwargs)
    with core.Pause():
        value = cell.construct(*args, **kwargs)
    out: Any = None

    def backward(cotangents: list[Any]) -> list[Any]:
        answer = cell.bprop(*args, out, with_tensors(value, cotangents), **kwargs)
        return _gradients(cell, answer, args)

    results = core.record_call([core.variable(leaf) for leaf in tensors(args)], tensors(value), without_rules(backward))
    out = with_tensors(value, results)
    return out


def _captured_bprop(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    name = type(cell).__name__
    construct = SubGraph(name, lambda *inputs: follow(cell.construct, *inputs, **kwargs), args, {})
    construct.check_unwritten(f"'{name}', which has a bprop,")
    results, operands = construct.ordered, construct.operands
    if len(results) != len(construct.outputs):
        raise core.CaptureError(f"'{name}' has a bprop, so it must return Tensors, not numbers.")

    def backward(params: list[Any]) -> list[Any]:
        n, k = len(results), len(results) + len(operands)
        dout, out = construct.value(params[:n]), construct.value(params[k:])
        inputs = with_tensors(args, params[n:k])
        return _gradients(cell, follow(cell.bprop, *inputs, out, dout, **kwargs), inputs)

    gradient = graph_of(f"{name}_bprop", [*results, *operands, *results], without_rules(backward))
    return construct.value(core.current_capture().call_with_gradient(construct.inner, gradient, operands))


def _gradients(cell: Any, answer: Any, args: tuple[Any, ...]) -> list[Any]:
    name = type(cell).__name__
    of_one_list = len(args) == 1 and isinstance(args[0], list)
    gradients = answer if isinstance(answer, tuple if of_one_list else (tuple, list)) else (answer,)
    if len(gradients) != len(args) and gradients and isinstance(gradients[0], tuple):
        gradients = gradients[0]  # the second item is for Parameters, whose gradients a bprop does not make
    if len(gradients) < len(args):
        raise RuntimeError(
            f"For '{name}', bprop must return a gradient for each of the {len(args)} inputs, but got {len(gradients)}."
        )
    return [flat for arg, gradient in zip(args, gradients) for flat in _of_tensors(name, arg, gradient)]


def _of_tensors(name: str, arg: Any, gradient: Any) -> list[Any]:
    """The gradients of the Tensors in an argument."""
    if isinstance(arg, (tuple, list)):
        items = gradient if isinstance(gradient, (tuple, list)) else [gradient] * len(arg)
        return [flat for item, inner in zip(arg, items) for flat in _of_tensors(name, item, inner)]
    return [gradient_of(name, "bprop", arg, gradient)] if isinstance(arg, core.Tensor) else []


def gradient_of(name: str, function: str, arg: Any, gradient: Any) -> Any:
    """The gradient of a Tensor from what a function of the user's returned for it: of None zeros, summed where its shape is
    one that the Tensor broadcasts to.

    Args:
        name, function: whose function, and which, for errors.

    Raises:
        TypeError, ValueError: it is no Tensor, or of another shape.
    """
    if gradient is None:
        gradient = core.ops.zeros_like(arg)
    if not isinstance(gradient, core.Tensor):
        raise TypeError(f"For '{name}', {function} must return Tensors, but got {gradient!r}.")
    if gradient.shape != arg.shape:
        gradient = _summed(name, function, gradient, arg)
    return gradient if gradient.dtype == arg.dtype else core.ops.cast(gradient, arg.dtype)


def _summed(name: str, function: str, gradient: Any, arg: Any) -> Any:
    """The gradient of an argument from that of what it was broadcast to."""
    shape = (*[1] * (gradient.ndim - arg.ndim), *arg.shape)
    if len(shape) != gradient.ndim or any(one not in (1, size) for one, size in zip(shape, gradient.shape)):
        raise ValueError(
            f"For '{name}', {function} returns a gradient of shape {tuple(gradient.shape)} for an input of shape "
            f"{tuple(arg.shape)}, which does not broadcast to that."
        )
    axes = tuple(i for i, (one, size) in enumerate(zip(shape, gradient.shape)) if one != size)
    total = core.ops.reduce_sum(gradient, axes, True) if axes else gradient
    return core.ops.reshape(total, tuple(arg.shape))
