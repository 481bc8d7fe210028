"""JiebaTokenizer: words that MindSpore's finds, by a small dictionary and model; what is added; files that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emberjit import dataset as ds
from emberjit.dataset import text
from emberjit.dataset.text import JiebaMode

DICTIONARY = """\
北京 60 ns
大学 50 n
北京大学 5 nt
明月 20 n
明月光 4 n
我 100 r
来到 30 v
月光 9 n
床 3 n
前 40 f
"""
MODEL = """\
# begin, end, middle, single
-0.26 -3.14e+100 -3.14e+100 -1.47
-3.14e+100 -0.51 -0.92 -3.14e+100
-0.59 -3.14e+100 -3.14e+100 -0.81
-3.14e+100 -0.33 -1.26 -3.14e+100
-0.72 -3.14e+100 -3.14e+100 -0.67
小:-3.1,明:-4.0,杭:-5.0,我:-6.0,月:-7.0
明:-3.5,研:-4.0,厦:-3.0,光:-2.0
大:-3.0,研:-5.5,明:-6.0
我:-2.0,了:-1.5,小:-7.0,前:-5.0
"""
SENTENCES = ["我来到北京大学", "床前明月光", "小明我了杭研大厦", "我,abc12 3.5x。小明", "小明来到", "明明明月", "é🙂研"]
FOUND: dict[JiebaMode, list[str]] = {  # by MindSpore 2.10
    JiebaMode.MIX: [
        "我|来到|北京|大学",
        "床|前|明月光",
        "小明|我|了|杭研大厦",
        "我|,|abc12| |3.5|x|。|小明",
        "小明|来到",
        "明明|明月",
        "é|🙂|研",
    ],
    JiebaMode.MP: [
        "我|来到|北京|大学",
        "床|前|明月光",
        "小|明|我|了|杭|研|大|厦",
        "我|,|a|b|c|1|2| |3|.|5|x|。|小|明",
        "小|明|来到",
        "明|明|明月",
        "é|🙂|研",
    ],
    JiebaMode.HMM: [
        "我|来|到|北|京|大|学",
        "床|前|明|月|光",
        "小明|我|了|杭研大厦",
        "我|,|abc12| |3.5|x|。|小明",
        "小明|来|到",
        "明明明|月",
        "é|🙂|研",
    ],
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The model, and the dictionary."""
    (tmp_path / "m").write_text(MODEL, encoding="utf-8")
    (tmp_path / "d").write_text(DICTIONARY, encoding="utf-8")
    return [str(tmp_path / "m"), str(tmp_path / "d")]


def words(tokenizer: Any) -> list[str]:
    return ["|".join(tokenizer(sentence).tolist()) for sentence in SENTENCES]


@pytest.mark.parametrize("mode", FOUND)
def test_words(mode: JiebaMode, files: list[str]) -> None:
    assert words(text.JiebaTokenizer(*files, mode)) == FOUND[mode]


def test_words_that_are_added(files: list[str], tmp_path: Path) -> None:
    tokenizer = text.JiebaTokenizer(*files)
    tokenizer.add_word("杭研")
    tokenizer.add_word("京大", 10**9)
    tokenizer.add_dict({"来到北": 10**8, "光": 5})
    changed = ["我|来到北|京大|学", *FOUND[JiebaMode.MIX][1:2], "小明|我|了|杭研|大|厦", *FOUND[JiebaMode.MIX][3:]]
    assert words(tokenizer) == changed
    (tmp_path / "u").write_text("明月光 1\n小明我\n大厦7\na b c\n\n了 x\n", encoding="utf-8")
    tokenizer.add_dict(str(tmp_path / "u"))
    assert words(tokenizer) == [*changed[:2], "小明我|了|杭研|大厦", *changed[3:]]
    assert words(text.JiebaTokenizer(*files)) == FOUND[JiebaMode.MIX]
    with pytest.raises(ValueError, match="a JiebaTokenizer that was changed after it was made"):
        ds.serialize(ds.NumpySlicesDataset(["a"]).map(tokenizer))


def test_characters_that_are_no_words_are_as_rare_as_the_rarest(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "d").write_text("甲 100 x\n甲乙 1 x\n丁 90 x\n戊 80 x\n", encoding="utf-8")
    tokenizer = text.JiebaTokenizer(*files, JiebaMode.MP)
    assert tokenizer("甲乙").tolist() == ["甲乙"] and tokenizer("丁戊").tolist() == ["丁", "戊"]
    tokenizer.add_word("丁戊")  # as frequent as 丁, the middle one
    assert tokenizer("丁戊").tolist() == ["丁戊"]


def test_the_last_character_may_stand_alone(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "m").write_text(MODEL.replace("光:-2.0", "光:-2.0,前:-12.0"), encoding="utf-8")
    assert text.JiebaTokenizer(*files, JiebaMode.HMM)("小前").tolist() == ["小", "前"]


def test_places(files: list[str]) -> None:
    data = ds.NumpySlicesDataset({"text": ["我é🙂北京 月", ""]}, shuffle=False)
    tokenizer = text.JiebaTokenizer(*files, JiebaMode.MP, with_offsets=True)
    rows = data.map(tokenizer, "text", ["word", "start", "end"]).create_tuple_iterator(output_numpy=True)
    first, empty = ([value.tolist() for value in row] for row in rows)
    assert first == [["我", "é", "🙂", "北京", " ", "月"], [0, 3, 5, 9, 15, 16], [3, 5, 9, 15, 16, 19]]
    assert empty[0] == [""]


REFUSED: list[tuple[dict[str, str], type[Exception], str]] = [
    ({"d": ""}, ValueError, "no word in"),
    ({"d": "北京\n"}, ValueError, "line 1 of .* is no word and frequency: '北京'"),
    ({"d": "北京 2 x\n 3 x\n"}, ValueError, "line 2 of"),
    ({"d": "北京 -2\n"}, ValueError, "line 1 of"),
    ({"d": "北京 0\n"}, ValueError, "line 1 of"),
    ({"m": ""}, ValueError, "no hidden Markov model of four states"),
    ({"m": MODEL.replace("-0.26", "x")}, ValueError, "no hidden Markov model"),
    ({"m": MODEL.replace("-0.26 ", "")}, ValueError, "no hidden Markov model"),
    ({"m": MODEL.replace("-3.1,", "y,")}, ValueError, "no hidden Markov model"),
    ({"m": "\n".join(MODEL.splitlines()[:-1])}, ValueError, "no hidden Markov model"),
    ({"d": "\udcff 3\n"}, ValueError, "is no text in UTF-8"),
]


@pytest.mark.parametrize("changed, error, message", REFUSED)
def test_files_that_are_none(changed: Any, error: type[Exception], message: str, files: list[str], tmp_path: Path) -> None:
    for name, content in changed.items():
        (tmp_path / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(error, match=message):
        text.JiebaTokenizer(*files)


def test_arguments_that_are_refused(files: list[str], tmp_path: Path) -> None:
    made = text.JiebaTokenizer(*files)
    for error, message, call in (
        (ValueError, "'hmm_path' must be a file", lambda: text.JiebaTokenizer(str(tmp_path / "none"), files[1])),
        (TypeError, "'mp_path' must be a str", lambda: text.JiebaTokenizer(files[0], tmp_path / "d")),  # type: ignore[arg-type]
        (TypeError, "'mode' must be a JiebaMode", lambda: text.JiebaTokenizer(*files, 1)),  # type: ignore[arg-type]
        (TypeError, "'with_offsets' must be a bool", lambda: text.JiebaTokenizer(*files, with_offsets=1)),  # type: ignore[arg-type]
        (TypeError, "'word' must be a str", lambda: made.add_word(3)),  # type: ignore[arg-type]
        (ValueError, "'word' must not be empty", lambda: made.add_word("")),
        (ValueError, "'freq' must be an int from 0", lambda: made.add_word("a", -1)),
        (TypeError, "'freq' must be an int", lambda: made.add_word("a", 1.5)),  # type: ignore[arg-type]
        (TypeError, "'user_dict' must be a str or dict", lambda: made.add_dict(3)),  # type: ignore[arg-type]
        (ValueError, "'user_dict' must be a file", lambda: made.add_dict(str(tmp_path / "none"))),
    ):
        with pytest.raises(error, match=message):
            call()
