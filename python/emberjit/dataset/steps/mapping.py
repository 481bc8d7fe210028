"""map: functions of columns, by workers, results in order."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from emberjit.checks import check_bool
from emberjit.dataset import checks, config, randomness, workers
from emberjit.dataset.node import Node, Run, Step
from emberjit.dataset.steps.columns import output_columns
from emberjit.dataset.transforms.transform import Operation, joined, steps
from emberjit.dataset.values import Row, to_row


def operation_name(operation: Operation) -> str:
    """What errors call an operation."""
    return str(getattr(operation, "__qualname__", type(operation).__name__))


def flat(operations: Any) -> list[Operation]:
    """A list of the operations given as one or several.

    Raises:
        TypeError: one is nothing to call.
    """
    result = list(operations) if isinstance(operations, (list, tuple)) else [operations]
    if not result:
        raise ValueError("For 'map', 'operations' must hold an operation, but it is empty.")
    for operation in result:
        if not callable(operation) or isinstance(operation, type):
            raise TypeError(f"For 'map', 'operations' must hold functions or transforms, but got {operation!r}.")
    return result


class Apply:
    """Operations in turn, of one row's values.

    Args:
        where: what errors say they are of.
        outputs: how many values there are to be; None: as many as come.
    """

    def __init__(self, where: str, operations: Sequence[Operation], outputs: int | None, seed: int, globally: bool):
        self.where, self.steps, self.outputs = where, steps(joined(operations)), outputs
        self.seed, self.globally = seed, globally

    def __call__(self, item: tuple[Any, Row]) -> Row:
        key, values = item
        outer = randomness.begin(self.seed, key, self.globally)
        step: Any = None
        try:
            for step in self.steps:
                result = step[1](*values)
                values = result if isinstance(result, tuple) else (result,)
            row = to_row(values)
        except workers.WorkerError:
            raise
        except Exception as error:
            raise workers.WorkerError(
                f"For '{self.where}', operation '{operation_name(step[0])}' failed on row {key[-1]} of epoch {key[-2]}: "
                f"{type(error).__name__}: {error}"
            ) from error
        finally:
            randomness.end(outer)
        if self.outputs is not None and len(row) != self.outputs:
            raise workers.WorkerError(
                f"For '{self.where}', the operations gave {len(row)} values on row {key[-1]}, but there are "
                f"{self.outputs} output columns."
            )
        return row


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _picker(places: list[int]) -> Callable[[Row], Row]:
    """A function that gives a tuple of the values at some places of a tuple."""
    (first, *more) = places
    return operator.itemgetter(*places) if more else lambda row: (row[first],)


class Map(Step):
    """Operations of columns. Arguments are those of Dataset.map()."""

    def __init__(
        self,
        before: Node,
        operations: Any,
        input_columns: Any,
        output_columns: Any,
        num_parallel_workers: int | None,
        python_multiprocessing: bool,
        max_rowsize: int,
        callbacks: Sequence[Any] = (),
    ):
        super().__init__(before)
        self.operations = flat(operations)
        self.input_columns = input_columns and checks.names("map", "input_columns", input_columns)
        self.outputs = output_columns and checks.names("map", "output_columns", output_columns)
        self.num_workers = checks.workers("map", num_parallel_workers)
        self.multiprocessing = check_bool("map", "python_multiprocessing", python_multiprocessing)
        self.slot = max_rowsize << 20
        self.callbacks = list(callbacks)
        self.fresh = False

    @property
    def is_builtin(self) -> bool:
        """Whether the operations are all transforms, which leave what they are given as it is."""
        return all(getattr(operation, "is_builtin", False) for operation in self.operations)

    @property
    def inputs_of(self) -> list[str]:
        """The columns that the operations get: the first unless given."""
        names = self.input_columns or self.before.columns[:1]
        return checks.columns_of("map", "input_columns", names, self.before.columns)

    @property
    def columns(self) -> list[str]:
        columns = output_columns(self.before.columns, self.inputs_of, self.outputs or self.inputs_of)
        if len(set(columns)) != len(columns):
            raise RuntimeError(f"For 'map', 'output_columns' would give a column twice: {columns}.")
        return columns

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        before, inputs = self.before.columns, self.inputs_of
        outputs, columns = self.outputs or inputs, self.columns
        pick_inputs = _picker([before.index(name) for name in inputs])
        pick_outputs = _picker([outputs.index(c) if c in outputs else len(outputs) + before.index(c) for c in columns])
        waiting: deque[Row] = deque()
        shared, key = not (self.before.fresh or self.is_builtin), run.key(self, epoch)

        def items() -> Iterator[tuple[Any, Row]]:
            try:
                for index, row in enumerate(self.before.rows(run, epoch, start), start):
                    waiting.append(row)
                    yield (*key, index), tuple(map(_copied, pick_inputs(row))) if shared else pick_inputs(row)
            except workers.WorkerError as error:
                error.is_located = True
                raise

        results = run.resource(self, lambda: self._workers(run, len(outputs))).map(items())
        index = start
        try:
            for values in self._called_back(results, epoch, start) if self.callbacks else results:
                yield pick_outputs(values + waiting.popleft())
                index += 1
        except workers.WorkerError as error:
            origin = "" if error.is_located else self.before.origin(run, epoch, index)
            if not origin:
                raise
            raise workers.WorkerError(f"{error} ({origin})") from error

    def origin(self, run: Run, epoch: int, index: int) -> str:
        return self.before.origin(run, epoch, index)

    def _workers(self, run: Run, outputs: int) -> Any:
        number = self.num_workers
        if number is None:
            number = config.get_num_parallel_workers() if self.is_builtin or self.multiprocessing else 1
        locked = not all(getattr(operation, "views", False) for operation in self.operations)
        processes = self.multiprocessing and locked and not self.callbacks and workers.are_real(run.alone)
        function = Apply("map", self.operations, outputs, run.seed, processes)
        number, ahead = (1, False) if self.callbacks else (number, self.is_builtin)
        return workers.workers("map", function, number, processes, self.slot, run.alone, ahead)

    def _called_back(self, results: Iterator[Row], epoch: int, start: int) -> Iterator[Row]:
        counts = {"cur_epoch_num": epoch + 1, "cur_step_num_in_epoch": start, "cur_step_num": epoch * self.size() + start}
        state = Progress(**counts)
        for name in ("ds_begin", "ds_epoch_begin") if epoch == 0 and start == 0 else ("ds_epoch_begin",):
            self._call(name, state)
        for row in results:
            state.cur_step_num_in_epoch += 1
            state.cur_step_num += 1
            self._call("ds_step_begin", state)
            yield row
            self._call("ds_step_end", state)
        self._call("ds_epoch_end", state)

    def _call(self, name: str, state: Progress) -> None:
        for callback in self.callbacks:
            every = getattr(callback, "step_size", 1)
            if "step" not in name or (state.cur_step_num_in_epoch - 1) % every == 0:
                getattr(callback, name)(state)


class Progress:
    """The run context of callbacks: cur_epoch_num, cur_step_num_in_epoch and cur_step_num, from 1."""

    def __init__(self, cur_epoch_num: int, cur_step_num_in_epoch: int, cur_step_num: int):
        self.cur_epoch_num = cur_epoch_num
        self.cur_step_num_in_epoch = cur_step_num_in_epoch
        self.cur_step_num = cur_step_num
