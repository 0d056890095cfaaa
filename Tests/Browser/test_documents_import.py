"""UC19, FR4: files become documents; a refused file is reported, and the others continue."""

import re

import pytest
from playwright.sync_api import expect

import tones
from documents import lighthouse, locked_pdf, pdf, samples
from parts import dialog, drop, names, open_documents, rows
from places import evaluate, wait_until


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_uc19_files_are_picked_and_imported(visitor, tmp_path):
    page = visitor.open("/documents")
    expect(page.get_by_text("No documents yet")).to_be_visible()
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Import").click()
    asked.value.set_files(list(samples(tmp_path).values()))
    expect(names(page)).to_have_text(["Notes", "Harbour", "Lighthouse"])
    expect(page.locator(".toast")).to_contain_text("3 documents were imported.")
    expect(rows(page).nth(2)).to_contain_text("6 pages")
    expect(rows(page).nth(2).locator("img")).to_be_visible()


def test_sound_chosen_among_the_documents_goes_to_the_recordings(visitor, tmp_path):
    sound = tones.write_phrases(tmp_path / "interview", ["good", "mor", "ning"])
    page = visitor.open("/documents")
    page.locator("input[type=file]").first.set_input_files(sound)
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_visible()
    expect(names(page)).to_have_text(["interview"])


@pytest.mark.expects_console("status of 422")
def test_fr4_files_are_dropped_on_any_page_and_a_bad_one_does_not_keep_the_others(visitor, tmp_path):
    files = samples(tmp_path)
    bad = tmp_path / "broken.pdf"
    bad.write_bytes(lighthouse()[:400])
    page = visitor.open("/settings/display")
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    drop(page, bad, *files.values())
    dialog(page).get_by_role("button", name="Keep as a document").click()
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    expect(names(page)).to_have_text(["Notes", "Harbour", "Lighthouse"])
    refused = page.locator(".import")
    expect(refused).to_contain_text("broken.pdf")
    expect(refused).to_contain_text("This PDF file is damaged.")
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
    reported = page.get_by_role("alert").filter(has_text="That password does not open this document.")
    expect(reported).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("open sesame")
    field.press("Enter")
    expect(names(page)).to_have_text(["contract"])
    expect(page.locator(".import")).to_have_count(0)
    page.locator(".row").click()
    again = page.get_by_label("Password, to see the pages")
    again.fill("wrong")
    again.press("Enter")
    expect(page.locator(".viewer .import-answers").get_by_role("alert")).to_have_text("That password does not open this document.")
    expect(again).to_be_focused()
    again.fill("open sesame")
    page.get_by_role("button", name="Show pages").click()
    expect(page.locator(".picture img").first).to_be_visible()
    page.locator(".page-head").get_by_role("button", name="Choose what to read…").click()
    dialog(page).get_by_text("Single pages", exact=True).click()
    expect(page.locator(".grid-picture img")).to_have_count(2)


def test_fr4_what_was_left_out_of_a_document_is_told_with_all_its_pages(page, tmp_path):
    file = tmp_path / "Scan.pdf"
    file.write_bytes(pdf([["Head", "The keeper sleeps in the tower.", "1"]] + [[]] * 12 + [["Head", "Waves come in.", "14"]]))
    page.locator("input[type=file]").first.set_input_files(file)
    reported = "Pages without text, or with only page numbers, headers or footers: 2–13."
    expect(page.locator(".import")).to_contain_text(reported)
    expect(page.locator(".toast")).to_contain_text("“Scan” was imported. There are notes.")
    expect(page.locator(".import-status")).to_have_text("There are notes.")
    expect(page.locator(".import-status")).to_have_attribute("aria-live", "off")  # the toast announces it
    page.get_by_role("button", name="Remove “Scan.pdf” from the list").click()
    rows(page).filter(has_text="Scan").click()
    expect(page.locator("main .notice")).to_contain_text(reported)


@pytest.mark.expects_console("status of 409")
def test_fr4_a_file_that_is_there_already_is_kept_again_only_when_that_is_wanted(page, studio):
    file = studio.folder / "files" / "Notes.txt"
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.locator(".import")).to_contain_text("This file is in the library already, as “Notes”.")
    page.get_by_role("button", name="Import again").click()
    expect(rows(page)).to_have_count(4)


@pytest.mark.expects_console("status of 409")
def test_files_that_need_an_answer_are_dismissed_together(page, studio):
    files = [studio.folder / "files" / name for name in ("Notes.txt", "Harbour.epub")]
    page.locator("input[type=file]").first.set_input_files(files)
    asking = page.locator(".import")
    expect(asking.filter(has_text="This file is in the library already, as “")).to_have_count(2)
    page.get_by_role("button", name="Dismiss all").click()
    expect(asking).to_have_count(0)


def test_a_bar_does_not_stand_at_its_end_while_a_document_is_read(visitor):
    page = visitor.open("/documents")
    evaluate(page, """import('/pages/documents/import-queue.js').then(({ imports }) => imports.all.set([
        { id: 1, file: new File(["words"], "book.pdf"), state: "reading", part: 1, problem: null, notices: [], document: null },
    ]))""")
    bar = page.get_by_role("progressbar", name="book.pdf")
    expect(bar).to_have_attribute("data-endless", "")
    expect(bar).not_to_have_attribute("aria-valuenow", re.compile(r"\d"))
    evaluate(page, "import('/pages/documents/import-queue.js').then(({ imports }) => imports.all.set([]))")
