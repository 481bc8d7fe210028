"""Random functions over Tensors, numbers, lists and dicts, with all of Python's control flow."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import random
from typing import Any

import numpy as np

from emberjit import Parameter, Tensor

HEAD = """import contextlib
import functools
import numpy as np
from emberjit import Tensor, ops
from random_control import AT, LOG, P, Box, Pair, Point, doubled


def left():
    return LOG, P


"""
RESET = "LOG.clear(); P.set_data(Tensor(np.ones(1, np.float32)))"

LOG: list[Any] = []
AT = [Tensor(np.array([i])) for i in range(3)]  # positions, of which the last is out of range for some arguments
P = Parameter(Tensor(np.ones(1, np.float32)), name="p")
Point = collections.namedtuple("Point", ["t", "i"])


@dataclasses.dataclass
class Pair:
    t: Any
    i: int = 2

    def scaled(self, k: int) -> Any:
        return self.t * (self.i * k)


class Box:
    def __init__(self, t: Any, *more: Any, k: int = 1):
        self.t, self.more, self.k = t, list(more), k

    @property
    def total(self) -> Any:
        return sum(self.more, self.t)

    def grow(self, t: Any) -> Box:
        self.t = self.t * 0.5 + t
        self.more.append(t)
        return self

    def __enter__(self) -> Any:
        return self.t

    def __exit__(self, *_: Any) -> None:
        self.k += 1


@contextlib.contextmanager
def doubled(t: Any) -> Any:
    yield t * 2


class Writer:
    """Writes one program. Every variable has a kind: t(ensor of the argument's shape), i(nt), l(ist of t), d(ict of t)."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.indent = 1
        self.names: dict[str, str] = {"x": "t", "y": "t", "n": "i"}
        self.count = 0
        self.loops = 0
        self.functions: list[str] = []
        self.logs = self.decides = self.writes = False

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def add(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def of(self, kind: str) -> list[str]:
        return [name for name, k in self.names.items() if k == kind]

    def fresh(self, kind: str) -> str:
        self.count += 1
        name = f"{kind}{self.count}"
        self.names[name] = kind
        return name

    def target(self, kind: str) -> str:
        known = self.of(kind)
        return self.pick(*known) if known and self.random.random() < 0.6 else self.fresh(kind)

    # Expressions ---------------------------------------------------------------------------------------------------

    def tensor(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.25:
            return self.pick(*self.of("t"))
        a = self.tensor(depth - 1)
        choices = [
            lambda: f"({a} * 0.5 + {self.tensor(depth - 1)})",
            lambda: f"({a} - {self.tensor(depth - 1)} * 0.25)",
            lambda: f"ops.tanh({a})",
            lambda: f"ops.sin({a})",
            lambda: f"ops.maximum({a}, {self.tensor(depth - 1)})",
            lambda: f"({a} + {self.integer(1)})",
            lambda: f"(-{a})",
            lambda: f"({a} + ops.gather({a}, AT[{self.pick(0, 0, 1, 1, 2)}], 0))",
            lambda: f"ops.abs({a}).reshape(-1).reshape({self.pick(*self.of('t'))}.shape)",
            lambda: f"({a} if {self.condition(1)} else {self.tensor(depth - 1)})",
            lambda: f"({a} if {self.plain_condition()} else {self.tensor(depth - 1)})",
            lambda: f"({a} * P)",
            lambda: f"ops.select({a} > 0, {a}, {self.tensor(depth - 1)})",
            lambda: f"(lambda v, k={self.integer(1)}: v * k + {self.pick(*self.of('t'))})({a})",
            lambda: f"Pair({a}, i={self.integer(1)}).scaled({self.integer(0)})",
            lambda: f"Box({a}, {self.tensor(0)}).grow({self.tensor(depth - 1)}).total",
            lambda: f"Point({a}, {self.integer(1)})._replace(i=2).t",
        ]
        if self.functions:
            choices.append(lambda: f"{self.pick(*self.functions)}({a}, {self.integer(1)})")
            choices.append(lambda: self.called_back(a))
        if self.of("l"):
            name = self.pick(*self.of("l"))
            choices += [lambda: f"{name}[0]", lambda: f"{name}[-1]", lambda: f"sum({name})"]
            choices.append(lambda: f"sum([v * {self.integer(1)} for v in {name}])")
            choices.append(lambda: f"sum(v * j for j, v in enumerate({name}) if j != {self.integer(0)})")
            choices.append(lambda: f"sum((p * q for p, q in zip({name}, {name}[::-1])), {self.tensor(0)})")
            choices.append(lambda: f"ops.stack([*{name}, {self.tensor(0)}]).mean(0)")
            choices.append(lambda: f"Box(*{name}, {self.tensor(0)}).total")
        if self.of("d"):
            name = self.pick(*self.of("d"))
            choices += [lambda: f"{name}['a']", lambda: f"sum({name}.values())"]
            choices.append(lambda: f"{name}.get('{self.pick('a', 'z')}', {self.tensor(0)})")
            choices.append(lambda: f"sum({{key: v * len(key) for key, v in {name}.items()}}.values())")
            choices.append(lambda: f"(lambda a, b, **others: a + b * len(others))(**{name})")
        return str(self.pick(*choices)())

    def called_back(self, a: str) -> str:
        """What a library makes of a function."""
        function, k = self.pick(*self.functions), self.integer(1)
        if self.random.random() < 0.5:
            return f"functools.reduce(lambda p, q: {function}(p, {k}) * 0.5 + q, [{a}, {self.tensor(1)}, {a}])"
        self.decides = True
        return f"sorted([{a}, {self.tensor(1)}], key=lambda v: float({function}(v, {k}).sum()))[0]"

    def integer(self, depth: int = 1) -> str:
        if depth == 0 or self.random.random() < 0.4:
            return self.pick(*self.of("i"), "1", "2", "3")
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        choices = [f"({a} + {b})", f"({a} - {b})", f"({a} * {b}) % 7", f"min({a}, {b})", f"(3 if {a} < {b} else {b})"]
        if self.of("l"):
            choices.append(f"len({self.pick(*self.of('l'))})")
        return str(self.pick(*choices))

    def condition(self, depth: int = 2) -> str:
        self.decides = True
        a = self.tensor(1)
        plain = f"{a}.sum() {self.pick('>', '<')} {self.pick('0', '0.5', '-1', '2')}"
        if depth > 1 and self.random.random() < 0.3:
            joined = f"{self.condition(1)} {self.pick('and', 'or')} {self.pick(self.condition(1), self.plain_condition())}"
            return f"({joined})"
        return self.pick(plain, plain, f"not {plain}", f"-2 < {a}.sum() < 2")

    def plain_condition(self) -> str:
        return f"{self.integer(1)} {self.pick('<', '>', '==', '!=')} {self.integer(1)}"

    # Statements ----------------------------------------------------------------------------------------------------

    def block(self, depth: int, size: int) -> None:
        self.indent += 1
        before = dict(self.names)
        start = len(self.lines)
        for _ in range(size):
            self.statement(depth)
        if len(self.lines) == start:
            self.add("pass")
        if self.random.random() < (0.3 if self.loops else 0.1):
            self.leave()
        self.names = {name: kind for name, kind in self.names.items() if name in before}
        self.indent -= 1

    def leave(self) -> None:
        choices = [f"return {self.results()}"]
        if self.loops:
            choices += ["break", "continue", "break"]
        self.add(f"if {self.pick(self.plain_condition(), self.condition(1))}:")
        self.add("    " + self.pick(*choices))

    def results(self) -> str:
        names = self.random.sample(sorted(self.names), k=min(3, len(self.names)))
        if self.random.random() < 0.2:
            names.append(self.pick("Point({}, 1)", "Pair({})", "Box({})").format(self.tensor(0)))
        return "(" + ", ".join([*names, self.tensor(1)]) + ")"

    def statement(self, depth: int) -> None:
        simple = [self.assign, self.assign, self.assign, self.number, self.fill, self.log, self.change, self.unpack]
        simple.append(self.check)
        compound = [self.branch, self.branch, self.repeat, self.while_number, self.while_tensor, self.attempt, self.define]
        compound += [self.endless, self.over_items, self.held]
        simple += [self.assign_part, self.update, self.spread, self.write_parameter, self.require]
        self.random.choice(simple + (compound if depth > 0 else []))(depth)

    def assign(self, depth: int) -> None:
        value = self.tensor()
        self.add(f"{self.target('t')} = {value}")

    def number(self, depth: int) -> None:
        value = self.integer(2)
        self.add(f"{self.target('i')} = {value}")

    def fill(self, depth: int) -> None:
        if self.random.random() < 0.4 or not self.of("l") + self.of("d"):
            values = self.tensor(1), self.tensor(1)
            if self.random.random() < 0.5:
                self.add(f"{self.fresh('l')} = [{values[0]}, {values[1]}]")
            else:
                self.add(f"{self.fresh('d')} = {{'a': {values[0]}, 'b': {values[1]}}}")
            return
        name = self.pick(*self.of("l"), *self.of("d"))
        change = self.pick(f".append({self.tensor(1)})", f"[0] = {self.tensor(1)}", f"[-1] = {self.tensor(1)}")
        self.add(
            f"{name}{change}" if self.names[name] == "l" else f"{name}['{self.pick('a', 'b', 'c')}'] = {self.tensor(1)}"
        )

    def log(self, depth: int) -> None:
        if self.random.random() < 0.5:
            self.logs = True
            self.add(f"LOG.append({self.pick(self.integer(1), self.pick(*self.of('t')) + '.shape', repr('here'))})")

    def change(self, depth: int) -> None:
        name = self.pick(*self.of("t"))
        kind = self.random.random()
        if kind < 0.6:
            self.add(f"{name} += {self.tensor(1)}")
        else:
            self.add(f"{name} = {name} * 1")
            self.add(f"{name}[0] = {self.pick('0.5', f'{name}[1]')}")

    def unpack(self, depth: int) -> None:
        values = f"{self.tensor(1)}, {self.integer(1)}"
        self.add(f"{self.target('t')}, {self.target('i')} = {values}")

    def check(self, depth: int) -> None:
        """Raises an error, now and then."""
        self.decides = True
        a, limit = self.tensor(1), self.pick("1.5", "2.5", "4")
        says = self.pick(repr("large"), f'f"large {{{a}.sum()}}"', f'"large " + str({a})', f"{self.integer(1)}, {a}.shape")
        if self.random.random() < 0.4:
            self.add(f"assert {a}.sum() < {limit}, ({says})")
            return
        self.add(f"if {a}.sum() > {limit}:")
        self.add(f"    raise {self.pick('ValueError', 'KeyError')}({says})")

    def assign_part(self, depth: int) -> None:
        name = self.pick(*self.of("t"))
        self.add(f"{name} = {name} + 0")
        part = self.pick(f"{name} > 0", "1:", "::2", "AT[0]", "-1", "...", "[0, 1]", "None, 1")
        self.add(f"{name}[{part}] {self.pick('=', '+=', '*=')} {self.pick('0.5', self.integer(1), f'{name}[0]')}")

    def update(self, depth: int) -> None:
        name = self.pick(*self.of("t"), *self.of("i"), *self.of("l"), *self.of("d"))
        kind = self.names[name]
        if kind == "l":
            self.add(self.pick(f"{name} += [{self.tensor(1)}]", f"{name}.insert(0, {self.tensor(1)})", f"{name}.reverse()"))
        elif kind == "d":
            self.add(self.pick(f"{name}['a'] *= 0.5", f"{name}.update(b={self.tensor(1)})", f"{name} = {{**{name}}}"))
        elif kind == "i":
            self.add(f"{name} {self.pick('+=', '-=')} {self.integer(1)}")
        else:
            self.add(self.pick(f"{name} *= 0.5", f"{name} -= {self.tensor(1)}", "x, y = y, x"))

    def spread(self, depth: int) -> None:
        values = f"[{self.tensor(1)}, {self.tensor(1)}, {self.tensor(0)}]"
        self.add(f"{self.target('t')}, *{self.fresh('l')} = {values}")

    def write_parameter(self, depth: int) -> None:
        if self.random.random() < 0.5:
            self.writes = True
            value = f"{self.tensor(1)}.sum().reshape(1) * 0.1"
            self.add(self.pick(f"ops.assign_add(P, {value})", f"ops.assign(P, {value})", f"P.set_data({value})"))

    def require(self, depth: int) -> None:
        if self.random.random() < 0.3:
            wrong = self.pick(f"f'{{{self.integer(1)}:>3}}'", "'wrong'")
            self.add(self.pick(f"assert {self.plain_condition()}, {wrong}", f"n = len({wrong})"))

    def held(self, depth: int) -> None:
        known = dict(self.names)
        manager = self.pick("contextlib.nullcontext({})", "doubled({})", "Box({})").format(self.tensor(1))
        self.add(f"with {manager} as {self.fresh('t')}:")
        self.block(depth - 1, self.random.randint(1, 2))
        self.names = known

    def over_items(self, depth: int) -> None:
        known = dict(self.names)
        choices = [f"enumerate([{self.tensor(1)}, {self.tensor(0)}])"]
        if self.of("l"):
            choices.append(f"zip([3, 1, 2], list({self.pick(*self.of('l'))}))")
        if self.of("d"):
            choices.append(f"[(len(k), v) for k, v in {self.pick(*self.of('d'))}.items()]")
        over = self.pick(*choices)
        self.add(f"for {self.fresh('i')}, {self.fresh('t')} in {over}:")
        self.loops += 1
        self.block(depth - 1, self.random.randint(1, 2))
        self.loops -= 1
        self.names = known
        if self.random.random() < 0.3:
            self.add("else:")
            self.block(0, 1)

    def branch(self, depth: int) -> None:
        self.add(f"if {self.pick(self.condition(), self.plain_condition())}:")
        self.block(depth - 1, self.random.randint(1, 3))
        if self.random.random() < 0.3:
            self.add(f"elif {self.pick(self.condition(1), self.plain_condition())}:")
            self.block(depth - 1, self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self.add("else:")
            self.block(depth - 1, self.random.randint(1, 2))

    def repeat(self, depth: int) -> None:
        known = dict(self.names)
        if self.of("l") and self.random.random() < 0.3:
            over = f"list({self.pick(*self.of('l'))})"
            name = self.fresh("t")
            self.add(f"for {name} in {over}:")
        else:
            name = self.fresh("i")
            self.add(f"for {name} in range({self.random.randint(1, 3)}):")
        self.loops += 1
        self.block(depth - 1, self.random.randint(1, 3))
        self.loops -= 1
        self.names = known

    def while_number(self, depth: int) -> None:
        name = self.fresh("i")
        self.add(f"{name} = 0")
        self._while(name, f"{name} < {self.random.randint(1, 3)}", depth)

    def while_tensor(self, depth: int) -> None:
        name = self.fresh("i")
        self.add(f"{name} = 0")
        test = self.condition(1)
        self._while(name, f"{name} < 4 and {test}" if self.random.random() < 0.5 else f"{test} and {name} < 4", depth)

    def endless(self, depth: int) -> None:
        name = self.fresh("i")
        self.add(f"{name} = 0")
        self._while(name, "True", depth, f"{self.condition(1)} or {name} > 3")

    def _while(self, name: str, test: str, depth: int, leaves: str = "") -> None:
        self.add(f"while {test}:")
        self.add(f"    {name} += 1")
        kind = self.names.pop(name)  # so that the body does not change it
        if leaves:
            self.add(f"    if {leaves}:")
            self.add("        " + self.pick("break", "break", f"return {self.results()}"))
        self.loops += 1
        self.block(depth - 1, self.random.randint(1, 3))
        self.loops -= 1
        self.names[name] = kind

    def attempt(self, depth: int) -> None:
        self.add("try:")
        self.indent += 1
        self.add(f"if {self.plain_condition()}:")
        self.add(f"    raise KeyError({self.integer(1)})")
        self.indent -= 1
        self.block(depth - 1, 1)
        self.add("except KeyError:")
        self.block(depth - 1, 1)
        if self.random.random() < 0.3:
            self.add("finally:")
            self.block(0, 1)

    def define(self, depth: int) -> None:
        if self.indent > 1:
            return self.assign(depth)
        name = f"f{self.count}"
        self.count += 1
        names, loops, functions = dict(self.names), self.loops, list(self.functions)
        self.add(f"def {name}(a, k, m=AT[2]):")
        self.names = {**self.names, "a": "t", "k": "i"} if self.random.random() < 0.4 else {"a": "t", "k": "i"}
        self.loops = 0
        self.indent += 1
        for _ in range(self.random.randint(0, 2)):
            value = self.tensor(1)
            self.add(f"a = {value}")
        self.log(0)
        if self.random.random() < 0.3:
            self.decides = True
            self.add("if m.sum() > 0:")
            self.add(f"    a = {name}({self.tensor(1)}, k, m - 1)")
        if self.random.random() < 0.4:
            self.add(f"if {self.condition(1)}:")
            self.add(f"    return {self.tensor(1)}")
        self.add(f"return {self.tensor(1)}")
        self.indent -= 1
        self.names, self.loops = names, loops
        self.functions = [*functions, name]
        return None

    def program(self) -> str:
        for _ in range(self.random.randint(3, 7)):
            self.statement(2)
        self.add(f"return {self.results()}")
        return "\n".join(["def program(x, y, n):", *self.lines, ""])


def arguments(seed: int) -> list[str]:
    """Those of a program's calls: numbers and shapes change, and come again."""
    values = random.Random(seed)

    def tensor(rows: int) -> str:
        return f"Tensor(np.array({[round(values.gauss(0, 1), 3) for _ in range(rows)]}, np.float32))"

    calls = [f"{tensor(rows)}, {tensor(rows)}, {i % 3}" for i, rows in enumerate((2, 2, 3, 2))]
    return [*calls, calls[0]]


def write(seed: int) -> str:
    """The text of a program."""
    writer = Writer(seed)
    text = writer.program()
    flags = f"gradients = {not writer.logs and not writer.writes}\ntrace = {not writer.logs and not writer.decides}\n"
    return f"{HEAD}{text}\n{flags}calls = {[(RESET, given) for given in arguments(seed)]}\n"
