"""set_auto_parallel_context's options as an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit.context import get_auto_parallel_context, is_auto_parallel_set, set_auto_parallel_context


class _AutoParallelContext:
    """Of each option X of set_auto_parallel_context it has get_X() and set_X(value)."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb, _, option = name.partition("_")
        if verb not in ("get", "set"):
            raise AttributeError(f"'auto_parallel_context()' has no attribute '{name}'", name=name)
        if verb == "get":
            return lambda: get_auto_parallel_context(option)
        return lambda value: set_auto_parallel_context(**{option: value})

    def get_device_num_is_set(self) -> bool:
        """Whether device_num was given."""
        return is_auto_parallel_set("device_num")

    def set_all_reduce_fusion_split_indices(self, indices: list[int], group: str = "") -> None:
        """Says which gradients are sent together, of which none are."""
        set_auto_parallel_context(all_reduce_fusion_config=indices)


_context = _AutoParallelContext()


def auto_parallel_context() -> _AutoParallelContext:
    """The options as an object."""
    return _context
