"""ONNX files: load() runs one as a jitted function, export() writes a Cell or function as one.

    model = emberjit.onnx.load("resnet50.onnx")
    scores = model(images)
    emberjit.onnx.export(net, images, file_name="net.onnx")

A file is read here, without the package onnx; its graph becomes one jitted function wherever what comes next does not depend
on the elements of a Tensor (model.py).
"""

from __future__ import annotations

from emberjit.onnx.exporter import export
from emberjit.onnx.model import Model, load

__all__ = ["Model", "export", "load"]
