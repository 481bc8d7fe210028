"""Datasets: sources of rows, steps over them, and iterators; transforms of rows, images, texts and sound."""

from __future__ import annotations

from emberjit.publish.modules import lazy as _lazy

_NAMES = {  # by the module that has them
    "callbacks": "DSCallback WaitedDSCallback",
    "datasets": (
        "BatchDataset BucketBatchByLengthDataset ConcatDataset Dataset FilterDataset MapDataset "
        "PaddedBatchDataset ProjectDataset "
        "RenameDataset RepeatDataset ShuffleDataset SkipDataset SourceDataset SyncWaitDataset TakeDataset ZipDataset"
    ),
    "graph_data": "Graph GraphData OutputFormat SamplingStrategy",
    "iterators": "DictIterator TupleIterator",
    "samplers": (
        "BuiltinSampler DistributedSampler IterSampler PKSampler RandomSampler Sampler SequentialSampler "
        "SubsetRandomSampler SubsetSampler WeightedRandomSampler"
    ),
    "sources.generator": "GeneratorDataset",
    "sources.few_files": "EMnistDataset PhotoTourDataset QMnistDataset STL10Dataset SemeionDataset USPSDataset",
    "sources.folders": (
        "Caltech256Dataset Food101Dataset LSUNDataset OmniglotDataset Places365Dataset RenderedSST2Dataset SUN397Dataset"
    ),
    "sources.described": "CelebADataset FlickrDataset ManifestDataset SBUDataset",
    "sources.boxes": "CocoDataset KITTIDataset VOCDataset WIDERFaceDataset",
    "sources.images": ("Cifar100Dataset Cifar10Dataset FashionMnistDataset ImageFolderDataset KMnistDataset MnistDataset"),
    "sources.made_up": "FakeImageDataset RandomDataset",
    "sources.mappable": "MappableDataset",
    "sources.matlab": "Caltech101Dataset Flowers102Dataset SBDataset SVHNDataset",
    "sources.mind_dataset": "MindDataset",
    "sources.numpy_slices": "NumpySlicesDataset PaddedDataset",
    "sources.pairs": "CityscapesDataset DIV2KDataset LFWDataset",
    "sources.schema": "Schema",
    "sources.text_files": "CSVDataset TextFileDataset",
    "sources.texts": (
        "CLUEDataset CoNLL2000Dataset EnWik9Dataset PennTreebankDataset SQuADDataset UDPOSDataset WikiTextDataset"
    ),
    "sources.labelled_texts": (
        "AGNewsDataset AmazonReviewDataset DBpediaDataset IMDBDataset SST2Dataset SogouNewsDataset YahooAnswersDataset "
        "YelpReviewDataset"
    ),
    "sources.translations": "IWSLT2016Dataset IWSLT2017Dataset Multi30kDataset",
    "sources.tf_records": "TFRecordDataset",
    "steps.batching": "BatchInfo",
    "serialising": "compare deserialize serialize show",
    "shuffling": "Shuffle",
    "unavailable": "DatasetCache OBSMindDataset sync_wait_for_dataset",
}
_MODULES = "audio config samplers text transforms vision"
_ELSEWHERE = {name: f"emberjit.dataset.{module}" for module, names in _NAMES.items() for name in names.split()}
_ELSEWHERE |= {name: f"emberjit.dataset.{name}" for name in _MODULES.split()}
_ELSEWHERE["zip"] = "emberjit.dataset.combined"

__all__ = [name for name in _ELSEWHERE if name not in ("audio", "samplers", "text", "transforms", "vision")]
__getattr__, __dir__ = _lazy("dataset", globals(), _ELSEWHERE)
