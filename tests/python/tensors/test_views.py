"""Writes to views and to what they view: the same elements as in plain Python, whose views share memory, and the gradients
that follow from them, by each transform, eager and captured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

SHAPE = (4, 3)

VIEWS: dict[str, Callable[[Any], Any]] = {
    "index": lambda y: y[1],
    "element": lambda y: y[1, 2],
    "slice": lambda y: y[1:3],
    "strided": lambda y: y[::2, 1:],
    "backward": lambda y: y[::-1, ::-2],
    "column": lambda y: y[:, 1],
    "newaxis": lambda y: y[None, 2],
    "ellipsis": lambda y: y[..., 0],
    "view": lambda y: y.view(12),
    "reshape": lambda y: ops.reshape(y, (2, 6)),
    "flatten": lambda y: y.flatten(),
    "transpose": lambda y: ops.transpose(y, (1, 0)),
    "T": lambda y: y.T,
    "swapaxes": lambda y: y.swapaxes(0, 1),
    "squeeze": lambda y: ops.squeeze(y[2:3], 0),
    "expand_dims": lambda y: ops.expand_dims(y, 1),
    "flip": lambda y: ops.flip(y, (0,)),
    "split": lambda y: ops.split(y, 2)[1],
    "chunk": lambda y: y.chunk(2)[0],
    "unbind": lambda y: y.unbind(0)[3],
    "select": lambda y: y.select(1, 2),
    "diagonal": lambda y: y.diagonal(-1),
    "narrow": lambda y: y.narrow(1, 1, 2),
    "movedim": lambda y: y.movedim(0, 1),
    "unflatten": lambda y: y.unflatten(0, (2, 2)),
    "dropout": lambda y: ops.dropout(y, training=False),
    "of a view": lambda y: y[1:].T[1:, ::-1],
    "not contiguous": lambda y: y.T.view(12),
    "same": lambda y: y[:],
    "stop_gradient": lambda y: ops.stop_gradient(y),
    "copy": lambda y: y[1:].copy(),
}


def assign(target: Any, x: Any) -> None:
    target[...] = 3.0


def assign_varied(target: Any, x: Any) -> None:
    target[...] = x[0, 0] * 2


def assign_first(target: Any, x: Any) -> None:
    target[0 if target.ndim else ...] = x[3, 1] * x[3, 2]


def scale(target: Any, x: Any) -> None:
    target[...] = target * target


def add(target: Any, x: Any) -> None:
    target[...] += x[2, 2]


def mask(target: Any, x: Any) -> None:
    target[target > 1.2] = 0.5


def list_of_indices(target: Any, x: Any) -> None:
    if target.ndim:
        target[[0, -1]] = x[0, 0] * 5
    else:
        target[...] = x[0, 0] * 5


def by_op(target: Any, x: Any) -> None:
    ops.assign(target, target * x[1, 1])


def add_by_op(target: Any, x: Any) -> None:
    ops.assign_add(target, target * x[1, 1])


WRITES = [assign, assign_varied, assign_first, scale, add, mask, list_of_indices, by_op, add_by_op]


def view_written(x: Any, view: Any, write: Any) -> Any:
    y = x * x
    v = view(y)
    write(v, x)
    return (y * y * y).sum()


def base_written(x: Any, view: Any, write: Any) -> Any:
    y = x * x
    v = view(y)
    write(y, x)
    return (v * v * v).sum()


def both_written(x: Any, view: Any, write: Any) -> Any:
    y = x * x
    v, w = view(y), y[1:]
    z = v * x[0, 1]
    write(v, x)
    y[2] = y[1] * 2
    write(w, x)
    return (v * v).sum() + (w * w * w).sum() + z.sum() + (y * x).sum()


def base_gone(x: Any, view: Any, write: Any) -> Any:
    v = view(x * x)
    w = v[...]
    write(w, x)
    return (v * v).sum()


def in_a_loop(x: Any, view: Any, write: Any) -> Any:
    y = x * 1
    v = view(y)
    for i in range(3):
        y[i + 1] = y[i] * x[i] + v.sum()
        write(v, x)
    return (y * v.sum()).sum()


PROGRAMS = [view_written, base_written, both_written, base_gone, in_a_loop]
START = np.random.default_rng(1).uniform(0.5, 1.5, SHAPE)


def slope(f: Callable[[Any], Any], direction: np.ndarray) -> float:
    step = 1e-5
    up, down = (float(f(Tensor(START + sign * step * direction))) for sign in (1, -1))
    return (up - down) / (2 * step)


def captures(f: Any, mode: str) -> Any:
    return ms.jit(f, capture_mode=mode)


MODES: dict[str, Callable[[Any, Any], Any]] = {
    "grad": lambda f, x: ms.grad(f)(x),
    "vjp": lambda f, x: ms.vjp(f, x)[1](ops.ones_like(f(x)))[0],
    "grad of ast": lambda f, x: ms.grad(captures(f, "ast"))(x),
    "grad of bytecode": lambda f, x: ms.grad(captures(f, "bytecode"))(x),
    "ast of grad": lambda f, x: captures(ms.grad(f), "ast")(x),
    "bytecode of grad": lambda f, x: captures(ms.grad(f), "bytecode")(x),
}


def constant(view: str) -> bool:
    return view == "stop_gradient"


@pytest.mark.parametrize(
    "write", [*WRITES[:-1], pytest.param(add_by_op, marks=pytest.mark.breaks)], ids=lambda write: write.__name__
)
@pytest.mark.parametrize(
    "view", [pytest.param(view, marks=pytest.mark.breaks) if view == "not contiguous" else view for view in VIEWS]
)
def test_gradients_are_slopes(view: str, write: Any) -> None:
    direction = np.random.default_rng(2).uniform(-1, 1, SHAPE)
    for program in PROGRAMS:

        def f(x: Any, program: Any = program) -> Any:
            return program(x, VIEWS[view], write)

        expected = f(Tensor(START)).asnumpy()
        for mode in ("ast", "bytecode"):
            np.testing.assert_array_equal(captures(f, mode)(Tensor(START)).asnumpy(), expected, f"{program.__name__} {mode}")
        wanted = None if constant(view) else slope(f, direction)
        eager = ms.grad(f)(Tensor(START)).asnumpy()
        for name, transform in MODES.items():
            found = transform(f, Tensor(START)).asnumpy()
            np.testing.assert_allclose(found, eager, rtol=1e-12, atol=1e-12, err_msg=f"{program.__name__} {name}")
        if wanted is not None:
            assert (eager * direction).sum() == pytest.approx(wanted, rel=1e-6), program.__name__
            _, moved = ms.jvp(f, Tensor(START), Tensor(direction))
            assert float(moved) == pytest.approx(wanted, rel=1e-6), program.__name__


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("view", ["index", "view", "T", "chunk", "backward"])
def test_batches(view: str, program: Any) -> None:
    def f(x: Any) -> Any:
        return program(x, VIEWS[view], assign_first)

    batch = np.random.default_rng(3).uniform(0.5, 1.5, (2, *SHAPE))
    values = [f(Tensor(one)).asnumpy() for one in batch]
    slopes = [ms.grad(f)(Tensor(one)).asnumpy() for one in batch]
    np.testing.assert_allclose(ms.vmap(f)(Tensor(batch)).asnumpy(), values, rtol=1e-12)
    np.testing.assert_allclose(ms.vmap(ms.grad(f))(Tensor(batch)).asnumpy(), slopes, rtol=1e-10)
    np.testing.assert_allclose(ms.grad(lambda x: ms.vmap(f)(x).sum())(Tensor(batch)).asnumpy(), slopes, rtol=1e-10)


def test_second_order() -> None:
    def f(x: Any) -> Any:
        y = x * x
        v = y.view(12)
        v[1] = v[0] * x[0, 2]
        return (y * y).sum()

    def g(x: Any) -> Any:
        return (ms.grad(f)(x) * Tensor(START)).sum()

    direction = np.random.default_rng(4).uniform(-1, 1, SHAPE)
    found = (ms.grad(g)(Tensor(START)).asnumpy() * direction).sum()
    assert found == pytest.approx(slope(g, direction), rel=1e-6)


def test_repeated_elements() -> None:
    """A Tensor of which elements stand at several indices is written as its own copy, if nobody else sees the write."""

    def alone(x: Any) -> Any:
        v = ops.broadcast_to(x * 2, (2, 3))
        v[0] = 5.0
        return (v * v).sum()

    def shared(x: Any) -> Any:
        y = x * 2
        v = ops.broadcast_to(y, (2, 3))
        v[0] = 5.0
        return (y * v).sum()

    x = Tensor([1.0, 2.0, 3.0])
    for f in (alone, captures(alone, "ast")):
        assert f(x).asnumpy() == 75 + 4 + 16 + 36
        np.testing.assert_array_equal(ms.grad(f)(x).asnumpy(), [8, 16, 24])
    for f in (shared, ms.grad(shared)):
        with pytest.raises(ValueError, match="share their memory"):
            f(x)


def test_parameters() -> None:
    p = Parameter(Tensor([1.0, 2.0]), "p")

    def f(x: Any) -> Any:
        v = p.view(2, 1)
        ops.assign(p, x * p)
        return (v * v).sum()

    x = Tensor([3.0, 4.0])
    gradient, by_weight = ms.grad(f, 0, p)(x)
    np.testing.assert_array_equal(gradient.asnumpy(), [0, 0])  # nothing flows to what is written to a Parameter
    np.testing.assert_array_equal(by_weight.asnumpy(), [6, 16])
    np.testing.assert_array_equal(p.asnumpy(), [3, 8])


def test_arguments_that_share_memory() -> None:
    x = Tensor([1.0, 2.0, 3.0])

    def f(x: Any, v: Any) -> Any:
        v[0] = v[0] * 4
        return (x * x).sum()

    by_x, by_v = ms.grad(f, (0, 1))(x, x[1:])
    np.testing.assert_array_equal(by_x.asnumpy() + np.pad(by_v.asnumpy(), (1, 0)), [2, 64, 6])


def test_gradients_share_nothing() -> None:
    x = Tensor([1.0, 2.0])
    first, second = ms.grad(lambda a, b: a + b, (0, 1))(x, x)
    first[0] = 7.0
    np.testing.assert_array_equal(second.asnumpy(), [1, 1])
    seed = Tensor([1.0, 2.0])
    (pulled,) = ms.vjp(lambda a: a + 1.0, x)[1](seed)
    pulled[0] = 7.0
    np.testing.assert_array_equal(seed.asnumpy(), [1, 2])


def test_what_a_vjp_keeps_is_not_written() -> None:
    x = Tensor([1.0, 2.0, 3.0])
    y = x * 2
    v = y[1:]
    _, pull = ms.vjp(lambda a: a * y, x)
    v[0] = 9.0
    np.testing.assert_array_equal(y.asnumpy(), [2, 9, 6])
    np.testing.assert_array_equal(pull(ops.ones_like(x))[0].asnumpy(), [2, 4, 6])


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_a_graph_returns_shares_memory(mode: str) -> None:
    def f(x: Any) -> Any:
        y = x * 1
        return y, y[0], x.view(6)

    def loss(x: Any) -> Any:
        y, v, w = jitted(x)
        v[0] = x[1, 1] * 7
        return (y * y).sum() + w.sum()

    jitted = captures(f, mode)
    x = Tensor(np.ones((2, 3), np.float32))
    np.testing.assert_array_equal(ms.grad(loss)(x).asnumpy(), [[1, 3, 3], [3, 3 + 2 * 49, 3]])


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_arguments_of_graphs_that_share_memory(mode: str) -> None:
    def f(x: Any, v: Any) -> Any:
        v[0] = v[0] * 4
        return (x * x).sum()

    captured, gradient = captures(f, mode), captures(ms.grad(f, (0, 1)), mode)
    for shared in (False, True, True, False):
        x = Tensor([1.0, 2.0, 3.0])
        v = x[1:] if shared else Tensor([2.0, 3.0])
        by_x, by_v = gradient(x, v)
        total = by_x.asnumpy() + np.pad(by_v.asnumpy(), (1, 0))
        np.testing.assert_array_equal(total, [2, 64, 6] if shared else [2, 4, 6])
        assert captured(x, v) == (74 if shared else 14)
        np.testing.assert_array_equal(v.asnumpy(), [8, 3])
