"""MindRecord: MindSpore's files of rows, with an index; and converters of known datasets to them."""

from __future__ import annotations

from emberjit.publish.modules import lazy as _lazy

_NAMES = {  # by the module that has them
    "mindrecord.encryption": "set_dec_mode set_enc_key set_enc_mode",
    "mindrecord.exceptions": (
        "MRMDefineIndexError MRMInvalidSchemaError MindRecordException ParamTypeError ParamValueError PathNotExistsError"
    ),
    "mindrecord.reader": "FileReader MindPage",
    "mindrecord.writer": "FAILED FileWriter SUCCESS",
    "dataset.to_mindrecord": "Cifar100ToMR Cifar10ToMR CsvToMR ImageNetToMR MnistToMR TFRecordToMR",
}
_ELSEWHERE = {name: f"emberjit.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_ELSEWHERE)
__getattr__, __dir__ = _lazy("mindrecord", globals(), _ELSEWHERE)
