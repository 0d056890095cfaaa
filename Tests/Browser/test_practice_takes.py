"""The echo, recorded and scored: takes compared with their model, each word’s sound, summaries, late uploads."""

import re
import socket
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

import tones
from hearing import BASIC, HearingStudio, RealStudio, real_data, started
from parts import dialog
from places import held_back, settle, wait_until
from practising import address, begin, current, drag, expect_phase, practise, pressed, send_take, wait_for_phase
from takes import KEEP_STREAMS, PHRASE, SAID, SLOW, Talk, first_take, fixture_talk, samples_of
from test_access import violations

PHONE = {"width": 360, "height": 740}
FITS = f"() => document.documentElement.scrollWidth <= {PHONE['width']}"

# Notes the length of each sound that is played, which part of it, and when, in seconds.
KEEP_SOUNDS = """() => {
  globalThis.played = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...how) {
    played.push([this.buffer.duration, ...how.slice(1), how[0]]);
    return start.apply(this, how);
  };
}"""


def expect_drawing(page) -> None:
    """Pitch and loudness of both voices, named in words that a screen reader has too."""
    drawing = page.locator(".take-drawing")
    expect(drawing.get_by_role("img", name=re.compile(r"^Your pitch: .* The voice’s: from \d+ to \d+\sHz\."))).to_be_visible()
    expect(drawing.locator("figcaption")).to_have_text("Your pitch and loudness beside the voice’s: the higher the line, the higher or louder")
    expect(drawing.get_by_role("listitem")).to_have_text([
        "your pitch: thick line", "the voice’s pitch: thick, dashed", "your loudness: thin line", "the voice’s loudness: thin, dashed",
    ])


@pytest.mark.parametrize(
    ("text", "said", "least", "most"),
    [
        (SAID, PHRASE, 0.9, 1),
        ("The keeper counts his steps.", PHRASE, 0, 0.3),
        (SAID, PHRASE[:3], 0.4, 0.6),
        (SAID, [], 0, 0),
    ],
    ids=["the text", "another text", "half of it", "nothing"],
)
def test_an_echo_is_scored_by_its_words(talk, tmp_path, text, said, least, most):
    session = practise(talk.studio, text + " The end.", records=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", said)) if said else (b"", tones.RATE)
    page = talk.says(phrase, rate).open(address(session))
    score = first_take(page, session)
    assert least <= score["score"] <= most, score
    shown = f"{round(100 * score['score'])} %"
    expect(page.locator(".take-score")).to_have_text(shown)
    words = page.locator(".take-words")
    expect(words).to_contain_text(text.split()[1])
    missed = sum(one["kind"] == "missed" for one in score["words"])
    expect(words.locator(".take-word.missed")).to_have_count(missed)
    if missed:
        expect(words.locator(".take-word.missed").first).to_contain_text("(missed)")
    expect_drawing(page)


def test_a_take_is_heard_beside_its_model_and_deleted(talk, tmp_path):
    session = practise(talk.studio, SAID + " The end.", records=True, keepsTakes=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    first_take(page, session)
    expect(page.locator(".take-facts")).to_contain_text(re.compile(r"Pace: yours \d+, the voice’s \d+ words a minute\."))
    for way in ("Voice", "Mine", "Both"):
        button = page.locator(".take-ways").get_by_role("button", name=way, exact=True)
        button.click()
        expect(button.locator("svg")).to_have_attribute("data-icon", "stop")
        button.click()
        expect(button.locator("svg")).to_have_attribute("data-icon", "play")
    page.locator(".take-word").first.click()
    hard = page.get_by_role("button", name="Hard: offer it again")
    before = hard.get_attribute("aria-pressed")
    hard.click()
    expect(hard).not_to_have_attribute("aria-pressed", before)
    [take] = talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]
    assert take["hasSound"] and take["isScored"]
    page.reload()
    expect(page.locator(".take-score")).to_have_text(f"{round(100 * take['score'])} %")
    remove = page.get_by_role("button", name="Delete this recording")
    remove.click()
    expect(page.locator(".take-panel")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    toast = page.locator(".toast")
    toast.get_by_role("button", name="Undo").click()
    expect(page.locator(".take-score")).to_have_text(f"{round(100 * take['score'])} %")
    remove.click()
    expect(page.locator(".take-panel")).to_be_hidden()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        toast.get_by_role("button", name="Dismiss").click()
    assert talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"] == []


@pytest.mark.expects_console("status of 423")
def test_a_deleted_take_that_a_lock_has_overtaken_is_deleted_when_the_library_is_open_again(talk):
    session = practise(talk.studio, SAID)
    send_take(talk.studio, session, tones.write(talk.folder / "climb.wav").read_bytes())
    page = talk.says(b"", tones.RATE).open(address(session))
    refusals = [{"code": "vault.locked", "message": "The library is locked.", "suggestion": None}]

    def refuse_once(route) -> None:
        if route.request.method == "DELETE" and refusals:
            route.fulfill(status=423, json=refusals.pop())
        else:
            route.fallback()

    page.route("**/api/practice/takes/*", refuse_once)
    page.get_by_role("button", name="Delete this recording").click()
    expect(page.locator(".take-panel")).to_be_hidden()
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and answer.ok):
        page.locator(".toast").get_by_role("button", name="Dismiss").click()
    assert refusals == []
    assert talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"] == []


def test_a_deleted_take_stays_away_from_a_session_that_is_opened_again_and_comes_back_by_undo(talk):
    session = practise(talk.studio, SAID)
    sound = tones.write(talk.folder / "climb.wav").read_bytes()
    for _ in range(2):
        send_take(talk.studio, session, sound)
    page = talk.says(b"", tones.RATE).open(address(session))
    earlier = page.locator(".take-row")
    expect(earlier).to_have_count(1)
    page.get_by_role("button", name="Delete this recording").click()
    expect(earlier).to_have_count(0)
    page.get_by_role("link", name="All practice").click()
    page.locator(".session-link").first.click()
    expect(page.locator(".take-panel")).to_be_visible()
    expect(earlier).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(earlier).to_have_count(1)
    assert len(talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]) == 2


def test_all_earlier_takes_can_be_listed(talk):
    session = practise(talk.studio, SAID)
    sound = tones.write(talk.folder / "climb.wav").read_bytes()
    for _ in range(33):
        send_take(talk.studio, session, sound)
    page = talk.says(b"", tones.RATE).open(address(session))
    page.get_by_text("Earlier echoes", exact=True).click()
    rows = page.locator(".take-row")
    expect(rows).to_have_count(30)
    more = page.locator(".take-earlier").get_by_role("button", name="Show more")
    more.click()
    expect(rows).to_have_count(32)
    expect(more).to_be_hidden()
    expect(rows.last).to_be_focused()


@pytest.mark.expects_console("500")
def test_earlier_takes_that_cannot_be_loaded_are_told_and_asked_for_again(talk):
    session = practise(talk.studio, SAID)
    send_take(talk.studio, session, tones.write(talk.folder / "climb.wav").read_bytes())
    visit = talk.says(b"", tones.RATE)
    page = visit.open("/practice")
    refusal = {"code": "vault.database-damaged", "message": "Its list is damaged."}
    page.route("**/takes", lambda route: route.fulfill(status=500, json=refusal))
    page.locator(".session-link").first.click()
    notice = page.locator(".practice-notices")
    expect(notice.get_by_role("button", name="Try again")).to_be_visible()
    page.unroute("**/takes")
    notice.get_by_role("button", name="Try again").click()
    expect(page.locator(".take-panel")).to_be_visible()
    expect(notice).to_be_empty()


def test_a_take_of_another_tab_is_listed_here_and_goes_when_it_is_deleted_there(talk):
    session = practise(talk.studio, SAID)
    sound = tones.write(talk.folder / "climb.wav").read_bytes()
    send_take(talk.studio, session, sound)
    page = talk.says(b"", tones.RATE).open(address(session))
    card, earlier = page.locator(".take-card"), page.locator(".take-row")
    expect(card).to_be_visible()
    expect(earlier).to_have_count(0)
    send_take(talk.studio, session, sound)
    [_, other] = talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]
    talk.studio.send("POST", f"/practice/takes/{other['id']}/score", {})
    expect(earlier).to_have_count(1)
    talk.studio.send("DELETE", f"/practice/takes/{other['id']}")
    expect(earlier).to_have_count(0)
    expect(card).to_be_visible()


@pytest.mark.expects_console("500")
def test_a_notice_of_a_session_stands_beside_one_about_something_else(talk):
    session = practise(talk.studio, "Tere hommikust. Lõpp.", language="et", voice="espeak/et", records=True, factor=3)
    if session["recognizer"] is not None:
        pytest.skip("something here hears Estonian")
    send_take(talk.studio, session, tones.write(talk.folder / "climb.wav").read_bytes())
    page = talk.says(b"", tones.RATE).open("/practice")
    refusal = {"code": "vault.database-damaged", "message": "Its list is damaged."}
    page.route("**/takes", lambda route: route.fulfill(status=500, json=refusal))
    page.locator(".session-link").first.click()
    notices = page.locator(".practice-notices")
    expect(notices).to_contain_text("Its list is damaged.")
    expect(notices).to_contain_text("No recogniser here knows this language")
    page.unroute("**/takes")
    notices.get_by_role("button", name="Try again").click()
    expect(notices).not_to_contain_text("Its list is damaged.")
    expect(notices).to_contain_text("No recogniser here knows this language")


def test_each_word_of_a_take_is_heard_at_once_with_the_models(talk, tmp_path):
    session = practise(talk.studio, SAID + " The end.", records=True, keepsTakes=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    score = first_take(page, session)
    [take] = talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]
    words = [one for one in score["words"] if one.get("start") is not None and one.get("modelStart") is not None]
    assert len(words) > 2, score
    apart = [one["start"] - one["modelStart"] for one in words]
    assert max(apart) - min(apart) > 0.1, "said as the model says it"
    page.evaluate(KEEP_SOUNDS)
    page.locator(".take-ways").get_by_role("button", name="Both", exact=True).click()
    wait_until(page, "() => played.length > 0")
    [(length, place, seconds, begun), *pieces] = page.evaluate("played")
    assert (place, seconds) == (0, pytest.approx(length, abs=0.02)), "all of the model"
    assert len(pieces) == len(words), (pieces, words)
    for word, (length, place, _, when) in zip(words, pieces, strict=True):
        assert length == pytest.approx(take["seconds"], abs=0.02)
        before = word["start"] - place
        assert -0.01 < before < 0.06, word
        assert when - begun + before == pytest.approx(word["modelStart"], abs=0.03), word
    ends = [when + seconds for _, _, seconds, when in pieces]
    assert all(end < after[3] + 0.03 for end, after in zip(ends, pieces[1:])), "two words at once"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("Good little bird, keeper.", ["said", "missed", "extra"]), ("Good keeper little bird.", ["said", "different"])],
    ids=["said, missed or extra", "said or different"],
)
def test_each_word_is_heard_on_a_press_as_it_was_said_or_else_as_the_model_says_it(talk, tmp_path, text, kinds):
    session = practise(talk.studio, text + " The end.", records=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    score = first_take(page, session)
    [take] = talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]
    model_rate, model = tones.read(talk.studio.ask("GET", f"/practice/sessions/{session['id']}/segments/1/sound?rate=0.35").content)
    lengths = {"take": take["seconds"], "model": len(model) / model_rate}
    assert abs(lengths["take"] - lengths["model"]) > 0.2, lengths
    words = {one["kind"]: one for one in reversed(score["words"])} | {"extra": one for one in reversed(score["extra"])}
    assert set(words) == set(kinds), score
    page.evaluate(KEEP_SOUNDS)
    for kind in kinds:
        word = words[kind]
        source, start, end = ("model", "modelStart", "modelEnd") if kind == "missed" else ("take", "start", "end")
        assert word[start] is not None and word[end] is not None, word
        page.evaluate("() => { played.length = 0; }")
        page.locator(f".take-words .take-word.{kind}").first.click()
        wait_until(page, "() => played.length > 0")
        [[length, place, seconds, _]] = page.evaluate("played")
        # A little before and after the word is heard with it.
        wanted = max(0, word[start] - 0.06)
        assert length == pytest.approx(lengths[source], abs=0.02), kind
        assert place == pytest.approx(wanted, abs=0.01), kind
        assert seconds == pytest.approx(min(word[end] + 0.06, length) - wanted, abs=0.03), kind


def test_a_missed_word_has_no_sound_once_the_text_is_cut_into_other_segments(talk, tmp_path):
    session = practise(talk.studio, "Good little bird, keeper. The end.", records=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    first_take(page, session)
    words = page.locator(".take-words")
    expect(words.locator("button.take-word.missed")).to_have_count(1)
    page.get_by_role("button", name="How to practise").click()
    dialog(page).get_by_text("Paragraph", exact=True).click()
    page.keyboard.press("Escape")
    # The first segment is now both sentences: its sound is not that of the word.
    expect(words.locator("span.take-word.missed")).to_have_count(1)
    expect(words.locator("button.take-word.said").first).to_be_visible()
    ways = page.locator(".take-ways")
    for name in ("Voice", "Both", "Hard: offer it again"):
        expect(ways.get_by_text(name, exact=True)).to_be_hidden()
    expect(ways.get_by_text("Mine", exact=True)).to_be_visible()


def test_a_take_that_is_not_to_be_kept_is_gone_once_it_is_scored(talk, tmp_path):
    session = practise(talk.studio, SAID + " The end.", records=True, keepsTakes=False, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    first_take(page, session)
    assert [one["hasSound"] for one in talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]] in ([], [False])
    expect(page.locator(".take-ways").get_by_role("button", name="Mine", exact=True)).to_be_visible()


def test_without_a_recogniser_it_says_so_and_offers_the_rest(talk):
    session = practise(talk.studio, "Tere hommikust. Lõpp.", language="et", voice="espeak/et", records=True, factor=3)
    tone, _ = samples_of(tones.write(talk.folder / "climb.wav"))
    page = talk.says(tone, tones.RATE).open(address(session))
    if session["recognizer"] is not None:
        pytest.skip("something here hears Estonian")
    expect(page.locator(".practice-notices")).to_contain_text("No recogniser here knows this language")
    score = first_take(page, session)
    assert score["score"] is None and score["reason"] == "noRecognizer"
    expect(page.locator(".take-reason")).to_contain_text("No recogniser here knows this language")
    expect(page.locator(".take-facts")).to_contain_text(re.compile(r"Pauses: yours \d+, the voice’s \d+\."))
    expect_drawing(page)
    expect(page.locator(".take-ways").get_by_role("button", name="Both")).to_be_visible()


def test_the_summary_has_the_last_take_once_it_is_scored_and_the_microphone_is_released(talk, tmp_path):
    session = practise(talk.studio, SAID, records=True, factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session))
    page.evaluate(KEEP_STREAMS)
    held = []
    page.route("**/score", lambda route: held.append(route))
    begin(page)
    title = page.get_by_role("heading", name="How it went")
    expect(title).to_be_focused(timeout=SLOW)
    wait_until(page, "() => streams.length > 0 && streams.every((one) => one.getTracks().every(({ readyState }) => readyState === 'ended'))")
    expect(page.locator(".navigation[data-recording]")).to_have_count(0)
    expect(page.locator(".summary-facts")).not_to_contain_text("Words said")
    done = page.get_by_role("link", name="Done")
    done.focus()
    wait_until(page, "() => document.querySelector('.take-card') !== null")
    held_back(page, held).continue_()
    expect(page.locator(".summary-segment")).to_have_count(1, timeout=SLOW)
    expect(page.locator(".summary-facts")).to_contain_text(page.locator(".take-score").inner_text())
    expect(done).to_be_focused()


def test_sp7_what_is_told_of_a_finished_session_begins_at_one_edge(talk):
    session = practise(talk.studio, SAID, records=True, rate=1)
    page = talk.says(b"", tones.RATE).open(address(session))
    begin(page)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible(timeout=SLOW)
    expect(page.locator(".take-title")).to_have_text("Sentence 1")
    facts = page.locator(".summary-facts")
    expect(facts).to_contain_text("Sentences1")
    expect(facts).to_contain_text("Your echoes1", timeout=SLOW)
    settle(page)
    parts = ["main h1", ".practice-facts", ".practice-summary h2", ".summary-facts", ".summary-actions", ".take-panel h2", ".take-title"]
    lefts = page.evaluate("(parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().left)", parts)
    assert lefts == [pytest.approx(lefts[0], abs=1)] * len(parts)


def test_sp7_a_list_of_earlier_echoes_is_no_wider_than_a_phone(talk):
    session = practise(talk.studio, "Good morning little bird, says the keeper, and counts his steps along the pier.")
    sound = tones.write(talk.folder / "climb.wav").read_bytes()
    for _ in range(2):
        send_take(talk.studio, session, sound, repetition=1, rate=0.5)
    page = talk.says(b"", tones.RATE).open(address(session), size=PHONE)
    page.get_by_text("Earlier echoes", exact=True).click()
    expect(page.locator(".take-row")).to_be_visible()
    assert page.evaluate(FITS)


def test_sp7_a_pasted_speech_is_practised_recorded_and_scored_with_one_thumb(talk, tmp_path):
    talk.studio.send("PUT", "/settings/practice.factor", {"value": "3"})
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open("/practice", size=PHONE)
    wide = []

    def look(place: str) -> None:
        if not page.evaluate(FITS):
            wide.append(place)

    page.get_by_role("button", name="Write a speech").tap()
    page.get_by_label("Text of the speech").tap()
    page.keyboard.insert_text(SAID)
    expect(page.get_by_text("Kept on this machine")).to_be_visible()
    look("speech")
    page.get_by_role("button", name="Practise", exact=True).tap()
    expect(page).to_have_url(re.compile("/practice/sessions/"))
    expect(current(page)).to_have_text(SAID)
    settle(page)
    session = page.url.rsplit("/", 1)[1]
    speed = page.locator(".practice-controls .slider-range")
    expect(speed).to_have_attribute("aria-valuetext", "1×")
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith(f"{session}/events")):
        drag(page, speed, 0.5, 0.2)
    chosen = talk.studio.get(f"/practice/sessions/{session}")["settings"]["rate"]
    assert 0.1 <= chosen <= 0.35, "slower, so that the turn is long enough for what is said"
    expect(speed).to_have_attribute("aria-valuetext", f"{round(1 - 1.25 * (0.5 - chosen), 2):g}×")
    page.get_by_role("button", name="Record my echo").tap()
    dialog(page).get_by_role("button", name="Record", exact=True).tap()
    expect(page.get_by_role("button", name="Record my echo")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("dialog")).to_have_count(0)
    look("session")
    with page.expect_response("**/score", timeout=SLOW) as response:
        pressed(page, "Begin").tap()
        expect_phase(page, "Your turn · recording")
        expect(page.locator(".echo-ring[data-recording]")).to_be_visible()
    score = response.value.json()["score"]
    assert score >= 0.9
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    expect(page.locator(".take-score")).to_have_text(f"{round(100 * score)} %")
    expect(page.locator(".take-words .take-word.said")).to_have_count(4)
    expect(page.locator(".summary-segment")).to_have_count(1, timeout=SLOW)
    expect(page.locator(".summary-facts")).to_contain_text(f"{round(100 * score)} %")
    look("summary")
    assert wide == []


def test_sp7_consent_takes_summary_and_history_have_no_violation_and_fit_a_phone(talk, tmp_path):
    session = practise(talk.studio, "Good little bird, keeper.", factor=3, rate=0.35)
    phrase, rate = samples_of(tones.write_phrases(tmp_path / "phrase.wav", PHRASE))
    page = talk.says(phrase, rate).open(address(session), size=PHONE)
    settle(page)
    page.get_by_role("button", name="Record my echo").click()
    allow = dialog(page).get_by_role("button", name="Record", exact=True)
    expect(allow).to_be_visible()
    found = violations(page, "consent")
    wide = [] if page.evaluate(FITS) else ["consent"]
    allow.click()
    expect(page.get_by_role("button", name="Record my echo")).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/score", timeout=SLOW):
        begin(page)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    expect(page.locator(".summary-segment")).to_have_count(1, timeout=SLOW)
    for kind in ("said", "missed", "extra"):
        expect(page.locator(f".take-words .take-word.{kind}").first).to_be_visible()
    found += violations(page, "take and summary")
    wide += [] if page.evaluate(FITS) else ["take and summary"]
    talk.studio.send("POST", f"/practice/sessions/{session['id']}/segments/1/hard", {"isHard": True})
    page.goto(talk.studio.base + "/practice")
    page.get_by_text("1 hard sentence, due again").click()
    expect(page.locator(".practice-due-later li")).to_be_visible()
    expect(page.get_by_role("heading", name="Finished", exact=True)).to_be_visible()
    settle(page)
    found += violations(page, "due later and history")
    wide += [] if page.evaluate(FITS) else ["due later and history"]
    assert (found, wide) == ([], [])


@pytest.mark.expects_console("ERR_FAILED")
def test_a_take_that_could_not_be_sent_is_sent_after_its_session_was_left(talk):
    session = practise(talk.studio, SAID + " The end.", records=True, factor=3)
    page = talk.says(b"", tones.RATE).open(address(session))
    page.route("**/takes?*", lambda route: route.abort())
    begin(page)
    wait_for_phase(page, "echo")
    wait_for_phase(page, "playing")
    pressed(page, "Pause").click()
    expect(page.locator(".take-card")).to_contain_text("Not scored")
    asks = "() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; }"
    assert page.evaluate(asks)
    page.get_by_role("link", name="All practice").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("could not be kept yet")
    assert page.evaluate(asks)
    page.unroute("**/takes?*")
    with page.expect_response("**/takes?*"):
        toast.get_by_role("button", name="Try again").click()
    wait_until(page, asks.replace("return event", "return !event"))
    assert len(talk.studio.get(f"/practice/sessions/{session['id']}/takes")["takes"]) == 1


def test_uploads_that_stall_hold_up_no_other_take(talk):
    session = practise(talk.studio, SAID)
    path = f"/practice/sessions/{session['id']}/takes?segment=1"
    talk.studio.get("/settings")
    fields = {"Host": talk.studio.host, "Cookie": talk.studio.cookie, "Content-Type": "application/octet-stream"}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    own = urlsplit(talk.studio.local)
    stalled = []
    for length in (1_000_000, 1_000_000, 9_000_000, 9_000_000):
        link = socket.create_connection((own.hostname, own.port))
        link.sendall(f"POST /api{path} HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\nRIFF".encode())
        stalled.append(link)
    send_take(talk.studio, session, tones.write(talk.folder / "climb.wav").read_bytes(), limit=20)
    for link in stalled:
        link.close()


# With a real recognizer and a voice, if the machine has them


@pytest.mark.timeout(480)
def test_the_models_own_sound_another_text_half_of_it_and_silence_are_scored(microphone_browser, request, tmp_path):
    data = real_data()
    for studio in started(RealStudio, tmp_path):
        studio.send("PUT", "/settings/transcription.recognizers", {"value": studio.add_recognizer(data / "sherpa-onnx-whisper-tiny.en-attention.tar.bz2")})
        done = studio.run("voices", "add", str(data / "vits-piper-en_US-joe-medium.tar.bz2"))
        assert done.returncode == 0, done.stderr
        talk = Talk(microphone_browser, request, studio, tmp_path)
        text = "The mill at the bend of the river stood still."
        for said, least, most in (
            (text, 0.9, 1),
            ("Bring four warm blankets before Sunday evening.", 0, 0.3),
            ("The mill at the bend.", 0.4, 0.6),
            ("", 0, 0),
        ):
            score = score_of(talk, text, said, "piper/en_US-joe-medium")
            assert least <= score["score"] <= most, (said, score["score"], score["words"], score["extra"])


def test_the_models_own_sound_is_understood_by_the_basic_recogniser(microphone_browser, request, tmp_path):
    for studio in started(HearingStudio, tmp_path):
        if BASIC not in [one["id"] for one in studio.get("/recognizers")["recognizers"]]:
            pytest.skip("pocketsphinx-en-us is not installed")
        # A sentence of espeak-ng that it understands, as it does few.
        text = "Three four five four three two."
        score = score_of(Talk(microphone_browser, request, studio, tmp_path), text, text, "espeak/en-US")
        assert score["score"] >= 0.9, (score["score"], score["words"], score["extra"])


def score_of(talk: Talk, text: str, said: str, voice: str) -> dict:
    """The score of a take of a segment in which the session's voice says something, or nothing."""
    session = practise(talk.studio, text + " The end.", "en-US", voice, records=True, factor=3)
    phrase, rate = b"", tones.RATE
    if said:
        source = session if said == text else practise(talk.studio, said, "en-US", voice)
        file = talk.folder / "model.wav"
        file.write_bytes(talk.studio.ask("GET", f"/practice/sessions/{source['id']}/segments/1/sound?rate=0.5").content)
        phrase, rate = samples_of(file)
    try:
        return first_take(talk.says(phrase, rate).open(address(session)), session)
    finally:
        talk.close()
