"""UC5–UC11, UC15, UC16, FR25: the player bar, the queue, and the bookmark."""

import pytest
from playwright.sync_api import Page, expect

import tones
from conftest import NARROW
from parts import choose, dialog, expect_to_play
from places import RESTARTED, boxes_of, held_back, settle, wait_until


@pytest.fixture
def page(visitor, studio):
    """The library with three recordings, newest first, two of them in the queue."""
    ids = studio.seed()
    studio.send("POST", "/playback/entries", {"items": ids[:2]})
    return visitor.open("/library")


def bar(page: Page):
    return page.locator("echo-player-bar")


def press(page: Page, name: str) -> None:
    bar(page).get_by_role("button", name=name, exact=True).click()


def place(page: Page) -> float:
    return float(bar(page).locator(".seek-range").input_value())


def expect_place(page: Page, from_: float, to: float) -> None:
    wait_until(
        page,
        "([from, to]) => { const at = Number(document.querySelector('.seek-range')?.value); return at >= from && at <= to; }",
        [from_, to],
    )


def play(page: Page, name: str) -> None:
    page.locator(".row", has_text=name).click()
    expect(bar(page)).to_contain_text(name)
    expect(bar(page).get_by_role("button", name="Pause")).to_be_visible()


def test_uc5_uc6_a_recording_plays_and_pauses(page):
    play(page, "Recording 3")
    expect_to_play(page)
    press(page, "Pause")
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    paused = place(page)
    press(page, "Play")
    expect_to_play(page, paused)


def test_the_bar_names_the_voice_in_full_beside_a_short_title(page):
    play(page, "Recording 3")
    voice = bar(page).locator(".bar-voice")
    expect(voice).to_have_text("English (America)")
    needed, given = voice.evaluate("({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]")
    assert needed == given


def test_uc5_without_a_choice_the_first_of_the_queue_plays(page):
    press(page, "Play")
    expect(bar(page)).to_contain_text("Recording 1")
    expect_to_play(page)


def test_uc5_a_row_played_before_the_queue_is_known_is_not_queued_twice(page, studio):
    held, is_held = [], True
    page.route("**/api/playback", lambda route: held.append(route) if is_held else route.continue_())
    page.reload()
    page.locator(".row", has_text="Recording 1").click()
    wait_until(page, "() => document.querySelector('echo-player-bar button') !== null")
    held_back(page, held)
    is_held = False
    for route in held:
        route.continue_()
    expect(bar(page).get_by_role("button", name="Pause")).to_be_visible()
    assert [entry["item"]["name"] for entry in studio.get("/playback")["entries"]] == ["Recording 1", "Recording 2"]


def test_uc5_an_empty_queue_plays_nothing(visitor):
    page = visitor.open()
    expect(bar(page)).to_contain_text("Nothing is playing")
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_disabled()


def test_fr16_fr17_uc7_uc8_back_and_forward_go_by_the_step_that_is_set(page, studio):
    studio.send("PUT", "/settings/playback.step", {"value": "2"})
    play(page, "Recording 1")
    press(page, "Pause")
    bar(page).locator(".seek-range").fill("0")
    press(page, "Forward 2 seconds")
    expect_place(page, 1.9, 2.6)
    press(page, "Back 2 seconds")
    expect_place(page, 0, 0.6)
    press(page, "Back 2 seconds")
    expect_place(page, 0, 0.1)


def test_uc9_uc10_previous_restarts_the_first_and_next_stops_after_the_last(page):
    press(page, "Play")
    expect(bar(page)).to_contain_text("Recording 1")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")
    expect(bar(page).get_by_role("button", name="Next")).to_be_disabled()
    expect(bar(page).locator(".play-button")).to_be_focused()
    press(page, "Previous")
    expect(bar(page)).to_contain_text("Recording 1")
    press(page, "Pause")
    press(page, "Previous")
    expect_place(page, 0, 0.6)
    expect(bar(page)).to_contain_text("Recording 1")


def test_uc10_with_the_loop_set_the_first_of_the_queue_follows_its_last(page, studio):
    studio.send("PUT", "/settings/playback.loop", {"value": "on"})
    page.reload()
    press(page, "Play")
    expect(bar(page)).to_contain_text("Recording 1")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 1")


def queued_names(studio) -> list[str]:
    return [entry["item"]["name"] for entry in studio.get("/playback")["entries"]]


def to_its_last_half_second(page: Page) -> None:
    end = float(bar(page).locator(".seek-range").get_attribute("max"))
    bar(page).locator(".seek-range").fill(str(end - 0.5))


def test_uc9_speak_s_recent_narrations_are_played_through_as_they_are_shown(page, studio):
    page.get_by_role("link", name="Speak", exact=True).click()
    recent = page.locator("button.door-item")
    expect(recent).to_have_text(["Recording 3", "Recording 2", "Recording 1"])
    recent.nth(1).click()
    expect_to_play(page)
    expect(bar(page)).to_contain_text("Recording 2")
    to_its_last_half_second(page)
    expect(bar(page)).to_contain_text("Recording 1")
    assert len(studio.get("/playback")["entries"]) == 2


def test_uc9_uc10_a_list_is_played_through_as_it_is_sorted_and_the_queue_stays(page, studio):
    play(page, "Recording 3")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Previous")
    expect(bar(page)).to_contain_text("Recording 3")
    page.get_by_role("link", name="History").click()
    to_its_last_half_second(page)
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 1")
    expect(bar(page).get_by_role("button", name="Next")).to_be_disabled()
    assert queued_names(studio) == ["Recording 1", "Recording 2"]


def test_uc10_shift_and_an_arrow_lead_to_the_next_and_back_also_from_the_row_that_plays(page):
    row = page.locator(".row", has_text="Recording 3")
    row.focus()
    row.press("Enter")
    expect(bar(page)).to_contain_text("Recording 3")
    expect_to_play(page)
    row.press("Shift+ArrowRight")
    expect(bar(page)).to_contain_text("Recording 2")
    expect(row).to_be_focused()
    row.press("Shift+ArrowLeft")
    expect(bar(page)).to_contain_text("Recording 3")
    row.press("ArrowRight")
    expect(row.get_by_role("button").first).to_be_focused()


def test_uc9_previous_restarts_what_was_heard_for_more_than_three_seconds(page):
    play(page, "Recording 2")
    press(page, "Pause")
    bar(page).locator(".seek-range").fill("3.2")
    press(page, "Previous")
    expect_place(page, 0, 0.6)
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Previous")
    expect(bar(page)).to_contain_text("Recording 3")


def test_uc10_a_filtered_list_is_played_through_and_begun_again_with_the_loop_set(page, studio):
    ids = {item["name"]: item["id"] for item in studio.get("/library")["items"]}
    for name in ("Recording 1", "Recording 3"):
        studio.send("PATCH", f"/library/{ids[name]}", {"name": f"Harbour, {name}"})
    studio.send("PUT", "/settings/playback.loop", {"value": "on"})
    page.reload()
    page.get_by_role("searchbox").fill("Harbour")
    expect(page.locator(".row")).to_have_count(2)
    play(page, "Recording 3")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 1")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 3")


def test_uc10_the_recordings_are_played_through_as_they_are_sorted_and_filtered(visitor, studio):
    for name in ("Bell", "Anchor", "Compass"):
        sound = tones.write(studio.folder / f"{name}.wav")
        studio.post_file("/library/imports", sound)
    favourites = [one for one in studio.get("/library")["items"] if one["name"] != "Bell"]
    for one in favourites:
        studio.send("PATCH", f"/library/{one['id']}", {"isFavorite": True})
    page = visitor.open("/recordings")
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Name, A to Z").click()
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("menuitemradio", name="Favourites").click()
    expect(page.locator(".row")).to_have_count(2)
    choose(page, "Anchor", "Play")
    expect(bar(page)).to_contain_text("Anchor")
    page.get_by_role("link", name="History").click()
    to_its_last_half_second(page)
    expect(bar(page)).to_contain_text("Compass")
    expect(bar(page).get_by_role("button", name="Next")).to_be_disabled()
    press(page, "Previous")
    expect(bar(page)).to_contain_text("Anchor")


def test_uc5_with_nothing_chosen_and_no_queue_the_first_listed_plays(visitor, studio):
    studio.seed(2)
    page = visitor.open("/library")
    press(page, "Play")
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 1")
    assert queued_names(studio) == []


def test_uc10_after_a_reload_the_library_is_played_on(visitor, studio):
    studio.seed(2)
    page = visitor.open("/library")
    play(page, "Recording 2")
    press(page, "Pause")
    with page.expect_response("**/api/playback/bookmark"):
        bar(page).locator(".seek-range").fill("1")
    page.reload()
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 1")


def test_uc10_after_a_reload_the_list_is_played_on_as_it_was_sorted_and_filtered(visitor, studio):
    for name in ("Harbour C", "Bell", "Harbour A", "Harbour B"):
        studio.narrate("The tide comes in. It goes out again.", name)
    page = visitor.open("/library")
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Name, A to Z").click()
    page.get_by_role("searchbox").fill("Harbour")
    expect(page.locator(".row")).to_have_count(3)
    play(page, "Harbour A")
    press(page, "Pause")
    with page.expect_response("**/api/playback/bookmark"):
        bar(page).locator(".seek-range").fill("1")
    page.goto(studio.base + "/history")
    expect(bar(page)).to_contain_text("Harbour A")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Harbour B")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Harbour C")
    expect(bar(page).get_by_role("button", name="Next")).to_be_disabled()


def test_uc5_with_nothing_chosen_the_first_as_sorted_and_filtered_plays(visitor, studio):
    for name in ("Bell", "Harbour A", "Harbour C"):
        studio.narrate("The tide comes in. It goes out again.", name)
    page = visitor.open("/library")
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Name, A to Z").click()
    page.get_by_role("searchbox").fill("Harbour")
    expect(page.locator(".row")).to_have_count(2)
    press(page, "Play")
    expect(bar(page)).to_contain_text("Harbour A")


@pytest.mark.expects_console("status of 500")
def test_uc10_when_what_follows_cannot_be_found_that_is_said_and_looked_for_again(visitor, studio):
    studio.seed()
    page = visitor.open("/library")
    play(page, "Recording 3")
    refusal = {"code": "vault.system", "message": "The system refused: Input/output error.", "suggestion": "Make room."}
    page.route("**/api/library?*", lambda route: route.fulfill(status=500, json=refusal))
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Next")
    expect(bar(page).get_by_role("status")).to_have_text("The system refused: Input/output error.")
    expect(bar(page)).to_contain_text("Recording 2")
    page.unroute("**/api/library?*")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 1")


def test_uc11_the_speed_of_playback_changes_and_stays_between_recordings(page):
    play(page, "Recording 3")
    bar(page).get_by_role("button", name="Playback speed").click()
    field = page.get_by_role("dialog").locator(".slider-field")
    field.fill("3.5")
    field.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Give a value from 0.5× to 3×.")
    field.fill("2")
    field.press("Enter")
    page.keyboard.press("Escape")
    expect(bar(page).locator(".rate-button")).to_contain_text("2")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")
    expect(bar(page).locator(".rate-button")).to_contain_text("2")


def test_fr21_a_place_beyond_the_end_is_refused_with_the_range(page):
    play(page, "Recording 2")
    press(page, "Pause")
    bar(page).locator(".seek-range").fill("2")
    bar(page).get_by_role("button", name="go to a time").click()
    sheet = page.get_by_role("dialog")
    field = sheet.get_by_role("textbox")
    field.fill("59:00")
    sheet.get_by_role("button", name="Go").click()
    end = float(bar(page).locator(".seek-range").get_attribute("max"))
    last = f"0:{int(end):02}"
    expect(sheet.get_by_role("alert")).to_have_text(f"Times go from 0:00 to {last}.")
    expect_place(page, 1.9, 2.1)
    field.fill(last)
    field.press("Enter")
    expect(sheet).to_have_count(0)
    expect_place(page, int(end) - 0.1, int(end) + 0.1)


def test_fr21_what_is_no_time_is_refused_and_the_place_stays(page):
    play(page, "Recording 2")
    press(page, "Pause")
    for typed in ("9:99", "1:", "soon", "-3", "1:75:00"):
        bar(page).locator(".seek-range").fill("2")
        bar(page).get_by_role("button", name="go to a time").click()
        sheet = page.get_by_role("dialog")
        field = sheet.get_by_role("textbox")
        field.fill(typed)
        field.press("Enter")
        expect(sheet.get_by_role("alert"), typed).to_have_text("That is not a time. Minutes and seconds go up to 59.")
        expect(field).to_have_accessible_description("That is not a time. Minutes and seconds go up to 59.")
        expect_place(page, 1.9, 2.1)
        field.fill("0:01")
        field.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect_place(page, 0.9, 1.1)


def test_uc5_pressing_the_row_that_plays_neither_restarts_nor_queues_it(page, studio):
    play(page, "Recording 3")
    expect_to_play(page, 0.5)
    at = place(page)
    queued = len(studio.get("/playback")["entries"])
    page.locator(".row", has_text="Recording 3").click()
    expect_to_play(page, at)
    assert len(studio.get("/playback")["entries"]) == queued
    press(page, "Pause")
    at = place(page)
    page.locator(".row", has_text="Recording 3").click()
    expect_to_play(page, at)
    assert len(studio.get("/playback")["entries"]) == queued


def test_uc11_the_speed_stays_after_a_reload(page, studio):
    bar(page).locator(".rate-button").click()
    field = page.get_by_role("dialog").locator(".slider-field")
    field.fill("1.75")
    with page.expect_response("**/api/settings/playback.speed"):
        field.press("Enter")
    page.reload()
    expect(bar(page).locator(".rate-button")).to_contain_text("1.75×")
    assert [one["value"] for one in studio.get("/settings") if one["name"] == "playback.speed"] == ["1.75"]


def test_the_last_recording_ends_and_stops(page):
    play(page, "Recording 1")
    end = float(bar(page).locator(".seek-range").get_attribute("max"))
    bar(page).locator(".seek-range").fill(str(end - 0.5))
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()


# Media keys reach a page as actions of its media session; this records the handlers that a key would call.
KEEP_MEDIA_KEYS = """
    globalThis.mediaKeys = {};
    MediaSession.prototype.setActionHandler = (action, run) => { globalThis.mediaKeys[action] = run; };
"""


def media_key(page: Page, action: str, **details) -> None:
    page.evaluate("([action, details]) => mediaKeys[action]({ action, ...details })", [action, details])


def test_uc5_to_uc10_the_media_keys_work_the_player(page):
    page.context.add_init_script(KEEP_MEDIA_KEYS)
    page.reload()
    play(page, "Recording 1")
    expect_to_play(page)
    wait_until(page, "() => navigator.mediaSession.playbackState === 'playing'")
    assert page.evaluate("navigator.mediaSession.metadata.title") == "Recording 1"
    media_key(page, "pause")
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.evaluate("navigator.mediaSession.playbackState") == "paused"
    media_key(page, "seekto", seekTime=1)
    expect_place(page, 0.9, 1.1)
    media_key(page, "seekforward")
    end = float(bar(page).locator(".seek-range").get_attribute("max"))
    expect_place(page, end - 0.2, end)
    media_key(page, "seekbackward")
    expect_place(page, 0, 0.1)
    media_key(page, "previoustrack")
    expect(bar(page)).to_contain_text("Recording 2")
    assert page.evaluate("navigator.mediaSession.metadata.title") == "Recording 2"
    media_key(page, "nexttrack")
    expect(bar(page)).to_contain_text("Recording 1")
    media_key(page, "stop")
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    media_key(page, "play")
    expect_to_play(page)


@pytest.mark.expects_console("status of 500")
def test_uc10_a_problem_of_the_player_is_said_in_the_sheet_that_covers_it(visitor, studio):
    studio.seed()
    page = visitor.open("/library")
    page.context.add_init_script(KEEP_MEDIA_KEYS)
    page.reload()
    play(page, "Recording 3")
    refusal = {"code": "vault.system", "message": "The system refused: Input/output error.", "suggestion": "Make room."}
    page.route("**/api/library?*", lambda route: route.fulfill(status=500, json=refusal))
    choose(page, "Recording 1", "More info")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    for _ in range(2):
        media_key(page, "nexttrack")
        expect(bar(page)).to_contain_text("Recording 2")
    expect(sheet.locator(".toast")).to_contain_text("The system refused: Input/output error. Make room.")


def choose_sleep(page: Page, when: str) -> None:
    bar(page).locator(".sleep-button").click()
    page.get_by_role("menuitemradio", name=when).click()


def test_on_a_wide_page_the_sleep_timer_is_named_beside_its_moon(page):
    expect(bar(page).locator(".sleep-button").get_by_text("Sleep timer", exact=True)).to_be_visible()
    expect(bar(page).locator(".sleep-button")).to_have_accessible_name("Sleep timer")
    page.set_viewport_size({"width": 800, "height": 800})
    expect(bar(page).locator(".sleep-button").get_by_text("Sleep timer", exact=True)).to_be_hidden()


# The colors of a button's icon and of what is behind it.
ICON_COLORS = "(button) => { const { color, backgroundColor } = getComputedStyle(button); return [color, backgroundColor]; }"


def test_on_a_phone_the_icon_of_the_play_button_is_seen_under_a_pointer(page):
    play(page, "Recording 3")
    page.set_viewport_size(NARROW)
    button = bar(page).locator(".play-button")
    button.hover()
    settle(page)
    icon, behind = button.evaluate(ICON_COLORS)
    assert icon != behind


def test_the_player_rests_when_the_time_to_sleep_has_come(visitor, studio):
    studio.narrate("The tide comes in and goes out again. " * 40, "A long one")
    page = visitor.open("/library")
    page.clock.install()
    page.reload()
    play(page, "A long one")
    # Waiting within the page uses the page's clock.
    expect(bar(page).locator(".seek-range")).not_to_have_value("0")
    choose_sleep(page, "In 5 minutes")
    sleep = bar(page).locator(".sleep-button")
    expect(sleep).to_have_attribute("aria-pressed", "true")
    page.clock.fast_forward(4 * 60_000)
    expect(sleep).to_have_accessible_name("Sleep timer: 1 minute left")
    expect(bar(page).get_by_role("button", name="Pause")).to_be_visible()
    page.clock.fast_forward(60_000)
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(sleep).to_have_accessible_name("Sleep timer")
    assert 0 < place(page) < float(bar(page).locator(".seek-range").get_attribute("max"))


def test_the_player_rests_at_the_end_of_the_recording_and_the_next_does_not_begin(page):
    play(page, "Recording 3")
    choose_sleep(page, "When this ends")
    sleep = bar(page).locator(".sleep-button")
    expect(sleep).to_have_attribute("aria-pressed", "true")
    end = float(bar(page).locator(".seek-range").get_attribute("max"))
    bar(page).locator(".seek-range").fill(str(end - 0.5))
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(bar(page)).to_contain_text("Recording 3")
    expect(sleep).not_to_have_attribute("aria-pressed", "true")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")


def queue_names(page: Page):
    return page.locator(".queue-row .row-title")


def test_the_menus_of_the_queue_stand_below_the_button_that_closes_it(page):
    press(page, "Queue")
    expect(queue_names(page)).to_have_count(2)
    # The sheet slides in.
    wait_until(page, "() => document.querySelector('dialog[open]').getAnimations().length === 0")
    boxes = boxes_of(page.locator(".queue-row > .button").or_(dialog(page).get_by_role("button", name="Close")))
    middles = [box["x"] + box["width"] / 2 for box in boxes]
    assert len(middles) == 3 and max(middles) - min(middles) <= 1, middles


def test_uc15_recordings_are_added_to_the_queue_and_reordered(page, studio):
    page.locator(".row", has_text="Recording 3").click(button="right")
    page.get_by_role("menuitem", name="Add to queue").click()
    press(page, "Queue")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    page.locator(".queue-main").last.focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 3", "Recording 2"])
    page.locator(".queue-handle").last.hover()
    page.mouse.down()
    page.locator(".queue-handle").first.hover(force=True)
    page.mouse.up()
    moving = "() => [...document.querySelectorAll('.queue-row')].flatMap((row) => row.getAnimations()).length"
    assert page.evaluate(moving) == 0, "what is dropped moves to its place once more"
    expect(queue_names(page)).to_have_text(["Recording 2", "Recording 1", "Recording 3"])
    page.reload()
    press(page, "Queue")
    expect(queue_names(page)).to_have_text(["Recording 2", "Recording 1", "Recording 3"])
    assert [entry["item"]["name"] for entry in studio.get("/playback")["entries"]] == [
        "Recording 2",
        "Recording 1",
        "Recording 3",
    ]


def test_uc15_a_row_is_carried_on_while_the_queue_changes(page, studio):
    page.locator(".row", has_text="Recording 3").click(button="right")
    page.get_by_role("menuitem", name="Add to queue").click()
    press(page, "Queue")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    first = studio.get("/playback")["entries"][0]["item"]["id"]
    page.locator(".queue-handle").last.hover()
    page.mouse.down()
    with page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/api/playback")) as news:
        studio.send("POST", "/playback/entries", {"items": [first]})
    news.value.finished()
    page.locator(".queue-handle").first.hover(force=True)
    page.mouse.up()
    expect(queue_names(page)).to_have_text(["Recording 3", "Recording 1", "Recording 2", "Recording 1"])


def test_uc15_a_press_on_a_row_of_the_queue_counts_and_the_focus_stays_when_the_queue_changes_meanwhile(page, studio):
    press(page, "Queue")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2"])
    first = studio.get("/playback")["entries"][0]["item"]["id"]
    more = page.get_by_role("button", name="More for Recording 2")
    more.focus()
    kept = more.element_handle()
    studio.send("POST", "/playback/entries", {"items": [first]})
    expect(queue_names(page)).to_have_count(3)
    assert kept.evaluate("(one) => one === document.activeElement"), "the button is the same"
    page.locator(".queue-main").nth(1).hover()
    page.mouse.down()
    studio.send("POST", "/playback/entries", {"items": [first]})
    expect(queue_names(page)).to_have_count(4)
    page.mouse.up()
    expect(page.locator(".queue-row.current .row-title")).to_have_text("Recording 2")


def test_uc16_one_and_several_are_removed_from_the_queue(page):
    page.locator(".row", has_text="Recording 3").click(button="right")
    page.get_by_role("menuitem", name="Add to queue").click()
    press(page, "Queue")
    page.get_by_role("button", name="More for Recording 2").click()
    page.get_by_role("menuitem", name="Remove from queue").click()
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 3"])
    page.get_by_role("dialog").get_by_role("button", name="Select").click()
    for checkbox in page.locator(".queue-row").get_by_role("checkbox").all():
        checkbox.click()
    page.get_by_role("button", name="Remove 2").click()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()


def test_uc16_ctrl_z_puts_back_what_was_removed_from_the_queue_and_a_queue_that_was_cleared(visitor, studio):
    studio.send("POST", "/playback/entries", {"items": studio.seed(2)})
    visitor.takes_time()
    page = visitor.open("/library")
    press(page, "Queue")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2"])
    page.locator(".queue-main").first.focus()
    page.keyboard.press("Delete")
    expect(queue_names(page)).to_have_text(["Recording 2"])
    page.keyboard.press("Control+z")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2"])
    page.get_by_role("dialog").get_by_role("button", name="Clear queue").click()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2"])
    assert queued_names(studio) == ["Recording 1", "Recording 2"]


def test_uc16_nothing_follows_the_last_of_the_queue_that_is_removed_elsewhere_while_it_plays(page, studio):
    press(page, "Play")
    expect(bar(page)).to_contain_text("Recording 1")
    press(page, "Next")
    expect(bar(page)).to_contain_text("Recording 2")
    press(page, "Queue")
    entry = studio.get("/playback")["entries"][1]["id"]
    studio.send("POST", "/playback/entries/remove", {"ids": [entry]})
    expect(queue_names(page)).to_have_text(["Recording 1"])
    page.keyboard.press("Escape")
    to_its_last_half_second(page)
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(bar(page)).to_contain_text("Recording 2")


@pytest.mark.expects_console(RESTARTED)
def test_fr25_the_place_is_restored_paused_when_the_server_was_restarted(visitor, page, studio):
    play(page, "Recording 2")
    press(page, "Pause")
    bar(page).locator(".seek-range").fill("2")
    expect_place(page, 1.9, 2.1)
    # Once another page knows it, it has been saved.
    page.goto(studio.base + "/history")
    expect_place(page, 1.9, 2.1)
    page.goto("about:blank")
    studio.restart()
    visitor.come_back(page, "/library")
    expect(bar(page)).to_contain_text("Recording 2")
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect_place(page, 1.9, 2.1)


def test_fr25_that_the_recording_heard_last_is_gone_is_told_once(visitor, page, studio):
    gone = studio.narrate("The tide comes in and goes out again.", "Soon gone")
    address = page.url
    # An open page would report it at once, and no later page would.
    page.goto("about:blank")
    studio.send("PUT", "/playback/bookmark", {"item": gone, "position": 1})
    studio.send("POST", "/library/delete", {"ids": [gone]})
    reported = page.get_by_text("The place that you heard last is lost. “Soon gone” is gone.")
    with page.expect_response(lambda one: one.request.method == "DELETE" and one.url.endswith("/playback/bookmark")):
        page.goto(address)
    expect(reported).to_be_visible()
    expect(bar(page)).to_contain_text("Nothing is playing")
    assert not studio.get("/playback")["isBookmarkLost"]


@pytest.mark.expects_console(RESTARTED, "fetching the script")
def test_a_silence_of_the_server_while_playing_is_recovered_from(visitor, studio, relay):
    long = studio.narrate("The tide comes in and goes out again. " * 40, "A long one")
    page = visitor.context().new_page()
    page.goto(relay.of(studio.new_address()))
    page.goto(relay.base + "/library")
    play(page, "A long one")
    expect_to_play(page)
    relay.fall_silent()
    expect(page.get_by_text("EchoText does not answer. Trying again…")).to_be_visible()
    at = place(page)
    relay.answer_again()
    expect(page.get_by_text("EchoText does not answer. Trying again…")).to_be_hidden()
    expect_to_play(page, at + 0.5)
    bar(page).locator(".seek-range").fill("60")
    expect_to_play(page, 60)
    assert studio.get(f"/library/{long}")["duration"] > 60
