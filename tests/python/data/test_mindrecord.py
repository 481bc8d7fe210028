"""MindRecord files: reading what MindSpore wrote, writing the same, and what is refused."""

from __future__ import annotations

import json
import os
import sqlite3
import struct
import zlib
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from emberjit import dataset as ds
from emberjit import mindrecord
from emberjit.mindrecord import FileReader, FileWriter, MindPage, packing

WRITTEN = {  # by MindSpore 2.10, of row(0) to row(4): zlib, base64
    "a.mindrecord": (
        "eNrt0k1rE0EYwPFsEg9KD/oNZMCDsJa8mZaANC31JgiieKglbLKTdmGzG3a3aq0hBf0Y3qSHfg49KYgXP4I3r97UOLMv3d2a4smL/H8wZHfneZ"
        "55ZjKyVokdiX1p2TIYhM4LKXrNbnu9YwrHs+XzwdiRrh2K3s5R8YPoibHjyoFnTaQwRTjalxNr4KjvjZl5PtK1htL9a1Q48oM/au2aYmrtyXh5"
        "6dmDwH8Wz9xOvidR6XPSfLvZSd+jw6l6F1v37m8NtjcfborC9yxR19sL/IOp+pBuMpnwx+NQRmkL4b4V2FlKGFlBdNZIvJFiZ41CZ81SZ632uc"
        "4ebD7+l43tls+ltdZdN8XIn0wDGYaO76UT3WZ25vEyQ9cf5n+6sK3IUv05E/0vmMI7mAxlEApV25bhSG3Cuq4fAmcaqZIiL3WUpKrfdLfDw0iG"
        "YmYWLk4+GUaB4+3p2WQlNaP2pqd2WmZLrZbGjV3fitotHZjcqryE46UTWY+FGreaeQkV1+3ouOTC5QXi2npqlh+tZdv6tGR8FtbqRF3ZQKo8Wy"
        "w5/cgJI2ekQr0D1zXFU9WEPpOeaK82xKwCAAAAAAAAAAAAAAAAAAAAAAAAAAAAABdrlV+N7OHqBfGX1ajVjcp80SlPVA0jTz3eKI/YFZ26XTEW"
        "88VaObdWrVYL6/bPDW1Fh73WDf6aL9bL6fWakuf3++VRyq8YP+eLO+X8S3Wt0H2/PM4aq73PzujHfMHdAQAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAID/iUh/X52OHVcOPGsi3747bZy41lC6n9+chCM/kB90xM2lkc0k8lPFuLaSBH/c+PIotjyhlSVUxcss"
        "4WuScGNpQjtLqLW/pe1sHF/UTicLrt99klX/nlT/Da/pjNs="
    ),
    "a.mindrecord.db": (
        "eNrt2U9rE0EYBvCZ3c12V4yjiOQQkKmoJKWWtvHUS9w00xiaJnWzoS0VljTdQiBNaBqLiAdB8NSP4MFrrkIPngOCH0CvngQVD3oo6Eln/9gYxb"
        "ZX5fmRybw78+zssNnLkuqdUrPn8a1Od7ve4xlynlBKbnFOCNGi9pPy2zElJ9PI1IOdOPtK1PhzEv/OXskOAAAAAAAATmVR1RPj47TRq2+0vOpt"
        "y867ZWtJDCtt3haWI7hj5UqCD8dT/hd3xKrDyxXZaqVS+nGBjiWSSfrEC5YrlvNiVVSjThlZKBpMcW5XVtxino8qlh1+tO4kX7YKQoZc21o5Pl"
        "NZWKgKZ5g7PuOKcv6PjL+fgl2pLf+6q7/sJ1eq5E6zn6PcCZlgQ6OZYnnenfbHJvlWs+W57fq2Jwf8Gx/MzYRzrfqG1wqDoiDsYGo2nNptdLr+"
        "KfL2+5e0i0uWvcYXxVoqvPXhJcLFwvPS6RuKnrCSlDTbm9793Z2WfKt36/d6neDYjX48dyYqVPkgGf7TFJctxlYJ+8BesmfskSwBAAAAAAAA4J"
        "Suxxg1FcUwZLtoqMaYRl6Qj+SQzg36NzVxN3tYC1zWRnOmSvZl8oAcDvoZNfPpqirnqZyn0TrKOtnfIweD/qxy5WH2XbjKuMJMk1KZomFqYn1u"
        "b9CfoRfOZl+HkUuUGaYhI4Yfkf2E3Mn00zPB+/8bwr6xL+w9eytLAAAAAAAAAPgnGHrwoq/FokLVokJRx3QzKHRddobp//9P2WciPwAAAAAAAA"
        "DwnzhHlWv1qe1me7PrNTrdzR80xNcr"
    ),
}
SCHEMA = {
    "file_name": {"type": "string"},
    "label": {"type": "int32"},
    "score": {"type": "float64"},
    "data": {"type": "bytes"},
    "numbers": {"type": "int64", "shape": [-1]},
    "image": {"type": "float32", "shape": [2, 2]},
}


def row(i: int) -> dict[str, Any]:
    values = {"file_name": f"é{i}", "label": 70000 * i - 100, "score": i / 3, "data": bytes([i] * (i + 1))}
    return values | {"numbers": np.array([1 << (8 * i), -i, -129]), "image": np.full((2, 2), i, np.float32)}


def small(path: Path, schema: Any, rows: list[Any], shards: int = 1, index: Any = None) -> str:
    writer = FileWriter(str(path), shards, overwrite=True)
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(schema, "a description")
    if index:
        writer.add_index(index)
    writer.write_raw_data(rows)
    assert writer.commit() == mindrecord.SUCCESS
    return str(path) if shards == 1 else f"{path}0"


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return set(a) == set(b) and all(np.array_equal(a[k], b[k]) and type(a[k]) is type(b[k]) for k in a)


def test_reading_what_mindspore_wrote(tmp_path):
    for name, text in WRITTEN.items():
        (tmp_path / name).write_bytes(zlib.decompress(b64decode(text)))
    reader = FileReader(str(tmp_path / "a.mindrecord"))
    assert reader.len() == 5 and all(map(same, reader.get_next(), map(row, range(5))))
    data = ds.MindDataset(str(tmp_path / "a.mindrecord"), shuffle=False)
    assert data.get_col_names() == sorted(SCHEMA)
    first = next(data.create_dict_iterator(output_numpy=True))
    assert first["label"].dtype == np.int32 and first["label"] == -100 and first["data"].dtype.kind == "S"


def test_writing_what_mindspore_writes(tmp_path):
    small(tmp_path / "a.mindrecord", SCHEMA, [row(i) for i in range(5)])
    theirs, ours = zlib.decompress(b64decode(WRITTEN["a.mindrecord"])), (tmp_path / "a.mindrecord").read_bytes()
    headers = [json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]]) for data in (theirs, ours)]
    assert headers[0] == headers[1] and theirs[1 << 14 :] == ours[1 << 14 :]
    (tmp_path / "their.db").write_bytes(zlib.decompress(b64decode(WRITTEN["a.mindrecord.db"])))
    tables = [
        [
            sqlite3.connect(tmp_path / name).execute(f"SELECT * FROM {table}").fetchall()
            for table in ("INDEXES", "SHARD_NAME")
        ]
        for name in ("their.db", "a.mindrecord.db")
    ]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("shards", [1, 3, 12])
def test_rows_come_back(tmp_path, shards):
    path = small(tmp_path / "b", SCHEMA, [row(i % 6) for i in range(30)], shards)
    if shards == 12:
        path = f"{tmp_path / 'b'}00"
    reader = FileReader(path)
    assert all(map(same, reader.get_next(), [row(i % 6) for i in range(30)])) and reader.len() == 30
    assert list(next(FileReader(path, columns=["label"]).get_next())) == ["label"]
    writer = FileWriter.open_for_append(path)
    writer.write_raw_data([row(5)] * 3)
    writer.commit()
    assert FileReader(path).len() == 33 and reader.schema() == SCHEMA


def test_pages(tmp_path):
    rows = [{"data": bytes([i]) * 12000, "label": i} for i in range(7)]
    path = small(tmp_path / "p", {"data": {"type": "bytes"}, "label": {"type": "int64"}}, rows)
    assert all(map(same, FileReader(path).get_next(), rows))
    header = json.loads((tmp_path / "p").read_bytes()[8:1500].split(b"\0")[0])
    assert [page["page_type"] for page in header["page"]] == ["BLOB_DATA"] * 4 + ["RAW_DATA"]
    with pytest.raises(RuntimeError, match="more than a page of 32768"):
        small(tmp_path / "p", {"data": {"type": "bytes"}}, [{"data": bytes(40000)}])


def test_kinds_of_rows(tmp_path):
    for schema, value in (
        ({"x": {"type": "float32", "shape": [-1, 2]}}, {"x": np.ones((3, 2), np.float32)}),
        ({"x": {"type": "int32"}}, {"x": 5}),
        ({"x": {"type": "string"}}, {"x": ""}),
        ({"x": {"type": "int32", "shape": [-1]}, "y": {"type": "float32"}}, {"x": np.int32([1, -300, 1 << 30]), "y": 0.1}),
    ):
        assert same(next(FileReader(small(tmp_path / "k", schema, [value])).get_next()), value)


@strategies.examples(50)
@given(strategies.arrays(np.int64, st.integers(0, 9)))
def test_packed_integers(values):
    assert (packing.unpack_ints(packing.pack_ints(values), np.int64) == values).all()
    with pytest.raises(ValueError, match="not of its length"):
        packing.unpack_ints(packing.pack_ints(values) + b"x", np.int64)


PACKED = strategies.elements(np.int64) | st.floats(allow_nan=False) | st.text() | st.just("é" * 400)


@strategies.examples(50)
@given(st.dictionaries(st.text(), PACKED))
@pytest.mark.filterwarnings("error")
def test_packed_maps(values):
    assert packing.unpack_map(packing.pack_map(values)) == values
    with pytest.raises(ValueError, match="ends too soon"):
        packing.unpack_map(packing.pack_map(values)[:-1])


def labels(path: str, **given: Any) -> list[int]:
    data = ds.MindDataset(path, ["label"], **{"shuffle": False, **given})
    return [int(each["label"]) for each in data.create_dict_iterator(num_epochs=1, output_numpy=True)]


def test_rows_of_a_dataset(tmp_path):
    path = small(tmp_path / "d", {"label": {"type": "int32"}}, [{"label": i} for i in range(7)], 2)
    assert labels(path) == list(range(7)) and sorted(labels(path, shuffle=True)) == list(range(7))
    assert [labels(path, num_shards=3, shard_id=k) for k in range(3)] == [[0, 3, 6], [1, 4, 0], [2, 5, 1]]
    assert labels(path, num_samples=3) == [0, 1, 2] and labels(path, shuffle=None, sampler=[5, 1]) == [5, 1]
    assert labels(path, padded_sample={"label": -1}, num_padded=2)[5:] == [5, 6, -1, -1]
    assert [set(labels(path, shuffle=s)) for s in (ds.Shuffle.FILES, ds.Shuffle.INFILE)] == [set(range(7))] * 2
    data = ds.MindDataset([path, path], shuffle=False)
    assert data.get_dataset_size() == 6


def test_saving_a_dataset(tmp_path):
    data = ds.NumpySlicesDataset(
        {"x": np.arange(6, dtype=np.uint8).reshape(3, 2), "y": [0.5, 1.5, 2.5], "s": ["a", "bb", "c"]}, shuffle=False
    )
    data.save(str(tmp_path / "s"))
    found = list(ds.MindDataset(str(tmp_path / "s"), shuffle=False).create_dict_iterator(output_numpy=True))
    assert [each["x"].tolist() for each in found] == [[0, 1], [2, 3], [4, 5]] and found[0]["x"].dtype == np.int32
    assert [each["s"].item() for each in found] == ["a", "bb", "c"] and found[2]["y"] == 2.5


def test_pages_of_categories(tmp_path):
    rows = [{"kind": "ab"[i % 2], "label": i} for i in range(5)]
    page = MindPage(small(tmp_path / "c", {"kind": {"type": "string"}, "label": {"type": "int32"}}, rows, index=["kind"]))
    page.category_field = "kind"
    wanted = {"key": "kind_0", "categories": [{"count": 3, "id": 0, "name": "a"}, {"count": 2, "id": 1, "name": "b"}]}
    assert json.loads(page.read_category_info()) == wanted and page.candidate_fields == ["kind"]
    assert [each["label"] for each in page.read_at_page_by_id(0, 1, 2)] == [4]
    assert [each["label"] for each in page.read_at_page_by_name("b", 0, 2)] == [1, 3]


INT = {"x": {"type": "int32"}}
ERRORS: list[tuple[type, str, Callable[[Path], Any]]] = [
    (mindrecord.MRMInvalidSchemaError, "The type of field 'x'", lambda p: small(p / "e", {"x": {"type": "uint8"}}, [])),
    (
        mindrecord.MRMInvalidSchemaError,
        "may have a shape only",
        lambda p: small(p / "e", {"x": {"type": "bytes", "shape": [1]}}, []),
    ),
    (mindrecord.MRMInvalidSchemaError, "letters, digits", lambda p: small(p / "e", {"x%": {"type": "int32"}}, [])),
    (mindrecord.MRMInvalidSchemaError, "add_schema", lambda p: FileWriter(str(p / "e")).commit()),
    (mindrecord.MRMDefineIndexError, "must be a scalar", lambda p: small(p / "e", {"x": {"type": "bytes"}}, [], 1, ["x"])),
    (RuntimeError, "no field 'z'", lambda p: small(p / "e", INT, [], 1, ["z"])),
    (mindrecord.ParamValueError, "from 1 to 1000", lambda p: FileWriter(str(p / "e"), 0)),
    (mindrecord.ParamTypeError, "list of dicts", lambda p: small(p / "e", INT, {"x": 1})),  # type: ignore[arg-type]
    (RuntimeError, "page_size", lambda p: FileWriter(str(p / "e")).set_page_size(9)),
    (RuntimeError, "overwrite=True", lambda p: [again(p / "e") for _ in range(2)]),
    (ValueError, "a file that can be read", lambda p: ds.MindDataset(str(p / "none"))),
    (RuntimeError, "the index of", lambda p: (p / "t").write_text("x") and ds.MindDataset(str(p / "t"))),
    (RuntimeError, "no field 'z'", lambda p: ds.MindDataset(small(p / "e", INT, [{"x": 1}]), ["z"])),
    (RuntimeError, "does not encrypt", lambda p: mindrecord.set_enc_key("k" * 16)),
]


def again(path: Path) -> None:
    writer = FileWriter(str(path))
    writer.add_schema(INT)
    writer.write_raw_data([{"x": 1}])
    writer.commit()


@pytest.mark.parametrize("error, message, call", ERRORS)
def test_errors(error, message, call, tmp_path):
    with pytest.raises(error, match=message):
        call(tmp_path)


@pytest.mark.parametrize("value", ["a", 1.5, None, True, np.zeros(2)])
def test_rows_that_do_not_fit_are_left_out(tmp_path, value):
    with pytest.warns(UserWarning, match="row 0 is left out: field 'x' must be"):
        path = small(tmp_path / "w", INT, [{"x": value}, {"x": 3}])
    assert list(FileReader(path).get_next()) == [{"x": 3}]


def test_damaged_files(tmp_path):
    path = small(tmp_path / "d", SCHEMA, [row(1)])
    data = bytearray((tmp_path / "d").read_bytes())
    data[1 << 14] ^= 255
    (tmp_path / "d").write_bytes(data)
    with pytest.raises(RuntimeError, match="is damaged: page 0 has no row at 0"):
        next(FileReader(path).get_next())
    (tmp_path / "d").write_bytes(b"\xff" * 99)
    with pytest.raises(RuntimeError, match="no header"):
        FileReader(path)


@pytest.mark.parametrize("name", ("a#1", "50%41", "w?x", "of two words"))
def test_names_of_files(name, tmp_path):
    path = small(tmp_path / name, SCHEMA, [row(1), row(2)])
    assert len(list(FileReader(path).get_next())) == 2


def test_a_file_under_another_name_is_not_added_to(tmp_path):
    path = Path(small(tmp_path / "a", SCHEMA, [row(1)]))
    for end in ("", ".db"):
        (tmp_path / f"copy{end}").write_bytes((tmp_path / f"a{end}").read_bytes())
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="must have the name that it was written under"):
        FileWriter.open_for_append(str(tmp_path / "copy"))
    assert path.read_bytes() == before


def saved(path: Path, *values: Any) -> list[Any]:
    ds.GeneratorDataset(lambda: iter([(value,) for value in values]), ["x"]).save(str(path / "s"))
    found = ds.MindDataset(str(path / "s"), shuffle=False).create_tuple_iterator(output_numpy=True)
    return [value.tolist() for (value,) in found]


REFUSED = "column 'x' must be of one dtype, and of one shape but for the first axis, but in row"
SAVED: list[tuple[list[Any], Any]] = [
    ([np.arange(3), np.arange(4)], [[0, 1, 2], [0, 1, 2, 3]]),
    ([np.ones((1, 2), np.int32), np.ones((2, 2), np.int32)], [[[1, 1]], [[1, 1], [1, 1]]]),
    ([np.ones((2, 3)), np.ones((2, 4))], REFUSED + r" 1 it is float64 of \[2, 4\]"),
    ([np.ones((2, 3)), np.ones((3, 2))], REFUSED),
    ([np.ones((2, 3)), np.ones(6)], REFUSED),
    ([np.ones(3, np.int32), np.ones(3, np.float32)], REFUSED + " 1 it is float32"),
    ([np.int32(1), np.int64(2**40)], REFUSED),
    ([np.array("ab"), np.array("cde")], ["ab", "cde"]),
    ([np.array(["ab"]), np.array(["c", "de"])], REFUSED),
    ([np.array([True, False])], [[1, 0]]),
    ([np.array([2**32], np.uint64)], [[2**32]]),
    ([np.array([2**63], np.uint64)], "beyond int64"),
    ([np.ones(2), np.ones(0)], "nothing that is empty"),
]


@pytest.mark.parametrize("values, wanted", SAVED)
def test_what_is_saved(values, wanted, tmp_path):
    if isinstance(wanted, str):
        with pytest.raises(RuntimeError, match=wanted):
            saved(tmp_path, *values)
        assert not list(tmp_path.iterdir())
    else:
        assert saved(tmp_path, *values) == wanted


def test_saving_replaces_no_file(tmp_path):
    saved(tmp_path, np.arange(3))
    before = (tmp_path / "s").read_bytes()
    with pytest.raises(RuntimeError, match="exists"):
        saved(tmp_path, np.arange(4))
    assert (tmp_path / "s").read_bytes() == before


@pytest.mark.parametrize(
    "kind, value, fits",
    [
        *[
            ("int32", value, fits)
            for value, fits in ((2**31 - 1, True), (-(2**31), True), (2**31, False), (-(2**31) - 1, False))
        ],
        *[("int32", np.int64(value), fits) for value, fits in ((5, True), (2**40, False))],
        *[("int64", value, fits) for value, fits in ((2**63 - 1, True), (-(2**63), True), (2**63, False))],
        *[("float32", value, fits) for value, fits in ((1e38, True), (1e39, False), (np.float64(-1e39), False))],
        *[("float32", value, True) for value in (float("inf"), np.float16(2), np.float32(3e38))],
    ],
)
def test_numbers_beyond_their_type_are_left_out(kind, value, fits, tmp_path):
    schema = {"x": {"type": kind}}
    if fits:
        found = next(FileReader(small(tmp_path / "n", schema, [{"x": value}])).get_next())["x"]
        assert found == value
    else:
        with pytest.warns(UserWarning, match=f"field 'x' must be within {kind}"), pytest.raises(RuntimeError):
            small(tmp_path / "n", schema, [{"x": value}])


@pytest.mark.parametrize("kind", ("int32", "int64", "float32", "float64"))
def test_arrays_of_either_byte_order(kind, tmp_path):
    array = np.array([1, 2, 3], np.dtype(kind).newbyteorder(">"))
    path = small(tmp_path / "b", {"x": {"type": kind, "shape": [-1]}}, [{"x": array}])
    assert next(FileReader(path).get_next())["x"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("shape", ([0], [-2], [1.5], [-1, -1], [True], ["a"], (2,), []))
def test_shapes_of_schemas(shape, tmp_path):
    with pytest.raises(mindrecord.MRMInvalidSchemaError, match="shape"):
        FileWriter(str(tmp_path / "s")).add_schema({"x": {"type": "int32", "shape": shape}})


@pytest.mark.parametrize("names", (("a", "A"), ("INC", "b")))
def test_an_index_has_no_name_twice(names, tmp_path):
    schema = {name: {"type": "int32"} for name in names}
    with pytest.raises(mindrecord.MRMDefineIndexError, match="differ by capital letters only"):
        small(tmp_path / "i", schema, [dict.fromkeys(names, 1)])
    assert not list(tmp_path.iterdir())
    assert list(
        FileReader(small(tmp_path / "i", schema, [dict.fromkeys(names, 1)], index=["b" if "b" in names else "a"])).get_next()
    )
    assert list(
        FileReader(small(tmp_path / "i2", {n: {"type": "bytes"} for n in names}, [dict.fromkeys(names, b"1")])).get_next()
    )


def test_any_damage_is_named(tmp_path):
    path = tmp_path / "d"
    small(path, SCHEMA, [row(1), row(2)])
    head, whole = path.read_bytes()[:1500], {end: (tmp_path / f"d{end}").read_bytes() for end in ("", ".db")}
    damage = {"": strategies.damaged(whole[""], end=len(head)), ".db": strategies.damaged(whole[".db"])}

    @strategies.examples(100)
    @given(st.sampled_from(["", ".db"]).flatmap(lambda end: st.tuples(st.just(end), damage[end])))
    def read(damaged: tuple[str, bytes]) -> None:
        end, data = damaged
        (tmp_path / f"d{end}").write_bytes(data)
        try:
            list(FileReader(str(path)).get_next())
        except RuntimeError as error:
            assert str(path) in str(error)
        finally:
            (tmp_path / f"d{end}").write_bytes(whole[end])

    read()


def test_files_are_closed(tmp_path):
    path = small(tmp_path / "f", INT, [{"x": i} for i in range(40)], 9)
    before = len(os.listdir("/proc/self/fd"))
    data = ds.MindDataset(path, num_parallel_workers=2)
    assert sorted(labels_of(data)) == list(range(40)) and len(os.listdir("/proc/self/fd")) == before


def labels_of(data: Any) -> list[int]:
    return [int(value) for (value,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
