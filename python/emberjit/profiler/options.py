"""What MindSpore's profilers may be asked to record. Here a profile has all ops, graphs and tiers of the CPU; what is of
other devices has no effect (page Options)."""

from __future__ import annotations

from enum import Enum


class ProfilerLevel(Enum):
    """How much of another device's work a profile has. The CPU's is recorded as a whole, whatever the level.

    Attributes:
        LevelNone, Level0, Level1, Level2: from none to all.

    Examples:
        >>> profiler = ms.profiler.Profiler(start_profile=False, profiler_level=ms.profiler.ProfilerLevel.Level0)
    """

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(Enum):
    """The device whose work a profile has. There is the CPU's alone, whatever is asked for.

    Attributes:
        NPU, GPU, CPU: the device.

    Examples:
        >>> with ms.profiler.profile(activities=[ms.profiler.ProfilerActivity.CPU]) as profiler:
        ...     y = ops.exp(Tensor([0.0]))
    """

    NPU = "NPU"
    GPU = "GPU"
    CPU = "CPU"


class AicoreMetrics(Enum):
    """The hardware counters of an Ascend device that a profile may have; on a CPU there are none.

    Attributes:
        PipeUtilization, ArithmeticUtilization, Memory, MemoryL0, MemoryUB, ResourceConflictRatio, L2Cache, MemoryAccess: a
            group of counters.
        AiCoreNone: none.

    Examples:
        >>> ms.profiler.AicoreMetrics.AiCoreNone.value
        'None'
    """

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
    """The forms of the files of a profile of an Ascend device. A CPU's are always text: a JSON trace and a CSV table.

    Attributes:
        Db: a database.
        Text: text.

    Examples:
        >>> ms.profiler.ExportType("text")
        <ExportType.Text: 'text'>
    """

    Db = "db"
    Text = "text"


class HostSystem(Enum):
    """The counters of the system that a profile of an Ascend device may have; a CPU's has none.

    Attributes:
        CPU, MEM, DISK, NETWORK, OSRT: of processors, memory, disks, the network, or calls of the operating system.

    Examples:
        >>> ms.profiler.HostSystem("cpu")
        <HostSystem.CPU: 'cpu'>
    """

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
