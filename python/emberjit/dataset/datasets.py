"""A dataset is a source of rows and a chain of steps over it; iterating runs the chain anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.options import take_all

Row = tuple[Any, ...]


def _array(value: Any) -> Any:
    import numpy as np

    return value.asnumpy() if isinstance(value, core.Tensor) else np.asarray(value)


class Dataset:
    """Rows of NumPy arrays under column names."""

    def __init__(self, columns: list[str]):
        self.columns = columns

    def rows(self) -> Iterator[Row]:
        """The rows, from the start."""
        raise NotImplementedError

    def get_dataset_size(self) -> int:
        """The number of rows (of batches, after batch)."""
        return sum(1 for _ in self.rows())

    def shuffle(self, buffer_size: int) -> Dataset:
        """Rows in random order, drawn from a buffer of buffer_size rows.

        Raises:
            ValueError: a buffer below 2.
        """
        if buffer_size < 2:
            raise ValueError(f"For 'shuffle', 'buffer_size' must be at least 2, but got {buffer_size}.")
        return _Shuffled(self, buffer_size)

    def batch(self, batch_size: int, drop_remainder: bool = False) -> Dataset:
        """Stacks batch_size rows into one.

        Raises:
            ValueError: a batch_size below 1.
        """
        if batch_size < 1:
            raise ValueError(f"For 'batch', 'batch_size' must be at least 1, but got {batch_size}.")
        return _Batched(self, batch_size, drop_remainder)

    def map(self, operations: Any, input_columns: Any = None, output_columns: Any = None) -> Dataset:
        """Applies one function, or several in turn, to columns (all or the first without input_columns)."""
        chain = list(operations) if isinstance(operations, (list, tuple)) else [operations]
        inputs = [input_columns] if isinstance(input_columns, str) else input_columns or self.columns[:1]
        outputs = [output_columns] if isinstance(output_columns, str) else output_columns or inputs
        for name in inputs:
            if name not in self.columns:
                raise ValueError(f"For 'map', there is no column '{name}' among {self.columns}.")
        return _Mapped(self, chain, inputs, outputs)

    def repeat(self, count: int = 1) -> Dataset:
        """The rows count times over."""
        return _Repeated(self, count)

    def take(self, count: int = -1) -> Dataset:
        """The first count rows; all for -1."""
        return self if count < 0 else _Taken(self, count)

    def create_tuple_iterator(self, num_epochs: int = -1, output_numpy: bool = False) -> Iterator[list[Any]]:
        """Lists of one Tensor a column."""
        for row in self.rows():
            yield [value if output_numpy else core.Tensor(value) for value in row]

    def create_dict_iterator(self, num_epochs: int = -1, output_numpy: bool = False) -> Iterator[dict[str, Any]]:
        """Dicts of one Tensor a column."""
        for row in self.create_tuple_iterator(num_epochs, output_numpy):
            yield dict(zip(self.columns, row))

    def __iter__(self) -> Iterator[list[Any]]:
        return self.create_tuple_iterator()


class NumpySlicesDataset(Dataset):
    """Slices of arrays along the first axis.

    Args:
        data: an array, a tuple or list of arrays of equal length, or a dict of them.
        column_names: names of the columns.
        shuffle: whether rows come in a new random order in each epoch; True unless given.

    Raises:
        ValueError: lengths differ.
    """

    def __init__(self, data: Any, column_names: Any = None, num_samples: int | None = None, shuffle: bool | None = None):
        if isinstance(data, dict):
            columns, arrays = list(data), [_array(v) for v in data.values()]
        else:
            arrays = [_array(v) for v in data] if isinstance(data, tuple) else [_array(data)]
            columns = [f"column_{i}" for i in range(len(arrays))]
        if column_names is not None:
            columns = [column_names] if isinstance(column_names, str) else list(column_names)
        if len({len(a) for a in arrays}) != 1 or len(columns) != len(arrays):
            raise ValueError("For 'NumpySlicesDataset', columns must have one length, and a name each.")
        super().__init__(columns)
        self.arrays, self.shuffled = arrays, shuffle is None or shuffle
        self.length = len(arrays[0]) if num_samples is None else min(num_samples, len(arrays[0]))

    def get_dataset_size(self) -> int:
        return self.length

    def rows(self) -> Iterator[Row]:
        import numpy as np

        order = np.random.permutation(len(self.arrays[0])) if self.shuffled else np.arange(len(self.arrays[0]))
        for i in order[: self.length]:
            yield tuple(array[i] for array in self.arrays)


class GeneratorDataset(Dataset):
    """Rows of a generator function, an iterable, or an object with __getitem__ and __len__.

    Args:
        source: where rows come from; a row is a tuple of arrays, or one array.
        column_names: names of the columns.
        shuffle: for random-access sources, whether rows come in a new random order; True unless given.
    """

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        **options: Any,
    ):
        given = {"column_types": column_types, "schema": schema, "num_parallel_workers": num_parallel_workers}
        take_all("GeneratorDataset", {**given, **options})
        columns = [column_names] if isinstance(column_names, str) else list(column_names or ["data"])
        super().__init__(columns)
        self.source, self.num_samples = source, num_samples
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        self.shuffled = self.random_access and (shuffle is None or shuffle)

    def get_dataset_size(self) -> int:
        if not self.random_access:
            return super().get_dataset_size()
        return len(self.source) if self.num_samples is None else min(self.num_samples, len(self.source))

    def rows(self) -> Iterator[Row]:
        import numpy as np

        if self.random_access:
            length = len(self.source)
            order = np.random.permutation(length) if self.shuffled else range(length)
            items: Any = (self.source[int(i)] for i in order)
        else:
            items = self.source() if callable(self.source) else iter(self.source)
        for count, item in enumerate(items):
            if self.num_samples is not None and count >= self.num_samples:
                return
            row = item if isinstance(item, tuple) else (item,)
            yield tuple(_array(value) for value in row)


class _Step(Dataset):
    def __init__(self, before: Dataset, columns: list[str] | None = None):
        super().__init__(columns or before.columns)
        self.before = before


class _Shuffled(_Step):
    def __init__(self, before: Dataset, buffer_size: int):
        super().__init__(before)
        self.buffer_size = buffer_size

    def get_dataset_size(self) -> int:
        return self.before.get_dataset_size()

    def rows(self) -> Iterator[Row]:
        import numpy as np

        buffer: list[Row] = []
        for row in self.before.rows():
            if len(buffer) < self.buffer_size:
                buffer.append(row)
                continue
            i = int(np.random.randint(len(buffer)))
            yield buffer[i]
            buffer[i] = row
        for i in np.random.permutation(len(buffer)):
            yield buffer[i]


class _Batched(_Step):
    def __init__(self, before: Dataset, batch_size: int, drop_remainder: bool):
        super().__init__(before)
        self.batch_size, self.drop_remainder = batch_size, drop_remainder

    def get_dataset_size(self) -> int:
        size = self.before.get_dataset_size()
        return size // self.batch_size if self.drop_remainder else -(-size // self.batch_size)

    def rows(self) -> Iterator[Row]:
        pending: list[Row] = []
        for row in self.before.rows():
            pending.append(row)
            if len(pending) == self.batch_size:
                yield self._stack(pending)
                pending = []
        if pending and not self.drop_remainder:
            yield self._stack(pending)

    def _stack(self, rows: Sequence[Row]) -> Row:
        import numpy as np

        return tuple(np.stack([row[i] for row in rows]) for i in range(len(rows[0])))


class _Mapped(_Step):
    def __init__(self, before: Dataset, chain: list[Callable[..., Any]], inputs: list[str], outputs: list[str]):
        columns = [c for c in before.columns if c not in inputs]
        position = before.columns.index(inputs[0])
        super().__init__(before, columns[:position] + outputs + columns[position:])
        self.chain, self.inputs, self.outputs = chain, inputs, outputs

    def get_dataset_size(self) -> int:
        return self.before.get_dataset_size()

    def rows(self) -> Iterator[Row]:
        for row in self.before.rows():
            named = dict(zip(self.before.columns, row))
            values: Any = tuple(named[name] for name in self.inputs)
            for function in self.chain:
                result = function(*values)
                values = result if isinstance(result, tuple) else (result,)
            named.update(zip(self.outputs, map(_array, values)))
            yield tuple(named[name] for name in self.columns)


class _Repeated(_Step):
    def __init__(self, before: Dataset, count: int):
        super().__init__(before)
        self.count = count

    def get_dataset_size(self) -> int:
        return self.before.get_dataset_size() * self.count

    def rows(self) -> Iterator[Row]:
        for _ in range(self.count):
            yield from self.before.rows()


class _Taken(_Step):
    def __init__(self, before: Dataset, count: int):
        super().__init__(before)
        self.count = count

    def rows(self) -> Iterator[Row]:
        for i, row in enumerate(self.before.rows()):
            if i >= self.count:
                return
            yield row
