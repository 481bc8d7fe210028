"""What Python says of generators, exceptions, nested functions and their names holds in captured functions that make only
Python values, too: what a function returns is compared with what Python makes of it, errors with their text."""

from __future__ import annotations

import contextlib
import functools
import random
import types
import weakref
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.graph_breaks import relevance

X = Tensor(np.ones(3, np.float32))


def chain(error: Any) -> list[str]:
    """The types of an error and of its contexts."""
    found: list[str] = []
    while error is not None and len(found) < 8:
        found.append(type(error).__name__)
        error = error.__context__
    return found


# Generators --------------------------------------------------------------------------------------------------------


def closes_a_generator_that_a_loop_leaves(x):
    log = []

    def numbers():
        try:
            yield 1
            yield 2
        finally:
            log.append("closed")

    for _ in numbers():
        break
    return [*log, "after"]


def throws_into_what_is_delegated_to(x):
    log = []

    def inner():
        try:
            yield 1
        except KeyError as error:
            log.append(error.args)
            yield 2
        return 3

    def outer():
        yield (yield from inner())

    generator = outer()
    return next(generator), generator.throw(KeyError(5)), next(generator), log


def ends_what_is_delegated_to(x):
    log = []

    def inner():
        try:
            yield 1
        except GeneratorExit:
            log.append("exit")
            raise ValueError("other")  # noqa: B904

    def outer():
        yield from inner()

    generator = outer()
    next(generator)
    try:
        generator.throw(GeneratorExit)
    except ValueError as error:
        log.append((error.args, chain(error)))
    return log


def closes_what_is_delegated_to(x):
    log = []

    def inner():
        try:
            yield 1
        finally:
            log.append("inner")

    def outer():
        try:
            yield from inner()
        finally:
            log.append("outer")

    generator = outer()
    next(generator)
    generator.close()
    return log


def throws_past_a_list(x):
    def outer():
        try:
            yield from [1, 2, 3]
        except KeyError:
            yield "caught"
        yield "end"

    generator = outer()
    next(generator)
    return [generator.throw(KeyError), *generator]


def throws_what_is_no_exception(x):
    def catches():
        try:
            yield 1
        except Exception as error:
            yield type(error), str(error)

    found = []
    for args in [(KeyError,), (KeyError, 3), (KeyError, KeyError(4)), (KeyError(5),), (3,), (KeyError(1), 2)]:
        generator = catches()
        next(generator)
        try:
            found.append(generator.throw(*args))
        except TypeError as error:
            found.append(str(error))
        list(generator)
    return found


def looks_at_a_generator(x):
    def inner():
        yield 1

    made = inner()
    abstract = isinstance(made, Generator), isinstance(made, types.GeneratorType), type(made).__name__
    return *abstract, made.__name__, made.__qualname__, made.gi_running, made.gi_yieldfrom


def chains_what_is_thrown(x):
    def catches():
        try:
            yield 1
        except KeyError:
            raise ValueError  # noqa: B904

    generator = catches()
    next(generator)
    try:
        generator.throw(KeyError())
    except ValueError as error:
        return chain(error)


# Exceptions --------------------------------------------------------------------------------------------------------


def raises_an_earlier_error_again(x):
    found = []
    try:
        try:
            raise KeyError
        except KeyError as error:
            a = error
            try:
                raise ValueError
            except ValueError as error:
                b = error
                try:
                    raise IndexError
                except IndexError as error:
                    c = error
                    found += [chain(a), chain(b), chain(c)]
                    raise a  # noqa: B904
    except KeyError:
        return [*found, chain(a), chain(b), chain(c)]


def names_nothing_while_it_handles(x):
    try:
        try:
            {}[1]
        except KeyError:
            undefined
    except NameError as error:
        return str(error), chain(error), error.name, error.__suppress_context__


class Lenient(type):
    def __instancecheck__(cls, instance):
        return True


class Claimed(Exception, metaclass=Lenient):
    pass


def catches_by_what_is_no_exception(x):
    found = []
    for kinds in (1, (KeyError, 2), object, [KeyError], (KeyError, (IndexError,)), Claimed, (KeyError, IndexError)):
        try:
            try:
                raise IndexError(3)
            except kinds:
                found.append("caught")
        except Exception as error:
            found.append((type(error), str(error)))
    return found


# Names and functions -----------------------------------------------------------------------------------------------


def reads_a_variable_that_the_outer_function_sets_later(x):
    def inner():
        return later

    try:
        inner()
    except NameError as error:
        found = type(error), str(error)
    later = 1
    return found, inner()


def reads_variables_that_are_not_set(x):
    def inner():
        try:
            value
        except NameError as error:
            found = type(error), str(error)
        value = 1  # noqa: F841
        return found

    a = 1

    def reads():
        return a  # noqa: F821

    found = [inner(), reads()]
    del a
    try:
        reads()
    except NameError as error:
        found.append((type(error), str(error)))
    return found


def looks_at_functions(x):
    def free():
        return x

    def bound(a, b=1):
        return a

    kinds = [(isinstance(f, types.FunctionType), type(f) is types.FunctionType) for f in (free, bound, lambda: x)]
    return kinds, free.__qualname__, bound.__qualname__, (lambda: 1).__qualname__


def calls_what_does_not_fit(x):
    def inner(a, /, b, *, c=1):
        return a, b, c

    found = []
    for args, keywords in [((), {}), ((1, 2, 3), {}), ((1, 2), {"d": 1}), ((1,), {"a": 1}), ((1, 2), {"b": 3})]:
        try:
            found.append(inner(*args, **keywords))
        except TypeError as error:
            found.append(str(error))
    return found


def decorates(x):
    def plus_one(function):
        return lambda *args: function(*args) + 1

    def listed(function):
        return lambda *args: list(function(*args))

    @plus_one
    @plus_one
    def same(a):
        return a

    @listed
    def generates(a):
        yield a

    @functools.wraps(plus_one)
    def wrapper():
        pass

    return same(1), generates(2), wrapper.__name__


def decorates_a_context_manager(x):
    log = []

    @contextlib.contextmanager
    def manager(value):
        log.append("in")
        yield value
        log.append("out")

    with manager(3) as value:
        log.append(value)
    return log


CASES = [f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__code__.co_varnames[:1] == ("x",)]


@pytest.mark.breaks
@pytest.mark.parametrize("relevant", [False, True], ids=["", "graphs"])
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_jitted_is_python(function: Callable[..., Any], mode: str, relevant: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if relevant:
        monkeypatch.setattr(relevance, "holds_tensors", lambda values: True)
    jitted = ms.jit(function, capture_mode=mode)
    for _ in range(3):
        assert jitted(X) == function(X)


def spread(value, *args, **keywords):
    return value, args, keywords


def test_arguments_that_cannot_be_spread() -> None:
    def calls(x):
        found = []
        for call in (lambda: spread(*x), lambda: spread(**x), lambda: spread(**{1: 2}), lambda: spread(1, *(), *x)):
            try:
                found.append(call())
            except TypeError as error:
                found.append(str(error))
        try:
            spread(1, a=1, **{"a": 2})  # noqa: PLE1132
        except TypeError as error:
            found.append(str(error))
        return found

    jitted = ms.jit(calls, capture_mode="bytecode")
    for value in (1, 1.5):
        assert jitted(value) == calls(value)


class Shown:
    """Whose text is its address."""

    def __repr__(self):
        return str(id(self))


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_a_break_leaves_is_sorted_by_identity(mode: str) -> None:
    def sorts(x):
        keys = [Shown() for _ in range(20)]
        random.shuffle(keys)
        return list(map(repr, sorted(keys, key=id))) == [repr(key) for key in sorted(keys, key=lambda k: int(repr(k)))]

    jitted = ms.jit(sorts, capture_mode=mode)
    assert all(jitted(X) for _ in range(5))


class Thing:
    pass


class Holder:
    def __init__(self):
        self.many = list(range(100))
        self.thing = Thing()
        self.told = weakref.WeakSet([self.thing])


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_an_object_that_weak_references_tell_of_ends_when_python_lets_it(mode: str) -> None:
    def ends(holder):
        before = holder.thing in holder.told
        del holder.thing
        return before, len(holder.told)

    jitted = ms.jit(ends, capture_mode=mode)
    assert [jitted(Holder()) for _ in range(3)] == [(True, 0)] * 3


def test_a_jitted_function_has_the_code_of_what_it_jits() -> None:
    def function(a, b=2, *, c=3):
        return a + b + c + X

    jitted = ms.jit(function)
    names = ("__code__", "__defaults__", "__kwdefaults__", "__closure__", "__globals__")
    assert [getattr(jitted, name) for name in names] == [getattr(function, name) for name in names]
