"""Steps of several inputs: zip and concat; and sync_wait, which lets so many rows pass at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from emberjit.dataset.node import Node, Run, Step, skipped
from emberjit.dataset.values import Row

_COUNTED = 1024  # rows of inputs that have to count them


class Zip(Node):
    """The columns of all inputs side by side, for as many rows as all have."""

    def __init__(self, inputs: tuple[Node, ...]):
        super().__init__(inputs)
        self.fresh = all(node.fresh for node in inputs)

    @property
    def columns(self) -> list[str]:
        columns = [name for node in self.inputs for name in node.columns]
        if len(set(columns)) != len(columns):
            raise RuntimeError(f"For 'zip', no two datasets may have a column of the same name, but they have {columns}.")
        return columns

    def size(self, limit: int | None = None) -> int:
        counted = _COUNTED if limit is None else limit
        while True:  # an input may have no end: none is counted much further than the shortest
            count = counted
            for node in self.inputs:
                count = min(count, node.size(count))
            if count < counted or counted == limit:
                return count
            counted *= 8

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        self.columns
        for rows in zip(*[node.rows(run, epoch, start) for node in self.inputs]):
            yield sum(rows, ())


class Concat(Node):
    """The rows of one input after another's."""

    def __init__(self, inputs: tuple[Node, ...]):
        super().__init__(inputs)
        self.fresh = all(node.fresh for node in inputs)

    def size(self, limit: int | None = None) -> int:
        count = 0
        for node in self.inputs:
            count += node.size(None if limit is None else limit - count)
            if limit is not None and count >= limit:
                break
        return count

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        kinds: list[Any] = []
        for node in self.inputs:
            if node.columns != self.columns:
                raise RuntimeError(
                    f"For 'concat', all datasets must have the same columns, but they have {self.columns} and "
                    f"{node.columns}."
                )
            if start:
                size = node.size()
                if start >= size:
                    start -= size
                    continue
            for number, row in enumerate(node.rows(run, epoch, start)):
                if number == 0:
                    kinds = kinds or [_kind(value) for value in row]
                    if kinds != [_kind(value) for value in row]:
                        raise RuntimeError(
                            f"For 'concat', columns must have the same dtype and rank in all datasets, but got {kinds} "
                            f"and {[_kind(value) for value in row]}."
                        )
                yield row
            start = 0


def _kind(value: Any) -> Any:
    if isinstance(value, dict):
        return dict
    return (value.dtype.kind if value.dtype.kind in "SU" else value.dtype), value.ndim


class Shard(Step):
    """The rows of a shard, in their order; shards are of one size, with the first rows again."""

    def __init__(self, before: Node, number: int, shard: int):
        super().__init__(before)
        self.number, self.shard = number, shard

    sharded = True

    def size(self, limit: int | None = None) -> int:
        return -(-self.before.size(None if limit is None else limit * self.number) // self.number)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return skipped(self._rows(run, epoch), start)

    def _rows(self, run: Run, epoch: int) -> Iterator[Row]:
        count, position, first = self.size(), 0, []
        for index, row in enumerate(self.before.rows(run, epoch)):
            if index < self.number:
                first.append(row)
            if index % self.number == self.shard:
                position += 1
                yield row
        if position < count:
            yield first[(position * self.number + self.shard) % (index + 1)]


class SyncWait(Step):
    """Rows that wait for sync_update().

    Args:
        condition: the name that sync_update() says.
        number: how many rows, or batches if there is a batch() after it, pass for each.
        callback: called by sync_update() with its data.
    """

    def __init__(self, before: Node, condition: str, number: int, callback: Callable[[Any], Any] | None):
        super().__init__(before)
        self.condition, self.number, self.callback = condition, number, callback
        self.rows_of_batch = 1  # if there is a batch() after it
        self.allowed: int | None = number  # batches

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        if self.allowed is not None and epoch == 0:
            self.allowed = self.number
        for index, row in enumerate(self.before.rows(run, epoch, start)):
            if self.allowed is not None and index % self.rows_of_batch == 0:
                if self.allowed <= 0:
                    raise RuntimeError(
                        f"For 'sync_wait', the next rows wait for sync_update('{self.condition}'), which nobody called."
                    )
                self.allowed -= 1
            yield row

    def update(self, number: int | None, data: Any) -> None:
        """Lets rows pass."""
        if self.callback is not None:
            self.callback(data)
        if self.allowed is not None:
            self.allowed += self.number if number is None else number
