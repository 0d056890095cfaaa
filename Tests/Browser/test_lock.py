"""UC31–UC34: a passcode is set, asked for, changed and removed; the recovery code opens what is forgotten."""

import pytest
from playwright.sync_api import Page, expect

from places import RESTARTED

SHORT, OTHER = "8052", "a quiet harbour at dusk"

pytestmark = pytest.mark.expects_console("status of 4(03|23|29)")


def unlock(page: Page, passcode: str) -> None:
    page.get_by_label("Passcode", exact=True).fill(passcode)
    page.keyboard.press("Enter")


def expect_open(page: Page) -> None:
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()


def expect_locked(page: Page) -> None:
    expect(page.get_by_role("heading", name="EchoText is locked")).to_be_visible()


def test_uc31_uc32_a_passcode_is_set_with_its_recovery_code_and_asked_for(visitor, studio):
    studio.narrate("Something private.", "Private")
    page = visitor.open("/settings/security")
    page.get_by_role("button", name="Set…").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("New passcode").fill("1234")
    sheet.get_by_label("The same again").fill("1234")
    sheet.get_by_role("button", name="Continue").click()
    expect(sheet.get_by_text("That passcode is guessed too easily.")).to_be_visible()
    sheet.get_by_label("New passcode").fill(SHORT)
    sheet.get_by_role("button", name="Continue").click()
    expect(sheet.get_by_text("The two are not the same.")).to_be_visible()
    sheet.get_by_label("New passcode").fill(SHORT)
    sheet.get_by_label("The same again").fill(SHORT)
    sheet.get_by_role("button", name="Continue").click()
    expect(sheet.locator(".recovery-code")).to_be_visible()
    code = "-".join(sheet.locator(".recovery-code span").all_inner_texts())
    assert len(code) > 20
    sheet.get_by_role("button", name="I wrote it down").click()
    # Threat 49: once it has been shown it is nowhere in the page.
    assert code.split("-")[0] not in page.content()
    sheet.get_by_label("Recovery code").fill(code.lower().replace("-", " "))
    page.keyboard.press("Enter")
    expect(page.get_by_text("The passcode is set.")).to_be_visible()
    page.get_by_role("button", name="Lock", exact=True).click()
    expect_locked(page)
    assert "Private" not in page.content()
    studio.come_anew()
    assert studio.ask("GET", "/library").status_code == 423
    unlock(page, "0000")
    expect(page.get_by_text("That is not the passcode.")).to_be_visible()
    unlock(page, SHORT)
    expect_open(page)
    assert code not in (studio.folder / "errors").read_text()


@pytest.mark.expects_console(RESTARTED)
def test_uc32_a_wait_is_shown_after_wrong_passcodes_and_survives_a_restart(visitor, studio):
    studio.set_passcode(SHORT)
    studio.send("POST", "/lock")
    page = visitor.open()
    expect_locked(page)
    while studio.ask("POST", "/unlock", {"passcode": "0000"}).status_code != 429:
        pass
    unlock(page, "0000")
    expect(page.get_by_role("heading", name="Too many wrong passcodes")).to_be_visible()
    expect(page.locator(".lock-wait")).to_contain_text("You can try again in")
    page.goto("about:blank")
    studio.restart()
    visitor.come_back(page)
    expect(page.locator(".lock-wait")).to_contain_text("You can try again in")


def test_uc33_the_passcode_is_changed(visitor, studio):
    studio.set_passcode(SHORT)
    page = visitor.open("/settings/security")
    page.get_by_role("button", name="Change…").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Present passcode").fill(SHORT)
    sheet.get_by_label("New passcode").fill(OTHER)
    sheet.get_by_label("The same again").fill(OTHER)
    sheet.get_by_role("button", name="Change passcode").click()
    expect(page.get_by_text("The passcode was changed.")).to_be_visible()
    studio.come_anew()
    studio.send("POST", "/lock")
    expect_locked(page)
    unlock(page, OTHER)
    expect_open(page)


@pytest.mark.expects_console(RESTARTED)
def test_uc34_the_passcode_is_removed(visitor, studio):
    studio.set_passcode(SHORT)
    page = visitor.open("/settings/security")
    page.get_by_role("button", name="Remove…").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Present passcode").fill(SHORT)
    sheet.get_by_role("button", name="Remove passcode").click()
    expect(page.get_by_text("The passcode was removed.")).to_be_visible()
    studio.restart()
    visitor.come_back(page)
    expect_open(page)


def test_the_recovery_code_opens_the_library_and_sets_another_passcode(visitor, studio):
    code = studio.set_passcode(SHORT)
    studio.send("POST", "/lock")
    page = visitor.open()
    page.get_by_role("button", name="Use recovery code").click()
    page.get_by_label("Recovery code").fill(code)
    page.get_by_label("New passcode").fill(OTHER)
    page.get_by_label("The same again").fill(OTHER)
    page.get_by_role("button", name="Open the library").click()
    expect_open(page)
    studio.come_anew()
    assert studio.get("/state")["vault"]["protection"] == "password"


def test_locking_in_one_tab_locks_the_other_and_stops_its_sound(visitor, studio):
    studio.set_passcode(SHORT)
    studio.narrate("The tide comes in and goes out again. " * 20, "A long one")
    page = visitor.open("/library")
    page.locator(".row", has_text="A long one").click()
    expect(page.locator("echo-player-bar").get_by_role("button", name="Pause")).to_be_visible()
    other = visitor.another_tab(page, "/settings/security")
    other.get_by_role("button", name="Lock", exact=True).click()
    expect_locked(page)
    expect_locked(other)
    assert page.evaluate("[...document.querySelectorAll('audio')].every((one) => one.paused)")
    assert "A long one" not in page.content()
    unlock(other, SHORT)
    expect_open(other)
    expect_open(page)


def test_the_lock_screen_has_its_look_when_no_other_page_was_seen(visitor, studio):
    studio.set_passcode(SHORT)
    studio.send("POST", "/lock")
    page = visitor.open()
    field = page.get_by_label("Passcode", exact=True).bounding_box()
    unlock_button = page.get_by_role("button", name="Unlock").bounding_box()
    assert unlock_button["y"] - field["y"] - field["height"] > 8
