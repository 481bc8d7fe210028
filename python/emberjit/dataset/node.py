"""Nodes of a pipeline. A node gives the rows of one epoch from any row on, from the rows of its inputs; it keeps nothing
between two calls, so that an epoch is a function of the seed and its number."""

from __future__ import annotations

import copy
import itertools
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from emberjit.dataset.randomness import Key, generator_of
from emberjit.dataset.recorded import CallArguments, Recorded
from emberjit.dataset.values import Row


class Run:
    """One iteration over a pipeline, for any number of epochs.

    Args:
        root: the pipeline's last node.
        seed: what all random numbers follow from.
        alone: whether there are no workers, as for a look at the first row.
        readers: those of a run of the same pipeline, for rows in the same order; as the nodes say unless given.
    """

    def __init__(self, root: Node, seed: int, alone: bool = False, readers: Sequence[int] = ()):
        self.seed, self.alone = seed, alone
        self.fixed: tuple[int, dict[int, int]] | None = None
        self.places = _places(root)
        self.readers = {id(node): node.readers for node in root.walk() if node.readers is not None}
        self.readers |= dict(zip(self.readers, readers))
        self.rows: Iterator[Row] | None = None  # of the last node, in the epoch at hand
        self._ending: list[weakref.ref[Iterator[Row]]] = []
        self._resources: dict[int, Any] = {}
        self._closing = ExitStack()

    def key(self, node: Node, *more: int) -> Key:
        """The key of a node's random numbers."""
        return (self.places[id(node)], *more)

    def order(self, node: Node, epoch: int) -> tuple[int, Key]:
        """The seed and key of the random numbers that say in which order a node's rows come."""
        if self.fixed is None:
            return self.seed, self.key(node, epoch)
        seed, places = self.fixed
        return seed, (places[id(node)], 0)

    def generator(self, node: Node, epoch: int) -> Any:
        """The random numbers that say in which order a node's rows come."""
        return generator_of(*self.order(node, epoch))

    def in_order_of(self, seed: int, root: Node) -> Run:
        """This run, with the rows of a node in the same order in all epochs, in all runs of this seed, and whatever
        comes after the node."""
        run = copy.copy(self)
        run.fixed = seed, _places(root)
        return run

    def resource(self, node: Node, make: Callable[[], Any]) -> Any:
        """What a node makes once for a run, such as workers; closed with it."""
        if id(node) not in self._resources:
            self._resources[id(node)] = self._closing.enter_context(make())
        return self._resources[id(node)]

    def ending(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows of a generator that has to be closed: by close() at the latest, after the nodes that read from it."""
        self._ending[:] = [*(reference for reference in self._ending if reference() is not None), weakref.ref(rows)]
        return rows

    def close(self) -> None:
        """Ends the rows, and all workers."""
        self._resources.clear()
        with ExitStack() as closing:  # the last first
            closing.callback(self._drop_rows)
            closing.push(self._closing)
            for ending in self._ending:
                if isinstance(rows := ending(), Generator):
                    closing.callback(rows.close)

    def _drop_rows(self) -> None:
        rows, self.rows = self.rows, None
        if isinstance(rows, Generator):
            rows.close()


def _places(root: Node) -> dict[int, int]:
    """The numbers of a node, and of all before it, by identity."""
    places: dict[int, int] = {}
    for node in root.walk():
        places.setdefault(id(node), len(places))
    return places


class Node(Recorded):
    """A source or a step.

    Args:
        inputs: the nodes before it.
        columns: the names of its columns; the first input's unless given.
    """

    fresh = False  # whether the arrays of its rows are nobody else's

    def __init__(self, inputs: tuple[Node, ...] = (), columns: list[str] | None = None):
        self.inputs = inputs
        self.own_columns = columns
        self._counted: int | None = None
        self.dataset_call: tuple[type, CallArguments | None] | None = None  # its dataset's class, and arguments of that

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.inputs[0].columns if self.own_columns is None else self.own_columns

    @property
    def readers(self) -> int | None:
        """How many workers read, if the order of the rows depends on it."""
        return None

    def rows(self, run: Run, epoch: int, start: int = 0) -> Iterator[Row]:
        """The rows of an epoch, from the row `start` on."""
        raise NotImplementedError

    @property
    def counts(self) -> bool:
        """Whether size() would have to count rows."""
        return self._counted is None and type(self).size is Node.size

    def size(self, limit: int | None = None) -> int:
        """The number of rows in an epoch. Nodes that do not know it count their rows once, up to limit."""
        if self._counted is None:
            run = Run(self, 0)
            try:
                count = sum(1 for _ in itertools.islice(self.rows(run, 0), limit))
            finally:
                run.close()
            if count == limit:
                return count
            self._counted = count
        return self._counted

    def origin(self, run: Run, epoch: int, index: int) -> str:
        """What file a row is of, for errors; "" if it is of none, or not known."""
        del run, epoch, index
        return ""

    def walk(self) -> Iterator[Node]:
        """The node, and all before it."""
        yield self
        for node in self.inputs:
            yield from node.walk()

    def nearest(self, name: str, default: Any) -> Any:
        """An attribute of the nearest node that has it: batch_size, repeat_count, num_classes, class_indexing."""
        for node in self.walk():
            value = getattr(node, name, None)
            if value is not None:
                return value
        return default


class Step(Node):
    """A node with a row for each of its input's, unless a subclass says otherwise."""

    def __init__(self, before: Node, columns: list[str] | None = None):
        super().__init__((before,), columns)
        self.before = before
        self.fresh = before.fresh

    def size(self, limit: int | None = None) -> int:
        return self.before.size(limit)


def skipped(rows: Iterator[Row], start: int) -> Iterator[Row]:
    """Rows from `start` on, of a node that has to compute those before as well."""
    return itertools.islice(rows, start, None) if start else rows
