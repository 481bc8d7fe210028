"""tools/examples.py: what it takes for another output, what it misses in docstrings, and what calls show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))

import examples
import public_names
from example_samples import literal, observed


def documented(text: str) -> public_names.Name:
    def function(x: int, y: int) -> None:
        del x, y

    function.__doc__ = text
    return public_names.Name("emberjit", "function", function, "")


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("[1.0 2.5]", "[1.00001   2.5]", True),
        ("[1.0 2.5]", "[1.01 2.5]", False),
        ("[1 2]", "[1 3]", False),
        ("Tensor 1.0", "tensor 1.0", False),
        ("0.0", "1.2e-07", True),
        ("[[2. 1.]]", "[[1.9999999  0.99999994]\n ]", True),
        ("[1. 2.]", "[1. 2. 3.]", False),
    ],
)
def test_outputs_alike(one: str, other: str, same: bool) -> None:
    assert examples.alike(one, other) is same


def test_wrong_examples_are_told() -> None:
    assert (
        examples.failures(documented("It.\n\n    Examples:\n        >>> print(Tensor([1.0]) * 2)\n        [2.]\n    ")) == ""
    )
    assert "Expected" in examples.failures(documented("    >>> print(Tensor([1.0]) * 2)\n    [3.]\n"))
    assert "has no example" in examples.failures(documented("It."))
    assert examples.untold(documented("It.\n\n    Args:\n        x: a number.\n    ")) == ["y"]


def call(scope: str, name: str) -> Any:
    return next(examples.calls_of(scope, name))


@pytest.mark.parametrize(
    "scope, name, returns, gradients, views",
    [
        ("ops", "relu", ("Tensor of input's shape and dtype",), ("input",), ()),
        ("mint", "argmax", ("Tensor of dtype int64",), (), ()),
        ("mint", "permute", ("Tensor of input's dtype",), ("input",), ("input",)),
        ("Tensor", "floor", ("Tensor of self's shape and dtype",), (), ()),
        ("ops", "add", ("Tensor of the operands' broadcast shape and common dtype",), ("input", "other"), ()),
        ("ops", "divide", ("Tensor of the operands' broadcast shape",), ("input", "other"), ()),
        ("ops", "lerp", ("Tensor of the operands' broadcast shape and common dtype",), ("input", "end", "weight"), ()),
        ("ops", "fft", ("Tensor",), ("input",), ()),
        ("ops", "meshgrid", (), ("inputs",), ("inputs",)),
        ("ops", "assign", ("Tensor of variable's shape and dtype",), (), ()),
        ("ops", "HSwishGrad", ("Tensor of y_grad's shape and x's dtype",), ("y_grad", "x"), ()),
    ],
)
def test_what_calls_show(scope: str, name: str, returns: Any, gradients: Any, views: Any) -> None:
    known = observed(list(examples.calls_of(scope, name)))
    assert (known.returns, known.gradients, known.views) == (returns, gradients, views)


def test_an_example_is_code_with_its_output() -> None:
    text, _ = examples.example([call("mint", "mv")])
    assert text.startswith(">>> x = Tensor([") and ">>> print(mint.mv(x, vec))" in text
    assert examples.failures(documented(text)) == ""


@pytest.mark.parametrize(
    "scope, name, part",
    [
        ("ops", "isnan", "np.nan"),
        ("ops", "isinf", "np.inf"),
        ("ops", "einsum", "ops.einsum('"),
        ("Tensor", "zero_", ">>> _ = x.zero_()"),
        ("Tensor", "int", ">>> print(x.int())"),
        ("ops", "assign", ">>> print(variable.asnumpy())"),
    ],
)
def test_examples_show_what_the_name_is_about(scope: str, name: str, part: str) -> None:
    text, _ = examples.example(list(examples.calls_of(scope, name)))
    assert part in text


@pytest.mark.parametrize(
    "text, flaw",
    [
        (">>> print(x)\n[1. 2.]", 0),
        (">>> x\n1", 0),
        (">>> print(x)\n[[[1. 2.]]\n<BLANKLINE>\n [[3. 4.]]]", 1),
        (">>> print(x)\n[1. 1.]", 2),
        (">>> print(x.shape, x.dtype)\n(40, 2) Float32", 3),
    ],
)
def test_examples_that_show_different_numbers_are_preferred(text: str, flaw: int) -> None:
    assert examples.flaw(text) == flaw


def test_a_blank_line_of_output_is_written_as_doctest_has_it() -> None:
    assert examples.run(["print('a\\n\\nb')"]).splitlines()[1:] == ["a", "<BLANKLINE>", "b"]


def test_a_definition_with_an_example_of_its_own_keeps_it() -> None:
    text, _ = examples.entry("ops", "multinomial")
    assert ">>>" not in text


def test_public_names_stand_once_and_are_no_placeholders() -> None:
    paths = [name.path for name in public_names.names()]
    assert len(paths) == len(set(paths)) > 3000
    assert {"ops.softmax", "nn.Dense", "ms.jit", "ms.Tensor.reshape", "train.Model", "ds.GeneratorDataset"} <= set(paths)


def test_literals_are_short() -> None:
    import numpy as np

    assert literal(np.array([[0.1, -2.0]], np.float32)) == "Tensor([[0.1, -2.0]])"
    assert literal(np.array([np.nan, -np.inf, 1.5], np.float32)) == "Tensor([np.nan, -np.inf, 1.5])"
    assert literal((np.array([1, 2], np.int32), None)) == "(Tensor([1, 2], ms.int32), None)"
    assert (
        literal(np.array([True])) == "Tensor([True])" and literal(np.zeros((0, 2), np.float32)) == "Tensor([], ms.float32)"
    )
