"""FR8: unfinished narrations are on Speak and in the library until they are continued, saved or discarded."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from conftest import NARROW, WIDE
from parts import dialog, expect_to_play
from places import RESTARTED, held_back, wait_until
from texts import takes_minutes

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])

NONE_LEFT = "() => fetch('/api/narrations').then((one) => one.json()).then((all) => all.length === 0)"
SOUND_IS_MADE = "() => fetch('/api/narrations').then((one) => one.json()).then(([one]) => one?.seconds > 3)"


def row(page: Page, name: str) -> Locator:
    return page.locator(".narrations-left .unfinished-row", has_text=name)


def leave_unfinished(studio, *names: str) -> list[str]:
    """Starts narrations and leaves them, the first with some sound; returns their ids."""
    studio.speak_slowly()
    return studio.ready(begin_and_leave, *names)


def begin_and_leave(studio, *names: str) -> list[str]:
    text = takes_minutes(studio)
    ids = [studio.send("POST", "/narrations", {"text": text, "name": name})["id"] for name in names]
    sound = studio.session.get(f"{studio.local}/api/narrations/{ids[0]}/sound", stream=True, timeout=60)
    heard = 0
    for piece in sound.iter_content(65_536):
        heard += len(piece)
        if heard > 600_000:
            break
    sound.close()
    for one in reversed(ids):
        studio.send("POST", f"/narrations/{one}/stop", {"keepPart": False, "leave": True})
    return ids


def fail_in_batch(studio) -> None:
    """The batch has one document whose selection contains nothing to speak."""
    file = studio.folder / "notes.txt"
    file.write_text("Notes of the day.")
    document = studio.import_document(file)
    studio.send("PUT", f"/documents/{document}/selection", {"leftOut": [[0, 1_000]]})
    studio.send("POST", "/batch", {"documents": [{"id": document}]})


@SIZES
@pytest.mark.parametrize("path", ["/speak", "/library"])
def test_fr8_all_unfinished_narrations_are_listed_with_how_far_they_are(visitor, studio, path, size):
    leave_unfinished(studio, "First tale", "Second tale", "Third tale")
    page = visitor.open("/library", size=size)
    if path == "/speak":
        page.get_by_role("link", name="Speak", exact=True).click()
        # The page itself offers the latest with its text; it stays in the library's list.
        expect(page.get_by_text("“Third tale” is not finished.")).to_be_in_viewport()
        expect(row(page, "Third tale")).to_have_count(0)
    else:
        expect(row(page, "Third tale")).to_contain_text("0 % spoken")
    expect(row(page, "Second tale")).to_contain_text("stopped")
    first = row(page, "First tale")
    expect(first).to_contain_text("of sound")
    for name in ("Continue", "Keep what was spoken", "Discard"):
        expect(first.get_by_role("button", name=name)).to_be_visible()
    expect(row(page, "Second tale").get_by_role("button", name="Keep what was spoken")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@SIZES
def test_fr8_the_other_unfinished_narrations_are_above_a_long_text_that_can_be_continued(visitor, studio, size):
    leave_unfinished(studio, "First tale", "Second tale")
    page = visitor.open("/library", size=size)
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_text("“Second tale” is not finished.")).to_be_in_viewport()
    one = row(page, "First tale")
    expect(one).to_be_in_viewport()
    # The buttons begin where the words above them do, or stand beside them.
    expect(one.locator(".unfinished-way")).to_be_hidden()
    one.get_by_role("button", name="Continue").press("Enter")
    expect(page.locator("echo-speak-page")).to_have_attribute("data-stage", "speaking")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_fr8_beside_the_one_with_its_text_speak_counts_the_others_as_more(visitor, studio):
    leave_unfinished(studio, "First tale", "Second tale")
    page = visitor.open("/library")
    expect(page.get_by_role("heading", name="2 unfinished narrations", exact=True)).to_be_visible()
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_text("“Second tale” is not finished.")).to_be_visible()
    expect(page.get_by_role("heading", name="1 more unfinished narration", exact=True)).to_be_visible()


def test_fr8_what_is_typed_while_an_unfinished_text_is_being_brought_stays(visitor, studio):
    leave_unfinished(studio, "First tale")
    page = visitor.blank()
    held: list[Route] = []
    page.route("**/pages/speak/reading-view.js*", lambda route: held.append(route))
    page.goto(studio.base + "/speak")
    brought = held_back(page, held)
    field = page.get_by_label("Text to speak")
    field.fill("Typed meanwhile.")
    brought.continue_()
    expect(row(page, "First tale")).to_be_visible()
    expect(field).to_have_value("Typed meanwhile.")


def test_fr8_the_focus_goes_to_the_row_beside_the_one_that_is_continued_on_speak(visitor, studio):
    leave_unfinished(studio, "First tale", "Second tale", "Third tale")
    page = visitor.open("/library")
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_text("“Third tale” is not finished.")).to_be_visible()
    row(page, "Second tale").get_by_role("button", name="Continue").press("Enter")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(row(page, "Second tale")).to_have_count(0)
    expect(row(page, "Third tale")).to_be_visible()
    expect(row(page, "First tale").get_by_role("button", name="Continue")).to_be_focused()


def test_fr8_the_focus_goes_to_what_is_spoken_when_the_only_one_is_continued_on_speak(visitor, studio):
    page = visitor.open("/speak")
    page.get_by_label("Text to speak").fill("Another text is being written.")
    leave_unfinished(studio, "First tale")
    expect(row(page, "First tale")).to_be_visible()
    page.get_by_label("Text to speak").fill("")
    row(page, "First tale").get_by_role("button", name="Continue").press("Enter")
    expect(page.locator(".narrations-left")).to_be_hidden()
    expect(page.get_by_role("group", name="Reading “First tale” aloud")).to_be_focused()


@pytest.mark.parametrize("what", ["Continue", "Keep what was spoken", "Discard"])
def test_fr8_the_focus_goes_to_the_text_that_is_written_when_the_only_one_leaves_speak(visitor, studio, what):
    page = visitor.open("/speak")
    page.get_by_label("Text to speak").fill("Another text is being written.")
    leave_unfinished(studio, "First tale")
    row(page, "First tale").get_by_role("button", name=what).press("Enter")
    expect(page.locator(".narrations-left")).to_be_hidden()
    expect(page.get_by_label("Text to speak")).to_be_focused()


@SIZES
def test_fr8_the_library_says_at_its_head_how_many_are_not_finished_and_each_says_why(visitor, studio, size):
    page = visitor.open("/library", size=size)
    expect(page.get_by_role("heading", name="Library", level=1)).to_be_visible()
    expect(page.locator(".narrations-left")).to_be_hidden()
    leave_unfinished(studio, "First tale", "Second tale")
    page.reload()
    expect(page.get_by_role("heading", name="2 unfinished narrations")).to_be_in_viewport(ratio=1)
    expect(page.locator(".unfinished-state")).to_have_text(["stopped", "stopped"])
    expect(page.locator(".unfinished-state").first).to_be_in_viewport(ratio=1)
    row(page, "Second tale").get_by_role("button", name="Discard").click()
    expect(page.get_by_role("heading", name="1 unfinished narration")).to_be_visible()


def test_fr8_one_of_the_list_is_kept_and_another_discarded_which_can_be_undone(visitor, studio):
    leave_unfinished(studio, "First tale", "Second tale")
    page = visitor.open("/library")
    row(page, "First tale").get_by_role("button", name="Keep what was spoken").click()
    expect(row(page, "First tale")).to_have_count(0)
    expect(page.locator("echo-rows .row")).to_contain_text("First tale")
    expect(page.locator(".toast", has_text="Saved as “First tale” in the library.").get_by_role("button", name="Undo")).to_be_visible()
    row(page, "Second tale").get_by_role("button", name="Discard").click()
    expect(row(page, "Second tale")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(row(page, "Second tale")).to_be_visible()
    assert len(studio.get("/narrations")) == 1
    row(page, "Second tale").get_by_role("button", name="Discard").click()
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    wait_until(page, NONE_LEFT)
    expect(page.get_by_role("heading", name="Unfinished narrations")).to_be_hidden()


def test_fr8_what_was_kept_is_taken_back_and_brought_again(visitor, studio):
    leave_unfinished(studio, "First tale")
    page = visitor.open("/library")
    row(page, "First tale").get_by_role("button", name="Keep what was spoken").click()
    page.locator(".toast", has_text="Saved as “First tale”").get_by_role("button", name="Undo").click()
    expect(page.locator("echo-rows .row")).to_have_count(0)
    page.locator(".toast", has_text="“First tale” was deleted.").get_by_role("button", name="Undo").click()
    expect(page.locator("echo-rows .row")).to_contain_text("First tale")
    assert studio.get("/library")["total"] == 1


def test_fr8_one_of_the_library_s_list_is_continued_and_heard(visitor, studio):
    [first, _] = leave_unfinished(studio, "First tale", "Second tale")
    page = visitor.open("/library")
    row(page, "First tale").get_by_role("button", name="Continue").click()
    expect(row(page, "First tale")).to_have_count(0)
    expect_to_play(page)
    expect(page.locator("echo-player-bar")).to_contain_text("First tale")
    [running] = [one for one in studio.get("/narrations") if one["state"] == "speaking"]
    assert running["id"] == first


@SIZES
def test_fr8_what_was_stopped_to_be_continued_goes_on_where_the_player_was(visitor, studio, size):
    page = visitor.open(size=size)
    page.get_by_label("Text to speak").fill(takes_minutes(studio))
    page.get_by_role("button", name="Read aloud").click()
    expect_to_play(page, 1)
    wait_until(page, SOUND_IS_MADE)
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("menuitem", name="Leave it, to be continued later").click()
    notice = page.locator(".speak-below .notice")
    expect(notice.get_by_role("button", name="Continue")).to_be_in_viewport()
    reached = float(page.locator(".seek-range").input_value())
    notice.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    expect_to_play(page, reached)


def test_fr8_after_a_reload_what_is_continued_goes_on_where_the_player_was(visitor):
    page = visitor.open()
    page.get_by_label("Text to speak").fill(takes_minutes(visitor.studio))
    page.get_by_role("button", name="Read aloud").click()
    expect_to_play(page, 1)
    wait_until(page, SOUND_IS_MADE)
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("menuitem", name="Leave it, to be continued later").click()
    continues = page.locator(".speak-below .notice").get_by_role("button", name="Continue")
    expect(continues).to_be_visible()
    reached = float(page.locator(".seek-range").input_value())
    page.reload()
    continues.click()
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    wait_until(page, "() => Number(document.querySelector('.seek-range').value) > 0")
    assert float(page.locator(".seek-range").input_value()) >= reached
    expect_to_play(page, reached)


def test_fr8_what_failed_in_the_batch_is_listed_with_the_reason_and_tried_again(visitor, studio):
    fail_in_batch(studio)
    page = visitor.open("/library")
    failed = row(page, "notes")
    expect(failed).to_contain_text("failed")
    expect(failed.locator("p").last).not_to_be_empty()
    expect(failed.get_by_role("button", name="Continue")).to_have_count(0)
    [entry] = studio.get("/batch")["entries"]
    studio.send("PUT", f"/documents/{entry['document']}/selection", {})
    page.locator(".batch-open").click()
    with page.expect_response("**/api/batch/*/retry") as answer:
        dialog(page).get_by_role("button", name="Try “notes” again").click()
    assert answer.value.ok
    page.keyboard.press("Escape")
    expect(failed).to_be_visible()
    with page.expect_response("**/api/batch/*/retry") as answer:
        failed.get_by_role("button", name="Try again").click()
    assert answer.value.ok
    failed.get_by_role("button", name="Discard").click()
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".batch-open")).to_be_hidden()
    assert studio.get("/batch")["total"] == 0


@pytest.mark.expects_console(RESTARTED, "status of 421")
def test_03_2_what_broke_off_with_the_program_is_listed_after_it_was_started_again(visitor, studio):
    studio.send("POST", "/narrations", {"text": takes_minutes(studio), "name": "Tale"})
    studio.restart()
    page = visitor.open("/library")
    expect(row(page, "Tale")).to_be_visible()
    row(page, "Tale").get_by_role("button", name="Continue").click()
    expect(row(page, "Tale")).to_have_count(0)
    expect_to_play(page)


def test_fr8_each_unfinished_narration_goes_on_where_listening_to_it_stopped_in_any_browser(visitor, studio):
    first, second = leave_unfinished(studio, "First tale", "Second tale")
    for name, id, place in (("Second tale", second, 0), ("First tale", first, 4)):
        studio.send("PUT", f"/narrations/{id}/place", {"seconds": place})
        page = visitor.open("/library")
        row(page, name).get_by_role("button", name="Continue").click()
        expect_to_play(page, place)
        reached = float(page.locator(".seek-range").input_value())
        assert place <= reached < place + 3
        page.locator("echo-player-bar").get_by_role("button", name="Pause").click()
        wait_until(page, "([id, least]) => fetch(`/api/narrations/${id}/place`).then((one) => one.json()).then(({ seconds }) => seconds > least)", [id, place])
        studio.send("POST", f"/narrations/{id}/stop", {"keepPart": False, "leave": True})
        page.context.close()


def test_fr8_a_document_s_narration_can_be_left_and_continued_from_the_viewer(visitor, studio):
    file = studio.folder / "tides.txt"
    file.write_text(takes_minutes(studio))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    page.get_by_role("button", name="Choose what to read…").click()
    dialog(page).get_by_role("button", name="Read aloud").click()
    strip = page.locator(".narration-strip")
    expect(strip).to_be_visible()
    expect_to_play(page)
    strip.get_by_role("button", name="Stop").click()
    page.get_by_role("menuitem", name="Leave it, to be continued later").click()
    expect(strip).to_be_hidden()
    [left] = studio.get("/narrations/unfinished")
    assert left["reason"] == "stopped"
    page.locator(".toast").get_by_role("button", name="Continue").click()
    expect(strip).to_be_visible()
    assert studio.get("/narrations/unfinished") == []
    strip.get_by_role("button", name="Stop").click()
    page.get_by_role("menuitem", name="Discard what was spoken").click()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("was left unfinished.")
    page.locator(".toast").get_by_role("button", name="Continue").click()
    expect(strip).to_be_visible()


VOICE_GONE = {"code": "voice.not-installed", "message": "The voice is not installed.", "suggestion": None}


@SIZES
def test_fr8_a_narration_that_fails_by_its_voice_says_why_and_leads_to_the_voices(visitor, studio, size):
    leave_unfinished(studio, "Voiceless")
    [left] = studio.get("/narrations/unfinished")
    page = visitor.blank(size=size)
    failing = [left | {"reason": "failed", "failure": VOICE_GONE}]
    page.route("**/api/narrations/unfinished", lambda route: route.fulfill(json=failing))
    page.goto(studio.base + "/library")
    failed = row(page, "Voiceless")
    expect(failed).to_contain_text("failed")
    expect(failed.locator("p").last).to_contain_text("voice")
    failed.get_by_role("link", name="Go to voices").click()
    expect(page.get_by_role("heading", name="Voices", level=1)).to_be_visible()


@pytest.mark.expects_console("status of 500", "ERR_FAILED")
@pytest.mark.parametrize("what", ["**/api/narrations/unfinished", "**/styles/unfinished.css"])
def test_fr8_a_list_of_unfinished_narrations_that_does_not_load_says_so_and_is_tried_again(visitor, studio, what):
    leave_unfinished(studio, "First tale")
    page = visitor.blank()
    page.route(what, lambda route: route.abort())
    page.goto(studio.base + "/library")
    notice = page.locator("echo-library-page .notice.error")
    expect(notice).to_be_visible()
    page.unroute(what)
    notice.get_by_role("button", name="Try again").click()
    expect(row(page, "First tale")).to_be_visible()
    expect(notice).to_have_count(0)
