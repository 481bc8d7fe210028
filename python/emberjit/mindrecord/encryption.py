"""Encryption of MindRecord files, of which there is none: what asks for none is accepted."""

from __future__ import annotations

from typing import Any

_MODES = ("AES-GCM", "AES-CBC", "SM4-CBC")


def set_enc_key(enc_key: str | None) -> None:
    """The key of files; None: they are not encrypted.

    Raises:
        RuntimeError: a key is given.
    """
    if enc_key is not None:
        raise RuntimeError("For 'set_enc_key', 'enc_key' must be None: emberjit does not encrypt MindRecord files.")


def _checked(where: str, name: str, mode: Any) -> None:
    if not callable(mode) and mode not in _MODES:
        raise ValueError(f"For '{where}', '{name}' must be a function or one of {_MODES}, but got {mode!r}.")


def set_enc_mode(enc_mode: Any = "AES-GCM") -> None:
    """How files would be encrypted with a key.

    Raises:
        ValueError: it is no mode.
    """
    _checked("set_enc_mode", "enc_mode", enc_mode)


def set_dec_mode(dec_mode: Any = "AES-GCM") -> None:
    """How files would be decrypted with a key.

    Raises:
        ValueError: it is no mode.
    """
    _checked("set_dec_mode", "dec_mode", dec_mode)
