"""Images, boxes and sequences beside what their declarations sample: what MindSpore's documentation shows, bad input,
what is
not a number, nothing at all, random choices, and gradients at kinks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pixels
import pytest

import emberjit as ms
from emberjit import Tensor, mint, nn, ops


def f32(*values: Any) -> Tensor:
    return Tensor(np.array(values, np.float32))


def image(*shape: int) -> Tensor:
    return Tensor(np.arange(1, math.prod(shape) + 1, dtype=np.float32).reshape(shape))


CORNERS = f32([1, 2, 3, 4], [1, 3, 3, 4], [1, 3, 4, 4], [1, 1, 4, 4], [1, 1, 3, 4])
OVERLAPS = f32([0.70, 0.29, 0.23, 0.55], [0.72, 0.42, 0.98, 0.68], [0.48, 0.39, 0.34, 0.73], [0.44, 0.06, 0.40, 0.74])
GREY = f32(
    [
        [
            [0.003088, 0.313131, 0.481231, 0.326219, 0.190293],
            [0.711616, 0.58399, 0.718121, 0.258823, 0.121847],
            [0.781316, 0.591508, 0.858185, 0.091935, 0.444639],
        ]
    ]
)
DOCUMENTED: dict[str, tuple[Callable[[], Any], Any]] = {
    "ResizeNearestNeighbor": (
        lambda: ops.ResizeNearestNeighbor((2, 2))(f32([[[-0.1, 0.3, 3.6], [0.4, 0.5, -3.2]]])),
        [[[[-0.1, 0.3], [0.4, 0.5]]]],
    ),
    "ResizeBilinearV2": (
        lambda: ops.ResizeBilinearV2()(f32([[[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]]), (5, 5)),
        [[[[1, 2, 3, 4, 5]] * 5]],
    ),
    "ResizeBicubic": (lambda: ops.ResizeBicubic()(image(1, 1, 2, 2), Tensor([1, 4], ms.int32)), [[[[1, 1.5, 2, 2.09375]]]]),
    "interpolate": (
        lambda: ops.interpolate(GREY, (5, 3), None, "bicubic"),
        [
            [
                [
                    [0.038226, 0.46334, 0.228343],
                    [0.287464, 0.558147, 0.186838],
                    [0.671836, 0.718121, 0.14377],
                    [0.729394, 0.819616, 0.255285],
                    [0.723466, 0.868763, 0.334474],
                ]
            ]
        ],
    ),
    "upsample": (
        lambda: ops.upsample(GREY, (5, 3), None, "bicubic", True),
        [
            [
                [
                    [0.003088, 0.481231, 0.190293],
                    [0.350818, 0.586545, 0.125808],
                    [0.711616, 0.718121, 0.121847],
                    [0.81289, 0.810361, 0.276826],
                    [0.781316, 0.858185, 0.444639],
                ]
            ]
        ],
    ),
    "ResizeArea": (lambda: ops.ResizeArea()(image(1, 2, 4, 1) * 2, Tensor([1, 2], ms.int32)), [[[[7], [11]]]]),
    "ResizeLinear1D": (
        lambda: ops.ResizeLinear1D("align_corners")(image(1, 2, 3), Tensor([6], ms.int32)),
        [[[1, 1.4, 1.8, 2.2, 2.6, 3], [4, 4.4, 4.8, 5.2, 5.6, 6]]],
    ),
    "UpsampleNearest3D": (
        lambda: ops.UpsampleNearest3D()(image(1, 1, 2, 2, 4), [3, 4, 5], None)[0, 0, 0],
        [[1, 1, 2, 3, 4]] * 2 + [[5, 5, 6, 7, 8]] * 2,
    ),
    "ROIAlign": (
        lambda: ops.ROIAlign(2, 2, 0.5, 2)(image(1, 1, 2, 2), f32([0, 0.2, 0.3, 0.2, 0.3])),
        [[[[1.775, 2.025], [2.275, 2.525]]]],
    ),
    "BoundingBoxDecode": (
        lambda: ops.BoundingBoxDecode((768, 1280))(f32([4, 1, 2, 1], [2, 2, 2, 3]), f32([3, 1, 2, 2], [1, 2, 1, 4])),
        [[4.1945, 0, 0, 5.1945], [2.1408593, 0, 3.8591409, 60.59815]],
    ),
    "NonMaxSuppressionV3": (
        lambda: ops.NonMaxSuppressionV3()(CORNERS, f32(0.4, 0.5, 0.72, 0.9, 0.45), Tensor(5, ms.int32), Tensor(0.5), 0.0),
        [3, 2, 0],
    ),
    "NonMaxSuppressionWithOverlaps": (
        lambda: ops.NonMaxSuppressionWithOverlaps()(OVERLAPS, f32(0.182, 0.175, 0.5315, 0.5318), 4, 0.1, 0.2),
        [3],
    ),
    "AdjustHue": (lambda: ops.AdjustHue()(image(3, 2, 3), Tensor(0.2))[0], [[2.4, 1, 3], [5.4, 4, 6]]),
    "AdjustSaturation": (lambda: ops.AdjustSaturation()(image(2, 2, 3), Tensor(0.5))[0], [[2, 2.5, 3], [5, 5.5, 6]]),
    "HSVToRGB": (lambda: ops.HSVToRGB()(f32([[[0.5, 0.5, 0.5]]])), [[[[0.25, 0.5, 0.5]]]]),
    "RGBToHSV": (lambda: ops.RGBToHSV()(f32([[[0.25, 0.5, 0.5]]])), [[[[0.5, 0.5, 0.5]]]]),
    "ScaleAndTranslate": (
        lambda: ops.ScaleAndTranslate()(
            f32([[[9], [5], [2], [1]], [[6], [1], [9], [7]]]), Tensor([2, 2], ms.int32), f32(1, 1), f32(1, 1)
        ),
        [[[[0], [0]], [[0], [9]]]],
    ),
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_the_documentation_shows(name: str) -> None:
    call, wanted = DOCUMENTED[name]
    np.testing.assert_allclose(call().asnumpy(), wanted, rtol=1e-3, atol=3e-4)  # some show weights of a table of 1024


X4, X3 = image(1, 2, 3, 4), image(1, 2, 4)
LOGS = ops.log_softmax(image(4, 2, 3), 2)
BAD: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: ops.interpolate(X4), ValueError, "either 'size' or 'scale_factor'"),
    (lambda: ops.interpolate(X4, 2, 2.0), ValueError, "either 'size' or 'scale_factor'"),
    (lambda: ops.interpolate(X4, (2, 2, 2)), ValueError, "'size' must be one int or 2"),
    (lambda: ops.interpolate(X4, (2, 0)), ValueError, "'size' must be at least 1"),
    (lambda: ops.interpolate(X4, 2.5), TypeError, "'size' must be an int"),
    (lambda: ops.interpolate(X4, None, -1.0), ValueError, "'scale_factor' must be positive"),
    (lambda: ops.interpolate(X4, None, math.nan), ValueError, "'scale_factor' must be positive"),
    (lambda: ops.interpolate(X4, None, "2"), TypeError, "'scale_factor' must be a number"),
    (lambda: ops.interpolate(X4, None, 0.1), ValueError, "must be at least 1"),
    (lambda: ops.interpolate(X4, 2, None, "cubic"), ValueError, "'mode' must be 'nearest', "),
    (lambda: ops.interpolate(X4, 2, None, "linear"), ValueError, "must have 3 axes"),
    (lambda: ops.interpolate(X4, 2, None, "nearest", True), ValueError, "'align_corners' must be None"),
    (lambda: ops.interpolate(X4, 2, None, "bilinear", None, True), ValueError, "'recompute_scale_factor'"),
    (lambda: ops.interpolate(X4.astype(ms.int32), 2, None, "bilinear"), TypeError, "'input' must be of floating point"),
    (lambda: ops.interpolate(X4[:, :, :0], 2), ValueError, "must have elements"),
    (lambda: ops.ResizeBilinearV2(True, True)(X4, (2, 2)), ValueError, "must not both be True"),
    (lambda: ops.ResizeNearestNeighbor((2, 2))(X3), ValueError, "must have 4 axes"),
    (lambda: ops.ResizeLinear1D("corners")(X3, 2), ValueError, "must be 'align_corners'"),
    (lambda: ops.grid_sample(X4, image(1, 2, 2, 3)), ValueError, "'grid' must be of shape"),
    (lambda: ops.grid_sample(X4, image(1, 2, 2, 2).astype(ms.float64)), TypeError, "input's dtype"),
    (lambda: ops.grid_sample(X4, image(1, 2, 2, 2), "linear"), ValueError, "'mode' must be '"),
    (lambda: ops.affine_grid(image(1, 2, 2), (1, 1, 2, 2)), ValueError, "'theta' must be"),
    (lambda: ops.affine_grid(image(1, 2, 3), (2, 1, 2, 2)), ValueError, "'size' must begin with"),
    (lambda: ops.crop_and_resize(X4, image(2, 4), Tensor([0]), (2, 2)), ValueError, "'boxes' must be of shape"),
    (lambda: ops.crop_and_resize(X4, image(1, 4), Tensor([3]), (2, 2)), IndexError, "out of range"),
    (lambda: ops.ROIAlign(2, 2, 1.0)(X4, image(2, 4)), ValueError, "'rois' must be of shape"),
    (lambda: ops.ROIAlign(0, 2, 1.0)(X4, image(2, 5)), ValueError, "'pooled_height' must be at least 1"),
    (lambda: ops.ROIAlign(2, 2, 1.0, 2, 2)(X4, image(2, 5)), ValueError, "'roi_end_mode' must be 0 or 1"),
    (lambda: ops.unfold(X4, 5), ValueError, "does not fit"),
    (lambda: ops.unfold(X4, 2, 1, -1), ValueError, "'padding' must be at least 0"),
    (lambda: ops.fold(image(1, 8, 3), (3, 4), 2), ValueError, r"has \[2, 3\] windows"),
    (lambda: ops.fold(image(1, 7, 6), (3, 4), 2), ValueError, "divisible by the kernel's size 4"),
    (lambda: ops.pixel_shuffle(X4, 2), ValueError, "divisible by 4"),
    (lambda: ops.pixel_unshuffle(X4, 2), ValueError, "divisible by 2"),
    (lambda: ops.iou(image(2, 4), image(2, 5)), ValueError, r"'gt_boxes' must be of shape \(N, 4\)"),
    (lambda: ops.iou(image(2, 4), image(2, 4), "giou"), ValueError, "'mode' must be '"),
    (lambda: ops.BoundingBoxEncode((0.0, 1.0))(image(2, 4), image(2, 4)), ValueError, "'means' must be one float or four"),
    (lambda: ops.bounding_box_decode(image(2, 4), image(2, 4), (9, 9), wh_ratio_clip=0.0), ValueError, "must be positive"),
    (lambda: ops.check_valid(image(2, 4), image(2)), ValueError, r"'img_metas' must be of shape \(3,\)"),
    (lambda: ops.NMSWithMask()(image(2, 4)), ValueError, r"'bboxes' must be of shape \(N, 5\)"),
    (lambda: ops.NonMaxSuppressionV3()(CORNERS, image(5), 1, 1.5, 0.0), ValueError, r"within \[0, 1\]"),
    (lambda: ops.choice_with_mask(image(3)), TypeError, "must be of bools"),
    (lambda: ops.choice_with_mask(Tensor([True]), -1), ValueError, "must not be negative"),
    (lambda: ops.RGBToHSV()(image(3, 2)), ValueError, "the last of size 3"),
    (lambda: ops.AdjustHue()(image(2, 2, 3), image(1)), ValueError, "must have no axes"),
    (lambda: ops.ctc_loss(LOGS, image(2, 2), (4, 4), (2, 3)), ValueError, "'target_lengths' must be at most 2"),
    (lambda: ops.ctc_loss(LOGS, image(2, 2), (4, 4), (2, 2), 3), ValueError, r"'blank' must be in \[0, 3\)"),
    (lambda: ops.ctc_loss(LOGS, image(2, 2), (4, 4), (2, 2), 0, "max"), ValueError, "'reduction' must be '"),
    (
        lambda: ops.LSTM(4, 3, 1, True, False, 0.0)(image(2, 2, 4), image(1, 2, 3), image(1, 2, 3), image(9)),
        ValueError,
        "96",
    ),
    (lambda: ops.DynamicRNN()(image(2, 2, 4), image(6, 8), image(9)), ValueError, "'b' must be of shape"),
    (lambda: ops.DynamicRNN("GRU")(image(2, 2, 4), image(6, 8), image(8)), ValueError, "'cell_type' must be '"),
    (lambda: ops.stft(image(3), 8), ValueError, "cannot be reflected"),
    (lambda: ops.stft(ops.complex(image(9), 0), 4, onesided=True), ValueError, "'onesided' must be False"),
    (lambda: ops.FFTWithSize(3, False, False)(image(4)), ValueError, "must have 3 axes"),
    (lambda: ops.NoRepeatNGram(5)(image(1, 1, 3), image(1, 1, 4)), ValueError, "within 1 and 3"),
    (lambda: ops.ExtractImagePatches((1, 1, 2), (1, 1, 1, 1), (1, 1, 1, 1))(X4), ValueError, "one int or 4"),
    (lambda: ops.ExtractGlimpse(noise="zero")(X4, (2, 2), f32([0, 0])), ValueError, "must be 'uniform'"),
]


@pytest.mark.parametrize("at", range(len(BAD)))
def test_bad_input_is_refused(at: int) -> None:
    call, kind, words = BAD[at]
    for run in (call, ms.jit(call)):
        with pytest.raises(kind, match=words):
            run()


HALVES: list[tuple[Callable[..., Any], tuple[int, ...]]] = [
    (lambda x: ops.interpolate(x, (5, 7), None, "bilinear"), (1, 2, 3, 4)),
    (lambda x: ops.interpolate(x, (5, 7), None, "bicubic"), (1, 2, 3, 4)),
    (lambda x: ops.grid_sample(x, x.reshape((1, 4, 3, 2)) / 24), (1, 2, 3, 4)),
    (lambda x: ops.ROIAlign(2, 2, 0.5)(x, (x * 0).reshape((-1,))[:5].reshape((1, 5)) + 1), (2, 1, 4, 4)),
    (lambda x: ops.iou(x, x[:2] * 1.5), (3, 4)),
    (lambda x: ops.bounding_box_encode(x, x * 1.5), (3, 4)),
]


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32])
@pytest.mark.parametrize("at", range(len(HALVES)))
def test_smaller_floats_are_computed_wider(dtype: Any, at: int) -> None:
    call, shape = HALVES[at]
    x = image(*shape).astype(dtype)
    got, wide = call(x), call(x.astype(ms.float64))
    assert got.dtype == dtype
    bound = {ms.float16: 2e-3, ms.bfloat16: 2e-2, ms.float32: 1e-5}[dtype]
    np.testing.assert_allclose(got.astype(ms.float64).asnumpy(), wide.asnumpy(), rtol=bound, atol=bound)


def test_what_is_not_a_number_stays_so() -> None:
    x = f32([[[math.nan, 1.0, 2.0, 3.0]]])
    for mode in ("bilinear", "bicubic"):
        assert np.isnan(ops.interpolate(x, (1, 8), None, mode).asnumpy()).any()
    assert np.isnan(ops.iou(f32([0, 0, math.nan, 1]), f32([0, 0, 1, 1])).item())
    assert not ops.check_valid(f32([-math.inf, 0, 1, 1]), f32(4, 4, 1)).item()
    grid = f32([[[math.nan, 0.0], [0.0, 0.0]]])
    for padding in ("zeros", "border", "reflection"):
        found = ops.grid_sample(image(1, 1, 3, 3), grid, "nearest", padding).asnumpy()
        assert found[..., 1] == 5
    boxes = f32([0, 0, 1, 1, math.nan], [0, 0, 1, 1, 0.5])
    assert ops.NMSWithMask()(boxes)[2].tolist() == [True, False]


def test_nothing_at_all() -> None:
    assert ops.interpolate(image(1, 2, 3, 4)[:0], (5, 5), None, "bilinear").shape == (0, 2, 5, 5)
    assert ops.ROIAlign(2, 3, 1.0)(X4, image(1, 5)[:0]).shape == (0, 2, 2, 3)
    assert ops.crop_and_resize(X4, image(1, 4)[:0], Tensor([0])[:0], (2, 5)).shape == (0, 2, 5, 4)
    assert ops.iou(image(2, 4), image(1, 4)[:0]).shape == (0, 2)
    assert ops.unfold(image(1, 2, 3, 4)[:0], 2).shape == (0, 8, 6)
    assert ops.NonMaxSuppressionV3()(image(1, 4)[:0], image(1)[:0], 3, 0.5, 0.0).shape == (0,)
    index, mask = ops.choice_with_mask(Tensor(np.zeros((0, 2), bool)), 3)
    assert index.tolist() == [[0, 0]] * 3 and mask.tolist() == [False] * 3


@pytest.mark.parametrize("count", [pytest.param(0, marks=pytest.mark.breaks), 2, 5, 40])
def test_random_choices_are_of_true_elements(count: int) -> None:
    given = np.random.default_rng(count).integers(0, 2, (3, 2, 4)).astype(bool)
    for choose in (lambda x: ops.choice_with_mask(x, count), ops.RandomChoiceWithMask(count)):
        index, mask = (part.asnumpy() for part in choose(Tensor(given)))
        there = [tuple(row) for row, real in zip(index.tolist(), mask) if real]
        assert index.shape == (count or given.sum(), 3) and index.dtype == np.int32
        assert len(there) == len(set(there)) == min(len(index), given.sum())
        assert all(given[at] for at in there) and not index[~mask].any()
    orders = []
    for seed in (7, 7, 8):
        ms.set_seed(seed)
        orders.append(ops.RandomChoiceWithMask(64)(Tensor(np.ones(64, bool)))[0].asnumpy().ravel().tolist())
    assert orders[0] == orders[1] != orders[2] and sorted(orders[2]) == list(range(64)) != orders[2]


def test_gradients_of_ctc_are_those_that_it_gives_itself() -> None:
    rng = np.random.default_rng(3)
    logits = Tensor(rng.normal(size=(5, 2, 4)))
    indices, values = Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([1, 1, 0], ms.int32)
    loss, gradient = ops.CTCLoss()(logits, indices, values, Tensor([5, 4], ms.int32))

    def other(x: Tensor) -> Tensor:
        labels = Tensor([[1, 1], [0, 0]])
        return ops.ctc_loss(ops.log_softmax(x, 2), labels, (5, 4), (2, 1), 3, "none")[0]

    np.testing.assert_allclose(other(logits).asnumpy(), loss.asnumpy(), rtol=1e-12)
    np.testing.assert_allclose(ms.grad(other)(logits).asnumpy(), gradient.asnumpy(), atol=1e-12)


@pytest.mark.parametrize("zero", [False, True])
def test_labels_without_a_path(zero: bool) -> None:
    def loss(x: Tensor) -> Tensor:
        return ops.ctc_loss(ops.log_softmax(x, 2), Tensor([[1, 1, 1]]), (4,), (3,), 0, "sum", zero)[0]

    x = image(4, 1, 3)
    assert loss(x).item() == (0 if zero else math.inf)
    assert not ms.grad(loss)(x).asnumpy().any()


def test_gradients_at_kinks() -> None:
    grey = f32([0.5, 0.5, 0.5])
    assert np.isfinite(ms.grad(lambda x: ops.RGBToHSV()(x).sum())(grey).asnumpy()).all()
    edge = f32([[[-1.0, -1.0], [1.0, 1.0]]])
    slope = ms.grad(lambda g: ops.grid_sample(image(1, 1, 3, 3), g, "bilinear", "border", True).sum())(edge)
    assert np.isfinite(slope.asnumpy()).all()
    slope = ms.grad(lambda x: ops.interpolate(x, (6, 8), None, "nearest").sum())(X4)
    assert (slope.asnumpy() == 4).all()


def test_layers() -> None:
    assert nn.Upsample(scale_factor=2.0, mode="bilinear")(X4).shape == (1, 2, 6, 8)
    assert mint.nn.UpsamplingNearest2d(size=(5, 5))(X4).shape == (1, 2, 5, 5)
    corners = mint.nn.UpsamplingBilinear2d(size=(5, 5))(X4).asnumpy()[..., ::4, ::4]
    np.testing.assert_allclose(corners, X4.asnumpy()[..., ::2, ::3])
    columns = mint.nn.Unfold(2)(X4)
    assert mint.nn.Fold((3, 4), 2)(columns).shape == (1, 2, 3, 4)
    assert nn.PixelShuffle(2)(image(1, 4, 2, 3)).shape == mint.nn.PixelShuffle(2)(image(1, 4, 2, 3)).shape == (1, 1, 4, 6)
    assert nn.PixelUnshuffle(2)(image(1, 1, 4, 6)).shape == (1, 4, 2, 3)


def test_sizes_as_tensors() -> None:
    indices, values, shape = Tensor([[0, 0], [0, 1]]), Tensor([1, 2]), Tensor([1, 2])
    distance = ops.EditDistance()(indices, values, shape, indices, Tensor([1, 3]), shape)
    assert distance.tolist() == [0.5]
    assert ops.col2im(image(1, 2, 4, 6), Tensor([3, 4], ms.int32), 2, 1, 0, 1).shape == (1, 2, 3, 4)
    assert ops.ResizeNearestNeighborV2()(X4, Tensor([6, 8], ms.int32)).shape == (1, 2, 6, 8)


@pytest.mark.parametrize("noise", ["uniform", "gaussian"])
def test_glimpses_outside_are_noise(noise: str) -> None:
    found = ops.ExtractGlimpse(True, True, noise == "uniform", noise)(image(1, 4, 4, 1) + 9, (6, 6), f32([0, 0])).asnumpy()
    assert (found[0, 1:5, 1:5, 0] == image(4, 4).asnumpy() + 9).all()
    outside = np.delete(found.ravel(), [i * 6 + j for i in range(1, 5) for j in range(1, 5)])
    assert len(set(outside.tolist())) == 20 and np.abs(outside).max() < 6


@pytest.mark.parametrize("end", [0, 1])
def test_roi_align_of_as_many_points_as_elements(end):
    rng = np.random.default_rng(3)
    x, rois = (
        rng.uniform(size=(1, 2, 7, 8)),
        np.array([[0, 1.0, 1.0, 6.0, 5.0], [0, 0.5, 2.0, 3.0, 2.5], [0, 3.0, 3.0, 1.0, 2.0]]),
    )
    got = ops.ROIAlign(2, 3, 0.5, -1, end)(Tensor(x), Tensor(rois)).asnumpy()
    np.testing.assert_allclose(got, pixels.roi_align(x, rois, 2, 3, 0.5, -1, end), rtol=1e-12, atol=1e-12)
