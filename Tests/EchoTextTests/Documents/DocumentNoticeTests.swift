import EchoText
import Foundation
import Testing

@Suite("Notices of documents")
struct DocumentNoticeTests {
    @Test(
        "name the pages, those that follow one another together",
        arguments: [
            ([3], "Page 3 has no text"), ([3, 4], "Pages 3 and 4 have no text"),
            ([1, 2, 3, 4, 9], "Pages 1–4 and 9 have no text"), (Array(2...300), "Pages 2–300 have no text"),
            ((1...9).map { $0 * 2 }, "9 pages have no text"),
        ]
    )
    func pages(_ pages: [Int], _ words: String) {
        #expect(DocumentNotice.pagesWithoutText(pages).message.hasPrefix(words))
    }

    @Test("give programs all pages, the count or the encoding")
    func reports() throws {
        let pages = Array(1...40).filter { !$0.isMultiple(of: 3) }
        for (notice, facts) in [
            (DocumentNotice.unknownSigns(pages), #""pages":\#(pages)"#), (.endsBefore(page: 4), #""pages":[3]"#),
            (.tickedBoxes(2), #""count":2"#), (.guessedEncoding("KOI8-R"), #""encoding":"KOI8-R""#),
        ] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let report = String(decoding: try encoder.encode(NoticeReport(notice)), as: UTF8.self)
            #expect(report.contains(facts.replacing(" ", with: "")) && report.contains(notice.code), "\(report)")
        }
        let bare = String(decoding: try JSONEncoder().encode(NoticeReport(.unreadForm)), as: UTF8.self)
        #expect(!bare.contains("pages") && !bare.contains("count"))
    }
}
