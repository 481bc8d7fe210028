"""Each construct that no graph holds: what fullgraph says of it, with file, line and remedy."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor

TABLE: dict[str, int] = {"a": 1}


def sorts_outside(x):
    KEPT.sort()
    return x


def defines_a_class(x):
    class Local:
        pass

    return x


def takes_outside(x):
    TABLE.popitem()
    return x


def filters(x):
    return [v for v in x if v > 0]


def formats(x):
    return x * len(f"{x}")


def formats_a_number(x):
    return x if f"{float(x.sum()):.1f}" == "3.0" else -x


def reads_elements(x):
    return x.asnumpy()


def counts(x):
    return range(x)


def yields(x):
    return (v for v in x)


def asks_for_chance(x):
    return x * random.random()


def writes_a_log(x):
    logging.info("called")
    return x


class Ending:
    def __del__(self):
        pass


def makes_what_ends(x):
    Ending()
    return x


def adds_to_a_set(x):
    found = {1}
    if x.sum() > 0:
        found.add(2)
    return x


def sets_on_one_side(x):
    y = x if x.sum() > 0 else 1
    return y


def returns_a_function(x):
    return lambda: x


def divides_by_an_element(x):
    return 7 // int(x.sum())


def asks_for_variables(x):
    return len(locals()) + x


OUTSIDE = "return the value and (store|assign) it outside"
CASES: list[tuple[Callable[[Tensor], Any], str]] = [
    (sorts_outside, "a list from outside .*" + OUTSIDE),
    (defines_a_class, "a `class` statement .*: define the class outside"),
    (takes_outside, "a dict from outside .*" + OUTSIDE),
    (filters, "a list, set or dict is filled .*: use select"),
    (formats, "'str' needs the elements .*outside the jitted"),
    (formats_a_number, "a number that depends on the elements of a Tensor"),
    (reads_elements, "'asnumpy' needs the elements .*outside"),
    (counts, r"'index\(\)' needs the elements .*outside"),
    (yields, "returns a [Gg]enerator .*: return Tensors"),
    (asks_for_chance, r"random\(\) of a library may do or give something else .*argument"),
    (writes_a_log, r"info\(\) of a library may do or give something else .*argument"),
    (makes_what_ends, "Ending is made, whose __del__ .*: make it"),
    (adds_to_a_set, "a set changes .*or use a list or a dict"),
    (sets_on_one_side, "types, shapes and dtypes must agree"),
    (returns_a_function, "returns a function .*: return Tensors"),
    (divides_by_an_element, "check for zero: divide Tensors"),
    (asks_for_variables, r"locals\(\) cannot be captured into a graph: name the variables"),
]


@pytest.mark.parametrize("function, wanted", CASES, ids=[function.__name__ for function, _ in CASES])
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_fullgraph_names_place_construct_and_remedy(function: Callable[..., Any], wanted: str, mode: str) -> None:
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    with pytest.raises(ms.CaptureError, match=rf"test_unsupported\.py:\d+: (.|\n)*{wanted}"):
        jitted(Tensor(np.array([1, 2], np.float32)))


def declares_a_global(x):
    global TABLE  # noqa: PLW0602
    return x * len(TABLE)


class Names:
    ONE = 1


def matches_a_dotted_name(x, which=1):
    match which:
        case Names.ONE:
            return x * 2
    return x


def defines_a_generator_that_tries(x):
    def parts():
        try:
            yield x
        finally:
            pass

    return sum(parts(), x)


def defines_a_coroutine_that_nobody_awaits(x):
    async def wait():
        pass

    return x + 1


DEFINING = [declares_a_global, matches_a_dotted_name, defines_a_generator_that_tries, defines_a_coroutine_that_nobody_awaits]


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
@pytest.mark.parametrize("function", DEFINING, ids=lambda f: f.__name__)
def test_what_code_defines_or_declares_without_using_it_is_captured(function: Callable[..., Any], mode: str) -> None:
    x = Tensor(np.array([1, 2], np.float32))
    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    assert jitted(x).tolist() == jitted(x).tolist() == function(x).tolist()


NUMBERS: dict[str, float] = {"read": 2.0, "other": 0.0}


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_a_dict_that_is_only_named_is_not_guarded(mode: str) -> None:
    def names_it(x):
        numbers = NUMBERS
        return x + (1 if numbers is not None else 2)

    jitted = ms.jit(names_it, capture_mode=mode, fullgraph=True)
    for i in range(5):
        NUMBERS["other"] = i
        jitted(Tensor(np.array([1, 2], np.float32)))
    assert len(jitted.explain()["entries"]) == 1


KEPT: list[Any] = []


def keeps(y):
    kept = KEPT.sort()
    return y, kept


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_fullgraph_shows_the_expression(mode: str) -> None:
    with pytest.raises(ms.CaptureError) as found:
        ms.jit(lambda x: keeps(x + 1), capture_mode=mode, fullgraph=True)(Tensor(np.array([1, 2], np.float32)))
    line = keeps.__code__.co_firstlineno + 1
    assert f"test_unsupported.py:{line}: " in str(found.value)
    assert str(found.value).endswith("\n    kept = KEPT.sort()\n           ^^^^^^^^^^^")


def test_code_without_source_is_named_by_its_line() -> None:
    made: dict[str, Any] = {}
    exec("def reads(x):\n    return x.asnumpy()", made)
    with pytest.raises(ms.CaptureError, match=r"^<string>:2: 'asnumpy' needs the elements[^\n]*$"):
        ms.jit(made["reads"], fullgraph=True)(Tensor(np.array([1, 2], np.float32)))
