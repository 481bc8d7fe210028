"""Names whose use is an error that says why."""

from __future__ import annotations

from typing import Any


class DatasetCache:
    """MindSpore's client of its cache server.

    Raises:
        RuntimeError: always; there is no server.
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ):
        given: dict[str, Any] = {"session_id": session_id, "size": size, "spilling": spilling, "hostname": hostname}
        given |= {"port": port, "num_connections": num_connections, "prefetch_size": prefetch_size}
        raise RuntimeError(f"'DatasetCache' is not available: emberjit has no cache server, but got {given}.")
