"""VM1–VM8: voices are found, downloaded, played, chosen and deleted; problems are shown with their solutions."""

import pathlib
import re
import shutil

import pytest
from playwright.sync_api import Page, expect

from archives import ARCHIVE, HOSTILE, ArchiveServer, ConnectedStudio
from conftest import NARROW, Visitor
from parts import dialog, expect_to_play
from places import RESTARTED, evaluate, held_back, press_chip

GATE = "gate=100000"


@pytest.fixture
def archives(tmp_path: pathlib.Path):
    server = ArchiveServer(tmp_path / "archives")
    yield server
    server.close()


@pytest.fixture
def shop(browser, request, tmp_path: pathlib.Path, archives: ArchiveServer):
    """Opens the page of a studio whose voices come from a server as faulty as the scenario says."""
    studios = []
    visitors = []

    def open_page(scenario: str = "plain", refreshed: bool = True, is_offline: bool = False, **look) -> Page:
        studio = ConnectedStudio(tmp_path / "studio", archives.address("plain"))
        studios.append(studio.start())
        visitor = Visitor(browser, studio)
        for mark in request.node.iter_markers("expects_console"):
            visitor.expected.extend(mark.args)
        visitors.append(visitor)
        if refreshed:
            studio.send("POST", "/voices/catalogue/refresh")
        if scenario != "plain" or is_offline:
            studio.address, studio.is_offline = archives.address(scenario), is_offline
            studio.restart()
        page = visitor.open("/voices", **look)
        expect(page.locator(".row.heading").first).to_be_visible()
        page.studio = studio
        return page

    yield open_page
    for visitor in visitors:
        visitor.close()
    for studio in studios:
        studio.close()
    assert [visitor.problems for visitor in visitors] == [[] for _ in visitors]


# The contents at addresses, as numbers.
SOUNDS = """(addresses) => Promise.all(
  addresses.map(async (one) => [...new Uint8Array(await (await fetch(one)).arrayBuffer())]))"""


def headings(page: Page):
    return page.locator(".row.heading h2")


def row(page: Page, name: str = "Fixture"):
    return page.locator(".row:not(.heading)", has=page.locator(".voice-title", has_text=name)).first


def search(page: Page, words: str) -> None:
    page.get_by_label("Search voices and languages").fill(words)


def bring(page: Page, name: str = "Fixture") -> None:
    """Downloads a voice completely."""
    search(page, name)
    row(page, name).get_by_role("button", name=re.compile("^Download")).click()
    expect(row(page, name).get_by_role("button", name=re.compile("^Select"))).to_be_visible()


def said(page: Page):
    return page.locator("echo-voices-page > [role=status].visually-hidden")


# Finding


def test_vm7_installed_voices_stand_first_and_others_under_their_languages_the_persons_own_first(visitor):
    page = visitor.open("/voices")
    expect(headings(page).nth(0)).to_have_text("Installed")
    expect(headings(page).nth(1)).to_have_text("English")
    expect(page.locator(".row:not(.heading)").first).to_contain_text("Fixture, English (US)")
    expect(page.locator(".list-count")).to_have_text(re.compile(r"^1\d\d voices$"))
    expect(row(page, "Alan")).to_contain_text("United Kingdom")
    expect(row(page, "Alan")).to_contain_text("about 65 MB")
    search(page, "deutsch")
    expect(headings(page)).to_have_text(["German"])
    search(page, "norsk nobody")
    expect(page.get_by_text("No voice matches “norsk nobody”.")).to_be_visible()
    page.get_by_role("button", name="Show all voices").click()
    expect(headings(page).nth(1)).to_have_text("English")


def test_vm7_languages_are_named_in_the_language_of_the_page(visitor):
    page = visitor.open("/voices", language="et-EE")
    expect(page.get_by_role("heading", name="Hääled")).to_be_visible()
    page.get_by_label("Otsi häält või keelt").fill("saksa")
    expect(headings(page)).to_have_text(["Saksa keel"])
    expect(row(page, "Kerstin")).to_contain_text("Saksamaa")


def test_vm7_voices_are_narrowed_and_sorted(visitor):
    page = visitor.open("/voices")
    page.get_by_role("button", name="Filter").click()
    sheet = page.get_by_role("dialog", name="Filter", exact=True)
    expect(sheet.get_by_role("group", name="Only")).to_be_visible()
    sheet.get_by_text("High", exact=True).click()
    sheet.get_by_role("combobox", name="Language").select_option(label="English")
    sheet.get_by_role("button", name=re.compile(r"^Show \d+ voices$")).click()
    expect(headings(page)).to_have_text(["English"])
    expect(page.locator(".row:not(.heading) .badge")).to_have_text([re.compile("High")] * page.locator(".row:not(.heading)").count())
    page.get_by_role("button", name="Remove filter: High").click()
    expect(page.get_by_role("button", name=re.compile("^Remove filter"))).to_have_count(1)
    page.get_by_role("button", name="Sort").click()
    page.get_by_role("menuitemradio", name="Largest first").click()
    expect(headings(page)).to_have_text(["Installed", "English"])
    expect(page.locator(".row:not(.heading)", has_not_text="Fixture").first).to_contain_text("about 115 MB")
    page.reload()
    page.get_by_role("button", name="Sort").click()
    expect(page.get_by_role("menuitemradio", name="Largest first")).to_be_checked()


def test_vm7_the_keyboard_does_everything(visitor):
    visitor.takes_time()
    page = visitor.open("/voices")
    page.get_by_label("Search voices and languages").fill("fixture")
    expect(row(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(row(page)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(row(page)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(row(page).get_by_role("button", name="Listen to Fixture")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(row(page).get_by_role("button", name="Select Fixture")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row(page)).to_contain_text("Current")
    row(page).focus()
    page.keyboard.press("Enter")
    info = page.get_by_role("dialog", name="Fixture")
    expect(info).to_contain_text("Installed, current voice")
    expect(info).to_contain_text("piper/en_US-fixture-low")
    page.keyboard.press("Escape")
    expect(row(page)).to_be_focused()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menuitem", name="More info")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    expect(page.get_by_role("dialog", name="Delete “Fixture, Low”?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page)).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("v")
    expect(page.get_by_role("heading", name="Voices", exact=True)).to_be_visible()


# Downloading


def test_vm2_a_download_tells_how_far_it_is_stops_and_goes_on(shop, archives):
    page = shop(GATE)
    search(page, "fixture")
    row(page).get_by_role("button", name="Download Fixture").click()
    expect(row(page).get_by_role("progressbar", name="Download of Fixture")).to_have_attribute("aria-valuenow", re.compile(r"^\d+$"))
    expect(row(page)).to_contain_text("of 0.2 MB")
    expect(said(page)).to_have_text(re.compile(r"^Fixture: \d?0\s%$"))
    expect(row(page)).to_contain_text("0.1 of 0.2 MB")
    row(page).get_by_role("button", name="Cancel the download of Fixture").click()
    expect(row(page)).to_contain_text("Stopped at 0.1 of 0.2 MB")
    archives.open_gate(GATE)
    row(page).get_by_role("button", name="Continue the download of Fixture").click()
    expect(row(page).get_by_role("button", name="Select Fixture")).to_be_visible()
    expect(row(page)).to_contain_text("installed")
    expect(row(page)).to_contain_text("MB")
    expect(said(page)).to_have_text("Fixture is installed.")


def test_vm2_the_keyboard_stays_at_a_voice_that_moves_to_those_installed(shop, archives):
    page = shop(GATE)
    search(page, "english low")
    first = page.locator(".row:not(.heading)").first
    expect(first).to_contain_text("Alan")
    row(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(row(page)).to_contain_text("of 0.2 MB")
    archives.open_gate(GATE)
    expect(first).to_contain_text("Fixture, English (US)")
    expect(headings(page)).to_have_text(["Installed", "English"])
    expect(row(page)).to_be_focused()


def test_vm2_a_list_that_comes_late_does_not_undo_what_events_have_told(shop, archives):
    page = shop(GATE)
    search(page, "fixture")
    late = []

    def hold(route):
        late.append((route, page.studio.ask("GET", "/voices/listings")))

    page.route("**/api/voices/listings", hold, times=1)
    with page.expect_request("**/api/voices/listings"):
        page.studio.send("PUT", "/voices/favorites", {"voice": "piper/en_US-lessac-medium", "isFavorite": True})
    row(page).get_by_role("button", name="Download Fixture").click()
    expect(row(page)).to_contain_text("of 0.2 MB")
    [(route, answer)] = late
    assert '"downloading"' not in answer.text
    headers = {name: answer.headers[name] for name in ("Content-Type", "Last-Event-ID")}
    with page.expect_response("**/api/voices/listings"):
        route.fulfill(status=200, headers=headers, body=answer.text)
    evaluate(page, "new Promise(requestAnimationFrame)")
    expect(row(page).get_by_role("button", name="Cancel the download of Fixture")).to_be_visible()
    search(page, "lessac medium")
    expect(row(page, "Lessac").get_by_role("button", name="Remove Lessac from favourites")).to_be_visible()
    archives.open_gate(GATE)
    search(page, "fixture")
    expect(row(page).get_by_role("button", name="Select Fixture")).to_be_visible()


def test_vm2_a_download_goes_on_while_another_page_is_looked_at(shop, archives):
    page = shop(GATE)
    search(page, "fixture")
    row(page).get_by_role("button", name="Download Fixture").click()
    expect(row(page).get_by_role("progressbar")).to_be_visible()
    page.get_by_role("link", name="Library").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    archives.open_gate(GATE)
    page.get_by_role("link", name="Voices").click()
    search(page, "fixture")
    expect(row(page).get_by_role("button", name="Select Fixture")).to_be_visible()


@pytest.mark.expects_console("status of 4")
def test_vm2_a_download_that_fails_says_why_and_offers_what_mends_it(shop):
    page = shop()
    search(page, "lessac")
    row(page, "Lessac").get_by_role("button", name=re.compile("^Download")).click()
    expect(row(page, "Lessac")).to_contain_text("where voices come from.")
    expect(row(page, "Lessac").get_by_role("button", name="Download again: Lessac")).to_be_visible()
    expect(page.locator("echo-voices-page > [role=alert]")).to_have_text(re.compile("^Lessac: There is no “.+” where voices come from.$"))
    row(page, "Lessac").click()
    info = page.get_by_role("dialog", name="Lessac, ")
    expect(info).to_contain_text("Look for new voices; it may have another name now.")
    page.keyboard.press("Escape")
    row(page, "Lessac").get_by_role("button", name="More about Lessac").click()
    page.get_by_role("menuitem", name="Dismiss the failure").click()
    expect(row(page, "Lessac").get_by_role("button", name="Download Lessac", exact=True)).to_be_visible()


def test_vm2_offline_is_told_in_words_before_a_press_and_leads_to_the_settings(shop):
    page = shop(is_offline=True)
    why = "EchoText is set to stay offline, so no voice can be downloaded."
    reported = page.locator(".voices-notices .notice", has_text=why)
    search(page, "lessac")
    get = row(page, "Lessac").get_by_role("button", name="Download Lessac", exact=True)
    expect(get).to_have_attribute("aria-disabled", "true")
    expect(get).to_have_accessible_description(re.compile(f"^{re.escape(why)}"))
    expect(get).to_have_css("opacity", "0.45")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    get.press("Enter")
    get.click(force=True)
    look = page.get_by_role("button", name="Look for new voices")
    expect(look).to_have_attribute("aria-disabled", "true")
    expect(look).to_have_accessible_description(re.compile(f"^{re.escape(why)}"))
    look.press("Enter")
    row(page, "Lessac").click(button="right")
    expect(page.get_by_role("menuitem", name="Download")).to_be_disabled()
    page.get_by_role("menuitem", name="More info").click()
    expect(dialog(page).get_by_role("button", name="Download Lessac")).to_have_attribute("aria-disabled", "true")
    expect(dialog(page)).to_contain_text(why)
    dialog(page).get_by_role("button", name="Download Lessac").press("Enter")
    assert [url for url in asked if url.endswith(("/downloads", "/refresh"))] == []
    dialog(page).get_by_role("link", name="Open “Stay offline” in Settings").click()
    expect(page.get_by_role("switch", name="Stay offline")).to_be_focused()
    page.go_back()
    reported.get_by_role("link", name="Open “Stay offline” in Settings").click()
    expect(page.get_by_role("switch", name="Stay offline")).to_be_focused()
    expect(page.get_by_role("switch", name="Stay offline")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Where voices come from")).to_have_value("")


def test_vm2_a_voice_can_be_downloaded_as_soon_as_a_setting_elsewhere_allows_it(visitor, studio):
    page = visitor.blank()
    answer = studio.get("/voices/listings") | {"isOffline": True}
    page.route("**/api/voices/listings", lambda route: route.fulfill(json=answer))
    page.goto(studio.base + "/voices")
    notices = page.locator(".voices-notices")
    notices.get_by_role("link", name="Open “Stay offline” in Settings").focus()
    get = page.get_by_role("button", name=re.compile("^Download ")).first
    expect(get).to_have_attribute("aria-disabled", "true")
    answer["isOffline"] = False
    studio.send("PUT", "/settings/outbound.offline", {"value": "on"})
    expect(notices).to_be_empty()
    expect(page.get_by_role("heading", name="Voices", level=1)).to_be_focused()
    expect(get).not_to_have_attribute("aria-disabled", "true")
    answer["isOffline"] = True
    studio.send("PUT", "/settings/outbound.offline", {"value": "off"})
    expect(get).to_have_attribute("aria-disabled", "true")


def test_vm1_the_catalogue_is_looked_through_for_new_voices(shop):
    page = shop(refreshed=False)
    expect(page.get_by_text("This list came with EchoText.")).to_be_visible()
    search(page, "fixture")
    expect(page.get_by_text("No such voice")).to_be_visible()
    page.get_by_role("button", name="Look for new voices").click()
    expect(page.locator(".toast")).to_contain_text("1 new voice")
    expect(row(page)).to_be_visible()
    expect(page.locator(".catalogue-news")).to_contain_text("List of today")


# Choosing


@pytest.mark.expects_console(RESTARTED)
def test_vm5_the_chosen_voice_and_the_engine_stay(visitor, studio):
    page = visitor.open("/voices")
    expect(page.locator(".current-voice")).to_contain_text("Built in")
    search(page, "fixture")
    row(page).get_by_role("button", name="Select Fixture").click()
    expect(page.locator(".current-voice")).to_contain_text("Fixture")
    expect(row(page).locator(".badge.current")).to_have_text("Current")
    with page.expect_response(lambda answer: "/api/settings" in answer.url and answer.request.method != "GET"):
        page.get_by_role("radiogroup", name="Show").get_by_text("Built in", exact=True).click()
    search(page, "estonian")
    expect(row(page, "Estonian")).to_be_visible()
    studio.restart()
    visitor.come_back(page, "/voices")
    expect(page.get_by_role("radio", name="Built in")).to_be_checked()
    expect(page.locator(".current-voice")).to_contain_text("Fixture")
    search(page, "estonian")
    row(page, "Estonian").get_by_role("button", name="Select Estonian").click()
    expect(page.locator(".current-voice")).to_contain_text("Estonian")
    assert studio.get("/profiles")["profiles"][0]["voice"] == "espeak/et"


def test_vm5_selecting_says_which_profile_it_changes(visitor, studio):
    settings = {"voice": "espeak/et", "speaker": 0, "speed": 1, "pitch": 1}
    profile = studio.send("POST", "/profiles", {"name": "Evening", **settings})
    page = visitor.open("/voices")
    expect(page.locator(".current-voice")).to_contain_text("In the profile “Default”")
    studio.send("PUT", "/profiles/chosen", {"id": profile["id"]})
    expect(page.locator(".current-voice")).to_contain_text("In the profile “Evening”")
    search(page, "fixture")
    select = row(page).get_by_role("button", name="Select Fixture")
    expect(select).to_have_accessible_description(re.compile("the profile “Evening”"))
    select.click()
    expect(page.locator(".toast")).to_contain_text("The profile “Evening” was changed.")
    voices = {one["name"]: one["voice"] for one in studio.get("/profiles")["profiles"]}
    assert voices["Evening"] == "piper/en_US-fixture-low" != voices["Default"]


def test_vm5_the_people_of_a_voice_are_heard_and_chosen_by_their_names(visitor, studio):
    page = visitor.open("/voices")
    search(page, "fixture")
    row(page).click()
    info = page.get_by_role("dialog", name="Fixture")
    info.get_by_label("Speaker").select_option("high")
    with page.expect_response("**/api/voices/sample?*") as sample:
        info.get_by_role("button", name="Listen").click()
    assert sample.value.ok and "speaker=1" in sample.value.url
    again = info.get_by_role("button", name="Select this speaker")
    expect(again).to_be_hidden()
    info.get_by_role("button", name="Select Fixture").click()
    expect(info).to_contain_text("Installed, current voice")
    [profile] = studio.get("/profiles")["profiles"]
    assert (profile["voice"], profile["speaker"]) == ("piper/en_US-fixture-low", 1)
    page.reload()
    search(page, "fixture")
    row(page).click()
    expect(info.get_by_label("Speaker")).to_have_value("1")
    info.get_by_label("Speaker").select_option("low")
    with page.expect_response("**/api/voices/chosen"):
        again.click()
    assert studio.get("/profiles")["profiles"][0]["speaker"] == 0


def test_vm5_the_speaker_of_a_profile_that_comes_late_is_shown_until_another_is_chosen(visitor, studio):
    studio.send("PUT", "/voices/chosen", {"voice": "piper/en_US-fixture-low", "speaker": 1})
    page = visitor.open("/history")
    held, is_held = [], True
    # Every request, since the page that is left may send one too, later than it was opened.
    page.route("**/api/profiles", lambda route: held.append(route) if is_held else route.continue_())
    page.goto(studio.base + "/voices")
    search(page, "fixture")
    row(page).click()
    info = page.get_by_role("dialog", name="Fixture")
    expect(info.get_by_label("Speaker")).to_have_value("0")
    held_back(page, held)
    is_held = False
    for route in held:
        route.continue_()
    expect(info.get_by_label("Speaker")).to_have_value("1")
    info.get_by_label("Speaker").select_option("low")
    with page.expect_response("**/api/profiles"):
        studio.send("PUT", "/voices/chosen", {"voice": "piper/en_US-fixture-low", "speaker": 1})
    evaluate(page, "new Promise(requestAnimationFrame)")
    expect(info.get_by_label("Speaker")).to_have_value("0")


def test_vm6_a_voice_is_chosen_on_the_way_from_speaking_and_back(shop):
    page = shop()
    page.goto(page.studio.base + "/speak")
    page.get_by_label("Text to speak").fill("A word.")
    press_chip(page, "voice")
    page.get_by_role("button", name="More voices…").click()
    expect(page.get_by_role("link", name="Back to Speak")).to_be_visible()
    bring(page)
    row(page).get_by_role("button", name="Select Fixture").click()
    expect(page.locator(".toast")).to_contain_text("“Fixture, English (US)” speaks from now on.")
    page.locator(".toast").get_by_role("button", name="Back to Speak").click()
    expect(page.get_by_label("Text to speak")).to_have_value("A word.")
    page.get_by_role("button", name="Read aloud").click()
    expect_to_play(page)


def test_vm7_a_sample_is_heard_before_a_voice_is_chosen(visitor):
    page = visitor.open("/voices")
    search(page, "fixture")
    with page.expect_response(re.compile("/api/voices/sample")) as sample:
        row(page).get_by_role("button", name="Listen to Fixture").click()
    assert sample.value.ok and "voice=piper" in sample.value.url
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.expects_console("status of 500")
def test_vm7_a_sample_that_cannot_be_made_says_why(visitor):
    page = visitor.open("/voices")
    search(page, "fixture")
    refusal = {"code": "voice.gone", "message": "The files of the voice “fixture” are not there any more.", "suggestion": None}
    page.route("**/api/voices/sample?*", lambda route: route.fulfill(status=500, json=refusal))
    listen = row(page).get_by_role("button", name="Listen to Fixture")
    listen.click()
    expect(page.locator(".toast")).to_contain_text("The sample could not be made. The files of the voice “fixture” are not there any more.")
    expect(listen).to_be_visible()


def test_vm7_favorites_are_kept(visitor, studio):
    page = visitor.open("/voices")
    search(page, "thorsten low")
    with page.expect_response(re.compile("/api/voices/favorites")):
        row(page, "Thorsten").get_by_role("button", name="Add Thorsten to favourites").click()
    marked = row(page, "Thorsten").get_by_role("button", name="Remove Thorsten from favourites")
    expect(marked).to_be_visible()
    assert marked.get_attribute("aria-pressed") is None, "its name says what it does"
    page.reload()
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("dialog").get_by_text("Favourites", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Show 1 voice").click()
    expect(row(page, "Thorsten")).to_be_visible()


def test_vm7_favorites_of_both_engines_stand_before_languages_and_commands_mark_them_too(visitor, studio):
    page = visitor.open("/voices")
    search(page, "thorsten low")
    row(page, "Thorsten").get_by_role("button", name="Add Thorsten to favourites").click()
    expect(headings(page)).to_have_text(["Favourites"])
    search(page, "")
    expect(headings(page).nth(0)).to_have_text("Installed")
    expect(headings(page).nth(1)).to_have_text("Favourites")
    expect(row(page, "Thorsten")).to_contain_text("German (Germany)")
    page.get_by_role("radiogroup", name="Show").get_by_text("Built in", exact=True).click()
    expect(headings(page).first).to_have_text("English")
    search(page, "estonian")
    row(page, "Estonian").get_by_role("button", name="Add Estonian to favourites").click()
    expect(headings(page)).to_have_text(["Favourites"])
    row(page, "Estonian").get_by_role("button", name="More about Estonian").click()
    page.get_by_role("menuitem", name="Remove from favourites").click()
    expect(headings(page)).to_have_text(["Estonian"])
    assert studio.run("voices", "favorite", "et").returncode == 0
    expect(headings(page)).to_have_text(["Favourites"])


def test_vm7_a_row_is_heard_with_the_speaker_that_the_profile_has(visitor, studio):
    studio.send("PUT", "/voices/chosen", {"voice": "piper/en_US-fixture-low", "speaker": 1})
    page = visitor.open("/voices")
    expect(page.locator(".current-voice")).to_contain_text("Fixture")
    search(page, "fixture")
    with page.expect_response("**/api/voices/sample?*") as sample:
        row(page).get_by_role("button", name="Listen to Fixture").click()
    heard = sample.value.url
    plain, first, second = page.evaluate(SOUNDS, [heard, f"{heard}&speaker=0", f"{heard}&speaker=1"])
    assert plain == second and plain != first
    row(page).get_by_role("button", name="More about Fixture").click()
    with page.expect_request("**/api/voices/sample?*") as again:
        page.get_by_role("menuitem", name="Listen").click()
    assert again.value.url == heard


def test_vm7_a_voice_is_deleted_after_asking(shop):
    page = shop()
    bring(page)
    row(page).get_by_role("button", name="More about Fixture").click()
    page.get_by_role("menuitem", name="Delete…").click()
    question = page.get_by_role("dialog", name="Delete “Fixture, Low”?")
    expect(question).to_contain_text(re.compile(r"This frees [\d.]+\sMB\."))
    question.get_by_role("button", name="Delete").click()
    expect(page.locator(".toast")).to_contain_text("“Fixture” was deleted.")
    expect(row(page).get_by_role("button", name="Download Fixture")).to_be_visible()
    expect(row(page)).to_be_focused()
    assert list((page.studio.folder / "voices").glob("vits-*")) == []


# Missing voices


@pytest.mark.expects_console(RESTARTED)
def test_vm8_a_voice_whose_files_are_gone_is_told_of_and_brought_back(shop):
    page = shop()
    bring(page)
    row(page).get_by_role("button", name="Select Fixture").click()
    expect(row(page)).to_contain_text("Current")
    [folder] = (page.studio.folder / "voices").glob("vits-*")
    shutil.rmtree(folder)
    page.studio.restart()
    page.goto(page.studio.new_address())
    expect(page.get_by_label("Text to speak")).to_be_visible()
    page.goto(page.studio.base + "/speak")
    expect(page.get_by_text("The voice of the chosen profile is missing")).to_be_visible()
    page.get_by_role("link", name="Go to voices").click()
    notice = page.locator(".voices-notices")
    expect(notice).to_contain_text(re.compile("“Fixture”: The files of the voice “.+” are not there any more."))
    notice.get_by_role("button", name="Download again").click()
    search(page, "fixture")
    expect(row(page)).to_contain_text("Current")
    expect(notice).to_be_empty()
    page.get_by_role("link", name="Back to Speak").click()
    expect(page.get_by_label("Text to speak")).to_be_visible()
    expect(page.get_by_text("The voice of the chosen profile is missing")).to_have_count(0)


def test_vm8_a_voice_without_its_model_is_told_of_and_mended(shop):
    page = shop()
    bring(page)
    [model] = (page.studio.folder / "voices").glob("vits-*/*.onnx")
    model.unlink()
    page.reload()
    notice = page.locator(".voices-notices")
    expect(notice).to_contain_text("“Fixture”: The voice is incomplete: “")
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_be_empty()
    search(page, "fixture")
    expect(row(page)).to_contain_text("The voice is incomplete: “")
    row(page).get_by_role("button", name="Download again: Fixture").click()
    expect(row(page).get_by_role("button", name="Select Fixture")).to_be_visible()
    assert model.exists()


# Adding


@pytest.mark.expects_console("status of 422")
def test_vm3_a_voice_is_added_from_a_file_and_a_hostile_one_refused(shop):
    page = shop(refreshed=False)
    for file in (HOSTILE, ARCHIVE):
        with page.expect_file_chooser() as asked:
            page.get_by_role("button", name="Add a voice from a file").click()
        asked.value.set_files(file)
        if file == HOSTILE:
            refused = page.locator(".voice-upload .notice.error")
            expect(refused).to_contain_text(HOSTILE.name)
            expect(refused).to_contain_text("It was not kept.")
    expect(page.locator(".toast")).to_contain_text("“Fixture” was added.")
    expect(page.locator(".voice-upload")).to_be_empty()
    page.locator(".toast").get_by_role("button", name="Select").click()
    expect(page.locator(".current-voice")).to_contain_text("Fixture")


def test_vm7_a_narrow_page_has_room_for_everything(shop):
    page = shop(size=NARROW)
    bring(page)
    row(page).get_by_role("button", name="Select Fixture").tap()
    expect(row(page).locator(".badge.current")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
