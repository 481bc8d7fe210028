"""Converters: files of known datasets become MindRecord files, rows in the order of the source's, folders' by name. run()
gives how it went; transform() does the same and gives nothing. Images that the source has as pixels are written as JPEGs of
quality 95. A file that exists is not replaced, and none is left that was not finished."""

from __future__ import annotations

import csv
import io
import itertools
import math
import os
import pickle
import re
import string
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from emberjit.dataset.sources.images import cifar, idx
from emberjit.dataset.sources.listed import lines_of
from emberjit.dataset.sources.tf_records import example, records
from emberjit.dataset.values import Array
from emberjit.dataset.vision.codec import encode_jpeg
from emberjit.log import warning
from emberjit.mindrecord.exceptions import ParamValueError, PathNotExistsError
from emberjit.mindrecord.layout import PAGE_SIZE
from emberjit.mindrecord.writer import SUCCESS, FileWriter, MSRStatus

_BATCH = 256
_UNPICKLED: dict[tuple[str, str], Any] = {("numpy", "ndarray"): np.ndarray, ("numpy", "dtype"): np.dtype}
_UNPICKLED |= {(f"numpy.{core}.multiarray", "_reconstruct"): np.zeros(0).__reduce__()[0] for core in ("core", "_core")}
_MISSING = {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"}
_MISSING |= {"NULL", "NaN", "None", "n/a", "nan", "null"}
_INT = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)
_FLOAT = re.compile(r"\s*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)\s*", re.ASCII | re.IGNORECASE)
_BOOLS = {"True": 1, "TRUE": 1, "true": 1, "False": 0, "FALSE": 0, "false": 0}
_NAMES = str.maketrans(dict.fromkeys(string.punctuation + " ", "_"))


def _path(where: str, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value or value.endswith("/"):
        raise ParamValueError(f"For '{where}', '{name}' must be a path, a str that ends with no '/', but got {value!r}.")
    return value


def _partitions(where: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ParamValueError(f"For '{where}', 'partition_number' must be an int, but got {value!r}.")
    return value


def _write(
    destination: str,
    partitions: int,
    schema: dict[str, Any],
    description: str,
    index: list[str] | None,
    rows: Iterable[dict[str, Any]],
    page_size: int = 1 << 26,
) -> MSRStatus:
    writer = FileWriter(destination, partitions)
    writer.set_page_size(page_size)
    writer.add_schema(schema, description)
    if index:
        writer.add_index(index)
    try:
        left = iter(rows)
        while batch := list(itertools.islice(left, _BATCH)):
            writer.write_raw_data(batch)
        return writer.commit()
    except BaseException:
        writer.discard()
        raise


class _Arrays(pickle.Unpickler):
    """Reads pickles of arrays and what needs no module: any other name in one is an error."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("_codecs", "encode"):  # bytes in pickles of protocol 2
            return lambda text, _encoding: text.encode("latin1")
        if (module, name) not in _UNPICKLED:
            raise pickle.UnpicklingError(f"'{module}.{name}' is no part of one")
        return _UNPICKLED[module, name]


def _of_pickle(where: str, path: str, names: list[str]) -> list[Any]:
    """Images of (N, 32, 32, 3), and the labels of these names.

    Raises:
        RuntimeError: it is no file of the form.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    try:
        content = _Arrays(io.BytesIO(data), encoding="bytes").load()
        rows = np.asarray(content[b"data"], np.uint8).reshape(-1, 3, 32, 32)
        labels = [np.asarray(content[name.encode()], np.int64) for name in names]
        if any(array.shape != (len(rows),) for array in labels):
            raise ValueError(f"there are {[array.shape for array in labels]} labels of {len(rows)} images")
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise RuntimeError(f"For '{where}', '{path}' is no file of CIFAR's Python version: {what}") from None
    return [rows.transpose(0, 2, 3, 1), *labels]


class _CifarToMR:
    """Images of CIFAR's Python version, or else of its binary one: fields id, data (JPEG) and labels.

    Args:
        source: the folder of the files.
        destination: the path of the training images' file; that of the test images' has "_test" after it.

    Raises:
        ParamValueError: a path is none.
        PathNotExistsError: there are no such files in the folder.
    """

    files: dict[str, str] = {}  # patterns
    labels: dict[str, str] = {}  # names of the fields by those of the files, in the order of the binary version

    def __init__(self, source: str, destination: str):
        where = type(self).__name__
        self.source, self.destination = _path(where, "source", source), _path(where, "destination", destination)
        files = sorted(os.listdir(source))
        self._sources = {part: [name for name in files if re.fullmatch(form, name)] for part, form in self.files.items()}
        for part, names in self._sources.items():
            if not names:
                raise PathNotExistsError(f"For '{where}', there is no file of the form '{self.files[part]}' in '{source}'.")

    def _rows(self, part: str) -> Iterator[dict[str, Any]]:
        where, count = type(self).__name__, itertools.count()
        plain = [name for name in self._sources[part] if not name.endswith(".bin")]
        for name in plain or self._sources[part]:
            if plain:
                images, *labels = _of_pickle(where, os.path.join(self.source, name), list(self.labels))
            else:
                images, *labels = cifar(where, self.source, [name], len(self.labels))
            for image, *numbers in zip(images, *labels):
                yield {"id": next(count), "data": _jpeg(image), **dict(zip(self.labels.values(), map(int, numbers)))}

    def run(self, fields: list[str] | None = None) -> MSRStatus:
        """Writes the files.

        Args:
            fields: those that rows can be found by; all scalars, unless given.

        Raises:
            ValueError: fields is no list.
            ParamTypeError, MRMDefineIndexError, RuntimeError: as FileWriter; or files are not of the form.
        """
        if fields and not isinstance(fields, list):
            raise ValueError(f"For '{type(self).__name__}', 'fields' must be None or a list of str, but got {fields!r}.")
        schema = {"id": {"type": "int64"}, **{name: {"type": "int64"} for name in self.labels.values()}}
        schema["data"] = {"type": "bytes"}
        for part, end in (("train", ""), ("test", "_test")):
            _write(f"{self.destination}{end}", 1, schema, f"img_{part}", fields, self._rows(part), PAGE_SIZE)
        return SUCCESS

    def transform(self, fields: list[str] | None = None) -> None:
        """As run()."""
        self.run(fields)


def _jpeg(image: Array) -> bytes:
    encoded: bytes = encode_jpeg(image, 95).tobytes()
    return encoded


class Cifar10ToMR(_CifarToMR):
    """Converts CIFAR-10 to MindRecord files: fields id, label and data, an image as a JPEG. run() does so.

    Args:
        source: the folder of the files of CIFAR-10's Python version, or else of its binary one.
        destination: the path of the file of training images; that of the test images has "_test" after it.

    Raises:
        ParamValueError: a path is no str, or ends with "/".
        FileNotFoundError: there is no such folder.
        PathNotExistsError: there are no such files in it.

    Examples:
        >>> folder = example_data("cifar10")
        >>> status = ms.mindrecord.Cifar10ToMR(folder, "cifar.mindrecord").run()
        >>> reader = ms.mindrecord.FileReader("cifar.mindrecord")
        >>> print(reader.len(), sorted(reader.schema()))
        2 ['data', 'id', 'label']
    """

    files = {"train": r"data_batch_\d+(\.bin)?", "test": r"test_batch(\.bin)?"}
    labels = {"labels": "label"}


class Cifar100ToMR(_CifarToMR):
    """Converts CIFAR-100 to MindRecord files: fields id, fine_label, coarse_label and data, an image as a JPEG. run() does
    so.

    Args:
        source: the folder of the files of CIFAR-100's Python version, or else of its binary one.
        destination: the path of the file of training images; that of the test images has "_test" after it.

    Raises:
        ParamValueError: a path is no str, or ends with "/".
        FileNotFoundError: there is no such folder.
        PathNotExistsError: there are no such files in it.

    Examples:
        >>> folder = example_data("cifar100")
        >>> status = ms.mindrecord.Cifar100ToMR(folder, "cifar.mindrecord").run()
        >>> reader = ms.mindrecord.FileReader("cifar.mindrecord")
        >>> print(reader.len(), sorted(reader.schema()))
        2 ['coarse_label', 'data', 'fine_label', 'id']
    """

    files = {"train": r"train(\.bin)?", "test": r"test(\.bin)?"}
    labels = {"coarse_labels": "coarse_label", "fine_labels": "fine_label"}


class _Converter:
    def run(self) -> MSRStatus:
        """Writes the files."""
        raise NotImplementedError

    def transform(self) -> None:
        """As run()."""
        self.run()


class MnistToMR(_Converter):
    """Converts MNIST to MindRecord files: fields label and data, an image as a JPEG. run() does so.

    Args:
        source: the folder of train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and
            t10k-labels-idx1-ubyte, each with .gz after it or without.
        destination: what the paths of the files begin with; "_train.mindrecord" and "_test.mindrecord" follow.
        partition_number: the number of files that each of them is divided into.

    Raises:
        ParamValueError: an argument is of a wrong type.

    Examples:
        >>> folder = example_data("mnist")
        >>> status = ms.mindrecord.MnistToMR(folder, "mnist").run()
        >>> reader = ms.mindrecord.FileReader("mnist_train.mindrecord", columns=["label"])
        >>> print([row["label"] for row in reader.get_next()])
        [5, 0]
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1):
        where = "MnistToMR"
        self.source, self.destination = _path(where, "source", source), _path(where, "destination", destination)
        self.partition_number = _partitions(where, partition_number)

    def _array(self, name: str) -> Any:
        path = os.path.join(self.source, name)
        return idx("MnistToMR", f"{path}.gz" if os.path.isfile(f"{path}.gz") else path)

    def run(self) -> MSRStatus:
        """Writes the files.

        Raises:
            RuntimeError: as FileWriter; or files are missing or not of the form.
        """
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        for part, prefix in (("train", "train"), ("test", "t10k")):
            images, labels = self._array(f"{prefix}-images-idx3-ubyte"), self._array(f"{prefix}-labels-idx1-ubyte")
            if len(images) != len(labels):
                raise RuntimeError(f"For 'MnistToMR', there are {len(labels)} labels of {len(images)} images of '{prefix}'.")
            rows = ({"label": int(label), "data": _jpeg(image)} for image, label in zip(images, labels))
            path = f"{self.destination}_{part}.mindrecord"
            _write(path, self.partition_number, schema, "mnist_schema", ["label"], rows)
        return SUCCESS


class ImageNetToMR(_Converter):
    """Converts images in folders by class, as ImageNet's, to MindRecord files: fields label, image, the bytes of a file, and
    file_name. run() does so. Files whose names do not end with JPEG or jpg are left out, with a warning.

    Args:
        map_file: the path of a file of lines, each the name of a folder, a blank, and its label.
        image_dir: the folder of these folders.
        destination: the path of the MindRecord file.
        partition_number: the number of files that it is divided into.

    Raises:
        ParamValueError: an argument is of a wrong type.

    Examples:
        >>> import os
        >>> os.makedirs("images/cat")
        >>> vision.write_jpeg("images/cat/0.jpg", np.zeros((8, 8, 3), np.uint8))
        >>> vision.write_file("labels.txt", np.frombuffer(b"cat 3", np.uint8))
        >>> status = ms.mindrecord.ImageNetToMR("labels.txt", "images", "images.mindrecord").run()
        >>> rows = ms.mindrecord.FileReader("images.mindrecord", columns=["label", "file_name"]).get_next()
        >>> print(next(rows))
        {'label': 3, 'file_name': 'images/cat/0.jpg'}
    """

    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int = 1):
        where = "ImageNetToMR"
        self.map_file, self.image_dir = _path(where, "map_file", map_file), _path(where, "image_dir", image_dir)
        self.destination = _path(where, "destination", destination)
        self.partition_number = _partitions(where, partition_number)

    def _folders(self) -> dict[int, str]:
        folders = {}
        for line in lines_of(self.map_file):
            name, _, label = line.rpartition(" ")
            if not name or not _INT.fullmatch(label):
                raise RuntimeError(f"For 'ImageNetToMR', a line of '{self.map_file}' is no name and label: {line!r}.")
            if os.path.isdir(os.path.join(self.image_dir, name)):
                folders[int(label)] = os.path.join(self.image_dir, name)
            else:
                warning(f"ImageNetToMR leaves out '{name}', of which there is no folder in '{self.image_dir}'.")
        if not folders:
            raise PathNotExistsError(
                f"For 'ImageNetToMR', there is no folder in '{self.image_dir}' that the map file names."
            )
        return folders

    def _rows(self) -> Iterator[dict[str, Any]]:
        for label, folder in self._folders().items():
            for path in (os.path.join(folder, name) for name in sorted(os.listdir(folder))):
                image = b""
                if path.endswith(("JPEG", "jpg")):
                    with open(path, "rb") as stream:
                        image = stream.read()
                if image:
                    yield {"label": label, "image": image, "file_name": path}
                else:
                    warning(f"ImageNetToMR leaves out '{path}', which is empty or does not end with JPEG or jpg.")

    def run(self) -> MSRStatus:
        """Writes the file.

        Raises:
            FileNotFoundError: there is no map file.
            PathNotExistsError: there is none of the folders that it names.
            RuntimeError: as FileWriter; or a line of it is of another form.
        """
        schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
        index = ["label", "file_name"]
        return _write(self.destination, self.partition_number, schema, "imagenet_schema", index, self._rows())


class CsvToMR(_Converter):
    r"""Converts a CSV file, whose first line has the names of the fields, to MindRecord files. run() does so. A column of
    numbers becomes int64 or float64, one of true and false int32, any other string. A missing number makes its column
    float64, and is NaN; a missing text is "".

    Args:
        source: the path of the CSV file.
        destination: the path of the MindRecord file.
        columns_list: the names of the columns that are converted; None: all.
        partition_number: the number of files that it is divided into.

    Raises:
        ParamValueError: an argument is of a wrong type.

    Examples:
        >>> vision.write_file("rows.csv", np.frombuffer(b"name,size\ncat,0.5\ndog,1.5\n", np.uint8))
        >>> status = ms.mindrecord.CsvToMR("rows.csv", "rows.mindrecord").run()
        >>> for row in ms.mindrecord.FileReader("rows.mindrecord").get_next(): print(row)
        {'name': 'cat', 'size': 0.5}
        {'name': 'dog', 'size': 1.5}
    """

    def __init__(self, source: str, destination: str, columns_list: list[str] | None = None, partition_number: int = 1):
        where = "CsvToMR"
        self.source, self.destination = _path(where, "source", source), _path(where, "destination", destination)
        if columns_list and not (isinstance(columns_list, list) and all(isinstance(column, str) for column in columns_list)):
            raise ParamValueError(f"For '{where}', 'columns_list' must be a list of str, but got {columns_list!r}.")
        self.columns_list, self.partition_number = columns_list, _partitions(where, partition_number)

    def _columns(self) -> dict[str, list[str]]:
        with open(self.source, encoding="utf-8-sig", newline="") as stream:
            try:
                names, *rows = [row for row in csv.reader(stream) if row]
            except (csv.Error, ValueError) as error:
                raise RuntimeError(f"For 'CsvToMR', '{self.source}' is no CSV file with a first line: {error}.") from None
        if len(set(names)) < len(names):
            raise RuntimeError(f"For 'CsvToMR', '{self.source}' has two columns of one name: {names}.")
        for number, row in enumerate(rows):
            if len(row) > len(names):
                raise RuntimeError(
                    f"For 'CsvToMR', row {number} of '{self.source}' has {len(row)} values, not {len(names)}."
                )
        filled = [row + [""] * (len(names) - len(row)) for row in rows]
        return {name: [row[k] for row in filled] for k, name in enumerate(names)}

    def run(self) -> MSRStatus:
        """Writes the file.

        Raises:
            FileNotFoundError: there is no source.
            ValueError: a column's name is a number.
            MRMInvalidSchemaError: it has other characters than letters, digits and _.
            RuntimeError: as FileWriter; or the source is no CSV file, or lacks a column.
        """
        columns = self._columns()
        names = self.columns_list or list(columns)
        for name in names:
            if name not in columns:
                raise RuntimeError(f"For 'CsvToMR', there is no column '{name}' (of 'columns_list') among {list(columns)}.")
            if name.isdigit():
                raise ValueError(f"For 'CsvToMR', the first line must have names of columns, which '{name}' is not.")
        typed = {name: _typed(columns[name]) for name in names}
        schema = {name: {"type": kind} for name, (kind, _) in typed.items()}
        rows = (dict(zip(names, row)) for row in zip(*(values for _, values in typed.values())))
        return _write(self.destination, self.partition_number, schema, "csv_schema", names, rows)


def _typed(texts: list[str]) -> tuple[str, list[Any]]:
    """A column's type, and its values."""
    if texts and all(text in _BOOLS for text in texts):
        return "int32", [_BOOLS[text] for text in texts]
    if texts and all(_INT.fullmatch(text) for text in texts):
        fits = all(-(2**63) <= int(text) < 2**63 for text in texts)
        return ("int64", [int(text) for text in texts]) if fits else ("string", texts)
    if texts and all(text in _MISSING or _FLOAT.fullmatch(text) for text in texts):
        return "float64", [math.nan if text in _MISSING else float(text) for text in texts]
    return "string", ["" if text in _MISSING else text for text in texts]


class TFRecordToMR(_Converter):
    """Converts a TFRecord file to a MindRecord file. run() does so. Fields have the names of the features, with _ for blanks
    and punctuation.

    Args:
        source: the path of the TFRecord file.
        destination: the path of the MindRecord file.
        feature_dict: a dict of each feature's kind: tf.io.FixedLenFeature, or any object with the attributes shape, [] or
            [n]; dtype, int64, float32 or, with [], string; and perhaps default_value, that of records without the feature,
            or None.
        bytes_fields: a list of the features of string that are bytes, not text; None: none.

    Raises:
        ParamValueError: a path is no str, or ends with "/".
        ValueError: another argument is of a wrong type, or a feature of a kind that is not possible.

    Examples:
        >>> from types import SimpleNamespace
        >>> folder = example_data("tfrecord")
        >>> features = {"label": SimpleNamespace(shape=[], dtype="int64"), "x": SimpleNamespace(shape=[2], dtype="float32")}
        >>> status = ms.mindrecord.TFRecordToMR(f"{folder}/rows.tfrecord", "rows.mindrecord", features).run()
        >>> for row in ms.mindrecord.FileReader("rows.mindrecord").get_next(): print(row)
        {'label': 0, 'x': array([0. , 0.5], dtype=float32)}
        {'label': 1, 'x': array([1. , 1.5], dtype=float32)}
        {'label': 2, 'x': array([2. , 2.5], dtype=float32)}
    """

    def __init__(self, source: str, destination: str, feature_dict: dict[str, Any], bytes_fields: list[str] | None = None):
        where = "TFRecordToMR"
        self.source, self.destination = _path(where, "source", source), _path(where, "destination", destination)
        if not isinstance(feature_dict, dict) or not feature_dict:
            raise ValueError(f"For '{where}', 'feature_dict' must be a dict of features, but got {feature_dict!r}.")
        if not isinstance(bytes_fields, (list, type(None))):
            raise ValueError(f"For '{where}', 'bytes_fields' must be a list of str, but got {bytes_fields!r}.")
        self._features = {name: _feature(name, feature) for name, feature in feature_dict.items()}
        for name in bytes_fields or ():
            if name not in self._features or self._features[name][0] != "string":
                raise ValueError(f"For '{where}', '{name}' of 'bytes_fields' must be a feature of string in 'feature_dict'.")
            self._features[name] = ("bytes", *self._features[name][1:])
        if len({name.translate(_NAMES) for name in feature_dict}) < len(feature_dict):
            raise ValueError(f"For '{where}', two features of {list(feature_dict)} would be one field.")

    def _row(self, record: bytes) -> dict[str, Any]:
        features, row = example(record), {}
        for name, (kind, length, default) in self._features.items():
            stored = features.get(name, ())
            values = default if not len(stored) and default is not None else stored
            if len(values) != (length or 1) or isinstance(values, list) != (kind in ("bytes", "string")):
                raise ValueError(f"feature '{name}' must be {length or 1} of {kind}, but is {values!r:.100}")
            if length:
                row[name.translate(_NAMES)] = np.asarray(values, kind)
            else:
                value = values[0]
                row[name.translate(_NAMES)] = value.decode() if kind == "string" else value
        return row

    def _rows(self) -> Iterator[dict[str, Any]]:
        for number, record in enumerate(records(self.source)):
            try:
                yield self._row(record)
            except ValueError as error:
                raise ValueError(f"For 'TFRecordToMR', record {number} of '{self.source}': {error}.") from None

    def run(self) -> MSRStatus:
        """Writes the file.

        Raises:
            FileNotFoundError: there is no source.
            ValueError: a record lacks a feature, or has it of another kind.
            RuntimeError: as FileWriter; or the source is no TFRecord file.
        """
        fields = {name.translate(_NAMES): feature for name, feature in self._features.items()}
        schema = {
            name: {"type": kind} | ({"shape": [length]} if length else {}) for name, (kind, length, _) in fields.items()
        }
        return _write(self.destination, 1, schema, "TFRecord to MindRecord", None, self._rows(), PAGE_SIZE)


def _feature(name: str, feature: Any) -> tuple[str, int, Any]:
    """A feature's type, its length, or 0 of one value, and its default values.

    Raises:
        ValueError: it is of none that is known.
    """
    try:
        shape, kind = [int(length) for length in feature.shape], feature.dtype
    except (AttributeError, TypeError, ValueError):
        raise ValueError(
            f"For 'TFRecordToMR', feature '{name}' must have a shape and a dtype, but is {feature!r}."
        ) from None
    kind = str(getattr(kind, "name", kind))
    if kind not in ("string", "int64", "float32") or len(shape) > 1 or min(shape, default=1) < 1:
        raise ValueError(f"For 'TFRecordToMR', feature '{name}' cannot be of {kind} and shape {shape}.")
    if kind == "string" and shape:
        raise ValueError(f"For 'TFRecordToMR', feature '{name}' of string must be of shape [], but is of {shape}.")
    default = getattr(feature, "default_value", None)
    if default is not None:
        values = default if isinstance(default, (list, tuple)) else [default] * max([1, *shape])
        default = [v.encode() if isinstance(v, str) else v for v in values] if kind == "string" else np.asarray(values, kind)
    return kind, sum(shape), default
