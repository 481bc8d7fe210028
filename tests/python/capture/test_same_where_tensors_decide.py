"""Small programs in which a Tensor decides, or gives numbers: jitted they are as they are in Python."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from overlooked import Jit, Programs, told

import emberjit as ms
from emberjit import Tensor

PROGRAMS = Programs()
program = PROGRAMS.add


# Conditions on Tensors -----------------------------------------------------------------------------------------------


class Counted:
    def __init__(self):
        self.n = 0

    @property
    def p(self):
        self.n += 1
        return self.n


def under_conditions() -> list[Callable[[Any], Any]]:
    def iterators(x):
        c, z = itertools.count(), zip([1, 2], [3, 4])
        if x.sum() > 3:
            next(c)
            next(z)
        return next(c), next(z)

    def other_lists(x):
        a = [x]
        c = a
        if x.sum() > 3:
            c = [x]
        c.append(1)
        return len(a), a is c

    def orders_of_keys(x):
        d = {"c": 1}
        if x.sum() > 3:
            d["a"] = 1
            d["b"] = 2
        else:
            d["b"] = 2
            d["a"] = 1
        return list(d)

    def moved_keys(x):
        d = {"a": 1, "b": 2}
        if x.sum() > 3:
            d["a"] = d.pop("a")
        return list(d)

    def defaults(x):
        def g(a=1):
            return a

        if x.sum() > 3:
            g.__defaults__ = (2,)
        return g()

    def second_operands(x):
        c = Counted()
        if x.sum() > 3 and c.p:
            pass
        return c.n, 0 < c.p < 5, c.n

    return [iterators, other_lists, orders_of_keys, moved_keys, defaults, second_operands]


@program
def conditions(jit: Jit) -> Any:
    inputs = (Tensor([1.0]), Tensor([5.0]), Tensor([1.0]))
    return [told(f, t) for f in map(jit, under_conditions()) for t in inputs]


# Numbers that are known at run time alone -----------------------------------------------------------------------------


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Count(int):
    pass


def of_a_tensor(x):
    """An int, a bool and a float that a graph computes."""
    n = int(x[0])
    return n, n > 2, float(x[0]) + 0.5


def grown(x):
    """An int that a loop gives, of more than 53 bits."""
    n = 9007199254740992
    while x.sum() < 8:
        x = x * 2
        n = n + 1
    return n


def run_time_numbers() -> list[Callable[[Any], Any]]:
    t = np.arange(6, dtype=np.float32).reshape(2, 3)

    def inverted(x):
        n, b, _ = of_a_tensor(x)
        return ~n, ~b, -b, abs(b), +b, not b

    def powers(x):
        n, b, f = of_a_tensor(x)
        return n**2, 2**n, f**2, f**0.5, n**-1, b**2

    def divisions(x):
        n, b, f = of_a_tensor(x)
        return n / 3, 7 // n, f // 0.3, f % 0.3, divmod(f, 2), -n // 2, b / 2

    def compared(x):
        n = grown(x)
        return n == 9007199254740992.0, n > 9007199254740992.0, n / 2, n < 9007199254740994.5, n % 10

    def chosen_members(x):
        level = Level.LOW if x.sum() > 3 else Level.HIGH
        return level, type(level), f"{level}"

    def chosen_subclasses(x):
        n = Count(2)
        if x.sum() > 3:
            n = Count(3)
        return type(n), n + 1

    def chosen_scalars(x):
        n = np.float32(1) if x.sum() > 3 else np.float32(2)
        return type(n), n * 3

    def bools_in_sums(x):
        n, b, f = of_a_tensor(x)
        return n + (f > 2), (f <= 3) * 3, b + 1

    def large(x):
        n = 2**63 - 2
        m = n if x.sum() > 3 else 0
        while x.sum() < 8:
            x = x * 2
            n = n + 1
        return n, m + 5, -m, abs(m)

    def indices(x):
        n = int(x[0])
        return Tensor(t)[n % 2].tolist(), Tensor(t)[: n % 2].tolist()

    def bools_as_indices(x):
        return Tensor(t)[of_a_tensor(x)[1]].shape

    def far_slices(x):
        return [Tensor(t)[s].tolist() for s in (slice(-(2**63), 2**63), slice(None, -(2**70)), slice(0, 2, 2**64))]

    def of_a_dtype(x):
        n, _, f = of_a_tensor(x)
        return Tensor([n, 1.5], ms.int32).tolist(), Tensor([n + 300, f], ms.int8).tolist()

    return [
        inverted,
        powers,
        divisions,
        compared,
        chosen_members,
        chosen_subclasses,
        chosen_scalars,
        bools_in_sums,
        large,
        indices,
        bools_as_indices,
        far_slices,
        of_a_dtype,
    ]


@program
def numbers_of_the_graph(jit: Jit) -> Any:
    inputs = (Tensor([1.0]), Tensor([5.0]), Tensor([1.0]))
    return [repr(told(f, t)) for f in map(jit, run_time_numbers()) for t in inputs]


test_jitted_is_as_plain = PROGRAMS.test()
