"""What the library asks of an argument may be the user's code: it is followed, and what it reads is guarded, wherever the
call stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops

k = 2
AXES = [[0, 1], [1, 2]]


class Index:
    """An int by its method."""

    def __index__(self) -> int:
        return k


class Least:
    """Another that is replaced."""

    def __index__(self) -> int:
        return 2


def of_method(x: Any) -> Any:
    return x.reshape(Index(), -1)


def of_function(x: Any) -> Any:
    return ops.reshape(x, (Index(), -1))


def of_keyword(x: Any) -> Any:
    return ops.sum(x.reshape(2, 2, 2), dim=Index())


def of_primitive(x: Any) -> Any:
    return ops.ReduceSum()(x.reshape(2, 2, 2), Index())


def of_class(x: Any) -> Any:
    return x.reshape(Least(), -1)


def of_nested_lists(x: Any) -> Any:
    return ops.moveaxis(x.reshape(2, 2, 2), *AXES)


def by_global() -> None:
    global k
    k = 1


def by_class() -> None:
    Least.__index__ = lambda self: 4  # type: ignore[method-assign]


def by_item() -> None:
    AXES[1][:] = [2, 1]


@pytest.fixture(autouse=True)
def as_before() -> Any:
    global k
    before = Least.__index__
    yield
    k, AXES[1][:] = 2, [1, 2]
    Least.__index__ = before  # type: ignore[method-assign]


class Inner(nn.Cell):
    """Calls a function."""

    def __init__(self, function: Callable[[Any], Any]):
        super().__init__()
        self.function = function

    def construct(self, x: Any) -> Any:
        return self.function(x)


class Outer(nn.Cell):
    """Calls it by an inner Cell."""

    def __init__(self, function: Callable[[Any], Any]):
        super().__init__()
        self.inner = Inner(function)

    def construct(self, x: Any) -> Any:
        return self.inner(x)


CASES = [
    *((function, by_global) for function in (of_method, of_function, of_keyword, of_primitive)),
    (of_class, by_class),
    (of_nested_lists, by_item),
]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(("function", "change"), CASES)
def test_what_an_argument_answers_is_asked_anew_once_it_may_be_otherwise(
    function: Callable[[Any], Any], change: Callable[[], None], nested: bool, mode: str
) -> None:
    x = Tensor(np.arange(8, dtype=np.float32))
    jitted = ms.jit(Outer(function).construct if nested else function, capture_mode=mode)
    before = function(x).asnumpy()
    np.testing.assert_array_equal(jitted(x).asnumpy(), before)
    change()
    after = function(x).asnumpy()
    assert after.shape != before.shape or not np.array_equal(after, before)
    np.testing.assert_array_equal(jitted(x).asnumpy(), after)
