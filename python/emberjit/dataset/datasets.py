"""Dataset, and the classes of what its steps give."""

from __future__ import annotations

from typing import Any

from emberjit.checks import check_instance
from emberjit.dataset.dataset_steps import Steps
from emberjit.dataset.node import Node
from emberjit.dataset.samplers import DistributedSampler
from emberjit.dataset.steps import combining


class Dataset(Steps):
    """A pipeline: a source of rows, and steps over them. A row has a value for each column. Sources are subclasses, such as
    GeneratorDataset; methods such as map() and batch() give pipelines with one more step. Nothing is computed before it is
    iterated over, which gives the rows of an epoch: lists of Tensors, and of NumPy arrays where values are strings.

    Args:
        node: the last step; sources and steps make it.

    Examples:
        >>> dataset = ds.NumpySlicesDataset({"x": [1, 2, 3, 4]}, shuffle=False)
        >>> dataset = dataset.map(lambda x: x * 10, "x").batch(2)
        >>> for x, in dataset:
        ...     print(x)
        [10 20]
        [30 40]
        >>> dataset
        BatchDataset: 2 rows, columns x
          NumpySlicesDataset(data={'x': [1, 2, 3, 4]}, shuffle=False)
            .map(operations=<lambda>, input_columns='x')
            .batch(batch_size=2)
    """


def _nodes(function: str, datasets: Any) -> tuple[Node, ...]:
    if not check_instance(function, "datasets", datasets, (list, tuple)):
        raise ValueError(f"For '{function}', 'datasets' must hold a dataset, but it is empty.")
    return tuple(check_instance(function, "datasets", dataset, Dataset)._node for dataset in datasets)


def zip_datasets(datasets: Any) -> ZipDataset:
    """The columns of several datasets side by side, as many rows as all have.

    Args:
        datasets: a tuple of Datasets, no two of which have a column of one name.

    Returns:
        A ZipDataset.

    Raises:
        TypeError: datasets is no tuple of them.
        ValueError: it is empty.
        RuntimeError: two columns are of one name, when rows are asked for.

    Examples:
        >>> first = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
        >>> second = ds.NumpySlicesDataset({"y": [10, 20]}, shuffle=False)
        >>> [(int(x), int(y)) for x, y in ds.zip((first, second))]
        [(1, 10), (2, 20)]
    """
    return ZipDataset(check_instance("zip", "datasets", datasets, tuple))


class SourceDataset(Dataset):
    """A dataset that reads or makes rows: the class of all sources.

    Args:
        node: the source; the constructors of its subclasses make it.

    Examples:
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3])
        >>> isinstance(dataset, ds.SourceDataset), isinstance(dataset.batch(2), ds.SourceDataset)
        (True, False)
    """

    def __init__(self, node: Node):
        super().__init__(node)
        node.dataset_call = type(self), self.call_arguments


class BatchDataset(Dataset):
    """What Dataset.batch() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2)
        BatchDataset: 2 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .batch(batch_size=2)
    """


class PaddedBatchDataset(BatchDataset):
    """What Dataset.padded_batch() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([[1], [2, 3]], ["x"], shuffle=False).padded_batch(2, pad_info={})
        PaddedBatchDataset: 1 row, columns x
          NumpySlicesDataset(data=[[1], [2, 3]], column_names=['x'], shuffle=False)
            .batch(batch_size=2, pad_info={})
    """


class BucketBatchByLengthDataset(Dataset):
    """What Dataset.bucket_batch_by_length() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> dataset = ds.NumpySlicesDataset([[1], [2, 3], [4]], ["x"], shuffle=False)
        >>> [x.shape for x, in dataset.bucket_batch_by_length("x", [2], [2, 2])]
        [(2, 1), (1, 2)]
    """


class ConcatDataset(Dataset):
    """What Dataset.concat() gives: the rows of several datasets, one after the other.

    Args:
        datasets: a list or tuple of Datasets of the same columns.

    Raises:
        TypeError: datasets is no list or tuple of them.
        ValueError: it is empty.
        RuntimeError: columns differ in name, dtype or number of axes, when rows are asked for.

    Examples:
        >>> first = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> second = ds.NumpySlicesDataset({"x": [3]}, shuffle=False)
        >>> [int(x) for x, in ds.ConcatDataset([first, second])]
        [1, 2, 3]
    """

    def __init__(self, datasets: Any):
        super().__init__(combining.Concat(_nodes("concat", datasets)))

    def use_sampler(self, sampler: DistributedSampler) -> None:
        """Divides the rows, in their order, into shards.

        Args:
            sampler: a DistributedSampler that does not shuffle, and has no num_samples.

        Raises:
            TypeError: it is no DistributedSampler.
            ValueError: it shuffles, or limits the rows.
        """
        check_instance("use_sampler", "sampler", sampler, DistributedSampler)
        if sampler.shuffled or sampler.num_samples is not None:
            raise ValueError(
                "For 'use_sampler', 'sampler' must have shuffle=False and no num_samples: rows of concat() stay in order."
            )
        before = self._node.before if isinstance(self._node, combining.Shard) else self._node
        self._node = combining.Shard(before, sampler.num_shards, sampler.shard_id)


class FilterDataset(Dataset):
    """What Dataset.filter() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).filter(lambda x: x > 1).get_dataset_size()
        2
    """


class FlatMapDataset(Dataset):
    """What Dataset.flat_map() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> dataset = ds.NumpySlicesDataset([1, 2], shuffle=False)
        >>> len(dataset.flat_map(lambda x: ds.NumpySlicesDataset([int(x)] * int(x))))
        3
    """


class MapDataset(Dataset):
    """What Dataset.map() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).map(transforms.TypeCast(ms.float32))
        MapDataset: 3 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .map(operations=TypeCast(data_type=Float32))
    """


class ProjectDataset(Dataset):
    """What Dataset.project() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset({"x": [1], "y": [2]}, shuffle=False).project("y")
        ProjectDataset: 1 row, columns y
          NumpySlicesDataset(data={'x': [1], 'y': [2]}, shuffle=False)
            .project(columns='y')
    """


class RenameDataset(Dataset):
    """What Dataset.rename() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset({"x": [1], "y": [2]}, shuffle=False).rename("x", "z")
        RenameDataset: 1 row, columns z, y
          NumpySlicesDataset(data={'x': [1], 'y': [2]}, shuffle=False)
            .rename(input_columns='x', output_columns='z')
    """


class RepeatDataset(Dataset):
    """What Dataset.repeat() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).repeat(2)
        RepeatDataset: 6 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .repeat(count=2)
    """


class ShuffleDataset(Dataset):
    """What Dataset.shuffle() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).shuffle(3)
        ShuffleDataset: 3 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .shuffle(buffer_size=3)
    """


class SkipDataset(Dataset):
    """What Dataset.skip() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).skip(1)
        SkipDataset: 2 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .skip(count=1)
    """


class SyncWaitDataset(Dataset):
    """What Dataset.sync_wait() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).sync_wait("trained")
        SyncWaitDataset: 3 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .sync_wait(condition_name='trained', num_batch=1)
    """


class TakeDataset(Dataset):
    """What Dataset.take() gives.

    Args:
        node: the step, with those before it; the method makes it.

    Examples:
        >>> ds.NumpySlicesDataset([1, 2, 3], shuffle=False).take(2)
        TakeDataset: 2 rows, columns column_0
          NumpySlicesDataset(data=[1, 2, 3], shuffle=False)
            .take(count=2)
    """


class ZipDataset(Dataset):
    """What Dataset.zip() and ds.zip() give: the columns of several datasets side by side, as many rows as all have.

    Args:
        datasets: a list or tuple of Datasets, no two of which have a column of one name.

    Raises:
        TypeError: datasets is no list or tuple of them.
        ValueError: it is empty.
        RuntimeError: two columns are of one name, when rows are asked for.

    Examples:
        >>> first = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> second = ds.NumpySlicesDataset({"y": [3, 4]}, shuffle=False)
        >>> ds.ZipDataset((first, second)).get_col_names()
        ['x', 'y']
    """

    def __init__(self, datasets: Any):
        super().__init__(combining.Zip(_nodes("zip", datasets)))


class Results:
    """The classes of what the steps give."""

    dataset = Dataset
    batch = BatchDataset
    bucket_batch_by_length = BucketBatchByLengthDataset
    concat = ConcatDataset
    filter = FilterDataset
    flat_map = FlatMapDataset
    map = MapDataset
    padded_batch = PaddedBatchDataset
    project = ProjectDataset
    rename = RenameDataset
    repeat = RepeatDataset
    shuffle = ShuffleDataset
    skip = SkipDataset
    sync_wait = SyncWaitDataset
    take = TakeDataset
    zip = ZipDataset


Dataset._results = Results
