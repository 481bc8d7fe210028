"""Equal nodes of PyTorch's graphs become one, where nobody could tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")

from compiled import assert_like, left_to_pytorch, start  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402

from emberjit import torch_backend  # noqa: E402
from emberjit.torch_backend.twins import merge_twins  # noqa: E402


def traced(function: Callable[..., Any], *inputs: Any) -> Any:
    return make_fx(function, tracing_mode="fake")(*inputs)


def count(graph: Any, name: str) -> int:
    return sum(name in str(node.target) for node in graph.nodes)


def _written(x: Any) -> Any:
    y, z = x.sin() * 2, x.sin() * 3
    x.add_(1)
    return y + z


def _random(x: Any) -> Any:
    return torch.rand_like(x) * 2 - torch.rand_like(x) * 3


ROWS: dict[str, tuple[Callable[..., Any], str, int]] = {
    # a function of x, an op, how many are left
    "equal": (lambda x: x.sin() * x.sin(), "sin", 1),
    "chains": (lambda x: (x.sin() + 1) * (x.sin() + 1), "add", 1),
    "of several results": (lambda x: x.max(0)[0] * x.max(0)[0] + x.max(0)[1], "max", 1),
    "options": (lambda x: x.sum(0) * x.sum(1), "sum", 2),
    "keywords": (lambda x: x.var(0, correction=0) * x.var(0, correction=1), "var", 2),
    "numbers of two kinds": (lambda x: (x.floor() + 1) * (x.floor() + 1.0), "add", 2),
    "operands in another order": (lambda x: (x - x.t()).sin() * (x.t() - x).sin(), "sub", 2),
    "random": (_random, "rand_like", 2),
    "dropout": (lambda x: torch.native_dropout(x, 0.5, True)[0] * torch.native_dropout(x, 0.5, True)[0], "dropout", 2),
    "results": (lambda x: (x.sin(), x.sin()), "sin", 2),
    "a result and another use": (lambda x: (x.sin(), x.sin() * 2), "sin", 2),
    "views of results": (lambda x: (x.sin(), x.sin().view(-1)), "sin", 2),
    "views of inputs": (lambda x: x.view(-1).sin() + x.view(-1).cos(), "view", 1),
    "what is written": (_written, "sin", 2),
}


@pytest.mark.parametrize("name", ROWS)
def test_twins(name: str) -> None:
    function, op, left = ROWS[name]
    x = torch.arange(9.0).reshape(3, 3) / 7
    module = traced(function, x)
    assert count(module.graph, op) >= left
    merge_twins(module.graph)
    module.graph.lint()
    module.recompile()
    assert count(module.graph, op) == left
    outcomes = []
    for each in (module, function):
        torch.manual_seed(3)
        outcomes.append(each(x.clone()))
    assert_like(*outcomes)


@pytest.mark.parametrize("tag", ["partitioner_tag", "recompute"])
def test_twins_of_two_places_stay(tag: str) -> None:
    for values, left in ((("a", "b"), 2), (("a", "a"), 1), (("a", None), 2)):
        graph = traced(lambda x: x.sin() * x.sin(), torch.ones(3)).graph
        for node, value in zip(graph.find_nodes(op="call_function", target=torch.ops.aten.sin.default), values):
            node.meta[tag] = value
        merge_twins(graph)
        assert count(graph, "sin") == left


def test_twins_of_a_model_are_kept_once_for_its_gradient() -> None:
    def function(x: Any, y: Any) -> Any:
        return (x.exp() * y).sum() + (x.exp() * y.sin()).sum()

    start()
    x, y = (torch.randn(3, 4, requires_grad=True) for _ in range(2))
    found, wanted = torch.compile(function, backend=torch_backend.backend)(x, y), function(x, y)
    assert_like(found, wanted)
    assert_like(*(list(torch.autograd.grad(each, (x, y))) for each in (found, wanted)))
    assert torch_backend.explain()[0]["ops"] == 7 and left_to_pytorch() == []
