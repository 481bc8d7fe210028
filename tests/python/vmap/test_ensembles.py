"""vmap of a CellList whose Cells write to their Parameters: results, Parameters, gradients are those of each Cell alone."""

from __future__ import annotations

import copy
import threading
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

X = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.float32)
W = np.array([[1, 1, 2], [0.5, -2, 4], [3, 1, -1]], np.float32)


class Writer(nn.Cell):
    def __init__(self, how: Any, weights: Any) -> None:
        super().__init__()
        self.a, self.b = Parameter(Tensor(weights), name="a"), Parameter(Tensor(weights + 1), name="b")
        self.how = how

    def construct(self, x: Any) -> Any:
        return self.how(self, x)


def read(cell: Any, x: Any) -> Any:
    return cell.a * cell.b * 2 + x


def assign(cell: Any, x: Any) -> Any:
    before = cell.a * x
    ops.assign(cell.a, x * 2)
    return before + read(cell, x)


def assign_a_number(cell: Any, x: Any) -> Any:
    ops.Assign()(cell.a, Tensor([7.0, 7.0, 7.0]))
    return read(cell, x)


def attribute(cell: Any, x: Any) -> Any:
    cell.a = x * cell.b
    cell.b = x + 1
    return read(cell, x)


def assign_add(cell: Any, x: Any) -> Any:
    return ops.assign_add(cell.a, x) * 2 + read(cell, x)


def assign_sub(cell: Any, x: Any) -> Any:
    ops.assign_sub(cell.a, x)
    ops.assign_sub(cell.a, x)
    return read(cell, x)


def augmented(cell: Any, x: Any) -> Any:
    cell.a += x
    cell.b *= x
    return read(cell, x)


def item(cell: Any, x: Any) -> Any:
    cell.a[0] = x[0]
    cell.b[1:] = x[1:]
    return read(cell, x)


def scatter(cell: Any, x: Any) -> Any:
    ops.scatter_update(cell.a, Tensor([2, 0], ms.int32), x[:2])
    return read(cell, x)


def in_place(cell: Any, x: Any) -> Any:
    cell.a.add_(x)
    cell.b.copy_(x)
    return read(cell, x)


def set_data(cell: Any, x: Any) -> Any:
    cell.a.set_data(x)
    return read(cell, x)


def condition(cell: Any, x: Any) -> Any:
    if x.sum() > 10:
        cell.a = x * 2
    else:
        ops.assign_add(cell.b, x)
    return read(cell, x)


def loop(cell: Any, x: Any) -> Any:
    while cell.a[0] < x[0]:
        cell.a += 1
    return read(cell, x)


def argument(cell: Any, x: Any) -> Any:
    x[0] = 5.0
    cell.a += x
    return x


WRITES = [
    assign, assign_a_number, attribute, assign_add, assign_sub, augmented, item, scatter, in_place, set_data, condition,
    loop, argument,
]  # fmt: skip
MODES = {
    "eager": lambda f: f,
    "ast": lambda f: ms.jit(f, capture_mode="ast"),
    "bytecode": lambda f: ms.jit(f, capture_mode="bytecode"),
    "trace": lambda f: ms.jit(f, capture_mode="trace"),
}


def close(got: Any, want: Any) -> None:
    got, want = list(got), list(want)
    assert len(got) == len(want)
    for one, other in zip(got, want):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
@pytest.mark.parametrize("how", WRITES, ids=lambda how: how.__name__)
def test_each_cell_writes_its_parameters(how: Any, mode: Any) -> None:
    cells = nn.CellList([Writer(how, weights) for weights in W])
    alone = copy.deepcopy(cells)
    together = mode(lambda x: ms.vmap(cells)(x))
    for _ in range(3):
        close(together(Tensor(X)), [cell(Tensor(x)) for cell, x in zip(alone, X)])
        close(cells.get_parameters(), alone.get_parameters())


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
@pytest.mark.parametrize("how", [how for how in WRITES if how is not argument], ids=lambda how: how.__name__)
def test_gradients_are_those_of_each_cell(how: Any, mode: Any) -> None:
    cells = nn.CellList([Writer(how, weights) for weights in W])
    alone = copy.deepcopy(cells)
    together = mode(ms.grad(ms.vmap(cells), 0, list(cells.trainable_params())))
    for _ in range(2):
        by_x, by_weights = together(Tensor(X))
        each = [ms.grad(c, 0, c.trainable_params())(Tensor(x)) for c, x in zip(alone, X)]
        close(by_x, [x for x, _ in each])
        close(by_weights, [weight for _, weights in each for weight in weights])
        close(cells.get_parameters(), alone.get_parameters())


def test_batch_norm_has_statistics_of_its_own() -> None:
    cells = nn.CellList([nn.BatchNorm1d(3), nn.BatchNorm1d(3)]).set_train()
    alone = copy.deepcopy(cells)
    x = Tensor(np.stack([X, X * 2 + 1]))
    close(ms.vmap(cells)(x), [cell(x[i]) for i, cell in enumerate(alone)])
    close(cells.get_parameters(), alone.get_parameters())
    assert not np.array_equal(cells[0].moving_mean.asnumpy(), cells[1].moving_mean.asnumpy())


class Train(nn.Cell):
    def __init__(self, weights: Any) -> None:
        super().__init__()
        self.net = Writer(lambda cell, x: ((cell.a * x - cell.b) ** 2).sum(), weights)
        self.weights = ms.ParameterTuple(self.net.trainable_params())
        self.gradients = ops.GradOperation(get_by_list=True)

    def construct(self, x: Any) -> Any:
        loss, (by_a, by_b) = ms.value_and_grad(self.net, None, self.weights)(x)
        again, _ = self.gradients(self.net, self.weights)(x)
        self.net.a -= 0.1 * by_a
        ops.assign_sub(self.net.b, 0.1 * by_b)
        return loss + again.sum()


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_each_cell_trains_itself(mode: Any) -> None:
    cells = nn.CellList([Train(weights) for weights in W])
    alone = copy.deepcopy(cells)
    together = mode(lambda x: ms.vmap(cells)(x))
    for _ in range(2):
        close([together(Tensor(X))], [ops.stack([cell(Tensor(x)) for cell, x in zip(alone, X)])])
        close(cells.get_parameters(), alone.get_parameters())


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_results_without_an_axis_are_those_that_no_cell_changes(mode: Any) -> None:
    shared = Tensor(W[0])
    cells = nn.CellList([Writer(lambda cell, x: (cell.a + x, shared, (shared * 2).sum(), 3), weights) for weights in W])
    whole = mode(lambda x: ms.vmap(cells, 0, (0, None, None, None))(x))(Tensor(X))
    close(whole, [Tensor(W + X), shared, Tensor(2 * W[0].sum()), Tensor(3)])
    with pytest.raises(ValueError, match="result 0 differs between the elements of the batch"):
        mode(lambda x: ms.vmap(cells, 0, None)(x))(Tensor(X))


def test_what_a_cell_assigns_of_its_slice_is_its_own() -> None:
    def whole(cell: Any, x: Any, y: Any) -> Any:
        y[0] = x[0]
        return y + cell.a

    x, y = Tensor(X), Tensor(W[0])
    cells = nn.CellList([Writer(argument, weights) for weights in W])
    close(ms.vmap(cells)(x), [Tensor([5.0, *row[1:]]) for row in X.tolist()])
    others = nn.CellList([nn.Cell(), nn.Cell()])
    for i in range(2):
        others[i].a, others[i].construct = Parameter(Tensor(W[i])), lambda x, y, i=i: whole(others[i], x, y)
    close(ms.vmap(others, (0, None))(x[:2], y), [Tensor([*X[i, :1], *W[0, 1:]]) + W[i] for i in range(2)])
    close([x, y], [Tensor(X), Tensor(W[0])])


def test_results_of_many_steps_are_compared_on_a_small_stack() -> None:
    one = Tensor([1.0])

    def long(cell: Any, x: Any) -> Any:
        y = one
        for _ in range(3000):
            y = y * one
        return x + cell.a, y

    cells, found = nn.CellList([Writer(long, weights) for weights in W]), []
    before = threading.stack_size(256 << 10)
    try:
        thread = threading.Thread(target=lambda: found.extend(ms.vmap(cells, 0, (0, None))(Tensor(X))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    close(found, [Tensor(W + X), one])
