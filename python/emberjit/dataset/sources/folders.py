"""Datasets of folders of images: by class, or with files that say something of each. They have the arguments of MindSpore's:
dataset_dir, the folder; usage, which part comes; decode, whether pixels come, not bytes; num_samples, num_parallel_workers,
shuffle, sampler, num_shards and shard_id as of GeneratorDataset; cache, which is None."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset import checks
from emberjit.dataset.sources.listed import Image, Listed, choice, folders_in, images_in, lines_of, text_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row


class _OfFolder(MappableDataset):
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


class _OfUsage(MappableDataset):
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


class Caltech256Dataset(_OfFolder):
    """Images, and the numbers of their folders, int32."""

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        for label, name in enumerate(folders_in(folder)):
            yield from ((image, np.int32(label)) for image in images_in(folder, name))


class SUN397Dataset(_OfFolder):
    """Images, and their classes' lines in ClassName.txt, uint32."""

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        for label, name in enumerate(lines_of(folder, "ClassName.txt")):
            yield from ((image, np.uint32(label)) for image in images_in(folder, name.lstrip("/")))


class SBUDataset(_OfFolder):
    """Images, and captions, str."""

    column_names = ["image", "caption"]

    @classmethod
    def _samples(cls, folder: str) -> Iterator[Row]:
        addresses, captions = (
            text_of(folder, f"SBU_captioned_photo_dataset_{what}.txt").splitlines() for what in ("urls", "captions")
        )
        if len(addresses) != len(captions):
            raise ValueError(f"there are {len(captions)} captions of {len(addresses)} addresses")
        for address, caption in zip(addresses, captions):
            path = os.path.join(folder, "sbu_images", address.strip()[len("http://static.flickr.co") :].replace("/", "_"))
            if os.path.isfile(path):
                yield Image(path), caption.strip()


class RenderedSST2Dataset(_OfUsage):
    """Images of sentences, and whether they are positive, uint32. usage: "train", "val", "test" or "all"."""

    usages = ("train", "test", "val", "all")

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        for part in ("train", "test", "val") if usage == "all" else (usage,):
            at = os.path.join(folder, "valid" if part == "val" else part)
            for label, name in enumerate(folders_in(at)):
                yield from ((image, np.uint32(label)) for image in images_in(at, name))


class Food101Dataset(_OfUsage):
    """Images, and the names of their classes, str. usage: "train", "test" or "all"."""

    @classmethod
    def _samples(cls, folder: str, usage: str) -> Iterator[Row]:
        for part in ("train", "test") if usage == "all" else (usage,):
            for name in lines_of(folder, "meta", f"{part}.txt"):
                yield Image(os.path.join(folder, "images", f"{name}.jpg")), name.split("/")[0]


class WIDERFaceDataset(_OfUsage):
    """Images, boxes of faces, of shape (N, 4), and attributes of these, of shape (N,), int32, in the order of the files, as
    in MindSpore. usage: "train", "valid", "test", whose images come alone, or "all", without "test"."""

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


class KITTIDataset(_OfUsage):
    """Images, labels of objects, uint32, by the names of all kinds, and other attributes of these, of shape (N, 1) and more.
    usage: "train", or "test", whose images come alone."""

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


class CelebADataset(MappableDataset):
    """Images, and which attributes they have, uint32 of 0 and 1.

    Args:
        usage: "train", "valid", "test" or "all".
        extensions: what files' names end with; all files unless given.

    Raises:
        as Caltech256Dataset.
        RuntimeError: decrypt is given.
    """

    def __init__(
        self,
        dataset_dir: str,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        usage: str = "all",
        sampler: Any = None,
        decode: bool = False,
        extensions: list[str] | None = None,
        num_samples: int | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ):
        where = "CelebADataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "valid", "test", "all"), "all")
        endings = None if extensions is None else tuple(checks.names(where, "extensions", extensions))
        no_decryption(where, decrypt)

        def find() -> Iterator[Row]:
            parts = {} if part == "all" else dict(line.split()[:2] for line in lines_of(folder, "list_eval_partition.txt"))
            for line in lines_of(folder, "list_attr_celeba.txt")[2:]:
                name, *values = line.split()
                in_part = part == "all" or parts.get(name) == {"train": "0", "valid": "1", "test": "2"}[part]
                if in_part and (endings is None or name.endswith(endings)):
                    yield Image(os.path.join(folder, name)), (np.array(values, np.int32) > 0).astype(np.uint32)

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "attr"], find, decode, num_parallel_workers, cache, *selection))


def no_decryption(where: str, decrypt: Any) -> None:
    """That files are read as they are."""
    if decrypt is not None:
        raise RuntimeError(f"For '{where}', 'decrypt' must be None: files are read as they are, but got {decrypt!r}.")


class FlickrDataset(MappableDataset):
    """Images, and what was said of them, str of shape (5,).

    Args:
        annotation_file: the file that says it.

    Raises:
        as Caltech256Dataset.
    """

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "FlickrDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        path = checks.file(where, "annotation_file", annotation_file)

        def find() -> Iterator[Row]:
            captions: dict[str, list[str]] = {}
            for line in lines_of(path):
                name, words = line.split("\t", 1)
                captions.setdefault(name.rsplit("#", 1)[0], []).append(words)
            for name, texts in captions.items():
                if name.lower().endswith((".jpg", ".jpeg", ".png", ".gif", ".bmp")):
                    yield Image(os.path.join(folder, name)), texts

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "annotation"], find, decode, num_parallel_workers, cache, *selection))


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


class ManifestDataset(MappableDataset):
    """The images that lines of JSON name, and their labels, int32.

    Args:
        dataset_file: the file of them.
        usage: "train", "eval" or "inference".
        class_indexing: labels of the classes that come; all, by name, unless given.

    Raises:
        as Caltech256Dataset.
    """

    def __init__(
        self,
        dataset_file: str,
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "ManifestDataset"
        path = checks.file(where, "dataset_file", dataset_file)
        part = choice(where, "usage", usage, ("train", "eval", "inference"), "train")
        mapping = indexing_of(where, class_indexing)

        def entries() -> list[tuple[str, list[str]]]:
            records = [json.loads(line) for line in lines_of(path)]
            selected = [record for record in records if str(record["usage"]).lower() == part]
            return [(record["source"], [label["name"] for label in record.get("annotation", ())]) for record in selected]

        def indexing() -> dict[str, Any]:
            return mapping if mapping is not None else numbered(name for _, names in entries() for name in names)

        def find() -> Iterator[Row]:
            known = indexing()
            for source, names in entries():
                labels = np.array([known[name] for name in names if name in known], np.int32)
                if len(labels) or not names:
                    yield Image(source), labels[0] if len(labels) == 1 else labels

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        columns = ["image", "label"]
        super().__init__(Listed(where, columns, find, decode, num_parallel_workers, cache, *selection, indexing=indexing))


def indexing_of(where: str, class_indexing: Any) -> dict[str, int] | None:
    """Labels of classes by name, if given."""
    if class_indexing is not None:
        for name, label in check_instance(where, "class_indexing", class_indexing, dict).items():
            check_instance(where, "class_indexing", name, str)
            check_int32(where, "class_indexing", label)
    return class_indexing  # type: ignore[no-any-return]


def numbered(names: Iterable[str]) -> dict[str, int]:
    """Labels of classes by name, in the order of names."""
    return {name: label for label, name in enumerate(sorted(set(names)))}
