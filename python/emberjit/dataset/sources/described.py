"""Datasets of images of which a file says something: attributes, captions, labels."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.dataset import checks
from emberjit.dataset.sources.folders import OfFolder
from emberjit.dataset.sources.listed import Image, Listed, choice, indexing_of, lines_of, no_decryption, numbered, text_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row


class SBUDataset(OfFolder):
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
