"""The page of recognizers: their order, their removal, those for download, and what is said of the basic one."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

import tones
from conftest import NARROW, WIDE, visits
from hearing import TONES, HearingStudio, started
from parts import choose, dialog, names, rows, select_rows
from places import evaluate, held_back, settle, wait_until
from transcripts import JOB, record, write

NONE = {"state": "none", "bytes": None, "total": None, "rate": None, "secondsLeft": None, "failure": None}
OFFER = {
    "entry": "base", "name": "Whisper base", "languages": ["mul"], "hears": ["en", "et"], "pace": 0.1, "isPaceMeasured": False,
    "reason": "balanced", "archiveBytes": 200_000_000, "expectedBytes": 200_000_000, "download": NONE,
}


def recognizer(id: str, name: str, engine: str, **more) -> dict:
    return {
        "id": id, "name": name, "engine": engine, "languages": ["en"], "hears": ["en"], "pace": None, "isPaceMeasured": False,
        "timing": "words",
        "takesLanguage": False, "takesHotwords": False, "takesPrompt": False, "size": 75_000_000, "isDefault": False,
        **more,
    }


TINY = recognizer("sherpa/tiny", "Whisper tiny", "sherpaOnnx", isDefault=True)
BASIC = recognizer("pocketsphinx/en-US", "PocketSphinx (basic)", "pocketSphinx")
FINNISH = recognizer("sherpa/fi", "Finnish and Estonian", "sherpaOnnx", hears=["et", "fi"], takesLanguage=True)
OFFICE = recognizer("remote/office", "office", "remote", languages=["mul"], hears=[], size=None)

VOICES_HAVE_CHANGED = "import('/server/events.js').then(({ dispatch }) => dispatch('voices', {}))"


def listed(page: Page):
    return page.locator(".recognizer-row .recognizer-name")


def show(
    visitor, recognizers: list[dict], address: str = "/recordings/recognizers", language: str = "en-GB", **listings
) -> tuple[Page, dict]:
    """A page to which these are the recognizers, and which may download others; the answer can be changed."""
    page = visitor.blank(language=language)
    answer = {"recognizers": recognizers, "order": [], "offers": [OFFER]}
    page.route("**/api/voices/listings", lambda route: route.fulfill(json={"voices": [], "isOffline": False, **listings}))
    page.route(re.compile(r"/api/recognizers(\?|$)"), lambda route: route.fulfill(json=answer))
    page.goto(visitor.studio.base + address)
    return page, answer


def test_the_order_is_changed_by_menu_and_keys_and_kept(visitor, studio):
    page, answer = show(visitor, [TINY, BASIC, OFFICE])
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()
    expect(listed(page)).to_have_text(["Whisper tiny Asked first", "PocketSphinx (basic)", "office"])
    expect(page.locator(".recognizer-row").nth(0)).to_contain_text("English · 75 MB")
    expect(page.locator(".recognizer-row").nth(1)).to_contain_text("Basic: makes many mistakes")
    expect(page.locator(".recognizer-row").nth(2)).to_contain_text("Only when you choose it")
    page.get_by_role("button", name="More for PocketSphinx (basic)").focus()
    with page.expect_response("**/api/settings/transcription.recognizers"):
        page.keyboard.press("Alt+ArrowUp")
    assert kept(studio) == "pocketsphinx/en-US sherpa/tiny"
    page.get_by_role("button", name="More for office").click()
    with page.expect_response("**/api/settings/transcription.recognizers"):
        page.get_by_role("menuitem", name="Ask first").click()
    assert kept(studio) == "remote/office sherpa/tiny pocketsphinx/en-US"
    expect(page.get_by_role("button", name="More for office")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="office is now 1 of 3.")).to_have_count(1)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_each_list_stands_apart_from_what_is_above_it(visitor, size):
    page, _ = show(visitor, [TINY])
    page.set_viewport_size(size)
    expect(page.locator(".recognizer-card")).to_be_visible()
    for heading in page.locator("echo-recognizers-view > h2").all():
        gap = heading.evaluate("(title) => title.getBoundingClientRect().top - title.previousElementSibling.getBoundingClientRect().bottom")
        assert gap >= 16, gap


def test_further_recognisers_are_seen_to_be_behind_their_number(visitor):
    page, answer = show(visitor, [TINY])
    expect(page.locator(".recognizer-card")).to_be_visible()
    answer["offers"] = [OFFER, {**OFFER, "entry": "small", "name": "Whisper small", "reason": None}]
    evaluate(page, VOICES_HAVE_CHANGED)
    more = page.locator(".recognizer-more > summary")
    expect(more).to_have_text("1 more recogniser")
    assert more.evaluate("(words) => getComputedStyle(words, '::before').content").startswith('"›"')
    paused = {**NONE, "state": "paused", "bytes": 50_000_000, "total": 200_000_000}
    answer["offers"] = [OFFER, {**answer["offers"][1], "download": paused}]
    with page.expect_response(re.compile(r"/api/recognizers\?")):
        evaluate(page, VOICES_HAVE_CHANGED)
    more.click()
    small = page.locator(".recognizer-offer", has_text="Whisper small")
    expect(small.get_by_role("button")).to_have_text(["Continue"])


def test_an_older_answer_does_not_undo_what_a_newer_one_says_of_a_download(visitor):
    page, answer = show(visitor, [TINY])
    expect(page.locator(".recognizer-card")).to_be_visible()
    held = []
    page.route(re.compile(r"/api/recognizers\?"), lambda route: held.append(route))
    for number in (1, 2):
        evaluate(page, VOICES_HAVE_CHANGED)
        held_back(page, held, number)
    coming = {**NONE, "state": "downloading", "bytes": 50_000_000, "total": 200_000_000}
    held[1].fulfill(json={**answer, "offers": [{**OFFER, "download": coming}]}, headers={"Last-Event-ID": "a-3"})
    stop = page.get_by_role("button", name="Stop: Whisper base")
    expect(stop).to_be_visible()
    with page.expect_response(re.compile(r"/api/recognizers\?")) as late:
        held[0].fulfill(json=answer, headers={"Last-Event-ID": "a-2"})
    late.value.finished()
    settle(page)
    expect(stop).to_be_visible()
    expect(page.get_by_role("button", name="Download 200 MB: Whisper base")).to_be_hidden()


def test_the_recommended_recognisers_are_first_from_the_quick_one_to_the_best(visitor):
    page, answer = show(visitor, [BASIC])
    expect(page.locator(".recognizer-card")).to_be_visible()
    reasons = ("quick", "balanced", "best", None)
    answer["offers"] = [{**OFFER, "entry": f"{reason}", "reason": reason} for reason in reasons]
    evaluate(page, VOICES_HAVE_CHANGED)
    expect(page.locator(".recognizer-card .recognizer-reason")).to_have_text(["Quick", "Recommended", "Best"])
    expect(page.locator(".recognizer-more > summary")).to_have_text("1 more recogniser")


def test_a_recogniser_is_moved_as_often_as_the_key_is_pressed(visitor, studio):
    page, answer = show(visitor, [TINY, BASIC, FINNISH])
    expect(listed(page)).to_have_count(3)
    held = []
    page.route("**/api/settings/transcription.recognizers", lambda route: held.append(route))
    page.get_by_role("button", name="More for Whisper tiny").focus()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    held_back(page, held)
    answer.update(recognizers=[BASIC, TINY, FINNISH], order=[BASIC["id"], TINY["id"], FINNISH["id"]])
    with page.expect_response("**/api/settings/transcription.recognizers"):
        held[0].continue_()
    second = held_back(page, held, 2)
    with page.expect_response("**/api/settings/transcription.recognizers") as last:
        second.continue_()
    assert last.value.ok
    assert kept(studio) == "pocketsphinx/en-US sherpa/fi sherpa/tiny"


def kept(studio) -> str:
    return next(one["value"] for one in studio.get("/settings") if one["name"] == "transcription.recognizers")


def test_a_recogniser_is_dragged_to_its_place(visitor, studio):
    page, _ = show(visitor, [TINY, BASIC])
    expect(listed(page)).to_have_count(2)
    handle = page.locator(".recognizer-handle").nth(1).bounding_box()
    above = page.locator(".recognizer-row").nth(0).bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    with page.expect_response("**/api/settings/transcription.recognizers"):
        page.mouse.move(handle["x"], above["y"] + 4, steps=5)
        page.mouse.up()
        moving = "() => [...document.querySelectorAll('.recognizer-row')].flatMap((row) => row.getAnimations()).length"
        assert page.evaluate(moving) == 0, "what is dropped moves to its place once more"
    assert kept(studio) == "pocketsphinx/en-US sherpa/tiny"


def test_others_are_offered_for_a_language_and_downloaded(visitor):
    page, answer = show(visitor, [])
    expect(page.get_by_text("There is no recogniser on this machine yet.")).to_be_visible()
    card = page.locator(".recognizer-card")
    expect(card).to_contain_text("Recommended")
    expect(card).to_contain_text("English, Estonian")
    with page.expect_request(re.compile("/api/recognizers.*language=et")):
        page.get_by_label("For speech in").select_option("et")
    page.route(re.compile("/downloads$"), lambda route: route.fulfill(json={**NONE, "state": "downloading"}))
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/downloads")) as asked:
        page.get_by_role("button", name="Download 200 MB: Whisper base").press("Enter")
    assert json.loads(asked.value.post_data) == {"entry": "base"}
    expect(card.get_by_role("status")).to_have_text("On its way…")
    expect(card.get_by_role("button", name="Stop: Whisper base")).to_be_focused()
    for done, said in ((20_000_000, "20 MB of 200 MB"), (39_000_000, "20 MB of 200 MB"), (40_000_000, "40 MB of 200 MB")):
        download = {**NONE, "entry": "base", "state": "downloading", "bytes": done, "total": 200_000_000}
        evaluate(page, f"import('/server/events.js').then(({{ dispatch }}) => dispatch('voice', {json.dumps(download)}))")
        expect(card).to_contain_text(f"{done // 1_000_000} MB of 200 MB")
        expect(card.get_by_role("status")).to_have_text(said)
    answer["offers"] = [{**OFFER, "download": {**NONE, "state": "downloading"}}]
    with page.expect_response(re.compile(r"/api/recognizers\?")):
        evaluate(page, VOICES_HAVE_CHANGED)
    expect(card.get_by_role("status")).to_have_text("On its way…")
    expect(card.get_by_role("button", name="Stop: Whisper base")).to_be_focused()
    page.route(re.compile("/downloads/base/cancel$"), lambda route: route.fulfill(status=204))
    with page.expect_request(re.compile("/downloads/base/cancel$")):
        card.get_by_role("button", name="Stop: Whisper base").click()


def test_a_stopped_download_says_how_much_is_here_and_continues(visitor):
    page, answer = show(visitor, [])
    paused = {**NONE, "state": "paused", "bytes": 50_000_000, "total": 200_000_000}
    answer["offers"] = [{**OFFER, "download": paused}]
    page.reload()
    card = page.locator(".recognizer-card")
    expect(card.get_by_role("status")).to_have_text("50 MB of 200 MB")
    expect(card.get_by_role("button")).to_have_text(["Continue"])


@pytest.fixture(name="hearing")
def fixture_hearing(tmp_path, homes):
    """A server with the recognizer of tones."""
    for studio in started(HearingStudio, tmp_path, homes):
        studio.ready(HearingStudio.add_recognizer, TONES)
        yield studio


@pytest.fixture(name="hearer")
def fixture_hearer(browser, hearing, request):
    yield from visits(browser, hearing, request)


def test_a_recogniser_is_deleted_after_a_question(hearer, hearing):
    page = hearer.open("/settings/transcription")
    page.get_by_role("link", name="Open the list").click()
    more = page.get_by_role("button", name="More for Nemo CTC fixture EN")
    expect(page.get_by_title("sherpa/nemo-ctc-fixture-en")).to_contain_text("Nemo CTC fixture EN")
    more.click()
    page.get_by_role("menuitem", name="Delete").click()
    question = dialog(page)
    expect(question).to_contain_text("Delete “Nemo CTC fixture EN”?")
    question.get_by_role("button", name="Delete").click()
    expect(more).to_have_count(0)
    assert not page.evaluate("document.activeElement === document.body"), "the focus is on what follows, or the title"
    assert "sherpa/nemo-ctc-fixture-en" not in [one["id"] for one in hearing.get("/recognizers")["recognizers"]]


def test_the_recorder_says_before_that_only_the_basic_recogniser_is_here(visitor):
    page, answer = show(visitor, [BASIC], "/recordings")
    notice = page.locator(".recorder-advice")
    expect(notice).to_contain_text("Only the basic recogniser is here")
    answer["recognizers"] = [TINY, BASIC]
    page.reload()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    expect(notice).not_to_contain_text("basic")


@pytest.mark.parametrize("size", [WIDE, {"width": 480, "height": 844}, NARROW], ids=["wide", "between", "narrow"])
def test_what_the_recorder_says_of_recognisers_moves_nothing(visitor, studio, size):
    record(studio)
    page, answer = show(visitor, [TINY, BASIC], "/recordings")
    page.set_viewport_size(size)
    row = page.locator(".row")
    expect(row).to_have_count(1)
    expect(page.get_by_label("Spoken language")).to_be_visible()
    before = row.bounding_box()["y"]
    for recognizers, reported in (([BASIC], "Only the basic recogniser"), ([], "No recogniser"), ([TINY], None)):
        answer["recognizers"] = recognizers
        evaluate(page, VOICES_HAVE_CHANGED)
        notice = page.locator(".recorder-advice")
        expect(notice).to_contain_text(reported) if reported else expect(notice).to_be_empty()
        assert row.bounding_box()["y"] == pytest.approx(before, abs=1)


def test_the_recorder_says_before_that_there_is_no_recogniser(visitor):
    page, answer = show(visitor, [], "/recordings")
    notice = page.locator(".recorder-advice")
    expect(notice).to_contain_text("No recogniser is on this machine")
    answer["recognizers"] = [OFFICE]
    evaluate(page, VOICES_HAVE_CHANGED)
    expect(notice).to_be_empty()
    answer["recognizers"] = []
    evaluate(page, VOICES_HAVE_CHANGED)
    notice.get_by_role("link", name="Get a recogniser").click()
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, NARROW])
def test_the_recordings_lead_to_the_recognisers_also_while_there_are_none(visitor, studio, size):
    page = visitor.open("/recordings", size=size)
    link = page.get_by_role("main").get_by_role("link", name="Recognisers", exact=True)
    expect(page.get_by_text("Nothing has been recorded yet.")).to_be_visible()
    expect(link).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Search recordings")).to_be_hidden()
    record(studio)
    expect(page.get_by_label("Search recordings")).to_be_visible()
    expect(link).to_be_in_viewport(ratio=1)
    wait_until(page, "() => document.documentElement.scrollWidth <= innerWidth")
    link.click()
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()


def test_nothing_can_be_downloaded_offline_and_the_page_says_so_before_a_press(visitor):
    page, answer = show(visitor, [BASIC], isOffline=True)
    why = "EchoText is set to stay offline, so nothing is downloaded or sent."
    expect(page.get_by_text(why)).to_be_visible()
    get = page.get_by_role("button", name="Download 200 MB: Whisper base")
    expect(get).to_have_attribute("aria-disabled", "true")
    expect(get).to_have_accessible_description(re.compile(f"^{re.escape(why)}"))
    asked = []
    page.route(re.compile("/downloads$"), lambda route: (asked.append(route.request.url), route.fulfill(json=NONE)))
    get.press("Enter")
    get.click(force=True)
    expect(get).to_have_attribute("aria-disabled", "true")
    paused = {**NONE, "state": "paused", "bytes": 50_000_000, "total": 200_000_000}
    answer["offers"] = [OFFER, {**OFFER, "entry": "small", "name": "Whisper small", "reason": None, "download": paused}]
    evaluate(page, VOICES_HAVE_CHANGED)
    page.locator(".recognizer-more > summary").click()
    expect(page.get_by_role("button", name="Continue: Whisper small")).to_have_attribute("aria-disabled", "true")
    # Not only the recommended one is shown as what cannot be pressed.
    shown = get.evaluate("(one) => getComputedStyle(one).backgroundColor")
    expect(page.get_by_role("button", name="Continue: Whisper small")).to_have_css("background-color", shown)
    assert asked == []
    page.locator(".recognizers-offline").get_by_role("link", name="Open “Stay offline” in Settings").click()
    expect(page.get_by_role("switch", name="Stay offline")).to_be_focused()
    expect(page.get_by_role("switch", name="Stay offline")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("recognizers, start", [([], None), ([BASIC], "Use the basic one")], ids=["none", "basic"])
def test_an_order_says_before_a_press_that_nothing_can_be_downloaded_offline(visitor, studio, recognizers, start):
    item = record(studio)
    page, _ = show(visitor, recognizers, f"/recordings/{item}", isOffline=True)
    page.get_by_role("main").get_by_role("button", name="Transcribe", exact=True).first.click()
    why = "EchoText is set to stay offline, so nothing is downloaded or sent."
    get = dialog(page).get_by_role("button", name="Download 200 MB: Whisper base")
    expect(get).to_have_attribute("aria-disabled", "true")
    expect(get).to_have_accessible_description(re.compile(f"^{re.escape(why)}"))
    asked = []
    page.route(re.compile("/downloads$"), lambda route: (asked.append(route.request.url), route.fulfill(json=NONE)))
    get.press("Enter")
    if start is not None:
        expect(dialog(page).get_by_role("button", name=start)).to_have_class(re.compile(r"\bprimary\b"))
    page.set_viewport_size({"width": 360, "height": 740})
    settle(page)
    assert asked == []
    assert dialog(page).locator(".sheet-content").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    page.route("**/api/voices/listings", lambda route: route.fulfill(json={"isOffline": False}))
    studio.send("PUT", "/settings/outbound.offline", {"value": "on"})
    expect(get).not_to_have_attribute("aria-disabled", "true")
    expect(dialog(page).get_by_text(why)).to_have_count(0)
    expect(dialog(page).get_by_role("heading", name="Transcribe", exact=True)).to_be_focused()


def test_the_focus_goes_to_the_title_when_downloads_are_allowed_elsewhere(visitor, studio):
    page, _ = show(visitor, [BASIC], isOffline=True)
    said = page.locator(".recognizers-offline")
    get = page.get_by_role("button", name="Download 200 MB: Whisper base")
    expect(get).to_have_attribute("aria-disabled", "true")
    said.get_by_role("link", name="Open “Stay offline” in Settings").focus()
    page.route("**/api/voices/listings", lambda route: route.fulfill(json={"isOffline": False}))
    studio.send("PUT", "/settings/outbound.offline", {"value": "on"})
    expect(said).to_be_empty()
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()
    expect(get).not_to_have_attribute("aria-disabled", "true")


def test_an_order_asks_for_the_recognisers_that_suit_the_recording(visitor, studio):
    item = record(studio)
    page, _ = show(visitor, [FINNISH, TINY], f"/recordings/{item}")
    estonian = {**studio.get(f"/library/{item}"), "language": "et"}
    page.route(f"**/api/library/{item}", lambda route: route.fulfill(json=estonian))
    page.reload()
    with page.expect_request(re.compile(r"/api/recognizers\?language=et$")):
        page.get_by_role("main").get_by_role("button", name="Transcribe", exact=True).first.click()
    expect(dialog(page).get_by_label("Recogniser", exact=True)).to_have_value(TINY["id"])


def test_the_recorder_says_which_language_is_heard_where_there_is_one(visitor):
    page, answer = show(visitor, [recognizer("pocketsphinx/en-US", "PocketSphinx (basic)", "pocketSphinx", hears=["en-US"])], "/recordings")
    first = page.get_by_label("Spoken language").locator(":scope > option").first
    expect(first).to_have_text("American English only")
    answer["recognizers"] = [BASIC, FINNISH]
    evaluate(page, VOICES_HAVE_CHANGED)
    expect(first).to_have_text("Detect automatically")


def test_the_recorder_offers_the_languages_that_are_heard_and_marks_the_others(visitor):
    page, answer = show(visitor, [FINNISH, recognizer("sherpa/tiny.en", "Whisper tiny.en", "sherpaOnnx")], "/recordings")
    languages = page.get_by_label("Spoken language")
    others = languages.locator("optgroup[label='Needs a recogniser first']")
    expect(languages.locator(":scope > option")).to_have_text(["Detect automatically", "English", "Estonian", "Finnish"])
    expect(others.locator("option", has_text="German")).to_have_count(1)
    expect(others.locator("option", has_text="Finnish")).to_have_count(0)
    answer["recognizers"] = [FINNISH, OFFICE]
    evaluate(page, VOICES_HAVE_CHANGED)
    expect(others).to_have_count(0)
    expect(languages.locator(":scope > option", has_text="German")).to_have_count(1)


def test_an_order_offers_only_the_languages_that_are_heard(visitor, studio):
    item = record(studio)
    page, _ = show(visitor, [FINNISH], f"/recordings/{item}")
    page.get_by_role("main").get_by_role("button", name="Transcribe", exact=True).first.click()
    languages = dialog(page).get_by_label("Spoken language")
    expect(languages.get_by_role("option")).to_have_text(["Detect automatically", "Estonian", "Finnish"])
    expect(languages).to_have_value("")
    with expect_order(page, item) as asked:
        dialog(page).get_by_role("button", name="Transcribe", exact=True).click()
    assert json.loads(asked.value.post_data)["language"] == "und", "it is to be detected, whatever the recording's is"


def test_an_order_proposes_the_recordings_own_language_before_the_last_one_chosen(visitor, studio):
    items = {name: record(studio, name=name, language=language) for name, language in (("Known", "et"), ("Unsaid", "und"))}
    page, _ = show(visitor, [FINNISH], "/recordings")
    languages = dialog(page).get_by_label("Spoken language")
    for name, proposed, chosen in (("Unsaid", "", "fi"), ("Known", "et", ""), ("Known", "et", "fi"), ("Unsaid", "fi", "fi")):
        choose(page, name, "Transcribe")
        expect(languages).to_have_value(proposed)
        languages.select_option(chosen)
        with expect_order(page, items[name]) as asked:
            dialog(page).get_by_role("button", name="Transcribe", exact=True).click()
        assert json.loads(asked.value.post_data)["language"] == (chosen or "und")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_an_order_says_that_the_text_is_replaced_unless_it_is_for_a_part(visitor, studio):
    item = record(studio)
    write(studio, item, ["Harbour"])
    page, _ = show(visitor, [FINNISH], "/recordings")
    choose(page, "Talk", "Transcribe again")
    words = dialog(page).get_by_text("The new text takes the place of the present one")
    expect(words).to_be_visible()
    begin = dialog(page).get_by_label("From", exact=True)
    begin.fill("0:03")
    expect(words).to_be_hidden()
    begin.fill("0:00")
    expect(words).to_be_visible()


@pytest.mark.parametrize("recognizers", [[BASIC], []], ids=["the basic one", "none"])
def test_an_order_says_that_the_text_is_replaced_above_the_recognisers_offered(visitor, studio, recognizers):
    write(studio, record(studio), ["Harbour"])
    page, _ = show(visitor, recognizers, "/recordings")
    choose(page, "Talk", "Transcribe again")
    cards = dialog(page).locator(".recognizer-cards")
    expect(cards).to_be_visible()
    words = dialog(page).get_by_text("The new text takes the place of the present one")
    assert words.bounding_box()["y"] < cards.bounding_box()["y"]


def test_recognisers_can_be_sought_for_the_persons_own_languages_and_for_those_that_are_heard(visitor):
    hindi = recognizer("sherpa/hi", "Hindi", "sherpaOnnx", hears=["hi"])
    page, _ = show(visitor, [hindi], language="cy-GB")
    options = page.get_by_label("For speech in").get_by_role("option")
    expect(options.nth(1)).to_have_text("Welsh")
    expect(options.filter(has_text="Hindi")).to_have_count(1)
    page.goto(f"{visitor.studio.base}/settings/transcription")
    page.get_by_role("button", name="Add a service").click()
    options = dialog(page).get_by_label("Language").get_by_role("option")
    expect(options.nth(1)).to_have_text("Welsh")
    expect(options.filter(has_text="Hindi")).to_have_count(1)


def test_a_transcript_says_who_wrote_it_if_it_was_the_basic_recogniser(visitor, studio):
    item = record(studio)
    write(studio, item, ["Good morning."])
    page = visitor.blank()
    change = {"recognizer": BASIC["id"], "recognizerName": BASIC["name"]}

    def by_basic(route) -> None:
        route.fulfill(json={**studio.get(route.request.url.partition("/api")[2]), **change})

    page.route(re.compile(r"/api/transcripts/[^/]+$"), by_basic)
    answer = {"recognizers": [BASIC], "order": [], "offers": [OFFER]}
    page.route(re.compile(r"/api/recognizers(\?|$)"), lambda route: route.fulfill(json=answer))
    page.goto(f"{studio.base}/recordings/{item}")
    expect(page.get_by_text("Written by the basic recogniser")).to_be_visible()
    page.get_by_role("button", name="Get a better one").click()
    expect(dialog(page).get_by_role("button", name="Download 200 MB: Whisper base")).to_be_visible()


CARDS_ARE_ABOVE = """(sheet) => {
  const [cards, choice] = [".recognizer-cards", "select"].map((one) => sheet.querySelector(one).getBoundingClientRect());
  return cards.bottom <= choice.top;
}"""


def expect_order(page: Page, item: str):
    """Waits for the order of a transcription, which is answered as if it had begun."""
    job = {**JOB, "item": item}
    page.route(
        "**/transcriptions",
        lambda route: route.fulfill(status=201, json=job) if route.request.method == "POST" else route.continue_(),
    )
    return page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/transcriptions"))


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, NARROW])
def test_the_first_order_shows_better_recognisers_first_where_only_the_basic_one_is(visitor, studio, size):
    item = record(studio)
    page = visitor.blank(size=size)
    quick = {**OFFER, "entry": "tiny", "name": "Whisper tiny", "reason": "quick"}
    answer = {"recognizers": [BASIC], "order": [], "offers": [quick, OFFER]}
    page.route("**/api/voices/listings", lambda route: route.fulfill(json={"isOffline": False}))
    page.route(re.compile(r"/api/recognizers(\?|$)"), lambda route: route.fulfill(json=answer))
    page.goto(f"{studio.base}/recordings/{item}")
    page.get_by_role("main").get_by_role("button", name="Transcribe", exact=True).first.click()
    sheet = dialog(page)
    expect(sheet.get_by_text("Others make far fewer mistakes")).to_be_in_viewport()
    expect(sheet.locator(".recognizer-card").first).to_be_in_viewport(ratio=1)
    assert sheet.evaluate(CARDS_ARE_ABOVE)
    expect(sheet.locator("button.primary:visible")).to_have_text(["Download 200 MB"])
    with expect_order(page, item) as asked:
        sheet.get_by_role("button", name="Use the basic one").click()
    assert json.loads(asked.value.post_data)["recognizers"] == [BASIC["id"]]
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_several_recordings_are_transcribed_by_the_basic_recogniser_only_when_asked(visitor, studio):
    for name in ("One", "Two"):
        record(studio, name=name)
    page, answer = show(visitor, [BASIC], "/recordings")
    expect(rows(page)).to_have_count(2)
    select_rows(page, 0, 1)
    transcribe = page.get_by_role("toolbar").get_by_role("button", name="Transcribe", exact=True)
    transcribe.click()
    expect(dialog(page)).to_contain_text("Only the basic recogniser is here, which makes many mistakes.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".selection-count")).to_have_text("2 selected")
    transcribe.click()
    ordered = []
    page.route(
        re.compile("/library/[^/]+/transcriptions$"),
        lambda route: (ordered.append(route.request.url), route.fulfill(status=201, json=JOB)),
    )
    dialog(page).get_by_role("button", name="Use the basic one").click()
    expect(page.locator(".toast")).to_contain_text("2 recordings are being transcribed")
    assert len(ordered) == 2
    answer["recognizers"] = []
    select_rows(page, 0, 1)
    transcribe.click()
    expect(dialog(page)).to_contain_text("No recogniser is on this machine")
    expect(dialog(page).get_by_role("button", name="Use the basic one")).to_have_count(0)
    dialog(page).get_by_role("button", name="Get a recogniser").click()
    expect(page.get_by_role("heading", name="Recognisers", level=1)).to_be_focused()
    assert len(ordered) == 2


def test_of_several_recordings_those_with_a_transcript_stay_as_they_are(visitor, studio):
    heard, other = (record(studio, name=name) for name in ("Heard", "Other"))
    write(studio, heard, ["Harbour"])
    page, _ = show(visitor, [FINNISH], "/recordings")
    expect(rows(page)).to_have_count(2)
    select_rows(page, 0, 1)
    transcribe = page.get_by_role("toolbar").get_by_role("button", name="Transcribe", exact=True)
    with expect_order(page, other):
        transcribe.click()
    expect(page.locator(".toast")).to_contain_text("1 recording is being transcribed · 1 has a transcript already, which stays")
    select_rows(page, [one for one, name in enumerate(names(page).all_text_contents()) if name == "Heard"][0])
    transcribe.click()
    expect(dialog(page)).to_contain_text("The new text takes the place of the present one")


def test_a_file_chosen_to_be_transcribed_is_once_it_is_imported_and_is_only_offered_to_the_basic_recogniser(visitor, studio, tmp_path):
    page, answer = show(visitor, [TINY, BASIC], "/recordings")
    page.route(re.compile("/library/[^/]+/transcriptions$"), lambda route: route.fulfill(status=201, json=JOB))
    wait_until(page, "async () => (await import('/core/store.js')).settings.value.size > 0")
    chosen = page.locator("main input[type=file]").first
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/transcriptions")) as asked:
        chosen.set_input_files(tones.write(tmp_path / "climb.wav"))
    expect(names(page)).to_have_text(["climb"])
    [item] = studio.get("/library?origin=imported")["items"]
    assert asked.value.url.endswith(f"/library/{item['id']}/transcriptions")
    expect(page.locator(".sound-imports")).to_be_hidden()
    expect(page.locator(".sound-import-offer")).to_be_hidden()
    answer["recognizers"] = [BASIC]
    chosen.set_input_files(tones.write_phrases(tmp_path / "call.wav", ["good", "mor", "ning"]))
    expect(page.locator(".sound-import-offer")).to_contain_text("“call” was imported and can be transcribed.")


@pytest.mark.expects_console("status of 409")
def test_a_file_chosen_to_be_transcribed_is_offered_to_be_where_that_could_not_be_begun(visitor, tmp_path):
    page, _ = show(visitor, [TINY], "/recordings")
    refusal = {"code": "library.too-many-jobs", "message": "Too much is waiting.", "suggestion": "Try again later."}
    page.route(re.compile("/library/[^/]+/transcriptions$"), lambda route: route.fulfill(status=409, json=refusal))
    wait_until(page, "async () => (await import('/core/store.js')).settings.value.size > 0")
    page.locator("main input[type=file]").first.set_input_files(tones.write(tmp_path / "climb.wav"))
    expect(page.locator(".sound-import-offer")).to_contain_text("“climb” was imported and can be transcribed.")
    expect(page.locator(".sound-imports li")).to_have_count(0)


def test_an_order_begins_when_the_better_recogniser_has_come(visitor, studio):
    item = record(studio)
    page, answer = show(visitor, [BASIC], f"/recordings/{item}")
    page.get_by_role("main").get_by_role("button", name="Transcribe", exact=True).first.click()
    page.route(re.compile("/downloads$"), lambda route: route.fulfill(json={**NONE, "state": "downloading"}))
    dialog(page).get_by_role("button", name="Download 200 MB: Whisper base").click()
    expect(dialog(page).locator(".recognizer-card").get_by_role("status")).to_have_text("On its way…")
    answer["recognizers"] = [BASIC, TINY]
    with expect_order(page, item) as asked:
        evaluate(page, VOICES_HAVE_CHANGED)
    assert json.loads(asked.value.post_data)["recognizers"] == [TINY["id"]]
    expect(page.get_by_role("dialog")).to_have_count(0)
