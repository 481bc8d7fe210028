"""FakeImageDataset and RandomDataset: rows that are made up, the same whenever they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32
from emberjit.dataset import checks, config, samplers
from emberjit.dataset.randomness import generator_of
from emberjit.dataset.sources.mappable import Mappable, MappableDataset
from emberjit.dataset.sources.schema import numpy_type, schema_of
from emberjit.dataset.values import Row

_KINDS = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64"


class _FakeImages(Mappable):
    where = "FakeImageDataset"

    def __init__(self, count: int, size: tuple[int, ...], classes: int, base_seed: int, *more: Any):
        super().__init__(["image", "label"], *more)
        self.count, self.shape, self.classes, self.base_seed = count, size, classes, base_seed

    def length(self) -> int:
        return self.count

    def load(self, index: int) -> Row:
        random = generator_of((self.base_seed + index) % 2**64, ())
        return random.integers(0, 256, self.shape, np.uint8), np.asarray(random.integers(self.classes), np.uint32)


class FakeImageDataset(MappableDataset):
    """Images of noise: columns "image", uint8 of image_size, and "label", uint32. The same numbers come in each run.

    Args:
        num_images: how many there are.
        image_size: their shape: (height, width, channels).
        num_classes: how many classes there are; labels are from 0 to num_classes - 1.
        base_seed: the seed of the first image; the next have the next seeds.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads make them; None: one.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is not positive, image_size is not of three numbers, or arguments contradict each other.
        RuntimeError: cache is given.

    Examples:
        >>> dataset = ds.FakeImageDataset(num_images=2, image_size=(4, 5, 3), num_classes=3, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, image.dtype, label.dtype)
        (4, 5, 3) UInt8 UInt32
        (4, 5, 3) UInt8 UInt32
    """

    def __init__(
        self,
        num_images: int = 1000,
        image_size: Any = (224, 224, 3),
        num_classes: int = 10,
        base_seed: int = 0,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "FakeImageDataset"
        checks.no_cache(where, cache)
        number = check_int32(where, "num_images", num_images, 1)
        size = check_instance(where, "image_size", image_size, (list, tuple))
        if len(size) != 3:
            raise ValueError(f"For '{where}', 'image_size' must be (height, width, channels), but got {size!r}.")
        shape = tuple(check_int32(where, f"image_size[{k}]", length, 1) for k, length in enumerate(size))
        classes = check_int32(where, "num_classes", num_classes, 1)
        seed = check_instance(where, "base_seed", base_seed, int)
        row_sampler = samplers.select(where, sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(_FakeImages(number, shape, classes, seed, row_sampler, checks.workers(where, num_parallel_workers)))


class _Random(Mappable):
    where = "RandomDataset"

    def __init__(self, seed: int, count: int, kinds: dict[str, tuple[Any, tuple[int, ...]]], *more: Any):
        super().__init__(list(kinds), *more)
        self.seed, self.count, self.kinds = seed, count, kinds

    def length(self) -> int:
        return self.count

    def load(self, index: int) -> Row:
        random = generator_of(self.seed, (index,))
        return tuple(_drawn(random, kind, shape) for kind, shape in self.kinds.values())


def _drawn(random: np.random.Generator, kind: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    if kind.kind in "US":
        return np.asarray(random.integers(0, 10**6, shape)).astype(kind)
    if kind.kind == "f":
        return np.asarray(random.random(shape)).astype(kind)
    bounds = (0, 1) if kind.kind == "b" else (np.iinfo(kind).min, np.iinfo(kind).max)
    values = random.integers(*bounds, shape, np.uint8 if kind.kind == "b" else kind, endpoint=True)
    return np.asarray(values).astype(kind)


class RandomDataset(MappableDataset):
    """Rows of random values: integers of all the range of their dtype, floating-point numbers from 0 to 1. They follow from
    the seed.

    Args:
        total_rows: how many rows there are; None: a random number.
        schema: a Schema, or the path of one's file, which says the columns; None: there are up to four, of random dtypes and
            shapes.
        columns_list: the names of the columns of schema that come; without schema the names of the columns; None: all of
            schema, or c0, c1 and so on.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads make them; None: one.
        cache: None: there is no cache server.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range, schema has no such column or one of complex numbers, or arguments contradict
            each other.
        RuntimeError: cache is given.

    Examples:
        >>> schema = ds.Schema()
        >>> schema.add_column("x", ms.float32, [2, 3])
        >>> dataset = ds.RandomDataset(total_rows=5, schema=schema)
        >>> dataset.output_shapes(), len(dataset)
        ([[2, 3]], 5)
    """

    def __init__(
        self,
        total_rows: int | None = None,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        where = "RandomDataset"
        checks.no_cache(where, cache)
        random = generator_of(config.get_seed(), ())
        rows = int(random.integers(1, 10)) if total_rows is None else check_int32(where, "total_rows", total_rows, 1)
        names = None if columns_list is None else checks.names(where, "columns_list", columns_list)
        kinds = _kinds_of(where, schema, names) if schema is not None else _random_kinds(random, names)
        row_sampler = samplers.select(where, None, num_samples, shuffle, num_shards, shard_id)
        more = (row_sampler, checks.workers(where, num_parallel_workers))
        super().__init__(_Random(int(random.integers(2**63)), rows, kinds, *more))


def _kinds_of(where: str, schema: Any, names: list[str] | None) -> dict[str, tuple[Any, tuple[int, ...]]]:
    """The dtypes and shapes of a schema's columns."""
    parsed = schema_of(where, schema)
    assert parsed is not None
    for name in names or ():
        if name not in parsed.columns:
            raise ValueError(f"For '{where}', 'columns_list' must name columns of 'schema', but got {name!r}.")
    kinds = {}
    for name in names or parsed.columns:
        kind, shape = numpy_type(where, "schema", parsed.columns[name]["type"]), parsed.columns[name].get("shape")
        if kind.kind not in "biufUS":
            raise ValueError(
                f"For '{where}', 'schema' must have columns of bools, integers, floats or strings, but '{name}' is {kind}."
            )
        kinds[name] = kind, tuple(max(n, 1) for n in shape or ())
    return kinds


def _random_kinds(random: np.random.Generator, names: list[str] | None) -> dict[str, tuple[Any, tuple[int, ...]]]:
    columns = names or [f"c{k}" for k in range(random.integers(1, 5))]
    kinds = _KINDS.split()
    return {
        name: (np.dtype(kinds[random.integers(len(kinds))]), tuple(random.integers(1, 9, random.integers(4)).tolist()))
        for name in columns
    }
