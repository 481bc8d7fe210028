"""Streams and events. A CPU has one stream: an op is done when its call returns, so nothing waits, and events are times."""

from __future__ import annotations

import time
from typing import Any

__all__ = [
    *("Event", "Stream", "StreamCtx"),
    *("communication_stream", "current_stream", "default_stream", "set_cur_stream"),
]


class Stream:
    """The stream of ops: all Streams are the same one.

    Args:
        priority: an int, without effect: there is one.

    Raises:
        TypeError: priority is no int.

    Examples:
        >>> ms.runtime.Stream() == ms.runtime.current_stream()
        True
    """

    device_name, device_id, id, stream_id = "CPU", 0, 0, 0

    def __init__(self, priority: int = 0):
        _check_priority(priority)

    def record_event(self, event: Event | None = None) -> Event:
        """An event at this time: the one given, or a new one.

        Raises:
            TypeError: event is no Event.
        """
        event = Event() if event is None else _checked("record_event", "event", event, Event)
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Does nothing: what came before is done.

        Raises:
            TypeError: event is no Event.
        """
        _checked("wait_event", "event", event, Event)

    def wait_stream(self, stream: Stream) -> None:
        """Does nothing: what came before is done.

        Raises:
            TypeError: stream is no Stream.
        """
        _checked("wait_stream", "stream", stream, Stream)

    def synchronize(self) -> None:
        """Does nothing: what came before is done."""

    def query(self) -> bool:
        """True: what came before is done."""
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return hash(Stream)

    def __repr__(self) -> str:
        return "Stream(device_name=CPU, device_id:0, stream id:0)"


class Event:
    """A time.

    Args:
        enable_timing: whether elapsed_time may be asked for.
        blocking: not read: nothing waits.

    Raises:
        TypeError: no bool.

    Examples:
        >>> start, end = (ms.runtime.Event(enable_timing=True) for _ in range(2))
        >>> start.record()
        >>> end.record()
        >>> start.elapsed_time(end) >= 0
        True
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False):
        _checked("Event", "enable_timing", enable_timing, bool)
        _checked("Event", "blocking", blocking, bool)
        self._timed = enable_timing
        self._at: int | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Takes the time.

        Raises:
            TypeError: stream is no Stream.
        """
        if stream is not None:
            _checked("Event.record", "stream", stream, Stream)
        self._at = time.perf_counter_ns()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to another.

        Raises:
            TypeError: end_event is no Event.
            RuntimeError: one of them was made without enable_timing, or has not been recorded.
        """
        _checked("Event.elapsed_time", "end_event", end_event, Event)
        if not (self._timed and end_event._timed):
            raise RuntimeError("For 'Event.elapsed_time', both events must be made with enable_timing=True.")
        if self._at is None or end_event._at is None:
            raise RuntimeError("For 'Event.elapsed_time', both events must be recorded.")
        return (end_event._at - self._at) / 1e6

    def wait(self, stream: Stream | None = None) -> None:
        """Does nothing: what came before is done.

        Raises:
            TypeError: stream is no Stream.
        """
        if stream is not None:
            _checked("Event.wait", "stream", stream, Stream)

    def synchronize(self) -> None:
        """Does nothing: what came before is done."""

    def query(self) -> bool:
        """True: what came before is done."""
        return True


class StreamCtx:
    """A context whose ops run on a stream; None: on that which there is.

    Args:
        ctx_stream: a Stream, or None.

    Raises:
        TypeError: ctx_stream is no Stream.

    Examples:
        >>> with ms.runtime.StreamCtx(ms.runtime.Stream()):
        ...     print(ops.ones(2))
        [1. 1.]
    """

    def __init__(self, ctx_stream: Stream | None):
        if ctx_stream is not None:
            _checked("StreamCtx", "ctx_stream", ctx_stream, Stream)

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def current_stream() -> Stream:
    """The stream that ops run on.

    Returns:
        A Stream.

    Examples:
        >>> ms.runtime.current_stream()
        Stream(device_name=CPU, device_id:0, stream id:0)
    """
    return Stream()


def default_stream() -> Stream:
    """The stream that ops run on.

    Returns:
        A Stream.

    Examples:
        >>> ms.runtime.default_stream() == ms.runtime.current_stream()
        True
    """
    return Stream()


def communication_stream() -> Stream:
    """The stream that ops run on.

    Returns:
        A Stream.

    Examples:
        >>> ms.runtime.communication_stream() == ms.runtime.current_stream()
        True
    """
    return Stream()


def set_cur_stream(stream: Stream | None) -> None:
    """Does nothing: there is one stream.

    Args:
        stream: a Stream, or None.

    Raises:
        TypeError: stream is neither a Stream nor None.

    Examples:
        >>> ms.runtime.set_cur_stream(ms.runtime.Stream())
    """
    if stream is not None:
        _checked("set_cur_stream", "stream", stream, Stream)


def _check_priority(priority: Any) -> None:
    """
    Raises:
        TypeError: priority is no int.
    """
    if isinstance(priority, bool) or not isinstance(priority, int):
        raise TypeError(f"For 'Stream', the argument 'priority' should be int, but got {priority!r}.")


def _checked(function: str, name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"For '{function}', the argument '{name}' should be {kind.__name__}, but got {type(value)}.")
    return value
