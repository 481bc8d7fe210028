"""Resolves the paths of MindSpore's modules, below `mindspore` or `emberjit`, to emberjit's modules; `mindspore` has
MindSpore's `__version__`."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any

from emberjit.compat import PATHS
from emberjit.compat.finder import Finder
from emberjit.version import __version__

# Modules that MindSpore has under another name.
_MOVED = {
    "mindspore._c_expression.typing": "emberjit.dtype",
    "mindspore.common.api": "emberjit",
    "mindspore.common.initializer": "emberjit.initializer",
    "mindspore.common.mutable": "emberjit.language.mutable",
    "mindspore.common.parameter": "emberjit.tensors.parameter",
    "mindspore.common.jit_config": "emberjit.capture.jit.options",
    "mindspore.common._grad_function": "emberjit.transforms.custom_functions",
    "mindspore.common.dtype": "emberjit.dtype",
    "mindspore.common.generator": "emberjit.generator",
    "mindspore.common.seed": "emberjit.generator",
    "mindspore.common.sparse_tensor": "emberjit.sparse.tensors",
    "mindspore.common.tensor": "emberjit",
    "mindspore.communication._comm_helper": "emberjit.compat.communication.groups",
    "mindspore.communication.management": "emberjit.compat.communication",
    "mindspore._extends": "emberjit.language.decorators",
    "mindspore._extends.parse": "emberjit",
    "mindspore._extends.parse.standard_method": "emberjit.tensors.standard_method",
    "mindspore.dataset.core": "emberjit.dataset",
    "mindspore.dataset.core.config": "emberjit.dataset.config",
    "mindspore.graph": "emberjit.compat.common",
    "mindspore.graph.api": "emberjit",
    "mindspore.mint.distributed": "emberjit.compat.communication.distributed",
    "mindspore.mint.distributed.distributed": "emberjit.compat.communication.distributed",
    "mindspore.nn.layer.conv": "emberjit.nn.layers.convolution",
    "mindspore.ops.communication": "emberjit.compat.communication.distributed",
    **dict.fromkeys(
        [f"mindspore.parallel.{part}" for part in ("algo_parameter_config", "checkpoint_transform", "shard")],
        "emberjit.compat.parallel",
    ),
    **{f"mindspore.boost.{part}": "emberjit.compat.boost" for part in ("base", "boost", "boost_cell_wrapper")},
    "mindspore.parallel.function": "emberjit.ops",
    **{f"mindspore.parallel.{part}": "emberjit.nn.distributed" for part in ("auto_parallel", "distributed", "nn")},
    "mindspore.profiler.profiler": "emberjit.profiler.profiling",
    "mindspore.profiler.schedule": "emberjit.profiler.steps",
    "mindspore.train.amp": "emberjit.amp",
    "mindspore.train.data_sink": "emberjit.train.dataset_helper",
    "mindspore.train.loss_scale_manager": "emberjit.amp",
    "mindspore.ops._primitive_cache": "emberjit.primitives.cache",
}
# Packages whose names are one module's, in whatever submodule MindSpore has them.
_FLAT = {
    **dict.fromkeys(
        [f"mindspore.ops.{part}" for part in ("auto_generate", "composite", "function", "functional", "operations")],
        "emberjit.ops",
    ),
    **{f"mindspore.device_context.{kind}": f"emberjit.compat.device_context.{kind}" for kind in ("ascend", "cpu", "gpu")},
    "mindspore.dataset.callback": "emberjit.dataset",
    "mindspore.dataset.engine": "emberjit.dataset",
    "mindspore.mindrecord.common": "emberjit.mindrecord",
    "mindspore.experimental.optim.lr_scheduler": "emberjit.experimental.optim.lr_scheduler",
    "mindspore.experimental.optim": "emberjit.experimental.optim",
    "mindspore.mint.optim": "emberjit.mint.optim",
    "mindspore.mint.nn.layer": "emberjit.mint.nn",
    **{f"mindspore.nn.{part}": "emberjit.nn" for part in ("grad", "layer", "sparse", "wrap")},
    "mindspore.nn.loss": "emberjit.nn.loss",
    "mindspore.nn.optim": "emberjit.nn.optim",
    "mindspore.numpy": "emberjit.numpy",
    "mindspore.nn.metrics": "emberjit.train.metrics",
    **{f"mindspore.train.{part}": f"emberjit.train.{part}" for part in ("callback", "metrics", "summary", "train_thor")},
}


def counterpart(path: str) -> str:
    """The module that a path of MindSpore's stands for."""
    flat = next((_FLAT[package] for package in _FLAT if f"{path}.".startswith(f"{package}.")), None)
    below = path[len("mindspore") :]
    here = below[1:].partition(".")[0] in PATHS
    return _MOVED.get(path) or flat or f"emberjit{'.compat' if here else ''}{below}"


def spec_of(path: str) -> importlib.machinery.ModuleSpec | None:
    """That of the module which a path below `mindspore`, or the same one below `emberjit`, stands for."""
    _, dot, below = path.partition(".")
    return importlib.util.spec_from_loader(path, _Loader(counterpart(f"mindspore{dot}{below}")))


class _Package(ModuleType):
    """A package with public names that are also MindSpore's submodules': an import of these replaces no value."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or self.__dict__.get(name, value) is value:
            super().__setattr__(name, value)


class _Loader(importlib.abc.Loader):
    """Gives a module under one more name."""

    def __init__(self, other: str):
        self.other = other

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        try:
            module = importlib.import_module(self.other)
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("emberjit"):
                raise
            raise ModuleNotFoundError(f"emberjit has no counterpart of module '{spec.name}' (yet)", name=spec.name) from None
        has_parts = any(f"{spec.name}.".startswith(f"{package}.") for package in _FLAT)
        has_parts = has_parts or any(moved.startswith(f"{spec.name}.") for moved in _MOVED)
        if has_parts and not hasattr(module, "__path__"):
            module.__path__ = []
        package, _, last = spec.name.rpartition(".")
        parent = sys.modules.get(package)
        if parent is not None and getattr(parent, last, module) is not module:
            parent.__class__ = _Package
        if spec.name == "mindspore":
            module.__dict__["__version__"] = __version__
        spec.loader_state = (module.__spec__, module.__loader__)
        return module

    def exec_module(self, module: ModuleType) -> None:
        state = module.__spec__.loader_state if module.__spec__ else None
        if state is not None:
            module.__spec__, module.__loader__ = state


def install() -> None:
    """From now on `import mindspore` gives emberjit."""
    if not any(isinstance(finder, Finder) and finder.package == "mindspore" for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder("mindspore"))
