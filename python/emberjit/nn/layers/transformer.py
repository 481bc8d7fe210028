"""Attention with several heads, and the layers of Transformers (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit import nn, ops
from emberjit._emberjit import Tensor
from emberjit.checks import check_int
from emberjit.functions.layers.recurrent import parts
from emberjit.initializer import HeUniform, Uniform, XavierNormal, XavierUniform, initializer
from emberjit.nn.cell import Cell
from emberjit.nn.layers.containers import CellList
from emberjit.nn.layers.dense import Dense
from emberjit.nn.layers.dropout import Dropout
from emberjit.nn.layers.normalisation import LayerNorm
from emberjit.publish.kinds import FLOATS

_ops = core.ops


def _dense(inner: int, outer: int, has_bias: bool, dtype: core.dtype) -> Dense:
    """With MindSpore's initial values, whose bias is as large as if the layer ran the other way."""
    init = HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(outer))
    return Dense(inner, outer, *init, has_bias=has_bias, dtype=dtype)


def _check_mask(argument: str, mask: Tensor, kinds: tuple[Any, ...], *shapes: tuple[int, ...]) -> None:
    if mask.dtype not in kinds:
        raise ValueError(
            f"For 'MultiheadAttention', only bool and floating types of {argument} are supported, but got {mask.dtype}."
        )
    if tuple(mask.shape) not in shapes:
        expected = " or ".join(map(str, shapes))
        raise ValueError(
            f"For 'MultiheadAttention', the shape of the `{argument}` should be {expected}, but got {tuple(mask.shape)}."
        )


def _added(mask: Tensor, dtype: core.dtype) -> Any:
    """A mask as what is added to scores."""
    return _ops.select(mask, _ops.full((), -math.inf, dtype), 0) if mask.dtype == core.bool_ else mask


def _both(mask: Tensor | None, other: Tensor | None, dtype: core.dtype) -> Any:
    if mask is None or other is None:
        return other if mask is None else mask
    if mask.dtype == other.dtype == core.bool_:
        return _ops.logical_or(mask, other)
    return _added(mask, dtype) + _added(other, dtype)


class MultiheadAttention(Cell):
    """Attention with several heads (Vaswani et al., 2017): softmax(q @ k.T / sqrt(size of a head)) @ v for each head, of
    projections q, k and v of query, key and value; the heads together are projected again.

    Args:
        embed_dim: the size of a query and of a result, which num_heads divides.
        num_heads: how many heads there are.
        dropout: the probability that a weight is dropped while training.
        has_bias: whether projections have biases.
        add_bias_kv: whether there is one more key and value, which are learned.
        add_zero_attn: whether there is one more key and value, of zeros.
        kdim, vdim: the sizes of a key and of a value; None: embed_dim.
        batch_first: whether inputs are (N, L, size), and not (L, N, size).
        dtype: of the Parameters.

    Inputs:
        query: a Tensor (L, N, embed_dim) or (L, embed_dim); with batch_first (N, L, embed_dim).
        key, value: Tensors (S, N, kdim) and (S, N, vdim), or without N, or with batch_first.
        key_padding_mask: which keys are left out, (N, S), or None.
        need_weights: whether weights are returned, too; by default they are.
        attn_mask: which keys each query may not attend to, (L, S) or (N * num_heads, L, S), or None.
        average_attn_weights: whether the weights are the mean over heads; by default they are.

    Masks are of bool, where True leaves out, or of floating dtype and added to the scores.

    Returns:
        A tuple of the results, of the shape of query, and the weights (N, L, S), or (N, num_heads, L, S) of each head;
        without need_weights of the results alone.

    Raises:
        TypeError: a size is no int.
        ValueError: a size is not positive, num_heads does not divide embed_dim; when called: a shape or mask does not fit.

    Examples:
        >>> attention = nn.MultiheadAttention(embed_dim=8, num_heads=2)
        >>> query, memory = Tensor(np.ones((3, 4, 8)), ms.float32), Tensor(np.ones((5, 4, 8)), ms.float32)
        >>> results, weights = attention(query, memory, memory)
        >>> print(results.shape, weights.shape, weights[0, 0])
        (3, 4, 8) (4, 3, 5) [0.2 0.2 0.2 0.2 0.2]
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: Any = types.float32,
    ):
        super().__init__()
        self.embed_dim = check_int("MultiheadAttention", "embed_dim", embed_dim, 1)
        self.num_heads = check_int("MultiheadAttention", "num_heads", num_heads, 1)
        if embed_dim % num_heads:
            raise ValueError(
                f"For 'MultiheadAttention', 'embed_dim' must be divisible by 'num_heads' ({num_heads}), but got {embed_dim}."
            )
        self.kdim = check_int("MultiheadAttention", "kdim", embed_dim if kdim is None else kdim, 1)
        self.vdim = check_int("MultiheadAttention", "vdim", embed_dim if vdim is None else vdim, 1)
        self.head_dim, self.dropout = embed_dim // num_heads, dropout
        self.add_zero_attn, self.batch_first, self.dtype = add_zero_attn, batch_first, dtype
        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        if self.kdim == self.vdim == embed_dim:
            self.in_proj_weight = self._parameter("in_proj_weight", XavierUniform(), 3 * embed_dim, embed_dim)
        else:
            for kind, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                name = f"{kind}_proj_weight"
                setattr(self, name, self._parameter(name, XavierUniform(), embed_dim, size))
        self.in_proj_bias = self._parameter("in_proj_bias", "zeros", 3 * embed_dim) if has_bias else None
        self.out_proj = _dense(embed_dim, embed_dim, has_bias, dtype)
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            self.bias_k, self.bias_v = (
                self._parameter(name, XavierNormal(), 1, 1, embed_dim) for name in ("bias_k", "bias_v")
            )

    def _parameter(self, name: str, init: Any, *shape: int) -> Any:
        return core.Parameter(initializer(init, shape, self.dtype), name)

    def construct(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
    ) -> Any:
        batched = self._check(query, key, value)
        heads = self._heads(*self._projected(query, key, value, batched))
        mask = self._mask(heads, key_padding_mask, attn_mask, batched)
        results, weights = self._weighted(heads, mask, need_weights)
        results = _ops.transpose(results, (0, 2, 1, 3))
        results = self.out_proj(_ops.reshape(results, (*results.shape[:2], self.embed_dim)))
        results = self._swap_batch(results) if batched else _ops.squeeze(results, 0)
        if not need_weights:
            return (results,)
        weights = weights.mean(1) if average_attn_weights else weights
        return results, weights if batched else _ops.squeeze(weights, 0)

    def _check(self, query: Tensor, key: Tensor, value: Tensor) -> bool:
        """Whether there is a batch."""
        ranks = [one.ndim for one in (query, key, value)]
        if ranks not in ([2] * 3, [3] * 3):
            raise ValueError(
                "For 'MultiheadAttention', `query`, `key` and `value` should all be unbatched 2D or batched 3D tensors, but "
                f"have {ranks} dimensions."
            )
        sizes = self.embed_dim, self.kdim, self.vdim
        if any(one.shape[-1] != size for one, size in zip((query, key, value), sizes)) or key.shape[:-1] != value.shape[:-1]:
            shapes = [tuple(one.shape) for one in (query, key, value)]
            raise ValueError(
                f"For 'MultiheadAttention', the last axes should be {sizes}, and the others of key and value alike, but "
                f"got shapes {shapes}."
            )
        return bool(ranks[0] == 3)

    def _swap_batch(self, x: Tensor) -> Any:
        return x if self.batch_first else _ops.swapaxes(x, 0, 1)

    def _projected(self, query: Tensor, key: Tensor, value: Tensor, batched: bool) -> list[Any]:
        """The projections (N, L, embed_dim), with what is added to keys and values."""
        alike = query is key and key is value
        q, k, v = (self._swap_batch(x) if batched else _ops.expand_dims(x, 0) for x in (query, key, value))
        if alike and self.in_proj_weight is not None:
            projections = list(parts(_ops.dense(q, self.in_proj_weight, self.in_proj_bias), 3))
        else:
            weights: Any = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
            if self.in_proj_weight is not None:
                weights = _ops.split(self.in_proj_weight, self.embed_dim, 0)
            bias = self.in_proj_bias
            biases: Any = [None] * 3 if bias is None else _ops.split(bias, self.embed_dim, 0)
            projections = [_ops.dense(*one) for one in zip((q, k, v), weights, biases)]
        if self.bias_k is not None and self.bias_v is not None:
            shape = (q.shape[0], 1, self.embed_dim)
            for i, row in ((1, self.bias_k), (2, self.bias_v)):
                projections[i] = _ops.concat((projections[i], _ops.broadcast_to(row, shape)), 1)
        return projections

    def _heads(self, *projected: Any) -> list[Any]:
        """(N, num_heads, L, head_dim) of each."""
        out = []
        for i, one in enumerate(projected):
            split = _ops.reshape(one, (*one.shape[:2], self.num_heads, self.head_dim))
            head = _ops.transpose(split, (0, 2, 1, 3))
            if i and self.add_zero_attn:
                head = _ops.concat((head, _ops.zeros((*head.shape[:2], 1, self.head_dim), head.dtype)), 2)
            out.append(head)
        return out

    def _mask(self, heads: list[Any], padding: Tensor | None, mask: Tensor | None, batched: bool) -> Any:
        """Both masks as one, broadcast to the scores (N, num_heads, L, S)."""
        n, many, length = heads[0].shape[:3]
        more = (self.bias_k is not None) + self.add_zero_attn
        keys = heads[1].shape[2] - more
        if padding is not None:
            _check_mask("key_padding_mask", padding, (core.bool_, *FLOATS), (n, keys) if batched else (keys,))
            padding = _ops.pad(_ops.reshape(padding, (n, 1, 1, keys)), (0, more))
        if mask is not None:
            _check_mask("attn_mask", mask, (core.bool_, core.uint8, *FLOATS), (length, keys), (n * many, length, keys))
            mask = _ops.cast(mask, core.bool_) if mask.dtype == core.uint8 else mask
            mask = _ops.reshape(mask, (n, many, length, keys) if mask.ndim == 3 else (1, 1, length, keys))
            mask = _ops.pad(mask, (0, more))
        return _both(mask, padding, heads[0].dtype)

    def _weighted(self, heads: list[Any], mask: Tensor | None, need_weights: bool) -> tuple[Any, Any]:
        q, k, v = heads
        scale, drops = 1 / math.sqrt(self.head_dim), self.training and self.dropout > 0
        if not (need_weights or drops):
            return _ops.attention(q, k, v, mask, scale), None
        scores = _ops.matmul(q * scale, _ops.swapaxes(k, -1, -2))
        scores = scores if mask is None else scores + _added(mask, scores.dtype)
        weights = _ops.softmax(scores, -1)
        weights = _ops.dropout(weights, self.dropout) if drops else weights
        return _ops.matmul(weights, v), weights


def _activation(activation: Any) -> Any:
    """The function of an activation.

    Raises:
        ValueError: it is none of relu and gelu.
    """
    function = {"relu": ops.relu, "gelu": ops.gelu}.get(activation) if isinstance(activation, str) else activation
    if function is ops.relu or function is ops.gelu or isinstance(function, (nn.ReLU, nn.GELU)):
        return function
    raise ValueError(
        "For a Transformer, 'activation' must be 'relu', 'gelu', ops.relu, ops.gelu, nn.ReLU() or nn.GELU(), but got "
        f"{activation!r}."
    )


class _TransformerLayer(Cell):
    """What both kinds of layers share; a class names its attentions."""

    attentions: tuple[str, ...] = ("self_attn",)

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = types.float32,
    ):
        super().__init__()
        sizes, norms = (d_model, nhead, dim_feedforward, dropout, activation), (layer_norm_eps, batch_first, norm_first)
        self.arguments = (*sizes, *norms, dtype)
        for name in self.attentions:
            setattr(self, name, MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype))
        self.dense1 = _dense(d_model, dim_feedforward, True, dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = _dense(dim_feedforward, d_model, True, dtype)
        self.norm_first = norm_first
        parts_of = range(1, len(self.attentions) + 2)
        for i in parts_of:
            setattr(self, f"norm{i}", LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype))
        for i in parts_of:
            setattr(self, f"dropout{i}", Dropout(p=dropout))
        self.activation = _activation(activation)
        self.d_model, self.nhead, self.dim_feedforward, self.dropout_num = d_model, nhead, dim_feedforward, dropout
        self.layernorm_eps, self.batch_first, self.dtype = layer_norm_eps, batch_first, dtype

    def _attended(self, i: int, x: Tensor, memory: Tensor | None, mask: Tensor | None, padding: Tensor | None) -> Any:
        """x with what attention i adds to it; to itself without a memory."""

        def block(x: Tensor) -> Any:
            keys = x if memory is None else memory
            return getattr(self, self.attentions[i - 1])(x, keys, keys, padding, False, mask)[0]

        return self._added(i, x, block)

    def _fed_forward(self, x: Tensor) -> Any:
        """x with what the feed-forward part adds to it."""
        return self._added(len(self.attentions) + 1, x, lambda x: self.dense2(self.dropout(self.activation(self.dense1(x)))))

    def _added(self, i: int, x: Tensor, block: Callable[[Tensor], Any]) -> Any:
        norm, dropout = getattr(self, f"norm{i}"), getattr(self, f"dropout{i}")
        return x + dropout(block(norm(x))) if self.norm_first else norm(x + dropout(block(x)))


class TransformerEncoderLayer(_TransformerLayer):
    """Attention of a sequence to itself and a feed-forward part, each added to what it gets, with norms (Vaswani et al.,
    2017).

    Args:
        d_model: the size of an input.
        nhead: the number of heads, which divides d_model.
        dim_feedforward: the size within the feed-forward part.
        dropout: the probability that an element is dropped while training.
        activation: of the feed-forward part: "relu", "gelu", ops.relu, ops.gelu, or a Cell ReLU or GELU.
        layer_norm_eps: added to variances.
        batch_first: whether inputs are (N, L, d_model), and not (L, N, d_model).
        norm_first: whether each part's input is normalised, and not its result with what it is added to.
        dtype: of the Parameters.

    Inputs:
        src: a Tensor (L, N, d_model) or (L, d_model); with batch_first (N, L, d_model).
        src_mask: which positions each may not attend to, (L, L) or (N * nhead, L, L), or None.
        src_key_padding_mask: which positions are padding, (N, L), or None.

    Masks are of bool, where True leaves out, or of floating dtype and added to the scores.

    Returns:
        A Tensor of the shape of src.

    Raises:
        TypeError: a size is no int.
        ValueError: a size is not positive, or another activation; when called: a shape or a mask does not fit.

    Examples:
        >>> layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16)
        >>> print(layer(Tensor(np.ones((5, 4, 8)), ms.float32)).shape)
        (5, 4, 8)
    """

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Any:
        return self._fed_forward(self._attended(1, src, None, src_mask, src_key_padding_mask))


class TransformerDecoderLayer(_TransformerLayer):
    """Attention of a sequence to itself and to a memory, and a feed-forward part, each added to what it gets, with norms
    (Vaswani et al., 2017).

    Args:
        d_model: the size of an input.
        nhead: the number of heads, which divides d_model.
        dim_feedforward: the size within the feed-forward part.
        dropout: the probability that an element is dropped while training.
        activation: of the feed-forward part: "relu", "gelu", ops.relu, ops.gelu, or a Cell ReLU or GELU.
        layer_norm_eps: added to variances.
        batch_first: whether inputs are (N, L, d_model), and not (L, N, d_model).
        norm_first: whether each part's input is normalised, and not its result with what it is added to.
        dtype: of the Parameters.

    Inputs:
        tgt: a Tensor (T, N, d_model) or (T, d_model); with batch_first (N, T, d_model).
        memory: what the encoder gives, a Tensor (S, N, d_model) or (S, d_model); with batch_first (N, S, d_model).
        tgt_mask, memory_mask: which positions each may not attend to, (T, T) and (T, S), or of N * nhead such, or None.
        tgt_key_padding_mask, memory_key_padding_mask: which positions are padding, (N, T) and (N, S), or None.

    Masks are of bool, where True leaves out, or of floating dtype and added to the scores.

    Returns:
        A Tensor of the shape of tgt.

    Raises:
        TypeError: a size is no int.
        ValueError: a size is not positive, or another activation; when called: a shape or a mask does not fit.

    Examples:
        >>> layer = nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=16)
        >>> memory = Tensor(np.ones((5, 4, 8)), ms.float32)
        >>> print(layer(Tensor(np.ones((3, 4, 8)), ms.float32), memory).shape)
        (3, 4, 8)
    """

    attentions = ("self_attn", "multihead_attn")

    def construct(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Any:
        x = self._attended(1, tgt, None, tgt_mask, tgt_key_padding_mask)
        return self._fed_forward(self._attended(2, x, memory, memory_mask, memory_key_padding_mask))


class _Stack(Cell):
    kind: type[_TransformerLayer]

    def __init__(self, layer: Any, num_layers: int, norm: Any):
        super().__init__()
        name = type(self).__name__
        if not isinstance(layer, self.kind):
            raise TypeError(f"For '{name}', the layer must be a {self.kind.__name__}, but got {layer!r}.")
        self.num_layers = check_int(name, "num_layers", num_layers, 0)
        first = self.kind(*layer.arguments)
        self.layers = CellList([copy.deepcopy(first) for _ in range(num_layers)])
        self.norm = norm

    def _normed(self, x: Tensor) -> Any:
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """Encoder layers one after the other. As in MindSpore, all begin with the same values.

    Args:
        encoder_layer: a TransformerEncoderLayer, as which the layers are made.
        num_layers: how many.
        norm: a Cell that their result passes, or None.

    Inputs:
        src, src_mask, src_key_padding_mask: as a TransformerEncoderLayer takes them.

    Returns:
        A Tensor of the shape of src.

    Raises:
        TypeError: encoder_layer is something else, or num_layers no int.
        ValueError: num_layers is negative; when called: a shape or a mask does not fit.

    Examples:
        >>> encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), num_layers=2)
        >>> print(encoder(Tensor(np.ones((5, 4, 8)), ms.float32)).shape)
        (5, 4, 8)
    """

    kind = TransformerEncoderLayer

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Any = None):
        super().__init__(encoder_layer, num_layers, norm)

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Any:
        for layer in self.layers:
            src = layer(src, src_mask, src_key_padding_mask)
        return self._normed(src)


class TransformerDecoder(_Stack):
    """Decoder layers one after the other. As in MindSpore, all begin with the same values.

    Args:
        decoder_layer: a TransformerDecoderLayer, as which the layers are made.
        num_layers: how many.
        norm: a Cell that their result passes, or None.

    Inputs:
        tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask: as a TransformerDecoderLayer takes
            them.

    Returns:
        A Tensor of the shape of tgt.

    Raises:
        TypeError: decoder_layer is something else, or num_layers no int.
        ValueError: num_layers is negative; when called: a shape or a mask does not fit.

    Examples:
        >>> decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), num_layers=2)
        >>> memory = Tensor(np.ones((5, 4, 8)), ms.float32)
        >>> print(decoder(Tensor(np.ones((3, 4, 8)), ms.float32), memory).shape)
        (3, 4, 8)
    """

    kind = TransformerDecoderLayer

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Any = None):
        super().__init__(decoder_layer, num_layers, norm)

    def construct(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Any:
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self._normed(tgt)


class Transformer(Cell):
    """An encoder, and a decoder that attends to what it gives (Vaswani et al., 2017).

    Args:
        d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as of a
            TransformerEncoderLayer.
        num_encoder_layers, num_decoder_layers: how many layers there are.
        custom_encoder, custom_decoder: Cells to take in place of a TransformerEncoder and a TransformerDecoder, or None.

    Inputs:
        src: what the encoder takes, a Tensor (S, N, d_model) or (S, d_model); with batch_first (N, S, d_model).
        tgt: what the decoder takes, a Tensor (T, N, d_model) or (T, d_model); with batch_first (N, T, d_model).
        src_mask, tgt_mask, memory_mask: which positions each may not attend to, (S, S), (T, T) and (T, S), or None.
        src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask: which positions are padding, (N, S), (N, T) and
            (N, S), or None.

    Masks are of bool, where True leaves out, or of floating dtype and added to the scores.

    Returns:
        A Tensor of the shape of tgt.

    Raises:
        TypeError: a size is no int.
        ValueError: a size is not positive, or another activation; when called: a shape or a mask does not fit.

    Examples:
        >>> net = nn.Transformer(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
        >>> print(net(Tensor(np.ones((5, 4, 8)), ms.float32), Tensor(np.ones((3, 4, 8)), ms.float32)).shape)
        (3, 4, 8)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = types.float32,
    ):
        super().__init__()
        layer = d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype
        norms = [LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype) for _ in range(2)]
        self.encoder = custom_encoder or TransformerEncoder(TransformerEncoderLayer(*layer), num_encoder_layers, norms[0])
        self.decoder = custom_decoder or TransformerDecoder(TransformerDecoderLayer(*layer), num_decoder_layers, norms[1])
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer("xavier_uniform", parameter.shape, parameter.dtype))
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def construct(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Any:
        axis = 0 if self.batch_first else 1
        if src.ndim == tgt.ndim == 3 and src.shape[axis] != tgt.shape[axis]:
            raise ValueError(
                f"For 'Transformer', the batches of 'src' and 'tgt' must be of one size, but got "
                f"{tuple(src.shape)} and {tuple(tgt.shape)}."
            )
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
