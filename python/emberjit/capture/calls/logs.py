"""Calls of loggers below their level, and warnings that a filter ignores, which have no effect: whether they are is asked
again in each call of the graph, as is what a logger says of its level."""

from __future__ import annotations

import functools
import logging
import types
import warnings
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.calls.plain_values import plain
from emberjit.capture.code.lookup import own_fields
from emberjit.capture.code.signature import Args
from emberjit.capture.guards.record import guard_field, guard_types
from emberjit.capture.session.session import current_session
from emberjit.capture.state.deferred_strings import DeferredString

_LEVELS = {
    logging.Logger.debug: logging.DEBUG,
    logging.Logger.info: logging.INFO,
    logging.Logger.warning: logging.WARNING,
    logging.Logger.error: logging.ERROR,
    logging.Logger.critical: logging.CRITICAL,
    logging.Logger.exception: logging.ERROR,
}
_LOGGERS = (logging.Logger, logging.RootLogger)
_ASKED = "isEnabledFor"


def is_silent(method: Any, args: Args) -> bool:
    """Whether a method is a logger's that logs nothing, as its level says, nor looks at what it is given."""
    logger, function = method.__self__, method.__func__
    if not (args and _is_plain(logger)):
        return False
    level = args[0] if function is logging.Logger.log and len(args) > 1 else _LEVELS.get(function)
    level = level.value if isinstance(level, core.Number) else level
    return type(level) is int and not logging.Logger.isEnabledFor(logger, level) and not _is_enabled(logger, level)


def enabled(method: types.MethodType, args: Args) -> bool | None:
    """What a logger's isEnabledFor() says; None of another method."""
    logger = method.__self__
    if method.__func__ is not logging.Logger.isEnabledFor or len(args) != 1 or not _is_plain(logger):
        return None
    level = plain(args[0])
    return _is_enabled(logger, level) if type(level) is int else None


def _is_plain(logger: Any) -> bool:
    return type(logger) in _LOGGERS and _ASKED not in own_fields(logger)


def _is_enabled(logger: Any, level: int) -> bool:
    """Whether a logger logs what is of a level; guarded."""
    is_enabled = logging.Logger.isEnabledFor(logger, level)
    session = current_session()
    if session is not None:
        guard_types(logger)
        session.guard_type(type(logger), _ASKED)
        guard_field(session, logger, _ASKED)
        session.guard("call", functools.partial(logging.Logger.isEnabledFor, logger, level), None, is_enabled)
    return is_enabled


def is_ignored(message: Any, category: Any = None, *_: Any, **__: Any) -> bool:
    """Whether warnings.warn gives no such warning, wherever it is called."""
    category = UserWarning if category is None else category
    if type(message) not in (str, DeferredString) or not (isinstance(category, type) and issubclass(category, Warning)):
        return False
    text = message if type(message) is str else None
    if not _ignores(text, category):
        return False
    session = current_session()
    if session is not None:
        session.guard("call", functools.partial(_ignores, text, category), None, True)
    return True


def _ignores(text: str | None, category: type[Warning]) -> bool:
    """Whether the first filter that fits ignores a warning; no where that depends on what is not known: the text, or the
    module and the line that warn."""
    for action, message, kind, module, line in warnings.filters:
        if getattr(kind, "of_captures", False) or not issubclass(category, kind):
            continue
        if message is not None and text is not None and message.match(text) is None:
            continue
        known = (message is None or text is not None) and module is None and line == 0
        return known and action == "ignore"
    return False
