"""SP6, SP7: practice for everybody: signals, screen readers, large text, small screens, hidden text, Estonian."""

import pytest
from playwright.sync_api import expect

from parts import dialog
from places import boxes_of, settle, wait_until
from practising import address, begin, current, expect_phase, expect_place, practise, pressed, wait_for_phase, written
from test_access import violations

PHONE = {"width": 360, "height": 740}

# Notes each tone, vibration and flash.
KEEP_SIGNALS = """(() => {
  Object.assign(globalThis, { felt: [], tones: [], seen: [] });
  navigator.vibrate = (pattern) => felt.push(pattern) > 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...when) {
    tones.push(this.frequency.value);
    return start.apply(this, when);
  };
  const look = (changes) => changes.forEach(({ target }) => target.dataset.pulse && seen.push(target.dataset.pulse));
  new MutationObserver(look).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-pulse"] });
})()"""


def test_sp6_a_segments_end_and_a_move_are_heard_felt_and_seen_unless_switched_off(visitor, studio):
    page = visitor.blank()
    page.add_init_script(KEEP_SIGNALS)
    page.goto(studio.base + address(practise(studio, earcon=True, vibration=True, pulse=True, factor=3, rate=0.35)))
    begin(page)
    wait_for_phase(page, "echo")
    wait_until(page, "() => seen.length > 0")
    assert page.evaluate("[tones, seen, felt.length]") == [[660], ["segmentEnd"], 1]
    # While it rests, no other segment ends.
    pressed(page, "Pause").click()
    expect_phase(page, "Paused")
    pressed(page, "Next").click()
    wait_until(page, "() => seen.length > 1")
    assert page.evaluate("[tones, seen, felt.length]") == [[660, 440], ["segmentEnd", "navigation"], 2]
    [end, move] = page.evaluate("felt")
    assert move != end
    page.get_by_role("button", name="How to practise").click()
    for name in ("Tone", "Vibration", "Visible signal"):
        dialog(page).get_by_role("switch", name=name).click()
    page.keyboard.press("Escape")
    wait_until(page, "() => document.querySelector('dialog') === null")
    wait_until(
        page,
        """async (id) => {
          const { settings } = await (await fetch(`/api/practice/sessions/${id}`)).json();
          return !settings.earcon && !settings.vibration && !settings.pulse;
        }""",
        page.url.rsplit("/", 1)[1],
    )
    pressed(page, "Previous").click()
    expect_place(page, 1, 4)
    pressed(page, "Continue").click()
    wait_for_phase(page, "echo")
    assert page.evaluate("[tones.length, seen.length, felt.length]") == [2, 2, 2]


def test_sp7_no_view_of_practice_has_a_violation(visitor, studio):
    speech = written(studio, "Toast")
    page = visitor.open("/practice", size=PHONE)
    settle(page)
    found = violations(page, "list")
    page.goto(f"{studio.base}/practice/speeches/{speech}")
    settle(page)
    found += violations(page, "speech")
    page.goto(studio.base + address(practise(studio)))
    settle(page)
    begin(page)
    found += violations(page, "session")
    page.get_by_role("button", name="How to practise").click()
    expect(page.get_by_role("dialog", name="How to practise")).to_be_visible()
    found += violations(page, "settings")
    page.keyboard.press("Escape")
    pressed(page, "Whole text").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found += violations(page, "segments")
    assert found == []


def test_sp7_nothing_is_wider_than_a_phone_and_all_is_within_a_thumbs_reach(visitor, studio):
    page = visitor.open(address(practise(studio)), size=PHONE)
    begin(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    [title, facts] = [page.locator(one).bounding_box()["x"] for one in ("main h1", ".practice-facts")]
    assert title == pytest.approx(facts, abs=1)
    boxes = boxes_of(page.locator(".practice-buttons button"))
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert all(PHONE["height"] / 2 < box["y"] and box["bottom"] < PHONE["height"] for box in boxes)


def test_sp7_large_text_fits_a_small_screen(visitor, studio):
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})
    page = visitor.open(address(practise(studio)), size=PHONE)
    begin(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="How to practise").click()
    within = "() => [...document.querySelectorAll('main button, dialog button')].every((one) => one.getBoundingClientRect().right <= 360)"
    wait_until(page, within)


def test_sp7_the_text_is_as_large_as_is_chosen_in_the_session(visitor, studio):
    page = visitor.open(address(practise(studio)))
    expect(current(page)).to_have_css("font-size", "28px")
    page.get_by_role("button", name="How to practise").click()
    size = dialog(page).get_by_role("textbox", name="Text size")
    size.fill("30")
    size.press("Enter")
    expect(current(page)).to_have_css("font-size", "42px")


def test_sp7_the_screen_stays_awake_while_something_is_heard_or_repeated(visitor, studio):
    page = visitor.blank()
    page.add_init_script(
        "globalThis.awake = new Set(); Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {"
        " const lock = { kind, release: async () => { awake.delete(lock); } }; awake.add(lock); return lock; } } });"
    )
    page.goto(studio.base + address(practise(studio, factor=3)))
    assert page.evaluate("awake.size") == 0
    begin(page)
    wait_for_phase(page, "echo")
    assert page.evaluate("[...awake].map(({ kind }) => kind)") == ["screen"]
    pressed(page, "Pause").click()
    wait_until(page, "() => awake.size === 0")
    pressed(page, "Continue").click()
    wait_until(page, "() => awake.size === 1")
    page.get_by_role("link", name="All practice").click()
    wait_until(page, "() => awake.size === 0")


def test_sp7_practice_speaks_estonian(visitor, studio):
    page = visitor.open(address(practise(studio)), language="et-EE")
    expect(page.get_by_role("button", name="Alusta")).to_be_visible()
    expect(page.locator(".ring-words")).to_have_text("Vajuta esitusnuppu")
    expect(page.get_by_role("textbox", name="Kiirus (tavaline: 1×)")).to_have_value("1×")


def test_sp7_the_text_can_be_hidden_and_shown(visitor, studio):
    page = visitor.open(address(practise(studio, hidesText=True)))
    expect(current(page)).to_be_hidden()
    page.get_by_role("button", name="Show the text").click()
    expect(current(page)).to_have_text("The harbour was quiet.")
    pressed(page, "Next").click()
    expect_place(page, 2, 4)
    expect(current(page)).to_be_hidden()
