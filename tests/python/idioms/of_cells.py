"""Cells: layers in lists, Parameters that are changed, hooks, training modes, gradients and steps of training."""

from collections import OrderedDict

from idiom import Row, call, floats, ints, jit

import emberjit as ms
from emberjit import Parameter, ParameterTuple, Tensor, nn, ops
from emberjit.common.initializer import initializer

A, B = floats(2, 4), floats(3, 4)
LABELS, MORE = ints(2), ints(3)
losses: list[float] = []
said: list[str] = []


class Block(nn.Cell):
    def __init__(self, width, hidden=8, act="relu", residual=True):
        super().__init__()
        self.up, self.down = nn.Dense(width, hidden), nn.Dense(hidden, width)
        self.act = getattr(ops, act)
        self.residual = residual

    def construct(self, x):
        y = self.down(self.act(self.up(x)))
        return x + y if self.residual else y


class Stack(nn.Cell):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.CellList([Block(4) for _ in range(depth)])
        self.norm = nn.LayerNorm((4,))
        self.head = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 10))

    @jit
    def construct(self, x, return_all=False):
        states = []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if return_all and i % 2 == 0:
                states.append(x)
        logits = self.head(self.norm(x))
        return (logits, states) if return_all else logits


class Named(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(OrderedDict([("first", nn.Dense(4, 4)), ("act", nn.Tanh())]))
        self.heads = nn.CellDict([("a", nn.Dense(4, 2)), ("b", nn.Dense(4, 3))])

    @jit
    def construct(self, x, head):
        return self.heads[head](self.layers[1](self.layers[0](x)))


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(initializer("ones", (4,)), name="weight")
        self.steps = Parameter(Tensor(0, ms.int32), name="steps", requires_grad=False)
        self.calls, self.last = 0, None

    @jit
    def construct(self, x):
        self.calls += 1
        self.steps += 1
        self.last = x.shape
        return x * self.weight * self.steps


class RunningMean(nn.Cell):
    def __init__(self, momentum=0.9):
        super().__init__()
        self.mean = Parameter(ops.zeros(4), name="mean", requires_grad=False)
        self.momentum = momentum

    @jit
    def construct(self, x):
        if self.training:
            mean = x.mean(0)
            self.mean.set_data(self.momentum * self.mean + (1 - self.momentum) * mean)
        else:
            mean = self.mean
        return x - mean


class Shared(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 4)
        self.cache = None

    @jit
    def construct(self, ids):
        x = self.embedding(ids)
        return x @ self.embedding.embedding_table.T

    @jit
    def decode(self, x):
        self.cache = x if self.cache is None else ops.cat([self.cache, x], 0)
        return self.cache.sum(0)


class Dropped(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.drop = nn.Dense(4, 4), nn.Dropout(p=0.5)

    @jit
    def construct(self, x):
        return self.drop(self.dense(x))


class WithLoss(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net, self.loss_fn = net, nn.CrossEntropyLoss()

    def construct(self, x, y):
        return self.loss_fn(self.net(x), y)


class Configured(nn.Cell):
    def __init__(self, **config):
        super().__init__()
        self.config = {"scale": 1.0, "repeat": 2, **config}
        for name, value in self.config.items():
            setattr(self, "_" + name, value)
        self.dense = nn.Dense(4, 4)

    def extra_repr(self):
        return f"scale={self._scale}"

    @property
    def scale(self):
        return self._scale

    @jit
    def construct(self, x):
        for _ in range(self._repeat):
            x = self.dense(x) * self.scale
        return x


class Kernel(nn.Cell):
    """A forward function chosen when it is made."""

    def __init__(self, fast):
        super().__init__()
        self.forward = self._fast if fast else self._slow

    def _fast(self, x):
        return x * 2

    def _slow(self, x):
        return x + x + x

    @jit
    def construct(self, x):
        return self.forward(x)


stack, by_name, counting, running, shared = Stack(3), Named(), Counting(), RunningMean().set_train(True), Shared()
dropped, configured, kernel = Dropped().set_train(False), Configured(scale=0.5), Kernel(True)
net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 7))
hooked = nn.Dense(4, 4)
hooked.register_forward_hook(lambda cell, args, output: said.append(str(output.shape)))
with_loss = WithLoss(net)
loss_fn = nn.CrossEntropyLoss()
sgd = nn.SGD(net.trainable_params(), learning_rate=0.1)
adam = nn.Adam(net.trainable_params(), learning_rate=nn.ExponentialDecayLR(0.1, 0.9, 2))
weights = ParameterTuple(net.trainable_params())
average = {p.name: p.value().copy() for p in weights}
accumulated = weights.clone(prefix="sum", init="zeros")
scale = Parameter(Tensor(2.0), name="scale")
buffers = {"mean": Tensor([0.0, 0.0, 0.0, 0.0])}


def forward(x, y):
    logits = net(x)
    return loss_fn(logits, y), logits


gradient = ms.value_and_grad(forward, None, weights, has_aux=True)


@jit
def train_step(x, y):
    (loss, _), grads = gradient(x, y)
    sgd(grads)
    return loss


@jit
def step_with_metrics(x, y):
    (loss, logits), grads = gradient(x, y)
    sgd(grads)
    correct = (logits.argmax(-1) == y).sum().item()
    losses.append(loss.item())
    return loss, correct / len(y)


@jit
def step_with_clipping(x, y, limit=0.5):
    (loss, _), grads = gradient(x, y)
    total = ops.sqrt(sum((g * g).sum() for g in grads))
    factor = ops.minimum(limit / (total + 1e-6), Tensor(1.0))
    adam(tuple(g * factor for g in grads))
    return loss, total


@jit
def step_that_accumulates(x, y, last):
    (loss, _), grads = gradient(x, y)
    for total, grad in zip(accumulated, grads):
        total += grad
    if last:
        sgd(tuple(accumulated))
        for total in accumulated:
            total.set_data(ops.zeros_like(total))
    return loss


@jit
def average_of_weights(decay=0.9):
    for p in weights:
        average[p.name] = average[p.name] * decay + p * (1 - decay)
    return average[weights[0].name].sum()


@jit
def buffer_replaced(x):
    buffers["mean"] = buffers["mean"] * 0.9 + x.mean(0) * 0.1
    return x - buffers["mean"]


@jit
def sgd_by_hand(x, y, rate):
    (loss, _), grads = gradient(x, y)
    for p, g in zip(weights, grads):
        ops.assign_sub(p, rate * g)
    return loss


@jit
def loss_cell(x, y):
    return with_loss(x, y)


@jit
def weight_decay_by_name(x):
    decayed = [p for p in net.trainable_params() if not p.name.endswith("bias")]
    return net(x).sum() + 0.01 * sum((p * p).sum() for p in decayed)


@jit
def hook(x):
    return hooked(x) * 2


@jit
def frozen_layer(x):
    return ops.stop_gradient(net[0](x)) if net[0].weight.requires_grad else net[0](x)


@jit
def gradient_inside(x):
    return ms.grad(lambda v: (v * v * scale).sum())(x)


@jit
def layers_by_index(x):
    for i in range(len(net)):
        x = net[i](x)
    return net[-1].weight.sum() + x.sum()


@jit
def layers_by_class(x):
    for cell in net:
        if isinstance(cell, nn.Dense):
            x = cell(x)
    return x


@jit
def cells_counted(x):
    kinds = [type(cell).__name__ for _, cell in net.cells_and_names()]
    return x * kinds.count("Dense") + sum(p.size for p in net.get_parameters())


@jit
def parameter_scaled(x):
    scale.set_data(scale * 1.5)
    return x * scale


@jit
def cell_given(cell, x):
    return cell(x).sum()


ROWS = [
    Row("CellList and SequentialCell", stack, [(A,), (B,), call(A, return_all=True), call(B, return_all=True)], graphs=2),
    Row("CellDict", by_name, [(A, "a"), (B, "a"), (A, "b"), (B, "b")], graphs=2),
    Row("Parameter that counts, and an attribute", counting, [(A,), (B,), (A,), (A,)], captured=2),
    Row("running mean and training", running, [(A,), (B,), lambda: running.set_train(False), (A,), (B,)], graphs=2),
    Row("tied weights", shared, [(ints(2),), (ints(3),), (ints(2),)]),
    Row("cache of keys that grows", shared.decode, [(A,), (A,), (A,), (B,), (A,)], graphs=2, captured=3),
    Row("dropout by mode", dropped, [(A,), (B,), lambda: dropped.set_train(True), (A,), (B,), (A,)], graphs=2),
    Row(
        "Cell with a dict of settings",
        configured,
        [(A,), (B,), lambda: setattr(configured, "_scale", 0.25), (A,), (A,)],
        captured=2,
    ),
    Row(
        "method chosen by an attribute",
        kernel,
        [(A,), (B,), lambda: setattr(kernel, "forward", kernel._slow), (A,)],
        graphs=2,
    ),
    Row("step of training", train_step, [(A, LABELS), (B, MORE), (A, LABELS)]),
    Row("step with metrics", step_with_metrics, [(A, LABELS), (B, MORE), (A, LABELS)], graphs=0, breaks=2, wanted=(1, 0)),
    Row("step with clipping", step_with_clipping, [(A, LABELS), (B, MORE), call(A, LABELS, limit=0.1)], graphs=2),
    Row(
        "step that accumulates",
        step_that_accumulates,
        [(A, LABELS, False), (B, MORE, False), (A, LABELS, True), (A, LABELS, False)],
        graphs=2,
    ),
    Row("average of weights", average_of_weights, [(), (), lambda: sgd(tuple(weights)), (), ()], captured=2),
    Row("Tensor in a dict replaced", buffer_replaced, [(A,), (B,), (A,), (A,)], captured=2),
    Row("gradient descent by hand", sgd_by_hand, [(A, LABELS, 0.1), (B, MORE, 0.05), (A, LABELS, 0.2)]),
    Row("Cell with a loss", loss_cell, [(A, LABELS), (B, MORE), (A, LABELS)]),
    Row("weights by name", weight_decay_by_name, [(A,), (B,), (A,)]),
    Row("forward hook", hook, [(A,), (B,), (A,)]),
    Row(
        "frozen layer",
        frozen_layer,
        [(A,), (B,), lambda: setattr(net[0].weight, "requires_grad", False), (A,), (B,)],
        graphs=2,
    ),
    Row("gradient inside", gradient_inside, [(A,), (B,), lambda: scale.set_data(Tensor(3.0)), (A,)]),
    Row("layers by index", layers_by_index, [(A,), (B,), (A,)]),
    Row("layers by class", layers_by_class, [(floats(2, 4),), (floats(3, 4),)]),
    Row("cells counted", cells_counted, [(A,), (B,), (A,)]),
    Row("Parameter scaled", parameter_scaled, [(A,), (B,), (A,), (A,)]),
    Row("Cell among the arguments", cell_given, [(net, A), (net, B), (hooked, A), (net, A)], graphs=2),
]
