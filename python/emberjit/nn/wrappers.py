"""Cells around a Cell: with its loss, a step of training, gradients, and over time."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.cell import Cell
from emberjit.primitives.primitive import Primitive
from emberjit.publish.kinds import FLOATS
from emberjit.sparse import primitives
from emberjit.transforms.gradient import value_and_grad

_ops = core.op_table


def _check_cell(name: str, argument: str, value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"For '{name}', '{argument}' must be a {wanted}, but got {value!r} of type {type(value).__name__}.")
    return value


class WithLossCell(Cell):
    """The loss of a network's output: called with (data, label).

    Args:
        backbone: the network.
        loss_fn: takes the output and the label.

    Raises:
        TypeError: backbone is no Cell.
    """

    def __init__(self, backbone: Any, loss_fn: Any):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = _check_cell("WithLossCell", "backbone", backbone, Cell), loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """(loss, output, label) of a network, called with (data, label).

    Args:
        network: the network.
        loss_fn: takes the output and the label; None: the loss is 0.
        add_cast_fp32: whether the output and the label, if of floating point, become float32 before.

    Raises:
        TypeError: network is no Cell.
    """

    def __init__(self, network: Any, loss_fn: Any, add_cast_fp32: bool = False):
        super().__init__(auto_prefix=False)
        self._network, self._loss_fn = _check_cell("WithEvalCell", "network", network, Cell), loss_fn
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data: Any, label: Any) -> Any:
        output = self._network(data)
        if self.add_cast_fp32:
            output, label = (_ops["cast"](one, core.float32) if one.dtype in FLOATS else one for one in (output, label))
        return 0 if self._loss_fn is None else self._loss_fn(output, label), output, label


class ForwardValueAndGrad(Cell):
    """(results, gradients) of a network.

    Args:
        network: a Cell or function.
        weights: Parameters, by which is differentiated with get_by_list.
        get_all: whether it is differentiated by all arguments; else, without get_by_list, by the first.
        get_by_list: whether it is differentiated by weights.
        sens_param: whether the last argument is the cotangent of the results.
    """

    def __init__(
        self, network: Any, weights: Any = None, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False
    ):
        super().__init__(auto_prefix=False)
        self.network, self.weights = network, weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def construct(self, *inputs: Any) -> Any:
        count = len(inputs) - self.sens_param
        positions: Any = tuple(range(count)) if self.get_all else None if self.get_by_list else 0
        weights = self.weights if self.get_by_list else None
        value, found = value_and_grad(self.network, positions, weights, sens_param=self.sens_param)(*inputs)
        if not self.get_all or count > 1:
            return value, found
        return value, ((found[0],), found[1]) if self.get_by_list else (found,)


class TrainOneStepCell(Cell):
    """A step of training: the loss of a network, by whose gradient an optimizer then changes the Parameters.

    Args:
        network: gives the loss.
        optimizer: an Optimizer of the Parameters.
        sens: the cotangent of the loss; None is 1.
        return_grad: whether the step gives (loss, {name: gradient}).

    Raises:
        TypeError: network or optimizer is no Cell, or sens no number.
    """

    def __init__(self, network: Any, optimizer: Any, sens: Any = None, return_grad: bool = False):
        super().__init__(auto_prefix=False)
        self.network = _check_cell("TrainOneStepCell", "network", network, Cell)
        self.optimizer = _check_cell("TrainOneStepCell", "optimizer", optimizer, Cell)
        if sens is not None:
            _check_cell("TrainOneStepCell", "sens", sens, int, float)
        self.network.set_grad()
        self.weights, self.sens, self.return_grad = self.optimizer.parameters, sens, return_grad

    def construct(self, *inputs: Any) -> Any:
        if self.sens in (None, 1):
            loss, gradients = value_and_grad(self.network, None, self.weights)(*inputs)
        else:
            (_, loss), gradients = value_and_grad(self._scaled, None, self.weights, has_aux=True)(*inputs)
        self.optimizer(gradients)
        if self.return_grad:
            return loss, {weight.name: gradient for weight, gradient in zip(self.weights, gradients)}
        return loss

    def _scaled(self, *inputs: Any) -> Any:
        loss = self.network(*inputs)
        return loss * self.sens, loss


class TimeDistributed(Cell):
    """A layer applied to each step of time.

    Args:
        layer: a Cell or Primitive.
        time_axis: the axis of steps.
        reshape_with_axis: an axis that is made one with it, for a single call; None: there is a call for each step.

    Raises:
        TypeError: layer is neither, or an axis no int.
        ValueError: when called: an axis is out of range, or both are the same.
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None):
        super().__init__()
        self.layer = _check_cell("TimeDistributed", "layer", layer, Cell, Primitive)
        self.time_axis = _check_cell("TimeDistributed", "time_axis", time_axis, int)
        if reshape_with_axis is not None:
            _check_cell("TimeDistributed", "reshape_with_axis", reshape_with_axis, int)
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Any) -> Any:
        axes = (self.time_axis,) if self.reshape_with_axis is None else (self.time_axis, self.reshape_with_axis)
        rank = inputs.ndim
        if any(not -rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) < len(axes):
            raise ValueError(
                f"For 'TimeDistributed', the axes {axes} must be different ones of an input of shape {tuple(inputs.shape)}."
            )
        if self.reshape_with_axis is None:
            steps = range(inputs.shape[self.time_axis])
            return _ops["stack"]([self.layer(_ops["select_at"](inputs, i, self.time_axis)) for i in steps], self.time_axis)
        return self._as_one(inputs, *(axis % rank for axis in axes))

    def _as_one(self, inputs: Any, time: int, other: int) -> Any:
        """The layer of all steps at once: both axes at the place of the other, without time."""
        place = other - (time < other)
        moved = _moved(inputs, time, place)
        shape = moved.shape
        joined = _ops["reshape"](moved, (*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :]))
        found = self.layer(joined)
        split = _ops["reshape"](found, (*found.shape[:place], shape[place], shape[place + 1], *found.shape[place + 1 :]))
        return _moved(split, place, min(time, split.ndim - 1))


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix, of indices, values and a shape, and another.

    Args:
        adjoint_st: whether the sparse one is transposed first.
        adjoint_dt: whether the other is.
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.product = primitives.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(self, indices: Any, values: Any, sparse_shape: Any, dense: Any) -> Any:
        return self.product(indices, values, sparse_shape, dense)


def _moved(x: Any, source: int, to: int) -> Any:
    order = [axis for axis in range(x.ndim) if axis != source]
    order.insert(to, source)
    return _ops["transpose"](x, tuple(order))
