"""The CPU as a device."""

from __future__ import annotations

import sys

from emberjit import runtime


def threads_num(num: int) -> None:
    """Sets the number of threads of kernels.

    Raises:
        TypeError: no int.
        ValueError: not positive.
    """
    runtime._check_positive("threads_num", "num", num)
    runtime.set_num_threads(num)


def is_available() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1."""
    return 1


device = op_tuning = sys.modules[__name__]  # the submodules that MindSpore has these in
