"""How pipelines, operations and samplers show themselves: as they are called, without defaults, and without a row read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import dataset as ds
from emberjit.dataset import audio, text, transforms, vision

DATA = {"x": np.zeros((10, 2), np.float32), "y": list(range(10))}
SLICES = (
    "NumpySlicesDataset(data={'x': ndarray(shape=[10, 2], dtype=float32), 'y': [0, 1, 2, 3, 4, 5, ... 10 in all]}, "
    "shuffle=False)"
)


READ: list[str] = []


@pytest.fixture(autouse=True)
def nothing_is_read() -> Iterator[None]:
    yield
    assert READ == [], "rows are read for a text"


def rows() -> Any:
    """Rows that nobody may ask for."""
    READ.append("rows")
    yield 1


def double(value: Any) -> Any:
    """An operation."""
    return 2 * value


def slices() -> Any:
    """Ten rows of two columns."""
    return ds.NumpySlicesDataset(DATA, shuffle=False)


def generated(**options: Any) -> Any:
    """Rows whose number is not known."""
    return ds.GeneratorDataset(rows, ["z"], **options)


class Sized:
    """A source that knows how many rows it has, or fails to."""

    def __init__(self, count: int):
        self.count = count

    def __len__(self) -> int:
        if self.count < 0:
            raise OSError("no file")
        return self.count

    def __getitem__(self, index: int) -> Any:
        return READ.append("a row")


PIPELINES = {
    "a source": (slices, ["NumpySlicesDataset: 10 rows, columns x, y", f"  {SLICES}"]),
    "steps": (
        lambda: (
            slices()
            .shuffle(4)
            .map([double, transforms.TypeCast(ms.float32)], "x", num_parallel_workers=2)
            .batch(3, drop_remainder=True)
            .repeat(2)
        ),
        [
            "RepeatDataset: 6 rows, columns x, y",
            f"  {SLICES}",
            "    .shuffle(buffer_size=4)",
            "    .map(operations=[double, TypeCast(data_type=Float32)], input_columns='x', num_parallel_workers=2)",
            "    .batch(batch_size=3, drop_remainder=True)",
            "    .repeat(count=2)",
        ],
    ),
    "other steps": (
        lambda: slices().skip(1).take(5).rename("x", "w").project("w").padded_batch(2, pad_info={}).sync_wait("c"),
        [
            "SyncWaitDataset: 3 rows, columns w",
            f"  {SLICES}",
            "    .skip(count=1)",
            "    .take(count=5)",
            "    .rename(input_columns='x', output_columns='w')",
            "    .project(columns='w')",
            "    .batch(batch_size=2, pad_info={})",
            "    .sync_wait(condition_name='c', num_batch=1)",
        ],
    ),
    "not counted": (
        lambda: slices().filter(double, "x").bucket_batch_by_length("x", [2], [1, 3]),
        [
            "BucketBatchByLengthDataset: rows not counted yet, columns x, y",
            f"  {SLICES}",
            "    .filter(predicate=double, input_columns=['x'])",
            "    .bucket_batch_by_length(column_names=['x'], bucket_boundaries=[2], bucket_batch_sizes=[1, 3])",
        ],
    ),
    "a generator": (
        lambda: generated(num_samples=7).map(double),
        [
            "MapDataset: rows not counted yet, columns z",
            "  GeneratorDataset(source=rows, column_names=['z'], num_samples=7)",
            "    .map(operations=double)",
        ],
    ),
    "batches of sizes by a function": (
        lambda: slices().batch(lambda info: 2),
        ["BatchDataset: rows not counted yet, columns x, y", f"  {SLICES}", "    .batch(batch_size=<lambda>)"],
    ),
    "columns that rows tell": (
        lambda: generated().flat_map(double),
        ["FlatMapDataset: rows not counted yet", "  GeneratorDataset(source=rows, column_names=['z'])", "    .flat_map()"],
    ),
    "several sources": (
        lambda: slices().zip(generated().skip(1)).take(2),
        [
            "TakeDataset: rows not counted yet, columns x, y, z",
            "  zip of",
            f"    {SLICES}",
            "    GeneratorDataset(source=rows, column_names=['z'])",
            "      .skip(count=1)",
            "    .take(count=2)",
        ],
    ),
    "one after the other": (
        lambda: slices() + slices(),
        ["ConcatDataset: 20 rows, columns x, y", "  concat of", f"    {SLICES}", f"    {SLICES}"],
    ),
    "half made": (lambda: object.__new__(ds.BatchDataset), ["BatchDataset(...)"]),
}


@pytest.mark.parametrize(("make", "want"), PIPELINES.values(), ids=PIPELINES.keys())
def test_repr(make: Any, want: list[str]) -> None:
    dataset = make()
    assert repr(dataset).split("\n") == want
    shown = dataset._repr_html_()
    assert want[0] in shown and (len(want) == 1 or "<details open>" in shown) and "<lambda>" not in shown


def test_a_source_that_knows_its_rows_is_not_read() -> None:
    assert repr(ds.GeneratorDataset(Sized(4), ["a"], shuffle=False)).startswith("GeneratorDataset: 4 rows, columns a\n")
    source = Sized(4)
    dataset = ds.GeneratorDataset(source, ["a"], shuffle=False)
    source.count = -1
    assert repr(dataset).startswith("GeneratorDataset: rows not known, columns a\n")


def test_rows_that_were_counted_are_told() -> None:
    dataset = slices().filter(lambda x, y: y < 3)
    assert repr(dataset).startswith("FilterDataset: rows not counted yet")
    assert dataset.get_dataset_size() == 3 and repr(dataset).startswith("FilterDataset: 3 rows")


OPERATIONS = {
    "an operation": (lambda: vision.Resize((3, 4)), "Resize(size=(3, 4))"),
    "a default given": (lambda: vision.RandomCrop(4, padding=2, pad_if_needed=False), "RandomCrop(size=4, padding=2)"),
    "operations of operations": (
        lambda: transforms.RandomApply([vision.Invert(), double], 0.25),
        "RandomApply(transforms=[Invert(), double], prob=0.25)",
    ),
    "of sound": (lambda: audio.Fade(2, 3), "Fade(fade_in_len=2, fade_out_len=3)"),
    "of text": (lambda: text.WhitespaceTokenizer(True), "WhitespaceTokenizer(with_offsets=True)"),
    "a sampler": (lambda: ds.RandomSampler(num_samples=3), "RandomSampler(num_samples=3)"),
    "half made": (lambda: object.__new__(vision.Resize), "Resize(...)"),
}


@pytest.mark.parametrize(("make", "want"), OPERATIONS.values(), ids=OPERATIONS.keys())
def test_operations(make: Any, want: str) -> None:
    assert repr(make()) == want
