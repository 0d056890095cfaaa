"""FR5: what of a document is spoken is chosen by pages and chapters."""

import re

import pytest
from playwright.sync_api import expect

from documents import lighthouse
from parts import choose, dialog, open_documents, rows
from places import open_choice


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_a_range_of_pages_is_chosen_and_remembered(page, studio):
    open_choice("Range")(page)
    dialog(page).get_by_label("From", exact=True).select_option("2")
    dialog(page).get_by_label("To", exact=True).select_option("4")
    expect(page.locator(".choice-totals")).to_have_text("3 of 6 pages: 2–4")
    dialog(page).get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert item["narration"]["document"]["selection"] == {"pages": "2-4"}
    assert "sheet 3" in studio.get(f"/library/{item['id']}/text")["text"]
    assert "sheet 5" not in studio.get(f"/library/{item['id']}/text")["text"]
    page.get_by_role("button", name="Generate…").click()
    expect(dialog(page).get_by_label("From", exact=True)).to_have_value("2")


def test_single_pages_are_ticked_by_mouse_and_keyboard(page):
    open_choice("Single pages")(page)
    expect(page.locator(".choice-totals")).to_have_text("2 of 6 pages: 2–3")
    page.get_by_role("option", name="page 3").click()
    page.get_by_role("option", name="page 2").click()
    expect(page.locator(".choice-totals")).to_have_text("0 of 6 pages")
    expect(dialog(page).get_by_role("button", name="Generate", exact=True)).to_be_disabled()
    page.get_by_role("option", name="page 2").click()
    grid = page.get_by_role("listbox", name="Pages to speak")
    grid.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".choice-totals")).to_have_text("2 of 6 pages: 2, 4")
    page.keyboard.press("Control+a")
    expect(page.locator(".choice-totals")).to_have_text("All 6 pages")
    dialog(page).get_by_role("button", name="None").click()
    expect(page.locator(".choice-totals")).to_have_text("0 of 6 pages")
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_pictures_of_pages_that_are_left_are_not_waited_for(visitor, studio):
    file = studio.folder / "long.pdf"
    file.write_bytes(lighthouse(120))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    page.locator(".viewer-bar").get_by_text("Text", exact=True).click()
    first = re.compile(r"/picture\?page=1&width=160$")
    page.route(first, lambda route: None)
    page.locator(".page-head").get_by_role("button", name="Generate…").click()
    with page.expect_request(first):
        dialog(page).get_by_text("Single pages", exact=True).click()
    with page.expect_event("requestfailed", lambda request: first.search(request.url)):
        page.get_by_role("listbox", name="Pages to speak").press("End")
    expect(page.get_by_role("option", name="page 120").locator("img")).to_be_visible()
    expect(page.locator(".grid-cell")).not_to_have_count(120)


def test_each_chapter_becomes_a_recording(page, studio):
    choose(page, "Harbour", "Generate")
    dialog(page).get_by_text("Chapters", exact=True).click()
    for chapter in ("Arrival", "Tea"):
        dialog(page).get_by_text(chapter, exact=True).click()
    dialog(page).get_by_text("One recording for each chapter").click()
    dialog(page).get_by_role("button", name="Generate", exact=True).click()
    expect(page.get_by_text("2 recordings will be made")).to_be_visible()
    page.get_by_role("link", name="Library").click()
    expect(rows(page)).to_have_count(2)
    assert sorted(item["narration"]["document"]["part"] for item in studio.get("/library")["items"]) == ["Arrival", "Tea"]
