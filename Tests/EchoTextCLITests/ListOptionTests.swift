import Foundation
import Testing

@testable import EchoTextCLI

@Suite("Options of lists")
struct ListOptionTests {
    @Test("name days", arguments: ["2026-01-31", "2024-02-29", "1970-01-01", "9999-12-31"])
    func days(_ argument: String) throws {
        let day = try #require(Day(argument: argument))
        #expect((22 * 3_600...26 * 3_600).contains(day.end.timeIntervalSince(day.start)))
    }

    @Test(
        "refuse what is no day",
        arguments: [
            "", "2026-02-29", "2026-13-01", "2026-01", "2026--01", "0-1-1", "10000-01-01", "\(Int.max)-01-01",
            "2026-\(Int.max)-01", "2026-01-\(Int.max)", "nan-1-1",
        ]
    )
    func noDays(_ argument: String) {
        #expect(Day(argument: argument) == nil)
    }

    @Test("refuse what is no range", arguments: ["", "nan", "inf", "nan..3", "3..nan", "5..2"])
    func noRanges(_ argument: String) {
        #expect(NumberRange(argument: argument) == nil)
    }
}
