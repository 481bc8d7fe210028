"""Embeddings: rows of a table, looked up by number."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit import ops
from emberjit.checks import check_choice, check_int, check_rank
from emberjit.functions.indexing.gather import embedding_lookup
from emberjit.functions.layers.embeddings import padding_row
from emberjit.functions.layers.normalisation import clip_by_norm_along
from emberjit.initializer import initializer
from emberjit.nn.cell import Cell
from emberjit.options import take_all

_ops = core.ops


class Embedding(Cell):
    """Looks up the rows of a table by index; the table is a Parameter, embedding_table.

    Args:
        vocab_size: the number of rows.
        embedding_size: the size of a row.
        use_one_hot: whether rows are looked up by a product with one-hot vectors.
        embedding_table: the initial value: an initializer, its name, or a Tensor (vocab_size, embedding_size).
        dtype: of the Parameter.
        padding_idx: the index of a row that is initialised to zeros; None: there is none.

    Inputs:
        ids: a Tensor of int32 or int64, of any shape.

    Returns:
        A Tensor of the shape of ids with an axis of embedding_size more.

    Raises:
        TypeError: a number is no int.
        ValueError: a number is not positive, or padding_idx out of range.
        IndexError: when called: an index is out of range.

    Examples:
        >>> table = Tensor([[0.0, 0.0], [1.0, 1.5], [2.0, 2.5]])
        >>> embedding = nn.Embedding(3, 2, embedding_table=table)
        >>> print(embedding(Tensor([2, 1])))
        [[2.  2.5]
         [1.  1.5]]
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = types.float32,
        padding_idx: int | None = None,
    ):
        super().__init__()
        self.vocab_size = check_int("Embedding", "vocab_size", vocab_size, 1)
        self.embedding_size = check_int("Embedding", "embedding_size", embedding_size, 1)
        self.use_one_hot, self.dtype = use_one_hot, dtype
        self.padding_idx = padding_row("Embedding", padding_idx, vocab_size)
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if self.padding_idx is not None:
            table[self.padding_idx] = 0
        self.embedding_table = core.Parameter(table, "embedding_table")

    def construct(self, ids: Any) -> Any:
        if self.use_one_hot:
            return _ops.matmul(_ops.cast(_ops.one_hot(ids, self.vocab_size), self.dtype), self.embedding_table)
        return _ops.gather(self.embedding_table, ids, 0)

    def extend_repr(self) -> str:
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingLookup(Cell):
    """Looks up the rows of a table by index. Out of range, the result is zeros, or with target "DEVICE" an error.

    Args:
        vocab_size: the number of rows.
        embedding_size: the size of a row.
        param_init: the initial value: an initializer, its name, or a Tensor (vocab_size, embedding_size).
        target: where MindSpore keeps the table, "CPU" or "DEVICE".
        slice_mode, manual_shapes: have no effect: how MindSpore divides the table among devices, of which there is one.
        max_norm: the largest norm of a result; results of a larger one are scaled down to it; None: they stay.
        sparse: has no effect: gradients are dense.
        dtype: of the Parameter.

    Inputs:
        indices: a Tensor of int32 or int64, of any shape.

    Returns:
        A Tensor of the shape of indices with an axis of embedding_size more.

    Raises:
        TypeError: a size is no int, sparse no bool, or max_norm no float.
        ValueError: a size or max_norm is not positive, another target, or sparse is False with target "CPU".

    Examples:
        >>> table = Tensor([[3.0, 4.0], [0.5, 0.0]])
        >>> lookup = nn.EmbeddingLookup(2, 2, param_init=table, max_norm=1.0)
        >>> print(lookup(Tensor([0, 1, 7])))
        [[0.6 0.8]
         [0.5 0. ]
         [0.  0. ]]
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        dtype: Any = types.float32,
    ):
        super().__init__()
        name = type(self).__name__
        take_all("EmbeddingLookup", {"slice_mode": slice_mode, "manual_shapes": manual_shapes, "sparse": sparse})
        self.vocab_size, self.embedding_size = check_int(name, "vocab_size", vocab_size, 1), embedding_size
        check_int(name, "embedding_size", embedding_size, 1)
        check_choice(name, "target", target, "CPU", "DEVICE")
        if target == "CPU" and not sparse:
            raise ValueError(f"For '{name}', 'sparse' must be True where 'target' is 'CPU', but got {sparse!r}.")
        if max_norm is not None and (not isinstance(max_norm, float) or max_norm <= 0):
            kind = ValueError if isinstance(max_norm, float) else TypeError
            raise kind(f"For '{name}', 'max_norm' must be a positive float, but got {max_norm!r}.")
        self.target, self.sparse, self.max_norm = target, sparse, max_norm
        table = initializer(param_init, (vocab_size, embedding_size), dtype)
        self.embedding_table = core.Parameter(table, name="embedding_table")

    def construct(self, indices: Any) -> Any:
        table = self.embedding_table
        rows = embedding_lookup(table, indices, 0) if self.target == "CPU" else _ops.gather(table, indices, 0)
        if self.max_norm is None:
            return rows
        return clip_by_norm_along(rows, self.max_norm, tuple(range(indices.ndim, rows.ndim)))


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """The sum, mean or maximum of embeddings times values, for each field of each example.

    Args:
        vocab_size: the number of rows of the table.
        embedding_size: the size of a row.
        field_size: the number of fields.
        param_init: the initial value: an initializer, its name, or a Tensor (vocab_size, embedding_size).
        target: where MindSpore keeps the table, "CPU" or "DEVICE".
        slice_mode, feature_num_list: have no effect: how MindSpore divides the table among devices, of which there is one.
        max_norm: the largest norm of a row that is looked up; larger ones are scaled down to it; None: they stay.
        sparse: has no effect: gradients are dense.
        operator: "SUM", "MEAN" or "MAX".
        dtype: of the Parameter.

    Inputs:
        input_indices: rows of the table, a Tensor (N, M) of int32 or int64.
        input_values: their factors, a Tensor (N, M) of float32.
        field_ids: the fields that they belong to, a Tensor (N, M) of int32.

    Returns:
        A Tensor (N, field_size, embedding_size).

    Raises:
        TypeError: a size is no int; when called: another dtype.
        ValueError: a size is not positive, or another target or operator; when called: another shape.

    Examples:
        >>> table = Tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
        >>> lookup = nn.MultiFieldEmbeddingLookup(3, 2, field_size=2, param_init=table)
        >>> fields = Tensor([[0, 0, 1]], ms.int32)
        >>> print(lookup(Tensor([[0, 1, 2]]), Tensor([[1.0, 1.0, 0.5]]), fields))
        [[[2.  4. ]
          [2.  2.5]]]
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = "SUM",
        dtype: Any = types.float32,
    ):
        super().__init__(
            vocab_size, embedding_size, param_init, target, slice_mode, feature_num_list, max_norm, sparse, dtype
        )
        self.field_size = check_int("MultiFieldEmbeddingLookup", "field_size", field_size, 1)
        check_choice("MultiFieldEmbeddingLookup", "operator", operator, "SUM", "MEAN", "MAX")
        self.operator = operator

    def construct(self, input_indices: Any, input_values: Any, field_ids: Any) -> Any:  # type: ignore[override]
        kinds = (core.int32, core.int64), (core.float32,), (core.int32,)
        arguments = {"input_indices": input_indices, "input_values": input_values, "field_ids": field_ids}
        for (name, value), kind in zip(arguments.items(), kinds):
            check_rank("MultiFieldEmbeddingLookup", name, value, 2)
            if value.dtype not in kind:
                raise TypeError(f"For 'MultiFieldEmbeddingLookup', '{name}' must be of {kind}, but got {value.dtype}.")
        n, count = field_ids.shape[0], field_ids.shape[0] * self.field_size
        at = _ops.reshape(field_ids + _ops.reshape(_ops.arange(0, count, self.field_size), (n, 1)), (-1,))
        values = _ops.reshape(input_values, (-1, 1))
        rows = _ops.reshape(super().construct(input_indices), (-1, self.embedding_size)) * values
        if self.operator == "MAX":
            rows = _ops.select(_ops.equal(values, 0), -math.inf, rows)
            result = ops.unsorted_segment_max(rows, at, count)
        else:
            result = ops.unsorted_segment_sum(rows, at, count)
        if self.operator != "SUM":
            weights = ops.unsorted_segment_sum(_ops.abs(values), at, count)
            result = _ops.select(_ops.equal(weights, 0), 0, result / weights if self.operator == "MEAN" else result)
        return _ops.reshape(result, (n, self.field_size, self.embedding_size))
