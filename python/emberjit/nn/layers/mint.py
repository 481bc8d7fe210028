"""Layers with the names and arguments of PyTorch's, which are mint.nn's. nn has them too, under names that end with Ext."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.capture.guards.attributes import read_attribute
from emberjit.checks import by_axis, check_int, check_within
from emberjit.functions.activations.activations import prelu
from emberjit.functions.layers.embeddings import embedding, padding_row
from emberjit.functions.random import dropout
from emberjit.initializer import Constant, Normal, initializer
from emberjit.nn.cell import Cell
from emberjit.nn.layers.dropout import BaseDropout

_ops = core.ops


class Identity(Cell):
    """Gives its input. It may be made with any arguments, which it ignores."""

    _stateless = True

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def construct(self, input: Any) -> Any:
        return input


class PReLU(Cell):
    """input where it is positive, else input times weight, one for all or one for each channel (He et al., 2015).

    Args:
        num_parameters: 1, or the size of the second axis.
        init: the initial value.
        dtype: of the Parameter.

    Raises:
        TypeError: num_parameters is no int.
        ValueError: num_parameters is not positive; when called: is neither.
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None):
        super().__init__()
        self.num_parameters = check_int("PReLU", "num_parameters", num_parameters, 1)
        self.weight = core.Parameter(initializer(Constant(init), (num_parameters,), dtype), "weight")

    def construct(self, input: Any) -> Any:
        return prelu(input, self.weight)

    def extend_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class _Dropout(BaseDropout):
    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        check_within(type(self).__name__, "p", p, 0, 1)
        self.p, self.inplace = p, inplace

    def extend_repr(self) -> str:
        return f"{super().extend_repr()}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Zeroes elements with probability p while training, and scales the others by 1 / (1 - p) (Srivastava et al., 2014).

    Args:
        inplace: whether the result is written into the input.

    Raises:
        ValueError: p is outside [0, 1].
    """

    def construct(self, input: Any) -> Any:
        return dropout.dropout(input, read_attribute(self, "p"), self.training, self.inplace)


class Dropout2d(_Dropout):
    """Zeroes channels of (N, C, H, W) or (N, C, L) with probability p while training, and scales the others by 1 / (1 - p).

    Args:
        inplace: whether the result is written into the input.

    Raises:
        ValueError: p is outside [0, 1].
    """

    def construct(self, input: Any) -> Any:
        return dropout.channel_dropouts[1](input, read_attribute(self, "p"), self.training, self.inplace)


class LayerNorm(Cell):
    """Layer normalisation over the last axes (Ba et al., 2016).

    Args:
        normalized_shape: the sizes of these axes, an int or a tuple or list of ints.
        eps: added to variances.
        elementwise_affine: whether there is a scale, weight.
        bias: whether there is a shift, too.
        dtype: of the Parameters.

    Raises:
        TypeError: normalized_shape is something else.
        ValueError: a size is not positive; when called: the input's last axes have other sizes.
    """

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True, dtype: Any = None
    ):
        super().__init__()
        sizes = normalized_shape if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)
        self.normalized_shape = by_axis("LayerNorm", "normalized_shape", tuple(sizes), len(sizes))
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = core.Parameter(_ops.ones(self.normalized_shape, dtype), "weight")
            if bias:
                self.bias = core.Parameter(_ops.zeros(self.normalized_shape, dtype), "bias")

    def construct(self, input: Any) -> Any:
        return _ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class Embedding(Cell):
    """Looks up the rows of a table, weight, by index.

    Args:
        num_embeddings: the number of rows.
        embedding_dim: the size of a row.
        padding_idx: the index of a row that is initialised to zeros and not learned.
        max_norm: the largest norm of a row that is looked up; rows of a larger one are scaled down to it.
        norm_type: the order of that norm.
        scale_grad_by_freq: whether the gradient of a row is divided by how often its index is in the input.
        sparse: has no effect: gradients are dense.
        _weight: the table; random numbers of mean 0 and deviation 1 if None.
        _freeze: whether the table is not learned.
        dtype: of the Parameter.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, padding_idx is out of range, or _weight has another shape.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        dtype: Any = None,
    ):
        super().__init__()
        self.num_embeddings = check_int("Embedding", "num_embeddings", num_embeddings, 1)
        self.embedding_dim = check_int("Embedding", "embedding_dim", embedding_dim, 1)
        self.padding_idx = padding_row("Embedding", padding_idx, num_embeddings)
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        table = initializer(Normal(1.0) if _weight is None else _weight, (num_embeddings, embedding_dim), dtype)
        if self.padding_idx is not None and _weight is None:
            table[self.padding_idx] = 0
        self.weight = core.Parameter(table, "weight", requires_grad=not _freeze)

    def construct(self, input: Any) -> Any:
        return embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)

    def extend_repr(self) -> str:
        return f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, padding_idx={self.padding_idx}"


PReLUExt, DropoutExt, Dropout2dExt, LayerNormExt, EmbeddingExt = PReLU, Dropout, Dropout2d, LayerNorm, Embedding
