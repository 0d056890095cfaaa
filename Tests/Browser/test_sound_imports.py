"""Sound files that are imported among the recordings: refused, transcribed, exported as they came, deleted."""

import io
import re
import zipfile

import pytest
from playwright.sync_api import expect

import tones
from conftest import NARROW
from documents import lighthouse
from parts import dialog, names, rows, select_rows
from places import evaluate, wait_until
from transcripts import write


@pytest.mark.expects_console("status of 4(15|22)")
def test_sound_files_are_imported_and_what_is_none_is_refused(visitor, studio, tmp_path):
    page = visitor.open("/recordings")
    other = tmp_path / "letter.wav"
    other.write_text("This is no sound.")
    page.locator("main input[type=file]").first.set_input_files([tones.write(tmp_path / "climb.wav"), other])
    expect(names(page)).to_have_text(["climb"])
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.get_by_role("button", name="letter.wav").press("Enter")
    expect(page.locator(".sound-import")).to_have_count(0)
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_focused()
    [item] = studio.get("/library?origin=imported")["items"]
    assert item["duration"] == pytest.approx(tones.LENGTH)


def test_a_bar_does_not_stand_at_its_end_while_sound_is_read(visitor):
    page = visitor.open("/recordings")
    evaluate(page, """import('/pages/recordings/sound-import-queue.js').then(({ soundImports }) => soundImports.all.set([
        { id: 1, file: new File(["sound"], "talk.mp3"), state: "reading", part: 1, problem: null, keepsPart: false, track: null,
          keepsTwin: false, notices: [], item: null, twin: null, rest: null, isApart: false },
    ]))""")
    bar = page.get_by_role("progressbar", name="talk.mp3")
    expect(bar).to_have_attribute("data-endless", "")
    expect(bar).not_to_have_attribute("aria-valuenow", re.compile(r"\d"))
    evaluate(page, "import('/pages/recordings/sound-import-queue.js').then(({ soundImports }) => soundImports.all.set([]))")


@pytest.mark.expects_console("status of 422")
def test_imported_files_are_offered_to_be_transcribed_and_the_refused_leave_the_list_together(visitor, studio, tmp_path):
    page = visitor.open("/recordings")
    chosen = page.locator("main input[type=file]").first
    chosen.set_input_files(tones.write(tmp_path / "climb.wav"))
    offer = page.locator(".sound-import-offer")
    expect(offer).to_contain_text("“climb” was imported and can be transcribed.")
    # Announced once: the offer says it.
    expect(offer.get_by_role("status")).to_have_count(1)
    expect(page.locator(".list-count")).to_have_text("1 recording")
    expect(page.locator(".list-count")).to_have_attribute("aria-live", "off")
    expect(page.locator(".toast")).to_have_count(0)
    expect(page.locator(".sound-imports")).to_be_hidden()
    offer.get_by_role("button", name="Transcribe", exact=True).click()
    expect(dialog(page).get_by_role("heading", name="Transcribe", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    low, high = (tones.write_phrases(tmp_path / f"{piece}.wav", [piece]) for piece in ("good", "bird"))
    bad = [tmp_path / "letter.wav", tmp_path / "list.wav"]
    for file in bad:
        file.write_text(f"This is no sound, but {file.name}.")
    chosen.set_input_files([low, high, *bad])
    expect(offer).to_contain_text("3 imported recordings can be transcribed.")
    expect(page.locator(".sound-import[data-state=refused]")).to_have_count(2)
    page.get_by_role("button", name="Dismiss all").click()
    expect(page.locator(".sound-import")).to_have_count(0)
    assert studio.get("/library?origin=imported")["total"] == 3
    # The offer stays until it is answered, whichever page is opened meanwhile.
    page.get_by_role("link", name="Documents", exact=True).first.click()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    expect(offer.get_by_role("button", name="Transcribe all")).to_be_visible()
    offer.get_by_role("button", name="Not now").click()
    expect(offer).to_be_hidden()
    expect(names(page)).to_have_count(3)


def test_files_that_are_transcribed_without_an_offer_are_said_to_be_imported(visitor, studio, tmp_path):
    studio.send("PUT", "/settings/transcription.after-import", {"value": "on"})
    page = visitor.open("/recordings")
    wait_until(page, "() => import('/core/store.js').then(({ settings }) => settings.value.size > 0)")
    page.locator("main input[type=file]").first.set_input_files(tones.write(tmp_path / "climb.wav"))
    expect(page.locator(".toast")).to_contain_text("Imported “climb.wav”")
    expect(page.locator(".sound-import-offer")).to_be_hidden()


@pytest.mark.parametrize("pieces", [["good"], ["good", "bird"]])
def test_the_offer_goes_where_all_that_was_imported_has_transcripts_already(visitor, studio, tmp_path, pieces):
    page = visitor.open("/recordings")
    files = [tones.write_phrases(tmp_path / f"{piece}.wav", [piece]) for piece in pieces]
    page.locator("main input[type=file]").first.set_input_files(files)
    offer = page.locator(".sound-import-offer")
    action = offer.get_by_role("button", name="Transcribe all" if len(pieces) > 1 else "Transcribe", exact=True)
    expect(action).to_be_visible()
    # As a command does, of whose transcription the page hears nothing.
    for item in studio.get("/library?origin=imported")["items"]:
        write(studio, item["id"], ["Good morning."])
    action.press("Enter")
    expect(offer).to_be_hidden()
    if len(pieces) > 1:
        expect(page.locator(".toast")).to_contain_text("2 have transcripts already, which stay")
        expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_focused()
    else:
        expect(dialog(page).get_by_role("heading", name="Transcribe again")).to_be_visible()


@pytest.mark.expects_console("status of 422")
def test_what_can_be_read_of_a_cut_file_is_kept_by_one_press(visitor, studio, tmp_path):
    whole = tones.write(tmp_path / "climb.wav").read_bytes()
    cut = tmp_path / "cut.wav"
    cut.write_bytes(whole[: len(whole) // 4 * 2])
    page = visitor.open("/recordings")
    page.locator("main input[type=file]").first.set_input_files(cut)
    row = page.locator(".sound-import")
    expect(row).to_have_attribute("data-state", "refused")
    expect(row.get_by_role("alert")).to_contain_text("damaged")
    assert studio.get("/library?origin=imported")["total"] == 0
    row.get_by_role("button", name="Keep the readable part").click()
    expect(names(page)).to_have_text(["cut"])
    [item] = studio.get("/library?origin=imported")["items"]
    assert item["duration"] == pytest.approx(tones.LENGTH / 2, abs=0.1)


def test_documents_chosen_among_the_recordings_go_to_the_documents(visitor, studio, tmp_path):
    paper = tmp_path / "paper.pdf"
    paper.write_bytes(lighthouse())
    page = visitor.open("/recordings")
    page.locator("main input[type=file]").first.set_input_files([tones.write(tmp_path / "climb.wav"), paper])
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    expect(names(page)).to_have_text(["paper"])
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    expect(names(page)).to_have_text(["climb"])


def test_a_file_that_was_imported_before_is_noticed_and_imported_again_when_that_is_wanted(visitor, studio, tmp_path):
    file = tones.write(tmp_path / "climb.wav")
    studio.post_file("/library/imports", file)
    page = visitor.open("/recordings")
    page.locator("main input[type=file]").first.set_input_files(file)
    row = page.locator(".sound-import")
    expect(row).to_contain_text("in your library already, as “climb”")
    expect(row.get_by_role("link", name="Open")).to_have_attribute("href", re.compile("^/recordings/"))
    assert studio.get("/library?origin=imported")["total"] == 1
    row.get_by_role("button", name="Import again").click()
    expect(names(page)).to_have_text(["climb", "climb"])
    expect(page.locator(".sound-import")).to_have_count(0)


def test_on_a_phone_the_words_about_a_file_have_room_beside_its_buttons(visitor, studio, tmp_path):
    file = tones.write(tmp_path / "climb.wav")
    studio.post_file("/library/imports", file)
    page = visitor.open("/recordings", size=NARROW)
    page.locator("main input[type=file]").first.set_input_files(file)
    words = page.locator(".sound-import").get_by_role("alert")
    expect(words).to_contain_text("in your library already, as “climb”")
    assert words.bounding_box()["width"] > NARROW["width"] / 3
    page.get_by_role("button", name="climb.wav").press("Enter")
    expect(page.locator(".sound-import")).to_have_count(0)


def test_a_file_is_imported_again_whose_recording_was_deleted_just_now(visitor, studio, tmp_path):
    file = tones.write(tmp_path / "climb.wav")
    studio.post_file("/library/imports", file)
    page = visitor.open("/recordings")
    expect(names(page)).to_have_text(["climb"])
    rows(page).first.focus()
    page.keyboard.press("Delete")
    expect(page.locator(".toast").get_by_role("button", name="Undo")).to_be_visible()
    expect(rows(page)).to_have_count(0)
    page.locator("main input[type=file]").first.set_input_files(file)
    expect(names(page)).to_have_text(["climb"])
    expect(page.locator(".sound-import")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    wait_until(page, "async () => (await (await fetch('/api/library?origin=imported')).json()).total === 1")
    expect(names(page)).to_have_text(["climb"])


def test_an_imported_file_is_exported_as_it_came(visitor, studio, tmp_path):
    file = tones.write(tmp_path / "climb.wav")
    studio.post_file("/library/imports", file)
    page = visitor.open("/recordings")
    page.get_by_role("button", name="More for “climb”").click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    dialog(page).get_by_text("Original file", exact=True).click()
    with page.expect_download() as download:
        dialog(page).get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "climb.wav"
    assert download.value.path().read_bytes() == file.read_bytes()
    sheet = dialog(page)
    sheet.get_by_role("button", name="Delete the imported file").click()
    dialog(page).get_by_role("button", name="Delete", exact=True).click()
    expect(sheet.get_by_role("status")).to_have_text("The imported file was deleted; the recording stays.")
    page.keyboard.press("Escape")
    expect(names(page)).to_have_count(1)
    assert [item["fileSize"] for item in studio.get("/library")["items"]] == [None]


def test_several_imported_files_are_exported_as_they_came(visitor, studio, tmp_path):
    files = [tones.write(tmp_path / "climb.wav"), tones.write_phrases(tmp_path / "call.wav", ["good", "mor", "ning"])]
    for file in files:
        studio.post_file("/library/imports", file)
    page = visitor.open("/recordings")
    expect(names(page)).to_have_count(2)
    select_rows(page, 0, 1)
    page.get_by_role("toolbar").get_by_role("button", name="Export", exact=True).click()
    dialog(page).get_by_text("Original files", exact=True).click()
    with page.expect_download() as download:
        dialog(page).get_by_role("button", name="Download as one zip").click()
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {file.name: file.read_bytes() for file in files}
    dialog(page).get_by_text("One audiobook", exact=True).click()
    expect(dialog(page).get_by_role("radio", name="M4B audiobook")).to_be_checked()
    expect(dialog(page).get_by_text("Original files", exact=True)).to_have_count(0)


def test_an_imported_file_is_deleted_where_it_is_exported_and_the_recording_stays(visitor, studio, tmp_path):
    made = studio.post_file("/library/imports", tones.write(tmp_path / "climb.wav"))["item"]
    assert studio.get(f"/library/{made['id']}")["fileSize"] is not None
    page = visitor.open(f"/recordings/{made['id']}")
    page.get_by_role("button", name="More for climb").click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    sheet = dialog(page)
    expect(sheet.get_by_text("Original file", exact=True)).to_be_visible()
    sheet.get_by_role("button", name="Delete the imported file").click()
    question = dialog(page)
    expect(question).to_contain_text("The recording and its text stay")
    question.get_by_role("button", name="Delete", exact=True).click()
    expect(sheet.get_by_role("status")).to_have_text("The imported file was deleted; the recording stays.")
    expect(sheet.get_by_text("Original file", exact=True)).to_have_count(0)
    expect(sheet.get_by_role("button", name="Delete the imported file")).to_be_hidden()
    assert studio.get(f"/library/{made['id']}")["fileSize"] is None
