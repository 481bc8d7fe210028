"""A function that does not enter a graph as a whole runs in Python and gives the same results, so a test of graphs would
pass without testing any: it fails here, unless it is marked `breaks`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

from emberjit import _emberjit as core
from emberjit.capture.jit import transform
from emberjit.capture.session import listeners
from emberjit.functions.linalg.lapack import load_lapack

os.environ["MS_COMPILER_CACHE_ENABLE"] = "0"  # tests of the cache have folders of their own
load_lapack()


@pytest.fixture(autouse=True, scope="session")
def locks_are_taken_in_order() -> Iterator[None]:
    yield
    assert core.lock_order_problems() == []


def pytest_collection_finish() -> None:
    """A test that collects garbage does not look through all other tests each time."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "alone: what it looks at is the whole process, so no other test runs beside it")
    config.addinivalue_line("markers", "breaks: functions of this test may run in Python in part")


@pytest.fixture(autouse=True)
def nothing_leaves_its_graphs_in_silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls that are left to Python have a break, or a guard that failed, to show."""
    silent: list[str] = []
    pass_calls = transform._Misses._pass_calls

    def checked(misses: transform._Misses, calls: int) -> None:
        jitted = misses.jitted
        if calls and not jitted.breaks and not getattr(jitted, "misses", {}):
            silent.append(jitted.__name__)
        pass_calls(misses, calls)

    monkeypatch.setattr(transform._Misses, "_pass_calls", checked)
    yield
    assert silent == []


_broken: set[str] = set()  # functions that tests allowed to break, which then go on so in this process


@pytest.fixture(autouse=True)
def no_unexpected_breaks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(listeners, "on_break", lambda name, reason: found.append((name, reason)))
    yield
    if "breaks" in request.keywords:
        _broken.update(name for name, _ in found)
    assert not [(name, reason) for name, reason in found if name not in _broken]
