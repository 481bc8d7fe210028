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
    """The elements of arrays, or of lists, along their first axis.

    Args:
        data: an array or a list, whose elements are the rows of one column; or a tuple of these, one for each column; or a
            dict of them, by the columns' names.
        column_names: the columns' names; None: the dict's, or column_0, column_1 and so on.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no row, columns are not of one length, there is not a name for each, or arguments contradict
            each other.

    Examples:
        >>> data = {"x": np.array([[1.0, 2.0], [3.0, 4.0]]), "label": ["a", "b"]}
        >>> dataset = ds.NumpySlicesDataset(data, shuffle=False)
        >>> for x, label in dataset:
        ...     print(x, label)
        [1. 2.] a
        [3. 4.] b
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
    """Rows given one by one, as what is added to a dataset by concat() so that all shards are of one size. Columns are
    sorted by name.

    Args:
        padded_samples: for each row a dict of its values, by the columns' names.

    Raises:
        TypeError: it is no list of dicts.
        ValueError: it is empty, or the rows' columns differ.

    Examples:
        >>> dataset = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
        >>> padded = dataset + ds.PaddedDataset([{"x": 0}])
        >>> [int(x) for x, in padded]
        [1, 2, 3, 0]
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
