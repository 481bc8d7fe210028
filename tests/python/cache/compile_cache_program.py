"""What tests of the compile cache run: functions that read all kinds of things from outside."""

import enum
import functools
import math

import numpy as np

import emberjit as ms
from emberjit import nn, ops

NUMBER = 2
HALF = 0.5
NAME = "sum"
PAIR = (1, 2)
CONFIG = {"rate": 0.25, "layers": [1, 2, 3]}
ROWS = [1.0, 2.0]
DTYPE = ms.float32
TABLE = np.array([1, 2, 3])
HELD = ms.Tensor(np.array([3.0, 4.0], np.float32))
TOGETHER = frozenset({"a"})


class Kind(enum.Enum):
    FIRST = 1
    SECOND = 2


KIND = Kind.FIRST


def helper(x, by=3.0, *, more=1.0):
    return x * by + more


def twice(function):
    def wrapped(x):
        return function(x) * 2

    return wrapped


@twice
def decorated(x):
    return x + 1


def made(scale):
    def inner(x):
        return x * scale

    return inner


INNER = made(4.0)
PARTIAL = functools.partial(helper, by=5.0)


class Base:
    shared = 7.0

    def method(self, x):
        return x + self.shared

    @property
    def plus(self):
        return self.own + 1

    @staticmethod
    def static(x):
        return x - 1

    @classmethod
    def of_class(cls, x):
        return x + cls.shared


class Box(Base):
    def __init__(self):
        self.own = 1.5
        self.parts = {"w": 2.5}

    def __call__(self, x):
        return x * self.own


BOX = Box()


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 3, weight_init="ones", bias_init="zeros")
        self.norm = nn.LayerNorm((3,))
        self.scale = 2.0

    def construct(self, x):
        return self.norm(self.dense(x)) * self.scale + self.dense(x)


NET = Net()
OPTIMIZER = nn.SGD(NET.trainable_params(), 0.5)
GRAD = ms.value_and_grad(lambda x: NET(x).sum(), None, OPTIMIZER.parameters)


def number(x):
    return x * NUMBER


def half(x):
    return x * HALF


def named(x):
    return getattr(ops, NAME)(x) if NAME == "sum" else ops.mean(x)


def pair(x):
    return x * PAIR[0] + PAIR[1]


def config(x):
    return x * CONFIG["rate"] + len(CONFIG["layers"])


def rows(x):
    return [x * row for row in ROWS]


def cast(x):
    return x.astype(DTYPE)


def table(x):
    return x + int(TABLE.sum())


def held(x):
    return x * HELD


def elements(x):
    return x * float(HELD[0])


def kind(x):
    return x + 1 if KIND is Kind.FIRST else x - 1


def together(x):
    return x + 1 if "a" in TOGETHER else x


def helped(x):
    return helper(x)


def decorates(x):
    return decorated(x)


def closed(x):
    return INNER(x)


def partly(x):
    return PARTIAL(x)


def boxed(x):
    return BOX(x) + BOX.parts["w"]


def methods(x):
    return BOX.method(x) + BOX.plus + BOX.static(x) + BOX.of_class(x)


def checked(x):
    return x + 1 if isinstance(BOX, Base) else x


def built(x):
    return x * math.sqrt(16.0) + abs(-2)


def net(x):
    return NET(x)


def step(x):
    loss, gradients = GRAD(x)
    OPTIMIZER(gradients)
    return loss, NET.dense.weight.value()


def tuples(x):
    return {"a": (x, 1, None), "b": [x + 1, "text"]}


def picked(x):
    return x[0][ops.argmax(x[0])]


FUNCTIONS = [
    picked,
    number,
    half,
    named,
    pair,
    config,
    rows,
    cast,
    table,
    held,
    elements,
    kind,
    together,
    helped,
    decorates,
    closed,
    partly,
    boxed,
    methods,
    checked,
    built,
    net,
    step,
    tuples,
]
