"""FR5: pages and chapters select the part of a document to speak."""

import re

import pytest
from playwright.sync_api import expect

from conftest import NARROW, WIDE
from documents import lighthouse
from parts import choose, dialog, open_documents, rows
from places import boxes_of, held_back, open_choice, settle


@pytest.fixture
def page(visitor):
    return open_documents(visitor)


def test_fr5_a_range_of_pages_is_chosen_and_remembered(page, studio):
    open_choice("Range")(page)
    dialog(page).get_by_label("From", exact=True).select_option("2")
    dialog(page).get_by_label("To", exact=True).select_option("4")
    expect(page.locator(".choice-totals")).to_have_text("3 of 6 pages: 2–4")
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert item["narration"]["document"]["selection"] == {"pages": "2-4"}
    assert "sheet 3" in studio.get(f"/library/{item['id']}/text")["text"]
    assert "sheet 5" not in studio.get(f"/library/{item['id']}/text")["text"]
    page.get_by_role("button", name="Choose what to read…").click()
    expect(dialog(page).get_by_label("From", exact=True)).to_have_value("2")


def test_fr5_nothing_can_be_typed_before_what_would_take_its_place(page):
    held = []
    page.route("**/structure", lambda route: held.append(route))
    page.locator(".row", has_text="Lighthouse").click(button="right")
    page.get_by_role("menuitem", name="Choose what to read…").click()
    held_back(page, held)
    expect(dialog(page).locator(".spoken-as")).to_have_count(0)
    held[0].continue_()
    expect(dialog(page).locator(".spoken-as")).to_be_visible()
    expect(page.locator(".choice-totals")).not_to_be_empty()


def test_fr5_single_pages_are_ticked_by_mouse_and_keyboard(page):
    open_choice("Single pages")(page)
    expect(page.locator(".choice-totals")).to_have_text("2 of 6 pages: 2–3")
    page.get_by_role("option", name="page 3").click()
    page.get_by_role("option", name="page 2").click()
    expect(page.locator(".choice-totals")).to_have_text("0 of 6 pages")
    expect(dialog(page).get_by_role("button", name="Read aloud", exact=True)).to_be_disabled()
    page.get_by_role("option", name="page 2").click()
    grid = page.get_by_role("listbox", name="Pages to read")
    grid.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".choice-totals")).to_have_text("2 of 6 pages: 2, 4")
    page.keyboard.press("Control+a")
    expect(page.locator(".choice-totals")).to_have_text("All 6 pages")
    dialog(page).get_by_role("button", name="None").click()
    expect(page.locator(".choice-totals")).to_have_text("0 of 6 pages")
    dialog(page).get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_04_5_voice_speed_pitch_and_name_are_chosen_beside_the_pages(page, studio):
    open_choice("Single pages")(page)
    page.get_by_role("option", name="page 3").click()
    page.get_by_role("option", name="page 5").click()
    chosen = page.locator(".choice-totals")
    expect(chosen).to_have_text("2 of 6 pages: 2, 5")
    how = dialog(page).locator(".spoken-as")
    how.locator("summary").click()
    how.get_by_label("Name").fill("Two sheets")
    how.get_by_label("Voice", exact=True).select_option("espeak/et")
    how.get_by_role("textbox", name="Speed").fill("1.2")
    how.get_by_role("textbox", name="Pitch").fill("0.9")
    how.get_by_role("textbox", name="Pitch").press("Tab")
    expect(how.locator("summary")).to_contain_text("1.2× · Pitch 0.9×")
    expect(chosen).to_have_text("2 of 6 pages: 2, 5")
    assert page.locator(".grid-cell[aria-selected=true]").count() == 2
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    narration = item["narration"]
    assert item["name"] == "Two sheets"
    assert (narration["voice"], narration["speed"], narration["pitch"]) == ("espeak/et", 1.2, 0.9)
    assert narration["document"]["selection"] == {"pages": "2,5"}


def test_fr3_a_speed_out_of_range_is_not_left_out_in_silence_when_a_document_is_spoken(page, studio):
    open_choice("Single pages")(page)
    page.get_by_role("option", name="page 3").click()
    how = dialog(page).locator(".spoken-as")
    how.locator("summary").click()
    speed = how.get_by_role("textbox", name="Speed")
    speed.fill("9")
    go = dialog(page).get_by_role("button", name="Read aloud", exact=True)
    go.click()
    expect(how.get_by_role("alert").filter(has_text="0.5")).to_be_visible()
    expect(speed).to_be_focused()
    how.locator("summary").click()
    go.click()
    expect(speed).to_be_focused()
    assert studio.get("/narrations") == [] and studio.get("/library")["total"] == 0
    speed.fill("1.2")
    go.click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    assert studio.get("/library")["items"][0]["narration"]["speed"] == 1.2


def test_fr27_a_name_of_what_is_spoken_stops_at_200_characters_and_says_why_it_cannot_be_used(page, studio):
    open_choice("Everything")(page)
    how = dialog(page).locator(".spoken-as")
    how.locator("summary").click()
    name = how.get_by_label("Name")
    name.focus()
    page.keyboard.insert_text("x" * 201)
    expect(name).to_have_value("x" * 200)
    name.fill("Night \u202e watch")
    expect(how.get_by_role("alert")).to_have_text("A name is one line without control characters.")
    how.locator("summary").click()
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(name).to_be_focused()
    assert studio.get("/narrations") == []
    name.fill("Night watch")
    expect(how.get_by_role("alert")).to_have_count(0)


def test_04_5_the_people_of_a_voice_are_chosen_by_name_beside_the_pages(page, studio):
    open_choice("Single pages")(page)
    page.get_by_role("option", name="page 3").click()
    how = dialog(page).locator(".spoken-as")
    how.locator("summary").click()
    expect(how.get_by_label("Speaker")).to_have_count(0)
    groups = how.get_by_label("Voice", exact=True).locator("optgroup").evaluate_all("(all) => all.map(({ label }) => label)")
    assert groups[:3] == ["Installed", "English", "Afrikaans"], "the person’s language is before the others"
    how.get_by_label("Voice", exact=True).select_option("piper/en_US-fixture-low")
    how.get_by_label("Speaker").select_option("high")
    expect(how.locator("summary")).to_contain_text("Fixture, English (US), high")
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert (item["narration"]["voice"], item["narration"]["speaker"]) == ("piper/en_US-fixture-low", 1)


def test_a_text_in_another_language_gets_a_voice_of_its_own_and_says_so(visitor, studio):
    file = studio.folder / "Hommik.txt"
    file.write_text("Tere hommikust, siin räägib eesti keel. Kell 9.05 tuli 21 inimest, ja see oli ilus päev.")
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    page.locator(".page-head").get_by_role("button", name="Choose what to read…").click()
    how = dialog(page).locator(".spoken-as")
    expect(how.locator("summary")).to_contain_text("The text is in another language. Voice (Estonian): ")
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved as")
    [item] = studio.get("/library")["items"]
    assert item["narration"]["voice"] == "espeak/et"
    page.get_by_role("button", name="Choose what to read…").click()
    how.locator("summary").click()
    how.get_by_label("Voice", exact=True).select_option("piper/en_US-fixture-low")
    expect(how.locator("summary")).to_contain_text("Fixture, English (US)")
    expect(how.locator("summary")).not_to_contain_text("another language")


def test_a_text_in_the_language_of_the_voice_keeps_it(page):
    open_choice("Everything")(page)
    how = dialog(page).locator(".spoken-as")
    expect(how.locator("summary")).to_contain_text("Voice: ")
    expect(how.locator("summary")).not_to_contain_text("another language")


def test_pictures_of_pages_that_are_left_are_not_waited_for(visitor, studio):
    file = studio.folder / "long.pdf"
    file.write_bytes(lighthouse(120))
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    page.locator(".viewer-bar").get_by_text("Text", exact=True).click()
    first = re.compile(r"/picture\?page=1&width=160$")
    page.route(first, lambda route: None)
    page.locator(".page-head").get_by_role("button", name="Choose what to read…").click()
    with page.expect_request(first):
        dialog(page).get_by_text("Single pages", exact=True).click()
    with page.expect_event("requestfailed", lambda request: first.search(request.url)):
        page.get_by_role("listbox", name="Pages to read").press("End")
    expect(page.get_by_role("option", name="page 120").locator("img")).to_be_visible()
    expect(page.locator(".grid-cell")).not_to_have_count(120)


def test_captions_begin_at_their_own_times_and_what_is_late_is_reported(visitor, studio):
    words = "The keeper climbed the stairs every evening and lit the lamp, and looked at the sea."
    file = studio.folder / "Talk.srt"
    file.write_text(
        f"1\n00:00:01,500 --> 00:00:02,000\n{words}\n\n2\n00:00:02,000 --> 00:00:03,000\nYes.\n\n"
        "3\n00:00:20,000 --> 00:00:21,000\nGood night.\n"
    )
    document = studio.import_document(file)
    page = visitor.open(f"/documents/{document}")
    page.locator(".page-head").get_by_role("button", name="Choose what to read…").click()
    expect(dialog(page).get_by_text("One narration for each chapter")).to_be_hidden()
    dialog(page).get_by_text("Each caption at its own time").click()
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("1 of 3 captions begins")
    [item] = studio.get("/library")["items"]
    starts = [one["start"] for one in studio.get(f"/library/{item['id']}/timings")["sentences"]]
    assert (starts[0], starts[2]) == (1.5, 20) and starts[1] > 3


def test_captions_are_offered_for_subtitles_only(page):
    choose(page, "Harbour", "Choose what to read")
    expect(dialog(page).get_by_text("One narration for each chapter")).to_be_visible()
    expect(dialog(page).get_by_text("Each caption at its own time")).to_be_hidden()


def test_each_chapter_becomes_a_recording(page, studio):
    choose(page, "Harbour", "Choose what to read")
    dialog(page).get_by_text("Chapters", exact=True).click()
    for chapter in ("Arrival", "Tea"):
        dialog(page).get_by_text(chapter, exact=True).click()
    dialog(page).get_by_text("One narration for each chapter").click()
    dialog(page).get_by_role("button", name="Read aloud", exact=True).click()
    expect(page.get_by_text("2 narrations will be made")).to_be_visible()
    page.get_by_role("link", name="Library").click()
    expect(rows(page)).to_have_count(2)
    assert sorted(item["narration"]["document"]["part"] for item in studio.get("/library")["items"]) == ["Arrival", "Tea"]


@pytest.mark.parametrize("size, rows_of_buttons", [(WIDE, [4]), (NARROW, [2, 2])], ids=["wide", "narrow"])
@pytest.mark.parametrize("way", ["Everything", "Single pages"])
def test_no_button_of_the_choice_is_alone_in_a_row(visitor, size, rows_of_buttons, way):
    page = open_documents(visitor)
    page.set_viewport_size(size)
    open_choice(way)(page)
    settle(page)
    tops = [box["y"] for box in boxes_of(dialog(page).locator(".sheet-actions > .button"))]
    assert [tops.count(top) for top in sorted(set(tops))] == rows_of_buttons


@pytest.mark.parametrize("language", ["en-GB", "et-EE"])
def test_the_ways_to_choose_are_two_in_each_row_of_a_phone(visitor, language):
    visitor.studio.seed_documents()
    page = visitor.open("/documents", language=language, size=NARROW)
    page.locator(".row", has_text="Lighthouse").click(button="right")
    page.get_by_role("menuitem", name=re.compile("^(Choose what to read|Vali, mida ette lugeda)")).click()
    ways = dialog(page).get_by_role("radiogroup", name=re.compile("^(What is read aloud|Mida ette loetakse)$")).locator(".segment")
    expect(ways).to_have_count(4)
    settle(page)
    boxes = boxes_of(ways)
    assert [len([box for box in boxes if box["y"] == top]) for top in sorted({box["y"] for box in boxes})] == [2, 2]
    assert len({box["height"] for box in boxes}) == 1, "the words of one take two lines"
