"""Which steps of a program are recorded.

skip_first | wait, warmup, active | wait, warmup, active | ... (repeat times; 0: until the end)
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from emberjit.log import warning


class ProfilerAction(Enum):
    """What a profiler does during a step."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3  # the last of a cycle


class schedule:
    """The action of each step, by its number from 0 on.

    Args:
        wait: how many steps of a cycle are left out.
        active: how many are recorded, one at least.
        warmup: how many run in between.
        repeat: how many cycles; 0: until the end.
        skip_first: how many steps come before the first cycle.

    A value that is no such int is replaced, with a warning, by the default (1 for active), as MindSpore does.
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0):
        self.wait = _count("wait", wait, 0)
        self.active = _count("active", active, 1)
        self.warmup = _count("warmup", warmup, 0)
        self.repeat = _count("repeat", repeat, 0)
        self.skip_first = _count("skip_first", skip_first, 0)

    def __call__(self, step: int) -> ProfilerAction:
        """The action of a step.

        Raises:
            ValueError: step is negative.
        """
        if step < 0:
            raise ValueError(f"For 'schedule', the step must not be negative, but got {step}.")
        cycle, at = divmod(step - self.skip_first, self.wait + self.warmup + self.active)
        if cycle < 0 or (self.repeat and cycle >= self.repeat) or at < self.wait:
            return ProfilerAction.NONE
        if at < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        last = at == self.wait + self.warmup + self.active - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value}" for name, value in self.to_dict().items())
        return f"Schedule({shown})"

    def to_dict(self) -> dict[str, int]:
        """The numbers by name."""
        names = ("wait", "active", "warmup", "repeat", "skip_first")
        return {name: getattr(self, name) for name in names}


def _count(name: str, value: Any, least: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    warning(f"For 'schedule', '{name}' must be an int that is at least {least}, but got {value!r}: {least} is taken.")
    return least
