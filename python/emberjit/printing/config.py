"""show_config: what a report of a bug has to say of the machine, the versions and the settings."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from typing import Any

from emberjit import _emberjit as core
from emberjit import context, version
from emberjit.printing import html

_FOREIGN = {  # variables that emberjit reads beside those that begin with EMBERJIT_
    *("GLOG_v", "MS_COMPILER_CACHE_ENABLE", "MS_COMPILER_CACHE_PATH", "MS_DEV_SIDE_EFFECT_LOAD_ELIM", "MS_JIT"),
    "OMP_NUM_THREADS",
}
_LAPACK = "scipy-openblas32"


class Config(dict[str, str]):
    """What show_config gives: texts by what they tell, a line each when it is printed."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name.ljust(width)}  {text}" for name, text in self.items())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html.table(("", ""), self.items())


def show_config() -> Config:
    """The machine, versions and settings, for reports of bugs. Nothing is loaded or made for it.

    Returns:
        A Config: a dict of texts, which prints as lines: emberjit's version, and that of MindSpore whose names it has;
        Python, NumPy, the LAPACK library, the platform, the CPU; the instruction set in use, and what EMBERJIT_ISA limits it
        to; cores that the process may use, of those there are, and the threads of kernels; the folder of the compile cache,
        its files and bytes; and the variables of the environment that emberjit reads.

    Examples:
        >>> print(*list(ms.show_config())[:4])
        emberjit module Python NumPy
    """
    here = sys.modules["emberjit"]
    return Config(
        {
            "emberjit": f"{getattr(here, '__version__', '?')} (the names of MindSpore {version.__version__})",
            "module": str(core.__file__),
            "Python": f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})",
            "NumPy": _version("numpy"),
            "LAPACK": f"{_LAPACK} {_version(_LAPACK)}, {'loaded' if core.has_lapack() else 'not loaded yet'}",
            "platform": platform.platform(),
            "CPU": _cpu(),
            "instruction set": _instruction_set(),
            "cores": f"{_usable_cores()} of {os.cpu_count()}; {core.threads()} threads of kernels",
            "compile cache": _cache(),
            "environment": _environment(),
        }
    )


def _version(package: str) -> str:
    loaded: Any = sys.modules.get(package)
    if loaded is not None:
        return str(loaded.__version__)
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return next(iter(names), "") or platform.processor() or platform.machine()


def _instruction_set() -> str:
    limit = os.environ.get("EMBERJIT_ISA")
    return f"{core.isa()} (EMBERJIT_ISA={limit})" if limit else str(core.isa())


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cache() -> str:
    cache = context.compile_cache()
    if cache is None:
        return "none"
    files = size = 0
    for folder, _, names in os.walk(cache.folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(folder, name)).st_size
                files += 1
            except OSError:
                pass  # it has been removed meanwhile
    return f"{cache.folder}: {files} files of {size:,} bytes"


def _environment() -> str:
    names = (name for name in sorted(os.environ) if name.startswith("EMBERJIT_") or name in _FOREIGN)
    return ", ".join(f"{name}={os.environ[name]!r}" for name in names) or "nothing set"
