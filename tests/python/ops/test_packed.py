"""Copies of weights in the form that kernels read are kept from call to call (ops/matmul/packed_cache.h). Whoever writes a
weight, the next product sees it, and no result depends on whether there is a copy."""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

SHAPE = (70, 40)
RANDOM = np.random.default_rng(0)
X = Tensor(RANDOM.standard_normal((9, SHAPE[1])).astype(np.float32))
NEW = RANDOM.standard_normal(SHAPE).astype(np.float32)


def weight() -> Parameter:
    return Parameter(Tensor(RANDOM.standard_normal(SHAPE).astype(np.float32)), name="w")


def apart(w: Parameter) -> bytes:
    """The product with a Tensor that is seen for the first time."""
    return bytes(ops.dense(X, w * 1.0).asnumpy())


def copies(f: Any) -> dict[str, int]:
    (entry,) = f.explain()["entries"]
    return dict(entry["packed"])


def jitted(w: Parameter) -> Any:
    @ms.jit
    def product(x: Tensor) -> Tensor:
        return ops.dense(x, w)

    return product


def by_optimizer(w: Parameter) -> None:
    nn.SGD([w], 0.1)((Tensor(NEW),))


def by_jitted_optimizer(w: Parameter) -> None:
    optimizer = nn.Adam([w], 0.1)
    ms.jit(lambda g: optimizer((g,)))(Tensor(NEW))


def by_jitted_assignment(w: Parameter) -> None:
    @ms.jit
    def write(v: Tensor) -> Tensor:
        ops.assign(w, v)
        return v

    write(Tensor(NEW))


def by_set_data(w: Parameter) -> None:
    w.set_data(Tensor(NEW))


def by_item(w: Parameter) -> None:
    w[3] = 7.0


def by_items_at(w: Parameter) -> None:
    w[Tensor([1, 5])] = 7.0


def by_assign_add(w: Parameter) -> None:
    ops.assign_add(w, Tensor(NEW))


def by_numpy_view(w: Parameter) -> None:
    w.asnumpy()[2:4] = 3.0


def by_dlpack(w: Parameter) -> None:
    view = np.from_dlpack(w)
    ctypes.memset(view.ctypes.data, 0, 16)


def by_address(w: Parameter) -> None:
    ctypes.memset(w.data_ptr(), 0, 16)


def by_view_of_the_tensor(w: Parameter) -> None:
    memoryview(w).cast("B")[0:4] = b"\0\0\0\0"


WRITERS = [value for name, value in list(globals().items()) if name.startswith("by_")]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("eager", [False, True])
def test_a_write_is_seen(write: Callable[[Parameter], None], eager: bool) -> None:
    w = weight()
    call = (lambda x: ops.dense(x, w)) if eager else jitted(w)
    for written in range(3):
        for _ in range(3):
            assert bytes(call(X).asnumpy()) == apart(w)
        before = apart(w)
        write(w)
        assert bytes(call(X).asnumpy()) == apart(w)
        assert written > 0 or before != apart(w)


def test_memory_of_others_is_never_copied() -> None:
    array = np.ones(SHAPE, np.float32)
    w = ms.from_numpy(array)
    f = ms.jit(lambda x, w: ops.dense(x, w))
    gc.collect()
    used = ms.memory_stats()["packed"]
    for i in range(4):
        array[0, 0] = i
        assert f(X, w).asnumpy()[0, 0] == ops.dense(X, Tensor(array)).asnumpy()[0, 0]
    assert ms.memory_stats()["packed"] == used


def test_a_view_that_lives_is_seen_through() -> None:
    w = weight()
    f = jitted(w)
    for _ in range(3):
        f(X)
    view = w.asnumpy()
    for i in range(4):
        view[1, 1] = i
        assert bytes(f(X).asnumpy()) == apart(w)
    del view
    assert bytes(f(X).asnumpy()) == apart(w)


def test_explain_tells_of_copies() -> None:
    w = weight()
    f = jitted(w)
    f(X)
    assert copies(f) == {"copies": 0, "bytes": 0, "used": 0}
    for _ in range(5):
        f(X)
    told = copies(f)
    assert told["copies"] == 1 and told["used"] == 4
    assert told["bytes"] >= 4 * SHAPE[0] * SHAPE[1]
    assert ms.memory_stats()["packed"] >= told["bytes"]
    by_item(w)
    assert copies(f) == {"copies": 0, "bytes": 0, "used": 0}


def test_copies_go_with_their_parameters() -> None:
    gc.collect()
    before = ms.memory_stats()["packed"]
    for _ in range(20):
        w = weight()
        f = jitted(w)
        for _ in range(3):
            assert bytes(f(X).asnumpy()) == apart(w)
        assert ms.memory_stats()["packed"] > before
        del f, w
        gc.collect()
        assert ms.memory_stats()["packed"] == before


def test_a_training_step_keeps_no_copies() -> None:
    w = weight()
    optimizer = nn.SGD([w], 0.1)
    gradient = ms.value_and_grad(lambda x: (ops.dense(x, w) ** 2).sum(), None, [w])

    @ms.jit
    def step(x: Tensor) -> Tensor:
        loss, gradients = gradient(x)
        optimizer(gradients)
        return loss

    gc.collect()
    before = ms.memory_stats()["packed"]
    for _ in range(5):
        step(X * 2.0)
        assert ms.memory_stats()["packed"] == before


def test_results_that_are_new_each_time_are_not_copied() -> None:
    f = ms.jit(lambda x, w: ops.dense(x, w))
    gc.collect()
    before = ms.memory_stats()["packed"]
    for i in range(10):
        f(X, Tensor(NEW) + i)
    assert ms.memory_stats()["packed"] == before


def test_threads_share_copies() -> None:
    w = weight()
    f = jitted(w)
    want = bytes(f(X).asnumpy())
    wrong: list[int] = []

    def work() -> None:
        for i in range(100):
            if bytes(f(X).asnumpy()) != want:
                wrong.append(i)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_precision_and_instruction_set_may_change() -> None:
    from emberjit import _emberjit as core

    w = weight()
    f = jitted(w)
    want = {}
    before = core.isa()
    try:
        for _ in range(3):
            for isa in ("portable", "avx2", "avx512"):
                if not core.set_isa(isa):
                    continue
                for precision in ("ieee", "bfloat16"):
                    ms.set_context(matmul_precision=precision)
                    for _ in range(3):
                        got = bytes(f(X).asnumpy())
                        assert want.setdefault(precision, got) == got
    finally:
        core.set_isa(before)
        ms.set_context(matmul_precision="float32")


@pytest.mark.parametrize("groups", [1, 2, 8])
@pytest.mark.parametrize("eager", [False, True])
def test_convolutions_see_writes(groups: int, eager: bool) -> None:
    x = Tensor(RANDOM.standard_normal((2, 8, 6, 5)).astype(np.float32))
    w = Parameter(Tensor(RANDOM.standard_normal((24, 8 // groups, 3, 3)).astype(np.float32)), name="w")

    def convolved(x: Any, w: Any) -> Any:
        return ops.conv2d(x, w, pad_mode="pad", padding=1, groups=groups)

    jitted = ms.jit(lambda x: convolved(x, w))
    call = (lambda x: convolved(x, w)) if eager else jitted
    for _ in range(3):
        for _ in range(4):
            assert bytes(call(x).asnumpy()) == bytes(convolved(x, w * 1.0).asnumpy())
        if not eager:
            assert copies(jitted)["copies"] == 1 and copies(jitted)["used"] == 2
        w[3, 0] = 2.5
