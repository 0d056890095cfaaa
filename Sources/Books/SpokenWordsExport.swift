package import EchoText

/// Writes what is said in recordings: of what a person said the transcript in use, with its speakers and marks; else the text
/// and the times of its sentences.
package struct SpokenWordsExport: Sendable {
    private let library: Library
    private let export: RecordingExport

    /// - Parameters:
    ///   - library: The library with the recordings.
    ///   - sounds: Resamples sound where needed.
    package init(of library: Library, by sounds: any SoundFiles) {
        self.library = library
        export = RecordingExport(of: library.audio, by: sounds)
    }

    /// Writes the texts of `items` in sequence.
    ///
    /// - Throws: ``VaultError``, ``LibraryError``, `CancellationError`; what the sink throws.
    package func text(of items: [AudioItem], to file: any ByteSink) async throws {
        try await file.completed {
            for (index, item) in items.enumerated() {
                if index > 0 { try await file.append("\n\n") }
                if let text = try await transcript(of: item)?.plainText {
                    // The last line ends with its recording, unless another follows.
                    let isLast = index == items.count - 1
                    try await file.append(String(text.dropLast(!isLast && text.hasSuffix("\n") ? 1 : 0)))
                } else {
                    try await file.append(try await library.audio.text(of: item.id))
                }
            }
        }
    }

    /// Writes when the sentences of `items` in sequence are heard.
    ///
    /// Those of several recordings, and JSON, are without speakers.
    ///
    /// - Throws: ``AudioFileError``, ``VaultError``, ``LibraryError``, `CancellationError`; what the sink throws.
    package func captions(of items: [AudioItem], _ format: TimingFormat, to file: any ByteSink) async throws {
        guard items.count == 1, let style = Self.style(of: format) else {
            return try await export.captions(of: items, format, to: file)
        }
        let found: WrittenTranscript?
        do {
            found = try await transcript(of: items[0])
        } catch {
            await file.discard()
            throw error
        }
        guard let written = found else { return try await export.captions(of: items, format, to: file) }
        try await file.completed { try await file.append(written.captions(style)) }
    }

    /// How a transcript is written in `format`; `nil` for the times alone, which are the same for narrations.
    private static func style(of format: TimingFormat) -> CaptionWriter.Format? {
        switch format {
        case .srt: .subRip
        case .vtt: .webVTT
        case .json: nil
        }
    }

    /// The transcript in use of what a person said, with its speakers and marks; `nil` where there is none.
    private func transcript(of item: AudioItem) async throws -> WrittenTranscript? {
        guard item.origin.kind != .narrated,
            let current = try await library.transcripts.versions(of: item.id).first(where: \.isCurrent)
        else { return nil }
        return WrittenTranscript(
            try await library.transcripts.transcript(current.id),
            title: item.name.text,
            marks: try await library.audio.marks(of: item.id).map { WrittenTranscript.Mark($0, of: item) }
        )
    }
}
