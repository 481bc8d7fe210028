"""Steps of optimizers on rows: `indices` says to which row of the Parameters each row of the gradient belongs. The rules are
those of optimizers.py. FusedSparse* add up gradients of one row; of SparseApply* the last one of a row counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions import optimizers as rules
from emberjit.functions.sorting import unique_by_value
from emberjit.publish.registry import publish

_ops = core.op_table


def _on_rows(states: tuple[Any, ...], grad: Any, indices: Any, rule: Callable[..., Any], merge: bool = False) -> Any:
    """Writes the rows that a rule gives of the states' rows and the gradient; returns the states."""
    if merge:
        indices, which = unique_by_value(indices, True, True)
        sums = _ops["zeros"]((indices.shape[0], *grad.shape[1:]), grad.dtype)
        grad = _ops["index_add"](sums, which, grad, 0)
    found = rule(*(_ops["gather"](state, indices, 0) for state in states), grad)
    for state, rows in zip(states, found):
        kept = state + 0
        kept[indices] = _ops["cast"](rows, state.dtype)
        _ops["assign"](state, kept)
    return tuple(_ops["identity"](state) for state in states)


@publish("ops.SparseApplyAdagrad(lr, update_slots, use_locking)(var, accum, grad, indices)", in_python=True)
def adagrad_of_rows(
    var: Any, accum: Any, grad: Any, indices: Any, lr: float, update_slots: bool = True, use_locking: bool = False
) -> Any:
    """A step of Adagrad on rows.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, accum), grad, indices, lambda w, a, g: rules._adagrad(w, a, lr, g, 0.0, update_slots))


@publish("ops.SparseApplyAdagradV2(lr, epsilon, use_locking, update_slots)(var, accum, grad, indices)", in_python=True)
def adagrad_with_epsilon_of_rows(
    var: Any,
    accum: Any,
    grad: Any,
    indices: Any,
    lr: float,
    epsilon: float,
    use_locking: bool = False,
    update_slots: bool = True,
) -> Any:
    """A step of Adagrad on rows, with epsilon added to the root.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, accum), grad, indices, lambda w, a, g: rules._adagrad(w, a, lr, g, epsilon, update_slots))


def _ftrl(lr: Any, l1: Any, l2: Any, lr_power: Any) -> Callable[..., Any]:
    return lambda w, a, z, g: rules._ftrl(w, a, z, g, lr, l1, l2, lr_power)


@publish("ops.SparseApplyFtrl(lr, l1, l2, lr_power, use_locking)(var, accum, linear, grad, indices)", in_python=True)
def ftrl_of_rows(
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    lr: float,
    l1: float,
    l2: float,
    lr_power: float,
    use_locking: bool = False,
) -> Any:
    """A step of FTRL on rows.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, accum, linear), grad, indices, _ftrl(lr, l1, l2, lr_power))


@publish("ops.FusedSparseFtrl(lr, l1, l2, lr_power, use_locking)(var, accum, linear, grad, indices)", in_python=True)
def merged_ftrl(
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    lr: float,
    l1: float,
    l2: float,
    lr_power: float,
    use_locking: bool = False,
) -> Any:
    """A step of FTRL on rows, whose gradients are added up.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, accum, linear), grad, indices, _ftrl(lr, l1, l2, lr_power), True)


def _proximal(lr: Any, l1: Any, l2: Any) -> Callable[..., Any]:
    return lambda w, a, g: rules._proximal_adagrad(w, a, lr, l1, l2, g)


@publish("ops.SparseApplyProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad, indices)", in_python=True)
def proximal_adagrad_of_rows(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, use_locking: bool = False
) -> Any:
    """A step of proximal Adagrad on rows.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, accum), grad, indices, _proximal(lr, l1, l2))


@publish("ops.FusedSparseProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad, indices)", in_python=True)
def merged_proximal_adagrad(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, use_locking: bool = False
) -> Any:
    """A step of proximal Adagrad on rows, whose gradients are added up.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, accum), grad, indices, _proximal(lr, l1, l2), True)


@publish("ops.SparseApplyRMSProp(rho, momentum, epsilon, use_locking)(var, ms, mom, lr, grad, indices)", in_python=True)
def rmsprop_of_rows(
    var: Any,
    ms: Any,
    mom: Any,
    lr: Any,
    grad: Any,
    indices: Any,
    rho: float,
    momentum: float,
    epsilon: float,
    use_locking: bool = False,
) -> Any:
    """A step of RMSProp on rows.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows((var, ms, mom), grad, indices, lambda w, s, m, g: rules._rmsprop(w, s, m, lr, g, rho, momentum, epsilon))


@publish("ops.SparseApplyAdadelta(epsilon, use_locking)(var, accum, accum_update, lr, rho, grad, indices)", in_python=True)
def adadelta_of_rows(
    var: Any,
    accum: Any,
    accum_update: Any,
    lr: Any,
    rho: Any,
    grad: Any,
    indices: Any,
    epsilon: float,
    use_locking: bool = False,
) -> Any:
    """A step of Adadelta on rows.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    states = (var, accum, accum_update)
    return _on_rows(states, grad, indices, lambda w, a, u, g: rules._adadelta(w, a, u, lr, rho, epsilon, g))


def _adam(powers: tuple[Any, Any], lr: Any, betas: tuple[Any, Any], epsilon: Any, nesterov: bool) -> Callable[..., Any]:
    def rule(var: Any, m: Any, v: Any, grad: Any) -> Any:
        step, first, second = rules._adam_step(m, v, *powers, lr, betas, epsilon, grad, nesterov)
        return var - step, first, second

    return rule


_ADAM = "(use_locking, use_nesterov)(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices)"


@publish(f"ops.FusedSparseLazyAdam{_ADAM}", in_python=True)
def lazy_adam(
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    gradient: Any,
    indices: Any,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Any:
    """A step of Adam on rows, whose gradients are added up; other rows keep their moments.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    rule = _adam((beta1_power, beta2_power), lr, (beta1, beta2), epsilon, use_nesterov)
    return _on_rows((var, m, v), gradient, indices, rule, True)


@publish(f"ops.FusedSparseAdam{_ADAM}", in_python=True)
def sparse_adam(
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    gradient: Any,
    indices: Any,
    use_locking: bool = False,
    use_nesterov: bool = False,
) -> Any:
    """A step of Adam with the gradient that has `gradient`'s rows, added up, at indices, and zeros elsewhere.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    whole = _ops["index_add"](_ops["zeros"](var.shape, gradient.dtype), indices, gradient, 0)
    return rules.adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, whole, False, use_nesterov)
