"""emberjit inside PyTorch: `torch.compile(model, backend="emberjit")` runs a model's graphs, forward and backward, here.

PyTorch's TorchDynamo and AOTAutograd hand over graphs of ATen ops; each becomes one jitted function, whose Tensors lie in
PyTorch's own memory. Ops that have no rule (table.py) run in PyTorch, between these; explain() names them. PyTorch is loaded
when one of these functions is called, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["backend", "explain", "reset"]


def backend(module: Any, example_inputs: Sequence[Any], **options: Any) -> Callable[..., Any]:
    """What torch.compile(..., backend="emberjit") calls with each graph that TorchDynamo has found.

    Args:
        module: the graph, a torch.fx.GraphModule of PyTorch's functions.
        example_inputs: tensors and sizes of its first call.

    Returns:
        What runs the graph.

    Raises:
        TypeError: there are options, of which this backend has none.
    """
    from emberjit.torch_backend import compiler

    return compiler.compiled(module, example_inputs, options)


def explain() -> list[dict[str, Any]]:
    """The graphs that PyTorch has handed over, the latest last.

    Returns:
        Of each: "kind" (forward, backward, inference), "ops" (how many), "parts" (what is jitted: 1 if that is the whole
        graph), "in_pytorch" (what stays there, and how often), "breaks" (why a part is no one graph: none should be).
    """
    from emberjit.torch_backend import compiler

    return [graph.explained() for graph in compiler.GRAPHS]


def reset() -> None:
    """Lets explain() begin anew, as torch._dynamo.reset() does with what it has compiled."""
    from emberjit.torch_backend import compiler

    compiler.GRAPHS.clear()
