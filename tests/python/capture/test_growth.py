"""What one capture takes grows with the program, not with the number of ways through it; what would grow faster ends."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, context
from emberjit import _emberjit as core
from emberjit.capture.dispatch import capturing
from emberjit.capture.graph import subgraph
from emberjit.capture.session.session import Engine, Session

X, Y = Tensor(np.array([0.1, 0.2, 0.3], np.float32)), Tensor(np.array([0.1, 0.3, 0.3], np.float32))


def repeated(text: str) -> Any:
    """That many copies of statements; {i} is the number of the copy."""
    return lambda n: "\n".join(text.replace("{i}", str(i)) for i in range(n))


def within(text: str) -> Any:
    """Statements within each other, indented by |."""
    return lambda n: "\n".join(text.replace("{i}", str(i)).replace("|", "    " * i) for i in range(n))


SEQUENCES = {
    "returns": repeated("if x.sum() > {i} + 5: return x * {i}\nx = x + y"),
    "returns_in_else": repeated("if x.sum() > {i} + 5: x = x + y\nelse: return x"),
    "returns_within": repeated("if x.sum() > {i} + 5:\n  y = x + y\n  if y.sum() > {i}: return x\nx = x + y"),
    "returns_in_both": repeated(
        "if x.sum() > {i} + 5:\n  if y.sum() > {i}: return x\nelse:\n  if y.sum() < -{i}-1: return y\nx = x + y"
    ),
    "plain": repeated("if x.sum() > {i} + 5: x = x * 2\nelse: x = x + y"),
    "numbers": repeated("k = 1\nif x.sum() > {i} + 5: k = k + 1\nx = x + k"),
    "items": repeated("d = {'a': x}\nif d['a'].sum() > {i} + 5: d['a'] = d['a'] + y\nelse: d['a'] = y\nx = d['a']"),
    "tries": repeated("try:\n  if x.sum() > {i} + 5: x = x * 2\nexcept KeyError: x = y"),
    "elif": lambda n: "\n".join(f"{'el' if i else ''}if x.sum() > {i} + 5: x = x * {i}" for i in range(n)),
    "elif_returns": lambda n: "\n".join(
        f"{'el' if i else ''}if x.sum() > {i} + 5: {'x =' if i % 2 else 'return'} x * {i}" for i in range(n)
    ),
    "for_returns": lambda n: f"for i in range({n}):\n  if x.sum() > i + 5: return x * i\n  x = x + y",
    "for_breaks": lambda n: f"for i in range({n}):\n  if x.sum() > i + 5: break\n  x = x + y",
    "for_continues": lambda n: f"for i in range({n}):\n  if x.sum() > i + 5:\n    y = y * 2\n    continue\n  x = x + y",
    "for_breaks_within": lambda n: (
        f"for i in range({n}):\n  if x.sum() > i + 5:\n    y = y + x\n    if y.sum() > 9: break\n  x = x + y"
    ),
    "and": lambda n: f"if {' and '.join(f'x.sum() < {i} + 9' for i in range(n))}: x = x * 2",
    "calls": lambda n: "def g(x, y):\n  if x.sum() > 3: return x * 2\n  return y + x\n" + repeated("x = g(x, y)")(n),
}
NESTS = {
    "nested": within("|if x.sum() > {i} - 5: x = x + y\n|else: x = x * y\n|if x.sum() > {i} - 7:\n|    x = x * 3"),
    "lists": within("|l{i} = [x]\n|if x.sum() > {i} - 5:\n|    l{i}[0] = y\n|    x = x + l{i}[0]"),
    "returns": within("|if x.sum() > {i} - 5:\n|    if y.sum() > 5: return x\n|    x = x + y"),
    "whiles": within("|while x.sum() < {i} + 5:\n|    x = x + y"),
    "breaks": within("|while x.sum() < {i} + 5:\n|    x = x + y\n|    if x.sum() > 9: break"),
}


def sessions_of(patch: Any) -> list[Session]:
    """A list that gets what each capture notes."""
    made = []

    class Noted(Session):
        def __init__(self, engine: Engine) -> None:
            super().__init__(engine)
            made.append(self)

    patch.setattr(capturing, "Session", Noted)
    return made


def captured(monkeypatch: Any, mode: str, body: str) -> tuple[int, int]:
    """How many nodes a function of these statements has when captured, and how many graphs that took."""
    lines = ["def program(x, y):", *body.splitlines(), "return x + y"]
    text = "\n".join([lines[0], *("  " + line for line in lines[1:])]) + "\n"
    filename = f"<program {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), names)
    function = ms.jit(names["program"], capture_mode=mode, fullgraph=True)
    nodes = [0]

    def dump(name: str, name_of_pass: str, graphs: str) -> None:
        if name_of_pass == "capture":
            nodes[0] += sum(" = " in line for line in graphs.splitlines())

    with monkeypatch.context() as patch:
        patch.setattr(context, "_graph_writer", dump)
        sessions = sessions_of(patch)
        np.testing.assert_array_equal(function(X, Y).asnumpy(), names["program"](X, Y).asnumpy())
    assert nodes[0] > 0
    return nodes[0], sessions[0].graphs


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("shape", SEQUENCES)
def test_conditions_in_a_row_take_a_graph_for_each_side(monkeypatch, shape, mode):
    few, more, most = (captured(monkeypatch, mode, SEQUENCES[shape](n)) for n in (6, 12, 24))
    for a, b, c in zip(few, more, most):
        assert c - b == 2 * (b - a)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("shape", NESTS)
def test_conditions_within_each_other_take_nodes_for_each_side(monkeypatch, shape, mode):
    (few, graphs), (more, _), (most, all_graphs) = (captured(monkeypatch, mode, NESTS[shape](n)) for n in (2, 3, 4))
    assert most - more == more - few
    assert all_graphs <= (8 if shape == "breaks" else 2) * graphs  # loops that breaks leave are run twice each


def test_a_hundred_conditions_are_captured_soon(monkeypatch):
    nodes, graphs = captured(monkeypatch, "ast", SEQUENCES["plain"](100))
    assert nodes == 6 * 100 + 1
    assert graphs == 2 * 100


def many(x, y):
    for i in range(6):
        for j in range(6):
            for k in range(6):
                if x.sum() > i + j + k:
                    break
                x = x + y * k
    return x


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_too_many_graphs_are_an_error(monkeypatch, mode):
    monkeypatch.setattr(subgraph, "MAX_GRAPHS", 100)
    with pytest.raises(core.CaptureError, match=r"test_growth.py:\d+: conditions and loops on Tensors take more than 100"):
        ms.jit(many, capture_mode=mode, fullgraph=True)(X, Y)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_what_takes_too_many_graphs_runs_in_python(monkeypatch, mode):
    monkeypatch.setattr(subgraph, "MAX_GRAPHS", 100)
    function = ms.jit(many, capture_mode=mode)
    for _ in range(3):
        np.testing.assert_array_equal(function(X, Y).asnumpy(), many(X, Y).asnumpy())
    (reason,) = function.explain()["breaks"]
    assert "take more than 100 graphs" in reason
    assert not function.explain()["entries"]


def late_test(x, y):
    """A `while` whose test ends with a chain, which CPython's two copies of it lay out differently."""
    for _ in range(2):
        i = 0
        while i < 4 and -2 < x.sum() < 2:
            i += 1
            if -2 < y.sum() < 2:
                continue
            x = x + y
    return x


def test_copies_of_a_test_are_one(monkeypatch):
    sessions = sessions_of(monkeypatch)
    got = ms.jit(late_test, capture_mode="bytecode", fullgraph=True)(X, Y)
    np.testing.assert_array_equal(got.asnumpy(), late_test(X, Y).asnumpy())
    assert sessions[0].graphs < 300
