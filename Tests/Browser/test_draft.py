"""UC1, RC: text typed on Speak outlives the page, in the library and nowhere else."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from conftest import NARROW, WIDE
from parts import expect_to_play
from places import evaluate, wait_until
from texts import takes_minutes

WHAT_THE_BROWSER_KEEPS = """async () => {
  const names = [...await caches.keys(), ...(await indexedDB.databases()).map(({ name }) => name)];
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, names, history.state, document.cookie]);
}"""


def field(page: Page):
    return page.get_by_label("Text to speak")


def expect_kept(page: Page, text: str) -> None:
    wait_until(page, "(text) => fetch('/api/draft').then((one) => one.json()).then((one) => one.text === text)", text)


def test_uc1_rc_what_was_typed_is_there_after_a_reload_and_nowhere_in_the_browser(visitor, studio):
    page = visitor.open()
    field(page).fill("The tide waits for the heron.")
    expect_kept(page, "The tide waits for the heron.")
    assert "heron" not in page.evaluate(WHAT_THE_BROWSER_KEEPS)
    page.reload()
    expect(field(page)).to_have_value("The tide waits for the heron.")
    expect(page.locator(".word-counter")).to_contain_text("6 /")
    database = (studio.folder / "library").rglob("*")
    assert not any(b"heron" in file.read_bytes() for file in database if file.is_file())


def test_rc_what_was_typed_just_before_the_page_was_left_is_kept(visitor):
    page = visitor.open()
    field(page).fill("First words.")
    expect_kept(page, "First words.")
    # The page is left at once, long before the draft would have been saved by itself.
    field(page).fill("First words, and the last ones.")
    page.reload()
    expect(field(page)).to_have_value("First words, and the last ones.")


def test_rc_what_was_spoken_or_cleared_does_not_come_back(visitor):
    page = visitor.open()
    field(page).fill("Spoken at once.")
    expect_kept(page, "Spoken at once.")
    page.get_by_role("button", name="Read aloud").click()
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    expect_kept(page, "")
    page.get_by_role("button", name="New text").click()
    field(page).fill("To be cleared.")
    expect_kept(page, "To be cleared.")
    page.get_by_role("button", name="Clear").click()
    expect_kept(page, "")
    page.reload()
    expect(field(page)).to_have_value("")


@pytest.mark.expects_console("status of 4(01|23)")
def test_rc_a_locked_library_shows_no_draft_and_an_unlocked_one_does(visitor, studio):
    page = visitor.open()
    field(page).fill("Only for me.")
    expect_kept(page, "Only for me.")
    studio.set_passcode("582931")
    page = visitor.open()
    expect(field(page)).to_have_value("Only for me.")
    studio.send("POST", "/lock", {})
    expect(page.get_by_label("Passcode", exact=True)).to_be_visible()
    assert studio.ask("GET", "/draft").status_code == 423
    text = "async () => (await import('/pages/speak/session.js')).session.text"
    assert page.evaluate(text) == ""
    page.get_by_label("Passcode", exact=True).fill("582931")
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("Only for me.")


def left(page: Page) -> Locator:
    """The rows of the texts of closed tabs."""
    return page.locator(".drafts-left .unfinished-row")


def offered_draft(visitor, studio, text: str, size=WIDE) -> Page:
    """A page on which `text` was begun before the draft came, which is offered."""
    studio.send("PUT", "/draft", {"text": "From before."})
    page = visitor.context(size=size).new_page()
    held, is_held = [], True
    page.route("**/api/draft", lambda route: held.append(route) if is_held and route.request.method == "GET" else route.continue_())
    with page.expect_request("**/api/draft"):
        page.goto(studio.new_address())
    field(page).fill(text)
    is_held = False
    for route in held:
        route.continue_()
    expect(left(page)).to_contain_text("From before.")
    expect(page.get_by_text("The text that you were writing before is still there.")).to_be_visible()
    return page


def test_rc_a_text_begun_before_the_draft_came_is_not_replaced_and_the_draft_is_offered(visitor, studio):
    page = offered_draft(visitor, studio, "Begun again.")
    expect(field(page)).to_have_value("Begun again.")
    page.get_by_role("button", name="Restore it").click()
    expect(field(page)).to_have_value("From before.")
    expect(left(page)).to_contain_text("Begun again.")
    expect_all_kept(page, "Begun again.", "From before.")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_rc_the_offer_of_a_draft_covers_no_control_and_stays(visitor, studio, size):
    page = offered_draft(visitor, studio, "Begun again.", size)
    expect(page.locator(".toast")).to_have_count(0)
    offer = page.locator(".drafts-left").bounding_box()
    covered = """([{ x, y, width, height }]) => [...document.querySelectorAll("echo-speak-page :is(button, a, textarea)")]
      .filter((one) => one.closest(".drafts-left") === null)
      .map((one) => [one.className, one.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0 && box.left < x + width && box.right > x && box.top < y + height && box.bottom > y)
      .map(([name]) => name)"""
    assert page.evaluate(covered, [offer]) == []
    for name in ("Read aloud", "Clear"):
        page.get_by_role("button", name=name).click(trial=True)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_rc_a_message_covers_nothing_of_how_far_the_voice_is(visitor, studio, size):
    page = offered_draft(visitor, studio, takes_minutes(studio), size)
    message, words, offer = page.locator(".toast"), page.locator(".progress-words"), page.locator(".drafts-left")
    evaluate(page, "async () => void (await import('/components/toast.js')).showToast({ text: 'Something else.' })")
    # It stays while the pointer is on it.
    message.hover()
    field(page).press("Control+Enter")
    expect(words).to_be_visible()
    above, below = message.bounding_box(), words.bounding_box()
    assert above["y"] + above["height"] <= below["y"], (above, below)
    row = page.locator(".speak-row").bounding_box()
    assert offer.bounding_box()["y"] >= row["y"] + row["height"], (offer.bounding_box(), row)


def test_rc_the_texts_of_all_closed_tabs_are_offered_and_none_replaces_another(visitor, studio):
    for place in ("first", "second", "third"):
        studio.send("PUT", "/draft", {"page": place, "text": f"Written in the {place} tab."})
    page = visitor.open()
    expect(field(page)).to_have_value("Written in the third tab.")
    expect(page.get_by_text("2 texts that you were writing before are still there.")).to_be_visible()
    expect(left(page)).to_have_text([re.compile("the second tab"), re.compile("the first tab")])
    # The last words in the field have not been sent yet.
    field(page).fill("Written in the third tab, and more.")
    left(page).last.get_by_role("button", name="Restore it").click()
    expect(field(page)).to_have_value("Written in the first tab.")
    texts = ["Written in the first tab.", "Written in the second tab.", "Written in the third tab, and more."]
    expect_all_kept(page, *texts)
    expect(left(page)).to_have_text([re.compile("the third tab, and more"), re.compile("the second tab")])
    page.reload()
    expect(field(page)).to_have_value("Written in the first tab.")
    expect(left(page)).to_have_count(2)
    expect_all_kept(page, *texts)


def test_rc_a_text_that_is_restored_by_two_presses_is_there_once(visitor, studio):
    page = offered_draft(visitor, studio, "Begun again.")
    expect_all_kept(page, "Begun again.", "From before.")
    page.get_by_role("button", name="Restore it").evaluate("(one) => (one.click(), one.click())")
    expect(field(page)).to_have_value("From before.")
    expect(left(page)).to_contain_text("Begun again.")
    field(page).fill("From before, and more.")
    expect_all_kept(page, "Begun again.", "From before, and more.")
    expect(left(page)).to_have_count(1)


@pytest.mark.expects_console("status of 507")
def test_rc_a_text_that_cannot_be_kept_is_not_replaced_by_one_that_is_offered(visitor, studio):
    page = offered_draft(visitor, studio, "Begun again.")
    expect_all_kept(page, "Begun again.", "From before.")
    refuse(page, 507, "library.disk-full")
    field(page).fill("Only in this page.")
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator(".toast")).to_contain_text("cannot be kept in the library at the moment")
    expect(field(page)).to_have_value("Only in this page.")
    expect(left(page)).to_contain_text("From before.")


def test_rc_a_text_that_is_offered_is_discarded_with_undo(visitor, studio):
    for place in ("first", "second"):
        studio.send("PUT", "/draft", {"page": place, "text": f"Written in the {place} tab."})
    page = visitor.open()
    discard = left(page).get_by_role("button", name="Discard – Written in the first tab.")
    discard.click()
    expect(left(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect_all_kept(page, "Written in the first tab.", "Written in the second tab.")
    discard.click()
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    expect_all_kept(page, "Written in the second tab.")


def test_rc_a_text_that_another_browser_has_written_on_is_not_discarded(visitor, studio):
    for place in ("first", "second"):
        studio.send("PUT", "/draft", {"page": place, "text": f"Written in the {place} browser."})
    page = visitor.open()
    expect(left(page)).to_contain_text("Written in the first browser.")
    studio.send("PUT", "/draft", {"page": "first", "text": "Written in the first browser, and more."})
    left(page).get_by_role("button", name="Discard – Written in the first browser.").click()
    expect(left(page)).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    expect(left(page)).to_contain_text("Written in the first browser, and more.")
    expect_all_kept(page, "Written in the first browser, and more.", "Written in the second browser.")


def expect_all_kept(page: Page, *texts: str) -> None:
    """The drafts of all tabs, in alphabetical order."""
    drafts = "fetch('/api/draft').then((one) => one.json()).then((one) => one.drafts.map(({ text }) => text).sort())"
    wait_until(page, f"(texts) => {drafts}.then((kept) => JSON.stringify(kept) === JSON.stringify(texts))", list(texts))


def test_rc_each_of_two_tabs_keeps_its_own_text_though_the_other_speaks_and_clears(visitor):
    first = visitor.open()
    field(first).fill("Written in the first tab.")
    expect_kept(first, "Written in the first tab.")
    second = visitor.another_tab(first, "/")
    expect(field(second)).to_have_value("Written in the first tab.")
    field(second).fill("Written in the second tab.")
    expect_all_kept(second, "Written in the first tab.", "Written in the second tab.")
    first.reload()
    expect(field(first)).to_have_value("Written in the first tab.")
    second.reload()
    expect(field(second)).to_have_value("Written in the second tab.")
    second.get_by_role("button", name="Clear").click()
    expect_all_kept(second, "Written in the first tab.")
    field(second).fill("Spoken in the second tab.")
    expect_all_kept(second, "Spoken in the second tab.", "Written in the first tab.")
    second.get_by_role("button", name="Read aloud").click()
    expect(second.locator(".saved-name")).to_contain_text("Saved as")
    expect_all_kept(second, "Written in the first tab.")
    first.reload()
    expect(field(first)).to_have_value("Written in the first tab.")


def test_rc_the_text_of_an_open_tab_is_not_offered_in_another(visitor, studio):
    studio.send("PUT", "/draft", {"page": "closed", "text": "Written in a closed tab."})
    first = visitor.open()
    expect(field(first)).to_have_value("Written in a closed tab.")
    field(first).fill("Written in the first tab.")
    expect_all_kept(first, "Written in the first tab.")
    studio.send("PUT", "/draft", {"page": "another", "text": "Written in another closed tab."})
    second = visitor.another_tab(first, "/")
    expect(field(second)).to_have_value("Written in another closed tab.")
    field(second).fill("Written in the second tab.")
    expect_all_kept(second, "Written in the first tab.", "Written in the second tab.")
    studio.send("PUT", "/draft", {"page": "third", "text": "Written in a third closed tab."})
    second.reload()
    expect(field(second)).to_have_value("Written in the second tab.")
    expect(left(second)).to_have_text([re.compile("a third closed tab")])
    first.close()
    second.reload()
    expect(left(second)).to_have_text([re.compile("a third closed tab"), re.compile("the first tab")])


def test_rc_two_browsers_keep_their_own_texts_also_when_one_writes_on_what_the_other_wrote(visitor):
    first = visitor.open()
    field(first).fill("Written in the first browser.")
    expect_kept(first, "Written in the first browser.")
    second = visitor.open()
    expect(field(second)).to_have_value("Written in the first browser.")
    field(second).fill("Written in the second browser.")
    expect_all_kept(second, "Written in the first browser.", "Written in the second browser.")
    field(first).fill("Changed in the first browser.")
    expect_all_kept(second, "Changed in the first browser.", "Written in the second browser.")
    for page, text in [(first, "Changed in the first browser."), (second, "Written in the second browser.")]:
        page.reload()
        expect(field(page)).to_have_value(text)


def test_rc_what_was_spoken_does_not_come_back_from_a_tab_that_had_it_too(visitor):
    text = "Written in one tab and spoken in another."
    first = visitor.open()
    field(first).fill(text)
    expect_kept(first, text)
    second = visitor.another_tab(first, "/")
    expect_all_kept(second, text, text)
    first.close()
    second.get_by_role("button", name="Clear").click()
    expect_all_kept(second, text)
    second.reload()
    expect(field(second)).to_have_value(text)
    third = visitor.another_tab(second, "/")
    expect_all_kept(third, text, text)
    second.close()
    third.get_by_role("button", name="Read aloud").click()
    expect(third.locator(".saved-name")).to_contain_text("Saved as")
    expect_all_kept(third)


def test_rc_a_draft_stays_while_an_unfinished_narration_is_continued(visitor, studio):
    left = studio.send("POST", "/narrations", {"text": takes_minutes(studio), "name": "Tale"})["id"]
    studio.send("POST", f"/narrations/{left}/stop", {"keepPart": False, "leave": True})
    studio.send("PUT", "/draft", {"text": "Not done yet."})
    page = visitor.open()
    expect(field(page)).to_have_value("Not done yet.")
    page.locator(".narrations-left").get_by_role("button", name="Continue").click()
    expect_to_play(page)
    expect(field(page)).to_have_value("Not done yet.")


def refuse(page: Page, status: int, code: str) -> list[str]:
    """Refuses every draft from now on; the list collects what was sent."""
    sent: list[str] = []

    def answer(route):
        if route.request.method != "PUT":
            route.continue_()
            return
        sent.append(route.request.post_data_json["text"])
        route.fulfill(status=status, json={"code": code, "message": "Refused."})

    page.route("**/api/draft", answer)
    return sent


# Whether the page asks before it is left.
ASKS = "() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; }"


def expect_to_be_called_unkept(page: Page) -> None:
    expect(page.locator(".speak-unkept")).to_contain_text("cannot be kept in the library at the moment")


@pytest.mark.expects_console("status of 507")
def test_rc_that_a_draft_cannot_be_kept_is_shown_in_its_place_until_it_is_kept(visitor):
    page = visitor.open()
    sent = refuse(page, 507, "library.disk-full")
    field(page).fill("Only in this page.")
    expect_to_be_called_unkept(page)
    assert sent == ["Only in this page."] * 2
    assert page.evaluate(ASKS)
    evaluate(page, "async () => (await import('/components/toast.js')).showToast({ text: 'Something else.' })")
    expect(page.locator(".toast")).to_have_text("Something else.")
    expect_to_be_called_unkept(page)
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="Speak", exact=True).click()
    expect_to_be_called_unkept(page)
    page.unroute("**/api/draft")
    expect_kept(page, "Only in this page.")
    expect(page.locator(".speak-unkept")).to_be_empty()
    assert not page.evaluate(ASKS)


@pytest.mark.expects_console("status of 422")
def test_rc_that_a_draft_is_refused_is_shown_at_once_until_another_is_kept(visitor):
    page = visitor.open()
    sent = refuse(page, 422, "request.invalid")
    field(page).fill("Refused.")
    expect_to_be_called_unkept(page)
    assert sent == ["Refused."] and page.evaluate(ASKS)
    page.unroute("**/api/draft")
    field(page).fill("Another one.")
    expect_kept(page, "Another one.")
    expect(page.locator(".speak-unkept")).to_be_empty()
