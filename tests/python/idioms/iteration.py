"""Loops, comprehensions, generators, itertools, unpacking."""

import itertools
import math

from idiom import Row, floats, ints, jit

from emberjit import Tensor, ops

A, B, C = floats(2, 4), floats(3, 4), floats(2, 6)
weights = [0.5, 0.25, 0.125]
named = {"a": 1.0, "b": 2.0}
seen: list[int] = []


@jit
def rows_by_range(x):
    total = 0
    for i in range(x.shape[0]):
        total = total + x[i] * i
    return total


@jit
def rows_by_iteration(x):
    return sum(row.sum() * (i + 1) for i, row in enumerate(x))


@jit
def list_comprehension(x):
    return ops.stack([x[:, i] * w for i, w in enumerate(weights)])


@jit
def comprehension_with_condition(x):
    return [x * i for i in range(6) if i % 2 if i != 3]


@jit
def nested_comprehension(x):
    return ops.stack([ops.stack([x[i, j] * (i + j) for j in range(2)]) for i in range(2)])


@jit
def dict_comprehension(x):
    return {f"{name}_{i}": x * value for i, (name, value) in enumerate(named.items())}


@jit
def set_comprehension(x):
    return x * len({i % 3 for i in range(x.shape[1])})


@jit
def generator_expression(x):
    return sum(x * w for w in weights) + max(w for w in weights)


def halvings(x, times):
    for _ in range(times):
        x = x * 0.5
        yield x


def flattened(items):
    for item in items:
        if isinstance(item, list | tuple):
            yield from flattened(item)
        else:
            yield item


def running():
    total = 0.0
    while True:
        value = yield total
        if value is None:
            return
        total = total + value


@jit
def generator_function(x):
    return list(halvings(x, 3))


@jit
def generator_left_early(x):
    for y in halvings(x, 10):
        seen.append(1)
        if len(seen) % 2 == 0:
            return y
    return x


@jit
def yield_from(x):
    return sum(flattened([x, [x + 1, (x + 2,)], 3]))


@jit
def generator_sent_to(x):
    totals = running()
    next(totals)
    totals.send(x)
    return totals.send(x * 2)


@jit
def next_with_default(x):
    first = next((w for w in weights if w < 0.3), 1.0)
    missing = next(iter(()), 2.0)
    return x * first + missing


@jit
def zipped(x):
    return [a * b for a, b in zip((x, x + 1, x + 2), weights, strict=True)]


@jit
def zip_that_is_uneven(x, rates):
    return [a * b for a, b in zip((x, x + 1), rates, strict=True)]


@jit
def reversed_and_enumerated(x):
    for i, w in reversed(list(enumerate(weights, start=1))):
        x = x * i + w
    return x


@jit
def sorted_by_key(x):
    order = sorted(named, key=lambda name: -named[name])
    pairs = sorted(zip(weights, "cab"), key=lambda pair: pair[1])
    return x * named[order[0]] + pairs[0][0]


@jit
def min_max_any_all(x):
    assert all(w > 0 for w in weights) and not any(w > 1 for w in weights)
    return x * max(weights, default=1.0) + min(named, key=named.get).count("a")


@jit
def itertools_product(x):
    return sum(x[i, j] * (i + j) for i, j in itertools.product(range(2), repeat=2))


@jit
def itertools_chain(x):
    parts = itertools.chain([x], (x * i for i in range(2)), itertools.repeat(x, 2))
    return ops.cat(list(parts))


@jit
def itertools_pairs(x):
    pairs = itertools.pairwise(range(x.shape[1]))
    triples = itertools.combinations([1, 2, 3], 2)
    return sum(x[:, i] * x[:, j] for i, j in pairs) + sum(a * b for a, b in triples)


@jit
def itertools_accumulated(x):
    return [x * w for w in itertools.accumulate(weights)] + [x * i for i in itertools.islice(itertools.count(2), 2)]


@jit
def itertools_grouped(x):
    groups = {k: len(list(g)) for k, g in itertools.groupby("aabbb")}
    return x * groups["a"] + groups["b"]


@jit
def map_and_filter(x):
    kept = list(filter(lambda w: w < 0.5, weights))
    return list(map(lambda w: x * w, kept)), list(map(ops.add, (x, x), (x, 1)))


@jit
def star_unpacking(x):
    first, *middle, last = [x * i for i in range(4)]
    (a, b), c = (first, last), middle
    return a + b, [*c, *(x,)], {**named, "x": x}


@jit
def swapped(x):
    a, b = x, x + 1
    for _ in range(3):
        a, b = b, a + b
    return a


@jit
def walrus(x):
    if (n := x.shape[1]) > 3 and (half := n // 2):
        return x[:, :half] * n
    return x


@jit
def while_on_a_number(x):
    n = 16
    while n > 1:
        x, n = x * 0.5, n // 2
    return x


@jit
def while_on_a_tensor(x):
    while x.abs().sum() > 1:
        x = x * 0.5
    return x


@jit
def while_with_count(x):
    steps = 0
    while x.max() < 10 and steps < 20:
        x = x * 2 + 1
        steps += 1
    return x, steps


@jit
def while_true_with_break(x):
    while True:
        x = x * 2
        if x.abs().max() > 8:
            break
    return x


@jit
def for_else(x, wanted):
    for i, w in enumerate(weights):
        if w == wanted:
            x = x * i
            break
    else:
        return -x
    return x


@jit
def continue_in_a_loop(x):
    total = x * 0
    for i in range(5):
        if i % 2:
            continue
        total += x * i
    return total


@jit
def tensor_decides_in_a_loop(x):
    total = x[0] * 0
    for i in range(x.shape[0]):
        if x[i].sum() > 0:
            total = total + x[i]
        else:
            total = total - x[i] * 2
            x = x + 1
    return total


@jit
def slices(x):
    return x[::2, 1:-1], x[..., -1:], x[None, :, ::1], x[:, [0, 2]], weights[-2:], (1, 2, 3)[::-1]


@jit
def slice_object(x):
    part = slice(1, None, 2)
    return x[:, part] * len(range(10)[part])


@jit
def windows(x, size=2):
    return ops.stack([x[:, i : i + size] for i in range(x.shape[1] - size + 1)])


@jit
def chunks(x, size=2):
    return [chunk.sum(1) for chunk in (x[:, i : i + size] for i in range(0, x.shape[1], size))]


@jit
def dict_iteration(x):
    for name in named:
        x = x * named[name]
    for value in named.values():
        x = x + value
    return x


@jit
def chained_comparison(x, n):
    return x * 2 if 0 <= n < 10 else x if n != -1 else -x


@jit
def iterator_by_hand(x):
    it = iter(weights)
    total = x * next(it)
    for w in it:
        total = total + w
    return total


@jit
def greedy_tokens(logits):
    tokens = []
    for _ in range(3):
        token = logits.argmax(-1)
        tokens.append(token)
        logits = ops.roll(logits, 1, 1)
    return ops.stack(tokens)


@jit
def power_by_squaring(x, n):
    result = ops.ones_like(x)
    while n:
        if n & 1:
            result = result * x
        x, n = x * x, n >> 1
    return result


@jit
def sizes_of_parts(x, sizes):
    assert sum(sizes) == x.shape[1], f"{sizes} for {x.shape}"
    ends = list(itertools.accumulate(sizes))
    return [x[:, end - size : end] for size, end in zip(sizes, ends)]


@jit
def geometric_rates(x):
    return sum(x * math.pow(0.5, i) for i in range(3))


@jit
def orders_of_columns(x):
    try:
        orders = list(itertools.permutations(range(3), x.shape[0]))
    except TypeError as error:
        return x, str(error)
    return x * len(orders), orders


ROWS = [
    Row("permutations in a try", orders_of_columns, [(A,), (B,), (A,)], graphs=2),
    Row("range of a size", rows_by_range, [(A,), (C,), (B,), (A,)], graphs=2),
    Row("rows of a Tensor", rows_by_iteration, [(A,), (C,), (B,), (A,)], graphs=2),
    Row("list comprehension", list_comprehension, [(A,), (B,), lambda: weights.append(0.0625), (A,), (A,)], graphs=2),
    Row("comprehension with conditions", comprehension_with_condition, [(A,), (B,), (A,)]),
    Row("nested comprehension", nested_comprehension, [(A,), (B,), (A,)]),
    Row("dict comprehension", dict_comprehension, [(A,), (B,), lambda: named.update(c=3.0), (A,), (A,)], graphs=2),
    Row("set comprehension", set_comprehension, [(A,), (B,), (C,)], graphs=2),
    Row(
        "generator expression",
        generator_expression,
        [(A,), (B,), lambda: weights.reverse(), (A,), (A,)],
        graphs=2,
        wanted=(1, 0),
    ),
    Row("generator function", generator_function, [(A,), (B,), (A,)]),
    Row("generator left early", generator_left_early, [(A,), (A,), (A,)], graphs=3, wanted=(1, 0), one_thread=True),
    Row("yield from", yield_from, [(A,), (B,), (A,)]),
    Row("generator that is sent to", generator_sent_to, [(A,), (B,), (A,)]),
    Row("next with default", next_with_default, [(A,), (B,), (A,)]),
    Row("zip", zipped, [(A,), (B,), (A,)]),
    Row("zip that is uneven", zip_that_is_uneven, [(A, [1, 2]), (B, [1, 3]), (A, [1]), (A, [1, 2, 3])]),
    Row("reversed enumerate", reversed_and_enumerated, [(A,), (B,), (A,)]),
    Row("sorted with key", sorted_by_key, [(A,), (B,), lambda: named.update(a=3.0), (A,), (A,)], captured=2),
    Row("min, max, any, all", min_max_any_all, [(A,), (B,), lambda: weights.append(2.0), (A,), (A,)], graphs=2, captured=1),
    Row("product", itertools_product, [(A,), (B,), (A,)]),
    Row("chain and repeat", itertools_chain, [(A,), (B,), (A,)]),
    Row("pairwise and combinations", itertools_pairs, [(A,), (B,), (C,)], graphs=2),
    Row("accumulate, islice, count", itertools_accumulated, [(A,), (B,), (A,)]),
    Row("groupby", itertools_grouped, [(A,), (B,), (A,)]),
    Row("map and filter", map_and_filter, [(A,), (B,), (A,)]),
    Row("star unpacking", star_unpacking, [(A,), (B,), (A,)]),
    Row("swap by tuple", swapped, [(A,), (B,), (A,)]),
    Row("walrus", walrus, [(A,), (B,), (C,), (floats(2, 3),)], graphs=2),
    Row("while on a number", while_on_a_number, [(A,), (B,), (A,)]),
    Row("while on a Tensor", while_on_a_tensor, [(A,), (B * 9,), (A * 0,)]),
    Row("while with a count", while_with_count, [(A,), (B * 0,), (A + 9,)]),
    Row("while True with break", while_true_with_break, [(A,), (B * 9,), (A * 100,)]),
    Row("for with else", for_else, [(A, 0.25), (B, 0.25), (A, 0.125), (A, 3.0)], graphs=3),
    Row("continue", continue_in_a_loop, [(A,), (B,), (A,)]),
    Row("condition on a Tensor in a loop", tensor_decides_in_a_loop, [(A,), (-A,), (C,), (B,)], graphs=2),
    Row("slices", slices, [(A,), (B,), (C,)]),
    Row("slice object", slice_object, [(A,), (B,), (C,)]),
    Row("windows", windows, [(A,), (B,), (C,)], graphs=2),
    Row("chunks", chunks, [(A,), (B,), (C,)], graphs=2),
    Row("loops over a dict", dict_iteration, [(A,), (B,), lambda: named.update(a=3.0), (A,), (A,)], captured=2),
    Row("chained comparison", chained_comparison, [(A, 1), (B, 5), (A, 10), (A, -1)], graphs=3),
    Row("iterator by hand", iterator_by_hand, [(A,), (B,), (A,)]),
    Row("greedy tokens", greedy_tokens, [(A,), (B,), (C,)]),
    Row("power by squaring", power_by_squaring, [(A, 3), (B, 3), (A, 4)], graphs=2),
    Row("sizes of parts", sizes_of_parts, [(A, (1, 3)), (B, (1, 3)), (A, (2, 2)), (A, (2, 3))], graphs=2, captured=1),
    Row("powers of a rate", geometric_rates, [(A,), (B,), (Tensor(1.0),), (ints(2, 2),)], graphs=3),
]
