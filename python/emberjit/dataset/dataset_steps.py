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
        """Stacks rows: each value of a batch has a first axis of its rows.

        Args:
            batch_size: how many rows are a batch; or a function of a BatchInfo that says how many.
            drop_remainder: whether the last rows are left out if they are fewer.
            num_parallel_workers: how many workers call per_batch_map; None: one thread, or as many processes as configured.
            per_batch_map: a function of the list of the values of each of input_columns, and a BatchInfo, that gives the
                values of output_columns: a list, to be stacked, or an array. It is called before rows are stacked.
            input_columns: the names of the columns that per_batch_map gets; all unless given.
            output_columns: the names of the columns that it gives; those of input_columns unless given.
            python_multiprocessing: whether the workers are processes; False unless given.
            max_rowsize: the size of the shared memory for a batch of a process, in MB; 16 unless given.
            pad_info: how values are padded first, as of padded_batch().

        Raises:
            TypeError: an argument is of a wrong type, or there is no such one.
            ValueError: a size is below 1.
            RuntimeError: values of a column differ in shape or dtype, when rows are asked for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False)
            >>> [x.tolist() for x, in dataset.batch(2)]
            [[1, 2], [3]]
            >>> [x.tolist() for x, in dataset.batch(2, drop_remainder=True)]
            [[1, 2]]
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
        """Pads values to one shape, then stacks rows.

        Args:
            batch_size: how many rows are a batch; or a function of a BatchInfo that says how many.
            drop_remainder: whether the last rows are left out if they are fewer.
            num_parallel_workers: how many workers there are: one, as nothing is called.
            pad_info: for columns, by name, a tuple of a shape, in which None stands for the largest in the batch, and the
                value that is put at the ends of the axes; None in place of the shape is None for each axis, and in place of
                the tuple the same, with 0. {}: all columns, with 0. None: nothing is padded.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: a size is below 1.
            RuntimeError: values of a column differ in the number of axes, when rows are asked for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([[1], [2, 3]], ["x"], shuffle=False)
            >>> [x.tolist() for x, in dataset.padded_batch(2, pad_info={"x": ([None], -1)})]
            [[[1, -1], [2, 3]]]
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
        """Stacks rows of similar length: each row goes to a bucket by its length, and a bucket that is full becomes a batch.

        Args:
            column_names: the names of the columns that the length is of; without element_length_function one, whose first
                axis it is.
            bucket_boundaries: rising lengths: a bucket's rows are shorter than its boundary, and those of one more bucket
                are not shorter than the last.
            bucket_batch_sizes: how many rows are a batch, for each bucket.
            element_length_function: a function of the columns' values that gives the length.
            pad_info: how values are padded first, as of padded_batch().
            pad_to_bucket_boundary: whether None in a shape of pad_info stands for the boundary less 1; else for the largest
                in the batch.
            drop_remainder: whether batches of too few rows, at the end, are left out.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: boundaries do not rise, or the numbers of boundaries and sizes do not fit.
            RuntimeError: a row is too long for pad_to_bucket_boundary, or values differ in shape, when rows are asked for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([[1], [1, 2, 3], [4], [5, 6, 7, 8]], ["x"], shuffle=False)
            >>> for x, in dataset.bucket_batch_by_length("x", bucket_boundaries=[2], bucket_batch_sizes=[2, 2], pad_info={}):
            ...     print(x)
            [[1]
             [4]]
            [[1 2 3 0]
             [5 6 7 8]]
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
        """Calls functions or transforms with the values of columns, row by row, and puts in their place what these give.

        Args:
            operations: a function or transform, or a list of those, of which each gets what the one before gave. They get
                NumPy arrays, and give what becomes an array, or a tuple of those, for several columns.
            input_columns: the names of the columns that the first gets; None: the first column.
            output_columns: the names of what the last gives; None: those of input_columns.
            num_parallel_workers: how many workers call them; None: of transforms of the library, and of processes, as many
                as configured, else one.
            python_multiprocessing: whether the workers are processes, unless all operations are ones that threads do as
                well, as vision.Decode; each of n processes gets every n-th row of an epoch; False unless given.
            max_rowsize: the size of the shared memory for a row of a process, in MB; 16 unless given.
            cache: None: there is no cache server.
            callbacks: a DSCallback, or a list of them; operations are then called in turn.
            offload: None or False: operations run in the pipeline.

        Raises:
            TypeError: an argument is of a wrong type, or there is no such one.
            ValueError: operations is empty.
            RuntimeError: cache or offload is given; or there is no such column, or an operation fails, when rows are asked
                for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
            >>> doubled = dataset.map(lambda x: (x, 2 * x), input_columns="x", output_columns=["x", "y"])
            >>> [(int(x), int(y)) for x, y in doubled]
            [(1, 2), (2, 4)]
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
        """Rows in random order, in each epoch another: each is drawn from a buffer, which the next row then fills up.

        Args:
            buffer_size: how many rows the buffer holds; with as many as there are, all orders are as likely.

        Raises:
            TypeError: buffer_size is no int.
            ValueError: it is below 2.
            RuntimeError: there is a sync_wait() before.

        Examples:
            >>> ds.config.set_seed(1)
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3, 4], shuffle=False).shuffle(4)
            >>> [int(x) for x, in dataset]
            [4, 2, 3, 1]
        """
        if self.is_sync():
            raise RuntimeError(
                "For 'shuffle', there must be no sync_wait() before: rows that it holds back cannot be shuffled."
            )
        return self._results.shuffle(ordering.Shuffle(self._node, check_int32("shuffle", "buffer_size", buffer_size, 2)))

    def repeat(self, count: int | None = None) -> RepeatDataset:
        """The rows several times over, each time shuffled anew, if they are.

        Args:
            count: how many times; None and -1: without end.

        Raises:
            TypeError: count is no int.
            ValueError: it is 0 or below -1.

        Examples:
            >>> [int(x) for x, in ds.NumpySlicesDataset([1, 2], shuffle=False).repeat(3)]
            [1, 2, 1, 2, 1, 2]
        """
        times = -1 if count is None else check_int32("repeat", "count", count, -1)
        if times == 0:
            raise ValueError("For 'repeat', 'count' must be -1 or above 0, but got 0.")
        return self._results.repeat(ordering.Repeat(self._node, times))

    def skip(self, count: int) -> SkipDataset:
        """All rows but the first ones.

        Args:
            count: how many are left out.

        Raises:
            TypeError: count is no int.
            ValueError: it is negative.

        Examples:
            >>> [int(x) for x, in ds.NumpySlicesDataset([1, 2, 3], shuffle=False).skip(1)]
            [2, 3]
        """
        return self._results.skip(ordering.Skip(self._node, check_int32("skip", "count", count)))

    def take(self, count: int = -1) -> Dataset:
        """The first rows.

        Args:
            count: how many come; -1: all.

        Raises:
            TypeError: count is no int.
            ValueError: it is 0 or below -1.

        Examples:
            >>> [int(x) for x, in ds.NumpySlicesDataset([1, 2, 3], shuffle=False).take(2)]
            [1, 2]
        """
        if check_int32("take", "count", count, -1) == 0:
            raise ValueError("For 'take', 'count' must be -1 or above 0, but got 0.")
        if count == -1:
            return self  # type: ignore[return-value]  # a Dataset, of which this is the base
        return self._results.take(ordering.Take(self._node, count))

    def filter(
        self, predicate: Callable[..., Any], input_columns: Any = None, num_parallel_workers: int | None = None
    ) -> FilterDataset:
        """The rows for which a function says so.

        Args:
            predicate: a function of columns' values, NumPy arrays, that gives a bool.
            input_columns: the names of the columns that it gets; None: all.
            num_parallel_workers: has no effect: rows are looked at in turn.

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: there is no such column, or predicate fails, when rows are asked for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset({"x": [1, 2, 3, 4]}, shuffle=False)
            >>> [int(x) for x, in dataset.filter(lambda x: x % 2 == 0, "x")]
            [2, 4]
        """
        check_callable("filter", "predicate", predicate)
        checks.workers("filter", num_parallel_workers)
        names = input_columns and checks.names("filter", "input_columns", input_columns)
        return self._results.filter(ordering.Filter(self._node, predicate, names))

    def split(self, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Datasets of some of the rows each, none of which is in two; the same rows in each epoch.

        Args:
            sizes: how many rows each has, ints that add up to the number of rows; or fractions, floats that add up to 1.
            randomize: whether the rows are chosen at random, by the seed, once for all epochs; else they are in order.

        Returns:
            A tuple of Datasets.

        Raises:
            TypeError: sizes is no list of ints or floats, or randomize no bool.
            ValueError: sizes is empty, or has a size or sum that is out of range.
            RuntimeError: ints do not add up to the number of rows, or a part would be empty.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3, 4], shuffle=False)
            >>> training, validation = dataset.split([0.75, 0.25], randomize=False)
            >>> [int(x) for x, in training], [int(x) for x, in validation]
            ([1, 2, 3], [4])
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
        """The columns of this dataset and of others side by side, as many rows as all have.

        Args:
            datasets: another dataset, or a tuple of several; no two may have a column of one name.

        Raises:
            TypeError: datasets is neither.
            RuntimeError: two columns are of one name, when rows are asked for.

        Examples:
            >>> first = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
            >>> second = ds.NumpySlicesDataset({"y": [10, 20]}, shuffle=False)
            >>> [(int(x), int(y)) for x, y in first.zip(second)]
            [(1, 10), (2, 20)]
        """
        others = datasets if isinstance(datasets, tuple) else (datasets,)
        return self._results.zip((self, *others))

    def concat(self, datasets: Any) -> ConcatDataset:
        """The rows of this dataset, then those of others; `+` does the same.

        Args:
            datasets: another dataset, or a list of several, of the same columns.

        Raises:
            TypeError: datasets is neither.
            RuntimeError: columns differ in name, dtype or number of axes, when rows are asked for.

        Examples:
            >>> first = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
            >>> second = ds.NumpySlicesDataset({"x": [3]}, shuffle=False)
            >>> [int(x) for x, in first.concat(second)], len(first + second)
            ([1, 2, 3], 3)
        """
        return self._results.concat([self, *(datasets if isinstance(datasets, (list, tuple)) else [datasets])])

    def __add__(self, other: Dataset) -> ConcatDataset:
        return self.concat(other)

    def rename(self, input_columns: Any, output_columns: Any) -> RenameDataset:
        """Columns under other names.

        Args:
            input_columns: the name of a column, or a list of names.
            output_columns: its other name, or a list of as many.

        Raises:
            TypeError: an argument is no str or list of them.
            ValueError: they are not as many, or a name is there twice.
            RuntimeError: there is no such column, when rows are asked for.

        Examples:
            >>> ds.NumpySlicesDataset({"x": [1], "y": [2]}).rename("x", "z").get_col_names()
            ['z', 'y']
        """
        return self._results.rename(Rename(self._node, input_columns, output_columns))

    def project(self, columns: Any) -> ProjectDataset:
        """Some of the columns, in a given order.

        Args:
            columns: the name of a column, or a list of names.

        Raises:
            TypeError: columns is no str or list of them.
            ValueError: a name is there twice.
            RuntimeError: there is no such column, when rows are asked for.

        Examples:
            >>> ds.NumpySlicesDataset({"x": [1], "y": [2], "z": [3]}).project(["z", "x"]).get_col_names()
            ['z', 'x']
        """
        return self._results.project(Project(self._node, columns))

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of this dataset: steps that several pipelines share.

        Args:
            apply_func: a function of a Dataset that gives a Dataset.

        Raises:
            TypeError: it is no function, or gives no dataset.

        Examples:
            >>> def twice(dataset):
            ...     return dataset.repeat(2).batch(2)
            >>> [x.tolist() for x, in ds.NumpySlicesDataset([1, 2], shuffle=False).apply(twice)]
            [[1, 2], [1, 2]]
        """
        check_callable("apply", "apply_func", apply_func)
        made = apply_func(self)  # type: ignore[arg-type]
        return check_instance("apply", "apply_func(dataset)", made, self._results.dataset)  # type: ignore[no-any-return]

    def flat_map(self, func: Callable[..., Dataset]) -> Dataset:
        """The rows of the datasets that a function makes of each row, one dataset after the other.

        Args:
            func: a function of the row's Tensors (NumPy arrays of strings) that gives a Dataset.

        Raises:
            TypeError: func is no function; or it gives no dataset, when rows are asked for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2], shuffle=False)
            >>> flat = dataset.flat_map(lambda x: ds.NumpySlicesDataset([int(x)] * int(x)))
            >>> [int(x) for x, in flat]
            [1, 2, 2]
        """
        check_callable("flat_map", "func", func)

        def node_of(row: Row) -> Node:
            dataset = func(*(to_output(value, False, True) for value in row))
            return check_instance("flat_map", "func(row)", dataset, self._results.dataset)._node  # type: ignore[no-any-return]

        return self._results.flat_map(FlatMap(self._node, node_of))

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[[Any], Any] | None = None
    ) -> SyncWaitDataset:
        """Holds rows back until sync_update() is called: num_batch of them pass for each call, and as many before the first.
        A row that is asked for too early is an error.

        Args:
            condition_name: the name by which sync_update() finds it.
            num_batch: how many rows pass; batches, if there is a batch() after it.
            callback: a function that sync_update() calls with its data; None: it calls none.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: num_batch is below 1.
            RuntimeError: there is a condition of this name; or nobody has called sync_update(), when rows are asked for.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False).sync_wait("trained", callback=print)
            >>> for x, in dataset:
            ...     dataset.sync_update("trained", data=f"after {x}")
            after 1
            after 2
            after 3
        """
        name = check_instance("sync_wait", "condition_name", condition_name, str)
        number = check_int32("sync_wait", "num_batch", num_batch, 1)
        if callback is not None and not callable(callback):
            raise TypeError(f"For 'sync_wait', 'callback' must be a function, but got {callback!r}.")
        if name in self.get_sync_notifiers():
            raise RuntimeError(f"For 'sync_wait', there is a condition '{name}' in the pipeline.")
        return self._results.sync_wait(combining.SyncWait(self._node, name, number, callback))

    def device_que(self, send_epoch_end: bool = True, create_data_info_queue: bool = False, queue_name: str = "") -> Dataset:
        """MindSpore's queue to a device, of which there is none here.

        Args:
            send_epoch_end, create_data_info_queue, queue_name: named in the error.

        Raises:
            RuntimeError: always.

        Examples:
            >>> ds.NumpySlicesDataset([1, 2]).device_que()
            Traceback (most recent call last):
                ...
            RuntimeError: For 'device_que', there is no device to send to (True, False, ''): iterate...
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
