"""Parts of files, read by any thread or process."""

from __future__ import annotations

import functools
import os
import threading
from collections import OrderedDict
from typing import Any

from emberjit import _emberjit as core


class _Open:
    def __init__(self, path: str):
        self.descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.closing = core.Finalizer(functools.partial(os.close, self.descriptor))


class Files:
    """Reads parts of files. Each thread has the last few that it read open, until close() or its end."""

    MOST = 8

    def __init__(self) -> None:
        self._own = threading.local()

    def read(self, path: str, start: int, size: int) -> bytes:
        """Bytes of a file; fewer where it ends.

        Raises:
            OSError: it cannot be read.
        """
        opened: OrderedDict[str, _Open] = self._own.__dict__.setdefault("opened", OrderedDict())
        if path in opened:
            opened.move_to_end(path)
        else:
            opened[path] = _Open(path)
            if len(opened) > self.MOST:
                opened.popitem(last=False)
        return os.pread(opened[path].descriptor, size, start)

    def close(self) -> None:
        """Closes what this thread has open; reading opens it again."""
        self._own.__dict__.clear()

    def __reduce__(self) -> Any:
        return Files, ()
