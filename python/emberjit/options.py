"""MindSpore's options: which there are, what each accepts, and what becomes of it here. This table is the source of what
happens and of python/docs/options.md (tools/tables.py writes it).

An option WORKS; or is GIVEN whatever its value, since it asks for what is so anyway; or has NO_EFFECT, which is warned of
once if its value is not one that is so anyway; or is REFUSED: any other value is an error.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, NamedTuple

from emberjit.spelling import nearest

WORKS, GIVEN, NO_EFFECT, REFUSED = "works", "given", "no effect", "refused"


class Option(NamedTuple):
    """One option.

    Args:
        accepts: a type, several, or the strs or ints that exist; None: anything.
        outcome: WORKS, GIVEN, NO_EFFECT or REFUSED.
        does: what becomes of it, for the documentation; of one without effect, why.
        neutral: the values that are so anyway.
    """

    accepts: Any
    outcome: str
    does: str
    neutral: tuple[Any, ...] = ()


def choices(option: Option) -> tuple[Any, ...] | None:
    """The values that exist; None if a type says which."""
    accepts = option.accepts
    return accepts if isinstance(accepts, tuple) and not isinstance(accepts[0], type) else None


_DEVICES = "there is one device, the CPU"
_FUSED = "graphs are fused and compiled by what is measured"
_ASCEND = "it is of other devices"
_MEMORY = "memory is allocated as it is needed; max_device_memory limits it"
_BOOST = "networks are not changed for speed: graphs are compiled by what is measured"
_INSIGHT = "it is for MindInsight, whose files are not written"
_LITE = "there is no MindSpore Lite: the network computes"
_DISK = "enable_compile_cache is what works"
_SHARDS = "there is one device, and one copy of each Parameter"
_ALONE = "there is one process"
_PARALLEL = "data_parallel reduces the gradients of all processes; nothing else is divided"
_LAUNCHED = "there is one process, or those that mpirun has started"
_THREADS = "runtime_num_threads sets the threads"

_FUSION = "costmodel_allreduce_fusion"
_COSTS = (
    *("device_memory_capacity", "costmodel_alpha", "costmodel_beta", "costmodel_gamma", "costmodel_communi_threshold"),
    *("costmodel_communi_const", "costmodel_communi_bias", f"{_FUSION}_tail_percent", f"{_FUSION}_tail_time"),
    *(f"{_FUSION}_allreduce_inherent_time", f"{_FUSION}_allreduce_bandwidth", f"{_FUSION}_computation_time_parameter"),
)

_JIT_LEVEL = '"O0" keeps the bits of eager ops, and so do the others'

TABLE: dict[str, dict[str, Option]] = {
    "set_context": {
        "mode": Option(int, WORKS, "GRAPH_MODE (0): Cells are jitted when called; PYNATIVE_MODE (1)"),
        "device_target": Option(("CPU", "GPU", "Ascend", "Davinci"), NO_EFFECT, _DEVICES, ("CPU",)),
        "device_id": Option(int, NO_EFFECT, _DEVICES, (0,)),
        "save_graphs": Option((bool, int), WORKS, "True or 1 to 3: writes the IR after each pass"),
        "save_graphs_path": Option((str, os.PathLike), WORKS, "the folder that save_graphs writes to"),
        "max_call_depth": Option(int, WORKS, "how deep calls may nest in a graph"),
        "max_device_memory": Option(str, WORKS, 'the memory limit, such as "4GB"'),
        "runtime_num_threads": Option(int, WORKS, "the number of threads of kernels"),
        "matmul_precision": Option(
            ("ieee", "float32", "bfloat16"), WORKS, "how products and convolutions of floating dtypes are computed"
        ),
        "deterministic": Option(("ON", "OFF"), GIVEN, "results are the same in each run"),
        "pynative_synchronize": Option(bool, GIVEN, "an eager op returns when it is done"),
        "aoe_tune_mode": Option(str, NO_EFFECT, _ASCEND, ("",)),
        "aoe_config": Option(dict, NO_EFFECT, _ASCEND),
        "ascend_config": Option(dict, NO_EFFECT, _ASCEND),
        "gpu_config": Option(dict, NO_EFFECT, _ASCEND),
        "op_timeout": Option(int, NO_EFFECT, _ASCEND, (0,)),
        "print_file_path": Option(str, NO_EFFECT, "ops.print_ writes to sys.stdout", ("",)),
        "enable_reduce_precision": Option(bool, NO_EFFECT, "dtypes are as written", (False,)),
        "enable_auto_mixed_precision": Option(bool, NO_EFFECT, "dtypes are as written", (False,)),
        "variable_memory_max_size": Option(str, NO_EFFECT, _MEMORY),
        "mempool_block_size": Option(str, NO_EFFECT, _MEMORY),
        "memory_optimize_level": Option(("O0", "O1"), NO_EFFECT, "memory is planned the same way", ("O0",)),
        "memory_offload": Option(("ON", "OFF"), NO_EFFECT, _DEVICES, ("OFF",)),
        "inter_op_parallel_num": Option(int, NO_EFFECT, f"ops run one after the other; {_THREADS}", (0, 1)),
        "enable_graph_kernel": Option(bool, NO_EFFECT, _FUSED, (True,)),
        "graph_kernel_flags": Option(str, NO_EFFECT, _FUSED, ("",)),
        "disable_format_transform": Option(bool, NO_EFFECT, "layouts are chosen by what they cost", (False,)),
        "reserve_class_name_in_scope": Option(bool, NO_EFFECT, "graphs have no scopes"),
        "check_bprop": Option(bool, GIVEN, "gradients by bprop are checked"),
        "env_config_path": Option(str, NO_EFFECT, "emberjit reads no such file", ("",)),
        "save_compile_cache": Option(bool, NO_EFFECT, _DISK, (False,)),
        "load_compile_cache": Option(bool, NO_EFFECT, _DISK, (False,)),
        "enable_compile_cache": Option(
            bool, WORKS, "whether graphs are stored for the next process, and looked for (by default those that took 20 ms)"
        ),
        "compile_cache_path": Option(str, WORKS, "the folder of the compile cache, instead of the user's own"),
        "jit_syntax_level": Option(
            (0, 1, 2), NO_EFFECT, "jit(fullgraph=True) and JitConfig(jit_syntax_level) are what works", (2,)
        ),
        "debug_level": Option((0, 1), NO_EFFECT, "graphs are the same", (0,)),
        "jit_enable_inplace_ops": Option(bool, GIVEN, "a graph updates in place what allows it"),
        "jit_level": Option(("O0", "O1", "O2"), NO_EFFECT, _JIT_LEVEL, ("O0",)),
        "jit_config": Option(dict, WORKS, "jit_level and infer_boost, as below of JitConfig"),
        "exec_order": Option(("bfs", "dfs"), NO_EFFECT, "the order is planned by memory"),
    },
    "set_auto_parallel_context": {
        "device_num": Option(int, REFUSED, _LAUNCHED, (1,)),
        "global_rank": Option(int, REFUSED, _LAUNCHED, (0,)),
        "parallel_mode": Option(
            ("stand_alone", "data_parallel", "hybrid_parallel", "semi_auto_parallel", "auto_parallel"), GIVEN, _PARALLEL
        ),
        "gradients_mean": Option(bool, GIVEN, "of data parallel training; one process has all gradients"),
        "gradient_fp32_sync": Option(bool, GIVEN, _ALONE),
        "loss_repeated_mean": Option(bool, GIVEN, _SHARDS),
        "search_mode": Option(("recursive_programming", "dynamic_programming", "sharding_propagation"), GIVEN, _SHARDS),
        "auto_parallel_search_mode": Option(
            ("recursive_programming", "dynamic_programming", "sharding_propagation"), GIVEN, _SHARDS
        ),
        "parameter_broadcast": Option(bool, GIVEN, "of data parallel training, from rank 0; one process has all Parameters"),
        "strategy_ckpt_load_file": Option(str, NO_EFFECT, _SHARDS, ("",)),
        "strategy_ckpt_save_file": Option(str, NO_EFFECT, _SHARDS, ("",)),
        "strategy_ckpt_config": Option(dict, NO_EFFECT, _SHARDS),
        "full_batch": Option(bool, GIVEN, _ALONE),
        "dataset_strategy": Option((str, tuple), GIVEN, _ALONE),
        "enable_parallel_optimizer": Option(bool, GIVEN, _SHARDS),
        "parallel_optimizer_config": Option(dict, GIVEN, _SHARDS),
        "optimizer_weight_shard_size": Option(int, GIVEN, _SHARDS),
        "force_fp32_communication": Option(bool, GIVEN, _ALONE),
        "enable_alltoall": Option(bool, GIVEN, _ALONE),
        "communi_parallel_mode": Option(
            ("all_group_parallel", "same_server_group_parallel", "no_group_parallel"), GIVEN, _ALONE
        ),
        "comm_fusion": Option(dict, GIVEN, _ALONE),
        "all_reduce_fusion_config": Option(list, GIVEN, _ALONE),
        "pipeline_stages": Option(int, REFUSED, _ALONE, (1,)),
        "pipeline_config": Option(dict, GIVEN, _ALONE),
        "pipeline_result_broadcast": Option(bool, GIVEN, _ALONE),
        "grad_accumulation_step": Option(int, REFUSED, "steps are not accumulated", (1,)),
        "sharding_propagation": Option(bool, GIVEN, _SHARDS),
        "group_ckpt_save_file": Option(str, NO_EFFECT, _SHARDS, ("",)),
    },
    "set_algo_parameters": {
        "fully_use_devices": Option(bool, GIVEN, _SHARDS),
        "elementwise_op_strategy_follow": Option(bool, GIVEN, _SHARDS),
        "enable_algo_approxi": Option(bool, GIVEN, _SHARDS),
        "algo_approxi_epsilon": Option(float, GIVEN, _SHARDS),
        "tensor_slice_align_enable": Option(bool, GIVEN, _SHARDS),
        "tensor_slice_align_size": Option(int, GIVEN, _SHARDS),
    },
    "set_cost_model_context": {
        **{
            name: Option(int, GIVEN, _SHARDS)
            for name in ("run_phase", *(f"{_FUSION}_{key}" for key in ("algorithm", "times")))
        },
        **{name: Option(float, GIVEN, _SHARDS) for name in _COSTS},
    },
    "set_ps_context": {
        "enable_ps": Option(bool, REFUSED, _ALONE, (False,)),
        "config_file_path": Option(str, NO_EFFECT, _ALONE, ("",)),
        "enable_ssl": Option(bool, NO_EFFECT, _ALONE, (False,)),
        "client_password": Option(str, NO_EFFECT, _ALONE, ("",)),
        "server_password": Option(str, NO_EFFECT, _ALONE, ("",)),
    },
    "jit": {
        "capture_mode": Option(("ast", "bytecode", "trace"), WORKS, "what is captured: the source, or the bytecode"),
        "jit_level": Option(("O0", "O1"), NO_EFFECT, _JIT_LEVEL, ("O0",)),
        "dynamic": Option(
            int, WORKS, "1: numbers from outside are inputs from the first call on; sizes and arguments always are"
        ),
        "fullgraph": Option(bool, WORKS, "what cannot enter the graph is an error"),
        "backend": Option(("", "ms_backend", "GE"), NO_EFFECT, "there is one backend", ("", "ms_backend")),
        "mode": Option(("PSJit", "PIJit"), WORKS, 'an older name of capture_mode: "ast" or "bytecode"'),
        "jit_config": Option(None, WORKS, "a JitConfig"),
        "exc_mode": Option(("auto", "sink", "no_sink"), NO_EFFECT, _ASCEND, ("auto",)),
        "input_signature": Option(None, NO_EFFECT, "shapes are symbolic, and each dtype has a graph", (None,)),
        "hash_args": Option(None, NO_EFFECT, "guards tell which graph serves a call", (None,)),
        "compile_once": Option(None, NO_EFFECT, "guards tell when to capture again", (None, False)),
        "disable_format_transform": Option(bool, NO_EFFECT, "layouts are chosen by what they cost", (False,)),
        "ge_options": Option(dict, NO_EFFECT, _ASCEND, ({},)),
        "exec_order": Option(("bfs", "dfs"), NO_EFFECT, "the order is planned by memory"),
        "infer_boost": Option(("on", "off"), NO_EFFECT, _ASCEND, ("off",)),
        "auto_offload": Option(("weight", "activation", "all"), NO_EFFECT, _DEVICES),
    },
    "JitConfig": {
        "jit_level": Option(("", "O0", "O1", "O2"), NO_EFFECT, _JIT_LEVEL, ("", "O0")),
        "exc_mode": Option(("auto", "sink", "no_sink"), NO_EFFECT, _ASCEND, ("auto",)),
        "jit_syntax_level": Option(("", "STRICT", "COMPATIBLE", "LAX"), WORKS, '"STRICT": as jit(fullgraph=True)'),
        "debug_level": Option(("RELEASE", "DEBUG"), NO_EFFECT, "graphs are the same", ("RELEASE",)),
        "infer_boost": Option(("", "on", "off"), NO_EFFECT, _ASCEND, ("", "off")),
    },
    "Tensor": {
        "const_arg": Option(bool, NO_EFFECT, "a graph takes its elements at run time", (False,)),
        "device": Option(None, REFUSED, _DEVICES, (None, "CPU", "cpu", "CPU:0", "cpu:0")),
        "internal": Option(None, GIVEN, "MindSpore's own"),
    },
    "Parameter": {
        "layerwise_parallel": Option(bool, NO_EFFECT, _SHARDS, (False,)),
        "parallel_optimizer": Option(bool, GIVEN, _SHARDS),
        "storage_format": Option(str, NO_EFFECT, _ASCEND, ("",)),
        "device": Option(None, REFUSED, _DEVICES, (None, "CPU", "cpu", "CPU:0", "cpu:0")),
    },
    "empty": {
        "device": Option(None, REFUSED, _DEVICES, (None, "CPU", "cpu", "CPU:0", "cpu:0")),
        "pin_memory": Option(bool, GIVEN, "there is one memory"),
    },
    "Cell": {
        "flags": Option((dict, type(None)), WORKS, "as of add_flags"),
        "set_grad": Option(bool, WORKS, "sets the attribute requires_grad, which nothing of emberjit's reads"),
        "set_boost": Option(("less_bn",), REFUSED, _ASCEND),
        "recurse": Option(bool, GIVEN, _ALONE),
        "auto_parallel_mode": Option(bool, GIVEN, _SHARDS),
        "non_blocking": Option(bool, GIVEN, "conversion is done when the call returns"),
    },
    "Cell.shard": dict.fromkeys(("in_strategy", "out_strategy", "parameter_plan"), Option(None, GIVEN, _SHARDS)),
    "Cell.cast_inputs": dict.fromkeys(("inputs", "dst_type"), Option(None, GIVEN, "MindSpore does nothing either")),
    "Cell.recompute": {
        "mp_comm_recompute": Option(bool, NO_EFFECT, _SHARDS, (True,)),
        "parallel_optimizer_comm_recompute": Option(bool, NO_EFFECT, _SHARDS, (False,)),
        "recompute_slice_activation": Option(bool, NO_EFFECT, _SHARDS, (False,)),
    },
    "recompute": {
        "use_reentrant": Option(bool, GIVEN, "the block runs again whole"),
        "output_recompute": Option(bool, NO_EFFECT, "outputs are kept", (False,)),
        "early_stop": Option(bool, GIVEN, "what the gradient does not need is not computed by a graph"),
        "context_fn": Option(None, REFUSED, "contexts around the two runs are not available", (None,)),
    },
    "Profiler": {
        "activities": Option((list, tuple, type(None)), GIVEN, "the CPU's work is recorded"),
        "profiler_level": Option(None, GIVEN, "all of the CPU's work is recorded"),
        "aic_metrics": Option(None, NO_EFFECT, _ASCEND, (None,)),
        "with_stack": Option(bool, NO_EFFECT, "Python's frames are not recorded", (False,)),
        "profile_memory": Option(bool, NO_EFFECT, "memory_allocated() and its kin tell", (False,)),
        "record_shapes": Option(bool, NO_EFFECT, "shapes are not recorded", (False,)),
        "data_process": Option(bool, NO_EFFECT, _ASCEND, (False,)),
        "parallel_strategy": Option(bool, NO_EFFECT, _ALONE, (False,)),
        "profile_communication": Option(bool, NO_EFFECT, _ALONE, (False,)),
        "op_time": Option(bool, GIVEN, "each op's time is recorded"),
        "sync_enable": Option(bool, GIVEN, "an eager op returns when it is done"),
        "data_simplification": Option(bool, GIVEN, "there are no raw data"),
        "hbm_ddr": Option(bool, NO_EFFECT, _ASCEND, (False,)),
        "pcie": Option(bool, NO_EFFECT, _ASCEND, (False,)),
        "l2_cache": Option(bool, NO_EFFECT, _ASCEND, (False,)),
        "mstx": Option(bool, GIVEN, "what the program marks is recorded"),
        "experimental_config": Option(None, NO_EFFECT, _ASCEND, (None,)),
    },
    "BatchNorm": {"data_format": Option(("NCHW", "NHWC"), REFUSED, "the layout is NCHW", ("NCHW",))},
    **{name: {"after_fake": Option(bool, GIVEN, "numbers are not quantised")} for name in ("Conv2dBnAct", "DenseBnAct")},
    "EmbeddingLookup": {
        "slice_mode": Option(("batch_slice", "field_slice", "table_row_slice", "table_column_slice"), GIVEN, _SHARDS),
        "manual_shapes": Option(None, GIVEN, _SHARDS),
        "sparse": Option(bool, GIVEN, "gradients are dense"),
    },
    "Dropout": {"dtype": Option(None, GIVEN, "the result has the dtype of the input")},
    "Adam": {
        "use_locking": Option(bool, GIVEN, "one thread updates a Parameter"),
        "use_lazy": Option(bool, GIVEN, "gradients are dense, and all elements are updated"),
        "use_offload": Option(bool, GIVEN, "the CPU updates Parameters"),
    },
    "HookBackward": {"cell_id": Option(str, NO_EFFECT, "a hook is not told it", ("",))},
    "MultitypeFuncGraph": {
        "read_value": Option(bool, GIVEN, "functions that do not write a Parameter may always be given one")
    },
    "Map": {"reverse": Option(bool, GIVEN, "the order of the applications cannot be seen")},
    "constexpr": {"reuse_result": Option(bool, GIVEN, "a function runs once in each capture")},
    "save_checkpoint": {
        "integrated_save": Option(bool, NO_EFFECT, _SHARDS, (True,)),
        "async_save": Option((bool, str), WORKS, "a thread writes the file"),
        "enc_key": Option(None, WORKS, "bytes: encrypts the file, by the package cryptography"),
        "enc_mode": Option(("AES-GCM", "AES-CBC", "SM4-CBC"), WORKS, "how"),
        "crc_check": Option(bool, WORKS, "the file has a checksum"),
        "format": Option(("ckpt", "safetensors"), WORKS, "MindSpore's files or safetensors"),
        "incremental": Option(bool, NO_EFFECT, "there are no MapParameters", (False,)),
        "global_step_num": Option(None, NO_EFFECT, "it is of a service that is not there", (None,)),
        "remove_redundancy": Option((bool, type(None)), NO_EFFECT, _SHARDS, (False, None)),
    },
    "export": {
        "enc_key": Option(None, WORKS, "bytes: encrypts the file, by the package cryptography"),
        "enc_mode": Option(None, WORKS, '"AES-GCM", "AES-CBC", "SM4-CBC", or a function of the bytes and the key'),
        "incremental": Option(bool, GIVEN, "a file is written in one piece, whatever its size"),
    },
    "load_checkpoint": {
        "dec_key": Option(None, WORKS, "bytes: the key of an encrypted file"),
        "dec_mode": Option(("AES-GCM", "AES-CBC", "SM4-CBC"), WORKS, "how it was encrypted"),
        "crc_check": Option(bool, WORKS, "compares the file's checksum"),
        "format": Option(("ckpt", "safetensors"), GIVEN, "a file says itself which it is"),
        "remove_redundancy": Option(bool, NO_EFFECT, _SHARDS, (False,)),
    },
    "ckpt_to_safetensors": {"processes_num": Option(int, NO_EFFECT, _ALONE, (1,))},
    "load_param_into_net": {"remove_redundancy": Option(bool, NO_EFFECT, _SHARDS, (False,))},
    "Optimizer": {
        "params": Option(None, WORKS, "the group's Parameters"),
        "lr": Option(None, WORKS, "the group's learning rate, of any kind that an optimizer takes"),
        "weight_decay": Option(None, WORKS, "the group's weight decay, a number or a Cell"),
        "order_params": Option(None, WORKS, "alone in a group: the order of all Parameters"),
        "grad_centralization": Option(bool, WORKS, "gradients lose their means over all axes but the first"),
    },
    "SummaryRecord": {
        "num_process": Option(int, NO_EFFECT, "the file is written by this thread", (32,)),
        "network": Option(None, NO_EFFECT, "graphs are not recorded: explain() shows them", (None,)),
    },
    "SummaryCollector": {
        "custom_lineage_data": Option((dict, type(None)), NO_EFFECT, _INSIGHT, (None,)),
        "collect_graph": Option(bool, NO_EFFECT, "graphs are not recorded: explain() shows them", (False,)),
        "collect_train_lineage": Option(bool, NO_EFFECT, _INSIGHT, (False,)),
        "collect_eval_lineage": Option(bool, NO_EFFECT, _INSIGHT, (False,)),
        "collect_dataset_graph": Option(bool, NO_EFFECT, _INSIGHT, (False,)),
        "collect_landscape": Option((dict, type(None)), NO_EFFECT, _INSIGHT, (None,)),
    },
    "Model": {
        "boost_level": Option(("O0", "O1", "O2"), NO_EFFECT, _BOOST, ("O0",)),
        "boost_config_dict": Option((dict, str, type(None)), NO_EFFECT, _BOOST, (None, "")),
    },
    "Model.predict": {
        "backend": Option(("lite",), NO_EFFECT, _LITE),
        "config": Option((dict, type(None)), NO_EFFECT, _LITE, (None,)),
    },
    "build_train_network": {"boost_level": Option(("O0", "O1", "O2"), NO_EFFECT, _BOOST, ("O0",))},
}

_warned: set[tuple[str, str]] = set()


def take(interface: str, name: str, value: Any) -> None:
    """Checks an option's value, and warns or raises as the table says.

    Raises:
        TypeError: the value has another type.
        ValueError: there is no such value, or it is refused.
    """
    option = TABLE[interface][name]
    allowed = choices(option)
    if allowed is not None and (type(value) is not type(allowed[0]) or value not in allowed):
        raise ValueError(f"For '{interface}', '{name}' must be one of {list(allowed)}, but got {value!r}.")
    if allowed is None and option.accepts is not None and not isinstance(value, option.accepts):
        kinds = option.accepts if isinstance(option.accepts, tuple) else (option.accepts,)
        expected = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
        raise TypeError(f"For '{interface}', '{name}' must be {expected}, but got {type(value).__name__}.")
    settle(interface, name, value)


def take_all(interface: str, values: dict[str, Any]) -> None:
    """The same of several.

    Raises:
        TypeError: there is no option of this name.
    """
    for name, value in values.items():
        if name not in TABLE[interface]:
            raise TypeError(f"{interface}() got an unexpected keyword argument '{name}'{nearest(name, TABLE[interface])}")
        take(interface, name, value)


def settle(interface: str, name: str, value: Any) -> None:
    """Warns, once for each option, of a value without effect, or refuses it.

    Raises:
        ValueError: it is refused.
    """
    option = TABLE[interface][name]
    if option.outcome not in (NO_EFFECT, REFUSED) or any(
        type(same) is type(value) and same == value for same in option.neutral
    ):
        return
    label = f"For '{interface}', '{name}' ({value!r})"
    if option.outcome == REFUSED:
        raise ValueError(f"{label} is not available: {option.does}.")
    if (interface, name) not in _warned:
        _warned.add((interface, name))
        warnings.warn(f"{label} has no effect on a CPU: {option.does}.", stacklevel=_users_level())


def _users_level() -> int:
    """The stacklevel, for the caller of this, of the innermost frame that is no function of emberjit's."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("emberjit."):
        level, frame = level + 1, frame.f_back
    return level
