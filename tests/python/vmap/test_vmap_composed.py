"""vmap of composed programs: control flow that a batched Tensor decides, indexing and its assignment, random numbers, and
transforms within and around; eager, jitted by ast and by bytecode, against loops over the slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(3)
X = RNG.uniform(-2, 2, (4, 3))
Y = RNG.uniform(-2, 2, 3)
MODES: dict[str, Callable[[Any], Any]] = {
    "eager": lambda f: f,
    "ast": ms.jit,
    "bytecode": lambda f: ms.jit(f, capture_mode="bytecode"),
}


def branch(x: Any) -> Any:
    if x.sum() > 0:
        return x * 2
    return x - 1


def nested_branches(x: Any) -> Any:
    y = x
    if x[0] > 0:
        if x[1] > 0:
            y = x * 3
        else:
            y = ops.sin(x)
            x = y + x[2]
        y = y + 1
    elif x[2] > 0:
        y = y - x[2]
    return y * 2


def both(x: Any) -> Any:
    if x[0] > 0 and not x[1] > 0.5:
        return ops.exp(x)
    return -x if x[2] < 0 or x[0] < -1 else x


def countdown(x: Any) -> Any:
    steps = 0
    while ops.abs(x).sum() > 0.5:
        x = x * 0.5
        steps = steps + 1
    return x, steps


def nested_loops(x: Any) -> Any:
    total = x * 0
    while x[0] < 2:
        x = x + 1
        inner = x
        while inner.sum() > 1:
            inner = inner * 0.5
        total = total + inner
    return total


def loop_with_branch(x: Any) -> Any:
    while x.sum() < 8:
        if x[0] > 0:
            x = x + 1.5
        else:
            more = ops.abs(x) + 0.5
            x = x + more
    return x


def for_rows(x: Any) -> Any:
    total = x[0] * 0
    for i in range(x.shape[0]):
        total = total * 0.5 + x[i] * i
    for item in x:
        total = total + item
    return total


def helper(a: Any, b: Any = 2.0) -> Any:
    if a.sum() < 0:
        return b - a
    return a * b


def calls(x: Any) -> Any:
    def inner(t: Any) -> Any:
        return helper(t, b=x[0])

    return inner(x) + helper(x[1:]).sum()


def assigns(x: Any) -> Any:
    y = x * 1
    y[0] = 7.0
    y[1:] = y[:2] + x[2]
    y[2] += y[0] * x[1]
    return y


def assigns_under_condition(x: Any) -> Any:
    y = x * 1
    if x[0] > 0:
        y[1] = x[2]
    else:
        y[:2] = 0.5
    return y


def picks(x: Any) -> Any:
    at = ops.argmax(x)
    return x[at], x[ops.stack((at, at * 0))], x[[2, 0]], x[None, ::-1]


def picks_by_mask(x: Any) -> Any:
    y = x * 1
    y[x > 0] = -1.0
    y[ops.argmax(x)] = 9.0
    return y


def item(x: Any) -> Any:
    return x * float(x[1]), float(x[0]), int(x[2] * 3), bool(x[0] > 0)


def lists(x: Any) -> Any:
    parts = [x[i] * i for i in range(3)]
    parts.append(x.sum())
    return ops.stack(parts), {"first": parts[0], "rest": tuple(parts[1:])}


def recursive(x: Any, depth: int = 3) -> Any:
    return x if depth == 0 else recursive(ops.tanh(x) + 0.1, depth - 1)


net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2))
inner_jit = ms.jit(nested_branches)
PROGRAMS: dict[str, Callable[[Any], Any]] = {
    f.__name__: f
    for f in (
        *(branch, nested_branches, both, countdown, nested_loops, loop_with_branch, for_rows, calls, assigns),
        *(assigns_under_condition, picks, picks_by_mask, item, lists, recursive),
    )
}
PROGRAMS.update(
    {
        "a jitted callee": lambda x: inner_jit(x) * 2,
        "a Cell": lambda x: net(x.astype(ms.float32)),
        "grad": ms.grad(lambda x: (ops.sin(x) * x).sum()),
        "grad of a branch": ms.grad(lambda x: branch(x).prod()),
        "grad of a loop": ms.grad(lambda x: loop_with_branch(x).sum()),
        "value_and_grad": ms.value_and_grad(lambda x: (x * x * Tensor(Y)).sum()),
        "grad of grad": ms.grad(lambda x: ms.grad(lambda t: (t * t * t).sum())(x).sum()),
        "jvp": lambda x: ms.jvp(lambda t: ops.exp(t) * t, x, x * 2),
        "vjp": lambda x: ms.vjp(lambda t: ops.exp(t) * t, x)[1](x),
        "jacrev": ms.jacrev(lambda x: ops.sin(x) * x[0]),
        "jacfwd": ms.jacfwd(lambda x: ops.sin(x) * x[0]),
        "vmap within": lambda x: ms.vmap(lambda a, b: a * b + x[0], (0, None))(x, x[1]),
        "vmap of a branch within": lambda x: ms.vmap(lambda a: a * 2 if a > x[0] else x[1] - a)(x),
        "grad of vmap within": ms.grad(lambda x: ms.vmap(lambda a: ops.sin(a) * x)(x).sum()),
        "stop_gradient": ms.grad(lambda x: (ops.stop_gradient(x) * x).sum()),
        "while loop op": lambda x: ops.WhileLoop()(lambda t: t.sum() < 9, lambda t: t + 1.25, x),
    }
)


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = tuple(value.values())
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, (tuple, list)) else [value]


def compare(got: Any, want: list[Any], rtol: float = 1e-6) -> None:
    """The result of a batch, against those of the slices."""
    columns = list(zip(*(flat(part) for part in want), strict=True))
    for g, column in zip(flat(got), columns, strict=True):
        together = np.stack([Tensor(item).asnumpy() for item in column])
        assert g.asnumpy().dtype == together.dtype
        np.testing.assert_allclose(g.asnumpy(), together, rtol=rtol, atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, mode: str) -> None:
    f = PROGRAMS[name]
    want = [f(Tensor(row)) for row in X]
    rtol = 1e-5 if name == "a Cell" else 1e-9
    compare(MODES[mode](lambda x: ms.vmap(f)(x))(Tensor(X)), want, rtol)
    compare(MODES[mode](ms.vmap(f, 1))(Tensor(X.T)), want, rtol)
    compare(ms.vmap(ms.jit(f))(Tensor(X)), want, rtol)
    compare(ms.vmap(lambda y, x: f(x), (None, 0))(Tensor(Y), Tensor(X)), want, rtol)


@pytest.mark.parametrize("name", PROGRAMS)
def test_batches_of_batches(name: str) -> None:
    f = PROGRAMS[name]
    both = np.stack([X, X[::-1] * 0.75], 1)
    got = ms.vmap(ms.vmap(f), 1)(Tensor(both))
    for i in range(2):
        rows = [f(Tensor(row)) for row in both[:, i]]
        compare([part[i] for part in flat(got)], [flat(row) for row in rows], 1e-5 if name == "a Cell" else 1e-9)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name", ["branch", "nested_branches", "loop_with_branch", "calls", "assigns", "assigns_under_condition"]
)
def test_gradients_of_batches(name: str, mode: str) -> None:
    f = PROGRAMS[name]
    got = MODES[mode](ms.grad(lambda x: (ms.vmap(f)(x) * Tensor(Y)).sum()))(Tensor(X))
    want = [ms.grad(lambda row: (f(row) * Tensor(Y)).sum())(Tensor(row)) for row in X]
    compare(got, want, 1e-9)


def test_indices_that_differ() -> None:
    rows = Tensor(np.array([[0, 2], [1, 1], [2, 0], [2, 1]]))
    compare(ms.vmap(lambda x, i: x[i])(Tensor(X), rows), [Tensor(x[i]) for x, i in zip(X, rows.asnumpy())])
    compare(ms.vmap(lambda i: Tensor(Y)[i])(rows), [Tensor(Y[i]) for i in rows.asnumpy()])

    def stored(x: Any, i: Any) -> Any:
        y = x * 1
        y[i] = 5.0
        return y

    want = X.copy()
    for row, i in zip(want, rows.asnumpy()):
        row[i] = 5.0
    compare(ms.vmap(stored)(Tensor(X), rows), [Tensor(row) for row in want])
    compare(ms.jit(ms.vmap(stored))(Tensor(X), rows), [Tensor(row) for row in want])


DRAWS: dict[str, Callable[[Any], Any]] = {
    "rand": lambda x: ops.rand(5),
    "randn": lambda x: ops.randn(5) + x[0] * 0,
    "uniform": lambda x: ops.uniform((5,), Tensor(0.0, ms.float32), Tensor(1.0, ms.float32)),
    "normal": lambda x: ops.normal((5,), Tensor(0.0, ms.float32), Tensor(1.0, ms.float32)),
    "dropout": lambda x: ops.dropout(ops.ones((64,), ms.float32), 0.5) + x[0] * 0,
    "under a condition": lambda x: ops.rand(5) if x[0] > -9 else ops.ones((5,), ms.float32),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", DRAWS)
def test_slices_draw_different_numbers(name: str, mode: str) -> None:
    run = MODES[mode](lambda x: ms.vmap(DRAWS[name])(x))
    ms.set_seed(5)
    first, second = run(Tensor(X)).asnumpy(), run(Tensor(X)).asnumpy()
    assert first.shape == (4, *DRAWS[name](Tensor(X[0])).shape)
    assert len({row.tobytes() for row in [*first, *second]}) == 8
    ms.set_seed(5)
    np.testing.assert_array_equal(run(Tensor(X)).asnumpy(), first)


def test_per_sample_gradients_of_weights() -> None:
    w = Parameter(Tensor(Y), name="w")
    per_sample = ms.grad(lambda x: ops.tanh(x * w).sum(), None, w)
    want = [per_sample(Tensor(row)) for row in X]
    compare(ms.vmap(per_sample)(Tensor(X)), want, 1e-9)
    compare(ms.jit(ms.vmap(per_sample))(Tensor(X)), want, 1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_iteration_over_a_tensor(mode: str) -> None:
    total = lambda x: sum(row * i for i, row in enumerate(x))
    np.testing.assert_array_equal(MODES[mode](total)(Tensor(X)).asnumpy(), total(X))
    compare(MODES[mode](ms.vmap(lambda x: [item * 2 for item in x]))(Tensor(X)), [list(Tensor(row * 2)) for row in X])
