"""save(): the rows of a pipeline as MindRecord files."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.dataset.node import Node, Run
from emberjit.dataset.values import Row
from emberjit.mindrecord.writer import FileWriter

_KINDS = {
    **dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "int32"), "int32"),
    **dict.fromkeys(("uint32", "int64", "uint64"), "int64"),
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


class _Column:
    """A column, as its first value is."""

    def __init__(self, name: str, first: Any):
        self.name, self.first, self.field = name, first, _field(name, first)

    def stored(self, value: Any, row: int) -> Any:
        """A value as files hold it.

        Raises:
            RuntimeError: it is not as the first, or none that they can hold.
        """
        first = self.first
        if (
            _kind(value) != _kind(first)
            or value.shape[1:] != first.shape[1:]
            or value.ndim != first.ndim
            or (value.dtype.kind in "SU" and value.size != 1)
        ):
            raise self._refused(value, row, f"as the first is {first.dtype} of {list(first.shape)}")
        if value.size == 0:
            raise self._refused(value, row, "and files hold nothing that is empty")
        if value.dtype.kind == "U":
            return str(value.item())
        if value.dtype.kind == "S":
            return value.tobytes()
        if value.dtype == np.uint64 and (value >> np.uint64(63)).any():
            raise self._refused(value, row, "and has a number beyond int64")
        cast = value.astype(self.field["type"])
        return cast if "shape" in self.field else cast.item()

    def _refused(self, value: Any, row: int, why: str) -> RuntimeError:
        return RuntimeError(
            f"For 'save', column '{self.name}' must be of one dtype, and of one shape but for the first axis, but in "
            f"row {row} it is {value.dtype} of {list(value.shape)}, {why}."
        )


def _kind(value: Any) -> Any:
    return value.dtype.kind if value.dtype.kind in "SU" else value.dtype


def save(node: Node, seed: int, file_name: str, num_files: int) -> None:
    """Writes an epoch of a node's rows to num_files MindRecord files.

    Raises:
        RuntimeError: there is no row, one that the files cannot hold or that is not as the first, or a file exists.
    """
    names, columns = node.columns, list[_Column]()
    pending: list[dict[str, Any]] = []
    writer = FileWriter(file_name, num_files)
    writer.check_free()
    run = Run(node, seed)
    try:
        row: Row
        for number, row in enumerate(node.rows(run, 0)):
            for name, value in zip(names, row):
                if not isinstance(value, np.ndarray):
                    raise RuntimeError(f"For 'save', column '{name}' must be of arrays, but has {value!r:.100}.")
            if not columns:
                columns = [_Column(name, value) for name, value in zip(names, row)]
                writer.add_schema({column.name: column.field for column in columns}, "saved")
            pending.append({column.name: column.stored(value, number) for column, value in zip(columns, row)})
            if len(pending) == _AT_ONCE:
                writer.write_raw_data(pending)
                pending = []
        if not columns:
            raise RuntimeError("For 'save', there is no row to write.")
        if pending:
            writer.write_raw_data(pending)
        writer.commit()
    except BaseException:
        writer.discard()
        raise
    finally:
        run.close()
