import EchoText
import Testing

@Suite("Page ranges")
struct PageRangesTests {
    @Test(
        "are read as people write them, and written in the shortest way",
        arguments: [
            ("3-7,9", "3-7,9"), ("9, 3 – 7", "3-7,9"), ("1", "1"), ("1,2,3", "1-3"), ("5-9,1-6", "1-9"), ("2-2", "2"),
            (" 4 , 4 ", "4"), ("1-3,4-5,7", "1-5,7"), ("01", "1"),
        ]
    )
    func reads(_ written: String, _ shortest: String) throws {
        let ranges = try PageRanges(parsing: written)
        #expect(ranges.description == shortest)
        #expect(try PageRanges(parsing: ranges.description) == ranges)
        #expect(ranges.numbers.count == ranges.count)
        #expect(ranges.numbers.allSatisfy(ranges.contains) && !ranges.contains(ranges.last + 1))
    }

    @Test(
        "are refused with words that say what to write",
        arguments: [
            "", ",", "3-", "-3", "a", "3-7-9", "1;2", "3..7", "1,,2", "1 2", "٣", "99999999999999999999", "1.5",
        ]
    )
    func refuses(_ written: String) {
        #expect(throws: PageRangesError.unreadable(written)) { try PageRanges(parsing: written) }
    }

    @Test("begin at 1 and go forwards")
    func bounds() {
        #expect(throws: PageRangesError.belowOne) { try PageRanges(parsing: "0-3") }
        #expect(throws: PageRangesError.reversed(from: 7, to: 3)) { try PageRanges(parsing: "7-3") }
        #expect(PageRanges([]) == nil)
        #expect(PageRanges([0...3]) == nil)
        #expect(PageRanges(numbers: [Int]()) == nil)
    }

    @Test("have a word for what is wrong with them")
    func words() {
        let errors: [PageRangesError] = [
            .unreadable("x"), .belowOne, .reversed(from: 2, to: 1), .noSuchPage(9, of: 1), .noSuchPage(9, of: 4),
            .noSuchChapter(3, of: 1), .noSuchChapter(3, of: 2), .noChapters,
        ]
        for error in errors { #expect(!error.message.isEmpty && error.suggestion?.isEmpty == false) }
        #expect(Set(errors.map(\.code)).count == 6)
    }
}
