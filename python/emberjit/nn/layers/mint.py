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
    """Gives its input.

    Args:
        args, kwargs: anything; they are ignored.

    Inputs:
        input: anything.

    Examples:
        >>> print(mint.nn.Identity(54, unused=True)(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    _stateless = True

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def construct(self, input: Any) -> Any:
        return input


class PReLU(Cell):
    """input where it is positive, else input times weight, one factor for all or one for each channel (He et al., 2015).

    Args:
        num_parameters: how many factors there are: 1, or the size of the second axis.
        init: their initial value.
        dtype: of the Parameter; None: float32.

    Inputs:
        input: a Tensor of floating dtype, (N, C, ...).

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: num_parameters is no int.
        ValueError: num_parameters is not positive; when called: is neither.

    Examples:
        >>> prelu = mint.nn.PReLU(init=0.5)
        >>> print(prelu(Tensor([[-2.0, 4.0]])))
        [[-1.  4.]]
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
    """While training, zeroes each element with probability p and scales the others by 1 / (1 - p); else returns its input
    (Srivastava et al., 2014).

    Args:
        p: the probability of [0, 1] that an element becomes 0.
        inplace: whether the result is written into the input.

    Inputs:
        input: a Tensor of floating dtype.

    Returns:
        A Tensor of the shape and dtype of input; with inplace the input itself.

    Raises:
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> dropout = mint.nn.Dropout(p=0.5).set_train()
        >>> print(dropout(Tensor(np.ones(8), ms.float32)))
        [2. 0. 2. 2. 2. 2. 0. 0.]
    """

    def construct(self, input: Any) -> Any:
        return dropout.dropout(input, read_attribute(self, "p"), self.training, self.inplace)


class Dropout2d(_Dropout):
    """While training, zeroes each channel with probability p and scales the others by 1 / (1 - p) (Tompson et al., 2015).

    Args:
        p: the probability of [0, 1] that a channel becomes 0.
        inplace: whether the result is written into the input.

    Inputs:
        input: a Tensor (N, C, H, W) or (N, C, L) of floating dtype.

    Returns:
        A Tensor of the shape and dtype of input; with inplace the input itself.

    Raises:
        ValueError: p is outside [0, 1].

    Examples:
        >>> ms.set_seed(1)
        >>> dropout = mint.nn.Dropout2d(p=0.5).set_train()
        >>> print(dropout(Tensor(np.ones((1, 3, 1, 2)), ms.float32))[0, :, 0])
        [[2. 2.]
         [0. 0.]
         [2. 2.]]
    """

    def construct(self, input: Any) -> Any:
        return dropout.channel_dropouts[1](input, read_attribute(self, "p"), self.training, self.inplace)


class LayerNorm(Cell):
    """Layer normalisation (Ba et al., 2016): weight * (input - mean) / sqrt(variance + eps) + bias, with mean and variance
    over the last axes.

    Args:
        normalized_shape: the sizes of these axes, an int or a tuple or list of ints.
        eps: added to variances.
        elementwise_affine: whether there is a scale, weight.
        bias: whether there is a shift, too.
        dtype: of the Parameters; None: float32.

    Inputs:
        input: a Tensor whose shape ends with normalized_shape.

    Returns:
        A Tensor of the shape and dtype of input.

    Raises:
        TypeError: normalized_shape is something else.
        ValueError: a size is not positive; when called: the input's last axes have other sizes.

    Examples:
        >>> norm = mint.nn.LayerNorm(2)
        >>> print(norm(Tensor([[1.0, 3.0], [0.0, 8.0]])))
        [[-0.999995    0.999995  ]
         [-0.99999976  0.99999976]]
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
        padding_idx: the index of a row that is initialised to zeros and not learned; None: there is none.
        max_norm: the largest norm of a row that is looked up; rows of a larger one are scaled down to it; None: they stay.
        norm_type: the order of that norm.
        scale_grad_by_freq: whether the gradient of a row is divided by how often its index is in the input.
        sparse: has no effect: gradients are dense.
        _weight: the table, a Tensor; None: random numbers of mean 0 and standard deviation 1.
        _freeze: whether the table is not learned.
        dtype: of the Parameter; None: float32.

    Inputs:
        input: a Tensor of int32 or int64, of any shape.

    Returns:
        A Tensor of the shape of input with an axis of embedding_dim more.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, padding_idx is out of range, or _weight has another shape.
        IndexError: when called: an index is out of range.

    Examples:
        >>> embedding = mint.nn.Embedding(3, 2, _weight=Tensor([[0.0, 0.0], [1.0, 1.5], [2.0, 2.5]]))
        >>> print(embedding(Tensor([2, 1])))
        [[2.  2.5]
         [1.  1.5]]
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
