"""Powers and roots, exponentials and logarithms of each element."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
exp: ops.exp ops.tensor_exp ops.Exp Tensor.exp mint.exp numpy.exp(input as x, result as dtype) Tensor.exp_
expm1: ops.expm1 ops.tensor_expm1 ops.Expm1 Tensor.expm1 mint.expm1 mint.special.expm1
    numpy.expm1(input as x, result as dtype)
    Tensor.expm1_
log: ops.log ops.Log Tensor.log mint.log numpy.log(input as x, result as dtype) Tensor.log_
log1p: ops.log1p ops.Log1p Tensor.log1p mint.log1p mint.special.log1p numpy.log1p(input as x, result as dtype)
    Tensor.log1p_
pow: ops.pow ops.pows ops.tensor_pow ops.Pow Tensor.pow mint.pow
    numpy.power(input as x1, exponent as x2, result as dtype) Tensor.pow_
rsqrt: ops.rsqrt ops.Rsqrt Tensor.rsqrt mint.rsqrt Tensor.rsqrt_
sqrt: ops.sqrt ops.Sqrt Tensor.sqrt mint.sqrt(x as input) numpy.sqrt(x, result as dtype) Tensor.sqrt_
square: ops.square ops.Square Tensor.square mint.square numpy.square(input as x, result as dtype) Tensor.square_
cbrt: numpy.cbrt(input as x, result as dtype)
exp2: ops.exp2 mint.exp2 mint.special.exp2 numpy.exp2(input as x, result as dtype)
log10: ops.log10 Tensor.log10 mint.log10 numpy.log10(input as x, result as dtype)
log2: ops.log2 Tensor.log2 mint.log2 numpy.log2(input as x, result as dtype)
logaddexp: ops.logaddexp Tensor.logaddexp mint.logaddexp numpy.logaddexp(input as x1, other as x2, result as dtype)
logaddexp2: ops.logaddexp2 Tensor.logaddexp2 mint.logaddexp2 numpy.logaddexp2(input as x1, other as x2, result as dtype)
xdivy: ops.xdivy ops.Xdivy Tensor.xdivy
xlogy: ops.xlogy ops.Xlogy Tensor.xlogy mint.xlogy
hypot: ops.hypot ops.Hypot Tensor.hypot numpy.hypot(input as x1, other as x2, result as dtype) Tensor.hypot_
""",
)


def _in_double(x: Tensor) -> Any:
    if not isinstance(x, Tensor):
        return x
    return _ops.cast(x, core.complex128 if x.dtype in COMPLEXES else core.float64)


@publish(
    """ops.float_power ops.float_power_ext mint.float_power Tensor.float_power(exponent as other)
    numpy.float_power(input as x1, exponent as x2, result as dtype)""",
    numpy="np.float_power(input, exponent)",
    samples="i32(2, 3) * 0 + 2, i32(3); f64(4) + 3, 0.5; 2.0, i64(3); c64(3), 2",
)
def float_power(input: Number, exponent: Number) -> Any:
    """input to the power of exponent in float64, or complex128 where one is complex, elementwise with broadcasting.

    Raises:
        TypeError: neither is a Tensor.
    """
    if not isinstance(input, Tensor) and not isinstance(exponent, Tensor):
        raise TypeError(f"For 'float_power', 'input' or 'exponent' must be a Tensor, but got {input} and {exponent}.")
    return _ops.pow(_in_double(input), _in_double(exponent))


@publish(
    "ops.ldexp Tensor.ldexp", numpy="x * np.float64(2) ** other", samples="f32(2, 3), i32(3); f64(4), 3; f64(2, 2), f64(2)"
)
def ldexp(x: Number, other: Number) -> Any:
    """x * 2^other, elementwise with broadcasting. Integers give float32."""
    return _ops.mul(x, _ops.exp2(other))
