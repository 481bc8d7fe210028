"""The wire format of protocol buffers (protobuf.dev/programming-guides/encoding): a message is a row of fields, each a
number and a varint, 8 or 4 bytes, or bytes after their length."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_SIZES = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}


def varint(value: int) -> bytes:
    """An int of 64 bits, seven in a byte, the lowest first."""
    value &= 0xFFFFFFFFFFFFFFFF
    octets = bytearray()
    while value > 0x7F:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    octets.append(value)
    return bytes(octets)


def head(number: int, size: int) -> bytes:
    """What comes before the bytes of a field."""
    return varint(number << 3 | _BYTES) + varint(size)


def field(number: int, value: Any) -> bytes:
    """A field of an int, a float (double), str, bytes, or an encoded message."""
    if isinstance(value, int):
        return varint(number << 3 | _VARINT) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | _EIGHT_BYTES) + struct.pack("<d", value)
    data = value.encode() if isinstance(value, str) else value
    return head(number, len(data)) + data


def single(number: int, value: float) -> bytes:
    """A field of a float32 number."""
    return varint(number << 3 | _FOUR_BYTES) + struct.pack("<f", value)


def read_varint(data: Any, at: int) -> tuple[int, int]:
    """A varint, and where it ends.

    Raises:
        ValueError: it does not end, or has more than 64 bits.
    """
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("a number is cut off")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data: Any) -> Iterator[tuple[int, Any]]:
    """The fields of a message, bytes or what has their slices: (number, int or slice).

    Raises:
        ValueError: it is none.
    """
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = read_varint(data, at)
            yield key >> 3, value
            continue
        size = _SIZES.get(kind)
        if size is None:
            if kind != _BYTES:
                raise ValueError(f"a field has the unknown wire type {kind}")
            size, at = read_varint(data, at)
        if size > len(data) - at:
            raise ValueError("a field is cut off")
        yield key >> 3, data[at : at + size]
        at += size
