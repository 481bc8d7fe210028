"""In-place operations: x.add_(y) gives x the elements of x.add(y), which its views and what it is a view of have then, too;
eagerly, jitted, under gradients and vmap."""

from __future__ import annotations

import functools
import importlib
import threading
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, mint, nn, ops
from emberjit.publish.index import NAMES
from emberjit.values import tree

RNG = np.random.default_rng(3)


def floats(*shape: int) -> Any:
    return RNG.uniform(0.2, 0.8, shape).astype(np.float32)


UNARY = [
    "abs",
    "ceil",
    "cos",
    "erf",
    "exp",
    "expm1",
    "floor",
    "log",
    "log1p",
    "neg",
    "reciprocal",
    "round",
    "rsqrt",
    "sign",
    "sin",
    "sqrt",
    "square",
    "tanh",
    "trunc",
]
CALLS: list[tuple[str, tuple[Any, ...], Any]] = [
    *((f"{name}_", (), lambda x, name=name: getattr(Tensor(x), name)()) for name in UNARY),
    ("add_", (2,), lambda x: x + 2),
    ("sub_", (floats(3),), lambda x, y: x - y),
    ("mul_", (floats(2, 3),), lambda x, y: x * y),
    ("div_", (floats(2, 1),), lambda x, y: x / y),
    ("pow_", (3,), lambda x: x**3),
    ("floor_divide_", (0.3,), lambda x: x // np.float32(0.3)),
    ("remainder_", (0.3,), lambda x: x % np.float32(0.3)),
    ("clamp_", (0.4, 0.6), lambda x: x.clip(np.float32(0.4), np.float32(0.6))),
    ("clip_", (0.4, 0.6), lambda x: x.clip(np.float32(0.4), np.float32(0.6))),
    ("fill_", (7,), lambda x: np.full_like(x, 7)),
    ("zero_", (), np.zeros_like),
    ("copy_", (floats(3),), lambda x, y: np.broadcast_to(y, x.shape)),
    ("masked_fill_", (floats(2, 3) > 0.5, 9.0), lambda x, m: np.where(m, np.float32(9), x)),
    ("relu_", (), lambda x: x),
    ("sigmoid_", (), lambda x: Tensor(x).sigmoid()),
    ("tril_", (), np.tril),
    ("triu_", (1,), lambda x: np.triu(x, 1)),
]


def tensors(values: Any) -> tuple[Any, ...]:
    return tuple(Tensor(v) if isinstance(v, np.ndarray) else v for v in values)


def arrays(values: Any) -> list[Any]:
    return [v for v in values if isinstance(v, np.ndarray)]


@pytest.mark.parametrize("name, args, wanted", CALLS, ids=[name for name, _, _ in CALLS])
def test_in_place_is_the_function_written_back(name: str, args: Any, wanted: Any) -> None:
    start = floats(2, 3)
    want = np.asarray(wanted(start.copy(), *arrays(args)))
    given = tensors(args)

    def write(x: Any) -> Any:
        return getattr(x, name)(*given)

    for run in (write, ms.jit(write), ms.jit(write)):
        x = Tensor(start)
        whole = x.view(6)
        assert run(x) is x
        np.testing.assert_allclose(x.asnumpy(), want, rtol=1e-6, atol=1e-7)
        np.testing.assert_array_equal(whole.asnumpy(), x.asnumpy().reshape(6))
    base = Tensor(np.zeros((4, 6), np.float32))
    part = base[1:3, ::2]
    part.copy_(Tensor(start))
    getattr(part, name)(*given)
    rows = np.zeros((4, 6), np.float32)
    rows[1:3, ::2] = part.asnumpy()
    np.testing.assert_allclose(part.asnumpy(), want, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(base.asnumpy(), rows)


def test_every_in_place_name_returns_its_object() -> None:
    assert {f"{name}_" for name in UNARY} <= set(NAMES["Tensor"])
    for scope, names in NAMES.items():
        for name in names:
            if name.endswith("_"):
                owner = Tensor if scope == "Tensor" else importlib.import_module(f"emberjit.{scope}")
                assert hasattr(owner, name)
    x = Tensor([-1.0, 2.0])
    assert mint.nn.functional.relu_(x) is x and x.tolist() == [0, 2]
    assert ops.zero_(x) is x and x.tolist() == [0, 0]


def test_operands_that_share_memory_are_read_first() -> None:
    for make in (lambda x: ops.flip(x, (0,)), lambda x: x.T, lambda x: x[:, 1:2], lambda x: x[:1]):
        values = floats(3, 3)
        x = Tensor(values)
        want = values + make(Tensor(values)).asnumpy()
        x.add_(make(x))
        np.testing.assert_array_equal(x.asnumpy(), want)
    x = Tensor(np.arange(6, dtype=np.float32))
    x[1:].add_(x[:-1])
    assert x.tolist() == [0, 1, 3, 5, 7, 9]
    x = Tensor(np.arange(4, dtype=np.float32))
    x.add_(x)
    assert x.tolist() == [0, 2, 4, 6]


def test_what_is_refused_changes_nothing() -> None:
    whole = Tensor([1, 2, 3])
    for call, error, words in (
        (lambda: whole.add_(1.5), TypeError, "For 'add_', the result, Tensor.Float32..3,., cannot be written into"),
        (lambda: whole.div_(2), TypeError, "cannot hold such numbers"),
        (lambda: whole.add_(Tensor([[1], [2]])), ValueError, "the shapes differ"),
        (lambda: whole.masked_fill_(Tensor([True, False]), 1), ValueError, "masked_fill_"),
        (lambda: mint.nn.functional.relu_([1.0]), TypeError, "must be a Parameter or Tensor"),
        (lambda: whole.add_(), TypeError, r"add_\(\) missing required argument: 'other'"),
        (lambda: whole.index_fill_(2, Tensor([0]), 1), ValueError, "axis 2"),
        (lambda: whole.index_fill_(0, Tensor([3]), 1), IndexError, "3"),
        (lambda: whole.exponential_(0), ValueError, "positive"),
        (lambda: whole.bernoulli_(2), ValueError, "within"),
        (lambda: whole.random_(3, 3), ValueError, "above"),
        (lambda: whole.uniform_(generator=3), TypeError, "generator"),
    ):
        with pytest.raises(error, match=words):
            call()
        assert whole.tolist() == [1, 2, 3] and whole.dtype == ms.int64
    shared = Tensor([1.0, 2.0])
    spread = ops.broadcast_to(shared, (3, 2))
    with pytest.raises(ValueError, match="make a copy"):
        spread.add_(1)
    assert shared.tolist() == [1, 2]


def test_whole_numbers_keep_their_dtype() -> None:
    x = Tensor(np.array([7, -7], np.int8))
    assert x.add_(1).dtype == ms.int8 and x.mul_(2).floor_divide_(3).tolist() == [5, -4]
    assert x.copy_(Tensor([1.9, -1.9])).tolist() == [1, -1]
    half = Tensor(np.array([1, 2], np.float16))
    assert half.add_(Tensor([0.5, 0.25])).dtype == ms.float16 and half.tolist() == [1.5, 2.25]


def test_indexed_writes() -> None:
    start = floats(3, 4)
    index, rows = np.array([2, 0, 2]), floats(3, 4)

    def each(x: Any) -> list[Any]:
        at, given = Tensor(index), Tensor(rows)
        columns = Tensor(index[:, None])
        return [
            x.clone().index_add_(0, at, given, alpha=2),
            x.clone().index_copy_(0, at, given),
            x.clone().index_fill_(1, at, 5.0),
            x.clone().scatter_(1, columns, given[:, :1]),
            x.clone().scatter_(1, columns, 3.0),
            x.clone().scatter_add_(1, columns, given[:, :1]),
            x.clone().masked_scatter_(x > 0.5, given),
            x.clone().put_(at, given[0, :3]),
            x.clone().put_(at, given[0, :3], accumulate=True),
            x.clone().index_put_((at, at), given[:, 0], accumulate=True),
            x.clone().index_put_((at,), given),
            x.clone().fill_diagonal_(4.0),
            x.clone().addmm_(Tensor(rows[:, :2]), Tensor(rows[:2]), beta=0.5),
        ]

    def reference() -> list[np.ndarray]:
        out = [start.copy() for _ in range(13)]
        np.add.at(out[0], index, 2 * rows)
        out[1][index] = rows
        out[2][:, index] = 5
        np.put_along_axis(out[3], index[:, None], rows[:, :1], 1)
        np.put_along_axis(out[4], index[:, None], 3, 1)
        np.add.at(out[5], (np.arange(3)[:, None], index[:, None]), rows[:, :1])
        out[6][start > 0.5] = rows.ravel()[: (start > 0.5).sum()]
        out[7].ravel()[index] = rows[0, :3]
        np.add.at(out[8].ravel(), index, rows[0, :3])
        np.add.at(out[9], (index, index), rows[:, 0])
        out[10][index] = rows
        np.fill_diagonal(out[11], 4)
        out[12] = 0.5 * start + rows[:, :2] @ rows[:2]
        return out

    want = reference()
    for run in (each, ms.jit(each), ms.jit(each)):
        for got, wanted in zip(run(Tensor(start)), want, strict=True):
            np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-6)


def test_random_fills_are_those_of_the_functions() -> None:
    x = ops.zeros((4, 50))
    for fill, same in (
        (lambda: x.uniform_(-1, 3), lambda: ops.rand(4, 50) * 4 - 1),
        (lambda: x.normal_(2, 3), lambda: ops.randn(4, 50) * 3 + 2),
        (lambda: x.random_(5, 9), lambda: ops.randint(5, 9, (4, 50), dtype=ms.int64).astype(ms.float32)),
        (lambda: x.exponential_(2), lambda: ops.log1p(-ops.rand(4, 50)) / -2),
        (lambda: x.bernoulli_(0.3), lambda: (ops.rand(4, 50) < 0.3).astype(ms.float32)),
    ):
        ms.set_seed(5)
        got = fill().asnumpy().copy()
        ms.set_seed(5)
        np.testing.assert_array_equal(got, same().asnumpy())
    for dtype in (ms.int8, ms.uint8, ms.int64, ms.float16):
        assert ops.zeros((3,), dtype).random_().dtype == dtype


def test_gradients_flow_through_what_was_written() -> None:
    def scaled(x: Any) -> Any:
        y = x * 1
        y.mul_(2)
        return (y * y).sum()

    def of_saved(x: Any) -> Any:
        y = ops.exp(x)
        z = y * y
        y.mul_(3)
        return (z + y).sum()

    def through_a_view(x: Any) -> Any:
        y = x * 1
        y[0].mul_(3)
        y.view(-1)[3:].add_(x[0, 0])
        return (y * y).sum()

    def by_position(x: Any) -> Any:
        y = x * 1
        y.index_add_(0, Tensor([0, 0]), x * x)
        y.masked_fill_(y > 2, 0.0)
        return (y * y).sum()

    def argument(x: Any) -> Any:
        return (x.mul_(x) * 3).sum()

    for f in (scaled, of_saved, through_a_view, by_position, argument):
        start = floats(2, 2).astype(np.float64)
        for run in (ms.grad(f), ms.jit(ms.grad(f)), ms.grad(ms.jit(f))):
            slope = run(Tensor(start.copy())).asnumpy()
            for at in np.ndindex(2, 2):
                step = np.zeros((2, 2))
                step[at] = 1e-6
                rise = (f(Tensor(start + step)) - f(Tensor(start - step))).item() / 2e-6
                assert abs(slope[at] - rise) < 1e-6 * (1 + abs(rise)), f.__name__


def test_parameters_are_written_outside_and_inside() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    view = p.view(2, 1)
    p.add_(1)
    assert view.tolist() == [[2], [3]] and isinstance(p, Parameter) and p.name == "p"

    @ms.jit
    def step(x: Any) -> Any:
        p.mul_(2)
        p[0] = 7
        return p + x

    assert step(Tensor([1.0, 1.0])).tolist() == [8, 7] and p.tolist() == [7, 6]
    assert step(Tensor([1.0, 1.0])).tolist() == [8, 13] and p.tolist() == [7, 12]


class Counted(nn.Cell):
    """Assigns to Parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.count, self.sum = Parameter(Tensor(0, ms.int32)), Parameter(Tensor([0.0, 0.0]))
        self.start: Any = Tensor(0)

    def construct(self, x: Any) -> Any:
        self.count += 1
        self.sum = self.sum + x
        if self.count >= 2:
            self.count = self.start
        return self.sum * 2


@pytest.mark.parametrize("mode", ["ast", "bytecode", None])
def test_an_assignment_to_a_parameter_of_a_cell_changes_its_contents(mode: str | None) -> None:
    net = Counted()
    parameters = list(net.get_parameters())
    call = ms.jit(net, capture_mode=mode) if mode else net
    for i in range(1, 5):
        assert call(Tensor([1.0, 2.0])).tolist() == [2 * i, 4 * i]
        assert (net.count, net.sum.tolist()) == (i % 2, [i, 2 * i])
    assert all(p is q for p, q in zip(parameters, net.get_parameters())) and net.count.dtype == ms.int32


def test_a_graph_assigns_numbers_to_parameters_of_cells() -> None:
    net = Counted()
    net.start = 0
    call = ms.jit(lambda x: net(x))
    assert [int(call(Tensor([1.0, 2.0])).sum()) and net.count.item() for _ in range(3)] == [1, 0, 1]
    with pytest.raises(TypeError, match="'count' is a Parameter of 'Counted', to which no value of type int"):
        net(Tensor([1.0, 2.0]))


class Viewed(nn.Cell):
    """Has a view of a Parameter that it assigns to."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor([1.0, 1.0]))

    def construct(self, x: Any) -> Any:
        first = self.weight[0]
        self.weight = self.weight + x
        return first + 0


@pytest.mark.breaks
@pytest.mark.parametrize("jitted", [False, True])
def test_a_view_stays_what_it_was_before_an_assignment(jitted: bool) -> None:
    net = Viewed()
    call = ms.jit(lambda x: net(x)) if jitted else net
    assert [call(Tensor([1.0, 1.0])).item() for _ in range(3)] == [1, 2, 3]


@pytest.mark.breaks
@pytest.mark.parametrize("value, error", [(Tensor([1.0, 2.0]), ValueError), ("a", TypeError)])
def test_what_is_no_contents_of_a_parameter(value: Any, error: Any) -> None:
    net = Counted()
    net.start = value
    for call in (net, ms.jit(lambda x: net(x))):
        net.count.set_data(Tensor(1, ms.int32))
        with pytest.raises(error):
            call(Tensor([1.0, 2.0]))


def test_vmap_of_functions_that_write() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x * 1
        z.add_(y)
        z[0] = 5
        return z

    x, y = Tensor(floats(3, 4)), Tensor(floats(4))
    want = x.asnumpy() + y.asnumpy()
    want[:, 0] = 5
    np.testing.assert_array_equal(ms.vmap(f, in_axes=(0, None))(x, y).asnumpy(), want)


def test_loops_and_branches_on_tensors() -> None:
    @ms.jit
    def f(x: Any, n: Any) -> Any:
        y = x * 1
        while n > 0:
            y.mul_(2)
            n = n - 1
        if y.sum() > 10:
            y.sub_(1)
        else:
            y.zero_()
        return y

    for n, want in ((0, [0, 0]), (3, [7, 15])):
        for _ in range(2):
            assert f(Tensor([1.0, 2.0]), Tensor(n)).tolist() == want


def test_threads_write_their_own() -> None:
    found = []

    def work(k: int) -> None:
        x = ops.zeros((1000,))
        for _ in range(200):
            x.add_(k)
        found.append((k, x))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((x.asnumpy() == 200 * k).all() for k, x in found)


def _add(x: Any, y: Any) -> Any:
    return x.add_(y)


def _returned_too(x: Any, y: Any) -> Any:
    made = x + y
    x.copy_(made)
    return made


def _former(x: Any, y: Any) -> Any:
    former = x * 1
    x.add_(y)
    return former


def _read_later(x: Any, y: Any) -> Any:
    x.add_(y)
    return x * y


def _two(x: Any, y: Any) -> Any:
    x.add_(y)
    y.mul_(2)
    return x + 0


def _from_a_view(x: Any, y: Any) -> Any:
    x.copy_((x.reshape(2, 3) + y.reshape(2, 3)).reshape(6))
    return x


@pytest.mark.parametrize("f", (_add, _returned_too, _former, _read_later, _two, _from_a_view))
@pytest.mark.parametrize("seen", (False, True))
def test_arguments_are_overwritten_as_in_python(f: Any, seen: bool) -> None:
    jitted = ms.jit(f)
    for _ in range(4):
        arrays = floats(2, 6)
        given, expected = ([Tensor(array) for array in arrays.copy()] for _ in range(2))
        views = [t.asnumpy() for t in given] if seen else [None, None]
        result, wanted = jitted(*given), f(*expected)
        assert (result is given[0]) == (wanted is expected[0])
        for mine in (result, wanted):
            mine.add_(1)
        for mine, other, view in zip((*given, result), (*expected, wanted), (*views, None)):
            np.testing.assert_array_equal(mine.asnumpy(), other.asnumpy())
            assert view is None or (view == mine.asnumpy()).all()


def _former_as_it_was(x: Any, y: Any) -> Any:
    former = x.astype(x.dtype)
    x.add_(y)
    return former


def _former_in_part(x: Any, y: Any) -> Any:
    former = ops.roll(x, 0)[1:]
    x.add_(y)
    return former


@pytest.mark.parametrize("f", (_former_as_it_was, _former_in_part))
def test_copies_that_a_graph_leaves_out_keep_their_elements(f: Any) -> None:
    jitted = ms.jit(f)
    for _ in range(3):
        arrays = floats(2, 6)
        found, wanted = (call(*map(Tensor, arrays)).asnumpy() for call in (jitted, f))
        np.testing.assert_array_equal(found, wanted)


def _item(x: Any) -> None:
    x[0] = 5


def _added(x: Any) -> None:
    x.add_(1)


def _assigned(x: Any) -> None:
    ops.assign(x, x * 3)


def _part(x: Any) -> None:
    x[1:].mul_(2)


@pytest.mark.breaks
@pytest.mark.parametrize("write", (_item, _added, _assigned, _part))
@pytest.mark.parametrize("kind", ("by another", "by itself", "once more", "local", "recomputed"))
def test_what_is_differentiated_writes_to_arguments_that_are_no_copies(kind: str, write: Any) -> None:
    def program(x: Any, y: Any) -> Any:
        def loss(x: Any, y: Any) -> Any:
            write(x)
            return (x * y * y).sum()

        if kind == "recomputed":
            return ms.value_and_grad(lambda y: ms.recompute(loss, x * 1, y))(y)
        if kind == "once more":
            return ms.grad(lambda x, y: ms.grad(loss, 1)(x, y).sum(), 1)(x, y)
        if kind == "local":
            x = x * 2
        return ms.value_and_grad(loss, 0 if kind == "by itself" else 1)(x, y), x * 1

    def outcome(call: Any) -> Any:
        x, y = (Tensor(array) for array in np.arange(1, 9, dtype=np.float32).reshape(2, 4))
        return [leaf.asnumpy().tolist() for leaf in (*tree.tensors(call(x, y)), x, y)]

    jitted = ms.jit(program)
    for _ in range(2):
        assert outcome(jitted) == outcome(program)


GIVEN = Tensor(np.array([1.0, 2.0], np.float32))
HELD = Parameter(Tensor(np.array([5.0, 6.0], np.float32)), name="held")


@pytest.mark.parametrize(
    "write",
    (
        lambda y, z: ops.assign(y, GIVEN),
        lambda y, z: ops.assign(y, HELD),
        lambda y, z: y.copy_(HELD),
        lambda y, z: y.__setitem__(..., Tensor([8.0, 9.0])),
        lambda y, z: z.__setitem__(..., GIVEN[1:]),
        lambda y, z: ops.assign(z, Tensor([4.0])),
    ),
)
def test_what_is_written_may_come_from_outside(write: Any) -> None:
    def program() -> Any:
        y = HELD * 2
        z = y[1:]
        write(y, z)
        ops.assign_add(HELD, GIVEN)
        return y + 0, z + 0

    def outcomes(call: Any) -> Any:
        HELD.set_data(Tensor([5.0, 6.0]))
        return [[t.asnumpy().tolist() for t in (*call(), HELD)] for _ in range(3)]

    assert outcomes(ms.jit(program)) == outcomes(program)


def _masked(p: Any) -> None:
    p[GIVEN > 1] = 3


@pytest.mark.parametrize(
    "write",
    (
        _item,
        _masked,
        lambda p: ops.assign(p, GIVEN),
        lambda p: ops.assign_add(p, GIVEN),
        lambda p: ops.scatter_add(p, Tensor([0]), Tensor([2.0])),
        lambda p: ops.scatter_nd_add(p, Tensor([[1]]), Tensor([2.0])),
        lambda p: p.index_add_(0, Tensor([1]), Tensor([5.0])),
        lambda p: p.add_(GIVEN),
        lambda p: p.set_data(GIVEN * 1),
        lambda p: ops.ApplyMomentum()(p, Parameter(GIVEN * 1), 0.1, GIVEN, 0.9),
    ),
)
@pytest.mark.parametrize("how", ("eagerly", "jitted", "recorded"))
@pytest.mark.breaks
def test_state_without_memory_of_its_own_has_it_once_it_is_written(write: Any, how: str) -> None:
    def written(p: Any) -> Any:
        if how == "recorded":
            ms.value_and_grad(lambda: (write(p), HELD.sum())[1], None, [HELD])()
        else:
            (ms.jit(lambda: write(p)) if how == "jitted" else lambda: write(p))()
        return p.asnumpy().tolist()

    idle = nn.SGD([Parameter(GIVEN * 1, name="w")]).stat[0]
    assert written(idle) == written(Parameter(Tensor([0.0, 0.0]), name="dense"))


def test_elements_at_several_indices_are_copied_for_numpy() -> None:
    x = Tensor([1.0])
    array = ops.broadcast_to(x, (3,)).asnumpy()
    array[0] = 5
    assert array.tolist() == [5.0, 1.0, 1.0] and float(x) == 1


@pytest.mark.parametrize(
    "run", [lambda f: f, *(functools.partial(ms.jit, capture_mode=m) for m in ("ast", "bytecode", "trace"))]
)
@pytest.mark.parametrize("op, want", [(ops.assign_add, 3.0), (ops.AssignAdd(), 3.0), (ops.assign_sub, -1.0)])
def test_a_number_and_one_element_are_added_to_each_other(op: Any, want: float, run: Any) -> None:
    for kept, given in (((), (1,)), ((1,), ())):
        p = ms.Parameter(Tensor(np.ones(kept, np.float32)), name="p")
        assert run(lambda v, p=p: op(p, v))(Tensor(np.full(given, 2, np.float32))).shape == kept
        assert p.shape == kept and p.item() == want
    for given in ((2,), (1, 1)):
        with pytest.raises(ValueError, match="must have the shape of 'variable'"):
            run(lambda v, p=p: op(p, v))(Tensor(np.full(given, 2, np.float32)))
    with pytest.raises(ValueError, match="must have the shape of 'variable'"):
        ops.assign(p, Tensor(2.0, ms.float32))
