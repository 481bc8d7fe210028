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
    """Letters made small, by Unicode's case folding, so that strings compare without case.

    Inputs:
        value: str of any shape.

    Returns:
        Str of the same shape.

    Raises:
        RuntimeError: it gets something else than strings.

    Examples:
        >>> text.CaseFold()(["Hello", "Straße"])
        array(['hello', 'strasse'], dtype='<U7')
    """

    def changed(self, text: str) -> str:
        return text.casefold()


class NormalizeUTF8(_OfEach):
    """Strings in a form of Unicode, so that equal ones are equal character by character (Unicode Standard Annex #15).

    Args:
        normalize_form: the form, a NormalizeForm.

    Inputs:
        value: str of any shape.

    Returns:
        Str of the same shape.

    Raises:
        TypeError: normalize_form is no NormalizeForm.
        RuntimeError: it gets something else than strings.

    Examples:
        >>> print(text.NormalizeUTF8(text.NormalizeForm.NFKC)("ﬁne ½"))
        fine 1⁄2
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC):
        self.form = check_instance("NormalizeUTF8", "normalize_form", normalize_form, NormalizeForm)

    def changed(self, text: str) -> str:
        return normalized(text, self.form)


class RegexReplace(_OfEach):
    """Replaces the matches of a pattern.

    Args:
        pattern: the pattern, as of Python's re.
        replace: what comes in their place, in which $1 to $9 stand for groups.
        replace_all: whether all matches are replaced; else the first of each string.

    Inputs:
        value: str of any shape.

    Returns:
        Str of the same shape.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: pattern is none, or has no such group, when called.

    Examples:
        >>> text.RegexReplace("([0-9]+)", "<$1>")(["a1", "22b3"])
        array(['a<1>', '<22>b<3>'], dtype='<U8')
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
    """A line of Wikipedia's XML as small letters and single spaces: without tags and entities, digits as words.

    Inputs:
        value: str of any shape.

    Returns:
        Str of the same shape.

    Raises:
        RuntimeError: it gets something else than strings.

    Examples:
        >>> print(text.FilterWikipediaXML()("<b>Page 42: Welcome!"))
        page four two welcome
    """

    def changed(self, text: str) -> str:
        text = re.sub(r"<.*>|&.*?;", "", text.lower())
        text = re.sub(r"\d", lambda match: f" {_DIGITS[int(match.group())]} ", text)
        return re.sub(r"[^a-z]+", " ", text).strip()


class AddToken(TextTransform):
    """Adds a word before or after the others.

    Args:
        token: the word.
        begin: whether it comes first; else it comes last.

    Inputs:
        words: str of (N,) or (M, N), whose last axis it is added to.

    Returns:
        Str of (N + 1,) or (M, N + 1).

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: words are of another shape, when called.

    Examples:
        >>> text.AddToken("<s>")(["a", "b"])
        array(['<s>', 'a', 'b'], dtype='<U3')
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
    """Runs of n words, each as one string.

    Args:
        n: how many words, or a list of several numbers, whose runs come one after the other.
        left_pad: a word, and how many of it are added before the first, n - 1 at most.
        right_pad: a word, and how many of it are added after the last, n - 1 at most.
        separator: what is between the words of a run.

    Inputs:
        words: str of (N,).

    Returns:
        Str of (M,); [""] if there are too few words.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: n is below 1, or a pad is no word and number from 0 on.
        RuntimeError: words are of another shape, when called.

    Examples:
        >>> text.Ngram(2)(["a", "b", "c"])
        array(['a b', 'b c'], dtype='<U3')
        >>> text.Ngram(2, left_pad=("_", 1))(["a", "b", "c"])
        array(['_ a', 'a b', 'b c'], dtype='<U3')
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
    """Runs of elements, each beginning one further than the one before.

    Args:
        width: how many elements are a run.
        axis: 0 or -1: arrays have one axis.

    Inputs:
        value: an array of (N,).

    Returns:
        An array of (N - width + 1, width); of (0,) if there are fewer elements than width.

    Raises:
        TypeError: an argument is no int.
        ValueError: width is below 1, or axis below -1.
        RuntimeError: the array is not of one axis, or axis is above 0, when called.

    Examples:
        >>> text.SlidingWindow(2)(["a", "b", "c"])
        array([['a', 'b'],
               ['b', 'c']], dtype='<U1')
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

    Args:
        data_type: the dtype of the numbers, emberjit's or NumPy's, as ms.int32.

    Inputs:
        value: str of any shape.

    Returns:
        An array of the same shape, of data_type.

    Raises:
        TypeError: data_type is no dtype of numbers.
        RuntimeError: a string shows no number, or one beyond the dtype, when called.

    Examples:
        >>> text.ToNumber(ms.int32)(["7", "-12"])
        array([  7, -12], dtype=int32)
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

    Args:
        max_seq_len: how many come at most.

    Inputs:
        value: an array of (N,) or (M, N).

    Returns:
        An array of the same number of axes.

    Raises:
        TypeError: max_seq_len is no int.
        ValueError: it is negative.
        RuntimeError: the array has another number of axes, when called.

    Examples:
        >>> text.Truncate(2)(["a", "b", "c"])
        array(['a', 'b'], dtype='<U1')
    """

    def __init__(self, max_seq_len: int):
        self.most = check_int32("Truncate", "max_seq_len", max_seq_len)

    def apply(self, array: Array) -> Any:
        if array.ndim not in (1, 2):
            raise self.refuse(f"an array must be of one or two axes, but is of shape {list(array.shape)}")
        return array[..., : self.most]


class TruncateSequencePair(Transform):
    """Two arrays cut at their ends until they are of max_length elements together: of the longer one an element at a time,
    of the second if both are as long.

    Args:
        max_length: how many elements both have at most.

    Inputs:
        first: an array of (N,).
        second: an array of (M,).

    Returns:
        A tuple of two arrays.

    Raises:
        TypeError: max_length is no int.
        ValueError: it is negative.
        RuntimeError: it gets something else than two arrays of one axis.

    Examples:
        >>> text.TruncateSequencePair(4)(["a", "b", "c", "d"], ["e", "f"])
        (array(['a', 'b'], dtype='<U1'), array(['e', 'f'], dtype='<U1'))
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
