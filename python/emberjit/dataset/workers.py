"""A function over items by threads or processes, results in the items' order. Each process has a pipe of its own and gets
every n-th item, and arrays go through memory that it shares: nothing has a name that could be left behind, and a process
ends when its pipe is closed, whoever dies."""

from __future__ import annotations

import contextlib
import gc
import itertools
import math
import mmap
import os
import pickle
import queue
import signal
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from emberjit.dataset import config

Function = Callable[[Any], Any]
_LARGE = 4096  # bytes from which arrays go through shared memory
_ALIGN = 64
_SLOT = 16 << 20
_FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT, signal.SIGTRAP}
_SLOTS = 2  # parts that a process has at once


class WorkerError(RuntimeError):
    """An error in a worker."""

    is_located = False  # whether it says which row it is of, or is of a step before


class _Slots:
    """Shared memory for the arrays of a process's last few parts."""

    def __init__(self, size: int):
        self.size = size
        self.memory = mmap.mmap(-1, size * _SLOTS)

    def put(self, slot: int, buffers: list[Any]) -> list[Any]:
        """Places of buffers; a buffer that does not fit itself."""
        at, end, places = slot * self.size, (slot + 1) * self.size, []
        for buffer in buffers:
            view = buffer.raw()
            if at + view.nbytes > end:
                places.append(view.tobytes())
                continue
            self.memory[at : at + view.nbytes] = view
            places.append((at, view.nbytes))
            at += -(-view.nbytes // _ALIGN) * _ALIGN
        return places

    def get(self, places: list[Any]) -> list[Any]:
        """The buffers, copied."""
        return [
            bytearray(p) if isinstance(p, bytes) else bytearray(memoryview(self.memory)[p[0] : p[0] + p[1]]) for p in places
        ]


def _packed(value: Any, slots: _Slots | None, slot: int) -> bytes:
    large: list[Any] = []

    def keep(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < _LARGE:
            return True
        large.append(buffer)
        return False

    body = pickle.dumps(value, protocol=5, buffer_callback=keep if slots else None)
    return pickle.dumps((body, slots.put(slot, large) if slots else []))


def _unpacked(message: bytes, slots: _Slots | None) -> tuple[Any, int]:
    """A value, and of how many bytes it was made."""
    body, places = pickle.loads(message)
    size = len(body) + sum(len(place) if isinstance(place, bytes) else place[1] for place in places)
    return pickle.loads(body, buffers=slots.get(places) if slots else []), size


@contextlib.contextmanager
def _forking() -> Iterator[None]:
    """While a process starts: no signal and no collection of garbage comes in between, and Python does not warn of a fork
    beside threads, of which the process uses none."""
    collects, mask = gc.isenabled(), signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - _FAULTS)
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        if collects:
            gc.enable()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _forget_parent() -> None:
    """In a process that has begun: no handler of the program's runs, SIGTERM ends it, other signals that the program handles
    are for the program alone; and what was garbage is not collected, since what it ends may go on there."""
    gc.freeze()
    gc.enable()
    with contextlib.suppress(ValueError):
        signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL if number == signal.SIGCHLD else signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _serve(function: Function, connection: Any, others: list[Any], inputs: _Slots | None, outputs: _Slots | None) -> None:
    """What a process does: until its pipe is closed, the function of each item."""
    _forget_parent()
    for other in others:
        other.close()
    pending: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def receive() -> None:  # so that the main process never waits to hand over an item
        with contextlib.suppress(EOFError, OSError):
            while True:
                pending.put(connection.recv_bytes())
        os._exit(0)

    threading.Thread(target=receive, daemon=True).start()
    with contextlib.suppress(BrokenPipeError):  # the main process has stopped
        for count in itertools.count():
            message = pending.get()
            assert message is not None
            connection.send_bytes(_answer(function, _unpacked(message, inputs)[0], outputs, count % _SLOTS))


def _answer(function: Function, items: list[Any], slots: _Slots | None, slot: int) -> bytes:
    """The results of items up to one that fails, what that raised, and the seconds that an item took."""
    results: list[Any] = []
    failure, start = None, time.perf_counter()
    try:
        for item in items:
            results.append(function(item))
    except BaseException as error:
        failure = _description(error)
    seconds = (time.perf_counter() - start) / len(items)
    try:
        return _packed((results, failure, seconds), slots, slot)
    except BaseException:
        for index, result in enumerate(results):
            try:
                pickle.dumps(result, protocol=5)
            except BaseException as error:
                return _packed((results[:index], _description(error), seconds), slots, slot)
        raise


def _description(error: BaseException) -> tuple[str, str]:
    return str(error) if isinstance(error, WorkerError) else f"{type(error).__name__}: {error}", traceback.format_exc()


class Processes:
    """Processes that compute a function.

    Args:
        where: what errors say they are of.
        function: of one item; what it raises is a WorkerError here.
        number: how many processes.
        slot: bytes of shared memory for the arrays of a part.
    """

    task = 2e-3  # seconds that a process is to work on a part of several items

    def __init__(self, where: str, function: Function, number: int, slot: int = _SLOT):
        import multiprocessing

        method = config.get_multiprocessing_start_method()
        context: Any = multiprocessing.get_context(method)
        shares = method == "fork" and config.get_enable_shared_mem()
        self.where, self.owner = where, os.getpid()
        self.connections: list[Any] = []
        self.processes: list[Any] = []
        self.slots: list[tuple[_Slots | None, _Slots | None]] = []
        self.slot = slot
        self.sent, self.received, self.is_iterated = 0, 0, False  # parts
        self.items = 1  # of a part
        self.done = 0  # items since this epoch began or was resumed
        for _ in range(number):
            parent_end, child_end = context.Pipe()
            slots = (_Slots(slot), _Slots(slot)) if shares else (None, None)
            others = [*self.connections, parent_end] if method == "fork" else []
            process = context.Process(target=_serve, args=(function, child_end, others, *slots), daemon=True)
            with _forking():
                process.start()
            child_end.close()
            self.connections.append(parent_end)
            self.processes.append(process)
            self.slots.append(slots)

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: Any) -> None:
        if os.getpid() != self.owner:
            return
        try:
            for connection in self.connections:
                connection.close()
            for process in self.processes:
                process.terminate()
            for process in self.processes:
                process.join(5)
        finally:
            for process in self.processes:
                process.kill()
                process.join()
            self.connections.clear()
            self.processes.clear()
            self.slots.clear()

    def map(self, items: Iterable[Any]) -> Iterator[Any]:
        """The function of each item.

        Raises:
            RuntimeError: an iteration before this one goes on.
        """
        if self.is_iterated:
            raise RuntimeError(
                f"For '{self.where}', a dataset of worker processes is used twice in one pipeline: make another."
            )
        self.is_iterated = True
        try:
            while self.received < self.sent:  # of an epoch that was left
                self._receive()
            self.sent, self.received, self.done = 0, 0, 0
            errors: list[Exception] = []
            yield from self._results(self._parts(_until_error(items, errors)))
            if errors:
                raise errors[0]
        finally:
            self.is_iterated = False

    def _parts(self, items: Iterator[Any]) -> Iterator[list[Any]]:
        """Parts for one process after the other: which one an item is for does not depend on the size of parts."""
        number = len(self.processes)
        while block := list(itertools.islice(items, self.items * number)):
            yield from (block[first::number] for first in range(min(number, len(block))))

    def _results(self, parts: Iterator[list[Any]]) -> Iterator[Any]:
        """The results of parts, in the order of the items."""
        self._fill(parts)
        iterators: list[Iterator[Any]] = [iter(()) for _ in self.processes]
        for worker in itertools.cycle(range(len(iterators))):
            result = next(iterators[worker], iterators)
            if result is iterators:
                if self.received == self.sent:
                    return
                results, failure = self._receive()
                if failure is None:
                    self._fill(parts)
                    iterators[worker] = iter(results)
                else:
                    error = WorkerError(f"{failure[0]}\n\nIn a worker process:\n{failure[1]}")
                    iterators[worker] = _raising(results, error)
                result = next(iterators[worker])
            self.done += 1
            yield result

    def _fill(self, parts: Iterator[list[Any]]) -> None:
        """Gives each process as many parts as it may have."""
        for part in itertools.islice(parts, len(self.processes) * _SLOTS - (self.sent - self.received)):
            self._send(part)

    def _send(self, part: list[Any]) -> None:
        number = len(self.processes)
        worker, count = self.sent % number, self.sent // number
        message = _packed(part, self.slots[worker][0], count % _SLOTS)
        try:
            self.connections[worker].send_bytes(message)
        except OSError:
            raise self._died(worker) from None
        self.sent += 1

    def _receive(self) -> tuple[list[Any], tuple[str, str] | None]:
        """The results of a part, and why they end before it does."""
        worker = self.received % len(self.processes)
        connection, interval = self.connections[worker], config.get_multiprocessing_timeout_interval()
        start = time.monotonic()
        while not connection.poll(interval):
            warnings.warn(
                f"For '{self.where}', a worker process has given no row for {time.monotonic() - start:.0f} s.", stacklevel=2
            )
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            raise self._died(worker) from None
        self.received += 1
        (results, failure, seconds), size = _unpacked(message, self.slots[worker][1])
        if results:
            fitting = self.slot * len(results) // (2 * size)
            self.items = max(1, min(int(self.task / max(seconds, 1e-6)), fitting, config.get_prefetch_size()))
        return results, failure

    def _died(self, worker: int) -> WorkerError:
        process = self.processes[worker]
        process.join(1)
        return WorkerError(
            f"For '{self.where}', worker process {process.pid} died with exit code {process.exitcode}, "
            f"{self.done} items after this epoch began or was resumed, or later."
        )


class Threads:
    """Threads that compute a function, if it takes longer than handing an item to one; of quick ones several at once.
    Arguments as of Processes."""

    worth = 3e-4  # seconds
    trials = 8  # items in turn that take as long
    task = 4e-3  # seconds that a thread is to work between two hand-overs

    def __init__(self, function: Function, number: int):
        self.function, self.number, self.owner = function, number, os.getpid()
        self.executor: Any = None
        self.pending: deque[Any] = deque()  # of the epoch at hand
        self.slow, self.seconds = 0, math.inf  # how many items in turn were worth it, and the quickest of them

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: Any) -> None:
        if self.executor is not None and os.getpid() == self.owner:
            self.executor.shutdown(wait=True, cancel_futures=True)
            self.pending.clear()

    def map(self, items: Iterable[Any]) -> Iterator[Any]:
        """The function of each item."""
        rest = iter(items)
        for item in () if self.executor is not None else rest:
            start = time.perf_counter()
            result = self.function(item)
            seconds = time.perf_counter() - start
            if seconds < self.worth:
                self.slow = 0
            else:
                self.slow, self.seconds = self.slow + 1, min(seconds, self.seconds) if self.slow else seconds
            yield result
            if self.slow >= self.trials:
                break
        else:
            if self.executor is None:
                return
        yield from self._by_threads(rest)

    def _by_threads(self, items: Iterator[Any]) -> Iterator[Any]:
        if self.executor is None or os.getpid() != self.owner:  # a forked child has none of the threads
            from concurrent.futures import ThreadPoolExecutor

            self.owner, self.executor = os.getpid(), ThreadPoolExecutor(self.number, thread_name_prefix="emberjit.dataset")
        prefetched = config.get_prefetch_size()
        size = max(1, min(int(self.task / max(self.seconds, 1e-6)), prefetched // (2 * self.number)))
        ahead = max(self.number, prefetched // size)
        pending = self.pending = deque()
        errors: list[Exception] = []
        before = _until_error(items, errors)
        try:
            for part in iter(lambda: list(itertools.islice(before, size)), []):
                if len(pending) >= ahead:
                    yield from pending.popleft().result()
                pending.append(self.executor.submit(_results, self.function, part))
            while pending:
                yield from pending.popleft().result()
            if errors:
                raise errors[0]
        finally:
            for future in pending:
                future.cancel()


def _until_error(items: Iterable[Any], errors: list[Exception]) -> Iterator[Any]:
    """Items up to an error, which is appended to errors, so that the results of the items before come first."""
    try:
        yield from items
    except Exception as error:
        errors.append(error)


def _results(function: Function, items: list[Any]) -> Iterator[Any]:
    """An iterator of results, which raises the error of an item in its place."""
    results: list[Any] = []
    try:
        for item in items:
            results.append(function(item))
    except Exception as error:
        return _raising(results, error)
    return iter(results)


def _raising(results: list[Any], error: Exception) -> Iterator[Any]:
    yield from results
    raise error


class Inline:
    """No worker: the caller computes. Arguments as of Processes."""

    def __init__(self, function: Function):
        self.function = function

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def map(self, items: Iterable[Any]) -> Iterator[Any]:
        """The function of each item."""
        return map(self.function, items)


def are_real(alone: bool) -> bool:
    """Whether workers are used: not in debug mode, nor where the caller has to compute alone."""
    return not (alone or config.get_debug_mode())


def workers(
    where: str, function: Function, number: int, processes: bool, slot: int = _SLOT, alone: bool = False, ahead: bool = False
) -> Any:
    """Processes or threads; or the caller itself: if alone, in debug mode, or for one thread that need not run ahead."""
    if not are_real(alone):
        return Inline(function)
    if processes:
        return Processes(where, function, number, slot)
    return Threads(function, number) if number > 1 or ahead else Inline(function)
