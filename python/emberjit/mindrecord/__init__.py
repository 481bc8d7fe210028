"""MindRecord: MindSpore's files of rows, with an index."""

from __future__ import annotations

from emberjit.mindrecord.encryption import set_dec_mode, set_enc_key, set_enc_mode
from emberjit.mindrecord.exceptions import (
    MindRecordException,
    MRMDefineIndexError,
    MRMInvalidSchemaError,
    ParamTypeError,
    ParamValueError,
)
from emberjit.mindrecord.reader import FileReader, MindPage
from emberjit.mindrecord.writer import FAILED, SUCCESS, FileWriter

__all__ = [
    "FAILED",
    "FileReader",
    "FileWriter",
    "MRMDefineIndexError",
    "MRMInvalidSchemaError",
    "MindPage",
    "MindRecordException",
    "ParamTypeError",
    "ParamValueError",
    "SUCCESS",
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
]
