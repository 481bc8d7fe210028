"""Probability distributions, as Cells."""

from emberjit.nn.probability.distribution.bounded import Beta, Exponential, Gamma, LogNormal, Uniform
from emberjit.nn.probability.distribution.discrete import Bernoulli, Categorical, Geometric, Poisson
from emberjit.nn.probability.distribution.distribution import Distribution
from emberjit.nn.probability.distribution.location_scale import (
    Cauchy,
    Gumbel,
    HalfNormal,
    Laplace,
    Logistic,
    Normal,
    StudentT,
)
from emberjit.nn.probability.distribution.transformed_distribution import TransformedDistribution

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Cauchy",
    "Distribution",
    "Exponential",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfNormal",
    "Laplace",
    "LogNormal",
    "Logistic",
    "Normal",
    "Poisson",
    "StudentT",
    "TransformedDistribution",
    "Uniform",
]
