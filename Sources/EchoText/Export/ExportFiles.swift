package import Foundation

/// Where exported things are written: the port to files and the programs that encode them.
package protocol ExportFiles: Sendable {
    /// Begins a sound file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink

    /// Begins a text file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``.
    func text(at path: String) async throws -> any TextSink

    /// Makes a folder that only its owner can look into, or takes one that is empty.
    ///
    /// - Throws: ``ExportError/folderNotEmpty``, ``ExportError/folderNotUsable``.
    func folder(at path: String) async throws

    /// Takes away all that is in the folder at `path`, as far as that is possible.
    func empty(_ path: String) async

    /// A way to bring sound to another rate, for one run of it.
    ///
    /// - Throws: ``AudioFileError``.
    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion
}

/// A sound file to be made.
package struct SoundOrder: Sendable, Hashable {
    package var format: ExportFormat
    /// The sample rate of the clips, in hertz.
    package var sampleRate: Int
    /// How many samples will come.
    package var count: Int
    package var tags: AudioTags
    /// For formats that have them: in order, the first at 0.
    package var chapters: [Chapter]
    package var cover: CoverImage?

    package init(
        format: ExportFormat,
        sampleRate: Int,
        count: Int,
        tags: AudioTags = AudioTags(),
        chapters: [Chapter] = [],
        cover: CoverImage? = nil
    ) {
        self.format = format
        self.sampleRate = sampleRate
        self.count = count
        self.tags = tags
        self.chapters = chapters
        self.cover = cover
    }
}

/// Somewhere text, or any bytes, go piece by piece; the rules are those of ``AudioSink``.
package protocol TextSink: Sendable {
    func append(_ text: String) async throws
    func append(_ bytes: Data) async throws
    func finish() async throws
    func abandon() async
}

/// Changes the sample rate of one run of sound, piece by piece.
package protocol RateConversion: Sendable {
    /// What can be said of the output so far.
    ///
    /// - Parameters:
    ///   - clip: The next piece, at the rate that is converted from.
    ///   - isLast: Whether nothing follows; the whole output then has as many samples as its duration asks for.
    /// - Returns: Perhaps nothing yet, at the rate that is converted to.
    /// - Throws: ``AudioFileError``.
    func convert(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip
}

extension ExportFiles {
    /// Writes a file of what `body` appends.
    ///
    /// - Throws: What `body` throws, nothing being left then; ``AudioFileError``.
    package func write(to path: String, _ body: (any TextSink) async throws -> Void) async throws {
        let file = try await text(at: path)
        do {
            try await body(file)
            try await file.finish()
        } catch {
            await file.abandon()
            throw error
        }
    }

    /// Writes a file of bytes that are kept.
    ///
    /// - Throws: What reading throws, nothing being left then; ``AudioFileError``.
    package func write(_ bytes: any StoredBytes, to path: String) async throws {
        try await write(to: path) { file in
            try await bytes.forEachPiece { try await file.append($0) }
        }
    }
}

extension StoredSound {
    /// Reads all of it, piece by piece.
    package func forEachPiece(_ body: (Data) async throws -> Void) async throws {
        let piece = 262_144  // bytes
        var position = 0
        while position < length {
            try Task.checkCancellation()
            let end = min(length, position + piece)
            try await body(try await read(position..<end))
            position = end
        }
    }
}
