"""The public names that the reference has, by module. A name that stands in several modules is told of in the first; one
that stands for what does not exist on a CPU says so, and has no page.
"""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from emberjit import Tensor
from emberjit import _emberjit as core
from emberjit.dataset import Dataset, text
from emberjit.publish.index import NAMES

MODULES = {
    "emberjit.train": "Model, callbacks, metrics, checkpoints",
    "emberjit.amp": "Mixed precision",
    "emberjit.initializer": "Initial values of Parameters",
    "emberjit.dataset.transforms": "Transforms of any data",
    "emberjit.dataset.vision": "Transforms of images",
    "emberjit.dataset.text": "Transforms of texts",
    "emberjit.dataset.audio": "Transforms of sound",
    "emberjit.dataset": "Datasets",
    "emberjit.mindrecord": "MindRecord files",
    "emberjit.profiler": "What takes time",
    "emberjit.onnx": "ONNX files",
    "emberjit.runtime": "Memory, threads and streams",
    "emberjit.communication": "Collectives",
    "emberjit.nn.probability.distribution": "Probability distributions",
    "emberjit.nn.probability.bijector": "Invertible maps of distributions",
    "emberjit.nn": "Cells: layers, losses, optimizers, training steps",
    "emberjit.experimental.optim": "Optimizers with groups, and their schedules",
    "emberjit.experimental.optim.lr_scheduler": "Learning rates that follow optimizers' steps",
    "emberjit.mint.optim": "Optimizers as PyTorch spells them",
    "emberjit.mint.linalg": "Linear algebra as PyTorch spells it",
    "emberjit.mint.special": "Special functions as PyTorch spells them",
    "emberjit.mint.nn.functional": "Functions of layers as PyTorch spells them",
    "emberjit.mint.nn": "Cells as PyTorch spells them",
    "emberjit.mint": "Functions as PyTorch spells them",
    "emberjit.ops": "Functions, and Primitives",
    "emberjit.numpy": "Functions as NumPy spells them",
    "emberjit.scipy.linalg": "Linear algebra as SciPy spells it",
    "emberjit.scipy.optimize": "Minimisation",
    "emberjit": "Tensors, jit, gradients, settings",
}


SHORT = {"emberjit": "ms", "emberjit.dataset": "ds"} | {
    f"emberjit.dataset.{kind}": kind for kind in ("vision", "text", "audio", "transforms")
}
WITH_METHODS = (("emberjit.dataset", Dataset), ("emberjit.dataset.text", text.Vocab))  # of which each method is a name


class Name(NamedTuple):
    """A public name."""

    module: str
    name: str
    value: Any
    scope: str  # of its declaration; "" if it is written by hand

    @property
    def path(self) -> str:
        """As programs spell it, with ms for emberjit; what the examples import has no prefix."""
        return f"{SHORT.get(self.module) or self.module.removeprefix('emberjit.')}.{self.name}"


ELSEWHERE = ("typing", "emberjit.checks", "emberjit.compat.unavailable")  # modules of what public modules use


def _is_documented(value: Any) -> bool:
    if getattr(value, "__module__", None) in ELSEWHERE or value is Any:
        return False
    if isinstance(value, types.ModuleType) or not callable(value) or isinstance(value, types.GenericAlias):
        return False
    told = inspect.getdoc(value) or ""
    return "NotImplementedError: always" not in told


def names() -> Iterator[Name]:
    """All public names, each once."""
    seen: set[int] = set()
    for path in MODULES:
        module = importlib.import_module(path)
        scope = path.removeprefix("emberjit.")
        for name in sorted(getattr(module, "__all__", None) or dir(module)):
            if name.startswith("_"):
                continue
            value = getattr(module, name)
            own = scope if name in NAMES.get(scope, ()) else ""
            if not _is_documented(value) or (not own and id(value) in seen):
                continue
            seen.add(id(value))
            yield Name(path, name, value, own)
    for name in sorted(NAMES["Tensor"]):
        yield of("Tensor", name)
    for name, value in sorted(vars(Tensor).items()):
        if not hasattr(Tensor, name):  # another library's name, whose error tells what is here
            continue
        if not name.startswith("_") and name not in NAMES["Tensor"] and not isinstance(value, core.Function):
            yield Name("emberjit", f"Tensor.{name}", value, "")
    for path, owner in WITH_METHODS:
        for name in sorted(dir(owner)):
            value = getattr(owner, name)
            if not name.startswith("_") and isinstance(value, (types.FunctionType, types.MethodType, property)):
                yield Name(path, f"{owner.__name__}.{name}", value, "")


def written_by_hand() -> list[Name]:
    """Those whose documentation is no declaration's."""
    return [name for name in names() if not name.scope]


def of(scope: str, name: str) -> Name:
    """A name that is declared."""
    if scope == "Tensor":
        return Name("emberjit", f"Tensor.{name}", inspect.getattr_static(Tensor, name), scope)
    return Name(f"emberjit.{scope}", name, getattr(importlib.import_module(f"emberjit.{scope}"), name), scope)
