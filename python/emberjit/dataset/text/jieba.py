"""JiebaTokenizer: words of Chinese. By a dictionary those words are found whose probabilities have the largest product; by a
hidden Markov model, of where characters stand in words, those that it finds likeliest (github.com/yanyiwu/cppjieba, whose
files they are, and which MindSpore uses)."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator

from emberjit.checks import check_instance, check_int32
from emberjit.dataset import checks
from emberjit.dataset.text.kinds import JiebaMode
from emberjit.dataset.text.transform import Span, Tokenizer

_IMPOSSIBLE = -3.14e100  # the logarithm of the probability of what a model does not know
_SEPARATED = re.compile("[ \t\n，。]|[^ \t\n，。]+")
_BEGIN, _END, _MIDDLE, _SINGLE = range(4)
_ASCII = re.compile("[A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f]")
_USERS_LINE = re.compile(r"^\s*([^\s*]+?)\s*([0-9]+)?\s*$")


def _lines(where: str, path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8-sig") as stream:
            return stream.read().splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"For 'JiebaTokenizer', '{where}', '{path}' is no text in UTF-8: {error}.") from None


class _Dictionary:
    """Words, and the logarithms of their probabilities; of what words begin with, None.

    Args:
        path: a file of lines of a word, its frequency, and what is not read.

    Raises:
        ValueError: it is none.
    """

    def __init__(self, path: str):
        words = []
        for number, line in enumerate(_lines("mp_path", path)):
            parts = line.split(" ")
            if len(parts) < 2 or not parts[0] or not re.fullmatch(r"\d+(\.\d*)?", parts[1]) or float(parts[1]) <= 0:
                raise ValueError(f"For 'JiebaTokenizer', line {number + 1} of '{path}' is no word and frequency: {line!r}.")
            words.append((parts[0], float(parts[1])))
        if not words:
            raise ValueError(f"For 'JiebaTokenizer', there is no word in '{path}'.")
        self.total = sum(frequency for _, frequency in words)
        logarithms = sorted(math.log(frequency / self.total) for _, frequency in words)
        self.least, self.usual = logarithms[0], logarithms[len(logarithms) // 2]
        self.log_probabilities: dict[str, float | None] = {}
        for word, frequency in words:
            self.add(word, frequency)

    def add(self, word: str, frequency: float) -> None:
        """Adds a word, or changes its frequency; 0: that of the middle one of the file's words."""
        for end in range(1, len(word)):
            self.log_probabilities.setdefault(word[:end])
        self.log_probabilities[word] = math.log(frequency / self.total) if frequency else self.usual

    def cut(self, text: str) -> list[int]:
        """Where the most likely words end."""
        size = len(text)
        value, ends = [0.0] * (size + 1), [0] * size
        for start in reversed(range(size)):
            alone = self.log_probabilities.get(text[start])
            value[start], ends[start] = (self.least if alone is None else alone) + value[start + 1], start + 1
            for end in range(start + 2, size + 1):
                if text[start:end] not in self.log_probabilities:
                    break
                weight = self.log_probabilities[text[start:end]]
                if weight is not None and weight + value[end] > value[start]:
                    value[start], ends[start] = weight + value[end], end
        boundaries, at = [], 0
        while at < size:
            at = ends[at]
            boundaries.append(at)
        return boundaries


class _Model:
    """A hidden Markov model whose states say where a character stands in a word: at its begin, its end, between, or alone.

    Args:
        path: a file of four numbers, of the states at the begin, of four lines of such, of the transitions from each state,
            and of four lines of "character:number,", of each state's emissions, all logarithms of probabilities; lines that
            begin with # are not read.

    Raises:
        ValueError: it is none.
    """

    def __init__(self, path: str):
        lines = [line for line in _lines("hmm_path", path) if line.strip() and not line.startswith("#")]
        try:
            self.initial, *self.transitions = ([float(value) for value in line.split()] for line in lines[:5])
            self.emissions = [
                {entry[0]: float(entry[2:]) for entry in line.rstrip(",").split(",") if entry[1] == ":"}
                for line in lines[5:9]
            ]
        except (ValueError, IndexError):
            self.emissions = []
        if len(self.emissions) != 4 or any(len(row) != 4 for row in (self.initial, *self.transitions)):
            raise ValueError(f"For 'JiebaTokenizer', '{path}' is no hidden Markov model of four states.")

    def cut(self, text: str) -> Iterator[int]:
        """Where words end: letters, digits and other ASCII are words of their own."""
        at = 0
        for match in _ASCII.finditer(text):
            if match.start() > at:
                yield from (at + end for end in self._likeliest(text[at : match.start()]))
            yield match.end()
            at = match.end()
        if at < len(text):
            yield from (at + end for end in self._likeliest(text[at:]))

    def _likeliest(self, text: str) -> list[int]:
        """Where words end on the likeliest path.

        Method: A. Viterbi, "Error bounds for convolutional codes and an asymptotically optimum decoding algorithm" (1967).
        """
        weights = [start + emission.get(text[0], _IMPOSSIBLE) for start, emission in zip(self.initial, self.emissions)]
        paths: list[list[int]] = []
        for character in text[1:]:
            best = [(_IMPOSSIBLE, _END)] * 4
            for state in range(4):
                emitted = self.emissions[state].get(character, _IMPOSSIBLE)
                for before in range(4):
                    weight = weights[before] + self.transitions[before][state] + emitted
                    if weight > best[state][0]:
                        best[state] = weight, before
            weights = [weight for weight, _ in best]
            paths.append([before for _, before in best])
        state = _END if weights[_END] >= weights[_SINGLE] else _SINGLE
        ends = []
        for at in reversed(range(len(text))):
            if state in (_END, _SINGLE):
                ends.append(at + 1)
            state = paths[at - 1][state] if at else state
        return sorted({*ends, len(text)})


class JiebaTokenizer(Tokenizer):
    """Divides a Chinese string into words: by a dictionary, with the product of the words' probabilities as large as it can
    be, and by a hidden Markov model of where characters stand in words (github.com/yanyiwu/cppjieba, whose files it reads).

    Args:
        hmm_path: the path of the hidden Markov model, as cppjieba's hmm_model.utf8.
        mp_path: the path of the dictionary, as cppjieba's jieba.dict.utf8: lines of a word, its frequency, and what is not
            read.
        mode: JiebaMode.MP: words of the dictionary; HMM: those of the model; MIX: those of the dictionary, and what it
            leaves in single characters by the model.
        with_offsets: whether three arrays come: tokens, and where each begins and ends, in bytes of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, or it is of another form.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> folder = example_data("jieba")
        >>> tokenizer = text.JiebaTokenizer(f"{folder}/hmm.utf8", f"{folder}/dict.utf8", text.JiebaMode.MP)
        >>> tokenizer("我来到北京大学")
        array(['我', '来到', '北京', '大学'], dtype='<U2')
    """

    def __init__(self, hmm_path: str, mp_path: str, mode: JiebaMode = JiebaMode.MIX, with_offsets: bool = False):
        super().__init__(with_offsets)
        where = "JiebaTokenizer"
        self.mode = check_instance(where, "mode", mode, JiebaMode)
        self.model = _Model(checks.file(where, "hmm_path", check_instance(where, "hmm_path", hmm_path, str)))
        self.dictionary = _Dictionary(checks.file(where, "mp_path", check_instance(where, "mp_path", mp_path, str)))

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Adds a word to the dictionary, or changes how frequent it is.

        Args:
            word: the word.
            freq: its frequency; None: that of the middle one of the dictionary's words.

        Raises:
            TypeError: word is no str, or freq no int.
            ValueError: word is empty, or freq not of 32 bits.
        """
        if not check_instance("add_word", "word", word, str):
            raise ValueError("For 'add_word', 'word' must not be empty.")
        self.call_arguments = None
        self.dictionary.add(word, 0 if freq is None else check_int32("add_word", "freq", freq, 0, 2**32 - 1))

    def add_dict(self, user_dict: str | dict[str, int]) -> None:
        """Adds words to the dictionary.

        Args:
            user_dict: frequencies by word, or the path of a file of lines of a word and perhaps its frequency; other lines
                are not read.

        Raises:
            TypeError: it is neither.
            ValueError: there is no such file, or it is no text in UTF-8.
        """
        if isinstance(user_dict, dict):
            for word, freq in user_dict.items():
                self.add_word(word, freq)
            return
        path = check_instance("add_dict", "user_dict", user_dict, (str, dict))
        if not os.path.isfile(path):
            raise ValueError(f"For 'add_dict', 'user_dict' must be a file, but there is none at '{path}'.")
        for line in _lines("user_dict", path):
            if match := _USERS_LINE.match(line):
                self.add_word(match[1], min(int(match[2] or 0), 2**32 - 1))

    def spans(self, text: str) -> list[Span]:
        spans: list[Span] = []
        for match in _SEPARATED.finditer(text):
            ends = sorted(match.start() + end for end in self._ends(match.group()))
            spans += zip([match.start(), *ends], ends)
        return spans

    def _ends(self, text: str) -> Iterator[int]:
        """Where words end."""
        if self.mode == JiebaMode.HMM:
            yield from self.model.cut(text)
            return
        ends = self.dictionary.cut(text)
        if self.mode == JiebaMode.MP:
            yield from ends
            return
        single = 0  # where those begin that the dictionary leaves single
        for start, end in zip([0, *ends], ends):
            if end - start > 1:
                if single < start:
                    yield from (single + one for one in self.model.cut(text[single:start]))
                yield end
                single = end
        if single < len(text):
            yield from (single + one for one in self.model.cut(text[single:]))
