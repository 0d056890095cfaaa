package import Foundation

extension Transcript {
    /// What an unnamed speaker is called: “Speaker 1”, which the page says in the person's language.
    package static func speakerLabel(_ number: Int) -> String { "Speaker \(number)" }

    /// The version in which every segment has the speaker who says it.
    ///
    /// A segment takes the speaker whose turns it shares most time with. One in which several speak is divided between words, if its
    /// words have times of their own; texts, words, their times and confidences stay as they are. Speakers are numbered from 1 in the
    /// order in which they first speak. A segment beside all turns keeps the speaker that it has.
    ///
    /// - Parameters:
    ///   - turns: Who speaks when.
    ///   - time: The present time.
    /// - Returns: A version with an id of its own, whose base is this one.
    package func labelled(by turns: [SpeakerTurn], at time: Date) -> Transcript {
        let labelling = SpeakerLabelling(turns)
        var numbers: [Int: Int] = [:]
        let parts = segments.flatMap(labelling.parts).map { part in
            guard let speaker = part.speaker else { return part.segment }
            let number = numbers[speaker, default: numbers.count + 1]
            numbers[speaker] = number
            var segment = part.segment
            segment.speaker = Self.speakerLabel(number)
            return segment
        }
        var source = source
        (source.base, source.range, source.speakers) = (id, nil, numbers.count)
        return Transcript(item: item, created: time, source: source, language: language, segments: parts)
    }
}

/// A piece of a segment, and who says it.
private struct SpokenPart {
    var segment: TranscriptSegment
    var speaker: Int?
}

/// Finds who says what.
private struct SpeakerLabelling {
    /// By their starts.
    private let turns: [SpeakerTurn]
    /// In seconds: turns that start this much before a time do not reach it.
    private let longest: Double

    init(_ turns: [SpeakerTurn]) {
        self.turns = turns.sorted { $0.time.lowerBound < $1.time.lowerBound }
        longest = turns.map { $0.time.upperBound - $0.time.lowerBound }.max() ?? 0
    }

    func parts(of segment: TranscriptSegment) -> [SpokenPart] {
        guard segment.kind == .speech else { return [SpokenPart(segment: segment)] }
        guard segment.isExact, !segment.words.isEmpty else {
            return [SpokenPart(segment: segment, speaker: speaker(in: segment.time, before: nil))]
        }
        let speakers = speakers(of: segment.words)
        guard let main = speakers[0] else {
            return [SpokenPart(segment: segment, speaker: speaker(in: segment.time, before: nil))]
        }
        var parts: [SpokenPart] = []
        var rest = segment
        var current = main
        var cut = 0
        for (index, speaker) in speakers.enumerated() where speaker != current {
            let (first, second) = rest.divided(before: index - cut, at: change(to: speaker, in: segment, before: index))
            parts.append(SpokenPart(segment: first, speaker: current))
            (rest, cut, current) = (second, index, speaker ?? current)
        }
        return parts + [SpokenPart(segment: rest, speaker: current)]
    }

    /// Who says each word; a word beside all turns is the one's who spoke before, or who speaks next.
    private func speakers(of words: [RecognizedWord]) -> [Int?] {
        var speakers: [Int?] = []
        for word in words {
            let before = speakers.last ?? nil
            speakers.append(speaker(in: word.start..<word.end, before: before) ?? before)
        }
        let first = speakers.first { $0 != nil } ?? nil
        return speakers.map { $0 ?? first }
    }

    /// The speaker whose turns share most time with `time`; of several, the one who spoke before.
    private func speaker(in time: Range<Double>, before: Int?) -> Int? {
        var shares: [Int: Double] = [:]
        for turn in around(time) {
            let shared = min(turn.time.upperBound, time.upperBound) - max(turn.time.lowerBound, time.lowerBound)
            // A word may take no time.
            guard shared > 0 || time.isEmpty && turn.time.contains(time.lowerBound) else { continue }
            shares[turn.speaker, default: 0] += shared
        }
        guard let most = shares.values.max() else { return nil }
        let best = shares.filter { $0.value >= most - 1e-6 }.keys
        return before.flatMap { best.contains($0) ? $0 : nil } ?? best.min()
    }

    private func around(_ time: Range<Double>) -> ArraySlice<SpeakerTurn> {
        let first = turns.partition { $0.time.lowerBound >= time.lowerBound - longest }
        return turns[first...].prefix { $0.time.lowerBound <= time.upperBound }
    }

    /// When the turn of `speaker` begins that a word begins; between that word and the one before it.
    private func change(to speaker: Int?, in segment: TranscriptSegment, before index: Int) -> Double {
        let (last, next) = (segment.words[index - 1], segment.words[index])
        let turn = around(last.start..<next.end).last { $0.speaker == speaker && $0.time.lowerBound <= next.end }
        let start = turn?.time.lowerBound ?? next.start
        return min(max(start, min(last.end, next.start)), next.start)
    }
}

extension TranscriptSegment {
    /// The segment as two, without the white space between them.
    ///
    /// - Parameters:
    ///   - index: The word with which the second begins; not the first word.
    ///   - time: When the second begins, in seconds.
    /// - Returns: Both, with every word where it was in the text and in time.
    fileprivate func divided(before index: Int, at time: Double) -> (TranscriptSegment, TranscriptSegment) {
        let units = Array(text.utf16)
        let from = words[index - 1].source.upperBound
        let until = max(from, words[index].source.lowerBound)
        // What stands before a word's letters, such as a quotation mark, goes with it.
        let space = units[from..<until].lastIndex { Unicode.Scalar($0)?.properties.isWhitespace ?? false }
        let begin = space.map { $0 + 1 } ?? until
        var end = begin
        while end > from, Unicode.Scalar(units[end - 1])?.properties.isWhitespace ?? false { end -= 1 }
        let place = min(max(time, self.time.lowerBound), self.time.upperBound)
        var (first, second) = (self, self)
        first.text = String(decoding: units[..<end], as: UTF16.self)
        first.words = Array(words[..<index])
        first.time = self.time.lowerBound..<place
        second.text = String(decoding: units[begin...], as: UTF16.self)
        second.words = words[index...].map { word in
            var word = word
            word.source = word.source.lowerBound - begin..<word.source.upperBound - begin
            return word
        }
        second.time = place..<self.time.upperBound
        return (first, second)
    }
}
