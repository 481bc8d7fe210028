"""Vectors of words from files, and ToVectors."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.text.transform import TextTransform
from emberjit.dataset.values import Array


class Vectors:
    """A vector for each of some words. Vectors.from_file() reads them: in each line a word and its numbers, perhaps in the
    first how many there are.

    Examples:
        >>> vectors = text.Vectors.from_file(example_data("vectors") + "/wiki.vec")
        >>> vectors.length, vectors.vector("ok")
        (2, array([1., 2.], dtype=float32))
    """

    _name = r".*"

    def __init__(self) -> None:
        self._vectors: dict[str, Any] = {}
        self.length = 0

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> Any:
        """Reads the vectors of a file: in each line a word and its numbers, with single blanks between; perhaps in the first
        how many words there are.

        Args:
            file_path: the path of the file.
            max_vectors: how many are read at most; None: all.

        Returns:
            An object of the class.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: max_vectors is negative.
            RuntimeError: there is no such file, its name is not as the class has it, or it holds something else.
        """
        where = cls.__name__
        path = check_instance(where, "file_path", file_path, str)
        most = None if max_vectors is None else check_int32(where, "max_vectors", max_vectors)
        if not os.path.isfile(path) or not re.fullmatch(cls._name, os.path.basename(path)):
            raise RuntimeError(f"For '{where}', 'file_path' must be a file of a name as {cls._name}, but got '{path}'.")
        vectors = cls()
        with open(path, encoding="utf-8") as stream:
            for number, line in enumerate(stream):
                word, *numbers = line.rstrip().split(" ")
                if number == 0 and len(numbers) == 1:
                    continue
                vectors.length = vectors.length or len(numbers)
                if len(numbers) != vectors.length or not numbers:
                    raise RuntimeError(f"For '{where}', line {number + 1} of '{path}' must have {vectors.length} numbers.")
                if most is not None and len(vectors._vectors) >= most:
                    break
                vectors._vectors.setdefault(word, np.asarray(numbers, np.float32))
        if not vectors._vectors:
            raise RuntimeError(f"For '{where}', the file '{path}' has no vector.")
        return vectors

    def vector(self, word: str) -> Any:
        """The vector of a word.

        Args:
            word: the word.

        Returns:
            Float32 of (length,); None if there is none.
        """
        return self._vectors.get(word)


class GloVe(Vectors):
    """Vectors of words of GloVe, which GloVe.from_file() reads of a file with a name as glove.6B.50d.txt (J. Pennington, R.
    Socher and C. Manning, "GloVe: global vectors for word representation", 2014).

    Examples:
        >>> vectors = text.GloVe.from_file(example_data("vectors") + "/glove.2d.txt")
        >>> vectors.vector("bye")
        array([3., 4.], dtype=float32)
    """

    _name = r"glove\..*\.txt"


class FastText(Vectors):
    """Vectors of words of fastText, which FastText.from_file() reads of a file with a name as wiki.en.vec (P. Bojanowski and
    others, "Enriching word vectors with subword information", 2017).

    Examples:
        >>> vectors = text.FastText.from_file(example_data("vectors") + "/wiki.vec")
        >>> vectors.vector("bye")
        array([3., 4.], dtype=float32)
    """

    _name = r".*\.vec"


class CharNGram(Vectors):
    """Vectors of runs of 2 to 4 characters, of which a word has the mean of its runs'; CharNGram.from_file() reads them (K.
    Hashimoto and others, "A joint many-task model: growing a neural network for multiple NLP tasks", 2016). The names of
    runs are 2gram-ab and so on, with #BEGIN# before a word and #END# after it.

    Examples:
        >>> vectors = text.CharNGram.from_file(example_data("vectors") + "/ngrams.txt")
        >>> vectors.vector("ok")
        array([2., 3.], dtype=float32)
    """

    def vector(self, word: str) -> Any:
        """The mean of the vectors of a word's runs.

        Args:
            word: the word.

        Returns:
            Float32 of (length,); None if no run has one.
        """
        marked = ["#BEGIN#", *word, "#END#"]
        runs = ("".join(marked[k : k + n]) for n in (2, 3, 4) for k in range(len(marked) - n + 1))
        names = (f"{n}gram-{run}" for run in runs for n in (2, 3, 4))
        vectors = [self._vectors[name] for name in names if name in self._vectors]
        return np.mean(vectors, 0, dtype=np.float32) if vectors else None


class ToVectors(TextTransform):
    """The vectors that a Vectors has of words.

    Args:
        vectors: a Vectors, GloVe, FastText or CharNGram.
        unk_init: the vector of a word that has none, a list of numbers; None: zeros.
        lower_case_backup: whether such a word is looked for in small letters as well.

    Inputs:
        words: str of any shape.

    Returns:
        Float32 of (N, length), of N words; of (length,), of one.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: unk_init is of another length.
        RuntimeError: it gets something else than strings.

    Examples:
        >>> vectors = text.GloVe.from_file(example_data("vectors") + "/glove.2d.txt")
        >>> text.ToVectors(vectors)(["ok", "unknown"])
        array([[1., 2.],
               [0., 0.]], dtype=float32)
    """

    def __init__(self, vectors: Vectors, unk_init: Any = None, lower_case_backup: bool = False):
        self.vectors = check_instance("ToVectors", "vectors", vectors, Vectors)
        unknown = (
            np.zeros(vectors.length)
            if unk_init is None
            else check_instance("ToVectors", "unk_init", unk_init, (list, tuple))
        )
        if len(unknown) != vectors.length:
            raise ValueError(f"For 'ToVectors', 'unk_init' must be of {vectors.length} numbers, but got {unk_init}.")
        self.unknown = np.asarray(unknown, np.float32)
        self.lower_too = check_bool("ToVectors", "lower_case_backup", lower_case_backup)

    def apply(self, array: Array) -> Any:
        vectors = [self._vector(word) for word in array.ravel().tolist()]
        return vectors[0] if array.size == 1 else np.stack(vectors)

    def _vector(self, word: str) -> Any:
        vector = self.vectors.vector(word)
        if vector is None and self.lower_too:
            vector = self.vectors.vector(word.lower())
        return self.unknown if vector is None else vector
