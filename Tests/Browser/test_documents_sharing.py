"""UC18: documents and their recordings are exported."""

import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from parts import choose, dialog, open_documents


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_uc18_the_file_is_taken_out_as_it_was_imported(page, studio):
    choose(page, "Lighthouse", "Share or export")
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == "Lighthouse.pdf"
    assert waiting.value.path().read_bytes() == (studio.folder / "files" / "Lighthouse.pdf").read_bytes()


def test_uc18_what_was_spoken_of_a_document_is_taken_out_in_chapters(page, studio):
    harbour = studio.document("Harbour")
    studio.hear(studio.send("POST", f"/documents/{harbour}/narrations", {})["id"])
    choose(page, "Harbour", "Share or export")
    dialog(page).get_by_role("button", name="Export").click()
    dialog(page).get_by_text("One file for each chapter").click()
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name="Download").click()
    assert waiting.value.path().read_bytes().startswith(b"PK")


def test_uc18_of_many_recordings_all_are_listed_step_by_step(page, studio):
    harbour = studio.document("Harbour")
    studio.hear(studio.send("POST", f"/documents/{harbour}/narrations", {})["id"])
    [item] = studio.get(f"/library?document={harbour}")["items"]

    def answer(route):
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(route.request.url).query))
        first = int(asked["offset"]) + 1
        last = min(first + int(asked["limit"]) - 1, 250)
        items = [item | {"name": f"Chapter {number}"} for number in range(first, last + 1)]
        route.fulfill(json={"items": items, "total": 250, "unreadable": 0})

    page.route(re.compile(r"/api/library\?.*document="), answer)
    choose(page, "Harbour", "Share or export")
    listed = dialog(page).locator(".share-list li")
    expect(listed).to_have_count(200)
    more = dialog(page).get_by_role("button", name="Show more")
    more.press("Enter")
    expect(listed).to_have_count(250)
    expect(more).to_be_hidden()
    expect(listed.nth(200).get_by_role("button", name="Export")).to_be_focused()
    expect(listed.last).to_contain_text("Chapter 250")
