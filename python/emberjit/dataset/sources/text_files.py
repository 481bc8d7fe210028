"""TextFileDataset and CSVDataset: a row a line."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np

from emberjit.checks import check_instance
from emberjit.dataset import checks
from emberjit.dataset.datasets import Dataset
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.mappable import MappableDataset
from emberjit.dataset.sources.records import FileSampler, Records, file_sampler, lines
from emberjit.dataset.values import Array, Row


class FileDataset(MappableDataset):
    """A dataset of files; no sampler can be given."""

    def use_sampler(self, new_sampler: Any) -> None:
        """Refused: shuffle, num_shards and num_samples say which rows come.

        Args:
            new_sampler: named in the error.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(
            f"For '{type(self).__name__}', no sampler can be given, as {new_sampler!r}: shuffle, num_shards and num_samples "
            "say which rows come."
        )

    add_sampler = use_sampler

    def _parts(self, counts: list[int], seed: int, randomize: bool) -> tuple[Dataset, ...]:
        return super(MappableDataset, self)._parts(counts, seed, randomize)


class Text(Records):
    where = "TextFileDataset"

    def __init__(self, paths: list[str], columns: list[str], sampler: FileSampler, number: int | None, empty: bool = False):
        super().__init__(paths, columns, sampler, number)
        self.empty = empty

    def record_spans(self, path: str) -> Any:
        return lines(path, empty=self.empty)

    def parsed(self, record: bytes) -> Row:
        return (np.asarray(record.decode().removesuffix("\r")),)


class TextFileDataset(FileDataset):
    r"""The lines of text files that are not empty: column "text", str.

    Args:
        dataset_files: the path of a file, or a pattern as of glob, or a list of them.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, or arguments contradict each other.
        RuntimeError: cache is given.

    Examples:
        >>> with open("lines.txt", "w") as file:
        ...     print("one", "", "two words", sep="\n", file=file)
        >>> dataset = ds.TextFileDataset("lines.txt", shuffle=False)
        >>> [str(line) for line, in dataset]
        ['one', 'two words']
    """

    def __init__(
        self,
        dataset_files: Any,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "TextFileDataset"
        checks.no_cache(where, cache)
        paths = checks.files(where, "dataset_files", dataset_files)
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        super().__init__(Text(paths, ["text"], sampler, checks.workers(where, num_parallel_workers)))


def fields_of(line: str, delimiter: str) -> list[str]:
    """The fields of a line of a CSV file; one in quotes may hold all characters, a quote as two.

    Raises:
        ValueError: a quote is where none may be.
    """
    if '"' not in line:
        return line.split(delimiter)
    fields, at, separator = [], 0, re.escape(delimiter)
    field = re.compile(rf'(?:"([^"]*(?:""[^"]*)*)"|([^"{separator}]*))({separator}|$)')
    while True:
        match = field.match(line, at)
        if match is None:
            raise ValueError(f"a quote is within a field that does not begin and end with one, after the {at}th character")
        quoted, plain, end = match.groups()
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        if not end:
            return fields
        at = match.end()


class Csv(Records):
    where = "CSVDataset"

    def __init__(self, names: list[str] | None, delimiter: str, kinds: list[Any] | None, paths: list[str], *more: Any):
        super().__init__(paths, None, *more)
        self.names, self.delimiter, self.kinds = names, delimiter, kinds

    @functools.cached_property
    def columns(self) -> list[str]:
        """The names given, or in the first line of each file."""
        if self.names is not None:
            return self.names
        names = self._header(self.paths[0], lines(self.paths[0], quoted=True))
        if len(set(names)) != len(names) or "" in names:
            raise self._refused(self.paths[0], f"must name all columns, none twice, but it names {names}")
        return names

    def _refused(self, path: str, why: str) -> RuntimeError:
        return RuntimeError(f"For '{self.where}', the first line of '{path}' {why}; or 'column_names' must be given.")

    def _header(self, path: str, places: Array) -> list[str]:
        if not len(places):
            raise self._refused(path, "must name the columns, but there is none")
        try:
            return fields_of(self.bytes_of(path, *places[0].tolist()).decode(), self.delimiter)
        except ValueError as error:
            raise self._refused(path, f"must name the columns, but {error}") from None

    def record_spans(self, path: str) -> Any:
        places = lines(path, quoted=True)
        if self.names is not None:
            return places
        names = self._header(path, places)
        if names != self.columns:
            raise self._refused(
                path, f"must name the columns as that of '{self.paths[0]}', {self.columns}, but it names {names}"
            )
        return places[1:]

    def parsed(self, record: bytes) -> Row:
        fields = fields_of(record.decode(), self.delimiter)
        if len(fields) != len(self.columns):
            raise ValueError(f"there are {len(fields)} fields for the {len(self.columns)} columns {self.columns}")
        kinds = self.kinds or [""] * len(fields)
        return tuple(self._value(text, kind) for text, kind in zip(fields, kinds))

    @staticmethod
    def _value(text: str, default: Any) -> Any:
        if isinstance(default, str):
            return np.asarray(text or default)
        if isinstance(default, float):
            return np.asarray(float(text) if text else default, np.float32)
        return np.asarray(int(float(text)) if text else default, np.int32)


class CSVDataset(FileDataset):
    r"""The lines of CSV files, of which each field is a column: str without column_defaults, else of the kind of its
    default.

    Args:
        dataset_files: the path of a file, or a pattern as of glob, or a list of them.
        field_delim: the character between fields.
        column_defaults: for each column the value of an empty field, which says the column's dtype: an int int32, a float
            float32, a str str; None: all are str.
        column_names: the columns' names; None: those in the first line, which is the same in all files.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        cache: None: there is no cache server.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, field_delim is not one character, or arguments contradict each other.
        RuntimeError: cache is given; or a line does not have a field for each column, or one of another kind.

    Examples:
        >>> with open("rows.csv", "w") as file:
        ...     print("name,size", "a,1.5", "b,", sep="\n", file=file)
        >>> dataset = ds.CSVDataset("rows.csv", column_defaults=["", 0.0], shuffle=False)
        >>> for name, size in dataset:
        ...     print(name, size)
        a 1.5
        b 0.0
    """

    def __init__(
        self,
        dataset_files: Any,
        field_delim: str = ",",
        column_defaults: list[Any] | None = None,
        column_names: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        where = "CSVDataset"
        checks.no_cache(where, cache)
        paths = checks.files(where, "dataset_files", dataset_files)
        if len(check_instance(where, "field_delim", field_delim, str)) != 1 or field_delim in '"\r\n':
            raise ValueError(
                f"For '{where}', 'field_delim' must be one character, no quote or newline, but got {field_delim!r}."
            )
        if column_defaults is not None:
            for default in check_instance(where, "column_defaults", column_defaults, list):
                check_instance(where, "column_defaults", default, (int, float, str))
        names = None if column_names is None else checks.names(where, "column_names", column_names)
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id)
        number = checks.workers(where, num_parallel_workers)
        super().__init__(Csv(names, field_delim, column_defaults, paths, sampler, number))
