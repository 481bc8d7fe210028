"""Steps of optimizers on rows: `indices` says to which row of the Parameters each row of the gradient belongs. The rules are
those of rules.py and adam_rules.py. FusedSparse* add up gradients of one row; of SparseApply* the last of a row counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_instance
from emberjit.functions.optimiser_rules import adam_rules, rules
from emberjit.functions.optimiser_rules.steps import publish_step
from emberjit.functions.sorting.sets import unique_by_value
from emberjit.publish.kinds import Tensor

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


@publish_step("ops.SparseApplyAdagrad(lr, update_slots, use_locking)(var, accum, grad, indices)")
def adagrad_of_rows(
    var: Any, accum: Any, grad: Any, indices: Any, lr: float, update_slots: bool = True, use_locking: bool = False
) -> Any:
    """A step of Adagrad on rows.

    Examples:
        >>> var, accum = Parameter(Tensor([[1.0], [2.0], [3.0]])), Parameter(ops.zeros((3, 1)))
        >>> _ = ops.SparseApplyAdagrad(lr=0.1)(var, accum, Tensor([[5.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.  1.9 3. ]
    """
    rule = lambda w, a, g: rules._adagrad(w, a, lr, g, 0.0, update_slots)
    return _on_rows("SparseApplyAdagrad", (var, accum), grad, indices, rule)


@publish_step("ops.SparseApplyAdagradV2(lr, epsilon, use_locking, update_slots)(var, accum, grad, indices)")
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

    Examples:
        >>> var, accum = Parameter(Tensor([[1.0], [2.0], [3.0]])), Parameter(ops.zeros((3, 1)))
        >>> _ = ops.SparseApplyAdagradV2(lr=0.1, epsilon=1e-6)(var, accum, Tensor([[5.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.  1.9 3. ]
    """
    rule = lambda w, a, g: rules._adagrad(w, a, lr, g, epsilon, update_slots)
    return _on_rows("SparseApplyAdagradV2", (var, accum), grad, indices, rule)


def _ftrl(lr: Any, l1: Any, l2: Any, lr_power: Any, shrinkage: float = 0.0) -> Callable[..., Any]:
    return lambda w, a, z, g: rules._ftrl(w, a, z, g, lr, l1, l2, lr_power, shrinkage)


@publish_step("ops.SparseApplyFtrl(lr, l1, l2, lr_power, use_locking)(var, accum, linear, grad, indices)")
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

    Examples:
        >>> var, accum, linear = (Parameter(x) for x in (ops.zeros((3, 1)), ops.ones((3, 1)), ops.zeros((3, 1))))
        >>> step = ops.SparseApplyFtrl(lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5)
        >>> _ = step(var, accum, linear, Tensor([[1.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [ 0.         -0.07071068  0.        ]
    """
    return _on_rows("SparseApplyFtrl", (var, accum, linear), grad, indices, _ftrl(lr, l1, l2, lr_power))


@publish_step("ops.SparseApplyFtrlV2(lr, l1, l2, l2_shrinkage, lr_power, use_locking)(var, accum, linear, grad, indices)")
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
        l2_shrinkage: the factor of that gradient.

    Examples:
        >>> var, accum, linear = (Parameter(x) for x in (ops.ones((3, 1)), ops.ones((3, 1)), ops.zeros((3, 1))))
        >>> step = ops.SparseApplyFtrlV2(lr=0.1, l1=0.0, l2=0.0, l2_shrinkage=0.1, lr_power=-0.5)
        >>> _ = step(var, accum, linear, Tensor([[1.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.         0.20804037 1.        ]
    """
    rule = _ftrl(lr, l1, l2, lr_power, l2_shrinkage)
    return _on_rows("SparseApplyFtrlV2", (var, accum, linear), grad, indices, rule)


@publish_step("ops.FusedSparseFtrl(lr, l1, l2, lr_power, use_locking)(var, accum, linear, grad, indices)")
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

    Examples:
        >>> var, accum, linear = (Parameter(x) for x in (ops.zeros((3, 1)), ops.ones((3, 1)), ops.zeros((3, 1))))
        >>> step = ops.FusedSparseFtrl(lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5)
        >>> _ = step(var, accum, linear, Tensor([[0.5], [0.5]]), Tensor([1, 1]))
        >>> print(var.asnumpy().ravel())
        [ 0.         -0.07071068  0.        ]
    """
    return _on_rows("FusedSparseFtrl", (var, accum, linear), grad, indices, _ftrl(lr, l1, l2, lr_power), True)


def _proximal(lr: Any, l1: Any, l2: Any) -> Callable[..., Any]:
    return lambda w, a, g: rules._proximal_adagrad(w, a, lr, l1, l2, g)


@publish_step("ops.SparseApplyProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad, indices)")
def proximal_adagrad_of_rows(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, use_locking: bool = False
) -> Any:
    """A step of proximal Adagrad on rows.

    Examples:
        >>> var, accum = Parameter(Tensor([[1.0], [2.0], [3.0]])), Parameter(ops.zeros((3, 1)))
        >>> _ = ops.SparseApplyProximalAdagrad()(var, accum, 0.1, 0.5, 0.0, Tensor([[5.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.   1.89 3.  ]
    """
    return _on_rows("SparseApplyProximalAdagrad", (var, accum), grad, indices, _proximal(lr, l1, l2))


@publish_step("ops.FusedSparseProximalAdagrad(use_locking)(var, accum, lr, l1, l2, grad, indices)")
def merged_proximal_adagrad(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, use_locking: bool = False
) -> Any:
    """A step of proximal Adagrad on rows, whose gradients are added up.

    Examples:
        >>> var, accum = Parameter(Tensor([[1.0], [2.0], [3.0]])), Parameter(ops.zeros((3, 1)))
        >>> grad, indices = Tensor([[2.0], [3.0]]), Tensor([1, 1])
        >>> _ = ops.FusedSparseProximalAdagrad()(var, accum, 0.1, 0.5, 0.0, grad, indices)
        >>> print(var.asnumpy().ravel())
        [1.   1.89 3.  ]
    """
    return _on_rows("FusedSparseProximalAdagrad", (var, accum), grad, indices, _proximal(lr, l1, l2), True)


@publish_step("ops.SparseApplyRMSProp(rho, momentum, epsilon, use_locking)(var, ms, mom, lr, grad, indices)")
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

    Examples:
        >>> var, square, moment = (Parameter(x) for x in (ops.ones((3, 1)), ops.zeros((3, 1)), ops.zeros((3, 1))))
        >>> step = ops.SparseApplyRMSProp(rho=0.75, momentum=0.0, epsilon=1e-10)
        >>> _ = step(var, square, moment, 0.1, Tensor([[1.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.  0.8 1. ]
    """
    rule = lambda w, s, m, g: rules._rmsprop(w, s, m, lr, g, rho, momentum, epsilon)
    return _on_rows("SparseApplyRMSProp", (var, ms, mom), grad, indices, rule)


@publish_step("ops.SparseApplyAdadelta(epsilon, use_locking)(var, accum, accum_update, lr, rho, grad, indices)")
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

    Examples:
        >>> var, accum, update = (Parameter(x) for x in (ops.ones((3, 1)), ops.zeros((3, 1)), ops.ones((3, 1))))
        >>> step = ops.SparseApplyAdadelta(epsilon=1e-6)
        >>> _ = step(var, accum, update, 0.1, 0.75, Tensor([[1.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.        0.8000003 1.       ]
    """
    states = (var, accum, accum_update)
    rule = lambda w, a, u, g: rules._adadelta(w, a, u, lr, rho, epsilon, g)
    return _on_rows("SparseApplyAdadelta", states, grad, indices, rule)


def _adam(powers: tuple[Any, Any], lr: Any, betas: tuple[Any, Any], epsilon: Any, nesterov: bool) -> Callable[..., Any]:
    def rule(var: Tensor, m: Tensor, v: Tensor, grad: Tensor) -> Any:
        step, first, second = adam_rules.adam_step(m, v, *powers, lr, betas, epsilon, grad, nesterov)
        return var - step, first, second

    return rule


_ADAM = "(use_locking, use_nesterov)(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices)"


@publish_step(f"ops.FusedSparseLazyAdam{_ADAM}")
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

    Examples:
        >>> var, m, v = (Parameter(x) for x in (ops.ones((3, 1)), ops.zeros((3, 1)), ops.zeros((3, 1))))
        >>> step = ops.FusedSparseLazyAdam()
        >>> _ = step(var, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([[5.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [1.         0.90000004 1.        ]
    """
    rule = _adam((beta1_power, beta2_power), lr, (beta1, beta2), epsilon, use_nesterov)
    return _on_rows("FusedSparseLazyAdam", (var, m, v), gradient, indices, rule, True)


@publish_step(f"ops.FusedSparseAdam{_ADAM}")
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

    Examples:
        >>> var, m, v = (Parameter(x) for x in (ops.ones((3, 1)), ops.ones((3, 1)), ops.ones((3, 1))))
        >>> step = ops.FusedSparseAdam()
        >>> _ = step(var, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([[5.0]]), Tensor([1]))
        >>> print(var.asnumpy().ravel())
        [0.97152525 0.95625    0.97152525]
    """
    _check_tensors("FusedSparseAdam", gradient=gradient, indices=indices)
    whole = _ops.index_add(_ops.zeros(var.shape, gradient.dtype), indices, gradient, 0)
    return adam_rules.adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, whole, False, use_nesterov)
