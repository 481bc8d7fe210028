"""ONNX's ops on signals, their windows, and n-grams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from emberjit import dtype as dtypes
from emberjit import mint, ops
from emberjit._emberjit import Tensor
from emberjit.onnx import values
from emberjit.onnx.table import Input, Number, op


def _complex(x: Tensor) -> Any:
    """(..., 1 or 2) as complex numbers."""
    if x.shape[-1] == 1:
        return mint.squeeze(x, -1)
    return ops.complex(mint.select(x, -1, 0), mint.select(x, -1, 1))


def _parts(x: Tensor) -> Any:
    return mint.stack([ops.real(x), ops.imag(x)], -1)


@op("DFT")
def dft(
    x: Tensor,
    length: Number = None,
    at: Number = None,
    *,
    axis: int | None = None,
    inverse: int = 0,
    onesided: int = 0,
    opset: int,
) -> Any:
    axis = at if at is not None else axis if axis is not None else (1 if opset < 20 else -2)
    axis = values.within(axis, x.ndim)
    signal = _complex(x)
    if onesided and inverse:
        n = 2 * (signal.shape[axis] - 1) if length is None else length
        return mint.unsqueeze(ops.irfft(signal, n, axis), -1)
    if onesided:
        return _parts(ops.rfft(signal, length, axis))
    return _parts((ops.ifft if inverse else ops.fft)(signal, length, axis))


@op("STFT")
def stft(x: Tensor, step: Number, window: Input = None, length: Number = None, *, onesided: int = 1) -> Any:
    signal = _complex(x) if x.ndim == 3 else x
    n, step = int(signal.shape[1]), int(step)
    size = int(length if length is not None else n if window is None else window.shape[0])
    starts = np.arange((n - size) // step + 1)[:, None] * step
    frames = mint.index_select(signal, 1, Tensor((starts + np.arange(size)).reshape(-1)))
    frames = frames.reshape((signal.shape[0], len(starts), size))
    frames = frames if window is None else frames * window
    whole = not onesided or frames.dtype in (dtypes.complex64, dtypes.complex128)
    return _parts((ops.fft if whole else ops.rfft)(frames, size, -1))


def _window(name: str, weights: tuple[float, ...]) -> None:
    @op(name)
    def window(n: Number, *, output_datatype: int = values.FLOAT, periodic: int = 1) -> Any:
        at = np.arange(n) * (2 * math.pi / max(1, n if periodic else n - 1))
        samples = sum(weight * np.cos(i * at) for i, weight in enumerate(weights))
        return Tensor(np.asarray(samples)).astype(values.TYPES[output_datatype])


_window("HannWindow", (0.5, -0.5))
_window("HammingWindow", (25 / 46, -21 / 46))
_window("BlackmanWindow", (0.42, -0.5, 0.08))


@op("MelWeightMatrix")
def mel_weight_matrix(
    count: Number, length: Number, rate: Number, low: Number, high: Number, *, output_datatype: int = values.FLOAT
) -> Any:
    def mel(hertz: float) -> float:
        return 2595 * math.log10(1 + hertz / 700)

    bins = length // 2 + 1
    marks = mel(low) + np.arange(count + 2) * ((mel(high) - mel(low)) / (count + 2))
    edges = np.floor((length + 1) * (700 * (10 ** (marks / 2595) - 1)) / rate).astype(int)
    matrix = np.zeros((bins, count))
    for i, (start, middle, end) in enumerate(zip(edges, edges[1:], edges[2:])):
        if start == middle:
            matrix[middle, i] = 1
        else:
            matrix[start : middle + 1, i] = (np.arange(start, middle + 1) - start) / (middle - start)
        if end > middle:
            matrix[middle:end, i] = (end - np.arange(middle, end)) / (end - middle)
    return Tensor(matrix).astype(values.TYPES[output_datatype])


@op("TfIdfVectorizer")
def tf_idf(
    x: Tensor,
    *,
    max_gram_length: int,
    max_skip_count: int,
    min_gram_length: int,
    mode: str,
    ngram_counts: Sequence[int],
    ngram_indexes: Sequence[int],
    pool_int64s: Any = None,
    pool_strings: Sequence[str] | None = None,
    weights: Sequence[float] | None = None,
) -> Any:
    if pool_strings is not None:
        raise NotImplementedError("emberjit has no strings")
    rows = x.asnumpy()
    terms = np.zeros((*rows.shape[:-1], max(ngram_indexes) + 1), np.float32)
    grams = _grams(pool_int64s, ngram_counts, min_gram_length, max_gram_length)
    for row, counts in zip(rows.reshape((-1, rows.shape[-1])), terms.reshape((-1, terms.shape[-1]))):
        for place, gram in grams:
            for skip in range(max_skip_count + 1 if len(gram) > 1 else 1):
                reach = (len(gram) - 1) * (skip + 1)
                starts = range(len(row) - reach)
                counts[ngram_indexes[place]] += sum(tuple(row[i : i + reach + 1 : skip + 1]) == gram for i in starts)
    factors = np.ones(terms.shape[-1], np.float32)
    if weights is not None:
        factors[list(ngram_indexes)] = weights
    return Tensor({"TF": terms, "IDF": (terms > 0) * factors, "TFIDF": terms * factors}[mode].astype(np.float32))


def _grams(pool: Sequence[int], counts: Sequence[int], least: int, most: int) -> list[tuple[int, tuple[int, ...]]]:
    """The n-grams of a pool that are of admitted lengths, with their places."""
    grams, place = list[tuple[int, tuple[int, ...]]](), 0
    for n, (start, end) in enumerate(zip(counts, (*counts[1:], len(pool))), 1):
        for at in range(start, end, n):
            if least <= n <= most:
                grams.append((place, tuple(pool[at : at + n])))
            place += 1
    return grams
