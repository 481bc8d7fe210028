"""Functions that Python calls while it runs what no graph holds: through libraries, as methods and operators. They run as
graphs from the second call on, and do what they do eagerly; so do those that a library calls while a graph is captured."""

from __future__ import annotations

import ctypes
import functools
import gc
import sys
import threading
import time
import traceback
import types
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from test_breaks import LOG, outcome
from values import array, plain

import emberjit as ms
from emberjit import Tensor, ops
from emberjit.capture.graph_breaks import callee_frames

pytestmark = [pytest.mark.breaks]

SCALE = 2.0


def form(function: Any) -> Any:
    """How frames of a function run."""
    return callee_frames._callees[id(function.__code__), id(function.__globals__)]


# What is called ----------------------------------------------------------------------------------------------------


def total(t):
    return float((t * 2 + 1).sum())


def logs_and_adds(a, b):
    LOG.append("add")
    return ops.sin(a) + b * 2


def fails_at_large(t):
    if total(t) > 8:
        LOG.append("large")
        raise ValueError("too large")
    return -total(t)


def takes_all(t, by, /, again=1, *more, scale=SCALE, **named):
    LOG.append((again, len(more), sorted(named)))
    return t * by + again * scale + sum(more) + sum(named.values())


def uncapturable(function, *args, **kwargs):
    class Local:
        pass

    return function(*args, **kwargs)


class Box:
    shared = 3

    def __init__(self, t):
        self.t = t

    @property
    def norm(self):
        return float((self.t * self.t).sum())

    def __getattr__(self, name):
        LOG.append(name)
        return self.t * len(name)

    def __add__(self, other):
        return Box(self.t + other.t * 2)

    def __lt__(self, other):
        return bool((self.t - other.t).sum() < 0)

    def __call__(self, t, *, bias=1):
        return float((self.t * t + bias).sum())

    @classmethod
    def of(cls, t):
        return cls(t * cls.shared)

    @staticmethod
    def twice(t):
        return float((t + t).sum())


BOX = Box(array(0.5, 2))
REGISTRY: dict[str, Callable[..., Any]] = {"add": logs_and_adds, "take": takes_all}


# What calls --------------------------------------------------------------------------------------------------------


def sorts(x, n):
    parts = sorted([x * 3, x, x * -2], key=total)
    return parts[0] - parts[2] * n


def maps(x, n):
    return sorted(map(total, [x, x + n, x * 2]))


def reduces(x, n):
    LOG.append("before")
    return functools.reduce(logs_and_adds, [x, x * n, x + 1])


def calls_registered(x, n):
    for name in ("add", "take", "add"):
        LOG.append(name)
        x = REGISTRY[name](x, x + n)
    return x


def passes_all(x, n):
    out = uncapturable(takes_all, x, n, 2, 3, 4, scale=5, other=6)
    return out, uncapturable(takes_all, x, 2), uncapturable(functools.partial(takes_all, x, again=3), n, **{"scale": 1.5})


def sorts_by_closure(x, n):
    low = x * n - 1
    return sorted([x * 3, x, x * 2], key=lambda t: float((t - low).sum()))


def sees_a_changing_closure(x, n):
    by = n
    found = []
    for i in range(3):
        found += sorted([x, x * 2], key=lambda t: float((t * by).sum()))
        by = -by - i
    return found


def counts_calls(x, n):
    calls = 0

    def key(t):
        nonlocal calls
        calls += 1
        return float(t.sum()) * n

    parts = sorted([x * 2, x, x * 3], key=key)
    return parts, calls


def keeps_a_parameter_in_a_cell(x, n):
    def key(t):
        t = t * 2
        inner = lambda k: t.sum() * k
        return float(inner(n) + inner(2))

    return sorted([x * 2, x, x * -3], key=key)


def uses_a_class(x, n):
    boxes = [Box(x * 2), Box(x), BOX]
    first = sorted(boxes)[0]
    return (first + BOX).t, BOX.norm * n, BOX.extra, max([x, x * 2], key=BOX), max([x, x * 2], key=Box.twice), Box.of(x).t


def fails_in_a_key(x, n):
    try:
        return sorted([x, x * 3, x + n], key=fails_at_large)
    except ValueError as error:
        LOG.append(str(error))
        return x


def lets_an_error_of_a_key_out(x, n):
    return sorted([x, x * n, x * 30], key=fails_at_large)


def recurses_through_a_library(x, n):
    LOG.append(n)
    if n <= 0:
        return float(x.sum())
    return sorted([x * 2, x + 1], key=lambda t: recurses_through_a_library(t, n - 1))[0]


def breaks_in_a_callback(x, n):
    def key(t):
        t = t * 2 + n
        LOG.append("key")
        return float((t - 1).sum())

    return sorted([x * 2, x, x * 3], key=key)


CALLING = [value for value in list(globals().values()) if isinstance(value, types.FunctionType)]
CALLING = [f for f in CALLING if f.__code__.co_varnames[:2] == ("x", "n")]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", CALLING, ids=lambda f: f.__name__)
def test_callees_do_what_they_do_in_python(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for i in range(40):
        x = array(i % 5 - 2, 0.5 * i) if i % 7 else array(i, 2, 3)
        if "BOX" in function.__code__.co_names:
            x = array(i % 5 - 2, 0.5 * i)
        assert outcome(jitted, x, i % 4) == outcome(function, x, i % 4)


def test_a_callback_is_a_graph_from_the_second_call_on() -> None:
    def key(t):
        return float((t * 2 + 1).sum())

    def f(x):
        return sorted([x * 3, x, x * -2], key=key)

    jitted = ms.jit(f, capture_mode="bytecode")
    jitted(array(1, 2))
    found = form(key)
    assert (found.frames, found.runs, found.misses, found.captures) == (3, 2, 1, 1)
    jitted(array(3, 4))
    assert (found.frames, found.runs, found.misses, found.captures) == (6, 5, 1, 1) and not found.breaks
    jitted(array(3, 4, 5))
    assert found.captures == 1
    (told,) = jitted.explain()["callees"]
    assert (told["frames"], len(told["entries"]), told["breaks"]) == (9, 1, []) and told["name"].endswith("key")


def test_results_are_the_objects_that_they_are_in_python() -> None:
    def pairs(t, others):
        y = t * 2
        return t, y, y, others, Box(y)

    def part(t):
        return t[0:1]

    def calls(x, others):
        return *uncapturable(pairs, x, others), uncapturable(part, x)

    for function in (calls, ms.jit(calls, capture_mode="bytecode")):
        for _ in range(5):
            x, others = array(1, 2), [array(3)]
            a, b, c, d, box, e = function(x, others)
            assert a is x and b is c and b is not a and d is others and box.t is b and type(box) is Box
            e[0] = 9
            assert plain(x) == [9, 2] and plain(b) == [2, 4]
    assert form(pairs).captures == 1 and not form(pairs).broken


def test_functions_made_anew_share_a_graph() -> None:
    made = []

    def f(x, n):
        low = x * n - 1

        def key(t):
            return float((t - low).sum())

        made.append(key)
        return sorted([x * 3, x, x * 2], key=key)

    jitted = ms.jit(f, capture_mode="bytecode")
    for i in range(3):
        assert plain(jitted(array(1, 2 + i), i)) == plain(f(array(1, 2 + i), i))
    found = form(made[0])
    assert (found.frames, found.captures) == (9, 1)


def test_a_callback_that_breaks_runs_as_graphs_in_part() -> None:
    def add(a, b):
        LOG.append("add")
        return ops.sin(a) + b * 2

    jitted = ms.jit(lambda x: functools.reduce(add, [x, x * 2, x + 1]), capture_mode="bytecode")
    for _ in range(3):
        jitted(array(1, 2))
    found = form(add)
    (driver,) = found.drivers.values()
    assert len(found.breaks) == 1 and len(driver.continuations) > 1


def test_objects_that_are_others_each_time_are_not_captured_each_time() -> None:
    class Weighed:
        def __init__(self, t):
            self.t = t

        def __lt__(self, other):
            return bool((self.t - other.t).sum() < 0)

    jitted = ms.jit(lambda x: sorted([Weighed(x * k) for k in (3, 1, 2)])[0].t, capture_mode="bytecode")
    for _ in range(30):
        assert plain(jitted(array(1, 2))) == [1, 2]
    assert 1 < form(Weighed.__lt__).captures <= callee_frames.FREE_CAPTURES


def test_the_evaluator_is_there_only_while_python_runs() -> None:
    api = ctypes.pythonapi
    api.PyInterpreterState_Get.restype = api._PyInterpreterState_GetEvalFrameFunc.restype = ctypes.c_void_p
    api._PyInterpreterState_GetEvalFrameFunc.argtypes = [ctypes.c_void_p]
    seen = []

    def evaluator() -> Any:
        return api._PyInterpreterState_GetEvalFrameFunc(api.PyInterpreterState_Get())

    def key(t):
        seen.append(evaluator())
        return float(t.sum())

    def fails(x):
        sorted([x, x * 2], key=key)
        raise KeyError(3)

    pythons = evaluator()
    for mode in ("ast", "bytecode"):
        jitted = ms.jit(fails, capture_mode=mode)
        for _ in range(3):
            with pytest.raises(KeyError):
                jitted(array(1, 2))
            assert evaluator() == pythons
    assert set(seen) != {pythons}


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_tracebacks_show_the_users_frames(mode: str) -> None:
    jitted = ms.jit(lets_an_error_of_a_key_out, capture_mode=mode)
    for _ in range(12):
        with pytest.raises(ValueError, match="too large") as caught:
            jitted(array(1, 2), 1)
        shown = traceback.extract_tb(caught.value.__traceback__)
        names = [place.name for place in shown if "emberjit" not in place.filename]
        assert names[-2:] == ["lets_an_error_of_a_key_out", "fails_at_large"]
        assert shown[-1].line == 'raise ValueError("too large")'
        assert "emberjit" not in shown[-2].filename


def test_a_callee_sees_a_traceback_of_the_users_frames_only() -> None:
    texts = []

    def inner(t):
        LOG.append("inner")
        raise KeyError(float(t.sum()))

    def key(t):
        try:
            return inner(t)
        except KeyError:
            texts.append(traceback.format_exc())
        assert sys.exc_info()[0] is None
        return 1

    jitted = ms.jit(lambda x: sorted([x, x * 2, x * 3], key=key), capture_mode="bytecode")
    for _ in range(4):
        jitted(array(1, 2))
    assert len(texts) == 12 and all("in inner" in text for text in texts)
    assert not [text for text in texts if "emberjit/capture" in text]


def test_debuggers_and_profilers_see_every_frame() -> None:
    def key(t):
        return float(t.sum())

    jitted = ms.jit(lambda x: sorted([x * 3, x, x * 2], key=key), capture_mode="bytecode")
    for _ in range(3):
        jitted(array(1, 2))
    for watch in (sys.settrace, sys.setprofile):
        calls: list[str] = []

        def note(frame: Any, event: str, arg: Any) -> None:
            if event == "call":
                calls.append(frame.f_code.co_name)

        watch(note)
        try:
            jitted(array(1, 2))
        finally:
            watch(None)
        assert calls.count("key") == 3
    assert form(key).frames == 9


def test_a_callee_may_read_frames() -> None:
    def key(t):
        LOG.append((sys._getframe().f_code.co_name, sys._getframe(1).f_code.co_name))
        return float(t.sum())

    def f(x):
        return sorted([x, x * 2], key=key)

    jitted = ms.jit(f, capture_mode="bytecode")
    LOG.clear()
    for _ in range(5):
        jitted(array(1, 2))
    assert LOG == [("key", "f")] * 10


def test_threads() -> None:
    failed = []

    def work(k: int) -> None:
        try:
            jitted = ms.jit(sorts_by_closure, capture_mode="bytecode")
            for i in range(60):
                x = array(k, i % 7)
                assert plain(jitted(x, i)) == plain(sorts_by_closure(x, i))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_frames_of_other_threads_are_pythons() -> None:
    def busy(t):
        return float((t * 2).sum())

    def key(t):
        time.sleep(0.002)
        return float(t.sum())

    def work() -> None:
        while not done.is_set():
            found.append(busy(array(1, 2)))

    jitted = ms.jit(lambda x: sorted([x * 2, x, x * 3], key=key), capture_mode="bytecode")
    done, found = threading.Event(), []
    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(12):
        assert plain(jitted(array(1, 2))) == [[1, 2], [2, 4], [3, 6]]
    done.set()
    thread.join()
    assert set(found) == {6.0} and form(key).frames > 1
    assert (id(busy.__code__), id(globals())) not in callee_frames._callees


def test_recursion_is_as_deep_as_in_python() -> None:
    def descends(x, n):
        if n == 0:
            return float(x.sum())
        return max([x], key=lambda t: descends(t, n - 1)) if n % 2 else descends(x + 1, n - 1)

    def logs_and_descends(x, n):
        LOG.append(n)
        return x if n == 0 else logs_and_descends(x, n - 1)

    def endless(x, n):
        LOG.append(n)
        return endless(x, n + 1)

    depth = sys.getrecursionlimit() - len(traceback.extract_stack()) - 100
    for function, n in ((descends, depth // 2), (logs_and_descends, depth)):
        jitted = ms.jit(function, capture_mode="bytecode")
        for _ in range(3):
            assert plain(jitted(array(1, 2), n)) == plain(function(array(1, 2), n))
    jitted = ms.jit(endless, capture_mode="bytecode")
    for _ in range(3):
        with pytest.raises(RecursionError):
            jitted(array(1, 2), 0)


def test_a_wrapper_is_not_taken_for_what_it_wraps() -> None:
    jitted = ms.jit(sorts, capture_mode="bytecode")
    for _ in range(3):
        jitted(array(1, 2), 1)

    @functools.wraps(total)
    def wrapper(t):
        return -total(t)

    def f(x):
        return sorted([x, x * 2], key=wrapper)

    jitted = ms.jit(f, capture_mode="bytecode")
    for _ in range(3):
        assert plain(jitted(array(1, 2))) == [[2, 4], [1, 2]]


def test_nothing_is_kept() -> None:
    def rounds(count: int) -> None:
        jitted = ms.jit(uses_a_class, capture_mode="bytecode")
        for function in (sorts_by_closure, breaks_in_a_callback, fails_in_a_key, uses_a_class):
            jitted = ms.jit(function, capture_mode="bytecode")
            for i in range(count):
                jitted(array(1, i), 2)
        LOG.clear()

    def size() -> int:
        gc.collect()
        return len(gc.get_objects())

    rounds(40)
    before = size()
    rounds(40)
    rounds(40)
    assert size() - before < 100

    x = array(1, 2)
    count = sys.getrefcount(x)
    jitted = ms.jit(sorts_by_closure, capture_mode="bytecode")
    for _ in range(40):
        jitted(x, 2)
    assert sys.getrefcount(x) == count
    alive = weakref.ref(jitted)
    del jitted
    gc.collect()
    assert alive() is None and not [f for f in callee_frames._callees.values() if f.__name__.startswith("sorts_by_closure")]


# Libraries that captured code calls ----------------------------------------------------------------------------------


def reduces_in_a_graph(x):
    return functools.reduce(lambda a, b: a * SCALE + b, [x, x * 2, x])


def maps_with_effects(x):
    return list(map(functools.partial(logs_and_adds, x), [x, x * 2]))


def reduces_a_dict(x):
    return functools.reduce(logs_and_adds, {"a": x, "b": x * 3}.values())


def extends_a_list(x):
    parts = [x]
    parts.extend(map(functools.partial(logs_and_adds, x), [x, x * 2]))
    return parts


def adds_objects(x):
    return (Logged(x) + Logged(x * 2)).t


class Logged:
    def __init__(self, t):
        self.t = t

    def __add__(self, other):
        LOG.append("added")
        return Logged(self.t + other.t)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", [maps_with_effects, reduces_a_dict, extends_a_list], ids=lambda f: f.__name__)
def test_effects_of_what_a_library_calls_happen_in_every_call(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for i in range(20):
        LOG.clear()
        wanted, log = plain(function(array(1, i))), list(LOG)
        LOG.clear()
        assert (plain(jitted(array(1, i))), LOG) == (wanted, log)


def test_effects_of_operators_happen_in_every_call() -> None:
    jitted = ms.jit(adds_objects, capture_mode="bytecode")
    LOG.clear()
    for _ in range(20):
        assert plain(jitted(array(1, 2))) == [3, 6]
    assert LOG == ["added"] * 20


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_a_library_calls_is_guarded(mode: str) -> None:
    global SCALE
    jitted = ms.jit(reduces_in_a_graph, capture_mode=mode, fullgraph=True)
    try:
        for scale in (2.0, 3.0, 2.0):
            SCALE = scale
            assert plain(jitted(array(1, 2))) == plain(reduces_in_a_graph(array(1, 2)))
    finally:
        SCALE = 2.0
    assert len(jitted.explain()["entries"]) == 1  # which reads SCALE since it has changed
    assert jitted.hits == 1


def test_a_method_of_a_library_is_called_with_tensors() -> None:
    @ms.jit(fullgraph=True)
    def f(x: Tensor) -> Any:
        return functools.reduce(Tensor.__add__, [x, x, x])

    assert plain(f(array(1, 2))) == [3, 6]
