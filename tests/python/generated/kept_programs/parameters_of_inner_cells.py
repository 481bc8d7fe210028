"""What a Cell's methods tell of the Cells and Parameters in it."""

import numpy as np
from emberjit import Tensor, nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(2, 2)


net = Net()


def program(x):
    names = list(net.parameters_dict())
    paths = [path for path, _ in net.cells_and_names()]
    counts = len(list(net.get_parameters())), len(net.trainable_params()), len(net.untrainable_params())
    return x * len(names[0]), counts, paths, repr(net)


X = "Tensor(np.array([0.5, -1.5], np.float32))"
calls = [
    ("", X),
    ("", X),
    ("net.d.bias = None", X),
    ("net.d.weight.requires_grad = False", X),
    ("net.d.weight.name = 'longer'", X),
    ("net.d.extra = nn.Dense(3, 3)", X),
]
