"""GeneratorDataset: rows of Python's functions and objects."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Set
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset import checks, samplers
from emberjit.dataset.datasets import Dataset
from emberjit.dataset.node import Node, Run, skipped
from emberjit.dataset.randomness import Key
from emberjit.dataset.sources.mappable import Mappable, MappableDataset
from emberjit.dataset.sources.schema import numpy_type, schema_of
from emberjit.dataset.steps.batching import stacked
from emberjit.dataset.values import Row, to_row
from emberjit.dataset.workers import WorkerError

_WHERE = "GeneratorDataset"


class _Expected:
    """Checks rows: their number of columns, and their dtypes."""

    def __init__(self, columns: list[str], kinds: list[Any] | None):
        self.columns, self.kinds = columns, kinds

    def __call__(self, values: Any, index: int) -> Row:
        try:
            row = to_row(tuple(values) if self._is_row(values) else values)
        except TypeError as error:
            raise WorkerError(f"For '{_WHERE}', row {index} has a value of no dtype: {error}") from None
        if len(row) != len(self.columns):
            raise WorkerError(
                f"For '{_WHERE}', row {index} has {len(row)} values for the {len(self.columns)} columns {self.columns}."
            )
        for name, value, kind in zip(self.columns, row, self.kinds or ()):
            if value.dtype != kind and not (kind.kind in "US" and value.dtype.kind in "US"):
                raise WorkerError(f"For '{_WHERE}', column '{name}' of row {index} must be {kind}, but is {value.dtype}.")
        return row

    def _is_row(self, values: Any) -> bool:
        if isinstance(values, list):
            return len(self.columns) > 1 or len(values) == 1
        return isinstance(values, (Iterator, range, Set))


class _Indexed(Mappable):
    where = _WHERE

    def __init__(self, source: Any, expected: _Expected, sampler: samplers.Sampler, number: int, processes: bool, slot: int):
        super().__init__(expected.columns, sampler, number)
        self.source, self.expected, self.processes, self.slot = source, expected, processes, slot

    def length(self) -> int:
        return len(self.source)

    def load(self, index: int) -> Row:
        return self.expected(self.source[index], index)


class _Batches(_Indexed):
    """Batches of the indices that a batch sampler gives."""

    def __init__(self, batches: Any, collate: Callable[..., Any] | None, *rest: Any):
        super().__init__(*rest)
        self.batches, self.collate, self.fresh = batches, collate, collate is None

    @property
    def counts(self) -> bool:
        return not hasattr(self.batches, "__len__")

    def size(self, limit: int | None = None) -> int:
        if hasattr(self.batches, "__len__"):
            return len(self.batches)
        return sum(1 for _ in itertools.islice(self.batches, limit))

    def load(self, index: Any) -> Row:
        samples = [self.source[int(i)] for i in index]
        if self.collate is not None:
            return self.expected(self.collate(samples), index)
        rows = [self.expected(sample, i) for sample, i in zip(samples, index)]
        return tuple(stacked(values, name) for values, name in zip(zip(*rows), self.columns))

    def indices(self, seed: int, key: Key) -> Any:
        del seed, key  # the batch sampler draws
        batches = np.empty(self.size(), object)
        batches[:] = [list(batch) for batch in self.batches]
        return batches


class _Streamed(Node):
    """Rows of an iterable, or of what a function gives."""

    def __init__(self, source: Any, expected: _Expected, limit: int | None):
        super().__init__((), expected.columns)
        self.source, self.expected, self.limit = source, expected, limit

    @property
    def counts(self) -> bool:
        return self._counted is None and (callable(self.source) or not hasattr(self.source, "__len__"))

    def size(self, limit: int | None = None) -> int:
        if hasattr(self.source, "__len__") and not callable(self.source):
            return min(len(self.source), self.limit or len(self.source))
        return super().size(limit)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return skipped(self._rows(), start)

    def _values(self) -> Iterator[Any]:
        values: Iterator[Any] = iter(self.source() if callable(self.source) else self.source)
        if values is not self.source:
            return values
        self.source, values = itertools.tee(values)  # an iterator gives its rows once
        return values

    def _rows(self) -> Iterator[Row]:
        index = 0
        try:
            for index, value in enumerate(itertools.islice(self._values(), self.limit)):
                yield self.expected(value, index)
        except (WorkerError, GeneratorExit):
            raise
        except Exception as error:
            raise WorkerError(f"For '{_WHERE}', row {index} or the next failed: {type(error).__name__}: {error}") from error


class GeneratorDataset(MappableDataset):
    """The rows that Python code gives: an object with __getitem__ and __len__, whose rows come in any order, an iterable, or
    a function that gives an iterator for each epoch.

    Args:
        source: what gives rows. A row is a tuple of a value for each column, or a value, if there is one column.
        column_names: the columns' names, a list, or a str of one.
        column_types: the columns' dtypes, a list: that of each value is compared with them; None: values are as they come.
        schema: a Schema, or the path of one's file, in place of column_names and column_types.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many workers call __getitem__.
        shuffle: whether rows come in random order, in each epoch another, of a source with __getitem__; None: they do,
            unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come, of a source with __getitem__; then
            shuffle, num_shards and shard_id are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one, of a source with __getitem__;
            None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        python_multiprocessing: whether several workers are processes, not threads; each of n processes gets every n-th row
            of an epoch.
        max_rowsize: the size of the shared memory for a row of a process, in MB; None and -1: 16.
        batch_sampler: an iterable of lists of row numbers: the rows of a list are stacked to one. Not with num_samples,
            shuffle, num_shards or sampler.
        collate_fn: a function of the list of rows of a batch that gives its row; None: columns are stacked. With
            batch_sampler.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: neither column_names nor schema is given, or arguments contradict each other.
        RuntimeError: source fails, or a row has not a value for each column or one of another dtype, when rows are asked
            for.

    Examples:
        >>> class Squares:
        ...     def __getitem__(self, index):
        ...         return index, float(index**2)
        ...     def __len__(self):
        ...         return 3
        >>> for x, y in ds.GeneratorDataset(Squares(), ["x", "y"], shuffle=False):
        ...     print(x, y)
        0 0.0
        1 1.0
        2 4.0
    """

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int | None = None,
        batch_sampler: Any = None,
        collate_fn: Callable[..., Any] | None = None,
    ):
        expected = _expected(column_names, column_types, schema)
        number = checks.workers(_WHERE, num_parallel_workers) or 1
        processes = check_bool(_WHERE, "python_multiprocessing", python_multiprocessing)
        megabytes = 16 if max_rowsize in (None, -1) else check_int32(_WHERE, "max_rowsize", max_rowsize, 1)
        workers = (number, processes, megabytes << 20)
        indexed = not callable(source) and hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if collate_fn is not None and (batch_sampler is None or not callable(collate_fn)):
            raise ValueError(f"For '{_WHERE}', 'collate_fn' must be a function, and needs 'batch_sampler'.")
        if not (indexed or callable(source) or hasattr(source, "__iter__") or hasattr(source, "__next__")):
            raise TypeError(
                f"For '{_WHERE}', 'source' must be a function, iterable, or have __getitem__ and __len__, but "
                f"got {source!r}."
            )
        if not indexed and (sampler is not None or batch_sampler is not None):
            raise ValueError(f"For '{_WHERE}', 'sampler' and 'batch_sampler' need a source with __getitem__ and __len__.")
        if not indexed and num_shards is not None:
            raise ValueError(f"For '{_WHERE}', 'num_shards' needs a source with __getitem__ and __len__.")
        if batch_sampler is not None:
            arguments = {"num_samples": num_samples, "shuffle": shuffle, "num_shards": num_shards, "sampler": sampler}
            extra = [name for name, value in arguments.items() if value is not None]
            if extra or not hasattr(batch_sampler, "__iter__"):
                raise ValueError(f"For '{_WHERE}', 'batch_sampler' must be iterable, and {extra} must not be given with it.")
            super().__init__(_Batches(batch_sampler, collate_fn, source, expected, samplers.SequentialSampler(), *workers))
        elif indexed:
            row_sampler = samplers.select(_WHERE, sampler, num_samples, shuffle, num_shards, shard_id)
            super().__init__(_Indexed(source, expected, row_sampler, *workers))
        else:
            if shuffle is not None:
                check_bool(_WHERE, "shuffle", shuffle)
            super().__init__(_Streamed(source, expected, checks.samples(_WHERE, num_samples)))
        self.source = source

    def _parts(self, counts: list[int], seed: int, randomize: bool) -> Any:
        kind = MappableDataset if isinstance(self._node, Mappable) else Dataset
        return kind._parts(self, counts, seed, randomize)


def _expected(column_names: Any, column_types: Any, schema: Any) -> _Expected:
    if schema is not None:
        if column_names is not None or column_types is not None:
            raise ValueError(f"For '{_WHERE}', 'schema' must not be given with 'column_names' or 'column_types'.")
        parsed = schema_of(_WHERE, schema)
        assert parsed is not None
        return _Expected(list(parsed.columns), [numpy_type(_WHERE, "schema", c["type"]) for c in parsed.columns.values()])
    if column_names is None:
        raise ValueError(f"For '{_WHERE}', 'column_names' or 'schema' must be given.")
    columns = checks.names(_WHERE, "column_names", column_names)
    if column_types is None:
        return _Expected(columns, None)
    check_instance(_WHERE, "column_types", column_types, list)
    kinds = [numpy_type(_WHERE, "column_types", dtype) for dtype in column_types]
    if len(kinds) != len(columns):
        raise ValueError(f"For '{_WHERE}', 'column_types' must be {len(columns)} for as many columns, but got {len(kinds)}.")
    return _Expected(columns, kinds)
