"""Datasets of texts and their translations: Multi30k, IWSLT 2016 and 2017."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any

from emberjit.checks import check_choice, check_instance
from emberjit.dataset import checks
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.listed import choice, text_of, xml_of
from emberjit.dataset.sources.records import FileSampler, file_sampler
from emberjit.dataset.sources.text_files import FileDataset
from emberjit.dataset.sources.texts import WholeFiles
from emberjit.dataset.values import Row


class Multi30kDataset(FileDataset):
    """Descriptions of images in English and German: columns "text" and "translation", str (D. Elliott and others, "Multi30K:
    multilingual English-German image descriptions", 2016).

    Args:
        dataset_dir: the path of the folder that has training, validation and mmt16_task1_test.
        usage: "train", "test", "valid", or "all", which is the default.
        language_pair: ["en", "de"], which is the default, or ["de", "en"].
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
        >>> dataset = ds.Multi30kDataset(example_data("multi30k"), usage="train", shuffle=False)
        >>> for sentence, translation in dataset:
        ...     print(sentence, translation)
        en one train. de one train.
        en two. de two.
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
        super().__init__(WholeFiles(where, read, paths, ["text", "translation"], sampler, number))


_TAGS = ("url", "keywords", "speaker", "talkid", "title", "description", "reviewer", "translator", "doc", "/doc")

_BEGINNINGS = tuple(f"<{tag}" for tag in _TAGS)


def _talks(path: str) -> list[str]:
    """The sentences of a file: of XML its segments, else the lines that are none of its tags."""
    if path.endswith(".xml"):
        return [(segment.text or "").strip() for segment in xml_of(path).iter("seg")]
    return [line.strip() for line in text_of(path).splitlines() if not line.lstrip().startswith(_BEGINNINGS)]


def _translated(
    where: str, folder: str, names: list[str], pair: Sequence[str], sampler: FileSampler, number: int | None
) -> WholeFiles:
    """Rows of sentences and their translations.

    Args:
        names: the files, with {} for their language.
    """
    forms = {os.path.join(folder, name.format(pair[0])): os.path.join(folder, name.format(pair[1])) for name in names}
    paths = checks.files(where, "dataset_dir", list(forms))

    def read(path: str) -> Iterator[Row]:
        yield from zip(_talks(path), _talks(forms[path]), strict=True)

    return WholeFiles(where, read, paths, ["text", "translation"], sampler, checks.workers(where, number))


def _pair(where: str, language_pair: Any, pairs: set[tuple[str, str]]) -> Sequence[str]:
    pair = ("de", "en") if language_pair is None else check_instance(where, "language_pair", language_pair, (list, tuple))
    return tuple(check_choice(where, "language_pair", tuple(pair), *sorted(pairs)))


_SETS = ("dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014")


class IWSLT2016Dataset(FileDataset):
    """The sentences of talks, and their translations: columns "text" and "translation", str (M. Cettolo and others, "The
    IWSLT 2016 evaluation campaign", 2016).

    Args:
        dataset_dir: the path of the folder that has texts/de/en/de-en and so on.
        usage: "train", "valid", "test", or "all", which is the default.
        language_pair: the languages: "en" and one of "ar", "cs", "de" and "fr", or the other way round; None: ["de", "en"].
        valid_set: which set "valid" is: "dev2010" or "tst2010" to "tst2014"; None: "tst2013".
        test_set: which set "test" is; None: "tst2014".
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
        >>> dataset = ds.IWSLT2016Dataset(example_data("iwslt2016"), usage="train", shuffle=False)
        >>> for sentence, translation in dataset:
        ...     print(sentence, "-", translation)
        de one - en one
        de two &amp; <b>x</b> - en two &amp; <b>x</b>
        de last - en last
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
    """The sentences of talks, and their translations: columns "text" and "translation", str (M. Cettolo and others,
    "Overview of the IWSLT 2017 evaluation campaign", 2017).

    Args:
        dataset_dir: the path of the folder that has texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo.
        usage: "train", "valid", "test", or "all", which is the default.
        language_pair: two of the languages "de", "en", "it", "nl" and "ro"; None: ["de", "en"].
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
        >>> dataset = ds.IWSLT2017Dataset(example_data("iwslt2017"), usage="valid", shuffle=False)
        >>> for sentence, translation in dataset.take(2):
        ...     print(sentence, "-", translation)
        de & é - en & é
        de dev2010 - en dev2010
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
