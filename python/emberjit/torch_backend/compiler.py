"""Graphs of PyTorch's functions by AOTAutograd, forward and backward apart, in ATen's ops; and what has become of them."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch import fx
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._guards import TracingContext

from emberjit.torch_backend import attention
from emberjit.torch_backend.dropout import divide_dropouts
from emberjit.torch_backend.graph import Part, divided, why_not
from emberjit.torch_backend.table import RULES

aten = torch.ops.aten


@dataclasses.dataclass
class Graph:
    """What has been made of one graph."""

    kind: str
    ops: int
    in_pytorch: dict[str, int]
    breaks: list[list[str]]  # of each part, as they come

    def explained(self) -> dict[str, Any]:
        """As explain() has it."""
        breaks = [each for part in self.breaks for each in part]
        return {**dataclasses.asdict(self), "parts": len(self.breaks), "breaks": breaks}


GRAPHS: collections.deque[Graph] = collections.deque(maxlen=256)


def compiled(module: fx.GraphModule, example_inputs: Sequence[Any], options: dict[str, Any]) -> Callable[..., Any]:
    """What runs a graph that TorchDynamo has found."""
    if given := {**options.pop("options", {}), **options}:
        raise TypeError(f"torch.compile: the backend 'emberjit' has no options, but got {', '.join(given)}.")
    compiler: Callable[..., Any] = aot_autograd(
        fw_compiler=functools.partial(_of_aten, kind="forward"),
        bw_compiler=functools.partial(_of_aten, kind="backward"),
        inference_compiler=functools.partial(_of_aten, kind="inference"),
        decompositions=_decompositions(),
        partition_fn=min_cut_rematerialization_partition,
    )
    made: Callable[..., Any] = compiler(module, example_inputs)
    return made


@functools.cache
def _decompositions() -> dict[Any, Any]:
    known = {op: made for op, made in core_aten_decompositions().items() if str(op) not in RULES}
    return {**known, aten._scaled_dot_product_flash_attention_for_cpu_backward.default: attention.attention_backward}


def _of_aten(module: fx.GraphModule, example_inputs: Sequence[Any], kind: str) -> Any:
    divide_dropouts(module)
    ops = [node for node in module.graph.nodes if node.op == "call_function"]
    left = collections.Counter(why for why in map(why_not, ops) if why is not None)
    made: Any = divided(module) if left or not ops else Part(module, _seen_results(kind))
    parts = [each for each in made.modules() if isinstance(each, Part)]
    GRAPHS.append(Graph(kind, len(ops), dict(left), [part.jitted.breaks for part in parts]))
    return make_boxed_func(made)


def _seen_results(kind: str) -> int | None:
    """How many results of a graph are the program's, and not for the backward graph alone; None: all."""
    context = TracingContext.try_get()
    if kind == "backward":
        return 0
    if kind == "inference" or context is None or context.fw_metadata is None:
        return None
    return int(context.fw_metadata.num_forward_returns)
