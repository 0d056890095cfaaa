"""Files dropped on any page go where they belong, by what is in them."""

import pathlib
import re
import shutil
import subprocess
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import tones
from documents import lighthouse
from parts import dialog, drop, names
from places import evaluate, held_back, wait_until


def opened(visitor, address: str) -> Page:
    """A page that takes dropped files."""
    page = visitor.open(address)
    # The parts on every page come after the page.
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    return page


@pytest.fixture(name="sound")
def fixture_sound(tmp_path) -> pathlib.Path:
    """A sound file whose name says nothing."""
    return tones.write_phrases(tmp_path / "interview", ["good", "mor", "ning"]).absolute()


def test_sound_that_is_dropped_anywhere_becomes_a_recording(visitor, sound):
    page = opened(visitor, "/settings/display")
    drop(page, sound)
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_visible()
    expect(names(page)).to_have_text(["interview"])


def test_files_of_several_kinds_go_to_their_places(visitor, sound, tmp_path):
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(lighthouse())
    page = opened(visitor, "/recordings")
    drop(page, sound, pdf)
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    expect(names(page)).to_have_count(1)
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    expect(names(page)).to_have_text(["interview"])


FFMPEG = shutil.which("ffmpeg")
OPUS, AAC = ["-c:a", "libopus"], ["-c:a", "aac"]
# Names as recorders, browsers and messengers give them, and how FFmpeg makes what is in them.
LYING = {
    "PTT-20250102-WA0007.opus": [*OPUS, "-f", "ogg"],
    "file_12.oga": [*OPUS, "-f", "ogg"],
    "really-ogg.wav": [*OPUS, "-f", "ogg"],
    "browser-says.mp3": [*OPUS, "-f", "webm"],
    "browser-without-length.webm": [*OPUS, "-live", "1", "-f", "webm"],
    "call.3gp": [*AAC, "-f", "3gp"],
    "iphone-browser.mp4": [*AAC, "-movflags", "frag_keyframe+empty_moov", "-f", "mp4"],
    "note.mp4a": [*AAC, "-f", "ipod"],
    "recorder-says.mp3": [*AAC, "-f", "ipod"],
    "really-adts.m4a": [*AAC, "-f", "adts"],
    "really-wav.mp3": ["-f", "wav"],
    "no-ending": ["-f", "flac"],
}


@pytest.mark.skipif(FFMPEG is None, reason="FFmpeg is not installed")
def test_twelve_sounds_whose_names_lie_are_recordings_after_one_drop(visitor, studio, tmp_path):
    for number, (name, options) in enumerate(LYING.items()):
        tone = f"sine=frequency={400 + 20 * number}:duration=4:sample_rate=48000"
        made = ["-v", "error", "-y", "-f", "lavfi", "-i", tone, *options, str(tmp_path / name)]
        subprocess.run([str(FFMPEG), *made], check=True, stdin=subprocess.DEVNULL)
    page = opened(visitor, "/recordings")
    drop(page, *((tmp_path / name).absolute() for name in LYING))
    # More than the list has in sight.
    imported = "(await import('/server/library.js')).listItems({ origin: ['imported'] })"
    wait_until(page, f"async (count) => (await {imported}).items.length === count", len(LYING))
    expect(page.locator(".sound-import")).to_have_count(0)
    items = studio.get("/library?origin=imported")["items"]
    assert [item["duration"] for item in items] == [pytest.approx(4, abs=0.1)] * len(LYING)
    assert studio.get("/documents")["total"] == 0


@pytest.mark.parametrize("answer, place", [("Read aloud", "/speak"), ("Keep as a document", "/documents")])
def test_a_text_alone_is_asked_about(visitor, tmp_path, answer, place):
    text = tmp_path / "notes.txt"
    text.write_text("The harbour was quiet.", encoding="utf-8")
    page = opened(visitor, "/recordings")
    drop(page, text)
    expect(dialog(page)).to_contain_text("“notes.txt” is a text.")
    dialog(page).get_by_role("button", name=answer).click()
    wait_until(page, "(place) => location.pathname === place", place)
    if place == "/speak":
        expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.")
    else:
        expect(names(page)).to_have_text(["notes"])


@pytest.fixture(name="texts")
def fixture_texts(tmp_path) -> list[pathlib.Path]:
    files = []
    for name, text in (("one", "The harbour was quiet.\n"), ("two", "The tide came in.\n")):
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text(text, encoding="utf-8")
    return files


def test_several_texts_are_asked_about_once_and_become_one_that_is_read_aloud(visitor, texts):
    page = opened(visitor, "/recordings")
    drop(page, *texts)
    expect(dialog(page).get_by_role("heading", name="Read these 2 texts aloud?")).to_be_visible()
    dialog(page).get_by_role("button", name="Read aloud").click()
    expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.\n\nThe tide came in.")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_could_not_be_read_of_a_text_is_said_where_it_is_read_aloud(visitor, tmp_path):
    cut = tmp_path / "cut.txt"
    cut.write_bytes("Ööülikool. ".encode() * 40 + b"\xff The end.")
    page = opened(visitor, "/recordings")
    drop(page, cut)
    dialog(page).get_by_role("button", name="Read aloud").click()
    expect(page.get_by_label("Text to speak")).to_have_value(re.compile("The end"))
    expect(page.locator(".toast")).to_contain_text("Characters that could not be recognised")


def test_several_texts_are_kept_as_documents_by_one_answer_or_left_alone(visitor, studio, texts):
    page = opened(visitor, "/speak")
    drop(page, *texts)
    expect(dialog(page).get_by_role("button", name="Read aloud")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert studio.get("/documents")["total"] == 0
    drop(page, *texts)
    dialog(page).get_by_role("button", name="Keep as documents").click()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    expect(names(page)).to_have_text(["two", "one"])
    expect(page.get_by_role("dialog")).to_have_count(0)


def importing(page: Page) -> list[Any]:
    """The sound on its way, which is held back: once it is there, that is said in place of where it goes."""
    held: list[Any] = []
    page.route("**/api/library/imports?*", lambda route: held.append(route))
    return held


def test_texts_among_other_files_are_asked_about_and_the_others_go_to_their_places(visitor, texts, sound):
    page = opened(visitor, "/settings/display")
    held = importing(page)
    drop(page, texts[0], sound, texts[1])
    dialog(page).get_by_role("button", name="Read aloud").click()
    expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.\n\nThe tide came in.")
    expect(page.locator(".toast")).to_contain_text("1 sound file goes to the recordings.")
    held_back(page, held).continue_()
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    expect(names(page)).to_have_text(["interview"])


@pytest.mark.parametrize("place", ["/recordings", "/settings/display"])
def test_documents_and_sounds_among_texts_that_are_read_aloud_are_said_and_led_to(visitor, texts, sound, tmp_path, place):
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(lighthouse())
    page = opened(visitor, place)
    held = importing(page)
    drop(page, texts[0], pdf, sound, texts[1])
    dialog(page).get_by_role("button", name="Read aloud").click()
    expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.\n\nThe tide came in.")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Importing 1 of 1 · 1 sound file goes to the recordings.")
    toast.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    expect(names(page)).to_have_count(1)
    held_back(page, held).continue_()
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    expect(names(page)).to_have_text(["interview"])


@pytest.fixture
def notes(tmp_path) -> pathlib.Path:
    file = tmp_path / "notes.txt"
    file.write_text("The harbour was quiet.", encoding="utf-8")
    return file


def answered_aloud(page: Page) -> None:
    expect(dialog(page)).to_contain_text("“notes.txt” is a text.")
    dialog(page).get_by_role("button", name="Read aloud").click()
    expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.")


def test_a_file_is_taken_from_the_first_moment(visitor, studio, notes):
    page = visitor.open("/settings/display")
    held, is_held = [], True
    page.route("**/background.js", lambda route: held.append(route) if is_held else route.continue_())
    with page.expect_response("**/pages/drops/drops.js"):
        page.goto(studio.base + "/recordings")
    evaluate(page, "import('/pages/drops/drops.js').then(() => true)")
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_visible()
    held_back(page, held)
    drop(page, notes)
    answered_aloud(page)
    is_held = False
    for route in held:
        route.continue_()
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.")


@pytest.mark.expects_console("ERR_CONNECTION_REFUSED")
def test_a_file_waits_for_what_takes_it_when_that_could_not_be_loaded(visitor, notes):
    page = opened(visitor, "/recordings")
    # The page loads it when it is needed.
    page.route("**/dropped-files.js", lambda route: route.abort("connectionrefused"), times=1)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/dropped-files.js")):
        drop(page, notes)
    answered_aloud(page)


def test_a_file_is_taken_by_what_came_under_the_pointer_a_moment_ago(visitor, notes):
    page = opened(visitor, "/recordings")
    put = """() => {
      const part = document.body.appendChild(document.createElement("div"));
      Object.assign(part.style, { position: "fixed", inset: "0" });
    }"""
    drop(page, notes, meanwhile=lambda: page.evaluate(put))
    answered_aloud(page)


def test_what_takes_files_is_shown_while_they_are_over_the_page(visitor, notes):
    page = opened(visitor, "/recordings")
    veil = page.get_by_text("Drop any file")
    expect(veil).to_be_hidden()
    drop(page, notes, meanwhile=lambda: expect(veil).to_be_visible())
    expect(dialog(page)).to_be_visible()
    expect(veil).to_be_hidden()


def test_a_text_takes_the_place_of_what_was_written_only_when_asked_and_that_can_be_had_back(visitor, tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("The harbour was quiet.", encoding="utf-8")
    page = opened(visitor, "/speak")
    field = page.get_by_label("Text to speak")
    field.fill("Written by hand.")
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_visible()
    drop(page, text)
    expect(dialog(page)).to_contain_text("it takes the place of the text that you have written.")
    dialog(page).get_by_role("button", name="Read aloud").click()
    expect(field).to_have_value("The harbour was quiet.")
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Written by hand.")
