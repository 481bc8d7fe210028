"""TextTransform: the base of operations of strings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from emberjit.checks import check_bool
from emberjit.dataset.transforms.transform import Transform

Span = tuple[int, int]


class TextTransform(Transform):
    """An operation of arrays of strings. Bytes are taken as UTF-8."""

    def as_input(self, value: Any) -> Any:
        array = super().as_input(value)
        if array.dtype.kind == "S":
            array = np.char.decode(array, "utf-8")
        if array.dtype.kind != "U":
            raise self.refuse(f"a value must be of strings, but is of {array.dtype}")
        return array


class OfOneString(TextTransform):
    """An operation of one string."""

    def as_input(self, value: Any) -> Any:
        array = super().as_input(value)
        if array.ndim:
            raise self.refuse(f"a value must be one string, but is of shape {list(array.shape)}")
        return str(array)


def strings(values: Iterable[str]) -> Any:
    """An array of one axis."""
    return np.asarray(list(values) or [""], np.str_)


class Tokenizer(OfOneString):
    """An operation that gives the parts of a string, and perhaps where they begin and end, in bytes of UTF-8, uint32.

    Args:
        with_offsets: whether it does.
    """

    def __init__(self, with_offsets: bool = False):

        self.with_offsets = check_bool(type(self).__name__, "with_offsets", with_offsets)

    def apply(self, text: str) -> Any:
        text = self.normal(text)
        spans = self.spans(text) or [(0, 0)]
        tokens = strings(text[start:end] for start, end in spans)
        return (tokens, *offsets(text, spans)) if self.with_offsets else tokens

    def normal(self, text: str) -> str:
        """The string that is taken apart."""
        return text

    def spans(self, text: str) -> list[Span]:
        """Where parts begin and end, in characters."""
        raise NotImplementedError


def offsets(text: str, spans: list[Span]) -> tuple[Any, Any]:
    """Where spans begin and end, in bytes of UTF-8."""
    places = np.cumsum([0, *(len(character.encode()) for character in text)])
    starts, ends = ([span[k] for span in spans] for k in range(2))
    return places[starts].astype(np.uint32), places[ends].astype(np.uint32)
