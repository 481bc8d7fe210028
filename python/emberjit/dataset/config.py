"""Settings of pipelines: set_seed(), set_num_parallel_workers() and MindSpore's others. Settings without effect here are
stored, and returned."""

from __future__ import annotations

import json
import os
from typing import Any

from emberjit.checks import check_bool, check_choice, check_instance, check_int32
from emberjit.dataset import checks

UNSEEDED = 5489
_DEFAULTS: dict[str, Any] = {
    "seed": UNSEEDED,
    "seedings": 0,
    "num_parallel_workers": None,
    "prefetch_size": 16,
    "numa_enable": False,
    "monitor_sampling_interval": 1000,
    "auto_num_workers": False,
    "callback_timeout": 60,
    "enable_autotune": False,
    "autotune_interval": 0,
    "enable_shared_mem": True,
    "auto_offload": False,
    "enable_watchdog": True,
    "multiprocessing_timeout_interval": 300,
    "dynamic_shape": False,
    "fast_recovery": True,
    "debug_mode": False,
    "debug_hooks": [],
    "iterator_mode": {"do_copy": False, "parallel_convert": False},
    "multiprocessing_start_method": "fork",
    "sending_batches": 0,
    "video_backend": "CPU",
}
_values = dict(_DEFAULTS)


def set_seed(seed: int) -> None:
    """The seed that shuffles and random operations follow from, of pipelines iterated from now on.

    Raises:
        TypeError: seed is no int.
        ValueError: it is no number of 32 bits.
    """
    import random

    import numpy as np

    _values["seed"] = check_int32("set_seed", "seed", seed, 0, 2**32 - 1)
    _values["seedings"] += 1
    random.seed(seed)
    np.random.seed(seed)


def get_seed() -> int:
    """The seed: that of set_seed() here, else mindspore.set_seed()'s, else 5489, which stands for none."""
    from emberjit import generator

    return int(_values["seed"] if _values["seed"] != UNSEEDED else (generator.get_seed() or UNSEEDED))


def seeding() -> tuple[int, int] | None:
    """The seed, and how often one was set; None if none was."""
    from emberjit import generator

    return (get_seed(), _values["seedings"] + generator.seedings()) if is_seeded() else None


def is_seeded() -> bool:
    """Whether a seed was set."""
    return get_seed() != UNSEEDED


def set_num_parallel_workers(num: int) -> None:
    """The number of workers of steps that do not set it. The order of the rows of several files may depend on it, as of
    TextFileDataset.

    Raises:
        TypeError: num is no int.
        ValueError: it is below 1.
    """
    _values["num_parallel_workers"] = check_int32("set_num_parallel_workers", "num", num, 1)


def get_num_parallel_workers() -> int:
    """The number of workers of steps that do not set it: as many as there are CPUs, 8 at most, unless set."""
    return int(_values["num_parallel_workers"] or min(8, len(os.sched_getaffinity(0))))


def set_prefetch_size(size: int) -> None:
    """How many rows threads may be ahead, at least one each. Processes get parts of up to as many rows each: they have two
    at once, and a third may be ready for them.

    Raises:
        TypeError: size is no int.
        ValueError: it is below 1.
    """
    _values["prefetch_size"] = check_int32("set_prefetch_size", "size", size, 1)


def get_prefetch_size() -> int:
    """How many rows threads may be ahead. See set_prefetch_size()."""
    return int(_values["prefetch_size"])


def set_enable_shared_mem(enable: bool) -> None:
    """Whether processes hand over large arrays through shared memory."""
    _values["enable_shared_mem"] = check_bool("set_enable_shared_mem", "enable", enable)


def get_enable_shared_mem() -> bool:
    """Whether processes hand over large arrays through shared memory."""
    return bool(_values["enable_shared_mem"])


def set_multiprocessing_start_method(start_method: str = "fork") -> None:
    """How processes start: "fork" or "spawn"; what spawned ones run has to be picklable."""
    method = check_instance("set_multiprocessing_start_method", "start_method", start_method, str)
    choices = ("fork", "spawn")
    _values["multiprocessing_start_method"] = check_choice(
        "set_multiprocessing_start_method", "start_method", method, *choices
    )


def get_multiprocessing_start_method() -> str:
    """How processes start."""
    return str(_values["multiprocessing_start_method"])


def set_numa_enable(numa_enable: bool) -> None:
    """Kept; memory is bound to no node."""
    _values["numa_enable"] = check_bool("set_numa_enable", "numa_enable", numa_enable)


def get_numa_enable() -> bool:
    """What set_numa_enable() set."""
    return bool(_values["numa_enable"])


def set_monitor_sampling_interval(interval: int) -> None:
    """Kept; there is no monitor."""
    _values["monitor_sampling_interval"] = check_int32("set_monitor_sampling_interval", "interval", interval, 1)


def get_monitor_sampling_interval() -> int:
    """What set_monitor_sampling_interval() set."""
    return int(_values["monitor_sampling_interval"])


def set_auto_num_workers(enable: bool) -> None:
    """Kept; the number of workers is as many as there are CPUs unless set."""
    _values["auto_num_workers"] = check_bool("set_auto_num_workers", "enable", enable)


def get_auto_num_workers() -> bool:
    """What set_auto_num_workers() set."""
    return bool(_values["auto_num_workers"])


def set_callback_timeout(timeout: int) -> None:
    """How many seconds a callback may be waited for."""
    _values["callback_timeout"] = check_int32("set_callback_timeout", "timeout", timeout, 1)


def get_callback_timeout() -> int:
    """How many seconds a callback may be waited for."""
    return int(_values["callback_timeout"])


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Kept; nothing is tuned, so no file is written.

    Raises:
        RuntimeError: a file is asked for.
    """
    if filepath_prefix is not None:
        raise RuntimeError(
            f"For 'set_enable_autotune', 'filepath_prefix' must be None: nothing is tuned, but got {filepath_prefix!r}."
        )
    _values["enable_autotune"] = check_bool("set_enable_autotune", "enable", enable)


def get_enable_autotune() -> bool:
    """What set_enable_autotune() set."""
    return bool(_values["enable_autotune"])


def set_autotune_interval(interval: int) -> None:
    """Kept; nothing is tuned."""
    _values["autotune_interval"] = check_int32("set_autotune_interval", "interval", interval)


def get_autotune_interval() -> int:
    """What set_autotune_interval() set."""
    return int(_values["autotune_interval"])


def set_auto_offload(offload: bool) -> None:
    """Kept; operations run on the CPU, as all does."""
    _values["auto_offload"] = check_bool("set_auto_offload", "offload", offload)


def get_auto_offload() -> bool:
    """What set_auto_offload() set."""
    return bool(_values["auto_offload"])


def set_enable_watchdog(enable: bool) -> None:
    """Kept; that a worker died is noticed at once."""
    _values["enable_watchdog"] = check_bool("set_enable_watchdog", "enable", enable)


def get_enable_watchdog() -> bool:
    """What set_enable_watchdog() set."""
    return bool(_values["enable_watchdog"])


def set_multiprocessing_timeout_interval(interval: int) -> None:
    """After how many seconds without a row from a process a warning is given."""
    _values["multiprocessing_timeout_interval"] = check_int32(
        "set_multiprocessing_timeout_interval", "interval", interval, 1
    )


def get_multiprocessing_timeout_interval() -> int:
    """After how many seconds without a row from a process a warning is given."""
    return int(_values["multiprocessing_timeout_interval"])


def set_dynamic_shape(is_dynamic: bool) -> None:
    """Kept; shapes may differ from row to row."""
    _values["dynamic_shape"] = check_bool("set_dynamic_shape", "is_dynamic", is_dynamic)


def get_dynamic_shape() -> bool:
    """What set_dynamic_shape() set."""
    return bool(_values["dynamic_shape"])


def set_fast_recovery(fast_recovery: bool) -> None:
    """Kept; a pipeline starts at any row with the random numbers it would have had."""
    _values["fast_recovery"] = check_bool("set_fast_recovery", "fast_recovery", fast_recovery)


def get_fast_recovery() -> bool:
    """What set_fast_recovery() set."""
    return bool(_values["fast_recovery"])


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[Any] | None = None) -> None:
    """Whether all runs in the main thread, with seed 1 if none was set.

    Raises:
        TypeError: no bool.
        RuntimeError: hooks are given, which there are none of.
    """
    if debug_hook_list:
        raise RuntimeError(
            f"For 'set_debug_mode', 'debug_hook_list' must be empty: there are no hooks, but got {debug_hook_list}."
        )
    _values["debug_mode"] = check_bool("set_debug_mode", "debug_mode_flag", debug_mode_flag)
    if debug_mode_flag and not is_seeded():
        set_seed(1)


def get_debug_mode() -> bool:
    """Whether all runs in the main thread."""
    return bool(_values["debug_mode"])


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Whether iterators copy by default. parallel_convert has no effect."""
    _values["iterator_mode"] = {
        "do_copy": check_bool("set_iterator_mode", "do_copy", do_copy),
        "parallel_convert": check_bool("set_iterator_mode", "parallel_convert", parallel_convert),
    }


def get_iterator_mode() -> dict[str, bool]:
    """What set_iterator_mode() set."""
    return dict(_values["iterator_mode"])


def set_sending_batches(batch_num: int) -> None:
    """Kept; nothing is sent to a device."""
    _values["sending_batches"] = check_int32("set_sending_batches", "batch_num", batch_num)


def set_video_backend(backend: str) -> None:
    """Kept; videos are not decoded."""
    _values["video_backend"] = check_choice("set_video_backend", "backend", backend, "CPU", "Ascend")


def get_video_backend() -> str:
    """What set_video_backend() set."""
    return str(_values["video_backend"])


def load(file: str) -> None:
    """Sets the settings of a JSON file, an object of values by name, with or without MindSpore's camelCase.

    Raises:
        ValueError: it has something that is no setting.
    """
    with open(checks.file("load", "file", file), encoding="utf-8") as stream:
        settings = json.load(stream)
    spelled = {name.replace("_", ""): name for name in _DEFAULTS if name != "seedings"}
    for key, value in settings.items():
        name = spelled.get(key.replace("_", "").lower())
        if name is None:
            raise ValueError(f"For 'load', the file '{file}' has '{key}', which is no setting.")
        _values[name] = value
