"""Jitted functions, Cells and transforms that call themselves without end, by whatever way: an error, and no crash. Programs
run in processes of their own, which a crash would end."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import functools, linecache
import numpy as np
import emberjit as ms
from emberjit import Tensor, nn, ops

jit = functools.partial(ms.jit, capture_mode={mode!r})
if {graph}:
    ms.set_context(mode=ms.GRAPH_MODE)
for name, lines in {lines}.items():
    linecache.cache[name] = len(lines), None, lines.splitlines(True), name
    scope = dict(globals(), x=Tensor(np.ones(2, np.float32)))
    exec(compile(lines, name, "exec"), scope)
    try:
        scope["call"](scope["x"])
    except RecursionError:
        print(name, flush=True)
print(jit(lambda x: x + 1)(Tensor([1.0])))  # captured as ever
"""

LINES = {
    "two Cells": "net, other = nn.ReLU(), nn.ReLU(); net.construct = jit(other); other.construct = jit(net); call = net",
    "gradient of jit": "net = nn.ReLU(); net.construct = ms.grad(jit(net)); call = net",
    "jit of gradient": "net = nn.ReLU(); net.construct = jit(ms.grad(net)); call = net",
    "gradient": "net = nn.ReLU(); net.construct = ms.grad(net); call = net",
    "hook": "net = nn.ReLU(); net.register_forward_hook(lambda *_: jit(net)(x)); call = net",
    "method": """
class Net(nn.Cell):
    def construct(self, x):
        return jit(self.construct)(x) + 1
call = Net()
""",
    "jitted anew": """
def call(x):
    return jit(call)(x) + 1
""",
    "global": """
@jit
def call(x):
    return call(x) + 1
""",
    "two functions": """
@jit
def call(x):
    return other(x) + 1
@jit
def other(x):
    return call(x) * 2
""",
    "object": """
class Net:
    def __call__(self, x):
        return jit(self)(x) + 1
call = Net()
""",
    "partial": """
def call(x):
    return jit(functools.partial(call))(x) + 1
""",
    "gradient of itself": """
@jit
def call(x):
    return ms.grad(call)(x) + 1
""",
    "vmap of itself": """
@jit
def call(x):
    return ops.vmap(lambda v: call(x))(x) + 1
""",
    "handled in vain": """
def endless(x):
    return endless(x) + 1
def call(x):
    try:
        return jit(endless)(x)
    except RecursionError:
        return endless(x)
""",
}


@pytest.mark.parametrize(("mode", "graph"), [("ast", False), ("bytecode", False), ("trace", False), ("ast", True)])
def test_calls_without_end_are_an_error(mode: str, graph: bool) -> None:
    text = PROGRAM.format(mode=mode, graph=graph, lines=LINES)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout.split("\n"), done.returncode) == ([*LINES, "[2.]", ""], 0), done.stderr[-2000:]


FINITE = """
import emberjit as ms
from emberjit import Tensor
ms.set_recursion_limit(20)
def deep(x, n):
    if n == 0:
        return x
    try:
        return jit(deep)(x, n - 1) + 1
    except RecursionError:
        return x * 0
jit = lambda f: ms.jit(f, capture_mode={mode!r})
print(jit(deep)(Tensor([1.0]), 40))
"""


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_nests_too_deep_for_a_capture_is_what_python_makes_of_it(mode: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FINITE.format(mode=mode)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.returncode) == ("[41.]\n", 0), done.stderr[-2000:]
