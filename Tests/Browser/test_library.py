"""UC12, UC13, UC17, UC23, FR26: recordings are found, renamed, deleted and exported."""

import io
import re
import zipfile

import pytest
from playwright.sync_api import Page, expect

import tones
from conftest import NARROW, WIDE
from parts import choose, dialog, drop, expect_to_play, expect_whole_placeholder, names, rename, rows, select_rows
from places import held_back, settle, wait_until
from transcripts import record


@pytest.fixture
def page(visitor, studio):
    return open_library(visitor, studio)


def open_library(visitor, studio) -> Page:
    studio.seed()
    page = visitor.open("/library")
    expect(rows(page)).to_have_count(3)
    return page


def test_uc12_a_recording_is_renamed_in_place(page, studio):
    field = rename(page, "Recording 2", "Evening reading")
    expect(names(page)).to_have_text(["Recording 3", "Evening reading", "Recording 1"])
    page.locator(".row").nth(1).focus()
    page.keyboard.press("F2")
    field.fill("Not kept")
    field.press("Escape")
    expect(names(page)).to_have_text(["Recording 3", "Evening reading", "Recording 1"])
    assert "Evening reading" in [item["name"] for item in studio.get("/library")["items"]]


@pytest.mark.parametrize("size, is_shown", [(WIDE, True), (NARROW, False)], ids=["wide", "narrow"])
def test_a_menu_names_keys_only_where_there_may_be_a_keyboard(visitor, studio, size, is_shown):
    studio.narrate("The harbour was quiet.", "Harbour")
    page = visitor.open("/library", size=size)
    page.locator(".row", has_text="Harbour").click(button="right")
    rename = page.get_by_role("menuitem", name="Rename")
    expect(rename).to_be_visible()
    expect(rename.get_by_text("F2", exact=True)).to_be_visible(visible=is_shown)


def test_a_long_name_has_two_lines_on_a_phone(visitor, studio):
    studio.narrate("The harbour was quiet.", "The keeper of the lighthouse and the quiet harbour")
    page = visitor.open("/library", size=NARROW)
    title = page.locator(".row-title")
    expect(title).to_be_visible()
    settle(page)
    assert title.evaluate("(one) => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth")
    # A row is replaced when the list is read again.
    wait_until(page, WORDS_WITHIN_ROW)


WORDS_WITHIN_ROW = """() => {
  const row = document.querySelector(".row");
  const words = row?.querySelector(".row-words");
  if (!words) return false;
  const [outer, inner] = [row, words].map((one) => one.getBoundingClientRect());
  return inner.height > 0 && outer.top <= inner.top && inner.bottom <= outer.bottom;
}"""


def test_the_menu_of_a_row_is_there_without_a_pointer_over_it_and_nothing_moves_when_it_comes(visitor, studio):
    studio.narrate("The harbour was quiet.", "Harbour")
    record(studio)
    page = visitor.blank()
    for path in ("/library", "/history", "/recordings"):
        page.mouse.move(0, 0)
        page.goto(studio.base + path)
        row = page.locator(".row")
        more = row.get_by_role("button", name=re.compile("^More for"))
        for part in (more, row.locator(".row-actions")):
            expect(part).to_have_css("opacity", "1")
            expect(part).to_be_in_viewport(ratio=1)
        # Fonts, and what the recorder says, have come, and no row is filled again.
        wait_until(page, "() => document.querySelector('.drop-veil') !== null")
        settle(page)
        before = more.bounding_box()["x"]
        more.focus()
        for part in row.locator(".row-actions > *").all():
            expect(part).to_have_css("opacity", "1")
        assert more.bounding_box()["x"] == before


def test_a_press_on_a_row_counts_also_when_the_list_changes_before_the_release(page, studio):
    ids = {item["name"]: item["id"] for item in studio.get("/library")["items"]}
    rows(page).last.hover()
    page.mouse.down()
    for name in ("Recording 1", "Recording 3"):
        studio.send("PATCH", f"/library/{ids[name]}", {"name": f"{name}, renamed"})
    expect(names(page)).to_have_text(["Recording 3, renamed", "Recording 2", "Recording 1"])
    page.mouse.up()
    expect(names(page).last).to_have_text("Recording 1, renamed")
    expect(page.locator("echo-player-bar")).to_contain_text("Recording 1, renamed")
    expect_to_play(page)


def test_a_narration_is_in_the_library_and_what_people_said_is_among_the_recordings(visitor, studio):
    studio.narrate("The tide comes in.", "Harbour")
    studio.post_file("/library/imports", tones.write(studio.folder / "Bell.wav"))
    page = visitor.open("/library")
    expect(names(page)).to_have_text(["Harbour"])
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("dialog").get_by_text("Imported")).to_have_count(0)
    page.goto(studio.base + "/recordings")
    expect(names(page)).to_have_text(["Bell"])


@pytest.mark.parametrize("is_alone, count", [(False, "3 texts read aloud"), (True, "0 texts read aloud")])
def test_fr26_recordings_that_cannot_be_read_are_told_beside_the_others(visitor, studio, is_alone, count):
    if not is_alone:
        studio.seed()
    page = visitor.open("/speak")
    page.route(
        "**/api/library?*",
        lambda route: route.fulfill(json=studio.get("/library") | {"unreadable": 2}),
    )
    page.get_by_role("link", name="Library").click()
    expect(rows(page)).to_have_count(0 if is_alone else 3)
    reported = page.locator(".list-count")
    expect(reported).to_have_text(f"{count} · 2 more cannot be read and are left out")
    expect(reported).to_be_in_viewport()


@pytest.mark.expects_console("status of 507")
def test_fr26_recordings_that_cannot_be_read_are_deleted_after_a_question(visitor, studio):
    studio.seed()
    unreadable = [2]
    page = visitor.open("/speak")

    def listed(route) -> None:
        if route.request.method == "GET":
            route.fulfill(json=studio.get("/library") | {"unreadable": unreadable[-1]})
        else:
            route.continue_()

    page.route("**/api/library?*", listed)
    page.get_by_role("link", name="Library").click()
    reported = page.locator(".list-count")
    before = "3 texts read aloud · 2 more cannot be read and are left out"
    remove = page.get_by_role("button", name="Delete what cannot be read…")
    question = page.get_by_role("dialog", name="Delete 2 entries that cannot be read?")
    remove.click()
    expect(question).to_contain_text("A backup may still have them whole.")
    question.get_by_role("button", name="Cancel", exact=True).click()
    expect(question).to_have_count(0)
    expect(remove).to_be_focused()
    expect(reported).to_have_text(before)

    full = {"code": "vault.read-only", "message": "The disk is full."}
    page.route("**/api/library/unreadable?*", lambda route: route.fulfill(status=507, json=full), times=1)
    remove.click()
    question.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("The disk is full.")
    expect(reported).to_have_text(before)

    remove.click()
    unreadable.append(0)
    with page.expect_request("**/api/library/unreadable?*") as asked:
        question.get_by_role("button", name="Delete", exact=True).click()
    assert asked.value.method == "DELETE" and "origin=narrated" in asked.value.url
    expect(reported).to_have_text("3 texts read aloud")
    expect(remove).to_have_count(0)
    expect(page.get_by_role("heading", name="Library", level=1)).to_be_focused()
    assert studio.get("/library")["total"] == 3


@pytest.mark.parametrize(
    "name, why",
    [("   ", "at least one visible character"), ("a\u202eb", "without control characters")],
)
def test_fr27_a_name_that_cannot_be_is_refused_with_the_reason_and_the_old_one_kept(page, name, why):
    field = rename(page, "Recording 2", name)
    expect(page.locator(".name-error")).to_contain_text(why)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(page.locator(".name-error").inner_text())
    field.press("Escape")
    expect(names(page)).to_have_text(["Recording 3", "Recording 2", "Recording 1"])


def test_fr27_a_field_for_a_name_stops_at_two_hundred_characters(page):
    choose(page, "Recording 2", "Rename")
    field = page.get_by_label("Name of the")
    field.fill("x" * 199)
    field.press_sequentially("yz")
    expect(field).to_have_value("x" * 199 + "y")


def test_uc13_a_deleted_recording_can_be_brought_back(page, studio):
    choose(page, "Recording 2", "Delete")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(names(page)).to_have_text(["Recording 3", "Recording 2", "Recording 1"])
    assert studio.get("/library")["total"] == 3


def test_a_count_is_announced_when_it_is_asked_for_and_not_beside_the_message_of_a_deletion(page):
    count = page.locator(".list-count")
    expect(count).to_have_role("status")
    choose(page, "Recording 2", "Delete")
    expect(page.locator(".toast")).to_contain_text("“Recording 2” was deleted.")
    expect(count).to_have_text("2 texts read aloud")
    expect(count).to_have_attribute("aria-live", "off")
    page.get_by_role("searchbox").fill("Recording 3")
    expect(count).to_have_text("1 text found")
    expect(count).not_to_have_attribute("aria-live", "off")


def test_uc13_ctrl_z_in_the_list_brings_back_what_was_deleted(page, studio):
    rows(page).nth(1).focus()
    page.keyboard.press("Delete")
    expect(names(page)).to_have_text(["Recording 3", "Recording 1"])
    page.keyboard.press("Control+z")
    expect(names(page)).to_have_text(["Recording 3", "Recording 2", "Recording 1"])
    assert studio.get("/library")["total"] == 3


def test_uc13_after_undo_the_focus_is_in_the_list_again(page):
    rows(page).nth(1).focus()
    page.keyboard.press("Delete")
    undo = page.get_by_role("button", name="Undo")
    undo.focus()
    page.keyboard.press("Enter")
    expect(names(page)).to_have_text(["Recording 3", "Recording 2", "Recording 1"])
    assert page.evaluate("document.activeElement.closest('[role=row]') !== null")


@pytest.mark.expects_console("status of 507")
def test_uc13_a_deletion_that_fails_does_not_end_the_time_to_bring_another_back(page, studio):
    full = {"code": "vault.read-only", "message": "The disk is full."}
    page.route("**/api/library/delete", lambda route: route.fulfill(status=507, json=full), times=1)
    choose(page, "Recording 1", "Delete")
    expect(rows(page)).to_have_count(2)
    choose(page, "Recording 2", "Delete")  # the first deletion is final now, and fails
    expect(names(page)).to_have_text(["Recording 3", "Recording 1"])
    page.locator(".toast", has_text="“Recording 2” was deleted.").get_by_role("button", name="Undo").click()
    expect(names(page)).to_have_text(["Recording 3", "Recording 2", "Recording 1"])
    expect(page.locator(".toast", has_text="“Recording 1”")).to_contain_text("The disk is full.", timeout=15_000)
    assert studio.get("/library")["total"] == 3


def test_uc13_news_do_not_end_the_time_to_bring_something_back(visitor, studio, tmp_path):
    visitor.takes_time()
    page = open_library(visitor, studio)
    wait_until(page, "() => document.querySelector('.drop-veil') !== null")
    choose(page, "Recording 2", "Delete")
    undo = page.get_by_role("button", name="Undo")
    undo.hover()  # its time waits meanwhile
    texts = [tmp_path / "Tide.txt", tmp_path / "Moon.txt"]
    for text in texts:
        text.write_text(f"The {text.stem} comes and goes.")
    drop(page, *texts)
    dialog(page).get_by_role("button", name="Keep as documents").press("Enter")
    expect(names(page)).to_have_text(["Moon", "Tide"])
    expect(page.locator(".import")).to_have_count(0)
    undo.click()
    wait_until(page, "async () => (await (await fetch('/api/library')).json()).total === 3")
    page.get_by_role("link", name="Library").click()
    expect(names(page)).to_have_text(["Recording 3", "Recording 2", "Recording 1"])


def test_uc13_after_the_last_recording_was_deleted_by_key_the_focus_is_on_the_title(visitor, studio):
    studio.narrate("The tide comes in.", "Harbour")
    page = visitor.open("/library")
    expect(names(page)).to_have_text(["Harbour"])
    rows(page).first.focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("heading", name="Library", level=1)).to_be_focused()
    page.keyboard.press("Control+z")
    expect(names(page)).to_have_text(["Harbour"])


@pytest.mark.parametrize("what", ["Done", "Favourite", "Add to queue", "Delete"])
def test_after_what_was_done_with_several_by_key_the_focus_is_in_the_list(page, what):
    select_rows(page, 0, 2)
    bar = page.get_by_role("toolbar", name="Selected rows")
    bar.get_by_role("button", name=what, exact=True).press("Enter")
    expect(bar).to_be_hidden()
    wait_until(page, "() => document.activeElement.closest('[role=row]') !== null")


def test_the_bar_of_a_selection_is_walked_by_arrows_and_left_by_escape(page):
    select_rows(page, 0)
    bar = page.get_by_role("toolbar", name="Selected rows")
    bar.get_by_role("button", name="Done", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(bar.get_by_role("button", name="Select all")).to_be_focused()
    page.keyboard.press("End")
    expect(bar.get_by_role("button", name="Delete", exact=True)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(bar.get_by_role("button", name="Done", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    wait_until(page, "() => document.activeElement.closest('[role=row]') !== null")


def test_uc13_what_is_not_brought_back_is_deleted(page, studio):
    choose(page, "Recording 2", "Delete")
    with page.expect_response("**/api/library/delete"):
        page.get_by_role("button", name="Dismiss").click()
    expect(names(page)).to_have_text(["Recording 3", "Recording 1"])
    choose(page, "Recording 1", "Delete")
    expect(rows(page)).to_have_count(1)
    # Leaving the page does not undo it.
    page.goto(studio.base + "/library")
    expect(names(page)).to_have_text(["Recording 3"])


def test_uc13_several_are_deleted_at_once(page, studio):
    select_rows(page, 0, 2)
    with page.expect_response("**/api/library/delete"):
        page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
        expect(names(page)).to_have_text(["Recording 2"])
        page.get_by_role("button", name="Dismiss").click()
    assert studio.get("/library")["total"] == 1


def test_uc23_names_and_texts_are_searched(page, studio):
    studio.narrate("An albatross circled the mast.", "Seabirds")
    page.get_by_role("searchbox").fill("albatross")
    expect(names(page)).to_have_text(["Seabirds"])
    expect(page.locator(".row mark")).to_have_text("albatross")
    page.get_by_role("searchbox").fill("recording 2")
    expect(names(page)).to_have_text(["Recording 2"])
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("button", name="Show everything").click()
    expect(rows(page)).to_have_count(4)


def test_recordings_are_sorted_and_filtered(page, studio):
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Name, A to Z").click()
    expect(names(page)).to_have_text(["Recording 1", "Recording 2", "Recording 3"])
    page.locator(".row", has_text="Recording 2").hover()
    page.locator(".row", has_text="Recording 2").get_by_role("button", name="Add to favourites").click()
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("dialog").get_by_text("Favourites").click()
    page.get_by_role("button", name="Show 1 narration").click()
    expect(names(page)).to_have_text(["Recording 2"])
    page.get_by_role("button", name="Remove filter: Favourites").click()
    expect(rows(page)).to_have_count(3)


def test_filters_stay_over_a_reload_and_end_with_the_visit(page):
    page.locator(".row", has_text="Recording 2").hover()
    page.locator(".row", has_text="Recording 2").get_by_role("button", name="Add to favourites").click()
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("dialog").get_by_text("Favourites").click()
    page.get_by_role("button", name="Show 1 narration").click()
    expect(dialog(page)).to_have_count(0)
    expect(names(page)).to_have_text(["Recording 2"])
    page.reload()
    chip = page.get_by_role("button", name="Remove filter: Favourites")
    expect(chip).to_be_visible()
    expect(names(page)).to_have_text(["Recording 2"])
    links = page.get_by_role("navigation", name="Pages")
    links.get_by_role("link", name="Speak", exact=True).click()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    links.get_by_role("link", name="Library", exact=True).click()
    expect(rows(page)).to_have_count(3)
    expect(chip).to_have_count(0)


def test_fr3_a_filter_beyond_the_range_is_refused_with_the_range(page):
    page.get_by_role("button", name="Filter").click()
    sheet = page.get_by_role("dialog")
    least, most = sheet.get_by_label("Speed: From"), sheet.get_by_label("Speed: To")
    least.fill("9")
    least.press("Tab")
    expect(sheet.get_by_text("Give a value from 0.5 to 1.5.")).to_be_visible()
    expect(rows(page)).to_have_count(3)
    least.fill("1.4")
    expect(sheet.get_by_text("Give a value from 0.5 to 1.5.")).to_have_count(0)
    expect(page.get_by_text("Nothing matches these filters.")).to_be_attached()
    most.fill("0.9")
    most.press("Tab")
    expect(sheet.get_by_text("“To” is before “From”.")).to_be_visible()
    least.fill("0.8")
    expect(sheet.get_by_text("“To” is before “From”.")).to_have_count(0)
    sheet.get_by_role("button", name="Clear all").click()
    expect(rows(page)).to_have_count(3)


def test_a_filter_by_days_that_end_before_they_begin_is_refused(page):
    page.get_by_role("button", name="Filter").click()
    sheet = page.get_by_role("dialog")
    made = sheet.get_by_role("group", name="Made")
    last = made.get_by_label("Made: To")
    made.get_by_label("Made: From").fill("2020-01-02")
    last.fill("2020-01-01")
    expect(made.get_by_text("“To” is before “From”.")).to_be_visible()
    expect(rows(page)).to_have_count(3)
    last.fill("2020-01-03")
    expect(made.get_by_text("“To” is before “From”.")).to_have_count(0)
    expect(page.get_by_text("Nothing matches these filters.")).to_be_attached()


@pytest.mark.expects_console("ERR_FAILED")
def test_filters_that_could_not_be_loaded_are_told_of_beside_the_others(page):
    page.route("**/api/library/voices", lambda route: route.abort())
    page.get_by_role("button", name="Filter").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("alert").filter(has_text="EchoText does not answer.")).to_be_visible()
    sheet.get_by_label("Speed: From").fill("1.4")
    expect(page.get_by_text("Nothing matches these filters.")).to_be_attached()


def test_fr26_the_text_and_the_facts_are_shown(page):
    choose(page, "Recording 2", "View text")
    expect(page.get_by_role("dialog")).to_contain_text("This is recording number 2.")
    page.keyboard.press("Escape")
    choose(page, "Recording 2", "More info")
    expect(page.get_by_role("dialog")).to_contain_text("English (America)")


def test_fr26_what_could_not_be_spoken_of_a_recording_is_among_its_facts(visitor, studio):
    studio.seed()
    found = studio.get("/library")
    [second] = [item for item in found["items"] if item["name"] == "Recording 2"]
    second["narration"]["unspoken"] = ["A bad word", "And another"]
    page = visitor.open("/speak")
    page.route("**/api/library?*", lambda route: route.fulfill(json=found))
    page.get_by_role("link", name="Library").click()
    choose(page, "Recording 1", "More info")
    expect(page.get_by_role("dialog")).to_contain_text("English (America)")
    expect(page.get_by_role("dialog")).not_to_contain_text("Could not be spoken")
    page.keyboard.press("Escape")
    choose(page, "Recording 2", "More info")
    expect(page.get_by_role("dialog")).to_contain_text("A bad word · And another")


def test_a_row_that_is_still_loading_is_not_deleted(visitor, studio):
    studio.seed()
    page = visitor.open("/speak")
    held = []
    page.route("**/api/library?*", lambda route: held.append(route))
    page.get_by_role("link", name="Library").click()
    held_back(page, held)
    rows(page).first.focus()
    page.keyboard.press("Delete")
    for route in held:
        route.continue_()
    page.unroute("**/api/library?*")
    expect(names(page)).to_have_count(studio.get("/library")["total"])
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.expects_console("ERR_FAILED")
def test_fr26_a_text_without_the_times_of_its_words_says_so_and_follows_the_sound_once_it_has_them(page):
    page.route("**/timings", lambda route: route.abort())
    choose(page, "Recording 2", "View text")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("This is recording number 2.")
    reported = sheet.get_by_role("status").filter(has_text="The spoken words cannot be shown in this text.")
    expect(reported).to_contain_text("EchoText does not answer.")
    page.unroute("**/timings")
    reported.get_by_role("button", name="Try again").click()
    expect(reported).to_have_count(0)
    sheet.get_by_role("button", name="Play").click()
    wait_until(page, "() => (CSS.highlights.get('spoken-sentence')?.size ?? 0) > 0")


@pytest.mark.parametrize("entry, shown", [("View text", ".text-sheet"), ("More info", ".info-sheet"), ("Rename", ".name-input")])
def test_what_a_menu_opens_is_there_before_the_next_key(page, entry, shown):
    """In one task of the page, so that no frame comes between; a key pressed in one would close nothing."""
    rows(page).first.click(button="right")
    item = page.get_by_role("menuitem", name=entry)
    has_come = "(one, shown) => (one.click(), document.querySelector(shown)?.contains(document.activeElement))"
    assert item.evaluate(has_come, shown)
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.locator(shown)).to_have_count(0)
    expect(rows(page).first).to_be_focused()


def download(page: Page, name: str):
    page.get_by_role("dialog").get_by_text(name, exact=True).first.click()
    with page.expect_download() as waiting:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    return waiting.value


@pytest.mark.parametrize(
    "name, ending, beginning",
    [("WAV", ".wav", b"RIFF"), ("FLAC", ".flac", b"fLaC"), ("Opus", ".opus", b"OggS"), ("SRT subtitles", ".srt", b"1\n00:00:00,")],
)
def test_uc17_one_is_exported_as_a_file(page, name, ending, beginning):
    choose(page, "Recording 2", "Share or export")
    got = download(page, name)
    assert got.suggested_filename == f"Recording 2{ending}"
    content = got.path().read_bytes().removeprefix("\ufeff".encode()).replace(b"\r\n", b"\n")
    assert content.startswith(beginning)


def test_uc17_several_are_exported_as_one_zip(page):
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share or export").click()
    got = download(page, "FLAC")
    with zipfile.ZipFile(io.BytesIO(got.path().read_bytes())) as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == ["Recording 1.flac", "Recording 2.flac", "Recording 3.flac"]
        assert archive.read("Recording 1.flac").startswith(b"fLaC")


def test_two_tabs_show_the_same(visitor, page):
    other = visitor.another_tab(page, "/library")
    expect(rows(other)).to_have_count(3)
    rename(page, "Recording 1", "From the first tab")
    expect(names(other)).to_have_text(["Recording 3", "Recording 2", "From the first tab"])
    rows(page).last.focus()
    choose(other, "Recording 3", "Delete")
    other.get_by_role("button", name="Dismiss").click()
    expect(names(page)).to_have_text(["Recording 2", "From the first tab"])
    expect(rows(page).last).to_be_focused()
    choose(other, "Recording 2", "Add to queue")
    page.locator("echo-player-bar").get_by_role("button", name="Queue").click()
    expect(page.locator(".queue-row .row-title")).to_have_text(["Recording 2"])


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_the_words_in_every_search_are_whole_on_a_phone(visitor, studio, language, width):
    studio.seed(1)
    studio.seed_documents()
    record(studio)
    page = visitor.open("/voices", language=language, size={"width": width, "height": 844})
    for path in ("/voices", "/library", "/recordings", "/documents", "/history"):
        page.goto(studio.base + path)
        expect_whole_placeholder(page.get_by_role("searchbox"))
