"""SP2–SP5, SP7, SP8: any text is practiced by ear and echo: segments, pauses, order, interruptions."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from parts import choose, dialog, rows
from places import evaluate, settle, wait_until
from practising import (
    SentEvents, address, begin, current, expect_phase, expect_place, practise, pressed, wait_for_phase, written,
)
from transcripts import record

PHONE = {"width": 360, "height": 740}


# SP2, SP3: reading aloud, and the echo pause


def test_sp2_a_speech_is_read_by_sentences_at_a_rate_that_can_be_changed(visitor, studio):
    written(studio, "Toast")
    page = visitor.open("/practice")
    reported = SentEvents(page)
    rows(page).first.hover()
    page.get_by_role("button", name="Practise “Toast”").click()
    expect(page.get_by_role("heading", name="Toast")).to_be_visible()
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(current(page)).to_have_text("The harbour was quiet.")
    expect_place(page, 1, 4)
    expect(page.get_by_label("Speed").first).to_have_attribute("aria-valuetext", "1×")
    begin(page)
    wait_until(page, "() => [...(CSS.highlights.get('spoken-word') ?? [])].join('').length > 2")
    expect(current(page)).to_have_text("A lamp burned at the pier.")
    assert set(reported.rates) == {"0.5"}
    slider = page.locator(".practice-controls .slider-field")
    slider.fill("1.4")
    slider.press("Enter")
    expect(current(page)).to_have_text("She opened her book.")
    expect(current(page)).to_have_text("Nobody answered.")
    assert reported.rates[-1] == "0.9"
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()


def test_fr3_a_typed_rate_of_practice_is_kept_as_it_is_or_refused_with_the_range(visitor, studio):
    studio.send("POST", "/practice/sessions", {"source": {"kind": "speech", "id": written(studio, "Toast")}})
    page = visitor.open("/practice")
    page.get_by_role("link", name="Toast").click()
    controls = page.locator(".practice-controls")
    rate = controls.locator(".slider-field")
    rate.fill("1.6")
    rate.press("Enter")
    expect(controls.get_by_role("alert")).to_have_text("Give a value from 0.5× to 1.5×. The old one stays until then.")
    rate.fill("0.83")
    with page.expect_response(lambda answer: answer.request.method != "GET" and "/practice/sessions/" in answer.url):
        rate.press("Enter")
    expect(rate).to_have_value("0.83×")
    expect(controls.get_by_role("alert")).to_have_count(0)
    page.reload()
    expect(controls.locator(".slider-field")).to_have_value("0.83×")
    assert studio.get("/practice/sessions/" + page.url.rsplit("/", 1)[1])["settings"]["rate"] == 0.364


def test_sp2_only_voices_of_the_language_are_offered_and_another_goes_on_at_the_same_place(visitor, studio):
    studio.send("POST", "/practice/sessions", {"source": {"kind": "speech", "id": written(studio, "Toast")}, "from": 3})
    page = visitor.open("/practice")
    page.get_by_role("link", name="Toast").click()
    expect_place(page, 3, 4)
    waiting = []
    page.route("**/api/voices*", lambda one: waiting.append(one))
    page.reload()
    page.get_by_role("button", name="How to practise").click()
    voice = dialog(page).get_by_label("Voice")
    expect(voice.locator("option")).to_have_count(0)
    for one in waiting:
        one.continue_()
    expect(voice.locator("option").nth(1)).to_be_attached()
    options = voice.locator("option").evaluate_all("(all) => all.map(({ value }) => value)")
    spoken = {one["id"]: one["language"] for one in studio.get("/voices")}
    assert len(options) > 1 and all(spoken[one].startswith("en") for one in options)
    other = next(one for one in options if one != voice.input_value())
    before = page.url
    voice.select_option(other)
    expect(page).not_to_have_url(before)
    expect_place(page, 3, 4)
    assert studio.get("/practice/sessions/" + page.url.rsplit("/", 1)[1])["voice"] == other


def test_sp2_a_text_that_is_kept_nowhere_else_gets_another_voice_and_speaker(visitor, studio):
    session = practise(studio, "Good morning. It is day. Good night.")
    page = visitor.open(address(session))
    for label, choice, expected in (("Voice", "piper/en_US-fixture-low", 0), ("Speaker", "high", 1)):
        before = page.url
        page.get_by_role("button", name="How to practise").click()
        dialog(page).get_by_label(label, exact=True).select_option(choice)
        expect(page).not_to_have_url(before)
        expect_place(page, 1, 3)
        made = studio.get("/practice/sessions/" + page.url.rsplit("/", 1)[1])
        assert (made["voice"], made["speaker"]) == ("piper/en_US-fixture-low", expected)
        assert made["source"]["kind"] == "text"
    expect(current(page)).to_have_text("Good morning.")


@pytest.mark.parametrize("granularity", ["sentence", "paragraph"])
def test_sp3_the_pause_is_as_long_as_the_reading(visitor, studio, granularity):
    session = practise(studio, "Good morning. It is day.\n\nGood night. It is dark.", granularity=granularity)
    page = visitor.open(address(session))
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    expect_phase(page, "Your turn")
    expect(page.locator(".ring-detail")).not_to_be_empty()
    wait_for_phase(page, "playing")
    [_, heard, echoed] = reported.events[:3]
    assert echoed["at"] - heard["at"] >= heard["seconds"] - 0.05
    assert reported.kinds[:3] == ["begin", "playbackFinished", "echoElapsed"]
    expect(current(page)).to_have_text("It is day." if granularity == "sentence" else re.compile("Good night. It is dark."))


def test_sp3_the_ring_fills_in_the_turn_and_only_then(visitor, studio):
    page = visitor.open(address(practise(studio, factor=3, rate=0.2)))
    filled = """([least, isShown]) => {
      const ring = document.querySelector('.ring-filled');
      const isVisible = getComputedStyle(ring).visibility === 'visible';
      return isVisible === isShown && Number(ring.style.getPropertyValue('--part')) >= least;
    }"""
    begin(page)
    wait_until(page, filled, [0, False])
    wait_for_phase(page, "echo")
    for part in (0.25, 0.75):
        wait_until(page, filled, [part, True])
    wait_for_phase(page, "playing")
    wait_until(page, "() => Number(document.querySelector('.ring-filled').style.getPropertyValue('--part')) === 0")


def height_of_ring(page) -> float:
    return page.locator(".echo-ring").bounding_box()["height"]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_sp3_a_turn_is_ended_by_a_button_that_says_so(visitor, studio, size):
    page = visitor.open(address(practise(studio, factor=3, rate=0.1, repeats=2)), size=size)
    reported = SentEvents(page)
    done = page.get_by_role("button", name="Done speaking", exact=True)
    expect(done).to_be_hidden()
    settle(page)
    before = height_of_ring(page)
    begin(page)
    wait_for_phase(page, "echo")
    expect(done).to_be_in_viewport(ratio=1)
    assert height_of_ring(page) == pytest.approx(before, abs=1), "the buttons below it jump"
    done.focus()
    page.keyboard.down("Enter")
    wait_for_phase(page, "playing")
    expect(done).to_be_hidden()
    expect(pressed(page, "Pause")).to_be_focused()
    page.keyboard.down("Enter")  # it is held, and does not pause
    page.keyboard.up("Enter")
    wait_for_phase(page, "echo")
    page.keyboard.press("d")
    expect(current(page)).to_have_text("A lamp burned at the pier.")
    assert reported.kinds[:5] == ["begin", "playbackFinished", "echoElapsed", "playbackFinished", "echoElapsed"]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_sp7_what_stands_around_the_play_button_is_above_its_middle(visitor, studio, size):
    page = visitor.open(address(practise(studio)), size=size)
    expect(current(page)).to_have_text("The harbour was quiet.")
    expect_phase(page, "Press play")
    settle(page)
    middles = """() => {
      const middle = (...all) => {
        const boxes = all.map((one) => one.getBoundingClientRect());
        return (Math.min(...boxes.map(({ left }) => left)) + Math.max(...boxes.map(({ right }) => right))) / 2;
      };
      const words = document.createRange();
      words.selectNodeContents(document.querySelector('.ring-words'));
      return [[document.querySelector('.ring'), words], ['.progress-dots'], ['.practice-toggle'], ['.practice-text']]
        .map((all) => middle(...all.map((one) => typeof one === 'string' ? document.querySelector(one) : one)));
    }"""
    first, *others = page.evaluate(middles)
    assert others == [pytest.approx(first, abs=1)] * 3


# Whether the word that is marked, beyond a part of the text, is or is not above the controls.
MARKED_WORD = """([part, isSeen]) => {
  const [word] = CSS.highlights.get('spoken-word') ?? [];
  if (word === undefined || word.startOffset < part * word.startContainer.length) return false;
  const { top, bottom } = word.getBoundingClientRect();
  return (top >= 0 && bottom <= document.querySelector('.practice-dock').getBoundingClientRect().top) === isSeen;
}"""


def test_sp3_a_long_paragraph_is_followed_as_it_is_read_and_shown_from_its_beginning_in_the_turn(visitor, studio):
    waves = " ".join(f"Wave number {n} came in over the grey stones of the harbour." for n in ("one", "two", "three", "four", "five"))
    page = visitor.open(address(practise(studio, f"{waves}\n\n{waves}", granularity="paragraph", rate=1, factor=3)), size=PHONE)
    begin(page)
    wait_until(page, MARKED_WORD, [0.7, True])
    assert page.evaluate("scrollY") > 0, "the paragraph is not longer than the view"
    wait_for_phase(page, "echo")
    wait_until(page, """() => {
      const { top } = document.querySelector('.practice-current').getBoundingClientRect();
      return top >= 0 && top < innerHeight / 2;
    }""")
    pressed(page, "Next").click()
    expect_place(page, 2, 2)
    wait_until(page, MARKED_WORD, [0.01, True])
    # The page stays where a person has scrolled to.
    page.evaluate("() => { document.querySelector('.practice-stage').dispatchEvent(new WheelEvent('wheel', { bubbles: true })); scrollTo(0, 0); }")
    wait_until(page, MARKED_WORD, [0.7, False])
    assert page.evaluate("scrollY") == 0


def test_sp3_without_a_pause_one_segment_follows_the_other(visitor, studio):
    page = visitor.open(address(practise(studio, echo="off", rate=1)))
    reported = SentEvents(page)
    begin(page)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    assert reported.kinds == ["begin"] + ["playbackFinished"] * 4
    expect(page.locator(".summary-facts")).to_contain_text("Sentences4")


def test_sp3_the_next_segments_sound_is_there_before_the_present_one_ends(visitor, studio):
    page = visitor.open(address(practise(studio, echo="off", rate=0.1)))
    reported = SentEvents(page)
    begin(page)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    # The first one may have come with the page. Each of the others is asked for once, and not when its turn has come.
    ended = "playbackFinished"
    assert [one for one in reported.order if one != 1] == ["begin", 2, ended, 3, ended, 4, ended, ended]


def test_sp4_a_session_of_which_every_segment_was_skipped_ends_with_a_summary(visitor, studio):
    page = visitor.open(address(practise(studio, rate=0.1)))
    begin(page)
    pressed(page, "Pause").click()
    expect_phase(page, "Paused")
    for at in range(1, 5):
        expect_place(page, at, 4)
        pressed(page, "Next").click()
    title = page.get_by_role("heading", name="How it went")
    expect(title).to_be_focused()
    summary = page.locator(".practice-summary")
    expect(summary).to_contain_text("Nothing was practised: 4 skipped.")
    expect(summary.locator("dl")).to_be_hidden()
    page.reload()
    expect(summary).to_contain_text("Nothing was practised: 4 skipped.")
    summary.get_by_role("button", name="Practise again").click()
    expect(title).to_be_hidden()
    expect_place(page, 1, 4)


def test_sp3_a_rest_in_the_pause_changes_nothing(visitor, studio):
    page = visitor.open(address(practise(studio, factor=3)))
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    pressed(page, "Pause").click()
    expect_phase(page, "Paused")
    pressed(page, "Continue").click()
    expect_phase(page, "Your turn")
    expect(current(page)).to_have_text("A lamp burned at the pier.")
    assert reported.kinds[:5] == ["begin", "playbackFinished", "pause", "resume", "echoElapsed"]


def test_sp3_the_sheet_sets_the_order_and_the_range_that_is_practised_over_and_over(visitor, studio):
    session = practise(studio)
    page = visitor.open(address(session))
    page.get_by_role("button", name="How to practise").click()
    sheet = dialog(page)
    sheet.get_by_text("Read together", exact=True).click()
    first, last = (sheet.get_by_label(name, exact=True) for name in ("From number", "To number"))
    for ends in ("3", "2"), ("2", "3"):
        first.fill(ends[0])
        last.fill(ends[1])
        last.press("Tab")
        problem = sheet.get_by_text("Give two numbers, the first not above the second")
        expect(problem).to_have_count(1 if ends == ("3", "2") else 0)
    kept = """async (id) => {
      const { settings } = await (await fetch(`/api/practice/sessions/${id}`)).json();
      return settings.order === "together" && settings.loop?.first === 2 && settings.loop?.last === 3;
    }"""
    wait_until(page, kept, session["id"])


def test_sp3_what_the_sheet_sets_holds_for_this_session_and_the_next(visitor, studio):
    session = practise(studio)
    page = visitor.open(address(session))
    page.get_by_role("button", name="How to practise").click()
    sheet = dialog(page)
    kept = """async ([id, wanted]) => {
      const { settings } = await (await fetch(`/api/practice/sessions/${id}`)).json();
      return Object.entries(wanted).every(([name, value]) => (settings[name]?.last ?? settings[name]) === value);
    }"""
    ends = [sheet.get_by_label(name, exact=True) for name in ("From number", "To number")]
    for end in ends:
        end.fill("3")
        end.press("Tab")
    wait_until(page, kept, [session["id"], {"loop": 3}])
    sheet.get_by_text("Paragraph", exact=True).click()
    for end in ends:
        expect(end).to_have_value("")
    sheet.get_by_text("Hear it all first", exact=True).click()
    for name, value in (("Length of the pause", "2"), ("Times each", "3")):
        field = sheet.get_by_role("textbox", name=name, exact=True)
        field.fill(value)
        field.press("Enter")
    for name in ("Gradually faster", "Hide the text", "Keep the recordings"):
        sheet.get_by_role("switch", name=name).click()
    wanted = {
        "granularity": "paragraph", "loop": None, "order": "listenFirst", "factor": 2, "repeats": 3, "faster": True,
        "hidesText": True, "keepsTakes": False,
    }
    wait_until(page, kept, [session["id"], wanted])
    # The settings of the next session are stored after this one has them, and the last switch last.
    wait_until(
        page,
        """async () => {
          const settings = await (await fetch('/api/settings')).json();
          return settings.some(({ name, value }) => name === 'practice.keep-takes' && value === 'off');
        }""",
    )
    later = practise(studio)["settings"]
    assert {name: later[name] for name in wanted} == wanted


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_sp7_the_players_buttons_are_beside_those_of_practice_only_while_it_sounds(visitor, studio, size):
    written(studio, "Toast")
    walk = record(studio, seconds=60, name="Walk")
    page = visitor.open("/practice", size=size)
    bar = page.locator("echo-player-bar")
    evaluate(page, "async (id) => (await import('/player/player.js')).player.playItem(id)", walk)
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    rows(page).first.hover()
    page.get_by_role("button", name="Practise “Toast”").click()
    expect(current(page)).to_have_text("The harbour was quiet.")
    expect(bar.get_by_role("button", name="Pause")).to_be_visible()
    begin(page)
    expect(bar).to_be_hidden()
    page.go_back()
    expect(bar.get_by_role("button", name="Play", exact=True)).to_be_visible()


# SP4: places


def test_sp4_one_goes_back_and_forth_by_buttons_taps_keys_and_the_list(visitor, studio):
    page = visitor.open(address(practise(studio)))
    expect(page.locator(".practice-neighbour").last).to_contain_text("A lamp burned at the pier.")
    begin(page)
    pressed(page, "Next").click()
    expect(current(page)).to_have_text("A lamp burned at the pier.")
    page.locator(".practice-neighbour").last.click()
    expect(current(page)).to_have_text("She opened her book.")
    page.locator(".practice-neighbour").first.click()
    expect_place(page, 2, 4)
    page.locator("h1").press("ArrowRight")
    expect_place(page, 3, 4)
    page.locator("h1").press("ArrowLeft")
    expect_place(page, 2, 4)
    page.locator("h1").press("Space")
    expect_phase(page, "Paused")
    pressed(page, "Whole text").click()
    dialog(page).get_by_role("button", name="Nobody answered.").click()
    expect_place(page, 4, 4)
    expect_phase(page, "Listen")
    dots = page.locator(".progress-dots .dot")
    expect(dots).to_have_count(4)
    dots.first.click()
    expect_place(page, 1, 4)
    [(size, color), (other_size, other_color)] = page.evaluate(
        "() => ['.practice-text', '.practice-neighbour:not([data-none])']"
        ".map((one) => getComputedStyle(document.querySelector(one)))"
        ".map(({ fontSize, color }) => [parseFloat(fontSize), color])"
    )
    assert size > other_size
    assert color != other_color, "the neighbours are not dimmed"
    page.locator("h1").press("Escape")
    expect(page.get_by_role("heading", name="Practice", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Continue with")).to_be_visible()


def test_sp4_nothing_follows_the_last_segment_of_a_session_that_has_not_begun_here(visitor, studio):
    studio.send("POST", "/practice/sessions", {"source": {"kind": "speech", "id": written(studio, "Toast")}, "from": 4})
    page = visitor.open("/practice")
    page.get_by_role("link", name="Toast").click()
    expect_place(page, 4, 4)
    reported = SentEvents(page)
    pressed(page, "Next").click()
    pressed(page, "Previous").click()
    expect_place(page, 3, 4)
    assert reported.kinds[:2] == ["jump", "begin"]
    expect(page.get_by_role("alert")).to_have_count(0)


def test_sp4_a_swipe_goes_on_and_back(visitor, studio):
    page = visitor.open(address(practise(studio, factor=3, rate=0.1)), size=PHONE)
    expect(current(page)).to_have_text("The harbour was quiet.")
    settle(page)
    finger = page.context.new_cdp_session(page)

    def swipe(element, across: int) -> None:
        box = element.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for step in range(9):
            point = {"x": x + across * step / 8, "y": y}
            kind = "touchMove" if step else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(current(page), -120)
    expect_place(page, 2, 4)
    swipe(current(page), 120)
    expect_place(page, 1, 4)
    # A short way is no swipe, and a swipe from the next sentence is no press on it, too.
    swipe(current(page), 20)
    swipe(page.locator(".practice-neighbour").last, -120)
    expect(current(page)).to_have_text("A lamp burned at the pier.")
    swipe(current(page), -120)
    expect(current(page)).to_have_text("She opened her book.")


# SP5: interruptions and failures


def test_sp5_a_page_that_is_hidden_rests(visitor, studio):
    page = visitor.open(address(practise(studio, factor=3)))
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    page.evaluate(
        "() => { Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    expect_phase(page, "Paused")
    assert (reported.events[-1]["kind"], reported.events[-1]["reason"]) == ("interrupt", "hidden")


def test_sp5_a_session_that_was_left_goes_on_where_it_was(visitor, studio):
    session = practise(studio)
    page = visitor.open(address(session))
    begin(page)
    pressed(page, "Next").click()
    expect_place(page, 2, 4)
    page.reload()
    expect_place(page, 2, 4)
    pressed(page, "Continue").click()
    expect_phase(page, "Listen")
    page.get_by_role("link", name="All practice").click()
    expect(page.locator(".session-row")).to_contain_text("2 of 4")
    wait_until(page, "async (id) => (await (await fetch(`/api/practice/sessions/${id}`)).json()).phase === 'paused'", session["id"])


def test_sp5_after_a_session_was_deleted_by_key_the_focus_is_on_the_next_one(visitor, studio):
    practise(studio)
    practise(studio)
    page = visitor.open("/practice")
    remove = page.get_by_role("button", name=re.compile("^Delete the session of"))
    expect(remove).to_have_count(2)
    remove.first.press("Enter")
    expect(remove).to_have_count(1)
    expect(remove).to_be_focused()
    remove.press("Enter")
    expect(remove).to_have_count(0)
    expect(page.get_by_role("heading", name="Practice", level=1)).to_be_focused()


@pytest.mark.expects_console("status of 422")
def test_sp5_a_language_without_a_voice_is_told_with_the_way_out(visitor, studio):
    # Votic, which no voice speaks.
    written(studio, "Toast", language="vot")
    page = visitor.open("/practice")
    choose(page, "Toast", "Practise this")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("No voice that is installed speaks the language “vot”.")
    toast.get_by_role("button", name="Voices").click()
    expect(page).to_have_url(re.compile("/voices"))


def test_sp5_a_voice_that_was_removed_is_told_by_its_name_and_stays_in_the_choice(visitor, studio):
    session = practise(studio, voice="piper/en_US-fixture-low")
    left = [one for one in studio.get("/voices") if one["id"] != session["voice"]]
    page = visitor.blank()
    page.route("**/api/voices", lambda route: route.fulfill(json=left))
    page.goto(studio.base + address(session))
    expect(page.locator(".practice-facts")).to_contain_text("Fixture (not installed): Another voice speaks in its place")
    page.get_by_role("button", name="How to practise").click()
    expect(dialog(page).get_by_label("Voice").locator("option:checked")).to_have_text("Fixture (not installed)")


@pytest.mark.expects_console("status of 500")
def test_sp5_a_voice_that_fails_is_told_and_can_be_tried_again(visitor, studio):
    page = visitor.blank()
    session = practise(studio)
    failure = {"code": "speech.engine-failed", "message": "The engine could not speak this text.", "suggestion": None}
    page.route("**/segments/2/sound**", lambda route: route.fulfill(status=500, json=failure))
    page.goto(studio.base + address(session))
    begin(page)
    pressed(page, "Next").click()
    expect(page.get_by_role("alert")).to_contain_text("The engine could not speak this text.")
    expect_phase(page, "Paused")
    page.unroute("**/segments/2/sound**")
    pressed(page, "Continue").click()
    wait_for_phase(page, "echo")


def test_sp5_a_loudspeaker_that_is_lost_pauses_the_session(visitor, studio):
    page = visitor.blank()
    page.add_init_script(
        "globalThis.contexts = []; const Own = AudioContext;"
        " globalThis.AudioContext = class extends Own { constructor(...wish) { super(...wish); contexts.push(this); } };"
    )
    page.goto(studio.base + address(practise(studio, factor=3)))
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    page.evaluate("() => Promise.all(contexts.map((one) => one.suspend()))")
    expect_phase(page, "Paused")
    assert (reported.events[-1]["kind"], reported.events[-1]["reason"]) == ("interrupt", "deviceLost")
    pressed(page, "Continue").click()
    wait_for_phase(page, "echo")


def test_sp5_a_loudspeaker_that_is_unplugged_pauses_the_session_and_another_device_does_not(visitor, studio):
    page = visitor.open(address(practise(studio, factor=3, rate=0.35)))
    page.evaluate("""() => {
      const output = (deviceId, groupId) => ({ kind: "audiooutput", deviceId, groupId, label: "" });
      const all = { headset: [output("default", "headset"), output("a", "headset"), output("b", "built-in")] };
      all.more = [...all.headset, output("c", "screen")];
      all.less = [output("default", "built-in"), output("b", "built-in"), output("c", "screen")];
      let present = all.headset;
      let asked = 0;
      navigator.mediaDevices.enumerateDevices = async () => { asked += 1; return present; };
      globalThis.haveOutputs = async (name) => {
        present = all[name];
        const before = asked;
        navigator.mediaDevices.dispatchEvent(new Event("devicechange"));
        return asked > before;
      };
    }""")
    reported = SentEvents(page)
    begin(page)
    wait_for_phase(page, "echo")
    assert page.evaluate("() => haveOutputs('more')")
    pressed(page, "Next").click()
    expect_place(page, 2, 4)
    assert page.evaluate("() => haveOutputs('less')")
    expect_phase(page, "Paused")
    assert [kind for kind in reported.kinds if kind in ("next", "interrupt")] == ["next", "interrupt"]
    assert reported.last("interrupt")["reason"] == "deviceLost"
    pressed(page, "Continue").click()
    wait_for_phase(page, "echo")


# SP8: long texts


def test_sp8_a_long_text_is_cut_as_far_as_it_is_practised(visitor, studio, tmp_path):
    file = tmp_path / "novel.txt"
    file.write_text("\n\n".join(f"This is sentence {n} of a very long book." for n in range(1, 6_001)))
    document = studio.import_document(file)
    page = visitor.open("/documents")
    reported = SentEvents(page)
    choose(page, "novel", "Practise this")
    expect(current(page)).to_have_text("This is sentence 1 of a very long book.")
    begin(page)
    wait_for_phase(page, "playing")
    assert set(reported.windows) == {"from=1&count=50"}
    [session] = studio.get("/practice/sessions")["sessions"]
    assert session["source"]["id"] == document and session["segments"]["known"] < 6_000
    expect(page.locator(".progress-dots")).to_have_attribute("data-kind", "bar")
    pressed(page, "Whole text").click()
    expect(dialog(page).get_by_role("button", name="This is sentence 100 of")).to_be_visible()
    expect(dialog(page).get_by_role("button", name="Show those after")).to_be_visible()
