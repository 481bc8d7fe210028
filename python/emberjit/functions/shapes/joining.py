"""Several Tensors in one: along an axis, a new axis, or a diagonal. `stack` of numpy also takes the parts of one Tensor;
`block_diag` of ops takes Tensors one by one or in a list, that of scipy.linalg one by one, or none."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_within
from emberjit.functions.arguments import as_tensors, int_of, tensors_of, unpacked
from emberjit.functions.shapes.reshaping import at_least
from emberjit.publish.kinds import Tensor, Tensors
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.operands import promoted

_ops = core.ops

publish_ops(
    __name__,
    """
concat: ops.concat ops.cat ops.Concat(axis)(tensors) ops.SequenceConcat(axis)(tensors)
    mint.concat(tensors, axis as dim) mint.cat(tensors, axis as dim)
stack: ops.stack ops.Stack(axis)(tensors) ops.SequenceStack(axis)(tensors) ops.Pack(axis)(tensors as x)
    mint.stack(tensors, axis as dim)
""",
)

_STACKS = "(f32(2, 3), f32(2, 3)); (f32(4), f32(4)); [i32(2, 3, 2), i32(2, 3, 2)]; f32(3, 2)"


def _stacked(function: str, rank: int, tensors: Any, axis: int) -> Any:
    parts = [at_least(rank, item) for item in tensors_of(function, tensors)]
    return _ops.concat(parts, axis if len(parts) == 0 or parts[0].ndim > axis else 0)


@publish(
    "ops.hstack mint.hstack numpy.hstack(tensors as tup)", numpy="np.hstack([*tensors])", samples=_STACKS, in_python=True
)
def horizontal(tensors: Any) -> Any:
    """Joined along the second axis, or what has one axis along that.

    Args:
        tensors: a tuple or list of Tensors, or a Tensor whose slices are joined.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    return _stacked("hstack", 1, tensors, 1)


@publish(
    "ops.vstack(tensors as inputs) ops.row_stack numpy.vstack(tensors as tup)",
    numpy="np.vstack([*tensors])",
    samples=_STACKS,
    in_python=True,
)
def vertical(tensors: Any) -> Any:
    """Joined along the first axis, with one axis as rows.

    Args:
        tensors: a tuple or list of Tensors, or a Tensor whose slices are joined.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    return _stacked("vstack", 2, tensors, 0)


@publish(
    "ops.dstack mint.dstack numpy.dstack(tensors as tup)", numpy="np.dstack([*tensors])", samples=_STACKS, in_python=True
)
def in_depth(tensors: Any) -> Any:
    """Joined along the third axis, which those of fewer axes get.

    Args:
        tensors: a tuple or list of Tensors, or a Tensor whose slices are joined.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    return _stacked("dstack", 3, tensors, 2)


@publish(
    "ops.column_stack numpy.column_stack(tensors as tup)",
    numpy="np.column_stack([*tensors])",
    samples=_STACKS,
    in_python=True,
)
def columns(tensors: Any) -> Any:
    """Joined along the second axis, with one axis, or none, as columns.

    Args:
        tensors: a tuple or list of Tensors, or a Tensor whose slices are joined.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: there is nothing to join, or shapes differ elsewhere.
    """
    parts = tensors_of("column_stack", tensors)
    return _ops.concat([x if x.ndim > 1 else _ops.reshape(x, (-1, 1)) for x in parts], 1)


@publish(
    "numpy.stack(tensors as arrays, axis)",
    numpy="np.stack([*tensors], axis)",
    samples="(f32(2, 3), f32(2, 3)); (i32(2), i32(2)), 1; f32(2, 3), 1; f32(2, 3), -1",
    in_python=True,
)
def numpy_stack(tensors: Any, axis: int = 0) -> Any:
    """Tensors joined along a new axis.

    Args:
        tensors: of one shape, in a tuple or list, or along the first axis of one Tensor.

    Raises:
        ValueError: the shapes differ, axis is out of range, or there are none.
    """
    return _ops.stack(tensors_of("stack", tensors), axis)


@publish(
    "ops.block_diag(*inputs)",
    numpy="""np.block([[x if i == j else np.zeros((len(x), y.shape[1]), x.dtype) for j, y in enumerate(blocks)]
        for i, x in enumerate(blocks)]) if (blocks := [np.atleast_2d(x) for x in inputs]) else None""",
    samples="(f32(2, 3), f32(1, 2), f32(2), f32()); (i32(2, 2),)",
    in_python=True,
)
def block_diag(inputs: Any) -> Any:
    """Matrices along the diagonal of one, with zeros elsewhere.

    Args:
        inputs: of at most two axes; with one, a row.

    Raises:
        TypeError: inputs are no Tensors.
        ValueError: one has more axes, or there are none.
    """
    matrices = [at_least(2, item) for item in unpacked(tuple(inputs))]
    for x in matrices:
        if x.ndim > 2:
            raise ValueError(f"For 'block_diag', each input must have at most two axes, but one is of shape {x.shape}.")
    widths = [x.shape[1] for x in matrices]
    rows = [_ops.pad(x, (sum(widths[:i]), sum(widths[i + 1 :]))) for i, x in enumerate(matrices)]
    return _ops.concat(rows, 0)


@publish(
    "scipy.linalg.block_diag(*arrs)",
    numpy="""(lambda blocks: (lambda out, r, c: [out.__setitem__((slice(r[i], r[i + 1]), slice(c[i], c[i + 1])), b)
    for i, b in enumerate(blocks)] and out)(np.zeros((sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)),
    np.result_type(*blocks)), np.cumsum([0, *(b.shape[0] for b in blocks)]), np.cumsum([0, *(b.shape[1] for b in blocks)])))(
    [np.atleast_2d(b) for b in arrs])""",
    samples="(f32(2, 2), f32(1, 3), f32(2)); (i32(2, 1),); (f32(2, 0), f32(2, 2))",
)
def block_diagonal(arrs: Any) -> Any:
    """The matrix with the given ones along its diagonal, and 0 beside them. A vector is a row; without matrices (1, 0).

    Args:
        arrs: Tensors of two axes at most.

    Raises:
        ValueError: an array has more than two axes.
    """
    matrices = as_tensors(arrs if isinstance(arrs, (tuple, list)) else [arrs])
    if not matrices:
        return _ops.zeros((1, 0), core.float32)
    blocks = []
    for x in promoted(matrices):
        if x.ndim > 2:
            raise ValueError(f"For 'block_diag', arrays must have at most two axes, but one has shape {tuple(x.shape)}.")
        blocks.append(_ops.reshape(x, (*[1] * (2 - x.ndim), *x.shape)))
    width, before, rows = sum(block.shape[1] for block in blocks), 0, []
    for block in blocks:
        count, columns = block.shape
        left, right = (_ops.zeros((count, size), block.dtype) for size in (before, width - before - columns))
        rows.append(_ops.concat((left, block, right), 1))
        before += columns
    return _ops.concat(rows, 0)


@publish(
    "numpy.append",
    numpy="np.append(arr, values, axis)",
    samples="f32(2, 3), f32(4); i32(2, 3), i32(2, 1), 1",
    in_python=True,
)
def append(arr: Tensor, values: Tensor, axis: int | None = None) -> Any:
    """The values behind arr along an axis; without one, both in a single axis.

    Raises:
        ValueError: axis is out of range, or shapes differ elsewhere.
    """
    return joined((arr, values), axis)


@publish(
    "numpy.concatenate",
    numpy="np.concatenate(arrays, axis)",
    samples="(f32(2, 3), f32(1, 3)); (i32(2, 3), i32(3)), None",
    in_python=True,
)
def joined(arrays: Any, axis: int | None = 0) -> Any:
    """Joined along an axis; None: all elements in a single one.

    Args:
        arrays: a tuple or list of Tensors, or a Tensor whose slices are joined.

    Raises:
        TypeError: there is no sequence of Tensors.
        ValueError: axis is out of range, there is nothing to join, or shapes differ elsewhere.
    """
    parts = tensors_of("concatenate", arrays)
    if axis is not None:
        return _ops.concat(parts, axis)
    return _ops.concat([_ops.reshape(x, (-1,)) for x in parts], 0)


@publish("ops.ParallelConcat()(values)", numpy="np.concatenate(values)", samples="(f32(1, 3), f32(1, 3))", in_python=True)
def parallel_concat(values: Tensors) -> Any:
    """Joined along the first axis, along which each has size 1.

    Raises:
        ValueError: one has another size, or shapes differ elsewhere.
    """
    for x in values:
        if x.ndim == 0 or x.shape[0] != 1:
            raise ValueError(f"For 'ParallelConcat', each input must have size 1 along axis 0, but one is {tuple(x.shape)}.")
    return _ops.concat(values, 0)


@publish(
    "ops.ConcatOffsetV1()(axis, x)",
    numpy="""(lambda a: tuple((np.cumsum(a, 0) - a) * (np.arange(a.shape[1]) == int(axis) % a.shape[1])))(np.stack(x))""",
    samples="1, (i32(3), i32(3), i32(3)); -1, [i32(2), i32(2)]",
    in_python=True,
)
def concat_offsets(axis: Any, x: Tensors) -> Any:
    """Where each of several Tensors begins in their concatenation, by their shapes: a tuple of (rank,).

    Args:
        axis: along which they are concatenated, an int or a Tensor of one.
        x: the shapes, Tensors of integers (rank,).

    Raises:
        TypeError: x are no Tensors of integers.
        ValueError: axis is out of range.
    """
    sizes = _ops.stack(tensors_of("ConcatOffsetV1", x))
    at, rank = int_of("ConcatOffsetV1", "axis", axis), sizes.shape[1]
    check_within("ConcatOffsetV1", "axis", at, -rank, below=rank)
    before = _ops.cast(_ops.cumsum(sizes, 0), sizes.dtype) - sizes
    offsets = _ops.select(_ops.equal(_ops.arange(rank), at % rank), before, 0)
    return tuple(_ops.select_at(offsets, i, 0) for i in range(sizes.shape[0]))
