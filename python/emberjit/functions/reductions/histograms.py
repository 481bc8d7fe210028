"""How many elements there are of each value, or in each bin."""

from __future__ import annotations

import builtins
import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int, check_rank, check_same_shape, check_shape, check_within
from emberjit.functions.arguments import named_dtype
from emberjit.publish.kinds import FLOATS, DType, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions
from emberjit.tensors.operands import as_tensor

_ops = core.ops


def _checked_counts(function: str, input: Tensor, weights: Tensor | None, minlength: int) -> int:
    """How many bins values have.

    Raises:
        TypeError: the input is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or minlength is negative.
    """
    if input.dtype in FLOATS or input.dtype in (core.bool_, core.complex64, core.complex128):
        raise TypeError(f"For '{function}', the input must be of integers, but got {input.dtype}.")
    if input.ndim != 1:
        raise ValueError(f"For '{function}', the input must have one axis, but its shape is {tuple(input.shape)}.")
    if weights is not None and tuple(weights.shape) != tuple(input.shape):
        raise ValueError(
            f"For '{function}', the shape of 'weights' must be that of the input, {tuple(input.shape)}, but got "
            f"{tuple(weights.shape)}."
        )
    check_within(function, "minlength", minlength, 0)
    if input.shape[0] == 0:
        return minlength
    lowest = int(_ops.amin(input))
    if lowest < 0:
        raise ValueError(f"For '{function}', the input must not have negative elements, but got {lowest}.")
    return max(int(_ops.amax(input)) + 1, minlength)


def _count(index: Tensor, size: int, weights: Tensor | None, dtype: DType) -> Any:
    """How often each index is there, or the sums of the weights that have it, in their order.

    Raises:
        IndexError: an index is not below size.
    """
    at = _ops.reshape(index, (-1,))
    if weights is None:
        return _ops.cast(_ops.index_counts(at, (size,)), dtype)
    flat = _ops.cast(_ops.reshape(weights, (-1,)), dtype)
    return _ops.gather_add(_ops.zeros((size,), dtype), at, flat, 0)


@publish(
    "mint.bincount",
    numpy="np.bincount(input, weights, minlength)",
    samples="i32(9) % 5; i64(9) % 5, f32(9); i64(3) % 3, None, 6; i32(0)",
    in_python=True,
)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there (int64), or the sums of their weights.

    Args:
        input: integers that are not negative, one axis.
        weights: of the input's shape; sums are of their dtype if that is a floating one, else float64.
        minlength: how many counts there are at least.

    Raises:
        TypeError: the input is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or minlength is negative.
    """
    size = _checked_counts("bincount", input, weights, minlength)
    dtype = core.int64 if weights is None else weights.dtype if weights.dtype in FLOATS else core.float64
    return _count(input, size, weights, dtype)


@publish(
    "ops.bincount Tensor.bincount",
    numpy="np.bincount(input, weights, minlength).astype(np.float32 if weights is None else weights.dtype)",
    samples="i32(9) % 5; i64(9) % 5, f32(9); i64(3) % 3, None, 6; i32(0)",
    in_python=True,
)
def float_bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there, as float32, or the sums of their weights.

    Args:
        input: integers that are not negative, one axis.
        weights: of the input's shape.
        minlength: how many counts there are at least.

    Raises:
        TypeError: the input is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or minlength is negative.
    """
    size = _checked_counts("bincount", input, weights, minlength)
    return _count(input, size, weights, core.float32 if weights is None else weights.dtype)


@publish(
    "numpy.bincount",
    numpy="np.bincount(x, weights, minlength) if length is None else np.bincount(x, weights, length)[:length]",
    samples="i32(9) % 5; i64(9) % 5, f32(9), 2; i64(3) % 3, None, 6; i64(5) % 4, None, 0, 2",
    in_python=True,
)
def numpy_bincount(x: Number, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    """How often each integer from 0 to the largest element is there (float32), or the sums of their weights.

    Args:
        x: integers that are not negative, one axis.
        weights: of x's shape.
        minlength: how many counts there are at least.
        length: how many there are.

    Raises:
        TypeError: x is not of integers.
        ValueError: it has not one axis, negative elements, weights of another shape, or a length is negative.
    """
    counts = bincount(as_tensor(x), None if weights is None else as_tensor(weights), max(minlength, length or 0))
    counts = counts if length is None else counts[:length]
    return _ops.cast(counts, core.float32) if weights is None else counts


@publish(
    "ops.Bincount()(array, size, weights)",
    numpy="np.bincount(array[array < size], weights[array < size], size).astype(weights.dtype)",
    samples="i32(9) % 5, 4, f32(9); i32(9) % 5, 7, f32(9)",
    in_python=True,
)
def sized_bincount(array: Tensor, size: Number, weights: Tensor) -> Any:
    """The sums of the weights of each integer below a size; without weights, how often each is there.

    Args:
        array: integers that are not negative; those from size on do not count.
        size: an int, or a 0-d Tensor of one.
        weights: of the array's shape, or without elements.

    Raises:
        ValueError: the array has negative elements, size is negative, or the shapes do not fit.
    """
    bins = int(size)
    if bins < 0:
        raise ValueError(f"For 'Bincount', 'size' must not be negative, but got {bins}.")
    flat = _ops.reshape(array, (-1,))
    flat_weights = _ops.reshape(weights, (-1,)) if weights.size else None
    _checked_counts("Bincount", flat, flat_weights, 0)
    return _count(_ops.minimum(flat, bins), bins + 1, flat_weights, weights.dtype)[:bins]


def _positive(function: str, bins: Any) -> int:
    """A number of bins.

    Raises:
        TypeError: it is no int.
        ValueError: it is not positive.
    """
    count = check_int(function, "bins", bins)
    check_within(function, "bins", count, above=0)
    return count


def _between(low: Any, high: Any, count: int, margin: float, dtype: DType) -> Any:
    """Edges of bins of one width from a number to another, `margin` beyond both if they are equal."""
    low, high = (_ops.cast(as_tensor(end), dtype) for end in (low, high))
    same = _ops.equal(low, high)
    first, last = _ops.select(same, low - margin, low), _ops.select(same, high + margin, high)
    at = _ops.arange(count + 1)
    inner = first + _ops.cast(at, dtype) * ((last - first) / count)
    return _ops.select(at == count, last, inner)


def _extent(x: Tensor) -> tuple[Any, Any]:
    return (_ops.amin(x), _ops.amax(x)) if x.size else (0, 1)


def _places(x: Tensor, edges: Tensor, even: bool) -> Any:
    """The number of the bin of each element, from 1 on; 0 or one more than there are for what lies in none.

    Args:
        even: whether the bins are of one width, in which places are computed and compared with the edges nearby.
    """
    if not even:
        place = _ops.search_sorted(edges, x, True)
        return place - _ops.cast(_ops.equal(x, edges[-1]), core.int64)
    value, last = _ops.cast(x, edges.dtype), edges.shape[0] - 2
    share = (value - edges[0]) * ((last + 1) / (edges[-1] - edges[0]))
    guess = _ops.clip(_ops.cast(_ops.floor(share), core.int64), 0, last)
    guess = guess - _ops.cast(value < _ops.gather(edges, guess, 0), core.int64)
    later = _ops.logical_and(value >= _ops.gather(edges, guess + 1, 0), guess < last)
    inside = _ops.logical_and(value >= edges[0], value <= edges[-1])
    return _ops.select(inside, guess + 1 + _ops.cast(later, core.int64), 0)


def _ends(function: str, x: Tensor, low: float, high: float) -> tuple[Any, Any]:
    """The given ends of bins; those of the elements if both are equal to 0.

    Raises:
        ValueError: they are not finite, or descend.
    """
    if not (math.isfinite(low) and math.isfinite(high)) or low > high:
        raise ValueError(f"For '{function}', 'min' must be finite and not above 'max', but got {low} and {high}.")
    return _extent(x) if low == high else (low, high)


@publish(
    "ops.histc Tensor.histc mint.histc(input, bins, min = 0, max = 0) ops.Histogram(bins, min, max)(input as x)",
    numpy="np.histogram(input, bins, (min, max) if min < max else (input.min(), input.max()))[0].astype(input.dtype)",
    samples="f32(20), 5; f32(4, 6), 3, -1.0, 1.0; i32(20), 4, -4.0, 4.0",
)
def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Any:
    """How many elements lie in each of some bins of one width, in the input's dtype. NaN lies in none.

    Args:
        bins: how many bins there are.
        min: where they begin.
        max: where they end; if that is min, they reach from the least to the largest element.

    Raises:
        ValueError: bins is not positive, or min and max descend or are not finite.
    """
    low, high = _ends("histc", input, min, max)
    dtype = input.dtype if input.dtype in FLOATS else core.float64
    edges = _between(low, high, _positive("histc", bins), 1.0, dtype)
    return _ops.cast(_count(_places(input, edges, True), edges.shape[0] + 1, None, core.int64)[1:-1], input.dtype)


@publish(
    "ops.HistogramFixedWidth(nbins, dtype)(x, range)",
    numpy="np.histogram(np.clip(x, range[0], range[1]), nbins, (range[0], range[1]))[0]",
    samples="f32(20), f32(2) * 0 + (b1(2) * 0 + [-1, 1]), 4; i32(20), i32(2) * 0 + [-4, 4], 5, 'int32'",
)
def histogram_fixed_width(x: Tensor, range: Tensor, nbins: int, dtype: str = "int32") -> Any:
    """How many elements (int32) lie in each of some bins of one width; those beyond them count in the first and the last.

    Args:
        range: (where the bins begin, where they end).
        nbins: how many bins there are.
        dtype: "int32".

    Raises:
        ValueError: nbins is not positive, dtype another, or range has not two elements.
    """
    if dtype != "int32":
        raise ValueError(f"For 'HistogramFixedWidth', 'dtype' must be 'int32', but got {dtype!r}.")
    check_shape("HistogramFixedWidth", "range", range, (2,))
    count = _positive("HistogramFixedWidth", nbins)
    edges = _between(range[0], range[1], count, 1.0, x.dtype if x.dtype in FLOATS else core.float64)
    places = _ops.clip(_ops.search_sorted(edges, x, True), 1, count)
    return as_positions(_count(places, count + 2, None, core.int64)[1:-1])


def _edges(function: str, x: Tensor, bins: Any, range: Any) -> Any:
    """The edges of bins along one axis, given how many there are or what they are."""
    dtype = x.dtype if x.dtype in FLOATS else core.float64
    if isinstance(bins, int):
        low, high = _extent(x) if range is None else range
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
            raise ValueError(f"For '{function}', 'range' must ascend, but got {range}.")
        return _between(low, high, _positive(function, bins), 0.5, dtype)
    if isinstance(bins, str):
        raise TypeError(f"For '{function}', 'bins' must be an int, or a tuple, list or Tensor of edges, but got {bins!r}.")
    edges = as_tensor(bins)
    if edges.ndim != 1 or edges.shape[0] < 2:
        raise ValueError(f"For '{function}', edges must be at least two along one axis, but got shape {tuple(edges.shape)}.")
    return edges


@publish(
    "numpy.histogram_bin_edges",
    numpy="np.histogram_bin_edges(a, bins, range)",
    samples="f32(20); f32(4, 3), 5, (-1.0, 2.0); i32(9), 4; f32(3), [0.0, 1.0, 3.0]",
)
def histogram_bin_edges(a: Number, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of the bins of a histogram.

    Args:
        bins: how many bins of one width there are, or their edges.
        range: (where they begin, where they end); by default the least and the largest element.
        weights: has no effect.

    Raises:
        TypeError: bins is a str.
        ValueError: bins is not positive, or range descends.
    """
    return _edges("histogram_bin_edges", as_tensor(a), bins, range)


@publish(
    "numpy.histogram",
    numpy="np.histogram(a, bins, range, density, weights)",
    samples="f32(20); f32(4, 3), 5, (-1.0, 1.0); i32(9), 4, None, f32(9); f32(9), [0.0, 1.0, 2.0], None, None, True",
)
def histogram(a: Number, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many elements lie in each bin, the edges of the bins). NaN lies in none.

    Args:
        bins: how many bins of one width there are, or their edges.
        range: (where they begin, where they end); by default the least and the largest element.
        weights: what each element counts, of a's shape.
        density: whether to divide by all counts and the widths of the bins, so that the integral is 1.

    Raises:
        TypeError: bins is a str.
        ValueError: bins is not positive, range descends, or weights has another shape.
    """
    counts, edges = _joint("histogram", [as_tensor(a)], [bins], [range], weights, density)
    return counts, edges[0]


def _joint(function: str, samples: list[Any], bins: list[Any], ranges: list[Any], weights: Any, density: bool) -> Any:
    """The histogram over several coordinates, and the edges along each."""
    weights = None if weights is None else as_tensor(weights)
    if weights is not None and tuple(weights.shape) != tuple(samples[0].shape):
        raise ValueError(
            f"For '{function}', the shape of 'weights' must be that of the elements, {tuple(samples[0].shape)}, but got "
            f"{tuple(weights.shape)}."
        )
    edges = [_edges(function, x, bin, range) for x, bin, range in zip(samples, bins, ranges)]
    sizes = tuple(edge.shape[0] + 1 for edge in edges)
    even = [isinstance(bin, int) for bin in bins]
    places = [_ops.reshape(_places(*of), (-1,)) for of in zip(samples, edges, even)]
    at = places[0] if len(sizes) == 1 else _ops.flat_positions(places, sizes, tuple(builtins.range(len(sizes))))
    kind = core.float32 if weights is None else weights.dtype
    whole = _ops.reshape(_count(at, math.prod(sizes), weights, kind), sizes)
    counts = whole[tuple(slice(1, -1) for _ in sizes)]
    if not density:
        return counts, edges
    dtype = next((x.dtype for x in (counts, edges[0]) if x.dtype in FLOATS), core.float32)
    shares = _ops.cast(counts, dtype) / _ops.cast(_ops.sum(counts), dtype)
    for axis, edge in enumerate(edges):
        width = _ops.cast(edge[1:] - edge[:-1], dtype)
        shares = shares / _ops.reshape(width, tuple(-1 if d == axis else 1 for d in builtins.range(len(edges))))
    return shares, edges


def _per_coordinate(function: str, value: Any, count: int, one: bool) -> list[Any]:
    """What is given for each coordinate, or for all."""
    if one:
        return [value] * count
    if len(value) != count:
        raise ValueError(f"For '{function}', there must be one for each of {count} coordinates, but got {value!r}.")
    return list(value)


@publish(
    "numpy.histogramdd",
    numpy="""(lambda h, e: (h, *e))(*np.histogramdd(np.stack(sample, 1) if isinstance(sample, list) else sample, bins, range,
    density, weights))""",
    samples="""f32(30, 2), 3; f32(30, 3), [2, 3, 4], [(-1.0, 1.0), (-2.0, 2.0), (0.0, 1.0)];
    [f32(9), f32(9)], 2, None, f32(9), True""",
)
def histogramdd(sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many points lie in each cell, a list of the edges along each coordinate).

    Args:
        sample: points, one in each row; or a tuple or list of all first coordinates, all second ones, ...
        bins: how many bins of one width there are along each coordinate, or their edges; one number for all.
        range: (begin, end) of each coordinate; by default the least and the largest.
        weights: what each point counts.
        density: whether to divide by all counts and the volumes of the cells.

    Raises:
        TypeError: bins is a str.
        ValueError: there is not one of bins or range for each coordinate, or shapes do not fit.
    """
    if isinstance(sample, (tuple, list)):
        columns = [as_tensor(column) for column in sample]
    else:
        points = as_tensor(sample)
        check_rank("histogramdd", "sample", points, 2)
        columns = [points[:, i] for i in builtins.range(points.shape[1])]
    count = len(columns)
    bins_by_axis = _per_coordinate("histogramdd", bins, count, isinstance(bins, int))
    ranges = _per_coordinate("histogramdd", range, count, range is None)
    return _joint("histogramdd", columns, bins_by_axis, ranges, weights, density)


@publish(
    "numpy.histogram2d",
    numpy="np.histogram2d(x, y, bins, range, density, weights)",
    samples="f32(30), f32(30), 3; f32(30), f32(30), [2, 4], [(-1.0, 1.0), (-2.0, 2.0)], f32(30)",
)
def histogram2d(x: Number, y: Number, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """(how many points lie in each cell, the edges along x, those along y).

    Args:
        x, y: coordinates of the points.
        bins: how many bins of one width there are along each coordinate, or their edges; one number, or edges, for both.
        range: (begin, end) of each coordinate; by default the least and the largest.
        weights: what each point counts.
        density: whether to divide by all counts and the areas of the cells.

    Raises:
        TypeError: bins is a str.
        ValueError: shapes do not fit.
    """
    pair = isinstance(bins, (tuple, list)) and len(bins) == 2
    bins_by_axis = _per_coordinate("histogram2d", bins, 2, not pair)
    counts, edges = _joint(
        "histogram2d",
        [as_tensor(x), as_tensor(y)],
        bins_by_axis,
        _per_coordinate("histogram2d", range, 2, range is None),
        weights,
        density,
    )
    return counts, edges[0], edges[1]


@publish(
    "ops.ConfusionMatrix(num_classes, dtype)(labels, predictions, weights)",
    numpy="""np.array([[np.sum(((labels == i) & (predictions == j)) * (1 if weights is None else weights))
    for j in range(num_classes)] for i in range(num_classes)])""",
    samples="i32(5) % 3, i32(5) % 3, 3; i64(4) % 2, i64(4) % 2, 4, 'float32', i32(4)",
)
def confusion_matrix(
    labels: Tensor, predictions: Tensor, num_classes: int, dtype: str = "int32", weights: Tensor | None = None
) -> Any:
    """How often a class was taken for another: rows are labels, columns predictions.

    Args:
        labels, predictions: classes, of one shape (N,).
        num_classes: how many classes there are.
        dtype: of the result, by name.
        weights: what each prediction counts, of the same shape.

    Raises:
        TypeError: labels or predictions are not of integers.
        ValueError: shapes differ, or there are no classes.
        IndexError: a class is out of range.
    """
    name = "ConfusionMatrix"
    check_int(name, "num_classes", num_classes, 1)
    check_rank(name, "labels", labels, 1)
    kind = named_dtype(name, dtype)
    check_same_shape(name, labels=labels, predictions=predictions)
    check_same_shape(name, labels=labels, weights=labels if weights is None else weights)
    counts = _ops.ones(labels.shape, kind) if weights is None else _ops.cast(weights, kind)
    row, column = (_ops.one_hot(classes, num_classes, 1, 0) for classes in (labels, predictions))
    return _ops.matmul(_ops.swapaxes(_ops.cast(row, kind), 0, 1), _ops.cast(column, kind) * counts[:, None])
