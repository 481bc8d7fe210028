"""What cannot be captured is refused by fullgraph, with its line and what to do instead; nothing outside has changed then.
Otherwise it runs in Python, and does what it does eagerly."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from values import array

import emberjit as ms
from emberjit import Tensor, nn


class Box:
    def __init__(self, value):
        self.value = value


UP, DOWN = array(1, 2), array(-1, -2)
VALUE: Any = 0.0
NUMBERS = iter([1, 2, 3])
LOG: list[Any] = []
TABLE: dict[str, Any] = {}
OUTER = Box(1)
WEIGHT = array(1, 2)
PARAMETER = ms.Parameter(array(1, 2), "p")


def assigns_a_global(x):
    global VALUE
    VALUE = 99
    return x


def appends_to_an_outer_list(x):
    LOG.append(1)
    return x


def extends_an_outer_list(x):
    log = LOG
    log += [1]
    return x


def stores_in_an_outer_dict(x):
    TABLE["a"] = x
    return x


def stores_an_outer_attribute(x):
    OUTER.value = OUTER.value + 1
    return x


def stores_under_a_condition(x):
    if x.sum() > 0:
        OUTER.value = 2
    return x


def writes_an_outer_tensor(x):
    WEIGHT[0] = 1
    return x


def writes_what_a_view_shares(x):
    y = x[0:1]
    x[0] = 5
    return y


def assigns_what_a_view_shares(x):
    y = PARAMETER.reshape(2, 1)
    ms.ops.assign(PARAMETER, x)
    return y


def lists_of_different_lengths(x):
    items = []
    if x.sum() > 0:
        items.append(x)
    return items


def appends_in_a_while(x):
    items = [x]
    while x.sum() < 10:
        items.append(x)
        x = x + 3
    return items


def returns_in_a_loop(x):
    for _ in range(3):
        if x.sum() > 10:
            return None
        x = x + 1
    return x


def set_on_one_side(x):
    if x.sum() > 0:
        VALUE = x
    return VALUE


def swallows_what_is_refused(x):
    try:
        return x * float(x.asnumpy()[0])
    except TypeError:
        return x


def asks_the_clock(x):
    import time

    return x * time.time()


def returns_a_generator(x):
    return (t for t in (x, x))


def advances_an_iterator_under_a_condition(x):
    numbers = iter([1, 2, 3])
    y = x * next(numbers) if x.sum() > 0 else x
    return y * next(numbers)


def advances_an_outer_iterator(x):
    return x * next(NUMBERS)


def leaves_a_loop_with_an_object(x):
    for _ in range(1):
        if x.sum() > 0:
            box = Box(x * 2)
            break
    else:
        return x
    return box.value


def leaves_a_loop_with_an_iterator(x):
    for _ in range(1):
        if x.sum() > 0:
            y = x * 2
            found = enumerate([y])
            break
    else:
        return x
    return next(found)[1]


def returns_an_object_from_a_loop(x):
    for _ in range(1):
        if x.sum() > 0:
            return Box(x * 2)
    raise ValueError("not found")


WAYS_OUT = [leaves_a_loop_with_an_object, leaves_a_loop_with_an_iterator, returns_an_object_from_a_loop]
REPLAYED = [
    assigns_a_global,
    appends_to_an_outer_list,
    extends_an_outer_list,
    stores_in_an_outer_dict,
    stores_an_outer_attribute,
]
REFUSED = [
    stores_under_a_condition,
    writes_an_outer_tensor,
    writes_what_a_view_shares,
    assigns_what_a_view_shares,
    lists_of_different_lengths,
    appends_in_a_while,
    returns_in_a_loop,
    set_on_one_side,
    swallows_what_is_refused,
    asks_the_clock,
    returns_a_generator,
    advances_an_iterator_under_a_condition,
    advances_an_outer_iterator,
]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_cannot_be_captured_is_refused_with_its_line(function: Callable[..., Any]) -> None:
    for x in (UP, DOWN, array(4, 5)):
        with pytest.raises(ms.CaptureError, match=re.escape(__file__) + r":\d+: "):
            ms.jit(function, fullgraph=True)(Tensor(x.asnumpy().copy()))
    assert not LOG and OUTER.value == 1 and WEIGHT.tolist() == [1, 2]


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", WAYS_OUT, ids=lambda f: f.__name__)
def test_ways_out_of_a_loop_with_objects_are_captured(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    for x in (UP, DOWN, array(4, 5), UP, DOWN):
        assert outcome(jitted, x) == outcome(function, x)


def test_an_argument_that_is_changed_is_refused() -> None:
    with pytest.raises(ms.CaptureError, match="list from outside"):
        ms.jit(lambda x, items: items.sort(), fullgraph=True)(UP, [])


def test_a_cell_that_changes_itself_is_refused() -> None:
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = nn.ReLU()

        @ms.jit(fullgraph=True)
        def construct(self, x):
            self.inner = nn.Tanh()
            return self.inner(x)

    with pytest.raises(ms.CaptureError, match="attribute 'inner' of a Net from outside"):
        Net()(UP)


def outcome(function: Callable[..., Any], x: Tensor) -> Any:
    """What a call returns or raises, and what it leaves outside."""
    global VALUE, NUMBERS
    LOG.clear()
    TABLE.clear()
    OUTER.value, VALUE, NUMBERS = 1, 0.0, iter([1, 2, 3])
    WEIGHT[:] = array(1, 2)
    PARAMETER.set_data(array(1, 2))
    x = Tensor(x.asnumpy().copy())
    try:
        result = plain(function(x))
    except Exception as error:
        result = type(error), str(error)
    numbers = next(NUMBERS)
    return result, plain([LOG, TABLE, OUTER.value, VALUE, WEIGHT, PARAMETER, x]), numbers


def plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, Box):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) or hasattr(value, "__next__"):
        return [plain(item) for item in value]
    return value


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("function", [*REPLAYED, *(f for f in REFUSED if f is not asks_the_clock)], ids=lambda f: f.__name__)
def test_what_cannot_be_captured_runs_in_python(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for x in (UP, DOWN, array(4, 5), UP, DOWN):
        assert outcome(jitted, x) == outcome(function, x)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_a_cell_has_its_fields_after_a_capture_that_changed_them(mode: str) -> None:
    net = nn.Dense(2, 2)
    before = {**vars(net), "training": True}

    def program(x: Tensor, n: int) -> Any:
        return x, n > 1 and net.set_train()

    f = ms.jit(program, capture_mode=mode)
    for n in (1, 1, 2, 2, 0):
        assert f(array(1, 2), n)[1] is (net if n > 1 else False)
    assert list(vars(net).items()) == list(before.items())
