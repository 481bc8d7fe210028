"""Calls whose inner values are computed again for the gradient."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.graph.subgraph import SubGraph, named
from emberjit.capture.session.differentiation import differentiating
from emberjit.capture.session.session import follow
from emberjit.options import TABLE, take_all
from emberjit.values.tree import tensors, with_tensors


def recompute(block: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """block(*args, **kwargs), whose inner values are computed again for the gradient instead of saved for it.

    Args:
        block: a Cell or function. It may run twice: the second time random ops give the same again, and Parameters are
            as they were, and stay as they are.
        args: of block.
        kwargs: of block. MindSpore's own use_reentrant, output_recompute, early_stop, context_fn: see page Options.

    Returns:
        what block returns.

    Raises:
        RuntimeError: block assigns elements of an argument, which it would do once more for the gradient.

    Examples:
        >>> def block(x):
        ...     return ops.tanh(x).sum()
        >>> print(ms.grad(lambda x: ms.recompute(block, x))(Tensor([0.0, 1.0])))
        [1.         0.41997434]
    """
    take_all("recompute", {name: kwargs.pop(name) for name in TABLE["recompute"] if name in kwargs})
    return recomputed(block, args, kwargs) if differentiating() else follow(block, *args, **kwargs)


def recomputed(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same where a gradient is wanted."""
    capture = core.current_capture()
    if capture is not None:
        graph = SubGraph(named(fn), functools.partial(follow, fn), args, kwargs)
        graph.check_unwritten("a recomputed block")
        capture.set_recompute(graph.inner)
        return graph.value(capture.call(graph.inner, graph.operands))
    keys, parameters, precision = core.RandomKeys(), core.ParametersTaken(), core.Precision(core.precision_rules())
    leaves = [leaf for leaf in tensors((args, kwargs)) if not isinstance(leaf, core.Parameter)]
    before = list(map(core.variable, leaves))

    with core.Pause(), keys, parameters, core.Tape() as tape:
        value = fn(*args, **kwargs)
    if list(map(core.variable, leaves)) != before:
        raise RuntimeError(
            f"For 'recompute', {named(fn)} assigns elements of an argument, which it would do once more for the gradient: "
            "let it assign those of a copy()."
        )
    variables = tape.outside()
    del tape

    def backward(cotangents: list[Any]) -> list[Any]:
        with parameters:
            with keys, precision, core.Tape() as tape:
                again = [core.variable(leaf) for leaf in tensors(fn(*args, **kwargs))]
            return list(tape.gradients(again, cotangents, variables))

    return with_tensors(value, core.record_call(variables, tensors(value), backward))
