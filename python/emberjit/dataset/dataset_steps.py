"""The steps of datasets, as methods that give other datasets."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from emberjit.checks import check_bool, check_callable, check_instance, check_int32
from emberjit.dataset import checks, config
from emberjit.dataset.node import Node
from emberjit.dataset.pipeline import Pipeline
from emberjit.dataset.steps import batching, combining, mapping, ordering
from emberjit.dataset.steps.columns import FlatMap, Project, Rename
from emberjit.dataset.values import Row, to_output

if TYPE_CHECKING:
    from emberjit.dataset.datasets import (
        BatchDataset,
        BucketBatchByLengthDataset,
        ConcatDataset,
        Dataset,
        FilterDataset,
        MapDataset,
        ProjectDataset,
        RenameDataset,
        RepeatDataset,
        Results,
        ShuffleDataset,
        SkipDataset,
        SyncWaitDataset,
        ZipDataset,
    )


class Steps(Pipeline):
    """A pipeline with steps that give others."""

    _results: ClassVar[type[Results]]  # the classes of what the steps give

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_workers: int | None = None, **kwargs: Any
    ) -> BatchDataset:
        """Stacks rows.

        Args:
            batch_size: how many; or a function of a BatchInfo that says how many.
            drop_remainder: whether the last rows are left out if they are fewer.
            num_parallel_workers: how many workers call per_batch_map.
            kwargs: per_batch_map, a function of a list of values for each of input_columns and a BatchInfo that gives the
                values of output_columns; python_multiprocessing: whether workers are processes, and max_rowsize, the MB of
                shared memory for a batch; pad_info: as of padded_batch().

        Raises:
            TypeError: an argument is of a wrong type, or there is no such one.
            ValueError: a size is below 1.
        """
        options = _options(
            "BatchDataset",
            kwargs,
            {
                "per_batch_map": None,
                "input_columns": None,
                "output_columns": None,
                "python_multiprocessing": False,
                "max_rowsize": None,
                "pad_info": None,
            },
        )
        options["padding"] = batching.padding_of("batch", options.pop("pad_info"))
        options["max_rowsize"] = _megabytes("batch", options["max_rowsize"])
        return self._results.batch(batching.Batch(self._node, batch_size, drop_remainder, num_parallel_workers, **options))

    def padded_batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> BatchDataset:
        """Pads and stacks rows.

        Args:
            pad_info: for columns a shape, in which None stands for the largest in a batch, and a value; {}: all columns, to
                the largest, with 0; None: nothing is padded.

        Raises:
            as batch().
        """
        padding = batching.padding_of("padded_batch", pad_info)
        return self._results.padded_batch(
            batching.Batch(self._node, batch_size, drop_remainder, num_parallel_workers, padding=padding)
        )

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., Any] | None = None,
        pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> BucketBatchByLengthDataset:
        """Batches rows of similar length.

        Args:
            column_names: what the length is of; without element_length_function one column, whose first axis it is.
            bucket_boundaries: rising lengths; a bucket's rows are shorter than its boundary, the last one's are not.
            bucket_batch_sizes: how many rows are a batch, of each bucket; one more than boundaries.
            element_length_function: gives the length, of the columns.
            pad_info: as of padded_batch().
            pad_to_bucket_boundary: whether None in pad_info stands for the boundary less 1.
            drop_remainder: whether batches of too few rows are left out.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: boundaries do not rise, or the numbers do not fit.
        """
        where = "bucket_batch_by_length"
        names = checks.names(where, "column_names", column_names)
        if element_length_function is None and len(names) != 1:
            raise ValueError(
                f"For '{where}', 'column_names' without 'element_length_function' must be one, but got {names}."
            )
        if element_length_function is not None and not callable(element_length_function):
            raise TypeError(
                f"For '{where}', 'element_length_function' must be a function, but got {element_length_function!r}."
            )
        limits = check_instance(where, "bucket_boundaries", bucket_boundaries, list)
        sizes = check_instance(where, "bucket_batch_sizes", bucket_batch_sizes, list)
        for limit in limits:
            check_int32(where, "bucket_boundaries", limit, 1)
        for size in sizes:
            check_int32(where, "bucket_batch_sizes", size, 1)
        if not limits or limits != sorted(set(limits)):
            raise ValueError(f"For '{where}', 'bucket_boundaries' must rise, but got {limits}.")
        if len(sizes) != len(limits) + 1:
            raise ValueError(f"For '{where}', 'bucket_batch_sizes' must be one more than the boundaries, but got {sizes}.")
        check_bool(where, "pad_to_bucket_boundary", pad_to_bucket_boundary)
        check_bool(where, "drop_remainder", drop_remainder)
        padding = batching.padding_of(where, pad_info)
        more = (element_length_function, padding, pad_to_bucket_boundary, drop_remainder)
        return self._results.bucket_batch_by_length(batching.BucketBatch(self._node, names, limits, sizes, *more))

    def map(
        self,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> MapDataset:
        """Calls functions with columns' values.

        Args:
            operations: a function or transform, or several in turn; of arrays, giving arrays or what becomes one.
            input_columns: what the first gets; the first column unless given.
            output_columns: the names of what the last gives; those of input_columns unless given.
            num_parallel_workers: how many workers; of functions of Python 1, of transforms as many as configured.
            kwargs: python_multiprocessing: whether workers are processes, unless all operations are ones that threads do
                as well, as Decode; of n processes each gets every n-th row of an epoch; max_rowsize: the MB of shared
                memory for a row; callbacks: DSCallbacks; offload and cache, which stay None.

        Raises:
            TypeError: an argument is of a wrong type, or there is no such one.
            RuntimeError: there is no such column.
        """
        options = _options(
            "MapDataset",
            kwargs,
            {"python_multiprocessing": False, "max_rowsize": None, "cache": None, "callbacks": None, "offload": None},
        )
        checks.no_cache("map", options.pop("cache"))
        if options.pop("offload"):
            raise RuntimeError("For 'map', 'offload' must be None or False: operations run on the CPU.")
        options["max_rowsize"] = _megabytes("map", options["max_rowsize"])
        callbacks = options.pop("callbacks") or []
        options["callbacks"] = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
        return self._results.map(
            mapping.Map(self._node, operations, input_columns, output_columns, num_parallel_workers, **options)
        )

    def shuffle(self, buffer_size: int) -> ShuffleDataset:
        """Rows in random order, drawn from a buffer of buffer_size rows.

        Raises:
            TypeError: buffer_size is no int.
            ValueError: it is below 2.
            RuntimeError: there is a sync_wait() before.
        """
        if self.is_sync():
            raise RuntimeError(
                "For 'shuffle', there must be no sync_wait() before: rows that it holds back cannot be shuffled."
            )
        return self._results.shuffle(ordering.Shuffle(self._node, check_int32("shuffle", "buffer_size", buffer_size, 2)))

    def repeat(self, count: int | None = None) -> RepeatDataset:
        """The rows count times over; without end for None and -1.

        Raises:
            TypeError: count is no int.
            ValueError: it is 0 or below -1.
        """
        times = -1 if count is None else check_int32("repeat", "count", count, -1)
        if times == 0:
            raise ValueError("For 'repeat', 'count' must be -1 or above 0, but got 0.")
        return self._results.repeat(ordering.Repeat(self._node, times))

    def skip(self, count: int) -> SkipDataset:
        """All rows but the first count.

        Raises:
            TypeError: count is no int.
            ValueError: it is negative.
        """
        return self._results.skip(ordering.Skip(self._node, check_int32("skip", "count", count)))

    def take(self, count: int = -1) -> Dataset:
        """The first count rows; all for -1.

        Raises:
            TypeError: count is no int.
            ValueError: it is 0 or below -1.
        """
        if check_int32("take", "count", count, -1) == 0:
            raise ValueError("For 'take', 'count' must be -1 or above 0, but got 0.")
        return self if count == -1 else self._results.take(ordering.Take(self._node, count))

    def filter(
        self, predicate: Callable[..., Any], input_columns: Any = None, num_parallel_workers: int | None = None
    ) -> FilterDataset:
        """The rows that a predicate of columns, all unless given, holds of. It is called in turn, by no worker.

        Raises:
            TypeError: an argument is of a wrong type.
        """
        check_callable("filter", "predicate", predicate)
        checks.workers("filter", num_parallel_workers)
        names = input_columns and checks.names("filter", "input_columns", input_columns)
        return self._results.filter(ordering.Filter(self._node, predicate, names))

    def split(self, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Datasets of some of the rows each.

        Args:
            sizes: numbers of rows, or fractions of them.
            randomize: whether the parts' rows are chosen at random, once for all epochs.

        Raises:
            as sizes_of_split().
        """
        check_bool("split", "randomize", randomize)
        counts = ordering.sizes_of_split(sizes, self.get_dataset_size())
        return self._parts(counts, config.get_seed() if config.is_seeded() else secrets.randbits(31), randomize)

    def _parts(self, counts: list[int], seed: int, randomize: bool) -> tuple[Dataset, ...]:
        firsts = np.cumsum([0, *counts]).tolist()
        return tuple(
            self._results.dataset(ordering.Part(self._node, *place, seed, randomize)) for place in zip(firsts, counts)
        )

    def zip(self, datasets: Any) -> ZipDataset:
        """The columns of this dataset and of one or several others side by side.

        Raises:
            TypeError: datasets is neither.
        """
        others = datasets if isinstance(datasets, tuple) else (datasets,)
        return self._results.zip((self, *others))

    def concat(self, datasets: Any) -> ConcatDataset:
        """The rows of this dataset, then those of one or several others.

        Raises:
            TypeError: datasets is neither.
        """
        return self._results.concat([self, *(datasets if isinstance(datasets, (list, tuple)) else [datasets])])

    def __add__(self, other: Dataset) -> ConcatDataset:
        return self.concat(other)

    def rename(self, input_columns: Any, output_columns: Any) -> RenameDataset:
        """Columns under other names.

        Raises:
            TypeError: an argument is no str or list of them.
            ValueError: they are not as many, or a name is there twice.
        """
        return self._results.rename(Rename(self._node, input_columns, output_columns))

    def project(self, columns: Any) -> ProjectDataset:
        """Some columns, in a given order.

        Raises:
            TypeError: columns is no str or list of them.
            ValueError: a name is there twice.
        """
        return self._results.project(Project(self._node, columns))

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of this dataset.

        Raises:
            TypeError: it is no function, or gives no dataset.
        """
        check_callable("apply", "apply_func", apply_func)
        return check_instance("apply", "apply_func(dataset)", apply_func(self), self._results.dataset)  # type: ignore[no-any-return]

    def flat_map(self, func: Callable[..., Dataset]) -> Dataset:
        """The rows of the datasets that a function makes of each row's Tensors.

        Raises:
            TypeError: it is no function, or gives no dataset.
        """
        check_callable("flat_map", "func", func)

        def node_of(row: Row) -> Node:
            dataset = func(*(to_output(value, False, True) for value in row))
            return check_instance("flat_map", "func(row)", dataset, self._results.dataset)._node  # type: ignore[no-any-return]

        return self._results.flat_map(FlatMap(self._node, node_of))

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[[Any], Any] | None = None
    ) -> SyncWaitDataset:
        """Lets num_batch rows pass for each sync_update() of this name, and as many before the first.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: num_batch is below 1.
            RuntimeError: there is a condition of this name.
        """
        name = check_instance("sync_wait", "condition_name", condition_name, str)
        number = check_int32("sync_wait", "num_batch", num_batch, 1)
        if callback is not None and not callable(callback):
            raise TypeError(f"For 'sync_wait', 'callback' must be a function, but got {callback!r}.")
        if name in self.get_sync_notifiers():
            raise RuntimeError(f"For 'sync_wait', there is a condition '{name}' in the pipeline.")
        return self._results.sync_wait(combining.SyncWait(self._node, name, number, callback))

    def device_que(self, send_epoch_end: bool = True, create_data_info_queue: bool = False, queue_name: str = "") -> Dataset:
        """MindSpore's queue to a device, of which there is none.

        Raises:
            RuntimeError: always.
        """
        arguments = (send_epoch_end, create_data_info_queue, queue_name)
        raise RuntimeError(f"For 'device_que', there is no device to send to {arguments}: iterate over the dataset.")


def _options(where: str, options: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    from emberjit.spelling import nearest

    for name in options:
        if name not in known:
            raise TypeError(f"{where} got an unexpected keyword argument '{name}'{nearest(name, known)}")
    return {**known, **options}


def _megabytes(where: str, value: Any) -> int:
    if isinstance(value, (list, tuple)):
        value = max(value) if value else None
    return 16 if value is None or value == -1 else check_int32(where, "max_rowsize", value, 1)
