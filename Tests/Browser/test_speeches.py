"""SP1: speeches are written, saved, listed and deleted."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW
from parts import choose, names, rows
from places import settle, wait_until
from practising import written


def test_sp1_a_speech_is_written_kept_as_it_is_written_and_found_again(visitor, studio):
    page = visitor.open("/practice")
    expect(page.get_by_text("Practise any text by echoing it.")).to_be_visible()
    page.get_by_role("button", name="Write a speech").click()
    field = page.get_by_label("Text of the speech")
    expect(field).to_be_focused()
    field.fill("Dear friends, thank you.")
    expect(page.get_by_text("24 / 10,000 characters")).to_be_visible()
    expect(page.get_by_text("Kept on this machine")).to_be_visible()
    expect(page).to_have_url(re.compile("/practice/speeches/(?!new)"))
    page.get_by_label("Title", exact=True).fill("Toast")
    page.get_by_label("Language").select_option("et")
    wait_until(page, "async () => (await (await fetch('/api/speeches')).json()).speeches[0]?.language === 'et'")
    page.get_by_role("link", name="All practice").click()
    expect(names(page)).to_have_text(["Toast"])
    expect(rows(page).first).to_contain_text("Estonian")
    expect(rows(page).first).to_contain_text("24 characters")
    [speech] = studio.get("/speeches")["speeches"]
    assert studio.get(f"/speeches/{speech['id']}")["text"] == "Dear friends, thank you."


# Chromium knows fewer languages by name than espeak-ng speaks.
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_each_language_of_a_speech_has_a_name_of_its_own_and_none_is_a_code(visitor, language):
    page = visitor.open("/practice/speeches/new", language=language)
    options = page.locator("main select option")
    expect(options.nth(100)).to_be_attached()
    named = options.evaluate_all("(all) => all.map((one) => [one.value, one.label])")
    labels = [label for _, label in named]
    assert len(set(labels)) == len(labels), sorted(label for label in labels if labels.count(label) > 1)
    assert [label for value, label in named if label.lower() == value.lower()] == []


# Whether the foot is as wide as the ring of the text's focus, and below the text.
FOOT_COVERS = """() => {
  const [text, foot] = [".speech-text", ".speech-foot"].map((one) => document.querySelector(one).getBoundingClientRect());
  return { below: foot.top >= text.bottom, wide: foot.left <= text.left - 1 && foot.right >= text.right + 1 };
}"""


def test_on_a_phone_the_foot_of_the_editor_covers_neither_an_empty_text_nor_the_count(visitor, studio):
    [item] = studio.seed(1)
    studio.send("PUT", "/playback/bookmark", {"item": item, "position": 1})
    page = visitor.open("/practice/speeches/new", size=NARROW)
    expect(page.locator("echo-player-bar")).to_be_visible()
    expect(page.get_by_text("0 / 10,000 characters")).to_be_in_viewport(ratio=1)
    settle(page)
    assert page.evaluate(FOOT_COVERS) == {"below": True, "wide": True}


def test_on_a_phone_the_line_that_is_written_stays_above_the_foot(visitor):
    page = visitor.open("/practice/speeches/new", size=NARROW)
    field = page.get_by_label("Text of the speech")
    field.fill("\n".join(f"Line {number} of a speech." for number in range(40)))
    field.press("Control+End")
    page.keyboard.insert_text(" The end.")
    # The text grows with what is written, and ends with the last line and its padding of a rem.
    wait_until(page, """() => {
      const [text, foot] = [".speech-text", ".speech-foot"].map((one) => document.querySelector(one).getBoundingClientRect());
      return scrollY > 0 && text.bottom - 16 <= foot.top + 1;
    }""")


def test_sp1_a_kept_speech_is_practised_from_its_own_page(visitor, studio):
    written(studio, "Toast")
    page = visitor.open("/practice")
    rows(page).first.click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Toast")
    page.get_by_role("button", name="Practise", exact=True).click()
    expect(page.locator(".practice-text")).not_to_be_empty()


def test_sp1_the_last_changed_stands_first(visitor, studio):
    first = written(studio, "First")
    written(studio, "Second")
    page = visitor.open("/practice")
    expect(names(page)).to_have_text(["Second", "First"])
    studio.send("PUT", f"/speeches/{first}", {"title": "First", "text": "Other words.", "language": "en-GB"})
    page.reload()
    expect(names(page)).to_have_text(["First", "Second"])


def test_sp1_a_text_of_10_000_characters_is_kept_and_a_longer_one_is_refused_before_it_is_sent(visitor, studio):
    page = visitor.open("/practice/speeches/new")
    field = page.get_by_label("Text of the speech")
    # As a reader counts: a letter with a combining accent, a flag.
    longest = "e\u0301" * 9_999 + "🇪🇪"
    field.fill(longest)
    expect(page.get_by_text("10,000 / 10,000 characters")).to_be_visible()
    expect(page.get_by_text("Kept on this machine")).to_be_visible()
    reported = []
    page.on("request", lambda request: reported.append(request.url) if request.method in ("POST", "PUT") else None)
    field.press_sequentially("ab")
    expect(page.get_by_role("alert")).to_contain_text("2 characters too many")
    expect(page.get_by_role("alert")).to_have_attribute("aria-live", "off")  # it was read out with the first one
    expect(page.locator(".speech-counter")).to_have_text("10,002 / 10,000 characters")
    expect(page.get_by_role("button", name="Practise", exact=True)).to_be_disabled()
    assert [one for one in reported if "/speeches" in one] == []
    [speech] = studio.get("/speeches")["speeches"]
    assert speech["characters"] == 10_000


def test_fr27_a_title_that_cannot_be_used_says_why_and_keeps_no_text_from_being_kept(visitor, studio):
    written(studio, "Toast")
    page = visitor.open("/practice")
    choose(page, "Toast", "Edit")
    title = page.get_by_label("Title", exact=True)
    title.fill("A \u202e toast")
    expect(page.get_by_role("alert")).to_have_text("A name is one line without control characters.")
    with page.expect_response(lambda answer: answer.request.method == "PUT") as kept:
        page.get_by_label("Text of the speech").fill("Dear friends.")
    assert kept.value.ok
    [speech] = studio.get("/speeches")["speeches"]
    assert (speech["title"], studio.get(f"/speeches/{speech['id']}")["text"]) == ("Toast", "Dear friends.")
    title.fill("")
    page.keyboard.insert_text("y" * 201)
    expect(title).to_have_value("y" * 200)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_sp1_a_speech_is_deleted_with_undo(visitor, studio):
    written(studio, "Toast")
    written(studio, "Lecture")
    page = visitor.open("/practice")
    choose(page, "Toast", "Delete")
    expect(names(page)).to_have_text(["Lecture"])
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(2)
    choose(page, "Toast", "Delete")
    page.get_by_role("button", name="Dismiss").click()
    expect(rows(page)).to_have_count(1)
    wait_until(page, "async () => (await (await fetch('/api/speeches')).json()).speeches.length === 1")
    rows(page).first.focus()
    page.keyboard.press("Delete")
    expect(rows(page)).to_have_count(0)
    expect(page.get_by_role("heading", name="Practice", level=1)).to_be_focused()


def test_sp1_ctrl_z_in_the_list_brings_back_a_speech_and_in_a_field_is_the_field_s_own(visitor, studio):
    written(studio, "Toast")
    written(studio, "Lecture")
    visitor.takes_time()
    page = visitor.open("/practice")
    expect(names(page)).to_have_text(["Lecture", "Toast"])
    rows(page).nth(1).focus()
    page.keyboard.press("Delete")
    expect(names(page)).to_have_text(["Lecture"])
    page.get_by_role("searchbox", name="Search speeches by title").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".toast").get_by_role("button", name="Undo")).to_be_visible()
    expect(names(page)).to_have_text(["Lecture"])
    rows(page).first.focus()
    page.keyboard.press("Control+z")
    expect(names(page)).to_have_text(["Lecture", "Toast"])
    assert len(studio.get("/speeches")["speeches"]) == 2


def test_sp1_the_way_back_does_not_lead_to_a_speech_that_was_deleted_in_its_editor(visitor, studio):
    written(studio, "Toast")
    page = visitor.open("/practice")
    choose(page, "Toast", "Edit")
    expect(page.get_by_label("Text of the speech")).not_to_be_empty()
    page.get_by_role("button", name="More about this speech").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page).to_have_url(re.compile("/practice$"))
    page.go_back()
    expect(page).to_have_url(re.compile("/practice$"))
    expect(rows(page)).to_have_count(0)


def test_sp1_what_is_too_long_is_not_lost_when_the_page_is_left(visitor, studio):
    page = visitor.open("/practice/speeches/new")
    long = "Dear friends. " * 1_000
    field = page.get_by_label("Text of the speech")
    field.fill(long)
    expect(page.get_by_role("alert")).to_contain_text("characters too many")
    page.get_by_role("link", name="All practice").click()
    expect(page.locator(".toast")).to_contain_text("it stays here while this page is open")
    page.get_by_role("button", name="Write a speech").click()
    expect(field).to_have_value(long)
    expect(page.get_by_role("alert")).to_contain_text("characters too many")
    field.fill("Dear friends.")
    expect(page.get_by_text("Kept on this machine")).to_be_visible()
    assert [one["characters"] for one in studio.get("/speeches")["speeches"]] == [13]


def test_sp1_what_is_too_long_comes_back_with_its_speech_when_its_deletion_is_undone(visitor, studio):
    written(studio, "Toast")
    page = visitor.open("/practice")
    choose(page, "Toast", "Edit")
    field = page.get_by_label("Text of the speech")
    expect(field).not_to_be_empty()
    long = "Dear friends. " * 1_000
    field.fill(long)
    expect(page.get_by_role("alert")).to_contain_text("characters too many")
    page.get_by_role("button", name="More about this speech").click()
    page.get_by_role("menuitem", name="Delete").click()
    asks = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    wait_until(page, "() => location.pathname === '/practice'")
    assert not page.evaluate(asks)
    page.get_by_role("button", name="Undo").click()
    wait_until(page, asks)
    choose(page, "Toast", "Edit")
    expect(field).to_have_value(long)


def test_sp1_what_another_page_has_changed_is_shown_and_not_replaced_by_the_older_text(visitor, studio):
    speech = written(studio, "Toast")
    page = visitor.open(f"/practice/speeches/{speech}")
    field = page.get_by_label("Text of the speech")
    expect(field).not_to_be_empty()
    studio.send("PUT", f"/speeches/{speech}", {"title": "Toast", "text": "Other words.", "language": "en-GB"})
    expect(field).to_have_value("Other words.")


def left_unkept(visitor, studio):
    """A speech whose page was left when its text could not be kept, the page that it was left for, and the field of its text."""
    speech = written(studio, "Toast")
    page = visitor.open(f"/practice/speeches/{speech}")
    field = page.get_by_label("Text of the speech")
    expect(field).not_to_be_empty()
    page.route(f"**/api/speeches/{speech}", lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    field.fill("Dear friends.")
    page.get_by_role("link", name="All practice").click()
    expect(page.locator(".toast")).to_contain_text("What you wrote last is not kept yet")
    return speech, page, field


@pytest.mark.expects_console("ERR_FAILED")
def test_sp1_what_could_not_be_kept_when_the_page_was_left_is_told_and_not_lost(visitor, studio):
    speech, page, field = left_unkept(visitor, studio)
    asks = "() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; }"
    assert page.evaluate(asks)
    page.get_by_role("row").filter(has_text="Toast").click()
    expect(field).to_have_value("Dear friends.")
    page.unroute(f"**/api/speeches/{speech}")
    page.get_by_role("link", name="All practice").click()
    wait_until(page, "async (id) => (await (await fetch(`/api/speeches/${id}`)).json()).text === 'Dear friends.'", speech)
    wait_until(page, asks.replace("return event", "return !event"))


@pytest.mark.expects_console("ERR_FAILED", "status of 409")
def test_sp1_what_could_not_be_kept_replaces_nothing_that_another_page_has_changed_since(visitor, studio):
    speech, page, field = left_unkept(visitor, studio)
    studio.send("PUT", f"/speeches/{speech}", {"title": "Toast", "text": "Other words.", "language": "en-GB"})
    expect(rows(page).first).to_contain_text("12 characters")
    page.get_by_role("row").filter(has_text="Toast").click()
    expect(field).to_have_value("Dear friends.")
    with page.expect_event("requestfailed", lambda request: request.method == "PUT"):
        page.get_by_role("link", name="All practice").click()
    expect(names(page)).to_have_text(["Toast"])
    page.unroute(f"**/api/speeches/{speech}")
    page.get_by_role("row").filter(has_text="Toast").click()
    expect(field).to_have_value("Other words.")
    page.get_by_role("link", name="All practice").click()
    expect(rows(page)).to_have_count(2)
    wait_until(page, "() => dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    texts = [studio.get(f"/speeches/{one['id']}")["text"] for one in studio.get("/speeches")["speeches"]]
    assert sorted(texts) == ["Dear friends.", "Other words."]


@pytest.mark.expects_console("status of 404")
def test_sp1_what_is_written_in_a_speech_that_was_deleted_meanwhile_is_kept_as_another(visitor, studio):
    speech = written(studio, "Toast")
    page = visitor.open(f"/practice/speeches/{speech}")
    field = page.get_by_label("Text of the speech")
    expect(field).not_to_be_empty()
    studio.send("DELETE", f"/speeches/{speech}")
    field.fill("Dear friends.")
    expect(page).not_to_have_url(re.compile(speech))
    expect(page.get_by_text("Kept on this machine")).to_be_visible()
    [kept] = studio.get("/speeches")["speeches"]
    assert kept["id"] != speech
    assert studio.get(f"/speeches/{kept['id']}")["text"] == "Dear friends."


# The speech is loaded while what was written last is on its way, and the answer comes when that is kept.
LOADED_BEFORE = """(id) => {
  const plain = window.fetch;
  const loads = [];
  let saved = null;
  const released = new Promise((resolve) => (window.releaseSaving = resolve));
  window.fetch = async (url, options) => {
    if (!String(url).endsWith(id)) return plain(url, options);
    if (options.method === "PUT") return (saved = released.then(() => Promise.all(loads)).then(() => plain(url, options)));
    if (saved === null) return plain(url, options);
    const load = plain(url, options);
    loads.push(load);
    const answer = await load;
    await saved;
    await new Promise((resolve) => setTimeout(resolve));
    return answer;
  };
}"""


def test_sp1_a_speech_that_is_opened_again_while_it_is_being_kept_has_what_was_written_last(visitor, studio):
    speech = written(studio, "Toast")
    page = visitor.open(f"/practice/speeches/{speech}")
    field = page.get_by_label("Text of the speech")
    expect(field).not_to_be_empty()
    page.evaluate(LOADED_BEFORE, speech)
    field.fill("Dear friends.")
    page.get_by_role("link", name="All practice").click()
    page.get_by_role("row").filter(has_text="Toast").click()
    expect(page).to_have_url(re.compile(speech))
    page.evaluate("releaseSaving()")
    expect(field).to_have_value("Dear friends.")
    assert [one["id"] for one in studio.get("/speeches")["speeches"]] == [speech]
