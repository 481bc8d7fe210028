"""Datasets of folders of files, beside what MindSpore's give (dataset_folders.json); and folders that are not of the
form."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import dataset_folders
import pytest
import strategies
from hypothesis import given

from emberjit import dataset as ds
from emberjit.dataset.sources import mat_files

WANTED = json.loads(dataset_folders.RESULTS.read_text())


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("folders")
    dataset_folders.made(root)
    dataset_folders.made_up(root)
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


INDEXED = [
    ("VOCDataset('voc', 'Detection')", {"cat": 0, "dog": 1}),
    ("VOCDataset('voc', 'Detection', class_indexing={'dog': 4})", {"dog": 4}),
    ("CocoDataset('coco/images', 'coco/instances.json')", {"c": [3], "a": [1]}),
    ("CocoDataset('coco/images', 'coco/panoptic.json', 'Panoptic')", {"c": [3, 1], "a": [1, 1]}),
    ("ManifestDataset('manifest/list')", {"ant": 0, "cat": 1}),
    ("CelebADataset('celeba')", {}),
]


def made(call: str) -> Any:
    return eval(call, {name: getattr(ds, name) for name in ds.__all__})


@pytest.mark.parametrize("call, wanted", INDEXED)
def test_labels_of_classes(call, wanted, folders):
    assert made(call).get_class_indexing() == wanted and made(call).num_classes() == (len(wanted) or None)


def test_names_of_images(folders):
    data = made("VOCDataset('voc', shuffle=False, extra_metadata=True)")
    assert len(next(data.create_tuple_iterator())) == 2
    named = data.rename("_meta-filename", "name").create_dict_iterator(output_numpy=True)
    assert [row["name"].item() for row in named] == ["1", "0"]


def test_a_row_of_each_class(folders):
    rows = made("Caltech256Dataset('caltech256', sampler=PKSampler(1))").create_tuple_iterator(output_numpy=True)
    assert sorted(row[1].item() for row in rows) == [0, 1]


REFUSED: list[tuple[str, type, str]] = [
    ("Food101Dataset('food101', 'nope')", ValueError, "'usage' must be 'train', 'test' or 'all'"),
    ("Food101Dataset('nope')", ValueError, "'dataset_dir' must be a folder"),
    ("Food101Dataset('food101', 3)", TypeError, "'usage' must be a str"),
    ("EMnistDataset('emnist', 'nope')", ValueError, "'name' must be 'byclass', "),
    ("CocoDataset('coco/images', 'nope')", ValueError, "'annotation_file' must be a file"),
    ("VOCDataset('voc', usage='nope')", ValueError, "'usage' must be a file"),
    ("VOCDataset('voc', class_indexing={'a': 1})", ValueError, "for the task 'Detection' only"),
    ("DIV2KDataset('div2k', downgrade='mild')", ValueError, "'scale' must be 4"),
    ("CityscapesDataset('cityscapes', 'test', 'coarse')", ValueError, "'usage' must be 'train', 'train_extra', 'val'"),
    ("Multi30kDataset('multi30k', language_pair='en')", TypeError, "'language_pair' must be a list or tuple"),
    ("CelebADataset('celeba', decrypt=len)", RuntimeError, "'decrypt' must be None"),
    ("SBUDataset('sbu', cache=1)", RuntimeError, "'cache' must be None"),
    ("PennTreebankDataset('wikitext')", ValueError, "'dataset_dir' must name files that exist"),
    ("SUN397Dataset('voc')", RuntimeError, "ClassName.txt"),
    ("SVHNDataset('voc')", RuntimeError, "train_32x32.mat"),
    ("SVHNDataset('svhn', 'valid')", ValueError, "'usage' must be 'train', 'test', 'extra' or 'all'"),
    ("SBDataset('sbd', 'Edges')", ValueError, "'task' must be 'Boundaries' or 'Segmentation'"),
    ("Flowers102Dataset('flowers102', usage='val')", ValueError, "'usage' must be 'train', 'test', 'valid' or 'all'"),
    ("Caltech101Dataset('caltech101', 'both')", ValueError, "'target_type' must be 'category', 'annotation' or 'all'"),
    ("IWSLT2016Dataset('iwslt2016', 'valid', ['en', 'de'])", ValueError, "'dataset_dir' must name files that exist"),
    ("IWSLT2016Dataset('iwslt2016', language_pair=['de', 'fr'])", ValueError, r"'language_pair' must be \('ar', 'en'\), "),
    ("IWSLT2016Dataset('iwslt2016', test_set='tst2015')", ValueError, "'test_set' must be 'dev2010', "),
    ("IWSLT2017Dataset('iwslt2017', language_pair='de-en')", TypeError, "'language_pair' must be a list or tuple"),
]


@pytest.mark.parametrize("call, error, message", REFUSED)
def test_what_is_refused(call, error, message, folders):
    with pytest.raises(error, match=message):
        next(made(call).create_tuple_iterator())


DAMAGED: list[tuple[str, bytes, str]] = [
    ("voc/Annotations/1.xml", b"<a", "VOCDataset('voc', 'Detection')"),
    ("voc/JPEGImages/1.jpg", b"no image", "VOCDataset('voc', decode=True)"),
    ("coco/captions.json", b"{", "CocoDataset('coco/images', 'coco/captions.json', 'Captioning')"),
    ("clue/csl.json", b'{"id": 3}', "CLUEDataset('clue/csl.json', 'CSL')"),
    ("squad/dev-v1.1.json", b"[]", "SQuADDataset('squad', 'dev')"),
    ("usps/usps", b"1 1:2", "USPSDataset('usps', 'train')"),
    ("imdb/test/pos/1_9.txt", b"\xff", "IMDBDataset('imdb', 'test')"),
    ("emnist/emnist-digits-test-labels-idx1-ubyte", b"abc", "EMnistDataset('emnist', 'digits')"),
    ("svhn/test_32x32.mat", b"MATLAB 7.3 MAT-file".ljust(128), "SVHNDataset('svhn')"),
    ("sbd/cls/2008_3.mat", b"", "SBDataset('sbd')"),
    ("caltech101/Annotations/ant/annotation_0002.mat", b"x" * 300, "Caltech101Dataset('caltech101', 'annotation')"),
    (
        "iwslt2017/texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo/train.tags.de-en.de",
        b"a\nb",
        "IWSLT2017Dataset('iwslt2017')",
    ),
]


@pytest.mark.parametrize("path, data, call", DAMAGED)
def test_damaged_files_are_named(path, data, call, tmp_path):
    dataset_folders.made(tmp_path)
    (tmp_path / path).write_bytes(data)
    with contextlib.chdir(tmp_path), pytest.raises(RuntimeError, match=Path(path).name):
        list(made(call).create_tuple_iterator())


@pytest.mark.parametrize(
    "path", ["svhn/train_32x32.mat", "sbd/cls/2008_1.mat", "sbd/cls/2008_2.mat", "flowers102/setid.mat"]
)
def test_any_damage_of_a_file_of_matlabs_is_named(path, tmp_path):
    dataset_folders.made(tmp_path)
    refused = 0

    @strategies.examples(120)
    @given(strategies.damaged((tmp_path / path).read_bytes(), 124, 724))
    def read(data: bytes) -> None:
        nonlocal refused
        (tmp_path / path).write_bytes(data)
        try:
            mat_files.read(str(tmp_path / path))
        except ValueError as error:
            assert str(tmp_path / path) in str(error)
            refused += 1

    read()
    assert refused > 40


def test_labels_of_all_classes(folders):
    found = made("Flowers102Dataset('flowers102')").get_class_indexing()
    assert list(found.values()) == list(range(102)) and found["pink primrose"] == 0 and found["blackberry lily"] == 101
    assert made("Caltech101Dataset('caltech101')").get_class_indexing() == {"Faces": 0, "ant": 1}
