"""What the programs of random_views do to Tensors; views_helpers_numpy does the same to NumPy's arrays."""

import numpy as np

from emberjit import Tensor, ops


def elements(first, step, dtype="float64"):
    """A square; what numbers are imaginary parts go backwards."""
    values = (np.arange(16.0) * step + first).reshape(4, 4)
    return (values + 1j * values[::-1] if dtype.startswith("complex") else values).astype(dtype)


def square(first, step, dtype="float64"):
    return Tensor(elements(first, step, dtype))


def transposed(x):
    return x.T


def flat(x):
    return x.reshape(-1)


def fresh(x):
    return x * 1


def plus(x, v):
    return x + v


def inserted(x):
    return ops.expand_dims(x, 0)


def conj(x):
    return ops.conj(x)


def real(x):
    return x.real()


def imag(x):
    return x.imag()


def pairs(x):
    return ops.view_as_real(x)


def joined(x):
    return ops.view_as_complex(x)


def add(x, v):
    return x.add_(v)


def sub(x, v):
    return x.sub_(v)


def mul(x, v):
    return x.mul_(v)


def copy(x, v):
    return x.copy_(v)


def fill(x, v):
    return x.fill_(v)


def clamp(x, v):
    return x.clamp_(v, 50)


def mask(x, v):
    return chosen(x, x > v)


def chosen(x, where):
    return x.masked_fill_(where, 1.0)


# What more the programs of random_view_gradients do ---------------------------------------------------------------------


def copied(x):
    return x.copy()


def diagonal(x):
    return x.diagonal()


def product(x, v):
    return x * v * 0.25


def sine(x):
    return ops.sin(x)


def where(x, condition, v):
    return ops.where(condition, x, v)


def times(x, v):
    return x.mul_(v)


def zero(x):
    return x.zero_()


def put(x, places, v, accumulate):
    return x.index_put_((Tensor(places),), v[0] if isinstance(v, Tensor) else Tensor(v, x.dtype), accumulate)


def loss(results):
    """A real number to which every element of every result contributes."""
    total = 0
    for x in results:
        weights = Tensor(np.arange(1.0, x.size + 1).reshape(x.shape) / x.size)
        part = (x * x * weights).sum()
        total = total + (part.real() if part.is_complex() else part)
    return total


def after(results, add=add):
    for i, result in enumerate(results):
        add(result, 1000.0 * (i + 1))
    return results
