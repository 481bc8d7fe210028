"""What the programs of random_views do to NumPy's arrays."""

import numpy as np
import views_helpers

flat, transposed = views_helpers.flat, views_helpers.transposed


def square(first, step):
    return (np.arange(16.0) * step + first).reshape(4, 4)


def fresh(x):
    return np.array(x, order="C")


def plus(x, v):
    return np.array(x + v, order="C")


def inserted(x):
    return x[None]


def add(x, v):
    return np.add(x, v, out=x)


def sub(x, v):
    return np.subtract(x, v, out=x)


def mul(x, v):
    return np.multiply(x, v, out=x)


def copy(x, v):
    np.copyto(x, v.copy() if isinstance(v, np.ndarray) else v)
    return x


def fill(x, v):
    x.fill(v)
    return x


def clamp(x, v):
    return np.clip(x, v, 50, out=x)


def mask(x, v):
    np.putmask(x, x > v, 1.0)
    return x


def after(results):
    return views_helpers.after(results, add)
