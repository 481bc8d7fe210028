"""Networks that compute in float16 or bfloat16, whole or in parts."""

from __future__ import annotations

import functools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit import nn, ops
from emberjit.checks import check_instance
from emberjit.nn.cell import Cell
from emberjit.primitives.primitive import Primitive
from emberjit.transforms.precision_rules import Automatic, automatic
from emberjit.values.dtypes import cast

LEVELS = ("O0", "O1", "O2", "O3", "auto")
_WHITE_CELLS = "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose Dense LSTMCell RNNCell GRUCell"
_WHITE_PRIMITIVES = "Conv2D Conv3D Conv2DTranspose Conv3DTranspose Conv2DBackpropInput MatMul BatchMatMul PReLU ReLU Ger"
_BLACK_CELLS = "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm"


def _classes(module: Any, names: str) -> list[Any]:
    return [getattr(module, name) for name in names.split() if name in module.__all__]


def get_white_list() -> list[Any]:
    """The classes of Cells and Primitives that auto_mixed_precision computes in lower precision under "O1": convolutions,
    products of matrices, recurrent cells.

    Returns:
        A new list of classes, which may be changed, and given to custom_mixed_precision.

    Examples:
        >>> classes = ms.amp.get_white_list()
        >>> nn.Dense in classes, nn.LayerNorm in classes
        (True, False)
    """
    return _classes(nn, _WHITE_CELLS) + _classes(ops, _WHITE_PRIMITIVES)


def get_black_list() -> list[Any]:
    """The classes of Cells that auto_mixed_precision leaves in float32 under "O2": normalisations.

    Returns:
        A new list of classes, which may be changed, and given to custom_mixed_precision.

    Examples:
        >>> print([cell.__name__ for cell in ms.amp.get_black_list()])
        ['BatchNorm1d', 'BatchNorm2d', 'BatchNorm3d', 'LayerNorm']
    """
    return _classes(nn, _BLACK_CELLS)


def _converted(dtype: core.dtype, *hooked: Any) -> Any:
    """The output, of which a hook is told last, in a dtype."""
    return cast(hooked[-1], dtype)


def _give(cell: Cell, dtype: core.dtype) -> None:
    """From now on the results of a Cell are of a dtype, whatever they were of before."""
    if "_amp_result" in cell.__dict__:
        cell.__dict__["_amp_result"].remove()
    cell.__dict__["_amp_result"] = cell.register_forward_hook(functools.partial(_converted, dtype))


def _compute_in(cell: Any, dtype: core.dtype, result: core.dtype) -> None:
    """From now on a Cell computes in a dtype, and gives results of another."""
    cell.to_float(dtype)
    _give(cell, result)


def _lower_listed(network: Any, classes: list[Any], dtype: core.dtype) -> None:
    """Computes Cells and Primitives of some classes in a dtype; their results are in float32."""
    cells = tuple(one for one in classes if issubclass(one, Cell))
    for _, cell in list(network.cells_and_names()):
        if isinstance(cell, cells):
            _compute_in(cell, dtype, core.float32)
    primitives = [one for one in classes if issubclass(one, Primitive)]
    if primitives:
        network._set_rules(dict.fromkeys(primitives, dtype))


def lower_all(network: Any, classes: list[Any], dtype: Any) -> None:
    """Computes a network in a dtype, but Cells of some classes in float32."""
    network.to_float(dtype)
    for _, cell in list(network.cells_and_names()):
        if isinstance(cell, tuple(classes)):
            _compute_in(cell, core.float32, dtype)


class _OutputTo32(Cell):
    """A Cell with the Tensors of floating point in its results as float32."""

    def __init__(self, backbone: Any):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return cast(self._backbone(*args, **kwargs), core.float32)


def _check_dtype(name: str, dtype: Any) -> None:
    if dtype not in (core.float16, core.bfloat16):
        raise ValueError(f"For '{name}', 'dtype' must be float16 or bfloat16, but got {dtype}.")


def auto_mixed_precision(network: Any, amp_level: str = "O0", dtype: Any = core.float16) -> Any:
    """Computes a network in lower precision.

    Args:
        network: a Cell; under "auto" also a function.
        amp_level: "O0", the default: not at all; "O1": the Cells and Primitives within it whose classes get_white_list()
            has, their results in float32; "O2": all but the Cells whose classes get_black_list() has, the result of the
            network in float32; "O3": all, likewise; "auto": each function, primitive and operator by itself that construct
            comes to: products, convolutions and PReLU in lower precision, what needs the range of float32 or sums up in
            float32 (exp, log, pow, softmax, norms, losses), concat and few others in the widest dtype of their
            arguments, all others in those that they are given. Results are of the dtype that they were computed in.
            Within a Cell with a precision of its own, as to_float gives it, that counts.
        dtype: the lower precision, float16 or bfloat16.

    Returns:
        The network itself, changed; of a function another one.

    Raises:
        TypeError: network is no Cell, nor a function under "auto".
        ValueError: there is no such level, or another dtype.

    Examples:
        >>> x = Tensor([[0.1]], ms.float32)
        >>> net = nn.SequentialCell(nn.Dense(1, 1, weight_init="ones", has_bias=False))
        >>> net = ms.amp.auto_mixed_precision(net, "O2", ms.bfloat16)
        >>> y = net(x)  # 0.1 is rounded to 8 bits
        >>> print(y, y.dtype)
        [[0.10009766]] Float32
    """
    of_function = amp_level == "auto" and isinstance(network, (types.FunctionType, types.MethodType))
    if not isinstance(network, Cell) and not of_function:
        raise TypeError(
            "For 'auto_mixed_precision', 'network' must be a Cell, or under amp_level 'auto' a function, but got "
            f"{type(network)}."
        )
    _check_dtype("auto_mixed_precision", dtype)
    if amp_level not in LEVELS:
        raise ValueError(f"For 'auto_mixed_precision', 'amp_level' must be one of {LEVELS}, but got {amp_level!r}.")
    if amp_level == "O1":
        _lower_listed(network, get_white_list(), dtype)
    elif amp_level == "auto":
        if of_function:
            return Automatic(network, dtype)
        network._set_rules(automatic(dtype))
    elif amp_level != "O0":
        lower_all(network, get_black_list() if amp_level == "O2" else [], dtype)
        _give(network, core.float32)
    return network


def custom_mixed_precision(
    network: Any, *, white_list: Any = None, black_list: Any = None, dtype: Any = core.float16
) -> Any:
    """Computes a network in lower precision, as "O1" or "O2" of auto_mixed_precision do, with classes of one's own.

    Args:
        network: a Cell.
        white_list: a list of the classes of Cells and Primitives that compute in lower precision, with results in float32.
        black_list: or a list of the classes of Cells that do not, while all else does. One of the two lists is given.
        dtype: the lower precision, float16 or bfloat16.

    Returns:
        The network itself, changed.

    Raises:
        TypeError: network is no Cell, or a list no list of such classes.
        ValueError: there is no list, or there are both; another dtype.

    Examples:
        >>> x = Tensor([[0.1]], ms.float32)
        >>> net = nn.SequentialCell(nn.Dense(1, 1, weight_init="ones", has_bias=False))
        >>> net = ms.amp.custom_mixed_precision(net, white_list=[nn.Dense], dtype=ms.bfloat16)
        >>> y = net(x)  # 0.1 is rounded to 8 bits
        >>> print(y, y.dtype)
        [[0.10009766]] Float32
    """
    name = "custom_mixed_precision"
    check_instance(name, "network", network, Cell)
    if (white_list is None) == (black_list is None):
        raise ValueError(f"For '{name}', either 'white_list' or 'black_list' must be given.")
    _check_dtype(name, dtype)
    if white_list is not None:
        _check_classes("white_list", white_list, (Cell, Primitive))
        _lower_listed(network, white_list, dtype)
        return network
    _check_classes("black_list", black_list, (Cell,))
    lower_all(network, black_list, dtype)
    _give(network, core.float32)
    return network


def _check_classes(name: str, classes: Any, kinds: tuple[type, ...]) -> None:
    if not isinstance(classes, list) or not all(isinstance(one, type) and issubclass(one, kinds) for one in classes):
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"For 'custom_mixed_precision', '{name}' must be a list of classes of {expected}s, but got {classes!r}."
        )
