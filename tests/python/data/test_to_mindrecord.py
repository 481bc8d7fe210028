"""Converters to MindRecord files: rows, fields and their types as MindSpore's tools write them, read by MindDataset; and
sources that are refused, of which no file is left."""

from __future__ import annotations

import collections
import gzip
import io
import os
import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from emberjit import dataset as ds
from emberjit import mindrecord, protobuf
from emberjit.mindrecord import FileReader, layout
from emberjit.mindrecord.exceptions import PathNotExistsError
from emberjit.tfrecord import framed

Feature = collections.namedtuple("Feature", "shape dtype default_value", defaults=(None,))


def pixels(number: int, count: int = 3, shape: tuple[int, ...] = (32, 32, 3)) -> Any:
    """Smooth images, which JPEGs hold closely."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    found = [rows * 3 + columns * 2 + 20 * k + number for k in range(count)]
    return np.stack([np.broadcast_to(each[..., None] if len(shape) > 2 else each, shape) for each in found]).astype(np.uint8)


class OfPython2(pickle._Pickler):  # type: ignore[name-defined,misc]
    """Pickles as Python 2 did, which wrote CIFAR's files: bytes are its strings."""

    dispatch = dict(pickle._Pickler.dispatch)  # type: ignore[attr-defined]

    def _save_bytes(self, value: bytes) -> None:
        self.write(b"T" + struct.pack("<i", len(value)) + value)
        self.memoize(value)

    dispatch[bytes] = _save_bytes


def pickled(path: Path, images: Any, **labels: list[int]) -> None:
    """A file of CIFAR's Python version."""
    flat = np.ascontiguousarray(images.transpose(0, 3, 1, 2)).reshape(len(images), -1)
    said = {name.encode(): value for name, value in labels.items()}
    path.parent.mkdir(exist_ok=True)
    stream = io.BytesIO()
    OfPython2(stream, 2).dump({b"data": flat, b"filenames": [b"a.png"], **said})
    path.write_bytes(stream.getvalue().replace(b"numpy._core", b"numpy.core"))


def binary(path: Path, images: Any, *labels: list[int]) -> None:
    """A file of CIFAR's binary version."""
    flat = images.transpose(0, 3, 1, 2).reshape(len(images), -1)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(np.concatenate([np.array(labels, np.uint8).T, flat], 1).tobytes())


def idx(path: Path, array: Any, opener: Any = open) -> None:
    path.parent.mkdir(exist_ok=True)
    with opener(path, "wb") as stream:
        stream.write(struct.pack(f">I{array.ndim}I", 8 << 8 | array.ndim, *array.shape) + array.tobytes())


def rows_of(path: Any, shards: int = 1) -> list[dict[str, Any]]:
    """The rows of a file as MindDataset gives them."""
    first = str(path) if shards == 1 else f"{path}0"
    data = ds.MindDataset(first, shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True)
    return [{name: value if value.ndim or name == "data" else value.item() for name, value in row.items()} for row in data]


def header(path: Any) -> tuple[Any, str, list[str]]:
    reader = FileReader(str(path))
    read = layout.read_header(str(path))
    return reader.schema(), read["schema"][0]["desc"], [each["index_field"] for each in read["index_fields"]]


def near(data: Any, wanted: Any) -> bool:
    decoded = np.asarray(Image.open(io.BytesIO(data.tobytes())))
    difference = np.abs(decoded.astype(int) - wanted.astype(int))
    return bool(decoded.shape == wanted.shape and difference.max() <= 6)


@pytest.mark.parametrize("form", [pickled, binary])
def test_cifar10(form: Any, tmp_path: Path) -> None:
    for name, number, labels in (("data_batch_2", 2, [2, 3, 9]), ("data_batch_1", 1, [1, 2, 9]), ("test_batch", 9, [5])):
        if form is pickled:
            pickled(tmp_path / "c" / name, pixels(number, len(labels)), labels=labels)
        else:
            binary(tmp_path / f"c/{name}.bin", pixels(number, len(labels)), labels)
    converter = mindrecord.Cifar10ToMR(str(tmp_path / "c"), str(tmp_path / "out"))
    assert converter.run() == mindrecord.SUCCESS
    found, tested = rows_of(tmp_path / "out"), rows_of(tmp_path / "out_test")
    assert [(row["id"], row["label"]) for row in found] == list(enumerate([1, 2, 9, 2, 3, 9]))
    assert all(map(near, (row["data"] for row in found), [*pixels(1), *pixels(2)]))
    assert [row["label"] for row in tested] == [5] and near(tested[0]["data"], pixels(9)[0])
    schema = {"id": {"type": "int64"}, "label": {"type": "int64"}, "data": {"type": "bytes"}}
    assert header(tmp_path / "out") == (schema, "img_train", ["id", "label"])
    assert header(tmp_path / "out_test")[1] == "img_test"


@pytest.mark.parametrize("form", [pickled, binary])
def test_cifar100(form: Any, tmp_path: Path) -> None:
    for k, name in enumerate(("train", "test")):
        coarse, fine = [k, k + 1, 19], [k + 50, 99, 0]
        if form is pickled:
            pickled(tmp_path / "c" / name, pixels(k), fine_labels=fine, coarse_labels=coarse)
        else:
            binary(tmp_path / f"c/{name}.bin", pixels(k), coarse, fine)
    mindrecord.Cifar100ToMR(str(tmp_path / "c"), str(tmp_path / "out")).transform(["fine_label"])
    found = rows_of(tmp_path / "out_test")
    assert [(row["coarse_label"], row["fine_label"]) for row in found] == [(1, 51), (2, 99), (19, 0)]
    assert all(map(near, (row["data"] for row in found), pixels(1)))
    assert header(tmp_path / "out")[2] == ["fine_label"] and len(rows_of(tmp_path / "out")) == 3


@pytest.mark.parametrize("compressed, shards", [(True, 1), (False, 2)])
def test_mnist(compressed: bool, shards: int, tmp_path: Path) -> None:
    images = {"train": pixels(0, 5, (28, 28)), "t10k": pixels(40, 2, (28, 28))}
    for part, found in images.items():
        end, opener = (".gz", gzip.open) if compressed else ("", open)
        idx(tmp_path / f"m/{part}-images-idx3-ubyte{end}", found, opener)
        idx(tmp_path / f"m/{part}-labels-idx1-ubyte{end}", np.arange(len(found), dtype=np.uint8), opener)
    mindrecord.MnistToMR(str(tmp_path / "m"), str(tmp_path / "out"), shards).transform()
    for name, found in (("train", images["train"]), ("test", images["t10k"])):
        rows = rows_of(tmp_path / f"out_{name}.mindrecord", shards)
        assert [row["label"] for row in rows] == list(range(len(found)))
        assert all(map(near, (row["data"] for row in rows), found))
    if shards == 1:
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        assert header(tmp_path / "out_train.mindrecord") == (schema, "mnist_schema", ["label"])


def test_imagenet(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, files in (("n02", ("b.JPEG", "a.jpg", "c.png", "d.jpg")), ("n01", ("x.JPEG",))):
        (tmp_path / "images" / name).mkdir(parents=True)
        for file in files:
            (tmp_path / "images" / name / file).write_bytes(b"" if file == "d.jpg" else f"{name}{file}".encode())
    (tmp_path / "map").write_text("n01 0\nn02 1\nn03 2\n")
    converter = mindrecord.ImageNetToMR(str(tmp_path / "map"), str(tmp_path / "images"), str(tmp_path / "out"))
    assert converter.run() == mindrecord.SUCCESS
    said = capfd.readouterr().err
    assert all(f"leaves out '{name}" in said for name in ("n03", str(tmp_path / "images/n02/d.jpg")))
    found = [(row["label"], row["file_name"], row["image"].tobytes().decode()) for row in rows_of(tmp_path / "out")]
    paths = [str(tmp_path / "images" / name) for name in ("n01/x.JPEG", "n02/a.jpg", "n02/b.JPEG")]
    assert found == [(0, paths[0], "n01x.JPEG"), (1, paths[1], "n02a.jpg"), (1, paths[2], "n02b.JPEG")]
    schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
    assert header(tmp_path / "out") == (schema, "imagenet_schema", ["label", "file_name"])


COLUMNS: list[tuple[str, str, list[Any]]] = [  # of a CSV file, as pandas reads them
    ("1,-2,+3", "int64", [1, -2, 3]),
    ("1,2.5,1e3", "float64", [1.0, 2.5, 1000.0]),
    ("1,,3", "float64", [1.0, None, 3.0]),
    ("inf,-Infinity,NaN", "float64", [float("inf"), float("-inf"), None]),
    ("True,false,TRUE", "int32", [1, 0, 1]),
    ("True,,x", "string", ["True", "", "x"]),
    ("a,é,NA", "string", ["a", "é", ""]),
    ("9223372036854775807,-9223372036854775808,0", "int64", [2**63 - 1, -(2**63), 0]),
    ("9223372036854775808,1,2", "string", ["9223372036854775808", "1", "2"]),
    ("1_0,2,3", "string", ["1_0", "2", "3"]),
    ("0x10,1,2", "string", ["0x10", "1", "2"]),
]


@pytest.mark.parametrize("values, kind, wanted", COLUMNS)
def test_columns_of_csv(values: str, kind: str, wanted: list[Any], tmp_path: Path) -> None:
    lines = [f'{value},"q ""{k}"", r"' for k, value in enumerate(values.split(","))]
    (tmp_path / "t.csv").write_text("\ufeffx,other\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    mindrecord.CsvToMR(str(tmp_path / "t.csv"), str(tmp_path / "out")).transform()
    schema, description, index = header(tmp_path / "out")
    assert (schema["x"], description, index) == ({"type": kind}, "csv_schema", ["x", "other"])
    found = rows_of(tmp_path / "out")
    assert [None if row["x"] != row["x"] else row["x"] for row in found] == wanted
    assert [row["other"] for row in found] == ['q "0", r', 'q "1", r', 'q "2", r']


def test_some_columns_of_csv_in_shards(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,c\n1,2,3\n4,5\n7,8,9\n")
    mindrecord.CsvToMR(str(tmp_path / "t.csv"), str(tmp_path / "out"), ["c", "a"], 3).transform()
    found = rows_of(tmp_path / "out", 3)
    assert [row["a"] for row in found] == [1, 4, 7] and [list(row) for row in found] == [["a", "c"]] * 3
    assert found[0]["c"] == 3.0 and found[1]["c"] != found[1]["c"]


def record(**features: Any) -> bytes:
    """A tf.train.Example, framed."""
    entries = b""
    for name, value in features.items():
        if isinstance(value, bytes):
            kind, held = 1, protobuf.field(1, value)
        elif isinstance(value[0], float):
            kind, held = 2, protobuf.field(1, np.asarray(value, "<f4").tobytes())
        else:
            kind, held = 3, protobuf.field(1, b"".join(map(protobuf.varint, value)))
        feature = protobuf.field(kind, held)
        entries += protobuf.field(1, protobuf.field(1, name.replace("_dot_", ".")) + protobuf.field(2, feature))
    return framed(protobuf.field(1, entries))


FEATURES = {
    "name": Feature([], "string"),
    "raw": Feature([], "string"),
    "one": Feature([], "int64"),
    "x.y": Feature([], np.dtype("float32")),
    "many": Feature([3], "int64"),
    "floats": Feature((2,), "float32"),
    "extra": Feature([2], "int64", 7),
}


def example(k: int, **more: Any) -> bytes:
    given = {"name": f"é{k}".encode(), "raw": bytes([k, 255]), "one": [-k], "x_dot_y": [k / 4], "many": [k, 2**40, -1]}
    return record(**given, floats=[0.5, float(k)], **more)


def test_tfrecord(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(example(1) + example(2, extra=[5, 6]))
    converter = mindrecord.TFRecordToMR(str(tmp_path / "t"), str(tmp_path / "out"), FEATURES, ["raw"])
    assert converter.run() == mindrecord.SUCCESS
    found = rows_of(tmp_path / "out")
    assert [row["name"] for row in found] == ["é1", "é2"] and found[1]["raw"].tobytes() == b"\x02\xff"
    assert [(row["one"], row["x_y"]) for row in found] == [(-1, 0.25), (-2, 0.5)]
    assert [row["many"].tolist() for row in found] == [[1, 2**40, -1], [2, 2**40, -1]]
    assert found[1]["floats"].tolist() == [0.5, 2.0] and found[1]["floats"].dtype == np.float32
    assert [row["extra"].tolist() for row in found] == [[7, 7], [5, 6]]
    schema, description, _ = header(tmp_path / "out")
    assert description == "TFRecord to MindRecord" and schema["many"] == {"type": "int64", "shape": [3]}
    assert {name: each["type"] for name, each in schema.items() if "shape" not in each} == {
        "name": "string",
        "raw": "bytes",
        "one": "int64",
        "x_y": "float32",
    }


def csv(text: str, *more: Any) -> Callable[[Path], Any]:
    def convert(path: Path) -> None:
        (path / "t.csv").write_text(text)
        mindrecord.CsvToMR(str(path / "t.csv"), str(path / "out"), *more).transform()

    return convert


def tfrecord(data: bytes, features: Any, *more: Any) -> Callable[[Path], Any]:
    def convert(path: Path) -> None:
        (path / "t").write_bytes(data)
        mindrecord.TFRecordToMR(str(path / "t"), str(path / "out"), features, *more).transform()

    return convert


def cifar(content: Any) -> Callable[[Path], Any]:
    def convert(path: Path) -> None:
        (path / "c").mkdir()
        for name in ("train", "test"):
            (path / "c" / name).write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, 2))
        mindrecord.Cifar100ToMR(str(path / "c"), str(path / "out")).transform()

    return convert


def imagenet(text: str) -> Callable[[Path], Any]:
    def convert(path: Path) -> None:
        (path / "map").write_text(text)
        mindrecord.ImageNetToMR(str(path / "map"), str(path), str(path / "out")).transform()

    return convert


ONE = {"one": Feature([], "int64")}
REFUSED: list[tuple[Callable[[Path], Any], type[Exception], str]] = [
    (lambda p: mindrecord.CsvToMR(3, "x"), mindrecord.ParamValueError, "'source' must be a path"),  # type: ignore[arg-type]
    (lambda p: mindrecord.CsvToMR("x", "out/"), mindrecord.ParamValueError, "'destination' must be a path"),
    (lambda p: mindrecord.CsvToMR("x", "y", "a"), mindrecord.ParamValueError, "'columns_list'"),  # type: ignore[arg-type]
    (lambda p: mindrecord.CsvToMR("x", "y", None, True), mindrecord.ParamValueError, "'partition_number'"),
    (lambda p: mindrecord.CsvToMR(str(p / "none"), str(p / "y")).transform(), FileNotFoundError, "none"),
    (csv(""), RuntimeError, "no CSV file with a first line"),
    (csv("a,b\n1,2,3\n"), RuntimeError, "row 0 .* has 3 values, not 2"),
    (csv("a,a\n1,2\n"), RuntimeError, "two columns of one name"),
    (csv("a,7\n1,2\n"), ValueError, "'7' is not"),
    (csv("a b\n1\n"), mindrecord.MRMInvalidSchemaError, "letters, digits"),
    (csv("a\n1\n", ["b"]), RuntimeError, "no column 'b'"),
    (lambda p: mindrecord.Cifar10ToMR(str(p), str(p / "out")), PathNotExistsError, "no file of the form"),
    (cifar(b"junk"), RuntimeError, "no file of CIFAR's Python version: UnpicklingError"),
    (cifar({b"data": np.zeros((1, 5), np.uint8)}), RuntimeError, "ValueError: cannot reshape"),
    (
        cifar({b"data": np.zeros((1, 3072), "u1"), b"fine_labels": [1, 2], b"coarse_labels": [1]}),
        RuntimeError,
        "labels of 1 images",
    ),
    (cifar(os.system), RuntimeError, "'posix.system' is no part of one"),
    (lambda p: mindrecord.MnistToMR(str(p), str(p / "out")).transform(), RuntimeError, "cannot be read"),
    (imagenet("n01\n"), RuntimeError, "is no name and label: 'n01'"),
    (imagenet("n01 0\n"), PathNotExistsError, "no folder"),
    (tfrecord(b"", {}), ValueError, "'feature_dict' must be a dict"),
    (tfrecord(b"", {"x": 3}), ValueError, "must have a shape and a dtype"),
    (tfrecord(b"", {"x": Feature([2, 2], "int64")}), ValueError, r"cannot be of int64 and shape \[2, 2\]"),
    (tfrecord(b"", {"x": Feature([2], "string")}), ValueError, "must be of shape"),
    (tfrecord(b"", {"x": Feature([], "int16")}), ValueError, "cannot be of int16"),
    (tfrecord(b"", {"x.y": Feature([], "int64"), "x_y": Feature([], "int64")}), ValueError, "would be one field"),
    (tfrecord(b"", ONE, ["one"]), ValueError, "'one' of 'bytes_fields' must be a feature of string"),
    (tfrecord(b"", ONE, "one"), ValueError, "'bytes_fields' must be a list"),
    (tfrecord(example(1), {"none": Feature([], "int64")}), ValueError, "record 0 .* feature 'none' must be 1 of int64"),
    (tfrecord(example(1), {"many": Feature([2], "int64")}), ValueError, "must be 2 of int64"),
    (tfrecord(example(1), {"name": Feature([], "int64")}), ValueError, "must be 1 of int64"),
    (tfrecord(example(1), {"raw": Feature([], "string")}), ValueError, "record 0"),
    (tfrecord(example(1) * 300 + framed(b""), ONE), ValueError, "record 300 .* feature 'one' must be 1 of int64"),
    (tfrecord(example(1)[:-1], ONE), RuntimeError, "no whole TFRecord file"),
    (tfrecord(framed(b"\xff\xff"), ONE), ValueError, "record 0"),
]


@pytest.mark.parametrize("convert, error, message", REFUSED)
def test_what_is_refused(convert: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message) as held:
        convert(tmp_path)
    assert held.tb and not [path for path in tmp_path.iterdir() if path.name.startswith(("out", ".emberjit"))]


def test_no_file_is_replaced(tmp_path: Path) -> None:
    csv("a\n1\n")(tmp_path)
    before = (tmp_path / "out").read_bytes()
    with pytest.raises(RuntimeError, match="exists"):
        csv("a\n2\n")(tmp_path)
    assert (tmp_path / "out").read_bytes() == before
