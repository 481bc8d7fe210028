# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.train.callback.callback import Callback as Callback
from emberjit.train.callback.callback import RunContext as RunContext
from emberjit.train.callback.checkpoint import BackupAndRestore as BackupAndRestore
from emberjit.train.callback.checkpoint import CheckpointConfig as CheckpointConfig
from emberjit.train.callback.checkpoint import ModelCheckpoint as ModelCheckpoint
from emberjit.train.callback.history import History as History
from emberjit.train.callback.history import LambdaCallback as LambdaCallback
from emberjit.train.callback.learning import EarlyStopping as EarlyStopping
from emberjit.train.callback.learning import LearningRateScheduler as LearningRateScheduler
from emberjit.train.callback.learning import ReduceLROnPlateau as ReduceLROnPlateau
from emberjit.train.callback.monitors import LossMonitor as LossMonitor
from emberjit.train.callback.monitors import TimeMonitor as TimeMonitor
from emberjit.train.callback.request_exit import OnRequestExit as OnRequestExit
from emberjit.train.callback.summary_collector import SummaryCollector as SummaryCollector
from emberjit.train.callback.unavailable import FlopsUtilizationCollector as FlopsUtilizationCollector
from emberjit.train.callback.unavailable import SummaryLandscape as SummaryLandscape
from emberjit.train.callback.unavailable import TrainFaultTolerance as TrainFaultTolerance

def __getattr__(name: str) -> Any: ...
