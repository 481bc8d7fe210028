"""Processes of datasets beside what the program has: handlers of signals, garbage, threads, locks; and that none is left."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from emberjit import dataset as ds
from emberjit.dataset import workers


def rows(data: ds.Dataset) -> list[Any]:
    return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def numbers(function: Any, length: int = 6) -> ds.Dataset:
    return ds.NumpySlicesDataset(list(range(length)), ["a"], shuffle=False).map(
        function, "a", num_parallel_workers=2, python_multiprocessing=True
    )


def handled(_: Any) -> Any:
    return np.array([signal.getsignal(number) in (signal.SIG_DFL, signal.SIG_IGN) for number in signal.valid_signals()])


def test_handlers_of_the_program_stay_its_own(tmp_path):
    program = f"""
import os, signal, sys, time
sys.path[:] = {sys.path!r}
from test_dataset_workers import handled, numbers, rows
seen = []
def note(number, frame):
    seen.append(number)
    open({str(tmp_path)!r} + f"/{{os.getpid()}}", "w")
for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD):
    signal.signal(number, note)
assert all(all(row) for row in rows(numbers(handled)))
it = iter(numbers(lambda x: x, 99))
next(it)
pids = [p.pid for pool in it.run._resources.values() for p in getattr(pool, "processes", [])]
for pid in pids:
    os.kill(pid, signal.SIGUSR1)
assert len(list(it)) == 98
it.stop()
os.kill(os.getpid(), signal.SIGTERM)
assert signal.SIGTERM in seen and not any(os.path.exists(f"/proc/{{pid}}") for pid in pids)
print(os.getpid())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert [each.name for each in tmp_path.iterdir()] == [done.stdout.strip()]


class Ended:
    """What says that it was collected, and by which process."""

    def __init__(self, path: Any):
        self.path, self.own = path, self

    def __del__(self) -> None:
        with open(self.path, "a") as stream:
            stream.write(f"{os.getpid()}\n")


def collecting(x: Any) -> Any:
    gc.collect()
    return x


def test_garbage_is_collected_by_the_program_alone(tmp_path):
    gc.collect()
    gc.disable()
    Ended(tmp_path / "ended")
    try:
        assert rows(numbers(collecting)) == list(range(6)) and not gc.isenabled()
        assert not (tmp_path / "ended").exists()
    finally:
        gc.enable()
    gc.collect()
    assert (tmp_path / "ended").read_text() == f"{os.getpid()}\n"


def test_signals_are_as_before():
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    rows(numbers(collecting))
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask


def logged(x: Any) -> Any:
    import logging

    logging.getLogger("workers").debug("%s", x)
    return x


@pytest.mark.parametrize("function", [logged, collecting])
def test_many_processes_beside_threads(function):
    """None waits for a lock that a thread of the program had when it began."""
    ending = threading.Event()

    def busy() -> None:
        while not ending.is_set():
            logged(1)
            time.sleep(1e-4)

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(8):
            assert rows(numbers(function)) == list(range(6))
    finally:
        ending.set()
        for thread in threads:
            thread.join()


def unpicklable(x: Any) -> Any:
    return {"f": lambda: x} if x == 137 else x


def late(x: Any) -> Any:
    return 1 // int(x - 137) and x


@pytest.mark.parametrize("function, message", [(late, "row 137 .*ZeroDivisionError"), (unpicklable, "pickle")])
def test_rows_before_one_that_fails_in_a_part(function, message):
    found: list[Any] = []
    data = ds.NumpySlicesDataset(np.arange(300), "a", shuffle=False).map(function, "a", None, 2, python_multiprocessing=True)
    with pytest.raises(RuntimeError, match=message):
        for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            found.append(int(row[0]))
    assert found == list(range(137))


def test_quick_rows_go_to_processes_in_parts():
    data = ds.NumpySlicesDataset(np.arange(2000), "a", shuffle=False).map(
        lambda x: -x, "a", None, 2, python_multiprocessing=True
    )
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    first, largest = next(iterator), 1
    (pool,) = (pool for pool in iterator.run._resources.values() if hasattr(pool, "processes"))
    for k, row in enumerate(iterator, 1):
        largest = max(largest, pool.items)
        assert int(row[0]) == -k
    assert int(first[0]) == 0 and k == 1999
    assert 1 < largest <= ds.config.get_prefetch_size() and pool.sent < 2000 / 4
    assert [int(row[0]) for row in iterator] == [-k for k in range(2000)]


def uneven(x: Any) -> Any:
    time.sleep(3e-4 * (x % 7 == 0))
    return os.getpid()


def test_which_process_gets_a_row_does_not_depend_on_time():
    data = numbers(uneven, 301)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    for _ in range(2):
        processes = [int(row[0]) for row in iterator]
        assert len(processes) == 301 and len(set(processes)) == 2
        assert all(process == processes[k % 2] for k, process in enumerate(processes))


@pytest.mark.parametrize("processes", [False, True])
def test_rows_before_one_that_the_step_before_fails_on(processes, monkeypatch):
    monkeypatch.setattr(workers.Threads, "worth", 0)
    data = numbers(late, 300) if processes else ds.NumpySlicesDataset(np.arange(300), "a", shuffle=False).map(late, "a")
    data, found = data.map(lambda x: x, "a", None, 3, python_multiprocessing=processes), []
    with pytest.raises(RuntimeError, match=r"row 137 .*ZeroDivisionError"):
        for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            found.append(int(row[0]))
    assert found == list(range(137))


def test_a_dataset_within_an_operation_leaves_the_random_numbers_outside():
    def drawn(inside: bool) -> list[Any]:
        flips: Any = ds.vision.RandomHorizontalFlip(0.5)

        def look(image: Any) -> Any:
            if inside:
                assert len([row for row in images.map(flips, "a")]) == 4
            return image

        ds.config.set_seed(5)
        images = ds.NumpySlicesDataset(np.arange(48, dtype=np.uint8).reshape(4, 2, 2, 3), "a", shuffle=False)
        return rows(images.map([flips, look, flips], "a"))

    np.testing.assert_array_equal(drawn(True), drawn(False))
