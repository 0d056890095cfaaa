package import Foundation

/// The segments of a text, made on demand, so that the first ones of a book are ready as soon as those of a page.
///
/// A segment is a sentence as a narration has it, or a paragraph.
package actor PracticeSegments {
    /// The segments made so far.
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
    ///   - granularity: The unit of a segment.
    ///   - segmenter: Finds the sentences.
    ///   - preparation: The preparation for speech; text without anything to speak is not a segment.
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
            segmenter: segmenter,
            rules: TextRules(language: language, preparation: preparation),
            pauses: NarrationSettings.Pauses()
        )
    }

    /// Returns consecutive segments.
    ///
    /// - Parameters:
    ///   - number: The number of the first segment, from 1.
    ///   - count: The number of segments.
    /// - Returns: `count` segments, or fewer at the end of the text.
    /// - Throws: What the text throws; ``SynthesisError/tooMuchSilence`` for endless pauses.
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

    /// Finds the segment at a position in the text.
    ///
    /// - Parameter unit: The position in UTF-16 units.
    /// - Returns: Its number, from 1; where no segment is, that of the next one, else of the last.
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

    /// Adds the segment in progress.
    private func add() {
        guard let (paragraph, source) = begun else { return }
        begun = nil
        if lastStart != paragraph.start { paragraphs += 1 }
        lastStart = paragraph.start
        known.append(
            PracticeSegment(
                number: known.count + 1,
                text: String(
                    paragraph.text.part(source.moved(by: -paragraph.start))
                ),
                source: source,
                paragraph: paragraphs,
                isHeading: paragraph.kind == .heading
            )
        )
    }
}

/// A sentence or paragraph that is practiced by itself.
package struct PracticeSegment: Sendable, Hashable, Codable {
    /// The segment's number in the text, from 1.
    package let number: Int
    /// As it is written, line breaks turned to spaces.
    package let text: String
    /// Its range in the text, in UTF-16 units.
    package let source: TextRange
    /// Which paragraph it is in, or is, from 1.
    package let paragraph: Int
    package let isHeading: Bool

    package init(number: Int, text: String, source: TextRange, paragraph: Int, isHeading: Bool) {
        self.number = number
        self.text = text
        self.source = source
        self.paragraph = paragraph
        self.isHeading = isHeading
    }
}

/// A segment synthesized at one rate.
package struct SegmentSound: Sendable, Hashable {
    /// 16-bit mono.
    package let samples: [Int16]
    /// In hertz.
    package let sampleRate: Int
    /// The times of its words, in samples from its start; their ranges refer to the segment's text.
    package let words: [TimedWord]
    /// Parts that could not be spoken, as ``Passage/unspoken(beside:)`` names them.
    package let unspoken: [String]

    package init(samples: [Int16], sampleRate: Int, words: [TimedWord], unspoken: [String] = []) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.words = words
        self.unspoken = unspoken
    }

    /// In seconds.
    package var seconds: Double { Double(samples.count) / Double(sampleRate) }

    /// A whole WAV file.
    package var file: Data { WAVHeader.file(of: samples, sampleRate: sampleRate) }

    /// As numbers from −1 to 1.
    package var clip: AudioClip { AudioClip(pcm16: samples, sampleRate: sampleRate) }
}

/// Synthesizes single segments, in the way of narrations with the same order.
package struct SegmentSpeaking: Sendable {
    private let narrator: Narrator
    private let order: NarrationOrder
    private let lanes: Int

    /// In hertz.
    var sampleRate: Int { order.voice.sampleRate }

    /// - Parameters:
    ///   - narrator: Makes the narrations.
    ///   - order: The voice, its settings, pauses and dictionary; its speed corresponds to practice rate 0.5.
    ///   - lanes: How many phrases are synthesized at once.
    package init(by narrator: Narrator, as order: NarrationOrder, lanes: Int = 1) {
        self.narrator = narrator
        self.order = order
        self.lanes = lanes
    }

    /// Synthesizes a text without the pause after it; a text without anything to speak becomes a short silence, and
    /// what cannot be spoken of it is left out and named.
    ///
    /// - Parameters:
    ///   - text: The segment's text.
    ///   - rate: From 0.1 to 1; 0.5 is the order's own speed.
    ///   - deliver: Receives the samples as they are made, in order.
    /// - Returns: The sound, with the times of its words.
    /// - Throws: ``SynthesisError``, `CancellationError`.
    package func speak(
        _ text: String,
        rate: Double,
        deliver: @Sendable ([Int16]) -> Void = { _ in }
    ) async throws -> SegmentSound {
        var order = order
        let speed = order.speed * (try Prosody(practiceRate: rate).speed)
        order.speed = min(max(speed, Prosody.speedRange.lowerBound), Prosody.speedRange.upperBound)
        var samples: [Int16] = []
        var words: [TimedWord] = []
        var unspoken: [String] = []
        var silence = 0
        do {
            let narration = try narrator.narration(of: StringSource(text), as: order, lanes: lanes)
            for try await passage in narration {
                if let part = passage.unspoken(beside: unspoken) { unspoken.append(part) }
                if passage.isSilenced || passage.isLeftOut && passage.clip.samples.isEmpty { continue }
                // In the narration the pauses after what is skipped have come before it.
                let distance = samples.count + silence - passage.start
                let more = [Int16](repeating: 0, count: silence) + passage.clip.pcm16
                samples += more
                silence = passage.silence
                words += passage.words.map { $0.moved(by: distance) }
                deliver(more)
            }
        } catch SynthesisError.nothingToSay where samples.isEmpty {
            // A row of stars between two paragraphs is a segment, too.
        }
        if samples.isEmpty {
            // A narration of which nothing is heard has no passages that name it.
            if unspoken.isEmpty, text.hasWords { unspoken = [text.excerpt] }
            samples = [Int16](repeating: 0, count: order.voice.sampleRate / 5)
        }
        return SegmentSound(
            samples: samples,
            sampleRate: order.voice.sampleRate,
            words: words,
            unspoken: unspoken
        )
    }
}
