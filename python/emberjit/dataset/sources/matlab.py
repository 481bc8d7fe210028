"""Datasets whose labels or outlines are in MATLAB's files: SVHN, Semantic Boundaries, Oxford 102 Flowers and Caltech 101.
Other arguments are as in `folders`."""

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
    """Images of house numbers, uint8 of (32, 32, 3), and their digits, uint32.

    Args:
        usage: "train", "test", "extra" or "all".

    Raises:
        as MnistDataset.
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
    """Images, and for each of 20 classes where its boundaries are, of shape (20, H, W), or which class is where, (H, W).

    Args:
        task: "Boundaries" or "Segmentation".
        usage: "train", "val", "train_noval" or "all", which is the first two.

    Raises:
        as Caltech256Dataset.
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
    """Images, for "Segmentation" images of what is flower, and labels, uint32.

    Args:
        task: "Classification" or "Segmentation".
        usage: "train", "valid", "test" or "all".

    Raises:
        as Caltech256Dataset.
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
    """Images, and the numbers of their classes, int64, or outlines of what they show, float64 of (2, N), or both.

    Args:
        target_type: "category", "annotation" or "all".

    Raises:
        as Caltech256Dataset.
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
