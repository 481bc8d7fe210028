"""Datasets of images in folders that are their classes, or that lists name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.checks import check_bool
from emberjit.dataset import checks
from emberjit.dataset.sources.listed import Image, Listed, choice, folders_in, images_in, lines_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row


class OfFolder(MappableDataset):
    """Images of a folder.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, or arguments contradict each other.
        RuntimeError: files in it are not of the dataset's form, when rows are asked for.
    """

    column_names = ["image", "label"]

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = type(self).__name__
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        find = lambda: self._samples(folder)
        super().__init__(Listed(where, self.column_names, find, decode, num_parallel_workers, cache, *selection))

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        raise NotImplementedError


class OfUsage(MappableDataset):
    """Images of a folder's parts.

    Raises:
        as Caltech256Dataset.
    """

    usages: tuple[str, ...] = ("train", "test", "all")
    by_default = "all"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = type(self).__name__
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, self.usages, self.by_default)
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        find = lambda: self._samples(folder, part)
        super().__init__(Listed(where, self._columns(part), find, decode, num_parallel_workers, cache, *selection))

    @classmethod
    def _columns(cls, usage: str) -> list[str]:
        del usage
        return ["image", "label"]

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        raise NotImplementedError


class Caltech256Dataset(OfFolder):
    """Images, and the numbers of their folders, int32."""

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        for label, name in enumerate(folders_in(folder)):
            yield from ((image, np.int32(label)) for image in images_in(folder, name))


class SUN397Dataset(OfFolder):
    """Images, and their classes' lines in ClassName.txt, uint32."""

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        for label, name in enumerate(lines_of(folder, "ClassName.txt")):
            yield from ((image, np.uint32(label)) for image in images_in(folder, name.lstrip("/")))


class RenderedSST2Dataset(OfUsage):
    """Images of sentences, and whether they are positive, uint32. usage: "train", "val", "test" or "all"."""

    usages = ("train", "test", "val", "all")

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        for part in ("train", "test", "val") if usage == "all" else (usage,):
            at = os.path.join(folder, "valid" if part == "val" else part)
            for label, name in enumerate(folders_in(at)):
                yield from ((image, np.uint32(label)) for image in images_in(at, name))


class Food101Dataset(OfUsage):
    """Images, and the names of their classes, str. usage: "train", "test" or "all"."""

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        for part in ("train", "test") if usage == "all" else (usage,):
            for name in lines_of(folder, "meta", f"{part}.txt"):
                yield Image(os.path.join(folder, "images", f"{name}.jpg")), name.split("/")[0]


class OmniglotDataset(MappableDataset):
    """Images of letters, and the letters' numbers, int32.

    Args:
        background: whether letters of the background set come, or else of the evaluation set.

    Raises:
        as Caltech256Dataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        background: bool | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "OmniglotDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        kind = "background" if background is None or check_bool(where, "background", background) else "evaluation"

        def find() -> Iterator[Row]:
            root = os.path.join(folder, f"images_{kind}")
            alphabets = [os.path.join(root, name) for name in folders_in(root)]
            letters = (os.path.join(alphabet, name) for alphabet in alphabets for name in folders_in(alphabet))
            for label, letter in enumerate(letters):
                yield from ((image, np.int32(label)) for image in images_in(letter))

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "label"], find, decode, num_parallel_workers, cache, *selection))


class LSUNDataset(MappableDataset):
    """Images, and the numbers of their folders, uint32.

    Args:
        usage: "train", "test", "valid" or "all", without "test".
        classes: the class, or classes, that come; all unless given.

    Raises:
        as Caltech256Dataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        classes: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "LSUNDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "test", "valid", "all"), "all")
        names = None if classes is None else checks.names(where, "classes", classes)

        def find() -> Iterator[Row]:
            endings = {"train": ("_train",), "valid": ("_val",), "all": ("_train", "_val")}.get(part, ())
            folders = [entry for entry in folders_in(folder) if entry.endswith(endings)] if endings else ["test"]
            if names is not None and endings:
                folders = [name + ending for name in names for ending in endings]
            for label, name in enumerate(folders):
                yield from ((image, np.uint32(label)) for image in images_in(folder, name))

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "label"], find, decode, num_parallel_workers, cache, *selection))


class Places365Dataset(MappableDataset):
    """Images, and their classes, uint32.

    Args:
        usage: "train-standard", "train-challenge" or "val".
        small: whether images of 256 by 256 come, or else large ones.

    Raises:
        as Caltech256Dataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        small: bool = True,
        decode: bool = False,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "Places365Dataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train-standard", "train-challenge", "val"), "train-standard")
        size = "256" if check_bool(where, "small", small) else "large"

        def find() -> Iterator[Row]:
            root = os.path.join(folder, f"val_{size}" if part == "val" else f"data_{size}_{part.removeprefix('train-')}")
            for line in lines_of(folder, f"places365_{part.replace('-', '_')}.txt"):
                name, label = line.rsplit(None, 1)
                yield Image(os.path.join(root, name.lstrip("/"))), np.uint32(label)

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "label"], find, decode, num_parallel_workers, cache, *selection))
