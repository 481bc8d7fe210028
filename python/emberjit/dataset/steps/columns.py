"""Steps that change which columns there are: project and rename; and flat_map, whose rows are of datasets made of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from emberjit.dataset import checks
from emberjit.dataset.node import Node, Run, Step, skipped
from emberjit.dataset.values import Row


def output_columns(columns: list[str], inputs: list[str], outputs: list[str]) -> list[str]:
    """The columns after an operation: as many outputs replace the inputs in place, others come first."""
    if len(inputs) == len(outputs):
        renamed = dict(zip(inputs, outputs))
        return [renamed.get(name, name) for name in columns]
    return [*outputs, *(name for name in columns if name not in inputs)]


class _SameRows(Step):
    def origin(self, run: Run, epoch: int, index: int) -> str:
        return self.before.origin(run, epoch, index)


class Project(_SameRows):
    """Some columns, in a given order."""

    def __init__(self, before: Node, names: Any):
        super().__init__(before)
        self.names = checks.names("project", "columns", names)

    @property
    def columns(self) -> list[str]:
        return checks.columns_of("project", "columns", self.names, self.before.columns)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        places = [self.before.columns.index(name) for name in self.columns]
        for row in self.before.rows(run, epoch, start):
            yield tuple(row[place] for place in places)


class Rename(_SameRows):
    """Columns under other names."""

    def __init__(self, before: Node, old: Any, new: Any):
        super().__init__(before)
        self.old, self.new = checks.names("rename", "input_columns", old), checks.names("rename", "output_columns", new)
        if len(self.old) != len(self.new):
            raise ValueError(
                f"For 'rename', 'output_columns' must be as many as 'input_columns', but got {self.new} for {self.old}."
            )

    @property
    def columns(self) -> list[str]:
        columns = self.before.columns
        names = output_columns(columns, checks.columns_of("rename", "input_columns", self.old, columns), self.new)
        if len(set(names)) != len(names):
            raise RuntimeError(f"For 'rename', 'output_columns' would give a column twice: {names}.")
        return names

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return self.before.rows(run, epoch, start)


class FlatMap(Step):
    """The rows of the nodes that a function makes of each row's Tensors."""

    def __init__(self, before: Node, nodes_of: Callable[[Row], Node]):
        super().__init__(before)
        self.nodes_of = nodes_of

    @property
    def columns(self) -> list[str]:
        run = Run(self.before, 0)
        try:
            for row in self.before.rows(run, 0):
                return self.nodes_of(row).columns
        finally:
            run.close()
        return []

    size = Node.size

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return skipped(run.ending(self._rows(run, epoch)), start)

    def _rows(self, run: Run, epoch: int) -> Iterator[Row]:
        for row in self.before.rows(run, epoch):
            node = self.nodes_of(row)
            inner = Run(node, run.seed)
            try:
                yield from node.rows(inner, epoch)
            finally:
                inner.close()
