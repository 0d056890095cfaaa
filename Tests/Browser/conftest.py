"""A browser for all tests; a server and a library for each."""

import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

import tones
from homes import Homes
from places import TIMEOUT, wait_until
from studio import Relay, Studio
from transcripts import record_and_write

pytest_plugins = ["records"]

# Chromium's engine without its window, menus and profiles: hardly any test needs those, and they are half the cost of
# opening a page.
CHROMIUM = "/usr/bin/chromium-headless-shell"
# The full Chromium, which alone caches pages for “back”.
WHOLE_CHROMIUM = "/usr/bin/chromium"

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 390, "height": 844}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs the tests with limits of their own first: they are the longest, and would delay the end of the run."""
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


FLAGS = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio"]

# A process for the next page is started ahead, and every page is the last of its context or nearly so. Of two switches
# only the last counts, so Playwright's own are repeated as far as this Chromium knows them.
WITHOUT = [
    "SpareRendererForSitePerProcess",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
]
SHELL_FLAGS = [*FLAGS, f"--disable-features={','.join(WITHOUT)}"]


def left_out() -> list[str]:
    """Playwright's switches without which a browser is started.

    One has what its processes share, such as each picture of a page, written to files in `/tmp`, which is right where a
    container has little shared memory.
    """
    memory = pathlib.Path("/dev/shm")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 1_000_000_000
    return ["--disable-dev-shm-usage"] if has_room else []


@pytest.fixture(scope="session")
def playwright():
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SHELL_FLAGS, ignore_default_args=left_out())
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    return Homes(tmp_path_factory.mktemp("homes"))


@pytest.fixture
def studio(tmp_path: pathlib.Path, homes: Homes, request: pytest.FixtureRequest):
    """It starts on the first request. Tests marked `only_looks` share one, prepared by the mark's function."""
    mark = request.node.get_closest_marker("only_looks")
    if mark is not None:
        yield request.getfixturevalue("looked_at")(**mark.kwargs)
        return
    studio = Studio(tmp_path, homes)
    try:
        yield studio.start_later()
    finally:
        studio.close()


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory, homes: Homes):
    """Returns the running studio that a function has prepared, for the tests of a module that do not change it."""
    studios: dict[Callable[[Studio], object] | None, Studio] = {}
    with contextlib.ExitStack() as ended:

        def prepared(after: Callable[[Studio], object] | None = None) -> Studio:
            if after not in studios:
                studio = Studio(tmp_path_factory.mktemp("looked-at"), homes).start_later()
                ended.callback(shutil.rmtree, studio.folder, ignore_errors=True)
                ended.callback(studio.close)
                if after is not None:
                    after(studio)
                studio.begin()
                studios[after] = studio
            return studios[after]

        yield prepared


@pytest.fixture
def relay(studio: Studio):
    relay = Relay(studio)
    try:
        yield relay
    finally:
        relay.close()


# A toast disappears after six or ten seconds, and the second of two keys must follow within one and a half.
PATIENT = """{
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (run, after, ...rest) => wait(run, [1_500, 6_000, 10_000].includes(after) ? 4 * after : after, ...rest);
}"""


# Pages load only what they show. Preloading the modules of all other pages takes a third of the browser's time; tests
# of that, and those whose server falls silent, opt in.
ONLY_WHAT_IS_SHOWN = "window.requestIdleCallback = () => 0;"


def after_sheets(page: Page, load: Callable) -> Callable:
    """Loads once the history has lost the entries of closed sheets, which would end the loading: the page moves back
    a moment after a sheet has gone."""

    def loaded(*address, **how):
        wait_until(page, "() => !history.state?.sheet || document.querySelector('dialog:modal') !== null")
        return load(*address, **how)

    return loaded


class Visitor:
    """A user's browser: its pages, and the errors in any of them."""

    def __init__(self, browser: Browser, studio: Studio, microphone: str = "", loads_ahead: bool = False):
        self.browser = browser
        # The scripts that every page runs before its own.
        self.scripts = [script for script in (microphone, "" if loads_ahead else ONLY_WHAT_IS_SHOWN) if script]
        self.studio = studio
        self.problems: list[str] = []
        # Event streams end when the server or the session does, or the library is locked; the page requests them again.
        # Preloaded files are used after the first answers, which on a busy machine is later than the browser expects.
        self.expected: list[str] = [
            "ERR_INCOMPLETE_CHUNKED_ENCODING",
            "ERR_CONNECTION_RESET",
            "was preloaded using link preload but not used",
        ]
        self.contexts: list[BrowserContext] = []

    def context(self, theme: str = "light", size: dict = WIDE, language: str = "en-GB") -> BrowserContext:
        context = self.browser.new_context(
            viewport=size,
            color_scheme=theme,
            locale=language,
            timezone_id="UTC",
            reduced_motion="reduce",
            has_touch=size["width"] < 600,
            is_mobile=size["width"] < 600,
            accept_downloads=True,
        )
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error("
            "'CSP violation', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber))"
        )
        for script in self.scripts:
            context.add_init_script(script)
        context.on("page", self._watch)
        self.contexts.append(context)
        return context

    def takes_time(self) -> None:
        """From now on toasts stay longer, and keys may follow each other slowly, as they do on a busy machine."""
        self.scripts.append(PATIENT)

    def _watch(self, page: Page) -> None:
        page.on(
            "console",
            lambda said: said.type in ("error", "warning") and self._told(f"{said.type}: {said.text} ({said.location['url']})"),
        )
        page.on("pageerror", lambda error: self._told(f"error: {error}"))
        page.on("dialog", lambda dialog: (self._told(f"dialog: {dialog.type}"), dialog.accept()))
        page.goto, page.reload = after_sheets(page, page.goto), after_sheets(page, page.reload)

    def _told(self, problem: str) -> None:
        if not any(re.search(pattern, problem) for pattern in self.expected):
            self.problems.append(problem)

    def open(self, path: str = "/", **look) -> Page:
        """An authorized page: the first opens the address with its ticket, others skip that."""
        page = self.context(**look).new_page() if path == "/" else self.blank(**look)
        page.goto(self.studio.base + path if path != "/" else self.studio.new_address())
        return page

    def blank(self, **look) -> Page:
        """An authorized page that has loaded nothing: what the test routes or adds holds from its first address on."""
        context = self.context(**look)
        context.add_cookies([self.studio.new_cookie()])
        return context.new_page()

    def come_back(self, page: Page, path: str = "/") -> None:
        """Authorizes a browser again whose session has ended with its server."""
        page.goto(self.studio.new_address())
        if path != "/":
            page.goto(self.studio.base + path)

    def another_tab(self, page: Page, path: str = "/") -> Page:
        tab = page.context.new_page()
        tab.goto(self.studio.base + path)
        return tab

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def visitor(browser: Browser, studio: Studio, request: pytest.FixtureRequest):
    """Fails the test when a console reports an unexpected error or warning, or a policy was violated."""
    yield from visits(browser, studio, request)


def visits(browser: Browser, studio: Studio, request: pytest.FixtureRequest, microphone: str = ""):
    """A visitor, including the check of its consoles."""
    loads_ahead = request.node.get_closest_marker("loads_ahead") is not None or "relay" in request.fixturenames
    visitor = Visitor(browser, studio, microphone, loads_ahead)
    for mark in request.node.iter_markers("expects_console"):
        visitor.expected.extend(mark.args)
    yield visitor
    visitor.close()
    assert visitor.problems == []


# Microphones


# The browser's own microphone has its own clock and drops sound that the page does not process in time, as on a busy
# machine. Here the processor generates the sound itself: one clock, and nothing to drop.
STEADY = """({ data, rate, loop }) => {
  const samples = new Int16Array(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)).buffer);
  const isPause = () => document.querySelector(".echo-ring")?.dataset.phase === "echo";
  let hasSpoken = false;
  AudioContext.prototype.createMediaStreamSource = function () {
    const play = (sound, loop) => {
      const buffer = this.createBuffer(1, sound.length, rate);
      buffer.copyToChannel(sound, 0);
      const source = this.createBufferSource();
      Object.assign(source, { buffer, loop });
      source.connect(microphone);
      source.start();
    };
    const microphone = this.createGain();
    // A source that does not play has no channel at all, and a microphone that hears nothing has silence.
    play(new Float32Array(rate), true);
    const speak = () => {
      if (hasSpoken && !loop) return;
      if (!loop && !isPause()) return void setTimeout(speak, 20);
      hasSpoken = true;
      play(Float32Array.from(samples, (sample) => sample / 32_768), loop);
    };
    speak();
    return microphone;
  };
}"""


def steady(sound: pathlib.Path, loop: bool = True) -> str:
    """A script that makes a page record a sound file sample by sample: in a loop, or once in the first pause."""
    rate, samples = tones.read(sound.read_bytes())
    wanted = {"data": base64.b64encode(samples.tobytes()).decode(), "rate": rate, "loop": loop}
    return f"({STEADY})({json.dumps(wanted)})"


def talker(playwright: Playwright, sound: pathlib.Path) -> Browser:
    """A browser whose microphone plays a sound file in a loop."""
    return playwright.chromium.launch(
        executable_path=CHROMIUM, args=microphone_flags(sound), ignore_default_args=left_out()
    )


def microphone_flags(sound: pathlib.Path) -> list[str]:
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    return [*SHELL_FLAGS, *fake, f"--use-file-for-fake-audio-capture={sound}"]


@pytest.fixture(scope="session")
def climb(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The rising tone."""
    return tones.write(tmp_path_factory.mktemp("microphone") / "climb.wav")


@pytest.fixture(scope="session")
def microphone_browser(playwright: Playwright, climb: pathlib.Path):
    browser = talker(playwright, climb)
    yield browser
    browser.close()


@pytest.fixture
def speaker(microphone_browser: Browser, climb: pathlib.Path, studio: Studio, request: pytest.FixtureRequest):
    """A visitor whose microphone plays the rising tone."""
    studio.send("PUT", "/settings/recording.gain", {"value": "off"})
    yield from visits(microphone_browser, studio, request, steady(climb))


@pytest.fixture
def caller(microphone_browser: Browser, studio: Studio, request: pytest.FixtureRequest):
    """The same with the browser's own microphone, which is irregular on a busy machine."""
    studio.send("PUT", "/settings/recording.gain", {"value": "off"})
    yield from visits(microphone_browser, studio, request)


@pytest.fixture
def talk(studio: Studio) -> str:
    """A recording with a transcript; its id."""
    return studio.ready(record_and_write)
