"""What capturing a function takes: milliseconds of `prepare`, warm, of a net of many layers and of much control flow."""

from __future__ import annotations

import linecache
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import emberjit as ms
from emberjit import Tensor, nn, ops

MODES = ("ast", "bytecode", "trace")
BLOCKS, IFS, ROUNDS = 40, 100, 15


class Block(nn.Cell):
    """A transformer's, of `width` in `heads`."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads, self.width = heads, width
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.query, self.key, self.value, self.out = (nn.Dense(width, width) for _ in range(4))
        self.inner, self.outer = nn.Dense(width, 2 * width), nn.Dense(2 * width, width)

    def split(self, x: Any) -> Any:
        """By heads."""
        batch, length, width = x.shape
        return x.reshape(batch, length, self.heads, width // self.heads).transpose(0, 2, 1, 3)

    def construct(self, x: Any) -> Any:
        y = self.norm1(x)
        query, key, value = self.split(self.query(y)), self.split(self.key(y)), self.split(self.value(y))
        scores = ops.matmul(query, key.transpose(0, 1, 3, 2)) / (self.width // self.heads) ** 0.5
        y = ops.matmul(ops.softmax(scores, axis=-1), value).transpose(0, 2, 1, 3).reshape(x.shape)
        x = x + self.out(y)
        return x + self.outer(ops.gelu(self.inner(self.norm2(x))))


class Blocks(nn.Cell):
    """One after another."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.CellList([Block(16, 2) for _ in range(BLOCKS)])

    def construct(self, x: Any) -> Any:
        for block in self.blocks:
            x = block(x)
        return x


def branches() -> Any:
    """A function of one `if` on a Tensor after another, whose source is at hand."""
    branch = "    if x.sum() > {0}:\n        x = x * {1}\n    else:\n        x = x - {0}\n"
    source = "def branches(x):\n" + "".join(branch.format(i, i + 1) for i in range(IFS)) + "    return x\n"
    namespace: dict[str, Any] = {}
    linecache.cache[__file__ + ".branches"] = len(source), None, source.splitlines(True), __file__ + ".branches"
    exec(compile(source, __file__ + ".branches", "exec"), namespace)
    return namespace["branches"]


def captured(function: Callable[..., Any], mode: str, x: Any) -> float:
    """Milliseconds of the quickest capture of ROUNDS."""
    times = []
    for _ in range(ROUNDS):
        jitted = ms.jit(function, capture_mode=mode)
        start = time.perf_counter()
        jitted.prepare((x,), {})
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def rows() -> Iterator[dict[str, Any]]:
    """A row for each function and mode."""
    x = Tensor(np.random.default_rng(0).random((2, 8, 16), dtype=np.float32))
    functions = {f"{BLOCKS} transformer blocks": (Blocks().construct, MODES), f"{IFS} ifs": (branches(), MODES[:2])}
    for name, (function, modes) in functions.items():
        for mode in modes:
            yield {"kind": "capture", "name": name, "mode": mode, "ms": round(captured(function, mode, x), 2)}
