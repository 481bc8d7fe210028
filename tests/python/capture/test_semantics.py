"""What Python promises about names, exceptions, generators and identities holds in captured functions, too: in both
engines, whether all is one graph or some runs in Python."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from values import array

import emberjit as ms
from emberjit import Tensor

LOG: list[Any] = []
MODES = ["ast", "bytecode"]


def plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (Pair, Point, Frozen)):
        fields = value._asdict() if isinstance(value, Pair) else vars(value)
        return type(value), {name: plain(item) for name, item in fields.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(plain(item) for item in value)
    return value


def shared(value: Any) -> list[bool]:
    """Which of the parts of a value are one object."""
    parts: list[Any] = []

    def walk(part: Any) -> None:
        parts.append(part)
        items = vars(part) if isinstance(part, (Point, Frozen)) else part
        if isinstance(items, (tuple, list, dict)):
            for item in items.values() if isinstance(items, dict) else items:
                walk(item)

    walk(value)
    return [a is b for a in parts for b in parts]


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass
class Point:
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    value: Any


def outcome(function: Callable[..., Any], x: Tensor) -> Any:
    LOG.clear()
    try:
        result = plain(function(Tensor(x.asnumpy().copy())))
    except Exception as error:
        result = type(error), str(error)
    return result, list(LOG)


INPUTS = array(1, 2, 3), array(-1, -2, -3), array(0.5, 4, 2)


# What a graph holds ------------------------------------------------------------------------------------------------


def names_in_a_generator_expression(x):
    if any((w := i) > 1 for i in range(4)):
        return x * w
    return x


def names_that_a_generator_expression_sees_late(x):
    k = 1
    scaled = (v * k for v in [x, x])
    k = 5
    return sum(scaled)


def names_in_a_comprehension(x):
    doubled = [(v := x * i) for i in range(3)]
    return doubled[1] + v


def raises_again(x):
    try:
        try:
            raise KeyError(1)
        except KeyError:
            raise
    except Exception as error:
        return x * (2 if type(error) is KeyError else 100)


def asks_what_came_before(x):
    try:
        try:
            raise KeyError(1)
        except KeyError:
            raise ValueError(2)  # noqa: B904
    except ValueError as error:
        return x * (2 if type(error.__context__) is KeyError else 100)


def sums_a_generator(x):
    def scaled():
        for i in range(3):
            yield x * i

    return sum(scaled())


def feeds_a_generator(x):
    def running():
        total = x
        while True:
            total = total * (yield total)

    steps = running()
    next(steps)
    return steps.send(2) + steps.send(3)


def counts_in_a_generator(x):
    n = 0

    def counting():
        nonlocal n
        for i in range(3):
            n += i
            yield x + i

    return sum(counting()) * n


def adds_to_an_outer_variable(x):
    n = 0

    def add():
        nonlocal n
        n = n + x.sum()
        return n

    add()
    add()
    return x * n


def counts_in_an_outer_variable(x):
    n, product = 0, x

    def again():
        nonlocal n, product
        for n in range(4):  # noqa: B007
            if product.sum() < 100:
                product = product * 2

    again()
    return product + n


def sets_a_variable_two_levels_up(x):
    n = x

    def middle():
        def inner():
            nonlocal n
            n = n + 1

        inner()
        m = n

        def other():
            nonlocal m, n
            m, n = n * 2, m * 3

        other()
        return m

    return middle() * n


def loops_over_rows(x):
    total = 0.0
    for v in x:
        total = total + v * v
    return total


def unpacks_rows(x):
    a, b, c = x
    first, *rest = x * 2
    return a * b + c, first * rest[1], len(rest)


def takes_rows_in_turn(x):
    return [a * b for a, b in zip(x, reversed(x))], max(1, *[2, 3]), list(enumerate(x))[2][1]


def returns_a_named_tuple(x):
    return Pair(x, Pair(x + 1, 2))


def returns_an_instance(x):
    return Point(x, [x * 2]), Frozen(x)


def returns_sets(x):
    return x, {1, 2}, frozenset([3]), ..., NotImplemented


def returns_one_object_twice(x):
    y, items = x + 1, [x]
    point = Point(y, items)
    return y, items, (y, {"items": items}), point, [point]


def formats_numbers(x):
    n = len(x.shape) + 41
    return x * n, f"{n:04d} {n!r:>5} {n / 2:.1f}"


HELD = [value for name, value in list(globals().items()) if getattr(value, "__code__", None)]
HELD = [f for f in HELD if f.__code__.co_varnames[:1] == ("x",) and f.__code__.co_argcount == 1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", HELD, ids=lambda f: f.__name__)
def test_a_graph_does_what_python_does(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for x in INPUTS:
        assert outcome(jitted, x) == outcome(function, x)
        assert shared(jitted(x)) == shared(function(x))


def differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    def loss(x):
        result = function(x)
        return sum(leaf.sum() for leaf in tensors(result))

    return loss


def tensors(value: Any) -> list[Any]:
    if isinstance(value, (Point, Frozen)):
        value = list(vars(value).values())
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in tensors(item)]
    return [value] if isinstance(value, Tensor) else []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", HELD, ids=lambda f: f.__name__)
def test_a_graph_has_the_gradient_of_what_python_does(function: Callable[..., Any], mode: str) -> None:
    wanted = ms.grad(differentiable(function))
    within = ms.jit(ms.grad(differentiable(function)), capture_mode=mode, fullgraph=True)
    around = ms.grad(differentiable(ms.jit(function, capture_mode=mode, fullgraph=True)))
    for x in INPUTS:
        assert plain(within(x)) == plain(around(x)) == plain(wanted(x))


# What runs in Python in part ----------------------------------------------------------------------------------------


def names_in_a_comprehension_that_breaks(x):
    numbers = [(v := x.sum().item() * i) for i in range(3)]
    return numbers, v, x


def names_that_are_set_after_a_break(x):
    def later():
        return x * k

    LOG.append(1)
    k = 3
    LOG.append(2)
    return later()


def accumulates(x):
    log = []
    return list(itertools.accumulate([x, x], lambda a, b: (log.append(1), a + b)[1])), log


def reduces(x):
    log = []
    return functools.reduce(lambda a, b: (log.append(1), a + b)[1], [x, x, x]), log


def accumulates_around_a_break(x):
    sums = itertools.accumulate([x, x, x])
    first = next(sums) + next(sums)
    LOG.append(1)
    return first, list(sums)


def raises_again_after_a_break(x):
    try:
        try:
            raise KeyError(1)
        except KeyError:
            LOG.append("b")
            raise
    except Exception as error:
        return x * (2 if type(error) is KeyError else 100)


def raises_from_after_a_break(x):
    try:
        try:
            raise KeyError(1)
        except KeyError as error:
            LOG.append("b")
            raise ValueError(2) from error
    except ValueError as error:
        LOG.append((type(error.__context__), type(error.__cause__), error.__suppress_context__))
        return x * 2


def handles_what_it_has_chained(x):
    try:
        raise ValueError(1) from KeyError(2)
    except ValueError as error:
        LOG.append(sys.exc_info()[1] is error)
        LOG.append((repr(error), repr(error.__cause__), error.args))
        return x


def asks_what_is_handled(x):
    try:
        raise KeyError(1)
    except KeyError:
        return x * (2 if sys.exc_info()[0] is KeyError else 100)


class Refused(Exception):
    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


def handles_an_exception_with_fields(x):
    try:
        raise Refused(3, "no")
    except Refused as error:
        LOG.append(1)
        return x * error.code


def defines_a_generator_and_raises(x):
    def numbers():
        for i in range(3):
            yield x * i

    raise ValueError("user error")


def lists_its_variables(x):
    n = 3
    return sorted(locals()), dir(), "np" in globals(), n


def evaluates_text(x):
    return eval("x * 2")


BREAKING = [value for name, value in list(globals().items()) if getattr(value, "__code__", None) and value not in HELD]
BREAKING = [f for f in BREAKING if f.__code__.co_varnames[:1] == ("x",) and f.__code__.co_argcount == 1]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [*BREAKING, *HELD], ids=lambda f: f.__name__)
def test_what_breaks_does_what_python_does(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for x in [*INPUTS, *INPUTS]:
        assert outcome(jitted, x) == outcome(function, x)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [lists_its_variables, evaluates_text], ids=lambda f: f.__name__)
def test_what_reads_frames_is_refused(function: Callable[..., Any], mode: str) -> None:
    with pytest.raises(ms.CaptureError, match=r"\d+: (locals|eval)\(\) cannot be captured into a graph: name the variables"):
        ms.jit(function, capture_mode=mode, fullgraph=True)(INPUTS[0])


def writes_its_first_argument(x, y):
    x[0] = 5
    return x[-2:] + y[-2:]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", [*MODES, "trace"])
def test_arguments_that_share_memory_are_written(mode: str) -> None:
    jitted = ms.jit(writes_its_first_argument, capture_mode=mode)
    for number in range(24):
        for aliased in (0, 1, 2):
            calls = []
            for function in (writes_its_first_argument, jitted):
                z = array(1, 2, number)
                arguments = [(z, array(3, 4, 5)), (z, z), (z, z[1:])][aliased]
                calls.append((plain(function(*arguments)), plain(z), plain(arguments)))
            assert calls[0] == calls[1]


@pytest.mark.parametrize("mode", MODES)
def test_arguments_that_share_memory_are_refused_where_all_is_one_graph(mode: str) -> None:
    jitted = ms.jit(writes_its_first_argument, capture_mode=mode, fullgraph=True)
    jitted(array(1, 2, 3), array(1, 2, 3))
    z = array(1, 2, 3)
    with pytest.raises(ms.CaptureError, match=r"test_semantics.py:\d+: a jitted function assigns elements of an argument"):
        jitted(z, z)
    assert z.tolist() == [1, 2, 3]


@pytest.mark.parametrize("mode", MODES)
def test_what_holds_itself_is_refused(mode: str) -> None:
    def function(x):
        point = Point(x, None)
        point.y = point
        return point

    with pytest.raises(ms.CaptureError, match="returns a Point that holds itself"):
        ms.jit(function, capture_mode=mode, fullgraph=True)(INPUTS[0])


@pytest.mark.parametrize("mode", MODES)
def test_arguments_are_formatted(mode: str) -> None:
    jitted = ms.jit(lambda x, n: (x * n, f"{n:03d} {n + 0.5:.2f}"), capture_mode=mode, fullgraph=True)
    for n in (1, 2, 1):
        assert plain(jitted(INPUTS[0], n)) == ([n, 2 * n, 3 * n], f"{n:03d} {n + 0.5:.2f}")


class Attributes(dict):
    __getattr__ = dict.__getitem__


class Equal:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __call__(self, x):
        return x.asnumpy()


ATTRIBUTES, EQUAL = Attributes(k=3), Equal()


@pytest.mark.parametrize("mode", MODES)
def test_attributes_of_the_users_making(mode: str) -> None:
    jitted = ms.jit(lambda x: x * ATTRIBUTES.k, capture_mode=mode, fullgraph=True)
    for k in (3, 4, 3):
        ATTRIBUTES["k"] = k
        assert plain(jitted(INPUTS[0])) == [k, 2 * k, 3 * k]


@pytest.mark.parametrize("mode", MODES)
def test_an_object_that_equals_all_is_not_taken_for_another(mode: str) -> None:
    with pytest.raises(ms.CaptureError, match="'asnumpy' needs the elements"):
        ms.jit(lambda x: EQUAL(x), capture_mode=mode, fullgraph=True)(INPUTS[0])


@pytest.mark.parametrize("mode", MODES)
def test_named_tuples_and_dicts_of_other_kinds_are_arguments(mode: str) -> None:
    jitted = ms.jit(lambda p, d: (p.first * p.second.first + d["k"], p), capture_mode=mode, fullgraph=True)
    ordered = collections.OrderedDict(k=array(1, 1))
    for n in (2, 3, 2):
        pair = Pair(array(1, 2), Pair(n, array(n, n)))
        result, same = jitted(pair, ordered)
        assert plain(result) == [n + 1, 2 * n + 1] and plain(same) == plain(pair)
    assert len(jitted.explain()["entries"]) == 1
    ordered["k"] = array(5, 5)
    assert plain(jitted(pair, ordered)[0]) == [7, 9]
    point = Point(array(1, 2), 3)
    jitted = ms.jit(lambda p: p.x * p.y, capture_mode=mode, fullgraph=True)
    for y in (3, 4):
        point.y = y
        assert plain(jitted(point)) == [y, 2 * y]
