"""Datasets whose labels or outlines are in MATLAB's files: SVHN, Semantic Boundaries, Oxford 102 Flowers and Caltech 101."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.dataset import checks
from emberjit.dataset.sources import mat_files
from emberjit.dataset.sources.images import in_memory
from emberjit.dataset.sources.listed import Image, Listed, Loaded, choice, folders_in, lines_of
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.values import Row


class SVHNDataset(MappableDataset):
    """House numbers of street views: columns "image", uint8 of (32, 32, 3), and "label", the digit, uint32 (Y. Netzer and
    others, "Reading digits in natural images with unsupervised feature learning", 2011).

    Args:
        dataset_dir: the path of the folder that has train_32x32.mat, test_32x32.mat and extra_32x32.mat.
        usage: "train", "test", "extra", or "all", which is the default.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.SVHNDataset(example_data("svhn"), usage="train", shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (32, 32, 3) 0
        (32, 32, 3) 1
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        where = "SVHNDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        part = choice(where, "usage", usage, ("train", "test", "extra", "all"), "all")

        def read() -> list[Any]:
            parts = ("train", "test", "extra") if part == "all" else (part,)
            files = [mat_files.read(os.path.join(folder, f"{subset}_32x32.mat")) for subset in parts]
            images = np.concatenate([variables["X"].transpose(3, 0, 1, 2) for variables in files])
            labels = np.concatenate([variables["y"].astype(np.uint32).reshape(-1) for variables in files])
            if len(images) != len(labels):
                raise ValueError(f"there are {len(labels)} labels of {len(images)} images")
            return [np.ascontiguousarray(images), np.where(labels == 10, 0, labels).astype(np.uint32)]

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(in_memory(where, ["image", "label"], read, num_parallel_workers, None, *selection))


class _Boundaries(Loaded):
    def value(self) -> Any:
        (truth,) = mat_files.read(self)["GTcls"]
        return np.stack(truth["Boundaries"][:20])


class _Segmentation(Loaded):
    def value(self) -> Any:
        (truth,) = mat_files.read(self)["GTcls"]
        return truth["Segmentation"]


_CLASSES = {"Boundaries": _Boundaries, "Segmentation": _Segmentation}


class SBDataset(MappableDataset):
    """Photographs of PASCAL VOC with boundaries (B. Hariharan and others, "Semantic contours from inverse detectors", 2011):
    columns "image" and "task", uint8: for "Boundaries" of (20, H, W), where the boundaries of each class are; for
    "Segmentation" of (H, W), which class is where.

    Args:
        dataset_dir: the path of the folder that has img, cls, train.txt, val.txt and train_noval.txt.
        task: "Boundaries" or "Segmentation".
        usage: "train", "val", "train_noval", or "all": the first two.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.SBDataset(example_data("sbd"), usage="train", decode=True, shuffle=False)
        >>> for image, boundaries in dataset:
        ...     print(image.shape, boundaries.shape)
        (2, 3, 3) (20, 2, 3)
        (2, 3, 3) (20, 2, 3)
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Boundaries",
        usage: str = "all",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        where = "SBDataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        kind = choice(where, "task", task, _CLASSES, "Boundaries")
        part = choice(where, "usage", usage, ("train", "val", "train_noval", "all"), "all")

        def find() -> Iterator[Row]:
            for subset in ("train", "val") if part == "all" else (part,):
                for name in lines_of(folder, f"{subset}.txt"):
                    annotation = os.path.join(folder, "cls", f"{name}.mat")
                    yield Image(os.path.join(folder, "img", f"{name}.jpg")), _CLASSES[kind](annotation)

        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(Listed(where, ["image", "task"], find, decode, num_parallel_workers, None, *selection))


# The classes of the labels from 0 on, as those who made the images name them (robots.ox.ac.uk/~vgg/data/flowers/102).
_FLOWERS = """
pink primrose; hard-leaved pocket orchid; canterbury bells; sweet pea; english marigold; tiger lily; moon orchid; bird
of paradise; monkshood; globe thistle; snapdragon; colt's foot; king protea; spear thistle; yellow iris; globe-flower;
purple coneflower; peruvian lily; balloon flower; giant white arum lily; fire lily; pincushion flower; fritillary; red
ginger; grape hyacinth; corn poppy; prince of wales feathers; stemless gentian; artichoke; sweet william; carnation;
garden phlox; love in the mist; mexican aster; alpine sea holly; ruby-lipped cattleya; cape flower; great masterwort;
siam tulip; lenten rose; barbeton daisy; daffodil; sword lily; poinsettia; bolero deep blue; wallflower; marigold;
buttercup; oxeye daisy; common dandelion; petunia; wild pansy; primula; sunflower; pelargonium; bishop of llandaff;
gaura; geranium; orange dahlia; pink-yellow dahlia?; cautleya spicata; japanese anemone; black-eyed susan; silverbush;
californian poppy; osteospermum; spring crocus; bearded iris; windflower; tree poppy; gazania; azalea; water lily;
rose; thorn apple; morning glory; passion flower; lotus; toad lily; anthurium; frangipani; clematis; hibiscus;
columbine; desert-rose; tree mallow; magnolia; cyclamen; watercress; canna lily; hippeastrum; bee balm; ball moss;
foxglove; bougainvillea; camellia; mallow; mexican petunia; bromelia; blanket flower; trumpet creeper; blackberry lily
"""


def _flowers() -> dict[str, Any]:
    return {" ".join(name.split()): label for label, name in enumerate(_FLOWERS.split(";"))}


class Flowers102Dataset(MappableDataset):
    """Photographs of 102 kinds of flowers: columns "image", for "Segmentation" also "segmentation", an image of what is
    flower, and "label", uint32 (M.-E. Nilsback and A. Zisserman, "Automated flower classification over a large number of
    classes", 2008).

    Args:
        dataset_dir: the path of the folder that has jpg, imagelabels.mat, setid.mat, and for "Segmentation" segmim.
        task: "Classification" or "Segmentation".
        usage: "train", "valid", "test" or "all".
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.Flowers102Dataset(example_data("flowers102"), usage="train", decode=True, shuffle=False)
        >>> for image, label in dataset:
        ...     print(image.shape, label)
        (2, 3, 3) 101
        (2, 3, 3) 76
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Classification",
        usage: str = "all",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        where = "Flowers102Dataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        kind = choice(where, "task", task, ("Classification", "Segmentation"), "Classification")
        names = {"train": ["trnid"], "test": ["tstid"], "valid": ["valid"], "all": ["trnid", "tstid", "valid"]}
        part = choice(where, "usage", usage, names, "all")

        def find() -> Iterator[Row]:
            labels = mat_files.read(os.path.join(folder, "imagelabels.mat"))["labels"].reshape(-1)
            numbers = mat_files.read(os.path.join(folder, "setid.mat"))
            for number in (n for name in names[part] for n in numbers[name].reshape(-1).tolist()):
                image = Image(os.path.join(folder, "jpg", f"image_{int(number):05d}.jpg"))
                where_flower = Image(os.path.join(folder, "segmim", f"segmim_{int(number):05d}.jpg"))
                if not 1 <= number <= len(labels):
                    raise ValueError(f"there is no label of image {number} among {len(labels)}")
                label = np.uint32(int(labels[int(number) - 1]) - 1)
                yield (image, where_flower, label) if kind == "Segmentation" else (image, label)

        columns = ["image", "segmentation", "label"] if kind == "Segmentation" else ["image", "label"]
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        source = Listed(where, columns, find, decode, num_parallel_workers, None, *selection, indexing=_flowers)
        super().__init__(source)


_OUTLINED = {"Faces": "Faces_2", "Faces_easy": "Faces_3", "Motorbikes": "Motorbikes_16", "airplanes": "Airplanes_Side_2"}


class _Outline(Loaded):
    def value(self) -> Any:
        return mat_files.read(self)["obj_contour"]


class Caltech101Dataset(MappableDataset):
    """Photographs of 101 classes: columns "image", and "category", int64, "annotation", the outline of what is shown,
    float64 of (2, N), or both (L. Fei-Fei, R. Fergus and P. Perona, "One-shot learning of object categories", 2006).

    Args:
        dataset_dir: the path of the folder that has 101_ObjectCategories and, for outlines, Annotations.
        target_type: "category", which is the default, "annotation" or "all", for both.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read rows.
        shuffle: whether rows come in random order, in each epoch another; None: they do, unless there is a sampler.
        decode: whether images come as pixels, uint8 of (H, W, C); else as the bytes of their files, uint8 of (N,).
        sampler: a Sampler, or an iterable of row numbers, which says which rows come; then shuffle, num_shards and shard_id
            are not given.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such folder, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: files are missing or not of the dataset's form, when rows are asked for.

    Examples:
        >>> dataset = ds.Caltech101Dataset(example_data("caltech101"), target_type="all", decode=True, shuffle=False)
        >>> for image, category, outline in dataset.take(2):
        ...     print(image.shape, category, outline.shape)
        (2, 3, 3) 0 (2, 4)
        (2, 3, 3) 0 (2, 4)
    """

    def __init__(
        self,
        dataset_dir: str,
        target_type: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        where = "Caltech101Dataset"
        folder = checks.folder(where, "dataset_dir", dataset_dir)
        kind = choice(where, "target_type", target_type, ("category", "annotation", "all"), "category")
        images, outlines = os.path.join(folder, "101_ObjectCategories"), os.path.join(folder, "Annotations")

        def classes() -> dict[str, Any]:
            names = [name for name in folders_in(images) if name != "BACKGROUND_Google"]
            return {name: label for label, name in enumerate(names)}

        def find() -> Iterator[Row]:
            for name, label in classes().items():
                for k in range(1, len(os.listdir(os.path.join(images, name))) + 1):
                    row: Row = (Image(os.path.join(images, name, f"image_{k:04d}.jpg")),)
                    if kind != "annotation":
                        row += (np.int64(label),)
                    if kind != "category":
                        path = os.path.join(outlines, _OUTLINED.get(name, name), f"annotation_{k:04d}.mat")
                        row += (_Outline(path),)
                    yield row

        columns = ["image", *(("category", "annotation") if kind == "all" else (kind,))]
        selection = (sampler, num_samples, shuffle, num_shards, shard_id)
        source = Listed(where, columns, find, decode, num_parallel_workers, None, *selection, indexing=classes)
        super().__init__(source)
