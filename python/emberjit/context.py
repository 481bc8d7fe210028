"""set_context and get_context."""

from __future__ import annotations

import copy
import os
import re
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.options import TABLE, choices, settle, take
from emberjit.spelling import nearest

GRAPH_MODE = 0
PYNATIVE_MODE = 1
_HEAD = "For 'context.set_context', "

_ANSWERED = {"enable_ge": False}  # what may only be asked for
_REMOVED = ("exception_dump", "precompile_only", "grad_for_scalar")
_OPTIONS = TABLE["set_context"]
_CONFIG = {"jit_level": ["O0", "O1", "O2"], "infer_boost": ["on", "off"]}

_values: dict[str, Any] = {
    "mode": PYNATIVE_MODE,
    "device_target": "CPU",
    "device_id": 0,
    "save_graphs": False,
    "save_graphs_path": ".",
    "max_call_depth": 1000,
    "pynative_synchronize": False,
    "matmul_precision": "float32",
}
_graph_writer: Callable[[str, str, str], None] | None = None
_cache_folder = ""
_LONG_CAPTURE = 0.02  # seconds


def set_context(**options: Any) -> None:
    """Sets global options by keyword, with MindSpore's names.

    Args:
        mode: GRAPH_MODE (Cells are jitted when called) or PYNATIVE_MODE.
        device_target: "CPU"; any other name warns once, and the CPU is used.
        save_graphs: True or 1..3 writes the IR after each pass under save_graphs_path.
        max_device_memory: such as "4GB"; the memory limit.
        runtime_num_threads: threads of kernels.
        matmul_precision: how float16, float32 and bfloat16 matrices are multiplied, and images convolved, unless they are
            small. "ieee": each element is a sequential FMA over the depth. "float32": the same, but on CPUs with AMX
            operands are split into three bfloat16 parts (bf16x3), with a measured error not above that of sequential FMA.
            "bfloat16": operands are rounded to bfloat16 first, with the same bits on every CPU (those without AMX take
            about twice as long as for "ieee"). The environment's EMBERJIT_MATMUL_PRECISION says what it is at
            first, else it is "float32".
        options: the other names of MindSpore, too, are accepted and kept, with a warning where they have no effect (page
            Options).

    Raises:
        ValueError: an unknown name, or a value that does not exist.
        TypeError: a value of the wrong type.

    Examples:
        >>> ms.set_context(matmul_precision="ieee")
        >>> ms.get_context("matmul_precision")
        'ieee'
        >>> ms.set_context(matmul_precision="float32")
    """
    for name, value in options.items():
        if name in _REMOVED:
            raise ValueError(f"{_HEAD}the parameter '{name}' has been removed since MindSpore 2.10 version.")
        if name not in _OPTIONS:
            raise ValueError(f"{_HEAD}the keyword argument {name} is not recognized!{nearest(name, _OPTIONS)}")
        _check(name, value)
        _apply(name, value)
        _values[name] = value


def _check(name: str, value: Any) -> None:
    allowed = choices(_OPTIONS[name])
    kind: Any = type(allowed[0]) if allowed else _OPTIONS[name].accepts
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"The parameter '{name}' must be {kind}, but got {type(value)}")
    if allowed and value not in allowed:
        raise ValueError(f"{_HEAD}the argument '{name}' must be one of {list(allowed)}, but got {value}.")
    if name == "mode" and value not in (GRAPH_MODE, PYNATIVE_MODE):
        modes = "context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1)"
        raise ValueError(f"{_HEAD}the argument 'mode' should be {modes}, but got {value}.")
    if name == "device_id" and not 0 <= value <= 4095:
        raise ValueError(f"{_HEAD}the argument 'device_id' must be in range [0, 4095], but got {value}.")
    if name == "max_call_depth" and value <= 0:
        raise ValueError(f"{_HEAD}the argument 'max_call_depth' must be greater than 0, but got {value}.")
    if name == "save_graphs" and not 0 <= value <= 3:
        raise ValueError(f"value for save_graphs should be 0-3 but got '{value}'")
    if name == "jit_config":
        _check_config(value)


def _check_config(config: dict[str, Any]) -> None:
    for key, value in config.items():
        if key not in _CONFIG:
            raise ValueError(f"{_HEAD}the key of argument 'jit_config' must be one of {_CONFIG}, but got {key}.")
        if value not in _CONFIG[key]:
            raise ValueError(
                f"For 'jit_config', the value of argument {key} must be one of {_CONFIG[key]}, but got {value}."
            )


def _apply(name: str, value: Any) -> None:
    settle("set_context", name, value)
    if name == "jit_config":
        for key, setting in value.items():
            settle("JitConfig", key, setting)
    if name == "runtime_num_threads":
        core.set_threads(value)
    if name == "max_device_memory":
        core.set_memory_limit(_bytes(value))
    if name == "matmul_precision":
        core.set_matmul_precision(value)
    if name == "max_call_depth":
        core.set_call_limit(min(value, (1 << 31) - 1))
    if name == "compile_cache_path":
        global _cache_folder
        _cache_folder = os.path.abspath(value) if value else ""
    if name == "save_graphs":
        _dump_graphs(bool(value))


def _bytes(text: str) -> int:
    units = {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}
    if text[-2:] in units and re.fullmatch(r"\s*\d+(\.\d*)?\s*", text[:-2]):
        return int(float(text[:-2]) * units[text[-2:]])
    raise ValueError(f"For 'set_context', 'max_device_memory' must be a str such as '4GB', but got {text!r}.")


def _dump_graphs(enable: bool) -> None:
    global _graph_writer
    counts: dict[str, int] = {}

    def write(function: str, stage: str, text: str) -> None:
        folder = os.fspath(_values["save_graphs_path"])
        os.makedirs(folder, exist_ok=True)
        name = re.sub(r"\W+", "_", function).strip("_")
        number = counts[name] = counts.get(name, -1) + 1
        with open(os.path.join(folder, f"{name}_{number:03d}_{stage}.ir"), "w", encoding="utf-8") as file:
            file.write(text)

    _graph_writer = write if enable else None


def graph_writer() -> Callable[[str, str, str], None] | None:
    """What save_graphs wants to be called with (function name, pass, IR text) after capture and after each pass."""
    return _graph_writer


def get_context(attr_key: str) -> Any:
    """The value of one option of set_context.

    Args:
        attr_key: the option's name.

    Returns:
        what set_context was last given, else what holds at first; None for an option that has no value at first.

    Raises:
        ValueError: an unknown name.
        TypeError: attr_key is no str.

    Examples:
        >>> ms.set_context(mode=ms.PYNATIVE_MODE)
        >>> ms.get_context("mode") == ms.PYNATIVE_MODE
        True
        >>> ms.get_context("device_target")
        'CPU'
    """
    if not isinstance(attr_key, str):
        raise TypeError(f"attribute name must be string, not '{type(attr_key).__name__}'")
    if attr_key in _ANSWERED:
        return _ANSWERED[attr_key]
    if attr_key not in _OPTIONS:
        raise ValueError(
            f"For 'context.get_context', the argument {attr_key} is not recognized!{nearest(attr_key, _OPTIONS)}"
        )
    return _values.get(attr_key)


class ParallelMode:
    """How work is divided among processes, for set_auto_parallel_context: STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL,
    SEMI_AUTO_PARALLEL and AUTO_PARALLEL; with one process all are the same.

    Examples:
        >>> print(train.ParallelMode.DATA_PARALLEL)
        data_parallel
    """

    STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL = "stand_alone", "data_parallel", "hybrid_parallel"
    SEMI_AUTO_PARALLEL, AUTO_PARALLEL = "semi_auto_parallel", "auto_parallel"
    MODE_LIST = list(TABLE["set_auto_parallel_context"]["parallel_mode"].accepts)


_PARALLEL: dict[str, Any] = {
    **{"device_num": 1, "global_rank": 0, "parallel_mode": "stand_alone", "gradients_mean": False, "pipeline_stages": 1},
    **{"gradient_fp32_sync": True, "loss_repeated_mean": True, "search_mode": "recursive_programming"},
    **{"auto_parallel_search_mode": "recursive_programming", "parameter_broadcast": False, "full_batch": False},
    **{"strategy_ckpt_load_file": "", "strategy_ckpt_save_file": "", "dataset_strategy": "data_parallel"},
    **{"enable_parallel_optimizer": False, "force_fp32_communication": False, "enable_alltoall": False},
    **{"pipeline_result_broadcast": False, "grad_accumulation_step": 1, "optimizer_weight_shard_size": -1},
    **{"communi_parallel_mode": "all_group_parallel", "sharding_propagation": False, "all_reduce_fusion_config": []},
}
_PARAMETER_SERVER: dict[str, Any] = {"enable_ps": False, "config_file_path": "", "enable_ssl": False}


class _Settings:
    """The values of an interface's options, and those that they have at first."""

    def __init__(self, interface: str, first: dict[str, Any]):
        self.interface, self.first = interface, first
        self.reset()

    def set(self, options: dict[str, Any]) -> None:
        known = TABLE[self.interface]
        for name in options:
            if name not in known:
                raise ValueError(f"Set context keyword {name} is not recognized!{nearest(name, known)}")
        for name, value in options.items():
            if isinstance(value, bool) and known[name].accepts is int:
                raise TypeError(f"The parameter '{name}' must be {int}, but got {bool}")
            take(self.interface, name, value)
            self.values[name] = copy.deepcopy(value)
            self.explicit.add(name)

    def get(self, name: str) -> Any:
        if name not in TABLE[self.interface]:
            raise ValueError(f"Get context keyword {name} is not recognized!{nearest(name, TABLE[self.interface])}")
        return copy.deepcopy(self.values.get(name))

    def reset(self) -> None:
        self.values, self.explicit = copy.deepcopy(self.first), set[str]()


_parallel = _Settings("set_auto_parallel_context", _PARALLEL)
_parameter_server = _Settings("set_ps_context", _PARAMETER_SERVER)


def set_processes(size: int, rank: int) -> None:
    """Says how many processes there are, and which this is, when it is connected with others."""
    rows = TABLE["set_auto_parallel_context"]
    for name, value in (("device_num", size), ("global_rank", rank)):
        _parallel.first[name] = _parallel.values[name] = value
        rows[name] = rows[name]._replace(neutral=(value,))


def set_auto_parallel_context(**options: Any) -> None:
    """Says how work is divided among processes. get_auto_parallel_context() tells what was said. With "data_parallel" each
    process trains on data of its own, and steps of training reduce the gradients.

    Args:
        options: values by MindSpore's names, such as parallel_mode="data_parallel" or gradients_mean=True (page Options).

    Raises:
        ValueError: an unknown name, or a number of processes that there are not, such as device_num=2.
        TypeError: a value of the wrong type.

    Examples:
        >>> ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        >>> ms.get_auto_parallel_context("parallel_mode")
        'data_parallel'
        >>> ms.reset_auto_parallel_context()
    """
    _parallel.set(options)


def get_auto_parallel_context(attr_key: str) -> Any:
    """The value of one option of set_auto_parallel_context.

    Args:
        attr_key: the option's name.

    Returns:
        a copy of the value; None for an option that has no value at first.

    Raises:
        ValueError: an unknown name.

    Examples:
        >>> ms.reset_auto_parallel_context()
        >>> print(ms.get_auto_parallel_context("device_num"), ms.get_auto_parallel_context("parallel_mode"))
        1 stand_alone
    """
    return _parallel.get(attr_key)


def is_auto_parallel_set(attr_key: str) -> bool:
    """Whether set_auto_parallel_context was given an option since it was last reset."""
    return attr_key in _parallel.explicit


def reset_auto_parallel_context() -> None:
    """Sets the options of set_auto_parallel_context to what they are at first.

    Examples:
        >>> ms.set_auto_parallel_context(gradients_mean=True)
        >>> ms.reset_auto_parallel_context()
        >>> ms.get_auto_parallel_context("gradients_mean")
        False
    """
    _parallel.reset()


_algorithm = _Settings(
    "set_algo_parameters",
    {
        "fully_use_devices": False,
        "elementwise_op_strategy_follow": False,
        "enable_algo_approxi": False,
        "algo_approxi_epsilon": 0.1,
        "tensor_slice_align_enable": False,
        "tensor_slice_align_size": 16,
    },
)


def set_algo_parameters(**options: Any) -> None:
    """Says how a division of work among devices is searched for. It is kept, and has no effect: there is one device.

    Args:
        options: values by name: fully_use_devices, elementwise_op_strategy_follow, enable_algo_approxi (bools),
            algo_approxi_epsilon (a float), tensor_slice_align_enable (a bool), tensor_slice_align_size (an int).

    Raises:
        ValueError: an unknown name.
        TypeError: a value of the wrong type.

    Examples:
        >>> ms.set_algo_parameters(fully_use_devices=True)
        >>> ms.get_algo_parameters("fully_use_devices")
        True
        >>> ms.reset_algo_parameters()
    """
    _algorithm.set(options)


def get_algo_parameters(attr_key: str) -> Any:
    """The value of one option of set_algo_parameters.

    Args:
        attr_key: the option's name.

    Raises:
        ValueError: an unknown name.

    Examples:
        >>> ms.reset_algo_parameters()
        >>> ms.get_algo_parameters("tensor_slice_align_size")
        16
    """
    return _algorithm.get(attr_key)


def reset_algo_parameters() -> None:
    """Sets the options of set_algo_parameters to what they are at first.

    Examples:
        >>> ms.set_algo_parameters(tensor_slice_align_size=32)
        >>> ms.reset_algo_parameters()
        >>> ms.get_algo_parameters("tensor_slice_align_size")
        16
    """
    _algorithm.reset()


_cost_model = _Settings(
    "set_cost_model_context",
    {
        **{"device_memory_capacity": 16.0 * 1024**3, "costmodel_alpha": 1.0, "costmodel_beta": 400.0},
        **{"costmodel_gamma": 0.001, "costmodel_communi_threshold": 2048.0, "costmodel_communi_const": 3072.0},
        **{"costmodel_communi_bias": 1024.0, "run_phase": 0, "costmodel_allreduce_fusion_algorithm": 0},
        **{"costmodel_allreduce_fusion_times": 0, "costmodel_allreduce_fusion_tail_percent": 0.1},
        **{"costmodel_allreduce_fusion_tail_time": 0.1, "costmodel_allreduce_fusion_allreduce_inherent_time": 0.1},
        **{"costmodel_allreduce_fusion_allreduce_bandwidth": 0.1},
        **{"costmodel_allreduce_fusion_computation_time_parameter": 0.1},
    },
)


def set_cost_model_context(**options: Any) -> None:
    """Says what a search for strategies of parallelism costs, which one device does not need.

    Raises:
        ValueError: an unknown name.
        TypeError: a value of the wrong type.
    """
    _cost_model.set(options)


def get_cost_model_context(attr_key: str) -> Any:
    """The value of one option of set_cost_model_context.

    Raises:
        ValueError: an unknown name.
    """
    return _cost_model.get(attr_key)


def reset_cost_model_context() -> None:
    """Sets the options of set_cost_model_context to what they are at first."""
    _cost_model.reset()


def set_ps_context(**options: Any) -> None:
    """Says how parameter servers are used, of which there are none. get_ps_context() tells what was said.

    Args:
        options: values by name: enable_ps (False), config_file_path (a str), enable_ssl (a bool), client_password and
            server_password (strs). Page Options says what has no effect.

    Raises:
        ValueError: an unknown name, or a value that needs a server, such as enable_ps=True.
        TypeError: a value of the wrong type.

    Examples:
        >>> ms.set_ps_context(enable_ps=False)
        >>> ms.get_ps_context("enable_ps")
        False
    """
    _parameter_server.set(options)


def get_ps_context(attr_key: str) -> Any:
    """The value of one option of set_ps_context.

    Args:
        attr_key: the option's name.

    Returns:
        the value; None for an option that has no value at first.

    Raises:
        ValueError: an unknown name.

    Examples:
        >>> ms.get_ps_context("enable_ps")
        False
    """
    return _parameter_server.get(attr_key)


def reset_ps_context() -> None:
    """Sets the options of set_ps_context to what they are at first.

    Examples:
        >>> ms.reset_ps_context()
        >>> ms.get_ps_context("enable_ssl")
        False
    """
    _parameter_server.reset()


def load_elimination() -> int:
    """The level by MS_DEV_SIDE_EFFECT_LOAD_ELIM: 0 copies all that is loaded from Parameters, 1 (also in place of what is no
    level) and 2 what a write may change later, 3 nothing, so that results may be those of later writes."""
    level = os.environ.get("MS_DEV_SIDE_EFFECT_LOAD_ELIM", "")
    return int(level) if level in ("0", "1", "2", "3") else 1


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Sets how deep calls may nest in a function that is captured into a graph, and while the graph runs.

    Args:
        recursion_limit: how many calls, a positive int.

    Raises:
        TypeError: recursion_limit is no int.
        ValueError: it is not positive.

    Examples:
        >>> ms.set_recursion_limit(2000)
        >>> ms.get_context("max_call_depth")
        2000
        >>> ms.set_recursion_limit()
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


class CompileCache(NamedTuple):
    """Where graphs are stored for the next process, and which are worth it."""

    folder: str
    least_seconds: float  # that a capture takes whose graph is stored


def compile_cache() -> CompileCache | None:
    """The compile cache in effect.

    set_context(enable_compile_cache=...), else MS_COMPILER_CACHE_ENABLE, says whether there is one (False, "0": None) and
    that it has all graphs (True, "1"); if neither is set, it has those that took long to capture. Its folder is
    set_context(compile_cache_path=...), else MS_COMPILER_CACHE_PATH, else `emberjit` in the user's cache folder.
    """
    by_environment = {"0": False, "1": True}.get(os.environ.get("MS_COMPILER_CACHE_ENABLE", ""))
    enabled = _values.get("enable_compile_cache", by_environment)
    if enabled is False:
        return None
    path = _cache_folder or os.environ.get("MS_COMPILER_CACHE_PATH")
    if not path:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        path = os.path.join(base, "emberjit")
        if not os.path.isabs(path):
            return None
    return CompileCache(os.path.abspath(path), 0.0 if enabled else _LONG_CAPTURE)


def guard_of(name: str) -> tuple[str, Any, Any, Any]:
    """That graphs of today serve only while an option is what it is."""
    return "item", _values, name, _values[name]


# Variables of others that are read here, and what their values look like.
_FOREIGN = {"OMP_NUM_THREADS": r"[1-9]\d*( *, *[1-9]\d*)*", "MS_JIT": "[01]", "MS_DEV_SIDE_EFFECT_LOAD_ELIM": "[0-3]"}


def _take_environment() -> None:
    problem = core.environment_problem()
    if problem:
        raise ValueError(problem)
    for name in os.environ:
        if name.startswith("EMBERJIT_") and name not in core.environment_variables:
            hint = nearest(name, core.environment_variables)
            warnings.warn(f"the environment has {name}, which emberjit does not know{hint}", stacklevel=2)
    for name, form in _FOREIGN.items():
        value = os.environ.get(name, "")
        if value and not re.fullmatch(form, value.strip()):
            warnings.warn(f"{name} is {value!r} in the environment, which has no meaning here and is ignored", stacklevel=2)
    set_context(matmul_precision=os.environ.get("EMBERJIT_MATMUL_PRECISION") or _values["matmul_precision"])


_take_environment()
