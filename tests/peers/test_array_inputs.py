"""Tensors of what pandas, SciPy and scikit-learn hold, and Tensors where these take arrays: as with NumPy's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import COOTensor, CSRTensor, Tensor, nn, ops

pd = pytest.importorskip("pandas", reason="pandas is not here: tools/test --peers installs it")
scipy = pytest.importorskip("scipy", reason="SciPy is not here: tools/test --peers installs it")
cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle is not here: tools/test --peers installs it")
sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not here: tools/test --peers installs it")

import joblib  # noqa: E402
from scipy import fft, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats  # noqa: E402
from sklearn import cluster, decomposition, ensemble, linear_model, metrics, model_selection, preprocessing, svm  # noqa: E402

PANDAS: dict[str, Any] = {
    "float64": pd.Series([1.5, 2.0]),
    "float32": pd.Series([1.5, 2.0], dtype="float32"),
    "int64": pd.Series([1, 2], index=[7, 9]),
    "uint8": pd.Series([1, 2], dtype="uint8"),
    "bool": pd.Series([True, False]),
    "Int64": pd.Series([1, 2], dtype="Int64"),
    "Float32": pd.Series([1, 2], dtype="Float32"),
    "Float64 with a value missing": pd.Series([1.0, None], dtype="Float64"),
    "boolean": pd.Series([True, False], dtype="boolean"),
    "category of numbers": pd.Series([3, 1, 3]).astype("category"),
    "sparse": pd.Series(pd.arrays.SparseArray([0.0, 0.0, 1.0])),
    "Index": pd.Index([3, 1]),
    "RangeIndex": pd.RangeIndex(3),
    "array": pd.array([1, 2]),
    "column": pd.DataFrame({"a": [1, 2], "b": [3.0, 4.0]})["a"],
    "frame": pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}),
    "frame of whole and other numbers": pd.DataFrame({"a": [1, 2], "b": [3.0, 4.0]}),
    "columns of a frame": pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [3, 4]})[["a", "c"]],
    "every second row": pd.DataFrame(np.arange(12.0).reshape(6, 2))[::2],
}


@pytest.mark.parametrize("name", PANDAS)
def test_a_tensor_of_pandas_values(name: str) -> None:
    held = PANDAS[name]
    array = np.asarray(held)
    for make in (Tensor, ms.tensor):
        x = make(held)
        assert x.dtype == Tensor(array).dtype and x.shape == array.shape
        np.testing.assert_array_equal(x.asnumpy(), array)
    assert Tensor(held, ms.float16).dtype == ms.float16
    if array.flags.writeable and array.dtype != bool:
        Tensor(held)[0] = 0
        np.testing.assert_array_equal(np.asarray(held), array)


NO_NUMBERS: dict[str, Any] = {
    "text": pd.Series(["a", "b"]),
    "objects": pd.Series([1, 2.5], dtype=object),
    "bools with one missing": pd.Series([True, None], dtype="boolean"),
    "frame of numbers and text": pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}),
    "times": pd.Series(pd.to_datetime(["2020-01-01"])),
    "durations": pd.Series(pd.to_timedelta([1])),
    "categories of text": pd.Series(["a", "b"]).astype("category"),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_holds_no_numbers_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=r"dtype has no counterpart; convert it .*to_numpy\(dtype, na_value"):
        Tensor(NO_NUMBERS[name])


def test_missing_values_get_a_number_by_pandas() -> None:
    assert Tensor(NO_NUMBERS["bools with one missing"].to_numpy(bool, na_value=False)).tolist() == [True, False]
    assert np.isnan(Tensor(PANDAS["Float64 with a value missing"]).asnumpy()[1])


INDICES: dict[str, Any] = {
    "series": pd.Series([1, 0, 1]),
    "series of bools": pd.Series([True, False]),
    "index": pd.Index([1, 0]),
    "range": pd.RangeIndex(1, 2),
    "whole numbers that may miss": pd.Series([1, 0], dtype="Int64"),
    "beside a slice": (slice(None), pd.Series([2, 0])),
    "array": np.array([1, 0]),
    "unsigned": np.array([1, 0], np.uint8),
    "bools": np.array([True, False]),
    "matrix of bools": np.eye(2, 3, dtype=bool),
    "number": np.int64(1),
    "grid": np.ix_([0, 1], [0, 2]),
}


@pytest.mark.parametrize("name", INDICES)
def test_indices_are_as_with_numpy(name: str) -> None:
    array, index = np.arange(6.0).reshape(2, 3), INDICES[name]
    plain = tuple(np.asarray(i) if isinstance(i, pd.Series) else i for i in index) if isinstance(index, tuple) else index
    np.testing.assert_array_equal(Tensor(array)[index].asnumpy(), array[plain])
    x = Tensor(array)
    x[index] = 9.0
    array[plain] = 9
    np.testing.assert_array_equal(x.asnumpy(), array)


X = np.arange(12.0).reshape(4, 3)
TAKEN_BY_PANDAS: dict[str, Callable[[Any], Any]] = {
    "series": lambda x: pd.Series(x[:, 0]),
    "frame": lambda x: pd.DataFrame(x, columns=list("abc")),
    "frame of columns": lambda x: pd.DataFrame({"a": x[:, 0], "b": x[:, 1]}),
    "new column": lambda x: pd.DataFrame({"a": [1, 2, 3, 4]}).assign(b=x[:, 1]),
    "rows by place": lambda x: pd.DataFrame(X).iloc[(x[:2, 0] / 3).astype("int64")],
}


@pytest.mark.parametrize("name", TAKEN_BY_PANDAS)
def test_pandas_takes_tensors(name: str) -> None:
    function = TAKEN_BY_PANDAS[name]
    found, wanted = function(Tensor(X)), function(X)
    assert type(found) is type(wanted) and found.equals(wanted)


SCIPY: dict[str, Callable[[Any], Any]] = {
    "gammaln": lambda x: special.gammaln(x + 1),
    "softmax": special.softmax,
    "svd": lambda x: linalg.svd(x, full_matrices=False)[1],
    "solve": lambda x: linalg.solve(x[:3] + np.eye(3), x[0]),
    "cdf": stats.norm.cdf,
    "ttest": lambda x: stats.ttest_ind(x[0], x[1]).pvalue,
    "convolution": lambda x: signal.fftconvolve(x, x),
    "filter": lambda x: ndimage.gaussian_filter(x, 1),
    "nearest": lambda x: spatial.KDTree(x).query(x + 0.1)[1],
    "interpolation": lambda x: interpolate.interp1d(x[:, 0], x[:, 1])(4.5),
    "fft": fft.fft,
    "minimum": lambda x: optimize.minimize(lambda v: np.sum((v - 1) ** 2), x[0]).x,
    "product with a sparse matrix": lambda x: sparse.eye_array(4).tocsr() @ x,
    "sparse matrix": lambda x: sparse.csr_array(x).toarray(),
}


@pytest.mark.parametrize("name", SCIPY)
def test_scipys_functions_take_tensors(name: str) -> None:
    found, wanted = SCIPY[name](Tensor(X)), SCIPY[name](X)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-12)


@pytest.mark.parametrize(
    "kind", [sparse.csr_matrix, sparse.csr_array, sparse.coo_array, sparse.csc_matrix, sparse.lil_array]
)
def test_sparse_matrices_name_the_way(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"toarray\(\) of a sparse matrix.*CSRTensor or COOTensor"):
        Tensor(kind(np.eye(3)))
    assert Tensor(kind(np.eye(3)).toarray()).tolist() == np.eye(3).tolist()


def test_the_parts_of_sparse_matrices_both_ways() -> None:
    rng = np.random.default_rng(0)
    dense = rng.integers(1, 9, (4, 5)) * (rng.random((4, 5)) < 0.4).astype(np.float32)
    rows = sparse.csr_array(dense.astype(np.float32))
    csr = CSRTensor(Tensor(rows.indptr), Tensor(rows.indices), Tensor(rows.data), rows.shape)
    places = rows.tocoo()
    coo = COOTensor(Tensor(np.stack([places.row, places.col], 1)), Tensor(places.data), places.shape)
    for made in (csr, coo):
        np.testing.assert_array_equal(made.to_dense().asnumpy(), dense)
    back = sparse.csr_array((csr.values, csr.indices, csr.indptr), csr.shape)
    np.testing.assert_array_equal(back.toarray(), dense)
    x = rng.random(5).astype(np.float32)
    np.testing.assert_allclose(csr.mv(Tensor(x[:, None])).asnumpy()[:, 0], rows @ x, rtol=1e-6)


RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(60, 4))
CLASSES = (ROWS[:, 0] + ROWS[:, 1] > 0).astype(np.int64)
MODELS: dict[str, Any] = {
    "LogisticRegression": linear_model.LogisticRegression(),
    "Ridge": linear_model.Ridge(),
    "RandomForest": ensemble.RandomForestClassifier(n_estimators=5, random_state=0),
    "SVC": svm.SVC(),
    "KMeans": cluster.KMeans(3, n_init=1, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_models_of_scikit_learn(name: str) -> None:
    fitted = sklearn.clone(MODELS[name]).fit(Tensor(ROWS), Tensor(CLASSES))
    wanted = sklearn.clone(MODELS[name]).fit(ROWS, CLASSES)
    found = fitted.predict(Tensor(ROWS))
    np.testing.assert_array_equal(found, wanted.predict(ROWS))
    np.testing.assert_array_equal(Tensor(found).asnumpy(), found)
    assert metrics.accuracy_score(Tensor(CLASSES), Tensor(CLASSES)) == 1


@pytest.mark.parametrize("make", [preprocessing.StandardScaler, lambda: decomposition.PCA(2), preprocessing.OneHotEncoder])
def test_transformers_of_scikit_learn(make: Callable[[], Any]) -> None:
    x = ROWS.round(0)
    found, wanted = make().fit_transform(Tensor(x)), make().fit_transform(x)
    if sparse.issparse(wanted):
        found, wanted = found.toarray(), wanted.toarray()
    np.testing.assert_array_equal(found, wanted)
    assert Tensor(found).shape == wanted.shape


def test_rows_are_split() -> None:
    for kept in model_selection.train_test_split(Tensor(ROWS), Tensor(CLASSES), random_state=0, stratify=Tensor(CLASSES)):
        assert len(kept) in (45, 15)
    scores = [
        model_selection.cross_val_score(linear_model.LogisticRegression(), x, y)
        for x, y in ((Tensor(ROWS), Tensor(CLASSES)), (ROWS, CLASSES))
    ]
    np.testing.assert_array_equal(*scores)
    for rows, _ in model_selection.KFold(3).split(Tensor(ROWS)):
        np.testing.assert_array_equal(Tensor(ROWS)[rows].asnumpy(), ROWS[rows])


def local_net() -> Any:
    class Local(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(4, 2)

        def construct(self, x: Any) -> Any:
            return ops.relu(self.dense(x))

    return Local()


factor = 3
SINGLE = Tensor(ROWS, ms.float32)
BY_VALUE: dict[str, Callable[[], Any]] = {
    "function": lambda: lambda x: x * factor,
    "jitted function": lambda: ms.jit(lambda x: x * factor),
    "cell of a local class": local_net,
}


@pytest.mark.parametrize("name", BY_VALUE)
def test_cloudpickle(name: str) -> None:
    function = BY_VALUE[name]()
    made = cloudpickle.loads(cloudpickle.dumps(function))
    np.testing.assert_array_equal(made(SINGLE).asnumpy(), function(SINGLE).asnumpy())


def test_processes_of_joblib() -> None:
    net, x = nn.Dense(4, 2), SINGLE
    with joblib.parallel_config("loky", n_jobs=2):
        found = joblib.Parallel()(joblib.delayed(lambda net, x: net(x))(net, x[i:]) for i in range(3))
    for i, each in enumerate(found):
        np.testing.assert_array_equal(each.asnumpy(), net(x[i:]).asnumpy())
    assert joblib.hash(x) == joblib.hash(SINGLE.copy()) != joblib.hash(x + 1)


def test_files_of_joblib(tmp_path: Any) -> None:
    joblib.dump({"x": Tensor(ROWS), "net": nn.Dense(4, 2)}, tmp_path / "file")
    np.testing.assert_array_equal(joblib.load(tmp_path / "file")["x"].asnumpy(), ROWS)
