"""Datasets of folders of files, beside what MindSpore's give (dataset_folders.json); and folders that are not of the form."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

import dataset_folders
from emberjit import dataset as ds

WANTED = json.loads(dataset_folders.RESULTS.read_text())


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("folders")
    dataset_folders.made(root)
    with contextlib.chdir(root):
        yield root


def test_all_calls_are_recorded():
    assert list(WANTED) == dataset_folders.CALLS


@pytest.mark.parametrize("call", dataset_folders.CALLS)
def test_rows_are_those_of_mindspore(call, folders):
    found, wanted = dataset_folders.described(ds, call), WANTED[call]
    if isinstance(wanted, str):
        assert isinstance(found, str) and found.partition(":")[0] in ("RuntimeError", "WorkerError")
    else:
        assert found == wanted
