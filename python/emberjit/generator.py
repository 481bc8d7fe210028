"""Streams of random numbers: the process's, and Generators of their own. A stream is a seed and a count of the random ops
that drew from it, so its state is one number of 64 bits."""

from __future__ import annotations

import contextlib
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_int

__all__ = [
    "Generator",
    "default_generator",
    "get_rng_state",
    "get_seed",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
    "set_seed",
]
_STATE_BYTES = 8


class Generator:
    """A stream of random numbers of its own, which functions with the parameter `generator` draw from. A new one is seeded
    from the system's entropy.

    Equal seeds give equal numbers, whatever else the process draws.

    Examples:
        >>> first, second = ms.Generator().manual_seed(7), ms.Generator().manual_seed(7)
        >>> bool((mint.rand(3, generator=first) == mint.rand(3, generator=second)).all())
        True
        >>> first.initial_seed()
        7
    """

    def __init__(self) -> None:
        self._stream = core.RandomStream(True)
        self.seed()

    def __repr__(self) -> str:
        return f"Generator(initial_seed={self.__dict__.get('_seed')})"

    def manual_seed(self, seed: int) -> Generator:
        """Starts the stream anew; of seed the lowest 32 bits count. Returns the Generator.

        Raises:
            TypeError: seed is no int.
        """
        self._seed = check_int("manual_seed", "seed", seed)
        self._stream.seed(self._seed & 0xFFFFFFFF)
        return self

    def seed(self) -> int:
        """Starts the stream anew from a seed of the system's entropy, and returns that."""
        import secrets

        self.manual_seed(secrets.randbits(32))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the stream began with."""
        return self._seed

    def get_state(self) -> core.Tensor:
        """The state: uint8 of shape (8,)."""
        import numpy as np

        return core.Tensor(np.frombuffer(self._stream.state.to_bytes(_STATE_BYTES, "little"), np.uint8).copy())

    def set_state(self, state: core.Tensor) -> None:
        """Goes to a state that get_state() gave.

        Raises:
            TypeError: state is no such Tensor.
        """
        if not isinstance(state, core.Tensor) or state.dtype != core.uint8 or tuple(state.shape) != (_STATE_BYTES,):
            raise TypeError(
                f"For 'set_state', 'state' must be what get_state() gave, uint8 of shape (8,), but got {state!r}."
            )
        number = int.from_bytes(state.asnumpy().tobytes(), "little")
        self._seed = number >> 32
        self._stream.restore(number)

    def __getstate__(self) -> dict[str, int]:
        """What copies go on from, each by itself."""
        return {"seed": self._seed, "state": self._stream.state}

    def __setstate__(self, state: dict[str, int]) -> None:
        self._stream, self._seed = core.RandomStream(True), state["seed"]
        self._stream.restore(state["state"])


class _ProcessGenerator(Generator):
    """The Generator of what is drawn without one."""

    def __init__(self) -> None:
        self._stream = core.RandomStream(False)
        self._seed = self._stream.state >> 32

    def __reduce__(self) -> str:
        """Copies are the process's own stream itself."""
        return "default_generator"


default_generator = _ProcessGenerator()
_seed: int | None = None
_seedings = 0


def drawing(name: str, generator: Any) -> Any:
    """A scope in which this thread draws from a Generator, or where that is None, from the process's stream.

    Raises:
        TypeError: generator is neither.
        CaptureError: code is being captured, which the Generator's state would not be part of.
    """
    if generator is None:
        return contextlib.nullcontext()
    if not isinstance(generator, Generator):
        kind = type(generator).__name__
        raise TypeError(f"For '{name}', 'generator' must be None or a Generator, but got {generator!r} of type {kind}.")
    if core.current_capture() is not None:
        raise core.CaptureError(f"For '{name}', a Generator is drawn from in Python only.")
    return core.StreamScope(generator._stream)


def set_seed(seed: int) -> None:
    """Starts the random streams of emberjit and of NumPy anew, so that what follows draws the same numbers in each run.

    Args:
        seed: an int, at least 0, of which the lowest 32 bits count.

    Raises:
        ValueError: seed is negative.
        TypeError: seed is no int.

    Examples:
        >>> ms.set_seed(1)
        >>> first = ops.rand(3)
        >>> ms.set_seed(1)
        >>> bool((ops.rand(3) == first).all())
        True
    """
    global _seed, _seedings
    check_int("set_seed", "seed", seed, 0)
    import numpy as np

    default_generator.manual_seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    _seed = seed
    _seedings += 1


def seedings() -> int:
    """How often set_seed() was called."""
    return _seedings


def get_seed() -> int | None:
    """The seed that set_seed() was last given.

    Returns:
        int, or None before the first call of set_seed().

    Examples:
        >>> ms.set_seed(3)
        >>> ms.get_seed()
        3
    """
    return _seed


def manual_seed(seed: int) -> Generator:
    """Starts the process's stream of random numbers anew; NumPy's stays as it is (set_seed starts both).

    Args:
        seed: an int, of which the lowest 32 bits count.

    Returns:
        Generator: that of the process.

    Raises:
        TypeError: seed is no int.

    Examples:
        >>> ms.manual_seed(5)
        Generator(initial_seed=5)
        >>> first = ops.rand(3)
        >>> _ = ms.manual_seed(5)
        >>> bool((ops.rand(3) == first).all())
        True
    """
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Starts the process's stream of random numbers anew from a seed of the system's entropy.

    Returns:
        int: that seed, of 32 bits.

    Examples:
        >>> chosen = ms.seed()
        >>> chosen == ms.initial_seed()
        True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the process's stream of random numbers began with.

    Returns:
        int.

    Examples:
        >>> _ = ms.manual_seed(5)
        >>> numbers = ops.rand(3)
        >>> ms.initial_seed()
        5
    """
    return default_generator.initial_seed()


def get_rng_state() -> core.Tensor:
    """The state of the process's stream of random numbers, for set_rng_state().

    Returns:
        Tensor: uint8 of shape (8,), a copy.

    Examples:
        >>> state = ms.get_rng_state()
        >>> first = ops.rand(3)
        >>> ms.set_rng_state(state)
        >>> bool((ops.rand(3) == first).all())
        True
    """
    return default_generator.get_state()


def set_rng_state(state: core.Tensor) -> None:
    """Takes the process's stream of random numbers back to a state, from which it gives the same numbers again.

    Args:
        state: what get_rng_state() gave: a Tensor, uint8 of shape (8,).

    Raises:
        TypeError: state is no such Tensor.

    Examples:
        >>> state = ms.get_rng_state()
        >>> first = ops.rand(3)
        >>> ms.set_rng_state(state)
        >>> bool((ops.rand(3) == first).all())
        True
    """
    default_generator.set_state(state)
