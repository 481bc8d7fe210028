# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def erf(input: _TensorLike) -> Tensor:
    """The error function, within 1.5 ulp. Integers give float32."""

def erfc(input: _TensorLike) -> Tensor:
    """1 - erf(input), exact where that is small. Integers give float32."""

def exp2(input: _TensorLike) -> Tensor:
    """2 to the power of input. Integers give float32."""

def expm1(input: _TensorLike) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def log1p(input: _TensorLike) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

@overload
def log_softmax(input: _TensorLike, dim: int) -> Tensor:
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""

@overload
def log_softmax(input: _TensorLike, dim: int, *, dtype: _DType | None = None) -> Any:
    """The logarithm of softmax, without computing it first."""

def round(input: _TensorLike, *, decimals: int = 0) -> Tensor:
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the dtype of input."""

def sinc(input: _TensorLike) -> Tensor:
    """sin(pi input) / (pi input), 1 at zero. Integers give float32."""

def __getattr__(name: str) -> Any: ...
