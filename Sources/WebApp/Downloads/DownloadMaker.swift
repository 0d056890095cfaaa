import Books
import EchoText
import Foundation

/// Makes one recording into the bytes of a download, in memory.
struct DownloadMaker: Sendable {
    let library: Library
    let sounds: any SoundFiles

    /// - Throws: ``VaultError``, ``AudioFileError``, ``ExportError``, `CancellationError`.
    func make(_ item: AudioItem, _ format: DownloadFormat) async throws -> any StoredBytes {
        let export = RecordingExport(of: library.audio, by: sounds)
        let bytes = MemoryBytes()
        switch format {
        // What is kept is a WAV file already.
        case .sound(.wav): return try await library.audio.sound(of: item.id)
        case .sound(let format): return try await sound(of: item, format, by: export)
        case .text: try await export.text(of: [item], to: bytes)
        case .captions(let format): try await export.captions(of: [item], format, to: bytes)
        case .book, .chapters: try await write(item, format, to: bytes)
        }
        return bytes
    }

    private func sound(
        of item: AudioItem,
        _ format: ExportFormat,
        by export: RecordingExport
    ) async throws -> any StoredBytes {
        var made: (any StoredBytes)?
        try await export.sound(of: [item], try await options(for: item, format)) { order in
            let (sink, bytes) = try await sounds.soundInMemory(order)
            made = bytes
            return sink
        }
        guard let made else { preconditionFailure("an export begins its sound file once") }
        return made
    }

    /// Writes a recording with all its chapters; the file may be as long as the recording, so it need not be in memory.
    ///
    /// - Throws: As ``make(_:_:)`` does.
    func write(_ item: AudioItem, _ format: DownloadFormat, to file: any ByteSink) async throws {
        let book = try await RecordedBook(of: item, in: library)
        let export = BookExport(of: library, by: sounds)
        if case .chapters(let sound) = format {
            try await export.chapters(of: book, as: sound, to: file, at: Date())
        } else {
            try await export.epub(of: book, to: file, at: Date())
        }
    }

    /// An audiobook has the chapters and the cover of the document it was made from.
    private func options(for item: AudioItem, _ format: ExportFormat) async throws -> RecordingExport.Options {
        var options = RecordingExport.Options(format: format)
        guard format.soundFormat == nil, item.narration?.document != nil else { return options }
        let book = try await RecordedBook(of: item, in: library)
        (options.chapters, options.cover) = (book.marks, book.cover)
        return options
    }
}
