"""save(): the rows of a pipeline as MindRecord files."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.dataset.node import Node, Run
from emberjit.dataset.values import Row
from emberjit.mindrecord.writer import FileWriter

_KINDS = {
    **dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "int32"), "int32"),
    **dict.fromkeys(("uint32", "int64"), "int64"),
    **dict.fromkeys(("float16", "float32"), "float32"),
    "float64": "float64",
}
_AT_ONCE = 1000


def _field(name: str, value: Any) -> dict[str, Any]:
    if value.dtype.kind in "SU":
        if value.size != 1:
            raise RuntimeError(
                f"For 'save', column '{name}' must be one string or bytes a row, but is of {list(value.shape)}."
            )
        return {"type": "string" if value.dtype.kind == "U" else "bytes"}
    if value.dtype.name not in _KINDS:
        raise RuntimeError(f"For 'save', column '{name}' is of {value.dtype}, of which MindRecord files hold nothing.")
    kind = {"type": _KINDS[value.dtype.name]}
    return kind if value.ndim == 0 else {**kind, "shape": [-1, *value.shape[1:]]}


def _stored(value: Any, field: dict[str, Any]) -> Any:
    if value.dtype.kind == "U":
        return str(value.item())
    if value.dtype.kind == "S":
        return value.tobytes()
    cast = value.astype(field["type"])
    return cast if "shape" in field else cast.item()


def save(node: Node, seed: int, file_name: str, num_files: int) -> None:
    """Writes an epoch of a node's rows to num_files MindRecord files.

    Raises:
        RuntimeError: there is no row, or a column that the files cannot hold.
    """
    columns, pending = node.columns, []
    schema: dict[str, Any] = {}
    writer = FileWriter(file_name, num_files, overwrite=True)
    run = Run(node, seed)
    try:
        row: Row
        for row in node.rows(run, 0):
            for name, value in zip(columns, row):
                if not isinstance(value, np.ndarray):
                    raise RuntimeError(f"For 'save', column '{name}' must be of arrays, but has {value!r:.100}.")
            if not schema:
                schema = {name: _field(name, value) for name, value in zip(columns, row)}
                writer.add_schema(schema, "saved")
            pending.append({name: _stored(value, schema[name]) for name, value in zip(columns, row)})
            if len(pending) == _AT_ONCE:
                writer.write_raw_data(pending)
                pending = []
        if not schema:
            raise RuntimeError("For 'save', there is no row to write.")
        if pending:
            writer.write_raw_data(pending)
        writer.commit()
    finally:
        run.close()
