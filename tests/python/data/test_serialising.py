"""serialize() and deserialize(): pipelines that come back from JSON give the same rows; what is refused; show, compare."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import dataset_folders
import numpy as np
import pytest

import emberjit as ms
from emberjit import dataset as ds
from emberjit.dataset import text, transforms, vision
from emberjit.mindrecord import FileWriter


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("folders")
    dataset_folders.made(root)
    writer = FileWriter(str(root / "rows"))
    writer.add_schema({"x": {"type": "int32"}})
    writer.write_raw_data([{"x": k} for k in range(4)])
    writer.commit()
    with contextlib.chdir(root):
        yield root


def rows(data: Any) -> list[Any]:
    ds.config.set_seed(7)
    return [
        {name: (value.dtype.str, value.tolist()) for name, value in row.items()}
        for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)
    ]


def again(data: Any) -> Any:
    """A pipeline, by way of text."""
    return ds.deserialize(json.loads(json.dumps(ds.serialize(data))))


NAMES = {"ds": ds, "vision": vision, "transforms": transforms, "text": text, "np": np, "ms": ms}
MADE_UP = ("MnistDataset", "Cifar10Dataset")
SOURCES = [call for call in dataset_folders.CALLS if not call.startswith(MADE_UP) and ".png'" not in call]


@pytest.mark.parametrize("call", SOURCES)
def test_sources_come_back(call: str, folders: Path) -> None:
    data = eval("ds." + call.replace(", )", ")"), NAMES)
    found = again(data)
    assert type(found) is type(data) and ds.compare(found, data)
    assert rows(found) == rows(data)


FOLDER = "ds.ImageFolderDataset('caltech256', shuffle=False)"
PIXELS = "ds.NumpySlicesDataset({'x': np.arange(48, dtype=np.uint8).reshape(4, 2, 2, 3), 'y': [3, 1, 2, 0]}, shuffle=False)"
PIPELINES = [
    f"{FOLDER}.map([vision.Decode(), vision.Resize((4, 5), vision.Inter.NEAREST)], 'image').map(vision.HWC2CHW()).batch(2)",
    f"{FOLDER}.map(vision.Decode()).shuffle(3).repeat(2).skip(1).take(4)",
    f"{FOLDER}.rename('image', 'data').project(['label', 'data'])",
    f"{FOLDER}.map([transforms.OneHot(3), transforms.TypeCast(ms.float32)], 'label').padded_batch(2, pad_info={{}})",
    "ds.ImageFolderDataset('caltech256', sampler=ds.PKSampler(1), decode=True)",
    "ds.ImageFolderDataset('caltech256', num_shards=2, shard_id=1, num_samples=2)",
    "ds.ImageFolderDataset('caltech256', sampler=[2, 0])",
    f"ds.zip(({PIXELS}, {FOLDER}))",
    f"{FOLDER} + {FOLDER}",
    f"{PIXELS}.bucket_batch_by_length('x', [3], [2, 1], pad_info={{'x': ([2, 2, 3], 0.5)}})",
    f"{PIXELS}.map(transforms.Compose([vision.RandomHorizontalFlip(0.5), transforms.RandomApply([vision.Invert()], 0.3)]))",
    "ds.NumpySlicesDataset(['ab', 'c'], ['x'], shuffle=False).map(transforms.Fill(b'z'))",
    f"{PIXELS}.map(transforms.Fill(7), 'y').map(transforms.Mask(transforms.Relational.LT, 3), 'y')",
    "ds.TextFileDataset('ptb/ptb.train.txt', shuffle=ds.Shuffle.FILES).map(text.RegexTokenizer(' +', with_offsets=True), "
    "'text', ['a', 'b', 'c'])",
    "ds.CSVDataset('ag_news/train.csv', column_names=list('abc'), num_shards=2, shard_id=0)",
    "ds.MindDataset('rows', shuffle=False)",
    "ds.NumpySlicesDataset([1, 2, 3], ['x'])",
    "ds.RandomDataset(3, schema(), num_samples=2)",
]


def schema() -> ds.Schema:
    made = ds.Schema()
    made.add_column("x", ms.int32, [2])
    return made


@pytest.mark.parametrize("call", PIPELINES)
def test_pipelines_come_back(call: str, folders: Path, tmp_path: Path) -> None:
    data = eval(call, {**NAMES, "schema": schema})
    written = ds.serialize(data, str(tmp_path / "p.json"))
    assert json.loads((tmp_path / "p.json").read_text()) == json.loads(json.dumps(written))
    found = ds.deserialize(json_filepath=str(tmp_path / "p.json"))
    assert rows(found) == rows(data) and ds.compare(found, data)


def test_the_form(folders: Path) -> None:
    written = ds.serialize(eval(f"{FOLDER}.map(vision.Resize((4, 5)), 'image').take(2)", NAMES))
    sampler = {"$made": [".SequentialSampler", {"num_samples": None}, None]}
    folder = {
        "op_type": "ImageFolderDataset",
        "parameters": {"dataset_dir": "caltech256"},
        "children": [],
        "sampler": sampler,
    }
    resize = {"$made": ["vision.Resize", {"size": {"$tuple": [4, 5]}}, None]}
    assert written["op_type"] == "Take" and written["parameters"] == {"count": 2}
    (mapped,) = written["children"]
    assert mapped["children"] == [folder] and mapped["parameters"]["operations"] == resize


def test_samplers_that_are_set_later_are_written(folders: Path) -> None:
    data = eval(FOLDER, NAMES)
    data.use_sampler(ds.SubsetSampler([3, 1, 0]))
    data.add_sampler(ds.SequentialSampler(1, 2))
    found = again(data)
    assert rows(found) == rows(data) and len(rows(data)) == 2
    assert not ds.compare(data, eval(FOLDER, NAMES))


def test_functions_are_named_alone(capfd: pytest.CaptureFixture[str]) -> None:
    data = ds.NumpySlicesDataset([1, 2]).map(lambda x: x)
    written = ds.serialize(data)
    assert "<lambda> alone" in capfd.readouterr().err and ds.compare(data, data)
    with pytest.raises(ValueError, match="<lambda>' cannot be made again"):
        ds.deserialize(written)


def test_comparing(folders: Path) -> None:
    made = [eval(f"{FOLDER}.batch({size})", NAMES) for size in (2, 2, 3)]
    assert ds.compare(*made[:2]) and not ds.compare(*made[1:])


def test_showing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("emberjit.dataset.serialising.info", shown.append)
    for indentation in (2, None):
        ds.show(ds.NumpySlicesDataset([1, 2]).take(1), indentation)
    assert shown[0].startswith('{\n  "op_type": "Take"') and "\n" not in shown[1]
    assert json.loads(shown[0]) == json.loads(shown[1])


DATA = {"op_type": "NumpySlicesDataset", "parameters": {"data": [1, 2]}, "children": []}
REFUSED: list[tuple[Any, type[Exception], str]] = [
    (lambda p: ds.serialize(3), TypeError, "'dataset' must be a Dataset"),
    (lambda p: ds.serialize(ds.NumpySlicesDataset([1, 2]), 3), TypeError, "'json_filepath' must be a str"),
    (lambda p: ds.serialize(ds.NumpySlicesDataset([1, 2]), str(p / "none" / "x")), OSError, "none"),
    (lambda p: ds.serialize(ds.NumpySlicesDataset([1, 2]).split([1, 1])[0]), ValueError, "cannot be written down"),
    (
        lambda p: ds.serialize(ds.NumpySlicesDataset([1, 2]).map(text.Lookup(text.Vocab.from_list(["a"])))),
        ValueError,
        "a Vocab",
    ),
    (lambda p: ds.compare(3, 4), TypeError, "'dataset' must be a Dataset"),
    (lambda p: ds.deserialize([1]), TypeError, "'input_dict' must be a dict"),
    (lambda p: ds.deserialize(json_filepath=str(p / "none")), OSError, "none"),
    (lambda p: (p / "x").write_text("{") and ds.deserialize(json_filepath=str(p / "x")), ValueError, "is no JSON"),
    (lambda p: ds.deserialize({"a": 1}), ValueError, "this is no pipeline: KeyError"),
    (lambda p: ds.deserialize({**DATA, "op_type": "config.set_seed"}), ValueError, "there is no 'config.set_seed'"),
    (lambda p: ds.deserialize({**DATA, "op_type": "_lazy"}), ValueError, "there is no '_lazy'"),
    (lambda p: ds.deserialize({**DATA, "op_type": "DSCallback"}), ValueError, "there is no dataset 'DSCallback'"),
    (lambda p: ds.deserialize({**DATA, "parameters": {"other": 1}}), ValueError, "unexpected keyword argument"),
    (lambda p: ds.deserialize({**DATA, "parameters": {"data": {"$odd": 1}}}), ValueError, "cannot be made again"),
    (lambda p: ds.deserialize({**DATA, "sampler": {"$made": ["vision.Resize", {"size": 3}, None]}}), ValueError, "Sampler"),
    (lambda p: ds.deserialize({"op_type": "Take", "parameters": {"count": 1}, "children": []}), ValueError, "no pipeline"),
]


@pytest.mark.parametrize("call, error, message", REFUSED)
def test_what_is_refused(call: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        call(tmp_path)


def test_nothing_is_nothing() -> None:
    assert ds.deserialize() is None and ds.deserialize({}) is None


def test_what_cannot_be_written_leaves_the_file(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("before")
    with pytest.raises(ValueError, match="cannot be written down"):
        ds.serialize(ds.NumpySlicesDataset({"a": np.array([1 + 2j])}, shuffle=False), str(path))
    assert path.read_text() == "before"


def test_arguments_that_change_later_are_written_as_they_were():
    source = {"a": [1, 2]}
    dataset = ds.NumpySlicesDataset(source, shuffle=False)
    source["b"] = [3, 4]
    again = ds.deserialize(ds.serialize(dataset))
    assert again is not None and again.get_col_names() == ["a"]
