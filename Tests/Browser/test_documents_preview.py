"""FR5: omitted text is visible before speaking; it can be put back, and more can be struck out."""

import pytest
from playwright.sync_api import Route, expect

from parts import dialog, open_documents
from places import held_back, open_preview


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_fr5_what_is_left_out_is_struck_through_and_put_back_by_one_press(page, studio):
    open_preview(page)
    struck = page.locator(".cut.struck", has_text="The Lighthouse")
    count = struck.count()
    page.get_by_role("button", name="Read this aloud: page header").first.click()
    expect(struck).to_have_count(count - 1)
    expect(page.locator(".cut.restored")).to_have_text("The Lighthouse")
    expect(page.get_by_role("button", name="Leave this out: page header")).to_be_focused()
    book = studio.document("Lighthouse")
    assert len(studio.get(f"/documents/{book}/selection")["putBack"]) == 1
    page.get_by_text("Page numbers (6)").click()
    expect(page.locator(".cut.restored")).to_have_count(7)


def test_fr5_what_is_pressed_quickly_and_left_at_once_is_kept(page, studio):
    open_preview(page)
    book = studio.document("Lighthouse")
    held = []

    def hold_the_first(route: Route) -> None:
        if held or "putBack" not in route.request.post_data_json["selection"]:
            route.continue_()
        else:
            held.append(route)

    page.route("**/preview", hold_the_first)
    back = page.get_by_role("button", name="Read this aloud: page header")
    with page.expect_request(lambda one: one.url.endswith("/preview") and "putBack" in one.post_data_json["selection"]):
        back.nth(0).click()
    back.nth(1).click()
    dialog(page).get_by_role("button", name="Done").click()
    expect(page.locator(".preview-sheet")).to_have_count(0)
    with page.expect_response(lambda one: one.request.method == "PUT" and len(one.request.post_data_json["putBack"]) == 2):
        held_back(page, held).continue_()
    assert len(studio.get(f"/documents/{book}/selection")["putBack"]) == 2


@pytest.mark.expects_console("status of 422")
def test_fr5_a_cut_that_is_refused_is_told_of_and_not_kept(page):
    open_preview(page)
    page.route("**/preview", lambda route: route.fulfill(status=422, json={"code": "web.bad-request", "message": "No."}))
    chip = page.get_by_role("checkbox", name="Page numbers (6)")
    page.get_by_text("Page numbers (6)").click()
    expect(page.locator(".preview-sheet").get_by_role("alert")).to_be_visible()
    expect(chip).not_to_be_checked()
    page.unroute("**/preview")
    page.get_by_text("Page numbers (6)").click()
    expect(page.locator(".cut.restored")).to_have_count(6)
    expect(chip).to_be_checked()


def test_fr5_words_that_are_selected_are_left_out(page, studio):
    open_preview(page)
    page.locator(".preview-sheet .text-line", has_text="sheet 2").dblclick(position={"x": 5, "y": 8})
    page.get_by_role("button", name="Leave out the selected words").click()
    expect(page.locator(".cut.struck", has_text="This")).to_be_visible()
    page.get_by_role("button", name="Read this aloud: left out by you").click()
    expect(page.locator(".cut.struck", has_text="This")).to_have_count(0)
