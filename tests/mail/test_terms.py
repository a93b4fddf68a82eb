import subprocess
import sys

import pytest

from mailgym.mail.terms import MAX_WORD_CHARACTERS, Stems, fold, stem_words, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("E-mail: foo_bar, It's", ["e", "mail", "foo", "bar", "it", "s"]),
        ("Ünïcode STRASSE Straße ﬁne", ["unicode", "strasse", "strasse", "fine"]),
        ("e\u0301te\u0301", ["ete"]),
        ("会议室 at 3pm", ["会", "议", "室", "at", "3pm"]),
        ("\x00 🎉 -- *", []),
        ("", []),
        ("٣ дома", ["٣", "дома"]),
    ],
)
def test_words_are_told_apart_at_all_but_letters_and_digits(text, words):
    assert words_of(text) == words


def test_ascii_and_other_texts_give_the_same_words():
    text = "".join(map(chr, range(128))) + " Plain WORDS_and-more 42"
    assert words_of(text) == words_of(text + " é")[:-1]


def test_folding_is_stable():
    for text in ("İstanbul", "ΣΊΣΥΦΟΣ", "ǅ", "ﬃ", "ß"):
        assert fold(fold(text)) == fold(text)


def test_stems_are_shared_by_the_forms_of_a_word():
    assert stem_words(["meetings", "meeting", "meet"]) == ["meet"] * 3
    assert stem_words(["2001", "a1s"]) == ["2001", "a1s"]


def test_of_endless_words_the_beginning_counts():
    stems = Stems()
    assert stems["x" * 1000] == stems["x" * MAX_WORD_CHARACTERS + "y"]


def test_the_stems_kept_are_bounded(monkeypatch):
    monkeypatch.setattr("mailgym.mail.terms.MAX_KEPT_STEMS", 3)
    stems = Stems()
    for number in range(10):
        assert stems[f"w{number}"] == f"w{number}"
        assert len(stems) <= 3


FORKED = """
import os, signal
from mailgym.mail.terms import _shared_stems, stem_words
with _shared_stems()[1]:  # as another thread may hold it
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if stem_words(["meetings"]) == ["meet"] else 1)
    print(os.waitpid(child, 0)[1])
"""


def test_a_fork_while_another_thread_reads_words_does_not_hang():
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
