"""Datasets of texts in files of a form of their own. They have the arguments of MindSpore's: dataset_dir, the folder; usage,
which part comes; shuffle, a bool or Shuffle; num_samples, num_parallel_workers, num_shards and shard_id as of
TextFileDataset; cache, which is None."""

from __future__ import annotations

import glob
import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from emberjit.checks import check_choice, check_instance
from emberjit.dataset import checks
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.listed import Contents, Listed, choice, json_of, text_of, xml_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.sources.records import FileSampler, Records, file_sampler
from emberjit.dataset.sources.text_files import Csv, FileDataset, Text
from emberjit.dataset.values import Row, to_array


class _Rows(Records):
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


class _OfUsage(FileDataset):
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
        return _Rows(type(self).__name__, self._read, paths, self.column_names, sampler, number)

    @classmethod
    def _read(cls, path: str) -> Iterator[Row]:
        raise NotImplementedError


class _OfLines(_OfUsage):
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


class _OfCsv(_OfUsage):
    """A str of each field."""

    files = {"train": "train.csv", "test": "test.csv"}

    def _reading(self, usage: str, paths: list[str], sampler: FileSampler, number: int | None) -> Records:
        del usage
        return Csv(self.column_names, ",", None, paths, sampler, number)


class AmazonReviewDataset(_OfCsv):
    """Labels, titles and contents, str. usage: "train", "test" or "all"."""

    column_names = ["label", "title", "content"]


class AGNewsDataset(_OfCsv):
    """Classes, titles and descriptions, str. usage: "train", "test" or "all"."""

    column_names = ["index", "title", "description"]


class DBpediaDataset(_OfCsv):
    """Classes, titles and contents, str. usage: "train", "test" or "all"."""

    column_names = ["class", "title", "content"]


class YahooAnswersDataset(_OfCsv):
    """Classes, titles, contents and answers, str. usage: "train", "test" or "all"."""

    column_names = ["class", "title", "content", "answer"]


class SST2Dataset(_OfUsage):
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

        return _Rows("SST2Dataset", read, paths, columns, sampler, number)


class SQuADDataset(_OfUsage):
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


class _Reordered(_OfUsage):
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


class SogouNewsDataset(_Reordered, _OfCsv):
    """Classes, titles and contents, str. usage: "train", "test" or "all"."""

    column_names = ["index", "title", "content"]


class YelpReviewDataset(_Reordered, _OfCsv):
    """Labels and texts, str. usage: "train", "test" or "all"."""

    column_names = ["label", "text"]


class _Tagged(_Reordered):
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


class Multi30kDataset(FileDataset):
    """Texts, and their translations, str.

    Args:
        usage: "train", "test", "valid" or "all".
        language_pair: ["en", "de"] or ["de", "en"].

    Raises:
        as AGNewsDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "Multi30kDataset"
        checks.no_cache(where, cache)
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        files = {"train": "training/train", "test": "mmt16_task1_test/test", "valid": "validation/val"}
        part = choice(where, "usage", usage, (*files, "all"), "all")
        pair = list(
            check_instance(where, "language_pair", ["en", "de"] if language_pair is None else language_pair, (list, tuple))
        )
        first, second = check_choice(where, "language_pair", pair, ["en", "de"], ["de", "en"])
        names = list(files.values()) if part == "all" else [files[part]]
        paths = checks.files(where, "dataset_dir", [os.path.join(folder, f"{name}.{first}") for name in names])

        def read(path: str) -> Iterator[Row]:
            texts = [text_of(f"{path.removesuffix(first)}{language}").splitlines() for language in (first, second)]
            yield from zip(*texts, strict=True)

        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        number = checks.workers(where, num_parallel_workers)
        super().__init__(_Rows(where, read, paths, ["text", "translation"], sampler, number))


_TAGS = ("url", "keywords", "speaker", "talkid", "title", "description", "reviewer", "translator", "doc", "/doc")
_BEGINNINGS = tuple(f"<{tag}" for tag in _TAGS)


def _talks(path: str) -> list[str]:
    """The sentences of a file: of XML its segments, else the lines that are none of its tags."""
    if path.endswith(".xml"):
        return [(segment.text or "").strip() for segment in xml_of(path).iter("seg")]
    return [line.strip() for line in text_of(path).splitlines() if not line.lstrip().startswith(_BEGINNINGS)]


def _translated(
    where: str, folder: str, names: list[str], pair: Sequence[str], sampler: FileSampler, number: int | None
) -> _Rows:
    """Rows of sentences and their translations.

    Args:
        names: the files, with {} for their language.
    """
    forms = {os.path.join(folder, name.format(pair[0])): os.path.join(folder, name.format(pair[1])) for name in names}
    paths = checks.files(where, "dataset_dir", list(forms))

    def read(path: str) -> Iterator[Row]:
        yield from zip(_talks(path), _talks(forms[path]), strict=True)

    return _Rows(where, read, paths, ["text", "translation"], sampler, checks.workers(where, number))


def _pair(where: str, language_pair: Any, pairs: set[tuple[str, str]]) -> Sequence[str]:
    pair = ("de", "en") if language_pair is None else check_instance(where, "language_pair", language_pair, (list, tuple))
    return tuple(check_choice(where, "language_pair", tuple(pair), *sorted(pairs)))


_SETS = ("dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014")


class IWSLT2016Dataset(FileDataset):
    """Sentences of talks, and their translations, str.

    Args:
        usage: "train", "valid", "test" or "all".
        language_pair: the languages, "en" and one of "ar", "cs", "de" and "fr", or the other way round; ["de", "en"] unless
            given.
        valid_set, test_set: which sets are those parts, "dev2010" or "tst2010" to "tst2014"; "tst2013" and "tst2014" unless
            given.

    Raises:
        as AGNewsDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        valid_set: str | None = None,
        test_set: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        where = "IWSLT2016Dataset"
        checks.no_cache(where, cache)
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "valid", "test", "all"), "all")
        others = [("en", language) for language in ("ar", "cs", "de", "fr")]
        pair = _pair(where, language_pair, {*others, *(languages[::-1] for languages in others)})
        sets = {
            "valid": choice(where, "valid_set", valid_set, _SETS, "tst2013"),
            "test": choice(where, "test_set", test_set, _SETS, "tst2014"),
        }
        both = "-".join(pair)
        files = {"train": f"train.tags.{both}.{{}}"}
        files |= {subset: f"IWSLT16.TED.{name}.{both}.{{}}.xml" for subset, name in sets.items()}
        names = list(files.values()) if part == "all" else [files[part]]
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        root = os.path.join(folder, "texts", *pair, both)
        super().__init__(_translated(where, root, names, pair, sampler, num_parallel_workers))


class IWSLT2017Dataset(FileDataset):
    """Sentences of talks, and their translations, str.

    Args:
        usage: "train", "valid", "test" or "all".
        language_pair: two of the languages "de", "en", "it", "nl" and "ro"; ["de", "en"] unless given.

    Raises:
        as AGNewsDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        where = "IWSLT2017Dataset"
        checks.no_cache(where, cache)
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "valid", "test", "all"), "all")
        pair = _pair(where, language_pair, set(itertools.permutations(("de", "en", "it", "nl", "ro"), 2)))
        both = "-".join(pair)
        files = {"train": f"train.tags.{both}.{{}}"}
        files |= {"valid": f"IWSLT17.TED.dev2010.{both}.{{}}.xml", "test": f"IWSLT17.TED.tst2010.{both}.{{}}.xml"}
        names = list(files.values()) if part == "all" else [files[part]]
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        root = os.path.join(folder, "texts", "DeEnItNlRo", "DeEnItNlRo", "DeEnItNlRo-DeEnItNlRo")
        super().__init__(_translated(where, root, names, pair, sampler, num_parallel_workers))


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
        super().__init__(_Rows(where, read, paths, columns, sampler, number))
