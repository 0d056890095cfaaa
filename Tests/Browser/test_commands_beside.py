"""02-4: an open page follows the changes of commands."""

import pytest
from playwright.sync_api import expect

from archives import NAME, ArchiveServer, ConnectedStudio
from conftest import visits
from parts import dialog, names
from places import evaluate, held_back, press_chip, wait_until
from practising import address, begin, expect_phase, practise, pressed
from studio import FIXTURES


def run(studio, *words: str) -> str:
    """Returns the output of a command that succeeds."""
    done = studio.run(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_02_4_an_open_page_follows_what_commands_change(visitor, studio):
    page = visitor.open("/library")
    expect(page.locator(".empty")).to_be_visible()
    run(studio, "speak", "--save", "--name", "By command", "The tide comes in.")
    expect(names(page)).to_have_text(["By command"])
    run(studio, "library", "rename", "By command", "Named again")
    expect(names(page)).to_have_text(["Named again"])
    run(studio, "settings", "set", "page.theme", "dark")
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    run(studio, "library", "delete", "--yes", "Named again")
    expect(page.locator(".empty")).to_be_visible()


def test_02_4_documents_profiles_and_the_queue_follow_too(visitor, studio):
    item = studio.narrate("The tide comes in.", "Tide")
    (studio.folder / "Text.txt").write_text("A text from a file.")
    documents = visitor.open("/documents")
    expect(documents.locator(".empty")).to_be_visible()
    speak = visitor.another_tab(documents, "/speak")
    expect(speak.locator(".chip-profile")).to_contain_text("Default")
    run(studio, "import", str(studio.folder / "Text.txt"))
    expect(names(documents)).to_have_text(["Text"])
    run(studio, "profiles", "save", "Slow", "--speed", "0.7")
    run(studio, "profiles", "choose", "Slow")
    expect(speak.locator(".chip-profile")).to_contain_text("Slow")
    run(studio, "queue", "add", item)
    speak.locator("echo-player-bar").get_by_role("button", name="Queue").click()
    expect(speak.locator(".queue-row")).to_have_count(1)


def test_02_4_the_size_of_the_remembered_speech_follows_too(visitor, studio):
    file = studio.folder / "Story.txt"
    file.write_text("A story that is remembered.")
    studio.hear(studio.send("POST", f"/documents/{studio.import_document(file)}/narrations", {})["id"])
    page = visitor.open("/settings/advanced")
    cache = page.get_by_role("region", name="Remembered speech")
    expect(cache.get_by_role("button", name="Clear")).to_be_enabled()
    run(studio, "library", "cache", "--clear")
    expect(cache).to_contain_text("Nothing.")


def open_dictionary(visitor):
    """A page of the settings with the dictionary open, and the field of its text."""
    page = visitor.open("/settings/advanced")
    page.get_by_role("main").get_by_role("button", name="Open…").first.click()
    written = dialog(page).get_by_role("textbox")
    expect(written).to_be_enabled()
    return page, written


def hold_first_save(page):
    """Holds the first request of a page that saves the dictionary, and records its route."""
    held = []
    page.route("**/api/dictionary", lambda route: held.append(route) if route.request.method == "PUT" and not held else route.continue_())
    return held


def test_02_4_an_open_dictionary_follows_and_is_not_put_back(visitor, studio):
    page, written = open_dictionary(visitor)
    run(studio, "settings", "set", "speech.dictionary", "GIF = jiff")
    expect(written).to_have_value("GIF = jiff")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/api/dictionary" in answer.url):
        written.fill("GIF = jiff\nSQL = sequel")
    assert studio.get("/dictionary")["text"] == "GIF = jiff\nSQL = sequel"


@pytest.mark.expects_console("status of 409")
def test_02_4_entries_that_a_command_writes_stay_beside_those_that_are_being_saved(visitor, studio):
    page, written = open_dictionary(visitor)
    held = hold_first_save(page)
    written.fill("SQL = sequel")
    late = held_back(page, held)
    run(studio, "settings", "set", "speech.dictionary", "GIF = jiff")
    late.continue_()
    expect(written).to_have_value("SQL = sequel\nGIF = jiff")
    assert studio.get("/dictionary")["text"] == "SQL = sequel\nGIF = jiff"


@pytest.mark.expects_console("status of 4(09|22)")
def test_02_4_an_entry_that_is_refused_after_a_command_has_written_says_so(visitor, studio):
    page, written = open_dictionary(visitor)
    held = hold_first_save(page)
    written.fill("SQL = sequel")
    late = held_back(page, held)
    run(studio, "settings", "set", "speech.dictionary", "GIF = jiff")
    written.fill("SQL = sequel\nno entry")
    # The timer of the typing that was set just before runs first, so this list waits for the other one.
    evaluate(page, "() => new Promise((over) => setTimeout(over, 600))")
    late.continue_()
    expect(dialog(page).get_by_role("alert")).to_be_visible()
    expect(written).to_have_value("SQL = sequel\nno entry\nGIF = jiff")
    assert studio.get("/dictionary")["text"] == "SQL = sequel\nGIF = jiff"


@pytest.mark.expects_console("status of 404")
def test_02_4_an_open_document_and_the_player_follow_too(visitor, studio):
    (studio.folder / "Text.txt").write_text("A text from a file.")
    document = studio.import_document(studio.folder / "Text.txt")
    studio.narrate("The tide comes in.", "Tide")
    page = visitor.open("/library")
    page.locator(".row", has_text="Tide").click()
    bar = page.locator("echo-player-bar")
    expect(bar).to_contain_text("Tide")
    viewer = visitor.another_tab(page, f"/documents/{document}")
    expect(viewer.get_by_role("heading", level=1)).to_have_text("Text")
    run(studio, "documents", "rename", "Text", "Another name")
    expect(viewer.get_by_role("heading", level=1)).to_have_text("Another name")
    run(studio, "library", "rename", "Tide", "High tide")
    expect(bar).to_contain_text("High tide")
    run(studio, "documents", "delete", "--yes", "Another name")
    expect(viewer.get_by_role("alert")).to_be_visible()
    expect(viewer.get_by_role("link", name="Documents").last).to_be_visible()
    run(studio, "library", "delete", "--yes", "High tide")
    expect(bar).not_to_contain_text("High tide")


def test_02_4_the_bar_follows_the_speed_that_settings_and_commands_choose_also_after_its_own_choice(visitor, studio):
    page = visitor.open("/settings/speech")
    rate = page.locator("echo-player-bar .rate-button")
    rate.click()
    field = dialog(page).locator(".slider-field")
    field.fill("2")
    with page.expect_response("**/api/settings/playback.speed"):
        field.press("Enter")
    page.keyboard.press("Escape")
    expect(rate).to_contain_text("2×")
    run(studio, "settings", "set", "playback.speed", "1.25")
    expect(rate).to_contain_text("1.25×")
    own = page.locator("[data-setting='playback.speed'] .slider-field")
    own.fill("0.75")
    own.press("Enter")
    expect(rate).to_contain_text("0.75×")


def test_02_4_a_session_that_rests_on_a_page_follows_the_terminal_to_its_end(visitor, studio):
    session = practise(studio, "Good morning. Good night.")
    page = visitor.open(address(session))
    begin(page)
    pressed(page, "Pause").click()
    expect_phase(page, "Paused")
    run(studio, "practice", "--continue", session["id"], "--rate", "1", "--echo", "off")
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    expect(page.locator(".summary-facts")).to_contain_text("Sentences2")


@pytest.fixture
def shop(tmp_path):
    """A studio without voices and recognizers, which may connect to one archive server."""
    archives = ArchiveServer(tmp_path / "archives")
    studio = ConnectedStudio(tmp_path / "studio", archives.address("fine"))
    try:
        yield studio.start()
    finally:
        studio.close()
        archives.close()


@pytest.fixture
def customer(browser, shop, request):
    yield from visits(browser, shop, request)


def test_02_4_pages_follow_voices_that_commands_download_add_and_remove(customer, shop):
    shop.send("POST", "/voices/catalogue/refresh")
    speak = customer.open("/speak")
    voices = "() => fetch('/api/voices').then((one) => one.json()).then((all) => all.map(({ id }) => id))"
    assert run(shop, "voices", "download", f"vits-piper-{NAME}") == f"piper/{NAME}\n"
    assert f"piper/{NAME}" in evaluate(speak, voices)
    press_chip(speak, "voice")
    offered = dialog(speak).get_by_text("fixture")
    expect(offered.first).to_be_visible()
    run(shop, "voices", "remove", "--yes", f"piper/{NAME}")
    expect(offered).to_have_count(0)
    run(shop, "voices", "add", str(FIXTURES / "archives" / "good" / f"vits-piper-{NAME}.tar.bz2"))
    expect(offered.first).to_be_visible()


def test_02_4_pages_follow_recognisers_that_commands_add_and_remove(visitor, studio):
    page = visitor.open("/recordings")
    evaluate(
        page,
        """async () => {
          const { onServer } = await import("/server/events.js");
          window.news = 0;
          onServer("voices", () => window.news++, new AbortController().signal);
        }"""
    )
    run(studio, "recognizers", "add", str(FIXTURES / "recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"))
    wait_until(page, "() => window.news > 0")
    [added] = [one["id"] for one in studio.get("/recognizers")["recognizers"] if "fixture" in one["id"]]
    page.evaluate("window.news = 0")
    run(studio, "recognizers", "remove", "--yes", added)
    wait_until(page, "() => window.news > 0")
