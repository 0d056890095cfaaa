/// The segments of a text, cut only as far as they are asked for: the first of a book are there as soon as those of a page.
///
/// A segment is what a narration takes for a sentence, or the paragraph around it.
package actor PracticeSegments {
    /// What was cut so far.
    package private(set) var known: [PracticeSegment] = []
    /// Whether that is all of the text.
    package private(set) var isComplete = false

    private let granularity: PracticeSettings.Granularity
    private var reader: SentenceReader
    /// The sentences that are taken together for the next segment.
    private var begun: (paragraph: Paragraph, source: TextRange)?
    private var paragraphs = 0
    private var lastStart: Int?
    private var reading: Task<Void, any Error>?

    /// - Parameters:
    ///   - source: The text.
    ///   - language: BCP 47.
    ///   - granularity: What a segment is.
    ///   - segmenter: Finds the sentences.
    ///   - preparation: What will make them fit for speaking: what has nothing to say is no segment.
    package init(
        of source: any TextSource,
        language: String,
        by granularity: PracticeSettings.Granularity,
        segmenter: any TextSegmenter,
        preparation: TextPreparation
    ) {
        self.granularity = granularity
        reader = SentenceReader(
            paragraphs: ParagraphReader(of: source),
            language: language,
            segmenter: segmenter,
            preparation: preparation,
            pauses: NarrationSettings.Pauses()
        )
    }

    /// Some segments in order.
    ///
    /// - Parameters:
    ///   - number: The first one's, from 1.
    ///   - count: How many.
    /// - Returns: As many, or fewer where the text ends before.
    /// - Throws: What the text throws; ``SynthesisError/tooMuchSilence`` for pauses without end.
    package func segments(from number: Int, count: Int) async throws -> [PracticeSegment] {
        let first = max(1, number)
        let (last, isTooMany) = (first - 1).addingReportingOverflow(max(0, count))
        try await read(until: isTooMany ? .max : last)
        return Array(known.dropFirst(first - 1).prefix(max(0, count)))
    }

    /// The segment with a number, or `nil` when the text ends before.
    ///
    /// - Throws: As ``segments(from:count:)``.
    package func segment(_ number: Int) async throws -> PracticeSegment? {
        try await segments(from: number, count: 1).first
    }

    /// The number of the segment at a place of the text.
    ///
    /// - Parameter unit: In UTF-16 units.
    /// - Returns: From 1; that of the first segment after the place where none is at it, or else of the last.
    /// - Throws: As ``segments(from:count:)``.
    package func number(at unit: Int) async throws -> Int {
        while true {
            if let segment = known.first(where: { $0.source.upperBound > unit }) { return segment.number }
            guard !isComplete else { return max(1, known.count) }
            try await read(until: known.count + 1)
        }
    }

    private func read(until count: Int) async throws {
        while known.count < count, !isComplete {
            try Task.checkCancellation()
            let task = reading ?? Task { try await readSegment() }
            reading = task
            try await task.value
        }
    }

    /// Adds a segment, or finds that there are no more.
    private func readSegment() async throws {
        defer { reading = nil }
        let before = known.count
        while known.count == before, !isComplete {
            var reader = reader
            let sentence = try await reader.next()
            self.reader = reader
            guard let sentence, let paragraph = reader.paragraph else {
                add()
                isComplete = true
                return
            }
            take(sentence, in: paragraph)
        }
    }

    private func take(_ sentence: PlannedSentence, in paragraph: Paragraph) {
        guard !sentence.text.isEmpty else { return }  // a pause
        if let begun, granularity == .paragraph, begun.paragraph.start == paragraph.start {
            self.begun = (paragraph, begun.source.lowerBound..<sentence.source.upperBound)
        } else {
            add()
            begun = (paragraph, sentence.source)
        }
        if granularity == .sentence { add() }
    }

    /// Adds what was begun.
    private func add() {
        guard let (paragraph, source) = begun else { return }
        begun = nil
        if lastStart != paragraph.start { paragraphs += 1 }
        lastStart = paragraph.start
        known.append(
            PracticeSegment(
                number: known.count + 1,
                text: String(
                    paragraph.text.part(source.lowerBound - paragraph.start..<source.upperBound - paragraph.start)
                ),
                source: source,
                paragraph: paragraphs,
                isHeading: paragraph.kind == .heading
            )
        )
    }
}
