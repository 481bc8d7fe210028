"""`raise` and `assert` under conditions on Tensors: graphs raise what Python does, when it does, with the user's lines.
(PYTEST_DONT_REWRITE: the assertions under test are as written.)"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from values import array

import emberjit as ms
from emberjit import Parameter, Tensor, ops
from emberjit import _emberjit as core

MODES = ["ast", "bytecode"]


SMALL, LARGE, NEGATIVE = array(0.25, 0.5), array(3, 4), array(-3, -4)
INPUTS = (SMALL, LARGE, NEGATIVE, SMALL)


class Bare(Exception):
    pass


class Own(ValueError):
    def __init__(self, what: str, value: Any):
        super().__init__(f"{what}: {value}")
        self.value = value


class Box:
    def __init__(self, value: Any):
        self.value, self.items = value, [value]


KNOWN = KeyError("known")


def raises(x):
    if x.sum() > 3:
        raise ValueError("too large")
    return x + 1


def raises_in_else(x):
    if x.sum() < 3:
        return x * 2
    else:
        raise TypeError("large", 1, 2.5, None)


def raises_in_elif(x):
    y = x * 2
    if x.sum() < -3:
        raise ValueError("negative")
    elif x.sum() > 3:
        raise KeyError("large")
    else:
        y = y + 1
    return y


def raises_on_both_sides(x):
    if x.sum() > 0.5:
        if x.sum() > 3:
            raise ValueError("large")
        else:
            raise TypeError("not large")
    return x


def always_raises(x):
    if x.sum() > 3:
        raise ValueError("large")
    raise TypeError("not large")


def asserts(x):
    assert (x < 3).all()
    assert x.sum() > -5, "negative"
    return x


def asserts_with_a_text(x):
    assert x.sum() < 3, f"sum {x.sum()} of {x!r:>3} is {float(x.sum()):8.3f}, {int(x[0]):03d}"
    return x


def formats(x):
    if x.sum() > 3:
        both = "%s and %5.2f" % (x, float(x.sum()))  # noqa: UP031
        raise ValueError("a" + str(x) + "b", both, "{0} {n!r}".format(x, n=x[0]))  # noqa: UP032
    return x


def shows_tensors(x):
    if x.sum() > 3:
        raise ValueError("large", x, x[0], [x * 2, {"y": x.sum()}], x.shape, float(x.max()), x.dtype)
    return x


def raises_a_class(x):
    if x.sum() > 3:
        raise Bare
    return x


def raises_its_own(x):
    if x.sum() > 3:
        raise Own("large", x)
    return x


def raises_what_is_known(x):
    if x.sum() > 3:
        raise KNOWN
    return x


def raises_what_it_made_before(x):
    error = IndexError("made", x.sum())
    if x.sum() > 3:
        raise error
    return x


def raises_from_another(x):
    if x.sum() > 3:
        raise ValueError("effect") from KeyError("cause", x)
    return x


def raises_from_none(x):
    if x.sum() > 3:
        try:
            {}["key"]
        except KeyError:
            raise ValueError("hidden") from None
    return x


def checked(x, limit):
    if x.sum() > limit:
        raise ValueError("nested", limit)
    return x * limit


def calls_what_raises(x):
    return checked(x, 3) + (checked(x, 0.5) if x.sum() > 0.5 else x)


def raises_in_a_for(x):
    for i in range(4):
        if x.max() > i + 2:
            raise ValueError("trip", i)
        x = x + 1
    return x


def raises_in_a_while(x):
    n = x.sum()
    while n < 10:
        n = n + 3
        assert n != 9.75, n
        if n > 12:
            raise ValueError(f"at {n}")
    return n * x


def raises_whenever_it_loops(x):
    while x.sum() > 3:
        raise ValueError("loops", x)
    return x


def raises_in_a_condition(x):
    def goes_on(x):
        if x.sum() > 5:
            raise ValueError("condition", x)
        return x.sum() < 4

    while goes_on(x):
        x = x + 1.25
    return x


def ends_only_by_an_error(x):
    n = 0
    while True:
        x = x * x + 1
        n += 1
        if x.sum() > 10:
            raise StopIteration(n, x)


def looks_for(x):
    for i in range(2):
        if x[i] > 3:
            return x * i
    raise LookupError("none")


def breaks_or_raises(x):
    n = 0
    while True:
        x = x + 1
        if x.sum() > 6:
            break
        if x.sum() < -4:
            raise ValueError("never", n)
        n += 1
    return x * n


def leaves_a_with_first(x):
    with contextlib.nullcontext():
        y = x * 2
    if y.sum() > 3:
        raise ValueError("after")
    return y


def raises_in_an_expression(x):
    return x * (checked(x, 1) if x.sum() < 1 else checked(x, 2)) + 1


def fills_and_raises(x):
    values = [x]
    if x.sum() > 3:
        values.append(x)
        raise ValueError(len(values))
    values.append(x * 2)
    return values


def raises_what_a_finally_sees(x):
    log = [0]
    if x.sum() > 3:
        try:
            raise ValueError(log)
        finally:
            log.append(1)
    return x


def catches_within_the_side(x):
    if x.sum() > 3:
        try:
            raise KeyError("caught")
        except KeyError as error:
            raise ValueError(error.args) from error
    return x


def makes_an_object_beside(x):
    if x.sum() < 3:
        box = Box(x * 2)
    else:
        raise ValueError("large")
    box.value = box.value + x
    box.items.append(box.value)
    return box


def leaves_a_loop_beside(x):
    while True:
        if not x.sum() > 3:
            break
        n = 0
        while n < 2:
            raise ValueError(n, x.shape)
    return x, Box(x * 2)


def makes_what_looks_later_beside(x):
    if x.sum() < 3:
        y = x * 3
        found, double = enumerate([x, y]), lambda k: y * k
    else:
        raise ValueError("large")
    next(found)
    return double(2) + next(found)[1]


def writes_beside(x):
    y, items = x * 1, [x]
    if x.sum() < 3:
        y[0] = 5
        z = y * 2
        z[1] = 7
        items += [y]
        items[0] = z
    else:
        raise ValueError("large")
    if x.sum() < 0.5:
        z[0] = 1
        y[1] = 2
    y[0] += 1
    return y, z, items


def raises_twice_beside(x):
    if x.sum() < 3:
        y = x + 1
        if x.sum() > -5:
            y = y * x
            box = Box(y)
        else:
            raise ValueError("negative")
        z = y + box.value
        if z.sum() > 0.5:
            z = z * y
    else:
        raise ValueError("large")
    return box.value, y, z


FUNCTIONS = [value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__]
FUNCTIONS = [f for f in FUNCTIONS if not isinstance(f, type) and f not in (array, checked)]


def plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.dtype, value.asnumpy().tolist()
    if isinstance(value, BaseException):
        chained = [plain(e) for e in (value.__cause__, value.__context__) if e is not None]
        return type(value), plain(value.args), plain(value.__dict__), str(value), chained
    if isinstance(value, Box):
        return plain(vars(value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (tuple, list)) else value


def said(function: Callable[..., Any], *args: Any) -> Any:
    """The result, or the error with all that belongs to it."""
    try:
        return plain(function(*args))
    except Exception as error:
        return plain(error)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_graph_raises_what_python_does(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for x in INPUTS:
        assert said(jitted, x) == said(function, x)
    assert len(jitted.explain()["entries"]) == 1
    assert said(jitted, array(1, 2, 30)) == said(function, array(1, 2, 30))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [raises, asserts, calls_what_raises, raises_in_a_while, raises_in_elif, looks_for])
def test_gradients_raise_in_the_forward_part(function: Callable[..., Any], mode: str) -> None:
    def loss(x: Tensor) -> Tensor:
        return (function(x) * x).sum()

    eager = ms.grad(loss)
    second = ms.grad(lambda x: eager(x).sum())
    ways = [
        (eager, ms.jit(eager, capture_mode=mode, fullgraph=True)),
        (eager, ms.grad(ms.jit(loss, capture_mode=mode, fullgraph=True))),
        (second, ms.jit(second, capture_mode=mode, fullgraph=True)),
    ]
    for x in INPUTS:
        for wanted, way in ways:
            assert said(way, x) == said(wanted, x)


@pytest.mark.parametrize("mode", MODES)
def test_vmap_raises_what_the_first_element_does(mode: str) -> None:
    def function(x, y):
        if x > 3:
            raise ValueError(f"{x} is large", x, y)
        while x < 2:
            x = x + 1
            assert x != 1.5, x
        return x * y

    batched = ms.vmap(function, (0, None))
    good, bad, odd = array(1, 2, 3), array(1, 5, 7), array(0.5, -0.5, 1)
    y = array(2, 3)
    for way in (batched, ms.jit(batched, capture_mode=mode, fullgraph=True)):
        assert way(good, y).asnumpy().tolist() == [[4, 6], [4, 6], [6, 9]]
        assert said(way, bad, y) == said(function, bad[1], y)
        assert said(way, odd, y) == said(function, odd[0], y)
        assert way(good, y).shape == (3, 2)
    per_element = ms.vmap(ms.grad(lambda x: function(x, x)))
    assert per_element(good).asnumpy().tolist() == [3, 4, 6]
    assert said(per_element, bad) == said(function, bad[1], bad[1])


@pytest.mark.parametrize("mode", MODES)
def test_effects_before_it_have_happened_and_those_after_it_have_not(mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    weight = Parameter(array(0, 0), name="weight")

    @ms.jit(capture_mode=mode, fullgraph=True)
    def step(x, limit):
        ops.assign_add(weight, x)
        print(f"sum {x.sum()}")
        if x.sum() > limit:
            print("large")
            raise ValueError("large")
        print("small")
        ops.assign_add(weight, x * 10)
        return weight * 2

    assert step(SMALL, 1).asnumpy().tolist() == [5.5, 11]
    assert said(step, SMALL, 0.5)[0] is ValueError
    assert weight.asnumpy().tolist() == [3, 6]
    assert capfd.readouterr().out == "sum 0.75\nsmall\nsum 0.75\nlarge\n"


@pytest.mark.parametrize("mode", MODES)
def test_the_first_of_several_errors_is_raised(mode: str) -> None:
    def function(x, i):
        y = ops.gather(x, i, 0)
        assert x.sum() < 3, "large"
        return y + ops.gather(x, i + 1, 0)

    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for x in (SMALL, LARGE):
        for i in (0, 1, 5):
            index = Tensor(np.array([i], np.int32))
            assert said(jitted, x, index)[1:3] == said(function, x, index)[1:3] or said(jitted, x, index)[0] is IndexError
            assert said(jitted, x, index)[0] == said(function, x, index)[0]


@pytest.mark.parametrize("mode", MODES)
def test_native_code_raises_too(mode: str) -> None:
    @ms.jit(capture_mode=mode, fullgraph=True)
    def function(x, n):
        total = x.sum() * 0
        while total < n:
            total = total + 1
            assert total < 2e5, f"{total}"
        return total

    assert function(SMALL, 1e5).asnumpy() == 1e5
    for _ in range(3):
        assert said(function, SMALL, 3e5)[3] == "200000.0"
    assert "native" in str(function.explain()["entries"])


@pytest.mark.parametrize("mode", MODES)
def test_tracebacks_show_the_users_lines(mode: str) -> None:
    jitted = ms.jit(calls_what_raises, capture_mode=mode, fullgraph=True)
    assert jitted(SMALL * 0.5).shape == (2,)
    try:
        jitted(LARGE)
    except ValueError as error:
        shown = [(place.name, place.line) for place in traceback.extract_tb(error.__traceback__)[1:]]
    assert shown == [
        ("calls_what_raises", "return checked(x, 3) + (checked(x, 0.5) if x.sum() > 0.5 else x)"),
        ("checked", 'raise ValueError("nested", limit)'),
    ]


def test_errors_of_calls_are_objects_of_their_own() -> None:
    jitted = ms.jit(raises_its_own)
    caught = []
    for _ in range(2):
        with pytest.raises(Own) as raised:
            jitted(LARGE)
        caught.append(raised.value)
    assert caught[0] is not caught[1] and caught[0].value is caught[1].value is LARGE
    with pytest.raises(KeyError) as known:
        ms.jit(raises_what_is_known)(LARGE)
    assert known.value is KNOWN


class Manager:
    log: list[str] = []

    def __enter__(self) -> None:
        self.log.append("in")

    def __exit__(self, kind: Any, *_: Any) -> bool:
        self.log.append("out" if kind is None else kind.__name__)
        return True


def catches(x):
    try:
        y = checked(x, 3)
    except ValueError as error:
        return x * error.args[1]
    return y


def is_told(x):
    with Manager():
        return checked(x, 3)


@contextlib.contextmanager
def managed() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise KeyError("told") from error


def is_told_as_a_generator(x):
    with managed():
        assert x.sum() < 3
        return checked(x, 2)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [catches, is_told, is_told_as_a_generator])
def test_what_waits_for_an_error_runs_in_python(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for x in (*INPUTS, *INPUTS):
        Manager.log.clear()
        wanted = said(function, x), list(Manager.log)
        Manager.log.clear()
        assert (said(jitted, x), list(Manager.log)) == wanted
    with pytest.raises(core.CaptureError, match=r"test_raise.py:\d+: "):
        ms.jit(function, capture_mode=mode, fullgraph=True)(SMALL)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_after_a_break_errors_are_raised_as_well(mode: str) -> None:
    log: list[Any] = []

    def function(x):
        y = x * 2
        log.append("before")
        if y.sum() > 3:
            raise ValueError(f"{y}", len(log))
        return y

    jitted = ms.jit(function, capture_mode=mode)
    for x in INPUTS * 3:
        log.clear()
        wanted = said(function, x), list(log)
        log.clear()
        assert (said(jitted, x), list(log)) == wanted


@pytest.mark.parametrize("mode", MODES)
def test_a_text_may_not_be_looked_at(mode: str) -> None:
    for look in (lambda x: len(f"{x}"), lambda x: str(x) == "a", lambda x: f"{x}".upper(), lambda x: {f"{x}": 1}):
        with pytest.raises(core.CaptureError, match="'str' needs the elements"):
            ms.jit(look, capture_mode=mode, fullgraph=True)(SMALL)
