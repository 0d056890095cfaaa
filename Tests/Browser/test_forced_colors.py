"""SP7: with forced colors (Windows' high contrast), everything drawn is still visible."""

import array
import base64
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from conftest import NARROW, WIDE
from parts import expect_to_play, rows
from places import settle
from practising import address, practise
from texts import takes_minutes

# Counts the colors of a picture, the most frequent first.
COUNT_COLOURS = """async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.slice(at, at + 3).join(" ");
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}"""


def open_forced(visitor, path: str, **look) -> Page:
    page = visitor.open(path, **look)
    page.emulate_media(forced_colors="active")
    settle(page)
    return page


@pytest.fixture
def colours(visitor):
    """The colors in which something is drawn, each at least one per cent, the most frequent first."""
    judge = visitor.context().new_page()

    def colours_of(place: Locator) -> list[str]:
        picture = base64.b64encode(place.screenshot()).decode()
        counts = judge.evaluate(COUNT_COLOURS, picture)
        total = sum(count for _, count in counts)
        return [colour for colour, count in counts if count * 100 >= total]

    return colours_of


def test_sp7_sliders_and_switches_are_seen_in_forced_colours(visitor, colours):
    page = open_forced(visitor, "/settings/display")
    assert len(colours(page.locator(".slider-range").first)) >= 3, "the ground, the part that is set and the rest"
    page = open_forced(visitor, "/settings/speech")
    switch = page.locator("[data-setting='playback.loop']").get_by_role("switch")
    switch.scroll_into_view_if_needed()
    before = colours(switch)
    assert len(before) >= 2
    was_on = switch.get_attribute("aria-checked")
    switch.click()
    expect(switch).not_to_have_attribute("aria-checked", was_on)
    page.mouse.move(0, 0)
    after = colours(switch)
    assert len(after) >= 2 and after != before


def test_sp7_what_the_highlight_marks_is_seen_in_the_sample_in_forced_colours(visitor):
    page = open_forced(visitor, "/settings/display")
    sample = page.locator(".reading-sample")
    choice = page.locator("[data-setting='page.highlight']")
    looks = []
    for name in ("None", "Sentence", "Word"):
        choice.get_by_text(name, exact=True).click()
        page.mouse.move(0, 0)
        settle(page)
        looks.append(sample.screenshot())
    assert len(set(looks)) == 3, "each choice looks different"


@pytest.mark.only_looks
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_sp7_where_one_is_is_seen_in_forced_colours(visitor, colours, size):
    page = open_forced(visitor, "/settings/display", size=size)
    present = page.locator(".settings-link[aria-current]")
    assert set(colours(present)) - set(colours(page.locator(".settings-link:not([aria-current])").first))
    page = open_forced(visitor, "/library", size=size)
    present = page.locator(".nav-link[aria-current=page]")
    assert set(colours(present)) - set(colours(page.locator(".nav-link:not([aria-current])").nth(1)))


def test_sp7_what_plays_is_marked_in_forced_colours(visitor, studio, colours):
    studio.seed(1)
    page = open_forced(visitor, "/library")
    rows(page).first.click()
    expect_to_play(page)
    assert len(colours(page.locator(".row .bars"))) >= 2
    assert len(colours(page.locator(".seek-range").first)) >= 2


def brightness(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = [int(part) / 255 for part in colour.split()]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def system_colour(page: Page, name: str) -> list[float]:
    """Red, green and blue, and the opacity, which Highlight has less of."""
    page.evaluate("(name) => (document.body.style.outlineColor = name)", name)
    parts = re.findall(r"[0-9.]+", page.evaluate("() => getComputedStyle(document.body).outlineColor"))
    return [float(part) for part in [*parts, "1"][:4]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sp7_the_position_is_seen_in_front_of_a_full_waveform_in_forced_colours(visitor, studio, colours, theme):
    loud = array.array("h", [20_000, -20_000] * 80_000)
    studio.record("Loud", 16_000, loud.tobytes())
    page = open_forced(visitor, "/recordings", theme=theme)
    bar = page.locator("echo-player-bar")
    bar.get_by_role("button", name="Play", exact=True).click()
    expect(bar.locator(".seek-wave path")).to_have_attribute("d", re.compile("L"))
    bar.get_by_role("button", name="Pause", exact=True).click()
    bar.locator(".seek-range").fill("5")
    drawn = colours(bar.locator(".seek-line"))
    wave = drawn[0]
    (*line, opacity), (*track, _) = (system_colour(page, name) for name in ("Highlight", "GrayText"))
    mixed = [opacity * front + (1 - opacity) * ground for front, ground in zip(line, track)]
    near = [one for one in drawn if all(abs(int(part) - want) <= 1 for part, want in zip(one.split(), mixed))]
    assert near != [], f"{mixed} is drawn, among {drawn}"
    line = near[0]
    assert line != wave
    dark, bright = sorted([brightness(line), brightness(wave)])
    assert (bright + 0.05) / (dark + 0.05) >= 3, f"{line} in front of {wave}"


def test_sp7_a_main_button_that_cannot_be_pressed_is_told_apart_in_forced_colours(visitor):
    page = open_forced(visitor, "/speak")
    main = page.get_by_role("button", name="Read aloud")
    expect(main).to_have_attribute("aria-disabled", "true")
    withdrawn = main.evaluate("(button) => getComputedStyle(button).color")
    page.get_by_label("Text to speak").fill("The harbour was quiet.")
    expect(main).not_to_have_attribute("aria-disabled", "true")
    expect(main).not_to_have_css("color", withdrawn)


def test_sp7_progress_is_seen_in_forced_colours(visitor):
    page = open_forced(visitor, "/speak")
    page.get_by_label("Text to speak").fill(takes_minutes(visitor.studio))
    page.get_by_role("button", name="Read aloud").click()
    bar = page.locator(".progress[role=progressbar]")
    expect(bar).not_to_have_attribute("aria-valuenow", "0")
    shown = bar.evaluate("(bar) => [bar, bar.firstElementChild].map((one) => getComputedStyle(one).backgroundColor)")
    assert shown[0] != shown[1]


def test_sp7_what_is_switched_on_is_told_apart_in_forced_colours(visitor, studio, colours):
    page = open_forced(visitor, "/library")
    sleep = page.locator("echo-player-bar .sleep-button")
    sleep.click()
    page.get_by_role("menuitemradio", name="When this ends").click()
    expect(sleep).to_have_attribute("aria-pressed", "true")
    sleep.blur()
    expect(sleep).to_have_css("outline-style", "solid")
    page = open_forced(visitor, address(practise(studio)))
    hard = page.locator(".practice-stage").get_by_role("button", name="Hard", exact=True)
    mark = hard.locator(".practice-hard")
    before = colours(hard)
    hard.click()
    expect(hard).to_have_attribute("aria-pressed", "true")
    page.mouse.move(0, 0)
    expect(mark).to_have_css("outline-style", "solid")
    assert colours(hard) != before


def test_sp7_the_place_in_a_practised_text_is_seen_in_forced_colours(visitor, studio, colours):
    page = open_forced(visitor, address(practise(studio)))
    assert len(colours(page.locator(".progress-dots"))) >= 2
