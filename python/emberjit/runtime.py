"""Settings of the runtime: threads, memory; and what it did."""

from __future__ import annotations

import os
import re
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_int, check_within
from emberjit.compat.unavailable import refusing
from emberjit.context import set_context
from emberjit.streams import *  # noqa: F403

__getattr__, _why = refusing(
    __name__,
    "emberjit.runtime",
    {
        "limits the cores of an Ascend; set_num_threads says how many threads kernels have": """StreamLimitCtx
        get_device_limit get_stream_limit reset_stream_limit set_device_limit set_stream_limit""",
        "allocates memory of devices by functions of a library; Tensors are allocated by mimalloc": """MemPool
        PluggableAllocator use_mem_pool""",
        "shows Tensors that gradients need; recompute() lets a part of a network keep none": """register_saved_tensors_hooks
        saved_tensors_hooks""",
        "repeats what was written of the memory of an Ascend; memory_stats says what there is": "memory_replay",
    },
)
UNAVAILABLE = tuple(_why)


def set_num_threads(count: int) -> None:
    """Sets the number of threads of kernels.

    Args:
        count: how many threads, this one among them.

    Raises:
        TypeError: no int.
        ValueError: below 1.

    Examples:
        >>> ms.runtime.set_num_threads(2)
    """
    core.set_threads(check_int("set_num_threads", "count", count, 1, (1 << 31) - 1))


def memory_stats() -> dict[str, int]:
    """Bytes: live (held by tensors), peak, cached (kept for reuse), limit (0: none), packed (of live: copies of weights in
    the form that kernels read, kept while the weights do not change; fewer than 256 MiB).

    Returns:
        A dict of ints.

    Examples:
        >>> x = ops.ones((256, 256))
        >>> ms.runtime.memory_stats()["live"] >= x.nbytes
        True
    """
    return dict(core.memory_stats())


def set_memory_limit(limit: int) -> None:
    """Sets the most bytes that tensors may hold; an allocation beyond raises MemoryError. 0: no limit.

    Args:
        limit: bytes; 0: no limit.

    Raises:
        TypeError: no int.
        ValueError: below 0.

    Examples:
        >>> ms.runtime.set_memory_limit(2**40)
        >>> ms.runtime.memory_stats()["limit"] == 2**40
        True
        >>> ms.runtime.set_memory_limit(0)
    """
    core.set_memory_limit(check_int("set_memory_limit", "limit", limit, 0, (1 << 63) - 1))


def compile_stats() -> dict[str, int]:
    """How often native code was left, by reason, since the start.

    Returns:
        A dict: counts by reason.

    Examples:
        >>> isinstance(ms.runtime.compile_stats(), dict)
        True
    """
    return dict(core.deopt_counts())


STRICT, COMPATIBLE, LAX = range(3)  # of options such as jit_syntax_level


def get_current_device() -> tuple[str, int]:
    """The device and its number: ("CPU", 0).

    Returns:
        A tuple.

    Examples:
        >>> ms.get_current_device()
        ('CPU', 0)
    """
    return "CPU", 0


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Chooses the device, of which there is one.

    Args:
        device_target: "CPU".
        device_id: the CPU has none; any number is accepted.

    Raises:
        TypeError: device_target is neither a str nor None, or device_id no int.
        ValueError: there is no such device, or device_id is negative.
        RuntimeError: device_target is "GPU" or "Ascend", which are not supported.

    Examples:
        >>> ms.set_device("CPU")
    """
    _check_device("set_device", "device_target", device_target, device_id)


def _check_device(function: str, argument: str, name: Any, device_id: Any) -> None:
    if name is not None and not isinstance(name, str):
        raise TypeError(f"For '{function}', the argument '{argument}' must be a str, but got {name!r}.")
    if name in ("GPU", "Ascend"):
        raise RuntimeError(f"For '{function}', the device {name!r} is not supported: there is the CPU.")
    if name != "CPU":
        raise ValueError(f"For '{function}', the argument '{argument}' must be 'CPU', but got {name!r}.")
    if device_id is not None and not isinstance(device_id, int):
        raise TypeError(f"For '{function}', the argument 'device_id' must be an int, but got {device_id!r}.")
    if device_id is not None and device_id < 0:
        raise ValueError(f"For '{function}', the argument 'device_id' must be at least 0, but got {device_id}.")


class DeviceCtx:
    """Code under `with` runs on a device, of which there is one.

    Args:
        name: "CPU".
        device_id: any number is accepted.

    Raises:
        TypeError: name is no str, or device_id no int.
        ValueError: there is no such device, or device_id is negative.
        RuntimeError: name is "GPU" or "Ascend", which are not supported.

    Examples:
        >>> with ms.runtime.DeviceCtx("CPU"):
        ...     print(ops.ones(2))
        [1. 1.]
    """

    def __init__(self, name: str, device_id: int | None = None):
        _check_device("DeviceCtx", "name", name, device_id)
        self.name, self.device_id = name, device_id

    def __enter__(self) -> DeviceCtx:
        return self

    def __exit__(self, *err: Any) -> None:
        """Does nothing."""


def set_deterministic(deterministic: bool) -> None:
    """Does nothing: equal programs give equal results, on any number of threads.

    Args:
        deterministic: a bool.

    Raises:
        TypeError: no bool.

    Examples:
        >>> ms.set_deterministic(True)
    """
    check_bool("set_deterministic", "deterministic", deterministic)


def _check_positive(name: str, argument: str, value: Any) -> None:
    """
    Raises:
        TypeError: value is no int.
        ValueError: it is not positive.
    """
    check_int(name, argument, value)
    check_within(name, argument, value, above=0)


def dispatch_threads_num(threads_num: int) -> None:
    """Does nothing: ops run on the thread that calls them and the threads of kernels.

    Args:
        threads_num: a positive int.

    Raises:
        TypeError: no int.
        ValueError: not positive.

    Examples:
        >>> ms.runtime.dispatch_threads_num(2)
    """
    _check_positive("dispatch_threads_num", "threads_num", threads_num)


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """Does nothing: kernels run on the thread that calls them and their own, and several threads may call them.

    Args:
        thread_num, kernel_group_num: positive ints.

    Raises:
        TypeError: no int.
        ValueError: not positive.

    Examples:
        >>> ms.runtime.set_kernel_launch_group(2, 8)
    """
    _check_positive("set_kernel_launch_group", "thread_num", thread_num)
    _check_positive("set_kernel_launch_group", "kernel_group_num", kernel_group_num)


def set_kernel_launch_capture(enable_capture_graph: bool, op_capture_skip: list[str] | None = None) -> None:
    """Does nothing: what jit captures runs as a whole.

    Args:
        op_capture_skip: names of ops.
        enable_capture_graph: a bool.

    Raises:
        TypeError: enable_capture_graph is no bool, or op_capture_skip neither a list of strs nor None.

    Examples:
        >>> ms.runtime.set_kernel_launch_capture(True)
    """
    check_bool("set_kernel_launch_capture", "enable_capture_graph", enable_capture_graph)
    if op_capture_skip is not None:
        _check_strs("set_kernel_launch_capture", "op_capture_skip", op_capture_skip)


def _check_strs(function: str, name: str, values: Any) -> None:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"For '{function}', '{name}' must be a list of strs, but got {values!r}.")


def set_cpu_affinity(
    enable_affinity: bool,
    affinity_cpu_list: list[str] | None = None,
    module_to_cpu_dict: dict[str, list[int]] | None = None,
    bind_file: str | None = None,
) -> None:
    """Binds all threads that the process has to some of the CPUs; those that they start stay there, too.

    Args:
        enable_affinity: whether to; False does nothing.
        affinity_cpu_list: ranges of CPUs, as ["0-3", "8-11"]; None or empty: the threads stay where they are.
        module_to_cpu_dict: None or empty: there are no threads of modules.
        bind_file: None, likewise.

    Raises:
        TypeError: an argument of another type.
        ValueError: an item is no range, or module_to_cpu_dict or bind_file is given.
        RuntimeError: there is no such CPU.

    Examples:
        >>> ms.runtime.set_cpu_affinity(False)
    """
    check_bool("set_cpu_affinity", "enable_affinity", enable_affinity)
    if module_to_cpu_dict or bind_file is not None:
        raise ValueError(
            "For 'set_cpu_affinity', 'module_to_cpu_dict' and 'bind_file' must be None: threads belong to no modules."
        )
    _check_strs("set_cpu_affinity", "affinity_cpu_list", affinity_cpu_list or [])
    cpus: set[int] = set()
    for text in affinity_cpu_list or ():
        if not re.fullmatch(r"\d+-\d+", text):
            raise ValueError(f"For 'set_cpu_affinity', 'affinity_cpu_list' must have ranges as '0-3', but got {text!r}.")
        first, last = map(int, text.split("-"))
        cpus.update(range(first, last + 1))
    if not enable_affinity or not cpus:
        return
    for thread in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(thread), cpus)
        except ProcessLookupError:
            pass  # it has ended meanwhile
        except OSError as error:
            raise RuntimeError(f"For 'set_cpu_affinity', the CPUs {sorted(cpus)} are not to be had: {error}.") from None


def launch_blocking() -> None:
    """Does nothing: ops are done when they return.

    Examples:
        >>> ms.runtime.launch_blocking()
    """


def synchronize() -> None:
    """Does nothing: ops are done when they return.

    Examples:
        >>> ms.runtime.synchronize()
    """


def empty_cache() -> None:
    """Gives memory that is kept for reuse back to the system.

    Examples:
        >>> ms.runtime.empty_cache()
    """
    core.trim_memory()


ms_memory_recycle = empty_cache


def memory_allocated() -> int:
    """Bytes that tensors hold.

    Returns:
        An int.

    Examples:
        >>> x = ops.ones((256, 256))
        >>> ms.runtime.memory_allocated() >= x.nbytes
        True
    """
    return int(core.memory_stats()["live"])


def memory_reserved() -> int:
    """Bytes that tensors hold, and that are kept for reuse.

    Returns:
        An int.

    Examples:
        >>> ms.runtime.memory_reserved() >= 0
        True
    """
    stats = core.memory_stats()
    return int(stats["live"] + stats["cached"])


def max_memory_allocated() -> int:
    """The most bytes that tensors held at once, since the start or reset_peak_memory_stats().

    Returns:
        An int.

    Examples:
        >>> x = ops.ones((256, 256))
        >>> ms.runtime.max_memory_allocated() >= x.nbytes
        True
    """
    return int(core.memory_stats()["peak"])


def max_memory_reserved() -> int:
    """The most bytes that tensors held at once, and those that are kept for reuse now.

    Returns:
        An int.

    Examples:
        >>> ms.runtime.max_memory_reserved() >= ms.runtime.max_memory_allocated()
        True
    """
    stats = core.memory_stats()
    return int(stats["peak"] + stats["cached"])


def reset_peak_memory_stats() -> None:
    """Lets max_memory_allocated() count from now on.

    Examples:
        >>> ms.runtime.reset_peak_memory_stats()
    """
    core.reset_peak()


reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


def memory_summary() -> str:
    """memory_stats() as a table.

    Returns:
        A str of several lines.

    Examples:
        >>> print(ms.runtime.memory_summary().splitlines()[1])
        | bytes      |                  |
    """
    rows = [f"| {name:10s} | {value:>16d} |" for name, value in memory_stats().items()]
    line = "|" + "=" * 31 + "|"
    return "\n".join([line, f"| {'bytes':10s} | {'':16s} |", line, *rows, line])


def set_memory(
    init_size: str = "2GB",
    increase_size: str = "2GB",
    max_size: str = "1024GB",
    optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
) -> None:
    """Sets the most memory that tensors may hold, such as "4GB"; the other options concern devices.

    Args:
        max_size: a number of GB, MB or KB, such as "4GB".
        init_size, increase_size, optimize_level, huge_page_reserve_size: of devices; without effect.

    Raises:
        ValueError: max_size is no number of GB, MB or KB.

    Examples:
        >>> ms.runtime.set_memory(max_size="64GB")
        >>> ms.runtime.set_memory_limit(0)
    """
    set_context(max_device_memory=max_size)


def run_check() -> None:
    """Multiplies two matrices and prints whether the product is right.

    Examples:
        >>> ms.run_check()
        The result of multiplication calculation is correct, emberjit has been installed on platform [CPU] successfully!
    """
    import numpy as np

    left, right = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 2), np.float32)
    product = core.ops.matmul(core.Tensor(left), core.Tensor(right)).asnumpy()
    if not np.array_equal(product, left @ right):
        raise RuntimeError("the product of two matrices is wrong: emberjit has not been installed rightly")
    print("The result of multiplication calculation is correct, emberjit has been installed on platform [CPU] successfully!")
