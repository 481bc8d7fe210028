"""What changes between calls in ordinary programs, a size, a number, an attribute, an item, leaves a jitted function in its
graphs: few of them, used by all later calls, with the results of a plain run."""

import math

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, nn, ops

RANDOM = np.random.default_rng(0)
CALLS = 24
FREE = 12  # calls in which graphs may be captured


def floats(*shape):
    return Tensor(RANDOM.standard_normal(shape).astype(np.float32))


def whole(high, *shape):
    return Tensor(RANDOM.integers(0, high, shape).astype(np.int32))


X = floats(24, 32)
Y = floats(2, 24, 8)
TABLE = floats(64, 8)
ROWS = [floats(20 + i, 8) for i in range(CALLS)]
SEQUENCES = [floats(2, 16 + i, 8) for i in range(CALLS)]
IMAGES = [floats(2, 4, 12 + 2 * i, 10 + i) for i in range(CALLS)]
BATCHES = [floats(2 + i, 4, 8, 8) for i in range(CALLS)]
TOKENS = [whole(64, 2, 5 + i) for i in range(CALLS)]

conv = nn.Conv2d(4, 6, 3, pad_mode="pad", padding=1, has_bias=True)
pool, batch_norm = nn.MaxPool2d(2, 2), nn.BatchNorm2d(4).set_train(False)
dense, norm, embedding = nn.Dense(8, 8), nn.LayerNorm((8,)), nn.Embedding(64, 8)
gru, rnn = nn.GRU(8, 12, batch_first=True), nn.RNN(8, 12, batch_first=True)
encoder = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)


def of_ints(function):
    return [(X, n) for n in range(CALLS)], function


def of_rows(function):
    return [(x,) for x in ROWS], function


def of_sequences(function):
    return [(x,) for x in SEQUENCES], function


def of_images(function):
    return [(x,) for x in IMAGES], function


def of_batches(function):
    return [(x,) for x in BATCHES], function


def of_tokens(function):
    return [(x,) for x in TOKENS], function


def attention(x):
    b, t, c = x.shape
    q = dense(x).view(b, t, 2, c // 2).transpose(0, 2, 1, 3)
    scores = ops.matmul(q, q.transpose(0, 1, 3, 2)) / math.sqrt(q.shape[-1])
    mask = ops.tril(ops.ones((t, t), ms.bool_))
    return (
        ops.matmul(ops.softmax(ops.masked_fill(scores, ops.logical_not(mask), -1e9), -1), q)
        .transpose(0, 2, 1, 3)
        .reshape(x.shape)
    )


def pad_to(x, multiple=8):
    missing = -x.shape[1] % multiple
    return ops.pad(x, (0, 0, 0, missing)) if missing else x * 1


def positions(ids):
    return embedding(ids) + TABLE[: ids.shape[1]]


def rotate(x):
    half = x.shape[-1] // 2
    return ops.cat((-x[..., half:], x[..., :half]), -1)


def sinusoids(x):
    t = ops.arange(x.shape[1]).astype(ms.float32)
    return x + ops.sin(t).reshape(1, -1, 1)


CASES = {
    "int add": of_ints(lambda x, n: x + n),
    "int minus": of_ints(lambda x, n: n - x),
    "int divide": of_ints(lambda x, n: x / (n + 1)),
    "int power of x": of_ints(lambda x, n: x * (n**2 + 1)),
    "int of float": of_ints(lambda x, n: x * int(n * 0.7)),
    "int round": of_ints(lambda x, n: x * round(n / 3, 2)),
    "int min": of_ints(lambda x, n: x * min(n, 7) + max(n, 3)),
    "int bits": of_ints(lambda x, n: x * ((n & 6) | (n << 1) ^ 3)),
    "int divmod": of_ints(lambda x, n: x * divmod(n, 5)[0] + divmod(n, 5)[1]),
    "int negative": of_ints(lambda x, n: x * -n + abs(n - 5)),
    "int float schedule": of_ints(lambda x, n: x * (0.95 ** (n // 4))),
    "int exp": of_ints(lambda x, n: x * math.exp(-n / 8)),
    "int floor": of_ints(lambda x, n: x * math.floor(n / 3) + math.ceil(n / 3)),
    "int true division": of_ints(lambda x, n: x * (n / 7)),
    "int chained": of_ints(lambda x, n: x * 2 if 0 <= n < 100 else x),
    "int row": of_ints(lambda x, n: x[n]),
    "int row from the end": of_ints(lambda x, n: x[-n - 1]),
    "int column": of_ints(lambda x, n: x[:, n]),
    "int window": of_ints(lambda x, n: x[n : n + 1] * 2),
    "int suffix": of_ints(lambda x, n: x[n:].sum(0)),
    "int narrow": of_ints(lambda x, n: ops.narrow(x, 0, n, 1)),
    "int index tensor": of_ints(lambda x, n: ops.gather(x, Tensor([0, 1]), 0) * n),
    "int triu": of_ints(lambda x, n: ops.triu(x, n)),
    "int zeros": of_ints(lambda x, n: ops.zeros((n + 1, 2)) + 1),
    "int broadcast": of_ints(lambda x, n: ops.broadcast_to(x[0], (n + 1, 32))),
    "int tile": of_ints(lambda x, n: ops.tile(x, (n + 1, 1)).sum()),
    "int arange": of_ints(lambda x, n: ops.arange(0, n + 2)),
    "int linspace": of_ints(lambda x, n: ops.linspace(0, 1, n + 2)),
    "int randint": of_ints(lambda x, n: ops.randint(n, n + 1, (4,))),
    "int full": of_ints(lambda x, n: ops.full((2,), n)),
    "int one hot": of_ints(lambda x, n: ops.one_hot(Tensor([0, 1]), n + 2)),
    "int eye": of_ints(lambda x, n: ops.eye(n + 2)),
    "int repeat": of_ints(lambda x, n: ops.repeat_interleave(x, n + 1, 0).sum()),
    "int split": of_ints(lambda x, n: ops.split(x, (n % 5 + 1, 23 - n % 5), 0)[0].sum()),
    "int while": of_ints(lambda x, n: x * (1 if n < 1000 else 2)),
    "rows view": of_rows(lambda x: x.view(-1, 4)),
    "rows flatten": of_rows(lambda x: ops.flatten(x, start_dim=0)),
    "rows reshape both": of_rows(lambda x: x.reshape(x.shape[0] * 2, x.shape[1] // 2)),
    "rows mean by hand": of_rows(lambda x: x.sum(0) / len(x)),
    "rows variance": of_rows(lambda x: ((x - x.mean(0)) ** 2).sum(0) / (x.shape[0] - 1)),
    "rows size": of_rows(lambda x: x.sum() / x.size),
    "rows halves": of_rows(lambda x: x[: x.shape[0] // 2].sum() - x[x.shape[0] // 2 :].sum()),
    "rows last": of_rows(lambda x: x[x.shape[0] - 1]),
    "rows zeros like": of_rows(lambda x: ops.cat((x, ops.zeros((x.shape[0], 2))), 1)),
    "rows arange": of_rows(lambda x: x * ops.arange(x.shape[0]).expand_dims(1)),
    "rows eye": of_rows(lambda x: ops.matmul(ops.eye(x.shape[0]), x)),
    "rows expand": of_rows(lambda x: x.expand_dims(0).broadcast_to((3, x.shape[0], x.shape[1]))),
    "rows pairs": of_rows(lambda x: (x.unsqueeze(1) - x.unsqueeze(0)).abs().sum(-1)),
    "rows unpacked": of_rows(lambda x: x * sum(x.shape)),
    "rows compared": of_rows(lambda x: x if x.shape[0] >= 2 and x.shape[1] == 8 else None),
    "rows equal shapes": of_rows(lambda x: x * 2 if x.shape == (x + 1).shape else x),
    "rows product": of_rows(lambda x: x * math.prod(x.shape)),
    "rows log": of_rows(lambda x: x * math.log(x.shape[0])),
    "rows sqrt": of_rows(lambda x: x / x.shape[0] ** 0.5),
    "rows softmax": of_rows(lambda x: ops.softmax(x, 0)),
    "rows sort": of_rows(lambda x: ops.sort(x, 0)[0]),
    "rows topk": of_rows(lambda x: ops.topk(x, 3)[0]),
    "rows cumsum": of_rows(lambda x: ops.cumsum(x, 0)),
    "rows flip": of_rows(lambda x: ops.flip(x, (0,))),
    "rows roll": of_rows(lambda x: ops.roll(x, x.shape[0] // 2, 0)),
    "rows norm": of_rows(lambda x: x / ops.norm(x, dim=1, keepdim=True)),
    "rows stack": of_rows(lambda x: ops.stack((x, x * 2), 1)),
    "rows chunk": of_rows(lambda x: ops.chunk(x, 2, 1)[1]),
    "rows gather": of_rows(lambda x: ops.gather(x, ops.arange(4), 0)),
    "rows masked": of_rows(lambda x: ops.where(x > 0, x, ops.zeros_like(x))),
    "rows full": of_rows(lambda x: ops.full((x.shape[0],), 2.0) + x[:, 0]),
    "rows layer norm": of_rows(lambda x: norm(x)),
    "rows dense": of_rows(lambda x: dense(x)),
    "rows loss": of_rows(lambda x: ops.mse_loss(x, ops.ones_like(x))),
    "rows cross entropy": of_rows(lambda x: ops.cross_entropy(x, ops.zeros((x.shape[0],), ms.int32))),
    "rows bce": of_rows(lambda x: ops.binary_cross_entropy_with_logits(x, ops.ones_like(x), ops.ones((8,)), ops.ones((8,)))),
    "rows gelu": of_rows(lambda x: ops.gelu(x)),
    "rows einsum": of_rows(lambda x: ops.einsum("ij,kj->ik", x, x)),
    "rows matmul": of_rows(lambda x: mint.matmul(x, x.T)),
    "rows pad": of_rows(lambda x: ops.pad(x, (1, 2))),
    "rows diag": of_rows(lambda x: ops.diag(x[:, 0])),
    "rows meshgrid": of_rows(lambda x: ops.meshgrid(x[:, 0], x[:, 1])[0]),
    "rows tensordot": of_rows(lambda x: ops.tensor_dot(x, x, axes=((0,), (0,)))),
    "rows outer": of_rows(lambda x: ops.outer(x[:, 0], x[:, 1])),
    "rows std": of_rows(lambda x: x.std(0)),
    "rows argmax": of_rows(lambda x: ops.argmax(x, 1)),
    "rows unbind": of_rows(lambda x: sum(ops.unbind(x, 1))),
    "rows one hot": of_rows(lambda x: ops.one_hot(ops.argmax(x, 1), 8)),
    "rows assigned": of_rows(lambda x: _assigned(x)),
    "rows repeat": of_rows(lambda x: x.repeat(2, 0)),
    "sequences attention": of_sequences(attention),
    "sequences padded": of_sequences(pad_to),
    "sequences rotated": of_sequences(rotate),
    "sequences sinusoids": of_sequences(sinusoids),
    "sequences gru": of_sequences(lambda x: gru(x)[0]),
    "sequences rnn": of_sequences(lambda x: rnn(x)[0]),
    "sequences encoder": of_sequences(lambda x: encoder(x)),
    "sequences last": of_sequences(lambda x: x[:, -1]),
    "sequences steps": of_sequences(lambda x: x[:, ::2].sum(1)),
    "sequences merged": of_sequences(lambda x: x.reshape(x.shape[0] * x.shape[1], x.shape[2])),
    "sequences conv": of_sequences(lambda x: ops.conv1d(x.swapaxes(1, 2), ops.ones((4, 8, 3)))),
    "sequences bmm": of_sequences(lambda x: ops.bmm(x, x.swapaxes(1, 2))),
    "images conv": of_images(lambda x: conv(x)),
    "images pool": of_images(lambda x: pool(x)),
    "images norm": of_images(lambda x: batch_norm(x)),
    "images global pool": of_images(lambda x: x.mean((2, 3))),
    "images interpolate": of_images(lambda x: ops.interpolate(x, size=(x.shape[2] * 2, x.shape[3] * 2), mode="nearest")),
    "images flatten": of_images(lambda x: x.reshape(x.shape[0], x.shape[1], -1).sum(-1)),
    "images crop": of_images(lambda x: x[:, :, 1:-1, 1:-1]),
    "images adaptive": of_images(lambda x: ops.adaptive_avg_pool2d(x, (2, 2))),
    "batches conv": of_batches(lambda x: conv(x)),
    "batches head": of_batches(lambda x: x.reshape(x.shape[0], -1).sum(1)),
    "batches softmax": of_batches(lambda x: ops.softmax(x.view(x.shape[0], 4, -1), -1)),
    "tokens embedding": of_tokens(lambda ids: embedding(ids)),
    "tokens positions": of_tokens(positions),
    "tokens mask": of_tokens(lambda ids: ops.arange(ids.shape[1]) < ids.shape[1] // 2),
}


def _assigned(x):
    y = x * 1
    y[: y.shape[0] // 2] = 0.0
    return y


def same(a, b):
    if isinstance(a, Tensor):
        return (
            isinstance(b, Tensor)
            and (a.shape, a.dtype) == (b.shape, b.dtype)
            and a.asnumpy().tobytes() == b.asnumpy().tobytes()
        )
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


@pytest.mark.parametrize("name", CASES)
def test_stays(name):
    calls, function = CASES[name]
    jitted = ms.jit(function)
    for number, arguments in enumerate(calls):
        if number == FREE:
            hits = jitted.hits
        assert same(jitted(*arguments), function(*arguments)), number
    explained = jitted.explain()
    assert jitted.hits - hits == CALLS - FREE, explained["misses"] or explained["breaks"]
    assert len(explained["entries"]) <= 4, explained["misses"]
    assert explained["calls"]["in_python"] == 0


class Schedule:
    def __init__(self):
        self.rate, self.steps, self.on = 0.1, 3, True
        self.table = {"decay": 0.5}


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_numbers_from_outside_are_inputs_from_the_first_call_on(mode):
    plain, jitted = Schedule(), Schedule()

    def step(s):
        return lambda x: x * s.rate + s.table["decay"] * s.steps if s.on else x.reshape(s.steps, -1)

    function = ms.jit(step(jitted), capture_mode=mode, dynamic=1)
    for i in range(8):
        for s in (plain, jitted):
            s.rate, s.steps, s.table["decay"] = 0.1 * i, i, 1.0 - i
        assert same(function(X), step(plain)(X))
    assert function.hits == 7
    assert len(function.explain()["entries"]) == 1
    plain.on, plain.steps = jitted.on, jitted.steps = False, 8
    assert same(function(X), step(plain)(X))


@pytest.mark.parametrize("text", ["a // b", "a % b", "divmod(a, b)", "a / b", "math.fmod(a, b)", "1 // b", "divmod(7, b)"])
def test_a_division_by_zero_says_what_python_says(text):
    function = eval(f"lambda x, a, b: (x * 2, {text})")
    jitted = ms.jit(function)
    for a, b in [(7, 2), (7.5, 2.0), (7, 0), (7.5, 0.0), (-7, 3), (7, 0.0), (True, 0), (3, 2)]:
        found = []
        for each in (function, jitted):
            try:
                found.append(each(X, a, b)[1])
            except ArithmeticError as error:
                found.append((type(error), str(error)))
            except ValueError as error:
                found.append(str(error))
        assert found[0] == found[1], (a, b)


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.pos, self.scale, self.calls = 0, 1.0, 0

    def construct(self, x):
        self.calls += 1
        return x + self.pos


WITHIN = {
    "an item": lambda cells: lambda x: x * cells[0].pos,
    "an item called": lambda cells: lambda x: cells[0](x) * cells[0].calls,
    "all of them": lambda cells: lambda x: sum([c.pos * c.scale for c in cells], x),
    "all called": lambda cells: lambda x: sum([c(x) for c in cells], x),
    "a slice": lambda cells: lambda x: x * cells[0:1][0].pos,
    "by name": lambda cells: lambda x: sum([c.pos for name, c in cells.cells_and_names() if name], x),
}


@pytest.mark.parametrize("kind", [nn.CellList, nn.SequentialCell])
@pytest.mark.parametrize("name", WITHIN)
def test_cells_within_cells_are_read_in_each_call(name, kind):
    cells = [kind([Counting(), Counting()]) for _ in range(2)]
    plain, jitted = WITHIN[name](cells[0]), ms.jit(WITHIN[name](cells[1]))
    for i in range(12):
        for of in cells:
            of[0].pos, of[1].pos, of[1].scale = i, 2 * i, 0.5 * i
        assert same(jitted(X), plain(X)), i
        assert [c.calls for c in cells[0]] == [c.calls for c in cells[1]]
    assert jitted.hits >= 8, jitted.explain()["misses"]
