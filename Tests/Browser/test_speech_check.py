"""The check of a narration's speech: started, followed, played, and sentences spoken again."""

import re

import pytest
from playwright.sync_api import Page, expect

from conftest import WIDE
from parts import dialog
from places import evaluate, settle, wait_until
from studio import FIXTURES, Studio
from test_access import violations

TEXT = "The keeper sleeps. Waves come in. It is night."
# Plays longer than a slow machine takes for the next press of a button.
LONG = TEXT + " The tide comes in and goes out again." * 12
FIXTURE = "sherpa/nemo-ctc-fixture-en"


def open_check(page: Page, name: str = "Night"):
    """Opens the sheet for checking a narration in the library."""
    page.get_by_role("button", name=f"More for “{name}”").click()
    page.get_by_role("menuitem", name="Check the speech").click()
    sheet = dialog(page)
    expect(sheet.get_by_role("heading", name="Check the speech")).to_be_visible()
    return sheet


# It plays when it is deleted at the end, and its place may be sent at that moment.
@pytest.mark.expects_console("status of 404 .*/api/playback/bookmark")
def test_a_narration_is_checked_and_a_sentence_of_it_spoken_again(visitor, studio):
    done = studio.run("recognizers", "add", str(FIXTURES / "recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"))
    assert done.returncode == 0, done.stderr
    studio.send("PUT", "/settings/transcription.recognizers", {"value": FIXTURE})
    item = studio.narrate(TEXT, "Night")
    length = studio.get(f"/library/{item}")["duration"]
    page = visitor.open("/library")
    evaluate(page, "import('/player/player.js').then(({ player }) => { globalThis.player = player; })")
    sheet = open_check(page)
    sheet.get_by_role("button", name="Start checking").click()
    # The fixture recognizes only tones, and speech as none of them.
    expect(sheet.get_by_text("3 of 3 sentences may not sound as they are written.")).to_have_count(2)
    rows = sheet.locator(".finding")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Waves come in.")
    hear = rows.nth(1).get_by_role("button", name="Listen at 0:0")
    hear.click()
    wait_until(page, "() => navigator.mediaSession.playbackState === 'playing'")
    rows.nth(1).get_by_role("button", name="Pause").click()
    expect(hear).to_be_visible()
    studio.send("PUT", "/settings/speech.dictionary", {"value": "waves = enormous waves"})
    rows.nth(1).get_by_role("button", name="Read again: sentence 2").click()
    expect(rows.nth(1)).to_contain_text("It still sounds different from what is written.")
    expect(sheet.get_by_role("status").filter(has_text="Sentence 2 has been read again")).to_have_count(1)
    expect(rows.nth(1).get_by_role("button", name="Read again")).to_be_focused()
    check = studio.get(f"/library/{item}/speech-check")
    assert (check["recognizer"], [one["isSpokenAgain"] for one in check["findings"]]) == (FIXTURE, [False, True, False])
    # The new sound is played, rather than the browser's cached one.
    now = studio.get(f"/library/{item}")["duration"]
    assert now > length + 0.1
    hear.click()
    wait_until(page, "(length) => Math.abs(globalThis.player.duration - length) < 0.001", now)
    wait_until(page, "(length) => Math.abs(globalThis.player.track.value.duration - length) < 0.001", now)

    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(open_check(page).locator(".finding")).to_have_count(3)
    studio.send("POST", "/library/delete", {"ids": [item]})
    expect(page.get_by_role("dialog")).to_have_count(0)


RECOGNIZER = {
    "id": "sherpa/tiny", "name": "Whisper tiny", "engine": "sherpaOnnx", "languages": ["mul"], "timing": "words",
    "takesLanguage": True, "takesHotwords": True, "takesPrompt": False, "size": 75_000_000, "isDefault": True,
    "hears": [], "pace": None, "isPaceMeasured": False,
}
FINDINGS = [
    {
        "number": 1, "kind": "garbled", "start": 0, "end": 1.4, "text": "The keeper sleeps.", "heard": "The keeper's leaps.",
        "differences": [{"from": 4, "to": 17, "heardFrom": 4, "heardTo": 18}], "isSpokenAgain": False,
    },
    {
        "number": 2, "kind": "missing", "start": 1.8, "end": 3, "text": "Waves come in.", "heard": "Waves in.",
        "differences": [{"from": 6, "to": 10, "heardFrom": 5, "heardTo": 5}], "isSpokenAgain": False,
    },
]


class Checks:
    """The server's answers about checks, in place of a recognizer that understands speech."""

    def __init__(self, page: Page, item: str, state: str = "none", findings: list[dict] = (), **more):
        self.page, self.item, self.state, self.more = page, item, state, more
        self.findings = list(findings)
        self.spoken: list[int] = []
        # How far the times of captions are kept, where each begins at its own.
        self.times: dict | None = None
        # Parts that the voice could not speak.
        self.unspoken: list[str] = []
        page.route("**/speech-check", self._answer)
        page.route(re.compile(r"/sentences/\d+/speak$"), self._speak)

    @property
    def check(self) -> dict:
        return {
            "item": self.item, "state": self.state, "recognizer": "sherpa/tiny", "recognizerName": "Whisper tiny",
            "progress": 0.25, "heard": 1, "sentences": 4, "found": len(self.findings), "failure": None,
            "findings": self.findings, **self.more,
        }

    def _answer(self, route) -> None:
        if route.request.method == "DELETE":
            self.state = "none"
            route.fulfill(status=204)
            return
        if route.request.method == "POST":
            self.state = "running"
        route.fulfill(json=self.check)

    def _speak(self, route) -> None:
        """Fixes each sentence at the first try, except the last, which takes another."""
        number = int(route.request.url.split("/")[-2])
        again = number in self.spoken
        self.spoken.append(number)
        if number == 1 or again:
            self.findings = [one for one in self.findings if one["number"] != number]
        else:
            self.findings = [{**one, "isSpokenAgain": one["number"] == number} for one in self.findings]
        item = evaluate(self.page, "(id) => fetch(`/api/library/${id}`).then((answer) => answer.json())", self.item)
        answer = {
            "item": item, "number": number, "start": 2, "end": 3.5, "times": self.times, "unspoken": self.unspoken,
            "check": self.check,
        }
        route.fulfill(json=answer)


def visit(visitor, item: str, answers: dict, **look) -> tuple[Page, Checks]:
    page = visitor.blank(**look)
    checks = Checks(page, item, **answers)
    offers = {"recognizers": [RECOGNIZER], "order": [], "offers": []}
    page.route(re.compile("/api/recognizers"), lambda route: route.fulfill(json=offers))
    page.goto(f"{visitor.studio.base}/library")
    return page, checks


def stand_at(page: Page, item: str, starts: list[float]) -> None:
    """Has the narration's first sentences begin at these seconds, which may change."""

    def answer(route) -> None:
        sentences = [{"start": start, "end": start + 1, "from": 20 * n, "to": 20 * n + 19, "words": []} for n, start in enumerate(starts)]
        route.fulfill(json={"sampleRate": 16_000, "sentences": sentences})

    page.route(f"**/api/library/{item}/timings", answer)


@pytest.fixture(name="night")
def fixture_night(studio) -> str:
    return studio.ready(Studio.narrate, TEXT, "Night")


def test_what_differs_is_marked_and_all_of_it_is_spoken_again(visitor, night):
    page, checks = visit(visitor, night, {"state": "done", "findings": FINDINGS})
    sheet = open_check(page)
    rows = sheet.locator(".finding")
    expect(rows.nth(0).locator("del")).to_have_text("heard differently: keeper sleeps")
    expect(rows.nth(0).locator("ins")).to_have_text("written differently: keeper's leaps")
    expect(rows.nth(1).locator("del")).to_have_text("heard differently: come")
    expect(rows.nth(1).locator("ins")).to_have_count(0)
    expect(rows.nth(1)).to_contain_text("Words are missing")
    sheet.get_by_role("button", name="Read all again").click()
    expect(rows.nth(0)).to_contain_text("Read again, and sounds as it is written")
    expect(rows.nth(1)).to_contain_text("It still sounds different")
    assert checks.spoken == [1, 2]
    expect(sheet.get_by_role("button", name="Read all again")).to_be_focused()
    rows.nth(1).get_by_role("button", name="Read again").click()
    expect(sheet.locator(".check-summary")).to_have_text("All sentences sound as they are written now.")
    expect(rows.locator("del")).to_have_count(0)
    expect(rows.nth(1).get_by_role("button", name="Read again")).to_be_focused()


def test_captions_that_keep_their_times_stay_and_what_is_late_is_said(visitor, studio):
    night = studio.narrate(LONG, "Night")
    findings = [{**FINDINGS[0], "end": 0.2}, FINDINGS[1]]
    page, checks = visit(visitor, night, {"state": "done", "findings": findings})
    checks.times = {"captions": 4, "late": 1, "seconds": 0.82}
    stand_at(page, night, [0, 2])
    sheet = open_check(page)
    rows = sheet.locator(".finding")
    rows.nth(0).get_by_role("button", name="Listen at").click()
    wait_until(page, "() => navigator.mediaSession.playbackState === 'playing'")
    # The recording is as long as before, and sounds different all the same.
    with page.expect_request(re.compile(rf"/library/{night}/sound\?revision=")):
        sheet.get_by_role("button", name="Read again: sentence 2").click()
    expect(page.locator(".toast")).to_contain_text("1 of 4 captions begins 0.8\u00a0s later than its time.")
    expect(rows.nth(1)).to_contain_text("It still sounds different")
    sheet.get_by_role("button", name="Read again: sentence 2").click()
    expect(rows.nth(1)).to_contain_text("Read again, and sounds as it is written")
    expect(rows.nth(1).get_by_role("button", name="0:02")).to_be_visible()
    sheet.get_by_role("button", name="Read again: sentence 1").click()
    expect(rows.nth(0)).to_contain_text("Read again, and sounds as it is written")
    expect(rows.nth(1).get_by_role("button", name="0:02")).to_be_visible()


def test_what_could_not_be_spoken_again_is_named(visitor, night):
    page, checks = visit(visitor, night, {"state": "done", "findings": FINDINGS})
    checks.unspoken = ["[ɕ ʑ] (The keeper)", "sleeps."]
    sheet = open_check(page)
    sheet.get_by_role("button", name="Read again: sentence 1").click()
    expect(page.locator(".toast")).to_contain_text("“[ɕ ʑ] (The keeper) · sleeps.” could not be spoken and is left out.")


def test_a_sentence_that_is_well_is_played_from_where_it_begins_now(visitor, night):
    page, checks = visit(visitor, night, {"state": "done", "findings": FINDINGS})
    starts = [0, 1.8]
    stand_at(page, night, starts)
    checks.spoken = [2]
    sheet = open_check(page)
    second = sheet.locator(".finding").nth(1)
    sheet.get_by_role("button", name="Read again: sentence 2").click()
    expect(second).to_contain_text("Read again, and sounds as it is written")
    expect(second.get_by_role("button", name="Listen at 0:01")).to_be_visible()
    # A caption begins later than its time where the one before it takes longer.
    checks.times = {"captions": 4, "late": 1, "seconds": 1.4}
    starts[1] = 3.2
    sheet.get_by_role("button", name="Read again: sentence 1").click()
    expect(second.get_by_role("button", name="Listen at 0:03")).to_be_visible()
    # A command speaks one of them again.
    starts[1] = 4.2
    evaluate(page, "import('/server/events.js').then(({ dispatch }) => dispatch('reset', {}))")
    expect(second.get_by_role("button", name="Listen at 0:04")).to_be_visible()


def test_a_check_is_followed_and_stopped(visitor, night):
    page, checks = visit(visitor, night, {})
    sheet = open_check(page)
    expect(sheet).to_contain_text("The recording stays on this machine.")
    sheet.get_by_role("button", name="Start checking").click()
    expect(sheet.get_by_role("progressbar", name="Progress of the check")).to_have_attribute("aria-valuenow", "25")
    expect(sheet).to_contain_text("Heard 1 of 4 sentences, 25 %")
    expect(sheet.get_by_role("button", name="Stop")).to_be_focused()
    sheet.get_by_role("button", name="Stop").click()
    expect(sheet.get_by_role("button", name="Start checking")).to_be_visible()
    checks.state, checks.more = "failed", {"failure": {"code": "recognition.died", "message": "The recogniser stopped unexpectedly.", "suggestion": None}}
    page.keyboard.press("Escape")
    sheet = open_check(page)
    expect(sheet.get_by_role("alert")).to_contain_text("The recogniser stopped unexpectedly.")
    sheet.get_by_role("button", name="Check again").click()
    expect(sheet.get_by_role("button", name="Start checking")).to_be_focused()
    checks.state, checks.more = "done", {}
    page.keyboard.press("Escape")
    expect(open_check(page).locator(".check-summary")).to_have_text("All 4 sentences sound as they are written.")


@pytest.mark.expects_console("status of 409")
def test_a_sentence_that_is_not_spoken_says_why_in_its_place(visitor, night):
    page, _ = visit(visitor, night, {"state": "done", "findings": FINDINGS})
    busy = {"code": "speech-check.busy", "message": "That narration is being checked just now.", "suggestion": None}
    page.route(re.compile(r"/speak$"), lambda route: route.fulfill(status=409, json=busy))
    evaluate(page, "import('/player/player.js').then(({ player }) => { player.resound = () => (globalThis.isResounded = true); })")
    sheet = open_check(page)
    sheet.get_by_role("button", name="Read again: sentence 1").click()
    expect(sheet.locator(".finding").nth(0).get_by_role("alert")).to_contain_text("just now")
    assert evaluate(page, "globalThis.isResounded") is None, "it sounds as before, so what plays continues"
    expect(sheet.get_by_role("button", name="Read again: sentence 2")).to_be_enabled()


@pytest.mark.expects_console("status of 500")
def test_a_sentence_that_was_spoken_but_not_heard_again_is_played_as_it_sounds_now(visitor, studio):
    night = studio.narrate(LONG, "Night")
    page, _ = visit(visitor, night, {"state": "done", "findings": FINDINGS})
    died = {"code": "recognition.died", "message": "The recogniser stopped unexpectedly.", "suggestion": None}
    page.route(re.compile(r"/speak$"), lambda route: route.fulfill(status=500, json=died))
    rows = open_check(page).locator(".finding")
    rows.nth(0).get_by_role("button", name="Listen at").click()
    wait_until(page, "() => navigator.mediaSession.playbackState === 'playing'")
    # As long as before, as captions that keep their times leave it.
    with page.expect_request(re.compile(rf"/library/{night}/sound\?revision=")):
        rows.nth(1).get_by_role("button", name="Read again: sentence 2").click()
    expect(rows.nth(1).get_by_role("alert")).to_contain_text("stopped unexpectedly")


def test_without_a_recogniser_one_is_offered_and_the_check_goes_on_by_itself(visitor, night):
    page, _ = visit(visitor, night, {})
    none = {"state": "none", "bytes": None, "total": None, "rate": None, "secondsLeft": None, "failure": None}
    offer = {
        "entry": "tiny", "name": "Whisper tiny", "languages": ["mul"], "reason": "quick", "archiveBytes": 75_000_000,
        "expectedBytes": 75_000_000, "download": none, "hears": [], "pace": None, "isPaceMeasured": False,
    }
    answer = {"recognizers": [], "order": [], "offers": [offer]}
    listings = {"isOffline": True}
    page.route("**/api/voices/listings", lambda route: route.fulfill(json=listings))
    page.route(re.compile("/api/recognizers"), lambda route: route.fulfill(json=answer))
    page.route(re.compile("/downloads$"), lambda route: route.fulfill(json={**none, "state": "downloading"}))
    sheet = open_check(page)
    expect(sheet).to_contain_text("No recogniser on this machine knows the language yet: American English.")
    expect(sheet.get_by_role("button", name="Start checking")).to_have_count(0)
    get = sheet.get_by_role("button", name="Download 75 MB")
    expect(get).to_have_attribute("aria-disabled", "true")
    expect(get).to_have_accessible_description(re.compile("^EchoText is set to stay offline, so nothing is downloaded or sent."))
    listings["isOffline"] = False
    evaluate(page, "import('/server/events.js').then(({ dispatch }) => dispatch('settings', {}))")
    expect(get).not_to_have_attribute("aria-disabled", "true")
    with page.expect_request(lambda request: request.method == "POST" and "tiny" in (request.post_data or "")):
        get.click()
    answer["recognizers"] = [RECOGNIZER]
    evaluate(page, "import('/server/events.js').then(({ dispatch }) => dispatch('voices', {}))")
    expect(sheet).to_contain_text("Heard 1 of 4 sentences")


def test_the_way_from_a_check_to_the_recognisers_closes_the_sheet(visitor, night):
    page, _ = visit(visitor, night, {})
    answer = {"recognizers": [], "order": [], "offers": []}
    page.route(re.compile("/api/recognizers"), lambda route: route.fulfill(json=answer))
    open_check(page).get_by_role("link", name="Recognisers").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()


def test_a_narration_leads_to_its_check_from_where_transcripts_are(visitor, night):
    page, _ = visit(visitor, night, {})
    page.goto(f"{visitor.studio.base}/recordings/{night}")
    page.get_by_role("button", name="Check the speech").click()
    expect(dialog(page).get_by_role("button", name="Start checking")).to_be_visible()


def test_no_state_has_a_violation(visitor, night):
    found = []
    for size in (WIDE, {"width": 360, "height": 740}):
        for state, findings in (("none", ()), ("running", ()), ("done", FINDINGS), ("done", ())):
            page, _ = visit(visitor, night, {"state": state, "findings": findings}, size=size)
            settle(page)
            open_check(page)
            found += violations(page, f"{state}, {len(findings)}, {size['width']}")
            wait_until(page, "() => { const box = document.querySelector('.sheet-content'); return box.scrollWidth <= box.clientWidth; }")
            page.context.close()
    assert found == []
