"""Complex numbers and their parts."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES, Ints, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
angle: ops.angle ops.Angle Tensor.angle
complex: ops.Complex ops.complex
conj: ops.conj ops.Conj Tensor.conj
view_as_complex: ops.view_as_complex
view_as_real: ops.view_as_real
""",
)


@publish(
    "ops.real ops.Real Tensor.real mint.real",
    numpy="np.real(input)",
    samples="f32(2, 3); c64(4); c128(2, 3)",
    in_python=True,
)
def real(input: Tensor) -> Any:
    """The real part, a view; of real numbers input itself."""
    return _ops.real(input) if input.dtype in COMPLEXES else input


@publish(
    "ops.imag ops.Imag Tensor.imag mint.imag",
    numpy="np.imag(input)",
    samples="f32(2, 3); c64(4); c128(2, 3)",
    in_python=True,
)
def imag(input: Tensor) -> Any:
    """The imaginary part, a view; of real numbers zeros."""
    return _ops.imag(input) if input.dtype in COMPLEXES else _ops.zeros_like(input)


@publish("ops.isreal Tensor.isreal", numpy="np.isreal(input)", samples="f32(2, 3); c64(4); i32(3)")
def isreal(input: Tensor) -> Any:
    """Which elements have no imaginary part: for real dtypes all."""
    return _ops.equal(imag(input), 0)


@publish("ops.polar ops.Polar mint.polar", numpy="abs * np.exp(1j * angle)", samples="f32(2, 3), f32(2, 3); f32(4), f32(4)")
def polar(abs: Tensor, angle: Tensor) -> Any:
    """The complex numbers of these magnitudes and angles, in radians."""
    return _ops.complex(_ops.mul(abs, _ops.cos(angle)), _ops.mul(abs, _ops.sin(angle)))


@publish("ops.ComplexAbs", numpy="np.abs(x)", samples="c64(2, 3); c128(4)")
def complex_abs(x: Tensor) -> Any:
    """The magnitude sqrt(re^2 + im^2) of complex numbers."""
    return _ops.abs(x)


@publish(
    "ops.ConjugateTranspose()(x, perm)",
    numpy="np.conj(x).transpose(perm)",
    samples="f32(2, 3, 4), (2, 0, 1); c64(2, 3), (1, 0)",
)
def conjugate_transpose(x: Tensor, perm: Ints) -> Any:
    """Conjugated elements with axes in another order.

    Args:
        perm: which axis comes at each place.

    Raises:
        ValueError: perm is no order of the axes.
    """
    return _ops.conj(_ops.transpose(x, perm))
