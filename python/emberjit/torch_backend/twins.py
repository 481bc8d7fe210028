"""Common subexpression elimination before a graph is divided into forward and backward: what is saved between these is saved
once. Nodes that share memory with a result of the graph are not merged: results must not share memory."""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch import fx
from torch.multiprocessing.reductions import StorageWeakRef


def _is_op(node: fx.Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload)


def _writes(node: fx.Node) -> bool:
    return _is_op(node) and node.target._schema.is_mutable


def _only_computes(node: fx.Node) -> bool:
    return node.target is operator.getitem or (_is_op(node) and torch.Tag.nondeterministic_seeded not in node.target.tags)


def _memory(node: fx.Node) -> Any:
    value = node.meta.get("val")
    strided = isinstance(value, torch.Tensor) and value.layout is torch.strided
    return StorageWeakRef(value.untyped_storage()) if strided else None


def merge_twins(graph: fx.Graph) -> None:
    """Leaves the first of nodes that have one target, equal arguments and one place in the program: forward or backward,
    and to be computed again or not."""
    nodes = list(graph.nodes)
    if any(map(_writes, nodes)):
        return
    of_results = {_memory(node) for node in nodes[-1].all_input_nodes} - {None}
    first: dict[Any, fx.Node] = {}
    for node in nodes:
        if node.op != "call_function" or not _only_computes(node) or _memory(node) in of_results:
            continue
        place = (node.meta.get("partitioner_tag"), node.meta.get("recompute"))
        known = first.setdefault((node.target, repr(node.args), repr(node.kwargs), place), node)
        if known is not node:
            node.replace_all_uses_with(known)
            graph.erase_node(node)
