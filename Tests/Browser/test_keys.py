"""Keys for programs: made, copied and revoked on the page, as by “echotext keys”."""

import re

import pytest
import requests
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from parts import dialog
from places import evaluate

TREE = """
- region "Programs":
  - heading "Programs" [level=3]
  - button "Copy the address"
  - list:
    - listitem:
      - button "Revoke “Editor”"
    - listitem:
      - button "Revoke “Notes”"
  - button "New key"
"""

KEY = re.compile("^et-[0-9a-f]{64}$")


def programs(page):
    return page.get_by_role("region", name="Programs")


def opened(visitor, **look):
    page = visitor.open("/settings/advanced", **look)
    expect(programs(page)).to_contain_text("There is no key")
    return page


def make(page, name: str) -> str:
    """Makes a key, and leaves its sheet open."""
    programs(page).get_by_role("button", name="New key").click()
    expect(dialog(page).get_by_label("Name")).to_be_focused()
    dialog(page).get_by_label("Name").fill(name)
    page.keyboard.press("Enter")
    shown = dialog(page).get_by_role("group", name="The key")
    expect(shown).to_have_text(KEY)
    return shown.inner_text()


def models(address: str, key: str) -> int:
    return requests.get(address + "/models", headers={"Authorization": f"Bearer {key}"}, timeout=30).status_code


def test_a_key_is_made_copied_used_and_revoked(visitor):
    page = opened(visitor)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    key = make(page, "Editor")
    expect(dialog(page).get_by_role("heading", name="Copy the key now")).to_be_focused()
    expect(dialog(page)).to_contain_text("It is not shown again")
    dialog(page).get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("The key was copied.")).to_be_visible()
    assert evaluate(page, "navigator.clipboard.readText()") == key
    dialog(page).get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(programs(page).get_by_role("button", name="New key")).to_be_focused()

    programs(page).get_by_role("button", name="Copy the address").click()
    expect(page.get_by_text("The address was copied.")).to_be_visible()
    address = evaluate(page, "navigator.clipboard.readText()")
    expect(programs(page)).to_contain_text(address)
    row = programs(page).get_by_role("listitem")
    expect(row).to_contain_text("not used yet")
    assert models(address, key) == 200
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(row).to_contain_text("last used today")

    programs(page).get_by_role("button", name="Revoke “Editor”").click()
    question = page.get_by_role("dialog", name="Revoke the key “Editor”?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    assert models(address, key) == 200
    programs(page).get_by_role("button", name="Revoke “Editor”").click()
    question.get_by_role("button", name="Revoke", exact=True).click()
    expect(programs(page)).to_contain_text("There is no key")
    expect(programs(page).get_by_role("button", name="New key")).to_be_focused()
    assert models(address, key) == 401


def test_a_key_is_nowhere_once_its_sheet_is_closed(visitor, studio):
    page = opened(visitor)
    key = make(page, "Editor")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(programs(page).get_by_role("listitem")).to_have_count(1)
    assert key not in page.content()
    kept = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])")
    assert key not in kept
    assert key not in studio.ask("GET", "/keys").text + studio.ask("GET", "/diagnostics").text


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_press_beside_the_sheet_does_not_lose_a_new_key(visitor, size):
    page = opened(visitor, size=size)
    programs(page).get_by_role("button", name="New key").click()
    expect(dialog(page)).to_be_visible()
    page.mouse.click(4, 4)
    expect(page.get_by_role("dialog")).to_have_count(0)
    key = make(page, "Editor")
    page.mouse.click(4, 4)
    # A sheet that leaves is still there for a while.
    expect(page.locator("dialog.leaving")).to_have_count(0)
    expect(dialog(page).get_by_role("group", name="The key")).to_have_text(key)
    dialog(page).get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.expects_console("status of 409")
def test_a_key_needs_a_name_that_no_other_has(visitor, studio):
    studio.send("POST", "/keys", {"name": "Editor"})
    page = visitor.open("/settings/advanced")
    programs(page).get_by_role("button", name="New key").click()
    name = dialog(page).get_by_label("Name")
    dialog(page).get_by_role("button", name="Make the key").click()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    name.fill("Editor")
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("alert").filter(has_text="There is a key of that name already.")).to_be_visible()
    expect(dialog(page)).to_contain_text("Choose another name, or revoke that key first.")
    name.fill("Notes")
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("group", name="The key")).to_have_text(KEY)
    page.keyboard.press("Escape")
    expect(programs(page).get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("main")).to_match_aria_snapshot(TREE)


def test_a_key_that_a_command_makes_or_removes_is_followed(visitor, studio):
    page = opened(visitor)
    for name in ("..", "Notes / “drafts” + 100%"):
        done = studio.run("keys", "create", name)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() not in page.content()
    rows = programs(page).get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("..")
    assert studio.run("keys", "remove", "..").returncode == 0
    expect(rows).to_have_count(1)
    programs(page).get_by_role("button", name="Revoke “Notes").click()
    dialog(page).get_by_role("button", name="Revoke", exact=True).click()
    expect(programs(page)).to_contain_text("There is no key")
    assert studio.run("keys", "list", "--json").stdout.split() == ["[", "]"]


@pytest.mark.expects_console("status of 423")
def test_the_sheet_with_a_key_closes_when_the_library_is_locked(visitor, studio):
    studio.set_passcode("4071")
    page = opened(visitor)
    key = make(page, "Editor")
    studio.send("POST", "/lock")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert key not in page.content()


def test_a_key_is_no_wider_than_a_phone(visitor):
    page = opened(visitor, size=NARROW)
    make(page, "Editor")
    assert page.evaluate("document.querySelector('.key-text').scrollWidth <= document.querySelector('.key-text').clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
