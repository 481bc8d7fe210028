"""Objects between graphs: how long they live, which are the same, what tells them apart. Each function returns what plain
Python returns, in the first calls and later ones."""

from __future__ import annotations

import collections
import copy
import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import emberjit as ms


class Thing:
    pass


class Hashed:
    calls = 0

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        type(self).calls += 1
        return hash(self.value)

    def __eq__(self, other):
        return self.value == other.value


class Slotted(Thing):
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


class Failing:  # noqa: PLW1641
    def __eq__(self, other):
        raise RuntimeError("compared")


class Described:
    setter = mock.Mock()
    __set__ = setter


class Assigned:
    field = Described()

    def __init__(self, value):
        self.field = value


class Returning:
    def __init__(self):
        return 1  # noqa: PLE0101


KEPT: list[Any] = []


def _pause() -> None:
    np.random.seed(0)  # of a library: no graph holds it


def dies_when_deleted(x):
    thing = Thing()
    seen = weakref.ref(thing)
    alive = seen() is thing
    del thing
    gc.collect()
    return x * 2, alive, seen() is None


def dies_when_assigned_anew(x):
    thing = Thing()
    seen = weakref.ref(thing)
    x = x * 2
    alive = seen() is not None
    thing = None
    return x, alive, seen() is None, thing


def lives_though_nobody_reads_it(x):
    thing = Thing()
    thing.x = 5
    proxy = weakref.proxy(thing)
    _pause()
    return x * 2, proxy.x


def no_weak_references_are_added(x):
    thing = Thing()
    KEPT.append(thing)  # so that no later one has its address, which would be taken for this one
    _pause()
    x = x * 2
    return x, weakref.getweakrefcount(thing)


def objects_in_cycles_end(x):
    thing = Thing()
    table = {thing: 1}
    seen = weakref.ref(thing)
    thing.items = table.items()
    del thing, table
    gc.collect()
    return x * 2, seen() is None


def classes_end(x):
    class Local:
        pass

    x = x * 2
    seen = weakref.ref(Local)
    for _ in range(3):
        _pause()
    del Local
    gc.collect()
    return x, seen() is None


def keys_stay_the_same_objects(x):
    first, second = Thing(), Thing()
    table = {first: 1, second: 2}
    _pause()
    return x * 2, table[first], table[second], first is second, [key is first for key in table]


def keys_are_hashed_as_often_as_in_python(x):
    Hashed.calls = 0
    table = {Hashed(1): 1, Hashed(2): 2}
    _pause()
    x = x * 2
    _pause()
    return x, Hashed.calls, len(table)


def one_list_in_two_variables(x):
    first = [object()]
    second = first
    _pause()
    same = first is second
    first.append(1)
    return x * 2, same, first is second, len(second)


def one_tuple_in_two_variables(x):
    first = (1, 2, 3)
    second = tuple(first)
    _pause()
    return x * 2, first is second


def an_object_and_the_slice_that_holds_it(x):
    thing = Thing()
    part = slice(thing)
    _pause()
    return x * 2, part.stop is thing


def slots_are_kept(x):
    thing = Slotted(3)
    _pause()
    return x * 2, thing.a


def a_list_that_holds_itself(x):
    items = [x]
    items.append(items)
    _pause()
    return items[0] * 2, items[1] is items


def a_deep_list(x):
    deep = []
    for _ in range(3000):
        deep = [deep]
    _pause()
    return x * 2, len(deep)


def elements_are_compared_by_their_own_methods(x):
    first, second = {1: Failing()}, {1: Failing()}
    _pause()
    try:
        same = first.items() == second.items()
    except RuntimeError as error:
        same = str(error)
    return x * 2, same


def addresses_are_those_of_the_objects(x):
    thing, items = Thing(), []
    before = id(thing), hash(thing), id(items), repr(thing)
    x = x * 2
    items += [1]
    return x, before == (id(thing), hash(thing), id(items), repr(thing))


def sets_keep_their_order(x):
    numbers = {n * 37 % 101 for n in range(40)}
    for n in range(35):
        numbers.discard(n * 37 % 101)
    numbers |= {8, 0, 16}
    order = list(numbers)
    _pause()
    return x * 2, order == list(numbers)


def functions_are_new_in_each_call(x):
    def inner():
        return 1

    inner.count = getattr(inner, "count", 0) + 1
    _pause()
    return x * 2, inner.count, inner()


def functions_keep_what_wraps_gives_them(x):
    def decorated(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args) + 1

        return wrapper

    @decorated
    def inner(a: int) -> int:
        """Its text."""
        return a * 2

    _pause()
    return x * 2, inner(3), inner.__name__, inner.__doc__, inner.__module__, inner.__annotations__, inner.__qualname__


def cached_functions_count_their_calls(x):
    @functools.lru_cache
    def double(a):
        return a * 2

    got = [double(1), double(1), double(2)]
    return x * 2, got, double.cache_info()


def descriptors_that_are_no_functions_act_once(x):
    Described.setter.reset_mock()
    Assigned(5)
    return x * 2, Described.setter.call_count


def named_tuples_are_of_this_module(x):
    Point = collections.namedtuple("Point", "a b")
    return x * 2, Point(1, 2).a, Point.__module__


def a_memo_of_deepcopy_is_filled(x):
    memo = {}
    made = copy.deepcopy([Thing()], memo)
    return x * 2, len(memo) > 0, len(made)


def __error(function: Callable[[], Any]) -> str:
    try:
        function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def errors_are_pythons(x):
    def managed():
        with Thing():
            pass

    return x * 2, error_of(Returning), error_of(managed), error_of(lambda: int(base=10))


error_of = __error
FUNCTIONS = [
    value for value in list(globals().values()) if getattr(value, "__code__", None) and "x" in value.__code__.co_varnames[:1]
]


def _shown(value: Any) -> Any:
    return [part.asnumpy().tolist() if isinstance(part, ms.Tensor) else part for part in value]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_objects_are_as_in_python(function: Callable[..., Any], mode: str) -> None:
    x = ms.Tensor(np.array([1.0, 2.0], np.float32))
    jitted = ms.jit(function, capture_mode=mode)
    for _ in range(4):
        assert _shown(jitted(x)) == _shown(function(x))


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_jitted_function_has_the_attributes_of_the_function(mode: str) -> None:
    def function(x):
        return x

    function.note = [1]
    assert ms.jit(function, capture_mode=mode).note is function.note
