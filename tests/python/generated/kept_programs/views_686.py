from views_helpers import add, after, clamp, copy, fill, flat, fresh, inserted, mask, mul, plus, square, sub, transposed


def program(a, b):
    sub(b, 2.0)
    v1 = a[...]
    v1[0] += -1
    v3 = b[...]
    v4 = plus(v1, v1)
    v5 = flat(v1)
    clamp(b, 5)
    return [a, v5]


calls = [
    ("c = square(1, 1)", "c, square(2, 3)"),
    ("c = square(1, 1)", "c, square(2, 3)"),
    ("c = square(-3, 2)", "c, square(2, 3)"),
    ("c = square(3, 1)", "transposed(c), fresh(c)"),
]
