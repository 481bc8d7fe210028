"""What lies outside of jitted functions, which they read and change as Python does: streams of random numbers, how many
digits Python converts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint

MODES = ["ast", "bytecode", "trace"]
X = Tensor([1.0, 2.0])
GENERATOR = ms.Generator()


def seeded(x: Any) -> Any:
    ms.set_seed(3)
    return x + mint.rand(2)


def seeded_between(x: Any) -> Any:
    first = mint.rand(2)
    ms.manual_seed(7)
    return first * x, mint.rand(2), ms.initial_seed()


def restored(x: Any) -> Any:
    state = ms.get_rng_state()
    first = mint.rand(2)
    ms.set_rng_state(state)
    return x + first, mint.rand(2)


def seed_shown(x: Any) -> Any:
    return x * 2, ms.get_seed()


def generator_seeded(x: Any) -> Any:
    GENERATOR.manual_seed(4)
    return x + mint.rand(2, generator=GENERATOR), GENERATOR.initial_seed()


def generator_drawn(x: Any) -> Any:
    return x + mint.rand(2, generator=GENERATOR), mint.rand(2)


def default_seeded(x: Any) -> Any:
    ms.default_generator.manual_seed(2)
    return x + mint.randn(2)


def in_branch(x: Any) -> Any:
    if x.sum() > 0:
        ms.manual_seed(5)
    return x + mint.rand(2)


def in_loop(x: Any) -> Any:
    for i in range(3):
        ms.manual_seed(i)
        x = x + mint.rand(2)
    return x, mint.rand(2)


def in_gradient(x: Any) -> Any:
    def loss(v: Any) -> Any:
        ms.manual_seed(9)
        return (v * mint.rand(2)).sum()

    return ms.grad(loss)(x), mint.rand(2)


def numpy_drawn(x: Any) -> Any:
    ms.set_seed(6)
    return x * 2, np.random.rand()


def unused(x: Any) -> Any:
    mint.rand(2)
    return x + mint.rand(2)


RANDOM = [
    seeded,
    seeded_between,
    restored,
    seed_shown,
    generator_seeded,
    generator_drawn,
    default_seeded,
    in_branch,
    in_loop,
    in_gradient,
    numpy_drawn,
    unused,
]


def shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


def drawn(function: Callable[..., Any]) -> list[Any]:
    """What calls give, with the streams as they are left."""
    ms.set_seed(1)
    GENERATOR.manual_seed(1)
    found = []
    for seed in (None, None, 11, None):
        if seed is not None:
            ms.set_seed(seed)
        found.append(shown(function(X)))
        found.append(shown((ms.get_rng_state(), GENERATOR.get_state(), mint.rand(1))))
    return found


@pytest.mark.breaks
@pytest.mark.parametrize("mode", [*MODES, "graph"])
@pytest.mark.parametrize("function", RANDOM)
def test_random_streams_are_what_python_leaves(function: Callable[..., Any], mode: str) -> None:
    expected = drawn(function)
    if mode == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert drawn(ms.jit(function, capture_mode="ast" if mode == "graph" else mode)) == expected
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def digits() -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    yield
    sys.set_int_max_str_digits(before)


CONVERSIONS: list[Callable[..., Any]] = [
    lambda x: x + len(str(10**700)),
    lambda x: x + len(f"{10**700}"),
    lambda x: x + len("%d" % 10**700),  # noqa: UP031
    lambda x: x + len("{}".format(10**700)),  # noqa: UP032
    lambda x: x + len(repr([10**700])),
    lambda x: x + int("1" * 700) % 7,
    lambda x: x + int(b"1" * 700) % 7,
]


@pytest.mark.breaks
@pytest.mark.usefixtures("digits")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", CONVERSIONS)
def test_how_many_digits_python_converts_is_looked_at_in_each_call(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for limit in (4300, 4300, 640, 0, 640):
        sys.set_int_max_str_digits(limit)
        if limit == 640:
            with pytest.raises(ValueError, match="640 digits"):
                jitted(X)
        else:
            assert shown(jitted(X)) == shown(function(X))


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [str, bytes, bytearray])
def test_the_users_own_length_is_not_asked_for(kind: Any, mode: str) -> None:
    asked = []

    class Own(kind):  # type: ignore[misc]
        def __len__(self) -> int:
            asked.append(self)
            return 3

    text = Own(b"1" * 700) if kind is not str else Own("1" * 700)
    jitted = ms.jit(lambda x: x + kind.count(text, text[:1]), capture_mode=mode)
    assert shown(jitted(X)) == shown(jitted(X)) == [701.0, 702.0] and asked == []


def test_what_no_limit_can_refuse_needs_no_guard() -> None:
    jitted = ms.jit(lambda x: x + len(str(10**600)), fullgraph=True)
    jitted(X)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        jitted(X)
    finally:
        sys.set_int_max_str_digits(before)
    assert jitted.hits == 1
