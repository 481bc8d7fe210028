"""ONNX's messages (onnx.proto of github.com/onnx/onnx, IR version 13), read from bytes without copying what they hold: a
tensor's data stay slices of the file. Fields that say nothing about results (documentation, metadata) are passed over."""

from __future__ import annotations

import dataclasses
import struct
from dataclasses import field
from typing import Any, TypeVar

from emberjit import protobuf

Message = TypeVar("Message")
_BITS = 64


def _signed(value: int) -> int:
    return value - (1 << _BITS) if value >> _BITS - 1 else value


def _packed(data: Any) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = protobuf.read_varint(data, at)
        values.append(_signed(value))
    return values


def _text(data: Any) -> str:
    return bytes(data).decode()


def _single(data: Any) -> float:
    return float(struct.unpack("<f", data)[0])


def _one(number: int, read: Any) -> dict[str, Any]:
    """What a field is that comes once: its number, what reads it, and how a further one is added."""
    return {"number": number, "read": read, "add": None}


def _many(number: int, read: Any) -> dict[str, Any]:
    return {"number": number, "read": read, "add": list.append}


def _ints(number: int) -> dict[str, Any]:
    """Of ints, alone or packed."""
    return {"number": number, "read": _row, "add": list.extend}


def _row(data: Any) -> list[int]:
    return [_signed(data)] if isinstance(data, int) else _packed(data)


def read(kind: type[Message], data: Any) -> Message:
    """A message of a kind.

    Raises:
        ValueError: the data are none.
    """
    known = {member.metadata["number"]: member for member in dataclasses.fields(kind)}  # type: ignore[arg-type]
    message = kind()
    for number, value in protobuf.fields(data):
        entry = known.get(number)
        if entry is None:
            continue
        reader, add = entry.metadata["read"], entry.metadata["add"]
        if reader is not _row and isinstance(value, int) != (reader in (int, _signed)):
            raise ValueError(f"field {number} of {kind.__name__} has another wire type")
        try:
            item = read(reader, value) if isinstance(reader, type) and dataclasses.is_dataclass(reader) else reader(value)
        except (TypeError, AttributeError, struct.error) as error:
            raise ValueError(f"field {number} of {kind.__name__} is damaged: {error}") from None
        if add is None:
            setattr(message, entry.name, item)
        else:
            add(getattr(message, entry.name), item)
    return message


@dataclasses.dataclass
class Entry:
    """StringStringEntryProto."""

    key: str = field(default="", metadata=_one(1, _text))
    value: str = field(default="", metadata=_one(2, _text))


@dataclasses.dataclass
class Tensor:
    """TensorProto: data lie in one of the fields, or in a file."""

    dims: list[int] = field(default_factory=list, metadata=_ints(1))
    data_type: int = field(default=0, metadata=_one(2, int))
    float_data: list[Any] = field(default_factory=list, metadata=_many(4, memoryview))
    int32_data: list[int] = field(default_factory=list, metadata=_ints(5))
    string_data: list[bytes] = field(default_factory=list, metadata=_many(6, bytes))
    int64_data: list[int] = field(default_factory=list, metadata=_ints(7))
    name: str = field(default="", metadata=_one(8, _text))
    raw_data: Any = field(default=None, metadata=_one(9, memoryview))
    double_data: list[Any] = field(default_factory=list, metadata=_many(10, memoryview))
    uint64_data: list[int] = field(default_factory=list, metadata=_ints(11))
    external_data: list[Entry] = field(default_factory=list, metadata=_many(13, Entry))
    data_location: int = field(default=0, metadata=_one(14, int))


@dataclasses.dataclass
class SparseTensor:
    """SparseTensorProto."""

    values: Tensor | None = field(default=None, metadata=_one(1, Tensor))
    indices: Tensor | None = field(default=None, metadata=_one(2, Tensor))
    dims: list[int] = field(default_factory=list, metadata=_ints(3))


@dataclasses.dataclass
class Dimension:
    """TensorShapeProto.Dimension: a size, or its name."""

    dim_value: int | None = field(default=None, metadata=_one(1, _signed))
    dim_param: str | None = field(default=None, metadata=_one(2, _text))


@dataclasses.dataclass
class Shape:
    """TensorShapeProto."""

    dim: list[Dimension] = field(default_factory=list, metadata=_many(1, Dimension))


@dataclasses.dataclass
class TensorType:
    """TypeProto.Tensor, and TypeProto.SparseTensor."""

    elem_type: int = field(default=0, metadata=_one(1, int))
    shape: Shape | None = field(default=None, metadata=_one(2, Shape))


@dataclasses.dataclass
class Type:
    """TypeProto; of a sequence or an option only that it is one."""

    tensor_type: TensorType | None = field(default=None, metadata=_one(1, TensorType))
    sequence_type: Any = field(default=None, metadata=_one(4, bytes))
    map_type: Any = field(default=None, metadata=_one(5, bytes))
    sparse_tensor_type: TensorType | None = field(default=None, metadata=_one(8, TensorType))
    optional_type: Any = field(default=None, metadata=_one(9, bytes))


@dataclasses.dataclass
class ValueInfo:
    """ValueInfoProto."""

    name: str = field(default="", metadata=_one(1, _text))
    type: Type | None = field(default=None, metadata=_one(2, Type))


@dataclasses.dataclass
class Attribute:
    """AttributeProto: a value by its type, or the name of an attribute of the function around it."""

    name: str = field(default="", metadata=_one(1, _text))
    f: float = field(default=0.0, metadata=_one(2, _single))
    i: int = field(default=0, metadata=_one(3, _signed))
    s: bytes = field(default=b"", metadata=_one(4, bytes))
    t: Tensor | None = field(default=None, metadata=_one(5, Tensor))
    g: Any = field(default=None, metadata=_one(6, lambda data: read(Graph, data)))
    floats: list[Any] = field(default_factory=list, metadata=_many(7, memoryview))
    ints: list[int] = field(default_factory=list, metadata=_ints(8))
    strings: list[bytes] = field(default_factory=list, metadata=_many(9, bytes))
    tensors: list[Tensor] = field(default_factory=list, metadata=_many(10, Tensor))
    graphs: list[Any] = field(default_factory=list, metadata=_many(11, lambda data: read(Graph, data)))
    type: int = field(default=0, metadata=_one(20, int))
    ref_attr_name: str | None = field(default=None, metadata=_one(21, _text))
    sparse_tensor: SparseTensor | None = field(default=None, metadata=_one(22, SparseTensor))


@dataclasses.dataclass
class Node:
    """NodeProto."""

    input: list[str] = field(default_factory=list, metadata=_many(1, _text))
    output: list[str] = field(default_factory=list, metadata=_many(2, _text))
    name: str = field(default="", metadata=_one(3, _text))
    op_type: str = field(default="", metadata=_one(4, _text))
    attribute: list[Attribute] = field(default_factory=list, metadata=_many(5, Attribute))
    domain: str = field(default="", metadata=_one(7, _text))
    overload: str = field(default="", metadata=_one(8, _text))


@dataclasses.dataclass
class Graph:
    """GraphProto."""

    node: list[Node] = field(default_factory=list, metadata=_many(1, Node))
    name: str = field(default="", metadata=_one(2, _text))
    initializer: list[Tensor] = field(default_factory=list, metadata=_many(5, Tensor))
    input: list[ValueInfo] = field(default_factory=list, metadata=_many(11, ValueInfo))
    output: list[ValueInfo] = field(default_factory=list, metadata=_many(12, ValueInfo))
    sparse_initializer: list[SparseTensor] = field(default_factory=list, metadata=_many(15, SparseTensor))


@dataclasses.dataclass
class OperatorSet:
    """OperatorSetIdProto."""

    domain: str = field(default="", metadata=_one(1, _text))
    version: int = field(default=0, metadata=_one(2, _signed))


@dataclasses.dataclass
class Function:
    """FunctionProto: an op that the model defines itself."""

    name: str = field(default="", metadata=_one(1, _text))
    input: list[str] = field(default_factory=list, metadata=_many(4, _text))
    output: list[str] = field(default_factory=list, metadata=_many(5, _text))
    attribute: list[str] = field(default_factory=list, metadata=_many(6, _text))
    node: list[Node] = field(default_factory=list, metadata=_many(7, Node))
    opset_import: list[OperatorSet] = field(default_factory=list, metadata=_many(9, OperatorSet))
    domain: str = field(default="", metadata=_one(10, _text))
    attribute_proto: list[Attribute] = field(default_factory=list, metadata=_many(11, Attribute))
    overload: str = field(default="", metadata=_one(13, _text))


@dataclasses.dataclass
class Model:
    """ModelProto."""

    ir_version: int = field(default=0, metadata=_one(1, int))
    producer_name: str = field(default="", metadata=_one(2, _text))
    graph: Graph | None = field(default=None, metadata=_one(7, Graph))
    opset_import: list[OperatorSet] = field(default_factory=list, metadata=_many(8, OperatorSet))
    functions: list[Function] = field(default_factory=list, metadata=_many(25, Function))
