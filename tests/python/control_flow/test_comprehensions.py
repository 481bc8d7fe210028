"""Comprehensions, which CPython has in a function of their own up to 3.11 and within the one around them since: their
variables are theirs, whatever the function has by the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops

pytestmark = pytest.mark.breaks
i = 100
LOG: list[Any] = []


class Breaks(list):  # type: ignore[type-arg]
    """Of the user's, so that what fills it is for Python."""


SEEN = Breaks()


def shadows_a_variable(x):
    i = 5
    y = [x * i for i in range(3)]
    return ops.stack(y), i


def shadows_a_cell(x):
    i = 5

    def inner():
        return i

    y = [x * i for i in range(3)]
    return ops.stack(y), inner(), i


def shadows_a_global(x):
    return ops.stack([x * i for i in range(3)]), i


def makes_functions(x):
    made = []
    for k in range(2):
        made += [lambda: (i, k) for i in range(2)]
    return x + sum(f()[0] for f in made), [f() for f in made]


def keeps_cells_apart(x):
    made = [[lambda: (i, k) for i in range(2)] for k in range(3)]
    return x * 2, [f() for each in made for f in each]


def nests_one_name(x):
    return x, [[i for i in range(i)] for i in range(4)], {i: [i for i in range(2)] for i in range(2)}


def sums_of_generators(x):
    return x * sum(sum(a * b for b in range(3)) for a in range(4)), [sum(a * b for b in range(3)) for a in range(4)]


def with_conditions(x):
    return x, [a + b for a in range(4) if a % 2 for b in range(3) if b != a], {a for a in range(9) if a > 5}


def assigns_outside(x):
    last = None
    found = [last := a for a in range(4)]
    return x, found, last


def raises_within(x):
    a = "outer"
    try:
        return [x / 0 if a < 2 else {}[a] for a in range(4)]
    except KeyError as error:
        return x, error.args, a


def raises_out_of_it(x):
    a = 1
    return [{}[a] for a in range(3)], x, a


def breaks_within(x):
    a = 7
    y = [(SEEN.append(a), x * a)[1] for a in range(3)]
    return ops.stack(y), a, list(SEEN)


def breaks_between_functions_of_it(x):
    calls = [lambda t: t * a for a in range(3)]
    SEEN.append(float(x[0]))
    return [f(x) for f in calls], len(SEEN)


def where_tensors_decide(x):
    return ops.stack([x + a if x.sum() > a else x - a for a in range(3)])


def in_a_while(x):
    a = 3
    while x.sum() < 50:
        x = x + sum([a * 2 for a in range(3)])
    return x, a


def deleted_before(x):
    a = 3
    del a
    y = [a for a in range(2)]
    try:
        return x, y, a  # noqa: F821
    except UnboundLocalError:
        return x, y, "unbound"


def of_parameters(x, a=4):
    return x * a, [a for a in range(a)], a


def slices(x):
    items = list(range(9))
    items[2:4] = [7]
    lower, upper = 1, 5
    del items[0]
    return x[lower:], items[lower:upper], items[:upper], items[upper:]


PROGRAMS: list[Callable[..., Any]] = [
    f for name, f in list(globals().items()) if callable(f) and getattr(f, "__code__", None) and name[0].islower()
]


def shown(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [shown(item) for item in value]
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


def outcome(function: Callable[..., Any], x: Tensor) -> Any:
    SEEN.clear()
    try:
        return shown(function(x)), list(SEEN)
    except Exception as error:
        return type(error), str(error), list(SEEN)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_variables_are_its_own(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)
    for start in (1.0, 5.0, 1.0, -2.0):
        x = Tensor(np.array([start, start + 1], np.float32))
        assert outcome(jitted, x) == outcome(function, x)


WHOLE = [shadows_a_variable, shadows_a_cell, shadows_a_global, makes_functions, keeps_cells_apart, nests_one_name]
WHOLE += [sums_of_generators, with_conditions, assigns_outside, where_tensors_decide, in_a_while, of_parameters, slices]


@pytest.mark.parametrize("function", WHOLE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_it_is_captured(function: Callable[..., Any], mode: str) -> None:
    x = Tensor(np.array([1, 2], np.float32))
    assert shown(ms.jit(function, capture_mode=mode, fullgraph=True)(x)) == shown(function(x))
