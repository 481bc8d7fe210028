"""Data of the formats that public training programs read, made up: `python tools/made_up_data.py FOLDER [FORMAT...]`.

Each format gets a folder of its name in FOLDER. Classes can be told apart: they have a colour, or words, of their own.
The files that the notebooks of d2l download are `made_up_d2l.py`'s.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from example_data import idx
from PIL import Image

IMAGES = {"train": 160, "test": 64}
COCO_NUMBERS = [i for i in range(1, 91) if i not in (12, 26, 29, 30, 45, 66, 68, 69, 71, 83)]
COCO_NAMES = """
person bicycle car motorcycle airplane bus train truck boat traffic_light fire_hydrant stop_sign parking_meter bench
bird cat dog horse sheep cow elephant bear zebra giraffe backpack umbrella handbag tie suitcase frisbee skis snowboard
sports_ball kite baseball_bat baseball_glove skateboard surfboard tennis_racket bottle wine_glass cup fork knife spoon
bowl banana apple sandwich orange broccoli carrot hot_dog pizza donut cake chair couch potted_plant bed dining_table
toilet tv laptop mouse remote keyboard cell_phone microwave oven toaster sink refrigerator book clock vase scissors
teddy_bear hair_drier toothbrush
"""


def classes_of_images(rng: np.random.Generator, labels: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """uint8 images of a shape, of which those of one label resemble each other."""
    prototypes = np.random.default_rng(10).integers(0, 200, (10, *shape), np.uint8)
    return prototypes[labels] + rng.integers(0, 56, (len(labels), *shape), np.uint8)


def mnist(folder: Path, rng: np.random.Generator) -> None:
    """`train/` and `test/`, each of an idx file of images and one of labels."""
    for part, prefix in (("train", "train"), ("test", "t10k")):
        count, at = IMAGES[part], folder / part
        labels = rng.integers(0, 10, count)
        idx(at / f"{prefix}-images-idx3-ubyte", classes_of_images(rng, labels, (28, 28)))
        idx(at / f"{prefix}-labels-idx1-ubyte", labels.astype(np.uint8))


def cifar10(folder: Path, rng: np.random.Generator) -> None:
    """`cifar-10-batches-bin/` (training) and `cifar-10-verify-bin/` (validation), each of one file of 10,000 rows, as
    MindSpore takes them all to be, of a label and three planes."""
    for part, name in (("batches", "data_batch_1"), ("verify", "test_batch")):
        at = folder / f"cifar-10-{part}-bin"
        at.mkdir(parents=True, exist_ok=True)
        labels = rng.integers(0, 10, 10_000)
        rows = np.concatenate([labels[:, None].astype(np.uint8), classes_of_images(rng, labels, (3072,))], 1)
        (at / f"{name}.bin").write_bytes(rows.tobytes())


def image_folder(folder: Path, rng: np.random.Generator) -> None:
    """`train/` and `validation_preprocess/` with JPEG files in a folder for each of six classes."""
    for part, count in (("train", 16), ("validation_preprocess", 8)):
        for label in range(6):
            at = folder / part / f"class{label}"
            at.mkdir(parents=True, exist_ok=True)
            for i in range(count):
                pixels = rng.integers(0, 80, (240, 260, 3)) + np.array([25 * label, 150 - 25 * label, 80])
                Image.fromarray(pixels.astype(np.uint8)).save(at / f"{i}.jpg")


def coco(folder: Path, rng: np.random.Generator) -> None:
    """`images/`, `labels/` (class and box, relative), a list of files, and `annotations/`, of train2017 and val2017;
    the images also by these names."""
    size = 320
    (folder / "annotations").mkdir(parents=True, exist_ok=True)
    for part, count, first in (("train2017", 32, 1), ("val2017", 8, 101)):
        images: list[dict] = []
        annotations: list[dict] = []
        for kind in ("images", "labels"):
            (folder / kind / part).mkdir(parents=True, exist_ok=True)
        if not (folder / part).exists():
            (folder / part).symlink_to(folder.absolute() / "images" / part)
        for number in range(first, first + count):
            name, pixels, lines = f"{number:012d}", np.full((size, size, 3), 128, np.uint8), []
            for _ in range(rng.integers(1, 4)):
                label, (w, h) = int(rng.integers(0, 5)), (int(v) for v in rng.integers(40, 160, 2))
                x, y = int(rng.integers(0, size - w)), int(rng.integers(0, size - h))
                pixels[y : y + h, x : x + w] = rng.integers(0, 60, (h, w, 3)) + np.array([40 * label, 190 - 40 * label, 0])
                lines.append(f"{label} {(x + w / 2) / size} {(y + h / 2) / size} {w / size} {h / size}\n")
                corners = [x, y, x + w, y, x + w, y + h, x, y + h]
                annotation = {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": COCO_NUMBERS[label],
                    "iscrowd": 0,
                }
                annotations.append({**annotation, "bbox": [x, y, w, h], "area": w * h, "segmentation": [corners]})
            Image.fromarray(pixels).save(folder / "images" / part / f"{name}.jpg")
            (folder / "labels" / part / f"{name}.txt").write_text("".join(lines))
            images.append({"id": number, "file_name": f"{name}.jpg", "width": size, "height": size})
        (folder / f"{part}.txt").write_text("".join(f"./images/{part}/{i['file_name']}\n" for i in images))
        categories = [
            {"id": number, "name": name.replace("_", " "), "supercategory": "thing"}
            for number, name in zip(COCO_NUMBERS, COCO_NAMES.split())
        ]
        content = {"images": images, "annotations": annotations, "categories": categories}
        (folder / "annotations" / f"instances_{part}.json").write_text(json.dumps(content))


def imdb(folder: Path, rng: np.random.Generator) -> None:
    """`aclImdb/` of reviews by part and sentiment, and `glove/` of word vectors in word2vec's text format."""
    common = ["the", "a", "is", "was", "it", "movie", "film"]
    words = {"pos": ["great", "good", "love", *common], "neg": ["bad", "awful", "boring", *common]}
    for part, count in (("train", 100), ("test", 40)):
        for sentiment, vocabulary in words.items():
            at = folder / "aclImdb" / part / sentiment
            at.mkdir(parents=True, exist_ok=True)
            for i in range(count):
                (at / f"{i}_{7 if sentiment == 'pos' else 2}.txt").write_text(
                    " ".join(rng.choice(vocabulary, rng.integers(30, 120)))
                )
    (folder / "glove").mkdir(exist_ok=True)
    vectors = {word: rng.normal(size=300) for word in sorted({*words["pos"], *words["neg"]})}
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in vector)}\n" for word, vector in vectors.items()]
    (folder / "glove" / "glove.6B.300d.txt").write_text(f"{len(lines)} 300\n" + "".join(lines))


FORMATS: dict[str, Callable[[Path, np.random.Generator], None]] = {
    **{"MNIST_Data": mnist, "cifar10": cifar10, "image_folder": image_folder, "coco": coco, "imdb": imdb}
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=" ".join(FORMATS))
    options = parser.parse_args()
    if unknown := set(options.formats) - FORMATS.keys():
        parser.error(f"no format {sorted(unknown)}; there are {' '.join(FORMATS)}")
    for name in options.formats or FORMATS:
        FORMATS[name](options.folder / name, np.random.default_rng(1))


if __name__ == "__main__":
    main()
