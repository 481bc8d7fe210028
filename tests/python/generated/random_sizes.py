"""Random functions of a Tensor whose size differs between calls, and of numbers: arithmetic on these, decisions by it, and
ops that take it as sizes, positions and values; of kind "replay" with effects among what may raise."""

from __future__ import annotations

import random

MODULES = """import math
import operator
import numpy as np
import emberjit as ms
from emberjit import Tensor, nn, ops


class Whole(int):
    pass


class Outside:
    pass


out = Outside()
out.n, out.a = 3, 0.5
table = {"n": 2, "a": 1.5}
items = [4, 0.25]
kept = []
seen = set()


def left():
    return out, table, items, kept, sorted(seen, key=repr)
"""
_INTS = ("0", "1", "2", "3", "4", "5", "7", "8", "-1", "-2", "-5", "True", "False")
_LARGE = (
    "2**31 - 1",
    "2**31",
    "-2**31",
    "2**53",
    "2**53 + 1",
    "2**62",
    "-2**63",
    "2**63",
    "10**30",
    "Whole(3)",
    "np.int64(3)",
)
_FLOATS = (
    "0.0",
    "-0.0",
    "0.5",
    "1.0",
    "2.0",
    "-1.5",
    "3.7",
    "1e300",
    "float('nan')",
    "float('inf')",
    "2.0**53",
    "np.float32(0.5)",
)
_ROWS = (0, 1, 2, 3, 4, 5, 8)
_BINARY = ("+", "-", "*", "//", "%", "/", "&", "|", "^", "<<", ">>", "**")
_COMPARE = ("<", "<=", "==", "!=", ">", ">=", "is", "is not")


class Writer:
    """Writes one program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.names = [
            "n",
            "a",
            "rows",
            "x.shape[0]",
            "x.shape[1]",
            "len(x)",
            "x.size",
            "out.n",
            "out.a",
            "table['n']",
            "items[0]",
        ]

    def leaf(self) -> str:
        """A name or a constant."""
        if self.random.random() < 0.75:
            return self.random.choice(self.names)
        return self.random.choice(("0", "1", "2", "3", "-1", "0.5", "2.0", "True"))

    def number(self, depth: int = 2) -> str:
        """An expression of numbers."""
        kind = self.random.random()
        if depth == 0 or kind < 0.2:
            return self.leaf()
        a, b = self.number(depth - 1), self.number(depth - 1)
        if kind < 0.65:
            sign = self.random.choice(_BINARY)
            if sign in ("<<", "**"):
                b = f"({b} if isinstance({b}, int) and 0 <= {b} < 4 else 2)"
            return f"({a} {sign} {b})"
        if kind < 0.72:
            return f"({a} if {self.condition(depth - 1)} else {b})"
        if kind < 0.8:
            return f"{self.random.choice(('min', 'max'))}({a}, {b})"
        if kind < 0.86:
            return f"math.{self.random.choice(('sqrt', 'floor', 'ceil', 'exp', 'cos', 'fabs', 'trunc', 'log'))}({a})"
        return self.random.choice(
            (f"int({a})", f"float({a})", f"abs({a})", f"round({a})", f"round({a}, 1)", f"(-{a})", f"bool({a})")
        )

    def condition(self, depth: int = 1) -> str:
        """An expression that Python decides by."""
        kind = self.random.random()
        a, b = self.number(depth), self.number(depth)
        if kind < 0.7:
            sign = self.random.choice(_COMPARE)
            return f"{a} {sign} {b}" if not sign.startswith("is") else f"{self.leaf()} {sign} None"
        if kind < 0.8:
            return f"{self.leaf()} <= {a} < {b}"
        return f"not {a}" if kind < 0.9 else a

    def small(self) -> str:
        """An int from 0 to 5, if nothing is an error."""
        return f"(int({self.number(1)}) % 6)"

    def value(self) -> str:
        """A Tensor."""
        n, m = self.small(), self.number()
        return self.random.choice(
            (
                f"x * {m}",
                f"x + {m}",
                f"x[:{n}]",
                f"x[{n}:]",
                f"x[-{n}:]",
                f"x[{n}]",
                f"x[{n} % max(x.shape[0], 1)]",
                "x.reshape(-1)",
                "x.reshape(x.shape[0] * 2, x.shape[1] // 2)",
                f"x.reshape({n}, -1)",
                f"ops.zeros(({n}, 3)) + {m}",
                f"ops.full(({n},), {m})",
                f"ops.arange({n}) * {m}",
                f"ops.roll(x, {n}, 0)",
                f"ops.triu(ops.ones((x.shape[0], x.shape[0])), {n} - 2)",
                f"ops.tile(x, ({n}, 1))",
                f"ops.cat((x, ops.ones(({n}, x.shape[1]))))",
                f"x.expand_dims(0).broadcast_to(({n}, x.shape[0], x.shape[1]))",
                f"sum([x * i for i in range({n})], x)",
                f"[x, x * 2, x * 3][{n} % 3]",
                f"x.sum() / {m}",
                f"ops.eye({n} + 1)",
                f"x.sum(0) * len(x) + {m}",
                f"ops.stack([x] * ({n} + 1)).sum(0)",
            )
        )

    def effect(self) -> str:
        """A statement that changes something outside, or may raise."""
        number = self.number(1)
        return self.random.choice(
            (
                "out.n += 1",
                f"out.a = {number}",
                f"out.new = {number}",
                f"table['n'] = {number}",
                f"table['seen'] = table.get('seen', 0) + {number}",
                f"table.setdefault({number}, n)",
                f"items.append({number})",
                "items.pop() if len(items) > 2 else None",
                f"items[0] = {number}",
                "items[0] += 1; items[0] += items[1]",
                "items.insert(0, items[1])",
                "kept.append(x * 2)",
                "kept.append(f'{n} {x.shape} {a:.2f}')",
                "del kept[:1]",
                f"seen.add({number})",
                f"if {self.condition()}: raise ValueError({number})",
                f"ops.gather(x, Tensor([{self.small()}]), 0)",
                f"out.n = [{number}][{self.small()}]",
            )
        )

    def replay(self) -> str:
        """The text of a program with effects."""
        text = self.program()
        head, body = text.split("    rows = x.shape[0]\n")
        lines = [f"    {self.effect()}" for _ in range(self.random.choice((1, 2, 3)))]
        rest = body.split("\n")
        for line in lines:
            end = next(i for i, other in enumerate(rest) if other.startswith("    return"))
            places = [i for i in range(end + 1) if not rest[i].startswith(("        ", "    else"))]
            rest.insert(self.random.choice(places), line)
        return f"{head}    rows = x.shape[0]\n" + "\n".join(rest)

    def program(self) -> str:
        """The text."""
        lines = ["def program(x, n, a):", "    rows = x.shape[0]"]
        for name in ("p", "q")[: self.random.randrange(3)]:
            lines.append(f"    {name} = {self.number()}")
            self.names.append(name)
        if self.random.random() < 0.6:
            lines += [
                f"    if {self.condition()}:",
                f"        y = {self.value()}",
                "    else:",
                f"        y = {self.value()}",
            ]
        else:
            lines.append(f"    y = {self.value()}")
        lines.append(f"    return y, {self.number()}, x.shape")
        ints = _INTS * 3 + _LARGE if self.random.random() < 0.5 else _INTS
        calls = [
            (self.change(), f"Tensor(np.arange({r} * 4, dtype=np.float32).reshape({r}, 4)), {n}, {a}")
            for r, n, a in self.calls(ints)
        ]
        return "\n".join([MODULES, "", *lines, "", "", f"calls = {calls}", ""])

    def calls(self, ints: tuple[str, ...]) -> list[tuple[int, str, str]]:
        """Sizes and numbers of the calls."""
        choose = self.random.choice
        return [(choose(_ROWS), choose(ints), choose(_FLOATS if self.random.random() < 0.8 else ints)) for _ in range(10)]

    def change(self) -> str:
        """A statement before a call, now and then nothing."""
        if self.random.random() < 0.5:
            return ""
        place = self.random.choice(("out.n", "out.a", "table['n']", "items[0]"))
        return f"{place} = {self.random.choice(_INTS + _FLOATS[:6])}"


def write(seed: int) -> str:
    """The text of a program."""
    return Writer(seed).program()


def write_replay(seed: int) -> str:
    """The text of a program with effects."""
    return Writer(seed).replay()
