"""__getattr__ answers where a __getattribute__ of the user finds nothing; descriptors may become others; lists with another
__iter__ are as long as they are."""

import numpy as np
from emberjit import Tensor


class Both:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        return 4


class Getter:
    value = 1

    def __get__(self, owner, cls):
        return self.value


class Holder:
    found = Getter()


class Items(list):
    def __iter__(self):
        return iter([1])


both, holder, items = Both(), Holder(), Items([1, 2])


def program(x, n):
    return x * getattr(both, "more", 3), x * holder.found, x * len(items), None.__eq__(n)


X = "Tensor(np.array([0.5, -1.5], np.float32)), 1"
calls = [
    ("", X),
    ("", X),
    ("both.more = 2", X),
    ("del both.more", X),
    ("vars(holder)['found'] = 2", X),
    ("Getter.__set__ = lambda *args: None", X),
    ("vars(Holder)['found'].value = 4", X),
    ("items.append(3)", X),
    ("del Both.__getattr__", X),
]
