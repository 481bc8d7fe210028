"""Elements before and after those of each axis. Paddings of ops.pad and mint go from the last axis on, those of numpy.pad,
ops.Pad and nn.Pad from the first."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import MOST_STEPS, check_choice
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import COMPLEXES, FLOATS, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along
from emberjit.tensors.operands import as_tensor

_ops = core.ops

publish_ops(
    __name__,
    """
pad: ops.pad(input_x, padding) mint.nn.functional.pad(input_x as input, padding as pad)
""",
)


def _sources(mode: str, size: int, first: int, end: int) -> Any:
    """Which elements are at positions along an axis that goes on beyond its ends."""
    at = _ops.arange(first, end)
    if mode == "replicate":
        return _ops.clip(at, 0, size - 1)
    if mode == "circular":
        return at % size
    shared = mode == "reflect"  # whether the end is the mirror, and not before it
    period = 2 * (size - shared)
    place = at % period if period else at * 0
    return _ops.minimum(place, period - 1 + shared - place) if period else place


def _by_parts(x: Tensor, axis: int, before: int, after: int, mode: str) -> Any:
    """Of an axis that has as many elements as are put beside it."""
    size, shared, circular = x.shape[axis], int(mode == "reflect"), mode == "circular"

    def part(first: int, end: int, mirrored: bool = False) -> Any:
        elements = x[along(axis, slice(first, end))]
        return _ops.flip(elements, axis) if mirrored else elements

    def side(first: int, count: int, edge: int) -> list[Any]:
        if count <= 0:
            return []
        if mode == "replicate":
            return [_ops.broadcast_to(part(edge, edge + 1), (*x.shape[:axis], count, *x.shape[axis + 1 :]))]
        return [part(first, first + count, not circular)]

    head = side(size - before if circular else shared, before, 0)
    tail = side(0 if circular else size - shared - after, after, size - 1)
    kept = x if min(before, after) >= 0 else part(max(-before, 0), max(size + min(after, 0), 0))
    return _ops.concat([*head, kept, *tail], axis) if head or tail else _ops.identity(kept)


def _extended(x: Tensor, axis: int, before: int, after: int, mode: str) -> Any:
    if before == after == 0:
        return x
    size = x.shape[axis]
    most = {"reflect": size - 1, "replicate": max(before, after)}.get(mode, size)
    if size and -size <= min(before, after) <= max(before, after) <= most:
        return _by_parts(x, axis, before, after, mode)
    return _ops.gather(x, core.call_now(_sources, mode, int(size), int(-before), int(size + after)), axis)


def _extended_oddly(x: Tensor, axis: int, before: int, after: int, shared: int) -> Any:
    """Twice the ends less mirrored elements, as far as there are any, and again from there.

    Args:
        shared: 1 if the end is the mirror, 0 if it is mirrored itself.
    """
    if max(before, after) > MOST_STEPS:  # is there room at all?
        _ops.zeros((*x.shape[:axis], x.shape[axis] + before + after, *x.shape[axis + 1 :]), x.dtype)
    while before or after:
        size = x.shape[axis]
        if size == shared:
            return _extended(x, axis, before, after, "replicate")
        left, right = min(before, size - shared), min(after, size - shared)
        first, last = x[along(axis, slice(0, 1))], x[along(axis, slice(size - 1, size))]
        head = _ops.flip(x[along(axis, slice(shared, shared + left))], axis)
        tail = _ops.flip(x[along(axis, slice(size - shared - right, size - shared))], axis)
        x = _ops.concat([first * 2 - head, x, last * 2 - tail], axis)
        before, after = before - left, after - right
    return x


def _check_size(function: str, x: Tensor, axis: int, before: int, after: int, mode: str, cut: bool = False) -> None:
    """Raises where an axis does not have what is to be put beside it, or cut from it."""
    size = x.shape[axis]
    most = {"reflect": size - 1, "symmetric": size, "circular": size, "replicate": max(before, after) if size else 0}[mode]
    least = -size - max(before, after) if cut else 0
    if not least <= min(before, after) <= max(before, after) <= most:
        raise ValueError(
            f"For '{function}', the padding ({before}, {after}) of axis {axis} must be in [{least}, {most}] by mode "
            f"{mode!r}, as the shape is {tuple(x.shape)}."
        )


def pad_with(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Any:
    """The op pad with a value of any kind, such as a complex number.

    Raises:
        TypeError: a complex value beside real numbers.
    """
    if not isinstance(value, complex):
        return _ops.pad(input_x, padding, mode, value)
    within = _ops.pad(_ops.ones_like(input_x, core.bool_), padding, mode)
    return _ops.masked_fill(_ops.pad(input_x, padding, mode), _ops.logical_not(within), value)


@publish(
    "ops.pad mint.nn.functional.pad(input_x as input, padding as pad, mode, value)",
    numpy="""np.pad(input_x, [(0, 0)] * (input_x.ndim - len(padding) // 2) + [*zip(padding[::2], padding[1::2])][::-1],
    {'circular': 'wrap', 'replicate': 'edge'}.get(mode, mode), **({} if value is None else {'constant_values': value}))""",
    samples="""f32(2, 3), (1, 2); i32(2, 3), (0, 1, 2, 0), 'constant', 7; f32(2, 3, 4), (3, 1, 1, 2), 'reflect';
    f32(3, 4), (2, 3), 'replicate'; f32(3, 4), (1, 4, 2, 0), 'circular'; c64(3), (1, 2), 'reflect'; b1(2, 3), (2, 0);
    c64(2, 3), (1, 2, 0, 1), 'constant', 1 - 2j; c128(3), (0, 2), 'constant', 0.1j""",
)
def pad(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Any:
    """Elements before and after those of axes, pair by pair from the last axis on.

    Args:
        padding: how many before and after the last axis, the one before it, and so on; negative: cut.
        mode: "constant": value; "reflect": mirrored at the first and last element; "replicate": those again; "circular": the
            other end's.
        value: 0 if None.

    Raises:
        TypeError: padding holds something else than ints.
        ValueError: there are more pairs than axes or half a pair, mode is something else, a value is given that the mode
            does not use, or an axis has too few elements.
    """
    padding = ints_of("pad", "padding", padding)
    check_choice("pad", "mode", mode, "constant", "reflect", "replicate", "circular")
    if mode == "constant":
        return pad_with(input_x, padding, mode, value)
    if value is not None:
        raise ValueError(f"For 'pad', 'value' must be None unless 'mode' is 'constant', but got {value} and {mode!r}.")
    if len(padding) % 2 or len(padding) > 2 * input_x.ndim:
        raise ValueError(f"For 'pad', 'padding' must be pairs of ints for at most {input_x.ndim} axes, but got {padding}.")
    for i in range(len(padding) // 2):
        axis, before, after = input_x.ndim - 1 - i, padding[2 * i], padding[2 * i + 1]
        if mode == "circular" and min(before, after) < 0:  # what is left goes round
            kept = slice(max(-before, 0), max(input_x.shape[axis] + min(after, 0), 0))
            input_x, before, after = input_x[along(axis, kept)], max(before, 0), max(after, 0)
        _check_size("pad", input_x, axis, before, after, mode, True)
        input_x = _extended(input_x, axis, before, after, mode)
    return input_x if any(padding) else _ops.identity(input_x)


@publish(
    "ops.mirror_pad(input_x, paddings, mode = ...) ops.MirrorPad(mode)(input_x, paddings)",
    numpy="np.pad(input_x, paddings, mode.lower())",
    samples="f32(2, 3), ((1, 0), (2, 1)), 'REFLECT'; i32(2, 3), ((1, 2), (0, 3)), 'SYMMETRIC'",
    in_python=True,
)
def mirror_pad(input_x: Tensor, paddings: Any, mode: str = "REFLECT") -> Any:
    """Mirrored elements before and after those of each axis.

    Args:
        paddings: how many before and after each axis, an integer Tensor of shape (axes, 2), or a tuple of pairs.
        mode: "REFLECT": the mirror is the first, or last, element; "SYMMETRIC": it is beyond it.

    Raises:
        ValueError: mode is something else, there is not a pair for each axis, or an axis has too few elements.
    """
    check_choice("MirrorPad", "mode", mode, "REFLECT", "SYMMETRIC")
    pairs = pairs_of("MirrorPad", "paddings", paddings, input_x.ndim)
    for axis, (before, after) in enumerate(pairs):
        _check_size("MirrorPad", input_x, axis, before, after, mode.lower())
        input_x = _extended(input_x, axis, before, after, mode.lower())
    return input_x


def pairs_of(function: str, name: str, option: Any, axes: int) -> list[tuple[Any, Any]]:
    """A pair for each axis, of a number, a pair, or pairs, as NumPy broadcasts them.

    Raises:
        ValueError: they are not so.
    """
    value = option.tolist() if hasattr(option, "tolist") else option
    if not isinstance(value, (tuple, list)):
        return [(value, value)] * axes
    if len(value) in (1, 2) and not any(isinstance(item, (tuple, list)) for item in value):
        return [(value[0], value[-1])] * axes
    rows = [tuple(item) if isinstance(item, (tuple, list)) else () for item in value]
    if len(rows) not in (1, axes) or any(len(row) not in (1, 2) for row in rows):
        raise ValueError(f"For '{function}', '{name}' must be a pair for each of {axes} axes, but got {option}.")
    return [(row[0], row[-1]) for row in (rows * axes if len(rows) == 1 else rows)]


@publish("ops.Pad(paddings)(input_x)", numpy="np.pad(input_x, paddings)", samples="f32(2, 3), ((1, 2), (0, 1))")
def pad_pairs(input_x: Tensor, paddings: Any) -> Any:
    """Zeros before and after each axis, as many as `paddings` names pair by pair.

    Args:
        paddings: a pair, (before, after), for each axis.
    """
    return _ops.pad(input_x, tuple(n for pair in reversed(paddings) for n in pair))


@publish(
    "ops.PadV3(mode, paddings_contiguous)(input_x, paddings, constant_value)",
    numpy="""np.pad(input_x, ((0, 0), tuple(paddings)), mode,
    **({'constant_values': constant_value or 0} if mode == 'constant' else {}))""",
    samples="f32(2, 3), (1, 2); f32(2, 3), (1, 0), 2.5; f32(2, 3), (2, 1), None, 'reflect'; f32(2, 3), (1, 2), None, 'edge'",
)
def pad_from_last(
    input_x: Tensor, paddings: Any, constant_value: Any = None, mode: str = "constant", paddings_contiguous: bool = True
) -> Any:
    """Elements before and after axes, pair by pair from the last axis on; not contiguous: (all before, all after).

    Args:
        paddings: ints, or a Tensor of them.
        constant_value: what is put there by mode "constant", 0 if None; a number, or a Tensor of one.
        mode: "constant"; "reflect": elements mirrored at the first and last one; "edge": these; "circular": the other end's.

    Raises:
        TypeError: paddings are no ints.
        ValueError: another mode, paddings that do not fit, or a constant_value that the mode does not use.
    """
    sizes = from_last("PadV3", paddings, paddings_contiguous)
    check_choice("PadV3", "mode", mode, "constant", "reflect", "edge", "circular")
    if mode != "constant":
        return pad(input_x, sizes, "replicate" if mode == "edge" else mode, constant_value)
    if isinstance(constant_value, core.Tensor):
        constant_value = constant_value.item()
    return pad_with(input_x, sizes, mode, constant_value)


def from_last(function: str, paddings: Any, contiguous: bool) -> tuple[int, ...]:
    """Pairs from the last axis on, of those or of (all before, all after).

    Raises:
        TypeError: something else than ints.
    """
    sizes: tuple[int, ...] = ints_of(function, "paddings", paddings)
    half = len(sizes) // 2
    return sizes if contiguous else tuple(n for pair in zip(sizes[:half], sizes[half:]) for n in pair)


@publish(
    "ops.padding ops.Padding(pad_dim_size)(x)",
    numpy="np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)])",
    samples="f32(2, 3, 1); i32(2, 1), 3",
    in_python=True,
)
def padding(x: Tensor, pad_dim_size: int = 8) -> Any:
    """The last axis, of size 1, extended to pad_dim_size by zeros.

    Raises:
        ValueError: the last axis has another size, or pad_dim_size is not positive.
    """
    if pad_dim_size < 1 or x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(
            f"For 'padding', the last of at least two axes must be of size 1, and 'pad_dim_size' positive, but got shape "
            f"{tuple(x.shape)} and {pad_dim_size}."
        )
    return _ops.pad(x, (0, pad_dim_size - 1))


def _inexact(x: Tensor) -> Any:
    return x if x.dtype in FLOATS + COMPLEXES else _ops.cast(x, core.float64)


def _constant(_x: Tensor, _axis: int, _count: int, _first: bool, value: Any) -> Any:
    return as_tensor(value)


def _ramp(x: Tensor, axis: int, count: int, first: bool, end: Any) -> Any:
    at = 0 if first else x.shape[axis] - 1
    edge = _inexact(x[along(axis, slice(at, at + 1))])
    away = _ops.cast(_ops.arange(1, count + 1), core.float64) / count
    shares = _ops.cast(_ops.flip(away, 0) if first else away, edge.dtype)
    ramp = edge + (end - edge) * _ops.reshape(shares, tuple(-1 if d == axis else 1 for d in range(x.ndim)))
    return ramp if x.dtype in FLOATS + COMPLEXES else _ops.floor(ramp)


def _statistic(name: str) -> Any:
    def of_part(x: Tensor, axis: int, _count: int, first: bool, length: Any) -> Any:
        size = x.shape[axis]
        count = size if length is None else min(length, size)
        part = x[along(axis, slice(0, count) if first else slice(size - count, size))]
        if name != "mean":
            return core.op_table[name](part, axis, True)
        mean = _ops.mean(_inexact(part), axis, True)
        return mean if x.dtype in FLOATS + COMPLEXES else _ops.round(mean)

    return of_part


_SIDES: dict[str, Any] = {
    "constant": _constant,
    "empty": _constant,
    "linear_ramp": _ramp,
    "maximum": _statistic("amax"),
    "mean": _statistic("mean"),
    "minimum": _statistic("amin"),
}


_EXTENSIONS = {"edge": "replicate", "reflect": "reflect", "symmetric": "symmetric", "wrap": "circular"}


def _beside(x: Tensor, axis: int, counts: tuple[int, int], mode: str, options: tuple[Any, Any]) -> Any:
    sides = []
    for count, option, first in zip(counts, options, (True, False)):
        side = _ops.cast(_SIDES[mode](x, axis, count, first, option), x.dtype)
        sides.append(_ops.broadcast_to(side, (*x.shape[:axis], count, *x.shape[axis + 1 :])))
    return _ops.concat([sides[0], x, sides[1]], axis)


def _by_function(arr: Tensor, widths: Any, function: Any, options: dict[str, Any]) -> Any:
    x = _ops.pad(arr, tuple(n for pair in reversed(widths) for n in pair))
    for axis, pair in enumerate(widths):
        lines = _ops.swapaxes(x, axis, -1)
        rows = []
        for row in _ops.reshape(lines, (-1, lines.shape[-1])):
            row = _ops.identity(row)
            result = function(row, pair, axis, options)
            rows.append(row if result is None else result)
        x = _ops.swapaxes(_ops.reshape(_ops.stack(rows), lines.shape), axis, -1)
    return x


@publish(
    "numpy.pad",
    numpy="""np.pad(arr, pad_width, mode, **({'constant': dict(constant_values=constant_values),
    'linear_ramp': dict(end_values=end_values)}
    | dict.fromkeys(('maximum', 'mean', 'minimum'), dict(stat_length=stat_length))
    | dict.fromkeys(('reflect', 'symmetric'), dict(reflect_type=reflect_type))).get(mode, {}))""",
    samples="""f32(2, 3), 1; f32(2, 3), ((1, 2), (0, 3)), 'constant', None, ((1, 2), (3, 4)); i32(2, 3), (1, 2), 'edge';
    f32(2, 3), ((2, 1), (4, 3)), 'linear_ramp', None, 0, (5, 1); i32(2, 3), 2, 'linear_ramp', None, 0, -7;
    f32(4, 3), 2, 'maximum', 2; i32(4, 3), (2, 1), 'minimum'; f32(4, 3), ((1, 0), (0, 2)), 'mean', ((2, 1), (1, 3));
    i32(4, 3), 1, 'mean'; f32(2, 3), (5, 4), 'reflect'; f32(1, 3), 2, 'reflect'; f32(2, 3), (5, 7), 'symmetric';
    f32(2, 3), (4, 5), 'wrap'; f32(3), (7, 9), 'reflect', None, 0, 0, 'odd';
    f32(3), (7, 9), 'symmetric', None, 0, 0, 'odd';
    f32(1), 2, 'reflect', None, 0, 0, 'odd'""",
    in_python=True,
)
def numpy_pad(
    arr: Tensor,
    pad_width: Any,
    mode: Any = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
) -> Any:
    """Elements before and after those of each axis, in the dtype of arr. What belongs to each axis is given by a number for
    all, by a pair, (before, after), or by a pair for each axis.

    Args:
        pad_width: how many.
        mode: "constant": constant_values; "empty": the same as "constant" of 0; "edge": the first, or last, element;
            "linear_ramp": straight from there to end_values; "maximum", "mean", "minimum": of stat_length elements at that
            end, all if None; "reflect": mirrored at the end; "symmetric": beyond it; "wrap": from the other end. Or a
            function(row, widths, axis, options) that changes a row, padded by zeros, or returns another.
        stat_length: how many elements at an end "maximum", "mean" and "minimum" look at; None for all.
        constant_values: the elements of "constant".
        end_values: the last elements of "linear_ramp".
        reflect_type: "odd": mirrored elements are subtracted from twice the end's.

    Raises:
        ValueError: mode or reflect_type is something else, pad_width is negative or not so, or no elements are there to
            go by.
    """
    widths = pairs_of("pad", "pad_width", pad_width, arr.ndim)
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError(f"For 'pad', 'pad_width' must not be negative, but got {pad_width}.")
    if callable(mode):
        return _by_function(arr, widths, mode, {})
    check_choice("pad", "mode", mode, *_SIDES, *_EXTENSIONS)
    check_choice("pad", "reflect_type", reflect_type, "even", "odd")
    option = {"constant": constant_values, "linear_ramp": end_values, "empty": 0}.get(mode, stat_length)
    for axis, (pair, options) in enumerate(zip(widths, pairs_of("pad", "the option", option, arr.ndim))):
        if max(pair) and arr.shape[axis] == 0 and mode not in ("constant", "empty"):
            raise ValueError(f"For 'pad', axis {axis} has no elements to go by, as the shape is {tuple(arr.shape)}.")
        if mode in _SIDES:
            arr = _beside(arr, axis, pair, mode, options)
        elif reflect_type == "odd" and mode in ("reflect", "symmetric"):
            arr = _extended_oddly(arr, axis, *pair, int(mode == "reflect"))
        else:
            arr = _extended(arr, axis, *pair, _EXTENSIONS[mode])
    return arr


@publish(
    "nn.Pad(paddings, mode)(x)",
    numpy="np.pad(x, paddings, mode.lower())",
    samples="f32(2, 3), ((1, 2), (0, 1)); f32(2, 3), ((1, 0), (2, 1)), 'REFLECT'; i32(3), ((2, 3),), 'SYMMETRIC'",
    in_python=True,
)
def pad_pairs_by_mode(x: Tensor, paddings: Any, mode: str = "CONSTANT") -> Any:
    """Elements before and after each axis, as many as `paddings` names pair by pair.

    Args:
        paddings: a pair, (before, after), for each axis.
        mode: "CONSTANT": zeros; "REFLECT": mirrored at the first and last element; "SYMMETRIC": mirrored beyond them.

    Raises:
        TypeError: paddings is no tuple.
        ValueError: there is not a pair for each axis, or another mode.
    """
    if not isinstance(paddings, tuple):
        raise TypeError(f"For 'Pad', 'paddings' must be a tuple of pairs of ints, but got {paddings!r}.")
    check_choice("Pad", "mode", mode, "CONSTANT", "REFLECT", "SYMMETRIC")
    if mode != "CONSTANT":
        return mirror_pad(x, paddings, mode)
    if len(paddings) != x.ndim or not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in paddings):
        raise ValueError(f"For 'Pad', 'paddings' must be a pair for each of {x.ndim} axes, but got {paddings}.")
    return _ops.pad(x, tuple(side for pair in reversed(paddings) for side in pair))
