"""Masks: bands of frequencies, or of time, of a spectrum that become one value (Park et al., SpecAugment, 2019)."""

from __future__ import annotations

from typing import Any

from emberjit.checks import check_bool, check_int32
from emberjit.dataset.audio.sound import LARGEST, AudioTransform, real, result_dtype
from emberjit.dataset.randomness import draws
from emberjit.dataset.values import Array


class _Mask(AudioTransform):
    """A band of the axis -2 or -1.

    Attributes:
        place: the axis, from the last.
        value: what becomes of the band.
    """

    form = "..., freq, time"
    place = -1
    value = 0.0

    def masked(self, array: Array, start: int, width: int) -> Any:
        """An array with a band masked.

        Raises:
            RuntimeError: the band does not lie within the axis.
        """
        length = array.shape[self.place]
        if width and start + width > length:
            raise self.refuse(f"the mask from {start} to {start + width} must be within the axis, of length {length}")
        result = array.astype(result_dtype(array))
        result.swapaxes(self.place, 0)[start : start + width] = self.value
        return result

    def random_mask(self, array: Array, longest: int) -> Any:
        """An array with a band masked, of a width from 0 to a longest, both drawn.

        Raises:
            RuntimeError: the longest is longer than the axis.
        """
        length = array.shape[self.place]
        if longest > length:
            raise self.refuse(f"the mask must be no longer than the axis, {length}, but may be {longest}")
        width = int(draws().integers(0, longest + 1))
        return self.masked(array, int(draws().integers(0, length - width + 1)), width)


def _axis(where: str, axis: int) -> int:
    return check_int32(where, "axis", axis, 1, 2) - 3


class MaskAlongAxis(_Mask):
    """Sets a band of frequencies or of time of a spectrum to a value (D. S. Park and others, "SpecAugment", 2019).

    Args:
        mask_start: where the band begins.
        mask_width: its width, at least 1.
        mask_value: the value.
        axis: 1: a band of frequencies; 2: of time.

    Inputs:
        spectrum: an array of shape (..., freq, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the band is not within the axis.

    Examples:
        >>> print(audio.MaskAlongAxis(mask_start=1, mask_width=2, mask_value=0.0, axis=2)(np.ones((2, 4))))
        [[1. 0. 0. 1.]
         [1. 0. 0. 1.]]
    """

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int):
        self.start = check_int32("MaskAlongAxis", "mask_start", mask_start)
        self.width = check_int32("MaskAlongAxis", "mask_width", mask_width, 1)
        self.value = real("MaskAlongAxis", "mask_value", mask_value)
        self.place = _axis("MaskAlongAxis", axis)

    def apply(self, array: Array) -> Any:
        return self.masked(array, self.start, self.width)


class MaskAlongAxisIID(_Mask):
    """Sets a random band of frequencies or of time of a spectrum to a value (D. S. Park and others, "SpecAugment", 2019).

    Args:
        mask_param: the largest width; the band's is drawn from 0 to it.
        mask_value: the value.
        axis: 1: a band of frequencies; 2: of time.

    Inputs:
        spectrum: an array of shape (..., freq, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: mask_param is more than the axis' length.

    Examples:
        >>> masked = audio.MaskAlongAxisIID(mask_param=2, mask_value=0.0, axis=1)(np.ones((2, 4)))
        >>> masked.shape
        (2, 4)
    """

    random = True

    def __init__(self, mask_param: int, mask_value: float, axis: int):
        self.longest = check_int32("MaskAlongAxisIID", "mask_param", mask_param)
        self.value = real("MaskAlongAxisIID", "mask_value", mask_value)
        self.place = _axis("MaskAlongAxisIID", axis)

    def apply(self, array: Array) -> Any:
        return self.random_mask(array, self.longest)


class TimeMasking(_Mask):
    """Sets a band of time of a spectrum to a value (D. S. Park and others, "SpecAugment", 2019).

    Args:
        iid_masks: whether the band's place and width are drawn.
        time_mask_param: its width; if it is drawn, the largest one.
        mask_start: where it begins, unless that is drawn.
        mask_value: the value, at least 0.

    Inputs:
        spectrum: an array of shape (..., freq, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the band is not within the time.

    Examples:
        >>> print(audio.TimeMasking(time_mask_param=2, mask_start=1)(np.ones((2, 4))))
        [[1. 0. 0. 1.]
         [1. 0. 0. 1.]]
    """

    def __init__(self, iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0):
        self._take("time_mask_param", iid_masks, time_mask_param, mask_start, mask_value)

    def _take(self, name: str, iid_masks: bool, width: int, start: int, value: float) -> None:
        where = type(self).__name__
        self.random = check_bool(where, "iid_masks", iid_masks)
        self.width = check_int32(where, name, width, 0, LARGEST)
        self.start = check_int32(where, "mask_start", start, 0, LARGEST)
        self.value = real(where, "mask_value", value, 0)

    def apply(self, array: Array) -> Any:
        if self.random:
            return self.random_mask(array, self.width)
        return self.masked(array, self.start, self.width)


class FrequencyMasking(TimeMasking):
    """Sets a band of frequencies of a spectrum to a value (D. S. Park and others, "SpecAugment", 2019).

    Args:
        iid_masks: whether the band's place and width are drawn.
        freq_mask_param: its width; if it is drawn, the largest one.
        mask_start: where it begins, unless that is drawn.
        mask_value: the value, at least 0.

    Inputs:
        spectrum: an array of shape (..., freq, time).

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: one is out of range.
        RuntimeError: the band is not within the frequencies.

    Examples:
        >>> print(audio.FrequencyMasking(freq_mask_param=1, mask_start=1)(np.ones((3, 2))))
        [[1. 1.]
         [0. 0.]
         [1. 1.]]
    """

    place = -2

    def __init__(self, iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0):
        self._take("freq_mask_param", iid_masks, freq_mask_param, mask_start, mask_value)
