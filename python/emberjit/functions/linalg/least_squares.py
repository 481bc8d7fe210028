"""Solutions of linear systems with the least squares of what is missed."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.linalg.decompositions import adjoint, pinv
from emberjit.functions.linalg.lapack import lapack
from emberjit.functions.linalg.linear_systems import solve_factored, system
from emberjit.functions.linalg.matrices import identity_like
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _least_squares(x: Tensor, b: Tensor) -> Any:
    """Of matrices of full rank: by QR of what is higher than wide, of others the shortest solution by QR of the adjoint."""
    if x.shape[-2] >= x.shape[-1]:
        q, r = lapack("qr")(x, False)
        return _ops.triangular_solve(r, _ops.matmul(adjoint(q), b), True, False)
    q, r = lapack("qr")(adjoint(x), False)
    return _ops.matmul(q, _ops.triangular_solve(adjoint(r), b, False, False))


def _as_columns(x: Tensor, b: Tensor) -> Any:
    """Right sides as matrices: a vector is one column."""
    return b if b.ndim == x.ndim else _ops.expand_dims(b, -1)


@publish(
    "ops.lstsq Tensor.lstsq",
    numpy="np.linalg.pinv(input) @ (A if A.ndim == input.ndim else A[:, None])",
    samples="f64(4, 2), f64(4, 3); f64(3, 3), f64(3); f64(2, 4), f64(2, 3); c128(3, 2), c128(3, 1)",
)
def lstsq(input: Tensor, A: Tensor) -> Any:
    """The x for which |input x - A| is smallest, and of several the shortest, of a matrix of full rank; by QR.

    Args:
        input: (m, n), or a batch of matrices.
        A: (m, k); or (m,), which is taken as (m, 1).

    Raises:
        ImportError: LAPACK is not installed.
        TypeError: the operands are not of float32, float64, complex64 or complex128.
        ValueError: the shapes do not fit.
    """
    return _least_squares(*system("lstsq", input, _as_columns(input, A)))


@publish(
    "ops.Lstsq(fast, l2_regularizer)(x, a) ops.MatrixSolveLs(fast)(x as matrix, a as rhs, l2_regularizer = ...)",
    numpy="(lambda a: np.linalg.solve(np.conj(x).T @ x + l2_regularizer * np.eye(x.shape[1]), np.conj(x).T @ a) if "
    "l2_regularizer else np.linalg.pinv(x) @ a)(a if a.ndim == x.ndim else a[:, None])",
    samples="f64(4, 2), f64(4, 3); f64(4, 2), f64(4), True, 0.5; f64(2, 4), f64(2, 3), True, 0.5; f64(2, 4), f64(2, 3)",
)
def regularized_lstsq(x: Tensor, a: Tensor, fast: bool = True, l2_regularizer: Number = 0.0) -> Any:
    """The y for which |x y - a|^2 + l2_regularizer |y|^2 is smallest, of a matrix of full rank. See ops.lstsq.

    Args:
        fast: has no meaning.
        l2_regularizer: without it by QR; else by Cholesky's factors of x^H x, or of x x^H where x is wider than high.
    """
    if not isinstance(l2_regularizer, core.Tensor) and l2_regularizer == 0:
        return lstsq(x, a)

    x, b = system("Lstsq", x, _as_columns(x, a))
    x_adjoint = adjoint(x)
    high = x.shape[-2] >= x.shape[-1]
    square = _ops.matmul(x_adjoint, x) if high else _ops.matmul(x, x_adjoint)
    ridge = _ops.cast(_ops.mul(identity_like(square), l2_regularizer), square.dtype)
    factor = _ops.cholesky_factor(_ops.add(square, ridge))
    if high:
        return solve_factored(factor, _ops.matmul(x_adjoint, b), False)
    return _ops.matmul(x_adjoint, solve_factored(factor, b, False))


_DRIVERS = ("gels", "gelsy", "gelss", "gelsd")


@publish(
    "scipy.linalg.lstsq",
    numpy="""(np.linalg.pinv(A) @ B,
    (np.abs(A @ np.linalg.pinv(A) @ B - B) ** 2).sum(-2) if driver not in (None, 'gelsy') and A.shape[-2] > A.shape[-1]
    else np.zeros(0), np.linalg.matrix_rank(A) if driver != 'gels' else np.zeros(0, int),
    np.linalg.svd(A, compute_uv=False) if driver in ('gelss', 'gelsd') else np.zeros(0))""",
    samples="f64(4, 2), f64(4, 3); f64(4, 2), f64(4, 3), None, 'gels'; f64(2, 4), f64(2, 3), None, 'gelsd'; "
    "f64(2, 3, 2), f64(2, 3, 1), None, 'gelss'",
)
def lstsq_by_driver(A: Tensor, B: Tensor, rcond: float | None = None, driver: str | None = None) -> Any:
    """(the x for which |A x - B| is smallest, and of several the shortest; residues; rank; singular values).

    Args:
        A: (..., m, n).
        B: (..., m, k).
        rcond: singular values up to rcond times the largest count as 0; None: max(m, n) times the dtype's epsilon.
        driver: the routine of LAPACK whose results are given: "gels", which takes A to be of full rank, gives no rank;
            "gelsy" (None) no residues; only "gelss" and "gelsd" give singular values. What is not given is empty. Residues
            are sums of the squares of A x - B, where m is larger than n.

    Raises:
        ImportError: LAPACK is not installed.
        ValueError: driver is something else, or the shapes do not fit.
    """
    name = "gelsy" if driver is None else driver
    if name not in _DRIVERS:
        raise ValueError(f"For 'lstsq', 'driver' must be one of {', '.join(_DRIVERS)}, but got '{driver}'.")
    a, b = system("lstsq", A, B)
    x = _least_squares(a, b) if name == "gels" else _ops.matmul(pinv(a, None, rcond), b)
    s = lapack("svdvals")(A)
    residues = sizes = _ops.zeros((0,), s.dtype)
    rank = _ops.zeros((0,), core.int64)
    if name != "gelsy" and a.shape[-2] > a.shape[-1]:
        missed = _ops.abs(_ops.sub(_ops.matmul(a, x), b))
        residues = _ops.reduce_sum(_ops.square(missed), -2)
    if name != "gels":
        epsilon = 2.0**-52 if s.dtype == core.float64 else 2.0**-23
        limit = _ops.mul(_ops.amax(s, -1, True), max(A.shape[-2:]) * epsilon if rcond is None else rcond)
        rank = _ops.reduce_sum(_ops.cast(_ops.greater(s, limit), core.int64), -1)
    return x, residues, rank, s if name in ("gelss", "gelsd") else sizes
