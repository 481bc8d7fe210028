"""A folder for one test's cache and for the program that it caches, which the test may import."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import emberjit as ms
from emberjit import context


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    kept, path = dict(context._values), context._cache_folder
    ms.set_context(enable_compile_cache=True, compile_cache_path=str(tmp_path / "cache"))
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))
    sys.modules.pop("cached_program", None)
    context._values.clear()
    context._values.update(kept)
    context._cache_folder = path
