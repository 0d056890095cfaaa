"""Every page and sheet, for what must hold in all of them."""

import asyncio
import re
import time
from typing import Any

from playwright._impl._sync_base import mapping
from playwright.sync_api import Locator, Page, expect

# The limit of every wait for an event, in milliseconds.
TIMEOUT = 45_000

PAGES = {
    "speak": "/speak",
    "library": "/library",
    "documents": "/documents",
    "practice": "/practice",
    "speech": "/practice/speeches/new",
    "recordings": "/recordings",
    "recognizers": "/recordings/recognizers",
    "history": "/history",
    "voices-page": "/voices",
    "settings-speech": "/settings/speech",
    "settings-transcription": "/settings/transcription",
    "settings-display": "/settings/display",
    "settings-security": "/settings/security",
    "settings-advanced": "/settings/advanced",
    "settings-support": "/settings/support",
}


def evaluate(page: Page, expression: str, argument: object = None, timeout: float = 2 * TIMEOUT) -> Any:
    """The result of a function of the page, which may be asynchronous; fails without one after the limit.

    Playwright's own `evaluate` has no limit: it waits forever for a promise that never settles, and for a page that
    hangs.
    """

    async def evaluated() -> Any:
        async with asyncio.timeout(timeout / 1_000):
            return await page._impl_obj.evaluate(expression=expression, arg=mapping.to_impl(argument))

    try:
        return mapping.from_maybe_impl(page._sync(evaluated()))
    except TimeoutError:
        raise AssertionError(f"the page has given nothing within {timeout / 1_000:g} s: {expression[:200]}") from None


def wait_until(page: Page, condition: str, argument: object = None) -> None:
    """Waits until a function of the page, which may be asynchronous, is true.

    Playwright's own `wait_for_function` evaluates text within the page, which the page's policy forbids.
    """
    evaluate(
        page,
        """([argument, timeout]) => new Promise((done, fail) => {
            const holds = %s;
            const end = performance.now() + timeout;
            const look = async () => {
                if (await holds(argument)) done();
                else if (performance.now() > end) fail(new Error("it never came true"));
                else setTimeout(look, 50);
            };
            look().catch(fail);
            setTimeout(() => fail(new Error("what it asks never answered")), 2 * timeout);
        })"""
        % condition,
        [argument, TIMEOUT],
        3 * TIMEOUT,
    )


def held_back(page: Page, held: list[Any], number: int = 1) -> Any:
    """The record of a route of the test about the request of this number; waits until this process has it."""
    end = time.monotonic() + TIMEOUT / 1_000
    while len(held) < number:
        assert time.monotonic() < end, f"{len(held)} of {number} requests have come"
        page.wait_for_timeout(50)
    return held[number - 1]


def settle(page: Page) -> None:
    """Waits until a page is complete: its title is there, and nothing is loading."""
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator("[aria-busy=true], [data-waiting], .row.skeleton")).to_have_count(0)
    come_to_rest(page)


def boxes_of(elements: Locator) -> list[dict]:
    """The place and size of each element, all at one moment, since a page may still move between two questions."""
    return elements.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")


def come_to_rest(page: Page) -> None:
    """Waits until animations have ended, except endless ones: nobody has to read a color half-way between two."""
    wait_until(page, """() => document.getAnimations().every(
      (one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)""")


# Fulfilled once every preloaded module has arrived.
ALL_LOADED = """async () => {
  for (const link of document.querySelectorAll("link[rel=modulepreload]")) await import(link.href);
}"""


def wait_for_all_modules(page: Page, studio) -> list[str]:
    """The addresses of all modules, once each has been requested."""
    names = studio.session.get(studio.local + "/modules.json").json()
    # Requests beyond the browser's own limit would not be counted.
    wait_until(page, "(count) => document.querySelectorAll('link[rel=modulepreload]').length >= count", len(names))
    return names


def open_library_menu(page: Page) -> None:
    # On the name, so that the menu is seen to be the row's.
    page.locator(".row").first.click(button="right", position={"x": 120, "y": 24})
    expect(page.get_by_role("menu")).to_be_visible()


def open_library_entry(entry: str):
    def open_it(page: Page) -> None:
        open_library_menu(page)
        page.get_by_role("menuitem", name=entry).click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return open_it


def press(name: str, within: str = "main"):
    def open_it(page: Page) -> None:
        page.locator(within).get_by_role("button", name=name).first.click()
        expect(page.locator("dialog[open]")).to_be_visible()

    return open_it


def press_in_player(selector: str):
    """Presses a button of the bar once it has a recording."""

    def open_it(page: Page) -> None:
        bar = page.locator("echo-player-bar")
        expect(bar.locator("button.seek-time")).to_be_enabled()
        bar.locator(selector).click()
        expect(page.locator("dialog[open]")).to_be_visible()

    return open_it


def press_chip(page: Page, name: str) -> None:
    """Presses it once all chips have their values: each grows with its value, and moves later ones."""
    expect(page.locator(".chip-value")).to_have_text([re.compile("^[^…]+$")] * 4)
    page.locator(f".chip-{name}").click()


def chip(name: str):
    def open_it(page: Page) -> None:
        press_chip(page, name)
        expect(page.get_by_role("dialog")).to_be_visible()

    return open_it


def shortcuts(page: Page) -> None:
    expect(page.locator("echo-player-bar").get_by_role("button").first).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link").first.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def select(page: Page) -> None:
    page.get_by_role("button", name="Select", exact=True).click()
    page.locator(".row").first.click()
    expect(page.locator(".selection-count")).to_have_text("1 selected")


def open_document(mode: str):
    """The viewer, with pages or with text."""

    def open_it(page: Page) -> None:
        page.locator(".row", has_text="Lighthouse").click()
        page.locator(".viewer-bar").get_by_text(mode, exact=True).click()
        expect(page.locator(".picture img, .text-line").first).to_be_visible()

    return open_it


def open_choice(way: str):
    """The choice of what to speak from a document, in one of its ways."""

    def open_it(page: Page) -> None:
        open_document("Text")(page)
        page.locator(".page-head").get_by_role("button", name="Choose what to read…").click()
        page.get_by_role("dialog").get_by_text(way, exact=True).click()
        if way == "Single pages":
            page.get_by_role("option", name="page 2").click()
            page.get_by_role("option", name="page 3").click()
        expect(page.locator(".choice-totals")).not_to_be_empty()

    return open_it


def open_preview(page: Page) -> None:
    open_choice("Everything")(page)
    page.get_by_role("dialog").get_by_role("button", name="Preview").click()
    expect(page.locator(".cut.struck").first).to_be_visible()


def open_contents(page: Page) -> None:
    open_document("Text")(page)
    page.get_by_role("button", name="Contents").click()
    expect(page.get_by_role("dialog", name="Contents")).to_be_visible()


def open_join(page: Page) -> None:
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share or export").click()
    page.get_by_role("dialog").get_by_text("One audiobook", exact=True).click()
    expect(page.get_by_role("dialog").locator(".join-list li").nth(1)).to_be_visible()


def open_voice(page: Page) -> None:
    page.get_by_label("Search voices and languages").fill("fixture")
    # The rows of before the search are there for a moment.
    found = page.locator(".row:not(.heading)")
    expect(found).to_have_count(1)
    found.click()
    expect(page.get_by_role("dialog")).to_contain_text("piper/en_US-fixture-low")


def open_share(page: Page) -> None:
    page.locator(".row", has_text="Lighthouse").click(button="right")
    page.get_by_role("menuitem", name="Share or export").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing of this document has been read aloud yet.")


def open_spoken_as(page: Page) -> None:
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Read each aloud").click()
    page.get_by_role("dialog").locator(".spoken-as summary").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_visible()


# The sheets: name, the address of the page, and how to open each.
SHEETS = [
    ("voices", "/speak", chip("voice")),
    ("profiles", "/speak", chip("profile")),
    ("speed", "/speak", chip("speed")),
    ("menu", "/library", open_library_menu),
    ("export", "/library", open_library_entry("Share or export")),
    ("join", "/library", open_join),
    ("text", "/library", open_library_entry("View text")),
    ("check-speech", "/library", open_library_entry("Check the speech")),
    ("info", "/library", open_library_entry("More info")),
    ("filter", "/library", press("Filter")),
    ("selection", "/library", select),
    ("queue", "/library", press("Queue", "echo-player-bar")),
    ("player", "/library", press_in_player(".bar-open")),
    ("go-to-time", "/library", press_in_player("button.seek-time")),
    ("playback-speed", "/library", press_in_player(".rate-button")),
    ("document-pages", "/documents", open_document("Pages")),
    ("document-text", "/documents", open_document("Text")),
    ("contents", "/documents", open_contents),
    ("choice-range", "/documents", open_choice("Range")),
    ("choice-pages", "/documents", open_choice("Single pages")),
    ("choice-chapters", "/documents", open_choice("Chapters")),
    ("spoken-as", "/documents", open_spoken_as),
    ("document-filter", "/documents", press("Filter")),
    ("preview", "/documents", open_preview),
    ("share-document", "/documents", open_share),
    ("voice", "/voices", open_voice),
    ("voice-filter", "/voices", press("Filter")),
    ("clear-history", "/history", press("Clear all")),
    ("profile", "/settings/speech", press("Edit “Default”")),
    ("new-profile", "/settings/speech", press("New profile")),
    ("connections", "/settings/transcription", press("Show")),
    ("service", "/settings/transcription", press("Add a service")),
    ("passcode", "/settings/security", press("Set passcode…")),
    ("recovery-code", "/settings/security", press("Make a recovery code…")),
    ("backup", "/settings/security", press("Back up…")),
    ("vault-check", "/settings/security", press("Check…")),
    ("dictionary", "/settings/advanced", press("Open…")),
    ("new-key", "/settings/advanced", press("New key")),
    ("export-all", "/settings/advanced", press("Export…")),
    ("erase", "/settings/advanced", press("Erase…")),
    ("help", "/settings/support", press("Open")),
    ("diagnostics", "/settings/support", press("Show…")),
    ("shortcuts", "/speak", shortcuts),
]

# The messages of a browser about a server that restarts under another name at its port.
RESTARTED = (
    "status of 421|ERR_(CONTENT_LENGTH_MISMATCH|CONNECTION_(REFUSED|RESET|CLOSED)|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|FAILED)"
    "|unknown error occurred when fetching the script"
)
