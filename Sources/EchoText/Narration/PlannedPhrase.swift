/// A part of a sentence that is synthesized at once, with its range in the sentence.
struct PlannedPhrase: Sendable {
    let sentence: Int
    let isFirst: Bool
    let isLast: Bool
    let source: TextRange
    /// The written text.
    let writing: String
    let text: SpokenText
    let words: [TextRange]
    /// In seconds, scaled by the speaking rate.
    let pauseAfter: Double
    let isPauseExact: Bool
    /// When it is to be heard, if its time is kept.
    let time: PlannedTime?
    /// About how long it takes to say, in seconds, with the pause.
    let estimate: Double

    /// A reader at ease says 15 characters a second; only how far to read ahead rests on it.
    private static let charactersPerSecond = 15.0
    /// The least estimated duration of a phrase, in seconds, which bounds the number of empty phrases started at once.
    private static let shortestEstimate = 0.1

    /// Splits `sentence` into phrases; a sentence without text becomes one empty phrase for its silence.
    static func phrases(of sentence: PlannedSentence, speed: Double) -> [PlannedPhrase] {
        let texts = sentence.phrases.isEmpty ? [SpokenText(pieces: [])] : sentence.phrases
        var words = sentence.words[...]
        let units = Array(sentence.text.utf16)
        let lengths = texts.map { max(1, $0.spokenLength) }
        var start = sentence.source.lowerBound
        return texts.enumerated().map { index, text in
            let isLast = index == texts.count - 1
            let end = isLast ? sentence.source.upperBound : max(start, text.pieces.last?.source.upperBound ?? start)
            let own = isLast ? words : words.prefix { $0.lowerBound < end }
            words = words.dropFirst(own.count)
            defer { start = end }
            let pause = isLast ? sentence.pauseAfter / (sentence.isPauseExact ? 1 : speed) : 0
            return PlannedPhrase(
                sentence: sentence.number,
                isFirst: index == 0,
                isLast: isLast,
                source: start..<end,
                writing: writing(
                    in: units,
                    from: start - sentence.source.lowerBound,
                    to: end - sentence.source.lowerBound
                ),
                text: text,
                words: Array(own),
                pauseAfter: pause,
                isPauseExact: sentence.isPauseExact && isLast,
                time: sentence.time?.part(index, of: lengths),
                estimate: max(shortestEstimate, Double(text.spokenLength) / charactersPerSecond / speed + pause)
            )
        }
    }

    private static func writing(in units: [UInt16], from start: Int, to end: Int) -> String {
        String(decoding: units[min(start, units.count)..<min(end, units.count)], as: UTF16.self)
    }
}
