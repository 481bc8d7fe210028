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
    """The rows of MindRecord files.

    Args:
        dataset_files: the path of one, whose other shards are read as well, or a list of paths.
        columns_list: the fields that come; all, by name, unless given.
        num_parallel_workers: how many workers read.
        shuffle: a bool or Shuffle; True unless given.
        num_shards: into how many parts rows are divided.
        shard_id: which part comes.
        sampler: what says which rows come.
        padded_sample: values by field of rows that come after the others.
        num_padded: how many of them.
        num_samples: how many rows come at most.
        cache: None.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, or arguments contradict each other.
        RuntimeError: a file is none of MindRecord, or there is no such field.
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
