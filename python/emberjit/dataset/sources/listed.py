"""What sources of folders have in common: rows are listed when the first is needed, and images read one by one."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable
from typing import Any
from xml.etree import ElementTree

import numpy as np

from emberjit.checks import check_bool, check_choice, check_instance, check_int32
from emberjit.dataset import checks, samplers
from emberjit.dataset.sources.mappable import Mappable, bytes_of
from emberjit.dataset.values import Array, Row, to_array

_NOT_OF_FORM = (ValueError, KeyError, IndexError, TypeError, AttributeError, OSError)


class Image(str):
    """The path of an image, whose bytes or pixels are a value."""


class Contents(str):
    """The path of a text file, whose text is a value."""


class Loaded(str):
    """The path of a file that a subclass makes a value of."""

    def value(self) -> Any:
        """The value.

        Raises:
            RuntimeError, OSError, ValueError, KeyError: the file is not of the form.
        """
        raise NotImplementedError


_PATHS = (Image, Contents, Loaded)


class Listed(Mappable):
    """Rows of values, images and texts.

    Args:
        where: the dataset.
        columns: the columns' names.
        find: gives the rows.
        decode: whether pixels of images come, not their bytes.
        indexing: gives the labels of classes by name.
        selection: sampler, num_samples, shuffle, num_shards and shard_id, as of GeneratorDataset.
    """

    has_files = True

    def __init__(
        self,
        where: str,
        columns: list[str],
        find: Callable[[], Iterable[Row]],
        decode: bool | None,
        num_parallel_workers: int | None,
        cache: Any,
        *selection: Any,
        indexing: Callable[[], dict[str, Any]] | None = None,
    ):
        checks.no_cache(where, cache)
        sampler, num_samples, shuffle, num_shards, shard_id = selection
        row_sampler = samplers.select(where, sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(columns, row_sampler, checks.workers(where, num_parallel_workers))
        self.where, self.find, self.indexing = where, find, indexing
        self.decode = self.is_work = bool(decode) and check_bool(where, "decode", decode)

    @functools.cached_property
    def entries(self) -> list[Row]:
        """The rows.

        Raises:
            RuntimeError: there are none, or files are not of the form.
        """
        try:
            rows = list(self.find())
        except _NOT_OF_FORM as error:
            raise RuntimeError(
                f"For '{self.where}', the files are not of its form: {type(error).__name__}: {error}"
            ) from error
        if not rows:
            raise RuntimeError(f"For '{self.where}', there is no row in the files.")
        return rows

    @functools.cached_property
    def class_indexing(self) -> dict[str, Any] | None:
        """The labels of classes by name, if they have any."""
        return None if self.indexing is None else self.indexing()

    @property
    def num_classes(self) -> int | None:
        """How many classes there are."""
        return None if self.class_indexing is None else len(self.class_indexing)

    def length(self) -> int:
        return len(self.entries)

    def labels(self, column: str) -> Any:
        if column not in self.columns or column.startswith("image"):
            return super().labels(column)
        return [np.ravel(row[self.columns.index(column)])[0] for row in self.entries]

    def file_of(self, index: int) -> str:
        named = (value for value in self.entries[index] if isinstance(value, _PATHS))
        return next((f"the file '{value}'" for value in named), f"row {index}")

    def load(self, index: int) -> Row:
        return tuple(map(self._value, self.entries[index]))

    def _value(self, value: Any) -> Any:
        if not isinstance(value, _PATHS):
            return to_array(value)
        try:
            if isinstance(value, Loaded):
                return to_array(value.value())
            if isinstance(value, Contents):
                return np.asarray(text_of(value))
            data = bytes_of(value)
            return _decoded(data) if self.decode else data
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            raise RuntimeError(f"the file '{value}': {error}") from None


def _decoded(data: Array) -> Any:
    from emberjit.dataset.vision.codec import Decode

    return Decode()(data)


def choice(where: str, name: str, value: Any, choices: Iterable[str], default: str) -> str:
    """One of some words; the default one for None."""
    check_instance(where, name, value, (str, type(None)))
    return str(check_choice(where, name, default if value is None else value, *choices))


def text_of(*path: str) -> str:
    """The text of a file."""
    with open(os.path.join(*path), encoding="utf-8") as stream:
        return stream.read()


def json_of(path: str) -> Any:
    """What a file of JSON says.

    Raises:
        ValueError: it is none.
    """
    try:
        return json.loads(text_of(path))
    except ValueError as error:
        raise ValueError(f"'{path}' is no JSON: {error}") from None


def xml_of(path: str) -> ElementTree.Element:
    """The outermost element of a file of XML.

    Raises:
        ValueError: it is none.
    """
    try:
        return ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise ValueError(f"'{path}' is no XML: {error}") from None


def lines_of(*path: str) -> list[str]:
    """The lines of a file that are not empty, without what is blank around them."""
    return [line.strip() for line in text_of(*path).splitlines() if line.strip()]


def folders_in(folder: str) -> list[str]:
    """The names of the folders in one, sorted."""
    return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())


def images_in(*folder: str, endings: tuple[str, ...] = (".jpg", ".jpeg", ".png", ".bmp", ".gif")) -> list[Image]:
    """The images in a folder and those in it, by path."""
    root = os.path.join(*folder)
    paths = [os.path.join(at, name) for at, _, names in os.walk(root) for name in names]
    return [Image(path) for path in sorted(paths) if path.lower().endswith(endings)]


def no_decryption(where: str, decrypt: Any) -> None:
    """That files are read as they are."""
    if decrypt is not None:
        raise RuntimeError(f"For '{where}', 'decrypt' must be None: files are read as they are, but got {decrypt!r}.")


def indexing_of(where: str, class_indexing: Any) -> dict[str, int] | None:
    """Labels of classes by name, if given."""
    if class_indexing is not None:
        for name, label in check_instance(where, "class_indexing", class_indexing, dict).items():
            check_instance(where, "class_indexing", name, str)
            check_int32(where, "class_indexing", label)
    return class_indexing  # type: ignore[no-any-return]


def numbered(names: Iterable[str]) -> dict[str, int]:
    """Labels of classes by name, in the order of names."""
    return {name: label for label, name in enumerate(sorted(set(names)))}
