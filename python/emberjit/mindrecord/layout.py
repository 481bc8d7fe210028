"""What MindRecord files are made of: a length of 8 bytes and a JSON header in an area of its own, then pages, of blobs (the
bytes and arrays of rows) and of raw data (their scalars). Beside each file is a SQLite one of where rows are."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import struct
import urllib.parse
from typing import Any

import numpy as np

from emberjit.mindrecord.exceptions import MRMDefineIndexError, MRMInvalidSchemaError

SCALARS = {"int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL", "string": "TEXT"}
ARRAYS = ("int32", "int64", "float32", "float64")
COMPRESSED = ("int32", "int64")
HEADER_SIZE, PAGE_SIZE = 1 << 24, 1 << 25
HEADER_BOUNDS, PAGE_BOUNDS = (1 << 14, 1 << 27), (1 << 15, 1 << 28)
PLACES = [
    "ROW_ID",
    "PAGE_ID_RAW",
    "PAGE_OFFSET_RAW",
    "PAGE_OFFSET_RAW_END",
    "ROW_GROUP_ID",
    "PAGE_ID_BLOB",
    "PAGE_OFFSET_BLOB",
    "PAGE_OFFSET_BLOB_END",
]

Schema = dict[str, dict[str, Any]]


def checked_schema(schema: Any) -> Schema:
    """A schema: for each field a type, and of an array a shape, in which -1 stands for any length.

    Raises:
        MRMInvalidSchemaError: it is none.
    """
    if not isinstance(schema, dict) or not schema:
        raise MRMInvalidSchemaError(f"A schema must be a dict that holds a field, but got {schema!r}.")
    for name, field in schema.items():
        if not isinstance(name, str) or not re.fullmatch(r"[0-9A-Za-z_]+", name):
            raise MRMInvalidSchemaError(f"A field's name must be of letters, digits and _, but got {name!r}.")
        if not isinstance(field, dict) or set(field) - {"type", "shape"} or "type" not in field:
            raise MRMInvalidSchemaError(f"Field '{name}' must have a type, and perhaps a shape, but got {field!r}.")
        kind, shape = field["type"], field.get("shape")
        if kind not in SCALARS and kind != "bytes":
            raise MRMInvalidSchemaError(f"The type of field '{name}' must be bytes or of {list(SCALARS)}, but got {kind!r}.")
        if shape is not None and (kind not in ARRAYS or not isinstance(shape, list) or not shape):
            raise MRMInvalidSchemaError(
                f"Field '{name}' may have a shape only with a type of {list(ARRAYS)}, but got {field}."
            )
        lengths = shape or []
        if any(type(length) is not int or length == 0 or length < -1 for length in lengths) or lengths.count(-1) > 1:
            raise MRMInvalidSchemaError(
                f"The shape of field '{name}' must be of ints above 0, and one -1 at most, but got {shape}."
            )
    return schema


def blob_fields(schema: Schema) -> list[str]:
    """The fields that are in blobs, in their order."""
    return sorted(name for name, field in schema.items() if field["type"] == "bytes" or "shape" in field)


def scalar_fields(schema: Schema) -> list[str]:
    """The other fields, in their order."""
    blobs = blob_fields(schema)
    return sorted(name for name in schema if name not in blobs)


def index_columns(fields: list[str]) -> list[str]:
    """The columns of an index of fields.

    Raises:
        MRMDefineIndexError: two would have the same name: SQLite takes capital letters for small ones.
    """
    columns = [*PLACES, *(name for k, field in enumerate(fields) for name in (f"INC_{k}", f"{field}_0"))]
    known: dict[str, str] = {}
    for name in columns:
        if name.lower() in known:
            raise MRMDefineIndexError(
                f"An index cannot have the columns '{known[name.lower()]}' and '{name}', which differ by capital letters "
                f"only, but its fields are {fields}: add_index() sets fewer."
            )
        known[name.lower()] = name
    return columns


def shard_names(name: str, count: int) -> list[str]:
    """The paths of a file's shards."""
    width = len(str(count - 1))
    return [name] if count == 1 else [f"{name}{k:0{width}d}" for k in range(count)]


def read_header(path: str) -> dict[str, Any]:
    """The header of a file.

    Raises:
        RuntimeError: it is no MindRecord file.
    """
    if not os.path.exists(f"{path}.db"):
        raise RuntimeError(f"The file '{path}.db', the index of '{path}', does not exist.")
    with open(path, "rb") as stream:
        head = stream.read(8)
        length = struct.unpack("<Q", head)[0] if len(head) == 8 else 0
        text = stream.read(length) if 0 < length <= HEADER_BOUNDS[1] else b""
    try:
        header: dict[str, Any] = json.loads(text)
        checked_schema(header["schema"][0]["schema"])
        fields = [entry["index_field"] for entry in header["index_fields"] or []]
        numbers = [header["page_size"], header["header_size"], *(page["end_row_id"] for page in header["page"])]
        texts = [*fields, *header["shard_addresses"], *(page["page_type"] for page in header["page"])]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError
        if not all(isinstance(number, int) and number >= 0 for number in numbers):
            raise TypeError
    except (ValueError, KeyError, IndexError, TypeError, MRMInvalidSchemaError):
        raise RuntimeError(f"The file '{path}' is no MindRecord file, or damaged: it has no header of one.") from None
    return header


def write_index(beside: str, path: str, schema: Schema, fields: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Writes the index of a file, beside the place where it belongs.

    Args:
        rows: numbers as PLACES says, then the values of the fields.

    Raises:
        OSError: it can not be written.
    """
    try:
        _write_index(beside, path, schema, fields, rows)
    except sqlite3.OperationalError as error:
        raise OSError(f"The index '{path}.db' could not be written: {error}.") from None


def _write_index(beside: str, path: str, schema: Schema, fields: list[str], rows: list[tuple[Any, ...]]) -> None:
    kinds = ["INT NOT NULL"] * len(PLACES)
    for name in fields:
        kinds += ["INT", SCALARS[schema[name]["type"]]]
    columns = [f"{name} {kind}" for name, kind in zip(index_columns(fields), kinds)]
    key = ",".join(["ROW_ID", *(f"INC_{k}" for k in range(len(fields)))])
    with contextlib.closing(sqlite3.connect(beside)) as database, database:
        database.execute(f"CREATE TABLE INDEXES({', '.join(columns)}, PRIMARY KEY({key}))")
        database.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
        database.execute("INSERT INTO SHARD_NAME VALUES(?)", (os.path.basename(path),))
        values = [(*row[: len(PLACES)], *(part for value in row[len(PLACES) :] for part in (0, value))) for row in rows]
        marks = ",".join("?" * len(columns))
        database.executemany(f"INSERT INTO INDEXES VALUES({marks})", values)


def read_index(path: str, fields: list[str]) -> list[tuple[Any, ...]]:
    """The rows of an index: numbers as PLACES says, then the values of the fields, by number of the row."""
    selected = ", ".join([*PLACES, *(f"{name}_0" for name in fields)])
    database = None
    try:
        database = sqlite3.connect(f"file:{urllib.parse.quote(path)}.db?mode=ro", uri=True)
        return database.execute(f"SELECT {selected} FROM INDEXES ORDER BY ROW_ID").fetchall()
    except sqlite3.Error as error:
        raise RuntimeError(f"The file '{path}.db' is no index of a MindRecord file: {error}.") from None
    finally:
        if database is not None:
            database.close()


def read_places(path: str) -> Any:
    """The numbers of an index as an array, of shape (N, len(PLACES)).

    Raises:
        RuntimeError: it is none, or damaged.
    """
    try:
        return np.asarray(read_index(path, []), np.int64).reshape(-1, len(PLACES))
    except (ValueError, TypeError, OverflowError):
        raise RuntimeError(f"The file '{path}.db' is damaged: it has rows that are not of numbers.") from None
