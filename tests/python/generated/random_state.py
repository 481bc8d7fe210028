"""Random functions that read what lies outside of them, which is changed between calls: kinds of state x ways to read it
x places where it is read x ways to change it.

program_parts/state.txt has, of each kind, statements that make it, expressions that read a number of it, and statements
that change it, in which V is a new number; state_places.txt the functions of x, in which R is what they read.
"""

from __future__ import annotations

import random

from program_parts import places, replaced, sections

MODULES = """import abc, array, collections, contextlib, contextvars, copy, dataclasses, decimal, enum, fractions, functools
import operator, os, sys, threading, types, weakref
import numpy as np
import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
"""
KINDS = sections("state.txt")
PLACES = places("state_places.txt")


class Writer:
    """Writes one program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.kinds = self.random.sample(sorted(KINDS), k=self.random.choice((1, 1, 2)))
        self.value = 1

    def pick(self, part: str) -> str:
        """A way to read or to change one of the kinds."""
        return self.random.choice(KINDS[self.random.choice(self.kinds)].lists[part])

    def change(self) -> str:
        """A statement that changes something, now and then nothing."""
        if self.random.random() < 0.35:
            return ""
        self.value = self.random.choice((self.value, self.value + 1, self.value + 1, 1))
        return replaced(self.pick("changes"), "V", str(self.value))

    def program(self) -> str:
        """The text."""
        read = self.pick("reads")
        if self.random.random() < 0.2:
            read = f"{read} + ({self.pick('reads')})"
        function = replaced(self.random.choice(PLACES), "R", read)
        calls = [("", "Tensor(np.array([0.5, -1.5], np.float32))")] * 2
        calls += [(self.change(), "Tensor(np.array([1.5, 2.5], np.float32))") for _ in range(7)]
        return "\n".join([MODULES, *(KINDS[kind].make for kind in self.kinds), function, "", "", f"calls = {calls}", ""])


def write(seed: int) -> str:
    """The text of a program."""
    return Writer(seed).program()
