# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.onnx.exporter import export as export
from emberjit.onnx.model import Model as Model
from emberjit.onnx.model import load as load

def __getattr__(name: str) -> Any: ...
