package import EchoText
package import Foundation

/// Writes what is said in recordings: of what a person said the transcript in use, with its speakers and marks; else the text
/// and the times of its sentences.
package struct SpokenWordsExport: Sendable {
    private let library: Library
    private let export: RecordingExport
    private let details: Details

    /// - Parameters:
    ///   - library: The library with the recordings.
    ///   - sounds: Resamples sound where needed.
    ///   - details: How transcripts are written.
    package init(of library: Library, by sounds: any SoundFiles, with details: Details = Details()) {
        self.library = library
        self.details = details
        export = RecordingExport(of: library.audio, by: sounds)
    }

    /// Choices that a transcript's format leaves open.
    package struct Details: Sendable, Hashable {
        /// Whether paragraphs say when they begin; not in the text of several recordings in sequence.
        package var showsTimes: Bool
        /// Whether a table has a row for each word instead of each segment.
        package var isByWord: Bool

        package init(showsTimes: Bool = false, isByWord: Bool = false) {
            self.showsTimes = showsTimes
            self.isByWord = isByWord
        }
    }

    /// Whether there is anything to write of a recording: words, the transcript of silence, or marks.
    ///
    /// - Throws: ``VaultError``, ``LibraryError``.
    package func hasSomething(of item: AudioItem) async throws -> Bool {
        if item.origin.kind == .narrated || item.isTranscribed { return true }
        return try await !library.audio.marks(of: item.id).isEmpty
    }

    /// Writes the texts of `items` in sequence.
    ///
    /// - Throws: ``VaultError``, ``LibraryError``, `CancellationError`; what the sink throws.
    package func text(of items: [AudioItem], to file: any ByteSink) async throws {
        try await file.completed {
            for (index, item) in items.enumerated() {
                if index > 0 { try await file.append(RecordingExport.textSeparator) }
                if var written = try await transcript(of: item) {
                    // Times count from the start of each recording, so of several they would begin at zero again.
                    if items.count > 1 { written.showsTimes = false }
                    let text = written.plainText
                    // The last line ends with its recording, unless another follows.
                    let isLast = index == items.count - 1
                    try await file.append(String(text.dropLast(!isLast && text.hasSuffix("\n") ? 1 : 0)))
                } else {
                    try await file.append(try await library.audio.text(of: item.id))
                }
            }
        }
    }

    /// Writes when the sentences of `items` in sequence are heard; JSON is without speakers.
    ///
    /// - Throws: ``AudioFileError``, ``VaultError``, ``LibraryError``, `CancellationError`; what the sink throws.
    package func captions(of items: [AudioItem], _ format: TimingFormat, to file: any ByteSink) async throws {
        guard let style = Self.style(of: format) else {
            return try await export.captions(of: items, format, to: file)
        }
        let found: WrittenTranscript?
        do {
            found = try await joined(items, style)
        } catch {
            await file.discard()
            throw error
        }
        guard let written = found else { return try await export.captions(of: items, format, to: file) }
        try await file.completed { try await file.append(written.captions(style)) }
    }

    /// Joins the words of `items` on the clock of their joined sound; `nil` where their sentences alone say the same.
    private func joined(_ items: [AudioItem], _ style: CaptionWriter.Format) async throws -> WrittenTranscript? {
        var found: [WrittenTranscript?] = []
        for item in items {
            if style == .webVTT, try await isMarkedNarration(item) {
                found.append(try await sentences(of: item))
            } else {
                found.append(try await transcript(of: item))
            }
        }
        guard items.count > 1, found.contains(where: { $0 != nil }) else { return found.first ?? nil }
        let sound = try await JoinedRecordings(items, in: library.audio, needsSound: false)
        var (segments, marks) = ([TranscriptSegment](), [WrittenTranscript.Mark]())
        for (part, written) in zip(sound.parts, found) {
            let said = if let written { written } else { try await sentences(of: part.item) }
            let start = Double(part.start) / Double(sound.sampleRate)
            segments += said.transcript.segments.map { $0.moved(by: start) }
            marks += said.marks.map { WrittenTranscript.Mark(seconds: $0.seconds + start, label: $0.label) }
        }
        let whole = Transcript(
            item: items[0].id,
            created: items[0].created,
            source: TranscriptSource(),
            language: items[0].language,
            segments: segments
        )
        return WrittenTranscript(whole, title: items[0].name.text, marks: marks)
    }

    /// Writes what is said in `item`: the transcript in use, or else its sentences without speakers.
    ///
    /// - Throws: ``VaultError``, ``LibraryError``, `CancellationError`; what the sink throws.
    package func transcript(
        of item: AudioItem,
        as format: TranscriptFormat,
        to file: any ByteSink,
        at time: Date
    ) async throws {
        let written: WrittenTranscript
        do {
            if let found = try await transcript(of: item) {
                written = found
            } else {
                written = try await sentences(of: item)
            }
        } catch {
            await file.discard()
            throw error
        }
        try await TranscriptExport(of: written).write(as: format, to: file, at: time)
    }

    /// How a transcript is written in `format`; `nil` for the times alone, which are the same for narrations.
    private static func style(of format: TimingFormat) -> CaptionWriter.Format? {
        switch format {
        case .srt: .subRip
        case .vtt: .webVTT
        case .json: nil
        }
    }

    /// The transcript in use of what a person said, with its speakers and marks, or the marks alone of what nobody has
    /// transcribed; `nil` where there is neither, and for narrations.
    private func transcript(of item: AudioItem) async throws -> WrittenTranscript? {
        guard item.origin.kind != .narrated else { return nil }
        if let current = try await library.transcripts.versions(of: item.id).first(where: \.isCurrent) {
            return try await written(try await library.transcripts.transcript(current.id), of: item)
        }
        let marks = try await sentences(of: item)
        return marks.marks.isEmpty ? nil : marks
    }

    private func isMarkedNarration(_ item: AudioItem) async throws -> Bool {
        guard item.origin.kind == .narrated else { return false }
        return try await !library.audio.marks(of: item.id).isEmpty
    }

    /// The sentences of a recording without a transcript, in the paragraphs of its text and with its marks; there are no
    /// sentences of what nobody has transcribed.
    private func sentences(of item: AudioItem) async throws -> WrittenTranscript {
        let timings = try await library.audio.timings(of: item.id)
        let transcript = Transcript(
            item: item.id,
            created: item.created,
            source: TranscriptSource(),
            language: item.language,
            segments: timings.map { Self.line(TranscriptSegment($0, sampleRate: item.sampleRate)) }
        )
        let text = try await timings.isEmpty ? "" : library.audio.text(of: item.id)
        return try await written(transcript, of: item, openings: try await Self.openings(of: timings, in: text))
    }

    private func written(
        _ transcript: Transcript,
        of item: AudioItem,
        openings: Set<Int> = []
    ) async throws -> WrittenTranscript {
        WrittenTranscript(
            transcript,
            title: item.name.text,
            marks: try await library.writtenMarks(of: item),
            openings: openings,
            showsTimes: details.showsTimes,
            isByWord: details.isByWord
        )
    }

    /// The sentences, by index, with which paragraphs of the text begin; the pauses between them are too short to show it.
    private static func openings(of timings: [TimedSentence], in text: String) async throws -> Set<Int> {
        var paragraphs = try await ParagraphRange.all(in: text)[...]
        var openings: Set<Int> = []
        for (index, sentence) in timings.enumerated() {
            let reached = paragraphs.prefix { $0.source.lowerBound < sentence.source.upperBound }
            guard !reached.isEmpty else { continue }
            openings.insert(index)
            paragraphs.removeFirst(reached.count)
        }
        return openings
    }

    /// A sentence in one line, without the white space before the next one.
    private static func line(_ sentence: TranscriptSegment) -> TranscriptSegment {
        var sentence = sentence
        // White space of any kind is one UTF-16 unit, so words stay where they are.
        let signs = sentence.text.unicodeScalars.map { $0.properties.isWhitespace ? " " as Unicode.Scalar : $0 }
        sentence.text = String(String.UnicodeScalarView(signs))
        while sentence.text.last == " " { sentence.text.removeLast() }
        return sentence
    }
}

extension TranscriptSegment {
    /// The same, said so many seconds later.
    fileprivate func moved(by seconds: Double) -> TranscriptSegment {
        var moved = self
        moved.time = time.moved(by: seconds)
        for index in moved.words.indices {
            moved.words[index].start += seconds
            moved.words[index].end += seconds
            moved.words[index].passage = moved.words[index].passage?.moved(by: seconds)
        }
        return moved
    }
}
