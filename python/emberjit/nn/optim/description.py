"""The text of an optimizer: its learning rate, its groups of Parameters, and the arguments that are not defaults. Rates are
read as they are now."""

from __future__ import annotations

import itertools
from typing import Any

from emberjit import _emberjit as core
from emberjit.nn.optim.groups import ConstantRate, ListedRate
from emberjit.printing import values


def described(optimizer: Any) -> str:
    """The text: one line, or with groups a line for each.

    Raises:
        CaptureError: code is being captured.
    """
    values.outside_captures(optimizer)
    name, fields = type(optimizer).__name__, optimizer.__dict__
    parameters = fields.get("parameters")
    if parameters is None:
        return f"{name}(...)"
    options = _options(optimizer)
    if not fields.get("is_group"):
        rates = [] if "optimizer" in fields.get("init_args", {}) else [f"learning_rate={_rate(optimizer.learning_rate)}"]
        return f"{name}({', '.join([*rates, _count(parameters), *options])})"
    lines = [_count(parameters), *options, *_groups(optimizer)]
    return "\n  ".join([f"{name}(", *lines]) + "\n)"


def _options(optimizer: Any) -> list[str]:
    """Arguments but Parameters and learning rate."""
    arguments = dict(optimizer.__dict__.get("init_args", {}))
    told = values.not_default(type(optimizer), arguments) if arguments else {}
    return [f"{name}={values.short(value)}" for name, value in told.items()]


def _count(parameters: Any) -> str:
    number = len(parameters)
    elements = sum(parameter.size for parameter in parameters)
    return f"{number} Parameter{'s' * (number != 1)} of {elements:,} element{'s' * (elements != 1)}"


def _groups(optimizer: Any) -> list[str]:
    """A line for each run of Parameters that are updated alike."""
    rows = zip(optimizer.group_params, optimizer.group_lr, optimizer.group_weight_decay, optimizer.group_grad_centralization)
    alike = itertools.groupby(rows, lambda row: (id(row[1]), id(row[2]) if callable(row[2]) else row[2], row[3]))
    lines = []
    for number, (_, members) in enumerate(alike):
        (_, rate, decay, centred), parameters = (group := list(members))[0], [row[0] for row in group]
        text = f"group {number}: {_count(parameters)}, lr={_rate(rate)}, weight_decay={values.short(decay)}"
        lines.append(text + ", grad_centralization=True" * centred)
    return lines


def _rate(rate: Any) -> str:
    if isinstance(rate, ConstantRate):
        rate = rate.learning_rate
    if isinstance(rate, ListedRate):
        return f"{rate.learning_rate.size} rates, one a step"
    return f"{rate.item():.6g}" if isinstance(rate, core.Parameter) else values.described(rate)
