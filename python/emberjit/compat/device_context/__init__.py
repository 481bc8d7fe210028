"""What there is of each kind of device: the CPU, and none of the others."""

from emberjit.compat.device_context import ascend, cpu, gpu

__all__ = ["ascend", "cpu", "gpu"]
