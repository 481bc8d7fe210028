"""What pipelines offer beside their steps: iterators and properties."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from emberjit.checks import check_bool, check_choice, check_instance, check_int32
from emberjit.dataset import config, saving
from emberjit.dataset.iterators import DictIterator, TupleIterator
from emberjit.dataset.node import Node, Run
from emberjit.dataset.recorded import Recorded
from emberjit.dataset.steps import combining
from emberjit.dataset.steps.columns import Project
from emberjit.dataset.steps.ordering import Shuffle

Self = TypeVar("Self", bound="Pipeline")


class Pipeline(Recorded):
    """A source and steps over it, as their last node.

    Args:
        node: the node.
    """

    def __init__(self, node: Node):
        self._node = node
        self._init_step = 0
        self._first: tuple[list[Any], list[Any]] | None = None

    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> TupleIterator:
        """An iterator of lists with one value a column. It ends after each epoch; to iterate over it once more gives the
        next.

        Args:
            columns: the name of a column, or a list of names, in the order in which they come; None: all.
            num_epochs: how many epochs there are; -1: any number.
            output_numpy: whether values are NumPy arrays; else they are Tensors, and NumPy arrays of strings.
            do_copy: whether Tensors never share the memory of an array of the pipeline.

        Returns:
            A TupleIterator.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: num_epochs is 0 or below -1.

        Examples:
            >>> dataset = ds.NumpySlicesDataset({"x": [1, 2], "y": [3, 4]}, shuffle=False)
            >>> for y, x in dataset.create_tuple_iterator(columns=["y", "x"], num_epochs=1):
            ...     print(y, x)
            3 1
            4 2
        """
        node = _without_metadata(self._node) if columns is None else Project(self._node, columns)
        return TupleIterator(node, *_iterator_options(num_epochs, output_numpy, do_copy), self._init_step)

    def create_dict_iterator(self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False) -> DictIterator:
        """An iterator of dicts, by the columns' names. It ends after each epoch; to iterate over it once more gives the
        next.

        Args:
            num_epochs: how many epochs there are; -1: any number.
            output_numpy: whether values are NumPy arrays; else they are Tensors, and NumPy arrays of strings.
            do_copy: whether Tensors never share the memory of an array of the pipeline.

        Returns:
            A DictIterator.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: num_epochs is 0 or below -1.

        Examples:
            >>> dataset = ds.NumpySlicesDataset({"x": [1, 2], "y": ["a", "b"]}, shuffle=False)
            >>> for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
            ...     print(row)
            {'x': array(1), 'y': array('a', dtype='<U1')}
            {'x': array(2), 'y': array('b', dtype='<U1')}
        """
        options = _iterator_options(num_epochs, output_numpy, do_copy)
        return DictIterator(_without_metadata(self._node), *options, self._init_step)

    def __iter__(self) -> Iterator[list[Any]]:
        return self.create_tuple_iterator()

    def __len__(self) -> int:
        return self.get_dataset_size()

    @property
    def dataset_size(self) -> int:
        """The number of rows in an epoch: get_dataset_size().

        Examples:
            >>> ds.NumpySlicesDataset([1, 2, 3]).batch(2).dataset_size
            2
        """
        return self.get_dataset_size()

    def get_dataset_size(self) -> int:
        """The number of rows in an epoch; after batch(), of batches. Where it is not known otherwise, as after filter(), the
        rows are computed once to count them.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3])
            >>> dataset.get_dataset_size(), dataset.batch(2).get_dataset_size(), len(dataset.repeat(2))
            (3, 2, 6)
        """
        return self._node.size()

    def get_col_names(self) -> list[str]:
        """The columns' names, in their order.

        Examples:
            >>> ds.NumpySlicesDataset({"x": [1], "y": [2]}).get_col_names()
            ['x', 'y']
        """
        return list(self._node.columns)

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """The shapes of the values of the first row, for each column a list.

        Args:
            estimate: whether all rows are looked at: a length that is not the same in all is None.

        Raises:
            TypeError: estimate is no bool.
            RuntimeError: there is no row, or with estimate rows differ in the number of axes.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([[1], [2, 3]], shuffle=False)
            >>> dataset.output_shapes(), dataset.output_shapes(estimate=True)
            ([[1]], [[None]])
        """
        check_bool("output_shapes", "estimate", estimate)
        if not estimate:
            return [list(shape) for shape in self._of_first_row()[0]]
        common: list[Any] = []
        run = Run(self._node, config.get_seed())
        try:
            for row in self._node.rows(run, 0):
                shapes = [list(np.shape(value)) for value in row]
                if any(len(a) != len(b) for a, b in zip(common, shapes)):
                    raise RuntimeError(f"For 'output_shapes', rows must have the same ranks, but got {common} and {shapes}.")
                common = [[a if a == b else None for a, b in zip(x, y)] for x, y in zip(common or shapes, shapes)]
        finally:
            run.close()
        return common

    def output_types(self) -> list[Any]:
        """The NumPy dtypes of the values of the first row.

        Raises:
            RuntimeError: there is no row.

        Examples:
            >>> ds.NumpySlicesDataset({"x": [1, 2], "y": ["a", "b"]}).output_types()
            [dtype('int64'), dtype('<U1')]
        """
        return list(self._of_first_row()[1])

    def _of_first_row(self) -> tuple[list[Any], list[Any]]:
        if self._first is None:
            run = Run(self._node, config.get_seed(), alone=True)
            try:
                for row in self._node.rows(run, 0):
                    self._first = (
                        [list(np.shape(value)) for value in row],
                        [value.dtype if isinstance(value, np.ndarray) else type(value) for value in row],
                    )
                    break
            finally:
                run.close()
        if self._first is None:
            raise RuntimeError("The dataset has no row to tell shapes and types of.")
        return self._first

    def get_batch_size(self) -> int:
        """The number of rows in a batch; 1 without batch(), or where a function says it.

        Examples:
            >>> ds.NumpySlicesDataset([1, 2, 3]).batch(2).get_batch_size()
            2
        """
        return int(self._node.nearest("batch_size", 1))

    def get_repeat_count(self) -> int:
        """How many times repeat() has the rows come; 1 without it, and -1 without end.

        Examples:
            >>> ds.NumpySlicesDataset([1, 2, 3]).repeat(2).repeat(3).get_repeat_count()
            6
        """
        return int(self._node.nearest("repeat_count", 1))

    def num_classes(self) -> int | None:
        """The number of classes, of a source that knows them; else None.

        Examples:
            >>> ds.ImageFolderDataset(example_data("image_folder")).num_classes()
            2
        """
        number: int | None = self._node.nearest("num_classes", None)
        return number

    def get_class_indexing(self) -> dict[str, Any]:
        """The labels of the classes, by name, of a source that knows them; else {}.

        Examples:
            >>> ds.ImageFolderDataset(example_data("image_folder")).get_class_indexing()
            {'cat': 0, 'dog': 1}
        """
        return dict(self._node.nearest("class_indexing", {}))

    def is_shuffled(self) -> bool:
        """Whether rows come in random order, by the source or by shuffle().

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False)
            >>> dataset.is_shuffled(), dataset.shuffle(3).is_shuffled()
            (False, True)
        """
        return any(isinstance(n, Shuffle) or bool(getattr(n, "shuffled", False)) for n in self._node.walk())

    def is_sharded(self) -> bool:
        """Whether only a part of the rows comes, of which each process reads another.

        Examples:
            >>> ds.NumpySlicesDataset([1, 2, 3], num_shards=2, shard_id=0).is_sharded()
            True
        """
        return any(bool(getattr(n, "sharded", False)) for n in self._node.walk())

    def reset(self) -> None:
        """Forgets set_init_step(): iterators start at the first row again.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False)
            >>> dataset.set_init_step(2)
            >>> dataset.reset()
            >>> dataset.get_init_step()
            0
        """
        self._init_step = 0

    def set_init_step(self, init_step: int) -> None:
        """How many rows iterators pass over at the start, of whichever epochs, so that training goes on where it ended. The
        order of the rows is the same with the same seed and, where it depends on it, the same number of workers.

        Args:
            init_step: how many rows.

        Raises:
            TypeError: init_step is no int.
            ValueError: it is negative.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False)
            >>> dataset.set_init_step(4)
            >>> [int(x) for x, in dataset]
            [2, 3]
        """
        self._init_step = check_int32("set_init_step", "init_step", init_step)

    def get_init_step(self) -> int:
        """How many rows iterators pass over at the start: set_init_step().

        Examples:
            >>> ds.NumpySlicesDataset([1, 2, 3]).get_init_step()
            0
        """
        return self._init_step

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Lets rows pass a sync_wait(), after it has called its callback.

        Args:
            condition_name: the name that sync_wait() was given.
            num_batch: how many rows, or batches, pass; None: as many as sync_wait() says.
            data: what the callback gets.

        Raises:
            ValueError: num_batch is below 1.
            RuntimeError: there is no such condition.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False).sync_wait("trained", num_batch=2)
            >>> rows = dataset.create_tuple_iterator(num_epochs=1)
            >>> int(next(rows)[0]), int(next(rows)[0])
            (1, 2)
            >>> dataset.sync_update("trained")
            >>> int(next(rows)[0])
            3
        """
        waiting = self.get_sync_notifiers()
        if num_batch is not None:
            check_int32("sync_update", "num_batch", num_batch, 1)
        if condition_name not in waiting:
            raise RuntimeError(f"For 'sync_update', there is no condition '{condition_name}' among {list(waiting)}.")
        waiting[condition_name](num_batch, data)

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """The functions that sync_update() calls, by the name of the condition.

        Examples:
            >>> list(ds.NumpySlicesDataset([1, 2, 3]).sync_wait("trained").get_sync_notifiers())
            ['trained']
        """
        return {node.condition: node.update for node in self._node.walk() if isinstance(node, combining.SyncWait)}

    def is_sync(self) -> bool:
        """Whether there is a sync_wait() in the pipeline.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3])
            >>> dataset.is_sync(), dataset.sync_wait("trained").is_sync()
            (False, True)
        """
        return bool(self.get_sync_notifiers())

    def disable_sync(self) -> None:
        """Lets all rows pass each sync_wait() of the pipeline.

        Examples:
            >>> dataset = ds.NumpySlicesDataset([1, 2, 3], shuffle=False).sync_wait("trained")
            >>> dataset.disable_sync()
            >>> [int(x) for x, in dataset]
            [1, 2, 3]
        """
        for node in self._node.walk():
            if isinstance(node, combining.SyncWait):
                node.allowed = None

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Writes the rows of an epoch to MindRecord files, which MindDataset reads. Bools, int32 and integers of fewer bits
        become int32, other integers int64, and float16 float32.

        Args:
            file_name: the path of the file; of several files numbers are added to it.
            num_files: how many files the rows are divided into, from 1 to 1000.
            file_type: "mindrecord".

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: num_files is not from 1 to 1000, or file_type not "mindrecord".
            RuntimeError: there is no row, one that the files cannot hold or that is not as the first, or a file exists.

        Examples:
            >>> ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).save("rows.mindrecord")
            >>> len(ds.MindDataset("rows.mindrecord"))
            3
        """
        path = check_instance("save", "file_name", file_name, str)
        check_choice("save", "file_type", file_type, "mindrecord")
        seed = config.get_seed() if config.is_seeded() else secrets.randbits(63)
        saving.save(self._node, seed, path, check_int32("save", "num_files", num_files, 1, 1000))

    def close(self) -> None:
        """Does nothing: what a pipeline opens its iterators close.

        Examples:
            >>> ds.NumpySlicesDataset([1, 2, 3]).close()
        """

    def __repr__(self) -> str:
        from emberjit.dataset.description import described

        node = self.__dict__.get("_node")
        return f"{type(self).__name__}(...)" if node is None else described(type(self).__name__, node)

    def _repr_html_(self) -> str:
        from emberjit.printing import html

        head, *lines = repr(self).split("\n")
        return html.details(head, html.pre("\n".join(line[2:] for line in lines)), is_open=True)

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        copied = copy.copy(self)
        memo[id(self)] = copied
        return copied


def _without_metadata(node: Node) -> Node:
    """The columns without those of metadata, which come once rename() has given them other names."""
    columns = [name for name in node.columns if not name.startswith("_meta-")]
    return node if len(columns) == len(node.columns) else Project(node, columns)


def _iterator_options(num_epochs: Any, output_numpy: Any, do_copy: Any) -> tuple[int, bool, bool]:
    where = "create_dict_iterator"
    if check_int32(where, "num_epochs", num_epochs, -1) == 0:
        raise ValueError(f"For '{where}', 'num_epochs' must be -1 or above 0, but got 0.")
    return num_epochs, check_bool(where, "output_numpy", output_numpy), check_bool(where, "do_copy", do_copy)
