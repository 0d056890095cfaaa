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

    /// The separator of the texts of two recordings.
    package static let textSeparator = "\n\n"

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

/// How a recording is stored outside the library.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    case wav
    case flac
    case mp3
    case opus
    case ogg
    /// AAC in MPEG-4, with chapters and a cover.
    case m4a
    /// The same by the name that audiobook players look for.
    case m4b

    /// The format for writers of sound files; `nil` for an audiobook, which has a writer of its own.
    package var soundFormat: AudioFormat? {
        switch self {
        case .wav: .wav
        case .flac: .flac
        case .mp3: .mp3
        case .opus: .opus
        case .ogg: .ogg
        case .m4a, .m4b: nil
        }
    }

    package var fileExtension: String { rawValue }

    /// The format that the last extension of `fileName` names, in whatever case; `nil` when it names none.
    package init?(fileName: String) {
        if let format = AudioFormat(fileName: fileName) {
            self.init(rawValue: format.rawValue)
        } else {
            let name = fileName.split(separator: "/").last ?? ""
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
            self.init(rawValue: name[name.index(after: dot)...].lowercased())
        }
    }
}

/// The destination of several exported files: a folder or an archive.
package protocol ExportFolder: Sendable {
    /// Begins a sound file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink

    /// Opens a sink for any other file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``.
    func file(at path: String) async throws -> any ByteSink

    /// Writes `bytes` to a file at `path`.
    ///
    /// - Throws: ``AudioFileError``; what reading throws; no file is left then.
    func write(_ bytes: any StoredBytes, to path: String) async throws

    /// Creates a folder that only its owner can access, or uses an existing empty one.
    ///
    /// - Throws: ``ExportError/folderNotEmpty``, ``ExportError/folderUnfinished``, ``ExportError/folderNotUsable``.
    func folder(at path: String) async throws

    /// Says in the folder at `path`, for whoever finds it later, that not everything is in it.
    ///
    /// - Throws: ``AudioFileError``.
    func begin(_ path: String) async throws

    /// Takes back what ``begin(_:)`` says, now that everything is in it.
    ///
    /// - Throws: ``ExportError/noteNotRemoved(_:)``.
    func complete(_ path: String) async throws

    /// Removes, as far as possible, what was made in the folder at `path`, and nothing that others have put there.
    func empty(_ path: String) async
}

extension ExportFolder {
    package func write(_ bytes: any StoredBytes, to path: String) async throws {
        try await file(at: path).take(bytes)
    }
}

/// Why a recording could not be exported as it was asked for.
package enum ExportError: UserFacingError, Equatable {
    /// The program that makes audiobooks is not on this machine.
    case audiobookProgramMissing
    /// It gave up; `status` is its exit code or 128 and its signal, for the log.
    case audiobookProgramFailed(status: Int32)
    /// An audiobook cannot be written to a pipe, since its table is written last but placed first.
    case audiobookNeedsFile
    /// A cover, or chapters, for a format that has no room for them.
    case noRoomForCover
    case coverMissing
    /// Neither JPEG nor PNG.
    case coverNotImage
    case coverTooLarge(limit: Int)
    /// This machine has no sandbox that keeps the program that decodes the cover away from the person's files.
    case coverNotConfined
    case folderNotEmpty
    /// An export into the folder was cut off, or another process is still writing it.
    case folderUnfinished
    case folderNotUsable
    /// The file `name` still says that the export is not finished, though it is.
    case noteNotRemoved(_ name: String)
    /// No recording was named.
    case nothingToExport
    /// The joined recordings would be too large to hold in memory while the file is made.
    case joinedTooLarge
    /// A download that was never ordered, was fetched before, or is over.
    case orderOver
    /// A download that its receiver stopped reading.
    case downloadUnread
    /// Words are wanted of recordings that nobody has transcribed.
    case notTranscribed

    package var failure: Failure {
        switch self {
        case .audiobookProgramMissing:
            Failure(
                .unavailable,
                "export.audiobook-program-missing",
                "FFmpeg, which makes audiobooks, is not installed."
            )
            .suggesting(
                "Install it with “apt install ffmpeg”, or choose another format.",
                inTerminal: "Install it with “apt install ffmpeg”, or choose another --format."
            )
        case .audiobookProgramFailed:
            Failure(.invalidContent, "export.audiobook-program-failed", "FFmpeg could not make the audiobook.")
                .suggesting(
                    "Leave the cover out if there is one, or choose another format.",
                    inTerminal: "Leave the cover out if there is one, or choose another --format."
                )
        case .audiobookNeedsFile:
            Failure(
                .invalidRequest,
                "export.audiobook-needs-file",
                "An audiobook can be written to a file only, not to a pipe or a device."
            )
            .suggesting("Give -o the name of a file.")
        case .noRoomForCover:
            Failure(.invalidRequest, "export.no-room-for-cover", "Only audiobooks (m4b, m4a) have room for a cover.")
                .suggesting(
                    "Choose M4B, or remove the cover.",
                    inTerminal: "Choose --format m4b, or leave --cover out."
                )
        case .coverMissing:
            Failure(.missingInput, "export.cover-missing", "The cover cannot be read.")
                .suggesting("Check its name, and that you may read it.")
        case .coverNotImage:
            Failure(.invalidContent, "export.cover-not-image", "The cover is neither a JPEG nor a PNG image.")
                .suggesting("Save the picture as JPEG or PNG.")
        case .coverTooLarge(let limit):
            Failure(.invalidContent, "export.cover-too-large", "The cover is larger than \(limit / 1_000_000) MB.")
                .suggesting("Save the picture smaller; 1,400 by 1,400 pixels are enough.")
        case .coverNotConfined:
            Failure(
                .unavailable,
                "export.cover-not-confined",
                "The cover is not opened: nothing in this machine's kernel would keep a hostile picture from your files."
            )
            .suggesting(
                "Remove the cover, or choose another format.",
                inTerminal: "Choose another --format, or take a kernel that has Landlock (5.13 or later)."
            )
        case .folderNotEmpty:
            Failure(.cannotCreate, "export.folder-not-empty", "The folder is not empty.")
                .suggesting("Choose a new folder, so that nothing is mixed up or replaced.")
        case .folderUnfinished:
            Failure(
                .cannotCreate,
                "export.folder-unfinished",
                "The folder has an export that was cut off, or is still being written."
            )
            .suggesting("Choose a new folder, and delete this one unless an export still writes into it.")
        case .folderNotUsable:
            Failure(.cannotCreate, "export.folder-not-usable", "The folder cannot be made or used.")
                .suggesting("Choose a folder that you may write to.")
        case .noteNotRemoved(let name):
            Failure(
                .cannotCreate,
                "export.note-not-removed",
                "The export is finished and kept, but \(name), which says otherwise, could not be removed from it."
            )
            .suggesting("Delete that file; index.json says what is in the folder.")
        case .nothingToExport:
            Failure(.missingInput, "export.nothing-to-export", "There is nothing to export.")
                .suggesting("Name a recording; “echotext library list” shows them.")
        case .joinedTooLarge:
            Failure(.tooLarge, "export.joined-too-large", "The recordings are too long to be joined into one file.")
                .suggesting("Join fewer of them into each of several files, or choose mp3 or m4b.")
        case .orderOver:
            Failure(.notFound, "export.order-over", "The download has been fetched before, or is over.")
                .suggesting("Export it again.")
        case .downloadUnread:
            Failure(.interrupted, "export.download-unread", "Nothing of the download was taken for a minute.")
                .suggesting("Export it again, and do not pause the download.")
        case .notTranscribed:
            Failure(.notFound, "export.not-transcribed", "Nothing of this has been transcribed yet.")
                .suggesting("Transcribe it first, or choose another format.")
        }
    }
}
