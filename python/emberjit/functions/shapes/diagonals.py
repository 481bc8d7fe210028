"""Diagonals and triangles: of matrices, and matrices that have them. Tril and Triu of ops are told the diagonal when they
are made, those of nn when they are called."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_rank, check_shape
from emberjit.functions.arguments import int_of, ints_of
from emberjit.publish.kinds import DType, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.ops

publish_ops(
    __name__,
    """
diagonal: ops.diagonal Tensor.diagonal(offset, dim1 as axis1|dim1, dim2 as axis2|dim2) mint.diagonal
    numpy.diagonal(input as a, offset, dim1 as axis1, dim2 as axis2)
tril: ops.tril Tensor.tril mint.tril numpy.tril(input as m, diagonal as k) ops.Tril(diagonal)(input) Tensor.tril_
triu: ops.triu Tensor.triu mint.triu numpy.triu(input as m, diagonal as k) ops.Triu(diagonal)(input) Tensor.triu_
tril: nn.Tril()(input as x, diagonal as k = 0)
triu: nn.Triu()(input as x, diagonal as k = 0)
""",
)

_ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _embedded(x: Tensor, offset: int) -> Any:
    """The last axis as a diagonal of square matrices, with zeros elsewhere: it is `size + 1` apart in their elements."""
    length = x.shape[-1]
    size = length + abs(offset)
    first = max(-offset, 0) * size + max(offset, 0)
    spaced = _ops.pad(_ops.expand_dims(x, -1), (0, size))
    flat = _ops.reshape(spaced, (*x.shape[:-1], length * (size + 1)))
    whole = _ops.pad(flat, (first, size * size - first - length * (size + 1)))
    return _ops.reshape(whole, (*x.shape[:-1], size, size))


@publish(
    "ops.diag_embed",
    numpy="np.moveaxis(np.apply_along_axis(np.diag, -1, input, offset), (-2, -1), (dim1, dim2))",
    samples="f32(2, 3); f32(3), 1; i32(2, 3), -2, 0, 2; c64(2, 2); b1(3), 0, 1, 0",
    in_python=True,
)
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The last axis as a diagonal of matrices that lie along two axes of the result, with zeros elsewhere.

    Args:
        offset: which diagonal: 0 the main one, positive ones above it.
        dim1: the axis of the result for their rows.
        dim2: the axis for their columns.

    Raises:
        ValueError: input has no axes, or dim1 or dim2 are out of range or the same.
    """
    checked_axis("diag_embed", input, -1)
    matrices = _embedded(input, offset)
    rows, columns = checked_axis("diag_embed", matrices, dim1), checked_axis("diag_embed", matrices, dim2)
    if rows == columns:
        raise ValueError(f"For 'diag_embed', 'dim1' and 'dim2' must be different axes, but got {dim1} and {dim2}.")
    rest = iter(range(matrices.ndim - 2))
    own = {rows: matrices.ndim - 2, columns: matrices.ndim - 1}
    return _ops.transpose(matrices, tuple(own[at] if at in own else next(rest) for at in range(matrices.ndim)))


@publish(
    "mint.diag Tensor.diag numpy.diag(input as v, diagonal as k)",
    numpy="np.diag(input, diagonal)",
    samples="f32(3); f32(2), -1; i32(3, 4), 1; f32(3, 4), -2; c64(2); b1(3)",
    in_python=True,
)
def diag(input: Tensor, diagonal: int = 0) -> Any:
    """Of one axis the matrix with it as a diagonal, and zeros elsewhere; of a matrix the diagonal, a view.

    Args:
        diagonal: which one: 0 the main one, positive ones above it.

    Raises:
        ValueError: input has neither one axis nor two.
    """
    if input.ndim not in (1, 2):
        raise ValueError(f"For 'diag', the input must have one or two axes, but its shape is {tuple(input.shape)}.")
    return _embedded(input, diagonal) if input.ndim == 1 else _ops.identity(_ops.diagonal(input, diagonal))


@publish(
    "ops.diag ops.Diag",
    numpy="np.diag(input.ravel()).reshape(input.shape * 2)",
    samples="f32(3); i32(2, 3); c64(2)",
    in_python=True,
)
def diagonal_tensor(input: Tensor) -> Any:
    """The Tensor of twice the axes that has the input's elements where their indices repeat, and zeros elsewhere.

    Raises:
        ValueError: input has no axes.
    """
    checked_axis("diag", input, -1)
    return _ops.reshape(_embedded(_ops.reshape(input, (-1,)), 0), (*input.shape, *input.shape))


@publish(
    "ops.DiagPart",
    numpy="np.diag(x.reshape(2 * [math.isqrt(x.size)])).reshape(x.shape[:x.ndim // 2])",
    samples="f32(3, 3); i32(2, 3, 2, 3)",
    in_python=True,
)
def diagonal_part(x: Tensor) -> Any:
    """The elements of a Tensor of an even number of axes whose indices in the first half repeat in the second. A view.

    Raises:
        ValueError: there are not two equal halves of axes.
    """
    half = x.ndim // 2
    shape = tuple(x.shape[:half])
    if not half or shape != tuple(x.shape[half:]):
        raise ValueError(f"For 'DiagPart', the shape must be two equal halves, but is {tuple(x.shape)}.")
    size = 1
    for n in shape:
        size *= n
    return _ops.reshape(_ops.diagonal(_ops.reshape(x, (size, size))), shape)


@publish(
    "ops.diagflat Tensor.diagflat numpy.diagflat(input as v, offset as k)",
    numpy="np.diagflat(input, offset)",
    samples="f32(3); f32(2, 2), 1; i32(2), -2; i32()",
    in_python=True,
)
def diagflat(input: Tensor, offset: int = 0) -> Any:
    """The matrix with all elements as a diagonal, and zeros elsewhere.

    Args:
        offset: which diagonal: 0 the main one, positive ones above it.
    """
    return _embedded(_ops.reshape(input, (-1,)), offset)


def diagonal_numbers(rows: int, columns: int) -> Any:
    """How far each element of a matrix is above its main diagonal."""
    return _ops.arange(columns) - _ops.expand_dims(_ops.arange(rows), 1)


@publish(
    "ops.matrix_band_part ops.MatrixBandPart",
    numpy="""(lambda d: np.where(((lower < 0) | (-d <= lower)) & ((upper < 0) | (d <= upper)), x, 0))(
    np.arange(x.shape[-1]) - np.arange(x.shape[-2])[:, None])""",
    samples="f32(3, 4), 1, 0; i32(2, 3, 3), -1, 1; f32(4, 4), 0, -1; f32(2, 3), -1, -1; f32(3, 3), 7, 9",
)
def matrix_band_part(x: Tensor, lower: Number, upper: Number) -> Any:
    """Matrices with zeros outside of a band around the diagonal.

    Args:
        lower: how many diagonals below the main one stay, an int or a Tensor that broadcasts to the matrices; negative: all.
        upper: how many above it.

    Raises:
        ValueError: x has fewer than two axes.
    """
    if x.ndim < 2:
        raise ValueError(
            f"For 'matrix_band_part', the input must have at least two axes, but its shape is {tuple(x.shape)}."
        )
    above = diagonal_numbers(x.shape[-2], x.shape[-1])

    def within(distance: Tensor, most: Any) -> Any:
        if isinstance(most, core.Tensor):
            most = _ops.reshape(most, (*most.shape, 1, 1))
        return _ops.logical_or(_ops.less_equal(distance, most), _ops.less(most, 0))

    return _ops.select(_ops.logical_and(within(-above, lower), within(above, upper)), x, _ops.zeros_like(x))


def _band(function: str, k: Any) -> tuple[int, int]:
    """The lowest and the highest diagonal.

    Raises:
        ValueError: k is neither an int nor two in order.
    """
    bounds = ints_of(function, "k", k)
    if len(bounds) not in (1, 2) or bounds[0] > bounds[-1]:
        raise ValueError(f"For '{function}', 'k' must be an int or two in ascending order, but got {bounds}.")
    return bounds[0], bounds[-1]


def _elements(function: str, d: Tensor, shape: tuple[int, int], length: int, align: str) -> tuple[Any, Any]:
    """Of diagonals d of matrices how many elements each has, and how many places, in rows of `length`, are before them."""
    check_choice(function, "align", align, *_ALIGNMENTS)
    above, below = (word == "LEFT" for word in align.split("_"))
    count = _ops.minimum(_ops.minimum(d, 0) + shape[0], shape[1] - _ops.maximum(d, 0))
    right = _ops.logical_not(_ops.logical_or(_ops.logical_and(d >= 0, above), _ops.logical_and(d <= 0, below)))
    return count, _ops.select(right, length - count, 0)


def _longest(function: str, rows: int, columns: int, band: tuple[int, int]) -> int:
    if not -rows < band[0] <= band[1] < columns and band != (0, 0):
        raise ValueError(
            f"For '{function}', 'k' must be in ({-rows}, {columns}) for ({rows}, {columns}) matrices, but got {band}."
        )
    return min(rows + min(band[1], 0), columns - max(band[0], 0))


def _gather_inside(x: Tensor, axes: int, inside: Tensor, index: Tensor, other: Number) -> Any:
    """Of the elements of the last axes of x those at an index, where it is inside; elsewhere those of `other`, or that."""
    lead, last = x.shape[: x.ndim - axes], x.shape[x.ndim - axes :]
    flat = _ops.reshape(x, (*lead, math.prod(last)))
    elements = _ops.gather(flat, _ops.select(inside, index, 0), flat.ndim - 1)
    return _ops.select(inside, elements, _ops.cast(as_tensor(other), x.dtype))


def _with_diagonals(
    function: str, x: Tensor, shape: tuple[int, int], band: tuple[int, int], length: int, align: str, other: Number
) -> Any:
    """Matrices of a shape whose diagonals are x's, and other elements `other`'s."""
    d = diagonal_numbers(*shape)
    _, before = _elements(function, d, shape, length, align)
    rows = _ops.expand_dims(_ops.arange(shape[0]), 1)
    index = (band[1] - d) * length + _ops.minimum(rows, rows + d) + before
    inside = _ops.logical_and(d >= band[0], d <= band[1])
    return _gather_inside(x, 1 + (band[0] < band[1]), inside, index, other)


@publish(
    "ops.matrix_diag ops.MatrixDiagV3(align)(x, k, num_rows, num_cols, padding_value) nn.MatrixDiag()(x as input_x)",
    numpy="np.apply_along_axis(np.diag, -1, x, k)",
    samples="f32(3); f32(2, 3), 1; i32(2, 2), -2",
    in_python=True,
)
def matrix_diag(
    x: Tensor, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Any:
    """Matrices that have the given diagonals.

    Args:
        x: a diagonal in the last axis; of several the highest first, along the axis before it.
        k: which one, 0 the main one, positive ones above it; or the lowest and the highest.
        num_rows: of the matrices; -1 for as many as are needed, or square.
        num_cols: likewise.
        padding_value: what is elsewhere.
        align: on which side of the longest diagonals above, and below, the main one are the elements of shorter ones.

    Raises:
        ValueError: k does not go with the shape of x, the matrices are too small, or align is something else.
    """
    band = _band("matrix_diag", k)
    count = band[1] - band[0] + 1
    if x.ndim < 1 + (count > 1) or (count > 1 and x.shape[-2] != count):
        raise ValueError(f"For 'matrix_diag', there are to be {count} diagonals, but the shape is {tuple(x.shape)}.")
    length = x.shape[-1]
    least = (length - min(band[1], 0), length + max(band[0], 0))
    rows, columns = int_of("matrix_diag", "num_rows", num_rows), int_of("matrix_diag", "num_cols", num_cols)
    square = rows == columns == -1
    rows, columns = (max(least) if square else m if n == -1 else n for n, m in zip((rows, columns), least))
    if rows < least[0] or columns < least[1] or _longest("matrix_diag", rows, columns, band) != length:
        raise ValueError(
            f"For 'matrix_diag', diagonals {band} of length {length} do not fit matrices of shape ({rows}, {columns})."
        )
    return _with_diagonals("matrix_diag", x, (rows, columns), band, length, align, padding_value)


@publish(
    """ops.matrix_diag_part ops.MatrixDiagPartV3(align)(x, k, padding_value)
    nn.MatrixDiagPart()(x as input_x, k := 0, padding_value := 0)""",
    numpy="""(lambda bounds, n: np.stack([(lambda y: np.pad(y, [(0, 0)] * (y.ndim - 1) + [(n - y.shape[-1], 0) if d > 0 else
    (0, n - y.shape[-1])], constant_values=padding_value))(np.diagonal(x, d, -2, -1)) for d in
    range(bounds[1], bounds[0] - 1, -1)], -2).squeeze(-2 if bounds[0] == bounds[1] else ()))(
    (k, k) if isinstance(k, int) else k, 3)""",
    samples="f32(3, 4), 0, 0; f32(2, 3, 4), 1, 0; i32(3, 4), (-1, 2), 7; f32(4, 3), (-2, 0), 0.5",
    in_python=True,
)
def matrix_diag_part(x: Tensor, k: Any, padding_value: Any, align: str = "RIGHT_LEFT") -> Any:
    """Diagonals of matrices, in the last axis; of several the highest first, along the axis before it.

    Args:
        k: which one, 0 the main one, positive ones above it; or the lowest and the highest.
        padding_value: what is beside those that are not the longest.
        align: on which side of the longest diagonals above, and below, the main one are the elements of shorter ones.

    Raises:
        ValueError: x has fewer than two axes, k is out of range, or align is something else.
    """
    checked_axis("matrix_diag_part", x, -2)
    band = _band("matrix_diag_part", k)
    rows, columns = x.shape[-2:]
    length = _longest("matrix_diag_part", rows, columns, band)
    d = band[1] - _ops.expand_dims(_ops.arange(band[1] - band[0] + 1), 1)
    count, before = _elements("matrix_diag_part", d, (rows, columns), length, align)
    at = _ops.arange(length) - before
    index = (at + _ops.maximum(-d, 0)) * columns + at + _ops.maximum(d, 0)
    elements = _gather_inside(x, 2, _ops.logical_and(at >= 0, at < count), index, padding_value)
    return _ops.squeeze(elements, -2) if band[0] == band[1] else elements


@publish(
    "ops.matrix_set_diag ops.MatrixSetDiagV3(align)(x, diagonal, k) nn.MatrixSetDiag()(x as input_x, diagonal)",
    numpy="""np.where(np.eye(*x.shape[-2:], k, dtype=bool),
    np.apply_along_axis(np.diag, -1, diagonal, k)[..., : x.shape[-2], : x.shape[-1]], x)""",
    samples="f32(3, 3), f32(3); f32(2, 3, 4), f32(2, 3), 1; i32(4, 3), i32(3), -1",
    in_python=True,
)
def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """Matrices with other diagonals, which are given as matrix_diag takes them.

    Args:
        k: which one, 0 the main one, positive ones above it; or the lowest and the highest.
        align: on which side of the longest diagonals above, and below, the main one are the elements of shorter ones.

    Raises:
        ValueError: x has fewer than two axes, k is out of range, the diagonals are of another shape, or align is something
            else.
    """
    checked_axis("matrix_set_diag", x, -2)
    band = _band("matrix_set_diag", k)
    rows, columns = x.shape[-2:]
    length = _longest("matrix_set_diag", rows, columns, band)
    count = band[1] - band[0] + 1
    expected = (*x.shape[:-2], *((count,) if count > 1 else ()), length)
    check_shape("matrix_set_diag", "diagonal", diagonal, expected)
    return _with_diagonals("matrix_set_diag", diagonal, (rows, columns), band, length, align, x)


@publish(
    "ops.trace ops.Trace()(input)",
    numpy="np.trace(input, dtype=input.dtype)",
    samples="f32(3, 3); f32(2, 5); i32(4, 2); c64(3, 3); f32(0, 2)",
)
def trace(input: Tensor) -> Any:
    """The sum of a matrix's diagonal, in its dtype.

    Raises:
        ValueError: input is no matrix.
    """
    check_rank("trace", "input", input, 2)
    return _ops.reduce_sum(_ops.diagonal(input), 0)


@publish(
    "mint.trace",
    numpy="np.trace(input, dtype=np.int64 if input.dtype.kind in 'biu' else input.dtype)",
    samples="f32(3, 3); f32(2, 5); i32(4, 2); b1(3, 3); c64(3, 3)",
)
def wide_trace(input: Tensor) -> Any:
    """The sum of a matrix's diagonal: int64 of integers and bools, else in its dtype.

    Raises:
        ValueError: input is no matrix.
    """
    check_rank("trace", "input", input, 2)
    return _ops.sum(_ops.diagonal(input), 0)


@publish(
    "Tensor.trace numpy.trace(input as a, offset, axis1, axis2, dtype)",
    numpy="np.trace(input, offset, axis1, axis2, dtype)",
    samples="f32(3, 3); f32(2, 5, 3), 1, 0, -1; i32(4, 2), -1, 1, 0, int64; f32(2, 2), 5",
)
def trace_of_axes(input: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DType | None = None) -> Any:
    """The sums of the diagonals of the matrices that two axes are.

    Args:
        offset: how many columns to the right of the main diagonal.
        dtype: that of the result; by default input's, and int64 of integers and bools.

    Raises:
        ValueError: the axes are out of range, or the same.
    """
    return _ops.sum(_ops.diagonal(input, offset, axis1, axis2), -1, False, dtype)
