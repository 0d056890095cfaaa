"""RC: the browser's Back first closes what is open over a page, and leaves the page below as it is."""

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW, WIDE
from parts import expect_to_play, rows
from places import evaluate, press_chip, wait_until

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])


def steps_back(page: Page) -> int:
    """The number of entries in the browser's history before the present one."""
    session = page.context.new_cdp_session(page)
    return session.send("Page.getNavigationHistory")["currentIndex"]


def go_back(page: Page) -> None:
    """Like the browser's button."""
    page.evaluate("() => history.back()")


def expect_steps_back(page: Page, count: int) -> None:
    expect(page.locator("dialog")).to_have_count(0)
    wait_until(page, "() => !history.state?.sheet")
    assert steps_back(page) == count


@pytest.fixture
def library(visitor, studio):
    studio.seed()

    def open_at(size: dict) -> Page:
        page = visitor.open("/speak", size=size)
        expect(page.get_by_label("Text to speak")).to_be_visible()
        page.locator("nav").get_by_role("link", name="Library", exact=True).click()
        expect(rows(page)).to_have_count(3)
        return page

    return open_at


@SIZES
def test_rc_back_closes_the_full_player_and_then_leads_to_the_page_before(library, size):
    page = library(size)
    before = steps_back(page)
    rows(page).first.click()
    expect_to_play(page)
    page.keyboard.press("f")
    view = page.locator("dialog.player-view")
    expect(view).to_be_visible()
    go_back(page)
    expect(view).to_have_count(0)
    assert page.url.endswith("/library")
    expect(rows(page)).to_have_count(3)
    expect_steps_back(page, before)
    go_back(page)
    expect(page.get_by_label("Text to speak")).to_be_visible()


def test_rc_back_closes_the_sheet_on_top_first(library):
    page = library(WIDE)
    rows(page).first.click()
    expect_to_play(page)
    before = steps_back(page)
    page.keyboard.press("f")
    view = page.locator("dialog.player-view")
    view.get_by_role("button", name="Queue").click()
    queue = page.get_by_role("dialog", name="Queue")
    expect(queue).to_be_visible()
    go_back(page)
    expect(queue).to_have_count(0)
    expect(view).to_be_visible()
    go_back(page)
    expect(view).to_have_count(0)
    expect_steps_back(page, before)


@SIZES
@pytest.mark.parametrize("how", ["button", "Escape"])
def test_rc_a_sheet_that_is_closed_otherwise_leaves_no_entry(visitor, size, how):
    page = visitor.open(size=size)
    page.get_by_label("Text to speak").fill("Stays as it is.")
    before = steps_back(page)
    for _ in range(2):
        press_chip(page, "speed")
        expect(page.get_by_role("dialog")).to_be_visible()
        wait_until(page, "() => history.state?.sheet !== undefined")
        if how == "Escape":
            page.keyboard.press("Escape")
        else:
            page.get_by_role("dialog").get_by_role("button", name="Close").click()
        expect_steps_back(page, before)
        expect(page.locator(".chip-speed")).to_be_focused()
    expect(page.get_by_label("Text to speak")).to_have_value("Stays as it is.")


def test_rc_the_page_under_a_sheet_stays_where_it_was_scrolled_to(visitor):
    page = visitor.open("/settings/advanced", size=NARROW)
    opener = page.get_by_role("button", name="Open…")
    expect(opener).to_be_visible()
    before = steps_back(page)
    page.evaluate("() => document.documentElement.style.setProperty('min-height', '4000px')")
    opener.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("() => scrollTo(0, 700)")
    wait_until(page, "() => scrollY === 700")
    go_back(page)
    expect_steps_back(page, before)
    assert page.evaluate("scrollY") == 700


def test_rc_a_link_in_a_sheet_takes_the_place_of_its_entry(visitor):
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    before = steps_back(page)
    press_chip(page, "voice")
    expect(page.get_by_role("dialog")).to_be_visible()
    evaluate(page, "async () => (await import('/core/router.js')).navigate('/library')")
    page.keyboard.press("Escape")
    expect(page.locator("main h1")).to_have_text("Library")
    expect_steps_back(page, before + 1)
    go_back(page)
    expect(page.get_by_label("Text to speak")).to_be_visible()


def test_rc_going_to_a_page_while_a_sheet_is_being_closed_leads_there(visitor):
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    press_chip(page, "speed")
    wait_until(page, "() => history.state?.sheet !== undefined")
    evaluate(
        page,
        """async () => {
          const { navigate, sheetEntries } = await import("/core/router.js");
          // The browser may go back faster than a timer comes round again, so nothing is asked twice.
          let pending = sheetEntries.pending;
          const begun = new Promise((done) => Object.defineProperty(sheetEntries, "pending", {
            get: () => pending,
            set: (next) => {
              pending = next;
              if (next !== null) done(navigate("/library"));
            },
          }));
          document.querySelector("dialog .sheet-head-actions button:last-child").click();
          await begun;
        }"""
    )
    expect(page.locator("main h1")).to_have_text("Library")
    go_back(page)
    expect(page.get_by_label("Text to speak")).to_be_visible()


def test_fr21_go_to_a_time_closes_on_enter(library):
    page = library(WIDE)
    before = steps_back(page)
    rows(page).first.click()
    expect_to_play(page)
    page.locator("echo-player-bar").get_by_role("button", name="Pause").click()
    page.locator("echo-player-bar").get_by_role("button", name="go to a time").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("0:01")
    page.keyboard.press("Enter")
    expect_steps_back(page, before)
    wait_until(page, "() => Math.abs(Number(document.querySelector('.seek-range').value) - 1) < 0.2")
