"""Transforms of images in turn: what is done as one, or by views, gives what the transforms give one by one."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from emberjit import dataset as ds
from emberjit.dataset import vision
from emberjit.dataset.transforms import Compose
from emberjit.dataset.vision import codec, resizing
from emberjit.dataset.vision.kinds import Inter

RANDOM = np.random.default_rng(0)
IMAGES = RANDOM.integers(0, 256, (4, 37, 53, 3), dtype=np.uint8)
MEAN, STD = [3.0, 20.0, 100.0], [2.0, 7.0, 50.0]

CHAINS: list[list[Any]] = [
    [vision.HorizontalFlip(), vision.Normalize(MEAN, STD), vision.HWC2CHW()],
    [vision.Crop((3, 4), (20, 30)), vision.Rescale(1 / 255, -0.5), vision.Normalize(MEAN, STD), vision.HWC2CHW()],
    [vision.Resize(64), vision.CenterCrop(40), vision.VerticalFlip()],
    [vision.HorizontalFlip(), vision.Resize((20, 80)), vision.ToTensor()],
    [vision.ToTensor(), vision.Normalize(MEAN, STD, is_hwc=False)],
    [vision.ToTensor(np.float16), vision.Normalize(MEAN, STD, is_hwc=False)],
    [vision.Crop((1, 2), (20, 30)), vision.Erase(2, 3, 5, 7, 255, inplace=True)],
    [vision.Crop((1, 2), (20, 30)), lambda image: np.negative(image, out=image), vision.HWC2CHW()],
    [vision.Rescale(2.0, 0.0), vision.NormalizePad(MEAN, STD), vision.HWC2CHW()],
    [vision.HWC2CHW(), vision.Normalize(MEAN, STD, is_hwc=False), vision.ToType(np.float16)],
    [vision.Normalize([3.0], [2.0]), vision.ToType(np.int32), vision.HWC2CHW()],
    [vision.ToPIL(), vision.ToTensor(), vision.Normalize(MEAN, STD, is_hwc=False)],
    [vision.Normalize(MEAN, STD), vision.HorizontalFlip(), vision.HWC2CHW()],
]


@pytest.mark.parametrize(
    "chain", CHAINS, ids=[", ".join(getattr(x, "__name__", type(x).__name__) for x in c) for c in CHAINS]
)
def test_chains(chain):
    source = IMAGES.copy()
    wanted = []
    for image in IMAGES:
        value: Any = image.copy()
        for operation in chain:
            value = operation(value)
            assert not isinstance(value, np.ndarray) or (value.flags.c_contiguous and value.flags.writeable)
        wanted.append(value)
    rows = ds.NumpySlicesDataset(source, ["image"], shuffle=False).map(chain, "image")
    for found, value, image in zip(rows.create_tuple_iterator(output_numpy=True), wanted, IMAGES.copy()):
        together = Compose(chain)(image)  # a tuple where Pillow's images are on the way
        for each in (found[0], together[0] if isinstance(together, tuple) else together):
            assert each.dtype == value.dtype and each.flags.c_contiguous and np.array_equal(each, value)
    assert np.array_equal(source, IMAGES)


def test_errors_name_the_operations():
    rows = ds.NumpySlicesDataset(IMAGES, ["image"]).map([vision.Normalize([1.0] * 2, [1.0] * 2), vision.HWC2CHW()], "image")
    with pytest.raises(RuntimeError, match=r"operation 'Normalize, HWC2CHW' failed on row 0 .*For 'Normalize', 'mean'"):
        next(rows.create_tuple_iterator())
    rows = ds.NumpySlicesDataset(IMAGES[..., 0, 0], ["image"]).map([vision.Rescale(1.0, 0.0), vision.HWC2CHW()], "image")
    with pytest.raises(RuntimeError, match="For 'HWC2CHW', an image must be"):
        next(rows.create_tuple_iterator())


@pytest.mark.parametrize("size", [(20, 30), (64, 31), (37, 90), (1, 1), (100, 120)])
@pytest.mark.parametrize("how", [Inter.LINEAR, Inter.AREA])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_views_are_resized_as_copies(size, how, channels):
    wide = RANDOM.integers(0, 256, (37, 53, 5), dtype=np.uint8)
    for view in (
        wide[..., :channels],
        wide[::-1, ::-1, 1:][..., :channels],
        wide[5:6, 3:4, :channels],
        wide[::2, 7:9, :channels],
    ):
        wanted = resizing.resize(np.ascontiguousarray(view), *size, how)
        assert np.array_equal(resizing.resize(view, *size, how), wanted)


@pytest.mark.parametrize("options", [{}, {"subsampling": 0}, {"subsampling": 1, "progressive": True}, {"quality": 30}])
@pytest.mark.parametrize("shape", [(37, 53, 3), (1, 1, 3), (64, 64, 3), (17, 200, 3), (33, 18)])
def test_jpegs_are_the_same_by_either_decoder(options, shape, monkeypatch):
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("simplejpeg")
    stream = io.BytesIO()
    image.fromarray(RANDOM.integers(0, 256, shape, dtype=np.uint8)).save(stream, "JPEG", **options)
    data = np.frombuffer(stream.getvalue(), np.uint8)
    assert codec._of_jpeg(data.tobytes()) is not None
    found = vision.Decode()(data)
    monkeypatch.setattr(codec, "_jpeg_decoder", lambda: None)
    assert found.shape == (*shape[:2], 3) and np.array_equal(found, vision.Decode()(data))


@pytest.mark.parametrize("by_pillow", [False, True])
def test_jpegs_that_are_refused(by_pillow, monkeypatch):
    image = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    image.fromarray(IMAGES[0]).save(stream, "JPEG")
    data = stream.getvalue()
    if by_pillow:
        monkeypatch.setattr(codec, "_jpeg_decoder", lambda: None)
    for bad in (data[:200], data[:-300], b"\xff\xd8\xff"):
        with pytest.raises(RuntimeError, match=r"For 'Decode', the \d* bytes are no image that can be decoded"):
            vision.Decode()(np.frombuffer(bad, np.uint8))
    stream = io.BytesIO()
    image.fromarray(IMAGES[0]).convert("CMYK").save(stream, "JPEG")
    assert vision.Decode()(np.frombuffer(stream.getvalue(), np.uint8)).shape == IMAGES[0].shape
