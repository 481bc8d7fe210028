"""References of the special functions of the table by other ways than theirs: integrals, and sums of many terms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)
_WEIGHTS *= 2 / math.fsum(_WEIGHTS)


def integral(function: Callable[[np.ndarray], np.ndarray], low: Any, high: Any) -> np.ndarray:
    """By Gauss' rule; bounds and function broadcast over a last axis of nodes."""
    low, high = np.asarray(low, float)[..., None], np.asarray(high, float)[..., None]
    half = (high - low) / 2
    return (function(low + half * (1 + _NODES)) * _WEIGHTS * half).sum(-1)


def _column(x: Any) -> np.ndarray:
    return np.asarray(x, float)[..., None]


def bessel_j(order: int, x: Any) -> Any:
    return integral(lambda t: np.cos(order * t - _column(x) * np.sin(t)), 0, np.pi) / np.pi


def bessel_i(order: int, x: Any, scaled: bool) -> Any:
    def value(t: np.ndarray) -> np.ndarray:
        return np.exp(_column(x) * np.cos(t) - (abs(_column(x)) if scaled else 0)) * np.cos(order * t)

    return integral(value, 0, np.pi) / np.pi


def bessel_k(order: int, x: Any, scaled: bool) -> Any:
    def value(t: np.ndarray) -> np.ndarray:
        return np.exp(-_column(x) * (np.cosh(t) - (1 if scaled else 0))) * np.cosh(order * t)

    return integral(value, 0, np.arccosh(1 + 40 / np.asarray(x, float)))


def bessel_y(order: int, x: Any) -> Any:
    def rest(t: np.ndarray) -> np.ndarray:
        return (np.exp(order * t) + (-1) ** order * np.exp(-order * t)) * np.exp(-_column(x) * np.sinh(t))

    waves = integral(lambda t: np.sin(_column(x) * np.sin(t) - order * t), 0, np.pi)
    return (waves - integral(rest, 0, np.arcsinh(40 / np.asarray(x, float)))) / np.pi


def erfinv(input: Any) -> Any:
    def one(y: float) -> float:
        low, high = -6.0, 6.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if math.erf(middle) < y else (low, middle)
        return low

    return np.vectorize(one, otypes=[float])(input)


def zeta(input: Any, other: Any) -> Any:
    """The terms up to 1000, and the first of Euler and Maclaurin's."""
    s, q = np.broadcast_arrays(np.asarray(input, float), np.asarray(other, float))
    n = q + 1000
    terms = ((q[..., None] + np.arange(1000)) ** -s[..., None]).sum(-1)
    return terms + n ** (1 - s) / (s - 1) + n**-s / 2 + s * n ** (-s - 1) / 12


def zeta_slope(input: Any, other: Any) -> Any:
    return richardson(lambda s: zeta(s, other), input)


def richardson(function: Callable[[Any], Any], x: Any, step: float = 0.02) -> Any:
    """A derivative, by differences over four steps extrapolated to none."""
    x = np.asarray(x, float)
    rows = [(function(x + step / 2**k) - function(x - step / 2**k)) / (2 * step / 2**k) for k in range(5)]
    for order in range(1, 5):
        rows = [(4**order * b - a) / (4**order - 1) for a, b in itertools.pairwise(rows)]
    return rows[0]


def digamma(input: Any) -> Any:
    x = np.asarray(input, np.longdouble)
    n = x + 30
    series = 1 / (2 * n) + 1 / (12 * n**2) - 1 / (120 * n**4) + 1 / (252 * n**6) - 1 / (240 * n**8)
    return np.log(n) - series - (1 / (x[..., None] + np.arange(30))).sum(-1, dtype=np.longdouble)


def polygamma(n: Any, input: Any) -> Any:
    n, x = np.broadcast_arrays(np.asarray(n, float), np.asarray(input, float))
    safe = np.maximum(n, 1)
    factorial = np.vectorize(math.gamma, otypes=[float])(safe + 1)
    return np.where(n == 0, digamma(x), -((-1.0) ** safe) * factorial * zeta(safe + 1, x))


def igamma(input: Any, other: Any) -> Any:
    """By t = u^2, which takes the root at 0 away."""
    a, x = np.broadcast_arrays(np.asarray(input, float), np.asarray(other, float))
    gamma = np.vectorize(math.gamma, otypes=[float])(a)
    return integral(lambda u: 2 * u ** (2 * a[..., None] - 1) * np.exp(-u * u), 0, np.sqrt(x)) / gamma


def betainc(a: Any, b: Any, x: Any) -> Any:
    a, b, x = np.broadcast_arrays(*(np.asarray(value, float) for value in (a, b, x)))
    gamma = np.vectorize(math.gamma, otypes=[float])
    inner = integral(lambda t: t ** (a[..., None] - 1) * (1 - t) ** (b[..., None] - 1), 0, x)
    return inner * gamma(a + b) / (gamma(a) * gamma(b))


SPECIAL: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (betainc, digamma, erfinv, igamma, polygamma, zeta, zeta_slope)
}
SPECIAL["igammac"] = lambda input, other: 1 - igamma(input, other)
SPECIAL["igamma_slope"] = lambda input, other: richardson(lambda a: igamma(a, other), input)
for _name in ("betainc", "igamma", "igammac", "polygamma", "zeta"):
    SPECIAL[f"{_name}_elements"] = SPECIAL[_name]
for _order in (0, 1):
    SPECIAL[f"bessel_j{_order}"] = lambda input, n=_order: bessel_j(n, input)
    SPECIAL[f"bessel_y{_order}"] = lambda input, n=_order: bessel_y(n, input)
    for _scaled in ("", "e"):
        SPECIAL[f"bessel_i{_order}{_scaled}"] = lambda input, n=_order, e=bool(_scaled): bessel_i(n, input, e)
        SPECIAL[f"bessel_k{_order}{_scaled}"] = lambda input, n=_order, e=bool(_scaled): bessel_k(n, input, e)
