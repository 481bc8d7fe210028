"""The first of the random programs; `python tests/python/random_programs.py 600` runs them for ten minutes."""

from __future__ import annotations

import pytest
from random_programs import differences


@pytest.mark.breaks
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_all_ways_of_capture_do_what_python_does(first: int) -> None:
    for seed in range(first, first + 10):
        assert not "\n".join(differences(seed))
