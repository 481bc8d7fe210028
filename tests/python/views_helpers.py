"""What the programs of random_views do to Tensors; views_helpers_numpy does the same to NumPy's arrays."""

import numpy as np

from emberjit import Tensor, ops


def square(first, step):
    return Tensor((np.arange(16.0) * step + first).reshape(4, 4))


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
    return x.masked_fill_(x > v, 1.0)


def after(results, add=add):
    for i, result in enumerate(results):
        add(result, 1000.0 * (i + 1))
    return results
