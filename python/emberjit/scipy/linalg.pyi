# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor, dtype

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def block_diag(*arrs: Any) -> Any:
    """The matrix with the given ones along its diagonal, and 0 beside them. A vector is a row; without matrices (1, 0)."""

def __getattr__(name: str) -> Any: ...
