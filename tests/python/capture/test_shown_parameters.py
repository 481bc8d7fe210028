"""The text of a Parameter says its name and type, in jitted functions too, and whatever it has been assigned."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, ParameterTuple, Tensor, nn, ops

MODES = ["ast", "bytecode", "trace", "graph"]
Pair = collections.namedtuple("Pair", "first second")


def tensor(*values: float) -> Any:
    return Tensor(np.array(values, np.float32))


def augmented(w: Any, v: Any) -> Any:
    w += v
    return f"{(w,)} {w}"


def item(w: Any, v: Any) -> Any:
    w[0] = v[1]
    return f"{[w]} {w!r}"


def in_an_error(w: Any, v: Any) -> Any:
    try:
        raise ValueError((ops.assign(w, v), 1))
    except ValueError as error:
        return str(error), repr(error)


def beside_a_tensor(w: Any, v: Any) -> Any:
    return f"{(ops.assign(w, v), v * 2)} {v.sum()}"


def elements_by_a_format(w: Any, v: Any) -> Any:
    return f"{ops.assign(w, v)[0]:.2f} {w}"


def length(w: Any, v: Any) -> Any:
    return len(f"{ops.assign(w, v)}") * v


TEXTS: dict[str, Callable[[Any, Any], Any]] = {
    "f-string": lambda w, v: f"{ops.assign(w, v)}",
    "f-string, repr": lambda w, v: f"{ops.assign(w, v)!r} {w!a} {w=}",
    "f-string, tuple": lambda w, v: f"{(ops.assign(w, v), 1)}",
    "f-string, list": lambda w, v: f"{[ops.assign(w, v), 1]}",
    "f-string, dict": lambda w, v: f"{ {'a': ops.assign(w, v)} }",
    "f-string, nested": lambda w, v: f"{[(1, {'a': [ops.assign(w, v)]})]}",
    "f-string, named tuple": lambda w, v: f"{Pair(ops.assign(w, v), 1)}",
    "f-string, ParameterTuple": lambda w, v: f"{ParameterTuple((ops.assign(w, v),))}",
    "f-string, read only": lambda w, v: f"{(w, 1)} {w}",
    "str": lambda w, v: str(ops.assign(w, v)) + str((w, v * 2)),
    "repr": lambda w, v: repr(ops.assign(w, v)) + repr([w]),
    "ascii": lambda w, v: ascii((ops.assign(w, v),)),
    "format": lambda w, v: format(ops.assign(w, v)) + format((w,), ""),
    "str.format": lambda w, v: "{} {!r} {a:}".format(ops.assign(w, v), (w, 1), a=[w]),  # noqa: UP032
    "%": lambda w, v: "%s %r" % (ops.assign(w, v), [w]),  # noqa: UP031
    "% of one": lambda w, v: "%s" % ops.assign(w, v),  # noqa: UP031
    "% of a dict": lambda w, v: "%(a)s" % {"a": ops.assign(w, v)},  # noqa: UP031
    "join": lambda w, v: ", ".join([str(ops.assign(w, v)), repr((w,))]),
    "Assign": lambda w, v: f"{(ops.Assign()(w, v), 1)}",
    "assign_add": lambda w, v: f"{(ops.assign_add(w, v), 1)}",
    "scatter_update": lambda w, v: f"{(ops.scatter_update(w, Tensor([0]), v[:1]), 1)}",
    "set_data": lambda w, v: f"{(w.set_data(v), 1)}",
    "add_": lambda w, v: f"{(w.add_(v), 1)}",
    "chosen": lambda w, v: f"{(w if v[0] > 1 else ops.assign(w, v), 1)}",
    "augmented": augmented,
    "item": item,
    "in an error": in_an_error,
    "beside a Tensor": beside_a_tensor,
    "elements by a format": elements_by_a_format,
    "length": length,
}


class Shows(nn.Cell):
    def __init__(self, show: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.w = Parameter(tensor(1, 2), name="w")
        self.show = show

    def construct(self, v: Any) -> Any:
        return self.show(self.w, v)


def texts(show: Callable[[Any, Any], Any], mode: str) -> Any:
    net: Any = Shows(show)
    if mode == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    elif mode != "python":
        net.construct = ms.jit(net.construct, capture_mode=mode)
    try:
        found = []
        for i in range(3):
            result = net(tensor(i, i + 1))
            found.append(result.asnumpy().tolist() if isinstance(result, Tensor) else result)
        return found
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("show", TEXTS)
def test_of_a_cell(show: str, mode: str) -> None:
    assert texts(TEXTS[show], mode) == texts(TEXTS[show], "python")


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
@pytest.mark.parametrize("show", TEXTS)
def test_among_the_arguments(show: str, mode: str) -> None:
    def told(function: Callable[[Any, Any], Any]) -> list[Any]:
        given = [Parameter(tensor(1, 2), name=name) for name in ("w", "another")]
        results = [function(w, tensor(i, i + 1)) for i in range(2) for w in given]
        return [result.asnumpy().tolist() if isinstance(result, Tensor) else result for result in results]

    assert told(ms.jit(TEXTS[show], capture_mode=mode)) == told(TEXTS[show])


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_changes_between_calls_are_seen(mode: str) -> None:
    w = Parameter(tensor(1, 2), name="w")
    show = ms.jit(lambda v: (f"{w} {[w]}", v * 2), capture_mode=mode, fullgraph=True)
    assert show(tensor(1))[0] == f"{w} {[w]}"
    w.name = "another"
    assert show(tensor(1))[0] == f"{w} {[w]}"
    w.requires_grad = False
    assert show(tensor(1))[0] == f"{w} {[w]}"
    w.set_data(tensor(1, 2))
    assert show(tensor(1))[0] == f"{w} {[w]}"
    assert show.hits == 1


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_print(mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    w = Parameter(tensor(1, 2), name="w")

    def show(v: Any) -> Any:
        ops.assign(w, v)
        print(w, "{} and", v, end=";\n")
        print(f"{(w, 1)}")
        return v * 2

    def printed(function: Callable[[Any], Any]) -> str:
        for i in range(2):
            function(tensor(i, i + 1))
        return capfd.readouterr().out

    assert printed(ms.jit(show, capture_mode=mode)) == printed(show)
