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
    """Decodes an encoded image, such as the bytes of a JPEG or PNG file, to RGB of uint8.

    Args:
        to_pil: whether the result is a Pillow image; False: an array of shape (H, W, 3).

    Inputs:
        image: bytes, or an array of bytes of one axis, of a JPEG, PNG, BMP, GIF, TIFF, WebP or PPM file.

    Raises:
        TypeError: to_pil is no bool; what is given is no array of one axis.
        RuntimeError: it cannot be decoded, or is of 32 bits.

    Examples:
        >>> data = vision.encode_png(np.full((2, 4, 3), 7, np.uint8))
        >>> image = vision.Decode()(data)
        >>> print(image.shape, image.max())
        (2, 4, 3) 7
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
    """Encodes an image as the bytes of a JPEG file.

    Args:
        image: an array or Tensor of uint8 of shape (H, W, 3), or of one channel, (H, W) or (H, W, 1).
        quality: from 1, the smallest file, to 100, the best image.

    Returns:
        An array of uint8 of one axis.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: quality is not from 1 to 100.
        RuntimeError: image is of another dtype or shape.

    Examples:
        >>> data = vision.encode_jpeg(np.zeros((8, 8, 3), np.uint8), quality=90)
        >>> print(data.ndim, data.dtype, vision.Decode()(data).shape)
        1 uint8 (8, 8, 3)
    """
    check_int32("encode_jpeg", "quality", quality, 1, 100)
    return _encoded("encode_jpeg", image, format="JPEG", quality=quality)


def encode_png(image: Any, compression_level: int = 6) -> Any:
    """Encodes an image as the bytes of a PNG file, without loss.

    Args:
        image: an array or Tensor of uint8 of shape (H, W, 3), or of one channel, (H, W) or (H, W, 1).
        compression_level: from 0, the fastest, to 9, the smallest file.

    Returns:
        An array of uint8 of one axis.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: compression_level is not from 0 to 9.
        RuntimeError: image is of another dtype or shape.

    Examples:
        >>> data = vision.encode_png(np.full((1, 2, 3), 7, np.uint8))
        >>> print(vision.Decode()(data))
        [[[7 7 7]
          [7 7 7]]]
    """
    check_int32("encode_png", "compression_level", compression_level, 0, 9)
    return _encoded("encode_png", image, format="PNG", compress_level=compression_level)


def read_file(filename: str) -> Any:
    """Reads a file.

    Args:
        filename: its path.

    Returns:
        Its bytes, an array of uint8 of one axis.

    Raises:
        TypeError: filename is no str.
        RuntimeError: there is no such file.

    Examples:
        >>> vision.write_file("data.bin", np.array([1, 2, 3], np.uint8))
        >>> print(vision.read_file("data.bin"))
        [1 2 3]
    """
    path = check_instance("read_file", "filename", filename, str)
    if not os.path.isfile(path):
        raise RuntimeError(f"For 'read_file', 'filename' must be a file, but there is none at '{path}'.")
    return np.fromfile(path, np.uint8)


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> Any:
    """Reads an image from a file.

    Args:
        filename: the path of a JPEG, PNG, BMP, GIF, TIFF, WebP or PPM file.
        mode: an ImageReadMode: whether the result has the channels of the file, without that of transparency; one; or three.
            With one or three it is of uint8.

    Returns:
        An array of shape (H, W, C), of uint8; of one channel also of uint16, int32 or float32, as the file is.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: there is no such file, it is no image, or one of 32 bits where 8 are asked for, or of several channels
            of 16.

    Examples:
        >>> vision.write_png("image.png", np.full((2, 4, 3), 7, np.uint8))
        >>> vision.read_image("image.png").shape
        (2, 4, 3)
        >>> vision.read_image("image.png", vision.ImageReadMode.GRAYSCALE).shape
        (2, 4, 1)
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
    """Writes bytes to a file, which is replaced if there is one.

    Args:
        filename: its path.
        data: an array or Tensor of uint8 of one axis.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: data is of another dtype or shape.
        OSError: the file cannot be written.

    Examples:
        >>> vision.write_file("data.bin", np.array([1, 2, 3], np.uint8))
        >>> print(vision.read_file("data.bin"))
        [1 2 3]
    """
    path = check_instance("write_file", "filename", filename, str)
    array = data.asnumpy() if isinstance(data, core.Tensor) else check_instance("write_file", "data", data, np.ndarray)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise RuntimeError(
            f"For 'write_file', 'data' must be uint8 of one axis, but is {array.dtype} of {list(array.shape)}."
        )
    array.tofile(path)


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Writes an image as a JPEG file, which is replaced if there is one.

    Args:
        filename: its path.
        image: an array or Tensor of uint8 of shape (H, W, 3), or of one channel, (H, W) or (H, W, 1).
        quality: from 1, the smallest file, to 100, the best image.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: quality is not from 1 to 100.
        RuntimeError: image is of another dtype or shape.
        OSError: the file cannot be written.

    Examples:
        >>> vision.write_jpeg("image.jpg", np.zeros((8, 8, 3), np.uint8))
        >>> vision.read_image("image.jpg").shape
        (8, 8, 3)
    """
    write_file(filename, encode_jpeg(image, quality))


def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Writes an image as a PNG file, which is replaced if there is one.

    Args:
        filename: its path.
        image: an array or Tensor of uint8 of shape (H, W, 3), or of one channel, (H, W) or (H, W, 1).
        compression_level: from 0, the fastest, to 9, the smallest file.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: compression_level is not from 0 to 9.
        RuntimeError: image is of another dtype or shape.
        OSError: the file cannot be written.

    Examples:
        >>> vision.write_png("image.png", np.full((1, 2, 3), 7, np.uint8))
        >>> print(vision.read_image("image.png"))
        [[[7 7 7]
          [7 7 7]]]
    """
    write_file(filename, encode_png(image, compression_level))


def get_image_size(image: Any) -> list[int]:
    """Returns the height and width of an image.

    Args:
        image: an array of shape (H, W) or (H, W, C), or a Pillow image.

    Returns:
        The list [H, W].

    Raises:
        TypeError: it is neither.

    Examples:
        >>> vision.get_image_size(np.zeros((2, 4, 3), np.uint8))
        [2, 4]
    """
    if is_pil(image):
        return [image.size[1], image.size[0]]
    return list(check_instance("get_image_size", "image", image, np.ndarray).shape[:2])


def get_image_num_channels(image: Any) -> int:
    """Returns the number of channels of an image.

    Args:
        image: an array of shape (H, W), of which it is 1, or (H, W, C), or a Pillow image.

    Raises:
        TypeError: it is neither.

    Examples:
        >>> vision.get_image_num_channels(np.zeros((2, 4, 3), np.uint8))
        3
    """
    if is_pil(image):
        return len(image.getbands())
    array = check_instance("get_image_num_channels", "image", image, np.ndarray)
    return int(array.shape[-1]) if array.ndim > 2 else 1
