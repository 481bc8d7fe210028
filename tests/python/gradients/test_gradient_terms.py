"""The terms of a gradient are added in the order of the steps, of whatever graphs these are parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops

X, Y = np.random.default_rng(7).standard_normal((2, 4, 3))


def used_around(x: Any, y: Any) -> Any:
    z = ops.sin(x) * y
    if z.sum() > 0:
        t = x * y * 0.3
        z = z * x + t + ops.exp(x * 0.1)
    else:
        z = z - x * y * 0.7 - ops.tanh(x)
    return (z * y + x * z) * x


def used_in_every_trip(x: Any, y: Any) -> Any:
    z, trips = x * y, Tensor(0)
    while trips < 4:
        z = ops.sin(z * x) * y + x * 0.1
        if z[0, 0] < 0:
            z = z * y + ops.relu(x)
        trips = trips + 1
    return z * x * y


def part(x: Any, y: Any) -> Any:
    return ops.sin(x) * y + x * y * 0.3 + ops.exp(x * y) * 0.1


jitted_part = ms.jit(part)


def calling(part: Callable[..., Any]) -> Callable[..., Any]:
    def f(x: Any, y: Any) -> Any:
        z = part(x, y) * x
        return (part(z * 0.1, y) + z * x * y) * x + y

    return f


def composed(x: Any, y: Any) -> Any:
    z = x * y * x.var(0, keepdims=True)
    if z.sum() < 1e9:
        z = z + x.std(1, keepdims=True) * x
    return z + ops.dropout(y, 0.5).abs() * 0 + y.var(1, keepdims=True)


def around(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: (ops.relu(x) * f(x, y) * y + x).sum()


def bits(gradients: Any) -> list[Any]:
    return [g.asnumpy().view(np.int32) for g in gradients]


def operands(sign: int = 1) -> Iterator[Tensor]:
    rng = np.random.default_rng(3)
    return (Tensor(rng.standard_normal((20, 30)).astype(np.float32) * sign) for _ in range(2))


@pytest.mark.parametrize(
    ("f", "forms"),
    [
        (used_around, (ms.jit(used_around),)),
        (used_in_every_trip, (ms.jit(used_in_every_trip),)),
        (calling(part), (calling(jitted_part), ms.jit(calling(part)), ms.jit(calling(jitted_part)))),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_terms_are_added_in_the_order_of_the_steps(f: Any, forms: tuple[Any, ...], sign: int) -> None:
    """A value that is used within a branch, a trip or a call and around it as well."""
    x, y = operands(sign)
    want = bits(ms.grad(around(f), (0, 1))(x, y))
    for form in forms:
        np.testing.assert_array_equal(bits(ms.grad(around(form), (0, 1))(x, y)), want)
        np.testing.assert_array_equal(bits(ms.jit(ms.grad(around(form), (0, 1)))(x, y)), want)
        np.testing.assert_array_equal(bits(ms.grad(ms.jit(around(form)), (0, 1))(x, y)), want)


@pytest.mark.parametrize(
    "f", [composed, used_around, used_in_every_trip, *map(calling, (part, jitted_part, composed, ms.jit(composed)))]
)
def test_terms_of_parameters_are_added_in_the_same_order(f: Any) -> None:
    x, y = operands()
    parameters = [ms.Parameter(x, name="x"), ms.Parameter(y, name="y")]
    want = bits(ms.grad(around(f), (0, 1))(x, y))
    gradients = ms.grad(lambda: around(f)(*parameters), None, parameters)
    for form in (gradients, ms.jit(gradients)):
        np.testing.assert_array_equal(bits(form()), want)


def standardised(w: Any) -> Any:
    return (w - w.mean((1,), keep_dims=True)) / ops.sqrt(w.var((1,), keepdims=True) + 1e-3)


PARAMETER_USES: dict[str, Callable[..., Any]] = {
    "in one call": lambda x, w: x @ standardised(w),
    "in one call and around it": lambda x, w: ops.relu(x @ w) * (x @ standardised(w)) + x @ w,
    "in a jitted call": lambda x, w: x @ jitted_part(w, w * 0.5) + x @ standardised(w),
    "in a branch": lambda x, w: x @ (part(w, w * 0.5) if x.sum() > 0 else standardised(w)) + x @ ops.sin(w),
    "in other graphs": lambda x, w: ms.jit(lambda x: x @ standardised(w) + x @ part(w, w))(x) * (x @ w),
}


@pytest.mark.parametrize("name", PARAMETER_USES)
@pytest.mark.parametrize("writes", [False, True])
def test_terms_of_a_parameter_are_added_in_the_order_of_its_uses(name: str, writes: bool) -> None:
    rng = np.random.default_rng(5)
    x, start = (Tensor(rng.standard_normal(shape).astype(np.float32)) for shape in ((20, 30), (30, 30)))

    def gradients(form: str) -> list[Any]:
        w = ms.Parameter(start.copy(), name="w")

        def loss(x: Any) -> Any:
            y = PARAMETER_USES[name](x, w)
            if writes:
                w.add_(0.25)
                y = y * PARAMETER_USES[name](x, w)
            return (y * y).mean()

        jitted = {"eager": loss, "jitted": loss, "inner": ms.jit(loss)}[form]
        gradient = ms.grad(jitted, 0, [w])
        of_x, (of_w,) = (ms.jit(gradient) if form == "jitted" else gradient)(x)
        return bits((of_x, of_w))

    want = gradients("eager")
    for form in ("jitted", "inner"):
        for got, wanted in zip(gradients(form), want):
            np.testing.assert_array_equal(got, wanted, err_msg=form)


def test_no_term_is_a_positive_zero() -> None:
    def f(x, y, trips):
        z = y * 1
        while trips > 0:
            if z[0, 0] > 1e9:
                z = z * x
            trips = trips - 1
        return (z * y).sum()

    for trips in (0, 2):
        gradients = ms.jit(ms.grad(f, (0, 1)))(Tensor(X), Tensor(Y), Tensor(trips))
        assert not np.signbit(gradients[0].asnumpy()).any()
        np.testing.assert_array_equal(gradients[0].asnumpy(), 0)
        np.testing.assert_array_equal(gradients[1].asnumpy(), 2 * Y)


def test_a_hook_of_other_types_is_an_error_at_sums() -> None:
    """A hook returns the dtype and shape of its value's gradient, so the terms of a sum are alike."""

    def function(x, hook):
        cell = nn.ReLU()
        cell.register_backward_hook(lambda cell, grad_input, grad_output: tuple(hook(g) for g in grad_input))
        return (jitted_part(x, x * 2) + cell(x)).sum()

    x = Tensor(X.astype(np.float16))
    for hook, kind in ((lambda g: ops.cast(g, ms.float32), TypeError), (lambda g: g.sum(0, keepdims=True), ValueError)):
        with pytest.raises(kind, match="must return a gradient of"):
            ms.grad(function)(x, hook)


@pytest.mark.parametrize("larger", (True, False))
def test_equal_extremes_share_the_gradient(larger: bool) -> None:
    x, y = (Tensor(np.array(values, np.float32)) for values in ([1, 2, 3, np.nan, 1], [1, 3, 2, 1, np.nan]))
    got = ms.grad(lambda a, b: (ops.maximum if larger else ops.minimum)(a, b), (0, 1))(x, y)
    first = np.array([0.5, 0, 1, 1, 1] if larger else [0.5, 1, 0, 1, 1], np.float32)
    second = np.array([0.5, 1, 0, 1, 1] if larger else [0.5, 0, 1, 1, 1], np.float32)
    np.testing.assert_array_equal([g.asnumpy() for g in got], [first, second])
