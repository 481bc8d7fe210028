"""Small folders of files in the forms that public datasets have, made up: two to six samples each, without what others own.
The examples of docstrings, and tests, read them. Files are the same whenever they are made."""

from __future__ import annotations

import itertools
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def image(path: Path, number: int, shape: tuple[int, ...] = (2, 3, 3)) -> None:
    """A PNG file, whatever its name, that is not compressed: its bytes are the same with any zlib."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = (np.arange(int(np.prod(shape))) + number).astype(np.uint8).reshape(shape)
    head = struct.pack(">IIBBBBB", shape[1], shape[0], 8, 2 * (len(shape) > 2), 0, 0, 0)
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 0)), (b"IEND", b""))
    parts = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))


def text(path: Path, content: str) -> None:
    """A file of text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def idx(path: Path, array: Any, kind: int = 8) -> None:
    """A file of MNIST's format: bytes, or ints of 32 bits, for which kind is 12."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack(f">I{array.ndim}I", kind << 8 | array.ndim, *array.shape) + array.tobytes())


def element(kind: int, data: bytes) -> bytes:
    """Of MATLAB's files: a small one where its bytes allow."""
    if 0 < len(data) <= 4:
        return struct.pack("<HH", kind, len(data)) + data.ljust(4, b"\0")
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matrix(value: Any, name: str = "") -> bytes:
    """An element of an array, a list of cells, a dict, as a struct, or a tuple, whose one array becomes sparse."""
    kinds = {"uint8": (9, 2), "uint16": (11, 4), "float64": (6, 9)}
    cls, shape, parts = 1, (len(value), 1), b""
    if isinstance(value, np.ndarray):
        cls, kind = kinds[value.dtype.name]
        shape, parts = value.shape, element(kind, value.tobytes(order="F"))
    elif isinstance(value, tuple):
        cls, shape, held = 5, value[0].shape, value[0].T
        starts = np.cumsum([0, *held.astype(bool).sum(1)])
        parts = element(5, np.nonzero(held)[1].astype("<i4").tobytes()) + element(5, starts.astype("<i4").tobytes())
        parts += element(kinds[held.dtype.name][1], held[held > 0].tobytes())
    elif isinstance(value, dict):
        cls, shape = 2, (1, 1)
        parts = element(5, struct.pack("<i", 32)) + element(1, b"".join(each.encode().ljust(32, b"\0") for each in value))
        parts += b"".join(map(matrix, value.values()))
    else:
        parts = b"".join(map(matrix, value))
    head = element(6, struct.pack("<II", cls, 3)) + element(5, struct.pack(f"<{len(shape)}i", *shape))
    return element(14, head + element(1, name.encode()) + parts)


def mat(path: Path, compressed: bool = False, **variables: Any) -> None:
    """A file of MATLAB's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    elements = [matrix(value, name) for name, value in variables.items()]
    packed = [zlib.compress(each) for each in elements] if compressed else []
    kept = [struct.pack("<II", 15, len(each)) + each for each in packed] or elements
    path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H2s", 0x0100, b"IM") + b"".join(kept))


def image_folder(folder: Path) -> None:
    for number, (name, k) in enumerate(itertools.product(("cat", "dog"), range(2))):
        image(folder / name / f"{k}.png", number)


def caltech256(folder: Path) -> None:
    for number, (name, k) in enumerate(itertools.product(("002.b", "001.a"), range(2)), 1):
        image(folder / name / f"{name[:3]}_000{k}.jpg", number)


def rendered_sst2(folder: Path) -> None:
    parts = itertools.product(("train", "test", "valid"), ("positive", "negative"))
    for number, (usage, name) in enumerate(parts, 5):
        image(folder / usage / name / "0001.png", number)


def sun397(folder: Path) -> None:
    text(folder / "ClassName.txt", "/b/bar\n/a/abbey\n/a/barn/inside\n")
    for number, (name, k) in enumerate(itertools.product(("a/abbey", "b/bar", "a/barn/inside"), "yx"), 11):
        image(folder / name / f"sun_{k}.jpg", number)


def food101(folder: Path) -> None:
    for number, (name, k) in enumerate(itertools.product(("pie", "apple"), (2, 1)), 17):
        image(folder / "images" / name / f"{k}.jpg", number)
    text(folder / "meta/classes.txt", "apple\npie\n")
    text(folder / "meta/train.txt", "apple/1\napple/2\npie/2\n")
    text(folder / "meta/test.txt", "pie/1\n")


def omniglot(folder: Path) -> None:
    parts = itertools.product(("alpha", "beta"), ("background", "evaluation"), ("c2", "c1"))
    for number, (name, kind, letter) in enumerate(parts, 21):
        image(folder / f"images_{kind}" / name / letter / "01.jpg", number)


def lsun(folder: Path) -> None:
    for number, (name, usage) in enumerate(itertools.product(("bedroom", "classroom"), ("train", "val")), 29):
        image(folder / f"{name}_{usage}" / "1_1.jpg", number)
    image(folder / "test/1_1.jpg", 33)


def celeba(folder: Path) -> None:
    for k in range(1, 4):
        image(folder / f"00000{k}.jpg", k)
    text(folder / "list_attr_celeba.txt", "3\nA B C\n000001.jpg -1  1 -1\n000002.jpg  1 -1 -1\n000003.jpg  1  1  1\n")
    text(folder / "list_eval_partition.txt", "000001.jpg 0\n000002.jpg 1\n000003.jpg 2\n")


def flickr(folder: Path) -> None:
    for k in range(2):
        image(folder / f"Images/{k}.jpg", k)
    text(folder / "tokens.txt", "".join(f"{k}.jpg#{i}\tA {i} of {k} .\n" for k in range(2) for i in range(5)))


def sbu(folder: Path) -> None:
    for k in range(3):
        image(folder / f"sbu_images/m_{k}_x.jpg", k)
    addresses = "".join(f"http://static.flickr.com/{k}/x.jpg\n" for k in (1, 0, 7, 2))
    text(folder / "SBU_captioned_photo_dataset_urls.txt", addresses)
    text(folder / "SBU_captioned_photo_dataset_captions.txt", "one\nzero\nseven\ntwo\n")


def places365(folder: Path) -> None:
    for k in range(2):
        image(folder / f"val_256/Places365_val_0000000{k + 1}.jpg", k)
        image(folder / f"data_256_standard/a/abbey/0000000{k + 1}.jpg", k + 5)
    text(folder / "places365_val.txt", "Places365_val_00000001.jpg 3\nPlaces365_val_00000002.jpg 1\n")
    text(folder / "categories_places365.txt", "/a/abbey 0\n/b/bar 1\n")
    text(folder / "places365_train_standard.txt", "/a/abbey/00000001.jpg 0\n/a/abbey/00000002.jpg 0\n")


def manifest(folder: Path) -> None:
    for k in range(3):
        image(folder / f"{k}.jpg", k)
    rows = [("TRAIN", "cat", 0), ("train", "ant", 1), ("eval", "cat", 2)]
    said = [{"source": f"{folder}/{k}.jpg", "usage": u, "annotation": [{"name": n}]} for u, n, k in rows]
    text(folder / "list", "".join(json.dumps(each) + "\n" for each in said))


def div2k(folder: Path) -> None:
    for k, name in enumerate(("0001", "0002")):
        image(folder / f"DIV2K_train_HR/{name}.png", k)
        image(folder / f"DIV2K_train_LR_bicubic/X2/{name}x2.png", k + 9)
        image(folder / f"DIV2K_valid_HR/{name}.png", k + 20)
        image(folder / f"DIV2K_valid_LR_bicubic/X2/{name}x2.png", k + 29)
        image(folder / f"DIV2K_train_LR_mild/{name}x4m.png", k + 39)
        image(folder / f"DIV2K_valid_LR_wild/{name}x4w.png", k + 49)
        for number in range(1, 5):
            image(folder / f"DIV2K_train_LR_wild/{name}x4w{number}.png", k + 49 + number)


def cityscapes(folder: Path) -> None:
    for k, usage in enumerate(("train", "val", "test")):
        for city in ("ulm", "bonn"):
            start = f"{usage}/{city}/{city}_000000_000019"
            image(folder / f"leftImg8bit/{start}_leftImg8bit.png", k)
            for what, ending in (("color", "color"), ("instance", "instanceIds"), ("semantic", "labelIds")):
                image(folder / f"gtFine/{start}_gtFine_{ending}.png", k + len(what) + len(city), (2, 3))
            text(folder / f"gtFine/{start}_gtFine_polygons.json", json.dumps({"city": city, "usage": usage}))


def lfw(folder: Path) -> None:
    people = [("Ann_B", 3), ("Bob_C", 2), ("Cy_D", 1)]
    for name, count in people:
        for k in range(1, count + 1):
            image(folder / f"lfw_funneled/{name}/{name}_000{k}.jpg", k + len(name))
    text(folder / "lfw-names.txt", "".join(f"{name}\t{count}\n" for name, count in people))
    text(folder / "peopleDevTrain.txt", "2\nAnn_B\t3\nBob_C\t2\n")
    text(folder / "peopleDevTest.txt", "1\nCy_D\t1\n")
    text(folder / "pairsDevTrain.txt", "1\nAnn_B\t1\t3\nAnn_B\t2\tBob_C\t1\n")
    text(folder / "pairsDevTest.txt", "1\nBob_C\t1\t2\nCy_D\t1\tBob_C\t2\n")


def voc(folder: Path) -> None:
    boxes = [("dog", 1, 2, 3, 4, 0, 1), ("cat", 5, 6, 9, 11, 1, 0)]
    for k in range(2):
        image(folder / f"JPEGImages/{k}.jpg", k)
        image(folder / f"SegmentationClass/{k}.png", k + 30)
        objects = "".join(
            f"<object><name>{n}</name><truncated>{t}</truncated><difficult>{d}</difficult><bndbox><xmin>{a}</xmin>"
            f"<ymin>{b}</ymin><xmax>{c}</xmax><ymax>{e}</ymax></bndbox></object>"
            for n, a, b, c, e, d, t in boxes[: k + 1]
        )
        text(folder / f"Annotations/{k}.xml", f"<annotation><filename>{k}.jpg</filename>{objects}</annotation>")
    text(folder / "ImageSets/Main/train.txt", "1\n0\n")
    text(folder / "ImageSets/Segmentation/train.txt", "1\n0\n")


def coco(folder: Path) -> None:
    for k in range(3):
        image(folder / f"images/{k}.jpg", k)
    images = [{"id": k + 7, "file_name": f"{k}.jpg", "width": 3, "height": 2} for k in (2, 0, 1)]
    kinds = [{"id": k, "name": name, "supercategory": "x", "isthing": k % 2} for k, name in ((3, "c"), (1, "a"))]
    found: list[dict[str, Any]] = [
        {"image_id": image, "category_id": kind, "bbox": [1.5, 2, 3, k], "iscrowd": k % 2, "area": 6.0, "id": 100 + k}
        for k, (image, kind) in enumerate(((8, 3), (7, 1), (8, 1)))
    ]
    for each in found:
        outline = [[1, 2, 3, 4, 5, each["id"]], [7, 8, 9, 10]]
        each["segmentation"] = {"counts": [1, 2, 3], "size": [2, 3]} if each["iscrowd"] else outline
        each |= {"num_keypoints": 1, "keypoints": [1, 2, each["id"]]}
    captions = [{"image_id": image, "id": k, "caption": f"words {k}"} for k, image in enumerate((8, 7, 8))]
    segments: list[dict[str, Any]] = [
        {"id": 1, "category_id": 3, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 5},
        {"id": 2, "category_id": 1, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 5},
    ]
    panoptic = [{"image_id": 7, "file_name": "0.jpg", "segments_info": segments}]
    whole = {"images": images, "categories": kinds}
    for name, said in (("instances", found), ("captions", captions), ("panoptic", panoptic)):
        text(folder / f"{name}.json", json.dumps({**whole, "annotations": said}))


def wider_face(folder: Path) -> None:
    for k, usage in enumerate(("train", "val")):
        image(folder / f"WIDER_{usage}/images/0--Parade/{k}.jpg", k)
        image(folder / f"WIDER_{usage}/images/1--Riot/{k}.jpg", k + 5)
        faces = "1 2 3 4 0 1 0 0 1 0 \n5 6 7 8 2 0 1 0 2 1 \n"
        said = f"1--Riot/{k}.jpg\n2\n{faces}0--Parade/{k}.jpg\n1\n9 8 7 6 1 1 1 1 1 1 \n"
        text(folder / f"wider_face_split/wider_face_{usage}_bbx_gt.txt", said)
    image(folder / "WIDER_test/images/0--Parade/9.jpg", 9)
    text(folder / "wider_face_split/wider_face_test_filelist.txt", "0--Parade/9.jpg\n")


def kitti(folder: Path) -> None:
    kinds = ["Tram", "Misc"], ["Car", "Cyclist", "DontCare", "Pedestrian", "Person_sitting", "Truck", "Van"]
    line = "0.5 1 -1.57 1.5 2.5 3.5 4.5 1.8 2.1 4.8 -1.7 2.3 9.7 -1.6"
    for k in range(2):
        for usage in ("training", "testing"):
            image(folder / f"data_object_image_2/{usage}/image_2/00000{k}.png", k)
        label = "".join(f"{name} {line}\n" for name in kinds[k])
        text(folder / f"data_object_label_2/training/label_2/00000{k}.txt", label)


_DIGITS = np.arange(2 * 28 * 28).astype(np.uint8).reshape(2, 28, 28)


def mnist(folder: Path) -> None:
    for part, labels in (("train", [5, 0]), ("t10k", [7, 2])):
        idx(folder / f"{part}-images-idx3-ubyte", _DIGITS)
        idx(folder / f"{part}-labels-idx1-ubyte", np.array(labels, np.uint8))


def emnist(folder: Path) -> None:
    for part in ("train", "test"):
        idx(folder / f"emnist-digits-{part}-images-idx3-ubyte", _DIGITS)
        idx(folder / f"emnist-digits-{part}-labels-idx1-ubyte", np.array([3, len(part)], np.uint8))


def qmnist(folder: Path) -> None:
    for name in ("qmnist-train", "qmnist-test", "xnist"):
        idx(folder / f"{name}-images-idx3-ubyte", _DIGITS)
        idx(folder / f"{name}-labels-idx2-int", (np.arange(16).reshape(2, 8) + len(name)).astype(">u4"), 12)


def _cifar(path: Path, labels: list[list[int]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.arange(3072 * len(labels)).astype(np.uint8).reshape(len(labels), 3072)
    np.concatenate([np.array(labels, np.uint8), pixels], 1).tofile(path)


def cifar10(folder: Path) -> None:
    _cifar(folder / "data_batch_1.bin", [[6], [9]])
    _cifar(folder / "test_batch.bin", [[3], [8]])


def cifar100(folder: Path) -> None:
    _cifar(folder / "train.bin", [[11, 19], [15, 29]])
    _cifar(folder / "test.bin", [[10, 49], [10, 33]])


def stl10(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "test", "unlabeled"):
        np.arange(2 * 3 * 96 * 96).astype(np.uint8).tofile(folder / f"{part}_X.bin")
        if part != "unlabeled":
            np.array([1, 10], np.uint8).tofile(folder / f"{part}_y.bin")


def usps(folder: Path) -> None:
    lines = "".join(f"{k} " + " ".join(f"{i}:{(i % 5) / 2 - 1:.4f}" for i in range(1, 257)) + " \n" for k in (1, 10))
    text(folder / "usps", lines)
    text(folder / "usps.t", lines.replace("1 1:", "7 1:", 1))


def semeion(folder: Path) -> None:
    lines = [
        " ".join(f"{(i + k) % 2}.0000" for i in range(256)) + " " + " ".join(str(int(i == k)) for i in range(10))
        for k in (3, 0)
    ]
    text(folder / "semeion.data", "".join(f"{line} \n" for line in lines))


def photo_tour(folder: Path) -> None:
    image(folder / "liberty/patches0000.bmp", 0, (1024, 1024))
    text(folder / "liberty/info.txt", "0 0\n5 0\n7 0\n")
    text(folder / "liberty/m50_100000_100000_0.txt", "0 4 0 1 4 0 0\n1 5 0 2 6 0 0\n")


def svhn(folder: Path) -> None:
    for k, part in enumerate(("train", "test", "extra")):
        pixels = (np.arange(32 * 32 * 3 * 2) + k).astype(np.uint8).reshape(32, 32, 3, 2)
        mat(folder / f"{part}_32x32.mat", k > 0, X=pixels, y=np.array([[10], [k + 1]], np.uint8))


def sbd(folder: Path) -> None:
    for k, name in enumerate(("2008_1", "2008_2", "2008_3")):
        image(folder / f"img/{name}.jpg", k)
        areas = np.arange(6, dtype=np.uint8).reshape(2, 3) + k
        edges = [((np.arange(6).reshape(2, 3) % (c + 2) == 1).astype(np.uint8),) for c in range(20)]
        said = {"Boundaries": edges, "Segmentation": areas, "CategoriesPresent": np.array([[3.0 + k]])}
        mat(folder / f"cls/{name}.mat", k == 1, GTcls=said)
    for part, names in (("train", "2008_2\n2008_1\n"), ("val", "2008_3\n"), ("train_noval", "2008_1\n")):
        text(folder / f"{part}.txt", names)


def flowers102(folder: Path) -> None:
    for k in range(1, 5):
        image(folder / f"jpg/image_{k:05d}.jpg", k)
        image(folder / f"segmim/segmim_{k:05d}.jpg", k + 20)
    mat(folder / "imagelabels.mat", labels=np.array([[77, 1, 102, 3]], np.uint8))
    parts = {"trnid": [[3, 1]], "valid": [[2]], "tstid": [[4]]}
    mat(folder / "setid.mat", True, **{name: np.array(each, np.uint16) for name, each in parts.items()})


def caltech101(folder: Path) -> None:
    for k, name in enumerate(("Faces", "ant", "BACKGROUND_Google")):
        for number in range(1, 3):
            image(folder / f"101_ObjectCategories/{name}/image_{number:04d}.jpg", 3 * k + number)
            outline = np.arange(8.0).reshape(2, 4) / 2 + k + number
            path = folder / f"Annotations/{'Faces_2' if name == 'Faces' else name}/annotation_{number:04d}.mat"
            mat(path, number == 1, box_coord=np.array([[2, 300, 1, 260]], np.uint16), obj_contour=outline)


def _talks(folder: Path, name: str, sets: tuple[str, ...]) -> None:
    """Talks, and their translations."""
    for language in ("de", "en"):
        lines = [f"<{tag}>x</{tag}>" for tag in ("url", "keywords", "speaker", "talkid", "title", "description")]
        lines += ["<reviewer>r</reviewer>", "<translator>t</translator>", '<doc docid="1">']
        lines += [f"{language} one ", f"  {language} two &amp; <b>x</b>", "</doc>", f"{language} last"]
        segments = f'<seg id="1"> {language} &amp; é </seg>\n<seg id="2">{language} two</seg>'
        xml = f"<mteval>\n<refset>\n<doc>\n<title>t</title>\n{segments}\n</doc>\n<doc>{segments}</doc></refset></mteval>\n"
        text(folder / f"train.tags.de-en.{language}", "\n".join(lines))
        for each in sets:
            text(folder / f"{name}.TED.{each}.de-en.{language}.xml", xml.replace("two", each))


def iwslt2016(folder: Path) -> None:
    _talks(folder / "texts/de/en/de-en", "IWSLT16", ("tst2013", "tst2014", "dev2010"))


def iwslt2017(folder: Path) -> None:
    _talks(folder / "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo", "IWSLT17", ("dev2010", "tst2010"))


def _of_csv(columns: int) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        for usage in ("train", "test"):
            rows = [[str(k), *(f'{usage} {k}, ""{c}"" \\n' for c in range(1, columns))] for k in (1, 2)]
            text(folder / f"{usage}.csv", "".join(",".join(f'"{v}"' for v in row) + "\n" for row in rows))

    return make


def ptb(folder: Path) -> None:
    for usage in ("train", "test", "valid"):
        text(folder / f"ptb.{usage}.txt", f" aer {usage} \n N years <unk>\n\n")


def wikitext(folder: Path) -> None:
    for usage in ("train", "test", "valid"):
        text(folder / f"wiki.{usage}.tokens", f" \n = Title {usage} = \n \n words , here . \n\n")


def enwik9(folder: Path) -> None:
    text(folder / "enwik9", "<mediawiki>\n\n  <siteinfo>\n")


def sst2(folder: Path) -> None:
    text(folder / "train.tsv", "sentence\tlabel\nhide new \t0\nloves it \t1\n")
    text(folder / "dev.tsv", "sentence\tlabel\na ride . \t1\n")
    text(folder / "test.tsv", "index\tsentence\n0\tuneasy mishmash .\n1\tgood , too .\n")


def squad(folder: Path) -> None:
    answers = [{"text": "an answer", "answer_start": 5}, {"text": "answer", "answer_start": 8}]
    asked = [{"question": "what?", "answers": answers}, {"question": "none?", "answers": []}]
    paragraph = {"context": "this is context", "qas": asked}
    for usage in ("train", "dev"):
        article = {"title": usage, "paragraphs": [paragraph, {"context": usage, "qas": asked[:1]}]}
        text(folder / f"{usage}-v1.1.json", json.dumps({"version": "1.1", "data": [article]}))


def conll2000(folder: Path) -> None:
    for usage in ("train", "test"):
        text(folder / f"{usage}.txt", f"Rock NNP B-NP\nis VBZ B-VP\n\n{usage} NN I-NP\n\n")


def udpos(folder: Path) -> None:
    for usage in ("train", "dev", "test"):
        text(folder / f"en-ud-tag.v2.{usage}.txt", f"From\tADP\tIN\nthe\tDET\tDT\n\n{usage}\tNOUN\tNN\n\n")


def multi30k(folder: Path) -> None:
    for part, name in (("training", "train"), ("validation", "val"), ("mmt16_task1_test", "test")):
        for language in ("de", "en"):
            text(folder / part / f"{name}.{language}", f"{language} one {name}.\n{language} two.\n")


def imdb(folder: Path) -> None:
    for usage, kind, k in itertools.product(("train", "test"), ("neg", "pos"), (1, 0)):
        text(folder / usage / kind / f"{k}_9.txt", f"{usage} {kind} {k}")


def clue(folder: Path) -> None:
    both = {"sentence1": "a", "sentence2": "b", "label": "0"}
    target = {"span1_index": 1, "span1_text": "x", "span2_index": 3, "span2_text": "y"}
    lines: dict[str, dict[str, Any]] = {
        "afqmc": both,
        "tnews": {"label": "102", "label_desc": "news", "sentence": "s", "keywords": "k"},
        "iflytek": {"label": "11", "label_des": "x", "sentence": "s"},
        "cmnli": both,
        "wsc": {"target": target, "idx": 1, "label": "true", "text": "t"},
        "csl": {"id": 1, "abst": "abs", "keyword": ["k", "l"], "label": "1"},
    }
    for task, line in lines.items():
        text(folder / f"{task}.json", (json.dumps({**line, "id": 7}) + "\n") * 2)


def vectors(folder: Path) -> None:
    """Of GloVe, fastText, and runs of characters."""
    text(folder / "glove.2d.txt", "ok 1 2\nbye 3 4\n")
    text(folder / "wiki.vec", "2 2\nok 1 2\nbye 3 4\n")
    text(folder / "ngrams.txt", "2gram-ok 1 2\n2gram-#BEGIN#o 3 4\n")


def jieba(folder: Path) -> None:
    """A dictionary, and a hidden Markov model."""
    text(folder / "dict.utf8", "北京 60 ns\n大学 50 n\n北京大学 5 nt\n我 100 r\n来到 30 v\n")
    never = "-3.14e+100"
    rows = [("-0.26", never, never, "-1.47"), (never, "-0.51", "-0.92", never), ("-0.59", never, never, "-0.81")]
    rows += [(never, "-0.33", "-1.26", never), ("-0.72", never, never, "-0.67")]
    emitted = ["小:-3.1,明:-4.0", "明:-3.5", "大:-3.0", "我:-2.0"]
    text(folder / "hmm.utf8", "\n".join([*(" ".join(row) for row in rows), *emitted]) + "\n")


def tfrecord(folder: Path) -> None:
    from emberjit.protobuf import field, varint
    from emberjit.tfrecord import framed

    records = []
    for k in range(3):
        kinds = {"label": field(3, field(1, varint(k))), "x": field(2, field(1, struct.pack("<2f", k, k + 0.5)))}
        features = b"".join(field(1, field(1, name) + field(2, value)) for name, value in kinds.items())
        records.append(framed(field(1, features)))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rows.tfrecord").write_bytes(b"".join(records))


def graph(folder: Path) -> None:
    """Nodes 1 and 2 of type 0, node 3 of type 1, an edge from 1 to 3 and one from 2 to 3; a feature of nodes."""
    from emberjit.mindrecord import FileWriter

    schema: dict[str, Any] = {name: {"type": "int64"} for name in ("first_id", "second_id", "third_id")}
    schema |= {"type": {"type": "int32"}, "attribute": {"type": "string"}, "weight": {"type": "float32"}}
    schema |= {f"{what}_feature_index": {"type": "int32", "shape": [-1]} for what in ("node", "edge")}
    schema |= {"node_feature_1": {"type": "float32", "shape": [-1]}}
    none = {"node_feature_index": np.int32([-1]), "edge_feature_index": np.int32([-1]), "weight": 1.0}
    rows: list[dict[str, Any]] = [
        {**none, "first_id": k, "second_id": 0, "third_id": 0, "type": int(k == 3), "attribute": "n"}
        | {"node_feature_index": np.int32([1]), "node_feature_1": np.float32([k, k / 2])}
        for k in (1, 2, 3)
    ]
    for k, start in enumerate((1, 2)):
        edge = {"first_id": k, "second_id": start, "third_id": 3, "type": 0, "attribute": "e"}
        rows.append({**none, **edge, "node_feature_1": np.float32([0])})
    folder.mkdir(parents=True, exist_ok=True)
    writer = FileWriter(str(folder / "graph.mindrecord"), overwrite=True)
    writer.add_schema(schema, "a graph")
    writer.write_raw_data(rows)
    writer.commit()


_OF_CSV = {"ag_news": 3, "amazon": 3, "dbpedia": 3, "sogou": 3, "yahoo": 4, "yelp": 2}
_OTHERS = (
    *(image_folder, caltech101, caltech256, celeba, cifar10, cifar100, cityscapes, clue, coco, conll2000, div2k, emnist),
    *(enwik9, flickr, flowers102, food101, graph, imdb, iwslt2016, iwslt2017, jieba, kitti, lfw, lsun, manifest, mnist),
    *(multi30k, omniglot, photo_tour, places365, ptb, qmnist, rendered_sst2, sbd, sbu, semeion, squad, sst2, stl10, sun397),
    *(svhn, tfrecord, udpos, usps, vectors, voc, wider_face, wikitext),
)
FORMATS: dict[str, Callable[[Path], None]] = {make.__name__: make for make in _OTHERS}
FORMATS |= {name: _of_csv(columns) for name, columns in _OF_CSV.items()}


def example_data(name: str) -> str:
    """Makes a small folder of a format in the current one, and returns its path.

    Args:
        name: the format, and the folder's name: a key of FORMATS.
    """
    FORMATS[name](Path(name))
    return name
