"""What MindSpore's own code asks of parallelism, and other programs with it."""

from __future__ import annotations

from typing import Any

from emberjit.context import get_auto_parallel_context

_OPTIONS = {
    "_get_device_num": "device_num",
    "_get_enable_parallel_optimizer": "enable_parallel_optimizer",
    "_get_full_batch": "full_batch",
    "_get_global_rank": "global_rank",
    "_get_gradients_mean": "gradients_mean",
    "_get_parallel_mode": "parallel_mode",
    "_get_parameter_broadcast": "parameter_broadcast",
    "_get_pipeline_stages": "pipeline_stages",
}


def _getter(name: str, option: str) -> Any:
    def get() -> Any:
        return get_auto_parallel_context(option)

    get.__name__ = get.__qualname__ = name
    get.__doc__ = f"The option {option} of set_auto_parallel_context."
    return get


for _name, _option in _OPTIONS.items():
    globals()[_name] = _getter(_name, _option)


def _is_in_auto_parallel_mode() -> bool:
    """Whether parallel_mode is "semi_auto_parallel" or "auto_parallel"."""
    return get_auto_parallel_context("parallel_mode") in ("semi_auto_parallel", "auto_parallel")


def _is_in_data_parallel_mode() -> bool:
    """Whether parallel_mode is "data_parallel"."""
    return bool(get_auto_parallel_context("parallel_mode") == "data_parallel")


def _is_sharding_propagation() -> bool:
    """Whether strategies are to be found by propagation of those that are given."""
    by_mode = get_auto_parallel_context("search_mode") == "sharding_propagation"
    return by_mode or bool(get_auto_parallel_context("sharding_propagation"))
