"""The screen reader’s tree of each page, and a name of its own for everything that is pressed."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from conftest import WIDE
from places import settle
from practising import address, practise, written
from transcripts import BASIC, BETTER, WHISPER, answer_recognizers, open_recording_sheets, record_and_write

SPEAK = """
- heading "Speak" [level=1]
- paragraph: /0 . 10,000 words/
- textbox "Text to speak"
- status
- button /^Voice/
- button /^Profile/
- button /^Speed/
- button /^Pitch/
- button "Read aloud"
- region "What else you can do":
  - link "Open a document"
  - link "Record or transcribe"
  - link "Practise a speech"
  - paragraph:
    - link "Get better transcripts"
  - heading "Recent" [level=2]
  - list:
    - listitem:
      - button "Recording 1"
- status
"""

LIBRARY = """
- heading "Library" [level=1]
- searchbox "Search the library"
- button "Sort"
- button "Filter"
- button "Select"
- status: 1 text read aloud
- grid "Texts read aloud":
  - rowgroup:
    - row /^Recording 1/:
      - gridcell:
        - 'button "Add to favourites: Recording 1"'
        - 'button "View text: Recording 1"'
        - button "More for “Recording 1”"
"""

DOCUMENTS = """
- heading "Documents" [level=1]
- searchbox "Search documents"
- button "Sort"
- button "Filter"
- button "Select"
- status: 1 document
- grid "Documents":
  - rowgroup:
    - row /^notes/:
      - gridcell:
        - button "Listen to “notes”"
        - button "More for “notes”"
"""

RECORDINGS = """
- heading /^Recordings . transcripts$/ [level=1]
- searchbox "Search recordings"
- button "Sort"
- button "Filter"
- button "Select"
- link "Recognisers"
- region "Recorder":
  - button "Record"
  - paragraph: /^What you record stays on this machine/
  - status
- status: 1 recording
- grid "Recordings":
  - rowgroup:
    - row /^Talk/:
      - gridcell:
        - link "Transcript of Talk"
        - button "More for “Talk”"
"""

TRANSCRIPT = """
- link "All recordings"
- heading "Talk" [level=1]
- button "Transcribe again"
- button "Export"
- button "More for Talk"
- paragraph: /0:12/
- toolbar "Transcript":
  - button "Edit"
  - button /^Version 1/
  - search:
    - searchbox "Find in this transcript"
- heading "Play from 0:00" [level=2]:
  - button "Play from 0:00"
- button "Speaker? Name the speaker at 0:00"
- paragraph: Good morning, everybody.
- heading "Play from 0:03" [level=2]
- button "Speaker? Name the speaker at 0:03"
- paragraph: The harbour was quiet.
- status
"""

PRACTICE = """
- heading "Practice" [level=1]
- button "New speech"
- heading "Speeches" [level=2]
- searchbox "Search speeches by title"
- grid "Speeches":
  - rowgroup:
    - row /^Toast/:
      - gridcell:
        - button "Practise “Toast”"
        - button "More for “Toast”"
"""

PRACTICE_SESSION = """
- link "All practice"
- heading /.+/ [level=1]
- button "How to practise"
- paragraph: /English/
- region "Text":
  - paragraph: The harbour was quiet.
  - button "Hard"
  - button /^Go to the next.+A lamp burned at the pier/
- button "Record my echo"
- paragraph: Press play
- status
- progressbar "Place in the text"
- group "Practice controls":
  - button "Whole text"
  - button "Previous"
  - button "Begin"
  - button "Next"
  - button "Hear it again"
- slider /^Speed/
- textbox /^Speed/
"""

VOICES = """
- heading "Voices" [level=1]
- searchbox "Search voices and languages"
- button "Sort"
- button "Filter"
- button "Add a voice from a file"
- region "Current voice":
  - button /^Listen to /
- radiogroup "Show":
  - radio "Natural"
  - radio "Built in"
- status: /voice/
- grid:
  - rowgroup:
    - row:
      - gridcell:
        - heading /.+/ [level=2]
    - row /^(?!Listen to )./:
      - gridcell:
        - button /^Add .+ to favourites$/
        - button /^More about /
- status
- alert
"""

RECOGNIZERS = """
- link "All recordings"
- heading "Recognisers" [level=1]
- paragraph: /^They write down what is said/
- heading "On this machine" [level=2]
- list "On this machine":
  - listitem:
    - paragraph: /^Whisper tiny/
    - button "More for Whisper tiny"
  - listitem:
    - paragraph: /^PocketSphinx/
    - button "More for PocketSphinx (basic)"
- heading "For download" [level=2]
- combobox "For speech in"
- list:
  - listitem:
    - button /^Download 200 MB.+Whisper base$/
- paragraph: The recording stays on this machine.
- status
"""

SPEECH_SETTINGS = """
- heading "Settings" [level=1]
- navigation "Sections":
  - link "Speech"
  - link "Transcription"
  - link "Security"
  - link "Support"
- heading "Speech" [level=2]
- region "Current voice":
  - heading "Current voice" [level=3]
- region "Voice profiles":
  - heading "Voice profiles" [level=3]
  - list:
    - listitem:
      - radio "Use “Default”" [checked]
      - button "Edit “Default”"
      - button /^More/
  - button "New profile"
- region "Voices":
  - heading "Voices" [level=3]
  - link /^Open. Voices on this machine$/
  - textbox "Where voices come from"
  - switch "Stay offline"
- region "Pauses":
  - heading "Pauses" [level=3]
  - slider "Pause between sentences"
  - slider "Pause between paragraphs"
  - slider "Pause after headings"
- region "Playback":
  - heading "Playback" [level=3]
  - slider "Playing speed"
  - switch "Repeat the queue"
"""

PLAYER = """
- region "Player":
  - button "Previous"
  - button /^Back \\d+ seconds?$/
  - button "Play"
  - button /^Forward \\d+ seconds?$/
  - button "Next"
  - button /^Talk/
  - button "0:00, go to a time"
  - slider "Position"
  - button /^Playback speed/
  - button "Sleep timer"
  - button "Mute"
  - button "Queue"
  - status
"""

TREES = {
    "/speak": SPEAK,
    "/library": LIBRARY,
    "/documents": DOCUMENTS,
    "/recordings": RECORDINGS,
    "/recordings/{talk}": TRANSCRIPT,
    "/practice": PRACTICE,
    "{session}": PRACTICE_SESSION,
    "/voices": VOICES,
    "/settings/speech": SPEECH_SETTINGS,
}


def prepare(studio) -> dict[str, str]:
    """Makes an item of every list, the narration last, and returns the parts of addresses by their names in braces."""
    talk = record_and_write(studio)
    file = studio.folder / "notes.txt"
    file.write_text("Notes of the day.")
    studio.import_document(file)
    written(studio, "Toast")
    session = address(practise(studio))
    studio.narrate("This is recording number 1.", "Recording 1")
    return {"talk": talk, "session": session}


def show(page: Page, studio, path: str) -> None:
    page.goto(studio.base + path)
    settle(page)
    # The parts on every page are loaded last.
    expect(page.locator(".drop-veil")).to_be_attached()


@pytest.mark.timeout(480)
def test_the_tree_of_each_page_has_its_headings_lists_and_names_in_order(visitor, studio):
    places = studio.ready(prepare)
    page = visitor.blank()
    for path, tree in TREES.items():
        show(page, studio, path.format(**places))
        expect(page.get_by_role("main")).to_match_aria_snapshot(tree)


def test_the_tree_of_the_recognizers_has_their_order_and_those_for_download(visitor, studio):
    page = visitor.blank()
    answers = answer_recognizers(page)
    answers["recognizers"] = {"recognizers": [WHISPER, BASIC], "order": [], "offers": [BETTER]}
    show(page, studio, "/recordings/recognizers")
    expect(page.get_by_role("main")).to_match_aria_snapshot(RECOGNIZERS)


def test_the_tree_of_the_player_has_its_buttons_as_they_are_pressed(visitor, studio, talk):
    page = visitor.blank()
    show(page, studio, f"/recordings/{talk}")
    expect(page.locator("echo-player-bar")).to_match_aria_snapshot(PLAYER)


def test_the_title_of_a_setting_is_read_once_and_its_sentence_with_what_is_worked(visitor, studio):
    page = visitor.blank()
    show(page, studio, "/settings/speech")
    pause = page.locator("[data-setting='speech.sentence-pause']")
    expect(pause.get_by_text("Pause between sentences", exact=True)).to_have_count(1)
    slider = pause.get_by_role("slider", name="Pause between sentences")
    expect(slider).to_have_accessible_description("Silence after each sentence.")
    expect(pause.get_by_role("textbox", name="Pause between sentences")).to_be_visible()
    show(page, studio, "/settings/display")
    spacing = page.get_by_role("radiogroup", name="Spacing")
    expect(spacing).to_have_accessible_description("Wide spacing of letters and lines can make reading easier.")


def test_a_button_of_the_settings_says_what_it_is_about(visitor, studio):
    page = visitor.blank()
    for path in ("/settings/security", "/settings/advanced", "/settings/support"):
        show(page, studio, path)
        for row in page.locator(".setting:has(> .setting-control > button:not([role=switch]))").all():
            title = row.locator(".setting-title").inner_text()
            expect(row.locator(".setting-control > button")).to_have_accessible_description(title)


# A line of a tree: its depth, and the role, the name and the state of what it is about.
LINE = re.compile(r"""^( *)- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)'?(?::.*)?$""")
WORKED = {"button", "link", "textbox", "searchbox", "slider", "switch", "combobox", "checkbox", "radio", "menuitem"}
# Buttons within one of these stand together.
TOGETHER = {"row", "listitem", "toolbar", "group", "dialog"}


def faults_of_names(tree: str, where: str) -> list[str]:
    """Lists the controls without a name, and the names that several enabled buttons share that stand together."""
    faults: list[str] = []
    within: list[tuple[int, str, Counter[str]]] = []

    def leave(depth: int) -> None:
        while within and within[-1][0] >= depth:
            _, role, names = within.pop()
            faults.extend(f"{where}: {count} × “{name}” in one {role}" for name, count in names.items() if count > 1)

    for line in tree.splitlines():
        found = LINE.match(line)
        if found is None:
            continue
        indent, role, name, state = found.groups()
        leave(len(indent))
        if role in WORKED and not (name or "").strip():
            faults.append(f"{where}: {line.strip()} has no name")
        if role == "button" and "[disabled]" not in state:
            for _, _, names in within:
                names[name or ""] += 1
        if role in TOGETHER:
            within.append((len(indent), role, Counter()))
    leave(0)
    return faults


def test_faults_of_names_are_found():
    tree = """
- main:
  - button
  - row "Talk":
    - gridcell:
      - button "Stop"
      - 'button "Stop" [disabled]'
      - link "Talk":
        - /url: /talk
  - row "Walk":
    - button "Stop"
    - 'button "Stop"': Stop
- dialog "Sheet":
  - list:
    - listitem:
      - button "Delete"
    - listitem:
      - button "Delete"
"""
    assert faults_of_names(tree, "here") == [
        "here: - button has no name", "here: 2 × “Stop” in one row", "here: 2 × “Delete” in one dialog",
    ]


@pytest.mark.timeout(480)
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_everything_that_is_worked_has_a_name_and_buttons_that_stand_together_have_different_ones(visitor, studio, language):
    places = studio.ready(prepare)
    page = visitor.blank(language=language)
    faults = []
    for path in (*TREES, "/recordings/recognizers"):
        show(page, studio, path.format(**places))
        # A session has nine, as the player is hidden there; some come with its text.
        expect(page.get_by_role("button").nth(8)).to_be_attached()
        tree = page.locator("body").aria_snapshot()
        assert tree.count("button") >= 9, tree
        faults += faults_of_names(tree, path)
    for name in open_recording_sheets(page, studio, places["talk"], WIDE):
        faults += faults_of_names(page.locator("dialog[open]").aria_snapshot(), name)
    assert faults == []
