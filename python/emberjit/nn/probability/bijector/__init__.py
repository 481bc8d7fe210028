"""Bijectors: differentiable functions with an inverse, as Cells."""

from emberjit.nn.probability.bijector.bijector import Bijector, Invert
from emberjit.nn.probability.bijector.functions import Exp, GumbelCDF, PowerTransform, ScalarAffine, Softplus

__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]
