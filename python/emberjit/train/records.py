"""MindSpore's checkpoint files: a stream of protobuf messages, each with one named tensor, or with a part of a large one.

    message Checkpoint { repeated Value value = 1; }
    message Value { required string tag = 1; TensorProto tensor = 2; }
    message TensorProto { repeated int64 dims = 1; required string tensor_type = 2; required bytes tensor_content = 3; }

Messages in a row are one message. A number without axes has the dims of its shape, or [0]; a str has the type "str" and
UTF-32 as its content. A checksum may follow: "crc_num" and CRC-32 in ten bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import Any

from emberjit import _emberjit as core
from emberjit import protobuf
from emberjit.train.file_part import Content

PART = 512 << 20  # bytes of a tensor in one message; protobuf's are less than 2 GB
_CHECKSUM = b"crc_num"
_MARKED = len(_CHECKSUM) + 10

DTYPES = {
    str(dtype): dtype
    for dtype in (
        *(core.bool_, core.int8, core.int16, core.int32, core.int64, core.uint8, core.uint16, core.uint32, core.uint64),
        *(core.float16, core.bfloat16, core.float32, core.float64, core.complex64, core.complex128),
        *(core.float8_e4m3fn, core.float8_e5m2, core.int4),
    )
}


def _message(name: str, dims: Iterable[int], kind: str, content: bytes) -> list[bytes]:
    """The parts of one message; the content is not copied."""
    size = len(content)
    tensor = b"".join(protobuf.field(1, dim) for dim in dims) + protobuf.field(2, kind) + protobuf.head(3, size)
    value = protobuf.field(1, name) + protobuf.head(2, len(tensor) + size) + tensor
    return [protobuf.head(1, len(value) + size) + value, content]


def encode(named: Iterable[tuple[str, Any]], checksum: bool = False) -> list[bytes]:
    """The parts of a file of (name, Tensor or str)."""
    parts: list[bytes] = []
    for name, value in named:
        if isinstance(value, str):
            parts += _message(name, [0], "str", value.encode("utf-32-le"))
            continue
        content = value.get_bytes()
        for start in range(0, max(len(content), 1), PART):
            part = content if len(content) <= PART else content[start : start + PART]
            parts += _message(name, value.shape, str(value.dtype), part)
    if checksum:
        parts.append(_CHECKSUM + checksum_of(parts).to_bytes(10, "big"))
    return parts


def checksum_of(parts: Iterable[bytes]) -> int:
    """CRC-32 of all parts."""
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    return checksum


def _content(value: Any) -> Any:
    if isinstance(value, int):
        raise ValueError("a field is a number where bytes belong")
    return value


def _dims(value: Any) -> list[int]:
    if isinstance(value, int):
        return [value]
    packed, at = [], 0
    while at < len(value):
        dim, at = protobuf.read_varint(value, at)
        packed.append(dim)
    return packed


def _tensor(data: Content) -> tuple[list[int], str, Any]:
    dims: list[int] = []
    kind, content = None, None
    for number, value in protobuf.fields(data):
        if number == 1:
            dims += _dims(value)
        elif number == 2:
            kind = bytes(_content(value)).decode()
        elif number == 3:
            content = _content(value)
    if kind is None or content is None:
        raise ValueError("a tensor has no type or content")
    return dims, kind, content


def _value(data: Content) -> tuple[str, tuple[list[int], str, Any]]:
    name, tensor = None, None
    for number, value in protobuf.fields(data):
        if number == 1:
            name = bytes(_content(value)).decode()
        elif number == 2:
            tensor = _tensor(_content(value))
        elif number == 3:
            raise ValueError("it has a MapParameter, which emberjit does not have")
    if name is None or tensor is None:
        raise ValueError("an entry has no name or tensor")
    return name, tensor


def _decoded(name: str, dims: list[int], kind: str, parts: list[Any]) -> Any:
    content = b"".join(map(bytes, parts))
    if kind == "str":
        return content.decode("utf-32-le").rstrip("\0")
    if kind not in DTYPES:
        raise ValueError(f"'{name}' has the unknown type {kind!r}")
    shape = () if dims == [0] and content else tuple(dims)
    try:
        return core.tensor_from_bytes(DTYPES[kind], shape, content)
    except (RuntimeError, TypeError, OverflowError, MemoryError):
        raise ValueError(f"'{name}' of type {kind} and shape {shape} cannot have {len(content)} bytes") from None


def split_checksum(data: Content) -> tuple[Any, int | None]:
    """The messages of a file, a memoryview or FilePart, and its checksum if it has one."""
    if bytes(data[-_MARKED:-10]) != _CHECKSUM:
        return data, None
    return data[:-_MARKED], int.from_bytes(bytes(data[-10:]), "big")


def decode(content: Content, predicate: Callable[[str], bool]) -> tuple[list[str], dict[str, Any]]:
    """The names in a file without checksum, a memoryview or FilePart, and the Tensors and strs whose names predicate
    selects.

    Raises:
        ValueError: it is no such file, or a damaged one; the message says what is wrong.
    """
    entries: dict[str, tuple[list[int], str, list[Any]]] = {}
    for number, data in protobuf.fields(content):
        if number != 1:
            raise ValueError("it is no message of a checkpoint")
        name, (dims, kind, part) = _value(_content(data))
        entries.setdefault(name, (dims, kind, []))[2].append(part)
    return list(entries), {name: _decoded(name, *entry) for name, entry in entries.items() if predicate(name)}
