"""ONNX files: load() runs one as a jitted function.

    model = emberjit.onnx.load("resnet50.onnx")
    scores = model(images)

A file is read here, without the package onnx; its graph becomes one jitted function wherever what comes next does not depend
on the elements of a Tensor (model.py).
"""

from __future__ import annotations

from emberjit.onnx.model import Model, load
from emberjit.unavailable import refusing

_REASONS = {
    "writes ONNX files; emberjit.export(file_format='MINDIR') writes graphs that load() reads": "export",
}
__getattr__, _why = refusing(__name__, "emberjit.onnx", _REASONS)

__all__ = ["Model", "load", *_why]
