"""Primitives: what their classes check, and Primitives of the user's."""

import inspect

import numpy as np
import pytest

import emberjit as ms
from emberjit import nn, ops

REFUSED = {
    "too many": (lambda: ops.ReduceSum(True, False, 1), "ReduceSum() takes 2 positional arguments but 3 were given"),
    "unknown": (lambda: ops.ReduceSum(keep_dim=True), "ReduceSum() got an unexpected keyword argument 'keep_dim'"),
    "missing": (lambda: ops.BroadcastTo(), "BroadcastTo() missing required argument: 'shape'"),
    "of another kind": (lambda: ops.ReduceSum("yes"), "For 'ReduceSum', the argument 'keep_dims' must be a bool"),
    "of a Cell": (lambda: nn.Softmax("last"), "For 'Softmax', the argument 'axis' must be an int"),
    "names of operands": (lambda: ops.Primitive("Mine").init_prim_io_names("x", []), "For 'Mine', the type of 'inputs'"),
}


@pytest.mark.parametrize("make, message", REFUSED.values(), ids=REFUSED)
def test_attributes_are_checked_when_an_object_is_made(make, message):
    with pytest.raises(TypeError) as raised:
        make()
    assert str(raised.value).startswith(message)


def test_attributes_are_in_the_signature():
    assert str(inspect.signature(ops.ReduceSum)) == "(keep_dims: bool = False, skip_mode: bool = False)"
    assert str(inspect.signature(ops.ReduceSum.__init__)) == "(self: Any, keep_dims: bool = False, skip_mode: bool = False)"
    assert str(inspect.signature(nn.Softmax)) == "(axis: int = -1)"


def test_a_declared_primitive_tells_its_attributes():
    made = ops.ReduceSum(keep_dims=True)
    assert made.name == "ReduceSum" and made.attrs == {"keep_dims": True, "skip_mode": False}
    assert made.keep_dims is True and ops.Softmax(1).axis == 1
    assert made.add_prim_attr("primitive_target", "CPU") is made and made.primitive_target == "CPU"
    assert made.del_prim_attr("primitive_target") is made and not hasattr(made, "primitive_target")
    assert made(ms.Tensor(np.ones((2, 3), np.float32)), 1).shape == (2, 1)


class Shift(ops.Primitive):
    """An op's name, so that it is what is computed."""

    @ops.prim_attr_register
    def __init__(self, periods=1, axis=-1):
        pass


class Add(ops.PrimitiveWithInfer):
    """An inference that checks, and knows the sum of numbers."""

    def infer_dtype(self, x, y):
        if x is bool:
            raise TypeError("no bools")

    def infer_value(self, x, y):
        return None if x is None or y is None else x + y


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_a_primitive_of_the_users_computes_the_op_of_its_name(run):
    x = ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    by, add = Shift(axis=1), Add()
    np.testing.assert_array_equal(run(lambda x: by(x, 7.0))(x).asnumpy(), [[7, 0, 1], [7, 3, 4]])
    np.testing.assert_array_equal(run(lambda x: add(x, x))(x).asnumpy(), 2 * x.asnumpy())
    assert Add()(2, 3) == 5
    with pytest.raises(TypeError, match="no bools"):
        Add()(True, 2)
    with pytest.raises(NotImplementedError, match="For 'Mine', there is no op of this name"):
        ops.Primitive("Mine")(x)


class Scaled(ops.Primitive):
    @ops.prim_attr_register
    def __init__(self, factor, offset=1.0):
        self.init_prim_io_names(inputs=["x"], outputs=["y"])

    def __call__(self, x):
        return x * self.factor + self.offset


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "jit"])
def test_a_primitive_of_the_users_has_its_arguments_as_attributes(run):
    made = Scaled(3.0)
    assert made.attrs == {"factor": 3.0, "offset": 1.0} and repr(made) == "Prim[Scaled]<factor=3.0, offset=1.0>"
    assert run(lambda x: made(x))(ms.Tensor([2.0])).asnumpy() == 7
