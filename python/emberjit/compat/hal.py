"""What there is of devices, by `device_target`: the CPU; None stands for it. `runtime` has the same functions without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import runtime, streams
from emberjit.checks import check_int
from emberjit.runtime import empty_cache, synchronize  # noqa: F401
from emberjit.streams import *  # noqa: F403

_TARGETS = ("CPU", "GPU", "Ascend")
_OF_MEMORY = (
    *("max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats"),
    *("memory_summary", "reset_max_memory_allocated", "reset_max_memory_reserved", "reset_peak_memory_stats"),
)

__all__ = [
    *streams.__all__,
    *("device_count", "empty_cache", "get_arch_list", "get_device_capability", "get_device_name"),
    *("get_device_properties", "is_available", "is_initialized", "synchronize"),
    *_OF_MEMORY,
]


def is_available(device_target: str) -> bool:
    """Whether there is such a device.

    Raises:
        ValueError: no such kind exists.
    """
    return _target("is_available", device_target) == "CPU"


def is_initialized(device_target: str) -> bool:
    """Whether such a device is ready: the CPU is.

    Raises:
        ValueError: no such kind exists.
    """
    return _target("is_initialized", device_target) == "CPU"


def device_count(device_target: str | None = None) -> int:
    """1.

    Raises:
        ValueError: there is no such device.
    """
    _present("device_count", device_target)
    return 1


def get_arch_list(device_target: str | None = None) -> None:
    """None: architectures are of other devices.

    Raises:
        ValueError: there is no such device.
    """
    _present("get_arch_list", device_target)


def get_device_capability(device_id: int, device_target: str | None = None) -> None:
    """None: capabilities are of other devices.

    Raises:
        TypeError: device_id is no int.
        ValueError: there is no such device.
    """
    _device("get_device_capability", device_id, device_target)


def get_device_properties(device_id: int, device_target: str | None = None) -> None:
    """None: properties are of other devices.

    Raises:
        TypeError: device_id is no int.
        ValueError: there is no such device.
    """
    _device("get_device_properties", device_id, device_target)


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """ "CPU".

    Raises:
        TypeError: device_id is no int.
        ValueError: there is no such device.
    """
    _device("get_device_name", device_id, device_target)
    return "CPU"


def _target(function: str, device_target: str | None) -> str:
    if device_target not in _TARGETS:
        raise ValueError(f"For 'hal.{function}', 'device_target' must be one of {_TARGETS}, but got {device_target!r}.")
    return str(device_target)


def _present(function: str, device_target: str | None) -> None:
    if device_target is not None and _target(function, device_target) != "CPU":
        raise ValueError(f"For 'hal.{function}', 'device_target' must be 'CPU', but got {device_target!r}.")


def _device(function: str, device_id: Any, device_target: str | None) -> None:
    _present(function, device_target)
    check_int(f"hal.{function}", "device_id", device_id)
    if device_id != 0:
        raise ValueError(f"For 'hal.{function}', 'device_id' must be less than device count: 1, but got {device_id}.")


def _of_memory(name: str) -> Callable[..., Any]:
    plain = getattr(runtime, name)

    def query(device_target: str | None = None) -> Any:
        _present(name, device_target)
        return plain()

    query.__name__ = query.__qualname__ = name
    query.__doc__ = f'{plain.__doc__ or ""}\n\nArgs:\n    device_target: "CPU" or None.\n\nRaises:\n    ValueError: another.'
    return query


globals().update({name: _of_memory(name) for name in _OF_MEMORY})
