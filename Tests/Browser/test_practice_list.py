"""The list of practice: its speeches, what is due again, and scores; and practice that begins on other pages."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from parts import choose, dialog, names, rows
from places import settle, wait_until
from practising import address, current, expect_phase, practise, pressed, written
from test_access import violations
from transcripts import TEXTS, record_and_write

PHONE = {"width": 360, "height": 740}
FITS = f"() => document.documentElement.scrollWidth <= {PHONE['width']}"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_sp2_a_speech_is_practised_from_its_row_also_without_a_pointer_over_it(visitor, studio, size):
    written(studio, "Toast")
    page = visitor.open("/practice", size=size)
    go = page.get_by_role("button", name="Practise “Toast”")
    page.mouse.move(0, 0)
    expect(go).to_be_in_viewport(ratio=1)
    expect(go.get_by_text("Practise", exact=True)).to_be_in_viewport(ratio=1)
    expect(go).to_have_css("opacity", "1")
    expect(page.locator(".row-actions", has=go)).to_have_css("opacity", "1")
    go.click()
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(current(page)).to_have_text("The harbour was quiet.")


def test_a_speech_is_found_by_its_title_and_deleted_among_those_found(visitor, studio):
    for title in ("Toast", "Farewell", "Last toast"):
        written(studio, title)
    page = visitor.open("/practice")
    expect(rows(page)).to_have_count(3)
    # The parts on every page are loaded after the shortcuts.
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Search speeches by title")
    expect(search).to_be_focused()
    page.keyboard.type("toast")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).filter(has_text="Farewell")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    for left in (1, 0):
        expect(rows(page).first).to_be_focused()
        page.keyboard.press("Delete")
        expect(rows(page)).to_have_count(left)
    expect(page.get_by_text("Nothing found")).to_be_visible()
    expect(page.get_by_role("heading", name="Practice", level=1)).to_be_focused()
    search.press("Escape")
    expect(names(page)).to_have_text(["Farewell"])
    expect(page.get_by_text("Nothing found")).to_have_count(0)


def test_the_search_of_speeches_is_as_wide_as_the_page_on_a_phone(visitor, studio):
    written(studio, "Toast")
    page = visitor.open("/practice", size=NARROW)
    expect(rows(page)).to_have_count(1)
    parts = [page.locator(one).bounding_box()["width"] for one in (".practice-speeches .search", ".practice-speeches")]
    assert parts[0] == pytest.approx(parts[1], abs=1)


def test_what_was_hard_is_offered_again(visitor, studio):
    session = practise(studio, factor=3, rate=0.1)
    studio.send("POST", f"/practice/sessions/{session['id']}/segments/2/hard", {"isHard": True})
    page = visitor.open(address(session))
    expect(page.locator(".dot").nth(1)).to_have_attribute("data-hard", "")
    pressed(page, "Next").click()
    expect(page.locator(".practice-current .practice-hard")).to_be_visible()
    pressed(page, "Pause").click()
    expect_phase(page, "Paused")
    marked = page.locator(".practice-current").get_by_role("button", name="Hard", exact=True)
    expect(marked).to_have_attribute("aria-pressed", "true")
    marked.click()
    expect(marked).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("h")
    expect(marked).to_have_attribute("aria-pressed", "true")
    page.goto(studio.base + "/practice")
    hard = studio.get("/practice/hard")
    assert (len(hard["due"]), hard["later"], len(hard["upcoming"])) == (0, 1, 1)
    page.get_by_text("1 hard sentence, due again").click()
    expect(page.locator(".practice-due-later li")).to_contain_text("A lamp burned at the pier.")
    expect(page.get_by_role("button", name="Practise them")).to_be_hidden()


def test_what_is_due_is_practised_by_its_button(visitor, studio):
    session = practise(studio)
    studio.send("POST", f"/practice/sessions/{session['id']}/segments/2/hard", {"isHard": True})
    # A mark is due after sixteen hours: the page learns that they have passed.
    [marked] = studio.get("/practice/hard")["upcoming"]
    made = practise(studio, marked["text"])
    orders = []

    def answer(route):
        if route.request.method != "POST":
            return route.continue_()
        orders.append(route.request.post_data_json["source"])
        return route.fulfill(status=201, json=made)

    page = visitor.open("/practice", size=PHONE)
    page.route("**/api/practice/hard", lambda route: route.fulfill(json={"due": [marked], "later": 0, "upcoming": []}))
    page.route("**/api/practice/sessions", answer)
    page.reload()
    expect(page.get_by_role("heading", name="1 sentence is due again")).to_be_visible()
    expect(page.locator(".practice-due-words li")).to_have_text("A lamp burned at the pier.")
    expect(page.locator(".practice-due-later")).to_be_hidden()
    settle(page)
    assert violations(page, "due") == []
    assert page.evaluate(FITS)
    page.get_by_role("button", name="Practise them").click()
    expect(page).to_have_url(studio.base + address(made))
    expect(current(page)).to_have_text("A lamp burned at the pier.")
    assert orders == [{"kind": "hard"}]


def test_the_scores_of_finished_sessions_are_drawn_over_time(visitor, studio):
    for _ in range(3):
        practise(studio)
    listed = studio.get("/practice/sessions")
    by_age = sorted(listed["sessions"], key=lambda one: one["created"])
    facts = {"segments": 4, "takes": 4, "pace": 120, "best": None, "worst": None, "seconds": 60}
    for one, score in zip(by_age, (0.4, 0.7, 0.9), strict=True):
        one |= {"phase": "finished", "summary": {**facts, "score": score}}
    page = visitor.open("/practice", size=PHONE)
    page.route("**/api/practice/sessions", lambda route: route.fulfill(json=listed))
    page.reload()
    expect(page.locator(".score-line figcaption")).to_have_text("The last 3 sessions with a score: from 40 % to 90 %.")
    assert page.locator(".score-line polyline").get_attribute("points") == "0.0,28.8 150.0,14.4 300.0,4.8"
    settle(page)
    assert violations(page, "scores over time") == []
    assert page.evaluate(FITS)


# From every page


def test_practice_begins_at_what_is_in_a_menu(visitor, studio):
    studio.narrate("A narration is practised.", "Night")
    page = visitor.open("/library")
    choose(page, "Night", "Practise this")
    expect(current(page)).to_have_text("A narration is practised.")
    page.goto(studio.base + "/history")
    choose(page, "A narration", "Practise this")
    expect(current(page)).to_have_text("A narration is practised.")
    studio.seed_documents()
    page.goto(studio.base + "/documents")
    choose(page, "Harbour", "Choose what to read")
    dialog(page).get_by_text("Chapters", exact=True).click()
    dialog(page).get_by_text("Tea", exact=True).click()
    dialog(page).get_by_role("button", name="Practise this").click()
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(current(page)).not_to_be_empty()
    kinds = [one["source"]["kind"] for one in studio.get("/practice/sessions")["sessions"]]
    assert sorted(kinds) == ["document", "history", "recording"]


def test_practice_begins_at_a_transcript_in_its_list_and_in_its_view(visitor, studio):
    item = record_and_write(studio)
    page = visitor.open("/recordings")
    choose(page, "Talk", "Practise this")
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(current(page)).to_have_text(TEXTS[0])
    first = page.url
    page.goto(f"{studio.base}/recordings/{item}")
    expect(page.locator(".transcript-text p")).to_have_text(TEXTS)
    page.get_by_role("button", name="More for Talk").click()
    page.get_by_role("menuitem", name="Practise this").click()
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(page).not_to_have_url(first)
    expect(current(page)).to_have_text(TEXTS[0])
    sources = [one["source"] for one in studio.get("/practice/sessions")["sessions"]]
    assert [(one["kind"], one["id"]) for one in sources] == [("recording", item)] * 2


def test_practice_begins_at_an_open_document(visitor, studio):
    studio.seed_documents()
    page = visitor.open(f"/documents/{studio.document('Lighthouse')}")
    page.get_by_role("button", name="More for “Lighthouse”").click()
    page.get_by_role("menuitem", name="Practise this").click()
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(current(page)).not_to_be_empty()
    [session] = studio.get("/practice/sessions")["sessions"]
    assert (session["source"]["kind"], session["source"]["id"]) == ("document", studio.document("Lighthouse"))
