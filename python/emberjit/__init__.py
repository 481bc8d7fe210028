"""emberjit: an eager tensor library for CPUs whose functions get faster as they run.

The names are MindSpore's. `python -m emberjit script.py` runs a script written for MindSpore unchanged. Modules of names
load when one of them is first used.
"""

from __future__ import annotations

import sys as _sys

from emberjit import forks as _forks  # noqa: F401  (forks wait for modules, which load from now on)
from emberjit._emberjit import bool_ as bool  # noqa: F401  (another name, which a star leaves to Python)
from emberjit.compat import PATHS as _PATHS
from emberjit.compat.finder import Finder as _Finder
from emberjit.compat.finder import UnknownNames as _UnknownNames
from emberjit.publish.metrics import METRIC_NAMES as _METRICS
from emberjit.publish.modules import lazy as _lazy
from emberjit.tensors import methods as _tensor_methods  # noqa: F401  (adds methods to Tensor)

__version__ = "0.1.0"
_sys.meta_path.insert(0, _Finder("emberjit"))
_sys.meta_path.append(_UnknownNames())

_NAMES = {  # by the module that has them
    "_emberjit": (
        "CaptureError IndexRangeError Parameter Tensor bfloat16 bool_ complex64 complex128 float8_e4m3fn float8_e5m2 "
        "float16 float32 float64 int4 int8 int16 int32 int64 uint8 uint16 uint32 uint64"
    ),
    "capture.jit.explain": "explain save_module",
    "capture.jit.options": "JitConfig",
    "capture.jit.transform": "jit ms_function",
    "language.decorators": "constexpr enable_dynamic jit_class lazy_inline no_inline",
    "language.mutable": "mutable",
    "tensors.parameter": "ParameterTuple",
    "context": (
        "GRAPH_MODE PYNATIVE_MODE ParallelMode get_algo_parameters get_auto_parallel_context get_context get_ps_context "
        "reset_algo_parameters reset_auto_parallel_context reset_ps_context set_algo_parameters set_auto_parallel_context "
        "set_context set_ps_context "
        "set_recursion_limit"
    ),
    "dtype": (
        "Int QuantDtype TensorType Type byte cdouble cfloat double dtype_to_nptype dtype_to_pytype float_ get_py_obj_dtype "
        "half int_ intc intp list_ long number pytype_to_dtype qint4x2 short single string tensor_type tuple_ type_none "
        "ubyte uint uintc uintp ushort"
    ),
    "ops.dumping": "set_dump",
    "functions.compat.storage": "UntypedStorage",
    "generator": ("Generator default_generator get_rng_state get_seed initial_seed manual_seed seed set_rng_state set_seed"),
    "log": "get_level get_log_config",
    "compat.parallel": "Layout shard",
    "printing.config": "show_config",
    "profiler.profiling": "Profiler",
    "runtime": (
        "COMPATIBLE DeviceCtx LAX MemPool PluggableAllocator STRICT StreamLimitCtx compile_stats dispatch_threads_num "
        "empty_cache get_current_device get_device_limit get_stream_limit launch_blocking max_memory_allocated "
        "max_memory_reserved memory_allocated memory_replay memory_reserved memory_stats memory_summary "
        "ms_memory_recycle register_saved_tensors_hooks reset_max_memory_allocated reset_max_memory_reserved "
        "reset_peak_memory_stats reset_stream_limit run_check saved_tensors_hooks set_cpu_affinity set_deterministic "
        "set_device set_device_limit set_kernel_launch_capture set_kernel_launch_group set_memory set_memory_limit "
        "set_num_threads set_stream_limit synchronize use_mem_pool"
    ),
    "sparse.tensors": "COOTensor CSRTensor RowTensor SparseTensor",
    "streams": "Event Stream StreamCtx communication_stream current_stream default_stream set_cur_stream",
    "tensors.functions": "from_numpy frombuffer is_tensor swap_tensors tensor",
    "amp": "DynamicLossScaleManager FixedLossScaleManager LossScaleManager build_train_network",
    "train": (
        "BackupAndRestore Callback CheckpointConfig ConvertModelUtils ConvertNetUtils DatasetHelper EarlyStopping "
        "FlopsUtilizationCollector History LambdaCallback LearningRateScheduler LossMonitor Model ModelCheckpoint "
        "OnRequestExit ReduceLROnPlateau RunContext SummaryCollector SummaryLandscape SummaryRecord TimeMonitor "
        "TrainFaultTolerance connect_network_with_dataset data_sink"
    ),
    "train.unavailable": (
        "build_searched_strategy export_split_mindir get_ckpt_path_with_strategy load_distributed_checkpoint load_mindir "
        "load_obf_params_into_net load_segmented_checkpoints merge_pipeline_strategys merge_sliced_parameter mindio_preload "
        "obfuscate_ckpt parameter_broadcast rank_list_for_transform restore_group_info_list save_mindir "
        "set_mindio_server_info sync_pipeline_shared_parameters transform_checkpoint_by_rank transform_checkpoints "
        "unified_safetensors"
    ),
    "train.serialization": (
        "async_ckpt_thread_status ckpt_to_safetensors export load load_checkpoint load_checkpoint_async load_param_into_net "
        "safetensors_to_ckpt save_checkpoint"
    ),
    "transforms.custom_functions": "_Function",
    "transforms.derivatives": "jacfwd jacrev jvp vjp",
    "transforms.gradient": "get_grad grad value_and_grad",
    "transforms.no_grad": "_no_grad _pynative_executor",
    "transforms.recompute": "recompute",
    "transforms.vmap": "vmap",
    "values.placeholders": "Symbol",
}
_MODULES = (
    "amp context dataset dtype experimental log mindrecord mint nn numpy onnx ops profiler runtime scipy train utils version"
)
_ELSEWHERE = {name: f"emberjit.{module}" for module, names in _NAMES.items() for name in names.split()}
_ELSEWHERE |= {name: f"emberjit.{name}" for name in _MODULES.split()}
_ELSEWHERE |= {name: f"emberjit.compat.{name}" for name in _PATHS if not name.startswith("_")}
_ELSEWHERE |= dict.fromkeys(_METRICS, "emberjit.train.metrics")

__all__ = list(_ELSEWHERE)
__getattr__, __dir__ = _lazy("", globals(), _ELSEWHERE)
