"""Embeddings that MindSpore may keep in the memory of a host, and of fields."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit import ops
from emberjit.functions.checks import check_choice, check_rank
from emberjit.functions.indexing.gather import embedding_lookup
from emberjit.functions.layers.normalisation import clip_by_norm_along
from emberjit.initializer import initializer
from emberjit.nn.cell import Cell
from emberjit.nn.checks import check_int
from emberjit.options import take

_ops = core.op_table


class EmbeddingLookup(Cell):
    """The rows of a table that numbers name; of numbers without a row zeros, or with target "DEVICE" an error.

    Args:
        vocab_size: the number of rows.
        embedding_size: the size of one.
        param_init: the initial value: an initializer, its name, or a Tensor.
        target: where MindSpore keeps the table, "CPU" or "DEVICE".
        slice_mode, manual_shapes: how it divides it among devices: there is one.
        max_norm: the norm to which results are scaled down, if theirs is larger.
        sparse: gradients are dense, whether sparse ones are asked for or not.
        dtype: of the Parameter.

    Raises:
        TypeError: a size is no int, sparse no bool, or max_norm no float.
        ValueError: a size or max_norm is not positive, another target, or sparse is False with target "CPU".
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
        take("EmbeddingLookup", "slice_mode", slice_mode)
        take("EmbeddingLookup", "manual_shapes", manual_shapes)
        take("EmbeddingLookup", "sparse", sparse)
        self.vocab_size, self.embedding_size = check_int(name, "vocab_size", vocab_size), embedding_size
        check_int(name, "embedding_size", embedding_size)
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
        found = embedding_lookup(table, indices, 0) if self.target == "CPU" else _ops["gather"](table, indices, 0)
        if self.max_norm is None:
            return found
        return clip_by_norm_along(found, self.max_norm, tuple(range(indices.ndim, found.ndim)))


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """What embeddings, times values, are for each field of each example: their sum, mean or maximum, (N, field_size,
    embedding_size). Called with (numbers, values, fields), each of shape (N, M).

    Args:
        field_size: how many fields there are.
        feature_num_list: as manual_shapes of EmbeddingLookup, which has all others.
        operator: "SUM", "MEAN" or "MAX".

    Raises:
        TypeError: field_size is no int; when called: another dtype.
        ValueError: field_size is not positive, or another operator; when called: another shape.
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
        self.field_size = check_int("MultiFieldEmbeddingLookup", "field_size", field_size)
        check_choice("MultiFieldEmbeddingLookup", "operator", operator, "SUM", "MEAN", "MAX")
        self.operator = operator

    def construct(self, input_indices: Any, input_values: Any, field_ids: Any) -> Any:  # type: ignore[override]
        kinds = (core.int32, core.int64), (core.float32,), (core.int32,)
        for name, given, kind in zip(
            ("input_indices", "input_values", "field_ids"), (input_indices, input_values, field_ids), kinds
        ):
            check_rank("MultiFieldEmbeddingLookup", name, given, 2)
            if given.dtype not in kind:
                raise TypeError(f"For 'MultiFieldEmbeddingLookup', '{name}' must be of {kind}, but got {given.dtype}.")
        n, count = field_ids.shape[0], field_ids.shape[0] * self.field_size
        at = _ops["reshape"](field_ids + _ops["reshape"](_ops["arange"](0, count, self.field_size), (n, 1)), (-1,))
        values = _ops["reshape"](input_values, (-1, 1))
        rows = _ops["reshape"](super().construct(input_indices), (-1, self.embedding_size)) * values
        if self.operator == "MAX":
            rows = _ops["select"](_ops["equal"](values, 0), -math.inf, rows)
            found = ops.unsorted_segment_max(rows, at, count)
        else:
            found = ops.unsorted_segment_sum(rows, at, count)
        present = ops.unsorted_segment_sum(_ops["abs"](values), at, count)
        if self.operator == "MEAN":
            found = _ops["select"](_ops["equal"](present, 0), 0, found / present)
        elif self.operator == "MAX":
            found = _ops["select"](_ops["equal"](present, 0), 0, found)
        return _ops["reshape"](found, (n, self.field_size, self.embedding_size))
