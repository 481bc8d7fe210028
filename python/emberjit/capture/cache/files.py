"""The folder of the compile cache: files that are whole or not there, that only this user may write, and of which the latest
used have 512 MiB at most. Each function's are in a folder of their own, whose name is quickly told from its code's place:

    FOLDER/DIGEST OF FILE, LINE AND NAME/KEY-DIGEST OF CONTENT.ember

    8 bytes  "emberjit"
    4 bytes  the format's version, little-endian, as are all numbers
    32 bytes BLAKE2b of all that follows
    then three parts, each behind its length in 8 bytes: the document (entries.py; document.h), the code as a module file,
    and the graph as text, for those who save or show it

Whatever goes wrong is told by a Refused, never by an error of the program's.
"""

from __future__ import annotations

import os
import stat
import types
from _blake2 import blake2b  # hashlib's, without the libraries that it loads besides
from collections.abc import Callable, Container, Iterator
from typing import Any

from emberjit import _emberjit as core

VERSION = 2
LIMIT = 512 << 20  # bytes, of all files
MAX_ENTRIES = 8  # of one function, that a call looks at
_MAGIC = b"emberjit"
_HEAD, _PARTS = 44, 3
_SUFFIX = ".ember"


class Refused(Exception):
    """Why a folder or a file is not used."""


def _digest(body: bytes | memoryview) -> bytes:
    return blake2b(body, digest_size=32).digest()


def packed(document: dict[str, Any], code: bytes, text: bytes) -> bytes:
    """A file's bytes."""
    parts = core.document_bytes(document), code, text
    body = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    return _MAGIC + VERSION.to_bytes(4, "little") + _digest(body) + body


def unpacked(data: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    """The document, the code and the graph, as text in UTF-8.

    Raises:
        Refused: it is no such file, one of another version, or damaged.
    """
    if len(data) < _HEAD + 8 or data[:8] != _MAGIC:
        raise Refused("it is no file of the compile cache")
    version, body = int.from_bytes(data[8:12], "little"), memoryview(data)[_HEAD:]
    if version != VERSION:
        raise Refused(f"it is of version {version}, not {VERSION}")
    if _digest(body) != data[12:_HEAD]:
        raise Refused("it is damaged")
    parts: list[bytes] = []
    while len(parts) < _PARTS:
        size = int.from_bytes(body[:8], "little")
        parts.append(bytes(body[8 : 8 + size]))
        body = body[8 + size :]
    document: dict[str, Any] = core.document_from(parts[0])
    return document, parts[1], parts[2]


def plain_function(function: Callable[..., Any]) -> Any:
    """A method's function; else the callable itself."""
    return function.__func__ if isinstance(function, types.MethodType) else function


def _place(function: Callable[..., Any]) -> str:
    plain = plain_function(function)
    code, kind = getattr(plain, "__code__", None), type(plain)
    place = (code.co_filename, code.co_firstlineno, code.co_qualname) if code else (kind.__module__, kind.__qualname__)
    return blake2b(repr(place).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


class Folder:
    """Where a function's files are, by the key of its graph."""

    def __init__(self, path: str, function: Callable[..., Any]):
        self.path, self.folder = path, os.path.join(path, _place(function))

    def exists(self) -> bool:
        """Whether there may be files of the function's."""
        return os.path.isdir(self.folder)

    def read(self, key: str, known: Container[str]) -> Iterator[tuple[str, bytes]]:
        """The files of a key but for those that are known, those used last first."""
        try:
            names = [name for name in os.listdir(self.folder) if name.startswith(key) and name.endswith(_SUFFIX)]
        except FileNotFoundError:
            return
        except OSError as error:
            raise Refused(str(error)) from error
        _check_ours(self.path)
        _check_ours(self.folder)
        paths = [path for path in (os.path.join(self.folder, name) for name in names) if path not in known]
        for path in sorted(paths, key=_used, reverse=True)[:MAX_ENTRIES]:
            data = _read(path)
            if data is not None:
                yield path, data

    def write(self, key: str, data: bytes) -> str:
        """Adds a file, whole or not at all, and removes others where there are too many bytes."""
        try:
            for folder in (self.path, self.folder):
                os.makedirs(folder, mode=0o700, exist_ok=True)
                _check_ours(folder)
            path = os.path.join(self.folder, f"{key}-{blake2b(data, digest_size=12).hexdigest()}{_SUFFIX}")
            core.write_file(os.fsencode(path), [data])
            self._bound(path)
        except OSError as error:
            raise Refused(str(error)) from error
        return path

    def use(self, path: str) -> None:
        """Notes that a file has been used."""
        try:
            os.utime(path)
        except OSError:
            return

    def remove(self, path: str) -> None:
        """Removes a file, which may be gone."""
        try:
            os.unlink(path)
        except OSError:
            return

    def _bound(self, latest: str) -> None:
        files = []
        for folder in os.scandir(self.path):
            if folder.is_dir(follow_symlinks=False):
                files += [_size_of(file) for file in os.scandir(folder.path) if file.name.endswith(_SUFFIX)]
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= LIMIT:
                return
            if path != latest:
                self.remove(path)
                total -= size


def _size_of(file: os.DirEntry[str]) -> tuple[float, int, str]:
    try:
        status = file.stat(follow_symlinks=False)
    except OSError:  # another process has removed it
        return 0.0, 0, file.path
    return status.st_mtime, status.st_size, file.path


def _used(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _check_ours(folder: str) -> None:
    """Refuses a folder whose files others may have written: their code would be run."""
    status = os.stat(folder)
    if status.st_uid not in (os.getuid(), 0):
        raise Refused(f"{folder} is another user's")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Refused(f"others may write to {folder}: take their right to with chmod go-w")


def _read(path: str) -> bytes | None:
    """A regular file's bytes; None if it is gone."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(str(error)) from error
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_uid not in (os.getuid(), 0):
            raise Refused(f"{path} is no regular file of this user's")
        with os.fdopen(os.dup(file), "rb") as opened:
            return opened.read(LIMIT)
    finally:
        os.close(file)
