"""Positions that change from call to call: parts of Tensors and Parameters are read and written as in Python, by one binding
for all positions."""

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, ops

X = np.arange(4, dtype=np.float32) + 1
POSITIONS = [0, 3, 1, 5, 2, 6, 4, 0, 5, 3]

BODIES = {
    "a row": "K[n] = x\nreturn K.sum(0)",
    "a row of two": "K[n] = x\nV[n] = x * 2\nreturn (K @ V.T).sum(0)",
    "rows": "K[n : n + 2] = x\nreturn K * 2",
    "twice": "K[n] = x\nK[n + 1] = x * 2\nreturn K.sum(1)",
    "a part of a row": "K[n, 1:3] = x[:2]\nreturn K.mean()",
    "read and written": "K[n] = K[n] * 2 + x\nreturn K.sum()",
    "its own row": "K[n + 1] = K[n]\nreturn K + x",
    "all moved": "K[1:] = K[:-1]\nK[n] = x\nreturn K * 1",
    "read before": "y = K * 2\nK[n] = x\nreturn y.sum() + K.sum()",
    "a view from before": "old = K[n]\nK[n] = x\nreturn old + x",
    "a view at the end": "K[n] = x\nreturn K[n] * 1",
    "a view of a view": "K[n : n + 2] = x\nreturn K[n : n + 2][1] * 2, K[n : n + 2].T + 0",
    "all of it returned": "K[n] = x\nreturn K",
    "a copy returned": "K[n] = x\nreturn K + 0",
    "assigned after": "K[n] = x\nops.assign(K, K * 2)\nreturn K.sum()",
    "assigned before": "ops.assign(K, V + 1)\nK[n] = x\nreturn K.sum()",
    "what is computed": "y = K * 2\ny[n] = x\ny[n + 1] = y[n] * 3\nreturn y, y[n + 1]",
    "what is computed, and kept": "y = K * 2\nz = y + 1\ny[n] = x\nreturn y, z",
    "a triangle": "return ops.triu(V, n - 3) + ops.tril(V, n)",
    "counting": "return ops.arange(n, n + 4) * x",
    "a column": "return K[:, n % 4] + V[n, 0]",
    "every second": "return V[n : n + 5 : 2] * 2 if n < 3 else V[n] * 1",
    "rolled": "return ops.roll(V, n, 0)",
    "beside a product": "y = B @ B\nB[n] = x.repeat(16)\nreturn y + B",
    "a row beside a product": "y = B @ B\nreturn y + B[n]",
    "a row after a product": "y = B @ B\nz = B[n] * 2\nB[n + 1] = z\nreturn y + B + z",
    "a copy that is assigned, and a view of it": "a = K.copy()\na[n] = x\nops.assign(K, a)\nreturn a[1] * 2, a.T + 0",
    "a copy with fixed positions": "a = K * 1\na[2] = x\na[n] = x * 2\nK.set_data(a)\nreturn a[2:4].sum(0), x @ a.T",
    "a copy that one branch assigns": "a = K.copy()\na[n] = x\nif x.sum() > 60:\n    ops.assign(K, a)\nreturn x * 2",
    "in the other": "a = K * 1\na[0] = x\nif a.sum() < 99:\n    y = x\nelse:\n    K.set_data(a)\n    y = -x\nreturn y",
    "a loop between": "a = K.copy()\na[n] = x\ny = x\nwhile y.sum() < 90:\n    y = y * 2\nops.assign(K, a)\nreturn y, a * 1",
    "in another function": "def part(t):\n    return t[n] * 2\nK[n] = part(V)\nreturn part(K)",
}


def program(body: str) -> dict[str, Any]:
    names: dict[str, Any] = {"ops": ops, "K": Parameter(Tensor(np.zeros((8, 4), np.float32)), "k")}
    names["V"] = Parameter(Tensor(np.arange(32, dtype=np.float32).reshape(8, 4)), "v")
    names["B"] = Parameter(Tensor(np.arange(4096, dtype=np.float32).reshape(64, 64) % 7), "b")
    indented = body.replace("\n", "\n    ")
    exec(f"def f(x, n):\n    {indented}", names)
    return names


def shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    return value.shape, value.asnumpy().tolist()


def outcome(function: Any, *args: Any) -> Any:
    try:
        return shown(function(*args))
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", BODIES)
def test_moves_as_in_python(name: str) -> None:
    plain, jitted = program(BODIES[name]), program(BODIES[name])
    function = ms.jit(jitted["f"])
    kept: list[Any] = []
    for i, n in enumerate(POSITIONS * 3):
        x = Tensor(X + i)
        wanted = plain["f"](x, n)
        found = function(x, n)
        assert shown(found) == shown(wanted), n
        kept.append((found, wanted))
        for parameter in ("K", "V", "B"):
            assert shown(jitted[parameter]) == shown(plain[parameter]), n
    assert all(shown(found) == shown(wanted) for found, wanted in kept)
    assert function.hits >= len(POSITIONS) * 3 - 4, function.explain()["misses"]


ONE_BINDING = [
    "a row",
    "a row of two",
    "rows",
    "a view at the end",
    "a view of a view",
    "what is computed",
    "a triangle",
    "counting",
]


@pytest.mark.parametrize("name", ONE_BINDING)
def test_one_binding_serves_all_positions(name: str) -> None:
    jitted = program(BODIES[name])
    function = ms.jit(jitted["f"])
    for i, n in enumerate(POSITIONS * 2):
        function(Tensor(X + i), n)
    assert {len(entry["specialisations"]) for entry in function.explain()["entries"]} == {1}


def test_what_is_outside_raises() -> None:
    plain, jitted = program(BODIES["a row"]), program(BODIES["a row"])
    function = ms.jit(jitted["f"])
    for i, n in enumerate([0, 1, 2, -1, -8, 8, -9, 3, 1 << 62, 1 << 70, 7, True, np.int64(2), 2.0]):
        assert outcome(function, Tensor(X + i), n)[:1] == outcome(plain["f"], Tensor(X + i), n)[:1], n
        assert shown(jitted["K"]) == shown(plain["K"]), n


@pytest.mark.breaks
def test_a_parameter_is_not_written_beneath_an_argument() -> None:
    for body in ("K[n] = part * 2\nreturn part + x", "K[n] = x\nreturn part * 1"):
        plain, jitted = program(body), program(body)
        for names in (plain, jitted):
            exec("def f(x, n, part):\n    " + body.replace("\n", "\n    "), names)
        function = ms.jit(jitted["f"])
        for i, n in enumerate(POSITIONS):
            found = function(Tensor(X + i), n, jitted["K"][2:3])
            assert shown(found) == shown(plain["f"](Tensor(X + i), n, plain["K"][2:3]))
            assert shown(jitted["K"]) == shown(plain["K"])


def test_a_parameter_is_updated_where_it_lies() -> None:
    cache = Parameter(Tensor(np.zeros((1 << 12, 64), np.float32)), "cache")

    def write(x: Tensor, n: int) -> Tensor:
        cache[n] = x
        return cache[n].sum()

    function = ms.jit(write)
    for n in range(6):
        function(Tensor(np.ones(64, np.float32)), n)
    (entry,) = function.explain()["entries"]
    (binding,) = entry["specialisations"]
    assert "updated in place" in binding["bound"]
    assert binding["arena_bytes"] < 4096


def test_what_fails_between_leaves_a_parameter_as_it_was() -> None:
    body = "a = K * 1\na[n] = x\nz = ops.cholesky(ops.diag(i))\nops.assign(K, a)\nreturn z"
    plain, jitted = program(body), program(body)
    for names in (plain, jitted):
        exec("def f(x, n, i):\n    " + body.replace("\n", "\n    "), names)
    function = ms.jit(jitted["f"])
    for k, n in enumerate(POSITIONS):
        i = Tensor(np.array([k % 3, 1], np.float32))
        assert outcome(function, Tensor(X + k), n, i) == outcome(plain["f"], Tensor(X + k), n, i)
        assert shown(jitted["K"]) == shown(plain["K"]), n


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_second_gradients_know_the_position_of_the_first(size: int) -> None:
    def power(x: Tensor, n: int) -> Tensor:
        return (x[:n] * x[:n] * ops.ones(n)).sum()

    def second(function: Any) -> Any:
        return ms.grad(lambda x, n: (ms.grad(function, 0)(x, n) * x).sum(), 0)(Tensor(X), size)

    assert shown(second(ms.jit(power))) == shown(second(power))
