"""Writes tests/python/ops/special_values.json: arguments and values of elementary and special functions, computed in 40
digits. Needs mpmath: python tools/special_values.py > tests/python/ops/special_values.json"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import mpmath as mp

mp.mp.dps = 40
SAMPLES = 24


def cbrt(x: Any) -> Any:
    return mp.sign(x) * mp.cbrt(abs(x))


def sinc(x: Any) -> Any:
    return mp.sinpi(x) / (mp.pi * x)


def lgamma(x: Any) -> Any:
    return mp.log(abs(mp.gamma(x)))


FUNCTIONS: dict[str, tuple[Callable[[Any], Any], list[tuple[float, float]]]] = {
    "tan": (mp.tan, [(-1.5, 1.5), (-50, 50)]),
    "sinh": (mp.sinh, [(-1, 1), (-80, 80)]),
    "cosh": (mp.cosh, [(-1, 1), (-80, 80)]),
    "asin": (mp.asin, [(-1, 1), (0.999, 1)]),
    "acos": (mp.acos, [(-1, 1), (0.999, 1)]),
    "atan": (mp.atan, [(-1, 1), (-50, 50)]),
    "asinh": (mp.asinh, [(-1, 1), (-1e5, 1e5)]),
    "acosh": (mp.acosh, [(1, 1.01), (1, 1e9)]),
    "atanh": (mp.atanh, [(-1, 1), (-0.01, 0.01)]),
    "exp2": (lambda x: mp.mpf(2) ** x, [(-1, 1), (-120, 120)]),
    "log2": (lambda x: mp.log(x) / mp.log(2), [(0.5, 2), (0, 1e9)]),
    "log10": (lambda x: mp.log(x) / mp.log(10), [(0.5, 2), (0, 1e9)]),
    "cbrt": (cbrt, [(-2, 2), (0, 1e30)]),
    "sinc": (sinc, [(-1, 1), (-9, 9)]),
    "erfc": (mp.erfc, [(-2, 2), (0, 9)]),
    "erfinv": (mp.erfinv, [(-1, 1), (0.9999, 1)]),
    "lgamma": (lgamma, [(0.01, 3), (0, 12), (0, 1e5)]),
    "digamma": (mp.digamma, [(0.01, 3), (0, 12), (0, 1e5)]),
}
for _order in (0, 1):
    FUNCTIONS[f"bessel_j{_order}"] = (lambda x, n=_order: mp.besselj(n, x), [(-9, 9), (8, 100)])
    FUNCTIONS[f"bessel_y{_order}"] = (lambda x, n=_order: mp.bessely(n, x), [(0, 9), (8, 100)])
    FUNCTIONS[f"bessel_i{_order}"] = (lambda x, n=_order: mp.besseli(n, x), [(-9, 9), (-80, 80)])
    FUNCTIONS[f"bessel_i{_order}e"] = (lambda x, n=_order: mp.besseli(n, x) * mp.exp(-abs(x)), [(-9, 9), (-300, 300)])
    FUNCTIONS[f"bessel_k{_order}"] = (lambda x, n=_order: mp.besselk(n, x), [(0, 2), (1, 80)])
    FUNCTIONS[f"bessel_k{_order}e"] = (lambda x, n=_order: mp.besselk(n, x) * mp.exp(x), [(0, 2), (1, 80)])


def single(x: float) -> float:
    """Rounded to float32, so that both dtypes can take it."""
    import struct

    return float(struct.unpack("f", struct.pack("f", x))[0])


def main() -> None:
    draw = random.Random(1)
    out = {}
    for name, (function, ranges) in FUNCTIONS.items():
        points = [single(draw.uniform(low, high)) for low, high in ranges for _ in range(SAMPLES)]
        out[name] = [[x, float(function(mp.mpf(x)))] for x in points if abs(x) != 1]
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(values)}" for name, values in out.items())
    print(f"{{\n{rows}\n}}")


if __name__ == "__main__":
    main()
