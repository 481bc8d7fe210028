"""Images as files: decoding, encoding, reading and writing, by Pillow; JPEGs are decoded by simplejpeg where that is
installed, which gives the same pixels sooner."""

from __future__ import annotations

import functools
import importlib
import io
import os
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_instance, check_int32
from emberjit.dataset.values import is_pil
from emberjit.dataset.vision.image import ImageTransform, pillow, pixels_of
from emberjit.dataset.vision.kinds import ImageReadMode

_PNG = b"\x89PNG\r\n\x1a\n"
_DTYPES = {
    "I;16": "uint16",
    "I;16B": "uint16",
    "I;16L": "uint16",
    "I": "int32",
    "F": "float32",
}  # of modes of more than 8 bits
_FORMATS = ("JPEG", "PNG", "BMP", "GIF", "TIFF", "WEBP", "PPM")  # none that runs a program, as PostScript does


def opened(where: str, data: Any) -> Any:
    """An encoded image, opened by Pillow.

    Raises:
        RuntimeError: it cannot be decoded.
    """
    try:
        image = pillow().open(io.BytesIO(data), formats=_FORMATS)
        image.decodermaxblock = max(len(data), 1)  # all at once
        image.load()
    except ImportError:
        raise
    except Exception as error:
        raise RuntimeError(f"For '{where}', the {len(data)} bytes are no image that can be decoded: {error}") from None
    return image


def of_bytes(where: str, image: Any, mode: str) -> Any:
    """An image of 8 bits, with the channels of a mode of Pillow's: of 16 bits the upper ones.

    Raises:
        RuntimeError: it is of 32 bits.
    """
    if image.mode in ("F", "I"):
        raise RuntimeError(
            f"For '{where}', an image of 8 or 16 bits can be read as one of 8, but it is of {_DTYPES[image.mode]}: "
            "read_image() gives it."
        )
    if image.mode.startswith("I;16"):
        image = pillow().fromarray((np.asarray(image) >> 8).astype(np.uint8))
    return image if image.mode == mode else image.convert(mode)


@functools.cache
def _jpeg_decoder() -> Any:
    try:
        jpeg = importlib.import_module("simplejpeg")
    except ImportError:
        return None

    def decode(data: bytes) -> Any:
        rows, columns, *_ = jpeg.decode_jpeg_header(data)
        most = pillow().MAX_IMAGE_PIXELS
        if most is not None and rows * columns > most:
            return None
        return jpeg.decode_jpeg(data, colorspace="RGB", fastdct=False, fastupsample=False)

    return decode


def _of_jpeg(data: bytes) -> Any:
    """The pixels of a sound JPEG of gray or three colours, as simplejpeg gives them; None of all else."""
    decoder = _jpeg_decoder() if data.startswith(b"\xff\xd8\xff") else None
    try:
        return decoder and decoder(data)
    except ValueError:
        return None


class Decode(ImageTransform):
    """An encoded image, bytes of one axis, decoded: RGB of shape (H, W, 3), or Pillow's.

    Args:
        to_pil: whether Pillow's image comes.

    Raises:
        TypeError: to_pil is no bool; what is given is no array of bytes.
        RuntimeError: it cannot be decoded, or is of 32 bits.
    """

    ranks = (1,)

    def __init__(self, to_pil: bool = False):
        self.to_pil = check_bool("Decode", "to_pil", to_pil)

    def as_input(self, value: Any) -> Any:
        if isinstance(value, bytes):
            return value
        if isinstance(value, core.Tensor):
            value = value.asnumpy()
        if not isinstance(value, np.ndarray) or value.ndim != 1:
            shape = list(value.shape) if isinstance(value, np.ndarray) else type(value)
            raise TypeError(f"For 'Decode', an encoded image must be an array of one axis, but got {shape}.")
        if value.dtype != np.uint8 and value.dtype.kind != "S":
            raise self.refuse(f"an encoded image must be of uint8, but is of {value.dtype}")
        return value.tobytes()

    def apply(self, image: Any) -> Any:
        pixels = None if self.to_pil else _of_jpeg(image)
        if pixels is not None:
            return pixels
        decoded = opened("Decode", image)
        if self.to_pil:
            return decoded if decoded.mode == "RGB" else decoded.convert("RGB")
        return pixels_of(of_bytes("Decode", decoded, "RGB"))


def _bytes_of(where: str, image: Any) -> Any:
    array = image.asnumpy() if isinstance(image, core.Tensor) else check_instance(where, "image", image, np.ndarray)
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise RuntimeError(
            f"For '{where}', 'image' must be uint8 of shape (H, W), (H, W, 1) or (H, W, 3), but is {array.dtype} of "
            f"{list(array.shape)}."
        )
    return array.reshape(array.shape[:2]) if array.shape[2:] == (1,) else array


def _encoded(where: str, image: Any, **options: Any) -> Any:
    stream = io.BytesIO()
    pillow().fromarray(_bytes_of(where, image)).save(stream, **options)
    return np.frombuffer(stream.getvalue(), np.uint8).copy()


def encode_jpeg(image: Any, quality: int = 75) -> Any:
    """The bytes of a JPEG file of an image of shape (H, W), (H, W, 1) or (H, W, 3).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: quality is not from 1 to 100.
        RuntimeError: it is no such image.
    """
    check_int32("encode_jpeg", "quality", quality, 1, 100)
    return _encoded("encode_jpeg", image, format="JPEG", quality=quality)


def encode_png(image: Any, compression_level: int = 6) -> Any:
    """The bytes of a PNG file of an image of shape (H, W), (H, W, 1) or (H, W, 3).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: compression_level is not from 0 to 9.
        RuntimeError: it is no such image.
    """
    check_int32("encode_png", "compression_level", compression_level, 0, 9)
    return _encoded("encode_png", image, format="PNG", compress_level=compression_level)


def read_file(filename: str) -> Any:
    """The bytes of a file.

    Raises:
        TypeError: filename is no str.
        RuntimeError: there is no such file.
    """
    path = check_instance("read_file", "filename", filename, str)
    if not os.path.isfile(path):
        raise RuntimeError(f"For 'read_file', 'filename' must be a file, but there is none at '{path}'.")
    return np.fromfile(path, np.uint8)


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> Any:
    """The image of a file, of shape (H, W, C), and of uint8; of one channel also uint16, int32 or float32, as the file is.

    Args:
        mode: whether it has the file's channels, but for that of transparency, one, or three; these are of 8 bits.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: there is no such file, it is no image, or one of 32 bits where 8 are asked for, or of several channels
        of 16.
    """
    mode = check_instance("read_image", "mode", mode, ImageReadMode)
    data = read_file(filename).tobytes()
    image = opened("read_image", data)
    pil_mode = {ImageReadMode.GRAYSCALE: "L", ImageReadMode.COLOR: "RGB"}.get(mode)
    if pil_mode is None and data.startswith(_PNG) and data[24] == 16 and data[25] != 0:
        raise RuntimeError(f"For 'read_image', an image of 16 bits must be of one channel, but '{filename}' is of several.")
    if pil_mode is None and image.mode != "L" and image.mode not in _DTYPES:
        pil_mode = "L" if image.mode == "1" else "RGB"
    if pil_mode is not None:
        image = of_bytes("read_image", image, pil_mode)
    array = np.array(image)
    array = array if image.mode not in _DTYPES else array.astype(_DTYPES[image.mode])
    return array[..., None] if array.ndim == 2 else array


def write_file(filename: str, data: Any) -> None:
    """Writes bytes, an array of uint8 of one axis, to a file.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: data is no such array.
    """
    path = check_instance("write_file", "filename", filename, str)
    array = data.asnumpy() if isinstance(data, core.Tensor) else check_instance("write_file", "data", data, np.ndarray)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise RuntimeError(
            f"For 'write_file', 'data' must be uint8 of one axis, but is {array.dtype} of {list(array.shape)}."
        )
    array.tofile(path)


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Writes an image as a JPEG file.

    Raises:
        as encode_jpeg().
    """
    write_file(filename, encode_jpeg(image, quality))


def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Writes an image as a PNG file.

    Raises:
        as encode_png().
    """
    write_file(filename, encode_png(image, compression_level))


def get_image_size(image: Any) -> list[int]:
    """The height and width of an image of axes H, W and perhaps C.

    Raises:
        TypeError: it is none.
    """
    if is_pil(image):
        return [image.size[1], image.size[0]]
    return list(check_instance("get_image_size", "image", image, np.ndarray).shape[:2])


def get_image_num_channels(image: Any) -> int:
    """How many channels an image of axes H, W and perhaps C has.

    Raises:
        TypeError: it is none.
    """
    if is_pil(image):
        return len(image.getbands())
    array = check_instance("get_image_num_channels", "image", image, np.ndarray)
    return int(array.shape[-1]) if array.ndim > 2 else 1
