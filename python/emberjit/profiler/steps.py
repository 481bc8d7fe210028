"""Which steps of a program are recorded.

skip_first | wait, warmup, active | wait, warmup, active | ... (repeat times; 0: until the end)
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from emberjit.log import warning


class ProfilerAction(Enum):
    """What a profiler does during a step of the program.

    Attributes:
        NONE: nothing.
        WARM_UP: nothing; here there is nothing to warm up.
        RECORD: it records.
        RECORD_AND_SAVE: it records, and then the profile is complete: the last step of a cycle.

    Examples:
        >>> plan = ms.profiler.schedule(wait=1, active=1)
        >>> print(plan(0), plan(1))
        ProfilerAction.NONE ProfilerAction.RECORD_AND_SAVE
    """

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3  # the last of a cycle


class schedule:
    """Chooses the steps of a program that a profiler records: first skip_first steps pass, then cycles follow of wait,
    warmup and active steps, of which the active ones are recorded. A value that is no such int is replaced, with a
    warning, by the least.

    Args:
        wait: the number of steps of a cycle that are left out first, at least 0.
        active: the number that is recorded, at least 1.
        warmup: the number in between, which are left out as well, at least 0.
        repeat: the number of cycles; 0: until the end.
        skip_first: the number of steps before the first cycle, at least 0.

    Examples:
        >>> plan = ms.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> print([plan(step).name for step in range(5)])
        ['NONE', 'WARM_UP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0):
        self.wait = _count("wait", wait, 0)
        self.active = _count("active", active, 1)
        self.warmup = _count("warmup", warmup, 0)
        self.repeat = _count("repeat", repeat, 0)
        self.skip_first = _count("skip_first", skip_first, 0)

    def __call__(self, step: int) -> ProfilerAction:
        """Returns the action of a step.

        Args:
            step: the number of the step, from 0 on.

        Raises:
            ValueError: it is negative.
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
