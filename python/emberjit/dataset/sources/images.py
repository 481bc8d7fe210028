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
    """The handwritten digits of MNIST: columns "image", uint8 of (28, 28, 1), and "label", uint32 (Y. LeCun, C. Cortes and
    C. Burges, "The MNIST database of handwritten digits"). All of a part is read when the first row is asked for.

    Args:
        dataset_dir: the path of the folder that has train-images-idx3-ubyte, train-labels-idx1-ubyte, and the two of t10k,
            not compressed.
        usage: "train", 60,000 images in the original, "test", 10,000, or "all", which is the default.
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
        >>> dataset = ds.MnistDataset(example_data("mnist"), usage="train", shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, image.dtype, label)
        (28, 28, 1) UInt8 5
        (28, 28, 1) UInt8 0
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
    """Images of clothes, in files of the names and the format of MNIST's: columns "image", uint8 of (28, 28, 1), and
    "label", uint32 (H. Xiao, K. Rasul and R. Vollgraf, "Fashion-MNIST: a novel image dataset for benchmarking machine
    learning algorithms", 2017).

    Args:
        dataset_dir: the path of the folder that has train-images-idx3-ubyte, train-labels-idx1-ubyte, and the two of t10k.
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
        >>> dataset = ds.FashionMnistDataset(example_data("mnist"), usage="test", shuffle=False)
        >>> [int(label) for image, label in dataset]
        [7, 2]
    """


class KMnistDataset(MnistDataset):
    """Handwritten characters of Japanese, in files of the names and the format of MNIST's: columns "image", uint8 of (28,
    28, 1), and "label", uint32 (T. Clanuwat and others, "Deep learning for classical Japanese literature", 2018).

    Args:
        dataset_dir: the path of the folder that has train-images-idx3-ubyte, train-labels-idx1-ubyte, and the two of t10k.
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
        >>> dataset = ds.KMnistDataset(example_data("mnist"), usage="train")
        >>> dataset.get_col_names(), dataset.get_dataset_size()
        (['image', 'label'], 2)
    """


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
    """Small photographs of ten classes in CIFAR-10's binary format: columns "image", uint8 of (32, 32, 3), and "label",
    uint32 (A. Krizhevsky, "Learning multiple layers of features from tiny images", 2009).

    Args:
        dataset_dir: the path of the folder that has data_batch_1.bin to data_batch_5.bin, and test_batch.bin.
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
        >>> dataset = ds.Cifar10Dataset(example_data("cifar10"), usage="train", shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, image.dtype, label)
        (32, 32, 3) UInt8 6
        (32, 32, 3) UInt8 9
    """

    files = {"train": [f"data_batch_{k}.bin" for k in range(1, 6)], "test": ["test_batch.bin"]}

    @classmethod
    def _read(cls, where: str, folder: str, part: str) -> list[Any]:
        names = cls.files["train"] + cls.files["test"] if part == "all" else cls.files[part]
        return cifar(where, folder, names, len(cls.column_names) - 1)


class Cifar100Dataset(Cifar10Dataset):
    """Small photographs of 100 classes in CIFAR-100's binary format: columns "image", uint8 of (32, 32, 3), "coarse_label",
    one of 20 groups of classes, and "fine_label", the class, uint32 (A. Krizhevsky, "Learning multiple layers of features
    from tiny images", 2009).

    Args:
        dataset_dir: the path of the folder that has train.bin and test.bin.
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
        >>> dataset = ds.Cifar100Dataset(example_data("cifar100"), usage="test", shuffle=False)
        >>> for image, coarse, fine in dataset:
        ...     print(image.shape, coarse, fine)
        (32, 32, 3) 10 49
        (32, 32, 3) 10 33
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
    """Images in folders that are their classes: columns "image" and "label", int32, the number of the folder among all,
    sorted by name.

    Args:
        dataset_dir: the path of the folder of the classes' folders.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows; None: as many as ds.config.get_num_parallel_workers() says, where
            there is work for them.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        extensions: what the files' names end with, as ".jpg"; None: any.
        class_indexing: the label of each folder that is read, by name; None: all are read.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.
        decrypt: None: files are read as they are.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given; or files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.ImageFolderDataset(example_data("image_folder"), decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 0
        (2, 3, 3) 0
        (2, 3, 3) 1
        (2, 3, 3) 1
        >>> dataset.get_class_indexing()
        {'cat': 0, 'dog': 1}
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
