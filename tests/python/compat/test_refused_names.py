"""Names of what is not there: they can be imported, and their use says why. And what stands for devices with one of them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, boost, nn, ops, runtime
from emberjit.nn.distributed import AutoParallel, DistributedDataParallel
from emberjit.parallel import _cost_model_context, _ps_context, _utils
from emberjit.parallel._auto_parallel_context import auto_parallel_context

MODULES = {
    **{"boost": "boost", "nn.distributed": "nn", "ops.unavailable": "ops", "train.callback.unavailable": "train"},
    **{"train.unavailable": "", "runtime": "runtime", "utils": "utils"},
    **{"rewrite": "rewrite", "safeguard": "safeguard"},
}
NAMES = [(module, name) for module in MODULES for name in importlib.import_module(f"emberjit.{module}")._why]


@pytest.mark.parametrize("module, name", NAMES, ids=[".".join(pair) for pair in NAMES])
def test_names_say_why(module: str, name: str) -> None:
    scope = MODULES[module]
    found = getattr(importlib.import_module(f"emberjit.{module}"), name)
    assert found.__name__ == name and found.__module__ == ".".join(["emberjit", *([scope] if scope else [])])
    assert found.__doc__.startswith("It ")
    with pytest.raises(NotImplementedError, match=f"emberjit has no '(\\w+\\.)?{name}': it "):
        found(Tensor([1.0]), 3)


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="Did you mean: 'SymbolTree'"):
        ms.rewrite.SymbolTre


WORKING: dict[str, Callable[[], Any]] = {
    "kernel groups": lambda: runtime.set_kernel_launch_group(2, 8),
    "captures of kernels": lambda: runtime.set_kernel_launch_capture(True, ["Add"]),
    "memory": lambda: ms.ms_memory_recycle(),
    "no affinity": lambda: runtime.set_cpu_affinity(False, ["0-1"]),
    "costs": lambda: _cost_model_context.set_cost_model_context(costmodel_alpha=2.0),
    "indices": lambda: auto_parallel_context().set_all_reduce_fusion_split_indices([3, 5]),
}


@pytest.mark.parametrize("name", WORKING)
def test_settings_of_devices(name: str) -> None:
    assert WORKING[name]() is None


def test_affinity() -> None:
    before = os.sched_getaffinity(0)
    first = min(before)
    try:
        ms.set_cpu_affinity(True, [f"{first}-{first}"])
        assert os.sched_getaffinity(0) == {first}
        np.testing.assert_array_equal((ops.ones((64, 64)) @ ops.ones((64, 64))).asnumpy(), np.full((64, 64), 64))
    finally:
        for thread in os.listdir("/proc/self/task"):
            os.sched_setaffinity(int(thread), before)


def test_one_device() -> None:
    with ms.DeviceCtx("CPU") as device:
        assert device.name == "CPU"
    assert _utils._get_device_num() == 1 and _utils._get_parallel_mode() == "stand_alone"
    assert not _utils._is_in_auto_parallel_mode() and not _ps_context._is_role_sched()
    auto_parallel_context().set_gradients_mean(True)
    assert auto_parallel_context().get_gradients_mean() and _utils._get_gradients_mean()
    ms.reset_auto_parallel_context()
    _cost_model_context.reset_cost_model_context()
    assert _cost_model_context.get_cost_model_context("costmodel_alpha") == 1.0
    network = nn.Dense(3, 2)
    x = ops.ones((4, 3))
    parallel = AutoParallel(network)
    parallel.pipeline(stages=1)
    parallel.enable_gradients_mean()
    parallel.save_operator_strategy_file("/a.json")
    for wrapped in (parallel, DistributedDataParallel(network)):
        np.testing.assert_array_equal(wrapped(x).asnumpy(), network(x).asnumpy())
        assert [p.name for p in wrapped.trainable_params()] == [p.name for p in network.trainable_params()]


def test_boost() -> None:
    network = nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss())
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    assert boost.AutoBoost("O0").network_auto_process_train(network, optimizer) == (network, optimizer)
    assert boost.AutoBoost("O2", {"boost": {"mode": "disable_all"}}).network_auto_process_eval(network) is network
    step = boost.BoostTrainOneStepCell(network, optimizer)
    losses = [float(step(ops.ones((4, 3)), ops.zeros((4, 2)))) for _ in range(3)]
    assert losses[2] < losses[0]
    scaled = boost.BoostTrainOneStepWithLossScaleCell(network, optimizer, Tensor(8.0))
    assert float(scaled(ops.ones((4, 3)), ops.zeros((4, 2)))[0]) < losses[2]


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "boost": (lambda: boost.AutoBoost("O1"), NotImplementedError, "grad_freeze, less_bn"),
    "mode": (lambda: boost.AutoBoost("O1", {"boost": {"mode": "some"}}), ValueError, "'some'"),
    "device": (lambda: ms.DeviceCtx("GPU"), RuntimeError, "GPU"),
    "affinity": (lambda: ms.set_cpu_affinity(1), TypeError, "'enable_affinity' must be a bool"),
    "range": (lambda: ms.set_cpu_affinity(True, ["3"]), ValueError, "ranges as '0-3'"),
    "cpus": (lambda: ms.set_cpu_affinity(True, ["100000-100001"]), RuntimeError, "not to be had"),
    "modules": (lambda: ms.set_cpu_affinity(True, None, {"main": [0]}), ValueError, "belong to no modules"),
    "threads": (lambda: ms.set_kernel_launch_group(0), ValueError, "'thread_num' must be positive"),
    "capture": (lambda: ms.set_kernel_launch_capture(1), TypeError, "must be a bool"),
    "stages": (lambda: AutoParallel(nn.ReLU()).pipeline(2), ValueError, "'stages' must be 1"),
    "option": (lambda: auto_parallel_context().get_nothing(), ValueError, "not recognized"),
    "cost": (lambda: _cost_model_context.set_cost_model_context(costmodel_alpha=1), TypeError, "costmodel_alpha"),
    "dump": (lambda: ms.set_dump(5), ValueError, "'target' must be a Cell or Primitive"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        call()


def test_dump_warns() -> None:
    with pytest.warns(UserWarning, match="nothing is written"):
        ms.set_dump(nn.ReLU())
