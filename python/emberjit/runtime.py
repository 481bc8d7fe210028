"""Settings of the runtime: seed, threads, memory; and what it did."""

from __future__ import annotations

from emberjit import _emberjit as core


def set_seed(seed: int) -> None:
    """Starts the random streams of emberjit and NumPy anew.

    Raises:
        ValueError: a negative seed.
        TypeError: no int.
    """
    if not isinstance(seed, int):
        raise TypeError(f"For 'set_seed', the argument 'seed' must be an int, but got {seed!r}.")
    if seed < 0:
        raise ValueError(f"For 'set_seed', the argument 'seed' must not be negative, but got {seed}.")
    import numpy as np

    core.set_seed(seed & 0xFFFFFFFF)
    np.random.seed(seed & 0xFFFFFFFF)


def set_num_threads(count: int) -> None:
    """Sets the number of threads of kernels.

    Raises:
        ValueError: below 1.
    """
    core.set_threads(count)


def memory_stats() -> dict[str, int]:
    """Bytes: live (held by tensors), peak, cached (kept for reuse), limit (0: none), packed (of live: copies of weights in
    the form that kernels read, kept while the weights do not change; fewer than 256 MiB)."""
    return dict(core.memory_stats())


def set_memory_limit(limit: int) -> None:
    """Sets the most bytes that tensors may hold; an allocation beyond raises MemoryError. 0: no limit."""
    core.set_memory_limit(limit)


def compile_stats() -> dict[str, int]:
    """How often native code was left, by reason, since the start."""
    return dict(core.deopt_counts())
