"""Functions that take every canonical instruction: pytest, which rewrites the `assert` of tests, leaves these alone."""


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return error[0] is ValueError


class Point:
    __match_args__ = ("a",)

    def __init__(self, a, b):
        self.a, self.b = a, b


def names_and_items(x, n=2, *rest, key=3, **others):
    global TEMPORARY
    TEMPORARY = 2
    del TEMPORARY
    point = Point(1, 2)
    point.c = point.a + point.b
    del point.c
    items = {"a": 1, "b": [1, 2, 3]}
    items["c"] = items["b"][1:]
    items["d"] = items["b"][0:3:2]
    del items["a"]
    gone = 1
    del gone
    cell = n

    def inner():
        nonlocal cell
        cell = cell + 1
        return cell

    def drops():
        nonlocal cell
        del cell

    first, *middle, last = [1, 2, 3, 4]
    one, two = middle
    cell = inner() + first + last + one + two
    result = x * cell
    drops()
    return result


def operators_and_text(x, n=3):
    y = -x + +n - ~n
    y += n
    flags = (n is None, n is not None, n in (1, 2), n not in (1, 2), n < 4, not n)
    text = f"{n!r:>{4}} {n}" + "%s" % n  # noqa: UP031
    chained = 1 < n < 5
    return y * len(text) + sum(flags) + (n or 7) * (n and 2) + chained


def containers(x, n=2):
    squares = [i * i for i in range(n)]
    unique = {i % 2 for i in range(n)}
    table = {i: i for i in range(n)}
    listed = [*squares, *unique]
    merged = {**table, "a": 1}
    sets = {*unique, 1}
    tuples = (*squares, n)
    constant = {"a": n, "b": n}
    made = {n: 1}
    return x * (len(listed) + len(merged) + len(sets) + len(tuples) + len(constant) + len(made) + len({1, n}))


def takes(*args, base=1, **kwargs):
    return sum(args) + base + sum(kwargs.values())


class Named(Point):
    def __init__(self, n):
        super().__init__(n, 2)


def calls(x, n=2):
    args, kwargs = (1, 2), {"c": 3}
    n += sum(call() for call in [lambda: i for i in range(n)]) + Named(n).a
    return x * takes(*args, base=n, **kwargs, **{"d": 4}) + takes(1, n, base=2) + takes(*args)


def raises(x, n=2):
    seen = []
    try:
        try:
            raise ValueError("a") from KeyError("b")
        except KeyError:
            seen.append(1)
        finally:
            seen.append(2)
    except (ValueError, TypeError) as error:
        seen.append(len(error.args))
    try:
        try:
            assert n == 3
        except AssertionError:
            raise
    except AssertionError:
        seen.append(3)
    with Manager() as manager, Manager():
        seen.append(manager is None)
        raise ValueError
    with Manager():
        pass
    return x * len(seen)


def generates(n):
    got = yield n
    yield got
    yield from range(n)


def loops(x, n=3):
    total = 0
    for value in generates(n):
        total += value or 0
        if total > 100:
            break
    while n > 0:
        n -= 1
        if n == 1:
            continue
    other = None
    while other is None:
        other = 1
    return x * total


def matches(x, n=3):
    found = 0
    for subject in ({"a": 1, "b": 2}, [1, 2, 3], Point(1, 2), Point(3, 4), 5, None):
        match subject:
            case {"a": value, **rest}:
                found += value + len(rest)
            case [first, *others]:
                found += first + len(others)
            case Point(1, b=2):
                found += 10
            case Point():
                found += 100
            case None:
                found += 1000
            case int(value):
                found += value
    return x * found


def imports(x):
    import math
    from os import path

    return x * math.pi + len(path.sep)


def defines_a_class(x):
    class Local:
        value = 2

    return x * Local.value
