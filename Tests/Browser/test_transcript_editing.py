"""The editor of a transcript: segments, speakers, words of which the recognizer was not sure, drafts and versions."""

import re

import pytest
from playwright.sync_api import expect

from parts import dialog
from places import evaluate, held_back, wait_until
from transcripts import HEARD, TEXTS, answer_heard, open_talk, paragraphs, record, tools, versions, write


def test_segments_are_divided_joined_deleted_and_saved_as_one_version(visitor, studio, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    expect(fields.first).to_be_focused()
    fields.nth(1).fill("The harbour was very quiet.")
    fields.nth(2).focus()
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    expect(fields).to_have_count(2)
    expect(fields.nth(1)).to_have_value("The harbour was very quiet. Good night.")
    page.get_by_label("Speaker at 0:00").fill("Anna")
    page.get_by_role("button", name="More for the segment at 0:03").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(fields).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(fields).to_have_count(2)
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page)).to_have_text([TEXTS[0], "The harbour was very quiet. Good night."])
    expect(page.locator(".segment-speaker").first).to_have_text("Anna")
    assert [one["number"] for one in versions(studio, talk)] == [2, 1]
    kept = studio.get(f"/transcripts/{versions(studio, talk)[0]['id']}")["segments"]
    assert kept[0]["remark"] is None, "a name changes no words"
    assert [word["precision"] for word in kept[1]["words"]] == ["estimated"] * 7, "what was written has no times of its own"


def test_keys_play_go_back_and_change_the_pace_while_typing(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    fields.nth(1).focus()
    page.keyboard.press("F8")
    expect(tools(page).get_by_text("0.9×")).to_be_visible()
    page.keyboard.press("Shift+F8")
    page.keyboard.press("Control+Space")
    expect(tools(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("F4")
    expect(tools(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    tools(page).get_by_role("switch", name="Play each segment that is entered").click()
    fields.nth(2).focus()
    expect(tools(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("F4")
    page.keyboard.press("F2")
    elapsed = page.locator("echo-player-bar button.seek-time")
    expect(elapsed).to_have_text(re.compile("0:0[4-6]"))
    expect(fields.nth(2)).to_be_focused()
    expect(fields.nth(2)).to_have_value(TEXTS[2])
    tools(page).get_by_role("switch", name="Play each segment that is entered").click()


def test_the_editor_shows_which_segment_is_heard_and_a_key_goes_to_the_word(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    rows = page.locator(".edited-segment")
    page.get_by_role("button", name="Play from 0:06").click()
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    expect(tools(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("F4")
    expect(tools(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("F2")
    # In the pause after it, a segment is still the one that was heard last.
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator(".edited-segment[aria-current]")).to_have_count(1)
    page.locator("textarea").nth(0).focus()
    tools(page).get_by_role("switch", name="Play each segment that is entered").click()
    page.keyboard.press("Shift+F2")
    heard = page.locator("textarea").nth(1)
    expect(heard).to_be_focused()
    assert heard.evaluate("(field) => field.value.slice(field.selectionStart, field.selectionEnd)") == "quiet."
    assert re.fullmatch("0:0[45]", page.locator("echo-player-bar button.seek-time").inner_text()), "the sound stays where it is"
    expect(tools(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    tools(page).get_by_role("switch", name="Play each segment that is entered").click()
    heard.evaluate("(field) => { field.focus(); field.setSelectionRange(4, 4); }")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(4)
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    expect(page.locator(".edited-segment[aria-current]")).to_have_count(1)


def test_nothing_moves_in_the_editor_when_the_sound_begins(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    back = tools(page).get_by_role("button", name="Back 2 s")
    before = back.bounding_box()["x"]
    page.keyboard.press("F4")
    expect(tools(page).get_by_role("button", name="Pause")).to_be_visible()
    assert back.bounding_box()["x"] == before
    page.keyboard.press("F4")


def test_a_word_is_corrected_everywhere_with_undo(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    fields.first.evaluate("(field) => { field.focus(); field.setSelectionRange(0, 4); }")
    page.keyboard.press("Control+h")
    expect(page.get_by_label("Find", exact=True)).to_have_value("Good")
    expect(page.get_by_label("Replace with")).to_be_focused()
    page.keyboard.type("Fine")
    expect(tools(page).get_by_text("2 places")).to_be_visible()
    page.get_by_role("button", name="Replace everywhere").click()
    expect(fields.first).to_have_value("Fine morning, everybody.")
    expect(fields.nth(2)).to_have_value("Fine night.")
    page.get_by_role("button", name="Undo").click()
    expect(fields.first).to_have_value(TEXTS[0])


def begin_an_edit_and_leave(page) -> None:
    tools(page).get_by_role("button", name="Edit").click()
    page.locator("textarea").first.fill("Changed.")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()


def begin_edit_and_come_back(visitor, talk):
    """The page of the recording, after an edit was begun there and another page visited."""
    page = open_talk(visitor, talk)
    begin_an_edit_and_leave(page)
    page.go_back()
    return page


def test_an_edit_that_is_begun_outlives_the_visit_and_can_be_discarded(visitor, studio, talk):
    page = begin_edit_and_come_back(visitor, talk)
    tools(page).get_by_role("button", name="Continue editing").click()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(TEXTS)
    assert len(versions(studio, talk)) == 1


def test_an_edit_of_a_draft_that_was_begun_is_found_again_though_the_draft_was_replaced(visitor, studio, talk):
    def with_draft(route) -> None:
        answer = studio.get(f"/library/{talk}/transcripts")
        answer["versions"][-1]["isDraft"] = True
        route.fulfill(json=answer)

    page = visitor.blank()
    page.route(f"**/api/library/{talk}/transcripts", with_draft)
    page.goto(f"{studio.base}/recordings/{talk}")
    expect(paragraphs(page)).to_have_text(TEXTS)
    begin_an_edit_and_leave(page)
    write(studio, talk, ["Heard again."])
    page.go_back()
    tools(page).get_by_role("button", name="Continue editing").click()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(["Heard again."])


def test_an_edit_that_was_begun_is_found_again_though_another_page_has_saved_a_version(visitor, studio, talk):
    page = open_talk(visitor, talk)
    begin_an_edit_and_leave(page)
    write(studio, talk, ["Saved elsewhere."], base=versions(studio, talk)[0]["id"])
    page.go_back()
    expect(paragraphs(page)).to_have_text(TEXTS)
    tools(page).get_by_role("button", name="Continue editing").click()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(["Saved elsewhere."])


@pytest.mark.expects_console("status of 404")
def test_an_edit_that_was_begun_is_found_again_and_saved_though_its_version_is_gone(visitor, studio, talk):
    page = open_talk(visitor, talk)
    begin_an_edit_and_leave(page)
    [base] = versions(studio, talk)
    write(studio, talk, ["Saved elsewhere."], base=base["id"])
    studio.send("DELETE", f"/transcripts/{base['id']}")
    page.go_back()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page).first).to_have_text("Changed.")
    assert len(versions(studio, talk)) == 2


def test_a_text_that_was_begun_is_found_again_though_a_transcript_has_come(visitor, studio):
    item = record(studio)
    page = visitor.open(f"/recordings/{item}")
    page.get_by_role("button", name="Write it yourself").click()
    page.keyboard.type("Written by hand.")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    write(studio, item, TEXTS)
    page.go_back()
    expect(page.locator(".edited-text")).to_have_value("Written by hand.")
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(TEXTS)


def test_a_text_that_was_discarded_is_written_on_after_undo_but_not_over_another(visitor, studio):
    item = record(studio)
    page = visitor.open(f"/recordings/{item}")
    for text in ("Written by hand.", "Written again."):
        page.get_by_role("button", name="Write it yourself").click()
        page.keyboard.type(text)
        if text == "Written by hand.":
            page.get_by_role("button", name="Discard changes").click()
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    expect(page.get_by_role("status").filter(has_text="Save your new changes first.")).to_be_visible()
    expect(page.locator(".edited-text")).to_have_value("Written again.")
    page.get_by_role("button", name="Discard changes").click()
    undo.click()
    expect(page.locator(".edited-text")).to_have_value("Written again.")
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page)).to_have_text(["Written again."])


def test_a_speaker_is_named_in_the_edit_that_was_begun(visitor, studio, talk):
    page = begin_edit_and_come_back(visitor, talk)
    page.get_by_role("button", name="Name the speaker").first.click()
    expect(page.locator("textarea").first).to_have_value("Changed.")
    page.get_by_label("Speaker at").first.fill("Anna")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".segment-speaker").first).to_have_text("Anna")
    expect(paragraphs(page).first).to_have_text("Changed.")
    assert len(versions(studio, talk)) == 2


def test_a_speaker_being_typed_is_an_edit_that_was_begun(visitor, studio, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    page.get_by_label("Speaker at 0:00").focus()
    page.keyboard.type("Anna")
    asks = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert evaluate(page, asks), "closing the page asks before it loses the name"
    page.get_by_role("button", name="Discard changes").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_a_speaker_is_named_everywhere(visitor, studio, talk):
    page = open_talk(visitor, talk)
    page.get_by_role("button", name="Name the speaker").first.click()
    sheet = dialog(page)
    sheet.get_by_label("Speaker").fill("Anna")
    sheet.get_by_role("button", name="All unnamed parts").click()
    expect(page.locator(".segment-speaker")).to_have_text(["Anna"] * 3)
    page.get_by_role("button", name="Speaker: Anna").nth(1).click()
    dialog(page).get_by_label("Speaker").fill("Bert")
    dialog(page).get_by_role("button", name="This part").click()
    expect(page.locator(".segment-speaker")).to_have_text(["Anna", "Bert", "Anna"])
    expect(page.get_by_role("heading", name="Speaker: Bert. Change", level=2)).to_be_visible()


def test_what_is_being_written_stays_when_a_transcript_comes(visitor, studio):
    item = record(studio)
    page = visitor.open(f"/recordings/{item}")
    begin = page.get_by_role("button", name="Write it yourself")
    expect(begin).to_be_visible()
    held, is_held = [], True
    page.route("**/api/transcripts/*", lambda route: held.append(route) if is_held else route.continue_())
    write(studio, item, TEXTS)
    held_back(page, held)
    begin.click()
    page.keyboard.type("Written by hand.")
    is_held = False
    with page.expect_response("**/api/transcripts/*"):
        for route in held:
            route.continue_()
    evaluate(page, "new Promise(requestAnimationFrame)")
    expect(page.locator(".edited-text")).to_have_value("Written by hand.")
    expect(page.locator(".edited-text")).to_be_focused()
    page.get_by_role("button", name="Discard changes").click()
    expect(paragraphs(page)).to_have_text(TEXTS)


def test_what_is_edited_in_one_sitting_is_one_version_named_by_what_changed(visitor, studio, talk):
    page = open_talk(visitor, talk)
    for name in ("Anna", "Bert"):
        page.locator(".segment-speaker").nth(0 if name == "Anna" else 1).click()
        dialog(page).get_by_label("Speaker").fill(name)
        dialog(page).get_by_role("button", name="This part").click()
        expect(page.locator(".segment-speaker", has_text=name)).to_have_count(1)
    tools(page).get_by_role("button", name="Edit").click()
    page.locator("textarea").first.fill("Good evening, everybody.")
    page.get_by_role("button", name="Done").click()
    expect(paragraphs(page).first).to_have_text("Good evening, everybody.")
    expect(tools(page).get_by_role("button", name="1 word changed, Anna, Bert")).to_be_visible()
    assert len(versions(studio, talk)) == 2


def test_arrows_lead_from_one_edited_segment_to_the_next(visitor, talk):
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="Edit").click()
    fields = page.locator("textarea")
    expect(fields.first).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    expect(fields.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(fields.nth(0)).to_be_focused()
    page.keyboard.type("!")
    expect(fields.nth(0)).to_have_value(f"{TEXTS[0]}!")


def test_a_key_goes_to_the_next_uncertain_word_while_typing(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    wait_until(page, "() => [...(CSS.highlights.get('uncertain-word') ?? [])].join() === 'warning.'")
    tools(page).get_by_role("button", name="Edit").click()
    field = page.locator("textarea").first
    expect(field).to_be_focused()
    page.keyboard.press("F9")
    wait_until(page, "() => { const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd) === 'warning.'; }")
    page.keyboard.type("morning.")
    expect(field).to_have_value("Good morning.")


def test_an_uncertain_word_is_accepted_by_a_key_and_by_a_button_saved_and_undone(visitor, talk):
    page = visitor.open("/speak")
    answer_heard(page, talk)
    page.goto(f"{visitor.studio.base}/recordings/{talk}")
    wait_until(page, "() => [...(CSS.highlights.get('uncertain-word') ?? [])].join() === 'warning.'")
    tools(page).get_by_role("button", name="Edit").click()
    accept = page.get_by_role("button", name="This is right")
    accept.focus()
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keyboard shortcuts")
    for words in ("This is right", "Play the word at the cursor"):
        expect(listed.get_by_text(words, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    accept.click()
    wait_until(page, "() => { const field = document.activeElement; return field.value.slice(field.selectionStart, field.selectionEnd) === 'warning.'; }")
    page.keyboard.press("Shift+F9")
    expect(accept).to_be_hidden()
    expect(page.locator("textarea").first).to_be_focused()
    expect(page.locator(".toast")).to_contain_text("“warning.” is accepted")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(accept).to_be_visible()
    accept.click()
    expect(accept).to_be_hidden()
    saved = {**HEARD, "id": "saved", "item": talk, "number": 2}
    page.route(
        re.compile(r"/api/library/[^/]+/transcripts$"),
        lambda route: route.fulfill(status=201, json=saved) if route.request.method == "POST" else route.continue_(),
    )
    with page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/transcripts")) as saving:
        page.get_by_role("button", name="Done", exact=True).click()
    assert [one.get("accepted") for one in saving.value.post_data_json["segments"]] == [[1], None]
