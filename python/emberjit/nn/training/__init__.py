"""Cells around a network for its training: its loss, a step, gradients, parts of batches, scales of the loss."""
