"""How MindRecord files hold values: scalars of a row as a MessagePack map, arrays of int32 and int64 with each element in as
few bytes as it needs."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

_UNSIGNED = ((0xCC, 1 << 8, ">B"), (0xCD, 1 << 16, ">H"), (0xCE, 1 << 32, ">I"), (0xCF, 1 << 64, ">Q"))
_SIGNED = ((0xD0, 1 << 7, ">b"), (0xD1, 1 << 15, ">h"), (0xD2, 1 << 31, ">i"), (0xD3, 1 << 63, ">q"))
_FORMATS = {code: form for code, _, form in (*_UNSIGNED, *_SIGNED)} | {0xCA: ">f", 0xCB: ">d"}
_LENGTHS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDE: ">H", 0xDF: ">I"}
_WIDTHS = np.asarray([1, 2, 4, 8])


def _pack_int(value: int) -> bytes:
    if 0 <= value < 128:
        return bytes([value])
    if -32 <= value < 0:
        return bytes([256 + value])
    for code, limit, form in _UNSIGNED if value >= 0 else _SIGNED:
        if (value < limit) if value >= 0 else (-limit <= value):
            return bytes([code]) + struct.pack(form, value)
    raise ValueError(f"the integer {value} is beyond 64 bits")


def _pack_head(length: int, short: int, most: int, codes: tuple[int, ...]) -> bytes:
    if length < most:
        return bytes([short | length])
    for code in codes:
        if length < 1 << (8 * struct.calcsize(_LENGTHS[code])):
            return bytes([code]) + struct.pack(_LENGTHS[code], length)
    raise ValueError(f"the length {length} is beyond 32 bits")


def _pack(value: Any) -> bytes:
    if isinstance(value, str):
        text = value.encode()
        return _pack_head(len(text), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + text
    if isinstance(value, float):
        with np.errstate(over="ignore"):
            single = np.float32(value)
        return b"\xca" + struct.pack(">f", single) if float(single) == value else b"\xcb" + struct.pack(">d", value)
    return _pack_int(value)


def pack_map(values: dict[str, Any]) -> bytes:
    """A map of str to int, float and str, keys in their order."""
    head = _pack_head(len(values), 0x80, 16, (0xDE, 0xDF))
    return head + b"".join(_pack(name) + _pack(values[name]) for name in sorted(values))


def _unpack(data: bytes, at: int) -> tuple[Any, int]:
    code = data[at]
    at += 1
    if code < 0x80 or code >= 0xE0:
        return code if code < 0x80 else code - 256, at
    if code in _FORMATS:
        size = struct.calcsize(_FORMATS[code])
        return struct.unpack(_FORMATS[code], data[at : at + size])[0], at + size
    if 0xA0 <= code < 0xC0 or code in (0xD9, 0xDA, 0xDB):
        length = code & 0x1F
        if code >= 0xD9:
            size = struct.calcsize(_LENGTHS[code])
            length, at = struct.unpack(_LENGTHS[code], data[at : at + size])[0], at + size
        if at + length > len(data):
            raise IndexError
        return data[at : at + length].decode(), at + length
    raise ValueError(f"the byte {code:#x} is no value of a row")


def unpack_map(data: bytes) -> dict[str, Any]:
    """The map of its bytes.

    Raises:
        ValueError: they are of none.
    """
    try:
        code, at = data[0], 1
        if code in (0xDE, 0xDF):
            size = struct.calcsize(_LENGTHS[code])
            count, at = struct.unpack(_LENGTHS[code], data[1 : 1 + size])[0], 1 + size
        elif 0x80 <= code < 0x90:
            count = code & 0x0F
        else:
            raise ValueError(f"the byte {code:#x} begins no row")
        fields = {}
        for _ in range(count):
            name, at = _unpack(data, at)
            fields[name], at = _unpack(data, at)
    except (IndexError, UnicodeDecodeError, struct.error):
        raise ValueError("a row ends too soon") from None
    return fields


def pack_ints(array: np.ndarray[Any, Any]) -> bytes:
    """The elements of an array of ints: how many, two bits each for 1, 2, 4 or 8 bytes, and those bytes."""
    values = np.ascontiguousarray(array, "<i8").ravel()
    limits = np.asarray([1 << 7, 1 << 15, 1 << 31], np.int64)
    kinds = ((values[:, None] >= limits) | (values[:, None] < -limits)).sum(1)
    padded = np.concatenate([kinds, np.zeros(-len(kinds) % 4, kinds.dtype)]).reshape(-1, 4).astype(np.uint8)
    bits = padded[:, 0] << 6 | padded[:, 1] << 4 | padded[:, 2] << 2 | padded[:, 3]
    used = np.arange(8) < _WIDTHS[kinds][:, None]
    packed: bytes = values.view(np.uint8).reshape(-1, 8)[used].tobytes()
    return struct.pack(">I", len(values)) + bits.tobytes() + packed


def unpack_ints(data: bytes, dtype: Any) -> Any:
    """The elements, in one axis.

    Raises:
        ValueError: the bytes are of none.
    """
    count = struct.unpack(">I", data[:4])[0] if len(data) >= 4 else -1
    bits = np.frombuffer(data, np.uint8, offset=4)[: -(-count // 4)] if count > 0 else np.zeros(0, np.uint8)
    kinds = np.stack([bits >> 6, bits >> 4 & 3, bits >> 2 & 3, bits & 3], 1).ravel()[: max(count, 0)]
    widths = _WIDTHS[kinds]
    if count < 0 or 4 + len(bits) + widths.sum() != len(data):
        raise ValueError("an array of integers is not of its length")
    packed = np.frombuffer(data, np.uint8, offset=4 + len(bits))
    padded = np.zeros((count, 8), np.uint8)
    padded[np.arange(8) < widths[:, None]] = packed
    values = padded.view("<i8").ravel()
    shift = (64 - 8 * widths).astype(np.int64)
    return ((values << shift) >> shift).astype(dtype)  # the sign
