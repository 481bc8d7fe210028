"""Movement, joining, creation and numpy's names at their edges: what users get wrong, NaN and infinities, no elements,
dynamic shapes, and results that MindSpore's documentation shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import numpy as mnp
from emberjit.functions.creation import numpy_values

X = Tensor([1, 2, 3])
M = Tensor([[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]])
PIXELS = Tensor([[[1, 2]]])

WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: ops.hstack(3), TypeError, "'hstack'.*3"),
    (lambda: ops.vstack(Tensor(3.0)), TypeError, "'vstack'"),
    (lambda: ops.hstack([]), ValueError, "'hstack'.*at least one"),
    (lambda: mnp.concatenate((X, Tensor([[1]]))), ValueError, "'concatenate'"),
    (lambda: ops.atleast_1d("a"), TypeError, "str"),
    (lambda: ops.meshgrid(X, M), ValueError, r"'meshgrid'.*\(3, 4\)"),
    (lambda: ops.meshgrid(X, indexing="z"), ValueError, "'indexing'.*'z'"),
    (lambda: ops.block_diag(ops.ones((1, 2, 3))), ValueError, r"'block_diag'.*\(1, 2, 3\)"),
    (lambda: ops.cartesian_prod(X, M), ValueError, "'cartesian_prod'"),
    (lambda: ops.combinations(X, -1), ValueError, "'combinations'.*-1"),
    (lambda: ops.tensor_split(X, 0), ValueError, "'tensor_split'.*0"),
    (lambda: ops.tensor_split(X, (1.5,)), TypeError, r"'indices_or_sections'.*\(1.5,\)"),
    (lambda: mnp.split(X, 2), ValueError, "'split'.*size 3.*2 equal"),
    (lambda: ops.hsplit(Tensor(1), 2), ValueError, "'hsplit'.*at least 1"),
    (lambda: ops.dsplit(M, 1), ValueError, "'dsplit'.*at least 3"),
    (lambda: ops.SplitV([1, 1], 0, 2)(X), ValueError, "'SplitV'.*sum to 3"),
    (lambda: ops.ParallelConcat()((X, X)), ValueError, "'ParallelConcat'"),
    (lambda: ops.pad(X, (1,), "reflect"), ValueError, "'padding'.*pairs"),
    (lambda: ops.pad(X, (3, 0), "reflect"), ValueError, r"\(3, 0\).*\[-6, 2\]"),
    (lambda: ops.pad(X, (1, 1), "reflect", 3), ValueError, "'value' must be None"),
    (lambda: ops.pad(X, (1, 1), "mirror"), ValueError, "'mode'.*'mirror'"),
    (lambda: ops.pad(X, ("a", 0), "replicate"), TypeError, "'padding'.*'a'"),
    (lambda: ops.pad(ops.zeros((0,)), (1, 0), "replicate"), ValueError, "'pad'.*axis 0"),
    (lambda: ops.MirrorPad("X")(X, ((0, 0),)), ValueError, "'mode'.*'X'"),
    (lambda: ops.mirror_pad(X, ((0, 0), (1, 1)), "REFLECT"), ValueError, "'paddings'"),
    (lambda: ops.padding(M), ValueError, "'padding'"),
    (lambda: mnp.pad(X, -1), ValueError, "'pad_width'.*-1"),
    (lambda: mnp.pad(X, 1, "reflect", reflect_type="no"), ValueError, "'reflect_type'.*'no'"),
    (lambda: mnp.pad(X, 1, "median"), ValueError, "'mode'.*'median'"),
    (lambda: mnp.pad(ops.zeros((0,)), 1, "edge"), ValueError, "no elements"),
    (lambda: ops.roll(X, 1, 3), ValueError, "'roll', axis 3"),
    (lambda: ops.roll(X, (1, 2), (0, 0, 0)), ValueError, "as many 'shifts' as 'dims'"),
    (lambda: ops.rot90(M, 1, (0, 0)), ValueError, "'dims'.*different"),
    (lambda: ops.rot90(M, 1, 0), ValueError, "'dims'"),
    (lambda: ops.fliplr(X), ValueError, "'fliplr', axis 1"),
    (lambda: M.repeat(2), RuntimeError, "'repeats'.*2 axes"),
    (lambda: X.repeat("a"), TypeError, "'repeats'.*'a'"),
    (lambda: ops.repeat_elements(X, -1), ValueError, "'repeats'.*-1"),
    (lambda: mnp.rollaxis(M, 0, 3), ValueError, "'rollaxis', axis 3"),
    (lambda: ops.diag(Tensor(1)), ValueError, "'diag'"),
    (lambda: mint.diag(Tensor(1)), ValueError, "'diag'.*one or two axes"),
    (lambda: ops.DiagPart()(M), ValueError, r"equal halves.*\(3, 4\)"),
    (lambda: ops.diag_embed(X, 0, 1, -1), ValueError, "'dim1' and 'dim2'"),
    (lambda: ops.matrix_band_part(X, 0, 0), ValueError, "at least two axes"),
    (lambda: ops.matrix_diag(Tensor([[1, 2], [3, 4]]), (0, 5)), ValueError, "6 diagonals"),
    (lambda: ops.matrix_diag(X, 0, 2, 2), ValueError, r"do not fit.*\(2, 2\)"),
    (lambda: ops.matrix_diag_part(M, 5, 0), ValueError, r"'k'.*\(-3, 4\)"),
    (lambda: ops.matrix_diag_part(M, (1, 0), 0), ValueError, "'k'.*ascending"),
    (lambda: ops.matrix_diag_part(M, 0, 0, "x"), ValueError, "'align'.*'x'"),
    (lambda: ops.matrix_set_diag(M, X, 1, "RIGHT_LEFT") + ops.matrix_set_diag(M, X, 3), ValueError, "'diagonal'"),
    (lambda: ops.space_to_batch_nd(PIXELS, [2, 2], [[0, 0]]), ValueError, "'paddings'"),
    (lambda: ops.space_to_batch_nd(PIXELS, 0, [[0, 0]]), ValueError, "positive"),
    (lambda: ops.space_to_batch_nd(PIXELS, 3, [[0, 0]]), ValueError, "must divide"),
    (lambda: ops.batch_to_space_nd(PIXELS, 2, [[0, 0]]), ValueError, "do not fit"),
    (lambda: ops.DepthToSpace(2)(ops.ones((1, 3, 2, 2))), ValueError, "'DepthToSpace'"),
    (lambda: ops.channel_shuffle(PIXELS, 2), ValueError, "divide by groups"),
    (lambda: X.sum_to_size((2,)), ValueError, r"\(3,\).*\(2,\)"),
    (lambda: X.resize(3, -1), ValueError, "'new_shape'.*-1"),
    (lambda: X.itemset(5), ValueError, "'itemset'"),
    (lambda: X.itemset(7, 5), IndexError, "index 7"),
    (lambda: X.mT, ValueError, "'mT'.*at least two"),
    (lambda: ops.ones((2, 2, 2)).H, ValueError, "'H'.*two axes"),
    (lambda: ops.linspace(0, 1, 0), ValueError, "'steps'.*at least 1"),
    (lambda: ops.linspace(0, 1, "a"), TypeError, "'steps'.*'a'"),
    (lambda: mnp.logspace(0, 1, 3, axis=4), ValueError, "'logspace', axis 4"),
    (lambda: mnp.geomspace(0, 1), ValueError, "'geomspace'.*0"),
    (lambda: ops.hann_window(-1), ValueError, "'window_length'.*-1"),
    (lambda: ops.hann_window(3.5), TypeError, "'window_length'.*3.5"),
    (lambda: ops.kaiser_window(3, dtype=ms.int32), TypeError, "'dtype'.*Int32"),
    (lambda: mint.empty(2, device="Ascend"), ValueError, "'device'.*not available"),
    (lambda: mnp.tri(-1), ValueError, "-1"),
    (lambda: mnp.zeros_like(X, "a"), TypeError, "'dtype'.*'a'"),
    (lambda: mnp.asarray([[1], [2, 3]]), TypeError, "rows differ"),
    (lambda: mnp.convolve([1], [[1]]), ValueError, r"'convolve'.*\(1, 1\)"),
    (lambda: mnp.convolve([1], [1], "half"), ValueError, "'mode'.*'half'"),
    (lambda: mnp.polyint([1, 2], 2, [1, 2, 3]), ValueError, "'k'"),
    (lambda: mnp.polyder([1, 2], -1), ValueError, "'m'.*-1"),
    (lambda: mnp.promote_types("a", ms.int8), TypeError, "'dtype'.*'a'"),
    (lambda: mnp.size(X, 2), ValueError, "axis 2"),
    (lambda: mnp.mgrid[1], TypeError, "slices"),
    (lambda: ops.tuple_div((1,), (2,)), ValueError, "divide"),
    (lambda: ops.is_nonzero(X), ValueError, "one element"),
    (lambda: ops.IdentityN()(X), TypeError, "tuple or list"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_users_get_wrong(number: int) -> None:
    call, kind, words = WRONG[number]
    with pytest.raises(kind, match=words):
        call()


def plain(value: Any) -> Any:
    return [plain(item) for item in value] if isinstance(value, (tuple, list)) else value.tolist()


NAN, INF = math.nan, math.inf
GIVEN: list[tuple[Callable[[], Any], Any]] = [
    # MindSpore's documentation
    (
        lambda: ops.matrix_diag_part(M, Tensor([1, 3], ms.int32), Tensor(9.0), "RIGHT_LEFT"),
        [[9, 9, 4], [9, 3, 8], [2, 7, 6]],
    ),
    (lambda: ops.matrix_diag_part(M, (1, 3), 9, "LEFT_RIGHT"), [[4, 9, 9], [3, 8, 9], [2, 7, 6]]),
    (lambda: ops.matrix_diag_part(M, (-1, 1), 0, "LEFT_LEFT"), [[2, 7, 6], [1, 6, 7], [5, 8, 0]]),
    (lambda: ops.matrix_diag_part(M, (-1, 1), 0, "RIGHT_RIGHT"), [[2, 7, 6], [1, 6, 7], [0, 5, 8]]),
    (lambda: ops.matrix_diag(X, 0, 3, 4, 7), [[1, 7, 7, 7], [7, 2, 7, 7], [7, 7, 3, 7]]),
    (lambda: ops.space_to_batch_nd(Tensor([[[[1, 2], [3, 4]]]]), [2, 2], [[0, 0], [0, 0]]), [[[[n]]] for n in (1, 2, 3, 4)]),
    (lambda: mnp.mgrid[0:2, 0:3], [[[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]]),
    (lambda: mnp.ogrid[0:2, 0:1:3j], [[[0], [1]], [[0, 0.5, 1]]]),
    (lambda: mnp.mgrid[1:7:2], [1, 3, 5]),
    # methods of several meanings
    (lambda: X.repeat(2), [1, 2, 3, 1, 2, 3]),
    (lambda: X.repeat(2, axis=0), [1, 1, 2, 2, 3, 3]),
    (lambda: X.repeat(2, 1), [[1, 2, 3], [1, 2, 3]]),
    (lambda: X.repeat(repeats=(1, 0, 2), axis=0), [1, 3, 3]),
    (lambda: Tensor(3).repeat(4), [3, 3, 3, 3]),
    (lambda: ops.atleast_2d([Tensor(1), X]), [[[1]], [[1, 2, 3]]]),
    (lambda: mint.meshgrid([X, Tensor([4])]), [[[1], [2], [3]], [[4], [4], [4]]]),
    (lambda: M.H[0], [1, 5, 9]),
    (lambda: Tensor([[1j, 2]]).mH, [[complex(0, -1)], [complex(2, -0.0)]]),
    (lambda: ops.expand(Tensor([1]), Tensor([2, 3])), [[1, 1, 1], [1, 1, 1]]),
    (lambda: X.itemset(0, 5), [5, 2, 3]),
    # NaN and infinities stay where they are
    (lambda: mint.diag(Tensor([NAN, INF])), [[NAN, 0], [0, INF]]),
    (lambda: ops.diag_embed(Tensor([INF]), 1), [[0, INF], [0, 0]]),
    (lambda: ops.matrix_band_part(Tensor([[1.0, NAN], [INF, 2]]), 0, 0), [[1, 0], [0, 2]]),
    (lambda: ops.block_diag(Tensor([NAN]), Tensor([INF])), [[NAN, 0], [0, INF]]),
    (lambda: mnp.pad(Tensor([INF, 1.0]), 1, "reflect", reflect_type="odd"), [INF, INF, 1, -INF]),
    (lambda: mnp.array_equal(Tensor([NAN]), Tensor([NAN])), False),
    (lambda: mnp.array_equal(Tensor([NAN]), Tensor([NAN]), True), True),
    (lambda: mnp.ptp(Tensor([1.0, NAN])), NAN),
    # no elements, no axes
    (lambda: ops.roll(ops.zeros((0, 2)), 3, 0), []),
    (lambda: ops.roll(Tensor(5), 3), 5),
    (lambda: ops.diagflat(Tensor(2.0), 1), [[0, 2], [0, 0]]),
    (lambda: mint.diag(ops.zeros((0,)), 2), [[0, 0], [0, 0]]),
    (lambda: ops.diag(ops.zeros((0,))), []),
    (lambda: ops.combinations(X, 0), []),
    (lambda: ops.combinations(X, 4), []),
    (lambda: ops.tensor_split(Tensor([1]), 3), [[1], [], []]),
    (lambda: ops.cartesian_prod(X, ops.zeros((0,), ms.int64)), []),
    (lambda: ops.hamming_window(0), []),
    (lambda: ops.hamming_window(1), [1]),
    (lambda: mnp.linspace(3, 4, 0), []),
    (lambda: mnp.flip(Tensor(1)), 1),
    (lambda: ops.zeros((0, 3)).resize(2), [0, 0]),
    (lambda: mnp.pad(ops.zeros((0,)), (1, 0), constant_values=2), [2]),
    (lambda: mnp.ediff1d(Tensor([1])), []),
    # ends are exact, and what has one value stays it
    (lambda: ops.linspace(Tensor(0.1), Tensor(0.1), 3), [np.float32(0.1)] * 3),
    (lambda: mnp.linspace(0, Tensor(0.1, ms.float64), 7)[-1], 0.1),
    (lambda: mnp.geomspace(-1000.0, -1, 4), [-1000, -100, -10, -1]),
    (lambda: mnp.linspace(1 + 1j, 2, 2), [1 + 1j, 2]),
    (lambda: mnp.linspace(0, 1, 1, retstep=True), [[0], NAN]),
]


@pytest.mark.parametrize("number", range(len(GIVEN)))
def test_what_is_given(number: int) -> None:
    call, want = GIVEN[number]
    np.testing.assert_equal(plain(call()), want)


@pytest.mark.breaks
def test_sizes_in_a_tensor_are_read_in_python():
    assert ops.pad(X, Tensor([1, -1])).tolist() == [0, 1, 2]


def test_diagonals_are_put_back_for_every_alignment() -> None:
    for align in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"):
        for band in ((-2, 3), (-1, 1), (0, 2), (-2, -1), (1, 1)):
            found = ops.matrix_diag_part(M, band, 0, align)
            within = ops.matrix_diag(found, band, 3, 4, -1, align)
            whole = ops.matrix_set_diag(ops.zeros_like(M) - 1, found, band, align)
            rows, columns = np.indices((3, 4))
            on = (columns - rows >= band[0]) & (columns - rows <= band[1])
            np.testing.assert_array_equal(whole.asnumpy(), np.where(on, M.asnumpy(), -1))
            np.testing.assert_array_equal(within.asnumpy(), whole.asnumpy())


def test_dtypes_are_mindspores() -> None:
    assert (mnp.array([1]).dtype, mnp.array(1.5).dtype, mnp.arange(3).dtype, mnp.int_) == (
        ms.int32,
        ms.float32,
        ms.int32,
        ms.int32,
    )
    assert mnp.array(np.array([1.5])).dtype == ms.float64 and mnp.array(X).dtype == ms.int64
    for create in (mnp.zeros, mnp.ones, mnp.empty):
        found = [create(2, dtype).dtype for dtype in ("int32", int, np.int32, None)]
        assert found == [ms.int32, ms.int32, ms.int32, ms.float32]
    assert mnp.zeros_like([1, 2], shape=2).dtype == ms.int64 and mnp.eye(2, dtype="int").dtype == ms.int32
    assert mnp.promote_types(ms.uint64, ms.int8) == ms.float64
    assert ops.linspace(Tensor(0.0, ms.float64), 1, 3).dtype == ms.float64
    assert set(mnp._ELSEWHERE) == {*numpy_values.__all__, "apply_along_axis", "piecewise"} <= set(dir(mnp))
    assert mnp.pi == math.pi


def movements(x: Any) -> tuple[Any, ...]:
    return (
        ops.roll(x, 1, 0),
        ops.hstack((x, x)),
        mint.diag(x),
        ops.pad(x, (1, 1), "reflect"),
        *ops.tensor_split(x, 2),
        mnp.append(x, x),
        *ops.meshgrid(x, x),
        ops.block_diag(x, x),
        ops.combinations(x, 2),
        x.resize(3),
        x.repeat(2),
        mnp.pad(x, 2, "linear_ramp"),
        ops.matrix_diag(x, 1),
        mnp.convolve(x, x),
    )


def test_shapes_that_are_not_fixed() -> None:
    jitted = ms.jit(movements, dynamic=1)
    for size in (3, 4, 5, 6):
        x = Tensor(np.arange(size, dtype=np.float32))
        for got, want in zip(jitted(x), movements(x), strict=True):
            np.testing.assert_array_equal(got.asnumpy(), want.asnumpy())


def test_gradients_at_ends_and_of_repeated_elements() -> None:
    ends = ms.grad(lambda a, b: ops.linspace(a, b, 3).sum(), (0, 1))(Tensor(1.0), Tensor(5.0))
    assert plain(ends) == [1.5, 1.5]
    x = Tensor([1.0, 2.0, 4.0])
    assert ms.grad(lambda x: ops.pad(x, (2, 2), "reflect").sum())(x).tolist() == [1 + 1, 1 + 2, 1 + 1]
    assert ms.grad(lambda x: mnp.pad(x, 1, "reflect", reflect_type="odd").sum())(x).tolist() == [3, -1, 3]
    assert ms.grad(lambda x: x.repeat(2, axis=0).sum())(x).tolist() == [2, 2, 2]
    assert ms.grad(lambda x: (x.mT * M).sum())(M.mT).tolist() == M.mT.tolist()
    assert ms.grad(lambda x: x.resize(2).sum())(x).tolist() == [1, 1, 0]


def test_a_function_pads_row_by_row() -> None:
    def edges(row: Any, widths: Any, axis: int, options: Any) -> None:
        row[: widths[0]] = axis + 10
        row[len(row) - widths[1] :] = axis + 10

    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(mnp.pad(Tensor(x), ((1, 0), (2, 1)), edges).asnumpy(), np.pad(x, ((1, 0), (2, 1)), edges))


def test_two_ints_are_axes_to_exchange():
    x = Tensor(np.arange(24.0).reshape(2, 3, 4))
    shapes = [x.transpose(0, 1).shape, x.transpose(dim0=0, dim1=2).shape, x.transpose(0, 2, 1).shape, x.transpose().shape]
    assert shapes == [(3, 2, 4), (4, 3, 2), (2, 4, 3), (4, 3, 2)]
    assert x[0].transpose((0, 1)).shape == (3, 4) and x[0].transpose(0, 1).shape == (4, 3)


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize("pads", [(-1, 2), (2, -1), (-2, 0), (-1, -2)])
def test_negative_padding_cuts(mode: str, pads: tuple[int, int]) -> None:
    x = np.arange(8.0).reshape(2, 4)
    whole = np.pad(x, [(0, 0), tuple(max(n, 0) for n in pads)], {"replicate": "edge"}.get(mode, mode))
    want = whole[:, max(-pads[0], 0) : whole.shape[1] - max(-pads[1], 0)]
    np.testing.assert_array_equal(ops.pad(Tensor(x), pads, mode).asnumpy(), want)


REPEATS: dict[str, Any] = {
    "tile": lambda x: ops.tile(x, (1,)),
    "tile of nothing": lambda x: mint.tile(x, ()),
    "another axis": lambda x: ops.tile(x, (1, 1)),
    "repeat": lambda x: x.repeat((1,)),
    "repeat_interleave": lambda x: ops.repeat_interleave(x, 1),
    "of one element": lambda x: mint.repeat_interleave(x[:1], 2),
}


@pytest.mark.parametrize("repeat", REPEATS.values(), ids=REPEATS)
def test_repeats_are_no_views(repeat: Any) -> None:
    for way in (repeat, ms.jit(repeat)):
        x = Tensor([1.0, 2.0])
        way(x).add_(1)
        assert x.tolist() == [1, 2]
