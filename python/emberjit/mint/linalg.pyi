# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def inv(input: _TensorLike) -> Any:
    """The inverse of matrices, or of their adjoints, by LU factorisation (LAPACK); ops.inv is 1 / x. See matrix_solve."""

def matrix_norm(A: _TensorLike, ord: Any = 'fro', dim: int | Sequence[int] = (-2, -1), keepdim: bool = False, *, dtype: _DType | None = None) -> Any:
    """The norm of the matrices that two axes are."""

def norm(A: _TensorLike, ord: Any = None, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Any:
    """The norm of a vector along an axis, or of the matrices that two axes are. See vector_norm and matrix_norm."""

def qr(A: _TensorLike, mode: str = 'reduced') -> Any:
    """(Q, R), for which Q R is A; with the mode "r" Q is empty. See ops.qr."""

def vector_norm(x: _TensorLike, ord: Any = 2, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Any:
    """(sum |x|^ord)^(1 / ord) along axes; inf: the largest magnitude, -inf: the smallest, 0: how many are not 0."""

def __getattr__(name: str) -> Any: ...
