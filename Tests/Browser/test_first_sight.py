"""What a page needs first comes first, and nothing of the other pages with it."""

import pytest
from playwright.sync_api import Page, expect

from parts import expect_to_play
from places import PATIENCE, RESTARTED
from texts import LONG


def test_nothing_of_the_documents_is_brought_before_the_first_page_stands(visitor):
    page = visitor.context().new_page()
    page.goto(visitor.studio.new_address())
    page.get_by_label("Text to speak").wait_for()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    early = page.evaluate(
        "(ready) => performance.getEntriesByType('resource').filter((one) => one.startTime < ready).map((one) => one.name)", ready
    )
    assert [name for name in early if "/pages/documents" in name or "documents.css" in name] == []


def test_nothing_of_voices_comes_with_the_first_sight(visitor, studio):
    answer = studio.session.get(studio.local + "/speak")
    assert "/pages/speak.js" in answer.headers["Link"]
    for part in ("/pages/voices", "voice-catalogue", "/styles/voices.css"):
        assert part not in answer.headers["Link"]
    assert "/pages/voices.js" in studio.session.get(studio.local + "/voices").headers["Link"]


def test_the_first_sight_takes_few_requests(visitor):
    page = visitor.context().new_page()
    page.goto(visitor.studio.new_address())
    page.get_by_label("Text to speak").wait_for()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    early = page.evaluate(
        "(ready) => performance.getEntriesByType('resource').filter((one) => one.startTime < ready)"
        ".map((one) => new URL(one.name).pathname)",
        ready,
    )
    assert [name for name in early if name.startswith("/api/")] == ["/api/state"]
    assert len([name for name in early if name.endswith(".js")]) <= 17
    assert sorted(name for name in early if name.endswith(".css")) == ["/app.css", "/styles/speak.css"]


def test_the_count_of_words_comes_with_the_page(visitor):
    page = visitor.open("/speak")
    expect(page.locator(".word-counter")).to_have_text("0 / 10,000 words")
    expect(page.locator(".chip-speed")).to_contain_text("1×")


@pytest.mark.expects_console(RESTARTED)
@pytest.mark.parametrize(
    "part", ["attendants.js", "styles/sheet.css", "components/failure.js", "pages/speak/speaking.js", "pages/documents/beside.js"]
)
def test_a_server_that_ends_while_the_rest_is_being_brought_costs_nothing(visitor, studio, part):
    page = visitor.context().new_page()
    restart_while_bringing(page, studio, part, lambda: write(page, "Not lost."))
    expect(page.locator(".batch-counter")).to_be_attached()
    expect(page.get_by_label("Text to speak")).to_have_value("Not lost.")
    page.locator(".chip-speed").click()
    expect(page.get_by_role("dialog")).to_have_css("display", "flex")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Generate").click()
    expect_to_play(page)


@pytest.mark.expects_console(RESTARTED)
def test_what_broke_off_is_offered_though_the_server_ended_while_what_offers_it_was_being_brought(visitor, studio):
    studio.send("POST", "/narrations", {"text": LONG})
    page = visitor.context().new_page()
    restart_while_bringing(page, studio, "pages/speak/speaking.js")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


# Fulfilled once everything that the page has loaded is kept for a time without its server.
IS_KEPT = """async (patience) => {
  const { active } = await navigator.serviceWorker.ready;
  const cache = await caches.open("shell");
  for (;;) {
    const missing = [];
    for (const { name } of performance.getEntriesByType("resource")) {
      if (!name.includes("/api/") && !(await cache.match(name))) missing.push(name);
    }
    if (missing.length === 0 && active.state === "activated") return;
    if (performance.now() > patience) throw new Error(`not kept: ${missing}`);
    await new Promise((again) => setTimeout(again, 50));
  }
}"""


@pytest.mark.expects_console(RESTARTED)
def test_the_page_opens_without_its_server_and_says_so(visitor, studio):
    page = visitor.open()
    page.evaluate(IS_KEPT, PATIENCE)
    studio.stop()
    page.reload()
    expect(page.get_by_text("Start it with “echotext serve”, then try again.")).to_be_visible()
    studio.start()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_label("Text to speak")).to_be_visible()


# How often a file that is not there is asked for when it is asked for once: a second time, to be kept.
TIMES_ASKED = """async (patience) => {
  let times = 0;
  new PerformanceObserver((list) => {
    times += list.getEntries().filter(({ name }) => name.endsWith("/nowhere.js")).length;
  }).observe({ type: "resource" });
  await fetch("/nowhere.js");
  while (times < 2 && performance.now() < patience) await new Promise((again) => setTimeout(again, 10));
  for (let more = 0; more < 20; more += 1) await fetch("/core/format.js");
  return times;
}"""


@pytest.mark.expects_console("status of 404")
def test_what_cannot_be_kept_for_a_time_without_the_server_is_not_asked_for_without_end(visitor):
    page = visitor.open()
    page.evaluate(IS_KEPT, PATIENCE)
    assert page.evaluate(TIMES_ASKED, PATIENCE) == 2


def write(page: Page, text: str) -> None:
    page.get_by_label("Text to speak").fill(text)


def restart_while_bringing(page: Page, studio, part: str, meanwhile=lambda: None) -> None:
    """Opens the page, and stops its server before one of its parts has come."""
    held, is_held = [], True
    page.route(f"**/{part}", lambda route: held.append(route) if is_held else route.continue_())
    with page.expect_request(f"**/{part}"):
        page.goto(studio.new_address())
    page.get_by_label("Text to speak").wait_for()
    meanwhile()
    studio.stop()
    is_held = False
    for route in held:
        route.abort("connectionrefused")
    silence = page.get_by_text("EchoText does not answer. Trying again…")
    expect(silence).to_be_visible()
    studio.start()
    expect(silence).to_be_hidden()
