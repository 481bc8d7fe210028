"""Activations of neural networks, and softmax."""
