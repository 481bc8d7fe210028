"""The vocabulary of checks of arguments: what each word lets pass, and what it says of the rest."""

from __future__ import annotations

import math
from typing import Any

import pytest

from emberjit import Tensor, checks

ONE, PLANE = Tensor([1.0]), Tensor([[1, 2]])
PASSES = [
    ("check_int", 3, (1, 3)),
    ("check_int32", 2**31 - 1, ()),
    ("check_float", 0.5, (0,)),
    ("check_number", -math.inf, ()),
    ("check_number", math.nan, ()),
    ("check_within", 1, (1, 1)),
    ("check_instance", True, (int,)),
    ("check_choice", None, ("a", None)),
    ("check_callable", len, ()),
]
REFUSED: list[tuple[str, Any, tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    ("check_int", True, (), {}, TypeError, "'x' must be an int, but got True of type bool."),
    ("check_int", 0, (1,), {}, ValueError, "'x' must be at least 1, but got 0."),
    ("check_int", 4, (1, 3), {}, ValueError, "'x' must be an int from 1 to 3, but got 4."),
    ("check_int32", 2**31, (), {}, ValueError, "'x' must be an int from 0 to 2147483647, but got 2147483648."),
    ("check_float", 1, (), {}, TypeError, "'x' must be a float, but got 1 of type int."),
    ("check_number", False, (), {}, TypeError, "'x' must be a number, but got False of type bool."),
    ("check_number", math.nan, (-math.inf,), {}, ValueError, "'x' must be at least -inf, but got nan."),
    ("check_within", 0, (), {"above": 0}, ValueError, "'x' must be positive, but got 0."),
    ("check_within", -1, (0,), {}, ValueError, "'x' must not be negative, but got -1."),
    ("check_within", 1, (0,), {"below": 1}, ValueError, "'x' must be within [0, 1), but got 1."),
    ("check_within", 0, (), {"most": 1, "above": 0}, ValueError, "'x' must be within (0, 1], but got 0."),
    ("check_within", 2, (), {"below": 2}, ValueError, "'x' must be less than 2, but got 2."),
    ("check_instance", 1, ((str, type(None)),), {}, TypeError, "'x' must be a str or None, but got 1 of type int."),
    ("check_bool", 1, (), {}, TypeError, "'x' must be a bool, but got 1 of type int."),
    ("check_callable", 1, (), {}, TypeError, "'x' must be a function, but got 1 of type int."),
    ("check_choice", "c", ("a", "b"), {}, ValueError, "'x' must be 'a' or 'b', but got 'c'."),
    ("by_axis", [1], (2,), {"kinds": tuple}, TypeError, "'x' must be an int, but got [1] of type list."),
    ("by_axis", (1,), (2,), {}, ValueError, "'x' must be an int or a tuple of 2, but got (1,)."),
    ("check_rank", PLANE, (1,), {}, ValueError, "'x' must have one axis, but its shape is (1, 2)."),
    ("check_rank", ONE, (2, 3), {}, ValueError, "'x' must have 2 or 3 axes, but its shape is (1,)."),
    ("check_dtype", ONE, (PLANE.dtype,), {}, TypeError, "'x' must be int64, but got Float32."),
    ("check_shape", ONE, ((2,),), {}, ValueError, "'x' must be of shape (2,), but is of (1,)."),
]


@pytest.mark.parametrize("word, value, asked", PASSES)
def test_what_passes_is_returned(word: str, value: Any, asked: tuple[Any, ...]) -> None:
    assert getattr(checks, word)("f", "x", value, *asked) is value


@pytest.mark.parametrize("word, value, asked, named, error, text", REFUSED)
def test_what_is_refused(
    word: str, value: Any, asked: tuple[Any, ...], named: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as raised:
        getattr(checks, word)("f", "x", value, *asked, **named)
    assert str(raised.value) == f"For 'f', {text}"
