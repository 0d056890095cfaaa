"""Nobody is shut out: axe-core finds nothing in any page, sheet and theme, and the main ways need no mouse."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from conftest import NARROW, WIDE
from parts import expect_to_play
from places import PAGES, SHEETS, open_document, settle, wait_until
from test_lock import SHORT

AXE = Axe()


def violations(page: Page, where: str) -> list[str]:
    return [
        f"{where}: {rule['id']} ({rule['impact']}) {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for rule in AXE.run(page).response["violations"]
        for node in rule["nodes"][:2]
    ]


def seed(studio) -> None:
    ids = studio.seed(2)
    studio.seed_documents()
    studio.send("POST", "/playback/entries", {"items": ids})
    studio.send("PUT", "/playback/bookmark", {"item": ids[0], "position": 1})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_and_no_sheet_has_a_violation(visitor, studio, theme):
    found = []
    page = visitor.open("/speak", theme=theme)
    for path in ("/library", "/documents", "/history"):
        page.goto(studio.base + path)
        settle(page)
        found += violations(page, f"{path}, empty")
    seed(studio)
    # The themes differ in colours only, which are the same at every width.
    for size in (WIDE, NARROW) if theme == "light" else (WIDE,):
        page.set_viewport_size(size)
        for name, path in PAGES.items():
            page.goto(studio.base + path)
            settle(page)
            found += violations(page, f"{name}, {size['width']}")
    page.set_viewport_size(WIDE)
    for name, path, open_it in SHEETS:
        page.goto(studio.base + path)
        settle(page)
        open_it(page)
        settle(page)
        found += violations(page, name)
    assert found == []


@pytest.mark.expects_console("status of 4(23|29|03)")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lock_screen_has_no_violation(visitor, studio, theme):
    studio.set_passcode(SHORT)
    studio.send("POST", "/lock")
    page = visitor.open(theme=theme)
    expect(page.get_by_label("Passcode", exact=True)).to_be_focused()
    found = violations(page, "lock")
    page.get_by_role("button", name="Use recovery code").click()
    found += violations(page, "recovery")
    while studio.ask("POST", "/unlock", {"passcode": "0000"}).status_code != 429:
        pass
    page.reload()
    expect(page.locator(".lock-wait")).to_be_visible()
    found += violations(page, "wait")
    assert found == []


@pytest.mark.parametrize("path", PAGES.values())
def test_nothing_is_wider_than_a_small_screen_with_large_text(visitor, studio, path):
    studio.seed(1)
    studio.seed_documents()
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = visitor.open(path, size={"width": 360, "height": 740})
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_large_text_on_a_small_screen_leaves_every_button_within_reach(visitor, studio):
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = visitor.open(size={"width": 360, "height": 740})
    page.get_by_label("Text to speak").fill("A text that is long enough to be shown.")
    within = "() => [...document.querySelectorAll('main button')].every((one) => one.getBoundingClientRect().right <= 360)"
    wait_until(page, within)
    page.get_by_role("button", name="Generate").click()
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    wait_until(page, within)


def test_a_document_is_no_wider_than_a_small_screen_with_large_text(visitor, studio):
    studio.seed_documents()
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = visitor.open("/documents", size={"width": 360, "height": 740})
    for mode in ("Text", "Pages"):
        page.goto(studio.base + "/documents")
        settle(page)
        open_document(mode)(page)
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Generate…").click()
    page.get_by_text("Single pages").click()
    expect(page.locator(".grid-cell").first).to_be_visible()
    within = "() => [...document.querySelectorAll('dialog button')].every((one) => one.getBoundingClientRect().right <= 360)"
    wait_until(page, within)


def focused(page: Page) -> str:
    return page.evaluate("(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()")


def tab_to(page: Page, name: str) -> None:
    """Presses Tab until what has that name has the focus, and fails when that does not come."""
    passed = []
    for _ in range(60):
        page.keyboard.press("Tab")
        passed.append(focused(page))
        if passed[-1] == name:
            return
    raise AssertionError(f"no way to {name} by keyboard; passed {passed}")


def test_the_main_way_needs_no_mouse(visitor, studio):
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_focused()
    page.keyboard.type("A text that was typed. It has two sentences.")
    page.keyboard.press("Control+Enter")
    expect_to_play(page)
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    tab_to(page, "Rename")
    page.keyboard.press("Enter")
    page.keyboard.type("By hand")
    page.keyboard.press("Enter")
    expect(page.locator(".saved-name")).to_contain_text("By hand")
    page.keyboard.press("g")
    page.keyboard.press("l")
    expect(page.locator(".row")).to_have_count(1)
    page.keyboard.press("/")
    page.keyboard.type("typed")
    expect(page.locator(".row mark")).to_have_text("typed")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".row")).to_be_focused()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".row")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("echo-player-bar").get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Delete")
    expect(page.locator(".row")).to_have_count(0)
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
