import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Differences of two transcripts")
struct TranscriptDifferenceTests {
    private func runs(_ first: String, _ second: String) -> [String] {
        let differences = TranscriptDifferences(from: .sample([first]), to: .sample([second]))
        return differences.runs.map { run in
            let one = differences.first[run.first].map(\.text).joined(separator: " ")
            let other = differences.second[run.second].map(\.text).joined(separator: " ")
            return "\(run.kind.rawValue): \(one) | \(other)"
        }
    }

    @Test("are words replaced, missing and added; capitals and punctuation are none")
    func kinds() {
        #expect(runs("", "").isEmpty)
        #expect(runs("Hello, world.", "hello world") == ["equal: Hello, world. | hello world"])
        #expect(runs("a b c", "a x c") == ["equal: a | a", "replaced: b | x", "equal: c | c"])
        #expect(runs("a b c", "a c") == ["equal: a | a", "missing: b | ", "equal: c | c"])
        #expect(runs("a c", "a b c") == ["equal: a | a", "added:  | b", "equal: c | c"])
        #expect(runs("", "a — b") == ["added:  | a b"])
        #expect(runs("ha ha ha", "ha ha") == ["equal: ha ha | ha ha", "missing: ha | "])
    }

    @Test("are capitals too where one version was made from the other, as a person changes them on purpose")
    func capitals() {
        let heard = Transcript.sample(["Since march, he said."])
        var edited = Transcript.sample(["Since March he said"])
        #expect(TranscriptDifferences(from: heard, to: edited).runs.map(\.kind) == [.equal])
        edited.source.base = heard.id
        for (first, second) in [(heard, edited), (edited, heard)] {
            let differences = TranscriptDifferences(from: first, to: second)
            #expect(differences.runs.map(\.kind) == [.equal, .replaced, .equal])
            #expect(differences.changes == (1, 1))
        }
    }

    @Test("are cut into passages where a segment begins")
    func passages() {
        let transcript = Transcript.sample(["one two", "three four"])
        let differences = TranscriptDifferences(from: transcript, to: transcript)
        #expect(differences.runs.count == 1)
        #expect(differences.passages.map(\.first) == [0..<2, 2..<4])
        #expect(differences.passages.map(\.second) == [0..<2, 2..<4])
        #expect(differences.changes == (0, 0))
    }

    /// Checks that applying the differences to either side gives the other.
    private func check(_ first: [String], _ second: [String]) {
        func words(_ texts: [String]) -> [TranscriptDifferences.Word] {
            texts.map { TranscriptDifferences.Word(text: $0, time: 0..<1, segment: 0) }
        }
        let differences = TranscriptDifferences(from: words(first), to: words(second))
        var (one, other) = (0, 0)
        var last: TranscriptDifferences.Kind?
        for run in differences.runs {
            #expect(run.first.lowerBound == one && run.second.lowerBound == other)
            (one, other) = (run.first.upperBound, run.second.upperBound)
            #expect(run.kind != last)
            last = run.kind
            switch run.kind {
            case .equal: #expect(first[run.first].elementsEqual(second[run.second]))
            case .replaced: #expect(!run.first.isEmpty && !run.second.isEmpty)
            case .missing: #expect(!run.first.isEmpty && run.second.isEmpty)
            case .added: #expect(run.first.isEmpty && !run.second.isEmpty)
            }
        }
        #expect(one == first.count && other == second.count)
    }

    @Test("turn either side into the other, however different they are", arguments: 0..<60)
    func apply(_ seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let words = (0..<[2, 12, 400][seed % 3]).map { "w\($0)" }
        let first = (0..<Int.random(in: 0...120, using: &random)).map { _ in word(of: words, &random) }
        let second = changed(first, share: [0.05, 0.4, 1, 0.1][seed % 4], words, &random)
        check(first, second)
        check(second, first)
    }

    @Test("keep as many words as can be kept of short texts", arguments: 0..<20)
    func longest(_ seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let words = ["a", "b", "c"]
        let first = (0..<30).map { _ in word(of: words, &random) }
        let second = (0..<30).map { _ in word(of: words, &random) }
        var longest = [[Int]](repeating: [Int](repeating: 0, count: 31), count: 31)
        for (row, word) in first.enumerated() {
            for (column, other) in second.enumerated() {
                longest[row + 1][column + 1] =
                    word == other ? longest[row][column] + 1 : max(longest[row][column + 1], longest[row + 1][column])
            }
        }
        let differences = TranscriptDifferences(
            from: .sample([first.joined(separator: " ")]),
            to: .sample([second.joined(separator: " ")])
        )
        let kept = differences.runs.filter { $0.kind == .equal }.reduce(0) { $0 + $1.first.count }
        #expect(kept == longest[30][30])
    }

    @Test("of four hours of speech find nearly every word that stayed")
    func fourHours() {
        var random = SeededNumbers(seed: 7)
        let words = (0..<3_000).map { "word\($0)" }
        // A third of speech is a few dozen words.
        let first = (0..<40_000).map { _ in words[Int(pow(Double.random(in: 0..<1, using: &random), 3) * 3_000)] }
        let second = changed(first, share: 0.2, words, &random)
        check(first, second)
        let differences = TranscriptDifferences(
            from: first.map { TranscriptDifferences.Word(text: $0, time: 0..<1, segment: 0) },
            to: second.map { TranscriptDifferences.Word(text: $0, time: 0..<1, segment: 0) }
        )
        let kept = differences.runs.filter { $0.kind == .equal }.reduce(0) { $0 + $1.first.count }
        #expect(kept > 31_000, "of some 32,000 that were not changed, \(kept) were kept")
    }

    @Test("of texts without a common or unique word end soon")
    func hopeless() {
        check((0..<20_000).map { _ in "a" }, (0..<20_000).map { _ in "b" })
        check((0..<20_000).map { $0 % 2 == 0 ? "a" : "b" }, (0..<20_001).map { $0 % 3 == 0 ? "a" : "b" })
    }

    private func changed(
        _ words: [String],
        share: Double,
        _ known: [String],
        _ random: inout SeededNumbers
    ) -> [String] {
        words.flatMap { word -> [String] in
            guard Double.random(in: 0..<1, using: &random) < share else { return [word] }
            let other = self.word(of: known, &random)
            return [[], [other], [word, other]][Int.random(in: 0..<3, using: &random)]
        }
    }

    private func word(of words: [String], _ random: inout SeededNumbers) -> String {
        words[Int.random(in: words.indices, using: &random)]
    }
}
