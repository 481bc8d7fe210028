from views_helpers import add, after, clamp, copy, fill, flat, fresh, inserted, mask, mul, plus, square, sub, transposed


def program(a, b):
    v0 = plus(a, b)
    v1 = v0[::2]
    if v0.sum() > 89:
        clamp(v0, 5)
        if v1.sum() > -16:
            copy(a, 2.0)
        add(a, 0)
    copy(v0, 3)
    v8 = v1[-1:]
    return [v8, b, v0]


calls = [
    ("c = square(1, 1)", "c, fresh(c)"),
    ("c = square(1, 1)", "c, fresh(c)"),
    ("c = square(-3, 2)", "c, fresh(c)"),
    ("c = square(3, 1)", "transposed(c), fresh(c)"),
]
