"""Names whose use is an error that says why."""

from __future__ import annotations

from typing import Any, NoReturn

from emberjit.dataset.shuffling import Shuffle


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
        arguments: dict[str, Any] = {"session_id": session_id, "size": size, "spilling": spilling, "hostname": hostname}
        arguments |= {"port": port, "num_connections": num_connections, "prefetch_size": prefetch_size}
        raise RuntimeError(f"'DatasetCache' is not available: emberjit has no cache server, but got {arguments}.")


class OBSMindDataset:
    """MindSpore's MindRecord files in a cloud's storage.

    Raises:
        RuntimeError: always; there is no client of such storage.
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
    """MindSpore's wait until all processes have read an epoch of a cloud's storage.

    Raises:
        RuntimeError: always; there is no client of such storage.
    """
    raise RuntimeError(
        f"'sync_wait_for_dataset' is not available: emberjit has no client of cloud storage, but got {obs_runtime!r} for "
        f"process {rank_id} of {rank_size} after epoch {current_epoch}."
    )
