"""Names whose use is an error that says why."""

from __future__ import annotations

from typing import Any, NoReturn

from emberjit.dataset.shuffling import Shuffle


class DatasetCache:
    """MindSpore's client of its cache server, which emberjit does not have.

    Args:
        session_id, size, spilling, hostname, port, num_connections, prefetch_size: named in the error.

    Raises:
        RuntimeError: always.

    Examples:
        >>> ds.DatasetCache(1)
        Traceback (most recent call last):
            ...
        RuntimeError: 'DatasetCache' is not available: emberjit has no cache server, but got...
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
        arguments: dict[str, Any] = {"session_id": session_id, "size": size, "spilling": spilling, "hostname": hostname}
        arguments |= {"port": port, "num_connections": num_connections, "prefetch_size": prefetch_size}
        raise RuntimeError(f"'DatasetCache' is not available: emberjit has no cache server, but got {arguments}.")


class OBSMindDataset:
    """MindSpore's dataset of MindRecord files in a cloud's storage, of which emberjit has no client. MindDataset reads
    copies in a folder.

    Args:
        dataset_files, server: named in the error.
        ak, sk, sync_obs_path, columns_list, shuffle, num_shards, shard_id, shard_equal_rows: not read.

    Raises:
        RuntimeError: always.

    Examples:
        >>> ds.OBSMindDataset("rows.mindrecord", "server", "key", "secret", "path")
        Traceback (most recent call last):
            ...
        RuntimeError: 'OBSMindDataset' is not available: emberjit has no client of cloud storage....
    """

    def __init__(
        self,
        dataset_files: Any,
        server: str,
        ak: str,
        sk: str,
        sync_obs_path: str,
        columns_list: Any = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = True,
    ):
        del ak, sk, sync_obs_path, columns_list, shuffle, num_shards, shard_id, shard_equal_rows
        raise RuntimeError(
            f"'OBSMindDataset' is not available: emberjit has no client of cloud storage. Copy {dataset_files!r} from "
            f"{server!r} to a folder, and read them with MindDataset."
        )


def sync_wait_for_dataset(rank_id: int, rank_size: int, current_epoch: int, obs_runtime: Any) -> NoReturn:
    """MindSpore's wait until all processes have read an epoch from a cloud's storage, of which emberjit has no client.

    Args:
        rank_id, rank_size, current_epoch, obs_runtime: named in the error.

    Raises:
        RuntimeError: always.

    Examples:
        >>> ds.sync_wait_for_dataset(0, 1, 0, None)
        Traceback (most recent call last):
            ...
        RuntimeError: 'sync_wait_for_dataset' is not available: emberjit has no client of cloud...
    """
    raise RuntimeError(
        f"'sync_wait_for_dataset' is not available: emberjit has no client of cloud storage, but got {obs_runtime!r} for "
        f"process {rank_id} of {rank_size} after epoch {current_epoch}."
    )
