"""Structural similarity of images."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import (
    check_float,
    check_floating,
    check_instance,
    check_int,
    check_number,
    check_rank,
    check_same_dtype,
    check_same_shape,
)
from emberjit.functions.images.measures import unit_scaled
from emberjit.nn.cell import Cell
from emberjit.nn.layers.containers import CellList
from emberjit.nn.layers.convolution import Conv2d

_ops = core.ops


def _blur(size: int, sigma: float) -> Conv2d:
    """A convolution with a Gaussian window (1, 1, size, size), whose sum is 1."""
    at = _ops.cast(_ops.arange(size), core.float32) - size // 2 + (1 - size % 2)
    weights = _ops.exp(_ops.square(at) / (-2 * sigma * sigma))
    weights = weights / _ops.sum(weights)
    window = _ops.reshape(_ops.reshape(weights, (size, 1)) * weights, (1, 1, size, size))
    cell = Conv2d(1, 1, size, pad_mode="valid", weight_init=window)
    cell.weight.requires_grad = False
    return cell


class _Similarity(Cell):
    def __init__(self, max_val: Any, filter_size: Any, filter_sigma: Any, k1: Any, k2: Any):
        super().__init__()
        name = type(self).__name__
        check_number(name, "max_val", max_val, above=0)
        self.max_val, self.filter_size = max_val, check_int(name, "filter_size", filter_size, 1)
        self.filter_sigma = check_float(name, "filter_sigma", filter_sigma, above=0)
        self.k1, self.k2 = k1, k2

    def _checked_images(self, img1: core.Tensor, img2: core.Tensor) -> tuple[Any, Any, float]:
        name = type(self).__name__
        check_rank(name, "img1", img1, 4)
        check_same_shape(name, img1=img1, img2=img2)
        check_same_dtype(name, img1=img1, img2=img2)
        (x, most), (y, _) = unit_scaled(img1, self.max_val), unit_scaled(img2, self.max_val)
        return _ops.cast(x, core.float32), _ops.cast(y, core.float32), most

    def _similarities(self, blur: Any, x: core.Tensor, y: core.Tensor, most: float) -> tuple[Any, Any]:
        """(similarity, its part of contrast and structure) of each pair of images, the mean over channels and places."""
        if min(x.shape[2:]) < self.filter_size:
            raise ValueError(
                f"For '{type(self).__name__}', images must be no smaller than 'filter_size', {self.filter_size}, but got "
                f"shape {tuple(x.shape)}."
            )
        n, c, h, w = x.shape
        planes = [_ops.reshape(one, (n * c, 1, h, w)) for one in (x, y, x * x, y * y, x * y)]
        mean_x, mean_y, of_xx, of_yy, of_xy = map(blur, planes)
        c1, c2 = (self.k1 * most) ** 2, (self.k2 * most) ** 2
        products, squares = mean_x * mean_y, mean_x * mean_x + mean_y * mean_y
        contrast = (2 * (of_xy - products) + c2) / (of_xx + of_yy - squares + c2)
        similarity = (2 * products + c1) / (squares + c1) * contrast
        shape = (n, c, *similarity.shape[2:])
        return _ops.mean(_ops.reshape(similarity, shape), (2, 3)), _ops.mean(_ops.reshape(contrast, shape), (2, 3))


class SSIM(_Similarity):
    """The structural similarity of each pair of images, 1 for the same (Wang et al., 2004).

    Args:
        max_val: the largest value that there may be in an image.
        filter_size, filter_sigma: size and standard deviation of the Gaussian window over which statistics are taken.
        k1, k2: constants, relative to max_val, that stabilise the quotients.

    Inputs:
        img1, img2: Tensors (N, C, H, W) of one floating dtype, H and W at least filter_size.

    Returns:
        A Tensor (N,).

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is not positive; when called: images have not four axes, not one shape, or are too small.

    Examples:
        >>> ssim = nn.SSIM(max_val=1.0, filter_size=3)
        >>> image = Tensor(np.arange(16).reshape(1, 1, 4, 4) / 16, ms.float32)
        >>> print(ssim(image, image), ssim(image, 1 - image))
        [1.] [-0.85287905]
    """

    def __init__(
        self, max_val: Any = 1.0, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03
    ):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = _blur(filter_size, filter_sigma)

    def construct(self, img1: Any, img2: Any) -> Any:
        check_floating("SSIM", img1=img1)
        x, y, most = self._checked_images(img1, img2)
        return _ops.mean(self._similarities(self.conv, x, y, most)[0], -1)


class MSSSIM(_Similarity):
    """The structural similarity of each pair of images at several scales, 1 for the same (Wang et al., 2003).

    Args:
        max_val: the largest value that there may be in an image.
        power_factors: the exponents of the scales, each of half the size of the one before.
        filter_size, filter_sigma: size and standard deviation of the Gaussian window over which statistics are taken.
        k1, k2: constants, relative to max_val, that stabilise the quotients.

    Inputs:
        img1, img2: Tensors (N, C, H, W) of one dtype, H and W at least filter_size at the last scale.

    Returns:
        A Tensor (N,).

    Raises:
        TypeError: an argument is of another type.
        ValueError: one is not positive; when called: images have not four axes, not one shape, or are too small.

    Examples:
        >>> msssim = nn.MSSSIM(power_factors=(0.5, 0.5), filter_size=3)
        >>> image = Tensor(np.arange(64).reshape(1, 1, 8, 8) / 64, ms.float32)
        >>> print(msssim(image, image), msssim(image, image * 0.5))
        [1.] [0.7233218]
    """

    def __init__(
        self,
        max_val: Any = 1.0,
        power_factors: Any = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        check_instance("MSSSIM", "power_factors", power_factors, (tuple, list))
        self.power_factors, self.level = tuple(power_factors), len(power_factors)
        self.multi_convs_list = CellList([_blur(filter_size, filter_sigma) for _ in power_factors])

    def construct(self, img1: Any, img2: Any) -> Any:
        x, y, most = self._checked_images(img1, img2)
        product: Any = 1.0
        for i, (blur, power) in enumerate(zip(self.multi_convs_list, self.power_factors)):
            similarity, contrast = self._similarities(blur, x, y, most)
            product = product * _ops.pow(_ops.relu(similarity if i == self.level - 1 else contrast), power)
            x, y = (_ops.avg_pool2d(one, (2, 2), (2, 2)) for one in (x, y))
        return _ops.mean(product, -1)
