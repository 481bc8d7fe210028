"""EnvProfiler: the profile that the environment asks for."""

from __future__ import annotations

import inspect
import json
import os
from typing import Any

from emberjit.log import error
from emberjit.profiler.options import ProfilerActivity, _ExperimentalConfig
from emberjit.profiler.profiling import profile, tensorboard_trace_handler

_OPTIONS = "MS_PROFILER_OPTIONS"


class EnvProfiler:
    """A profile that the environment variable MS_PROFILER_OPTIONS asks for, a JSON object: "start", whether there is one;
    "output_path", the folder below which it is written; and options of profile() by their names. It begins with
    init_profiler() and ends with analyse(): as MindSpore on a CPU, emberjit does not start it by itself.

    Examples:
        >>> import os
        >>> os.environ["MS_PROFILER_OPTIONS"] = '{"start": true, "output_path": "profiles"}'
        >>> ms.profiler.EnvProfiler.init_profiler()
        >>> y = ops.exp(Tensor([0.0]))
        >>> ms.profiler.EnvProfiler().analyse()
        >>> del os.environ["MS_PROFILER_OPTIONS"]
        >>> print(len(os.listdir("profiles")))
        1
    """

    profiler: profile | None = None

    @classmethod
    def init_profiler(cls) -> None:
        """Starts the profile, if the environment asks for one. Options that are no JSON object are logged, and start none.

        Raises:
            ValueError: an activity that there is not.
            TypeError: an option of a wrong type.
            RuntimeError: another profiler records.
        """
        try:
            options = json.loads(os.environ.get(_OPTIONS) or "{}")
        except ValueError:
            options = None
        if not isinstance(options, dict):
            error(f"{_OPTIONS} is no JSON object: {os.environ[_OPTIONS]!r}")
            return
        if options.get("start"):
            handler = tensorboard_trace_handler(options.get("output_path"))
            cls.profiler = profile(on_trace_ready=handler, **_profile_arguments(options))

    def analyse(self) -> None:
        """Ends the profile, and writes it."""
        started, EnvProfiler.profiler = EnvProfiler.profiler, None
        if started is not None:
            started.stop()


def _profile_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of profile that are among these options."""
    left_out = ("schedule", "on_trace_ready", "start_profile", "experimental_config")
    arguments = {
        name: options[name] for name in inspect.signature(profile).parameters if name in options and name not in left_out
    }
    if "activities" in arguments:
        arguments["activities"] = [ProfilerActivity(activity) for activity in arguments["activities"]]
    of_devices = {name: options[name] for name in inspect.signature(_ExperimentalConfig).parameters if name in options}
    return arguments | ({"experimental_config": _ExperimentalConfig(**of_devices)} if of_devices else {})
