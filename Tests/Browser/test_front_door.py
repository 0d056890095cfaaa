"""The first page: the ways to everything else and, while nothing is written, what is under way and the last things."""

import json
import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from conftest import NARROW, WIDE
from documents import lighthouse
from parts import drop, expect_to_play
from places import boxes_of, evaluate, held_back, settle, wait_until
from texts import takes_minutes
from transcripts import JOB, RATE, SENDING, record


def door(page: Page):
    return page.get_by_role("region", name="What else you can do")


WAYS = ["Open a document", "Record or transcribe", "Practise a speech"]


@pytest.mark.only_looks
def test_three_ways_lead_on(visitor):
    page = visitor.open("/speak")
    expect(door(page).get_by_role("link")).to_have_text([*WAYS, "Get better transcripts"])
    expect(door(page)).to_contain_text("Drop any file: documents can be read aloud, recordings transcribed")
    for name, heading in zip(WAYS, ("Documents", "Recordings", "Practice")):
        door(page).get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        page.get_by_role("link", name="Speak", exact=True).click()


@pytest.mark.only_looks
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_better_recogniser_is_found_from_the_first_page(visitor, size):
    page = visitor.open("/speak", size=size)
    link = door(page).get_by_role("link", name="Get better transcripts")
    expect(link).to_be_in_viewport(ratio=1)
    link.click()
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_visible()


# Which parts of a label are seen whole: the first word, and the rest, which stays together.
SEEN_WHOLE = """(label) => {
  const [text, box] = [label.firstChild, label.getBoundingClientRect()];
  const end = text.data.indexOf(" ");
  return [[0, end], [end + 1, text.length]].map(([from, to]) => {
    const part = new Range();
    part.setStart(text, from);
    part.setEnd(text, to);
    const lines = [...part.getClientRects()];
    const [line] = lines;
    return lines.length === 1 && line.left >= box.left - 1 && line.right <= box.right + 1 && line.bottom <= box.bottom + 1;
  });
}"""


SMALL = {"width": 360, "height": 740}


@pytest.mark.only_looks
@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL], ids=["wide", "narrow", "small"])
@pytest.mark.parametrize("language, name", [
    ("en-GB", "Recordings & transcripts"), ("et-EE", "Salvestised ja üleskirjutused"),
])
def test_the_navigation_says_that_transcripts_are_where_recordings_are(visitor, size, language, name):
    page = visitor.open("/speak", size=size, language=language)
    label = page.locator("nav").get_by_role("link", name=name, exact=True).locator(".nav-label")
    settle(page)
    assert label.evaluate(SEEN_WHOLE) == [True, True], "no word is cut"
    for other in page.locator("nav .nav-label:visible").all():
        assert other.evaluate("(label) => label.scrollWidth <= label.clientWidth"), other.text_content()
    if size == WIDE:
        return
    widths = [box["width"] for box in boxes_of(page.locator(".nav-list > li:visible"))]
    assert len(widths) == 5 and max(widths) - min(widths) < 0.5, f"the columns are not equal: {widths}"


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_ways_stay_as_one_line_while_a_text_is_written(visitor, studio, size):
    studio.narrate("The harbour was quiet.", "Harbour")
    page = visitor.open("/speak", size=size)
    expect(door(page).locator(".door-last li")).to_have_count(1)
    field = page.get_by_label("Text to speak")
    field.fill("Good morning.")
    expect(door(page).get_by_role("listitem")).to_have_count(0)
    expect(door(page)).not_to_contain_text("Drop any file")
    expect(door(page).get_by_role("link")).to_have_text(WAYS)
    for name in WAYS:
        expect(door(page).get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Read aloud")).to_be_in_viewport(ratio=1)
    field.fill("")
    expect(door(page).locator(".door-last li")).to_have_count(1)
    field.fill("Good morning.")
    door(page).get_by_role("link", name="Record or transcribe").click()
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Speak", exact=True).click()
    expect(field).to_have_value("Good morning.")
    expect(door(page).get_by_role("link")).to_have_text(WAYS)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_else_there_is_stands_under_the_row_that_reads_the_text(visitor, studio, size):
    for n in range(5):
        studio.narrate("The harbour was quiet.", f"Harbour {n}")
    page = visitor.open("/speak", size=size)
    expect(door(page).locator(".door-last li")).to_have_count(5)
    expect(page.get_by_role("button", name="Read aloud")).to_be_in_viewport(ratio=1)
    row = page.locator(".speak-row")
    assert row.evaluate("(row, door) => row.getBoundingClientRect().bottom - door.getBoundingClientRect().top", door(page).element_handle()) < 1


@pytest.mark.only_looks
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_people_come_for_is_in_sight_at_each_step(visitor, size):
    page = visitor.open("/speak", size=size)
    for way, steps in (
        ("Open a document", [("button", "Import")]),
        ("Record or transcribe", [("button", "Record"), ("button", "Transcribe a file"), ("link", "Recognisers")]),
    ):
        link = door(page).get_by_role("link", name=way)
        expect(link).to_be_in_viewport(ratio=1)
        link.click()
        for role, name in steps:
            expect(page.get_by_role("main").get_by_role(role, name=name, exact=True)).to_be_in_viewport(ratio=1)
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Speak", exact=True).click()


def test_the_last_things_are_played_or_opened(visitor, studio):
    studio.narrate("The harbour was quiet.", "Harbour")
    item = record(studio, name="Interview")
    page = visitor.open("/speak")
    last = door(page).locator(".door-last li")
    expect(last).to_have_count(2)
    expect(last.nth(0)).to_contain_text("Interview")
    door(page).get_by_role("button", name="Harbour").click()
    expect_to_play(page)
    door(page).get_by_role("link", name="Interview").click()
    expect(page).to_have_url(re.compile(f"/recordings/{item}$"))


def test_of_two_recordings_that_were_pressed_the_last_one_plays_though_the_first_comes_later(visitor, studio):
    first = studio.narrate("The harbour was quiet.", "Harbour")
    studio.narrate("The tide comes in and goes out again.", "Tide")
    page = visitor.open("/speak")
    held = []
    page.route(f"**/api/library/{first}/**", lambda route: held.append(route))
    door(page).get_by_role("button", name="Harbour").click()
    held_back(page, held)
    door(page).get_by_role("button", name="Tide").click()
    player = page.locator("echo-player-bar")
    expect(player).to_contain_text("Tide")
    for route in held:
        # A request that nobody waits for any longer cannot be continued.
        with suppress(Error):
            route.continue_()
    evaluate(page, "new Promise(requestAnimationFrame)")
    expect_to_play(page)
    expect(player).to_contain_text("Tide")
    expect(player).not_to_contain_text("Harbour")


def test_documents_and_speeches_are_among_the_last_things_and_are_opened(visitor, studio):
    file = studio.folder / "quay.txt"
    file.write_text("The harbour was quiet.")
    document = studio.import_document(file)
    studio.narrate("The harbour was quiet.", "Harbour")
    speech = studio.send("POST", "/speeches", {"title": "Welcome", "text": "Dear guests.", "language": "en-GB"})["id"]
    page = visitor.open("/speak")
    last = door(page).locator(".door-last li")
    expect(last).to_have_count(3)
    expect(last.filter(has_text="quay")).to_contain_text("Document · ")
    expect(last.filter(has_text="Welcome")).to_contain_text("Speech · ")
    door(page).get_by_role("link", name="Welcome").click()
    expect(page).to_have_url(re.compile(f"/practice/speeches/{speech}$"))
    page.get_by_role("link", name="Speak", exact=True).click()
    door(page).get_by_role("link", name="quay").click()
    expect(page).to_have_url(re.compile(f"/documents/{document}$"))
    # An entry that is deleted meanwhile is not shown.
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(last).to_have_count(3)
    studio.send("POST", "/documents/delete", {"ids": [document]})
    expect(last).to_have_count(2)


def test_a_press_on_one_of_the_last_things_counts_and_the_focus_stays_when_another_changes_meanwhile(visitor, studio):
    studio.narrate("The harbour was quiet.", "Harbour")
    quay = studio.narrate("The quay was empty.", "Quay")
    page = visitor.open("/speak")
    last = door(page).locator(".door-last li")
    harbour = door(page).get_by_role("button", name="Harbour")
    harbour.focus()
    studio.send("PATCH", f"/library/{quay}", {"name": "Pier"})
    expect(last).to_contain_text(["Pier", "Harbour"])
    expect(harbour).to_be_focused()
    harbour.hover()
    page.mouse.down()
    studio.send("PATCH", f"/library/{quay}", {"name": "Jetty"})
    expect(last).to_contain_text(["Jetty", "Harbour"])
    page.mouse.up()
    expect(page.locator("echo-player-bar")).to_contain_text("Harbour")
    expect_to_play(page)


def cut_off(studio) -> str:
    """A recording whose server was stopped meanwhile; the id of its session."""
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    session = studio.begin_recording("Walk", RATE, bytes(2 * 3 * RATE))
    studio.restart()
    return session


def test_a_recording_that_was_cut_off_is_shown_and_leads_to_where_it_is_saved(visitor, studio):
    cut_off(studio)
    page = visitor.open("/speak")
    now = door(page).locator(".door-now li")
    expect(now).to_have_text("Walkinterrupted · 0:03")
    now.get_by_role("link", name="Walk").click()
    expect(page.locator(".unfinished-row", has_text="Walk").get_by_role("button", name="Keep")).to_be_visible()
    page.locator(".unfinished-row", has_text="Walk").get_by_role("button", name="Keep").click()
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(door(page).locator(".door-last li")).to_contain_text(["Walk"])
    expect(now).to_have_count(0)


def test_a_recording_that_is_saved_while_it_is_asked_for_is_not_shown_as_cut_off(visitor, studio):
    walk = cut_off(studio)
    before = studio.get("/recordings/sessions")
    page = visitor.open("/settings/display")
    held = []
    page.route("**/api/recordings/sessions", lambda route: route.continue_() if held else held.append(route))
    page.get_by_role("link", name="Speak", exact=True).click()
    asked = held_back(page, held)
    studio.send("POST", f"/recordings/sessions/{walk}/finish")
    expect(door(page).locator(".door-last li")).to_contain_text(["Walk"])
    with page.expect_response("**/api/recordings/sessions"):
        asked.fulfill(json=before)
    expect(door(page).locator(".door-now li")).to_have_count(0)
    settle(page)
    expect(door(page).locator(".door-now li")).to_have_count(0)


def test_what_is_being_transcribed_is_shown_with_its_progress(visitor, studio):
    item = record(studio)
    page = visitor.open("/settings/display")
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item}]}))
    page.get_by_role("link", name="Speak", exact=True).click()
    now = door(page).locator(".door-now li")
    expect(now).to_have_text("TalkTranscribing: 0:06 of 0:12, 50 %")
    now.get_by_role("link", name="Talk").click()
    expect(page).to_have_url(re.compile(f"/recordings/{item}$"))


def test_what_a_transcription_waits_for_is_asked_where_it_can_be_answered(visitor, studio):
    item = record(studio)
    job = {**JOB, "item": item, "state": "waiting-for-consent", "sending": SENDING}
    page = visitor.open("/settings/display")
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [job]}))
    page.route("**/api/transcriptions/*/segments", lambda route: route.fulfill(json={"segments": []}))
    page.get_by_role("link", name="Speak", exact=True).click()
    now = door(page).locator(".door-now li")
    expect(now).to_have_text("TalkWaiting for your answer")
    now.get_by_role("link", name="Talk").click()
    expect(page.get_by_role("main").get_by_role("button", name="Do not send")).to_be_visible()


# Begun by somebody else, so that the page asks what is under way.
SOMETHING_BEGAN = "import('/server/events.js').then(({ dispatch }) => dispatch('voice', { entry: 'unknown', state: 'none' }))"


@pytest.mark.expects_console("status of 409")
def test_what_an_import_waits_for_is_said_and_leads_to_where_it_is_answered(visitor, studio, tmp_path):
    file = tmp_path / "paper.pdf"
    file.write_bytes(lighthouse())
    studio.import_document(file)
    page = visitor.open("/documents")
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    drop(page, file)
    again = page.get_by_role("main").get_by_role("button", name="Import again")
    expect(again).to_be_visible()
    page.get_by_role("link", name="Speak", exact=True).click()
    now = door(page).locator(".door-now li")
    expect(now).to_have_text("paper.pdfWaiting for your answer")
    now.get_by_role("link", name="paper.pdf").click()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    again.click()
    expect(again).to_have_count(0)
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(door(page).locator(".door-last li")).to_have_count(2)
    expect(now).to_have_count(0)


def test_files_that_are_imported_are_shown_with_their_place_in_line(visitor, tmp_path):
    page = visitor.open("/documents")
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    held, holds = [], [True]
    page.route("**/api/documents?**", lambda route: held.append(route) if holds and route.request.method == "POST" else route.continue_())
    files = []
    for name in ("one", "two", "three"):
        files.append(tmp_path / f"{name}.pdf")
        files[-1].write_bytes(lighthouse(len(files)))
    drop(page, *files)
    held_back(page, held)
    page.get_by_role("link", name="Speak", exact=True).click()
    now = door(page).locator(".door-now li")
    expect(now).to_have_count(3)
    expect(now.nth(1)).to_have_text("two.pdfWaiting, number 1")
    expect(now.nth(2)).to_have_text("three.pdfWaiting, number 2")
    holds.clear()
    held[0].continue_()
    expect(now).to_have_count(0)
    expect(door(page).locator(".door-last li")).to_have_count(3)


def test_narrations_and_downloads_under_way_are_shown_with_per_cent_and_place_and_lead_to_their_pages(visitor, studio):
    studio.seed_documents()
    harbour = studio.document("Harbour")
    page = visitor.open("/speak")
    expect(door(page).locator(".door-last li")).to_have_count(3)
    made = {
        "id": "n1", "name": "Harbour", "state": "speaking", "voice": "v", "voiceName": "V", "speaker": 0, "speed": 1, "pitch": 1,
        "created": "2026-11-27T09:00:00Z", "characters": 200, "position": 90, "sentence": 3, "sentences": 9, "seconds": 4,
        "secondsLeft": None, "sampleRate": 22050, "unspoken": [], "times": None, "failure": None,
        "document": {"id": harbour},
    }
    waiting = {**made, "id": "n2", "name": "Tide", "state": "waiting", "position": 0, "document": None}
    download = {
        "entry": "tiny", "state": "downloading", "bytes": 30, "total": 120, "rate": None, "secondsLeft": None, "failure": None,
    }
    page.route("**/api/narrations", lambda route: route.fulfill(json=[made, waiting]))
    page.route("**/api/voices/downloads", lambda route: route.fulfill(json=[download]))
    offer = {"entry": "tiny", "name": "Whisper tiny"}
    page.route("**/api/recognizers", lambda route: route.fulfill(json={"recognizers": [], "offers": [offer]}))
    evaluate(page, SOMETHING_BEGAN)
    now = door(page).locator(".door-now li")
    expect(now).to_have_text(["Harbour45 % spoken", "TideWaiting, number 1", "Whisper tinyDownloading, 25 %"])
    expect(now.get_by_role("link", name="Whisper tiny")).to_have_attribute("href", "/recordings/recognizers")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/narrations") else None)
    event = json.dumps({**download, "bytes": 60})
    evaluate(page, f"import('/server/events.js').then(({{ dispatch }}) => dispatch('voice', {event}))")
    expect(now.nth(2)).to_have_text("Whisper tinyDownloading, 50 %")
    assert asked == [], "its progress is in the event"
    page.unroute("**/api/narrations")
    now.get_by_role("link", name="Harbour").click()
    expect(page).to_have_url(re.compile(f"/documents/{harbour}$"))


def test_what_begins_elsewhere_is_asked_for_once_however_often_it_is_reported_meanwhile(visitor):
    page = visitor.open("/speak")
    expect(door(page)).to_be_visible()
    settle(page)
    download = {
        "entry": "tiny", "state": "downloading", "bytes": 0, "total": 100, "rate": None, "secondsLeft": None, "failure": None,
    }
    offer = {"entry": "tiny", "name": "Whisper tiny"}
    page.route("**/api/recognizers", lambda route: route.fulfill(json={"recognizers": [], "offers": [offer]}))
    held = []
    page.route("**/api/voices/downloads", lambda route: held.append(route))
    reports = json.dumps([{**download, "bytes": n} for n in range(9)])
    report = f"for (const one of {reports}) dispatch('voice', one)"
    evaluate(page, f"import('/server/events.js').then(({{ dispatch }}) => {{ {report}; }})")
    held_back(page, held).fulfill(json=[{**download, "bytes": 5}])
    expect(door(page).locator(".door-now li")).to_have_text(["Whisper tinyDownloading, 5 %"])
    evaluate(page, f"import('/server/events.js').then(({{ dispatch }}) => {{ {report}; }})")
    expect(door(page).locator(".door-now li")).to_have_text(["Whisper tinyDownloading, 8 %"])
    assert len(held) == 1


def test_a_narration_that_is_stopped_elsewhere_while_it_is_opened_is_shown_as_unfinished(visitor, studio):
    page = visitor.open("/speak")
    page.get_by_label("Text to speak").fill(takes_minutes(studio))
    page.get_by_role("button", name="Read aloud").click()
    expect_to_play(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("menuitem", name="Keep what was spoken").click()
    page.get_by_role("button", name="New text").click()
    tide = studio.send("POST", "/narrations", {"text": takes_minutes(studio), "name": "Tide"})["id"]
    held = []
    page.route(f"**/api/narrations/{tide}/text", lambda route: route.continue_() if held else held.append(route))
    door(page).locator(".door-now").get_by_role("button", name="Tide").click()
    asked = held_back(page, held)
    studio.send("POST", f"/narrations/{tide}/stop", {"keepPart": False, "leave": True})
    expect(door(page).locator(".door-now li")).to_have_count(0)
    asked.continue_()
    expect(page.get_by_text("“Tide” is not finished.")).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
