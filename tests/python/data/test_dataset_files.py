"""Datasets of text, CSV and TFRecord files: which rows, of which shard; and files that are damaged, which errors name."""

from __future__ import annotations

import gc
import gzip
import itertools
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import emberjit as ms
from emberjit import dataset as ds
from emberjit import mindrecord
from emberjit.tfrecord import framed


def rows(data: ds.Dataset) -> list[Any]:
    found = [[value.tolist() for value in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert len(data) == len(found)
    return [row[0] if len(row) == 1 else row for row in found]


def csv(folder: Path, *texts: str, **given: Any) -> list[Any]:
    paths = [str(folder / f"{k}.csv") for k in range(len(texts))]
    for path, text in zip(paths, texts):
        Path(path).write_bytes(text.encode())
    data = ds.CSVDataset(paths, shuffle=False, **given)
    return [list(data.get_col_names()), *rows(data)]


AB = {"column_names": ["a", "b"]}
LARGE = "x" * 200000
CSV: list[tuple[list[str], dict[str, Any], Any]] = [
    (['1,"a\nb"\n2,c\n'], AB, [["1", "a\nb"], ["2", "c"]]),
    (['1,"a\r\nb"\r\n2,c\r\n'], AB, [["1", "a\r\nb"], ["2", "c"]]),
    (['1,"a""b"\n2,""\n'], AB, [["1", 'a"b'], ["2", ""]]),
    (['1,"a,b"\r2,c'], AB, [["1", "a,b"], ["2", "c"]]),
    (["1,a\n\n\r\n2,c"], AB, [["1", "a"], ["2", "c"]]),
    ([f"1,{LARGE}\n"], AB, [["1", LARGE]]),
    (["a,b\n1,2\n", "a,b\n3,4\n"], {}, [["1", "2"], ["3", "4"]]),
    (['"a",b\n1,2\n'], {}, [["1", "2"]]),
    (["a, b\n1, 2\n"], {}, [["1", " 2"]]),
    (["1.7,2\n3,4"], AB | {"column_defaults": [1, 2.0]}, [[1, 2.0], [3, 4.0]]),
    (
        ["a,b\n1,2\n", "b,a\n3,4\n"],
        {},
        r"1.csv' must name the columns as that of .*0.csv', \['a', 'b'\], but it names \['b', 'a'\]",
    ),
    (["a,b\n1,2\n", "3,4\n"], {}, "must name the columns as that"),
    (["a,a\n1,2\n"], {}, "0.csv' must name all columns, none twice"),
    (["a,\n1,2\n"], {}, "must name all columns"),
    ([""], {}, "must name the columns, but there is none"),
    (['1,"ab\n2,c\n'], AB, "0.csv' has a quote without an end"),
    (['1,a"b"c\n'], AB, "record 0 of the file .*0.csv': a quote is within a field"),
    (['1,"ab"c\n'], AB, "a quote is within a field"),
    (["1,a\n2\n"], AB, "record 1 of the file .*0.csv': there are 1 fields for the 2 columns"),
    (["x,1\n"], AB | {"column_defaults": [1, 2]}, "record 0 of the file .*0.csv'"),
    (["4294967296,1\n"], AB | {"column_defaults": [1, 2]}, "record 0 of the file .*0.csv'"),
]


@pytest.mark.parametrize("texts, given, wanted", CSV)
def test_csv_files(texts, given, wanted, tmp_path):
    if isinstance(wanted, str):
        with pytest.raises(RuntimeError, match=wanted):
            csv(tmp_path, *texts, **given)
    else:
        found = csv(tmp_path, *texts, **given)[1:]
        assert found == wanted


def test_lines_are_found_in_parts_of_files(tmp_path, monkeypatch):
    texts = ['1,"a\n""b"\r\n\n22,c\n"\r",d\r', "1,x\n", '1,"']
    whole = [csv(tmp_path, text, **AB) for text in texts[:2]]
    for size in range(1, 8):
        monkeypatch.setattr("emberjit.dataset.sources.records._CHUNK", size)
        assert [csv(tmp_path, text, **AB) for text in texts[:2]] == whole
        with pytest.raises(RuntimeError, match="without an end"):
            csv(tmp_path, texts[2], **AB)


def test_a_name_that_is_a_pattern_too(tmp_path):
    for name in ("d1.txt", "d[1].txt"):
        (tmp_path / name).write_text(name)
    assert rows(ds.TextFileDataset(str(tmp_path / "d[1].txt"))) == ["d[1].txt"]
    assert rows(ds.TextFileDataset(str(tmp_path / "d[12].txt"))) == ["d1.txt"]


def example(number: int) -> bytes:
    """A tf.train.Example of an int64 x."""
    made = bytes([10, 1, number])
    for head in (26, 18, 10, 10):
        made = bytes([head, len(made)]) + made
        if head == 18:
            made = bytes([10, 1, ord("x")]) + made
    return made


def packed(data: bytes, kind: str | None) -> bytes:
    return {None: bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[kind](data)


def three_files(folder: Path) -> list[str]:
    """Of 5, 3 and 4 records; in the order of their names 0-2, 10-13, 20-24."""
    paths = []
    for name, length, first in (("c", 5, 20), ("a", 3, 0), ("b", 4, 10)):
        (folder / name).write_bytes(b"".join(framed(example(first + k)) for k in range(length)))
        paths.append(str(folder / name))
    return paths


A, B, C = [0, 1, 2], [10, 11, 12, 13], [20, 21, 22, 23, 24]


@pytest.mark.parametrize("shuffle", (False, True, ds.Shuffle.FILES, ds.Shuffle.INFILE))
@pytest.mark.parametrize(
    "given, wanted",
    [
        ({"num_shards": 2}, [A + C, B]),
        ({"num_shards": 2, "shard_equal_rows": True}, [A + B[:3], B[3:] + C]),
        ({"num_shards": 4, "shard_equal_rows": True}, [A, B[:3], B[3:] + C[:2], C[2:]]),
        ({"num_shards": 5, "shard_equal_rows": True}, [A, B[:3], B[3:] + C[:2], C[2:], A]),
        ({"num_shards": 2, "num_samples": 4}, [A + C[:1], B]),
        ({"num_samples": 4}, [A + B[:1]]),
    ],
)
def test_shards_of_records(shuffle, given, wanted, tmp_path):
    paths, found = three_files(tmp_path), []
    for shard in range(given.get("num_shards", 1)):
        of_shard = {"shard_id": shard} if "num_shards" in given else {}
        shards = ds.TFRecordDataset(paths, shuffle=shuffle, num_parallel_workers=1, **given, **of_shard)
        found.append([row[0].item() for row in shards.create_tuple_iterator(output_numpy=True)])
    if shuffle is False:
        assert found == wanted
    else:
        assert set(itertools.chain(*found)) <= {*A, *B, *C}
        if "num_samples" not in given:
            assert set(itertools.chain(*found)) == {*A, *B, *C}
        if given.get("shard_equal_rows"):
            assert [len(each) for each in found] == [len(each) for each in wanted]


def test_limits_of_shards_and_schemas(tmp_path):
    paths = three_files(tmp_path)
    with pytest.raises(RuntimeError, match="at most the number of files, 3, but got 4"):
        ds.TFRecordDataset(paths, num_shards=4, shard_id=0)
    schema = tmp_path / "schema"
    schema.write_text('{"numRows": 2, "columns": {"x": {"type": "int64", "rank": 1}}}')
    assert rows(ds.TFRecordDataset(paths, str(schema), shuffle=False, num_parallel_workers=2)) == [[0], [10]]


# What MindSpore gives: each worker reads every n-th file, and they give a record in turn.
IN_TURNS = {
    "2 workers": ({}, "a0 b0 a1 d0 a2 d1 c0 d2 c1 d3 c2 d4 c3 c4 c5 c6"),
    "1 worker": ({"num_parallel_workers": 1}, "a0 a1 a2 b0 c0 c1 c2 c3 c4 c5 c6 d0 d1 d2 d3 d4"),
    "3 workers": ({"num_parallel_workers": 3}, "a0 b0 c0 a1 c1 a2 c2 d0 c3 d1 c4 d2 c5 d3 c6 d4"),
    "samples": ({"num_samples": 6}, "a0 b0 a1 d0 a2 d1"),
    "first shard": ({"num_shards": 2, "shard_id": 0}, "a0 b0 a1 a2 c0 c1 c2 c3"),
    "second shard": ({"num_shards": 2, "shard_id": 1}, "c4 d0 c5 d1 c6 d2 d3 d4"),
    "samples of a shard": ({"num_shards": 2, "shard_id": 1, "num_samples": 3}, "c4 d0 c5"),
}


@pytest.mark.parametrize("name", IN_TURNS)
def test_lines_of_several_files_come_in_turns(name, tmp_path):
    given, wanted = IN_TURNS[name]
    options: Any = {"shuffle": False, "num_parallel_workers": 2, **given}
    for file, count in (("d", 5), ("a", 3), ("c", 7), ("b", 1)):
        (tmp_path / file).write_text("".join(f"{file}{k}\n" for k in range(count)))
    paths = [str(tmp_path / file) for file in "dacb"]
    for data in (ds.TextFileDataset(paths, **options), ds.CSVDataset(paths, column_names=["x"], **options)):
        assert [str(row[0]) for row in data.create_tuple_iterator(output_numpy=True)] == wanted.split()


def test_an_iterator_goes_on_with_another_number_of_workers(tmp_path):
    for file, count in (("a", 3), ("b", 2), ("c", 4)):
        (tmp_path / file).write_text("".join(f"{file}{k}\n" for k in range(count)))

    def iterator(workers: int, **given: Any) -> Any:
        options: Any = {"shuffle": False, "num_parallel_workers": workers, **given}
        data = ds.TextFileDataset(str(tmp_path / "*"), **options).map(lambda x: x)
        return data.create_tuple_iterator(num_epochs=2, output_numpy=True)

    first = iterator(2)
    assert [str(next(first)[0]) for _ in range(3)] == ["a0", "b0", "a1"]
    state, rest = first.state_dict(), [[str(row[0]) for row in first] for _ in range(2)]
    second = iterator(1)
    second.load_state_dict(state)
    assert second.state_dict() == state and [[str(row[0]) for row in second] for _ in range(2)] == rest
    assert "readers" not in iterator(2, shuffle=True).state_dict()


def test_files_in_random_order_come_in_turns(tmp_path):
    data = ds.TFRecordDataset(three_files(tmp_path), shuffle=ds.Shuffle.FILES, num_parallel_workers=2)
    found = [row[0].item() for row in data.create_tuple_iterator(output_numpy=True)]
    assert sorted(found) == A + B + C and all([x for x in found if x in part] == part for part in (A, B, C))
    assert found[0] // 10 != found[1] // 10


RECORD = len(framed(example(0)))
DAMAGE: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda data: data[: 2 * RECORD + 5], "damaged: it ends within record 2"),
    (lambda data: data[: 2 * RECORD + 14], "damaged: it ends within record 2"),
    (lambda data: flipped(data, 0), "damaged: it ends within record|its checksum"),
    (lambda data: flipped(data, RECORD + 9), "damaged: it has a record 1 whose length is not the one that its checksum"),
    (lambda data: flipped(data, RECORD + 13), r"record 1 of the file .*(the record is damaged: its checksum"),
    (lambda data: framed(b"\xff\xff"), "damaged: it has a record 0 that is none"),
    (lambda data: data + framed(b"\xff\xff"), "record 3 of the file"),
]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


@pytest.mark.parametrize("kind", (None, "GZIP", "ZLIB"))
@pytest.mark.parametrize("harm, message", DAMAGE)
def test_damaged_records(harm, message, kind, tmp_path):
    whole = b"".join(framed(example(k)) for k in range(3))
    path = tmp_path / "d"
    path.write_bytes(packed(harm(whole), kind))
    with pytest.raises(RuntimeError, match=message.replace("(", r"\(") if "|" not in message else message) as error:
        rows(ds.TFRecordDataset(str(path), shuffle=False, compression_type=kind))
    assert str(path) in str(error.value)


@pytest.mark.parametrize("kind", ("GZIP", "ZLIB"))
def test_compressed_records(kind, tmp_path, monkeypatch):
    monkeypatch.setattr("emberjit.dataset.sources.tf_records._CHUNK", 7)
    path = tmp_path / "z"
    data = packed(b"".join(framed(example(k)) for k in range(50)), kind)
    path.write_bytes(data + (packed(framed(example(50)), kind) if kind == "GZIP" else b""))
    data = ds.TFRecordDataset(str(path), compression_type=kind, shuffle=False, num_parallel_workers=2)
    assert [x for (x,) in rows(data)] == list(range(51 if kind == "GZIP" else 50))
    for harm, message in ((path.read_bytes()[:-9], "ends before"), (b"no" * 20, "cannot be decompressed as")):
        path.write_bytes(harm)
        with pytest.raises(RuntimeError, match=f"'{path}' is no whole TFRecord file, or damaged: it {message}"):
            rows(ds.TFRecordDataset(str(path), compression_type=kind))


@pytest.mark.parametrize(
    "text", ["{", "[1]", "\xff", '{"columns": {"x": {}}}', '{"columns": [1]}', '{"columns": {"x": {"type": "int99"}}}', "{}"]
)
def test_damaged_schemas(text, tmp_path):
    (tmp_path / "s").write_bytes(text.encode("latin-1"))
    with pytest.raises(RuntimeError, match=f"For 'Schema', the file '{tmp_path}/s' is no schema"):
        ds.Schema(str(tmp_path / "s"))


def test_text_that_is_none(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"a\n\xff\n")
    with pytest.raises(RuntimeError, match=f"record 1 of the file '{path}'.*codec can't decode"):
        rows(ds.TextFileDataset(str(path), shuffle=False))


def test_files_are_closed(tmp_path):
    for k in range(30):
        (tmp_path / f"{k}.txt").write_text("a\nb\n")
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    data = ds.TextFileDataset(str(tmp_path / "*.txt"), num_parallel_workers=2)
    iterator = data.create_tuple_iterator()
    next(iterator)
    assert len(os.listdir("/proc/self/fd")) < before + 20
    iterator.stop()
    assert len(rows(data)) == 60 and len(os.listdir("/proc/self/fd")) <= before


def mind_rows(folder: Path, **given: Any) -> list[int]:
    path = folder / "m"
    if not (folder / "m0").exists():
        writer = mindrecord.FileWriter(str(path), 2)
        writer.add_schema({"a": {"type": "int32"}})
        writer.write_raw_data([{"a": k} for k in range(7)])
        writer.commit()
    return rows(ds.MindDataset(f"{path}0", **given))


PADDED = {"padded_sample": {"a": -1}, "num_padded": 2}
PLAIN = [[0, 3, 6], [1, 4, -1], [2, 5, -1]]


@pytest.mark.parametrize("shuffle", (False, True, ds.Shuffle.FILES, ds.Shuffle.INFILE))
def test_padded_rows(shuffle, tmp_path):
    found = mind_rows(tmp_path, shuffle=shuffle, **PADDED)
    assert sorted(found) == sorted([*range(7), -1, -1])
    shards = [mind_rows(tmp_path, shuffle=shuffle, num_shards=3, shard_id=k, **PADDED) for k in range(3)]
    assert sorted(itertools.chain(*shards)) == sorted(found) and [len(shard) for shard in shards] == [3, 3, 3]
    if shuffle is False:
        assert shards == PLAIN
    if isinstance(shuffle, ds.Shuffle):
        assert found[-2:] == [-1, -1]
    with pytest.raises(RuntimeError, match="'num_padded' must make the number of rows a multiple of 'num_shards', 3"):
        mind_rows(tmp_path, num_shards=3, shard_id=0, padded_sample={"a": -1}, num_padded=1)


def test_rows_of_shards_in_turns(tmp_path):
    shards = [mind_rows(tmp_path, shuffle=ds.Shuffle.INFILE, num_shards=2, shard_id=k) for k in range(2)]
    assert [len(shard) for shard in shards] == [4, 4] and set(itertools.chain(*shards)) == set(range(7))
    assert set(shards[0][:2] + shards[1][:1]) == {0, 1, 2}  # of the first file
    with pytest.raises(ValueError, match="'num_samples' must not be given with 'shuffle'"):
        mind_rows(tmp_path, shuffle=ds.Shuffle.FILES, num_samples=2)


def columns_of(data: Any) -> list[Any]:
    return list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_images_that_are_made_up():
    data = ds.FakeImageDataset(6, (4, 5, 3), 7, base_seed=2, shuffle=False)
    found = columns_of(data)
    assert len(data) == 6 and data.get_col_names() == ["image", "label"]
    assert {(image.dtype.name, image.shape, label.dtype.name, label.shape) for image, label in found} == {
        ("uint8", (4, 5, 3), "uint32", ())
    }
    assert all(label < 7 for _, label in found) and len({image.tobytes() for image, _ in found}) == 6
    later = columns_of(ds.FakeImageDataset(5, [4, 5, 3], 7, base_seed=3, shuffle=False))
    assert [image.tobytes() for image, _ in later] == [image.tobytes() for image, _ in found[1:]]
    shard = columns_of(ds.FakeImageDataset(6, (4, 5, 3), 7, 2, num_shards=2, shard_id=1, shuffle=False))
    assert [image.tobytes() for image, _ in shard] == [image.tobytes() for image, _ in found[1::2]]


def test_rows_that_are_random():
    schema = ds.Schema()
    for kind in (ms.bool_, ms.int8, ms.uint64, ms.float16, ms.float64, ms.string):
        schema.add_column(str(kind), kind, [2, 3])
    data = ds.RandomDataset(20, schema, shuffle=False)
    found = columns_of(data)
    assert len(data) == len(found) == 20 and all(value.shape == (2, 3) for row in found for value in row)
    assert [value.dtype.name[:3] for value in found[0]] == ["boo", "int", "uin", "flo", "flo", "str"]
    assert [[v.tolist() for v in row] for row in columns_of(data)] == [[v.tolist() for v in row] for row in found]
    assert ds.RandomDataset(3, schema, [str(ms.int8)]).get_col_names() == [str(ms.int8)]
    assert len(columns_of(ds.RandomDataset(5, schema, num_samples=2))) == 2
    assert ds.RandomDataset(3, columns_list=["a", "b"]).get_col_names() == ["a", "b"]
    assert 1 <= len(columns_of(ds.RandomDataset())) < 10


def of_complex_numbers() -> ds.Schema:
    schema = ds.Schema()
    schema.add_column("z", ms.complex64, [2])
    return schema


@pytest.mark.parametrize(
    "made, kind, message",
    [
        (lambda: ds.FakeImageDataset(0), ValueError, "num_images"),
        (lambda: ds.FakeImageDataset(2.5), TypeError, "num_images"),
        (lambda: ds.FakeImageDataset(1, (3, 3)), ValueError, "image_size"),
        (lambda: ds.FakeImageDataset(1, (3, 0, 3)), ValueError, r"image_size\[1\]"),
        (lambda: ds.FakeImageDataset(1, num_classes=0), ValueError, "num_classes"),
        (lambda: ds.FakeImageDataset(1, base_seed="x"), TypeError, "base_seed"),
        (lambda: ds.RandomDataset(0), ValueError, "total_rows"),
        (lambda: ds.RandomDataset(1, columns_list=3), TypeError, "columns_list"),
        (lambda: ds.RandomDataset(1, schema=3), TypeError, "schema"),
        (lambda: ds.RandomDataset(1, of_complex_numbers()), ValueError, "'schema' .*'z' is complex64"),
        (lambda: ds.OBSMindDataset(["x"], "https://s", "ak", "sk", "b"), RuntimeError, "https://s.*MindDataset"),
        (lambda: ds.sync_wait_for_dataset(0, 2, 1, "obs"), RuntimeError, "'obs' for process 0 of 2 after epoch 1"),
    ],
)
def test_datasets_that_are_refused(made, kind, message):
    with pytest.raises(kind, match=message):
        made()
