"""SummaryRecord: files of events that TensorBoard shows.

Format: TFRecord, the data being protocol buffers of tensorflow.Event
(event.proto and summary.proto of https://github.com/tensorflow/tensorboard).
"""

from __future__ import annotations

import itertools
import socket
import struct
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from emberjit import _emberjit as core
from emberjit import protobuf
from emberjit.checks import check_bool, check_choice, check_instance, check_int
from emberjit.functions.effects.output import summaries
from emberjit.nn.cell import Cell
from emberjit.options import take_all
from emberjit.protobuf import field
from emberjit.tfrecord import framed
from emberjit.train._utils import make_directory

__all__ = ["SummaryRecord"]


def _packed(number: int, values: Iterable[float]) -> bytes:
    data = np.asarray(list(values), "<f8").tobytes()
    return field(number, data)


def _scalar(value: np.ndarray[Any, Any]) -> bytes:
    return protobuf.single(2, float(value.reshape(-1)[0]))


def _histogram(value: np.ndarray[Any, Any]) -> bytes:
    flat = value.reshape(-1).astype(np.float64)
    flat = flat[np.isfinite(flat)]
    if flat.size == 0:
        flat = np.zeros(0)
    counts, edges = np.histogram(flat, bins=30)
    numbers = (flat.min() if flat.size else 0.0, flat.max() if flat.size else 0.0, flat.size, flat.sum(), flat @ flat)
    fields = b"".join(field(i, float(number)) for i, number in enumerate(numbers, 1))
    return field(5, fields + _packed(6, edges[1:]) + _packed(7, counts))


def _image(value: np.ndarray[Any, Any]) -> bytes:
    """The first image of (N, C, H, W), as PNG."""
    pixels = np.moveaxis(value[0], 0, -1).astype(np.float64)
    low, high = float(pixels.min()), float(pixels.max())
    if not (low >= 0 and 1 < high <= 255):
        pixels = (pixels - low) / (high - low or 1.0) * 255
    height, width, channels = pixels.shape
    if channels not in (1, 3, 4):
        raise ValueError(f"For 'SummaryRecord', an image must have 1, 3 or 4 channels, but its shape is {value.shape}.")
    fields = field(1, height) + field(2, width) + field(3, channels)
    return field(4, fields + field(4, _png(pixels.round().astype(np.uint8))))


def _png(pixels: np.ndarray[Any, Any]) -> bytes:
    """Pixels (H, W, C) as a PNG file (RFC 2083)."""
    height, width, channels = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


_DTYPES = {"f4": 1, "f8": 2, "i4": 3, "u1": 4, "i2": 5, "i1": 6, "i8": 9, "b1": 10, "u2": 17, "f2": 19, "u4": 22, "u8": 23}


def _tensor(value: np.ndarray[Any, Any]) -> bytes:
    kind = _DTYPES[value.dtype.str[1:]]
    shape = b"".join(field(2, field(1, size)) for size in value.shape)
    return field(8, field(1, kind) + field(2, shape) + field(4, np.ascontiguousarray(value).tobytes()))


_ENCODERS: dict[str, Callable[[Any], bytes]] = {
    "scalar": _scalar,
    "image": _image,
    "histogram": _histogram,
    "tensor": _tensor,
}


def _event(step: int, **what: Any) -> bytes:
    event = field(1, time.time()) + field(2, step)
    if "version" in what:
        return event + field(3, what["version"])
    return event + field(5, b"".join(field(1, field(1, tag) + value) for tag, value in what["values"]))


class SummaryRecord:
    """Writes values to a file LOG_DIR/FILE_PREFIX.out.events.summary.SECONDS.0.HOST and FILE_SUFFIX, which TensorBoard
    shows. It is a context manager, and closed at its end. What ScalarSummary and the other summaries of ops are given
    meanwhile is written, too.

    Args:
        log_dir: the folder, a path, which is made.
        file_prefix: the beginning of the file's name.
        file_suffix: its end.
        num_process, network: of MindSpore's (page Options).
        max_file_size: how many bytes the file may have; None: any.
        raise_exception: whether an error in writing is raised; else it is warned of.
        export_options: {"tensor_format": "npy"}: Tensors are also saved, as LOG_DIR/export_SECONDS/tensor/TAG_STEP.npy;
            None: they are not.

    Raises:
        TypeError: an argument is of another type.
        ValueError: export_options has something else.

    Examples:
        >>> with train.SummaryRecord("logs") as record:
        ...     for step, loss in enumerate((0.5, 0.25), 1):
        ...         record.add_value("scalar", "loss", Tensor(loss))
        ...         print(record.record(step))
        True
        True
    """

    def __init__(
        self,
        log_dir: Any,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Any = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: Any = None,
    ):
        name = "SummaryRecord"
        for argument, value in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            check_instance(name, argument, value, str)
        check_bool(name, "raise_exception", raise_exception)
        if max_file_size is not None:
            check_int(name, "max_file_size", max_file_size)
        take_all(name, {"num_process": num_process, "network": network})
        self._npy = check_export_options(name, export_options)
        self.raise_exception = raise_exception
        self._left = max_file_size if max_file_size is not None and max_file_size >= 0 else None
        folder = Path(make_directory(name, "log_dir", log_dir))
        ending = f"0.{socket.gethostname()}{file_suffix}"
        numbered = (
            (n, folder / f"{file_prefix}.out.events.summary.{n}.{ending}") for n in itertools.count(int(time.time()))
        )
        seconds, self._path = next((n, path) for n, path in numbered if not path.exists())
        self._export = folder / f"export_{seconds}" / "tensor"
        self._mode = "train"
        self._values: dict[tuple[str, str], Any] = {}
        self._file = open(self._path, "xb")  # noqa: SIM115  (close() closes it)
        self._write(_event(0, version="brain.Event:2"))
        summaries.start()

    def __enter__(self) -> Any:
        if self._file.closed:
            raise ValueError("For 'SummaryRecord', the record is closed.")
        return self

    def __exit__(self, *err: Any) -> None:
        self.close()

    @property
    def log_dir(self) -> str:
        """The path of the file."""
        return str(self._path)

    def set_mode(self, mode: str) -> None:
        """ "train", in which what summaries of ops are given is written; or "eval", in which it is not.

        Raises:
            ValueError: another mode.
        """
        check_choice("SummaryRecord.set_mode", "mode", mode, "train", "eval")
        self._mode = mode

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Adds a value to the next record; of several of one name the last counts.

        Args:
            plugin: "scalar", "image" (N, C, H, W), "histogram" or "tensor".
            name: the name.
            value: a Tensor.

        Raises:
            TypeError: value is no Tensor.
            ValueError: there is no such plugin, the name is no str, or the Tensor has another rank.
        """
        if plugin not in _ENCODERS:
            raise ValueError(
                f"For 'SummaryRecord.add_value', 'plugin' must be one of {', '.join(_ENCODERS)}, but got {plugin!r}."
            )
        if not isinstance(name, str) or not name:
            raise ValueError(f"For 'SummaryRecord.add_value', 'name' must be a str, not empty, but got {name!r}.")
        check_instance("SummaryRecord.add_value", "value", value, core.Tensor)
        array = (value.float() if value.dtype == core.bfloat16 else value).asnumpy()
        fits = {"scalar": array.size == 1, "image": array.ndim == 4}.get(plugin, True)
        if not fits:
            raise ValueError(f"For 'SummaryRecord.add_value', a value of shape {array.shape} is no {plugin}.")
        self._values[plugin, name] = array.copy()

    def record(self, step: int, train_network: Any = None, plugin_filter: Callable[[str], bool] | None = None) -> bool:
        """Writes what was added.

        Args:
            step: the number of the step.
            train_network: not needed.
            plugin_filter: takes a plugin and returns whether its values are written; the others are dropped.

        Returns:
            Whether the record is open.

        Raises:
            TypeError: step is no int, or train_network no Cell.
        """
        check_int("SummaryRecord.record", "step", step)
        check_instance("SummaryRecord.record", "train_network", train_network, (Cell, type(None)))
        if self._file.closed:
            return False
        for plugin, name, value in summaries.take():
            if self._mode == "train":
                self.add_value(plugin, name, value)
        values, self._values = self._values, {}
        selected = {key: value for key, value in values.items() if plugin_filter is None or plugin_filter(key[0])}
        try:
            if selected:
                encoded = [(name, _ENCODERS[plugin](value)) for (plugin, name), value in selected.items()]
                self._write(_event(step, values=encoded))
            self._save_arrays(step, selected)
        except (OSError, ValueError, KeyError) as error:
            if self.raise_exception:
                raise
            import warnings

            warnings.warn(f"For 'SummaryRecord', nothing is written of step {step}: {error}", stacklevel=2)
        return True

    def _write(self, event: bytes) -> None:
        data = framed(event)
        if self._left is not None:
            if len(data) > self._left:
                raise OSError(f"'max_file_size' leaves {self._left} bytes, but the record has {len(data)}")
            self._left -= len(data)
        self._file.write(data)

    def _save_arrays(self, step: int, values: dict[tuple[str, str], Any]) -> None:
        for (plugin, name), value in values.items():
            if self._npy and plugin == "tensor":
                self._export.mkdir(parents=True, exist_ok=True)
                np.save(self._export / f"{quote(name, safe='')}_{step}.npy", value)

    def flush(self) -> None:
        """What was recorded is in the file from now on."""
        if not self._file.closed:
            self._file.flush()

    def close(self) -> None:
        """Ends the file."""
        if not self._file.closed:
            self._file.close()
            summaries.stop()


def check_export_options(name: str, options: Any) -> bool:
    """Whether Tensors are saved as .npy.

    Raises:
        TypeError: the options are no dict.
        ValueError: they have something else than "tensor_format".
    """
    check_instance(name, "export_options", options, (dict, type(None)))
    if options and (set(options) != {"tensor_format"} or options["tensor_format"] not in ("npy", None)):
        raise ValueError(f"For '{name}', 'export_options' must be {{'tensor_format': 'npy' or None}}, but got {options!r}.")
    return bool(options) and options["tensor_format"] == "npy"
