"""Operations of strings, and of arrays of words."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.sources.schema import numpy_type
from emberjit.dataset.text.jieba import JiebaTokenizer
from emberjit.dataset.text.kinds import NormalizeForm
from emberjit.dataset.text.sentence_piece import SentencePieceTokenizer
from emberjit.dataset.text.tokenizers import (
    BasicTokenizer,
    BertTokenizer,
    PythonTokenizer,
    RegexTokenizer,
    UnicodeCharTokenizer,
    UnicodeScriptTokenizer,
    WhitespaceTokenizer,
    WordpieceTokenizer,
    normalized,
)
from emberjit.dataset.text.transform import TextTransform, strings
from emberjit.dataset.text.vectors import ToVectors
from emberjit.dataset.text.vocab import Lookup
from emberjit.dataset.transforms.transform import Transform
from emberjit.dataset.values import Array

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "FilterWikipediaXML",
    "JiebaTokenizer",
    "Lookup",
    "Ngram",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SentencePieceTokenizer",
    "SlidingWindow",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
]
_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


class _OfEach(TextTransform):
    def apply(self, array: Array) -> Any:
        changed = [self.changed(text) for text in array.ravel().tolist()]
        return np.asarray(changed, np.str_).reshape(array.shape)

    def changed(self, text: str) -> str:
        """The operation of a string."""
        raise NotImplementedError


class CaseFold(_OfEach):
    """Letters made small, so that strings compare without case."""

    def changed(self, text: str) -> str:
        return text.casefold()


class NormalizeUTF8(_OfEach):
    """A form of Unicode.

    Raises:
        TypeError: normalize_form is no NormalizeForm.
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC):
        self.form = check_instance("NormalizeUTF8", "normalize_form", normalize_form, NormalizeForm)

    def changed(self, text: str) -> str:
        return normalized(text, self.form)


class RegexReplace(_OfEach):
    """Matches of a pattern replaced.

    Args:
        pattern: as of the module re.
        replace: what comes in their place, in which $1 stands for a group.
        replace_all: whether all matches are; else the first.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: it is no pattern, when called.
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True):
        self.pattern = check_instance("RegexReplace", "pattern", pattern, str)
        text = check_instance("RegexReplace", "replace", replace, str).replace("\\", "\\\\")
        self.replace = re.sub(r"\$(\d)", r"\\g<\1>", text)
        self.count = 0 if check_bool("RegexReplace", "replace_all", replace_all) else 1

    def changed(self, text: str) -> str:
        try:
            return re.sub(self.pattern, self.replace, text, count=self.count)
        except re.error as error:
            raise self.refuse(f"{self.pattern!r} is no pattern for {self.replace!r}: {error}") from None


class FilterWikipediaXML(_OfEach):
    """A line of Wikipedia's XML as small letters and single spaces, digits as words."""

    def changed(self, text: str) -> str:
        text = re.sub(r"<.*>|&.*?;", "", text.lower())
        text = re.sub(r"\d", lambda match: f" {_DIGITS[int(match.group())]} ", text)
        return re.sub(r"[^a-z]+", " ", text).strip()


class AddToken(TextTransform):
    """A word before the others, or after.

    Raises:
        TypeError: an argument is of a wrong type.
    """

    def __init__(self, token: str, begin: bool = True):
        self.token = check_instance("AddToken", "token", token, str)
        self.begin = check_bool("AddToken", "begin", begin)

    def apply(self, array: Array) -> Any:
        if array.ndim not in (1, 2):
            raise self.refuse(f"words must be of one or two axes, but are of shape {list(array.shape)}")
        token = np.full((*array.shape[:-1], 1), self.token)
        return np.concatenate([token, array] if self.begin else [array, token], -1)


class Ngram(TextTransform):
    """Runs of n words as one.

    Args:
        n: how many words, or several numbers.
        left_pad, right_pad: a word, and how many of it there are at most at the ends, less than n.
        separator: what is between words.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: n is below 1, or a number of paddings negative.
    """

    def __init__(self, n: Any, left_pad: Any = ("", 0), right_pad: Any = ("", 0), separator: str = " "):
        self.lengths = [check_int32("Ngram", "n", length, 1) for length in (n if isinstance(n, list) else [n])]
        for name, pad in (("left_pad", left_pad), ("right_pad", right_pad)):
            if len(check_instance("Ngram", name, pad, tuple)) != 2:
                raise ValueError(f"For 'Ngram', '{name}' must be a word and a number, but got {pad}.")
            check_instance("Ngram", name, pad[0], str)
            check_int32("Ngram", name, pad[1])
        self.left, self.right = left_pad, right_pad
        self.separator = check_instance("Ngram", "separator", separator, str)

    def apply(self, array: Array) -> Any:
        if array.ndim != 1:
            raise self.refuse(f"words must be of one axis, but are of shape {list(array.shape)}")
        ngrams = []
        for length in self.lengths:
            (left, before), (right, after) = self.left, self.right
            words = [left] * min(before, length - 1) + array.tolist() + [right] * min(after, length - 1)
            ngrams += [self.separator.join(words[k : k + length]) for k in range(len(words) - length + 1)] or [""]
        return strings(ngrams)


class SlidingWindow(Transform):
    """Runs of width elements, of shape (N - width + 1, width).

    Raises:
        TypeError: an argument is no int.
        ValueError: width is below 1.
        RuntimeError: an array is not of one axis.
    """

    def __init__(self, width: int, axis: int = 0):
        self.width = check_int32("SlidingWindow", "width", width, 1)
        self.axis = check_int32("SlidingWindow", "axis", axis, -1)

    def apply(self, array: Array) -> Any:
        if array.ndim != 1 or self.axis > 0:
            raise self.refuse(f"an array must be of one axis, its {self.axis}, but is of shape {list(array.shape)}")
        if len(array) < self.width:
            return array[:0]
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


class ToNumber(TextTransform):
    """The numbers that strings show.

    Raises:
        TypeError: data_type is no dtype of numbers.
        RuntimeError: a string shows none of it, when called.
    """

    def __init__(self, data_type: Any):
        if isinstance(data_type, str):
            raise TypeError(f"For 'ToNumber', 'data_type' must be a dtype, but got {data_type!r}.")
        self.data_type = numpy_type("ToNumber", "data_type", data_type)
        if self.data_type.kind not in "iuf":
            raise TypeError(f"For 'ToNumber', 'data_type' must be of numbers, but got {data_type}.")

    def apply(self, array: Array) -> Any:
        numbers = [self._number(text.strip()) for text in array.ravel().tolist()]
        return np.asarray(numbers, self.data_type).reshape(array.shape)

    def _number(self, text: str) -> Any:
        try:
            if self.data_type.kind == "f":
                return float(text)
            number = int(text) if re.fullmatch(r"[+-]?\d+", text) else int(float(text))
        except (ValueError, OverflowError):
            raise self.refuse(f"{text!r} shows no number") from None
        bounds = np.iinfo(self.data_type)
        if not bounds.min <= number <= bounds.max:
            raise self.refuse(f"{text!r} is beyond {self.data_type}")
        return number


class Truncate(Transform):
    """The first elements of the last axis.

    Raises:
        TypeError: max_seq_len is no int.
        ValueError: it is negative.
    """

    def __init__(self, max_seq_len: int):
        self.most = check_int32("Truncate", "max_seq_len", max_seq_len)

    def apply(self, array: Array) -> Any:
        if array.ndim not in (1, 2):
            raise self.refuse(f"an array must be of one or two axes, but is of shape {list(array.shape)}")
        return array[..., : self.most]


class TruncateSequencePair(Transform):
    """Two arrays of one axis of max_length elements together: of the longer one the last are left out.

    Raises:
        TypeError: max_length is no int.
        ValueError: it is negative.
    """

    def __init__(self, max_length: int):
        self.most = check_int32("TruncateSequencePair", "max_length", max_length)

    def __call__(self, *values: Any) -> Any:
        arrays = [self.as_input(value) for value in values]
        if len(arrays) != 2 or any(array.ndim != 1 for array in arrays):
            raise self.refuse(f"there must be two arrays of one axis, but got shapes {[list(a.shape) for a in arrays]}")
        first, second = (len(array) for array in arrays)
        while first + second > self.most:
            first, second = (first - 1, second) if first > second else (first, second - 1)
        return arrays[0][:first], arrays[1][:second]
