"""The first page, while nothing is written: the ways to everything else, what is under way, and the last things."""

import re

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW, WIDE
from parts import expect_to_play
from test_transcripts import JOB, record


def door(page: Page):
    return page.get_by_role("region", name="What else you can do")


def test_three_ways_lead_on_and_go_away_while_a_text_is_written(visitor):
    page = visitor.open("/speak")
    expect(door(page).get_by_role("link")).to_have_text(["Open a document", "Record or transcribe", "Practise a speech"])
    expect(door(page)).to_contain_text("Drop any file: documents can be read aloud, recordings transcribed")
    field = page.get_by_label("Text to speak")
    field.fill("Good morning.")
    expect(door(page)).to_have_count(0)
    field.fill("")
    expect(door(page)).to_be_visible()
    for name, heading in (("Open a document", "Documents"), ("Record or transcribe", "Recordings"), ("Practise a speech", "Practice")):
        door(page).get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        page.get_by_role("link", name="Speak", exact=True).click()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_else_there_is_stands_under_the_row_that_reads_the_text(visitor, studio, size):
    for n in range(5):
        studio.narrate("The harbour was quiet.", f"Harbour {n}")
    page = visitor.open("/speak", size=size)
    expect(door(page).locator(".door-last li")).to_have_count(5)
    expect(page.get_by_role("button", name="Read aloud")).to_be_in_viewport(ratio=1)
    row = page.locator(".speak-row")
    assert row.evaluate("(row, door) => row.getBoundingClientRect().bottom - door.getBoundingClientRect().top", door(page).element_handle()) < 1


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


def test_what_is_being_transcribed_is_shown_with_its_progress(visitor, studio):
    item = record(studio)
    page = visitor.open("/settings/display")
    page.route("**/api/transcriptions", lambda route: route.fulfill(json={"jobs": [{**JOB, "item": item}]}))
    page.get_by_role("link", name="Speak", exact=True).click()
    now = door(page).locator(".door-now li")
    expect(now).to_have_text("TalkTranscribing: 0:06 of 0:12, 50 %")
    now.get_by_role("link", name="Talk").click()
    expect(page).to_have_url(re.compile(f"/recordings/{item}$"))
