"""Collectives over MPI, by mpi4py. Each begins with an exchange of digests, so that processes that ask for different things
get an error, and do not wait for ever. Reductions are computed here in the order of ranks (ops/collective/combine.h): parts
of the elements are sent to one process each, which combines them and sends the result to all.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
import time
from array import array
from itertools import accumulate, pairwise
from typing import Any

from emberjit import _emberjit as core
from emberjit.distributed.serving import Request

WORLD = "hccl_world_group"
SMALL = 1 << 14  # bytes: up to this all processes get all parts, and each combines them
_TEXT = 256  # bytes of a description
_PAUSE = 1e-4  # seconds between looks at a request that takes long


class Cancelled(Exception):
    """The program was interrupted while it waited."""


def load() -> Any:
    """mpi4py's MPI, which starts MPI.

    Raises:
        ImportError: mpi4py is not installed, or of an MPI that is not here.
    """
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise ImportError(
            f"Communication between processes needs mpi4py and an MPI library ({error}): pip install 'emberjit[mpi]', and "
            "on Debian apt-get install openmpi-bin. mpirun must be of the same MPI."
        ) from None
    return MPI


def _wait(request: Any) -> None:
    looks = 0
    while not request.Test():
        if core.is_cancelled():
            raise Cancelled("interrupted")
        looks += 1
        time.sleep(0 if looks < 100 else _PAUSE)


def _place() -> str:
    """The line at which the main thread is, in the user's program."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and str(frame.f_globals.get("__name__")).startswith("emberjit."):
        frame = frame.f_back
    return "" if frame is None else f" at {os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def _told(request: Request, call: int) -> str:
    """What all processes of a group must ask for alike."""
    numbers = "" if request.op == "all_to_all" else f" {request.numbers}" if request.numbers else ""
    size = "" if request.op in ("all_to_all", "all_gather_v", "barrier") else f" of {len(request.input)} bytes"
    dtype = "" if request.op == "barrier" else f" of {request.dtype}"
    return f"{' '.join(filter(None, (request.op, request.reduction)))}{dtype}{size}{numbers}, call {call} of the group"


def _agree(communicator: Any, told: str) -> None:
    """Waits for the other processes.

    Raises:
        RuntimeError: they tell of something else.
    """
    digests = bytearray(8 * communicator.size)
    own = hashlib.blake2b(told.encode(), digest_size=8).digest()
    _wait(communicator.Iallgather(own, digests))
    if digests == own * communicator.size:
        return
    texts = bytearray(_TEXT * communicator.size)
    _wait(communicator.Iallgather(f"{told}{_place()}".encode()[:_TEXT].ljust(_TEXT), texts))
    all_told = [bytes(texts[i : i + _TEXT]).decode(errors="replace").strip() for i in range(0, len(texts), _TEXT)]
    raise RuntimeError(
        "Processes ask for different things: " + "; ".join(f"rank {rank}: {text}" for rank, text in enumerate(all_told))
    )


def _check_counts(communicator: Any, send: list[int], receive: list[int]) -> None:
    """Checks that each process expects what is sent to it.

    Raises:
        RuntimeError: one does not, on all.
    """
    sent = array("q", [0]) * communicator.size
    _wait(communicator.Ialltoall(array("q", send), sent))
    differ = bytearray(communicator.size)
    _wait(communicator.Iallgather(bytes([sent.tolist() != receive]), differ))
    ranks = [rank for rank, differs in enumerate(differ) if differs]
    if ranks:
        raise RuntimeError(f"For 'all_to_all', ranks {ranks} expect other numbers of rows than they are sent.")


def parts_of(items: int, size: int) -> list[int]:
    """How many of some items each process has: fixed by their number alone."""
    bounds = [items * rank // size for rank in range(size + 1)]
    return [end - begin for begin, end in pairwise(bounds)]


class Carrier:
    """Carries requests over the communicators of groups.

    Args:
        communicators: those of groups, by name.
    """

    def __init__(self, communicators: dict[str, Any]):
        self._communicators = communicators
        self._types: dict[int, Any] = {}
        self._carried: dict[str, int] = {}  # how many requests, by group
        self._room = bytearray()
        self._sent: list[tuple[Any, bytes]] = []  # requests of MPI that may go on, and what they send

    def carry(self, request: Request) -> None:
        """Fills the request's output.

        Raises:
            RuntimeError: the processes of the group ask for different things.
        """
        communicator = self._communicators[request.group]
        if request.op not in ("send", "receive"):
            call = self._carried[request.group] = self._carried.get(request.group, 0) + 1
            _agree(communicator, _told(request, call))
        if request.op != "barrier":  # which that exchange was
            getattr(self, f"_{request.op}")(communicator, request)

    def close(self) -> None:
        """Waits for what was sent, and for the other processes' end."""
        for request, _ in self._sent:
            _wait(request)
        self._sent.clear()
        with contextlib.suppress(RuntimeError, Cancelled):
            _agree(self._communicators[WORLD], "the end of the program")

    def _room_of(self, size: int) -> memoryview:
        """Memory for parts, which stays for the next request."""
        if len(self._room) < size:
            self._room = bytearray(size)
        return memoryview(self._room)[:size]

    def _typed(self, itemsize: int) -> Any:
        """A datatype of so many bytes, since MPI counts items in 32 bits."""
        if itemsize not in self._types:
            self._types[itemsize] = load().BYTE.Create_contiguous(itemsize).Commit()
        return self._types[itemsize]

    def _exchange(
        self, communicator: Any, request: Request, itemsize: int, send: list[int], output: Any, receive: list[int]
    ) -> None:
        kind = self._typed(itemsize)
        places = [[0, *accumulate(counts)][:-1] for counts in (send, receive)]
        _wait(communicator.Ialltoallv((request.input, send, places[0], kind), (output, receive, places[1], kind)))

    def _gather(self, communicator: Any, output: Any, itemsize: int, counts: list[int], own: Any = None) -> None:
        """Joins the parts of all; without an own one it lies in the output."""
        kind = self._typed(itemsize)
        places = [0, *accumulate(counts)][:-1]
        given = load().IN_PLACE if own is None else (own, counts[communicator.rank], kind)
        _wait(communicator.Iallgatherv(given, (output, counts, places, kind)))

    def _scattered(self, communicator: Any, request: Request, counts: list[int], itemsize: int, output: Any) -> None:
        """The reduction of this process's part, of counts by rank."""
        own = counts[communicator.rank]
        parts = self._room_of(own * itemsize * communicator.size)
        self._exchange(communicator, request, itemsize, counts, parts, [own] * communicator.size)
        core.combine_parts(request.reduction, request.dtype, parts, communicator.size, output)

    def _all_reduce(self, communicator: Any, request: Request) -> None:
        size, itemsize = communicator.size, request.itemsize
        if len(request.input) <= SMALL:
            parts = self._room_of(len(request.input) * size)
            _wait(communicator.Iallgather(request.input, parts))
            core.combine_parts(request.reduction, request.dtype, parts, size, request.output)
            return
        counts = parts_of(len(request.input) // itemsize, size)
        begin = sum(counts[: communicator.rank]) * itemsize
        own = request.output[begin : begin + counts[communicator.rank] * itemsize]
        self._scattered(communicator, request, counts, itemsize, own)
        self._gather(communicator, request.output, itemsize, counts)

    def _reduce_scatter(self, communicator: Any, request: Request) -> None:
        counts = [len(request.output) // request.itemsize] * communicator.size
        self._scattered(communicator, request, counts, request.itemsize, request.output)

    def _reduce_scatter_v(self, communicator: Any, request: Request) -> None:
        self._scattered(communicator, request, request.numbers, request.row_bytes(request.input), request.output)

    def _all_gather(self, communicator: Any, request: Request) -> None:
        counts = [len(request.input) // request.itemsize] * communicator.size
        self._gather(communicator, request.output, request.itemsize, counts, request.input)

    def _all_gather_v(self, communicator: Any, request: Request) -> None:
        self._gather(communicator, request.output, request.row_bytes(request.output), request.numbers, request.input)

    def _broadcast_from(self, communicator: Any, request: Request) -> None:
        if communicator.rank == request.numbers[0]:
            request.output[:] = request.input
        _wait(communicator.Ibcast(request.output, request.numbers[0]))

    def _all_to_all(self, communicator: Any, request: Request) -> None:
        send, receive = request.numbers[: communicator.size], request.numbers[communicator.size :]
        _check_counts(communicator, send, receive)
        rows, data = max((sum(send), request.input), (sum(receive), request.output), key=lambda side: side[0])
        self._exchange(communicator, request, len(data) // max(rows, 1), send, request.output, receive)

    def _send(self, communicator: Any, request: Request) -> None:
        self._sent = [pair for pair in self._sent if not pair[0].Test()]
        data, (to, tag) = bytes(request.input), request.numbers
        self._sent.append((communicator.Isend(data, to, tag), data))

    def _receive(self, communicator: Any, request: Request) -> None:
        status = load().Status()
        receiving = communicator.Irecv(request.output, *request.numbers)
        while not receiving.Test(status):
            if core.is_cancelled():
                raise Cancelled("interrupted")
            time.sleep(_PAUSE)
        if status.count != len(request.output):
            raise RuntimeError(
                f"For 'receive', rank {request.numbers[0]} sends {status.count} bytes, but "
                f"{len(request.output)} are expected."
            )
