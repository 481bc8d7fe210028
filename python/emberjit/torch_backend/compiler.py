"""Graphs of PyTorch's functions by AOTAutograd, forward and backward apart, in ATen's ops; and what has become of them."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from functorch.compile import aot_module_simplified, config, make_boxed_func, min_cut_rematerialization_partition
from torch import fx
from torch._decomp import _core_aten_decompositions_post_autograd
from torch._dynamo import disable
from torch._dynamo.utils import flatten_graph_inputs
from torch._guards import TracingContext

from emberjit.torch_backend.dropout import divide_dropouts
from emberjit.torch_backend.graph import Part, divided, why_not
from emberjit.torch_backend.table import RULES
from emberjit.torch_backend.twins import merge_twins

_ATTENTION_BACKWARD = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default


@dataclasses.dataclass
class Graph:
    """What explain() tells of one graph."""

    kind: str
    ops: int
    in_pytorch: dict[str, int]
    breaks: list[list[str]]  # of each part, as they come

    def explained(self) -> dict[str, Any]:
        """The entry of explain()."""
        breaks = [reason for part in self.breaks for reason in part]
        return {**dataclasses.asdict(self), "parts": len(self.breaks), "breaks": breaks}


GRAPHS: collections.deque[Graph] = collections.deque(maxlen=256)


def compiled(module: fx.GraphModule, example_inputs: Sequence[Any], options: dict[str, Any]) -> Callable[..., Any]:
    """What runs a graph that TorchDynamo has found."""
    if unknown := {**options.pop("options", {}), **options}:
        raise TypeError(f"torch.compile: the backend 'emberjit' has no options, but got {', '.join(unknown)}.")
    if any(isinstance(x, (list, tuple, dict)) for x in example_inputs):
        flat: Callable[..., Any] = flatten_graph_inputs(module, example_inputs, _divided_by_aot_autograd)
        return flat
    return _divided_by_aot_autograd(module, example_inputs)


def _divided_by_aot_autograd(module: fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    """What torch._dynamo.backends.common.aot_autograd makes, which would load inductor."""
    function = aot_module_simplified(
        module,
        example_inputs,
        fw_compiler=functools.partial(_of_aten, kind="forward"),
        bw_compiler=disable(lambda module, inputs: disable(_of_aten(module, inputs, kind="backward"))),
        inference_compiler=functools.partial(_of_aten, kind="inference"),
        decompositions=_decompositions(),
        partition_fn=partition,
    )
    untraced: Callable[..., Any] = disable(function)
    return untraced


def partition(joint: fx.GraphModule, *args: Any, **options: Any) -> tuple[fx.GraphModule, fx.GraphModule]:
    """The forward and the backward graph. What no rule reads is not kept for it. PyTorch's own search for equal nodes would
    load inductor."""
    merge_twins(joint.graph)
    for node in joint.graph.find_nodes(op="call_function", target=_ATTENTION_BACKWARD):
        if why_not(node) is None:
            node.args = (*node.args[:4], None, None, *node.args[6:])
    with config.patch(cse=False):
        graphs: tuple[fx.GraphModule, fx.GraphModule] = min_cut_rematerialization_partition(joint, *args, **options)
    return graphs


@functools.cache
def _decompositions() -> dict[Any, Any]:
    return {op: function for op, function in _core_aten_decompositions_post_autograd().items() if str(op) not in RULES}


def _of_aten(module: fx.GraphModule, example_inputs: Sequence[Any], kind: str) -> Any:
    divide_dropouts(module)
    ops = [node for node in module.graph.nodes if node.op == "call_function"]
    unsupported = collections.Counter(why for why in map(why_not, ops) if why is not None)
    runner: Any = divided(module) if unsupported or not ops else Part(module, _seen_results(kind))
    parts = [submodule for submodule in runner.modules() if isinstance(submodule, Part)]
    GRAPHS.append(Graph(kind, len(ops), dict(unsupported), [part.jitted.breaks for part in parts]))
    return make_boxed_func(runner)


def _seen_results(kind: str) -> int | None:
    """How many results of a graph are the program's, and not for the backward graph alone; None: all."""
    context = TracingContext.try_get()
    if kind == "backward":
        return 0
    if kind == "inference" or context is None or context.fw_metadata is None:
        return None
    return int(context.fw_metadata.num_forward_returns)
