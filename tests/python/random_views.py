"""Random functions of two square Tensors that view them and what they make of them, and write in place: views of views,
loops and branches on Tensors, arguments that share memory. What is returned is written once more by the caller,
which shows what shares memory with what. The same text runs on NumPy's arrays, with other helpers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

HELPERS = "add, after, clamp, copy, fill, flat, fresh, inserted, mask, mul, plus, square, sub, transposed"
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

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.shapes: dict[str, tuple[int, ...]] = {"a": (4, 4), "b": (4, 4)}
        self.lines: list[str] = []

    def say(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def variable(self) -> str:
        return self.random.choice(list(self.shapes))

    def other(self, name: str) -> str:
        """A number, or a variable of the same shape."""
        same = [other for other, shape in self.shapes.items() if shape == self.shapes[name]]
        return self.random.choice([*same, str(self.random.randint(-3, 3)), "2.0"])

    def view(self, depth: int) -> None:
        source = self.variable()
        shape = self.shapes[source]
        choices = [(text, of) for text, of in VIEWS[len(shape)] if min(shape) > 1 or "fresh" in text]
        text, of = self.random.choice(choices)
        name = f"v{len(self.lines)}"
        self.say(depth, f"{name} = {text.format(source)}")
        if min(of(shape)) > 0:
            self.shapes[name] = tuple(of(shape))

    def write(self, depth: int) -> None:
        name = self.variable()
        kind = self.random.choice(("add", "sub", "mul", "copy", "fill", "clamp", "mask", "item", "update", "all"))
        number = str(self.random.randint(-2, 5))
        if kind in ("add", "sub", "copy"):
            self.say(depth, f"{kind}({name}, {self.other(name)})")
        elif kind == "mul":
            self.say(depth, f"mul({name}, {self.random.choice(('-1', '2', '0.5'))})")
        elif kind in ("fill", "clamp", "mask"):
            self.say(depth, f"{kind}({name}, {number})")
        elif kind == "item":
            self.say(depth, f"{name}[{self.random.choice(('0', '-1', '0:1'))}] = {number}")
        elif kind == "update":
            self.say(depth, f"{name}[0] += {number}")
        else:
            self.say(depth, f"{name}[...] = {self.other(name)}")

    def read(self, depth: int) -> None:
        name = self.variable()
        made = f"v{len(self.lines)}"
        self.say(depth, f"{made} = plus({name}, {self.other(name)})")
        self.shapes[made] = self.shapes[name]

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
            self.say(depth, f"if {self.variable()}.sum() > {self.random.randint(-20, 90)}:")
            self.block(depth + 1, self.random.randint(1, 3))
            if self.random.random() < 0.5:
                self.say(depth, "else:")
                self.block(depth + 1, self.random.randint(1, 3))
        elif kind < 0.95:
            self.say(depth, f"for i in range({self.random.randint(1, 3)}):")
            self.block(depth + 1, self.random.randint(1, 3))
        else:
            count = f"n{len(self.lines)}"
            self.say(depth, f"{count} = {self.variable()}.sum() * 0")
            self.say(depth, f"while {count} < {self.random.randint(0, 3)}:")
            self.block(depth + 1, self.random.randint(1, 3))
            self.say(depth + 1, f"{count} = {count} + 1")

    def program(self) -> str:
        for _ in range(self.random.randint(3, 9)):
            self.statement(1)
        returned = self.random.sample(list(self.shapes), k=min(len(self.shapes), self.random.randint(1, 4)))
        self.say(1, f"return [{', '.join(returned)}]")
        second = self.random.choice(("square(2, 3)", "square(2, 3)", "c", "transposed(c)", "c[...]", "fresh(c)"))
        calls = [
            ("c = square(1, 1)", f"c, {second}"),
            ("c = square(1, 1)", f"c, {second}"),
            ("c = square(-3, 2)", f"c, {second}"),
        ]
        calls.append(("c = square(3, 1)", "transposed(c), fresh(c)"))
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
