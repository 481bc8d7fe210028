"""Gradients that have names of their own, as MindSpore's primitives XGrad."""
