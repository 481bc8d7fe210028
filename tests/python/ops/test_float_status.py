"""The float status: set by any result that is not finite between NPUClearFloatStatus and NPUGetFloatStatus, and by nothing
else; eagerly, in graphs, and in jitted functions that are called in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

ALLOC, CLEAR, GET = ops.NPUAllocFloatStatus(), ops.NPUClearFloatStatus(), ops.NPUGetFloatStatus()
depend = ops.Depend()


def array(*values: float, dtype: Any = np.float32) -> Tensor:
    return Tensor(np.array(values, dtype))


def status(function: Callable[..., Any], *args: Any) -> Any:
    """Whether a computation sets the status: the flag, as a number."""
    flag = ALLOC()
    CLEAR(flag)
    function(*args)
    GET(flag)
    return flag.sum() / 8


def graph_status(function: Callable[..., Any], *args: Any) -> Any:
    @ms.jit
    def run(*inputs):
        flag = ALLOC()
        x = depend(inputs[0], CLEAR(flag))
        result = function(x, *inputs[1:])
        flag = depend(flag, result)
        GET(flag)
        return flag.sum() / 8

    return run(*args)


WAYS = {
    "eager": status,
    "jitted in between": lambda f, *args: status(ms.jit(lambda *a: f(*a)), *args),
    "in one graph": graph_status,
}


def double(x):
    return x - ops.neg(x)


def hidden_overflow(x):
    return 1 / (1 + ops.exp(x))


def under_a_condition(x):
    if x.sum() > 100:
        x = ops.exp(x)
        return 1 / x
    return x


def in_a_loop(x):
    i = 0
    y = x * 0 + 1
    while i < x.sum():
        y = y * 1e15
        i = i + 50
    return 1 / y


def gradient(x):
    return ms.grad(ops.sqrt)(x)


def integers(x):
    return (x.astype(ms.int32) + 5) // 2


class Shared(nn.Cell):
    @ms.lazy_inline
    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(array(1, 2), name="w")

    def construct(self, x):
        return hidden_overflow(x * self.weight)


SHARED = [Shared(), Shared()]

CASES = [
    (double, array(5, 5, dtype=np.float16), 0),
    (double, array(5, 60000, dtype=np.float16), 1),
    (lambda x: x.astype(ms.float16), array(1, 70000), 1),
    (lambda x: x * x, array(1, 1e20), 1),
    (lambda x: x * x, array(1, 1e19), 0),
    (lambda x: x.astype(ms.bfloat16) * 2, array(1, 3e38), 1),
    (lambda x: x / 0, array(1, 0), 1),
    (lambda x: ops.log(x), array(1, 0, 2), 1),
    (hidden_overflow, array(1, 2), 0),
    (hidden_overflow, array(1, 200), 1),
    (under_a_condition, array(1, 2), 0),
    (under_a_condition, array(1, 200), 1),
    (in_a_loop, array(1, 2), 0),
    (in_a_loop, array(90, 90), 1),
    (gradient, array(1, 4), 0),
    (gradient, array(1, 0), 1),
    (integers, array(1, 2), 0),
    (lambda x: [cell(x) for cell in SHARED], array(1, 2), 0),
    (lambda x: [cell(x) for cell in SHARED], array(1, 50), 1),
    (lambda x: ms.vmap(hidden_overflow)(x), array(1, 2), 0),
    (lambda x: ms.vmap(hidden_overflow)(x), array(1, 200), 1),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function, x, want", CASES)
def test_results_that_are_not_finite_are_seen(function, x, want, way):
    for _ in range(2):
        assert float(WAYS[way](function, x)) == want


@pytest.mark.parametrize("run", [status, graph_status])
def test_a_parameter_that_overflows_is_seen(run):
    for start, want in ((1.0, 0), (3e38, 1)):
        weight = Parameter(array(start), name="w")
        assert float(run(lambda x, weight=weight: ops.assign_add(weight, x), array(3e38 if want else 1))) == want


def test_only_what_lies_in_between_counts():
    big, small = array(1e30), array(1)
    flag = ALLOC()
    assert flag.shape == (8,) and flag.dtype == ms.float32 and float(flag.sum()) == 0
    big * big
    CLEAR(flag)
    small * small
    GET(flag)
    big * big
    assert float(flag.sum()) == 0
    CLEAR(flag)
    big * big
    GET(flag)
    assert float(flag.sum()) == 8
    CLEAR(flag)
    GET(flag)
    assert float(flag.sum()) == 0


def test_only_what_lies_in_between_counts_in_a_graph():
    @ms.jit
    def run(x, y):
        flag = ALLOC()
        before = x * x
        CLEAR(flag)
        between = y * y
        GET(flag)
        after = x * x * x
        return before, between, after, flag

    for x, y, want in ((1e30, 1, 0), (1, 1, 0), (1, 1e30, 8), (1e30, 1, 0)):
        assert float(run(array(x), array(y))[3].sum()) == want


def test_clearing_and_reading_answer_zeros():
    flag = ALLOC()
    assert float(CLEAR(flag).sum()) == 0
    array(1e30) * array(1e30)
    assert float(GET(flag).sum()) == 0 and float(flag.sum()) == 8


def test_the_status_spans_graphs_and_eager_code():
    @ms.jit
    def clear(x):
        CLEAR(ALLOC())
        return x

    @ms.jit
    def read(x):
        flag = ALLOC()
        GET(flag)
        return flag

    square = ms.jit(lambda x: x * x * 0)
    for x, want in ((1, 0), (1e30, 8), (1, 0)):
        clear(array(x))
        square(array(x))
        assert float(read(array(x)).sum()) == want


def test_other_threads_are_seen():
    def in_a_thread(x):
        thread = threading.Thread(target=lambda: x * x)
        thread.start()
        thread.join()

    assert float(status(in_a_thread, array(1))) == 0
    assert float(status(in_a_thread, array(1e30))) == 1


def test_warm_functions_are_seen():
    run = ms.jit(lambda x: ops.tanh(x * x * x).sum())
    x = Tensor(np.full((64, 64), 2.0, np.float32))
    for _ in range(500):
        run(x)
    for value, want in ((2.0, 0), (1e30, 1), (2.0, 0)):
        assert float(status(run, Tensor(np.full((64, 64), value, np.float32)))) == want
    checked = [float(graph_status(lambda v: v * v, array(3e19 if i % 50 == 49 else 1))) for i in range(200)]
    assert checked == [float(i % 50 == 49) for i in range(200)]


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[Callable[[], str]]:
    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    yield lambda: "".join(path.read_text() for path in tmp_path.glob("*.ir"))
    ms.set_context(save_graphs=False, save_graphs_path=".")


def test_graphs_that_nobody_watches_have_no_nodes_for_it(texts):
    square = ms.jit(lambda x: x * x)
    square(array(1))
    assert "Mul" in texts() and "FloatStatus" not in texts()
    status(square, array(1))
    assert "NoteFloatStatus" in texts()


@pytest.mark.parametrize("op", [CLEAR, GET])
def test_flags_are_floats(op):
    with pytest.raises(TypeError, match="'x' must be a Tensor of Float16 or Float32, but got Int32"):
        op(Tensor(np.zeros(8, np.int32)))
    half = Tensor(np.ones(8, np.float16))
    CLEAR(half)
    op(half)
    GET(half)
    assert float(half.sum()) == 0
