"""Profilers. One records at a time; what it recorded is written when it stops, into a folder of its own below
`output_path`:

    trace_view.json     spans of ops, graphs (by tier), their steps, what the program marked, and the tiers' events
    op_statistic.csv    calls and time by category and name, the longest first
"""

from __future__ import annotations

import csv
import json
import os
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from emberjit import _emberjit as core
from emberjit.log import error, warning
from emberjit.options import take_all
from emberjit.profiler.options import ProfilerActivity
from emberjit.profiler.steps import ProfilerAction
from emberjit.profiler.steps import schedule as Schedule

Self = TypeVar("Self", bound="_Recorder")
Spans = list[tuple[str, str, int, int, int]]
_COLUMNS = ("category", "name", "calls", "total_us", "mean_us")
_RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
_recorder: _Recorder | None = None  # the one that records


class _Recorder:
    """The base of both profilers: records spans between start and stop, and writes files.

    Args:
        output_path: the folder below which profiles are written.
        steps: which steps are recorded; None: all.
        on_trace_ready: called with the profiler when a profile is complete.
    """

    def __init__(self, output_path: str, steps: Schedule | None, on_trace_ready: Callable[[Any], None] | None):
        self.output_path = output_path
        self._steps, self._on_trace_ready = steps, on_trace_ready
        self._step, self._started, self._step_began = 0, False, 0
        self._spans: Spans = []
        self._metadata: dict[str, Any] = {}
        self.folder: str | None = None

    def start(self) -> None:
        """Begins to record: at once, or with the first step that the schedule says.

        Raises:
            RuntimeError: another profiler records.
        """
        global _recorder
        if _recorder is not None:
            who = "This profiler" if _recorder is self else "Another profiler"
            raise RuntimeError(f"{who} has started already; stop it first.")
        _recorder, self._started, self._step = self, True, 0
        self._spans = []
        self._enter_step()

    def stop(self) -> None:
        """Ends recording; what is recorded since the last complete profile is kept, for analyse."""
        global _recorder
        if not self._started:
            error("The profiler has not started.")
            return
        self._leave_step()
        self._started, _recorder = False, None
        if self._spans and self._on_trace_ready:
            self._on_trace_ready(self)

    def step(self) -> None:
        """Tells that a step of the program has ended."""
        if self._steps is None:
            error("The profiler has no schedule, so steps mean nothing to it.")
            return
        if not self._started:
            error("The profiler has not started.")
            return
        action = self._action()
        self._leave_step()
        if action is ProfilerAction.RECORD_AND_SAVE:
            if self._on_trace_ready:
                self._on_trace_ready(self)
            self._spans = []
        self._step += 1
        self._enter_step()

    def __enter__(self: Self) -> Self:
        if not self._started:
            self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._started:
            self.stop()

    def _action(self) -> ProfilerAction:
        return ProfilerAction.RECORD if self._steps is None else self._steps(self._step)

    def _enter_step(self) -> None:
        if self._action() in _RECORDING:
            self._step_began = time.perf_counter_ns()
            core.record_spans(True)

    def _leave_step(self) -> None:
        if self._action() not in _RECORDING:
            return
        if self._steps is not None:
            core.add_span(f"ProfilerStep#{self._step}", self._step_began, time.perf_counter_ns())
        core.record_spans(False)
        self._spans += core.take_spans()
        if lost := core.spans_lost():
            warning(f"the profile lacks {lost} spans: record fewer steps")

    def add_metadata(self, key: str, value: str) -> None:
        """Adds a text to the trace's metadata.

        Args:
            key: its name.
            value: the text.
        """
        self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Adds JSON to the trace's metadata.

        Args:
            key: its name.
            value: a text of JSON.

        Raises:
            ValueError: value is no JSON.
        """
        self._metadata[key] = json.loads(value)

    def write(self, folder: str | None = None) -> str:
        """Writes what is recorded, and answers the folder of its files.

        Args:
            folder: below which; None: output_path.
        """
        name = f"{socket.gethostname()}_{os.getpid()}_{time.time_ns() // 1000}_emberjit"
        self.folder = os.path.join(folder or self.output_path, name)
        os.makedirs(self.folder)
        self.write_trace(os.path.join(self.folder, "trace_view.json"))
        self.write_statistic(os.path.join(self.folder, "op_statistic.csv"))
        return self.folder

    def write_trace(self, path: str) -> None:
        """Writes what is recorded as a trace.

        Args:
            path: of a file, which is overwritten.
        """
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": _events(self._spans), "metadata": self._metadata}, file)

    def write_statistic(self, path: str) -> None:
        """Writes calls and times by category and name as CSV.

        Args:
            path: of a file, which is overwritten.
        """
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([_COLUMNS, *_statistic(self._spans)])

    def statistic(self, lines: int = 30) -> str:
        """The same as a table of text.

        Args:
            lines: how many, those of the longest times.
        """
        rows = _statistic(self._spans)
        table = [
            f"{calls:9} {total:13.1f} {mean:11.1f}  {what:12} {name}" for what, name, calls, total, mean in rows[:lines]
        ]
        more = [f"... and {len(rows) - lines} more"] if len(rows) > lines else []
        return "\n".join([f"{'calls':>9} {'total_us':>13} {'mean_us':>11}  {'category':12} name", *table, *more])

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str:
        """Calls and times of ops, as JSON: a list for each name.

        Args:
            op_name: a name, or several.
            device_id: of another device; not read.
        """
        names = [op_name] if isinstance(op_name, str) else list(op_name)
        rows = [row for row in _statistic(self._spans) if row[0] in ("op", "step")]
        return json.dumps({name: [dict(zip(_COLUMNS, row)) for row in rows if row[1] == name] for name in names})


def _events(spans: Spans) -> list[dict[str, Any]]:
    """In the trace event format, times in microseconds."""
    events = []
    for name, category, begin, end, thread in spans:
        event = {"name": name, "cat": category, "ts": begin / 1000, "pid": os.getpid(), "tid": thread}
        events.append({**event, "ph": "i", "s": "t"} if end == begin else {**event, "ph": "X", "dur": (end - begin) / 1000})
    return events


def _statistic(spans: Spans) -> list[tuple[str, str, int, float, float]]:
    times: dict[tuple[str, str], list[int]] = {}
    for name, category, begin, end, _ in spans:
        if end > begin:
            times.setdefault((category, name), []).append(end - begin)
    rows = [(*key, len(ns), sum(ns) / 1000, sum(ns) / len(ns) / 1000) for key, ns in times.items()]
    return sorted(rows, key=lambda row: -row[3])


class profile(_Recorder):
    """Records what runs when: ops, graphs by tier, their steps, and the program's own marks (mstx). It is most often used by
    a with statement. write() writes a trace that chrome://tracing and Perfetto show, trace_view.json, and a table of
    times, op_statistic.csv; statistic() returns the table as text. One profiler records at a time.

    Args:
        activities: the devices whose work is recorded, ProfilerActivity; None: all. There is the CPU's alone.
        with_stack: whether Python's stack is recorded with each op; it is not on a CPU, and True warns.
        profile_memory: whether memory is recorded; it is not on a CPU, and True warns. memory_allocated() and its kin tell
            of it.
        data_process: whether the data pipeline is recorded; it is not on a CPU, and True warns.
        parallel_strategy: whether the strategy of parallel training is recorded; it is not on a CPU, and True warns.
        start_profile: whether it starts at once; False: with start(), or the with statement.
        hbm_ddr: whether the bandwidth of a device's memory is recorded; it is not on a CPU, and True warns.
        pcie: whether that of PCIe is recorded; it is not on a CPU, and True warns.
        sync_enable: whether ops end before the next one begins; here they always do.
        record_shapes: whether the shapes of operands are recorded; they are not on a CPU, and True warns.
        schedule: which steps are recorded, as step() counts them, a schedule(); None: everything.
        on_trace_ready: a function that is called with the profiler when a profile is complete, such as
            tensorboard_trace_handler() returns; None: nothing is called.
        experimental_config: further options of other devices; None, as others have no effect on a CPU, and warn.

    Raises:
        TypeError: an option is of a wrong type.
        RuntimeError: another profiler records.

    Examples:
        >>> with ms.profiler.profile() as profiler:
        ...     y = ops.exp(Tensor([0.0]))
        >>> import json
        >>> print(json.loads(profiler.op_analyse("exp"))["exp"][0]["calls"])
        1
    """

    def __init__(
        self,
        activities: Iterable[ProfilerActivity] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Schedule | None = None,
        on_trace_ready: Callable[[Any], None] | None = None,
        experimental_config: Any = None,
    ):
        options = {"with_stack": with_stack, "profile_memory": profile_memory, "data_process": data_process}
        options |= {"parallel_strategy": parallel_strategy, "hbm_ddr": hbm_ddr, "pcie": pcie}
        options |= {"sync_enable": sync_enable, "record_shapes": record_shapes}
        take_all("Profiler", {**options, "activities": activities, "experimental_config": experimental_config})
        super().__init__("./data", schedule, on_trace_ready)
        if start_profile:
            self.start()


class Profiler(_Recorder):
    """Records what runs when, as profile() does; it starts when it is made, and analyse() writes its files: trace_view.json,
    which chrome://tracing and Perfetto show, and op_statistic.csv, a table of times.

    Args:
        start_profile: whether it starts at once; False: with start().
        output_path: the folder below which profiles are written, each into a folder of its own.
        schedule: which steps are recorded, as step() counts them, a schedule(); None: everything.
        on_trace_ready: a function that is called with the profiler when a profile is complete; None: nothing is called.
        options: MindSpore's options of other devices, by their names, such as profiler_level; without effect on a CPU.

    Raises:
        TypeError: an option does not exist, or is of a wrong type.
        RuntimeError: another profiler records.

    Examples:
        >>> import os
        >>> profiler = ms.profiler.Profiler(output_path="profiles")
        >>> y = ops.exp(Tensor([0.0]))
        >>> profiler.analyse()
        >>> print(sorted(os.listdir(profiler.folder)))
        ['op_statistic.csv', 'trace_view.json']
    """

    def __init__(
        self,
        *,
        start_profile: bool = True,
        output_path: str = "./data",
        schedule: Schedule | None = None,
        on_trace_ready: Callable[[Any], None] | None = None,
        **options: Any,
    ):
        take_all("Profiler", options)
        super().__init__(os.fspath(output_path), schedule, on_trace_ready)
        if start_profile:
            self.start()

    def analyse(
        self, offline_path: str | None = None, pretty: bool = False, step_list: Any = None, mode: str = "sync"
    ) -> None:
        """Stops the profiler, if it has not, and writes its files.

        Args:
            offline_path, pretty, step_list, mode: of other devices; not read.
        """
        if self._started:
            self.stop()
        self.write()


def tensorboard_trace_handler(
    dir_name: str | None = None, worker_name: str | None = None, analyse_flag: bool = True, async_mode: bool = False
) -> Callable[[_Recorder], None]:
    """Makes a function for on_trace_ready, which writes each complete profile to a folder of its own.

    Args:
        dir_name: the folder below which it goes; None: the profiler's output_path, "./data" of profile().
        worker_name: a folder below that; None: none.
        analyse_flag: whether profiles are written.
        async_mode: not read: they are written at once.

    Returns:
        A function of a profiler.

    Examples:
        >>> import os
        >>> with ms.profiler.profile(on_trace_ready=ms.profiler.tensorboard_trace_handler("profiles")):
        ...     y = ops.exp(Tensor([0.0]))
        >>> print(len(os.listdir("profiles")))
        1
    """

    def write(profiler: _Recorder) -> None:
        if analyse_flag:
            profiler.write(os.path.join(dir_name or profiler.output_path, worker_name or ""))

    return write
