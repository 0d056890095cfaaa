"""The microphone of practice: consent, the red dot, its level, pauses that end by themselves, and its loss."""

from playwright.sync_api import expect

import tones
from parts import dialog
from places import wait_until
from practising import TEXT, VOICE, SentEvents, address, begin, current, expect_phase, practise, pressed, wait_for_phase
from takes import KEEP_STREAMS, PHRASE, SAID, SLOW, STREAMS_ENDED, fixture_talk, samples_of
from test_microphones import KEEP_TRACKS


def test_nothing_is_recorded_without_consent_nor_outside_the_pause(talk):
    # The pause is long enough for a busy machine to check everything that it shows.
    long = "Good morning little bird, says the keeper, and counts his steps along the pier."
    session = practise(talk.studio, long + " The end.", factor=3, rate=0.35)
    page = talk.says(b"", tones.RATE).open(address(session))
    record = page.get_by_role("button", name="Record my echo")
    record.click()
    ask = dialog(page)
    expect(ask.get_by_role("button", name="Do not record")).to_be_focused()
    page.keyboard.press("Enter")
    expect(record).to_have_attribute("aria-pressed", "false")
    record.click()
    dialog(page).get_by_role("button", name="Record", exact=True).click()
    expect(record).to_have_attribute("aria-pressed", "true")
    marked = page.locator(".navigation[data-recording]")
    expect(marked).to_have_count(0)
    page.evaluate(
        "() => { globalThis.opened = []; const own = MediaStreamTrack.prototype; const { set, get } = Object.getOwnPropertyDescriptor(own, 'enabled');"
        " Object.defineProperty(own, 'enabled', { get, set(yes) { if (yes) opened.push(document.querySelector('.echo-ring').hasAttribute('data-recording')); set.call(this, yes); } }); }"
    )
    begin(page)
    expect_phase(page, "Listen")
    expect(marked).to_have_count(0)
    wait_for_phase(page, "echo")
    expect_phase(page, "Your turn · recording")
    expect(marked).to_be_visible()
    pressed(page, "Pause").click()
    expect(marked).to_have_count(0)
    assert page.evaluate("opened") == [True], "the microphone was on without the mark"
    # Whoever moves forward has finished speaking, and has a take; whoever goes back has none.
    pressed(page, "Previous").click()
    expect(page.locator(".take-panel")).to_be_hidden()
    assert talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"] == []


def test_a_session_after_one_that_was_begun_with_recording_asks_before_it_records(talk):
    # The next session takes over its pace: its pause is long enough for a busy machine.
    practise(talk.studio, records=True, factor=3, rate=0.35)
    source = {"kind": "text", "text": SAID + " The end.", "language": "en-GB"}
    session = talk.studio.send("POST", "/practice/sessions", {"source": source, "voice": VOICE})
    page = talk.says(b"", tones.RATE).open(address(session))
    record = page.get_by_role("button", name="Record my echo")
    expect(record).to_have_attribute("aria-pressed", "false")
    begin(page)
    wait_for_phase(page, "echo")
    expect_phase(page, "Your turn")
    expect(page.locator(".navigation[data-recording]")).to_have_count(0)
    record.click()
    expect(dialog(page).get_by_role("button", name="Do not record")).to_be_focused()


def test_the_level_of_the_microphone_is_shown_in_the_turn_and_only_then(talk, tmp_path):
    session = practise(talk.studio, SAID + " The end.", records=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    level = page.locator(".ring-level")
    expect(level).to_have_css("visibility", "hidden")
    begin(page)
    expect_phase(page, "Listen")
    expect(level).to_have_css("visibility", "hidden")
    wait_until(page, """() => {
      const level = document.querySelector('.ring-level');
      return Number(level.style.getPropertyValue('--level')) > 0 && getComputedStyle(level).visibility === 'visible';
    }""")
    wait_for_phase(page, "playing")
    expect(level).to_have_css("visibility", "hidden")


def test_practice_rests_while_it_asks_and_goes_on_after_either_answer(talk):
    session = practise(talk.studio, "Good morning little bird, says the keeper. The end.", factor=3, rate=0.1)
    page = talk.says(b"", tones.RATE).open(address(session))
    record = page.get_by_role("button", name="Record my echo")
    for answer, is_recorded in (("Do not record", "false"), ("Record", "true")):
        if answer == "Do not record":
            begin(page)
        record.click()
        expect_phase(page, "Paused")
        dialog(page).get_by_role("button", name=answer, exact=True).click()
        expect(pressed(page, "Pause")).to_be_visible()
        expect(record).to_have_attribute("aria-pressed", is_recorded)


def test_it_goes_on_when_the_speaker_falls_silent(talk, tmp_path):
    session = practise(talk.studio, SAID + " The end.", echo="wait", rate=0.35)
    # A phrase without gaps longer than a speaker's.
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    expect(current(page)).to_have_text("The end.", timeout=SLOW)
    assert reported.kinds[:3] == ["begin", "playbackFinished", "silenceHeard"]


def test_a_pause_that_is_not_to_wait_any_more_is_timed_anew(talk):
    session = practise(talk.studio, SAID + " The end.", echo="wait", rate=0.35)
    page = talk.says(b"", tones.RATE).open(address(session))
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    remaining = page.locator(".ring-detail")
    expect(remaining).to_be_empty()
    page.get_by_role("button", name="How to practise").click()
    dialog(page).get_by_text("As long as it took", exact=True).click()
    expect(remaining).not_to_be_empty()
    expect(current(page)).to_have_text("The end.", timeout=SLOW)
    assert reported.kinds[:4] == ["begin", "playbackFinished", "setSettings", "echoElapsed"]


def test_the_detector_of_voices_decides_when_it_is_there_and_nothing_is_kept(talk):
    session = practise(talk.studio, SAID + " The end.", echo="wait", rate=0.35)
    # Silence, so that loudness cannot decide.
    page = talk.says(b"", tones.RATE).open(address(session))
    pieces = []

    def answer(route):
        pieces.append(route.request.post_data_buffer or b"")
        route.fulfill(json={"isDetected": True, "isOver": len(pieces) > 4})

    page.route("**/voice?turn=*", answer)
    reported = SentEvents(page)
    begin(page)
    expect(current(page)).to_have_text("The end.", timeout=SLOW)
    expect(page.locator(".navigation[data-recording]")).to_have_count(0)
    assert reported.kinds[:3] == ["begin", "playbackFinished", "silenceHeard"]
    assert pieces[0] == b"" and all(one.startswith(b"RIFF") for one in pieces[1:])
    assert talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"] == []


def test_a_microphone_that_is_not_allowed_is_told_and_practice_goes_on_without(visitor, studio):
    session = practise(studio, echo="wait")
    # Only a person who has switched it on in a session has it in later ones.
    change = {"kind": "setSettings", "at": 1, "settings": {"records": True}}
    studio.send("POST", f"/practice/sessions/{session['id']}/events", {"events": [change]})
    page = visitor.open(address(session))
    page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }")
    pressed(page, "Begin").click()
    expect(page.get_by_role("alert")).to_contain_text("This session continues without it")
    wait_for_phase(page, "echo")
    expect_phase(page, "Your turn")
    settings = studio.get("/practice/sessions/" + page.url.rsplit("/", 1)[1])["settings"]
    assert (settings["records"], settings["echo"]) == (False, "timed")
    source = {"kind": "text", "text": TEXT, "language": "en-GB"}
    later = studio.send("POST", "/practice/sessions", {"source": source, "voice": VOICE})["settings"]
    assert (later["records"], later["echo"]) == (True, "wait")


def test_sp5_a_microphone_that_is_lost_pauses_the_session(talk):
    session = practise(talk.studio, SAID + " The end.", records=True, factor=3)
    page = talk.says(b"", tones.RATE).open(address(session))
    page.evaluate(KEEP_TRACKS)
    sent = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    marked = page.locator(".navigation[data-recording]")
    expect(marked).to_be_visible()
    page.evaluate("() => window.unplug(true)")
    expect_phase(page, "Paused")
    expect(marked).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("microphone")
    assert (sent.events[-1]["kind"], sent.events[-1]["reason"]) == ("interrupt", "deviceLost")
    page.evaluate("() => window.plug()")
    pressed(page, "Continue").click()
    expect(marked).to_be_visible()


def test_recording_that_is_switched_off_elsewhere_ends_here_at_once(talk):
    session = practise(talk.studio, SAID + " The end.", records=True, factor=3)
    page = talk.says(b"", tones.RATE).open(address(session))
    page.evaluate(KEEP_STREAMS)
    begin(page)
    wait_for_phase(page, "echo")
    marked = page.locator(".navigation[data-recording]")
    expect(marked).to_be_visible()
    change = {"kind": "setSettings", "at": 1, "settings": {"records": False}}
    talk.studio.send("POST", f"/practice/sessions/{session['id']}/events", {"events": [change]})
    expect(marked).to_have_count(0)
    wait_until(page, STREAMS_ENDED)
    expect(page.get_by_role("button", name="Record my echo")).to_have_attribute("aria-pressed", "false")
    assert talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"] == []


def test_the_microphone_is_closed_when_a_session_that_rests_continues_elsewhere(talk):
    session = practise(talk.studio, SAID + " The end.", records=True, factor=3)
    page = talk.says(b"", tones.RATE).open(address(session))
    page.evaluate(KEEP_STREAMS)
    begin(page)
    wait_until(page, "() => streams.length > 0")
    pressed(page, "Pause").click()
    wait_for_phase(page, "paused")
    assert not page.evaluate(STREAMS_ENDED)
    # Pages hear of a change of settings.
    elsewhere = [{"kind": "jump", "at": 1, "segment": 2}, {"kind": "setSettings", "at": 1, "settings": {"factor": 2}}]
    talk.studio.send("POST", f"/practice/sessions/{session['id']}/events", {"events": elsewhere})
    wait_for_phase(page, "idle")
    wait_until(page, STREAMS_ENDED)
    # It is opened again for what is practiced here.
    pressed(page, "Continue").click()
    wait_until(page, f"() => !({STREAMS_ENDED})()")
    expect(pressed(page, "Pause")).to_be_visible()
