"""UC27–UC30, FR13: themes and what else can be set, and the profiles."""

import re

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


def test_fr13_a_change_is_undone_and_all_are_reset(visitor, studio):
    page = visitor.open("/settings/display")
    setting(page, "page.highlight").get_by_text("None", exact=True).click()
    setting(page, "page.highlight").get_by_role("button", name="Undo the change").click()
    expect(setting(page, "page.highlight").get_by_role("radio", name="None")).not_to_be_checked()
    setting(page, "page.highlight").get_by_text("Word", exact=True).click()
    page.goto(studio.base + "/settings/advanced")
    page.get_by_role("button", name=re.compile("Reset")).click()
    expect(page.get_by_text("All settings have their first values.")).to_be_visible()
    [highlight] = [one for one in studio.get("/settings") if one["name"] == "page.highlight"]
    assert highlight["value"] == highlight["standard"]


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


def test_uc28_a_profile_s_changes_are_seen_in_another_tab(visitor, studio):
    page = visitor.open("/settings/speech")
    other = visitor.another_tab(page, "/speak")
    expect(other.locator(".chip-profile")).to_contain_text("Default")
    studio.send("POST", "/profiles", {"name": "Brisk", "voice": "espeak/en-US", "speaker": 0, "speed": 1.4, "pitch": 1})
    page.locator(".profile-row", has_text="Brisk").locator(".profile-choice").click()
    expect(other.locator(".chip-profile")).to_contain_text("Brisk")
