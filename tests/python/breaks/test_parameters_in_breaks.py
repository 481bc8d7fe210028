"""A Parameter that a variable holds is the Parameter itself, whatever breaks the graph between: what is written to it by one
name is read by the others."""

from __future__ import annotations

import numpy as np
import pytest
from programs import differences

import emberjit as ms
from emberjit import Parameter, Tensor, ops

MAKE = """import time
import numpy as np
from emberjit import Parameter, Tensor, nn, ops


class Box:
    def __init__(self, a):
        self.a = a


def named(p):
    return lambda: p


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.v = Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="v")
        self.w = Parameter(Tensor(np.array([3.0, 4.0], np.float32)), name="w")
        self.t = Tensor(np.array([5.0, 6.0], np.float32))
        self.zz = 0

    def construct(self, x):
"""
REST = """

net = Net()


def program(x):
    return net(x)


def left():
    return net.v, net.w, net.t


graph_mode = True
calls = [("", "Tensor(np.array([0.5, 0.25], np.float32))")] * 3
"""
BREAKS = {
    "attribute": "self.zz = time.time()",
    "library": "np.random.seed(0)",
    "elements": "n = float(x.asnumpy()[0])",
    "loop": "for k in range(2):\n    self.zz = time.time()",
    "condition": "if x.sum() > 0:\n    np.random.seed(0)",
    "handled": "try:\n    raise ValueError(time.time())\nexcept ValueError:\n    pass",
    "none": "pass",
}
HELD = {
    "variable": ("o = self.v", "o"),
    "tuple": ("o = (self.v, x)", "o[0]"),
    "list": ("o = [x, self.v]", "o[1]"),
    "dict": ("o = {'a': [self.v]}", "o['a'][0]"),
    "closure": ("o = named(self.v)", "o()"),
    "lambda": ("p = self.v\no = lambda: p", "o()"),
    "object": ("o = Box(self.v)", "o.a"),
    "two names": ("p = self.v\no = p", "(o + p - o)"),
    "chosen": ("o = self.v if self.zz is not None else self.w", "o"),
    "loop": ("for o in (self.w, self.v):\n    pass", "o"),
}
WRITES = {
    "attribute": "self.v = self.v + 1",
    "assign": "ops.assign(self.v, x)",
    "assign_add": "ops.assign_add(self.v, x)",
    "elements": "self.v[0] = 7",
    "in place": "self.v += x",
    "set_data": "self.v.set_data(x * 3)",
    "other": "self.w = x",
    "by the variable": "q = {o}\nq[1] = 8",
    "assign by the variable": "q = {o}\nops.assign(q, x)",
}
AFTER = {
    "computed": "return {o} * 1",
    "returned": "return {o}, {o} is self.v",
    "both": "y = {o} * 2\nself.v = y\nreturn y, {o} + self.v",
}


def _text(*parts: str) -> str:
    lines = [f"        {line}" for part in parts for line in part.split("\n")]
    return MAKE + "\n".join(lines) + REST


def _held(held: str, break_: str, write: str, after: str, order: str) -> str:
    make, read = HELD[held]
    parts = {"h": make, "b": BREAKS[break_], "w": WRITES[write].format(o=read)}
    return _text(*(parts[key] for key in order), AFTER[after].format(o=read))


@pytest.mark.breaks
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("write", WRITES)
def test_a_variable_is_the_parameter(held: str, write: str) -> None:
    found = []
    for number, break_ in enumerate(BREAKS):
        for after in list(AFTER)[number % 2 :: 2]:
            order = ("hbw", "hwb", "bhwb")[number % 3]
            found += differences(_held(held, break_, write, after, order), f"<{held} {break_} {write} {after} {order}>")
    assert not "\n".join(found)


CONSTRUCTS = {
    "chosen, kept": "p = self.w if x.sum() > 0.6 else self.v\nself.v = p\nreturn self.v * 1",
    "chosen, written": "p = self.w if x.sum() > 0.6 else self.v\nself.v[0] = 9\nself.w[0] = 7\nreturn p * 1",
    "chosen, assigned": "p = self.v\nif x.sum() > 0.6:\n    p = self.w\nops.assign(self.w, x)\nreturn p * 1, p is self.w",
    "replaced": "for k in (self.v, self.w):\n    self.t = k\nreturn self.t * 1",
    "of a new Cell": "p = self.v\nnp.random.seed(0)\nc = nn.Cell()\nc.w = p\nreturn c.trainable_params(), p * 1",
}


@pytest.mark.breaks
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_what_is_kept_is_a_parameter(name: str) -> None:
    assert not "\n".join(differences(_text(CONSTRUCTS[name]), f"<{name}>"))


FUNCTIONS = {
    "assigns": lambda x, p: (ops.assign(p, p + 1), x * 1)[1],
    "writes": lambda x, p: (_set(p, 5.0), x * 1)[1],
    "is written": lambda x, p: (_set(x, 5.0), p * 1)[1],
    "reads": lambda x, p: p * x,
}


def _set(tensor: Tensor, value: float) -> None:
    tensor[0] = value


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_argument_is_the_parameter_that_is_written(name: str, mode: str) -> None:
    function = FUNCTIONS[name]

    def results(call: object) -> list[object]:
        p = Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="p")
        q = Parameter(Tensor(np.array([3.0, 4.0], np.float32)), name="q")
        called = call(lambda x: function(x, p))  # type: ignore[operator]
        arguments = (p, q, p[:1], q, q[:1], Tensor(np.array([3.0, 4.0], np.float32)), p, p)
        return [[t.asnumpy().tolist() for t in (called(x), p, q)] for x in arguments]

    assert results(lambda f: ms.jit(f, capture_mode=mode)) == results(lambda f: f)
