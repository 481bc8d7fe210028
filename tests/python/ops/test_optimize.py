"""emberjit.scipy.optimize: minima of functions, steps along directions, and assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import numpy as mnp
from emberjit.scipy.optimize import line_search, linear_sum_assignment, minimize


def himmelblau(p: Any) -> Any:
    x, y = p
    return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2


def rosenbrock(x: Any) -> Any:
    return mnp.sum(100.0 * mnp.diff(x) ** 2 + (1.0 - x[:-1]) ** 2)


def ellipse(x: Any) -> Any:
    return (x * x * Tensor([1.0, 10.0], ms.float64)).sum()


MINIMA: dict[str, tuple[Any, list[float], list[float]]] = {
    "himmelblau": (himmelblau, [0.0, 0.0], [3.0, 2.0]),
    "rosenbrock": (rosenbrock, [0.0] * 5, [1.0] * 5),
    "ellipse": (ellipse, [3.0, -1.0], [0.0, 0.0]),
}


@pytest.mark.parametrize("method", ["BFGS", "lbfgs"])
@pytest.mark.parametrize("name", MINIMA)
def test_minima(name: str, method: str) -> None:
    function, start, wanted = MINIMA[name]
    found = minimize(function, Tensor(start, ms.float64), method=method, options={"gtol": 1e-7})
    assert found.success and found.status == 0 and found.nfev == found.njev > found.nit
    np.testing.assert_allclose(found.x.asnumpy(), wanted, atol=1e-6)
    assert found.fun == float(function(found.x)) and (found.hess_inv is None) == (method == "lbfgs")


def test_what_minimize_says() -> None:
    """The real MindSpore's numbers."""
    found = minimize(himmelblau, Tensor([0.0, 0.0], ms.float64), method="BFGS", options={"gtol": 1e-6})
    assert (found.nfev, found.nit) == (18, 10)
    inverse = [[0.01606766580180842, -0.009463496614333046], [-0.009463496614333046, 0.034654047729315615]]
    np.testing.assert_allclose(found.hess_inv.asnumpy(), inverse, rtol=1e-6)
    stopped = minimize(himmelblau, Tensor([0.0, 0.0], ms.float64), method="BFGS", options={"maxiter": 2})
    assert not stopped.success and (stopped.status, stopped.nfev, stopped.nit) == (1, 9, 2)
    given = minimize(lambda x, a: ((x - a) ** 2).sum(), Tensor([0.0, 1.0]), (Tensor(3.0),), "BFGS", lambda x, a: 2 * (x - a))
    np.testing.assert_allclose(given.x.asnumpy(), [3, 3], rtol=1e-6)


LINES: dict[str, tuple[Any, Any, Any, dict[str, Any]]] = {
    "no descent": (
        lambda x: x[0] ** 2 - x[1] ** 3,
        [1.0, 1.0],
        [-1.0, -1.0],
        {"failed": True, "status": 1, "a_k": 1.0, "nfev": 12},
    ),
    "ascent": (lambda x: (x * x).sum(), [1.0, 2.0], [9.0, 21.0], {"failed": True, "status": 1, "f_k": 5.0}),
    "far": (
        lambda x: (x * x).sum(),
        [1.0, 2.0],
        [-9.0, -21.0],
        {"failed": False, "status": 0, "a_k": 0.09770114942528736, "nfev": 4},
    ),
    "numbers": (lambda x: x * x - 4 * x, 0.0, 1.0, {"failed": False, "a_k": 1.0}),
    "doubled": (lambda x: -x, 0.0, 1.0, {"status": 3, "failed": True, "k": 21}),
}


@pytest.mark.parametrize("name", LINES)
def test_line_search(name: str) -> None:
    function, x, p, wanted = LINES[name]
    found = line_search(
        function, Tensor(x, ms.float64), Tensor(p, ms.float64), c2=0.5 if name == "doubled" else 0.9
    )._asdict()
    assert {key: pytest.approx(value) for key, value in wanted.items()} == {key: found[key] for key in wanted}


COSTS: dict[str, tuple[Any, dict[str, Any], Any]] = {
    "square": ([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]], {"maximize": False}, ([0, 1, 2], [1, 0, 2])),
    "largest": ([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]], {"maximize": True}, ([0, 1, 2], [0, 2, 1])),
    "wide": ([[4.0, 1, 3], [2, 0, 5]], {"maximize": False}, ([0, 1], [1, 0])),
    "tall": ([[4.0, 1], [2, 0], [3, 2]], {"maximize": False}, ([0, 1], [1, 0])),
    "equal": ([[1, 1], [1, 1]], {"maximize": False}, ([0, 1], [0, 1])),
    "forbidden": ([[np.inf, 3.0], [1, 2]], {"maximize": False}, ([0, 1], [1, 0])),
    "limited": (
        [[4.0, 1, 3], [2, 0, 5], [3, 2, 2]],
        {"maximize": False, "dimension_limit": Tensor(2)},
        ([0, 1, -1], [1, 0, -1]),
    ),
}


@pytest.mark.parametrize("name", COSTS)
def test_assignments(name: str) -> None:
    costs, options, wanted = COSTS[name]
    for function in (linear_sum_assignment, ms.jit(lambda cost: linear_sum_assignment(cost, **options))):
        given = options if function is linear_sum_assignment else {}
        found = function(Tensor(np.array(costs)), **given)
        assert tuple(part.asnumpy().tolist() for part in found) == wanted
        assert all(part.dtype == ms.int64 for part in found)


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no method": (lambda: minimize(rosenbrock, ops.ones(2)), ValueError, "'method' must be"),
    "unknown method": (lambda: minimize(rosenbrock, ops.ones(2), method="Newton"), ValueError, "Newton"),
    "lagrange": (lambda: minimize(rosenbrock, ops.ones(2), method="LAGRANGE"), NotImplementedError, "LAGRANGE"),
    "bounds": (lambda: minimize(rosenbrock, ops.ones(2), method="BFGS", bounds=[(0, 1)]), NotImplementedError, "'bounds'"),
    "args": (lambda: minimize(rosenbrock, ops.ones(2), [1], "BFGS"), TypeError, "'args' must be a tuple"),
    "function": (lambda: minimize(3, ops.ones(2), method="BFGS"), TypeError, "'func' must be callable"),
    "integers": (lambda: minimize(rosenbrock, Tensor([1, 2]), method="BFGS"), TypeError, "Tensor of floats"),
    "axes": (lambda: minimize(rosenbrock, ops.ones((2, 2)), method="BFGS"), ValueError, "one axis"),
    "option": (
        lambda: minimize(rosenbrock, ops.ones(2), method="BFGS", options={"history_size": 3}),
        TypeError,
        "history_size",
    ),
    "direction": (lambda: line_search(rosenbrock, ops.ones(2), ops.ones(3)), ValueError, "one shape"),
    "cost": (lambda: linear_sum_assignment(ops.ones(2), False), ValueError, "two axes"),
    "maximize": (lambda: linear_sum_assignment(ops.ones((2, 2)), 1), TypeError, "'maximize' must be a bool"),
    "limit": (lambda: linear_sum_assignment(ops.ones((2, 2)), False, Tensor(3)), ValueError, "at most 2"),
    "no number": (lambda: linear_sum_assignment(Tensor([[np.nan, 1.0]]), False), ValueError, "finite sum"),
    "none": (lambda: linear_sum_assignment(Tensor([[np.inf, np.inf], [1.0, 2.0]]), False), ValueError, "finite sum"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        call()
