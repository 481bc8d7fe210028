"""TFRecordDataset: files of TensorFlow's records, each a tf.train.Example."""

from __future__ import annotations

import functools
import gzip
import struct
import zlib
from typing import Any

import numpy as np

from emberjit import protobuf
from emberjit.dataset import checks
from emberjit.dataset.shuffling import Shuffle
from emberjit.dataset.sources.records import FileSampler, Records, file_sampler
from emberjit.dataset.sources.schema import Schema, schema_of
from emberjit.dataset.sources.text_files import FileDataset
from emberjit.dataset.values import Row

_HEAD, _FOOT = 12, 4  # of a record: its length as 8 bytes and that's checksum; its own checksum


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
        found = [value for number, value in protobuf.fields(body) if number == 1]
        if kind == 1:
            return [bytes(each) for each in found]
        if kind == 2:
            return np.concatenate([np.frombuffer(each, "<f4") for each in found] or [np.zeros(0, np.float32)])
        unpacked = [
            np.asarray([each], np.uint64).view(np.int64) if isinstance(each, int) else _int64s(each) for each in found
        ]
        return np.concatenate(unpacked or [np.zeros(0, np.int64)])
    return np.zeros(0, np.int64)


def example(record: bytes) -> dict[str, Any]:
    """The features of a tf.train.Example by name.

    Raises:
        ValueError: it is none.
    """
    found = {}
    try:
        for _, features in protobuf.fields(memoryview(record)):
            for _, entry in protobuf.fields(features):
                parts = dict(protobuf.fields(entry))
                found[bytes(parts[1]).decode()] = _feature(parts.get(2, memoryview(b"")))
    except (IndexError, KeyError, TypeError, struct.error):
        raise ValueError("the record is no tf.train.Example") from None
    return found


def _octets(values: list[bytes]) -> Any:
    longest = max(map(len, values), default=0)
    return np.frombuffer(b"".join(each.ljust(longest) for each in values), np.uint8).copy()


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
        self._unpacked: dict[str, bytes] = {}

    @functools.cached_property
    def columns(self) -> list[str]:
        """The names given, the schema's, or, in their order, the first record's."""
        if self.names is not None:
            return self.names
        if self.schema is not None:
            return list(self.schema.columns)
        start, end = next(each for each in self.places if len(each))[0]
        path = next(path for path, each in zip(self.paths, self.places) if len(each))
        return sorted(example(self.bytes_of(path, int(start), int(end))))

    def bytes_of(self, path: str, start: int, end: int) -> bytes:
        if self.compression is None:
            return super().bytes_of(path, start, end)
        if path not in self._unpacked:
            with open(path, "rb") as stream:
                data = stream.read()
            self._unpacked[path] = gzip.decompress(data) if self.compression == "GZIP" else zlib.decompress(data)
        return self._unpacked[path][start:end]

    def found_in(self, path: str) -> Any:
        found, at = [], 0
        size = len(self.bytes_of(path, 0, 1 << 62)) if self.compression else checks_size(path)
        while at < size:
            head = self.bytes_of(path, at, at + _HEAD)
            length = struct.unpack("<Q", head[:8])[0] if len(head) == _HEAD else size
            if at + _HEAD + length + _FOOT > size:
                raise RuntimeError(f"For '{self.where}', the file '{path}' is no whole TFRecord file: it ends in a record.")
            found.append((at + _HEAD, at + _HEAD + length))
            at += _HEAD + length + _FOOT
        return np.asarray(found, np.int64).reshape(-1, 2)

    def parsed(self, record: bytes) -> Row:
        features = example(record)
        return tuple(self._column(name, features) for name in self.columns)

    def _column(self, name: str, features: dict[str, Any]) -> Any:
        if name not in features:
            raise KeyError(f"there is no feature '{name}' among {sorted(features)}")
        value = features[name]
        if self.schema is None or name not in self.schema.columns:
            return _octets(value) if isinstance(value, list) else value
        wanted = self.schema.columns[name]
        if isinstance(value, list):
            text = wanted["type"] == "string"
            array = (
                np.asarray([each.decode() for each in value]) if text else np.frombuffer(b"".join(value), np.uint8).copy()
            )
        else:
            array = value.astype(wanted["type"])
        shape = wanted.get("shape")
        return array if shape is None else array.reshape(shape)


def checks_size(path: str) -> int:
    """The size of a file."""
    import os

    return os.path.getsize(path)


class TFRecordDataset(FileDataset):
    """The records of TFRecord files: int64, float32, and of bytes, padded to one length, uint8; or as a schema says.

    Args:
        dataset_files: a path or pattern, or a list of them.
        schema: a Schema, or the path of one's file.
        columns_list: the columns that come; all unless given.
        shard_equal_rows: whether shards are of as many rows, not of whole files.
        compression_type: None, "GZIP" or "ZLIB".
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as of TextFileDataset.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: there is no such file, or arguments contradict each other.
        RuntimeError: a file is none of records.
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
        by_file = not checks.boolean(where, "shard_equal_rows", shard_equal_rows)
        compression = checks.choice(where, "compression_type", compression_type or None, (None, "GZIP", "ZLIB"))
        sampler = file_sampler(where, shuffle, num_samples, num_shards, shard_id, by_file)
        number = checks.workers(where, num_parallel_workers)
        super().__init__(_TFRecords(paths, schema_of(where, schema), names, sampler, number, compression))
