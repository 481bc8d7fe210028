"""Datasets of images beside other images: DIV2K, Cityscapes and LFW."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.checks import check_choice
from emberjit.dataset import checks
from emberjit.dataset.sources.listed import Image, Listed, choice, images_in, json_of, lines_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row

_DOWNGRADES = {"bicubic": (2, 3, 4, 8), "unknown": (2, 3, 4), "mild": (4,), "difficult": (4,), "wild": (4,)}


class DIV2KDataset(MappableDataset):
    """Photographs, and the same of a lower resolution: columns "hr_image" and "lr_image" (E. Agustsson and R. Timofte,
    "NTIRE 2017 challenge on single image super-resolution", 2017).

    Args:
        dataset_dir: the path of the folder that has DIV2K_train_HR, DIV2K_train_LR_bicubic and so on.
        usage: "train", "valid" or "all".
        downgrade: how the resolution was lowered: "bicubic", "unknown", "mild", "difficult" or "wild".
        scale: by which factor: 2, 3 or 4, of "bicubic" also 8; of the last three kinds 4.
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
        >>> dataset = ds.DIV2KDataset(example_data("div2k"), usage="train", decode=True, shuffle=False)
        >>> for high, low in dataset:
        ...     print(high.shape, low.shape)
        (2, 3, 3) (2, 3, 3)
        (2, 3, 3) (2, 3, 3)
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str = "train",
        downgrade: str = "bicubic",
        scale: int | None = 2,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "DIV2KDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "valid", "all"), "train")
        how = choice(where, "downgrade", downgrade, _DOWNGRADES, "bicubic")
        check_choice(where, "scale", scale, *_DOWNGRADES[how])

        def find() -> Iterator[Row]:
            for subset in ("train", "valid") if part == "all" else (part,):
                for image in images_in(folder, f"DIV2K_{subset}_HR"):
                    name, ending = os.path.splitext(os.path.basename(image))
                    inside = (f"X{scale}", f"{name}x{scale}") if len(_DOWNGRADES[how]) > 1 else (f"{name}x4{how[0]}",)
                    yield image, Image(os.path.join(folder, f"DIV2K_{subset}_LR_{how}", *inside) + ending)

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["hr_image", "lr_image"], find, decode, num_parallel_workers, cache, *selection))


_TASKS = {"instance": "instanceIds.png", "semantic": "labelIds.png", "color": "color.png", "polygon": "polygons.json"}


class CityscapesDataset(MappableDataset):
    """Photographs of streets, and what is where in them: columns "image" and "task", an image, or of "polygon" the outlines
    as a str of JSON (M. Cordts and others, "The Cityscapes dataset for semantic urban scene understanding", 2016).

    Args:
        dataset_dir: the path of the folder that has leftImg8bit and gtFine or gtCoarse.
        usage: "train", "val", or "all"; of fine quality also "test", of coarse also "train_extra".
        quality_mode: "fine" or "coarse": how exact the outlines are.
        task: "instance", "semantic" or "color", for images of these, or "polygon".
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
        >>> dataset = ds.CityscapesDataset(example_data("cityscapes"), task="polygon", decode=True, shuffle=False)
        >>> for image, outlines in dataset:
        ...     print(image.shape, outlines)
        (2, 3, 3) {"city":"bonn","usage":"train"}
        (2, 3, 3) {"city":"ulm","usage":"train"}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str = "train",
        quality_mode: str = "fine",
        task: str = "instance",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "CityscapesDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        quality = choice(where, "quality_mode", quality_mode, ("fine", "coarse"), "fine")
        parts = ("train", "test", "val") if quality == "fine" else ("train", "train_extra", "val")
        part = choice(where, "usage", usage, (*parts, "all"), "train")
        ending = _TASKS[choice(where, "task", task, _TASKS, "instance")]
        kind = f"gt{quality.capitalize()}"

        def find() -> Iterator[Row]:
            for subset in parts if part == "all" else (part,):
                for image in images_in(folder, "leftImg8bit", subset):
                    city, name = os.path.split(os.path.relpath(image, os.path.join(folder, "leftImg8bit")))
                    path = os.path.join(folder, kind, city, name.replace("leftImg8bit.png", f"{kind}_{ending}"))
                    yield image, _compact(json_of(path)) if ending.endswith("json") else Image(path)

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "task"], find, decode, num_parallel_workers, cache, *selection))


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class LFWDataset(MappableDataset):
    """Photographs of people: for "people" columns "image" and "label", uint32, the number of the person; for "pairs" columns
    "image1", "image2", and "label", uint32, 1 if both are of one person (G. Huang and others, "Labeled faces in the wild: a
    database for studying face recognition in unconstrained environments", 2007).

    Args:
        dataset_dir: the path of the folder that has the folder of the images, lfw-names.txt, and peopleDevTrain.txt,
            pairsDevTrain.txt and so on.
        task: "people", which is the default, or "pairs".
        usage: "10fold", "train", "test", or "all", which is the default: the last two.
        image_set: "original", "funneled", which is the default, or "deepfunneled": how images were aligned.
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
        >>> dataset = ds.LFWDataset(example_data("lfw"), task="pairs", usage="train", decode=True, shuffle=False)
        >>> for first, second, label in dataset:
        ...     print(first.shape, second.shape, label)
        (2, 3, 3) (2, 3, 3) 1
        (2, 3, 3) (2, 3, 3) 0
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str | None = None,
        usage: str | None = None,
        image_set: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "LFWDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        kind = choice(where, "task", task, ("people", "pairs"), "people")
        part = choice(where, "usage", usage, ("10fold", "train", "test", "all"), "all")
        folders = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
        root = os.path.join(folder, folders[choice(where, "image_set", image_set, folders, "funneled")])
        files = {"10fold": [""], "train": ["DevTrain"], "test": ["DevTest"], "all": ["DevTrain", "DevTest"]}[part]

        def image(name: str, number: str) -> Image:
            return Image(os.path.join(root, name, f"{name}_{int(number):04d}.jpg"))

        def find() -> Iterator[Row]:
            lines = [line.split() for file in files for line in lines_of(folder, f"{kind}{file}.txt")]
            if kind == "people":
                known = {line.split()[0]: label for label, line in enumerate(lines_of(folder, "lfw-names.txt"))}
                for name, count in (line for line in lines if len(line) == 2):
                    yield from ((image(name, str(k)), np.uint32(known[name])) for k in range(1, int(count) + 1))
                return
            for line in (line for line in lines if len(line) > 2):
                first, second = (line[0], line[1]), (line[-2] if len(line) == 4 else line[0], line[-1])
                yield image(*first), image(*second), np.uint32(len(line) == 3)

        columns = ["image", "label"] if kind == "people" else ["image1", "image2", "label"]
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, columns, find, decode, num_parallel_workers, cache, *selection))
