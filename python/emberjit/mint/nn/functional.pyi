# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor, dtype

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def adaptive_avg_pool1d(input: _TensorLike, output_size: int | Sequence[int]) -> Tensor:
    """The means of `output_size` windows along each axis, which divide it as evenly as they can; -1 keeps an axis. A single image has no batch axis."""

def adaptive_avg_pool2d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""

def adaptive_avg_pool3d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can."""

def conv2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of images (N, C, H, W) with weights (OC, C / groups, KH, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of rows and columns)."""

def conv_transpose1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of input (N, C, W) with weight (C, OC / groups, KW): the gradient of the input of the convolution with that weight. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of images (N, C, H, W) with weights (C, OC / groups, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of volumes (N, C, D, H, W) with weights (C, OC / groups, KD, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """The loss of `log_softmax(input)` against `target`: class indices (int32 or int64), or probabilities of the shape and dtype of `input`."""

def dropout(input: _TensorLike, p: float = 0.5, training: bool = True) -> Tensor:
    """While training, zeros with probability p and input / (1 - p) elsewhere; else the input itself."""

def flatten(input: _TensorLike, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

def gelu(input: _TensorLike, *, approximate: str = 'none') -> Tensor:
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""

def hardsigmoid(input: _TensorLike) -> Tensor:
    """min(max(input + 3, 0), 6) / 6."""

def hardswish(input: _TensorLike) -> Tensor:
    """input * min(max(input + 3, 0), 6) / 6."""

def layer_norm(input: _TensorLike, normalized_shape: int | Sequence[int], weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: float = 1e-05) -> Tensor:
    """(input - mean) / sqrt(var + eps) over the last axes, whose sizes are `normalized_shape`, times `weight` plus `bias`."""

def leaky_relu(input: _TensorLike, negative_slope: float = 0.01) -> Tensor:
    """input where it is above 0, else alpha * input."""

def linear(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None) -> Tensor:
    """input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,)."""

@overload
def log_softmax(input: _TensorLike, dim: int) -> Tensor:
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""

@overload
def log_softmax(input: _TensorLike, dim: int, *, dtype: dtype | None = None) -> Any:
    """The logarithm of softmax, without computing it first."""

def max_pool2d(input: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The largest element of each window of images (N, C, H, W)."""

def mse_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Tensor:
    """The squares of input - target: their mean, their sum, or as they are."""

def nll_loss(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean') -> Tensor:
    """The negative of the log-probabilities `inputs` at the target classes, times their weights; the mean divides by the sum of these."""

def normalize(input: _TensorLike, p: float = 2.0, dim: int | Sequence[int] = 1, eps: float = 1e-12) -> Any:
    """input divided by its norm of order p along axes, which is taken to be eps at least."""

def pad(input: _TensorLike, pad: int | Sequence[int], mode: str = 'constant', value: float | None = None) -> Tensor:
    """Adds `value` (None: 0) before and after: padding holds a pair of sizes for the last axis, then one for the axis before it, and so on. A negative size cuts off. The only mode is 'constant'."""

def relu(input: _TensorLike) -> Tensor:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""

def relu6(input: _TensorLike) -> Tensor:
    """min(max(x, 0), 6). NaN stays NaN."""

def relu_(input: _TensorLike) -> Tensor:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0.

    It is written into input, which is returned.
    """

def sigmoid(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""

def sigmoid_(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32.

    It is written into input, which is returned.
    """

def silu(input: _TensorLike) -> Tensor:
    """input * sigmoid(input)."""

@overload
def softmax(input: _TensorLike, dim: int) -> Tensor:
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""

@overload
def softmax(input: _TensorLike, dim: int, dtype: dtype | None = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element."""

def softplus(input: _TensorLike, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold."""

def tanh(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def __getattr__(name: str) -> Any: ...
