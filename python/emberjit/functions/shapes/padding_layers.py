"""Padding of the last axes as layers: nn.ReflectionPad2d(padding)(x)."""

from __future__ import annotations

from typing import Any

from emberjit.checks import check_rank
from emberjit.functions.shapes.padding import pad
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish

_TO_FLIP = "[(0, 0)] * (x.ndim - {axes}) + [*zip(p[::2], p[1::2])][::-1]"


def _sides(function: str, axes: int, padding: Any, counts: tuple[int, ...]) -> tuple[int, ...]:
    sides = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * (2 * axes)
    if not all(isinstance(side, int) and not isinstance(side, bool) for side in sides):
        raise TypeError(f"For '{function}', 'padding' must be an int or a tuple of ints, but got {padding!r}.")
    if len(sides) not in counts:
        raise ValueError(
            f"For '{function}', 'padding' must be an int or {' or '.join(map(str, counts))} of them, but got {padding}."
        )
    return sides


def _reference(axes: int, way: str) -> str:
    return f"""(lambda p: np.pad(x, {_TO_FLIP.format(axes=axes)}, {way}))(padding if isinstance(padding, tuple) else
    (padding,) * {2 * axes})"""


def _publish_extension(kind: str, axes: int, mode: str, way: str, meaning: str) -> None:
    name = f"{kind}Pad{axes}d"

    def extended(x: Tensor, padding: Ints) -> Any:
        check_rank(name, "x", x, axes + 1, axes + 2)
        return pad(x, _sides(name, axes, padding, (2 * axes,)), mode)

    extended.__name__ = f"{kind.lower()}_pad{axes}d"
    extended.__doc__ = f"""{meaning} before and after each of the last axes.

    Args:
        x: of shape (N, C, ...) or (C, ...).
        padding: how many before and after the last axis, the one before it, and so on; one int for all.

    Raises:
        TypeError: padding is something else.
        ValueError: another number of axes or of ints, or an axis has too few elements.
    """
    shape = ", ".join("5444"[-axes:])
    publish(
        f"nn.{name}(padding)(x) mint.nn.{name}(padding)(x as input)",
        numpy=_reference(axes, way),
        samples=f"f32(1, 2, {shape}), 2; f64(2, {shape}), {(1, 2, 0, 3, 1, 1)[: 2 * axes]}",
        in_python=True,
    )(extended)


def _publish_constant(axes: int) -> None:
    def padded(x: Tensor, padding: Ints, value: Number = 0) -> Any:
        return pad(x, _sides(f"ConstantPad{axes}d", axes, padding, (2, 4, 6)[:axes]), "constant", value)

    padded.__name__ = f"constant_pad{axes}d"
    padded.__doc__ = """A number before and after each of the last axes.

    Args:
        padding: how many before and after the last axis, the one before it, and so on, as far as wanted; one int for all;
            negative: cut.
        value: the number.

    Raises:
        TypeError: padding is something else.
        ValueError: another number of ints, or too few axes.
    """
    zeros = f"mint.nn.ZeroPad{axes}d(padding, value := 0)(x as input)" + (
        " nn.ZeroPad2d(padding, value := 0)(x)" if axes == 2 else ""
    )
    publish(
        f"""nn.ConstantPad{axes}d(padding, value = ...)(x) mint.nn.ConstantPad{axes}d(padding, value = ...)(x as input)
        {zeros}""",
        numpy=_reference(axes, "constant_values=value"),
        samples=f"f32(1, 2, 5, 4), 2, 1.5; f64(2, 3, 4), {(1, 2, 0, 3, 1, 1)[: 2 * axes]}, 0.5",
        in_python=True,
    )(padded)


for _axes in (1, 2, 3):
    _publish_extension("Reflection", _axes, "reflect", "'reflect'", "Elements mirrored at the first and last one")
    _publish_extension("Replication", _axes, "replicate", "'edge'", "The first and last element again")
    _publish_constant(_axes)
