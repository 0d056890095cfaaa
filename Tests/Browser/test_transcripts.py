"""The transcript of a recording: written, compared, searched, played along and exported."""

import io
import re
import zipfile

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from parts import choose, dialog, names, rows, select_rows
from places import boxes_of, held_back, settle, wait_until
from test_access import violations
from transcripts import TEXTS, answer_heard, open_talk, paragraphs, record, tools, versions, write


def test_a_transcript_is_written_by_hand_and_opens_from_the_list(visitor, studio):
    item = record(studio)
    page = visitor.open("/recordings")
    page.locator(".row", has_text="Talk").locator(".row-title").click()
    expect(page.get_by_role("heading", name="Talk")).to_be_focused()
    page.get_by_role("button", name="Write it yourself").click()
    page.keyboard.type("Good morning. It rains.")
    for _ in range(len(" It rains.")):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("textarea")).to_have_count(2)
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page)).to_have_text(["Good morning. It rains."])
    assert [one["number"] for one in versions(studio, item)] == [1]
    page.get_by_role("link", name="All recordings").click()
    expect(page.get_by_role("link", name="Transcript of Talk")).to_be_visible()


def test_the_way_back_from_a_transcript_leads_to_the_row_of_its_recording(visitor, studio, talk):
    record(studio, name="Other")
    page = visitor.open("/recordings")
    row = page.locator(".row", has_text="Talk")
    row.locator(".row-title").click()
    expect(page.get_by_role("heading", name="Talk")).to_be_focused()
    page.get_by_role("link", name="All recordings").click()
    expect(row).to_be_focused()


def test_what_is_said_without_a_pause_is_one_paragraph_with_one_time(visitor, studio):
    item = record(studio)
    spoken = [(0, 2, "Good morning,"), (2, 3, "everybody."), (6, 8, "The harbour was quiet.")]
    segments = [{"start": start, "end": end, "text": text, "speaker": None} for start, end, text in spoken]
    studio.send("POST", f"/library/{item}/transcripts", {"base": None, "segments": segments})
    page = visitor.open(f"/recordings/{item}")
    expect(paragraphs(page)).to_have_text(["Good morning, everybody.", "The harbour was quiet."])
    expect(page.locator(".segment-time")).to_have_text(["0:00", "0:06"])
    page.get_by_role("button", name="Name the speaker").first.click()
    dialog(page).get_by_label("Speaker").fill("Anna")
    dialog(page).get_by_role("button", name="This part").click()
    expect(page.locator(".segment-speaker")).to_have_text(["Anna", "Speaker?"])
    kept = studio.get(f"/transcripts/{versions(studio, item)[0]['id']}")["segments"]
    assert [one["speaker"] for one in kept] == ["Anna", "Anna", None]


def test_a_transcript_that_is_read_aloud_gives_the_text_back_that_was_written(visitor, talk):
    page = visitor.open("/speak")
    field = page.get_by_label("Text to speak")
    field.fill("Written by hand.")
    page.get_by_role("link", name="Recordings & transcripts", exact=True).first.click()
    page.locator(".row", has_text="Talk").locator(".row-title").click()
    expect(paragraphs(page)).to_have_text(TEXTS)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Read this aloud").click()
    expect(field).to_have_value("\n\n".join(TEXTS))
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Written by hand.")


def test_all_tools_of_a_transcript_are_on_the_screen_of_a_phone(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}]})
    write(studio, talk, ["Good warning.", *TEXTS[1:]], versions(studio, talk)[0]["id"])
    page = visitor.open(f"/recordings/{talk}", size=NARROW)
    for name in ("Edit", re.compile("^Version 2")):
        expect(tools(page).get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("searchbox", name="Find in this transcript")).to_be_in_viewport(ratio=1)
    expect(paragraphs(page).first).to_be_in_viewport()
    assert tools(page).evaluate("(row) => row.scrollWidth <= row.clientWidth")
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="1 mark").click()
    expect(dialog(page).locator(".mark-row")).to_have_count(1)


def test_the_words_of_a_transcript_begin_high_on_a_phone(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}]})
    page = open_talk(visitor, talk, size=NARROW)
    expect(tools(page).get_by_role("button", name="1 mark")).to_be_in_viewport(ratio=1)
    settle(page)
    assert paragraphs(page).first.bounding_box()["y"] <= 184
    ways = [page.get_by_role("link", name="All recordings"), page.get_by_role("button", name="More for Talk")]
    for box in (one.bounding_box() for one in [*tools(page).get_by_role("button").all(), *ways]):
        assert box["width"] >= 44 and box["height"] >= 44
    tools(page).get_by_role("button", name="1 mark").click()
    expect(dialog(page).locator(".mark-row")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Transcribe again").click()
    expect(dialog(page).get_by_role("heading", name="Transcribe again")).to_be_visible()


PLACE_AMONG_THE_TOOLS = """(field) => {
  const [own, all] = [field, field.closest("[role=toolbar]")].map((one) => one.getBoundingClientRect());
  return [own.left - all.left, own.top - all.top, own.width];
}"""


@pytest.mark.parametrize("size", [NARROW, {"width": 667, "height": 800}], ids=["narrow", "less narrow"])
def test_the_search_stays_where_it_is_on_a_narrow_page_while_words_are_typed(visitor, talk, size):
    page = open_talk(visitor, talk, size=size)
    find = page.get_by_role("searchbox", name="Find in this transcript")
    settle(page)
    before = find.evaluate(PLACE_AMONG_THE_TOOLS)
    find.fill("good")
    expect(page.locator(".find-count")).to_have_text("1 of 2")
    assert find.evaluate(PLACE_AMONG_THE_TOOLS) == before
    steps = boxes_of(page.get_by_role("button", name=re.compile("^(Previous|Next) place$")))
    assert len(steps) == 2 and len({box["y"] for box in steps}) == 1, "they stand side by side"
    assert tools(page).evaluate("(row) => row.scrollWidth <= row.clientWidth")


def test_a_transcript_is_no_wider_than_a_small_screen_with_large_text(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}]})
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = open_talk(visitor, talk, size={"width": 360, "height": 740})
    page.get_by_role("searchbox", name="Find in this transcript").fill("good")
    expect(page.locator(".find-count")).to_have_text("1 of 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert tools(page).evaluate("(row) => row.scrollWidth <= row.clientWidth")


def test_a_recording_that_is_opened_is_in_the_player(visitor, talk):
    page = open_talk(visitor, talk)
    # Each text lasts a second, and two of silence follow; the last three at the end are one.
    expect(page.locator("echo-player-bar .seek-silence")).to_have_count(3)
    bar = page.get_by_role("region", name="Player")
    expect(bar.locator(".bar-name")).to_have_text("Talk")
    bar.get_by_role("button", name="Play", exact=True).click()
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()


def test_versions_are_shown_made_current_and_deleted_with_undo(visitor, studio, talk):
    first = versions(studio, talk)[0]["id"]
    write(studio, talk, ["Another text."], first)
    page = visitor.open(f"/recordings/{talk}")
    expect(paragraphs(page)).to_have_text(["Another text."])
    tools(page).get_by_role("button", name="Version 2").click()
    dialog(page).get_by_role("button", name="Show: Version 1").click()
    expect(paragraphs(page)).to_have_text(TEXTS)
    expect(page.get_by_text("Not the current version")).to_be_visible()
    tools(page).get_by_role("button", name="Version 1").click()
    dialog(page).get_by_role("button", name="Make current: Version 1").click()
    expect(dialog(page).get_by_role("button", name="Make current: Version 2")).to_be_visible()
    assert studio.get(f"/library/{talk}/text")["text"] == "\n".join(TEXTS)
    dialog(page).get_by_role("button", name="Delete: Version 2").click()
    page.get_by_role("button", name="Undo").click()
    tools(page).get_by_role("button", name="Version 1").click()
    dialog(page).get_by_role("button", name="Delete: Version 2").click()
    page.get_by_role("button", name="Dismiss").click()
    wait_until(page, "async (item) => (await (await fetch(`/api/library/${item}/transcripts`)).json()).versions.length === 1", talk)


def test_two_versions_stand_side_by_side_with_what_differs(visitor, studio, talk):
    write(studio, talk, ["Good warning, everybody.", TEXTS[1], "Good night, friends."], versions(studio, talk)[0]["id"])
    page = visitor.open(f"/recordings/{talk}")
    tools(page).get_by_role("button", name="Version 2").click()
    dialog(page).get_by_role("button", name="Compare with the one shown: Version 1").click()
    expect(page.get_by_role("heading", name="Two versions compared")).to_be_focused()
    expect(page.locator(".compared-names p").first).to_have_text("Version 1 · original text")
    expect(page.locator(".compared-row")).to_have_count(3)
    expect(page.locator("del")).to_have_text(["other words: morning,"])
    expect(page.locator("ins")).to_have_text(["other words: warning,", "only here: friends."])
    expect(page.get_by_role("status").filter(has_text="Only in version 1: 1 word. Only in version 2: 2 words.")).to_be_visible()
    page.get_by_role("switch", name="Show only what differs").click()
    expect(page.locator(".compared-row:visible")).to_have_count(2)
    page.get_by_role("button", name="Next difference").click()
    page.get_by_role("button", name="Next difference").click()
    expect(page.locator(".compared-row").nth(2).get_by_role("button")).to_be_focused()
    page.get_by_role("button", name="Close the comparison").click()
    expect(paragraphs(page)).to_have_count(3)


# The styles that mark the side of an element.
SIDE = "(one) => getComputedStyle(one).borderInlineStart"


def test_on_a_phone_what_a_version_says_has_the_line_that_its_name_has(visitor, studio, talk):
    write(studio, talk, ["Good warning, everybody.", TEXTS[1]], versions(studio, talk)[0]["id"])
    page = visitor.open(f"/recordings/{talk}", size=NARROW)
    tools(page).get_by_role("button", name="Version 2").click()
    dialog(page).get_by_role("button", name="Compare with the one shown: Version 1").click()
    expect(page.locator(".compared-row")).to_have_count(2)
    first, second = (name.evaluate(SIDE) for name in page.locator(".compared-names p").all())
    assert first.startswith("3px solid") and second.startswith("3px solid") and first != second
    assert [side.evaluate(SIDE) for side in page.locator(".compared-side").all()] == [first, second] * 2
    title = page.get_by_role("heading", name="Two versions compared").bounding_box()
    assert page.locator(".comparison-actions").bounding_box()["y"] >= title["y"] + title["height"]
    for row in page.locator(".compared-row").all():
        boxes = boxes_of(row.locator("button, .compared-side"))
        assert all(above["y"] + above["height"] <= below["y"] for above, below in zip(boxes, boxes[1:]))
        assert boxes[2]["y"] - boxes[1]["y"] - boxes[1]["height"] >= 10


def test_a_comparison_is_no_wider_than_a_small_screen_with_large_text(visitor, studio, talk):
    write(studio, talk, ["Good warning, everybody.", TEXTS[1]], versions(studio, talk)[0]["id"])
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = visitor.open(f"/recordings/{talk}", size={"width": 360, "height": 740})
    tools(page).get_by_role("button", name="Version 2").click()
    dialog(page).get_by_role("button", name="Compare with the one shown: Version 1").click()
    expect(page.locator(".compared-row")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_words_are_found_with_the_next_and_the_previous_place(visitor, talk):
    page = open_talk(visitor, talk)
    page.keyboard.press("Control+f")
    find = page.get_by_role("searchbox", name="Find in this transcript")
    expect(find).to_be_focused()
    find.fill("GOOD")
    count = page.locator(".find-count")
    expect(count).to_have_text("1 of 2")
    page.keyboard.press("Enter")
    expect(count).to_have_text("2 of 2")
    wait_until(page, "() => [...(CSS.highlights.get('found-now') ?? [])][0]?.startContainer.data === 'Good night.'")
    page.get_by_role("button", name="Previous place").click()
    expect(count).to_have_text("1 of 2")
    find.fill("nowhere")
    expect(count).to_have_text("Not found")


def test_a_search_leads_to_its_words(visitor, talk):
    page = visitor.open(f"/recordings/{talk}?words=harbour")
    expect(page.locator(".find-count")).to_have_text("1 of 1")


def test_a_press_plays_from_there_and_the_words_are_followed(visitor, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="Play from 0:03").click()
    bar = page.locator("echo-player-bar")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    wait_until(page, "() => [...(CSS.highlights.get('spoken-sentence') ?? [])].join() === 'The harbour was quiet.'")
    bar.get_by_role("button", name="Pause").click()
    expect(bar.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_recording_that_is_opened_while_another_plays_says_so_and_takes_the_player_by_one_press(visitor, studio, talk):
    record(studio, seconds=60, name="Walk")
    page = visitor.open("/recordings")
    row = page.locator(".row", has_text="Walk")
    row.click(button="right")
    page.get_by_role("menuitem", name="Play", exact=True).click()
    bar = page.locator("echo-player-bar")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    page.locator(".row", has_text="Talk").locator(".row-title").click()
    expect(paragraphs(page)).to_have_text(TEXTS)
    expect(tools(page)).to_contain_text("The player has “Walk”.")
    expect(bar.locator(".bar-name")).to_have_text("Walk")
    tools(page).get_by_role("button", name="Play this recording").click()
    expect(bar.locator(".bar-name")).to_have_text("Talk")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    expect(tools(page).get_by_role("button", name=re.compile("^(Play|Pause)"))).to_have_count(0)
    expect(page.get_by_role("heading", name="Talk", level=1)).to_be_focused()


def test_keys_lead_from_word_to_word_which_a_screen_reader_says(visitor, talk):
    page = open_talk(visitor, talk)
    expect(page.locator("echo-player-bar .bar-name")).to_have_text("Talk")
    said = page.locator("echo-reading-text > [role=status]")
    for key, word in (("}", "morning"), ("}", "everybody"), ("}", "The"), ("{", "everybody")):
        page.keyboard.press(key)
        expect(said).to_contain_text(word)
        wait_until(page, "(word) => [...(CSS.highlights.get('spoken-word') ?? [])].join().includes(word)", word)


def test_keys_that_two_texts_have_are_listed_once(visitor, talk):
    page = open_talk(visitor, talk)
    expect(page.locator("echo-player-bar .bar-name")).to_have_text("Talk")
    page.keyboard.press("f")
    expect(page.locator("dialog.player-view echo-reading-text")).to_be_visible()
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(listed.get_by_text("Next word in the text", exact=True)).to_have_count(1)


def test_the_paragraphs_of_nobody_in_particular_have_headings_to_jump_by(visitor, talk):
    page = open_talk(visitor, talk)
    for time in ("0:00", "0:03", "0:06"):
        expect(page.get_by_role("heading", name=f"Play from {time}", level=2)).to_be_visible()


@pytest.mark.expects_console("status of 404")
def test_nfr14_a_transcript_that_is_gone_says_so_in_its_sheet(visitor, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    gone = {"code": "transcript.not-found", "message": "There is no such transcript.", "suggestion": None}
    page.route("**/api/transcripts/*/export*", lambda route: route.fulfill(status=404, json=gone))
    dialog(page).get_by_role("button", name="Download").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("There is no such transcript.")


@pytest.mark.parametrize("title, ending, content", [
    ("SRT subtitles", "srt", "-->"), ("Word document", "docx", None), ("Table, CSV", "csv", "start,end,speaker,text"),
])
def test_a_transcript_is_exported(visitor, talk, title, ending, content):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    dialog(page).get_by_text(title, exact=True).click()
    with page.expect_download() as download:
        dialog(page).get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == f"Talk.{ending}"
    data = download.value.path().read_bytes()
    if content is None:
        package = zipfile.ZipFile(io.BytesIO(data))
        assert package.testzip() is None
        assert b"The harbour was quiet." in package.read("word/document.xml")
    else:
        assert content in data.decode()


def test_the_sheet_for_exports_stays_open_remembers_and_has_the_sound_too(visitor, talk):
    page = open_talk(visitor, talk)

    def open_export(page=page):
        page.get_by_role("button", name="More for Talk").click()
        page.get_by_role("menuitem", name="Export", exact=True).click()
        return dialog(page)

    sheet = open_export()
    for title, ending in (("Markdown", "md"), ("WebVTT subtitles", "vtt")):
        sheet.get_by_text(title, exact=True).click()
        with page.expect_download() as download:
            sheet.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename == f"Talk.{ending}"
        expect(sheet.get_by_text("The download has begun.")).to_be_visible()
    with page.expect_response("**/api/settings/page.export-content"):
        sheet.get_by_text("Sound", exact=True).first.click()
    sheet.get_by_text("WAV", exact=True).click()
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "Talk.wav"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    expect(paragraphs(page)).to_have_text(TEXTS)
    # Whoever reads the transcript gets its formats first, also after the sound was exported.
    expect(open_export().get_by_role("radio", name="WebVTT subtitles")).to_be_checked()
    # The library keeps it, since a browser's memory of a server ends with that.
    another = open_talk(visitor, talk)
    wait_until(another, "() => document.querySelector('.drop-veil') !== null")
    sheet = open_export(another)
    expect(sheet.get_by_role("radio", name="WebVTT subtitles")).to_be_checked()
    sheet.get_by_text("Sound", exact=True).first.click()
    expect(sheet.get_by_role("radio", name="WAV")).to_be_checked()


def test_the_name_is_changed_by_a_press_and_the_recording_is_deleted_with_undo(visitor, studio, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("heading", name="Talk").click()
    page.get_by_label("Name of the recording").fill("Harbour talk")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Harbour talk")).to_be_focused()
    assert studio.get(f"/library/{talk}")["name"] == "Harbour talk"
    page.keyboard.press("F2")
    expect(page.get_by_label("Name of the recording")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Harbour talk")).to_be_focused()
    page.get_by_role("button", name="More for Harbour talk").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("heading", name="Recordings")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Harbour talk")).to_be_visible()


def test_ctrl_z_in_the_list_of_recordings_brings_back_what_was_deleted(visitor, studio, talk):
    record(studio, name="Other")
    visitor.takes_time()
    page = visitor.open("/recordings")
    expect(names(page)).to_have_text(["Other", "Talk"])
    rows(page).nth(1).focus()
    page.keyboard.press("Delete")
    expect(names(page)).to_have_text(["Other"])
    page.keyboard.press("Control+z")
    expect(names(page)).to_have_text(["Other", "Talk"])
    assert studio.get("/library")["total"] == 2


def test_a_recording_becomes_a_favourite_on_its_page(visitor, studio, talk):
    page = open_talk(visitor, talk)
    more = page.get_by_role("button", name="More for Talk")
    for entry, marked in (("Add to favourites", True), ("Remove from favourites", False)):
        more.click()
        with page.expect_response("**/api/library/favorite"):
            page.get_by_role("menuitem", name=entry).click()
        assert studio.get(f"/library/{talk}")["isFavorite"] == marked
        expect(page.locator(".transcript-facts", has_text="Favourites")).to_have_count(1 if marked else 0)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_favourite_has_a_heart_in_the_list_of_recordings(visitor, studio, talk, size):
    record(studio, name="Other")
    page = visitor.open("/recordings", size=size)
    hearts = page.get_by_role("img", name="Favourites")
    for entry, marked in (("Add to favourites", 1), ("Remove from favourites", 0)):
        choose(page, "Talk", entry)
        expect(hearts).to_have_count(marked)
        expect(page.locator(".row", has_text="Talk").get_by_role("img", name="Favourites").locator("svg:visible")).to_have_count(marked)


def test_a_name_that_is_being_typed_stays_when_the_recording_is_renamed_elsewhere(visitor, studio, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("heading", name="Talk").click()
    field = page.get_by_label("Name of the recording")
    field.fill("Harbour")
    studio.send("PATCH", f"/library/{talk}", {"name": "Elsewhere"})
    expect(page).to_have_title(re.compile("^Elsewhere"))
    expect(field).to_have_value("Harbour")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Elsewhere")).to_be_focused()


def test_the_transcript_is_copied(visitor, talk):
    page = open_talk(visitor, talk)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Copy").click()
    expect(page.get_by_text("The text was copied.")).to_be_visible()
    assert page.evaluate("window.copied") == "\n\n".join(TEXTS)


def test_export_stands_beside_the_name_and_copy_where_there_is_room_and_both_are_in_the_menu(visitor, talk):
    page = open_talk(visitor, talk)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    head = page.locator(".transcript-head")
    head.get_by_role("button", name="Copy text").click()
    expect(page.get_by_text("The text was copied.")).to_be_visible()
    assert page.evaluate("window.copied") == "\n\n".join(TEXTS)
    head.get_by_role("button", name="Export", exact=True).click()
    expect(dialog(page).get_by_role("heading", name="Export", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.set_viewport_size(NARROW)
    expect(head.get_by_role("button", name="Copy text")).to_be_hidden()
    expect(head.get_by_role("button", name="Export", exact=True)).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="More for Talk").click()
    for name in ("Copy text", "Export"):
        expect(page.get_by_role("menuitem", name=name, exact=True)).to_be_visible()


IN_ONE_LINE = """(label) => {
  const words = new Range();
  words.selectNodeContents(label);
  return words.getClientRects().length === 1;
}"""


@pytest.mark.parametrize("language, word", [("en-GB", "Export"), ("et-EE", "Ekspordi")])
def test_export_is_in_sight_of_a_transcript_on_a_phone(visitor, talk, language, word):
    page = visitor.open(f"/recordings/{talk}", size=NARROW, language=language)
    export = page.locator(".transcript-head").get_by_role("button", name=word, exact=True)
    expect(export).to_be_in_viewport(ratio=1)
    settle(page)
    own, back = export.bounding_box(), page.locator(".transcript-head > a").bounding_box()
    assert own["width"] >= 44 and own["height"] >= 44
    assert abs(own["y"] - back["y"]) < 8, "the head has one row"
    assert export.locator(".button-label").evaluate(IN_ONE_LINE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    export.click()
    expect(dialog(page).get_by_role("heading", name=word, exact=True)).to_be_visible()


def test_a_transcript_is_spoken(visitor, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Read this aloud").click()
    expect(page.get_by_role("textbox").first).to_have_value("\n\n".join(TEXTS))


@pytest.mark.parametrize("look", [{}, {"size": NARROW}])
def test_uncertain_words_are_marked_and_can_be_stepped_through(visitor, talk, look):
    page = visitor.open("/speak", **look)
    answer_heard(page, talk)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    wait_until(page, "() => [...(CSS.highlights.get('uncertain-word') ?? [])].join() === 'warning.'")
    tools(page).get_by_role("button", name="1 uncertain word").click()
    expect(page.locator(".find-count")).to_have_text("1 of 1: “warning.”")
    expect(page.get_by_text("because the recogniser repeated itself")).to_be_visible()


def test_several_recordings_are_exported_by_the_same_word_as_one(visitor, studio):
    for name in ("One", "Two"):
        record(studio, name=name)
    page = visitor.open("/recordings")
    expect(rows(page)).to_have_count(2)
    select_rows(page, 0, 1)
    page.get_by_role("toolbar").get_by_role("button", name="Export", exact=True).click()
    expect(dialog(page).get_by_role("heading", name="Export 2 recordings")).to_be_visible()
    with page.expect_download() as download:
        dialog(page).get_by_role("button", name="Download as one zip").click()
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert sorted(name.split(".")[0] for name in archive.namelist()) == ["One", "Two"]


def test_transcripts_of_several_recordings_are_exported_in_the_formats_of_one(visitor, studio):
    for name in ("One", "Two"):
        write(studio, record(studio, name=name), TEXTS)
    page = visitor.open("/recordings")
    expect(rows(page)).to_have_count(2)
    select_rows(page, 0, 1)
    page.get_by_role("toolbar").get_by_role("button", name="Export", exact=True).click()
    sheet = dialog(page)
    times = sheet.get_by_role("switch", name="Add times")
    expect(sheet.get_by_text("One audiobook", exact=True)).to_be_hidden()
    sheet.get_by_text("Both", exact=True).click()
    expect(sheet.get_by_role("switch", name="Plain text")).to_be_checked()
    expect(times).to_be_visible()
    expect(sheet.get_by_role("switch", name="Word document")).to_be_visible()
    sheet.get_by_text("One audiobook", exact=True).click()
    expect(sheet.get_by_role("switch", name="SRT subtitles")).to_be_visible()
    expect(sheet.get_by_role("switch", name="Word document")).to_have_count(0)
    sheet.get_by_text("A file for each", exact=True).click()
    sheet.get_by_text("Sound", exact=True).first.click()
    expect(times).to_be_hidden()
    sheet.get_by_text("Transcript", exact=True).first.click()
    sheet.locator(".format", has_text="Table, CSV").click()
    expect(sheet.get_by_role("switch", name="A row for each word")).to_be_visible()
    sheet.locator(".format", has_text="Word document").click()
    expect(sheet.get_by_role("switch", name="A row for each word")).to_be_hidden()
    times.click()
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Download as one zip").click()
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert sorted(archive.namelist()) == ["One.docx", "Two.docx"]
        document = zipfile.ZipFile(io.BytesIO(archive.read("Two.docx")))
    text = document.read("word/document.xml").decode()
    assert ">0:00  <" in text and TEXTS[1] in text
    # The sheet is still there, for another file.
    expect(sheet.get_by_text("The download has begun.")).to_be_visible()
    sheet.get_by_text("Both", exact=True).click()
    sheet.get_by_text("FLAC", exact=True).click()
    sheet.get_by_role("switch", name="SRT subtitles").click()
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Download as one zip").click()
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert sorted(archive.namelist()) == [f"{name}.{ending}" for name in ("One", "Two") for ending in ("flac", "srt", "txt")]


def test_a_recording_and_its_transcript_in_use_are_one_file_and_an_earlier_one_is_exported_as_it_is_shown(visitor, studio, talk):
    first = versions(studio, talk)[0]["id"]
    write(studio, talk, ["Good warning.", TEXTS[1]], first)
    page = visitor.open(f"/recordings/{talk}")
    expect(paragraphs(page)).to_have_text(["Good warning.", TEXTS[1]])
    page.locator(".transcript-head").get_by_role("button", name="Export", exact=True).click()
    sheet = dialog(page)
    sheet.get_by_text("Both", exact=True).click()
    sheet.get_by_text("WAV", exact=True).click()
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Download as one zip").click()
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert sorted(archive.namelist()) == ["Talk.txt", "Talk.wav"]
        assert "Good warning." in archive.read("Talk.txt").decode()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    tools(page).get_by_role("button", name="Version 2").click()
    dialog(page).get_by_role("button", name="Show: Version 1").click()
    expect(paragraphs(page).first).to_have_text(TEXTS[0])
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".transcript-head").get_by_role("button", name="Export", exact=True).click()
    files = []
    page.on("download", lambda file: files.append(file))
    # A browser may refuse a second download after one press.
    for n, (name, begun) in enumerate((("Plain text", "The download has begun. Next: WAV."), ("WAV", "The download has begun.")), 1):
        dialog(page).get_by_role("button", name=f"Download {n} of 2: {name}", exact=True).click()
        expect(dialog(page).get_by_text(begun, exact=True)).to_be_visible()
        held_back(page, files, n)
        assert len(files) == n
    expect(dialog(page).get_by_role("button", name="Download 1 of 2: Plain text", exact=True)).to_be_focused()
    texts = {file.suggested_filename: file.path().read_bytes() for file in files}
    assert sorted(texts) == ["Talk.txt", "Talk.wav"]
    assert TEXTS[0] in texts["Talk.txt"].decode()


def test_a_recording_becomes_an_audiobook_with_a_title_as_a_narration_does(visitor, talk):
    page = open_talk(visitor, talk)
    page.locator(".transcript-head").get_by_role("button", name="Export", exact=True).click()
    sheet = dialog(page)
    sheet.get_by_text("Sound", exact=True).first.click()
    sheet.get_by_text("M4B audiobook", exact=True).click()
    sheet.get_by_label("Title", exact=True).fill("By the sea")
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "By the sea.m4b"
    sheet.get_by_text("One file for each chapter", exact=True).click()
    expect(sheet.get_by_label("Format of the sound files")).to_be_visible()


def test_a_recording_has_one_way_out_where_files_can_be_shared_too(visitor, talk):
    page = visitor.blank()
    page.add_init_script("navigator.canShare = () => true; navigator.share = async ({ files }) => { window.shared = files.map(({ name }) => name); };")
    page.goto(f"{visitor.studio.base}/recordings")
    choose(page, "Talk", "Share or export")
    expect(dialog(page).get_by_role("radio", name="Plain text")).to_be_checked()
    dialog(page).get_by_role("button", name="Share…").click()
    wait_until(page, "() => window.shared?.[0] === 'Talk.txt'")
    page.locator(".row", has_text="Talk").click(button="right")
    expect(page.get_by_role("menuitem", name="Share")).to_have_count(1)


def test_no_state_has_a_violation(visitor, studio, talk):
    write(studio, talk, ["Good warning.", TEXTS[1]], versions(studio, talk)[0]["id"], ["Anna", "Bert"])
    found = []
    for size in ({"width": 1280, "height": 800}, NARROW):
        page = visitor.open(f"/recordings/{talk}", size=size)
        settle(page)
        expect(paragraphs(page)).to_have_count(2)
        found += violations(page, f"reading, {size['width']}")
        wait_until(page, "() => document.documentElement.scrollWidth <= innerWidth")
        tools(page).get_by_role("button", name="Version 2").click()
        found += violations(page, f"versions, {size['width']}")
        dialog(page).get_by_role("button", name="Compare with").click()
        expect(page.locator("ins")).to_have_count(1)
        found += violations(page, f"comparison, {size['width']}")
        wait_until(page, "() => document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Close the comparison").click()
        tools(page).get_by_role("button", name="Edit").click()
        found += violations(page, f"editing, {size['width']}")
        wait_until(page, "() => document.documentElement.scrollWidth <= innerWidth")
    assert found == []


def test_a_recording_that_is_gone_says_so(visitor, studio):
    visitor.expected.append("status of 404")
    page = visitor.open("/recordings/none")
    expect(page.get_by_role("heading", name="This recording is gone")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="All recordings").last.click()
    expect(page.get_by_role("heading", name="Recordings")).to_be_visible()
