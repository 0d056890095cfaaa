"""Measures waiting times in a browser, and prints one JSON object of seconds.

    browser.py ADDRESS COOKIE VISITS                    waiting times of each visit, in lists
    browser.py ADDRESS COOKIE PATH SEGMENTS FACTOR      practice of the session at PATH: {"first", "gaps"}; FACTOR is
                                                        the turn after a segment, in lengths of it, 0 for none

Runs under the browser tests' Python, which has Playwright.
"""

import itertools
import json
import re
import sys

from playwright.sync_api import sync_playwright

# Records when text can first be typed, measured at the end of a frame, in milliseconds from the request.
WATCH = """
window.usable = new Promise((done) => {
  const look = () => {
    const field = document.querySelector("textarea");
    if (field && !field.disabled && field.getClientRects().length > 0) done(performance.now());
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
"""

# Opens the library by its link and waits for the first row.
OPEN = """
() => new Promise((done) => {
  const begun = performance.now();
  document.querySelector('a[href="/library"]').click();
  const look = () => document.querySelector("echo-rows .row .row-title")
    ? done(performance.now() - begun) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})
"""

# Scrolls by one window's height per frame; returns the length of the longest frame.
SCROLL = """
() => new Promise((done) => {
  const list = document.querySelector("echo-rows");
  let box = list;
  while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
  box = box ?? document.scrollingElement;
  let frames = 0, longest = 0, last = performance.now();
  const step = (now) => {
    // The first frames belong to what was done before.
    if (frames > 5) longest = Math.max(longest, now - last);
    last = now;
    if (++frames > 120) return done({ longest, moved: box.scrollTop });
    box.scrollTop += 400;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""

# Starts recording the length of the longest frame.
WATCH_FRAMES = """
() => {
  let last = performance.now();
  window.longest = 0;
  const step = (now) => {
    window.longest = Math.max(window.longest, now - last);
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
"""

# Records when the button is pressed, and when each segment's sound begins and how long it is, in seconds. What arrives
# while a segment is played is scheduled at the end of what is there, and belongs to it.
WATCH_SOUNDS = """
window.sounds = [];
addEventListener("click", () => { window.pressed ??= performance.now() / 1_000; }, true);
const { start } = AudioBufferSourceNode.prototype;
AudioBufferSourceNode.prototype.start = function (when = 0, ...piece) {
  const wait = Math.max(0, when - this.context.currentTime);
  if (wait > 0 && sounds.length > 0) sounds.at(-1).seconds += this.buffer.duration;
  else sounds.push({ at: performance.now() / 1_000 + wait, seconds: this.buffer.duration });
  return start.call(this, when, ...piece);
};
"""

TEXT = "The quick brown fox jumps over the lazy dog. "
# The pages to visit, in order, as their titles begin.
PAGES = ["Library", "Documents", "Recordings", "Practice", "History", "Voices", "Settings", "Speak"]


def longest_frame(page, act):
    """The length in seconds of the longest frame during an action."""
    page.evaluate("() => { window.longest = 0; }")
    act()
    return page.evaluate("() => window.longest") / 1_000


def go_through(page):
    for name in PAGES:
        page.locator("nav").get_by_role("link", name=name).click()
        page.locator("main h1").get_by_text(re.compile(rf"^{name}\b")).wait_for()


def open_page(browser, address, cookie, path, watch):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.add_cookies([{"name": cookie[0], "value": cookie[2], "url": address}])
    page = context.new_page()
    page.add_init_script(watch)
    page.goto(address + path)
    return page


def practise(browser, address, cookie, path, segments, factor):
    page = open_page(browser, address, cookie, path, WATCH_SOUNDS)
    page.locator(".practice-buttons").get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_function("(segments) => window.sounds.length > segments", arg=segments, timeout=600_000)
    pressed, sounds = page.evaluate("() => [window.pressed, window.sounds]")
    gaps = [after["at"] - before["at"] - (1 + factor) * before["seconds"] for before, after in itertools.pairwise(sounds)]
    return {"first": sounds[0]["at"] - pressed, "gaps": gaps}


def visit(browser, address, cookie, seen):
    page = open_page(browser, address, cookie, "", WATCH)
    seen["usable"].append(page.evaluate("() => window.usable") / 1_000)
    page.evaluate(WATCH_FRAMES)
    field = page.locator("textarea")
    seen["typing"].append(longest_frame(page, lambda: field.press_sequentially(TEXT)))
    field.fill("")
    seen["open"].append(page.evaluate(OPEN) / 1_000)
    scrolled = page.evaluate(SCROLL)
    if scrolled["moved"] < 10_000:
        sys.exit(f"the list was scrolled by {scrolled['moved']} pixels only")
    seen["frame"].append(scrolled["longest"] / 1_000)
    # The first visit to each page loads its files, which is not measured here.
    go_through(page)
    seen["pages"].append(longest_frame(page, lambda: go_through(page)))
    page.context.close()


def main():
    address, cookie, asked = sys.argv[1], sys.argv[2].partition("="), sys.argv[3:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--mute-audio"])
        if len(asked) == 3:
            seen = practise(browser, address, cookie, asked[0], int(asked[1]), float(asked[2]))
        else:
            seen = {"usable": [], "open": [], "frame": [], "typing": [], "pages": []}
            for _ in range(int(asked[0])):
                visit(browser, address, cookie, seen)
        browser.close()
    print(json.dumps(seen))


main()
