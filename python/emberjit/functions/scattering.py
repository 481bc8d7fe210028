"""Updates at positions that rows of indices name: tensor_scatter_* give a new Tensor, scatter_* and scatter_nd_* write a
Parameter. Updates of one element apply in the order of their positions."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import portion_of
from emberjit.functions.segments import reduced_at
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.op_table

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


def _columns(function: str, indices: Tensor, rank: int) -> tuple[Any, ...]:
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
    return tuple(_ops["select_at"](indices, i, -1) for i in range(depth))


def _updated(function: str, how: str, input: Tensor, columns: tuple[Any, ...], updates: Tensor) -> Any:
    """input with updates at indices into its first axes.

    Raises:
        TypeError: updates is of another dtype, or indices are not of int32 or int64.
        ValueError: updates does not have the shape of the indices and the input's other axes.
        IndexError: an index is out of range.
    """
    depth = len(columns)
    wanted = (*columns[0].shape, *input.shape[depth:])
    if updates.dtype != input.dtype:
        raise TypeError(f"For '{function}', 'updates' must be {input.dtype} as the input is, but got {updates.dtype}.")
    if columns[0].dtype not in (core.int32, core.int64):
        raise TypeError(f"For '{function}', 'indices' must be int32 or int64, but got {columns[0].dtype}.")
    if tuple(updates.shape) != wanted:
        raise ValueError(
            f"For '{function}', the shape of 'updates' must be {wanted}, that of the indices and the rest of the input's "
            f"{tuple(input.shape)}, but got {tuple(updates.shape)}."
        )
    axes = tuple(range(depth))
    if how == "update":
        return _ops["scatter_axes"](input, updates, columns, axes)
    shape, rest = tuple(input.shape), tuple(input.shape[depth:])
    at = _ops["reshape"](columns[0] if depth == 1 else _ops["flat_positions"](columns, shape, axes), (-1,))
    flat = _ops["reshape"](input, (math.prod(shape[:depth]), *rest))
    made = reduced_at(flat, at, _ops["reshape"](updates, (math.prod(columns[0].shape), *rest)), how)
    return _ops["reshape"](made, shape)


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


def _declare(how: str, numpy_name: str, result: str) -> None:
    """The functions of one word: on a new Tensor, and on a Parameter by rows of indices and by indices of slices."""

    def new(input_x: Tensor, indices: Tensor, updates: Tensor) -> Any:
        function = f"tensor_scatter_{how}"
        return _updated(function, how, input_x, _columns(function, indices, input_x.ndim), updates)

    def by_rows(input_x: Any, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Any:
        function = f"scatter_nd_{how}"
        made = _updated(function, how, input_x, _columns(function, indices, input_x.ndim), updates)
        return _ops["assign"](input_x, made)

    def by_index(input_x: Any, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Any:
        return _ops["assign"](input_x, _updated(f"scatter_{how}", how, input_x, (indices,), updates))

    new.__name__, by_rows.__name__ = f"tensor_scatter_{how}", f"scatter_nd_{how}"
    by_index.__name__ = f"variable_scatter_{how}"
    word, locking = how.title(), "use_locking = True" if how == "update" else "use_locking"
    new.__doc__ = f"""input_x, in which an element that a row of indices names is {result}.{_ROWS_DOC}{_ERRORS}"""
    by_rows.__doc__ = f"Writes into input_x where a row of indices names an element: it becomes {result}."
    by_rows.__doc__ += _ROWS_DOC + _LOCKING_DOC + _ERRORS
    by_index.__doc__ = f"Writes into input_x where indices name slices along its first axis: an element becomes {result}."
    by_index.__doc__ += _INDEX_DOC + _LOCKING_DOC + _ERRORS
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
    columns = _columns("gather_nd", indices, input_x.ndim)
    if len(columns) == 1:
        return _ops["gather"](input_x, columns[0], 0)
    return _ops["gather_axes"](input_x, columns, tuple(range(len(columns))))


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
    zeros = _ops["zeros"](shape, updates.dtype)
    return _updated("scatter_nd", "add", zeros, _columns("scatter_nd", indices, zeros.ndim), updates)


def _rows(function: str, indices: Any) -> Any:
    """Indices into a first axis: an int, a tuple or list of ints, or a Tensor.

    Raises:
        TypeError: they are something else.
    """
    if isinstance(indices, core.Tensor):
        return indices
    found = (indices,) if isinstance(indices, int) else indices
    if isinstance(indices, bool) or not (isinstance(found, (tuple, list)) and all(isinstance(i, int) for i in found)):
        raise TypeError(f"For '{function}', 'indices' must be an int, a tuple of ints or a Tensor, but got {indices!r}.")
    return core.Tensor(list(found), core.int64)


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
    """
    return _ops["assign"](input, _ops["index_add"](input, indices, updates, axis))


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
    return _ops["tensor_scatter_elements"](input, index, portion_of("scatter_add", index, src), dim, "add")
