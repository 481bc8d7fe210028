"""Random numbers: their distributions by Kolmogorov and Smirnov's test or by counts, streams and Generators, refusals.

Seeds are fixed, so a test gives the same result always; its level is one in a million.
"""

import math

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, mint, ops

COUNT = 20000
CRITICAL = math.sqrt(math.log(2 / 1e-6) / 2 / COUNT)  # of the largest difference of distribution functions


def of_normal(x):
    return np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x])


def of_gamma(shape):
    """The distribution function of a gamma variable with a whole number as its shape."""
    return lambda x: 1 - np.exp(-x) * sum(x**k / math.factorial(k) for k in range(shape))


def zeros(dtype=np.float32):
    return Tensor(np.zeros(COUNT, dtype))


CONTINUOUS = {
    "rand": (lambda: mint.rand(COUNT), lambda x: x),
    "rand in float64": (lambda: mint.rand(COUNT, dtype=ms.float64), lambda x: x),
    "uniform": (lambda: zeros().uniform(2.0, 6.0), lambda x: (x - 2) / 4),
    "randn": (lambda: mint.randn(COUNT), of_normal),
    "normal": (lambda: mint.normal(1.0, 2.0, (COUNT,)), lambda x: of_normal((x - 1) / 2)),
    "normal of Tensors": (lambda: mint.normal(zeros() + 1, 2.0), lambda x: of_normal((x - 1) / 2)),
    "log_normal": (lambda: zeros().log_normal(0.5, 0.25), lambda x: of_normal((np.log(x) - 0.5) / 0.25)),
    "exponential": (lambda: zeros().exponential_(2.0), lambda x: 1 - np.exp(-2 * x)),
    "laplace": (
        lambda: ops.laplace((COUNT,), 1.0, 2.0),
        lambda x: np.where(x < 1, 0.5 * np.exp((x - 1) / 2), 1 - 0.5 * np.exp(-(x - 1) / 2)),
    ),
    "cauchy": (lambda: zeros().cauchy(1.0, 2.0), lambda x: 0.5 + np.arctan((x - 1) / 2) / np.pi),
    "gamma 1": (lambda: ops.random_gamma((COUNT,), 1.0), of_gamma(1)),
    "gamma 3": (lambda: ops.random_gamma((COUNT,), Tensor(np.float64(3))), of_gamma(3)),
    "gamma of a rate": (lambda: ops.gamma((COUNT,), 2.0, 4.0), lambda x: of_gamma(2)(4 * x)),
    # A square of a normal number is twice a gamma variable of shape 1 / 2.
    "gamma 1/2": (lambda: ops.random_gamma((COUNT,), 0.5), lambda x: 2 * of_normal(np.sqrt(2 * x)) - 1),
}


@pytest.mark.parametrize("draw, distribution", CONTINUOUS.values(), ids=CONTINUOUS)
def test_distribution_functions(draw, distribution):
    ms.set_seed(11)
    drawn = np.sort(draw().asnumpy().astype(np.float64))
    steps = np.arange(COUNT + 1) / COUNT
    wanted = distribution(drawn)
    assert max(np.abs(wanted - steps[1:]).max(), np.abs(wanted - steps[:-1]).max()) < CRITICAL


def poisson(rate):
    return lambda: ops.random_poisson((COUNT,), rate), [
        math.exp(n * math.log(rate) - rate - math.lgamma(n + 1)) for n in range(80)
    ]


def ids(size):
    return [1 / size] * size


DISCRETE = {
    "poisson 1/2": poisson(0.5),
    "poisson 9": poisson(9.0),
    "poisson 11": poisson(11.0),
    "poisson 40": poisson(40.0),
    "randint": (lambda: mint.randint(0, 7, (COUNT,)), ids(7)),
    "numpy's randint": (lambda: ms.numpy.randint(7, shape=COUNT), ids(7)),
    "bernoulli": (lambda: zeros().bernoulli_(0.3), [0.7, 0.3]),
    "bernoulli of Tensors": (lambda: mint.bernoulli(zeros() + 0.3), [0.7, 0.3]),
    "bernoulli, a primitive": (lambda: ops.Bernoulli()(zeros(), Tensor(np.float32(0.3))), [0.7, 0.3]),
    "multinomial": (lambda: ops.multinomial(Tensor([1.0, 0.0, 3.0]), COUNT), [0.25, 0, 0.75]),
    "categorical": (lambda: ops.random_categorical(Tensor(np.log([[1.0, 2.0, 1.0]])), COUNT)[0], [0.25, 0.5, 0.25]),
    "without replacement, first": (
        lambda: mint.multinomial(Tensor(np.tile(np.float32([1, 2, 1]), (COUNT, 1))), 2)[:, 0],
        [0.25, 0.5, 0.25],
    ),
    "without replacement, second": (
        lambda: mint.multinomial(Tensor(np.tile(np.float32([1, 2, 1]), (COUNT, 1))), 2)[:, 1],
        [0.25 * (1 / 3) + 0.5 * 0.5, 2 * 0.25 * (2 / 3), 0.25 * (1 / 3) + 0.5 * 0.5],
    ),
}


@pytest.mark.parametrize("draw, probabilities", DISCRETE.values(), ids=DISCRETE)
def test_probabilities(draw, probabilities):
    ms.set_seed(11)
    counts = np.bincount(draw().asnumpy().astype(np.int64), minlength=len(probabilities))
    for count, p in zip(counts, probabilities):
        assert abs(count - COUNT * p) <= 5 * math.sqrt(COUNT * p * (1 - p)) + 1
    assert len(counts) == len(probabilities)


def test_permutations_are_equally_likely():
    ms.set_seed(11)
    counts: dict = {}
    for _ in range(3000):
        key = tuple(ops.randperm(3).tolist())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 6 and all(abs(count - 500) < 5 * math.sqrt(500) for count in counts.values())


def test_permutations():
    assert sorted(mint.randperm(50).tolist()) == list(range(50)) and mint.randperm(0).shape == (0,)
    assert sorted(ops.shuffle(Tensor(np.arange(9))).tolist()) == list(range(9))
    assert ops.Randperm(5, -2)(Tensor(3)).tolist()[3:] == [-2, -2]
    rows = mint.multinomial(Tensor(np.ones((4, 6), np.float32)), 6)
    assert [sorted(row) for row in rows.tolist()] == [list(range(6))] * 4


@pytest.mark.parametrize("rate", [0.0, np.nan, -1.0])
def test_parameters_without_a_distribution(rate):
    drawn = ops.random_poisson((3,), Tensor(np.float32(rate)))
    assert (drawn.asnumpy() == 0).all() if rate == 0 else np.isnan(drawn.asnumpy()).all()
    assert np.isnan(ops.random_gamma((3,), -1.0).asnumpy()).all()


ALPHAS = np.linspace(0.1, 20, 3000).astype(np.float32)


@pytest.mark.parametrize("draw", [lambda a: ops.random_gamma((2,), a), lambda a: ops.random_poisson((2,), a), ops.shuffle])
def test_one_stream_on_every_tier_and_number_of_threads(draw):
    runs = []
    for run, threads in ((draw, 1), (draw, 2), (ms.jit(draw), 2)):
        ms.set_num_threads(threads)
        for _ in range(3):
            ms.set_seed(5)
            runs.append(run(Tensor(ALPHAS)).asnumpy())
    assert all(np.array_equal(one, runs[0]) for one in runs)


def test_a_generator_is_a_stream_of_its_own():
    first, second = ms.Generator().manual_seed(7), ms.Generator().manual_seed(7)
    a = mint.rand(5, generator=first)
    mint.rand(5)
    assert mint.rand(5, generator=second).tolist() == a.tolist()
    state = first.get_state()
    b = mint.normal(0.0, 1.0, (4,), generator=first)
    first.set_state(state)
    assert mint.normal(0.0, 1.0, (4,), generator=first).tolist() == b.tolist()
    assert first.initial_seed() == 7 and first.seed() == first.initial_seed()


def test_the_process_has_a_generator_too():
    assert ms.manual_seed(9) is ms.default_generator and ms.initial_seed() == 9
    state = ms.get_rng_state()
    a = mint.randn(3)
    ms.set_rng_state(state)
    assert mint.randn(3).tolist() == a.tolist()
    ms.set_seed(4)
    assert ms.get_seed() == 4


@pytest.mark.breaks
def test_a_generator_in_a_jitted_function():
    generator = ms.Generator().manual_seed(7)
    want = mint.rand(3, generator=ms.Generator().manual_seed(7)).tolist()

    @ms.jit
    def f(x):
        return mint.rand(3, generator=generator) + x

    assert f(Tensor(np.zeros(3, np.float32))).tolist() == want


def test_truncated_normal_numbers():
    ms.set_seed(3)
    drawn = ops.TruncatedNormal(ms.float64)(Tensor([COUNT])).asnumpy()
    assert abs(drawn).max() <= 2 and abs(drawn.mean()) < 0.05 and abs(drawn.std() - 0.8796) < 0.02
    low, high = Tensor([0.0, -5.0]), Tensor([1.0, 5.0])
    rows = ops.ParameterizedTruncatedNormal()((2, COUNT), Tensor([0.0, 1.0]), Tensor([1.0, 0.5]), low, high).asnumpy()
    assert rows.dtype == np.float32 and rows[0].min() >= 0 and rows[0].max() <= 1
    np.testing.assert_allclose(rows.mean(1), [0.4598, 1.0], atol=0.03)
    np.testing.assert_allclose(rows.std(1), [0.2824, 0.5], atol=0.03)


def test_uniform_numbers_like_a_tensor():
    drawn = ops.Uniform(1.0, 3.0)(zeros())
    assert drawn.dtype == zeros().dtype and drawn.shape == zeros().shape and drawn.min() >= 1 and drawn.max() <= 3


@pytest.mark.parametrize("unique", [True, False], ids=["unique", "repeated"])
def test_candidates_are_drawn_as_often_as_expected(unique):
    ms.set_seed(5)
    p = np.log((np.arange(5) + 2) / (np.arange(5) + 1)) / np.log(6)
    classes, drawn = Tensor(np.arange(5)[:, None]), []
    for _ in range(2000):
        found, counts, _ = ops.log_uniform_candidate_sampler(classes, 1, 2, unique, 5)
        drawn.append(np.bincount(found.asnumpy(), minlength=5))
        draws = np.log1p(-counts.asnumpy()[:, 0]) / np.log1p(-p) if unique else counts.asnumpy()[:, 0] / p
        assert np.isclose(counts.asnumpy()[:, 0], 2 * p, rtol=1e-5).all() or np.allclose(draws, np.rint(draws[0]), atol=1e-2)
    twice = sum(p[other] * p / (1 - p[other]) * (np.arange(5) != other) for other in range(5))
    assert not unique or np.max(drawn) == 1
    np.testing.assert_allclose(np.mean(drawn, 0), p + twice if unique else 2 * p, atol=0.05)


def test_uniform_candidates_leave_out_what_is_true():
    classes = Tensor([[1, 3], [9, 1]])
    found, of_true, of_found = ops.UniformCandidateSampler(2, 3, True, 5, 7, True)(classes)
    assert sorted(found.tolist()) == [0, 2, 4] and found.dtype == ms.int64
    assert of_true.shape == (2, 2) and (of_true.asnumpy() == of_found.asnumpy()[0]).all()
    assert ops.UniformCandidateSampler(2, 3, False, 2)(classes)[2].tolist() == [1.5, 1.5, 1.5]


REFUSED = {
    "uniform integers": (TypeError, lambda: ops.Uniform()(Tensor([1]))),
    "an empty interval": (ValueError, lambda: ops.Uniform(2.0, 1.0)(zeros())),
    "whole truncated numbers": (TypeError, lambda: ops.TruncatedNormal(ms.int32)((2,))),
    "bounds of another shape": (
        ValueError,
        lambda: ops.ParameterizedTruncatedNormal()((2, 3), *[Tensor([0.0, 1.0, 2.0])] * 4),
    ),
    "candidates of floats": (TypeError, lambda: ops.uniform_candidate_sampler(Tensor([[1.0]]), 1, 1, True, 5)),
    "other true candidates": (ValueError, lambda: ops.uniform_candidate_sampler(Tensor([[1]]), 2, 1, True, 5)),
    "too many candidates": (ValueError, lambda: ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 6, True, 5)),
    "a negative seed": (ValueError, lambda: ops.log_uniform_candidate_sampler(Tensor([[1]]), seed=-1)),
    "a seed": (TypeError, lambda: ms.manual_seed(1.5)),
    "a state": (TypeError, lambda: ms.set_rng_state(Tensor([1.0]))),
    "a generator": (TypeError, lambda: mint.rand(3, generator=5)),
    "a device": (ValueError, lambda: mint.rand(3, device="Ascend")),
    "an empty range": (ValueError, lambda: mint.randint(5, 5, (2,))),
    "bounds": (TypeError, lambda: mint.randint(0, 1.5, (2,))),
    "no size": (ValueError, lambda: mint.normal(0.0, 1.0)),
    "a size too much": (ValueError, lambda: mint.normal(Tensor([0.0]), 1.0, (2,))),
    "no samples": (ValueError, lambda: ops.multinomial(Tensor([1.0]), 0)),
    "too many samples": (ValueError, lambda: ops.multinomial(Tensor([1.0, 2.0]), 3, False)),
    "whole weights": (TypeError, lambda: ops.multinomial(Tensor([1, 2]), 1)),
    "logits": (ValueError, lambda: ops.random_categorical(Tensor([1.0]), 2)),
    "a probability": (ValueError, lambda: zeros().bernoulli_(1.5)),
    "a negative count": (ValueError, lambda: ops.randperm(-1)),
    "whole alphas": (TypeError, lambda: ms._emberjit.op_table["random_gamma"](Tensor([1, 2]))),
}


@pytest.mark.parametrize("error, call", REFUSED.values(), ids=REFUSED)
def test_refused(error, call):
    with pytest.raises(error):
        call()
