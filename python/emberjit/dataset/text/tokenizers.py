"""Tokenizers: a string into parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from emberjit.checks import check_bool, check_callable, check_instance, check_int32
from emberjit.dataset.text.kinds import NormalizeForm
from emberjit.dataset.text.transform import OfOneString, Span, TextTransform, Tokenizer, offsets, strings
from emberjit.dataset.text.vocab import Vocab
from emberjit.dataset.values import Array

_SPECIAL = re.compile(r"\[(?:CLS|SEP|UNK|PAD|MASK|unused\d+)\]")
_HAN = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


class WhitespaceTokenizer(Tokenizer):
    """Divides a string at white space.

    Args:
        with_offsets: whether three arrays come: tokens, and where each begins and ends, in bytes of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,); [""] if there is no token.

    Raises:
        TypeError: with_offsets is no bool.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> text.WhitespaceTokenizer()("ab  c")
        array(['ab', 'c'], dtype='<U2')
        >>> text.WhitespaceTokenizer(with_offsets=True)("ab  c")
        (array(['ab', 'c'], dtype='<U2'), array([0, 4], dtype=uint32), array([2, 5], dtype=uint32))
    """

    def spans(self, text: str) -> list[Span]:
        return [match.span() for match in re.finditer(r"\S+", text)]


class UnicodeCharTokenizer(Tokenizer):
    """Divides a string into its characters.

    Args:
        with_offsets: whether three arrays come: tokens, and where each begins and ends, in bytes of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,); [""] of an empty string.

    Raises:
        TypeError: with_offsets is no bool.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> text.UnicodeCharTokenizer()("né")
        array(['n', 'é'], dtype='<U1')
    """

    def spans(self, text: str) -> list[Span]:
        return [(k, k + 1) for k in range(len(text))]


def _script(character: str) -> str:
    """The script of a letter, as its name begins; "" of what is of none."""
    if unicodedata.category(character)[0] not in "LM":
        return ""
    words = unicodedata.name(character, "").replace("FULLWIDTH ", "").replace("HALFWIDTH ", "").split()
    return words[0] if words else ""


class UnicodeScriptTokenizer(Tokenizer):
    """Divides a string where the script changes, as from Latin to Chinese, or to what is no letter.

    Args:
        keep_whitespace: whether runs of white space are tokens as well.
        with_offsets: whether three arrays come: tokens, and where each begins and ends, in bytes of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,); [""] if there is no token.

    Raises:
        TypeError: an argument is no bool.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> text.UnicodeScriptTokenizer()("Tokyo東京 2020")
        array(['Tokyo', '東京', '2020'], dtype='<U5')
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False):
        super().__init__(with_offsets)
        self.keep_whitespace = check_bool("UnicodeScriptTokenizer", "keep_whitespace", keep_whitespace)

    def spans(self, text: str) -> list[Span]:
        spans: list[Span] = []
        before: Any = None
        for at, character in enumerate(text):
            kind = (character.isspace(), _script(character))
            if spans and kind == before:
                spans[-1] = spans[-1][0], at + 1
            else:
                spans.append((at, at + 1))
            before = kind
        return [span for span in spans if self.keep_whitespace or not text[span[0]].isspace()]


class RegexTokenizer(Tokenizer):
    """Divides a string at the matches of a pattern.

    Args:
        delim_pattern: the pattern, as of Python's re.
        keep_delim_pattern: the matches that match this whole are tokens as well; "": none is.
        with_offsets: whether three arrays come: tokens, and where each begins and ends, in bytes of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,); [""] if there is no token.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a pattern is none.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> text.RegexTokenizer("[ ,]", keep_delim_pattern=",")("a b,c")
        array(['a', 'b', ',', 'c'], dtype='<U1')
    """

    def __init__(self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False):
        super().__init__(with_offsets)
        self.pattern = compiled("RegexTokenizer", "delim_pattern", delim_pattern)
        self.kept = compiled("RegexTokenizer", "keep_delim_pattern", keep_delim_pattern) if keep_delim_pattern else None

    def spans(self, text: str) -> list[Span]:
        spans, at = [], 0
        for match in self.pattern.finditer(text):
            if match.end() == match.start():
                continue
            spans.append((at, match.start()))
            if self.kept is not None and self.kept.fullmatch(match.group()):
                spans.append(match.span())
            at = match.end()
        spans.append((at, len(text)))
        return [span for span in spans if span[0] < span[1]]


def compiled(where: str, name: str, pattern: Any) -> re.Pattern[str]:
    """A pattern.

    Raises:
        TypeError: it is no str.
        ValueError: it is none.
    """
    try:
        return re.compile(check_instance(where, name, pattern, str))
    except re.error as error:
        raise ValueError(f"For '{where}', '{name}' must be a pattern, but got {pattern!r}: {error}.") from None


def _is_alone(character: str) -> bool:
    """Whether a character is a part by itself: punctuation, or of Chinese."""
    code = ord(character)
    if code < 128:
        return not character.isalnum() and not character.isspace() and code > 32 and code != 127
    return unicodedata.category(character)[0] == "P" or any(low <= code <= high for low, high in _HAN)


def normalized(text: str, form: NormalizeForm) -> str:
    """A string in a form of Unicode."""
    name: Any = form.name
    return text if form == NormalizeForm.NONE else unicodedata.normalize(name, text)


class BasicTokenizer(Tokenizer):
    """Divides a string into words, punctuation marks and Chinese characters, as BERT does first (J. Devlin and others,
    "BERT: pre-training of deep bidirectional transformers for language understanding", 2018).

    Args:
        lower_case: whether letters become small, and lose accents; normalization_form is then not read.
        keep_whitespace: whether white space is a token as well, each character.
        normalization_form: the form of Unicode, a NormalizeForm, that the string gets first.
        preserve_unused_token: whether [CLS], [SEP], [UNK], [PAD], [MASK] and [unused0] and so on stay tokens.
        with_offsets: whether three arrays come: tokens, and where each begins and ends in the string as it is then, in bytes
            of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,); [""] of an empty string.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> text.BasicTokenizer(lower_case=True)("Hello, World")
        array(['hello', ',', 'world'], dtype='<U5')
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        super().__init__(with_offsets)
        where = type(self).__name__
        self.lower_case = check_bool(where, "lower_case", lower_case)
        self.keep_whitespace = check_bool(where, "keep_whitespace", keep_whitespace)
        self.form = check_instance(where, "normalization_form", normalization_form, NormalizeForm)
        self.preserved = check_bool(where, "preserve_unused_token", preserve_unused_token)

    def normal(self, text: str) -> str:
        parts, at = [], 0
        for match in _SPECIAL.finditer(text) if self.preserved else ():
            parts += [self._normal(text[at : match.start()]), match.group()]
            at = match.end()
        return "".join([*parts, self._normal(text[at:])])

    def _normal(self, text: str) -> str:
        if not self.lower_case:
            return normalized(text, self.form)
        apart = unicodedata.normalize("NFD", text.casefold())
        return "".join(c for c in apart if unicodedata.category(c) not in ("Mn", "Cc") or c.isspace())

    def spans(self, text: str) -> list[Span]:
        return list(self._spans(text))

    def _spans(self, text: str) -> Iterator[Span]:
        at = 0
        while at < len(text):
            special = _SPECIAL.match(text, at) if self.preserved else None
            if special is not None:
                yield special.span()
                at = special.end()
                continue
            end = at + 1
            if text[at].isspace():
                if self.keep_whitespace:
                    yield at, end
            elif not _is_alone(text[at]):
                while end < len(text) and not text[end].isspace() and not _is_alone(text[end]):
                    end += 1
                yield at, end
            else:
                yield at, end
            at = end


class WordpieceTokenizer(TextTransform):
    """Divides words into parts that a Vocab has: from the begin of a word the longest, then from its end on, and so on (M.
    Schuster and K. Nakajima, "Japanese and Korean voice search", 2012).

    Args:
        vocab: the Vocab.
        suffix_indicator: the mark of parts after a word's first, with which they are in the Vocab.
        max_bytes_per_token: words of more bytes are unknown.
        unknown_token: what a word becomes that cannot be divided so; "": it stays.
        with_offsets: whether three arrays come: tokens, and where each begins and ends in its word, in bytes of UTF-8,
            uint32.

    Inputs:
        words: str of () or (N,).

    Returns:
        Str of (M,).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: max_bytes_per_token is negative.
        RuntimeError: words are of another shape, when called.

    Examples:
        >>> vocab = text.Vocab.from_list(["play", "##ing"])
        >>> text.WordpieceTokenizer(vocab)(["playing", "games"])
        array(['play', '##ing', '[UNK]'], dtype='<U5')
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ):
        where = "WordpieceTokenizer"
        self.vocab = check_instance(where, "vocab", vocab, Vocab)
        self.mark = check_instance(where, "suffix_indicator", suffix_indicator, str)
        self.most = check_int32(where, "max_bytes_per_token", max_bytes_per_token)
        self.unknown = check_instance(where, "unknown_token", unknown_token, str)
        self.with_offsets = check_bool(where, "with_offsets", with_offsets)

    def parts(self, word: str) -> tuple[list[str], list[Span]]:
        """A word's parts, and where they are."""
        tokens: list[str] = []
        spans: list[Span] = []
        at = 0
        while at < len(word) and len(word.encode()) <= self.most:
            ends = range(len(word), at, -1)
            mark = self.mark if at else ""
            end = next((end for end in ends if mark + word[at:end] in self.vocab), None)
            if end is None:
                break
            tokens.append(mark + word[at:end])
            spans.append((at, end))
            at = end
        return (tokens, spans) if at == len(word) and word else ([self.unknown or word], [(0, len(word))])

    def apply(self, array: Array) -> Any:
        if array.ndim > 1:
            raise self.refuse(f"a value must be a word or of one axis, but is of shape {list(array.shape)}")
        words = array.reshape(-1).tolist()
        parts = [self.parts(word) for word in words]
        tokens = strings(token for pieces, _ in parts for token in pieces)
        if not self.with_offsets:
            return tokens
        places = [offsets(word, spans) for word, (_, spans) in zip(words, parts)]
        return (tokens, *(np.concatenate([pair[k] for pair in places]) for k in range(2)))


class BertTokenizer(Tokenizer):
    """Divides a string into the parts of words that a Vocab has: BasicTokenizer, then WordpieceTokenizer (J. Devlin and
    others, "BERT: pre-training of deep bidirectional transformers for language understanding", 2018).

    Args:
        vocab: the Vocab.
        suffix_indicator: the mark of parts after a word's first.
        max_bytes_per_token: words of more bytes are unknown.
        unknown_token: what an unknown word becomes; "": it stays.
        lower_case: whether letters become small, and lose accents; normalization_form is then not read.
        keep_whitespace: whether white space is a token as well, each character.
        normalization_form: the form of Unicode, a NormalizeForm, that the string gets first.
        preserve_unused_token: whether [CLS], [SEP], [UNK], [PAD], [MASK] and [unused0] and so on stay tokens.
        with_offsets: whether three arrays come: tokens, and where each begins and ends in the string as it is then, in bytes
            of UTF-8, uint32.

    Inputs:
        value: one string.

    Returns:
        Str of (N,).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: max_bytes_per_token is negative.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> vocab = text.Vocab.from_list(["play", "##ing", "now", "!"])
        >>> text.BertTokenizer(vocab, lower_case=True)("Playing now!")
        array(['play', '##ing', 'now', '!'], dtype='<U5')
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        super().__init__(with_offsets)
        self.basic = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token)
        self.pieces = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token)

    def apply(self, text: str) -> Any:
        text = self.basic.normal(text)
        tokens: list[str] = []
        spans: list[Span] = []
        for start, end in self.basic.spans(text) or [(0, 0)]:
            words, places = self.pieces.parts(text[start:end])
            tokens += words
            spans += [(start + a, start + b) for a, b in places]
        return (strings(tokens), *offsets(text, spans)) if self.with_offsets else strings(tokens)


class PythonTokenizer(OfOneString):
    """A Python function as a tokenizer.

    Args:
        tokenizer: a function of a str that gives a list of them.

    Inputs:
        value: one string.

    Returns:
        Str of (N,).

    Raises:
        TypeError: tokenizer is no function.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> text.PythonTokenizer(lambda line: line.split("-"))("a-b-c")
        array(['a', 'b', 'c'], dtype='<U1')
    """

    def __init__(self, tokenizer: Callable[[str], Any]):
        check_callable("PythonTokenizer", "tokenizer", tokenizer)
        self.tokenizer = tokenizer
        self.is_builtin = False

    def apply(self, text: str) -> Any:
        return np.asarray(self.tokenizer(text))
