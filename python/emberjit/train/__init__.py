"""Training: Model, its callbacks and metrics, scaling of losses, checkpoints, summaries."""

from __future__ import annotations

from typing import Any

from emberjit.publish.metrics import METRIC_NAMES
from emberjit.publish.modules import lazy as _lazy

_NAMES = {  # by the module that has them
    "callback": (
        "BackupAndRestore Callback CheckpointConfig EarlyStopping FlopsUtilizationCollector History LambdaCallback "
        "LearningRateScheduler LossMonitor ModelCheckpoint OnRequestExit ReduceLROnPlateau RunContext SummaryCollector "
        "SummaryLandscape TimeMonitor TrainFaultTolerance _InternalCallbackParam _set_cur_net"
    ),
    "dataset_helper": "DatasetHelper connect_network_with_dataset data_sink",
    "model": "Model",
    "summary": "SummaryRecord",
    "train_thor": "ConvertModelUtils ConvertNetUtils",
    "unavailable": (
        "build_searched_strategy export_split_mindir get_ckpt_path_with_strategy load_distributed_checkpoint "
        "merge_sliced_parameter restore_group_info_list"
    ),
    "resuming": "load_training save_training",
    "serialization": (
        "async_ckpt_thread_status ckpt_to_safetensors export load load_checkpoint load_checkpoint_async load_param_into_net "
        "safetensors_to_ckpt save_checkpoint"
    ),
}
_ELSEWHERE = {name: f"emberjit.train.{module}" for module, names in _NAMES.items() for name in names.split()}
_ELSEWHERE |= dict.fromkeys(METRIC_NAMES, "emberjit.train.metrics")
_ELSEWHERE["ParallelMode"] = "emberjit.context"
_AMP = ("DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager", "build_train_network")
_ELSEWHERE |= dict.fromkeys(_AMP, "emberjit.amp")

__all__ = [name for name in _ELSEWHERE if not name.startswith("_")]
_get, __dir__ = _lazy("train", globals(), _ELSEWHERE)


def __getattr__(name: str) -> Any:
    return _get(name)
