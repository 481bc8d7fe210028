"""TFRecord files, of summaries and of datasets: records of a length of 8 bytes, its checksum, data, and the data's checksum,
each a masked CRC-32C (tensorflow.org/tutorials/load_data/tfrecord)."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from emberjit import _emberjit as core

HEAD, FOOT = 12, 4


def _masked(crc: Any) -> Any:
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def masked_crc(data: Any) -> int:
    """The CRC-32C of bytes, as TFRecord has it: rotated, and with a constant added."""
    return int(_masked(core.crc32c(data, len(data))[0]))


def framed(data: bytes) -> bytes:
    """A record of bytes."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


def damaged(heads: bytes) -> Any:
    """Which of some heads, one after the other, have a length that its checksum is not of."""
    octets = np.frombuffer(heads, np.uint8).reshape(-1, HEAD)
    crcs = octets[:, 8:].copy().view("<u4")[:, 0]
    checksums = np.asarray(core.crc32c(octets[:, :8].tobytes(), 8), np.uint64)
    return np.flatnonzero(_masked(checksums) != crcs)
