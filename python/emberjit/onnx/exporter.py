"""Captured graphs as files of ONNX, which ONNX Runtime and others read."""

from __future__ import annotations

import dataclasses
import itertools
import operator
import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.jit import func_graph
from emberjit.capture.state.results import from_spec
from emberjit.log import warning
from emberjit.onnx import writer
from emberjit.onnx.from_ops import RULES
from emberjit.onnx.graph_writer import Sizes, Writer, info
from emberjit.onnx.writer import Builder

_SUFFIX = ".onnx"


def export(
    net: Any,
    *inputs: Any,
    file_name: str,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: dict[str, Any] | None = None,
) -> None:
    """Writes a Cell or function as a model of ONNX, op set 20. Parameters become its initializers, by their names. Results
    agree with those here but for the order in which a runtime sums. A model of 2 GB and more has its tensors in a file
    beside it, whose name ends with ".data".

    Args:
        net: a Cell (set_train(False) for inference), or a function, jitted or not.
        inputs: the arguments of a call: Tensors, which may lie in tuples, lists and dicts, and other values, which are
            fixed.
        file_name: the path; ".onnx" is added to a name that does not end so, and folders are made. The file is written whole
            or not at all.
        input_names: the names of the inputs, from left to right; None: "x0", "x1", ...
        output_names: the names of the outputs; None: "y0", "y1", ...
        export_params: whether the values of Parameters are in the file; False: they are inputs.
        keep_initializers_as_inputs: whether they are inputs, too, whose defaults are the values.
        dynamic_axes: by the names of inputs, the axes whose sizes may change, to 2 and more: a list of axes, or a dict of
            the sizes' names by axes; None: none. All other sizes are the example's, those of outputs follow. If the graph
            holds from a larger size on only, a warning is logged.

    Raises:
        TypeError: net is not callable, or a name is no str.
        ValueError: there are more names than inputs or outputs, a name stands twice, an axis is not one of its input, or the
            graph holds for some sizes of an axis only.
        NotImplementedError: an op has no counterpart; it is named.
        CaptureError: something cannot enter a graph, or needs Python when it runs; its line is named.
        OSError: the file cannot be written.

    Examples:
        >>> net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
        >>> x = ms.mint.zeros((2, 3))
        >>> ms.onnx.export(net, x, file_name="net", input_names=["x"], output_names=["y"], dynamic_axes={"x": {0: "batch"}})
        >>> print(ms.onnx.load("net.onnx"))
        <emberjit.onnx.Model (x: Float32['batch', 3]) -> y>
    """
    if not callable(net):
        raise TypeError(f"For 'onnx.export', 'net' must be a Cell or a function, but got {net!r}.")
    if not isinstance(file_name, (str, os.PathLike)) or not os.fspath(file_name):
        raise TypeError(f"For 'onnx.export', 'file_name' must be a str, but got {type(file_name)}.")
    path = os.fspath(file_name)
    path = path if path.endswith(_SUFFIX) else path + _SUFFIX
    graph = func_graph.capture(net, inputs)
    module = core.describe(graph.module, set(RULES))
    b = Builder()
    outside = _outside(b, graph)
    names = _names("input_names", input_names, graph.count(), "x", b.constants)
    of_outputs = output_names or ()
    dynamic = _dynamic(module, names, {name: axes for name, axes in (dynamic_axes or {}).items() if name not in of_outputs})
    if dynamic:
        _check_holds(module, dynamic)
    b.taken.update((*names, *of_outputs))
    entry = module["graphs"][module["entry"]]
    sizes = Sizes(module["exprs"], dynamic)
    results = Writer(b, module, sizes).write(entry, [*names, *outside])
    outputs = _outputs(b, graph, entry, sizes, results, names, output_names)
    infos = [info(name, entry["types"][value], sizes) for name, (_, value) in zip(names, entry["params"])]
    initializers = dict(b.constants)
    if not export_params:
        initializers = {name: tensor for name, tensor in initializers.items() if name not in outside}
    if keep_initializers_as_inputs or not export_params:
        infos += [writer.value_info(name, b.constants[name].dtype, list(b.constants[name].shape)) for name in outside]
    _write(path, b, infos, outputs, initializers)


def _names(argument: str, value: Sequence[str] | None, count: int, prefix: str, used: Collection[str]) -> list[str]:
    """The names that are given, and others for the rest."""
    names = list(value or ())
    if isinstance(value, str) or not all(isinstance(name, str) and name for name in names):
        raise TypeError(f"For 'onnx.export', '{argument}' must be names, but got {value!r}.")
    if len(names) > count or len(set(names)) != len(names):
        raise ValueError(f"For 'onnx.export', '{argument}' must be at most {count} different names, but got {value!r}.")
    if twice := [name for name in names if name in used]:
        raise ValueError(f"For 'onnx.export', '{argument}' has '{twice[0]}', which is the name of another value.")
    free = (name for name in map(f"{prefix}{{}}".format, itertools.count(len(names))) if name not in used)
    return names + list(itertools.islice(free, count - len(names)))


def _dynamic(module: dict[str, Any], names: list[str], axes: dict[str, Any]) -> dict[int, tuple[str, int, str]]:
    """By symbols, the inputs and axes whose sizes they are, and their names, of those that may change."""
    entry = module["graphs"][module["entry"]]
    symbols = {}
    for name, places in axes.items():
        if name not in names:
            raise ValueError(f"For 'onnx.export', 'dynamic_axes' names '{name}', which is no input: {', '.join(names)}.")
        shape = entry["types"][entry["params"][names.index(name)][1]][2]
        for axis in places:
            if type(axis) is not int or not -len(shape) <= axis < len(shape):
                raise ValueError(
                    f"For 'onnx.export', 'dynamic_axes' names the axis {axis!r} of '{name}', of rank {len(shape)}."
                )
            dim = shape[axis]
            if isinstance(dim, int):
                raise ValueError(
                    f"For 'onnx.export', the size of axis {axis} of '{name}' is {dim} in the example, and the graph holds "
                    "for that alone: give an example of another size, of 2 or more."
                )
            label = places[axis] if isinstance(places, dict) else f"{name}_{axis % len(shape)}"
            if not isinstance(label, str) or not label:
                raise TypeError(f"For 'onnx.export', 'dynamic_axes' must name axes by strs, but got {label!r}.")
            symbols[module["exprs"][dim[1]][1]] = (name, axis % len(shape), label)
    return symbols


def _check_holds(module: dict[str, Any], dynamic: dict[int, tuple[str, int, str]]) -> None:
    """Refuses a graph that does not hold for larger sizes than the example's; says from which size on it holds.

    Its guards are evaluated for many sizes, of one axis and of all together.
    """
    exprs = module["exprs"]
    hints = {exprs[at][1]: exprs[at][3] for at in range(len(exprs)) if exprs[at][0] == "symbol"}
    for symbol, (name, axis, _) in dynamic.items():
        hint = hints[symbol]
        sizes = {*range(hint, hint + 40), *(hint * n for n in (2, 3, 7, 10, 64)), *_LARGE}
        for size in sorted(n for n in sizes if n >= hint):
            for changed in ({symbol: size}, {other: hints[other] + size - hint for other in dynamic}):
                if (guard := _failing(module, {**hints, **changed})) is not None:
                    raise ValueError(
                        f"For 'onnx.export', 'dynamic_axes': the graph does not hold for all sizes of axis {axis} of "
                        f"'{name}': not for {size}, as {guard}."
                    )
        least = next((n for n in range(hint, 1, -1) if _failing(module, {**hints, symbol: n - 1}) is not None), 2)
        if least > 2:
            warning(f"onnx.export: the model is for sizes of {least} and more of axis {axis} of '{name}'.")


def _failing(module: dict[str, Any], symbols: dict[int, int]) -> str | None:
    """The text of a guard that does not hold for sizes."""
    known: dict[int, Any] = {}
    for at, (op, a, b, hint) in enumerate(module["exprs"]):
        try:
            known[at] = hint if op == "const" else symbols[a] if op == "symbol" else _ARITHMETIC[op](known[a], known[b])
        except (KeyError, ZeroDivisionError):
            known[at] = hint
    return next((text for at, outcome, text in module["guards"] if bool(known[at]) != outcome), None)


_LARGE = (127, 128, 255, 256, 999, 1000, 1024, 4096)
_ARITHMETIC: dict[str, Any] = {
    **{"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.floordiv, "mod": operator.mod},
    **{"min": min, "max": max, "less": operator.lt, "le": operator.le, "equal": operator.eq},
    **{"neg": lambda a, b: -a, "not": lambda a, b: not a, "int": lambda a, b: a},
}


def _outside(b: Builder, graph: Any) -> list[str]:
    """The names of Parameters and Tensors that a graph reads."""
    names = []
    for name, value in graph.outside.items():
        called = value.name if isinstance(value, core.Parameter) and value.name not in b.constants else name
        b.constants[called] = core.Tensor(value) if isinstance(value, core.Parameter) else value
        names.append(called)
    return names


@dataclasses.dataclass
class _Result:
    """A result of the graph, or an input that the function returns."""

    value: Any
    type: Any


def _outputs(
    b: Builder, graph: Any, entry: dict[str, Any], sizes: Sizes, values: list[Any], input_names: list[str], output_names: Any
) -> list[bytes]:
    """The outputs: what the function returns, from left to right."""
    types = [entry["types"][value] for value in entry["results"]]
    results = [_Result(value, type) for value, type in zip(values, types)]
    inputs = [_Result(name, entry["types"][value]) for name, (_, value) in zip(input_names, entry["params"])]
    leaves = list(_leaves(from_spec(graph.results, results, tuple(inputs))))
    infos = []
    for name, leaf in zip(_names("output_names", output_names, len(leaves), "y", {*input_names, *b.constants}), leaves):
        b.name_result(leaf.value if isinstance(leaf.value, str) else b.constant(leaf.value), name)
        infos.append(info(name, leaf.type, sizes))
    return infos


def _leaves(value: Any) -> Iterator[_Result]:
    if isinstance(value, _Result):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    elif value is not None:
        raise NotImplementedError(f"For 'onnx.export', the function returns {value!r}, which is no Tensor.")


def _write(path: str, b: Builder, inputs: list[bytes], outputs: list[bytes], tensors: dict[str, Any]) -> None:
    data_file = os.path.basename(path) + ".data"
    messages, parts = writer.initializers(tensors, data_file)
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)
    if parts:
        core.write_file(os.fsencode(os.path.join(folder, data_file)), parts)
    core.write_file(os.fsencode(path), [writer.model(b.graph("emberjit", inputs, outputs, messages))])
