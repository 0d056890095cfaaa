/// The words of a segment, each with a time.
extension TranscriptSegment {
    /// Below this a word counts as uncertain: the recogniser itself finds something else at least as likely.
    package static let uncertainBelow = 0.5

    /// Every word of the text, as ``Swift/String/spokenWords`` finds them, with its time.
    ///
    /// A word gets the time that the recogniser reported for its range. Other words share the time between their
    /// neighbors in proportion to their lengths, and are marked as estimated.
    package var timedWords: [RecognizedWord] {
        var given = words[...]
        let known = text.spokenWords.map { source -> RecognizedWord? in
            while let word = given.first, word.source.upperBound <= source.lowerBound { given.removeFirst() }
            let own = given.prefix { $0.source.lowerBound < source.upperBound }
            guard let first = own.first, let last = own.last else { return nil }
            return RecognizedWord(
                source: source,
                start: first.start,
                end: max(first.start, last.end),
                confidence: own.compactMap(\.confidence).min(),
                isEstimated: !isExact || own.contains(where: \.isEstimated)
            )
        }
        return spread(known)
    }

    /// Whether a recogniser gave the times of its words.
    var isExact: Bool { timing == .words || timing == .tokens }

    /// The letters of `word`.
    package func text(of word: RecognizedWord) -> String {
        String(text.part(word.source.clamped(to: 0..<text.utf16.count)))
    }

    /// Estimates the times of words that have none.
    private func spread(_ known: [RecognizedWord?]) -> [RecognizedWord] {
        let places = text.spokenWords
        var timed: [RecognizedWord] = []
        var index = 0
        while index < known.count {
            if let word = known[index] {
                timed.append(word)
                index += 1
                continue
            }
            let end = known[index...].firstIndex { $0 != nil } ?? known.count
            let from = timed.last?.end ?? time.lowerBound
            let until = end < known.count ? known[end]?.start ?? time.upperBound : time.upperBound
            timed += Self.share(from..<max(from, until), among: places[index..<end])
            index = end
        }
        return timed
    }

    /// The words at `places`, with times proportional to their lengths; the punctuation and gap after each count as one
    /// letter.
    private static func share(_ time: Range<Double>, among places: ArraySlice<TextRange>) -> [RecognizedWord] {
        let whole = Double(places.reduce(0) { $0 + $1.count + 1 })
        let length = time.upperBound - time.lowerBound
        var letters = 0
        return places.map { place in
            let start = time.lowerBound + length * Double(letters) / whole
            letters += place.count + 1
            let end = time.lowerBound + length * Double(letters) / whole
            return RecognizedWord(source: place, start: start, end: end, isEstimated: true)
        }
    }
}
