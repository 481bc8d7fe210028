"""Random expressions of Python's operators and numeric functions: pairs of operands of all kinds, each a constant of the
function, an argument, a global or an item.

program_parts/operators.txt has operands and expressions, in which A and B are operands; `grows` are what takes long or much
memory where numbers are large. Every expression stands in a `try` of its own, so that each call compares them all.
"""

from __future__ import annotations

import random

from program_parts import replaced, sections

PARTS = sections("operators.txt")["operators"]
SMALL, INTEGERS, FLOATS, OTHERS, TENSORS = (
    PARTS.lists[name] for name in ("small", "integers", "floats", "others", "tensors")
)


class Writer:
    """Writes one program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.globals: list[str] = []
        self.given = [self.random.choice(self.random.choice((INTEGERS, FLOATS))) for _ in range(2)]

    def operand(self, kinds: tuple[list[str], ...]) -> str:
        """An expression; a third of them arguments."""
        pick = self.random.random()
        if pick < 0.3:
            return "c" if SMALL in kinds else self.random.choice("ab")
        kind = self.random.choice(kinds)
        found = f"({self.random.choice(kind)})"
        if pick < 0.6 or kind is TENSORS:
            return found
        self.globals.append(found)
        name = f"g{len(self.globals)}"
        return name if pick < 0.8 else self.random.choice((f"[{name}, 0][0]", f"(lambda v: v)({name})", f"{{1: {name}}}[1]"))

    def form(self) -> str:
        """Statements that set `r`, of A and B."""
        pick = self.random.random()
        if pick < 0.4:
            return f"r = A {self.random.choice(PARTS.lists['binary'])} B"
        if pick < 0.5:
            return f"r = A\nr {self.random.choice(PARTS.lists['augmented'])} B"
        return "r = " + self.random.choice(PARTS.lists["unary" if pick < 0.75 else "pairs"])

    def statements(self) -> list[str]:
        """Lines that set `r`."""
        form = self.form()
        kinds: tuple[list[str], ...] = (SMALL if any(part in form for part in PARTS.lists["grows"]) else INTEGERS), FLOATS
        if self.random.random() < 0.6:
            kinds = *kinds, OTHERS, OTHERS, TENSORS
        if "hash" in form:
            kinds = INTEGERS, FLOATS, OTHERS
        if " is " in form:
            kinds = SMALL, [operand for operand in OTHERS if operand[0] != "("], TENSORS  # which Python has once
        for name in "AB":
            form = replaced(form, name, self.operand(kinds))
        return form.split("\n")

    def program(self) -> str:
        """The text."""
        lines = ["found = []"]
        for _ in range(8):
            lines += [
                "try:",
                *("    " + line for line in self.statements()),
                "    found.append(r)",
                "except Exception as error:",
            ]
            lines += ["    found.append((type(error).__name__, str(error)))"]
        text = "\n".join(f"    {line}" for line in [*lines, "return x * 2, found"])
        names = "".join(f"g{i} = {value}\n" for i, value in enumerate(self.globals, 1))
        tensors = "Tensor(np.array([1.5, -2.0], np.float32)), Tensor(3)"
        a, b = self.given
        calls = [("", f"{tensors}, {given}") for given in (f"{a}, {b}, 2", f"{a}, {b}, 2", f"{b}, {a}, 3", f"{a}, {a}, -1")]
        return f"{PARTS.make}{names}\n\ndef program(x, i, a, b, c):\n{text}\n\n\ncalls = {calls}\n"


def write(seed: int) -> str:
    """The text of a program."""
    return Writer(seed).program()
