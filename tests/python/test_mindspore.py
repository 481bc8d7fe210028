"""Expressions and what MindSpore 2.10 returns for them, recorded from it: functions, primitives, methods, Tensor, errors.

A result is [dtype, shape, first elements] for a Tensor, a list of those for a tuple, the text of repr for anything else,
and !Name for an exception. Random results count by dtype and shape.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops

RECORDED = json.loads((Path(__file__).parent / "mindspore_results.json").read_text())
# MindSpore's is an array there, through which no gradient flows.
OURS = {"np.ones(3,np.float32)+x": ["Float32", [2, 3], [-0.5, 0.0, 0.5, 1.0, 1.5, 2.0]]}


def ramp(*shape: int) -> Tensor:
    return Tensor((np.arange(np.prod(shape)).reshape(shape) % 7 - 3).astype(np.float32) / 2)


def ints(*values: int) -> Tensor:
    return Tensor(np.array(values, np.int32))


def parameters(net: nn.Cell) -> list[Any]:
    return [(p.name, tuple(p.shape), p.requires_grad) for p in net.get_parameters()]


def run(net: nn.Cell, *args: Tensor, train: bool = False) -> Any:
    """The net's result with weights that are ramps too."""
    for p in net.get_parameters():
        if "var" not in p.name:
            p.set_data(Tensor(((np.arange(p.size).reshape(p.shape) % 5 - 2) / 4).astype(np.float32)))
    return net.set_train(train)(*args)


def trained(make: Any) -> Parameter:
    """A Parameter after three steps of an optimizer."""
    p = Parameter(ramp(2, 3), name="a")
    optimizer = make([p])
    for i in range(3):
        optimizer((ramp(2, 3) + i,))
    return p


def stepped(op: Any, count: int, *operands: Any) -> list[Parameter]:
    """What Parameters, the first operands of an optimizer's primitive, hold after a step."""
    states = [Parameter(ops.abs(ramp(2, 3)) + 0.5 * (i + 1), name=f"s{i}") for i in range(count)]
    op(*states, *operands)
    return states


def environment() -> dict[str, Any]:
    x = ramp(2, 3)
    return {
        "Parameter": Parameter,
        "Tensor": Tensor,
        "ms": ms,
        "np": np,
        "ops": ops,
        "F": ramp,
        "I": ints,
        "x": x,
        "y": ramp(2, 3) + 1,
        "b": x > 0,
        "im": ramp(1, 2, 5, 5),
        "im6": ramp(1, 2, 6, 6),
        "names": parameters,
        "run": run,
        "opt": trained,
        "stepped": stepped,
        "nn": nn,
        "w": ramp(3, 2, 3, 3),
        "p": Parameter(ramp(2, 3), name="p"),
        "q": ramp(3, 4),
        "lab": ints(0, 2),
    }


def described(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [described(item) for item in value]
    if not isinstance(value, Tensor):
        return repr(value)
    elements = np.nan_to_num(value.astype(ms.float64).asnumpy().ravel()[:24], posinf=1e9, neginf=-1e9)
    return [str(value.dtype), list(value.shape), elements.tolist()]


def agree(got: Any, want: Any) -> bool:
    if isinstance(want, list):
        return isinstance(got, list) and len(got) >= len(want) and all(map(agree, got, want))
    return got == want or (isinstance(want, float) and abs(got - want) <= 2e-3 * max(1, abs(want)))


@pytest.mark.parametrize("text", RECORDED["results"])
def test_results(text: str) -> None:
    want = OURS.get(text, RECORDED["results"][text])
    try:
        got = described(eval(text, environment()))
    except Exception as error:
        got = f"!{type(error).__name__}"
    assert agree(got, want), f"{got} is not {want}"


@pytest.mark.parametrize("name", RECORDED["dtypes"])
def test_dtypes_promote(name: str) -> None:
    made: dict[str, Any] = {"i": 2, "f": 1.5, "b": True}
    for text, want in RECORDED["dtypes"][name].items():
        a, b = (
            made[side] if side in made else Tensor([1, 2]).astype(getattr(ms, side if side != "bool" else "bool_"))
            for side in text.split(",")
        )
        assert str(getattr(ops, name)(a, b).dtype) == want, text
