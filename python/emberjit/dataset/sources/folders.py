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


class ImagesOfFolder(MappableDataset):
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


class ImagesOfUsage(MappableDataset):
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


class Caltech256Dataset(ImagesOfFolder):
    """Photographs of 257 classes, in a folder each: columns "image" and "label", int32, the number of the folder (G.
    Griffin, A. Holub and P. Perona, "Caltech-256 object category dataset", 2007).

    Args:
        dataset_dir: the path of the folder that has 001.ak47 and so on.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.Caltech256Dataset(example_data("caltech256"), decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 0
        (2, 3, 3) 0
        (2, 3, 3) 1
        (2, 3, 3) 1
    """

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        for label, name in enumerate(folders_in(folder)):
            yield from ((image, np.int32(label)) for image in images_in(folder, name))


class SUN397Dataset(ImagesOfFolder):
    """Photographs of 397 kinds of scenes: columns "image" and "label", uint32, the line of the class in ClassName.txt (J.
    Xiao and others, "SUN database: large-scale scene recognition from abbey to zoo", 2010).

    Args:
        dataset_dir: the path of the folder that has ClassName.txt, whose lines are the paths of the classes' folders in it.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.SUN397Dataset(example_data("sun397"), decode=True, shuffle=False)
        >>> [int(label) for image, label in dataset]
        [0, 0, 1, 1, 2, 2]
    """

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        for label, name in enumerate(lines_of(folder, "ClassName.txt")):
            yield from ((image, np.uint32(label)) for image in images_in(folder, name.lstrip("/")))


class RenderedSST2Dataset(ImagesOfUsage):
    """Images of sentences of reviews: columns "image" and "label", uint32, 0 of negative and 1 of positive ones (A. Radford
    and others, "Learning transferable visual models from natural language supervision", 2021).

    Args:
        dataset_dir: the path of the folder that has train, valid and test, each with negative and positive.
        usage: "train", "val", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.RenderedSST2Dataset(example_data("rendered_sst2"), usage="val", decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 0
        (2, 3, 3) 1
    """

    usages = ("train", "test", "val", "all")

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        for part in ("train", "test", "val") if usage == "all" else (usage,):
            at = os.path.join(folder, "valid" if part == "val" else part)
            for label, name in enumerate(folders_in(at)):
                yield from ((image, np.uint32(label)) for image in images_in(at, name))


class Food101Dataset(ImagesOfUsage):
    """Photographs of 101 kinds of food: columns "image" and "label", the name of the class, str (L. Bossard, M. Guillaumin
    and L. Van Gool, "Food-101: mining discriminative components with random forests", 2014).

    Args:
        dataset_dir: the path of the folder that has images, with a folder for each class, and meta, with train.txt and
            test.txt.
        usage: "train", "test", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.Food101Dataset(example_data("food101"), usage="train", decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) apple
        (2, 3, 3) apple
        (2, 3, 3) pie
    """

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        for part in ("train", "test") if usage == "all" else (usage,):
            for name in lines_of(folder, "meta", f"{part}.txt"):
                yield Image(os.path.join(folder, "images", f"{name}.jpg")), name.split("/")[0]


class OmniglotDataset(MappableDataset):
    """Handwritten characters of 50 alphabets: columns "image" and "label", int32, the number of the character (B. Lake, R.
    Salakhutdinov and J. Tenenbaum, "Human-level concept learning through probabilistic program induction", 2015).

    Args:
        dataset_dir: the path of the folder that has images_background and images_evaluation, with a folder for each
            alphabet, and in these one for each character.
        background: whether the alphabets of images_background come, as by default, or those of images_evaluation.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.OmniglotDataset(example_data("omniglot"), background=True, decode=True, shuffle=False)
        >>> [int(label) for image, label in dataset]
        [0, 1, 2, 3]
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
    """Photographs of kinds of scenes, in a folder for each kind and part: columns "image" and "label", uint32, the number of
    the folder (F. Yu and others, "LSUN: construction of a large-scale image dataset using deep learning with humans in the
    loop", 2015).

    Args:
        dataset_dir: the path of the folder that has bedroom_train, bedroom_val and so on, and test.
        usage: "train", "valid", "test", or "all", which is the default: the first two.
        classes: the name of the class that comes, or a list of them; None: all.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.LSUNDataset(example_data("lsun"), usage="train", classes=["classroom"], decode=True)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 0
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
    """Photographs of 365 kinds of places: columns "image" and "label", uint32 (B. Zhou and others, "Places: a 10 million
    image database for scene recognition", 2017).

    Args:
        dataset_dir: the path of the folder that has places365_train_standard.txt, places365_train_challenge.txt,
            places365_val.txt, and the folders of images.
        usage: "train-standard", which is the default, "train-challenge" or "val".
        small: whether images of 256 by 256 come, of data_256_standard, data_256_challenge or val_256; else large ones, of
            the folders with "large" in place of "256".
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
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
        >>> dataset = ds.Places365Dataset(example_data("places365"), usage="val", decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 3
        (2, 3, 3) 1
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
