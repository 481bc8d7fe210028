"""A network with its loss, its evaluation, and a step of training."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import context, ops
from emberjit.checks import check_instance
from emberjit.distributed import collectives, world
from emberjit.nn.cell import Cell
from emberjit.nn.layers.dense import Identity
from emberjit.nn.training.grad_reducer import DistributedGradReducer
from emberjit.publish.kinds import FLOATS
from emberjit.tensors.parameter import ParameterTuple
from emberjit.transforms.gradient import value_and_grad

_ops = core.ops


class WithLossCell(Cell):
    """The loss of a network's output.

    Args:
        backbone: the network, a Cell.
        loss_fn: takes the output and the label.

    Inputs:
        data: what the network takes.
        label: what the loss compares its output with.

    Returns:
        The loss.

    Raises:
        TypeError: backbone is no Cell.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> print(net(Tensor([[1.0, 2.0]]), Tensor([[1.0]])))
        4.0
    """

    def __init__(self, backbone: Any, loss_fn: Any):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = check_instance("WithLossCell", "backbone", backbone, Cell), loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """The loss of a network, with its output and the label, for metrics.

    Args:
        network: the network, a Cell.
        loss_fn: takes the output and the label; None: the loss is 0.
        add_cast_fp32: whether the output and the label, if of floating point, become float32 before.

    Inputs:
        data: what the network takes.
        label: what the loss compares its output with.

    Returns:
        A tuple of the loss, the output and the label.

    Raises:
        TypeError: network is no Cell.

    Examples:
        >>> net = nn.WithEvalCell(nn.Dense(2, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> loss, output, label = net(Tensor([[1.0, 2.0]]), Tensor([[1.0]]))
        >>> print(loss, output, label)
        4.0 [[3.]] [[1.]]
    """

    def __init__(self, network: Any, loss_fn: Any, add_cast_fp32: bool = False):
        super().__init__(auto_prefix=False)
        self._network, self._loss_fn = check_instance("WithEvalCell", "network", network, Cell), loss_fn
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data: Any, label: Any) -> Any:
        output = self._network(data)
        if self.add_cast_fp32:
            output, label = (_ops.cast(one, core.float32) if one.dtype in FLOATS else one for one in (output, label))
        return 0 if self._loss_fn is None else self._loss_fn(output, label), output, label


class TrainOneStepCell(Cell):
    """A step of training: the loss of a network, by whose gradient an optimizer then changes the Parameters.

    Args:
        network: a Cell that gives the loss.
        optimizer: an Optimizer of the Parameters.
        sens: the cotangent of the loss, a number; None: 1.
        return_grad: whether gradients are returned, too.

    Inputs:
        inputs: what the network takes.

    Returns:
        The loss; with return_grad a pair of it and a dict of each Parameter's name and gradient.

    Raises:
        TypeError: network or optimizer is no Cell, or sens no number.
        ValueError: sens is 0.

    Examples:
        >>> net = nn.WithLossCell(nn.Dense(2, 1, weight_init="zeros", bias_init="zeros"), nn.MSELoss())
        >>> step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), learning_rate=0.1))
        >>> data, label = Tensor([[1.0, 2.0]]), Tensor([[3.0]])
        >>> print(*[round(float(step(data, label)), 4) for _ in range(3)])
        9.0 0.36 0.0144
    """

    def __init__(self, network: Any, optimizer: Any, sens: Any = None, return_grad: bool = False):
        super().__init__(auto_prefix=False)
        self.network = check_instance("TrainOneStepCell", "network", network, Cell)
        self.optimizer = check_instance("TrainOneStepCell", "optimizer", optimizer, Cell)
        if sens is not None:
            check_instance("TrainOneStepCell", "sens", sens, (int, float))
        if sens == 0:
            raise ValueError("For 'TrainOneStepCell', 'sens' must not be 0.")
        self.network.set_grad()
        self.weights, self.return_grad = self.optimizer.parameters, return_grad
        self.sense_flag, self.sens = sens is not None, 1.0 if sens is None else sens
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = ops.GradOperation(get_by_list=True)
        self.parallel_mode = context.get_auto_parallel_context("parallel_mode")
        self.reducer_flag = self.parallel_mode in ("data_parallel", "hybrid_parallel") and world.group().size > 1
        self.grad_reducer = DistributedGradReducer(self.weights) if self.reducer_flag else Identity()
        if self.reducer_flag and context.get_auto_parallel_context("parameter_broadcast"):
            for weight in self.weights:
                weight.set_data(collectives.broadcast(weight, 0, world.group()))

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
        sens: the cotangent of the loss; None: 1.

    Inputs:
        inputs: the data and the label; without loss_fn what the network takes.

    Returns:
        A tuple of a gradient for each of network.trainable_params().

    Raises:
        TypeError: network is no Cell.

    Examples:
        >>> net = nn.WithGradCell(nn.Dense(2, 1, weight_init="zeros", bias_init="zeros"), nn.MSELoss())
        >>> print(*net(Tensor([[1.0, 2.0]]), Tensor([[3.0]])))
        [[ -6. -12.]] [-6.]
    """

    def __init__(self, network: Any, loss_fn: Any = None, sens: Any = None):
        super().__init__(auto_prefix=False)
        self.network, self.loss_fn, self.sens = check_instance("WithGradCell", "network", network, Cell), loss_fn, sens
        self.weights = ParameterTuple(network.trainable_params())
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs: Any) -> Any:
        seed = () if self.sens is None else (self.sens,)
        return value_and_grad(self.network_with_loss, None, self.weights, sens_param=bool(seed))(*inputs, *seed)[1]


class ParameterUpdate(Cell):
    """Sets a Parameter to what it is called with.

    Args:
        param: the Parameter.

    Inputs:
        x: its new value, a Tensor of its shape.

    Returns:
        x.

    Raises:
        TypeError: param is no Parameter.

    Examples:
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> print(nn.ParameterUpdate(w)(Tensor([3.0, 4.0])), w.asnumpy())
        [3. 4.] [3. 4.]
    """

    def __init__(self, param: Any):
        super().__init__(auto_prefix=False)
        self._param = check_instance("ParameterUpdate", "param", param, core.Parameter)

    def construct(self, x: Any) -> Any:
        _ops.assign(self._param, x)
        return x
