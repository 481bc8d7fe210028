"""Reading MindRecord files: any row of some, FileReader, and MindPage."""

from __future__ import annotations

import functools
import json
import os
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit.mindrecord import layout, packing
from emberjit.mindrecord.exceptions import ParamTypeError
from emberjit.mindrecord.files import Files


class Rows:
    """The rows of MindRecord files: of one with its other shards, or of several as they are.

    Args:
        files: a path, or a list of them.
        columns: the fields that come; all unless given.

    Raises:
        RuntimeError: a file is none, files have different schemas, or there is no such field.
    """

    def __init__(self, files: str | list[str], columns: list[str] | None = None):
        first = files if isinstance(files, str) else files[0]
        header = layout.read_header(first)
        if isinstance(files, str):
            names = [os.path.basename(name) for name in header["shard_addresses"]]
            paths = [os.path.join(os.path.dirname(files), name) for name in names]
            self.paths = paths if all(os.path.exists(path) for path in paths) and files in paths else [files]
        else:
            self.paths = list(files)
        headers = [layout.read_header(path) for path in self.paths]
        self.schema: layout.Schema = header["schema"][0]["schema"]
        self.indexed: list[str] = [entry["index_field"] for entry in header["index_fields"] or []]
        for path, other in zip(self.paths, headers):
            if other["schema"][0]["schema"] != self.schema:
                raise RuntimeError(f"The files '{first}' and '{path}' have different schemas.")
        for name in columns or ():
            if name not in self.schema:
                raise RuntimeError(f"There is no field '{name}' among {sorted(self.schema)} of '{first}'.")
        self.columns = sorted(self.schema) if columns is None else list(columns)
        self.blobs = layout.blob_fields(self.schema)
        self._sizes = [(entry["header_size"], entry["page_size"]) for entry in headers]
        self._scalar = any(name not in self.blobs for name in self.columns)
        self._blob = any(name in self.blobs for name in self.columns)
        self._files = Files()

    @functools.cached_property
    def _places(self) -> list[Any]:
        return [layout.read_places(path) for path in self.paths]

    @functools.cached_property
    def counts(self) -> list[int]:
        """How many rows each file has."""
        return [len(places) for places in self._places]

    @functools.cached_property
    def _starts(self) -> Any:
        return np.cumsum([0, *self.counts])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def close(self) -> None:
        """Closes the files; reading opens them again."""
        self._files.close()

    def values_of(self, field: str) -> list[Any]:
        """The values of an indexed field, row by row.

        Raises:
            RuntimeError: it is not indexed.
        """
        if field not in self.indexed:
            raise RuntimeError(f"There is no index of '{field}' in '{self.paths[0]}', only of {self.indexed}.")
        return [row[-1] for path in self.paths for row in layout.read_index(path, [field])]

    def _part(self, at: int, page: int, start: int, end: int) -> bytes:
        header, size = self._sizes[at]
        begin = header + page * size + start
        if not 0 <= start < end <= size or page < 0:
            raise RuntimeError(
                f"The file '{self.paths[at]}.db' is damaged: it says that a row is at {start} of page {page}."
            )
        data = self._files.read(self.paths[at], begin, end - start)
        if len(data) != end - start or len(data) < 8 or struct.unpack("<Q", data[:8])[0] != len(data) - 8:
            raise RuntimeError(f"The file '{self.paths[at]}' is damaged: page {page} has no row at {start}.")
        return data[8:]

    def __getitem__(self, index: int) -> dict[str, Any]:
        """A row: int, float, str, bytes and arrays by field."""
        at = int(np.searchsorted(self._starts, index, side="right")) - 1
        row = index - int(self._starts[at])
        _, raw, raw_start, raw_end, _, blob, blob_start, blob_end = self._places[at][row].tolist()
        fields: dict[str, Any] = {}
        try:
            if self._scalar:
                fields |= packing.unpack_map(self._part(at, raw, raw_start, raw_end))
            if self._blob:
                fields |= self._split(self._part(at, blob, blob_start, blob_end))
            return {name: fields[name] for name in self.columns}
        except (ValueError, KeyError, struct.error) as error:
            raise RuntimeError(f"Row {row} of the file '{self.paths[at]}' is damaged: {error}.") from None

    def _split(self, blob: bytes) -> dict[str, Any]:
        if len(self.blobs) == 1:
            return {self.blobs[0]: self._value(self.blobs[0], blob)}
        fields, at = {}, 0
        for name in self.blobs:
            size = struct.unpack(">Q", blob[at : at + 8])[0]
            if name in self.columns:
                fields[name] = self._value(name, blob[at + 8 : at + 8 + size])
            at += 8 + size
        return fields

    def _value(self, name: str, data: bytes) -> Any:
        field = self.schema[name]
        if field["type"] == "bytes":
            return data
        if field["type"] in layout.COMPRESSED:
            array = packing.unpack_ints(data, field["type"])
        else:
            array = np.frombuffer(data, field["type"]).copy()
        return array.reshape(field["shape"])


class FileReader:
    """Reads the rows of MindRecord files, one after the other.

    Args:
        file_name: the path of a file, whose other shards are read as well, or a list of paths.
        num_consumer: an int above 0, the number of threads that MindSpore reads with; here rows are read when they are asked
            for.
        columns: the names of the fields that rows have; None: all fields.
        operator: None.

    Raises:
        ParamTypeError: an argument is of a wrong type.
        RuntimeError: a file does not exist, or is no MindRecord file; there is no such field; operator is not None.

    Examples:
        >>> writer = ms.mindrecord.FileWriter("rows.mindrecord")
        >>> number = writer.add_schema({"label": {"type": "int32"}, "name": {"type": "string"}})
        >>> status = writer.write_raw_data([{"label": 3, "name": "cat"}, {"label": 5, "name": "dog"}])
        >>> status = writer.commit()
        >>> reader = ms.mindrecord.FileReader("rows.mindrecord", columns=["name"])
        >>> for row in reader.get_next(): print(row)
        {'name': 'cat'}
        {'name': 'dog'}
        >>> reader.close()
    """

    def __init__(
        self, file_name: str | list[str], num_consumer: int = 4, columns: list[str] | None = None, operator: Any = None
    ):
        _check_files("FileReader", file_name, num_consumer)
        if columns is not None and (not isinstance(columns, list) or not all(isinstance(column, str) for column in columns)):
            raise ParamTypeError(f"For 'FileReader', 'columns' must be a list of str, but got {columns!r}.")
        if operator is not None:
            raise RuntimeError(f"For 'FileReader', 'operator' must be None, but got {operator!r}.")
        self._rows = Rows(file_name, columns)

    def get_next(self) -> Iterator[dict[str, Any]]:
        """Reads the rows in turn.

        Yields:
            A dict of each row: int, float, str, bytes and arrays, by the names of the fields.
        """
        for index in range(len(self._rows)):
            yield self._rows[index]

    def schema(self) -> layout.Schema:
        """Returns the schema: a dict of the type and shape of each field, as FileWriter.add_schema() accepts."""
        return self._rows.schema

    def len(self) -> int:
        """Returns the number of rows."""
        return len(self._rows)

    def close(self) -> None:
        """Closes the files."""
        self._rows.close()


def _check_files(where: str, files: Any, consumers: Any) -> None:
    for file in files if isinstance(files, list) and files else [files]:
        if not isinstance(file, str):
            raise ParamTypeError(f"For '{where}', 'file_name' must be a str or a list of them, but got {files!r}.")
        if not os.path.isfile(file):
            raise RuntimeError(f"For '{where}', 'file_name' must be a MindRecord file, but there is none at '{file}'.")
    if not isinstance(consumers, int) or isinstance(consumers, bool) or consumers < 1:
        raise ParamTypeError(f"For '{where}', 'num_consumer' must be an int above 0, but got {consumers!r}.")


class MindPage:
    """Reads the rows of MindRecord files that have one value in an indexed field, page by page.

    Args:
        file_name: the path of a file, whose other shards are read as well, or a list of paths.
        num_consumer: an int above 0, the number of threads that MindSpore reads with; here rows are read when they are asked
            for.

    Raises:
        ParamTypeError: an argument is of a wrong type.
        RuntimeError: a file does not exist, or is no MindRecord file.

    Examples:
        >>> writer = ms.mindrecord.FileWriter("rows.mindrecord")
        >>> number = writer.add_schema({"label": {"type": "int32"}, "name": {"type": "string"}})
        >>> status = writer.write_raw_data([{"label": k % 2, "name": f"row {k}"} for k in range(4)])
        >>> status = writer.commit()
        >>> reader = ms.mindrecord.MindPage("rows.mindrecord")
        >>> reader.category_field = "label"
        >>> print(reader.read_at_page_by_name("1", page=0, num_row=2))
        [{'label': 1, 'name': 'row 1'}, {'label': 1, 'name': 'row 3'}]
    """

    def __init__(self, file_name: str | list[str], num_consumer: int = 4):
        _check_files("MindPage", file_name, num_consumer)
        self._rows = Rows(file_name)
        self._field: str | None = None

    @property
    def candidate_fields(self) -> list[str]:
        """The indexed fields."""
        return list(self._rows.indexed)

    @property
    def category_field(self) -> str | None:
        """The field whose values are categories."""
        return self._field

    @category_field.setter
    def category_field(self, category_field: str) -> None:
        if not isinstance(category_field, str) or category_field not in self._rows.indexed:
            raise RuntimeError(f"A category field must be of {self._rows.indexed}, but got {category_field!r}.")
        self._field = category_field

    def _categories(self) -> dict[Any, list[int]]:
        if self._field is None:
            raise RuntimeError("For 'MindPage', category_field must be set before.")
        categories: dict[Any, list[int]] = {}
        for row, value in enumerate(self._rows.values_of(self._field)):
            categories.setdefault(value, []).append(row)
        return dict(sorted(categories.items()))

    def read_category_info(self) -> str:
        """JSON of the categories: numbers, values, and how many rows there are of each."""
        groups = self._categories()
        categories = [{"count": len(rows), "id": k, "name": str(value)} for k, (value, rows) in enumerate(groups.items())]
        return json.dumps({"categories": categories, "key": f"{self._field}_0"}, separators=(",", ":"))

    def _page(self, rows: list[int], page: int, num_row: int) -> list[dict[str, Any]]:
        if page < 0 or num_row < 1:
            raise RuntimeError(f"For 'MindPage', 'page' must be at least 0 and 'num_row' 1, but got {page} and {num_row}.")
        return [self._rows[row] for row in rows[page * num_row : (page + 1) * num_row]]

    def read_at_page_by_id(self, category_id: int, page: int, num_row: int) -> list[dict[str, Any]]:
        """Reads a page of the rows of one category, which is given by its number.

        Args:
            category_id: the number, by the order of the categories' values, from 0 on.
            page: the number of the page, from 0 on.
            num_row: the number of rows of a page.

        Returns:
            A list of rows, dicts of values by the names of the fields.

        Raises:
            RuntimeError: there is no such category, or a number is out of range.
        """
        groups = list(self._categories().values())
        if not 0 <= category_id < len(groups):
            raise RuntimeError(f"For 'read_at_page_by_id', there are {len(groups)} categories, but got {category_id}.")
        return self._page(groups[category_id], page, num_row)

    def read_at_page_by_name(self, category_name: str, page: int, num_row: int) -> list[dict[str, Any]]:
        """Reads a page of the rows of one category, which is given by its value.

        Args:
            category_name: the value of the category field, as a str.
            page: the number of the page, from 0 on.
            num_row: the number of rows of a page.

        Returns:
            A list of rows, dicts of values by the names of the fields.

        Raises:
            RuntimeError: there is no such category, or a number is out of range.
        """
        groups = {str(value): rows for value, rows in self._categories().items()}
        if category_name not in groups:
            raise RuntimeError(f"For 'read_at_page_by_name', there is no category {category_name!r} among {list(groups)}.")
        return self._page(groups[category_name], page, num_row)
