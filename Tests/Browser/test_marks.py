"""The marks and the waveform of a recording, in its transcript and on the position bar."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from parts import dialog
from places import evaluate, held_back, settle, wait_until
from transcripts import RATE, TEXTS, open_talk, record, tools, write


def test_marks_are_seen_in_the_text_and_on_the_position_bar_and_are_named_later(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3.5, "label": None}, {"seconds": 7, "label": "Night"}]})
    page = open_talk(visitor, talk)
    marks = page.locator(".segment-mark")
    expect(marks).to_have_text(["0:03Mark", "0:07Night"])
    expect(page.locator("echo-player-bar .seek-mark")).to_have_count(2)
    tools(page).get_by_role("button", name="2 marks").click()
    sheet = dialog(page)
    sheet.get_by_label("Name of the mark at 0:03").fill("The harbour")
    sheet.get_by_label("Name of the mark at 0:07").focus()
    wait_until(page, "async (item) => (await (await fetch(`/api/library/${item}/marks`)).json())[0].label === 'The harbour'", talk)
    sheet.get_by_role("button", name="Remove the mark at 0:07").click()
    expect(sheet.locator(".mark-row")).to_have_count(1)
    expect(sheet.get_by_role("button", name="Remove the mark at 0:03")).to_be_focused()
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.locator(".mark-row")).to_have_count(2)
    sheet.get_by_role("button", name="Mark 0:00").click()
    expect(sheet.get_by_label("Name of the mark at 0:00")).to_be_focused()
    sheet.get_by_role("button", name="Close").click()
    expect(marks).to_have_text(["0:00Mark", "0:03The harbour", "0:07Night"])


@pytest.mark.expects_console("status of 507")
def test_marks_that_come_from_elsewhere_stay_when_one_is_named_and_a_refused_name_is_saved_with_the_next(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3.5}, {"seconds": 7, "label": "Night"}]})
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="2 marks").click()
    sheet = dialog(page)

    def name(place: str, label: str) -> None:
        field = sheet.get_by_label(f"Name of the mark at {place}")
        field.fill(label)
        field.press("Tab")

    def expect_kept(*labels: str | None) -> None:
        wait_until(page, "async ([item, labels]) => JSON.stringify((await (await fetch(`/api/library/${item}/marks`)).json()).map((mark) => mark.label)) === JSON.stringify(labels)", [talk, labels])

    # As another page or a command does it.
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3.5}, {"seconds": 5, "label": "Elsewhere"}]})
    name("0:03", "The harbour")
    expect_kept("The harbour", "Elsewhere")
    full = {"code": "vault.read-only", "message": "The disk is full."}
    page.route("**/marks", lambda route: route.fulfill(status=507, json=full) if route.request.method == "PUT" else route.continue_())
    name("0:07", "The storm")
    expect(sheet.get_by_role("alert")).to_be_visible()
    page.unroute("**/marks")
    name("0:03", "The lighthouse")
    expect_kept("The lighthouse", "Elsewhere", "The storm")


def test_the_name_of_a_mark_that_is_being_typed_stays_when_another_mark_comes(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 7}]})
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="2 marks").click()
    sheet = dialog(page)
    held = []
    page.route(f"**/api/library/{talk}/marks", lambda route: held.append(route) if route.request.method == "PUT" else route.continue_())
    sheet.get_by_role("button", name="Mark 0:00").click()
    held_back(page, held)
    name = sheet.get_by_label("Name of the mark at 0:07")
    name.fill("Night")
    held[0].continue_()
    expect(sheet.locator(".mark-row")).to_have_count(3)
    expect(name).to_have_value("Night")
    expect(name).to_be_focused()
    name.press("Enter")
    held_back(page, held, 2).continue_()
    wait_until(page, "async (item) => (await (await fetch(`/api/library/${item}/marks`)).json())[2]?.label === 'Night'", talk)


@pytest.mark.expects_console("status of 409")
def test_marks_that_come_while_one_is_saved_stay_beside_it(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}]})
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="1 mark").click()
    sheet = dialog(page)
    held = []
    page.route(f"**/api/library/{talk}/marks", lambda route: held.append(route) if route.request.method == "PUT" and not held else route.continue_())
    sheet.get_by_role("button", name="Mark 0:00").click()
    late = held_back(page, held)
    # As another page or a command does it, after this one has loaded the marks.
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 5, "label": "Elsewhere"}]})
    late.continue_()
    expect(sheet.locator(".mark-row")).to_have_count(3)
    wait_until(page, "async (item) => JSON.stringify((await (await fetch(`/api/library/${item}/marks`)).json()).map((mark) => mark.label)) === '[null,null,\"Elsewhere\"]'", talk)


@pytest.mark.expects_console("ERR_FAILED")
def test_a_mark_whose_answer_was_lost_is_there_once_when_it_is_added_again(visitor, studio, talk):
    path = f"/library/{talk}/marks"
    studio.send("PUT", path, {"marks": [{"seconds": 3}]})
    page = open_talk(visitor, talk)
    tools(page).get_by_role("button", name="1 mark").click()
    sheet = dialog(page)

    def lose(route):
        if route.request.method != "PUT":
            route.continue_()
            return
        studio.send("PUT", path, route.request.post_data_json)
        route.abort()

    page.route(f"**/api{path}", lose)
    sheet.get_by_role("button", name="Mark 0:00").click()
    expect(sheet.get_by_role("alert")).to_be_visible()
    page.unroute(f"**/api{path}")
    sheet.get_by_role("button", name="Mark 0:00").click()
    expect(sheet.locator(".mark-row")).to_have_count(2)
    assert [mark["seconds"] for mark in studio.get(path)] == [0, 3]
    sheet.get_by_role("button", name="Mark 0:00").click()
    expect(sheet.locator(".mark-row")).to_have_count(3)


def test_keys_lead_to_the_next_and_the_previous_mark(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 7}]})
    page = open_talk(visitor, talk)
    expect(page.locator("echo-player-bar .seek-mark")).to_have_count(2)
    elapsed = page.locator("echo-player-bar button.seek-time")
    page.keyboard.press(".")
    expect(elapsed).to_have_text("0:03")
    page.keyboard.press(".")
    expect(elapsed).to_have_text("0:07")
    page.keyboard.press(",")
    expect(elapsed).to_have_text("0:03")


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_buttons_of_the_players_full_view_lead_from_mark_to_mark(visitor, studio, talk, size):
    page = open_talk(visitor, talk, size=size)
    page.locator("echo-player-bar .bar-open").click()
    view = page.locator("dialog.player-view")
    following, before = (view.get_by_role("button", name=f"{which} mark") for which in ("Next", "Previous"))
    expect(view.locator(".play-button")).to_be_visible()
    expect(following).to_have_count(0)
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 7}]})
    elapsed = view.locator("button.seek-time")
    for button, time in ((following, "0:03"), (following, "0:07"), (before, "0:03")):
        button.click()
        expect(elapsed).to_have_text(time)
    for button in (following, before):
        box = button.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44
    assert evaluate(page, "() => document.documentElement.scrollWidth <= innerWidth")
    studio.send("PUT", f"/library/{talk}/marks", {"marks": []})
    expect(before).to_have_count(0)
    expect(view.locator(".play-button")).to_be_focused()


def test_the_name_of_a_mark_is_seen_under_the_pointer_and_said_where_keys_lead_to_it(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3, "label": "The harbour"}, {"seconds": 9}]})
    page = open_talk(visitor, talk)
    line = page.locator("echo-player-bar .seek-line")
    expect(line.locator(".seek-mark")).to_have_count(2)
    expect(line.locator("input")).to_have_attribute("aria-valuetext", "0:00 of 0:12")
    tick = line.locator(".seek-mark").first.bounding_box()
    page.mouse.move(tick["x"] + 3, tick["y"] + tick["height"] / 2)
    name = line.locator(".seek-name")
    expect(name).to_have_text("0:03 The harbour")
    expect(name).to_be_visible()
    page.mouse.move(tick["x"] + 40, tick["y"] + tick["height"] / 2)
    expect(name).to_be_hidden()
    page.keyboard.press(".")
    expect(line.locator("[aria-live=polite]")).to_have_text("0:03 The harbour")
    page.keyboard.press(".")
    expect(line.locator("[aria-live=polite]")).to_have_text("0:09 Mark")


def test_marks_on_a_phone_stand_within_the_bar(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}, {"seconds": 11.5}]})
    page = open_talk(visitor, talk, size=NARROW)
    ticks = page.locator("echo-player-bar .seek-mark")
    expect(ticks).to_have_count(2)
    settle(page)
    bar = page.locator("echo-player-bar").bounding_box()
    for n in range(2):
        tick = ticks.nth(n).bounding_box()
        assert bar["y"] - 2 <= tick["y"] and tick["y"] + tick["height"] <= bar["y"] + bar["height"]
        assert tick["height"] > 6, "it is seen"


def test_marks_on_the_position_bar_are_seen_in_forced_colours(visitor, studio, talk):
    studio.send("PUT", f"/library/{talk}/marks", {"marks": [{"seconds": 3}]})
    page = open_talk(visitor, talk)
    page.emulate_media(forced_colors="active")
    expect(page.locator("echo-player-bar .seek-mark")).to_have_count(1)
    mark, bar = (
        evaluate(page, "(place) => getComputedStyle(document.querySelector(place)).backgroundColor", place)
        for place in (".seek-mark", "echo-player-bar")
    )
    assert mark != bar


# Whether the outline holds a place of the loud half of the sound, and one of the silent half.
HOLDS_HALVES = """() => {
  const path = document.querySelector(".player-view .seek-wave path") ?? document.querySelector(".seek-wave path");
  return [128, 384].map((x) => path.isPointInFill(new DOMPoint(x, 0.5)));
}"""


def record_halves(studio) -> str:
    """A recording with a transcript, of 6 s of loud sound and as much silence; its id."""
    item = record(studio, sound=b"\x00\x40\x00\xc0" * (3 * RATE) + bytes(2 * 6 * RATE))
    write(studio, item, TEXTS)
    return item


def test_the_waveform_is_drawn_behind_the_position_line_and_flat_where_it_is_silent(visitor, studio):
    page = open_talk(visitor, record_halves(studio))
    path = page.locator("echo-player-bar .seek-wave path")
    expect(path).to_have_attribute("d", re.compile("^M0 0L"))
    assert evaluate(page, HOLDS_HALVES) == [True, False]
    line = page.locator("echo-player-bar .seek-range")
    box = line.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
    expect(line).to_have_attribute("aria-valuetext", "0:07 of 0:12")


def test_on_a_narrow_page_the_waveform_is_in_the_players_full_view_and_requested_only_there(visitor, studio):
    page = open_talk(visitor, record_halves(studio), size={"width": 360, "height": 780})
    expect(page.locator("echo-player-bar .seek-silence")).to_have_count(3)
    expect(page.locator("echo-player-bar .seek-wave")).to_be_hidden()
    assert evaluate(page, "() => performance.getEntriesByType('resource').every(({ name }) => !name.endsWith('/waveform'))")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.locator("echo-player-bar .bar-open").click()
    view = page.locator("dialog.player-view")
    expect(view.locator(".seek-wave path")).to_have_attribute("d", re.compile("^M0 0L"))
    assert evaluate(page, HOLDS_HALVES) == [True, False]
    assert len([url for url in requests if url.endswith("/waveform")]) == 1
    assert evaluate(page, "() => document.documentElement.scrollWidth <= innerWidth")
