"""NumPy references of what interpolates, gathers and moves pixels, element by element where that says it best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def position(i: int, old: int, new: int, rule: str, scale: float | None = None) -> float:
    step = old / new if scale is None else 1 / scale
    if rule == "corners":
        return i * (old - 1) / (new - 1) if new > 1 else 0
    return {"start": i * step, "half_pixel": (i + 0.5) * step - 0.5, "middle": (i + 0.5) * step}[rule]


def keys(distance: float, a: float = -0.75) -> float:
    d = abs(distance)
    if d <= 1:
        return (a + 2) * d**3 - (a + 3) * d**2 + 1
    return a * (d**3 - 5 * d**2 + 8 * d - 4) if d < 2 else 0


def weights_at(at: float, kind: str) -> dict[int, float]:
    """The weights of elements around a position."""
    low = math.floor(at + 1e-12)
    if kind == "nearest":
        return {low: 1}
    if kind == "linear":
        return {low: 1 - (at - low), low + 1: at - low}
    return {i: keys(at - i, -0.75 if kind == "cubic" else -0.5) for i in range(low - 1, low + 3)}


def matrix(old: int, new: int, rule: str, kind: str, scale: float | None = None) -> np.ndarray:
    out = np.zeros((new, old))
    for i in range(new):
        at = position(i, old, new, rule, scale) + (0.5 if (rule, kind) == ("corners", "nearest") else 0)
        for j, weight in weights_at(at, kind).items():
            if kind != "inner cubic" or 0 <= j < old:
                out[i, min(max(j, 0), old - 1)] += weight
    return out / out.sum(1, keepdims=True)


def resized(x: Any, size: Any, rule: str, kind: str, scales: Any = None) -> Any:
    axes = x.ndim - 2
    sizes = size if isinstance(size, (tuple, list)) else (size,) * axes
    y = x.astype(np.float64)
    rule = "middle" if (rule, kind) == ("half_pixel", "nearest") else rule
    for i, new in enumerate(sizes):
        m = matrix(x.shape[2 + i], new, rule, kind, None if scales is None else scales[i])
        y = np.moveaxis(np.tensordot(m, y, (1, 2 + i)), 0, 2 + i)
    return y


def interpolate(x: Any, size: Any, scale_factor: Any, mode: str, align_corners: Any, recompute: Any, sharp: bool) -> Any:
    axes = x.ndim - 2
    scales = None
    if size is None:
        scales = scale_factor if isinstance(scale_factor, tuple) else (scale_factor,) * axes
        size = tuple(math.floor(n * s) for n, s in zip(x.shape[2:], scales))
    size = size if isinstance(size, tuple) else (size,) * axes
    if mode == "area":
        for i, new in enumerate(size, 2):
            old = x.shape[i]
            parts = [range(k * old // new, -(-(k + 1) * old // new)) for k in range(new)]
            x = np.stack([np.take(x, part, i).mean(i) for part in parts], i)
        return x
    rule = "corners" if align_corners else {"nearest": "start", "nearest-exact": "middle"}.get(mode, "half_pixel")
    cubic = "cubic" if sharp or align_corners else "inner cubic"
    kind = {"nearest": "nearest", "nearest-exact": "nearest", "bicubic": cubic}.get(mode, "linear")
    return resized(x, size, rule, kind, None if recompute else scales)


def resize_area(x: Any, size: Any, align_corners: bool) -> Any:
    y = x.astype(np.float64)
    for axis, new in enumerate(size, 1):
        old = x.shape[axis]
        step = (old - 1) / (new - 1) if align_corners else old / new
        fine = 2520  # samples of each pixel
        where = (np.arange(new * fine) + 0.5) / fine * step
        rows = np.take(y, np.minimum(where.astype(int), old - 1), axis)
        y = np.moveaxis(np.moveaxis(rows, axis, 0).reshape(new, fine, *np.delete(rows.shape, axis)).mean(1), 0, axis)
    return y


def overlap(a: Any, b: Any, gap: float) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0]) + gap
    height = min(a[3], b[3]) - max(a[1], b[1]) + gap
    return max(width, 0) * max(height, 0)


def area(box: Any, gap: float) -> float:
    return (box[2] - box[0] + gap) * (box[3] - box[1] + gap)


def iou(anchors: Any, truths: Any, mode: str) -> Any:
    out = np.zeros((len(truths), len(anchors)))
    for i, truth in enumerate(truths.astype(np.float64)):
        for j, anchor in enumerate(anchors.astype(np.float64)):
            shared = overlap(truth, anchor, 1)
            whole = area(truth, 1) if mode == "iof" else area(truth, 1) + area(anchor, 1) - shared
            out[i, j] = shared / whole
    return out


def box_encode(anchors: Any, truths: Any, means: Any, stds: Any) -> Any:
    ps, gs = anchors[:, 2:] - anchors[:, :2] + 1, truths[:, 2:] - truths[:, :2] + 1
    pm, gm = (anchors[:, 2:] + anchors[:, :2]) / 2, (truths[:, 2:] + truths[:, :2]) / 2
    return (np.concatenate([(gm - pm) / ps, np.log(gs / ps)], 1) - means) / stds


def box_decode(anchors: Any, deltas: Any, max_shape: Any, means: Any, stds: Any, clip: float) -> Any:
    d = deltas * np.asarray(stds) + np.asarray(means)
    size = anchors[:, 2:] - anchors[:, :2] + 1
    middle = (anchors[:, 2:] + anchors[:, :2]) / 2 + size * d[:, :2]
    most = abs(math.log(clip))
    size = size * np.exp(np.clip(d[:, 2:], -most, most))
    out = np.concatenate([middle - size / 2 + 0.5, middle + size / 2 - 0.5], 1)
    return np.clip(out, 0, [max_shape[1], max_shape[0]] * 2)


def suppress(boxes: Any, threshold: float) -> Any:
    """Greedily, of boxes in order."""
    stay: list[int] = []
    for i, box in enumerate(boxes):
        shared = [overlap(boxes[j], box, 0) for j in stay]
        if all(s / (area(boxes[j], 0) + area(box, 0) - s) <= threshold for j, s in zip(stay, shared)):
            stay.append(i)
    return stay


def nms_with_mask(boxes: Any, threshold: float) -> Any:
    ordered = boxes[np.argsort(-boxes[:, 4], kind="stable")]
    mask = np.zeros(len(boxes), bool)
    mask[suppress(ordered, threshold)] = True
    return ordered, np.arange(len(boxes)), mask


def reflect(at: float, size: int, corners: bool) -> float:
    low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
    if low == high:
        return 0.0
    while not low <= at <= high:
        at = 2 * low - at if at < low else 2 * high - at
    return min(max(at, 0.0), size - 1.0)


def read_at(image: Any, at: Any, kind: str, zeros: bool, index: Any = None) -> Any:
    """The last axes of an image interpolated at one point."""
    axes = len(at)
    out = np.zeros(image.shape[:-axes])
    taps = [weights_at(place, kind) for place in at]
    for places in np.ndindex(*(len(tap) for tap in taps)):
        chosen = [[*tap.items()][i] for tap, i in zip(taps, places)]
        cell, weight = [place for place, _ in chosen], np.prod([w for _, w in chosen])
        sizes = image.shape[-axes:]
        if zeros and not all(0 <= place < size for place, size in zip(cell, sizes)):
            continue
        cell = [int((index or (lambda i, n: min(max(i, 0), n - 1)))(place, size)) for place, size in zip(cell, sizes)]
        out = out + weight * image[(..., *cell)]
    return out


def grid_sample(x: Any, grid: Any, mode: str, padding: str, corners: Any) -> Any:
    sizes = x.shape[2:]
    out = np.zeros((*x.shape[:2], *grid.shape[1:-1]))

    def inside(at: float, size: int) -> float:
        if padding == "border":
            return min(max(at, 0), size - 1)
        return at if padding == "zeros" else reflect(at, size, bool(corners))

    for n, *point in np.ndindex(x.shape[0], *grid.shape[1:-1]):
        at = [
            (c + 1) / 2 * (size - 1) if corners else ((c + 1) * size - 1) / 2
            for c, size in zip(grid[(n, *point)][::-1].astype(np.float64), sizes)
        ]
        if mode != "bicubic":
            at = [inside(place, size) for place, size in zip(at, sizes)]
        if mode == "nearest":
            at = [float(np.rint(place)) for place in at]
        kind = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
        out[(n, slice(None), *point)] = read_at(x[n], at, kind, padding == "zeros", inside if mode == "bicubic" else None)
    return out


def affine_grid(theta: Any, size: Any, corners: bool) -> Any:
    axes = theta.shape[1]
    out = np.zeros((size[0], *size[2:], axes))
    for n, *point in np.ndindex(size[0], *size[2:]):
        at = []
        for i, count in zip(point, size[2:]):
            at.append((2 * i / (count - 1) - 1 if count > 1 else 0) if corners else (2 * i + 1) / count - 1)
        out[(n, *point)] = theta[n] @ [*at[::-1], 1]
    return out


def crop_and_resize(image: Any, boxes: Any, indices: Any, crop: Any, method: str, fill: float) -> Any:
    out = np.zeros((len(boxes), *crop, image.shape[3]))
    for k, i, j in np.ndindex(len(boxes), *crop):
        at = []
        for place, new, old, first, last in zip((i, j), crop, image.shape[1:3], boxes[k][:2], boxes[k][2:]):
            if method == "bilinear_v2":
                begin, end = int(first * old), int(last * old)
                size = max(end - begin + 1, 1)
                inner = min(max((place + 0.5) * size / new - 0.5, 0), size - 1)
                at.append(min(max(begin + inner, 0), old - 1))
            elif new > 1:
                at.append(first * (old - 1) + place * (last - first) * (old - 1) / (new - 1))
            else:
                at.append((first + last) / 2 * (old - 1))
        picture = np.moveaxis(image[indices[k]].astype(np.float64), 2, 0)
        if any(not 0 <= place <= old - 1 for place, old in zip(at, image.shape[1:3])):
            out[k, i, j] = fill
        elif method == "nearest":
            out[k, i, j] = picture[(slice(None), *(math.floor(place + 0.5) for place in at))]
        else:
            out[k, i, j] = read_at(picture, at, "linear", False)
    return out


def roi_align(x: Any, rois: Any, rows: int, columns: int, scale: float, samples: int, end: int) -> Any:
    out = np.zeros((len(rois), x.shape[1], rows, columns))
    for k, i, j in np.ndindex(len(rois), rows, columns):
        x0, y0, x1, y1 = rois[k, 1:] * scale
        width, height = x1 + end * scale - x0, y1 + end * scale - y0
        if not end:
            width, height = max(width, 1), max(height, 1)
        down, across = (samples,) * 2 if samples > 0 else (math.ceil(height / rows), math.ceil(width / columns))
        for a, b in np.ndindex(max(down, 0), max(across, 0)):
            at = [y0 + (i + (a + 0.5) / down) * height / rows, x0 + (j + (b + 0.5) / across) * width / columns]
            if all(-1 <= place <= size for place, size in zip(at, x.shape[2:])):
                at = [min(max(place, 0), size - 1) for place, size in zip(at, x.shape[2:])]
                out[k, :, i, j] += read_at(x[int(rois[k, 0])], at, "linear", False) / (down * across)
    return out


def deformable_offsets(x: Any, offsets: Any, strides: Any, pads: Any, kernel: Any, dilations: Any, groups: int) -> Any:
    n, c = x.shape[:2]
    rows, columns = offsets.shape[2:]
    moves = offsets.reshape(n, 3, groups, *kernel, rows, columns)
    out = np.zeros((n, c, rows, kernel[0], columns, kernel[1]))
    for b, ch, i, p, j, q in np.ndindex(*out.shape):
        right, down, factor = moves[b, :, ch * groups // c, p, q, i, j]
        at = [i * strides[2] + p * dilations[2] - pads[0] + down, j * strides[3] + q * dilations[3] - pads[2] + right]
        out[b, ch, i, p, j, q] = read_at(x[b, ch], at, "linear", True) * factor
    return out.reshape(n, c, rows * kernel[0], columns * kernel[1])


def deformable_conv(
    x: Any, weight: Any, offsets: Any, strides: Any, pads: Any, bias: Any, dilations: Any, groups: int, moved: int
) -> Any:
    n, c = x.shape[:2]
    rows, columns = offsets.shape[2:]
    read = deformable_offsets(x, offsets, strides, pads, weight.shape[2:], dilations, moved)
    read = read.reshape(n, groups, c // groups, rows, weight.shape[2], columns, weight.shape[3])
    parts = weight.reshape(groups, -1, *weight.shape[1:])
    out = np.einsum("ngcrpsq,gocpq->ngors", read, parts).reshape(n, -1, rows, columns)
    return out if bias is None else out + bias[:, None, None]


def pair(value: Any, axes: int = 2) -> Any:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * axes


def windows_of(x: Any, kernel: Any, dilation: Any, stride: Any) -> Any:
    """The windows over the last axes: (..., *taps, *windows)."""
    axes = len(kernel)
    counts = [(size - (k - 1) * d - 1) // s + 1 for size, k, d, s in zip(x.shape[-axes:], kernel, dilation, stride)]
    out = np.zeros((*x.shape[:-axes], *kernel, *counts), x.dtype)
    for tap in np.ndindex(*kernel):
        places = [slice(t * d, t * d + (n - 1) * s + 1, s) for t, d, n, s in zip(tap, dilation, counts, stride)]
        out[(..., *tap, *[slice(None)] * axes)] = x[(..., *places)]
    return out


def unfold(x: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    pads = [(0, 0)] * (x.ndim - 2) + [(p, p) for p in pair(padding)]
    out = windows_of(np.pad(x, pads), pair(kernel), pair(dilation), pair(stride))
    return out.reshape(*x.shape[:-3], math.prod(out.shape[-5:-2]), math.prod(out.shape[-2:]))


def fold(x: Any, size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    channels = x.shape[-2] // math.prod(pair(kernel))
    lead = x.shape[:-2]
    numbers = np.arange(channels * math.prod(pair(size))).reshape(channels, *pair(size)) + 1
    where = unfold(numbers, kernel, dilation, padding, stride)  # which element each column holds; 0 is padding
    out = np.zeros((*lead, numbers.size + 1), x.dtype)
    for index in np.ndindex(*x.shape):
        out[(*index[:-2], where[index[-2:]])] += x[index]
    return out[..., 1:].reshape(*lead, *numbers.shape)


def patches(x: Any, kernel: Any, strides: Any, rates: Any, padding: str) -> Any:
    axes = x.ndim - 2
    pads = [(0, 0), (0, 0)]
    for size, k, s, d in zip(x.shape[2:], kernel[2:], strides[2:], rates[2:]):
        lacking = max((math.ceil(size / s) - 1) * s + (k - 1) * d + 1 - size, 0) if padding.lower() == "same" else 0
        pads.append((lacking // 2, lacking - lacking // 2))
    out = windows_of(np.pad(x, pads), kernel[2:], rates[2:], strides[2:])
    out = np.moveaxis(out, 1, 1 + axes)
    return out.reshape(len(x), -1, *out.shape[2 + axes :])


def corners(box: Any) -> Any:
    a, b, c, d = (float(x) for x in box)
    return np.array([min(a, c), min(b, d), max(a, c), max(b, d)])


def select_boxes(boxes: Any, scores: Any, most: int, threshold: float, least: float) -> Any:
    order = [i for i in np.argsort(-scores, kind="stable") if scores[i] > least]
    stay = suppress([corners(boxes[i]) for i in order], threshold)
    return np.array([order[i] for i in stay][: max(most, 0)])


def select_by_overlaps(overlaps: Any, scores: Any, most: int, threshold: float, least: float) -> Any:
    stay: list[int] = []
    for i in np.argsort(-scores, kind="stable"):
        if scores[i] > least and not any(overlaps[i, j] > threshold for j in stay):
            stay.append(int(i))
    return np.array(stay[:most])


def combined(
    boxes: Any, scores: Any, per_class: int, total: int, threshold: float, least: float, padded: bool, clip: bool
) -> Any:
    n, _, classes = scores.shape
    room = min(total, per_class * classes) if padded else total
    places, values, kinds = np.zeros((n, room, 4)), np.zeros((n, room)), np.zeros((n, room))
    counts = []
    for i in range(n):
        found = []
        for k in range(classes):
            of_class = boxes[i, :, k if boxes.shape[2] > 1 else 0]
            for j in select_boxes(of_class, scores[i, :, k], per_class, threshold, least):
                found.append((-scores[i, j, k], k, of_class[j]))
        found = sorted(found, key=lambda one: one[0])[:room]
        counts.append(len(found))
        for row, (score, k, box) in enumerate(found):
            places[i, row] = np.clip(box, 0, 1) if clip else box
            values[i, row], kinds[i, row] = -score, k
    return places, values, kinds, np.array(counts)


def rgb_to_hsv(image: Any) -> Any:
    out = np.zeros(image.shape)
    for at in np.ndindex(*image.shape[:-1]):
        r, g, b = image[at].astype(np.float64)
        value, spread = max(r, g, b), max(r, g, b) - min(r, g, b)
        if spread == 0:
            hue = 0.0
        elif r == value:
            hue = ((g - b) / spread) % 6 / 6
        else:
            hue = ((b - r) / spread + 2) / 6 if g == value else ((r - g) / spread + 4) / 6
        out[at] = hue, spread / value if value > 0 else 0, value
    return out


def hsv_to_rgb(image: Any) -> Any:
    out = np.zeros(image.shape)
    for at in np.ndindex(*image.shape[:-1]):
        hue, saturation, value = image[at].astype(np.float64)
        sector, part = int(hue * 6), hue * 6 - int(hue * 6)
        low, falling, rising = (1 - s for s in (saturation, saturation * part, saturation * (1 - part)))
        rgb = [(1, rising, low), (falling, 1, low), (low, 1, rising), (low, falling, 1), (rising, low, 1), (1, low, falling)]
        out[at] = np.array(rgb[sector % 6]) * value
    return out


def kernel_value(kind: str, x: float) -> float:
    x = abs(x)
    if kind.startswith("lanczos"):
        radius = int(kind[7:])
        return float(np.sinc(x) * np.sinc(x / radius)) if x <= radius else 0
    if kind == "gaussian":
        return math.exp(-2 * x * x) if x <= 1.5 else 0
    if kind == "box":
        return 1 if x < 0.5 else 0.5 if x == 0.5 else 0
    if kind == "triangle":
        return max(1 - x, 0)
    b, c = (0, 0.5) if kind == "keyscubic" else (1 / 3, 1 / 3)
    if x < 1:
        return ((12 - 9 * b - 6 * c) * x**3 + (-18 + 12 * b + 6 * c) * x**2 + 6 - 2 * b) / 6
    return (-(b + 6 * c) * x**3 + (6 * b + 30 * c) * x**2 - (12 * b + 48 * c) * x + 8 * b + 24 * c) / 6 if x < 2 else 0


def scale_and_translate(x: Any, size: Any, scale: Any, shift: Any, kind: str, antialias: bool) -> Any:
    y = x.astype(np.float64)
    for axis in (0, 1):
        old, step = x.shape[axis + 1], 1 / float(scale[axis])
        weights = np.zeros((size[axis], old))
        for i in range(size[axis]):
            at = (i + 0.5 - float(shift[axis])) * step
            if 0 <= at <= old:
                width = max(step, 1) if antialias else 1
                weights[i] = [kernel_value(kind, (j + 0.5 - at) / width) for j in range(old)]
                weights[i] /= weights[i].sum() or 1
        y = np.moveaxis(np.tensordot(weights, y, (1, axis + 1)), 0, axis + 1)
    return y


def glimpses(x: Any, size: Any, offsets: Any, centered: bool, normalized: bool) -> Any:
    out = np.zeros((len(x), *size, x.shape[3]))
    for n, i, j in np.ndindex(len(x), *size):
        cell = []
        for place, at, old, new in zip((i, j), offsets[n], x.shape[1:3], size):
            at = at * (old if normalized else 1)
            at = at / 2 + old / 2 if centered else at
            cell.append(int(at - new / 2) + place)
        if 0 <= cell[0] < x.shape[1] and 0 <= cell[1] < x.shape[2]:
            out[n, i, j] = x[n, cell[0], cell[1]]
    return out


def deformable_attention(value: Any, shape: Any, offset: Any, locations: Any, weight: Any) -> Any:
    n, queries, heads = weight.shape[:3]
    out = np.zeros((n, queries, heads, value.shape[3]))
    for b, q, head, i, p in np.ndindex(*weight.shape):
        height, width = shape[i]
        picture = value[b, offset[i] : offset[i] + height * width, head].astype(np.float64).T.reshape(-1, height, width)
        x, y = locations[b, q, head, i, p].astype(np.float64)
        out[b, q, head] += weight[b, q, head, i, p] * read_at(picture, [y * height - 0.5, x * width - 0.5], "linear", True)
    return out.reshape(n, queries, -1)


def region_means(x: Any, rois: Any, scale: float, group: int, channels: int) -> Any:
    n, _, count = rois.shape
    out = np.zeros((n * count, channels, group, group))
    for k, channel, i, j in np.ndindex(*out.shape):
        which, x0, y0, x1, y1 = rois[k // count, :, k % count]
        cuts = []
        for first, last, cell, size in ((y0, y1, i, x.shape[2]), (x0, x1, j, x.shape[3])):
            start, end = math.floor(first * scale + 0.5), math.floor(last * scale + 0.5)
            step = max(end - start, 0.1) / group
            cuts.append(slice(max(math.floor(start + cell * step), 0), min(math.ceil(start + (cell + 1) * step), size)))
        cut = x[int(which), (channel * group + i) * group + j][tuple(cuts)]
        out[k, channel, i, j] = cut.mean() if cut.size else 0
    return out
