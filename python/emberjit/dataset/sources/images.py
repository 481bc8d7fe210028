"""MnistDataset, Cifar10Dataset, Cifar100Dataset and ImageFolderDataset, and what has their form."""

from __future__ import annotations

import functools
import gzip
import os
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_choice
from emberjit.dataset import checks, samplers
from emberjit.dataset.sources.listed import indexing_of, no_decryption
from emberjit.dataset.sources.mappable import Mappable, MappableDataset, bytes_of
from emberjit.dataset.values import Row


class InMemory(Mappable):
    """Images and labels that are read whole when the first is needed."""

    is_work = False

    def __init__(self, where: str, read: Callable[[], list[Any]], *more: Any):
        super().__init__(*more)
        self.where, self.read = where, read

    @functools.cached_property
    def data(self) -> list[Any]:
        """An array of each column.

        Raises:
            RuntimeError: files are not of the dataset's form.
        """
        try:
            arrays: list[Any] = self.read()
        except (ValueError, KeyError, IndexError, TypeError, OSError) as error:
            raise RuntimeError(
                f"For '{self.where}', the files are not of its form: {type(error).__name__}: {error}"
            ) from error
        return arrays

    def length(self) -> int:
        return len(self.data[0])

    def load(self, index: int) -> Row:
        return tuple(np.asarray(column[index]) for column in self.data)

    def labels(self, column: str) -> Any:
        return self.data[self.columns.index(column)] if column in self.columns else super().labels(column)


def no_data(where: str, folder: str, names: str) -> RuntimeError:
    return RuntimeError(f"For '{where}', there is no data in '{folder}': files named {names} are looked for.")


def idx(where: str, path: str) -> Any:
    """The array of a file of the IDX format: a magic number, lengths of axes, bytes or ints; compressed if its name ends
    with .gz.

    Raises:
        RuntimeError: there is none.
    """
    try:
        with gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb") as stream:
            data = stream.read()
    except (OSError, EOFError, zlib.error) as error:
        what = getattr(error, "strerror", None) or error
        raise RuntimeError(f"For '{where}', the file '{path}' cannot be read: {what}.") from None
    axes = data[3] if len(data) > 4 and data[:3] in (b"\0\0\x08", b"\0\0\x0c") else 0
    kind = np.dtype(np.uint8 if data[2:3] == b"\x08" else ">i4")
    shape = np.frombuffer(data[4 : 4 + 4 * axes], ">u4").astype(int)
    if not axes or len(data) != 4 + 4 * axes + kind.itemsize * shape.prod():
        raise RuntimeError(f"For '{where}', the file '{path}' is no whole file of MNIST's format.")
    return np.frombuffer(data, kind, offset=4 + 4 * axes).reshape(shape)


def in_memory(
    where: str, columns: list[str], read: Callable[[], list[Any]], workers: int | None, cache: Any, *selection: Any
) -> InMemory:
    """Rows that read() gives, of the arguments that datasets have in common."""
    checks.no_cache(where, cache)
    sampler, *more = selection
    return InMemory(where, read, columns, samplers.select(where, sampler, *more), checks.workers(where, workers))


class OfUsage(MappableDataset):
    """Images of a folder's parts, read whole.

    Raises:
        as MnistDataset.
    """

    column_names = ["image", "label"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = type(self).__name__
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        read = functools.partial(self._read, where, folder, self._usage(where, usage))
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(in_memory(where, self.column_names, read, num_parallel_workers, cache, *selection))

    @classmethod
    def _usage(cls, where: str, usage: Any) -> str:
        return "all" if usage is None else check_choice(where, "usage", usage, "train", "test", "all")

    @classmethod
    def _read(cls, where: str, folder: str, part: str) -> list[Any]:
        raise NotImplementedError


class MnistDataset(OfUsage):
    """Images of MNIST's format: uint8 of (28, 28, 1), and labels, uint32.

    Args:
        dataset_dir: the folder of the files.
        usage: "train", "test" or "all"; all unless given.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: as of GeneratorDataset.
        cache: None.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, or arguments contradict each other.
        RuntimeError: there are no such files in it.
    """

    @classmethod
    def _read(cls, where: str, folder: str, part: str) -> list[Any]:
        images, labels = [], []
        for prefix in {"train": ["train"], "test": ["t10k"], "all": ["t10k", "train"]}[part]:
            paths = [os.path.join(folder, f"{prefix}-{what}") for what in ("images-idx3-ubyte", "labels-idx1-ubyte")]
            if all(os.path.isfile(path) for path in paths):
                images.append(idx(where, paths[0]))
                labels.append(idx(where, paths[1]))
                if len(images[-1]) != len(labels[-1]):
                    raise RuntimeError(f"For '{where}', '{paths[0]}' and '{paths[1]}' are not of as many images.")
        if not images:
            raise no_data(where, folder, "train-images-idx3-ubyte and train-labels-idx1-ubyte, or t10k-")
        return [np.concatenate(images)[..., None], np.concatenate(labels).astype(np.uint32)]


class FashionMnistDataset(MnistDataset):
    """As MnistDataset; the files have the same names."""


class KMnistDataset(MnistDataset):
    """As MnistDataset; the files have the same names."""


def cifar(where: str, folder: str, names: list[str], labels: int) -> list[Any]:
    """The images of files of CIFAR's binary format, uint8 of (N, 32, 32, 3), and their labels, uint32.

    Args:
        names: the files that are looked for.
        labels: how many labels an image has.

    Raises:
        RuntimeError: there are none, or one is damaged.
    """
    records = []
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            data = np.fromfile(path, np.uint8)
            if len(data) % (labels + 3072) or not len(data):
                raise RuntimeError(f"For '{where}', the file '{path}' is no whole file of CIFAR's binary format.")
            records.append(data.reshape(-1, labels + 3072))
    if not records:
        raise no_data(where, folder, " and ".join(names))
    rows = np.concatenate(records)
    images = np.ascontiguousarray(rows[:, labels:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
    return [images, *(rows[:, k].astype(np.uint32) for k in range(labels))]


class Cifar10Dataset(OfUsage):
    """Images of CIFAR-10's binary format: uint8 of (32, 32, 3), and labels, uint32. Arguments are those of MnistDataset.

    Raises:
        as MnistDataset.
    """

    files = {"train": [f"data_batch_{k}.bin" for k in range(1, 6)], "test": ["test_batch.bin"]}

    @classmethod
    def _read(cls, where: str, folder: str, part: str) -> list[Any]:
        names = cls.files["train"] + cls.files["test"] if part == "all" else cls.files[part]
        return cifar(where, folder, names, len(cls.column_names) - 1)


class Cifar100Dataset(Cifar10Dataset):
    """Images of CIFAR-100's binary format: uint8 of (32, 32, 3), coarse and fine labels, uint32. Arguments are those of
    MnistDataset.

    Raises:
        as MnistDataset.
    """

    files = {"train": ["train.bin"], "test": ["test.bin"]}
    column_names = ["image", "coarse_label", "fine_label"]


class _Folder(Mappable):
    where = "ImageFolderDataset"

    def __init__(self, root: str, extensions: list[str] | None, classes: dict[str, int] | None, decode: bool, *more: Any):
        super().__init__(["image", "label"], *more)
        self.root, self.extensions, self.classes, self.decode = root, extensions, classes, decode
        self.is_work = decode

    @functools.cached_property
    def class_indexing(self) -> dict[str, int]:
        """The label of each folder."""
        if self.classes is not None:
            return dict(self.classes)
        names = sorted(entry.name for entry in os.scandir(self.root) if entry.is_dir())
        return {name: label for label, name in enumerate(names)}

    @property
    def num_classes(self) -> int:
        """How many folders there are."""
        return len(self.class_indexing)

    @functools.cached_property
    def files(self) -> list[tuple[str, int]]:
        """Paths, with labels."""
        pairs = []
        for name, label in sorted(self.class_indexing.items()):
            folder = os.path.join(self.root, name)
            if os.path.isdir(folder):
                for path in sorted(os.path.join(at, file) for at, _, files in os.walk(folder) for file in files):
                    if self.extensions is None or os.path.splitext(path)[1].lower() in self.extensions:
                        pairs.append((path, label))
        if not pairs:
            raise no_data(self.where, self.root, "anyhow, in folders that are classes,")
        return pairs

    def length(self) -> int:
        return len(self.files)

    def labels(self, column: str) -> Any:
        return [label for _, label in self.files] if column == "label" else super().labels(column)

    has_files = True

    def file_of(self, index: int) -> str:
        return f"the file '{self.files[index][0]}'"

    def load(self, index: int) -> Row:
        from emberjit.dataset.vision.codec import Decode

        path, label = self.files[index]
        data = bytes_of(path)
        try:
            return Decode()(data) if self.decode else data, np.asarray(label, np.int32)
        except RuntimeError as error:
            raise RuntimeError(f"{self.file_of(index)}: {error}") from None


class ImageFolderDataset(MappableDataset):
    """The files in folders that are classes: their bytes, or images, and labels, int32.

    Args:
        dataset_dir: the folder of the classes' folders.
        extensions: what files' names end with; all files unless given.
        class_indexing: labels of the folders that come; all, by name, unless given.
        decode: whether images are decoded.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: as of GeneratorDataset.
        cache: None.
        decrypt: None.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, or arguments contradict each other.
        RuntimeError: there are no files in it.
    """

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        extensions: list[str] | None = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ):
        where = "ImageFolderDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        checks.no_cache(where, cache)
        no_decryption(where, decrypt)
        if extensions is not None:
            extensions = [extension.lower() for extension in checks.names(where, "extensions", extensions)]
        indexing_of(where, class_indexing)
        check_bool(where, "decode", decode)
        row_sampler = samplers.select(where, sampler, num_samples, shuffle, num_shards, shard_id)
        number = checks.workers(where, num_parallel_workers)
        super().__init__(_Folder(folder, extensions, class_indexing, decode, row_sampler, number))
