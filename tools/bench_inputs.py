"""Sizes and inputs of the benchmark, as NumPy arrays, and the programs that are the same text for every system: so
that all do the same work.

A workload's name is its program's and may end in sizes: `_4096x1024`, `_1M`, `_200`; after `@`, as in `gemm@3x5x7` (rows,
inner, columns) or `softmax@67x13`, in the sweep.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import bench_models as models
import numpy as np

HIDDEN, HEADS, KV_HEADS, SEQUENCE = 1024, 16, 4, 128

ALEXNET = [(4, 2, True), (1, 2, True), (1, 1, False), (1, 1, False), (1, 1, True)]  # stride, padding, pooled

Draw = Callable[..., np.ndarray]


def unroll(x: Any, y: Any) -> Any:
    o = x
    for _ in range(200):
        o = x + x * y + o
    return o


def if_net(x: Any, y: Any) -> Any:
    out = 0
    for _ in range(100):
        if x < y:  # noqa: SIM108
            x = x - y
        else:
            x = x + y
        out = out + x
    return out


def _mlp(draw: Draw) -> list[np.ndarray]:
    first = [np.ones((64, 784), np.float32), draw(784, 512, scale=0.04), draw(512, scale=0.01)]
    return [*first, draw(512, 512, scale=0.04), draw(512, scale=0.01), draw(512, 10, scale=0.04), draw(10, scale=0.01)]


def _mlp_labelled(draw: Draw) -> list[np.ndarray]:
    return [np.arange(64, dtype=np.int32) * 7 % 10, *_mlp(draw)]


def _block(draw: Draw) -> list[np.ndarray]:
    weights = [draw(64, 64, 3, 3, scale=0.05), draw(64, 64, 3, 3, scale=0.05)]
    return [draw(4, 64, 56, 56), *weights, np.ones(64, np.float32), np.zeros(64, np.float32)]


def _attention(draw: Draw) -> list[np.ndarray]:
    narrow = HIDDEN // HEADS * KV_HEADS
    widths = [HIDDEN, narrow, narrow, HIDDEN]
    return [draw(1, SEQUENCE, HIDDEN), *(draw(HIDDEN, width, scale=0.03) for width in widths)]


def _alexnet(draw: Draw) -> list[np.ndarray]:
    shapes = [(64, 3, 11, 11), (192, 64, 5, 5), (384, 192, 3, 3), (256, 384, 3, 3), (256, 256, 3, 3)]
    shapes += [(4096, 9216), (4096, 4096), (1000, 4096)]
    arrays = [draw(16, 3, 224, 224)]
    for shape in shapes:
        bound = 1 / np.sqrt(np.prod(shape[1:]))
        arrays += [draw(*shape, scale=bound / np.sqrt(3)), draw(shape[0], scale=bound / np.sqrt(3))]
    return arrays


def _images(draw: Draw) -> list[np.ndarray]:
    labels = np.arange(4, dtype=np.int32) * 37 % 1000
    return [labels, draw(4, 3, 224, 224), *models.resnet18_weights(draw)]


def _words(draw: Draw) -> list[np.ndarray]:
    text = (np.abs(draw(4, models.LENGTH + 1)) * 1000).astype(np.int32) % models.WORDS
    return [text[:, 1:].copy(), text[:, :-1].copy(), *models.llama_weights(draw)]


def _waves(*sizes: int) -> Callable[[Draw], list[np.ndarray]]:
    return lambda draw: [(draw(*sizes) + 1j * draw(*sizes)).astype(np.complex64)]


def _with_gradients(*shapes: tuple[int, ...]) -> Callable[[Draw], list[np.ndarray]]:
    return lambda draw: [draw(*shape) for _ in range(2) for shape in shapes]


_INPUTS: dict[str, Callable[[Draw], list[np.ndarray]]] = {
    "abc_2x3": lambda draw: [draw(2, 3), draw(2, 3), draw(2, 3)],
    "add_2x3": lambda draw: [draw(2, 3), draw(2, 3)],
    "elementwise_1M": lambda draw: [draw(1 << 20)],
    "in_place_add_1M": lambda draw: [draw(1 << 20), draw(1 << 20)],
    "in_place_add_16M": lambda draw: [draw(1 << 24), draw(1 << 24)],
    "adam_step_25M": _with_gradients((25_000_000,)),
    "adam_step_resnet50": _with_gradients(*models.resnet50_shapes()),
    "fft_1024": _waves(1024),
    "fft_1013": _waves(1013),
    "fft_44100": _waves(44100),
    "fft_1M": _waves(1 << 20),
    "rfft_1M": lambda draw: [draw(1 << 20)],
    "fft2_1024x1024": _waves(1024, 1024),
    "gelu_1M": lambda draw: [draw(1 << 20)],
    "softmax_4096x1024": lambda draw: [draw(4096, 1024)],
    "layernorm_4096x1024": lambda draw: [draw(4096, 1024)],
    "sum_4096x1024": lambda draw: [draw(4096, 1024)],
    "sum_columns_4096x1024": lambda draw: [draw(4096, 1024)],
    "sum_all_4096x1024": lambda draw: [draw(4096, 1024)],
    "mlp_fwd": _mlp,
    "basicblock_fwd": _block,
    "basicblock_fwd_bwd": _block,
    "llama_attention_fwd": _attention,
    "llama_attention_fwd_bwd": _attention,
    "gemm_1024": lambda draw: [draw(1024, 1024), draw(1024, 1024)],
    "gemm_2048": lambda draw: [draw(2048, 2048), draw(2048, 2048)],
    "gemm_1024_bf16": lambda draw: [draw(1024, 1024), draw(1024, 1024)],
    "gemm_2048_bf16": lambda draw: [draw(2048, 2048), draw(2048, 2048)],
    "shape_churn_30": lambda draw: [draw(256, 256, scale=0.05), *(draw(n, 256) for n in range(17, 47))],
    "unroll_200": lambda draw: [np.array([1], np.float32), np.array([2], np.float32)],
    "if_net": lambda draw: [np.array([0], np.int32), np.array([1], np.int32)],
    "select_net": lambda draw: [np.array([0], np.int32), np.array([1], np.int32)],
    "mlp_train_step": _mlp_labelled,
    "alexnet_train_step": _alexnet,
    "resnet18_fwd": _images,
    "resnet18_train_step": _images,
    "llama4_fwd": _words,
    "llama4_train_step": _words,
}

NAMES = list(_INPUTS)
INFERENCE = ["abc", "add", "elementwise", "gelu", "softmax", "layernorm", "sum", "sum_columns", "sum_all", "mlp_fwd"]
INFERENCE += ["llama_attention_fwd", "gemm"]  # programs that are graphs of an inference runtime
TRANSFORMS = ["fft", "rfft", "fft2"]  # programs that SciPy has
STEPS = ["mlp_train_step", "resnet18_train_step", "llama4_train_step"]

_GEMMS = [(1, 1, 1), (2, 3, 5), (7, 7, 7), (13, 17, 19), (31, 31, 31), (32, 32, 32), (61, 67, 59), (67, 67, 67)]
_GEMMS += [(1, 512, 512), (1, 4096, 1024), (127, 1, 127), (128, 128, 128), (257, 263, 269), (509, 64, 7)]
_GEMMS += [(4096, 16, 16), (16, 4096, 16), (16, 16, 4096), (3, 1024, 1021), (1021, 1024, 3), (521, 523, 541)]
_ROWS = [(1, 1), (3, 7), (64, 10), (1, 4099), (4099, 1), (67, 67), (257, 1021), (1021, 257)]
_IMAGES = [(1, 3, 8, 7, 3), (1, 16, 14, 14, 1), (2, 7, 13, 11, 3), (1, 64, 28, 32, 3), (1, 32, 17, 67, 5)]

SWEEP = [f"gemm@{m}x{k}x{n}" for m, k, n in _GEMMS]
SWEEP += [f"{name}@{rows}x{columns}" for name in ("softmax", "layernorm", "sum", "gelu") for rows, columns in _ROWS]
SWEEP += ["conv@" + "x".join(map(str, sizes)) for sizes in _IMAGES]  # images, channels in, size, channels out, kernel


def _swept(draw: Draw, family: str, sizes: list[int]) -> list[np.ndarray]:
    if family == "gemm":
        rows, inner, columns = sizes
        return [draw(rows, inner), draw(inner, columns)]
    if family == "conv":
        count, inputs, size, outputs, kernel = sizes
        return [draw(count, inputs, size, size), draw(outputs, inputs, kernel, kernel, scale=0.1)]
    return [draw(*sizes)]


def program(name: str) -> str:
    """What a workload runs: its name without sizes."""
    return re.sub(r"[_@]\d[\dx]*M?$", "", name)


def work(name: str) -> tuple[str, float] | None:
    """What bounds a workload: ("flops", operations) or ("bytes", bytes read) of a call; None where neither is plain."""
    if name.startswith("gemm_"):
        return "flops", 2.0 * int(name.split("_")[1]) ** 3
    if name.startswith("in_place_add_"):
        return "bytes", 12.0 * int(name.split("_")[3].rstrip("M")) * (1 << 20)
    if name.startswith("adam_step_"):  # parameter, gradient and two moments are read, all but the gradient written
        return "bytes", 28.0 * (25_557_032 if name.endswith("resnet50") else 25_000_000)
    return ("bytes", 4.0 * 4096 * 1024) if name.startswith("sum_") else None


def inputs(name: str) -> list[np.ndarray]:
    """The arrays of a workload, the same in every process."""
    generator = np.random.default_rng(0)

    def draw(*shape: int, scale: float = 1.0) -> np.ndarray:
        return (generator.standard_normal(shape) * scale).astype(np.float32)

    family, _, sizes = name.partition("@")
    return _swept(draw, family, [int(n) for n in sizes.split("x")]) if sizes else _INPUTS[name](draw)
