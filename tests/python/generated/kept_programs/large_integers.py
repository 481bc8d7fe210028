"""Integers that a Tensor's elements give are Python's: they have as many bits as they need, or are an error."""

import numpy as np
from emberjit import Tensor


def program(x, which):
    n = int(x[0])
    if which == "sum":
        return n + 1, x * 2
    if which == "product":
        return n * (1 << 62), x * 2
    if which == "square":
        return n * n, x * 2
    if which == "power":
        return n**40, x * 2
    if which == "difference":
        return n - (1 << 64), x * 2
    if which == "quotient":
        return n // 3, -n, abs(n), x * 2
    return n, x * 2


values = (
    "np.array([4, 2], np.int8)",
    "np.array([-128, 2], np.int8)",
    "np.array([-(2**31), 2], np.int32)",
    "np.array([2**31 - 1, 2], np.int32)",
    "np.array([2**63 - 1, 2], np.int64)",
    "np.array([-(2**63), 2], np.int64)",
    "np.array([2.75, 2], np.float32)",
    "np.array([-1e30, 2], np.float32)",
    "np.array([2.0**63, 2], np.float64)",
    "np.array([-(2.0**63), 2], np.float64)",
    "np.array([np.nan, 2], np.float32)",
    "np.array([-np.inf, 2], np.float64)",
)
kinds = ("sum", "product", "square", "power", "difference", "quotient", "")
calls = [("", f"Tensor({value}), {kind!r}") for kind in kinds for value in values for _ in range(2)]
