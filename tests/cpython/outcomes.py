"""The outcomes of the test methods of one module of unittest, each called twice, plainly or jitted.

    python tests/cpython/outcomes.py MODE MODULE FIRST FILE

MODE is plain, or a capture mode, with "+graphs" behind it if functions without Tensors, which would run in Python once they
break, are to become graphs like all others. FIRST is the number of the method to begin with. Lines of JSON go to FILE: the
name of a method before it is run, and its outcomes after that. Those that exclusions.txt names are left out. A doctest
counts as one method (doctests.py).
"""

from __future__ import annotations

import doctest
import gc
import importlib
import json
import re
import sys
import unittest
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import doctests

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


class _Events(unittest.TestResult):
    """What happens in one run of a method."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[list[str]] = []

    def _add(self, kind: str, test: Any, error: Any = None) -> None:
        what = [] if error is None else [error[0].__qualname__, _message(error[1])]
        self.events.append([kind, *what])

    def addSuccess(self, test: Any) -> None:
        self._add("ok", test)

    def addFailure(self, test: Any, err: Any) -> None:
        self._add("failure", test, err)

    def addError(self, test: Any, err: Any) -> None:
        self._add("error", test, err)

    def addSkip(self, test: Any, reason: str) -> None:
        self.events.append(["skip", reason])

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self._add("expected failure", test, err)

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._add("unexpected success", test)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self._add(f"subtest {_ADDRESS.sub('0x', subtest.id().rpartition(' ')[2])}", test, err)


def _message(error: BaseException) -> str:
    try:
        return _ADDRESS.sub("0x", str(error))
    except Exception as wrong:
        return f"<{type(wrong).__name__}>"


def exclusions(mode: str | None = None) -> dict[str, str]:
    """The methods that are left out, each with the reason: of all modes, and of one."""
    found = {}
    for line in Path(__file__).with_name("exclusions.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            name, _, only = name.partition("@")
            if only in ("", mode):
                found[name] = reason.strip()
    return found


def methods(suite: Any) -> Iterator[unittest.TestCase]:
    """The test methods of a suite; what could not be loaded is none."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from methods(test)
        elif hasattr(type(test), getattr(test, "_testMethodName", "")):
            yield test


def _events(test: unittest.TestCase) -> list[list[str]]:
    result = _Events()
    limit = sys.getrecursionlimit()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        unittest.TestSuite([test]).run(result)
    sys.setrecursionlimit(limit)
    return result.events


def _decorator(mode: str) -> Callable[[Any], Any]:
    if mode == "plain":
        return lambda function: function
    import emberjit

    return emberjit.jit(capture_mode=mode.partition("+")[0])


def outcomes(test: unittest.TestCase, mode: str) -> list[list[list[str]]]:
    """What happens in the first and in the second call of a method."""
    if isinstance(test, doctest.DocTestCase):
        return [_events(doctests.prepared(test, _decorator(mode))) for _ in range(2)]
    cls, name = type(test), test._testMethodName
    own = cls.__dict__.get(name)
    if mode != "plain":
        setattr(cls, name, _decorator(mode)(getattr(cls, name)))
    try:
        return [_events(cls(name)) for _ in range(2)]
    finally:
        if mode != "plain":
            delattr(cls, name)
            if own is not None:
                setattr(cls, name, own)
        gc.collect()


def main(mode: str, module: str, first: str, file: str) -> None:
    from test import support

    support.use_resources = []
    if mode.endswith("+graphs"):
        from emberjit.capture.graph_breaks import relevance

        relevance.holds_tensors = lambda values: True
    suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module))
    with open(file, "w", buffering=1, encoding="utf-8") as output:
        excluded = exclusions(mode)
        wanted = [test for test in methods(suite) if test.id() not in excluded]
        for number, test in enumerate(wanted):
            if number >= int(first):
                output.write(json.dumps({"name": test.id()}) + "\n")
                output.write(json.dumps({"name": test.id(), "outcomes": outcomes(test, mode)}) + "\n")
        output.write(json.dumps({"end": True}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
