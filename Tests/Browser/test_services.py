"""Transcription services, the question before sound is sent, and the list of connections."""

import re

import pytest
from playwright.sync_api import expect

from hearing import HearingStudio, service, started


@pytest.fixture(name="studio")
def fixture_studio(tmp_path):
    """A server that may connect to a service."""
    yield from started(HearingStudio, tmp_path)


@pytest.fixture(name="service")
def fixture_service():
    """A service that transcribes all sound as “Ding.”, with the key “sk-secret”; its address, and its requests."""
    with service("key=sk-secret,text=Ding.") as started:
        yield started


def add(page, service, key="sk-secret"):
    page.get_by_role("button", name="Add a service").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("office")
    sheet.get_by_label("Address").fill(service.address)
    sheet.get_by_label("Model").fill("whisper-1")
    sheet.get_by_label("Key", exact=True).fill(key)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)


def test_a_service_is_tried_after_a_question_and_the_connection_is_listed(visitor, service):
    page = visitor.open("/settings/transcription")
    add(page, service)
    page.get_by_role("button", name="Try it: “office”").click()
    question = page.get_by_role("dialog")
    host = service.address.split("/")[2]
    expect(question).to_contain_text(host)
    expect(question).to_contain_text("32 kB")
    expect(question).to_contain_text("0:01")
    expect(question.get_by_role("button", name="Do not send")).to_be_focused()
    question.get_by_role("button", name="Do not send").click()
    expect(question).to_have_count(0)
    assert service.requests == []
    page.get_by_role("button", name="Try it: “office”").click()
    page.get_by_role("dialog").get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("It has heard: Ding.")).to_be_visible()
    assert [one["seconds"] for one in service.requests] == [1]
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("dialog")).to_contain_text(host)


def test_of_many_connections_all_are_listed_step_by_step(visitor):
    record = {
        "time": "2026-01-31T12:00:00Z", "purpose": "voice", "host": "", "bytesSent": 0, "seconds": None,
        "bytesReceived": 1_000, "outcome": "answered",
    }
    records = [record | {"host": f"host-{number}.example"} for number in range(1, 251)]
    page = visitor.open("/settings/transcription")

    def answer(route):
        limit = int(route.request.url.partition("limit=")[2])
        route.fulfill(json={"records": records[:limit]})

    page.route(re.compile("/api/outbound/records"), answer)
    page.get_by_role("button", name="Show").click()
    listed = page.get_by_role("dialog").get_by_role("listitem")
    expect(listed).to_have_count(200)
    more = page.get_by_role("dialog").get_by_role("button", name="Show more")
    more.press("Enter")
    expect(listed).to_have_count(250)
    expect(listed.nth(200)).to_be_focused()
    expect(listed.last).to_contain_text("host-250.example")
    expect(more).to_be_hidden()


@pytest.mark.expects_console("status of 502")
def test_a_refused_key_is_said_and_never_shown(visitor, service, studio):
    page = visitor.open("/settings/transcription")
    add(page, service, key="sk-wrong")
    page.get_by_role("button", name="Try it: “office”").click()
    page.get_by_role("dialog").get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("does not accept the key.")).to_be_visible()
    page.get_by_role("button", name="Change “office”").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Key", exact=True)).to_have_value("")
    expect(sheet).to_contain_text("A key is kept.")
    assert "sk-wrong" not in studio.ask("GET", "/transcription-services").text


def test_what_is_wrong_with_a_service_is_said_at_its_field(visitor, studio):
    page = visitor.open("/settings/transcription")
    page.get_by_role("button", name="Add a service").click()
    sheet = page.get_by_role("dialog")
    name, address, model = (sheet.get_by_label(label, exact=True) for label in ("Name", "Address", "Model"))
    wrong = [
        (name, "My Office", "lowercase letters, digits and hyphens"), (name, "office", "not an https address"),
        (address, "https://speech.example", "needs the name of a model"),
    ]
    places = [name, address, model]
    for place, (field, text, words) in zip(places, wrong, strict=True):
        field.fill(text)
        sheet.get_by_role("button", name="Save").click()
        expect(sheet.get_by_role("alert").filter(has_text=words)).to_be_visible()
        expect(place).to_be_focused()
        expect(place).to_have_attribute("aria-invalid", "true")
        expect(sheet.locator("[aria-invalid]")).to_have_count(1)
    expect(sheet.get_by_label("Language").get_by_role("option").first).to_have_text("Detect automatically")
    sheet.get_by_label("Language").select_option("et")
    model.fill("whisper-1")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    [kept] = studio.get("/transcription-services")["services"]
    assert (kept["name"], kept["language"]) == ("office", "et")


@pytest.mark.expects_console("status of 422")
def test_http_to_another_machine_has_to_be_allowed(visitor):
    page = visitor.open("/settings/transcription")
    page.get_by_role("button", name="Add a service").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("cellar")
    sheet.get_by_label("Address").fill("http://cellar.example:8000")
    sheet.get_by_label("Model").fill("small")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.get_by_role("alert").filter(has_text="where others can read them")).to_be_visible()
    expect(sheet.get_by_label("Address")).to_be_focused()
    sheet.get_by_role("switch", name="Allow http").click()
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("small at cellar.example:8000")).to_be_visible()
    page.get_by_role("button", name="Remove “cellar”").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("small at cellar.example:8000")).to_have_count(0)
    expect(page.get_by_role("button", name="Add a service")).to_be_focused()


def test_a_service_cannot_be_tried_offline_and_the_page_says_so_before_a_press(visitor, service, studio):
    page = visitor.open("/settings/transcription")
    add(page, service)
    attempt = page.get_by_role("button", name="Try it: “office”")
    expect(attempt).not_to_have_attribute("aria-disabled", "true")
    studio.send("PUT", "/settings/outbound.offline", {"value": "on"})
    expect(attempt).to_have_attribute("aria-disabled", "true")
    expect(attempt).to_have_accessible_description(re.compile("^EchoText is set to stay offline, so nothing is downloaded or sent."))
    attempt.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    change = page.locator(".services").get_by_role("link", name="Open “Stay offline” in Settings")
    expect(change).to_have_attribute("href", "/settings/speech?setting=outbound.offline")
    change.focus()
    studio.send("PUT", "/settings/outbound.offline", {"value": "off"})
    expect(attempt).not_to_have_attribute("aria-disabled", "true")
    expect(attempt).to_have_accessible_description("")
    expect(page.get_by_role("heading", name="Settings", level=1)).to_be_focused()
    attempt.click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Do not send")).to_be_focused()
    assert service.requests == [] and studio.get("/outbound/records")["records"] == []


def test_a_try_that_the_page_could_not_refuse_sends_nothing_offline(service, studio):
    content = {"address": service.address, "model": "whisper-1", "key": "sk-secret"}
    studio.send("PUT", "/transcription-services/office", content)
    studio.send("PUT", "/settings/outbound.offline", {"value": "on"})
    refused = studio.ask("POST", "/transcription-services/office/try")
    assert (refused.status_code, refused.json()["code"]) == (409, "service.offline")
    assert service.requests == [] and studio.get("/outbound/records")["records"] == []


def test_nothing_is_sent_from_a_locked_library(service, studio):
    content = {"address": service.address, "model": "whisper-1", "key": "sk-secret"}
    studio.send("PUT", "/transcription-services/office", content)
    studio.set_passcode("4071")
    studio.send("POST", "/lock")
    assert studio.ask("POST", "/transcription-services/office/try").status_code == 423
    assert studio.ask("GET", "/outbound/records").status_code == 423
    assert service.requests == []
