"""Steps that change which rows come and in which order: shuffle, repeat, take, skip, filter, and parts of a split."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from emberjit.checks import check_instance
from emberjit.dataset import checks
from emberjit.dataset.node import Node, Run, Step, skipped
from emberjit.dataset.values import Row
from emberjit.dataset.workers import WorkerError


class Shuffle(Step):
    """Rows drawn from a buffer of buffer_size; each epoch in another order, or all in the first's."""

    def __init__(self, before: Node, buffer_size: int, reshuffles: bool = True):
        super().__init__(before)
        self.buffer_size, self.reshuffles = buffer_size, reshuffles

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return skipped(self._rows(run, epoch), start)

    def _rows(self, run: Run, epoch: int) -> Iterator[Row]:
        random = run.generator(self, epoch if self.reshuffles else 0)
        source = self.before.rows(run, epoch)
        buffer = list(itertools.islice(source, self.buffer_size))
        for row in source:
            i = int(random.integers(len(buffer)))
            yield buffer[i]
            buffer[i] = row
        for i in random.permutation(len(buffer)):
            yield buffer[i]


class _Counted(Step):
    def __init__(self, before: Node, count: int):
        super().__init__(before)
        self.count = count


class Repeat(_Counted):
    """Several epochs as one; count -1: without end."""

    @property
    def repeat_count(self) -> int:
        """How many times the rows come, of all repeats up to here."""
        return self.count * int(self.before.nearest("repeat_count", 1))

    def size(self, limit: int | None = None) -> int:
        return self.before.size(limit) * max(1, self.count)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        first = 0
        if start:
            first, start = divmod(start, max(1, self.before.size()))
        for k in itertools.count(first) if self.count == -1 else range(first, self.count):
            empty = start == 0
            for row in self.before.rows(run, epoch * max(1, self.count) + k, start):
                empty = False
                yield row
            if empty and self.count == -1:
                return
            start = 0


class Take(_Counted):
    """The first rows."""

    def size(self, limit: int | None = None) -> int:
        count = self.count if limit is None else min(limit, self.count)
        return min(self.before.size(count), count)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return itertools.islice(self.before.rows(run, epoch, start), max(0, self.count - start))


class Skip(_Counted):
    """All but the first rows."""

    def size(self, limit: int | None = None) -> int:
        return max(0, self.before.size(None if limit is None else limit + self.count) - self.count)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return self.before.rows(run, epoch, self.count + start)


class Filter(Step):
    """Rows that a predicate of some columns holds of."""

    def __init__(self, before: Node, predicate: Callable[..., Any], columns: Any):
        super().__init__(before)
        self.predicate, self.input_columns = predicate, columns

    size = Node.size

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return skipped(self._rows(run, epoch), start)

    def _rows(self, run: Run, epoch: int) -> Iterator[Row]:
        columns = self.before.columns
        names = checks.columns_of("filter", "input_columns", self.input_columns, columns) if self.input_columns else columns
        places = [columns.index(name) for name in names]
        for index, row in enumerate(self.before.rows(run, epoch)):
            try:
                kept = bool(self.predicate(*(row[place] for place in places)))
            except Exception as error:
                raise WorkerError(
                    f"For 'filter', 'predicate' failed on row {index}: {type(error).__name__}: {error}"
                ) from error
            if kept:
                yield row


def sizes_of_split(sizes: Any, size: int) -> list[int]:
    """The numbers of rows of the parts of a split.

    Raises:
        TypeError: sizes is no list of ints or floats.
        ValueError: it is empty, or fractions are not of 1.
        RuntimeError: numbers do not add up to the rows there are, or a part is empty.
    """
    parts: list[Any] = check_instance("split", "sizes", sizes, list)
    if not parts:
        raise ValueError("For 'split', 'sizes' must hold a size, but it is empty.")
    if all(isinstance(part, int) and not isinstance(part, bool) for part in parts):
        for part in parts:
            if part <= 0:
                raise ValueError(f"For 'split', 'sizes' must be above 0, but got {parts}.")
        if sum(parts) != size:
            raise RuntimeError(f"For 'split', 'sizes' must add up to the number of rows, {size}, but got {parts}.")
        return parts
    if not all(isinstance(part, float) for part in parts):
        raise TypeError(f"For 'split', 'sizes' must be all ints or all floats, but got {parts}.")
    if any(not 0 < part <= 1 for part in parts) or abs(sum(parts) - 1) > 1e-6:
        raise ValueError(f"For 'split', 'sizes' as fractions must be above 0 and add up to 1, but got {parts}.")
    counts = [int(part * size + 0.5) for part in parts]
    if 0 in counts:
        raise RuntimeError(f"For 'split', a part of {parts} of {size} rows would be empty.")
    counts[0] += size - sum(counts)
    if counts[0] <= 0:
        raise RuntimeError(f"For 'split', a part of {parts} of {size} rows would be empty.")
    return counts


class Part(Step):
    """A part of a split: the same rows in each epoch, and in each run.

    Args:
        seed: what the order of all rows follows from.
        randomize: whether the part's are chosen at random; else they are one after the other.
    """

    def __init__(self, before: Node, first: int, count: int, seed: int, randomize: bool):
        super().__init__(before)
        self.first, self.count, self.seed, self.randomize = first, count, seed, randomize

    def size(self, limit: int | None = None) -> int:
        del limit  # nothing is counted
        return self.count

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        run = run.in_order_of(self.seed, self.before)
        if not self.randomize:
            source = self.before.rows(run, epoch, self.first + start)
            return itertools.islice(source, self.count - start)
        order = np.random.default_rng(self.seed).permutation(self.before.size())
        indices = set(order[self.first : self.first + self.count].tolist())
        return skipped((row for index, row in enumerate(self.before.rows(run, epoch)) if index in indices), start)
