"""TFRecordDataset: files of TensorFlow's records, each a tf.train.Example."""

from __future__ import annotations

import functools
import os
import struct
import tempfile
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from emberjit import protobuf
from emberjit.checks import check_bool, check_choice
from emberjit.dataset import checks
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.records import FileSampler, Records, file_sampler
from emberjit.dataset.sources.schema import Schema, schema_of
from emberjit.dataset.sources.text_files import FileDataset
from emberjit.dataset.values import Row
from emberjit.tfrecord import FOOT, HEAD, damaged, masked_crc

_CHUNK = 1 << 20
_WINDOWS = {"GZIP": 16 + zlib.MAX_WBITS, "ZLIB": zlib.MAX_WBITS}


def _int64s(data: memoryview) -> Any:
    """The numbers of a packed field, 7 bits a byte."""
    octets = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(octets < 0x80)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    shifts = (np.arange(len(octets)) - np.repeat(starts, ends - starts + 1)).astype(np.uint64) * np.uint64(7)
    parts = (octets & 0x7F).astype(np.uint64) << shifts
    return (np.bitwise_or.reduceat(parts, starts) if len(starts) else parts).view(np.int64)


def _feature(data: memoryview) -> Any:
    """A list of bytes, or an array of float32 or int64."""
    for kind, body in protobuf.fields(data):
        values = [value for number, value in protobuf.fields(body) if number == 1]
        if kind == 1:
            return [bytes(item) for item in values]
        if kind == 2:
            return np.concatenate([np.frombuffer(item, "<f4") for item in values] or [np.zeros(0, np.float32)])
        unpacked = [
            np.asarray([item], np.uint64).view(np.int64) if isinstance(item, int) else _int64s(item) for item in values
        ]
        return np.concatenate(unpacked or [np.zeros(0, np.int64)])
    return np.zeros(0, np.int64)


def example(record: bytes) -> dict[str, Any]:
    """The features of a tf.train.Example by name.

    Raises:
        ValueError: it is none.
    """
    result = {}
    try:
        for _, features in protobuf.fields(memoryview(record)):
            for _, entry in protobuf.fields(features):
                parts = dict(protobuf.fields(entry))
                result[bytes(parts[1]).decode()] = _feature(parts.get(2, memoryview(b"")))
    except (IndexError, KeyError, TypeError, struct.error):
        raise ValueError("the record is no tf.train.Example") from None
    return result


def _octets(values: list[bytes]) -> Any:
    longest = max(map(len, values), default=0)
    return np.frombuffer(b"".join(value.ljust(longest) for value in values), np.uint8).copy()


class _TFRecords(Records):
    where = "TFRecordDataset"

    def __init__(
        self,
        paths: list[str],
        schema: Schema | None,
        names: list[str] | None,
        sampler: FileSampler,
        number: int | None,
        compression: str | None,
    ):
        super().__init__(paths, None, sampler, number)
        self.schema, self.names, self.compression = schema, names, compression

    @functools.cached_property
    def columns(self) -> list[str]:
        """The names given, the schema's, or, in their order, the first record's."""
        if self.names is not None:
            return self.names
        if self.schema is not None:
            return list(self.schema.columns)
        for path, places in zip(self.paths, self.places):
            if len(places):
                try:
                    return sorted(example(self.bytes_of(path, *places[0].tolist())))
                except ValueError as error:
                    raise self._refused(path, f"has a record 0 that is none: {error}") from None
        raise RuntimeError(f"For '{self.where}', there is no record in {self.paths}, whose columns could be told.")

    @functools.cached_property
    def _unpacked(self) -> tuple[Any, dict[str, tuple[int, int]]]:
        """A file, without a name, of what compressed files hold, and where each one's is in it."""
        return tempfile.TemporaryFile(), {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_unpacked"}

    def _unpack(self, path: str) -> tuple[int, int]:
        stream, places = self._unpacked
        if path not in places:
            start, state = stream.seek(0, os.SEEK_END), zlib.decompressobj(_WINDOWS[str(self.compression)])
            with open(path, "rb") as packed:
                while data := packed.read(_CHUNK):
                    while data:
                        try:
                            stream.write(state.decompress(data, _CHUNK))
                        except zlib.error as error:
                            raise self._refused(path, f"cannot be decompressed as {self.compression} ({error})") from None
                        data = state.unconsumed_tail or state.unused_data
                        if state.eof and data:  # of a file of several parts
                            state = zlib.decompressobj(_WINDOWS[str(self.compression)])
            if not state.eof:
                raise self._refused(path, f"ends before its {self.compression} data does")
            stream.flush()
            places[path] = start, stream.tell() - start
        extent: tuple[int, int] = places[path]
        return extent

    def _refused(self, path: str, why: str) -> RuntimeError:
        return RuntimeError(f"For '{self.where}', the file '{path}' is no whole TFRecord file, or damaged: it {why}.")

    def bytes_of(self, path: str, start: int, end: int) -> bytes:
        if self.compression is None:
            return super().bytes_of(path, start, end)
        first, size = self._unpack(path)
        return os.pread(self._unpacked[0].fileno(), min(end, size) - start, first + start)

    def record_spans(self, path: str) -> Any:
        places, heads, at = list[tuple[int, int]](), list[bytes](), 0
        size = self._unpack(path)[1] if self.compression else os.path.getsize(path)
        while at < size:
            head = self.bytes_of(path, at, at + HEAD)
            length = struct.unpack("<Q", head[:8])[0] if len(head) == HEAD else size
            if at + HEAD + length + FOOT > size:
                raise self._refused(path, f"ends within record {len(places)}, or the record's length is wrong")
            places.append((at + HEAD, at + HEAD + length))
            heads.append(head)
            at += HEAD + length + FOOT
        for record in damaged(b"".join(heads)):
            raise self._refused(path, f"has a record {record} whose length is not the one that its checksum is of")
        return np.asarray(places, np.int64).reshape(-1, 2)

    def load(self, index: int) -> Row:
        try:
            return super().load(index)
        except RuntimeError as error:
            at, row = self._place(index)
            data = self.bytes_of(self.paths[at], *(self.places[at][row] + (0, FOOT)).tolist())
            if masked_crc(data[:-FOOT]) == int.from_bytes(data[-FOOT:], "little"):
                raise
            raise RuntimeError(f"{error} (the record is damaged: its checksum is of other data)") from None

    def parsed(self, record: bytes) -> Row:
        features = example(record)
        return tuple(self._column(name, features) for name in self.columns)

    def _column(self, name: str, features: dict[str, Any]) -> Any:
        if name not in features:
            raise KeyError(f"there is no feature '{name}' among {sorted(features)}")
        value = features[name]
        if self.schema is None or name not in self.schema.columns:
            return _octets(value) if isinstance(value, list) else value
        column = self.schema.columns[name]
        if isinstance(value, list):
            text = column["type"] == "string"
            array = (
                np.asarray([item.decode() for item in value]) if text else np.frombuffer(b"".join(value), np.uint8).copy()
            )
        else:
            array = value.astype(column["type"])
        shape = column.get("shape")
        return array if shape is None else array.reshape(shape)


def records(path: str) -> Iterator[bytes]:
    """The records of a file that is not compressed.

    Raises:
        FileNotFoundError: there is none.
        RuntimeError: it is none of records, or damaged.
    """
    source = _TFRecords([path], None, [], file_sampler("records", False, None, None, None), None, None)
    for start, end in source.record_spans(path).tolist():
        yield source.bytes_of(path, start, end)


class TFRecordDataset(FileDataset):
    """The records of TFRecord files, each a tf.train.Example: numbers are int64 or float32 of (N,); strings of bytes are
    padded with blanks to one length, and come as uint8, one after the other. A schema may say otherwise. The checksums of
    lengths are compared, as in MindSpore; those of data where they are no tf.train.Example.

    Args:
        dataset_files: the path of a file, or a pattern as of glob, or a list of them.
        schema: a Schema, or the path of one's file, which says the columns' dtypes and shapes; None: as the records are.
        columns_list: the names of the columns that come; None: all, by name.
        num_samples: how many rows come at most; None: all.
        num_parallel_workers: how many threads read; unless all rows are shuffled, the order of the rows of several files
            depends on it; None: as many as ds.config.get_num_parallel_workers() says.
        shuffle: True, None or Shuffle.GLOBAL: rows come in random order, in each epoch another; Shuffle.FILES: only the
            files do; Shuffle.INFILE: only the rows of each file do; False: in the order of the files.
        num_shards: into how many parts the rows are divided, of which each process reads one; None: they are not.
        shard_id: which part comes, from 0 to num_shards - 1; given together with num_shards.
        shard_equal_rows: whether shards are of the same number of rows; else of whole files, of which there must be at least
            as many as shards.
        cache: None: there is no cache server.
        compression_type: "GZIP" or "ZLIB", if the files are compressed so; None or "": they are not.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, an argument is none of its choices, or arguments contradict each other.
        RuntimeError: cache is given, there are fewer files than shards, or a file is none of records, or damaged.

    Examples:
        >>> dataset = ds.TFRecordDataset(example_data("tfrecord") + "/rows.tfrecord", shuffle=False)
        >>> for row in dataset.create_dict_iterator():
        ...     print(row["label"], row["x"])
        [0] [0.  0.5]
        [1] [1.  1.5]
        [2] [2.  2.5]
    """

    def __init__(
        self,
        dataset_files: Any,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ):
        where = "TFRecordDataset"
        checks.no_cache(where, cache)
        paths = checks.files(where, "dataset_files", dataset_files)
        names = None if columns_list is None else checks.names(where, "columns_list", columns_list)
        by = "blocks" if check_bool(where, "shard_equal_rows", shard_equal_rows) else "files"
        if by == "files" and (num_shards or 0) > len(paths):
            raise RuntimeError(
                f"For '{where}', 'num_shards' without 'shard_equal_rows' must be at most the number of files, {len(paths)}, "
                f"but got {num_shards}."
            )
        compression = check_choice(where, "compression_type", compression_type or None, None, "GZIP", "ZLIB")
        parsed = schema_of(where, schema)
        limit = num_samples or (parsed.num_rows if parsed is not None else 0) or num_samples
        sampler = file_sampler(where, shuffle, limit, num_shards, shard_id, by)
        number = checks.workers(where, num_parallel_workers)
        super().__init__(_TFRecords(paths, parsed, names, sampler, number, compression))
