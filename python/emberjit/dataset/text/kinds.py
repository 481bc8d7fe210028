"""The choices that operations of text are given."""

from __future__ import annotations

from enum import IntEnum


class NormalizeForm(IntEnum):
    """Forms of Unicode."""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class JiebaMode(IntEnum):
    """How JiebaTokenizer finds words."""

    MIX = 0
    MP = 1
    HMM = 2


class SentencePieceModel(IntEnum):
    """Models of SentencePiece."""

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerOutType(IntEnum):
    """What SentencePieceTokenizer gives."""

    STRING = 0
    INT = 1


class SPieceTokenizerLoadType(IntEnum):
    """What a SentencePieceTokenizer is made of."""

    FILE = 0
    MODEL = 1
