from views_helpers import add, after, clamp, copy, fill, flat, fresh, inserted, mask, mul, plus, square, sub, transposed


def program(a, b):
    v0 = fresh(b)
    v1 = v0[:, 1:]
    mask(a, -2)
    n3 = a.sum() * 0
    while n3 < 2:
        clamp(a, 4)
        v6 = v0[::-1]
        n3 = n3 + 1
    n8 = a.sum() * 0
    while n8 < 2:
        v0[0] += 1
        v11 = a[1]
        v12 = fresh(v0)
        n8 = n8 + 1
    return [v0, a, v1, b]


calls = [
    ("c = square(1, 1)", "c, square(2, 3)"),
    ("c = square(1, 1)", "c, square(2, 3)"),
    ("c = square(-3, 2)", "c, square(2, 3)"),
    ("c = square(3, 1)", "transposed(c), fresh(c)"),
]
