"""Callbacks for what other devices and several processes have."""

from __future__ import annotations

from emberjit.compat.unavailable import refusing
from emberjit.train.callback.callback import Callback

_REASONS = {
    "counts operations, which are not counted; TimeMonitor prints the time of steps": "FlopsUtilizationCollector",
    "computes landscapes of losses, which are not computed": "SummaryLandscape",
    "is of several processes; ModelCheckpoint, BackupAndRestore and OnRequestExit save and resume": "TrainFaultTolerance",
}
__getattr__, _why = refusing(__name__, "emberjit.train", _REASONS, (Callback,))
