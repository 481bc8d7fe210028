"""Where ATen's ops and emberjit's differ at their edges: memory that results share, strides of sizes that change, numbers
that count for nothing, dtypes, values that PyTorch refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not here: tools/test --peers installs it")

from compiled import assert_like, check, left_to_pytorch, start  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from emberjit import torch_backend  # noqa: E402

NAN, INF = float("nan"), float("inf")


def compiled(function: Any, **options: Any) -> Any:
    start()
    return torch.compile(function, backend=torch_backend.backend, **options)


def _swapped(x: Any, y: Any) -> Any:
    kept = x.clone()
    x.copy_(y)
    y.copy_(kept)


def _old(x: Any) -> Any:
    y = x.clone()
    x.add_(1)
    return y, x * 2


def _copied(x: Any) -> Any:
    y = x * 2
    b = torch.empty(3)
    b.copy_(y)
    return b, y


APART: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda x: x.clone(), [torch.ones(3)]),
    (lambda x: torch.cat([x]), [torch.ones(3)]),
    (lambda x: torch.cat([x, x.new_empty(0)]), [torch.ones(3)]),
    (lambda x: (x.sum(), x.mean(0), x.cumsum(0), x.clone()), [torch.tensor(2.0)]),
    (lambda x: (x.sum(), x.sum().mean(), x.sum().cumsum(0)), [torch.ones(3)]),
    (lambda x: (x.repeat(1), x.roll(0, 0), x.clone()), [torch.ones(3)]),
    (_copied, [torch.ones(3)]),
    (_old, [torch.ones(3)]),
    (_swapped, [torch.ones(3), torch.zeros(3)]),
]


@pytest.mark.parametrize(("function", "inputs"), APART, ids=range(len(APART)))
def test_nobody_shares_memory_that_does_not_in_pytorch(function: Callable[..., Any], inputs: list[Any]) -> None:
    outcomes = []
    for each in (compiled(function), function):
        given = [x.clone() for x in inputs]
        results = each(*given)
        results = results if isinstance(results, tuple) else (results,)
        for i, x in enumerate([*results, *given]):
            if x is not None:
                x.add_(i + 1)
        outcomes.append([*results, *given])
    assert_like(*outcomes)
    assert left_to_pytorch() == []


STRIDES: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda x: x.t() + 1, [torch.randn(3, 4)]),
    (lambda x: (x.t() + 1, (x.t() * 2).t().reshape(-1), x[0] * 2), [torch.randn(3, 4)]),
    (lambda x: torch.as_strided(x.t() + 1, (x.shape[0],), (1,)), [torch.randn(3, 4)]),
    (lambda x, w: F.conv2d(x, w), [torch.randn(2, 3, 6, 5).to(memory_format=torch.channels_last), torch.randn(4, 3, 3, 3)]),
]


@pytest.mark.parametrize(("function", "inputs"), STRIDES, ids=range(len(STRIDES)))
def test_strides_of_sizes_that_change(function: Callable[..., Any], inputs: list[Any]) -> None:
    start()
    check(function, inputs, dynamic=True)


VALUES: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda c, a, b: torch.addmm(c, a, b, beta=0), [torch.full((3, 3), NAN), torch.randn(3, 4), torch.randn(4, 3)]),
    (lambda c, a, b: torch.addmm(c, a, b, alpha=0), [torch.randn(3, 3), torch.full((3, 4), NAN), torch.randn(4, 3)]),
    (lambda c, a, b: torch.baddbmm(c, a, b, beta=0), [torch.full((3,), NAN), torch.randn(2, 3, 4), torch.randn(2, 4, 3)]),
    (lambda x: (torch.var(x, 0, correction=0.5), *torch.var_mean(x, 1, correction=1.5)), [torch.randn(4, 3)]),
    (lambda q: F.scaled_dot_product_attention(q, q + 1, q, scale=0.0), [torch.randn(1, 2, 5, 8)]),
    (lambda q, m: F.scaled_dot_product_attention(q, q, q, m), [torch.full((1, 1, 2, 8), NAN), torch.zeros(2, 2)]),
    (lambda x, m: x.masked_fill(m, 2.7), [torch.arange(4), torch.tensor([True, False, True, False])]),
    (lambda x, m: x.masked_fill(m, 2.7), [torch.zeros(2).bool(), torch.tensor([True, False])]),
    (lambda x, b: x.clamp(b), [torch.randn(4).half(), torch.tensor(0.25, dtype=torch.float64)]),
    (lambda x, b: x.clamp(b, None), [torch.arange(4, dtype=torch.int8), torch.tensor(2)]),
    (lambda x: x.sum(1, dtype=torch.int32), [torch.arange(6).reshape(2, 3)]),
    (lambda x: (x.any(0), x.all(0)), [torch.arange(4, dtype=torch.uint8)]),
    (F.hardtanh, [torch.arange(-3, 3)]),
    (lambda x: x**0.5, [torch.tensor([-INF, -0.0, 4.0])]),
    (lambda x: x // 2, [torch.tensor([INF, -INF, 5.0, -5.0])]),
    (lambda x, w: F.layer_norm(x, (6,), w, w), [torch.randn(2, 6).bfloat16(), torch.randn(6)]),
    (lambda x, w: F.batch_norm(x, w, w.abs(), w, w), [torch.randn(3, 4).bfloat16(), torch.randn(4)]),
    (lambda x, w: F.conv2d(x, w, padding="valid"), [torch.randn(1, 2, 5, 5), torch.randn(3, 2, 3, 3)]),
    (lambda x, w: F.conv3d(x, w, padding="valid"), [torch.randn(1, 2, 4, 5, 5), torch.randn(3, 2, 3, 3, 3)]),
    (lambda x: F.group_norm(x, 2), [torch.randn(0, 4)]),
]


@pytest.mark.parametrize(("function", "inputs"), VALUES, ids=range(len(VALUES)))
def test_values(function: Callable[..., Any], inputs: list[Any]) -> None:
    start()
    check(function, inputs)
    assert left_to_pytorch() == []


@pytest.mark.parametrize("dtype", [torch.int64, torch.float64], ids=str)
def test_comparisons_with_sizes(dtype: Any) -> None:
    start()
    check(lambda x: (x == x.shape[0], x < x.shape[0] / 2), [torch.arange(5, dtype=dtype)], dynamic=True)


def test_a_parameter_that_is_kept_negated() -> None:
    base = torch.randn(3, dtype=torch.complex64)
    w = torch.nn.Parameter(base.conj().imag)
    jitted = compiled(lambda w: w * 2)
    with torch.no_grad():
        for _ in range(3):
            assert_like(jitted(w), w * 2)
            w.add_(1)


REFUSED: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda x, i: x.gather(0, i), [torch.randn(4), torch.tensor([1, -1])]),
    (lambda x, i: x.scatter(0, i, 2.0), [torch.randn(4), torch.tensor([1, -1])]),
    (lambda x, i: x.scatter_add(0, i, x), [torch.randn(2), torch.tensor([1, -1])]),
    (lambda x, i: F.embedding(i, x), [torch.randn(4, 2), torch.tensor([1, -1])]),
    (F.cross_entropy, [torch.randn(2, 4), torch.tensor([1, -1])]),
    (lambda x: x // 0, [torch.arange(3)]),
    (lambda x, y: x % y, [torch.arange(3), torch.arange(3)]),
    (lambda x: x**-1, [torch.arange(1, 3)]),
    (lambda x: x.clamp(-300, 300), [torch.arange(3, dtype=torch.int8)]),
    (lambda x: x + torch.full((3,), 300, dtype=torch.uint8), [torch.arange(3, dtype=torch.uint8)]),
]


@pytest.mark.parametrize(("function", "inputs"), REFUSED, ids=range(len(REFUSED)))
def test_what_pytorch_refuses(function: Callable[..., Any], inputs: list[Any]) -> None:
    jitted = compiled(function)
    for each in (jitted, function):
        with pytest.raises((IndexError, RuntimeError, ZeroDivisionError)):
            each(*inputs)


def test_what_is_left_of_nan_is_told() -> None:
    assert math.isnan(float(compiled(lambda x: x.amax() * 2)(torch.tensor([1.0, NAN]))))


def _all(results: Any) -> list[Any]:
    return list(results) if isinstance(results, (tuple, list)) else [results]


VIEWS: dict[str, Callable[..., Any]] = {
    "half": lambda x: x[x.shape[0] // 2 :],
    "last": lambda x: x[x.shape[0] - 1],
    "twice": lambda x: x[x.shape[0] // 2 :][1:],
    "flat": lambda x: x.flatten()[x.shape[1] :],
    "like": lambda x: x[2:].view_as(x[2:]),
    "expanded": lambda x: x[1:2].expand(x.shape[0], -1),
    "split": lambda x: x.split(2),
    "part of split": lambda x: x.split(2)[1][:, 1:],
    "chunks": lambda x: x.chunk(2, 1),
    "third": lambda x: x.tensor_split(3)[1:],
    "unbound": lambda x: x.unbind(1),
    "with a size": lambda x: (x[x.shape[0] // 2 :], x.shape[0] // 2),
    "place": lambda x: torch.as_strided(x, (2, 2), (2, 1), 3),
}


@pytest.mark.parametrize("needs", [False, True])
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_results_that_show_memory_of_an_input(name: str, dynamic: bool, needs: bool) -> None:
    jitted = compiled(VIEWS[name], dynamic=dynamic)
    x = torch.randn(6, 6, requires_grad=needs)
    found, wanted = jitted(x), VIEWS[name](x)
    assert_like(found, wanted)
    mine, theirs = ([y for y in _all(each) if isinstance(y, torch.Tensor)] for each in (found, wanted))
    assert [y.data_ptr() for y in mine] == [y.data_ptr() for y in theirs]
    if needs:
        assert_like(*(torch.autograd.grad(sum(y.square().sum() for y in each), x)[0] for each in (mine, theirs)))


@pytest.mark.parametrize(
    "view", [lambda x: (x * 2).chunk(2, 1), lambda x: (x[1:2] * 2).expand(x.shape[0], -1)], ids=range(2)
)
def test_strides_of_views_whose_sizes_change(view: Callable[..., Any]) -> None:
    jitted = compiled(view, dynamic=True)
    for n in (6, 9):
        x = torch.randn(n, 6)
        assert_like(jitted(x), view(x))


def test_inputs_in_lists_and_dicts() -> None:
    class Sums(torch.nn.Module):
        def forward(self, pair: list[Any], named: dict[str, Any]) -> Any:
            return {"sum": pair[0] + pair[1] * 2, "product": (named["a"] * pair[0], [named["b"].exp(), None])}

    jitted = compiled(Sums())
    for n in (3, 4):
        x, y, z = (torch.randn(n, requires_grad=True) for _ in range(3))
        results = [each([x, y], {"a": z, "b": y}) for each in (jitted, Sums())]
        assert_like(*([r["sum"], *r["product"][0:1], *r["product"][1]] for r in results))
        assert_like(*(list(torch.autograd.grad(r["product"][0].sum() + r["sum"].sum(), (x, y, z))) for r in results))


def test_a_graph_of_lists() -> None:
    def function(pair: Any, named: Any) -> Any:
        return (pair[0] + named["a"] * 2,)

    module = torch.fx.GraphModule({}, torch.fx.Tracer().trace(function))
    x, y = torch.ones(3), torch.arange(3.0)
    start()
    (found,) = torch_backend.backend(module, [[x], {"a": y}])([x], {"a": y})
    assert_like(found, x + y * 2)
    assert len(torch_backend.explain()) == 1 and left_to_pytorch() == []


NOTHING: list[tuple[Callable[..., Any], list[Any]]] = [
    (lambda: torch.ones(3) * 2, []),
    (lambda: None, []),
    (lambda: (3, "a"), []),
    (lambda: torch.nn.functional.one_hot(torch.arange(3)) + 0, []),
    (lambda x: None, [torch.ones(3)]),
    (lambda x: (None, x * 2, None), [torch.ones(3)]),
    (lambda x: x.mul_(2) and None, [torch.ones(1)]),
    (lambda x: [], [torch.ones(3)]),
    (lambda x: x, [torch.ones(3)]),
    (lambda x: x * 2, [torch.ones(0, 3)]),
]


@pytest.mark.parametrize(("function", "inputs"), NOTHING, ids=range(len(NOTHING)))
def test_no_inputs_and_no_results(function: Callable[..., Any], inputs: list[Any]) -> None:
    jitted = compiled(function)
    mine, theirs = ([x.clone() for x in inputs] for _ in range(2))
    for _ in range(2):
        assert_like(jitted(*mine), function(*theirs))
        assert_like(mine, theirs)


def test_training_by_no_inputs() -> None:
    w = torch.nn.Parameter(torch.arange(3.0))
    jitted = compiled(lambda: (w.sin() * torch.ones(3)).sum())
    jitted().backward()
    assert_like(w.grad, w.detach().cos())
