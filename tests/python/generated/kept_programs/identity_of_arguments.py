"""Which object an argument is: by `is`, id() and hash(), as a key, and in an error."""

import numpy as np
from emberjit import Parameter, Tensor, ops

t = Tensor(np.ones(2, np.float32))
p = Parameter(Tensor(np.ones(2, np.float32)), name="p")
known = [1, t]
other = [1, t]
numbers = {t: 1, p: 2}
ids = {id(t): 1, id(p): 2}


def by_is(x, y, items):
    return x is y, x is t, p is y, items is known, items is other, items[1] is t, items[1] is known[1]


def by_id(x, y, items):
    memo = {id(x): 1}
    return id(x) in ids, id(items) == id(known), id(t) in memo, id(y) in memo


def by_hash(x, y, items):
    return x in numbers, numbers.get(y, 0), hash(x) == hash(t), len({x, y, t}), {x: 5}.get(t)


def among(x, y, items):
    return any(x is one for one in (t, p)), any(items is one for one in (known, other))


def chosen(x, y, items):
    z = x if x.sum() > 0 else x * 1
    return z is x, z is t, (x * 1) is x


def made(x, y, items):
    memo = {x * 1: 3, x * 2: 4}
    return list(memo.values()), (x * 1) is y, (x * 1) is t


def assigned(x, y, items):
    a = ops.assign_add(p, x * 0)
    return a is p, a is x


def raised(x, y, items):
    if x.sum() > 0:
        raise ValueError(x, p)
    return ()


def program(x, y, items, which):
    try:
        return x * 2, which(x, y, items)
    except ValueError as error:
        return x * 2, error.args[0] is t, type(error.args[0]).__name__, error.args[1] is p


ARGUMENTS = ("t, t, known", "t, p, known", "p, p, other", "Tensor(np.ones(2, np.float32)), t, [1, t]", "t, t, other")
FUNCTIONS = ("by_is", "by_id", "by_hash", "among", "chosen", "made", "assigned", "raised")
calls = [("", f"{arguments}, {name}") for name in FUNCTIONS for arguments in ARGUMENTS for _ in range(2)]
