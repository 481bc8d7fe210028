"""The thread that carries what collective ops ask for (ops/collective/transport.h), one request after the other, so that a
process talks to the others in one order, whichever thread asks.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple, Protocol

from emberjit import _emberjit as core


class Request(NamedTuple):
    """What an op asks for. The buffers are its own until the request is carried."""

    op: str
    group: str
    reduction: str
    dtype: Any
    itemsize: int
    input: memoryview
    output: memoryview
    numbers: list[int]  # roots and counts, as the op has them

    def row_bytes(self, data: memoryview) -> int:
        """The bytes of a row of data whose rows `numbers` count."""
        return len(data) // max(sum(self.numbers), 1)


class Carrier(Protocol):
    """What reaches the other processes."""

    def carry(self, request: Request) -> None:
        """Fills the output. What it raises is the op's error."""

    def close(self) -> None:
        """Ends it, once no more requests come."""


def _serve(carrier: Carrier) -> None:
    while (fields := core.next_request()) is not None:
        error = ""
        try:
            carrier.carry(Request(*fields))
        except BaseException as raised:
            error = str(raised) or type(raised).__name__
        core.finish_request(error)
    carrier.close()


class Service:
    """The thread and what it carries with, from the constructor to close()."""

    def __init__(self, carrier: Carrier):
        core.open_transport()
        self._thread = threading.Thread(target=_serve, args=(carrier,), name="emberjit-communication", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread after the requests that there are."""
        core.close_transport()
        self._thread.join()
