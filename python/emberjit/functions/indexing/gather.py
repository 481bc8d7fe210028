"""Elements and slices at positions: along an axis, among all, or named by rows of indices."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice
from emberjit.publish.kinds import Number, Tensor, Tensors
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import checked_axis, get
from emberjit.tensors.operands import as_tensor

_ops = core.ops

publish_ops(
    __name__,
    """
gather: ops.gather ops.Gather(batch_dims)(input_params, input_indices, axis)
    Tensor.gather(input_indices: tensor, axis: int = ..., batch_dims)
    Tensor.index_select(axis|dim, input_indices as index)
    ops.index_select(input_params as input, axis, input_indices as index)
    mint.index_select(input_params as input, axis as dim, input_indices as index)
gather_d: ops.gather_d(x|input, dim, index) ops.gather_elements(x as input, dim, index) ops.GatherD()(x, dim, index)
    ops.GatherElements()(x, dim, index) Tensor.gather_d Tensor.gather_elements mint.gather(x as input, dim, index)
    Tensor.gather(dim: int, index)
""",
)


@publish(
    "ops.take mint.take",
    numpy="input.ravel()[index]",
    samples="f32(3, 4), i64(2, 2) % 12; i32(5), i32(3) % 5; f32(4), i64()",
)
def take(input: Tensor, index: Tensor) -> Any:
    """The elements at positions among all, in row-major order.

    Raises:
        IndexError: a position is out of range.
    """
    return _ops.gather(_ops.reshape(input, (-1,)), index, 0)


def within(function: str, index: Tensor, size: int, mode: str) -> Any:
    """Positions made to lie within an axis.

    Raises:
        ValueError: mode is unknown.
    """
    check_choice(function, "mode", mode, "raise", "wrap", "clip")
    if mode == "clip":
        return _ops.clip(index, 0, size - 1)
    return _ops.floor_mod(index, size) if mode == "wrap" else index


@publish(
    "numpy.take Tensor.take(indices|index, axis, mode)",
    numpy="(lambda n: np.take(a, np.clip(indices, -n, n - 1) if mode == 'clip' else np.asarray(indices) % n, axis))("
    "a.size if axis is None else a.shape[axis])",
    samples="f32(3, 4), i64(2, 2); f32(3, 4), i64(3), 1, 'wrap'; i32(3, 4), i64(2) % 3, -2, 'raise'; f32(2, 3), [0, 1], 0",
)
def take_along(a: Number, indices: Any, axis: int | None = None, mode: str = "clip") -> Any:
    """Slices at positions along an axis, or elements at positions among all.

    Args:
        indices: integers.
        axis: None for elements among all, in row-major order.
        mode: of positions out of range, where negative ones count from the end: "clip" takes the nearest, "wrap" counts on
            from the other end, "raise" refuses.

    Raises:
        ValueError: axis is out of range, or mode unknown.
        IndexError: a position is out of range, and mode is "raise".
    """
    source = as_tensor(a)
    if axis is None:
        source, axis = _ops.reshape(source, (-1,)), 0
    at = checked_axis("take", source, axis)
    index, size = as_tensor(indices), source.shape[at]
    index = _ops.clip(index, -size, size - 1) if mode == "clip" else within("take", index, size, mode)
    return _ops.gather(source, index, at)


@publish(
    "numpy.take_along_axis",
    numpy="np.take_along_axis(arr, indices, axis)",
    samples="""f32(3, 4), i64(3, 2) % 4, 1; f32(3, 4), i64(2, 4) % 3, 0; f32(3, 4), i64(5) % 12, None;
    f32(3, 4), i64(1, 2) % 4, 1""",
)
def take_along_axis(arr: Tensor, indices: Tensor, axis: int | None) -> Any:
    """Elements at positions along an axis, one for each element of indices, which broadcasts along other axes.

    Args:
        indices: integers, of arr's rank.
        axis: None for elements among all, in row-major order.

    Raises:
        ValueError: axis is out of range, or the shapes do not fit.
        IndexError: a position is out of range.
    """
    if axis is None:
        return take(arr, indices)
    at = checked_axis("take_along_axis", arr, axis)
    if indices.ndim != arr.ndim:
        raise ValueError(
            f"For 'take_along_axis', 'indices' must have as many axes as the Tensor, but the shapes are "
            f"{tuple(indices.shape)} and {tuple(arr.shape)}."
        )
    sizes = [(int(i), int(n)) for i, n in zip(indices.shape, arr.shape)]
    spread = tuple(i if d == at or n == 1 else n for d, (i, n) in enumerate(sizes))
    source = tuple(n if d == at or n != 1 else i for d, (i, n) in enumerate(sizes))
    return _ops.gather_d(_ops.broadcast_to(arr, source), at, _ops.broadcast_to(indices, spread))


def columns_of(function: str, indices: Tensor, rank: int) -> tuple[Any, ...]:
    """Of rows of indices those into each axis.

    Raises:
        ValueError: indices has no axis, or rows longer than the rank.
    """
    depth = indices.shape[-1] if indices.ndim else 0
    if not 1 <= depth <= rank:
        raise ValueError(
            f"For '{function}', the last axis of 'indices' must have a size from 1 to {rank}, the rank of the input, but "
            f"the shape of indices is {tuple(indices.shape)}."
        )
    return tuple(_ops.select_at(indices, i, -1) for i in range(depth))


@publish(
    "ops.gather_nd ops.GatherNd Tensor.gather_nd",
    numpy="input_x[tuple(np.moveaxis(indices, -1, 0))]",
    samples="f32(3, 4), i64(2, 1) % 3; f32(3, 4, 2), i64(2, 5, 2) % 3; f32(3, 4), i32(2) % 3; i32(4), i64(0, 1)",
)
def gather_nd(input_x: Tensor, indices: Tensor) -> Any:
    """The elements, or slices of other axes, that rows of indices name.

    Args:
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.

    Raises:
        ValueError: indices has no axis, or rows that are longer than the rank.
        IndexError: an index is out of range.
    """
    columns = columns_of("gather_nd", indices, input_x.ndim)
    if len(columns) == 1:
        return _ops.gather(input_x, columns[0], 0)
    return _ops.gather_axes(input_x, columns, tuple(range(len(columns))))


@publish(
    "ops.index Tensor.index(indices)",
    numpy="input[tuple(indices)]",
    samples="f32(3, 4), (i64(2) % 3, i64(2) % 4); f32(3, 4), [i64(2, 1) % 3]",
)
def index(input: Tensor, indices: Tensors) -> Any:
    """The elements at indices, a Tensor of integers or bools for each of the first axes, which broadcast.

    Raises:
        IndexError: an index is out of range, of another type, or there are too many.
    """
    return get(input, tuple(indices))


@publish(
    """ops.EmbeddingLookup()(input_params, input_indices, offset)""",
    numpy="""np.where(((input_indices >= offset) & (input_indices < offset + len(input_params)))[(..., *[None] *
    (input_params.ndim - 1))], input_params[np.clip(input_indices - offset, 0, len(input_params) - 1)], 0)""",
    samples="f32(4, 3), i64(2, 3), 1; f32(5), i32(4), 0",
)
def embedding_lookup(input_params: Tensor, input_indices: Tensor, offset: int) -> Any:
    """Slices along the first axis at input_indices - offset; zeros where that is out of range.

    Args:
        input_params: with at least one axis.
        input_indices: integers.

    Raises:
        ValueError: input_params has no axis.
    """
    size = input_params.shape[checked_axis("EmbeddingLookup", input_params, 0)]
    at = _ops.sub(input_indices, offset)
    rows = _ops.gather(input_params, _ops.clip(at, 0, size - 1), 0)
    inside = _ops.logical_and(at >= 0, at < size)
    inside = _ops.reshape(inside, (*inside.shape, *[1] * (input_params.ndim - 1)))
    return _ops.select(inside, rows, _ops.zeros_like(rows))


@publish(
    "ops.GatherV2()(input_params, input_indices, axis) ops.SparseGatherV2()(input_params, input_indices, axis)",
    numpy="np.take(input_params, input_indices, axis)",
    samples="f32(3, 4), i64(2) % 3, 0; f32(3, 4), i64(2, 2) % 4, -1",
)
def gather_slices(input_params: Tensor, input_indices: Tensor, axis: int) -> Any:
    """Slices at positions along an axis.

    Raises:
        ValueError: axis is out of range.
        IndexError: a position is out of range.
    """
    return _ops.gather(input_params, input_indices, axis)
