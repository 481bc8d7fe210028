"""Containers: lists, dicts, sets, deques, Counters, defaultdicts and their kin, read and changed."""

import bisect
import collections
import heapq

from idiom import Row, floats, jit

from emberjit import ops

A, B = floats(2, 4), floats(3, 4)
recent: collections.deque = collections.deque(maxlen=3)
shapes: collections.Counter = collections.Counter()
groups: collections.defaultdict = collections.defaultdict(list)
ordered = collections.OrderedDict(a=1.0, b=2.0)
chain = collections.ChainMap({"scale": 3.0}, {"scale": 1.0, "shift": 0.5})
history: list = []
cache: dict = {}
tags = {"relu", "scale"}
frozen = frozenset({1, 2})
scales = [1.0, 2.0, 3.0]
table = {"total": 0, "last": None}
matrix = [[1.0, 2.0], [3.0, 4.0]]
queue = [5, 1, 4]
user: collections.UserDict = collections.UserDict(scale=2.0)


@jit
def deque_of_shapes(x):
    recent.append(x.shape[0])
    return x * len(recent)


@jit
def deque_of_tensors(x):
    window = collections.deque([x, x + 1], maxlen=2)
    window.append(x + 2)
    window.rotate(1)
    return sum(window) + window.popleft()


@jit
def counter_of_shapes(x):
    shapes[x.shape] += 1
    return x * 2


@jit
def counter_made_inside(x):
    counts = collections.Counter("abca")
    counts.update(["a", "b"])
    return x * counts["a"] + counts.most_common(1)[0][1] + counts.total()


@jit
def defaultdict_changed(x):
    groups["sizes"].append(x.shape[0])
    return x + 1


@jit
def defaultdict_of_tensors(x):
    sums = collections.defaultdict(int)
    for i in range(4):
        sums["even" if i % 2 == 0 else "odd"] += x * i
    return dict(sums)


@jit
def ordered_dict(x):
    mine = collections.OrderedDict(ordered)
    mine.move_to_end("a")
    for value in mine.values():
        x = x * value + 1
    return x


@jit
def chain_map(x):
    return x * chain["scale"] + chain.get("shift", 0.0) + chain.new_child({"more": 1.0})["more"]


@jit
def list_appended(x):
    history.append(x.sum())
    return x * 2


@jit
def list_of_items(x):
    history.append(x.sum().item())
    return x * 2


@jit
def list_made_inside(x):
    parts = []
    for i in range(3):
        parts.append(x * i)
    parts.insert(0, x)
    parts.extend([x + 1])
    del parts[1]
    parts[-1] = parts.pop() + parts[0]
    return ops.stack(parts)


@jit
def list_item_changed(x, n):
    scales[1] = n
    return x * scales[1] + scales[0]


@jit
def list_aliased(x):
    mine = scales
    other = scales[:]
    other.append(9.0)
    return x * len(mine) + len(other)


@jit
def dict_memo(x, name):
    if name not in cache:
        cache[name] = ops.ones_like(x)
    return x + cache[name]


@jit
def dict_setdefault(x):
    cache.setdefault("calls", []).append(len(cache))
    return x * 2


@jit
def dict_counts(x):
    table["total"] += x.shape[0]
    table["last"] = "call"
    return x * 2


@jit
def dict_of_results(x):
    results = {}
    for i, name in enumerate(("first", "second")):
        results[name] = x * i
    results.update(third=x.sum())
    results.pop("first")
    return results


@jit
def dict_methods(x):
    mine = dict(zip("ab", (1.0, 2.0)))
    mine |= {"c": 3.0}
    inverse = {v: k for k, v in mine.items()}
    return x * mine.get("b") + len(inverse) + mine.pop("missing", 0.5) + ("a" in mine)


@jit
def dict_fromkeys(x):
    seen = dict.fromkeys("abab", 0)
    return x * len(seen), list(seen)


@jit
def set_tested(x):
    if "relu" in tags:
        x = ops.relu(x)
    return x * 2 if {"scale"} <= tags else x


@jit
def set_algebra(x):
    mine = {1, 2, 3} & frozen | {5}
    return x * sum(mine) + len(mine ^ {1}) + len(tags - {"relu"})


@jit
def nested_lists(x):
    return x[:, :2] * matrix[1][0] + sum(sum(row) for row in matrix)


@jit
def transposed_lists(x):
    columns = list(zip(*matrix))
    return x * columns[0][1] + len(columns)


@jit
def heap_made_inside(x):
    heap = list(queue)
    heapq.heapify(heap)
    heapq.heappush(heap, 0)
    return x * heapq.heappop(heap) + heapq.nsmallest(1, queue)[0]


@jit
def bisect_of_steps(x, step):
    return x * scales[min(bisect.bisect_right([10, 20], step), 2)]


@jit
def user_dict(x):
    return x * user["scale"]


@jit
def tuples_compared(x):
    return x * 2 if x.shape == (2, 4) else x * 3


@jit
def dict_of_tensors_given(batch):
    return {name: value * 2 for name, value in batch.items() if name != "label"}


@jit
def list_of_tensors_given(xs):
    return ops.cat(xs).sum() + len(xs)


@jit
def sorted_in_place(x):
    mine = [3.0, 1.0, 2.0]
    mine.sort(reverse=True)
    mine.reverse()
    return x * mine[0] + mine.index(2.0) + mine.count(1.0)


@jit
def deque_of_a_size(x):
    try:
        rows = collections.deque(x, maxlen=x.shape[0] - 1)
    except TypeError as error:
        return x, str(error)
    return sum(rows), len(rows)


ROWS = [
    Row("deque of a size in a try", deque_of_a_size, [(A,), (B,), (A,)], graphs=2),
    Row("deque of shapes", deque_of_shapes, [(A,), (B,), (A,), (A,), (B,), (A,)], graphs=6, wanted=(1, 0), one_thread=True),
    Row("deque of Tensors", deque_of_tensors, [(A,), (B,), (A,)]),
    Row("Counter of shapes", counter_of_shapes, [(A,), (A,), (B,), (B,)], graphs=2, captured=4),
    Row("Counter made inside", counter_made_inside, [(A,), (B,), (A,)]),
    Row("defaultdict from outside", defaultdict_changed, [(A,), (B,), (A,), (A,)], graphs=2),
    Row("defaultdict of Tensors", defaultdict_of_tensors, [(A,), (B,), (A,)]),
    Row("OrderedDict", ordered_dict, [(A,), (B,), lambda: ordered.update(c=3.0), (A,), (A,)], graphs=2),
    Row("ChainMap", chain_map, [(A,), (B,), lambda: chain.update(scale=4.0), (A,), (A,)], captured=2),
    Row("list of losses", list_appended, [(A,), (B,), (A,), (A,)]),
    Row("list of numbers", list_of_items, [(A,), (B,), (A,), (A,)]),
    Row("list made inside", list_made_inside, [(A,), (B,), (A,)]),
    Row("item of a list changed", list_item_changed, [(A, 1.0), (A, 2.0), (B, 3.0)], one_thread=True),
    Row("list with two names", list_aliased, [(A,), (B,), lambda: scales.append(4.0), (A,), (A,)], graphs=2),
    Row("memo in a dict", dict_memo, [(A, "a"), (A, "a"), (A, "b"), (A, "a"), (A, "b")], graphs=4),
    Row("setdefault", dict_setdefault, [(A,), (A,), (B,)], graphs=2, one_thread=True),
    Row("counts in a dict", dict_counts, [(A,), (B,), (A,), (A,)], captured=2),
    Row("dict of results", dict_of_results, [(A,), (B,), (A,)]),
    Row("methods of dicts", dict_methods, [(A,), (B,), (A,)]),
    Row("dict.fromkeys", dict_fromkeys, [(A,), (B,), (A,)]),
    Row("set from outside", set_tested, [(A,), (B,), lambda: tags.discard("relu"), (A,), (A,)], graphs=2),
    Row("algebra of sets", set_algebra, [(A,), (B,), lambda: tags.add("more"), (A,), (A,)], graphs=2),
    Row("nested lists", nested_lists, [(A,), (B,), lambda: matrix[1].__setitem__(0, 5.0), (A,), (A,)], captured=2),
    Row("zip of a star", transposed_lists, [(A,), (B,), (A,)]),
    Row("heap", heap_made_inside, [(A,), (B,), lambda: queue.append(0), (A,), (A,)], graphs=2),
    Row("bisect", bisect_of_steps, [(A, 1), (A, 2), (B, 12), (A, 15), (A, 30)], graphs=3),
    Row("UserDict", user_dict, [(A,), (B,), lambda: user.update(scale=3.0), (A,), (A,)], captured=2),
    Row("shape compared", tuples_compared, [(A,), (B,), (A,), (B,)], graphs=2),
    Row(
        "dict of Tensors given",
        dict_of_tensors_given,
        [({"x": A, "label": A},), ({"x": B, "label": A},), ({"x": A},)],
        graphs=2,
    ),
    Row("list of Tensors given", list_of_tensors_given, [([A, A],), ([A, B],), ([A, A, B],)], graphs=2),
    Row("sort in place", sorted_in_place, [(A,), (B,), (A,)]),
]
