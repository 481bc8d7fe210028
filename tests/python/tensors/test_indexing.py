"""Advanced indexing and its assignment are NumPy's, eagerly and captured, with gradients."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import hypothesis
import numpy as np
import pytest
import strategies
from hypothesis import strategies as st

import emberjit as ms
from emberjit import Parameter, Tensor

RANDOM = np.random.default_rng(0)
DATA = RANDOM.standard_normal((4, 5, 6)).astype(np.float32)
ALL = slice(None)
ROWS, PAIR, GRID = np.array([0, 2]), np.array([2, -3]), np.array([[0, 2], [1, -1]])
INDICES: list[Any] = [
    ROWS,
    GRID,
    [0, 3],
    np.array(2),
    np.array([], np.int64),
    (ALL, np.array([0, -2, 1])),
    (ROWS, PAIR),
    (np.array([[0], [1]]), PAIR),
    (ROWS, ALL, PAIR),
    (ALL, ROWS, PAIR),
    (1, ALL, PAIR),
    (ROWS, 1, slice(0, 2)),
    (ALL, 2, [0, 1]),
    (..., np.array([1, 2])),
    (slice(1, 3), np.array([0, 4, 4])),
    (None, ROWS),
    (ROWS, None, PAIR),
    (np.array([], np.int64), ALL, 0),
    ([0, 1], [2, 3]),
    *(True, False, (True, 1), (1, True), (True, True), (..., True), (True, ALL, False), (ROWS, True), (True, ALL, PAIR)),
]
MASKS: list[Any] = [DATA > 0, DATA[:, 0, 0] > 0, (ALL, DATA[0, :, 0] > 0), (slice(1, 3), ALL, DATA[0, 0] > 0)]


def tensors(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(tensors(item) for item in index)
    return Tensor(index) if isinstance(index, np.ndarray) else index


def named(index: Any) -> str:
    return str(index).replace("\n", "")[:40]


@pytest.mark.parametrize("index", INDICES + MASKS, ids=named)
def test_reading_is_numpys(index: Any) -> None:
    for given in (index, tensors(index)):
        got = Tensor(DATA)[given].asnumpy()
        assert got.shape == DATA[index].shape and np.array_equal(got, DATA[index])


@strategies.examples(100)
@hypothesis.given(st.data(), st.sampled_from([1, 1, 1, 0]).flatmap(lambda least: strategies.shapes(1, 4, least)))
def test_any_index_is_numpys(data: st.DataObject, shape: tuple[int, ...]) -> None:
    index = data.draw(strategies.indices(shape))
    plain = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    want = plain[index]
    got = Tensor(plain)[tensors(index)].asnumpy()
    assert got.shape == want.shape and np.array_equal(got, want)
    for value in (-7, *([-want - 1] if np.size(np.unique(want)) == np.size(want) else [])):
        written, x = plain.copy(), Tensor(plain.copy())
        written[index] = value
        x[tensors(index)] = Tensor(value) if isinstance(value, np.ndarray) else value
        assert np.array_equal(x.asnumpy(), written)


@pytest.mark.parametrize(
    "items",
    [[ROWS, 0], [[0, 3], 1], [slice(1, 3), 0], [None, 2], [..., 1], [DATA[:, 0, 0] > 0, 2], [[0, 1], [1, 0]]],
    ids=named,
)
def test_a_list_of_what_indexes_an_axis_each_is_as_a_tuple(items: list[Any]) -> None:
    x = Tensor(DATA)
    np.testing.assert_array_equal(x[[tensors(item) for item in items]].asnumpy(), DATA[tuple(items)])
    x[[tensors(item) for item in items]] = 7
    assert (x.asnumpy()[tuple(items)] == 7).all()


@pytest.mark.parametrize("index", INDICES + MASKS, ids=named)
def test_assignment_is_numpys(index: Any) -> None:
    if np.size(DATA[index]) and isinstance(index, tuple) and any(np.array_equal(i, [0, 4, 4]) for i in index):
        index = (slice(1, 3), np.array([0, 4, 2]))
    for value in (7.0, RANDOM.standard_normal(DATA[index].shape).astype(np.float32)):
        wanted = DATA.copy()
        wanted[index] = value
        x = Tensor(DATA.copy())
        x[tensors(index)] = Tensor(value) if isinstance(value, np.ndarray) else value
        assert np.array_equal(x.asnumpy(), wanted)
        parameter = Parameter(Tensor(DATA.copy()), "p")
        parameter[tensors(index)] = value
        assert np.array_equal(parameter.asnumpy(), wanted)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("index", [*INDICES, None, (None, 1), (slice(1, 3), None), (2, None, ..., None, 1)], ids=named)
def test_graphs_index_alike(index: Any, mode: str) -> None:
    @ms.jit(fullgraph=True, capture_mode=mode)
    def f(x, value):
        y = x * 1
        y[given] = value
        return x[given], y

    if isinstance(index, tuple) and any(np.array_equal(i, [0, 4, 4]) for i in index):
        index = (slice(1, 3), np.array([0, 4, 2]))
    given = tensors(index)
    value = RANDOM.standard_normal(DATA[index].shape).astype(np.float32)
    wanted = DATA.copy()
    wanted[index] = value
    for _ in range(2):
        read, written = f(Tensor(DATA), Tensor(value))
        assert np.array_equal(read.asnumpy(), DATA[index]) and np.array_equal(written.asnumpy(), wanted)


@pytest.mark.parametrize("index", [GRID, (ROWS, PAIR), (ALL, ROWS, PAIR), (ROWS, ALL, PAIR)], ids=named)
def test_gradients_reach_what_was_read_and_what_was_written(index: Any) -> None:
    given = tensors(index)

    def read(x):
        return (x[given] * x[given]).sum()

    def write(x, value):
        y = x * 2
        y[given] = value
        return (y * y).sum()

    wanted = np.zeros_like(DATA)
    np.add.at(wanted, index, 2 * DATA[index])
    value = RANDOM.standard_normal(DATA[index].shape).astype(np.float32)
    kept = 8 * DATA
    kept[index] = 0
    for wrap in (lambda f: f, ms.jit):
        assert np.allclose(wrap(ms.grad(read))(Tensor(DATA)).asnumpy(), wanted, 1e-5)
        dx, dv = wrap(ms.grad(write, (0, 1)))(Tensor(DATA), Tensor(value))
        assert np.allclose(dx.asnumpy(), kept, 1e-5) and np.allclose(dv.asnumpy(), 2 * value, 1e-5)


@pytest.mark.breaks
def test_a_mask_breaks_a_graph_and_is_refused_by_fullgraph() -> None:
    def f(x):
        y = x * 2
        return y[y > 0] + 1

    wanted = DATA * 2
    assert np.array_equal(ms.jit(f)(Tensor(DATA)).asnumpy(), wanted[wanted > 0] + 1)
    with pytest.raises(ms.CaptureError, match=r"shape depends on values.*where\(\)"):
        ms.jit(f, fullgraph=True)(Tensor(DATA))


def test_a_mask_may_choose_what_a_graph_writes() -> None:
    @ms.jit(fullgraph=True)
    def f(x):
        y = x * 1
        y[y < 0] = 0.0
        return y

    assert np.array_equal(f(Tensor(DATA)).asnumpy(), np.maximum(DATA, 0))


@pytest.mark.parametrize(
    "index, text",
    [
        (np.array([0, 4]), r"index 4 is out of range for axis 0 of shape \(4, 5, 6\): it must be in \[-4, 4\)"),
        ((np.array([0]), np.array([-6])), r"index -6 is out of range for axis 1 of shape \(4, 5, 6\)"),
        ((ALL, 7, np.array([1])), r"index 7 is out of range for axis 1"),
        (np.array([0.5]), r"shape \(4, 5, 6\) is indexed by a Tensor of Float64: .*integers or bools"),
        ((0, 0, 0, np.array([1])), r"too many indices, 4, for shape \(4, 5, 6\)"),
        (np.array([True, False]), r"a mask of shape \(2,\) does not fit .* \(4,\) in \(4, 5, 6\)"),
        ((..., ROWS, ...), "only one ellipsis"),
        ((ROWS, np.array([0, 1, 2])), r"\(2,\).*\(3,\)"),
        (["one", 0], "must be of ints or bools"),
        *((index, f"shape \\(4, 5, 6\\) cannot be indexed by a {type(index).__name__}") for index in ("a", 1.5, {})),
    ],
)
def test_indices_that_do_not_fit(index: Any, text: str) -> None:
    x = Tensor(DATA.copy())
    kind = ValueError if "3," in text and "2," in text else IndexError
    with pytest.raises(kind, match=f"^For 'tensor getitem', .*{text}"):
        x[tensors(index)]
    with pytest.raises(kind, match=f"^For 'tensor setitem', .*{text}"):
        x[tensors(index)] = 1.0
    assert np.array_equal(x.asnumpy(), DATA)


def test_values_that_do_not_fit() -> None:
    x = Tensor(DATA.copy())
    words = r"a value of shape \(3, 5, 6\) cannot be broadcast to the region of shape \(2, 5, 6\)"
    with pytest.raises(ValueError, match=f"^For 'tensor setitem', {words}"):
        x[Tensor(ROWS)] = Tensor(np.ones((3, 5, 6), np.float32))
    assert np.array_equal(x.asnumpy(), DATA)


@pytest.mark.parametrize("values", [np.array([True, False]), np.array([2**62 + 1, 5]), np.array([-0.0, np.nan], np.float32)])
def test_assignment_leaves_the_other_elements_their_bits(values: Any) -> None:
    for write in (lambda x: x, ms.jit):

        def f(x, i):
            x = x.copy()
            x[None, i] = x[i]
            y = x.copy()
            y[Tensor([False, False])] = 1
            return x, y

        for got in write(f)(Tensor(values), Tensor([0])):
            assert got.asnumpy().tobytes() == values.tobytes() and got.asnumpy().dtype == values.dtype


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_numbers_that_are_arguments_are_assigned_and_index(mode: str) -> None:
    def f(x, i, n):
        x = x.copy()
        x[i] = n - 2
        x[[0, 1]] = n
        x[1:3] = [n]
        x[[n, 0]] += n
        x[x > 3] = n
        return x, x[[n, 1]], x[n]

    jitted = ms.jit(f, capture_mode=mode, fullgraph=True)
    for n in (1, 2, 1):
        x = Tensor(np.arange(5, dtype=np.float32))
        for got, want in zip(jitted(x, Tensor([4]), n), f(x, Tensor([4]), n)):
            assert got.tolist() == want.tolist()


@pytest.mark.parametrize("items", [[None, slice(1, 3)], [..., None], [slice(0, 2)]], ids=named)
def test_a_list_of_basic_indices_is_as_a_tuple(items: list[Any]) -> None:
    x, wanted = Tensor(DATA.copy()), DATA.copy()
    assert np.array_equal(x[items].asnumpy(), DATA[tuple(items)])
    x[items], wanted[tuple(items)] = 7.0, 7.0
    assert np.array_equal(x.asnumpy(), wanted)


def test_indices_of_derived_classes() -> None:
    x, p = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4)), Parameter(Tensor([0, 1]), name="p")
    plain = x.asnumpy()
    np.testing.assert_array_equal(x[:, p].asnumpy(), plain[:, [0, 1]])
    np.testing.assert_array_equal(ms.jit(lambda a: a[:, p])(x).asnumpy(), plain[:, [0, 1]])
    np.testing.assert_array_equal(x[IntEnum("I", "A").A, p].asnumpy(), plain[1, [0, 1]])
    z = x.copy()
    z[0, p] = 9
    np.testing.assert_array_equal(z.asnumpy()[0], [9, 9, 2, 3])


@pytest.mark.parametrize("false", (False, np.False_, Tensor(False)))
def test_a_false_chooses_nothing(false: Any) -> None:
    x = Tensor(np.ones((3, 4), np.float32))
    assert x[false].shape == (0, 3, 4)
    x[false] = 9
    np.testing.assert_array_equal(x.asnumpy(), 1)


LEADING = {
    "an element": ((0, 1), [[9.0]]),
    "a row": (0, [[[1.0, 2.0, 3.0]]]),
    "all": (..., [[[1.0, 2.0, 3.0]]]),
    "a new axis": ((None, 0), np.ones((1, 1, 3))),
    "rows": ([1, 0], [[[1.0, 2.0, 3.0]]]),
    "elements": (([0, 1], [1, 1]), [[5.0, 6.0]]),
    "a mask": (np.array([True, False]), [[[5.0, 6.0, 7.0]]]),
}


@pytest.mark.breaks
@pytest.mark.parametrize("mode", [None, "ast", "bytecode", "trace"])
@pytest.mark.parametrize("name", LEADING)
def test_leading_axes_of_one_element_that_the_region_does_not_have(name: str, mode: str | None) -> None:
    index, value = LEADING[name]
    given = np.array(value, np.float32)

    def f(x: Any, v: Any) -> Any:
        x = x * 1
        x[index] = v
        return x

    run = ms.jit(f, capture_mode=mode) if mode else f
    want = np.zeros((2, 3), np.float32)
    want[index] = given.reshape(given.shape[given.ndim - np.ndim(want[index]) :])
    assert np.array_equal(run(Tensor(np.zeros((2, 3), np.float32)), Tensor(given)).asnumpy(), want)
    slope = ms.grad(run, 1)(Tensor(np.zeros((2, 3), np.float32)), Tensor(given))
    assert slope.shape == given.shape and slope.asnumpy().sum() == np.size(want[index])
    with pytest.raises(ValueError, match="cannot be broadcast to the region"):
        run(Tensor(np.zeros((2, 3), np.float32)), Tensor(np.concatenate([given, given])))


@pytest.mark.parametrize("value", [(1, 2, 3), [1.0, 2.0, 3.0]])
def test_tuples_and_lists_are_assigned(value: Any) -> None:
    for run in (lambda f: f, ms.jit):
        x = Tensor(np.zeros((2, 3), np.float32))

        def f(x: Any) -> Any:
            x[...] = value
            x[0, 1] = (7.0,)
            return x

        assert run(f)(x).tolist() == [[1, 7, 3], [1, 2, 3]]


class Column:
    """As pandas' columns, of which an array is made by __array__ alone."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.values


@pytest.mark.parametrize("column", [Column([2, 0]), Column([True, False, True, False]), (ALL, Column([1, -1]))])
def test_what_becomes_an_array_indexes_as_it(column: Any) -> None:
    plain = (ALL, column[1].values) if isinstance(column, tuple) else column.values
    np.testing.assert_array_equal(Tensor(DATA)[column].asnumpy(), DATA[plain])
    x, want = Tensor(DATA), DATA.copy()
    x[column], want[plain] = 7.0, 7
    np.testing.assert_array_equal(x.asnumpy(), want)
    with pytest.raises(IndexError, match="must be of ints or bools"):
        Tensor(DATA)[Column(["a"])]
