"""Files of records one after the other: where each begins is found once, and a sampler says which come."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit.dataset import checks, samplers
from emberjit.dataset.shuffling import Shuffle, shuffle_of
from emberjit.dataset.sources.mappable import Mappable
from emberjit.dataset.values import Row


class FileSampler(samplers.BuiltinSampler):
    """Records of files, shuffled as asked, in blocks of which each shard has one; of the same number, with the first ones
    again after the last, or of whole files.

    Args:
        files, rows: whether files, and whether the records of one (of all, with files), are shuffled.
    """

    def __init__(
        self, files: bool, rows: bool, num_samples: int | None, num_shards: int | None, shard_id: int | None, by_file: bool
    ):
        super().__init__(num_samples)
        self.files, self.rows, self.by_file = files, rows, by_file
        self.shuffled = files or rows
        self.shards, self.shard = num_shards or 1, shard_id or 0
        self.sharded = num_shards is not None
        self.counts: Sequence[int] = ()

    def _indices(self, length: int, random: np.random.Generator, labels: Any) -> Any:
        starts = np.cumsum([0, *self.counts])
        order = random.permutation(len(self.counts)) if self.files else np.arange(len(self.counts))
        if self.by_file:
            order = order[self.shard :: self.shards]
        parts = [np.arange(starts[k], starts[k + 1]) for k in order]
        if self.rows and not self.files:
            parts = [random.permutation(part) for part in parts]
        found = np.concatenate([*parts, np.arange(0)])
        if self.files and self.rows:
            found = random.permutation(found)
        if not self.by_file and self.shards > 1 and length:
            count = -(-length // self.shards)
            found = found[(self.shard * count + np.arange(count)) % length]
        return found[: self.num_samples]


def file_sampler(
    where: str, shuffle: Any, num_samples: int | None, num_shards: int | None, shard_id: int | None, by_file: bool = False
) -> FileSampler:
    """The sampler that arguments ask for.

    Raises:
        TypeError: shuffle is no bool or Shuffle.
        ValueError: shards do not fit.
    """
    checks.shards(where, num_shards, shard_id)
    files, rows = shuffle_of(where, Shuffle.GLOBAL if shuffle is None else shuffle)
    if shuffle is Shuffle.INFILE:
        files = False
    return FileSampler(
        files, rows, checks.samples(where, num_samples), num_shards, shard_id, by_file and num_shards is not None
    )


class Records(Mappable):
    """Records of files.

    Args:
        paths: the files.
        columns: the columns' names; None: they are known once a record is.
    """

    def __init__(self, paths: list[str], columns: list[str] | None, sampler: FileSampler, number: int | None):
        super().__init__(columns or [], sampler, number)
        self.paths = sorted(paths)

    @functools.cached_property
    def places(self) -> list[Any]:
        """For each file where its records begin and end."""
        found = [self.found_in(path) for path in self.paths]
        if isinstance(self.sampler, FileSampler):
            self.sampler.counts = [len(each) for each in found]
        return found

    @functools.cached_property
    def _starts(self) -> Any:
        return np.cumsum([0, *(len(each) for each in self.places)])

    def length(self) -> int:
        return int(self._starts[-1])

    @functools.cached_property
    def _open(self) -> dict[str, int]:
        return {}

    def bytes_of(self, path: str, start: int, end: int) -> bytes:
        """A part of a file."""
        if path not in self._open:
            self._open[path] = os.open(path, os.O_RDONLY)
        return os.pread(self._open[path], end - start, start)

    def __del__(self) -> None:
        for descriptor in self.__dict__.get("_open", {}).values():
            os.close(descriptor)

    has_files = True

    def _place(self, index: int) -> tuple[int, int]:
        at = int(np.searchsorted(self._starts, index, side="right")) - 1
        return at, index - int(self._starts[at])

    def file_of(self, index: int) -> str:
        at, row = self._place(index)
        return f"record {row} of the file '{self.paths[at]}'"

    def load(self, index: int) -> Row:
        at, row = self._place(index)
        start, end = self.places[at][row]
        path = self.paths[at]
        try:
            return self.parsed(self.bytes_of(path, int(start), int(end)))
        except Exception as error:
            raise RuntimeError(f"{self.file_of(index)}: {type(error).__name__}: {error}") from error

    def found_in(self, path: str) -> Any:
        """Where a file's records begin and end, of shape (N, 2)."""
        raise NotImplementedError

    def parsed(self, record: bytes) -> Row:
        """The row of a record."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_open"}


def lines(path: str, first: int = 0) -> Any:
    """Where lines that are not empty begin and end."""
    data = np.fromfile(path, np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    if len(data) and (not len(ends) or ends[-1] != len(data) - 1):
        ends = np.append(ends, len(data))
    found = np.stack([np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends, ends], 1)[first:]
    return found[found[:, 1] > found[:, 0]]
