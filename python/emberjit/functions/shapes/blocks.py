"""Blocks of neighbours as batches or channels, and back; channels in groups."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import ints_of
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _regrouped(x: Tensor, split: Ints, order: Ints, joined: Ints) -> Any:
    """Axes split into several, in another order, and joined again."""
    return _ops.reshape(_ops.transpose(_ops.reshape(x, split), order), joined)


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
    x = _ops.pad(input_x, tuple(n for _, before, after in reversed(rows) for n in (before, after)))
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
