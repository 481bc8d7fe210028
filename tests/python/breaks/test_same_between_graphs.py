"""What single instructions between graphs do that run code of the program's though they look plain, and variables that a
graph deletes: results, effects and errors are those of plain Python on separate state."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest
from test_breaks import Log
from values import array, plain

import emberjit as ms

pytestmark = pytest.mark.breaks
LOG = Log()


class Key:
    def __hash__(self):
        return hash("k")

    def __eq__(self, other):
        LOG.append("eq")
        raise ValueError("eq")


class Found:
    @property
    def __exit__(self):  # noqa: PLE0302
        LOG.append("getter")
        raise ValueError("getter")

    def __enter__(self):
        LOG.append("enter")


class Called:
    def __call__(self, *given):
        LOG.append(("called", len(given)))


class ByObjects:
    __enter__, __exit__ = Called(), Called()


def key_after_a_try(x):
    y = x + 1
    try:
        LOG.append("a")
    except ValueError:
        LOG.append("wrong")
    y = y * 2
    return {Key(): 1}["k"], y


def key_in_a_handler(x):
    y = x + 1
    try:
        {}[y.shape]
    except KeyError:
        try:
            LOG.append("a")
        except ValueError:
            LOG.append("wrong")
        return {Key(): 1}["k"]


def getter_of_a_manager(x):
    y, manager = x + 1, Found()
    try:
        LOG.append("a")
    except ValueError:
        LOG.append("wrong")
    with manager:
        return y


def manager_of_objects(x):
    y = x + 1
    with ByObjects():
        LOG.append("in")
        y = y * 2
    return y


def deleted_in_a_graph(x, again=False):
    y = x + 1
    try:
        LOG.append("s")
        raise ValueError(1)
    except ValueError as error:  # noqa: F841
        LOG.append("h")
    y = y * 2
    LOG.append("t")
    y = y * 3
    LOG.append("u")
    if again:
        error = 4
    y = y * 2
    return y, error


def deleted_that_an_inner_function_sees(x):
    z = 3

    def inner():
        return z  # noqa: F821

    LOG.append("s")
    del z
    try:
        inner()
    except NameError as error:
        LOG.append(str(error))
    return x + inner()


def outcome(function: Callable[..., Any]) -> Any:
    LOG.clear()
    try:
        found = function(array(1, 2))
        result: Any = tuple(map(plain, found)) if isinstance(found, tuple) else plain(found)
    except Exception as error:
        lines = [(frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)[1:]]
        result = type(error), str(error), lines
    return result, list(LOG)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize(
    "function",
    [
        *(key_after_a_try, key_in_a_handler, getter_of_a_manager, manager_of_objects),
        *(deleted_in_a_graph, deleted_that_an_inner_function_sees),
    ],
    ids=lambda f: f.__name__,
)
def test_what_runs_between_graphs_is_as_in_python(function: Callable[..., Any], mode: str) -> None:
    wanted, jitted = outcome(function), ms.jit(function, capture_mode=mode)
    for _ in range(3):
        assert outcome(jitted) == wanted
