"""Callbacks for what other devices and several processes have."""

from __future__ import annotations

from typing import Any

from emberjit.train.callback.callback import Callback


def _unavailable(name: str, why: str) -> type[Callback]:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(f"'{name}' is not available: {why}.")

    doc = f"Not available: {why}.\n\n    Raises:\n        NotImplementedError: always.\n    "
    return type(name, (Callback,), {"__init__": __init__, "__doc__": doc, "__module__": __name__})


FlopsUtilizationCollector = _unavailable(
    "FlopsUtilizationCollector", "operations are not counted; TimeMonitor prints the time of steps"
)
SummaryLandscape = _unavailable("SummaryLandscape", "landscapes of losses are not computed")
TrainFaultTolerance = _unavailable(
    "TrainFaultTolerance", "there is one process; ModelCheckpoint, BackupAndRestore and OnRequestExit save and resume"
)
