"""Dropout and stochastic depth by masks of PyTorch's random numbers, which need no elements of what they are for, and
products with these. So the masks of a graph are made before the rest, which is one part.

    y, mask = native_dropout(x, p, True)   ->   mask = dropout_mask(size, strides, 1 - p);  y = x * mask * (1 / (1 - p))
    mask = bernoulli(empty(size), p)       ->   mask = dropout_mask(size, strides, p, dtype)

All random numbers are taken in the program's order.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import fx

aten = torch.ops.aten

_SIZE = {aten.empty.memory_format: 0, aten.new_empty.default: 1}  # where these ops have it among their arguments


def dropout_mask(size: Sequence[int], strides: Sequence[int] | None, p: float, dtype: torch.dtype = torch.bool) -> Any:
    """True, or 1, with the probability p, by the numbers that native_dropout or bernoulli_ would take."""
    mask = torch.empty(size, dtype=dtype) if strides is None else torch.empty_strided(size, strides, dtype=dtype)
    return mask.bernoulli_(p)


def divide_dropouts(module: fx.GraphModule) -> None:
    """Replaces the dropouts whose sizes are known, and the masks whose sizes need no elements."""
    graph = module.graph
    for node in graph.find_nodes(op="call_function", target=aten.native_dropout.default):
        _, p, train = node.args
        if train and 0 < p < 1 and _has_numbers(node.meta["val"][1]):
            _divide(graph, node)
    for node in graph.find_nodes(op="call_function", target=aten.bernoulli.p):
        _free(graph, node)
    module.recompile()


def _has_numbers(value: torch.Tensor) -> bool:
    return all(type(n) is int for n in (*value.shape, *value.stride()))


def _divide(graph: fx.Graph, node: fx.Node) -> None:
    """Dropout as a mask and products."""
    x, p, _ = node.args
    y, mask = node.meta["val"]
    with graph.inserting_before(node):
        mask_node = graph.call_function(dropout_mask, (tuple(mask.shape), mask.stride(), 1 - p))
        product = graph.call_function(aten.mul.Tensor, (x, mask_node))
        scaled = graph.call_function(aten.mul.Tensor, (product, 1 / (1 - p)))
    mask_node.meta["val"], product.meta["val"], scaled.meta["val"] = mask, y, y
    for user in list(node.users):
        assert user.target is operator.getitem
        user.replace_all_uses_with((scaled, mask_node)[user.args[1]])
        graph.erase_node(user)
    graph.erase_node(node)


def _free(graph: fx.Graph, node: fx.Node) -> None:
    """Makes a mask by its size and dtype, without the tensor that has them."""
    x, p = node.args
    value = node.meta["val"]
    if _has_numbers(value):
        size, strides = tuple(value.shape), value.stride()
    elif x.target in _SIZE and "memory_format" not in x.kwargs:
        size, strides = x.args[_SIZE[x.target]], None
    else:
        return
    node.target, node.args = dropout_mask, (size, strides, p, value.dtype)
    if x.op == "call_function" and not x.users:
        graph.erase_node(x)


def is_random(node: fx.Node) -> bool:
    """Whether a node takes random numbers."""
    op = node.target
    return op is dropout_mask or (isinstance(op, torch._ops.OpOverload) and torch.Tag.nondeterministic_seeded in op.tags)


def keep_order(nodes: Sequence[fx.Node]) -> None:
    """Has each of the nodes wait for the one before: no other order of a graph is possible then."""
    for before, node in itertools.pairwise(nodes):
        node.target, node.args = _later(node.target), (before, *node.args)


def _later(function: Any) -> Callable[..., Any]:
    def later(before: Any, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return later
