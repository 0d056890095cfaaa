/// A match of search words in a transcript.
package struct TranscriptPlace: Sendable, Hashable {
    /// The number of the segment, from 0.
    package let segment: Int
    /// The range in the segment's text.
    package let source: TextRange
    /// In seconds from the start of the recording.
    package let time: Range<Double>
}

extension Transcript {
    /// Finds the matches of `words`, in sequence within a segment.
    ///
    /// - Parameters:
    ///   - words: The search words.
    ///   - limit: The most matches to return.
    /// - Returns: The matches in order.
    package func places(of words: SearchWords, limit: Int = .max) -> [TranscriptPlace] {
        var places: [TranscriptPlace] = []
        for (index, segment) in segments.enumerated() where places.count < limit && !segment.text.isEmpty {
            let found = words.places(in: segment.text, limit: limit - places.count)
            if found.isEmpty { continue }
            let timed = segment.timedWords
            places += found.map { source in
                let own = timed.filter { $0.source.overlaps(source) }
                let start = own.first?.start ?? segment.time.lowerBound
                return TranscriptPlace(segment: index, source: source, time: start..<max(start, own.last?.end ?? start))
            }
        }
        return places
    }
}
