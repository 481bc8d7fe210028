"""MindSpore's export of ONNX files, which is not there."""

from __future__ import annotations

from typing import Any

from emberjit.unavailable import refusing

_REASONS = {
    "writes ONNX files; emberjit.export(file_format='MINDIR') writes graphs that load() reads": "export",
}
_get, _why = refusing(__name__, "emberjit.onnx", _REASONS)

__all__ = list(_why)


def __getattr__(name: str) -> Any:
    return globals().setdefault(name, _get(name))
