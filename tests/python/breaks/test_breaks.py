"""Functions of which not all enters a graph: they do what they do eagerly, once, in order, in every call; and bytecode
capture follows what Python does."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from values import array, plain

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit.capture.graph_breaks import driver


class Log(list):  # type: ignore[type-arg]
    """What a program appends to, which breaks graphs: no effect on it is replayed."""


LOG: Log = Log()
STATE: dict[str, Any] = {"n": 0}
LEVEL = 0
WEIGHT = Parameter(array(1, 2), "w")


class Meter:
    def __init__(self, scale):
        self.scale = scale
        self.seen = 0

    def count(self, x):
        self.seen += 1
        LOG.append(self.seen)
        return x * self.scale

    def __enter__(self):
        LOG.append("enter")
        return self

    def __exit__(self, *error):
        LOG.append(("exit", error[0]))
        return error[0] is KeyError


PATTERNS = """
def matches(x, n):
    LOG.append("match")
    match (n, {"k": x}):
        case (1, _):
            return x
        case (int(m), {"k": found}) if m > 2:
            return found * m
        case _:
            return -x
"""
exec(compile(PATTERNS, "<patterns>", "exec"))


# What breaks -------------------------------------------------------------------------------------------------------


def logs_between(x, n):
    y = ops.sin(x) + 1
    LOG.append("between")
    return y * 2


def logs_in_a_loop(x, n):
    for i in range(4):
        x = x * 2 + i
        LOG.append(i)
    return x


def logs_in_two_loops(x, n):
    total = x
    for i in range(3):
        for name, k in {"a": 1, "b": 2}.items():
            LOG.append((name, i))
            total = total + x * k
        total = total * 0.5
    return total, i, name


def loops_until_it_is_large(x, n):
    trips = 0
    while True:
        x = x * 2
        trips += 1
        if x.sum() > 40 or trips > 20:
            break
        if x.sum() < -40:
            return x, -trips
    return x, trips


def breaks_in_a_while(x, n):
    i = 0
    while i < 10:
        x = x + 1
        if x.sum() > 12:
            break
        i += 1
    else:
        x = x * 100
    return x, i


def skips_in_a_loop(x, n):
    for i in range(5):
        if (x * i).sum() > 6:
            continue
        LOG.append(i)
        x = x + i
    return x


def fails_and_goes_on(x, n):
    y = x + 1
    try:
        y = y * int("seven")
    except ValueError as error:
        LOG.append(str(error))
        y = y * 3
    else:
        LOG.append("else")
    finally:
        LOG.append("finally")
    return y


def fails_after_a_break(x, n):
    try:
        LOG.append(1)
        y = x * 2
        LOG.append({}["missing"])
    except KeyError:
        y = x * 5
    return y


def raises_what_it_caught(x, n):
    try:
        LOG.append(1)
        return x[n + 100]
    except IndexError:
        LOG.append("again")
        raise


def lets_an_error_out(x, n):
    LOG.append("before")
    LOG.append((x * 2).asnumpy().tolist())
    raise RuntimeError(f"out {n}")


def manages(x, n):
    with Meter(3) as meter:
        x = meter.count(x)
        with Meter(2):
            x = x + 1
            raise KeyError("swallowed")
    return x, meter.seen


def fills_a_list(x, n):
    out = []
    for i in range(3):
        out.append(x * i)
        LOG.append(len(out))
    first = out
    first.append(x)
    return out, len(first)


def keeps_two_names_of_one_list(x, n):
    a = [x]
    b = a
    LOG.append(0)
    b.append(x * 2)
    return a, len(a)


def keeps_an_object(x, n):
    meter = Meter(n)
    x = x * 2
    LOG.append("kept")
    x = meter.count(x)
    return meter.count(x), meter.seen


def keeps_an_iterator(x, n):
    numbers = iter([1, 2, 3])
    x = x * next(numbers)
    LOG.append("kept")
    x = x * next(numbers)
    return x, list(numbers)


def keeps_a_generator(x, n):
    parts = (x * k for k in range(3))
    y = next(parts)
    LOG.append("kept")
    return y + sum(parts)


def keeps_a_closure(x, n):
    scale = x.sum()

    def scaled(t):
        return t * scale

    LOG.append("kept")
    return scaled(x)


def changes_what_a_closure_sees(x, n):
    scale = x * 2

    def scaled(t):
        return t * scale

    LOG.append(1)
    scale = x * 3
    LOG.append(2)
    return scaled(x)


def makes_its_last_closure_between_breaks(x, n):
    def plus(a, k):
        return a + k

    try:
        raise KeyError(n)
    except KeyError:
        low = sorted([x, x * 2], key=lambda v: float(plus(v, n).sum()))[0]
        high = sorted(
            [x, sorted([x * 2, low], key=lambda v: float(plus(v, 2).sum()))[0]], key=lambda v: -float(plus(v, 1).sum())
        )
    return low, high


def changes_an_argument_that_a_closure_sees(x, n):
    def scaled(t):
        return t * x

    LOG.append(1)
    y = scaled(x)
    x = x * 3
    LOG.append(2)
    return scaled(y)


def counts_by_nonlocal(x, n):
    count = 0

    def step(t):
        nonlocal count
        count += 1
        LOG.append(count)
        return t * count

    return step(step(x)), count


def writes_outside(x, n):
    global LEVEL
    LEVEL = n
    STATE["n"] += n
    y = x * STATE["n"]
    del STATE["n"]
    STATE["n"] = 7
    return y + LEVEL


def writes_elements(x, n):
    x = x * 1
    x[0] = 5
    LOG.append("written")
    x[1] += 2
    return x


def assigns_a_parameter(x, n):
    ops.assign_add(WEIGHT, x)
    LOG.append("assigned")
    ops.assign_add(WEIGHT, x * 2)
    return WEIGHT * 1


def inner(x, n):
    y = x * 2
    LOG.append("inner")
    return y + n


def calls_what_breaks(x, n):
    x = x + 1
    for i in range(3):
        x = inner(x, i)
    return x * 2


def recurses(x, n):
    LOG.append(n)
    if n <= 0:
        return x
    return recurses(x * 2, n - 1) + x


def sorts_by_values(x, n):
    parts = sorted([x * 3, x, x * 2], key=lambda t: float(t.sum()))
    return parts[0] - parts[2]


def reads_values(x, n):
    value = float(x.sum())
    return x * value if value > 1 else x - value


def prints_values(x, n):
    text = f"{x} {n:03d}"
    LOG.append(text)
    return x


def goes_through_numpy(x, n):
    a = x.asnumpy() * 2
    return Tensor(a) + x


class Lazy:
    scale = 3

    def __getattr__(self, name):
        LOG.append(name)
        return self.scale * len(name)


LAZY = Lazy()


def reads_what_getattr_makes(x, n):
    return x * LAZY.size + Lazy().width


def formats_an_error(x, n):
    try:
        return x * {}[n]
    except KeyError:
        return x, traceback.format_exc().splitlines()[-1]


def defines_a_class(x, n):
    class Local:
        k = n

        def scaled(self, t):
            return t * self.k

    return Local().scaled(x)


def sums_with_keywords(*args, scale=2, **more):
    LOG.append(sorted(more))
    return args[0] * scale


def passes_keywords(x, n):
    return sums_with_keywords(x, n, scale=n, other=1) + sums_with_keywords(*(x, n), **{"more": 2})


def handles_what_an_op_refuses(x, n):
    try:
        return ops.reshape(x, (n,))
    except ValueError:
        return x * 2
    finally:
        x = x + 1


def returns_a_list_that_it_changes(x, n):
    out = [x]
    if x.sum() < 0:
        if n > 5:
            return out
        x = x * 2
    out.append(x)
    return out


def changes_what_a_condition_chooses(x, n):
    a, b = [x], [x * 2]
    c = a if x.sum() > 0 else b
    c.append(x * 3)
    return a, b


def divides_by_elements(x, n):
    k = int(x.sum())
    return 7 // k, 7 % k, x / k


def asks_for_locals(x, n):
    y = x * 2
    return sorted(name for name in locals() if name in ("x", "y", "n")), y


def calls_itself_between(x, n):
    def walk(a, k):
        return a if k <= 0 else walk(a * 2, k - 1) + x

    y = walk(x + 1, n)
    LOG.append("walked")
    return walk(y, 2)


def holds_what_holds_itself(x, n):
    items = [x * 2]
    items.append(items)
    LOG.append("made")
    return items[1][1][0]


def keeps_functions_of_functions(x, n):
    def outer(y):
        z = y * 2

        def inner():
            return lambda: z + x

        return inner()

    found = outer(x + 1)
    LOG.append("found")
    return found()


BREAKING = [value for name, value in list(globals().items()) if callable(value) and getattr(value, "__code__", None)]
BREAKING = [f for f in BREAKING if f.__code__.co_varnames[:2] == ("x", "n")]


def outcome(function: Callable[..., Any], x: Tensor, n: int) -> Any:
    global LEVEL
    LOG.clear()
    STATE["n"], LEVEL = 0, 0
    WEIGHT.set_data(array(1, 2))
    try:
        result = plain(function(x, n))
    except Exception as error:
        result = type(error), str(error)
    return result, plain(LOG), dict(STATE), LEVEL, plain(WEIGHT)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", BREAKING, ids=lambda f: f.__name__)
def test_python_runs_what_no_graph_holds(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for i in range(6):
        x = array(i - 2, 0.5 * i) if i < 4 else array(i, 2, 3)
        if i >= 4 and "WEIGHT" in function.__code__.co_names:
            break
        assert outcome(jitted, x, i % 4) == outcome(function, x, i % 4)


@pytest.mark.breaks
def test_tracebacks_show_the_users_lines() -> None:
    for mode in ("ast", "bytecode"):
        jitted = ms.jit(calls_and_fails, capture_mode=mode)
        for _ in range(3):
            with pytest.raises(AttributeError) as caught:
                jitted(array(1, 2))
            text = "".join(traceback.format_exception(caught.value))
            assert "return y.no_such_method()" in text and "in calls_and_fails" in text
            assert "executor.py" not in text and "opcodes.py" not in text


class NoText:
    def __repr__(self) -> str:
        raise KeyError("repr")


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_tracebacks_of_a_users_repr_show_the_users_lines(mode: str) -> None:
    def f(x):
        value = NoText()
        if x.sum() > 0:
            value = x
        return value

    with pytest.raises(Exception) as caught:
        ms.jit(f, capture_mode=mode, fullgraph=True)(array(1, 2))
    assert "emberjit/values" not in "".join(traceback.format_exception(caught.value))


def calls_and_fails(x):
    y = x + 1
    LOG.append(1)
    return y.no_such_method()


@pytest.mark.breaks
def test_what_is_between_breaks_is_captured_once() -> None:
    jitted = ms.jit(logs_in_a_loop, capture_mode="bytecode")
    for _ in range(3):
        jitted(array(1, 2), 1)
    reasons = list(jitted.breaks)
    for _ in range(50):
        jitted(array(3, 4), 1)
    assert jitted.breaks == reasons and any("Log from outside" in reason for reason in reasons)


@pytest.mark.breaks
@pytest.mark.parametrize("function", [calls_itself_between, keeps_functions_of_functions], ids=lambda f: f.__name__)
def test_functions_live_on_after_a_break(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver.Driver, "_count_finish", lambda *_: pytest.fail("runs in Python"))
    jitted = ms.jit(function)
    for i in range(4):
        x = array(i, 0.5 * i)
        assert outcome(jitted, x, i) == outcome(function, x, i)


@pytest.mark.breaks
def test_many_breaks_need_no_depth() -> None:
    @ms.jit
    def f(x):
        for i in range(3000):
            LOG.append(i)
            x = x + 1
        return x

    LOG.clear()
    assert f(array(0)).asnumpy().tolist() == [3000] and len(LOG) == 3000


@pytest.mark.breaks
def test_a_cell_that_breaks() -> None:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 3)
            self.calls = 0

        def construct(self, x):
            y = self.dense(x)
            self.calls += 1
            return ops.relu(y) * self.calls

    net = Net()
    x = Tensor(np.ones((4, 2), np.float32))
    wanted = ops.relu(net.dense(x)).asnumpy()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        for i in range(1, 5):
            assert np.array_equal(net(x).asnumpy(), wanted * np.float32(i)) and net.calls == i
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_explain_shows_the_graphs_on_both_sides(mode: str) -> None:
    f = ms.jit(logs_between, capture_mode=mode)
    for _ in range(3):
        f(Tensor(np.ones(100_000, np.float32)), 1)
    told = f.explain()
    first, second = (segment["entries"][0]["bytecode"] for segment in told["segments"])
    assert "Sin" in first and "Mul" in second and not told["entries"]
    lines = [int(segment["line"].rpartition(":")[2]) for segment in told["segments"]]
    assert lines == [logs_between.__code__.co_firstlineno, logs_between.__code__.co_firstlineno + 2]
