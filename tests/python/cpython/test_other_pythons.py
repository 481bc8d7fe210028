"""On a version of CPython whose bytecode is not known jitted functions run in Python, which is said once."""

from __future__ import annotations

import warnings

import pytest

import emberjit as ms
from emberjit import Tensor
from emberjit.capture.code import decoding
from emberjit.capture.jit import transform


@pytest.fixture(autouse=True)
def unknown_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transform, "SUPPORTED", False)
    transform.tell_once.cache_clear()


@pytest.mark.breaks
def test_functions_run_in_python_and_one_warning_says_so() -> None:
    called: list[int] = []

    def function(x: Tensor) -> Tensor:
        called.append(1)
        return x * 2

    with pytest.warns(UserWarning, match=r"run in Python: .* knows the bytecode of CPython 3.11 to 3.13") as told:
        first, second = ms.jit(function), ms.jit(function, capture_mode="bytecode")
    assert len(told) == 1 and told[0].filename == __file__
    assert [first(Tensor([1.0])).tolist(), second(Tensor([2.0])).tolist()] == [[2], [4]]
    assert len(called) == 2 and "3.11 to 3.13" in first.explain()["breaks"][0]


def test_fullgraph_is_an_error() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function = ms.jit(lambda x: x * 2, fullgraph=True)
    with pytest.raises(ms.CaptureError, match="use one of these"):
        function(Tensor([1.0]))


def test_warnings_are_off_where_they_are_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERJIT_WARN", "0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ms.jit(lambda x: x * 2)(Tensor([1.0])).tolist() == [2]


def test_nothing_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "VERSION", None)
    decoding._decoded.cache_clear()
    try:
        assert not decoding.is_decodable(test_fullgraph_is_an_error.__code__)
    finally:
        decoding._decoded.cache_clear()
