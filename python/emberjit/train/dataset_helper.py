"""Datasets for training loops without Model: DatasetHelper, data_sink."""

from __future__ import annotations

import functools
import itertools
import json
import types
from collections.abc import Callable, Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit.transform import jit
from emberjit.checks import check_bool, check_instance, check_int
from emberjit.train.safetensors import packed, unpacked

__all__ = ["DatasetHelper", "connect_network_with_dataset", "data_sink"]


class Rows:
    """The rows of a dataset, as tuples. Each iteration gives those of the next epoch, of one iterator of the dataset.

    Args:
        dataset: the dataset; if it has a method reset, that is called after each epoch.
        epochs: how many epochs there are; -1: any number.
        steps: how many rows an iteration gives, which goes on where the last has ended; None: all of an epoch.
    """

    def __init__(self, dataset: Any, epochs: int = -1, steps: int | None = None):
        self.dataset, self.epochs, self.steps = dataset, epochs, steps
        self._iterator: Any = None
        self._endless = itertools.chain.from_iterable(self._epoch() for _ in itertools.count())
        self._rest: Any = None
        self._consumed = 0

    def state(self) -> str:
        """The iterator's state, as JSON; "" if it has none."""
        return json.dumps(self._iterator.state_dict()) if hasattr(self._iterator, "state_dict") else ""

    def resume(self, state: str, consumed: int, total: int) -> None:
        """The next iteration gives the rest of one.

        Args:
            state: what state() gave; if "", rows are passed over.
            taken: how many rows of the iteration have been given.
            total: how many in all.
        """
        self._rest = self._iterate()
        self._consumed = consumed
        if state:
            self._rest.load_state_dict(json.loads(state))
        else:
            passed = consumed if self.steps is None else total % self.dataset.get_dataset_size()
            self._rest = itertools.islice(self._rest, passed, None)

    def _iterate(self) -> Any:
        if self._iterator is None or isinstance(self._iterator, types.GeneratorType):
            self._iterator = self.dataset.create_tuple_iterator(num_epochs=self.epochs)
        return self._iterator

    def _epoch(self) -> Iterator[tuple[Any, ...]]:
        rows, empty = self._iterate() if self._rest is None else self._rest, self._rest is None
        self._rest = None
        for row in rows:
            empty = False
            yield (row,) if isinstance(row, core.Tensor) else tuple(row)
        if empty:
            raise ValueError("The dataset has no rows: it is empty, or of a source that can be gone through but once.")
        if hasattr(self.dataset, "reset"):
            self.dataset.reset()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self.steps is None:
            return self._epoch()
        consumed, self._consumed = self._consumed, 0
        return itertools.islice(self._endless, self.steps - consumed)


class Position:
    """Where training is: how many epochs are done, how many steps of the next one, how many in all; where in the data; what
    the last step gave."""

    def __init__(self) -> None:
        self.epoch = self.step = self.steps = 0
        self.outputs: Any = None
        self._rows: Rows | None = None
        self._loaded: str | None = None

    def begin(self, rows: Rows, epoch: int) -> None:
        """Training begins, with an epoch; or where load_state_dict has said."""
        if self._loaded is None:
            self.epoch, self.step, self.steps = epoch, 0, 0
        else:
            rows.resume(self._loaded, self.step, self.steps)
        self._rows, self._loaded = rows, None

    def next_step(self, outputs: Any) -> None:
        """A step is done."""
        self.step, self.steps, self.outputs = self.step + 1, self.steps + 1, outputs

    def next_epoch(self) -> None:
        """An epoch is done."""
        self.epoch, self.step = self.epoch + 1, 0

    def end(self) -> None:
        """Training is done."""
        self._rows = self.outputs = None

    def state_dict(self) -> dict[str, Any]:
        """What load_state_dict takes."""
        data = "" if self._rows is None else self._rows.state()
        counts = {"epoch": self.epoch, "step": self.step, "steps": self.steps}
        return {**counts, "data": data, "outputs": packed(_named(self.outputs))}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """The next training begins there."""
        self.epoch, self.step, self.steps, self._loaded = (state[name] for name in ("epoch", "step", "steps", "data"))
        outputs = unpacked(state["outputs"])
        self.outputs = outputs.get("", tuple(outputs.values()) or None)


def _named(outputs: Any) -> dict[str, Any]:
    """A Tensor, or the Tensors of a tuple or list, by names; none of anything else."""
    tensors = {str(k): output for k, output in enumerate(outputs)} if isinstance(outputs, (tuple, list)) else {"": outputs}
    return tensors if all(isinstance(output, core.Tensor) for output in tensors.values()) else {}


class DatasetHelper:
    """The rows of a dataset, for training loops without Model. Each iteration gives those of the next epoch, as tuples.

    Args:
        dataset: the dataset.
        dataset_sink_mode: has no meaning on a CPU: rows are given either way.
        sink_size: the number that sink_size() gives; -1: 1.
        epoch_num: how often the rows will be asked for.

    Raises:
        TypeError: an argument is of another type.
        ValueError: sink_size is neither -1 nor positive.

    Examples:
        >>> data = ds.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2)
        >>> for row in train.DatasetHelper(data):
        ...     print(row[0])
        [1 2]
        [3]
    """

    def __init__(self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1):
        check_bool("DatasetHelper", "dataset_sink_mode", dataset_sink_mode)
        check_int("DatasetHelper", "sink_size", sink_size)
        if sink_size < -1 or sink_size == 0:
            raise ValueError(f"For 'DatasetHelper', 'sink_size' must be -1 or positive, but got {sink_size}.")
        self.dataset, self._sink_size = dataset, max(sink_size, 1)
        self._rows = Rows(dataset, epoch_num)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._rows)

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """The dtypes and the shapes of columns, of the first row."""
        row = next(iter(Rows(self.dataset, 1)))
        return [column.dtype for column in row], [list(column.shape) for column in row]

    def sink_size(self) -> int:
        """How many steps one run of a network takes."""
        return self._sink_size

    def stop_send(self) -> None:
        """Nothing: rows are not sent to a device."""

    def release(self) -> None:
        """Nothing: rows are not sent to a device."""

    def continue_send(self) -> None:
        """Nothing: rows are not sent to a device."""


def connect_network_with_dataset(network: Any, dataset_helper: Any) -> Any:
    """The network itself: it takes rows as arguments, as no device has a queue of them.

    Args:
        network: a Cell.
        dataset_helper: a DatasetHelper, which gives the rows.

    Returns:
        The network.

    Raises:
        TypeError: dataset_helper is no DatasetHelper.

    Examples:
        >>> helper = train.DatasetHelper(ds.NumpySlicesDataset([-1.0, 2.0], shuffle=False), dataset_sink_mode=False)
        >>> network = train.connect_network_with_dataset(nn.ReLU(), helper)
        >>> print([network(*row).item() for row in helper])
        [0.0, 2.0]
    """
    check_instance("connect_network_with_dataset", "dataset_helper", dataset_helper, DatasetHelper)
    return network


def data_sink(
    fn: Callable[..., Any], dataset: Any, sink_size: int = 1, jit_config: Any = None, input_signature: Any = None
) -> Callable[..., Any]:
    """A function that takes no arguments and calls fn with the next rows of a dataset, over and over.

    Args:
        fn: a function that takes a row's columns.
        dataset: the dataset; after its last row it begins anew.
        sink_size: how many rows it takes in a call, a positive int.
        jit_config: if given, a JitConfig, fn is jitted; None: it is not.
        input_signature: not needed.

    Returns:
        The function, which gives what fn gives of the last row.

    Raises:
        TypeError: sink_size is no int.
        ValueError: it is not positive.

    Examples:
        >>> data = ds.NumpySlicesDataset([1, 2, 3], shuffle=False)
        >>> step = train.data_sink(lambda x: x * 10, data, sink_size=2)
        >>> print(step(), step())
        20 10
    """
    check_int("data_sink", "sink_size", sink_size, 1)
    step = fn if jit_config is None else jit(fn, jit_config=jit_config)
    rows = Rows(dataset, steps=sink_size)

    @functools.wraps(fn)
    def sink_process(*args: Any, **kwargs: Any) -> Any:
        result = None
        for row in rows:
            result = step(*row)
        return result

    return sink_process
