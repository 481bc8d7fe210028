"""Metric, the base of all metrics, and what those of the library share. They compute on NumPy arrays."""

from __future__ import annotations

import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.deviations import documentation
from emberjit.printing.values import described

Array = np.ndarray[Any, Any]


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates the method update of a Metric: it gets the arguments at the indexes that set_indexes() set.

    Args:
        func: the method, a function that takes self and inputs.

    Returns:
        The method that picks its arguments.

    Examples:
        >>> class Last(train.Metric):
        ...     def clear(self):
        ...         self.value = None
        ...     @train.rearrange_inputs
        ...     def update(self, *inputs):
        ...         self.value = inputs
        ...     def eval(self):
        ...         return self.value
        >>> metric = Last().set_indexes([0, 2])
        >>> print(metric("predicted", "weight", "true"))
        ('predicted', 'true')
    """

    @functools.wraps(func)
    def wrapper(self: Any, *inputs: Any) -> Any:
        return func(self, *(inputs if not self.indexes else [inputs[index] for index in self.indexes]))

    return wrapper


class Metric(ABC):
    """The base of metrics: a subclass defines clear(), which forgets, update(*inputs), which adds a batch, and eval(), which
    gives the value of all since. A call does the three for one batch.

    Examples:
        >>> class Largest(train.Metric):
        ...     def clear(self):
        ...         self.value = 0
        ...     def update(self, *inputs):
        ...         self.value = max(self.value, self._convert_data(inputs[0]).max())
        ...     def eval(self):
        ...         return float(self.value)
        >>> print(Largest()(Tensor([1.0, 3.0, 2.0])))
        3.0
    """

    __repr__ = described

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    def _convert_data(self, data: Any) -> Any:
        """A Tensor, list or array as an array.

        Raises:
            TypeError: it is neither.
        """
        if isinstance(data, core.Tensor):
            return (data.float() if data.dtype == core.bfloat16 else data).asnumpy()
        if isinstance(data, (list, np.ndarray)):
            return np.asarray(data)
        raise TypeError(f"For '{type(self).__name__}.update', data must be a Tensor, list or array, but got {type(data)}.")

    @property
    def indexes(self) -> list[int] | None:
        """What set_indexes was given."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: Any) -> Metric:
        """Says which of the arguments of update are used, in this order.

        Args:
            indexes: a list of ints.

        Raises:
            ValueError: it is something else.
        """
        if not isinstance(indexes, list) or not all(isinstance(index, int) for index in indexes):
            raise ValueError(f"For 'set_indexes', the argument 'indexes' must be a list of ints, but got {indexes!r}.")
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abstractmethod
    def clear(self) -> None:
        """Forgets what was added."""

    @abstractmethod
    def eval(self) -> Any:
        """The value of what was added."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Adds a batch."""


class Updated(Metric):
    """A metric of a fixed number of inputs, named in _inputs, which _add takes as arrays."""

    _inputs = "predicted values, true values"

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Adds a batch.

        Raises:
            TypeError: an input is no Tensor, list or array.
            ValueError: another number of inputs, or they do not fit.
        """
        self._check_count(inputs)
        self._add(*map(self._convert_data, inputs))
        self._is_update = True

    def _add(self, *arrays: Any) -> None:
        raise NotImplementedError

    def _check_count(self, inputs: Any) -> None:
        if len(inputs) != self._inputs.count(",") + 1:
            raise ValueError(
                f"For '{type(self).__name__}.update', the inputs must be {self._inputs}, but got {len(inputs)} of them."
            )

    def _check_updated(self, known: Any = True) -> None:
        """
        Raises:
            RuntimeError: nothing was added.
        """
        if not self._is_update or not known:
            raise RuntimeError(f"For '{type(self).__name__}.eval', there are no samples: call update with some first.")


class Ratio(Updated):
    """A sum over samples by their number: _measure gives both of a batch."""

    def clear(self) -> None:
        super().clear()
        self._sum: Any = 0
        self._total_num: Any = 0

    def _add(self, *arrays: Any) -> None:
        value, count = self._measure(*arrays)
        self._sum += value
        self._total_num += count

    def _measure(self, *arrays: Any) -> tuple[Any, int]:
        raise NotImplementedError

    def eval(self) -> Any:
        """The ratio.

        Raises:
            RuntimeError: there are no samples.
        """
        self._check_updated(self._total_num)
        return float(self._sum / self._total_num)


def with_deviations(metric: Any) -> Any:
    """Adds to the documentation of a class where it differs from MindSpore."""
    metric.__doc__ = f"{inspect.cleandoc(metric.__doc__)}{documentation(f'train.{metric.__name__}')}\n"
    return metric


def is_one_hot(data: Array) -> bool:
    """Whether an array (N, C, ...) has a single 1 along C, and 0 else."""
    return data.ndim > 1 and bool(np.equal(data**2, data).all() and np.equal(data.sum(axis=1), 1).all())
