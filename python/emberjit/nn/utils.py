"""How Parameters are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_init_parameters() -> Iterator[None]:
    """A context in which MindSpore makes Parameters without data, which a checkpoint then gives. Here they have initial
    values in any case.

    Returns:
        A context manager.

    Examples:
        >>> with nn.no_init_parameters():
        ...     dense = nn.Dense(3, 2, weight_init="ones")
        >>> print(dense.weight.asnumpy())
        [[1. 1. 1.]
         [1. 1. 1.]]
    """
    yield
