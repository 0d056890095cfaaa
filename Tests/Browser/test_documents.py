"""UC14, UC18–UC22, FR4–FR6: documents are imported, found, looked at, chosen from, spoken and taken out."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from documents import lighthouse, locked_pdf, shelf
from places import open_choice, open_document, open_preview, wait_until
from test_speak import drop, expect_to_play


@pytest.fixture
def page(visitor, studio):
    """A PDF of six pages, an EPUB of two chapters and a text; the last imported comes first."""
    studio.seed_documents()
    page = visitor.open("/documents")
    expect(rows(page)).to_have_count(3)
    return page


def rows(page: Page):
    return page.locator("echo-rows .row")


def names(page: Page):
    return page.locator("echo-rows .row-title")


def choose(page: Page, document: str, what: str) -> None:
    """From the menu of a document."""
    page.locator(".row", has_text=document).click(button="right")
    page.get_by_role("menuitem", name=what).click()


def dialog(page: Page):
    return page.get_by_role("dialog").last


def marked(page: Page, highlight: str) -> str:
    return page.evaluate("(name) => [...(CSS.highlights.get(name) ?? [])].map(String).join(' | ')", highlight)


def expect_marked(page: Page, highlight: str, text: str) -> None:
    wait_until(page, "([name, text]) => [...(CSS.highlights.get(name) ?? [])].join(' ').includes(text)", [highlight, text])


# Import


def test_uc19_files_are_picked_and_imported(visitor, tmp_path):
    page = visitor.open("/documents")
    expect(page.get_by_text("No documents yet")).to_be_visible()
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Import").click()
    asked.value.set_files(list(shelf(tmp_path).values()))
    expect(names(page)).to_have_text(["Notes", "Harbour", "Lighthouse"])
    expect(page.locator(".toast")).to_contain_text("3 documents were imported.")
    expect(rows(page).nth(2)).to_contain_text("6 pages")
    expect(rows(page).nth(2).locator("img")).to_be_visible()


@pytest.mark.expects_console("status of 422")
def test_fr4_files_are_dropped_on_any_page_and_a_bad_one_does_not_keep_the_others(visitor, tmp_path):
    files = shelf(tmp_path)
    bad = tmp_path / "broken.pdf"
    bad.write_bytes(lighthouse()[:400])
    page = visitor.open("/settings/display")
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    drop(page, bad, *files.values())
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    expect(names(page)).to_have_text(["Notes", "Harbour", "Lighthouse"])
    refused = page.locator(".import")
    expect(refused).to_contain_text("broken.pdf")
    expect(refused).to_contain_text("This file is damaged.")
    expect(refused).to_contain_text("Get the file once more from where it came from.")
    page.get_by_role("button", name="Dismiss all").click()
    expect(refused).to_have_count(0)


@pytest.mark.expects_console("status of 422")
def test_fr4_a_password_is_asked_for_until_it_opens_the_document(visitor, studio, tmp_path):
    file = tmp_path / "contract.pdf"
    file.write_bytes(locked_pdf([["Head", f"Nobody else may read sentence {n}.", str(n)] for n in (1, 2)], "open sesame"))
    page = visitor.open("/documents")
    page.locator("input[type=file]").first.set_input_files(file)
    field = page.get_by_label("Password of contract.pdf")
    expect(page.locator(".import")).to_contain_text("This document asks for a password.")
    field.fill("wrong")
    field.press("Enter")
    expect(page.locator(".import")).to_contain_text("That password does not open this document.")
    field.fill("open sesame")
    field.press("Enter")
    expect(names(page)).to_have_text(["contract"])
    expect(page.locator(".import")).to_have_count(0)
    page.locator(".row").click()
    page.get_by_label("Password, to see the pages").fill("open sesame")
    page.get_by_role("button", name="Show pages").click()
    expect(page.locator(".picture img").first).to_be_visible()
    page.locator(".page-head").get_by_role("button", name="Generate…").click()
    dialog(page).get_by_text("Single pages", exact=True).click()
    expect(page.locator(".grid-picture img")).to_have_count(2)


@pytest.mark.expects_console("status of 409")
def test_fr4_a_file_that_is_there_already_is_kept_again_only_when_that_is_wanted(page, studio):
    file = studio.folder / "files" / "Notes.txt"
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.locator(".import")).to_contain_text("This very file is there already.")
    page.get_by_role("button", name="Import again").click()
    expect(rows(page)).to_have_count(4)


# The list


def test_uc20_a_document_is_renamed_in_place(page, studio):
    choose(page, "Harbour", "Rename")
    field = page.get_by_label("Name of the document")
    field.fill("The harbour at noon")
    field.press("Enter")
    expect(names(page)).to_have_text(["Notes", "The harbour at noon", "Lighthouse"])
    rows(page).nth(1).focus()
    page.keyboard.press("F2")
    field.fill("Not kept")
    field.press("Escape")
    assert "The harbour at noon" in [one["name"] for one in studio.get("/documents")["documents"]]


@pytest.mark.expects_console("status of 422")
def test_uc20_a_name_that_cannot_be_is_refused_and_the_old_one_kept(page):
    choose(page, "Harbour", "Rename")
    field = page.get_by_label("Name of the document")
    field.fill("x" * 3_000)
    field.press("Enter")
    expect(page.locator(".name-error")).to_contain_text("That name cannot be used.")
    field.press("Escape")
    expect(names(page)).to_have_text(["Notes", "Harbour", "Lighthouse"])


def test_uc21_a_document_is_deleted_when_it_is_confirmed_and_its_audio_stays(page, studio):
    [notes] = [one["id"] for one in studio.get("/documents")["documents"] if one["name"] == "Notes"]
    narration = studio.send("POST", f"/documents/{notes}/narrations", {})
    studio.hear(narration["id"])
    choose(page, "Notes", "Delete")
    expect(dialog(page)).to_contain_text("Delete “Notes”?")
    expect(dialog(page)).to_contain_text("Recordings made from it stay in the library.")
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(rows(page)).to_have_count(3)
    choose(page, "Notes", "Delete")
    dialog(page).get_by_role("button", name="Delete").click()
    expect(names(page)).to_have_text(["Harbour", "Lighthouse"])
    assert studio.get("/library")["total"] == 1


def test_uc21_several_are_deleted_at_once(page, studio):
    page.get_by_role("button", name="Select", exact=True).click()
    rows(page).nth(0).click()
    rows(page).nth(2).click()
    expect(page.locator(".selection-count")).to_have_text("2 selected")
    page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
    expect(dialog(page)).to_contain_text("Delete 2 documents?")
    dialog(page).get_by_role("button", name="Delete").click()
    expect(names(page)).to_have_text(["Harbour"])
    assert studio.get("/documents")["total"] == 1


def test_uc22_names_and_texts_are_searched(page):
    page.get_by_role("searchbox").fill("albatross")
    expect(names(page)).to_have_text(["Notes"])
    expect(page.locator(".row mark")).to_have_text("albatross")
    page.get_by_role("searchbox").fill("harb")
    expect(names(page)).to_have_text(["Harbour"])
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("No results found")).to_be_visible()
    page.get_by_role("button", name="Show all documents").click()
    expect(rows(page)).to_have_count(3)


def test_uc22_what_was_found_is_opened_where_it_stands(page):
    page.get_by_role("searchbox").fill("albatross")
    expect(rows(page)).to_have_count(1)
    rows(page).click()
    expect(page.get_by_role("heading", name="Notes")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("albatross")
    expect_marked(page, "found-now", "albatross")


def test_documents_are_sorted_and_filtered_by_kind(page):
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Name, A to Z").click()
    expect(names(page)).to_have_text(["Harbour", "Lighthouse", "Notes"])
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("menuitemradio", name="EPUB").click()
    expect(names(page)).to_have_text(["Harbour"])
    page.get_by_role("button", name="Remove filter: EPUB").click()
    expect(rows(page)).to_have_count(3)


def test_uc18_the_file_is_taken_out_as_it_was_imported(page, studio):
    choose(page, "Lighthouse", "Share or export")
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == "Lighthouse.pdf"
    assert waiting.value.path().read_bytes() == (studio.folder / "files" / "Lighthouse.pdf").read_bytes()


def test_uc18_what_was_spoken_of_a_document_is_taken_out_in_chapters(page, studio):
    [harbour] = [one["id"] for one in studio.get("/documents")["documents"] if one["name"] == "Harbour"]
    studio.hear(studio.send("POST", f"/documents/{harbour}/narrations", {})["id"])
    choose(page, "Harbour", "Share or export")
    dialog(page).get_by_role("button", name="Export").click()
    dialog(page).get_by_text("One file for each chapter").click()
    with page.expect_download() as waiting:
        dialog(page).get_by_role("button", name="Download").click()
    assert waiting.value.path().read_bytes().startswith(b"PK")


# The viewer


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
    file.write_text("\n\n".join(f"Paragraph {n} tells of the sea, and of the boats on it." for n in range(40_000)))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    expect(page.get_by_text("Paragraph 3 tells")).to_be_visible()
    count = "document.querySelectorAll('.text-line').length"
    assert page.evaluate(count) < 1_500
    page.get_by_role("searchbox", name="Find in document").fill("Paragraph 31234")
    expect(page.get_by_text("Paragraph 31234 tells")).to_be_in_viewport()
    assert page.evaluate(count) < 1_500
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.get_by_text("Paragraph 39999 tells")).to_be_in_viewport()
    assert page.evaluate(count) < 1_500


@pytest.mark.expects_console("status of 404")
def test_fr5_a_document_that_is_gone_is_told_of(visitor):
    page = visitor.open("/documents/nothing-like-it")
    expect(page.get_by_role("alert")).to_contain_text("That document is not there any more.")
    page.get_by_role("alert").get_by_role("link", name="All documents").click()
    expect(page.get_by_text("No documents yet")).to_be_visible()


@pytest.mark.expects_console("status of 404")
def test_fr5_an_address_that_is_badly_escaped_leads_to_no_document(visitor):
    page = visitor.open("/documents/%E0%A4%A")
    expect(page.get_by_role("heading", name="The document is gone")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("That document is not there any more.")


def test_fr5_a_document_is_opened_read_and_left_without_a_mouse(page):
    # What stands beside every page comes after the shortcuts.
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


# Choosing


def test_a_range_of_pages_is_chosen_and_remembered(page, studio):
    open_choice("Range")(page)
    dialog(page).get_by_label("From", exact=True).select_option("2")
    dialog(page).get_by_label("To", exact=True).select_option("4")
    expect(page.locator(".choice-totals")).to_have_text("3 of 6 pages: 2–4")
    dialog(page).get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert item["document"]["selection"] == {"pages": "2-4"}
    assert "sheet 3" in studio.get(f"/library/{item['id']}/text")["text"]
    assert "sheet 5" not in studio.get(f"/library/{item['id']}/text")["text"]
    page.get_by_role("button", name="Generate…").click()
    expect(dialog(page).get_by_label("From", exact=True)).to_have_value("2")


def test_single_pages_are_ticked_by_mouse_and_keyboard(page):
    open_choice("Single pages")(page)
    expect(page.locator(".choice-totals")).to_have_text("2 of 6 pages: 2–3")
    page.get_by_role("option", name="page 3").click()
    page.get_by_role("option", name="page 2").click()
    expect(page.locator(".choice-totals")).to_have_text("0 of 6 pages")
    expect(dialog(page).get_by_role("button", name="Generate", exact=True)).to_be_disabled()
    page.get_by_role("option", name="page 2").click()
    grid = page.get_by_role("listbox", name="Pages to speak")
    grid.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".choice-totals")).to_have_text("2 of 6 pages: 2, 4")
    page.keyboard.press("Control+a")
    expect(page.locator(".choice-totals")).to_have_text("All 6 pages")
    dialog(page).get_by_role("button", name="None").click()
    expect(page.locator(".choice-totals")).to_have_text("0 of 6 pages")
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_pictures_of_pages_that_are_left_are_not_waited_for(visitor, studio):
    file = studio.folder / "long.pdf"
    file.write_bytes(lighthouse(120))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    page.locator(".viewer-bar").get_by_text("Text", exact=True).click()
    first = re.compile(r"/picture\?page=1&width=160$")
    page.route(first, lambda route: None)
    page.locator(".page-head").get_by_role("button", name="Generate…").click()
    with page.expect_request(first):
        dialog(page).get_by_text("Single pages", exact=True).click()
    with page.expect_event("requestfailed", lambda request: first.search(request.url)):
        page.get_by_role("listbox", name="Pages to speak").press("End")
    expect(page.get_by_role("option", name="page 120").locator("img")).to_be_visible()
    expect(page.locator(".grid-cell")).not_to_have_count(120)


def test_each_chapter_becomes_a_recording(page, studio):
    choose(page, "Harbour", "Generate")
    dialog(page).get_by_text("Chapters", exact=True).click()
    for chapter in ("Arrival", "Tea"):
        dialog(page).get_by_text(chapter, exact=True).click()
    dialog(page).get_by_text("One recording for each chapter").click()
    dialog(page).get_by_role("button", name="Generate", exact=True).click()
    expect(page.get_by_text("2 recordings will be made")).to_be_visible()
    page.get_by_role("link", name="Library").click()
    expect(rows(page)).to_have_count(2)
    assert sorted(item["document"]["part"] for item in studio.get("/library")["items"]) == ["Arrival", "Tea"]


def test_what_is_left_out_is_struck_through_and_put_back_by_one_press(page, studio):
    open_preview(page)
    struck = page.locator(".cut.struck", has_text="The Lighthouse")
    count = struck.count()
    page.get_by_role("button", name="Speak this: page header").first.click()
    expect(struck).to_have_count(count - 1)
    expect(page.locator(".cut.restored")).to_have_text("The Lighthouse")
    expect(page.get_by_role("button", name="Leave this out: page header")).to_be_focused()
    [lighthouse_] = [one["id"] for one in studio.get("/documents")["documents"] if one["name"] == "Lighthouse"]
    assert len(studio.get(f"/documents/{lighthouse_}/selection")["putBack"]) == 1
    page.get_by_text("Page numbers (6)").click()
    expect(page.locator(".cut.restored")).to_have_count(7)


def test_what_is_pressed_quickly_and_left_at_once_is_kept(page, studio):
    open_preview(page)
    [lighthouse_] = [one["id"] for one in studio.get("/documents")["documents"] if one["name"] == "Lighthouse"]
    held = []

    def hold_the_first(route: Route) -> None:
        if held or "putBack" not in route.request.post_data_json["selection"]:
            route.continue_()
        else:
            held.append(route)

    page.route("**/preview", hold_the_first)
    back = page.get_by_role("button", name="Speak this: page header")
    with page.expect_request(lambda one: one.url.endswith("/preview") and "putBack" in one.post_data_json["selection"]):
        back.nth(0).click()
    back.nth(1).click()
    dialog(page).get_by_role("button", name="Done").click()
    expect(page.locator(".preview-sheet")).to_have_count(0)
    with page.expect_response(lambda one: one.request.method == "PUT" and len(one.request.post_data_json["putBack"]) == 2):
        held[0].continue_()
    assert len(studio.get(f"/documents/{lighthouse_}/selection")["putBack"]) == 2


@pytest.mark.expects_console("status of 422")
def test_a_cut_that_is_refused_is_told_of_and_not_kept(page):
    open_preview(page)
    page.route("**/preview", lambda route: route.fulfill(status=422, json={"code": "web.bad-request", "message": "No."}))
    chip = page.get_by_role("checkbox", name="Page numbers (6)")
    page.get_by_text("Page numbers (6)").click()
    expect(page.locator(".preview-sheet").get_by_role("alert")).to_be_visible()
    expect(chip).not_to_be_checked()
    page.unroute("**/preview")
    page.get_by_text("Page numbers (6)").click()
    expect(page.locator(".cut.restored")).to_have_count(6)
    expect(chip).to_be_checked()


def test_words_that_are_selected_are_left_out(page, studio):
    open_preview(page)
    page.locator(".preview-sheet .text-line", has_text="sheet 2").dblclick(position={"x": 5, "y": 8})
    page.get_by_role("button", name="Leave out the selected words").click()
    expect(page.locator(".cut.struck", has_text="This")).to_be_visible()
    page.get_by_role("button", name="Speak this: left out by you").click()
    expect(page.locator(".cut.struck", has_text="This")).to_have_count(0)


# Batch


def test_fr6_a_batch_counts_in_the_header_of_every_page_and_names_what_failed(page, studio):
    [notes] = [one["id"] for one in studio.get("/documents")["documents"] if one["name"] == "Notes"]
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    # A choice that the document has not: this one fails, the others do not.
    studio.send("PUT", f"/documents/{notes}/selection", {"leftOut": [[0, 1_000]]})
    page.get_by_role("toolbar").get_by_role("button", name="Generate audio of each").click()
    expect(page.get_by_text("3 recordings will be made")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text("1 document could not be spoken")
    counter.click()
    expect(dialog(page)).to_contain_text("2 of 3 done, 1 failed")
    failed = dialog(page).locator(".batch-entry[data-state=failed]")
    expect(failed).to_contain_text("Notes")
    expect(failed.locator(".batch-reason")).not_to_be_empty()
    failed.get_by_role("button", name="Dismiss “Notes”").click()
    expect(failed).to_have_count(0)
    dialog(page).get_by_role("button", name="Close").click()
    expect(counter).to_be_hidden()
    assert studio.get("/library")["total"] == 2


def test_fr6_the_rest_of_a_batch_is_cancelled(visitor, studio):
    ids = []
    for name in ("long", "longer"):
        file = studio.folder / f"{name}.txt"
        file.write_text("\n\n".join(f"Paragraph {n} of the {name} one tells of the sea." for n in range(4_000)))
        ids.append(studio.import_document(file))
    studio.send("POST", "/batch", {"documents": [{"id": one} for one in ids]})
    page = visitor.open("/speak")
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text("Speaking 1 of 2")
    counter.click()
    dialog(page).get_by_role("button", name="Cancel the rest").click()
    dialog(page).get_by_role("button", name="Cancel the rest").click()
    expect(page.get_by_role("dialog", name="Batch")).to_contain_text("Nothing is in the batch.")
    page.keyboard.press("Escape")
    expect(counter).to_be_hidden()


# From the library


def test_uc14_the_linked_document_opens_at_the_sentence_that_plays_and_follows_it(page, studio):
    [lighthouse_] = [one["id"] for one in studio.get("/documents")["documents"] if one["name"] == "Lighthouse"]
    studio.hear(studio.send("POST", f"/documents/{lighthouse_}/narrations", {"selection": {"pages": "4-6"}})["id"])
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
    expect(page.get_by_role("alert")).to_contain_text("That document is not there any more.")


def test_the_library_is_narrowed_to_what_comes_from_documents(visitor, studio):
    notes = studio.seed_documents()["Notes"]
    studio.hear(studio.send("POST", f"/documents/{notes}/narrations", {})["id"])
    studio.seed(1)
    page = visitor.open("/library")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Filter").click()
    dialog(page).get_by_text("From a document").click()
    page.get_by_role("button", name="Show 1 recording").click()
    expect(names(page)).to_have_text(["Notes"])


def test_nothing_of_the_documents_is_brought_before_the_first_page_stands(visitor):
    page = visitor.context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(visitor.studio.new_address())
    page.get_by_label("Text to speak").wait_for()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    early = page.evaluate(
        "(ready) => performance.getEntriesByType('resource').filter((one) => one.startTime < ready).map((one) => one.name)", ready
    )
    assert [name for name in early if "/pages/documents" in name or "documents.css" in name] == []
