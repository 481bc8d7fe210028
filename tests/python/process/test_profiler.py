"""Profiles: what they record, which steps, which files; and that nothing is recorded without one."""

from __future__ import annotations

import csv
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops, profiler
from emberjit import _emberjit as core
from emberjit.profiler import ProfilerAction, schedule

X = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
NONE, WARM_UP, RECORD, SAVE = ProfilerAction


def trace(folder: str) -> list[dict[str, Any]]:
    return json.loads((Path(folder) / "trace_view.json").read_text())["traceEvents"]


def profiled(work: Any, tmp_path: Path, **options: Any) -> list[dict[str, Any]]:
    with profiler.profile(**options) as recorded:
        work()
    return trace(recorded.write(str(tmp_path)))


def test_ops_are_spans_of_their_threads(tmp_path: Path) -> None:
    def work() -> None:
        thread = threading.Thread(target=lambda: ops.sin(X))
        thread.start()
        thread.join()
        ops.exp(X)
        X.copy().add_(1)

    events = profiled(work, tmp_path)
    found = {event["name"]: event for event in events if event["cat"] == "op"}
    assert {"exp", "sin", "add_"} <= set(found)
    assert found["sin"]["tid"] != found["exp"]["tid"]
    assert all(event["ph"] == "X" and event["dur"] > 0 for event in found.values())


def test_graphs_have_their_tier_and_their_steps(tmp_path: Path) -> None:
    @ms.jit
    def layer(x: Tensor) -> Tensor:
        return ops.matmul(x, x.T) * 2 + 1

    events = profiled(lambda: layer(X), tmp_path)
    (graph,) = (event for event in events if event["cat"] == "interpreter")
    steps = [event for event in events if event["cat"] == "step"]
    assert graph["name"].endswith("layer") and any("matmul" in event["name"].lower() for event in steps)
    assert all(graph["ts"] <= step["ts"] and step["ts"] + step["dur"] <= graph["ts"] + graph["dur"] for step in steps)
    assert any(event["ph"] == "i" and event["name"].startswith("[capture") for event in events)


def test_what_the_program_marks(tmp_path: Path) -> None:
    def work() -> None:
        number = profiler.mstx.range_start("loading", domain="data")
        profiler.mstx.mark("half")
        profiler.mstx.range_end(number)
        profiler.mstx.range_end(number)

    events = profiled(work, tmp_path)
    assert [(event["name"], event["ph"]) for event in events] == [("half", "i"), ("data: loading", "X")]


STEPS = [
    (schedule(wait=1, active=2, warmup=1, repeat=2, skip_first=1), [NONE] + [NONE, WARM_UP, RECORD, SAVE] * 2 + [NONE] * 3),
    (schedule(wait=0, active=1), [SAVE] * 4),
    (schedule(wait=0, active=2), [RECORD, SAVE] * 2),
]


@pytest.mark.parametrize("steps, actions", STEPS)
def test_schedules(steps: Any, actions: list[ProfilerAction]) -> None:
    assert [steps(step) for step in range(len(actions))] == actions


def test_steps_are_written_cycle_by_cycle(tmp_path: Path) -> None:
    folders: list[str] = []
    steps = schedule(wait=1, active=2, repeat=2)
    with profiler.profile(schedule=steps, on_trace_ready=lambda p: folders.append(p.write(str(tmp_path)))) as recorded:
        for step in range(9):
            ops.full((step + 1,), 1.0)
            recorded.step()
    named = [[event["name"] for event in trace(folder) if event["name"].startswith("ProfilerStep")] for folder in folders]
    assert named == [["ProfilerStep#1", "ProfilerStep#2"], ["ProfilerStep#4", "ProfilerStep#5"]]


def test_a_profiler_of_a_schedule_is_a_context(tmp_path: Path) -> None:
    handler = profiler.tensorboard_trace_handler(str(tmp_path))
    steps = schedule(wait=1, warmup=1, active=1, repeat=2, skip_first=2)
    with ms.Profiler(schedule=steps, on_trace_ready=handler) as recorded:
        for step in range(12):
            ops.full((step + 1,), 1.0)
            recorded.step()
    named = [event["name"] for folder in sorted(tmp_path.iterdir()) for event in trace(str(folder))]
    assert [name for name in named if name.startswith("ProfilerStep")] == ["ProfilerStep#4", "ProfilerStep#7"]
    with profiler.profile(start_profile=False) as second:
        second.stop()
        ops.exp(X)
    assert core.take_spans() == []


@pytest.mark.parametrize("options, written", [({"start": True, "with_stack": False}, 1), ({"start": False}, 0), ({}, 0)])
def test_the_environment_asks_for_a_profile(
    options: dict[str, Any], written: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {**options, "output_path": str(tmp_path), "activities": ["CPU"], "schedule": 3}
    monkeypatch.setenv("MS_PROFILER_OPTIONS", json.dumps(given) if options else "")
    profiler.EnvProfiler.init_profiler()
    ops.exp(X)
    profiler.EnvProfiler().analyse()
    profiler.EnvProfiler().analyse()
    folders = list(tmp_path.iterdir())
    assert len(folders) == written and all("exp" in str(trace(str(folder))) for folder in folders)


def test_what_the_environment_must_not_ask_for(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("{", "[1]"):
        monkeypatch.setenv("MS_PROFILER_OPTIONS", text)
        profiler.EnvProfiler.init_profiler()
        assert "MS_PROFILER_OPTIONS is no JSON object" in capfd.readouterr().err
    monkeypatch.setenv("MS_PROFILER_OPTIONS", '{"start": true, "activities": ["TPU"]}')
    with pytest.raises(ValueError, match="TPU"):
        profiler.EnvProfiler.init_profiler()
    assert profiler.EnvProfiler.profiler is None


def test_the_files(tmp_path: Path) -> None:
    recorded = ms.Profiler(output_path=tmp_path)
    recorded.add_metadata("who", "me")
    recorded.add_metadata_json("what", '{"a": 1}')
    for _ in range(3):
        ops.exp(X)
    ops.log(X + 1)
    recorded.analyse()
    assert recorded.folder
    content = json.loads((Path(recorded.folder) / "trace_view.json").read_text())
    assert content["metadata"] == {"who": "me", "what": {"a": 1}}
    with open(Path(recorded.folder) / "op_statistic.csv", newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert rows["exp"]["calls"] == "3" and float(rows["exp"]["total_us"]) > 0
    (analysed,) = json.loads(recorded.op_analyse("exp"))["exp"]
    assert analysed["calls"] == 3


def test_a_handler_writes_below_its_folder(tmp_path: Path) -> None:
    handler = profiler.tensorboard_trace_handler(str(tmp_path / "traces"), "worker")
    with profiler.profile(on_trace_ready=handler):
        ops.exp(X)
    assert len(list((tmp_path / "traces" / "worker").glob("*/trace_view.json"))) == 1


def test_one_records_at_a_time_and_only_between_start_and_stop(tmp_path: Path) -> None:
    first = ms.Profiler(output_path=str(tmp_path), start_profile=False)
    ops.exp(X)
    first.start()
    with pytest.raises(RuntimeError, match="Another profiler has started"):
        ms.Profiler(output_path=str(tmp_path))
    with pytest.raises(RuntimeError, match="This profiler has started"):
        first.start()
    ops.log(X + 1)
    first.stop()
    ops.sin(X)
    assert core.take_spans() == []
    assert {event["name"] for event in trace(first.write())} >= {"log"}
    assert not {"exp", "sin"} & {event["name"] for event in trace(first.write())}


def test_an_error_ends_the_profile() -> None:
    with pytest.raises(ZeroDivisionError), profiler.profile():
        ops.exp(X)
        1 / 0
    ops.exp(X)
    assert core.take_spans() == []


def test_options_of_other_devices() -> None:
    with pytest.raises(TypeError, match="Did you mean: 'with_stack'"):
        ms.Profiler(with_stak=True)
    with pytest.raises(TypeError, match="'pcie' must be bool"):
        profiler.profile(pcie=3)
    with pytest.warns(UserWarning, match="'l2_cache'"):
        ms.Profiler(l2_cache=True, start_profile=False, profiler_level=profiler.ProfilerLevel.Level1)
