"""Losses that are no single function, and the base of those of the user's. As MindSpore's module of the name it has all."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import nn, ops
from emberjit.checks import check_choice, check_instance, check_int
from emberjit.functions.losses.overlap_losses import dice_loss
from emberjit.nn.cell import Cell
from emberjit.nn.layers.activation import get_activation
from emberjit.publish.kinds import FLOATS

_ops = core.ops


def __getattr__(name: str) -> Any:
    names: Any = nn.__all__
    if name in names:
        return getattr(nn, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class LossBase(Cell):
    """The base of losses that are reduced to their mean or sum. A subclass defines construct, which returns
    get_loss(elements).

    Args:
        reduction: "mean", "sum" or "none", as which the elements stay as they are.

    Raises:
        ValueError: another reduction.

    Examples:
        >>> class SquaredHinge(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss(ops.relu(1 - logits * labels) ** 2)
        >>> loss = SquaredHinge(reduction="sum")
        >>> print(loss(Tensor([0.5, 2.0, -1.0]), Tensor([1.0, 1.0, 1.0])))
        4.25
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        check_choice(type(self).__name__, "reduction", reduction, "mean", "sum", "none")
        self.reduction, self.reduce, self.average = reduction, reduction != "none", reduction != "sum"

    def get_axis(self, x: Any) -> tuple[int, ...]:
        """All axes."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Any, weights: Any = 1.0) -> Any:
        """x * weights, reduced; computed in float32 at least, and of x's dtype."""
        wide = x if x.dtype == core.float64 else _ops.cast(x, core.float32)
        loss = wide * weights
        if self.reduce:
            loss = _ops.mean(loss) if self.average else _ops.sum(loss)
        return _ops.cast(loss, x.dtype)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross entropy of the softmax of logits and labels: -sum(labels * log(softmax(logits))) for each row.

    Args:
        sparse: whether labels are class indices, and not probabilities.
        reduction: "none", "mean" or "sum" of the rows.

    Inputs:
        logits: a Tensor (N, C).
        labels: class indices (N,) of int32 or int64 if sparse, else probabilities (N, C).

    Returns:
        A Tensor (N,), or without axes if it is reduced, of the dtype of logits.

    Raises:
        ValueError: another reduction; when called: labels are of another shape.
        TypeError: when called: indices are asked for, and labels are of floating point.

    Examples:
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        >>> print(loss(Tensor([[0.0, 0.0], [4.0, 0.0]]), Tensor([1, 0])))
        [0.6931472  0.01814996]
    """

    _stateless = True

    def __init__(self, sparse: bool = False, reduction: str = "none"):
        super().__init__(reduction)
        self.sparse = sparse

    def construct(self, logits: Any, labels: Any) -> Any:
        if self.sparse == (tuple(labels.shape) == tuple(logits.shape)):
            expected = "class indices of shape (N,)" if self.sparse else "probabilities of the logits' shape"
            raise ValueError(f"For 'SoftmaxCrossEntropyWithLogits', the labels must be {expected}, not {labels.shape}.")
        if self.sparse and labels.dtype in FLOATS:
            raise TypeError(
                "For 'SoftmaxCrossEntropyWithLogits', the labels must be class indices of int32 or int64, as sparse=True "
                f"says, but are of {labels.dtype}."
            )
        return _ops.cross_entropy(logits, labels, reduction=self.reduction)


class MultiClassDiceLoss(LossBase):
    """The mean over classes of the Dice loss of their regions, 1 - 2 * sum(p * t) / (sum(p * p) + sum(t * t)) (Milletari et
    al., 2016).

    Args:
        weights: of the classes, a Tensor (C, n), or None.
        ignore_indiex: a class that is left out, an int, or None.
        activation: what the logits pass first: "softmax", "logsoftmax", "relu", "relu6", "tanh" or "sigmoid", a Cell, or
            None.

    Inputs:
        logits: a Tensor (N, C, ...).
        label: one-hot classes, a Tensor of the shape of logits.

    Returns:
        A Tensor without axes; with weights of one axis.

    Raises:
        TypeError: an argument is of another type.
        ValueError: weights has not two axes, or there is no activation of the name; when called: a shape does not fit.

    Examples:
        >>> loss = nn.MultiClassDiceLoss(activation=None)
        >>> print(loss(Tensor([[0.8, 0.2], [0.4, 0.6]]), Tensor([[1.0, 0.0], [0.0, 1.0]])))
        0.12698963
    """

    def __init__(self, weights: Any = None, ignore_indiex: int | None = None, activation: Any = "softmax"):
        super().__init__()
        check_instance("MultiClassDiceLoss", "weights", weights, (core.Tensor, type(None)))
        if weights is not None and weights.ndim != 2:
            raise ValueError(f"For 'MultiClassDiceLoss', 'weights' must have 2 axes, but got {weights.ndim}.")
        if ignore_indiex is not None:
            check_int("MultiClassDiceLoss", "ignore_indiex", ignore_indiex, -(2**63))
        if isinstance(activation, str):
            names = ("softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid")
            check_choice("MultiClassDiceLoss", "activation", activation, *names)
        elif activation is not None and not isinstance(activation, Cell):
            raise TypeError(f"For 'MultiClassDiceLoss', 'activation' must be a str or Cell, but got {activation!r}.")
        self.weights, self.ignore_indiex = weights, ignore_indiex
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, logits: Any, label: Any) -> Any:
        shapes = tuple(logits.shape), tuple(label.shape)
        if shapes[0] != shapes[1] or len(shapes[0]) < 2:
            raise ValueError(
                f"For 'MultiClassDiceLoss', 'logits' and 'label' must have one shape of at least two axes, but got {shapes}."
            )
        classes = shapes[0][1]
        if self.weights is not None and self.weights.shape[0] != classes:
            raise ValueError(
                f"For 'MultiClassDiceLoss', 'weights' must be of {classes} classes, but got {self.weights.shape[0]}."
            )
        x = logits if self.activation is None else self.activation(logits)
        total: Any = 0
        for i in range(classes):
            if i != self.ignore_indiex:
                loss = dice_loss(_ops.select_at(x, i, 1), _ops.select_at(label, i, 1))
                total = total + (loss if self.weights is None else loss * self.weights[i])
        return total / classes


class SampledSoftmaxLoss(LossBase):
    """Cross entropy over the true classes and a few others, drawn at random (Jean et al., 2015), which is cheaper than over
    all.

    Args:
        num_sampled: how many others are drawn.
        num_classes: the number of all classes, C.
        num_true: how many true classes an example has.
        sampled_values: what to take instead of drawing: a tuple of the classes (num_sampled,), the expected counts of the
            true ones (N, num_true), and those of the drawn ones (num_sampled,); None: they are drawn.
        remove_accidental_hits: whether true classes are not drawn.
        seed: of the draws, 0 for another each time.
        reduction: "none", "mean" or "sum" of the examples.

    Inputs:
        weights: of the classes, a Tensor (C, D).
        biases: of the classes, a Tensor (C,).
        labels: the true classes, a Tensor (N, num_true) or (N,).
        logits: the examples, a Tensor (N, D).

    Returns:
        A Tensor (N,), or without axes if it is reduced.

    Raises:
        TypeError: sampled_values is no tuple or list.
        ValueError: a number is out of range, another reduction, or sampled_values are not three.

    Examples:
        >>> drawn = Tensor([0, 3]), Tensor([[0.5]]), Tensor([0.5, 0.5])
        >>> loss = nn.SampledSoftmaxLoss(num_sampled=2, num_classes=5, sampled_values=drawn)
        >>> weights, biases = Tensor(np.ones((5, 3)), ms.float32), Tensor(np.zeros(5), ms.float32)
        >>> print(loss(weights, biases, Tensor([[1]]), Tensor([[1.0, 2.0, 3.0]])))
        [1.0986123]
    """

    def __init__(
        self,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: Any = None,
        remove_accidental_hits: bool = True,
        seed: int = 0,
        reduction: str = "none",
    ):
        super().__init__(reduction)
        name = "SampledSoftmaxLoss"
        self.num_classes = check_int(name, "num_classes", num_classes, 1)
        for argument, count in (("num_sampled", num_sampled), ("num_true", num_true)):
            if check_int(name, argument, count, 1) > num_classes:
                raise ValueError(
                    f"For '{name}', '{argument}' must not be above 'num_classes', {num_classes}, but got {count}."
                )
        check_int(name, "seed", seed, 0)
        check_instance(name, "sampled_values", sampled_values, (tuple, list, type(None)))
        if sampled_values is not None and len(sampled_values) != 3:
            raise ValueError(f"For '{name}', 'sampled_values' must be three, but got {len(sampled_values)}.")
        self.num_sampled, self.num_true, self.sampled_values = num_sampled, num_true, sampled_values
        self.sampler = ops.UniformCandidateSampler(num_true, num_sampled, True, num_classes, seed, remove_accidental_hits)

    def construct(self, weights: Any, biases: Any, labels: Any, logits: Any) -> Any:
        true = _ops.reshape(_ops.cast(labels, core.int32), (-1, self.num_true))
        drawn, of_true, of_drawn = self.sampled_values or self.sampler(true)
        rows, shifts = _ops.gather(weights, true, 0), _ops.gather(biases, true, 0)
        own = _ops.sum(_ops.expand_dims(logits, 1) * rows, 2) + shifts - _ops.log(of_true)
        others = _ops.dense(logits, _ops.gather(weights, drawn, 0), _ops.gather(biases, drawn, 0))
        scores = _ops.concat((own, others - _ops.log(of_drawn)), 1)
        log_p = _ops.log_softmax(scores, 1)[:, : self.num_true]
        return self.get_loss(-_ops.sum(log_p, 1) / self.num_true)
