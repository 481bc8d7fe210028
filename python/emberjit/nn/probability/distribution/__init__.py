"""Probability distributions, as Cells."""

from emberjit.nn.probability.distribution.continuous import (
    Beta,
    Cauchy,
    Exponential,
    Gamma,
    Gumbel,
    HalfNormal,
    Laplace,
    Logistic,
    LogNormal,
    Normal,
    StudentT,
    Uniform,
)
from emberjit.nn.probability.distribution.discrete import Bernoulli, Categorical, Geometric, Poisson
from emberjit.nn.probability.distribution.distribution import Distribution
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
