"""The page's words about a transcription that waits, runs or has stopped, and how one is ordered."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW
from parts import dialog, rows, select_rows
from places import evaluate, settle
from transcripts import HEARD, JOB, SENDING, TEXTS, answer_heard, paragraphs, record, versions, write


def ordered(page: Page) -> list[Any]:
    """The transcriptions that the page orders, none of which is begun."""
    asked: list[Any] = []

    def begin(route):
        asked.append(json.loads(route.request.post_data))
        route.fulfill(status=201, json={})

    page.route("**/transcriptions", lambda route: begin(route) if route.request.method == "POST" else route.continue_())
    return asked


def test_what_was_skipped_as_silence_is_shown_and_can_be_transcribed(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    asked = ordered(page)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    expect(page.locator(".segment-silence")).to_contain_text("Silence, 6 s")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/transcriptions")):
        page.get_by_role("button", name="Transcribe this too").click()
    assert [(one["from"], one["to"], one["skipsSilence"]) for one in asked] == [(3, 9, False)]


@pytest.mark.parametrize("look", [{}, {"size": NARROW}])
def test_what_was_not_understood_is_shown_counted_and_can_be_transcribed_again(visitor, talk, look):
    page = visitor.open("/speak", **look)
    speech = {**HEARD["segments"][0], "remark": None, "words": []}
    gap = {**HEARD["segments"][1], "kind": "notUnderstood"}
    segments = [
        speech, {**gap, "start": 3, "end": 5}, {**speech, "start": 5, "end": 8, "text": "Good night.", "offset": 15},
        {**gap, "start": 8, "end": 12, "offset": 27},
    ]
    heard = {**HEARD, "item": talk, "text": "Good warning.\n\nGood night.", "segments": segments}
    page.route(
        re.compile(r"/api/transcripts/[^/]+$"),
        lambda route: route.fulfill(json={**heard, "id": route.request.url.rsplit("/", 1)[1]}),
    )
    asked = ordered(page)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    expect(paragraphs(page)).to_have_text(["Good warning.", "Good night."])
    expect(page.locator(".segment-silence")).to_have_text([re.compile(r"0:03.*Not understood, 2\ss"), re.compile(r"0:08.*Not understood, 4\ss")])
    expect(page.get_by_text("2 passages not understood", exact=True)).to_be_visible()
    again = page.get_by_role("button", name="Transcribe this again: not understood at 0:08, 4 s")
    expect(again).to_have_text("Transcribe this again")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/transcriptions")):
        again.click()
    assert [(one["from"], one["to"], one["skipsSilence"]) for one in asked] == [(8, 12, False)]


def test_the_words_of_a_running_transcription_stand_in_the_place_of_the_transcript(visitor, studio):
    item = record(studio)
    page = visitor.blank()
    heard = {**HEARD["segments"][0], "text": "Good morning.", "words": [], "remark": None}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item}]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": [heard]}))
    page.goto(f"{visitor.studio.base}/recordings/{item}")
    expect(page.locator(".transcript-live p")).to_have_text(["Good morning."])
    expect(page.get_by_text("There is no transcript of this recording yet.")).to_have_count(0)


def test_what_a_stopped_transcription_heard_is_shown_and_marked_and_the_list_says_so(visitor, studio):
    item = record(studio)
    page = visitor.blank()
    heard = {**HEARD["segments"][0], "text": "Good morning.", "words": [], "remark": None}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item, "state": "cancelled"}]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": [heard]}))
    page.goto(f"{visitor.studio.base}/recordings/{item}")
    expect(page.locator(".transcript-live p")).to_have_text(["Good morning.", "Transcribed up to 0:06. The rest has no text yet."])
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.goto(f"{visitor.studio.base}/recordings")
    expect(page.get_by_role("row").first).to_contain_text("Transcribed up to 0:06")


def test_the_list_says_that_a_transcription_has_failed_before_anything_was_heard(visitor, studio):
    item = record(studio)
    page = visitor.blank()
    failure = {"code": "recognition.died", "message": "The recogniser stopped unexpectedly.", "suggestion": None}
    failed = {**JOB, "item": item, "state": "failed", "position": 0, "failure": failure}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [failed]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": []}))
    page.goto(f"{visitor.studio.base}/recordings")
    expect(page.get_by_role("row").first).to_contain_text("Transcription failed")
    expect(page.get_by_role("button", name="Transcribe Talk")).to_be_visible()
    page.get_by_role("row").first.click()
    expect(page.locator(".job-strip")).to_contain_text("The recogniser stopped unexpectedly.")


def test_every_page_shows_what_is_transcribed_and_leads_to_the_list(visitor, studio, talk):
    page = visitor.blank()
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
    expect(sheet.locator(".job-words").nth(1)).to_have_text("Waiting for its turn to be transcribed: number 1.")
    sheet.get_by_role("link", name="Talk").click()
    expect(page.get_by_role("heading", name="Talk")).to_be_focused()


def test_the_list_of_transcriptions_leads_to_the_settings_of_a_service_that_failed(visitor, studio, talk):
    page = visitor.blank()
    failure = {"code": "service.key-refused", "message": "The service does not accept the key."}
    refused = {"id": "refused", "item": "none", "name": "Walk", "state": "failed", "recognizer": "remote/office", "failure": failure}
    jobs = [{**JOB, "item": talk}, {**JOB, **refused}]
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": jobs}))
    page.route("**/api/transcriptions/*/segments", lambda route: route.fulfill(json={"segments": []}))
    page.goto(f"{visitor.studio.base}/recordings")
    page.get_by_role("region", name="Transcriptions").get_by_role("button").click()
    dialog(page).get_by_role("link", name="Change the service").click()
    expect(page).to_have_url(re.compile("/settings/transcription$"))
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_list_says_how_far_a_transcription_is_and_its_menu_orders_one(visitor, studio, talk):
    page = visitor.blank()
    jobs = [{**JOB, "item": talk, "state": "waiting-for-consent", "sending": SENDING}]
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": jobs}))
    page.goto(f"{visitor.studio.base}/recordings")
    row = page.get_by_role("row", name=re.compile("Talk"))
    expect(row).to_contain_text("Waiting for your answer")
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
    # It keeps its room, so that the list does not move any more.
    expect(page.get_by_text("Only the basic recogniser is here")).to_be_visible()
    transcribe.scroll_into_view_if_needed()
    expect(transcribe).to_be_in_viewport(ratio=1)
    expect(transcribe.get_by_text("Transcribe", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator(".row", has=transcribe).locator(".row-title")).to_be_in_viewport(ratio=1)
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


STATES = [
    ({}, "Transcribing: 0:06 of 0:12, 50 %", ["Stop"]),
    ({"state": "queued"}, "Waiting for its turn", ["Stop"]),
    (
        {"state": "waiting-for-consent", "sending": SENDING},
        "Send 0:12 of sound, 0.4 MB, to speech.example?", ["Send", "Do not send"],
    ),
    ({"state": "waiting-for-consent"}, "Waiting until you allow the sending.", ["Stop"]),
    (
        {"state": "failed", "failure": {"code": "recognition.died", "message": "The recogniser stopped unexpectedly.", "suggestion": None}},
        "The recogniser stopped unexpectedly.", ["Try again", "Discard"],
    ),
    ({"state": "cancelled"}, "was stopped at 0:06", ["Continue", "Discard"]),
    ({"state": "cancelled", "position": 0}, "was stopped before anything was heard", ["Try again", "Discard"]),
]


def test_a_transcription_says_how_it_stands_and_what_can_be_done(visitor, talk):
    page = visitor.blank()
    job = {}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [job]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": []}))
    for change, words, actions in STATES:
        job = {**JOB, "item": talk, **change}
        page.goto(f"{visitor.studio.base}/recordings/{talk}")
        strip = page.locator(".job-strip")
        expect(strip.locator(".job-words")).to_contain_text(words)
        expect(strip.get_by_role("button")).to_have_text(actions)


def test_a_press_on_stop_counts_and_the_focus_stays_when_the_transcription_begins_before_the_release(visitor, talk):
    page = visitor.blank()
    job = {**JOB, "item": talk, "state": "queued"}
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [job]}))
    page.route("**/api/transcriptions/job/segments", lambda route: route.fulfill(json={"segments": []}))
    page.route("**/api/transcriptions/job/cancel", lambda route: route.fulfill(json={**job, "state": "cancelled"}))
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    strip = page.locator(".job-strip")
    expect(strip.locator(".job-words")).to_contain_text("Waiting for its turn")
    # Anything that comes later would move the strip under the pointer.
    expect(paragraphs(page)).to_have_text(TEXTS)
    settle(page)
    stop = strip.get_by_role("button", name="Stop")
    stop.hover()
    page.mouse.down()
    job = {**job, "state": "running"}
    evaluate(page, "import('/server/events.js').then(({ dispatch }) => dispatch('reset', {}))")
    expect(strip.locator(".job-words")).to_contain_text("Transcribing")
    expect(stop).to_be_focused()
    with page.expect_request("**/api/transcriptions/job/cancel"):
        page.mouse.up()


RECOGNIZER = {
    "id": "sherpa/tiny", "name": "Whisper tiny", "engine": "sherpaOnnx", "languages": ["mul"], "timing": "words",
    "takesLanguage": True, "takesHotwords": True, "takesPrompt": False, "size": 75_000_000, "isDefault": True,
    "hears": ["en", "et", "fi"], "pace": 0.5, "isPaceMeasured": True,
}
ONE_RECOGNIZER = {"recognizers": [RECOGNIZER], "order": ["sherpa/tiny"], "offers": []}


def test_several_recordings_that_are_being_transcribed_already_are_counted_as_such(visitor, studio):
    jobs = [{**JOB, "id": name, "item": record(studio, name=name)} for name in ("One", "Two")]
    page = visitor.blank()
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": jobs}))
    page.goto(f"{studio.base}/recordings")
    expect(rows(page)).to_have_count(2)
    select_rows(page, 0, 1)
    page.get_by_role("toolbar").get_by_role("button", name="Transcribe", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("2 recordings are being transcribed")


def test_a_transcription_is_ordered_with_language_words_and_part(visitor, talk):
    page = visitor.blank()
    asked = []

    def begin(route):
        asked.append(json.loads(route.request.post_data))
        route.fulfill(status=201, json={**JOB, "item": talk})

    page.route(re.compile("/api/recognizers"), lambda route: route.fulfill(json=ONE_RECOGNIZER))
    page.route("**/transcriptions", lambda route: begin(route) if route.request.method == "POST" else route.continue_())
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    page.get_by_role("button", name="Transcribe again").click()
    sheet = dialog(page)
    expect(sheet.get_by_label("Spoken language")).to_have_value("en")
    options = sheet.get_by_label("Spoken language").get_by_role("option")
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


def test_the_way_from_an_order_to_the_recognisers_closes_the_sheet(visitor, talk):
    page = visitor.blank()
    page.route(re.compile("/api/recognizers"), lambda route: route.fulfill(json=ONE_RECOGNIZER))
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    page.get_by_role("button", name="Transcribe again").click()
    dialog(page).get_by_role("link", name="Recognisers").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name="Talk", level=1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_without_a_recogniser_one_is_offered_with_its_size(visitor, talk):
    page = visitor.blank()
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
    expect(card).to_contain_text("4 languages, with English · about 6 s for this recording, estimated")
    expect(sheet.locator(".recognizer-card").filter(has_text="Whisper turbo")).to_contain_text("Several languages")
    expect(sheet.get_by_text("Whisper small")).to_have_count(0)
    sheet.get_by_text("1 more recogniser").click()
    expect(sheet.get_by_role("button", name="Download 75 MB: Whisper small")).to_be_visible()
