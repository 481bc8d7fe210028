"""Which rows come, in which order, and what is drawn on the way: of a seed alone, whoever computes; parts of a split,
shards, and how many rows there are."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from emberjit import dataset as ds
from emberjit.dataset import randomness


def rows(data: ds.Dataset, epochs: int = 1) -> list[Any]:
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [[row[0].tolist() for row in iterator] for _ in range(epochs)]


def numbers(length: int = 8, **given: Any) -> ds.NumpySlicesDataset:
    return ds.NumpySlicesDataset(list(range(length)), ["a"], **given)


def drawn(*_: Any) -> Any:
    """Numbers of the transforms' generator, of random and of numpy.random."""
    return np.array([randomness.draws().integers(1 << 30), random.randrange(1 << 30), np.random.randint(1 << 30)])


class Drawing:
    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: Any) -> Any:
        return drawn()


def of_source(**given: Any) -> ds.Dataset:
    return ds.GeneratorDataset(Drawing(), ["a"], shuffle=False, **given)


def of_batches(**given: Any) -> ds.Dataset:
    return numbers(shuffle=False).batch(1, per_batch_map=lambda column, info: drawn(), **given)


def of_collate(**given: Any) -> ds.Dataset:
    batches = [[i] for i in range(8)]
    return ds.GeneratorDataset(Drawing(), ["a"], batch_sampler=batches, collate_fn=drawn, **given)


@pytest.mark.parametrize("made", [of_source, of_batches, of_collate])
def test_draws_are_of_the_seed_and_the_row(made):
    ds.config.set_seed(3)
    found = {}
    for workers, processes in ((1, False), (2, False), (2, True), (3, True)):
        found[workers, processes] = rows(made(num_parallel_workers=workers, python_multiprocessing=processes), 2)
    firsts = [[[draws[0] for draws in epoch] for epoch in epochs] for epochs in found.values()]
    assert all(each == firsts[0] for each in firsts)
    assert found[2, True] == found[3, True]  # where random and numpy.random are seeded for each row
    assert all(len({draws[k] for epoch in found[2, True] for draws in epoch}) == 16 for k in range(3))


@pytest.mark.parametrize("randomize", [False, True])
@pytest.mark.parametrize(
    "made",
    [
        lambda: numbers(),
        lambda: numbers(shuffle=False).shuffle(8),
        lambda: numbers(shuffle=False).shuffle(8).repeat(2).take(8).map(lambda x: x),
        lambda: ds.GeneratorDataset(range(8), ["a"], sampler=list(np.random.permutation(8))),
        lambda: ds.GeneratorDataset(range(8), ["a"], sampler=Permuted()),
    ],
)
def test_parts_of_a_split_are_disjoint(made, randomize):
    first, second = made().split([5, 3], randomize)
    parts = [rows(part, 2) for part in (first.map(lambda x: x).shuffle(3), second)]
    for first, second in itertools.product(*parts):
        assert sorted(first + second) == list(range(8))


class Permuted(ds.Sampler):
    def __iter__(self) -> Iterator[int]:
        yield from np.random.permutation(8).tolist()


def test_what_is_drawn_before_a_split_changes_with_epochs():
    part = numbers(shuffle=False).map(drawn).split([4, 4])[0]
    first, second = rows(part, 2)
    assert not {draws[0] for draws in first} & {draws[0] for draws in second}


def test_shards_of_files_are_disjoint_without_a_seed(tmp_path):
    path = tmp_path / "lines"
    path.write_text("".join(f"{i}\n" for i in range(40)))
    shards = [rows(ds.TextFileDataset(str(path), num_shards=2, shard_id=k, shuffle=True))[0] for k in range(2)]
    assert sorted(map(int, shards[0] + shards[1])) == list(range(40))


def iterated_twice(source: Any) -> Any:
    data = ds.GeneratorDataset(source, ["a"])
    return len(data), rows(data, 2)


@pytest.mark.parametrize("source", [lambda: (i for i in range(3)), lambda: iter([0, 1, 2])])
def test_an_iterator_as_source_keeps_its_rows(source):
    assert iterated_twice(source()) == (3, [[0, 1, 2]] * 2)


class Endless(ds.Sampler):
    def __iter__(self) -> Iterator[int]:
        return itertools.repeat(1)


def endless(**given: Any) -> ds.GeneratorDataset:
    return ds.GeneratorDataset(itertools.count, ["a"], **given)


@pytest.mark.parametrize(
    ("made", "length"),
    [
        (lambda: endless(num_samples=5), 5),
        (lambda: endless().take(5), 5),
        (lambda: endless().skip(2).batch(2).take(3), 3),
        (lambda: endless().filter(lambda x: x % 2 == 0).map(lambda x: x).take(4), 4),
        (lambda: ds.zip((numbers(3), endless().rename("a", "b"))), 3),
        (lambda: ds.zip((endless().rename("a", "b"), numbers(3))), 3),
        (lambda: ds.zip((endless().rename("a", "b"), numbers(3000))).take(2500), 2500),
        (lambda: (numbers(3) + endless()).take(5), 5),
        (lambda: endless().batch(lambda info: 2).take(2), 2),
        (lambda: ds.GeneratorDataset(range(3), ["a"], sampler=Endless(4)), 4),
    ],
)
def test_the_length_of_what_has_no_end(made, length):
    assert len(made()) == length == len(rows(made())[0])


def test_filtered_rows_are_counted_once():
    seen: list[int] = []

    def kept(x: Any) -> bool:
        seen.append(int(x))
        return bool(x % 2)

    data = numbers(6, shuffle=False).filter(kept)
    assert (len(data), len(data), len(seen)) == (3, 3, 6)


def test_zip_takes_no_more_of_an_input_than_the_shortest_before_has():
    taken: list[int] = []
    data = ds.GeneratorDataset(lambda: (taken.append(k) or k for k in itertools.count()), ["b"])
    assert len(ds.zip((numbers(3), data))) == 3 == len(taken)


@pytest.mark.parametrize("given", [{"num_samples": 1}, {"shuffle": False}, {"num_shards": 2, "shard_id": 0}])
def test_a_sampler_is_given_alone(given):
    sampler = Permuted()
    with pytest.raises(ValueError, match="'sampler' says which rows come"):
        ds.GeneratorDataset(range(8), ["a"], sampler=sampler, **given)
    assert sampler.num_samples is None


def test_indices_are_given_with_a_limit():
    assert rows(numbers(sampler=[3, 1, 2], num_samples=2, shuffle=False)) == [[3, 1]]


@pytest.mark.parametrize(
    ("value", "kind", "wanted"),
    [
        (-1, np.uint8, 255),
        (300, np.uint8, 44),
        (1.5, np.int32, 1),
        (-1, np.int8, -1),
        (0.5, np.float32, 0.5),
        (7, np.bool_, True),
    ],
)
def test_padding_of_another_dtype(value, kind, wanted):
    source = [np.ones(1, kind), np.ones(2, kind)]
    (found,) = rows(ds.GeneratorDataset(source, ["a"], shuffle=False).padded_batch(2, pad_info={"a": ([3], value)}))
    assert found == [[[1, wanted, wanted], [1, 1, wanted]]]


def test_batches_of_dicts_with_other_keys():
    data = ds.GeneratorDataset(lambda: iter([({"x": 1},), ({"y": 1},)]), ["a"]).batch(2)
    with pytest.raises(RuntimeError, match=r"dicts of column 'a' must have the same keys, but got \['x'\] and \['y'\]"):
        rows(data)
