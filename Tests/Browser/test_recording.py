"""AT1–AT3: what is recorded from a microphone is in the library, whatever happens on the way."""

import contextlib
import os
import pathlib
import re
import signal
import time

import pytest
from playwright.sync_api import BrowserContext, Error, Locator, Page, expect

import tones
from conftest import CHROMIUM, microphone_flags, steady
from parts import dialog, names, rows
from places import RESTARTED, evaluate, held_back, settle, wait_until
from test_access import violations

PASSCODE = "8052"


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("main").get_by_role("button", name=name, exact=True)


def record(page: Page) -> None:
    button(page, "Record").click()
    expect(button(page, "Stop")).to_be_visible()


def heard(page: Page) -> float:
    """The seconds on the recorder's display."""
    minutes, seconds = page.locator(".recorder-time").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def save_what_is_missing(page: Page) -> bytes:
    """Ends a recording whose server has gone, and returns the sound that the server did not get."""
    with page.expect_download() as download:
        button(page, "Save what is missing as a file").click()
    dialog(page).get_by_role("button", name="End recording").click()
    expect(button(page, "Record")).to_be_visible()
    return download.value.path().read_bytes()


def wait_until_heard(page: Page, seconds: int) -> None:
    """Waits for this many more seconds to be recorded."""
    wait_until(
        page,
        "(least) => { const [minutes, seconds] = document.querySelector('.recorder-time').textContent.split(':');"
        " return Number(minutes) * 60 + Number(seconds) >= least; }",
        heard(page) + seconds,
    )


def stop(page: Page) -> None:
    button(page, "Stop").click()
    expect(button(page, "Record")).to_be_visible()


def expect_marked(page: Page) -> None:
    """Waits until there is a mark; a busy machine makes others, where sound is missing."""
    expect(page.get_by_text(re.compile(r"\b[1-9]\d* marks?\b"))).to_be_visible()


def sessions(studio) -> list[dict]:
    return studio.get("/recordings/sessions")["sessions"]


def wait_for_samples(page: Page, studio, seconds: float) -> None:
    """Waits until the server has this many seconds of the only session; twenty without any progress are too long."""
    most, end = -1.0, time.monotonic() + seconds + 60
    last = time.monotonic()
    while time.monotonic() < min(end, last + 20):
        found = sessions(studio)
        now = found[0]["seconds"] if found else -1.0
        if now >= seconds:
            return
        if now > most:
            most, last = now, time.monotonic()
        page.wait_for_timeout(50)
    raise AssertionError(f"{sessions(studio)} has no {seconds} s")


def only_sound(studio) -> tuple[dict, bytes]:
    [item] = studio.get("/library?origin=recorded")["items"]
    return item, studio.ask("GET", f"/library/{item['id']}/sound").content


def test_at1_what_is_said_is_recorded_without_a_gap(speaker, studio):
    page = speaker.open("/recordings")
    expect(page.get_by_text("Nothing has been recorded yet.")).to_be_visible()
    record(page)
    expect(page.locator(".level")).to_be_visible()
    wait_until(page, "() => Number(document.querySelector('.level-mean').style.getPropertyValue('--part')) > 0.5")
    expect(page.locator(".recorder-words")).to_contain_text("Fake")
    wait_until_heard(page, 4)
    shown = heard(page)
    stop(page)
    expect(names(page)).to_have_count(1)
    item, sound = only_sound(studio)
    assert item["sampleRate"] == 48_000 and shown <= item["duration"]
    assert tones.jumps(sound) == []
    assert None not in tones.moments(sound)[tones.UNEVEN : -1]
    assert sessions(studio) == []


def test_at1_the_browsers_own_microphone_is_recorded(caller, studio):
    page = caller.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 3)
    stop(page)
    expect(names(page)).to_have_count(1)
    _, sound = only_sound(studio)
    # A busy machine drops some of it before the page gets it.
    assert sum(moment is not None for moment in tones.moments(sound)[tones.UNEVEN :]) > 10


def test_at1_a_pause_is_left_out_and_marks_are_kept(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    wait_until_heard(page, 2)
    button(page, "Mark").click()
    expect_marked(page)
    button(page, "Pause").click()
    expect(button(page, "Resume")).to_be_visible()
    expect(page.locator(".recorder-words")).to_contain_text("Paused")
    assert sessions(studio)[0]["state"] in ("recording", "paused")
    resting = heard(page)
    page.wait_for_timeout(1_500)
    assert heard(page) == resting
    # The page shows both before the server has them.
    wait_until(
        page,
        "async () => (await (await fetch('/api/recordings/sessions')).json()).sessions"
        ".every(({ state, marks }) => state === 'paused' && marks.filter(({ label }) => label === null).length === 1)",
    )
    assert len(sessions(studio)) == 1
    button(page, "Resume").click()
    wait_until_heard(page, 2)
    stop(page)
    expect(names(page)).to_have_count(1)
    _, sound = only_sound(studio)
    [jump] = tones.jumps(sound)
    assert jump > 1 or jump < 0


def test_at1_it_goes_on_while_other_pages_are_shown(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Settings").click()
    sign = page.get_by_role("link", name=re.compile("Recording 0:"))
    expect(sign).to_be_visible()
    expect(page).to_have_title(re.compile("^● "))
    expect(page.locator(".navigation[data-recording]")).to_be_visible()
    wait_for_samples(page, studio, 2)
    sign.click()
    expect(page.locator(".recorder-time")).to_be_visible()
    stop(page)
    expect(page).not_to_have_title(re.compile("^● "))
    assert tones.jumps(only_sound(studio)[1]) == []


def test_a_recording_is_stopped_from_another_page_and_opened(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 1)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Settings").click()
    # Until the other page is there, the recorder itself is shown beside it.
    sign = page.get_by_role("region", name="Recorder").filter(has_text=re.compile("Recording 0:"))
    expect(sign).to_be_visible()
    sign.get_by_role("button", name="Stop").click()
    expect(sign).to_be_hidden()
    expect(page.get_by_role("heading", name="Settings", level=1)).to_be_focused()
    page.locator(".toast").get_by_role("button", name="Open").click()
    item, _ = only_sound(studio)
    expect(page).to_have_url(re.compile(f"/recordings/{item['id']}$"))


@pytest.mark.expects_console("dialog: beforeunload")
def test_at3_a_page_that_is_loaded_again_leaves_a_recording_that_goes_on(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 3)
    page.reload()
    expect(page.get_by_role("heading", name="Unfinished recordings")).to_be_visible()
    expect(page.get_by_text("interrupted")).to_be_visible()
    [session] = sessions(studio)
    assert session["state"] == "interrupted" and session["seconds"] >= 3
    button(page, "Continue").click()
    expect(button(page, "Stop")).to_be_visible()
    expect(page.get_by_role("heading", name="Unfinished recordings")).to_be_hidden()
    wait_for_samples(page, studio, session["seconds"] + 2)
    stop(page)
    expect(names(page)).to_have_count(1)
    item, sound = only_sound(studio)
    assert item["id"] == session["id"] and item["duration"] >= session["seconds"] + 2
    assert len(tones.jumps(sound)) <= 1


def record_elsewhere(studio) -> None:
    """Sends a chunk of silence as another page would that records the only session, before the next one from here."""
    for _ in range(50):
        [session] = sessions(studio)
        answer = studio.session.put(
            f"{studio.local}/api/recordings/sessions/{session['id']}/chunks/{session['nextChunk']}",
            data=bytes(session["sampleRate"] // 2),
            headers={"Content-Type": "application/octet-stream"},
            timeout=studio.limit,
        )
        if answer.ok:
            return
        assert answer.json()["code"] == "recording.chunk-taken"
    raise AssertionError("the page was always first")


@pytest.mark.expects_console("dialog: beforeunload", "status of 409", "status of 404")
@pytest.mark.parametrize("end", ["stop", "reload"])
def test_at3_what_another_page_has_taken_the_place_of_becomes_a_recording_of_its_own(speaker, studio, end):
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 1)
    record_elsewhere(studio)
    expect(page.get_by_text("Another page is recording this, so the sound from here is not in it.")).to_be_visible()
    wait_until_heard(page, 2)
    if end == "stop":
        stop(page)
    else:
        page.reload()
    reported = "Sound that is missing from a recording is saved separately as"
    expect(page.locator(".toast", has_text=reported)).to_be_visible()
    items = studio.get("/library")["items"]
    [apart] = [item for item in items if item["name"].endswith("(other page)")]
    assert apart["duration"] >= 1.5
    assert (len(items), len(sessions(studio))) == ((2, 0) if end == "stop" else (1, 1))


# Has the browser's store refuse marks, as a full disk would.
REFUSE_MARKS = """() => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value, key) {
    if (Array.isArray(key) && key[1] === "marks") throw new DOMException("It is full.", "QuotaExceededError");
    return put.call(this, value, key);
  };
}"""


@pytest.mark.expects_console("status of 409", "status of 404")
def test_at3_marks_that_nobody_could_keep_are_named_until_that_was_seen(speaker, studio):
    page = speaker.open("/recordings")
    page.evaluate(REFUSE_MARKS)
    record(page)
    wait_for_samples(page, studio, 1)
    record_elsewhere(studio)
    expect(page.get_by_text("Another page is recording this, so the sound from here is not in it.")).to_be_visible()
    wait_until_heard(page, 1)
    button(page, "Mark").click()
    stop(page)
    lost = page.locator(".recorder-notices .notice", has_text="Marks that could not be kept:")
    expect(lost).to_contain_text(re.compile(r"\d+:\d\d in “Recording "))
    lost.get_by_role("button", name="Done").click()
    expect(lost).to_have_count(0)


@pytest.mark.expects_console("dialog: beforeunload")
def test_at3_a_recording_that_was_left_can_be_heard_kept_and_discarded(speaker, studio):
    page = speaker.open("/recordings")
    for _ in range(2):
        record(page)
        wait_until_heard(page, 1)
        page.reload()
        expect(button(page, "Record")).to_be_visible()
    expect(page.locator(".unfinished-row")).to_have_count(2)
    expect(page.get_by_text("interrupted")).to_have_count(2)
    first = page.locator(".unfinished-row").first
    first.get_by_role("button", name="Listen").click()
    expect(first.get_by_role("button", name="Pause")).to_be_visible()
    first.get_by_role("button", name="Keep").click()
    expect(names(page)).to_have_count(1)
    expect(page.locator(".unfinished-row")).to_have_count(1)
    page.locator(".unfinished-row").get_by_role("button", name="Discard").click()
    dialog(page).get_by_role("button", name="Discard").click()
    expect(page.get_by_role("heading", name="Unfinished recordings")).to_be_hidden()
    assert sessions(studio) == []
    assert len(studio.get("/library")["items"]) == 1


@pytest.mark.expects_console("dialog: beforeunload")
def test_at3_an_unfinished_recording_that_is_kept_is_offered_to_be_transcribed(speaker, studio):
    for setting in ("live", "after-recording"):
        studio.send("PUT", f"/settings/transcription.{setting}", {"value": "off"})
    page = speaker.open("/recordings")
    record(page)
    wait_until_heard(page, 1)
    page.reload()
    button(page, "Keep").click()
    page.locator(".toast").get_by_role("button", name="Transcribe", exact=True).click()
    expect(dialog(page).get_by_role("heading", name="Transcribe", exact=True)).to_be_visible()


def test_at3_an_unfinished_recording_that_is_damaged_hides_no_other_and_can_be_discarded(visitor, studio):
    for name in ("Torn", "Whole"):
        begun = studio.send("POST", "/recordings/sessions", {"name": name, "sampleRate": 8_000})["id"]
        studio.send("PATCH", f"/recordings/sessions/{begun}", {"state": "interrupted"})

    def damage(route) -> None:
        reported = studio.get("/recordings/sessions")
        for one in reported["sessions"]:
            one["isUnreadable"] = one["name"] == "Torn"
        route.fulfill(json=reported)

    page = visitor.open("/speak")
    page.route("**/api/recordings/sessions", damage)
    page.goto(studio.base + "/recordings")
    torn = page.locator(".unfinished-row", has_text="Torn")
    expect(torn).to_contain_text("It is damaged and cannot be read.")
    whole = page.locator(".unfinished-row", has_text="Whole")
    for name in ("Listen", "Continue", "Keep"):
        expect(torn.get_by_role("button", name=name)).to_be_hidden()
        expect(whole.get_by_role("button", name=name)).to_be_visible()
    torn.get_by_role("button", name="Discard").click()
    expect(dialog(page)).to_contain_text("It is damaged and cannot be read.")
    dialog(page).get_by_role("button", name="Discard").click()
    expect(page.locator(".unfinished-row")).to_have_count(1)
    assert [one["name"] for one in sessions(studio)] == ["Whole"]


def test_at3_the_beginning_of_an_imported_file_is_listed_as_such_and_cannot_be_continued(visitor, studio):
    begun = studio.send("POST", "/recordings/sessions", {"name": "Tape", "sampleRate": 8_000})["id"]
    studio.send("PATCH", f"/recordings/sessions/{begun}", {"state": "interrupted"})

    def of_file(route) -> None:
        reported = studio.get("/recordings/sessions")
        reported["sessions"][0] |= {"isOfFile": True, "samples": 8_000, "seconds": 1}
        route.fulfill(json=reported)

    page = visitor.open("/speak")
    page.route("**/api/recordings/sessions", of_file)
    page.goto(studio.base + "/recordings")
    row = page.locator(".unfinished-row", has_text="Tape")
    expect(row).to_contain_text("the beginning of a file, whose import was interrupted; import it again for all of it")
    for name in ("Listen", "Keep", "Discard"):
        expect(row.get_by_role("button", name=name)).to_be_visible()
    expect(row.get_by_role("button", name="Continue")).to_be_hidden()


@pytest.mark.expects_console("ERR_FAILED")
def test_at3_a_list_of_unfinished_recordings_that_does_not_load_says_so_and_is_tried_again(visitor, studio):
    page = visitor.blank()
    page.route("**/api/recordings/sessions", lambda route: route.abort())
    page.goto(studio.base + "/recordings")
    section = page.locator("section.unfinished")
    notice = section.locator(".notice.error")
    expect(notice).to_contain_text("EchoText does not answer.")
    again = notice.get_by_role("button", name="Try again")
    again.evaluate("(button) => { button.id = 'first'; }")
    again.press("Enter")
    expect(again).not_to_have_id("first")
    expect(again).to_be_focused()  # that of the next notice
    page.unroute("**/api/recordings/sessions")
    again.click()
    expect(notice).to_have_count(0)
    expect(section).to_be_hidden()


@pytest.mark.expects_console(RESTARTED, "dialog: beforeunload", "status of 4(01|21)")
def test_at3_a_server_that_is_killed_costs_a_second_at_most(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 3)
    before = sessions(studio)[0]["seconds"]
    studio.restart(signal.SIGKILL)
    [session] = sessions(studio)
    assert session["state"] == "interrupted" and session["seconds"] >= before
    expect(page.get_by_text("EchoText was started again, at another address. Recording continues:")).to_be_visible()
    wait_until_heard(page, 2)
    rest = save_what_is_missing(page)
    assert tones.jumps(rest) == []
    kept = studio.ask("GET", f"/recordings/sessions/{session['id']}/sound").content
    [first] = [moment for moment in tones.moments(rest)[1:2]]
    last = tones.moments(kept)[-1]
    assert first is not None and last is not None and (first - last) % tones.LENGTH < 1
    item = studio.send("POST", f"/recordings/sessions/{session['id']}/finish")
    assert item["duration"] == pytest.approx(session["seconds"])


@pytest.mark.expects_console(RESTARTED, "dialog: beforeunload", "status of 4(01|21)")
def test_at3_what_waits_when_the_server_was_started_again_is_saved_by_stop_and_joins_its_recording(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 2)
    studio.restart(signal.SIGKILL)
    expect(page.get_by_text("EchoText was started again, at another address. Recording continues:")).to_be_visible()
    wait_until_heard(page, 2)
    with page.expect_download() as download:
        button(page, "Stop").click()
    rest = studio.folder / download.value.suggested_filename
    download.value.save_as(rest)
    assert rest.name.endswith("(rest).wav")
    expect(page.get_by_text("EchoText was started again. The last")).to_be_visible()
    button(page, "Done").click()
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(button(page, "Save the file again")).to_be_visible()
    button(page, "Done").click()
    dialog(page).get_by_role("button", name="It is saved").click()
    expect(button(page, "Record")).to_be_visible()
    [session] = sessions(studio)
    speaker.come_back(page, "/recordings")
    page.locator("main input[type=file]").first.set_input_files(rest)
    button(page, "Add it to the recording").click()
    expect(page.locator(".unfinished")).to_be_hidden()
    expect(names(page)).to_have_count(1)
    item, sound = only_sound(studio)
    assert item["id"] == session["id"] and item["duration"] >= session["seconds"] + 1.5
    assert tones.jumps(sound) == []
    page.locator("main input[type=file]").first.set_input_files(rest)
    row = page.locator(".sound-import")
    expect(row).to_contain_text("which is finished. If it was added, its sound is in there already.")
    expect(row.get_by_role("link", name="Open")).to_have_attribute("href", f"/recordings/{item['id']}")
    expect(row.get_by_role("button", name="Add it to the recording")).to_be_hidden()
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    expect(names(page)).to_have_count(1)


@pytest.mark.expects_console("status of 423")
def test_at3_a_library_that_is_locked_gets_what_was_said_meanwhile(speaker, studio):
    studio.set_passcode(PASSCODE)
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 2)
    before = sessions(studio)[0]["seconds"]
    studio.send("POST", "/lock")
    expect(page.get_by_text("The microphone is still being recorded.")).to_be_visible()
    page.wait_for_timeout(2_000)
    page.get_by_label("Passcode", exact=True).fill(PASSCODE)
    page.keyboard.press("Enter")
    expect(page.locator(".recorder-time")).to_be_visible()
    wait_for_samples(page, studio, before + 3)
    stop(page)
    expect(names(page)).to_have_count(1)
    assert tones.jumps(only_sound(studio)[1]) == []


@pytest.mark.expects_console(RESTARTED)
def test_at3_what_is_said_while_the_server_is_away_follows(speaker, studio, relay):
    page = speaker.context().new_page()
    page.goto(relay.of(studio.new_address()))
    page.goto(relay.base + "/recordings")
    record(page)
    wait_for_samples(page, studio, 2)
    relay.fall_silent()
    expect(page.get_by_text("EchoText does not answer. Recording continues:")).to_be_visible()
    save = button(page, "Save what is missing as a file")
    save.focus()
    reported = page.locator(".recorder-notices").inner_text()
    wait_until_heard(page, 2)
    wait_until(page, "(reported) => document.querySelector('.recorder-notices').innerText !== reported", reported)
    # The seconds in the notice grow; the key that saves them stays under the finger, and they are not read out again.
    expect(save).to_be_focused()
    expect(page.locator(".recorder-notices .notice").first).not_to_have_attribute("role", re.compile("status|alert"))
    spoken = heard(page)
    relay.answer_again()
    wait_for_samples(page, studio, spoken)
    expect(page.get_by_text("EchoText does not answer. Recording continues:")).to_be_hidden()
    stop(page)
    assert tones.jumps(only_sound(studio)[1]) == []


def test_at3_a_browser_that_is_killed_sends_what_waited_in_it_when_it_is_back(playwright, climb, studio, relay, tmp_path):
    def open_browser() -> tuple[BrowserContext, Page]:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "browser", executable_path=CHROMIUM, args=microphone_flags(climb), locale="en-GB"
        )
        context.add_init_script(steady(climb))
        page = context.new_page()
        page.goto(relay.of(studio.new_address()))
        page.goto(relay.base + "/recordings")
        return context, page

    context, page = open_browser()
    record(page)
    wait_for_samples(page, studio, 1)
    relay.fall_silent()
    wait_until_heard(page, 4)
    spoken = heard(page)
    assert evaluate(page, STORED) > 10
    kill_browser(tmp_path / "browser")
    with contextlib.suppress(Error):
        context.close()
    relay.answer_again()
    context, page = open_browser()
    expect(page.get_by_text("interrupted")).to_be_visible()
    [session] = sessions(studio)
    assert session["seconds"] >= spoken - 1
    button(page, "Keep").click()
    expect(names(page)).to_have_count(1)
    assert tones.jumps(only_sound(studio)[1]) == []
    assert evaluate(page, STORED) == 0
    context.close()


# The number of chunks that the browser stores; fails if one is not encrypted, or a key is extractable.
STORED = """() => new Promise((done, fail) => {
  const opening = indexedDB.open("echotext-recorder");
  opening.onsuccess = () => {
    const stores = opening.result.transaction(["chunks", "keys"]);
    const chunks = stores.objectStore("chunks").getAll();
    const keys = stores.objectStore("keys").getAll();
    stores.oncomplete = () => {
      const isSealed = chunks.result.every(({ iv, sealed }) => iv.length === 12 && sealed.byteLength > 16);
      if (isSealed && keys.result.every((key) => !key.extractable)) done(chunks.result.length);
      else fail(new Error("what waits is not sealed"));
    };
  };
})"""


def kill_browser(folder: pathlib.Path) -> None:
    """Kills the browser of that folder, as a power failure would."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (process / "cmdline").read_bytes().split(b"\0")
            is_browser = not any(argument.startswith(b"--type=") for argument in arguments)
            if is_browser and f"--user-data-dir={folder}".encode() in arguments:
                os.kill(int(process.name), signal.SIGKILL)


def test_the_recorder_is_worked_by_keys(speaker, studio):
    page = speaker.open("/recordings")
    expect(page.locator("echo-player-bar").get_by_role("button").first).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link").first.press("r")
    expect(button(page, "Stop")).to_be_visible()
    wait_until_heard(page, 1)
    page.keyboard.press("m")
    expect_marked(page)
    button(page, "Pause").focus()
    page.keyboard.press("Space")
    expect(button(page, "Resume")).to_be_focused()
    page.keyboard.press("Space")
    expect(button(page, "Pause")).to_be_focused()
    button(page, "Stop").focus()
    page.keyboard.press("Enter")
    expect(button(page, "Record")).to_be_focused()
    expect(rows(page)).to_have_count(1)


@pytest.mark.expects_console("dialog: beforeunload")
def test_no_state_of_the_recorder_shuts_anybody_out(speaker):
    page = speaker.open("/recordings")
    page.get_by_text("Sound", exact=True).click()
    found = violations(page, "what is wanted")
    record(page)
    found += violations(page, "recording")
    button(page, "Pause").click()
    expect(button(page, "Resume")).to_be_visible()
    found += violations(page, "paused")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("link", name=re.compile("Recording paused at"))).to_be_visible()
    # The page that is left stays until the other has come.
    expect(page.locator("main h1")).to_have_text("Settings")
    settle(page)
    found += violations(page, "another page")
    page.goto(page.url.replace("/settings", "/recordings"))
    expect(page.get_by_text("interrupted")).to_be_visible()
    settle(page)
    found += violations(page, "unfinished")
    page.set_viewport_size({"width": 360, "height": 740})
    found += violations(page, "unfinished on a small screen")
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_is_wanted_of_the_sound_is_remembered(speaker, studio):
    page = speaker.open("/recordings")
    page.get_by_label("Spoken language").select_option("et")
    page.get_by_text("Sound", exact=True).click()
    page.get_by_role("switch", name="Suppress noise").click()
    page.reload()
    expect(page.get_by_label("Spoken language")).to_have_value("et")
    page.get_by_text("Sound", exact=True).click()
    expect(page.get_by_role("switch", name="Suppress noise")).to_be_checked()
    record(page)
    wait_until_heard(page, 1)
    stop(page)
    assert only_sound(studio)[0]["language"] == "et"


def test_what_is_wanted_of_the_sound_counts_though_record_is_pressed_before_the_page_knows_it(speaker, studio):
    studio.send("PUT", "/settings/recording.language", {"value": "et"})
    page = speaker.open("/settings/display")
    held, is_held = [], True
    page.route("**/api/settings", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(studio.base + "/recordings")
    held_back(page, held)
    button(page, "Record").click()
    is_held = False
    for route in held:
        route.continue_()
    expect(button(page, "Stop")).to_be_visible()
    wait_until_heard(page, 1)
    stop(page)
    assert only_sound(studio)[0]["language"] == "et"


@pytest.mark.expects_console("status of 409")
def test_a_wish_for_the_sound_that_is_refused_is_shown_as_it_was(visitor):
    page = visitor.open("/recordings")
    refusal = {"code": "vault.read-only", "message": "Nothing more can be kept just now.", "suggestion": None}
    page.route("**/api/settings/recording.*", lambda route: route.fulfill(status=409, json=refusal))
    page.get_by_text("Sound", exact=True).click()
    switch = page.get_by_role("switch", name="Suppress noise")
    switch.click()
    expect(page.locator(".toast")).to_contain_text("Nothing more can be kept just now.")
    expect(switch).not_to_be_checked()
    language = page.get_by_label("Spoken language")
    before = language.input_value()
    language.select_option("et")
    expect(language).to_have_value(before)


def test_recordings_are_searched_renamed_filtered_and_deleted(speaker, studio):
    page = speaker.open("/recordings")
    for _ in range(2):
        record(page)
        wait_until_heard(page, 1)
        stop(page)
    expect(rows(page)).to_have_count(2)
    rows(page).first.click(button="right")
    page.get_by_role("menuitem", name="Rename").click()
    field = page.get_by_label("Name of the")
    field.fill("Walk by the sea")
    field.press("Enter")
    page.get_by_label("Search recordings").fill("walk")
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Search recordings").fill("")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("menuitemradio", name="Imported").click()
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("button", name=re.compile("Imported")).first.click()
    expect(rows(page)).to_have_count(2)
    rows(page).first.focus()
    page.keyboard.press("Delete")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(2)
