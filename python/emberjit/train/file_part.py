"""Parts of files, which are read when their bytes are asked for. (A mapped file that someone cuts short ends the process;
reading it is an error.)"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

_PAGE = 1 << 16  # bytes that are read at once where single ones are asked for
_PIECE = 1 << 24


class _File:
    def __init__(self, descriptor: int):
        self.descriptor = descriptor
        self.page_at, self.page = 0, b""

    def read(self, at: int, size: int) -> bytes:
        pieces = []
        while size:
            piece = os.pread(self.descriptor, size, at)
            if not piece:
                raise ValueError("it became shorter while it was read")
            pieces.append(piece)
            at, size = at + len(piece), size - len(piece)
        return b"".join(pieces)

    def byte(self, at: int, end: int) -> int:
        if not 0 <= at - self.page_at < len(self.page):
            self.page_at, self.page = at, self.read(at, min(_PAGE, end - at))
        return self.page[at - self.page_at]


class FilePart:
    """Some bytes of an open file, all of it at first. A slice is such a part, a place in it an int, and bytes() are read."""

    __slots__ = ("_end", "_file", "_start")

    def __init__(self, file: Any, start: int = 0, end: int | None = None):
        self._file = file if isinstance(file, _File) else _File(file.fileno())
        self._start = start
        self._end = os.fstat(self._file.descriptor).st_size if end is None else end

    def __len__(self) -> int:
        return self._end - self._start

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            return FilePart(self._file, self._start + start, self._start + max(start, stop))
        return self._file.byte(self._start + at, self._end)

    def __bytes__(self) -> bytes:
        return self._file.read(self._start, len(self))


Content = bytes | memoryview | FilePart


def pieces(content: Content) -> Iterator[bytes]:
    """The bytes of a file's content, a few at a time."""
    for at in range(0, len(content), _PIECE):
        yield bytes(content[at : at + _PIECE])
