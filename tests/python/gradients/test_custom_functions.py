"""_Function: what it computes, its gradients of both orders, what it is told and may say, and what is refused."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, _Function, ops

X = Tensor(np.float32([1, 2]))
Y = Tensor(np.float32([3, 4]))


class Product(_Function):
    """Whose gradient by x is five times what it would be."""

    seen: Any = None

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        ctx.factor = 5
        Product.seen = ctx.needs_input_grad
        return x * y

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        x, y = ctx.saved_tensors
        return gradient * y * ctx.factor, gradient * x


class Several(_Function):
    """Results of all kinds."""

    given: Any = None

    @staticmethod
    def forward(ctx: Any, x: Any, n: int, shift: int = 1) -> Any:
        cut = x * 3
        ctx.mark_non_differentiable(cut)
        return x * n, x + shift, cut, (x * 2).astype(ms.int32), "text"

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        Several.given = [None if one is None else (one.dtype, one.asnumpy().tolist()) for one in gradients]
        return gradients[0] * 10 + gradients[1], None


class Exponential(_Function):
    """Saves its result, by setup_context."""

    @staticmethod
    def forward(x: Any, factor: float = 1.0) -> Any:
        return ops.exp(x * factor)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(output)
        ctx.factor = inputs[1]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (out,) = ctx.saved_tensors
        return gradient * out * ctx.factor, None


class Written(_Function):
    """Writes to its argument."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient * 7


class Summed(_Function):
    """Gives a gradient of the shape of what its argument broadcast to, of another dtype."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x + y

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient.astype(ms.float64), gradient


def listed(value: Any) -> Any:
    return [one.asnumpy().tolist() for one in value] if isinstance(value, tuple) else value.asnumpy().tolist()


def derivative(fn: Any, positions: Any = 0) -> Any:
    return ms.grad(lambda *args: fn(*args).sum(), positions)


def after_writing(x: Any) -> Any:
    z = x * 1
    return Written.apply(z) + z * 10


P = Parameter(Tensor(np.float32([5, 6])), name="p")
GRADIENTS: list[tuple[Any, Any]] = [
    (lambda: Product.apply(X, Y), [3, 8]),
    (lambda: derivative(Product.apply)(X, Y), [15, 20]),
    (lambda: derivative(Product.apply, (0, 1))(X, Y), [[15, 20], [1, 2]]),
    (lambda: derivative(lambda x: Product.apply(x, x))(X), [6, 12]),
    (lambda: derivative(lambda x: derivative(lambda z: Product.apply(z, z))(x))(X), [6, 6]),
    (lambda: ms.value_and_grad(lambda x: Product.apply(x, P).sum(), None, [P])(X)[1], [[1, 2]]),
    (lambda: derivative(lambda x: Several.apply(x, 4)[0])(X), [10, 10]),
    (lambda: derivative(lambda x: Several.apply(x, 4)[1] * 2)(X), [2, 2]),
    (lambda: derivative(lambda x: Several.apply(x, 4)[2])(X), [0, 0]),
    (lambda: derivative(lambda x: derivative(Exponential.apply)(x))(Tensor([0.0])), [1]),
    (lambda: derivative(lambda x: Exponential.apply(x, factor=2.0))(Tensor([0.0])), [2]),
    (lambda: derivative(after_writing)(X), [77, 77]),
    (lambda: derivative(Summed.apply, (0, 1))(X, Tensor(np.ones((3, 2), np.float32))), [[3, 3], [[1, 1]] * 3]),
]


@pytest.mark.parametrize("call, wanted", GRADIENTS)
def test_results_and_gradients(call: Any, wanted: Any) -> None:
    assert listed(call()) == wanted


@pytest.mark.breaks
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_graphs_break_at_it(mode: int) -> None:
    def computed(x: Any, y: Any) -> Any:
        return Product.apply(x * 2, y) + 1

    ms.set_context(mode=mode)
    try:
        jitted = ms.jit(computed)
        for _ in range(3):
            assert listed(jitted(X, Y)) == [7, 17] and listed(derivative(jitted)(X, Y)) == [30, 40]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(ms.CaptureError, match="'Product' is a _Function, which runs in Python"):
        ms.jit(computed, fullgraph=True)(X, Y)


def test_what_backward_is_given() -> None:
    derivative(lambda x: Several.apply(x, 4)[0])(X)
    zeros = [(ms.float32, [0, 0])] * 2 + [(ms.int32, [0, 0]), None]
    assert Several.given == [(ms.float32, [1, 1]), *zeros]


def test_without_zeros_backward_is_given_none() -> None:
    class Plain(Several):
        @staticmethod
        def forward(ctx: Any, x: Any, n: int, shift: int = 1) -> Any:
            ctx.set_materialize_grads(False)
            return Several.forward(ctx, x, n, shift)

    derivative(lambda x: Plain.apply(x, 4)[0])(X)
    assert Several.given == [(ms.float32, [1, 1]), (ms.float32, [0, 0]), None, None, None]


def test_which_arguments_a_gradient_is_taken_by() -> None:
    for call, wanted in (
        (lambda: Product.apply(X, Y), (False, False)),
        (lambda: derivative(Product.apply, 1)(X, Y), (False, True)),
        (lambda: derivative(Product.apply, (0, 1))(X, Y), (True, True)),
    ):
        call()
        assert Product.seen == wanted


def test_the_context_ends_with_the_gradient() -> None:
    found: list[Any] = []

    class Noted(Exponential):
        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            Exponential.setup_context(ctx, inputs, output)
            found.append(weakref.ref(ctx))

    derivative(Noted.apply)(X)
    gc.collect()
    assert [one() for one in found] == [None]


def function(**methods: Any) -> Any:
    """A class with other methods than Product's."""
    return type("Odd", (Product,), {name: staticmethod(method) for name, method in methods.items()})


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda: _Function.apply(X), NotImplementedError, "forward function should be customized"),
    (lambda: derivative(function(backward=_Function.backward).apply)(X, Y), NotImplementedError, "backward function"),
    (lambda: Product.apply(X, y=Y), TypeError, r"'Product', apply takes no arguments by name, but got \['y'\]"),
    (lambda: Exponential.apply(X, other=1), TypeError, "unexpected keyword argument"),
    (
        lambda: derivative(function(backward=lambda ctx, g: g).apply)(X, Y),
        RuntimeError,
        "'Odd', backward must return a gradient for each of the 2 arguments, but got 1",
    ),
    (lambda: derivative(function(backward=lambda ctx, g: (g, g, g)).apply)(X, Y), RuntimeError, "2 arguments, but got 3"),
    (lambda: derivative(function(backward=lambda ctx, g: (g.sum(), g)).apply)(X, Y), RuntimeError, "backward returns a gra"),
    (lambda: derivative(function(backward=lambda ctx, g: (1, g)).apply)(X, Y), TypeError, "backward must return Tensors"),
    (
        lambda: derivative(function(backward=lambda ctx, g: (g, g)).apply)(X, 3),
        RuntimeError,
        "argument 1, which is no Tensor",
    ),
]


@pytest.mark.parametrize("call, error, message", REFUSED)
def test_what_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
