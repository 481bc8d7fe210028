"""What takes long asks whether it is to stop: a signal that is there as it begins raises from it, and there is no result.
Nothing here measures time: between the signal and the call no Python runs, which would see the signal first."""

from __future__ import annotations

import _thread
import functools
import operator
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_table import arguments_of, made

import emberjit as ms
from emberjit import Tensor
from emberjit import _emberjit as core
from emberjit.functions.linalg.lapack import load_lapack

load_lapack()
ASKED = 0.011  # seconds for which a thread that asked need not ask again
_SQUARE = Tensor(np.random.default_rng(1).standard_normal((300, 300)).astype(np.float32))
_DEFINITE = _SQUARE @ _SQUARE.T + Tensor(np.eye(300, dtype=np.float32)) * 9
_LINE = Tensor(np.r_[np.full((1 << 21) - 1, 1.5), 1e30].astype(np.float32))  # of one bucket but for one element
_SIGNAL = _LINE.reshape((1, 1, -1))
_ROWS = Tensor(np.ones((1 << 21, 3), np.bool_))
_NUMBER = Tensor(np.zeros((), np.float32))

# Calls of C++ alone, each of work that no job of the pool is cut from.
_CALLS: dict[str, functools.partial[Any]] = {
    name: functools.partial(core.op_table[name.split()[0]], *operands)
    for name, operands in {
        **{name: (_SQUARE,) for name in ("svd", "svdvals", "qr", "geqrf", "eigh", "eig", "lu_factor", "matrix_exp")},
        **{"pinv": (_SQUARE, _NUMBER), "solve": (_SQUARE, _SQUARE), "cholesky_factor": (_DEFINITE,)},
        **{"svd of several": (_SQUARE.broadcast_to((3, 300, 300)),), "triangular_solve": (_SQUARE, _SQUARE)},
        **{"sort": (_LINE,), "topk": (_LINE, 4), "cumsum": (_LINE, 0), "cummax": (_LINE, 0)},
        **{"cumsum of columns": (_LINE.reshape((-1, 2)), 0), "true_positions": (_ROWS, 10 << 20)},
        **{"max_pool_with_indices": (_SIGNAL, (16,), (1,)), "avg_pool_forward": (_SIGNAL, (16,), (1,))},
        **{"max_pool_with_indices of few": (_SIGNAL, (1 << 20,), (1 << 20,))},
        **{"adaptive_avg_pool_forward": (_SIGNAL, (1 << 20,)), "exp": (_LINE,)},
    }.items()
}
_CALLS["crc32c"] = functools.partial(core.crc32c, bytes(40 << 20), 40 << 20)


def interrupted(call: Callable[[], Any]) -> bool:
    """Whether a call ends by the interrupt that is there as it begins."""
    results: list[Any] = []
    time.sleep(ASKED)
    try:
        results.extend(map(operator.call, [_thread.interrupt_main, call]))
    except KeyboardInterrupt:
        return len(results) < 2
    raise AssertionError("the signal is lost")


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    ms.set_context(pynative_synchronize=True)
    ms.set_num_threads(1)  # another thread could do all of a short job before this one asks
    try:
        yield
    finally:
        ms.set_num_threads(len(os.sched_getaffinity(0)))
        ms.set_context(pynative_synchronize=False)
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", _CALLS)
def test_it_asks(name: str) -> None:
    assert interrupted(_CALLS[name])
    assert _CALLS[name]() is not None  # and works again


def test_a_layer_over_steps_asks() -> None:
    operands, attributes, _ = core.samples("lstm_layer")[0]
    steps = operands[0]["shape"][0]
    gates = {**operands[0], "shape": [500 if size == steps else size for size in operands[0]["shape"]]}
    rng = np.random.default_rng(1)
    arguments = arguments_of("lstm_layer", [made(o, rng) for o in (gates, *operands[1:])], attributes, [])
    assert interrupted(functools.partial(core.op_table["lstm_layer"], **arguments))


def test_a_file_that_is_interrupted_is_not_there(tmp_path: Path) -> None:
    write = functools.partial(core.write_file, bytes(tmp_path / "x"), [b"x" * 100])
    assert interrupted(write)
    assert list(tmp_path.iterdir()) == []
    write()
    assert (tmp_path / "x").read_bytes() == b"x" * 100
