"""Linear systems: factors, solutions, inverses, determinants. Batches of matrices are the last two axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.linalg.decompositions import adjoint, double_of_ints
from emberjit.functions.linalg.lapack import lapack
from emberjit.functions.linalg.matrices import identity_like, required_square
from emberjit.publish.kinds import COMPLEXES, DType, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import as_positions
from emberjit.tensors.operands import promoted

_ops = core.ops


def _transposed(x: Tensor) -> Any:
    return _ops.swapaxes(x, -1, -2)


def system(function: str, a: Tensor, b: Tensor) -> tuple[Any, Any]:
    """The matrices and right sides with the same axes before them, broadcast.

    Raises:
        ValueError: they have less than two axes, do not broadcast, or their sizes do not fit.
    """
    if a.ndim < 2 or b.ndim < 2 or a.shape[-2] != b.shape[-2]:
        raise ValueError(
            f"For '{function}', the matrices and the right sides must have as many rows, but have shapes {tuple(a.shape)} "
            f"and {tuple(b.shape)}."
        )
    rank = max(a.ndim, b.ndim)
    shapes = [(*[1] * (rank - x.ndim), *x.shape[:-2]) for x in (a, b)]
    lead = tuple(second if first == 1 else first for first, second in zip(*shapes))
    operands = []
    for x in promoted((a, b)):
        shape = (*lead, *x.shape[-2:])
        operands.append(x if tuple(x.shape) == shape else _ops.broadcast_to(x, shape))
    return operands[0], operands[1]


def with_columns(solve: Callable[..., Any], a: Tensor, b: Tensor) -> Any:
    """solve(a, b) of right sides that may be vectors, of which there is one for each matrix."""
    if b.ndim != a.ndim - 1:
        return solve(a, b)
    return _ops.squeeze(solve(a, _ops.expand_dims(b, -1)), -1)


@publish(
    "ops.cholesky ops.Cholesky(upper)(input_x) Tensor.cholesky",
    numpy="""(lambda h: np.linalg.cholesky(h) if not upper else np.conj(np.linalg.cholesky(h)).swapaxes(-1, -2))(
    (input_x + np.conj(input_x).swapaxes(-1, -2)) / 2)""",
    samples="abs(f64(1, 1)) + 1; abs(f64(2, 1, 1)) + 1, True; f32(0, 0); c128(2, 2) * 0.1 + [[2, 1j], [-1j, 3]], True",
)
def cholesky(input_x: Tensor, upper: bool = False) -> Any:
    """L with a positive diagonal, for which L L^H is the input, or L^H.

    Args:
        input_x: Hermitian positive definite matrices; of others the Hermitian part is taken.
        upper: whether to give the upper triangle L^H.

    Raises:
        TypeError: input_x is not of float32, float64, complex64 or complex128.
        ValueError: the matrices are not square, or not positive definite.
    """
    required_square("cholesky", input_x)
    factor = _ops.cholesky_factor(input_x)
    return adjoint(factor) if upper else factor


@publish(
    "scipy.linalg.cholesky(a, lower, overwrite_a, check_finite)",
    numpy="np.linalg.cholesky((a + a.T) / 2) if lower else np.linalg.cholesky((a + a.T) / 2).T",
    samples="abs(f64(1, 1)) + 1; i32(2, 2) * 0 + [[2, 1], [1, 3]]; i32(2, 2) * 0 + [[2, 1], [1, 3]], True",
)
def cholesky_upper(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The upper triangle U for which U^H U is a, or with lower the lower L for which L L^H is. See ops.cholesky.

    Args:
        a: integers are taken as float64.
        overwrite_a: has no meaning, as check_finite.
    """
    return cholesky(double_of_ints(a), not lower)


@publish(
    "scipy.linalg.cho_factor(a, lower, overwrite_a, check_finite)",
    numpy="(np.linalg.cholesky(a) if lower else np.linalg.cholesky(a).T, lower)",
    samples="abs(f64(1, 1)) + 1; i32(2, 2) * 0 + [[2, 1], [1, 3]], True",
)
def cho_factor(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(Cholesky's factor, whether it is the lower one), for cho_solve. See scipy.linalg.cholesky."""
    return cholesky_upper(a, lower), lower


def solve_factored(factor: Tensor, b: Tensor, upper: bool) -> Any:
    """x for which factor factor^H x = b, or of an upper triangle factor^H factor x = b."""
    first, second = (adjoint(factor), factor) if upper else (factor, adjoint(factor))
    return _ops.triangular_solve(second, _ops.triangular_solve(first, b, False, False), True, False)


@publish(
    "ops.cholesky_solve ops.CholeskySolve(upper)(input as x1, input2 as x2) Tensor.cholesky_solve",
    numpy="""(lambda t, h: np.linalg.solve(h @ t if upper else t @ h, input))(*(lambda t: (t, np.conj(t).swapaxes(-1, -2)))(
    np.triu(input2) if upper else np.tril(input2)))""",
    samples="f64(2, 3), f64(2, 2) + 3; f64(2, 2, 1), f64(2, 2, 2) + 3, True; c128(2, 1), c128(2, 2) + 3",
)
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Any:
    """The x for which A x = input, of A by its Cholesky factor.

    Args:
        input: right sides (..., n, k).
        input2: the factor L of A = L L^H, (..., n, n), or with upper U of A = U^H U.

    Raises:
        TypeError: the operands are not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit.
    """
    required_square("cholesky_solve", input2)
    factor, b = system("cholesky_solve", input2, input)
    return solve_factored(factor, b, upper)


@publish(
    "scipy.linalg.cho_solve",
    numpy="(lambda t: np.linalg.solve(t @ t.T if c_and_lower[1] else t.T @ t, b))((np.tril if c_and_lower[1] else np.triu)("
    "c_and_lower[0]))",
    samples="(f64(2, 2) + 3, True), f64(2); (f64(2, 2) + 3, False), f64(2, 3)",
)
def cho_solve(c_and_lower: Any, b: Tensor, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """The x for which A x = b, of A by its Cholesky factor and whether that is the lower one.

    Args:
        c_and_lower: (the factor, whether it is lower), as a tuple.
        b: right sides (n, k), or (n,). Integers are taken as float64.
        overwrite_b: has no meaning, as check_finite.

    Raises:
        ValueError: the shapes do not fit.
    """
    factor, lower = c_and_lower
    triangle = double_of_ints(factor if isinstance(factor, core.Tensor) else core.Tensor(factor))
    return with_columns(lambda t, x: cholesky_solve(x, t, not lower), triangle, double_of_ints(b))


@publish(
    "ops.cholesky_inverse ops.CholeskyInverse(upper)(input_x as x) Tensor.cholesky_inverse",
    numpy="""(lambda t: np.linalg.inv(np.conj(t).swapaxes(-1, -2) @ t if upper else t @ np.conj(t).swapaxes(-1, -2)))(
    np.triu(input_x) if upper else np.tril(input_x))""",
    samples="f64(2, 2) + 3; f64(3, 3) + 3, True; f64(2, 2, 2) + 3",
)
def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Any:
    """The inverse of a matrix by its Cholesky factor: of L L^H, or with upper of U^H U.

    Raises:
        TypeError: input_x is not of float32, float64, complex64 or complex128.
        ValueError: the matrices are not square.
    """
    required_square("cholesky_inverse", input_x)
    return solve_factored(input_x, identity_like(input_x), upper)


@publish(
    "mint.triangular_solve Tensor.triangular_solve(A, upper, transpose, unitriangular)",
    numpy="""(lambda t: (np.linalg.solve(t.swapaxes(-1, -2) if transpose else t, b), A))(
    __import__('references').triangle(A, upper, unitriangular))""",
    samples="f64(3, 2), f64(3, 3) + 3; f64(2, 2, 1), f64(2, 2, 2) + 3, False; f64(3, 1), f64(3, 3), False, True, True; "
    "c128(2, 2), c128(2, 2) + 3, True, True",
)
def triangular_solve(b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False) -> Any:
    """(x for which A x = b, or with transpose A^T x = b, of a triangle of A; A).

    Args:
        b: (..., n, k).
        A: (..., n, n).
        upper: whether to read the upper triangle, else the lower.
        unitriangular: whether the diagonal is 1, and not read.

    Raises:
        TypeError: the operands are not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit.
    """
    required_square("triangular_solve", A)
    matrices, right = system("triangular_solve", A, b)
    if transpose:
        matrices, upper = _transposed(matrices), not upper
    return _ops.triangular_solve(matrices, right, upper, unitriangular), A


@publish(
    "ops.MatrixTriangularSolve(lower, adjoint)(matrix, rhs)",
    numpy="""(lambda t: np.linalg.solve(np.conj(t).swapaxes(-1, -2) if adjoint else t, rhs))(
    __import__('references').triangle(matrix, not lower, False))""",
    samples="f64(3, 3) + 3, f64(3, 2); f64(2, 2) + 3, f64(2, 2), False; c128(2, 2) + 3, c128(2, 1), True, True",
)
def matrix_triangular_solve(matrix: Tensor, rhs: Tensor, lower: bool = True, adjoint: bool = False) -> Any:
    """The x for which matrix x = rhs, or with adjoint matrix^H x = rhs, of a triangle of matrix.

    Args:
        lower: whether to read the lower triangle, else the upper.

    Raises:
        TypeError: the operands are not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit.
    """
    triangle = _ops.conj(matrix) if adjoint and matrix.dtype in COMPLEXES else matrix
    return triangular_solve(rhs, triangle, not lower, adjoint)[0]


@publish(
    "scipy.linalg.solve_triangular",
    numpy="""(lambda t: np.linalg.solve({0: t, 'N': t, 1: t.T, 'T': t.T, 2: np.conj(t.T), 'C': np.conj(t.T)}[trans], b))(
    __import__('references').triangle(a, not lower, unit_diagonal))""",
    samples="""f64(3, 3) + 3, f64(3); f64(3, 3) + 3, f64(3, 2), 'T', True; c128(2, 2) + 3, c128(2), 2;
    f64(3, 3), f64(3), 1, False, True""",
)
def solve_triangular(
    a: Tensor,
    b: Tensor,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Any:
    """The x for which a x = b, of a triangle of a.

    Args:
        a: (..., n, n). Integers are taken as float64.
        b: (..., n, k), or (..., n).
        trans: 0 or "N": as said; 1 or "T": a^T x = b; 2 or "C": a^H x = b.
        lower: whether to read the lower triangle, else the upper.
        unit_diagonal: whether the diagonal is 1, and not read.
        overwrite_b: has no meaning, as debug and check_finite.

    Raises:
        ValueError: trans is something else, or the shapes do not fit.
    """
    if isinstance(trans, bool) or trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"For 'solve_triangular', 'trans' must be 0, 1, 2, 'N', 'T' or 'C', but got {trans!r}.")
    x = double_of_ints(a)
    triangle = _ops.conj(x) if trans in (2, "C") and x.dtype in COMPLEXES else x
    transposed = trans not in (0, "N")
    return with_columns(
        lambda t, right: triangular_solve(right, t, not lower, transposed, unit_diagonal)[0], triangle, double_of_ints(b)
    )


@publish(
    "ops.matrix_solve ops.MatrixSolve(adjoint)(matrix, rhs)",
    numpy="np.linalg.solve(np.conj(matrix).swapaxes(-1, -2) if adjoint else matrix, rhs)",
    samples="f64(1, 1) + 4, f64(1, 3); f64(3, 3), f64(3, 2); f64(2, 2, 2), f64(2, 2, 1), True; c128(2, 2), c128(2, 2), True",
)
def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Any:
    """The x for which matrix x = rhs, or with adjoint matrix^H x = rhs, by LU factorisation (LAPACK).

    A singular matrix gives numbers that are not finite.

    Args:
        matrix: (..., n, n).
        rhs: (..., n, k).

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: the operands are not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit.
    """
    required_square("matrix_solve", matrix)
    a, b = system("matrix_solve", matrix, rhs)
    if adjoint:
        a = _transposed(_ops.conj(a) if a.dtype in COMPLEXES else a)
    return lapack("solve")(a, b)


@publish(
    """ops.inverse(input) Tensor.inverse() mint.inverse(input) mint.linalg.inv(input)
    ops.MatrixInverse(adjoint)(input as x) nn.MatInverse()(input as a)""",
    numpy="np.linalg.inv(np.conj(input).swapaxes(-1, -2) if adjoint else input)",
    samples="f64(3, 3); f64(2, 2, 2); c128(2, 2), True; f32(0, 0)",
)
def inverse(input: Tensor, adjoint: bool = False) -> Any:
    """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve."""
    required_square("inverse", input)
    return matrix_solve(input, identity_like(input), adjoint)


@publish("scipy.linalg.inv", numpy="np.linalg.inv(a)", samples="f64(3, 3); i32(2, 2) * 0 + [[2, 1], [1, 3]]")
def inv(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The inverse of a matrix, and not, as ops.inv, of each element. See ops.inverse.

    Args:
        a: integers are taken as float64.
        overwrite_a: has no meaning, as check_finite.
    """
    return inverse(double_of_ints(a))


@publish(
    """ops.det Tensor.det ops.matrix_determinant Tensor.matrix_determinant ops.MatrixDeterminant()(input as x)
    nn.MatDet()(input as a)""",
    numpy="np.linalg.det(input)",
    samples="f64(3, 3); f64(2, 2, 2); c128(3, 3); f64(0, 0); f64(2, 1, 1)",
)
def det(input: Tensor) -> Any:
    """The determinants of matrices, by LU factorisation (LAPACK). Singular ones have a gradient too.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: the matrices are not square.
    """
    required_square("det", input)
    return lapack("det")(input)


def _factors(x: Tensor) -> tuple[Any, Any]:
    """U's diagonal, and the sign of the permutation, of matrices."""
    required_square("slogdet", x)
    lu, pivots = lapack("lu_factor")(x)
    swaps = _ops.not_equal(pivots, _ops.arange(x.shape[-1]))
    odd = _ops.floor_mod(_ops.reduce_sum(_ops.cast(swaps, core.int32), -1), 2)
    part = {core.complex64: core.float32, core.complex128: core.float64}.get(x.dtype, x.dtype)
    sign = _ops.cast(_ops.sub(1, _ops.mul(odd, 2)), part)
    return _ops.diagonal(lu, 0, -2, -1), sign


@publish(
    """ops.slogdet Tensor.slogdet ops.log_matrix_determinant Tensor.log_matrix_determinant
    ops.LogMatrixDeterminant()(input as x)""",
    numpy="tuple(np.linalg.slogdet(input))",
    samples="f64(3, 3); f64(2, 2, 2); c128(3, 3); f64(0, 0)",
)
def slogdet(input: Tensor) -> Any:
    """(the sign of the determinants, the logarithm of their magnitude), by LU factorisation (LAPACK).

    The sign of a complex number is that divided by its magnitude; of 0 it is 0, and the logarithm -inf.

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: the matrices are not square.
    """
    along, sign = _factors(input)
    size = _ops.abs(along)
    if along.dtype in COMPLEXES:
        zero = _ops.equal(size, 0)
        signs = _ops.select(zero, 0.0, _ops.div(along, _ops.select(zero, 1.0, size)))
    else:
        signs = _ops.sign(along)
    return _ops.mul(_ops.prod(signs, -1), sign), _ops.reduce_sum(_ops.log(size), -1)


@publish(
    "ops.logdet Tensor.logdet", numpy="np.log(np.linalg.det(input))", samples="f64(1, 1) + 4; f64(2, 1, 1) + 4; c128(2, 2)"
)
def logdet(input: Tensor) -> Any:
    """The logarithm of the determinants of matrices: -inf of 0, NaN of what is negative. See slogdet."""
    sign, size = slogdet(input)
    if input.dtype in COMPLEXES:
        return _ops.add(_ops.log(sign), size)
    negative = _ops.less(sign, 0)
    return _ops.select(negative, float("nan"), size)


@publish(
    "scipy.linalg.lu_factor",
    numpy="__import__('references').lu_factor(a)",
    samples="f64(3, 3); f64(4, 4); i32(2, 2) * 0 + [[2, 1], [1, 3]]",
)
def lu_factor(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(L below the diagonal and U above, the pivots) of a square matrix, by LAPACK.

    Pivots say with which row, from 0, each row was exchanged, one after the other; L's diagonal is 1.

    Args:
        a: (..., n, n). Integers are taken as float64.
        overwrite_a: has no meaning, as check_finite.

    Raises:
        ImportError: LAPACK is not installed.
        ValueError: a is not square.
    """
    required_square("lu_factor", a)
    return lapack("lu_factor")(double_of_ints(a))


def _permutation_matrix(rows: Tensor, dtype: DType) -> Any:
    """P for which P x has in row rows[i] the row i of x."""
    return _ops.cast(_ops.equal(_ops.expand_dims(_ops.arange(rows.shape[-1]), -1), _ops.expand_dims(rows, -2)), dtype)


def _unpacked(lu: Tensor) -> tuple[Any, Any]:
    """L and U, with as many columns and rows as the smaller size."""
    rows, columns = lu.shape[-2:]
    least = columns if columns < rows else rows
    below = _ops.tril(lu[..., :least], -1)
    return _ops.add(below, _ops.eye(rows, least, lu.dtype)), _ops.triu(lu[..., :least, :])


@publish(
    "scipy.linalg.lu",
    numpy="(lambda p, l, u: (p @ l, u) if permute_l else (p, l, u))(*__import__('references').lu(a))",
    samples="f64(3, 3); f64(3, 4); f64(4, 2), True; i32(2, 2) * 0 + [[2, 1], [1, 3]]",
)
def lu(a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(P, L, U) for which P L U is a: a permutation, a lower triangle whose diagonal is 1, and an upper; by LAPACK.

    Args:
        a: (..., m, n). Integers are taken as float64.
        permute_l: whether to give (P L, U).
        overwrite_a: has no meaning, as check_finite.

    Raises:
        ImportError: LAPACK is not installed.
        ValueError: a has less than two axes.
    """
    if a.ndim < 2:
        raise ValueError(f"For 'lu', 'a' must have at least two axes, but has shape {tuple(a.shape)}.")
    packed, pivots = lapack("lu_factor")(double_of_ints(a))
    rows = _ops.lu_permutation(pivots, packed.shape[-2])
    p = _permutation_matrix(rows, packed.dtype)
    left, right = _unpacked(packed)
    return (_ops.matmul(p, left), right) if permute_l else (p, left, right)


def _rows_of(function: str, pivots: Tensor, count: int) -> Any:
    """Where each row comes from, by pivots that count from 1."""
    if pivots.dtype not in (core.int8, core.uint8, core.int16, core.int32, core.int64):
        raise TypeError(f"For '{function}', 'LU_pivots' must be integers, but is of {pivots.dtype}.")
    return _ops.lu_permutation(_ops.sub(as_positions(_ops.cast(pivots, core.int64)), 1), count)


@publish(
    "ops.lu_unpack ops.LuUnpack(unpack_data, unpack_pivots)(LU_data, LU_pivots)",
    numpy="__import__('references').lu_unpack(LU_data, LU_pivots)",
    samples="""f64(3, 3), i32(3) * 0 + [2, 3, 3]; f64(2, 2, 4), i32(2, 2) * 0 + [[1, 2], [2, 2]];
    f64(4, 2), i32(2) * 0 + [3, 2]""",
)
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """(P, L, U) of what is packed: U above the diagonal, L below it, whose diagonal is 1.

    Args:
        LU_data: (..., m, n).
        LU_pivots: with which row, from 1, each of the first k rows was exchanged, k the smaller of m and n.
        unpack_data: whether to give L and U, else None.
        unpack_pivots: whether to give P, else None.

    Raises:
        TypeError: LU_pivots are no integers.
        ValueError: the shapes do not fit, or a pivot is out of range.
    """
    shape = tuple(LU_data.shape)
    if len(shape) < 2 or tuple(LU_pivots.shape) != (*shape[:-2], min(shape[-2:])):
        raise ValueError(
            f"For 'lu_unpack', 'LU_pivots' must have one for each row or column, whichever are fewer, of 'LU_data', but the "
            f"shapes are {tuple(LU_pivots.shape)} and {shape}."
        )
    left, right = _unpacked(LU_data) if unpack_data else (None, None)
    if not unpack_pivots:
        return None, left, right
    return _permutation_matrix(_rows_of("lu_unpack", LU_pivots, shape[-2]), LU_data.dtype), left, right


@publish(
    "ops.lu_solve ops.LuSolve()(b as x, LU_data as lu_data, LU_pivots as lu_pivots) Tensor.lu_solve",
    numpy="(lambda p, l, u: np.linalg.solve(p @ l @ u, b))(*__import__('references').lu_unpack(LU_data, LU_pivots))",
    samples="""f64(3, 2), f64(3, 3) + 3, i32(3) * 0 + [2, 3, 3];
    f64(2, 2, 1), f64(2, 2, 2) + 3, i32(2, 2) * 0 + [[1, 2], [2, 2]]""",
)
def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Any:
    """The x for which A x = b, of A by its LU factors. See lu_unpack.

    Args:
        b: (..., n, k).
        LU_data: (..., n, n).
        LU_pivots: (..., n), from 1.

    Raises:
        TypeError: LU_pivots are no integers.
        ValueError: the shapes do not fit, or a pivot is out of range.
    """
    required_square("lu_solve", LU_data)
    rows = _rows_of("lu_solve", LU_pivots, LU_data.shape[-1])
    packed, right = system("lu_solve", LU_data, b)
    order = _ops.broadcast_to(_ops.expand_dims(rows, -1), tuple(right.shape))
    permuted = _ops.gather_d(right, right.ndim - 2, order)
    return _ops.triangular_solve(packed, _ops.triangular_solve(packed, permuted, False, True), True, False)


@publish(
    "ops.matrix_exp ops.MatrixExp()(input as x)",
    numpy="__import__('references').matrix_exp(input)",
    samples="f64(3, 3); f64(2, 2, 2) / 2; c128(2, 2); f64(0, 0)",
)
def matrix_exp(input: Tensor) -> Any:
    """The exponential of square matrices: the sum of input^k / k!.

    By scaling and squaring a Pade approximant (Higham 2005).

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: input is not of float32, float64, complex64 or complex128.
        ValueError: the matrices are not square.
    """
    required_square("matrix_exp", input)
    return lapack("matrix_exp")(input)
