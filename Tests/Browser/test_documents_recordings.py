"""UC14: a recording leads to its source document."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from parts import choose, dialog, expect_marked, expect_to_play, names, open_documents, rows
from places import wait_until


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_uc14_the_linked_document_opens_at_the_sentence_that_plays_and_follows_it(page, studio):
    book = studio.document("Lighthouse")
    studio.hear(studio.send("POST", f"/documents/{book}/narrations", {"selection": {"pages": "4-6"}})["id"])
    page.get_by_role("link", name="Library").click()
    expect(rows(page)).to_have_count(1)
    rows(page).click()
    expect_to_play(page)
    rows(page).click(button="right")
    page.get_by_role("menuitem", name="Linked document").click()
    expect(page.get_by_role("heading", name="Lighthouse")).to_be_visible()
    expect_marked(page, "spoken-sentence", "sheet 4")
    expect_marked(page, "spoken-sentence", "keeper climbed")
    page.get_by_text("This is what stands on sheet 6").click(position={"x": 4, "y": 8})
    expect_marked(page, "spoken-sentence", "sheet 6")


def test_uc14_a_linked_document_that_is_gone_is_told_of(visitor, studio):
    notes = studio.seed_documents()["Notes"]
    studio.hear(studio.send("POST", f"/documents/{notes}/narrations", {})["id"])
    studio.send("POST", "/documents/delete", {"ids": [notes]})
    visitor.expected.append("status of 404")
    page = visitor.open("/library")
    choose(page, "Notes", "Linked document")
    expect(page.get_by_role("alert")).to_contain_text("There is no such document in the library.")


def test_the_library_is_narrowed_to_what_comes_from_documents(visitor, studio):
    notes = studio.seed_documents()["Notes"]
    studio.hear(studio.send("POST", f"/documents/{notes}/narrations", {})["id"])
    studio.seed(1)
    page = visitor.open("/library")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Filter").click()
    dialog(page).get_by_text("From a document").click()
    page.get_by_role("button", name="Show 1 narration").click()
    expect(names(page)).to_have_text(["Notes"])


def test_more_info_leads_to_the_document_or_says_that_it_is_gone(visitor, studio):
    notes = studio.seed_documents()["Notes"]
    studio.hear(studio.send("POST", f"/documents/{notes}/narrations", {})["id"])
    page = visitor.open("/library")
    choose(page, "Notes", "More info")
    source = dialog(page).get_by_role("link", name="Notes")
    source.click()
    expect(page.get_by_role("heading", name="Notes")).to_be_visible()
    studio.send("POST", "/documents/delete", {"ids": [notes]})
    visitor.expected.append("status of 404")
    page.get_by_role("link", name="Library").click()
    choose(page, "Notes", "More info")
    expect(dialog(page)).to_contain_text("It was deleted. The narration stays.")


def test_a_document_is_listened_to_by_one_press_and_not_read_twice(visitor, studio):
    file = studio.folder / "quay.txt"
    file.write_text("The harbour was quiet. One lamp burned.")
    page = visitor.open(f"/documents/{studio.import_document(file)}")
    listen = page.locator("#main header").get_by_role("button", name="Listen", exact=True)
    ordered = []
    page.on("request", lambda one: ordered.append(one.url) if one.method == "POST" and one.url.endswith("/narrations") else None)
    listen.dblclick()
    expect_to_play(page)
    wait_until(page, "() => fetch('/api/library').then((one) => one.json()).then(({ items }) => items.length === 1)")
    with page.expect_response(re.compile(r"/api/library\?.*document=")):
        listen.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="All documents").click()
    row = page.locator(".row", has_text="quay")
    row.hover()
    with page.expect_response(re.compile(r"/api/library\?.*document=")):
        row.get_by_role("button", name="Listen to “quay”").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(studio.get("/library")["items"]) == 1
    assert len(ordered) == 1


def test_a_document_follows_what_became_a_recording_before_the_page_asked_for_it(visitor, studio):
    file = studio.folder / "lamp.txt"
    file.write_text("One lamp burned in the harbour. " * 40)
    page = visitor.open(f"/documents/{studio.import_document(file)}")

    def ask_at_its_end(route):
        for narration in studio.get("/narrations") if route.request.method == "GET" else []:
            studio.hear(narration["id"])
        route.continue_()

    page.route(re.compile("/api/narrations(/[0-9a-f-]{36})?$"), ask_at_its_end)
    page.locator("#main header").get_by_role("button", name="Listen", exact=True).click()
    expect_marked(page, "spoken-sentence", "One lamp burned in the harbour.")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_listen_is_in_the_row_of_a_document_also_without_a_pointer_over_it(visitor, studio, size):
    studio.seed_documents()
    page = visitor.open("/documents", size=size)
    listen = page.get_by_role("button", name="Listen to “Lighthouse”")
    page.mouse.move(0, 0)
    expect(listen).to_be_in_viewport(ratio=1)
    expect(listen).to_have_css("opacity", "1")
    expect(page.locator(".row-actions", has=listen)).to_have_css("opacity", "1")
    listen.click()
    expect_to_play(page)


def listen_to(page, name: str) -> None:
    row = page.locator(".row", has_text=name)
    row.hover()
    row.get_by_role("button", name=f"Listen to “{name}”").click()


def test_a_document_is_listened_to_chapter_after_chapter_from_where_it_stopped(visitor, studio):
    book = studio.seed_documents()["Lighthouse"]
    # The newest is the first chapter, and before both a single page was tried.
    for selection in ({"pages": "5"}, {"chapters": "2"}, {"chapters": "1"}):
        studio.hear(studio.send("POST", f"/documents/{book}/narrations", {"selection": selection})["id"])
    page = visitor.open("/documents")
    bar = page.locator("echo-player-bar")
    listen_to(page, "Lighthouse")
    expect(bar).to_contain_text("Lighthouse – Morning")
    expect_to_play(page)
    bar.get_by_role("button", name="Next", exact=True).click()
    expect(bar).to_contain_text("Lighthouse – Evening")
    expect_to_play(page)
    expect(bar.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    bar.get_by_role("button", name="Pause").click()
    listen_to(page, "Lighthouse")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    expect(bar).to_contain_text("Lighthouse – Evening")
    assert studio.get("/narrations") == []
    assert studio.get("/library")["total"] == 3


def test_a_document_is_not_read_again_while_the_rest_of_it_is_in_the_batch(visitor, studio):
    book = studio.seed_documents()["Lighthouse"]
    studio.hear(studio.send("POST", f"/documents/{book}/narrations", {"selection": {"pages": "1"}})["id"])
    page = visitor.open("/documents")
    waiting = {"id": 1, "number": 1, "document": book, "part": "pages 2–6", "name": "Lighthouse", "state": "waiting"}
    entry = {**waiting, "narration": None, "failure": None, "unspoken": []}
    batch = {"entries": [entry], "total": 1, "done": 0, "failed": 0, "current": 1, "isRunning": True, "isFinished": False}
    page.route("**/api/batch", lambda route: route.fulfill(json={**batch, "failure": None}))
    listen_to(page, "Lighthouse")
    expect(page.locator("echo-player-bar")).to_contain_text("Lighthouse – page 1")
    expect_to_play(page)
    assert studio.get("/narrations") == []
    assert studio.get("/library")["total"] == 1


def test_a_document_of_which_a_page_was_tried_is_read_whole_and_then_played_whole(visitor, studio):
    book = studio.seed_documents()["Lighthouse"]
    tried = studio.send("POST", f"/documents/{book}/narrations", {"selection": {"pages": "5"}})["id"]
    studio.hear(tried)
    page = visitor.open("/documents")
    bar = page.locator("echo-player-bar")
    with page.expect_response(lambda one: one.request.method == "POST" and one.url.endswith(f"/documents/{book}/narrations")) as asked:
        listen_to(page, "Lighthouse")
    whole = asked.value.json()["id"]
    expect_to_play(page)
    studio.hear(whole)
    assert "sheet 1" in studio.get(f"/library/{whole}/text")["text"]
    assert "sheet 6" in studio.get(f"/library/{whole}/text")["text"]
    # A page that is tried later does not stand for the document either.
    studio.hear(studio.send("POST", f"/documents/{book}/narrations", {"selection": {"pages": "2"}})["id"])
    page.reload()
    listen_to(page, "Lighthouse")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    expect(bar).to_contain_text("Lighthouse")
    expect(bar).not_to_contain_text("– page")
    assert studio.get("/library")["total"] == 3
