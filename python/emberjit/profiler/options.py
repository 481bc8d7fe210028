"""What MindSpore's profilers may be asked to record. Here a profile has all ops, graphs and tiers of the CPU; what is of
other devices has no effect (page Options)."""

from __future__ import annotations

from enum import Enum


class ProfilerLevel(Enum):
    """How much of another device is recorded."""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(Enum):
    """Whose work is recorded."""

    NPU = "NPU"
    GPU = "GPU"
    CPU = "CPU"


class AicoreMetrics(Enum):
    """Counters of another device."""

    PipeUtilization = "PipeUtilization"
    ArithmeticUtilization = "ArithmeticUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    MemoryUB = "MemoryUB"
    ResourceConflictRatio = "ResourceConflictRatio"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"
    AiCoreNone = "None"


class ExportType(Enum):
    """Forms of a profile's files."""

    Db = "db"
    Text = "text"


class HostSystem(Enum):
    """Counters of the system."""

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"


class _ExperimentalConfig:
    """Options of other devices; kept, and without effect on a CPU."""

    def __init__(
        self,
        profiler_level: ProfilerLevel = ProfilerLevel.Level0,
        aic_metrics: AicoreMetrics = AicoreMetrics.AiCoreNone,
        l2_cache: bool = False,
        mstx: bool = False,
        data_simplification: bool = True,
        export_type: list[ExportType] | None = None,
        mstx_domain_include: list[str] | None = None,
        mstx_domain_exclude: list[str] | None = None,
        sys_io: bool = False,
        sys_interconnection: bool = False,
        host_sys: list[HostSystem] | None = None,
    ):
        self.profiler_level, self.aic_metrics = profiler_level, aic_metrics
        self.l2_cache, self.mstx, self.data_simplification = l2_cache, mstx, data_simplification
        self.export_type, self.host_sys = export_type, host_sys
        self.mstx_domain_include, self.mstx_domain_exclude = mstx_domain_include, mstx_domain_exclude
        self.sys_io, self.sys_interconnection = sys_io, sys_interconnection
