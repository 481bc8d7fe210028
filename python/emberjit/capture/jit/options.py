"""The options of jit, with MindSpore's names and errors, and JitConfig, which holds them."""

from __future__ import annotations

import warnings
from typing import Any

from emberjit.options import TABLE, choices, settle
from emberjit.spelling import nearest

_TABLE = TABLE["jit"]
_OLD_MODES = {"PSJit": "ast", "PIJit": "bytecode"}
_OWN = ("input_signature", "hash_args", "compile_once", "exc_mode")  # of the older options: not a backend's


class JitConfig:
    """Options of a graph, for jit or Cell.set_jit_config.

    Args:
        jit_level: "O0", "O1" or "O2", or "" for jit's own.
        exc_mode: "auto", "sink" or "no_sink".
        jit_syntax_level: "STRICT": what cannot enter the graph is an error; "LAX", or "".
        debug_level: "RELEASE" or "DEBUG".
        infer_boost: "on" or "off".
        options: kept, with a warning.

    What has no effect is warned of (page Options).

    Raises:
        ValueError: a value that does not exist.

    Examples:
        >>> config = ms.JitConfig(jit_level="O0", jit_syntax_level="STRICT")
        >>> double = ms.jit(lambda x: x * 2, jit_config=config)
        >>> print(double(Tensor([1.0, 2.0])))
        [2. 4.]
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
        settings = dict(
            exc_mode=exc_mode, jit_syntax_level=jit_syntax_level, debug_level=debug_level, infer_boost=infer_boost
        )
        for name, value in settings.items():
            allowed = choices(TABLE["JitConfig"][name]) or ()
            if value not in allowed:
                listed = [item for item in allowed if item not in ("", "COMPATIBLE")]
                raise ValueError(f"For '{name}' must be one of '{listed}'.")
        for name, value in {"jit_level": jit_level, **settings}.items():
            settle("JitConfig", name, value)
        for name in options:
            warnings.warn(f"JitConfig keeps the option '{name}', which emberjit does not know.", stacklevel=2)
        self.jit_config_dict = {**options, "jit_level": jit_level, **settings}
        if jit_level:
            self.jit_config_dict.setdefault("backend", "GE" if jit_level == "O2" else "ms_backend")

    def __repr__(self) -> str:
        from emberjit.printing.values import call_text, not_default

        return call_text("JitConfig", not_default(JitConfig, self.__dict__.get("jit_config_dict", {})))


def check_options(capture_mode: Any, jit_level: Any, dynamic: Any, fullgraph: Any, backend: Any) -> None:
    """Raises what MindSpore raises for a value that does not exist, and warns of those without effect."""
    _check_text("capture_mode", capture_mode)
    _check_text("jit_level", jit_level)
    if type(dynamic) is not int:
        raise TypeError(f"For 'jit', the 'dynamic' must be 'int',  but got '{type(dynamic).__name__}'.")
    if dynamic not in (0, 1):
        raise ValueError(f"For 'jit', the 'dynamic' must be in range of [0, 1], but got {dynamic} with type 'int'.")
    if not isinstance(fullgraph, bool):
        raise TypeError(f"For 'jit', the 'fullgraph' must be a bool, but got {type(fullgraph).__name__}.")
    _check_text("backend", backend)
    settle("jit", "jit_level", jit_level)
    settle("jit", "backend", backend)


def _check_text(name: str, value: Any) -> None:
    allowed = choices(_TABLE[name]) or ()
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"For 'jit', the '{name}' must be str and must be in '{list(allowed)}', but got '{value}'.")


def take_old_options(options: dict[str, Any], capture_mode: str, jit_level: str, fullgraph: bool) -> tuple[str, str, bool]:
    """What the options that older versions have make of capture_mode, jit_level and fullgraph; the others are checked.

    Raises:
        TypeError, ValueError: an option has a value that does not exist.
    """
    mode = options.pop("mode", None)
    if mode is not None:
        _check_text("mode", mode)
        capture_mode = _OLD_MODES[mode]
    config = options.pop("jit_config", None)
    if config is not None:
        if not isinstance(config, JitConfig):
            raise TypeError(f"For 'jit', the 'jit_config' must be a JitConfig, but got {type(config).__name__}.")
        level = config.jit_config_dict["jit_level"]
        jit_level = level if level in (choices(_TABLE["jit_level"]) or ()) else jit_level
        fullgraph = fullgraph or config.jit_config_dict["jit_syntax_level"] == "STRICT"
    for name, value in options.items():
        if name not in _TABLE:
            hint = nearest(name, _TABLE)
            warnings.warn(f"For 'jit(options)', the option argument '{name}' is not recognized{hint or '.'}", stacklevel=3)
            continue
        if name == "exc_mode" and value not in (choices(_TABLE[name]) or ()):
            JitConfig(exc_mode=value)
        if name not in _OWN:
            _check_backend_option(name, value)
        settle("jit", name, value)
    return capture_mode, jit_level, fullgraph


def _check_backend_option(name: str, value: Any) -> None:
    allowed = choices(_TABLE[name])
    kind = str if allowed else _TABLE[name].accepts
    if not isinstance(value, kind):
        raise TypeError(f"For 'jit(options)', the type of '{name}' must be {kind.__name__}, but got {type(value)}.")
    if allowed and value not in allowed:
        raise ValueError(f"For '{name}', the value of '{name}' must be one of {list(allowed)}, but got '{value}'.")
