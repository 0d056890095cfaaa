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

extension SpokenSelection {
    /// The captions of a document that are spoken at least in part, each with its range in ``text``.
    ///
    /// - Throws: ``DocumentError/noTimes`` for a document without captions.
    package func cues(of structure: DocumentStructure) throws(DocumentError) -> [SubtitleCue] {
        guard let cues = structure.cues else { throw .noTimes }
        var rest = pieces[...]
        return cues.compactMap { cue in
            rest = rest.drop { $0.source.upperBound <= cue.range.lowerBound }
            let own = rest.prefix { $0.source.lowerBound < cue.range.upperBound }
            guard let first = own.first, let last = own.last else { return nil }
            let start = first.spoken.lowerBound + max(0, cue.range.lowerBound - first.source.lowerBound)
            let end = last.spoken.upperBound - max(0, last.source.upperBound - cue.range.upperBound)
            return SubtitleCue(range: start..<end, start: cue.start)
        }
    }
}
