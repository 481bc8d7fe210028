"""Files of records: where each begins is found once, and a sampler says which come, and in which order."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit.dataset import checks, config, samplers
from emberjit.dataset.node import Run
from emberjit.dataset.shuffling import Shuffle, shuffle_of
from emberjit.dataset.sources.mappable import Mappable
from emberjit.dataset.values import Array, Row
from emberjit.mindrecord.files import Files

_CHUNK = 1 << 24


class FileSampler(samplers.BuiltinSampler):
    """Records of files, shuffled as asked, then dealt to shards. Unless all are shuffled, each of several workers reads
    every n-th file, and they give a record in turn.

    Args:
        files, rows: whether files, and whether the records of one (of all, with files), are shuffled.
        by: how records are dealt: whole "files"; or the same number to each shard, with the first ones again after the last:
            in "blocks", or one by one in "turns".
    """

    def __init__(
        self, files: bool, rows: bool, num_samples: int | None, num_shards: int | None, shard_id: int | None, by: str
    ):
        super().__init__(num_samples)
        self.files, self.rows, self.by = files, rows, by
        self.shuffled = files or rows
        self.num_shards, self.shard_id = num_shards or 1, shard_id or 0
        self.sharded = num_shards is not None
        self.counts: Sequence[int] = ()
        self.workers = 1

    def _indices(self, length: int, random: np.random.Generator, labels: samplers.Labels) -> Any:
        starts = np.cumsum([0, *self.counts])
        order = random.permutation(len(self.counts)) if self.files else np.arange(len(self.counts))
        if self.by == "files" and self.sharded:
            order = order[self.shard_id :: self.num_shards]
        parts = [np.arange(starts[k], starts[k + 1]) for k in order]
        if self.rows and not self.files:
            parts = [random.permutation(part) for part in parts]
        indices = np.concatenate([*parts, np.arange(starts[-1], length)])  # the last are of no file
        if self.files and self.rows:
            indices = random.permutation(indices)
        if self.by != "files" and length:
            count = -(-length // self.num_shards)
            places = np.arange(count)
            positions = self.shard_id * count + places if self.by == "blocks" else self.shard_id + self.num_shards * places
            indices = indices[positions % length]
        if not (self.files and self.rows):
            indices = indices[_in_turns(np.searchsorted(starts, indices, side="right"), self.workers)]
        return indices[: self.num_samples]


def _in_turns(files: Array, workers: int) -> Any:
    """The order in which workers give records, by the file of each record, of which each worker reads every n-th."""
    if workers == 1 or not len(files):
        return np.arange(len(files))
    begins = np.flatnonzero(np.diff(files, prepend=files[0] - 1))
    worker = np.repeat(np.arange(len(begins)) % workers, np.diff(begins, append=len(files)))
    turn = np.empty(len(files), np.int64)
    for number in range(workers):
        own = worker == number
        turn[own] = np.arange(own.sum())
    return np.lexsort((worker, turn))


def file_sampler(
    where: str, shuffle: Any, num_samples: int | None, num_shards: int | None, shard_id: int | None, by: str = "blocks"
) -> FileSampler:
    """The sampler that arguments ask for; by: how records are dealt to shards, as of FileSampler.

    Raises:
        TypeError: shuffle is no bool or Shuffle.
        ValueError: shards do not fit.
    """
    checks.shards(where, num_shards, shard_id)
    files, rows = shuffle_of(where, Shuffle.GLOBAL if shuffle is None else shuffle)
    return FileSampler(files, rows, checks.samples(where, num_samples), num_shards, shard_id, by)


class Records(Mappable):
    """Records of files.

    Args:
        paths: the files.
        columns: the columns' names; None: they are known once a record is.
    """

    def __init__(self, paths: list[str], columns: list[str] | None, sampler: FileSampler, number: int | None):
        super().__init__(columns or [], sampler, number)
        self.paths, self.files = sorted(paths), Files()

    @functools.cached_property
    def places(self) -> list[Any]:
        """For each file where its records begin and end."""
        places = [self.record_spans(path) for path in self.paths]
        if isinstance(self.sampler, FileSampler):
            self.sampler.counts = [len(spans) for spans in places]
        self.release()
        return places

    @property
    def readers(self) -> int | None:
        in_turns = isinstance(self.sampler, FileSampler) and not (self.sampler.files and self.sampler.rows)
        return (self.number or config.get_num_parallel_workers()) if in_turns else None

    def order(self, run: Run, epoch: int) -> Any:
        if isinstance(self.sampler, FileSampler):
            self.sampler.workers = run.readers.get(id(self), 1)
        return super().order(run, epoch)

    @functools.cached_property
    def _starts(self) -> Any:
        return np.cumsum([0, *(len(spans) for spans in self.places)])

    def length(self) -> int:
        return int(self._starts[-1])

    def bytes_of(self, path: str, start: int, end: int) -> bytes:
        """A part of a file."""
        return self.files.read(path, start, end - start)

    def release(self) -> None:
        self.files.close()

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
            what = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            raise RuntimeError(f"{self.file_of(index)}: {what}") from error

    def record_spans(self, path: str) -> Any:
        """Where a file's records begin and end, of shape (N, 2)."""
        raise NotImplementedError

    def parsed(self, record: bytes) -> Row:
        """The row of a record."""
        raise NotImplementedError


def lines(path: str, quoted: bool = False, empty: bool = False) -> Any:
    """Where lines that are not empty begin and end; quoted: they end at carriage returns too, but neither within quotes;
    empty: those that are empty as well.

    Raises:
        RuntimeError: a quote has no end.
    """
    begins, at, inside = [np.zeros(1, np.int64)], 0, False
    with open(path, "rb", buffering=0) as stream:
        while len(data := np.frombuffer(stream.read(_CHUNK), np.uint8)):
            ends = data == ord("\n")
            if quoted:
                ends |= data == ord("\r")
                quotes = data == ord('"')
                if inside or quotes.any():
                    within = np.logical_xor.accumulate(quotes) ^ inside
                    ends &= ~within
                    inside = bool(within[-1])
            begins.append(np.flatnonzero(ends) + (at + 1))
            at += len(data)
    if inside:
        raise RuntimeError(f"The file '{path}' has a quote without an end.")
    starts = np.concatenate([*begins, np.asarray([at + 1])])
    places = np.stack([starts[:-1], starts[1:] - 1], 1)
    return places[places[:, 0] < at] if empty else places[places[:, 1] > places[:, 0]]
