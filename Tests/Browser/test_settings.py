"""UC27–UC30, FR13: themes and what else can be set, and the profiles."""

import pytest
from playwright.sync_api import expect

from places import wait_until


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
    sample = page.get_by_text("The sentence being spoken is the largest thing on the screen.")
    expect(sample.locator("xpath=ancestor-or-self::*[1]")).to_have_css("font-size", "30px")


def test_a_number_stands_with_its_unit(visitor):
    page = visitor.open("/settings/display")
    expect(setting(page, "page.text-size").locator(".slider-field")).to_have_value("100 %")


def test_fr13_a_change_is_undone(visitor):
    page = visitor.open("/settings/display")
    setting(page, "page.highlight").get_by_text("None", exact=True).click()
    setting(page, "page.highlight").get_by_role("button", name="Undo the change").click()
    expect(setting(page, "page.highlight").get_by_role("radio", name="None")).not_to_be_checked()


def values(studio):
    return {one["name"]: one["value"] for one in studio.get("/settings")}


@pytest.fixture
def changed(studio):
    """Two settings that differ from their first values; gives all as they were before."""
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
    expect(page.get_by_text("All settings have their first values.")).to_be_visible()
    assert values(studio) == changed


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
    refusal = {"code": "vault.read-only", "message": "Read only.", "suggestion": None}
    page.route(
        "**/api/settings",
        lambda route: route.fulfill(status=500, json=refusal) if route.request.method == "DELETE" else route.continue_(),
    )
    ask_to_reset(page).get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("Nothing more can be kept just now.")).to_be_visible()
    assert values(studio) == before
    page.goto(studio.base + "/settings/display")
    expect(setting(page, "page.highlight").get_by_role("radio", name="Word", exact=True)).to_be_checked()


def test_uc28_uc29_uc30_a_profile_is_made_changed_chosen_and_deleted(visitor, studio):
    page = visitor.open("/settings/speech")
    page.get_by_role("button", name="New profile").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("Night reading")
    sheet.get_by_label("Speed").last.fill("0.8")
    sheet.get_by_label("Speed").last.press("Enter")
    sheet.get_by_role("button", name="Create profile").click()
    row = page.locator(".profile-row", has_text="Night reading")
    expect(row).to_contain_text("0.8×")
    row.locator(".profile-choice").click()
    expect(row).to_contain_text("Speaks now")
    row.get_by_role("button", name="Edit “Night reading”").click()
    sheet.get_by_label("Name").fill("Late reading")
    sheet.get_by_role("button", name="Done").click()
    row = page.locator(".profile-row", has_text="Late reading")
    expect(row).to_be_visible()
    page.goto(studio.base + "/speak")
    expect(page.locator(".chip-profile")).to_contain_text("Late reading")
    expect(page.locator(".chip-speed")).to_contain_text("0.8")
    page.goto(studio.base + "/settings/speech")
    row.get_by_role("button", name="More for “Late reading”").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(row).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    row.get_by_role("button", name="More for “Late reading”").click()
    page.get_by_role("menuitem", name="Delete").click()
    with page.expect_response("**/api/profiles/*"):
        page.get_by_role("button", name="Dismiss").click()
    expect(page.locator(".profile-row")).to_have_count(1)
    assert studio.get("/profiles")["chosen"] == "default"


def test_uc29_the_chance_of_a_natural_voice_is_kept_with_its_profile(visitor, studio):
    natural = next(voice["id"] for voice in studio.get("/voices") if voice["engine"] == "sherpa-onnx")
    page = visitor.open("/settings/speech")
    edit = page.get_by_role("button", name="Edit “Default”")
    edit.click()
    sheet = page.get_by_role("dialog")
    liveliness, rhythm = (sheet.get_by_label(name).last for name in ("Liveliness", "Rhythm"))
    expect(liveliness).to_be_hidden()  # espeak-ng leaves nothing to chance
    with page.expect_response(lambda answer: '"rhythm":1.5' in (answer.request.post_data or "")):
        sheet.get_by_label("Voice", exact=True).select_option(natural)
        for field, value in ((liveliness, "0.3"), (rhythm, "9")):
            field.fill(value)
            field.press("Enter")
    with page.expect_response("**/api/voices/sample?*") as sample:
        sheet.get_by_role("button", name="Listen").click()
    assert sample.value.ok and "liveliness=0.3&rhythm=1.5" in sample.value.url
    page.reload()
    edit.click()
    expect(liveliness).to_have_value("0.3×")
    expect(rhythm).to_have_value("1.5×")
    [profile] = studio.get("/profiles")["profiles"]
    assert (profile["voice"], profile["liveliness"], profile["rhythm"]) == (natural, 0.3, 1.5)


def test_uc29_keeping_a_text_s_changes_in_a_profile_leaves_its_chance(visitor, studio):
    settings = {"voice": "espeak/en-US", "liveliness": 0.2, "rhythm": 0.4}
    profile = studio.send("POST", "/profiles", {"name": "Calm", **settings})
    studio.send("PUT", "/profiles/chosen", {"id": profile["id"]})
    page = visitor.open()
    page.locator(".chip-speed").click()
    field = page.get_by_role("dialog").locator(".slider-field")
    field.fill("1.3")
    field.press("Enter")
    page.keyboard.press("Escape")
    page.locator(".chip-profile").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep changes in “Calm”").click()
    expect(page.get_by_text("Kept in “Calm”.")).to_be_visible()
    assert profile | {"speed": 1.3} in studio.get("/profiles")["profiles"]


def test_uc28_a_profile_s_changes_are_seen_in_another_tab(visitor, studio):
    page = visitor.open("/settings/speech")
    other = visitor.another_tab(page, "/speak")
    expect(other.locator(".chip-profile")).to_contain_text("Default")
    studio.send("POST", "/profiles", {"name": "Brisk", "voice": "espeak/en-US", "speaker": 0, "speed": 1.4, "pitch": 1})
    page.locator(".profile-row", has_text="Brisk").locator(".profile-choice").click()
    expect(other.locator(".chip-profile")).to_contain_text("Brisk")
