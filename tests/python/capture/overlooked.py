"""Small programs of what a capture may overlook: each is given what jits a function, or leaves it as it is, and returns what
it has seen, which must be the same."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor

Jit = Callable[[Any], Any]
Program = Callable[[Jit], Any]
MODES = ("ast", "bytecode", "trace")


class Programs(list[Program]):
    """The programs of a test file, which says at its end: test_... = PROGRAMS.test()."""

    def add(self, function: Program) -> Program:
        self.append(function)
        return function

    def test(self) -> Any:
        @pytest.mark.breaks
        @pytest.mark.filterwarnings("ignore")
        @pytest.mark.parametrize("mode", MODES)
        @pytest.mark.parametrize("one", self, ids=lambda one: one.__name__)
        def test(one: Program, mode: str) -> None:
            assert one(functools.partial(ms.jit, capture_mode=mode)) == one(lambda function: function)

        return test


def x() -> Tensor:
    return Tensor(np.array([1.0], np.float32))


def around(function: Any, change: Callable[[], Any]) -> list[Any]:
    """What a function gives in two calls before a change, and two after it."""
    seen = [told(function) for _ in range(2)]
    change()
    return seen + [told(function) for _ in range(2)]


def told(function: Any, *args: Any) -> Any:
    try:
        result = function(*(args or (x(),)))
    except Exception as error:
        return type(error).__name__, str(error)
    return result.tolist() if isinstance(result, Tensor) else result
