"""Random functions that change what lies outside of them, or take from it: kinds of effect x places where they happen.

program_parts/effects.txt has, of each kind, statements that make what it changes, expressions that change it, in which N is
an integer and x the Tensor, and expressions that show what is left; effect_places.txt the bodies of functions of x and n,
in which E and F are effects.
"""

from __future__ import annotations

import random

from program_parts import places, replaced, sections
from random_state import MODULES

MORE_MODULES = """import bisect, heapq, io, itertools, json, logging, queue, time, warnings
warnings.simplefilter("ignore")
"""
KINDS = sections("effects.txt")
PLACES = places("effect_places.txt")
TENSORS = "Tensor(np.array([0.5, 1.5], np.float32))", "Tensor(np.array([-0.5, -1.5], np.float32))"
CALLS = [("", f"{TENSORS[which]}, {n}") for which, n in ((0, 1), (0, 1), (1, 1), (0, 2), (0, 2), (1, 0), (0, 1))]


class Writer:
    """Writes one program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.kinds = self.random.sample(sorted(KINDS), k=self.random.choice((1, 1, 2)))

    def effect(self) -> str:
        """An expression with an effect, now and then two."""
        found = self.random.choice(KINDS[self.random.choice(self.kinds)].lists["effects"])
        found = replaced(found, "N", self.random.choice(("n", "1", "2", "3")))
        return f"({found}, {self.effect()})" if self.random.random() < 0.1 else f"({found})"

    def body(self) -> str:
        """The lines of a function."""
        return replaced(replaced(self.random.choice(PLACES), "E", self.effect()), "F", self.effect())

    def program(self) -> str:
        """The text."""
        body = self.body()
        if self.random.random() < 0.3:
            body = f"def first():\n{_indented(body)}\nresult = first()\n{self.body()}"
        left = ", ".join(item for kind in self.kinds for item in KINDS[kind].lists["left"])
        lines = [f"def program(x, n):\n{_indented(body)}", f"def left():\n    return {left}", f"calls = {CALLS}\n"]
        return "\n".join([MODULES, MORE_MODULES, *(KINDS[kind].make for kind in self.kinds), "\n\n".join(lines)])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def write(seed: int) -> str:
    """The text of a program."""
    return Writer(seed).program()
