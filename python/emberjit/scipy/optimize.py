"""Minima of functions, by MindSpore's names and SciPy's: quasi-Newton methods with a search along each direction for a point
that fulfils the strong Wolfe conditions, as Nocedal and Wright, Numerical Optimization, 2006, chapters 3, 6 and 7. They run
in Python."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from emberjit import _emberjit as core
from emberjit.checks import check_bool, check_instance, check_rank
from emberjit.mint import linalg
from emberjit.publish.kinds import FLOATS
from emberjit.transforms.gradient import value_and_grad

__all__ = ["line_search", "linear_sum_assignment", "minimize"]

_ops = core.ops
_ZOOMS = 10  # most trials within an interval
_CUBIC, _QUADRATIC = 0.2, 0.1  # how near to its ends, in parts of the interval, a trial of such a polynomial may be
_LEAST = 1e-8  # step in float32
_ALL = 2**63 - 1  # MindSpore's dimension_limit by default


class OptimizeResults(NamedTuple):
    """What minimize found: the point, whether the gradient is small there, why the search ended (0: it is; 1: maxiter; 2 and
    more: a search along a direction failed), the value, the gradient, the inverse Hessian as estimated (None of LBFGS), and
    how many values, gradients and iterations it took."""

    x: Any
    success: bool
    status: int
    fun: float
    jac: Any
    hess_inv: Any
    nfev: int
    njev: int
    nit: int


class LineSearchResults(NamedTuple):
    """What line_search found: whether it failed, iterations, values and gradients that it took, the next iteration's number,
    the step, the value and the gradient there, and why it ended (0: found; 1: not found in an interval; 3: maxiter)."""

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Any
    status: int


class _Point(NamedTuple):
    """A point on the line: the step, the value, its slope, and the gradient."""

    step: float
    value: float
    slope: float
    gradient: Any


class _Line:
    """A function along a direction, and how often it was computed."""

    def __init__(self, both: Callable[[Any], tuple[Any, Any]], x: core.Tensor, direction: core.Tensor):
        self.both, self.x, self.direction, self.count = both, x, direction, 0

    def at(self, step: float) -> _Point:
        self.count += 1
        value, gradient = self.both(self.x + step * self.direction)
        return self.point(step, float(value), gradient)

    def point(self, step: float, value: float, gradient: core.Tensor) -> _Point:
        return _Point(step, value, float((gradient * self.direction).sum()), gradient)


class _Search(NamedTuple):
    point: _Point
    failed: bool
    status: int
    rounds: int


def _search(line: _Line, first: _Point, step: float, c1: float, c2: float, most: int) -> _Search:
    """Goes on until a step, or an interval that has one, is found."""

    def outcome(point: _Point | None, rounds: int) -> _Search:
        if point is None:
            return _Search(first._replace(step=1.0), True, 1, rounds)
        return _Search(point, False, 0, rounds)

    before = first
    for rounds in range(1, most + 1):
        now = line.at(step)
        if now.value > first.value + c1 * step * first.slope or (rounds > 1 and now.value >= before.value):
            return outcome(_zoom(line, before, now, first, c1, c2), rounds)
        if abs(now.slope) <= -c2 * first.slope:
            return outcome(now, rounds)
        if now.slope >= 0:
            return outcome(_zoom(line, now, before, first, c1, c2), rounds)
        before, step = now, 2 * step
    return _Search(first, True, 3, most)


def _zoom(line: _Line, low: _Point, high: _Point, first: _Point, c1: float, c2: float) -> _Point | None:
    """A step between two, of which `low` has the lower value; None if there was none in as many trials."""
    left: _Point | None = None
    for _ in range(_ZOOMS):
        step = _trial(low, high, left)
        now = line.at(step)
        if now.value > first.value + c1 * step * first.slope or now.value >= low.value:
            left, high = high, now
            continue
        if abs(now.slope) <= -c2 * first.slope:
            return now
        if now.slope * (high.step - low.step) >= 0:
            left, high = high, low
        else:
            left = low
        low = now
    return None


def _trial(low: _Point, high: _Point, left: _Point | None) -> float:
    """Where a cubic or quadratic polynomial through the points is least, or the middle."""
    width = abs(high.step - low.step)
    ends = min(low.step, high.step), max(low.step, high.step)
    polynomials = [(functools.partial(_quadratic, low, high), _QUADRATIC)]
    if left is not None:
        polynomials.insert(0, (functools.partial(_cubic, low, high, left), _CUBIC))
    for least, margin in polynomials:
        try:
            step = least()
        except (ZeroDivisionError, ValueError, OverflowError):
            continue
        if ends[0] + margin * width < step < ends[1] - margin * width:
            return step
    return (low.step + high.step) / 2


def _cubic(low: _Point, high: _Point, left: _Point) -> float:
    b, c, slope = high.step - low.step, left.step - low.step, low.slope
    beyond_b, beyond_c = high.value - low.value - slope * b, left.value - low.value - slope * c
    scale = (b * c) ** 2 * (b - c)
    third = (c**2 * beyond_b - b**2 * beyond_c) / scale
    second = (b**3 * beyond_c - c**3 * beyond_b) / scale
    return low.step + (-second + math.sqrt(second**2 - 3 * third * slope)) / (3 * third)


def _quadratic(low: _Point, high: _Point) -> float:
    width = high.step - low.step
    second = (high.value - low.value - low.slope * width) / width**2
    return low.step - low.slope / (2 * second)


def _with_gradient(f: Callable[..., Any], jac: Any) -> Callable[[Any], tuple[Any, Any]]:
    both: Callable[[Any], tuple[Any, Any]] = value_and_grad(f) if jac is None else lambda x: (f(x), jac(x))
    return both


def _start(value: float, before: Any, slope: float) -> float:
    """The first step: as large as promises the last decrease once more, at most 1."""
    if before is None or slope == 0:
        return 1.0
    step = 1.01 * 2 * (value - float(before)) / slope
    return min(1.0, step) if math.isfinite(step) else 1.0


def line_search(
    f: Callable[[Any], Any],
    xk: Any,
    pk: Any,
    jac: Callable[[Any], Any] | None = None,
    gfk: Any = None,
    old_fval: Any = None,
    old_old_fval: Any = None,
    c1: float = 1e-4,
    c2: float = 0.9,
    maxiter: int = 20,
) -> LineSearchResults:
    """Searches along a direction for a step that fulfils the strong Wolfe conditions (J. Nocedal, S. Wright, "Numerical
    Optimization", 2006, chapter 3).

    Args:
        f: a function from a Tensor like xk to a Tensor of one element.
        xk: the point to begin at, a float Tensor of shape () or (n,).
        pk: the direction, a Tensor of the same shape.
        jac: a function that gives the gradient of f; None: it is computed.
        gfk: the gradient at xk; None: it is computed.
        old_fval: the value at xk; None: it is computed.
        old_old_fval: the value at the point before, for the first step to try; None: that is 1.
        c1: the constant of the condition of sufficient decrease.
        c2: the constant of the condition of curvature.
        maxiter: how often the step is doubled at most.

    Returns:
        A named tuple of failed; nit, the iterations; nfev and ngev, the values and gradients that were computed; k, the
        number of the next iteration; a_k, the step; f_k and g_k, the value and the gradient there; and status (0: found; 1:
        not found within an interval; 3: maxiter was reached).

    Raises:
        TypeError: f or jac is not callable, or xk or pk no float Tensor.
        ValueError: xk and pk have other shapes.

    Examples:
        >>> def square(x): return (x * x).sum()
        >>> found = ms.scipy.optimize.line_search(square, Tensor([1.0, 2.0]), Tensor([-1.0, -2.0]))
        >>> print(found.failed, found.a_k, found.f_k)
        False 1.0 0.0
    """
    for name, function in (("f", f), ("jac", jac)):
        if not callable(function) and not (name == "jac" and jac is None):
            raise TypeError(f"For 'line_search', '{name}' must be callable, but got {function!r}.")
    for name, tensor in (("xk", xk), ("pk", pk)):
        _check_float("line_search", name, tensor)
    if xk.ndim > 1 or xk.shape != pk.shape:
        raise ValueError(f"For 'line_search', 'xk' and 'pk' must have one shape (n,), but have {xk.shape} and {pk.shape}.")
    line = _Line(_with_gradient(f, jac), xk, pk)
    first = line.at(0.0) if old_fval is None or gfk is None else line.point(0.0, float(old_fval), gfk)
    search = _search(line, first, _start(first.value, old_old_fval, first.slope), c1, c2, maxiter)
    step = search.point.step
    if xk.dtype != core.float64 and 0 < abs(step) < _LEAST:
        step = math.copysign(_LEAST, step)
    return LineSearchResults(
        failed=search.failed,
        nit=search.rounds,
        nfev=line.count,
        ngev=line.count,
        k=search.rounds + 1,
        a_k=step,
        f_k=search.point.value,
        g_k=search.point.gradient,
        status=search.status,
    )


def _check_float(function: str, name: str, tensor: Any) -> None:
    if not isinstance(tensor, core.Tensor) or tensor.dtype not in FLOATS:
        kind = tensor.dtype if isinstance(tensor, core.Tensor) else type(tensor)
        raise TypeError(f"For '{function}', '{name}' must be a Tensor of floats, but got {kind}.")


class _Bfgs:
    """The inverse Hessian as a matrix, updated by each step."""

    def __init__(self, x: core.Tensor):
        self.matrix = self.identity = _ops.eye(x.shape[0], dtype=x.dtype)

    def direction(self, gradient: core.Tensor) -> Any:
        return -(self.matrix @ gradient)

    def update(self, step: core.Tensor, change: core.Tensor) -> None:
        curvature = float((step * change).sum())
        if curvature == 0 or not math.isfinite(1 / curvature):
            return
        left = self.identity - step.reshape(-1, 1) * change / curvature
        self.matrix = left @ self.matrix @ left.T + step.reshape(-1, 1) * step / curvature


class _Lbfgs:
    """The inverse Hessian as what the last steps say of it."""

    matrix = None

    def __init__(self, history_size: int = 20):
        self.size = history_size
        self.history: list[tuple[Any, Any, float]] = []

    def direction(self, gradient: core.Tensor) -> Any:
        weights = []
        for step, change, curvature in reversed(self.history):
            weights.append((step * gradient).sum() / curvature)
            gradient = gradient - weights[-1] * change
        if self.history:
            _, change, curvature = self.history[-1]
            gradient = gradient * (curvature / (change * change).sum())
        for (step, change, curvature), weight in zip(self.history, reversed(weights)):
            gradient = gradient + step * (weight - (change * gradient).sum() / curvature)
        return -gradient

    def update(self, step: core.Tensor, change: core.Tensor) -> None:
        curvature = float((step * change).sum())
        if curvature > 0:
            self.history = [*self.history, (step, change, curvature)][-self.size :]


_METHODS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "bfgs": (lambda x, options: _Bfgs(x), ()),
    "lbfgs": (lambda x, options: _Lbfgs(**options), ("history_size",)),
}


def _quasi_newton(
    both: Any,
    x: core.Tensor,
    hessian: Any,
    maxiter: Any = None,
    norm: float = math.inf,
    gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> OptimizeResults:
    value, gradient = both(x)
    value, calls, rounds, searched = float(value), 1, 0, 0
    before = value + float(linalg.vector_norm(gradient)) / 2
    converged = failed = False
    while rounds < (200 * x.shape[0] if maxiter is None else maxiter):
        line = _Line(both, x, hessian.direction(gradient))
        first = line.point(0.0, value, gradient)
        search = _search(line, first, _start(value, before, first.slope), 1e-4, 0.9, line_search_maxiter)
        calls += line.count
        failed, searched = search.failed, search.status
        if failed:
            break
        step, change = search.point.step * line.direction, search.point.gradient - gradient
        before, x, value, gradient = value, x + step, search.point.value, search.point.gradient
        converged = float(linalg.vector_norm(gradient, norm)) < gtol
        if converged:
            break
        hessian.update(step, change)
        rounds += 1
    status = 0 if converged else 2 + searched if failed else 1
    return OptimizeResults(x, converged, status, value, gradient, hessian.matrix, calls, calls, rounds)


def minimize(
    func: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    method: str | None = None,
    jac: Callable[..., Any] | None = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: Any = None,
    callback: Any = None,
    options: dict[str, Any] | None = None,
) -> OptimizeResults:
    """Minimizes a function of a vector by a quasi-Newton method (J. Nocedal, S. Wright, "Numerical Optimization", 2006,
    chapters 6 and 7).

    Args:
        func: a function from a Tensor like x0, and args, to a Tensor of one element.
        x0: the point to begin at, a float Tensor of shape (n,).
        args: a tuple of further arguments of func.
        method: "BFGS", which keeps an estimate of the inverse Hessian as a matrix, or "LBFGS", which keeps the last steps.
        jac: a function that gives the gradient of func by x0; None: it is computed.
        hess, hessp, bounds, constraints, tol, callback: None, or an empty tuple; SciPy's arguments that MindSpore does not
            have.
        options: a dict of options: maxiter, the most iterations (None: 200 n); gtol (1e-5), below which the norm of the
            gradient is the end; norm (inf), the order of that norm; line_search_maxiter (10); and of LBFGS history_size
            (20), the number of steps. None: the defaults.

    Returns:
        A named tuple of x, the point; success, whether the gradient is small there; status (0: it is; 1: maxiter was
        reached; 2 and more: no step was found along a direction); fun and jac, the value and the gradient; hess_inv, the
        estimate of the inverse Hessian, None of LBFGS; nfev and njev, the values and gradients that were computed; nit, the
        iterations.

    Raises:
        ValueError: method is None or unknown, or x0 has not one axis.
        TypeError: args is no tuple, func or jac not callable, x0 no float Tensor, or an option unknown.
        NotImplementedError: method is "LAGRANGE", which MindSpore has for GPUs, or one of SciPy's arguments is given.

    Examples:
        >>> def distance(x): return ((x - Tensor([1.0, -2.0])) ** 2).sum()
        >>> found = ms.scipy.optimize.minimize(distance, Tensor([0.0, 0.0]), method="BFGS")
        >>> print(found.success, found.x, found.nit)
        True [ 0.99999994 -1.9999999 ] 1
    """
    if method is None:
        raise ValueError("For 'minimize', 'method' must be 'BFGS' or 'LBFGS', but got None.")
    if method.lower() == "lagrange":
        raise NotImplementedError("For 'minimize', there is no method 'LAGRANGE', which MindSpore has for GPUs.")
    others = {"hess": hess, "hessp": hessp, "bounds": bounds, "constraints": constraints or None, "tol": tol}
    for name, value in {**others, "callback": callback}.items():
        if value is not None:
            raise NotImplementedError(f"For 'minimize', '{name}' must be left out, as in MindSpore, but got {value!r}.")
    if method.lower() not in _METHODS:
        raise ValueError(f"For 'minimize', 'method' must be 'BFGS' or 'LBFGS', but got {method!r}.")
    check_instance("minimize", "args", args, tuple)
    for name, function in (("func", func), ("jac", jac)):
        if not callable(function) and not (name == "jac" and jac is None):
            raise TypeError(f"For 'minimize', '{name}' must be callable, but got {function!r}.")
    _check_float("minimize", "x0", x0)
    check_rank("minimize", "x0", x0, 1)
    hessian, own = _METHODS[method.lower()]
    settings = dict(options or {})
    unknown = settings.keys() - {"maxiter", "norm", "gtol", "line_search_maxiter", *own}
    if unknown:
        raise TypeError(f"For 'minimize', {method!r} has no option {sorted(unknown)[0]!r}.")
    estimate = hessian(x0, {name: settings.pop(name) for name in own if name in settings})
    gradient = None if jac is None else lambda x: jac(x, *args)
    return _quasi_newton(_with_gradient(lambda x: func(x, *args), gradient), x0, estimate, **settings)


def linear_sum_assignment(cost_matrix: Any, maximize: bool, dimension_limit: Any = None) -> tuple[Any, Any]:
    """Solves the linear assignment problem: chooses elements of a matrix, at most one in each row and column and as many as
    possible, whose sum is least, or largest (D. F. Crouse, "On implementing 2D rectangular assignment algorithms", 2016).

    Args:
        cost_matrix: a Tensor of shape (n, m), of any dtype but complex ones.
        maximize: whether the sum is to be the largest.
        dimension_limit: an int Tensor without axes: only as many columns are used; None: all.

    Returns:
        Two int64 Tensors of shape (min(n, m),): the rows, in order, and the columns; -1 stands for what dimension_limit
        leaves out.

    Raises:
        TypeError: an argument is of another type.
        ValueError: cost_matrix has not two axes; dimension_limit is larger than m; no assignment has a finite sum.

    Examples:
        >>> cost = Tensor([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
        >>> rows, columns = ms.scipy.optimize.linear_sum_assignment(cost, maximize=False)
        >>> print(rows, columns, cost[rows, columns].sum())
        [0 1 2] [1 0 2] 5.0
    """
    check_instance("linear_sum_assignment", "cost_matrix", cost_matrix, core.Tensor)
    check_bool("linear_sum_assignment", "maximize", maximize)
    if cost_matrix.ndim != 2:
        raise ValueError(f"For 'linear_sum_assignment', 'cost_matrix' must have two axes, but has {cost_matrix.shape}.")
    limit = _ALL
    if dimension_limit is not None:
        check_instance("linear_sum_assignment", "dimension_limit", dimension_limit, core.Tensor)
        limit = int(dimension_limit)
    n, m = cost_matrix.shape
    if limit != _ALL and not 0 <= limit <= m:
        raise ValueError(f"For 'linear_sum_assignment', 'dimension_limit' must be at most {m}, but got {limit}.")
    used = cost_matrix[:, : min(limit, m)]
    rows, columns = _ops.linear_sum_assignment(used, maximize)
    if not core.is_captured(rows) and rows.size and bool(rows[0] < 0):
        raise ValueError("For 'linear_sum_assignment', no assignment of 'cost_matrix' has a finite sum.")
    missing = min(n, m) - rows.shape[0]
    if missing == 0:
        return rows, columns
    none = _ops.full((missing,), -1, dtype=core.int64)
    rows, columns = (_ops.concat((part, none), 0) for part in (rows, columns))
    return rows, columns
