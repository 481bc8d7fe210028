"""A file of ONNX as a function. Op sets 7 and newer are meant; older files run where their ops have not changed."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from emberjit._emberjit import Tensor
from emberjit.onnx import (  # noqa: F401
    attention,
    casts,
    control,
    elementwise,
    images,
    layers,
    messages,
    nodes,
    numbers,
    quantised,
    randoms,
    recurrent,
    reductions,
    shapes,
    signals,
    tensors,
    values,
)
from emberjit.onnx.program import Part, Program, Step
from emberjit.values.spans import Span, Spans

_NEWEST = 28


class Model:
    """A model of ONNX, as load() returns it: a function of its inputs, which are given by position or by name.

    Args:
        message: the model as a parsed message of ONNX.
        files: where the tensors are that lie in files of their own.

    Attributes:
        inputs: a dict of each input that is no constant: its dtype and its shape, a tuple of sizes, names of sizes and None;
            or None where the file does not say.
        outputs: the names of the outputs.

    Examples:
        >>> ms.onnx.export(lambda x: ops.exp(x), ms.mint.zeros((2, 3)), file_name="exp")
        >>> model = ms.onnx.load("exp.onnx")
        >>> print(model)
        <emberjit.onnx.Model (x0: Float32[2, 3]) -> y0>
        >>> print(model(ms.mint.zeros((2, 3))))
        [[1. 1. 1.]
         [1. 1. 1.]]
    """

    def __init__(self, message: messages.Model, files: tensors.Files):
        graph = message.graph
        assert graph is not None
        opsets = {nodes.domain_of(opset.domain): opset.version for opset in message.opset_import}
        functions = {(nodes.domain_of(f.domain), f.name, f.overload): f for f in message.functions}
        self._program: Program = nodes.program(graph, nodes.Library(opsets, functions, files), {})
        self._infos = {info.name: info for info in graph.input}
        self.inputs = {name: _described(info) for name, info in self._infos.items() if name not in self._program.constants}
        self.outputs = list(self._program.outputs)
        self._constant_spans = list(_spans(self._program.all_constants()))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph. Results have memory of their own.

        Args:
            args: Tensors, NumPy's arrays and numbers, in the order of the inputs; lists of such for sequences, None for an
                empty option.
            kwargs: such, by the inputs' names; also of inputs that have a constant in the file, which they replace.

        Returns:
            The output; a tuple, if there are several. Tensors, lists of them for sequences, None for an empty option. Types
            of fewer than eight bits, and of eight with a point, are given as int8, uint8 or float32.

        Raises:
            TypeError: an input is missing, unknown, or of another dtype.
            ValueError: an input has another shape, or what the graph does with it cannot be done; the node is named.
            NotImplementedError: an op meets a type that emberjit has no rule for.
        """
        inputs = self._bound(args, kwargs)
        spans = Spans([*self._constant_spans, *_spans(inputs.values())])
        outputs = [_outward(value, spans) for value in self._program(inputs)]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        if len(args) > len(self.inputs):
            raise TypeError(f"the model has {len(self.inputs)} inputs ({', '.join(self.inputs)}), but got {len(args)}")
        arguments = dict(zip(self.inputs, args))
        for name, value in kwargs.items():
            if name in arguments or name not in self._infos:
                raise TypeError(f"the model got {'a second' if name in arguments else 'an unknown'} input '{name}'")
            arguments[name] = value
        if missing := [name for name in self.inputs if name not in arguments]:
            raise TypeError(f"the model's input '{missing[0]}' is missing")
        return {name: _inward(value, self._infos[name]) for name, value in arguments.items()}

    def explain(self) -> dict[str, Any]:
        """What has become of the graph.

        Returns:
            "parts" (how many jitted functions it is), "alone" (the nodes that run by themselves), "stops" (why, of those
            that were found to when they ran).
        """
        parts = self._program.parts
        return {
            "parts": sum(isinstance(part, Part) for part in parts),
            "alone": [part.title for part in parts if isinstance(part, Step)],
            "stops": list(self._program.stops),
        }

    def __repr__(self) -> str:
        inputs = ", ".join(
            f"{name}: {dtype}{'' if shape is None else list(shape)}" for name, (dtype, shape) in self.inputs.items()
        )
        return f"<emberjit.onnx.Model ({inputs}) -> {', '.join(self.outputs)}>"


def _described(info: messages.ValueInfo) -> tuple[Any, tuple[Any, ...] | None]:
    kind = values.declared(info)
    return values.TYPES.get(kind, values.NARROW.get(kind)), values.declared_shape(info)


def _inward(value: Any, info: messages.ValueInfo) -> Any:
    """An argument as a value of the program."""
    kind = values.declared(info)
    if value is None:
        if kind != values.UNDEFINED:
            raise TypeError(f"the model's input '{info.name}' is a tensor, but got None")
        return None
    if isinstance(value, (list, tuple)) and kind == values.UNDEFINED:
        return [_inward(item, messages.ValueInfo(info.name)) for item in value]
    if not isinstance(value, Tensor):
        array = np.asarray(value)
        if kind in values.NARROW:
            _check_shape(array, info)
            return values.narrow(array, kind)
        if kind == values.BFLOAT16 and array.dtype.name in ("bfloat16", "uint16"):
            value = values.bfloat16(array)
        elif kind in values.TYPES and not isinstance(value, (np.ndarray, np.generic)):
            value = Tensor(array, values.TYPES[kind])
        else:
            value = Tensor(array)
    if kind in values.TYPES and value.dtype != values.TYPES[kind]:
        raise TypeError(f"the model's input '{info.name}' is of {values.TYPES[kind]}, but got {value.dtype}")
    _check_shape(value, info)
    return value


def _check_shape(value: Any, info: messages.ValueInfo) -> None:
    declared = values.declared_shape(info)
    if declared is None:
        return
    if len(declared) != value.ndim or any(type(m) is int and m != n for m, n in zip(declared, value.shape)):
        raise ValueError(f"the model's input '{info.name}' has the shape {declared}, but got {tuple(value.shape)}")


def _outward(value: Any, spans: Spans) -> Any:
    """A result, or a copy of it where it lies in memory of what came before."""
    if isinstance(value, list):
        return [_outward(item, spans) for item in value]
    tensor = value.values if isinstance(value, values.Narrow) else values.tensor(value)
    return tensor if tensor is None or spans.add(_span(tensor)) else tensor.copy()


def _span(x: Any) -> Span:
    """Where a Tensor lies. An array's address does not outlive the array, while memory whose `data_ptr` was asked for counts
    as shared for life, and kernels keep no packed copies of weights there; NumPy has no bfloat16."""
    reach = [(n - 1) * step for n, step in zip(x.shape, x.strides)]
    first = x.data_ptr() if x.dtype == values.TYPES[values.BFLOAT16] else x.asnumpy().__array_interface__["data"][0]
    return first + sum(n for n in reach if n < 0), first + sum(n for n in reach if n > 0) + x.itemsize if x.size else first


def _spans(items: Iterable[Any]) -> Iterator[Span]:
    for value in items:
        if isinstance(value, list):
            yield from _spans(value)
        elif value is not None:
            yield _span(value.values if isinstance(value, values.Narrow) else values.tensor(value))


def load(model: str | os.PathLike[str] | bytes) -> Model:
    """Reads a model of ONNX.

    Args:
        model: the path of a file, whose external data lie beside it, or the bytes of a file.

    Returns:
        A Model, a function of the model's inputs. Its first call captures the graph; later calls are fast.

    Raises:
        ValueError: it is no model, or a damaged one; the node is named.
        NotImplementedError: it has an op, an attribute or a type that emberjit does not have; the node is named.
        OSError: a file cannot be read.

    Examples:
        >>> net = nn.Dense(3, 2, weight_init="ones", has_bias=False)
        >>> ms.onnx.export(net, ms.mint.zeros((1, 3)), file_name="net")
        >>> model = ms.onnx.load("net.onnx")
        >>> print(model(Tensor([[1.0, 2.0, 3.0]])))
        [[6. 6.]]
    """
    data: Any = model
    folder = None
    if not isinstance(model, (bytes, bytearray, memoryview)):
        folder = os.path.dirname(os.path.abspath(os.fspath(model)))
        with open(model, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0
            data = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        message = messages.read(messages.Model, memoryview(data))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"ONNX: this is no model, or a damaged one: {error or 'it is nested too deep'}") from None
    if message.graph is None or not message.opset_import:
        raise ValueError("ONNX: this is no model: it has no graph, or names no op sets")
    for opset in message.opset_import:
        if opset.domain in ("", "ai.onnx") and opset.version > _NEWEST:
            raise NotImplementedError(f"ONNX: the model is of op set {opset.version}, emberjit knows them up to {_NEWEST}")
    return Model(message, tensors.Files(folder))
