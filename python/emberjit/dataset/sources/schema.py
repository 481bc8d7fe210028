"""Schema: the columns that are expected of a source, with dtypes and shapes."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from emberjit import dtype as types
from emberjit.checks import check_instance, check_int32
from emberjit.dataset import checks


def numpy_type(where: str, name: str, given: Any) -> Any:
    """The NumPy dtype of a dtype given as one of the library's, or by name.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(given, str):
        kinds = {"bool": np.bool_, "string": np.str_, "str": np.str_, "bytes": np.bytes_}
        if given in kinds:
            return np.dtype(kinds[given])
        try:
            return np.dtype(given)
        except TypeError:
            raise TypeError(f"For '{where}', '{name}' must be a dtype, but got {given!r}.") from None
    if isinstance(given, np.dtype) or (isinstance(given, type) and issubclass(given, np.generic)):
        return np.dtype(given)
    if given is types.string:
        return np.dtype(np.str_)
    try:
        return np.dtype(types.dtype_to_nptype(given))
    except (TypeError, KeyError, ValueError):
        raise TypeError(f"For '{where}', '{name}' must be a dtype, but got {given!r}.") from None


class Schema:
    """The columns that are expected of a source.

    Args:
        schema_file: a JSON file of them: an object with "columns", an object or list, and perhaps "numRows".

    Raises:
        ValueError: there is no such file.
        RuntimeError: it is none of a schema.
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
        """Adds columns given as objects of JSON: a list of them with names, or a dict by name.

        Raises:
            TypeError: it is neither.
            RuntimeError: one has no name or no type.
        """
        check_instance("parse_columns", "columns", columns, (list, dict))
        listed = (
            columns
            if isinstance(columns, list)
            else [{**check_instance("parse_columns", name, each, dict), "name": name} for name, each in columns.items()]
        )
        for each in listed:
            if not isinstance(each, dict) or "name" not in each or "type" not in each:
                raise RuntimeError(f"For 'parse_columns', a column must have a name and a type, but got {each}.")
            self.add_column(each["name"], each["type"], each.get("shape"))

    def to_json(self) -> str:
        """The columns as JSON."""
        found: dict[str, Any] = {
            "columns": {n: {k: v for k, v in c.items() if k != "name"} for n, c in self.columns.items()}
        }
        found |= {"datasetType": self.dataset_type} if self.dataset_type else {}
        found |= {"numRows": self.num_rows} if self.num_rows else {}
        return json.dumps(found, indent=2)

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Adds the columns of an object of JSON.

        Raises:
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


def schema_of(where: str, given: Any) -> Schema | None:
    """A Schema given as one, as the path of its file, or not at all.

    Raises:
        TypeError: it is neither.
    """
    if given is None or isinstance(given, Schema):
        return given
    return Schema(os.fspath(check_instance(where, "schema", given, (str, os.PathLike))))
