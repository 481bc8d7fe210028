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
    """Words, and a number for each. Vocab.from_list(), from_dict(), from_file() and from_dataset() make one.

    Examples:
        >>> vocab = text.Vocab.from_list(["deep", "learning"], special_tokens=["<pad>"])
        >>> vocab.vocab()
        {'<pad>': 0, 'deep': 1, 'learning': 2}
        >>> vocab.tokens_to_ids(["learning", "unknown"]), vocab.ids_to_tokens(1)
        ([2, -1], 'deep')
    """

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
        """Words numbered in their order, from 0, with special ones before or after them.

        Args:
            word_list: the words.
            special_tokens: words such as "<pad>"; None: there are none.
            special_first: whether they come before the others.

        Returns:
            A Vocab.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: a word is there twice.

        Examples:
            >>> text.Vocab.from_list(["a", "b"], special_tokens=["<unk>"], special_first=False).vocab()
            {'a': 0, 'b': 1, '<unk>': 2}
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

        Args:
            word_dict: the number of each word, from 0.

        Returns:
            A Vocab.

        Raises:
            TypeError: word_dict is no dict of str to int.
            ValueError: a number is negative.

        Examples:
            >>> text.Vocab.from_dict({"a": 3, "b": 5}).tokens_to_ids("b")
            5
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
        """The words of a file, one a line, numbered in their order, from 0.

        Args:
            file_path: the path of the file.
            delimiter: where a line's word ends; "": at its end.
            vocab_size: how many words are read at most; None: all.
            special_tokens: words such as "<pad>"; None: there are none.
            special_first: whether they come before the others.

        Returns:
            A Vocab.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: vocab_size is below 1.
            RuntimeError: there is no such file, or a word is there twice.

        Examples:
            >>> with open("words.txt", "w") as file:
            ...     for line in ("the 90", "a 60", "of 50"):
            ...         print(line, file=file)
            >>> text.Vocab.from_file("words.txt", delimiter=" ", vocab_size=2).vocab()
            {'the': 0, 'a': 1}
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
        """The words in columns of a dataset, numbered from the most frequent on; words that are as frequent are sorted.

        Args:
            dataset: the dataset, of whose rows an epoch is read.
            columns: the name of a column, or a list of names; None: all.
            freq_range: how often a word must be there, (at least, at most), of which either may be None; None: any number of
                times.
            top_k: how many words are taken at most; None: all.
            special_tokens: words such as "<pad>"; None: there are none.
            special_first: whether they come before the others.

        Returns:
            A Vocab.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: a bound is negative, top_k below 1, or a special word is in the dataset.

        Examples:
            >>> lines = ds.NumpySlicesDataset(["b a b", "c b"], ["line"]).map(text.WhitespaceTokenizer())
            >>> text.Vocab.from_dataset(lines, "line", top_k=2).vocab()
            {'b': 0, 'a': 1}
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
        """The numbers of all words, by word; a copy.

        Examples:
            >>> text.Vocab.from_list(["a", "b"]).vocab()
            {'a': 0, 'b': 1}
        """
        return dict(self._ids)

    def tokens_to_ids(self, tokens: Any) -> Any:
        """The number of a word, or of each of several; -1 of one that is not there.

        Args:
            tokens: a word, or a list or array of words.

        Returns:
            An int, or a list of them.

        Raises:
            TypeError: tokens is neither.
            RuntimeError: the Vocab has no words.

        Examples:
            >>> text.Vocab.from_list(["a", "b"]).tokens_to_ids(["b", "c"])
            [1, -1]
        """
        self._check_words("tokens_to_ids")
        check_instance("tokens_to_ids", "tokens", tokens, (str, list, np.ndarray))
        if isinstance(tokens, str) or (isinstance(tokens, np.ndarray) and tokens.ndim == 0):
            return self._ids.get(str(tokens), -1)
        return [self._ids.get(str(check_instance("tokens_to_ids", "tokens", token, str)), -1) for token in tokens]

    def ids_to_tokens(self, ids: Any) -> Any:
        """The word of a number, or of each of several; "" of one that is not there.

        Args:
            ids: a number, or a list or array of numbers.

        Returns:
            A str, or a list of them.

        Raises:
            TypeError: ids is neither.
            ValueError: a number is negative.
            RuntimeError: the Vocab has no words.

        Examples:
            >>> text.Vocab.from_list(["a", "b"]).ids_to_tokens([1, 7])
            ['b', '']
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
    """The numbers that a Vocab gives words.

    Args:
        vocab: the Vocab.
        unknown_token: the word of the Vocab whose number words get that are not in it; None: such a word is an error.
        data_type: the dtype of the numbers.

    Inputs:
        words: str of any shape.

    Returns:
        An array of the same shape, of data_type.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: a word is not in the Vocab, nor is unknown_token, when called.

    Examples:
        >>> vocab = text.Vocab.from_list(["a", "b"], special_tokens=["<unk>"])
        >>> text.Lookup(vocab, unknown_token="<unk>")(["b", "a", "z"])
        array([2, 1, 0], dtype=int32)
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
