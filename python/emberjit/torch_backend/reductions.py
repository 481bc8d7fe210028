"""ATen's reductions, sorts, and what it has of softmax."""

from __future__ import annotations

from typing import Any

from emberjit import mint
from emberjit.mint.nn import functional as F
from emberjit.publish.kinds import Ints, Tensor
from emberjit.torch_backend.table import RULES, Expected, aten


def _axes(dims: Ints) -> Any:
    if dims is None or isinstance(dims, int):
        return dims
    return tuple(dims) or None


@aten("aten.sum.dim_IntList", "aten.sum.default")
def sum_(to: Expected, x: Tensor, dims: Ints | None = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return mint.sum(to.cast(x), _axes(dims), keepdim) if x.ndim else to.cast(x)


@aten("aten.mean.dim", "aten.mean.default")
def mean(to: Expected, x: Tensor, dims: Ints | None = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return mint.mean(to.cast(x), _axes(dims), keepdim) if x.ndim else to.cast(x)


@aten("aten.prod.default", "aten.prod.dim_int")
def prod(to: Expected, x: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return mint.prod(to.cast(x), dim, keepdim)


@aten("aten.amax.default")
def amax(to: Expected, x: Tensor, dims: Ints = (), keepdim: bool = False) -> Any:
    return mint.amax(x, _axes(dims) or tuple(range(x.ndim)), keepdim)


@aten("aten.amin.default")
def amin(to: Expected, x: Tensor, dims: Ints = (), keepdim: bool = False) -> Any:
    return mint.amin(x, _axes(dims) or tuple(range(x.ndim)), keepdim)


@aten("aten.max.dim")
def max_(to: Expected, x: Tensor, dim: int, keepdim: bool = False) -> Any:
    return mint.max(x, dim, keepdim)


@aten("aten.min.dim")
def min_(to: Expected, x: Tensor, dim: int, keepdim: bool = False) -> Any:
    return mint.min(x, dim, keepdim)


@aten("aten.argmax.default")
def argmax(to: Expected, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return mint.argmax(x, dim, keepdim)


@aten("aten.argmin.default")
def argmin(to: Expected, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return mint.argmin(x, dim, keepdim)


def _of_bools(name: str) -> None:
    function = getattr(mint, name)

    def rule(to: Expected, x: Tensor, dims: Ints | None = None, keepdim: bool = False) -> Any:
        x = x != 0
        if not x.ndim:
            return x
        axes = range(x.ndim) if dims is None else [dims] if isinstance(dims, int) else dims
        for axis in sorted((axis % x.ndim for axis in axes), reverse=True):
            x = function(x, axis, keepdim)
        return x

    RULES.update(dict.fromkeys((f"aten.{name}.{overload}" for overload in ("default", "dim", "dims")), rule))


for _name in ("any", "all"):
    _of_bools(_name)


@aten("aten.var.correction")
def var(to: Expected, x: Tensor, dims: Ints | None = None, *, correction: float = 1, keepdim: bool = False) -> Any:
    correction = 1 if correction is None else correction
    if correction == int(correction):
        return mint.var(x, _axes(dims), correction=int(correction), keepdim=keepdim)
    variance = mint.var(x, _axes(dims), correction=0, keepdim=keepdim)
    count = x.numel() / max(1, variance.numel())
    return variance * (count / max(0.0, count - correction))


@aten("aten.var_mean.correction")
def var_mean(to: Expected, x: Tensor, dims: Ints | None = None, *, correction: float = 1, keepdim: bool = False) -> Any:
    return var(to, x, dims, correction=correction, keepdim=keepdim), mint.mean(x, _axes(dims), keepdim)


@aten("aten.cumsum.default")
def cumsum(to: Expected, x: Tensor, dim: int, *, dtype: Any = None) -> Any:
    return mint.cumsum(to.cast(x), dim) if x.ndim else to.cast(x)


@aten("aten.cumprod.default")
def cumprod(to: Expected, x: Tensor, dim: int, *, dtype: Any = None) -> Any:
    return mint.cumprod(to.cast(x), dim)


@aten("aten.topk.default")
def topk(to: Expected, x: Tensor, k: Any, dim: int = -1, largest: bool = True, in_order: bool = True) -> Any:
    return mint.topk(x, k, dim, largest, in_order)


@aten("aten.logsumexp.default")
def logsumexp(to: Expected, x: Tensor, dims: Ints, keepdim: bool = False) -> Any:
    return mint.logsumexp(to.cast(x), _axes(dims), keepdim)


@aten("aten._softmax.default")
def softmax(to: Expected, x: Tensor, dim: int, half_to_float: bool) -> Any:
    return F.softmax(to.cast(x), dim) if x.ndim else x * 0 + 1


@aten("aten._log_softmax.default")
def log_softmax(to: Expected, x: Tensor, dim: int, half_to_float: bool) -> Any:
    return F.log_softmax(to.cast(x), dim) if x.ndim else x * 0


@aten("aten._softmax_backward_data.default")
def softmax_backward(to: Expected, dy: Tensor, y: Tensor, dim: int, dtype: Any) -> Any:
    product = dy * y
    return product - y * mint.sum(product, dim, True)


@aten("aten._log_softmax_backward_data.default")
def log_softmax_backward(to: Expected, dy: Tensor, y: Tensor, dim: int, dtype: Any) -> Any:
    return dy - mint.exp(y) * mint.sum(dy, dim, True)
