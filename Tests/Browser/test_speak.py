"""UC1–UC4, UC24–UC26: a text is spoken, heard while it is made, stopped, and kept."""

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW, WIDE
from parts import drop, expect_to_play
from places import RESTARTED, wait_until
from studio import FIXTURES
from texts import LONG

# Before the first frame of a sheet, as something that comes late may.
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
  window.heardAnEnd = new Promise((heard) => {
    onServer("narration", ({ state }) => state === "finished" && heard(), new AbortController().signal);
  });
}"""


def write(page: Page, text: str) -> None:
    page.get_by_label("Text to speak").fill(text)


def expect_to_be_kept(studio) -> None:
    """Waits until the server has a recording, without the page."""
    [narration] = studio.get("/narrations") or [None]
    if narration is not None:
        studio.hear(narration["id"])


def generate(page: Page, text: str) -> None:
    write(page, text)
    page.get_by_role("button", name="Generate").click()


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
    expect(page.get_by_role("button", name="Generate")).to_be_disabled()


def test_uc1_a_passage_is_heard_before_all_is_made(visitor):
    page = visitor.open()
    generate(page, LONG)
    expect_to_play(page)
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    expect(page.locator("echo-reading-text")).to_be_visible()


def test_uc2_what_was_spoken_is_kept_when_it_is_terminated(visitor):
    page = visitor.open()
    generate(page, LONG)
    expect_to_play(page)
    page.get_by_role("button", name="Stop and keep what was spoken").click()
    expect(page.locator(".saved-name")).to_contain_text("Stopped. What was spoken is saved as")
    assert visitor.studio.get("/narrations") == []
    [item] = visitor.studio.get("/library")["items"]
    assert 0 < item["words"]
    page.locator(".saved-tools").get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Text to speak")).to_have_value(LONG)
    assert visitor.studio.get("/library")["total"] == 0


def test_uc3_uc4_it_is_paused_resumed_and_muted_while_it_is_made(visitor):
    page = visitor.open()
    generate(page, LONG)
    expect_to_play(page)
    row = page.locator(".running")
    row.get_by_role("button", name="Pause").click()
    expect(row.get_by_role("button", name="Play")).to_be_visible()
    before = float(page.locator(".seek-range").input_value())
    row.get_by_role("button", name="Play").click()
    expect_to_play(page, before)
    row.get_by_role("button", name="Mute").click()
    expect(page.locator("echo-player-bar").get_by_role("button", name="Sound on")).to_be_visible()
    row.get_by_role("button", name="Sound on").click()
    expect(row.get_by_role("button", name="Mute")).to_be_visible()


def test_uc24_uc25_uc26_voice_speed_and_pitch_are_the_recording_s(visitor):
    page = visitor.open()
    page.locator(".chip-voice").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("searchbox").fill("fixture")
    sheet.get_by_role("radio").first.click()
    page.keyboard.press("Escape")
    for name, value in (("Speed", "1.3"), ("Pitch", "0.8")):
        page.locator(f".chip-{name.lower()}").click()
        field = page.get_by_role("dialog").locator(".slider-field")
        field.fill(value)
        field.press("Enter")
        page.keyboard.press("Escape")
    generate(page, "A voice of its own.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    [item] = visitor.studio.get("/library")["items"]
    narration = item["narration"]
    assert (narration["engine"], narration["speed"], narration["pitch"]) == ("sherpa-onnx", 1.3, 0.8)


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


def test_uc25_a_sheet_that_grows_as_it_opens_stays_in_sight(visitor):
    page = visitor.open()
    page.evaluate(GROWS_AS_IT_OPENS)
    page.locator(".chip-speed").click()
    last = page.get_by_role("dialog").locator(".sheet-actions button")
    expect(page.locator(".grown")).to_be_attached()
    expect(last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": WIDE["width"], "height": 400})
    expect(last).to_be_in_viewport(ratio=1)
    page.set_viewport_size(NARROW)
    expect(last).to_be_in_viewport(ratio=1)
    assert page.get_by_role("dialog").bounding_box()["width"] == NARROW["width"]


@pytest.mark.parametrize("name, typed, kept", [("speed", "9", "1.5"), ("pitch", "0.1", "0.5")])
def test_uc25_uc26_a_value_beyond_the_range_becomes_its_end(visitor, name, typed, kept):
    page = visitor.open()
    page.locator(f".chip-{name}").click()
    field = page.get_by_role("dialog").locator(".slider-field")
    field.fill(typed)
    field.press("Enter")
    expect(page.locator(f".chip-{name} .chip-value")).to_contain_text(kept)


def test_a_reload_while_it_is_made_takes_the_view_up_again(visitor):
    page = visitor.open()
    generate(page, LONG)
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    visitor.expected.append("dialog: beforeunload")
    page.reload()
    expect(page.get_by_role("progressbar", name="Speech made")).to_be_visible()
    expect(page.locator("echo-reading-text")).to_contain_text("Sentence number 1 ")
    page.locator(".running").get_by_role("button", name="Play").click()
    expect_to_play(page)


def test_a_text_that_is_done_before_the_server_is_heard_is_shown_as_kept(visitor):
    page = visitor.context().new_page()
    held, is_held = [], True
    page.route("**/api/events", lambda route: held.append(route) if is_held else route.continue_())
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
    page.evaluate(HEARS_AN_END)
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/api/narrations")) as order:
        generate(page, "Short.")
    answer = visitor.studio.send("POST", "/narrations", order.value.post_data_json)
    page.evaluate("() => window.heardAnEnd")
    held[0].fulfill(status=201, json=answer)
    expect(page.locator(".saved-name")).to_contain_text("Saved as")


def test_leaving_while_it_is_made_is_warned_of(visitor):
    page = visitor.open()
    generate(page, LONG)
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
    expect(field).to_have_value("Öösel oli sadam vaikne.")
    expect(page.locator(".word-counter")).to_have_text("4 / 10,000 words")
    page.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Written by hand.")


def test_uc1_a_file_that_is_no_text_though_its_name_says_so_is_refused_with_the_reason(visitor, tmp_path):
    file = tmp_path / "unknown.txt"
    file.write_bytes(b"a\0b")
    page = visitor.open()
    write(page, "Written by hand.")
    drop(page, file)
    expect(page.get_by_text("Only plain text files can be dropped here.")).to_be_visible()
    expect(page.get_by_label("Text to speak")).to_have_value("Written by hand.")


@pytest.mark.expects_console("status of 422")
def test_fr4_a_file_that_is_no_text_goes_to_the_documents_and_what_was_written_stays(visitor, tmp_path):
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    page = visitor.open()
    write(page, "Written by hand.")
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    drop(page, file)
    expect(page.locator(".import")).to_contain_text("This is no document that EchoText can read.")
    page.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_label("Text to speak")).to_have_value("Written by hand.")


def test_vm9_why_a_narration_failed_is_told_also_after_a_reload(visitor, studio):
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
    generate(page, "Somebody else says this.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert item["narration"]["engine"] == "espeak-ng"
