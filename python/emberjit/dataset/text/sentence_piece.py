"""SentencePiece, by its own package."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np

from emberjit.checks import check_instance, check_int32, check_number
from emberjit.dataset import checks
from emberjit.dataset.text.kinds import SentencePieceModel, SPieceTokenizerOutType
from emberjit.dataset.text.transform import OfOneString


def _package() -> Any:
    import importlib

    try:
        return importlib.import_module("sentencepiece")
    except ImportError:
        raise ImportError("SentencePiece needs its package: pip install sentencepiece") from None


class SentencePieceVocab:
    """A model of SentencePiece. from_file() and from_dataset() train one."""

    def __init__(self) -> None:
        self.model = b""

    @classmethod
    def _trained(
        cls,
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
        **source: Any,
    ) -> SentencePieceVocab:
        where = "SentencePieceVocab"
        check_int32(where, "vocab_size", vocab_size, 1)
        kind = check_instance(where, "model_type", model_type, SentencePieceModel).name.lower()
        stream = io.BytesIO()
        _package().SentencePieceTrainer.train(
            model_writer=stream,
            vocab_size=vocab_size,
            character_coverage=check_number(where, "character_coverage", character_coverage, 0, 1),
            model_type=kind,
            **source,
            **check_instance(where, "params", params, dict),
        )
        vocab = cls()
        vocab.model = stream.getvalue()
        return vocab

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """A model of the lines of text files.

        Raises:
            ImportError: the package sentencepiece is not installed.
        """
        paths = checks.files("SentencePieceVocab", "file_path", file_path)
        return cls._trained(vocab_size, character_coverage, model_type, params, input=paths)

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """A model of the strings in columns of a dataset.

        Raises:
            ImportError: the package sentencepiece is not installed.
        """
        rows = dataset.project(col_names).create_tuple_iterator(num_epochs=1, output_numpy=True)
        sentences = (str(text) for row in rows for array in row for text in array.ravel())
        return cls._trained(vocab_size, character_coverage, model_type, params, sentence_iterator=sentences)

    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None:
        """Writes a model to a file of a folder."""
        with open(os.path.join(checks.folder("save_model", "path", path), filename), "wb") as stream:
            stream.write(vocab.model)


class SentencePieceTokenizer(OfOneString):
    """The pieces of a string.

    Args:
        mode: a SentencePieceVocab, or the path of a model's file.
        out_type: whether pieces come as strings or as numbers.

    Raises:
        TypeError: an argument is of a wrong type.
        ImportError: the package sentencepiece is not installed.
    """

    def __init__(self, mode: Any, out_type: SPieceTokenizerOutType):
        where = "SentencePieceTokenizer"
        check_instance(where, "mode", mode, (str, SentencePieceVocab))
        self.strings = check_instance(where, "out_type", out_type, SPieceTokenizerOutType) == SPieceTokenizerOutType.STRING
        processor = _package().SentencePieceProcessor
        if isinstance(mode, str):
            self.processor = processor(model_file=checks.file(where, "mode", mode))
        else:
            self.processor = processor(model_proto=mode.model)

    def apply(self, text: str) -> Any:
        return np.asarray(
            self.processor.encode(text, out_type=str if self.strings else int), None if self.strings else np.int32
        )
