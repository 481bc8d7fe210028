"""Capture, control flow on tensors, specialisation, guards and effects."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from values import array

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

FACTOR = 2.0


def test_new_shapes_reuse_the_capture() -> None:
    @ms.jit
    def f(x):
        return ops.tanh(x) * 2

    for n in (2, 3, 5, 7, 2):
        x = np.linspace(-1, 1, n).astype(np.float32)
        np.testing.assert_allclose(f(Tensor(x)).asnumpy(), np.tanh(x) * 2, rtol=1e-6)
    assert len(f.explain()["entries"]) == 1


def test_tensor_if_takes_either_side() -> None:
    @ms.jit
    def f(x):
        if x.sum() > 0:
            y = x * 2
            z = 1
        else:
            y = x - 1
            z = 2
        return y, z

    for _ in range(50):
        y, z = f(array(1, 2))
        assert y.tolist() == [2, 4] and z == 1
        y, z = f(array(-1, -2))
        assert y.tolist() == [-2, -3] and z == 2


@pytest.mark.parametrize("mode", ["ast", "bytecode", "trace"])
def test_tensors_are_made_of_numbers_that_are_arguments(mode: str) -> None:
    forms = [
        lambda x, n: Tensor(n),
        lambda x, n: Tensor(n, ms.float64),
        lambda x, n: Tensor(n, ms.int32),
        lambda x, n: Tensor([[n, 1], [True, n * 2]]),
        lambda x, n: Tensor((n, 0.5)),
        lambda x, n: x + [n, 2],
        lambda x, n: ops.maximum(x, (n, 2)),
    ]
    x = array(1, 2)
    for form in forms:
        jitted = ms.jit(form, capture_mode=mode, fullgraph=True)
        for numbers in ((3, -2, 5), (0.1, 2.75, -0.5), (True, False)):
            for n in numbers:
                got, want = jitted(x, n), form(x, n)
                assert got.dtype == want.dtype and got.tolist() == want.tolist()
        assert len(jitted.explain()["entries"]) == 3


def test_early_return_under_a_tensor_condition() -> None:
    @ms.jit
    def f(x):
        if x.sum() > 10:
            return x
        x = x + 1
        if x.sum() > 5:
            return x * 10
        return x * 100

    assert f(array(20)).tolist() == [20]
    assert f(array(6)).tolist() == [70]
    assert f(array(1)).tolist() == [200]


def test_tensor_while_with_a_counter_and_a_number_that_becomes_a_tensor() -> None:
    @ms.jit
    def f(x):
        i = 0
        total = 0
        while x.sum() < 100:
            x = x * 2
            total = total + x
            i = i + 1
        return x, total, i

    for start in (1.0, 3.0, 200.0):
        x, total, n = start, 0.0, 0
        while x < 100:
            x, n = x * 2, n + 1
            total += x
        got = f(array(start))
        assert got[0].tolist() == [x] and got[2] == n
        assert got[1].tolist() == [total] if n else type(got[1]) is int
    assert len(f.explain()["entries"]) == 1


def test_numbers_are_run_time_values_unless_python_consumes_them() -> None:
    @ms.jit
    def scale(x, k):
        return x * k + k

    for k in (1, 2, 3, -4):
        assert scale(array(1, 2), k).tolist() == [k + k, 2 * k + k]
    assert len(scale.explain()["entries"]) == 1

    @ms.jit
    def choose(x, k):
        return x * 2 if k > 3 else x

    assert choose(array(1), 5).tolist() == [2]
    assert choose(array(1), 1).tolist() == [1]
    assert choose(array(1), 5).tolist() == [2]
    assert len(choose.explain()["entries"]) == 2


def test_a_changed_global_is_seen() -> None:
    global FACTOR
    f = ms.jit(lambda x: x * 1)

    @ms.jit
    def g(x):
        return x * FACTOR

    assert g(array(1)).tolist() == [2]
    FACTOR = 5.0
    assert g(array(1)).tolist() == [5]
    FACTOR = 2.0
    assert f(array(3)).tolist() == [3]


def test_set_train_is_seen() -> None:
    net = nn.Dropout(p=0.5)
    f = ms.jit(net.construct)
    x = Tensor(np.ones((100,), np.float32))
    assert f(x).sum().item() == 100
    net.set_train()
    assert sorted(set(f(x).tolist())) == [0.0, 2.0]
    net.set_train(False)
    assert f(x).sum().item() == 100


def test_parameters_are_read_and_written_at_their_moment() -> None:
    w = Parameter(array(1, 2), "w")

    @ms.jit
    def f(x):
        before = w * 1
        ops.assign(w, w + x)
        return before, w * 10

    for i in range(80):
        before, after = f(array(1, 1))
        assert before.tolist() == [1 + i, 2 + i]
        assert after.tolist() == [10 * (2 + i), 10 * (3 + i)]
    assert w.asnumpy().tolist() == [81, 82]
    w.set_data(array(0, 0))
    assert f(array(1, 1))[1].tolist() == [10, 10]


def test_an_error_in_the_middle_leaves_everything_usable() -> None:
    @ms.jit
    def f(x, i):
        return ops.gather(x, i, 0) * 2

    x = array(1, 2, 3)
    assert f(x, Tensor([0, 2])).tolist() == [2, 6]
    for _ in range(40):
        with pytest.raises((IndexError, ValueError)):
            f(x, Tensor([0, 7]))
    assert f(x, Tensor([1, 1])).tolist() == [4, 4]


def test_nested_functions_lists_and_dicts() -> None:
    def helper(x, k=2):
        return x * k

    @ms.jit
    def f(items, table):
        def inner(t):
            return helper(t) + 1

        out = [inner(t) for t in items]
        return {"sum": sum(out), "both": (out[0], table["a"])}

    got = f([array(1), array(2)], {"a": array(7)})
    assert got["sum"].tolist() == [8] and got["both"][1].tolist() == [7]


def test_dropped_functions_give_their_memory_back() -> None:
    x = array(1, 2)

    def make():
        y = Tensor(np.ones(1000, np.float32))
        f = ms.jit(lambda t: t * y.sum())
        f(x)

    for _ in range(20):
        make()
    gc.collect()
    before = ms.memory_stats()["live"]
    for _ in range(200):
        make()
    gc.collect()
    assert ms.memory_stats()["live"] <= before + 4096


def test_print_in_a_graph_writes_what_python_writes(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        print("x {of}", x, 3, sep="|", end=".\n")
        ops.print_("seen", x)
        return x + 1

    jitted = ms.jit(f)
    for x in (array(1, 2), array(3, 4)):
        f(x)
        want = capsys.readouterr().out
        assert want.startswith(f"x {{of}}|{x}|3.\nseen\nTensor(shape=[2], dtype=Float32, value=")
        jitted(x)
        assert capsys.readouterr().out == want


def test_print_in_a_loop_shows_the_counter(capsys: pytest.CaptureFixture[str]) -> None:
    @ms.jit
    def f(x):
        i = 0
        while x.sum() < 10:
            x, i = x * 2, i + 1
            print("trip", i, x)
        return x

    f(array(1, 2))
    assert capsys.readouterr().out == "trip 1 [2. 4.]\ntrip 2 [4. 8.]\n"


def test_a_number_that_keeps_changing_is_not_captured_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    from emberjit.capture.dispatch import capturing

    captures = 0
    entry = capturing.capture_call

    def counted(*args: Any, **options: Any) -> Any:
        nonlocal captures
        captures += 1
        return entry(*args, **options)

    monkeypatch.setattr(capturing, "capture_call", counted)

    @ms.jit
    def f(x: Tensor, n: int) -> Tensor:
        return x + n if n % 2 else x - n

    for i in range(1000):
        n = i % 100
        assert float(f(Tensor(1.0), n)) == (1 + n if n % 2 else 1 - n)
    assert captures == 2  # of each side
    hits = f.hits
    for _ in range(f.plain_calls + 3):
        assert float(f(Tensor(1.0), 200)) == -199
    assert f.hits > hits
    assert len(f.explain()["entries"]) == 2
