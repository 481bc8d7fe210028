"""Datasets of images with the boxes of what they show: WIDERFace, KITTI, VOC and COCO."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from emberjit.checks import check_bool, check_instance
from emberjit.dataset import checks
from emberjit.dataset.sources.folders import ImagesOfUsage
from emberjit.dataset.sources.listed import (
    Image,
    Listed,
    choice,
    images_in,
    indexing_of,
    json_of,
    lines_of,
    no_decryption,
    numbered,
    xml_of,
)
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row


class WIDERFaceDataset(ImagesOfUsage):
    """Photographs with the boxes of faces, N in an image: columns "image", "bbox", int32 of (N, 4): left, top, width and
    height, and int32 of (N,): "blur", "expression", "illumination", "occlusion", "pose" and "invalid", in the order of the
    files' columns, as in MindSpore (S. Yang and others, "WIDER FACE: a face detection benchmark", 2016).

    Args:
        dataset_dir: the path of the folder that has WIDER_train, WIDER_val, WIDER_test and wider_face_split.
        usage: "train", "valid", "test", whose images come alone, or "all", which is the default: the first two.
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
        >>> dataset = ds.WIDERFaceDataset(example_data("wider_face"), usage="train", decode=True, shuffle=False)
        >>> for row in dataset.create_dict_iterator():
        ...     print(row["image"].shape, row["bbox"])
        (2, 3, 3) [[1 2 3 4]
         [5 6 7 8]]
        (2, 3, 3) [[9 8 7 6]]
    """

    usages = ("train", "test", "valid", "all")

    @classmethod
    def _columns(cls, usage: str) -> list[str]:
        more = ["bbox", "blur", "expression", "illumination", "occlusion", "pose", "invalid"]
        return ["image", *(more if usage != "test" else ())]

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        split = os.path.join(folder, "wider_face_split")
        if usage == "test":
            for name in lines_of(split, "wider_face_test_filelist.txt"):
                yield (Image(os.path.join(folder, "WIDER_test", "images", name)),)
            return
        for part in ("train", "val") if usage == "all" else (usage.removesuffix("id"),):
            lines = iter(lines_of(split, f"wider_face_{part}_bbx_gt.txt"))
            for name in lines:
                faces = np.array([next(lines).split() for _ in range(max(1, int(next(lines))))], np.int32)
                image = Image(os.path.join(folder, f"WIDER_{part}", "images", name))
                yield (image, faces[:, :4], *faces[:, 4:].T)


class KITTIDataset(ImagesOfUsage):
    """Photographs of streets with the boxes of N objects: columns "image", "label", uint32 of (N, 1), the number of the kind
    among all, by name, "truncated", float32, "occluded", uint32, and "alpha", float32, all of (N, 1), "bbox", float32 of (N,
    4): left, top, right and bottom, "dimensions" and "location", of (N, 3), and "rotation_y", of (N, 1) (A. Geiger, P. Lenz
    and R. Urtasun, "Are we ready for autonomous driving? The KITTI vision benchmark suite", 2012).

    Args:
        dataset_dir: the path of the folder that has data_object_image_2 and data_object_label_2.
        usage: "train", which is the default, or "test", whose images come alone.
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
        >>> dataset = ds.KITTIDataset(example_data("kitti"), usage="train", decode=True, shuffle=False)
        >>> for row in dataset.take(1).create_dict_iterator():
        ...     print(row["image"].shape, row["label"].shape, row["bbox"])
        (2, 3, 3) (2, 1) [[1.5 2.5 3.5 4.5]
         [1.5 2.5 3.5 4.5]]
    """

    usages = ("train", "test")
    by_default = "train"

    @classmethod
    def _columns(cls, usage: str) -> list[str]:
        more = ["label", "truncated", "occluded", "alpha", "bbox", "dimensions", "location", "rotation_y"]
        return ["image", *(more if usage != "test" else ())]

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        images = images_in(folder, "data_object_image_2", f"{usage}ing", "image_2")
        if usage == "test":
            yield from ((image,) for image in images)
            return
        names = [os.path.splitext(os.path.basename(image))[0] for image in images]
        root = os.path.join(folder, "data_object_label_2", "training", "label_2")
        scenes = [[line.split() for line in lines_of(root, f"{name}.txt")] for name in names]
        known = numbered(fields[0] for objects in scenes for fields in objects)
        for image, objects in zip(images, scenes):
            labels = np.array([[known[fields[0]]] for fields in objects], np.uint32)
            values = np.array([fields[1:15] for fields in objects], np.float32)
            truncated, occluded, *more = np.split(values, [1, 2, 3, 7, 10, 13], axis=1)
            yield (image, labels, truncated, occluded.astype(np.uint32), *more)


_META = "_meta-filename"  # rename() gives it a name under which it comes


class VOCDataset(MappableDataset):
    """Photographs of PASCAL VOC (M. Everingham and others, "The PASCAL visual object classes (VOC) challenge", 2010). For
    "Segmentation": columns "image" and "target", an image of what is where. For "Detection", of N objects: "image", "bbox",
    float32 of (N, 4): left, top, width and height, "label", "difficult" and "truncate", uint32 of (N, 1).

    Args:
        dataset_dir: the path of the folder that has JPEGImages, ImageSets, and SegmentationClass or Annotations.
        task: "Segmentation" or "Detection".
        usage: the name of the list of images, as "train": of the file in ImageSets/Segmentation or ImageSets/Main, without
            .txt.
        class_indexing: the label of each class that comes, by name, for "Detection"; None: all come, numbered by name.
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
        extra_metadata: whether the images' names are one more column, "_meta-filename", which comes once rename() has given
            it another name.
        decrypt: None: files are read as they are.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or list, class_indexing is given for "Segmentation", an argument is none of its
            choices, or arguments contradict each other.
        RuntimeError: cache or decrypt is given; or files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.VOCDataset(example_data("voc"), task="Detection", decode=True, shuffle=False)
        >>> for image, boxes, labels, difficult, truncated in dataset.take(1):
        ...     print(image.shape, boxes, labels.shape)
        (2, 3, 3) [[1. 2. 2. 2.]
         [5. 6. 4. 5.]] (2, 1)
        >>> dataset.get_class_indexing()
        {'cat': 0, 'dog': 1}
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
    """Photographs of COCO, by their numbers, and what a file of JSON says of N things in each (T.-Y. Lin and others,
    "Microsoft COCO: common objects in context", 2014). Columns after "image" are, for "Detection": "bbox", float32 of (N,
    4): left, top, width and height, "category_id" and "iscrowd", uint32 of (N, 1); for "Stuff": "segmentation", float32 of
    (M, L), an outline a row, padded with -1, and "iscrowd"; for "Keypoint": "keypoints", float32 of (N, L), padded with -1,
    and "num_keypoints", uint32 of (N, 1); for "Panoptic": "bbox", "category_id", "iscrowd" and "area", uint32 of (N, 1); for
    "Captioning": "captions", str of (N, 1).

    Args:
        dataset_dir: the path of the folder of the images.
        annotation_file: the path of the file of JSON.
        task: "Detection", "Stuff", "Keypoint", "Panoptic" or "Captioning".
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
        extra_metadata: whether the images' names are one more column, "_meta-filename", which comes once rename() has given
            it another name.
        decrypt: None: files are read as they are.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder or file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache or decrypt is given; or files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> folder = example_data("coco")
        >>> dataset = ds.CocoDataset(f"{folder}/images", f"{folder}/instances.json", decode=True, shuffle=False)
        >>> for image, boxes, categories, crowds in dataset.take(1):
        ...     print(image.shape, boxes, categories)
        (2, 3, 3) [[1.5 2.  3.  1. ]] [[1]]
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
