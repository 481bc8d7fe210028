"""Cell.summary: the layers of a Cell in the order of their calls, with what each gives, its Parameters and multiply-adds.

The call is one of a copy, in inference, in Python, without gradients; the process's random stream is put back. So the Cell's
Parameters, buffers, flags, hooks and graphs are as before, also where the call fails.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

from emberjit import _emberjit as core
from emberjit import generator
from emberjit.capture.session import call_depth
from emberjit.nn.cell.tree import parameters_of
from emberjit.printing import html
from emberjit.transforms.no_grad import _no_grad
from emberjit.values import tree

_HEAD = ("layer", "output", "Parameters", "multiply-adds")
_MEGABYTE = 1 << 20


@dataclasses.dataclass(frozen=True)
class LayerCall:
    """One call of a Cell within the summarised one.

    Args:
        path: of attributes; "" of the Cell itself.
        layer: the class.
        depth: how many Cells are being called around it.
        output: the shape of each Tensor that it gives.
        parameters: elements in Parameters of the Cell itself, without those of inner Cells.
        multiply_adds: of the Cell itself; None: not known.
        first: whether it is the Cell's first call.
    """

    path: str
    layer: str
    depth: int
    output: tuple[tuple[int, ...], ...]
    parameters: int
    multiply_adds: int | None
    first: bool


@dataclasses.dataclass(frozen=True, repr=False)
class Summary:
    """What Cell.summary gives; it prints as a table.

    Args:
        name: the Cell's class.
        calls: those of the Cell and of all within it, in the order in which they begin.
        parameters: elements in all its Parameters, each counted once.
        trained: those of them that require gradients.
        megabytes: what the Parameters take, in 2**20 bytes.
        multiply_adds: of all calls whose number is known.
        not_called: the paths of inner Cells that were not called.
    """

    name: str
    calls: tuple[LayerCall, ...]
    parameters: int
    trained: int
    megabytes: float
    multiply_adds: int
    not_called: tuple[str, ...]

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for call in self.calls:
            name = f"{call.path.rpartition('.')[2]}: {call.layer}" if call.path else call.layer
            number = "" if not call.parameters else f"{call.parameters:,}" if call.first else "shared"
            adds = "" if call.multiply_adds is None else f"{call.multiply_adds:,}"
            yield "  " * call.depth + name, ", ".join(map(str, call.output)), number, adds

    def _totals(self) -> list[str]:
        of_them = f"{self.trained:,} trained, {self.parameters - self.trained:,} not"
        lines = [f"Parameters: {self.parameters:,} ({of_them}), {self.megabytes:.3g} MB"]
        lines.append(f"multiply-adds: {self.multiply_adds:,}")
        return lines + ([f"not called: {', '.join(self.not_called)}"] if self.not_called else [])

    def __str__(self) -> str:
        rows = [_HEAD, *self._rows()]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        lines = [
            "  ".join(
                text.ljust(width) if column < 2 else text.rjust(width)
                for column, (text, width) in enumerate(zip(row, widths))
            )
            for row in rows
        ]
        rule = "-" * max(map(len, lines))
        return "\n".join([lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:]), rule, *self._totals()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html.table(_HEAD, self._rows()) + html.pre("\n".join(self._totals()))


class _Recorder:
    """Records the calls of the Cells of a copy."""

    def __init__(self, root: Any):
        self.calls: list[LayerCall | None] = []
        self.depth = 0
        self.called: set[int] = set()
        self.failed = False  # whether the layer has been named
        self.paths = {id(cell): path for path, cell in root.cells_and_names()}
        for _, cell in root.cells_and_names():
            fields = cell.__dict__
            fields.update(training=False, _phase="predict", _jitted=None, _fullgraph=False)
            fields["construct"] = self._recorded(cell, _in_python(cell))

    def _recorded(self, cell: Any, construct: Any) -> Any:
        def recorded(*args: Any, **kwargs: Any) -> Any:
            place, depth, first = len(self.calls), self.depth, id(cell) not in self.called
            self.calls.append(None)
            self.called.add(id(cell))
            self.depth += 1
            try:
                output = construct(*args, **kwargs)
            except Exception as error:
                if self.failed:
                    raise
                self.failed = True
                raise _named(self.paths[id(cell)], cell, args, error) from error
            finally:
                self.depth = depth
            self.calls[place] = self._call(cell, depth, (*args, *kwargs.values()), output, first)
            return output

        return recorded

    def _call(self, cell: Any, depth: int, args: tuple[Any, ...], output: Any, first: bool) -> LayerCall:
        own = sum(parameter.size for parameter in cell._params.values() if parameter is not None)
        shapes = tuple(tuple(leaf.shape) for leaf in tree.tensors(output))
        adds = None if cell._multiply_adds is None else cell._multiply_adds(args, output)
        return LayerCall(self.paths[id(cell)], type(cell).__name__, depth, shapes, own, adds, first)


def _in_python(cell: Any) -> Any:
    """The construct of a Cell of the copy, without the graphs that it may have."""
    construct = cell.construct
    if not isinstance(construct, core.Jit) and not isinstance(getattr(construct, "__func__", None), core.Jit):
        return construct
    function = getattr(construct, "__func__", construct)
    while isinstance(function, core.Jit):
        function = function.__wrapped__
    return getattr(function, "__func__", function).__get__(cell)


def _named(path: str, cell: Any, args: tuple[Any, ...], error: Exception) -> ValueError:
    where = f"'{path}' ({type(cell).__name__})" if path else f"'{type(cell).__name__}' itself"
    shapes = ", ".join(str(tuple(leaf.shape)) for leaf in tree.tensors(args))
    return ValueError(f"For 'Cell.summary', the layer {where} does not take {shapes or 'its arguments'}: {error}")


def _argument(value: Any) -> Any:
    if isinstance(value, core.Tensor):
        return value
    sizes = isinstance(value, (tuple, list)) and all(isinstance(n, int) and not isinstance(n, bool) for n in value)
    if not sizes:
        raise TypeError(
            f"For 'Cell.summary', each argument must be a shape, as (1, 3, 224, 224), or a Tensor, but got {value!r}."
        )
    if any(size < 0 for size in value):
        raise ValueError(f"For 'Cell.summary', sizes must not be negative, but got {value!r}.")
    return core.ops.zeros(tuple(value), core.float32)


def summarise(cell: Any, arguments: tuple[Any, ...]) -> Summary:
    """What Cell.summary gives."""
    inputs = [_argument(value) for value in arguments]
    try:
        copied = copy.deepcopy(cell)
    except Exception as error:
        raise TypeError(f"For 'Cell.summary', '{type(cell).__name__}' cannot be copied: {error}.") from error
    recorder, state = _Recorder(copied), generator.get_rng_state()
    try:
        with call_depth.uncaptured(), _no_grad():
            copied(*inputs)
    finally:
        generator.set_rng_state(state)
    calls = tuple(call for call in recorder.calls if call is not None)
    parameters = list(parameters_of(cell))
    return Summary(
        name=type(cell).__name__,
        calls=calls,
        parameters=sum(parameter.size for parameter in parameters),
        trained=sum(parameter.size for parameter in parameters if parameter.requires_grad),
        megabytes=sum(parameter.size * parameter.itemsize for parameter in parameters) / _MEGABYTE,
        multiply_adds=sum(call.multiply_adds or 0 for call in calls),
        not_called=tuple(path for id_, path in recorder.paths.items() if id_ not in recorder.called),
    )
