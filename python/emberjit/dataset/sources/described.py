"""Datasets of images of which a file says something: attributes, captions, labels."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.dataset import checks
from emberjit.dataset.sources.folders import ImagesOfFolder
from emberjit.dataset.sources.listed import Image, Listed, choice, indexing_of, lines_of, no_decryption, numbered, text_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row


class SBUDataset(ImagesOfFolder):
    """Photographs with captions: columns "image" and "caption", str (V. Ordonez, G. Kulkarni and T. Berg, "Im2Text:
    describing images using 1 million captioned photographs", 2011). Images that were not downloaded are left out.

    Args:
        dataset_dir: the path of the folder that has SBU_captioned_photo_dataset_urls.txt,
            SBU_captioned_photo_dataset_captions.txt and sbu_images.
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
        >>> dataset = ds.SBUDataset(example_data("sbu"), decode=True, shuffle=False)
        >>> for image, caption in dataset:
        ...     print(image.shape, caption)
        (2, 3, 3) one
        (2, 3, 3) zero
        (2, 3, 3) two
    """

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


class CelebADataset(MappableDataset):
    """Photographs of faces, and which attributes they have: columns "image" and "attr", uint32 of (40,), of 0 and 1 (Z. Liu
    and others, "Deep learning face attributes in the wild", 2015).

    Args:
        dataset_dir: the path of the folder that has the images, list_attr_celeba.txt and, for parts,
            list_eval_partition.txt.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        usage: "train", "valid", "test", or "all", which is the default.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
        extensions: what the files' names end with, as ".jpg"; None: any.
        num_samples: how many rows come at most; None: all.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.
        decrypt: None: files are read as they are.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.CelebADataset(example_data("celeba"), decode=True, shuffle=False)
        >>> for image, attributes in dataset:
        ...     print(image.shape, attributes)
        (2, 3, 3) [0 1 0]
        (2, 3, 3) [1 0 0]
        (2, 3, 3) [1 1 1]
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


class FlickrDataset(MappableDataset):
    """Photographs with five captions each, of Flickr8k or Flickr30k: columns "image" and "annotation", str of (5,) (M.
    Hodosh, P. Young and J. Hockenmaier, "Framing image description as a ranking task", 2013).

    Args:
        dataset_dir: the path of the folder of the images.
        annotation_file: the path of the file of lines "NAME.jpg#NUMBER", a tab, and a caption.
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
        >>> folder = example_data("flickr")
        >>> dataset = ds.FlickrDataset(f"{folder}/Images", f"{folder}/tokens.txt", decode=True, shuffle=False)
        >>> for image, captions in dataset:
        ...     print(image.shape, captions[:2])
        (2, 3, 3) ['A 0 of 0 .' 'A 1 of 0 .']
        (2, 3, 3) ['A 0 of 1 .' 'A 1 of 1 .']
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


class ManifestDataset(MappableDataset):
    """Images that the lines of a manifest name, and their labels: columns "image" and "label", int32, of (N,) where there
    are several. A line is an object of JSON: {"source": PATH, "usage": "train", "annotation": [{"name": CLASS}]}.

    Args:
        dataset_file: the path of the manifest.
        usage: "train", which is the default, "eval" or "inference": the lines of that usage come.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        class_indexing: the label of each class that comes, by name; None: all come, numbered by name.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.ManifestDataset(example_data("manifest") + "/list", decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 1
        (2, 3, 3) 0
        >>> dataset.get_class_indexing()
        {'ant': 0, 'cat': 1}
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
