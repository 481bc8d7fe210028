"""NumPy references of what computes along sequences, step by step."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np


def collapse(path: Any, blank: int, merge: bool = True) -> tuple[int, ...]:
    """The labels that a path of outputs stands for."""
    kept = [label for i, label in enumerate(path) if not (merge and i and label == path[i - 1])]
    return tuple(label for label in kept if label != blank)


def path_loss(logs: Any, labels: Any, blank: int, merge: bool = True) -> float:
    """-log of the sum over all paths that stand for labels, by definition."""
    count, classes = logs.shape
    total = 0.0
    for path in itertools.product(range(classes), repeat=count):
        if collapse(path, blank, merge) == tuple(labels):
            total += math.exp(sum(logs[t, label] for t, label in enumerate(path)))
    return -math.log(total) if total else math.inf


def forward(logs: Any, labels: Any, blank: int, count: int, room: int) -> Any:
    out = np.full((logs.shape[0], room), -np.inf)
    states = [blank]
    for label in labels:
        states += [int(label), blank]
    for s in range(min(2, len(states))):
        out[0, s] = logs[0, states[s]]
    for t in range(1, count):
        for s, state in enumerate(states):
            terms = [out[t - 1, s - back] for back in (0, 1) if s >= back]
            if s > 1 and state not in (blank, states[s - 2]):
                terms.append(out[t - 1, s - 2])
            with np.errstate(divide="ignore"):
                out[t, s] = np.log(np.exp(terms).sum()) + logs[t, state]
    return out


def ctc(logs: Any, targets: Any, times: Any, lengths: Any, blank: int, zero: bool) -> Any:
    room = 2 * targets.shape[1] + 1
    losses, paths = [], []
    for i, (count, length) in enumerate(zip(times, lengths)):
        labels = targets[i, :length]
        loss = path_loss(logs[:count, i].astype(np.float64), labels, blank)
        losses.append(0.0 if zero and loss == math.inf else loss)
        paths.append(forward(logs[:, i].astype(np.float64), labels, blank, count, room))
    return np.array(losses), np.array(paths)


def ctc_reduced(logs: Any, targets: Any, times: Any, lengths: Any, blank: int, reduction: str, zero: bool) -> Any:
    losses, paths = ctc(logs, targets, times, lengths, blank, zero)
    if reduction == "mean":
        losses = (losses / np.maximum(lengths, 1)).mean()
    return losses.sum() if reduction == "sum" else losses, paths


def ctc_sparse(x: Any, indices: Any, values: Any, times: Any, collapse_labels: bool, merge: bool) -> Any:
    """The losses, and their gradient: the probability of each output less how often the paths have it."""
    classes = x.shape[2]
    losses, gradient = [], np.zeros(x.shape)
    probabilities = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    for i, count in enumerate(times):
        labels = [value for row, value in zip(indices[:, 0], values) if row == i and value < classes - 1]
        if collapse_labels:
            labels = [label for label, _ in itertools.groupby(labels)]
        total, often = 0.0, np.zeros((count, classes))
        for path in itertools.product(range(classes), repeat=count):
            if collapse(path, classes - 1, merge) == tuple(labels):
                weight = math.prod(probabilities[t, i, label] for t, label in enumerate(path))
                total += weight
                often[np.arange(count), path] += weight
        losses.append(-math.log(total) if total else math.inf)
        gradient[:count, i] = probabilities[:count, i] - often / total if total else 0
    return np.array(losses), gradient


def greedy(inputs: Any, times: Any, merge: bool) -> Any:
    blank = inputs.shape[2] - 1
    indices, values, scores, most = [], [], [], 0
    for i, count in enumerate(times):
        labels = collapse(inputs[:count, i].argmax(1).tolist(), blank, merge)
        indices += [(i, j) for j in range(len(labels))]
        values += labels
        most = max(most, len(labels))
        scores.append([-inputs[:count, i].max(1).sum()])
    return np.array(indices).reshape(-1, 2), np.array(values), np.array([len(times), most]), np.array(scores)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def lstm(x: Any, h: Any, c: Any, w: Any, size: int, units: int, layers: int, has_bias: bool, both: bool, proj: int) -> Any:
    flat, at, ways, state = w.reshape(-1), 0, 1 + both, proj or units
    kinds: list[list[Any]] = []
    for kind in range(4):
        found = []
        for layer in range(layers):
            columns = [size if layer == 0 else state * ways, state, units, 1][kind]
            rows = [4 * units, 4 * units, proj, 4 * units * has_bias][kind]
            for _ in range(ways):
                found.append(flat[at : at + rows * columns].reshape(rows, columns))
                at += rows * columns
        kinds.append(found)
    assert at == flat.size
    states, cells = [], []
    for layer in range(layers):
        results = []
        for row in range(layer * ways, (layer + 1) * ways):
            w_in, w_state, w_proj, bias = (kind[row] for kind in kinds)
            ht, ct, out = h[row], c[row], np.zeros((len(x), x.shape[1], state))
            for t in range(len(x))[:: -1 if row % ways else 1]:
                gates = x[t] @ w_in.T + ht @ w_state.T + (bias[:, 0] if has_bias else 0)
                i, f, g, o = np.split(gates, 4, 1)
                ct = sigmoid(f) * ct + sigmoid(i) * np.tanh(g)
                ht = sigmoid(o) * np.tanh(ct)
                ht = ht @ w_proj.T if proj else ht
                out[t] = ht
            results.append(out)
            states.append(ht)
            cells.append(ct)
        x = np.concatenate(results, 2)
    return x, np.array(states), np.array(cells), np.zeros((0, 1)), np.zeros((0, 1))


def gru(x: Any, h: Any, w: Any, lengths: Any, size: int, units: int, layers: int, has_bias: bool, both: bool) -> Any:
    flat, at, ways = w.reshape(-1), 0, 1 + both
    kinds: list[list[Any]] = []
    for kind in range(4):
        kinds.append([])
        for layer in range(layers):
            columns = [units * ways if layer else size, units, int(has_bias), int(has_bias)][kind]
            for _ in range(ways):
                kinds[-1].append(flat[at : at + 3 * units * columns].reshape(3 * units, columns))
                at += 3 * units * columns
    assert at == flat.size
    last = h.copy()
    for layer in range(layers):
        out = np.zeros((len(x), x.shape[1], units * ways))
        for row in range(layer * ways, (layer + 1) * ways):
            w_in, w_state, b_in, b_state = (kind[row] for kind in kinds)
            for i, length in enumerate(lengths):
                for t in range(length)[:: -1 if row % ways else 1]:
                    r, z, n = np.split(w_in @ x[t, i] + b_in.sum(1), 3)
                    hr, hz, hn = np.split(w_state @ last[row, i] + b_state.sum(1), 3)
                    z = sigmoid(z + hz)
                    last[row, i] = (1 - z) * np.tanh(n + sigmoid(r + hr) * hn) + z * last[row, i]
                    out[t, i, row % ways * units :][:units] = last[row, i]
        x = out
    return x, last, np.zeros((0, 1)), np.zeros((0, 1))


def dynamic_rnn(x: Any, w: Any, b: Any, h: Any, c: Any, forget: float, clip: float) -> Any:
    units = w.shape[1] // 4
    ht, ct = (np.zeros((x.shape[1], units)) if s is None else s[0] for s in (h, c))
    rows = []
    for xt in x:
        i, j, f, o = np.split(np.concatenate([xt, ht], 1) @ w + b, 4, 1)
        i, j, f, o = sigmoid(i), np.tanh(j), sigmoid(f + forget), sigmoid(o)
        ct = f * ct + i * j
        ct = np.clip(ct, -clip, clip) if clip > 0 else ct
        ht = o * np.tanh(ct)
        rows.append((ht, ht, ct, i, j, f, o, np.tanh(ct)))
    return tuple(np.stack(column) for column in zip(*rows))


def dynamic_gru(x: Any, w_in: Any, w_state: Any, b_in: Any, b_state: Any, h: Any, order: str, after: bool) -> Any:
    units = len(w_state)
    ht = np.zeros((x.shape[1], units)) if h is None else h
    b_in, b_state = (np.zeros(3 * units) if b is None else b for b in (b_in, b_state))
    rows = []
    for xt in x:
        a, b, n = np.split(xt @ w_in + b_in, 3, 1)
        p, q, m = np.split(ht @ w_state + b_state, 3, 1)
        r, z = (sigmoid(a + p), sigmoid(b + q))[:: 1 if order == "rzh" else -1]
        if not after:
            m = (r * ht) @ w_state[:, 2 * units :] + b_state[2 * units :]
        n = np.tanh(n + (r * m if after else m))
        ht = (1 - z) * n + z * ht
        rows.append((ht, ht, z, r, n, m))
    return tuple(np.stack(column) for column in zip(*rows))


def stft(x: Any, n: int, hop: int, length: int, window: Any, normalized: bool, onesided: bool, as_complex: bool) -> Any:
    left = (n - length) // 2
    wide = np.pad(window, (left, n - length - left))
    frames = [x[..., at : at + n] * wide for at in range(0, x.shape[-1] - n + 1, hop)]
    transform = np.fft.rfft if onesided else np.fft.fft
    out = transform(np.stack(frames, -1), axis=-2) / (math.sqrt(n) if normalized else 1)
    return out if as_complex else np.stack([out.real, out.imag], -1)


def fft_with_size(x: Any, axes: int, inverse: bool, real: bool, norm: str, onesided: bool, sizes: Any) -> Any:
    over = tuple(range(-axes, 0))
    if real and onesided:
        return np.fft.irfftn(x, sizes or None, over, norm) if inverse else np.fft.rfftn(x, None, over, norm)
    out = np.fft.ifftn(x, sizes or None, over, norm) if inverse else np.fft.fftn(x, None, over, norm)
    return out.real if real and inverse else out


def no_repeat(words: Any, logs: Any, n: int) -> Any:
    out = logs.astype(np.float64)
    for b, beam in np.ndindex(*words.shape[:2]):
        seen = words[b, beam].tolist()
        last = seen[len(seen) - n + 1 :]
        for at in range(len(seen) - n + 1):
            if seen[at : at + n - 1] == last:
                out[b, beam, seen[at + n - 1]] = np.finfo(logs.dtype).min
    return out


def levenshtein(a: Any, b: Any) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row, last = [i], row
        for j, y in enumerate(b, 1):
            row.append(min(row[-1] + 1, last[j] + 1, last[j - 1] + (x != y)))
    return row[-1]


def edit_distance(
    indices: Any, values: Any, shape: Any, true_indices: Any, true_values: Any, true_shape: Any, normalize: bool
) -> Any:
    lead = tuple(np.maximum(shape, true_shape)[:-1])
    out = np.zeros(lead, np.float32)
    for at in np.ndindex(*lead):
        given = [v for i, v in zip(indices, values) if tuple(i[:-1]) == at]
        true = [v for i, v in zip(true_indices, true_values) if tuple(i[:-1]) == at]
        out[at] = levenshtein(given, true)
        if normalize:
            out[at] = out[at] / len(true) if true else math.inf if given else 0
    return out


def _transducer_loss(acts: Any, labels: Any, blank: int) -> float:
    """-log of the sum over all times at which labels may be emitted, by definition."""
    logs = acts - np.log(np.exp(acts).sum(-1, keepdims=True))
    total = 0.0
    for when in itertools.combinations_with_replacement(range(len(acts)), len(labels)):
        emitted = sum(logs[t, u, labels[u]] for u, t in enumerate(when))
        total += math.exp(emitted + sum(logs[t, sum(w <= t for w in when), blank] for t in range(len(acts))))
    return -math.log(total)


def transducer(acts: Any, labels: Any, times: Any, lengths: Any, blank: int) -> Any:
    acts, step = np.asarray(acts, np.float64), 1e-5
    costs, slopes = np.zeros(len(acts)), np.zeros_like(acts)
    for i, (count, length) in enumerate(zip(times, lengths)):
        loss = lambda x: _transducer_loss(x[:count], labels[i][:length], blank)
        costs[i] = loss(acts[i])
        for at in np.ndindex(acts[i].shape):
            moved = np.zeros_like(acts[i])
            moved[at] = step
            slopes[i][at] = (loss(acts[i] + moved) - loss(acts[i] - moved)) / (2 * step)
    return costs, slopes


def joined_attention(out: Any, top: Any, total: Any, other_out: Any, other_top: Any, other_total: Any) -> Any:
    """Of two parts of the keys: results (S, B, H), largest scores and sums of exponentials (B, heads, S, 8)."""
    most = np.maximum(top, other_top)
    shares = [np.exp(part - most) * of for part, of in ((top, total), (other_top, other_total))]
    heads = out.shape[2] // top.shape[1]
    wide = [np.repeat(share[..., :1].transpose(2, 0, 1, 3), heads, 3).reshape(out.shape) for share in shares]
    return (out * wide[0] + other_out * wide[1]) / sum(wide), most, sum(shares)


def routed(x: Any, experts: Any, active: int, capacity: int, count: int, pad: int, kind: int, before: bool) -> Any:
    """Tokens ordered by experts, where they went, and counts."""
    flat = experts.ravel()
    counts = np.array([(flat == e).sum() for e in range(count)], np.int32)
    if not pad:
        order = np.argsort(flat, kind="stable")
        kept = x[order // experts.shape[1]][: active or None]
        more = {0: [], 1: [counts.cumsum().astype(np.int32)], 2: [counts]}[kind]
        return (kept, np.argsort(order).astype(np.int32), *more)
    out, places, full = np.zeros((count, capacity, x.shape[1]), x.dtype), np.full(flat.size, -1, np.int32), [0] * count
    for i, e in enumerate(flat):
        if full[e] < capacity:
            out[e, full[e]], places[i] = x[i // experts.shape[1]], e * capacity + full[e]
            full[e] += 1
    return (out, places, *([counts] if before else []))


def paged_attention(query: Any, keys: Any, values: Any, tables: Any, lengths: Any, scale: float, mask: Any) -> Any:
    out = np.zeros_like(query)
    for i, table in enumerate(tables):
        for head in range(query.shape[1]):
            own = head // (query.shape[1] // keys.shape[2])
            k, v = (cache[table].reshape(-1, *cache.shape[2:])[: lengths[i], own] for cache in (keys, values))
            scores = k @ query[i, head] * scale + (0 if mask is None else mask[i, : lengths[i]])
            weights = np.exp(scores - scores.max())
            out[i, head] = weights @ v / weights.sum()
    return out
