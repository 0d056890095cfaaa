extension Transcript {
    /// Replaces the segments of a part that was recognized again.
    ///
    /// A segment that reaches into the part keeps the words whose midpoints are outside it.
    ///
    /// - Parameters:
    ///   - range: The part, in seconds.
    ///   - heard: The new segments; words outside the part are dropped.
    /// - Returns: All segments in order, without overlaps.
    package func segments(
        replacing range: Range<Double>,
        by heard: [TranscriptSegment]
    ) -> [TranscriptSegment] {
        let before = segments.compactMap { $0.part(-.infinity..<range.lowerBound) }
        let within = heard.compactMap { $0.part(range) }
        let after = segments.compactMap { $0.part(range.upperBound..<Double.infinity) }
        return before + within + after
    }
}

extension TranscriptSegment {
    /// The part of it in `range`: all, nothing, or the words whose midpoints are inside.
    fileprivate func part(_ range: Range<Double>) -> TranscriptSegment? {
        let common =
            max(
                time.lowerBound,
                range.lowerBound
            )..<max(
                max(time.lowerBound, range.lowerBound),
                min(time.upperBound, range.upperBound)
            )
        if common == time { return self }
        guard !common.isEmpty else { return nil }
        var part = self
        part.time = common
        guard kind == .speech else { return part }
        let own = timedWords.filter { range.contains(($0.start + $0.end) / 2) }
        guard let first = own.first, let last = own.last else { return nil }
        let place = first.source.lowerBound..<last.source.upperBound
        part.text = String(text.part(place))
        part.words = own.map { word in
            var word = word
            word.source = word.source.lowerBound - place.lowerBound..<word.source.upperBound - place.lowerBound
            word.start = min(max(word.start, common.lowerBound), common.upperBound)
            word.end = min(max(word.end, word.start), common.upperBound)
            return word
        }
        return part
    }
}
