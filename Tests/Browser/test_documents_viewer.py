"""FR5: a document is viewed as pages and as clean text, searched, and navigated by keyboard."""

import pytest
from playwright.sync_api import expect

from conftest import NARROW
from parts import dialog, expect_marked, expect_to_play, import_long, open_documents, rows
from places import boxes_of, evaluate, held_back, open_document, settle, wait_until


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_fr5_pages_are_seen_zoomed_and_gone_to(page):
    open_document("Pages")(page)
    expect(page.locator(".picture img").first).to_be_visible()
    percent = page.locator(".zoom-words")
    expect(percent).to_have_text("100 %")
    page.get_by_role("heading", name="Lighthouse").press("+")
    expect(percent).to_have_text("125 %")
    page.keyboard.press("-")
    expect(percent).to_have_text("100 %")
    page.get_by_role("button", name="Fit page").click()
    wait_until(page, "() => { const box = document.querySelector('.picture').getBoundingClientRect(); return box.height < innerHeight; }")
    page.get_by_role("textbox", name="Page").fill("5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="Page 5 of 6")).to_be_in_viewport()
    page.get_by_role("button", name="Contents").click()
    dialog(page).get_by_role("button", name="Morning").click()
    expect(page.get_by_role("img", name="Page 1 of 6")).to_be_in_viewport()
    expect(page.get_by_role("textbox", name="Page")).to_have_value("1")


@pytest.mark.parametrize("size", [NARROW, {"width": 360, "height": 740}], ids=["narrow", "small"])
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_on_a_phone_the_tools_of_a_document_are_two_rows(visitor, studio, size, language):
    document = studio.seed_documents()["Lighthouse"]
    page = visitor.open(f"/documents/{document}", size=size, language=language)
    expect(page.locator(".picture img").first).to_be_visible()
    settle(page)
    tools = page.locator(".page-head .page-actions > .button:not(.icon-only), .viewer-bar :is(.segments, .page-place, .search)")
    boxes = boxes_of(tools)
    assert len(boxes) == 5
    middles = sorted(box["y"] + box["height"] / 2 for box in boxes)
    assert sum(below - above > 8 for above, below in zip(middles, middles[1:])) == 1, boxes
    assert max(box["x"] + box["width"] for box in boxes) <= size["width"]
    title, more = page.get_by_role("heading", level=1).bounding_box(), page.locator(".page-actions > .icon-only").bounding_box()
    assert more["y"] < title["y"] + title["height"] and more["x"] > title["x"]


def test_on_a_phone_the_menu_of_a_document_has_the_tools_that_have_no_room_also_by_key(visitor, studio):
    document = studio.seed_documents()["Lighthouse"]
    page = visitor.open(f"/documents/{document}", size=NARROW)
    expect(page.locator(".picture img").first).to_be_visible()
    more = page.get_by_role("button", name="More for “Lighthouse”")
    more.press("Enter")
    items = page.get_by_role("menuitem")
    expect(items.locator(".menu-label").nth(0)).to_have_text("Contents")
    page.keyboard.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".zoom-words")).to_have_text("125 %")
    more.press("Enter")
    expect(page.get_by_role("menuitem", name="Larger")).to_contain_text("125 %")
    page.keyboard.press("Escape")
    for name, percent in (("Smaller", "100 %"), ("Fit page", None), ("Fit width", "100 %")):
        more.press("Enter")
        page.get_by_role("menuitem", name=name).press("Enter")
        if percent is not None:
            expect(page.locator(".zoom-words")).to_have_text(percent)
    more.press("Enter")
    page.get_by_role("menuitem", name="Contents").press("Enter")
    dialog(page).get_by_role("button", name="Morning").press("Enter")
    expect(page.get_by_role("img", name="Page 1 of 6")).to_be_in_viewport()
    page.locator(".viewer-bar").get_by_text("Text", exact=True).click()
    more.press("Enter")
    expect(page.get_by_role("menuitem", name="Contents")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Larger")).to_have_count(0)


def test_fr5_words_are_found_one_after_another(page):
    open_document("Text")(page)
    find = page.get_by_role("searchbox", name="Find in document")
    find.fill("keeper")
    expect(page.locator(".find-count")).to_have_text("1 of 6")
    expect_marked(page, "found-now", "keeper")
    find.press("Enter")
    expect(page.locator(".find-count")).to_have_text("2 of 6")
    page.get_by_role("button", name="Previous place").click()
    page.get_by_role("button", name="Previous place").click()
    expect(page.locator(".find-count")).to_have_text("6 of 6")
    find.fill("nowhere")
    expect(page.locator(".find-count")).to_have_text("Not found")


def test_fr5_the_clean_text_is_without_what_stands_on_every_page(page):
    open_document("Text")(page)
    expect(page.locator(".text-line").first).to_have_text("This is what stands on sheet 1 of the book.")
    expect(page.locator("echo-document-text")).not_to_contain_text("The Lighthouse")


def test_fr5_of_a_long_text_only_what_is_near_the_view_is_in_the_page(visitor, studio):
    file = studio.folder / "long.txt"
    file.write_text("\n\n".join(f"Paragraph {n} talks of the sea, and of the boats on it." for n in range(40_000)))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    expect(page.get_by_text("Paragraph 3 talks")).to_be_visible()
    count = "document.querySelectorAll('.text-line').length"
    assert page.evaluate(count) < 1_500
    page.get_by_role("searchbox", name="Find in document").fill("Paragraph 31234")
    expect(page.get_by_text("Paragraph 31234 talks")).to_be_in_viewport()
    assert page.evaluate(count) < 1_500
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.get_by_text("Paragraph 39999 talks")).to_be_in_viewport()
    assert page.evaluate(count) < 1_500


@pytest.mark.expects_console("status of 404")
def test_fr5_a_document_that_is_gone_is_told_of(visitor):
    page = visitor.open("/documents/nothing-like-it")
    expect(page.get_by_role("alert")).to_contain_text("There is no such document in the library.")
    page.get_by_role("alert").get_by_role("link", name="All documents").click()
    expect(page.get_by_text("No documents yet")).to_be_visible()


@pytest.mark.expects_console("status of 404")
def test_fr5_an_address_that_is_badly_escaped_leads_to_no_document(visitor):
    page = visitor.open("/documents/%E0%A4%A")
    expect(page.get_by_role("heading", name="The document is gone")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("There is no such document in the library.")


@pytest.mark.expects_console("ERR_CONNECTION_REFUSED")
def test_fr5_a_document_that_cannot_be_shown_does_not_take_the_place_of_the_list_that_was_returned_to(visitor):
    page = open_documents(visitor)
    held = []
    page.route("**/viewer/document-viewer.js", lambda route: held.append(route))
    page.locator(".row", has_text="Lighthouse").click()
    held_back(page, held)
    page.go_back()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/document-viewer.js")):
        held[0].abort("connectionrefused")
    evaluate(page, "new Promise(requestAnimationFrame)")
    expect(rows(page)).to_have_count(3)


@pytest.mark.expects_console("ERR_CONNECTION_REFUSED")
def test_fr5_from_a_document_that_cannot_be_shown_keys_lead_back_to_its_row(visitor):
    page = open_documents(visitor)
    page.route("**/viewer/document-viewer.js", lambda route: route.abort("connectionrefused"))
    row = page.locator(".row", has_text="Lighthouse")
    row.click()
    expect(page.get_by_role("alert").get_by_role("link", name="All documents")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_be_focused()


def test_fr5_a_document_is_opened_read_and_left_without_a_mouse(visitor):
    visitor.takes_time()
    page = open_documents(visitor)
    # The parts on every page are loaded after the shortcuts.
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.keyboard.press("/")
    page.keyboard.type("sheet 5")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lighthouse")).to_be_focused()
    expect_marked(page, "found-now", "sheet 5")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Find in document")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(rows(page).first).to_be_focused()


SOUND_IS_MADE = "() => fetch('/api/narrations').then((one) => one.json()).then(([one]) => one?.seconds > 0)"
NONE_LEFT = "() => fetch('/api/narrations').then((one) => one.json()).then((all) => all.length === 0)"


@pytest.fixture(params=["by itself", "in the batch"])
def spoken(visitor, studio, request):
    """Opens a document that is being spoken."""
    document = import_long(studio)
    if request.param == "by itself":
        studio.send("POST", f"/documents/{document}/narrations", {})
    else:
        studio.send("POST", "/batch", {"documents": [{"id": document}]})
    visitor.takes_time()
    page = visitor.open(f"/documents/{document}")
    expect(page.locator(".narration-strip")).to_contain_text("Reading “long” aloud")
    wait_until(page, SOUND_IS_MADE)
    return page


@pytest.mark.parametrize("language, listen, stops", [("en-GB", "Listen", "Stop"), ("et-EE", "Kuula", "Lõpeta")])
def test_on_a_phone_the_strip_of_a_document_being_read_is_seen_whole(visitor, studio, language, listen, stops):
    document = import_long(studio)
    studio.send("POST", f"/documents/{document}/narrations", {})
    page = visitor.open(f"/documents/{document}", size=NARROW, language=language)
    strip = page.locator(".narration-strip")
    expect(strip).to_contain_text("long")
    for name in (listen, stops):
        expect(strip.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    [box], [bar] = boxes_of(strip), boxes_of(strip.get_by_role("progressbar"))
    assert bar["left"] - box["left"] == box["right"] - bar["right"]
    assert strip.evaluate("(strip) => [strip, ...strip.querySelectorAll('p, button')].every((one) => one.scrollWidth <= one.clientWidth)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# The first place in the sound that the bar shows, in seconds.
FIRST_PLACE = """() => {
  const look = () => {
    window.firstPlace = Number(document.querySelector(".seek-range")?.value ?? 0);
    if (window.firstPlace === 0) requestAnimationFrame(look);
  };
  look();
}"""


def test_fr14_listening_to_a_document_being_read_is_offered_once_and_goes_on_where_it_stopped(visitor, studio):
    document = import_long(studio)
    narration = studio.send("POST", f"/documents/{document}/narrations", {})["id"]
    studio.send("PUT", f"/narrations/{narration}/place", {"seconds": 4})
    page = visitor.open(f"/documents/{document}")
    wait_until(page, "() => fetch('/api/narrations').then((one) => one.json()).then(([one]) => one?.seconds > 10)")
    strip = page.locator(".narration-strip")
    page.evaluate(FIRST_PLACE)
    strip.get_by_role("button", name="Listen").press("Enter")
    expect_to_play(page, 4)
    assert 4 <= page.evaluate("window.firstPlace") < 9
    expect(strip.get_by_role("button", name="Listen")).to_be_hidden()
    expect(strip.get_by_role("button", name="Stop")).to_be_focused()


def stop(page, choice):
    page.locator(".narration-strip").get_by_role("button", name="Stop").click()
    page.get_by_role("menuitem", name=choice).click()


def test_fr8_what_was_spoken_of_a_document_is_kept(spoken, studio):
    stop(spoken, "Keep what was spoken")
    expect(spoken.locator(".narration-strip")).to_be_hidden()
    expect(spoken.locator(".toast")).to_contain_text("Saved as “long” in the library.")
    assert studio.get("/narrations") == [] and studio.get("/library")["total"] == 1
    wait_until(spoken, "() => fetch('/api/batch').then((one) => one.json()).then(({ entries }) => entries.length === 0)")
    spoken.locator(".toast", has_text="Saved as “long”").get_by_role("button", name="Undo").click()
    spoken.locator(".toast", has_text="“long” was deleted.").get_by_role("button", name="Dismiss").click()
    wait_until(spoken, "() => fetch('/api/library').then((one) => one.json()).then(({ total }) => total === 0)")


def test_fr8_what_was_spoken_of_a_document_is_discarded_which_can_be_undone(spoken, studio):
    stop(spoken, "Discard what was spoken")
    expect(spoken.locator(".narration-strip")).to_be_hidden()
    spoken.locator(".toast", has_text="“long” was discarded.").get_by_role("button", name="Undo").click()
    assert [one["state"] for one in studio.get("/narrations")] == ["stopped"]


def test_fr8_what_was_discarded_of_a_document_is_gone_also_from_the_batch(spoken, studio):
    stop(spoken, "Discard what was spoken")
    spoken.locator(".toast", has_text="“long” was discarded.").get_by_role("button", name="Dismiss").click()
    wait_until(spoken, NONE_LEFT)
    wait_until(spoken, "() => fetch('/api/batch').then((one) => one.json()).then(({ entries }) => entries.length === 0)")
    assert studio.get("/library")["total"] == 0


@pytest.mark.expects_console("status of 404")
def test_fr8_a_document_that_was_spoken_to_its_end_before_it_could_be_left_is_no_failure(spoken, studio):
    spoken.locator(".narration-strip").get_by_role("button", name="Stop").click()
    [narration] = studio.get("/narrations")
    studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": True})
    spoken.evaluate("""() => {
      window.said = "";
      new MutationObserver(() => (window.said += document.querySelector(".toast")?.textContent ?? "")).observe(document.body, { childList: true, subtree: true });
    }""")
    with spoken.expect_response(lambda one: one.url.endswith("/stop") and one.status == 404):
        spoken.get_by_role("menuitem", name="Leave it, to be continued later").click()
    wait_until(spoken, "() => fetch('/api/narrations').then(({ ok }) => ok)")
    expect(spoken.locator(".narration-strip")).to_be_hidden()
    assert "unfinished" not in spoken.evaluate("window.said")


@pytest.mark.expects_console("status of 404")
def test_fr8_a_document_that_was_spoken_to_its_end_while_the_choice_stood_open_is_deleted(spoken, studio):
    spoken.locator(".narration-strip").get_by_role("button", name="Stop").click()
    [narration] = studio.get("/narrations")
    studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": True})
    spoken.get_by_role("menuitem", name="Discard what was spoken").click()
    toast = spoken.locator(".toast", has_text="“long” was deleted.")
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Dismiss").click()
    wait_until(spoken, "() => fetch('/api/library').then((one) => one.json()).then(({ total }) => total === 0)")
