"""What hooks on gradients return is checked as soon as they have: the error names the hook and what was wanted."""

from __future__ import annotations

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops


def wide(gradient):
    return ops.concat([gradient, gradient])


def a_number(gradient):
    return 1.0


def doubles(gradient):
    return gradient.astype(ms.float64)


def nothing(gradient):
    return None


def halved(gradient):
    return gradient * 0.5


WRONG = [(wide, ValueError, r"'wide'.*\(3,\)"), (a_number, TypeError, "'a_number'"), (doubles, TypeError, "'doubles'")]


def ones():
    return Tensor(np.ones(3, np.float32))


def of_a_tensor(hook):
    x = ones()
    x.register_hook(hook)
    return ms.grad(lambda v: (v * v).sum())(x)


def of_a_parameter(hook):
    p = Parameter(ones(), name="p")
    p.register_hook(hook)
    return ms.grad(lambda v: (v * p).sum(), None, [p])(ones())[0]


def inserted(hook):
    return ms.grad(lambda v: ops.InsertGradientOf(hook)(v * v).sum())(ones())


def inserted_in_a_graph(hook):
    return ms.jit(ms.grad(lambda v: ops.InsertGradientOf(hook)(v * v).sum()))(ones())


def backward_of_inputs(hook):
    return ms.grad(lambda v: ops.HookBackward(lambda g: hook(g[0]))(v * v).sum())(ones())


def of_a_cell(hook):
    class Square(nn.Cell):
        def construct(self, v):
            return v * v

    cell = Square()

    def wrapped(cell, by_input, by_output):
        return hook(by_input[0])

    cell.register_backward_hook(wrapped)
    return ms.grad(lambda v: cell(v).sum())(ones())


NAMED = [of_a_tensor, of_a_parameter, inserted, inserted_in_a_graph]


@pytest.mark.parametrize(("hook", "kind", "text"), WRONG, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize("through", NAMED)
def test_a_wrong_gradient_is_an_error_that_names_the_hook(through, hook, kind, text):
    with pytest.raises(kind, match=text):
        through(hook)


@pytest.mark.parametrize(("hook", "kind", "text"), WRONG, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize("through", [backward_of_inputs, of_a_cell])
def test_a_wrong_gradient_among_several_is_an_error(through, hook, kind, text):
    with pytest.raises(kind, match="must return a"):
        through(hook)


@pytest.mark.parametrize("hook", [nothing, halved])
@pytest.mark.parametrize("through", [*NAMED, backward_of_inputs, of_a_cell])
def test_a_right_one_passes(through, hook):
    assert through(hook).shape == (3,)
