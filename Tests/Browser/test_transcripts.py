"""The transcript of a recording: written, edited, compared, searched, played along and exported."""

import io
import json
import re
import zipfile

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW
from places import evaluate, settle, wait_until
from parts import dialog, rows, select_rows
from test_access import violations

RATE = 16_000
TEXTS = ["Good morning, everybody.", "The harbour was quiet.", "Good night."]


def record(studio, seconds: int = 12, name: str = "Talk", sound: bytes | None = None) -> str:
    """A recording that hums unless a sound is given, and that no recogniser transcribes by itself; its id."""
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    session = studio.send("POST", "/recordings/sessions", {"name": name, "language": "en", "sampleRate": RATE})
    pulse = b"\x00\x10" * 40 + b"\x00\xf0" * 40
    answer = studio.session.put(
        f"{studio.local}/api/recordings/sessions/{session['id']}/chunks/0",
        data=sound or pulse * (seconds * RATE // 80),
        headers={"Content-Type": "application/octet-stream"},
        timeout=studio.limit,
    )
    assert answer.ok, answer.text
    return studio.send("POST", f"/recordings/sessions/{session['id']}/finish")["id"]


def write(studio, item: str, texts: list[str], base: str | None = None, speakers: list[str | None] | None = None) -> dict:
    """A version of the recording's transcript: a second of speech and two of silence for each text."""
    segments = [
        {"start": 3 * n, "end": 3 * n + 1, "text": text, "speaker": (speakers or [None] * len(texts))[n]}
        for n, text in enumerate(texts)
    ]
    return studio.send("POST", f"/library/{item}/transcripts", {"base": base, "segments": segments})


def versions(studio, item: str) -> list[dict]:
    return studio.get(f"/library/{item}/transcripts")["versions"]


def paragraphs(page: Page):
    return page.locator(".transcript-text p")


def tools(page: Page):
    return page.get_by_role("toolbar", name="Transcript")


def record_and_write(studio) -> str:
    item = record(studio)
    write(studio, item, TEXTS)
    return item


@pytest.fixture(name="talk")
def fixture_talk(studio) -> str:
    return studio.ready(record_and_write)


def open_talk(visitor, talk: str, **look) -> Page:
    page = visitor.open(f"/recordings/{talk}", **look)
    expect(paragraphs(page)).to_have_text(TEXTS)
    return page


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


def test_segments_are_divided_joined_deleted_and_saved_as_one_version(visitor, studio, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    expect(fields.first).to_be_focused()
    fields.nth(1).fill("The harbour was very quiet.")
    fields.nth(2).focus()
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    expect(fields).to_have_count(2)
    expect(fields.nth(1)).to_have_value("The harbour was very quiet. Good night.")
    page.get_by_label("Speaker at 0:00").fill("Anna")
    page.get_by_role("button", name="More for the segment at 0:03").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(fields).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(fields).to_have_count(2)
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page)).to_have_text([TEXTS[0], "The harbour was very quiet. Good night."])
    expect(page.locator(".segment-speaker").first).to_have_text("Anna")
    assert [one["number"] for one in versions(studio, talk)] == [2, 1]
    kept = studio.get(f"/transcripts/{versions(studio, talk)[0]['id']}")["segments"]
    assert kept[0]["remark"] is None, "a name changes no words"
    assert [word["precision"] for word in kept[1]["words"]] == ["estimated"] * 7, "what was written has no times of its own"


def test_keys_play_go_back_and_change_the_pace_while_typing(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    fields.nth(1).focus()
    page.keyboard.press("F8")
    expect(tools(page).get_by_text("0.9×")).to_be_visible()
    page.keyboard.press("Shift+F8")
    page.keyboard.press("Control+Space")
    expect(tools(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("F4")
    expect(tools(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    tools(page).get_by_role("switch", name="Play each segment that is entered").click()
    fields.nth(2).focus()
    expect(tools(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("F4")
    page.keyboard.press("F2")
    elapsed = page.locator("echo-player-bar button.seek-time")
    expect(elapsed).to_have_text(re.compile("0:0[4-6]"))
    expect(fields.nth(2)).to_be_focused()
    expect(fields.nth(2)).to_have_value(TEXTS[2])
    tools(page).get_by_role("switch", name="Play each segment that is entered").click()


def test_a_word_is_corrected_everywhere_with_undo(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    fields.first.evaluate("(field) => { field.focus(); field.setSelectionRange(0, 4); }")
    page.keyboard.press("Control+h")
    expect(page.get_by_label("Find", exact=True)).to_have_value("Good")
    expect(page.get_by_label("Replace by")).to_be_focused()
    page.keyboard.type("Fine")
    expect(tools(page).get_by_text("2 places")).to_be_visible()
    page.get_by_role("button", name="Replace everywhere").click()
    expect(fields.first).to_have_value("Fine morning, everybody.")
    expect(fields.nth(2)).to_have_value("Fine night.")
    page.get_by_role("button", name="Undo").click()
    expect(fields.first).to_have_value(TEXTS[0])


def test_an_edit_that_is_begun_outlives_the_visit_and_can_be_discarded(visitor, studio, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    page.locator("textarea").first.fill("Changed.")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    page.go_back()
    tools(page).get_by_role("button", name="Continue editing").click()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(TEXTS)
    assert len(versions(studio, talk)) == 1


def test_an_edit_of_a_draft_that_was_begun_is_found_again_though_the_draft_was_replaced(visitor, studio, talk):
    def with_draft(route) -> None:
        answer = studio.get(f"/library/{talk}/transcripts")
        answer["versions"][-1]["isDraft"] = True
        route.fulfill(json=answer)

    page = visitor.open("/speak")
    page.route(f"**/api/library/{talk}/transcripts", with_draft)
    page.goto(f"{studio.base}/recordings/{talk}")
    expect(paragraphs(page)).to_have_text(TEXTS)
    tools(page).get_by_role("button", name="Edit").click()
    page.locator("textarea").first.fill("Changed.")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    write(studio, talk, ["Heard again."])
    page.go_back()
    tools(page).get_by_role("button", name="Continue editing").click()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(["Heard again."])


def test_a_speaker_is_named_everywhere(visitor, studio, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="Name the speaker").first.click()
    sheet = dialog(page)
    sheet.get_by_label("Speaker").fill("Anna")
    sheet.get_by_role("button", name="All unnamed parts").click()
    expect(page.locator(".segment-speaker")).to_have_text(["Anna"] * 3)
    page.get_by_role("button", name="Speaker: Anna").nth(1).click()
    dialog(page).get_by_label("Speaker").fill("Bert")
    dialog(page).get_by_role("button", name="This part").click()
    expect(page.locator(".segment-speaker")).to_have_text(["Anna", "Bert", "Anna"])
    expect(page.get_by_role("heading", name="Speaker: Bert. Change", level=2)).to_be_visible()


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


def test_marks_are_seen_in_the_text_and_on_the_position_bar_and_are_named_later(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3.5, "label": None}, {"seconds": 7, "label": "Night"}]})
    page = open_talk(visitor, talk)
    marks = page.locator(".segment-mark")
    expect(marks).to_have_text(["0:03Mark", "0:07Night"])
    expect(page.locator("echo-player-bar .seek-mark")).to_have_count(2)
    tools(page).get_by_role("button", name="2 marks").click()
    sheet = dialog(page)
    sheet.get_by_label("Name of the mark at 0:03").fill("The harbour")
    sheet.get_by_label("Name of the mark at 0:07").focus()
    wait_until(page, "async (item) => (await (await fetch(`/api/library/${item}/marks`)).json())[0].label === 'The harbour'", talk)
    sheet.get_by_role("button", name="Remove the mark at 0:07").click()
    expect(sheet.locator(".mark-row")).to_have_count(1)
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.locator(".mark-row")).to_have_count(2)
    sheet.get_by_role("button", name="Mark 0:00").click()
    expect(sheet.get_by_label("Name of the mark at 0:00")).to_be_focused()
    sheet.get_by_role("button", name="Close").click()
    expect(marks).to_have_text(["0:00Mark", "0:03The harbour", "0:07Night"])


def test_keys_lead_to_the_next_and_the_previous_mark(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 7}]})
    page = open_talk(visitor, talk)
    expect(page.locator("echo-player-bar .seek-mark")).to_have_count(2)
    elapsed = page.locator("echo-player-bar button.seek-time")
    page.keyboard.press(".")
    expect(elapsed).to_have_text("0:03")
    page.keyboard.press(".")
    expect(elapsed).to_have_text("0:07")
    page.keyboard.press(",")
    expect(elapsed).to_have_text("0:03")


def test_the_name_of_a_mark_is_seen_under_the_pointer_and_said_where_keys_lead_to_it(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3, "label": "The harbour"}, {"seconds": 9}]})
    page = open_talk(visitor, talk)
    line = page.locator("echo-player-bar .seek-line")
    expect(line.locator(".seek-mark")).to_have_count(2)
    expect(line.locator("input")).to_have_attribute("aria-valuetext", "0:00 of 0:12")
    tick = line.locator(".seek-mark").first.bounding_box()
    page.mouse.move(tick["x"] + 3, tick["y"] + tick["height"] / 2)
    name = line.locator(".seek-name")
    expect(name).to_have_text("0:03 The harbour")
    expect(name).to_be_visible()
    page.mouse.move(tick["x"] + 40, tick["y"] + tick["height"] / 2)
    expect(name).to_be_hidden()
    page.keyboard.press(".")
    expect(line.locator("[aria-live=polite]")).to_have_text("0:03 The harbour")
    page.keyboard.press(".")
    expect(line.locator("[aria-live=polite]")).to_have_text("0:09 Mark")


def test_marks_on_a_phone_stand_within_the_bar(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 11.5}]})
    page = open_talk(visitor, talk, size=NARROW)
    ticks = page.locator("echo-player-bar .seek-mark")
    expect(ticks).to_have_count(2)
    settle(page)
    bar = page.locator("echo-player-bar").bounding_box()
    for n in range(2):
        tick = ticks.nth(n).bounding_box()
        assert bar["y"] - 2 <= tick["y"] and tick["y"] + tick["height"] <= bar["y"] + bar["height"]
        assert tick["height"] > 6, "it is seen"


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
    page.get_by_role("menuitem", name="Marks").click()
    expect(dialog(page).locator(".mark-row")).to_have_count(1)


def test_marks_on_the_position_bar_are_seen_in_forced_colours(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}]})
    page = open_talk(visitor, talk)
    page.emulate_media(forced_colors="active")
    expect(page.locator("echo-player-bar .seek-mark")).to_have_count(1)
    mark, bar = (
        evaluate(page, "(place) => getComputedStyle(document.querySelector(place)).backgroundColor", place)
        for place in (".seek-mark", "echo-player-bar")
    )
    assert mark != bar


# Whether the outline holds a place of the loud half of the sound, and one of the silent half.
HOLDS_HALVES = """() => {
  const path = document.querySelector(".player-view .seek-wave path") ?? document.querySelector(".seek-wave path");
  return [128, 384].map((x) => path.isPointInFill(new DOMPoint(x, 0.5)));
}"""


def record_halves(studio) -> str:
    """A recording with a transcript, of 6 s of loud sound and as much silence; its id."""
    item = record(studio, sound=b"\x00\x40\x00\xc0" * (3 * RATE) + bytes(2 * 6 * RATE))
    write(studio, item, TEXTS)
    return item


def test_the_waveform_is_drawn_behind_the_position_line_and_flat_where_it_is_silent(visitor, studio):
    page = open_talk(visitor, record_halves(studio))
    path = page.locator("echo-player-bar .seek-wave path")
    expect(path).to_have_attribute("d", re.compile("^M0 0L"))
    assert evaluate(page, HOLDS_HALVES) == [True, False]
    line = page.locator("echo-player-bar .seek-range")
    box = line.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
    expect(line).to_have_attribute("aria-valuetext", "0:07 of 0:12")


def test_on_a_narrow_page_the_waveform_is_in_the_players_full_view_and_requested_only_there(visitor, studio):
    page = open_talk(visitor, record_halves(studio), size={"width": 360, "height": 780})
    expect(page.locator("echo-player-bar .seek-silence")).to_have_count(3)
    expect(page.locator("echo-player-bar .seek-wave")).to_be_hidden()
    assert evaluate(page, "() => performance.getEntriesByType('resource').every(({ name }) => !name.endsWith('/waveform'))")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.locator("echo-player-bar .bar-open").click()
    view = page.locator("dialog.player-view")
    expect(view.locator(".seek-wave path")).to_have_attribute("d", re.compile("^M0 0L"))
    assert evaluate(page, HOLDS_HALVES) == [True, False]
    assert len([url for url in requests if url.endswith("/waveform")]) == 1
    assert evaluate(page, "() => document.documentElement.scrollWidth <= innerWidth")


def test_a_recording_that_is_opened_is_in_the_player(visitor, talk):
    page = open_talk(visitor, talk)
    # Each text lasts a second, and two of silence follow; the last three at the end are one.
    expect(page.locator("echo-player-bar .seek-silence")).to_have_count(3)
    bar = page.get_by_role("region", name="Player")
    expect(bar.locator(".bar-name")).to_have_text("Talk")
    bar.get_by_role("button", name="Play", exact=True).click()
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()


def test_what_is_edited_in_one_sitting_is_one_version_named_by_what_changed(visitor, studio, talk):
    page = open_talk(visitor, talk)
    for name in ("Anna", "Bert"):
        page.locator(".segment-speaker").nth(0 if name == "Anna" else 1).click()
        dialog(page).get_by_label("Speaker").fill(name)
        dialog(page).get_by_role("button", name="This part").click()
        expect(page.locator(".segment-speaker", has_text=name)).to_have_count(1)
    tools(page).get_by_role("button", name="Edit").click()
    page.locator("textarea").first.fill("Good evening, everybody.")
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page).first).to_have_text("Good evening, everybody.")
    expect(tools(page).get_by_role("button", name="1 word changed, Anna, Bert")).to_be_visible()
    assert len(versions(studio, talk)) == 2


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
    expect(page.get_by_role("heading", name="Two versions side by side")).to_be_focused()
    expect(page.locator(".compared-row")).to_have_count(3)
    expect(page.locator("del")).to_have_text(["other words: morning,"])
    expect(page.locator("ins")).to_have_text(["other words: warning,", "only here: friends."])
    expect(page.get_by_role("status").filter(has_text="Words only in version 1: 1. Only in version 2: 2.")).to_be_visible()
    page.get_by_role("switch", name="Show only what differs").click()
    expect(page.locator(".compared-row:visible")).to_have_count(2)
    page.get_by_role("button", name="Next difference").click()
    page.get_by_role("button", name="Next difference").click()
    expect(page.locator(".compared-row").nth(2).get_by_role("button")).to_be_focused()
    page.get_by_role("button", name="Close the comparison").click()
    expect(paragraphs(page)).to_have_count(3)


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


def test_arrows_lead_from_one_edited_segment_to_the_next(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    expect(fields.first).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    expect(fields.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(fields.nth(0)).to_be_focused()
    page.keyboard.type("!")
    expect(fields.nth(0)).to_have_value(f"{TEXTS[0]}!")


@pytest.mark.expects_console("status of 404")
def test_nfr14_a_transcript_that_is_gone_says_so_in_its_sheet(visitor, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    gone = {"code": "transcript.not-found", "message": "There is no such version.", "suggestion": None}
    page.route("**/api/transcripts/*/export*", lambda route: route.fulfill(status=404, json=gone))
    dialog(page).get_by_role("button", name="Download").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("This version of the transcript is gone.")


@pytest.mark.parametrize("title, ending, content", [
    ("Captions, SRT", "srt", "-->"), ("Word document", "docx", None), ("Table, CSV", "csv", "start,end,speaker,text"),
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

    def open_export():
        page.get_by_role("button", name="More for Talk").click()
        page.get_by_role("menuitem", name="Export", exact=True).click()
        return dialog(page)

    sheet = open_export()
    for title, ending in (("Markdown", "md"), ("Captions, WebVTT", "vtt")):
        sheet.get_by_text(title, exact=True).click()
        with page.expect_download() as download:
            sheet.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename == f"Talk.{ending}"
        expect(sheet.get_by_text("The download has begun.")).to_be_visible()
    sheet.get_by_text("Sound", exact=True).first.click()
    sheet.get_by_text("WAV", exact=True).click()
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "Talk.wav"
    sheet.get_by_text("Transcript", exact=True).first.click()
    page.keyboard.press("Escape")
    # The sheet takes its entry out of the history; a page that is loaded meanwhile would be left again.
    page.wait_for_function("history.state?.sheet === undefined")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    expect(paragraphs(page)).to_have_text(TEXTS)
    expect(open_export().get_by_role("radio", name="Captions, WebVTT")).to_be_checked()


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


def test_a_transcript_is_spoken(visitor, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Read this aloud").click()
    expect(page.get_by_role("textbox").first).to_have_value("\n\n".join(TEXTS))


# What only a recogniser provides

HEARD = {
    "number": 1, "created": "2026-11-23T09:00:00Z", "recognizer": "sherpa/tiny", "recognizerName": "Whisper tiny",
    "base": None, "language": "en", "isCurrent": True, "uncertainBelow": 0.5,
    "segments": [
        {
            "kind": "speech", "start": 0, "end": 3, "text": "Good warning.", "timing": "words", "speaker": None,
            "remark": "repeated",
            "words": [
                {"start": 0, "end": 1, "from": 0, "to": 4, "precision": "exact", "confidence": 0.97},
                {"start": 1, "end": 2, "from": 5, "to": 13, "precision": "exact", "confidence": 0.31},
            ],
        },
        {
            "kind": "silence", "start": 3, "end": 9, "text": "", "timing": "none", "speaker": None, "remark": None,
            "words": [],
        },
    ],
}


def answer_heard(page: Page, talk: str) -> None:
    """Answers as if a recogniser had transcribed this."""
    page.route(
        re.compile(r"/api/transcripts/[^/]+$"),
        lambda route: route.fulfill(json={**HEARD, "id": route.request.url.rsplit("/", 1)[1], "item": talk}),
    )


def test_uncertain_words_are_marked_and_can_be_stepped_through(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    wait_until(page, "() => [...(CSS.highlights.get('uncertain-word') ?? [])].join() === 'warning.'")
    tools(page).get_by_role("button", name="1 uncertain word").click()
    expect(page.locator(".find-count")).to_have_text("1 of 1: “warning.”")
    expect(page.get_by_text("because the recogniser repeated itself")).to_be_visible()


def test_a_key_goes_to_the_next_uncertain_word_while_typing(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    wait_until(page, "() => [...(CSS.highlights.get('uncertain-word') ?? [])].join() === 'warning.'")
    tools(page).get_by_role("button", name="Edit").click()
    field = page.locator("textarea").first
    expect(field).to_be_focused()
    page.keyboard.press("F9")
    wait_until(page, "() => { const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd) === 'warning.'; }")
    page.keyboard.type("morning.")
    expect(field).to_have_value("Good morning.")


def test_an_uncertain_word_is_accepted_by_a_key_and_by_a_button_saved_and_undone(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    wait_until(page, "() => [...(CSS.highlights.get('uncertain-word') ?? [])].join() === 'warning.'")
    tools(page).get_by_role("button", name="Edit").click()
    accept = page.get_by_role("button", name="This is right")
    accept.focus()
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keyboard shortcuts")
    for words in ("This is right", "Play the word at the cursor"):
        expect(listed.get_by_text(words, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    accept.click()
    wait_until(page, "() => { const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd) === 'warning.'; }")
    page.keyboard.press("Shift+F9")
    expect(accept).to_be_hidden()
    expect(page.locator("textarea").first).to_be_focused()
    expect(page.locator(".toast")).to_contain_text("“warning.” is accepted")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(accept).to_be_visible()
    accept.click()
    expect(accept).to_be_hidden()
    saved = {**HEARD, "id": "saved", "item": talk, "number": 2}
    page.route(
        re.compile(r"/api/library/[^/]+/transcripts$"),
        lambda route: route.fulfill(status=201, json=saved) if route.request.method == "POST" else route.continue_(),
    )
    with page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/transcripts")) as saving:
        page.get_by_role("button", name="Done", exact=True).click()
    assert [one.get("accepted") for one in saving.value.post_data_json["segments"]] == [[1], None]


def test_what_was_skipped_as_silence_is_shown_and_can_be_transcribed(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    asked = []

    def begin(route):
        asked.append(json.loads(route.request.post_data))
        route.fulfill(status=201, json={})

    page.route("**/transcriptions", lambda route: begin(route) if route.request.method == "POST" else route.continue_())
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    expect(page.locator(".segment-silence")).to_contain_text("Silence, 6 s")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/transcriptions")):
        page.get_by_role("button", name="Transcribe this too").click()
    assert [(one["from"], one["to"], one["skipsSilence"]) for one in asked] == [(3, 9, False)]


SENDING = {
    "host": "speech.example", "path": "/v1/audio/transcriptions", "isEncrypted": True, "isReadable": False,
    "sendsWords": False, "bytes": 384_000, "seconds": 12,
}
JOB = {
    "id": "job", "name": "Talk", "created": "2026-11-23T09:00:00Z", "state": "running", "recognizer": "sherpa/tiny",
    "recognizers": ["sherpa/tiny"], "language": "en", "from": 0, "to": 12, "position": 6, "place": None, "tries": 0, "retryAt": None,
    "failure": None, "sending": None, "transcript": None,
}


def test_the_words_of_a_running_transcription_stand_in_the_place_of_the_transcript(visitor, studio):
    item = record(studio)
    page = visitor.open("/speak")
    heard = {**HEARD["segments"][0], "text": "Good morning.", "words": [], "remark": None}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item}]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": [heard]}))
    page.goto(f"{visitor.studio.base}/recordings/{item}")
    expect(page.locator(".transcript-live p")).to_have_text(["Good morning."])
    expect(page.get_by_text("There is no transcript of this recording yet.")).to_have_count(0)


def test_what_a_stopped_transcription_heard_is_shown_and_marked_and_the_list_says_so(visitor, studio):
    item = record(studio)
    page = visitor.open("/speak")
    heard = {**HEARD["segments"][0], "text": "Good morning.", "words": [], "remark": None}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item, "state": "cancelled"}]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": [heard]}))
    page.goto(f"{visitor.studio.base}/recordings/{item}")
    expect(page.locator(".transcript-live p")).to_have_text(["Good morning.", "Transcribed up to 0:06. The rest has no text yet."])
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.goto(f"{visitor.studio.base}/recordings")
    expect(page.get_by_role("row").first).to_contain_text("Transcribed up to 0:06")


def test_every_page_shows_what_is_transcribed_and_leads_to_the_list(visitor, studio, talk):
    page = visitor.open("/speak")
    jobs = [
        {**JOB, "item": talk},
        {**JOB, "id": "other", "item": "none", "name": "Walk", "state": "queued", "place": 1, "position": 0},
    ]
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": jobs}))
    page.route("**/api/transcriptions/*/segments", lambda route: route.fulfill(json={"segments": []}))
    page.goto(f"{visitor.studio.base}/settings")
    sign = page.get_by_role("region", name="Transcriptions").get_by_role("button")
    expect(sign).to_have_text("Talk: Transcribing, 50 % · 1 more")
    sign.click()
    sheet = dialog(page)
    expect(sheet.locator(".job-strip")).to_have_count(2)
    expect(sheet.locator(".job-words").nth(1)).to_have_text("Waits for its turn to be transcribed: number 1.")
    sheet.get_by_role("link", name="Talk").click()
    expect(page.get_by_role("heading", name="Talk")).to_be_visible()


def test_the_list_says_how_far_a_transcription_is_and_its_menu_orders_one(visitor, studio, talk):
    page = visitor.open("/speak")
    jobs = [{**JOB, "item": talk, "state": "waiting-for-consent", "sending": SENDING}]
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": jobs}))
    page.goto(f"{visitor.studio.base}/recordings")
    row = page.get_by_role("row", name=re.compile("Talk"))
    expect(row).to_contain_text("Waits for your answer")
    expect(row).to_have_accessible_name(re.compile("^Talk"))
    expect(row).not_to_have_accessible_name(re.compile("More for"))
    row.get_by_role("button", name="More for “Talk”").click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    expect(dialog(page).get_by_role("radio", name="Plain text")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    row.get_by_role("button", name="More for “Talk”").click()
    page.get_by_role("menuitem", name="Transcribe again").click()
    expect(dialog(page).get_by_role("heading", name="Transcribe again")).to_be_visible()


@pytest.mark.parametrize("look", [{}, {"size": NARROW}])
def test_a_recording_without_a_transcript_is_transcribed_from_its_row(visitor, studio, look):
    item = record(studio)
    write(studio, record(studio, name="Written"), TEXTS)
    page = visitor.open("/recordings", **look)
    transcribe = page.get_by_role("button", name="Transcribe Talk")
    page.mouse.move(0, 0)
    expect(transcribe).to_be_visible()
    for part in (".stays", ".row-actions:has(.stays)"):
        expect(page.locator(f".row {part}")).to_have_css("opacity", "1")
    expect(page.get_by_role("button", name="Transcribe Written")).to_have_count(0)
    transcribe.click()
    sheet = dialog(page)
    expect(sheet.get_by_role("heading", name="Transcribe", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.endswith("/recordings")
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item}]}))
    page.reload()
    expect(page.locator(".row", has_text="Talk")).to_contain_text("Transcribing, 50 %")
    expect(page.get_by_role("button", name="Transcribe Talk")).to_have_count(0)


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


@pytest.mark.parametrize("change, words, actions", [
    ({}, "Transcribing: 0:06 of 0:12, 50 %", ["Stop"]),
    ({"state": "queued"}, "Waits for its turn", ["Stop"]),
    (
        {"state": "waiting-for-consent", "sending": SENDING},
        "Send 0:12 of sound, 0.4 MB, to speech.example?", ["Send", "Do not send"],
    ),
    ({"state": "waiting-for-consent"}, "Waits until you allow the sending.", ["Stop"]),
    (
        {"state": "failed", "failure": {"code": "recognition.died", "message": "x", "suggestion": None}},
        "The recogniser stopped unexpectedly.", ["Try again", "Discard"],
    ),
    ({"state": "cancelled"}, "was stopped at 0:06", ["Continue", "Discard"]),
    ({"state": "cancelled", "position": 0}, "was stopped before anything was heard", ["Try again", "Discard"]),
])
def test_a_transcription_says_how_it_stands_and_what_can_be_done(visitor, talk, change, words, actions):
    page = visitor.open("/speak")
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": talk, **change}]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": []}))
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    strip = page.locator(".job-strip")
    expect(strip.locator(".job-words")).to_contain_text(words)
    expect(strip.get_by_role("button")).to_have_text(actions)


RECOGNIZER = {
    "id": "sherpa/tiny", "name": "Whisper tiny", "engine": "sherpaOnnx", "languages": ["mul"], "timing": "words",
    "takesLanguage": True, "takesHotwords": True, "takesPrompt": False, "size": 75_000_000, "isDefault": True,
    "hears": ["en", "et", "fi"], "pace": 0.5, "isPaceMeasured": True,
}


def test_a_transcription_is_ordered_with_language_words_and_part(visitor, talk):
    page = visitor.open("/speak")
    asked = []

    def begin(route):
        asked.append(json.loads(route.request.post_data))
        route.fulfill(status=201, json={**JOB, "item": talk})

    page.route("**/api/recognizers", lambda route: route.fulfill(json={"recognizers": [RECOGNIZER], "order": ["sherpa/tiny"]}))
    page.route("**/transcriptions", lambda route: begin(route) if route.request.method == "POST" else route.continue_())
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    page.get_by_role("button", name="Transcribe again").click()
    sheet = dialog(page)
    expect(sheet.get_by_label("Language that is spoken")).to_have_value("en")
    options = sheet.get_by_label("Language that is spoken").get_by_role("option")
    expect(options).to_have_text(["Detect automatically", "English", "Estonian", "Finnish"])
    expect(sheet.get_by_label("Recogniser").get_by_role("option")).to_have_text(["Whisper tiny, about 6 s for this recording"])
    sheet.get_by_label("Words that are likely to occur").fill("Tallinn, Pärnu")
    sheet.get_by_label("From").fill("0:02")
    sheet.get_by_label("To", exact=True).fill("0:30")
    sheet.get_by_role("button", name="Transcribe", exact=True).click()
    expect(sheet.get_by_role("alert").filter(has_text="Write a time within the recording")).to_be_visible()
    sheet.get_by_label("To", exact=True).fill("0:05")
    sheet.get_by_role("button", name="Transcribe", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    [order] = asked
    assert order["hotwords"] == ["Tallinn", "Pärnu"]
    assert order["language"] == "en", "the one that is shown"
    assert (order["from"], order["to"], order["recognizers"]) == (2, 5, ["sherpa/tiny"])
    assert order["base"] == versions(visitor.studio, talk)[0]["id"]


def test_without_a_recogniser_one_is_offered_with_its_size(visitor, talk):
    page = visitor.open("/speak")
    none = {"state": "none", "bytes": None, "total": None, "rate": None, "secondsLeft": None, "failure": None}
    offer = {
        "entry": "tiny", "name": "Whisper tiny", "languages": ["mul"], "reason": "quick", "archiveBytes": 75_000_000,
        "expectedBytes": 75_000_000, "download": none, "hears": ["en", "et", "fi", "sv"], "pace": 0.5,
        "isPaceMeasured": False,
    }
    best = {**offer, "entry": "turbo", "name": "Whisper turbo", "reason": "best", "pace": None, "hears": []}
    other = {**offer, "entry": "small", "name": "Whisper small", "reason": None}
    page.route(
        re.compile("/api/recognizers"),
        lambda route: route.fulfill(json={"recognizers": [], "order": [], "offers": [offer, best, other]}),
    )
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    page.get_by_role("button", name="Transcribe again").click()
    sheet = dialog(page)
    expect(sheet.get_by_role("button", name="Download 75 MB: Whisper tiny")).to_be_visible()
    card = sheet.locator(".recognizer-card").filter(has_text="Whisper tiny")
    expect(card).to_contain_text("Quick")
    expect(card).to_contain_text("4 languages, with English · about 6 s for this recording, by estimate")
    expect(sheet.locator(".recognizer-card").filter(has_text="Whisper turbo")).to_contain_text("Several languages")
    expect(sheet.get_by_text("Whisper small")).to_have_count(0)
    sheet.get_by_text("1 more recogniser").click()
    expect(sheet.get_by_role("button", name="Download 75 MB: Whisper small")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_state_has_a_violation(visitor, studio, talk, theme):
    write(studio, talk, ["Good warning.", TEXTS[1]], versions(studio, talk)[0]["id"], ["Anna", "Bert"])
    found = []
    for size in ({"width": 1280, "height": 800}, NARROW):
        page = visitor.open(f"/recordings/{talk}", theme=theme, size=size)
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
