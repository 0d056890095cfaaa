"""NFR14: everything is exported or erased, and the page says how much that is and how it ended."""

import array
import io
import wave
import zipfile

import pytest
from playwright.sync_api import Page, expect

from parts import dialog, sealed_files
from practising import practise, send_take, written


@pytest.fixture
def page(visitor, studio):
    """The advanced settings of a library with two recordings and three documents."""
    studio.seed(2)
    studio.seed_documents()
    return visitor.open("/settings/advanced")


def open_sheet(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def lose_a_recording(studio) -> None:
    """Makes a recording, and deletes its sound behind the server's back."""
    before = sealed_files(studio)
    studio.narrate("The tide comes in.", "Lost")
    [lost] = sealed_files(studio) - before
    lost.unlink()


def test_nfr14_erasing_names_recordings_and_documents_with_their_counts(page):
    open_sheet(page, "Erase…")
    expect(dialog(page)).to_contain_text(
        "2 narrations, 0 recordings and 3 documents are deleted from this machine, with the history, all profiles and all settings."
    )


def fill_practice(studio) -> None:
    """Adds two speeches, a practice session with a take, and two pronunciations."""
    for title in ("Toast", "Lecture"):
        written(studio, title)
    session = practise(studio, records=True)
    send_take(studio, session, tone(), repetition=1)
    studio.send("PUT", "/dictionary", {"text": "# mine\nGIF = jif\n\nSQL = sequel\n"})


def tone() -> bytes:
    """A second of sound, as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes(array.array("h", [4_000, -4_000] * 8_000).tobytes())
    return file.getvalue()


@pytest.mark.parametrize("opening, rest", [
    ("Erase…", "are deleted from this machine"),
    ("Export…", "go into one zip, with the history"),
])
def test_nfr14_speeches_practice_and_pronunciations_are_named_with_their_counts(visitor, studio, opening, rest):
    studio.seed(1)
    studio.ready(fill_practice)
    page = visitor.open("/settings/advanced")
    open_sheet(page, opening)
    expect(dialog(page)).to_contain_text(
        f"1 narration, 0 recordings, 0 documents, 2 speeches, 1 practice session, 1 echo and 2 pronunciations {rest}"
    )


def test_nfr14_exporting_everything_names_recordings_and_documents_with_their_counts(page):
    open_sheet(page, "Export…")
    expect(dialog(page)).to_contain_text("2 narrations, 0 recordings and 3 documents go into one zip")
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name="Download everything").click()
    with zipfile.ZipFile(io.BytesIO(waiting.value.path().read_bytes())) as archive:
        assert archive.testzip() is None
        assert len([name for name in archive.namelist() if "/documents/" in name]) == 3
    expect(page.locator(".toast")).to_have_count(0)


def test_nfr14_an_export_without_what_is_missing_says_how_much_that_is(visitor, studio):
    studio.seed(1)
    lose_a_recording(studio)
    page = visitor.open("/settings/advanced")
    open_sheet(page, "Export…")
    with page.expect_download():
        dialog(page).get_by_role("button", name="Download everything").click()
    expect(page.locator(".toast")).to_contain_text("1 entry is damaged or missing and is not in the file.")


def test_nfr14_a_zip_without_what_is_missing_says_so_and_names_it_with_the_reason(visitor, studio):
    studio.seed(1)
    lose_a_recording(studio)
    page = visitor.open("/library")
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share or export").click()
    dialog(page).get_by_text("FLAC", exact=True).click()
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name="Download").click()
    expect(page.locator(".toast")).to_contain_text("1 entry is damaged or missing and is not in the file.")
    with zipfile.ZipFile(io.BytesIO(waiting.value.path().read_bytes())) as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == ["Left out.txt", "Recording 1.flac"]
        left_out = archive.read("Left out.txt").decode()
    assert "Lost.flac" in left_out and "A file of the library is missing." in left_out
