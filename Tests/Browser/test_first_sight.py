"""A page loads first what it needs first, and nothing of the other pages."""

import pytest
from playwright.sync_api import Page, expect

from parts import expect_to_play
from places import ALL_LOADED, RESTARTED, evaluate, settle, wait_for_all_modules
from texts import takes_minutes

pytestmark = pytest.mark.loads_ahead


def early_requests(visitor) -> list[str]:
    """The paths that the first page requests before its document is ready.

    The state is held back: on a busy machine, what follows from it could be requested before the document is ready.
    """
    page = visitor.context().new_page()
    held, is_held = [], True
    page.route("**/api/state", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(visitor.studio.new_address(), wait_until="domcontentloaded")
    is_held = False
    for route in held:
        route.continue_()
    page.get_by_label("Text to speak").wait_for()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    return page.evaluate(
        "(ready) => performance.getEntriesByType('resource').filter((one) => one.startTime < ready)"
        ".map((one) => new URL(one.name).pathname)",
        ready,
    )


def test_nothing_of_the_documents_is_brought_before_the_first_page_stands(visitor):
    early = early_requests(visitor)
    assert [name for name in early if "/pages/documents" in name or "documents.css" in name] == []


def test_nothing_of_voices_comes_with_the_first_sight(visitor, studio):
    answer = studio.session.get(studio.local + "/speak")
    assert "/pages/speak.js" in answer.headers["Link"]
    for part in ("/pages/voices", "voice-catalogue", "/styles/voices.css"):
        assert part not in answer.headers["Link"]
    assert "/pages/voices.js" in studio.session.get(studio.local + "/voices").headers["Link"]


def test_the_first_sight_takes_few_requests(visitor):
    early = early_requests(visitor)
    assert [name for name in early if name.startswith("/api/")] == ["/api/state"]
    assert len([name for name in early if name.endswith(".js")]) <= 17
    assert sorted(name for name in early if name.endswith(".css")) == ["/app.css", "/styles/speak.css"]


def test_the_count_of_words_comes_with_the_page(visitor):
    page = visitor.open("/speak")
    expect(page.locator(".word-counter")).to_have_text("0 / 10,000 words")
    expect(page.locator(".chip-speed")).to_contain_text("1×")


@pytest.mark.expects_console(RESTARTED)
@pytest.mark.parametrize(
    "part",
    [
        "background.js", "styles/sheet.css", "components/notice.js", "pages/speak/speaking.js", "pages/drops/drops.js",
        "pages/documents/batch.js",
    ],
)
def test_a_server_that_falls_silent_while_the_rest_is_being_brought_costs_nothing(visitor, studio, relay, part):
    page = visitor.context().new_page()
    fall_silent_while_bringing(page, studio, relay, part, lambda: write(page, "Not lost."))
    expect(page.locator(".batch-counter")).to_be_attached()
    expect(page.get_by_label("Text to speak")).to_have_value("Not lost.")
    page.locator(".chip-speed").click()
    expect(page.get_by_role("dialog")).to_have_css("display", "flex")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Read aloud").click()
    expect_to_play(page)


# A part of those requested together may be requested while the server is silent, and reported when it answers again.
@pytest.mark.expects_console(RESTARTED, "Failed to fetch dynamically imported module")
def test_what_broke_off_is_offered_though_the_server_fell_silent_while_what_offers_it_was_being_brought(visitor, studio, relay):
    studio.send("POST", "/narrations", {"text": takes_minutes(studio)})
    studio.restart()
    page = visitor.context().new_page()
    fall_silent_while_bringing(page, studio, relay, "pages/speak/speaking.js")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


@pytest.mark.expects_console(RESTARTED, "status of 421")
def test_a_page_whose_server_was_started_again_says_so_and_keeps_what_was_written(visitor, studio):
    page = visitor.open()
    write(page, "Not lost.")
    # The request for the proof follows the first view.
    wait_for_all_modules(page, studio)
    silence = page.get_by_text("EchoText does not answer. Trying again…")
    with page.expect_response("**/api/proof*") as asked:
        studio.restart()
    assert asked.value.status == 421
    expect(silence).to_contain_text("After a restart, open it again from the menu of programs or with “echotext serve”.")
    expect(page.get_by_label("Text to speak")).to_have_value("Not lost.")
    visitor.expected.append("dialog: beforeunload")
    page.reload()
    expect(page.get_by_text("it has another one whenever it is started")).to_be_visible()
    visitor.come_back(page)
    expect(page.get_by_label("Text to speak")).to_be_visible()


@pytest.mark.expects_console(RESTARTED)
def test_every_module_is_there_before_the_server_can_end(visitor, studio):
    page = visitor.open()
    names = wait_for_all_modules(page, studio)
    settle(page)
    evaluate(page, ALL_LOADED)
    studio.stop()
    expect(page.get_by_text("EchoText does not answer. Trying again…")).to_be_visible()
    brought = "(names) => Promise.all(names.map((name) => import(name).then(() => true, () => false)))"
    assert all(evaluate(page, brought, names))
    studio.start()


def write(page: Page, text: str) -> None:
    page.get_by_label("Text to speak").fill(text)


def fall_silent_while_bringing(page: Page, studio, relay, part: str, meanwhile=lambda: None) -> None:
    """Opens the page, and makes its server fall silent before one of its parts has arrived."""
    held, is_held = [], True
    page.route(f"**/{part}", lambda route: held.append(route) if is_held else route.continue_())
    with page.expect_request(f"**/{part}"):
        page.goto(relay.of(studio.new_address()))
    page.get_by_label("Text to speak").wait_for()
    meanwhile()
    relay.fall_silent()
    is_held = False
    for route in held:
        route.abort("connectionrefused")
    silence = page.get_by_text("EchoText does not answer. Trying again…")
    expect(silence).to_be_visible()
    relay.answer_again()
    expect(silence).to_be_hidden()
