"""A namespace is compared as a whole, also by the attributes that come later."""

import types

import numpy as np
from emberjit import Tensor

ns = types.SimpleNamespace(k=1)


def program(x):
    return x * (ns == types.SimpleNamespace(k=1))


X = "Tensor(np.array([0.5, -1.5], np.float32))"
calls = [("", X), ("", X), ("ns.j = 1", X), ("del ns.j", X), ("ns.k = 2", X)]
