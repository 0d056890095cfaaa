import Foundation

/// Exports recordings from the library to files that other programs read.
///
/// Exported files are not encrypted. If an export fails or is cancelled, its output is discarded. Sound is streamed, so
/// its length costs no memory.
package struct RecordingExport: Sendable {
    private let library: any AudioLibrary
    private let sounds: any SoundFiles

    /// - Parameters:
    ///   - library: The library with the recordings.
    ///   - sounds: Makes the sound files.
    package init(of library: any AudioLibrary, by sounds: any SoundFiles) {
        self.library = library
        self.sounds = sounds
    }

    /// The options of an exported sound file.
    package struct Options: Sendable, Hashable {
        package var format: ExportFormat
        /// Replaces the recording's name.
        package var title: String?
        /// The album of several files.
        package var album: String?
        /// Replaces the voices' names.
        package var author: String?
        package var cover: CoverImage?
        /// Replaces the chapters found in the recording itself, for formats that have chapters.
        package var chapters: [Chapter]?

        package init(
            format: ExportFormat,
            title: String? = nil,
            album: String? = nil,
            author: String? = nil,
            cover: CoverImage? = nil
        ) {
            self.format = format
            self.title = title
            self.album = album
            self.author = author
            self.cover = cover
        }
    }

    /// Writes the sound of `items` in sequence as one file.
    ///
    /// - Parameters:
    ///   - items: At least one recording; several become chapters where the format has them.
    ///   - options: The format, tags, chapters and cover.
    ///   - path: The destination; an existing file is replaced.
    ///   - progress: Called from time to time with the fraction done, 0 to 1.
    /// - Throws: ``AudioFileError``, ``ExportError``, ``VaultError``, ``LibraryError``, `CancellationError`.
    package func sound(
        of items: [AudioItem],
        _ options: Options,
        to path: String,
        progress: @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await sound(of: items, options, progress: progress) { try await sounds.sound($0, at: path) }
    }

    /// Writes the sound of `items` in sequence to the sink that `begin` opens.
    ///
    /// - Throws: What `begin` and the sink throw, ``ExportError``, ``VaultError``, ``LibraryError``,
    ///   `CancellationError`.
    package func sound(
        of items: [AudioItem],
        _ options: Options,
        progress: @Sendable (Double) -> Void = { _ in },
        to begin: (SoundOrder) async throws -> any AudioSink
    ) async throws {
        guard options.cover == nil || options.format.soundFormat == nil else { throw ExportError.noRoomForCover }
        let joined = try await JoinedRecordings(items, in: library)
        var chapters: [Chapter] = []
        if options.format.soundFormat == nil {
            chapters = if let chosen = options.chapters { chosen } else { try await self.chapters(of: joined) }
        }
        let order = SoundOrder(
            format: options.format,
            sampleRate: joined.sampleRate,
            count: joined.count,
            tags: Self.tags(of: items, options),
            chapters: chapters,
            cover: options.cover
        )
        let sink = try await begin(order)
        do {
            for part in joined.parts {
                try await copy(part, of: joined, to: sink, progress: progress)
            }
            try await sink.finish()
        } catch {
            await sink.discard()
            throw error
        }
    }

    /// Writes the timings of the sentences of `items` in sequence.
    ///
    /// - Parameters:
    ///   - items: At least one recording.
    ///   - format: The format of the captions.
    ///   - file: The destination, which is finished.
    /// - Throws: ``AudioFileError``, ``VaultError``, ``LibraryError``, `CancellationError`.
    package func captions(of items: [AudioItem], _ format: TimingFormat, to file: any ByteSink) async throws {
        try await file.completed {
            let joined = try await JoinedRecordings(items, in: library, needsSound: false)
            var writer = TimingWriter(format, sampleRate: joined.sampleRate)
            try await file.append(writer.head)
            var offset = 0
            for part in joined.parts {
                let timings = try await library.timings(of: part.item.id)
                for sentence in joined.placed(timings, of: part, textOffset: offset) {
                    try await file.append(writer.row(sentence))
                }
                if joined.parts.count > 1 {
                    offset += try await library.text(of: part.item.id).utf16.count + Self.textSeparator.utf16.count
                }
            }
            try await file.append(writer.tail(samples: joined.count))
        }
    }

    /// Writes the spoken texts of `items` in sequence.
    ///
    /// - Throws: ``AudioFileError``, ``VaultError``, ``LibraryError``, `CancellationError`.
    package func text(of items: [AudioItem], to file: any ByteSink) async throws {
        try await file.completed {
            for (index, item) in items.enumerated() {
                if index > 0 { try await file.append(Self.textSeparator) }
                try await file.append(try await library.text(of: item.id))
            }
        }
    }

    private static let textSeparator = "\n\n"

    // MARK: - Sound

    private func copy(
        _ part: JoinedRecordings.Part,
        of joined: JoinedRecordings,
        to sink: any AudioSink,
        progress: @Sendable (Double) -> Void
    ) async throws {
        let reader = try await RecordingReader(of: library.sound(of: part.item.id))
        let conversion =
            reader.sampleRate == joined.sampleRate
            ? nil : try sounds.rateConversion(from: reader.sampleRate, to: joined.sampleRate)
        var position = 0
        repeat {
            try Task.checkCancellation()
            let clip = try await reader.clip(from: position)
            position += clip.samples.count
            let isLast = position == reader.count
            try await sink.append(try await conversion?.convert(clip, isLast: isLast) ?? clip)
            progress(Double(joined.place(of: position, in: part)) / Double(max(1, joined.count)))
        } while position < reader.count
    }

    private func chapters(of joined: JoinedRecordings) async throws -> [Chapter] {
        if joined.parts.count == 1 {
            let item = joined.parts[0].item
            return try await Chapter.chapters(
                of: item.name.text,
                text: library.text(of: item.id),
                timings: library.timings(of: item.id)
            )
        }
        return joined.parts.map { Chapter(title: $0.item.name.text, start: $0.start) }
    }

    private static func tags(of items: [AudioItem], _ options: Options) -> AudioTags {
        var voices: [String] = []
        for voice in items.compactMap(\.narration?.voiceName) where !voices.contains(voice) { voices.append(voice) }
        let title = options.title ?? items.first?.name.text
        return AudioTags(
            title: title,
            artist: options.author ?? (voices.isEmpty ? nil : voices.joined(separator: ", ")),
            album: options.album ?? (items.count > 1 ? title : nil),
            date: items.map(\.created).max().map {
                $0.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
            }
        )
    }
}
