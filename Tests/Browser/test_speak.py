"""UC1–UC4, UC24–UC26: a text is spoken, played while it is generated, stopped, and saved."""

import re

import pytest
from playwright.sync_api import Page, expect

import tones
from conftest import NARROW, WIDE
from parts import drop, expect_to_play, names
from places import RESTARTED, boxes_of, come_to_rest, evaluate, held_back, press_chip, wait_until
from studio import FIXTURES
from texts import LONG, takes_minutes

# Makes a sheet grow before its first frame, as late content may.
GROWS_AS_IT_OPENS = """() => {
  new MutationObserver((_, watcher) => {
    const content = document.querySelector("dialog.sheet .sheet-content");
    if (content === null) return;
    watcher.disconnect();
    const grown = document.createElement("div");
    grown.className = "grown";
    grown.style.setProperty("flex", "0 0 2000px");
    grown.style.setProperty("height", "2000px");
    content.append(grown);
  }).observe(document.body, { childList: true });
}"""

HEARS_AN_END = """async () => {
  const { onServer } = await import("/server/events.js");
  window.hasHeardAnEnd = false;
  onServer("narration", ({ state }) => (window.hasHeardAnEnd ||= state === "finished"), new AbortController().signal);
}"""


def wait_for_an_end(page: Page) -> None:
    """Waits until the page has received the end of a narration."""
    wait_until(page, "() => window.hasHeardAnEnd")


def write(page: Page, text: str) -> None:
    page.get_by_label("Text to speak").fill(text)


def expect_to_be_kept(studio) -> None:
    """Waits until the server has a recording, without the page."""
    [narration] = studio.get("/narrations") or [None]
    if narration is not None:
        studio.hear(narration["id"])


def generate(page: Page, text: str) -> None:
    write(page, text)
    page.get_by_role("button", name="Read aloud").click()


def test_uc1_a_text_is_generated_heard_and_kept(visitor):
    page = visitor.open()
    generate(page, "The harbour was quiet. A single lamp burned at its end.")
    expect_to_play(page)
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.goto(visitor.studio.base + "/library")
    expect(page.locator("echo-rows .row")).to_have_count(1)
    expect(page.locator("echo-rows .row")).to_contain_text("The harbour was quiet")


def test_uc1_the_words_are_counted_and_the_limit_is_told(visitor):
    page = visitor.open()
    write(page, "one two three")
    expect(page.locator(".word-counter")).to_have_text("3 / 10,000 words")
    write(page, "word " * 9_990)
    expect(page.get_by_text("10 words left of 10,000.")).to_be_visible()
    write(page, "word " * 10_001)
    expect(page.get_by_text("The text is 1 word longer")).to_be_visible()
    expect(page.get_by_role("button", name="Read aloud")).to_be_disabled()


def test_uc1_a_passage_is_heard_before_all_is_made(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    expect(page.locator("echo-reading-text")).to_be_visible()


def test_uc2_what_was_spoken_is_kept_when_it_is_terminated(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    stop(page, "Keep what was spoken")
    expect(page.locator(".saved-name")).to_contain_text("Stopped. What was spoken is saved as")
    assert visitor.studio.get("/narrations") == []
    [item] = visitor.studio.get("/library")["items"]
    assert 0 < item["words"]


def test_fr8_what_was_spoken_is_discarded_when_the_person_says_so(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    stop(page, "Discard what was spoken")
    expect(page.get_by_label("Text to speak")).to_have_value(LONG)
    expect(page.locator("echo-player-bar")).to_contain_text("Nothing is playing")
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    wait_until(page, "() => fetch('/api/narrations').then((one) => one.json()).then((all) => all.length === 0)")
    assert visitor.studio.get("/narrations") == []
    assert visitor.studio.get("/library")["total"] == 0


@pytest.mark.expects_console("status of 404")
def test_fr8_what_was_saved_while_the_choice_stood_open_is_deleted_when_it_is_to_be_discarded(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    [narration] = visitor.studio.get("/narrations")
    visitor.studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": True})
    page.get_by_role("menuitem", name="Discard what was spoken").click()
    toast = page.locator(".toast", has_text="was deleted.")
    expect(page.get_by_label("Text to speak")).to_have_value(LONG)
    toast.get_by_role("button", name="Undo").click()
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.locator(".saved-tools").get_by_role("button", name="Undo").click()
    toast.get_by_role("button", name="Dismiss").click()
    wait_until(page, "() => fetch('/api/library').then((one) => one.json()).then(({ total }) => total === 0)")


@pytest.mark.expects_console("status of 404")
def test_fr8_what_was_saved_while_the_choice_stood_open_is_no_failure_when_it_is_to_be_continued(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    [narration] = visitor.studio.get("/narrations")
    visitor.studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": True})
    with page.expect_response("**/api/narrations/*/stop"):
        page.get_by_role("menuitem", name="Leave it, to be continued later").click()
    wait_until(page, "() => fetch('/api/narrations').then(({ ok }) => ok)")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    expect(page.locator(".notice.error")).to_have_count(0)


def test_fr8_speech_goes_on_when_the_person_leaves_the_choice(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_focused()
    [narration] = visitor.studio.get("/narrations")
    assert narration["state"] == "speaking"


def test_fr8_what_was_saved_is_taken_back_and_brought_back_within_ten_seconds(visitor):
    page = visitor.open()
    generate(page, "The harbour was quiet.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.locator(".saved-tools").get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Text to speak")).to_have_value("The harbour was quiet.")
    assert visitor.studio.get("/library")["total"] == 1
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.locator(".saved-tools").get_by_role("button", name="Undo").click()
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    wait_until(page, "() => fetch('/api/library').then((one) => one.json()).then(({ total }) => total === 0)")


def stop(page: Page, choice: str) -> None:
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("menuitem", name=choice).click()


def test_uc3_uc4_it_is_paused_resumed_and_muted_while_it_is_made(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    bar = page.locator("echo-player-bar")
    bar.get_by_role("button", name="Pause").click()
    expect(bar.get_by_role("button", name="Play", exact=True)).to_be_visible()
    before = float(page.locator(".seek-range").input_value())
    bar.get_by_role("button", name="Play", exact=True).click()
    expect_to_play(page, before)
    bar.get_by_role("button", name="Mute", exact=True).click()
    bar.get_by_role("button", name="Unmute").click()
    expect(bar.get_by_role("button", name="Mute", exact=True)).to_be_visible()


def test_uc24_uc25_uc26_voice_speed_and_pitch_are_the_recording_s(visitor):
    page = visitor.open()
    press_chip(page, "voice")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("searchbox").fill("fixture")
    sheet.get_by_role("radio").first.click()
    page.keyboard.press("Escape")
    for name, value in (("Speed", "1.3"), ("Pitch", "0.8")):
        press_chip(page, name.lower())
        field = page.get_by_role("dialog").locator(".slider-field")
        field.fill(value)
        field.press("Enter")
        page.keyboard.press("Escape")
    generate(page, "A voice of its own.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    [item] = visitor.studio.get("/library")["items"]
    narration = item["narration"]
    assert (narration["engine"], narration["speed"], narration["pitch"]) == ("sherpa-onnx", 1.3, 0.8)


def test_uc24_on_a_phone_the_button_of_the_profile_names_the_profile(visitor):
    page = visitor.open(size=NARROW)
    expect(page.get_by_role("button", name="Profile Default")).to_be_visible()


# Whether the words of an element are seen, and not for screen readers alone.
IS_SEEN = "(element) => element.checkVisibility() && element.getBoundingClientRect().width > 8 && getComputedStyle(element).clipPath === 'none'"


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_each_button_under_the_text_says_what_it_changes_and_they_are_one_row(visitor, size):
    page = visitor.open(size=size)
    labels = page.locator(".chips .chip-label")
    expect(labels).to_have_text(["Voice", "Profile", "Speed", "Pitch"])
    expect(page.locator(".chip-value")).to_have_text([re.compile("^[^…]+$"), "Default", "1×", "1×"])
    for part in (labels, page.locator(".chip-value")):
        assert all(one.evaluate(IS_SEEN) for one in part.all())
    boxes = boxes_of(page.locator(".chip"))
    assert len({box["y"] for box in boxes}) == 1 and all(min(box["width"], box["height"]) >= 44 for box in boxes)


# The buttons under the text whose arrow is not seen, or is over their words.
WITHOUT_ARROW = """() => [...document.querySelectorAll(".chip")].filter((chip) => {
  const arrow = chip.querySelector(".chip-arrow").getBoundingClientRect();
  return arrow.width < 8 || [...chip.querySelectorAll(".chip-label, .chip-value")].some((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return left < arrow.right && arrow.left < right && top < arrow.bottom && arrow.top < bottom;
  });
}).map((chip) => chip.className)"""


# Whether each arrow stands on the line of its label, at the end of its button.
ARROWS_BESIDE_LABELS = """() => [...document.querySelectorAll(".chip")].map((chip) => {
  const [arrow, label, button] = [chip.querySelector(".chip-arrow"), chip.querySelector(".chip-label"), chip]
    .map((one) => one.getBoundingClientRect());
  const middle = (arrow.top + arrow.bottom) / 2;
  return middle > label.top && middle < label.bottom && button.right - arrow.right < 8;
})"""


@pytest.mark.parametrize("language", ["en-GB", "et"])
def test_on_a_phone_each_button_under_the_text_has_an_arrow_and_they_are_one_row(visitor, language):
    page = visitor.open(size=NARROW, language=language)
    expect(page.locator(".chip-value")).to_have_text([re.compile("^[^…]+$")] * 4)
    assert evaluate(page, WITHOUT_ARROW) == []
    assert len({box["y"] for box in boxes_of(page.locator(".chip"))}) == 1
    assert evaluate(page, ARROWS_BESIDE_LABELS) == [True] * 4
    room, last = page.locator(".generate").bounding_box(), page.locator(".chip-arrow").last.bounding_box()
    assert abs(last["x"] + last["width"] - room["x"] - room["width"]) <= 1, "the row is not as wide as the button below it"


def test_uc24_the_voice_in_use_stands_first_then_favourites_and_installed_ones(visitor, studio):
    studio.send("PUT", "/voices/favorites", {"voice": "espeak/et", "isFavorite": True})
    page = visitor.open()
    press_chip(page, "voice")
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".choice-heading")).to_have_text(["Chosen", "Favourites", "Installed", "Built in"])
    voices = sheet.get_by_role("radio")
    expect(voices.nth(0)).to_be_checked()
    expect(voices.nth(1)).to_contain_text("Estonian")
    expect(voices.nth(2)).to_contain_text(re.compile("^Fixture"))
    for one in (0, 1, 2):
        expect(voices.nth(one)).to_be_in_viewport()
    voices.nth(2).click()
    expect(voices.nth(2)).to_be_checked()
    expect(page.locator(".chip-voice .chip-value")).to_have_text("Fixture, English (US), low")


def test_uc24_a_speaker_is_chosen_by_name_and_heard(visitor, studio):
    page = visitor.open()
    press_chip(page, "voice")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Speaker")).to_have_count(0)
    sheet.get_by_role("radio", name=re.compile("^Fixture")).click()
    sheet.get_by_label("Speaker").select_option("high")
    with page.expect_response("**/api/voices/sample?*") as sample:
        sheet.get_by_role("button", name="Listen to Fixture").click()
    assert sample.value.ok and "speaker=1" in sample.value.url
    page.keyboard.press("Escape")
    expect(page.locator(".chip-voice .chip-value")).to_have_text("Fixture, English (US), high")
    generate(page, "Somebody says this.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert (item["narration"]["voiceName"], item["narration"]["speaker"]) == ("Fixture", 1)
    page.goto(studio.base + "/library")
    expect(page.locator(".row .row-details")).to_contain_text("Fixture, English (US)")
    page.locator(".row").get_by_role("button", name=re.compile("^More")).click()
    page.get_by_role("menuitem", name="More info").click()
    facts = page.get_by_role("dialog", name="More info")
    expect(facts.locator(".fact", has_text="Voice")).to_contain_text("Fixture, English (US)")
    expect(facts.locator(".fact", has_text="Speaker")).to_contain_text("high")


def test_uc24_voices_that_come_late_appear_in_the_open_sheet(visitor):
    page = visitor.open()
    held, is_held = [], True
    page.route("**/api/voices", lambda route: held.append(route) if is_held else route.continue_())
    page.reload()
    page.locator(".chip-voice").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    wait_until(page, "() => document.querySelector('echo-player-bar button') !== null")
    expect(page.get_by_role("dialog").get_by_role("radio")).to_have_count(0)
    is_held = False
    for route in held:
        route.continue_()
    expect(page.get_by_role("dialog").get_by_role("radio").first).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("radio", checked=True)).to_be_in_viewport()


@pytest.mark.expects_console("status of 500")
@pytest.mark.parametrize("what, name", [("voices", "voice"), ("profiles", "profile")])
def test_uc24_what_a_sheet_cannot_load_says_why_and_comes_when_it_is_tried_again(visitor, what, name):
    page = visitor.blank()
    refusal = {"code": "vault.system", "message": "The system refused: Input/output error.", "suggestion": "Make room."}
    page.route(f"**/api/{what}", lambda route: route.fulfill(status=500, json=refusal))
    page.goto(visitor.studio.base + "/speak")
    page.locator(f".chip-{name}").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("alert")).to_contain_text("The system refused: Input/output error.")
    page.unroute(f"**/api/{what}")
    sheet.get_by_role("button", name="Try again").click()
    expect(sheet.get_by_role("radio").first).to_be_visible()
    expect(sheet.get_by_role("alert")).to_have_count(0)
    assert not page.evaluate("document.activeElement === document.body"), "the focus is on the title"


@pytest.mark.expects_console("status of 500")
def test_uc24_profiles_that_come_while_their_failure_has_the_focus_leave_it_in_the_sheet(visitor):
    page = visitor.blank()
    refusal = {"code": "vault.system", "message": "The system refused: Input/output error.", "suggestion": "Make room."}
    page.route("**/api/profiles", lambda route: route.fulfill(status=500, json=refusal))
    page.goto(visitor.studio.base + "/speak")
    page.locator(".chip-profile").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Try again").focus()
    loaded = visitor.studio.get("/profiles")
    page.evaluate("async (all) => (await import('/core/store.js')).profiles.set(all)", loaded)
    expect(sheet.get_by_role("alert")).to_have_count(0)
    expect(sheet.get_by_role("heading").first).to_be_focused()


def test_uc25_a_sheet_that_grows_as_it_opens_stays_in_sight(visitor):
    page = visitor.open()
    page.evaluate(GROWS_AS_IT_OPENS)
    press_chip(page, "speed")
    last = page.get_by_role("dialog").locator(".sheet-actions button")
    expect(page.locator(".grown")).to_be_attached()
    expect(last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": WIDE["width"], "height": 400})
    expect(last).to_be_in_viewport(ratio=1)
    page.set_viewport_size(NARROW)
    expect(last).to_be_in_viewport(ratio=1)
    assert page.get_by_role("dialog").bounding_box()["width"] == NARROW["width"]


@pytest.mark.parametrize(
    "name, typed, reported",
    [("speed", "9", "from 0.5× to 1.5×"), ("pitch", "0.1", "from 0.5× to 2×"), ("speed", "fast", "from 0.5× to 1.5×")],
)
def test_fr3_uc25_uc26_a_value_beyond_the_range_is_refused_with_the_range(visitor, name, typed, reported):
    page = visitor.open()
    press_chip(page, name)
    sheet = page.get_by_role("dialog")
    field = sheet.locator(".slider-field")
    field.fill(typed)
    field.press("Enter")
    expect(sheet.get_by_role("alert")).to_contain_text(reported)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile(re.escape(reported)))
    expect(page.locator(f".chip-{name} .chip-value")).to_have_text("1×")
    field.fill("1.25")
    field.press("Enter")
    expect(sheet.get_by_role("alert")).to_have_count(0)
    expect(page.locator(f".chip-{name} .chip-value")).to_contain_text("1.25×")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", ["speed", "pitch"])
def test_uc25_uc26_the_ring_around_what_is_typed_stays_clear_of_the_words_above(visitor, name, size):
    page = visitor.open("/speak", size=size)
    press_chip(page, name)
    sheet = page.get_by_role("dialog")
    field = sheet.locator(".slider-field")
    field.focus()
    come_to_rest(page)
    [words], [box] = boxes_of(sheet.locator(".sheet-content > p")), boxes_of(field)
    ring = field.evaluate("(one) => ['outline-width', 'outline-offset'].map((name) => parseFloat(getComputedStyle(one)[name])).reduce((a, b) => a + b)")
    assert box["top"] - ring >= words["bottom"]


def test_uc25_a_speed_between_the_steps_of_the_range_is_the_recording_s(visitor):
    page = visitor.open()
    press_chip(page, "speed")
    field = page.get_by_role("dialog").locator(".slider-field")
    field.fill("1,23")
    field.press("Enter")
    expect(field).to_have_value("1.23×")
    field.press("ArrowUp")
    expect(field).to_have_value("1.28×")
    field.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.locator(".chip-speed")).to_contain_text("1.23×")
    generate(page, "A pace of its own.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    [item] = visitor.studio.get("/library")["items"]
    assert item["narration"]["speed"] == 1.23


def test_a_reload_while_it_is_made_takes_the_view_up_again(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    visitor.expected.append("dialog: beforeunload")
    page.reload()
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    expect(page.locator("echo-reading-text")).to_contain_text("Sentence number 1 ")
    page.locator("echo-player-bar").get_by_role("button", name="Play", exact=True).click()
    expect_to_play(page)


def test_a_text_that_is_done_before_the_server_is_heard_is_shown_as_kept(visitor):
    page = visitor.context().new_page()
    held, is_held = [], True
    page.route("**/api/events*", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(visitor.studio.new_address())
    generate(page, "Short.")
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    expect_to_be_kept(visitor.studio)
    is_held = False
    for route in held:
        route.continue_()
    expect(page.locator(".saved-name")).to_contain_text("Saved as")


def test_a_text_that_is_done_before_its_order_is_answered_is_shown_as_kept(visitor):
    page = visitor.open()
    held: list = []
    page.route("**/api/narrations", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    evaluate(page, HEARS_AN_END)
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/api/narrations")) as order:
        generate(page, "Short.")
    answer = visitor.studio.send("POST", "/narrations", order.value.post_data_json)
    wait_for_an_end(page)
    held[0].fulfill(status=201, json=answer)
    expect(page.locator(".saved-name")).to_contain_text("Saved as")


def test_leaving_while_it_is_made_is_warned_of(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    visitor.expected.append("dialog: beforeunload")
    with page.expect_event("dialog") as asked:
        page.goto("about:blank")
    assert asked.value.type == "beforeunload"


def test_uc1_a_text_file_is_dropped_and_what_was_written_can_be_had_back(visitor, tmp_path):
    file = tmp_path / "harbour.txt"
    file.write_text("Öösel oli sadam vaikne.", encoding="utf-8")
    page = visitor.open()
    field = page.get_by_label("Text to speak")
    write(page, "Written by hand.")
    drop(page, file)
    expect(page.get_by_role("dialog")).to_contain_text("it takes the place of the text that you have written.")
    expect(field).to_have_value("Written by hand.")
    page.get_by_role("dialog").get_by_role("button", name="Read aloud").click()
    expect(field).to_have_value("Öösel oli sadam vaikne.")
    expect(page.locator(".word-counter")).to_have_text("4 / 10,000 words")
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Written by hand.")


def test_uc1_what_was_written_can_be_had_back_once_the_text_in_its_place_is_not_read_aloud_any_more(visitor, tmp_path):
    file = tmp_path / "long.txt"
    file.write_text(LONG, encoding="utf-8")
    visitor.takes_time()
    page = visitor.open()
    field = page.get_by_label("Text to speak")
    write(page, "Written by hand.")
    drop(page, file)
    page.get_by_role("dialog").get_by_role("button", name="Read aloud").click()
    expect(field).not_to_have_value("Written by hand.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Read aloud").click()
    expect_to_play(page)
    undo = page.locator(".toast").get_by_role("button", name="Undo")
    undo.click()
    expect(page.locator(".toast")).to_contain_text("The text is still being read aloud.")
    stop(page, "Leave it, to be continued later")
    undo.click()
    expect(field).to_have_value("Written by hand.")


@pytest.mark.expects_console("status of 422")
def test_uc1_a_file_that_is_no_text_though_its_name_says_so_is_refused_with_the_reason(visitor, tmp_path):
    file = tmp_path / "unknown.txt"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    page = visitor.open()
    write(page, "Written by hand.")
    drop(page, file)
    expect(page.locator(".import")).to_contain_text("EchoText cannot read this file")
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_label("Text to speak")).to_have_value("Written by hand.")


def test_uc1_sound_with_the_name_of_a_text_becomes_a_recording(visitor, tmp_path):
    file = tones.write_phrases(tmp_path / "note.txt", ["good", "mor", "ning"])
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    drop(page, file)
    expect(page.get_by_role("heading", name="Recordings", level=1)).to_be_visible()
    expect(names(page)).to_have_text(["note"])


@pytest.mark.parametrize(
    "encoding, named, text",
    [
        ("cp1251", "1251", "Гавань была тиха ранним утром. Одинокая лампа ещё горела на конце пирса, и чайки молчали."),
        ("latin-1", "1252", "Öösel oli sadam vaikne ja külm. Üks lamp põles veel muuli otsas, ja näha polnud ühtegi hülge jälge."),
        ("shift_jis", "shift", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"),
        ("utf-16", None, "Öösel oli sadam vaikne."),
    ],
    ids=["cp1251", "latin-1", "shift-jis", "utf-16"],
)
def test_uc1_a_text_file_in_another_encoding_is_read_and_the_guess_is_told(visitor, tmp_path, encoding, named, text):
    file = tmp_path / "harbour.txt"
    file.write_bytes(text.encode(encoding))
    page = visitor.open()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    drop(page, file)
    expect(page.get_by_label("Text to speak")).to_have_value(text)
    if named is None:
        expect(page.locator(".toast")).to_have_count(0)
    else:
        expect(page.locator(".toast")).to_contain_text("does not say how its characters are written")
        expect(page.locator(".toast")).to_contain_text(re.compile(named, re.IGNORECASE))


@pytest.mark.expects_console("status of 422")
def test_uc1_an_empty_text_file_is_refused_with_the_reason(visitor, tmp_path):
    file = tmp_path / "empty.txt"
    file.write_bytes(b"")
    page = visitor.open()
    write(page, "Written by hand.")
    drop(page, file)
    page.get_by_role("dialog").get_by_role("button", name="Read aloud").click()
    expect(page.get_by_text("There is nothing in this file.")).to_be_visible()
    expect(page.get_by_label("Text to speak")).to_have_value("Written by hand.")


def test_uc1_a_text_over_the_limit_becomes_a_document_in_one_press(visitor):
    page = visitor.open()
    text = " ".join(f"Word{n}" for n in range(10_050)) + "."
    write(page, text)
    expect(page.locator(".speak-below")).to_contain_text("50 words longer")
    page.get_by_role("button", name="Make a document of it").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("10,050 words")
    expect(sheet.get_by_role("button", name="Read aloud")).to_be_enabled()
    [document] = visitor.studio.get("/documents")["documents"]
    assert document["words"] == 10_050
    assert page.url.endswith(f"/documents/{document['id']}")
    page.keyboard.press("Escape")
    expect(page.locator("echo-document-text")).to_contain_text("Word0 Word1")
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_label("Text to speak")).to_have_value("")


@pytest.mark.expects_console("status of 507")
def test_uc1_a_text_that_cannot_become_a_document_stays_with_the_reason(visitor):
    page = visitor.open()
    text = "Word " * 10_001
    write(page, text)
    problem = {"code": "library.disk-full", "message": "The disk is full."}
    page.route("**/api/documents?**", lambda route: route.fulfill(status=507, json=problem))
    page.get_by_role("button", name="Make a document of it").click()
    expect(page.locator(".speak-below").get_by_role("alert")).to_contain_text("full")
    expect(page.get_by_label("Text to speak")).to_have_value(text)


@pytest.mark.expects_console("status of 422")
def test_fr4_a_file_that_is_no_text_goes_to_the_documents_and_what_was_written_stays(visitor, tmp_path):
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    page = visitor.open()
    write(page, "Written by hand.")
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    drop(page, file)
    expect(page.locator(".import")).to_contain_text("EchoText cannot read this file")
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_label("Text to speak")).to_have_value("Written by hand.")


def test_a_second_press_before_a_sheet_has_come_opens_no_other(visitor):
    page = visitor.open("/history")
    held, is_held = [], True
    page.route("**/pages/speak/sheets.js", lambda route: held.append(route) if is_held else route.continue_())
    page.get_by_role("link", name="Speak", exact=True).first.click()
    press_chip(page, "speed")
    press_chip(page, "speed")
    held_back(page, held)
    is_held = False
    for route in held:
        route.continue_()
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_vm9_why_a_narration_failed_is_told_also_after_a_reload(visitor, studio):
    studio.begin()
    [place] = (studio.folder / "voices").iterdir()
    place.unlink()
    place.symlink_to(FIXTURES / "bad" / "says-not-a-number")
    [broken] = [voice for voice in studio.get("/voices") if voice["engine"] == "sherpa-onnx"]
    settings = {"voice": broken["id"], "speaker": 0, "speed": 1, "pitch": 1}
    profile = studio.send("POST", "/profiles", {"name": "Broken", **settings})
    studio.send("PUT", "/profiles/chosen", {"id": profile["id"]})
    page = visitor.open()
    generate(page, "Nobody can say this.")
    reason = page.locator(".speak-below").get_by_role("alert")
    expect(reason).to_contain_text("cannot be loaded: it is damaged")
    page.reload()
    expect(reason).to_contain_text("cannot be loaded: it is damaged")
    expect(reason).to_contain_text("Install the voice again, or choose another.")
    expect(reason.get_by_role("button", name="Continue")).to_be_visible()
    expect(reason.get_by_role("button", name="Keep what was spoken")).to_be_hidden()
    reason.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Text to speak")).to_have_value("Nobody can say this.")
    page.locator(".toast").get_by_role("button", name="Dismiss").click()
    wait_until(page, "() => fetch('/api/narrations').then((one) => one.json()).then((all) => all.length === 0)")
    assert studio.get("/narrations") == []


@pytest.mark.expects_console(RESTARTED)
def test_a_voice_that_is_gone_is_told_and_another_speaks(visitor, studio):
    fixture = next(voice for voice in studio.get("/voices") if voice["engine"] == "sherpa-onnx")
    settings = {"voice": fixture["id"], "speaker": 0, "speed": 1, "pitch": 1}
    profile = studio.send("POST", "/profiles", {"name": "Neural", **settings})
    studio.send("PUT", "/profiles/chosen", {"id": profile["id"]})
    for voice in (studio.folder / "voices").iterdir():
        voice.unlink()
    studio.restart()
    page = visitor.open("/settings/speech")
    expect(page.get_by_text("The voice of the chosen profile is missing; another one speaks for it.")).to_be_visible()
    page.goto(studio.base + "/speak")
    expect(page.locator(".chip-voice .chip-value")).to_have_text("Fixture (not installed)")
    generate(page, "Somebody else says this.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert item["narration"]["engine"] == "espeak-ng"
