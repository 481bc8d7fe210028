"""Each test finds datasets configured as at start-up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emberjit import dataset as ds


@pytest.fixture(autouse=True)
def config() -> Iterator[None]:
    before = dict(ds.config._values)
    yield
    ds.config._values.clear()
    ds.config._values.update(before)
