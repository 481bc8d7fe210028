"""Arithmetic where 64 bits, or one division, are not what Python does."""

import numpy as np
from emberjit import Tensor


def program(x, n, divisor):
    return x * 2, -n, abs(n), Tensor(1) - n // 2, float(x.sum()) // divisor, float(x.sum()) % divisor


def one(x, n):
    return Tensor(True) - -n


X = "Tensor(np.array([0.5, -1.5], np.float32))"
calls = [("", f"{X}, {n}, {d}") for n in ("3", "-(1 << 63)", "(1 << 63) - 1") for d in ("2.0", "float('inf')", "-0.3")]
