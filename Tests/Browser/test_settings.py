"""UC24–UC27, FR13: the default voice, themes and other settings."""

import array
import re
import wave

import pytest
from playwright.sync_api import expect

from conftest import NARROW
from parts import choose, dialog, names
from places import boxes_of, evaluate, held_back, settle, wait_until


def setting(page, name):
    return page.locator(f"[data-setting='{name}']")


@pytest.mark.parametrize("system, chosen", [("light", "Dark"), ("dark", "Light")])
def test_uc27_the_theme_changes_at_once_and_stays(visitor, system, chosen):
    page = visitor.open("/settings/display", theme=system)
    background = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(background)
    setting(page, "page.theme").get_by_text(chosen, exact=True).click()
    wait_until(page, f"(before) => {background} !== before", before)
    after = page.evaluate(background)
    page.reload()
    wait_until(page, f"(after) => {background} === after", after)


def test_uc27_the_language_changes_at_once(visitor):
    page = visitor.open("/settings/display")
    setting(page, "page.language").get_by_text("Eesti").click()
    expect(page.get_by_role("link", name="Kogu")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "et")


def test_uc27_the_reading_font_and_size_are_those_of_the_sample(visitor):
    page = visitor.open("/settings/display")
    setting(page, "page.reading-font").get_by_text("Sans", exact=True).click()
    field = setting(page, "page.reading-size").locator(".slider-field")
    field.fill("30")
    field.press("Enter")
    sample = page.get_by_text("The harbour lay still in the afternoon, and nobody came.")
    expect(sample.locator("xpath=ancestor-or-self::*[1]")).to_have_css("font-size", "30px")


# How far the focus is from the nearer end of the strip of sections.
ROOM_BESIDE = """() => {
  const [link, strip] = [document.activeElement, document.querySelector(".settings-sections")].map((one) => one.getBoundingClientRect());
  return Math.min(link.left - strip.left, strip.right - link.right);
}"""


def in_large_text(studio) -> None:
    studio.send("PUT", "/settings/page.text-size", {"value": "200"})


@pytest.mark.only_looks(after=in_large_text)
def test_in_large_text_a_section_that_has_the_focus_is_not_at_the_fading_end_of_the_strip(visitor):
    page = visitor.open("/settings/display", size=NARROW)
    settle(page)  # the size of the text comes with the settings
    links = page.locator(".settings-link")
    for link in [*links.all(), *reversed(links.all())]:
        link.focus()
        wait_until(page, f"() => ({ROOM_BESIDE})() >= 15")


@pytest.mark.only_looks(after=in_large_text)
@pytest.mark.parametrize("section", ["speech", "display", "support"])
def test_in_large_text_the_strip_shows_the_whole_section_that_is_open_and_fades_where_it_goes_on(visitor, section):
    page = visitor.open(f"/settings/{section}", size=NARROW)
    expect(page.locator(".settings-link[aria-current]")).to_be_in_viewport(ratio=1)
    expect(page.locator(".settings-sections")).to_have_css("mask-image", re.compile("gradient"))


@pytest.mark.only_looks
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_on_a_phone_all_sections_are_seen_whole(visitor, language):
    page = visitor.open("/settings/speech", size=NARROW, language=language)
    links = page.locator(".settings-link")
    expect(links).to_have_count(6)
    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
    expect(page.locator(".settings-sections")).to_have_css("mask-image", "none")
    assert page.locator(".settings-sections").evaluate("(strip) => strip.scrollWidth <= strip.clientWidth")


# The titles and controls of settings that reach over the edge of the page.
OVER_THE_EDGE = """() => [...document.querySelectorAll("main :is(.setting-title, button, select, input)")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  return one.checkVisibility() && width > 1 && !one.closest(".settings-sections") && (left < 0 || right > innerWidth);
}).map((one) => one.outerHTML.slice(0, 150))"""


@pytest.mark.only_looks
@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_on_a_phone_no_row_of_the_settings_reaches_over_the_edge(visitor, studio, language):
    page = visitor.open("/settings/speech", size=NARROW, language=language)
    for section in ("speech", "transcription", "display", "security", "advanced", "support"):
        page.goto(f"{studio.base}/settings/{section}")
        expect(page.locator(".setting-title").first).to_be_visible()
        settle(page)
        assert page.evaluate(OVER_THE_EDGE) == [], section
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), section


@pytest.mark.only_looks
@pytest.mark.parametrize("language, name", [("en-GB", "Clear"), ("et-EE", "Tühjenda"), ("et-EE", "Lähtesta")])
def test_on_a_phone_a_short_button_stands_beside_its_words(visitor, language, name):
    page = visitor.open("/settings/advanced", size=NARROW, language=language)
    row = page.locator(".setting", has=page.get_by_role("button", name=re.compile(f"^{name}")))
    settle(page)
    [words], [button] = boxes_of(row.locator(".setting-words")), boxes_of(row.get_by_role("button", name=re.compile(f"^{name}")))
    assert button["left"] >= words["right"] and button["top"] < words["bottom"]


def test_the_buttons_of_the_passcode_and_of_the_recovery_code_name_what_they_make(visitor, studio):
    page = visitor.open("/settings/security", size=NARROW)
    expect(page.locator(".setting-text .path")).to_have_css("display", "block")
    for name in ("Set passcode…", "Make a recovery code…"):
        expect(page.get_by_role("main").get_by_role("button", name=name)).to_be_visible()
    page.close()
    studio.set_passcode("8052")
    page = visitor.open("/settings/security", size=NARROW)
    for name in ("Change passcode…", "Remove passcode…", "Renew code…"):
        expect(page.get_by_role("main").get_by_role("button", name=name)).to_be_visible()


@pytest.mark.only_looks
def test_the_recognisers_stand_before_the_services_that_nobody_needs(visitor):
    page = visitor.open("/settings/transcription")
    expect(page.locator(".setting-group-title")).to_have_text(["Transcripts", "Transcription services", "Connections"])
    transcripts = page.get_by_role("region", name="Transcripts", exact=True)
    expect(transcripts.get_by_role("link", name="Open the list")).to_be_in_viewport(ratio=1)
    expect(transcripts.get_by_role("switch", name="Transcribe imported files")).to_be_visible()
    services = page.get_by_role("region", name="Transcription services", exact=True)
    expect(services.get_by_role("button", name="Add a service")).to_be_visible()


def test_privacy_offers_to_stay_offline_and_the_diagnostics_count_recognisers(visitor, studio):
    page = visitor.open("/settings/security")
    privacy = page.get_by_role("switch", name="Stay offline")
    privacy.click()
    expect(privacy).to_be_checked()
    stored = "(await (await fetch('/api/settings')).json()).find(({ name }) => name === 'outbound.offline').value"
    wait_until(page, f"async () => {stored} === 'on'")
    assert re.search(r"recognisers: \d+, basic ones: \d+", studio.get("/diagnostics")["text"])


@pytest.mark.expects_console("status of 500")
def test_diagnostics_that_cannot_be_loaded_are_loaded_again_from_their_sheet(visitor):
    page = visitor.open("/settings/support")
    failure = {"code": "internal", "message": "It has failed.", "suggestion": None}
    page.route("**/api/diagnostics", lambda route: route.fulfill(status=500, json=failure))
    page.get_by_role("button", name="Show…").click()
    again = dialog(page).get_by_role("alert").get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    page.unroute("**/api/diagnostics")
    again.press("Enter")
    expect(dialog(page).locator(".diagnostics")).to_contain_text("recognisers")
    expect(dialog(page).get_by_role("button", name="Copy")).to_be_enabled()
    expect(dialog(page).get_by_role("heading", name="Diagnostics")).to_be_focused()


def test_fr3_a_typed_value_is_kept_as_it_is_or_refused_with_the_range(visitor, studio):
    page = visitor.blank()
    for section, name, typed, reported, kept in (
        ("speech", "playback.speed", "9", "a value from 0.5× to 3×", None),
        ("speech", "playback.speed", "1.23", None, "1.23"),
        ("display", "page.text-size", "20", "a whole number from", None),
        ("display", "page.text-size", "120.5", "a whole number from", None),
        ("advanced", "speech.cache", "9,000", "a whole number from 0 MB to 5,000 MB", None),
        ("advanced", "speech.cache", "1,234", None, "1234"),
    ):
        before = values(studio)[name]
        page.goto(f"{studio.base}/settings/{section}")
        field = setting(page, name).locator(".slider-field")
        field.fill(typed)
        field.press("Enter")
        if reported is None:
            expect(setting(page, name).get_by_role("button", name="Undo the change")).to_be_visible()
            expect(field).not_to_have_attribute("aria-invalid", "true")
        else:
            expect(setting(page, name).get_by_role("alert").filter(has_text=reported)).to_be_visible()
            expect(field).to_have_attribute("aria-invalid", "true")
        assert values(studio)[name] == (kept or before), (name, typed)


@pytest.mark.expects_console("status of 507")
def test_fr3_a_typed_text_that_a_full_disk_does_not_take_stays_in_its_field_and_is_sent_again(visitor, studio):
    page = visitor.open("/settings/speech")
    full = {"code": "vault.read-only", "message": "The disk is full."}
    page.route("**/api/settings/voices.catalogue", lambda route: route.fulfill(status=507, json=full))
    row = setting(page, "voices.catalogue")
    field = row.get_by_role("textbox")
    field.fill("/media/stick/voices")
    field.press("Enter")
    expect(row.locator(".setting-after.wrong")).not_to_be_empty()
    expect(field).to_have_value("/media/stick/voices")
    page.unroute("**/api/settings/voices.catalogue")
    field.press("Enter")
    expect(row.get_by_role("button", name="Undo the change")).to_be_visible()
    assert values(studio)["voices.catalogue"] == "/media/stick/voices"
    row.get_by_role("button", name="Undo the change").click()
    expect(field).to_have_value("")


@pytest.mark.only_looks
def test_a_number_stands_with_its_unit(visitor):
    page = visitor.open("/settings/display")
    expect(setting(page, "page.text-size").locator(".slider-field")).to_have_value("100\u00a0%")


@pytest.mark.only_looks
@pytest.mark.parametrize("section", ["speech", "transcription", "display", "security", "advanced"])
def test_the_groups_of_a_section_stand_equally_apart_on_a_phone(visitor, section):
    page = visitor.open(f"/settings/{section}", size=NARROW)
    settle(page)
    groups = boxes_of(page.locator("main .setting-group"))
    assert len(groups) > 1
    assert {round(after["top"] - before["bottom"]) for before, after in zip(groups, groups[1:])} == {24}


def test_fr13_a_change_is_undone(visitor):
    page = visitor.open("/settings/display")
    setting(page, "page.highlight").get_by_text("None", exact=True).click()
    setting(page, "page.highlight").get_by_role("button", name="Undo the change").click()
    expect(setting(page, "page.highlight").get_by_role("radio", name="None")).not_to_be_checked()
    # The button that was pressed is gone.
    expect(setting(page, "page.highlight").locator("input:checked")).to_be_focused()


def test_a_change_is_not_undone_once_another_value_was_chosen_elsewhere(visitor, studio):
    page = visitor.open("/settings/display")
    row = setting(page, "page.highlight")
    row.get_by_text("None", exact=True).click()
    undo = row.get_by_role("button", name="Undo the change")
    undo.focus()
    studio.send("PUT", "/settings/page.highlight", {"value": "word"})
    expect(row.get_by_role("radio", name="Word")).to_be_checked()
    expect(undo).to_be_hidden()
    expect(row.locator("input:checked")).to_be_focused()


def test_fr3_a_value_chosen_again_after_its_undo_is_kept(visitor, studio):
    before = values(studio)["playback.speed"]
    page = visitor.open("/settings/speech")
    field = setting(page, "playback.speed").locator(".slider-field")
    shown = field.input_value()
    undo = setting(page, "playback.speed").get_by_role("button", name="Undo the change")
    field.fill("1.23")
    field.press("Enter")
    # The answer to the change, before which there is nothing to undo, comes from the same address.
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and answer.url.endswith("/settings/playback.speed")):
        undo.click()
    expect(field).to_have_value(shown)
    expect(undo).to_have_count(0)
    assert values(studio)["playback.speed"] == before
    field.fill("1.23")
    field.press("Enter")
    expect(undo).to_be_visible()
    assert values(studio)["playback.speed"] == "1.23"


def test_fr3_what_is_being_typed_or_dragged_stays_though_the_value_is_changed_elsewhere(visitor, studio):
    page = visitor.open("/settings/speech")
    catalogue = setting(page, "voices.catalogue").get_by_role("textbox")
    catalogue.fill("/media/sti")
    change_elsewhere(page, studio, {"voices.catalogue": "/srv/voices"})
    expect(catalogue).to_have_value("/media/sti")
    catalogue.press("Enter")
    kept_as(page, studio, "voices.catalogue", "/media/sti")
    speed = setting(page, "playback.speed").locator(".slider-field")
    speed.fill("1.2")
    change_elsewhere(page, studio, {"playback.speed": "2"})
    expect(speed).to_have_value("1.2")
    speed.press("Enter")
    kept_as(page, studio, "playback.speed", "1.2")
    pause = setting(page, "speech.sentence-pause").locator("input[type=range]")
    pause.evaluate("(range) => { range.value = '3'; range.dispatchEvent(new Event('input')); }")
    change_elsewhere(page, studio, {"speech.sentence-pause": "2"})
    expect(pause).to_have_value("3")
    pause.evaluate("(range) => range.dispatchEvent(new Event('change'))")
    kept_as(page, studio, "speech.sentence-pause", "3")


def change_elsewhere(page, studio, changed):
    """Changes settings as another program does, and waits until the page has their values."""
    # The page asks for all of them at once, and shows this one.
    step = setting(page, "playback.step").locator(".slider-field")
    now = int(values(studio)["playback.step"]) + 1
    for name, value in {**changed, "playback.step": str(now)}.items():
        studio.send("PUT", f"/settings/{name}", {"value": value})
    expect(step).to_have_value(f"{now}\u00a0s")


def kept_as(page, studio, name, value):
    expect(setting(page, name).get_by_role("button", name="Undo the change")).to_be_visible()
    assert values(studio)[name] == value


def test_fr3_the_answer_to_a_choice_does_not_take_back_the_next_one(visitor, studio):
    page = visitor.open("/settings/display")
    row = setting(page, "page.highlight")
    held = []
    page.route("**/api/settings/page.highlight", lambda route: held.append(route))
    row.get_by_text("Word", exact=True).click()
    held_back(page, held)
    row.get_by_text("None", exact=True).click()
    held[0].continue_()
    # It is sent once the first is answered.
    held_back(page, held, 2)
    expect(row.get_by_role("radio", name="None")).to_be_checked()
    held[1].continue_()
    kept_as(page, studio, "page.highlight", "none")
    expect(row.get_by_role("radio", name="None")).to_be_checked()


def values(studio):
    return {one["name"]: one["value"] for one in studio.get("/settings")}


@pytest.fixture
def changed(studio):
    """Changes two settings from their defaults; returns all as they were before, with a dictionary, which stays."""
    studio.send("PUT", "/dictionary", {"text": "Tartu = /tartu/"})
    before = values(studio)
    studio.send("PUT", "/settings/page.highlight", {"value": "word"})
    studio.send("PUT", "/settings/playback.step", {"value": "20"})
    return before


def ask_to_reset(page):
    page.get_by_role("button", name="Reset", exact=True).click()
    return page.get_by_role("dialog", name="Reset 2 settings?")


def test_fr13_all_are_reset_once_that_is_confirmed(visitor, studio, changed):
    page = visitor.open("/settings/advanced")
    question = ask_to_reset(page)
    expect(question).to_contain_text("This cannot be undone.")
    question.get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("All settings have their defaults.")).to_be_visible()
    assert values(studio) == changed


def test_fr13_a_reset_reaches_the_order_and_the_export_that_the_open_page_remembers(visitor, studio):
    for name in ("Alpha", "Beta"):
        studio.narrate("The tide comes in.", name)
    page = visitor.open("/library")
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Name, A to Z").click()
    expect(names(page)).to_have_text(["Alpha", "Beta"])
    choose(page, "Alpha", "Share or export")
    dialog(page).get_by_text("FLAC", exact=True).click()
    expect(dialog(page).locator("input[value=flac]")).to_be_checked()
    for name, value in (("export-file", "flac"), ("library-order", "name.up")):
        wait_until(page, f"async () => (await import('/core/store.js')).setting('page.{name}', '') === '{value}'")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    visit(page, "Settings")
    page.locator("[data-section=advanced]").click()
    page.get_by_role("button", name="Reset", exact=True).click()
    page.get_by_role("dialog", name="Reset 2 settings?").get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("All settings have their defaults.")).to_be_visible()
    visit(page, "Library")
    expect(names(page)).to_have_text(["Beta", "Alpha"])
    choose(page, "Alpha", "Share or export")
    expect(dialog(page).locator("input[value=mp3]")).to_be_checked()


def visit(page, name):
    page.get_by_role("navigation", name="Pages").get_by_role("link", name=name, exact=True).click()


@pytest.mark.parametrize("way_out", ["Cancel", "Escape"])
def test_fr13_without_a_yes_nothing_is_reset(visitor, studio, changed, way_out):
    page = visitor.open("/settings/advanced")
    before = values(studio)
    question = ask_to_reset(page)
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter" if way_out == "Cancel" else "Escape")
    expect(question).to_be_hidden()
    expect(page.get_by_role("button", name="Reset", exact=True)).to_be_focused()
    assert values(studio) == before


@pytest.mark.expects_console("status of 500")
def test_fr13_what_was_set_is_kept_when_the_reset_fails(visitor, studio, changed):
    page = visitor.open("/settings/advanced")
    before = values(studio)
    refusal = {"code": "vault.read-only", "message": "Nothing more can be kept just now.", "suggestion": "Make room."}
    page.route(
        "**/api/settings",
        lambda route: route.fulfill(status=500, json=refusal) if route.request.method == "DELETE" else route.continue_(),
    )
    ask_to_reset(page).get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("Nothing more can be kept just now.")).to_be_visible()
    expect(page.locator(".toast")).to_contain_text("Make room.")
    assert values(studio) == before
    page.goto(studio.base + "/settings/display")
    expect(setting(page, "page.highlight").get_by_role("radio", name="Word", exact=True)).to_be_checked()


def speaking(page):
    return page.get_by_role("region", name="Current voice")


def test_uc24_uc25_uc26_the_voice_that_speaks_is_changed_and_heard(visitor, studio):
    natural = next(voice["id"] for voice in studio.get("/voices") if voice["engine"] == "sherpa-onnx")
    page = visitor.open("/settings/speech")
    group = speaking(page)
    expect(group).to_contain_text("the profile “Default”")
    [before] = studio.get("/profiles")["profiles"]
    with page.expect_response(lambda answer: '"pitch":1.5' in (answer.request.post_data or "")) as kept:
        group.get_by_label("Voice", exact=True).select_option(natural)
        group.get_by_label("Speaker").select_option("high")
        for name, value in (("Speed", "1.2"), ("Pitch", "1.5")):
            group.get_by_label(name).last.fill(value)
            group.get_by_label(name).last.press("Enter")
    assert kept.value.ok
    with page.expect_response("**/api/voices/sample?*") as sample:
        group.get_by_role("button", name="Listen").click()
    assert sample.value.ok and "speaker=1&speed=1.2&pitch=1.5" in sample.value.url
    expect(page.locator(".profile-row")).to_contain_text("speaker high · 1.2× · pitch 1.5")
    [changed] = studio.get("/profiles")["profiles"]
    voice = {"voice": natural, "voiceName": "Fixture", "speaker": 1, "speakerName": "high"}
    assert changed == before | voice | {"speed": 1.2, "pitch": 1.5}
    with page.expect_response("**/api/profiles/default"):
        group.get_by_role("button", name="Undo changes").click()
    expect(group.get_by_label("Speed").last).to_have_value("1×")
    assert studio.get("/profiles")["profiles"] == [before]


def test_uc25_what_a_command_changed_stays_when_the_rest_is_changed_or_taken_back(visitor, studio):
    page = visitor.open("/settings/speech")
    group = speaking(page)
    speed, pitch = (group.get_by_label(name).last for name in ("Speed", "Pitch"))
    expect(pitch).to_have_value("1×")
    late = []
    page.route("**/api/profiles", lambda route: late.append(route))
    studio.ask("PUT", "/profiles/default", {"pitch": 1.2})
    with page.expect_response("**/api/profiles/default") as kept:
        speed.fill("0.7")
        speed.press("Enter")
    assert kept.value.ok
    [profile] = studio.get("/profiles")["profiles"]
    assert (profile["speed"], profile["pitch"]) == (0.7, 1.2)
    page.unroute("**/api/profiles")  # and sends what was held back
    studio.ask("PUT", "/profiles/default", {"rhythm": 0.5})
    expect(pitch).to_have_value("1.2×")
    with page.expect_response("**/api/profiles/default"):
        group.get_by_role("button", name="Undo changes").click()
    [profile] = studio.get("/profiles")["profiles"]
    assert (profile["speed"], profile["pitch"], profile["rhythm"]) == (1, 1.2, 0.5)


def test_uc25_a_list_that_comes_late_does_not_take_back_what_was_changed(visitor, studio):
    page = visitor.open("/settings/speech")
    speed = speaking(page).get_by_label("Speed").last
    expect(speed).to_have_value("1×")
    late = []
    page.route("**/api/profiles", lambda route: late.append((route, studio.ask("GET", "/profiles"))))
    studio.send("POST", "/profiles", {"name": "Evening", "voice": "espeak/et", "speaker": 0, "speed": 1, "pitch": 1})
    held_back(page, late)
    with page.expect_response("**/api/profiles/default") as kept:
        speed.fill("1.2")
        speed.press("Enter")
    assert kept.value.ok
    held_back(page, late, 2)
    for route, answer in late:
        assert len(answer.json()["profiles"]) == 2
        headers = {name: answer.headers[name] for name in ("Content-Type", "Last-Event-ID")}
        with page.expect_response("**/api/profiles"):
            route.fulfill(status=200, headers=headers, body=answer.text)
        expect(page.locator(".profile-row")).to_have_count(2)
        evaluate(page, "new Promise(requestAnimationFrame)")
        expect(speed).to_have_value("1.2×")
    assert [one["speed"] for one in studio.get("/profiles")["profiles"]] == [1.2, 1]


def test_uc25_a_pitch_that_is_being_typed_stays_when_the_profile_is_changed_elsewhere(visitor, studio):
    page = visitor.open("/settings/speech")
    speed, pitch = (speaking(page).get_by_label(name).last for name in ("Speed", "Pitch"))
    pitch.fill("1.5")
    [profile] = studio.get("/profiles")["profiles"]
    content = {name: profile[name] for name in ("name", "voice", "speaker", "pitch")}
    studio.send("PUT", "/profiles/default", {**content, "speed": 1.2})
    expect(speed).to_have_value("1.2×")
    expect(pitch).to_have_value("1.5")
    with page.expect_response("**/api/profiles/default") as kept:
        pitch.press("Enter")
    assert kept.value.ok
    [profile] = studio.get("/profiles")["profiles"]
    assert (profile["speed"], profile["pitch"]) == (1.2, 1.5)


def test_uc25_a_speed_that_is_typed_before_the_voices_are_known_stays(visitor, studio):
    natural = next(voice["id"] for voice in studio.get("/voices") if voice["engine"] == "sherpa-onnx")
    page = visitor.blank()
    held, is_held = [], True
    page.route("**/api/voices", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(studio.base + "/settings/speech")
    held_back(page, held)
    group = speaking(page)
    speed = group.get_by_label("Speed").last
    offered = group.get_by_label("Voice", exact=True).locator(f"option[value='{natural}']")
    expect(speed).to_have_value("1×")
    expect(offered).to_have_count(0)
    speed.fill("1.2")
    is_held = False
    for route in held:
        route.continue_()
    expect(offered).to_have_count(1)
    expect(speed).to_be_focused()
    expect(speed).to_have_value("1.2")
    with page.expect_response("**/api/profiles/default") as kept:
        speed.press("Enter")
    assert kept.value.ok
    expect(speed).to_have_value("1.2×")
    [profile] = studio.get("/profiles")["profiles"]
    assert profile["speed"] == 1.2


@pytest.mark.expects_console("422")
def test_uc25_a_speed_that_is_refused_leaves_the_one_that_was_and_can_be_chosen_again(visitor, studio):
    page = visitor.open("/settings/speech")
    group = speaking(page)
    refusal = {"code": "library.full", "message": "Nothing more can be kept just now."}
    page.route("**/api/profiles/default", lambda route: route.fulfill(status=422, json=refusal))
    group.get_by_label("Speed").last.fill("1.2")
    group.get_by_label("Speed").last.press("Enter")
    expect(group.get_by_role("alert").filter(has_text="Nothing more can be kept just now.")).to_be_visible()
    expect(group.get_by_label("Speed").last).to_have_value("1×")
    page.unroute("**/api/profiles/default")
    with page.expect_response("**/api/profiles/default") as kept:
        group.get_by_label("Speed").last.fill("1.2")
        group.get_by_label("Speed").last.press("Enter")
    assert kept.value.ok
    [profile] = studio.get("/profiles")["profiles"]
    assert profile["speed"] == 1.2


@pytest.mark.expects_console("409")
def test_uc25_a_speed_that_is_refused_once_the_page_was_left_is_sent_again(visitor, studio):
    page = visitor.open("/settings/speech")
    expect(speaking(page).get_by_label("Speed").last).to_have_value("1×")
    refusal = {"code": "job.busy", "message": "Busy.", "suggestion": None}
    held = []
    page.route("**/api/profiles/default", lambda route: held.append(route))
    with page.expect_request("**/api/profiles/default"):
        speaking(page).get_by_label("Speed").last.fill("1.2")
        speaking(page).get_by_label("Speed").last.press("Enter")
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="History", level=1)).to_be_visible()
    held_back(page, held).fulfill(status=409, json=refusal)
    page.unroute("**/api/profiles/default")
    toast = page.locator(".toast")
    expect(toast).to_contain_text("The changes of “Default” were not kept.")
    with page.expect_response("**/api/profiles/default") as kept:
        toast.get_by_role("button", name="Try again").click()
    assert kept.value.ok
    [profile] = studio.get("/profiles")["profiles"]
    assert profile["speed"] == 1.2


def test_uc24_another_profile_s_voice_is_shown_when_it_is_chosen(visitor, studio):
    settings = {"voice": "espeak/et", "speaker": 0, "speed": 1.4, "pitch": 1}
    studio.send("POST", "/profiles", {"name": "Brisk", **settings})
    page = visitor.open("/settings/speech")
    page.locator(".profile-row", has_text="Brisk").locator(".profile-choice").click()
    group = speaking(page)
    expect(group).to_contain_text("the profile “Brisk”")
    expect(group.get_by_label("Voice", exact=True)).to_have_value("espeak/et")
    expect(group.get_by_label("Speed").last).to_have_value("1.4×")


def test_3_5_1_the_folders_are_told_and_the_remembered_speech_is_cleared(visitor, studio, tmp_path):
    file = tmp_path / "story.txt"
    file.write_text("A story that is remembered.", encoding="utf-8")
    studio.hear(studio.send("POST", f"/documents/{studio.import_document(file)}/narrations", {})["id"])
    storage = studio.get("/storage")
    assert storage["speechBytes"] > 0
    page = visitor.open("/settings/advanced")
    folders = page.get_by_role("region", name="Folders")
    expect(folders).to_contain_text(storage["library"])
    expect(folders).to_contain_text(storage["voices"])
    expect(folders).to_contain_text(storage["recognizers"])
    expect(folders).to_contain_text("name it by ECHOTEXT_LIBRARY, ECHOTEXT_VOICES, ECHOTEXT_RECOGNIZERS.")
    note = page.get_by_role("region", name="Making speech").get_by_text("How text is cut needs no setting:")
    expect(note).to_contain_text("Other sizes would sound the same.")
    room = page.get_by_role("region", name="Room on the disk")
    expect(room).to_contain_text(re.compile(r"[\d,.]+\s(kB|MB) in all"))
    expect(room).to_contain_text("Remembered speech: ")
    expect(room.get_by_role("slider", name="Keep imported files")).to_be_visible()
    cache = page.get_by_role("region", name="Remembered speech")
    cache.get_by_role("button", name="Clear").press("Enter")
    expect(page.locator(".toast")).to_contain_text("The remembered speech was cleared.")
    expect(cache).to_contain_text("Nothing.")
    expect(cache.get_by_role("button", name="Clear")).to_be_disabled()
    assert not page.evaluate("document.activeElement === document.body"), "the focus is on a title"
    assert studio.get("/storage")["speechBytes"] == 0


def test_the_files_that_recordings_were_imported_from_are_deleted_and_the_recordings_stay(visitor, studio, tmp_path):
    path = tmp_path / "talk.wav"
    with wave.open(str(path), "wb") as file:
        # A file of one channel would be its recording's sound, and take no room of its own.
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(array.array("h", [800, -800, 0, 0] * 4_000).tobytes())
    item = studio.post_file("/library/imports", path)["item"]
    assert studio.get("/storage")["libraryBytes"]["importedFiles"] > 0
    page = visitor.open("/settings/advanced")
    room = page.get_by_role("region", name="Room on the disk")
    room.get_by_role("button", name="Delete", exact=True).click()
    question = dialog(page)
    expect(question).to_contain_text("The recordings and their texts stay")
    question.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("The imported files were deleted; the recordings stay.")
    expect(room).to_contain_text("There are none.")
    expect(room.get_by_role("button", name="Delete", exact=True)).to_be_disabled()
    assert studio.get("/storage")["libraryBytes"]["importedFiles"] == 0
    assert studio.get(f"/library/{item['id']}")["fileSize"] is None


def test_sp7_a_key_of_a_list_stands_once_among_the_shortcuts_as_it_is_printed(visitor):
    page = visitor.open("/library")
    expect(page.get_by_role("button", name="Sleep timer")).to_be_visible()
    page.keyboard.press("?")
    lists = page.get_by_role("dialog", name="Keyboard shortcuts").locator(".shortcut-group", has_text="In lists")
    expect(lists.locator("dl > div", has_text="Rename")).to_have_text("F2Rename")
    expect(lists.locator("dl > div", has=page.locator("kbd", has_text="Delete"))).to_have_count(1)


def test_sp7_letters_are_no_shortcuts_once_that_is_set(visitor):
    page = visitor.open("/settings/display")
    shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
    ready = page.get_by_role("button", name="Sleep timer")
    expect(ready).to_be_visible()
    page.keyboard.press("?")
    expect(shortcuts.get_by_text("New text")).to_be_visible()
    page.keyboard.press("Escape")
    setting(page, "page.character-keys").get_by_text("With Ctrl and Alt").click()
    expect(setting(page, "page.character-keys").get_by_text("Changed")).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("n")
    page.keyboard.press("Control+Alt+?")
    expect(shortcuts.locator("dl > div", has_text="New text").locator("kbd").last).to_have_text("N")
    page.keyboard.press("Escape")
    setting(page, "page.character-keys").get_by_text("Off", exact=True).click()
    expect(setting(page, "page.character-keys").get_by_role("radio", name="Off")).to_be_checked()
    page.reload()
    expect(setting(page, "page.character-keys").get_by_role("radio", name="Off")).to_be_checked()
    page.locator("h1").click()
    expect(ready).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("?")
    expect(shortcuts).to_have_count(0)
    page.goto(page.url.replace("display", "support"))
    row = page.locator(".setting", has_text="Keyboard shortcuts")
    row.get_by_role("button", name="Show").click()
    expect(shortcuts.get_by_text("are switched off as shortcuts")).to_be_visible()
    expect(shortcuts.get_by_text("New text")).to_have_count(0)
    expect(shortcuts.get_by_text("Play or pause")).to_be_visible()
