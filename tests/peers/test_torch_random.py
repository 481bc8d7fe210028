"""Random numbers of graphs are PyTorch's, in the program's order: by one seed, results are those of the same program run
eagerly. Dropout and stochastic depth do not divide a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")

from compiled import assert_like, start  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from emberjit import torch_backend  # noqa: E402


def _in_place(x: Any, kept: float, of_each: bool) -> Any:
    """Stochastic depth as torchvision has it."""
    noise = torch.empty([x.shape[0] if of_each else 1, 1], dtype=x.dtype).bernoulli_(kept)
    return x * noise.div_(kept)


def _by_new_empty(x: Any, kept: float, of_each: bool) -> Any:
    """As timm has it."""
    noise = x.new_empty((x.shape[0] if of_each else 1, 1)).bernoulli_(kept)
    return x * noise.div_(kept)


def _by_floor(x: Any, kept: float, of_each: bool) -> Any:
    """As transformers has it."""
    noise = (kept + torch.rand((x.shape[0] if of_each else 1, 1), dtype=x.dtype)).floor_()
    return x.div(kept) * noise


def _like(x: Any, kept: float, of_each: bool) -> Any:
    return x * torch.bernoulli(torch.zeros(x.shape[0] if of_each else 1, 1, dtype=x.dtype), kept)


DEPTHS = {"in place": _in_place, "new_empty": _by_new_empty, "floor": _by_floor, "like": _like}


def _outcomes(function: Callable[..., Any], jitted: Callable[..., Any], *inputs: Any) -> tuple[list[Any], list[Any]]:
    """Of both: the result, the gradients, and the random number that comes next."""
    found = []
    for each in (jitted, function):
        torch.manual_seed(5)
        y = each(*inputs)
        found.append([y, *torch.autograd.grad(y.float().sum(), inputs), torch.rand(1)])
    return found[0], found[1]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", DEPTHS)
def test_stochastic_depth(name: str, dtype: Any) -> None:
    def function(x: Any, w: Any) -> Any:
        for i, kept in enumerate((0.5, 0.75, 0.4)):
            x = DEPTHS[name]((x @ w).tanh(), kept, i != 1) + x
        return x

    start()
    x, w = (torch.randn(8, 8, dtype=dtype).requires_grad_() for _ in range(2))
    assert_like(*_outcomes(function, torch.compile(function, backend=torch_backend.backend), x, w))
    assert [graph["parts"] for graph in torch_backend.explain()] == [1, 1]
    assert sum(torch_backend.explain()[0]["in_pytorch"].values()) == 3


@pytest.mark.parametrize("name", ["in place", "new_empty", "floor"])
def test_stochastic_depth_of_sizes_that_change(name: str) -> None:
    def function(x: Any) -> Any:
        return DEPTHS[name](DEPTHS[name](x.sin(), 0.5, True).exp(), 0.75, False)

    start()
    jitted = torch.compile(function, backend=torch_backend.backend, dynamic=True)
    for n in (8, 5, 9):
        assert_like(*_outcomes(function, jitted, torch.randn(n, 6, requires_grad=True)))
    assert {graph["parts"] for graph in torch_backend.explain()} == {1}


def _drawn(x: Any) -> Any:
    drawn = torch.multinomial(x.detach().exp() * 2, 3)
    return F.dropout(x.exp() * 3, 0.5) * 2 + drawn.sum()


def _drawn_twice(x: Any) -> Any:
    y = F.dropout(x.exp() + 1, 0.5)
    first = torch.multinomial(y.detach() + 1, 3)
    z = _in_place(y * 2, 0.5, True) + torch.rand_like(x) * y
    return z + first.sum() + torch.normal(y.detach().abs(), 1.0) + F.dropout(z, 0.25)


@pytest.mark.parametrize("function", [_drawn, _drawn_twice])
def test_the_order_of_the_program(function: Callable[..., Any]) -> None:
    """Also where a part could hold what comes before and what comes after numbers that PyTorch draws from its results."""
    start()
    x = torch.randn(6, 6, requires_grad=True)
    assert_like(*_outcomes(function, torch.compile(function, backend=torch_backend.backend), x))


def test_a_generator_of_its_own() -> None:
    generator = torch.Generator()

    def function(x: Any) -> Any:
        return x.sin() * torch.empty(6, 1).bernoulli_(0.5, generator=generator)

    start()
    jitted, x = torch.compile(function, backend=torch_backend.backend), torch.randn(6, 6)
    outcomes = []
    for each in (jitted, function):
        generator.manual_seed(7)
        outcomes.append(each(x))
    assert_like(*outcomes)
