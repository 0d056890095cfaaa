"""AT4, AT8, AT12: recordings are transcribed live, compared, searched and exported, whatever happens to the server."""

import io
import re
import signal
import wave
import zipfile

import pytest
from playwright.sync_api import Page, expect

import tones
from conftest import Visitor, steady, talker, visits
from hearing import BASIC, TONES, HearingStudio, RealStudio, real_data, service, started
from parts import dialog, expect_to_play, names, rows
from places import RESTARTED, evaluate, held_back, wait_until
from test_recording import button, record, save_what_is_missing, sessions, stop, wait_for_samples, wait_until_heard

PHRASES = [["good", "mor", "ning"], ["li", "ttle", "bird"]]
# The time for a recognizer to transcribe what was said, in milliseconds, including its start.
SLOW = 90_000


@pytest.fixture(name="studio")
def fixture_studio(tmp_path, homes):
    """A server with the recognizer of tones."""
    for studio in started(HearingStudio, tmp_path, homes):
        studio.ready(HearingStudio.add_recognizer, TONES)
        yield studio


@pytest.fixture(name="person")
def fixture_person(microphone_browser, studio, request, tmp_path):
    """A user who repeats the two phrases forever."""
    phrases = tones.write_phrases(tmp_path / "phrases.wav", *PHRASES)
    studio.send("PUT", "/settings/recording.gain", {"value": "off"})
    yield from visits(microphone_browser, studio, request, steady(phrases))


def tools(page: Page):
    return page.get_by_role("toolbar", name="Transcript")


def order(page: Page, recognizer: str) -> None:
    """Transcribes the open recording again."""
    page.get_by_role("button", name=re.compile("^Transcribe")).first.click()
    dialog(page).get_by_label("Recogniser").select_option(recognizer)
    dialog(page).get_by_role("button", name="Transcribe", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def compare(page: Page, first: int, second: int) -> None:
    tools(page).get_by_role("button", name=f"Version {second}").click()
    dialog(page).get_by_role("button", name=f"Compare with the one shown: Version {first}").click()
    expect(page.get_by_role("heading", name="Two versions compared")).to_be_visible()


def exported(page: Page, title: str) -> bytes:
    page.get_by_role("button", name=re.compile("^More for ")).click()
    page.get_by_role("menuitem", name="Export", exact=True).click()
    dialog(page).get_by_text(title, exact=True).click()
    with page.expect_download() as download:
        dialog(page).get_by_role("button", name="Download").click()
    page.keyboard.press("Escape")
    return download.value.path().read_bytes()


def open_transcript(page: Page) -> None:
    """Opens the only recording, once it is transcribed."""
    link = page.get_by_role("link", name=re.compile("^Transcript of"))
    expect(link).to_be_visible(timeout=SLOW)
    link.click()
    expect(tools(page)).to_be_visible()


def seconds(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound)) as file:
        return file.getnframes() / file.getframerate()


def test_at4_what_is_said_appears_while_it_is_said_and_all_of_it_is_heard_again_then(person: Visitor, studio):
    page = person.open("/recordings")
    record(page)
    heard = page.locator(".recorder-heard")
    expect(heard).to_contain_text("little bird", timeout=SLOW)
    expect(heard).to_contain_text("good morning", timeout=SLOW)
    assert len(sessions(studio)) == 1, "it is still being recorded"
    stop(page)
    open_transcript(page)
    expect(tools(page).get_by_role("button", name="Version 2")).to_be_visible(timeout=SLOW)
    text = page.locator(".transcript-text")
    expect(text).to_contain_text("good morning")
    expect(text).to_contain_text("little bird")
    [item] = studio.get("/library?origin=recorded")["items"]
    versions = studio.get(f"/library/{item['id']}/transcripts")["versions"]
    assert [(one["isDraft"], one["isCurrent"]) for one in versions] == [(False, True), (True, False)]
    assert {one["recognizer"] for one in versions} == {"sherpa/nemo-ctc-fixture-en"}
    assert studio.get("/transcriptions")["jobs"] == []


@pytest.mark.expects_console(RESTARTED, "dialog: beforeunload", "status of 4(01|21)")
def test_at3_at4_at8_at12_nothing_said_is_lost_with_the_server_and_all_of_it_is_found(person: Visitor, studio):
    page = person.open("/recordings")
    record(page)
    expect(page.locator(".recorder-heard")).to_contain_text("little bird", timeout=SLOW)
    studio.restart(signal.SIGKILL)
    [session] = sessions(studio)
    assert session["state"] == "interrupted"
    expect(page.get_by_text("EchoText was started again, at another address. Recording continues:")).to_be_visible()
    wait_until_heard(page, 2)
    rest = person.studio.folder / "rest.wav"
    rest.write_bytes(save_what_is_missing(page))
    assert seconds(rest.read_bytes()) >= 1

    person.come_back(page, "/recordings")
    expect(page.get_by_text("interrupted")).to_be_visible()
    button(page, "Continue").click()
    wait_for_samples(page, studio, session["seconds"] + 4)
    stop(page)
    open_transcript(page)
    text = page.locator(".transcript-text")
    expect(text).to_contain_text("good morning")
    expect(text).to_contain_text("little bird")
    find_word(page, "little")
    page.goto(studio.base + "/recordings")
    page.locator("main input[type=file]").first.set_input_files(rest)
    expect(page.locator(".sound-import")).to_contain_text("which is finished")
    page.locator(".sound-import").get_by_role("button", name="Import it by itself").click()
    expect(names(page)).to_have_count(2)


def find_word(page: Page, word: str) -> None:
    """Searches all recordings for a word, jumps to it, and plays from there."""
    page.get_by_role("link", name="All recordings").click()
    page.get_by_label("Search recordings").fill(word)
    found = page.locator(".row .found")
    expect(found).to_have_count(1)
    expect(found.locator("mark")).to_have_text(re.compile(word, re.IGNORECASE))
    second = re.search(r"at (\d+):(\d\d)", found.inner_text())
    rows(page).first.click()
    expect(page.locator(".find-count")).to_have_text(re.compile("^1 of [1-9]"))
    at = int(second[1]) * 60 + int(second[2])
    wait_until(
        page,
        "(word) => [...(CSS.highlights.get('found-now') ?? [])].join().toLowerCase() === word",
        word.lower(),
    )
    # The segment that contains it starts at most some seconds before it.
    starts = [int(m) * 60 + int(s) for m, s in (one.split(":") for one in page.locator("button.segment-time").all_inner_texts())]
    start = max(one for one in starts if one <= at)
    page.get_by_role("button", name=f"Play from {start // 60}:{start % 60:02}", exact=True).click()
    expect_to_play(page, start)
    page.locator("echo-player-bar").get_by_role("button", name="Pause").click()


def test_at5_at8_a_service_on_loopback_is_asked_after_leave_and_compared_with_the_recogniser_here(person: Visitor, studio):
    with service("text=good%2520warning%2520little%2520bird") as office:
        content = {"address": office.address, "model": "whisper-1"}
        studio.send("PUT", "/transcription-services/office", content)
        studio.send("PUT", "/settings/transcription.after-recording", {"value": "off"})
        page = person.open("/recordings")
        record(page)
        wait_for_samples(page, studio, 9)
        stop(page)
        open_transcript(page)
        assert office.requests == [], "nobody has chosen it"
        order(page, "remote/office")
        strip = page.locator(".job-strip")
        expect(strip).to_contain_text(re.compile(r"^Send .* of sound, .*, to 127\.0\.0\.1"))
        assert office.requests == [], "nobody has agreed"
        strip.get_by_role("button", name="Send", exact=True).click()
        expect(tools(page).get_by_role("button", name="Version 2")).to_be_visible(timeout=SLOW)
        assert len(office.requests) >= 1
        expect(page.locator(".transcript-text")).to_contain_text("warning")
        compare(page, 1, 2)
        expect(page.locator("ins").filter(has_text="warning").first).to_be_visible()
        expect(page.locator("del").filter(has_text="morning").first).to_be_visible()
        page.get_by_role("button", name="Close the comparison").click()
        [*_, sent] = studio.get("/outbound/records")["records"]
        assert sent["purpose"] == "transcription" and sent["host"] in office.address
        find_word(page, "warning")


def test_a_list_that_was_asked_for_before_a_transcription_was_ordered_takes_none_away(visitor, studio, tmp_path):
    studio.post_file("/library/imports", tones.write_phrases(tmp_path / "talk.wav", *PHRASES))
    [item] = studio.get("/library?origin=imported")["items"]
    with service("text=Ding.") as office:
        studio.send("PUT", "/transcription-services/office", {"address": office.address, "model": "whisper-1"})
        page = visitor.blank()
        held = []
        page.route("**/api/transcriptions", lambda route: held.append((route, studio.ask("GET", "/transcriptions"))))
        page.goto(f"{studio.base}/recordings/{item['id']}")
        held_back(page, held)
        order(page, "remote/office")
        strip = page.locator(".job-strip")
        send = strip.get_by_role("button", name="Send", exact=True)
        expect(send).to_be_visible()
        for route, answer in list(held):
            assert answer.json()["jobs"] == []
            headers = {name: answer.headers[name] for name in ("Content-Type", "Last-Event-ID")}
            with page.expect_response("**/api/transcriptions"):
                route.fulfill(status=200, headers=headers, body=answer.text)
        evaluate(page, "new Promise(requestAnimationFrame)")
        send.press("Enter")
        expect(page.locator(".transcript-text")).to_contain_text("Ding", timeout=SLOW)


@pytest.mark.parametrize("is_chosen", [True, False])
def test_a_service_that_refuses_its_key_is_told_of_and_replaced_only_where_nobody_has_chosen_it(visitor, studio, tmp_path, is_chosen):
    studio.post_file("/library/imports", tones.write_phrases(tmp_path / "talk.wav", *PHRASES))
    [item] = studio.get("/library?origin=imported")["items"]
    with service("key=sk-secret,text=Ding.") as office:
        content = {"address": office.address, "model": "whisper-1", "key": "sk-wrong"}
        studio.send("PUT", "/transcription-services/office", content)
        order = "remote/office sherpa/nemo-ctc-fixture-en"
        studio.send("PUT", "/settings/transcription.recognizers", {"value": order})
        page = visitor.open(f"/recordings/{item['id']}")
        page.get_by_role("button", name="Transcribe", exact=True).first.click()
        choice = dialog(page).get_by_label("Recogniser")
        expect(choice).to_have_value("remote/office")
        if is_chosen:
            for one in reversed(order.split()):
                choice.select_option(one)
        dialog(page).get_by_role("button", name="Transcribe", exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        strip = page.locator(".job-strip")
        strip.get_by_role("button", name="Send", exact=True).press("Enter")
        refused = "does not accept the key."
        if is_chosen:
            expect(strip).to_contain_text(refused)
            expect(strip.get_by_role("button")).to_have_text(["Try again", "Discard"])
            expect(strip.get_by_role("link", name="Change the service")).to_have_attribute("href", "/settings/transcription")
            assert studio.get(f"/library/{item['id']}/transcripts")["versions"] == []
            expect(strip.get_by_role("button", name="Try again")).to_be_focused()
            strip.get_by_role("button", name="Discard").press("Enter")
            expect(strip).to_have_count(0)
            expect(page.get_by_role("heading", name="talk", level=1)).to_be_focused()
            return
        reported = page.locator(".transcript-jobs .notice")
        expect(reported).to_contain_text(f"{refused} Another recogniser has transcribed the recording instead.", timeout=SLOW)
        expect(reported).to_contain_text("Enter the service's key again")
        expect(reported.get_by_role("link", name="Change the service")).to_have_attribute("href", "/settings/transcription")
        expect(page.locator(".transcript-text")).to_contain_text("good morning")
        page.reload()
        expect(reported).to_contain_text(refused)
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.locator(".transcript-jobs .notice")).to_contain_text(refused)
        page.bring_to_front()
        reported.get_by_role("button", name="Dismiss").click()
        expect(reported).to_have_count(0)
        expect(page.get_by_role("heading", name="talk", level=1)).to_be_focused()
        expect(other.locator(".transcript-jobs .notice")).to_have_count(0)
        page.reload()
        expect(page.locator(".transcript-text")).to_contain_text("good morning")
        expect(reported).to_have_count(0)
        [version] = studio.get(f"/library/{item['id']}/transcripts")["versions"]
        assert version["insteadOf"] is None, "it was read, also where another page or the next server asks"


@pytest.mark.parametrize("key, others, reported", [
    ("sk-secret", [], "“talk” has been transcribed."),
    (
        "sk-wrong", ["sherpa/nemo-ctc-fixture-en"],
        re.compile("^“talk” was transcribed by another recogniser. The service at “.+” does not accept the key.$"),
    ),
    ("sk-wrong", [], "“talk” could not be transcribed."),
])
def test_a_notice_on_another_page_says_how_a_transcription_has_ended_and_leads_to_it(
    visitor, studio, tmp_path, key, others, reported,
):
    studio.post_file("/library/imports", tones.write_phrases(tmp_path / "talk.wav", *PHRASES))
    [item] = studio.get("/library?origin=imported")["items"]
    with service("key=sk-secret,text=Ding.") as office:
        content = {"address": office.address, "model": "whisper-1", "key": key}
        studio.send("PUT", "/transcription-services/office", content)
        page = visitor.open("/settings")
        order = {"recognizers": ["remote/office", *others]}
        job = studio.send("POST", f"/library/{item['id']}/transcriptions", order)
        sign = page.get_by_role("region", name="Transcriptions").get_by_role("button")
        # It cannot end before the page knows of it.
        expect(sign).to_have_text("talk: waiting for your answer")
        [waiting] = studio.get("/transcriptions")["jobs"]
        studio.send("POST", f"/transcriptions/{job['id']}/allow", waiting["sending"])
        toast = page.locator(".toast")
        expect(toast.locator("p")).to_have_text(reported, timeout=SLOW)
        toast.get_by_role("button", name="Open", exact=True).click()
        expect(page.get_by_role("heading", name="talk", level=1)).to_be_visible()
        expect(page).to_have_url(re.compile(f"/recordings/{item['id']}$"))
        expect(sign).to_be_hidden()


def test_a_recogniser_chosen_for_one_recording_is_proposed_for_the_next_and_no_longer_asked_alone(visitor, studio, tmp_path):
    studio.post_file("/library/imports", tones.write_phrases(tmp_path / "talk.wav", *PHRASES))
    [item] = studio.get("/library?origin=imported")["items"]
    with service("text=Ding.") as office:
        studio.send("PUT", "/transcription-services/office", {"address": office.address, "model": "whisper-1"})
        page = visitor.open(f"/recordings/{item['id']}")
        transcribe = page.get_by_role("button", name="Transcribe", exact=True).first
        transcribe.click()
        choice = dialog(page).get_by_label("Recogniser")
        expect(choice).not_to_have_value("remote/office")
        choice.select_option("remote/office")
        expect(choice).to_have_accessible_description("Only this one is asked. If it fails, the page says why.")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        transcribe.click()
        expect(choice).to_have_value("remote/office")
        proposed = "Chosen for the previous recording. If it fails, the others are asked in their usual order."
        expect(choice).to_have_accessible_description(proposed)


def test_at8_captions_and_a_word_document_have_what_was_said(person: Visitor, studio):
    studio.send("PUT", "/settings/transcription.after-recording", {"value": "off"})
    page = person.open("/recordings")
    record(page)
    wait_for_samples(page, studio, 9)
    stop(page)
    open_transcript(page)
    expect(page.locator(".transcript-text")).to_contain_text("little bird")
    captions = exported(page, "SRT subtitles").decode()
    assert re.match(r"1\r?\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\r?\n", captions), captions
    assert "little bird" in captions and "good morning" in captions
    document = zipfile.ZipFile(io.BytesIO(exported(page, "Word document")))
    assert document.testzip() is None
    assert b"little bird" in document.read("word/document.xml")


def test_sessions_that_are_begun_and_ended_quickly_keep_their_transcripts_apart(person: Visitor, studio):
    """AT4, AT9: a running transcription never loses its recording, nor gets another's."""
    page = person.open("/recordings")
    for _ in range(4):
        record(page)
        wait_until_heard(page, 1)
        stop(page)
    expect(names(page)).to_have_count(4)
    expect(page.get_by_text("transcribing")).to_have_count(0, timeout=SLOW)
    wait_until(page, "async () => (await (await fetch('/api/transcriptions')).json()).jobs.length === 0")
    for item in studio.get("/library?origin=recorded")["items"]:
        versions = studio.get(f"/library/{item['id']}/transcripts")["versions"]
        assert len(versions) <= 2
        for version in versions:
            segments = studio.get(f"/transcripts/{version['id']}")["segments"]
            assert all(segment["end"] <= item["duration"] + 1 for segment in segments)
    checked = studio.run("vault", "check")
    assert checked.returncode == 0, checked.stderr


# With a real recognizer, if the machine has one


@pytest.fixture(name="real")
def fixture_real(playwright, request, tmp_path):
    """A user who repeats Kennedy's sentence forever, to a server with Whisper."""
    data = real_data()
    for studio in started(RealStudio, tmp_path):
        studio.add_recognizer(data / "sherpa-onnx-whisper-tiny.en-attention.tar.bz2")
        browser = talker(playwright, data / "corpus/audio/jfk.wav")
        yield from visits(browser, studio, request)
        browser.close()


def test_at4_at8_whisper_writes_what_a_person_says_while_it_is_said_offline(real: Visitor):
    studio = real.studio
    studio.send("PUT", "/settings/transcription.after-recording", {"value": "off"})
    page = real.open("/recordings")
    record(page)
    heard = page.locator(".recorder-heard")
    expect(heard).to_contain_text(re.compile("what your country can do", re.IGNORECASE), timeout=SLOW)
    wait_until_heard(page, 1)
    stop(page)
    open_transcript(page)
    expect(page.locator(".transcript-text")).to_contain_text(re.compile("fellow Americans", re.IGNORECASE))
    [item] = studio.get("/library?origin=recorded")["items"]
    [version] = studio.get(f"/library/{item['id']}/transcripts")["versions"]
    assert version["recognizer"] == "sherpa/whisper-tiny.en-attention"
    find_word(page, "country")
    if any(one["id"] == BASIC for one in studio.get("/recognizers")["recognizers"]):
        order(page, BASIC)
        expect(tools(page).get_by_role("button", name="Version 2")).to_be_visible(timeout=SLOW)
        compare(page, 1, 2)
        expect(page.get_by_role("status").filter(has_text="Only in version 1:")).to_be_visible()
        page.get_by_role("button", name="Close the comparison").click()
    assert b"-->" in exported(page, "SRT subtitles")
    assert studio.get("/outbound/records")["records"] == [], "nothing has left"
