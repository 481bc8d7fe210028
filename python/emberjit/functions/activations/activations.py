"""Activations of each element, of halves and of channels. Those of mint may be written into their input."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_within
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import checked_axis

_ops = core.ops

publish_ops(
    __name__,
    """
relu: ops.relu ops.ReLU nn.ReLU mint.nn.ReLU mint.nn.functional.relu Tensor.relu_ mint.nn.functional.relu_
relu6: ops.relu6 ops.ReLU6 nn.ReLU6
sigmoid: ops.sigmoid ops.Sigmoid nn.Sigmoid mint.nn.Sigmoid Tensor.sigmoid mint.sigmoid mint.nn.functional.sigmoid
    Tensor.sigmoid_ mint.nn.functional.sigmoid_
silu: ops.silu ops.SiLU nn.SiLU mint.nn.functional.silu
gelu: ops.gelu ops.GeluExt mint.nn.functional.gelu(input, *, approximate) mint.nn.GELU mint.npu_gelu(input, *, approximate)
gelu_tanh: ops.GeLU ops.Gelu
hardsigmoid: ops.hardsigmoid ops.HSigmoid nn.HSigmoid mint.nn.Hardsigmoid mint.nn.functional.hardsigmoid
hardswish: ops.hardswish ops.HSwish nn.HSwish mint.nn.Hardswish mint.nn.functional.hardswish
leaky_relu: ops.leaky_relu nn.LeakyReLU(alpha)(input) mint.nn.functional.leaky_relu(input, alpha as negative_slope = 0.01)
softplus: ops.softplus ops.Softplus()(input) mint.nn.Softplus mint.nn.functional.softplus
""",
)


@publish(
    "nn.GELU(approximate)(x)",
    numpy="""x / 2 * (1 + (np.tanh(0.7978845608028654 * (x + 0.044715 * x**3)) if approximate
    else np.vectorize(math.erf)(x / 2**0.5)))""",
    samples="f32(2, 3); f32(2, 3), False",
)
def gelu_either_way(x: Tensor, approximate: bool = True) -> Any:
    """x times the normal distribution's function of x (Hendrycks and Gimpel, 2016).

    Args:
        approximate: whether by tanh.
    """
    return _ops.gelu(x, "tanh" if approximate else "none")


def softplus(x: Tensor) -> Any:
    """log(1 + exp(x)), exact up to float64."""
    return _ops.softplus(x, 1.0, 40.0)


def _exponential_unit(x: Tensor, alpha: float, width: float) -> Any:
    positive = _ops.greater(x, 0)
    below = _ops.expm1(_ops.masked_fill(x, positive, 0) / width)
    return _ops.select(positive, x, below * alpha)


@publish(
    """ops.elu(input as input_x, alpha) ops.Elu(alpha)(input as input_x) nn.ELU(alpha)(input as input_x)
    mint.nn.functional.elu mint.nn.functional.elu_""",
    numpy="np.where(input > 0, input, alpha * np.expm1(input))",
    samples="f32(2, 5); f64(3), 0.5; f16(4), -2.0",
)
def elu(input: Tensor, alpha: float = 1.0) -> Any:
    """input where it is positive, else alpha * (exp(input) - 1) (Clevert et al., 2016).

    Raises:
        TypeError: input is not of floating point.
    """
    check_floating("elu", input=input)
    return _exponential_unit(input, alpha, 1.0)


@publish(
    "ops.celu ops.CeLU nn.CELU(alpha)(x)",
    numpy="np.maximum(0, x) + np.minimum(0, alpha * np.expm1(x / alpha))",
    samples="f32(2, 5); f64(3), 0.5; f16(4), 2.0; f32(4), -1.5",
)
def celu(x: Tensor, alpha: float = 1.0) -> Any:
    """x where it is positive, else alpha * (exp(x / alpha) - 1) (Barron, 2017).

    Raises:
        TypeError: x is not of floating point.
        ValueError: alpha is 0.
    """
    check_floating("celu", x=x)
    if alpha == 0:
        raise ValueError(f"For 'celu', 'alpha' must not be 0, but got {alpha}.")
    return _exponential_unit(x, alpha, alpha)


@publish(
    "ops.selu(x as input_x) ops.SeLU()(x as input_x) nn.SeLU()(x as input_x) mint.nn.SELU()(x as input)"
    " mint.nn.functional.selu(x as input)",
    numpy="1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))",
    samples="f32(2, 5); f64(3); f16(4)",
)
def selu(x: Tensor) -> Any:
    """elu(x, 1.6732632423543772) times 1.0507009873554805, which keep mean 0 and deviation 1 (Klambauer et al., 2017).

    Raises:
        TypeError: x is neither of floating point nor int8 or int32, whose results are truncated.
    """
    wide = _ops.cast(x, core.float32) if x.dtype in (core.int8, core.int32) else x
    check_floating("selu", x=wide)
    return _ops.cast(_exponential_unit(wide, 1.6732632423543772, 1.0) * 1.0507009873554805, x.dtype)


def _halves(function: str, x: Tensor, axis: int) -> Any:
    at = checked_axis(function, x, axis)
    size = x.shape[at]
    if size % 2:
        raise ValueError(f"For '{function}', axis {axis} must be of even size, but the shape is {tuple(x.shape)}.")
    return _ops.split(x, size // 2, at) if size else (x, x)


@publish(
    """ops.glu ops.GLU(axis)(x) nn.GLU(axis)(x) mint.nn.functional.glu(x as input, axis as dim)
    mint.nn.GLU(axis as dim)(x as input)""",
    numpy="(lambda a, b: a / (1 + np.exp(-b)))(*np.split(x, 2, axis))",
    samples="f32(2, 6); f64(4, 3), 0; f32(2, 0)",
)
def glu(x: Tensor, axis: int = -1) -> Any:
    """The first half along an axis times the sigmoid of the second (Dauphin et al., 2017).

    Raises:
        TypeError: x is not of floating point.
        ValueError: axis is out of range, or of odd size.
    """
    check_floating("glu", x=x)
    first, second = _halves("glu", x, axis)
    return first * _ops.sigmoid(second)


@publish(
    "ops.swiglu(x as input, axis as dim)",
    numpy="(lambda a, b: a / (1 + np.exp(-a)) * b)(*np.split(x, 2, axis))",
    samples="f32(2, 6); f64(4, 3), 0",
)
def swiglu(x: Tensor, axis: int = -1) -> Any:
    """silu of the first half along an axis times the second (Shazeer, 2020).

    Raises:
        TypeError: x is not of floating point.
        ValueError: axis is out of range, or of odd size.
    """
    check_floating("swiglu", x=x)
    first, second = _halves("swiglu", x, axis)
    return _ops.silu(first) * second


@publish(
    "ops.mish ops.Mish nn.Mish mint.nn.Mish()(x as input) mint.nn.functional.mish(x as input)",
    numpy="x * np.tanh(np.log1p(np.exp(x)))",
    samples="f32(2, 5); f64(9) * 30; f16(9); f16(9) * 9; f32(9) * 30",
)
def mish(x: Tensor) -> Any:
    """x * tanh(log(1 + exp(x))) (Misra, 2020), by n / (n + 2) with n = e * (e + 2), e = exp(x).

    Raises:
        TypeError: x is not of floating point.
    """
    check_floating("mish", x=x)
    e = _ops.exp(_ops.minimum(x, 5 if x.dtype == core.float16 else 20))  # above, the quotient is 1
    n = e * (e + 2)
    return x * (n / (n + 2))


@publish(
    """ops.hardshrink ops.HShrink(lambd)(input) nn.HShrink(lambd)(input) Tensor.hardshrink mint.nn.Hardshrink(lambd)(input)
    mint.nn.functional.hardshrink""",
    numpy="np.where(abs(input) > lambd, input, 0)",
    samples="f32(2, 5); f64(9), 1; f16(4), 0.0",
)
def hardshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """input, but 0 within [-lambd, lambd].

    Raises:
        TypeError: input is not of floating point.
    """
    check_floating("hardshrink", input=input)
    return _ops.masked_fill(input, _ops.less_equal(_ops.abs(input), lambd), 0)


@publish(
    """ops.softshrink ops.soft_shrink ops.SoftShrink(lambd)(input) nn.SoftShrink(lambd)(input) Tensor.soft_shrink
    mint.nn.functional.softshrink""",
    numpy="np.sign(input) * np.maximum(abs(input) - lambd, 0)",
    samples="f32(2, 5); f64(9), 1; f16(4), 0.0",
)
def softshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """input, by lambd nearer to 0, and 0 within [-lambd, lambd].

    Raises:
        TypeError: input is not of floating point.
        ValueError: lambd is negative.
    """
    check_floating("softshrink", input=input)
    check_within("softshrink", "lambd", lambd, 0)
    return input - _ops.clip(input, -lambd, lambd)


@publish(
    "ops.hardtanh nn.Hardtanh(min_val, max_val)(input) mint.nn.functional.hardtanh mint.nn.functional.hardtanh_",
    numpy="np.clip(input, min_val, max_val)",
    samples="f32(2, 5); f64(9), -0.5, 1; i32(5), -2, 3",
)
def hardtanh(input: Tensor, min_val: Number = -1.0, max_val: Number = 1.0) -> Any:
    """input, but at least min_val and at most max_val; its slope there is 0.

    Args:
        min_val, max_val: numbers.

    Raises:
        ValueError: min_val is above max_val.
    """
    if min_val > max_val:
        raise ValueError(f"For 'hardtanh', 'min_val' must not be above 'max_val', but got {min_val} and {max_val}.")
    raised = _ops.masked_fill(input, _ops.less_equal(input, min_val), min_val)
    return _ops.masked_fill(raised, _ops.greater_equal(input, max_val), max_val)


@publish(
    """ops.threshold(input, threshold as thr, value) nn.Threshold(threshold, value)(input) mint.nn.functional.threshold
    mint.nn.functional.threshold_""",
    numpy="np.where(input > threshold, input, value)",
    samples="f32(2, 5), 0.5, 9; f64(9), 0, -1.5; i32(5), 2, 3",
)
def threshold(input: Tensor, threshold: Number, value: Number) -> Any:
    """input where it is above a number, else another number.

    Args:
        threshold, value: numbers.
    """
    return _above(input, threshold, value)


def _above(input: Tensor, threshold: Number, value: Number) -> Any:
    return _ops.masked_fill(input, _ops.less_equal(input, threshold), value)


@publish("ops.softsign ops.Softsign nn.Softsign", numpy="x / (1 + abs(x))", samples="f32(2, 5); f64(9); f16(4)")
def softsign(x: Tensor) -> Any:
    """x / (1 + abs(x)).

    Raises:
        TypeError: x is not of floating point.
    """
    check_floating("softsign", x=x)
    return x / (_ops.abs(x) + 1)


@publish("ops.tanhshrink nn.Tanhshrink", numpy="input - np.tanh(input)", samples="f32(2, 5); f64(9); f16(4); i32(3)")
def tanhshrink(input: Tensor) -> Any:
    """input - tanh(input); integers give float32."""
    return input - _ops.tanh(input)


@publish(
    "ops.logsigmoid nn.LogSigmoid mint.nn.LogSigmoid()(x as input) mint.nn.functional.logsigmoid(x as input)",
    numpy="-np.logaddexp(0, -x)",
    samples="f32(2, 5) * 20; f64(9); f16(4)",
)
def logsigmoid(x: Tensor) -> Any:
    """The logarithm of sigmoid(x), without computing it first.

    Raises:
        TypeError: x is not of floating point.
    """
    check_floating("logsigmoid", x=x)
    return _ops.neg(softplus(_ops.neg(x)))


@publish(
    "ops.fast_gelu ops.FastGeLU ops.FastGelu nn.FastGelu",
    numpy="x / (1 + np.exp(-1.702 * x))",
    samples="f32(2, 5); f64(9); f16(4)",
)
def fast_gelu(x: Tensor) -> Any:
    """x * sigmoid(1.702 * x) (Hendrycks and Gimpel, 2016).

    Raises:
        TypeError: x is not of floating point.
    """
    check_floating("fast_gelu", x=x)
    return x * _ops.sigmoid(x * 1.702)


@publish(
    "ops.prelu ops.PReLU()(input as x, weight) mint.nn.functional.prelu",
    numpy="np.where(input > 0, input, input * weight.reshape(-1, *[1] * (input.ndim - 2)))",
    samples="f32(2, 5), f32(5); f64(2, 3, 4), f64(3); f32(3), f32(1); f32(2, 3, 2, 2), f32(1)",
)
def prelu(input: Tensor, weight: Tensor) -> Any:
    """input where it is positive, else input times a weight, one for all or one for each channel (He et al., 2015).

    Args:
        weight: of no axis or one; channels are the second axis.

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: weight is neither.
    """
    check_floating("prelu", input=input, weight=weight)
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.ndim > 1 or weight.size not in (1, channels):
        raise ValueError(
            f"For 'prelu', 'weight' must have one element or {channels}, as many as channels, but its shape is "
            f"{tuple(weight.shape)}."
        )
    slope = _ops.reshape(weight, () if weight.size == 1 else (-1, *[1] * (input.ndim - 2)))
    return _ops.select(_ops.greater(input, 0), input, input * slope)


_IN_PLACE = """{what}

Args:
    inplace: whether the result is written into input.

Raises:
    TypeError: input is of a dtype that the function does not take.
"""


def _written(input: Tensor, result: Any, inplace: bool) -> Any:
    return _ops.assign(input, result) if inplace else result


def _publish_in_place(name: str, spellings: str, reference: str) -> None:
    op = core.op_table[name]

    def activation(input: Tensor, inplace: bool = False) -> Any:
        return _written(input, op(input), inplace)

    activation.__name__ = f"{name}_in_place"
    activation.__doc__ = _IN_PLACE.format(what=op.__doc__.partition("\n")[0])
    publish(spellings, numpy=reference, samples="f32(2, 5)", in_python=True)(activation)


for _name, _spellings, _reference in (
    ("relu", "ops.relu mint.nn.functional.relu", "np.maximum(input, 0)"),
    ("silu", "mint.nn.SiLU(inplace)(input) mint.nn.functional.silu", "input / (1 + np.exp(-input))"),
):
    _publish_in_place(_name, _spellings, _reference)


@publish(
    "mint.nn.ELU(alpha, inplace)(input) mint.nn.functional.elu",
    numpy="np.where(input > 0, input, alpha * np.expm1(input))",
    samples="f32(2, 5); f64(3), 0.5",
    in_python=True,
)
def elu_in_place(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """elu, which may be written into input.

    Args:
        inplace: whether it is.

    Raises:
        TypeError: input is not of floating point.
    """
    return _written(input, elu(input, alpha), inplace)


@publish(
    "mint.nn.ReLU6(inplace)(input) mint.nn.functional.relu6",
    numpy="np.clip(input, 0, 6)",
    samples="f32(2, 5)",
    in_python=True,
)
def relu6_in_place(input: Tensor, inplace: bool = False) -> Any:
    """min(max(input, 0), 6), whose slope at 6 is 0, as PyTorch's is.

    Args:
        inplace: whether the result is written into input.
    """
    return _written(input, hardtanh(input, 0, 6), inplace)


@publish(
    "mint.nn.Hardtanh(min_val, max_val, inplace)(input) mint.nn.functional.hardtanh",
    numpy="np.clip(input, min_val, max_val)",
    samples="f32(2, 5); f64(9), -0.5, 1",
    in_python=True,
)
def hardtanh_in_place(input: Tensor, min_val: Number = -1.0, max_val: Number = 1.0, inplace: bool = False) -> Any:
    """hardtanh, which may be written into input.

    Args:
        inplace: whether it is.

    Raises:
        ValueError: min_val is above max_val.
    """
    return _written(input, hardtanh(input, min_val, max_val), inplace)


@publish(
    "mint.nn.Threshold(threshold, value, inplace)(input) mint.nn.functional.threshold",
    numpy="np.where(input > threshold, input, value)",
    samples="f32(2, 5), 0.5, 9; f64(9), 0, -1.5",
    in_python=True,
)
def threshold_in_place(input: Tensor, threshold: Number, value: Number, inplace: bool = False) -> Any:
    """threshold, which may be written into input.

    Args:
        inplace: whether it is.
    """
    return _written(input, _above(input, threshold, value), inplace)


@publish("ops.inplace_sigmoid", in_python=True)
def inplace_sigmoid(input: Any) -> Any:
    """Writes 1 / (1 + exp(-input)) into input, which is returned.

    Args:
        input: a Tensor of floating point, which is written.

    Examples:
        >>> x = Tensor([0.0, 2.0])
        >>> _ = ops.inplace_sigmoid(x)
        >>> print(x)
        [0.5      0.880797]
    """
    return input.sigmoid_()


@publish("ops.rrelu nn.RReLU(lower, upper)(input)", in_python=True)
def rrelu(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3) -> Any:
    """input where it is not negative, else input times random numbers of [lower, upper) (Xu et al., 2015).

    Raises:
        TypeError: input is not of floating point.
        ValueError: lower is above upper.

    Examples:
        >>> ms.set_seed(1)
        >>> print(ops.rrelu(Tensor([-1.0, -1.0, 2.0])))
        [-0.31047064 -0.13071921  2.        ]
    """
    check_floating("rrelu", input=input)
    if lower > upper:
        raise ValueError(f"For 'rrelu', 'lower' must not be above 'upper', but got {lower} and {upper}.")
    slopes = _ops.rand(input.shape, input.dtype) * (upper - lower) + lower
    return _ops.select(_ops.greater_equal(input, 0), input, input * slopes)
