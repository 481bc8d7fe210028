"""Distributions, and changes of variables between them."""

from emberjit.nn.probability import bijector, distribution

__all__ = ["bijector", "distribution"]
