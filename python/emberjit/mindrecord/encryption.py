"""Encryption of MindRecord files, of which there is none: what asks for none is accepted."""

from __future__ import annotations

from typing import Any

_MODES = ("AES-GCM", "AES-CBC", "SM4-CBC")


def set_enc_key(enc_key: str | None) -> None:
    """Sets the key that MindRecord files are encrypted with. There is no encryption here, so that it can be None alone.

    Args:
        enc_key: None: files are not encrypted.

    Raises:
        RuntimeError: a key is given.

    Examples:
        >>> ms.mindrecord.set_enc_key(None)
        >>> ms.mindrecord.set_enc_key("0123456789012345")
        Traceback (most recent call last):
            ...
        RuntimeError: For 'set_enc_key', 'enc_key' must be None: emberjit does not encrypt MindRecord files.
    """
    if enc_key is not None:
        raise RuntimeError("For 'set_enc_key', 'enc_key' must be None: emberjit does not encrypt MindRecord files.")


def _checked(where: str, name: str, mode: Any) -> None:
    if not callable(mode) and mode not in _MODES:
        raise ValueError(f"For '{where}', '{name}' must be a function or one of {_MODES}, but got {mode!r}.")


def set_enc_mode(enc_mode: Any = "AES-GCM") -> None:
    """Checks the name of a cipher that MindRecord files would be encrypted by with a key; as there is no key, it does
    nothing else.

    Args:
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC", or a function that encrypts.

    Raises:
        ValueError: it is neither.

    Examples:
        >>> ms.mindrecord.set_enc_mode("AES-CBC")
        >>> ms.mindrecord.set_enc_mode("ROT13")
        Traceback (most recent call last):
            ...
        ValueError: For 'set_enc_mode', 'enc_mode' must be a function or one of ('AES-GCM', 'AES-CBC', ...
    """
    _checked("set_enc_mode", "enc_mode", enc_mode)


def set_dec_mode(dec_mode: Any = "AES-GCM") -> None:
    """Checks the name of a cipher that MindRecord files would be decrypted by with a key; as there is no key, it does
    nothing else.

    Args:
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC", or a function that decrypts.

    Raises:
        ValueError: it is neither.

    Examples:
        >>> ms.mindrecord.set_dec_mode("AES-CBC")
        >>> ms.mindrecord.set_dec_mode("ROT13")
        Traceback (most recent call last):
            ...
        ValueError: For 'set_dec_mode', 'dec_mode' must be a function or one of ('AES-GCM', 'AES-CBC', ...
    """
    _checked("set_dec_mode", "dec_mode", dec_mode)
