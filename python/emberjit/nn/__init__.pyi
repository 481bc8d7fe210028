# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor, dtype
from emberjit.nn.cell import Cell as Cell
from emberjit.nn.cell import CellList as CellList
from emberjit.nn.cell import SequentialCell as SequentialCell
from emberjit.nn import cell as cell
from emberjit.nn.convolution import Conv1d as Conv1d
from emberjit.nn.convolution import Conv1dTranspose as Conv1dTranspose
from emberjit.nn.convolution import Conv2d as Conv2d
from emberjit.nn.convolution import Conv2dTranspose as Conv2dTranspose
from emberjit.nn.convolution import Conv3d as Conv3d
from emberjit.nn.convolution import Conv3dTranspose as Conv3dTranspose
from emberjit.nn.layers import BatchNorm1d as BatchNorm1d
from emberjit.nn.layers import BatchNorm2d as BatchNorm2d
from emberjit.nn.layers import BatchNorm3d as BatchNorm3d
from emberjit.nn.layers import Dense as Dense
from emberjit.nn.layers import Dropout as Dropout
from emberjit.nn.layers import Identity as Identity
from emberjit.nn.layers import LayerNorm as LayerNorm
from emberjit.nn.loss import CrossEntropyLoss as CrossEntropyLoss
from emberjit.nn.loss import MSELoss as MSELoss
from emberjit.nn.loss import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from emberjit.nn import loss as loss
from emberjit.nn.optim import Adam as Adam
from emberjit.nn.optim import AdamWeightDecay as AdamWeightDecay
from emberjit.nn.optim import Momentum as Momentum
from emberjit.nn.optim import Optimizer as Optimizer
from emberjit.nn.optim import SGD as SGD
from emberjit.nn import optim as optim
from emberjit.nn.pooling import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from emberjit.nn.pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from emberjit.nn.pooling import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from emberjit.nn.pooling import AvgPool1d as AvgPool1d
from emberjit.nn.pooling import AvgPool2d as AvgPool2d
from emberjit.nn.pooling import AvgPool3d as AvgPool3d
from emberjit.nn.pooling import MaxPool1d as MaxPool1d
from emberjit.nn.pooling import MaxPool2d as MaxPool2d
from emberjit.nn.pooling import MaxPool3d as MaxPool3d

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class Flatten(Cell):
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""
    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GELU(Cell):
    """x times the normal distribution's function of x (Hendrycks and Gimpel, 2016)."""
    def __init__(self, approximate: bool = True) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class HSigmoid(Cell):
    """min(max(input + 3, 0), 6) / 6."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class HSwish(Cell):
    """input * min(max(input + 3, 0), 6) / 6."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LeakyReLU(Cell):
    """input where it is above 0, else alpha * input."""
    def __init__(self, alpha: float = 0.2) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogSoftmax(Cell):
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class PixelShuffle(Cell):
    """Channels as pixels: (..., C * r * r, H, W) becomes (..., C, H * r, W * r), r being upscale_factor.

    Method: W. Shi et al., Real-time single image and video super-resolution (2016).
    """
    def __init__(self, upscale_factor: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class PixelUnshuffle(Cell):
    """Pixels as channels: (..., C, H * r, W * r) becomes (..., C * r * r, H, W), r being downscale_factor. See
    pixel_shuffle.
    """
    def __init__(self, downscale_factor: int) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class ReLU(Cell):
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReLU6(Cell):
    """min(max(x, 0), 6). NaN stays NaN."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SiLU(Cell):
    """input * sigmoid(input)."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sigmoid(Cell):
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Softmax(Cell):
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Tanh(Cell):
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""
    def __init__(self) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Unfold(Cell):
    """The windows of images (N, C, H, W) as channels, those of one tap together: (N, kernel's size * C, rows, columns)."""
    def __init__(self, ksizes: int | Sequence[int], strides: int | Sequence[int], rates: int | Sequence[int], padding: str = 'valid') -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

class Upsample(Cell):
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """
    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> None: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...

def __getattr__(name: str) -> Any: ...
