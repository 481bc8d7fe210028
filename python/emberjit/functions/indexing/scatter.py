"""Updates at positions, applied in their order: tensor_scatter_* and Tensor's give a new Tensor, by rows of indices or along
an axis; scatter_* and scatter_nd_* write a Parameter; select_, slice_ and diagonal_scatter replace a part."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_dtype, check_within
from emberjit.functions.arguments import portion_of
from emberjit.functions.indexing.gather import columns_of
from emberjit.functions.reductions.segments import reduced_at
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
tensor_scatter_elements: ops.tensor_scatter_elements ops.TensorScatterElements(axis, reduction)(input_x, indices, updates)
""",
)

_REFERENCES = {
    "update": "x.__setitem__({at}, updates)",
    **{name: f"np.{name}.at(x, {{at}}, updates)" for name in ("add", "subtract", "multiply", "maximum", "minimum")},
    "divide": """[x.__setitem__(i, (x[i] / u).astype(x.dtype)) for i, u in
    zip(zip(*(a.ravel() for a in {at})), updates.reshape(-1, *updates.shape[indices.ndim - 1:]))]""",
}


_FAMILY = {  # by MindSpore's word: NumPy's name, and what becomes of an element
    "update": ("update", "the update"),
    "add": ("add", "its sum with the update"),
    "sub": ("subtract", "its difference from the update"),
    "mul": ("multiply", "its product with the update"),
    "div": ("divide", "its quotient by the update; of integers truncated, and 0 if that is by zero"),
    "max": ("maximum", "the larger of it and the update"),
    "min": ("minimum", "the smaller of it and the update"),
}


_SHOWN = {  # what examples print: [3, 3, 3] with the updates 2 and 4 at 0 and 2
    **{"update": "[2. 3. 4.]", "add": "[5. 3. 7.]", "sub": "[ 1.  3. -1.]", "mul": "[ 6.  3. 12.]"},
    **{"div": "[1.5  3.   0.75]", "max": "[3. 3. 4.]", "min": "[2. 3. 3.]"},
}


def _updated(function: str, how: str, input: Tensor, columns: tuple[Any, ...], updates: Tensor) -> Any:
    """input with updates at indices into its first axes.

    Raises:
        TypeError: updates is of another dtype, or indices are not of int32 or int64.
        ValueError: updates does not have the shape of the indices and the input's other axes.
        IndexError: an index is out of range.
    """
    depth = len(columns)
    expected = (*columns[0].shape, *input.shape[depth:])
    if updates.dtype != input.dtype:
        raise TypeError(f"For '{function}', 'updates' must be {input.dtype} as the input is, but got {updates.dtype}.")
    check_dtype(function, "indices", columns[0], core.int32, core.int64)
    if tuple(updates.shape) != expected:
        raise ValueError(
            f"For '{function}', the shape of 'updates' must be {expected}, that of the indices and the rest of the input's "
            f"{tuple(input.shape)}, but got {tuple(updates.shape)}."
        )
    axes = tuple(range(depth))
    if how == "update":
        return _ops.scatter_axes(input, updates, columns, axes)
    shape, rest = tuple(input.shape), tuple(input.shape[depth:])
    at = _ops.reshape(columns[0] if depth == 1 else _ops.flat_positions(columns, shape, axes), (-1,))
    flat = _ops.reshape(input, (math.prod(shape[:depth]), *rest))
    result = reduced_at(flat, at, _ops.reshape(updates, (math.prod(columns[0].shape), *rest)), how)
    return _ops.reshape(result, shape)


_ERRORS = """
    Raises:
        TypeError: updates is of another dtype than the input, or indices are not of int32 or int64.
        ValueError: the shapes do not fit.
        IndexError: an index is out of range.
    """


_ROWS_DOC = """

    Args:
        indices: integers; a row of k along the last axis indexes the first k axes of input_x.
        updates: of indices' shape without the last axis, followed by input_x's other axes.
"""


_INDEX_DOC = """

    Args:
        indices: integers.
        updates: of indices' shape, followed by input_x's axes but the first.
"""


_LOCKING_DOC = """        use_locking: has no effect.
"""


def _example(function: str, indices: str, how: str) -> str:
    return f"""
    Examples:
        >>> x = Parameter(Tensor([3.0, 3.0, 3.0]))
        >>> _ = ops.{function}_{how}(x, Tensor({indices}), Tensor([2.0, 4.0]))
        >>> print(x.asnumpy())
        {_SHOWN[how]}
    """


def _declare(how: str, numpy_name: str, result: str) -> None:
    """The functions of one word: on a new Tensor, and on a Parameter by rows of indices and by indices of slices."""

    def new(input_x: Tensor, indices: Tensor, updates: Tensor) -> Any:
        function = f"tensor_scatter_{how}"
        return _updated(function, how, input_x, columns_of(function, indices, input_x.ndim), updates)

    def by_rows(input_x: Any, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Any:
        function = f"scatter_nd_{how}"
        result = _updated(function, how, input_x, columns_of(function, indices, input_x.ndim), updates)
        return _ops.assign(input_x, result)

    def by_index(input_x: Any, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Any:
        return _ops.assign(input_x, _updated(f"scatter_{how}", how, input_x, (indices,), updates))

    new.__name__, by_rows.__name__ = f"tensor_scatter_{how}", f"scatter_nd_{how}"
    by_index.__name__ = f"variable_scatter_{how}"
    word, locking = how.title(), "use_locking = True" if how == "update" else "use_locking"
    new.__doc__ = f"""input_x, in which an element that a row of indices names is {result}.{_ROWS_DOC}{_ERRORS}"""
    by_rows.__doc__ = f"Writes into input_x where a row of indices names an element: it becomes {result}."
    by_rows.__doc__ += _ROWS_DOC + _LOCKING_DOC + _ERRORS.rstrip(" ") + _example("scatter_nd", "[[0], [2]]", how)
    by_index.__doc__ = f"Writes into input_x where indices name slices along its first axis: an element becomes {result}."
    by_index.__doc__ += _INDEX_DOC + _LOCKING_DOC + _ERRORS.rstrip(" ") + _example("scatter", "[0, 2]", how)
    method = "" if how == "update" else f"Tensor.scatter_{how}(indices, updates)"
    reference = _REFERENCES[numpy_name].format(at="tuple(np.moveaxis(indices, -1, 0))")
    publish(
        f"ops.tensor_scatter_{how} ops.TensorScatter{word} {method}",
        numpy=f"(lambda x: ({reference}, x)[1])(input_x.copy())",
        samples="""f32(3, 4), i64(2, 1) % 3, f32(2, 4) + 3; f32(3, 4, 2), i64(4, 2) % 3, f32(4, 2) + 3;
        i32(4), i64(2, 3, 1) % 4, i32(2, 3) * 2 + 1""",
    )(new)
    others = " ops.ScatterNonAliasingAdd()(input_x: ref, indices, updates)" if how == "add" else ""
    publish(
        f"""ops.scatter_nd_{how}(input_x: ref, indices, updates, use_locking)
        ops.ScatterNd{word}({locking})(input_x: ref, indices, updates){others}""",
        in_python=True,
    )(by_rows)
    publish(
        f"""ops.scatter_{how}(input_x: ref, indices, updates)
        ops.Scatter{word}({locking})(input_x: ref, indices, updates)""",
        in_python=True,
    )(by_index)


for _how, (_numpy, _result) in _FAMILY.items():
    _declare(_how, _numpy, _result)


@publish(
    """ops.scatter_nd ops.ScatterNd()(indices, updates as update, shape)
    ops.SparseToDense()(indices, updates as values, shape as sparse_shape)""",
    numpy="(lambda x: (np.add.at(x, tuple(np.moveaxis(indices, -1, 0)), updates), x)[1])(np.zeros(shape, updates.dtype))",
    samples="i64(5, 1) % 3, f32(5, 4), (3, 4); i64(2, 3, 2) % 3, f32(2, 3), (3, 4); i64(4, 1) % 6, i32(4), (6,)",
)
def scatter_nd(indices: Tensor, updates: Tensor, shape: Ints) -> Any:
    """Zeros of a shape with updates added where rows of indices name elements, or slices of other axes, in their order.

    Args:
        indices: integers; a row of k along the last axis indexes the first k axes of the shape.
        updates: of indices' shape without the last axis, followed by the shape's other axes.

    Raises:
        ValueError: the shapes do not fit.
        IndexError: an index is out of range.
    """
    zeros = _ops.zeros(shape, updates.dtype)
    return _updated("scatter_nd", "add", zeros, columns_of("scatter_nd", indices, zeros.ndim), updates)


def _rows(function: str, indices: Any) -> Any:
    """Indices into a first axis: an int, a tuple or list of ints, or a Tensor.

    Raises:
        TypeError: they are something else.
    """
    if isinstance(indices, core.Tensor):
        return indices
    items = (indices,) if isinstance(indices, int) else indices
    if isinstance(indices, bool) or not (isinstance(items, (tuple, list)) and all(isinstance(i, int) for i in items)):
        raise TypeError(f"For '{function}', 'indices' must be an int, a tuple of ints or a Tensor, but got {indices!r}.")
    return core.Tensor(list(items), core.int64)


def _declare_inplace(how: str, numpy_name: str, result: str) -> None:
    def inplace(x: Tensor, v: Tensor, indices: Any) -> Any:
        return _updated(f"inplace_{how}", how, x, (_rows(f"inplace_{how}", indices),), v)

    inplace.__name__ = f"inplace_{how}"
    inplace.__doc__ = f"""A copy of x, where indices name slices along the first axis: an element becomes {result}.

    Args:
        v: of x's shape, but as long as indices along the first axis.
        indices: an int, a tuple of ints, or a Tensor.

    Raises:
        TypeError: v is of another dtype than x.
        ValueError: the shapes do not fit.
        IndexError: an index is out of range.
    """
    reference = _REFERENCES[numpy_name].format(at="np.atleast_1d(indices)").replace("updates", "v")
    operand = "x, v" if how == "update" else "x, v as input_v"
    further = " Tensor.inplace_update ops.InplaceUpdateV2()(x, indices, v)" if how == "update" else ""
    publish(
        f"ops.inplace_{how} ops.Inplace{how.title()}(indices)({operand}){further}",
        numpy=f"(lambda x: ({reference}, x)[1])(x.copy())",
        samples="f32(3, 4), f32(2, 4), (2, 0); f32(3, 4), f32(1, 4), 1; f32(3, 2), f32(1, 2), (-1,)",
    )(inplace)


for _how in ("update", "add", "sub"):
    _declare_inplace(_how, *_FAMILY[_how])


@publish(
    """Tensor.scatter_add Tensor.scatter_add_ mint.scatter_add
    ops.ScatterAddWithAxis(dim as axis = 0)(input as input_x, index as indices, src as updates)""",
    numpy="""(lambda x: (np.add.at(x, tuple(index if d == dim else g for d, g in enumerate(np.indices(index.shape))), src),
    x)[1])(input.copy())""",
    samples="f32(3, 4), 1, i64(3, 5) % 4, f32(3, 5); f32(3, 4), 0, i64(2, 4) % 3, f32(2, 4)",
)
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Any:
    """input with src added at the positions that index names along an axis, in their order.

    Args:
        index: integers, of input's rank.
        src: of index's shape or larger, which counts as far as index goes.

    Raises:
        IndexError: a position is out of range.
        ValueError: dim is out of range, or the shapes do not fit.
    """
    return _ops.tensor_scatter_elements(input, index, portion_of("scatter_add", index, src), dim, "add")


def _source(function: str, input: Tensor, index: Tensor, src: Number) -> Any:
    """What is put in at the positions of index, in its shape."""
    return portion_of(function, index, src) if isinstance(src, core.Tensor) else _ops.full(index.shape, src, input.dtype)


@publish(
    """Tensor.scatter(dim|axis, index, src) ops.scatter(input, dim as axis, index, src)
    Tensor.scatter_(dim, index, src|value) mint.scatter(input, dim, index, src)""",
    numpy="(lambda x: (np.put_along_axis(x, index, src, dim), x)[1])(input.copy())",
    samples="f32(3, 4), 1, i64(3, 1) % 4, f32(3, 1); f32(3, 4), 0, i64(1, 4) % 3, 2",
)
def scatter(input: Tensor, dim: int, index: Tensor, src: Number) -> Any:
    """input with src at the positions that index names along an axis; of equal positions the last counts.

    Args:
        index: integers, of input's rank.
        src: of index's shape or larger, which counts as far as index goes; or a number.

    Raises:
        IndexError: a position is out of range.
        ValueError: dim is out of range, or the shapes do not fit.
    """
    return _ops.tensor_scatter_elements(input, index, _source("scatter", input, index, src), dim)


@publish(
    "Tensor.scatter(dim, index, src, reduce: str = ...) Tensor.scatter_(dim, index, src|value, *, reduce: str = ...)",
    numpy="""(lambda x, at: (x.__setitem__(at, src) if reduce == 'none' else getattr(np, reduce).at(x, at, src), x)[1])(
    input.copy(), tuple(index if d == dim else g for d, g in enumerate(np.indices(index.shape))))""",
    samples="""f32(3, 4), 1, i64(3, 5) % 4, f32(3, 5), 'add'; f32(3, 4), 0, i64(2, 4) % 3, f32(2, 4) + 2, 'multiply';
    f32(3, 4), 0, i64(2, 4) % 3, 2, 'multiply'; f32(3, 4), 1, i64(3, 1) % 4, f32(3, 1), 'none'""",
)
def reduced_scatter(input: Tensor, dim: int, index: Tensor, src: Number, reduce: str) -> Any:
    """input with src put in at the positions that index names along an axis, in their order.

    Args:
        index: integers, of input's rank.
        src: of index's shape or larger, which counts as far as index goes; or a number.
        reduce: "add" adds it to what is there, "multiply" multiplies, "none" replaces that.

    Raises:
        IndexError: a position is out of range.
        ValueError: reduce is something else, dim is out of range, or the shapes do not fit.
    """
    check_choice("scatter", "reduce", reduce, "none", "add", "multiply")
    values = _source("scatter", input, index, src)
    if reduce == "multiply":
        return _ops.tensor_scatter_reduce(input, index, values, dim, "mul")
    return _ops.tensor_scatter_elements(input, index, values, dim, reduce)


def _check_part(function: str, part: Tensor, src: Tensor, input: Tensor) -> None:
    if src.dtype != input.dtype:
        raise TypeError(f"For '{function}', 'src' must be {input.dtype} as the input is, but got {src.dtype}.")
    if tuple(part.shape) != tuple(src.shape):
        raise ValueError(
            f"For '{function}', the shape of 'src' must be the part's, {tuple(part.shape)}, but got {tuple(src.shape)}."
        )


@publish(
    "ops.select_scatter Tensor.select_scatter",
    numpy="(lambda x: (np.moveaxis(x, axis, 0).__setitem__(index, src), x)[1])(input.copy())",
    samples="f32(3, 4), f32(4), 0, 1; f32(3, 4), f32(3), -1, -2",
)
def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Any:
    """input with the slice at an index along an axis replaced.

    Raises:
        TypeError: src is of another dtype.
        ValueError: axis is out of range, or src has not the slice's shape.
        IndexError: index is out of range.
    """
    at = along(checked_axis("select_scatter", input, axis), index)
    _check_part("select_scatter", input[at], src, input)
    whole = _ops.identity(input)
    whole[at] = src
    return whole


@publish(
    "ops.slice_scatter Tensor.slice_scatter",
    numpy="""(lambda x: (np.moveaxis(x, axis, 0).__setitem__(slice(start, end, step), np.moveaxis(src, axis, 0)),
    x)[1])(input.copy())""",
    samples="f32(4, 3), f32(2, 3), 0, 1, 3; f32(4, 6), f32(4, 3), -1, None, None, 2; f32(4), f32(4)",
)
def slice_scatter(
    input: Tensor, src: Tensor, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """input with the slices start:end:step along an axis replaced.

    Raises:
        TypeError: src is of another dtype.
        ValueError: axis is out of range, step not positive, or src has not the part's shape.
    """
    check_within("slice_scatter", "step", step, above=0)
    at = along(checked_axis("slice_scatter", input, axis), slice(start, end, step))
    _check_part("slice_scatter", input[at], src, input)
    whole = _ops.identity(input)
    whole[at] = src
    return whole


@publish(
    "ops.diagonal_scatter Tensor.diagonal_scatter",
    numpy="""(lambda x, v: (v[0].__setitem__((np.arange(src.shape[-1]) - min(offset, 0), np.arange(src.shape[-1]) +
    max(offset, 0)), np.moveaxis(src, -1, 0)), x)[1])(
    *(lambda x: (x, [np.moveaxis(x, (dim1, dim2), (0, 1))]))(input.copy()))""",
    samples="f32(3, 4), f32(3); f32(3, 4), f32(2), -1; f32(2, 3, 3), f32(2, 2), 1, 1, 2",
)
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """input with a diagonal replaced.

    Args:
        src: of the diagonal's shape: the other axes, and then along it.
        offset: how far the diagonal is above the main one.
        dim1, dim2: the axes of the matrices.

    Raises:
        TypeError: src is of another dtype.
        ValueError: an axis is out of range, or src has not the diagonal's shape.
    """
    _check_part("diagonal_scatter", _ops.diagonal(input, offset, dim1, dim2), src, input)
    first, second = (checked_axis("diagonal_scatter", input, axis) for axis in (dim1, dim2))
    at = _ops.arange(src.shape[-1])
    rest = [axis for axis in range(input.ndim) if axis not in (first, second)]
    order = (first, second, *rest)
    front = _ops.transpose(input, order)
    values = _ops.transpose(src, (src.ndim - 1, *range(src.ndim - 1)))
    result = _ops.scatter_axes(front, values, (at - min(offset, 0), at + max(offset, 0)), (0, 1))
    return _ops.transpose(result, tuple(order.index(axis) for axis in range(input.ndim)))
