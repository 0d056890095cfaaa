import ArgumentParser
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("Options of practice")
struct PracticeOptionTests {
    @Test("name segments by their numbers")
    func ranges() {
        #expect(SegmentRange(argument: "2-5").map { [$0.first, $0.last] } == [2, 5])
        #expect(SegmentRange(argument: "3").map { [$0.first, $0.last] } == [3, 3])
    }

    @Test("refuse what is no range", arguments: ["", "-", "0-2", "5-2", "2-", "-2", "1-2-3", "a-b", "2–5"])
    func noRanges(_ argument: String) {
        #expect(SegmentRange(argument: argument) == nil)
    }

    @Test("name every order, as the settings do")
    func orders() {
        for order in PracticeSettings.Order.allCases {
            #expect(PracticeSettings.Order(argument: order.name) == order)
            #expect(throws: Never.self) { try SettingsCatalogue.practiceOrder.value(of: order.name) }
        }
        #expect(PracticeSettings.Order(argument: "backwards") == nil)
    }

    @Test("offer only orders that they take, in help and after a wrong one")
    func offeredOrders() {
        #expect(PracticeSettings.Order.allValueStrings == ["listen-and-repeat", "together", "listen-first"])
        let help = Practice.helpMessage(includeHidden: false, columns: 400)
        #expect(help.contains("values: listen-and-repeat, together, listen-first"), "\(help)")
        #expect(!help.contains("listenFirst"))
        let refused = #expect(throws: (any Error).self) { try PracticeSettingOptions.parse(["--order", "x"]) }
        #expect(refused.map { PracticeSettingOptions.message(for: $0).contains("'listen-first'") } == true)
    }

    @Test("of a session whose voice was removed come with a notice that another speaks")
    func removedVoice() {
        let voices = [ScriptedSynthesizer.narrator]
        #expect(Practice.notice(of: ScriptedSynthesizer.narrator.id, among: voices) == nil)
        let removed = Voice.ID(rawValue: "piper/removed")
        #expect(Practice.notice(of: removed, among: voices)?.contains("piper/removed") == true)
    }

    @Test("leave out what is not given")
    func changes() throws {
        let none = try PracticeSettingOptions.parse([]).changes()
        #expect(none == PracticeSettings.Changes())
        let some = try PracticeSettingOptions.parse([
            "--rate", "0.7", "--loop", "2-5", "--order", "listen-first", "--no-faster", "--hide-text",
        ])
        let settings = try PracticeSettings().applying(some.changes(keepsTakes: false))
        #expect(settings.rate == 0.7 && settings.loop == PracticeLoop(first: 2, last: 5))
        #expect(settings.order == .listenFirst && !settings.faster && !settings.keepsTakes && settings.hidesText)
        #expect(!settings.records, "whether a session is recorded is no setting of the command's")
    }
}

@Suite("A score in words")
struct ScoreWordTests {
    private let text = "The keeper sleeps."

    private func score(
        _ score: Double?,
        _ kinds: [TakeScore.Word.Kind] = [],
        extra: [String] = [],
        pace: Double? = nil
    ) -> TakeScore {
        let picture = SoundPicture(step: 0.02, pitch: [], loudness: [])
        return TakeScore(
            score: score,
            reason: score == nil ? .noRecognizer : nil,
            words: zip(kinds, [0..<3, 4..<10, 11..<17]).map { kind, source in
                .init(kind: kind, source: source, heard: kind == .different ? "teacher" : nil, take: nil, model: nil)
            },
            extra: extra.map { .init(heard: $0, after: 0, time: nil) },
            pace: .init(take: pace, model: pace.map { $0 + 30.4 }),
            pauses: .init(take: [], model: []),
            picture: .init(take: picture, model: picture)
        )
    }

    @Test("says what was missed, what was heard instead, and how fast it was")
    func words() {
        #expect(PracticeLine.words(for: score(1, [.said, .said, .said]), of: text) == "100 %")
        #expect(
            PracticeLine.words(
                for: score(1 / 3, [.said, .different, .missed], extra: ["well"], pace: 110),
                of: text
            )
                == "33 %, 110 words a minute (model 140); missed: sleeps; instead of keeper: teacher; added: well"
        )
        #expect(
            PracticeLine.words(for: score(nil, pace: 90), of: text)
                == "no score: no recogniser on this machine knows the language, 90 words a minute (model 120)"
        )
    }
}

@Suite("A session in words")
struct PracticeReportTests {
    private func take(_ segment: Int, _ text: String) -> PracticeTake {
        PracticeTake(
            practice: .init(),
            created: Date(timeIntervalSince1970: 0),
            segment: segment,
            repetition: 1,
            text: text,
            seconds: 2
        )
    }

    @Test("has the segments, takes, mean score, pace, the best and the worst, and the time")
    func whole() {
        let summary = PracticeSummary(
            segments: 12,
            takes: 2,
            score: 0.675,
            pace: 109.6,
            best: .init(number: 3, score: 0.95),
            worst: .init(number: 7, score: 0.4),
            seconds: 245
        )
        let takes = [take(3, "The keeper sleeps."), take(7, "Waves\ncome in.")]
        #expect(
            PracticeReport(summary, takes).lines == [
                "Segments  12", "Takes     2", "Score     68 %", "Pace      110 words a minute",
                "Best      3: 95 %  The keeper sleeps.", "Worst     7: 40 %  Waves come in.", "Time      4:05",
            ]
        )
    }

    @Test("leaves out what nobody knows, and a worst segment that is the best")
    func part() {
        let only = PracticeSummary.Segment(number: 1, score: 0)
        let scored = PracticeSummary(segments: 1, takes: 1, score: 0, pace: nil, best: only, worst: only, seconds: 3)
        #expect(
            PracticeReport(scored, []).lines
                == ["Segments  1", "Takes     1", "Score     0 %", "Best      1: 0 %", "Time      0:03"]
        )
        let plain = PracticeSummary(segments: 2, takes: 0, score: nil, pace: nil, best: nil, worst: nil, seconds: 60)
        #expect(PracticeReport(plain, []).lines == ["Segments  2", "Takes     0", "Time      1:00"])
    }
}
