"""Profiles: what ran when, as a trace that chrome://tracing and Perfetto show, and a table of the time by name."""

from emberjit.profiler.annotations import mstx
from emberjit.profiler.environment import EnvProfiler
from emberjit.profiler.options import (
    AicoreMetrics,
    ExportType,
    HostSystem,
    ProfilerActivity,
    ProfilerLevel,
    _ExperimentalConfig,
)
from emberjit.profiler.profiling import Profiler, profile, tensorboard_trace_handler
from emberjit.profiler.steps import ProfilerAction, schedule

__all__ = [
    "AicoreMetrics",
    "EnvProfiler",
    "ExportType",
    "HostSystem",
    "Profiler",
    "ProfilerAction",
    "ProfilerActivity",
    "ProfilerLevel",
    "_ExperimentalConfig",
    "mstx",
    "profile",
    "schedule",
    "tensorboard_trace_handler",
]
