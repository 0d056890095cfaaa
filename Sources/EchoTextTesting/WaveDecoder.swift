package import EchoText
package import Foundation

/// Decodes plain WAV files, one channel of 16 bits, in the caller's process.
package struct WaveDecoder: SoundFileDecoder {
    /// The file's tags, which plain files do not have.
    package var tags: SoundTags

    package init(tags: SoundTags = SoundTags()) {
        self.tags = tags
    }

    package func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard file.length > 0 else { throw SoundImportError.empty }
        if let track, track != 1 { throw SoundImportError.noSuchTrack(track, of: [SoundTrack(number: 1)]) }
        let start = WAVHeader.plainLength
        let head = try await file.read(0..<min(start, file.length))
        // A truncated file first returns the facts in its header.
        guard head.count == start, head.starts(with: Data("RIFF".utf8)) else {
            throw SoundImportError.unknownKind(found: nil)
        }
        let announced = head[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard let header = WAVHeader(plain: head, fileLength: start + announced) else {
            throw SoundImportError.unknownKind(found: nil)
        }
        guard announced > 0 else { throw SoundImportError.noSound }
        try await take(
            .facts(SoundFacts(sampleRate: header.sampleRate, channels: 1, samples: announced / 2, tags: tags))
        )
        let end = min(file.length, start + announced) & ~1
        for place in stride(from: start, to: end, by: 2 * DecodedSound.longestPiece) {
            try Task.checkCancellation()
            let bytes = try await file.read(place..<min(end, place + 2 * DecodedSound.longestPiece))
            let samples = bytes.withUnsafeBytes { raw in
                (0..<raw.count / 2).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
            }
            try await take(.samples(samples))
        }
        guard file.length >= start + announced else {
            throw SoundImportError.damaged(seconds: Double((end - start) / 2) / Double(header.sampleRate))
        }
    }
}

/// Bytes in memory that are read like a file.
package struct HeldBytes: StoredBytes {
    private let bytes: Data

    package init(_ bytes: Data) {
        self.bytes = bytes
    }

    package var length: Int { bytes.count }

    package func read(_ range: Range<Int>) async throws -> Data {
        Data(bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound])
    }
}
