"""vmap: what it takes and gives, what it keeps between calls, CellLists; against loops over the slices."""

from __future__ import annotations

import copy
import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit.capture.dispatch import capturing

X = np.arange(6, dtype=np.float32).reshape(2, 3)
Y = np.array([1, -2, 4], np.float32)


def double(x: Any) -> Any:
    return x * 2


def same(got: Any, want: Any) -> None:
    """Structures, dtypes and elements."""
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want):
            same(g, w)
    elif isinstance(want, dict):
        assert list(got) == list(want)
        same(list(got.values()), list(want.values()))
    elif isinstance(want, np.ndarray):
        assert got.asnumpy().dtype == want.dtype
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-6)
    else:
        assert got == want and type(got) is type(want)


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that are captured."""
    names: list[str] = []
    capture_call = capturing.capture_call

    def noted(jitted: Any, function: Any, *rest: Any, **options: Any) -> Any:
        names.append(function.__name__)
        return capture_call(jitted, function, *rest, **options)

    monkeypatch.setattr(capturing, "capture_call", noted)
    return names


def test_the_same_function_is_captured_once(captures: list[str]) -> None:
    def f(x: Any) -> Any:
        return x * 3

    for _ in range(3):
        same(ms.vmap(f)(Tensor(X)), X * 3)
        same(ms.vmap(f, in_axes=(1,))(Tensor(X)), X.T * 3)
        same(ms.vmap(f, [1])(Tensor(X)), X.T * 3)
        same(ms.vmap(f, 0, 1)(Tensor(X)), X.T * 3)
        same(ms.vmap(ops.sin)(Tensor(X)), np.sin(X))
    assert captures == ["f", "f", "f", "sin"]


def test_gradients_made_anew_are_captured_once(captures: list[str]) -> None:
    by = Parameter(Tensor(Y), name="by")

    def f(x: Any) -> Any:
        return (x * x * by).sum()

    class Loss:
        def __call__(self, x: Any) -> Any:
            return f(x)

        def of(self, x: Any) -> Any:
            return f(x) * 2

    loss = Loss()
    for _ in range(3):
        same(ms.vmap(ms.grad(f))(Tensor(X)), 2 * X * Y)
        same(ms.vmap(ms.grad(f, (0,)))(Tensor(X)), 2 * X * Y)
        same(ms.vmap(ms.grad(loss.of))(Tensor(X)), 4 * X * Y)
        same(ms.vmap(ms.value_and_grad(loss))(Tensor(X)), ((X * X * Y).sum(1), 2 * X * Y))
        same(ms.vmap(ms.grad(f, None, by))(Tensor(X)), X * X)
        same(ms.vmap(ms.grad(f, None, [by]))(Tensor(X)), (X * X,))
        same(ms.vmap(ms.grad(f, 0, [by]))(Tensor(X)), (2 * X * Y, (X * X,)))
        same(ms.vmap(ms.grad(ms.vmap(f)))(Tensor(X[None])), 2 * X[None] * Y)
    assert len(captures) == 7


def test_one_graph_serves_batches_of_any_size(captures: list[str]) -> None:
    f = lambda x, y: ops.tanh(x) * y
    for size in (3, 5, 4, 8):
        x = np.arange(size * 2, dtype=np.float32).reshape(size, 2)
        same(ms.vmap(f)(Tensor(x), Tensor(x)), np.tanh(x) * x)
        same(ms.vmap(f, (0, None), 1)(Tensor(x), Tensor(Y[:2])), (np.tanh(x) * Y[:2]).T)
    assert len(captures) == 2
    with pytest.raises(RuntimeError, match="should be equal"):
        ms.vmap(f)(Tensor(X), Tensor(X[:1]))


def test_methods_and_cells_are_captured_once(captures: list[str]) -> None:
    class Scale:
        def __init__(self, by: float):
            self.by = by

        def scaled(self, x: Any) -> Any:
            return x * self.by

    two, three, cell = Scale(2.0), Scale(3.0), nn.Dense(3, 2)
    want = np.stack([cell(Tensor(row)).asnumpy() for row in X])
    for _ in range(3):
        same(ms.vmap(two.scaled)(Tensor(X)), X * 2)
        same(ms.vmap(three.scaled)(Tensor(X)), X * 3)
        same(ms.vmap(cell)(Tensor(X)), want)
    assert len(captures) == 3
    two.by = 5.0
    same(ms.vmap(two.scaled)(Tensor(X)), X * 5)


def test_changes_are_seen() -> None:
    by = 2.0

    def f(x: Any) -> Any:
        return x * by

    same(ms.vmap(f)(Tensor(X)), X * 2)
    by = 3.0
    same(ms.vmap(f)(Tensor(X)), X * 3)
    cell = nn.Dense(3, 2)
    ms.vmap(cell)(Tensor(X))
    cell.weight.set_data(Tensor(np.zeros((2, 3), np.float32)))
    same(ms.vmap(cell)(Tensor(X)), np.zeros((2, 2), np.float32) + cell.bias.asnumpy())
    cell.weight = Parameter(Tensor(np.ones((2, 3), np.float32)), name="other")
    same(ms.vmap(cell)(Tensor(X)), np.stack([X.sum(1)] * 2, 1) + cell.bias.asnumpy())


def kept_owners() -> list[Any]:
    """That vmap has been called with, and that refer to themselves or are in guards."""

    class Scale:
        def __init__(self) -> None:
            self.by = 2.0

        def scaled(self, x: Any) -> Any:
            return x * self.by

    def recursive(x: Any, depth: int = 0) -> Any:
        return x if depth == 2 else recursive(x * 2, depth + 1)

    owners = [Scale(), nn.Dense(3, 2), recursive]
    for owner in owners:
        ms.vmap(getattr(owner, "scaled", owner))(Tensor(X))
    return owners


def test_what_is_kept_dies_with_its_owner() -> None:
    alive = [weakref.ref(owner) for owner in kept_owners()]
    gc.collect()
    assert [ref() for ref in alive] == [None] * 3


def test_copies_start_without_what_is_kept() -> None:
    class Scale:
        def __init__(self) -> None:
            self.by = [2.0]

        def scaled(self, x: Any) -> Any:
            return x * self.by[0]

    first, cell = Scale(), nn.Dense(3, 2)
    ms.vmap(first.scaled)(Tensor(X))
    ms.vmap(cell)(Tensor(X))
    for second in (copy.copy(first), copy.deepcopy(first)):
        second.by = [7.0]
        same(ms.vmap(second.scaled)(Tensor(X)), X * 7)
        same(ms.vmap(first.scaled)(Tensor(X)), X * 2)
    other = copy.deepcopy(cell)
    other.weight.set_data(Tensor(np.zeros((2, 3), np.float32)))
    same(ms.vmap(other)(Tensor(X)), np.zeros((2, 2), np.float32) + other.bias.asnumpy())
    assert ms.vmap(cell)(Tensor(X)).asnumpy().any()

    @functools.wraps(double)
    def wrapper(x: Any) -> Any:
        return double(x) + 1

    ms.vmap(double)(Tensor(X))
    same(ms.vmap(functools.wraps(double)(lambda x: double(x) + 1))(Tensor(X)), X * 2 + 1)
    same(ms.vmap(wrapper)(Tensor(X)), X * 2 + 1)


def test_a_cell_that_ran_as_a_graph_can_be_copied() -> None:
    cell = nn.Dense(3, 2)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        want = cell(Tensor(X))
        other = copy.deepcopy(cell)
        same(other(Tensor(X)), want.asnumpy())
        other.weight.set_data(Tensor(np.zeros((2, 3), np.float32)))
        same(cell(Tensor(X)), want.asnumpy())
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def pair(t: Any) -> Any:
    return t[0] + t[1] * 2


FORMS: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    "axis of all": (lambda x, y: ms.vmap(lambda a, b: a + b)(x, x), X + X),
    "axis of each": (lambda x, y: ms.vmap(lambda a, b: a + b, (0, None))(x, y), X + Y),
    "list of axes": (lambda x, y: ms.vmap(lambda a, b: a + b, [1, 0])(x, y), (X + Y).T),
    "negative axes": (lambda x, y: ms.vmap(lambda a, b: a * b, (-1, -1), -1)(x, y), X * Y),
    "tuple": (lambda x, y: ms.vmap(pair, ((0, None),))((x, y)), X + Y * 2),
    "tuple at one axis": (lambda x, y: ms.vmap(pair, (1,))((x, x)), X.T * 3),
    "list": (lambda x, y: ms.vmap(pair, ([0, None],))([x, y]), X + Y * 2),
    "nested": (lambda x, y: ms.vmap(lambda t: pair(t[0]) * t[1], (((0, None), None),))(((x, y), y)), (X + Y * 2) * Y),
    "dict": (lambda x, y: ms.vmap(lambda d: d["a"] * d["b"], ({"a": 0, "b": None},))({"a": x, "b": y}), X * Y),
    "dict at one axis": (lambda x, y: ms.vmap(lambda d: d["a"] * d["b"])({"a": x, "b": x}), X * X),
    "number": (lambda x, y: ms.vmap(lambda a, k: a * k)(x, 3.0), X * 3),
    "default": (lambda x, y: ms.vmap(lambda a, k=2: a * k)(x), X * 2),
    "star": (lambda x, y: ms.vmap(lambda *a: a[0] + a[1])(x, x), X + X),
    "keyword": (lambda x, y: ms.vmap(lambda a, b: a - b)(x, b=x * 2), -X),
    "keyword beside axes": (lambda x, y: ms.vmap(lambda a, b: a - b, (0,))(x, b=y), X - Y),
    "tuple result": (lambda x, y: ms.vmap(lambda a: (a, a.sum()))(x), (X, X.sum(1))),
    "list result": (lambda x, y: ms.vmap(lambda a: [a, a * 2])(x), [X, X * 2]),
    "dict result": (lambda x, y: ms.vmap(lambda a: {"p": a, "q": (a,)})(x), {"p": X, "q": (X,)}),
    "nested out_axes": (lambda x, y: ms.vmap(lambda a: (a, (a, a)), 0, (0, (1, -1)))(x), (X, (X.T, X.T))),
    "named out_axes": (lambda x, y: ms.vmap(lambda a: {"p": a}, 0, {"p": 1})(x), {"p": X.T}),
    "one out_axis": (lambda x, y: ms.vmap(double, 0, (1,))(x), X.T * 2),
    "repeated result": (lambda x, y: ms.vmap(lambda a, b: (a, b * 2), (0, None))(x, y), (X, np.stack([Y, Y]) * 2)),
    "common result": (lambda x, y: ms.vmap(lambda a, b: (a, b * 2), (0, None), (0, None))(x, y), (X, Y * 2)),
    "numbers as results": (
        lambda x, y: ms.vmap(lambda a: (3.0, 2, True))(x),
        (np.full(2, 3, np.float32), np.full(2, 2), np.full(2, True)),
    ),
    "None and text as results": (lambda x, y: ms.vmap(lambda a: (a, None, "text"))(x), (X, None, "text")),
    "result that is an argument": (lambda x, y: ms.vmap(lambda a: a, 1)(x), X.T),
    "two levels": (lambda x, y: ms.vmap(ms.vmap(lambda a, b: a * b), (None, 0))(y, x), X * Y),
    "two levels, other axes": (
        lambda x, y: ms.vmap(ms.vmap(lambda a, b: a * b, (None, 0)), (0, None), 1)(y, x[0]),
        np.outer(X[0], Y),
    ),
    "a batch of nothing": (lambda x, y: ms.vmap(double)(x[:0]), X[:0]),
    "a batch of one": (lambda x, y: ms.vmap(double, 0, 1)(x[:1]), X[:1].T * 2),
    "slices without elements": (lambda x, y: ms.vmap(lambda a: a.sum())(x[:, :0]), np.zeros(2, np.float32)),
    "a jitted function": (lambda x, y: ms.vmap(ms.jit(double))(x), X * 2),
    "a function of functions": (lambda x, y: ms.vmap(functools.partial(ops.add, y))(x), X + Y),
    "a primitive": (lambda x, y: ms.vmap(ops.Add(), (0, None))(x, y), X + Y),
    "a method of Tensor": (lambda x, y: ms.vmap(Tensor.sin)(x), np.sin(X)),
}


@pytest.mark.parametrize("mode", ["eager", "jit", "tape"])
@pytest.mark.parametrize("name", FORMS)
def test_forms_of_arguments_and_results(name: str, mode: str) -> None:
    call, want = FORMS[name]
    if mode == "jit":
        call = ms.jit(call)
    if mode != "tape":
        return same(call(Tensor(X), Tensor(Y)), want)
    if name == "a batch of nothing":
        pytest.skip("no slice to follow")
    kept: list[Any] = []

    def recorded(x: Any) -> Any:
        kept.append(call(x, Tensor(Y)))
        return x.sum()

    ms.grad(recorded)(Tensor(X))
    same(kept[0], want)


CELLS = [nn.CellList(cells) for cells in ([], [nn.Dense(3, 2), nn.ReLU()], [nn.ReLU(), nn.ReLU(), nn.ReLU()])]
WRONG: list[tuple[Callable[[Any, Any], Any], str]] = [
    (lambda x, y: ms.vmap(3), "'VmapOperation' arg0 must be a 'Function' or 'Cell', but got 3."),
    (lambda x, y: ms.vmap(double, "a"), "The axis in vmap's 'in_axes' can only be of type Int or None, but got 'a'."),
    (lambda x, y: ms.vmap(double, (True,)), "'in_axes' can only be of type Int or None, but got True."),
    (lambda x, y: ms.vmap(double, 0, 1.5), "'out_axes' can only be of type Int or None, but got 1.5."),
    (lambda x, y: ms.vmap(double, None)(x), "must name a batch axis of at least one Tensor"),
    (lambda x, y: ms.vmap(double, (None,))(x), "must name a batch axis of at least one Tensor"),
    (lambda x, y: ms.vmap(lambda: 1)(), "must name a batch axis of at least one Tensor"),
    (lambda x, y: ms.vmap(double, (0, 0))(x), "the number of arguments of 'fn': 1, but got size: 2."),
    (lambda x, y: ms.vmap(double, 2)(x), "The axis: 2 in 'in_axes' is out of bounds for array of dimension [-2,2)."),
    (lambda x, y: ms.vmap(double)(x.sum()), "The axis: 0 in 'in_axes' is out of bounds for array of dimension [0,0)."),
    (lambda x, y: ms.vmap(ops.add)(x, y), "The 'axis_size' of each argument of 'vmap' should be equal, but got [2, 3]."),
    (lambda x, y: ms.vmap(pair, ((0, 0, 0),))((x, x)), "The 'in_axes' of vmap have (0, 0, 0) for (Tensor, Tensor)"),
    (lambda x, y: ms.vmap(double, ({"a": 0},))({"b": x}), "The 'in_axes' of vmap have"),
    (lambda x, y: ms.vmap(double, 0, (0, 0))(x), "The 'out_axes' of vmap have (0, 0) for Tensor"),
    (lambda x, y: ms.vmap(double, 0, 2)(x), "The axis: 2 in 'out_axes' is out of bounds for array of dimension [-2,2)."),
    (lambda x, y: ms.vmap(CELLS[0])(x), "the size of 'CellList' must be greater than 1, but got 0."),
    (lambda x, y: ms.vmap(CELLS[1])(x), "should be consistent."),
    (lambda x, y: ms.vmap(CELLS[2])(x), "should be equal, but got [2, 3]."),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_unusable_axes(number: int) -> None:
    call, text = WRONG[number]
    for run in (call, ms.jit(call, fullgraph=True)):
        with pytest.raises(RuntimeError) as caught:
            run(Tensor(X), Tensor(Y))
        assert text in str(caught.value)


def test_a_result_that_differs_needs_an_axis() -> None:
    with pytest.raises(ValueError, match="needs an axis"):
        ms.vmap(double, 0, None)(Tensor(X))


class Assigns(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.zeros(3, np.float32)), name="w")

    def construct(self, x: Any, value: Any) -> Any:
        ops.assign(self.w, value * 2)
        return x * self.w


def test_a_parameter_as_an_argument() -> None:
    parameter = Parameter(Tensor(X), name="p")
    same(ms.vmap(double, 1)(parameter), X.T * 2)
    same(ms.jit(lambda: ms.vmap(ops.mul, (0, None))(parameter, parameter[0]))(), X * X[0])


def test_a_parameter_is_assigned_what_all_slices_share() -> None:
    cell = Assigns()
    same(ms.vmap(cell, (0, None))(Tensor(X), Tensor(Y)), X * Y * 2)
    same(cell.w, Y * 2)
    with pytest.raises(ValueError, match="'assign', a Parameter can't be written inside vmap"):
        ms.vmap(cell)(Tensor(X), Tensor(X))
    same(cell.w, Y * 2)


class Layers(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Dense(3, 4), nn.Dense(4, 2)

    def construct(self, x: Any) -> Any:
        return self.second(ops.relu(self.first(x)))


@pytest.mark.parametrize("mode", [lambda f: f, ms.jit])
def test_cell_lists_take_a_slice_each(mode: Any) -> None:
    cells = nn.CellList([Layers(), Layers()])
    x = Tensor(np.stack([X, X + 1]))
    each = [cell(x[i]).asnumpy() for i, cell in enumerate(cells)]
    all_of_one = np.stack([cell(x[0]).asnumpy() for cell in cells])
    for _ in range(2):
        same(mode(lambda x: ms.vmap(cells)(x))(x), np.stack(each))
        same(mode(lambda x: ms.vmap(cells, None)(x))(x[0]), all_of_one)
        same(mode(lambda x: ms.vmap(cells, (None,), 1)(x))(x[0]), all_of_one.swapaxes(0, 1))
    cells[1].second.weight.set_data(cells[1].second.weight * 2)
    same(ms.vmap(cells)(x)[1], cells[1](x[1]).asnumpy())
    cells[0].first = nn.Dense(3, 4)
    same(ms.vmap(cells)(x)[0], cells[0](x[0]).asnumpy())


@pytest.mark.parametrize("mode", [lambda f: f, ms.jit])
def test_gradients_reach_the_weights_of_cell_lists(mode: Any) -> None:
    cells, x = nn.CellList([Layers(), Layers()]), Tensor(np.stack([X, X + 1]))
    weights = cells.trainable_params()
    together = mode(ms.grad(lambda x: (ms.vmap(cells)(x) ** 2).sum(), None, weights))(x)
    apart = ms.grad(lambda x: sum((cell(x[i]) ** 2).sum() for i, cell in enumerate(cells)), None, weights)(x)
    assert len(weights) == 8
    for got, want in zip(together, apart):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5)


def test_zeros_of_either_sign_are_two_numbers() -> None:
    zeros = ms.vmap(lambda x: (0.0, -0.0))(Tensor([1.0, 2.0]))
    assert [np.signbit(zero.asnumpy()).tolist() for zero in zeros] == [[False, False], [True, True]]
