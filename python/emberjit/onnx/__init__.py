"""ONNX files: load() runs one as a jitted function, export() writes a Cell or function as one.

    model = emberjit.onnx.load("resnet50.onnx")
    scores = model(images)
    emberjit.onnx.export(net, images, file_name="net.onnx")

A file is read here, without the package onnx; its graph becomes one jitted function wherever what comes next does not depend
on the elements of a Tensor (model.py).
"""

from __future__ import annotations

from emberjit.publish.modules import lazy as _lazy

_ELSEWHERE = {"Model": "emberjit.onnx.model", "export": "emberjit.onnx.exporter", "load": "emberjit.onnx.model"}

__all__ = list(_ELSEWHERE)
__getattr__, __dir__ = _lazy("onnx", globals(), _ELSEWHERE)
