/// The part of a phrase that a stretch of its speech says.
struct PhrasePart: Sendable {
    let phrase: PlannedPhrase
    /// Whether the phrase begins with it.
    let isFirst: Bool
    let source: TextRange
    /// The written text.
    let writing: String
    let words: [TextRange]

    static func whole(_ phrase: PlannedPhrase) -> PhrasePart {
        PhrasePart(
            phrase: phrase,
            isFirst: true,
            source: phrase.source,
            writing: phrase.writing,
            words: phrase.words
        )
    }
}

/// A phrase that is delivered while it is being spoken.
struct OpeningPhrase {
    /// Speaks it; `nil` where there is nothing to say.
    let job: Task<Void, Never>?
    private let phrase: PlannedPhrase
    private var pieces: AsyncThrowingStream<SpokenPiece, any Error>.Iterator
    /// How far the phrase's text has been said, in UTF-16 units of the whole text.
    private var position: Int

    /// Begins to speak it.
    init(_ phrase: PlannedPhrase, by speaker: PhraseSpeaker) {
        let (pieces, job) = speaker.pieces(of: phrase)
        self.phrase = phrase
        self.pieces = pieces.makeAsyncIterator()
        self.job = job
        position = phrase.source.lowerBound
    }

    /// The next stretch; `nil` when all has been said, or the task is cancelled.
    mutating func next() async throws -> SpokenPiece? { try await pieces.next(isolation: #isolation) }

    /// The words of `piece`, the last stretch: the words it has marks for, and all that is written up to the next word.
    mutating func part(_ piece: SpokenPiece) -> PhrasePart {
        let start = position
        let said = piece.marks.last?.source.upperBound ?? start
        let next = phrase.words.first { $0.lowerBound >= max(said, start) }?.lowerBound
        let end = piece.isLast ? phrase.source.upperBound : max(start, next ?? said)
        position = end
        let units = Array(phrase.writing.utf16)
        let inside = (start..<end).clamped(to: phrase.source)
        let offset = phrase.source.lowerBound
        return PhrasePart(
            phrase: phrase,
            isFirst: start == phrase.source.lowerBound,
            source: inside,
            writing: String(
                decoding: units[
                    min(inside.lowerBound - offset, units.count)..<min(inside.upperBound - offset, units.count)
                ],
                as: UTF16.self
            ),
            words: phrase.words.filter {
                $0.lowerBound >= start && $0.lowerBound < end || piece.isLast && $0.lowerBound >= start
            }
        )
    }
}
