"""Random programs of views and writes, as those of random_views, under gradients: they also multiply Tensors, choose by
masks and write to indices. `tools/compare_torch_views.py` runs the same text on PyTorch's tensors."""

from __future__ import annotations

import re

import random_views

HELPERS = random_views.HELPERS + ", copied, diagonal, loss, product, put, sine, times, where, zero"
WRITES = ("zero", "times", "put", "put", "rows", "*=")  # the last where no condition may return what it leaves


class Writer(random_views.Writer):
    """Writes one program, and functions of two leaves that call it with arguments made of them."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.views = {rank: [row for row in rows if "::-1" not in row[0]] for rank, rows in random_views.VIEWS.items()}
        self.views[2] += [("diagonal({})", lambda s: (min(s),)), ("{}.swapaxes(0, 1)", lambda s: s[::-1])]

    def write(self, depth: int) -> None:
        if self.random.random() < 0.5:
            super().write(depth)
            return
        name = self.variable()
        kind, other = self.random.choice(WRITES if depth == 1 else WRITES[:-1]), self.other(name)
        if kind == "put":
            accumulate, alone = self.random.random() < 0.5, self.shapes[name][0] == 1
            places = self.random.choice(("0", *(() if alone else ("0, -1",)), *(("0, 0",) if accumulate else ())))
            self.say(depth, f"put({name}, [{places}], {other}, {accumulate})")
        elif kind == "rows":
            value = f"copied({other})[1:]" if other in self.shapes else other
            self.say(depth, f"{name}[1:] = {value}")
        elif kind == "*=":
            self.say(depth, f"{name} *= {other}")
        else:
            self.say(depth, f"{kind}({name}{', ' + other if kind != 'zero' else ''})")

    def read(self, depth: int) -> None:
        name = self.variable()
        kind, other = self.random.choice(("plus", "product", "sine", "where")), self.other(name)
        more = "" if kind == "sine" else f", {self.part(name)} > 1, {other}" if kind == "where" else f", {other}"
        self.say(depth, f"{self.make(self.shapes[name], name in self.complex)} = {kind}({name}{more})")

    def square(self, name: str, first: int, step: int) -> str:
        return "fresh(p)" if name == "a" else "fresh(q)"

    def program(self) -> str:
        for _ in range(self.random.randint(3, 9)):
            self.statement(1)
        returned = self.random.sample(list(self.shapes), k=min(len(self.shapes), self.random.randint(1, 4)))
        self.say(1, f"return [{', '.join(returned)}]")
        lines = ["\n\ndef program(a, b):", *self.lines]
        (_, apart), *_, (_, shared) = self.calls()
        for number, (first, second) in enumerate(call.split(", ", 1) for call in dict.fromkeys((apart, shared))):
            called = f"    results = [times(result, i + 2) for i, result in enumerate(program({first}, d))]"
            lines += [f"\n\ndef call{number}(p, q):", "    c = fresh(p)", f"    d = {second}", called]
            lines += ["    return [loss([c, d, *results])]"]
        leaves = (super(Writer, self).square(name, first, 0.5) for name, first in (("a", -3), ("b", -1)))
        lines += ["\n", f"leaves = {', '.join(leaves)}", f"differentiated = {['call0', 'call1'][: number + 1]}"]
        lines += ["calls = []  # what is compared are gradients", ""]
        return "\n".join(lines)


def write(seed: int) -> str:
    """The text of a program."""
    return f"from views_helpers import {HELPERS}\n" + Writer(seed).program()


def of_torch(text: str) -> str:
    """The same on PyTorch's tensors, which refuse to be copied from what overlaps them, and which `*=` changes."""
    text = re.sub(r"(\w+) \*= (.*)", r"\1 = fresh(\1 * \2)", text)
    text = re.sub(r"\[\.\.\.\] = ([a-z]\w*)$", r"[...] = copied(\1)", text, flags=re.MULTILINE)
    return text.replace("views_helpers", "compare_torch_helpers", 1)
