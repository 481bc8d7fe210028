"""Random programs, and those that once found a bug;
`python tests/python/generated/random_programs.py 600` runs more for ten minutes."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import differences
from random_programs import KINDS, differing
from random_views import differs_from_numpy

KEPT = sorted((Path(__file__).parent / "kept_programs").glob("*.py"))


@pytest.mark.breaks
@pytest.mark.parametrize("first", range(0, 100, 10))
@pytest.mark.parametrize("kind", KINDS)
def test_all_ways_of_capture_do_what_python_does(kind: str, first: int) -> None:
    for seed in range(first, first + 10):
        assert not "\n".join(differing(kind, seed))


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_views_and_writes_are_those_of_numpy(first: int) -> None:
    for seed in range(first, first + 20):
        assert not differs_from_numpy(seed)


@pytest.mark.breaks
@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_once_differed_does_no_more(path: Path) -> None:
    assert not "\n".join(differences(path.read_text(), str(path)))
