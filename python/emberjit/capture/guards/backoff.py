"""When calls that find no graph are captured. A call with values that have missed before is: a graph for these will be used
again. Of others, graphs that depend on what changes all the time are not used again: from then on captures are to take a
small part of the time that the function takes in Python, and a smaller one for each capture that has not paid. Whoever runs
in Python for that is told once what guard keeps failing.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.code.libraries import written_by_user
from emberjit.capture.guards.misses import BY_ARGUMENTS, Miss, learn, note

FREE_CAPTURES = 6  # at first
HITS_EACH = 16  # further ones, if graphs are used that often
LEFT_OUT, MOST_LEFT_OUT = 15, 1 << 12  # else: misses between two captures; twice as many after one that has not paid,
PYTHON_EACH = 10  # or the time in Python, in times of a capture; twice that after another one, and so on
MAX_PYTHON = 1.0  # second
MAX_PLAIN_CALLS = 1 << 20
UNSERVED = 64  # misses by arguments in a row, after which only each sixteenth call is looked at
MAX_TAUGHT = 32  # captures beyond these for what misses have taught
MAX_KNOWN = 1 << 12  # calls that are remembered to have missed
MAX_UNPAID = 64  # captures of these in turn that no call has used


class Backoff:
    """The misses of one function."""

    def __init__(self, free: int = FREE_CAPTURES) -> None:
        self.free, self.captures, self.left_out = free, 0, 0
        self.seconds = 0.0  # of the last capture
        self.hits = 0  # at the last capture
        self.patience = 1  # twice that after each capture that has not paid
        self.known: set[int] = set()  # calls that have missed
        self.unpaid = self.misses = self.taught = 0
        self.miss: Miss | None = None  # the last

    def skips(self, jitted: core.Jit, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether this miss is not captured."""
        self.misses += 1
        taught = False
        if self.left_out and self.miss and self.by_arguments() and self.misses > LEFT_OUT and self.misses % LEFT_OUT:
            self.miss.times += 1
        else:
            self.miss, taught = learn(jitted, args, kwargs)
        if self.miss is not None:
            core.trace(f"[miss f={getattr(jitted, '__name__', '')} guard={self.miss}]")
        again = self._is_known(jitted, args, kwargs)
        self.free += taught and self.taught < MAX_TAUGHT
        self.taught += taught
        free = self.captures < self.free
        used = free or again or jitted.hits >= HITS_EACH * self.captures
        if used or self.left_out >= self._between():
            pays = free or again or jitted.hits - self.hits >= HITS_EACH
            self.patience = 1 if pays else min(2 * self.patience, MAX_PLAIN_CALLS)
            self.captures, self.left_out, self.hits = self.captures + 1, 0, jitted.hits
            return False
        self.left_out += 1
        if self.miss is None:
            self.miss = note(jitted, "calls can be captured", "graphs", "errors that they raise")
        return True

    def by_arguments(self) -> bool:
        """Whether other arguments are what graphs lack."""
        return self.miss is not None and self.miss.kind in BY_ARGUMENTS

    def _is_known(self, jitted: core.Jit, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        if not self.by_arguments():
            return False
        call = core.hash_of_call(args, kwargs, jitted.unfolded)
        if call not in self.known:
            if len(self.known) >= MAX_KNOWN:
                self.known.clear()
            self.known.add(call)
            return False
        self.unpaid = 0 if jitted.hits > self.hits else self.unpaid + 1
        return self.unpaid < MAX_UNPAID

    def plain_calls(self, seconds: float) -> int:
        """How many calls to come are Python's after one that took so long there; the next miss is captured then."""
        if self.by_arguments():
            return 0 if self.left_out < UNSERVED else LEFT_OUT  # others may find their graph
        self.left_out = self._between()
        python_each = min(PYTHON_EACH * self.patience, MAX_PLAIN_CALLS)
        return min(MAX_PLAIN_CALLS, int(min(MAX_PYTHON, python_each * self.seconds) / max(seconds, 1e-7)))

    def _between(self) -> int:
        return min(LEFT_OUT * self.patience, MOST_LEFT_OUT)


def warn(jitted: core.Jit, name: str, miss: Miss | None) -> None:
    """Says once that calls of a function of the user's run in Python, and why."""
    state = jitted.__dict__
    if (
        miss is None
        or not written_by_user(state.get("__module__"))
        or state.setdefault("warned", False)
        or os.environ.get("EMBERJIT_WARN") == "0"
    ):
        return
    state["warned"] = True
    warnings.warn(text_of(name, miss), stacklevel=5)


def text_of(name: str, miss: Miss) -> str:
    """Why calls of a function run in Python."""
    return f"'{name}' was captured anew for each value of something that keeps changing, and runs in Python for now: {miss}."
