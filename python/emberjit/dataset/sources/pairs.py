"""Datasets of images beside other images or boxes: DIV2K, Cityscapes, LFW, VOC and COCO. Other arguments are as in
`folders`."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from emberjit.checks import check_bool, check_choice, check_instance
from emberjit.dataset import checks
from emberjit.dataset.sources.folders import indexing_of, no_decryption, numbered
from emberjit.dataset.sources.listed import Image, Listed, choice, images_in, json_of, lines_of, xml_of
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


_META = "_meta-filename"  # rename() gives it a name under which it comes


class VOCDataset(MappableDataset):
    """Images, and the boxes of their objects, float32 of (N, 4): left, top, width, height; with labels, and whether they are
    difficult and truncated, uint32 of (N, 1). Or images, and images of what is where.

    Args:
        task: "Segmentation", or "Detection" for boxes.
        usage: the name of the list of images.
        class_indexing: labels of the classes that come; all, by name, unless given; of "Detection" only.
        extra_metadata: whether images' names are a last column, "_meta-filename", which comes once it has another name.

    Raises:
        as Caltech256Dataset.
        RuntimeError: decrypt is given.
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Segmentation",
        usage: str = "train",
        class_indexing: dict[str, int] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        extra_metadata: bool = False,
        decrypt: Any = None,
    ):
        where = "VOCDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        kind = choice(where, "task", task, ("Segmentation", "Detection"), "Segmentation")
        part, mapping = check_instance(where, "usage", usage, str), indexing_of(where, class_indexing)
        if mapping is not None and kind == "Segmentation":
            raise ValueError(f"For '{where}', 'class_indexing' must be given for the task 'Detection' only.")
        no_decryption(where, decrypt)
        meta = check_bool(where, "extra_metadata", extra_metadata)
        root = os.path.join(folder, "ImageSets", "Main" if kind == "Detection" else kind)
        names = checks.file(where, "usage", os.path.join(root, f"{part}.txt"))

        @functools.cache
        def objects() -> dict[str, list[Any]]:
            paths = {name: os.path.join(folder, "Annotations", f"{name}.xml") for name in lines_of(names)}
            return {name: xml_of(path).findall("object") for name, path in paths.items()}

        def indexing() -> dict[str, Any]:
            if mapping is not None:
                return mapping
            return numbered(_child_text(element, "name") for elements in objects().values() for element in elements)

        def find() -> Iterator[Row]:
            for name in lines_of(names):
                row: Row = (Image(os.path.join(folder, "JPEGImages", f"{name}.jpg")),)
                if kind == "Segmentation":
                    row += (Image(os.path.join(folder, "SegmentationClass", f"{name}.png")),)
                else:
                    known = [element for element in objects()[name] if _child_text(element, "name") in indexing()]
                    if not known:
                        continue
                    labels = [[indexing()[_child_text(element, "name")]] for element in known]
                    flags = ([[int(_child_text(e, flag, "0"))] for e in known] for flag in ("difficult", "truncated"))
                    boxes = np.array([_box(element) for element in known], np.float32)
                    row += (boxes, *(np.array(values, np.uint32) for values in (labels, *flags)))
                yield (*row, name) if meta else row

        columns = ["image", "target"] if kind == "Segmentation" else ["image", "bbox", "label", "difficult", "truncate"]
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(
            Listed(
                where,
                [*columns, *([_META] if meta else ())],
                find,
                decode,
                num_parallel_workers,
                cache,
                *selection,
                indexing=None if kind == "Segmentation" else indexing,
            )
        )


def _child_text(element: ElementTree.Element, name: str, default: str | None = None) -> str:
    text = element.findtext(name, default)
    if text is None:
        raise ValueError(f"an object has no '{name}'")
    return str(text).strip()


def _box(element: ElementTree.Element) -> list[float]:
    """Left, top, width and height of an object's."""
    left, top, right, bottom = (float(_child_text(element, f"bndbox/{name}")) for name in ("xmin", "ymin", "xmax", "ymax"))
    if right <= left or bottom <= top:
        raise ValueError(f"a box is of no size: {left} to {right}, {top} to {bottom}")
    return [left, top, right - left, bottom - top]


_COLUMNS = {
    "Detection": ["bbox", "category_id", "iscrowd"],
    "Stuff": ["segmentation", "iscrowd"],
    "Keypoint": ["keypoints", "num_keypoints"],
    "Panoptic": ["bbox", "category_id", "iscrowd", "area"],
    "Captioning": ["captions"],
}


class CocoDataset(MappableDataset):
    """Images that a file of JSON says something of, and what it says, of shape (N, ...): boxes, float32 of left, top, width
    and height, numbers of categories, whether they are crowds, uint32; outlines, or points, padded with -1; or captions,
    str.

    Args:
        annotation_file: the file.
        task: "Detection", "Stuff", "Keypoint", "Panoptic" or "Captioning".
        extra_metadata: as of VOCDataset.

    Raises:
        as VOCDataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        task: str = "Detection",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        extra_metadata: bool = False,
        decrypt: Any = None,
    ):
        where = "CocoDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        path = checks.file(where, "annotation_file", annotation_file)
        kind = choice(where, "task", task, _COLUMNS, "Detection")
        no_decryption(where, decrypt)
        meta = check_bool(where, "extra_metadata", extra_metadata)

        @functools.cache
        def document() -> Any:
            return json_of(path)

        def indexing() -> dict[str, Any]:
            more = ("isthing",) if kind == "Panoptic" else ()
            categories = document()["categories"]
            return {category["name"]: [category["id"], *(category[key] for key in more)] for category in categories}

        def find() -> Iterator[Row]:
            names = {image["id"]: image["file_name"] for image in document()["images"]}
            groups: dict[Any, list[Any]] = {}
            for annotation in document()["annotations"]:
                segments = annotation["segments_info"] if kind == "Panoptic" else [annotation]
                groups.setdefault(annotation["image_id"], []).extend(segments)
            for number, group in sorted(groups.items()):
                row = Image(os.path.join(folder, names[number])), *(_column(name, group) for name in _COLUMNS[kind])
                yield (*row, os.path.splitext(names[number])[0]) if meta else row

        columns = ["image", *_COLUMNS[kind], *([_META] if meta else ())]
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        more = {"indexing": None if kind == "Captioning" else indexing}
        super().__init__(Listed(where, columns, find, decode, num_parallel_workers, cache, *selection, **more))


def _column(name: str, group: list[Any]) -> Any:
    """What annotations of an image say under a name."""
    if name == "captions":
        return np.array([[annotation["caption"]] for annotation in group])
    values = [annotation.get(name, 0) if name == "iscrowd" else annotation[name] for annotation in group]
    if name in ("segmentation", "keypoints"):
        parts = [part for value in values for part in _outlines(value)]
        return np.array([[*part, *[-1] * (max(map(len, parts)) - len(part))] for part in parts], np.float32)
    return np.array(values, np.float32) if name == "bbox" else np.array([[value] for value in values], np.uint32)


def _outlines(value: Any) -> list[Any]:
    """The rows of an annotation's outlines: of a crowd what counts its pixels."""
    if isinstance(value, dict):
        return [value["counts"]]
    return value if value and isinstance(value[0], list) else [value]
