from views_helpers import add, after, clamp, copy, fill, flat, fresh, inserted, mask, mul, plus, square, sub, transposed


def program(a, b):
    v0 = plus(a, b)
    n1 = b.sum() * 0
    while n1 < 2:
        fill(a, 1)
        v0[0] = 0
        if a.sum() > 74:
            v6 = fresh(b)
        n1 = n1 + 1
    if v0.sum() > 87:
        v9 = flat(v0)
    v10 = a[::-1]
    copy(v0, 1)
    v12 = v0[:, 1:]
    v13 = plus(v12, 2.0)
    return [v12, v0, v13, b]


calls = [
    ("c = square(1, 1)", "c, square(2, 3)"),
    ("c = square(1, 1)", "c, square(2, 3)"),
    ("c = square(-3, 2)", "c, square(2, 3)"),
    ("c = square(3, 1)", "transposed(c), fresh(c)"),
]
