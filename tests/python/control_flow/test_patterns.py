"""`match` in functions that break, which the executor runs: what matches, and the errors of PEP 634."""

from __future__ import annotations

import collections
import collections.abc
from collections.abc import Callable
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor


class MappingFirst(collections.UserDict, collections.abc.Sequence):  # type: ignore[type-arg]
    pass


class SequenceFirst(collections.UserList, collections.abc.Mapping):  # type: ignore[type-arg]
    def keys(self) -> Any:
        return ["k"]


class Counting(collections.defaultdict):  # type: ignore[type-arg]
    def __missing__(self, key: Any) -> Any:
        raise AssertionError("a pattern makes no entry")


class Twice:
    __match_args__ = ("a", "a")
    a = 1


class NoTuple:
    __match_args__ = ["a"]
    a = 1


class NoNames:
    __match_args__ = (1,)


class Named:
    __match_args__ = ("a",)
    a = 1


def kind(x, value):
    print(end="")
    match value:
        case {"k": found}:
            return "mapping", found
        case [*items]:
            return "sequence", len(items)
        case int(n) | float(n):
            return "number", n
        case str():
            return "text"
    return "nothing"


def by_class(x, cls):
    print(end="")
    match cls():
        case Twice(a, b) | NoTuple(a, b) | NoNames(a, b) | Named(a, b):
            return a, b
    return None


def named_twice(x, value):
    print(end="")
    match value:
        case Named(a, a=b):
            return a, b
    return None


def too_many_for_int(x, value):
    print(end="")
    match value:
        case int(a, b):
            return a, b
    return None


def same_key(x, value):
    print(end="")
    key = collections.namedtuple("Key", "k")("k")
    match value:
        case {key.k: a, "k": b}:
            return a, b
    return None


CASES: list[tuple[Callable[..., Any], Any]] = [
    *(
        (kind, v)
        for v in (MappingFirst(k=1), SequenceFirst([1, 2]), Counting(list), {"k": 2}, "ab", b"ab", 3, 2.5, True, None)
    ),
    *((kind, v) for v in ((1, 2), range(3), memoryview(b"ab"), collections.deque([1]), {1})),
    *((by_class, c) for c in (Twice, NoTuple, NoNames, Named)),
    (named_twice, Named()),
    (too_many_for_int, 3),
    (same_key, {"k": 1}),
]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("i", range(len(CASES)))
def test_a_pattern_matches_as_in_python(i: int, mode: str) -> None:
    function, value = CASES[i]

    def outcome(f: Callable[..., Any]) -> Any:
        try:
            return repr(f(Tensor([1.0]), value))
        except Exception as error:
            return type(error), str(error)

    jitted = ms.jit(function, capture_mode=mode)
    for _ in range(2):
        assert outcome(jitted) == outcome(function)
