"""What breaks are run by refuses what it cannot run, in words; and a function that breaks is called in every way while its
calls take the short way: by keywords, with defaults, bound, without Tensors, and with what it has never met."""

from __future__ import annotations

import gc
import itertools
import re
import time
import traceback
import types
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from values import array, plain

import emberjit as ms
from emberjit import _emberjit as core
from emberjit import nn, ops
from emberjit.capture.graph_breaks import callee_frames, driver, timing

pytestmark = pytest.mark.breaks


class Made(core.Driver):
    """A Driver that has what a test gives it."""

    def __init__(self, **given: Any):
        for name, value in given.items():
            setattr(self, name, value)


def call(operand: Any) -> core.Instruction:
    made = core.Instruction("CALL", operand, -1, 1, None)
    made.takes = 2
    return made


def executed(ins: core.Instruction, stack: list[Any]) -> Any:
    """What a frame outside of captures does of an instruction."""
    frame = driver.Driver(lambda x: x, lambda said: None, None).frame_at(0, (), {"x": 1}, None)
    frame.stack = stack
    return frame.execute(ins)


def nested(depth: int) -> core.Recipe:
    made = core.Recipe("constant", 1)
    for _ in range(depth):
        made = core.Recipe("tuple", (made,))
    return made


CONTEXT = core.Context([1, 2], ((3, {"a": 4}),))
MADE: list[tuple[Callable[[], Any], Any]] = [
    (lambda: core.Recipe("constant", 5), 5),
    (lambda: core.Recipe("leaf", 1), 2),
    (lambda: core.Recipe("path", (0, 1, "a")), 4),
    (lambda: core.Recipe("tuple", (core.Recipe("leaf", 0), lambda context: 7)), (1, 7)),
    (lambda: core.Recipe("list", (core.Recipe("constant", None),)), [None]),
    (lambda: core.Recipe("dict", ((core.Recipe("constant", "k"), core.Recipe("leaf", 0)),)), {"k": 1}),
]
REFUSED: list[tuple[Callable[[], Any], Any, str]] = [
    (lambda: core.Recipe("heap", 1), ValueError, "no Recipe of the kind heap"),
    (lambda: core.Recipe("leaf", "a"), TypeError, "integer"),
    (lambda: core.Recipe("leaf", 9)(CONTEXT), IndexError, "out of range"),
    (lambda: core.Recipe("path", [0])(CONTEXT), TypeError, "takes a tuple"),
    (lambda: core.Recipe("path", (0, 1, "b"))(CONTEXT), KeyError, "b"),
    (lambda: core.Recipe("tuple", 3), TypeError, "takes a tuple"),
    (lambda: core.Recipe("dict", ((1, 2, 3),)), TypeError, "takes pairs"),
    (lambda: core.Recipe("tuple", (3,))(CONTEXT), TypeError, "not callable"),
    (lambda: core.Recipe("once", 1)(CONTEXT), TypeError, "lacks what makes it"),
    (lambda: core.Recipe("leaf", 1).complete(len), TypeError, "is complete"),
    (lambda: core.Recipe("leaf", 1)(CONTEXT.inputs), TypeError, "Context"),
    (lambda: core.ResumePoint(0, len, {"a"}), TypeError, "frozenset"),
    (lambda: core.resumed((), ()), TypeError, "begin with a ResumePoint"),
    (lambda: core.resumed((1, 2), ()), TypeError, "begin with a ResumePoint"),
    (lambda: core.resumed(3, ()), TypeError, "begin with a ResumePoint"),
    (lambda: core.Frame().run(-1, False), TypeError, "lacks what it runs"),
    (lambda: core.Frame().call_at_line(len, ((),), {}), TypeError, "lacks what it runs"),
    (lambda: Made().run({}), TypeError, "lacks what it runs"),
    (lambda: Made(function=len, prototype=3).run({}), TypeError, "lacks what it runs"),
    (lambda: Made(function=len, prototype=core.Frame()).run({}), TypeError, "lacks what it runs"),
    (lambda: Made().run(()), TypeError, "variables are a dict"),
    (lambda: setattr(ms.jit(len), "driver", 3), TypeError, "a Driver, or None"),
    (lambda: delattr(Made(function=len), "function"), TypeError, "'function' of a Made cannot be deleted"),
    (lambda: delattr(core.Frame(), "handled"), TypeError, "cannot be deleted"),
    (lambda: delattr(call((0, ())), "operand"), TypeError, "cannot be deleted"),
    (lambda: executed(call((1, 2)), [1, 2, 3]), TypeError, "the operand of a CALL is"),
    (lambda: executed(call((1, ("a",) * 9)), [len, 2]), TypeError, "the operand of a CALL is"),
    (lambda: executed(call(()), [len, 2]), TypeError, "the operand of a CALL is"),
    (lambda: executed(call((1, ())), [1]), IndexError, "stack ends"),
    (lambda: core.call_with_frames(core.Callees(), parted, array(1), 2.0), TypeError, "lack what they hold"),
    (lambda: core.Callee().run(parted), TypeError, "lacks what it runs"),
    (lambda: core.Callee().run(len), TypeError, "takes a function"),
    (lambda: nested(100_000)(CONTEXT), RecursionError, "made anew"),
]


@pytest.mark.parametrize(("make", "wanted"), MADE)
def test_recipes_make_what_they_say(make: Callable[[], Any], wanted: Any) -> None:
    assert make()(CONTEXT) == wanted


def test_what_is_made_once_is_one_object() -> None:
    once = core.Recipe("once", 11)
    once.complete(core.Recipe("list", (core.Recipe("leaf", 0),)))
    first, second = core.Recipe("tuple", (once, once))(core.Context([1], ()))
    assert first == [1] and first is second


@pytest.mark.parametrize(("act", "kind", "said"), REFUSED, ids=map(str, range(len(REFUSED))))
def test_what_cannot_run_is_refused(act: Callable[[], Any], kind: Any, said: str) -> None:
    with pytest.raises(kind, match=re.escape(said)):
        act()


def breaking(function: Any) -> Any:
    """The function, jitted, when its calls take the short way."""
    jitted = ms.jit(function)
    for _ in range(timing.FIRST_CALLS + timing.TIMED_CALLS + 3):
        jitted(array(1, 2))
    return jitted


@pytest.fixture(autouse=True)
def graphs_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing.Choice, "_decide", lambda self: None)


def scaled(x, by=2.0, *, more=0):
    y = ops.relu(x) + by
    time.time_ns()
    if not isinstance(x, ms.Tensor):
        raise ValueError(f"no Tensor: {x}")
    return y * 3 - more


def told(act: Callable[[], Any]) -> Any:
    try:
        return plain(act())
    except Exception as error:
        return type(error), str(error), [line.lineno for line in _lines(error)]


def _lines(error: BaseException) -> list[Any]:
    return [line for line in traceback.extract_tb(error.__traceback__) if line.filename == __file__ and line.name != "told"]


CALLS: list[Callable[[Any], Any]] = [
    lambda f: f(array(1, 2)),
    lambda f: f(array(1, 2), 4.0),
    lambda f: f(x=array(1, 2)),
    lambda f: f(array(1, 2), by=5.0, more=1),
    lambda f: f(array(1, 2, 3)),
    lambda f: f(array(1), array(3)),
    lambda f: f(3.0),
    lambda f: f(),
    lambda f: f(1, 2, 3),
    lambda f: f([1.0, 2.0]),
]


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_all_forms_are_as_in_python(call: Callable[[Any], Any]) -> None:
    def positional(x, by=2.0):
        return scaled(x, by)

    for function in (scaled, lambda x: scaled(x), positional, lambda *given, **named: scaled(*given, **named)):
        jitted = breaking(function)
        assert jitted.driver is not None
        for _ in range(3):
            wanted, found = [told(lambda f=f: call(f)) for f in (function, jitted)]
            assert found == wanted
        assert plain(jitted(array(1, 2))) == plain(function(array(1, 2)))


def test_the_short_way_is_taken_and_counts_its_calls() -> None:
    def named(x):
        y = ops.relu(x) + 1
        time.time_ns()
        return y * 2

    jitted = breaking(named)
    left, calls = jitted.driver.graph_calls, jitted.driver.calls
    assert left > 100
    for _ in range(10):
        jitted(array(1, 2))
    assert (jitted.driver.graph_calls, jitted.driver.calls) == (left - 10, calls + 10)
    jitted(x=array(1, 2))
    assert (jitted.driver.graph_calls, jitted.driver.calls) == (left - 11, calls + 11)


def test_methods_of_cells_take_it_with_their_own_cell() -> None:
    class Net(nn.Cell):
        def __init__(self, scale):
            super().__init__()
            self.scale = scale

        @ms.jit
        def construct(self, x):
            y = ops.relu(x) * self.scale
            time.time_ns()
            return y + self.scale

    nets = [Net(float(k)) for k in range(3)]
    for i, net in itertools.product(range(40), nets):
        assert plain(net(array(1, i))) == [2 * net.scale, i * net.scale + net.scale]
        net.scale = net.scale if i % 7 else net.scale + 1


def whole(x, by):
    if x.sum() < 0:
        raise ValueError("below zero")
    return ops.relu(x) * by + x


def parted(x, by):
    y = ops.relu(x) * by
    time.time_ns()
    if x.sum() < 0:
        raise ValueError("below zero")
    return y + x


def in_python(call, function):
    class Local:
        pass

    return call(function)


FRAMES: list[Callable[[Any], Any]] = [
    lambda f: f(array(1, 2), 2.0),
    lambda f: f(array(1, 2, 3), 2.0),
    lambda f: f(array(1, -2), 3),
    lambda f: f(array(-1, -2), 2.0),
    lambda f: f(by=array(2), x=array(1, 2)),
    lambda f: f(array(1, 2), "x"),
    lambda f: f(array(1, 2)),
    lambda f: f(array(1, 2), *(1, 2)),
]


@pytest.mark.parametrize("shared", [whole, parted])
@pytest.mark.parametrize("call", FRAMES)
def test_frames_of_callees_take_the_short_way(shared: Any, call: Callable[[Any], Any]) -> None:
    function = types.FunctionType(shared.__code__.replace(), shared.__globals__, shared.__name__)

    def outer(call, x):
        time.time_ns()
        return in_python(call, function) - x

    def run(f, call):
        return f(call, array(1))

    jitted = ms.jit(outer)
    for _ in range(2 * (timing.FIRST_CALLS + timing.TIMED_CALLS)):
        run(jitted, FRAMES[0])
    callee = callee_frames._callees[id(function.__code__), id(function.__globals__)]
    for _ in range(3):
        left, frames = callee.graph_calls, callee.frames
        assert left > 100
        run(jitted, FRAMES[0])
        assert (callee.graph_calls, callee.frames) == (left - 1, frames + 1)
        wanted, found = [told(lambda f=f: run(f, call)) for f in (outer, jitted)]
        assert found == wanted
        for _ in range(timing.FIRST_CALLS + timing.TIMED_CALLS):
            assert plain(run(jitted, FRAMES[0])) == plain(run(outer, FRAMES[0]))


def test_free_variables_of_callees_are_those_of_the_function_that_is_called() -> None:
    scale = 1.0

    def scaled(x):
        return ops.relu(x) * scale

    def made(factor):
        def parted(x):
            nonlocal factor
            y = ops.relu(x) * factor
            factor = factor + 1
            return y

        return parted

    def outer(f, x):
        time.time_ns()
        return f(x)

    jitted = ms.jit(outer)
    own, plain_own = [[made(float(k)) for k in range(6)] for _ in range(2)]
    for i in range(60):
        scale = float(i % 3)
        assert plain(jitted(scaled, array(1, i))) == plain(scaled(array(1, i)))
        for f, g in zip(own[: 3 + i // 20], plain_own):
            assert plain(jitted(f, array(1, i))) == plain(g(array(1, i)))
    del scaled.__closure__[0].cell_contents
    with pytest.raises(NameError, match="scale"):
        jitted(scaled, array(1))


def test_recipes_within_each_other_end() -> None:
    made = core.Recipe("constant", 1)
    for _ in range(300_000):
        made = core.Recipe("constant", made)
    del made


def test_a_driver_outlives_its_runs() -> None:
    """Even if what it runs lets go of it."""

    def lets_go(x):
        y = ops.relu(x) + 1
        drop()
        return y * 2

    def drop():
        jitted.driver = None
        gc.collect()

    jitted = core.Jit(lambda args, kwargs: "missed", len, lets_go)
    jitted.driver = driver.Driver(lets_go, lambda said: None, None)
    jitted.driver.graph_calls = 5
    gone = weakref.ref(jitted.driver)
    assert plain(jitted(array(1, 2))) == [4, 6] and jitted.driver is None
    gc.collect()
    assert gone() is None


def test_values_end_where_they_end_in_python() -> None:
    class Ends:
        def __init__(self, log, name):
            self.log, self.name = log, name

        def __del__(self):
            self.log.append(self.name)

    def run(x, log):
        first = Ends(log, "first")
        y = ops.relu(x)
        time.time_ns()
        log.append("between")
        del first
        second = [Ends(log, "second")]
        y = y + 1
        time.time_ns()
        del second
        log.append("after")
        return y * 2

    jitted = ms.jit(run)
    for _ in range(40):
        wanted: list[str] = []
        found: list[str] = []
        assert plain(jitted(array(1, 2), found)) == plain(run(array(1, 2), wanted)) and found == wanted


def test_variables_end_in_the_order_of_the_function() -> None:
    class Ends:
        def __init__(self, log, name):
            self.log, self.name = log, name

        def __del__(self):
            self.log.append(self.name)

    def run(x, log):
        b = Ends(log, "b")
        a = Ends(log, "a")
        time.time_ns()
        c = Ends(log, "c")
        y = ops.relu(x) + 1
        del b
        b = Ends(log, "b again")
        time.time_ns()
        return y * 2 if (a, b, c) else y

    jitted = ms.jit(run)
    for _ in range(40):
        wanted: list[str] = []
        found: list[str] = []
        assert plain(jitted(array(1, 2), found)) == plain(run(array(1, 2), wanted)) and found == wanted


def test_errors_that_graphs_catch_keep_nothing() -> None:
    """But what their tracebacks lead to in Python, too."""

    class Held:
        pass

    def run(x, held):
        y = ops.relu(x) + 1
        time.time_ns()
        try:
            raise ValueError("caught")
        except ValueError:
            time.time_ns()
        return y * 2

    jitted = ms.jit(run)
    kept = 0
    gc.disable()
    try:
        for _ in range(40):
            held = Held()
            gone = weakref.ref(held)
            jitted(array(1, 2), held)
            del held
            kept += gone() is not None
    finally:
        gc.enable()
    assert kept <= 2  # by captures


def test_other_code_of_a_function_is_run() -> None:
    """Also if it takes the short way, and whether it breaks or not."""

    def first(x):
        y = ops.relu(x) + 1
        time.time_ns()
        return y * 2

    def second(x):
        y = ops.relu(x) - 5
        time.time_ns()
        return y * 3

    def whole(x):
        return ops.relu(x) * 7

    codes = [function.__code__ for function in (first, second, whole, first)]
    jitted = ms.jit(first)
    for code in codes:
        first.__code__ = code
        for _ in range(20):
            assert plain(jitted(array(1, -2))) == plain(first(array(1, -2)))
    assert jitted.driver.graph_calls > 0


def test_explain_says_which_way_calls_went_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def small(x):
        y = ops.relu(x)
        time.time_ns()
        return y

    jitted = breaking(small)
    calls = jitted.explain()["calls"]
    assert calls["in_parts"] == jitted.driver.calls > 0 and calls["by_graph"] == calls["in_python"] == 0
    monkeypatch.undo()
    jitted = ms.jit(small)
    monkeypatch.setattr(timing.Choice, "took", lambda self, graphs, start: self.times[graphs].append(1e-5 * (1 + graphs)))
    for _ in range(timing.FIRST_CALLS + timing.TIMED_CALLS + 9):
        jitted(array(1, 2))
    explained = jitted.explain()
    assert explained["calls"]["in_python"] > 0
    assert explained["calls_in_python"] == ["Python was faster: 10.0 us a call, 20.0 us with graphs between the breaks"]
