"""Special functions of each element: error, gamma, beta and Bessel functions, zeta."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_floating, check_steps, check_within
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
bessel_i0: ops.bessel_i0(input as x) ops.BesselI0()(input as x) ops.i0 Tensor.i0
bessel_i0e: ops.bessel_i0e(input as x) ops.BesselI0e()(input as x)
bessel_i1: ops.bessel_i1(input as x) ops.BesselI1()(input as x)
bessel_i1e: ops.bessel_i1e(input as x) ops.BesselI1e()(input as x)
bessel_j0: ops.bessel_j0(input as x) ops.BesselJ0()(input as x)
bessel_j1: ops.bessel_j1(input as x) ops.BesselJ1()(input as x)
bessel_k0: ops.bessel_k0(input as x) ops.BesselK0()(input as x)
bessel_k0e: ops.bessel_k0e(input as x) ops.BesselK0e()(input as x)
bessel_k1: ops.bessel_k1(input as x) ops.BesselK1()(input as x)
bessel_k1e: ops.bessel_k1e(input as x) ops.BesselK1e()(input as x)
bessel_y0: ops.bessel_y0(input as x) ops.BesselY0()(input as x)
bessel_y1: ops.bessel_y1(input as x) ops.BesselY1()(input as x)
betainc: ops.Betainc
digamma: ops.digamma ops.Digamma Tensor.digamma nn.DiGamma()(input as x)
erfc: ops.erfc ops.Erfc Tensor.erfc mint.erfc mint.special.erfc
erfinv: ops.erfinv ops.Erfinv Tensor.erfinv mint.erfinv Tensor.erfinv_ ops.erfinv_
igamma: ops.igamma ops.Igamma Tensor.igamma nn.IGamma()(input as a, other as x)
igammac: ops.igammac ops.Igammac Tensor.igammac
lgamma: ops.lgamma ops.Lgamma Tensor.lgamma nn.LGamma()(input as x)
polygamma: ops.polygamma ops.Polygamma
zeta: ops.zeta ops.Zeta
erf: ops.erf ops.Erf Tensor.erf mint.erf mint.special.erf Tensor.erf_
""",
)


@publish(
    "ops.logit Tensor.logit ops.Logit(eps = -1.0)(input)",
    numpy="(lambda x: np.log(x / (1 - x)))(input if eps is None or eps < 0 else np.clip(input, eps, 1 - eps))",
    samples="f32(2, 3) / 5 + 0.5; f64(4), 0.1; f64(3) / 5 + 0.5, -1.0; f32(0, 2)",
)
def logit(input: Tensor, eps: float | None = None) -> Any:
    """log(x / (1 - x)) of input, the inverse of sigmoid; NaN outside of [0, 1]. Integers give float32.

    Args:
        eps: the input is first brought within [eps, 1 - eps]; not so if it is None or negative.
    """
    within = input if eps is None or eps < 0 else _ops.clip(input, eps, 1 - eps)
    return _ops.log(_ops.div(within, _ops.sub(1.0, within)))


@publish(
    "ops.mvlgamma ops.Mvlgamma(p)(input as x) Tensor.mvlgamma",
    numpy="p * (p - 1) / 4 * np.log(np.pi) + sum(np.vectorize(math.lgamma, [float])(input - j / 2) for j in range(p))",
    samples="f32(2, 3) + 6, 3; f64(4) + 4, 1; f32(0, 2), 2",
)
def mvlgamma(input: Tensor, p: int) -> Any:
    """The logarithm of the multivariate gamma function of dimension p: log Gamma(input - j / 2) summed over j < p, and
    p (p - 1) / 4 log pi. NaN where input is not above (p - 1) / 2. Integers give float32.

    Raises:
        ValueError: p is less than 1.
    """
    check_within("mvlgamma", "p", p, 1)
    check_steps("mvlgamma", "p", p)
    total = _ops.add(_ops.lgamma(input), p * (p - 1) / 4 * math.log(math.pi))
    for j in range(1, p):
        total = _ops.add(total, _ops.lgamma(_ops.sub(input, j / 2)))
    return _ops.select(_ops.less_equal(input, (p - 1) / 2), math.nan, total)


@publish(
    "nn.LBeta()(x, y)",
    numpy="np.vectorize(lambda a, b: math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))(x, y)",
    samples="abs(f64(2, 3)) + 1, abs(f64(3)) + 2; abs(f64(3)) + 0.5, abs(f64(3)) + 20",
)
def log_beta(x: Tensor, y: Tensor) -> Any:
    """The logarithm of the beta function, elementwise with broadcasting.

    Raises:
        TypeError: an argument is not of floating point.
    """
    check_floating("LBeta", x=x, y=y)
    return _ops.lgamma(x) + _ops.lgamma(y) - _ops.lgamma(x + y)
