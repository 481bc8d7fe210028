"""Every op of the table, by its samples, against NumPy; and, with equal bits, jitted against eager."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from references import REFERENCES, WITHOUT

import emberjit as ms
from emberjit import Parameter, Tensor
from emberjit import _emberjit as core

OPERANDS = ("tensor", "tensors", "number", "ref")
EPSILON = {ms.float16: 2.0**-10, ms.bfloat16: 2.0**-7, ms.float32: 2.0**-23, ms.float64: 2.0**-52}
COMPLEX = {ms.complex64: 2.0**-23, ms.complex128: 2.0**-52}
# How many units in the last place of the largest result an op that sums may be off.
ULPS = 8


def numpy_type(dtype: Any) -> type:
    return np.float32 if dtype == ms.bfloat16 else ms.dtype.dtype_to_nptype(dtype)


def made(sample: dict[str, Any], rng: np.random.Generator) -> Any:
    """An operand, as emberjit takes it: a Tensor, a number or None."""
    if sample["absent"]:
        return None
    dtype = sample["dtype"]
    if sample["scalar"]:
        return {"Bool": bool, "Float": float}.get(str(dtype).rstrip("0123456789"), int)(sample["number"])
    shape, low, high = sample["shape"], sample["low"], sample["high"]
    if dtype == ms.bool_:
        return Tensor(rng.integers(0, 2, shape).astype(bool))
    if dtype in EPSILON:
        return Tensor(rng.uniform(low, high, shape)).astype(dtype)
    if dtype in COMPLEX:
        return Tensor(rng.uniform(low, high, shape) + 1j * rng.uniform(low, high, shape)).astype(dtype)
    if math.isinf(low):
        info = np.iinfo(numpy_type(dtype))
        near = np.array([info.min, info.min + 1, info.max, info.max - 1, 0, 1, info.min // 2, 2], info.dtype)
        drawn = rng.integers(info.min, info.max, shape, info.dtype, endpoint=True)
        return Tensor(np.where(rng.random(shape) < 0.3, rng.choice(near, shape), drawn))
    return Tensor(rng.integers(int(low), int(high) + 1, shape).astype(numpy_type(dtype)))


def exact(value: Any) -> Any:
    """For the reference: floats in float64, complex numbers in complex128, the rest as it is."""
    if isinstance(value, (list, tuple)) and any(isinstance(item, Tensor) for item in value):
        return [exact(item) for item in value]
    if not isinstance(value, Tensor):
        return numpy_type(value) if isinstance(value, core.dtype) else value
    if value.dtype in COMPLEX:
        return value.astype(ms.complex128).asnumpy()
    return value.astype(ms.float64).asnumpy() if value.dtype in EPSILON else value.asnumpy().copy()


def arguments_of(name: str, operands: list[Any], attributes: dict[str, Any], lists: list[int]) -> dict[str, Any]:
    """A sample's arguments by name; what an op writes is a Parameter."""
    values, counts = iter(operands), iter(lists)
    arguments: dict[str, Any] = {}
    for parameter, kind, _, _, default in core.op_table[name].params:
        if kind == "tensors":
            arguments[parameter] = [next(values) for _ in range(next(counts))]
        elif kind in OPERANDS:
            arguments[parameter] = next(values, default)
        else:
            arguments[parameter] = attributes.get(parameter, default)
        if kind == "ref":
            arguments[parameter] = Parameter(arguments[parameter], "p")
    return arguments


def calls(name: str) -> list[tuple[dict[str, Any], Any]]:
    """For each sample the arguments by name, and what the reference gives for them."""
    out: list[tuple[dict[str, Any], Any]] = []
    for operands, attributes, lists in core.samples(name):
        rng = np.random.default_rng(len(out))
        arguments = arguments_of(name, [made(operand, rng) for operand in operands], attributes, lists)
        given = {parameter: exact(value) for parameter, value in arguments.items()}
        want = reference(name, given)
        if any(np.asarray(part).dtype in (np.float16, np.float32) for part in results(want)):
            want = reference(name, {key: widened(value) for key, value in given.items()})
        out.append((arguments, want))
    return out


def reference(name: str, given: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        if name in REFERENCES:
            return REFERENCES[name](**given)
        return eval(core.op_table[name].numpy, {"np": np, "math": math, **given})


def widened(value: Any) -> Any:
    """In float64: NumPy computes functions of small integers in small floats."""
    return value.astype(np.float64) if isinstance(value, np.ndarray) else value


def results(value: Any) -> list[Any]:
    return [item for part in value for item in results(part)] if isinstance(value, (tuple, list)) else [value]


def inputs_of(arguments: dict[str, Any]) -> np.ndarray:
    tensors = [t for value in arguments.values() for t in results(value) if isinstance(t, Tensor)]
    return np.concatenate([np.zeros(1), *(np.ravel(exact(t)).astype(np.complex128) for t in tensors)])


def check(name: str, got: Any, want: Any, inputs: np.ndarray) -> None:
    if not isinstance(got, Tensor):
        assert got == want
        return
    assert got.shape == np.shape(want)
    values, want = exact(got), np.asarray(want)
    if got.dtype not in EPSILON and got.dtype not in COMPLEX:
        np.testing.assert_array_equal(values, want.astype(values.dtype))
        return
    moved = not core.op_table[name].flags["elementwise"] and np.isin(want, inputs).all()
    if moved:
        np.testing.assert_array_equal(values, want)
        return
    epsilon, finite = {**EPSILON, **COMPLEX}[got.dtype], np.abs(want[np.isfinite(want)])
    scale = finite.max() if finite.size else 0
    np.testing.assert_allclose(values, want, rtol=ULPS * epsilon, atol=ULPS * epsilon * scale)


@pytest.mark.parametrize("name", [name for name in core.op_table if name not in WITHOUT])
def test_against_numpy(name: str) -> None:
    for arguments, want in calls(name):
        inputs = inputs_of(arguments)
        got, wanted = results(core.op_table[name](**arguments)), results(want)
        assert len(got) == len(wanted)
        for g, w in zip(got, wanted):
            check(name, g, w, inputs)


@pytest.mark.parametrize("name", [name for name in core.op_table if name not in WITHOUT])
def test_jitted_gives_eagers_bits(name: str) -> None:
    op = core.op_table[name]
    kinds = {parameter: kind for parameter, kind, *_ in op.params}
    if "ref" in kinds.values() or op.flags["effect"]:
        pytest.skip("has an effect; see test_jit.py")
    for arguments, _ in calls(name):
        operands = {key: value for key, value in arguments.items() if kinds[key] in OPERANDS}
        fixed = {key: value for key, value in arguments.items() if key not in operands}
        jitted = ms.jit(lambda values, op=op, fixed=fixed: op(**values, **fixed))
        eager = results(op(**arguments))
        for _ in range(3):
            for g, w in zip(results(jitted(operands)), eager):
                assert (g.dtype, g.shape) == (w.dtype, w.shape) if isinstance(w, Tensor) else g == w
                np.testing.assert_array_equal(exact(g), exact(w))


def test_every_op_is_compared_or_says_why_not() -> None:
    lacking = [name for name, op in core.op_table.items() if not op.numpy and name not in REFERENCES and name not in WITHOUT]
    assert lacking == []
    assert set(WITHOUT) <= set(core.op_table) and set(REFERENCES) <= set(core.op_table)


def test_every_op_is_documented() -> None:
    for name, op in core.op_table.items():
        assert op.__doc__, name
        assert op.primitive[0].isupper(), name
    assert len(core.op_table) >= 60


def test_no_two_ops_have_one_name() -> None:
    names = [name for op in core.op_table.values() for name in (op.__name__, op.primitive)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("shape, axis", [((3, 4), None), ((3, 4), 0), ((3, 4), 1), ((2, 3, 4), (0, 2)), ((0, 3), 1)])
def test_reductions(shape: tuple[int, ...], axis: object) -> None:
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    t = Tensor(x)
    np.testing.assert_allclose(t.sum(axis).asnumpy(), x.sum(axis), rtol=1e-5, atol=1e-6)
    if x.size:
        np.testing.assert_allclose(t.mean(axis).asnumpy(), x.mean(axis), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(t.max(axis=axis).asnumpy(), x.max(axis))


def test_matmul_of_any_rank() -> None:
    rng = np.random.default_rng(2)
    for a, b in [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (5, 3, 4))]:
        x, y = rng.standard_normal(a).astype(np.float32), rng.standard_normal(b).astype(np.float32)
        np.testing.assert_allclose((Tensor(x) @ Tensor(y)).asnumpy(), x @ y, rtol=1e-5, atol=1e-6)


def test_errors_name_op_and_shapes() -> None:
    a, b = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((4,), np.float32))
    with pytest.raises(ValueError, match=r"add.*\(2, 3\).*\(4,\)"):
        a + b
    with pytest.raises(TypeError, match="exp"):
        ms.ops.exp("text")
    with pytest.raises(TypeError, match="unexpected keyword"):
        ms.ops.exp(a, nothing=1)
    with pytest.raises(ValueError):
        ms.ops.zeros((1 << 40, 1 << 40))
    with pytest.raises(AttributeError, match="emberjit"):
        ms.ops.no_such_op


def test_arange_of_ints_and_floats() -> None:
    for args in [(5,), (2, 9), (9, 2, -2), (0.0, 1.0, 0.25), (1.5,)]:
        got = ms.ops.arange(*args)
        np.testing.assert_allclose(got.asnumpy(), np.arange(*args))
        assert got.dtype == (ms.float32 if any(isinstance(a, float) for a in args) else ms.int64)
