"""The text on Speak, in the player and in a document while reading along: nothing moves, nothing is covered."""

import pytest
from playwright.sync_api import Page, expect

from conftest import NARROW, WIDE
from parts import dialog, expect_to_play
from places import evaluate, held_back, settle, wait_until
from studio import Studio
from test_speak import HEARS_AN_END, wait_for_an_end
from texts import LONG, takes_minutes

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
TURNED = {"width": NARROW["height"], "height": NARROW["width"]}

WRITTEN = "\n".join([
    "# The harbour in the very early morning, long before any of the boats had come back from the banks",
    "",
    "The harbour was quiet.  Two spaces stand before this sentence, and the words go on until the line is full and breaks.",
    "   An indented line that is long enough to be broken somewhere, wherever that may be on this page, and no earlier.",
    "",
    "",
    "A short line",
    "",
    "- a point of a list that takes more than one line, since it says a lot of things about herons and about the tide",
    "- another point",
    "",
    "Unbreakable" + "wordwordword" * 12 + " ends.",
    *[f"\nParagraph {n} is about the boats, which wait for the tide, and about the tide, which waits for nobody." for n in range(20)],
])

# The words of each line, by their position.
LINES = """
  const linesOf = (element) => {
    const lines = new Map();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: one, index } of node.data.matchAll(/\\S/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + one.length);
        const { top, height } = range.getBoundingClientRect();
        const line = Math.round((top + height / 2) * 2);
        lines.set(line, (lines.get(line) ?? "") + one);
      }
    }
    return [...lines].sort(([one], [other]) => one - other);
  };
"""

# The field's lines, measured with an element that looks like it; and the heights of the field's text and of theirs.
WRITTEN_LINES = "(field) => {" + LINES + """
  const twin = document.createElement("div");
  const look = getComputedStyle(field);
  for (const name of ["fontFamily", "fontSize", "lineHeight", "letterSpacing", "wordSpacing", "overflowWrap", "textWrap"]) twin.style[name] = look[name];
  twin.style.whiteSpace = "pre-wrap";
  twin.style.width = `${field.clientWidth - parseFloat(look.paddingLeft) - parseFloat(look.paddingRight)}px`;
  twin.textContent = field.value;
  document.body.append(twin);
  field.style.height = "0";
  const high = field.scrollHeight - parseFloat(look.paddingTop) - parseFloat(look.paddingBottom);
  field.style.height = "";
  const [lines, height, top] = [linesOf(twin), twin.getBoundingClientRect().height, twin.getBoundingClientRect().top];
  twin.remove();
  return { lines: lines.map(([, line]) => line), places: lines.map(([place]) => place / 2 - top), high, height };
}"""

READ_LINES = "(text) => {" + LINES + """
  const lines = linesOf(text);
  const { top } = text.getBoundingClientRect();
  return { lines: lines.map(([, line]) => line), places: lines.map(([place]) => place / 2 - top) };
}"""

# The words at the top of the view, and their distance from its top.
TOP_WORDS = """(selector) => {
  const text = document.querySelector(selector);
  const top = text.closest(".sheet-content")?.getBoundingClientRect().top ?? 0;
  const { left } = text.getBoundingClientRect();
  const { startContainer: node, startOffset: at } = document.caretRangeFromPoint(left + 1, top + 8);
  return node.data.slice(at, at + 30);
}"""


def generate(page: Page, text: str) -> None:
    page.get_by_label("Text to speak").fill(text)
    page.get_by_role("button", name="Read aloud").click()
    expect(page.locator("echo-reading-text")).to_be_visible()


def press_words(page: Page, words: str) -> None:
    box = page.evaluate("""(words) => {
      const walker = document.createTreeWalker(document.querySelector("echo-reading-text"), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.data.indexOf(words);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + words.length);
        return range.getBoundingClientRect().toJSON();
      }
    }""", words)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def expect_to_be_spoken(page: Page, words: str) -> None:
    wait_until(page, "(words) => [...(CSS.highlights.get('spoken-sentence') ?? [])].join(' ').includes(words)", words)


@SIZES
def test_a_text_keeps_its_lines_and_their_places_when_it_is_spoken(visitor, size):
    page = visitor.open(size=size)
    field = page.get_by_label("Text to speak")
    field.fill(WRITTEN)
    settle(page)
    written = field.evaluate(WRITTEN_LINES)
    corner = [field.bounding_box()[side] for side in ("x", "y")]
    assert abs(written["high"] - written["height"]) < 2, "the element breaks lines as the field does"
    page.get_by_role("button", name="Read aloud").click()
    reading = page.locator("echo-reading-text")
    expect(reading).to_contain_text("about the tide")
    read = reading.evaluate(READ_LINES)
    assert read["lines"] == written["lines"]
    assert [reading.bounding_box()[side] for side in ("x", "y")] == pytest.approx(corner, abs=1)
    assert all(abs(one - other) <= 1.5 for one, other in zip(read["places"], written["places"], strict=True))
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    assert reading.evaluate(READ_LINES)["lines"] == written["lines"]


def test_a_click_in_an_indented_line_and_in_a_heading_goes_to_its_words(visitor):
    page = visitor.open()
    generate(page, "# Harbours\n\n   The tide comes in. The boats wait for it.\n\nThey leave at noon.\n\n" + LONG[:600])
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.get_by_role("button", name="Pause").first.click()
    for words in ("boats", "Harbours", "noon"):
        press_words(page, words)
        expect_to_be_spoken(page, words)


def test_a_text_stays_as_it_is_pressed_or_selected_when_its_times_come_again(visitor):
    page = visitor.open()
    generate(page, "The tide comes in. The boats wait for it.")
    line = page.locator("echo-reading-text p").element_handle()
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    wait_until(page, """async () => {
        const { player } = await import("/player/player.js");
        const [before, id] = [player.transcript.value, player.track.value?.id];
        if (before === null || id === undefined) return false;
        player.resound(id);
        while (player.transcript.value === null) await new Promise((done) => setTimeout(done, 10));
        return player.transcript.value !== before;
    }""")
    assert line.evaluate("(element) => element.isConnected")
    press_words(page, "boats")
    expect_to_be_spoken(page, "boats")


def test_what_was_spoken_before_the_order_was_answered_is_marked(visitor):
    page = visitor.open()
    held: list = []
    page.route("**/api/narrations", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    evaluate(page, HEARS_AN_END)
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/api/narrations")) as order:
        page.get_by_label("Text to speak").fill("The tide comes in while the boats wait for it at the pier. They leave at noon.")
        page.get_by_role("button", name="Read aloud").click()
    answer = visitor.studio.send("POST", "/narrations", order.value.post_data_json)
    wait_for_an_end(page)
    held_back(page, held).fulfill(status=201, json=answer)
    expect_to_be_spoken(page, "The tide comes in")


@pytest.mark.parametrize("by", ["words", "button"])
def test_what_is_read_on_speak_is_heard_again_when_something_else_was_played(visitor, studio, by):
    other = studio.narrate(LONG[:1_500], "Something else")
    page = visitor.open()
    first = "The boats wait for the tide, and for the people who come with baskets, nets, ropes, letters, and all their children."
    generate(page, f"{first} They leave at noon, when the harbour is full of people who look at them until they are out of sight.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    wait_until(page, "() => (CSS.highlights.get('spoken-sentence')?.size ?? 0) > 0")
    evaluate(page, "async (id) => (await import('/player/player.js')).player.playItem(id)", other)
    play = page.locator(".saved").get_by_role("button", name="Play", exact=True)
    expect(page.locator("echo-player-bar")).to_contain_text("Something else")
    expect(play).to_be_visible()
    if by == "words":
        press_words(page, "noon")
        expect_to_be_spoken(page, "noon")
    else:
        play.click()
        expect_to_be_spoken(page, "boats")
    expect(play).to_be_hidden()
    expect(page.locator("echo-player-bar")).not_to_contain_text("Something else")


@SIZES
def test_the_way_back_to_the_spoken_words_covers_none_and_is_covered_by_nothing(visitor, size):
    page = visitor.open(size=size)
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    wait_until(page, "() => (CSS.highlights.get('spoken-sentence')?.size ?? 0) > 0")
    page.mouse.move(200, 300)
    page.mouse.wheel(0, 600)
    back = page.get_by_role("button", name="Back to the spoken words")
    expect(back).to_be_in_viewport(ratio=1)
    covered = back.evaluate("""(button) => {
      const { x, y, width, height, top, bottom } = button.getBoundingClientRect();
      const seen = document.elementFromPoint(x + width / 2, y + height / 2);
      const text = document.querySelector("echo-reading-text .reading-words");
      const beside = [document.elementFromPoint(24, top + 1), document.elementFromPoint(24, bottom - 1)];
      return [button.contains(seen), beside.some((one) => text.contains(one))];
    }""")
    assert covered == [True, False]
    back.press("Enter")
    expect(back).to_be_hidden()
    assert not page.evaluate("document.activeElement === document.body"), "the focus is on the title"
    spoken = "() => { const [one] = CSS.highlights.get('spoken-sentence') ?? []; const { top } = one.getBoundingClientRect(); return top > 0 && top < innerHeight / 2; }"
    wait_until(page, spoken)


@SIZES
@pytest.mark.parametrize("place", ["text", "player"])
def test_the_way_back_to_the_spoken_words_stands_below_the_text_of_a_sheet(visitor, studio, place, size):
    studio.ready(Studio.narrate, LONG[:6_000], "Tides")
    page = visitor.open("/library", size=size)
    row = page.locator("echo-rows .row", has_text="Tides")
    row.click()
    expect_to_play(page)
    if place == "text":
        row.click(button="right")
        page.get_by_role("menuitem", name="View text").click()
    else:
        page.locator(".bar-open").click()
    wait_until(page, "() => (CSS.highlights.get('spoken-sentence')?.size ?? 0) > 0")
    text = dialog(page).locator(".sheet-content")
    text.hover()
    page.mouse.wheel(0, 600)
    back = dialog(page).get_by_role("button", name="Back to the spoken words")
    expect(back).to_be_in_viewport(ratio=1)
    box, content = back.bounding_box(), text.bounding_box()
    assert box["y"] >= content["y"] + content["height"] - 1
    back.click()
    expect(back).to_be_hidden()


def test_turning_the_phone_keeps_the_line_on_speak(visitor):
    page = visitor.open(size=NARROW)
    generate(page, "\n\n".join(", ".join(f"boat {n} waits" for n in range(first, first + 20)) + "." for first in range(100, 500, 20)))
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.locator("echo-player-bar").get_by_role("button", name="Pause").click()
    page.mouse.move(200, 300)
    page.mouse.wheel(0, 2_000)
    wait_until(page, "() => scrollY > 1_500")
    settle(page)
    words = page.evaluate(TOP_WORDS, "echo-reading-text")
    assert len(words.strip()) > 10
    for size in (TURNED, NARROW):
        page.set_viewport_size(size)
        # The line starts elsewhere than the words do, but contains them.
        wait_until(page, "([top, words]) => eval(top)('echo-reading-text').length > 0", [TOP_WORDS, words])
        settle(page)
        place = page.evaluate("""(words) => {
          const walker = document.createTreeWalker(document.querySelector("echo-reading-text"), NodeFilter.SHOW_TEXT);
          const all = [];
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            for (let at = node.data.indexOf(words); at >= 0; at = node.data.indexOf(words, at + 1)) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + 1);
              all.push(Math.abs(range.getBoundingClientRect().top));
            }
          }
          return all;
        }""", words)
        assert len(place) == 1 and place[0] < 60


def test_turning_the_phone_keeps_the_line_of_a_document(visitor, studio):
    file = studio.folder / "tides.txt"
    file.write_text("\n\n".join(f"Mark{n:04} begins a paragraph. {LONG[:500]}" for n in range(300)))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}", size=NARROW)
    expect(page.locator("echo-document-text")).to_contain_text("Mark0000")
    page.mouse.move(200, 400)
    page.mouse.wheel(0, 30_000)
    wait_until(page, "() => scrollY > 20_000 && /Mark/.test(document.querySelector('echo-document-text').textContent)")
    settle(page)
    unit = "() => document.querySelector('echo-document-text').unit"
    before = page.evaluate(unit)
    assert before > 5_000
    for size in (TURNED, NARROW, TURNED):
        page.set_viewport_size(size)
        wait_until(page, f"(before) => Math.abs(({unit})() - before) < 120", before)
        settle(page)
        assert abs(page.evaluate(unit) - before) < 120


# On a phone


@pytest.mark.parametrize("path", ["/library", "/history"])
def test_rows_on_a_phone_keep_their_titles_and_have_their_actions_in_the_menu(visitor, studio, path):
    name = "A long name of a recording, to be read on a phone"
    item = studio.narrate(f"{name}. And more.", name)
    studio.send("POST", "/library/favorite", {"ids": [item], "isFavorite": True})
    page = visitor.open(path, size=NARROW)
    row = page.locator("echo-rows .row", has_text="A long name")
    expect(row).to_be_visible()
    settle(page)
    wait_until(
        page,
        "(least) => document.querySelector('echo-rows .row .row-title')?.getBoundingClientRect().width > least",
        0.75 * NARROW["width"],
    )
    expect(row.locator(".row-actions button:visible")).to_have_count(1)
    row.locator(".row-actions button:visible").click()
    inside = {"/library": ["Play", "View text", "Remove from favourites"], "/history": ["Use again", "Copy"]}[path]
    for entry in inside:
        expect(page.get_by_role("menuitem", name=entry).first).to_be_visible()
    page.keyboard.press("Escape")
    if path == "/library":
        expect(row.get_by_role("img", name="Favourite")).to_be_visible()
    page.set_viewport_size(WIDE)
    expect(row.locator(".row-actions button:visible")).to_have_count(3)


def test_settings_on_a_phone_leave_their_words_room(visitor, studio):
    page = visitor.blank(size=NARROW)
    for section in ("speech", "transcription", "display", "security", "advanced", "support"):
        page.goto(f"{studio.base}/settings/{section}")
        expect(page.locator(".setting").first).to_be_visible()
        settle(page)
        narrow = page.evaluate("""() => [...document.querySelectorAll(".setting")].filter((one) => one.getClientRects().length > 0).map((one) => {
          const words = one.querySelector(".setting-words")?.getBoundingClientRect().width ?? Infinity;
          return [one.querySelector(".setting-title")?.textContent, Math.round(words)];
        }).filter(([, width]) => width < 180)""")
        assert narrow == [], section
        wide = page.evaluate("""() => [...document.querySelectorAll(".setting.wide")].filter((one) => one.getClientRects().length > 0).map((one) => {
          const [words, control] = [".setting-words", ".setting-control"].map((part) => one.querySelector(part).getBoundingClientRect());
          return control.top >= words.bottom - 1 && control.width > 300;
        })""")
        assert all(wide), section
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), section


def test_what_is_heard_has_one_play_and_one_mute_and_the_space_bar_pauses(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    expect(page.get_by_role("group", name="Reading “Sentence number 1")).to_be_focused()
    for name in ("Pause", "Mute"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Keep").click()
    expect(page.locator(".saved-name")).to_contain_text("saved as")
    expect(page.get_by_role("group", name="The finished narration")).to_be_focused()
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_have_count(1)


def test_how_many_sentences_there_are_is_called_an_estimate(visitor):
    page = visitor.open()
    page.add_init_script("0")
    page.evaluate("""() => {
      window.said = new Set();
      new MutationObserver(() => window.said.add(document.querySelector(".progress-words")?.textContent ?? "")).observe(document.body, { childList: true, characterData: true, subtree: true });
    }""")
    generate(page, takes_minutes(visitor.studio))
    wait_until(page, "() => [...window.said].filter((one) => /^sentence \\d/.test(one)).length > 3")
    said = [one for one in page.evaluate("[...window.said]") if one.startswith("sentence")]
    assert all("of about" in one for one in said), said


@pytest.mark.expects_console("status of 503")
def test_a_name_that_cannot_be_used_stays_in_its_field_when_that_is_left(visitor, studio):
    page = visitor.open()
    generate(page, "The harbour was quiet.")
    expect(page.locator(".saved-name")).to_contain_text("Saved as")
    page.get_by_role("button", name="Rename").click()
    field = page.get_by_label("Name of the narration")
    field.fill("  ")
    page.locator("h1").click()
    expect(field).to_have_value("  ")
    reason = page.locator(".saved-naming").get_by_role("alert")
    expect(reason).not_to_be_empty()
    expect(field).to_have_accessible_description(reason.inner_text())
    field.fill("Harbour")
    page.locator("h1").click()
    expect(page.locator(".saved-name")).to_contain_text("“Harbour”")


@pytest.mark.expects_console("status of 503")
def test_a_stop_that_fails_is_said_and_what_ends_later_is_no_part(visitor):
    page = visitor.open()
    generate(page, takes_minutes(visitor.studio))
    expect_to_play(page)
    page.route("**/stop", lambda route: route.fulfill(status=503, json={"code": "web.busy", "message": "Busy."}))
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("menuitem", name="Keep").click()
    expect(page.locator(".speak-below").get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    page.unroute("**/stop")
    [narration] = visitor.studio.get("/narrations")
    visitor.studio.send("POST", f"/narrations/{narration['id']}/stop", {"keepPart": False, "leave": True})
    expect(page.locator(".speak-below .notice").get_by_role("button", name="Continue")).to_be_visible()
