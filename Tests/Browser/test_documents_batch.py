"""FR6: several documents are spoken one after another."""

import pytest
from playwright.sync_api import expect

from parts import dialog, open_documents


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_fr6_a_batch_counts_in_the_header_of_every_page_and_names_what_failed(page, studio):
    notes = studio.document("Notes")
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
    expect(page.get_by_role("dialog", name="Batch", exact=True)).to_contain_text("Nothing is in the batch.")
    page.keyboard.press("Escape")
    expect(counter).to_be_hidden()
