"""Objects stay the objects that they are: arguments that are one object, what is returned of them, what lives on after a
break of the graph."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import emberjit as ms
from emberjit import Tensor

X = Tensor([1.0, 2.0])
MODES = pytest.mark.parametrize("mode", ["ast", "bytecode"])


@MODES
def test_arguments_that_are_one_object(mode: str) -> None:
    @ms.jit(capture_mode=mode, fullgraph=True)
    def f(a, b):
        return a is b, a[0] + 1, [b]

    first, second = [X, 3], [X, 3]
    for _ in range(2):
        assert f(first, first)[0] and f(first, first)[2][0] is first
        assert not f(first, second)[0] and f(first, second)[2][0] is second


@MODES
def test_containers_within_arguments_that_are_one_object(mode: str) -> None:
    @ms.jit(capture_mode=mode, fullgraph=True)
    def f(d):
        return d["a"] is d["b"], d, d["b"]

    inner = [X]
    one, two = {"a": inner, "b": inner}, {"a": [X], "b": [X]}
    for _ in range(2):
        assert f(one)[0] and f(one)[1] is one and f(one)[2] is inner
        assert not f(two)[0] and f(two)[2] is two["b"]


class Rows(list):
    pass


def numbers_as_keys(x):
    d = {}
    for n in (0, 2):
        d[n] = n
        d[n, n] = x.shape[0]
    out(d)
    return {k: v for k, v in d.items()}


def a_nan_as_key(x):
    for f in (math.inf, math.nan):
        d = {f: None}
        out(f in d)
    return x


def a_wrapped_method(x):
    d = {0: 0, 1: x.shape[0]}
    out(len(d))
    e = d.__ior__(())
    out(e is d)
    return e


def a_subclass_of_list(x):
    rows = Rows([1, 2])
    rows.title = "t"
    out(rows.title)
    return x + len(rows)


def members_of_an_error(x):
    try:
        x.no_such_name
    except AttributeError as error:
        out(0)
        return error.name, error.obj is x
    return None


def keywords_named_self(x):
    out(dict(self=1, function=2))
    return dict(self=x.shape[0], args=3, kwargs=4)


def a_base(x):
    out(int("11", base=2))
    return int("z", base=36) + x.shape[0]


LOG: list[Any] = []


def out(value: Any) -> None:
    """An effect, at which a graph ends."""
    LOG.append(
        value if not isinstance(value, dict) else sorted((str(k), type(k).__name__, str(v)) for k, v in value.items())
    )
    print(end="")


@pytest.mark.breaks
@MODES
@pytest.mark.parametrize(
    "function",
    [numbers_as_keys, a_nan_as_key, a_wrapped_method, a_subclass_of_list, members_of_an_error, keywords_named_self, a_base],
)
def test_what_lives_on_after_a_break_is_what_it_was(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)

    def outcome(f: Callable[..., Any]) -> Any:
        LOG.clear()
        result = f(X)
        return str(result), LOG[:]

    wanted = outcome(function)
    for _ in range(3):
        assert outcome(jitted) == wanted


def grows_a_dict_in_a_loop_over_it(x):
    d = {0: x.shape[0]}
    for k in d:
        out(k)
        d[k + 1] = 1
    return x


def changes_values_in_a_loop_over_them(x):
    d, seen = {"a": 1, "b": 2, "c": x.shape[0]}, []
    for k, v in d.items():
        out(k)
        seen.append(v)
        d["c"] = 7
    return seen + [v for v in reversed(d.values())]


def shrinks_a_set_in_a_loop_over_it(x):
    s = {1, 2, x.shape[0] + 2}
    for item in s:
        out(len(s))
        s.discard(item)
    return x


@pytest.mark.breaks
@MODES
@pytest.mark.parametrize(
    "function", [grows_a_dict_in_a_loop_over_it, changes_values_in_a_loop_over_them, shrinks_a_set_in_a_loop_over_it]
)
def test_an_iterator_that_lives_on_follows_its_container(function: Callable[..., Any], mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode)

    def outcome(f: Callable[..., Any]) -> Any:
        LOG.clear()
        try:
            return str(f(X)), LOG[:]
        except RuntimeError as error:
            return str(error), LOG[:]

    wanted = outcome(function)
    for _ in range(3):
        assert outcome(jitted) == wanted


class OwnParameter(ms.Parameter):
    pass


@pytest.mark.breaks
@MODES
def test_a_parameter_among_the_arguments_is_one(mode: str) -> None:
    def f(a, items, *, k):
        values = (a, items[0], items[1]["x"], k)
        before = [isinstance(value, ms.Parameter) for value in values]
        print(end="")
        after = [(isinstance(value, ms.Parameter), type(value), value.name, value.requires_grad) for value in values]
        return before, after, items

    p, own = ms.Parameter(X, "w", requires_grad=False), OwnParameter(X, "own")
    items = [p, {"x": own}]
    jitted = ms.jit(f, capture_mode=mode)
    for given in (p, X + 0, own):
        if not isinstance(given, ms.Parameter):
            assert ms.jit(lambda a: isinstance(a, ms.Parameter), capture_mode=mode)(given) is False
            continue
        for _ in range(3):
            assert jitted(given, items, k=own) == f(given, items, k=own)
            assert jitted(given, items, k=own)[2] is items
