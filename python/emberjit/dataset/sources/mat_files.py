"""MATLAB's files of version 5, which datasets keep labels and outlines in: a header of 128 bytes, then elements, each of a
type, a size and bytes, some of them compressed; an element of an array holds others, of its class, shape, name and values
(MathWorks, "MAT-File Format", level 5). Arrays have the dtype that they are stored with, sparse ones are made dense."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

_DTYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8", 16: "u1", 17: "u2"}
_MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _CHARS, _SPARSE = 1, 2, 4, 5
_NUMBERS = range(6, 16)
_COMPLEX = 0x0800
_DEEPEST = 32


def read(path: str) -> dict[str, Any]:
    """The variables of a file by name: arrays, str, lists of cells, and lists of dicts, of structs.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such file, or damaged, or has something of another class.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None or struct.unpack_from(f"{order}H", data, 124) != (0x0100,):
        raise ValueError(f"'{path}' is no file of MATLAB's version 5, which save -v6 and -v7 write")
    try:
        return dict(_variable(kind, body, order) for kind, body in _elements(memoryview(data)[128:], order))
    except (struct.error, IndexError, KeyError, ValueError, OverflowError, zlib.error) as error:
        raise ValueError(f"'{path}' is damaged: {type(error).__name__}: {error}") from None


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, Any]]:
    """The types and the bytes of elements."""
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from(f"{order}II", data, at)
        start, padded = at + 8, size if kind == _COMPRESSED else -(-size // 8) * 8
        if kind >> 16:  # a small one: size and type in four bytes, then four bytes of values
            kind, size, start, padded = kind & 0xFFFF, kind >> 16, at + 4, 4
        if start + size > len(data) or (padded == 4 and size > 4):
            raise IndexError(f"an element of {size} bytes ends behind what it is in")
        yield kind, data[start : start + size]
        at = start + padded


def _variable(kind: int, body: memoryview, order: str) -> tuple[str, Any]:
    if kind == _COMPRESSED:
        ((kind, body),) = _elements(memoryview(zlib.decompress(body)), order)
    if kind != _MATRIX:
        raise KeyError(f"an element of type {kind} is no variable")
    return _array(body, order, 0)


def _values(element: tuple[int, Any], order: str) -> Any:
    kind, body = element
    return np.frombuffer(body, f"{order}{_DTYPES[kind]}")


def _array(body: memoryview, order: str, depth: int) -> tuple[str, Any]:
    """The name and value of an array's element."""
    flags, lengths, named, *parts = _elements(body, order)
    kind, shape, name = int(_values(flags, order)[0]), _values(lengths, order).tolist(), bytes(named[1]).decode("ascii")
    cls = kind & 0xFF
    if kind & _COMPLEX or depth > _DEEPEST or min(shape) < 0:
        raise KeyError(f"'{name}' is complex, too deep, or of no shape")
    if cls in _NUMBERS:
        values = _values(parts[0], order)
        return name, values.astype(values.dtype.newbyteorder("=")).reshape(shape, order="F")
    if cls == _CHARS:
        return name, "".join(map(chr, _values(parts[0], order).tolist()))
    if cls == _SPARSE:
        return name, _dense([_values(part, order) for part in parts], shape)
    if cls == _CELL:
        return name, [_array(data, order, depth + 1)[1] for _, data in parts]
    if cls == _STRUCT:
        length, text = int(_values(parts[0], order)[0]), bytes(parts[1][1])
        fields = [text[at : at + length].rstrip(b"\0").decode("ascii") for at in range(0, len(text), length)]
        arrays = [_array(data, order, depth + 1)[1] for _, data in parts[2:]]
        return name, [dict(zip(fields, arrays[at : at + len(fields)])) for at in range(0, len(arrays), max(1, len(fields)))]
    raise KeyError(f"'{name}' is of class {cls}, which is not read")


def _dense(parts: list[Any], shape: list[int]) -> Any:
    """A matrix of the rows of its values, where each column's begin, and the values."""
    rows, starts, values = parts
    counts = np.diff(starts[: shape[1] + 1])
    if len(counts) != shape[1] or (counts < 0).any() or counts.sum() > min(len(rows), len(values)):
        raise IndexError("a sparse array's columns do not fit its values")
    total = int(counts.sum())
    matrix = np.zeros(shape, values.dtype.newbyteorder("="))
    matrix[rows[:total], np.repeat(np.arange(shape[1]), counts)] = values[:total]
    return matrix
