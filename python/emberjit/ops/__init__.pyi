# Written by tools/stubs.py from the declarations.
from builtins import complex as _complex
from collections.abc import Sequence
from typing import Any, overload

from emberjit._emberjit import Number, Tensor, dtype
from emberjit.common.decorators import constexpr as constexpr
from emberjit.ops.control import ForiLoop as ForiLoop
from emberjit.ops.control import Morph as Morph
from emberjit.ops.control import Partial as Partial
from emberjit.ops.control import Scan as Scan
from emberjit.ops.control import WhileLoop as WhileLoop
from emberjit.ops.control import partial as partial
from emberjit.ops.float_status import NPUAllocFloatStatus as NPUAllocFloatStatus
from emberjit.ops.float_status import NPUGetFloatStatus as NPUGetFloatStatus
from emberjit.ops.multitype import HyperMap as HyperMap
from emberjit.ops.multitype import Map as Map
from emberjit.ops.multitype import MultitypeFuncGraph as MultitypeFuncGraph
from emberjit.ops import primitive as primitive
from emberjit.primitives.primitive import Primitive as Primitive
from emberjit.transforms.derivatives import derivative as derivative
from emberjit.transforms.derivatives import jacfwd as jacfwd
from emberjit.transforms.derivatives import jacrev as jacrev
from emberjit.transforms.derivatives import jet as jet
from emberjit.transforms.derivatives import jvp as jvp
from emberjit.transforms.derivatives import linearize as linearize
from emberjit.transforms.derivatives import vjp as vjp
from emberjit.transforms.gradient import GradOperation as GradOperation
from emberjit.transforms.gradient import get_grad as get_grad
from emberjit.transforms.gradient import grad as grad
from emberjit.transforms.gradient import value_and_grad as value_and_grad
from emberjit.transforms.tensor_hooks import HookBackward as HookBackward
from emberjit.transforms.tensor_hooks import InsertGradientOf as InsertGradientOf
from emberjit.transforms import vmap as vmap

_Operand = Tensor | Number | _complex | float | int | bool | Sequence[Any]
_TensorLike = Tensor | Sequence[Any]

class Abs(Primitive):
    """|input|. The least signed integer, which has no opposite, stays itself."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AdaptiveAvgPool2D(Primitive):
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class AdaptiveAvgPool3D(Primitive):
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can."""
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Add(Primitive):
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AddV2(Primitive):
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Angle(Primitive):
    """The angle of complex numbers in radians, within (-pi, pi]; of real numbers 0, or pi below zero."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ArgMaxWithValue(Primitive):
    """The index (int64) of the largest element along `axis`, the first of equals, and the element."""
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class ArgMinWithValue(Primitive):
    """The index (int64) of the smallest element along `axis`, the first of equals, and the element."""
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class Argmax(Primitive):
    """The index of the largest element along an axis, the first of equals."""
    def __init__(self, axis: int = -1, output_type: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Argmin(Primitive):
    """The index of the smallest element along an axis, the first of equals."""
    def __init__(self, axis: int = -1, output_type: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Assign(Primitive):
    """Writes value into a Parameter of the same shape. The value's dtype must promote to the Parameter's. A jitted function that reads the Parameter in another thread meanwhile may see some elements of before and some of after; set_data exchanges them all at once."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AssignAdd(Primitive):
    """Adds value to a Parameter of the same shape, in the Parameter's dtype."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AssignSub(Primitive):
    """Takes value from a Parameter of the same shape, in the Parameter's dtype."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Atan2(Primitive):
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AvgPool(Primitive):
    """The mean of each window's elements within the input; `pad_mode` is 'valid' or 'same'."""
    def __init__(self, kernel_size: int | Sequence[int] = (1,), strides: int | Sequence[int] = (1,), pad_mode: str = 'valid') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class AvgPool3D(Primitive):
    """The mean of each window of volumes (N, C, D, H, W), whose padding counts unless count_include_pad is False; or its
    sum over divisor_override. `pad` is one number or six: before and after each axis, for pad_mode "pad".
    """
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BatchMatMul(Primitive):
    """The products of two batches of matrices, each transposed first where asked."""
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BatchNorm(Primitive):
    """(result, mean, variance, mean, variance): the batch's own statistics when training, else the given ones, which are
    not updated here.
    """
    def __init__(self, is_training: bool = False, epsilon: float = 1e-05, momentum: float = 0.1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BiasAdd(Primitive):
    """Adds one element of `bias` to each channel: axis 1 for the formats 'NCHW' and 'NCDHW', the last for 'NHWC'."""
    def __init__(self, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Bincount(Primitive):
    """The sums of the weights of each integer below a size; without weights, how often each is there."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class BitwiseAnd(Primitive):
    """input & other, elementwise with broadcasting. Floats are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BitwiseOr(Primitive):
    """input | other, elementwise with broadcasting. Floats are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BitwiseXor(Primitive):
    """input ^ other, elementwise with broadcasting. Floats are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class BroadcastTo(Primitive):
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""
    def __init__(self, shape: int | Sequence[int]) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Bucketize(Primitive):
    """The index (int32) of the interval that each element lies in."""
    def __init__(self, boundaries: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cast(Primitive):
    """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Ceil(Primitive):
    """Rounds up to an integer, in the dtype of input."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Complex(Primitive):
    """real + imag * i, elementwise with broadcasting: complex128 of float64, else complex64. Complex operands are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ComplexAbs(Primitive):
    """The magnitude sqrt(re^2 + im^2) of complex numbers."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Concat(Primitive):
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Conj(Primitive):
    """The complex conjugate, re - im * i; of real numbers themselves."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Conv2D(Primitive):
    """Convolution of images (N, C, H, W). `pad` is one number or four (top, bottom, left, right), for pad_mode "pad"."""
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv2DBackpropInput(Primitive):
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, pad_list: int | Sequence[int] | None = None, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv2DTranspose(Primitive):
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, pad_list: int | Sequence[int] | None = None, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv3D(Primitive):
    """Convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for pad_mode "pad"."""
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Conv3DTranspose(Primitive):
    """Transposed convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for
    pad_mode "pad"; output_padding leaves more of the result at the end of each axis.
    """
    def __init__(self, in_channel: int, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, output_padding: int | Sequence[int] = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cos(Primitive):
    """The cosine of radians of any size. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class CountNonZero(Primitive):
    """How many elements are not 0 (int64), over axes; over all if there are none. NaN is not 0."""
    def __init__(self, dims: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CumProd(Primitive):
    """The products of all elements up to each along an axis, in the dtype of x."""
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class CumSum(Primitive):
    """The sums of all elements up to each along an axis, in the dtype of x."""
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Cummax(Primitive):
    """The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class Cummin(Primitive):
    """The smallest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class CumulativeLogsumexp(Primitive):
    """The logarithms of the sums of the exponentials of all elements up to each along an axis, in the dtype of x."""
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DType(Primitive):
    """The dtype."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class DataFormatDimMap(Primitive):
    """Where axes of one order of images are in another."""
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Dense(Primitive):
    """input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,)."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Depend(Primitive):
    """Answers value; effects before it stay before what uses it, as they do anyway."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Div(Primitive):
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Dropout(Primitive):
    """(x with elements dropped and the others scaled, 1 where one was kept)."""
    def __init__(self, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class EmbeddingLookup(Primitive):
    """Slices along the first axis at input_indices - offset; zeros where that is out of range."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Equal(Primitive):
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Erf(Primitive):
    """The error function, within 1.5 ulp. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Exp(Primitive):
    """e to the power of input, within 1 ulp. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ExpandDims(Primitive):
    """Inserts an axis of size one. A view."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Expm1(Primitive):
    """exp(input) - 1, also exact near zero. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Eye(Primitive):
    """Ones on the diagonal of an n x m (None: n x n) matrix of zeros."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Fill(Primitive):
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FillDiagonal(Primitive):
    """input with a number along its main diagonal, which goes on below a tall matrix with `wrap`."""
    def __init__(self, fill_value: _Operand, wrap: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class FillV2(Primitive):
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Flatten(Primitive):
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Floor(Primitive):
    """Rounds down to an integer, in the dtype of input."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FloorDiv(Primitive):
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class FloorMod(Primitive):
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Gather(Primitive):
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""
    def __init__(self, batch_dims: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GatherD(Primitive):
    """For each position of `index` the element of x there, with `dim` replaced by the index."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GatherElements(Primitive):
    """For each position of `index` the element of x there, with `dim` replaced by the index."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GatherNd(Primitive):
    """The elements, or slices of other axes, that rows of indices name."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GatherV2(Primitive):
    """Slices at positions along an axis."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class GeLU(Primitive):
    """gelu(input, approximate='tanh')."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GeluExt(Primitive):
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""
    def __init__(self, approximate: str = 'none') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Greater(Primitive):
    """Whether input is greater than other, elementwise with broadcasting."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class GreaterEqual(Primitive):
    """Whether input is at least other, elementwise with broadcasting."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class HSigmoid(Primitive):
    """min(max(input + 3, 0), 6) / 6."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class HSwish(Primitive):
    """input * min(max(input + 3, 0), 6) / 6."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Histogram(Primitive):
    """How many elements (int32) lie in each of some bins of one width. NaN lies in none."""
    def __init__(self, bins: int = 100, min: float = 0.0, max: float = 0.0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class HistogramFixedWidth(Primitive):
    """How many elements (int32) lie in each of some bins of one width; those beyond them count in the first and the last."""
    def __init__(self, nbins: int, dtype: str = 'int32') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Hypot(Primitive):
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Identity(Primitive):
    """The same elements."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Imag(Primitive):
    """The imaginary part, a view; of real numbers zeros."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InTopK(Primitive):
    """Whether the score of each example's class is finite, and less than k classes have a larger one."""
    def __init__(self, k: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IndexAdd(Primitive):
    """x with the slices of y added at `indices` along an axis, in index order. The last two arguments change nothing."""
    def __init__(self, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IndexFill(Primitive):
    """input with a number at positions along an axis."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IndexPut(Primitive):
    """input with input[indices] = values, or += values in the order of the positions."""
    def __init__(self, accumulate: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceAdd(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes its sum with the update."""
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceIndexAdd(Primitive):
    """Adds updates to a Parameter at positions along an axis, in their order."""
    def __init__(self, axis: int) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceSub(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes its difference from the update."""
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceUpdate(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes the update."""
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class InplaceUpdateV2(Primitive):
    """A copy of x, where indices name slices along the first axis: an element becomes the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Inv(Primitive):
    """1 / input; integers are computed in float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Invert(Primitive):
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class InvertPermutation(Primitive):
    """Of a tuple of ints where each of 0, 1, ... stands in it."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class IsFinite(Primitive):
    """Whether input is neither infinite nor NaN; of integers true."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IsInf(Primitive):
    """Whether input is infinite, of either sign; of integers false."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class IsNan(Primitive):
    """Whether input is NaN; of integers false."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class L2Loss(Primitive):
    """Half the sum of squares. Integers and bools are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LayerNorm(Primitive):
    """Layer normalisation over the axes from `begin_norm_axis` on, with the mean and variance that it used."""
    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-07) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor, Tensor]: ...

class Less(Primitive):
    """Whether input is less than other, elementwise with broadcasting."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LessEqual(Primitive):
    """Whether input is at most other, elementwise with broadcasting."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ListDiff(Primitive):
    """(the elements of x that are not in y, in their order, their positions)."""
    def __init__(self, out_idx: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Log(Primitive):
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Log1p(Primitive):
    """log(1 + input), also exact near zero. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogSoftmax(Primitive):
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalAnd(Primitive):
    """Whether both are true; numbers are true if they are not zero."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalNot(Primitive):
    """Whether input is false; numbers are true if they are not zero."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalOr(Primitive):
    """Whether one at least is true; numbers are true if they are not zero."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LogicalXor(Primitive):
    """Whether exactly one is true; numbers are true if they are not zero."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class LowerBound(Primitive):
    """Of each row the indices at which values, put there, keep it in order: before equal elements, or after them."""
    def __init__(self, out_type: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaskedFill(Primitive):
    """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MaskedScatter(Primitive):
    """input with the elements of source, one after the other, where mask is true."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MaskedSelect(Primitive):
    """The elements where a mask, which broadcasts with the input, is true, in one axis."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class MatMul(Primitive):
    """The product of two matrices, each transposed first where asked."""
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MaxPool(Primitive):
    """The largest element of each window; `pad_mode` is 'valid' or 'same'."""
    def __init__(self, kernel_size: int | Sequence[int] = (1,), strides: int | Sequence[int] = (1,), pad_mode: str = 'valid') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class MaxPool3D(Primitive):
    """The largest element of each window of volumes (N, C, D, H, W). `pad_list` is one number, three, or six: before and
    after each axis, for pad_mode "pad".
    """
    def __init__(self, kernel_size: int | Sequence[int] = 1, strides: int | Sequence[int] = 1, pad_mode: str = 'VALID', pad_list: int | Sequence[int] = 0, ceil_mode: bool | None = None, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Maximum(Primitive):
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Median(Primitive):
    """(medians along an axis, or of all elements, the lower of two; their indices as int64)."""
    def __init__(self, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Minimum(Primitive):
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Mod(Primitive):
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Mul(Primitive):
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class NPUClearFloatStatus(Primitive):
    """Clears the float status: from now on results count. Returns zeros like x."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Neg(Primitive):
    """-input. Unsigned integers wrap; bool is a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class NonZero(Primitive):
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class NotEqual(Primitive):
    """Whether input differs from other, elementwise with broadcasting."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class NthElement(Primitive):
    """The n-th smallest elements along the last axis, or largest, counted from 0; NaN is the largest."""
    def __init__(self, reverse: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class OneHot(Primitive):
    """A new axis of `depth` elements: on_value (None: 1) at the index, off_value (None: 0) elsewhere; an index outside marks nothing. The dtype is that of the values."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Ones(Primitive):
    """A tensor of ones, float32 unless dtype says otherwise."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class OnesLike(Primitive):
    """Ones of input's shape, and its dtype unless another is given."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Pad(Primitive):
    """Zeros before and after each axis, as many as `paddings` names pair by pair."""
    def __init__(self, paddings: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class PadV3(Primitive):
    """Elements before and after axes, pair by pair from the last axis on; not contiguous: (all before, all after)."""
    def __init__(self, mode: str = 'constant', paddings_contiguous: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Polar(Primitive):
    """The complex numbers of these magnitudes and angles, in radians."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Pow(Primitive):
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is taken as 0 where the base is not positive."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Print(Primitive):
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...

class Quantile(Primitive):
    """The quantiles along an axis, of the two nearest elements in between."""
    def __init__(self, dim: int | None = None, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Range(Primitive):
    """The same as arange."""
    def __init__(self, maxlen: int = 1000000) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Rank(Primitive):
    """The number of axes of a Tensor, an int."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReLU(Primitive):
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReLU6(Primitive):
    """min(max(x, 0), 6). NaN stays NaN."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Real(Primitive):
    """The real part, a view; of real numbers input itself."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class RealDiv(Primitive):
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Reciprocal(Primitive):
    """1 / input; integers are computed in float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceAll(Primitive):
    """Whether all elements over `axis` are true (not zero)."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceAny(Primitive):
    """Whether any element over `axis` is true (not zero)."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceMax(Primitive):
    """The largest element over `axis`; NaN if there is one."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceMean(Primitive):
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceMin(Primitive):
    """The smallest element over `axis`; NaN if there is one."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceProd(Primitive):
    """Multiplies the elements over `axis`, in the dtype of `x` (integers wrap)."""
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReduceStd(Primitive):
    """(the standard deviations over axes, the means)."""
    def __init__(self, axis: int | Sequence[int] | None = (), unbiased: bool = True, keep_dims: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReduceSum(Primitive):
    """Sums the elements over axes, in the dtype of x. No axis means all of them, with skip_mode none."""
    def __init__(self, keep_dims: bool = False, skip_mode: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Reshape(Primitive):
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ReverseSequence(Primitive):
    """Of each example the first elements along an axis in reverse order, as many as its length; the others stay."""
    def __init__(self, seq_dim: int, batch_dim: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ReverseV2(Primitive):
    """Reverses the order of elements along the given axes."""
    def __init__(self, axis: int | Sequence[int], dims: Any = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Round(Primitive):
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places; in the dtype of input. Integers stay as they are."""
    def __init__(self, decimals: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Rsqrt(Primitive):
    """1 / sqrt(input); infinite at zero, NaN below. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ScalarToTensor(Primitive):
    """A 0-d Tensor of a number."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterAdd(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its sum with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterAddWithAxis(Primitive):
    """input with src added at the positions that index names along an axis, in their order."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterDiv(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterMax(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes the larger of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterMin(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes the smaller of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterMul(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its product with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNd(Primitive):
    """Zeros of a shape with updates added where rows of indices name elements, or slices of other axes, in their order."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdAdd(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its sum with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdDiv(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdMax(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes the larger of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdMin(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes the smaller of it and the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdMul(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its product with the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdSub(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its difference from the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNdUpdate(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes the update."""
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterNonAliasingAdd(Primitive):
    """Writes into input_x where a row of indices names an element: it becomes its sum with the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterSub(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes its difference from the update."""
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class ScatterUpdate(Primitive):
    """Writes into input_x where indices name slices along its first axis: an element becomes the update."""
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SearchSorted(Primitive):
    """The indices at which values, put there, keep a sequence in order along its last axis. NaN is above all."""
    def __init__(self, dtype: dtype = ..., right: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentMax(Primitive):
    """The largest elements of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentMean(Primitive):
    """The means of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentMin(Primitive):
    """The smallest elements of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentProd(Primitive):
    """The products of the slices of each segment; 1 where there is none.

    There are as many segments as the largest id says.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SegmentSum(Primitive):
    """The sums of the slices of each segment; 0 where there is none.

    There are as many segments as the largest id says.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Select(Primitive):
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Shape(Primitive):
    """The shape of a Tensor, a tuple of ints."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SiLU(Primitive):
    """input * sigmoid(input)."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sigmoid(Primitive):
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sign(Primitive):
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Sin(Primitive):
    """The sine of radians of any size. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Size(Primitive):
    """The number of elements of a Tensor, an int."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Slice(Primitive):
    """size[i] elements from begin[i] on of each axis i; a size of -1 means all the rest. A view."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Softmax(Primitive):
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SoftmaxCrossEntropyWithLogits(Primitive):
    """(the cross entropy of each row of `logits` (N, C) against the probabilities `labels`, its gradient by the logits)."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]: ...

class Sort(Primitive):
    """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest."""
    def __init__(self, axis: int = -1, descending: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseGatherV2(Primitive):
    """Slices at positions along an axis."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    """The mean cross entropy of `logits` (N, C) against the class numbers `labels` (N,), or with `is_grad` its gradient by the logits."""
    def __init__(self, is_grad: bool = False) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Split(Primitive):
    """output_num pieces of one size along an axis. Views."""
    def __init__(self, axis: int = 0, output_num: int = 1) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sqrt(Primitive):
    """The square root, correctly rounded; NaN below zero. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Square(Primitive):
    """input * input. Bool is a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Squeeze(Primitive):
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""
    def __init__(self, axis: int | Sequence[int] | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Stack(Primitive):
    """Joins tensors of one shape and dtype along a new axis."""
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class StandardNormal(Primitive):
    """Random numbers of mean 0 and deviation 1."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class StopGradient(Primitive):
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class StridedSlice(Primitive):
    """The region begin[i]:end[i]:strides[i] of each axis; bit i of a mask changes what entry i means. A view."""
    def __init__(self, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Sub(Primitive):
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class SubV2(Primitive):
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Tanh(Primitive):
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TensorScatterAdd(Primitive):
    """input_x, in which an element that a row of indices names is its sum with the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterDiv(Primitive):
    """input_x, in which an element that a row of indices names is its quotient by the update; of integers truncated, and 0 if that is by zero."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterElements(Primitive):
    """input_x with `updates` written ('none') or added ('add') where gather_d would have read them, in index order."""
    def __init__(self, axis: int = 0, reduction: str = 'none') -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TensorScatterMax(Primitive):
    """input_x, in which an element that a row of indices names is the larger of it and the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterMin(Primitive):
    """input_x, in which an element that a row of indices names is the smaller of it and the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterMul(Primitive):
    """input_x, in which an element that a row of indices names is its product with the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterSub(Primitive):
    """input_x, in which an element that a row of indices names is its difference from the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class TensorScatterUpdate(Primitive):
    """input_x, in which an element that a row of indices names is the update."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Tile(Primitive):
    """Repeats the tensor dims[i] times along axis i, counted from the last."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TopK(Primitive):
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.
    """
    def __init__(self, sorted: bool = True) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Transpose(Primitive):
    """Axis i of the result is axis dims[i] of the operand. A view."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class Tril(Primitive):
    """The matrices of the last two axes with zeros above the given diagonal."""
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TrilIndices(Primitive):
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and below it, in row-major order."""
    def __init__(self, row: int, col: int, offset: int = 0, dtype: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Triu(Primitive):
    """The matrices of the last two axes with zeros below the given diagonal."""
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TriuIndices(Primitive):
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and above it, in row-major order."""
    def __init__(self, row: int, col: int, offset: int = 0, dtype: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Trunc(Primitive):
    """Rounds toward zero to an integer, in the dtype of input."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class TupleToArray(Primitive):
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniformInt(Primitive):
    """Random integers of [minval, maxval), int32."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniformReal(Primitive):
    """Random numbers of [0, 1)."""
    def __init__(self, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Unique(Primitive):
    """(the distinct elements in the order of their first occurrence, 1-d; which of them each element is, as int32).

    Each NaN is distinct.
    """
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniqueConsecutive(Primitive):
    """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct."""
    def __init__(self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UniqueWithPad(Primitive):
    """(the distinct elements in the order of their first occurrence, filled up to x's size; which each is, as int32)."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnravelIndex(Primitive):
    """The indices along each axis, a row each, of elements that are counted in row-major order."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentMax(Primitive):
    """The largest elements of the slices of each segment; the least number of the dtype where there is none."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentMin(Primitive):
    """The smallest elements of the slices of each segment; the largest number of the dtype where there is none."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentProd(Primitive):
    """The products of the slices of each segment; 1 where there is none."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class UnsortedSegmentSum(Primitive):
    """The sums of the slices of each segment."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Unstack(Primitive):
    """The slices along an axis, `num` of them. Views."""
    def __init__(self, axis: int = 0, num: int | None = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]: ...

class UpperBound(Primitive):
    """Of each row the indices at which values, put there, keep it in order: before equal elements, or after them."""
    def __init__(self, out_type: dtype = ...) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Zeros(Primitive):
    """A tensor of zeros, float32 unless dtype says otherwise."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

class ZerosLike(Primitive):
    """Zeros of input's shape, and its dtype unless another is given."""
    def __init__(self) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Tensor: ...

def abs(input: _TensorLike) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def absolute(input: _TensorLike) -> Tensor:
    """|input|. The least signed integer, which has no opposite, stays itself."""

def adaptive_avg_pool1d(input: _TensorLike, output_size: int | Sequence[int]) -> Tensor:
    """The means of `output_size` windows along each axis, which divide it as evenly as they can; -1 keeps an axis. A single image has no batch axis."""

def adaptive_avg_pool2d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can."""

def adaptive_avg_pool3d(input: _TensorLike, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can."""

def add(input: _Operand, other: _Operand) -> Tensor:
    """input + other, elementwise with broadcasting; of two bools, their disjunction."""

def addmm(input: _TensorLike, mat1: _TensorLike, mat2: _TensorLike, *, beta: _Operand = 1, alpha: _Operand = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""

def all(input: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False, *, dim: int | Sequence[int] | None = ..., keepdims: bool = ...) -> Tensor:
    """Whether all elements over `axis` are true (not zero)."""

def amax(input: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def amin(input: _TensorLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Tensor:
    """The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is true take part, which needs `initial`."""

def aminmax(input: _TensorLike, *, axis: int | None = 0, keepdims: bool = False) -> Any:
    """(the smallest elements along an axis, the largest); of all elements without one."""

def angle(input: _TensorLike) -> Tensor:
    """The angle of complex numbers in radians, within (-pi, pi]; of real numbers 0, or pi below zero."""

def any(input: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False, *, dim: int | Sequence[int] | None = ..., keepdims: bool = ...) -> Tensor:
    """Whether any element over `axis` is true (not zero)."""

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: dtype | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0."""

def arctan2(input: _Operand, other: _Operand) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def argmax(input: _TensorLike, dim: int | None = None, keepdim: bool = False, *, axis: int | None = ..., keepdims: bool = ...) -> Tensor:
    """The index (int64) of the largest element along `dim`, the first of equals; of all elements if `dim` is None."""

def argmin(input: _TensorLike, axis: int | None = None, keepdims: bool = False, *, dim: int | None = ..., keepdim: bool = ...) -> Tensor:
    """The index (int32) of the smallest element along `axis`, the first of equals; of all elements if `axis` is None."""

def argsort(input: _TensorLike, axis: int = -1, descending: bool = False) -> Any:
    """The indices (int32) of the elements in order along an axis, of equals the lower index first; NaN is the largest."""

def argwhere(input: _TensorLike) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def assign(variable: Tensor, value: _Operand) -> Tensor:
    """Writes value into a Parameter of the same shape. The value's dtype must promote to the Parameter's. A jitted function that reads the Parameter in another thread meanwhile may see some elements of before and some of after; set_data exchanges them all at once."""

def assign_add(variable: Tensor, value: _Operand) -> Tensor:
    """Adds value to a Parameter of the same shape, in the Parameter's dtype."""

def assign_sub(variable: Tensor, value: _Operand) -> Tensor:
    """Takes value from a Parameter of the same shape, in the Parameter's dtype."""

def atan2(input: _Operand, other: _Operand) -> Tensor:
    """The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of zero as in C. Integers give float32."""

def attention(query: _TensorLike, key: _TensorLike, value: _TensorLike, mask: _TensorLike | None = None, scale: float = 1.0, divide: bool = False, causal: bool = False, fill: float = ...) -> Tensor:
    """softmax(query @ key' * scale) @ value for each head: `query` is (..., heads, length, depth), `key` (..., groups, keys, depth), `value` (..., groups, keys, width), and a group serves heads / groups heads in a row; of two dimensions there is one head. With `divide` the scores are divided by `scale`. `mask` broadcasts to the scores: a bool one sets them to `fill` where it is true, another is added. `causal` adds -inf where the key is behind the query. Scores are not kept, neither for the gradient."""

def avg_pool1d(input_x: _TensorLike, kernel_size: int | Sequence[int] = (1,), stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> Tensor:
    """The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over `divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def avg_pool2d(input_x: _TensorLike, kernel_size: int | Sequence[int] = (1,), stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Tensor:
    """The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over `divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def avg_pool3d(input_x: _TensorLike, kernel_size: int | Sequence[int] = (1,), stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Tensor:
    """The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over `divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def batch_norm(input_x: _TensorLike, running_mean: _TensorLike, running_var: _TensorLike, weight: _TensorLike, bias: _TensorLike, training: bool = False, momentum: float = 0.1, eps: float = 1e-05) -> Tensor:
    """(input_x - mean) / sqrt(var + eps) * weight + bias per channel, with the batch's own statistics when training, else with the running ones. These are not updated here."""

def bernoulli(input: _TensorLike, p: float = 0.5, seed: int | None = None) -> Tensor:
    """Ones with probability p, else zeros, in input's shape and dtype."""

def bernoulli_(input: _TensorLike, p: float = 0.5, *, generator: Any = None) -> Tensor:
    """1 with probability p, else 0: whether u < p, where u are those of rand() in input's shape.

    It is written into input, which is returned.
    """

def bias_add(input_x: _TensorLike, bias: _TensorLike, data_format: str = 'NCHW') -> Tensor:
    """Adds one element of `bias` to each channel: axis 1 for the formats 'NCHW' and 'NCDHW', the last for 'NHWC'."""

def bincount(input: _TensorLike, weights: _TensorLike | None = None, minlength: int = 0) -> Any:
    """How often each integer from 0 to the largest element is there, as float32, or the sums of their weights."""

def bitwise_and(input: _Operand, other: _Operand) -> Tensor:
    """input & other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_not(input: _TensorLike) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def bitwise_or(input: _Operand, other: _Operand) -> Tensor:
    """input | other, elementwise with broadcasting. Floats are a TypeError."""

def bitwise_xor(input: _Operand, other: _Operand) -> Tensor:
    """input ^ other, elementwise with broadcasting. Floats are a TypeError."""

def bmm(input_x: _TensorLike, mat2: _TensorLike) -> Tensor:
    """The products of two batches of matrices."""

def broadcast_to(input: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view."""

def bucketize(input: _TensorLike, boundaries: Any, *, right: bool = False) -> Any:
    """The index (int32) of the interval that each element lies in."""

def cast(input: _TensorLike, dtype: dtype) -> Tensor:
    """input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers wrap, to bool is `!= 0`, and the half types are rounded to nearest even."""

def cat(tensors: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""

def ceil(input: _TensorLike) -> Tensor:
    """Rounds up to an integer, in the dtype of input."""

def chunk(input: _TensorLike, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most `chunks` pieces of one size along an axis; the last may be smaller. Views."""

def clamp(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def clamp_(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError.

    It is written into input, which is returned.
    """

def clip(input: _Operand, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min is above it. NaN stays NaN. One of min and max must be given, else a ValueError."""

def clip_by_value(x: Any, clip_value_min: _Operand | None = None, clip_value_max: _Operand | None = None) -> Any:
    """x, but at least clip_value_min and at most clip_value_max; a tuple or list item by item."""

def complex(real: _Operand, imag: _Operand) -> Tensor:
    """real + imag * i, elementwise with broadcasting: complex128 of float64, else complex64. Complex operands are a TypeError."""

def concat(tensors: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors along an axis. All other sizes must agree; dtypes promote to their common one."""

def conj(input: _TensorLike) -> Tensor:
    """The complex conjugate, re - im * i; of real numbers themselves."""

def conv1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of input (N, C, W) with weight (OC, C / groups, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`)."""

def conv2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of images (N, C, H, W) with weights (OC, C / groups, KH, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of rows and columns)."""

def conv3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), pad_mode: str = 'valid', padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), groups: int = 1) -> Tensor:
    """Convolution of volumes (N, C, D, H, W) with weights (OC, C / groups, KD, KH, KW). `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of each axis)."""

def conv_transpose1d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of input (N, C, W) with weight (C, OC / groups, KW): the gradient of the input of the convolution with that weight. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose2d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of images (N, C, H, W) with weights (C, OC / groups, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def conv_transpose3d(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None, stride: int | Sequence[int] = (1,), padding: int | Sequence[int] = (0,), output_padding: int | Sequence[int] = (0,), groups: int = 1, dilation: int | Sequence[int] = (1,)) -> Tensor:
    """Transposed convolution of volumes (N, C, D, H, W) with weights (C, OC / groups, KD, KH, KW): the gradient of the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride)."""

def cos(input: _TensorLike) -> Tensor:
    """The cosine of radians of any size. Integers give float32."""

def count_nonzero(x: _TensorLike, axis: int | Sequence[int] | None = (), keep_dims: bool = False, dtype: dtype = ...) -> Any:
    """How many elements are not 0, over axes; over all if there are none. NaN is not 0."""

def cross_entropy(input: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """The loss of `log_softmax(input)` against `target`: class indices (int32 or int64), or probabilities of the shape and dtype of `input`."""

def cummax(input: _TensorLike, axis: int) -> tuple[Tensor, Tensor]:
    """The largest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""

def cummin(input: _TensorLike, axis: int) -> tuple[Tensor, Tensor]:
    """The smallest of all elements up to each along an axis, and its index (int64): of equals, and of NaN, which prevails, the last."""

def cumprod(input: _TensorLike, dim: int, dtype: dtype | None = None) -> Any:
    """The products of all elements up to each along an axis, one after the other."""

def cumsum(x: _TensorLike, axis: int, dtype: dtype | None = None) -> Tensor:
    """Sums of all elements up to each along an axis, one after the other, in dtype (None: the operand's)."""

def dense(input: _TensorLike, weight: _TensorLike, bias: _TensorLike | None = None) -> Tensor:
    """input @ weight.T + bias, where `weight` is (outputs, inputs), or (inputs,)."""

def depend(value: Any, expr: Any) -> Any:
    """Answers value; effects before it stay before what uses it, as they do anyway."""

def diagonal(input: _TensorLike, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of the matrices that two axes are, `offset` columns to the right, as the last axis. A view."""

def diagonal_scatter(input: _TensorLike, src: _TensorLike, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """input with a diagonal replaced."""

def diff(x: _Operand, n: int = 1, axis: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

def diff_ext(input: _Operand, n: int = 1, dim: int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Any:
    """The differences of neighbours along an axis, n times; of bools whether they differ."""

@overload
def div(input: _Operand, other: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

@overload
def div(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting."""

@overload
def divide(input: _Operand, other: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

@overload
def divide(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Any:
    """input / other, elementwise with broadcasting."""

def dropout(input: _TensorLike, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """While training, zeros with probability p and input / (1 - p) elsewhere; else the input itself."""

def eq(input: _Operand, other: _Operand) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input equals other, elementwise with broadcasting. NaN equals nothing."""

def erf(input: _TensorLike) -> Tensor:
    """The error function, within 1.5 ulp. Integers give float32."""

def exp(input: _TensorLike) -> Tensor:
    """e to the power of input, within 1 ulp. Integers give float32."""

def expand_as(input: _TensorLike, other: _TensorLike) -> Any:
    """Repeated along axes of size 1 to the shape of other. A view."""

def expand_dims(input_x: _TensorLike = ..., axis: int = ..., *, input: _TensorLike = ..., dim: int = ...) -> Tensor:
    """Inserts an axis of size one. A view."""

def expm1(input: _TensorLike) -> Tensor:
    """exp(input) - 1, also exact near zero. Integers give float32."""

def exponential_(input: _TensorLike, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Random numbers of density lambd * exp(-lambd * x): -log1p(-u) / lambd, where u are those of rand().

    It is written into input, which is returned.
    """

def eye(n: int, m: int | None = None, dtype: dtype | None = None) -> Tensor:
    """Ones on the diagonal of an n x m (None: n x n) matrix of zeros."""

def fft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The discrete Fourier transform along an axis: sum over j of input[j] exp(-2 pi i j k / n).

    Computed by mixed radices (Cooley and Tukey 1965), lengths with large prime factors by a convolution (Bluestein 1970).
    """

def fft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """fft along two axes, cut or filled up to the sizes s."""

def fftfreq(n: int, d: float = 1.0, dtype: dtype | None = None) -> Any:
    """The frequencies of the numbers that fft gives, 0, 1, ..., -2, -1 over n d, in cycles per unit of the distance d."""

def fftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """fft along several axes: all, or the last ones that s has sizes for."""

def fftshift(input: _TensorLike, dim: int | Sequence[int] | None = None) -> Any:
    """The elements along all or the given axes turned by half, so that frequency 0 stands in the middle."""

def fill(type: dtype | None = None, shape: int | Sequence[int] = ..., value: _Operand = ...) -> Tensor:
    """A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its own."""

def flash_attention_score(query: _TensorLike, key: _TensorLike, value: _TensorLike, head_num: int, real_shift: _TensorLike | None = None, drop_mask: _TensorLike | None = None, padding_mask: _TensorLike | None = None, attn_mask: _TensorLike | None = None, prefix: int | Sequence[int] | None = None, actual_seq_qlen: int | Sequence[int] | None = None, actual_seq_kvlen: int | Sequence[int] | None = None, keep_prob: float = 1.0, scalar_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0, input_layout: str = 'BSH', sparse_mode: int = 0) -> Tensor:
    """Attention of `head_num` heads, in the layouts 'BSH', 'SBH', 'BNSD' and 'BSND', any floating-point dtype; the heads of key and value divide those of query. Scores are query @ key' * `scalar_value` + `real_shift`, and -inf where `attn_mask` (bool or uint8) is true or the key is outside of `pre_tokens` and `next_tokens`, counted from the query, which takes an attn_mask. `sparse_mode` 1 takes attn_mask alone; 2, 3 and 4 make the mask: keys up to the query's, the same with the last query and key aligned, and the tokens so aligned. There is no dropout: drop_mask and the parameters of packed sequences must be None. Like attention it stores no scores."""

def flatten(input: _TensorLike, order: str = 'C', *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first."""

def flip(input: _TensorLike, dims: int | Sequence[int] = ..., *, axis: int | Sequence[int] = ...) -> Tensor:
    """Reverses the order of elements along the given axes."""

def floor(input: _TensorLike) -> Tensor:
    """Rounds down to an integer, in the dtype of input."""

def floor_div(x: _Operand, y: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def floor_divide(input: _Operand, other: _Operand) -> Tensor:
    """x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def floor_mod(x: _Operand, y: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def fma(input: _Operand, factor: _Operand, term: _Operand) -> Tensor:
    """input * factor + term, rounded once."""

def foreign_call(operands: Sequence[_TensorLike], library: str, symbol: str, signature: str) -> tuple[Tensor, ...]:
    """Calls a C function of a shared library. The signature names dtypes and sizes, as in 'float32[n], float32[n] -> float32[n]': operands and results with sizes are pointers, those without are values, and named sizes follow as int64_t. The library is loaded by the first call. Its gradient is not known: asking for one is a TypeError, unless the call stands in the construct of a Cell with a bprop."""

def full(size: Any, fill_value: _Operand, *, dtype: dtype | None = None) -> Any:
    """A Tensor of one value, converted to dtype: int64 if that is None."""

def full_like(input: _TensorLike, fill_value: _Operand, *, dtype: dtype | None = None) -> Tensor:
    """One value in input's shape, and its dtype unless another is given."""

def gather(input_params: _TensorLike, input_indices: _TensorLike, axis: int, batch_dims: int = 0) -> Tensor:
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

def gather_d(x: _TensorLike = ..., dim: int = ..., index: _TensorLike = ..., *, input: _TensorLike = ...) -> Tensor:
    """For each position of `index` the element of x there, with `dim` replaced by the index."""

def gather_elements(input: _TensorLike, dim: int, index: _TensorLike) -> Tensor:
    """For each position of `index` the element of x there, with `dim` replaced by the index."""

def gather_nd(input_x: _TensorLike, indices: _TensorLike) -> Any:
    """The elements, or slices of other axes, that rows of indices name."""

def ge(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def gelu(input: _TensorLike, approximate: str = 'none') -> Tensor:
    """input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a cubic, 'none' by erf; anything else is a ValueError."""

def greater(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def greater_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise with broadcasting."""

def gt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise with broadcasting."""

def hardsigmoid(input: _TensorLike) -> Tensor:
    """min(max(input + 3, 0), 6) / 6."""

def hardswish(input: _TensorLike) -> Tensor:
    """input * min(max(input + 3, 0), 6) / 6."""

def hfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """fft of n numbers that are Hermitian, of which the first n // 2 + 1 are given: n real numbers. See irfft."""

def hfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """fft along the first of two axes, then hfft along the other."""

def hfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """fft along several axes but the last of them, then hfft along that."""

def histc(input: _TensorLike, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Any:
    """How many elements lie in each of some bins of one width, in the input's dtype. NaN lies in none."""

def hypot(input: _Operand, other: _Operand) -> Tensor:
    """sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32."""

def identity(x: _TensorLike) -> Tensor:
    """The same elements."""

def ifft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of fft: sum over k of input[k] exp(2 pi i j k / n), times 1 / n (norm "backward"). See fft."""

def ifft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """ifft along two axes, cut or filled up to the sizes s."""

def ifftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """ifft along several axes: all, or the last ones that s has sizes for."""

def ifftshift(input: _TensorLike, dim: int | Sequence[int] | None = None) -> Any:
    """The inverse of fftshift."""

def ihfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of hfft: the first n // 2 + 1 numbers of ifft of real ones. See rfft."""

def ihfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of hfft2."""

def ihfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of hfftn."""

def imag(input: _TensorLike) -> Any:
    """The imaginary part, a view; of real numbers zeros."""

def index_add(x: _TensorLike, indices: _TensorLike, y: _TensorLike, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> Tensor:
    """x with the slices of y added at `indices` along an axis, in index order. The last two arguments change nothing."""

def index_fill(x: _TensorLike, axis: int, index: _TensorLike, value: _Operand) -> Any:
    """input with a number at positions along an axis."""

def index_put(input: _TensorLike, indices: Any, values: _TensorLike, accumulate: bool = False) -> Any:
    """input with input[indices] = values, or += values in the order of the positions."""

def index_select(input: _TensorLike, axis: int, index: _TensorLike) -> Tensor:
    """Slices of input_params at input_indices along an axis. The first batch_dims axes of both are walked together."""

def inplace_add(x: _TensorLike, v: _TensorLike, indices: Any) -> Any:
    """A copy of x, where indices name slices along the first axis: an element becomes its sum with the update."""

def inplace_index_add(var: Tensor, indices: _TensorLike, updates: _TensorLike, axis: int) -> Any:
    """Adds updates to a Parameter at positions along an axis, in their order."""

def inplace_sub(x: _TensorLike, v: _TensorLike, indices: Any) -> Any:
    """A copy of x, where indices name slices along the first axis: an element becomes its difference from the update."""

def inplace_update(x: _TensorLike, v: _TensorLike, indices: Any) -> Any:
    """A copy of x, where indices name slices along the first axis: an element becomes the update."""

def intopk(x1: _TensorLike, x2: _TensorLike, k: int) -> Any:
    """Whether the score of each example's class is finite, and less than k classes have a larger one."""

def invert(x: _TensorLike) -> Tensor:
    """~x: the complement of every bit; of bools the negation. Floats are a TypeError."""

def irfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The inverse of rfft: n real numbers, 2 (size of the axis - 1) if it is None. See fft."""

def irfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of rfft2."""

def irfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of rfftn."""

def is_complex(input: _TensorLike) -> Any:
    """Whether the dtype is complex64 or complex128."""

def is_floating_point(input: _TensorLike) -> Any:
    """Whether the dtype is of floating point."""

def is_nonzero(input: _TensorLike) -> Any:
    """Whether the only element is not 0."""

def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""

def isfinite(input: _TensorLike) -> Tensor:
    """Whether input is neither infinite nor NaN; of integers true."""

def isinf(input: _TensorLike) -> Tensor:
    """Whether input is infinite, of either sign; of integers false."""

def isnan(input: _TensorLike) -> Tensor:
    """Whether input is NaN; of integers false."""

def isreal(input: _TensorLike) -> Any:
    """Which elements have no imaginary part: for real dtypes all."""

def layer_norm(input: _TensorLike, normalized_shape: int | Sequence[int], weight: _TensorLike | None = None, bias: _TensorLike | None = None, eps: float = 1e-05) -> Tensor:
    """(input - mean) / sqrt(var + eps) over the last axes, whose sizes are `normalized_shape`, times `weight` plus `bias`."""

def le(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def leaky_relu(input: _TensorLike, alpha: float = 0.2) -> Tensor:
    """input where it is above 0, else alpha * input."""

def less(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def less_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise with broadcasting."""

def log(input: _TensorLike) -> Tensor:
    """The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32."""

def log1p(input: _TensorLike) -> Tensor:
    """log(1 + input), also exact near zero. Integers give float32."""

@overload
def log_softmax(logits: _TensorLike, axis: int = -1) -> Tensor:
    """(logits - m) - log(sum(exp(logits - m))) along `axis`, where m is the largest element."""

@overload
def log_softmax(logits: _TensorLike, axis: int = -1, *, dtype: dtype | None = None) -> Any:
    """The logarithm of softmax, without computing it first."""

def logcumsumexp(input: _TensorLike, axis: int) -> Any:
    """The logarithms of the sums of the exponentials of all elements up to each along an axis, without overflow."""

def logical_and(input: _Operand, other: _Operand) -> Tensor:
    """Whether both are true; numbers are true if they are not zero."""

def logical_not(input: _TensorLike) -> Tensor:
    """Whether input is false; numbers are true if they are not zero."""

def logical_or(input: _Operand, other: _Operand) -> Tensor:
    """Whether one at least is true; numbers are true if they are not zero."""

def logical_xor(input: _Operand, other: _Operand) -> Tensor:
    """Whether exactly one is true; numbers are true if they are not zero."""

def logsumexp(input: _TensorLike, dim: int | Sequence[int] | None, keepdim: bool = False) -> Any:
    """The logarithm of the sum of the exponentials over axes, without overflow."""

def lt(input: _Operand, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise with broadcasting."""

def masked_fill(input_x: _TensorLike = ..., mask: _TensorLike = ..., value: _Operand = ..., *, input: _TensorLike = ...) -> Tensor:
    """value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask broadcast. A mask that is not bool is a TypeError."""

def masked_scatter(input: _TensorLike, mask: _TensorLike, source: _TensorLike) -> Any:
    """input with the elements of source, one after the other, where mask is true."""

def masked_select(input: _TensorLike, mask: _TensorLike) -> Any:
    """The elements where a mask, which broadcasts with the input, is true, in one axis."""

def matmul(input: _TensorLike, other: _TensorLike) -> Tensor:
    """The matrix product, as np.matmul: batches broadcast, and a 1-d operand is a row or column that vanishes again."""

def max(input: _TensorLike, axis: int | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Any:
    """(largest elements along an axis, their indices as int64), of equals the first; without an axis (largest of all, 0)."""

def max_pool1d(x: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = (0,), dilation: int | Sequence[int] = (1,), ceil_mode: bool = False) -> Tensor:
    """The largest element of each window. `stride` is `kernel_size` if None. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`); padding counts as less than any element."""

def max_pool2d(x: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False) -> Any:
    """The largest element of each window of images (N, C, H, W)."""

def max_pool3d(x: _TensorLike, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W)."""

def maximum(input: _Operand, other: _Operand) -> Tensor:
    """The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""

def mean(x: _TensorLike = ..., axis: int | Sequence[int] | None = None, keep_dims: bool = False, *, dtype: dtype | None = None, input: _TensorLike = ..., dim: int | Sequence[int] | None = ..., keepdims: bool = ..., keepdim: bool = ...) -> Tensor:
    """The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` first."""

def median(input: _TensorLike, axis: int = -1, keepdims: bool = False) -> Any:
    """(medians along an axis, the lower of two; their indices as int64). NaN, and the first index of one, if there is one."""

def min(input: _TensorLike, axis: int | None = None, keepdims: bool = False, *, initial: _Operand | None = None, where: _TensorLike | None = None) -> Any:
    """(smallest elements along an axis, their indices as int64), of equals the first; without an axis (smallest of all, 0)."""

def minimum(input: _Operand, other: _Operand) -> Tensor:
    """The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal the gradient goes to input."""

def mm(input: _TensorLike, mat2: _TensorLike) -> Any:
    """The product of two matrices."""

def moveaxis(x: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def movedim(x: _TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes at other places; those that are not named keep their order. A view."""

def mse_loss(input: _TensorLike, target: _TensorLike, reduction: str = 'mean') -> Tensor:
    """The squares of input - target: their mean, their sum, or as they are."""

def msort(input: _TensorLike) -> Any:
    """The elements in ascending order along the first axis; NaN is the largest."""

def mul(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def multiply(input: _Operand, other: _Operand) -> Tensor:
    """input * other, elementwise with broadcasting; of two bools, their conjunction."""

def nanmean(input: _Operand, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, dtype: dtype | None = None) -> Any:
    """The means over axes of what is not NaN."""

def nanmedian(input: _TensorLike, axis: int = -1, keepdims: bool = False) -> Any:
    """(medians along an axis of what is not NaN, the lower of two; their indices as int64); NaN where there is nothing else."""

def nanquantile(input: _TensorLike, q: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The quantiles along an axis, of the two nearest elements in between, of what is not NaN; NaN where there is nothing else."""

def nansum(input: _Operand, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, dtype: dtype | None = None) -> Any:
    """The sums over axes of what is not NaN."""

def narrow(input: _TensorLike, dim: int, start: int, length: int) -> Any:
    """The elements from start on along an axis, as many as length. A view."""

def ne(input: _Operand, other: _Operand) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def neg(input: _TensorLike) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def negative(input: _TensorLike) -> Tensor:
    """-input. Unsigned integers wrap; bool is a TypeError."""

def nll_loss(inputs: _TensorLike, target: _TensorLike, weight: _TensorLike | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """The negative of the log-probabilities `inputs` at the target classes, times their weights; the mean divides by the sum of these."""

def nonzero(input: _TensorLike, *, as_tuple: bool = False) -> Any:
    """The indices (int64, a row each) of the elements that are not 0, in row-major order."""

def normal(shape: int | Sequence[int], mean: _Operand, stddev: _Operand, seed: int | None = None) -> Tensor:
    """mean + stddev * standard_normal(shape), broadcast."""

def normal_(input: _TensorLike, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Random numbers of a mean and deviation: mean + z * std, where z are those of randn() in input's shape and dtype.

    It is written into input, which is returned.
    """

def not_equal(input: _Operand, other: _Operand) -> Tensor:
    """Whether input differs from other, elementwise with broadcasting."""

def numel(input: _TensorLike) -> Any:
    """The number of elements of a Tensor, an int."""

def one_hot(indices: _TensorLike, depth: int, on_value: _Operand | None = None, off_value: _Operand | None = None, axis: int = -1) -> Tensor:
    """A new axis of `depth` elements: on_value (None: 1) at the index, off_value (None: 0) elsewhere; an index outside marks nothing. The dtype is that of the values."""

def ones(shape: int | Sequence[int] = ..., dtype: dtype | None = None, *, size: int | Sequence[int] = ...) -> Tensor:
    """A tensor of ones, float32 unless dtype says otherwise."""

def ones_like(input: _TensorLike, *, dtype: dtype | None = None) -> Tensor:
    """Ones of input's shape, and its dtype unless another is given."""

def pad(input_x: _TensorLike, padding: int | Sequence[int], mode: str = 'constant', value: float | None = None) -> Tensor:
    """Adds `value` (None: 0) before and after: padding holds a pair of sizes for the last axis, then one for the axis before it, and so on. A negative size cuts off. The only mode is 'constant'."""

def permute(input: _TensorLike, axis: int | Sequence[int] = ..., *, dims: int | Sequence[int] = ...) -> Tensor:
    """Axis i of the result is axis dims[i] of the operand. A view."""

def polar(abs: _TensorLike, angle: _TensorLike) -> Any:
    """The complex numbers of these magnitudes and angles, in radians."""

def pow(input: _Operand, exponent: _Operand) -> Tensor:
    """input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. The slope by the exponent is taken as 0 where the base is not positive."""

def print_(*input_x: Any) -> None:
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs."""

def prod(input: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False, dtype: dtype | None = None, *, dim: int | Sequence[int] | None = ..., keepdims: bool = ..., keepdim: bool = ...) -> Tensor:
    """Multiplies the elements over `axis`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def put_(input: _TensorLike, index: _TensorLike, source: _TensorLike, accumulate: bool = False) -> Tensor:
    """input with source at positions among all elements, or added there in their order.

    It is written into input, which is returned.
    """

def quantile(input: _TensorLike, q: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The quantiles along an axis, of the two nearest elements in between; NaN if there is one."""

def rand(*size: int | Sequence[int], dtype: dtype | None = None, seed: int | None = None) -> Tensor:
    """Numbers drawn evenly from [0, 1), float32 unless dtype says otherwise."""

def rand_like(input: _TensorLike, seed: int | None = None, *, dtype: dtype | None = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given."""

def randint(low: int, high: int, size: int | Sequence[int], seed: int | None = None, *, dtype: dtype | None = None) -> Tensor:
    """Whole numbers drawn evenly from [low, high): the top half of 64 random bits times the number of choices. int64 unless dtype says otherwise."""

def randn(*size: int | Sequence[int], dtype: dtype | None = None, seed: int | None = None) -> Tensor:
    """standard_normal, converted to dtype."""

def randn_like(input: _TensorLike, seed: int | None = None, *, dtype: dtype | None = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, and its dtype unless another is given."""

def random_(input: _TensorLike, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """Random integers of [from_, to), those of randint(); without `to` as far as input's dtype holds all integers.

    It is written into input, which is returned.
    """

def range(start: Any, end: Any = None, step: Any = 1, maxlen: int = 1000000) -> Any:
    """The same as arange."""

def rank(input_x: _TensorLike) -> Any:
    """The number of axes of a Tensor, an int."""

def ravel(input: _TensorLike) -> Any:
    """All elements in one axis: a view where they are in order."""

def real(input: _TensorLike) -> Any:
    """The real part, a view; of real numbers input itself."""

def reciprocal(input: _TensorLike) -> Tensor:
    """1 / input; integers are computed in float32."""

def reduce_max(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """The largest element over `axis`; NaN if there is one."""

def reduce_min(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """The smallest element over `axis`; NaN if there is one."""

def reduce_prod(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """Multiplies the elements over `axis`, in the dtype of `x` (integers wrap)."""

def reduce_sum(x: _TensorLike, axis: int | Sequence[int] | None = None, keep_dims: bool = False) -> Tensor:
    """Sums the elements over `axis`, in the dtype of `x` (integers wrap)."""

def relu(input: _TensorLike) -> Tensor:
    """max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0."""

def relu6(x: _TensorLike) -> Tensor:
    """min(max(x, 0), 6). NaN stays NaN."""

def remainder(input: _Operand, other: _Operand) -> Tensor:
    """x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of y. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError."""

def repeat_interleave(input: _TensorLike, repeats: int | Sequence[int], axis: int | None = None, *, dim: int | None = ...) -> Tensor:
    """Repeats each element in place along an axis, or of the flattened tensor; `repeats` is one number, or one for each element of the axis."""

def reshape(input: _TensorLike, shape: int | Sequence[int]) -> Tensor:
    """The same elements in row-major order under another shape. One size may be -1; it follows from the others. A view where the strides allow it, else a copy."""

def reverse(x: _TensorLike, axis: int | Sequence[int]) -> Tensor:
    """Reverses the order of elements along the given axes."""

def reverse_sequence(x: _TensorLike, seq_lengths: _TensorLike, seq_dim: int, batch_dim: int = 0) -> Any:
    """Of each example the first elements along an axis in reverse order, as many as its length; the others stay."""

def rfft(input: _TensorLike, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
    """The first n // 2 + 1 numbers of fft of real numbers; the others are their conjugates. See fft."""

def rfft2(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """rfft along the last of two axes, then fft along the other."""

def rfftfreq(n: int, d: float = 1.0, dtype: dtype | None = None) -> Any:
    """The frequencies of the numbers that rfft gives, 0, 1, ..., n // 2 over n d. See fftfreq."""

def rfftn(input: _TensorLike, s: int | Sequence[int] | None = None, dim: int | Sequence[int] | None = None, norm: str | None = None) -> Any:
    """rfft along the last of several axes, then fft along the others."""

def round(input: _TensorLike, *, decimals: int = 0) -> Tensor:
    """Rounds to the nearest integer, ties to even, or to `decimals` decimal places; in the dtype of input. Integers stay as they are."""

def rsqrt(input: _TensorLike) -> Tensor:
    """1 / sqrt(input); infinite at zero, NaN below. Integers give float32."""

def scalar_to_tensor(input_x: Any, dtype: dtype = ...) -> Any:
    """A 0-d Tensor of a number."""

def scatter(input: _TensorLike, axis: int, index: _TensorLike, src: _Operand) -> Any:
    """input with src at the positions that index names along an axis; of equal positions the last counts."""

def scatter_add(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its sum with the update."""

def scatter_div(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""

def scatter_max(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes the larger of it and the update."""

def scatter_min(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes the smaller of it and the update."""

def scatter_mul(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its product with the update."""

def scatter_nd(indices: _TensorLike, updates: _TensorLike, shape: int | Sequence[int]) -> Any:
    """Zeros of a shape with updates added where rows of indices name elements, or slices of other axes, in their order."""

def scatter_nd_add(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its sum with the update."""

def scatter_nd_div(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its quotient by the update; of integers truncated, and 0 if that is by zero."""

def scatter_nd_max(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes the larger of it and the update."""

def scatter_nd_min(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes the smaller of it and the update."""

def scatter_nd_mul(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its product with the update."""

def scatter_nd_sub(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes its difference from the update."""

def scatter_nd_update(input_x: Tensor, indices: _TensorLike, updates: _TensorLike, use_locking: bool = False) -> Any:
    """Writes into input_x where a row of indices names an element: it becomes the update."""

def scatter_sub(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes its difference from the update."""

def scatter_update(input_x: Tensor, indices: _TensorLike, updates: _TensorLike) -> Any:
    """Writes into input_x where indices name slices along its first axis: an element becomes the update."""

def searchsorted(sorted_sequence: _TensorLike, values: _Operand, *, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: _TensorLike | None = None) -> Any:
    """The indices (int64) at which values, put there, keep a sequence in order along its last axis. NaN is above all."""

def select(condition: _Operand, input: _Operand, other: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def select_scatter(input: _TensorLike, src: _TensorLike, axis: int, index: int) -> Any:
    """input with the slice at an index along an axis replaced."""

def sequence_mask(lengths: _TensorLike, maxlen: int | None = None) -> Any:
    """Of each length so many true elements and false ones after them, along a new last axis."""

def shape(input_x: _TensorLike) -> Any:
    """The shape of a Tensor, a tuple of ints."""

def sigmoid(input: _TensorLike) -> Tensor:
    """1 / (1 + exp(-input)), without overflow. Integers give float32."""

def sign(input: _TensorLike) -> Tensor:
    """1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0."""

def silu(input: _TensorLike) -> Tensor:
    """input * sigmoid(input)."""

def sin(input: _TensorLike) -> Tensor:
    """The sine of radians of any size. Integers give float32."""

def size(input_x: _TensorLike) -> Any:
    """The number of elements of a Tensor, an int."""

def slice(input_x: _TensorLike, begin: int | Sequence[int], size: int | Sequence[int]) -> Tensor:
    """size[i] elements from begin[i] on of each axis i; a size of -1 means all the rest. A view."""

def slice_scatter(input: _TensorLike, src: _TensorLike, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    """input with the slices start:end:step along an axis replaced."""

@overload
def softmax(input: _TensorLike, axis: int = -1) -> Tensor:
    """exp(input - m) / sum(exp(input - m)) along `axis`, where m is the largest element."""

@overload
def softmax(input: _TensorLike, axis: int = -1, *, dtype: dtype | None = None) -> Any:
    """exp(input) over its sum along an axis, computed from input less its largest element."""

def softplus(input: _TensorLike, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold."""

def sort(input_x: _TensorLike, axis: int = -1, descending: bool = False) -> Any:
    """(the elements in order along an axis, their indices as int32), of equals the lower index first; NaN is the largest."""

def sparse_segment_mean(x: _TensorLike, indices: _TensorLike, segment_ids: _TensorLike) -> Any:
    """The means of the slices that indices name, of each segment; 0 where there is none."""

def split(tensor: _TensorLike, split_size_or_sections: int | Sequence[int], axis: int = 0) -> tuple[Tensor, ...]:
    """Pieces along an axis: of one size, the last of which may be smaller, or of the given sizes. Views."""

def sqrt(x: _TensorLike) -> Tensor:
    """The square root, correctly rounded; NaN below zero. Integers give float32."""

def square(input: _TensorLike) -> Tensor:
    """input * input. Bool is a TypeError."""

def squeeze(input: _TensorLike, axis: int | Sequence[int] | None = None, *, dim: int | Sequence[int] | None = ...) -> Tensor:
    """Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view."""

def stack(tensors: Sequence[_TensorLike], axis: int = 0) -> Tensor:
    """Joins tensors of one shape and dtype along a new axis."""

def standard_normal(shape: int | Sequence[int], seed: int | None = None) -> Tensor:
    """Normally distributed float32 numbers of mean 0 and deviation 1, by Box and Muller: sqrt(-2 log u) cos(2 pi v)."""

def std(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The square root of `var`."""

def std_mean(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """(the standard deviations over axes, the means)."""

def stop_gradient(value: Any) -> Any:
    """value itself, but no gradient flows back through it, nor through the Tensors in a tuple, list or dict."""

def strided_slice(input_x: _TensorLike, begin: int | Sequence[int], end: int | Sequence[int], strides: int | Sequence[int], begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Any:
    """The region begin[i]:end[i]:strides[i] of each axis; bit i of a mask changes what entry i means. A view."""

def sub(input: _Operand, other: _Operand) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

@overload
def subtract(input: _Operand, other: _Operand) -> Tensor:
    """input - other, elementwise with broadcasting. Two bool operands are a TypeError."""

@overload
def subtract(input: _Operand, other: _Operand, *, alpha: _Operand = 1) -> Any:
    """input - alpha * other, elementwise with broadcasting."""

def sum(input: _TensorLike, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: dtype | None = None, axis: int | Sequence[int] | None = ..., keepdims: bool = ..., keep_dims: bool = ...) -> Tensor:
    """Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; `input` is converted to `dtype` first."""

def swapaxes(input: _TensorLike, axis0: int, axis1: int) -> Tensor:
    """Exchanges two axes. A view."""

def swapdims(input: _TensorLike, dim0: int, dim1: int) -> Tensor:
    """Exchanges two axes. A view."""

def t(input: _TensorLike) -> Any:
    """A matrix with its axes exchanged, a view; what has fewer axes itself."""

def take(input: _TensorLike, index: _TensorLike) -> Any:
    """The elements at positions among all, in row-major order."""

def tanh(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32."""

def tanh_(input: _TensorLike) -> Tensor:
    """The hyperbolic tangent, within 2 ulp. Integers give float32.

    It is written into input, which is returned.
    """

def tensor_scatter_add(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its sum with the update."""

def tensor_scatter_div(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its quotient by the update; of integers truncated, and 0 if that is by zero."""

def tensor_scatter_elements(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike, axis: int = 0, reduction: str = 'none') -> Tensor:
    """input_x with `updates` written ('none') or added ('add') where gather_d would have read them, in index order."""

def tensor_scatter_max(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is the larger of it and the update."""

def tensor_scatter_min(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is the smaller of it and the update."""

def tensor_scatter_mul(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its product with the update."""

def tensor_scatter_sub(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is its difference from the update."""

def tensor_scatter_update(input_x: _TensorLike, indices: _TensorLike, updates: _TensorLike) -> Any:
    """input_x, in which an element that a row of indices names is the update."""

def tile(input: _TensorLike, dims: int | Sequence[int] = ..., *, reps: int | Sequence[int] = ...) -> Tensor:
    """Repeats the tensor dims[i] times along axis i, counted from the last."""

def top_k(input_x: _TensorLike, k: int, sorted: bool = True) -> Any:
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.
    """

def topk(input: _TensorLike, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True) -> Any:
    """(the k largest elements along an axis in order, their indices as int32), of equals the lower index first.

    NaN is the largest.
    """

def transpose(input: _TensorLike, dims: int | Sequence[int] = ..., *, input_perm: int | Sequence[int] = ...) -> Tensor:
    """Axis i of the result is axis dims[i] of the operand. A view."""

def trapz(y: _Operand, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Any:
    """The integral along an axis by the trapezoidal rule."""

def tril(input: _TensorLike, diagonal: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros above the given diagonal."""

def tril_indices(row: int, col: int, offset: int = 0, *, dtype: dtype = ...) -> Any:
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and below it, in row-major order."""

def triu(input: _TensorLike, diagonal: int = 0) -> Tensor:
    """The matrices of the last two axes with zeros below the given diagonal."""

def triu_indices(row: int, col: int, offset: int = 0, *, dtype: dtype = ...) -> Any:
    """A matrix of two rows: the row and the column of each element of a matrix on a diagonal and above it, in row-major order."""

def true_divide(dividend: _Operand, divisor: _Operand) -> Tensor:
    """input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / 0 is NaN."""

def trunc(input: _TensorLike) -> Tensor:
    """Rounds toward zero to an integer, in the dtype of input."""

def tuple_to_array(input_x: Any) -> Any:
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats."""

def unbind(input: _TensorLike, dim: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views."""

def unflatten(input: _TensorLike, axis: int, unflattened_size: int | Sequence[int]) -> Any:
    """An axis as several. A view."""

def uniform(shape: int | Sequence[int], minval: _Operand, maxval: _Operand, seed: int | None = None, dtype: dtype = ...) -> Tensor:
    """Numbers drawn evenly from [minval, maxval), which may be tensors and broadcast. An integer dtype takes whole numbers below each."""

def uniform_(input: _TensorLike, from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Tensor:
    """Random numbers of [from_, to): from_ + u * (to - from_), where u are those of rand() in input's shape and dtype.

    It is written into input, which is returned.
    """

def unique(input: _TensorLike) -> Any:
    """(the distinct elements in the order of their first occurrence, 1-d; which of them each element is, as int32).

    Each NaN is distinct.
    """

def unique_consecutive(input: _TensorLike, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The elements, or slices along an axis, that differ from those before them. Each NaN is distinct."""

def unique_with_pad(x: _TensorLike, pad_num: _Operand) -> Any:
    """(the distinct elements in the order of their first occurrence, filled up to x's size; which each is, as int32)."""

def unsorted_segment_max(x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The largest elements of the slices of each segment; the least number of the dtype where there is none."""

def unsorted_segment_min(x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The smallest elements of the slices of each segment; the largest number of the dtype where there is none."""

def unsorted_segment_prod(x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The products of the slices of each segment; 1 where there is none."""

def unsorted_segment_sum(input_x: _TensorLike, segment_ids: _TensorLike, num_segments: Any) -> Any:
    """The sums of the slices of each segment."""

def unsqueeze(input: _TensorLike, dim: int) -> Tensor:
    """Inserts an axis of size one. A view."""

def unstack(input_x: _TensorLike, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis. Views."""

def var(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`."""

def var_mean(input: _TensorLike, axis: int | Sequence[int] | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """(the variances over axes, the means)."""

def view_as_complex(input: _TensorLike) -> Tensor:
    """The complex numbers whose parts lie along the last axis, of size 2. A view where the parts of each are next to each other."""

def view_as_real(input: _TensorLike) -> Tensor:
    """A complex tensor's parts along a new last axis of 2. A view."""

def where(condition: _Operand, input: _Operand, other: _Operand) -> Tensor:
    """input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that is not bool is a TypeError."""

def zero_(input: _TensorLike) -> Tensor:
    """value, in the dtype of input.

    It is written into input, which is returned.
    """

def zeros(size: int | Sequence[int] = ..., dtype: dtype | None = None, *, shape: int | Sequence[int] = ...) -> Tensor:
    """A tensor of zeros, float32 unless dtype says otherwise."""

def zeros_like(input: _TensorLike, *, dtype: dtype | None = None) -> Tensor:
    """Zeros of input's shape, and its dtype unless another is given."""

def __getattr__(name: str) -> Any: ...
