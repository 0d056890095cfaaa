"""Many pages of one browser at once: a browser has six connections per server, and every page follows the events."""

import time

import pytest
from playwright.sync_api import Page, expect

from conftest import FLAGS, WHOLE_CHROMIUM, Visitor
from parts import names, rename, rows
from places import TIMEOUT, settle, wait_for_all_modules

TABS = 20


def reader(page: Page) -> list[str]:
    """Reloads the page, which then follows the events; returns the streams that its browser requests from then on."""
    asked: list[str] = []
    address = page.url
    page.goto("about:blank")
    with page.expect_response("**/api/events*"):
        page.goto(address)
    page.context.on("request", lambda request: request.url.partition("?")[0].endswith("/api/events") and asked.append(request.url))
    return asked


def test_twenty_tabs_are_all_usable_and_follow_by_one_stream(visitor, studio):
    studio.seed(2)
    first = visitor.open("/library")
    expect(rows(first)).to_have_count(2)
    asked = reader(first)
    others = [visitor.another_tab(first, "/library") for _ in range(TABS - 1)]
    for tab in others:
        expect(rows(tab)).to_have_count(2)
    assert asked == []
    rename(others[-1], "Recording 1", "Heard by all")
    for tab in (first, *others):
        expect(names(tab)).to_have_text(["Recording 2", "Heard by all"])
    # Another tab reads when the reader is gone, and missed changes are loaded.
    first.close()
    studio.send("PATCH", f"/library/{studio.get('/library')['items'][0]['id']}", {"name": "By another"})
    for tab in others:
        expect(names(tab)).to_have_text(["By another", "Heard by all"])
    assert len(asked) == 1


def test_a_tab_that_reads_for_the_others_and_is_loaded_again_costs_them_nothing(visitor, studio):
    studio.seed(1)
    first = visitor.open("/library")
    expect(rows(first)).to_have_count(1)
    other = visitor.another_tab(first, "/library")
    expect(rows(other)).to_have_count(1)
    for name in ("One", "Two", "Three"):
        first.reload()
        expect(rows(first)).to_have_count(1)
        rename(first, "Recording" if name == "One" else {"Two": "One", "Three": "Two"}[name], name)
        expect(names(other)).to_have_text([name])
        expect(names(first)).to_have_text([name])


def test_what_happens_before_the_first_tab_follows_is_shown(visitor, studio):
    page = visitor.blank()
    held: list = []
    page.route("**/api/events*", lambda route: held.append(route))
    page.goto(studio.base + "/library")
    expect(page.get_by_text("Nothing here yet")).to_be_visible()
    wait_for(page, lambda: held)
    studio.narrate("A sentence is here.", "Made before")
    expect(rows(page)).to_have_count(0)
    held[0].continue_()
    expect(names(page)).to_have_text(["Made before"])


def test_what_happens_before_another_tab_listens_is_shown(visitor, studio):
    first = visitor.open("/library")
    studio.narrate("A sentence is here.", "One")
    expect(names(first)).to_have_text(["One"])
    other = first.context.new_page()
    held: list = []
    other.route("**/background.js", lambda route: held.append(route))
    other.goto(studio.base + "/library", wait_until="commit")
    expect(names(other)).to_have_text(["One"])
    wait_for(other, lambda: held)
    rename(first, "One", "Another")
    expect(names(first)).to_have_text(["Another"])
    held[0].continue_()
    expect(names(other)).to_have_text(["Another"])


def wait_for(page: Page, is_there) -> None:
    end = time.monotonic() + TIMEOUT / 1_000
    while not is_there():
        assert time.monotonic() < end, "it never came true"
        page.wait_for_timeout(20)


@pytest.mark.expects_console("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_NOT_CONNECTED")
def test_all_tabs_say_that_the_server_is_silent_and_come_back_together(visitor, studio, relay):
    first = visitor.context().new_page()
    with first.expect_response("**/api/events*"):
        first.goto(relay.of(studio.new_address()))
    other = first.context.new_page()
    other.goto(relay.base + "/library")
    tabs = (first, other)
    for tab in tabs:
        expect(tab.locator("main h1")).to_be_attached()
    relay.fall_silent()
    for tab in tabs:
        expect(tab.get_by_text("EchoText does not answer. Trying again…")).to_be_visible()
    relay.answer_again()
    for tab in tabs:
        expect(tab.get_by_text("EchoText does not answer. Trying again…")).to_be_hidden()
    studio.narrate("A sentence is here.", "Made since")
    expect(names(other)).to_have_text(["Made since"])


@pytest.fixture
def returning(playwright, studio, request):
    """A user whose browser caches pages for “back”, as browsers do outside of tests."""
    browser = playwright.chromium.launch(
        executable_path=WHOLE_CHROMIUM, args=FLAGS, ignore_default_args=["--disable-back-forward-cache"]
    )
    visitor = Visitor(browser, studio, loads_ahead=True)
    yield visitor
    visitor.close()
    browser.close()
    assert visitor.problems == []


def test_one_tab_opened_eight_times_is_usable_and_follows_again_after_back(returning, studio):
    studio.seed(1)
    page = returning.open("/library")
    for path in ("/history", "/voices", "/settings/speech", "/documents", "/recordings", "/speak", "/history", "/library"):
        page.goto(studio.base + path)
        expect(page.locator("main h1")).to_be_visible()
    expect(rows(page)).to_have_count(1)
    # A browser does not cache a page that is left while it is still loading.
    wait_for_all_modules(page, studio)
    settle(page)
    page.evaluate("addEventListener('pageshow', (event) => (document.documentElement.dataset.kept = event.persisted))")
    page.goto(studio.base + "/voices")
    expect(page.locator("main h1")).to_have_text("Voices")
    studio.send("PATCH", f"/library/{studio.get('/library')['items'][0]['id']}", {"name": "Renamed meanwhile"})
    page.go_back(wait_until="commit")
    expect(names(page)).to_have_text(["Renamed meanwhile"])
    assert kept(page) == "true"
    rename(page, "Renamed meanwhile", "And again")
    expect(names(page)).to_have_text(["And again"])


def kept(page: Page) -> str | None:
    return page.evaluate("document.documentElement.dataset.kept ?? null")
