"""ops.assign to an argument of a jitted function, a Parameter or a Tensor, which a graph has as another Tensor: the one
check of what may be assigned, and eager's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

SHARED = Parameter(Tensor([5.0, 6.0]), name="shared")
MODES = ["ast", "bytecode", "graph"]


def parameter(value: Any) -> Any:
    return Parameter(Tensor(value), name="p")


def outcome(mode: str, function: Callable[..., Any], make: Callable[[Any], Any], first: Any, *rest: Any) -> Any:
    """What two calls give, or raise, and what the argument and the shared Parameter hold after each."""
    SHARED.set_data(Tensor([5.0, 6.0]))
    written = make(first)
    found: list[Any] = []
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    try:
        for _ in range(2):
            if mode != "eager":
                function = ms.jit(function, capture_mode="bytecode" if mode == "bytecode" else "ast")
            try:
                result = function(written, *rest)
                found.append((type(result).__name__, str(result.dtype), result.asnumpy().tolist()))
            except (TypeError, ValueError) as error:
                found.append((type(error).__name__, str(error).split("\n")[0]))
            found.append((written.asnumpy().tolist(), SHARED.asnumpy().tolist()))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    return found


def assigned(p: Any, value: Any) -> Any:
    ops.assign(p, value)
    return p + 1


def by_primitive(p: Any, value: Any) -> Any:
    return ops.Assign()(p, value) * 1


def in_branches(p: Any, x: Any) -> Any:
    if x.sum() > 0:
        ops.assign(p, x)
    else:
        ops.assign(p, x[0])
    return p * 2


def in_loop(p: Any, n: Any) -> Any:
    for i in range(3):
        ops.assign(p, n + i)
    return p * 1


def to_view(p: Any, value: Any) -> Any:
    ops.assign(p[0], value)
    return p * 1


def crossed(p: Any, _: Any) -> Any:
    ops.assign(p, SHARED)
    ops.assign(SHARED, p * 2)
    return p + 1


def in_gradient(p: Any, x: Any) -> Any:
    return ms.grad(lambda v: (ops.assign(p, 3.0) * v).sum())(x)


def in_vmap(p: Any, x: Any) -> Any:
    return ops.vmap(lambda v: ops.assign(p, v) * 1)(x)


PAIR = [1.0, 2.0]
CASES: list[tuple[Any, Any, Any]] = [
    *((assigned, PAIR, value) for value in (3.0, 3, True, Tensor([7.0]), Tensor(7.0), Tensor([7, 8]))),
    *((assigned, PAIR, Tensor(value)) for value in (np.ones(2), np.ones(2, np.float16), np.ones((1, 2), np.float32))),
    *((assigned, PAIR, value) for value in ([7.0, 8.0], np.ones(1, np.float32), Tensor([1.0, 2.0, 3.0]), None, "a", 1j)),
    *((assigned, 1.0, value) for value in (2.5, 2, True, Tensor(2.5), Tensor([2.5]))),
    *((assigned, 1, value) for value in (2.5, 2, Tensor(2))),
    *((assigned, [1.0], value) for value in (2.5, Tensor(2.5))),
    *((by_primitive, PAIR, value) for value in (3.0, Tensor([7.0]), Tensor([7.0, 8.0]))),
    *((in_branches, PAIR, Tensor(value)) for value in ([1.0, 2.0], [-1.0, -2.0])),
    *((in_loop, first, value) for first in (1.0, PAIR) for value in (2.0, Tensor([7.0]))),
    *((to_view, PAIR, value) for value in (9.0, Tensor(9.0), Tensor([9.0]))),
    (crossed, PAIR, None),
    *((in_gradient, first, Tensor(PAIR)) for first in (PAIR, 1.0)),
    (in_vmap, PAIR, Tensor(PAIR)),
]


@pytest.mark.breaks
@pytest.mark.parametrize("make", [parameter, Tensor])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("function", "first", "value"), CASES)
def test_assigning_to_an_argument_is_checked_as_eagerly(
    function: Callable[..., Any], first: Any, value: Any, mode: str, make: Callable[[Any], Any]
) -> None:
    assert outcome(mode, function, make, first, value) == outcome("eager", function, make, first, value)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
def test_vmap_assigns_a_row_to_a_parameter(mode: str) -> None:
    row = Tensor([[3.0, 4.0]])
    assert outcome(mode, in_vmap, parameter, PAIR, row) == outcome("eager", in_vmap, parameter, PAIR, row)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("make", [parameter, Tensor])
def test_a_number_is_assigned_within_the_graph(make: Callable[[Any], Any], mode: str) -> None:
    written = make(1.0)
    jitted = ms.jit(assigned, capture_mode=mode, fullgraph=True)
    for number in (2.0, 3.5):
        assert (float(jitted(written, number)), float(written)) == (number + 1, number)
