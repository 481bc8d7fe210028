"""The compile cache under a tape: graphs whose gradient is taken by what is not jitted itself."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_compile_cache import PROGRAM, TEXT, done, events, plain, program, results, stored

import emberjit as ms
from emberjit.capture.cache import files

X = np.array([[1.0, -2.0]], np.float32)


def total(value: Any) -> Any:
    """One number of all that a function gives."""
    if isinstance(value, (tuple, list)):
        return sum(map(total, value))
    if isinstance(value, dict):
        return total(list(value.values()))
    return (value * value).sum().astype(ms.float32) if isinstance(value, ms.Tensor) else 0.0


def gradients(module: Any, jitted: bool, names: set[str] | None = None) -> dict[str, Any]:
    """Values and gradients of each function in two calls, and what the cache did."""
    found = {}
    for function in module.FUNCTIONS:
        if names is not None and function.__name__ not in names:
            continue
        called = ms.jit(function) if jitted else function
        call = ms.value_and_grad(lambda x: total(called(x)))
        made = []
        for scale in (1, 2):
            try:
                made.append(plain(call(ms.Tensor(X * scale))))
            except Exception as error:
                made.append((type(error).__name__, str(error).partition("\n")[0]))
        found[function.__name__] = made, events(called) if jitted else []
    return found


def test_the_next_process_is_served(folder: Path) -> None:
    first = gradients(program(folder), jitted=True)
    assert done(first, "stored") == set(results(first)), {name: said for name, (_, said) in first.items()}
    second = gradients(program(folder), jitted=True)
    assert done(second, "hit") == set(results(second)), {name: said for name, (_, said) in second.items()}
    assert results(first) == results(second) == results(gradients(program(folder), jitted=False))


@pytest.mark.parametrize("before, after, changed", TEXT, ids=[f"{before} {after}" for before, after, _ in TEXT])
def test_what_has_changed_is_captured_anew(folder: Path, before: str, after: str, changed: set[str]) -> None:
    gradients(program(folder), True, changed)
    other = PROGRAM.replace(before, after)
    found = gradients(program(folder, other), True, changed)
    assert results(found) == results(gradients(program(folder, other), False, changed))


def test_a_graph_is_for_calls_like_its_own(folder: Path) -> None:
    def call(shape: tuple[int, ...], tape: bool, dtype: Any = np.float32) -> tuple[Any, list[str]]:
        jitted = ms.jit(program(folder).half)
        x = ms.Tensor(np.ones(shape, dtype))
        return plain(ms.grad(lambda x: total(jitted(x)))(x) if tape else jitted(x)), events(jitted)

    assert call((2, 3), True)[1] == ["stored"]
    assert call((2, 3), False)[1] == ["stored"]
    assert call((4, 3), True) == (("Float32", np.full((4, 3), 0.5).tolist()), ["stale", "stored"])
    assert call((2, 3), True, np.float16)[1][-1] == "stored"
    for shape, tape in (((2, 3), True), ((2, 3), False), ((4, 3), True)):
        assert call(shape, tape)[1][-1] == "hit"


WRONG = """
import emberjit as ms
from emberjit import ops

def picked(y, at):
    return y[0][at]

def wrong(x):
    y = x * 2
    return picked(y, ops.argmax(x[0]) + 5)
"""


@pytest.mark.parametrize("tape", [True, False], ids=["under a tape", "without"])
def test_errors_name_the_same_lines(folder: Path, tape: bool) -> None:
    def told() -> tuple[list[str], str, list[str]]:
        jitted = ms.jit(program(folder, WRONG).wrong)
        x = ms.Tensor(X)
        with pytest.raises(IndexError) as caught:
            ms.grad(lambda x: jitted(x).sum())(x) if tape else jitted(x)
        entries = traceback.extract_tb(caught.value.__traceback__)
        lines = [f"{e.lineno} {e.name}" for e in entries if e.filename.endswith("cached_program.py")]
        return lines, str(caught.value), events(jitted)

    first, second = told(), told()
    assert first[0] == second[0] == ["10 wrong", "6 picked"]
    assert first[1] == second[1] and (first[2], second[2]) == (["stored"], ["hit"])


OWN = """
import emberjit as ms
from emberjit import nn

class Doubled(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return (dout * 3,)

cell = Doubled()

def own(x):
    return cell(x)

FUNCTIONS = [own]
"""


def test_gradients_of_its_own_are_not_stored(folder: Path) -> None:
    for _ in range(2):
        values, said = gradients(program(folder, OWN), True)["own"]
        assert said == ["not stored"] and values[0][1][1][1] == [[12.0, -24.0]]


def test_second_gradients(folder: Path) -> None:
    def second() -> tuple[Any, list[str]]:
        jitted = ms.jit(program(folder).half)
        return plain(ms.grad(ms.grad(lambda x: (jitted(x) ** 3).sum()))(ms.Tensor(3.0))), events(jitted)

    assert second() == (("Float32", 2.25), ["stored"])
    assert second() == (("Float32", 2.25), ["hit"])


DAMAGE: list[Callable[[dict[str, Any], bytes, bytes], tuple[dict[str, Any], bytes, bytes]]] = [
    lambda document, code, text: (document, code, b""),
    lambda document, code, text: (document, code, text.replace(b"Mul(", b"Nul(")),
    lambda document, code, text: (document, code, text.replace(b"Tensor[Float32]", b"Tensor[Float16]")),
    lambda document, code, text: (document, code, text[: len(text) // 2]),
    lambda document, code, text: ({**document, "own_memory": []}, code, text),
    lambda document, code, text: ({**document, "tree": 7}, code, text),
    lambda document, code, text: ({**document, "structure": document["structure"].replace("n", "")}, code, text),
]


@pytest.mark.parametrize("damage", DAMAGE, ids=range(len(DAMAGE)))
def test_what_does_not_fit_is_not_run(folder: Path, damage: Any) -> None:
    wanted = results(gradients(program(folder), True, {"half"}))
    (path,) = stored(folder)
    path.write_bytes(files.packed(*damage(*files.unpacked(path.read_bytes()))))
    found = gradients(program(folder), True, {"half"})
    assert results(found) == wanted and found["half"][1] != ["hit"]
