"""Products with Jacobians (vjp, jvp), whole Jacobians (jacrev, jacfwd) and derivatives along a curve (jet).

jvp differentiates a vjp, which is linear in the cotangent, with respect to that cotangent: the vjp of the vjp
pushes tangents forward (J. Townsend, "A new trick for calculating Jacobian vector products", 2017). So there is
one set of gradient rules, and each transform may be applied to the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import COMPLEXES
from emberjit.transforms.gradient import check_cotangents, check_parameters, check_positions
from emberjit.transforms.linearise import Linearised, Positions, linearise
from emberjit.transforms.vmap import vmap
from emberjit.values import tree
from emberjit.values.tree import tensors, with_tensors

_ops = core.ops
Linear = Callable[[Sequence[Any]], list[Any]]


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> tuple[Any, ...]:
    """fn's results, and the function that pulls cotangents of them back to gradients.

    Args:
        fn: a function or Cell over Tensors.
        inputs: its arguments.
        weights: Parameters to differentiate by as well: one, or a tuple or list.
        has_aux: only the first result is differentiated.

    Returns:
        (results, vjp_fn), with has_aux (first result, vjp_fn, the others). vjp_fn takes a cotangent for each result and
        returns a tuple of the gradients by inputs; with weights, (that, the gradients by weights).

    Raises:
        TypeError: an input is no Tensor, or has_aux no bool.
        ValueError: a cotangent has the wrong shape.

    Examples:
        >>> value, pull = ms.vjp(lambda x: x**3, Tensor([1.0, 2.0]))
        >>> print(value)
        [1. 8.]
        >>> print(pull(Tensor([1.0, 1.0]))[0])
        [ 3. 12.]
    """
    _check_inputs(inputs)
    _check_has_aux(has_aux)
    parameters = check_parameters(weights)
    linearised = linearise(fn, inputs, {}, tuple(range(len(inputs))), parameters or [], has_aux)

    def vjp_fn(*v: Any) -> Any:
        _check_inputs(v)
        by_input, by_weight = linearised.pull(check_cotangents(linearised.outputs, list(tree.leaves(v))))
        if parameters is None:
            return tuple(by_input)
        return tuple(by_input), by_weight[0] if isinstance(weights, core.Tensor) else tuple(by_weight)

    if core.current_capture() is not None:
        vars(vjp_fn)["of_graph"] = True
    return (linearised.value[0], vjp_fn, _aux(linearised.value)) if has_aux else (linearised.value, vjp_fn)


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """fn's results at `inputs`, and how they change when those change along v.

    Args:
        fn: a function or Cell over Tensors.
        inputs: its argument, or a tuple or list of its arguments.
        v: the tangents, as inputs.
        has_aux: only the first result is differentiated.

    Returns:
        (results, their tangents), with has_aux (first result, its tangent, the others).

    Raises:
        TypeError: an input is neither a Tensor nor a tuple or list, or has_aux no bool.
        ValueError: v has another length or shape than inputs.

    Examples:
        >>> value, tangent = ms.jvp(lambda x: x**3, Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))
        >>> print(value, tangent)
        [1. 8.] [  3. 120.]
    """
    _check_has_aux(has_aux)
    args, tangents = _several(inputs), _several(v)
    along = _tangents(args, tangents)
    linearised = linearise(fn, args, {}, tuple(range(len(args))), (), has_aux)
    pushed = _pushforward(linearised)(along)
    value = linearised.value[0] if has_aux else linearised.value
    moved = with_tensors(value, pushed)
    return (value, moved, _aux(linearised.value)) if has_aux else (value, moved)


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[[Any], Any]]:
    """fn's results at `inputs`, and the function from v, as inputs, to how they change along v: jvp to be called often.

    Args:
        fn: a function or Cell over Tensors.
        inputs: its argument, or a tuple or list of its arguments.

    Returns:
        (results, jvp_fn). jvp_fn takes the tangents, as inputs, and returns those of the results.

    Raises:
        TypeError: an input is neither a Tensor nor a tuple or list.
        ValueError: v has another length or shape than inputs.

    Examples:
        >>> value, push = ops.linearize(lambda x: x**3, Tensor([1.0, 2.0]))
        >>> print(push(Tensor([1.0, 10.0])))
        [  3. 120.]
    """
    args = _several(inputs)
    linearised = linearise(fn, args, {}, tuple(range(len(args))))
    push = _pushforward(linearised)

    def jvp_fn(v: Any) -> Any:
        return with_tensors(linearised.value, push(_tangents(args, _several(v))))

    return linearised.value, jvp_fn


def jacrev(fn: Callable[..., Any], grad_position: int | Positions = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that computes fn's Jacobian, row by row from its results back.

    Args:
        fn: a function or Cell over Tensors.
        grad_position: the arguments to differentiate by: an int or a tuple of ints.
        has_aux: only the first result is differentiated.

    Returns:
        A function of fn's arguments. Its result has the shape of fn's followed by that of the argument; there is a tuple
        of such for several results, or for several arguments, and a tuple of tuples, by results first, for both. With
        has_aux: (that, the other results). Of complex results it is complex.

    Raises:
        TypeError: an argument to differentiate by is complex: one number would not be its derivative.
        TypeError, ValueError: as MindSpore's for unusable arguments.

    Examples:
        >>> print(ms.jacrev(lambda x: x**2)(Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """

    def rows(linearised: Linearised, by: Sequence[Any]) -> list[list[Any]]:
        blocks = []
        for k, output in enumerate(linearised.outputs):
            stacked = _of_basis(_row_of(linearised, k), linearised.outputs, k)
            blocks.append([_ops.reshape(s, (*output.shape, *x.shape)) for s, x in zip(stacked, by)])
        return blocks

    return _jacobian("jacrev", fn, grad_position, has_aux, rows)


def jacfwd(fn: Callable[..., Any], grad_position: int | Positions = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that computes fn's Jacobian as jacrev does, but column by column from the arguments forward.

    Args:
        fn: a function or Cell over Tensors.
        grad_position: the arguments to differentiate by: an int or a tuple of ints.
        has_aux: only the first result is differentiated.

    Returns:
        A function of fn's arguments, with the same results as jacrev's.

    Raises:
        TypeError: an argument to differentiate by is complex: one number would not be its derivative.
        TypeError, ValueError: as MindSpore's for unusable arguments.

    Examples:
        >>> print(ms.jacfwd(lambda x: x**2)(Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """

    def columns(linearised: Linearised, by: Sequence[Any]) -> list[list[Any]]:
        push = _pushforward(linearised)
        blocks: list[list[Any]] = [[] for _ in linearised.outputs]
        for k, x in enumerate(by):
            for row, stacked in zip(blocks, _of_basis(push, by, k)):
                last = _ops.transpose(stacked, (*range(1, stacked.ndim), 0))
                row.append(_ops.reshape(last, (*last.shape[:-1], *x.shape)))
        return blocks

    return _jacobian("jacfwd", fn, grad_position, has_aux, columns)


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple[Any, Any]:
    """Derivatives of fn along a curve.

    Args:
        fn: a function or Cell over Tensors.
        primals: its argument or a tuple of its arguments: where the curve starts. Those of ints become float32.
        series: for each argument the first to n-th derivative of the curve there, stacked along a new first axis.

    Returns:
        (fn's results, for each result its first to n-th derivative, stacked); lists for several results.

    Raises:
        TypeError, ValueError: primals and series do not fit each other.

    Examples:
        >>> value, derivatives = ops.jet(ops.exp, Tensor([0.0]), Tensor([[1.0], [0.0]]))
        >>> print(value, derivatives[0], derivatives[1])
        [1.] [1.] [1.]
    """
    if not isinstance(primals, (core.Tensor, tuple)) or not isinstance(series, (core.Tensor, tuple)):
        raise TypeError("For 'F.jet', the 'primals' and `series` must be both Tensor or tuple.")
    starts, curves = (argument if isinstance(argument, tuple) else (argument,) for argument in (primals, series))
    if len(starts) != len(curves):
        raise ValueError("The lengths of primals and series must be the same.")
    starts = tuple(_real(start) for start in starts)
    derivatives = [list(_real(curve)) if curve.ndim > x.ndim else [_real(curve)] for x, curve in zip(starts, curves)]
    if any(d.shape != x.shape for x, curve in zip(starts, derivatives) for d in curve):
        raise ValueError("In series, the shape of each element must be the same as the primals.")
    value, by_result = _along(fn, starts, derivatives)
    stacked = [_ops.stack(tuple(of_result)) for of_result in by_result]
    return (list(value), stacked) if isinstance(value, (tuple, list)) else (value, stacked[0])


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    """fn's results, and their derivative of an order when all elements of its arguments grow alike.

    Args:
        fn: a function or Cell over Tensors.
        primals: its argument or a tuple of its arguments. Those of ints become float32.
        order: at least 1.

    Returns:
        (fn's results, their derivatives); lists for several results.

    Raises:
        TypeError, ValueError: order is no int, or below 1.

    Examples:
        >>> value, second = ops.derivative(lambda x: x**3, Tensor([2.0]), 2)
        >>> print(value, second)
        [8.] [12.]
    """
    if not isinstance(order, int):
        raise TypeError("For `F.derivative`, the type of order must be int.")
    if order < 1:
        raise ValueError(f"For `F.derivative`, value of order should not be less than 1, but got {order}.")
    starts = tuple(_real(x) for x in (primals if isinstance(primals, tuple) else (primals,)))
    curves = [[_ops.ones_like(x)] + [_ops.zeros_like(x)] * (order - 1) for x in starts]
    value, by_result = _along(fn, starts, curves)
    last = [of_result[-1] for of_result in by_result]
    return (list(value), last) if isinstance(value, (tuple, list)) else (value, last[0])


def _along(fn: Callable[..., Any], starts: Sequence[Any], curves: Sequence[Sequence[Any]]) -> tuple[Any, list[list[Any]]]:
    """fn's results on the curve at time 0, and for each result its derivatives by time, by one jvp inside another."""
    order = max(len(curve) for curve in curves)
    returned: Any = None

    def results(time: Any) -> tuple[Any, ...]:
        nonlocal returned
        returned = fn(*(_ops.taylor_polynomial(x, time, tuple(curve)) for x, curve in zip(starts, curves)))
        return tuple(tensors(returned))

    def with_next(lower: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], tuple[Any, ...]]:
        def higher(time: Any) -> tuple[Any, ...]:
            values, tangents = jvp(lower, time, _ops.ones_like(time))
            return (*values, *tangents[-len(tensors(returned)) :])

        return higher

    computed: Callable[[Any], tuple[Any, ...]] = results
    for _ in range(order):
        computed = with_next(computed)
    flat = computed(_ops.zeros((), starts[0].dtype))
    count = len(flat) // (order + 1)
    return with_tensors(returned, flat[:count]), [list(flat[i + count :: count]) for i in range(count)]


def _real(x: Any) -> Any:
    return _ops.cast(x, core.float32) if x.dtype in (core.int32, core.int64) else x


def _several(value: Any) -> Sequence[Any]:
    if not isinstance(value, (core.Tensor, tuple, list)):
        raise TypeError("The inputs type must be a Tensor, tuple or list of Tensors.")
    return (value,) if isinstance(value, core.Tensor) else value


def _tangents(args: Sequence[Any], v: Sequence[Any]) -> list[Any]:
    if len(args) != len(v):
        raise ValueError(f"v has invalid length: should be {len(args)}, but got {len(v)}")
    return check_cotangents(tensors(args), tensors(v))


def _pushforward(linearised: Linearised) -> Linear:
    """Tangents of what was differentiated by, as a flat list, to those of the outputs."""
    start = [_ops.zeros_like(output) for output in linearised.outputs]
    back = linearise(lambda *u: tensors(linearised.pull(u)[0]), start, {}, tuple(range(len(start))))
    return lambda tangents: tensors(back.pull(tangents)[0])


def _of_basis(linear: Linear, likes: Sequence[Any], k: int) -> list[Any]:
    """What a linear function makes of each unit vector of its k-th argument, stacked; the other arguments are zeros."""
    size = likes[k].size
    basis = _ops.reshape(_ops.eye(size, size, likes[k].dtype), (size, *likes[k].shape))
    zeros = [_ops.zeros_like(x) for x in likes]

    def of_unit(unit: Any) -> tuple[Any, ...]:
        return tuple(linear([*zeros[:k], unit, *zeros[k + 1 :]]))

    if core.current_capture() is not None:
        return list(vmap(of_unit)(basis))
    return [_ops.stack(column) for column in zip(*(of_unit(basis[i]) for i in range(size)))]


def _row_of(linearised: Linearised, k: int) -> Linear:
    """From cotangents, of which the k-th is real, to the Jacobian's row: a complex result's imaginary part has its own."""

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        return tensors(linearised.pull(cotangents)[0])

    def of_both_parts(cotangents: Sequence[Any]) -> list[Any]:
        turned = [*cotangents[:k], cotangents[k] * 1j, *cotangents[k + 1 :]]
        return [_ops.complex(re, im) for re, im in zip(pull(cotangents), pull(turned))]

    return of_both_parts if linearised.outputs[k].dtype in COMPLEXES else pull


def _jacobian(
    name: str,
    fn: Callable[..., Any],
    grad_position: int | Positions,
    has_aux: bool,
    compute: Callable[[Linearised, Sequence[Any]], list[list[Any]]],
) -> Callable[..., Any]:
    _check_has_aux(has_aux)
    positions = check_positions(grad_position)

    @functools.wraps(fn, updated=())
    def jacobian(*args: Any) -> Any:
        if any(position >= len(args) for position in positions):
            raise ValueError("The element in grad_position must belong to [0, args_num).")
        by = tensors([args[i] for i in positions])
        if any(x.dtype in COMPLEXES for x in by):
            raise TypeError(
                f"For '{name}', an argument to differentiate by is complex, and by the two parts of that a function may "
                "change in ways that one number does not tell: take jvp or vjp, or give the parts."
            )
        linearised = linearise(fn, args, {}, positions, (), has_aux)
        blocks = compute(linearised, by)
        by_result = [row[0] if len(row) == 1 else tuple(row) for row in blocks]
        jac = by_result[0] if len(by_result) == 1 else tuple(by_result)
        return (jac, _aux(linearised.value)) if has_aux else jac

    return jacobian


def _aux(value: tuple[Any, ...]) -> Any:
    return value[1] if len(value) == 2 else value[1:]


def _check_inputs(inputs: Sequence[Any]) -> None:
    if not all(isinstance(item, (core.Tensor, tuple, list)) for item in inputs):
        raise TypeError("The inputs type must be Tensor.")


def _check_has_aux(has_aux: Any) -> None:
    if not isinstance(has_aux, bool):
        raise TypeError("The 'has_aux' must be bool type.")
