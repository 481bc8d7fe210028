"""Tensors of a file: data lie in the message, packed for their type, or in a file beside the model, which is mapped."""

from __future__ import annotations

import math
import mmap
import os
from typing import Any

import numpy as np

from emberjit.onnx import messages
from emberjit.onnx.values import BFLOAT16, BITS, NARROW, STRING, TYPES, constant

_IN_INT32 = {2: "u1", 3: "i1", 4: "u2", 5: "i2", 6: "i4", 9: "u1", 10: "u2", BFLOAT16: "u2", **dict.fromkeys(NARROW, "u1")}
_MOST_DENSE = 1 << 31  # bytes of a sparse tensor
_SINGLE, _DOUBLE = {1: "<f4", 14: "<c8"}, {11: "<f8", 15: "<c16"}


class Files:
    """Files beside a model, mapped while it is read.

    Args:
        folder: of the model; None: it came as bytes, and there are none.
    """

    def __init__(self, folder: str | None):
        self._folder = folder
        self._mapped: dict[str, memoryview] = {}

    def part(self, name: str, where: dict[str, str]) -> memoryview:
        """What external_data points to.

        Raises:
            ValueError: it lies outside the folder or the file.
            OSError: the file cannot be read.
        """
        if self._folder is None:
            raise ValueError(f"tensor '{name}' lies in a file of its own: give the model's path instead of its bytes")
        path = os.path.join(self._folder, where.get("location", ""))
        root = os.path.realpath(self._folder)
        if os.path.commonpath([root, os.path.realpath(path)]) != root:
            raise ValueError(f"tensor '{name}' lies in '{path}', outside the model's folder")
        data = self._map(path)
        try:
            start, size = int(where.get("offset", 0)), int(where.get("length", -1))
        except ValueError:
            raise ValueError(f"tensor '{name}' lies at a damaged place: {where}") from None
        end = len(data) if size < 0 else start + size
        if not 0 <= start <= end <= len(data):
            raise ValueError(f"tensor '{name}' lies at {start} .. {end} of '{path}', which has {len(data)} bytes")
        return data[start:end]

    def _map(self, path: str) -> memoryview:
        if path not in self._mapped:
            with open(path, "rb") as file:
                empty = os.fstat(file.fileno()).st_size == 0
                self._mapped[path] = memoryview(b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return self._mapped[path]


def value(message: messages.Tensor, files: Files) -> Any:
    """A tensor as a value that does not change.

    Raises:
        ValueError: it is damaged.
        NotImplementedError: it is of a type that there is no Tensor of.
    """
    kind = message.data_type
    if kind == STRING or not (kind in TYPES or kind in NARROW):
        raise NotImplementedError(f"tensor '{message.name}' is of the type {kind} of onnx.proto, which emberjit has not")
    if any(n < 0 for n in message.dims):
        raise ValueError(f"tensor '{message.name}' has the shape {message.dims}")
    count = math.prod(message.dims)
    flat = _elements(message, count, files)
    if flat.size != count:
        raise ValueError(f"tensor '{message.name}' of shape {message.dims} has {flat.size} elements")
    return constant(flat.reshape(message.dims), kind)


def _elements(message: messages.Tensor, count: int, files: Files) -> np.ndarray[Any, Any]:
    kind = message.data_type
    raw = message.raw_data
    if message.data_location == 1:
        raw = files.part(message.name, {entry.key: entry.value for entry in message.external_data})
    if raw is not None:
        return _of_bytes(message, raw, count)
    if kind in _SINGLE or kind in _DOUBLE:
        parts = message.float_data if kind in _SINGLE else message.double_data
        return np.frombuffer(b"".join(parts), {**_SINGLE, **_DOUBLE}[kind])
    if kind in _IN_INT32:
        if kind in NARROW and BITS[NARROW[kind]] < 8:
            return _unpacked(np.array(message.int32_data, np.int64).astype(np.uint8), BITS[NARROW[kind]], count)
        array = np.array(message.int32_data, np.int64).astype(_IN_INT32[kind])
        return array.view(np.float16) if kind == 10 else array != 0 if kind == 9 else array
    numbers = message.int64_data if kind == 7 else message.uint64_data
    return np.array([n & (1 << 64) - 1 for n in numbers], np.uint64).astype({7: "i8", 12: "u4", 13: "u8"}[kind])


def _of_bytes(message: messages.Tensor, raw: memoryview, count: int) -> np.ndarray[Any, Any]:
    kind = message.data_type
    bits = BITS[NARROW[kind]] if kind in NARROW else 8
    if bits < 8:
        return _unpacked(np.frombuffer(raw, np.uint8), bits, count)
    known = {**_IN_INT32, **_SINGLE, **_DOUBLE, 7: "<i8", 10: "<f2", 12: "<u4", 13: "<u8"}
    try:
        array = np.frombuffer(raw, known[kind])
        return array != 0 if kind == 9 else array
    except ValueError:
        raise ValueError(f"tensor '{message.name}' of shape {message.dims} has {len(raw)} bytes") from None


def _unpacked(data: np.ndarray[Any, Any], bits: int, count: int) -> np.ndarray[Any, Any]:
    """Codes of several to a byte, the first in the lowest bits."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    codes = ((data[:, None] >> shifts) & ((1 << bits) - 1)).reshape(-1)
    return codes[:count] if codes.size - count < 8 // bits else codes


def sparse(message: messages.SparseTensor, files: Files) -> Any:
    """A sparse tensor as a dense one.

    Raises:
        ValueError: it is damaged.
    """
    if message.values is None or message.indices is None:
        raise ValueError("a sparse tensor has no values or no indices")
    values = _elements(message.values, math.prod(message.values.dims), files)
    indices = _elements(message.indices, math.prod(message.indices.dims), files).reshape(message.indices.dims)
    if math.prod(message.dims) * values.itemsize > _MOST_DENSE:
        raise NotImplementedError(f"a sparse tensor of shape {message.dims} is too large to be made dense")
    dense = np.zeros(message.dims, values.dtype)
    try:
        dense[tuple(indices.T) if indices.ndim == 2 else np.unravel_index(indices, dense.shape)] = values
    except (IndexError, ValueError) as error:
        raise ValueError(f"a sparse tensor's indices do not fit its shape {message.dims}: {error}") from None
    return constant(dense, message.values.data_type)
