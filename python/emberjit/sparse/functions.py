"""Functions of sparse tensors. Those of one variable have the op's name after csr_ or coo_: csr_cos(x) is x with the cosines
of its stored elements, also where the op takes 0 to another number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance, check_rank, check_within
from emberjit.publish.registry import find
from emberjit.sparse import UNARY
from emberjit.sparse.tensors import (
    COOTensor,
    CSRTensor,
    RowTensor,
    SparseTensor,
    added_at,
    dense_to_coo,
    dense_to_csr,
    row_pointers,
    rows_of,
)

_ops = core.ops
dense_to_sparse_coo, dense_to_sparse_csr = dense_to_coo, dense_to_csr


_POSITIONS = {COOTensor: "Tensor([[0, 1], [1, 0]])", CSRTensor: "Tensor([0, 1, 2]), Tensor([1, 0])"}


def _of_values(prefix: str, kind: type[SparseTensor], name: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        if not isinstance(x, kind):
            raise TypeError(f"For '{prefix}_{name}', 'x' must be a {kind.__name__}, but got {type(x).__name__}.")
        return x.with_values(find("ops", "reciprocal" if name == "inv" else name)(x.values))

    function.__name__ = function.__qualname__ = f"{prefix}_{name}"
    function.__doc__ = f"""x with ops.{name}() of its stored elements.

    Args:
        x: a {kind.__name__}.

    Returns:
        A {kind.__name__} of the same positions.

    Raises:
        TypeError: x is none.

    Examples:
        >>> x = ms.{kind.__name__}({_POSITIONS[kind]}, Tensor([1.0, 1.0]), (2, 2))
        >>> y = ops.{prefix}_{name}(x)
        >>> print((y.values == ops.{name}(x.values)).all(), y.shape)
        True (2, 2)
    """
    return function


def __getattr__(name: str) -> Any:
    prefix, _, unary = name.partition("_")
    if prefix not in ("coo", "csr") or unary not in UNARY:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    function = _of_values(prefix, CSRTensor if prefix == "csr" else COOTensor, unary)
    return globals().setdefault(name, function)


def coo2csr(row_indices: Any, height: int) -> Any:
    """Where each of `height` rows begins among elements in the order of their rows, and the last ends.

    Args:
        row_indices: rows of elements, in ascending order, a Tensor (nnz,).
        height: how many rows there are.

    Returns:
        A Tensor (height + 1,).

    Examples:
        >>> print(ops.coo2csr(Tensor([0, 0, 2]), 3))
        [0 2 2 3]
    """
    return row_pointers(row_indices, height)


def csr2coo(indptr: Any, nnz: int) -> Any:
    """The rows of nnz elements, by where rows begin.

    Args:
        indptr: where each row begins, and the last ends, a Tensor (rows + 1,).
        nnz: how many elements there are.

    Returns:
        A Tensor (nnz,).

    Examples:
        >>> print(ops.csr2coo(Tensor([0, 2, 2, 3]), 3))
        [0 0 2]
    """
    return rows_of(indptr, nnz)


def csr_to_coo(tensor: Any) -> COOTensor:
    """A CSRTensor as a COOTensor.

    Args:
        tensor: a CSRTensor.

    Returns:
        A COOTensor of the same elements.

    Raises:
        TypeError: it is no CSRTensor.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_to_coo(x).indices)
        [[0 1]
         [1 0]]
    """
    return _checked("csr_to_coo", tensor).to_coo()


def csr_to_dense(csr_tensor: Any) -> Any:
    """A CSRTensor as a Tensor.

    Args:
        csr_tensor: a CSRTensor.

    Returns:
        A new Tensor, with zeros where nothing is stored.

    Raises:
        TypeError: it is no CSRTensor.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_to_dense(x))
        [[0. 1.]
         [2. 0.]]
    """
    return _checked("csr_to_dense", csr_tensor).to_dense()


def _checked(name: str, tensor: Any) -> CSRTensor:
    if not isinstance(tensor, CSRTensor):
        raise TypeError(f"For '{name}', the argument must be a CSRTensor, but got {type(tensor).__name__}.")
    return tensor


def csr_add(a: Any, b: Any, alpha: Any, beta: Any) -> CSRTensor:
    """alpha * a + beta * b of CSRTensors.

    Args:
        a, b: CSRTensors of one shape.
        alpha, beta: a number, or a Tensor of one.

    Returns:
        A CSRTensor with the positions of both.

    Raises:
        TypeError: a or b is no CSRTensor.
        ValueError: their shapes differ.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_add(x, x, Tensor(1.0), Tensor(3.0)).to_dense())
        [[0. 4.]
         [8. 0.]]
    """
    return _checked("csr_add", a).add(b, alpha, beta)


def csr_mul(x: Any, y: Any) -> CSRTensor:
    """A CSRTensor times a Tensor that broadcasts to it, or a number.

    Args:
        x: a CSRTensor.
        y: a Tensor that broadcasts to it, or a number.

    Returns:
        A CSRTensor.

    Raises:
        TypeError: x is no CSRTensor.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_mul(x, Tensor([[3.0], [4.0]])).to_dense())
        [[0. 3.]
         [8. 0.]]
    """
    return _checked("csr_mul", x) * y  # type: ignore[no-any-return]


def csr_div(x: Any, y: Any) -> CSRTensor:
    """A CSRTensor by a Tensor that broadcasts to it, or a number.

    Args:
        x: a CSRTensor.
        y: a Tensor that broadcasts to it, or a number.

    Returns:
        A CSRTensor.

    Raises:
        TypeError: x is no CSRTensor.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_div(x, 4.0).to_dense())
        [[0.   0.25]
         [0.5  0.  ]]
    """
    return _checked("csr_div", x) / y  # type: ignore[no-any-return]


def csr_mv(csr_tensor: Any, dense: Any) -> Any:
    """The product of a CSRTensor and a column.

    Args:
        csr_tensor: a CSRTensor (m, n).
        dense: a Tensor (n, 1).

    Returns:
        A Tensor (m, 1).

    Raises:
        TypeError: csr_tensor is none.
        ValueError: sizes do not fit.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_mv(x, Tensor([[3.0], [4.0]])))
        [[4.]
         [6.]]
    """
    return _checked("csr_mv", csr_tensor).mv(dense)


def _transposed(matrix: Any, transpose: bool, conjugate: bool) -> Any:
    if not transpose and not conjugate:
        return matrix
    if isinstance(matrix, CSRTensor):
        coo = matrix.to_coo()
        flipped = COOTensor(_ops.flip(coo.indices, 1), coo.values, (matrix.shape[1], matrix.shape[0]))
        flipped = flipped.with_values(_ops.conj(flipped.values)) if conjugate else flipped
        return flipped.to_csr()
    dense = _ops.swapaxes(matrix, 0, 1)
    return _ops.conj(dense) if conjugate else dense


def csr_mm(
    a: Any, b: Any, trans_a: bool = False, trans_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False
) -> Any:
    """The product of a CSRTensor and a Tensor or CSRTensor, of which either may be transposed, or its adjoint taken.

    Args:
        a: a CSRTensor.
        b: a Tensor or CSRTensor.
        trans_a, trans_b: whether the one is transposed first.
        adjoint_a, adjoint_b: whether it is transposed and conjugated.

    Returns:
        A Tensor; a CSRTensor if b is one.

    Raises:
        TypeError: a is no CSRTensor.
        ValueError: sizes do not fit.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_mm(x, Tensor([[1.0, 0.0], [0.0, 1.0]]), trans_a=True))
        [[0. 2.]
         [1. 0.]]
    """
    return _transposed(_checked("csr_mm", a), trans_a, adjoint_a).mm(_transposed(b, trans_b, adjoint_b))


def csr_gather(indptr: Any, indices: Any, dense: Any, sparse_shape: tuple[int, ...]) -> Any:
    """The elements of a dense Tensor at the positions of a CSRTensor of sparse_shape.

    Args:
        indptr, indices: where rows begin, and the columns of elements, as of a CSRTensor.
        dense: a Tensor of two axes.
        sparse_shape: its shape.

    Returns:
        A Tensor (nnz,).

    Examples:
        >>> print(ops.csr_gather(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (2, 2)))
        [2. 3.]
    """
    return dense[rows_of(indptr, indices.shape[0]), indices]


def csr_reduce_sum(csr_tensor: Any, axis: int) -> Any:
    """The sums of a CSRTensor along an axis.

    Args:
        csr_tensor: a CSRTensor of two axes.
        axis: 0 or 1.

    Returns:
        A Tensor, of which the axis stays, of size 1.

    Raises:
        TypeError: csr_tensor is none.
        ValueError: axis is neither.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.csr_reduce_sum(x, 1))
        [[1.]
         [2.]]
    """
    return _checked("csr_reduce_sum", csr_tensor).sum(axis)


def csr_softmax(logits: Any, dtype: Any) -> CSRTensor:
    """The softmax of each row's stored elements, in a dtype.

    Args:
        logits: a CSRTensor of two axes.
        dtype: of the result.

    Returns:
        A CSRTensor of the same positions.

    Raises:
        TypeError: logits is no CSRTensor.
        ValueError: it has not two axes.

    Examples:
        >>> x = ms.CSRTensor(Tensor([0, 2]), Tensor([0, 2]), Tensor([1.0, 1.0]), (1, 3))
        >>> print(ops.csr_softmax(x, ms.float32).to_dense())
        [[0.5 0.  0.5]]
    """
    check_rank("csr_softmax", "logits", _checked("csr_softmax", logits), 2)
    rows, height = logits.rows, logits.shape[0]
    values = _ops.cast(logits.values, dtype)
    largest = find("ops", "unsorted_segment_max")(_ops.stop_gradient(values), rows, height)
    powers = _ops.exp(values - largest[rows])
    result: CSRTensor = logits.with_values(powers / added_at(height, rows, powers)[rows])
    return result


def coo_add(x1: Any, x2: Any, thresh: Any) -> COOTensor:
    """x1 + x2 of COOTensors, without elements whose absolute value is below thresh.

    Args:
        x1, x2: COOTensors of one shape.
        thresh: a number, or a Tensor of one; elements whose absolute value is below are left out.

    Returns:
        A COOTensor.

    Raises:
        TypeError: either is none.
        ValueError: their shapes differ.

    Examples:
        >>> x = ms.COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.coo_add(x, x, Tensor(3.0)).to_dense())
        [[0. 0.]
         [4. 0.]]
    """
    left: COOTensor = check_instance("coo_add", "x1", x1, COOTensor)
    return left.add(x2, thresh)


def coo_concat(sp_input: Any, concat_dim: int = 0) -> COOTensor:
    """COOTensors one after the other along an axis, with their elements in the order of positions.

    Args:
        sp_input: COOTensors, in a list or tuple.
        concat_dim: the axis.

    Returns:
        A COOTensor.

    Raises:
        TypeError: sp_input is no list or tuple of COOTensors.
        ValueError: concat_dim is no axis, or another axis has several sizes.

    Examples:
        >>> x = ms.COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([1.0, 2.0]), (2, 2))
        >>> print(ops.coo_concat([x, x], 1).to_dense())
        [[0. 1. 0. 1.]
         [2. 0. 2. 0.]]
    """
    if not isinstance(sp_input, (list, tuple)) or not sp_input or not all(isinstance(x, COOTensor) for x in sp_input):
        raise TypeError(f"For 'coo_concat', 'sp_input' must be COOTensors in a list or tuple, but got {sp_input!r}.")
    rank = sp_input[0].ndim
    check_within("coo_concat", "concat_dim", concat_dim, -rank, below=rank)
    at = concat_dim % rank
    rests = {x.shape[:at] + x.shape[at + 1 :] for x in sp_input}
    if len(rests) > 1:
        shapes = [x.shape for x in sp_input]
        raise ValueError(f"For 'coo_concat', all axes but {at} must have equal sizes, but the shapes are {shapes}.")
    begin, moved = 0, []
    for x in sp_input:
        offsets = core.Tensor([begin if axis == at else 0 for axis in range(rank)], x.indices.dtype)
        moved.append(x.indices + offsets)
        begin += x.shape[at]
    shape = (*sp_input[0].shape[:at], begin, *sp_input[0].shape[at + 1 :])
    values = _ops.concat(tuple(x.values for x in sp_input), 0)
    return COOTensor(_ops.concat(tuple(moved), 0), values, shape).coalesce()


def make_coo_tensor(indices: Any, values: Any, dense_shape: Any) -> COOTensor:
    """COOTensor(indices, values, dense_shape).

    Args:
        indices: positions of the elements, a Tensor (nnz, axes).
        values: a Tensor (nnz,).
        dense_shape: a tuple of ints.

    Returns:
        A COOTensor.

    Raises:
        TypeError: one is of another kind.
        ValueError: their shapes do not fit.

    Examples:
        >>> print(ops.make_coo_tensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3)).to_dense())
        [[0. 2. 0.]]
    """
    return COOTensor(indices, values, dense_shape)


def make_csr_tensor(indptr: Any, indices: Any, values: Any, shape: Any) -> CSRTensor:
    """CSRTensor(indptr, indices, values, shape).

    Args:
        indptr: where each row begins, and the last ends, a Tensor (rows + 1,).
        indices: columns of the elements, a Tensor (nnz,).
        values: a Tensor (nnz,).
        shape: a tuple of ints.

    Returns:
        A CSRTensor.

    Raises:
        TypeError: one is of another kind.
        ValueError: their shapes do not fit.

    Examples:
        >>> print(ops.make_csr_tensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3)).to_dense())
        [[0. 2. 0.]]
    """
    return CSRTensor(indptr, indices, values, shape)


def make_row_tensor(indices: Any, values: Any, dense_shape: Any) -> RowTensor:
    """RowTensor(indices, values, dense_shape).

    Args:
        indices: which rows are there, a Tensor (n,).
        values: these rows, a Tensor (n, ...).
        dense_shape: a tuple of ints.

    Returns:
        A RowTensor.

    Raises:
        ValueError: shapes do not fit.

    Examples:
        >>> x = ops.make_row_tensor(Tensor([1]), Tensor([[1.0, 2.0]]), (3, 2))
        >>> print(x.indices, x.values, x.dense_shape)
        [1] [[1. 2.]] (3, 2)
    """
    return RowTensor(indices, values, dense_shape)


make_sparse_tensor, make_row_tensor_inner = make_coo_tensor, make_row_tensor


def _member(name: str, kind: str, parts: str, shown: str, spelled: str) -> Callable[[Any], Any]:
    def get(x: Any) -> Any:
        return getattr(x, name)

    get.__doc__ = f"""The {name} of a {kind}.

    Args:
        x: a {kind}.

    Returns:
        x.{name}.

    Examples:
        >>> x = ms.{kind}({parts}, (2, 2))
        >>> print(ops.{spelled}(x))
        {shown}
    """
    return get


_AT, _BY_ROWS = (f"{_POSITIONS[kind]}, Tensor([1.0, 2.0])" for kind in (COOTensor, CSRTensor))
coo_tensor_get_indices = _member("indices", "COOTensor", _AT, "[[0 1]\n         [1 0]]", "coo_tensor_get_indices")
coo_tensor_get_values = csr_tensor_get_values = _member("values", "COOTensor", _AT, "[1. 2.]", "coo_tensor_get_values")
coo_tensor_get_dense_shape = _member("shape", "COOTensor", _AT, "(2, 2)", "coo_tensor_get_dense_shape")
csr_tensor_get_dense_shape = coo_tensor_get_dense_shape
csr_tensor_get_indices = _member("indices", "CSRTensor", _BY_ROWS, "[1 0]", "csr_tensor_get_indices")
csr_tensor_get_indptr = _member("indptr", "CSRTensor", _BY_ROWS, "[0 1 2]", "csr_tensor_get_indptr")
_ROWS = "Tensor([1]), Tensor([[1.0, 2.0]])"
row_tensor_get_indices = _member("indices", "RowTensor", _ROWS, "[1]", "row_tensor_get_indices")
row_tensor_get_values = _member("values", "RowTensor", _ROWS, "[[1. 2.]]", "row_tensor_get_values")
row_tensor_get_dense_shape = _member("dense_shape", "RowTensor", _ROWS, "(2, 2)", "row_tensor_get_dense_shape")


def row_tensor_add(x: Any, y: Any) -> Any:
    """A RowTensor added to a Tensor.

    Args:
        x: a RowTensor.
        y: a Tensor of its dense shape.

    Returns:
        A new Tensor.

    Examples:
        >>> x = ops.make_row_tensor(Tensor([1]), Tensor([[1.0, 2.0]]), (3, 2))
        >>> print(ops.row_tensor_add(x, ops.ones((3, 2))))
        [[1. 1.]
         [2. 3.]
         [1. 1.]]
    """
    return _ops.index_add(y, x.indices, x.values, 0)


def sparse_to_dense(indices: Any, values: Any, sparse_shape: tuple[int, ...]) -> Any:
    """The Tensor of sparse_shape with values[i] at indices[i] and zeros elsewhere."""
    return COOTensor(indices, values, sparse_shape).to_dense()


def sparse_dense_product(name: str, a: COOTensor, b: Any, adjoint_a: bool = False, adjoint_b: bool = False) -> Any:
    """The product of a COOTensor and a matrix, of which either may be transposed and conjugated.

    Raises:
        TypeError: b is no Tensor.
        ValueError: b has not two axes, or their sizes do not fit.
    """
    matrix = _transposed(check_instance(name, "dense", b, core.Tensor), adjoint_b, adjoint_b)
    rows, columns = (1, 0) if adjoint_a else (0, 1)
    if matrix.ndim != 2 or matrix.shape[0] != a.shape[columns]:
        raise ValueError(f"For '{name}', shapes must be (m, k) and (k, n), but are {a.shape} and {tuple(b.shape)}.")
    values = _ops.conj(a.values) if adjoint_a else a.values
    terms = _ops.expand_dims(values, 1) * matrix[a.indices[:, columns]]
    return added_at(a.shape[rows], a.indices[:, rows], terms)
