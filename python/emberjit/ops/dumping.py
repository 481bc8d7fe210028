"""Tensors and gradients written into files of NumPy's format, to look at. Files are written when a call returns."""

from __future__ import annotations

import itertools
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_choice
from emberjit.primitives.primitive import Primitive, prim_attr_register
from emberjit.transforms.tensor_hooks import InsertGradientOf
from emberjit.values.cells import CellMarker

_counts: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)


def _save(function: str, path: Any, tensor: Any) -> None:
    """
    Raises:
        CaptureError: code is being captured.
    """
    import numpy as np

    if core.is_captured(tensor):
        raise core.CaptureError(f"{function} writes a file, which Python does only.")
    np.save(path, (tensor.float() if tensor.dtype == core.bfloat16 else tensor).asnumpy())


def _check(function: str, path: Any, tensor: Any, mode: Any) -> None:
    check_choice(function, "mode", mode, "in", "out")
    if not isinstance(path, str):
        raise TypeError(f"For '{function}', the path must be a str, but got {path!r}.")
    if not isinstance(tensor, core.Tensor):
        raise TypeError(f"For '{function}', a Tensor is needed, but got {tensor!r}.")


def tensordump(file_name: str, tensor: Any, mode: str = "out") -> None:
    """Writes a Tensor into a file: file_name with its dtype and the number of the call, as "x_float32_0.npy", or, of mode
    "in", "x_in_float32_0.npy". bfloat16 is written as float32.

    Args:
        file_name: the file's path, with ".npy" or without.
        tensor: what is written.
        mode: "in" or "out", which differ among several devices only.

    Raises:
        TypeError: file_name is no str, or tensor no Tensor.
        ValueError: another mode.
        CaptureError: code is being captured.

    Examples:
        >>> import os
        >>> ops.tensordump("x", Tensor([1.0, 2.0]))
        >>> [name] = os.listdir()
        >>> print(name[:9], np.load(name))
        x_float32 [1. 2.]
    """
    _check("tensordump", file_name, tensor, mode)
    stem = file_name.removesuffix(".npy") + ("_in" if mode == "in" else "")
    path = f"{stem}_{str(tensor.dtype).lower()}_{next(_counts[file_name])}.npy"
    _save("tensordump", path, tensor)


class TensorDump(Primitive):
    """tensordump() as a primitive.

    Args:
        input_output: the mode, "in" or "out".

    Inputs:
        file: the file's path, to which dtype and the number of the call are added.
        input_x: the Tensor.

    Examples:
        >>> import os
        >>> ops.TensorDump()("y", Tensor([1.0, 2.0]))
        >>> [name] = os.listdir()
        >>> print(name[:9], np.load(name))
        y_float32 [1. 2.]
    """

    @prim_attr_register
    def __init__(self, input_output: str = "out"):
        check_choice("TensorDump", "input_output", input_output, "in", "out")

    def __call__(self, file: str, input_x: Any) -> None:
        """Writes input_x into a file of this name, its dtype and the number of the call."""
        tensordump(file, input_x, self.attributes["input_output"])


class DumpGradient(Primitive):
    """Passes a Tensor on; its gradient is written into a file.

    Args:
        name: the primitive's name; by default the class's.

    Inputs:
        path: the file's, to which ".npy" is added if it lacks that.
        x: the Tensor.
        input_output: "in" or "out", which differ among several devices only.

    Examples:
        >>> gradient = ms.grad(lambda x: (ops.DumpGradient()("dx", x, "out") * 3).sum())(Tensor([1.0, 2.0]))
        >>> print(np.load("dx.npy"))
        [3. 3.]
    """

    def __call__(self, path: str, x: Any, input_output: str) -> Any:
        """x.

        Args:
            path: the file's, to which ".npy" is added if it lacks that.
            input_output: "in" or "out", which differ among several devices only.

        Raises:
            TypeError: path is no str, or x no Tensor.
            ValueError: another input_output.
        """
        _check("DumpGradient", path, x, input_output)
        return InsertGradientOf(lambda gradient: _save("DumpGradient", path, gradient))(x)


def set_dump(target: Any, enabled: bool = True) -> None:
    """Writes what a Cell or a primitive computes to files: on an Ascend. Here it warns that nothing is written.

    Args:
        target: a Cell or Primitive.
        enabled: whether to.

    Raises:
        TypeError: enabled is no bool.
        ValueError: target is neither.

    Examples:
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     ms.set_dump(nn.Dense(2, 2))
    """
    if not isinstance(target, (CellMarker, Primitive)):
        raise ValueError(f"For 'set_dump', 'target' must be a Cell or Primitive, but got {target!r}.")
    check_bool("set_dump", "enabled", enabled)
    warnings.warn("For 'set_dump', nothing is written: ops.TensorDump writes Tensors.", stacklevel=2)
