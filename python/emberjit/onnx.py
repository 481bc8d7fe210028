"""MindSpore's export of ONNX files, which is not there."""

from __future__ import annotations

from emberjit.unavailable import refusing

_REASONS = {
    "writes ONNX files; emberjit.export(file_format='MINDIR') writes graphs that load() reads": "export",
}
__getattr__, _why = refusing(__name__, "emberjit.onnx", _REASONS)

__all__ = list(_why)
