"""FR6: several documents are spoken one after another."""

import pytest
from playwright.sync_api import expect

from conftest import NARROW
from parts import dialog, expect_to_play, import_long, open_documents
from places import wait_until

NONE_LEFT = "() => fetch('/api/narrations').then((one) => one.json()).then((all) => all.length === 0)"
SOUND_IS_MADE = "() => fetch('/api/narrations').then((one) => one.json()).then(([one]) => one?.seconds > 0)"


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_fr6_a_batch_counts_in_the_header_of_every_page_and_names_what_failed(page, studio):
    notes = studio.document("Notes")
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    # A selection that the document does not have: it fails, the others do not.
    studio.send("PUT", f"/documents/{notes}/selection", {"leftOut": [[0, 1_000]]})
    page.get_by_role("toolbar").get_by_role("button", name="Read each aloud").click()
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.get_by_text("3 narrations will be made")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text("1 document could not be read aloud")
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


def test_fr6_what_is_over_is_dismissed_by_key_and_the_focus_is_not_lost(page, studio):
    notes = studio.document("Notes")
    studio.send("PUT", f"/documents/{notes}/selection", {"leftOut": [[0, 1_000]]})
    studio.send("POST", "/batch", {"documents": [{"id": notes}]})
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text("1 document could not be read aloud")
    counter.press("Enter")
    dialog(page).get_by_role("button", name="Dismiss finished").press("Enter")
    expect(dialog(page)).to_contain_text("Nothing is in the batch.")
    expect(dialog(page).get_by_role("heading", name="Batch")).to_be_focused()
    expect(counter).to_be_hidden()
    page.keyboard.press("Escape")
    # The button that opened the sheet is not there any more.
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_focused()


def leave_out(page, studio, text: str) -> str:
    """Speaks a document of which this could not be spoken, as far as the page knows; returns what is said of it."""

    def answer(route) -> None:
        reported = studio.ask("GET", "/batch")
        batch = reported.json()
        for entry in batch["entries"]:
            entry["unspoken"] = [text] if entry["state"] == "done" else []
        route.fulfill(json=batch, headers={"Last-Event-ID": reported.headers["Last-Event-ID"]})

    page.route("**/api/batch", answer)
    studio.send("POST", "/batch", {"documents": [{"id": studio.document("Notes")}]})
    return f"“{text}” could not be spoken and is left out."


def test_what_could_not_be_spoken_is_said_at_the_end_of_a_batch_and_in_its_sheet(page, studio):
    reported = leave_out(page, studio, "A bad word")
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text(reported)
    counter.press("Enter")
    expect(dialog(page).locator(".batch-entry[data-state=done] .batch-reason")).to_have_text(reported)
    dialog(page).get_by_role("button", name="Dismiss finished").press("Enter")
    expect(dialog(page)).to_contain_text("Nothing is in the batch.")
    expect(counter).to_be_hidden()


def test_what_could_not_be_spoken_fits_on_a_phone_and_is_dismissed_there(page, studio):
    page.set_viewport_size(NARROW)
    reported = leave_out(page, studio, "a" * 80 + "…")
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text(reported)
    assert counter.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    counter.click()
    dialog(page).get_by_role("button", name="Dismiss finished").click()
    expect(dialog(page)).to_contain_text("Nothing is in the batch.")
    expect(counter).to_be_hidden()


def test_the_batch_is_spoken_and_named_as_its_sheet_says(page, studio):
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Read each aloud").click()
    dialog(page).locator(".spoken-as summary").click()
    dialog(page).get_by_label("Name").fill("Evening")
    dialog(page).get_by_role("textbox", name="Speed").fill("1.3")
    dialog(page).get_by_role("textbox", name="Pitch").fill("1.2")
    dialog(page).get_by_role("textbox", name="Pitch").press("Tab")
    expect(dialog(page).locator(".spoken-as summary")).to_contain_text("1.3× · Pitch 1.2×")
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.get_by_text("3 narrations will be made")).to_be_visible()
    wait_until(page, "() => fetch('/api/library').then((one) => one.json()).then(({ total }) => total === 3)")
    for item in studio.get("/library")["items"]:
        assert item["name"].startswith("Evening – ")
        assert (item["narration"]["speed"], item["narration"]["pitch"]) == (1.3, 1.2)


def test_fr6_the_rest_of_a_batch_is_cancelled(visitor, studio):
    ids = [import_long(studio, name) for name in ("long", "longer")]
    studio.send("POST", "/batch", {"documents": [{"id": one} for one in ids]})
    page = visitor.open("/speak")
    counter = page.locator(".batch-open")
    expect(counter).to_contain_text("Reading 1 of 2")
    counter.click()
    expect(dialog(page).locator(".batch-entry[data-state=begun]")).to_be_visible()
    dialog(page).get_by_role("button", name="Cancel the rest").click()
    page.get_by_role("menuitem", name="Leave it, to be continued later").click()
    expect(page.get_by_role("dialog", name="Batch", exact=True)).to_contain_text("Nothing is in the batch.")
    page.keyboard.press("Escape")
    expect(counter).to_be_hidden()
    [left] = studio.get("/narrations")
    assert left["state"] == "stopped"


@pytest.mark.parametrize("choice, kept", [("Keep what was spoken", 1), ("Discard what was spoken", 0)])
def test_fr8_what_was_spoken_of_a_batch_is_kept_or_discarded(visitor, studio, choice, kept):
    studio.send("POST", "/batch", {"documents": [{"id": import_long(studio)}]})
    page = visitor.open("/speak")
    page.locator(".batch-open").click()
    entry = dialog(page).locator(".batch-entry[data-state=begun]")
    expect(entry).to_be_visible()
    wait_until(page, SOUND_IS_MADE)
    entry.get_by_role("button", name="Cancel “long”").click()
    page.get_by_role("menuitem", name=choice).click()
    expect(page.get_by_role("dialog", name="Batch", exact=True)).to_contain_text("Nothing is in the batch.")
    if kept == 0:
        page.locator(".toast", has_text="“long” was discarded.").get_by_role("button", name="Dismiss").click()
    else:
        saved = dialog(page).locator(".toast", has_text="Saved as “long” in the library.")
        expect(saved.get_by_role("button", name="Undo")).to_be_visible()
    wait_until(page, NONE_LEFT)
    assert studio.get("/library")["total"] == kept


@pytest.fixture
def begun(visitor, studio):
    """The open batch, with its only document being spoken."""
    studio.send("POST", "/batch", {"documents": [{"id": import_long(studio)}]})
    page = visitor.open("/library")
    page.locator(".batch-open").click()
    expect(dialog(page).locator(".batch-entry[data-state=begun]")).to_be_visible()
    wait_until(page, SOUND_IS_MADE)
    return page


def ask_to_stop(page):
    dialog(page).get_by_role("button", name="Cancel “long”").click()
    expect(page.get_by_role("menuitem", name="Discard what was spoken")).to_be_visible()


def test_fr8_what_is_left_in_the_batch_can_be_continued_at_once(begun, studio):
    ask_to_stop(begun)
    begun.get_by_role("menuitem", name="Leave it, to be continued later").click()
    toast = begun.locator(".toast", has_text="“long” was left unfinished.")
    toast.get_by_role("button", name="Continue").click()
    wait_until(begun, "() => fetch('/api/narrations').then((one) => one.json()).then(([one]) => one?.state === 'speaking')")
    expect_to_play(begun)


def test_fr8_what_was_discarded_of_a_batch_is_brought_back_within_ten_seconds(begun, studio):
    ask_to_stop(begun)
    begun.get_by_role("menuitem", name="Discard what was spoken").click()
    expect(dialog(begun)).to_contain_text("Nothing is in the batch.")
    dialog(begun).locator(".toast", has_text="“long” was discarded.").get_by_role("button", name="Undo").click()
    begun.keyboard.press("Escape")
    expect(begun.locator(".narrations-left .unfinished-row", has_text="long")).to_be_visible()
    [left] = studio.get("/narrations")
    assert left["state"] == "stopped"


@pytest.mark.expects_console("status of 404")
def test_fr8_what_has_ended_before_it_could_be_discarded_is_deleted(begun, studio):
    ask_to_stop(begun)
    [narration] = studio.get("/narrations")
    studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": True})
    begun.get_by_role("menuitem", name="Discard what was spoken").click()
    toast = dialog(begun).locator(".toast", has_text="“long” was deleted.")
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Dismiss").click()
    wait_until(begun, "() => fetch('/api/library').then((one) => one.json()).then(({ total }) => total === 0)")


@pytest.mark.expects_console("status of 404")
def test_fr8_what_has_ended_before_it_could_be_left_is_not_said_to_be_unfinished(begun, studio):
    ask_to_stop(begun)
    [narration] = studio.get("/narrations")
    studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": True})
    with begun.expect_response(lambda one: one.url.endswith("/stop") and one.status == 404):
        begun.get_by_role("menuitem", name="Leave it, to be continued later").click()
    expect(dialog(begun)).to_contain_text("Nothing is in the batch.")
    begun.evaluate("() => fetch('/api/batch').then((one) => one.text())")
    expect(begun.locator(".toast", has_text="was left unfinished")).to_have_count(0)
    expect(dialog(begun).get_by_role("alert")).to_have_count(0)


@pytest.mark.expects_console("status of 404")
def test_fr8_nothing_is_said_to_be_saved_that_was_discarded_elsewhere_before_it_could_be_kept(begun, studio):
    ask_to_stop(begun)
    [narration] = studio.get("/narrations")
    studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": False})
    with begun.expect_response(lambda one: one.url.endswith("/stop") and one.status == 404):
        begun.get_by_role("menuitem", name="Keep what was spoken").click()
    expect(dialog(begun)).to_contain_text("Nothing is in the batch.")
    # The page has worked on that one by the next answer.
    begun.evaluate("() => fetch('/api/batch').then((one) => one.text())")
    expect(begun.locator(".toast")).to_have_count(0)


@pytest.mark.expects_console("status of 409")
def test_fr8_nothing_is_stopped_when_the_batch_does_not_let_go_of_it_and_the_reason_stays(begun, studio):
    refusal = {"code": "batch.busy", "message": "The batch is being worked on just now.", "suggestion": "Stop it where it is worked on."}
    begun.route("**/api/batch/*", lambda route: route.fulfill(status=409, json=refusal))
    ask_to_stop(begun)
    begun.get_by_role("menuitem", name="Discard what was spoken").click()
    alert = dialog(begun).get_by_role("alert")
    expect(alert).to_contain_text("The batch is being worked on just now.")
    expect(alert).to_contain_text("Stop it where it is worked on.")
    # A change elsewhere shows the batch again, with the reason.
    file = studio.folder / "other.txt"
    file.write_text("Another text of the sea.")
    studio.send("POST", "/batch", {"documents": [{"id": studio.import_document(file)}]})
    expect(dialog(begun).locator(".batch-entry")).to_have_count(2)
    expect(alert).to_be_visible()
    [spoken, *_] = studio.get("/narrations")
    assert spoken["state"] == "speaking"
