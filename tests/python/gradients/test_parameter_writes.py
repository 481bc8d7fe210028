"""No gradient flows to what is written to a Parameter, and its own is that of all that reads it, before a write or after.

The numbers are what MindSpore 2.10 gives in graph mode, and where it has the write in jit and in Python. In Python its
gradient by a Parameter that is read before the write is computed from the contents after it; it refuses `copy_`,
`add_` and `mul_` there, and `set_data` in graphs. The result of assign_add and of scatter_update is to it a Tensor through
which gradients flow; here it is the Parameter, as that of assign is to both."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

X = [10.0, 20.0]
ASSIGN = ops.Assign()


def tensor(values: Any) -> Any:
    return Tensor(np.array(values, np.float32))


def assign(cell: Any, y: Any) -> Any:
    return ops.assign(cell.p, y)


def assign_primitive(cell: Any, y: Any) -> Any:
    return ASSIGN(cell.p, y)


def attribute(cell: Any, y: Any) -> None:
    cell.p = y


def assign_add(cell: Any, y: Any) -> Any:
    return ops.assign_add(cell.p, y)


def assign_sub(cell: Any, y: Any) -> Any:
    return ops.assign_sub(cell.p, y)


def augmented_add(cell: Any, y: Any) -> None:
    cell.p += y


def augmented_multiply(cell: Any, y: Any) -> None:
    cell.p *= y


def item(cell: Any, y: Any) -> None:
    cell.p[0] = y[0]


def items(cell: Any, y: Any) -> None:
    cell.p[:] = y


def item_of_a_view(cell: Any, y: Any) -> None:
    cell.p[0:1][0] = y[0]


def scatter_update(cell: Any, y: Any) -> Any:
    return ops.scatter_update(cell.p, cell.i, y)


def scatter_add(cell: Any, y: Any) -> Any:
    return ops.scatter_add(cell.p, cell.i, y)


def set_data(cell: Any, y: Any) -> Any:
    return cell.p.set_data(y)


def copy(cell: Any, y: Any) -> Any:
    return cell.p.copy_(y)


def add(cell: Any, y: Any) -> Any:
    return cell.p.add_(y)


def multiply(cell: Any, y: Any) -> Any:
    return cell.p.mul_(y)


# What the Parameter, [1, 2], is after y = 3 * X has been written.
WRITES: dict[Callable[..., Any], list[float]] = {
    assign: [30, 60],
    assign_primitive: [30, 60],
    attribute: [30, 60],
    assign_add: [31, 62],
    assign_sub: [-29, -58],
    augmented_add: [31, 62],
    augmented_multiply: [30, 120],
    item: [30, 2],
    items: [30, 60],
    item_of_a_view: [30, 2],
    scatter_update: [30, 60],
    scatter_add: [31, 62],
    set_data: [30, 60],
    copy: [30, 60],
    add: [31, 62],
    multiply: [30, 120],
}
EACH = [pytest.param(write, marks=pytest.mark.breaks) if write is item_of_a_view else write for write in WRITES]
RETURNING = [assign, assign_primitive, assign_add, assign_sub, scatter_update, scatter_add, set_data, copy, add, multiply]


class Net(nn.Cell):
    def __init__(self, write: Callable[..., Any]) -> None:
        super().__init__()
        self.p = Parameter(tensor([1, 2]), name="p")
        self.i = Tensor(np.array([0, 1], np.int32))
        self.write = write


class ReadsAfter(Net):
    def construct(self, x: Any) -> Any:
        self.write(self, x * 3)
        return (self.p * 2).sum() + x.sum()


class ReadsResult(Net):
    def construct(self, x: Any) -> Any:
        result = self.write(self, x * 3)
        return (result * 2).sum() + x.sum()


class ReadsBefore(Net):
    def construct(self, x: Any) -> Any:
        before = (self.p * self.p * 5).sum()
        self.write(self, x * 3)
        return before + (self.p * 3 * x).sum()


class ReadsWhereTensorsDecide(Net):
    def construct(self, x: Any) -> Any:
        y = x * 3
        total = (self.p * self.p * 5).sum()
        while y.sum() > 70:
            if x.sum() > 0:
                self.write(self, y)
            total = total + (self.p * 3 * x).sum()
            y = y - 5
        return total


MODES = ["python", "ast", "bytecode", "trace", "of a jitted Cell", "graph"]


def gradients(net: Any, mode: str) -> Any:
    """(by x, by p), and what p is then, as lists."""
    called: Any = net
    if mode == "of a jitted Cell":

        @ms.jit
        def called(x: Any) -> Any:
            return net(x)

    gradient = ms.grad(called, 0, net.p)
    if mode in ("ast", "bytecode", "trace"):
        gradient = ms.jit(gradient, capture_mode=mode)
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    try:
        by_x, by_p = gradient(tensor(X))
    finally:
        ms.set_context(mode=before)
    return by_x.asnumpy().tolist(), by_p.asnumpy().tolist(), net.p.asnumpy().tolist()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("write", EACH, ids=lambda write: write.__name__)
def test_what_is_written_is_cut(write: Callable[..., Any], mode: str) -> None:
    assert gradients(ReadsAfter(write), mode) == ([1, 1], [2, 2], WRITES[write])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("write", RETURNING, ids=lambda write: write.__name__)
def test_the_result_of_a_write_is_the_parameter(write: Callable[..., Any], mode: str) -> None:
    assert gradients(ReadsResult(write), mode) == ([1, 1], [2, 2], WRITES[write])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("write", EACH, ids=lambda write: write.__name__)
def test_the_gradient_of_a_parameter_is_that_of_all_reads(write: Callable[..., Any], mode: str) -> None:
    after = WRITES[write]
    assert gradients(ReadsBefore(write), mode) == ([3 * value for value in after], [40, 80], after)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "trace"])
@pytest.mark.parametrize("write", [assign, item, augmented_add, copy], ids=lambda write: write.__name__)
def test_writes_in_loops_and_conditions(write: Callable[..., Any], mode: str) -> None:
    want = gradients(ReadsWhereTensorsDecide(write), "python")
    assert want[1] == [10 + 2 * 30, 20 + 2 * 60]
    assert gradients(ReadsWhereTensorsDecide(write), mode) == want


@pytest.mark.parametrize("jit", [lambda f: f, ms.jit], ids=["python", "jit"])
def test_views_of_a_written_parameter(jit: Any) -> None:
    p = Parameter(tensor([1, 2]), name="p")

    def f(x: Any) -> Any:
        view, other = p[0:1], p[0:2]
        view.add_(x[0:1])
        return (view * x[1]).sum() + (other * 3).sum() + (p * 5).sum()

    by_x, by_p = jit(ms.grad(f, 0, p))(tensor(X))
    assert by_x.asnumpy().tolist() == [20, 11]  # through the view that was written; the others are of the Parameter
    assert by_p.asnumpy().tolist() == [28, 8]


@pytest.mark.parametrize("jit", [lambda f: f, ms.jit], ids=["python", "jit"])
def test_a_tensor_that_is_no_parameter_carries_gradients(jit: Any) -> None:
    def f(x: Any) -> Any:
        y = x * 1
        ops.assign(y, x * 3)
        y[0] = x[1] * 2
        return (y * 2).sum()

    assert jit(ms.grad(f))(tensor(X)).asnumpy().tolist() == [0, 10]


@pytest.mark.parametrize("jit", [lambda f: f, ms.jit], ids=["python", "jit"])
def test_gradients_of_gradients_are_cut_as_well(jit: Any) -> None:
    p = Parameter(tensor([1, 2]), name="p")

    def f(x: Any) -> Any:
        ops.assign(p, x * x)
        return (p * x * x).sum()

    assert jit(ms.grad(ms.grad(f)))(tensor(X)).asnumpy().tolist() == [200, 800]


ON_GIVEN = [write for write in WRITES if write is not attribute]


class Given:
    def __init__(self, p: Any, i: Any) -> None:
        self.p, self.i = p, i


def reads_around(write: Callable[..., Any], p: Any, i: Any, x: Any) -> Any:
    given = Given(p, i)
    before = (p * p * 5).sum()
    write(given, x * 3)
    return before + (given.p * 3 * x).sum()


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
@pytest.mark.parametrize("write", ON_GIVEN, ids=lambda write: write.__name__)
def test_a_parameter_that_a_jitted_function_is_given(write: Callable[..., Any], mode: str) -> None:
    def found(function: Callable[..., Any]) -> Any:
        net = Net(write)
        gradient = ms.grad(lambda x: function(write, net.p, net.i, x), 0, net.p)
        return [tuple(part.asnumpy().tolist() for part in gradient(tensor(X))) for _ in range(2)]

    assert found(ms.jit(reads_around, capture_mode=mode)) == found(reads_around)


class BreaksBefore(Net):
    calls = 0

    def construct(self, x: Any) -> Any:
        p = self.p
        before = (p * p * 5).sum()
        self.calls += 1
        self.write(Given(p, self.i), x * 3)
        return before + (p * 3 * x).sum()


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode", "graph"])
@pytest.mark.parametrize("write", ON_GIVEN, ids=lambda write: write.__name__)
def test_a_parameter_that_lives_on_after_a_break(write: Callable[..., Any], mode: str) -> None:
    net: Any = BreaksBefore(write)
    if mode != "graph":
        net.construct = ms.jit(net.construct, capture_mode=mode)
    assert gradients(net, mode if mode == "graph" else "python") == gradients(BreaksBefore(write), "python")


@pytest.mark.parametrize(
    "jit", [lambda f: f, *(functools.partial(ms.jit, capture_mode=m) for m in ("ast", "bytecode", "trace"))]
)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("outer", [False, pytest.param(True, marks=pytest.mark.breaks)])
def test_a_parameter_that_is_an_argument(outer: bool, named: bool, jit: Any) -> None:
    """Of the function that is differentiated, by another argument; it may be one of the jitted function, too."""
    p = Parameter(tensor([1, 2]), name="p")

    def written(x: Any, w: Any) -> Any:
        before = (w * x).sum()
        ops.assign(w, x * 3)
        return before + (w * x).sum()

    def f(x: Any, w: Any = p) -> Any:
        return ms.grad(written)(x, w=w) if named else ms.grad(written)(x, w)

    jitted = jit(f)
    for before in ([1, 2], [30, 60]):
        found = jitted(tensor(X), p) if outer else jitted(tensor(X))
        assert found.asnumpy().tolist() == [before[0] + 30, before[1] + 60] and p.asnumpy().tolist() == [30, 60]


def unchanged(f: Any) -> Any:
    return f


AROUND = {
    "python": (unchanged, unchanged),
    "of jitted": (ms.jit, unchanged),
    **{mode: (unchanged, functools.partial(ms.jit, capture_mode=mode)) for mode in ("ast", "bytecode", "trace")},
}


@pytest.mark.parametrize("within, around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("named", [False, True])
def test_gradients_by_an_argument_that_is_written(named: bool, within: Any, around: Any) -> None:
    p = Parameter(tensor([1, 2]), name="p")

    @within
    def written(x: Any, w: Any) -> Any:
        before = (w * w * 5).sum()
        ops.assign(w, x * 3)
        return before + (w * 3 * x).sum()

    @around
    def f(x: Any, w: Any) -> Any:
        gradient = ms.grad(written, (0, 1))
        return gradient(x, w=w) if named else gradient(x, w)

    for before in ([1, 2], [30, 60]):
        by_x, by_p = (gradient.asnumpy().tolist() for gradient in f(tensor(X), p))
        assert (by_x, by_p) == ([90, 180], [10 * before[0] + 30, 10 * before[1] + 60])
        assert p.asnumpy().tolist() == [30, 60]


@pytest.mark.parametrize("within, around", AROUND.values(), ids=AROUND)
def test_a_parameter_has_one_gradient_wherever_it_is_given(within: Any, around: Any) -> None:
    p = Parameter(tensor([1, 2]), name="p")

    @within
    def product(a: Any, b: Any) -> Any:
        return (a * a * b * p).sum()

    found = around(lambda a, b: ms.grad(product, (0, 1), p)(a, b))(p, p)
    assert [gradient.asnumpy().tolist() for gradient in (*found[0], found[1])] == [[4, 32]] * 3
    found = around(lambda x: ms.grad(product, (0, 1))(x, x))(tensor([1, 2]))
    assert [gradient.asnumpy().tolist() for gradient in found] == [[2, 16], [1, 8]]


@pytest.mark.parametrize("around", [around for _, around in AROUND.values()][2:], ids=[*AROUND][2:])
def test_parameters_are_one_in_a_later_call(around: Any) -> None:
    p, q = (Parameter(tensor(values), name=name) for name, values in (("p", [1, 2]), ("q", [5, 6])))
    by_argument = around(lambda a, b: ms.grad(lambda x: (x * x * b).sum())(a))
    by_closure = around(lambda b: ms.grad(lambda x: (x * b).sum())(p))
    by_weight = around(lambda b: ms.grad(lambda x: (x * b * p).sum(), None, [p])(tensor([1, 1]))[0])
    for other, want in ((q, ([10, 24], [5, 6], [5, 6])), (p, ([3, 12], [2, 4], [2, 4]))):
        found = by_argument(p, other), by_closure(other), by_weight(other)
        assert tuple(gradient.asnumpy().tolist() for gradient in found) == want


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_which_parameter_is_read_a_tensor_decides(mode: str) -> None:
    p, q = (Parameter(tensor(values), name=name) for name, values in (("p", [1, 2]), ("q", [5, 6])))

    @functools.partial(ms.jit, capture_mode=mode)
    def f(condition: Any) -> Any:
        chosen = p if condition > 0 else q
        by_weights = ms.grad(lambda x: (x * chosen).sum(), None, [p, q])(tensor([1, 1]))
        return ms.grad(lambda x: (x * x * p).sum())(chosen), *by_weights

    for condition, want in ((1, [[3, 12], [1, 1], [0, 0]]), (-1, [[10, 24], [0, 0], [1, 1]])):
        assert [gradient.asnumpy().tolist() for gradient in f(tensor(condition))] == want


@pytest.mark.parametrize("within, around", AROUND.values(), ids=AROUND)
def test_each_gradient_is_a_tensor_of_its_own(within: Any, around: Any) -> None:
    p = Parameter(tensor([1, 2]), name="p")
    product = within(lambda a, b: (a * a * b).sum())
    (first, second), (third, fourth) = around(lambda a, b: ms.grad(product, (0, 1), [p, p])(a, b))(p, p)
    for number, gradient in enumerate((first, second, third, fourth)):
        assert gradient.asnumpy().tolist() == [3, 12]
        gradient[0] = 100 + number


@pytest.mark.breaks
@pytest.mark.parametrize("within, around", AROUND.values(), ids=AROUND)
def test_a_write_before_an_error_is_kept(within: Any, around: Any) -> None:
    p = Parameter(tensor([1, 2]), name="p")

    @within
    def written(x: Any) -> Any:
        ops.assign(p, p + 1)
        raise KeyError("after the write")

    for count in (2, 3):
        with pytest.raises(KeyError, match="after the write"):
            around(lambda x: ms.grad(written)(x))(tensor(X))
        assert p.asnumpy().tolist() == [count, count + 1]
