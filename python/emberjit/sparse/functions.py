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


def _of_values(prefix: str, kind: type[SparseTensor], name: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        if not isinstance(x, kind):
            raise TypeError(f"For '{prefix}_{name}', 'x' must be a {kind.__name__}, but got {type(x).__name__}.")
        return x.with_values(find("ops", "reciprocal" if name == "inv" else name)(x.values))

    function.__name__ = function.__qualname__ = f"{prefix}_{name}"
    function.__doc__ = f"""x with ops.{name}() of its stored elements.

    Args:
        x: a {kind.__name__}.

    Raises:
        TypeError: x is none.
    """
    return function


def __getattr__(name: str) -> Any:
    prefix, _, unary = name.partition("_")
    if prefix not in ("coo", "csr") or unary not in UNARY:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    function = _of_values(prefix, CSRTensor if prefix == "csr" else COOTensor, unary)
    return globals().setdefault(name, function)


def coo2csr(row_indices: Any, height: int) -> Any:
    """Where each of `height` rows begins among elements in the order of their rows, and the last ends: (height + 1,)."""
    return row_pointers(row_indices, height)


def csr2coo(indptr: Any, nnz: int) -> Any:
    """The rows of nnz elements, by where rows begin: (nnz,)."""
    return rows_of(indptr, nnz)


def csr_to_coo(tensor: Any) -> COOTensor:
    """CSRTensor.to_coo()."""
    return _checked("csr_to_coo", tensor).to_coo()


def csr_to_dense(csr_tensor: Any) -> Any:
    """CSRTensor.to_dense()."""
    return _checked("csr_to_dense", csr_tensor).to_dense()


def _checked(name: str, tensor: Any) -> CSRTensor:
    if not isinstance(tensor, CSRTensor):
        raise TypeError(f"For '{name}', the argument must be a CSRTensor, but got {type(tensor).__name__}.")
    return tensor


def csr_add(a: Any, b: Any, alpha: Any, beta: Any) -> CSRTensor:
    """alpha * a + beta * b of CSRTensors."""
    return _checked("csr_add", a).add(b, alpha, beta)


def csr_mul(x: Any, y: Any) -> CSRTensor:
    """A CSRTensor times a Tensor that broadcasts to it, or a number."""
    return _checked("csr_mul", x) * y  # type: ignore[no-any-return]


def csr_div(x: Any, y: Any) -> CSRTensor:
    """A CSRTensor by a Tensor that broadcasts to it, or a number."""
    return _checked("csr_div", x) / y  # type: ignore[no-any-return]


def csr_mv(csr_tensor: Any, dense: Any) -> Any:
    """CSRTensor.mv()."""
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

    Raises:
        TypeError: a is no CSRTensor.
        ValueError: sizes do not fit.
    """
    return _transposed(_checked("csr_mm", a), trans_a, adjoint_a).mm(_transposed(b, trans_b, adjoint_b))


def csr_gather(indptr: Any, indices: Any, dense: Any, sparse_shape: tuple[int, ...]) -> Any:
    """The elements of a dense Tensor at the positions of a CSRTensor of sparse_shape."""
    return dense[rows_of(indptr, indices.shape[0]), indices]


def csr_reduce_sum(csr_tensor: Any, axis: int) -> Any:
    """CSRTensor.sum()."""
    return _checked("csr_reduce_sum", csr_tensor).sum(axis)


def csr_softmax(logits: Any, dtype: Any) -> CSRTensor:
    """The softmax of each row's stored elements, in a dtype.

    Raises:
        TypeError: logits is no CSRTensor.
        ValueError: it has not two axes.
    """
    check_rank("csr_softmax", "logits", _checked("csr_softmax", logits), 2)
    rows, height = logits.rows, logits.shape[0]
    values = _ops.cast(logits.values, dtype)
    largest = find("ops", "unsorted_segment_max")(_ops.stop_gradient(values), rows, height)
    powers = _ops.exp(values - largest[rows])
    result: CSRTensor = logits.with_values(powers / added_at(height, rows, powers)[rows])
    return result


def coo_add(x1: Any, x2: Any, thresh: Any) -> COOTensor:
    """x1 + x2 of COOTensors, without elements whose absolute value is below thresh."""
    left: COOTensor = check_instance("coo_add", "x1", x1, COOTensor)
    return left.add(x2, thresh)


def coo_concat(sp_input: Any, concat_dim: int = 0) -> COOTensor:
    """COOTensors one after the other along an axis, with their elements in the order of positions.

    Raises:
        TypeError: sp_input is no list or tuple of COOTensors.
        ValueError: concat_dim is no axis, or another axis has several sizes.
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
    """COOTensor(indices, values, dense_shape)."""
    return COOTensor(indices, values, dense_shape)


def make_csr_tensor(indptr: Any, indices: Any, values: Any, shape: Any) -> CSRTensor:
    """CSRTensor(indptr, indices, values, shape)."""
    return CSRTensor(indptr, indices, values, shape)


def make_row_tensor(indices: Any, values: Any, dense_shape: Any) -> RowTensor:
    """RowTensor(indices, values, dense_shape)."""
    return RowTensor(indices, values, dense_shape)


make_sparse_tensor, make_row_tensor_inner = make_coo_tensor, make_row_tensor


def _member(name: str) -> Callable[[Any], Any]:
    def get(x: Any) -> Any:
        return getattr(x, name)

    get.__doc__ = f"x.{name}."
    return get


coo_tensor_get_indices = csr_tensor_get_indices = row_tensor_get_indices = _member("indices")
coo_tensor_get_values = csr_tensor_get_values = row_tensor_get_values = _member("values")
coo_tensor_get_dense_shape = csr_tensor_get_dense_shape = _member("shape")
row_tensor_get_dense_shape = _member("dense_shape")
csr_tensor_get_indptr = _member("indptr")


def row_tensor_add(x: Any, y: Any) -> Any:
    """A RowTensor added to a Tensor."""
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
