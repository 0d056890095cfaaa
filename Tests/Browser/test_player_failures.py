"""FR14, FR22–FR24: what the player and the queue report when something fails, and what can be undone."""

import pathlib

import pytest
from playwright.sync_api import Page, expect

import tones
from parts import choose, dialog, expect_to_play, sealed_files
from places import wait_until

REFUSED = "status of (500|404|409|416)|ERR_CONTENT_LENGTH_MISMATCH"


def recording(studio, name: str, text: str = "The tide comes in. It goes out again.") -> pathlib.Path:
    """Makes a recording; returns the file of its sound."""
    before = sealed_files(studio)
    studio.narrate(text, name)
    [file] = sealed_files(studio) - before
    return file


def lose(file: pathlib.Path) -> None:
    file.unlink()


def damage(file: pathlib.Path) -> None:
    """In its second half: the browser has played some of it by then."""
    content = bytearray(file.read_bytes())
    content[len(content) * 2 // 3] ^= 0xFF
    file.write_bytes(content)


def bar(page: Page):
    return page.locator("echo-player-bar")


def queue(studio, *names: str) -> None:
    ids = {item["name"]: item["id"] for item in studio.get("/library")["items"]}
    studio.send("POST", "/playback/entries", {"items": [ids[name] for name in names]})


@pytest.mark.expects_console(REFUSED)
@pytest.mark.parametrize(
    "harm, reported", [(lose, "A file of the library is missing."), (damage, "A file of the library is damaged or was changed.")]
)
def test_fr14_a_recording_that_cannot_be_played_is_told_in_words_where_it_stands(visitor, studio, harm, reported):
    file = recording(studio, "Harmed", "The tide comes in and goes out again. " * 12)
    harm(file)
    page = visitor.open("/library")
    page.locator(".row", has_text="Harmed").click()
    expect(bar(page).locator(".bar-voice")).to_have_text(reported, timeout=30_000)
    expect(bar(page).get_by_role("status")).to_have_text(reported)
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".row", has_text="Harmed").locator(".unplayable")).to_have_text(reported)
    queue(studio, "Harmed")
    bar(page).get_by_role("button", name="Queue").click()
    expect(page.locator(".queue-row .unplayable")).to_have_text(reported)


@pytest.mark.expects_console(REFUSED)
def test_fr14_a_missing_recording_is_passed_over_and_the_next_plays(visitor, studio):
    lost = recording(studio, "Lost")
    recording(studio, "Whole", "The tide comes in and goes out again. " * 6)
    lose(lost)
    queue(studio, "Lost", "Whole")
    page = visitor.open("/library")
    bar(page).get_by_role("button", name="Play", exact=True).click()
    expect(bar(page).locator(".bar-name")).to_have_text("Whole")
    expect(page.locator(".toast")).to_contain_text(
        "“Lost” cannot be played. A file of the library is missing. “Whole” plays instead."
    )
    expect_to_play(page)
    expect(page.locator(".row", has_text="Lost").locator(".unplayable")).to_be_visible()
    expect(page.locator(".row", has_text="Whole").locator(".unplayable")).to_have_count(0)


@pytest.mark.expects_console(REFUSED)
def test_fr14_a_recording_that_is_damaged_in_the_middle_is_told_of_and_the_next_of_the_queue_plays(visitor, studio):
    damaged = recording(studio, "Damaged", "The tide comes in and goes out again. " * 12)
    recording(studio, "Whole", "The tide comes in and goes out again. " * 6)
    damage(damaged)
    queue(studio, "Damaged", "Whole")
    visitor.takes_time()
    page = visitor.open("/library")
    bar(page).get_by_role("button", name="Play", exact=True).click()
    expect(bar(page).locator(".bar-name")).to_have_text("Whole", timeout=30_000)
    expect(page.locator(".toast")).to_contain_text(
        "“Damaged” cannot be played. A file of the library is damaged or was changed. “Whole” plays instead."
    )
    expect_to_play(page)
    expect(page.locator(".row", has_text="Damaged").locator(".unplayable")).to_be_visible()


@pytest.mark.expects_console(REFUSED)
def test_fr14_a_list_passes_over_a_missing_recording(visitor, studio):
    recording(studio, "Third")
    lost = recording(studio, "Second")
    recording(studio, "First", "The tide comes in.")
    lose(lost)
    page = visitor.open("/library")
    page.locator(".row", has_text="First").click()
    expect(bar(page).locator(".bar-name")).to_have_text("Third")
    expect(page.locator(".toast")).to_contain_text("“Second” cannot be played.")
    expect(page.locator(".row", has_text="Second").locator(".unplayable")).to_be_visible()


@pytest.mark.expects_console(REFUSED)
def test_fr14_a_missing_recording_is_marked_among_the_recordings_and_said_in_the_whole_player(visitor, studio):
    before = sealed_files(studio)
    studio.post_file("/library/imports", tones.write(studio.folder / "Bell.wav"))
    for file in sealed_files(studio) - before:
        lose(file)
    page = visitor.open("/recordings")
    choose(page, "Bell", "Play")
    reported = "A file of the library is missing."
    expect(page.locator(".row", has_text="Bell").locator(".unplayable")).to_have_text(reported)
    bar(page).locator(".bar-open").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text(reported)


@pytest.mark.expects_console(REFUSED)
def test_fr22_a_recording_that_could_not_be_queued_from_the_recordings_is_not_said_to_be(visitor, studio):
    studio.post_file("/library/imports", tones.write(studio.folder / "Bell.wav"))
    page = visitor.open("/recordings")
    refuse(page, "entries")
    choose(page, "Bell", "Add to queue")
    expect(page.locator(".toast")).to_contain_text("Nothing more can be kept just now.")
    expect(page.get_by_text("is in the queue")).to_have_count(0)


@pytest.mark.expects_console(REFUSED)
def test_fr14_when_none_can_be_played_the_player_rests_also_in_a_loop(visitor, studio):
    for name in ("One", "Two"):
        lose(recording(studio, name))
    queue(studio, "One", "Two")
    studio.send("PUT", "/settings/playback.loop", {"value": "on"})
    page = visitor.open("/library")
    bar(page).get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".row .unplayable")).to_have_count(2)
    expect(bar(page).get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(bar(page).locator(".bar-voice")).to_have_text("A file of the library is missing.")


def refuse(page: Page, path: str) -> None:
    page.route(
        f"**/api/playback/{path}",
        lambda route: route.fulfill(
            status=409, json={"code": "vault.read-only", "message": "Nothing more can be kept just now.", "suggestion": "Make room."}
        ),
    )


@pytest.mark.expects_console(REFUSED)
def test_fr22_a_recording_that_could_not_be_queued_is_not_said_to_be(visitor, studio):
    studio.seed(1)
    page = visitor.open("/library")
    refuse(page, "entries")
    choose(page, "Recording 1", "Add to queue")
    expect(page.locator(".toast")).to_contain_text("Nothing more can be kept just now.")
    expect(page.get_by_text("is in the queue")).to_have_count(0)
    assert studio.get("/playback")["entries"] == []


@pytest.fixture
def queued(visitor, studio):
    """The open queue, with three recordings."""
    studio.seed()
    queue(studio, "Recording 1", "Recording 2", "Recording 3")
    page = visitor.open("/library")
    bar(page).get_by_role("button", name="Queue").click()
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    return page


def queue_names(page: Page):
    return page.locator(".queue-row .row-title")


def queued_names(studio) -> list[str]:
    return [entry["item"]["name"] for entry in studio.get("/playback")["entries"]]


@pytest.mark.expects_console(REFUSED)
def test_fr24_a_move_that_was_refused_is_said_in_the_queue_and_taken_back(queued):
    refuse(queued, "entries/move")
    queued.locator(".queue-main").last.focus()
    queued.keyboard.press("Alt+ArrowUp")
    expect(dialog(queued).locator(".toast")).to_contain_text("Nothing more can be kept just now.")
    expect(queue_names(queued)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])


@pytest.mark.expects_console(REFUSED)
def test_fr24_an_entry_that_is_refused_is_said_in_the_queue(queued):
    refuse(queued, "current")
    queued.locator(".queue-main").nth(1).click()
    problem = dialog(queued).get_by_role("alert")
    expect(problem).to_contain_text("Nothing more can be kept just now.")
    expect(problem).to_contain_text("Make room.")
    queued.unroute("**/api/playback/current")
    queued.locator(".queue-main").nth(2).click()
    expect(problem).to_have_count(0)


@pytest.mark.expects_console(REFUSED)
def test_fr24_a_queue_that_cannot_be_loaded_says_why_and_is_not_called_empty(visitor, studio):
    studio.seed(1)
    queue(studio, "Recording 1")
    page = visitor.blank()
    refusal = {"code": "vault.system", "message": "The system refused: Input/output error.", "suggestion": "Make room."}
    page.route("**/api/playback", lambda route: route.fulfill(status=500, json=refusal))
    page.goto(studio.base + "/library")
    bar(page).get_by_role("button", name="Queue").click()
    problem = dialog(page).get_by_role("alert")
    expect(problem).to_contain_text("The system refused: Input/output error.")
    expect(dialog(page).get_by_text("The queue is empty.")).to_have_count(0)
    problem.evaluate("(element) => { element.said = true; element.querySelector('button').focus(); }")
    page.evaluate("import('/player/player.js').then(({ player }) => player.queue.state.set({ ...player.queue.state.value }))")
    assert problem.evaluate("(element) => element.said"), "it is announced once"
    expect(problem.get_by_role("button", name="Try again")).to_be_focused()
    page.unroute("**/api/playback")
    problem.get_by_role("button", name="Try again").click()
    expect(queue_names(page)).to_have_text(["Recording 1"])
    expect(problem).to_have_count(0)


def test_fr23_one_taken_out_of_the_queue_is_put_back_where_it_was(queued, studio):
    queued.locator(".queue-main").nth(1).focus()
    queued.keyboard.press("Delete")
    expect(queue_names(queued)).to_have_text(["Recording 1", "Recording 3"])
    dialog(queued).get_by_role("button", name="Undo").click()
    expect(queue_names(queued)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    assert queued_names(studio) == ["Recording 1", "Recording 2", "Recording 3"]


def test_fr23_what_is_not_put_back_is_taken_out_for_good_also_when_the_page_goes(queued, studio):
    queued.locator(".queue-main").nth(1).focus()
    queued.keyboard.press("Delete")
    dialog(queued).get_by_role("button", name="Dismiss").click()
    expect(queue_names(queued)).to_have_text(["Recording 1", "Recording 3"])
    queued.get_by_role("button", name="Clear queue").click()
    expect(queued.get_by_text("The queue is empty.")).to_be_visible()
    queued.reload()
    bar(queued).get_by_role("button", name="Queue").click()
    expect(queued.get_by_text("The queue is empty.")).to_be_visible()
    assert queued_names(studio) == []


def test_a_queue_says_how_many_of_its_entries_cannot_be_read(visitor, studio):
    studio.seed()
    queue(studio, "Recording 1")
    page = visitor.blank()
    page.route("**/api/playback", lambda route: route.fulfill(json=studio.get("/playback") | {"unreadable": 2}))
    page.goto(studio.base + "/library")
    bar(page).get_by_role("button", name="Queue").click()
    expect(dialog(page)).to_contain_text("2 more cannot be read and are left out")


def open_torn_queue(visitor, studio, is_torn: list[bool]) -> Page:
    """A page that shows a queue of one as unreadable while `is_torn` is not empty, with the question whether to clear it."""

    def torn(route) -> None:
        route.fulfill(json=studio.get("/playback") | ({"entries": [], "current": None, "isUnreadable": True} if is_torn else {}))

    studio.seed()
    queue(studio, "Recording 1")
    page = visitor.blank()
    page.route("**/api/playback", torn)
    page.goto(studio.base + "/library")
    bar(page).get_by_role("button", name="Queue").click()
    expect(dialog(page)).to_contain_text("The queue cannot be read.")
    dialog(page).get_by_role("button", name="Clear queue").click()
    expect(question(page).get_by_role("button", name="Cancel")).to_be_focused()
    return page


def question(page: Page):
    return page.locator("dialog.question")


def test_fr23_a_queue_that_cannot_be_read_is_cleared_only_after_a_question(visitor, studio):
    page = open_torn_queue(visitor, studio, [True])
    question(page).get_by_role("button", name="Cancel").click()
    expect(question(page)).to_have_count(0)
    assert queued_names(studio) == ["Recording 1"]
    dialog(page).get_by_role("button", name="Clear queue").click()
    with page.expect_response("**/api/playback/clear"):
        question(page).get_by_role("button", name="Clear queue").click()
    assert queued_names(studio) == []


def test_fr23_a_queue_that_can_be_read_again_before_the_answer_is_not_cleared(visitor, studio):
    is_torn = [True]
    page = open_torn_queue(visitor, studio, is_torn)
    is_torn.clear()
    queue(studio, "Recording 2")
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2"])
    question(page).get_by_role("button", name="Clear queue").click()
    expect(question(page)).to_have_count(0)
    page.reload()
    bar(page).get_by_role("button", name="Queue").click()
    expect(queue_names(page)).to_have_text(["Recording 1", "Recording 2"])
    assert queued_names(studio) == ["Recording 1", "Recording 2"]


def test_fr23_a_cleared_queue_is_put_back_and_what_plays_keeps_its_place_in_it(queued, studio):
    queued.locator(".queue-main").nth(1).click()
    expect(bar(queued).locator(".bar-name")).to_have_text("Recording 2")
    queued.get_by_role("button", name="Clear queue").click()
    expect(queued.get_by_text("The queue is empty.")).to_be_visible()
    expect(dialog(queued).get_by_role("heading", name="Queue")).to_be_focused()
    expect(bar(queued).locator(".bar-name")).to_have_text("Recording 2")
    dialog(queued).get_by_role("button", name="Undo").click()
    expect(queue_names(queued)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    expect(queued.locator(".queue-row.current .row-title")).to_have_text("Recording 2")
    assert queued_names(studio) == ["Recording 1", "Recording 2", "Recording 3"]


def test_fr23_what_was_selected_and_is_gone_is_not_taken_out_again(queued, studio):
    dialog(queued).get_by_role("button", name="Select").click()
    for place in (0, 1):
        queued.locator(".queue-main").nth(place).click()
    expect(dialog(queued).get_by_role("button", name="Remove 2")).to_be_enabled()
    first = studio.get("/playback")["entries"][0]["id"]
    studio.send("POST", "/playback/entries/remove", {"ids": [first]})
    expect(queue_names(queued)).to_have_text(["Recording 2", "Recording 3"])
    dialog(queued).get_by_role("button", name="Remove 1").click()
    expect(queue_names(queued)).to_have_text(["Recording 3"])
    dialog(queued).get_by_role("button", name="Dismiss").click()
    wait_until(queued, "() => fetch('/api/playback').then((one) => one.json()).then(({ entries }) => entries.length === 1)")


@pytest.mark.expects_console(REFUSED)
def test_fr23_entries_that_could_not_be_taken_out_stand_in_the_queue_again(queued):
    refuse(queued, "entries/remove")
    queued.locator(".queue-main").first.focus()
    queued.keyboard.press("Delete")
    dialog(queued).get_by_role("button", name="Dismiss").click()
    expect(queue_names(queued)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    expect(dialog(queued).locator(".toast")).to_contain_text("Nothing more can be kept just now.")


@pytest.mark.expects_console(REFUSED)
@pytest.mark.parametrize("language, words", [("en-GB", "“Tide” is gone."), ("et", "„Tide“ pole enam olemas.")])
def test_fr14_that_what_plays_was_deleted_elsewhere_is_told(visitor, studio, language, words):
    item = studio.narrate("The tide comes in and goes out again. " * 12, "Tide")
    page = visitor.open("/library", language=language)
    page.locator(".row", has_text="Tide").click()
    expect_to_play(page)
    studio.send("POST", "/library/delete", {"ids": [item]})
    expect(page.locator(".toast")).to_contain_text(words)
    expect(bar(page)).not_to_contain_text("Tide")


@pytest.mark.expects_console(REFUSED)
def test_fr14_what_the_page_itself_has_deleted_is_not_told_again(visitor, studio):
    studio.narrate("The tide comes in and goes out again. " * 12, "Tide")
    page = visitor.open("/library")
    page.locator(".row", has_text="Tide").click()
    expect_to_play(page)
    choose(page, "Tide", "Delete")
    with page.expect_response("**/api/library/delete"):
        page.get_by_role("button", name="Dismiss").click()
    expect(bar(page)).to_contain_text("Nothing is playing")
    expect(page.locator(".toast")).to_have_count(0)
