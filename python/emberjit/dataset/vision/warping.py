"""Operations that turn, shear, move and project images; of arrays by OpenCV's rules, which are MindSpore's: places in 10
bits of fixed point, weights in 32nds; of Pillow's images by Pillow."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_instance, check_number
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array, is_pil
from emberjit.dataset.vision.image import (
    ImageTransform,
    RandomImageTransform,
    fill_of,
    interpolation_of,
    pil_resample,
    pillow,
    saturated,
    uniform,
)
from emberjit.dataset.vision.kinds import Inter

Point = Sequence[float]
Matrix = Any  # 2 x 3: from places (x, y, 1) of the source to those of the result


def _cubic(share: Array) -> Any:
    x, a = share, -0.75
    c0 = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    c1 = ((a + 2) * x - (a + 3)) * x * x + 1
    c2 = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return [c0, c1, c2, 1 - c0 - c1 - c2]


_REACH = {Inter.NEAREST: 1, Inter.BICUBIC: 4}


@functools.cache
def _fixed_weights(how: Inter) -> Any:
    """Of 4 or 16 neighbours, in 2^15ths, by the rests of y and x in 32nds."""
    rests = np.arange(32) / 32.0
    weights = np.stack(_cubic(rests) if how == Inter.BICUBIC else [1 - rests, rests], -1)
    return np.rint(weights[:, None, :, None] * weights[None, :, None, :] * 32768).astype(np.int32)


def _remapped_bytes(image: Array, x: Array, y: Array, how: Inter, fill: tuple[int, ...]) -> Any:
    pixels = np.atleast_3d(image)
    pixels = pixels if pixels.strides[2] == 1 else np.ascontiguousarray(pixels)
    value = np.resize(np.asarray(fill, np.float64), pixels.shape[2]).astype(np.uint8)
    reach = _REACH.get(how, 2)
    output = np.empty((*x.shape, pixels.shape[2]), np.uint8)
    if pixels.size == 0:
        output[:] = value
    elif output.size:
        weights = None if reach == 1 else _fixed_weights(how)
        core.remap_pixels(pixels, np.ascontiguousarray(x), np.ascontiguousarray(y), weights, reach, value, output)
    return output.reshape(*x.shape, *image.shape[2:])


def _picked(image: Array, across: Array, down: Array, fill: tuple[int, ...]) -> Any:
    rows, columns = image.shape[:2]
    inside = (across >= 0) & (across < columns) & (down >= 0) & (down < rows)
    pixels = image[np.clip(down, 0, rows - 1), np.clip(across, 0, columns - 1)]
    pixels = pixels[..., None] if image.ndim == 2 else pixels
    value = np.resize(np.asarray(fill, np.float64), pixels.shape[-1]).astype(image.dtype)
    return np.where(inside[..., None], pixels, value)


def _remapped(image: Array, x: Array, y: Array, how: Inter, fill: tuple[int, ...]) -> Any:
    """Pixels at positions in 32nds of a pixel."""
    if image.dtype == np.uint8:
        return _remapped_bytes(image, x, y, how, fill)
    if how == Inter.NEAREST:
        output = _picked(image, x, y, fill)
        return output.reshape(*x.shape, *image.shape[2:])
    cells, rests = (x >> 5, y >> 5), ((x & 31) / 32.0, (y & 31) / 32.0)
    weights = [_cubic(rest) if how == Inter.BICUBIC else [1 - rest, rest] for rest in rests]
    first = -1 if how == Inter.BICUBIC else 0
    total: Any = 0
    for j, down in enumerate(weights[1]):
        for i, across in enumerate(weights[0]):
            weight = (down * across)[..., None]
            total = total + _picked(image, cells[0] + first + i, cells[1] + first + j, fill) * weight
    output = saturated(total, image.dtype)
    return output.reshape(*x.shape, *image.shape[2:])


def warp_affine(image: Array, matrix: Matrix, height: int, width: int, how: Inter, fill: tuple[int, ...]) -> Any:
    """An image moved by a matrix."""
    (a, b, c), (d, e, f) = np.asarray(matrix, np.float64)
    scale = a * e - b * d
    scale = 1 / scale if scale else 0.0
    a, e, b, d = e * scale, a * scale, -b * scale, -d * scale
    c, f = -a * c - b * f, -d * c - e * f
    columns, rows = np.arange(width), np.arange(height)[:, None]
    rounding = 512 if how == Inter.NEAREST else 16
    x = np.rint(a * columns * 1024).astype(np.int64) + np.rint((b * rows + c) * 1024).astype(np.int64) + rounding
    y = np.rint(d * columns * 1024).astype(np.int64) + np.rint((e * rows + f) * 1024).astype(np.int64) + rounding
    bits = 10 if how == Inter.NEAREST else 5
    return _remapped(image, x >> bits, y >> bits, how, fill)


def warp_perspective(image: Array, matrix: Array, height: int, width: int, how: Inter, fill: tuple[int, ...]) -> Any:
    """An image projected by a matrix of 3 x 3."""
    inverse = np.linalg.inv(np.asarray(matrix, np.float64))
    columns, rows = np.arange(width), np.arange(height)[:, None]
    x, y, w = (inverse[k, 0] * columns + inverse[k, 1] * rows + inverse[k, 2] for k in range(3))
    scale = np.where(w == 0, 0, (1 if how == Inter.NEAREST else 32) / np.where(w == 0, 1, w))
    return _remapped(image, np.rint(x * scale).astype(np.int64), np.rint(y * scale).astype(np.int64), how, fill)


def rotation(center: Point, degrees: float, scale: float = 1.0) -> Matrix:
    """The matrix of a turn against the clock about a center."""
    a, b = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    x, y = center
    return np.asarray([[a, b, (1 - a) * x - b * y], [-b, a, b * x + (1 - a) * y]])


def rotated(image: Array, degrees: float, how: Inter, expand: bool, center: Point | None, fill: tuple[int, ...]) -> Any:
    """An array of an image turned against the clock."""
    rows, columns = image.shape[:2]
    middle = ((columns - 1) / 2.0, (rows - 1) / 2.0) if center is None else center
    matrix = rotation(middle, degrees)
    if not expand:
        return warp_affine(image, matrix, rows, columns, how, fill)
    a, b = abs(matrix[0, 0]) / 2, abs(matrix[0, 1]) / 2
    width, height = 2 * (columns * a + rows * b), 2 * (columns * b + rows * a)
    matrix[:, 2] += [(width - columns) / 2.0, (height - rows) / 2.0]
    return warp_affine(image, matrix, round(height), round(width), how, fill)


def _center(where: str, center: Any) -> Any:
    if center is not None:
        if len(check_instance(where, "center", center, tuple)) != 2:
            raise ValueError(f"For '{where}', 'center' must be two numbers, but got {center}.")
        for coordinate in center:
            check_number(where, "center", coordinate, -np.inf)
    return center


class Rotate(ImageTransform):
    """Rotates an image counterclockwise.

    Args:
        degrees: the angle.
        resample: how pixels are interpolated, an Inter.
        expand: whether the result is as large as the whole rotated image needs; False: it has the image's size.
        center: the point (x, y) about which it turns, in pixels from the upper left; None: the middle of the image.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of 2 to 8 axes, (..., H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.Rotate(90)(image))
        [[3 6 9]
         [2 5 8]
         [1 4 7]]
    """

    ranks = tuple(range(2, 9))

    def __init__(
        self, degrees: float, resample: Inter = Inter.NEAREST, expand: bool = False, center: Any = None, fill_value: Any = 0
    ):
        self.degrees = float(check_number("Rotate", "degrees", degrees, -np.inf)) % 360
        self.resample = interpolation_of("Rotate", resample)
        self.expand = check_bool("Rotate", "expand", expand)
        self.center, self.fill = _center("Rotate", center), fill_of("Rotate", fill_value)

    def array(self, image: Array) -> Any:
        arguments = (self.degrees, self.resample, self.expand, self.center, self.fill)
        if image.ndim <= 3:
            return rotated(image, *arguments)
        stacked = np.stack([rotated(frame, *arguments) for frame in image.reshape(-1, *image.shape[-3:])])
        return stacked.reshape(*image.shape[:-3], *stacked.shape[1:])


class RandomRotation(RandomImageTransform):
    """Rotates an image counterclockwise by a random angle.

    Args:
        degrees: the range (low, high) that the angle is drawn from, or one number d for (-d, d).
        resample: how pixels are interpolated, an Inter.
        expand: whether the result is as large as the whole rotated image needs; False: it has the image's size.
        center: the point (x, y) about which it turns, in pixels from the upper left; None: the middle of the image.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.RandomRotation(degrees=(90, 90))(image))
        [[3 6 9]
         [2 5 8]
         [1 4 7]]
    """

    def __init__(
        self, degrees: Any, resample: Inter = Inter.NEAREST, expand: bool = False, center: Any = None, fill_value: Any = 0
    ):
        where = "RandomRotation"
        self.degrees = _degrees(where, degrees)
        self.resample = interpolation_of(where, resample)
        self.expand = check_bool(where, "expand", expand)
        self.center, self.fill = _center(where, center), fill_of(where, fill_value)

    def array(self, image: Array) -> Any:
        return rotated(image, uniform(self.degrees), self.resample, self.expand, self.center, self.fill)

    def pil(self, image: Any) -> Any:
        """Of a Pillow image."""
        how = pil_resample("RandomRotation", self.resample)
        fill = self.fill if image.mode == "RGB" else self.fill[0]
        return image.rotate(uniform(self.degrees), how, self.expand, self.center, fillcolor=fill)


def _degrees(where: str, degrees: Any) -> tuple[float, float]:
    if isinstance(degrees, (int, float)) and not isinstance(degrees, bool):
        if degrees < 0:
            raise ValueError(f"For '{where}', 'degrees' as one number must be at least 0, but got {degrees}.")
        return -degrees, degrees
    if not isinstance(degrees, (list, tuple)) or len(degrees) != 2:
        raise TypeError(f"For '{where}', 'degrees' must be a number or a range of two, but got {degrees!r}.")
    low, high = (check_number(where, "degrees", bound, -np.inf) for bound in degrees)
    if low > high:
        raise ValueError(f"For '{where}', 'degrees' must be a range from low to high, but got {degrees}.")
    return low, high


def affine(center: Point, degrees: float, translate: Point, scale: float, shear: Point) -> Matrix:
    """The matrix of a turn, a shear, a scale and a move, about a center."""
    turn, shear_x, shear_y = math.radians(degrees), math.radians(shear[0]), math.radians(shear[1])
    a = math.cos(turn - shear_y) / math.cos(shear_y)
    b = -math.cos(turn - shear_y) * math.tan(shear_x) / math.cos(shear_y) - math.sin(turn)
    c = math.sin(turn - shear_y) / math.cos(shear_y)
    d = -math.sin(turn - shear_y) * math.tan(shear_x) / math.cos(shear_y) + math.cos(turn)
    linear = np.asarray([[a, b], [c, d]]) * scale
    offset = np.asarray(center) + np.asarray(translate) - linear @ np.asarray(center)
    return np.concatenate([linear, offset[:, None]], 1)


def _moved(
    image: Any, degrees: float, translate: Point, scale: float, shear: Point, how: Inter, fill: tuple[int, ...], where: str
) -> Any:
    if is_pil(image):
        width, height = image.size
        matrix = affine((width * 0.5 + 0.5, height * 0.5 + 0.5), degrees, translate, scale, shear)
        inverse = np.linalg.inv(np.concatenate([matrix, [[0, 0, 1]]]))[:2].ravel()
        color = fill if image.mode == "RGB" else fill[0]
        kind = pillow().Transform.AFFINE
        return image.transform(image.size, kind, tuple(inverse), pil_resample(where, how), fillcolor=color)
    rows, columns = image.shape[:2]
    matrix = affine(((columns - 1) / 2.0, (rows - 1) / 2.0), degrees, translate, scale, shear)
    return warp_affine(image, matrix, rows, columns, how, fill)


class Affine(ImageTransform):
    """Applies an affine map to an image: it is rotated and sheared about its middle, scaled and translated; its size stays.

    Args:
        degrees: the angle of the rotation, clockwise.
        translate: the translation (across, down), in fractions of the width and height, from -1 to 1.
        scale: the factor of the size, above 0.
        shear: the angles of the shear in degrees, (across, down), or one, across.
        resample: how pixels are interpolated, an Inter.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image, of which an array is made.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.Affine(degrees=0, translate=(1 / 3, 0), scale=1.0, shear=0)(image))
        [[0 1 2]
         [0 4 5]
         [0 7 8]]
    """

    def __init__(
        self, degrees: float, translate: Any, scale: float, shear: Any, resample: Inter = Inter.NEAREST, fill_value: Any = 0
    ):
        self.degrees = check_number("Affine", "degrees", degrees, -np.inf)
        if len(check_instance("Affine", "translate", translate, (list, tuple))) != 2:
            raise TypeError(f"For 'Affine', 'translate' must be two numbers, but got {translate}.")
        self.translate = [check_number("Affine", "translate", move, -1, 1) for move in translate]
        self.scale = check_number("Affine", "scale", scale, above=0)
        pair = shear if isinstance(shear, (list, tuple)) else (shear, 0.0)
        self.shear = [check_number("Affine", "shear", angle, -np.inf) for angle in pair]
        self.resample, self.fill = interpolation_of("Affine", resample), fill_of("Affine", fill_value)

    def array(self, image: Array) -> Any:
        move = (self.translate[0] * image.shape[1], self.translate[1] * image.shape[0])
        return _moved(image, self.degrees, move, self.scale, self.shear, self.resample, self.fill, "Affine")


class RandomAffine(RandomImageTransform):
    """Applies a random affine map to an image: it is rotated and sheared about its middle, scaled and translated; its size
    stays.

    Args:
        degrees: the range (low, high) of the angle, clockwise, or one number d for (-d, d).
        translate: the range of the translation across, or of that across and that down (4 numbers), in fractions of the
            width and height, from -1 to 1; None: none.
        scale: the range (low, high) of the factor of the size; None: 1.
        shear: the range of the angle of the shear across in degrees, or of that across and that down (4 numbers), or one
            number s for (-s, s) across; None: none.
        resample: how pixels are interpolated, an Inter.
        fill_value: the value of what is outside of the image, from 0 to 255: one, or a tuple of three for R, G and B.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number is out of range.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> print(vision.RandomAffine(degrees=0, translate=(1 / 3, 1 / 3))(image))
        [[0 1 2]
         [0 4 5]
         [0 7 8]]
    """

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        where = "RandomAffine"
        self.degrees = _degrees(where, degrees)
        moves: Any = (0.0, 0.0) if translate is None else check_instance(where, "translate", translate, (list, tuple))
        for move in moves:
            check_number(where, "translate", move, -1, 1)
        if len(moves) not in (2, 4):
            raise TypeError(f"For '{where}', 'translate' must be 2 or 4 numbers, but got {translate}.")
        self.moves = ((moves[0], moves[1]), (moves[2], moves[3]) if len(moves) == 4 else (0.0, 0.0))
        self.scale = (1.0, 1.0) if scale is None else check_instance(where, "scale", scale, (list, tuple))
        for factor in self.scale:
            check_number(where, "scale", factor, 0)
        shears = (0.0, 0.0) if shear is None else (-shear, shear) if isinstance(shear, (int, float)) else shear
        if not isinstance(shears, (list, tuple)) or len(shears) not in (2, 4):
            raise TypeError(f"For '{where}', 'shear' must be a number, or 2 or 4, but got {shear!r}.")
        self.shears = (shears[:2], shears[2:] if len(shears) == 4 else (0.0, 0.0))
        self.resample, self.fill = interpolation_of(where, resample), fill_of(where, fill_value)

    def array(self, image: Any) -> Any:
        width, height = image.size if is_pil(image) else (image.shape[1], image.shape[0])
        turn = uniform(self.degrees)
        move = (uniform(self.moves[0]) * width, uniform(self.moves[1]) * height)
        scale, shear = uniform(self.scale), (uniform(self.shears[0]), uniform(self.shears[1]))
        return _moved(image, turn, move, scale, shear, self.resample, self.fill, "RandomAffine")

    pil = array


def projection(start: Sequence[Point], end: Sequence[Point]) -> Any:
    """The matrix that projects four places (x, y) on four others."""
    rows, values = [], []
    for (x, y), (u, v) in zip(start, end):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    solution = np.linalg.lstsq(np.asarray(rows, np.float64), np.asarray(values, np.float64), rcond=None)[0]
    return np.append(solution, 1.0).reshape(3, 3)


class Perspective(ImageTransform):
    """Applies a perspective map to an image, which takes four points to four others; its size stays, and what is outside is
    0.

    Args:
        start_points: four points (x, y), in pixels from the upper left.
        end_points: the four points that they come to lie on.
        interpolation: how pixels are interpolated, an Inter.

    Inputs:
        image: an array of shape (H, W, C) or (H, W), or a Pillow image; the result is of the same kind.

    Raises:
        TypeError: an argument is of a wrong type, or there are not four points of two numbers.

    Examples:
        >>> image = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
        >>> corners = [(0, 0), (2, 0), (2, 2), (0, 2)]
        >>> mirrored = [(2, 0), (0, 0), (0, 2), (2, 2)]
        >>> print(vision.Perspective(corners, mirrored)(image))
        [[3 2 1]
         [6 5 4]
         [9 8 7]]
    """

    def __init__(self, start_points: Any, end_points: Any, interpolation: Inter = Inter.BILINEAR):
        for name, points in (("start_points", start_points), ("end_points", end_points)):
            if len(check_instance("Perspective", name, points, (list, tuple))) != 4:
                raise TypeError(f"For 'Perspective', '{name}' must be four places, but got {points}.")
            for point in points:
                if len(check_instance("Perspective", name, point, (list, tuple))) != 2:
                    raise TypeError(f"For 'Perspective', '{name}' must be places of two numbers, but got {point}.")
        self.start, self.end = start_points, end_points
        self.interpolation = interpolation_of("Perspective", interpolation)

    def array(self, image: Array) -> Any:
        rows, columns = image.shape[:2]
        return warp_perspective(image, projection(self.start, self.end), rows, columns, self.interpolation, (0, 0, 0))

    def pil(self, image: Any) -> Any:
        """Of a Pillow image."""
        inverse = projection(self.end, self.start).ravel()[:8]
        how = pil_resample("Perspective", self.interpolation)
        return image.transform(image.size, pillow().Transform.PERSPECTIVE, tuple(inverse), how)


class RandomPerspective(RandomImageTransform):
    """Moves the corners of a Pillow image at random, with a probability, and applies the perspective map that does so.

    Args:
        distortion_scale: how far a corner may move, as a fraction of half the width and height, from 0 to 1.
        prob: the probability, from 0 to 1.
        interpolation: how pixels are interpolated, an Inter.

    Inputs:
        image: a Pillow image, as ToPIL() gives; the result has its size.

    Raises:
        TypeError: an argument is of a wrong type; the image is an array.
        ValueError: a number is not from 0 to 1.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))
        >>> vision.RandomPerspective(prob=1.0)(image).size
        (6, 4)
    """

    only_pil = True

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC):
        self.scale = check_number("RandomPerspective", "distortion_scale", distortion_scale, 0, 1)
        self.prob = check_number("RandomPerspective", "prob", prob, 0, 1)
        self.interpolation = interpolation_of("RandomPerspective", interpolation)

    def pil(self, image: Any) -> Any:
        """Projected."""
        width, height = image.size
        moves = draws().integers(0, [int(self.scale * width / 2) + 1, int(self.scale * height / 2) + 1], (4, 2))
        start = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)]
        end = [(abs(x - int(dx)), abs(y - int(dy))) for (x, y), (dx, dy) in zip(start, moves)]
        return Perspective(start, end, self.interpolation).pil(image)
