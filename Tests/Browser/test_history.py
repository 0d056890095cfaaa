"""FR7: the last texts are listed, used again, copied and forgotten."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def page(visitor, studio):
    for text in ("The first text.", "The second text.", "The third text."):
        studio.narrate(text)
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
    assert page.evaluate("navigator.clipboard.readText()") == "The first text."


def test_fr7_a_text_is_deleted_with_undo_and_all_are_cleared(page, studio):
    page.locator(".row", has_text="second").click(button="right")
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.locator(".row")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".row")).to_have_count(3)
    page.get_by_role("button", name="Clear all").click()
    with page.expect_response("**/api/history"):
        page.get_by_role("alertdialog").or_(page.get_by_role("dialog")).get_by_role("button", name="Clear all").click()
    expect(page.get_by_text("No texts yet")).to_be_visible()
    assert studio.get("/history")["entries"] == []
    assert studio.get("/library")["total"] == 3
