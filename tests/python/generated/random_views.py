"""Random functions of two square Tensors, real or complex, that view them and what they make of them, and write in place:
views of views and of parts, loops and branches on Tensors, arguments that share memory. What is returned is written once
more by the caller, which shows what shares memory with what. The same text runs on NumPy's arrays, with other helpers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

HELPERS = "add, after, chosen, clamp, conj, copy, fill, flat, fresh, imag, inserted, joined, mul, pairs, plus, "
HELPERS += "real, square, sub, transposed"
DTYPES = {False: ("float64",), True: ("complex64", "complex128")}  # by whether a variable is complex
NUMBERS = {False: ("-2", "0", "2.0", "3"), True: ("-2", "0", "2.0", "3", "2j", "(1 - 3j)")}
FACTORS = {False: ("-1", "2", "0.5"), True: ("-1", "2", "0.5", "1j", "(1 + 1j)")}
PARTS = ("real({})", "imag({})")
VIEWS = {
    2: [
        ("transposed({})", lambda s: s[::-1]),
        ("flat({})", lambda s: (s[0] * s[1],)),
        ("{}[1]", lambda s: s[1:]),
        ("{}[-1:]", lambda s: (1, s[1])),
        ("{}[:, 0]", lambda s: s[:1]),
        ("{}[::2]", lambda s: ((s[0] + 1) // 2, s[1])),
        ("{}[:, 1:]", lambda s: (s[0], s[1] - 1)),
        ("{}[::-1]", lambda s: s),
        ("{}[...]", lambda s: s),
        ("fresh({})", lambda s: s),
    ],
    1: [
        ("{}[1:]", lambda s: (s[0] - 1,)),
        ("{}[::2]", lambda s: ((s[0] + 1) // 2,)),
        ("inserted({})", lambda s: (1, *s)),
        ("fresh({})", lambda s: s),
        ("{}[::-1]", lambda s: s),
    ],
}


class Writer:
    """Writes one program: variables with their shapes, and statements."""

    views = VIEWS

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.shapes: dict[str, tuple[int, ...]] = {"a": (4, 4), "b": (4, 4)}
        self.complex = {name for name in self.shapes if self.random.random() < 0.5}
        self.lines: list[str] = []

    def say(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def variable(self) -> str:
        return self.random.choice(list(self.shapes))

    def make(self, shape: tuple[int, ...], is_complex: bool) -> str:
        """The name of what the next line makes; a variable unless that is empty."""
        name = f"v{len(self.lines)}"
        if min(shape) > 0:
            self.shapes[name] = shape
            self.complex |= {name} if is_complex else set()
        return name

    def number(self, name: str) -> str:
        """One that can be written into a variable."""
        return self.random.choice((str(self.random.randint(-3, 5)), *NUMBERS[name in self.complex]))

    def other(self, name: str) -> str:
        """A number, or a variable of the same shape, that can be written into another."""
        same = [other for other, shape in self.shapes.items() if shape == self.shapes[name]]
        return self.random.choice([*(o for o in same if o not in self.complex or name in self.complex), self.number(name)])

    def part(self, name: str) -> str:
        """Of a complex variable a part, of another the whole: what can be compared."""
        return self.random.choice(PARTS).format(name) if name in self.complex else name

    def view(self, depth: int) -> None:
        source = self.variable()
        shape, is_complex = self.shapes[source], source in self.complex
        choices = [(text, of(shape), is_complex) for text, of in self.views[len(shape)] if min(shape) > 1 or "fresh" in text]
        if is_complex:
            choices += [(text, shape, False) for text in PARTS * 2] + [("conj({})", shape, True)]
            choices += [("pairs({})", (*shape, 2), False)] * 2 if len(shape) == 1 else []
        elif shape[1:] == (2,):
            choices += [("joined({})", shape[:1], True)] * 3
        text, *made = self.random.choice(choices)
        self.say(depth, f"{self.make(*made)} = {text.format(source)}")

    def write(self, depth: int) -> None:
        name = self.variable()
        kind = self.random.choice(("add", "sub", "mul", "copy", "fill", "clamp", "mask", "item", "update", "all"))
        if kind in ("add", "sub", "copy"):
            self.say(depth, f"{kind}({name}, {self.other(name)})")
        elif kind == "mul":
            self.say(depth, f"mul({name}, {self.random.choice(FACTORS[name in self.complex])})")
        elif kind == "fill":
            self.say(depth, f"fill({name}, {self.number(name)})")
        elif kind == "clamp":
            self.say(depth, f"clamp({self.part(name)}, {self.random.randint(-2, 5)})")
        elif kind == "mask":
            self.say(depth, f"chosen({name}, {self.part(name)} > {self.random.randint(-2, 5)})")
        elif kind == "item":
            self.say(depth, f"{name}[{self.random.choice(('0', '-1', '0:1'))}] = {self.number(name)}")
        elif kind == "update":
            self.say(depth, f"{name}[0] += {self.number(name)}")
        else:
            self.say(depth, f"{name}[...] = {self.other(name)}")

    def read(self, depth: int) -> None:
        name = self.variable()
        other = self.other(name)
        self.say(depth, f"{self.make(self.shapes[name], name in self.complex)} = plus({name}, {other})")

    def block(self, depth: int, count: int) -> None:
        known = dict(self.shapes)
        for _ in range(count):
            self.statement(depth)
        self.shapes = known

    def statement(self, depth: int) -> None:
        kind = self.random.random()
        if kind < 0.35:
            self.view(depth)
        elif kind < 0.75 or depth > 2:
            self.write(depth)
        elif kind < 0.82:
            self.read(depth)
        elif kind < 0.9:
            self.say(depth, f"if {self.part(self.variable())}.sum() > {self.random.randint(-20, 90)}:")
            self.block(depth + 1, self.random.randint(1, 3))
            if self.random.random() < 0.5:
                self.say(depth, "else:")
                self.block(depth + 1, self.random.randint(1, 3))
        elif kind < 0.95:
            self.say(depth, f"for i in range({self.random.randint(1, 3)}):")
            self.block(depth + 1, self.random.randint(1, 3))
        else:
            count = f"n{len(self.lines)}"
            self.say(depth, f"{count} = {self.part(self.variable())}.sum() * 0")
            self.say(depth, f"while {count} < {self.random.randint(0, 3)}:")
            self.block(depth + 1, self.random.randint(1, 3))
            self.say(depth + 1, f"{count} = {count} + 1")

    def square(self, name: str, first: int, step: int) -> str:
        """An argument for a parameter."""
        return f"square({first}, {step}, '{self.random.choice(DTYPES[name in self.complex])}')"

    def calls(self) -> list[tuple[str, str]]:
        """Whose arguments may share memory, as they do in the last if their dtypes allow it."""
        unlike = self.square("b", 2, 3)
        if "b" not in self.complex and "a" in self.complex:
            shared = ["real(c)", "imag(c)", "transposed(real(c))", "fresh(imag(c))"]
        elif ("a" in self.complex) == ("b" in self.complex):
            shared = ["c", "transposed(c)", "c[...]", "fresh(c)"]
        else:
            shared = [unlike]
        second = self.random.choice([unlike, unlike, *shared])
        first = self.square("a", 1, 1)
        calls = [(f"c = {start}", f"c, {second}") for start in (first, first, self.square("a", -3, 2))]
        return [*calls, (f"c = {self.square('a', 3, 1)}", f"transposed(c), {shared[-1]}")]

    def program(self) -> str:
        for _ in range(self.random.randint(3, 9)):
            self.statement(1)
        returned = self.random.sample(list(self.shapes), k=min(len(self.shapes), self.random.randint(1, 4)))
        self.say(1, f"return [{', '.join(returned)}]")
        calls = self.calls()
        return "\n".join(["\n\ndef program(a, b):", *self.lines, "\n", f"calls = {calls}", ""])


def write(seed: int) -> str:
    """The text of a program."""
    return f"from views_helpers import {HELPERS}\n" + Writer(seed).program()


def of_numpy(text: str) -> str:
    """The same on NumPy's arrays."""
    return text.replace("views_helpers", "views_helpers_numpy", 1)


def differs_from_numpy(seed: int) -> str:
    """What emberjit makes of a program in Python, where NumPy makes something else of it."""
    from programs import Module

    def numbers(found: Any) -> Any:
        if isinstance(found, tuple) and len(found) == 4 and found[0] in ("Tensor", "ndarray"):
            return (*found[1:3], (np.frombuffer(found[3], found[1]) + 0).tobytes())  # of which clip() keeps -0
        return [numbers(part) for part in found] if isinstance(found, (list, tuple)) else found

    text = write(seed)
    ours, theirs = (numbers(Module(t, f"<views {seed}>").outcomes()) for t in (text, of_numpy(text)))
    return "" if ours == theirs else f"{text}\n{ours}\n{theirs}"
