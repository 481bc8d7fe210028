"""Transforms of audio, of which there are none: any name is an error that says so."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'emberjit.dataset.audio' has no attribute '{name}'")
    raise AttributeError(
        f"module 'emberjit.dataset.audio' has no '{name}': emberjit has no transforms of audio; functions of Python, as "
        "those of scipy.signal, are operations of map() as they are"
    )
