"""MindDataset: the rows of MindRecord files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32
from emberjit.dataset import checks, samplers
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.mappable import Mappable, MappableDataset
from emberjit.dataset.sources.records import FileSampler, file_sampler
from emberjit.dataset.values import Row, to_array
from emberjit.mindrecord.reader import Rows


class _MindRows(Mappable):
    where = "MindDataset"

    def __init__(self, rows: Rows, sampler: samplers.Sampler, number: int | None, padded: Row | None, count: int):
        super().__init__(rows.columns, sampler, number)
        self.all, self.padded, self.count = rows, padded, count
        self.kinds = {name: field["type"] for name, field in rows.schema.items()}
        if isinstance(sampler, FileSampler):
            sampler.counts = rows.counts

    def length(self) -> int:
        total, shards = len(self.all) + self.count, getattr(self.sampler, "num_shards", 1)
        if self.padded is not None and total % shards:
            raise RuntimeError(
                f"For 'MindDataset', 'num_padded' must make the number of rows a multiple of 'num_shards', {shards}, but "
                f"{len(self.all)} rows and {self.count} padded ones are {total}."
            )
        return total

    def release(self) -> None:
        self.all.close()

    def labels(self, column: str) -> Any:
        return self.all.values_of(column)

    def load(self, index: int) -> Row:
        if index >= len(self.all):
            assert self.padded is not None
            return self.padded
        return tuple(self._value(name, value) for name, value in self.all[index].items())

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, bytes):
            return np.frombuffer(value, f"S{len(value)}")
        if isinstance(value, (str, np.ndarray)):
            return np.asarray(value)
        return np.asarray(value).astype(self.kinds[name])


class MindDataset(MappableDataset):
    """The rows of MindRecord files, a column for each field: numbers, arrays, str, or bytes, which are S of (1,).
    mindrecord.FileWriter and Dataset.save() write such files.

    Args:
        dataset_files: the path of a file, whose other shards are read as well, or a list of the paths of all.
        columns_list: the names of the fields that come; None: all, by name.
        num_parallel_workers: how many threads read rows; None: one.
        shuffle: True, None or Shuffle.GLOBAL, PARTIAL or ADAPTIVE: rows come in random order, in each epoch another;
            Shuffle.FILES: only the files do; Shuffle.INFILE: the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        padded_sample: the values, by field, of rows that are added so that all shards are of one size; with num_padded.
        num_padded: how many such rows.
        num_samples: how many rows come at most; None: all.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, or arguments contradict each other.
        RuntimeError: cache is given, a file is none of MindRecord, there is no such field, or one of padded_sample and
            num_padded is given without the other.

    Examples:
        >>> ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).save("rows.mindrecord")
        >>> dataset = ds.MindDataset("rows.mindrecord", shuffle=False)
        >>> [int(x) for x, in dataset]
        [1, 2, 3]
    """

    def __init__(
        self,
        dataset_files: Any,
        columns_list: list[str] | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: Any = None,
    ):
        where = "MindDataset"
        checks.no_cache(where, cache)
        files = dataset_files if isinstance(dataset_files, (list, tuple)) else [dataset_files]
        paths = [checks.file(where, "dataset_files", file) for file in files]
        names = None if columns_list is None else checks.names(where, "columns_list", columns_list)
        if (padded_sample is None) != (num_padded is None):
            raise RuntimeError(f"For '{where}', 'padded_sample' and 'num_padded' must be given together, or neither.")
        row_sampler: samplers.Sampler
        if isinstance(shuffle, Shuffle) and shuffle in (Shuffle.FILES, Shuffle.INFILE):
            if sampler is not None:
                raise ValueError(f"For '{where}', 'sampler' says which rows come, so 'shuffle' must not be given with it.")
            if num_samples is not None:
                raise ValueError(f"For '{where}', 'num_samples' must not be given with 'shuffle' {shuffle}.")
            row_sampler = file_sampler(where, shuffle, None, num_shards, shard_id, "turns")
        else:
            shuffled = True if isinstance(shuffle, Shuffle) else shuffle
            row_sampler = samplers.select(where, sampler, num_samples, shuffled, num_shards, shard_id)
        rows = Rows(paths if isinstance(dataset_files, (list, tuple)) else os.fspath(dataset_files), names)
        padded = None
        if padded_sample is not None:
            for name in rows.columns:
                if name not in check_instance(where, "padded_sample", padded_sample, dict):
                    raise RuntimeError(
                        f"For '{where}', 'padded_sample' must have a value of '{name}', but got {padded_sample}."
                    )
            padded = tuple(self._padding(rows.schema[name], padded_sample[name]) for name in rows.columns)
        count = 0 if num_padded is None else check_int32(where, "num_padded", num_padded)
        super().__init__(_MindRows(rows, row_sampler, checks.workers(where, num_parallel_workers), padded, count))

    @staticmethod
    def _padding(field: dict[str, Any], value: Any) -> Any:
        array = to_array(value)
        if isinstance(value, bytes):
            return array.reshape(1)
        return array if array.dtype.kind in "US" else array.astype(field["type"])
