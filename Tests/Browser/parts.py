"""Elements of a page that several tests use."""

import pathlib
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from places import wait_until

# Lists


def rows(page: Page) -> Locator:
    return page.locator("echo-rows .row")


def names(page: Page) -> Locator:
    return page.locator("echo-rows .row-title")


def choose(page: Page, name: str, what: str) -> None:
    """Chooses from the menu of the row with that name."""
    page.locator(".row", has_text=name).click(button="right")
    page.get_by_role("menuitem", name=what).click()


def rename(page: Page, name: str, to: str) -> Locator:
    """Renames from the menu of the row with that name; returns the field, which stays when the new name is refused."""
    choose(page, name, "Rename")
    field = page.get_by_label("Name of the")
    field.fill(to)
    field.press("Enter")
    return field


def select_rows(page: Page, *places: int) -> None:
    page.get_by_role("button", name="Select", exact=True).click()
    for place in places:
        rows(page).nth(place).click()
    expect(page.locator(".selection-count")).to_have_text(f"{len(places)} selected")


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog").last


# Documents


def open_documents(visitor) -> Page:
    """The documents page with a PDF of six pages, an EPUB of two chapters and a text; the last imported comes first."""
    visitor.studio.seed_documents()
    page = visitor.open("/documents")
    expect(rows(page)).to_have_count(3)
    return page


def import_long(studio, name: str = "long") -> str:
    """Imports a text that takes minutes to speak, as the server is slow from now on; returns its id."""
    studio.speak_slowly()
    return studio.ready(import_paragraphs, name)


def import_paragraphs(studio, name: str) -> str:
    file = studio.folder / f"{name}.txt"
    file.write_text("\n\n".join(f"Paragraph {n} of the {name} one talks of the sea." for n in range(4_000)))
    return studio.import_document(file)


def expect_marked(page: Page, highlight: str, text: str) -> None:
    wait_until(page, "([name, text]) => [...(CSS.highlights.get(name) ?? [])].join(' ').includes(text)", [highlight, text])


# Behind the page's back


def sealed_files(studio) -> set[pathlib.Path]:
    """The library's files for sound and documents."""
    studio.begin()
    return {file for file in (studio.folder / "library").rglob("*") if re.fullmatch("[0-9a-f]{32}.*", file.name) and file.is_file()}


# Everywhere


def expect_whole_placeholder(field: Locator) -> None:
    """Waits until the field has room for the words that stand in it while it is empty."""
    expect(field).to_be_visible()
    wait_until(
        field.page,
        """(label) => {
          const field = document.querySelector(`[placeholder="${CSS.escape(label)}"]`);
          const style = getComputedStyle(field);
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
          const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
          return pen.measureText(label).width <= room;
        }""",
        field.get_attribute("placeholder"),
    )


def expect_to_play(page: Page, beyond: float = 0) -> None:
    """Waits until the player is past this position, in seconds."""
    wait_until(page, "(beyond) => Number(document.querySelector('.seek-range')?.value) > beyond", beyond)


def drop(page: Page, *files, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Drops files from the desktop onto the middle of the page; `meanwhile` is done once they are over it."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 640, "y": 300, "data": data})
        if kind == "dragEnter":
            meanwhile()
