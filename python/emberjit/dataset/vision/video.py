"""Videos, which are not decoded: names whose use is an error that says so."""

from __future__ import annotations

from typing import Any

_WHY = "emberjit decodes no videos; a package such as PyAV does, and its frames are images for these transforms"


class DecodeVideo:
    """MindSpore's decoding of a video.

    Raises:
        RuntimeError: always.
    """

    def __init__(self) -> None:
        raise RuntimeError(f"'DecodeVideo' is not available: {_WHY}.")


class VideoDecoder:
    """MindSpore's decoder of a video.

    Raises:
        RuntimeError: always.
    """

    def __init__(self, source: str):
        raise RuntimeError(f"'VideoDecoder' is not available for {source!r}: {_WHY}.")


def read_video(filename: str, start_pts: Any = 0, end_pts: Any = None, pts_unit: str = "pts") -> Any:
    """MindSpore's reading of a video.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(f"'read_video' is not available for {(filename, start_pts, end_pts, pts_unit)}: {_WHY}.")


def read_video_timestamps(filename: str, pts_unit: str = "pts") -> Any:
    """MindSpore's reading of a video's times.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(f"'read_video_timestamps' is not available for {(filename, pts_unit)}: {_WHY}.")
