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
    """Images, and the same of less resolution.

    Args:
        usage: "train", "valid" or "all".
        downgrade: how it is less: "bicubic", "unknown", "mild", "difficult" or "wild".
        scale: by how much: 2, 3, 4 or 8; 4 of the last three.

    Raises:
        as Caltech256Dataset.
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
    """Images, and what is where in them: images, or of polygons JSON.

    Args:
        usage: "train", "val", "all", and of fine quality "test", of coarse "train_extra".
        quality_mode: "fine" or "coarse".
        task: "instance", "semantic", "color" or "polygon".

    Raises:
        as Caltech256Dataset.
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
    """Images of people with the people's numbers, uint32; or pairs of images, and whether they are of one, uint32.

    Args:
        task: "people" or "pairs".
        usage: "10fold", "train", "test" or "all", the last two.
        image_set: "original", "funneled" or "deepfunneled".

    Raises:
        as Caltech256Dataset.
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
