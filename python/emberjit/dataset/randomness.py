"""Random numbers of pipelines. What a row's operations draw depends on the seed, the step, the epoch and the row's index:
not on who computes it, nor on what was computed before."""

from __future__ import annotations

import functools
import random
import threading
from typing import Any

import numpy as np

from emberjit.dataset import config

Key = tuple[int, ...]


def generator_of(seed: int, key: Key) -> np.random.Generator:
    """The stream of a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


class Stream:
    """What is drawn from now."""

    def __init__(self, seed: int, key: Key):
        self.seed, self.key = seed, key

    @functools.cached_property
    def generator(self) -> np.random.Generator:
        """Made when something is drawn."""
        return generator_of(self.seed, self.key)


class _Current(threading.local):
    stream: Stream | None = None


_current = _Current()
_eager: list[Any] = [None, None]  # the seeding and the generator of calls outside of pipelines


def begin(seed: int, key: Key, globally: bool = False) -> Stream | None:
    """From now on this thread draws from the stream of a key; globally: and so do random and numpy.random. Returns what it
    drew from before."""
    outer, _current.stream = _current.stream, Stream(seed, key)
    if globally:
        state = _mixed(_state_of(seed, key[:-1]) + key[-1] * 0x9E3779B97F4A7C15)
        random.seed(state >> 32)
        np.random.seed(state & 0xFFFFFFFF)
    return outer


@functools.lru_cache(64)
def _state_of(seed: int, key: Key) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])


def _mixed(state: int) -> int:
    """64 bits that each depend on all of a state: the output function of splitmix64 (Steele, Lea and Flood, 2014)."""
    state &= 0xFFFFFFFFFFFFFFFF
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return state ^ (state >> 31)


def end(outer: Stream | None) -> None:
    """This thread draws from what it drew from before begin()."""
    _current.stream = outer


def draws() -> np.random.Generator:
    """The stream to draw from now."""
    if _current.stream is not None:
        return _current.stream.generator
    seeding = config.seeding()
    if _eager[1] is None or _eager[0] != seeding:
        _eager[:] = seeding, np.random.default_rng(seeding and seeding[0])
    generator: np.random.Generator = _eager[1]
    return generator
