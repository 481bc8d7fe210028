"""FileWriter: writes MindRecord files."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import struct
import warnings
from enum import Enum
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.mindrecord import layout, packing
from emberjit.mindrecord.exceptions import MRMDefineIndexError, MRMInvalidSchemaError, ParamTypeError


class MSRStatus(Enum):
    """The status that functions return."""

    SUCCESS = 0
    FAILED = 1


SUCCESS, FAILED = MSRStatus.SUCCESS, MSRStatus.FAILED
_INTS, _FLOATS = (int, np.integer), (float, np.floating)
_LARGEST = {"int32": 2**31 - 1, "int64": 2**63 - 1, "float32": float(np.finfo(np.float32).max)}
_LEAST = {"int32": -(2**31), "int64": -(2**63)}


def _wrong(name: str, field: dict[str, Any], value: Any) -> str | None:
    """What is wrong with a value of a field; None if nothing is."""
    kind, shape = field["type"], field.get("shape")
    if shape is not None:
        if not isinstance(value, np.ndarray) or value.dtype.name != kind:  # of either byte order
            return f"field '{name}' must be an array of {kind}, but is {value!r:.100}"
        lengths = list(value.shape)
        known = [length for length in shape if length != -1]
        if shape.count(-1) > 1 or value.size == 0 or (-1 not in shape and int(np.prod(shape)) != value.size):
            return f"field '{name}' must be of shape {shape}, but is of {lengths}"
        fits = -1 not in shape or value.size % int(np.prod(known)) == 0
        return None if fits else f"field '{name}' is of {lengths}, not {shape}"
    expected: Any = {"string": str, "bytes": bytes}.get(kind, _INTS if kind.startswith("int") else _FLOATS)
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, expected) or isinstance(value, bool):
        return f"field '{name}' must be of type {kind}, but is {value!r:.100}"
    if kind in _LARGEST and abs(value) > _LARGEST[kind] and value != _LEAST.get(kind) and abs(value) != float("inf"):
        return f"field '{name}' must be within {kind}, but is {value!r}"
    return f"field '{name}' must not be empty" if value == b"" else None


def _beside(path: str) -> tuple[int, str]:
    """A new file in the same folder: its descriptor and its path."""
    for number in itertools.count():
        temporary = os.path.join(os.path.dirname(path), f".emberjit-{os.getpid()}-{number}")
        with contextlib.suppress(FileExistsError):
            return os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), temporary
    raise AssertionError


class _Shard:
    """A file that is being written: a new one beside the place where it belongs, so that it is there whole or not at all.
    What is added to a file counts once its header says so."""

    def __init__(
        self, path: str, number: int, page_size: int, header_size: int, schema: layout.Schema, header: dict[str, Any] | None
    ):
        self.number, self.owner = number, os.getpid()
        self.path = os.path.abspath(path)
        self.page_size, self.header_size, self.schema = page_size, header_size, schema
        self.pages: list[dict[str, Any]] = header["page"] if header else []
        self.saved = header.get("compression_size", 0) if header else 0
        self.index: list[list[Any]] = []  # of new rows
        self.raw: list[bytes] = []
        self.rows = max((page["end_row_id"] for page in self.pages), default=0)
        self.blobs = [page for page in self.pages if page["page_type"] == "BLOB_DATA"]
        self.before, self.index_written = os.path.getsize(self.path) if header else 0, ""
        target, self.written = (self.path, self.path) if header else _beside(self.path)
        self.stream: Any = open(target, "r+b" if header else "wb")  # noqa: SIM115  (finish() closes it)
        self.used = self.page_size  # so that the first row begins a page

    def _page(self, kind: str, number: int) -> dict[str, Any]:
        page = {
            "page_id": len(self.pages),
            "page_type": kind,
            "page_type_id": number,
            "page_size": 0,
            "shard_id": self.number,
        }
        page |= {"start_row_id": 0, "end_row_id": 0, "row_group_ids": [{"id": 0, "offset": 0}]}
        self.pages.append(page)
        return page

    def _place(self, page: dict[str, Any], offset: int) -> int:
        return int(self.header_size + page["page_id"] * self.page_size + offset)

    def add(self, row: dict[str, Any], number: int) -> None:
        """Writes the blob of a row, and keeps its scalars."""
        blob = self._blob(row)
        blob = struct.pack("<Q", len(blob)) + blob
        scalars = {name: _scalar(row[name]) for name in layout.scalar_fields(self.schema)}
        raw = packing.pack_map(scalars or {"id": 0})
        raw = struct.pack("<Q", len(raw)) + raw
        if max(len(blob), len(raw)) > self.page_size:
            raise RuntimeError(
                f"Row {number} is of {max(len(blob), len(raw))} bytes, more than a page of {self.page_size}: "
                "set_page_size() sets larger ones."
            )
        if self.used + len(blob) > self.page_size:
            page = self._page("BLOB_DATA", len(self.blobs))
            page["start_row_id"] = self.rows
            self.blobs.append(page)
            self.used = 0
        page = self.blobs[-1]
        self.stream.seek(self._place(page, self.used))
        self.stream.write(blob)
        self.index.append([self.rows, 0, 0, 0, len(self.blobs) - 1, page["page_id"], self.used, self.used + len(blob)])
        self.raw.append(raw)
        self.used += len(blob)
        self.rows += 1
        page |= {"page_size": self.used, "end_row_id": self.rows}

    def _blob(self, row: dict[str, Any]) -> bytes:
        names, parts = layout.blob_fields(self.schema), []
        for name in names:
            value = row[name]
            if isinstance(value, bytes):
                parts.append(value)
            elif self.schema[name]["type"] in layout.COMPRESSED:
                parts.append(packing.pack_ints(value))
                self.saved += value.nbytes - len(parts[-1])
            else:
                parts.append(np.ascontiguousarray(value, value.dtype.newbyteorder("<")).tobytes())
        if len(parts) == 1:
            return parts[0]
        return b"".join(struct.pack(">Q", len(part)) + part for part in parts) or bytes(4)

    def finish(self, fields: list[str], before: list[tuple[Any, ...]], header: dict[str, Any]) -> None:
        """Writes the scalars, the index and the header."""
        page: dict[str, Any] | None = None
        used, group, raws = 0, -1, sum(page["page_type"] == "RAW_DATA" for page in self.pages)
        for place, raw in zip(self.index, self.raw):
            if page is None or used + len(raw) > self.page_size:
                page, used, group = self._page("RAW_DATA", raws), 0, -1
                page["row_group_ids"] = []
                raws += 1
            if place[4] != group:
                group = place[4]
                page["row_group_ids"].append({"id": group, "offset": used})
            self.stream.seek(self._place(page, used))
            self.stream.write(raw)
            place[1:4] = page["page_id"], used, used + len(raw)
            used += len(raw)
            page["page_size"] = used
        text = json.dumps({**header, "page": self.pages, "compression_size": max(0, self.saved)}).encode()
        if 8 + len(text) > self.header_size:
            raise RuntimeError(
                f"The header of '{self.path}' is of {8 + len(text)} bytes, more than {self.header_size}: "
                "set_header_size() sets a larger one."
            )
        self.stream.truncate(max(self.header_size, self.stream.seek(0, os.SEEK_END)))
        values = [packing.unpack_map(raw[8:]) for raw in self.raw]
        new = [(*place, *(value[name] for name in fields)) for place, value in zip(self.index, values)]
        descriptor, self.index_written = _beside(f"{self.path}.db")
        os.close(descriptor)
        layout.write_index(self.index_written, self.path, self.schema, fields, [*before, *new])
        self.stream.flush()
        self.stream.seek(0)
        self.stream.write(struct.pack("<Q", len(text)) + text)
        self.stream.close()

    def replace(self) -> None:
        """Puts what was finished where it belongs."""
        os.replace(self.index_written, f"{self.path}.db")
        if self.written != self.path:
            os.replace(self.written, self.path)

    def discard(self) -> None:
        """Leaves what was there before. A forked child gives up what its parent goes on with, and writes nothing of it."""
        if os.getpid() != self.owner:
            self.stream.raw.close()
            return
        with contextlib.suppress(OSError):
            self.stream.close()
        with contextlib.suppress(OSError):
            if self.written == self.path:
                os.truncate(self.path, self.before)
            else:
                os.remove(self.written)
        with contextlib.suppress(OSError):
            os.remove(self.index_written)


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


class FileWriter:
    """Writes rows, dicts of values by the names of fields, to MindRecord files: first comes the schema, then the rows, then
    commit().

    Args:
        file_name: the path; of several files the number of each follows.
        shard_num: the number of files that rows are divided into, from 1 to 1000.
        overwrite: whether files that exist are replaced; False: they are an error.

    Raises:
        ParamTypeError: an argument is of a wrong type.
        ParamValueError: shard_num is not from 1 to 1000.
        RuntimeError: a file exists, when rows are written.

    Examples:
        >>> writer = ms.mindrecord.FileWriter("rows.mindrecord")
        >>> number = writer.add_schema({"label": {"type": "int32"}, "x": {"type": "float32", "shape": [2]}})
        >>> status = writer.write_raw_data([{"label": k, "x": np.float32([k, k])} for k in range(3)])
        >>> writer.commit()
        <MSRStatus.SUCCESS: 0>
        >>> for row in ds.MindDataset("rows.mindrecord", shuffle=False): print(*row)
        0 [0. 0.]
        1 [1. 1.]
        2 [2. 2.]
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False):
        from emberjit.mindrecord.exceptions import ParamValueError

        if not isinstance(file_name, str):
            raise ParamTypeError(f"For 'FileWriter', 'file_name' must be a str, but got {file_name!r}.")
        if not isinstance(shard_num, int) or isinstance(shard_num, bool) or not 1 <= shard_num <= 1000:
            raise ParamValueError(f"For 'FileWriter', 'shard_num' must be an int from 1 to 1000, but got {shard_num!r}.")
        if not isinstance(overwrite, bool):
            raise ParamTypeError(f"For 'FileWriter', 'overwrite' must be a bool, but got {overwrite!r}.")
        self._paths = layout.shard_names(file_name, shard_num)
        self._overwrite, self._headers = overwrite, [None] * shard_num
        self._page_size, self._header_size = layout.PAGE_SIZE, layout.HEADER_SIZE
        self._schema: layout.Schema | None = None
        self._description, self._fields = "", None
        self._shards: list[_Shard] = []
        self._ending = core.Finalizer(functools.partial(_discard, self._shards, os.getpid()))
        self._before: list[list[tuple[Any, ...]]] = [[] for _ in self._paths]
        self._count = 0

    @staticmethod
    def open_for_append(file_name: str) -> FileWriter:
        """A writer that adds rows to files.

        Args:
            file_name: the path of one, or of the first shard.

        Raises:
            RuntimeError: it is no MindRecord file.
        """
        if not os.path.isfile(file_name):
            raise RuntimeError(
                f"For 'open_for_append', 'file_name' must be a MindRecord file, but there is none: {file_name!r}."
            )
        header = layout.read_header(file_name)
        names = header["shard_addresses"]
        if os.path.basename(file_name) not in names or any(name != os.path.basename(name) for name in names):
            raise RuntimeError(
                f"For 'open_for_append', '{file_name}' must have the name that it was written under, one of {names}."
            )
        writer = FileWriter(file_name, 1)
        folder = os.path.dirname(file_name)
        writer._paths = [os.path.join(folder, name) for name in header["shard_addresses"]]
        writer._headers = [layout.read_header(path) for path in writer._paths]  # type: ignore[misc]
        writer._schema, writer._description = header["schema"][0]["schema"], header["schema"][0]["desc"]
        writer._page_size, writer._header_size = header["page_size"], header["header_size"]
        writer._fields = [entry["index_field"] for entry in header["index_fields"] or []]  # type: ignore[assignment]
        writer._before = [layout.read_index(path, writer._fields) for path in writer._paths]  # type: ignore[arg-type]
        return writer

    def init_append(self, file_name: str, header: Any) -> None:
        """What MindSpore's open_for_append() calls; there is no need to.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(
            f"For 'init_append', use FileWriter.open_for_append({file_name!r}), without {type(header).__name__}."
        )

    def add_schema(self, content: layout.Schema, desc: str | None = None) -> int:
        """Sets the schema: the fields that each row has.

        Args:
            content: a dict of each field's "type": "int32", "int64", "float32", "float64", "string" or "bytes"; and of an
                array its "shape", in which one -1 stands for any length, as {"x": {"type": "float32", "shape": [3]}}.
            desc: a description, which is stored; None: none.

        Returns:
            The number of the schema, 0.

        Raises:
            MRMInvalidSchemaError: it is no schema.
        """
        if desc is not None and not isinstance(desc, str):
            raise MRMInvalidSchemaError(f"For 'add_schema', 'desc' must be a str, but got {desc!r}.")
        self._schema, self._description = layout.checked_schema(content), desc or ""
        return 0

    def add_index(self, index_fields: list[str]) -> MSRStatus:
        """Sets the fields that rows can be found by, as MindPage does. Without a call these are all scalars.

        Args:
            index_fields: a list of names of scalar fields.

        Raises:
            ParamTypeError: it is no list of str.
            MRMDefineIndexError: a field is no scalar.
            RuntimeError: there is no such field.
        """
        if not isinstance(index_fields, list) or not index_fields or not all(isinstance(n, str) for n in index_fields):
            raise ParamTypeError(f"For 'add_index', 'index_fields' must be a list of str, but got {index_fields!r}.")
        for name in index_fields:
            if self._schema is None or name not in self._schema:
                raise RuntimeError(f"For 'add_index', there is no field '{name}' in the schema {self._schema}.")
            if name in layout.blob_fields(self._schema):
                raise MRMDefineIndexError(f"For 'add_index', field '{name}' must be a scalar, but is {self._schema[name]}.")
        self._fields = list(index_fields)  # type: ignore[assignment]
        return SUCCESS

    def set_page_size(self, page_size: int) -> MSRStatus:
        """Sets the size of a page of the files, which any row has to fit in.

        Args:
            page_size: the size in bytes, from 32 KB to 256 MB.

        Raises:
            RuntimeError: it is out of range.
        """
        self._page_size = _bounded("set_page_size", "page_size", page_size, layout.PAGE_BOUNDS)
        return SUCCESS

    def set_header_size(self, header_size: int) -> MSRStatus:
        """Sets the size of the header of the files.

        Args:
            header_size: the size in bytes, from 16 KB to 128 MB.

        Raises:
            RuntimeError: it is out of range.
        """
        self._header_size = _bounded("set_header_size", "header_size", header_size, layout.HEADER_BOUNDS)
        return SUCCESS

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> MSRStatus:
        """Writes rows. A row that is not as the schema says, or has a number beyond its type, is left out, with a warning.

        Args:
            raw_data: a list of dicts, of values by the names of fields.
            parallel_writer: a bool; rows are written by the calling thread in either case.

        Raises:
            ParamTypeError: raw_data is no list of dicts, or parallel_writer no bool.
            MRMInvalidSchemaError: there is no schema.
            MRMDefineIndexError: two fields of the index have the same name but for capital letters.
            RuntimeError: no row is as the schema says, or a file exists.
        """
        if not isinstance(raw_data, list) or not all(isinstance(row, dict) for row in raw_data):
            raise ParamTypeError(
                f"For 'write_raw_data', 'raw_data' must be a list of dicts, but got {type(raw_data).__name__}."
            )
        if not isinstance(parallel_writer, bool):
            raise ParamTypeError(f"For 'write_raw_data', 'parallel_writer' must be a bool, but got {parallel_writer!r}.")
        if self._schema is None:
            raise MRMInvalidSchemaError("For 'write_raw_data', add_schema() must be called before.")
        rows = [row for number, row in enumerate(raw_data) if self._fits(row, number)]
        if not rows:
            raise RuntimeError("For 'write_raw_data', no row of 'raw_data' is as the schema says; warnings tell why.")
        self._open()
        count = len(self._shards)
        for k, shard in enumerate(self._shards):
            for row in rows[len(rows) * k // count : len(rows) * (k + 1) // count]:
                shard.add(row, self._count)
                self._count += 1
        return SUCCESS

    def _fits(self, row: dict[str, Any], number: int) -> bool:
        assert self._schema is not None
        for name, field in self._schema.items():
            wrong = f"there is no field '{name}'" if name not in row else _wrong(name, field, row[name])
            if wrong:
                warnings.warn(f"For 'write_raw_data', row {number} is left out: {wrong}.", stacklevel=3)
                return False
        return True

    def _open(self) -> None:
        if self._shards:
            return
        assert self._schema is not None
        layout.index_columns(self._indexed())
        self.check_free()
        try:
            for number, (path, header) in enumerate(zip(self._paths, self._headers)):
                self._shards.append(_Shard(path, number, self._page_size, self._header_size, self._schema, header))
        except BaseException:
            self.discard()
            raise

    def _indexed(self) -> list[str]:
        assert self._schema is not None
        return layout.scalar_fields(self._schema) if self._fields is None else self._fields

    def check_free(self) -> None:
        """Checks that no file would be replaced that is not to be.

        Raises:
            RuntimeError: a file exists.
        """
        for path, header in zip(self._paths, self._headers):
            if header is None and not self._overwrite and (os.path.exists(path) or os.path.exists(f"{path}.db")):
                raise RuntimeError(f"The file '{path}' or its index exists; FileWriter(..., overwrite=True) replaces it.")

    def discard(self) -> None:
        """Ends without files, or with those that were there before."""
        _discard(self._shards, os.getpid())

    def commit(self) -> MSRStatus:
        """Finishes the files; until then they are not there.

        Raises:
            MRMInvalidSchemaError: there is no schema.
            RuntimeError: a file exists, or the header is too large.
        """
        if self._schema is None:
            raise MRMInvalidSchemaError("For 'commit', add_schema() must be called before.")
        self._open()
        fields = self._indexed()
        shown = [{"index_field": name, "schema_id": 0} for name in fields]
        schema = {"blob_fields": layout.blob_fields(self._schema), "desc": self._description, "schema": self._schema}
        header: dict[str, Any] = {
            "header_size": self._header_size,
            "page_size": self._page_size,
            "index_fields": shown or None,
        }
        header |= {"schema": [schema], "shard_addresses": [os.path.basename(path) for path in self._paths]}
        try:
            for k, (shard, before) in enumerate(zip(self._shards, self._before)):
                shard.finish(fields, before, {**header, "shard_id": k, "statistics": None, "version": "3.0"})
        except BaseException:
            self.discard()
            raise
        for shard in self._shards:
            shard.replace()
        self._shards.clear()
        return SUCCESS

    def check_worker_status(self, index: int) -> bool:
        """Whether a writer that runs beside has ended: always, since none does."""
        del index
        return True

    def check_all_worker_status(self) -> bool:
        """Whether all writers that run beside have ended: always, since none does."""
        return True


def _discard(shards: list[_Shard], owner: int) -> None:
    if os.getpid() != owner:  # a forked child's copy
        return
    while shards:
        shards[-1].discard()
        shards.pop()


def _bounded(where: str, name: str, value: Any, bounds: tuple[int, int]) -> int:
    if not isinstance(value, int) or not bounds[0] <= value <= bounds[1]:
        raise RuntimeError(f"For '{where}', '{name}' must be an int from {bounds[0]} to {bounds[1]}, but got {value!r}.")
    return value
