"""The choices that transforms of images are given: how to interpolate, what is beyond the border, and so on."""

from __future__ import annotations

from enum import Enum, IntEnum


class Inter(IntEnum):
    """How pixels are interpolated. BICUBIC is also CUBIC, and BILINEAR LINEAR."""

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = 2
    LINEAR = 2
    BICUBIC = 3
    CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(str, Enum):
    """What is beyond the border: one value, the last pixel, or the pixels mirrored, without or with the last."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ImageBatchFormat(IntEnum):
    """The order of axes of batches."""

    NHWC = 0
    NCHW = 1


class ImageReadMode(IntEnum):
    """How read_image() gives channels: as they are, one, or three."""

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class SliceMode(IntEnum):
    """What SlicePatches does with an image that cannot be divided: pad it, or drop the rest."""

    PAD = 0
    DROP = 1


class AutoAugmentPolicy(str, Enum):
    """Policies of AutoAugment, by the data they were found on."""

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
