"""Samplers: which rows of a source that has them at random access come, and in which order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32, check_number
from emberjit.dataset import checks, config
from emberjit.dataset.recorded import Recorded

Labels = Callable[[str], Any] | None  # of all rows, by column


class Sampler(Recorded):
    """Chooses which rows of a source come, and in which order. Samplers of users derive from it and give row numbers by
    __iter__; child_sampler, if add_child() has set one, gives the rows that they choose from.

    Args:
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: num_samples is no int.
        ValueError: it is negative.

    Examples:
        >>> class Reversed(ds.Sampler):
        ...     def __iter__(self):
        ...         return iter(range(self.dataset_size - 1, -1, -1))
        >>> dataset = ds.NumpySlicesDataset([10, 11, 12], sampler=Reversed())
        >>> [int(x) for x, in dataset]
        [12, 11, 10]
    """

    shuffled: bool = True
    sharded = False  # whether it gives a part of the rows only, of several processes

    def __init__(self, num_samples: int | None = None):
        self.num_samples = checks.samples(type(self).__name__, num_samples)
        self.child_sampler: Sampler | None = None
        self.dataset_size = 0
        self.child_samplers: list[Sampler] = []

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__, which gives the indices of rows.")

    def add_child(self, sampler: Any) -> None:
        """Sets the sampler that gives the rows to choose from.

        Args:
            sampler: the sampler, or an iterable of row numbers; None: nothing is set.

        Raises:
            TypeError: sampler is neither.
            RuntimeError: there is one.
        """
        if sampler is None:
            return
        if getattr(self, "child_sampler", None) is not None:
            raise RuntimeError("For 'add_child', a sampler has one child at most, but there is one.")
        self.child_sampler = as_sampler(sampler)

    def get_child(self) -> Any:
        """The sampler that gives the rows to choose from, or None."""
        return getattr(self, "child_sampler", None)

    def get_num_samples(self) -> int | None:
        """How many rows come at most; None: all."""
        return getattr(self, "num_samples", None)

    def row_indices(self, length: int, random: np.random.Generator, labels: Labels = None) -> np.ndarray[Any, Any]:
        """The indices, of rows 0 to length - 1.

        Args:
            random: what to draw from.
            labels: gives each row's class, or fails.

        Raises:
            RuntimeError: an index has no row.
        """
        child = self.get_child()
        if child is None:
            return self._within(self._indices(length, random, labels), length)
        below = child.row_indices(length, random, labels)
        picked: np.ndarray[Any, Any] = below[self._within(self._indices(len(below), random, labels), len(below))]
        return picked

    def count(self, length: int, labels: Labels = None) -> int:
        """How many indices row_indices() gives."""
        return len(self.row_indices(length, np.random.default_rng(0), labels))

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        self.dataset_size = length
        return np.asarray(list(itertools.islice(self, self.get_num_samples() or None)), np.int64).reshape(-1)

    def _within(self, indices: Any, length: int) -> np.ndarray[Any, Any]:
        rows = np.asarray(indices, np.int64)
        wrong = (rows < 0) | (rows >= length)
        if wrong.any():
            raise RuntimeError(
                f"For '{type(self).__name__}', indices must be from 0 to {length - 1}, but got {rows[wrong][0]}."
            )
        return rows


class BuiltinSampler(Sampler):
    """A sampler of the library: the class of RandomSampler and its like. Samplers of users derive from Sampler.

    Args:
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: num_samples is no int.
        ValueError: it is negative.

    Examples:
        >>> isinstance(ds.RandomSampler(), ds.BuiltinSampler)
        True
    """


class SequentialSampler(BuiltinSampler):
    """Rows in their order.

    Args:
        start_index: the number of the first row that comes; None: 0.
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: an argument is no int.
        ValueError: an argument is negative.
        RuntimeError: there is no row start_index, when rows are asked for.

    Examples:
        >>> sampler = ds.SequentialSampler(start_index=1, num_samples=2)
        >>> [int(x) for x, in ds.NumpySlicesDataset([10, 11, 12, 13], sampler=sampler)]
        [11, 12]
    """

    shuffled = False

    def __init__(self, start_index: int | None = None, num_samples: int | None = None):
        super().__init__(num_samples)
        self.start_index = check_int32("SequentialSampler", "start_index", start_index or 0)

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        if self.start_index and self.start_index >= length:
            raise RuntimeError(
                f"For 'SequentialSampler', 'start_index' must be less than the number of rows, {length}, "
                f"but got {self.start_index}."
            )
        stop = length if self.num_samples is None else min(length, self.start_index + self.num_samples)
        return np.arange(self.start_index, stop)


class RandomSampler(BuiltinSampler):
    """Rows in random order, in each epoch another.

    Args:
        replacement: whether rows are drawn one by one from all, so that some come more than once and others not at all.
        num_samples: how many rows come at most; None: as many as there are.
        shuffle: how far rows of MindRecord files move, in MindSpore; has no effect: all rows are shuffled.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: num_samples is negative.

    Examples:
        >>> ds.config.set_seed(1)
        >>> dataset = ds.NumpySlicesDataset([10, 11, 12, 13], sampler=ds.RandomSampler(num_samples=3))
        >>> [int(x) for x, in dataset]
        [13, 11, 12]
    """

    def __init__(self, replacement: bool = False, num_samples: int | None = None, shuffle: Any = "global"):
        super().__init__(num_samples)
        self.replacement = check_bool("RandomSampler", "replacement", replacement)
        self.shuffle = shuffle

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        count = min(self.num_samples or length, length)
        return random.integers(0, length, count) if self.replacement else random.permutation(length)[:count]


class DistributedSampler(BuiltinSampler):
    """Every num_shards-th row, so that each of several processes reads its part.

    Args:
        num_shards: how many parts, called shards, there are.
        shard_id: which of them comes, from 0 to num_shards - 1.
        shuffle: whether rows are shuffled first, in the same way in all processes that have set the same seed.
        num_samples: how many rows of the shard come at most; None: all.
        offset: the shard that the first row goes to, from 0 to num_shards; -1: shard 0, and the first rows come again after
            the last until all shards have the same number.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: shard_id is not below num_shards, or a number is negative.
        RuntimeError: offset is above num_shards.

    Examples:
        >>> sampler = ds.DistributedSampler(num_shards=2, shard_id=1, shuffle=False)
        >>> [int(x) for x, in ds.NumpySlicesDataset([10, 11, 12, 13, 14], sampler=sampler)]
        [11, 13, 10]
    """

    sharded = True

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: bool = True, num_samples: int | None = None, offset: int = -1
    ):
        super().__init__(num_samples)
        self.num_shards = check_int32("DistributedSampler", "num_shards", num_shards, 1)
        self.shard_id = check_int32("DistributedSampler", "shard_id", shard_id)
        checks.shards("DistributedSampler", num_shards, shard_id)
        self.shuffled = check_bool("DistributedSampler", "shuffle", shuffle)
        self.offset = check_int32("DistributedSampler", "offset", offset, -1)
        if offset > num_shards:
            raise RuntimeError(
                f"For 'DistributedSampler', 'offset' must be at most 'num_shards', {num_shards}, but got {offset}."
            )

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        order = random.permutation(length) if self.shuffled else np.arange(length)
        if self.offset == -1:
            count = -(-length // self.num_shards)
            places = np.arange(count) * self.num_shards + self.shard_id
            indices = order[places % length] if length else places[:0]
        else:
            indices = order[(self.shard_id - self.offset) % self.num_shards :: self.num_shards]
        return indices[: self.num_samples]


class SubsetSampler(BuiltinSampler):
    """The rows of given numbers, in the order of these.

    Args:
        indices: the numbers, from 0; or one.
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: num_samples is negative.
        RuntimeError: there is no such row, when rows are asked for.

    Examples:
        >>> [int(x) for x, in ds.NumpySlicesDataset([10, 11, 12, 13], sampler=ds.SubsetSampler([3, 0]))]
        [13, 10]
    """

    shuffled = False

    def __init__(self, indices: Any, num_samples: int | None = None):
        super().__init__(num_samples)
        values = list(indices) if isinstance(indices, Iterable) else [indices]
        for index in values:
            if not isinstance(index, (int, np.integer)) or isinstance(index, bool):
                raise TypeError(f"For '{type(self).__name__}', 'indices' must hold ints, but got {index!r}.")
        self.indices = values

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        return np.asarray(self.indices, np.int64)[: self.num_samples]


class SubsetRandomSampler(SubsetSampler):
    """The rows of given numbers, in random order, in each epoch another.

    Args:
        indices: the numbers, from 0; or one.
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: num_samples is negative.
        RuntimeError: there is no such row, when rows are asked for.

    Examples:
        >>> dataset = ds.NumpySlicesDataset([10, 11, 12, 13], sampler=ds.SubsetRandomSampler([3, 0]))
        >>> sorted(int(x) for x, in dataset)
        [10, 13]
    """

    shuffled = True

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        return random.permutation(np.asarray(self.indices, np.int64))[: self.num_samples]


class IterSampler(Sampler):
    """The rows of the numbers that an iterable gives; what a source makes of an iterable that is given as its sampler.

    Args:
        sampler: the iterable. It is iterated over anew in each epoch.
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: num_samples is no int.
        ValueError: it is negative.
        RuntimeError: there is no such row, when rows are asked for.

    Examples:
        >>> [int(x) for x, in ds.NumpySlicesDataset([10, 11, 12, 13], sampler=ds.IterSampler(range(0, 4, 2)))]
        [10, 12]
    """

    shuffled = False

    def __init__(self, sampler: Any, num_samples: int | None = None):
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self) -> Iterator[int]:
        yield from self.sampler


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn at random with given weights; without replacement by the method of P. Efraimidis and P. Spirakis, "Weighted
    random sampling with a reservoir" (2006).

    Args:
        weights: how likely each row is, numbers from 0 on, of any sum; rows after these never come.
        num_samples: how many rows come; None: as many as there are.
        replacement: whether a row may come more than once.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: weights is empty, has a negative number or only zeros.
        RuntimeError: there are more weights than rows, or without replacement fewer weights than rows that come, when rows
            are asked for.

    Examples:
        >>> sampler = ds.WeightedRandomSampler([0.0, 1.0, 0.0], num_samples=4)
        >>> [int(x) for x, in ds.NumpySlicesDataset([10, 11, 12], sampler=sampler)]
        [11, 11, 11, 11]
    """

    def __init__(self, weights: Sequence[float], num_samples: int | None = None, replacement: bool = True):
        super().__init__(num_samples)
        self.weights = [check_number("WeightedRandomSampler", "weights", weight, -np.inf) for weight in weights]
        self.replacement = check_bool("WeightedRandomSampler", "replacement", replacement)
        if not self.weights or min(self.weights) < 0 or not any(self.weights):
            raise ValueError(
                f"For 'WeightedRandomSampler', 'weights' must be no negative ones, not all 0, but got {weights}."
            )

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        if len(self.weights) > length:
            raise RuntimeError(
                f"For 'WeightedRandomSampler', 'weights' must be one for each of {length} rows, but got {len(self.weights)}."
            )
        count = self.num_samples or length
        chances = np.asarray(self.weights, np.float64) / sum(self.weights)
        if self.replacement:
            return random.choice(len(chances), count, p=chances)
        if count > len(chances):
            raise RuntimeError(
                f"For 'WeightedRandomSampler', 'num_samples' without replacement must be at most {len(chances)}, "
                f"but got {count}."
            )
        with np.errstate(divide="ignore"):  # Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006)
            return np.argsort(np.log(random.random(len(chances))) / chances)[::-1][:count]


class PKSampler(BuiltinSampler):
    """num_val rows of each class, drawn at random, class by class.

    Args:
        num_val: how many rows of each class; where there are fewer, some come more than once.
        num_class: None: all classes come.
        shuffle: whether the rows come in random order after all.
        class_column: the name of the column that has a row's class.
        num_samples: how many rows come at most; None: all.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: num_val is below 1.
        NotImplementedError: num_class is given.
        RuntimeError: the source knows no classes before rows are read, when rows are asked for.

    Examples:
        >>> dataset = ds.ImageFolderDataset(example_data("image_folder"), sampler=ds.PKSampler(1))
        >>> [int(label) for image, label in dataset]
        [0, 1]
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ):
        super().__init__(num_samples)
        self.num_val = check_int32("PKSampler", "num_val", num_val, 1)
        if num_class is not None:
            raise NotImplementedError("For 'PKSampler', 'num_class' must be None: all classes come.")
        self.shuffled = check_bool("PKSampler", "shuffle", shuffle)
        self.class_column = check_instance("PKSampler", "class_column", class_column, str)

    def _indices(self, length: int, random: np.random.Generator, labels: Labels) -> Any:
        if labels is None:
            raise RuntimeError("For 'PKSampler', the dataset must have classes, but it has none.")
        classes = np.asarray(labels(self.class_column))[:length]
        groups = [np.flatnonzero(classes == label) for label in np.unique(classes)]
        indices = np.concatenate([random.choice(group, self.num_val, len(group) < self.num_val) for group in groups])
        return (random.permutation(indices) if self.shuffled else indices)[: self.num_samples]


def as_sampler(sampler: Any, limit: int | None = None) -> Sampler:
    """A sampler: itself, or one of the indices that an iterable gives, limit at most.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(sampler, Sampler):
        return sampler
    if not isinstance(sampler, Iterable):
        raise TypeError(f"A sampler must be a Sampler or give indices by __iter__, but got {sampler!r}.")
    return SubsetSampler(sampler, limit) if isinstance(sampler, (list, tuple)) else IterSampler(sampler, limit)


def select(
    where: str,
    sampler: Any,
    num_samples: int | None,
    shuffle: Any,
    num_shards: int | None,
    shard_id: int | None,
    by_default: bool = True,
) -> Sampler:
    """The sampler that arguments of a source ask for.

    Args:
        by_default: whether rows are shuffled by default.

    Raises:
        ValueError: arguments contradict each other.
    """
    limit = checks.samples(where, num_samples)
    checks.shards(where, num_shards, shard_id)
    if shuffle is not None:
        check_bool(where, "shuffle", shuffle)
    if sampler is not None:
        arguments = {"num_shards": num_shards, "shard_id": shard_id, "shuffle": shuffle or None}
        if isinstance(sampler, Sampler):
            arguments |= {"num_samples": limit, "shuffle": shuffle}
        extra = [name for name, value in arguments.items() if value is not None]
        if extra:
            raise ValueError(f"For '{where}', 'sampler' says which rows come, so {extra} must not be given with it.")
        return as_sampler(sampler, limit)
    shuffled = by_default if shuffle is None else shuffle
    if num_shards is not None and shard_id is not None:
        return DistributedSampler(num_shards, shard_id, shuffled, limit)
    return RandomSampler(num_samples=limit) if shuffled else SequentialSampler(num_samples=limit)


def seed_of(sampler: Sampler | None, seed: int) -> int:
    """The seed that a sampler draws by: a run's, or, of shards, the one that all processes know."""
    while sampler is not None:
        if sampler.sharded:
            return config.get_seed()
        sampler = sampler.get_child()
    return seed
