"""What datasets give of folders in the forms that public ones have (tools/example_data.py). With an environment that
has mindspore 2.10, `PYTHON tests/python/data/dataset_folders.py` records what MindSpore's give, which
test_dataset_folders.py compares."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

TOOLS = Path(__file__).parents[3] / "tools"
sys.path.insert(0, str(TOOLS))
from example_data import FORMATS  # noqa: E402

RESULTS = Path(__file__).with_name("dataset_folders.json")


def made(root: Path) -> None:
    """Makes all folders that CALLS read."""
    for name in sorted({re.findall(r"\('(\w+)", call)[0] for call in CALLS} - {"made_up"}):
        FORMATS[name](root / name)


def made_up(root: Path) -> None:
    """Makes what real programs are tried with."""
    subprocess.run([sys.executable, TOOLS / "made_up_data.py", root / "made_up", "MNIST_Data", "cifar10"], check=True)


CSV = (
    "AGNews:ag_news",
    "AmazonReview:amazon",
    "DBpedia:dbpedia",
    "SogouNews:sogou",
    "YahooAnswers:yahoo",
    "YelpReview:yelp",
)
CALLS = [
    "Caltech256Dataset('caltech256')",
    "Caltech256Dataset('caltech256', decode=True)",
    *(f"RenderedSST2Dataset('rendered_sst2', {usage})" for usage in ("", "'train'", "'test'", "'val'")),
    "SUN397Dataset('sun397')",
    *(f"Food101Dataset('food101', {usage})" for usage in ("", "'train'", "'test'")),
    *(f"OmniglotDataset('omniglot', {background})" for background in ("", "False")),
    *(f"LSUNDataset('lsun', {usage})" for usage in ("", "'train'", "'valid'", "'test'", "'train', ['classroom']")),
    *(f"CelebADataset('celeba', usage={usage})" for usage in ("'all'", "'train'", "'test'", "'valid'")),
    "CelebADataset('celeba', extensions=['.png'])",
    "FlickrDataset('flickr/Images', 'flickr/tokens.txt')",
    "FlickrDataset('flickr/Images', 'flickr/tokens.txt', decode=True)",
    "SBUDataset('sbu')",
    *(f"Places365Dataset('places365', {usage})" for usage in ("", "'val'")),
    *(f"ManifestDataset('manifest/list', {usage})" for usage in ("", "'eval'", "'train', class_indexing={'ant': 5}")),
    *(
        f"DIV2KDataset('div2k', {usage})"
        for usage in ("", "'valid'", "'all'", "'train', 'mild', 4", "'valid', 'wild', 4", "'train', decode=True")
    ),
    *(
        f"CityscapesDataset('cityscapes', {usage})"
        for usage in ("", "'val', task='semantic'", "'all', task='color'", "task='polygon'")
    ),
    *(
        f"LFWDataset('lfw', {task})"
        for task in ("", "'people', 'test'", "'people', 'all'", "'pairs', 'train'", "'pairs', 'test'")
    ),
    "VOCDataset('voc')",
    "VOCDataset('voc', decode=True)",
    "VOCDataset('voc', 'Detection')",
    "VOCDataset('voc', 'Detection', extra_metadata=True)",
    "VOCDataset('voc', 'Detection', class_indexing={'dog': 4})",
    *(f"CocoDataset('coco/images', 'coco/instances.json', '{task}')" for task in ("Detection", "Stuff", "Keypoint")),
    "CocoDataset('coco/images', 'coco/instances.json', decode=True, extra_metadata=True)",
    "CocoDataset('coco/images', 'coco/panoptic.json', 'Panoptic')",
    "CocoDataset('coco/images', 'coco/captions.json', 'Captioning')",
    *(f"WIDERFaceDataset('wider_face', {usage})" for usage in ("", "'train'", "'valid'", "'test'")),
    *(f"KITTIDataset('kitti', {usage})" for usage in ("", "'test'")),
    *(f"EMnistDataset('emnist', 'digits', {usage})" for usage in ("", "'train'", "'test'")),
    *(f"QMnistDataset('qmnist', {usage})" for usage in ("", "'train'", "'test'", "'nist'", "'train', False")),
    *(f"STL10Dataset('stl10', {usage})" for usage in ("", "'train'", "'test'", "'unlabeled'", "'train+unlabeled'")),
    *(f"USPSDataset('usps', {usage})" for usage in ("", "'train'", "'test'")),
    "SemeionDataset('semeion')",
    *(f"PhotoTourDataset('photo_tour', 'liberty', {usage})" for usage in ("", "'test'")),
    *(f"{each.split(':')[0]}Dataset('{each.split(':')[1]}', {usage})" for each in CSV for usage in ("", "'train'")),
    *(f"PennTreebankDataset('ptb', {usage})" for usage in ("", "'train'", "'valid'")),
    *(f"WikiTextDataset('wikitext', {usage})" for usage in ("", "'train'", "'valid'")),
    "EnWik9Dataset('enwik9')",
    *(f"SST2Dataset('sst2', {usage})" for usage in ("", "'dev'", "'test'")),
    *(f"SQuADDataset('squad', {usage})" for usage in ("", "'dev'")),
    *(f"CoNLL2000Dataset('conll2000', {usage})" for usage in ("", "'test'")),
    *(f"UDPOSDataset('udpos', {usage})" for usage in ("", "'test'", "'valid'")),
    *(f"Multi30kDataset('multi30k', {usage})" for usage in ("", "'test'", "'train', ['de', 'en']")),
    *(f"IMDBDataset('imdb', {usage})" for usage in ("", "'test'")),
    *(
        f"CLUEDataset('clue/{task.lower()}.json', '{task}', '{usage}')"
        for task in ("AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC", "CSL")
        for usage in ("train", "test", "eval")
    ),
    *(f"SVHNDataset('svhn', {usage})" for usage in ("", "'train'", "'test'", "'extra'")),
    *(f"SBDataset('sbd', {task})" for task in ("", "'Segmentation'", "'Boundaries', 'val'", "usage='train_noval'")),
    "SBDataset('sbd', decode=True)",
    *(f"Flowers102Dataset('flowers102', {task})" for task in ("", "usage='train'", "'Segmentation', 'valid'")),
    "Flowers102Dataset('flowers102', 'Segmentation', 'test', decode=True)",
    *(f"Caltech101Dataset('caltech101', {kind})" for kind in ("", "'annotation'", "'all', decode=True")),
    *(f"IWSLT2016Dataset('iwslt2016', {usage})" for usage in ("", "'train'", "'test'", "'valid', ['de', 'en'], 'dev2010'")),
    *(f"IWSLT2017Dataset('iwslt2017', {usage})" for usage in ("", "'train'", "'test', ('de', 'en')", "'valid'")),
    "MnistDataset('made_up/MNIST_Data/test')",
    *(
        f"Cifar10Dataset('made_up/cifar10/cifar-10-{part}-bin', num_shards=500, shard_id=499)"
        for part in ("batches", "verify")
    ),
]


def shown(value: Any) -> Any:
    """A value as JSON: its dtype and shape, and what it holds, or of many numbers a sum."""
    many = value.dtype.kind not in "SU" and value.size > 30
    held = int((value.ravel().astype(np.int64) * (np.arange(value.size) % 251)).sum()) if many else value.tolist()
    return [value.dtype.kind if value.dtype.kind in "SU" else value.dtype.name, list(value.shape), held]


def described(ds: Any, call: str) -> Any:
    """What a dataset gives."""
    given = ", shuffle=False)"
    try:
        data = eval(call.replace(", )", ")").removesuffix(")") + given, {name: getattr(ds, name) for name in ds.__all__})
        rows = [list(map(shown, row)) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        return {"columns": data.get_col_names(), "size": data.get_dataset_size(), "rows": sorted(rows, key=json.dumps)}
    except Exception as error:
        return f"{type(error).__name__}: " + re.sub(r"\s+", " ", str(error))[:300]


def main() -> None:
    import mindspore.dataset as ds  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        made(Path(folder))
        made_up(Path(folder))
        found = {call: described(ds, call) for call in CALLS}
    for call, what in found.items():
        if isinstance(what, str) or "-v" in sys.argv:
            print(call, what)
    RESULTS.write_text("{\n" + ",\n".join(f"{json.dumps(c)}: {json.dumps(w)}" for c, w in found.items()) + "\n}\n")


if __name__ == "__main__":
    main()
