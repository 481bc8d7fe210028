"""MindSpore's costume: what emberjit has so that programs for MindSpore find it, and that is no idea of its own. Its modules
are reached by MindSpore's paths: `emberjit.hal`, and under alias.install() `mindspore.hal`, are emberjit.compat.hal."""

_NAMES = "_c_expression _checkparam alias boost common communication device_context hal multiprocessing parallel"
PATHS = frozenset([*_NAMES.split(), "rewrite", "safeguard"])
