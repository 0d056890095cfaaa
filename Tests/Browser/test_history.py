"""FR7: the last texts are listed, used again, copied and deleted."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from places import evaluate


def narrate_three(studio) -> None:
    for text in ("The first text.", "The second text.", "The third text."):
        studio.narrate(text)


@pytest.fixture
def page(visitor, studio):
    studio.ready(narrate_three)
    page = visitor.open("/history")
    expect(page.locator(".row")).to_have_count(3)
    return page


def test_fr7_the_newest_stands_first_and_all_are_counted(page):
    expect(page.locator(".row-title")).to_have_text(["The third text.", "The second text.", "The first text."])
    expect(page.locator(".history-counter")).to_have_text("3 of 25")


def test_fr7_a_text_is_used_again(page):
    page.locator(".row", has_text="second").click()
    expect(page.get_by_label("Text to speak")).to_have_value("The second text.")


def test_fr7_a_text_is_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".row", has_text="first").click(button="right")
    page.get_by_role("menuitem", name="Copy").click()
    expect(page.get_by_text("The text was copied.")).to_be_visible()
    assert evaluate(page, "navigator.clipboard.readText()") == "The first text."


def test_fr7_a_text_is_deleted_with_undo_and_all_are_cleared(page, studio):
    page.locator(".row", has_text="second").click(button="right")
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.locator(".row")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".row")).to_have_count(3)
    page.get_by_role("button", name="Clear all").click()
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and answer.url.endswith("/api/history")):
        page.get_by_role("alertdialog").or_(page.get_by_role("dialog")).get_by_role("button", name="Clear all").click()
    expect(page.get_by_text("No texts yet")).to_be_visible()
    assert studio.get("/history")["entries"] == []
    assert studio.get("/library")["total"] == 3


def test_fr7_when_all_texts_are_gone_the_focus_is_on_the_title(page):
    title = page.get_by_role("heading", name="History", level=1)
    for left in (2, 1, 0):
        page.locator(".row").first.focus()
        page.keyboard.press("Delete")
        expect(page.locator(".row")).to_have_count(left)
    expect(title).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator(".row")).to_have_count(1)
    page.get_by_role("button", name="Clear all").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Clear all").press("Enter")
    expect(page.get_by_text("No texts yet")).to_be_visible()
    expect(title).to_be_focused()


def test_fr7_the_focus_stays_in_the_list_while_the_history_is_off_and_the_notice_goes_when_it_is_on(page, studio):
    reported = page.get_by_text("The history is switched off")
    row = page.locator(".row").first
    row.focus()
    studio.send("PUT", "/settings/history.keep", {"value": "off"})
    expect(reported).to_be_visible()
    expect(row).to_be_focused()
    with page.expect_response("**/api/history"):
        evaluate(page, "import('/server/events.js').then(({ dispatch }) => dispatch('history', {}))")
    evaluate(page, "new Promise(requestAnimationFrame)")
    expect(row).to_be_focused()
    studio.send("PUT", "/settings/history.keep", {"value": "on"})
    expect(reported).to_have_count(0)
    expect(row).to_be_focused()


def test_fr7_a_text_is_found_by_words_anywhere_in_it(visitor, studio):
    studio.narrate(f"The tide comes in. {'Boats lie at the pier. ' * 9}A lamp burns in the Harbour until the morning.")
    studio.narrate("First the bakery, then the library.")
    page = visitor.open("/history")
    expect(page.locator(".row")).to_have_count(2)
    field = page.get_by_role("searchbox", name="Search the history")
    field.fill("the harbour")
    expect(page.locator(".row-title")).to_have_text([re.compile("^The tide comes in.")])
    expect(page.locator(".row mark")).to_have_text(["the Harbour"])
    expect(page.locator(".row .found")).to_be_in_viewport()
    expect(page.locator(".row .found")).to_contain_text("…A lamp burns in the Harbour until the morning.")
    expect(page.locator(".history-counter")).to_have_text("2 of 25")
    said = page.locator("echo-history-page > [role=status]")
    expect(said).to_have_text("1 text found")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".row")).to_be_focused()
    field.fill("submarine")
    expect(page.get_by_text("No text here has “submarine”.")).to_be_visible()
    expect(said).to_have_text("0 texts found")
    page.get_by_role("button", name="Show everything").click()
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    expect(said).to_be_empty()
    expect(page.locator(".row")).to_have_count(2)


def test_fr7_the_focus_goes_to_the_title_when_the_last_text_is_deleted_elsewhere(page, studio):
    clear = page.get_by_role("button", name="Clear all")
    clear.focus()
    studio.send("DELETE", "/history")
    expect(page.get_by_text("No texts yet")).to_be_visible()
    expect(page.get_by_role("heading", name="History", level=1)).to_be_focused()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_fr7_the_head_of_the_history_fits_and_goes_when_nothing_is_left(page, size):
    page.set_viewport_size(size)
    for part in (page.get_by_role("searchbox"), page.locator(".history-counter"), page.get_by_role("button", name="Clear all")):
        expect(part).to_be_in_viewport(ratio=1)
    assert evaluate(page, "document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Clear all").click()
    page.get_by_role("dialog").get_by_role("button", name="Clear all").click()
    expect(page.get_by_text("No texts yet")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()


DAMAGED = {
    "en-GB": (1, "1 text is damaged and cannot be shown; the others are whole.", "Delete", "Undo"),
    "et-EE": (2, "2 teksti on kahjustatud ja neid ei saa näidata; teised on terved.", "Kustuta", "Võta tagasi"),
}


@pytest.mark.parametrize("language", DAMAGED)
def test_fr7_texts_that_cannot_be_read_are_told_beside_the_others_and_deleted(visitor, studio, language):
    count, words, delete, undo = DAMAGED[language]
    studio.narrate("The one that is whole.")
    unreadable = list(range(71, 71 + count))
    page = visitor.blank(language=language)
    page.route("**/api/history", lambda route: route.fulfill(json=studio.get("/history") | {"unreadable": unreadable}))
    page.route("**/api/history/7*", lambda route: route.fulfill(status=204))
    page.goto(studio.base + "/history")
    expect(page.locator(".row-title")).to_have_text(["The one that is whole."])
    reported = page.locator(".history-damage .notice")
    expect(reported).to_contain_text(words)
    reported.get_by_role("button", name=delete).click()
    expect(reported).to_have_count(0)
    page.get_by_role("button", name=undo).click()
    reported.get_by_role("button", name=delete).click()
    with page.expect_request("**/api/history/71"):
        page.locator(".toast").get_by_role("button").last.click()
    assert studio.get("/history")["entries"][0]["text"] == "The one that is whole."
