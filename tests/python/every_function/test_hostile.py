"""Arguments that do not belong there: the calls that are kept, methods of what is no Tensor, sizes beyond all memory, and
the values where a bound, a limit or another formula came in."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import hostile_calls
import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops
from emberjit import numpy as mnp
from emberjit.common.initializer import TruncatedNormal, initializer

WRONG = """5; -1; 2**70; 1.5; np.inf; 'a'; b'x'; (); (1, 2); [1, [2]]; {}; {'a': 1}; object(); None; True; int; ms.float32;
(lambda *a: a); np.ones((2, 3)); nn.ReLU()"""


@pytest.mark.parametrize("where", ["before", "after"])
def test_kept_calls(where: str) -> None:
    assert hostile_calls.replay(str(Path(__file__).with_name("hostile_calls.txt")), where) == []


def test_unbound_methods_of_wrong_objects(tmp_path: Path) -> None:
    names = hostile_calls.namespace()
    methods = [name for path in hostile_calls.CLASSES for name in hostile_calls.of_class(path, eval(path, names))]
    file, rest = tmp_path / "calls.txt", ("", "(), f32(1), f32(1)")
    wrong = [" ".join(one.split()) for one in WRONG.split(";")]
    file.write_text(
        "\n".join(
            f"{name}({', '.join(filter(None, given))})" for name in methods for given in itertools.product(wrong, rest)
        )
    )
    assert len(methods) > 700 and len(wrong) == 20
    assert hostile_calls.replay(str(file), "after") == []


@pytest.mark.parametrize("draw", [lambda a: ops.random_gamma((3,), a), lambda a: ops.random_poisson((3,), a)])
def test_rejection_has_a_limit(draw) -> None:
    for dtype in (np.float16, np.float32, np.float64):
        largest, least = np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal
        assert np.isposinf(draw(Tensor(np.array(np.inf, dtype))).asnumpy()).all()
        assert np.isnan(draw(Tensor(np.array([np.nan, -np.inf, -1], dtype))).asnumpy()).all()
        assert (draw(Tensor(np.array(0, dtype))).asnumpy() == 0).all()
        assert (draw(Tensor(np.array(least))).asnumpy() <= 1).all()
        assert (draw(Tensor(np.array(largest))).asnumpy() > largest / 2).all()


def above(x: float) -> float:
    return math.erfc(x / math.sqrt(2)) / 2


@pytest.mark.parametrize(
    "low, high",
    [
        (5, 6),
        (-6, -5),
        (1.5, 2),
        (0.5, 9),
        (-2, 2),
        (-1, 30),
        (7, math.inf),
        (20, 37),
        (30, 36),
        (-math.inf, -8),
        (1, 1.001),
    ],
)
def test_truncated_normal_numbers_follow_the_distribution(low: float, high: float) -> None:
    np.random.seed(3)
    drawn = initializer(TruncatedNormal(1, 0, low, high), (4000,), ms.float64).init_data().asnumpy()
    assert low <= drawn.min() and drawn.max() <= high
    if low + high < 0:
        low, high, drawn = -high, -low, -drawn
    shares = np.sort([(above(low) - above(x)) / (above(low) - above(high)) for x in drawn])
    assert np.abs(shares - (np.arange(4000) + 0.5) / 4000).max() < 1.63 / math.sqrt(4000)  # Kolmogorov and Smirnov, 1 %


def test_parameterized_truncated_normal_numbers_far_out() -> None:
    bounds = [Tensor(np.array(v, np.float64)) for v in ([0, 0, 1], [1, 1, 2], [9, -41, 4], [9.5, -40, 100])]
    drawn = ops.ParameterizedTruncatedNormal(seed=3)((3, 1000), *bounds).asnumpy()
    shares = [(above(low) - above(x)) / (above(low) - above(high)) for low, high, x in ((9, 9.5, drawn[0].mean()),)]
    assert ((drawn[0] > 9) & (drawn[0] < 9.5)).all() and 0.55 < shares[0] < 0.75
    assert ((drawn[1] > -41) & (drawn[1] < -40)).all() and abs(drawn[1].mean() + 40 + 1 / 40) < 3e-3
    assert ((drawn[2] > 4) & (drawn[2] < 20)).all()


def test_truncated_normal_refuses_no_range() -> None:
    for wrong in (TruncatedNormal(1, 0, 6, 5), TruncatedNormal(-1, 0, 5, 6), TruncatedNormal(1, math.nan, 5, 6)):
        with pytest.raises(ValueError, match="TruncatedNormal"):
            initializer(wrong, (2,)).init_data()
    assert initializer(TruncatedNormal(0, 0.5, -1, 1), (2,)).init_data().asnumpy().tolist() == [0.5, 0.5]


HUGE = 1 << 40
TOO_LARGE = {
    "adaptive_max_pool1d": lambda x: ops.adaptive_max_pool1d(x, HUGE),
    "adaptive_max_pool2d": lambda x: ops.adaptive_max_pool2d(x.reshape((1, 1, 2, 3)), HUGE),
    "combinations": lambda x: ops.combinations(ops.ones(40), 20),
    "triu_indices": lambda x: ops.triu_indices(HUGE, HUGE),
    "tril_indices": lambda x: ops.tril_indices(HUGE, 3),
    "mvlgamma": lambda x: ops.mvlgamma(x, HUGE),
    "vander": lambda x: ops.vander(x[0], HUGE),
    "tensor_split": lambda x: ops.tensor_split(x, HUGE),
    "reflect": lambda x: mnp.pad(x, ((0, HUGE), (0, 0)), "reflect"),
    "linear_ramp": lambda x: mnp.pad(x, ((0, HUGE), (0, 0)), "linear_ramp"),
    "pad": lambda x: ops.pad(x, (0, 0, 2**62, -5)),
    "polyint": lambda x: mnp.polyint(x[0], HUGE),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_sizes_beyond_memory_are_refused_before_work(name: str) -> None:
    with pytest.raises((MemoryError, ValueError)):
        TOO_LARGE[name](Tensor(np.ones((2, 3), np.float32)))


def test_many_differences_end() -> None:
    x = Tensor(np.ones((2, 3), np.float32))
    assert ops.diff(x, HUGE).shape == (2, 0) and mnp.polyder(x[0], HUGE).shape == (0,)


def test_windows_and_positions_by_formula() -> None:
    rng = np.random.default_rng(0)
    for size, count in itertools.product((1, 2, 3, 7, 8, 12), (1, 2, 3, 5, 6, 8, 13)):
        x = rng.standard_normal((2, size)).astype(np.float32)
        ends = [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
        values, places = mint.nn.functional.adaptive_max_pool1d(Tensor(x), count, True)
        np.testing.assert_array_equal(values.asnumpy(), np.stack([x[:, a:b].max(1) for a, b in ends], 1))
        np.testing.assert_array_equal(places.asnumpy(), np.stack([a + x[:, a:b].argmax(1) for a, b in ends], 1))
    for rows, columns, k in itertools.product((0, 1, 4), (0, 1, 3, 6), (-5, -1, 0, 2, 7)):
        np.testing.assert_array_equal(
            ops.triu_indices(rows, columns, k).asnumpy(), np.array(np.triu_indices(rows, k, columns))
        )
        np.testing.assert_array_equal(
            ops.tril_indices(rows, columns, k).asnumpy(), np.array(np.tril_indices(rows, k, columns))
        )
    for mode, size, widths in itertools.product(
        ("reflect", "symmetric", "wrap", "edge"), (1, 2, 5), ((0, 9), (11, 1), (7, 8))
    ):
        x = np.arange(size)
        np.testing.assert_array_equal(mnp.pad(Tensor(x), widths, mode).asnumpy(), np.pad(x, widths, mode))


def test_roll_by_no_axes() -> None:
    x = Tensor(np.arange(6).reshape(2, 3))
    np.testing.assert_array_equal(ops.roll(x, (), ()).asnumpy(), x.asnumpy())
    for shifts, dims in ((1, ()), ((), 1), ((1, 2), ())):
        with pytest.raises(ValueError, match="as many 'shifts' as 'dims'"):
            ops.roll(x, shifts, dims)


def test_wrong_calls_list_the_valid_ones() -> None:
    x = Tensor(np.ones((2, 3), np.float32))
    with pytest.raises(TypeError) as error:
        mint.max(x, "a")
    lines = str(error.value).splitlines()
    assert lines[:2] == ['Failed calling max with "max(Tensor, string)".', "The valid calling should be:"]
    assert '"max(input=<Tensor>, dim=<int>, keepdim=<bool>)"' in lines
    with pytest.raises(TypeError, match=r'Failed calling sum with "sum\(string, List<int, None>, keepdim=float\)"'):
        x.sum("a", [1, None], keepdim=1.5)
    with pytest.raises(TypeError, match=r'"Tensor.sum\(axis=<None, int, tuple of int, list of int>, '):
        x.sum("a")
    with pytest.raises(TypeError, match="For 'hooks', a method of Tensor, the object must be a Tensor, but got 100"):
        Tensor.hooks(100)


def test_arguments_that_change_as_they_are_named() -> None:
    class Shrinking(type):
        def __repr__(cls) -> str:
            items.clear()
            return "Shrinking"

    class Item(metaclass=Shrinking):
        pass

    for _ in range(20):
        items = [Item() for _ in range(8)]
        with pytest.raises(TypeError, match=r'Failed calling max with "max\(List<Shrinking>, int\)"'):
            Tensor([1.0]).max(items, 5)


def test_an_empty_axis_has_no_range() -> None:
    with pytest.raises(IndexError, match=r"index 0 .* shape \(0,\), which has no elements"):
        ops.gather(Tensor(np.ones(0, np.float32)), Tensor([0]), 0)


@pytest.mark.parametrize("word", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("jit", [False, True])
def test_ids_beyond_the_segments_are_named_as_given(word: str, jit: bool) -> None:
    reduce = getattr(ops, f"unsorted_segment_{word}")
    for x in (Tensor(np.ones(3, np.float32)), Tensor(np.ones((3, 2), np.float32))):
        f = ms.jit(lambda x, ids: reduce(x, ids, 2)) if jit else lambda x, ids: reduce(x, ids, 2)
        with pytest.raises(
            IndexError, match=rf"'unsorted_segment_{word}', index 5 is out of range for axis 0 of shape \(2,\)"
        ):
            f(x, Tensor([0, 5, 1]))
        assert f(x, Tensor([0, -5, 1])).shape[0] == 2
