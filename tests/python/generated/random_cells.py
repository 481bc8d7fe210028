"""Random Cells: Parameters that are read, written and passed on under several names, attributes, Python's state, graph
breaks; called as they are, trained, and differentiated."""

from __future__ import annotations

import random
from typing import Any

MAKE = """import contextlib
import time
import numpy as np
import emberjit as ms
from emberjit import Parameter, ParameterTuple, Tensor, nn, ops


def tensor(*values):
    return Tensor(np.array(values, np.float32))


def thrice(p, x):
    return p * x + p - p * 0.5


def swapped(p, q):
    return q, p


def named(p):
    def read():
        return p

    return read


class Box:
    def __init__(self, a):
        self.a = a


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.u = Parameter(tensor(0.5, -0.5), name="u")
        self.calls = 0

    def construct(self, x, p):
        self.calls += 1
        return x * self.u + p


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.v, self.w = Parameter(tensor(1.0, 2.0), name="v"), Parameter(tensor(-1.0, 0.5), name="w")
        self.inner = Inner()
        self.t = tensor(2.0, -2.0)
        self.count, self.flag, self.items = 0, False, []
        self.box = Box(1)
        self.table, self.held = {"v": self.v, "n": 1}, ParameterTuple((self.v, self.w))
        self.zz = self.trips = 0

    def helper(self, p, x):
        self.count += 1
        return p - x * 0.5

    def moved(self, p, x):
        p += x
        self.inner.u[1] = 0.25
        return p

    def counting(self, x):
        n = 0

        def next_one(p):
            nonlocal n
            n += 1
            return p * n + x

        return next_one(self.v) - next_one(self.w)

    def construct(self, x):
        self.trips = 0
"""
REST = """

net = Net()
weights = net.trainable_params()


def left():
    state = [net.count, net.flag, net.items, net.box.a, net.table["n"], net.inner.calls, type(net.t), net.t]
    return [p.asnumpy() for p in weights], state, [p is q for p, q in zip(weights, (net.v, net.w, net.inner.u))]


"""
PROGRAMS = {
    "call": "def program(x):\n    return net(x)\n",
    "gradients": "step = ms.value_and_grad(lambda x: total(net(x)), 0, weights)\n\n\ndef program(x):\n    return step(x)\n",
    "training": "optimizer = nn.SGD(weights, 0.25)\nstep = ms.value_and_grad(lambda x: total(net(x)), None, weights)\n\n\n"
    "def program(x):\n    loss, gradients = step(x)\n    optimizer(gradients)\n    return loss\n",
}
TOTAL = """def total(results):
    return sum(r.sum() for r in results if isinstance(r, Tensor))


"""
BREAKS = (
    *("self.zz = time.time()", "np.random.seed(0)", "self.zz = id(self.box)", "Box(2)", "time.time()"),
    *("self.zz = float({t}.sum())", "self.box.a = {o}.asnumpy()[0]", "self.zz = str({n}) + str(time.time())"),
)
PARAMETERS = ("self.v", "self.w", "self.inner.u", "self.held[0]")
FORMS = (
    *("({a} + {b})", "({a} - {b})", "({a} * 0.5)", "thrice({a}, {b})", "self.helper({a}, {b})", "self.inner({a}, {b})"),
    *("self.moved({a}, {b})", "self.counting({a})", "sum([p * 0.5 for p in self.held], {a})", "{a}[::1]"),
    *("ops.select({a} > {b}, {a}, {b})", "({a} if self.flag else {b})", "ops.maximum({a}, {b})", "swapped({a}, {b})[0]"),
    *("named({a})()", "({a} * self.count)", "[{a}, {b}][-1]"),
)
WRITES = (
    *("{p} = {t}", "ops.assign({p}, {t})", "ops.assign_add({p}, {t})", "{p}[0] = {n}", "{p} += {t}", "{p}.set_data({t})"),
    *("{p}[...] = {t}", "{p}.assign_value({t})", "{p}.copy_({t})", "{p}.add_({t})"),
)
LOCAL_WRITES = ("{o}[0] = {n}", "{o} += {t}", "{o}[...] = {t}", "ops.assign({o}, {t})", "{o}.add_({t})")
STATE = (
    *("self.count += {n}", "self.flag = not self.flag", "self.items.append({n})", "self.box.a = {n}", "self.t = {t}"),
    *("self.table['n'] += 1", "self.box.a += 1", "self.q = {p}", "self.q = {t}", "self.items.append(self.count)"),
    *("self.items = []", "setattr(self, 'count', {n})"),
)
WRAPPERS = (
    ("try:", "except (ValueError, AttributeError):\n    self.count += 1"),
    ("try:", "finally:\n    self.items.append(0)"),
    ("with contextlib.suppress(AttributeError):", ""),
    ("if True:", ""),
)
RAISES = ("raise ValueError(self.count)", "self.missing", "del self.zz", "{o}.nothing", "self.zz = self.missing")
CONDITIONS = (
    "{t}.sum() > {n}",
    "self.count % 2",
    "self.flag",
    "{o} is self.v",
    "isinstance({o}, Parameter)",
    "len(self.items) > 1",
)


class Writer:
    """Writes one program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.locals: list[str] = ["x"]
        self.lines: list[str] = []
        self.kind = self.random.choice(sorted(PROGRAMS))

    def say(self, depth: int, line: str) -> None:
        """Adds a line."""
        self.lines.append("    " * (depth + 2) + line)

    def filled(self, text: str) -> str:
        """A text with expressions in its places."""
        return text.format(
            p=self.random.choice(PARAMETERS),
            o=self.random.choice(self.locals),
            t=self.tensor() if "{t}" in text else "",
            n=self.random.randint(-1, 2),
        )

    def tensor(self, depth: int = 0) -> str:
        """An expression of a Tensor."""
        leaves = [*self.locals, *self.locals, *PARAMETERS, "self.t", "self.table['v']"]
        if depth > 1 or self.random.random() < 0.35:
            return self.random.choice(leaves)
        a, b = self.tensor(depth + 1), self.tensor(depth + 1)
        forms = (*FORMS, "ops.sin({a})") if self.kind == "call" else FORMS
        return self.random.choice(forms).format(a=a, b=b)

    def name(self) -> str:
        """A variable that the next line sets."""
        if len(self.locals) > 1 and self.random.random() < 0.3:
            return self.random.choice(self.locals[1:])
        self.locals.append(f"o{len(self.locals)}")
        return self.locals[-1]

    def assignment(self, depth: int) -> None:
        """Sets variables."""
        kind = self.random.choice(("name", "name", "value", "pair", "held", "read"))
        if kind == "name":
            source = self.random.choice([*PARAMETERS, *PARAMETERS, *self.locals, "self.table['v']", "self.t"])
            self.say(depth, f"{self.name()} = {source}")
        elif kind == "value":
            value = self.tensor()
            self.say(depth, f"{self.name()} = {value}")
        elif kind == "pair":
            value = self.filled("swapped({p}, {t})")
            self.say(depth, f"{self.name()}, {self.name()} = {value}")
        elif kind == "held":
            value = self.filled(self.random.choice(("[{p}, {t}][0]", "{{'a': {p}}}['a']", "Box({p}).a", "(lambda: {p})()")))
            self.say(depth, f"{self.name()} = {value}")
        else:
            held = self.filled(self.random.choice(("[{p}, {t}]", "({p}, {t})", "named({p})", "Box({p})")))
            read = "{}()" if held.startswith("named") else "{}.a" if held.startswith("Box") else "{}[0]"
            self.say(depth, f"held = {held}")
            self.statement(depth)
            self.say(depth, f"{self.name()} = {read.format('held')}")

    def block(self, depth: int) -> None:
        """Statements that Python or a graph may not run, or repeat."""
        before, chance = list(self.locals), self.random.random()
        if chance < 0.25:
            head, tail = self.random.choice(WRAPPERS)
            self.say(depth, head)
            self.statement(depth + 1)
            if self.random.random() < 0.6:
                self.say(depth + 1, self.filled(self.random.choice(RAISES)))
            for line in tail.split("\n") if tail else ():
                self.say(depth, line)
        elif chance < 0.7:
            self.say(depth, f"if {self.filled(self.random.choice(CONDITIONS))}:")
            self.statement(depth + 1)
            self.locals = list(before)
            if self.random.random() < 0.5:
                self.say(depth, "else:")
                self.statement(depth + 1)
        else:
            self.say(
                depth,
                self.random.choice(
                    ("for k in range(2):", "for k in (self.v, self.w):", "while self.trips < 3:", "for k in self.held:")
                ),
            )
            if "while" in self.lines[-1]:
                self.say(depth + 1, "self.trips += 1")
            if "self.v" in self.lines[-1] or "held" in self.lines[-1]:
                self.locals = [*before, "k"]
            self.statement(depth + 1)
        self.locals = before

    def statement(self, depth: int) -> None:
        """A statement of any kind."""
        kinds = ("assignment", "assignment", "break", "write", "write", "local", "state", "block")
        kind = self.random.choice(kinds if depth < 2 else kinds[:-1])
        if kind in ("assignment", "block"):
            getattr(self, kind)(depth)
        else:
            texts: Any = {"break": BREAKS, "write": WRITES, "local": LOCAL_WRITES, "state": STATE}[kind]
            self.say(depth, self.filled(self.random.choice(texts)))

    def program(self) -> str:
        """The text."""
        for _ in range(self.random.randint(3, 8)):
            self.statement(0)
        returned = self.random.sample(self.locals, k=min(len(self.locals), self.random.randint(1, 3)))
        shown = [self.tensor(), *returned, *(f"{name} is self.v" for name in returned[:1])]
        self.say(0, f"return {', '.join(shown)}")
        changes = ("", "", "", "net.v.set_data(tensor(0.5, 4.0))", "net.count = 0", "net.v, net.w = net.w, net.v")
        calls = [(self.random.choice(changes) if i > 1 else "", f"tensor({i - 1}.0, 0.5)") for i in range(5)]
        lines = [
            MAKE + "\n".join(self.lines),
            REST + TOTAL + PROGRAMS[self.kind],
            "graph_mode = True",
            f"calls = {calls}",
            "",
        ]
        return "\n".join(lines)


def write(seed: int) -> str:
    """The text of a program."""
    return Writer(seed).program()
