"""What a page needs first comes first, and nothing of the other pages with it."""

from playwright.sync_api import expect


def test_nothing_of_the_documents_is_brought_before_the_first_page_stands(visitor):
    page = visitor.context().new_page()
    page.goto(visitor.studio.new_address())
    page.get_by_label("Text to speak").wait_for()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    early = page.evaluate(
        "(ready) => performance.getEntriesByType('resource').filter((one) => one.startTime < ready).map((one) => one.name)", ready
    )
    assert [name for name in early if "/pages/documents" in name or "documents.css" in name] == []


def test_nothing_of_voices_comes_with_the_first_sight(visitor, studio):
    answer = studio.session.get(studio.local + "/speak")
    assert "/pages/speak.js" in answer.headers["Link"]
    for part in ("/pages/voices", "voice-catalogue", "voice-files", "/styles/voices.css"):
        assert part not in answer.headers["Link"]
    assert "/pages/voices.js" in studio.session.get(studio.local + "/voices").headers["Link"]


def test_the_first_sight_takes_few_requests(visitor):
    page = visitor.context().new_page()
    page.goto(visitor.studio.new_address())
    page.get_by_label("Text to speak").wait_for()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    early = page.evaluate(
        "(ready) => performance.getEntriesByType('resource').filter((one) => one.startTime < ready)"
        ".map((one) => new URL(one.name).pathname)",
        ready,
    )
    assert [name for name in early if name.startswith("/api/")] == ["/api/state"]
    assert len([name for name in early if name.endswith(".js")]) <= 17
    assert sorted(name for name in early if name.endswith(".css")) == ["/app.css", "/styles/speak.css"]


def test_the_count_of_words_comes_with_the_page(visitor):
    page = visitor.open("/speak")
    expect(page.locator(".word-counter")).to_have_text("0 / 10,000 words")
    expect(page.locator(".chip-speed")).to_contain_text("1×")
