"""Losses with a margin: of pairs, rankings, and of the class that is right and the others."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_rank, check_same_shape, check_within
from emberjit.functions.activations.activations import softplus
from emberjit.functions.layers.normalisation import norm_along
from emberjit.functions.losses.losses import REDUCED, binary_cross_entropy_with_logits, reduced
from emberjit.publish.kinds import Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


@publish(
    """ops.cosine_embedding_loss nn.CosineEmbeddingLoss(margin, reduction)(input1 as logits_x1, input2 as logits_x2,
    target as labels) mint.nn.CosineEmbeddingLoss(margin, reduction)(input1, input2, target)
    mint.nn.functional.cosine_embedding_loss""",
    numpy=f"""(lambda c: {REDUCED}(np.where(target == 1, 1 - c, np.where(target == -1, np.maximum(0, c - margin), 0))))(
    (input1 * input2).sum(-1) / np.sqrt((input1**2).sum(-1) * (input2**2).sum(-1)))""",
    samples="f32(4, 5), f32(4, 5), 1 - i64(4) % 2 * 2; f64(3), f64(3), i32(); f32(4, 5), f32(4, 5), i64(4) * 0 - 1, -0.5",
)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Any:
    """With c the cosine between two vectors, 1 - c where target is 1, max(0, c - margin) where it is -1.

    Args:
        input1, input2: of shapes (N, D), or (D).
        target: of shape (N), or of none; 1 and -1.
        margin: within [-1, 1].
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input1 or input2 is not of floating point.
        ValueError: the shapes do not fit, margin outside [-1, 1], or another reduction.
    """
    check_floating("cosine_embedding_loss", input1=input1, input2=input2)
    check_same_shape("cosine_embedding_loss", input1=input1, input2=input2)
    check_rank("cosine_embedding_loss", "input1", input1, *range(1, 9))
    axis = min(1, input1.ndim - 1)
    check_rank("cosine_embedding_loss", "target", target, input1.ndim - 1)
    check_within("cosine_embedding_loss", "margin", margin, -1, 1)
    squares = [_ops.sum(_ops.square(x), axis) + 1e-12 for x in (input1, input2)]
    cosine = _ops.sum(input1 * input2, axis) / _ops.sqrt(squares[0] * squares[1])
    apart = _ops.masked_fill(_ops.relu(cosine - margin), _ops.not_equal(target, -1), 0)
    return reduced("cosine_embedding_loss", _ops.select(_ops.equal(target, 1), 1 - cosine, apart), reduction)


@publish(
    "ops.hinge_embedding_loss nn.HingeEmbeddingLoss(margin, reduction)(inputs as logits, targets as labels)",
    numpy=f"{REDUCED}(np.where(targets == 1, inputs, np.maximum(0, margin - inputs)))",
    samples="f32(4, 5), 1 - i64(4, 5) % 2 * 2; f64(3), 1 - i32(3) % 2 * 2.0, 0.5, 'sum'; f32(4), i32(4) * 0 - 1, 2.0",
)
def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean") -> Any:
    """inputs where targets are 1, max(0, margin - inputs) where they are -1.

    Args:
        targets: 1 and -1, what broadcasts with inputs.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: inputs are not of floating point.
        ValueError: shapes that do not broadcast, or another reduction.
    """
    check_floating("hinge_embedding_loss", inputs=inputs)
    far = _ops.masked_fill(_ops.relu(margin - inputs), _ops.equal(targets, 1), 0)
    near = _ops.masked_fill(inputs, _ops.equal(targets, -1), 0)
    return reduced("hinge_embedding_loss", far + near, reduction)


@publish(
    """ops.margin_ranking_loss nn.MarginRankingLoss(margin, reduction)(input1 as logits1, input2 as logits2,
    target as labels)""",
    numpy=f"{REDUCED}(np.maximum(0, -target * (input1 - input2) + margin))",
    samples="f32(4), f32(4), 1 - i32(4) % 2 * 2; f64(3, 2), f64(3, 2), 1 - i32(3, 2) % 2 * 2, 0.5, 'none'",
)
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean") -> Any:
    """max(0, -target * (input1 - input2) + margin).

    Args:
        target: 1 where input1 should be the larger, -1 where input2 should.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input1 or input2 is not of floating point.
        ValueError: shapes that do not broadcast, or another reduction.
    """
    check_floating("margin_ranking_loss", input1=input1, input2=input2)
    return reduced("margin_ranking_loss", _ops.relu((input2 - input1) * target + margin), reduction)


@publish(
    """ops.soft_margin_loss ops.SoftMarginLoss(reduction)(input as logits, target as labels)
    nn.SoftMarginLoss(reduction)(input as logits, target as labels) mint.nn.SoftMarginLoss(reduction)(input, target)
    mint.nn.functional.soft_margin_loss""",
    numpy=f"{REDUCED}(np.logaddexp(0, -target * input))",
    samples="f32(4), 1 - i32(4) % 2 * 2.0; f64(3, 2) * 9, 1 - f64(3, 2), 'none'; f32(2, 3), f32(2, 3), 'sum'",
)
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Any:
    """log(1 + exp(-target * input)).

    Args:
        target: 1 and -1, of input's shape.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input is not of floating point.
        ValueError: the shapes differ, or another reduction.
    """
    check_floating("soft_margin_loss", input=input)
    check_same_shape("soft_margin_loss", input=input, target=target)
    return reduced("soft_margin_loss", softplus(_ops.neg(input * target)), reduction)


def _rows(function: str, input: Tensor, target: Tensor, rank: int) -> Any:
    """Rows of scores (N, C) and their targets; of one row, (C), as of a batch of it.

    Raises:
        ValueError: the shapes do not fit.
    """
    check_rank(function, "input", input, 1, 2)
    if tuple(target.shape) != tuple(input.shape[: input.ndim - 2 + rank]):
        raise ValueError(
            f"For '{function}', 'target' must have shape {tuple(input.shape[: input.ndim - 2 + rank])}, but its shape is "
            f"{tuple(target.shape)}."
        )
    if input.ndim == 2:
        return input, target
    return _ops.expand_dims(input, 0), _ops.expand_dims(target, 0)


def _mean_over_classes(function: str, terms: Tensor, input: Tensor, reduction: str) -> Any:
    loss = _ops.sum(terms, 1) / terms.shape[1]
    return reduced(function, loss if input.ndim == 2 else _ops.squeeze(loss, 0), reduction)


@publish(
    """ops.multi_margin_loss ops.MultiMarginLoss(p, margin, reduction)(input as inputs, target, weight)
    nn.MultiMarginLoss(p, margin, reduction, weight)(input as x, target)""",
    numpy=f"""(lambda x, t, n: {REDUCED}((lambda m: m.reshape(target.shape))((np.maximum(0, margin - x[n, t] + x)**p
    * (1 if weight is None else weight[t]) * (np.arange(x.shape[1]) != t)).mean(1))))(
    np.atleast_2d(input), target.reshape(-1, 1), np.arange(target.size)[:, None])""",
    samples="""f32(4, 3), i64(4) % 3; f64(3), i64() % 3, 2, 0.5, f64(3), 'none'; f32(4, 5), i32(4) % 5, 2, 1.0, None""",
)
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: Number = 1, weight: Tensor | None = None, reduction: str = "mean"
) -> Any:
    """The mean over classes, the right one excepted, of weight[target] * max(0, margin - input[target] + input)**p
    (Crammer and Singer, 2001).

    Args:
        input: of shape (N, C) or (C).
        target: numbers of classes, of shape (N) or of none.
        p: 1 or 2.
        weight: of classes.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input or weight is not of floating point.
        ValueError: the shapes do not fit, another p, or another reduction.
        IndexError: a number of no class.
    """
    check_floating("multi_margin_loss", input=input, weight=weight)
    check_choice("multi_margin_loss", "p", p, 1, 2)
    x, rows = _rows("multi_margin_loss", input, target, 1)
    at = _ops.expand_dims(rows, 1)
    terms = _ops.relu(margin - _ops.gather_d(x, 1, at) + x)
    terms = _ops.square(terms) if p == 2 else terms
    if weight is not None:
        terms = terms * _ops.gather(weight, at, 0)
    others = _ops.not_equal(at, _ops.arange(x.shape[1]))
    return _mean_over_classes("multi_margin_loss", _ops.select(others, terms, 0), input, reduction)


def _label_margins(input: Tensor, target: Tensor) -> tuple[Any, Any]:
    """Each class's terms of the loss over labels, and which classes are labels."""
    x, labels = _rows("multilabel_margin_loss", input, target, 2)
    ended = _ops.cumsum(_ops.cast(_ops.less(labels, 0), core.int32), 1)
    valid = _ops.equal(ended, 0)
    at = _ops.cast(_ops.select(valid, labels, 0), core.int64)
    occurrences = _ops.tensor_scatter_elements(_ops.zeros(x.shape, core.int32), at, _ops.cast(valid, core.int32), 1, "add")
    is_target = _ops.greater(occurrences, 0)
    pairs = _ops.relu(_ops.expand_dims(x, 1) - _ops.expand_dims(_ops.gather_d(x, 1, at), 2) + 1)
    counts = _ops.logical_and(_ops.expand_dims(valid, 2), _ops.expand_dims(_ops.logical_not(is_target), 1))
    return _ops.sum(_ops.select(counts, pairs, 0), 1), is_target


_LABEL_MARGINS = """(lambda f: np.array([f(x, list(t) + [-1]) for x, t in zip(np.atleast_2d(input), np.atleast_2d(
    target))]))(lambda x, t: sum(max(0, 1 - x[j] + x[i]) for j in t[:t.index(-1)]
    for i in range(len(x)) if i not in t[:t.index(-1)]) / len(x))"""


@publish(
    "ops.multilabel_margin_loss nn.MultilabelMarginLoss(reduction)(input as x, target)",
    numpy=f"{REDUCED}({_LABEL_MARGINS}.reshape(input.shape[:-1]))",
    samples="""f32(2, 4), i64(2, 4) * 0 + (2, 0, -1, 3); f64(3), i32(3) * 0 + (1, -1, 2), 'sum';
    f32(2, 3), i64(2, 3) * 0 + (2, 0, 1), 'none'""",
)
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Any:
    """The sum over labels j and classes i that are none of max(0, 1 - input[j] + input[i]), over the number of classes.

    Args:
        input: of shape (N, C) or (C).
        target: of the same shape; numbers of classes, of which those before the first negative one are labels.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: input is not of floating point.
        ValueError: the shapes differ, or another reduction.
        IndexError: a number of no class.
    """
    check_floating("multilabel_margin_loss", input=input)
    return _mean_over_classes("multilabel_margin_loss", _label_margins(input, target)[0], input, reduction)


@publish(
    "ops.MultilabelMarginLoss(reduction)(x, target)",
    numpy="""(lambda loss: (loss.mean() if reduction == 'mean' else loss, np.array([[1, 0, 1, 0]] * 2)))(np.array([
    sum(max(0, 1 - r[j] + r[i]) for j in (0, 2) for i in (1, 3)) / 4 for r in x]))""",
    samples="f32(2, 4), i32(2, 4) * 0 + (2, 0, -1, 3); f32(2, 4), i32(2, 4) * 0 + (2, 0, -1, 3), 'none'",
)
def multilabel_margin_loss_with_labels(x: Tensor, target: Tensor, reduction: str = "mean") -> Any:
    """(multilabel_margin_loss, 1 where a class is a label, else 0, as int32)."""
    is_target = _ops.cast(_ops.reshape(_label_margins(x, target)[1], x.shape), core.int32)
    return multilabel_margin_loss(x, target, reduction), is_target


@publish(
    "ops.multilabel_soft_margin_loss nn.MultiLabelSoftMarginLoss(weight, reduction)(input as x, target)",
    numpy=f"""{REDUCED}(((1 if weight is None else weight) * (target * np.logaddexp(0, -input)
    + (1 - target) * np.logaddexp(0, input))).mean(-1))""",
    samples="f32(4, 3), f32(4, 3); f64(4, 3), f64(4, 3), f64(3), 'none'; f32(2, 3), f32(2, 3), None, 'sum'",
)
def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean") -> Any:
    """The mean over classes of the binary cross entropy of sigmoid(input).

    Args:
        input: of shape (N, C).
        target: of the same shape; 0 and 1.
        weight: of classes.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes differ, or another reduction.
    """
    loss = binary_cross_entropy_with_logits(input, target, weight, None, "none")
    return reduced("multilabel_soft_margin_loss", _ops.mean(loss, -1), reduction)


def _distance(x: Tensor, y: Tensor, p: float, eps: float) -> Any:
    return norm_along(x - y + eps, p, -1, False)


@publish(
    """ops.triplet_margin_loss ops.TripletMarginLoss(p, swap, eps, reduction)(anchor as x, positive, negative, margin = ...)
    nn.TripletMarginLoss(p, swap, eps, reduction, margin)(anchor as x, positive, negative)""",
    numpy=f"""(lambda d: {REDUCED}(np.maximum(0, d(anchor, positive) + margin - (np.minimum(d(anchor, negative),
    d(positive, negative)) if swap else d(anchor, negative)))))(lambda x, y: (abs(x - y + eps)**p).sum(-1)**(1 / p))""",
    samples="""f32(4, 3), f32(4, 3), f32(4, 3); f64(3), f64(3), f64(3), 2.0, 1, 1e-6, False, 'sum';
    f32(2, 3), f32(2, 3), f32(2, 3), 1, 3, 1e-6, True, 'none'""",
)
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: Number = 1.0,
    p: Number = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """max(0, margin + d(anchor, positive) - d(anchor, negative)) of distances along the last axis (Balntas et al., 2016).

    Args:
        anchor, positive, negative: of shapes that broadcast.
        p: the norm of distances.
        eps: added to differences.
        swap: whether the distance of positive and negative counts where it is less than that of anchor and negative.
        reduction: "mean", "sum" or "none".

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: shapes that do not broadcast, p is not positive, or another reduction.
    """
    check_floating("triplet_margin_loss", anchor=anchor, positive=positive, negative=negative)
    check_within("triplet_margin_loss", "p", p, above=0)
    near, far = _distance(anchor, positive, p, eps), _distance(anchor, negative, p, eps)
    if swap:
        far = _ops.minimum(far, _distance(positive, negative, p, eps))
    return reduced("triplet_margin_loss", _ops.relu(near - far + margin), reduction)


@publish(
    "nn.TripletMarginWithDistanceLoss(distance_function, swap, reduction, margin)(anchor as x, positive, negative)",
    numpy="np.maximum(0, abs(anchor - positive).sum(-1) + margin - abs(anchor - negative).sum(-1)).mean()",
    samples="f32(4, 3), f32(4, 3), f32(4, 3), lambda x, y: abs(x - y).sum(-1)",
    in_python=True,
)
def triplet_loss_of_distances(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance_function: Any = None,
    swap: bool = False,
    reduction: str = "mean",
    margin: Number = 1.0,
) -> Any:
    """max(0, margin + d(anchor, positive) - d(anchor, negative)).

    Args:
        distance_function: d, a function of two Tensors; without it the Euclidean distance along the last axis.
        swap: whether d(positive, negative) counts where it is less than d(anchor, negative).
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: another reduction.

    Examples:
        >>> loss = nn.TripletMarginWithDistanceLoss(lambda x, y: (x - y).abs().sum(-1))
        >>> print(loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.5]])))
        0.5
    """
    distance = (lambda x, y: _distance(x, y, 2, 1e-6)) if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _ops.minimum(far, distance(positive, negative))
    return reduced("TripletMarginWithDistanceLoss", _ops.relu(near - far + margin), reduction)
