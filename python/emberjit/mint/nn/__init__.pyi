# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor, dtype
from emberjit.mint.nn import functional as functional
from emberjit.nn.cell import Cell as Cell

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class Flatten(Cell):
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""
    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Fold(Cell):
    """The images (N, C, H, W) in which windows are summed, given as columns (N, C * kernel's size, windows), or without N."""
    def __init__(self, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class GELU(Cell):
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""
    def __init__(self, approximate: str = 'none') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Hardsigmoid(Cell):
    """min(max(input + 3, 0), 6) / 6."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Hardswish(Cell):
    """input * min(max(input + 3, 0), 6) / 6."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogSoftmax(Cell):
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""
    def __init__(self, dim: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class PixelShuffle(Cell):
    """Channels as pixels: (..., C * r * r, H, W) becomes (..., C, H * r, W * r), r being upscale_factor.

    Method: W. Shi et al., Real-time single image and video super-resolution (2016).
    """
    def __init__(self, upscale_factor: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReLU(Cell):
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sigmoid(Cell):
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Softmax(Cell):
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""
    def __init__(self, dim: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Softplus(Cell):
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold."""
    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Tanh(Cell):
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Unfold(Cell):
    """The windows of images (N, C, H, W) or (C, H, W) as columns: (N, C * kernel's size, windows), or without N."""
    def __init__(self, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Upsample(Cell):
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """
    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsamplingBilinear2d(Cell):
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class UpsamplingNearest2d(Cell):
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

def __getattr__(name: str) -> Any: ...
