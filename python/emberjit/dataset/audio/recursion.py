"""Linear recursions over time: y[n] = sum_k b[k] x[n - k] - sum_k>0 a[k] y[n - k], with a[0] = 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit.dataset.values import Array

_BLOCK = 128  # samples of a block, of which all depend on each other by one matrix


def _impulse(feedback: Array, length: int) -> Any:
    """The response of the recursion alone to 1, 0, 0, ...; of finite numbers, so perhaps shorter than the length."""
    response = np.zeros(length + len(feedback))
    response[len(feedback)] = 1
    for at in range(len(feedback) + 1, len(response)):
        response[at] = -(feedback @ response[at - 1 : at - 1 - len(feedback) : -1])
        if not abs(response[at]) < 1e100:
            return response[len(feedback) : at]
    return response[len(feedback) :]


def recursive(signal: Array, numerator: Any, denominator: Any) -> Any:
    """A signal, of axes ..., time, filtered in float64 from rest.

    The numerator is a sum of shifted signals. Of the denominator a block of samples is the product of a triangular matrix,
    of its response to an impulse, with that sum, and of another with the last samples of the block before: so only these go
    on from block to block one by one.

    Args:
        numerator: b, of axis one.
        denominator: a, as long; a[0] is not 0.
    """
    feedback = np.asarray(denominator, np.float64)[1:] / denominator[0]
    direct = np.zeros(signal.shape)
    length = signal.shape[-1]
    for shift, factor in enumerate(np.asarray(numerator, np.float64) / denominator[0]):
        if shift < length:
            direct[..., shift:] += factor * signal[..., : length - shift]
    order = len(feedback)
    if not feedback.any():
        return direct
    response = _impulse(feedback, max(_BLOCK, order))
    block = len(response)
    if block < order:
        return _one_by_one(direct, feedback)
    lags = np.subtract.outer(np.arange(block), np.arange(block))
    within = np.where(lags >= 0, response[np.maximum(lags, 0)], 0)
    carry = np.zeros((block, order))
    for back in range(order):  # of y[-1 - back], which reaches each of y[0], ..., y[order - 1 - back] by a factor
        reached = np.zeros(block)
        reached[: order - back] = -feedback[back:]
        carry[:, back] = within @ reached
    rows = direct.reshape(-1, length)
    blocks = -(-length // block)
    padded = np.zeros((len(rows), blocks * block))
    padded[:, :length] = rows
    filtered = padded.reshape(len(rows), blocks, block) @ within.T
    ends, last = filtered[:, :, : -order - 1 : -1], carry[: -order - 1 : -1].T
    before = np.zeros((len(rows), blocks, order))
    for at in range(1, blocks):
        before[:, at] = ends[:, at - 1] + before[:, at - 1] @ last
    filtered += before @ carry.T
    return filtered.reshape(len(rows), -1)[:, :length].reshape(signal.shape)


def _one_by_one(direct: Array, feedback: Array) -> Any:
    filtered = np.zeros((*direct.shape[:-1], direct.shape[-1] + len(feedback)))
    for at in range(direct.shape[-1]):
        before = filtered[..., at : at + len(feedback)][..., ::-1]
        filtered[..., at + len(feedback)] = direct[..., at] - before @ feedback
    return filtered[..., len(feedback) :]
