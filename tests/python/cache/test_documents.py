"""Documents of the compile cache: what is written comes back, and bytes that are none are a ValueError."""

from __future__ import annotations

from typing import Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from emberjit import _emberjit as core

VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 127, 128, -128, 2**31, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 10**40, -(10**40)),
    *("", "text", "Größe", "\0", "\ud800", "\U0001f600", "x" * 1000),
    *([], {}, [[]], ["a", "a", "b", "a"], {"": None, "a": ["a", {"a": 1}]}),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: ascii(value)[:20])
def test_what_is_written_comes_back(value: Any) -> None:
    back = core.document_from(core.document_bytes(value))
    assert (type(back), back) == (type(value), value)


def test_tuples_become_lists() -> None:
    assert core.document_from(core.document_bytes(((1, 2), ["a", ()]))) == [[1, 2], ["a", []]]


def test_texts_are_written_once() -> None:
    assert len(core.document_bytes(["long text" * 10] * 100)) < 400
    first, second = core.document_from(core.document_bytes(["text", "text"]))
    assert first is second


@pytest.mark.parametrize("value", [1.5, b"", {1: 2}, {"a"}, object(), [1.5]], ids=lambda value: type(value).__name__)
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="document"):
        core.document_bytes(value)


LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(VALUES[:23])


@strategies.examples(30)
@given(st.data(), strategies.trees(LEAVES, st.text(max_size=3)))
def test_any_bytes_are_a_document_or_an_error(data: st.DataObject, value: Any) -> None:
    good = core.document_bytes(value)
    assert core.document_from(good) == value
    for bad in data.draw(st.lists(strategies.damaged(good), min_size=3, max_size=3)):
        try:
            core.document_from(bad)
        except ValueError:
            pass


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"\x00\x00", b"\x08\xff\xff\xff\xff\x0f", b"\x07\x00", b"\x03" + b"\xff" * 11]
)
def test_bytes_that_are_none(data: bytes) -> None:
    with pytest.raises(ValueError, match="no document"):
        core.document_from(data)


def test_depth_is_an_error() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        core.document_bytes(endless)
    with pytest.raises(RecursionError):
        core.document_from(b"\x08\x01" * 10**6 + b"\x00")
