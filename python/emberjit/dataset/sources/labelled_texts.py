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
    """News of four classes: columns "index", the class, "title" and "description", str (X. Zhang, J. Zhao and Y. LeCun,
    "Character-level convolutional networks for text classification", 2015).

    Args:
        dataset_dir: the path of the folder that has train.csv and test.csv.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.AGNewsDataset(example_data("ag_news"), usage="train", shuffle=False)
        >>> dataset.get_col_names()
        ['index', 'title', 'description']
        >>> [str(index) for index, title, description in dataset]
        ['1', '2']
    """

    column_names = ["index", "title", "description"]


class AmazonReviewDataset(_OfCsv):
    """Reviews of products: columns "label", "title" and "content", str (X. Zhang, J. Zhao and Y. LeCun, "Character-level
    convolutional networks for text classification", 2015).

    Args:
        dataset_dir: the path of the folder that has train.csv and test.csv.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.AmazonReviewDataset(example_data("amazon"), usage="train", shuffle=False)
        >>> dataset.get_col_names()
        ['label', 'title', 'content']
        >>> [str(label) for label, title, content in dataset]
        ['1', '2']
    """

    column_names = ["label", "title", "content"]


class DBpediaDataset(_OfCsv):
    """Articles of 14 classes: columns "class", "title" and "content", str (X. Zhang, J. Zhao and Y. LeCun, "Character-level
    convolutional networks for text classification", 2015).

    Args:
        dataset_dir: the path of the folder that has train.csv and test.csv.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.DBpediaDataset(example_data("dbpedia"), usage="test", shuffle=False)
        >>> dataset.get_col_names()
        ['class', 'title', 'content']
        >>> [str(label) for label, title, content in dataset]
        ['1', '2']
    """

    column_names = ["class", "title", "content"]


class YahooAnswersDataset(_OfCsv):
    """Questions of ten classes, with answers: columns "class", "title", "content" and "answer", str (X. Zhang, J. Zhao and
    Y. LeCun, "Character-level convolutional networks for text classification", 2015).

    Args:
        dataset_dir: the path of the folder that has train.csv and test.csv.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.YahooAnswersDataset(example_data("yahoo"), usage="train", shuffle=False)
        >>> dataset.get_col_names()
        ['class', 'title', 'content', 'answer']
        >>> [str(label) for label, title, content, answer in dataset]
        ['1', '2']
    """

    column_names = ["class", "title", "content", "answer"]


class SogouNewsDataset(ReorderedFiles, _OfCsv):
    """News of five classes, in Chinese as it is spelled in Latin letters: columns "index", the class, "title" and "content",
    str (X. Zhang, J. Zhao and Y. LeCun, "Character-level convolutional networks for text classification", 2015).

    Args:
        dataset_dir: the path of the folder that has train.csv and test.csv.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.SogouNewsDataset(example_data("sogou"), usage="train", shuffle=False)
        >>> dataset.get_col_names()
        ['index', 'title', 'content']
        >>> [str(index) for index, title, content in dataset]
        ['1', '2']
    """

    column_names = ["index", "title", "content"]


class YelpReviewDataset(ReorderedFiles, _OfCsv):
    """Reviews of businesses: columns "label" and "text", str (X. Zhang, J. Zhao and Y. LeCun, "Character-level convolutional
    networks for text classification", 2015).

    Args:
        dataset_dir: the path of the folder that has train.csv and test.csv.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.YelpReviewDataset(example_data("yelp"), usage="test", shuffle=False)
        >>> dataset.get_col_names()
        ['label', 'text']
        >>> [str(label) for label, review in dataset]
        ['1', '2']
    """

    column_names = ["label", "text"]


class SST2Dataset(FilesOfUsage):
    """Sentences of reviews, and whether they are positive: columns "sentence" and "label", str; of "test" the sentence alone
    (R. Socher and others, "Recursive deep models for semantic compositionality over a sentiment treebank", 2013).

    Args:
        dataset_dir: the path of the folder that has train.tsv, dev.tsv and test.tsv.
        usage: "train", which is the default, "dev" or "test".
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or a file is not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.SST2Dataset(example_data("sst2"), usage="train", shuffle=False)
        >>> for sentence, label in dataset:
        ...     print(sentence, label)
        hide new  0
        loves it  1
    """

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
    """Reviews of films, and whether they are positive: columns "text", str, and "label", int32, 0 of negative and 1 of
    positive ones (A. Maas and others, "Learning word vectors for sentiment analysis", 2011).

    Args:
        dataset_dir: the path of the folder that has train and test, each with neg and pos, and in them a file for each
            review.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.IMDBDataset(example_data("imdb"), usage="train", shuffle=False)
        >>> for review, label in dataset:
        ...     print(review, label)
        train neg 0 0
        train neg 1 0
        train pos 0 1
        train pos 1 1
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
