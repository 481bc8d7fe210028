"""SciPy and scikit-learn on Arrays of emberjit.array_api, by the array API standard, beside what they give of NumPy's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

os.environ["SCIPY_ARRAY_API"] = "1"  # which SciPy reads when it is imported

scipy = pytest.importorskip("scipy", reason="SciPy is not here: tools/test --peers installs it")
sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not here: tools/test --peers installs it")

from scipy import fft, integrate, special, stats  # noqa: E402
from sklearn import decomposition, discriminant_analysis, linear_model, metrics, preprocessing  # noqa: E402

from emberjit import array_api as xp  # noqa: E402

Data = Any
ROWS: dict[str, Callable[[Data, Data, Data], Any]] = {
    "StandardScaler": lambda x, y, c: preprocessing.StandardScaler().fit_transform(x),
    "MinMaxScaler": lambda x, y, c: preprocessing.MinMaxScaler().fit_transform(x),
    "Normalizer": lambda x, y, c: preprocessing.Normalizer().fit_transform(x),
    "PCA": lambda x, y, c: decomposition.PCA(2, svd_solver="full").fit(x).explained_variance_,
    "Ridge": lambda x, y, c: linear_model.Ridge(solver="svd").fit(x, y).predict(x),
    "LinearDiscriminantAnalysis": lambda x, y, c: discriminant_analysis.LinearDiscriminantAnalysis().fit(x, c).predict(x),
    "r2_score": lambda x, y, c: metrics.r2_score(y, y * 1.1),
    "rbf_kernel": lambda x, y, c: metrics.pairwise.rbf_kernel(x),
    "zscore": lambda x, y, c: stats.zscore(x, axis=0),
    "skew": lambda x, y, c: stats.skew(x, axis=0),
    "ttest_1samp": lambda x, y, c: stats.ttest_1samp(x, 0.0).statistic,
    "logsumexp": lambda x, y, c: special.logsumexp(x, axis=1),
    "fft": lambda x, y, c: fft.fft(x, axis=0),
    "trapezoid": lambda x, y, c: integrate.trapezoid(x, axis=0),
}


@pytest.fixture(autouse=True)
def dispatch() -> Iterator[None]:
    with sklearn.config_context(array_api_dispatch=True):
        yield


@pytest.mark.parametrize("name", ROWS)
def test_like_numpy(name: str) -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(50, 6))
    y = x @ random.normal(size=6) + 0.1 * random.normal(size=50)
    given = x, y, (y > 0).astype(np.int64)
    expected = ROWS[name](*given)
    found = ROWS[name](*(xp.asarray(array.copy()) for array in given))
    if isinstance(expected, np.ndarray):
        assert isinstance(found, xp.Array)
        assert np.asarray(found).dtype == expected.dtype
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-12)
