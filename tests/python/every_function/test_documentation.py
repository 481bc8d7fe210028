"""What help() and the reference tell of public names: every parameter, what calls show, an example that is there."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from test_declarations import DECLARED

import emberjit as ms
from emberjit import Tensor, mint, nn, ops
from emberjit.publish import describe, facts
from emberjit.publish.index import NAMES


def value_of(scope: str, name: str) -> Any:
    if scope == "Tensor":
        return inspect.getattr_static(Tensor, name)
    owner: Any = ms
    for part in scope.split("."):
        owner = getattr(owner, part)
    return getattr(owner, name)


@pytest.mark.parametrize("scope, name", DECLARED)
def test_each_name_tells_its_parameters_and_has_an_example(scope: str, name: str) -> None:
    value = value_of(scope, name)
    told = inspect.getdoc(value) or ""
    assert told.count(">>> ") > 0 and told.count("\nExamples:") == 1, told
    assert told.index("\nExamples:") > max(told.find("\nArgs:"), told.find("\nReturns:"), told.find("\nRaises:"))
    head = told[: told.index("\nExamples:")]
    named = set(re.findall(r"\w+", " ".join(re.findall(r"^    (\w[\w, ]*(?: or \w+)*):", head, re.M))))
    assert set(inspect.signature(value).parameters) - {"self"} <= named


def test_what_is_told_of_a_function() -> None:
    told = ops.softmax.__doc__
    for part in (
        "Args:",
        "Returns:\n    a Tensor",
        "Raises:",
        "In NumPy: ",
        "Gradients:\n    with respect to input.",
        "Differs from",
    ):
        assert part in told
    assert "Views:" not in told and "Views:\n    the result may share memory with self." in Tensor.reshape.__doc__
    assert "Gradients:\n    none." in ops.argmax.__doc__
    assert (
        str(inspect.signature(mint.softmax)).replace("emberjit.", "")
        == "(input: Tensor, dim: int, *, dtype: dtype | None = None)"
    )


def test_spellings_tell_what_they_take_alone() -> None:
    first, second = Tensor.max.__doc__.split("\nmax(self, axis=None")
    assert "dim: int" in first and "initial" not in first
    assert "initial: a number" in second and "    dim:" not in second.partition("Examples:")[0]


def test_cells_tell_what_they_are_made_and_called_with() -> None:
    assert (
        str(inspect.signature(nn.ReLU)) == "()"
        and "\nArgs:" not in nn.ReLU.__doc__
        and "Inputs:\n    input" in nn.ReLU.__doc__
    )
    assert "Args:\n    alpha: float; by default 0.2" in nn.LeakyReLU.__doc__

    class Mine(nn.ReLU):
        def __init__(self, slope: float):
            super().__init__()
            self.slope = slope

    assert str(inspect.signature(Mine)) == "(slope: 'float')" and Mine.__doc__ is None
    assert str(inspect.signature(type("Other", (nn.ReLU,), {}))) == "()"


def test_examples_of_a_docstring_come_last_and_take_the_place_of_those_that_are_written() -> None:
    own = "Examples:\n    >>> 1\n    1\n\n    More.\n\n    >>> 2\n    2"
    told = describe.with_facts(
        f"It.\n\n{own}\n\nRaises:\n    ValueError: never.\n\nExamples:\n    >>> 3\n    3", "ops.softmax"
    )
    assert told.endswith(own) and told.count("Examples:") == 1 and "ops.softmax(x)" not in told
    assert told.startswith("It.\n\nReturns:") and "\n\nRaises:\n    ValueError: never.\n\nGradients:" in told
    assert describe.with_facts("It.", "ops.softmax").count(">>> print(ops.softmax(x))") == 1


def test_facts_of_what_is_no_name() -> None:
    assert facts.of("ops.no_such_function") == facts.Facts() == facts.of("no.scope")
    assert {"ops", "mint", "Tensor", "nn"} <= NAMES.keys()


@pytest.mark.parametrize("example", ["", ">>> print(1)\n1"])
def test_facts_are_read_as_they_are_written(example: str) -> None:
    known = facts.Facts(("Tensor of x's shape", "Tensor of dtype int64"), ("x", "y"), ("x",), True, example)
    assert facts._parsed(facts.write(known)) == known
