"""What the programs of random_views do to NumPy's arrays."""

import numpy as np
import views_helpers

flat, square, transposed = views_helpers.flat, views_helpers.elements, views_helpers.transposed


def fresh(x):
    return np.array(x, order="C")


def plus(x, v):
    return np.array(x + v, order="C")


def inserted(x):
    return x[None]


def conj(x):
    return np.array(x.conj(), order="C")


def real(x):
    return x.real


def imag(x):
    return x.imag


def pairs(x):
    part = x.real
    return np.lib.stride_tricks.as_strided(part, (*x.shape, 2), (*x.strides, part.itemsize))


def joined(x):
    """A view where Tensors have one: of parts that are next to each other, at every second place."""
    apart = x.strides[1] != x.itemsize or (len(x) > 1 and x.strides[0] % (2 * x.itemsize))
    return (x.copy() if apart else x).view(f"complex{x.itemsize * 16}")[:, 0]


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
    return chosen(x, x > v)


def chosen(x, where):
    np.putmask(x, where, 1.0)
    return x


def after(results):
    return views_helpers.after(results, add)
