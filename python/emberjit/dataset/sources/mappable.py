"""Sources with random access: a sampler says which rows come."""

from __future__ import annotations

import copy
import itertools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.checks import check_instance
from emberjit.dataset import config, randomness, samplers
from emberjit.dataset.datasets import Dataset, SourceDataset
from emberjit.dataset.node import Node, Run
from emberjit.dataset.randomness import Key, generator_of
from emberjit.dataset.values import Array, Row
from emberjit.dataset.workers import WorkerError, are_real, workers


class _Loading:
    """The function of workers: loads rows, each with random numbers by its position in the epoch."""

    def __init__(self, node: Mappable, seed: int, globally: bool):
        self.node, self.seed, self.globally = node, seed, globally

    def __call__(self, item: tuple[Key, int, Any]) -> Row:
        key, place, index = item
        outer = randomness.begin(self.seed, (*key, place), self.globally)
        try:
            return self.node.load(index)
        except WorkerError:
            raise
        except Exception as error:
            raise WorkerError(f"For '{self.node.where}', row {index} failed: {type(error).__name__}: {error}") from error
        finally:
            randomness.end(outer)


def bytes_of(path: str) -> Any:
    """The bytes of a file."""
    with open(path, "rb") as stream:
        data: Any = np.empty(os.fstat(stream.fileno()).st_size, np.uint8)
        return data[: stream.readinto(data)]


class Mappable(Node):
    """A source with random access to its rows.

    Args:
        columns: the columns' names.
        sampler: what says which rows come.
        number: how many workers load; None: as many as configured where loading is work.
    """

    where = "dataset"
    processes = False
    slot = 16 << 20
    has_files = False
    is_work = False  # whether loading a row takes longer than handing it over

    def __init__(self, columns: list[str], sampler: samplers.Sampler, number: int | None = None):
        super().__init__((), columns)
        self.sampler, self.number = sampler, number
        self.subset: Any = None  # the rows of a part

    def length(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def load(self, index: int) -> Row:
        """A row."""
        raise NotImplementedError

    def release(self) -> None:
        """Closes what this thread has open."""

    def labels(self, column: str) -> Any:
        """The class of each row.

        Raises:
            RuntimeError: rows have none.
        """
        raise RuntimeError(f"For '{self.where}', rows have no classes that are known before they are read ('{column}').")

    def file_of(self, index: int) -> str:
        """What file a row is of; "" if of none."""
        del index
        return ""

    def origin(self, run: Run, epoch: int, index: int) -> str:
        return self.file_of(int(self.order(run, epoch)[index])) if self.has_files else ""

    @property
    def shuffled(self) -> bool:
        """Whether rows come in random order."""
        return self.sampler.shuffled

    @property
    def sharded(self) -> bool:
        """Whether there is a part of the rows only, of several processes."""
        return self.sampler.sharded

    def size(self, limit: int | None = None) -> int:
        del limit  # nothing is counted
        available = self.length() if self.subset is None else len(self.subset)
        return self.sampler.count(available, self.labels)

    def indices(self, seed: int, key: Key) -> Any:
        """The numbers of the rows that come."""
        available = self.length() if self.subset is None else len(self.subset)
        random = generator_of(samplers.seed_of(self.sampler, seed), key)
        indices = self.sampler.row_indices(available, random, self.labels)
        return indices if self.subset is None else self.subset[indices]

    def order(self, run: Run, epoch: int) -> Any:
        """The numbers of the rows of an epoch."""
        return self.indices(*run.order(self, epoch))

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        return run.ending(self._rows(run, epoch, start))

    def _rows(self, run: Run, epoch: int, start: int) -> Iterator[Row]:
        indices = self.order(run, epoch)[start:].tolist()
        number = self.number or (config.get_num_parallel_workers() if self.is_work else 1)
        processes = self.processes and number > 1
        load = _Loading(self, run.seed, processes and are_real(run.alone))
        pool = run.resource(self, lambda: workers(self.where, load, number, processes, self.slot, run.alone))
        try:
            yield from pool.map(zip(itertools.repeat(run.key(self, epoch)), itertools.count(start), indices))
        finally:
            self.release()


class MappableDataset(SourceDataset):
    """A dataset whose rows can be read in any order, so that a Sampler says which come: the class of most sources.

    Args:
        node: the source; the constructors of its subclasses make it.

    Examples:
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3, 4], shuffle=False)
        >>> isinstance(dataset, ds.MappableDataset)
        True
        >>> dataset.use_sampler(ds.SubsetSampler([3, 0]))
        >>> [int(x) for x, in dataset]
        [4, 1]
    """

    _node: Mappable

    @property
    def sampler(self) -> samplers.Sampler:
        """What says which rows come."""
        return self._node.sampler

    def use_sampler(self, new_sampler: samplers.Sampler) -> None:
        """Puts another sampler in the place of the one there is, whose child it gets.

        Args:
            new_sampler: the sampler.

        Raises:
            TypeError: it is no Sampler.
        """
        check_instance("use_sampler", "new_sampler", new_sampler, samplers.Sampler)
        chained = copy.copy(new_sampler)
        child = self._node.sampler.get_child()
        if child is not None:
            chained.add_child(child)
        self._node.sampler = chained

    def add_sampler(self, new_sampler: samplers.Sampler | None) -> None:
        """Adds a sampler, which chooses from the rows that the one there is gives.

        Args:
            new_sampler: the sampler; None: nothing is added.

        Raises:
            TypeError: it is no Sampler.
        """
        if new_sampler is not None:
            chained = copy.copy(check_instance("add_sampler", "new_sampler", new_sampler, samplers.Sampler))
            chained.add_child(self._node.sampler)
            self._node.sampler = chained

    def _parts(self, counts: list[int], seed: int, randomize: bool) -> tuple[Dataset, ...]:
        order = self._node.indices(seed, (0,))
        if randomize:
            order = order[np.random.default_rng(seed).permutation(len(order))]
        return tuple(self._part(rows) for rows in np.split(order, np.cumsum(counts)[:-1]))

    def _part(self, rows: Array) -> Dataset:
        part = copy.copy(self)
        part._node = copy.copy(self._node)
        part._node.subset = rows
        part._node.sampler = samplers.SequentialSampler()
        return part
