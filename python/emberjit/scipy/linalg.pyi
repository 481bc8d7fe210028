# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def block_diag(*arrs: Any) -> Any:
    """The matrix with the given ones along its diagonal, and 0 beside them. A vector is a row; without matrices (1, 0)."""

def cho_factor(a: _TensorLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(Cholesky's factor, whether it is the lower one), for cho_solve. See scipy.linalg.cholesky."""

def cho_solve(c_and_lower: Any, b: _TensorLike, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """The x for which A x = b, of A by its Cholesky factor and whether that is the lower one."""

def cholesky(a: _TensorLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The upper triangle U for which U^H U is a, or with lower the lower L for which L L^H is. See ops.cholesky."""

def eigh(a: _TensorLike, b: Any = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, turbo: bool = True, eigvals: Any = None, type: int = 1, check_finite: bool = True) -> Any:
    """(eigenvalues in ascending order, orthonormal eigenvectors as columns) of a Hermitian matrix, or the values alone."""

def inv(a: _TensorLike, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The inverse of a matrix, and not, as ops.inv, of each element. See ops.inverse."""

def lstsq(A: _TensorLike, B: _TensorLike, rcond: float | None = None, driver: str | None = None) -> Any:
    """(the x for which |A x - B| is smallest, and of several the shortest; residues; rank; singular values)."""

def lu(a: _TensorLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(P, L, U) for which P L U is a: a permutation, a lower triangle whose diagonal is 1, and an upper; by LAPACK."""

def lu_factor(a: _TensorLike, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(L below the diagonal and U above, the pivots) of a square matrix, by LAPACK.

    Pivots say with which row, from 0, each row was exchanged, one after the other; L's diagonal is 1.
    """

def solve_triangular(a: _TensorLike, b: _TensorLike, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False, debug: Any = None, check_finite: bool = True) -> Any:
    """The x for which a x = b, of a triangle of a."""

def __getattr__(name: str) -> Any: ...
