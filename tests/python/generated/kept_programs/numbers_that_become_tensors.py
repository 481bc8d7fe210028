"""Numbers of a user's class to which Tensors are added in place: their special methods are called once each."""

import numpy as np
from emberjit import Tensor

log = []


class Number(float):
    def __add__(self, other):
        log.append("add")
        return NotImplemented

    def __radd__(self, other):
        log.append("radd")
        return other * 2 if isinstance(other, Tensor) else float(self) + 1

    def __iadd__(self, other):
        log.append("iadd")
        return other + 1

    def __float__(self):
        log.append("float")
        return float.__float__(self)

    def __bool__(self):
        log.append("bool")
        return True


class Added(float):
    def __add__(self, other):
        log.append("add")
        return other * 2 if isinstance(other, Tensor) else 5.0


class Box:
    pass


kept = Number(2.0), Added(2.0)


def tensor(*values):
    return Tensor(np.array(values, np.float32))


def of_a_loop(x, v):
    for _ in range(3):
        v += x
    return v


def under_a_condition(x, v):
    if x.sum() > 0:
        v += x
    return v


def in_a_loop_on_a_tensor(x, v):
    while x.sum() < 10:
        v += x
        x = x * 2 + 1
    return v


def of_an_attribute(x, v):
    box = Box()
    box.v = v
    box.v += x
    return box.v


def of_an_item(x, v):
    items = [v]
    items[0] += x
    return items[0]


def of_another_function(x, v):
    def add():
        nonlocal v
        v += x

    add()
    add()
    return v


def after_a_number(x, v):
    v += 1
    v += x
    v += v
    return v


def made(x, v):
    v = type(v)(3.0)
    v += x
    return v


FORMS = [
    *(of_a_loop, under_a_condition, in_a_loop_on_a_tensor, of_an_attribute),
    *(of_an_item, of_another_function, after_a_number, made),
]


def program(number, x, v):
    return FORMS[number](x, v)


def left():
    found = list(log)
    log.clear()
    return found


trace = True
calls = [
    ("", f"{form}, tensor(1.0, 2.0), {number}")
    for form in range(len(FORMS))
    for number in ("kept[0]", "kept[1]", "Number(2.0)", "Added(2.0)")
    for _ in range(2)
]
