/// A caption of a subtitle file: where its words stand in the text, and when they are to be heard.
package struct SubtitleCue: Sendable, Hashable, Codable {
    /// Its words in the text, never empty.
    package var range: TextRange
    /// Seconds from the start, not negative.
    package var start: Double

    package init(range: TextRange, start: Double) {
        self.range = range
        self.start = start
    }
}

extension [SubtitleCue] {
    /// Refuses captions whose times nobody can wait for.
    ///
    /// - Throws: ``SynthesisError/tooMuchSilence``.
    package func check() throws(SynthesisError) {
        guard allSatisfy({ $0.start <= PauseTags.maximumSeconds }) else { throw .tooMuchSilence }
    }

    /// Describes what is wrong with the captions of a text of `length` UTF-16 units; `nil` if nothing is.
    func violation(ofLength length: Int) -> String? {
        var end = 0
        var start = -1.0
        for cue in self {
            guard cue.range.lowerBound >= end, cue.range.upperBound <= length, !cue.range.isEmpty else {
                return "captions are in the text, in order, apart"
            }
            guard cue.start > start, cue.start >= 0, cue.start.isFinite else { return "captions are in order of time" }
            (end, start) = (cue.range.upperBound, cue.start)
        }
        return nil
    }
}
