"""Random programs, run in Python and by every way of capture: they must return, raise and change the same.

    python tests/python/generated/random_programs.py [SECONDS] [--kind KIND] [--first SEED]

prints the programs that differ, and now and then how many there were. One that found a bug goes into the folder
`kept_programs`, which the tests replay.
"""

from __future__ import annotations

import argparse
import itertools
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any

import random_cells
import random_control
import random_effects
import random_operators
import random_sizes
import random_state
import random_view_gradients
import random_views
from programs import differences

KINDS = {
    "cells": random_cells.write,
    "control": random_control.write,
    "state": random_state.write,
    "effects": random_effects.write,
    "operators": random_operators.write,
    "sizes": random_sizes.write,
    "replay": random_sizes.write_replay,
    "views": random_views.write,
    "gradients": random_view_gradients.write,
}
TELL_EVERY = 30.0  # seconds
MAX_BAD = 5


class TimeUp(BaseException):
    """Raised in the middle of a program when the time is over."""


def differing(kind: str, seed: int) -> list[str]:
    """What differs in the program of a seed, with its text."""
    text = KINDS[kind](seed)
    try:
        found = differences(text, f"<{kind} {seed}>")
    except Exception:
        found = [traceback.format_exc()]
    return [f"# {kind} {seed}", text, *found] if found else []


def run(kinds: list[str], first: int) -> Iterator[list[str]]:
    """What differs in each program, kind by kind in turn, of seeds from `first` on."""
    for seed in itertools.count(first):
        for kind in kinds:
            yield differing(kind, seed)


def main() -> None:
    """Tries programs until the time is over or five differ."""
    parser = argparse.ArgumentParser(description="Random programs, in Python and captured.")
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    args = parser.parse_args()

    def time_up(*_: Any) -> None:
        raise TimeUp

    tried, bad, told = 0, 0, time.time()
    signal.signal(signal.SIGALRM, time_up)
    signal.setitimer(signal.ITIMER_REAL, args.seconds)
    try:
        for found in run(args.kind or list(KINDS), args.first):
            tried += 1
            if found:
                bad += 1
                print("\n".join(found), flush=True)
            if bad == MAX_BAD:
                break
            if time.time() - told > TELL_EVERY:
                told = time.time()
                print(f"{tried} programs, {bad} differ", flush=True)
    except TimeUp:
        pass
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(f"{tried} programs, {bad} differ")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
