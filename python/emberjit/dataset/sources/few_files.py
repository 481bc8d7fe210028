"""Datasets of images in a few files: EMNIST, QMNIST, STL-10, Semeion, PhotoTour and USPS."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance
from emberjit.dataset import checks
from emberjit.dataset.sources.images import OfUsage, idx, in_memory, no_data
from emberjit.dataset.sources.listed import choice, lines_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.sources.records import FileSampler, Records, lines
from emberjit.dataset.sources.texts import FilesOfUsage
from emberjit.dataset.values import Row


def _both(where: str, folder: str, images: str, labels: str) -> tuple[Any, Any]:
    """The arrays of two files, of one length."""
    arrays = [idx(where, os.path.join(folder, name)) for name in (images, labels)]
    if len(arrays[0]) != len(arrays[1]):
        raise RuntimeError(f"For '{where}', '{images}' and '{labels}' in '{folder}' are not of as many images.")
    return arrays[0][..., None], arrays[1]


class EMnistDataset(MappableDataset):
    """Handwritten digits and letters in MNIST's format: columns "image", uint8 of (28, 28, 1), and "label", uint32 (G. Cohen
    and others, "EMNIST: an extension of MNIST to handwritten letters", 2017).

    Args:
        dataset_dir: the path of the folder that has emnist-NAME-train-images-idx3-ubyte and so on.
        name: which of the collections: "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
        usage: "train", "test" or "all", which is the default.
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
        >>> dataset = ds.EMnistDataset(example_data("emnist"), "digits", usage="train", shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (28, 28, 1) 3
        (28, 28, 1) 5
    """

    def __init__(
        self,
        dataset_dir: str,
        name: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "EMnistDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        names = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")
        split = choice(where, "name", check_instance(where, "name", name, str), names, "")
        part = choice(where, "usage", usage, ("train", "test", "all"), "all")

        def read() -> list[Any]:
            pairs = []
            for subset in ("train", "test") if part == "all" else (part,):
                start = f"emnist-{split}-{subset}"
                pairs.append(_both(where, folder, f"{start}-images-idx3-ubyte", f"{start}-labels-idx1-ubyte"))
            images, labels = zip(*pairs)
            return [np.concatenate(images), np.concatenate(labels).astype(np.uint32)]

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(in_memory(where, ["image", "label"], read, num_parallel_workers, cache, *selection))


class QMnistDataset(MappableDataset):
    """MNIST's digits with 50,000 more for tests, and all that is known of each: columns "image", uint8 of (28, 28, 1), and
    "label", uint32 (C. Yadav and L. Bottou, "Cold case: the lost MNIST digits", 2019).

    Args:
        dataset_dir: the path of the folder that has qmnist-train-images-idx3-ubyte, qmnist-train-labels-idx2-int and so on.
        usage: "train", "test", "test10k", its first 10,000 images, "test50k", the others, "nist", or "all", which is the
            default: train, test and nist.
        compat: whether labels are the digits; else they are eight numbers, of (8,): the digit, the writer, and more.
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
        >>> dataset = ds.QMnistDataset(example_data("qmnist"), usage="train", compat=False, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (28, 28, 1) [12 13 14 15 16 17 18 19]
        (28, 28, 1) [20 21 22 23 24 25 26 27]
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        compat: bool = True,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "QMnistDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        parts = {name: (f"qmnist-{name[:5].rstrip('1')}", slice(None)) for name in ("train", "test")}
        parts |= {"test10k": ("qmnist-test", slice(10000)), "test50k": ("qmnist-test", slice(10000, None))}
        parts |= {"nist": ("xnist", slice(None))}
        part = choice(where, "usage", usage, (*parts, "all"), "all")
        classes = check_bool(where, "compat", compat)

        def read() -> list[Any]:
            pairs = []
            for name, rows in (parts[subset] for subset in (("train", "test", "nist") if part == "all" else (part,))):
                both = _both(where, folder, f"{name}-images-idx3-ubyte", f"{name}-labels-idx2-int")
                pairs.append([array[rows] for array in both])
            images, labels = zip(*pairs)
            targets = np.concatenate(labels).astype(np.uint32)
            return [np.concatenate(images), targets[:, 0] if classes else targets]

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(in_memory(where, ["image", "label"], read, num_parallel_workers, cache, *selection))


class STL10Dataset(OfUsage):
    """Photographs of ten classes: columns "image", uint8 of (96, 96, 3), and "label", int32, -1 where there is none (A.
    Coates, H. Lee and A. Ng, "An analysis of single-layer networks in unsupervised feature learning", 2011).

    Args:
        dataset_dir: the path of the folder that has train_X.bin, train_y.bin, test_X.bin, test_y.bin and unlabeled_X.bin.
        usage: "train", "test", "unlabeled", "train+unlabeled", or "all", which is the default.
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
        >>> dataset = ds.STL10Dataset(example_data("stl10"), usage="train", shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (96, 96, 3) 0
        (96, 96, 3) 9
    """

    @classmethod
    def _usage(cls, where: str, usage: Any) -> str:
        return choice(where, "usage", usage, ("train", "test", "unlabeled", "train+unlabeled", "all"), "all")

    @classmethod
    def _read(cls, where: str, folder: str, part: str) -> list[Any]:
        del where
        images, labels = [], []
        for subset in ("train", "test", "unlabeled") if part == "all" else part.split("+"):
            pixels = np.fromfile(os.path.join(folder, f"{subset}_X.bin"), np.uint8).reshape(-1, 3, 96, 96)
            images.append(pixels.transpose(0, 3, 2, 1))
            targets = np.zeros(len(pixels), np.uint8)
            if subset != "unlabeled":
                targets = np.fromfile(os.path.join(folder, f"{subset}_y.bin"), np.uint8)
            if len(targets) != len(pixels):
                raise ValueError(f"there are {len(targets)} labels of {len(pixels)} images in '{subset}'")
            labels.append(targets.astype(np.int32) - 1)
        return [np.ascontiguousarray(np.concatenate(images)), np.concatenate(labels)]


class SemeionDataset(MappableDataset):
    """Handwritten digits in black and white: columns "image", uint8 of (16, 16), of 0 and 1, and "label", uint32 (Semeion
    Research Center, "Semeion handwritten digit data set", 1994).

    Args:
        dataset_dir: the path of the folder that has semeion.data.
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
        >>> dataset = ds.SemeionDataset(example_data("semeion"), shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (16, 16) 3
        (16, 16) 0
    """

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "SemeionDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)

        def read() -> list[Any]:
            if not os.path.isfile(os.path.join(folder, "semeion.data")):
                raise no_data(where, folder, "semeion.data")
            rows = np.array([line.split() for line in lines_of(folder, "semeion.data")], np.float64)
            if rows.ndim != 2 or rows.shape[1] != 266:
                raise ValueError(f"lines must be of 266 numbers, but they are an array of {list(rows.shape)}")
            return [rows[:, :256].astype(np.uint8).reshape(-1, 16, 16), rows[:, 256:].argmax(1).astype(np.uint32)]

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(in_memory(where, ["image", "label"], read, num_parallel_workers, cache, *selection))


class PhotoTourDataset(MappableDataset):
    """Patches of photographs of famous places: one of them a row, column "image"; or two, "image1" and "image2", and
    "matches", whether they show the same point, uint32. Patches are uint8 of (64, 64, 1) (S. Winder and M. Brown, "Learning
    local image descriptors", 2007).

    Args:
        dataset_dir: the path of the folder that has a folder for each place, with patches0000.bmp and so on, info.txt and
            m50_100000_100000_0.txt.
        name: the place: "notredame", "yosemite" or "liberty", or one of them with "_harris" after it.
        usage: "train", the default, for one patch a row, or "test" for two.
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
        >>> dataset = ds.PhotoTourDataset(example_data("photo_tour"), "liberty", usage="test", shuffle=False)
        >>> for first, second, matches in dataset:
        ...     print(first.shape, second.shape, matches)
        (64, 64, 1) (64, 64, 1) 1
        (64, 64, 1) (64, 64, 1) 0
    """

    def __init__(
        self,
        dataset_dir: str,
        name: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "PhotoTourDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        names = [place + end for place in ("notredame", "yosemite", "liberty") for end in ("", "_harris")]
        root = os.path.join(folder, choice(where, "name", check_instance(where, "name", name, str), names, ""))
        part = choice(where, "usage", usage, ("train", "test"), "train")

        def read() -> list[Any]:
            points = [line.split()[0] for line in lines_of(root, "info.txt")]
            patches = _patches(where, root, len(points))
            if part == "train":
                return [patches]
            pairs = np.array([line.split()[:5] for line in lines_of(root, "m50_100000_100000_0.txt")], np.int64)
            same = (pairs[:, 1] == pairs[:, 4]).astype(np.uint32)
            return [patches[pairs[:, 0]], patches[pairs[:, 3]], same]

        columns = ["image"] if part == "train" else ["image1", "image2", "matches"]
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(in_memory(where, columns, read, num_parallel_workers, cache, *selection))


def _patches(where: str, folder: str, count: int) -> Any:
    """Patches of pictures of 16 by 16 of them."""
    from emberjit.dataset.vision.codec import read_image
    from emberjit.dataset.vision.kinds import ImageReadMode

    images = []
    for name in sorted(file for file in os.listdir(folder) if file.endswith(".bmp")):
        pixels = read_image(os.path.join(folder, name), ImageReadMode.GRAYSCALE)
        if pixels.shape != (1024, 1024, 1):
            raise RuntimeError(
                f"For '{where}', '{name}' in '{folder}' must be of 1024 by 1024 pixels, but is of {pixels.shape}."
            )
        images.append(pixels.reshape(16, 64, 16, 64, 1).transpose(0, 2, 1, 3, 4).reshape(-1, 64, 64, 1))
    whole = np.concatenate(images) if images else np.zeros((0, 64, 64, 1), np.uint8)
    if len(whole) < count:
        raise no_data(where, folder, f"patches0000.bmp and so on, of {count} patches,")
    return whole[:count]


class _Usps(Records):
    where = "USPSDataset"

    def record_spans(self, path: str) -> Any:
        return lines(path)

    def parsed(self, record: bytes) -> Row:
        label, *pixels = record.decode().split()
        values = np.array([pixel.partition(":")[2] for pixel in pixels], np.float64)
        if len(values) != 256:
            raise ValueError(f"there are {len(values)} pixels, not 256")
        image = ((values + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1)
        return image, np.asarray(int(label) - 1, np.uint32)


class USPSDataset(FilesOfUsage):
    """Handwritten digits of envelopes: columns "image", uint8 of (16, 16, 1), and "label", uint32 (J. Hull, "A database for
    handwritten text recognition research", 1994).

    Args:
        dataset_dir: the path of the folder that has usps and usps.t, files of lines "label 1:value 2:value ...", whose
            labels are from 1 to 10 and values from -1 to 1.
        usage: "train", "test" or "all", which is the default.
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
        >>> dataset = ds.USPSDataset(example_data("usps"), usage="train", shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (16, 16, 1) 0
        (16, 16, 1) 9
    """

    files = {"train": "usps", "test": "usps.t"}
    column_names = ["image", "label"]

    def _reading(self, usage: str, paths: list[str], sampler: FileSampler, number: int | None) -> Records:
        del usage
        return _Usps(paths, self.column_names, sampler, number)
