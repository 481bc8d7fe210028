"""The choices that operations of text are given."""

from __future__ import annotations

from enum import IntEnum


class NormalizeForm(IntEnum):
    """The forms of Unicode (Unicode Standard Annex #15). NONE: strings stay as they are. NFC: characters are composed. NFD:
    they are decomposed. NFKC and NFKD: the same, with compatible characters as one.

    Examples:
        >>> decomposed = text.NormalizeUTF8(text.NormalizeForm.NFD)("é")
        >>> len(str(decomposed))
        2
    """

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class JiebaMode(IntEnum):
    """How JiebaTokenizer finds words. MP: by the dictionary. HMM: by the hidden Markov model. MIX: by the dictionary, and
    what it leaves in single characters by the model.

    Examples:
        >>> folder = example_data("jieba")
        >>> tokenizer = text.JiebaTokenizer(f"{folder}/hmm.utf8", f"{folder}/dict.utf8", text.JiebaMode.MIX)
        >>> tokenizer("小明来到")
        array(['小明', '来到'], dtype='<U2')
    """

    MIX = 0
    MP = 1
    HMM = 2


class SentencePieceModel(IntEnum):
    """The models of SentencePieceVocab. UNIGRAM: by the probabilities of pieces. BPE: by pairs of pieces that are joined.
    CHAR: characters. WORD: words.

    Examples:
        >>> [model.name for model in text.SentencePieceModel]
        ['UNIGRAM', 'BPE', 'CHAR', 'WORD']
    """

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerOutType(IntEnum):
    """What SentencePieceTokenizer gives. STRING: pieces, str. INT: their numbers, int32.

    Examples:
        >>> text.SPieceTokenizerOutType.STRING.name, text.SPieceTokenizerOutType.INT.name
        ('STRING', 'INT')
    """

    STRING = 0
    INT = 1


class SPieceTokenizerLoadType(IntEnum):
    """What a SentencePieceTokenizer is made of, in MindSpore. FILE: a model's file. MODEL: a SentencePieceVocab.
    SentencePieceTokenizer takes either without it.

    Examples:
        >>> text.SPieceTokenizerLoadType.FILE.name, text.SPieceTokenizerLoadType.MODEL.name
        ('FILE', 'MODEL')
    """

    FILE = 0
    MODEL = 1
