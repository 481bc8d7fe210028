"""Schema: the columns that are expected of a source, with dtypes and shapes."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from emberjit import dtype as types
from emberjit.checks import check_instance, check_int32
from emberjit.dataset import checks


def numpy_type(where: str, name: str, dtype: Any) -> Any:
    """The NumPy dtype of a dtype given as one of the library's, or by name.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(dtype, str):
        kinds = {"bool": np.bool_, "string": np.str_, "str": np.str_, "bytes": np.bytes_}
        if dtype in kinds:
            return np.dtype(kinds[dtype])
        try:
            return np.dtype(dtype)
        except TypeError:
            raise TypeError(f"For '{where}', '{name}' must be a dtype, but got {dtype!r}.") from None
    if isinstance(dtype, np.dtype) or (isinstance(dtype, type) and issubclass(dtype, np.generic)):
        return np.dtype(dtype)
    if dtype is types.string:
        return np.dtype(np.str_)
    try:
        return np.dtype(types.dtype_to_nptype(dtype))
    except (TypeError, KeyError, ValueError):
        raise TypeError(f"For '{where}', '{name}' must be a dtype, but got {dtype!r}.") from None


class Schema:
    """The columns that are expected of a source: names, dtypes and shapes.

    Args:
        schema_file: the path of a file of JSON: {"columns": {NAME: {"type": DTYPE, "shape": [...]}}, "numRows": N}, of which
            only "columns" must be there; it may also be a list, with "name" in each. None: there are none yet.

    Raises:
        TypeError: schema_file is no path.
        ValueError: there is no such file.
        RuntimeError: it is none of a schema.

    Examples:
        >>> schema = ds.Schema()
        >>> schema.add_column("x", ms.float32, [2])
        >>> schema.add_column("label", ms.int32)
        >>> dataset = ds.RandomDataset(total_rows=3, schema=schema)
        >>> dataset.get_col_names(), dataset.output_shapes()
        (['x', 'label'], [[2], []])
    """

    def __init__(self, schema_file: str | None = None):
        self.columns: dict[str, dict[str, Any]] = {}
        self.dataset_type, self.num_rows = "", 0
        if schema_file is not None:
            path = checks.file("Schema", "schema_file", schema_file)
            try:
                with open(path, encoding="utf-8") as stream:
                    self.from_json(json.load(stream))
            except (ValueError, TypeError, RuntimeError) as error:
                raise RuntimeError(f"For 'Schema', the file '{path}' is no schema: {error}") from None

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Adds a column.

        Args:
            name: its name.
            de_type: its dtype, one of emberjit's or NumPy's, or its name.
            shape: the lengths of its values' axes, -1 of one that is not known; None: they are of any shape.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: there is one of this name.
        """
        if check_instance("add_column", "name", name, str) in self.columns:
            raise ValueError(f"For 'add_column', there is a column '{name}'.")
        kind = numpy_type("add_column", "de_type", de_type)
        column: dict[str, Any] = {"name": name, "type": "string" if kind.kind in "US" else kind.name}
        if shape is not None:
            for length in check_instance("add_column", "shape", shape, (list, tuple)):
                check_int32("add_column", "shape", length, -1)
        column |= {"rank": 1 if shape is None else len(shape)} | ({} if shape is None else {"shape": list(shape)})
        self.columns[name] = column

    def parse_columns(self, columns: Any) -> None:
        """Adds columns given as JSON has them.

        Args:
            columns: a list of dicts with "name", "type" and perhaps "shape"; or a dict, by name, of dicts with the latter
                two.

        Raises:
            TypeError: it is neither.
            RuntimeError: a column has no name or no type.
        """
        check_instance("parse_columns", "columns", columns, (list, dict))
        fields = (
            columns
            if isinstance(columns, list)
            else [{**check_instance("parse_columns", name, column, dict), "name": name} for name, column in columns.items()]
        )
        for column in fields:
            if not isinstance(column, dict) or "name" not in column or "type" not in column:
                raise RuntimeError(f"For 'parse_columns', a column must have a name and a type, but got {column}.")
            self.add_column(column["name"], column["type"], column.get("shape"))

    def to_json(self) -> str:
        """The columns as a str of JSON, which Schema() reads of a file."""
        document: dict[str, Any] = {
            "columns": {n: {k: v for k, v in c.items() if k != "name"} for n, c in self.columns.items()}
        }
        document |= {"datasetType": self.dataset_type} if self.dataset_type else {}
        document |= {"numRows": self.num_rows} if self.num_rows else {}
        return json.dumps(document, indent=2)

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Adds the columns of a schema's JSON.

        Args:
            json_obj: the object: a dict with "columns", and perhaps "numRows" and "datasetType".

        Raises:
            TypeError: it is no dict.
            RuntimeError: it has no columns.
        """
        check_instance("from_json", "json_obj", json_obj, dict)
        if not json_obj.get("columns"):
            raise RuntimeError("For 'from_json', 'json_obj' must have 'columns', but it has none.")
        self.dataset_type = json_obj.get("datasetType", "")
        self.num_rows = check_int32("from_json", "numRows", json_obj.get("numRows", 0))
        self.parse_columns(json_obj["columns"])

    def __str__(self) -> str:
        return self.to_json()


def schema_of(where: str, schema: Any) -> Schema | None:
    """A Schema given as one, as the path of its file, or not at all.

    Raises:
        TypeError: it is neither.
    """
    if schema is None or isinstance(schema, Schema):
        return schema
    return Schema(os.fspath(check_instance(where, "schema", schema, (str, os.PathLike))))
