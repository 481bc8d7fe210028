"""TFRecord files, of summaries and of datasets: records of a length of 8 bytes, its checksum, data, and the data's checksum,
each a masked CRC-32C (tensorflow.org/tutorials/load_data/tfrecord)."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

HEAD, FOOT = 12, 4
_POLYNOMIAL = 0x82F63B78  # of CRC-32C, reflected


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
        table.append(byte)
    return table


_TABLE = _crc_table()


def masked_crc(data: Any) -> Any:
    """The CRC-32C of bytes, as TFRecord has it: rotated, and with a constant added; of the columns of an array of uint32
    bytes, of shape (length, N), an array."""
    table = np.asarray(_TABLE, np.uint32) if isinstance(data, np.ndarray) else _TABLE
    crc: Any = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def framed(data: bytes) -> bytes:
    """A record of bytes."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


def damaged(heads: bytes) -> Any:
    """Which of some heads, one after the other, have a length that its checksum is not of."""
    octets = np.frombuffer(heads, np.uint8).reshape(-1, HEAD)
    found = octets[:, 8:].copy().view("<u4")[:, 0]
    return np.flatnonzero(masked_crc(octets[:, :8].T.astype(np.uint32)) != found)
