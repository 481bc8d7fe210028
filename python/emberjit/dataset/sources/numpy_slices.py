"""NumpySlicesDataset and PaddedDataset: rows of arrays that are in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_instance
from emberjit.dataset import checks, samplers
from emberjit.dataset.sources.mappable import Mappable, MappableDataset
from emberjit.dataset.values import Row, to_array


class _Slices(Mappable):
    where = "NumpySlicesDataset"

    def __init__(self, arrays: list[Any], columns: list[str], sampler: samplers.Sampler, number: int | None):
        super().__init__(columns, sampler, number)
        self.arrays = arrays

    def length(self) -> int:
        return len(self.arrays[0])

    def load(self, index: int) -> Row:
        return tuple(to_array(array[index]) for array in self.arrays)


class NumpySlicesDataset(MappableDataset):
    """Slices of arrays along the first axis.

    Args:
        data: a list or an array, whose elements are rows of one column; a tuple of them, one a column; or a dict of them, by
            column.
        column_names: the columns' names; column_0 and so on unless given, or the dict's.
        num_samples: how many rows come at most.
        num_parallel_workers: how many workers read.
        shuffle: whether rows come in random order; True unless given.
        sampler: what says which rows come.
        num_shards: into how many parts rows are divided.
        shard_id: which part comes.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: lengths differ, there is no row, or not a name for each column.
    """

    def __init__(
        self,
        data: Any,
        column_names: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        where = "NumpySlicesDataset"
        check_instance(where, "data", data, (list, tuple, dict, np.ndarray))
        if len(data) == 0:
            raise ValueError(f"For '{where}', 'data' must hold a row, but it is empty.")
        if isinstance(data, dict):
            columns, arrays = list(data), [_sliced(column) for column in data.values()]
        else:
            arrays = [_sliced(column) for column in data] if isinstance(data, tuple) else [_sliced(data)]
            columns = [f"column_{i}" for i in range(len(arrays))]
        if column_names is not None:
            columns = checks.names(where, "column_names", column_names)
        if len(columns) != len(arrays):
            raise ValueError(f"For '{where}', 'column_names' must be {len(arrays)} for as many columns, but got {columns}.")
        if len({len(array) for array in arrays}) != 1:
            raise ValueError(
                f"For '{where}', columns of 'data' must have the same length, but got {[len(array) for array in arrays]}."
            )
        row_sampler = samplers.select(where, sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(_Slices(arrays, columns, row_sampler, checks.workers(where, num_parallel_workers)))


def _sliced(column: Any) -> Any:
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, (list, tuple)):
        try:
            array = np.array(column)
        except ValueError:
            return list(column)  # of rows of several shapes
        return list(column) if array.dtype.kind in "OUS" else array
    return to_array(column)


class _Padding(Mappable):
    where = "PaddedDataset"

    def __init__(self, rows: list[Row], columns: list[str]):
        super().__init__(columns, samplers.SequentialSampler(), 1)
        self.all = rows

    def length(self) -> int:
        return len(self.all)

    def load(self, index: int) -> Row:
        return self.all[index]


class PaddedDataset(MappableDataset):
    """Rows given as dicts, as what concat() appends so that shards are of one size.

    Args:
        padded_samples: a dict of values by column for each row.

    Raises:
        TypeError: it is no list of dicts.
        ValueError: it is empty, or columns differ.
    """

    def __init__(self, padded_samples: list[dict[str, Any]]):
        rows = check_instance("PaddedDataset", "padded_samples", padded_samples, list)
        if not rows:
            raise ValueError("For 'PaddedDataset', 'padded_samples' must hold a row, but it is empty.")
        for row in rows:
            if set(check_instance("PaddedDataset", "padded_samples", row, dict)) != set(rows[0]):
                raise ValueError("For 'PaddedDataset', 'padded_samples' must all have the same columns.")
        columns = sorted(rows[0])
        super().__init__(_Padding([tuple(to_array(row[name]) for name in columns) for row in rows], columns))
        self.padded_samples = padded_samples
