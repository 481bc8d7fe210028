# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor
from emberjit._emberjit import dtype as _DType

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

def adaptive_avg_pool1d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, L) or (C, L), which divide the axis as evenly as they can."""

def adaptive_avg_pool2d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""

def adaptive_avg_pool3d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can."""

def adaptive_max_pool1d(input: _TensorLike, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows of (N, C, L) or (C, L), which divide each axis evenly."""

def adaptive_max_pool2d(input: _TensorLike, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows of (N, C, H, W) or (C, H, W), which divide each axis evenly."""

def avg_pool1d(input: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True) -> Any:
    """The mean of each window, whose padding counts unless count_include_pad is False."""

def avg_pool2d(input: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None) -> Any:
    """The mean of each window, whose padding counts unless count_include_pad is False."""

def avg_pool3d(input: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None) -> Any:
    """The mean of each window, whose padding counts unless count_include_pad is False."""

def batch_norm(input: _TensorLike, running_mean: _TensorLike | None, running_var: _TensorLike | None, weight: _TensorLike | None = None, bias: _TensorLike | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05) -> Any:
    """(input - mean) / sqrt(variance + eps) * weight + bias, channel by channel (Ioffe and Szegedy, 2015)."""

def binary_cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, reduction: str = 'mean') -> Any:
    """-weight * (labels * log(logits) + (1 - labels) * log(1 - logits)), where logarithms are at least -100."""

def binary_cross_entropy_with_logits(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, reduction: str = 'mean', pos_weight: _TensorLike | None = None) -> Any:
    """The binary cross entropy of sigmoid(input), without computing that first."""

def conv1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: Any = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Any:
    """Convolution of (N, C, ...) or (C, ...)."""

def conv2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: Any = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Any:
    """Convolution of (N, C, ...) or (C, ...)."""

def conv3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: Any = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Any:
    """Convolution of (N, C, ...) or (C, ...)."""

def conv_transpose1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1) -> Any:
    """Transposed convolution of input (N, C, W) with weight (C, OC / groups, KW): the gradient of the input of the convolution with that weight. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride). Of one image, (C, ...), as of a batch of it."""

def conv_transpose2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1) -> Any:
    """Transposed convolution of images (N, C, H, W) with weights (C, OC / groups, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride). Of one image, (C, ...), as of a batch of it."""

def conv_transpose3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1) -> Any:
    """Transposed convolution of volumes (N, C, D, H, W) with weights (C, OC / groups, KD, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride). Of one image, (C, ...), as of a batch of it."""

def cosine_embedding_loss(input1: _TensorLike, input2: _TensorLike, target: _TensorLike, margin: float = 0.0, reduction: str = 'mean') -> Any:
    """With c the cosine between two vectors, 1 - c where target is 1, max(0, c - margin) where it is -1."""

def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """The loss of `log_softmax(input)` against `target`: class indices (int32 or int64), or probabilities of the shape and dtype of `input`."""

def dropout(input: _TensorLike, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zeroes elements with probability p while training, and scales the others by 1 / (1 - p) (Srivastava et al., 2014)."""

def dropout2d(input: _TensorLike, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zeroes whole channels with probability p while training, and scales the others by 1 / (1 - p).

    Source: J. Tompson et al., "Efficient object localization using convolutional networks" (2015).
    """

@overload
def elu(input: _TensorLike, alpha: float = 1.0) -> Any:
    """input where it is positive, else alpha * (exp(input) - 1) (Clevert et al., 2016)."""

@overload
def elu(input: _TensorLike, alpha: float = 1.0, inplace: bool = False) -> Any:
    """elu, which may be written into input."""

def elu_(input: _TensorLike, alpha: float = 1.0) -> Tensor:
    """input where it is positive, else alpha * (exp(input) - 1) (Clevert et al., 2016).

    It is written into input, which is returned.
    """

def embedding(input: _TensorLike, weight: _TensorLike, padding_idx: int | None = None, max_norm: _Operand | None = None, norm_type: _Operand = 2.0, scale_grad_by_freq: bool = False) -> Any:
    """The rows of a table that numbers name."""

def flatten(input: _TensorLike, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

def fold(input: _TensorLike, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Any:
    """The images (N, C, H, W) in which windows are summed, given as columns (N, C * kernel's size, windows), or without N."""

def gelu(input: _TensorLike, *, approximate: str = 'none') -> Tensor:
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""

def glu(input: _TensorLike, dim: int = -1) -> Any:
    """The first half along an axis times the sigmoid of the second (Dauphin et al., 2017)."""

def grid_sample(input: _TensorLike, grid: _TensorLike, mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool | None = None) -> Any:
    """Images (N, C, H, W) or volumes (N, C, D, H, W) read at points: (N, C, *points). NaN coordinates read zeros, or the
    start.

    Method: M. Jaderberg et al., Spatial transformer networks (2015).
    """

def group_norm(input: _TensorLike, num_groups: int, weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: float = 1e-05) -> Any:
    """(x - mean) / sqrt(variance + eps) * weight + bias with the statistics of groups of channels (Wu and He, 2018)."""

def hardshrink(input: _TensorLike, lambd: float = 0.5) -> Any:
    """input, but 0 within [-lambd, lambd]."""

def hardsigmoid(input: _TensorLike) -> Tensor:
    """min(max(input + 3, 0), 6) / 6."""

def hardswish(input: _TensorLike) -> Tensor:
    """input * min(max(input + 3, 0), 6) / 6."""

@overload
def hardtanh(input: _TensorLike, min_val: _Operand = -1.0, max_val: _Operand = 1.0) -> Any:
    """input, but at least min_val and at most max_val; its slope there is 0."""

@overload
def hardtanh(input: _TensorLike, min_val: _Operand = -1.0, max_val: _Operand = 1.0, inplace: bool = False) -> Any:
    """hardtanh, which may be written into input."""

def hardtanh_(input: _TensorLike, min_val: _Operand = -1.0, max_val: _Operand = 1.0) -> Tensor:
    """input, but at least min_val and at most max_val; its slope there is 0.

    It is written into input, which is returned.
    """

def interpolate(input: _TensorLike, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Any:
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """

def kl_div(input: _TensorLike, target: _TensorLike, reduction: str = 'mean', log_target: bool = False) -> Any:
    """target * (log(target) - input), 0 where target is not positive: the divergence of exp(input) from target (Kullback,
    Leibler, 1951). The derivative by input is -target everywhere.
    """

def l1_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Any:
    """abs(input - target)."""

def layer_norm(input: _TensorLike, normalized_shape: int | Sequence[int], weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: float = 1e-05) -> Tensor:
    """(input - mean) / sqrt(var + eps) over the last axes, whose sizes are `normalized_shape`, times `weight` plus `bias`."""

def leaky_relu(input: _TensorLike, negative_slope: float = 0.01) -> Tensor:
    """input where it is above 0, else alpha * input."""

def linear(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None) -> Tensor:
    """input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,)."""

def log_softmax(input: _TensorLike, dim: int | None = None, *, dtype: _DType | None = None) -> Any:
    """The logarithm of softmax along an axis: without one along the first of 0, 1 or 3 axes, else along the second."""

def logsigmoid(input: _TensorLike) -> Any:
    """The logarithm of sigmoid(x), without computing it first."""

def max_pool2d(input: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The largest element of each window of images (N, C, H, W) or (C, H, W)."""

def max_unpool2d(input: _TensorLike, indices: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: int | Sequence[int] | None = None) -> Any:
    """x at positions of a channel, zeros elsewhere: the inverse of max_pool2d."""

def mish(input: _TensorLike) -> Any:
    """x * tanh(log(1 + exp(x))) (Misra, 2020), by n / (n + 2) with n = e * (e + 2), e = exp(x)."""

def mse_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Tensor:
    """The squares of input - target: their mean, their sum, or as they are."""

def nll_loss(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean') -> Tensor:
    """The negative of the log-probabilities `inputs` at the target classes, times their weights; the mean divides by the sum of these."""

def normalize(input: _TensorLike, p: float = 2.0, dim: int | Sequence[int] = 1, eps: float = 1e-12) -> Any:
    """input divided by its norm of order p along axes, which is taken to be eps at least."""

def one_hot(tensor: _TensorLike, num_classes: int = -1) -> Any:
    """A last axis that is 1 at the number of the class, else 0, as int64."""

@overload
def pad(input: _TensorLike, pad: int | Sequence[int]) -> Tensor:
    """Adds `value` (None: 0) before and after: padding holds a pair of sizes for the last axis, then one for the axis before it, and so on. A negative size cuts off. The only mode is 'constant'."""

@overload
def pad(input: _TensorLike, pad: Any, mode: str = 'constant', value: Any = None) -> Any:
    """Elements before and after those of axes, pair by pair from the last axis on."""

def pixel_shuffle(input: _TensorLike, upscale_factor: int) -> Any:
    """Channels as pixels: (..., C * r * r, H, W) becomes (..., C, H * r, W * r), r being upscale_factor.

    Method: W. Shi et al., Real-time single image and video super-resolution (2016).
    """

def prelu(input: _TensorLike, weight: _TensorLike) -> Any:
    """input where it is positive, else input times a weight, one for all or one for each channel (He et al., 2015)."""

@overload
def relu(input: _TensorLike) -> Tensor:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""

@overload
def relu(input: _TensorLike, inplace: bool = False) -> Any:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""

def relu6(input: _TensorLike, inplace: bool = False) -> Any:
    """min(max(input, 0), 6), whose slope at 6 is 0, as PyTorch's is."""

def relu_(input: _TensorLike) -> Tensor:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0.

    It is written into input, which is returned.
    """

def selu(input: _TensorLike) -> Any:
    """elu(x, 1.6732632423543772) times 1.0507009873554805, which keep mean 0 and deviation 1 (Klambauer et al., 2017)."""

def sigmoid(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""

def sigmoid_(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32.

    It is written into input, which is returned.
    """

@overload
def silu(input: _TensorLike) -> Tensor:
    """input * sigmoid(input)."""

@overload
def silu(input: _TensorLike, inplace: bool = False) -> Any:
    """input * sigmoid(input)."""

def smooth_l1_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean', beta: float = 1.0) -> Any:
    """With d = abs(input - target), d**2 / (2 * beta) below beta, else d - beta / 2 (Girshick, 2015)."""

def soft_margin_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Any:
    """log(1 + exp(-target * input))."""

def softmax(input: _TensorLike, dim: int | None = None, dtype: _DType | None = None) -> Any:
    """exp(input) over its sum along an axis: without one along the first of 0, 1 or 3 axes, else along the second."""

def softplus(input: _TensorLike, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold."""

def softshrink(input: _TensorLike, lambd: float = 0.5) -> Any:
    """input, by lambd nearer to 0, and 0 within [-lambd, lambd]."""

def tanh(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

@overload
def threshold(input: _TensorLike, threshold: _Operand, value: _Operand) -> Any:
    """input where it is above a number, else another number."""

@overload
def threshold(input: _TensorLike, threshold: _Operand, value: _Operand, inplace: bool = False) -> Any:
    """threshold, which may be written into input."""

def threshold_(input: _TensorLike, threshold: _Operand, value: _Operand) -> Tensor:
    """input where it is above a number, else another number.

    It is written into input, which is returned.
    """

def unfold(input: _TensorLike, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Any:
    """The windows of images (N, C, H, W) or (C, H, W) as columns: (N, C * kernel's size, windows), or without N."""

def upsample(input: _TensorLike, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None) -> Any:
    """Signals (N, C, W), images (N, C, H, W) or volumes (N, C, D, H, W) resized.

    Elements lie in the middles of pixels, whose outer edges stay where they are. Cubic convolution is that of Keys (1981):
    in PyTorch's names, and where corners are aligned, with the coefficient -0.75 and the last elements beyond the ends;
    else with -0.5, of third order, and weights among the elements that there are.
    """

def __getattr__(name: str) -> Any: ...
