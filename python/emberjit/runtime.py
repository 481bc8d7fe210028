"""Settings of the runtime: threads, memory; and what it did."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.streams import *  # noqa: F403


def set_num_threads(count: int) -> None:
    """Sets the number of threads of kernels.

    Raises:
        ValueError: below 1.
    """
    core.set_threads(count)


def memory_stats() -> dict[str, int]:
    """Bytes: live (held by tensors), peak, cached (kept for reuse), limit (0: none), packed (of live: copies of weights in
    the form that kernels read, kept while the weights do not change; fewer than 256 MiB)."""
    return dict(core.memory_stats())


def set_memory_limit(limit: int) -> None:
    """Sets the most bytes that tensors may hold; an allocation beyond raises MemoryError. 0: no limit."""
    core.set_memory_limit(limit)


def compile_stats() -> dict[str, int]:
    """How often native code was left, by reason, since the start."""
    return dict(core.deopt_counts())


STRICT, COMPATIBLE, LAX = range(3)  # of options such as jit_syntax_level


def get_current_device() -> tuple[str, int]:
    """The device and its number: ("CPU", 0)."""
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
    """
    if device_target is not None and not isinstance(device_target, str):
        raise TypeError(f"For 'set_device', the argument 'device_target' must be a str, but got {device_target!r}.")
    if device_target in ("GPU", "Ascend"):
        raise RuntimeError(f"For 'set_device', the device {device_target!r} is not supported: there is the CPU.")
    if device_target != "CPU":
        raise ValueError(f"For 'set_device', the argument 'device_target' must be 'CPU', but got {device_target!r}.")
    if device_id is not None and not isinstance(device_id, int):
        raise TypeError(f"For 'set_device', the argument 'device_id' must be an int, but got {device_id!r}.")
    if device_id is not None and device_id < 0:
        raise ValueError(f"For 'set_device', the argument 'device_id' must be at least 0, but got {device_id}.")


def set_deterministic(deterministic: bool) -> None:
    """Does nothing: equal programs give equal results, on any number of threads.

    Raises:
        TypeError: no bool.
    """
    if not isinstance(deterministic, bool):
        raise TypeError(f"For 'set_deterministic', 'deterministic' must be a bool, but got {deterministic!r}.")


def check_positive(name: str, argument: str, value: Any) -> None:
    """
    Raises:
        TypeError: value is no int.
        ValueError: it is not positive.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"For '{name}', '{argument}' must be an int, but got {value!r}.")
    if value <= 0:
        raise ValueError(f"For '{name}', '{argument}' must be positive, but got {value}.")


def dispatch_threads_num(threads_num: int) -> None:
    """Does nothing: ops run on the thread that calls them and the threads of kernels.

    Raises:
        TypeError: no int.
        ValueError: not positive.
    """
    check_positive("dispatch_threads_num", "threads_num", threads_num)


def launch_blocking() -> None:
    """Does nothing: ops are done when they return."""


def synchronize() -> None:
    """Does nothing: ops are done when they return."""


def empty_cache() -> None:
    """Gives memory that is kept for reuse back to the system."""
    core.trim_memory()


def memory_allocated() -> int:
    """Bytes that tensors hold."""
    return int(core.memory_stats()["live"])


def memory_reserved() -> int:
    """Bytes that tensors hold, and that are kept for reuse."""
    stats = core.memory_stats()
    return int(stats["live"] + stats["cached"])


def max_memory_allocated() -> int:
    """The most bytes that tensors held at once, since the start or reset_peak_memory_stats()."""
    return int(core.memory_stats()["peak"])


def max_memory_reserved() -> int:
    """The most bytes that tensors held at once, and those that are kept for reuse now."""
    stats = core.memory_stats()
    return int(stats["peak"] + stats["cached"])


def reset_peak_memory_stats() -> None:
    """Lets max_memory_allocated() count from now on."""
    core.reset_peak()


reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


def memory_summary() -> str:
    """memory_stats() as a table."""
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

    Raises:
        ValueError: max_size is no number of GB, MB or KB.
    """
    from emberjit.context import set_context

    set_context(max_device_memory=max_size)


def run_check() -> None:
    """Multiplies two matrices and prints whether the product is right."""
    import numpy as np

    left, right = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 2), np.float32)
    product = core.op_table["matmul"](core.Tensor(left), core.Tensor(right)).asnumpy()
    if not np.array_equal(product, left @ right):
        raise RuntimeError("the product of two matrices is wrong: emberjit has not been installed rightly")
    print("The result of multiplication calculation is correct, emberjit has been installed on platform [CPU] successfully!")
