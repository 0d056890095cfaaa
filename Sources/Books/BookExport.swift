package import EchoText
package import Foundation

/// Exports a recording by chapters: as a ZIP file of sound files, or as an EPUB with media overlays.
///
/// Exported files are not encrypted. A failed or cancelled export discards its output.
package struct BookExport: Sendable {
    private let library: Library
    private let sounds: any SoundFiles

    /// - Parameters:
    ///   - library: The library with the recording.
    ///   - sounds: Makes each chapter's sound file, which is held in memory until it is written.
    package init(of library: Library, by sounds: any SoundFiles) {
        self.library = library
        self.sounds = sounds
    }

    /// Writes a ZIP file with a sound file for each chapter.
    ///
    /// - Parameters:
    ///   - book: The recording.
    ///   - format: The format of the sound.
    ///   - file: The sink to write to; it is finished.
    ///   - time: The current time.
    ///   - progress: Called with the number of chapters done and their total.
    /// - Throws: ``AudioFileError``, ``ExportError``, ``VaultError``, `CancellationError`.
    package func chapters(
        of book: RecordedBook,
        as format: ExportFormat,
        to file: any ByteSink,
        at time: Date,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws {
        try await file.completed {
            let zip = ZipArchive(to: file, at: time)
            var names = FileNames()
            let digits = String(book.chapters.count).count
            for (index, chapter) in book.chapters.enumerated() {
                let number = String(index + 1)
                let stem = String(repeating: "0", count: max(0, digits - number.count)) + "\(number) \(chapter.title)"
                let name = names.name(for: stem, fileExtension: format.fileExtension)
                try await zip.add(name, try await sound(of: chapter, in: book, as: format))
                progress(index + 1, book.chapters.count)
            }
            try await zip.finish()
        }
    }

    /// Writes an EPUB 3 with media overlays: each sentence is highlighted while it is spoken.
    ///
    /// - Parameters:
    ///   - book: The recording.
    ///   - file: The sink to write to; it is finished.
    ///   - time: The current time.
    ///   - progress: Called with the number of chapters done and their total.
    /// - Throws: ``AudioFileError``, ``ExportError``, ``VaultError``, `CancellationError`.
    package func epub(
        of book: RecordedBook,
        to file: any ByteSink,
        at time: Date,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws {
        let pages = SpokenBook(book)
        try await file.completed {
            let zip = ZipArchive(to: file, at: time)
            // This file comes first, so that programs can detect the format from the first bytes.
            try await zip.add("mimetype", "application/epub+zip")
            try await zip.add("META-INF/container.xml", SpokenBook.container)
            try await zip.add("EPUB/package.opf", pages.packageDocument(at: time))
            try await zip.add("EPUB/nav.xhtml", pages.navigation)
            try await zip.add("EPUB/style.css", SpokenBook.style)
            if let cover = book.cover { try await zip.add("EPUB/\(cover.fileName)", cover.data) }
            for (index, chapter) in book.chapters.enumerated() {
                let number = index + 1
                let sound = try await sound(of: chapter, in: book, as: .mp3)
                try await zip.add("EPUB/\(SpokenBook.sound(number))", sound)
                let page = pages.page(number)
                try await zip.add("EPUB/\(SpokenBook.page(number))", page.text)
                try await zip.add("EPUB/\(SpokenBook.overlay(number))", page.overlay)
                progress(number, book.chapters.count)
            }
            try await zip.finish()
        }
    }

    private func sound(
        of chapter: RecordedBook.Chapter,
        in book: RecordedBook,
        as format: ExportFormat
    ) async throws -> any StoredBytes {
        let reader = try await RecordingReader(of: library.audio.sound(of: book.item.id))
        let range = chapter.samples.clamped(to: 0..<reader.count)
        let tags = AudioTags(
            title: chapter.title,
            artist: book.author ?? book.item.narration?.voiceName,
            album: book.item.name.text
        )
        let (sink, bytes) = try await sounds.soundInMemory(
            SoundOrder(format: format, sampleRate: reader.sampleRate, count: range.count, tags: tags)
        )
        do {
            var position = range.lowerBound
            while position < range.upperBound {
                try Task.checkCancellation()
                let clip = try await reader.clip(from: position, limit: range.upperBound - position)
                position += clip.samples.count
                try await sink.append(clip)
            }
            try await sink.finish()
        } catch {
            await sink.discard()
            throw error
        }
        return bytes
    }
}
