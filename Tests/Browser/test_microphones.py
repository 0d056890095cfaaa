"""AT2, AT3: a browser's best sound is recorded, and another microphone takes over from a lost one."""

import re

import pytest
from playwright.sync_api import expect

import tones
from parts import names
from places import held_back, wait_until
from test_recording import button, only_sound, record, sessions, stop, wait_for_samples, wait_until_heard

# Makes the browser refuse audio contexts with these rates.
REFUSE_RATES = """(refused) => {
  window.AudioContext = class extends window.AudioContext {
    constructor(options) {
      if (refused.includes(options?.sampleRate)) throw new DOMException("No such rate.", "NotSupportedError");
      super(options);
    }
  };
}"""


@pytest.mark.parametrize("refused, rate", [([48_000], 44_100), ([48_000, 44_100], 16_000), ([48_000, 44_100, 16_000], None)])
def test_at2_the_next_best_quality_is_recorded_where_the_best_is_not_to_be_had(speaker, studio, refused, rate):
    page = speaker.open("/recordings")
    own = page.evaluate("new AudioContext().sampleRate")
    page.evaluate(REFUSE_RATES, refused)
    record(page)
    wait_for_samples(page, studio, 2)
    stop(page)
    expect(names(page)).to_have_count(1)
    item, sound = only_sound(studio)
    assert item["sampleRate"] == (rate or own)
    assert tones.jumps(sound) == []


@pytest.mark.expects_console("dialog: beforeunload")
def test_at2_a_recording_goes_on_at_its_rate_where_the_browser_has_another(speaker, studio):
    page = speaker.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 2)
    page.reload()
    expect(page.get_by_text("interrupted")).to_be_visible()
    [session] = sessions(studio)
    page.evaluate(REFUSE_RATES, [48_000])
    button(page, "Continue").click()
    expect(button(page, "Stop")).to_be_visible()
    wait_for_samples(page, studio, session["seconds"] + 2)
    stop(page)
    expect(names(page)).to_have_count(1)
    item, sound = only_sound(studio)
    assert item["sampleRate"] == session["sampleRate"] == 48_000
    assert len(tones.jumps(sound)) <= 1


KEEP_TRACKS = """() => {
  const tracks = [];
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const list = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
  window.isGone = false;
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await ask(wanted);
    tracks.push(...stream.getTracks());
    return stream;
  };
  navigator.mediaDevices.enumerateDevices = async () => window.isGone ? [] : list();
  window.unplug = (all) => {
    window.isGone = all;
    const track = tracks.at(-1);
    track.stop();
    track.dispatchEvent(new Event("ended"));
  };
  window.plug = () => {
    window.isGone = false;
    navigator.mediaDevices.dispatchEvent(new Event("devicechange"));
  };
}"""


def test_at3_another_microphone_goes_on_when_one_is_unplugged(speaker, studio):
    page = speaker.open("/recordings")
    page.evaluate(KEEP_TRACKS)
    record(page)
    wait_until_heard(page, 2)
    page.evaluate("() => window.unplug(false)")
    expect(page.get_by_text("Recording continues with another one.")).to_be_visible()
    wait_until_heard(page, 2)
    stop(page)
    item, sound = only_sound(studio)
    assert item["duration"] > 4 and len(tones.jumps(sound)) <= 1


def test_at3_without_another_it_rests_until_one_is_plugged_in(speaker, studio):
    page = speaker.open("/recordings")
    page.evaluate(KEEP_TRACKS)
    record(page)
    wait_until_heard(page, 1)
    page.evaluate("() => window.unplug(true)")
    expect(page.get_by_text("The microphone is gone, so the recording is paused.")).to_be_visible()
    page.evaluate("() => window.plug()")
    expect(page.get_by_text("There is a microphone again.")).to_be_visible()
    button(page, "Resume").click()
    wait_until_heard(page, 1)
    stop(page)
    assert only_sound(studio)[0]["duration"] > 2


def test_a_choice_about_the_sound_stays_while_it_is_being_kept(visitor, studio):
    page = visitor.open("/recordings")
    # All above the summary is there by then.
    expect(page.get_by_role("link", name="Get a better one")).to_be_visible()
    page.locator(".recorder-sound summary").click()
    control = page.get_by_role("switch", name="Suppress noise")
    expect(control).to_have_attribute("aria-checked", "false")
    held = []
    page.route("**/api/settings/recording.noise-suppression", lambda route: held.append(route))
    control.click()
    held_back(page, held)
    studio.send("PUT", "/settings/playback.step", {"value": "20"})
    wait_until(page, "async () => (await import('/core/store.js')).setting('playback.step', '') === '20'")
    expect(control).to_have_attribute("aria-checked", "true")
    with page.expect_response("**/api/settings/recording.noise-suppression") as kept:
        held[0].continue_()
    assert kept.value.ok
    expect(control).to_have_attribute("aria-checked", "true")


def test_a_browser_that_refuses_the_microphone_is_told_what_to_do(visitor):
    page = visitor.open("/recordings")
    button(page, "Record").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(re.compile("does not let this page use the microphone|There is no microphone"))
    expect(button(page, "Record")).to_be_enabled()
