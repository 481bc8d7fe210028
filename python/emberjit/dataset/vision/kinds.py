"""The choices that transforms of images are given: how to interpolate, what is beyond the border, and so on."""

from __future__ import annotations

from enum import Enum, IntEnum


class Inter(IntEnum):
    """How pixels are interpolated where an image is resized or moved.

    Attributes:
        NEAREST: the nearest pixel.
        ANTIALIAS: Lanczos, with a filter against aliasing; for Pillow images only.
        BILINEAR: linear between the 2 x 2 nearest pixels; LINEAR is the same.
        BICUBIC: cubic between the 4 x 4 nearest pixels; CUBIC is the same.
        AREA: the mean over the area of a new pixel.
        PILCUBIC: bicubic as Pillow computes it, also of arrays.

    Examples:
        >>> image = np.array([[0, 100]], np.uint8)
        >>> print(vision.Resize((1, 4), vision.Inter.NEAREST)(image))
        [[  0   0 100 100]]
        >>> print(vision.Resize((1, 4), vision.Inter.BILINEAR)(image))
        [[  0  25  75 100]]
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = 2
    LINEAR = 2
    BICUBIC = 3
    CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(str, Enum):
    """What pixels that are padded to an image consist of.

    Attributes:
        CONSTANT: one value, the fill_value.
        EDGE: the last pixel.
        REFLECT: the pixels mirrored, the last one not repeated.
        SYMMETRIC: the pixels mirrored, the last one repeated.

    Examples:
        >>> image = np.array([[1, 2, 3]], np.uint8)
        >>> print(vision.Pad((2, 0), padding_mode=vision.Border.REFLECT)(image))
        [[3 2 1 2 3 2 1]]
        >>> print(vision.Pad((2, 0), padding_mode=vision.Border.SYMMETRIC)(image))
        [[2 1 1 2 3 3 2]]
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ImageBatchFormat(IntEnum):
    """The order of the axes of a batch of images.

    Attributes:
        NHWC: (batch, height, width, channels).
        NCHW: (batch, channels, height, width).

    Examples:
        >>> images, labels = np.zeros((2, 1, 4, 4), np.uint8), np.eye(2)
        >>> images, labels = vision.CutMixBatch(vision.ImageBatchFormat.NCHW)(images, labels)
        >>> images.shape
        (2, 1, 4, 4)
    """

    NHWC = 0
    NCHW = 1


class ImageReadMode(IntEnum):
    """Which channels read_image() gives.

    Attributes:
        UNCHANGED: those of the file, without that of transparency.
        GRAYSCALE: one, the brightness.
        COLOR: three, RGB.

    Examples:
        >>> vision.write_png("image.png", np.full((2, 4, 3), 7, np.uint8))
        >>> vision.read_image("image.png", vision.ImageReadMode.GRAYSCALE).shape
        (2, 4, 1)
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class SliceMode(IntEnum):
    """What SlicePatches() does with an image that cannot be divided into equal parts.

    Attributes:
        PAD: it is padded at the bottom and the right.
        DROP: what is left over at the bottom and the right is dropped.

    Examples:
        >>> image = np.zeros((5, 4), np.uint8)
        >>> vision.SlicePatches(2, 1, vision.SliceMode.PAD)(image)[0].shape
        (3, 4)
        >>> vision.SlicePatches(2, 1, vision.SliceMode.DROP)(image)[0].shape
        (2, 4)
    """

    PAD = 0
    DROP = 1


class AutoAugmentPolicy(str, Enum):
    """The policies of AutoAugment(), by the data set that they were found on.

    Attributes:
        IMAGENET: ImageNet.
        CIFAR10: CIFAR-10.
        SVHN: Street View House Numbers.

    Examples:
        >>> augment = vision.AutoAugment(vision.AutoAugmentPolicy.SVHN)
        >>> augment(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


ConvertMode = IntEnum(  # type: ignore[misc]
    "ConvertMode",
    {
        **{"COLOR_BGR2BGRA": 0, "COLOR_RGB2RGBA": 0, "COLOR_BGRA2BGR": 1, "COLOR_RGBA2RGB": 1, "COLOR_BGR2RGBA": 2},
        **{"COLOR_RGB2BGRA": 2, "COLOR_RGBA2BGR": 3, "COLOR_BGRA2RGB": 3, "COLOR_BGR2RGB": 4, "COLOR_RGB2BGR": 4},
        **{"COLOR_BGRA2RGBA": 5, "COLOR_RGBA2BGRA": 5, "COLOR_BGR2GRAY": 6, "COLOR_RGB2GRAY": 7, "COLOR_GRAY2BGR": 8},
        **{"COLOR_GRAY2RGB": 8, "COLOR_GRAY2BGRA": 9, "COLOR_GRAY2RGBA": 9, "COLOR_BGRA2GRAY": 10, "COLOR_RGBA2GRAY": 11},
    },
)
ConvertMode.__doc__ = """What ConvertColor() converts an image from and to: the orders of channels, in the name.

Attributes:
    COLOR_RGB2BGR: the first and the last channel change places; COLOR_BGR2RGB is the same.
    COLOR_RGB2RGBA: alpha is added, opaque; COLOR_BGR2BGRA is the same.
    COLOR_RGB2BGRA: the first and the last channel change places, and alpha is added; COLOR_BGR2RGBA is the same.
    COLOR_RGBA2RGB: alpha is dropped; COLOR_BGRA2BGR is the same.
    COLOR_RGBA2BGR: the first and the third channel change places, and alpha is dropped; COLOR_BGRA2RGB is the same.
    COLOR_RGBA2BGRA: the first and the third channel change places; COLOR_BGRA2RGBA is the same.
    COLOR_RGB2GRAY: the brightness, one channel; COLOR_BGR2GRAY, COLOR_RGBA2GRAY and COLOR_BGRA2GRAY give it of other orders.
    COLOR_GRAY2RGB: three equal channels; COLOR_GRAY2BGR is the same.
    COLOR_GRAY2RGBA: three equal channels and alpha, opaque; COLOR_GRAY2BGRA is the same.

Examples:
    >>> image = np.array([[[10, 20, 200]]], np.uint8)
    >>> print(vision.ConvertColor(vision.ConvertMode.COLOR_RGB2GRAY)(image))
    [[38]]
"""
