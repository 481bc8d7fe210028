"""Folders of files in the forms that public datasets have, made up; and what datasets of them give. With an environment that
has mindspore 2.10, `PYTHON tests/python/data/dataset_folders.py` records what MindSpore's give, which
test_dataset_folders.py compares."""

from __future__ import annotations

import contextlib
import json
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).with_name("dataset_folders.json")
MADE_UP_DATA = Path(__file__).parents[3] / "tools" / "made_up_data.py"


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
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def idx(path: Path, array: Any, kind: int = 8) -> None:
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


def classes(root: Path) -> None:
    """Images in folders of classes, and lists of them."""
    number = 0
    for name in ("002.b", "001.a"):
        for k in range(2):
            image(root / "caltech256" / name / f"{name[:3]}_000{k}.jpg", number := number + 1)
    for usage in ("train", "test", "valid"):
        for name in ("positive", "negative"):
            image(root / "rendered_sst2" / usage / name / "0001.png", number := number + 1)
    text(root / "sun397/ClassName.txt", "/b/bar\n/a/abbey\n/a/barn/inside\n")
    for name in ("a/abbey", "b/bar", "a/barn/inside"):
        for k in "yx":
            image(root / "sun397" / name / f"sun_{k}.jpg", number := number + 1)
    for name in ("pie", "apple"):
        for k in (2, 1):
            image(root / "food101/images" / name / f"{k}.jpg", number := number + 1)
    text(root / "food101/meta/classes.txt", "apple\npie\n")
    text(root / "food101/meta/train.txt", "apple/1\napple/2\npie/2\n")
    text(root / "food101/meta/test.txt", "pie/1\n")
    for name in ("alpha", "beta"):
        for kind in ("background", "evaluation"):
            for letter in ("c2", "c1"):
                image(root / f"omniglot/images_{kind}" / name / letter / "01.jpg", number := number + 1)
    for name in ("bedroom", "classroom"):
        for usage in ("train", "val"):
            image(root / "lsun" / f"{name}_{usage}" / "1_1.jpg", number := number + 1)
    image(root / "lsun/test/1_1.jpg", number + 1)


def lists(root: Path) -> None:
    """Images that files say something of."""
    for k in range(1, 4):
        image(root / f"celeba/00000{k}.jpg", k)
    text(root / "celeba/list_attr_celeba.txt", "3\nA B C\n000001.jpg -1  1 -1\n000002.jpg  1 -1 -1\n000003.jpg  1  1  1\n")
    text(root / "celeba/list_eval_partition.txt", "000001.jpg 0\n000002.jpg 1\n000003.jpg 2\n")
    for k in range(2):
        image(root / f"flickr/Images/{k}.jpg", k)
    text(root / "flickr/tokens.txt", "".join(f"{k}.jpg#{i}\tA {i} of {k} .\n" for k in range(2) for i in range(5)))
    for k in range(3):
        image(root / f"sbu/sbu_images/m_{k}_x.jpg", k)
    text(
        root / "sbu/SBU_captioned_photo_dataset_urls.txt",
        "".join(f"http://static.flickr.com/{k}/x.jpg\n" for k in (1, 0, 7, 2)),
    )
    text(root / "sbu/SBU_captioned_photo_dataset_captions.txt", "one\nzero\nseven\ntwo\n")
    for k in range(2):
        image(root / f"places365/val_256/Places365_val_0000000{k + 1}.jpg", k)
        image(root / f"places365/data_256_standard/a/abbey/0000000{k + 1}.jpg", k + 5)
    text(root / "places365/places365_val.txt", "Places365_val_00000001.jpg 3\nPlaces365_val_00000002.jpg 1\n")
    text(root / "places365/categories_places365.txt", "/a/abbey 0\n/b/bar 1\n")
    text(root / "places365/places365_train_standard.txt", "/a/abbey/00000001.jpg 0\n/a/abbey/00000002.jpg 0\n")
    for k in range(3):
        image(root / f"manifest/{k}.jpg", k)
    rows = [("TRAIN", "cat", 0), ("train", "ant", 1), ("eval", "cat", 2)]
    said = [{"source": f"{root}/manifest/{k}.jpg", "usage": u, "annotation": [{"name": n}]} for u, n, k in rows]
    text(root / "manifest/list", "".join(json.dumps(each) + "\n" for each in said))
    for k, name in enumerate(("0001", "0002")):
        image(root / f"div2k/DIV2K_train_HR/{name}.png", k)
        image(root / f"div2k/DIV2K_train_LR_bicubic/X2/{name}x2.png", k + 9)
        image(root / f"div2k/DIV2K_valid_HR/{name}.png", k + 20)
        image(root / f"div2k/DIV2K_valid_LR_bicubic/X2/{name}x2.png", k + 29)
        image(root / f"div2k/DIV2K_train_LR_mild/{name}x4m.png", k + 39)
        image(root / f"div2k/DIV2K_valid_LR_wild/{name}x4w.png", k + 49)
        for number in range(1, 5):
            image(root / f"div2k/DIV2K_train_LR_wild/{name}x4w{number}.png", k + 49 + number)
    for k, usage in enumerate(("train", "val", "test")):
        for city in ("ulm", "bonn"):
            start = f"{usage}/{city}/{city}_000000_000019"
            image(root / f"cityscapes/leftImg8bit/{start}_leftImg8bit.png", k)
            for what, ending in (("color", "color"), ("instance", "instanceIds"), ("semantic", "labelIds")):
                image(root / f"cityscapes/gtFine/{start}_gtFine_{ending}.png", k + len(what) + len(city), (2, 3))
            text(root / f"cityscapes/gtFine/{start}_gtFine_polygons.json", json.dumps({"city": city, "usage": usage}))
    people = [("Ann_B", 3), ("Bob_C", 2), ("Cy_D", 1)]
    for name, count in people:
        for k in range(1, count + 1):
            image(root / f"lfw/lfw_funneled/{name}/{name}_000{k}.jpg", k + len(name))
    text(root / "lfw/lfw-names.txt", "".join(f"{name}\t{count}\n" for name, count in people))
    text(root / "lfw/peopleDevTrain.txt", "2\nAnn_B\t3\nBob_C\t2\n")
    text(root / "lfw/peopleDevTest.txt", "1\nCy_D\t1\n")
    text(root / "lfw/pairsDevTrain.txt", "1\nAnn_B\t1\t3\nAnn_B\t2\tBob_C\t1\n")
    text(root / "lfw/pairsDevTest.txt", "1\nBob_C\t1\t2\nCy_D\t1\tBob_C\t2\n")


def detection(root: Path) -> None:
    """Images with boxes."""
    boxes = [("dog", 1, 2, 3, 4, 0, 1), ("cat", 5, 6, 9, 11, 1, 0)]
    for k in range(2):
        image(root / f"voc/JPEGImages/{k}.jpg", k)
        image(root / f"voc/SegmentationClass/{k}.png", k + 30)
        objects = "".join(
            f"<object><name>{n}</name><truncated>{t}</truncated><difficult>{d}</difficult><bndbox><xmin>{a}</xmin>"
            f"<ymin>{b}</ymin><xmax>{c}</xmax><ymax>{e}</ymax></bndbox></object>"
            for n, a, b, c, e, d, t in boxes[: k + 1]
        )
        text(root / f"voc/Annotations/{k}.xml", f"<annotation><filename>{k}.jpg</filename>{objects}</annotation>")
    text(root / "voc/ImageSets/Main/train.txt", "1\n0\n")
    text(root / "voc/ImageSets/Segmentation/train.txt", "1\n0\n")
    for k in range(3):
        image(root / f"coco/images/{k}.jpg", k)
    images = [{"id": k + 7, "file_name": f"{k}.jpg", "width": 3, "height": 2} for k in (2, 0, 1)]
    kinds = [{"id": k, "name": name, "supercategory": "x", "isthing": k % 2} for k, name in ((3, "c"), (1, "a"))]
    found = [
        {"image_id": image, "category_id": kind, "bbox": [1.5, 2, 3, k], "iscrowd": k % 2, "area": 6.0, "id": 100 + k}
        for k, (image, kind) in enumerate(((8, 3), (7, 1), (8, 1)))
    ]
    for each in found:
        outline = [[1, 2, 3, 4, 5, each["id"]], [7, 8, 9, 10]]
        each["segmentation"] = {"counts": [1, 2, 3], "size": [2, 3]} if each["iscrowd"] else outline
        each |= {"num_keypoints": 1, "keypoints": [1, 2, each["id"]]}
    captions = [{"image_id": image, "id": k, "caption": f"words {k}"} for k, image in enumerate((8, 7, 8))]
    segments = [{"id": 1, "category_id": 3, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 5}, {"id": 2, "category_id": 1}]
    segments[1] = {**segments[0], **segments[1]}
    panoptic = [{"image_id": 7, "file_name": "0.jpg", "segments_info": segments}]
    whole = {"images": images, "categories": kinds}
    for name, said in (("instances", found), ("captions", captions), ("panoptic", panoptic)):
        text(root / f"coco/{name}.json", json.dumps({**whole, "annotations": said}))
    for k, usage in enumerate(("train", "val")):
        image(root / f"wider_face/WIDER_{usage}/images/0--Parade/{k}.jpg", k)
        image(root / f"wider_face/WIDER_{usage}/images/1--Riot/{k}.jpg", k + 5)
        faces = "1 2 3 4 0 1 0 0 1 0 \n5 6 7 8 2 0 1 0 2 1 \n"
        said = f"1--Riot/{k}.jpg\n2\n{faces}0--Parade/{k}.jpg\n1\n9 8 7 6 1 1 1 1 1 1 \n"
        text(root / f"wider_face/wider_face_split/wider_face_{usage}_bbx_gt.txt", said)
    image(root / "wider_face/WIDER_test/images/0--Parade/9.jpg", 9)
    text(root / "wider_face/wider_face_split/wider_face_test_filelist.txt", "0--Parade/9.jpg\n")
    for k in range(2):
        for usage in ("training", "testing"):
            image(root / f"kitti/data_object_image_2/{usage}/image_2/00000{k}.png", k)
        line = "0.5 1 -1.57 1.5 2.5 3.5 4.5 1.8 2.1 4.8 -1.7 2.3 9.7 -1.6"
        kinds = ["Tram", "Misc"], ["Car", "Cyclist", "DontCare", "Pedestrian", "Person_sitting", "Truck", "Van"]
        label = "".join(f"{name} {line}\n" for name in kinds[k])
        text(root / f"kitti/data_object_label_2/training/label_2/00000{k}.txt", label)


def arrays(root: Path) -> None:
    """Images in few files."""
    pixels = np.arange(2 * 28 * 28).astype(np.uint8).reshape(2, 28, 28)
    for part in ("train", "test"):
        idx(root / f"emnist/emnist-digits-{part}-images-idx3-ubyte", pixels)
        idx(root / f"emnist/emnist-digits-{part}-labels-idx1-ubyte", np.array([3, len(part)], np.uint8))
    for name in ("qmnist-train", "qmnist-test", "xnist"):
        idx(root / f"qmnist/{name}-images-idx3-ubyte", pixels)
        idx(root / f"qmnist/{name}-labels-idx2-int", (np.arange(16).reshape(2, 8) + len(name)).astype(">u4"), 12)
    stl = np.arange(2 * 3 * 96 * 96).astype(np.uint8)
    for part in ("train", "test", "unlabeled"):
        (root / "stl10").mkdir(exist_ok=True)
        stl.tofile(root / f"stl10/{part}_X.bin")
        if part != "unlabeled":
            np.array([1, 10], np.uint8).tofile(root / f"stl10/{part}_y.bin")
    usps = "".join(f"{k} " + " ".join(f"{i}:{(i % 5) / 2 - 1:.4f}" for i in range(1, 257)) + " \n" for k in (1, 10))
    text(root / "usps/usps", usps)
    text(root / "usps/usps.t", usps.replace("1 1:", "7 1:", 1))
    lines = [
        " ".join(f"{(i + k) % 2}.0000" for i in range(256)) + " " + " ".join(str(int(i == k)) for i in range(10))
        for k in (3, 0)
    ]
    text(root / "semeion/semeion.data", "".join(f"{line} \n" for line in lines))
    image(root / "photo_tour/liberty/patches0000.bmp", 0, (1024, 1024))
    text(root / "photo_tour/liberty/info.txt", "0 0\n5 0\n7 0\n")
    text(root / "photo_tour/liberty/m50_100000_100000_0.txt", "0 4 0 1 4 0 0\n1 5 0 2 6 0 0\n")


def matlab(root: Path) -> None:
    """Images of which MATLAB's files say something."""
    for k, part in enumerate(("train", "test", "extra")):
        pixels = (np.arange(32 * 32 * 3 * 2) + k).astype(np.uint8).reshape(32, 32, 3, 2)
        mat(root / f"svhn/{part}_32x32.mat", k > 0, X=pixels, y=np.array([[10], [k + 1]], np.uint8))
    for k, name in enumerate(("2008_1", "2008_2", "2008_3")):
        image(root / f"sbd/img/{name}.jpg", k)
        areas = np.arange(6, dtype=np.uint8).reshape(2, 3) + k
        edges = [((np.arange(6).reshape(2, 3) % (c + 2) == 1).astype(np.uint8),) for c in range(20)]
        said = {"Boundaries": edges, "Segmentation": areas, "CategoriesPresent": np.array([[3.0 + k]])}
        mat(root / f"sbd/cls/{name}.mat", k == 1, GTcls=said)
    for part, names in (("train", "2008_2\n2008_1\n"), ("val", "2008_3\n"), ("train_noval", "2008_1\n")):
        text(root / f"sbd/{part}.txt", names)
    for k in range(1, 5):
        image(root / f"flowers102/jpg/image_{k:05d}.jpg", k)
        image(root / f"flowers102/segmim/segmim_{k:05d}.jpg", k + 20)
    mat(root / "flowers102/imagelabels.mat", labels=np.array([[77, 1, 102, 3]], np.uint8))
    parts = {"trnid": [[3, 1]], "valid": [[2]], "tstid": [[4]]}
    mat(root / "flowers102/setid.mat", True, **{name: np.array(each, np.uint16) for name, each in parts.items()})
    for k, name in enumerate(("Faces", "ant", "BACKGROUND_Google")):
        for number in range(1, 3):
            image(root / f"caltech101/101_ObjectCategories/{name}/image_{number:04d}.jpg", 3 * k + number)
            outline = np.arange(8.0).reshape(2, 4) / 2 + k + number
            path = root / f"caltech101/Annotations/{'Faces_2' if name == 'Faces' else name}/annotation_{number:04d}.mat"
            mat(path, number == 1, box_coord=np.array([[2, 300, 1, 260]], np.uint16), obj_contour=outline)


def talks(root: Path) -> None:
    """Talks, and their translations."""
    for language in ("de", "en"):
        lines = [f"<{tag}>x</{tag}>" for tag in ("url", "keywords", "speaker", "talkid", "title", "description")]
        lines += ["<reviewer>r</reviewer>", "<translator>t</translator>", '<doc docid="1">']
        lines += [f"{language} one ", f"  {language} two &amp; <b>x</b>", "</doc>", f"{language} last"]
        segments = f'<seg id="1"> {language} &amp; é </seg>\n<seg id="2">{language} two</seg>'
        xml = f"<mteval>\n<refset>\n<doc>\n<title>t</title>\n{segments}\n</doc>\n<doc>{segments}</doc></refset></mteval>\n"
        for folder, name, sets in (
            ("iwslt2016/texts/de/en/de-en", "IWSLT16", ("tst2013", "tst2014", "dev2010")),
            ("iwslt2017/texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo", "IWSLT17", ("dev2010", "tst2010")),
        ):
            text(root / folder / f"train.tags.de-en.{language}", "\n".join(lines))
            for each in sets:
                text(root / folder / f"{name}.TED.{each}.de-en.{language}.xml", xml.replace("two", each))


def texts(root: Path) -> None:
    for name, columns in (("ag_news", 3), ("amazon", 3), ("dbpedia", 3), ("sogou", 3), ("yahoo", 4), ("yelp", 2)):
        for usage in ("train", "test"):
            rows = [[str(k), *(f'{usage} {k}, ""{c}"" \\n' for c in range(1, columns))] for k in (1, 2)]
            text(root / name / f"{usage}.csv", "".join(",".join(f'"{v}"' for v in row) + "\n" for row in rows))
    for usage in ("train", "test", "valid"):
        text(root / f"ptb/ptb.{usage}.txt", f" aer {usage} \n N years <unk>\n\n")
        text(root / f"wikitext/wiki.{usage}.tokens", f" \n = Title {usage} = \n \n words , here . \n\n")
    text(root / "enwik9/enwik9", "<mediawiki>\n\n  <siteinfo>\n")
    text(root / "sst2/train.tsv", "sentence\tlabel\nhide new \t0\nloves it \t1\n")
    text(root / "sst2/dev.tsv", "sentence\tlabel\na ride . \t1\n")
    text(root / "sst2/test.tsv", "index\tsentence\n0\tuneasy mishmash .\n1\tgood , too .\n")
    answers = [{"text": "an answer", "answer_start": 5}, {"text": "answer", "answer_start": 8}]
    asked = [{"question": "what?", "answers": answers}, {"question": "none?", "answers": []}]
    paragraph = {"context": "this is context", "qas": asked}
    for usage in ("train", "dev"):
        article = {"title": usage, "paragraphs": [paragraph, {"context": usage, "qas": asked[:1]}]}
        text(root / f"squad/{usage}-v1.1.json", json.dumps({"version": "1.1", "data": [article]}))
    for usage in ("train", "test"):
        text(root / f"conll2000/{usage}.txt", f"Rock NNP B-NP\nis VBZ B-VP\n\n{usage} NN I-NP\n\n")
    for usage, name in (("train", "train"), ("dev", "dev"), ("test", "test")):
        text(root / f"udpos/en-ud-tag.v2.{name}.txt", f"From\tADP\tIN\nthe\tDET\tDT\n\n{usage}\tNOUN\tNN\n\n")
    for folder, name in (("training", "train"), ("validation", "val"), ("mmt16_task1_test", "test")):
        for language in ("de", "en"):
            text(root / f"multi30k/{folder}/{name}.{language}", f"{language} one {name}.\n{language} two.\n")
    for usage in ("train", "test"):
        for kind in ("neg", "pos"):
            for k in (1, 0):
                text(root / f"imdb/{usage}/{kind}/{k}_9.txt", f"{usage} {kind} {k}")
    both = {"sentence1": "a", "sentence2": "b", "label": "0"}
    lines = {
        "afqmc": both,
        "tnews": {"label": "102", "label_desc": "news", "sentence": "s", "keywords": "k"},
        "iflytek": {"label": "11", "label_des": "x", "sentence": "s"},
        "cmnli": both,
        "wsc": {
            "target": {"span1_index": 1, "span1_text": "x", "span2_index": 3, "span2_text": "y"},
            "idx": 1,
            "label": "true",
            "text": "t",
        },
        "csl": {"id": 1, "abst": "abs", "keyword": ["k", "l"], "label": "1"},
    }
    for task, line in lines.items():
        text(root / f"clue/{task}.json", (json.dumps({**line, "id": 7}) + "\n") * 2)


def made(root: Path) -> None:
    """Makes all folders."""
    for make in (classes, lists, detection, arrays, matlab, texts, talks):
        make(root)


def made_up(root: Path) -> None:
    """Makes what real programs are tried with."""
    subprocess.run([sys.executable, MADE_UP_DATA, root / "made_up", "MNIST_Data", "cifar10"], check=True)


CSV = (
    "AGNews:ag_news",
    "AmazonReview:amazon",
    "DBpedia:dbpedia",
    "SogouNews:sogou",
    "YahooAnswers:yahoo",
    "YelpReview:yelp",
)
CALLS = [
    "Caltech256Dataset('caltech256')",
    "Caltech256Dataset('caltech256', decode=True)",
    *(f"RenderedSST2Dataset('rendered_sst2', {usage})" for usage in ("", "'train'", "'test'", "'val'")),
    "SUN397Dataset('sun397')",
    *(f"Food101Dataset('food101', {usage})" for usage in ("", "'train'", "'test'")),
    *(f"OmniglotDataset('omniglot', {background})" for background in ("", "False")),
    *(f"LSUNDataset('lsun', {usage})" for usage in ("", "'train'", "'valid'", "'test'", "'train', ['classroom']")),
    *(f"CelebADataset('celeba', usage={usage})" for usage in ("'all'", "'train'", "'test'", "'valid'")),
    "CelebADataset('celeba', extensions=['.png'])",
    "FlickrDataset('flickr/Images', 'flickr/tokens.txt')",
    "FlickrDataset('flickr/Images', 'flickr/tokens.txt', decode=True)",
    "SBUDataset('sbu')",
    *(f"Places365Dataset('places365', {usage})" for usage in ("", "'val'")),
    *(f"ManifestDataset('manifest/list', {usage})" for usage in ("", "'eval'", "'train', class_indexing={'ant': 5}")),
    *(
        f"DIV2KDataset('div2k', {usage})"
        for usage in ("", "'valid'", "'all'", "'train', 'mild', 4", "'valid', 'wild', 4", "'train', decode=True")
    ),
    *(
        f"CityscapesDataset('cityscapes', {usage})"
        for usage in ("", "'val', task='semantic'", "'all', task='color'", "task='polygon'")
    ),
    *(
        f"LFWDataset('lfw', {task})"
        for task in ("", "'people', 'test'", "'people', 'all'", "'pairs', 'train'", "'pairs', 'test'")
    ),
    "VOCDataset('voc')",
    "VOCDataset('voc', decode=True)",
    "VOCDataset('voc', 'Detection')",
    "VOCDataset('voc', 'Detection', extra_metadata=True)",
    "VOCDataset('voc', 'Detection', class_indexing={'dog': 4})",
    *(f"CocoDataset('coco/images', 'coco/instances.json', '{task}')" for task in ("Detection", "Stuff", "Keypoint")),
    "CocoDataset('coco/images', 'coco/instances.json', decode=True, extra_metadata=True)",
    "CocoDataset('coco/images', 'coco/panoptic.json', 'Panoptic')",
    "CocoDataset('coco/images', 'coco/captions.json', 'Captioning')",
    *(f"WIDERFaceDataset('wider_face', {usage})" for usage in ("", "'train'", "'valid'", "'test'")),
    *(f"KITTIDataset('kitti', {usage})" for usage in ("", "'test'")),
    *(f"EMnistDataset('emnist', 'digits', {usage})" for usage in ("", "'train'", "'test'")),
    *(f"QMnistDataset('qmnist', {usage})" for usage in ("", "'train'", "'test'", "'nist'", "'train', False")),
    *(f"STL10Dataset('stl10', {usage})" for usage in ("", "'train'", "'test'", "'unlabeled'", "'train+unlabeled'")),
    *(f"USPSDataset('usps', {usage})" for usage in ("", "'train'", "'test'")),
    "SemeionDataset('semeion')",
    *(f"PhotoTourDataset('photo_tour', 'liberty', {usage})" for usage in ("", "'test'")),
    *(f"{each.split(':')[0]}Dataset('{each.split(':')[1]}', {usage})" for each in CSV for usage in ("", "'train'")),
    *(f"PennTreebankDataset('ptb', {usage})" for usage in ("", "'train'", "'valid'")),
    *(f"WikiTextDataset('wikitext', {usage})" for usage in ("", "'train'", "'valid'")),
    "EnWik9Dataset('enwik9')",
    *(f"SST2Dataset('sst2', {usage})" for usage in ("", "'dev'", "'test'")),
    *(f"SQuADDataset('squad', {usage})" for usage in ("", "'dev'")),
    *(f"CoNLL2000Dataset('conll2000', {usage})" for usage in ("", "'test'")),
    *(f"UDPOSDataset('udpos', {usage})" for usage in ("", "'test'", "'valid'")),
    *(f"Multi30kDataset('multi30k', {usage})" for usage in ("", "'test'", "'train', ['de', 'en']")),
    *(f"IMDBDataset('imdb', {usage})" for usage in ("", "'test'")),
    *(
        f"CLUEDataset('clue/{task.lower()}.json', '{task}', '{usage}')"
        for task in ("AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC", "CSL")
        for usage in ("train", "test", "eval")
    ),
    *(f"SVHNDataset('svhn', {usage})" for usage in ("", "'train'", "'test'", "'extra'")),
    *(f"SBDataset('sbd', {task})" for task in ("", "'Segmentation'", "'Boundaries', 'val'", "usage='train_noval'")),
    "SBDataset('sbd', decode=True)",
    *(f"Flowers102Dataset('flowers102', {task})" for task in ("", "usage='train'", "'Segmentation', 'valid'")),
    "Flowers102Dataset('flowers102', 'Segmentation', 'test', decode=True)",
    *(f"Caltech101Dataset('caltech101', {kind})" for kind in ("", "'annotation'", "'all', decode=True")),
    *(f"IWSLT2016Dataset('iwslt2016', {usage})" for usage in ("", "'train'", "'test'", "'valid', ['de', 'en'], 'dev2010'")),
    *(f"IWSLT2017Dataset('iwslt2017', {usage})" for usage in ("", "'train'", "'test', ('de', 'en')", "'valid'")),
    "MnistDataset('made_up/MNIST_Data/test')",
    *(
        f"Cifar10Dataset('made_up/cifar10/cifar-10-{part}-bin', num_shards=500, shard_id=499)"
        for part in ("batches", "verify")
    ),
]


def shown(value: Any) -> Any:
    """A value as JSON: its dtype and shape, and what it holds, or of many numbers a sum."""
    many = value.dtype.kind not in "SU" and value.size > 30
    held = int((value.ravel().astype(np.int64) * (np.arange(value.size) % 251)).sum()) if many else value.tolist()
    return [value.dtype.kind if value.dtype.kind in "SU" else value.dtype.name, list(value.shape), held]


def described(ds: Any, call: str) -> Any:
    """What a dataset gives."""
    given = ", shuffle=False)"
    try:
        data = eval(call.replace(", )", ")").removesuffix(")") + given, {name: getattr(ds, name) for name in ds.__all__})
        rows = [list(map(shown, row)) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        return {"columns": data.get_col_names(), "size": data.get_dataset_size(), "rows": sorted(rows, key=json.dumps)}
    except Exception as error:
        return f"{type(error).__name__}: " + re.sub(r"\s+", " ", str(error))[:300]


def main() -> None:
    import mindspore.dataset as ds  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        made(Path(folder))
        made_up(Path(folder))
        found = {call: described(ds, call) for call in CALLS}
    for call, what in found.items():
        if isinstance(what, str) or "-v" in sys.argv:
            print(call, what)
    RESULTS.write_text("{\n" + ",\n".join(f"{json.dumps(c)}: {json.dumps(w)}" for c, w in found.items()) + "\n}\n")


if __name__ == "__main__":
    main()
