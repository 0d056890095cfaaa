/// The text of a transcript, as the recording's own.
extension Transcript {
    /// The text, with a line for each segment that has words.
    package var text: String { segments.filter { !$0.text.isEmpty }.map(\.text).joined(separator: "\n") }

    /// How many words were said.
    package var wordCount: Int { segments.reduce(0) { $0 + $1.text.wordCount } }

    /// The times of the lines of ``text``.
    ///
    /// - Parameters:
    ///   - sampleRate: The recording's sample rate in hertz.
    ///   - count: The recording's number of samples, which limits the times.
    /// - Returns: A sentence for each line; words do not overlap.
    package func timings(sampleRate: Int, count: Int) -> [TimedSentence] {
        var start = 0
        return segments.filter { !$0.text.isEmpty }.map { segment in
            let sentence = segment.timed(from: start, sampleRate: sampleRate, count: count)
            start = sentence.source.upperBound + 1  // the line's end
            return sentence
        }
    }

    /// How far two segments may overlap, in seconds: their times are sums.
    private static let roundingError = 1e-6

    /// Checks that the segments are in order and lie in the recording, and their words in them.
    ///
    /// - Parameter duration: The recording's, in seconds.
    /// - Throws: ``TranscriptError/invalidSegments``.
    package func check(duration: Double) throws(TranscriptError) {
        // A recogniser's clips are whole windows, the last of which may reach beyond the end.
        let tolerance = 1.0
        var place = 0.0
        for segment in segments {
            guard segment.time.lowerBound >= place - Self.roundingError,
                segment.time.upperBound <= duration + tolerance, segment.isSound
            else { throw .invalidSegments }
            place = segment.time.upperBound
        }
    }
}

extension TranscriptSegment {
    /// Whether its words lie in order in the text, and all its numbers are numbers.
    fileprivate var isSound: Bool {
        guard time.lowerBound.isFinite, time.upperBound.isFinite, kind == .speech || text.isEmpty else { return false }
        var place = 0
        for word in words {
            guard word.source.lowerBound >= place, word.start.isFinite, word.end.isFinite, word.start <= word.end else {
                return false
            }
            place = word.source.upperBound
        }
        return place <= text.utf16.count
    }

    fileprivate func timed(from start: Int, sampleRate: Int, count: Int) -> TimedSentence {
        func sample(_ seconds: Double, in range: ClosedRange<Int>) -> Int {
            let sample = (seconds * Double(sampleRate)).rounded()
            guard sample > Double(range.lowerBound) else { return range.lowerBound }
            return sample < Double(range.upperBound) ? Int(sample) : range.upperBound
        }
        let first = sample(time.lowerBound, in: 0...count)
        let heard = first..<sample(time.upperBound, in: first...count)
        let starts = words.reduce(into: [Int]()) { starts, word in
            starts.append(sample(word.start, in: (starts.last ?? first)...heard.upperBound))
        }
        let timed = words.enumerated().map { index, word in
            let end = index + 1 < starts.count ? starts[index + 1] : heard.upperBound
            return TimedWord(
                source: start + word.source.lowerBound..<start + word.source.upperBound,
                samples: starts[index]..<sample(word.end, in: starts[index]...end),
                precision: isExact && !word.isEstimated ? .exact : .estimated
            )
        }
        return TimedSentence(source: start..<start + text.utf16.count, text: text, samples: heard, words: timed)
    }
}
