"""Files of events: their records, and what SummaryRecord and SummaryCollector write."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, nn, ops, train
from emberjit import dataset as ds
from emberjit.tfrecord import masked_crc


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer, by number."""
    at = 0

    def varint() -> int:
        nonlocal at
        result = shift = 0
        while True:
            byte = data[at]
            at, result, shift = at + 1, result | (byte & 127) << shift, shift + 7
            if byte < 128:
                return result

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or varint()
            yield key >> 3, data[at : at + size]
            at += size


def events_in(folder: Path) -> Iterator[tuple[int, dict[str, tuple[int, bytes]]]]:
    """(step, {tag: (field, value)}) of each record of the file in a folder."""
    (path,) = folder.glob("events.out.events.summary.*_MS")
    content, at = path.read_bytes(), 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        record = content[at + 12 : at + 12 + length]
        assert struct.unpack_from("<I", content, at + 8)[0] == masked_crc(content[at : at + 8])
        assert struct.unpack_from("<I", content, at + 12 + length)[0] == masked_crc(record)
        at += length + 16
        event = dict(fields(record))
        values = [dict(fields(value)) for number, value in fields(event.get(5, b"")) if number == 1]
        yield event[2], {value.pop(1).decode(): next(iter(value.items())) for value in values}


def test_the_checksum() -> None:
    crc = 0xE3069283  # CRC-32C of "123456789", RFC 3720
    assert masked_crc(b"123456789") == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def test_summaries(tmp_path: Path) -> None:
    image = np.zeros((1, 3, 2, 2), np.float32)
    image[0, 0] = 1
    with train.SummaryRecord(tmp_path, export_options={"tensor_format": "npy"}) as record:
        record.add_value("scalar", "loss", Tensor(0.5))
        record.add_value("histogram", "weight", Tensor([1.0, 2.0, 3.0]))
        record.add_value("image", "input", Tensor(image))
        record.add_value("tensor", "a/b", Tensor([[1, 2]], ms.int32))
        assert record.record(7)
        ops.ScalarSummary()("given", Tensor(2.0))
        record.record(8, plugin_filter=lambda plugin: plugin == "scalar")
    assert not record.record(9)
    ops.ScalarSummary()("later", Tensor(2.0))
    version, (step, values), (later, given) = events_in(tmp_path)
    assert version == (0, {}) and step == 7 and later == 8
    assert given["given"] == (2, struct.pack("<f", 2.0)) and values["loss"] == (2, struct.pack("<f", 0.5))
    histogram = dict(fields(values["weight"][1]))
    assert [struct.unpack("<d", histogram[number])[0] for number in (1, 2, 3, 4, 5)] == [1, 3, 3, 6, 14]
    assert sum(struct.unpack("<30d", histogram[7])) == 3 and struct.unpack("<30d", histogram[6])[-1] == 3
    picture = dict(fields(values["input"][1]))
    start = picture[4].index(b"IDAT")
    size = struct.unpack_from(">I", picture[4], start - 4)[0]
    assert zlib.decompress(picture[4][start + 4 : start + 4 + size]) == bytes([0, 255, 0, 0, 255, 0, 0] * 2)
    tensor = dict(fields(values["a/b"][1]))
    assert tensor[1] == 3 and tensor[4] == struct.pack("<2i", 1, 2)
    (saved,) = tmp_path.glob("export_*/tensor/a%2Fb_7.npy")
    assert np.load(saved).tolist() == [[1, 2]]


def test_a_file_has_a_greatest_size(tmp_path: Path) -> None:
    with train.SummaryRecord(tmp_path, max_file_size=100) as record:
        record.add_value("tensor", "large", Tensor(np.zeros(99, np.float32)))
        with pytest.warns(UserWarning, match="'max_file_size' leaves"):
            record.record(1)


def test_training_is_collected(tmp_path: Path) -> None:
    collector = train.SummaryCollector(tmp_path, collect_freq=3, collect_specified_data={"histogram_regular": "^bias"})
    net = nn.Dense(4, 3)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = ms.Model(net, loss, nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"acc"})
    rows = ds.NumpySlicesDataset((np.ones((8, 4), np.float32), np.zeros(8, np.int32))).batch(4)
    model.fit(2, rows, rows, callbacks=collector)
    found = {step: sorted(values) for step, values in events_in(tmp_path) if values}
    assert found == {step: ["bias/auto", "learning_rate/auto", "loss/auto"] for step in (1, 3)}


REFUSED_SUMMARIES: dict[str, tuple[Any, type[Exception], str]] = {
    "plugin": (lambda r: r.add_value("x", "a", Tensor(1.0)), ValueError, "must be one of scalar"),
    "name": (lambda r: r.add_value("scalar", "", Tensor(1.0)), ValueError, "'name'"),
    "value": (lambda r: r.add_value("scalar", "a", 1.0), TypeError, "must be a Tensor"),
    "rank": (lambda r: r.add_value("image", "a", Tensor([1.0])), ValueError, r"shape \(1,\) is no image"),
    "step": (lambda r: r.record("1"), TypeError, "step"),
    "mode": (lambda r: r.set_mode("x"), ValueError, "'mode'"),
    "export": (lambda r: train.SummaryRecord(r.base, export_options={"x": "npy"}), ValueError, "'export_options'"),
    "frequency": (lambda r: train.SummaryCollector(r.base, 0), ValueError, "collect_freq"),
    "item": (lambda r: train.SummaryCollector(r.base, collect_specified_data={"x": 1}), ValueError, "has 'x'"),
    "expression": (
        lambda r: train.SummaryCollector(r.base, collect_specified_data={"histogram_regular": "("}),
        ValueError,
        "no regular expression",
    ),
}


@pytest.mark.parametrize("name", REFUSED_SUMMARIES)
def test_refused_summaries(name: str, tmp_path: Path) -> None:
    call, error, text = REFUSED_SUMMARIES[name]
    with train.SummaryRecord(tmp_path) as record:
        record.base = tmp_path
        with pytest.raises(error, match=text):
            call(record)
