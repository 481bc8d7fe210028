"""The options of jit, with MindSpore's names and errors, and JitConfig, which holds them."""

from __future__ import annotations

import warnings
from typing import Any

MODES = ("ast", "bytecode", "trace")
LEVELS = ("O0", "O1")
BACKENDS = ("", "ms_backend", "GE")  # all mean the one backend

_OLD_MODES = {"PSJit": "ast", "PIJit": "bytecode"}
_OLD = ("input_signature", "hash_args", "compile_once")  # without effect
_BACKEND_OPTIONS: dict[str, Any] = {
    "disable_format_transform": bool,
    "ge_options": dict,
    "exec_order": ("bfs", "dfs"),
    "infer_boost": ("on", "off"),
    "auto_offload": ("weight", "activation", "all"),
}
_CONFIG = {
    "exc_mode": ("auto", "sink", "no_sink"),
    "jit_syntax_level": ("", "STRICT", "COMPATIBLE", "LAX"),
    "debug_level": ("RELEASE", "DEBUG"),
    "infer_boost": ("", "on", "off"),
}


class JitConfig:
    """Options of a graph, for jit or Cell.set_jit_config.

    Args:
        jit_level: "O0", "O1" or "O2", or "" for jit's own.
        exc_mode: "auto", "sink" or "no_sink": no difference here.
        jit_syntax_level: "STRICT": what cannot enter the graph is an error; "LAX", or "".
        debug_level: "RELEASE" or "DEBUG": no difference here.
        infer_boost: "on" or "off": no difference here.
        options: kept.

    Raises:
        ValueError: a value that does not exist.
    """

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        infer_boost: str = "off",
        **options: Any,
    ):
        if jit_level not in ("", "O0", "O1", "O2"):
            raise ValueError("For 'jit_level' must be one of ['O0', 'O1', 'O2'].")
        given = dict(zip(_CONFIG, (exc_mode, jit_syntax_level, debug_level, infer_boost)))
        for name, value in given.items():
            if value not in _CONFIG[name]:
                shown = [item for item in _CONFIG[name] if item not in ("", "COMPATIBLE")]
                raise ValueError(f"For '{name}' must be one of '{shown}'.")
        self.jit_config_dict = {**options, "jit_level": jit_level, **given}
        if jit_level:
            self.jit_config_dict.setdefault("backend", "GE" if jit_level == "O2" else "ms_backend")


def check_options(capture_mode: Any, jit_level: Any, dynamic: Any, fullgraph: Any, backend: Any) -> None:
    """Raises what MindSpore raises for a value that does not exist; a backend must be one of BACKENDS."""
    for name, value, allowed in (("capture_mode", capture_mode, MODES), ("jit_level", jit_level, LEVELS)):
        _check_text(name, value, allowed)
    if type(dynamic) is not int:
        raise TypeError(f"For 'jit', the 'dynamic' must be 'int',  but got '{type(dynamic).__name__}'.")
    if dynamic not in (0, 1):
        raise ValueError(f"For 'jit', the 'dynamic' must be in range of [0, 1], but got {dynamic} with type 'int'.")
    if not isinstance(fullgraph, bool):
        raise TypeError(f"For 'jit', the 'fullgraph' must be a bool, but got {type(fullgraph).__name__}.")
    _check_text("backend", backend, BACKENDS)


def _check_text(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"For 'jit', the '{name}' must be str and must be in '{list(allowed)}', but got '{value}'.")


def take_old_options(options: dict[str, Any], capture_mode: str, jit_level: str, fullgraph: bool) -> tuple[str, str, bool]:
    """What the options that older versions have make of capture_mode, jit_level and fullgraph; the others are checked.

    Raises:
        TypeError, ValueError: an option has a value that does not exist.
    """
    mode = options.pop("mode", None)
    if mode is not None:
        _check_text("mode", mode, tuple(_OLD_MODES))
        capture_mode = _OLD_MODES[mode]
    config = options.pop("jit_config", None)
    if config is not None:
        if not isinstance(config, JitConfig):
            raise TypeError(f"For 'jit', the 'jit_config' must be a JitConfig, but got {type(config).__name__}.")
        level = config.jit_config_dict["jit_level"]
        jit_level = level if level in LEVELS else jit_level
        fullgraph = fullgraph or config.jit_config_dict["jit_syntax_level"] == "STRICT"
    for name, value in options.items():
        if name == "exc_mode":
            JitConfig(exc_mode=value)
        elif name in _BACKEND_OPTIONS:
            _check_backend_option(name, value)
        elif name not in _OLD:
            warnings.warn(f"For 'jit(options)', the option argument '{name}' is not recognized.", stacklevel=3)
    return capture_mode, jit_level, fullgraph


def _check_backend_option(name: str, value: Any) -> None:
    allowed = _BACKEND_OPTIONS[name]
    kind = allowed if isinstance(allowed, type) else str
    if not isinstance(value, kind):
        raise TypeError(f"For 'jit(options)', the type of '{name}' must be {kind.__name__}, but got {type(value)}.")
    if kind is str and value not in allowed:
        raise ValueError(f"For '{name}', the value of '{name}' must be one of {list(allowed)}, but got '{value}'.")
