"""Errors because of what elements are: a graph raises what Python does, though nobody uses the result, and first what comes
first; effects before it have happened, effects after it have not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
FIVE = Tensor(np.array([5, 0], np.int32))
SEVEN = Tensor(np.array([0, 7], np.int32))
GOOD = Tensor(np.array([1, 0], np.int32))


def unused(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    ops.gather(x, i, 0)
    return x + 1


def in_a_branch(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    if x.sum() > 0:
        ops.gather(x, i, 0)
    return x + 1


def in_a_loop(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    k = x.sum() * 0
    while k < 2:
        ops.gather(x, i, 0)
        k = k + 1
    return x + 1


def in_a_condition(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    while ops.gather(x, i, 0).sum() < -100:
        x = x + 1
    return x + 1


def the_first_of_two(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    early = x + 1
    first = ops.gather(x, i, 0)
    second = ops.gather(x, j, 0)
    return early * second + first.sum()


def one_in_each_of_two_calls(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    return in_a_branch(x, i, j) * ops.gather(x, j, 0)


def a_loss(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    return ops.cross_entropy(x, i)


def elements(x: Tensor, i: Tensor, j: Tensor) -> Tensor:
    return ops.gather_d(x, 1, i.reshape(2, 1)).sum()


FUNCTIONS = [unused, in_a_branch, in_a_loop, in_a_condition, the_first_of_two, one_in_each_of_two_calls, a_loss, elements]


def said(function: Callable[..., Any], *args: Any) -> Any:
    """The error, or the result's elements."""
    try:
        return function(*args).asnumpy().tolist()
    except IndexError as error:
        return str(error).split("\n")[0]


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    return ms.grad(lambda x, i, j: function(x, i, j).sum())


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_graph_raises_what_python_does(function: Callable[..., Any], mode: str) -> None:
    for of in (function, gradient(function)):
        jitted = ms.jit(of, capture_mode=mode)
        for i, j in ((GOOD, GOOD), (FIVE, SEVEN), (SEVEN, FIVE), (GOOD, GOOD)):
            assert said(jitted, X, i, j) == said(of, X, i, j)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_elements_are_looked_at_before_python_raises(mode: str) -> None:
    def function(x: Tensor, i: Tensor) -> Tensor:
        raise ValueError(ops.gather(x, i, 0).shape)

    jitted = ms.jit(function, capture_mode=mode)
    for i, kind in ((GOOD, ValueError), (FIVE, IndexError), (GOOD, ValueError)):
        with pytest.raises(kind):
            jitted(X, i)


@pytest.mark.parametrize("function", [unused, the_first_of_two, a_loss, elements])
def test_a_trace_raises_what_python_does(function: Callable[..., Any]) -> None:
    jitted = ms.jit(capture_mode="trace")(function)
    for i, j in ((GOOD, GOOD), (FIVE, SEVEN), (SEVEN, FIVE)):
        assert said(jitted, X, i, j) == said(function, X, i, j)


def test_effects_before_an_error_have_happened_and_those_after_it_have_not(capfd: pytest.CaptureFixture[str]) -> None:
    weight = Parameter(Tensor(np.zeros(2, np.float32)), name="weight")
    one, ten = (Tensor(np.full(2, value, np.float32)) for value in (1, 10))

    def step(x: Tensor, i: Tensor) -> Tensor:
        ops.assign_add(weight, one)
        ops.print_("before")
        ops.gather(x, i, 0)
        ops.print_("after")
        ops.assign_add(weight, ten)
        return x * 2

    jitted = ms.jit(step)
    assert said(jitted, X, GOOD) == [[0, 2, 4], [6, 8, 10]]
    assert "For 'gather', index 5" in said(jitted, X, FIVE)
    assert weight.asnumpy().tolist() == [12, 12]
    assert capfd.readouterr().out == "before\nafter\nbefore\n"
