from views_helpers import add, after, clamp, copy, fill, flat, fresh, inserted, mask, mul, plus, square, sub, transposed


def program(a, b):
    copy(b, a)
    mul(a, -1)
    v2 = b[...]
    v3 = plus(v2, v2)
    return [a, b]


calls = [
    ("c = square(1, 1)", "c, transposed(c)"),
    ("c = square(1, 1)", "c, transposed(c)"),
    ("c = square(-3, 2)", "c, transposed(c)"),
    ("c = square(3, 1)", "transposed(c), fresh(c)"),
]
