import Foundation
import Testing

@testable import EchoText

@Suite("Speech")
struct SpeechTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func speech(_ text: String, title: String? = nil, language: String = "en") throws -> Speech {
        try Speech(title: title, text: text, language: language, created: time)
    }

    @Test("SP1: has up to 10,000 characters, whatever they are made of")
    func length() throws {
        let family = "👨‍👩‍👧‍👦"
        #expect(try speech(String(repeating: family, count: 10_000)).characters == 10_000)
        #expect(throws: SpeechError.tooLong(10_001, limit: 10_000)) {
            try speech(String(repeating: family, count: 10_001))
        }
        #expect(throws: SpeechError.tooLong(12_345, limit: 10_000)) {
            try speech(String(repeating: "a", count: 12_345))
        }
    }

    @Test("is called by its first words when it has no title")
    func title() throws {
        #expect(try speech("Dear all,\nwelcome to our feast.").title.text == "Dear all")
        #expect(try speech("Dear all", title: " \n").title.text == "Dear all")
        #expect(try speech("Dear all", title: "Feast ").title.text == "Feast")
        #expect(throws: LibraryError.self) { try speech("a", title: String(repeating: "a", count: 201)) }
    }

    @Test("has a text and a language", arguments: ["", " \n\t", "\u{3000}"])
    func empty(_ text: String) throws {
        #expect(throws: SpeechError.empty) { try speech(text) }
        #expect(try speech("Text.", language: "EN_gb").language == "en-GB")
    }

    @Test(
        "SP1: refuses as its language what is no tag",
        arguments: ["", "-", "1", "a", "English", "en GB", "e!", "en-x"]
    )
    func language(_ tag: String) {
        #expect(throws: SpeechError.invalidLanguage) { try speech("Text.", language: tag) }
    }

    @Test("is newer after each change, though the clock was set back")
    func clockSetBack() throws {
        let first = try speech("One.")
        let second = try first.changed(title: nil, text: "Two.", language: "en", at: time.addingTimeInterval(-3_600))
        #expect(second.updated > first.updated && second.created == first.created)
    }

    @Test("has a time of its change that is the same in seconds since 1970")
    func exactTime() throws {
        let start = Date(timeIntervalSinceReferenceDate: 813_000_000.1)
        var last = try Speech(text: "One.", language: "en", created: start)
        for _ in 1...100 {
            #expect(Date(timeIntervalSince1970: last.updated.timeIntervalSince1970) == last.updated)
            let later = last.updated.addingTimeInterval(0.123_456_7)
            last = try last.changed(title: nil, text: "Two.", language: "en", at: later)
        }
    }

    @Test("keeps who it is when it changes")
    func change() throws {
        let first = try speech("One.", title: "First")
        let later = time.addingTimeInterval(60)
        let second = try first.changed(title: nil, text: "Two.", language: "et", at: later)
        #expect(second.id == first.id && second.created == time && second.updated == later)
        #expect(second.title.text == "Two." && second.language == "et")
    }
}

@Suite("Practice settings")
struct PracticeSettingsTests {
    @Test("SP2: has rates from 0.1 to 1, with 0.5 where none is given")
    func rates() throws {
        #expect(PracticeSettings().rate == 0.5)
        for rate in [0.1, 0.5, 1] {
            #expect(throws: Never.self) { try PracticeSettings.with { $0.rate = rate }.checked() }
        }
        for rate in [0.09, 1.01, -1, .nan, .infinity] {
            #expect(throws: PracticeError.outOfRange(setting: "rate", allowed: "0.1 to 1")) {
                try PracticeSettings.with { $0.rate = rate }.checked()
            }
        }
    }

    @Test("refuses what is out of range")
    func ranges() {
        let changes: [(String, (inout PracticeSettings) -> Void)] = [
            ("factor", { $0.factor = 0.4 }), ("factor", { $0.factor = 3.1 }), ("repeats", { $0.repeats = 0 }),
            ("repeats", { $0.repeats = 11 }), ("loop", { $0.loop = PracticeLoop(first: 0, last: 2) }),
            ("loop", { $0.loop = PracticeLoop(first: 3, last: 2) }),
        ]
        for (name, change) in changes {
            #expect {
                try PracticeSettings.with(change).checked()
            } throws: { error in
                guard case PracticeError.outOfRange(let setting, _) = error else { return false }
                return setting == name
            }
        }
    }

    @Test("is read from what was given of it, and written whole")
    func coding() throws {
        let json = Data(#"{"rate": 0.7, "order": "listenFirst", "loop": {"first": 2, "last": 4}}"#.utf8)
        let settings = try JSONDecoder().decode(PracticeSettings.self, from: json)
        #expect(
            settings
                == .with {
                    $0.rate = 0.7
                    $0.order = .listenFirst
                    $0.loop = PracticeLoop(first: 2, last: 4)
                }
        )
        let written = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode(PracticeSettings.self, from: written) == settings)
        #expect(throws: PracticeError.self) {
            try JSONDecoder().decode(PracticeSettings.self, from: Data(#"{"rate": 7}"#.utf8))
        }
    }

    @Test("tells no loop from no change of it")
    func changes() throws {
        let looping = PracticeSettings.with { $0.loop = PracticeLoop(first: 1, last: 2) }
        let decoder = JSONDecoder()
        let none = try decoder.decode(PracticeSettings.Changes.self, from: Data("{}".utf8))
        let away = try decoder.decode(PracticeSettings.Changes.self, from: Data(#"{"loop": null}"#.utf8))
        #expect(try looping.applying(none).loop == looping.loop)
        #expect(try looping.applying(away).loop == nil)
    }
}

@Suite("Hard segments")
struct HardSegmentTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func day(_ count: Double) -> Date { start.addingTimeInterval(count * 24 * 3_600) }

    private func segment() -> HardSegment { HardSegment(text: "Red lorry.", language: "en", score: 0.3, at: start) }

    @Test("are offered again after 1, 3, 7, 14 and 28 days, and are not hard then")
    func days() {
        var hard = segment()
        var today = 0.0
        for gap in [1.0, 3, 7, 14, 28] {
            #expect(!hard.isDue(at: day(today + gap - 0.5)))
            today += gap
            #expect(hard.isDue(at: day(today)))
            let isHard = hard.practiced(score: 0.8, at: day(today))
            #expect(isHard == (gap < 28))
        }
    }

    @Test("wait one day again when they go badly, due or not")
    func setback() {
        var hard = segment()
        for time in [1.0, 4] { _ = hard.practiced(score: 1, at: day(time)) }
        #expect(hard.stage == 2)
        let isHard = hard.practiced(score: 0.59, at: day(5))
        #expect(isHard)
        #expect(hard.stage == 0 && hard.isDue(at: day(6)) && hard.score == 0.59)
    }

    @Test("stay where they are when they go neither well nor badly")
    func middling() {
        var hard = segment()
        let isHard = hard.practiced(score: 0.7, at: day(1))
        #expect(isHard)
        #expect(hard.stage == 0 && !hard.isDue(at: day(1.5)) && hard.isDue(at: day(2)))
    }

    @Test("wait as long again when they are practiced without a score, and only when they are due")
    func unscored() {
        var hard = segment()
        _ = hard.practiced(score: 1, at: day(1))
        let isEarly = hard.practiced(at: day(2))
        #expect(!isEarly && hard.isDue(at: day(4)))
        let isDue = hard.practiced(at: day(4))
        #expect(isDue && hard.stage == 1 && hard.score == 1)
        #expect(!hard.isDue(at: day(6)) && hard.isDue(at: day(7)))
    }

    @Test("go no further when they are practiced before they are due")
    func impatience() {
        var hard = segment()
        for _ in 0..<5 {
            let isHard = hard.practiced(score: 1, at: start)
            #expect(isHard)
        }
        #expect(hard.stage == 0 && hard.isDue(at: day(1)))
    }

    @Test("are offered where the clock was ahead by days when they were practiced, and not where by hours")
    func clockAhead() {
        var hard = segment()
        _ = hard.practiced(score: 1, at: day(1))
        #expect(!hard.isDue(at: day(0.5)) && hard.isDue(at: day(-1)) && hard.isDue(at: day(-3_000)))
        let isDue = hard.practiced(at: day(-3_000))
        #expect(isDue && !hard.isDue(at: day(-2_999)) && hard.isDue(at: day(-2_997)), "its gap begins again")
    }

    @Test("are known by their words in any session")
    func digests() {
        let digest = HardSegment.digest(of: "Red lorry, yellow lorry!", language: "en-GB")
        #expect(digest == HardSegment.digest(of: "“Red lorry yellow LORRY”", language: "en"))
        #expect(digest != HardSegment.digest(of: "Red lorry, yellow lorry!", language: "et"))
        #expect(digest != HardSegment.digest(of: "Red lorry", language: "en"))
        #expect(digest.count == 32)
        // The published value of FNV-1a for these bytes.
        #expect(HardSegment.digest(of: "", language: "a") == "d228cb696f1a8caf78912b704e4a8964")
    }
}
