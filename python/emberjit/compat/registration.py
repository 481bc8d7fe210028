"""How ops of one's own are described to MindSpore: dtypes and formats, inputs, outputs and attributes, as a dict. Functions
keep their descriptions; what they compute does not depend on them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_FORMATS = {
    "None": "",
    "Default": "DefaultFormat",
    "5HD": "NC1HWC0",
    "FracZ": "FRACTAL_Z",
    "FracNZ": "FRACTAL_NZ",
    "FRACTAL_Z_3D": "FRACTAL_Z_3D",
    "FracZNLSTM": "FRACTAL_ZN_LSTM",
    "FracZNRNN": "FRACTAL_ZN_RNN",
    "ND_RNNBIAS": "ND_RNN_BIAS",
    **{name: name for name in ["C1HWNCoC0", "NCHW", "NHWC", "HWCN", "NCDHW", "NDHWC", "DHWCN", "NDC1HWC0", "ChannelLast"]},
}
_DTYPES = {
    "None": "",
    "BOOL": "bool",
    **{f"{kind}{bits}": f"{name}{bits}" for kind, name in (("I", "int"), ("U", "uint")) for bits in (8, 16, 32, 64)},
    **{f"F{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"C{bits}": f"complex{bits}" for bits in (64, 128)},
}


class _DataTypes(type):
    def __getattr__(cls, name: str) -> tuple[str, str]:
        kind, _, order = name.partition("_")
        if kind not in _DTYPES or order not in _FORMATS:
            raise AttributeError(f"DataType has no '{name}': a name is a dtype and a format, as F32_Default or I8_NCHW.")
        return _DTYPES[kind], _FORMATS[order]


class DataType(metaclass=_DataTypes):
    """A dtype with a format, as a pair of strings: DataType.F32_Default is ("float32", "DefaultFormat").

    Examples:
        >>> print(ops.DataType.F32_Default, ops.DataType.I8_NCHW)
        ('float32', 'DefaultFormat') ('int8', 'NCHW')
    """


_KEYS = {"param_type": "paramType", "value_type": "type", "default_value": "defaultValue", "value_depend": "valueDepend"}
_TYPES = {"index": int, "need_compile": bool}


class RegOp:
    """The description of an op. Each method adds to it, and returns it; get_op_info gives it.

    Args:
        op_name: the op's name.

    Raises:
        ValueError: op_name is no str.
    """

    _input: tuple[str, ...] = ("index", "name")
    _output: tuple[str, ...] = ("index", "name")
    _attr: tuple[str, ...] = ("name", "param_type", "value_type")
    _default: dict[str, Any] = {}  # of inputs and outputs
    _further: dict[str, Any] = {}

    def __init__(self, op_name: str):
        if not isinstance(op_name, str):
            raise ValueError(f"For '{type(self).__name__}', 'op_name' must be a str, but got {op_name!r}.")
        self._info: dict[str, Any] = {"op_name": op_name, "inputs": [], "outputs": [], "attr": [], "fusion_type": ""}
        self._info |= {"dtype_format": [], **self._further}

    def _described(
        self, what: str, names: tuple[str, ...], values: tuple[Any, ...], others: dict[str, Any]
    ) -> dict[str, Any]:
        owner = type(self).__name__
        if len(values) > len(names):
            raise TypeError(f"For '{owner}.{what}', there are at most {len(names)} arguments, {names}, but got {values}.")
        arguments = {**dict(zip(names, values)), **others}
        for name, value in arguments.items():
            expected = _TYPES.get(name, str)
            if name in names and value is not None and type(value) is not expected:
                raise TypeError(f"For '{owner}.{what}', '{name}' must be of type {expected.__name__}, but got {value!r}.")
        return {_KEYS.get(name, name): value for name, value in arguments.items() if value is not None}

    def input(self, *values: Any, **others: Any) -> RegOp:
        """Describes an operand: its index and name, and what else this description has of operands.

        Raises:
            TypeError: one is of another type, or too many.
        """
        self._info["inputs"].append(self._default | self._described("input", self._input, values, others))
        return self

    def output(self, *values: Any, **others: Any) -> RegOp:
        """Describes a result, as input() an operand.

        Raises:
            TypeError: one is of another type, or too many.
        """
        self._info["outputs"].append(self._default | self._described("output", self._output, values, others))
        return self

    def attr(self, *values: Any, **others: Any) -> RegOp:
        """Describes an attribute: its name, and what else this description has of attributes, as strings.

        Raises:
            TypeError: one is of another type, or too many.
        """
        self._info["attr"].append(self._described("attr", self._attr, values, others))
        return self

    def dtype_format(self, *args: Any) -> RegOp:
        """Adds a dtype and format, a DataType, for each operand and result.

        Raises:
            ValueError: there are more, or less.
        """
        count = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(args) != count:
            raise ValueError(
                f"For '{type(self).__name__}.dtype_format', there must be a DataType for each input and output, {count}, "
                f"but got {len(args)}."
            )
        self._info["dtype_format"].append(args)
        return self

    def fusion_type(self, fusion_type: str) -> RegOp:
        """Names how the op may be fused.

        Raises:
            TypeError: fusion_type is no str.
        """
        return self._set("fusion_type", str, fusion_type)

    def _set(self, key: str, kind: type, value: Any) -> RegOp:
        if type(value) is not kind:
            raise TypeError(f"For '{type(self).__name__}', '{key}' must be of type {kind.__name__}, but got {value!r}.")
        self._info[key] = value
        return self

    def get_op_info(self) -> dict[str, Any]:
        """The description."""
        return self._info


class CustomRegOp(RegOp):
    """The description of an op that Custom computes.

    Args:
        op_name: its name.

    Examples:
        >>> info = ops.CustomRegOp("scale").input(0, "x").output(0, "y").target("CPU").get_op_info()
        >>> print(info["op_name"], info["inputs"], info["target"])
        scale [{'paramType': 'required', 'index': 0, 'name': 'x'}] CPU
    """

    _input = _output = ("index", "name", "param_type")
    _attr = ("name", "param_type", "value_type", "default_value")
    _default = {"paramType": "required"}
    _further = {"target": "UnKnown"}

    def __init__(self, op_name: str = "Custom"):
        super().__init__(op_name)

    def target(self, target: str) -> CustomRegOp:
        """Names the device that computes the op.

        Raises:
            TypeError: target is no str.
        """
        self._set("target", str, target)
        return self


class CpuRegOp(RegOp):
    """The description of an op of the CPU.

    Args:
        op_name: the op's name.

    Raises:
        ValueError: op_name is no str.

    Examples:
        >>> info = ops.CpuRegOp("scale").input(0, "x").output(0, "y").get_op_info()
        >>> print(info["op_name"], info["imply_type"], info["outputs"])
        scale CPU [{'index': 0, 'name': 'y'}]
    """

    _input = _output = ("index", "name", "param_type")
    _attr = ("name", "value_type", "value")
    _further = {"imply_type": "CPU"}


class AiCPURegOp(CpuRegOp):
    """The description of an op of the CPU beside an accelerator.

    Args:
        op_name: the op's name.

    Raises:
        ValueError: op_name is no str.

    Examples:
        >>> print(ops.AiCPURegOp("scale").input(0, "x").get_op_info()["imply_type"])
        AiCPU
    """

    _further = {"imply_type": "AiCPU"}


class AkgAscendRegOp(RegOp):
    """The description of an op that AKG compiles for Ascend.

    Args:
        op_name: the op's name.

    Raises:
        ValueError: op_name is no str.

    Examples:
        >>> print(ops.AkgAscendRegOp("scale").input(0, "x").get_op_info()["processor"])
        AiCore
    """

    _further = {"imply_type": "AKG", "processor": "AiCore"}


class AkgGpuRegOp(RegOp):
    """The description of an op that AKG compiles for a GPU.

    Args:
        op_name: the op's name.

    Raises:
        ValueError: op_name is no str.

    Examples:
        >>> print(ops.AkgGpuRegOp("scale").input(0, "x").get_op_info()["processor"])
        CUDA
    """

    _further = {"imply_type": "AKG", "processor": "CUDA"}


class TBERegOp(RegOp):
    """The description of an op that Ascend's tensor engine compiles.

    Args:
        op_name: the op's name.

    Raises:
        ValueError: op_name is no str.

    Examples:
        >>> info = ops.TBERegOp("scale").kernel_name("scale_kernel").partial_flag(True).get_op_info()
        >>> print(info["imply_type"], info["kernel"], info["partial_flag"])
        TBE scale_kernel True
    """

    _output = ("index", "name", "need_compile", "param_type", "shape")
    _input = (*_output, "value_depend")
    _attr = ("name", "param_type", "value_type", "value", "default_value")
    _further = {
        **{"imply_type": "TBE", "async_flag": False, "binfile": "", "compute_cost": 10, "kernel": "", "partial_flag": False},
        **{"reshape_type": "", "dynamicRankSupport": False, "dynamicShapeSupport": False, "dynamicCompileStatic": False},
        **{"needCheckSupport": False, "dynamicFormat": False, "op_pattern": "", "real_input_index": []},
        **{"input_to_attr_index": [], "unknown_shape_formats": []},
    }


_REQUIRED: Any = object()


def _setter(name: str, key: str, default: Any) -> Callable[..., Any]:
    kind = type(TBERegOp._further[key])

    def set(self: TBERegOp, value: Any = default) -> RegOp:
        if value is _REQUIRED:
            raise TypeError(f"For 'TBERegOp.{name}', a {kind.__name__} must be given.")
        return self._set(key, kind, value)

    set.__name__, set.__qualname__ = name, f"TBERegOp.{name}"
    set.__doc__ = f"""Sets {key} of the description.

        Raises:
            TypeError: it is no {kind.__name__}.
        """
    return set


for _name, _key, _default in (
    ("async_flag", "async_flag", False),
    ("binfile_name", "binfile", _REQUIRED),
    ("compute_cost", "compute_cost", 10),
    ("kernel_name", "kernel", _REQUIRED),
    ("partial_flag", "partial_flag", True),
    ("reshape_type", "reshape_type", _REQUIRED),
    ("dynamic_rank_support", "dynamicRankSupport", _REQUIRED),
    ("dynamic_shape", "dynamicShapeSupport", False),
    ("dynamic_compile_static", "dynamicCompileStatic", False),
    ("need_check_supported", "needCheckSupport", False),
    ("is_dynamic_format", "dynamicFormat", False),
    ("op_pattern", "op_pattern", _REQUIRED),
    ("real_input_index", "real_input_index", _REQUIRED),
    ("input_to_attr_index", "input_to_attr_index", _REQUIRED),
    ("unknown_shape_formats", "unknown_shape_formats", _REQUIRED),
):
    setattr(TBERegOp, _name, _setter(_name, _key, _default))


def _register(function: str, attribute: str, infos: tuple[Any, ...], kept: Any) -> Callable[..., Any]:
    for info in infos:
        if not isinstance(info, (str, dict)):
            raise TypeError(f"For '{function}', a description must be a str or dict, but got {info!r}.")

    def register(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def described(*args: Any, **kwargs: Any) -> Any:
            return func(*args, **kwargs)

        setattr(described, attribute, kept)
        return described

    return register


def custom_info_register(*reg_info: Any) -> Callable[..., Any]:
    """Decorates the function of a Custom: its attribute reg_info has the descriptions.

    Args:
        reg_info: descriptions, of CustomRegOp, as dicts or JSON.

    Raises:
        TypeError: one is something else.

    Examples:
        >>> @ops.custom_info_register(ops.CustomRegOp("double").input(0, "x").output(0, "y").get_op_info())
        ... def double(x):
        ...     return x * 2
        >>> print(double(3), double.reg_info[0]["op_name"])
        6 double
    """
    return _register("custom_info_register", "reg_info", reg_info, reg_info)


def op_info_register(op_info: Any) -> Callable[..., Any]:
    """Decorates the function that defines an op: its attribute op_info has the description.

    Args:
        op_info: of a RegOp, a dict or JSON.

    Raises:
        TypeError: it is something else.

    Examples:
        >>> @ops.op_info_register(ops.CpuRegOp("double").input(0, "x").output(0, "y").get_op_info())
        ... def double(x):
        ...     return x * 2
        >>> print(double(3), double.op_info["op_name"])
        6 double
    """
    return _register("op_info_register", "op_info", (op_info,), op_info)
