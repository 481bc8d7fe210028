"""Callbacks of Model, and their arguments."""

from __future__ import annotations

from emberjit.publish.modules import lazy as _lazy
from emberjit.train.callback.callback import CallbackManager as _CallbackManager  # noqa: F401
from emberjit.train.callback.callback import InternalCallbackParam as _InternalCallbackParam  # noqa: F401
from emberjit.train.callback.callback import set_cur_net as _set_cur_net  # noqa: F401

_NAMES = {  # by the module that has them
    "callback": "Callback RunContext",
    "checkpoint": "BackupAndRestore CheckpointConfig ModelCheckpoint",
    "history": "History LambdaCallback",
    "learning": "EarlyStopping LearningRateScheduler ReduceLROnPlateau",
    "monitors": "LossMonitor TimeMonitor",
    "request_exit": "OnRequestExit",
    "summary_collector": "SummaryCollector",
    "unavailable": "FlopsUtilizationCollector SummaryLandscape TrainFaultTolerance",
}
_ELSEWHERE = {name: f"emberjit.train.callback.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_ELSEWHERE)
__getattr__, __dir__ = _lazy("train.callback", globals(), _ELSEWHERE)
