"""A graph serves only while everything that it was captured from is as it was: each kind of state that state.py knows is
changed in each of its ways between calls, under both front ends, and jitted must do what plain Python does.
"""

from __future__ import annotations

import builtins
import decimal
import gc
import sys
import types
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import state
import state_of_data  # noqa: F401  (adds its kinds)

import emberjit as ms
from emberjit import Tensor

MODES = ("ast", "bytecode")
CASES = [(name, way) for name, make in state.KINDS.items() for way in make()[1]]


@pytest.fixture(autouse=True)
def surroundings() -> Iterator[None]:
    precision = ms.get_context("matmul_precision")
    errors = np.geterr()
    with decimal.localcontext():
        yield
    np.seterr(**errors)
    ms.set_context(matmul_precision=precision)
    vars(builtins).pop("k", None)
    sys.modules.pop("user_imported", None)


def outcome(function: Any) -> Any:
    try:
        result = function(Tensor(np.float32([1, 2])))
        return result.asnumpy().tolist()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def history(name: str, way: str, mode: str | None) -> list[Any]:
    """What calls return before and after a change, and after another call of the way."""
    read, ways = state.KINDS[name]()

    def function(x: Tensor) -> Any:
        return x * read()

    called = function if mode is None else ms.jit(function, capture_mode=mode)
    seen = [outcome(called) for _ in range(3)]
    for _ in range(2):
        ways[way]()
        seen += [outcome(called) for _ in range(2)]
    return seen


def reset() -> None:
    np.seterr(divide="warn")
    decimal.setcontext(decimal.Context())
    ms.set_context(matmul_precision="float32")
    vars(builtins).pop("k", None)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "way"), CASES, ids=[f"{name}, {way}" for name, way in CASES])
def test_nothing_is_stale(name: str, way: str, mode: str) -> None:
    reset()
    expected = history(name, way, None)
    reset()
    assert history(name, way, mode) == expected
    assert expected[2] != expected[3], "the way changes nothing"


@pytest.mark.parametrize("mode", MODES)
def test_what_is_not_read_may_change(mode: str) -> None:
    """Attributes of a class and of an object that no graph depends on, and other variables."""

    class Config:
        k = 2
        count = 0

    config = Config()
    names: dict[str, Any] = {"config": config, "step": 0}
    exec("def function(x): return x * config.k", names)
    jitted = ms.jit(names["function"], capture_mode=mode)
    for i in range(20):
        Config.count += 1
        config.seen = i  # type: ignore[attr-defined]
        names["step"] = i
        assert outcome(jitted) == [2, 4]
    assert len(jitted.explain()["entries"]) == 1


def test_a_large_array_is_an_input() -> None:
    array = np.arange(1 << 20, dtype=np.float32)
    jitted = ms.jit(lambda x: Tensor(array)[:3] * x + array.shape[0] // (1 << 20), capture_mode="bytecode")
    x = Tensor(np.float32([1, 2, 3]))
    for i in range(5):
        array[1] = i
        assert jitted(x).asnumpy().tolist() == [1, 2 * i + 1, 7]


def test_results_do_not_share_an_arrays_memory() -> None:
    array = np.float32([1, 2])
    for mode in MODES:
        jitted = ms.jit(lambda x: Tensor(array), capture_mode=mode)
        for _ in range(3):
            result = jitted(Tensor(1.0))
            result[0] = 7
            assert array.tolist() == [1, 2]


@pytest.mark.parametrize("mode", MODES)
def test_guards_end_with_the_function(mode: str) -> None:
    class Thing:
        k = 2

    def function_of(thing: Any) -> Any:
        return ms.jit(lambda x: x * thing.k, capture_mode=mode)

    thing = Thing()
    jitted = function_of(thing)
    assert outcome(jitted) == [2, 4]
    ends = weakref.ref(thing), weakref.ref(Thing)
    del thing, Thing, jitted
    gc.collect()
    assert [end() for end in ends] == [None, None]


class Held:
    shared: Any = 0

    def __init__(self, *names: str):
        for name in (*names, "k"):
            setattr(self, name, 0)


class Slotted:
    __slots__ = ("k",)


plain, listed, crowded = Held(), Held(), Held(*(f"a{i}" for i in range(60)))
replaced, thinned, slotted = Held(), Held("a"), Slotted()
replaced.__dict__ = {"k": 0}
del thinned.a  # type: ignore[attr-defined]
fields, module, table = vars(listed), types.ModuleType("m"), {"k": 0}
level = 0


def store(target: str) -> Any:
    """A function of its own, whose instructions Python specialises, that assigns to a target."""
    made: dict[str, Any] = {}
    exec(f"def store(value):\n    global level\n    {target} = value", globals(), made)
    return made["store"]


STORES: dict[str, tuple[str, Any]] = {
    "attribute": ("plain.k", lambda x: x * plain.k),  # type: ignore[attr-defined]
    "attribute by vars": ("plain.k", lambda x: x * vars(plain)["k"]),
    "item of __dict__": ("listed.k", lambda x: x * fields["k"]),
    "items of __dict__": ("listed.k", lambda x: x * sum(fields.values())),
    "copy of __dict__": ("listed.k", lambda x: x * dict(fields)["k"]),
    "of many attributes": ("crowded.k", lambda x: x * crowded.k),  # type: ignore[attr-defined]
    "of a new __dict__": ("replaced.k", lambda x: x * replaced.k),  # type: ignore[attr-defined]
    "after a deletion": ("thinned.k", lambda x: x * thinned.k),  # type: ignore[attr-defined]
    "slot": ("slotted.k", lambda x: x * slotted.k),  # type: ignore[attr-defined]
    "class": ("Held.shared", lambda x: x * plain.shared),
    "module": ("module.k", lambda x: x * module.k),
    "item": ("table['k']", lambda x: x * table["k"]),
    "global": ("level", lambda x: x * level),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", STORES)
def test_stores_that_python_has_specialised_are_seen(name: str, mode: str) -> None:
    target, read = STORES[name]
    assign = store(target)
    for value in range(300):
        assign(value)
    jitted = ms.jit(read, capture_mode=mode, fullgraph=True)
    for value in (1, 1, 1, 2, 2, 3, 2, 5):
        assign(value)
        assert outcome(jitted) == [value, 2 * value]
