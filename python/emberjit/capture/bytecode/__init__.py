"""Capture by CPython's bytecode."""

from emberjit.capture.bytecode import handlers  # noqa: F401
