# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.dataset.to_mindrecord import Cifar100ToMR as Cifar100ToMR
from emberjit.dataset.to_mindrecord import Cifar10ToMR as Cifar10ToMR
from emberjit.dataset.to_mindrecord import CsvToMR as CsvToMR
from emberjit.dataset.to_mindrecord import ImageNetToMR as ImageNetToMR
from emberjit.dataset.to_mindrecord import MnistToMR as MnistToMR
from emberjit.dataset.to_mindrecord import TFRecordToMR as TFRecordToMR
from emberjit.mindrecord.encryption import set_dec_mode as set_dec_mode
from emberjit.mindrecord.encryption import set_enc_key as set_enc_key
from emberjit.mindrecord.encryption import set_enc_mode as set_enc_mode
from emberjit.mindrecord.exceptions import MRMDefineIndexError as MRMDefineIndexError
from emberjit.mindrecord.exceptions import MRMInvalidSchemaError as MRMInvalidSchemaError
from emberjit.mindrecord.exceptions import MindRecordException as MindRecordException
from emberjit.mindrecord.exceptions import ParamTypeError as ParamTypeError
from emberjit.mindrecord.exceptions import ParamValueError as ParamValueError
from emberjit.mindrecord.exceptions import PathNotExistsError as PathNotExistsError
from emberjit.mindrecord.reader import FileReader as FileReader
from emberjit.mindrecord.reader import MindPage as MindPage
from emberjit.mindrecord.writer import FAILED as FAILED
from emberjit.mindrecord.writer import FileWriter as FileWriter
from emberjit.mindrecord.writer import SUCCESS as SUCCESS

def __getattr__(name: str) -> Any: ...
