"""Documents of the compile cache: what is written comes back, and bytes that are none are a ValueError."""

from __future__ import annotations

import random
from typing import Any

import pytest

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


def _some_value(rng: random.Random, depth: int) -> Any:
    if depth and rng.random() < 0.5:
        items = [_some_value(rng, depth - 1) for _ in range(rng.randrange(5))]
        return items if rng.random() < 0.6 else {str(rng.randrange(9)): item for item in items}
    return rng.choice(VALUES[:23])


def test_any_bytes_are_a_document_or_an_error() -> None:
    rng = random.Random(5)
    for _ in range(300):
        value = _some_value(rng, 4)
        good = core.document_bytes(value)
        assert core.document_from(good) == value
        for _ in range(20):
            bad = bytearray(good)
            bad[rng.randrange(len(bad))] = rng.randrange(256)
            try:
                core.document_from(bytes(bad[: rng.randrange(len(bad) + 1)]))
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
