"""Random numbers of pipelines. What a row's operations draw depends on the seed, the step, the epoch and the row's index:
not on who computes it, nor on what was computed before."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np

from emberjit.dataset import config

Key = tuple[int, ...]


def generator_of(seed: int, key: Key) -> np.random.Generator:
    """The stream of a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


class _Current(threading.local):
    stream: tuple[int, Key] | None = None  # what is drawn from: a seed and a key
    begun: tuple[int, Key] | None = None  # the same, once it was drawn from
    generator: np.random.Generator


_current = _Current()
_eager: list[Any] = [None, None]  # the seeding and the generator of calls outside of pipelines


def begin(seed: int, key: Key, globally: bool = False) -> None:
    """From now on this thread draws from the stream of a key; globally: and so do random and numpy.random."""
    _current.stream = seed, key
    if globally:
        state = np.random.SeedSequence(seed, spawn_key=key).generate_state(2)
        random.seed(int(state[0]))
        np.random.seed(state[1])


def end() -> None:
    """This thread draws from no key's stream any longer."""
    _current.stream = None


def draws() -> np.random.Generator:
    """The stream to draw from now."""
    stream = _current.stream
    if stream is not None:
        if _current.begun is not stream:
            _current.generator, _current.begun = generator_of(*stream), stream
        return _current.generator
    seeding = config.seeding()
    if _eager[1] is None or _eager[0] != seeding:
        _eager[:] = seeding, np.random.default_rng(seeding and seeding[0])
    generator: np.random.Generator = _eager[1]
    return generator
