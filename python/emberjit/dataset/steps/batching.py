"""batch, padded_batch and bucket_batch_by_length: rows stacked to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset import checks, config, randomness, workers
from emberjit.dataset.node import Node, Run, Step, skipped
from emberjit.dataset.steps.columns import output_columns
from emberjit.dataset.steps.combining import SyncWait
from emberjit.dataset.values import Row, to_array

Padding = dict[str, tuple[Any, Any]]


class BatchInfo:
    """Which batch it is: what Dataset.batch() gives to batch_size and per_batch_map, if they are functions.

    Args:
        epoch: the number of the epoch, from 0.
        batch: the number of the batch in the epoch, from 0.

    Examples:
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3, 4, 5, 6], shuffle=False)
        >>> growing = dataset.batch(lambda info: info.get_batch_num() + 1)
        >>> [x.shape for x, in growing]
        [(1,), (2,), (3,)]
    """

    def __init__(self, epoch: int, batch: int):
        self._epoch, self._batch = epoch, batch

    def get_epoch_num(self) -> int:
        """The number of the epoch, from 0."""
        return self._epoch

    def get_batch_num(self) -> int:
        """The number of the batch in the epoch, from 0."""
        return self._batch


def padding_of(where: str, pad_info: Any) -> Padding | None:
    """How columns are padded: shapes, in which None stands for the largest in a batch, and values.

    Raises:
        TypeError: it is no dict of such.
    """
    if pad_info is None:
        return None
    padding = {}
    for name, how in check_instance(where, "pad_info", pad_info, dict).items():
        check_instance(where, "pad_info", name, str)
        if how is None:
            padding[name] = (None, 0)
            continue
        if not isinstance(how, tuple) or len(how) != 2:
            raise ValueError(f"For '{where}', 'pad_info' must give a shape and a value for '{name}', but got {how!r}.")
        shape, value = how
        if shape is not None:
            for length in check_instance(where, "pad_info", shape, (list, tuple)):
                if length is not None:
                    check_int32(where, "pad_info", length, 1)
        padding[name] = (shape, 0 if value is None else value)
    return padding


def padded(values: Sequence[Any], shape: Sequence[int | None] | None, value: Any, name: str) -> list[Any]:
    """Arrays cut and padded to a shape, in which None stands for the largest.

    Raises:
        RuntimeError: ranks differ.
    """
    ranks = {array.ndim for array in values}
    if len(ranks) != 1 or (shape is not None and len(shape) != min(ranks)):
        raise RuntimeError(
            f"For 'batch', 'pad_info' has a shape {shape} for '{name}', but arrays have ranks {sorted(ranks)}."
        )
    largest = np.max([array.shape for array in values], axis=0) if min(ranks) else ()
    target = [int(most) if length is None else length for length, most in zip(shape or [None] * min(ranks), largest)]
    arrays = []
    for array in values:
        if list(array.shape) == target:
            arrays.append(array)
            continue
        text = array.dtype.kind in "SU"
        filling = (
            np.asarray(value or array.dtype.type()) if text else np.asarray(value).astype(array.dtype)
        )  # -1 is 255 of uint8
        full = np.full(target, filling, np.result_type(array.dtype, filling) if text else array.dtype)
        part = tuple(slice(0, min(a, b)) for a, b in zip(target, array.shape))
        full[part] = array[part]
        arrays.append(full)
    return arrays


def stacked(values: Sequence[Any], name: str) -> Any:
    """One array of several.

    Raises:
        RuntimeError: shapes or dtypes differ.
    """
    first = values[0]
    if isinstance(first, dict):
        for value in values:
            if not isinstance(value, dict) or set(value) != set(first):
                got = list(value) if isinstance(value, dict) else type(value).__name__
                raise RuntimeError(
                    f"For 'batch', dicts of column '{name}' must have the same keys, but got {list(first)} and {got}."
                )
        return {key: stacked([value[key] for value in values], name) for key in first}
    if not isinstance(first, np.ndarray):
        return stacked([to_array(value) for value in values], name)
    for value in values:
        if value.shape != first.shape:
            raise RuntimeError(
                f"For 'batch', arrays of column '{name}' must have the same shape, but got {list(first.shape)} and "
                f"{list(value.shape)}; pad_info of batch or padded_batch() pads them."
            )
        if value.dtype != first.dtype and first.dtype.kind not in "SU":
            raise RuntimeError(
                f"For 'batch', arrays of column '{name}' must have the same dtype, but got {first.dtype} and {value.dtype}."
            )
    return np.stack(values)


class Collate:
    """Makes a batch of its rows.

    Args:
        per_batch: None, or a function of lists of each column's values, and a BatchInfo.
        columns: the columns there are.
        input_columns: the columns that per_batch gets.
        outputs: the columns that it gives.
        padding: how columns are padded.
        seed: what random numbers of per_batch follow from, with a batch's key.
        globally: whether those of random and numpy.random do.
    """

    def __init__(
        self,
        per_batch: Callable[..., Any] | None,
        columns: list[str],
        input_columns: list[str],
        outputs: list[str],
        padding: Padding | None,
        seed: int = 0,
        globally: bool = False,
    ):
        self.per_batch, self.padding, self.seed, self.globally = per_batch, padding, seed, globally
        self.columns, self.input_columns, self.outputs = columns, input_columns, outputs

    def __call__(self, item: tuple[randomness.Key, list[Row]]) -> Row:
        key, rows = item
        columns: dict[str, Any] = {name: [row[at] for row in rows] for at, name in enumerate(self.columns)}
        if self.per_batch is not None:
            outer = randomness.begin(self.seed, key, self.globally)
            try:
                columns = self._mapped(columns, BatchInfo(*key[-2:]))
            finally:
                randomness.end(outer)
        if self.padding is not None:
            self._pad(columns)
        return tuple(stacked(v, name) if isinstance(v, list) else v for name, v in columns.items())

    def _mapped(self, columns: dict[str, Any], info: BatchInfo) -> dict[str, Any]:
        assert self.per_batch is not None
        try:
            result = self.per_batch(*(columns[name] for name in self.input_columns), info)
        except Exception as error:
            raise workers.WorkerError(
                f"For 'batch', 'per_batch_map' failed on batch {info.get_batch_num()} of epoch {info.get_epoch_num()}: "
                f"{type(error).__name__}: {error}"
            ) from error
        results = result if isinstance(result, tuple) else (result,)
        if len(results) != len(self.outputs):
            raise workers.WorkerError(
                f"For 'batch', 'per_batch_map' gave {len(results)} values for the {len(self.outputs)} columns "
                f"{self.outputs}."
            )
        try:
            mapped = dict(zip(self.outputs, (self._arrays(value) for value in results)))
        except TypeError as error:
            raise workers.WorkerError(f"For 'batch', 'per_batch_map' gave a value of no dtype: {error}") from None
        names = output_columns(self.columns, self.input_columns, self.outputs)
        return {name: mapped[name] if name in mapped else columns[name] for name in names}

    @staticmethod
    def _arrays(result: Any) -> Any:
        return [to_array(item) for item in result] if isinstance(result, list) else to_array(result)

    def _pad(self, columns: dict[str, Any]) -> None:
        padding = self.padding or {name: (None, 0) for name in columns}
        for name, (shape, value) in padding.items():
            if name not in columns:
                raise RuntimeError(f"For 'batch', 'pad_info' has '{name}', but there are the columns {list(columns)}.")
            if isinstance(columns[name], list) and isinstance(columns[name][0], np.ndarray):
                columns[name] = padded(columns[name], shape, value, name)


class Batch(Step):
    """Rows stacked. Arguments are those of Dataset.batch()."""

    fresh = True

    def __init__(
        self,
        before: Node,
        batch_size: Any,
        drop_remainder: bool,
        num_parallel_workers: int | None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        padding: Padding | None = None,
        python_multiprocessing: bool = False,
        max_rowsize: int = 16,
    ):
        super().__init__(before)
        self.fresh = per_batch_map is None
        if not callable(batch_size):
            if not isinstance(batch_size, int) or isinstance(batch_size, bool):
                raise TypeError(f"For 'batch', 'batch_size' must be an int or a function, but got {batch_size!r}.")
            check_int32("batch", "batch_size", batch_size, 1)
        self.batch_size_of = batch_size
        self.drop = check_bool("batch", "drop_remainder", drop_remainder)
        if per_batch_map is not None and not callable(per_batch_map):
            raise TypeError(f"For 'batch', 'per_batch_map' must be a function, but got {per_batch_map!r}.")
        self.per_batch, self.padding = per_batch_map, padding
        self.input_columns = input_columns and checks.names("batch", "input_columns", input_columns)
        self.outputs = output_columns and checks.names("batch", "output_columns", output_columns)
        self.number = checks.workers("batch", num_parallel_workers)
        self.multiprocessing = check_bool("batch", "python_multiprocessing", python_multiprocessing)
        self.slot = max_rowsize << 20
        for node in before.walk():
            if isinstance(node, SyncWait):
                node.rows_of_batch = self.batch_size

    @property
    def batch_size(self) -> int:
        """The number of rows in a batch; 1 where a function says."""
        return 1 if callable(self.batch_size_of) else int(self.batch_size_of)

    def _collate(self, seed: int = 0, globally: bool = False) -> Collate:
        columns = self.before.columns
        inputs = checks.columns_of("batch", "input_columns", self.input_columns, columns) if self.input_columns else columns
        return Collate(self.per_batch, columns, inputs, self.outputs or inputs, self.padding, seed, globally)

    @property
    def columns(self) -> list[str]:
        collate = self._collate()
        inputs, outputs = collate.input_columns, collate.outputs
        return output_columns(collate.columns, inputs, outputs) if self.per_batch else collate.columns

    @property
    def counts(self) -> bool:
        return self._counted is None and callable(self.batch_size_of)

    def size(self, limit: int | None = None) -> int:
        if callable(self.batch_size_of):
            return Node.size(self, limit)
        size = self.before.size(None if limit is None else limit * self.batch_size)
        return size // self.batch_size if self.drop else -(-size // self.batch_size)

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        first = start * self.batch_size
        skips = callable(self.batch_size_of)
        items = self._items(run, epoch, 0 if skips else first, 0 if skips else start)
        single = self.per_batch is None or (self.number or 1) == 1
        processes = self.multiprocessing and self.per_batch is not None
        number = 1 if single and not processes else self.number or config.get_num_parallel_workers()
        collate = self._collate(run.seed, processes and workers.are_real(run.alone))
        pool = run.resource(self, lambda: workers.workers("batch", collate, number, processes, self.slot, run.alone))
        return skipped(pool.map(items), start) if skips else pool.map(items)

    def _items(self, run: Run, epoch: int, first: int, number: int) -> Iterator[tuple[randomness.Key, list[Row]]]:
        pending: list[Row] = []
        size = self._size_of(epoch, number)
        for row in self.before.rows(run, epoch, first):
            pending.append(row)
            if len(pending) == size:
                yield run.key(self, epoch, number), pending
                pending, number = [], number + 1
                size = self._size_of(epoch, number)
        if pending and not self.drop:
            yield run.key(self, epoch, number), pending

    def _size_of(self, epoch: int, number: int) -> int:
        if not callable(self.batch_size_of):
            return self.batch_size
        size = self.batch_size_of(BatchInfo(epoch, number))
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise RuntimeError(f"For 'batch', 'batch_size' must give ints above 0, but gave {size!r} for batch {number}.")
        return size


class BucketBatch(Step):
    """Batches of rows of similar length. Arguments are those of Dataset.bucket_batch_by_length()."""

    fresh = True

    def __init__(
        self,
        before: Node,
        names: Any,
        boundaries: list[int],
        sizes: list[int],
        length_of: Callable[..., Any] | None,
        padding: Padding | None,
        to_boundary: bool,
        drop: bool,
    ):
        super().__init__(before)
        self.fresh = True
        self.names, self.boundaries, self.sizes = names, boundaries, sizes
        self.length_of, self.padding, self.to_boundary, self.drop = length_of, padding, to_boundary, drop

    size = Node.size

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return skipped(self._rows(run, epoch), start)

    def _rows(self, run: Run, epoch: int) -> Iterator[Row]:
        where, columns = "bucket_batch_by_length", self.before.columns
        places = [columns.index(name) for name in checks.columns_of(where, "column_names", self.names, columns)]
        buckets: list[list[Row]] = [[] for _ in self.sizes]
        number = 0
        for row in self.before.rows(run, epoch):
            measured = [row[place] for place in places]
            length = int(self.length_of(*measured)) if self.length_of else measured[0].shape[0]
            at = int(np.searchsorted(self.boundaries, length, side="right"))
            buckets[at].append(row)
            if len(buckets[at]) == self.sizes[at]:
                yield self._batch(epoch, number, at, buckets[at])
                buckets[at], number = [], number + 1
        for at, bucket in enumerate(buckets):
            if bucket and not self.drop:
                yield self._batch(epoch, number, at, bucket)
                number += 1

    def _batch(self, epoch: int, number: int, at: int, rows: list[Row]) -> Row:
        padding = self.padding
        if self.to_boundary:
            if at == len(self.boundaries):
                raise RuntimeError(
                    "For 'bucket_batch_by_length', a row is longer than the last bucket boundary, so it cannot "
                    "be padded to one."
                )
            length = self.boundaries[at] - 1
            padding = {
                name: ([length if size is None else size for size in shape] if shape else shape, value)
                for name, (shape, value) in (padding or {}).items()
            }
        return Collate(None, self.columns, [], [], padding)(((epoch, number), rows))
