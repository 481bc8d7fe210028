"""The extension linalg: decompositions, norms and what is made of them. Matrices are the last two axes; batches broadcast.

All but products, diagonals and transposes are of floats, and of LAPACK's methods: ImportError without it, ValueError of
matrices that are not square where they must be. Source: the Python array API standard, "Linear Algebra Extension".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.array_api.array import Array, tensor_in
from emberjit.array_api.conversion import broadcast_shapes
from emberjit.array_api.dtypes import FLOATS, INDEX, NUMERIC, Axes, DType, checked
from emberjit.array_api.manipulation import axes_of
from emberjit.array_api.products import checked_pair, matmul, matrix_transpose, pair_in, tensordot, vecdot
from emberjit.array_api.statistics import of_sums
from emberjit.functions.linalg import decompositions, linear_systems, matrices, norms, vector_products
from emberjit.functions.linalg.lapack import lapack

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

_ops = core.ops


class Eigen(NamedTuple):
    """Eigenvalues, and eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class QR(NamedTuple):
    """Orthonormal columns, and an upper triangle."""

    Q: Array
    R: Array


class SignAndLogarithm(NamedTuple):
    """The sign of determinants, and the logarithm of their magnitude."""

    sign: Array
    logabsdet: Array


class SVD(NamedTuple):
    """U, the singular values in descending order, and V^H."""

    U: Array
    S: Array
    Vh: Array


def _matrices(name: str, x: Array, allowed: Sequence[DType] = FLOATS) -> Any:
    tensor = tensor_in(name, x)
    checked(name, tensor.dtype, allowed)
    if tensor.ndim < 2:
        raise ValueError(f"For '{name}', 'x' must have two axes at least, but its shape is {tuple(tensor.shape)}.")
    return tensor


def _hermitian(name: str, x: Array) -> Any:
    tensor = _matrices(name, x)
    matrices.required_square(name, tensor)
    return decompositions.hermitian_of(tensor, True)


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """L with a positive diagonal, for which L L^H is x, or with `upper` L^H.

    Raises:
        ValueError: the matrices are not positive definite.
    """
    return Array(linear_systems.cholesky(_matrices("cholesky", x), upper))


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The cross products of vectors along an axis of size 3, after broadcasting of the others.

    Args:
        axis: negative, counted from the last.

    Raises:
        TypeError: an operand is not of numbers.
        ValueError: axis is out of range or not of size 3, or the shapes do not broadcast.
    """
    first, second = pair_in("cross", x1, x2)
    checked_pair("cross", first, second, axis)
    return Array(vector_products.cross(first, second, axis))


def det(x: Array, /) -> Array:
    """Determinants, by LU factorisation."""
    return Array(linear_systems.det(_matrices("det", x)))


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """The diagonals of matrices, `offset` columns to the right, as the last axis.

    Raises:
        ValueError: x has fewer than two axes.
    """
    tensor = tensor_in("diagonal", x)
    return Array(_ops.diagonal(_matrices("diagonal", x, (tensor.dtype,)), offset, -2, -1))


def eig(x: Array, /) -> Eigen:
    """(eigenvalues in no order, eigenvectors of length 1) of square matrices; both are complex."""
    return Eigen(*map(Array, decompositions.eig(_matrices("eig", x))))


def eigvals(x: Array, /) -> Array:
    """The eigenvalues of square matrices in no order, which are complex."""
    return Array(decompositions.eigvals(_matrices("eigvals", x)))


def eigh(x: Array, /) -> Eigen:
    """(eigenvalues in ascending order, orthonormal eigenvectors) of Hermitian matrices, whose lower triangle is read."""
    return Eigen(*map(Array, lapack("eigh")(_hermitian("eigh", x))))


def eigvalsh(x: Array, /) -> Array:
    """The eigenvalues, in ascending order, of Hermitian matrices, whose lower triangle is read."""
    return Array(lapack("eigvalsh")(_hermitian("eigvalsh", x)))


def inv(x: Array, /) -> Array:
    """Inverses of square matrices.

    Raises:
        ValueError: a matrix is singular.
    """
    return Array(linear_systems.inverse(_matrices("inv", x)))


def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Norms of matrices.

    Args:
        keepdims: whether the axes stay, of size 1.
        ord: "fro": of all elements as a vector; "nuc": the sum of the singular values; 2, -2: the largest, the smallest;
            1, -1: the largest and the smallest sum of a column's magnitudes; inf, -inf: of a row's.

    Raises:
        ValueError: ord is something else.
    """
    return Array(norms.matrix_norm(_matrices("matrix_norm", x), ord, (-2, -1), keepdims))


def matrix_power(x: Array, n: int, /) -> Array:
    """The product of n square matrices, of their inverses if n is negative.

    Raises:
        ValueError: a matrix whose inverse is asked for is singular.
    """
    return Array(matrices.matrix_power(_matrices("matrix_power", x), n))


def matrix_rank(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """How many singular values are larger than rtol times the largest, as int64.

    Args:
        rtol: a number, or an array of one for each matrix. None: the larger size times the dtype's epsilon.
    """
    tensor = _matrices("matrix_rank", x)
    values = lapack("svdvals")(tensor)
    limit = decompositions.threshold(tensor, None, _tolerance("matrix_rank", rtol))
    above = _ops.greater(values, _ops.expand_dims(limit, -1))
    return Array(_ops.reduce_sum(_ops.cast(above, INDEX), -1))


def _tolerance(name: str, rtol: float | Array | None) -> Any:
    return rtol if rtol is None or isinstance(rtol, (int, float)) else tensor_in(name, rtol)


def outer(x1: Array, x2: Array, /) -> Array:
    """The matrix of products of two vectors' elements.

    Raises:
        TypeError: an operand is not of numbers.
        ValueError: an operand has not one axis.
    """
    first, second = pair_in("outer", x1, x2)
    return Array(vector_products.outer(first, second))


def pinv(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """Moore-Penrose pseudo-inverses, by singular values.

    Args:
        rtol: up to what of the largest singular value others count as 0: a number, or an array of one for each matrix.
            None: the larger size times the dtype's epsilon.
    """
    return Array(decompositions.pinv(_matrices("pinv", x), None, _tolerance("pinv", rtol)))


def qr(x: Array, /, *, mode: str = "reduced") -> QR:
    """(Q, R) with orthonormal columns and an upper triangle, for which Q R is x (..., m, n).

    Args:
        mode: "reduced": Q is (..., m, k) and R (..., k, n), with k the smaller of m and n; "complete": k is m.

    Raises:
        TypeError: mode is something else.
    """
    return QR(*map(Array, decompositions.qr(_matrices("qr", x), mode)))


def slogdet(x: Array, /) -> SignAndLogarithm:
    """(the sign of determinants, the logarithm of their magnitude); of 0 they are 0 and -inf."""
    return SignAndLogarithm(*map(Array, linear_systems.slogdet(_matrices("slogdet", x))))


def solve(x1: Array, x2: Array, /) -> Array:
    """The x for which x1 x is x2.

    Args:
        x1: square matrices.
        x2: a vector, or matrices, of which batches broadcast with x1's.

    Raises:
        ValueError: the shapes do not fit. A singular matrix gives numbers that are not finite.
    """
    first, second = pair_in("solve", x1, x2)
    checked("solve", first.dtype, FLOATS)
    matrices.required_square("solve", first)
    is_vector = second.ndim == 1
    right = _ops.expand_dims(second, -1) if is_vector else second
    batches = broadcast_shapes(first.shape[:-2], right.shape[:-2])
    first, right = (_ops.broadcast_to(one, (*batches, *one.shape[-2:])) for one in (first, right))
    solution = lapack("solve")(first, right)
    return Array(_ops.squeeze(solution, -1) if is_vector else solution)


def svd(x: Array, /, *, full_matrices: bool = True) -> SVD:
    """(U, singular values in descending order, V^H), for which U diag(S) V^H is x (..., m, n).

    Args:
        full_matrices: whether U is (..., m, m) and V^H (..., n, n); else they have k columns and rows, the smaller of both.
    """
    return SVD(*map(Array, lapack("svd")(_matrices("svd", x), full_matrices)))


def svdvals(x: Array, /) -> Array:
    """The singular values of matrices in descending order."""
    return Array(lapack("svdvals")(_matrices("svdvals", x)))


def trace(x: Array, /, *, offset: int = 0, dtype: DType | None = None) -> Array:
    """The sums of matrices' diagonals, `offset` columns to the right, in the dtype that sum() gives.

    Raises:
        TypeError: x is not of numbers, or of a higher kind than dtype.
    """
    tensor = _matrices("trace", x, NUMERIC)
    wide = _ops.cast(_ops.diagonal(tensor, offset, -2, -1), of_sums("trace", tensor.dtype, dtype))
    return Array(_ops.reduce_sum(wide, -1))


def vector_norm(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False, ord: float = 2) -> Array:
    """(sum |x|^ord)^(1 / ord) along axes; inf: the largest magnitude, -inf: the smallest, 0: how many are not 0.

    Args:
        axis: one or several; None: all.
        keepdims: whether the axes stay, of size 1.
        ord: a number.

    Raises:
        ValueError: an axis is out of range, or the norm is of order inf of nothing.
    """
    tensor = tensor_in("vector_norm", x)
    checked("vector_norm", tensor.dtype, FLOATS)
    return Array(norms.p_norm(tensor, float(ord), axes_of("vector_norm", axis, tensor.ndim), keepdims))
