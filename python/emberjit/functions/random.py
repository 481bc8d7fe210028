"""Random numbers."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import DType, Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
bernoulli: ops.bernoulli Tensor.bernoulli(p, seed)
dropout: ops.dropout mint.nn.functional.dropout(input, p, training)
normal: ops.normal
rand: ops.rand(*size, dtype, seed) mint.rand(*size, dtype) numpy.rand(*size, dtype)
randn: ops.randn(*size, dtype, seed) mint.randn(*size, dtype) numpy.randn(*size, dtype)
randint: ops.randint(low, high, size, seed, *, dtype)
standard_normal: ops.standard_normal
uniform: ops.uniform
""",
)


@publish("ops.rand_like(input, seed, *, dtype) mint.rand_like(input, *, dtype)", in_python=True)
def rand_like(input: Tensor, seed: int | None = None, dtype: DType | None = None) -> Any:
    """Random numbers of [0, 1) in input's shape, and its dtype unless another is given."""
    return _ops["rand"](input.shape, input.dtype if dtype is None else dtype, seed)


@publish("ops.randn_like(input, seed, *, dtype) mint.randn_like(input, *, dtype)", in_python=True)
def randn_like(input: Tensor, seed: int | None = None, dtype: DType | None = None) -> Any:
    """Random numbers of mean 0 and deviation 1 in input's shape, and its dtype unless another is given."""
    return _ops["randn"](input.shape, input.dtype if dtype is None else dtype, seed)


def _seed(seed: int, seed2: int) -> int | None:
    return None if seed == 0 and seed2 == 0 else seed << 16 ^ seed2


@publish("ops.Dropout(keep_prob, Seed0, Seed1)(x)", in_python=True)
def dropout_with_mask(x: Tensor, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> Any:
    """(x with elements dropped and the others scaled, 1 where one was kept).

    Raises:
        ValueError: keep_prob outside (0, 1].
    """
    return _ops["dropout_with_mask"](x, keep_prob, _seed(Seed0, Seed1))


@publish("ops.UniformReal(seed, seed2)(shape)", in_python=True)
def uniform_real(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of [0, 1)."""
    return _ops["rand"](shape, None, _seed(seed, seed2))


@publish("ops.UniformInt(seed, seed2)(shape, minval, maxval)", in_python=True)
def uniform_int(shape: Ints, minval: Any, maxval: Any, seed: int = 0, seed2: int = 0) -> Any:
    """Random integers of [minval, maxval), int32."""
    return _ops["randint"](int(minval), int(maxval), shape, _seed(seed, seed2), core.int32)


@publish("ops.StandardNormal(seed, seed2)(shape)", in_python=True)
def standard_normal(shape: Ints, seed: int = 0, seed2: int = 0) -> Any:
    """Random numbers of mean 0 and deviation 1."""
    return _ops["standard_normal"](shape, _seed(seed, seed2))
