"""Datasets of texts in files of a form of their own: lines, questions and answers, tagged words, JSON."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from emberjit.dataset import checks
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.listed import choice, json_of, text_of
from emberjit.dataset.sources.records import FileSampler, Records, file_sampler
from emberjit.dataset.sources.text_files import FileDataset, Text
from emberjit.dataset.values import Row, to_array


class WholeFiles(Records):
    """Rows of files that are read whole; a subclass says which."""

    def __init__(self, where: str, read: Callable[[str], Iterator[Row]], *more: Any):
        super().__init__(*more)
        self.where, self.read, self.rows_of = where, read, dict[str, list[Row]]()

    def record_spans(self, path: str) -> Any:
        try:
            self.rows_of[path] = list(self.read(path))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            what = f"{type(error).__name__}: {error}"
            raise RuntimeError(f"For '{self.where}', the file '{path}' is not of its form: {what}") from error
        return np.zeros((len(self.rows_of[path]), 2), np.int64)

    def load(self, index: int) -> Row:
        at, row = self._place(index)
        return tuple(map(to_array, self.rows_of[self.paths[at]][row]))


class FilesOfUsage(FileDataset):
    """Texts of a folder's parts.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, or arguments contradict each other.
        RuntimeError: files are not of the dataset's form, when rows are asked for.
    """

    files: dict[str, str] = {}
    by_default = "all"
    column_names: list[str] = ["text"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = type(self).__name__
        checks.no_cache(where, cache)
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        usages = (*self.files, *(("all",) if self.by_default == "all" else ()))
        part = choice(where, "usage", usage, usages, self.by_default)
        names = list(self.files.values()) if part == "all" else [self.files[part]]
        roots = [glob.escape(folder) if "*" in name else folder for name in names]
        paths = checks.files(where, "dataset_dir", list(map(os.path.join, roots, names)))
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        super().__init__(self._reading(part, paths, sampler, checks.workers(where, num_parallel_workers)))

    def _reading(self, usage: str, paths: list[str], sampler: FileSampler, number: int | None) -> Records:
        del usage
        return WholeFiles(type(self).__name__, self._read, paths, self.column_names, sampler, number)

    @classmethod
    def _read(cls, path: str) -> Iterator[Row]:
        raise NotImplementedError


class ReorderedFiles(FilesOfUsage):
    """The same, whose arguments have another order."""

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


class _OfLines(FilesOfUsage):
    """A str of each line that is not empty."""

    def _reading(self, usage: str, paths: list[str], sampler: FileSampler, number: int | None) -> Records:
        del usage
        return Text(paths, ["text"], sampler, number)


class PennTreebankDataset(_OfLines):
    """Lines, str. usage: "train", "test", "valid" or "all"."""

    files = {part: f"ptb.{part}.txt" for part in ("train", "test", "valid")}


class WikiTextDataset(_OfLines):
    """Lines, str. usage: "train", "test", "valid" or "all"."""

    files = {part: f"wiki.{part}.tokens" for part in ("train", "test", "valid")}


class EnWik9Dataset(FileDataset):
    """Lines, str, with empty ones.

    Raises:
        as AGNewsDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = True,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "EnWik9Dataset"
        checks.no_cache(where, cache)
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        paths = checks.files(where, "dataset_dir", os.path.join(folder, "enwik9"))
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        super().__init__(Text(paths, ["text"], sampler, checks.workers(where, num_parallel_workers), empty=True))


class SQuADDataset(FilesOfUsage):
    """Contexts and questions, str, and answers with where they begin, str and uint32 of (N,); 2**32 - 1 where there is none.
    usage: "train", "dev" or "all"."""

    files = {part: f"{part}-v*.json" for part in ("train", "dev")}
    column_names = ["context", "question", "text", "answer_start"]

    @classmethod
    def _read(cls, path: str) -> Iterator[Row]:
        for paragraph in (entry for article in json_of(path)["data"] for entry in article["paragraphs"]):
            for question in paragraph["qas"]:
                answers = question["answers"] or [{"text": "", "answer_start": 2**32 - 1}]
                starts = np.array([answer["answer_start"] for answer in answers], np.uint32)
                yield paragraph["context"], question["question"], [answer["text"] for answer in answers], starts


class _Tagged(ReorderedFiles):
    """Sentences of words in lines of their own, with tags, and empty lines between: str of (N,)."""

    separator: str | None = None

    @classmethod
    def _read(cls, path: str) -> Iterator[Row]:
        words: list[list[str]] = []
        for line in [*text_of(path).split("\n"), ""]:
            if line.strip():
                words.append(line.strip().split(cls.separator))
            elif words:
                yield tuple(list(column) for column in zip(*words, strict=True))
                words = []


class CoNLL2000Dataset(_Tagged):
    """Words, their parts of speech, and chunks, str of (N,). usage: "train", "test" or "all"."""

    files = {"train": "train.txt", "test": "test.txt"}
    column_names = ["word", "pos_tag", "chunk_tag"]


class UDPOSDataset(_Tagged):
    """Words, and their parts of speech in two ways, str of (N,). usage: "train", "test", "valid" or "all"."""

    files = {name: f"en-ud-tag.v2.{'dev' if name == 'valid' else name}.txt" for name in ("train", "test", "valid")}
    column_names = ["word", "universal", "stanford"]
    separator = "\t"


_PAIR = ["sentence1", "sentence2"]

_NAMED = {  # columns of a task, and those that test files lack, or have in their place
    "AFQMC": ([*_PAIR, "label"], ["id", *_PAIR]),
    "TNEWS": (["label", "label_desc", "sentence", "keywords"], ["id", "keywords", "sentence"]),
    "IFLYTEK": (["label", "label_des", "sentence"], ["id", "sentence"]),
    "CMNLI": ([*_PAIR, "label"], ["id", *_PAIR]),
    "WSC": (["idx", "label", "text"], ["idx", "text"]),
    "CSL": (["id", "abst", "keyword", "label"], ["id", "abst", "keyword"]),
}

_SPANS = ["span1_index", "span1_text", "span2_index", "span2_text"]


class CLUEDataset(FileDataset):
    """What lines of JSON say, by name: numbers, uint32, or str.

    Args:
        dataset_files: a path or pattern, or a list of them.
        task: "AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC" or "CSL".
        usage: "train", "eval" or "test", without labels.

    Raises:
        as AGNewsDataset.
    """

    def __init__(
        self,
        dataset_files: Any,
        task: str = "AFQMC",
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "CLUEDataset"
        checks.no_cache(where, cache)
        paths = checks.files(where, "dataset_files", dataset_files)
        kind = choice(where, "task", task, _NAMED, "AFQMC")
        names = _NAMED[kind][choice(where, "usage", usage, ("train", "test", "eval"), "train") == "test"]
        columns = sorted([*names, *(_SPANS if kind == "WSC" else ())])

        def read(path: str) -> Iterator[Row]:
            for line in filter(str.strip, text_of(path).split("\n")):
                record = json.loads(line)
                record |= record.get("target", {})
                yield tuple(np.uint32(record[name]) if isinstance(record[name], int) else record[name] for name in columns)

        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        number = checks.workers(where, num_parallel_workers)
        super().__init__(WholeFiles(where, read, paths, columns, sampler, number))
