"""UC17, UC18, FR30: recordings are joined into an audiobook, downloaded with captions, and shared; or failures
shown."""

import io
import json
import pathlib
import struct
import subprocess
import zipfile
import zlib

import pytest
from playwright.sync_api import Page, expect

from parts import choose, dialog, rows, sealed_files, select_rows
from places import evaluate, wait_until

# The files that a page shares go nowhere; they are recorded in `window.shared`, one list per call.
SHARING = """
window.shared = [];
navigator.canShare = ({ files }) => files.every((file) => !file.name.endsWith(".zip"));
navigator.share = async ({ files }) => { window.shared.push(files.map((file) => `${file.name} ${file.type} ${file.size > 0}`)); };
"""

REFUSED = "Failed to load resource: the server responded with a status of"


@pytest.fixture
def page(visitor, studio):
    """The library with three recordings; the last made comes first."""
    studio.seed()
    page = visitor.open("/library")
    expect(rows(page)).to_have_count(3)
    return page


def open_sheet(page: Page, *places: int) -> None:
    select_rows(page, *places)
    page.get_by_role("toolbar").get_by_role("button", name="Share or export").click()


def download(page: Page, name: str = "Download"):
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name=name).click()
    return waiting.value


def chapters_of(file: pathlib.Path) -> list[dict]:
    return probed(file, "-show_chapters")["chapters"]


def probed(file: pathlib.Path, *what: str) -> dict:
    said = subprocess.run(["ffprobe", "-v", "error", "-of", "json", *what, str(file)], capture_output=True, check=True, timeout=60)
    return json.loads(said.stdout)


def png(folder: pathlib.Path) -> pathlib.Path:
    """A picture of 32 by 32 grey pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    lines = b"".join(b"\0" + bytes([100] * 32) for _ in range(32))
    header = struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0)
    file = folder / "cover.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))
    return file


def lose_files(studio, before: set) -> None:
    """Deletes the files added since, behind the server's back."""
    lost = sealed_files(studio) - before
    assert lost
    for file in lost:
        file.unlink()


# An audiobook of several recordings


def test_uc17_recordings_are_joined_into_an_audiobook_in_the_chosen_order(page, studio):
    open_sheet(page, 0, 2)
    sheet = dialog(page)
    sheet.get_by_text("One audiobook", exact=True).click()
    expect(sheet.get_by_role("radio", name="M4B audiobook")).to_be_checked()
    sheet.get_by_label("Title", exact=True).fill("Tales")
    sheet.get_by_label("Author", exact=True).fill("A. Writer")
    sheet.locator("input[type=file]").set_input_files(png(studio.folder))
    expect(sheet.get_by_role("button", name="Remove the cover")).to_be_visible()
    expect(sheet.locator(".join-list .row-title")).to_have_text(["Recording 3", "Recording 1"])
    sheet.get_by_role("button", name="More for Recording 1").press("Alt+ArrowUp")
    expect(sheet.locator(".join-list .row-title")).to_have_text(["Recording 1", "Recording 3"])
    expect(sheet.get_by_role("button", name="More for Recording 1")).to_be_focused()
    got = download(page)
    assert got.suggested_filename == "Tales.m4b"
    found = probed(got.path(), "-show_chapters", "-show_format", "-show_streams")
    assert [one["tags"]["title"] for one in found["chapters"]] == ["Recording 1", "Recording 3"]
    tags = found["format"]["tags"]
    assert (tags["title"], tags["artist"]) == ("Tales", "A. Writer")
    assert [one["codec_name"] for one in found["streams"] if one["disposition"]["attached_pic"]] == ["png"]


def test_uc17_each_way_to_export_is_named_on_one_line(page):
    open_sheet(page, 0, 2)
    labels = dialog(page).locator(".export-ways .segment-label")
    expect(labels).to_have_text(["A file for each", "One audiobook"])
    lines = evaluate(page, """() => [...document.querySelectorAll(".export-ways .segment-label")].map((label) => {
        const words = document.createRange();
        words.selectNodeContents(label);
        return words.getClientRects().length;
    })""")
    assert lines == [1, 1]


def test_uc17_the_order_is_changed_by_the_menu_by_dragging_and_by_name(page):
    open_sheet(page, 0, 1, 2)
    sheet = dialog(page)
    sheet.get_by_text("One audiobook", exact=True).click()
    titles = sheet.locator(".join-list .row-title")
    expect(titles).to_have_text(["Recording 3", "Recording 2", "Recording 1"])
    sheet.get_by_role("button", name="More for Recording 1").click()
    page.get_by_role("menuitem", name="Move to the top").click()
    expect(titles).to_have_text(["Recording 1", "Recording 3", "Recording 2"])
    handles = sheet.locator(".join-list .queue-handle")
    handles.nth(2).scroll_into_view_if_needed()
    start, end = handles.nth(2).bounding_box(), handles.nth(1).bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 5, steps=4)
    page.mouse.up()
    expect(titles).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    sheet.get_by_role("button", name="More for Recording 1").press("Alt+ArrowDown")
    expect(titles).to_have_text(["Recording 2", "Recording 1", "Recording 3"])
    sheet.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitem", name="By name").click()
    expect(titles).to_have_text(["Recording 1", "Recording 2", "Recording 3"])


def test_uc17_one_recording_becomes_an_audiobook_with_a_title_and_an_author(page):
    choose(page, "Recording 2", "Share or export")
    dialog(page).get_by_text("M4B audiobook", exact=True).click()
    dialog(page).get_by_label("Title", exact=True).fill("The second")
    dialog(page).get_by_label("Author", exact=True).fill("A. Writer")
    got = download(page)
    tags = probed(got.path(), "-show_format")["format"]["tags"]
    assert (got.suggested_filename, tags["title"], tags["artist"]) == ("The second.m4b", "The second", "A. Writer")


@pytest.mark.expects_console(REFUSED)
def test_uc17_a_cover_that_is_no_picture_is_refused_in_words_and_the_sheet_stays(page, studio):
    text = studio.folder / "cover.jpg"
    text.write_text("This is no picture.")
    choose(page, "Recording 2", "Share or export")
    dialog(page).get_by_text("M4B audiobook", exact=True).click()
    dialog(page).get_by_label("Title", exact=True).fill("Kept")
    dialog(page).locator("input[type=file]").set_input_files(text)
    dialog(page).get_by_role("button", name="Download").click()
    expect(dialog(page).get_by_role("alert").filter(has_text="neither a JPEG nor a PNG image")).to_be_visible()
    expect(dialog(page).get_by_label("Title", exact=True)).to_have_value("Kept")
    dialog(page).get_by_role("button", name="Remove the cover").click()
    assert download(page).suggested_filename == "Kept.m4b"


# Formats


def test_uc17_a_recording_is_exported_as_aac(page):
    choose(page, "Recording 2", "Share or export")
    dialog(page).get_by_text("AAC (M4A)", exact=True).click()
    got = download(page)
    assert got.suggested_filename == "Recording 2.m4a"
    [stream] = probed(got.path(), "-show_streams", "-select_streams", "a")["streams"]
    assert stream["codec_name"] == "aac"


def test_uc17_a_file_that_has_to_be_made_is_asked_for_once(page):
    asked = []
    page.on("request", lambda one: asked.append((one.method, one.url.split("/api/")[1])) if "/api/" in one.url and "export" in one.url else None)
    choose(page, "Recording 2", "Share or export")
    dialog(page).get_by_text("M4B audiobook", exact=True).click()
    assert download(page).suggested_filename == "Recording 2.m4b"
    expect(page.locator(".toast")).to_have_count(0)
    assert [one for one in asked if one[0] == "POST"] == [("POST", "exports")]
    assert not [path for _, path in asked if path.startswith("library/")], "nothing is made only to be looked at"


def test_fr30_captions_go_beside_the_sound(page):
    choose(page, "Recording 2", "Share or export")
    dialog(page).get_by_text("FLAC", exact=True).click()
    for name in ("SRT subtitles", "WebVTT subtitles"):
        dialog(page).get_by_role("switch", name=name).click()
    got = download(page, "Download as one zip")
    with zipfile.ZipFile(io.BytesIO(got.path().read_bytes())) as archive:
        assert archive.namelist() == ["Recording 2.flac", "Recording 2.srt", "Recording 2.vtt"]
        assert b"00:00:00,000 -->" in archive.read("Recording 2.srt")
        assert archive.read("Recording 2.vtt").removeprefix("\ufeff".encode()).startswith(b"WEBVTT")


def test_what_was_chosen_in_the_sheet_for_exports_is_kept_in_the_library(page, visitor, studio):
    choose(page, "Recording 2", "Share or export")
    with page.expect_response("**/api/settings/page.export-file"):
        dialog(page).get_by_text("FLAC", exact=True).click()
    with page.expect_response("**/api/settings/page.export-beside"):
        dialog(page).get_by_role("switch", name="SRT subtitles").click()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.reload()
    choose(page, "Recording 2", "Share or export")
    expect(dialog(page).get_by_role("radio", name="FLAC")).to_be_checked()
    expect(dialog(page).get_by_role("switch", name="SRT subtitles")).to_be_checked()
    with page.expect_response("**/api/settings/page.export-file"):
        dialog(page).get_by_text("One file for each chapter", exact=True).click()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    # Several have no files of chapters: the usual format stands in, and is not kept.
    open_sheet(page, 0, 1)
    expect(dialog(page).get_by_role("radio", name="MP3")).to_be_checked()
    assert page.evaluate("localStorage.getItem('page.export-file')") == "chapters"
    kept = {one["name"]: one["value"] for one in studio.get("/settings")}
    assert (kept["page.export-file"], kept["page.export-beside"]) == ("chapters", "srt")
    # A browser's memory of a server ends with that; another browser has none.
    another = visitor.open("/library")
    wait_until(another, "async () => (await import('/core/store.js')).setting('page.export-beside', '') === 'srt'")
    choose(another, "Recording 2", "Share or export")
    expect(dialog(another).get_by_role("radio", name="One file for each chapter")).to_be_checked()
    dialog(another).locator(".format", has_text="FLAC").click()
    expect(dialog(another).get_by_role("switch", name="SRT subtitles")).to_be_checked()


def test_several_are_exported_by_the_way_that_was_last_chosen(page, visitor, studio):
    open_sheet(page, 0, 1)
    with page.expect_response("**/api/settings/page.export-way"):
        dialog(page).get_by_text("One audiobook", exact=True).click()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.reload()
    expect(rows(page)).to_have_count(3)
    open_sheet(page, 0, 2)
    expect(dialog(page).get_by_role("radio", name="One audiobook")).to_be_checked()
    expect(dialog(page).locator(".join-list .row-title")).to_have_text(["Recording 3", "Recording 1"])
    assert {one["name"]: one["value"] for one in studio.get("/settings")}["page.export-way"] == "joined"
    # A recording by itself is no audiobook of several, and has the formats of one.
    another = visitor.open("/library")
    wait_until(another, "async () => (await import('/core/store.js')).setting('page.export-way', '') === 'joined'")
    choose(another, "Recording 2", "Share or export")
    expect(dialog(another).get_by_role("radio", name="MP3")).to_be_checked()
    expect(dialog(another).get_by_role("radio", name="One audiobook")).to_have_count(0)
    expect(dialog(another).locator(".join-list li")).to_have_count(0)
    with another.expect_download() as waiting:
        dialog(another).get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == "Recording 2.mp3"


@pytest.mark.expects_console("status of 500")
def test_nfr14_an_order_that_is_not_loaded_says_so_in_the_sheet_that_opens_with_it_and_is_asked_for_again(page, studio):
    last = next(item["id"] for item in studio.get("/library")["items"] if item["name"] == "Recording 3")
    failure = {"code": "vault.system", "message": "The system refused: Input/output error.", "suggestion": None}
    page.route(f"**/api/library/{last}", lambda route: route.fulfill(status=500, json=failure))
    page.evaluate("localStorage.setItem('page.export-way', 'joined')")
    open_sheet(page, 0, 1)
    sheet = dialog(page)
    problem = sheet.get_by_role("alert").filter(has_text="The system refused: Input/output error.")
    expect(sheet.get_by_role("radio", name="One audiobook")).to_be_checked()
    expect(problem).to_be_visible()
    # A file for each needs no order.
    sheet.get_by_text("A file for each", exact=True).click()
    expect(problem).to_have_count(0)
    sheet.get_by_text("One audiobook", exact=True).click()
    page.unroute(f"**/api/library/{last}")
    sheet.get_by_role("button", name="Try again").click()
    expect(sheet.locator(".join-list .row-title")).to_have_text(["Recording 3", "Recording 2"])
    expect(problem).to_have_count(0)


def test_the_sheet_stays_open_for_the_next_file_of_a_narration(page):
    choose(page, "Recording 2", "Share or export")
    for name, ending in (("FLAC", "flac"), ("WebVTT subtitles", "vtt")):
        dialog(page).locator(".format", has_text=name).click()
        assert download(page).suggested_filename == f"Recording 2.{ending}"
        expect(dialog(page).get_by_text("The download has begun.")).to_be_visible()
    dialog(page).locator(".format", has_text="Opus").click()
    expect(dialog(page).get_by_text("The download has begun.")).to_have_count(0)


def test_what_was_read_aloud_is_exported_in_the_formats_of_transcripts(page):
    choose(page, "Recording 2", "Share or export")
    sheet = dialog(page)
    times = sheet.get_by_role("switch", name="Add times")
    expect(sheet.get_by_role("switch", name="SRT subtitles")).to_be_visible()
    expect(times).to_be_hidden()
    sheet.locator(".format", has_text="Markdown").click()
    times.click()
    got = download(page)
    assert got.suggested_filename == "Recording 2.md"
    text = got.path().read_text()
    assert text.startswith("# Recording 2\n\n") and "0:00" in text and "It has a second sentence." in text
    sheet.locator(".format", has_text="Table, CSV").click()
    expect(times).to_be_hidden()
    sheet.get_by_role("switch", name="A row for each word").click()
    got = download(page)
    assert got.suggested_filename == "Recording 2.csv"
    words = [row.split(",")[3] for row in got.path().read_text().splitlines()[1:]]
    assert [word.rstrip(".") for word in words[:4]] == ["This", "is", "recording", "number"]
    # The text as it was written has no times.
    sheet.locator(".format", has_text="The words that were").click()
    expect(times).to_be_hidden()
    # Beside the sound they are in one file with it, and not where several become one.
    sheet.locator(".format", has_text="FLAC").click()
    sheet.get_by_role("switch", name="Word document").click()
    expect(times).to_be_visible()
    got = download(page, "Download as one zip")
    with zipfile.ZipFile(io.BytesIO(got.path().read_bytes())) as archive:
        assert archive.namelist() == ["Recording 2.flac", "Recording 2.docx"]
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    open_sheet(page, 0, 1)
    expect(sheet.get_by_role("switch", name="Word document")).to_be_checked()
    sheet.get_by_text("One audiobook", exact=True).click()
    expect(sheet.get_by_role("switch", name="SRT subtitles")).to_be_visible()
    expect(sheet.get_by_role("switch", name="Word document")).to_have_count(0)


def test_uc18_the_chapters_in_a_zip_are_of_the_chosen_format(visitor, studio):
    studio.seed_documents()
    harbour = studio.document("Harbour")
    studio.hear(studio.send("POST", f"/documents/{harbour}/narrations", {})["id"])
    page = visitor.open("/library")
    choose(page, "Harbour", "Share or export")
    dialog(page).get_by_text("One file for each chapter").click()
    dialog(page).get_by_label("Format of the sound files").select_option("FLAC")
    got = download(page, "Download as one zip")
    with zipfile.ZipFile(io.BytesIO(got.path().read_bytes())) as archive:
        assert len(archive.namelist()) == 2
        for name in archive.namelist():
            assert name.endswith(".flac") and archive.read(name).startswith(b"fLaC")


def test_nfr14_everything_is_exported_as_aac(visitor, studio):
    studio.seed(1)
    page = visitor.open("/settings/advanced")
    page.get_by_role("button", name="Export…").click()
    dialog(page).get_by_text("AAC (M4A)", exact=True).click()
    got = download(page, "Download everything")
    with zipfile.ZipFile(io.BytesIO(got.path().read_bytes())) as archive:
        assert "EchoText/recordings/Recording 1.m4a" in archive.namelist()


# Documents


def test_uc18_several_documents_are_exported_as_one_zip(visitor, studio):
    studio.seed_documents()
    page = visitor.open("/documents")
    expect(rows(page)).to_have_count(3)
    select_rows(page, 0, 1, 2)
    with page.expect_download() as waiting:
        page.get_by_role("toolbar").get_by_role("button", name="Export the files as one zip").click()
    expect(page.locator(".selection-count")).to_be_hidden()
    files = {file.name: file.read_bytes() for file in (studio.folder / "files").iterdir()}
    with zipfile.ZipFile(io.BytesIO(waiting.value.path().read_bytes())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


# Sharing


def shared(page: Page) -> list[list[str]]:
    return page.evaluate("() => window.shared")


@pytest.fixture
def sharer(visitor, studio):
    studio.seed(2)
    context = visitor.context()
    context.add_init_script(SHARING)
    context.add_cookies([studio.new_cookie()])
    page = context.new_page()
    page.goto(studio.base + "/library")
    expect(rows(page)).to_have_count(2)
    return page


def test_uc17_several_recordings_are_shared_as_files(sharer):
    open_sheet(sharer, 0, 1)
    dialog(sharer).get_by_text("FLAC", exact=True).click()
    dialog(sharer).get_by_role("button", name="Share…").click()
    expect(dialog(sharer)).to_have_count(0)
    assert shared(sharer) == [["Recording 2.flac audio/flac true", "Recording 1.flac audio/flac true"]]


def test_uc17_joined_recordings_are_shared_as_one_file(sharer):
    open_sheet(sharer, 0, 1)
    dialog(sharer).get_by_text("One audiobook", exact=True).click()
    expect(dialog(sharer).locator(".join-list li")).to_have_count(2)
    dialog(sharer).get_by_role("button", name="Share…").click()
    expect(dialog(sharer)).to_have_count(0)
    assert shared(sharer) == [["Recording 2.m4b audio/mp4 true"]]


def test_uc17_what_the_browser_does_not_share_is_downloaded(sharer):
    open_sheet(sharer, 0, 1)
    dialog(sharer).get_by_text("FLAC", exact=True).click()
    dialog(sharer).get_by_role("switch", name="SRT subtitles").click()
    got = download(sharer, "Share…")
    with zipfile.ZipFile(io.BytesIO(got.path().read_bytes())) as archive:
        assert len(archive.namelist()) == 4
    assert shared(sharer) == []


# Chapters


def test_fr30_the_bar_has_the_chapters_of_the_audiobook_before_the_text_is_opened(visitor, studio):
    studio.seed_documents()
    lighthouse = studio.document("Lighthouse")
    studio.hear(studio.send("POST", f"/documents/{lighthouse}/narrations", {})["id"])
    page = visitor.open("/library")
    choose(page, "Lighthouse", "Share or export")
    dialog(page).get_by_text("M4B audiobook", exact=True).click()
    exported = chapters_of(download(page).path())
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.locator(".row", has_text="Lighthouse").click()
    page.locator("echo-player-bar").get_by_role("button", name="Chapters").click()
    items = page.get_by_role("menu", name="Chapters").get_by_role("menuitemradio")
    expect(items.locator(".menu-label")).to_have_text([one["tags"]["title"] for one in exported])
    starts = [int(float(one["start_time"])) for one in exported]
    expect(items.locator(".menu-hint")).to_have_text([f"{start // 60}:{start % 60:02}" for start in starts])
    assert len(exported) >= 2


def test_fr30_the_bar_has_all_chapters_of_a_narration_before_they_are_spoken(visitor, studio):
    file = studio.folder / "long.md"
    middle = "\n\n".join(f"Paragraph {n} talks of the sea." for n in range(4_000))
    file.write_text(f"# Alpha\n\n{middle}\n\n# Omega\n\nThe end of it.\n")
    document = studio.import_document(file)
    studio.speak_slowly()
    page = visitor.open(f"/documents/{document}")
    studio.send("POST", f"/documents/{document}/narrations", {})
    page.locator(".narration-strip").get_by_role("button", name="Listen").click()
    page.locator("echo-player-bar").get_by_role("button", name="Chapters").click()
    items = page.get_by_role("menu", name="Chapters").get_by_role("menuitemradio")
    expect(items.locator(".menu-label")).to_have_text(["Alpha", "Omega"])
    expect(items.first).to_be_checked()
    expect(items.last).to_be_disabled()


# Failures


@pytest.mark.expects_console(REFUSED)
@pytest.mark.parametrize("name", ["M4B audiobook", "AAC (M4A)", "FLAC"])
def test_nfr14_a_file_that_cannot_be_made_says_so_in_its_sheet(visitor, studio, name):
    studio.seed(1)
    before = sealed_files(studio)
    studio.narrate("The tide comes in.", "Lost")
    page = visitor.open("/library")
    expect(rows(page)).to_have_count(2)
    lose_files(studio, before)
    choose(page, "Lost", "Share or export")
    dialog(page).get_by_text(name, exact=True).click()
    dialog(page).get_by_role("button", name="Download").click()
    expect(dialog(page)).to_contain_text("A file of the library is missing.")


def test_nfr14_chapters_that_break_off_say_so(visitor, studio):
    before = sealed_files(studio)
    studio.narrate("# One\n\nThe tide comes in.\n\n# Two\n\nThe tide goes out.", "Lost")
    page = visitor.open("/library")
    lose_files(studio, before)
    choose(page, "Lost", "Share or export")
    dialog(page).get_by_text("One file for each chapter").click()
    dialog(page).get_by_role("button", name="Download").click()
    expect(page.locator(".toast")).to_contain_text("The download broke off: what was saved is not whole. A file of the library is missing.")


@pytest.mark.expects_console(REFUSED)
def test_nfr14_an_audiobook_that_cannot_be_joined_says_so(visitor, studio):
    studio.seed(1)
    before = sealed_files(studio)
    studio.narrate("The tide comes in.", "Lost")
    page = visitor.open("/library")
    expect(rows(page)).to_have_count(2)
    lose_files(studio, before)
    open_sheet(page, 0, 1)
    dialog(page).get_by_text("One audiobook", exact=True).click()
    dialog(page).get_by_role("button", name="Download").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("A file of the library is missing.")


@pytest.mark.expects_console(REFUSED)
def test_nfr14_a_document_whose_file_is_missing_says_so_in_its_sheet(visitor, studio):
    before = sealed_files(studio)
    studio.seed_documents()
    page = visitor.open("/documents")
    expect(rows(page)).to_have_count(3)
    lose_files(studio, before)
    choose(page, "Lighthouse", "Share or export")
    dialog(page).get_by_role("button", name="Download").click()
    expect(dialog(page)).to_contain_text("A file of the library is missing.")


def test_nfr14_documents_whose_files_are_missing_are_counted(visitor, studio):
    before = sealed_files(studio)
    studio.seed_documents()
    page = visitor.open("/documents")
    expect(rows(page)).to_have_count(3)
    lose_files(studio, before)
    select_rows(page, 0, 1)
    with page.expect_download():
        page.get_by_role("toolbar").get_by_role("button", name="Export the files as one zip").click()
    expect(page.locator(".toast")).to_contain_text("2 entries are damaged or missing and are not in the file.")


@pytest.mark.expects_console(REFUSED)
@pytest.mark.parametrize("address, opening, pressed", [
    ("/settings/advanced", "Export…", "Download everything"),
    ("/settings/security", "Back up…", "Download backup"),
])
def test_nfr14_a_download_that_is_refused_says_so(visitor, studio, address, opening, pressed):
    studio.seed(1)
    page = visitor.open(address)
    for path in ("export-all", "backup"):
        page.route(f"**/api/{path}", lambda route: route.fulfill(json={"id": "over-long-ago"}))
    page.get_by_role("button", name=opening).first.click()
    dialog(page).get_by_role("button", name=pressed).click()
    expect(page.locator(".toast")).to_contain_text("The download has been fetched before, or is over.")
