"""nn.probability: formulas against each other by quadrature and sums, samples by their moments, bijectors by their inverses
and derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Parameter, Tensor, nn, ops
from emberjit.nn.probability import bijector as B
from emberjit.nn.probability import distribution as D

F64 = ms.float64


def made(kind: str, *parameters: float, seed: int | None = None) -> Any:
    """A distribution whose formulas are computed in float64."""
    return getattr(D, kind)(*(Tensor(p, F64) for p in parameters), seed=seed)


# kind, parameters, those of another, an interval that has all but 1e-7 of the probability; None: the line, by tangents
CONTINUOUS = [
    ("Normal", (0.5, 2.0), (1.0, 1.5), (-12, 13)),
    ("LogNormal", (0.3, 0.4), (0.0, 0.5), (1e-9, 16)),
    ("HalfNormal", (0.5, 2.0), None, (0.5, 13)),
    ("Laplace", (0.5, 0.7), None, (-12, 13)),
    ("StudentT", (9.0, 0.5, 0.7), None, (-30, 31)),
    ("Cauchy", (0.5, 0.7), (0.3, 1.5), None),
    ("Exponential", (1.5,), (0.7,), (0, 12)),
    ("Gamma", (2.5, 1.5), (1.5, 0.7), (1e-9, 20)),
    ("Beta", (2.5, 1.5), (1.5, 2.5), (1e-9, 1 - 1e-9)),
    ("Gumbel", (0.5, 0.7), (0.0, 1.0), (-3, 14)),
    ("Logistic", (0.5, 0.7), None, (-14, 15)),
    ("Uniform", (0.5, 2.0), (0.0, 3.0), (0.5, 2.0)),
]
DISCRETE = [
    ("Bernoulli", (0.3,), (0.6,), 2),
    ("Geometric", (0.3,), (0.6,), 80),
    ("Poisson", (2.5,), None, 60),
    ("Categorical", ([0.2, 0.3, 0.5],), ([0.5, 0.25, 0.25],), 3),
]


def moments(kind: str, points: Any, weights: Any, distribution: Any, other: Any) -> dict[str, Any]:
    """What sums over prob say."""
    p = distribution.prob(Tensor(points)).asnumpy() * weights
    said = {"total": p.sum(), "mean": (p * points).sum()}
    said["sd"] = np.sqrt((p * (points - said["mean"]) ** 2).sum())
    log_p = distribution.log_prob(Tensor(points)).asnumpy()
    inside = p > 1e-300
    said["entropy"] = -(p * log_p)[inside].sum()
    if other is not None:
        q = getattr(D, kind)(*(Tensor(v, F64) for v in other)).log_prob(Tensor(points)).asnumpy()
        said["kl_loss"] = (p * (log_p - q))[inside].sum()
        said["cross_entropy"] = -(p * q)[inside].sum()
    return said


def check(kind: str, distribution: Any, other: Any, said: dict[str, Any], tolerance: float) -> None:
    assert said.pop("total") == pytest.approx(1, abs=tolerance)
    for name, expected in said.items():
        args = (kind, *(Tensor(v, F64) for v in other)) if name in ("kl_loss", "cross_entropy") else ()
        try:
            found = distribution(name, *args)
        except NotImplementedError:
            continue
        except ValueError:
            assert kind == "Cauchy" and name in ("mean", "sd")
            continue
        assert float(found.asnumpy().item()) == pytest.approx(expected, rel=tolerance, abs=tolerance), name


@pytest.mark.parametrize("kind, parameters, other, interval", CONTINUOUS)
def test_continuous_formulas_agree(kind: str, parameters: Any, other: Any, interval: Any) -> None:
    distribution = made(kind, *parameters)
    u = np.linspace(*(interval or (-np.pi / 2, np.pi / 2)), 400_001)
    middle, step = (u[1:] + u[:-1]) / 2, u[1] - u[0]
    points, weights = (middle, step) if interval else (np.tan(middle), step / np.cos(middle) ** 2)
    check(kind, distribution, other, moments(kind, points, weights, distribution, other), 2e-4)
    if not hasattr(distribution, "_cdf"):
        return
    some = Tensor(points[10_000::20_000])
    cdf = distribution.cdf(some).asnumpy()
    mass = np.cumsum(distribution.prob(Tensor(points)).asnumpy() * weights)
    below = np.interp(some.asnumpy(), points, mass)
    np.testing.assert_allclose(cdf, below, atol=2e-4)
    np.testing.assert_allclose(distribution.survival_function(some).asnumpy(), 1 - cdf, atol=1e-12)
    for log, plain in (("log_cdf", "cdf"), ("log_survival", "survival_function")):
        value = distribution(plain, some).asnumpy()
        shown = value > 1e-12
        np.testing.assert_allclose(np.exp(distribution(log, some).asnumpy())[shown], value[shown], rtol=1e-6)


@pytest.mark.parametrize("kind, parameters, other, count", DISCRETE)
def test_discrete_formulas_agree(kind: str, parameters: Any, other: Any, count: int) -> None:
    distribution = made(kind, *parameters)
    points = np.arange(count, dtype=np.float64)
    check(kind, distribution, other, moments(kind, points, 1.0, distribution, other), 1e-6)
    total = np.cumsum(distribution.prob(Tensor(points)).asnumpy())
    np.testing.assert_allclose(distribution.cdf(Tensor(points + 0.5)).asnumpy(), total, rtol=1e-9)
    assert distribution.cdf(Tensor(np.float64([-1]))).item() == 0
    best = distribution.prob(Tensor(points)).asnumpy().argmax()
    assert float(distribution.mode().asnumpy()) == best


@pytest.mark.parametrize("kind, parameters", [(row[0], row[1]) for row in CONTINUOUS + DISCRETE])
def test_samples_have_the_moments(kind: str, parameters: Any) -> None:
    distribution = made(kind, *parameters, seed=7)
    if not hasattr(distribution, "_sample"):
        with pytest.raises(NotImplementedError, match=f"sample is not implemented for {kind}"):
            distribution.sample((3,))
        return
    found = distribution.sample((100, 400))
    assert found.shape == (100, 400) and found.dtype == distribution.dtype
    x = found.asnumpy().astype(np.float64)
    if kind == "Cauchy":
        assert np.median(x) == pytest.approx(0.5, abs=0.03)
        return
    mean, sd = (float(distribution(name).asnumpy().item()) for name in ("mean", "sd"))
    assert x.mean() == pytest.approx(mean, abs=0.03 * sd) and x.std() == pytest.approx(sd, rel=0.05)


BIJECTORS = [B.Exp(), B.PowerTransform(0.0), B.PowerTransform(2.0), B.ScalarAffine(-2.0, 1.0), B.Softplus(2.0)]
BIJECTORS += [B.GumbelCDF(0.5, 2.0), B.Invert(B.Exp()), B.Invert(B.GumbelCDF())]


@pytest.mark.parametrize("bijector", BIJECTORS, ids=lambda b: b.name)
def test_bijectors_have_their_inverse_and_derivative(bijector: Any) -> None:
    x = Tensor(np.linspace(0.1, 0.9, 9))
    y = bijector.forward(x)
    np.testing.assert_allclose(bijector.inverse(y).asnumpy(), x.asnumpy(), rtol=1e-9)
    slope = np.log(np.abs(ms.grad(lambda v: bijector("forward", v).sum())(x).asnumpy()))
    np.testing.assert_allclose(np.broadcast_to(bijector.forward_log_jacobian(x).asnumpy(), (9,)), slope, atol=1e-9)
    np.testing.assert_allclose(np.broadcast_to(bijector.inverse_log_jacobian(y).asnumpy(), (9,)), -slope, atol=1e-9)


def test_a_transformed_normal_distribution_is_the_log_normal_one() -> None:
    transformed = D.TransformedDistribution(B.Exp(), made("Normal", 0.3, 0.4))
    direct, x = made("LogNormal", 0.3, 0.4), Tensor(np.linspace(0.2, 3, 7))
    for name in ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival"):
        np.testing.assert_allclose(transformed(name, x).asnumpy(), direct(name, x).asnumpy(), rtol=1e-9)
    assert transformed.sample((2, 3)).shape == (2, 3) and not transformed.is_linear_transformation
    linear = D.TransformedDistribution(B.ScalarAffine(2.0, 1.0), made("Normal", 0.5, 1.0))
    assert linear.mean().item() == 2.0


def test_parameters_of_calls_batches_and_gradients() -> None:
    normal, x = D.Normal(), Tensor(np.float32([0.2, 0.5]))
    given = normal.log_prob(x, Tensor([0.0, 1.0]), sd=Tensor(2.0))
    np.testing.assert_array_equal(given.asnumpy(), D.Normal([0.0, 1.0], 2.0).log_prob(x).asnumpy())
    assert normal.batch_shape is None and D.Normal([0.0, 1.0], 2.0).batch_shape == (2,)
    assert normal.sample((3,), Tensor([[0.0], [1.0]]), Tensor([1.0, 2.0])).shape == (3, 2, 2)
    assert D.Categorical(Tensor([[0.2, 0.8], [0.5, 0.5]])).sample((3,)).shape == (3, 2)
    assert D.Normal(0.0, 1.0, dtype=ms.float16).sample((2,)).dtype == ms.float16

    class Likelihood(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.normal = D.Normal(Parameter(Tensor([0.0, 0.0]), name="mean"), 1.0)

        def construct(self, value: Any) -> Any:
            return self.normal("log_prob", value).sum()

    cell = Likelihood()
    gradient = ms.grad(cell, None, cell.trainable_params())
    for run in (gradient, ms.jit(gradient)):
        np.testing.assert_allclose(run(x)[0].asnumpy(), x.asnumpy(), rtol=1e-6)


def test_samples_are_those_of_the_seeds() -> None:
    found = []
    for seed in (0, 3, 3, 4):
        ms.set_seed(1)
        normal = made("Normal", 0.0, 1.0, seed=seed)
        found.append([normal.sample((4,)).tolist() for _ in range(2)])
    assert found[1] == found[2] and found[0] != found[1] != found[3]
    assert all(first != second for first, second in found)


BAD = [
    (lambda: D.Normal(1.0, 0.0), ValueError, "'sd' must be greater than zero"),
    (lambda: D.Normal("a", 1.0), TypeError, "'mean' must be a number or a Tensor"),
    (lambda: D.Normal(dtype=ms.int32), TypeError, "'dtype' must be one of"),
    (lambda: D.Normal(seed=0.5), TypeError, "'seed' must be an int or None"),
    (lambda: D.Normal(seed=-1), ValueError, "'seed' must not be negative, but got -1"),
    (lambda: D.Bernoulli(1.3), ValueError, "'probs' must lie between zero and one"),
    (lambda: D.Categorical([0.2, 0.3, 0.6]), ValueError, "must sum to one"),
    (lambda: D.Uniform(1.0, 0.0), ValueError, "'low' must be less than 'high'"),
    (lambda: D.Normal(0.0, 1.0).prob(0.3), TypeError, "'value' must be a Tensor"),
    (lambda: D.Normal().mean(), TypeError, "'mean' is needed"),
    (lambda: D.Normal(0.0, 1.0).mean(Tensor(1.0), Tensor(1.0), Tensor(1.0)), TypeError, "the parameters are mean, sd"),
    (lambda: D.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(1.0), Tensor(2.0)), ValueError, "'dist' must be 'Normal'"),
    (lambda: D.Normal(0.0, 1.0).kl_loss("Normal", 1.0, 2.0), TypeError, "'mean_b' must be a Tensor"),
    (lambda: D.Normal(0.0, 1.0)("foo"), NotImplementedError, "foo is not implemented for Normal"),
    (lambda: D.Uniform(0.0, 1.0).mode(), NotImplementedError, "mode is not implemented for Uniform"),
    (lambda: D.Cauchy(0.0, 1.0).mean(), ValueError, "mean is undefined for Cauchy"),
    (lambda: D.Normal(0.0, 1.0).sample(3), TypeError, "'shape' must be a tuple"),
    (lambda: B.PowerTransform(-1.0), ValueError, "'power' must not be negative"),
    (lambda: B.GumbelCDF(0.0, -1.0), ValueError, "'scale' must be greater than zero"),
    (lambda: B.Exp().forward(Tensor([1, 2])), TypeError, "must be of floating point"),
    (lambda: B.Invert(3), TypeError, "'bijector' must be a Bijector"),
    (lambda: D.TransformedDistribution(B.Exp(), 3), TypeError, "'distribution' must be a Distribution"),
    (lambda: D.TransformedDistribution(B.Exp(), D.Normal(0.0, 1.0)).mean(), ValueError, "is not linear"),
]


@pytest.mark.parametrize("call, error, message", BAD)
def test_bad_input_is_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_class_of_ones_own() -> None:
    class Triangular(D.Distribution):
        _names = ("high",)

        def __init__(self, high: float) -> None:
            super().__init__(None, ms.float32, "Triangular", {"param_dict": {"high": high}})

        def _cdf(self, value: Any, high: Any) -> Any:
            return ops.square(ops.clamp(value / high, 0, 1))

    own = Triangular(2.0)
    x = Tensor([0.5, 1.0])
    np.testing.assert_allclose(own.survival_function(x).asnumpy(), 1 - own.cdf(x).asnumpy())
    assert own.high.item() == 2.0
    with pytest.raises(NotImplementedError, match="prob is not implemented for Triangular"):
        own.prob(x)
