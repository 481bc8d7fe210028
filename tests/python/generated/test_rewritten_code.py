"""Functions whose code tools have rewritten: with other instructions between the compiler's, and without lines. They do what
Python does with the same code."""

from __future__ import annotations

import builtins
import random
import types
from typing import Any

import programs
import pytest
from random_programs import KINDS, differing
from rewritten_code import rewritten, rewritten_code

import emberjit as ms
from emberjit import Tensor

MODES = ["ast", "bytecode", "trace"]
NO_LINES = {"none": lambda code: b"", "no numbers": lambda code: b"\xff" * (len(code.co_code) // 16 + 1)}
LOG: list[Any] = []


@pytest.mark.breaks
@pytest.mark.parametrize("first", range(0, 20, 5))
@pytest.mark.parametrize("kind", ["control", "cells", "state", "effects"])
def test_random_programs(kind: str, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kind in KINDS
    for seed in range(first, first + 5):

        def compiled(*args: Any, chance: random.Random = random.Random(seed), **options: Any) -> types.CodeType:
            return rewritten_code(builtins.compile(*args, **options), chance)

        monkeypatch.setattr(programs, "compile", compiled, raising=False)
        assert not "\n".join(differing(kind, seed))


def loops(x, n):
    total = 0
    for i in range(n):
        while x.sum() < 10 * i and total < 50:
            x = x + i
            total += 1
            if total % 7 == 5:
                continue
            if total > 40:
                break
        else:
            total += 10
    return x * total, [i * n for i in range(n) if i % 2], {f"{k}={v!r:>4}": v for k, v in zip("abc", range(n))}


def handles(x, n):
    found = []
    for i in range(n):
        try:
            with Manager(i == 2):
                if i == 1:
                    raise KeyError(i)
                if i == 2:
                    raise OSError(i)
                x = x.reshape((i + 1, -1, 3)) if i > 3 else x + i
        except (KeyError, ValueError) as error:
            found.append(str(error).split("\n")[0])
        else:
            found.append(i)
        finally:
            n += 1
    return x, found, n


def matches(x, n):
    match {"n": n, "x": x}:
        case {"n": 1, "x": y}:
            return y
        case {"n": int(m), **rest} if m > 3:
            return rest["x"] * m
    return -x


def makes(x, n):
    def scale(y, *more, by=n, **named):
        return y * by + sum(more) + len(named)

    def steps():
        got = yield x
        while got is not None:
            got = yield scale(got, 1, 2, by=3, name=n)

    made, smaller = steps(), [lambda y: y - n]
    return next(made), made.send(x + 1), scale(x), smaller[0](x), n if 0 < n < 5 else x


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return self.swallows


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [loops, handles, matches, makes], ids=lambda function: function.__name__)
def test_statements(function: Any, mode: str) -> None:
    for seed in range(8):
        jitted = ms.jit(rewritten(function, seed), capture_mode=mode)
        for n in (1, 2, 5, 1):
            x = Tensor([1.0, 2.0, -4.0])
            assert programs.outcome(jitted, x, n) == programs.outcome(function, x, n), seed


def fails(x, n):
    if n > 1:
        raise KeyError(n)
    return x


def calls_what_fails(x, n):
    return fails(x, n)


def fails_after_a_break(x, n):
    LOG.append(float(x.asnumpy()[0]))
    return fails(x, n)


def fails_on_a_tensor(x, n):
    if x.sum() > n:
        raise ValueError("large")
    return x


def fails_in_an_op(x, n):
    return x.reshape((n, -1, 7))


def fails_in_an_op_after_a_break(x, n):
    LOG.append(float(x.asnumpy()[0]))
    return x.reshape((n, -1, 7))


def fails_in_python(x, n):
    return [x][n - 1]


def fails_in_a_key(x, n):
    return sorted([x, x + 1], key=lambda y: fails(float(y.sum()), n))[0]


def fails_in_a_name(x, n):
    LOG.append(float(x.asnumpy()[0]))
    ms.ops.function_that_does_not_exist(x)


FAILING = [
    fails,
    calls_what_fails,
    fails_after_a_break,
    fails_on_a_tensor,
    fails_in_an_op,
    fails_in_an_op_after_a_break,
    fails_in_python,
    fails_in_a_key,
    fails_in_a_name,
]


@pytest.mark.breaks
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("lines", NO_LINES)
@pytest.mark.parametrize("function", FAILING, ids=lambda function: function.__name__)
def test_errors_of_code_without_lines(function: Any, lines: str, mode: str) -> None:
    def without(code: types.CodeType) -> types.CodeType:
        consts = tuple(without(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
        return code.replace(co_linetable=NO_LINES[lines](code), co_consts=consts)

    names = dict(function.__globals__)
    for inner in (fails, function):
        names[inner.__name__] = types.FunctionType(without(inner.__code__), names, inner.__name__)
    jitted = ms.jit(names[function.__name__], capture_mode=mode)
    for n in (1, 2, 1, 2):
        assert programs.outcome(jitted, Tensor([1.0, 2.0]), n) == programs.outcome(function, Tensor([1.0, 2.0]), n)
