"""A jitted function gives what the same function gives eagerly, or says what cannot be captured. Each case is a plain
function with its inputs; it is run eagerly and jitted on the same values, and everything that it can have changed is
compared with what it returns."""

from __future__ import annotations

import contextlib
import copy
import struct
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from values import array

import emberjit as ms
from emberjit import Parameter, Tensor

Case = tuple[Callable[..., Any], list[tuple[Any, ...]]]


def plain(value: Any) -> Any:
    """A value in which equality means equal types, dtypes and bits."""
    if isinstance(value, Tensor):
        return ("Tensor", str(value.dtype), value.asnumpy().shape, value.asnumpy().tobytes())
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, [plain(item) for item in value])
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, float):
        return ("float", struct.pack("d", value))
    return (type(value).__name__, value)


def copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        return Tensor(value.asnumpy().copy())
    return [copied(item) for item in value] if isinstance(value, list) else copy.copy(value)


def check(function: Callable[..., Any], inputs: list[tuple[Any, ...]]) -> None:
    jitted = ms.jit(function)
    for args in inputs * 2:
        mine, theirs = [copied(a) for a in args], [copied(a) for a in args]
        try:
            want = plain(function(*mine))
        except (ArithmeticError, UnboundLocalError) as error:
            with pytest.raises(type(error)):
                jitted(*theirs)
            continue
        assert plain(jitted(*theirs)) == want, args
        assert plain(theirs) == plain(mine), args


UP, DOWN, BOTH = array(1, 2), array(-1, -2), [(array(1, 2),), (array(-1, -2),)]


# What code under a condition changes -----------------------------------------------------------------------------------


def append_on_both_sides(x):
    items = [x]
    if x.sum() > 0:
        items.append(x + 1)
    else:
        items.append(x - 1)
    return items


def update_a_dict(x):
    d = {"a": x}
    if x.sum() > 0:
        d.update(a=x + 1)
    return d


def store_an_item(x):
    d, items = {"a": x}, [x, 3]
    if x.sum() > 0:
        d["a"] = items[0] * 2
        items[1] = 4
    return d, items


def add_a_key_on_both_sides(x):
    d = {}
    if x.sum() > 0:
        d["a"] = x
    else:
        d["a"] = x * 2
    return d


def aliases_stay_aliases(x):
    a = [x]
    b = a
    if x.sum() > 0:
        a[0] = x * 3
    b.append(x)
    return a, b


def nested_containers(x):
    d = {"a": [x, {"b": x}]}
    if x.sum() > 0:
        d["a"][1]["b"] = x * 3
        if x.sum() > 2:
            d["a"][0] = x * 5
    return d


def a_helper_changes_its_argument(x):
    def put(into, value):
        if value.sum() > 0:
            into[0] = value

    items = [x * 0]
    put(items, x)
    return items


class Box:
    def __init__(self, value):
        self.value = value

    def set(self, value):
        self.value = value


def attribute_of_a_local_object(x):
    box = Box(x)
    if x.sum() > 0:
        box.value = x + 1
    else:
        box.set(x - 1)
    return box.value


def elements_of_a_tensor(x):
    y = x * 1
    if x.sum() > 0:
        y[0] = 5
    else:
        y[1] = x[0]
    return y


def return_after_changes(x):
    items = [x, x]

    def inner(t):
        if t.sum() > 0:
            items[0] = t + 1
            return t
        items[1] = t - 1
        return t * 2

    return inner(x), items


def conditional_expression_with_effects(x):
    items = [x]

    def put(value):
        items[0] = value
        return value

    return put(x + 1) if x.sum() > 0 else put(x - 1), items


def operators_give_operands(x):
    one, two = x.sum(), x.max() - 1
    return one and two, one or two, (two and one) or two


def and_does_not_evaluate_more_than_python(x):
    seen = [x * 0]

    def put(value):
        seen[0] = value
        return value.sum() > 2

    y = x
    if x.sum() > 0 and put(x):
        y = x * 2
    return y, seen


def list_in_a_while(x):
    items = [x, 0]
    while x.sum() < 10:
        items[0] = x * 2
        items[1] = items[1] + 1
        x = x + 3
    return items, x


def elements_in_a_while(x):
    y = x * 1
    n = 0
    while n < x.sum():
        y[0] = y[0] + 1
        n = n + 1
    return y, n


def _written(x):
    y = x * 1
    y[0] = y[1] * 2 + y[0]
    return y


def elements_of_what_is_made_on_one_side(x):
    if x.sum() > 0:
        x = _written(x)
        x = _written(x)
    else:
        x = x - 1
    return x


def elements_of_what_is_made_in_a_while(x):
    n, limit = 0, x.sum()
    while n < limit:
        x = x + _written(x) * 0.25
        if n > 1:
            x = _written(x)
        n = n + 1
    return x


def elements_of_constants_made_under_conditions(x):
    n, limit = 0, x.sum()
    while n < limit:
        y = Tensor([1.0, 2.0, 3.0])
        y[0] = x[1]
        x = x + y[0] * 0.5
        if n > 1:
            y = Tensor([4.0, 5.0])
            y[1] = x[0]
            x = x * y[1]
        n = n + 1
    return x


def sizes_that_python_has_used(x):
    if x.sum() > 0:
        y = x.reshape((x.shape[0],))
        y = y * 2
    else:
        y = x
    n, limit = 0, x.sum()
    while n < limit:
        x = x.reshape((x.shape[0],)) + 1
        n = n + 1
    return x, y


def constants_stay_constants(x):
    if x.sum() > 0:
        n, y = 2, x
    else:
        n, y = 2, -x
    return [y] * n


CHANGES: list[Case] = [
    (f, BOTH)
    for f in (
        append_on_both_sides,
        update_a_dict,
        store_an_item,
        add_a_key_on_both_sides,
        aliases_stay_aliases,
        nested_containers,
        a_helper_changes_its_argument,
        attribute_of_a_local_object,
        elements_of_a_tensor,
        return_after_changes,
        conditional_expression_with_effects,
        operators_give_operands,
        and_does_not_evaluate_more_than_python,
        list_in_a_while,
        elements_in_a_while,
        elements_of_what_is_made_on_one_side,
        elements_of_what_is_made_in_a_while,
        elements_of_constants_made_under_conditions,
        sizes_that_python_has_used,
        constants_stay_constants,
    )
]


@pytest.mark.parametrize("case", CHANGES, ids=lambda case: case[0].__name__)
def test_changes_under_conditions(case: Case) -> None:
    check(*case)


# Statements, numbers, arguments ----------------------------------------------------------------------------------------


def handled_with_a_condition(x, n):
    try:
        y = x / 2 if x.sum() > 0 else x
        if n > 2:
            raise KeyError("n")
    except KeyError as error:
        y = x * len(error.args)
    else:
        y = y + 1
    return y


def opened(x):
    with contextlib.nullcontext("read") as text:
        y = x + len(text)
    return y


def chained(x, n):
    return x + 1 if 1 < int(n) < 3 else x, 0 < x.sum() < 4


def written_argument(x):
    x[0] = 5
    x[1] = x[0] + x[1]
    return x * 2


def written_under_a_condition(x):
    if x.sum() > 0:
        x[0] = 7
    return x.sum()


def unbound(x, n):
    if n > 1:
        UP = x
    return UP


NUMBERS = [(7, 0), (7, 2), (-7, 2), (2**40, 3), (2**62, 2**62), (2**31, -5), (True, 2), (2.5, 0), (-8, 3.0)]
STATEMENTS: list[Case] = [
    (handled_with_a_condition, [(UP, 1), (UP, 3), (DOWN, 1)]),
    (opened, BOTH),
    (chained, [(UP, 1), (UP, 2), (DOWN, 3)]),
    (written_argument, BOTH),
    (written_under_a_condition, BOTH),
    (unbound, [(UP, 2), (UP, 1)]),
    *((f, NUMBERS) for f in (lambda a, b: a // b, lambda a, b: a % b, lambda a, b: a / b)),
    *((f, NUMBERS) for f in (lambda a, b: a * b, lambda a, b: a * a * a + b, lambda a, b: a - b * 2)),
    (lambda a, b: a**b, [(2, 3), (2, 100), (2.0, -1), (2, -1), (0, -1)]),
    (lambda a: -a - 1, [(5,), (-(2**63),)]),
]


@pytest.mark.parametrize("case", STATEMENTS, ids=lambda case: case[0].__name__)
def test_statements_and_numbers(case: Case) -> None:
    check(*case)


# What is read from outside ----------------------------------------------------------------------------------------------


class Holder:
    shared = 1

    def __init__(self):
        self.number, self.items, self.table, self.inner = 2, [1, 2], {"a": 1}, Box(3)
        self.data = np.array([1.0, 2.0], np.float32)
        self.scale = lambda x: x * 2

    @property
    def twice(self):
        return self.number * 2

    def __call__(self, x):
        return x * self.number


HOLDER = Holder()
VALUE: Any = 0.0

READS: list[tuple[str, Callable[[Any], Any], list[Callable[[Any], Any]]]] = [
    ("attribute", lambda x: x * HOLDER.number, [lambda h: setattr(h, "number", 9)]),
    ("class attribute", lambda x: x * HOLDER.shared, [lambda h: setattr(Holder, "shared", 5)]),
    ("inner attribute", lambda x: x * HOLDER.inner.value, [lambda h: h.inner.set(8), lambda h: setattr(h, "inner", Box(1))]),
    ("property", lambda x: x * HOLDER.twice, [lambda h: setattr(h, "number", 7)]),
    ("call", lambda x: HOLDER(x), [lambda h: setattr(h, "number", 7)]),
    ("list", lambda x: x * sum(HOLDER.items), [lambda h: h.items.append(7), lambda h: h.items.pop()]),
    ("list item", lambda x: x * HOLDER.items[0], [lambda h: h.items.__setitem__(0, 7)]),
    ("dict", lambda x: x * HOLDER.table["a"], [lambda h: h.table.update(a=7), lambda h: h.table.update(a=7.5)]),
    ("array", lambda x: x * HOLDER.data, [lambda h: h.data.__setitem__(0, 7)]),
    ("code", lambda x: HOLDER.scale(x), [lambda h: setattr(h.scale, "__code__", (lambda x: x * 9).__code__)]),
]


@pytest.mark.parametrize("case", READS, ids=lambda case: case[0])
def test_what_is_read_may_change(case: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, function, changes = case
    monkeypatch.setitem(globals(), "HOLDER", Holder())
    monkeypatch.setattr(Holder, "shared", 1)
    jitted = ms.jit(function)
    for change in [lambda h: None, *changes]:
        change(HOLDER)
        for _ in range(2):
            assert plain(jitted(UP)) == plain(function(UP))


@pytest.mark.parametrize("values", [(0.0, -0.0), (1, 1.0, True), (float("nan"), 1.0)])
def test_a_constant_is_its_bits(values: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    ints = Tensor([1, 2], ms.int32)
    for wrapped in (lambda v: v, lambda v: (v,), lambda v: ((v, "a"),)):

        def use(x):
            v = VALUE
            while isinstance(v, tuple):
                v = v[0]
            return x / v, x * v

        jitted = ms.jit(use)
        for value in values:
            monkeypatch.setitem(globals(), "VALUE", wrapped(value))
            assert plain(jitted(ints)) == plain(use(ints))


def test_a_list_that_holds_itself_is_an_argument() -> None:
    items: list[Any] = [UP]
    items.append(items)
    jitted = ms.jit(lambda held: (held[1][1][0] * 2, held[1] is held, held))
    for _ in range(3):
        doubled, itself, same = jitted(items)
        assert doubled.tolist() == (UP * 2).tolist() and itself and same is items


def test_a_list_that_is_too_deep_is_an_error_and_not_a_crash() -> None:
    deep: list[Any] = []
    for _ in range(100000):
        deep = [deep]
    with pytest.raises(RecursionError):
        ms.jit(lambda x, held: x)(UP, deep)


def test_print_writes_all_its_operands(capfd: pytest.CaptureFixture[str]) -> None:
    @ms.jit
    def f(x, n):
        print("hi {", x, n, None, sep=" | ")
        return x + 1

    for n in (1, 2):
        f(array(3), n)
    sys.stdout.flush()
    assert capfd.readouterr().out.splitlines() == ["hi { | [3.] | 1 | None", "hi { | [3.] | 2 | None"]


# Effects and threads --------------------------------------------------------------------------------------------------


def test_written_arguments_must_share_nothing() -> None:
    f = ms.jit(lambda x, y: (x.__setitem__(0, 5), x + y)[1], fullgraph=True)
    x = array(1, 2)
    assert f(x, array(1, 1)).tolist() == [6, 3] and x.tolist() == [5, 2]
    with pytest.raises(ms.CaptureError, match="shares its memory"):
        f(x, x)


def test_items_of_a_parameter_are_assigned() -> None:
    w = Parameter(array(1, 2), "w")

    @ms.jit
    def f(x):
        w[0] = x[1]
        return w * 1

    for i in (3, 4):
        assert f(array(0, i)).tolist() == [i, 2] and w.asnumpy().tolist() == [i, 2]


def test_two_threads_capture_apart() -> None:
    import threading

    factors = {"a": 1.0, "b": 1.0}
    barrier = threading.Barrier(2, timeout=20)

    def make(name):
        def helper(x):
            return x * factors[name]

        def function(x):
            for _ in range(300):
                x = x + 1 - 1
            return helper(x)

        return ms.jit(function)

    def call(function):
        barrier.wait()
        function(UP)

    functions = {name: make(name) for name in factors}
    threads = [threading.Thread(target=call, args=(f,)) for f in functions.values()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(f.explain()["entries"]) == 1 for f in functions.values())
    factors.update(a=5.0, b=7.0)
    assert [f(UP).tolist() for f in functions.values()] == [[5, 10], [7, 14]]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_number_of_the_graph_is_formatted_by_its_value(mode: str) -> None:
    @ms.jit(capture_mode=mode, fullgraph=True)
    def f(x, n, share):
        return x * len(f"{n:5d} {share:.1f} {n!r:>4}"), f"{x.shape[0]:03d}"

    for n, share in ((3, 0.5), (123456, 0.25)):
        scaled, text = f(Tensor([1.0, 2.0]), n, share)
        assert scaled.asnumpy()[0] == len(f"{n:5d} {share:.1f} {n!r:>4}")
        assert text == "002"


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_number_of_a_tensors_elements_is_formatted_in_each_call(mode: str) -> None:
    @ms.jit(capture_mode=mode, fullgraph=True)
    def f(x):
        parts = [str(x) + "!", "%s, %r" % (x, x), "{0} {n:>4}".format(x, n=int(x[0]))]  # noqa: UP031, UP032
        return f"{float(x.sum()):.1f}", parts

    for x in (Tensor([1.0, 2.0]), Tensor([3.5, 4.0])):
        assert f(x) == f.__wrapped__(x)
    assert len(f.explain()["entries"]) == 1
