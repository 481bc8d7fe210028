"""emberjit against MindSpore 2.10: calls of every public name, and what MindSpore gave for them, recorded from it by
tools/record_mindspore.py."""

from __future__ import annotations

import json
import lzma
import math
from pathlib import Path
from typing import Any

import pytest
from either_library import outcome
from known_differences import KNOWN, NOT_ON_CPU, NOT_RECORDED, is_tensor, name_of, names_of, raises, reason_for

import emberjit as ms
from emberjit.publish.index import NAMES

RECORDED = json.loads(lzma.decompress((Path(__file__).parent / "mindspore_results.json.xz").read_bytes()))
DIGITS = {"Float16": 3e-3, "BFloat16": 2e-2}
CALLS: dict[str, list[str]] = {}
for _text in RECORDED:
    CALLS.setdefault(name_of(_text), []).append(_text)


def agree(got: Any, want: Any) -> bool:
    if not isinstance(want, list):
        return got == want
    if not isinstance(got, list) or len(got) != len(want):
        return False
    if not is_tensor(want):
        return all(map(agree, got, want))
    return got[:2] == want[:2] and (want[2] is None or close(got[2], want[2], DIGITS.get(want[0], 2e-4)))


def close(got: list[Any], want: list[Any], digits: float) -> bool:
    scale = max((abs(w) for w in want if math.isfinite(w)), default=0)
    return all(
        g == w or (math.isnan(g) and math.isnan(w)) or abs(g - w) <= digits * (abs(w) + scale / 4) + 1e-6
        for g, w in zip(got, want)
    )


def difference(text: str) -> tuple[Any, Any] | None:
    """(what emberjit gives, what MindSpore gave), if these differ."""
    got, want = outcome(text, ms)[0], RECORDED[text]
    return None if agree(got, want) else (got, want)


@pytest.mark.breaks
@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    found = {text: difference(text) for text in CALLS[name]}
    unknown = {text: pair for text, pair in found.items() if pair is not None and reason_for(text, *pair) is None}
    assert not unknown


@pytest.mark.breaks
@pytest.mark.parametrize("reason, pattern, names", KNOWN)
def test_each_known_difference_is_one(reason: str, pattern: Any, names: frozenset[str]) -> None:
    texts = [text for text in RECORDED if pattern.search(text) and not names.isdisjoint(names_of(text))]
    assert any((pair := difference(text)) is not None and reason_for(text, *pair) == reason for text in texts)


def test_each_declared_name_is_recorded() -> None:
    excused = {name for names in NOT_RECORDED.values() for name in names.split()}
    without = set()
    for name in (f"{scope}.{short}" for scope, shorts in NAMES.items() for short in shorts):
        found = [RECORDED[text] for text in CALLS.get(name, ())]
        if sum(not raises(one) for one in found) < 2 and NOT_ON_CPU.isdisjoint(one for one in found if raises(one)):
            without.add(name)
    assert without == excused
