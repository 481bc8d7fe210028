"""Cells around a Cell: with its loss, a step of training, gradients, and over time."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import context, ops
from emberjit.nn.cell import Cell
from emberjit.nn.checks import check_int
from emberjit.nn.layers import Identity
from emberjit.primitives.primitive import Primitive
from emberjit.publish.kinds import FLOATS
from emberjit.sparse import primitives
from emberjit.sparse.tensors import COOTensor
from emberjit.tensors.parameter import ParameterTuple
from emberjit.transforms.derivatives import jvp
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
        ValueError: sens is 0.
    """

    def __init__(self, network: Any, optimizer: Any, sens: Any = None, return_grad: bool = False):
        super().__init__(auto_prefix=False)
        self.network = _check_cell("TrainOneStepCell", "network", network, Cell)
        self.optimizer = _check_cell("TrainOneStepCell", "optimizer", optimizer, Cell)
        if sens is not None:
            _check_cell("TrainOneStepCell", "sens", sens, int, float)
        if sens == 0:
            raise ValueError("For 'TrainOneStepCell', 'sens' must not be 0.")
        self.network.set_grad()
        self.weights, self.return_grad = self.optimizer.parameters, return_grad
        self.sense_flag, self.sens = sens is not None, 1.0 if sens is None else sens
        self.grad, self.grad_no_sens = (
            ops.GradOperation(get_by_list=True, sens_param=True),
            ops.GradOperation(get_by_list=True),
        )
        self.grad_reducer, self.reducer_flag = Identity(), False
        self.parallel_mode = context.get_auto_parallel_context("parallel_mode")

    def construct(self, *inputs: Any) -> Any:
        if self.sens == 1:
            loss, gradients = value_and_grad(self.network, None, self.weights)(*inputs)
        else:
            (_, loss), gradients = value_and_grad(self._scaled, None, self.weights, has_aux=True)(*inputs)
        gradients = self.grad_reducer(gradients)
        self.optimizer(gradients)
        if self.return_grad:
            return loss, {weight.name: gradient for weight, gradient in zip(self.weights, gradients)}
        return loss

    def _scaled(self, *inputs: Any) -> Any:
        loss = self.network(*inputs)
        return loss * self.sens, loss


class WithGradCell(Cell):
    """The gradients by the Parameters of a network with its loss.

    Args:
        network: the network, a Cell.
        loss_fn: takes the output and the label; None: the network gives the loss.
        sens: the cotangent of the loss; None is 1.

    Raises:
        TypeError: network is no Cell.
    """

    def __init__(self, network: Any, loss_fn: Any = None, sens: Any = None):
        super().__init__(auto_prefix=False)
        self.network, self.loss_fn, self.sens = _check_cell("WithGradCell", "network", network, Cell), loss_fn, sens
        self.weights = ParameterTuple(network.trainable_params())
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs: Any) -> Any:
        seed = () if self.sens is None else (self.sens,)
        return value_and_grad(self.network_with_loss, None, self.weights, sens_param=bool(seed))(*inputs, *seed)[1]


class ParameterUpdate(Cell):
    """Sets a Parameter to what it is called with, and gives that.

    Raises:
        TypeError: param is no Parameter.
    """

    def __init__(self, param: Any):
        super().__init__(auto_prefix=False)
        self._param = _check_cell("ParameterUpdate", "param", param, core.Parameter)

    def construct(self, x: Any) -> Any:
        _ops["assign"](self._param, x)
        return x


class VirtualDatasetCellTriple(Cell):
    """A Cell called with three arguments, as it is: what MindSpore divides among devices."""

    def __init__(self, backbone: Any):
        super().__init__(auto_prefix=False)
        self._backbone = _check_cell("VirtualDatasetCellTriple", "backbone", backbone, Cell)

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        return self._backbone(a, b, c)


class _MicroBatches(Cell):
    """Args:
        network: a Cell.
        {count}: into how many parts the first axis of each argument is divided.

    Raises:
        TypeError: network is no Cell, or {count} no int.
        ValueError: {count} is not positive; when called: it does not divide an axis.
    """

    def _make(self, network: Any, argument: str, count: int) -> None:
        name = type(self).__name__
        self.network, self._count = _check_cell(name, "network", network, Cell), check_int(name, argument, count)
        setattr(self, argument, count)

    def construct(self, *inputs: Any) -> Any:
        name, count = type(self).__name__, self._count
        for x in inputs:
            if x.shape[0] % count:
                raise ValueError(
                    f"For '{name}', the first axis must divide into {count} parts, but got shape {tuple(x.shape)}."
                )
        split = [_ops["split"](x, x.shape[0] // count, 0) for x in inputs]
        total = self.network(*(parts[0] for parts in split))
        for i in range(1, count):
            total = total + self.network(*(parts[i] for parts in split))
        return total


class GradAccumulationCell(_MicroBatches):
    __doc__ = f"""The sum of a network's results for the parts of a batch.

    {(_MicroBatches.__doc__ or "").format(count="micro_size")}"""

    def __init__(self, network: Any, micro_size: int):
        super().__init__(auto_prefix=False)
        self._make(network, "micro_size", micro_size)


class MicroBatchInterleaved(_MicroBatches):
    __doc__ = f"""The sum of a network's results for the parts of a batch, which MindSpore interleaves on several devices.

    {(_MicroBatches.__doc__ or "").format(count="interleave_num")}"""

    def __init__(self, network: Any, interleave_num: int = 2):
        super().__init__(auto_prefix=False)
        self._make(network, "interleave_num", interleave_num)


class PipelineCell(_MicroBatches):
    __doc__ = f"""The sum of a network's results for the parts of a batch, which MindSpore passes through devices.
    Stages and segments of inner Cells, dicts by path, are set as their pipeline_stage and pipeline_segment: nothing else.

    {(_MicroBatches.__doc__ or "").format(count="micro_size")}
        KeyError: there is no inner Cell of a path.
    """

    def __init__(self, network: Any, micro_size: int, stage_config: Any = None, segment_config: Any = None):
        super().__init__(auto_prefix=False)
        self._make(network, "micro_size", micro_size)
        cells = {path or str(network): cell for path, cell in network.cells_and_names()}
        for attribute, config in (("pipeline_stage", stage_config), ("pipeline_segment", segment_config)):
            for path, number in (config or {}).items():
                if path not in cells:
                    raise KeyError(f"For 'PipelineCell', there is no Cell '{path}' in the network, but {sorted(cells)}.")
                setattr(cells[path], attribute, number)


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


class SparseToDense(Cell):
    """A sparse matrix, a COOTensor, as a Tensor.

    Raises:
        TypeError: when called: something else.
    """

    _stateless = True

    def construct(self, sparse_tensor: Any) -> Any:
        return _check_cell("SparseToDense", "sparse_tensor", sparse_tensor, COOTensor).to_dense()


class Jvp(Cell):
    """(results, how they change) of a function, called with its arguments and how these change.

    Args:
        fn: a Cell or function.
    """

    def __init__(self, fn: Any):
        super().__init__()
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        return jvp(self.fn, args[:-1] if len(args) > 2 else args[0], args[-1])


class Vjp(Cell):
    """(results, gradients by the arguments) of a function, called with its arguments and the cotangents of the results.

    Args:
        fn: a Cell or function.
    """

    def __init__(self, fn: Any):
        super().__init__()
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        count = len(args) - 1
        return value_and_grad(self.fn, 0 if count == 1 else tuple(range(count)), sens_param=True)(*args)


def _moved(x: Any, source: int, to: int) -> Any:
    order = [axis for axis in range(x.ndim) if axis != source]
    order.insert(to, source)
    return _ops["transpose"](x, tuple(order))
