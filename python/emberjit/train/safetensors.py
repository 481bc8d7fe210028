"""Checkpoints in the safetensors format: a length, a JSON header, and the bytes of the tensors.

Format: https://github.com/huggingface/safetensors (header of at most 100 MB; offsets that cover the data without gaps).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.train.file_part import Content, pieces

_NAMES = {
    core.bool_: "BOOL",
    core.int8: "I8",
    core.int16: "I16",
    core.int32: "I32",
    core.int64: "I64",
    core.uint8: "U8",
    core.uint16: "U16",
    core.uint32: "U32",
    core.uint64: "U64",
    core.float16: "F16",
    core.bfloat16: "BF16",
    core.float32: "F32",
    core.float64: "F64",
    core.complex64: "C64",
    core.complex128: "C128",
    core.float8_e4m3fn: "F8_E4M3",
    core.float8_e5m2: "F8_E5M2",
    core.int4: "I4",
}


def encode(named: Iterable[tuple[str, Any]], checksum: bool = False, metadata: dict[str, str] | None = None) -> list[bytes]:
    """The parts of a file of (name, Tensor), and of texts by name.

    Raises:
        ValueError: a name is reserved.
        TypeError: a value is a str, which the format cannot hold.
    """
    header: dict[str, Any] = {}
    chunks: dict[str, bytes] = {}
    offset = 0
    for name, value in named:
        if name == "__metadata__":
            raise ValueError(f"For 'save_checkpoint', the name '{name}' is reserved.")
        if isinstance(value, str):
            raise TypeError(f"For 'save_checkpoint', '{name}' is a str, which safetensors cannot hold: use format='ckpt'.")
        data = chunks[name] = value.get_bytes()
        place = [offset, offset + len(data)]
        header[name] = {"dtype": _NAMES[value.dtype], "shape": list(value.shape), "data_offsets": place}
        offset += len(data)
    texts = {"format": "ms"} | (metadata or {}) | ({"crc_num": str(_checksum(chunks))} if checksum else {})
    text = json.dumps({"__metadata__": texts, **header}).encode()
    text += b" " * (-len(text) % 8)
    return [len(text).to_bytes(8, "little"), text, *chunks.values()]


def packed(named: dict[str, Any]) -> Any:
    """Tensors by name as one Tensor of bytes."""
    return core.Tensor(np.frombuffer(b"".join(encode(named.items())), np.uint8))


def unpacked(tensor: core.Tensor) -> dict[str, Any]:
    """The Tensors of packed()."""
    return decode(memoryview(tensor.get_bytes()), lambda name: True)[1]


def _checksum(data: dict[str, bytes]) -> int:
    """CRC-32 of names and bytes, by name."""
    checksum = 0
    for name in sorted(data):
        checksum = zlib.crc32(data[name], zlib.crc32(name.encode(), checksum))
    return checksum


def _head(content: Content) -> bytes:
    """The length and the header, as far as they are there; the largest header that is read has 100 MB."""
    size = int.from_bytes(bytes(content[:8]), "little")
    return bytes(content[: 8 + min(size, 100_000_000)])


def decode(content: Content, predicate: Callable[[str], bool]) -> tuple[list[str], dict[str, Any]]:
    """The names in a file, a memoryview or FilePart, and the Tensors whose names predicate selects.

    Raises:
        ValueError: it is no such file, or a damaged one; the message says what is wrong.
    """
    entries = core.read_safetensors(_head(content), len(content))
    return [name for name, *_ in entries], {
        name: core.tensor_from_bytes(dtype, shape, bytes(content[start:end]))
        for name, dtype, shape, start, end in entries
        if predicate(name)
    }


def metadata(content: Content) -> dict[str, str]:
    """The metadata of a file that decode() accepted."""
    texts: dict[str, str] = json.loads(_head(content)[8:]).get("__metadata__", {})
    return texts


def checksums(content: Content) -> tuple[int | None, int]:
    """The checksum in a file that decode() accepted, if it has one, and the checksum of its content."""
    stored, checksum = metadata(content).get("crc_num"), 0
    for name, _, _, start, end in sorted(core.read_safetensors(_head(content), len(content)), key=lambda entry: entry[0]):
        checksum = zlib.crc32(name.encode(), checksum)
        for piece in pieces(content[start:end]):
            checksum = zlib.crc32(piece, checksum)
    return (int(stored) if stored and stored.isdigit() else None), checksum
