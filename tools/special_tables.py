"""Writes ops/expr/special_tables.h: polynomials of the special functions, which interpolate them in Chebyshev points in 60
digits. Needs mpmath: python tools/special_tables.py > ops/expr/special_tables.h"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath as mp

mp.mp.dps = 60


class Table(NamedTuple):
    """A function, fitted within [low, high] by `size` coefficients of powers of (x - middle) / half the width, or of x."""

    name: str
    meaning: str
    function: Callable[[Any], Any]
    low: float
    high: float
    size: int
    plain: bool = False  # of x


def erfcx(x: Any) -> Any:
    return mp.exp(x * x) * mp.erfc(x)


def of_shifted(t: Any) -> Any:
    """By t = (x - 4) / (x + 4), after Shepherd and Laframboise (1981)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * erfcx(x)


def inverse_erf(w: Any) -> Any:
    """erfinv(x) / x by w = -log(1 - x^2), after Giles (2010)."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


def stirling(z: Any) -> Any:
    """What log Gamma(x) has beyond (x - 1/2) log x - x + log(2 pi) / 2, times x, by z = 1 / x^2."""
    if z < mp.mpf(10) ** -12:
        return mp.mpf(1) / 12 - z / 360
    x = 1 / mp.sqrt(z)
    return (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def psi_tail(z: Any) -> Any:
    """(log x - 1 / 2x - psi(x)) x^2, by z = 1 / x^2."""
    if z < mp.mpf(10) ** -12:
        return mp.mpf(1) / 12 - z / 120
    x = 1 / mp.sqrt(z)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) / z


def trigamma_tail(z: Any) -> Any:
    """(psi'(x) - 1 / x - 1 / 2x^2) x^3, by z = 1 / x^2."""
    if z < mp.mpf(10) ** -12:
        return mp.mpf(1) / 6 - z / 30
    x = 1 / mp.sqrt(z)
    return (mp.polygamma(1, x) - 1 / x - z / 2) * x**3


PSI_ROOT = mp.findroot(mp.digamma, 1.46)


def psi(x: Any) -> Any:
    return mp.digamma(x) / (x - PSI_ROOT) if abs(x - PSI_ROOT) > mp.mpf(10) ** -20 else mp.polygamma(1, x)


def near(order: int, second: bool, z: Any) -> Any:
    """(J0(x) - 1) / z, J1(x) / x, or Y less its singular part, of order 1 over x, by z = x^2."""
    x = mp.sqrt(z) if z > 0 else mp.mpf(10) ** -15
    if not second:
        return mp.besselj(order, x) / x if order else (mp.besselj(0, x) - 1) / (x * x)
    singular = 2 / mp.pi * (mp.log(x) * mp.besselj(order, x) - (1 / x if order else 0))
    return (mp.bessely(order, x) - singular) / x**order


def hankel(order: int, quadrature: bool, z: Any) -> Any:
    """P, or Q x / 8, by z = (8 / x)^2: J = sqrt(2 / pi x) (P cos c - Q sin c), c = x - pi / 4 - order pi / 2."""
    mu = 4 * order * order
    x = 8 / mp.sqrt(z) if z > mp.mpf(10) ** -8 else mp.mpf(8) * 10**4
    if z <= mp.mpf(10) ** -8:
        step = z / 64
        if quadrature:
            return mp.mpf(mu - 1) / 64 * (1 - (mu - 9) * (mu - 25) * step / 384)
        return 1 - (mu - 1) * (mu - 9) * step / 128
    c = x - mp.pi / 4 - order * mp.pi / 2
    scale = mp.sqrt(mp.pi * x / 2)
    j, y = mp.besselj(order, x), mp.bessely(order, x)
    return scale * (y * mp.cos(c) - j * mp.sin(c)) * x / 8 if quadrature else scale * (j * mp.cos(c) + y * mp.sin(c))


def i_near(order: int, x: Any) -> Any:
    return mp.exp(-x) * (mp.besseli(order, x) / x**order if x else mp.mpf(1) / (1 + order))


def i_far(order: int, u: Any) -> Any:
    """sqrt(x) e^-x I(x) by u = 8 / x."""
    if u < mp.mpf(10) ** -6:
        return (1 - (4 * order * order - 1) * u / 64) / mp.sqrt(2 * mp.pi)
    x = 8 / u
    return mp.sqrt(x) * mp.exp(-x) * mp.besseli(order, x)


def k_near(order: int, z: Any) -> Any:
    """K less its singular part, by z = x^2; of order 1 over x."""
    x = mp.sqrt(z) if z > 0 else mp.mpf(10) ** -25
    if order == 0:
        return mp.besselk(0, x) + mp.log(x / 2) * mp.besseli(0, x)
    return (mp.besselk(1, x) - mp.log(x / 2) * mp.besseli(1, x) - 1 / x) / x


def i_even(order: int, z: Any) -> Any:
    x = mp.sqrt(z)
    return mp.besseli(order, x) / x**order if x else mp.mpf(1) / (1 + order)


def k_far(order: int, u: Any) -> Any:
    """sqrt(x) e^x K(x) by u = 1 / x."""
    if u < mp.mpf(10) ** -6:
        return mp.sqrt(mp.pi / 2) * (1 + (4 * order * order - 1) * u / 8)
    x = 1 / u
    return mp.sqrt(x) * mp.exp(x) * mp.besselk(order, x)


TABLES = [
    Table("kErfcx", "(1 + 2 x) e^(x^2) erfc(x) by (x - 4) / (x + 4)", of_shifted, -1, 0.75, 23),
    Table("kErfinvMiddle", "erfinv(x) / x by w = -log(1 - x^2)", inverse_erf, 0, 5, 22),
    Table("kErfinvFar", "the same by sqrt(w)", lambda s: inverse_erf(s * s), 2.2, 4, 24),
    Table("kErfinvTail", "the same by sqrt(w)", lambda s: inverse_erf(s * s), 4, 6.2, 20),
    Table("kLogGamma", "log Gamma(2 + d) / d", lambda d: mp.loggamma(2 + d) / d if d else mp.digamma(2), -0.5, 0.5, 20),
    Table("kStirling", "x (log Gamma(x) - Stirling's formula) by 1 / x^2", stirling, 0, 1 / 64, 8),
    Table("kPsi", "psi(x) / (x - root)", psi, 1, 2, 24),
    Table("kPsiTail", "x^2 (log x - 1 / 2x - psi(x)) by 1 / x^2", psi_tail, 0, 1 / 64, 8),
    Table("kTrigammaTail", "x^3 (psi'(x) - 1 / x - 1 / 2x^2) by 1 / x^2", trigamma_tail, 0, 1 / 64, 8),
]
for _order in (0, 1):
    TABLES += [
        Table(
            f"kJ{_order}Near",
            "J1(x) / x" if _order else "(J0(x) - 1) / x^2",
            lambda z, n=_order: near(n, False, z),
            0,
            64,
            22,
        ),
        Table(
            f"kY{_order}Near",
            "Y(x) less its singular part, of order 1 over x, by x^2",
            lambda z, n=_order: near(n, True, z),
            0,
            64,
            22,
        ),
        Table(f"kHankelP{_order}", "by (8 / x)^2", lambda z, n=_order: hankel(n, False, z), 0, 1, 17),
        Table(f"kHankelQ{_order}", "Q x / 8 by (8 / x)^2", lambda z, n=_order: hankel(n, True, z), 0, 1, 17),
        Table(f"kI{_order}Near", "e^-x I(x), of order 1 over x", lambda x, n=_order: i_near(n, x), 0, 8, 32),
        Table(f"kI{_order}Far", "sqrt(x) e^-x I(x) by 8 / x", lambda u, n=_order: i_far(n, u), 0, 1, 24),
        Table(f"kI{_order}Even", "I(x), of order 1 over x, by x^2", lambda z, n=_order: i_even(n, z), 0, 1, 9),
        Table(f"kK{_order}Near", "K(x) less its singular part by x^2", lambda z, n=_order: k_near(n, z), 0, 1, 9),
        Table(f"kK{_order}Far", "sqrt(x) e^x K(x) by 1 / x", lambda u, n=_order: k_far(n, u), 0, 1, 34),
    ]


def ratio(f: Callable[[Any], Any], power: int, first: Any, x: Any) -> Any:
    """f(x) / x^power, `first` at 0."""
    return f(x) / x**power if abs(x) > mp.mpf(10) ** -15 else mp.mpf(first)


def expm1_rest(x: Any) -> Any:
    return ratio(lambda y: mp.expm1(y) - y, 2, 0.5, x)


# For float32, whose functions are computed in float64 (ops/expr/single_functions.h).
EDGE = float(mp.log(2) / 2)
ROOT = float(mp.sqrt(2))
TABLES += [
    Table("kExpSingle", "e^x by x", mp.exp, -EDGE, EDGE, 7, True),
    Table("kExp2Single", "2^x by x", lambda x: mp.mpf(2) ** x, -0.5, 0.5, 7, True),
    Table("kExpm1Single", "(e^x - 1 - x) / x^2 by x", expm1_rest, -EDGE, EDGE, 6, True),
    *(
        Table(
            f"kLog{base or ''}Single",
            f"log(1 + x) / x{f' to the base {base}' if base else ''} by x",
            lambda x, base=base: ratio(mp.log1p, 1, 1, x) / (mp.log(base) if base else 1),
            1 / ROOT - 1,
            ROOT - 1,
            11,
            True,
        )
        for base in (None, 2, 10)
    ),
    Table(
        "kAsinSingle",
        "(asin(x) - x) / x^3 by x^2",
        lambda z: ratio(lambda z: mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1, 1, mp.mpf(1) / 6, z),
        0,
        0.25,
        6,
        True,
    ),
    Table("kErfcxSingle", "kErfcx for x within [1/2, 12] by (x - 4) / (x + 4)", of_shifted, -0.78, 0.5, 12, True),
    Table("kErfinvSingle", "erfinv(x) / x by w = -log(1 - x^2)", inverse_erf, 0, 5, 12, True),
    Table("kErfSingle", "erf(x) / x by x^2", lambda z: ratio(mp.erf, 1, 2 / mp.sqrt(mp.pi), mp.sqrt(z)), 0, 0.25, 5, True),
    Table("kSineOfPiSingle", "sin(pi x) / x by x^2", lambda z: mp.pi * mp.sincpi(mp.sqrt(z)), 0, 0.25, 6, True),
]


def fitted(table: Table) -> tuple[list[Any], Any]:
    """Coefficients of ascending powers, and the largest error where it is greatest, over the function."""
    middle, half = mp.mpf(table.low + table.high) / 2, mp.mpf(table.high - table.low) / 2
    if table.plain:
        middle, half = mp.mpf(0), mp.mpf(1)
    low, high = (mp.mpf(x) for x in (table.low, table.high)) if table.plain else (-mp.mpf(1), mp.mpf(1))
    powers = mp.chebyfit(lambda t: table.function(middle + half * t), [low, high], table.size)
    rounded = [mp.mpf(float(c)) for c in powers]
    worst = mp.mpf(0)
    for i in range(101):
        t = low + (high - low) * i / 100
        want = table.function(middle + half * t)
        worst = max(worst, abs(mp.polyval(rounded, t) / want - 1))
    return rounded[::-1], worst


def main() -> None:
    print("// Written by tools/special_tables.py: polynomials of the special functions (ops/expr/special.cpp), by ascending")
    print("// powers of t = (x - middle) / half the width of the interval that is given, or of x where that is said.")
    print("#pragma once\n\nnamespace ember::ops::special {\n")
    print(f"inline constexpr double kPsiRootHigh = {float(PSI_ROOT).hex()};")
    print(f"inline constexpr double kPsiRootLow = {float(PSI_ROOT - mp.mpf(float(PSI_ROOT))).hex()};")
    import sys

    for table in TABLES:
        coefficients, worst = fitted(table)
        print(table.name, mp.nstr(worst, 3), mp.nstr(sum(map(abs, coefficients)) / abs(coefficients[0]), 3), file=sys.stderr)
        print(f"\n// {table.meaning}, within [{table.low:g}, {table.high:g}]")
        print(f"inline constexpr double {table.name}[] = {{{', '.join(float(c).hex() for c in coefficients)}}};")
    print("\n}  // namespace ember::ops::special")


if __name__ == "__main__":
    main()
