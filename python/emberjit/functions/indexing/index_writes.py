"""New elements at some positions, where others keep theirs. The names that end with an underscore write them in place.
`index_add` of mint and Tensor multiplies what is added by alpha, and takes the axis first."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import int_of, times
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, along_axis, updated

_ops = core.ops

publish_ops(
    __name__,
    """
index_add: ops.index_add ops.IndexAdd(axis, use_lock, check_index_bound)(x, indices, y)
""",
)


@publish(
    "Tensor.fill_ Tensor.copy_(value as src, non_blocking) Tensor.zero_(value := 0) ops.zero_(input, value := 0)",
    numpy="np.asarray(value).astype(input.dtype)",
    samples="f32(2, 3), 2; f32(2, 3), f32(3); i32(4), f32(4); f32(2), i32(2)",
)
def in_dtype_of(input: Tensor, value: Number, non_blocking: bool = False) -> Any:
    """value, in the dtype of input.

    Args:
        value: a number, or what broadcasts to the shape of input.
        non_blocking: has no effect.
    """
    if isinstance(value, core.Tensor):
        core.refuse_lost_part(value, input, "copy_")
        return _ops.cast(value, input.dtype)
    return _ops.full((), value, input.dtype)


@publish("ops.CopyWithSlice()(input, value)", in_python=True)
def copied_into(input: Any, value: Tensor) -> Any:
    """Writes value into input, a view or the whole of a Tensor, which is returned.

    Args:
        input: a Tensor, which is written.
        value: a Tensor that broadcasts to input's shape.

    Raises:
        ValueError: value does not broadcast to its shape.

    Examples:
        >>> x = ops.zeros((2, 2))
        >>> _ = ops.CopyWithSlice()(x[0], Tensor([1.0, 2.0]))
        >>> print(x)
        [[1. 2.]
         [0. 0.]]
    """
    return input.copy_(value)


@publish(
    """Tensor.index_fill(axis|dim, index, value) ops.index_fill(input as x, axis, index, value)
    Tensor.index_fill_(axis as dim, index, value) ops.IndexFill()(input as x, axis as dim, index, value)""",
    numpy="(lambda x: (x.__setitem__((slice(None),) * axis + (index,), value), x)[1])(input.copy())",
    samples="f32(3, 4), 1, i64(2) % 4, 7; f32(3, 4), 0, i64(2) % 3, 0.5",
)
def index_fill(input: Tensor, axis: int, index: Tensor, value: Number) -> Any:
    """input with a number at positions along an axis.

    Args:
        index: a 1-d Tensor of integers.

    Raises:
        IndexError: a position is out of range.
        ValueError: axis is out of range.
    """
    axis = int_of("index_fill", "axis", axis)
    return along_axis("index_fill", input, axis, lambda x, at: updated(x, along(at, index), value))


@publish(
    "ops.TensorCopySlices()(x, value, begin, end, strides)",
    numpy="(lambda y: (y.__setitem__(tuple(map(slice, begin, end, strides)), value), y)[1])(x.copy())",
    samples="""f32(5, 5), f32(2, 5), (3, 0), (5, 5), (1, 1); i32(4, 3), i32(2, 1), (0, 1), (4, 2), (2, 1);
    f32(4), f32(2), (1,), (3,), (1,)""",
)
def with_slices(x: Tensor, value: Tensor, begin: Ints, end: Ints, strides: Ints) -> Any:
    """x with a value in the region begin[i]:end[i]:strides[i] of each axis.

    Raises:
        IndexError: there are more of them than axes.
        ValueError: the value does not broadcast to the region.
    """
    whole = _ops.identity(x)
    whole[tuple(map(slice, begin, end, strides))] = value
    return whole


@publish(
    "Tensor.index_copy_",
    numpy="(lambda x: (x.__setitem__((slice(None),) * dim + (index,), source), x)[1])(input.copy())",
    samples="f32(3, 4), 1, i64(1) % 4, f32(3, 1); f32(3, 4), 0, i64(1) % 3, f32(1, 4)",
)
def index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
    """input with source at positions along an axis; of equal positions the last counts.

    Args:
        index: a 1-d Tensor of integers.
        source: of input's shape, but for the axis, which is as long as index.

    Raises:
        IndexError: a position is out of range.
        ValueError: dim is out of range, or the shapes do not fit.
    """
    return along_axis("index_copy", input, dim, lambda x, at: updated(x, along(at, index), source))


@publish(
    """Tensor.index_add(dim|axis, index, source, *, alpha) Tensor.index_add_(dim, index, source, *, alpha)
    mint.index_add(input, dim, index, source, *, alpha)""",
    numpy="(lambda x: (np.add.at(x, (slice(None),) * dim + (index,), alpha * source), x)[1])(input.copy())",
    samples="f32(3, 4), 1, i64(2) % 4, f32(3, 2); f32(3, 4), 0, i64(2) % 3, f32(2, 4), 2",
)
def scaled_index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number = 1) -> Any:
    """input with alpha * source added at positions along an axis, in their order.

    Args:
        index: a 1-d Tensor of integers.
        source: of input's shape, but for the axis, which is as long as index.

    Raises:
        IndexError: a position is out of range.
        ValueError: dim is out of range, or the shapes do not fit.
    """
    return _ops.index_add(input, index, times(source, alpha), dim)


@publish(
    """Tensor.index_put Tensor.index_put_ ops.index_put(input, indices, values, accumulate) mint.index_put
    ops.IndexPut(accumulate: int = 0)(input as x1, values as x2, indices)""",
    numpy="""(lambda x: (np.add.at(x, indices, values) if accumulate else x.__setitem__(indices, values), x)[1])(
    input.copy())""",
    samples="""f32(3, 4), (i64(2) % 3, i64(2) % 4), f32(2), True; f32(3, 4), (i64(1) % 3,), f32(4);
    f32(5), (i64(3) % 5,), f32(1), True""",
    in_python=True,
)
def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Any:
    """input with input[indices] = values, or += values in the order of the positions.

    Args:
        indices: a tuple or list of Tensors of integers or bools.
        accumulate: whether values are added.

    Raises:
        IndexError: a position is out of range.
        ValueError: values do not broadcast to what is indexed.
    """
    core.refuse_lost_part(values, input, "index_put")
    index = tuple(indices) if isinstance(indices, (tuple, list)) else (indices,)
    if not accumulate:
        return updated(input, index, values)
    at = _ops.arange(input.size).reshape(input.shape)[index]
    added = _ops.cast(_ops.broadcast_to(values, at.shape), input.dtype)
    flat = _ops.index_add(input.reshape((-1,)), at.reshape((-1,)), added.reshape((-1,)), 0)
    return flat.reshape(input.shape)


@publish(
    "Tensor.put_ ops.put_",
    numpy="""(lambda x: (np.add.at(x.reshape(-1), index, source) if accumulate else x.reshape(-1).__setitem__(index, source),
    x)[1])(input.copy())""",
    samples="f32(3, 4), i64(1) % 12, f32(1); f32(3, 4), i64(5) % 12, f32(5), True",
)
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Any:
    """input with source at positions among all elements, or added there in their order.

    Args:
        index: integers.
        source: of index's shape.
        accumulate: whether source is added.

    Raises:
        IndexError: a position is out of range.
    """
    flat = _ops.reshape(input, (-1,))
    at, values = _ops.reshape(index, (-1,)), _ops.reshape(source, (-1,))
    result = _ops.index_add(flat, at, values, 0) if accumulate else updated(flat, at, values)
    return _ops.reshape(result, input.shape)


@publish(
    "Tensor.fill_diagonal Tensor.fill_diagonal_ ops.FillDiagonal(fill_value, wrap)(input as input_x)",
    numpy="(lambda x: (np.fill_diagonal(x, fill_value, wrap), x)[1])(input.copy())",
    samples="f32(3, 4), 2; f32(7, 2), 1, True; f32(7, 2), 1; f32(3, 3, 3), 5",
)
def fill_diagonal(input: Tensor, fill_value: Number, wrap: bool = False) -> Any:
    """input with a number along its main diagonal, which goes on below a tall matrix with `wrap`.

    Raises:
        ValueError: input has one axis, or more than two of several sizes.
    """
    shape = tuple(input.shape)
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ValueError(
            f"For 'fill_diagonal', an input of shape {shape} has no diagonal: two axes, or several of one size."
        )
    step = sum(shape[-1] ** d for d in range(len(shape)))
    count = -(-input.size // step) if wrap and len(shape) == 2 else min(shape)
    flat = updated(_ops.reshape(input, (-1,)), _ops.arange(count) * step, fill_value)
    return _ops.reshape(flat, shape)


@publish(
    """ops.inplace_index_add(input as var: ref, indices, updates, axis)
    ops.InplaceIndexAdd(axis)(input as var: ref, indices, updates)""",
    in_python=True,
)
def inplace_index_add(input: Any, indices: Tensor, updates: Tensor, axis: int) -> Any:
    """Adds updates to a Parameter at positions along an axis, in their order.

    Args:
        indices: a 1-d Tensor of integers.
        updates: of the Parameter's shape, but for the axis, which is as long as indices.

    Raises:
        IndexError: a position is out of range.
        ValueError: axis is out of range, or the shapes do not fit.

    Examples:
        >>> var = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> _ = ops.inplace_index_add(var, Tensor([0, 0]), Tensor([[10.0, 0.0], [20.0, 0.0]]), 0)
        >>> print(var.asnumpy())
        [[31.  2.]
         [ 3.  4.]]
    """
    return _ops.assign(input, _ops.index_add(input, indices, updates, axis))


@publish(
    "Tensor.itemset(*args)",
    numpy="(lambda y: [y.__setitem__(args[0] if len(args) == 2 else (), args[-1]), y][1])(input.copy())",
    samples="f32(2, 3), ((1, 2), 7.5); i32(1), (4,)",
    in_python=True,
)
def itemset(input: Tensor, args: Any) -> Any:
    """A copy with another element: itemset(value) of a single one, itemset(index, value).

    Args:
        args: the index is an int among all elements, or a tuple of one for each axis.

    Raises:
        ValueError: there are other arguments, or no index, and not one element.
        IndexError: the index is out of range.
    """
    *index, value = args
    if len(index) > 1 or (not index and input.size != 1):
        raise ValueError(
            f"For 'itemset', a value, after an index if there are {input.size} elements, is needed, but got {args}."
        )
    at = index[0] if index else 0
    whole = _ops.identity(input if isinstance(at, tuple) else _ops.reshape(input, (-1,)))
    whole[at] = value
    return _ops.reshape(whole, input.shape)
