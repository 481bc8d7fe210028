"""A graph of ONNX under construction, and its bytes (onnx.proto). Values are names; equal constants are one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit._emberjit import Tensor
from emberjit.onnx.values import NUMBERS
from emberjit.protobuf import field, head, single

IR, OPSET = 10, 20
_MOST_BYTES = (1 << 31) - (1 << 24)  # of a message of protobuf, with room for the nodes
_ALIGNMENT = 4096


def attribute(name: str, value: Any) -> bytes:
    """An AttributeProto of a number, str, tuple of ints or of strs, or graph (bytes)."""
    start = field(1, name)
    if isinstance(value, bytes):
        return start + field(6, value) + field(20, 5)
    if isinstance(value, str):
        return start + field(4, value) + field(20, 3)
    if isinstance(value, float):
        return start + single(2, value) + field(20, 1)
    if isinstance(value, (bool, int)):
        return start + field(3, int(value)) + field(20, 2)
    if value and isinstance(value[0], str):
        return start + b"".join(field(9, text) for text in value) + field(20, 8)
    return start + b"".join(field(8, int(n)) for n in value) + field(20, 7)


def value_info(name: str, dtype: Any, sizes: Sequence[int | str]) -> bytes:
    """A ValueInfoProto; a size may be a name."""
    dims = b"".join(field(1, field(1, n) if isinstance(n, int) else field(2, n)) for n in sizes)
    return field(1, name) + field(2, field(1, field(1, NUMBERS[dtype]) + field(2, dims)))


def content(tensor: Any) -> bytes:
    """The bytes of a Tensor's elements, as ONNX has them."""
    if tensor.dtype == dtypes.bfloat16:
        bits = tensor.astype(dtypes.float32).asnumpy().view(np.uint32) >> 16
        return bytes(bits.astype(np.uint16).data)
    return bytes(np.ascontiguousarray(tensor.asnumpy()).data)


class Builder:
    """Nodes and constants of one graph.

    Args:
        outer: the graph around it, whose constants it shares.
    """

    def __init__(self, outer: Builder | None = None):
        self.outer: Builder = self if outer is None else outer.outer
        self.nodes: list[bytes] = []
        if outer is None:
            self.constants: dict[str, Any] = {}  # Tensors by name
            self.taken: set[str] = set()  # names of inputs and outputs
            self._names: dict[Any, str] = {}
            self._count = 0

    def name(self) -> str:
        """One that is new."""
        outer = self.outer
        while True:
            outer._count += 1
            name = f"t.{outer._count}"
            if name not in outer.taken and name not in outer.constants:
                return name

    def __call__(self, op: str, *inputs: str, **attributes: Any) -> str:
        """Adds a node of one result, and returns the result's name. An absent input is ""."""
        return self.results(1, op, *inputs, **attributes)[0]

    def results(self, outputs: int, op: str, *inputs: str, **attributes: Any) -> list[str]:
        """Adds a node of several results, and returns their names."""
        names = [self.name() for _ in range(outputs)]
        while inputs and not inputs[-1]:
            inputs = inputs[:-1]
        parts = [*(field(1, x) for x in inputs), *(field(2, x) for x in names), field(3, f"{op}_{names[0]}")]
        parts += [field(4, op), *(field(5, attribute(name, value)) for name, value in attributes.items())]
        self.nodes.append(b"".join(parts))
        return names

    def name_result(self, value: str, name: str) -> None:
        """Gives a value another name."""
        self.nodes.append(field(1, value) + field(2, name) + field(3, f"Identity_{name}") + field(4, "Identity"))

    def constant(self, value: Any, dtype: Any = None) -> str:
        """The name of a constant: a Tensor, or what makes one."""
        tensor = value if isinstance(value, Tensor) else Tensor(value, dtype)
        key = (tuple(tensor.shape), tensor.dtype, content(tensor)) if tensor.size <= 1024 else id(tensor)
        outer = self.outer
        if key not in outer._names:
            name = outer._names[key] = self.name()
            outer.constants[name] = tensor
        return outer._names[key]

    def ints(self, values: Iterable[int]) -> str:
        """The name of a row of int64."""
        return self.constant(Tensor(np.array(list(values), np.int64)))

    def graph(self, name: str, inputs: Sequence[bytes], outputs: Sequence[bytes], constants: Iterable[bytes] = ()) -> bytes:
        """The bytes of the graph."""
        parts = [*(field(1, part) for part in self.nodes), field(2, name), *(field(5, part) for part in constants)]
        return b"".join([*parts, *(field(11, part) for part in inputs), *(field(12, part) for part in outputs)])


def model(graph: bytes) -> bytes:
    """The bytes of a model but for the tensors' own."""
    return field(1, IR) + field(2, "emberjit") + field(7, graph) + field(8, field(2, OPSET))


def initializers(tensors: dict[str, Any], data_file: str) -> tuple[list[bytes], list[bytes]]:
    """TensorProtos, and the parts of the file beside the model in which they lie if a message cannot hold them all.

    Args:
        tensors: by name.
        data_file: that file's name.
    """
    apart = sum(tensor.nbytes for tensor in tensors.values()) > _MOST_BYTES
    messages, parts, at = [], list[bytes](), 0
    for name, tensor in tensors.items():
        data = content(tensor)
        start = b"".join(field(1, n) for n in tensor.shape) + field(2, NUMBERS[tensor.dtype]) + field(8, name)
        if not apart or len(data) < _ALIGNMENT:
            messages.append(start + head(9, len(data)) + data)
            continue
        where = {"location": data_file, "offset": str(at), "length": str(len(data))}
        entries = b"".join(field(13, field(1, key) + field(2, value)) for key, value in where.items())
        messages.append(start + entries + field(14, 1))
        gap = -len(data) % _ALIGNMENT
        parts += [data, b"\0" * gap]
        at += len(data) + gap
    return messages, parts
