"""Encryption of checkpoints as MindSpore's, by the package cryptography: the extra emberjit[encryption].

A file is a row of blocks, each: the mode's mark, of AES-GCM the tag, the length of what follows, and the lengths and bytes
of the initial vector (of which AES-GCM uses 12 bytes) and of the ciphertext.
"""

from __future__ import annotations

import importlib
import os
import struct
from collections.abc import Iterable
from typing import Any

from emberjit.checks import check_choice, check_instance

MODES = "AES-GCM", "AES-CBC", "SM4-CBC"
_MARKS = {mode: struct.pack("<I", 0x7F3A5ED8 + i) for i, mode in enumerate(MODES)}
_BLOCK = 64 << 20
_VECTOR = 16


def is_encrypted(content: bytes) -> bool:
    """Whether a file begins as an encrypted one."""
    return content[:4] in _MARKS.values()


def check(function: str, key_name: str, key: Any, mode_name: str, mode: Any) -> None:
    """Refuses invalid keys and unknown modes.

    Raises:
        TypeError: the key is no bytes, or the mode no str.
        ValueError: the key has another length, or there is no such mode.
    """
    check_instance(function, mode_name, mode, str)
    check_choice(function, mode_name, mode, *MODES)
    if key is None:
        return
    if not isinstance(key, bytes):
        raise TypeError(f"For '{function}', '{key_name}' must be bytes, but got {type(key)}.")
    lengths = (16,) if mode == "SM4-CBC" else (16, 24, 32)
    if len(key) not in lengths:
        raise ValueError(f"For '{function}', '{key_name}' must have {lengths} bytes, but has {len(key)}.")


def _cipher(key: bytes, mode: str, vector: bytes, tag: bytes | None) -> Any:
    package = "cryptography.hazmat.primitives.ciphers"
    try:
        ciphers, algorithms, modes = map(importlib.import_module, (package, f"{package}.algorithms", f"{package}.modes"))
    except ImportError:
        raise ImportError(
            "Encrypted checkpoints need the package cryptography: pip install 'emberjit[encryption]'"
        ) from None
    algorithm = algorithms.SM4 if mode == "SM4-CBC" else algorithms.AES
    return ciphers.Cipher(algorithm(key), modes.GCM(vector[:12], tag) if mode == "AES-GCM" else modes.CBC(vector))


def encrypted(parts: Iterable[bytes], key: bytes, mode: str) -> list[bytes]:
    """The parts of the encrypted file."""
    plain, blocks = b"".join(parts), []
    for start in range(0, len(plain), _BLOCK):
        block, vector = plain[start : start + _BLOCK], os.urandom(_VECTOR)
        cipher = _cipher(key, mode, vector, None).encryptor()
        if mode == "AES-GCM":
            text = cipher.update(block) + cipher.finalize()
            head = _MARKS[mode] + cipher.tag
        else:
            padding = _VECTOR - len(block) % _VECTOR
            text = cipher.update(block + bytes([padding]) * padding) + cipher.finalize()
            head = _MARKS[mode]
        body = struct.pack("<I", _VECTOR) + vector + struct.pack("<I", len(text))
        blocks += [head + struct.pack("<I", len(body) + len(text)) + body, text]
    return blocks


def decrypted(content: bytes, key: bytes, mode: str) -> bytes:
    """The decrypted content.

    Raises:
        ValueError: it was encrypted by another mode or key, or is damaged.
    """
    plain, at = [], 0
    tag_size = 16 if mode == "AES-GCM" else 0
    while at < len(content):
        if content[at : at + 4] != _MARKS[mode]:
            raise ValueError(f"a block is not one of {mode}")
        tag = content[at + 4 : at + 4 + tag_size]
        at += 4 + tag_size
        try:
            length, vector_size = struct.unpack_from("<II", content, at)
            vector = content[at + 8 : at + 8 + vector_size]
            (size,) = struct.unpack_from("<I", content, at + 8 + vector_size)
        except struct.error:
            raise ValueError("a block is cut off") from None
        begin = at + 12 + vector_size
        text = content[begin : begin + size]
        if vector_size != _VECTOR or length != size + 8 + vector_size or len(text) != size:
            raise ValueError("a block is cut off, or its lengths are wrong")
        plain.append(_block(text, key, mode, vector, tag))
        at = begin + size
    return b"".join(plain)


def _block(text: bytes, key: bytes, mode: str, vector: bytes, tag: bytes) -> bytes:
    cipher = _cipher(key, mode, vector, tag).decryptor()
    try:
        plain: bytes = cipher.update(text) + cipher.finalize()
    except Exception as error:
        raise ValueError(f"it was encrypted with another key, or is damaged ({type(error).__name__})") from None
    if mode == "AES-GCM":
        return plain
    padding = plain[-1] if plain else 0
    if not 1 <= padding <= _VECTOR or plain[-padding:] != bytes([padding]) * padding:
        raise ValueError("it was encrypted with another key, or is damaged")
    return plain[:-padding]
