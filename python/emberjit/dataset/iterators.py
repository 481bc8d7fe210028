"""Iterators of pipelines: of lists or dicts of Tensors or NumPy arrays, epoch by epoch."""

from __future__ import annotations

import json
import secrets
from typing import Any

from emberjit import _emberjit as core
from emberjit.dataset import config
from emberjit.dataset.node import Node, Run
from emberjit.dataset.values import to_output


class DatasetIterator:
    """An iterator. It ends with each epoch; iterating once more gives the next.

    Args:
        node: the pipeline's last node.
        num_epochs: how many epochs there are; -1: any number.
        output_numpy: whether arrays come in place of Tensors.
        do_copy: whether Tensors have memory of their own even where nobody else has an array's.
        init_step: how many rows were had before, of whichever epochs.
    """

    def __init__(self, node: Node, num_epochs: int, output_numpy: bool, do_copy: bool, init_step: int = 0):
        self.node, self.num_epochs, self.output_numpy = node, num_epochs, output_numpy
        self.copied = do_copy or config.get_iterator_mode()["do_copy"] or not node.fresh
        self.columns = node.columns
        self.run = Run(node, config.get_seed() if config.is_seeded() else secrets.randbits(63))
        self.epoch, self.step = divmod(init_step, max(1, node.size())) if init_step else (0, 0)
        self._closing: Any = core.Finalizer(self.run.close)

    def __iter__(self) -> DatasetIterator:
        return self

    def __next__(self) -> Any:
        if self.run.rows is None:
            if self._closing is None:
                raise RuntimeError("The iterator was stopped; create another.")
            if self.num_epochs != -1 and self.epoch >= self.num_epochs:
                raise RuntimeError(
                    f"The iterator has given all its epochs, num_epochs={self.num_epochs}: create another, or one of more."
                )
            self.run.rows = iter(self.node.rows(self.run, self.epoch, self.step))
        try:
            row = next(self.run.rows)
        except StopIteration:
            self.run.rows, self.epoch, self.step = None, self.epoch + 1, 0
            if self.epoch == self.num_epochs:
                self.run.close()
            raise
        except BaseException:
            self.stop()
            raise
        self.step += 1
        return self._shaped([to_output(value, self.output_numpy, self.copied) for value in row])

    def _shaped(self, values: list[Any]) -> Any:
        return values

    def next(self) -> Any:
        """The next row."""
        return self.__next__()

    def stop(self) -> None:
        """Ends the iteration, and all workers."""
        closing, self._closing = self._closing, None
        if closing is not None:
            closing()

    release = stop

    def state_dict(self) -> dict[str, Any]:
        """Where the iterator is: "epoch", "step", how many rows of the epoch were had, "seed", what is random follows from,
        and "readers", how many workers read sources whose order depends on it, as JSON, if there are any.
        """
        readers = list(self.run.readers.values())
        more = {"readers": json.dumps(readers)} if readers else {}
        return {"epoch": self.epoch, "step": self.step, "seed": self.run.seed, **more}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on where another iterator of the same pipeline was, with any number of workers.

        Args:
            state: what the other's state_dict() returned.
        """
        self.stop()
        self.run = Run(self.node, state["seed"], readers=json.loads(state.get("readers", "[]")))
        self.epoch, self.step = state["epoch"], state["step"]
        self._closing = core.Finalizer(self.run.close)

    def get_dataset_size(self) -> int:
        """The number of rows in an epoch."""
        return self.node.size()


class TupleIterator(DatasetIterator):
    """What Dataset.create_tuple_iterator() gives: an iterator of lists with one value a column. It ends after each epoch; to
    iterate over it once more gives the next.

    Args:
        node: the pipeline's last step.
        num_epochs: how many epochs there are; -1: any number.
        output_numpy: whether values are NumPy arrays; else they are Tensors, and NumPy arrays of strings.
        do_copy: whether Tensors never share the memory of an array of the pipeline.
        init_step: how many rows are passed over at the start, of whichever epochs.

    Examples:
        >>> dataset = ds.NumpySlicesDataset({"x": [1, 2], "y": [3, 4]}, shuffle=False)
        >>> iterator = dataset.create_tuple_iterator(num_epochs=2, output_numpy=True)
        >>> for epoch in range(2):
        ...     print([(int(x), int(y)) for x, y in iterator])
        [(1, 3), (2, 4)]
        [(1, 3), (2, 4)]
    """


class DictIterator(DatasetIterator):
    """What Dataset.create_dict_iterator() gives: an iterator of dicts, by the columns' names. It ends after each epoch; to
    iterate over it once more gives the next.

    Args:
        node: the pipeline's last step.
        num_epochs: how many epochs there are; -1: any number.
        output_numpy: whether values are NumPy arrays; else they are Tensors, and NumPy arrays of strings.
        do_copy: whether Tensors never share the memory of an array of the pipeline.
        init_step: how many rows are passed over at the start, of whichever epochs.

    Examples:
        >>> dataset = ds.NumpySlicesDataset({"x": [1, 2], "y": [3, 4]}, shuffle=False)
        >>> for row in dataset.create_dict_iterator(num_epochs=1):
        ...     print(row["x"], row["y"])
        1 3
        2 4
    """

    def _shaped(self, values: list[Any]) -> Any:
        return dict(zip(self.columns, values))
