"""Arithmetic of shapes, reshapes by hand, numbers of math and NumPy, constants."""

import math
import random
from math import pi, sqrt

import numpy as np
from idiom import Row, floats, ints, jit

import emberjit as ms
from emberjit import Tensor, ops

A, B = floats(2, 4), floats(3, 4)
X, Y = floats(2, 6, 8), floats(3, 4, 8)
IMAGE, LARGER = floats(2, 3, 8, 8), floats(3, 3, 12, 8)
MEAN = np.array([0.25, 0.5, 0.125], np.float32)
STD = np.float32(2.0)
TABLE = Tensor(np.arange(12, dtype=np.float32).reshape(4, 3))
rng = random.Random(3)
tables = {"weights": np.ones(4, np.float32)}


@jit
def batch_flattened(x):
    batch, *rest = x.shape
    return x.reshape(batch, math.prod(rest))


@jit
def heads_split(x, heads=2):
    b, t, c = x.shape
    return x.reshape(b, t, heads, c // heads).swapaxes(1, 2)


@jit
def heads_merged(x):
    b, h, t, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b, t, h * d)


@jit
def patches(x, size=4):
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // size, size, w // size, size)
    return x.transpose(0, 2, 4, 1, 3, 5).reshape(b, (h // size) * (w // size), c * size * size)


@jit
def pixel_shuffle(x, r=2):
    b, c, h, w = x.shape
    return x.reshape(b, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4).reshape(b, c * r * r, h // r, w // r)


@jit
def causal_attention(x):
    t, d = x.shape[1:]
    scores = x @ x.swapaxes(-2, -1) / sqrt(d)
    mask = ops.triu(ops.ones((t, t), ms.bool_), diagonal=1)
    return ops.softmax(scores.masked_fill(mask, float("-inf")), axis=-1) @ x


@jit
def padded(x, multiple=4):
    pad = (multiple - x.shape[1] % multiple) % multiple
    return ops.pad(x, (0, 0, 0, pad)) if pad else x


@jit
def position_codes(x):
    t, d = x.shape[-2:]
    rates = ops.exp(ops.arange(0, d, 2) * (-math.log(10000.0) / d))
    angles = ops.arange(t).expand_dims(1) * rates
    return x + ops.stack([ops.sin(angles), ops.cos(angles)], -1).reshape(t, d)


@jit
def rolled(x):
    half = x.shape[-1] // 2
    return ops.cat([-x[..., half:], x[..., :half]], axis=-1)


@jit
def normalised(x, eps=1e-5):
    mean = x.mean(-1, keep_dims=True)
    var = ((x - mean) ** 2).mean(-1, keep_dims=True)
    return (x - mean) / (var + eps) ** 0.5


@jit
def images_normalised(x):
    return (x - MEAN.reshape(1, 3, 1, 1)) / STD


@jit
def array_made_inside(x):
    mask = np.tril(np.ones((4, 4), np.float32))
    return x @ Tensor(mask)


@jit
def array_from_outside(x):
    return x * tables["weights"] + tables["weights"].shape[0]


@jit
def numpy_scalars(x, by):
    return x * by + np.pi + np.float32(0.5)


@jit
def numpy_on_sizes(x):
    return x * np.sqrt(x.shape[-1]) + int(np.prod(x.shape))


@jit
def math_of_numbers(x, n):
    return x * math.exp(-n / 10) + math.floor(n / 2) + math.cos(pi * n / 100) + math.isqrt(16)


@jit
def cosine_schedule(x, step, total=100):
    rate = 0.1 * 0.5 * (1 + math.cos(math.pi * min(step, total) / total))
    return x * rate


@jit
def warm_up(x, step):
    return x * (step / 10 if step < 10 else 1.0)


@jit
def conv_size(x, kernel=3, stride=2, padding=1):
    size = tuple((s + 2 * padding - kernel) // stride + 1 for s in x.shape[2:])
    return ops.zeros((x.shape[0], *size)) + x.mean()


@jit
def broadcast_by_none(x):
    return (x[:, None, :] - x[None, :, :]).abs().sum(-1)


@jit
def one_hot_by_comparison(ids, classes=7):
    return (ids[..., None] == ops.arange(classes)).astype(ms.float32)


@jit
def gathered(ids):
    return TABLE[ids % 4].sum(-1)


@jit
def masked_mean(x):
    mask = (x > 0).astype(x.dtype)
    return (x * mask).sum() / mask.sum().clamp(min=1)


@jit
def item_assigned(x):
    y = x.copy()
    y[0] = 0
    y[:, -1] += 1
    return y


@jit
def argument_written(x):
    x[0] = x[0] * 2
    return x.sum()


@jit
def rank_dispatch(x):
    return x.sum() if x.ndim < 3 else x.mean((-2, -1)) if len(x.shape) == 4 else x[:, 0]


@jit
def einsum_by_hand(x):
    return ops.einsum("btc,bsc->bts", x, x) / x.shape[2]


@jit
def split_in_three(x):
    q, k, v = ops.cat([x, x * 2, x * 3], -1).chunk(3, axis=-1)
    return q + k * v


@jit
def shape_returned(x):
    return x.shape, x.size, len(x), x.dtype, x.ndim


@jit
def shape_in_a_dict(x):
    return {"x": x * 2, "shape": list(x.shape), "rows": x.shape[0], "half": x.shape[0] / 2}


@jit
def python_random(x):
    return x * random.random()


@jit
def random_choice(x):
    return x * rng.choice([1.0, 2.0, 3.0])


@jit
def random_op(x):
    return x + ops.randn(x.shape)


@jit
def numpy_random(x):
    return x + Tensor(np.random.rand(4).astype(np.float32))


@jit
def numbers_rounded(x, n):
    return x * round(n / 3, 1) + int(n) + float(n) + abs(-n) + divmod(int(n), 3)[1]


@jit
def names_in_an_array(x):
    names = np.array([f"row {n}" for n in x.shape])
    return x * names.ndim


@jit
def dtype_of_sizes(x):
    sizes = np.array(x.shape)
    return x * 2 if np.issubdtype(sizes.dtype, np.integer) else x


@jit
def size_and_name_in_an_array(x):
    return x * 2, np.array([x.shape[0], "rows"]).tolist()


@jit
def rounded_by_numpy(x):
    try:
        return x * float(np.round(x.shape[0] / 3, 2))
    except TypeError:
        return x


@jit
def exponents_of_sizes(x):
    return x * float(np.exp([-x.shape[0], 0.5]).sum())


@jit
def place_by_numpy(x):
    try:
        row, column = np.unravel_index(x.shape[0], (2, 3))
    except TypeError:
        row, column = 0, 0
    return x * int(row) + int(column)


@jit
def class_of_a_product(x):
    return x * 2, isinstance(np.prod(x.shape), np.integer)


ROWS = [
    Row("names in an array", names_in_an_array, [(A,), (B,), (A,)], graphs=2),
    Row("dtype of an array of sizes", dtype_of_sizes, [(A,), (B,), (A,)], graphs=2),
    Row("size and name in an array", size_and_name_in_an_array, [(A,), (B,), (A,)], graphs=2),
    Row("np.round in a try", rounded_by_numpy, [(A,), (B,), (A,)], graphs=2),
    Row("np.exp of sizes", exponents_of_sizes, [(A,), (B,), (A,)], graphs=2, wanted=(1, 0)),
    Row("np.unravel_index in a try", place_by_numpy, [(A,), (B,), (A,)], graphs=2),
    Row("class of np.prod", class_of_a_product, [(A,), (B,), (A,)], graphs=2),
    Row("batch, *rest", batch_flattened, [(X,), (Y,), (IMAGE,)], graphs=2),
    Row("heads split", heads_split, [(X,), (Y,), (X,)]),
    Row("heads merged", heads_merged, [(IMAGE,), (LARGER,), (IMAGE,)]),
    Row("patches", patches, [(IMAGE,), (LARGER,), (IMAGE,)]),
    Row("pixels unshuffled", pixel_shuffle, [(IMAGE,), (LARGER,), (IMAGE,)]),
    Row("causal attention", causal_attention, [(X,), (Y,), (X,)]),
    Row("padded to a multiple", padded, [(X,), (floats(2, 7, 8),), (Y,), (X,)], graphs=2),
    Row("position codes", position_codes, [(X,), (Y,), (X,)]),
    Row("halves rotated", rolled, [(X,), (Y,), (A,)], graphs=2),
    Row("normalised by hand", normalised, [(X,), (Y,), (A,)], graphs=2),
    Row("constants of NumPy", images_normalised, [(IMAGE,), (LARGER,), (IMAGE,)]),
    Row("array made inside", array_made_inside, [(A,), (B,), (A,)]),
    Row("array from outside", array_from_outside, [(A,), (B,), lambda: tables["weights"].__setitem__(0, 5), (A,), (A,)]),
    Row(
        "scalars of NumPy",
        numpy_scalars,
        [(A, np.float32(2)), (B, np.float32(3)), (A, np.float64(2)), (A, np.int64(2))],
        graphs=4,
        wanted=(3, 0),
    ),
    Row("NumPy on sizes", numpy_on_sizes, [(A,), (B,), (floats(2, 9),)], graphs=3, wanted=(1, 0)),
    Row("functions of math", math_of_numbers, [(A, 1), (A, 5), (B, 50)]),
    Row("cosine schedule", cosine_schedule, [(A, 1), (A, 2), (B, 50), (A, 120)]),
    Row("warm-up", warm_up, [(A, 1), (A, 2), (B, 9), (A, 12), (A, 20)], graphs=2),
    Row("size of a convolution", conv_size, [(IMAGE,), (LARGER,), (IMAGE,)]),
    Row("broadcast by None", broadcast_by_none, [(A,), (B,), (A,)]),
    Row("one-hot by comparison", one_hot_by_comparison, [(ints(2, 3),), (ints(4, 3),), (ints(5),)], graphs=2),
    Row("rows of a table", gathered, [(ints(2, 3),), (ints(4, 3),), (ints(2, 3),)]),
    Row("masked mean", masked_mean, [(A,), (B,), (A,)]),
    Row("items assigned", item_assigned, [(A,), (B,), (A,)]),
    Row("argument written", argument_written, [(A,), (B,), (A,)]),
    Row("dispatch by rank", rank_dispatch, [(A,), (X,), (IMAGE,), (B,), (Y,)], graphs=3),
    Row("einsum", einsum_by_hand, [(X,), (Y,), (X,)]),
    Row("chunks of a product", split_in_three, [(X,), (Y,), (X,)]),
    Row("shape returned", shape_returned, [(A,), (B,), (A,)]),
    Row("shape in a dict", shape_in_a_dict, [(A,), (B,), (A,)]),
    Row("random.random", python_random, [(A,), (A,), (B,)], graphs=2, breaks=1),
    Row("choice of a Random", random_choice, [(A,), (A,), (B,)], graphs=2, breaks=1),
    Row("ops.randn", random_op, [(A,), (A,), (B,)]),
    Row("np.random.rand", numpy_random, [(A,), (A,), (B,)], graphs=3, breaks=2, wanted=(2, 1)),
    Row("numbers rounded", numbers_rounded, [(A, 1), (A, 2), (B, 7)]),
]
