"""Dataset, and the classes of what its steps give."""

from __future__ import annotations

from typing import Any

from emberjit.checks import check_instance
from emberjit.dataset.dataset_steps import Steps
from emberjit.dataset.node import Node
from emberjit.dataset.samplers import DistributedSampler
from emberjit.dataset.steps import combining


class Dataset(Steps):
    """A pipeline: a source of rows and steps over it. A row has a value for each column. Iterating runs it."""


def _nodes(function: str, datasets: Any) -> tuple[Node, ...]:
    if not check_instance(function, "datasets", datasets, (list, tuple)):
        raise ValueError(f"For '{function}', 'datasets' must hold a dataset, but it is empty.")
    return tuple(check_instance(function, "datasets", dataset, Dataset)._node for dataset in datasets)


def zip_datasets(datasets: Any) -> ZipDataset:
    """The columns of several datasets side by side, as many rows as all have.

    Raises:
        TypeError: datasets is no tuple of them.
        ValueError: it is empty.
    """
    return ZipDataset(check_instance("zip", "datasets", datasets, tuple))


class SourceDataset(Dataset):
    """A dataset that reads rows.

    Args:
        node: the source.
    """

    def __init__(self, node: Node):
        super().__init__(node)
        node.dataset_call = type(self), self.call_arguments


class BatchDataset(Dataset):
    """What batch() gives."""


class PaddedBatchDataset(BatchDataset):
    """What padded_batch() gives."""


class BucketBatchByLengthDataset(Dataset):
    """What bucket_batch_by_length() gives."""


class ConcatDataset(Dataset):
    """What concat() gives: the rows of datasets, one after the other."""

    def __init__(self, datasets: Any):
        super().__init__(combining.Concat(_nodes("concat", datasets)))

    def use_sampler(self, sampler: DistributedSampler) -> None:
        """Divides the rows, in their order, into shards.

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
    """What filter() gives."""


class FlatMapDataset(Dataset):
    """What flat_map() gives."""


class MapDataset(Dataset):
    """What map() gives."""


class ProjectDataset(Dataset):
    """What project() gives."""


class RenameDataset(Dataset):
    """What rename() gives."""


class RepeatDataset(Dataset):
    """What repeat() gives."""


class ShuffleDataset(Dataset):
    """What shuffle() gives."""


class SkipDataset(Dataset):
    """What skip() gives."""


class SyncWaitDataset(Dataset):
    """What sync_wait() gives."""


class TakeDataset(Dataset):
    """What take() gives."""


class ZipDataset(Dataset):
    """What zip() gives: the columns of datasets side by side."""

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
