"""Elements at other places: rolled, turned, repeated, and in blocks."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along, checked_axis

_ops = core.op_table


@publish(
    """ops.roll ops.Roll(shifts, dims)(input) Tensor.roll mint.roll
    numpy.roll(input as a, shifts as shift, dims as axis) nn.Roll(shifts as shift, dims as axis = ...)(input as input_x)""",
    numpy="np.roll(input, shifts, dims)",
    samples="f32(5), 2; i32(2, 3), -1; f32(3, 4), (1, 2), (0, 1); f32(3, 4), 1, (0, 1); f32(3, 4), (1, 2), 1",
)
def roll(input: Tensor, shifts: Ints, dims: Ints | None = None) -> Any:
    """Elements moved along axes; those that pass the end come in at the front.

    Args:
        shifts: how far, along each of the axes.
        dims: the axes; None: along all of them as if they were a single one.

    Raises:
        ValueError: an axis is out of range, or there are other numbers of shifts and axes, neither one.
    """
    if dims is None:
        flat = _ops["reshape"](input, (-1,))
        return _ops["reshape"](roll(flat, sum(ints_of("roll", "shifts", shifts)), 0), input.shape)
    steps, axes = ints_of("roll", "shifts", shifts), ints_of("roll", "dims", dims)
    if len(steps) != len(axes) and (1 not in (len(steps), len(axes)) or not (steps and axes)):
        raise ValueError(f"For 'roll', there must be as many 'shifts' as 'dims', but got {shifts} and {dims}.")
    count, moved = max(len(steps), len(axes)), input
    for step, axis in zip(steps * count if len(steps) == 1 else steps, axes * count if len(axes) == 1 else axes):
        at = checked_axis("roll", input, axis)
        size = input.shape[at]
        start = (size - step if step > 0 else -step) if abs(step) < size else -step % max(size, 1)
        if start:
            parts = (moved[along(at, slice(start, None))], moved[along(at, slice(0, start))])
            moved = _ops["concat"](parts, at)
    return _ops["identity"](input) if moved is input else moved


@publish(
    "ops.Shift(periods, axis)(x, fill_value)",
    numpy="""(np.concatenate([np.full((min(periods, 3), 4), fill_value, x.dtype), x[:-periods]]) if axis == 0 else
    np.concatenate([x[:, -periods:], np.full((3, min(-periods, 4)), fill_value, x.dtype)], 1))""",
    samples="f32(3, 4), 7, 1, 0; f32(3, 4), 0.5, -1, -1; i32(3, 4), 0, -6",
)
def shift(x: Tensor, fill_value: Number, periods: int = 1, axis: int = -1) -> Any:
    """Elements moved along an axis; those that pass an end are lost, and a number comes in at the other.

    Args:
        fill_value: the number.
        periods: how far, towards the end; a negative one towards the front.

    Raises:
        ValueError: the axis is out of range.
    """
    at = checked_axis("Shift", x, axis)
    size = x.shape[at]
    step = max(-size, min(periods, size))
    padding = [0, 0] * (x.ndim - at)
    padding[-2:] = max(step, 0), max(-step, 0)
    return _ops["pad"](x[along(at, slice(max(-step, 0), size - max(step, 0)))], tuple(padding), "constant", fill_value)


@publish(
    "ops.rot90 Tensor.rot90 numpy.rot90(input as a, k = 1, dims as axes = (0, 1))",
    numpy="np.rot90(input, k, dims)",
    samples="f32(2, 3), 1, (0, 1); f32(2, 3), 2, (0, 1); i32(2, 3, 4), -1, (1, 2); f32(2, 3), 4, [1, 0]",
)
def rot90(input: Tensor, k: int, dims: Ints) -> Any:
    """Turned by 90 degrees in the plane of two axes, from the first towards the second.

    Args:
        k: how often.
        dims: the two axes.

    Raises:
        ValueError: dims are not two different axes in range.
    """
    axes = ints_of("rot90", "dims", dims)
    at = [checked_axis("rot90", input, axis) for axis in axes]
    if len(at) != 2 or at[0] == at[1]:
        raise ValueError(f"For 'rot90', 'dims' must be two different axes, but got {dims}.")
    turns = int(k) % 4
    flipped = {0: (), 1: (at[1],), 2: tuple(at), 3: (at[0],)}[turns]
    turned = _ops["flip"](input, flipped) if flipped else _ops["identity"](input)
    return _ops["swapaxes"](turned, *at) if turns % 2 else turned


@publish("ops.fliplr Tensor.fliplr numpy.fliplr(input as m)", numpy="np.fliplr(input)", samples="f32(2, 3); i32(2, 2, 3)")
def fliplr(input: Tensor) -> Any:
    """The second axis in reverse order.

    Raises:
        ValueError: input has fewer than two axes.
    """
    checked_axis("fliplr", input, 1)
    return _ops["flip"](input, 1)


@publish("ops.flipud Tensor.flipud numpy.flipud(input as m)", numpy="np.flipud(input)", samples="f32(2, 3); i32(2)")
def flipud(input: Tensor) -> Any:
    """The first axis in reverse order.

    Raises:
        ValueError: input has no axes.
    """
    checked_axis("flipud", input, 0)
    return _ops["flip"](input, 0)


@publish("numpy.flip", numpy="np.flip(m, axis)", samples="f32(2, 3); f32(2, 3), 1; i32(2, 3), (0, -1)")
def numpy_flip(m: Tensor, axis: Ints | None = None) -> Any:
    """Axes in reverse order; None: all of them.

    Raises:
        ValueError: an axis is out of range.
    """
    return _ops["flip"](m, tuple(range(m.ndim)) if axis is None else axis) if m.ndim else m


@publish(
    "Tensor.repeat(*repeats)",
    numpy="np.tile(input, repeats)",
    samples="f32(2, 3), (2, 1); i32(3), (2, 2); f32(2, 3), (1, 0); i32(), 3",
    in_python=True,
)
def repeat(input: Tensor, repeats: Ints) -> Any:
    """The whole Tensor again and again along each axis; more numbers than axes add axes in front.

    Args:
        repeats: how often, for each axis.

    Raises:
        TypeError: repeats are no ints.
        RuntimeError: there are fewer numbers than axes, or one is negative.
    """
    counts = ints_of("repeat", "repeats", repeats)
    if len(counts) < input.ndim or any(n < 0 for n in counts):
        raise RuntimeError(
            f"For 'repeat', 'repeats' must be a number, not negative, for each of {input.ndim} axes, but got {counts}: to "
            "repeat each element along one axis give 'axis', or use repeat_interleave()."
        )
    return _ops["tile"](input, counts)


@publish(
    """Tensor.repeat(repeats, axis: int? = ...) numpy.repeat(input as a, repeats, axis)
    ops.repeat_elements(input as x, repeats as rep: int, axis: int = 0)""",
    numpy="np.repeat(input, repeats, axis)",
    samples="f32(2, 3), 2; f32(2, 3), 2, 1; i32(2, 3), (1, 2), 0; i32(3), [0, 2, 1]; i32(), 4",
    in_python=True,
)
def repeat_each(input: Tensor, repeats: Ints, axis: int | None = None) -> Any:
    """Each element again and again along an axis; None: all elements in a single one.

    Args:
        repeats: how often, a number for all or one for each.

    Raises:
        ValueError: axis is out of range, or repeats is negative, or of another length than the axis.
    """
    return _ops["repeat_interleave"](input, ints_of("repeat", "repeats", repeats), axis)


@publish(
    "numpy.rollaxis",
    numpy="np.rollaxis(x, axis, start)",
    samples="f32(2, 3, 4), 2; f32(2, 3, 4), 0, 3; i32(2, 3, 4), 1, -1; f32(2, 3, 4), -1, 1",
    in_python=True,
)
def rollaxis(x: Tensor, axis: int, start: int = 0) -> Any:
    """An axis moved before another; the others keep their order. A view.

    Args:
        axis: which is moved.
        start: before which; the number of axes: to the end.

    Raises:
        ValueError: either is out of range.
    """
    at, rank = checked_axis("rollaxis", x, axis), x.ndim
    to = rank if start == rank else checked_axis("rollaxis", x, start)
    order = [other for other in range(rank) if other != at]
    order.insert(to - (at < to), at)
    return _ops["transpose"](x, tuple(order))


def _regrouped(x: Tensor, split: Ints, order: Ints, joined: Ints) -> Any:
    """Axes split into several, in another order, and joined again."""
    return _ops["reshape"](_ops["transpose"](_ops["reshape"](x, split), order), joined)


def _blocks(function: str, x: Tensor, block: Any, paired: Any, name: str) -> list[tuple[int, int, int]]:
    """For each of the last axes the size of blocks, and what is added, or cut, before and after it.

    Raises:
        ValueError: they are not so.
    """
    pairs = paired.tolist() if isinstance(paired, core.Tensor) else paired
    sizes = (block,) * len(pairs) if isinstance(block, int) else ints_of(function, "block size", block)
    rows = [(size, *pair) for size, pair in zip(sizes, pairs) if len(pair) == 2]
    if len(rows) != len(sizes) or len(pairs) != len(sizes) or not 0 < len(rows) < x.ndim:
        raise ValueError(
            f"For '{function}', there must be a block size and a pair of '{name}' for each of at most {x.ndim - 1} axes, "
            f"but got {block} and {pairs}."
        )
    if any(size < 1 or min(before, after) < 0 for size, before, after in rows):
        raise ValueError(
            f"For '{function}', block sizes must be positive and '{name}' not negative, but got {block}, {pairs}."
        )
    return rows


@publish(
    """ops.space_to_batch_nd ops.SpaceToBatchND(block_size as block_shape, paddings)(input_x)
    ops.SpaceToBatch(block_size, paddings)(input_x)""",
    numpy="""(lambda x, b, k: np.moveaxis(x.reshape((*x.shape[:-k], *(n for size, by in zip(x.shape[-k:], b)
    for n in (size // by, by)))), range(-2 * k + 1, 0, 2), range(k)).reshape(
    (-1, *x.shape[1:-k], *(size // by for size, by in zip(x.shape[-k:], b)))))(
    np.pad(input_x, [(0, 0)] * (input_x.ndim - len(paddings)) + [*paddings]),
    [block_size] * len(paddings) if isinstance(block_size, int) else block_size, len(paddings))""",
    samples="f32(1, 2, 4, 4), 2, ((0, 0), (0, 0)); f32(2, 1, 3, 4), (2, 3), ((1, 0), (1, 1)); i32(2, 3, 4), [2], [[0, 0]]",
    in_python=True,
)
def space_to_batch_nd(input_x: Tensor, block_size: Ints, paddings: Any) -> Any:
    """Blocks of the last axes, of which the elements at each place within a block become a batch of their own.

    Args:
        input_x: (batch, ..., spatial axes).
        block_size: of each spatial axis; an int for all.
        paddings: (zeros before, zeros after) each.

    Returns:
        (places in a block * batch, ..., blocks along each axis).

    Raises:
        ValueError: block sizes and paddings do not go with the axes, or padded axes do not divide by block sizes.
    """
    rows = _blocks("space_to_batch_nd", input_x, block_size, paddings, "paddings")
    k, by = len(rows), [row[0] for row in rows]
    x = _ops["pad"](input_x, tuple(n for _, before, after in reversed(rows) for n in (before, after)))
    if any(size % n for size, n in zip(x.shape[-k:], by)):
        raise ValueError(
            f"For 'space_to_batch_nd', padded axes {tuple(x.shape[-k:])} must divide by block sizes {tuple(by)}."
        )
    fixed, spatial = x.ndim - k, tuple(size // n for size, n in zip(x.shape[-k:], by))
    split = (*x.shape[:fixed], *(n for pair in zip(spatial, by) for n in pair))
    order = (*range(fixed + 1, fixed + 2 * k, 2), *range(fixed), *range(fixed, fixed + 2 * k, 2))
    batch = x.shape[0]
    for n in by:
        batch *= n
    return _regrouped(x, split, order, (batch, *x.shape[1:fixed], *spatial))


@publish(
    """ops.batch_to_space_nd ops.BatchToSpaceND(block_shape, crops)(input_x)
    ops.BatchToSpaceNDV2()(input_x, block_shape, crops) ops.BatchToSpace(block_shape as block_size, crops)(input_x)""",
    numpy="""(lambda b, k: (lambda x: np.moveaxis(x, range(k), range(-2 * k + 1, 0, 2)).reshape((x.shape[k],
    *input_x.shape[1:-k], *(size * by for size, by in zip(input_x.shape[-k:], b)))))(
    input_x.reshape((*b, -1, *input_x.shape[1:])))[(..., *(slice(c[0], None if c[1] == 0 else -c[1]) for c in crops))])(
    [block_shape] * len(crops) if isinstance(block_shape, int) else block_shape, len(crops))""",
    samples="f32(4, 2, 3, 2), 2, ((0, 0), (0, 0)); f32(6, 1, 3, 4), (2, 3), ((1, 0), (1, 2)); i32(2, 3, 4), [2], [[0, 0]]",
    in_python=True,
)
def batch_to_space_nd(input_x: Tensor, block_shape: Ints, crops: Any) -> Any:
    """The inverse of space_to_batch_nd.

    Args:
        input_x: (places in a block * batch, ..., spatial axes).
        block_shape: the size of blocks along each spatial axis; an int for all.
        crops: (elements cut before, elements cut after) each.

    Raises:
        ValueError: block sizes and crops do not go with the axes, the first axis does not divide, or crops reach beyond it.
    """
    rows = _blocks("batch_to_space_nd", input_x, block_shape, crops, "crops")
    k, by = len(rows), [row[0] for row in rows]
    places = 1
    for n in by:
        places *= n
    spatial = tuple(size * n for size, n in zip(input_x.shape[-k:], by))
    if input_x.shape[0] % places or any(before + after > n for n, (_, before, after) in zip(spatial, rows)):
        raise ValueError(
            f"For 'batch_to_space_nd', blocks {tuple(by)} and crops {crops} do not fit a shape of {tuple(input_x.shape)}."
        )
    rest = input_x.ndim - k
    split = (*by, input_x.shape[0] // places, *input_x.shape[1:])
    order = (*range(k, k + rest), *(at for i in range(k) for at in (k + rest + i, i)))
    x = _regrouped(input_x, split, order, (input_x.shape[0] // places, *input_x.shape[1:rest], *spatial))
    return x[(..., *(slice(before, n - after) for n, (_, before, after) in zip(spatial, rows)))]


def _check_images(function: str, x: Tensor, block: int, divides: bool) -> None:
    """Raises where images (N, C, H, W) do not have whole blocks, or `divides`: channels for them."""
    fits = x.ndim == 4 and block > 0 and not (x.shape[1] % block**2 if divides else x.shape[2] % block or x.shape[3] % block)
    if not fits:
        need = "channels that divide by its square" if divides else "height and width that divide by it"
        raise ValueError(
            f"For '{function}', 'block_size' must be positive and the input images of four axes with {need}, but got "
            f"{block} and shape {tuple(x.shape)}."
        )


@publish(
    "ops.SpaceToDepth(block_size)(x)",
    numpy="""(lambda n, c, h, w, b: x.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4).reshape(
    n, -1, h // b, w // b))(*x.shape, block_size)""",
    samples="f32(1, 2, 4, 6), 2; i32(2, 1, 3, 3), 3",
    in_python=True,
)
def space_to_depth(x: Tensor, block_size: int) -> Any:
    """The elements at each place within blocks of images (N, C, H, W) as channels: (N, places * C, H / block, W / block).

    Raises:
        ValueError: x has not four axes, or H or W do not divide by block_size.
    """
    _check_images("SpaceToDepth", x, block_size, False)
    b, (n, c, h, w) = block_size, x.shape
    return _regrouped(x, (n, c, h // b, b, w // b, b), (0, 3, 5, 1, 2, 4), (n, c * b * b, h // b, w // b))


@publish(
    "ops.DepthToSpace(block_size)(x)",
    numpy="""(lambda n, c, h, w, b: x.reshape(n, b, b, c // b // b, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(
    n, -1, h * b, w * b))(*x.shape, block_size)""",
    samples="f32(1, 8, 2, 3), 2; i32(2, 9, 1, 1), 3",
    in_python=True,
)
def depth_to_space(x: Tensor, block_size: int) -> Any:
    """The inverse of SpaceToDepth: images (N, C, H, W) become (N, C / block^2, H * block, W * block).

    Raises:
        ValueError: x has not four axes, or C does not divide by block_size^2.
    """
    _check_images("DepthToSpace", x, block_size, True)
    b, (n, c, h, w) = block_size, x.shape
    return _regrouped(x, (n, b, b, c // (b * b), h, w), (0, 3, 4, 1, 5, 2), (n, c // (b * b), h * b, w * b))


@publish(
    "ops.channel_shuffle ops.ChannelShuffle(groups as group)(x) nn.ChannelShuffle(groups)(x)",
    numpy="x.reshape(x.shape[0], groups, -1, *x.shape[2:]).swapaxes(1, 2).reshape(x.shape)",
    samples="f32(1, 4, 2, 2), 2; i32(2, 6, 3), 3",
)
def channel_shuffle(x: Tensor, groups: int) -> Any:
    """Channels (the second axis) in the order of their place within groups, so that groups mix.

    ShuffleNet's, of Zhang et al. (2018).

    Raises:
        ValueError: x has fewer than three axes, groups is not positive, or channels do not divide by it.
    """
    if x.ndim < 3 or groups < 1 or x.shape[1] % groups:
        raise ValueError(
            f"For 'channel_shuffle', the input must have at least 3 axes, and axis 1 divide by groups, {groups}, but its "
            f"shape is {tuple(x.shape)}."
        )
    split = (x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    return _regrouped(x, split, (0, 2, 1, *range(3, x.ndim + 1)), x.shape)
