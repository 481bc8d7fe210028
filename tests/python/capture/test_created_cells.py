"""Cells that captured code makes: without Parameters they are objects like others; with Parameters they are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops

X = Tensor(np.float32([[1, -2], [3, -4]]))


class Scaled(nn.Cell):
    def __init__(self, factor: Any, then: Any = None):
        super().__init__()
        self.factor = factor
        self.then = then

    def construct(self, x: Any) -> Any:
        y = x * self.factor
        return y if self.then is None else self.then(y)


class Tripled(nn.Cell):
    def construct(self, x: Any) -> Any:
        return x * 3


OUTER = Scaled(2)


def without_init(x: Any) -> Any:
    return Tripled()(x)


def nested(x: Any) -> Any:
    return Scaled(2, Scaled(3, nn.ReLU()))(x)


def of_a_tensor(x: Any) -> Any:
    made = Scaled(x)
    made.add_flags(factor=made.factor + x)
    return made(x)


def changed_after_a_call(x: Any) -> Any:
    made = Scaled(3, Scaled(2))
    y = made(x)
    made.factor = made.factor + 1
    made.then.factor = 7
    z = made(x)
    made.then = OUTER
    return y * z + made(x)


def changed_under_a_condition(x: Any) -> Any:
    made = Scaled(3)
    if x.sum() > 0:
        made.factor = 5
    return made(x)


def changed_in_a_loop(x: Any) -> Any:
    made = Scaled(3)
    while made.factor < x.max():
        made.factor = made.factor + 1
    return made(x)


def in_train_mode(x: Any) -> Any:
    made = Scaled(3, Tripled()).set_train()
    return made(x) if made.then.training else x


def differentiated(x: Any) -> Any:
    return ms.grad(Scaled(x, ops.sin))(x)


def batched(x: Any) -> Any:
    return ms.vmap(Scaled(2, ops.sum))(x)


WORKS = (
    without_init,
    nested,
    of_a_tensor,
    changed_after_a_call,
    changed_under_a_condition,
    changed_in_a_loop,
    in_train_mode,
    differentiated,
    batched,
)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", WORKS, ids=lambda f: f.__name__)
def test_captured_code_makes_cells(function, mode):
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for x in (X, -X, X * 2):
        assert np.array_equal(jitted(x).asnumpy(), function(x).asnumpy())
    assert len(jitted.explain()["entries"]) == 1


@pytest.mark.parametrize("transform", [ms.vmap, ms.grad], ids=["vmap", "grad"])
@pytest.mark.parametrize("function", [without_init, nested, of_a_tensor, changed_after_a_call], ids=lambda f: f.__name__)
def test_transforms_of_what_makes_cells(transform, function):
    expected = np.stack([function(row).asnumpy() for row in X]) if transform is ms.vmap else None
    made = transform(function)(X)
    assert np.array_equal(made.asnumpy(), expected) if expected is not None else made.shape == X.shape


def test_a_class_that_changes_is_captured_again():
    class Made(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2

    jitted = ms.jit(lambda x: Made()(x), fullgraph=True)
    assert np.array_equal(jitted(X).asnumpy(), X.asnumpy() * 2)
    Made.construct = lambda self, x: x * 5
    assert np.array_equal(jitted(X).asnumpy(), X.asnumpy() * 5)


class Inherits(nn.Dense):
    def __init__(self) -> None:
        super().__init__(2, 2)


class Holds(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(2, 2)

    def construct(self, x: Any) -> Any:
        return self.dense(x)


class Owns(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(Tensor([1.0, 2.0]))

    def construct(self, x: Any) -> Any:
        return self.weight * x


@pytest.mark.parametrize("cls", [nn.Dense, Inherits, Holds, Owns])
@pytest.mark.parametrize("transform", [lambda f: ms.jit(f, fullgraph=True), ms.vmap], ids=["jit", "vmap"])
def test_cells_with_parameters_are_refused(transform, cls):
    def make(x: Any) -> Any:
        return (cls(2, 2) if cls is nn.Dense else cls())(x)

    with pytest.raises(ms.CaptureError, match="whose Parameters a graph would make only once"):
        transform(make)(X)


def test_a_cell_that_was_made_is_no_result():
    with pytest.raises(ms.CaptureError, match="returns a Scaled that it made"):
        ms.jit(lambda x: (Scaled(2), x), fullgraph=True)(X)
