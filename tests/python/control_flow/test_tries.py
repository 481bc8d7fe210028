"""Errors that depend on elements are raised when a graph runs: where a `try` waits for them, Python runs it."""

import contextlib

import numpy as np
import pytest

import emberjit as ms
from emberjit import Tensor, ops
from emberjit import _emberjit as core

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
GOOD, BAD = Tensor(np.array([0, 1], np.int32)), Tensor(np.array([0, 7], np.int32))


def caught(x, i):
    try:
        return ops.gather(x, i, 0)
    except IndexError:
        return x * 10


def cleared(x, i):
    log = []
    try:
        y = ops.gather(x, i, 0)
    except IndexError:
        log.append(1)
        y = x
    finally:
        log.append(2)
    return y * len(log)


def swallowed(x, i):
    try:
        x = ops.gather(x, i, 0)
    finally:
        return x + 1  # noqa: B012


def called(x, i):
    def inner(t):
        return ops.gather(t, i, 0) * 2

    try:
        return inner(x)
    except IndexError as error:
        return x + len(error.args)


def handled(x, i):
    try:
        raise KeyError
    except KeyError:
        x = ops.gather(x, i, 0)
    finally:
        return x + 1  # noqa: B012


def handled_around(x, i):
    try:
        try:
            raise KeyError
        except KeyError:
            x = ops.gather(x, i, 0)
    except IndexError:
        x = x * 3
    return x


def otherwise(x, i):
    try:
        x = x * 2
    except KeyError:
        pass
    else:
        x = ops.gather(x, i, 0)
    finally:
        return x + 1  # noqa: B012


class Quiet:
    def __enter__(self):
        return 2

    def __exit__(self, kind, *_):
        return kind is not None and issubclass(kind, IndexError)


class Plain(Quiet):
    def __exit__(self, *_):
        pass


@contextlib.contextmanager
def held(quiet):
    try:
        yield 3
    except IndexError:
        if not quiet:
            raise


@contextlib.contextmanager
def cleaned():
    try:
        yield 3
    finally:
        pass


def suppressed(x, i):
    with contextlib.suppress(IndexError):
        x = ops.gather(x, i, 0)
    return x + 1


def quiet(x, i):
    with Plain(), Quiet() as k:
        x = ops.gather(x, i, 0) * k
    return x + 1


def held_back(x, i):
    with held(True) as k:
        x = ops.gather(x, i, 0) * k
    return x + 1


@ms.no_inline
def rows(x, i):
    return ops.gather(x, i, 0) * 2


def shared(x, i):
    x = rows(x, GOOD)
    try:
        return rows(x, i)
    except IndexError:
        return x + 1


@pytest.mark.breaks
@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize(
    "function",
    [caught, cleared, swallowed, called, handled, handled_around, otherwise, shared, suppressed, quiet, held_back],
)
def test_a_try_catches_what_elements_raise(function, mode):
    jitted = ms.jit(function, capture_mode=mode)
    for index in (GOOD, BAD, GOOD, BAD, BAD):
        np.testing.assert_array_equal(jitted(X, index).asnumpy(), function(X, index).asnumpy())


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_fullgraph_says_so(mode):
    with pytest.raises(core.CaptureError, match=r"test_tries.py:\d+: what is within a `try` may raise .*outside the `try`"):
        ms.jit(caught, capture_mode=mode, fullgraph=True)(X, GOOD)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
def test_other_tries_enter_the_graph(mode):
    def function(x):
        try:
            y = x * 2
            if y.shape[0] > 1:
                raise ValueError
        except ValueError:
            y = x + 1
        return y

    got = ms.jit(function, capture_mode=mode, fullgraph=True)(X)
    np.testing.assert_array_equal(got.asnumpy(), X.asnumpy() + 1)


@pytest.mark.parametrize("mode", ["ast", "bytecode"])
@pytest.mark.parametrize("manager", [Plain, cleaned], ids=["Plain", "cleaned"])
def test_with_that_catches_nothing_enters_the_graph(manager, mode):
    def function(x, i):
        with Plain() as k, manager() as j, contextlib.nullcontext(4) as n:
            x = ops.gather(x, i, 0) * k
        return x * j + n

    jitted = ms.jit(function, capture_mode=mode, fullgraph=True)
    np.testing.assert_array_equal(jitted(X, GOOD).asnumpy(), function(X, GOOD).asnumpy())
    with pytest.raises(IndexError):
        jitted(X, BAD)
