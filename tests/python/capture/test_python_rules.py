"""What Python says of generators, exceptions, nested functions and their names holds in captured functions that make only
Python values, too: what a function returns is compared with what Python makes of it, errors with their text."""

from __future__ import annotations

import contextlib
import functools
import random
import types
import warnings
import weakref
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.graph_breaks import relevance
from emberjit.capture.session import session

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


def makes_a_partial_of_a_partial(x):
    first = functools.partial(nothing, 1, k=2)
    second = functools.partial(first, 3, k=4)
    return second.args, second.keywords, second.func is nothing, second(5)


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


class Bag:
    """Whose methods that Python calls are generators with effects."""

    def __init__(self):
        self.items, self.steps = [3, 1, 2], 0

    def __iter__(self):
        for item in self.items:
            self.steps += 1
            yield item

    def __reversed__(self):
        for item in self.items[::-1]:
            self.steps += 1
            yield item

    def keys(self):
        for item in self.items:
            self.steps += 1
            yield item

    def __getitem__(self, key):
        return key


class Still(Bag):
    """The same without effects."""

    def __iter__(self):
        yield from self.items

    def __reversed__(self):
        yield from self.items[::-1]

    def keys(self):
        yield from self.items


def result(function, bag):
    try:
        return function(bag)
    except TypeError as error:
        return str(error)


def nothing(*args, **keywords):
    return args, keywords


ITERATING: list[Callable[[Any], Any]] = [
    lambda bag: list(bag),
    lambda bag: sum(bag),
    lambda bag: sorted(bag),
    lambda bag: list(reversed(bag)),
    lambda bag: 1 in bag,
    lambda bag: [*bag],
    lambda bag: nothing(*bag),
    lambda bag: [item + 1 for item in bag],
    lambda bag: next(iter(bag)),
    lambda bag: next(bag.__iter__()),
    lambda bag: list(zip(bag, bag)),
    lambda bag: {**bag},
    lambda bag: nothing(**{"a": 1}, **bag) if bag.items == ["b"] else 0,
    lambda bag: dict.fromkeys(bag),
    lambda bag: max(bag, key=lambda item: -item),
    lambda bag: list(map(str, bag)),
]


@pytest.mark.breaks
@pytest.mark.parametrize("cls", [Bag, Still])
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("number", range(len(ITERATING)))
def test_generators_that_python_calls_are_followed(number: int, mode: str, cls: type) -> None:
    function, plain, other = ITERATING[number], cls(), cls()
    jitted = ms.jit(function, capture_mode=mode)
    for items in ([3, 1, 2], [3, 1, 2], [3, 1, 2, 9], [5], ["b"], ["b"]):
        plain.items[:] = other.items[:] = items
        assert (result(function, plain), plain.steps) == (result(jitted, other), other.steps)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_generator_from_outside_goes_on_once_in_every_call(mode: str) -> None:
    for step in (lambda held: held.step(), lambda held: next(held.numbers), lambda held: held.numbers.__next__()):
        outcomes = []
        for wrap in (lambda f: f, ms.jit(capture_mode=mode)):
            held = types.SimpleNamespace(numbers=(number for number in range(9)))
            held.step = held.numbers.__next__
            function = wrap(step)
            outcomes.append([function(held) for _ in range(4)])
        assert outcomes[0] == outcomes[1] == [0, 1, 2, 3]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_returned_object_is_the_one_that_was_read(mode: str) -> None:
    held = types.SimpleNamespace(items=[1, 2], names={"a": [1]}, pair=([1], 2))
    for function in (lambda: held.items, lambda: held.names, lambda: held.pair, lambda: held.names["a"]):
        jitted = ms.jit(function, capture_mode=mode)
        for number in range(3):
            assert jitted() is function()
            held.items.append(number)
            held.names["a"].append(number)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_warnings_of_libraries_are_given_in_every_call_at_the_users_line(mode: str) -> None:
    array = np.array([-1.0, 4.0])

    def warns(x):
        return x + float(np.sqrt(array)[1])

    outcomes = []
    for function in (warns, ms.jit(warns, capture_mode=mode)):
        for _ in range(3):
            with warnings.catch_warnings(record=True) as given:
                warnings.simplefilter("always")
                function(X)
            outcomes.append([(w.category, str(w.message), w.filename, w.lineno) for w in given])
    assert outcomes == outcomes[:1] * 6 and len(outcomes[0]) == 1


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_long_loop_of_pythons_runs_in_python(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_STEPS", 1000)

    def counts(x, n):
        found = []
        for number in range(n):
            if number % 3:
                found.append(number)
        return x * len(found)

    jitted = ms.jit(counts, capture_mode=mode)
    for n in (10, 5000, 10):
        assert jitted(X, n).asnumpy().tolist() == counts(X, n).asnumpy().tolist()
    assert any("instructions are followed" in reason for reason in jitted.breaks)


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


@pytest.mark.breaks
def test_a_class_that_python_has_not_made_ready_is_named() -> None:
    testbuffer = pytest.importorskip("_testbuffer")

    def makes(x):
        return testbuffer.ndarray([1, 2, 3], shape=[3]).tolist(), kind.__name__

    kind = testbuffer.staticarray
    jitted = ms.jit(makes)
    assert [jitted(1) for _ in range(2)] == [makes(1)] * 2


def test_a_jitted_function_has_the_code_of_what_it_jits() -> None:
    def function(a, b=2, *, c=3):
        return a + b + c + X

    jitted = ms.jit(function)
    names = ("__code__", "__defaults__", "__kwdefaults__", "__closure__", "__globals__")
    assert [getattr(jitted, name) for name in names] == [getattr(function, name) for name in names]
