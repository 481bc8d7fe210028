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
    """The lines of the Penn Treebank's texts that are not empty: column "text", str (T. Mikolov and others, "Recurrent
    neural network based language model", 2010).

    Args:
        dataset_dir: the path of the folder that has ptb.train.txt, ptb.test.txt and ptb.valid.txt.
        usage: "train", "test", "valid", or "all", which is the default.
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
        >>> dataset = ds.PennTreebankDataset(example_data("ptb"), usage="train", shuffle=False)
        >>> [str(line) for line, in dataset]
        [' aer train ', ' N years <unk>']
    """

    files = {part: f"ptb.{part}.txt" for part in ("train", "test", "valid")}


class WikiTextDataset(_OfLines):
    """The lines of articles of Wikipedia that are not empty: column "text", str (S. Merity and others, "Pointer sentinel
    mixture models", 2016).

    Args:
        dataset_dir: the path of the folder that has wiki.train.tokens, wiki.test.tokens and wiki.valid.tokens.
        usage: "train", "test", "valid", or "all", which is the default.
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
        >>> dataset = ds.WikiTextDataset(example_data("wikitext"), usage="train", shuffle=False)
        >>> [str(line) for line, in dataset]
        [' ', ' = Title train = ', ' ', ' words , here . ']
    """

    files = {part: f"wiki.{part}.tokens" for part in ("train", "test", "valid")}


class EnWik9Dataset(FileDataset):
    """The lines of a dump of Wikipedia, also those that are empty: column "text", str (M. Mahoney, "Large text compression
    benchmark"). See text.FilterWikipediaXML.

    Args:
        dataset_dir: the path of the folder that has enwik9.
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
        >>> dataset = ds.EnWik9Dataset(example_data("enwik9"), shuffle=False)
        >>> [str(line) for line, in dataset]
        ['<mediawiki>', '', '  <siteinfo>']
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
    """Questions about paragraphs of Wikipedia: columns "context" and "question", str, "text", the answers, str of (N,), and
    "answer_start", where in the context they begin, uint32 of (N,); a question without answers has one "", at 2**32 - 1 (P.
    Rajpurkar and others, "SQuAD: 100,000+ questions for machine comprehension of text", 2016).

    Args:
        dataset_dir: the path of the folder that has train-v1.1.json and dev-v1.1.json, or those of v2.0.
        usage: "train", "dev", or "all", which is the default.
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
        >>> dataset = ds.SQuADDataset(example_data("squad"), usage="dev", shuffle=False)
        >>> for context, question, answers, starts in dataset:
        ...     print(question, answers, starts)
        what? ['an answer' 'answer'] [5 8]
        none? [''] [4294967295]
        what? ['an answer' 'answer'] [5 8]
    """

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
    """Sentences as words with tags: columns "word", "pos_tag", the parts of speech, and "chunk_tag", the phrases, str of
    (N,) (E. Tjong Kim Sang and S. Buchholz, "Introduction to the CoNLL-2000 shared task: chunking", 2000).

    Args:
        dataset_dir: the path of the folder that has train.txt and test.txt.
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
        >>> dataset = ds.CoNLL2000Dataset(example_data("conll2000"), usage="train", shuffle=False)
        >>> for words, parts, chunks in dataset:
        ...     print(words, parts, chunks)
        ['Rock' 'is'] ['NNP' 'VBZ'] ['B-NP' 'B-VP']
        ['train'] ['NN'] ['I-NP']
    """

    files = {"train": "train.txt", "test": "test.txt"}
    column_names = ["word", "pos_tag", "chunk_tag"]


class UDPOSDataset(_Tagged):
    """Sentences of the Universal Dependencies treebank as words with tags: columns "word", "universal" and "stanford", the
    parts of speech in two systems, str of (N,) (J. Nivre and others, "Universal dependencies v1: a multilingual treebank
    collection", 2016).

    Args:
        dataset_dir: the path of the folder that has en-ud-tag.v2.train.txt, en-ud-tag.v2.test.txt and en-ud-tag.v2.dev.txt.
        usage: "train", "test", "valid", or "all", which is the default.
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
        >>> dataset = ds.UDPOSDataset(example_data("udpos"), usage="train", shuffle=False)
        >>> for words, universal, stanford in dataset:
        ...     print(words, universal, stanford)
        ['From' 'the'] ['ADP' 'DET'] ['IN' 'DT']
        ['train'] ['NOUN'] ['NN']
    """

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
    """The lines of files of JSON of a task of CLUE (L. Xu and others, "CLUE: a Chinese language understanding evaluation
    benchmark", 2020). Columns have the names of the fields, sorted: numbers are uint32, all else str. They are "sentence1",
    "sentence2" and "label" of AFQMC and CMNLI, "label", "label_desc", "sentence" and "keywords" of TNEWS, "label",
    "label_des" and "sentence" of IFLYTEK, "idx", "label", "text", "span1_index", "span1_text", "span2_index" and
    "span2_text" of WSC, "id", "abst", "keyword" and "label" of CSL; "test" has no label, and may have "id".

    Args:
        dataset_files: the path of a file, or a pattern as of glob, or a list of them.
        task: "AFQMC", "CMNLI", "CSL", "IFLYTEK", "TNEWS" or "WSC".
        usage: "train", "eval" or "test".
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
        >>> dataset = ds.CLUEDataset(example_data("clue") + "/afqmc.json", task="AFQMC", usage="train", shuffle=False)
        >>> dataset.get_col_names()
        ['label', 'sentence1', 'sentence2']
        >>> next(dataset.create_dict_iterator())["sentence1"]
        array('a', dtype='<U1')
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
