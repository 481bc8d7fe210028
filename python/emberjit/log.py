"""Messages of programs: what is below the level of the environment's GLOG_v (0: debug, 1: info, 2: warning, the default, 3:
error, 4: critical) is not written, the rest goes to standard error."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

__all__ = ["critical", "debug", "error", "get_level", "get_log_config", "info", "warning"]
_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
_LEVEL, _TO_STDERR = "GLOG_v", "GLOG_logtostderr"


def get_level() -> str:
    """The level below which messages are not written, from the environment's GLOG_v: "0" (debug), "1" (info), "2" (warning,
    the default), "3" (error) or "4" (critical).

    Returns:
        str.

    Raises:
        ValueError: GLOG_v is something else.

    Examples:
        >>> ms.get_level() in ("0", "1", "2", "3", "4")
        True
    """
    level = os.environ.get(_LEVEL, "2")
    if level not in ("0", "1", "2", "3", "4"):
        raise ValueError(f"the environment's GLOG_v must be 0, 1, 2, 3 or 4, but is {level!r}")
    return level


def get_log_config() -> dict[str, str]:
    """The environment's settings of messages, by variable: GLOG_v (the level, as get_level tells) and GLOG_logtostderr.

    Returns:
        dict[str, str], new at each call.

    Raises:
        ValueError: GLOG_v is no level.

    Examples:
        >>> sorted(ms.get_log_config())
        ['GLOG_logtostderr', 'GLOG_v']
    """
    return {_LEVEL: get_level(), _TO_STDERR: os.environ.get(_TO_STDERR, "1")}


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        place = f"{record.pathname}:{record.lineno}"
        return f"[{record.levelname}] {self.formatTime(record)} [{place}] {record.getMessage()}"


class _Handler(logging.StreamHandler[Any]):
    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr  # which may be another one than at the last message
        super().emit(record)


def _logger() -> logging.Logger:
    logger = logging.getLogger("emberjit")
    if not logger.handlers:
        handler = _Handler()
        handler.setFormatter(_Formatter())
        logger.addHandler(handler)
        logger.propagate = False
    logger.setLevel(_LEVELS[int(get_level())])
    return logger


def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Writes msg % args at level 0; keywords as logging.debug has them."""
    _logger().debug(msg, *args, stacklevel=2, **kwargs)


def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Writes msg % args at level 1; keywords as logging.info has them."""
    _logger().info(msg, *args, stacklevel=2, **kwargs)


def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Writes msg % args at level 2; keywords as logging.warning has them."""
    _logger().warning(msg, *args, stacklevel=2, **kwargs)


def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Writes msg % args at level 3; keywords as logging.error has them."""
    _logger().error(msg, *args, stacklevel=2, **kwargs)


def critical(msg: str, *args: Any, **kwargs: Any) -> None:
    """Writes msg % args at level 4; keywords as logging.critical has them."""
    _logger().critical(msg, *args, stacklevel=2, **kwargs)
