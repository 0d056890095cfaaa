"""UC18: documents and their recordings are exported."""

import pytest

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
