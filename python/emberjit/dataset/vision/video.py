"""Videos, which are not decoded: names whose use is an error that says so."""

from __future__ import annotations

from typing import Any

_WHY = "emberjit decodes no videos; a package such as PyAV does, and its frames are images for these transforms"


class DecodeVideo:
    """Stands for MindSpore's transform that decodes a video, which emberjit does not have.

    Raises:
        RuntimeError: always.

    Examples:
        >>> vision.DecodeVideo()
        Traceback (most recent call last):
            ...
        RuntimeError: 'DecodeVideo' is not available: emberjit decodes no videos; a package such as ...
    """

    def __init__(self) -> None:
        raise RuntimeError(f"'DecodeVideo' is not available: {_WHY}.")


class VideoDecoder:
    """Stands for MindSpore's decoder of the frames of a video file, which emberjit does not have.

    Args:
        source: the path of the file; it is not read.

    Raises:
        RuntimeError: always.

    Examples:
        >>> vision.VideoDecoder("video.mp4")
        Traceback (most recent call last):
            ...
        RuntimeError: 'VideoDecoder' is not available for 'video.mp4': emberjit decodes no videos; a ...
    """

    def __init__(self, source: str):
        raise RuntimeError(f"'VideoDecoder' is not available for {source!r}: {_WHY}.")


def read_video(filename: str, start_pts: Any = 0, end_pts: Any = None, pts_unit: str = "pts") -> Any:
    """Stands for MindSpore's function that reads a video file, which emberjit does not have.

    Args:
        filename: the path of the file; it is not read.
        start_pts: when the part begins that would be read.
        end_pts: when it ends; None: with the video.
        pts_unit: the unit of both, "pts" or "sec".

    Raises:
        RuntimeError: always.

    Examples:
        >>> vision.read_video("video.mp4")
        Traceback (most recent call last):
            ...
        RuntimeError: 'read_video' is not available for ('video.mp4', 0, None, 'pts'): emberjit decodes ...
    """
    raise RuntimeError(f"'read_video' is not available for {(filename, start_pts, end_pts, pts_unit)}: {_WHY}.")


def read_video_timestamps(filename: str, pts_unit: str = "pts") -> Any:
    """Stands for MindSpore's function that reads when the frames of a video file are shown, which emberjit does not have.

    Args:
        filename: the path of the file; it is not read.
        pts_unit: the unit of the times, "pts" or "sec".

    Raises:
        RuntimeError: always.

    Examples:
        >>> vision.read_video_timestamps("video.mp4")
        Traceback (most recent call last):
            ...
        RuntimeError: 'read_video_timestamps' is not available for ('video.mp4', 'pts'): emberjit ...
    """
    raise RuntimeError(f"'read_video_timestamps' is not available for {(filename, pts_unit)}: {_WHY}.")
