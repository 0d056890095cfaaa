import Books
import EchoText
import Foundation

/// Makes one recording into the bytes of a download, in memory.
struct DownloadMaker: Sendable {
    let library: Library
    let files: any ExportFiles & ExportedBytes

    /// - Throws: ``VaultError``, ``AudioFileError``, ``ExportError``, `CancellationError`.
    func make(_ item: AudioItem, _ format: DownloadFormat) async throws -> any StoredSound {
        let path = "download.\(format.fileExtension)"
        let export = RecordingExport(of: library.audio, to: files)
        switch format {
        // What is kept is a WAV file already.
        case .sound(.wav): return try await library.audio.sound(of: item.id)
        case .sound(let format): try await export.sound(of: [item], try await options(for: item, format), to: path)
        case .text: try await export.text(of: [item], to: path)
        case .captions(let format): try await export.captions(of: [item], format, to: path)
        case .book, .chapters: try await write(item, format, to: files, at: path)
        }
        return try await files.take(path)
    }

    /// Writes a recording with all its chapters; the file may be as long as the recording, so it need not be in memory.
    ///
    /// - Throws: As ``make(_:_:)`` does.
    func write(_ item: AudioItem, _ format: DownloadFormat, to target: any ExportFiles, at path: String) async throws {
        let book = try await RecordedBook(of: item, in: library)
        let export = BookExport(of: library, to: target, parts: files)
        if case .chapters(let sound) = format {
            try await export.chapters(of: book, as: sound, to: path, at: Date())
        } else {
            try await export.epub(of: book, to: path, at: Date())
        }
    }

    /// An audiobook has the chapters and the cover of the document it was made from.
    private func options(for item: AudioItem, _ format: ExportFormat) async throws -> RecordingExport.Options {
        var options = RecordingExport.Options(format: format)
        guard format.soundFormat == nil, item.document != nil else { return options }
        let book = try await RecordedBook(of: item, in: library)
        (options.chapters, options.cover) = (book.marks, book.cover)
        return options
    }
}
