"""Ordinary Python inside jitted functions, by subject, in the files beside this one: what a snippet gives, prints, logs,
warns, raises, changes and writes is what it does plainly, and it has as many graphs and breaks as its row says.

Where a row has `wanted`, its numbers are what there is today: one that comes closer fails, so that the row is brought up."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import random
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from idiom import Call, Row, described, difference, is_code, jit

import emberjit as ms

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.glob("*.py") if path.name not in (Path(__file__).name, "idiom.py"))


def loaded(path: Path, mode: str | None) -> types.ModuleType:
    """A file's module, made anew, whose functions are jitted in a mode or not at all."""
    jit.mode, jit.made = mode, []
    ms.set_seed(1)
    random.seed(1)
    np.random.seed(1)
    spec = importlib.util.spec_from_file_location(f"idioms.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


class Kept(logging.Handler):
    """Log records, as text, with the lines that they come from."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[Any] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append((record.name, record.levelname, record.getMessage(), record.funcName, record.lineno))


@contextlib.contextmanager
def logs() -> Iterator[list[Any]]:
    """What loggers of the files log meanwhile, from INFO on; what they were set to is forgotten before."""
    kept, logger = Kept(), logging.getLogger("idioms")
    for name, child in logging.root.manager.loggerDict.items():
        if name.startswith("idioms.") and isinstance(child, logging.Logger):
            child.setLevel(logging.NOTSET)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(kept)
    try:
        yield kept.records
    finally:
        logger.removeHandler(kept)


class Different(AssertionError):
    """What a jitted run has left is not what a plain one has."""


class Raised(NamedTuple):
    """An error, and the lines of the file that it came by."""

    error: Exception
    lines: list[tuple[str, int | None]]


def outcome(function: Any, step: Call, path: Path) -> Any:
    try:
        return function(*step.args, **step.kwargs)
    except Exception as error:
        lines = [(f.name, f.lineno) for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        return Raised(error, lines)


def seen_in_a_run(path: Path, number: int, mode: str | None, capfd: pytest.CaptureFixture[str]) -> list[Any]:
    """What calls of a row give, and what they have left after each: the file's variables, logs, warnings; at the end
    the output and files in the current folder."""
    seen: list[Any] = []
    with logs() as records, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        module = loaded(path, mode)
        row = module.ROWS[number]
        capfd.readouterr()
        for step in row.calls:
            if callable(step):
                step()
                continue
            result = outcome(row.function, step if isinstance(step, Call) else Call(step, {}), path)
            numbers: dict[int, int] = {}
            state = {k: v for k, v in vars(module).items() if not (k.startswith("__") or k in ("ROWS", "jit") or is_code(v))}
            said = [(each.category.__name__, str(each.message), each.lineno) for each in warned]
            seen.append([described(result, numbers), described(state, numbers), list(records), said])
    files = [(str(each), each.read_text()) for each in sorted(Path().rglob("*")) if each.is_file()]
    return [*seen, capfd.readouterr(), files]


def numbers_of_graphs(calls: int) -> tuple[int, int, int, list[str]]:
    """Graphs and breaks of all that has been jitted, how many of the calls ran neither by graph nor in Python, and why."""
    told = [function.explain() for function in jit.made]
    breaks = [each for one in told for each in one["breaks"]]
    graphs = sum(len(one["entries"]) + sum(len(part["entries"]) for part in one["segments"]) for one in told)
    reasons = breaks + [f"{miss['guard']}, met {miss['met']}: {miss['line']}" for one in told for miss in one["misses"]]
    return graphs, len(breaks), calls - sum(sum(one["calls"].values()) for one in told), reasons


def parameters() -> Iterator[Any]:
    for path in FILES:
        for number, row in enumerate(loaded(path, None).ROWS):
            marks = [pytest.mark.breaks] if row.breaks else []
            marks += [pytest.mark.alone] if row.one_thread else []
            marks += [pytest.mark.xfail(strict=True, raises=Different, reason=row.wrong)] if row.wrong else []
            for mode in ("ast", "bytecode"):
                yield pytest.param(path, number, row, mode, marks=marks, id=f"{path.stem}-{row.name}-{mode}")


@pytest.mark.parametrize(("path", "number", "row", "mode"), list(parameters()))
def test_an_idiom_is_as_in_python_and_has_its_graphs(
    path: Path,
    number: int,
    row: Row,
    mode: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    runs = []
    for each in (None, mode):
        folder = tmp_path / str(each)
        folder.mkdir()
        monkeypatch.chdir(folder)
        runs.append(seen_in_a_run(path, number, each, capfd))
    if found := difference(runs[0], runs[1]):
        raise Different(found)
    graphs, breaks, captured, reasons = numbers_of_graphs(sum(step[0][0] != "Raised" for step in runs[1][:-2]))
    assert (graphs, breaks) == (row.graphs, row.breaks), reasons
    assert breaks or captured == (row.captured or row.graphs), reasons
    assert row.wanted != (graphs, breaks), "what is wanted is there: let it be the row's numbers"


def test_names_of_rows_are_their_own() -> None:
    for path in FILES:
        names = [row.name for row in loaded(path, None).ROWS]
        assert len(names) == len(set(names))
