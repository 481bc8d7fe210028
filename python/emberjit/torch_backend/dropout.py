"""Dropout as a mask of PyTorch's random numbers, which needs no elements of what it is for, and products with it. So the
masks of a graph are made before the rest, which is one part.

    y, mask = native_dropout(x, p, True)   ->   mask = dropout_mask(size, strides, 1 - p);  y = x * mask * (1 / (1 - p))
"""

from __future__ import annotations

import operator

import torch
from torch import fx

aten = torch.ops.aten


def dropout_mask(size: tuple[int, ...], strides: tuple[int, ...], kept: float) -> torch.Tensor:
    """True with the probability `kept`, by the numbers that native_dropout would take."""
    return torch.empty_strided(size, strides, dtype=torch.bool).bernoulli_(kept)


def divide_dropouts(module: fx.GraphModule) -> None:
    """Replaces the dropouts whose sizes are known."""
    graph = module.graph
    for node in graph.find_nodes(op="call_function", target=aten.native_dropout.default):
        x, p, train = node.args
        y, mask = node.meta["val"]
        if not train or not 0 < p < 1 or not all(type(n) is int for n in (*mask.shape, *mask.stride())):
            continue
        with graph.inserting_before(node):
            made = graph.call_function(dropout_mask, (tuple(mask.shape), mask.stride(), 1 - p))
            product = graph.call_function(aten.mul.Tensor, (x, made))
            scaled = graph.call_function(aten.mul.Tensor, (product, 1 / (1 - p)))
        made.meta["val"], product.meta["val"], scaled.meta["val"] = mask, y, y
        for user in list(node.users):
            assert user.target is operator.getitem
            user.replace_all_uses_with((scaled, made)[user.args[1]])
            graph.erase_node(user)
        graph.erase_node(node)
    module.recompile()
