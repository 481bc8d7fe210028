"""Transforms of text and vocabularies; what they give is MindSpore's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import emberjit as ms
from emberjit import dataset as ds
from emberjit.dataset import text
from emberjit.dataset.text import Vocab

WORDS = ["deep", "learn", "[UNK]", "ab", "##c", "##d", "我", "爱"]
VOCAB = Vocab.from_list(WORDS, ["<pad>", "<unk>"])


def plain(value: Any) -> Any:
    return tuple(each.tolist() for each in value) if isinstance(value, tuple) else value.tolist()


VALUES: list[tuple[Callable[[], Any], Any]] = [
    (lambda: text.Lookup(VOCAB)(["deep", "learn"]), [2, 3]),
    (lambda: text.Lookup(VOCAB, "<unk>", ms.int64)(["deep", "zz"]), [2, 1]),
    (lambda: text.AddToken("xyz", False)(["a", "b"]), ["a", "b", "xyz"]),
    (lambda: text.WhitespaceTokenizer()("a  b\tc"), ["a", "b", "c"]),
    (lambda: text.WhitespaceTokenizer()(" "), [""]),
    (lambda: text.WhitespaceTokenizer(True)("a  bé c"), (["a", "bé", "c"], [0, 3, 7], [1, 6, 8])),
    (lambda: text.UnicodeCharTokenizer(True)("aé你"), (["a", "é", "你"], [0, 1, 3], [1, 3, 6])),
    (lambda: text.UnicodeScriptTokenizer()("to Beijing!我爱 abc123"), ["to", "Beijing", "!", "我爱", "abc", "123"]),
    (lambda: text.UnicodeScriptTokenizer(True)("to  x"), ["to", "  ", "x"]),
    (lambda: text.BasicTokenizer()("Hello, WORLD 我爱[UNK]x"), ["Hello", ",", "WORLD", "我", "爱", "[UNK]", "x"]),
    (lambda: text.BasicTokenizer(True, True)("Hello, w"), ["hello", ",", " ", "w"]),
    (lambda: text.BasicTokenizer(True, preserve_unused_token=False)("a[UNK]"), ["a", "[", "unk", "]"]),
    (lambda: text.BasicTokenizer(True, with_offsets=True)("Hé, w我"), (["he", ",", "w", "我"], [0, 2, 4, 5], [2, 3, 5, 8])),
    (lambda: text.BasicTokenizer(False, False, text.NormalizeForm.NFKC)("ﬁ １"), ["fi", "1"]),
    (lambda: text.WordpieceTokenizer(VOCAB)(["abc", "zz", "deep", "deepx"]), ["ab", "##c", "[UNK]", "deep", "[UNK]"]),
    (lambda: text.WordpieceTokenizer(VOCAB, unknown_token="")(["abcz"]), ["abcz"]),
    (lambda: text.WordpieceTokenizer(VOCAB, with_offsets=True)(["abc"]), (["ab", "##c"], [0, 2], [2, 3])),
    (lambda: text.BertTokenizer(VOCAB)("abc deep 我爱x"), ["ab", "##c", "deep", "我", "爱", "[UNK]"]),
    (lambda: text.BertTokenizer(VOCAB, lower_case=True, with_offsets=True)("AB deep"), (["ab", "deep"], [0, 3], [2, 7])),
    (lambda: text.RegexTokenizer(r"\s+", r"\s+")("a b  c"), ["a", " ", "b", "  ", "c"]),
    (lambda: text.RegexReplace("(a)(x)", "$2$1", False)("axax"), "xaax"),
    (lambda: text.CaseFold()("WÖRLD ß"), "wörld ss"),
    (lambda: text.NormalizeUTF8()(["ﬁ"]), ["fi"]),
    (lambda: text.FilterWikipediaXML()("Hello <b>x</b> [[File:y]] &amp; 12"), "hello file y one two"),
    (lambda: text.Ngram([2, 3], ("_", 2), ("_", 1), "-")(["a", "b"]), ["_-a", "a-b", "b-_", "_-_-a", "_-a-b", "a-b-_"]),
    (lambda: text.Ngram(4)(["a"]), [""]),
    (lambda: text.SlidingWindow(2)(["a", "b", "c"]), [["a", "b"], ["b", "c"]]),
    (lambda: text.SlidingWindow(5)(np.arange(4)), []),
    (lambda: text.ToNumber(ms.int32)(["1", "1.5"]), [1, 1]),
    (lambda: text.Truncate(2)([["a", "b", "c"]]), [["a", "b"]]),
    (lambda: text.TruncateSequencePair(5)(np.arange(4), np.arange(3)), ([0, 1, 2], [0, 1])),
    (lambda: text.PythonTokenizer(str.split)(np.array("a b")), ["a", "b"]),
    (lambda: text.to_str(text.to_bytes(np.array(["a", "é"]))), ["a", "é"]),
]


@pytest.mark.parametrize("call, wanted", VALUES, ids=range(len(VALUES)))
def test_values(call, wanted):
    assert plain(call()) == wanted


def test_vocabularies(tmp_path):
    assert VOCAB.tokens_to_ids(["deep", "zz"]) == [2, -1] and VOCAB.ids_to_tokens([0, 2, 99]) == ["<pad>", "deep", ""]
    assert Vocab.from_dict({"a": 3}).vocab() == {"a": 3}
    path = tmp_path / "v.txt"
    path.write_text("a,1\nb,2\nc")
    assert Vocab.from_file(str(path), ",", 2, ["<s>"], False).vocab() == {"a": 0, "b": 1, "<s>": 2}
    path.write_text("b a b\nc b a\nd")
    data = ds.TextFileDataset(str(path), shuffle=False).map(text.WhitespaceTokenizer(), "text")
    assert Vocab.from_dataset(data, "text", None, 2, ["<p>"]).vocab() == {"<p>": 0, "b": 1, "a": 2}
    assert Vocab.from_dataset(data, freq_range=(2, 9)).vocab() == {"b": 0, "a": 1}
    ids = data.map(text.Lookup(Vocab.from_dataset(data)), "text").padded_batch(3, pad_info={"text": ([3], -1)})
    assert next(iter(ids))[0].tolist() == [[0, 1, 0], [2, 0, 1], [3, -1, -1]]


def test_vectors(tmp_path):
    for name, content in (
        ("glove.6B.3d.txt", "ok 1 2 3\ngo 4 5 6\n"),
        ("a.vec", "2 3\nok 1 2 3\n"),
        ("c.txt", "2gram-ok 1 2\n"),
    ):
        (tmp_path / name).write_text(content)
    glove = text.GloVe.from_file(str(tmp_path / "glove.6B.3d.txt"))
    assert text.ToVectors(glove, [-1, -1, -1])(["ok", "zz"]).tolist() == [[1, 2, 3], [-1, -1, -1]]
    assert text.ToVectors(glove, lower_case_backup=True)("GO").tolist() == [4, 5, 6]
    assert text.ToVectors(text.FastText.from_file(str(tmp_path / "a.vec")))("ok").tolist() == [1, 2, 3]
    assert text.ToVectors(text.CharNGram.from_file(str(tmp_path / "c.txt")))(["ok", "zz"]).tolist() == [[1, 2], [0, 0]]
    with pytest.raises(RuntimeError, match="of a name as"):
        text.GloVe.from_file(str(tmp_path / "a.vec"))


ERRORS: list[tuple[type, str, Callable[[], Any]]] = [
    (ValueError, "twice, but has", lambda: Vocab.from_list(["a", "a"])),
    (ValueError, "no word of 'special_tokens'", lambda: Vocab.from_list(["a"], ["a"])),
    (TypeError, "'word_dict'", lambda: Vocab.from_dict({"a": "b"})),
    (RuntimeError, "there is none at", lambda: Vocab.from_file("/none")),
    (TypeError, "'tokens'", lambda: VOCAB.tokens_to_ids(3)),
    (RuntimeError, "'zz' is not in the Vocab", lambda: text.Lookup(VOCAB)("zz")),
    (TypeError, "'vocab'", lambda: text.Lookup(3)),
    (RuntimeError, "must be of strings", lambda: text.WhitespaceTokenizer()(3)),
    (RuntimeError, "must be one string", lambda: text.WhitespaceTokenizer()(["a b"])),
    (RuntimeError, "no pattern", lambda: text.RegexReplace("(", "b")("a")),
    (ValueError, "'n'", lambda: text.Ngram(0)),
    (RuntimeError, "beyond int8", lambda: text.ToNumber(ms.int8)("300")),
    (RuntimeError, "shows no number", lambda: text.ToNumber(ms.int32)("a")),
    (TypeError, "must be of numbers", lambda: text.ToNumber(ms.bool_)),
    (TypeError, "must be a function", lambda: text.PythonTokenizer(3)),
]


@pytest.mark.parametrize("error, message, call", ERRORS)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()
