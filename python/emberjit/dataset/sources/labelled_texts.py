"""Datasets of texts with a class: news, reviews, sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.dataset import checks
from emberjit.dataset.sources.listed import Contents, Listed, choice, text_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.sources.records import FileSampler, Records
from emberjit.dataset.sources.text_files import Csv
from emberjit.dataset.sources.texts import FilesOfUsage, ReorderedFiles, WholeFiles
from emberjit.dataset.values import Row


class _OfCsv(FilesOfUsage):
    """A str of each field."""

    files = {"train": "train.csv", "test": "test.csv"}

    def _reading(self, usage: str, paths: list[str], sampler: FileSampler, number: int | None) -> Records:
        del usage
        return Csv(self.column_names, ",", None, paths, sampler, number)


class AGNewsDataset(_OfCsv):
    """Classes, titles and descriptions, str. usage: "train", "test" or "all"."""

    column_names = ["index", "title", "description"]


class AmazonReviewDataset(_OfCsv):
    """Labels, titles and contents, str. usage: "train", "test" or "all"."""

    column_names = ["label", "title", "content"]


class DBpediaDataset(_OfCsv):
    """Classes, titles and contents, str. usage: "train", "test" or "all"."""

    column_names = ["class", "title", "content"]


class YahooAnswersDataset(_OfCsv):
    """Classes, titles, contents and answers, str. usage: "train", "test" or "all"."""

    column_names = ["class", "title", "content", "answer"]


class SogouNewsDataset(ReorderedFiles, _OfCsv):
    """Classes, titles and contents, str. usage: "train", "test" or "all"."""

    column_names = ["index", "title", "content"]


class YelpReviewDataset(ReorderedFiles, _OfCsv):
    """Labels and texts, str. usage: "train", "test" or "all"."""

    column_names = ["label", "text"]


class SST2Dataset(FilesOfUsage):
    """Sentences and labels, str; of "test" sentences alone. usage: "train", "test" or "dev"."""

    files = {part: f"{part}.tsv" for part in ("train", "test", "dev")}
    by_default = "train"

    def _reading(self, usage: str, paths: list[str], sampler: FileSampler, number: int | None) -> Records:
        columns = ["sentence"] if usage == "test" else ["sentence", "label"]

        def read(path: str) -> Iterator[Row]:
            for line in text_of(path).split("\n")[1:]:
                if line:
                    first, second = line.removesuffix("\r").split("\t")
                    yield (second,) if usage == "test" else (first, second)

        return WholeFiles("SST2Dataset", read, paths, columns, sampler, number)


class IMDBDataset(MappableDataset):
    """Reviews, str, and whether they are positive, int32.

    Args:
        usage: "train", "test" or "all".
        shuffle, sampler: as of GeneratorDataset.

    Raises:
        as AGNewsDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "IMDBDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "test", "all"), "all")

        def find() -> Iterator[Row]:
            for subset in ("train", "test") if part == "all" else (part,):
                for label, name in enumerate(("neg", "pos")):
                    root = os.path.join(folder, subset, name)
                    yield from ((Contents(os.path.join(root, file)), np.int32(label)) for file in sorted(os.listdir(root)))

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["text", "label"], find, False, num_parallel_workers, cache, *selection))
