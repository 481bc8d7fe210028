"""The one device: its streams and events, what hal tells of it, sharding over it, processes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, hal, multiprocessing, ops, parallel, runtime


def test_streams_are_one_and_events_are_times() -> None:
    stream = runtime.Stream()
    with runtime.StreamCtx(stream):
        begin = runtime.Event(enable_timing=True)
        begin.record()
        ops.matmul(ops.ones((200, 200)), ops.ones((200, 200)))
        end = stream.record_event(runtime.Event(enable_timing=True))
    assert 0 < begin.elapsed_time(end) < 1e4 and end.elapsed_time(begin) < 0
    stream.wait_event(end)
    stream.wait_stream(ms.current_stream())
    end.wait(stream)
    assert stream == hal.default_stream() == runtime.communication_stream() and {stream} == {ms.Stream()}
    assert stream.query() and end.query() and stream.synchronize() is None and end.synchronize() is None


def test_what_hal_tells() -> None:
    assert (hal.is_available("CPU"), hal.is_available("GPU"), hal.is_initialized("Ascend")) == (True, False, False)
    assert (hal.device_count(), hal.get_device_name(0, "CPU"), hal.get_device_properties(0)) == (1, "CPU", None)
    held = ops.ones((1 << 20,))
    assert hal.memory_allocated() == runtime.memory_allocated() >= held.nbytes
    assert hal.memory_stats("CPU") == runtime.memory_stats()
    assert all(callable(getattr(hal, name)) for name in hal.__all__)


def test_settings_of_the_search_are_kept() -> None:
    ms.set_algo_parameters(fully_use_devices=True, algo_approxi_epsilon=0.5)
    assert parallel.get_algo_parameters("fully_use_devices") is True
    parallel.reset_algo_parameters()
    assert (ms.get_algo_parameters("fully_use_devices"), ms.get_algo_parameters("algo_approxi_epsilon")) == (False, 0.1)


def test_a_function_in_one_part_is_itself() -> None:
    assert ms.shard(ops.relu, ((1, 1),), (1,), {"w": (1,)}) is ops.relu
    layout = ms.Layout((1, 1), ("a", "b"))
    assert layout("a", "None").tensor_map == ("a", "None") and ms.shard(ops.relu, (layout("a", "b"),)) is ops.relu


def _double(x: Tensor, queue: Any) -> None:
    queue.put((x * 2).asnumpy())


def test_tensors_go_between_processes() -> None:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_double, args=(Tensor([1.0, 2.0]), queue))
    process.start()
    np.testing.assert_array_equal(queue.get(timeout=60), np.float32([2, 4]))
    process.join()


BAD = [
    (lambda: runtime.Stream("x"), TypeError, "'priority' should be int"),
    (lambda: runtime.StreamCtx(3), TypeError, "'ctx_stream' should be Stream"),
    (lambda: runtime.Event(enable_timing=1), TypeError, "'enable_timing' should be bool"),
    (lambda: runtime.Event().elapsed_time(runtime.Event()), RuntimeError, "enable_timing=True"),
    (lambda: runtime.Event(True).elapsed_time(runtime.Event(True)), RuntimeError, "must be recorded"),
    (lambda: runtime.Stream().record_event(3), TypeError, "'event' should be Event"),
    (lambda: hal.device_count("GPU"), ValueError, "'device_target' must be 'CPU', but got 'GPU'"),
    (lambda: hal.is_available("X"), ValueError, "must be one of"),
    (lambda: hal.get_device_name(1), ValueError, "less than device count: 1"),
    (lambda: hal.get_device_name("0"), TypeError, "'device_id' must be an int"),
    (lambda: hal.memory_stats("Ascend"), ValueError, "'device_target' must be 'CPU'"),
    (lambda: ms.set_algo_parameters(foo=1), ValueError, "keyword foo is not recognized"),
    (lambda: ms.set_algo_parameters(fully_use_devices=1), TypeError, "must be bool"),
    (lambda: ms.shard(ops.relu, ((2, 1),)), ValueError, "there is one device"),
    (lambda: ms.shard(3, ((1,),)), TypeError, "'fn' must be a function"),
    (lambda: ms.Layout([1], ("a",)), TypeError, "'device_matrix' must be a tuple"),
    (lambda: ms.Layout((1, 2), ("a", "a")), ValueError, "'alias_name' must name each"),
    (lambda: ms.Layout((1, 2), ("a", "b"), [0]), ValueError, "'rank_list' must be a list of 2"),
    (lambda: ms.Layout((1,), ("a",))("c"), ValueError, "must be among"),
]


@pytest.mark.parametrize("call, error, message", BAD)
def test_bad_input_is_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()
