"""set_context and get_context."""

from __future__ import annotations

import os
import warnings
from typing import Any

from emberjit import _emberjit as core

GRAPH_MODE = 0
PYNATIVE_MODE = 1

_RAISING = ("exception_dump", "precompile_only", "grad_for_scalar")
_ACCEPTED = set(
    [
        "mode",
        "device_target",
        "device_id",
        "save_graphs",
        "save_graphs_path",
        "aoe_tune_mode",
        "aoe_config",
        "enable_reduce_precision",
        "variable_memory_max_size",
        "enable_auto_mixed_precision",
        "inter_op_parallel_num",
        "enable_graph_kernel",
        "reserve_class_name_in_scope",
        "check_bprop",
        "max_device_memory",
        "print_file_path",
        "max_call_depth",
        "env_config_path",
        "graph_kernel_flags",
        "save_compile_cache",
        "runtime_num_threads",
        "load_compile_cache",
        "pynative_synchronize",
        "mempool_block_size",
        "disable_format_transform",
        "op_timeout",
        "deterministic",
        "ascend_config",
        "jit_syntax_level",
        "debug_level",
        "jit_enable_inplace_ops",
        "gpu_config",
        "jit_config",
        "enable_compile_cache",
        "compile_cache_path",
        "memory_optimize_level",
        "memory_offload",
        "exec_order",
    ]
)

_values: dict[str, Any] = {
    "mode": PYNATIVE_MODE,
    "device_target": "CPU",
    "device_id": 0,
    "save_graphs": False,
    "save_graphs_path": ".",
    "max_call_depth": 1000,
    "pynative_synchronize": False,
}
_warned: set[str] = set()


def set_context(**options: Any) -> None:
    """Sets global options by keyword, with MindSpore's names.

    Args:
        mode: GRAPH_MODE (Cells are jitted when called) or PYNATIVE_MODE.
        device_target: "CPU"; any other name warns once and runs on the CPU.
        save_graphs: True or 1..3 writes the IR after each pass under save_graphs_path.
        max_device_memory: such as "4GB"; the memory limit.
        runtime_num_threads: threads of kernels.
        The other names of MindSpore are accepted and kept.

    Raises:
        ValueError: an unknown name, or a value that does not exist.
        TypeError: a value of the wrong type.
    """
    for name, value in options.items():
        if name in _RAISING or name not in _ACCEPTED:
            raise ValueError(f"For 'set_context', the keyword argument '{name}' is not recognized.")
        _apply(name, value)
        _values[name] = value


def _apply(name: str, value: Any) -> None:
    if name == "mode" and value not in (GRAPH_MODE, PYNATIVE_MODE):
        raise ValueError(f"For 'set_context', the argument 'mode' must be 0 or 1, but got {value!r}.")
    if name == "device_target":
        if not isinstance(value, str):
            raise TypeError(f"For 'set_context', the argument 'device_target' must be a str, but got {value!r}.")
        if value != "CPU" and value not in _warned:
            _warned.add(value)
            warnings.warn(f"device_target '{value}' does not exist here: running on the CPU", stacklevel=3)
    if name == "runtime_num_threads":
        core.set_threads(value)
    if name == "max_device_memory":
        core.set_memory_limit(_bytes(value))
    if name == "save_graphs":
        _dump_graphs(bool(value))


def _bytes(text: Any) -> int:
    units = {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}
    if isinstance(text, str) and text[-2:] in units:
        return int(float(text[:-2]) * units[text[-2:]])
    raise ValueError(f"For 'set_context', 'max_device_memory' must be a str such as '4GB', but got {text!r}.")


def _dump_graphs(wanted: bool) -> None:
    from emberjit.capture import jit

    counts: dict[str, int] = {}

    def write(function: str, stage: str, text: str) -> None:
        folder = str(_values["save_graphs_path"])
        os.makedirs(folder, exist_ok=True)
        name = function.replace("/", "_").replace("<", "").replace(">", "")
        number = counts[name] = counts.get(name, -1) + 1
        with open(os.path.join(folder, f"{name}_{number:03d}_{stage}.ir"), "w", encoding="utf-8") as file:
            file.write(text)

    jit.graph_dump = write if wanted else None


def get_context(name: str) -> Any:
    """The value of one option.

    Raises:
        ValueError: an unknown name.
    """
    if name not in _ACCEPTED:
        raise ValueError(f"For 'get_context', the argument '{name}' is not recognized.")
    return _values.get(name)


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Sets how deep calls may nest in a function that is captured into a graph.

    Raises:
        TypeError: no int.
        ValueError: not positive.
    """
    if isinstance(recursion_limit, bool):
        raise TypeError(
            f"The input value must be int and must > 0, but got '{recursion_limit}' with type "
            f"'{type(recursion_limit).__name__}'."
        )
    if not isinstance(recursion_limit, int):
        raise TypeError(f"The input value must be int, but got '{type(recursion_limit).__name__}'")
    if recursion_limit <= 0:
        raise ValueError(f"The input value must be int and must > 0, but got '{recursion_limit}' with type 'int'.")
    set_context(max_call_depth=recursion_limit)


def in_graph_mode() -> bool:
    """Whether Cells are jitted when called."""
    return bool(_values["mode"] == GRAPH_MODE)
