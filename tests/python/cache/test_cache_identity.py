"""The compile cache tells objects apart that look alike, whatever leads to them; and nothing of one process, as addresses
and hashes, is taken for a constant of another. Each program is stored as it is, and runs changed, as a new process would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_compile_cache import events, plain, program

import emberjit as ms

HEAD = "import functools\nimport numpy as np\nimport emberjit as ms\nfrom emberjit import nn, ops, Tensor, Parameter\n"
DRIVE = "\n\ndef drive(jit):\n    j = jit(f)\n    return j(Tensor([1.0, -2.0])), j\n"
PAIR = "class C:\n    def m(self, x): return x * self.v\n\nA = C(); A.v = 1.0\nB = C(); B.v = 2.0\n"
BOTH = " + x * A.v * B.v * 0\n"  # so that each has a place of its own
WEIGHTS = "A = Parameter(Tensor([1.0, 2.0])); B = Parameter(Tensor([3.0, 4.0]))\n"
NETS = """
def net():
    made = nn.SequentialCell([nn.Dense(2, 1, weight_init="ones", bias_init="zeros")])
    return made

A, B = net(), net()
B[0].weight.set_data(Tensor([[5.0, 5.0]]))
"""
TWO_CALLS = "\n\ndef drive(jit):\n    j = jit(f)\n    {}\n    return {}, j\n"

SAME_LOOKS: list[tuple[str, str, str]] = [
    (PAIR + "P = (A, B)\ndef f(x): return x * P[0].v" + BOTH, "(A, B)", "(B, A)"),
    (PAIR + "class Box: pick = A\ndef f(x): return x * Box.pick.v" + BOTH, "pick = A", "pick = B"),
    (PAIR + "def g(x, c=A): return x * c.v\ndef f(x): return g(x)" + BOTH, "c=A", "c=B"),
    (PAIR + "G = functools.partial(lambda c, x: x * c.v, A)\ndef f(x): return G(x)" + BOTH, ", A)", ", B)"),
    (PAIR + "M = A.m\ndef f(x): return M(x)" + BOTH, "A.m", "B.m"),
    (
        PAIR + "class Box:\n    @property\n    def p(self, c=A): return c.v\nX = Box()\ndef f(x): return x * X.p" + BOTH,
        "c=A",
        "c=B",
    ),
    (
        PAIR + "class Box:\n    @staticmethod\n    def p(x, c=A): return x * c.v\ndef f(x): return Box.p(x)" + BOTH,
        "c=A",
        "c=B",
    ),
    (PAIR + "def f(x):\n    def g(y, c=P): return y * c.v\n    return g(x)" + BOTH + "P = A\n", "P = A", "P = B"),
    (WEIGHTS + "G = ms.grad(lambda x: (x * A * A * B).sum(), None, [A])\ndef f(x): return G(x)\n", "[A]", "[B]"),
    (WEIGHTS + "G = ms.grad(lambda x: (x * A * A * B).sum(), None, [A, B])\ndef f(x): return G(x)\n", "[A, B]", "[B, A]"),
    (WEIGHTS + "P = (A, B)\ndef f(x): return x * P[0] + P[1] * 0 + A * B * 0\n", "(A, B)", "(B, A)"),
    (
        NETS + "G = ms.value_and_grad(lambda x: (A(x) * B(x)).sum(), None, A.trainable_params())\n"
        "def f(x): return G(x[None])\n",
        "None, A.",
        "None, B.",
    ),
    (NETS + "G = ms.grad(A)\ndef f(x): return G(x[None]) + A(x[None]) * 0 + B(x[None]) * 0\n", "grad(A)", "grad(B)"),
    (
        "A = []; B = []\nL = (A,)\ndef f(x):\n    for q in (A, B): q.append(1)\n    L[0].append(2)\n    return x"
        + TWO_CALLS.format("j(Tensor([1.0]))", "(A, B)"),
        "L = (A,)",
        "L = (B,)",
    ),
    (
        WEIGHTS.replace("A", "W").replace("B", "Q")
        + "def f(p, x):\n    ops.assign(p, x)\n    return W * 2"
        + TWO_CALLS.format("r = j(W, Tensor([5.0, 6.0]))", "(r, W * 1, Q * 1)"),
        "j(W,",
        "j(Q,",
    ),
    (
        "import abc\nclass Ab(abc.ABC): pass\nclass P: pass\nO = P()\n#\n"
        "def f(x): return x + 1 if isinstance(O, Ab) else x\n",
        "#",
        "Ab.register(P)",
    ),
    ("class N(int): pass\nS = N(3)\ndef f(x): return x * S\n", "N(3)", "N(4)"),
    ("class N(float): pass\nS = (N(3.0),)\ndef f(x): return x * S[0]\n", "N(3.0)", "N(4.0)"),
    ("class N(str): pass\nS = N('ab')\ndef f(x): return x * len(S)\n", "N('ab')", "N('abc')"),
    ("class N(bytes): pass\nS = N(b'ab')\ndef f(x): return x * len(S)\n", "N(b'ab')", "N(b'abc')"),
    (
        "class N(str): pass\ndef f(x, n): return x * len(n)" + TWO_CALLS.format("r = j(Tensor([1.0]), N('a'))", "r"),
        "N('a')",
        "N('aaa')",
    ),
    ("T = Tensor([1, 2], ms.int32)\ndef f(x): return ops.reshape(x, T)\n", "[1, 2]", "[2, 1]"),
    ("T = Tensor([1, 2], ms.int32)\ndef f(x): return ops.tile(x, T)\n", "[1, 2]", "[2, 1]"),
    ("T = Tensor(1, ms.int32)\ndef f(x): return x[:T]\n", "Tensor(1,", "Tensor(2,"),
    ("T = Tensor(1, ms.int32)\ndef f(x):\n    for _ in range(T): x = x + 1\n    return x\n", "Tensor(1,", "Tensor(3,"),
    (
        "T = Tensor(np.arange(4.0, dtype=np.float32).reshape(2, 2))\ndef f(x): return x, T.is_contiguous(), T.stride()\n",
        "reshape(2, 2))",
        "reshape(2, 2).T)",
    ),
    ("from decimal import Decimal\nclass N(Decimal): pass\nS = N(3)\ndef f(x): return x * int(S)\n", "N(3)", "N(4)"),
]


def driven(folder: Path, source: str, jit: Any) -> tuple[Any, Any]:
    module = program(folder, HEAD + source + ("" if "def drive" in source else DRIVE))
    value, function = module.drive(jit)
    return plain(value), function


@pytest.mark.breaks
@pytest.mark.parametrize(("source", "old", "new"), SAME_LOOKS, ids=[new for _, _, new in SAME_LOOKS])
def test_objects_that_look_alike_are_told_apart(folder: Path, source: str, old: str, new: str) -> None:
    stored, _ = driven(folder, source, ms.jit)
    assert stored == driven(folder, source, lambda f: f)[0]
    changed = source.replace(old, new, 1)
    assert changed != source
    found, function = driven(folder, changed, ms.jit)
    assert found == driven(folder, changed, lambda f: f)[0], events(function)
    again, function = driven(folder, source, ms.jit)
    assert again == stored


IDENTITY = [
    "P = (1, 2)\ndef f(x): return P" + TWO_CALLS.format("r = j(Tensor([1.0]))", "r is P"),
    "P = (1, 2)\nL = []\ndef f(x):\n    L.append(P)\n    return x" + TWO_CALLS.format("j(Tensor([1.0]))", "L[-1] is P"),
    "P = frozenset((1, 2))\ndef f(x): return x, P" + TWO_CALLS.format("r = j(Tensor([1.0]))[1]", "r is P"),
    "class K: pass\nA = K()\ndef f(x): return x, hash(A)" + TWO_CALLS.format("r = j(Tensor([1.0]))[1]", "r == hash(A)"),
    "class K: pass\nA = K()\ndef f(x): return x, id(A)" + TWO_CALLS.format("r = j(Tensor([1.0]))[1]", "r == id(A)"),
    "class K: pass\nA = K()\ndef f(x): return x, repr(A)" + TWO_CALLS.format("r = j(Tensor([1.0]))[1]", "r == repr(A)"),
    "class K: pass\nA = K()\ndef f(x): return x, f'{A}'" + TWO_CALLS.format("r = j(Tensor([1.0]))[1]", "r == str(A)"),
]


@pytest.mark.parametrize("source", IDENTITY, ids=map(str, range(len(IDENTITY))))
def test_what_is_of_one_process_is_not_stored(folder: Path, source: str) -> None:
    for _ in range(2):
        assert driven(folder, source, ms.jit)[0] is True


HASHED = (
    HEAD
    + """
import sys
D = {"alpha": 2.0, "beta": 3.0, "gamma": 5.0}


def order(x):
    for name in {"alpha", "beta", "gamma"}:
        x = x * 2 + D[name]
    return x


def made(x):
    for name in set(D):
        x = x * 2 + D[name]
    return x


def hashed(x):
    return x + hash("alpha") % 1000


for f in (order, made, hashed):
    j = ms.jit(f)
    x = Tensor([1.0])
    assert j(x).asnumpy() == f(x).asnumpy(), (f.__name__, j.explain()["cache"])
    print(f.__name__, [event.partition(":")[0] for event in j.explain()["cache"]])
"""
)


def test_sets_have_the_order_of_the_process(folder: Path) -> None:
    (folder / "hashed.py").write_text(HASHED)
    said = []
    for seed in ("1", "2", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "MS_COMPILER_CACHE_ENABLE": "1"}
        environment["MS_COMPILER_CACHE_PATH"] = str(folder / "cache")
        done = subprocess.run(
            [sys.executable, str(folder / "hashed.py")], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.splitlines())
    assert "hit" in said[2][0] and "hit" not in said[1][0]


def test_elements_that_ops_read_are_guarded() -> None:
    size = ms.Tensor([1, 2], ms.int32)
    jitted = ms.jit(lambda x: ms.ops.reshape(x, size))
    x = ms.Tensor([1.0, 2.0])
    assert jitted(x).shape == (1, 2)
    size[0], size[1] = 2, 1
    assert jitted(x).shape == (2, 1)
    size.set_data(ms.Tensor([1, 2], ms.int32))
    assert jitted(x).shape == (1, 2)


ASKING = """
LOG = []

class V:
    def __getattr__(self, name):
        LOG.append(name)
        raise AttributeError(name)

    def __eq__(self, other):
        LOG.append("eq")
        return self is other

    def __hash__(self):
        LOG.append("hash")
        return 1

    def scaled(self, x):
        return x * 2

A = V()
P = (A, [A])


def f(x):
    return A.scaled(x)
""" + TWO_CALLS.format("r = j(Tensor([1.0]))", "(r, list(LOG))")


def test_the_program_is_not_asked(folder: Path) -> None:
    for _ in range(2):
        value, function = driven(folder, ASKING, ms.jit)
        assert value == driven(folder, ASKING, lambda f: f)[0], events(function)
    assert "hit" in events(function)
