"""A function that does not enter a graph as a whole runs in Python and gives the same results, so a test of graphs would
pass without testing any: it fails here, unless it is marked `breaks`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emberjit.capture.session import listeners


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "breaks: functions of this test may run in Python in part")


@pytest.fixture(autouse=True)
def no_unexpected_breaks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found: list[str] = []
    monkeypatch.setattr(listeners, "on_break", lambda name, reason: found.append(f"{name}: {reason}"))
    yield
    if "breaks" not in request.keywords:
        assert not found
