"""What is shown of values: printing, assertions, summaries."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.state.text_patterns import escaped, number_tensor
from emberjit.checks import check_instance
from emberjit.publish.registry import publish

_ops = core.ops


@publish("ops.print_(*input_x = ()) ops.Print()(*input_x = ())", in_python=True)
def print_lines(input_x: Any) -> None:
    """Prints each argument on a line of its own, Tensors as repr shows them; in a graph whenever it runs.

    Args:
        input_x: any values.

    Examples:
        >>> ops.print_("x:", Tensor([1.0, 2.0]))
        x:
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    lines: list[str] = []
    operands: list[Any] = []
    for value in input_x:
        is_number = isinstance(value, core.Number)
        if is_number or isinstance(value, core.Tensor):
            operands.append(number_tensor(value) if is_number else value)
        lines.append("{:}" if is_number else "{}" if isinstance(value, core.Tensor) else escaped(str(value)))
    _ops.print_(operands, "".join(line + "\n" for line in lines))


@publish("ops.Assert(summarize)(condition, input_data)", in_python=True)
def asserted(condition: Any, input_data: Any, summarize: int = 3) -> None:
    """Checks that a condition is true.

    Args:
        condition: a bool, or a Tensor of one.
        input_data: a tuple or list of Tensors, which the error shows.
        summarize: how many elements of each it shows.

    Raises:
        TypeError: an item of input_data is no Tensor.
        RuntimeError: the condition is false.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> ops.Assert()(x.min() > 0, [x])
        >>> ops.Assert()(x.min() > 1, [x])
        Traceback (most recent call last):
            ...
        RuntimeError: For 'Assert', the condition is false. input_data: [1. 2.]
    """
    for item in input_data:
        if not isinstance(item, core.Tensor):
            raise TypeError(f"For 'Assert', 'input_data' must have Tensors, but has {item!r} of type {type(item).__name__}.")
    if not bool(condition):
        text = ", ".join(str(_ops.reshape(item, (-1,))[:summarize]) for item in input_data)
        raise RuntimeError(f"For 'Assert', the condition is false. input_data: {text}")


def _check_summary(function: str, name: Any, value: core.Tensor, ranks: range, expected: str) -> None:
    check_instance(function, "name", name, str)
    check_instance(function, "value", value, core.Tensor)
    if value.ndim not in ranks and not (ranks == range(1) and tuple(value.shape) == (1,)):
        raise ValueError(f"For '{function}', 'value' must have {expected}, but its shape is {tuple(value.shape)}.")


class _Summaries:
    """The values of summaries that are recorded while a SummaryRecord is open."""

    def __init__(self) -> None:
        self._open = 0
        self._records: list[tuple[str, str, Any]] = []

    def start(self) -> None:
        """A SummaryRecord is opened."""
        self._open += 1

    def stop(self) -> None:
        """One is closed."""
        self._open -= 1
        if not self._open:
            self._records.clear()

    def give(self, plugin: str, name: str, value: core.Tensor) -> None:
        """A summary is given a value."""
        if self._open:
            self._records.append((plugin, name, value.copy()))

    def take(self) -> list[tuple[str, str, Any]]:
        """(plugin, name, value) of all since the last time."""
        records, self._records = self._records, []
        return records


summaries = _Summaries()


def _declare_summary(name: str, ranks: range, expected: str) -> None:
    plugin = name.removesuffix("Summary").lower()

    def summary(name: Any, value: Any) -> None:
        _check_summary(summary.__name__, name, value, ranks, expected)
        summaries.give(plugin, name, value)

    summary.__name__ = name
    summary.__doc__ = f"""Gives a value to the SummaryRecord that is open, if there is one: record() writes it.

    Args:
        name: a str.
        value: a Tensor that has {expected}.

    Raises:
        TypeError, ValueError: another type or rank.

    Examples:
        >>> with train.SummaryRecord("summaries") as record:
        ...     ops.{name}()("x", ops.ones({(1,) * ranks.start}))
        ...     record.record(step=1)
        True
    """
    publish(f"ops.{name}", in_python=True)(summary)


_declare_summary("ScalarSummary", range(1), "no axis, or one of size 1")


_declare_summary("ImageSummary", range(4, 5), "4 axes, (N, C, H, W)")


_declare_summary("TensorSummary", range(1, 9), "an axis at least")


_declare_summary("HistogramSummary", range(1, 9), "an axis at least")
