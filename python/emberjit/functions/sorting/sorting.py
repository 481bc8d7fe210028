"""Elements in order, and the largest of them. Of equals the lower index comes first; NaN is larger than all."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import as_positions

_ops = core.ops

publish_ops(
    __name__,
    """
topk: mint.topk
""",
)


def _int32(pair: tuple[Tensor, Tensor]) -> Any:
    values, indices = pair
    return values, as_positions(indices)


@publish(
    """ops.sort(input as input_x, axis, descending) ops.Sort(axis, descending)(input as x)
    Tensor.sort(axis|dim, descending, *, stable)""",
    numpy="""(lambda at: (np.take_along_axis(input, at, axis), at))(
    np.argsort(-input if descending else input, axis, kind='stable'))""",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def sort(input: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: axis is out of range.
    """
    return _int32(_ops.sort(input, axis, descending))


@publish(
    "mint.sort(input, *, axis as dim, descending, stable)",
    numpy="""(lambda at: (np.take_along_axis(input, at, axis), at))(
    np.argsort(-input if descending else input, axis, kind='stable'))""",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def wide_sort(input: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int64), of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: axis is out of range.
    """
    return _ops.sort(input, axis, descending)


@publish(
    "ops.argsort(input, axis, descending) Tensor.argsort(axis|dim, descending, *, stable)",
    numpy="np.argsort(-input if descending else input, axis, kind='stable')",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def argsort(input: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The indices (int32) of the elements in order along an axis, of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: axis is out of range.
    """
    return sort(input, axis, descending, stable)[1]


@publish(
    "mint.argsort(input, dim, descending, stable)",
    numpy="np.argsort(-input if descending else input, dim, kind='stable')",
    samples="f32(3, 5); i32(2, 30), 0; f16(3, 40), -1, True; i64(9), 0, False, True",
)
def wide_argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The indices (int64) of the elements in order along an axis, of equals the lower index first; NaN is the largest.

    Args:
        descending: whether from the largest on.
        stable: the order is, whether it is asked for or not.

    Raises:
        ValueError: dim is out of range.
    """
    return _ops.sort(input, dim, descending)[1]


@publish("ops.msort Tensor.msort", numpy="np.sort(input, 0)", samples="f32(5, 3); i32(40)")
def msort(input: Tensor) -> Any:
    """The elements in ascending order along the first axis; NaN is the largest."""
    return _ops.sort(input, 0)[0]


@publish(
    """ops.topk Tensor.topk(k, dim, largest, sorted) ops.TopK(sorted)(input as input_x, k)
    ops.top_k(input as input_x, k, sorted) Tensor.top_k(k, sorted)""",
    numpy="""(lambda axis, at: (np.take_along_axis(input, at, axis), at))(-1 if dim is None else dim,
    np.take(np.argsort(-input if largest else input, -1 if dim is None else dim, kind='stable'), range(k),
    -1 if dim is None else dim))""",
    samples="f32(3, 5), 2; i32(20, 3), 4, 0; f16(3, 40), 3, -1, False; i64(9), 9, 0, True, False",
)
def topk(input: Tensor, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True) -> Any:
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.

    Args:
        dim: the axis, by default the last.
        largest: whether the largest or the smallest.
        sorted: they are in order, whether it is asked for or not.

    Raises:
        ValueError: dim is out of range, or there are no k elements.
    """
    return _int32(_ops.topk(input, k, -1 if dim is None else dim, largest, sorted))


@publish(
    "ops.intopk ops.InTopK(k)(x1, x2)",
    numpy="""(lambda own: np.isfinite(own) & ((x1 > own[:, None]).sum(1) < k))(np.take_along_axis(x1, x2[:, None].astype(
    np.int64), 1)[:, 0])""",
    samples="f32(6, 5), i32(6) % 5, 2; f32(3, 4), i32(3) % 4, 4",
)
def intopk(x1: Tensor, x2: Tensor, k: int) -> Any:
    """Whether the score of each example's class is finite, and less than k classes have a larger one.

    Args:
        x1: a matrix of scores, a row for each example.
        x2: a class for each example, an integer.

    Raises:
        ValueError: the shapes do not fit.
        IndexError: a class is out of range.
    """
    if x1.ndim != 2 or tuple(x2.shape) != (x1.shape[0],):
        raise ValueError(
            f"For 'intopk', 'x1' must be a matrix and 'x2' have one element for each of its rows, but the shapes are "
            f"{tuple(x1.shape)} and {tuple(x2.shape)}."
        )
    own = _ops.gather_d(x1, 1, _ops.expand_dims(x2, 1))
    larger = _ops.sum(_ops.cast(_ops.greater(x1, own), core.int64), 1)
    return _ops.logical_and(_ops.isfinite(_ops.squeeze(own, 1)), larger < k)
