"""The speakers of a transcript, detected by the real sherpa-onnx with models that know two voices of tones."""

import array
import json
import math
import re

import pytest
from playwright.sync_api import Page, expect

from parts import dialog
from studio import FIXTURES
from transcripts import RATE, paragraphs, tools, versions, write

MODELS = ["sherpa-onnx-pyannote-segmentation-fixture", "speakers-fixture.onnx"]
# Low tones are one speaker's, high ones another's.
LOW, HIGH = 700, 3_000
TEXTS = ["Good morning.", "Little bird.", "Good morning."]


def talk(studio, turns: list[int], name: str = "Talk") -> str:
    """A recording in which each turn lasts three seconds; returns its id."""
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    samples = array.array("h")
    for hertz in turns:
        samples.extend(round(9_000 * math.sin(2 * math.pi * hertz * at / RATE)) for at in range(5 * RATE // 2))
        samples.extend([0] * (RATE // 2))
    return studio.record(name, RATE, samples.tobytes())


def add_models(studio, *names: str) -> None:
    for name in names:
        added = studio.run("recognizers", "add", str(FIXTURES / "models" / "speakers" / name))
        assert added.returncode == 0, added.stderr


def names(page: Page):
    return page.locator(".segment-speaker")


def talk_and_write(studio) -> str:
    item = talk(studio, [LOW, HIGH, LOW, HIGH])
    write(studio, item, [*TEXTS, TEXTS[1]])
    return item


@pytest.fixture(name="item")
def fixture_item(studio) -> str:
    return studio.ready(talk_and_write)


def test_the_speakers_are_found_named_and_renamed(visitor, studio, item):
    add_models(studio, *MODELS)
    page = visitor.open(f"/recordings/{item}")
    tools(page).get_by_role("button", name="Find the speakers").click()
    sheet = dialog(page)
    expect(sheet.get_by_label("How many people speak")).to_be_focused()
    sheet.get_by_label("How many people speak").fill("99")
    sheet.get_by_role("button", name="Find them").click()
    expect(sheet.get_by_text("Give a number from 1 to 20")).to_be_visible()
    sheet.get_by_label("How many people speak").fill("2")
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    expect(names(page)).to_have_text(["Speaker 1", "Speaker 2", "Speaker 1", "Speaker 2"])
    expect(tools(page).get_by_role("button", name="Version 2")).to_contain_text("2 speakers found")
    expect(tools(page).get_by_role("button", name="Find the speakers")).to_have_count(0)
    page.get_by_role("button", name="More for Talk").click()
    expect(page.get_by_role("menuitem", name="Find the speakers")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".job-strip")).to_have_count(0)
    assert [segment["text"] for segment in studio.get(f"/transcripts/{versions(studio, item)[0]['id']}")["segments"]] == [
        *TEXTS, TEXTS[1],
    ]
    page.get_by_role("button", name="Speaker: Speaker 2").first.click()
    dialog(page).get_by_label("Speaker").fill("Anna")
    dialog(page).get_by_role("button", name="Wherever it says Speaker 2").click()
    expect(names(page)).to_have_text(["Speaker 1", "Anna", "Speaker 1", "Anna"])


def test_found_speakers_are_called_in_the_persons_language(visitor, studio, item):
    add_models(studio, *MODELS)
    page = visitor.open(language="et-EE")
    with page.expect_response("**/api/events*"):
        page.goto(f"{studio.base}/recordings/{item}")
    expect(page.get_by_role("button", name="Leia kõnelejad")).to_be_visible()
    studio.send("POST", f"/transcripts/{versions(studio, item)[0]['id']}/speakers", {})
    expect(names(page)).to_have_text(["Kõneleja 1", "Kõneleja 2", "Kõneleja 1", "Kõneleja 2"])
    page.get_by_role("button", name="Kõneleja: Kõneleja 1. Muuda").first.click()
    expect(dialog(page).get_by_label("Kõneleja")).to_have_value("Kõneleja 1")
    dialog(page).get_by_role("button", name="See osa").click()
    expect(page.get_by_role("button", name="Versioon 3")).to_be_visible()
    kept = studio.get(f"/transcripts/{versions(studio, item)[0]['id']}")["segments"]
    assert [segment["speaker"] for segment in kept] == ["Speaker 1", "Speaker 2"] * 2, "a shown name is kept as it was"


def test_a_model_that_is_missing_is_offered_with_its_size_and_downloaded(visitor, studio, item):
    add_models(studio, MODELS[0])
    page = visitor.open(f"/recordings/{item}")
    expect(paragraphs(page)).to_have_count(4)
    page.get_by_role("button", name="Name the speaker").first.click()
    expect(dialog(page).get_by_text("EchoText can also find the speakers by itself")).to_be_visible()
    page.keyboard.press("Escape")
    page.route("**/api/voices/listings", lambda route: route.fulfill(json={"isOffline": False}))
    download = {"state": "downloading", "bytes": 10_000_000, "total": 40_000_000, "rate": None, "secondsLeft": None, "failure": None}
    page.route(
        re.compile("/voices/downloads$"), lambda route: route.fulfill(json={"entry": "nemo_en_titanet_small", **download})
    )
    page.route(re.compile("/voices/downloads/.*/cancel$"), lambda route: route.fulfill(status=204))
    tools(page).get_by_role("button", name="Find the speakers").click()
    sheet = dialog(page)
    with page.expect_request(lambda request: request.url.endswith("/voices/downloads")) as asked:
        sheet.get_by_role("button", name="Download 40 MB").click()
    assert json.loads(asked.value.post_data) == {"entry": "nemo_en_titanet_small"}
    expect(sheet.get_by_text("10 MB of 40 MB")).to_be_visible()
    expect(sheet.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "25")
    with page.expect_request(re.compile("/voices/downloads/nemo_en_titanet_small/cancel$")):
        sheet.get_by_role("button", name="Stop").click()
    add_models(studio, MODELS[1])
    expect(sheet.get_by_label("How many people speak")).to_be_focused()


def test_a_missing_model_cannot_be_downloaded_offline_and_the_sheet_says_so_before_a_press(visitor, studio, item):
    add_models(studio, MODELS[0])
    page = visitor.open(f"/recordings/{item}")
    listings = {"isOffline": True}
    page.route("**/api/voices/listings", lambda route: route.fulfill(json=listings))
    asked = []
    page.route(re.compile("/voices/downloads$"), lambda route: (asked.append(route.request.url), route.abort()))
    tools(page).get_by_role("button", name="Find the speakers").click()
    sheet = dialog(page)
    get = sheet.get_by_role("button", name="Download 40 MB")
    expect(get).to_have_attribute("aria-disabled", "true")
    expect(get).to_have_accessible_description(re.compile("^EchoText is set to stay offline, so nothing is downloaded or sent."))
    get.press("Enter")
    change = sheet.get_by_role("link", name="Open “Stay offline” in Settings")
    expect(change).to_have_attribute("href", "/settings/speech?setting=outbound.offline")
    change.focus()
    listings["isOffline"] = False
    studio.send("PUT", "/settings/outbound.offline", {"value": "on"})
    expect(get).not_to_have_attribute("aria-disabled", "true")
    expect(get).to_have_accessible_description("")
    expect(change).to_have_count(0)
    expect(sheet.get_by_role("heading", name="Find the speakers")).to_be_focused()
    assert asked == []


@pytest.mark.expects_console("status of 422")
def test_a_search_that_fails_says_why_and_can_be_forgotten(visitor, studio):
    silent = talk(studio, [0, 0, 0], name="Silence")
    write(studio, silent, ["Nothing."])
    add_models(studio, *MODELS)
    page = visitor.open(f"/recordings/{silent}")
    tools(page).get_by_role("button", name="Find the speakers").click()
    dialog(page).get_by_role("button", name="Find them").click()
    strip = page.locator(".job-strip")
    expect(strip).to_contain_text("Nobody's voice was found in the recording.")
    page.reload()
    expect(strip).to_contain_text("Nobody's voice was found in the recording.")
    strip.get_by_role("button", name="Discard").click()
    expect(strip).to_have_count(0)
    assert len(versions(studio, silent)) == 1


SEARCH = {"state": "running", "progress": 0.4, "version": None, "speakers": None, "failure": None}


def test_a_search_shows_its_progress_and_is_stopped(visitor, studio, item):
    transcript = versions(studio, item)[0]["id"]
    search = {**SEARCH, "transcript": transcript, "item": item}
    page = visitor.blank()
    page.route("**/api/speakers", lambda route: route.fulfill(json={"isReady": True, "models": [], "offers": [], "searches": [search]}))
    page.route("**/api/transcripts/*/speakers", lambda route: route.fulfill(status=204))
    page.goto(f"{studio.base}/recordings/{item}")
    strip = page.locator(".job-strip")
    expect(strip).to_contain_text("Finding the speakers, 40 %")
    expect(strip.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "40")
    strip.get_by_role("button", name="Stop").focus()
    search["progress"] = 0.5
    studio.send("POST", "/voices/losses/dismiss", {})  # says that what is installed may have changed
    expect(strip).to_contain_text("Finding the speakers, 50 %")
    expect(strip.get_by_role("button", name="Stop")).to_be_focused()
    with page.expect_request("**/api/transcripts/*/speakers") as stopped:
        strip.get_by_role("button", name="Stop").click()
    assert stopped.value.method == "DELETE"
