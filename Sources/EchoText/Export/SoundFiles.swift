package import Foundation

/// Makes sound files: the port to the libraries and programs that encode sound.
package protocol SoundFiles: Sendable {
    /// Begins a file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink

    /// Opens a sound file that is streamed into `bytes`, except for what the codec buffers, and finishes `bytes`.
    ///
    /// Its header does not state the length.
    ///
    /// - Throws: ``ExportError/audiobookNeedsFile`` for a format that cannot be streamed, ``AudioFileError``.
    func sound(_ order: SoundOrder, into bytes: any ByteSink) async throws -> any AudioSink

    /// Opens a sound file in memory.
    ///
    /// - Returns: The sink, and the file's bytes, which are readable once the sink has finished and are freed with the
    ///   last reference.
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func soundInMemory(_ order: SoundOrder) async throws -> (sink: any AudioSink, bytes: any StoredBytes)

    /// Makes a sample rate converter for one continuous run of sound.
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
    /// For formats that have chapters: in order, the first at 0.
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

/// Converts the sample rate of one continuous run of sound, piece by piece.
package protocol RateConversion: Sendable {
    /// Converts the next piece, and returns the output so far available.
    ///
    /// - Parameters:
    ///   - clip: The next piece, at the input rate.
    ///   - isLast: Whether it is the last piece; the whole output then has exactly the samples of its duration.
    /// - Returns: Samples at the output rate, possibly none yet.
    /// - Throws: ``AudioFileError``.
    func convert(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip
}

/// A picture for an audiobook, known by its content and not by its name.
package struct CoverImage: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case jpeg
        case png
    }

    /// Most bytes.
    package static let largest = 20_000_000

    package let data: Data
    package let kind: Kind

    /// - Throws: ``ExportError/coverNotImage``, ``ExportError/coverTooLarge(limit:)``.
    package init(_ data: Data) throws(ExportError) {
        guard data.count <= Self.largest else { throw .coverTooLarge(limit: Self.largest) }
        if data.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = .jpeg
        } else if data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            kind = .png
        } else {
            throw .coverNotImage
        }
        self.data = data
    }
}
