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
    """A model that divides strings into pieces, trained by the package sentencepiece. SentencePieceVocab.from_file() and
    from_dataset() train one, and save_model() writes it to a file (T. Kudo and J. Richardson, "SentencePiece: a simple and
    language independent subword tokenizer and detokenizer for neural text processing", 2018).

    Raises:
        ImportError: the package sentencepiece is not installed, when one is trained.

    Examples:
        >>> lines = ds.NumpySlicesDataset(["low lower", "new newer", "wide wider"], ["text"], shuffle=False)
        >>> kind, options = text.SentencePieceModel.BPE, {"minloglevel": "2"}
        >>> vocab = text.SentencePieceVocab.from_dataset(lines, ["text"], 16, 1.0, kind, options)
        >>> text.SentencePieceTokenizer(vocab, text.SPieceTokenizerOutType.STRING)("newer")
        array(['▁', 'n', 'ew', 'er'], dtype='<U2')
    """

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
        """Trains a model of the lines of text files.

        Args:
            file_path: the paths of the files, a list.
            vocab_size: how many pieces there are.
            character_coverage: the fraction of the text's characters that pieces cover, from 0 to 1.
            model_type: the kind of the model, a SentencePieceModel.
            params: other options of the package's trainer, by name.

        Returns:
            A SentencePieceVocab.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: there is no such file, or a number is out of range.
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
        """Trains a model of the strings in columns of a dataset.

        Args:
            dataset: the dataset, of whose rows an epoch is read.
            col_names: the names of the columns.
            vocab_size: how many pieces there are.
            character_coverage: the fraction of the text's characters that pieces cover, from 0 to 1.
            model_type: the kind of the model, a SentencePieceModel.
            params: other options of the package's trainer, by name.

        Returns:
            A SentencePieceVocab.

        Raises:
            TypeError: an argument is of a wrong type.
            ValueError: a number is out of range.
            ImportError: the package sentencepiece is not installed.
        """
        rows = dataset.project(col_names).create_tuple_iterator(num_epochs=1, output_numpy=True)
        sentences = (str(text) for row in rows for array in row for text in array.ravel())
        return cls._trained(vocab_size, character_coverage, model_type, params, sentence_iterator=sentences)

    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None:
        """Writes a model to a file.

        Args:
            vocab: the model.
            path: the path of the file's folder.
            filename: the name of the file.

        Raises:
            ValueError: there is no such folder.
        """
        with open(os.path.join(checks.folder("save_model", "path", path), filename), "wb") as stream:
            stream.write(vocab.model)


class SentencePieceTokenizer(OfOneString):
    """Divides a string into the pieces of a model of SentencePiece, by its package (T. Kudo and J. Richardson,
    "SentencePiece: a simple and language independent subword tokenizer and detokenizer for neural text processing", 2018).

    Args:
        mode: a SentencePieceVocab, or the path of a model's file.
        out_type: SPieceTokenizerOutType.STRING: pieces come as strings; INT: as their numbers.

    Inputs:
        value: one string.

    Returns:
        Str or int32 of (N,).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file.
        ImportError: the package sentencepiece is not installed.
        RuntimeError: it gets something else than one string.

    Examples:
        >>> lines = ds.NumpySlicesDataset(["low lower", "new newer", "wide wider"], ["text"], shuffle=False)
        >>> kind, options = text.SentencePieceModel.BPE, {"minloglevel": "2"}
        >>> vocab = text.SentencePieceVocab.from_dataset(lines, ["text"], 16, 1.0, kind, options)
        >>> text.SentencePieceTokenizer(vocab, text.SPieceTokenizerOutType.INT)("newer")
        array([ 9, 14,  4,  3], dtype=int32)
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
