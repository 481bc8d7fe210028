"""Steps of optimizers on rows: `indices` says to which row of the Parameters each row of the gradient belongs. The rules are
those of rules.py. FusedSparse* add up gradients of one row; of SparseApply* the last one of a row counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.functions.optimiser_rules import rules
from emberjit.functions.sorting.sets import unique_by_value
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _check_tensors(function: str, **operands: Any) -> None:
    for name, operand in operands.items():
        check_instance(function, name, operand, core.Tensor)


def _on_rows(
    name: str, states: tuple[Any, ...], grad: Tensor, indices: Tensor, rule: Callable[..., Any], merge: bool = False
) -> Any:
    """Writes the rows that a rule gives of the states' rows and the gradient; returns the states."""
    _check_tensors(name, grad=grad, indices=indices)
    if merge:
        indices, inverse = unique_by_value(indices, True, True)
        sums = _ops.zeros((indices.shape[0], *grad.shape[1:]), grad.dtype)
        grad = _ops.index_add(sums, inverse, grad, 0)
    updates = rule(*(_ops.gather(state, indices, 0) for state in states), grad)
    for state, rows in zip(states, updates):
        kept = state + 0
        kept[indices] = _ops.cast(rows, state.dtype)
        _ops.assign(state, kept)
    return tuple(_ops.identity(state) for state in states)


@publish("ops.SparseApplyAdagrad(lr, update_slots, use_locking)(var, accum, grad, indices)", in_python=True)
def adagrad_of_rows(
    var: Any, accum: Any, grad: Any, indices: Any, lr: float, update_slots: bool = True, use_locking: bool = False
) -> Any:
    """A step of Adagrad on rows.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    rule = lambda w, a, g: rules._adagrad(w, a, lr, g, 0.0, update_slots)
    return _on_rows("SparseApplyAdagrad", (var, accum), grad, indices, rule)


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
    rule = lambda w, a, g: rules._adagrad(w, a, lr, g, epsilon, update_slots)
    return _on_rows("SparseApplyAdagradV2", (var, accum), grad, indices, rule)


def _ftrl(lr: Any, l1: Any, l2: Any, lr_power: Any, shrinkage: float = 0.0) -> Callable[..., Any]:
    return lambda w, a, z, g: rules._ftrl(w, a, z, g, lr, l1, l2, lr_power, shrinkage)


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
    return _on_rows("SparseApplyFtrl", (var, accum, linear), grad, indices, _ftrl(lr, l1, l2, lr_power))


@publish(
    "ops.SparseApplyFtrlV2(lr, l1, l2, l2_shrinkage, lr_power, use_locking)(var, accum, linear, grad, indices)",
    in_python=True,
)
def shrinking_ftrl_of_rows(
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    lr: float,
    l1: float,
    l2: float,
    l2_shrinkage: float,
    lr_power: float,
    use_locking: bool = False,
) -> Any:
    """A step of FTRL on rows, with the gradient of l2_shrinkage * var**2 beside grad.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    rule = _ftrl(lr, l1, l2, lr_power, l2_shrinkage)
    return _on_rows("SparseApplyFtrlV2", (var, accum, linear), grad, indices, rule)


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
    return _on_rows("FusedSparseFtrl", (var, accum, linear), grad, indices, _ftrl(lr, l1, l2, lr_power), True)


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
    return _on_rows("SparseApplyProximalAdagrad", (var, accum), grad, indices, _proximal(lr, l1, l2))


@publish("ops.FusedSparseProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad, indices)", in_python=True)
def merged_proximal_adagrad(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, use_locking: bool = False
) -> Any:
    """A step of proximal Adagrad on rows, whose gradients are added up.

    Args:
        use_locking: has no effect: the thread that asks for a step does it.
    """
    return _on_rows("FusedSparseProximalAdagrad", (var, accum), grad, indices, _proximal(lr, l1, l2), True)


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
    rule = lambda w, s, m, g: rules._rmsprop(w, s, m, lr, g, rho, momentum, epsilon)
    return _on_rows("SparseApplyRMSProp", (var, ms, mom), grad, indices, rule)


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
    rule = lambda w, a, u, g: rules._adadelta(w, a, u, lr, rho, epsilon, g)
    return _on_rows("SparseApplyAdadelta", states, grad, indices, rule)


def _adam(powers: tuple[Any, Any], lr: Any, betas: tuple[Any, Any], epsilon: Any, nesterov: bool) -> Callable[..., Any]:
    def rule(var: Tensor, m: Tensor, v: Tensor, grad: Tensor) -> Any:
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
    return _on_rows("FusedSparseLazyAdam", (var, m, v), gradient, indices, rule, True)


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
    _check_tensors("FusedSparseAdam", gradient=gradient, indices=indices)
    whole = _ops.index_add(_ops.zeros(var.shape, gradient.dtype), indices, gradient, 0)
    return rules.adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, whole, False, use_nesterov)
