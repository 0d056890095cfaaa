package import Foundation

extension Transcript {
    /// The label of an unnamed speaker, “Speaker 1”; the page shows it in the person's language.
    package static func speakerLabel(_ number: Int) -> String { "Speaker \(number)" }

    /// Makes the version in which every segment has its speaker.
    ///
    /// A segment gets the speaker whose turns overlap it longest. A segment with several speakers is divided between
    /// words, if its words have measured times; texts, words, times and confidences do not change. Speakers are
    /// numbered from 1 in the order in which they first speak. A segment outside all turns keeps its speaker.
    ///
    /// - Parameters:
    ///   - turns: Who speaks when.
    ///   - time: The present time.
    /// - Returns: A version with a new id, whose base is this one.
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

/// A part of a segment, and its speaker.
private struct SpokenPart {
    var segment: TranscriptSegment
    var speaker: Int?
}

/// Assigns speakers to words and segments.
private struct SpeakerLabelling {
    /// Ordered by their starts.
    private let turns: [SpeakerTurn]
    /// The longest turn, in seconds: turns that start earlier than this before a time do not reach it.
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

    /// The speaker of each word; a word outside all turns gets the previous speaker, or the next one.
    private func speakers(of words: [RecognizedWord]) -> [Int?] {
        var speakers: [Int?] = []
        for word in words {
            let before = speakers.last ?? nil
            speakers.append(speaker(in: word.start..<word.end, before: before) ?? before)
        }
        let first = speakers.first { $0 != nil } ?? nil
        return speakers.map { $0 ?? first }
    }

    /// The speaker whose turns overlap `time` longest; among equals, the previous speaker.
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

    /// The start of the turn of `speaker` that a word begins, limited to the time between that word and the previous
    /// one.
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
        // Punctuation before a word, such as a quotation mark, belongs to it.
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
