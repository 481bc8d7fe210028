"""Integers that loops, conditions and recursion on Tensors carry are Python's: they grow as far as they grow."""

import numpy as np
from emberjit import Tensor


def doubled(x):
    n = 1
    while x.sum() < 100:
        n = n * 3
        x = x + 1
    return n, x


def fibonacci(x):
    a, b = 0, 1
    while x.sum() < 200:
        a, b = b, a + b
        x = x + 1
    return a, x


def counted(x):
    n = 0
    while x.sum() < 50:
        n += 1
        x = x + n * 2 - n // 3
    return n, n * n, n - 1, n / 4, x


def chosen(x):
    n = (1 << 40) if x.sum() > 2 else 3
    return n * 5, n * (1 << 30), x


def deep(x, n):
    if x.sum() > 60:
        return n
    return deep(x + 1, n * 3)


def recursive(x):
    return deep(x, 2), x


def program(x, which):
    return which(x)


FUNCTIONS = ("doubled", "fibonacci", "counted", "chosen", "recursive")
STARTS = ("[49.0, 45.0]", "[20.0, 20.0]", "[0.0, 1.0]", "[49.0, 45.0]")
calls = [("", f"Tensor(np.array({start}, np.float32)), {name}") for name in FUNCTIONS for start in STARTS for _ in range(2)]
