"""Accessibility: axe-core finds nothing in any page, sheet and theme, and the main tasks need no mouse."""

import json
import os

import pytest
from axe_playwright_python.sync_playwright import DEFAULT_OPTIONS, Axe
from playwright.sync_api import Page, expect

from conftest import NARROW, WIDE, visits
from parts import dialog, expect_to_play, rows
from places import PAGES, SHEETS, boxes_of, come_to_rest, open_document, settle, wait_until
from practising import pressed, written
from test_lock import SHORT
from texts import takes_minutes
from transcripts import TEXTS, open_recording_sheets, open_talk, paragraphs, record, tools

AXE = Axe()
IS_LONG = os.environ.get("ECHOTEXT_LONG_TESTS") == "1"
THEMES = ["light", "dark"]
# The rules that a theme's colors can break.
COLORS = ["color-contrast", "link-in-text-block"]

# The play buttons that are smaller than a finger needs.
SMALL_LISTEN = """() => [...document.querySelectorAll("button")]
  .filter((one) => /^Listen/.test(one.ariaLabel ?? one.textContent.trim()) && one.checkVisibility())
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 44)
  .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 150)} ${width}×${height}`)"""


def rules(theme: str) -> dict:
    """All rules; in the dark theme only those that depend on colors, since all else equals the light one."""
    return {**DEFAULT_OPTIONS, "runOnly": {"type": "rule", "values": COLORS}} if theme == "dark" and not IS_LONG else DEFAULT_OPTIONS


def run_axe(page: Page, options: dict) -> list[dict]:
    """The rules that the page breaks. The script is injected once, and only the violations are transferred."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.axe_script)
    return page.evaluate(f"axe.run({json.dumps(options)}).then(({{ violations }}) => violations)")


def violations(page: Page, where: str, themes: list[str] = THEMES) -> list[str]:
    """The rules that the page breaks, as it is in one theme after the other; afterwards it is light again."""
    found = []
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == theme
        come_to_rest(page)
        found += [
            f"{where}, {theme}: {rule['id']} ({rule['impact']}) {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
            for rule in run_axe(page, rules(theme))
            for node in rule["nodes"][:2]
        ]
    page.emulate_media(color_scheme="light")
    return found


def too_small(page: Page, where: str) -> list[str]:
    """Lists the controls there that are smaller than a finger needs."""
    broken = run_axe(page, {"runOnly": ["target-size"], "rules": {"target-size": {"enabled": True}}})
    found = [node["html"][:150] for rule in broken for node in rule["nodes"]]
    return [f"{where}: {one}" for one in [*found, *page.evaluate(SMALL_LISTEN)]]


def faults_on_a_phone(page: Page, where: str) -> list[str]:
    """The violations there, that it is too wide, and what is too small to press; afterwards the page is narrow."""
    page.set_viewport_size(NARROW)
    found = violations(page, f"{where}, narrow", ["light"])
    found += [f"{where} is too wide"] if page.evaluate("document.documentElement.scrollWidth > innerWidth") else []
    return found + too_small(page, where)


def seed(studio) -> None:
    ids = studio.seed(2)
    studio.seed_documents()
    studio.send("POST", "/playback/entries", {"items": ids})
    studio.send("PUT", "/playback/bookmark", {"item": ids[0], "position": 1})


@pytest.fixture(scope="module")
def faults_of_sheets(browser, looked_at, request) -> dict[str, list[str]]:
    """The faults of the sheets, each opened once: on a wide page, and when that becomes a phone's."""
    found = {"wide": [], "phone": []}
    for visitor in visits(browser, looked_at(seed), request):
        page = visitor.blank()
        for name, path, open_it in SHEETS:
            page.set_viewport_size(WIDE)
            page.goto(visitor.studio.base + path)
            settle(page)
            open_it(page)
            settle(page)
            found["wide"] += violations(page, name)
            found["phone"] += faults_on_a_phone(page, name)
    return found


@pytest.mark.timeout(480)
def test_no_page_and_no_sheet_has_a_violation(visitor, studio, faults_of_sheets):
    found = []
    page = visitor.blank()
    for path in ("/library", "/documents", "/history"):
        page.goto(studio.base + path)
        settle(page)
        found += violations(page, f"{path}, empty")
    seed(studio)
    # The themes differ only in colors, which are the same at every width.
    for size, themes in ((WIDE, THEMES), (NARROW, ["light"])):
        page.set_viewport_size(size)
        for name, path in PAGES.items():
            page.goto(studio.base + path)
            settle(page)
            found += violations(page, f"{name}, {size['width']}", themes)
    assert found + faults_of_sheets["wide"] == []


@pytest.mark.timeout(480)
def test_sp7_no_sheet_on_a_phone_has_a_violation_is_wider_than_it_or_has_what_is_too_small(faults_of_sheets):
    assert faults_of_sheets["phone"] == []


@pytest.mark.timeout(480)
def test_sp7_no_sheet_of_a_recording_has_a_violation_is_wider_than_a_phone_or_has_what_is_too_small(visitor, studio, talk):
    page = visitor.blank()
    found = []
    for name in open_recording_sheets(page, studio, talk, WIDE):
        found += violations(page, name)
        found += faults_on_a_phone(page, name)
    assert found == []


def batch_of_one_that_fails_and_one_that_takes_long(studio) -> None:
    documents = []
    for name, text in (("notes", "Notes of the day."), ("long", takes_minutes(studio))):
        file = studio.folder / f"{name}.txt"
        file.write_text(text)
        documents.append(studio.import_document(file))
    studio.send("PUT", f"/documents/{documents[0]}/selection", {"leftOut": [[0, 1_000]]})
    studio.send("POST", "/batch", {"documents": [{"id": one} for one in documents]})


def test_what_is_under_way_left_or_reminded_of_has_no_violation(visitor, studio):
    left = studio.send("POST", "/narrations", {"text": takes_minutes(studio), "name": "Left"})["id"]
    studio.send("POST", f"/narrations/{left}/stop", {"keepPart": False, "leave": True})
    for number in range(10):
        studio.narrate("The tide comes in.", f"Number {number}")
    batch_of_one_that_fails_and_one_that_takes_long(studio)
    found = []
    for size, themes in ((WIDE, THEMES), (NARROW, ["light"])):
        page = visitor.open("/library", size=size)
        settle(page)
        if size == WIDE:
            expect(page.locator(".reminder", has_text="no recovery code")).to_be_visible()  # it appears only once
        expect(page.locator(".narrations-left .unfinished-row").first).to_be_visible()
        found += violations(page, "unfinished narrations and reminder", themes)
        page.locator(".batch-open").click()
        expect(page.locator(".batch-entry[data-state=failed]")).to_be_visible()
        found += violations(page, "batch", themes)
        page.get_by_role("button", name="Cancel “long”").click()
        expect(page.get_by_role("menu")).to_be_visible()
        found += violations(page, "what becomes of what was spoken", themes)
    assert found == []


@pytest.mark.expects_console("status of 4(23|29|03)")
def test_the_lock_screen_has_no_violation(visitor, studio):
    studio.lock_behind(SHORT)
    page = visitor.open()
    expect(page.get_by_label("Passcode", exact=True)).to_be_focused()
    found = violations(page, "lock")
    page.get_by_role("button", name="Use recovery code").click()
    found += violations(page, "recovery")
    studio.use_up_passcodes()
    page.reload()
    expect(page.locator(".lock-wait")).to_be_visible()
    found += violations(page, "wait")
    assert found == []


# The visible fields whose placeholder is wider than the room for it, as it would be for the same text typed.
CUT_PLACEHOLDERS = """() => [...document.querySelectorAll("main input[placeholder]")].filter((one) => {
  const { value, placeholder } = one;
  one.value = placeholder;
  const isCut = one.checkVisibility() && one.scrollWidth > one.clientWidth;
  one.value = value;
  return isCut;
}).map((one) => one.placeholder)"""


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_what_a_search_field_asks_for_fits_into_it(visitor, studio, talk, language, size):
    page = visitor.blank(language=language, size=size)
    for path in ("/recordings", f"/recordings/{talk}", "/voices"):
        page.goto(studio.base + path)
        settle(page)
        assert page.evaluate(CUT_PLACEHOLDERS) == [], path


@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_on_a_phone_the_tools_of_the_recordings_stand_in_one_row_beside_the_title(visitor, studio, talk, language):
    page = visitor.blank(language=language, size=NARROW)
    page.goto(studio.base + "/recordings")
    settle(page)
    title, *tools_there = boxes_of(page.locator("main h1, main .page-head button.icon-only"))
    assert len(tools_there) == 3
    assert {box["top"] for box in tools_there} == {tools_there[0]["top"]}
    assert all(title["right"] <= box["left"] and title["bottom"] > box["top"] for box in tools_there)


@pytest.mark.parametrize("language, words", [("en-GB", "Transcript"), ("et-EE", "Tekstiga")])
def test_on_a_phone_a_row_says_whether_a_recording_has_a_transcript(visitor, studio, talk, language, words):
    page = visitor.blank(language=language, size=NARROW)
    page.goto(studio.base + "/recordings")
    settle(page)
    details = page.locator(".recordings-list .row-details")
    [row] = boxes_of(details)
    [said] = boxes_of(details.get_by_text(words, exact=True))
    assert said["right"] <= row["right"], "the words are cut"


@pytest.mark.parametrize("width, percent", [(800, 100), (850, 100), (1024, 100), (1280, 100), (1280, 125), (1400, 125)])
@pytest.mark.parametrize("language, imports", [("en-GB", "Transcribe a file"), ("et-EE", "Kirjuta fail üles")])
def test_the_tools_of_the_recordings_stand_in_one_row_beside_the_title(
    visitor, studio, talk, language, imports, width, percent
):
    studio.send("PUT", "/settings/page.text-size", {"value": str(percent)})
    page = visitor.blank(language=language, size={"width": width, "height": 800})
    page.goto(studio.base + "/recordings")
    settle(page)
    title, *tools_there = boxes_of(page.locator("main h1, main .page-actions :is(.button, .search)"))
    assert len(tools_there) == 6
    assert all(title["right"] <= box["left"] and title["bottom"] > box["top"] for box in tools_there)
    middles = [box["top"] + box["height"] / 2 for box in tools_there]
    assert max(middles) - min(middles) < 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lines = page.locator("main h1").evaluate("""(title) => {
        const words = document.createRange();
        words.selectNodeContents(title);
        return words.getClientRects().length;
    }""")
    assert lines == 2, "a word of the title is cut"
    expect(page.locator(".page-actions").get_by_role("button", name=imports, exact=True)).to_be_visible()


def test_a_menu_stays_on_the_screen_when_the_window_becomes_narrow(visitor, studio):
    studio.seed(1)
    page = visitor.open("/library")
    settle(page)
    page.locator(".row").first.click(button="right", position={"x": 700, "y": 24})
    expect(page.get_by_role("menu")).to_be_visible()
    page.set_viewport_size(NARROW)
    expect(page.get_by_role("menuitem", name="More info")).to_be_in_viewport(ratio=1)


def in_large_text(studio) -> None:
    studio.seed(1)
    studio.seed_documents()
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})


def test_nothing_is_wider_than_a_small_screen_with_large_text(visitor, studio):
    studio.ready(in_large_text)
    page = visitor.blank(size={"width": 360, "height": 740})
    wide = []
    for path in PAGES.values():
        page.goto(studio.base + path)
        settle(page)
        wide += [path] if page.evaluate("document.documentElement.scrollWidth") > 360 else []
    assert wide == []


def test_large_text_on_a_small_screen_leaves_every_button_within_reach(visitor, studio):
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = visitor.open(size={"width": 360, "height": 740})
    page.get_by_label("Text to speak").fill("A text that is long enough to be shown.")
    within = "() => [...document.querySelectorAll('main button')].every((one) => one.getBoundingClientRect().right <= 360)"
    wait_until(page, within)
    page.get_by_role("button", name="Read aloud").click()
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
    page.get_by_role("button", name="Choose what to read…").click()
    page.get_by_text("Single pages").click()
    expect(page.locator(".grid-cell").first).to_be_visible()
    within = "() => [...document.querySelectorAll('dialog button')].every((one) => one.getBoundingClientRect().right <= 360)"
    wait_until(page, within)


def focused(page: Page) -> str:
    return page.evaluate("(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()")


def tab_to(page: Page, name: str) -> None:
    """Presses Tab until the element of that name has the focus; fails when none has."""
    passed = []
    for _ in range(60):
        page.keyboard.press("Tab")
        passed.append(focused(page))
        if passed[-1] == name:
            return
    raise AssertionError(f"no way to {name} by keyboard; passed {passed}")


def test_the_main_way_needs_no_mouse(visitor, studio):
    visitor.takes_time()
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


def go_to_row(page: Page) -> None:
    """Goes to the first row of the page's list by keys alone."""
    expect(rows(page).first).to_be_visible()
    # The parts on every page are loaded after the shortcuts.
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(rows(page).first).to_be_focused()


def test_a_narration_is_exported_without_a_mouse(visitor, studio):
    studio.seed(1)
    page = visitor.open("/library")
    go_to_row(page)
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()
    for _ in range(20):
        if focused(page) == "Share or export…":
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("heading", name="Share or export")).to_be_focused()
    expect(dialog(page).get_by_role("button", name="Download")).to_be_enabled()
    tab_to(page, "Download")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename.startswith("Recording 1.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(rows(page).first).to_be_focused()


def test_a_transcript_is_edited_without_a_mouse(visitor, talk):
    page = open_talk(visitor, talk)
    settle(page)
    tab_to(page, "Edit")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text at 0:00")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Good evening.")
    tab_to(page, "Done")
    page.keyboard.press("Enter")
    expect(paragraphs(page)).to_have_text(["Good evening.", *TEXTS[1:]])
    expect(page.get_by_role("heading", name="Talk", level=1)).to_be_focused()
    expect(tools(page).get_by_role("button", name="Version 2")).to_be_visible()


def test_a_speech_is_practised_without_a_mouse(visitor, studio):
    studio.send("PUT", "/settings/practice.record", {"value": "off"})
    written(studio, "Toast")
    page = visitor.open("/practice")
    go_to_row(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Practise “Toast”")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Toast", level=1)).to_be_focused()
    expect(pressed(page, "Begin")).to_be_visible()
    tab_to(page, "Begin")
    page.keyboard.press("Enter")
    expect(pressed(page, "Pause")).to_be_focused()
    page.keyboard.press("Enter")
    expect(pressed(page, "Continue")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Practice", level=1)).to_be_visible()


def test_each_list_is_searched_from_a_page_that_has_none(visitor, studio):
    studio.narrate("The harbour was quiet.", "Harbour")
    record(studio)
    written(studio, "Toast")
    studio.seed_documents()
    page = visitor.open("/settings")
    # The parts on every page are loaded after the shortcuts.
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    for entry, path in (
        ("Search the library", "/library"),
        ("Search recordings", "/recordings"),
        ("Search documents", "/documents"),
        ("Search speeches by title", "/practice"),
        ("Search the history", "/history"),
    ):
        expect(page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
        page.keyboard.press("/")
        page.get_by_role("menuitem", name=entry).click()
        expect(page.get_by_role("searchbox", name=entry)).to_be_focused()
        assert path in page.url
        page.go_back()
    page.goto(f"{studio.base}/recordings/recognizers")
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    page.keyboard.press("/")
    page.get_by_role("menuitem", name="Search recordings").click()
    expect(page.get_by_role("searchbox", name="Search recordings")).to_be_focused()


def test_a_list_without_anything_to_search_gives_the_focus_to_its_title(visitor):
    page = visitor.open("/settings")
    # The parts on every page are loaded after the shortcuts.
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    for entry, title in (
        ("Search the library", "Library"),
        ("Search recordings", "Recordings"),
        ("Search documents", "Documents"),
        ("Search speeches by title", "Practice"),
        ("Search the history", "History"),
    ):
        expect(page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
        page.keyboard.press("/")
        page.get_by_role("menuitem", name=entry).click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_focused()
        # It is not offered where it leads nowhere.
        page.keyboard.press("/")
        expect(page.get_by_role("menuitem")).to_have_count(4)
        expect(page.get_by_role("menuitem", name=entry)).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.get_by_role("menu")).to_have_count(0)
        page.go_back()


def test_sp7_a_document_that_leaves_levels_of_headings_out_is_read_without_gaps(visitor, studio, tmp_path):
    file = tmp_path / "levels.md"
    file.write_text("# Harbour\n\nBoats lie here.\n\n#### Pier\n\nA lamp burns.\n\n## Tides\n\nWater comes in.\n")
    page = visitor.open(f"/documents/{studio.import_document(file)}")
    settle(page)
    headings = page.locator("echo-document-text [role=heading]")
    expect(headings).to_have_text(["Harbour", "Pier", "Tides"])
    assert [one.get_attribute("aria-level") for one in headings.all()] == ["2", "3", "3"]
    assert violations(page, "levels") == []


def test_sp7_nothing_that_is_pressed_is_too_small(visitor, studio):
    seed(studio)
    page = visitor.blank(size=NARROW)
    found = []
    for name, path in PAGES.items():
        page.goto(studio.base + path)
        settle(page)
        found += too_small(page, name)
    assert found == []
