"""Vocabularies and conversions of strings, under the name that MindSpore has them by."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.checks import check_instance
from emberjit.dataset.text.kinds import (
    JiebaMode,
    NormalizeForm,
    SentencePieceModel,
    SPieceTokenizerLoadType,
    SPieceTokenizerOutType,
)
from emberjit.dataset.text.sentence_piece import SentencePieceVocab
from emberjit.dataset.text.vectors import CharNGram, FastText, GloVe, Vectors
from emberjit.dataset.text.vocab import Vocab

__all__ = [
    "CharNGram",
    "FastText",
    "GloVe",
    "JiebaMode",
    "NormalizeForm",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceVocab",
    "Vectors",
    "Vocab",
    "to_bytes",
    "to_str",
]


def to_str(array: Any, encoding: str = "utf8") -> Any:
    """An array of bytes as strings.

    Args:
        array: the array.
        encoding: the name of the encoding, as of bytes.decode().

    Returns:
        An array of str, of the same shape.

    Raises:
        TypeError: array is no array.

    Examples:
        >>> text.to_str(np.array([b"a", b"bc"]))
        array(['a', 'bc'], dtype='<U2')
    """
    return np.char.decode(check_instance("to_str", "array", array, np.ndarray), encoding)


def to_bytes(array: Any, encoding: str = "utf8") -> Any:
    """An array of strings as bytes.

    Args:
        array: the array.
        encoding: the name of the encoding, as of str.encode().

    Returns:
        An array of bytes, of the same shape.

    Raises:
        TypeError: array is no array.

    Examples:
        >>> text.to_bytes(np.array(["a", "bc"]))
        array([b'a', b'bc'], dtype='|S2')
    """
    return np.char.encode(check_instance("to_bytes", "array", array, np.ndarray), encoding)
