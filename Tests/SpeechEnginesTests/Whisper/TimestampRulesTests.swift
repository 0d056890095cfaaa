import Testing

@testable import SpeechEngines

/// Tokens below 10 are text, 10 is the end, and stamps are from 100 on.
@Suite("Whisper's time stamps")
struct TimestampRulesTests {
    private let rules = TimestampRules(stamps: 100..<1_601)

    struct Rule: Sendable {
        let written: [Int]
        let text: Bool
        let end: Bool
        let stamps: Range<Int>

        init(_ written: [Int], text: Bool, end: Bool, stamps: Range<Int>) {
            (self.written, self.text, self.end, self.stamps) = (written, text, end, stamps)
        }
    }

    static let allowed = [
        // A stamp comes first, at most a second in.
        Rule([], text: false, end: false, stamps: 100..<151),
        // Text or nothing follows a stamp that begins.
        Rule([120], text: true, end: true, stamps: 1_601..<1_601),
        Rule([120, 1, 130, 130], text: true, end: true, stamps: 1_601..<1_601),
        // Text is ended by a later stamp, or by the end.
        Rule([120, 1], text: true, end: true, stamps: 121..<1_601),
        Rule([120, 1, 130, 140, 2, 3], text: true, end: true, stamps: 141..<1_601),
        // A stamp that ends is followed by the next that begins, there or later, or by the end.
        Rule([120, 1, 130], text: false, end: true, stamps: 130..<1_601),
        Rule([120, 1, 1_600], text: false, end: true, stamps: 1_600..<1_601),
        // After the last stamp there is none.
        Rule([1_600, 1], text: true, end: true, stamps: 1_601..<1_601),
    ]

    @Test(arguments: TimestampRulesTests.allowed)
    func `come in pairs, and never go back`(rule: Rule) {
        let wanted = TimestampRules.Allowed(text: rule.text, end: rule.end, stamps: rule.stamps)
        #expect(rules.allowed(after: rule.written) == wanted)
    }

    @Test
    func `part what was written into passages`() {
        typealias Passage = TimestampRules.Passage
        #expect(rules.passages(of: []).isEmpty)
        #expect(rules.passages(of: [100]).isEmpty)
        #expect(rules.passages(of: [100, 1, 2]) == [Passage(start: 0, end: nil, tokens: 1..<3)])
        #expect(rules.passages(of: [105, 1, 2, 130]) == [Passage(start: 5, end: 30, tokens: 1..<3)])
        #expect(
            rules.passages(of: [100, 1, 130, 140, 2, 3, 150, 150]) == [
                Passage(start: 0, end: 30, tokens: 1..<2), Passage(start: 40, end: 50, tokens: 4..<6),
            ]
        )
        #expect(
            rules.passages(of: [100, 1, 130, 130, 2]) == [
                Passage(start: 0, end: 30, tokens: 1..<2), Passage(start: 30, end: nil, tokens: 4..<5),
            ]
        )
    }

    // MARK: - Choosing

    private let choice = TokenChoice(end: 3, unspoken: [1])

    /// Scores of three texts, the end, a token between, and three stamps.
    private func chosen(_ scores: [Float], _ allowed: TimestampRules.Allowed) -> Int? {
        choice.choose(from: scores, allowed, temperature: 0, dice: 0)?.token
    }

    @Test
    func `win where their sum is more probable than any word`() {
        let all = TimestampRules.Allowed(text: true, end: true, stamps: 5..<8)
        #expect(chosen([4, 9, 1, 0, 9, 3, 2, 3], all) == 0, "the likeliest that may be spoken")
        #expect(chosen([4, 9, 1, 0, 9, 3.2, 3.1, 3.3], all) == 7, "three stamps together are likelier than a word")
        #expect(chosen([1, 9, 1, 5, 9, 3, 2, 3], all) == 3)
        let noText = TimestampRules.Allowed(text: false, end: true, stamps: 6..<8)
        #expect(chosen([9, 9, 9, 0, 9, 9, 1, 2], noText) == 7)
        #expect(chosen([9, 9, 9, 0, 9, 9, -40, -40], noText) == 3)
        let none = TimestampRules.Allowed(text: false, end: false, stamps: 8..<8)
        #expect(chosen([1, 1, 1, 1, 1, 1, 1, 1], none) == nil)
        #expect(chosen(Array(repeating: .nan, count: 8), all) == nil)
        #expect(chosen([], all) == nil)
    }

    @Test
    func `and words have probabilities among what is allowed`() throws {
        let words = TimestampRules.Allowed(text: true, end: true, stamps: 8..<8)
        let chosen = try #require(
            choice.choose(from: [2, 9, 2, 2, 9, 9, 9, 9], words, temperature: 0, dice: 0)
        )
        #expect(abs(chosen.logProbability - -1.0986) < 1e-3, "one of three that are alike")
        #expect(abs(TokenChoice.probability(of: 3, in: [0, 0, 0, 0]) - 0.25) < 1e-6)
        #expect(TokenChoice.probability(of: 4, in: [0, 0, 0, 0]) == 0)
        #expect(TokenChoice.likeliest(of: [0, 2, 9], in: [1, 5, 3]) == 2)
    }

    @Test
    func `at a temperature, chance decides among the likely`() {
        let words = TimestampRules.Allowed(text: true, end: true, stamps: 8..<8)
        func drawn(_ dice: Double) -> Int? {
            choice.choose(from: [2, 9, 2, -90, 9, 9, 9, 9], words, temperature: 0.8, dice: dice)?.token
        }
        #expect(drawn(0.01) == 0 && drawn(0.49) == 0 && drawn(0.51) == 2 && drawn(1) == 2)
    }
}
