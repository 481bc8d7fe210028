"""The files that the notebooks of d2l download, made up, into one folder: `python tools/made_up_d2l.py FOLDER`. Its `img/`
has pictures that they open, which d2l's own lacks."""

import argparse
import gzip
import io
import struct
import tarfile
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

RNG = np.random.default_rng(0)
LISTS = """
the time machine traveller for so it will be convenient to speak of him was expounding a recondite matter us his grey eyes
go run fire help jump stop wait hello i see you he is home we are here they went calm come get it she lost bus
va cours feu aide saute arrete attends bonjour je vois tu il est maison nous sommes ici ils calme viens elle perdu bus
baby babies beautiful chip chips man woman son daughter beijing china tokyo japan bad worst big biggest do did intel
airplane automobile bird cat deer dog frog horse ship truck
"""
WORDS, ENGLISH, FRENCH, ANALOGIES, LABELS = (line.split() for line in LISTS.strip().splitlines())
Files = dict[str, bytes]


def sentence(words: list[str], count: int) -> str:
    return " ".join(RNG.choice(words, count))


def image(width: int, height: int, format: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.fromarray(RNG.integers(0, 256, (height, width, 3), dtype=np.uint8)).save(file, format)
    return file.getvalue()


def lines(rows: list[str]) -> bytes:
    return "\n".join(rows).encode()


def fashion_mnist() -> Files:
    files, prototypes = {}, RNG.integers(0, 180, (10, 28, 28))
    for part, count in (("train", 160), ("t10k", 64)):
        labels = RNG.integers(0, 10, count).astype(np.uint8)
        pixels = (prototypes[labels] + RNG.integers(0, 70, (count, 28, 28))).astype(np.uint8)
        files[f"{part}-labels-idx1-ubyte.gz"] = gzip.compress(struct.pack(">II", 2049, count) + labels.tobytes())
        files[f"{part}-images-idx3-ubyte.gz"] = gzip.compress(struct.pack(">IIII", 2051, count, 28, 28) + pixels.tobytes())
    return files


def house_prices(count: int, with_price: bool, first: int) -> bytes:
    header = ["Id", "N0", "MSZoning", *(f"N{i}" for i in range(1, 36)), *(f"C{i}" for i in range(42))]
    rows = [",".join(header + ["SalePrice"] * with_price)]
    for i in range(count):
        numbers = [f"{x:.3f}" if x > -1.6 else "" for x in RNG.normal(size=35)]
        words = list(RNG.choice(["x", "y", "z", ""], 42))
        price = [str(int(RNG.uniform(1e5, 1.5e5)))] * with_price
        rows.append(",".join([str(first + i), "1.0", str(RNG.choice(list("ABC"))), *numbers, *words, *price]))
    return lines(rows)


def translations() -> Files:
    pairs = ["Go.\tVa !", "I lost .\tJ'ai perdu .", "He's calm .\tIl est calme .", "I'm home .\tJe suis chez moi ."]
    for count in RNG.integers(1, 7, 900):
        pairs.append(f"{sentence(ENGLISH, count).capitalize()}.\t{sentence(FRENCH, count).capitalize()} !")
    return {"fra-eng/fra.txt": lines([*pairs, ""])}


def vectors(folder: str, length: int) -> Files:
    words = ["the", *WORDS, *(f"word{i}" for i in range(3400)), *ANALOGIES]
    return {
        f"{folder}/vec.txt": lines([f"{word} {' '.join(f'{x:.4f}' for x in RNG.normal(size=length))}" for word in words])
    }


def bananas() -> Files:
    files: Files = {}
    for part, count in (("bananas_train", 100), ("bananas_val", 32)):
        rows = [f"{i}.png,0,{20 + i % 50},30,{100 + i % 60},120" for i in range(count)]
        files[f"banana-detection/{part}/label.csv"] = lines(["img_name,label,xmin,ymin,xmax,ymax", *rows])
        files |= {f"banana-detection/{part}/images/{i}.png": image(256, 256) for i in range(count)}
    return files


def hotdogs() -> Files:
    parts = [
        (part, kind, i) for part, n in (("train", 40), ("test", 20)) for kind in ("hotdog", "not-hotdog") for i in range(n)
    ]
    return {f"hotdog/{part}/{kind}/{i}.png": image(300, 260) for part, kind, i in parts}


def dogs() -> Files:
    files = {f"kaggle_dog_tiny/train/t{i}.jpg": image(280, 260, "JPEG") for i in range(360)}
    files |= {f"kaggle_dog_tiny/test/s{i}.jpg": image(280, 260, "JPEG") for i in range(10)}
    return files | {"kaggle_dog_tiny/labels.csv": lines(["id,breed", *(f"t{i},breed{i % 6}" for i in range(360))])}


def kaggle_cifar() -> Files:
    files = {f"kaggle_cifar10_tiny/train/{i}.png": image(32, 32) for i in range(1, 401)}
    files |= {f"kaggle_cifar10_tiny/test/{i}.png": image(32, 32) for i in range(1, 6)}
    return files | {
        "kaggle_cifar10_tiny/trainLabels.csv": lines(["id,label", *(f"{i},{LABELS[i % 10]}" for i in range(1, 401))])
    }


def reviews() -> Files:
    words = {
        "pos": "great good excellent movie film love the a is it",
        "neg": "bad awful terrible movie film hate the a is it",
    }
    parts = [(part, kind, i) for part, n in (("train", 200), ("test", 60)) for kind in words for i in range(n)]
    return {
        f"aclImdb/{part}/{kind}/{i}_7.txt": sentence(words[kind].split(), RNG.integers(30, 120)).encode()
        for part, kind, i in parts
    }


def inferences() -> Files:
    files = {}
    for part, count in (("train", 1600), ("test", 200)):
        rows = ["gold_label\tp1\tp2\ts1\ts2\tx\ty"]
        for label in RNG.choice(["entailment", "contradiction", "neutral"], count):
            rows.append(f"{label}\t( ( {sentence(WORDS, 8)} ) . )\t( {sentence(WORDS, 6)} )\tA\tB\tx\ty")
        files[f"snli_1.0/snli_1.0_{part}.txt"] = lines(rows)
    return files


def segments() -> Files:
    files, root = {}, "VOCdevkit/VOC2012"
    colours = np.array([[0, 0, 0], [128, 0, 0], [0, 128, 0], [128, 128, 0], [0, 0, 128]], np.uint8)
    for part, names in (("train", [f"a{i}" for i in range(96)]), ("val", [f"b{i}" for i in range(34)])):
        files[f"{root}/ImageSets/Segmentation/{part}.txt"] = lines(names)
        for name in names:
            label = np.repeat(np.repeat(RNG.integers(0, 5, (9, 13)), 40, 0), 40, 1)
            file = io.BytesIO()
            Image.fromarray(colours[label]).save(file, "PNG")
            files[f"{root}/SegmentationClass/{name}.png"] = file.getvalue()
            files[f"{root}/JPEGImages/{name}.jpg"] = image(520, 360, "JPEG")
    return files


def text() -> Files:
    vocabulary = [*(f"w{i}" for i in range(200)), "chip", "intel"]
    return {
        f"ptb/ptb.{part}.txt": lines([sentence(vocabulary, 18) for _ in range(2500)]) for part in ("train", "valid", "test")
    }


def paragraphs() -> Files:
    def paragraph() -> str:
        return " . ".join(sentence(WORDS, 9) for _ in range(4)) + " ."

    return {"wikitext-2/wiki.train.tokens": lines([paragraph() for _ in range(400)])}


def write(path: Path, files: Files) -> None:
    """An archive, of the kind that its name says."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    (folder / "img").mkdir(parents=True, exist_ok=True)
    archives = {
        **{f"glove.6B.{length}d.zip": vectors(f"glove.6B.{length}d", length) for length in (50, 100)},
        **{"wiki.en.zip": vectors("wiki.en", 300), "fra-eng.zip": translations(), "ptb.zip": text()},
        **{"banana-detection.zip": bananas(), "hotdog.zip": hotdogs(), "kaggle_dog_tiny.zip": dogs()},
        **{"kaggle_cifar10_tiny.zip": kaggle_cifar(), "aclImdb_v1.tar.gz": reviews()},
        **{"snli_1.0.zip": inferences(), "VOCtrainval_11-May-2012.tar": segments(), "wikitext-2-v1.zip": paragraphs()},
    }
    for name, files in archives.items():
        write(folder / name, files)
    plain = {
        **fashion_mnist(),
        **{f"img/{name}.jpg": image(480, 360, "JPEG") for name in ("catdog", "autumn-oak", "rainier")},
        "timemachine.txt": lines([sentence(WORDS, 11) for _ in range(3000)]),
        "airfoil_self_noise.dat": lines(["\t".join(f"{x:.5f}" for x in row) for row in RNG.normal(size=(1503, 6))]),
        "kaggle_house_pred_train.csv": house_prices(300, True, 1),
        "kaggle_house_pred_test.csv": house_prices(100, False, 301),
    }
    for name, content in plain.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
