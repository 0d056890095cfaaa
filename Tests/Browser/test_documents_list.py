"""UC20–UC22: documents are found, sorted, renamed and deleted."""

import datetime

import pytest
from playwright.sync_api import expect

from parts import choose, dialog, expect_marked, names, open_documents, rename, rows, select_rows


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_uc20_a_document_is_renamed_in_place(page, studio):
    field = rename(page, "Harbour", "The harbour at noon")
    expect(names(page)).to_have_text(["Notes", "The harbour at noon", "Lighthouse"])
    rows(page).nth(1).focus()
    page.keyboard.press("F2")
    field.fill("Not kept")
    field.press("Escape")
    assert "The harbour at noon" in [one["name"] for one in studio.get("/documents")["documents"]]


@pytest.mark.expects_console("status of 422")
def test_uc20_a_name_that_cannot_be_is_refused_and_the_old_one_kept(page):
    field = rename(page, "Harbour", "a\u202eb")
    expect(page.locator(".name-error")).to_contain_text("without control characters")
    field.press("Escape")
    expect(names(page)).to_have_text(["Notes", "Harbour", "Lighthouse"])


def test_uc21_a_document_is_deleted_when_it_is_confirmed_and_its_audio_stays(page, studio):
    notes = studio.document("Notes")
    narration = studio.send("POST", f"/documents/{notes}/narrations", {})
    studio.hear(narration["id"])
    choose(page, "Notes", "Delete")
    expect(dialog(page)).to_contain_text("Delete “Notes”?")
    expect(dialog(page)).to_contain_text("Narrations of it stay in the library.")
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(rows(page)).to_have_count(3)
    choose(page, "Notes", "Delete")
    dialog(page).get_by_role("button", name="Delete").click()
    expect(names(page)).to_have_text(["Harbour", "Lighthouse"])
    assert studio.get("/library")["total"] == 1


def test_uc21_ctrl_z_brings_back_no_document_whose_deletion_was_confirmed_but_a_recording_that_can_be(visitor, studio):
    studio.seed(1)
    visitor.takes_time()
    page = open_documents(visitor)
    choose(page, "Notes", "Delete")
    dialog(page).get_by_role("button", name="Delete").click()
    expect(names(page)).to_have_text(["Harbour", "Lighthouse"])
    rows(page).first.focus()
    page.keyboard.press("Control+z")
    page.get_by_role("link", name="Library").click()
    expect(names(page)).to_have_text(["Recording 1"])
    choose(page, "Recording 1", "Delete")
    expect(names(page)).to_have_count(0)
    page.get_by_role("link", name="Documents").click()
    expect(names(page)).to_have_text(["Harbour", "Lighthouse"])
    rows(page).first.focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".toast")).to_have_count(0)
    page.get_by_role("link", name="Library").click()
    expect(names(page)).to_have_text(["Recording 1"])
    assert studio.get("/documents")["total"] == 2


def test_uc21_several_are_deleted_at_once(page, studio):
    select_rows(page, 0, 2)
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
    expect(page.get_by_text("Nothing found")).to_be_visible()
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
    dialog(page).get_by_text("EPUB", exact=True).click()
    expect(names(page)).to_have_text(["Harbour"])
    dialog(page).get_by_role("button", name="Show 1 document").click()
    page.get_by_role("button", name="Remove filter: EPUB").click()
    expect(rows(page)).to_have_count(3)


def test_04_2_documents_are_filtered_by_pages_date_and_language(page, studio):
    letter = studio.folder / "Brief.txt"
    letter.write_text("Es war am 3. Oktober, und die Leute kamen um acht Uhr.\n")
    studio.import_document(letter)
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Filter").click()
    sheet = dialog(page)
    sheet.get_by_label("Number of pages: From").fill("6")
    expect(names(page)).to_have_text(["Lighthouse"])
    sheet.get_by_role("button", name="Clear all").click()
    expect(rows(page)).to_have_count(4)
    sheet.get_by_role("combobox", name="Language").select_option(label="German")
    expect(names(page)).to_have_text(["Brief"])
    sheet.get_by_role("button", name="Show 1 document").click()
    page.get_by_role("button", name="Remove filter: German").click()
    expect(rows(page)).to_have_count(4)
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)
    page.get_by_role("button", name="Filter").click()
    dates = sheet.get_by_role("group", name="Imported")
    dates.get_by_label("From").fill(tomorrow.isoformat())
    expect(page.get_by_text("No document matches these filters.")).to_be_attached()
    dates.get_by_text("Today", exact=True).click()
    expect(rows(page)).to_have_count(4)
