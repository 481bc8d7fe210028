"""Vocab, and Lookup of words in one."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset import checks
from emberjit.dataset.sources.schema import numpy_type
from emberjit.dataset.text.transform import TextTransform
from emberjit.dataset.values import Array


class Vocab:
    """Words with numbers. Vocab.from_list() and its like make one."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._words: dict[int, str] = {}

    @classmethod
    def _of(cls, ids: dict[str, int]) -> Vocab:
        vocab = cls()
        vocab._ids, vocab._words = ids, {number: word for word, number in ids.items()}
        return vocab

    @classmethod
    def from_list(cls, word_list: list[str], special_tokens: list[str] | None = None, special_first: bool = True) -> Vocab:
        """Words numbered in their order, after or before special ones.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: a word is there twice.
        """
        words = _words("from_list", "word_list", word_list)
        special = _words("from_list", "special_tokens", special_tokens or [])
        both = set(words) & set(special)
        if both:
            raise ValueError(f"For 'from_list', 'word_list' must have no word of 'special_tokens', but has {sorted(both)}.")
        ordered = special + words if check_bool("from_list", "special_first", special_first) else words + special
        return cls._of({word: number for number, word in enumerate(ordered)})

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Vocab:
        """Words with given numbers.

        Raises:
            TypeError: it is no dict of str to int.
            ValueError: a number is negative.
        """
        for word, number in check_instance("from_dict", "word_dict", word_dict, dict).items():
            check_instance("from_dict", "word_dict", word, str)
            check_int32("from_dict", "word_dict", number)
        return cls._of(dict(word_dict))

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words of a file, one a line, of each line up to a delimiter.

        Args:
            vocab_size: how many are taken at most.

        Raises:
            TypeError: an argument is of a wrong type.
            RuntimeError: there is no such file, or a word is there twice.
        """
        path = check_instance("from_file", "file_path", file_path, str)
        mark = check_instance("from_file", "delimiter", delimiter, str)
        if not os.path.isfile(path):
            raise RuntimeError(f"For 'from_file', 'file_path' must be a file, but there is none at '{path}'.")
        with open(path, encoding="utf-8") as stream:
            lines = [line.rstrip("\r\n") for line in stream]
        words = [line.split(mark)[0] if mark else line for line in lines]
        if vocab_size is not None:
            words = words[: check_int32("from_file", "vocab_size", vocab_size, 1)]
        try:
            return cls.from_list(words, special_tokens, special_first)
        except ValueError as error:
            raise RuntimeError(f"For 'from_file', the file '{path}': {error}") from None

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: Any = None,
        freq_range: tuple[int | None, int | None] | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """The words in columns of a dataset, the most frequent first, of equals in their order.

        Args:
            columns: which columns; all unless given.
            freq_range: how often a word must be there at least and at most.
            top_k: how many words are taken at most.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: a range is none.
        """
        where = "from_dataset"
        names = dataset.get_col_names() if columns is None else checks.names(where, "columns", columns)
        low, high = freq_range or (None, None)
        for bound in (low, high):
            if bound is not None:
                check_int32(where, "freq_range", bound)
        counts: Counter[str] = Counter()
        for row in dataset.project(names).create_tuple_iterator(num_epochs=1, output_numpy=True):
            for array in row:
                counts.update(_decoded(array).ravel().tolist())
        words = [w for w, n in counts.items() if (low is None or n >= low) and (high is None or n <= high)]
        ordered = sorted(words, key=lambda word: (-counts[word], word))
        if top_k is not None:
            ordered = ordered[: check_int32(where, "top_k", top_k, 1)]
        return cls.from_list(ordered, special_tokens, special_first)

    def vocab(self) -> dict[str, int]:
        """The words with their numbers."""
        return dict(self._ids)

    def tokens_to_ids(self, tokens: Any) -> Any:
        """The number of a word, or of each of several; -1 of one that is not there.

        Raises:
            TypeError: it is no str, or list or array of them.
            RuntimeError: there are no words.
        """
        self._check_words("tokens_to_ids")
        check_instance("tokens_to_ids", "tokens", tokens, (str, list, np.ndarray))
        if isinstance(tokens, str) or (isinstance(tokens, np.ndarray) and tokens.ndim == 0):
            return self._ids.get(str(tokens), -1)
        return [self._ids.get(str(check_instance("tokens_to_ids", "tokens", token, str)), -1) for token in tokens]

    def ids_to_tokens(self, ids: Any) -> Any:
        """The word of a number, or of each of several; "" of one that is not there.

        Raises:
            TypeError: it is no int, or list or array of them.
            ValueError: one is negative.
            RuntimeError: there are no words.
        """
        self._check_words("ids_to_tokens")
        numbers = check_instance("ids_to_tokens", "ids", ids, (int, list, np.ndarray))
        numbers = numbers.tolist() if isinstance(numbers, np.ndarray) else numbers
        if isinstance(numbers, int):
            return self._words.get(check_int32("ids_to_tokens", "ids", numbers), "")
        return [self._words.get(check_int32("ids_to_tokens", "ids", number), "") for number in numbers]

    def _check_words(self, where: str) -> None:
        if not self._ids:
            raise RuntimeError(f"For '{where}', the Vocab has no word: Vocab.from_list() and its like make one that has.")

    def __contains__(self, word: str) -> bool:
        return word in self._ids


def _decoded(array: Array) -> Any:
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def _words(where: str, name: str, value: Any) -> list[str]:
    words = list(check_instance(where, name, value, list))
    for word in words:
        check_instance(where, name, word, str)
    if len(set(words)) != len(words):
        twice = [word for word, count in Counter(words).items() if count > 1]
        raise ValueError(f"For '{where}', '{name}' must hold no word twice, but has {twice}.")
    return words


class Lookup(TextTransform):
    """The numbers of words.

    Args:
        vocab: the Vocab.
        unknown_token: the word whose number one has that is not there.
        data_type: the dtype of the numbers.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: a word is not there, when called.
    """

    def __init__(self, vocab: Vocab, unknown_token: str | None = None, data_type: Any = core.int32):
        self.vocab = check_instance("Lookup", "vocab", vocab, Vocab)
        self.unknown = None if unknown_token is None else check_instance("Lookup", "unknown_token", unknown_token, str)
        self.data_type = numpy_type("Lookup", "data_type", data_type)

    def apply(self, array: Array) -> Any:
        other = None if self.unknown is None else self.vocab.vocab().get(self.unknown)
        ids = []
        for word in array.ravel().tolist():
            number = self.vocab.tokens_to_ids(word)
            if number == -1:
                if other is None:
                    raise self.refuse(f"the word {word!r} is not in the Vocab, nor is there an 'unknown_token' in it")
                number = other
            ids.append(number)
        return np.asarray(ids, self.data_type).reshape(array.shape)
