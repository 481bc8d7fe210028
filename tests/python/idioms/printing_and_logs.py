"""What functions say: prints, f-strings, logs, warnings, and what is formatted for them."""

import json
import logging
import pprint
import re
import sys
import textwrap
import warnings
from datetime import datetime
from string import Template

from idiom import Row, call, floats, jit

A, B = floats(2, 4), floats(3, 4)
log = logging.getLogger(__name__)
log_quiet = logging.getLogger(__name__ + ".quiet")
VERBOSE = True
settings = {"lr": 0.1, "every": 2, "names": ["a", "b"]}
TITLES = []


@jit
def shape_printed(x):
    print(f"input {x.shape} {x.dtype}")
    return x * 2


@jit
def value_printed(x):
    loss = x.sum()
    print("loss:", loss)
    return loss


@jit
def debug_form(x, scale):
    print(f"{scale=} {x.shape=}")
    return x * scale


@jit
def aligned_columns(x, step, rate):
    print(f"{step:>5d} | {rate:8.3e} | {'name':<10s}|")
    return x * rate


@jit
def percent_style(x, step):
    print("step %d of %s" % (step, "many"))  # noqa: UP031
    return x + step


@jit
def format_method(x, step):
    print("step {} has rows {n:03d}".format(step, n=x.shape[0]))  # noqa: UP032
    return x + step


@jit
def joined_names(x):
    title = ", ".join(f"{name}={i}" for i, name in enumerate(settings["names"]))
    TITLES.append(title)
    return x + len(settings["names"])


@jit
def banner(x):
    print("=" * 20, "begin".center(10, "*"), sep="\n")
    y = x.abs().sum()
    print("end", end="\n\n")
    return y


@jit
def printed_if_verbose(x):
    if VERBOSE:
        print("sum", x.sum())
    return x - 1


def quieter():
    global VERBOSE
    VERBOSE = False


@jit
def logged(x):
    log.info("input of %s", x.shape)
    return x * 2


@jit
def logged_below_the_level(x):
    log.debug("values %s", x)
    return x * 3


@jit
def logged_every_few_steps(x, step):
    if step % settings["every"] == 0:
        log.info("step %d", step)
    return x * 0.5


@jit
def guarded_by_the_level(x):
    if log_quiet.isEnabledFor(logging.INFO):
        log_quiet.info("mean %.3f", x.mean().item())
    return x + 1


@jit
def warned_of_shape(x):
    if x.shape[0] > 2:
        warnings.warn("many rows", stacklevel=1)
    return x * 2


@jit
def ignored_warning(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("nobody sees this", stacklevel=1)
    return x * 2


@jit
def json_of_settings(x):
    TITLES.append(json.dumps(settings, sort_keys=True))
    return x * settings["lr"]


@jit
def time_in_log(x):
    TITLES.append(datetime.now().year > 2000)
    return x * 2


@jit
def written_to_stderr(x):
    print("to stderr", file=sys.stderr)
    return x * 2


@jit
def template_filled(x, step):
    TITLES.append(Template("$what at $step").substitute(what="loss", step=step))
    return x * 2


@jit
def pretty_printed(x):
    TITLES.append(pprint.pformat(settings))
    return x * 2


@jit
def dedented_help(x):
    TITLES.append(
        textwrap.dedent("""
            usage: x
            """).strip()
    )
    return x * 2


@jit
def repr_of_tensor(x):
    print(repr(x), str(x))
    return x * 2


@jit
def text_of_numbers(x, rate):
    name = "run_" + str(rate).replace(".", "_")
    TITLES.append(name.upper() if name.startswith("run") else name)
    return x * rate


@jit
def message_on_error(x, rate):
    if rate < 0:
        raise ValueError(f"rate must not be negative, got {rate!r} for {tuple(x.shape)}")
    return x * rate


@jit
def verbose_argument(x, *, verbose=False):
    if verbose:
        print(f"sum of {x.size} elements: {x.sum()}")
    return x.sum()


@jit
def joined_sizes(x):
    print("x".join(map(str, x.shape)), " ".join(f"{i}:{n}" for i, n in enumerate(x.shape)))
    return x * 2


@jit
def joined_sizes_or_none(x):
    try:
        text = "x".join(str(n) for n in x.shape)
    except TypeError as error:
        text = f"none: {error}"
    return x * 2, text


@jit
def replaced_by_a_function(x):
    try:
        text = re.sub("n", lambda found: str(x.shape[0]), "n rows")
    except TypeError as error:
        text = f"none: {error}"
    return x * 2, text


@jit
def letters_translated(x):
    try:
        text = "n rows".translate(str.maketrans("n", f"{x.shape[0]}"))
    except TypeError as error:
        text = f"none: {error}"
    return x * 2, text


@jit
def sorted_texts_of_sizes(x):
    try:
        text = sorted(str(n) for n in x.shape)
    except TypeError as error:
        text = [f"none: {error}"]
    return x * 2, text


@jit
def json_of_sizes(x):
    TITLES.append(json.dumps({"shape": list(x.shape), "name": f"input {x.shape[0]}"}))
    return x * 2


@jit
def json_of_sizes_or_none(x):
    try:
        text = json.dumps({"shape": x.shape})
    except TypeError as error:
        text = f"none: {error}"
    return x * 2, text


ROWS = [
    Row("sizes joined", joined_sizes, [(A,), (A,), (B,)]),
    Row("sizes joined in a try", joined_sizes_or_none, [(A,), (B,), (A,)]),
    Row("re.sub in a try", replaced_by_a_function, [(A,), (B,), (A,)], graphs=2),
    Row("translate in a try", letters_translated, [(A,), (B,), (A,)], graphs=2),
    Row("sorted texts in a try", sorted_texts_of_sizes, [(A,), (B,), (A,)], graphs=2),
    Row("json of sizes", json_of_sizes, [(A,), (A,), (B,)], graphs=2, wanted=(1, 0)),
    Row("json of sizes in a try", json_of_sizes_or_none, [(A,), (B,), (A,)], graphs=2, wanted=(1, 0)),
    Row("shape in an f-string", shape_printed, [(A,), (B,), (A,)]),
    Row("print of a value", value_printed, [(A,), (A,), (B,)], graphs=1),
    Row("f-string with =", debug_form, [(A, 0.5), (A, 0.25), (B, 2.0)]),
    Row("alignment and precision", aligned_columns, [(A, 1, 0.5), (A, 20, 0.25), (B, 300, 0.125)]),
    Row("percent formatting", percent_style, [(A, 1), (A, 2), (B, 3)]),
    Row("str.format", format_method, [(A, 1), (A, 2), (B, 3)]),
    Row("join over enumerate", joined_names, [(A,), (A,), lambda: settings["names"].append("c"), (A,), (A,)], graphs=2),
    Row("print with sep and end", banner, [(A,), (A,), (B,)], graphs=1),
    Row("print if a global says so", printed_if_verbose, [(A,), (A,), quieter, (A,), (A,)], graphs=2),
    Row("logger.info", logged, [(A,), (A,), (B,)], graphs=2, breaks=1),
    Row("logger.debug below its level", logged_below_the_level, [(A,), (A,), (B,)], graphs=1),
    Row("log every few steps", logged_every_few_steps, [(A, i) for i in range(6)], graphs=3, breaks=1),
    Row("isEnabledFor", guarded_by_the_level, [lambda: log_quiet.setLevel(50), (A,), (A,), (B,)]),
    Row("warning for a shape", warned_of_shape, [(A,), (A,), (B,), (A,)], graphs=3, breaks=1),
    Row("warning that is ignored", ignored_warning, [(A,), (A,), (B,)], graphs=4, breaks=3, wanted=(1, 0)),
    Row("json.dumps of settings", json_of_settings, [(A,), (A,), lambda: settings.update(lr=0.2), (A,), (A,)], captured=2),
    Row("datetime.now", time_in_log, [(A,), (A,), (B,)], graphs=3, breaks=2, wanted=(2, 1)),
    Row("print to stderr", written_to_stderr, [(A,), (A,)], graphs=2, breaks=2, wanted=(1, 0)),
    Row("string.Template", template_filled, [(A, 1), (A, 2), (A, 3)], graphs=3, wanted=(1, 0)),
    Row(
        "pprint.pformat",
        pretty_printed,
        [(A,), (A,), lambda: settings.update(lr=0.2), (A,)],
        graphs=2,
        breaks=2,
        wanted=(1, 0),
    ),
    Row("textwrap.dedent", dedented_help, [(A,), (A,), (B,)], graphs=1),
    Row("repr and str of a Tensor", repr_of_tensor, [(A,), (A,), (B,)], graphs=1),
    Row("text of a number", text_of_numbers, [(A, 0.5), (A, 0.5), (A, 0.25)], graphs=2),
    Row("error with an f-string", message_on_error, [(A, 0.5), (A, -0.5), (A, -1.5), (B, 0.5)], graphs=2, captured=1),
    Row("verbose keyword", verbose_argument, [(A,), call(A, verbose=True), call(B, verbose=True), (A,)], graphs=2),
]
