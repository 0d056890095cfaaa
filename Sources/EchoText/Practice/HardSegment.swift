package import Foundation

/// A segment that is practised again after some days, because it went badly or a person marked it.
package struct HardSegment: Sendable, Hashable, Codable {
    /// After how many days it is offered again; each success leads to the next.
    ///
    /// - SeeAlso: Wozniak and Gorzelanczyk, “Optimization of repetition spacing in the practice of learning” (1994), on why the gaps grow.
    package static let days = [1, 3, 7, 14, 28]
    /// A lower score makes a segment hard, or sets it back to the first gap.
    package static let hard = 0.6
    /// A score as high leads to the next gap.
    package static let good = 0.8

    package let text: String
    /// BCP 47.
    package let language: String
    package let since: Date
    /// Which of ``days`` it waits for, from 0.
    package private(set) var stage = 0
    /// When it is offered again.
    package private(set) var next: Date
    /// The score of the last take; `nil` when a person marked it.
    package private(set) var score: Double?

    /// Makes a segment hard because of a poor take or a person's mark.
    ///
    /// - Parameters:
    ///   - text: The segment's text.
    ///   - language: BCP 47.
    ///   - score: The score of the take; `nil` for a person's mark.
    ///   - time: The current time.
    package init(text: String, language: String, score: Double?, at time: Date) {
        self.text = text
        self.language = language
        self.score = score
        since = time
        next = Self.date(after: Self.days[0], from: time)
    }

    /// Updates the schedule after another take.
    ///
    /// A good take counts only when the segment is due, so that five takes in a row do not count as five days.
    ///
    /// - Parameters:
    ///   - score: The take's score.
    ///   - time: The current time.
    /// - Returns: Whether it is still hard; it is not after a good take at the longest interval.
    package mutating func practised(score: Double, at time: Date) -> Bool {
        self.score = score
        if score < Self.hard {
            stage = 0
        } else {
            guard isDue(at: time) else { return true }
            if score >= Self.good { stage += 1 }
            guard stage < Self.days.count else {
                stage = Self.days.count - 1
                return false
            }
        }
        next = Self.date(after: Self.days[stage], from: time)
        return true
    }

    /// Updates the schedule after practice that was not scored: when it is due, it waits the same gap again.
    ///
    /// - Parameter time: The current time.
    /// - Returns: Whether it was due.
    package mutating func practised(at time: Date) -> Bool {
        guard isDue(at: time) else { return false }
        next = Self.date(after: Self.days[stage], from: time)
        return true
    }

    package func isDue(at time: Date) -> Bool { next <= time }

    /// The identity of a segment in any session: its language and its words without capitals and punctuation, as a number of 128 bits.
    ///
    /// - SeeAlso: the hash FNV-1a by Fowler, Noll and Vo.
    package static func digest(of text: String, language: String) -> String {
        let units = Array(text.utf16)
        let words = text.spokenWords.map { String(decoding: units[$0], as: UTF16.self).comparedWord }
        let key = ([LanguageTag.language(of: language)] + words.filter { !$0.isEmpty }).joined(separator: " ")
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in key.utf8 { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Some hours early, for a person who practises at eight one evening and at five the next.
    private static func date(after days: Int, from time: Date) -> Date {
        time.addingTimeInterval(Double(days) * 24 * 3_600 - 8 * 3_600)
    }
}
