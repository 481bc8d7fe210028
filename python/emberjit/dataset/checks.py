"""Checks of arguments that only datasets have: columns, files, shards. Errors are of the same types as those of
checks.py."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from emberjit.checks import check_instance, check_int, check_int32


def names(where: str, name: str, value: Any) -> list[str]:
    """Different names, given as one str or several; a list.

    Raises:
        TypeError: it is no str, nor a list of them.
        ValueError: a name is empty, or there twice.
    """
    result = [value] if isinstance(value, str) else list(check_instance(where, name, value, (str, list, tuple)))
    for item in result:
        if not check_instance(where, name, item, str):
            raise ValueError(f"For '{where}', '{name}' must hold no empty name, but got {value!r}.")
    if len(set(result)) != len(result):
        raise ValueError(f"For '{where}', '{name}' must hold no name twice, but got {value!r}.")
    return result


def columns_of(where: str, name: str, value: Any, columns: Sequence[str]) -> list[str]:
    """Names of columns that exist.

    Raises:
        RuntimeError: one does not.
    """
    result = names(where, name, value)
    for column in result:
        if column not in columns:
            raise RuntimeError(f"For '{where}', there is no column '{column}' (of '{name}') among {list(columns)}.")
    return result


def folder(where: str, name: str, value: Any) -> str:
    """The path of a folder that exists and can be read."""
    path = str(os.fspath(check_instance(where, name, value, (str, os.PathLike))))
    if not os.path.isdir(path) or not os.access(path, os.R_OK):
        raise ValueError(f"For '{where}', '{name}' must be a folder that can be read, but there is none at '{path}'.")
    return path


def file(where: str, name: str, value: Any) -> str:
    """The path of a file that exists and can be read."""
    path = str(os.fspath(check_instance(where, name, value, (str, os.PathLike))))
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise ValueError(f"For '{where}', '{name}' must be a file that can be read, but there is none at '{path}'.")
    return path


def files(where: str, name: str, value: Any) -> list[str]:
    """Paths of files, given as one path, or a pattern if there is no file of this name, or several; sorted where a pattern
    finds them.

    Raises:
        ValueError: nothing fits.
    """
    import glob

    paths = []
    for item in value if isinstance(value, (list, tuple)) else [value]:
        pattern = os.fspath(check_instance(where, name, item, (str, os.PathLike)))
        if os.path.isfile(pattern):
            paths.append(pattern)
        else:
            paths += sorted(path for path in glob.glob(pattern) if os.path.isfile(path))
    if not paths:
        raise ValueError(f"For '{where}', '{name}' must name files that exist, but there are none for {value!r}.")
    return paths


def shards(where: str, num_shards: int | None, shard_id: int | None) -> None:
    """Checks the number of shards, and the shard of this process."""
    if (num_shards is None) != (shard_id is None):
        raise ValueError(f"For '{where}', 'num_shards' and 'shard_id' must be given together, or neither.")
    if num_shards is not None and shard_id is not None:
        check_int32(where, "num_shards", num_shards, 1)
        check_int32(where, "shard_id", shard_id)
        if shard_id >= num_shards:
            raise ValueError(f"For '{where}', 'shard_id' must be less than 'num_shards', {num_shards}, but got {shard_id}.")


def workers(where: str, value: int | None) -> int | None:
    """A number of workers; None: the configured one."""
    return None if value is None else check_int32(where, "num_parallel_workers", value, 1)


def samples(where: str, value: int | None) -> int | None:
    """A limit of rows; None, as 0: all."""
    return None if value is None else check_int(where, "num_samples", value, 0, 2**63 - 1) or None


def no_cache(where: str, cache: Any) -> None:
    """Refuses a cache, as there is no cache server."""
    if cache is not None:
        raise RuntimeError(f"For '{where}', 'cache' must be None: emberjit has no cache server, but got {cache!r}.")
