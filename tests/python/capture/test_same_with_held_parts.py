"""Small programs of objects that hold what they call, and with which arguments, and of classes that say themselves when
they are equal: jitted they are as they are in Python."""

from __future__ import annotations

import functools
import operator
from typing import Any

from overlooked import Jit, Programs, around, told, x

from emberjit import ops

PROGRAMS = Programs()
program = PROGRAMS.add


def tiled(times, x):
    return ops.tile(x, times)


def reshaped(x, shape):
    return x.reshape(shape)


class Key:
    """Equal to the int that it is now; it counts how often it is asked for its hash."""

    def __init__(self, n: int):
        self.n, self.asked = n, 0

    def __hash__(self) -> int:
        self.asked += 1
        return hash(self.n)

    def __eq__(self, other: Any) -> bool:
        return self.n == other


# Partials --------------------------------------------------------------------------------------------------------------


@program
def keywords_of_partials_of_ops(jit: Jit) -> Any:
    shape = [1, 1]
    part = functools.partial(ops.reshape, shape=shape)
    return around(jit(lambda x: part(x).shape), lambda: shape.append(1))


@program
def positions_of_partials_of_ops(jit: Jit) -> Any:
    shape = [1, 1]
    part = functools.partial(ops.full, shape)
    return around(jit(lambda x: (x * part(2.0)).shape), lambda: shape.append(1))


@program
def keywords_of_partials_of_functions(jit: Jit) -> Any:
    shape = [1, 1]
    part = functools.partial(reshaped, shape=shape)
    return around(jit(lambda x: part(x).shape), lambda: shape.append(7))


@program
def positions_of_partials_of_functions(jit: Jit) -> Any:
    times = [2]
    part = functools.partial(tiled, times)
    return around(jit(lambda x: part(x)), lambda: times.append(3))


@program
def partials_of_partials(jit: Jit) -> Any:
    shape = [1, 1]
    part = functools.partial(functools.partial(ops.reshape, shape=shape))
    return around(jit(lambda x: next(map(part, [x])).shape), lambda: shape.append(1))


@program
def partials_that_are_attributes(jit: Jit) -> Any:
    shape = [1, 1]

    class Holder:
        part = functools.partial(ops.reshape, shape=shape)

    holder = Holder()
    return around(jit(lambda x: holder.part(x).shape), lambda: shape.append(1))


@program
def methods_that_are_partials(jit: Jit) -> Any:
    shape = [1, 1]

    class Holder:
        def of(self, x, shape):
            return ops.reshape(x, shape)

        of_shape = functools.partialmethod(of, shape=shape)

    holder = Holder()
    return around(jit(lambda x: holder.of_shape(x).shape), lambda: shape.append(1))


@program
def keywords_of_partials_that_change(jit: Jit) -> Any:
    part = functools.partial(ops.reshape, shape=[1, 1])
    return around(jit(lambda x: part(x).shape), lambda: part.keywords.update(shape=[1, 1, 1]))


@program
def partials_of_partials_that_are_made(jit: Jit) -> Any:
    shape = [1, 1]
    return around(jit(lambda x: functools.partial(ops.reshape, shape=shape)(x).shape), lambda: shape.append(1))


@program
def what_a_library_calls_an_op_with(jit: Jit) -> Any:
    shapes = {"a": [1, 1]}
    return around(jit(lambda x: next(map(ops.reshape, [x], shapes.values())).shape), lambda: shapes["a"].append(1))


@program
def what_a_generator_gives_an_op(jit: Jit) -> Any:
    shape = [1, 1]

    def shapes():
        yield shape

    return around(jit(lambda x: next(map(ops.reshape, [x], shapes())).shape), lambda: shape.append(1))


# Callers of methods, getters ---------------------------------------------------------------------------------------------


@program
def arguments_of_method_callers(jit: Jit) -> Any:
    shape = [1, 1]
    caller = operator.methodcaller("reshape", shape)
    return around(jit(lambda x: caller(x).shape), lambda: shape.append(1))


@program
def keywords_of_method_callers(jit: Jit) -> Any:
    axes = [0]
    caller = operator.methodcaller("sum", axis=axes, keepdims=True)
    return around(jit(lambda x: caller(ops.ones((2, 3)) * x).shape), lambda: axes.append(1))


@program
def keys_of_method_callers(jit: Jit) -> Any:
    key, table = Key(1), {1: 10, 2: 20}
    caller = operator.methodcaller("get", key, 30)
    seen = around(jit(lambda x: x * caller(table)), lambda: setattr(key, "n", 2))
    return seen, key.asked


@program
def lists_of_getters(jit: Jit) -> Any:
    rows = [0]
    getter = operator.itemgetter(rows)
    return around(jit(lambda x: getter(x)), lambda: rows.append(0))


@program
def keys_of_getters(jit: Jit) -> Any:
    key, table = Key(1), {1: 10, 2: 20}
    getter = operator.itemgetter(key, 2)
    seen = around(jit(lambda x: x * sum(getter(table))), lambda: setattr(key, "n", 2))
    return seen, key.asked


@program
def keys_of_mapped_getters(jit: Jit) -> Any:
    key, table = Key(1), {1: 10, 2: 20}
    getter = operator.itemgetter(key)
    seen = around(jit(lambda x: x * sum(map(getter, [table, table]))), lambda: setattr(key, "n", 2))
    return seen, key.asked


@program
def indices_of_getters(jit: Jit) -> Any:
    class Index:
        n = 0

        def __index__(self):
            log.append(self.n)
            return self.n

    log: list[int] = []
    getter, values = operator.itemgetter(Index()), [5, 6]
    seen = around(jit(lambda x: x * getter(values)), lambda: setattr(Index, "n", 1))
    return seen, log


# Classes that say themselves when they are equal -------------------------------------------------------------------------


class Equal(type):  # noqa: PLW1641
    """Classes without a hash."""

    def __eq__(cls, other: Any) -> bool:
        return cls is other


class Unhashable(metaclass=Equal):
    k = 2

    def __init__(self, n: int = 3):
        self.n = n

    def times(self, x):
        return x * self.n * self.k


def plain_or_caught(function: Any) -> Any:
    """A function and the same, of which a TypeError is caught."""

    def caught(*args):
        try:
            return function(*args)
        except TypeError as error:
            return str(error)

    return function, caught


def both(jit: Jit, function: Any, *args: Any) -> Any:
    return [told(f, *args) for f in map(jit, plain_or_caught(function)) for _ in range(3)]


@program
def instances_of_unhashable_classes(jit: Jit) -> Any:
    held, log = Unhashable(), []

    def after_a_break(x):
        log.append(1)
        mine = held
        log.append(2)
        return mine.times(x)

    seen = [both(jit, f) for f in (lambda x: x * held.n, lambda x: held.times(x), after_a_break)]
    held.n = 5
    return seen, [both(jit, f) for f in (lambda x: x * held.n, lambda x: held.times(x), after_a_break)], log


@program
def instances_of_unhashable_classes_as_arguments(jit: Jit) -> Any:
    log: list[Any] = []

    def breaks(x, given):
        log.append(type(given).__name__)
        return x * given.n

    seen = [both(jit, f, x(), given) for f in (breaks, lambda x, given: given.times(x)) for given in (Key(1), Unhashable())]
    jitted = jit(breaks)
    return seen, [told(jitted, x(), given) for given in (Key(1), Key(2), Unhashable(), Unhashable(4))], log


@program
def unhashable_classes(jit: Jit) -> Any:
    functions = (
        lambda x: x * Unhashable.k,
        lambda x: Unhashable(4).times(x),
        lambda x: x * isinstance(x, Unhashable),
        lambda x: x * (type(Unhashable()) == Unhashable),  # noqa: E721
        lambda x: x * len({Unhashable: 1}),
    )
    return [both(jit, function) for function in functions]


@program
def hashes_of_classes_have_effects(jit: Jit) -> Any:
    log: list[str] = []

    class Hashed(type):
        def __hash__(cls):
            log.append(cls.__name__)
            return 1

    class A(metaclass=Hashed):
        n = 2

    a = A()
    functions = (
        lambda x: x * a.n,
        lambda x: x * A().n,
        lambda x: x * A.n,
        lambda x: x * {A: 3}[A],
        lambda x: x * isinstance(a, A),
    )
    return [told(f) for f in map(jit, functions) for _ in range(3)], log


test_jitted_is_as_plain = PROGRAMS.test()
