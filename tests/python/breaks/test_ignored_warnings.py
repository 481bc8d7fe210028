"""Warnings that a filter ignores do not break a graph; whether they are ignored is asked again in each call."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor

X = Tensor([1.0, 2.0])


def warns(x: Tensor, n: int) -> Tensor:
    warnings.warn("old thing", DeprecationWarning, stacklevel=1)
    return x * n


def told(x: Tensor, n: int) -> Tensor:
    warnings.warn(f"old thing {n}", stacklevel=2)
    return x * n


def of_class(x: Tensor, n: int) -> Tensor:
    warnings.warn(RuntimeWarning("old thing"), stacklevel=2)
    return x * n


@pytest.mark.parametrize("mode", ["bytecode", "ast"])
@pytest.mark.parametrize("function", [warns, told])
def test_an_ignored_warning_is_no_break(function: Any, mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(8):
            assert jitted(X, n).asnumpy().tolist() == (X * n).asnumpy().tolist()
    assert jitted.hits >= 6


@pytest.mark.breaks
@pytest.mark.parametrize("function", [warns, told, of_class])
def test_filters_may_change(function: Any) -> None:
    jitted = ms.jit(function)
    for action in ("ignore", "always", "ignore", "always"):
        for n in range(3):
            with warnings.catch_warnings(record=True) as wanted:
                warnings.simplefilter(action)  # type: ignore[arg-type]
                expected = function(X, n)
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter(action)  # type: ignore[arg-type]
                assert jitted(X, n).asnumpy().tolist() == expected.asnumpy().tolist()
            assert [(str(w.message), w.category) for w in found] == [(str(w.message), w.category) for w in wanted]


@pytest.mark.breaks
def test_filters_by_text_category_and_module() -> None:
    for add in (
        lambda: warnings.filterwarnings("ignore", message="old"),
        lambda: warnings.filterwarnings("ignore", message="new"),
        lambda: warnings.filterwarnings("ignore", category=DeprecationWarning),
        lambda: warnings.filterwarnings("ignore", category=RuntimeWarning),
        lambda: warnings.filterwarnings("ignore", module=__name__),
        lambda: warnings.filterwarnings("ignore", module="another"),
        lambda: warnings.filterwarnings("ignore", lineno=1),
    ):
        seen = []
        for f in (warns, ms.jit(warns)):
            with warnings.catch_warnings(record=True) as found:
                warnings.resetwarnings()
                warnings.simplefilter("always")
                add()
                results = [f(X, n).asnumpy().tolist() for n in range(3)]
            seen.append((results, [str(w.message) for w in found]))
        assert seen[0] == seen[1]


@pytest.mark.breaks
def test_an_ignored_warning_may_become_an_error() -> None:
    jitted = ms.jit(warns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(4):
            jitted(X, n)
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning, match="old thing"):
            jitted(X, 5)
