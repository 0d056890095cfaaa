"""A listener hears what was to be spoken, and no more.

Each bound is slightly above the results of piper-tts 1.8.0 with the same voice, texts and judge in six renders, noted
next to it: the voice is random. Added words have bounds of their own: a voice that babbles is worse than one that
mumbles.
"""

import os
import pathlib
import textwrap

import documents
import pytest
from judge import MOST, Judge
from sound import Recording
from speaker import ROOT, Speaker

from conftest import TEXTS


def texts(name: str) -> list[str]:
    return (TEXTS / name).read_text(encoding="utf-8").strip().split("\n\n")


def read(name: str) -> str:
    return (TEXTS / name).read_text(encoding="utf-8")


def test_short_texts_are_heard_as_they_are_written(judge: Judge, short: Recording):
    expected = texts("short.txt")
    verdicts = judge.pieces_wrong(expected, short.sound, short.paragraph_times(read("short.txt")))
    wrong = [f"{text}: {verdict}" for text, verdict in zip(expected, verdicts, strict=True) if verdict.wrong]
    assert len(wrong) <= 3, wrong  # piper-tts: 0 to 2
    assert sum(verdict.added for verdict in verdicts) <= 2, wrong  # 0 or 1


def test_long_sentences_are_heard_from_their_first_word_to_their_last(judge: Judge, long: Recording):
    expected = texts("long.txt")
    verdicts = judge.pieces_wrong(expected, long.sound, long.paragraph_times(read("long.txt")))
    words = sum(verdict.words for verdict in verdicts)
    said = "\n".join(map(str, verdicts))
    assert sum(verdict.wrong * verdict.words for verdict in verdicts) / words <= 0.055, said  # piper-tts: 0.031 to 0.039
    assert sum(verdict.added for verdict in verdicts) <= 5, said  # 0 or 1 of 509
    assert max(verdict.wrong for verdict in verdicts) <= 0.2, said


def test_a_page_of_numbers_dates_and_abbreviations_is_read_as_a_careful_reader_reads_it(judge: Judge, page: Recording):
    verdict = judge.words_wrong(read("page-read.txt"), page.sound, page.stretches(MOST))
    assert verdict.wrong <= 0.05, verdict  # piper-tts, which gets them spelled out: 0.006 to 0.022
    assert verdict.added <= 4, verdict  # 0 to 2 of 180


def test_a_paragraph_of_a_PDF_is_heard(judge: Judge, speaker: Speaker, tmp_path: pathlib.Path):
    lines = textwrap.wrap(read("paragraph.txt"), 64)
    book = documents.pdf([["The Keeper", *page, str(number)] for number, page in enumerate([["Before."], lines, ["After."]], 1)])
    (tmp_path / "keeper-pages.pdf").write_bytes(book)
    spoken = speaker.speak_document(tmp_path / "keeper-pages.pdf", "--pages", "2")
    expect_paragraph(judge, spoken, read("paragraph.txt"))


def test_a_paragraph_of_an_EPUB_is_heard(judge: Judge, speaker: Speaker, tmp_path: pathlib.Path):
    chapters = [("Before", "Not this."), ("The two clocks", read("paragraph.txt").strip()), ("After", "Nor this.")]
    (tmp_path / "keeper-book.epub").write_bytes(documents.epub("The Keeper", chapters))
    spoken = speaker.speak_document(tmp_path / "keeper-book.epub", "--chapters", "2")
    expect_paragraph(judge, spoken, "The two clocks. " + read("paragraph.txt"))


# The corpus, if the machine has it


@pytest.fixture
def corpus() -> pathlib.Path:
    folder = os.environ.get("ECHOTEXT_TEST_DATA")
    if not folder:
        pytest.skip("ECHOTEXT_TEST_DATA names no folder with the corpus")
    return pathlib.Path(folder, "corpus")


def checked(name: str) -> list[str]:
    """The paragraphs of a file of the corpus, checked by eye."""
    return (ROOT / f"Benchmarks/documents/{name}.txt").read_text(encoding="utf-8").strip().split("\n\n")


def test_a_paragraph_of_the_corpus_as_EPUB_is_heard(judge: Judge, speaker: Speaker, corpus: pathlib.Path):
    spoken = speaker.speak_document(corpus / "epub/mol-audio.epub", "--pages", "2")
    expect_paragraph(judge, spoken, checked("mol-audio.epub")[-1])


def test_paragraphs_of_the_corpus_as_PDF_are_heard(
    judge: Judge, speaker: Speaker, corpus: pathlib.Path, tmp_path: pathlib.Path
):
    """The first twelve of a page that ends with a table; the spoken text is what the reader extracted."""
    expected = checked("google-doc-document.pdf")[:12]
    speaker.succeed("import", str(corpus / "pdf/google-doc-document.pdf"), "--name", "zen")
    found = speaker.succeed("documents", "text", "zen").strip().split("\n\n")[: len(expected)]
    (tmp_path / "zen.txt").write_text("\n\n".join(found), encoding="utf-8")
    expect_paragraph(judge, speaker.speak(tmp_path / "zen.txt"), "\n\n".join(expected))


def expect_paragraph(judge: Judge, spoken: Recording, expected: str) -> None:
    """A text of some fifty to eighty words; piper-tts gets up to two of them wrong, and adds one."""
    verdict = judge.words_wrong(expected, spoken.sound)
    assert verdict.wrong <= 0.08, verdict
    assert verdict.added <= 2, verdict
