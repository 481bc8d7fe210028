"""How Parameters are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_init_parameters() -> Iterator[None]:
    """A context in which MindSpore makes Parameters without data, which a checkpoint then gives. Here they have initial
    values in any case."""
    yield
