"""Programs give Tensor and Parameter attributes of their own, as libraries for MindSpore do, and replace some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

ADDED: Any = Tensor
X = Tensor(np.array([1.0, 2.0, 3.0], np.float32))


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    kept = dict(vars(Tensor))
    yield
    for name in set(vars(Tensor)) - set(kept):
        delattr(Tensor, name)
    for name, value in kept.items():
        if vars(Tensor).get(name) is not value:
            setattr(Tensor, name, value)


@pytest.mark.parametrize("decorate", [lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="bytecode")])
def test_methods_and_properties_of_programs(decorate: Any) -> None:
    ADDED.times = lambda self, n=2: self * n + ops.ones_like(self)
    ADDED.last = property(lambda self: self[-1])
    ADDED.limit = 10
    f = decorate(lambda x: x.times() + x.times(n=3) * x.last + x.limit)
    for x in (X, Parameter(X, name="x")):
        np.testing.assert_array_equal(f(x).asnumpy(), (X * 2 + 1 + (X * 3 + 1) * 3 + 10).asnumpy())


@pytest.mark.parametrize("decorate", [lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="bytecode")])
def test_what_was_captured_follows_changes(decorate: Any) -> None:
    f = decorate(lambda x: x.sum() * 2)
    assert f(X) == 12
    ADDED.sum = lambda self: self.prod() + 1
    assert f(X) == 14
    ADDED.sum = lambda self: self.prod() - 1
    assert f(X) == 10
    del ADDED.sum
    with pytest.raises(AttributeError, match="sum"):
        f(X)


def test_gradients_pass_through_added_methods() -> None:
    ADDED.cubed = lambda self: self * self * self
    for gradient in (ms.grad(lambda x: x.cubed()), ms.jit(ms.grad(lambda x: x.cubed()))):
        np.testing.assert_array_equal(gradient(X).asnumpy(), (X * X * 3).asnumpy())


@pytest.mark.parametrize("name", ["__name__", "__qualname__", "__bases__", "__add__", "__init__", "__class__", "__doc__"])
def test_special_names_stay(name: str) -> None:
    with pytest.raises(TypeError):
        setattr(Tensor, name, "other")
    with pytest.raises(TypeError):
        delattr(Parameter, name)


def test_classes_derived_from_them_are_ordinary() -> None:
    class Derived(Tensor):
        pass

    Derived.extra = 1  # type: ignore[attr-defined]
    Derived.__name__ = "Renamed"
    assert Derived.extra == 1 and not hasattr(Tensor, "extra")  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        del ADDED.no_such_name
