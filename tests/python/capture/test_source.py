"""Functions without source, lambdas, and the binding of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.code import signature


def lambdas() -> list:
    k = 3
    return [
        lambda x: x * k if x.sum() > 0 else -x, (lambda x: (x if (x.sum()) > 0 else (-x))), lambda: "é" and k,
        lambda x, y=2, *a, q=1, **kw: x * y + q,
        lambda x: (lambda y: y + 1)(x),  # noqa: PLC3002
        lambda x: (
            x + 1
            if x.sum() > 0 else
            (x - 1)
        ),
        lambda \
          x: x,
    ]  # fmt: skip


def test_no_source_is_no_error() -> None:
    space: dict = {}
    exec("def f(x):\n    return x + 1", space)
    assert ms.jit(space["f"])(Tensor([1.0])).tolist() == [2]


def test_tensor_conditions_in_lambdas() -> None:
    x = Tensor(np.array([1, 2], np.float32))
    for f, up, down in [(lambdas()[0], [3, 6], [1, 2]), (lambdas()[1], [1, 2], [1, 2]), (lambdas()[5], [2, 3], [-2, -3])]:
        assert ms.jit(f)(x).tolist() == up
        assert ms.jit(f)(-x).tolist() == down


def every_kind(a, b, /, c, d=4, *rest, e, f=6, **more):
    return a, b, c, d, rest, e, f, more


@pytest.mark.parametrize(
    "args, kwargs",
    [((1, 2, 3), {"e": 5}), ((1, 2), {"c": 3, "e": 5, "a": 7}), ((1, 2, 3, 4, 5, 6), {"e": 5, "f": 0, "z": 1})],
)
def test_arguments_bind_as_python_binds_them(args: tuple, kwargs: dict) -> None:
    bound = signature.bind(every_kind, args, kwargs)
    assert tuple(bound[name] for name in ("a", "b", "c", "d", "rest", "e", "f", "more")) == every_kind(*args, **kwargs)


@pytest.mark.parametrize("args, kwargs", [((1,), {}), ((1, 2, 3), {}), ((1, 2, 3), {"c": 3, "e": 1})])
def test_arguments_that_do_not_fit(args: tuple, kwargs: dict) -> None:
    with pytest.raises(TypeError):
        every_kind(*args, **kwargs)
    with pytest.raises(TypeError, match=r"every_kind\(\)"):
        signature.bind(every_kind, args, kwargs)


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(TypeError) as caught:
        call()
    return str(caught.value)


def needs(a, b, c=0, *, k):
    return a


def positions(a, /, b):
    return a


@pytest.mark.parametrize(
    "function, args, kwargs",
    [
        (needs, (), {}),
        (needs, (1,), {"k": 1}),
        (needs, (1, 2), {}),
        (needs, (1, 2, 3, 4), {"k": 1}),
        (needs, (1, 2), {"b": 3, "k": 1}),
        (needs, (1, 2), {"d": 3, "k": 1}),
        (positions, (), {"a": 1, "b": 2}),
        (positions, (1, 2, 3), {}),
        (lambda: 1, (2,), {}),
    ],
)
def test_arguments_that_do_not_fit_are_pythons_errors(function, args, kwargs) -> None:
    assert refusal(lambda: signature.bind(function, args, kwargs)) == refusal(lambda: function(*args, **kwargs))
